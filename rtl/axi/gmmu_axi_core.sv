// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_core: what gmmu_axi is made of, with each channel of its AXI ports as valid, ready and
// one vector: ports of cores, the MMU (gmmu_top), the walker's master, the engines that write
// memory, the side of software, and the end of an invalidation. Only wires else.
//
// Fields of the vectors: rtl/common/gmmu_axi_*_types.svh. Docs and legal range: gmmu_axi.
`default_nettype none
module gmmu_axi_core #(
`include "gmmu_axi_params.svh"
  localparam int WalkIdW = gmmu_pkg::idx_w(Walks),
`include "gmmu_axi_data_bits.svh"
`include "gmmu_axi_w_bits.svh"
`include "gmmu_axi_p_bits.svh"
`include "gmmu_axi_c_bits.svh"
  localparam int AppW    = gmmu_pkg::idx_w(NumAsids),
  localparam int Axis    = NumPorts > 0 ? NumPorts : 1,
  localparam int Natives = NumNative > 0 ? NumNative : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
`include "gmmu_axi_data_ports.svh"
`include "gmmu_axi_n_ports.svh"
`include "gmmu_axi_w_ports.svh"
`include "gmmu_axi_p_ports.svh"
`include "gmmu_axi_c_ports.svh"
  output logic              epoch_o,
  output logic [AppW:0]     sched_apps_o,
  output logic [9:0]        sched_quota_o,
  output logic [15:0]       sched_timeout_o,
  output logic [15:0]       sched_age_cap_o,
  output logic [NumAsids*$clog2(L2Mshrs+1)-1:0] app_misses_o,
  output logic              irq_o
);
  localparam int NumSms = gmmu_pkg::num_sms(NumPorts, NumNative);
  localparam int PfnW   = PaW - 12;
  localparam int TagW   = $clog2(Slots) + 1;
  localparam int RecW   = 1 + 64 + AsidW + 2 + 1 + AxiIdW + 5;
  localparam int MemW   = LineAnswers != 0 ? 512 : 64;
  `include "gmmu_axi_w_types.svh"
  `include "gmmu_axi_p_types.svh"
  w_ar_t w_ar;
  w_r_t  w_r;
  p_aw_t p_aw;
  p_w_t  p_w;
  p_b_t  p_b;
  p_ar_t p_ar;
  p_r_t  p_r;
  assign w_ar_o = w_ar;
  assign w_r    = w_r_i;
  assign p_aw_o = p_aw;
  assign p_w_o  = p_w;
  assign p_b    = p_b_i;
  assign p_ar_o = p_ar;
  assign p_r    = p_r_i;

  // ------------------------------------------------------------ settings and requests of all ports
  logic [NumSms*2-1:0]       mode, asid_from, fetch;
  logic [NumSms-1:0]         error_mode;
  logic [NumSms*5-1:0]       shift;
  logic [NumSms*AsidW-1:0]   asid;
  logic [NumSms*8-1:0]       stalled;
  logic [NumSms-1:0]         busy, old;
  logic                      retry, tick, drop;
  logic [NumSms-1:0]         req_valid, req_ready, req_user, rsp_valid;
  logic [NumSms*64-1:0]      req_va;
  logic [NumSms*2-1:0]       req_access;
  logic [NumSms*AsidW-1:0]   req_asid;
  logic [NumSms*WarpW-1:0]   req_warp;
  logic [NumSms*TagW-1:0]    req_tag, rsp_tag;
  logic [NumSms*PaW-1:0]     rsp_pa;
  logic [NumSms*5-1:0]       rsp_cause;
  logic [NumSms-1:0]         f_valid, f_taken;
  logic [NumSms*RecW-1:0]    f_rec;
  logic                      f_lost;

  gmmu_axi_ports #(
`include "gmmu_axi_pass.svh"
  ) u_ports (
    .clk_i, .rst_ni,
`include "gmmu_axi_data_connect.svh"
`include "gmmu_axi_n_connect.svh"
    .mode_i(mode), .error_mode_i(error_mode), .asid_from_i(asid_from), .shift_i(shift),
    .fetch_i(fetch), .asid_i(asid),
    .req_valid_o(req_valid), .req_ready_i(req_ready), .req_va_o(req_va),
    .req_access_o(req_access), .req_user_o(req_user), .req_asid_o(req_asid),
    .req_warp_o(req_warp), .req_tag_o(req_tag), .rsp_valid_i(rsp_valid), .rsp_tag_i(rsp_tag),
    .rsp_pa_i(rsp_pa), .rsp_cause_i(rsp_cause), .f_valid_o(f_valid), .f_rec_o(f_rec),
    .f_taken_i(f_taken), .f_lost_i(f_lost), .retry_i(retry), .tick_i(tick),
    .drop_i(drop), .old_o(old), .stalled_o(stalled), .busy_o(busy)
  );

  // ---------------------------------------------------------------- the MMU
  logic                       mem_req_valid, mem_req_ready, mem_rsp_valid, mem_rsp_err;
  logic [PaW-1:0]             mem_req_addr;
  logic [WalkIdW-1:0]         mem_req_id, mem_rsp_id;
  logic                       mem_req_upd, up_valid, up_done, up_err;
  logic [63:0]                mem_req_old, mem_req_new, up_old, up_new;
  logic [PaW-1:0]             up_addr;
  logic [MemW-1:0]            mem_rsp_data;
  logic                       inv_valid, inv_ready, inv_done;
  logic [1:0]                 inv_kind;
  logic [AsidW-1:0]           inv_asid;
  logic [35:0]                inv_lo, inv_hi;
  logic [NumAsids*PfnW-1:0]   ctx_root;
  logic [NumAsids*2-1:0]      ctx_mode;
  logic [NumAsids-1:0]        ctx_ext, ctx_sum, ctx_mxr;
  logic [NumWindows*PfnW-1:0] win_lo, win_hi;
  logic [NumWindows-1:0]      win_walk, win_data;
  logic [31:0]                            epoch_cycles;
  logic                                   token_free;
  logic [6:0]                             token_start, token_points;
  logic [2:0]                             token_step;
  logic [NumSms-1:0]                      count_l1_look, count_l1_hit, count_l1_parity;
  logic [1:0]                             count_l2_look, count_l2_hit, count_l2_parity;
  logic                                   count_walk;
  gmmu_top #(
`include "gmmu_core_pass.svh"
    .NumSms(NumSms), .TagW(TagW), .Obs(0)
  ) u_mmu (
    .clk_i, .rst_ni,
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_va_i(req_va), .req_access_i(req_access),
    .req_user_i(req_user),
    .req_asid_i(req_asid), .req_warp_i(req_warp), .req_tag_i(req_tag),
    .rsp_valid_o(rsp_valid), .rsp_ready_i({NumSms{1'b1}}), .rsp_tag_o(rsp_tag), .rsp_pa_o(rsp_pa),
    .rsp_cause_o(rsp_cause), .rsp_large_o(),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready), .mem_req_addr_o(mem_req_addr),
    .mem_req_id_o(mem_req_id),
    .mem_req_depth_o(), .mem_req_upd_o(mem_req_upd), .mem_req_old_o(mem_req_old),
    .mem_req_new_o(mem_req_new), .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_id_i(mem_rsp_id),
    .mem_rsp_data_i(mem_rsp_data),
    .mem_rsp_err_i(mem_rsp_err),
    .inv_valid_i(inv_valid), .inv_ready_o(inv_ready), .inv_kind_i(inv_kind), .inv_asid_i(inv_asid),
    .inv_lo_i(inv_lo), .inv_hi_i(inv_hi),
    .inv_done_o(inv_done), .ctx_root_i(ctx_root), .ctx_mode_i(ctx_mode), .ctx_ext_i(ctx_ext),
    .ctx_sum_i(ctx_sum), .ctx_mxr_i(ctx_mxr),
    .win_lo_i(win_lo), .win_hi_i(win_hi), .win_walk_i(win_walk), .win_data_i(win_data),
    .app_misses_o,
    .epoch_cycles_i(epoch_cycles), .epoch_o, .token_free_i(token_free), .token_start_i(token_start),
    .token_step_i(token_step),
    .token_points_i(token_points),
    .count_l1_look_o(count_l1_look), .count_l1_hit_o(count_l1_hit),
    .count_l2_look_o(count_l2_look), .count_l2_hit_o(count_l2_hit), .count_walk_o(count_walk),
    .count_l1_parity_o(count_l1_parity), .count_l2_parity_o(count_l2_parity),
    .obs_l1_o(), .obs_l2_o(), .obs_walk_o(), .obs_token_o()
  );
  gmmu_walk_axi #(
`include "gmmu_axi_pass.svh"
  ) u_walk_axi (
    .clk_i, .rst_ni, .req_upd_i(mem_req_upd), .req_old_i(mem_req_old), .req_new_i(mem_req_new),
    .up_valid_o(up_valid), .up_addr_o(up_addr),
    .up_old_o(up_old), .up_new_o(up_new), .up_done_i(up_done), .up_err_i(up_err),
    .req_valid_i(mem_req_valid), .req_ready_o(mem_req_ready), .req_addr_i(mem_req_addr),
    .req_id_i(mem_req_id),
    .rsp_valid_o(mem_rsp_valid), .rsp_id_o(mem_rsp_id), .rsp_data_o(mem_rsp_data),
    .rsp_err_o(mem_rsp_err),
    .arvalid_o(w_ar_valid_o), .arready_i(w_ar_ready_i), .arid_o(w_ar.id), .araddr_o(w_ar.addr),
    .arlen_o(w_ar.len), .arsize_o(w_ar.size), .arburst_o(w_ar.burst),
    .rvalid_i(w_r_valid_i), .rready_o(w_r_ready_o), .rid_i(w_r.id), .rdata_i(w_r.data),
    .rresp_i(w_r.resp), .rlast_i(w_r.last)
  );

  // ------------------------------------------ an invalidation ends when nobody uses an old address
  logic drain_q, cmd_done, co_ends;
  assign drop     = inv_done;
  assign cmd_done = (drain_q & old == '0) | co_ends;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) drain_q <= 1'b0;
    else drain_q <= inv_done | (drain_q & old != '0);
  end

  // --------------------------------------------------------- coalescer, page copy, updates of PTEs
  logic       co_valid, co_ready, co_splinter, co_copy, co_done, r_inv_valid, e_inv_valid,
      e_inv_empty;
  logic [2:0] co_result;
  logic [gmmu_pkg::cmd_w(PfnW)-1:0] r_inv_lo, r_inv_hi;
  assign inv_valid = r_inv_valid | e_inv_valid;
  assign inv_lo    = e_inv_empty ? '1 : r_inv_lo[35:0];
  assign inv_hi    = e_inv_empty ? '0 : r_inv_hi[35:0];
  gmmu_engine_axi #(
`include "gmmu_axi_pass.svh"
  ) u_engine (
    .clk_i, .rst_ni, .valid_i(co_valid), .ready_o(co_ready), .copy_i(co_copy),
    .splinter_i(co_splinter), .asid_i(inv_asid),
    .first_i(r_inv_lo), .last_i(r_inv_hi), .done_o(co_done), .result_o(co_result), .ends_o(co_ends),
    .inv_valid_o(e_inv_valid),
    .inv_ready_i(inv_ready), .inv_empty_o(e_inv_empty), .ctx_root_i(ctx_root),
    .ctx_mode_i(ctx_mode), .ctx_ext_i(ctx_ext),
    .win_lo_i(win_lo), .win_hi_i(win_hi), .win_walk_i(win_walk), .win_data_i(win_data),
    .awvalid_o(p_aw_valid_o), .awready_i(p_aw_ready_i), .awaddr_o(p_aw.addr), .awlen_o(p_aw.len),
    .awlock_o(p_aw.lock),
    .arlock_o(p_ar.lock), .up_valid_i(up_valid), .up_addr_i(up_addr), .up_old_i(up_old),
    .up_new_i(up_new), .up_done_o(up_done),
    .up_err_o(up_err), .wvalid_o(p_w_valid_o),
    .wready_i(p_w_ready_i), .wdata_o(p_w.data), .wlast_o(p_w.last), .bvalid_i(p_b_valid_i),
    .bready_o(p_b_ready_o), .bresp_i(p_b.resp),
    .arvalid_o(p_ar_valid_o), .arready_i(p_ar_ready_i), .araddr_o(p_ar.addr), .arlen_o(p_ar.len),
    .rvalid_i(p_r_valid_i),
    .rready_o(p_r_ready_o), .rdata_i(p_r.data), .rresp_i(p_r.resp)
  );

  // ---------------------------------------------------------------- registers, faults, counters
  gmmu_axi_control #(
`include "gmmu_axi_pass.svh"
  ) u_control (
    .clk_i, .rst_ni,
`include "gmmu_axi_c_connect.svh"
    .irq_o, .port_mode_o(mode), .port_error_o(error_mode), .port_asid_from_o(asid_from),
    .port_shift_o(shift), .port_fetch_o(fetch), .port_asid_o(asid), .port_stalled_i(stalled),
    .port_busy_i(busy), .port_held_i(drain_q ? old : '0),
    .ctx_root_o(ctx_root), .ctx_mode_o(ctx_mode), .ctx_ext_o(ctx_ext), .ctx_sum_o(ctx_sum),
    .ctx_mxr_o(ctx_mxr), .win_lo_o(win_lo), .win_hi_o(win_hi), .win_walk_o(win_walk),
    .win_data_o(win_data), .epoch_cycles_o(epoch_cycles), .token_free_o(token_free),
    .token_start_o(token_start), .token_step_o(token_step), .token_points_o(token_points),
    .sched_apps_o, .sched_quota_o, .sched_timeout_o, .sched_age_cap_o,
    .inv_valid_o(r_inv_valid), .inv_ready_i(inv_ready), .inv_kind_o(inv_kind),
    .inv_asid_o(inv_asid), .inv_lo_o(r_inv_lo), .inv_hi_o(r_inv_hi), .inv_done_i(cmd_done),
    .co_valid_o(co_valid), .co_ready_i(co_ready), .co_splinter_o(co_splinter),
    .co_copy_o(co_copy), .co_done_i(co_done), .co_result_i(co_result),
    .f_valid_i(f_valid), .f_rec_i(f_rec), .f_taken_o(f_taken), .f_lost_o(f_lost),
    .retry_o(retry), .tick_o(tick), .count_l1_look_i(count_l1_look),
    .count_l1_hit_i(count_l1_hit), .count_l2_look_i(count_l2_look),
    .count_l2_hit_i(count_l2_hit), .count_walk_i(count_walk),
    .count_l1_parity_i(count_l1_parity), .count_l2_parity_i(count_l2_parity),
    .pte_read_i(mem_req_valid & mem_req_ready), .read_i(m_ar_valid_o & m_ar_ready_i),
    .write_i(m_aw_valid_o & m_aw_ready_i)
  );
endmodule
`default_nettype wire
