// SPDX-License-Identifier: Apache-2.0
// gmmu_sm: a SIMT core of warps of 32 lanes, each lane an RV32IM hart with a PC of its own, with
// non-blocking loads, atomics, scratchpad, barriers and warp instructions; one AXI4 master (512
// bits, one-beat bursts, AXI5 atomics). An example of what stands in front of gmmu_axi, and the
// core that software translation runs on. What programs see, registers and errors: docs/simt.md.
//
// t_*: trace, for benches: each instruction as it is executed, and each write of a register.
// mshrs_o, live_o: who waits.
`default_nettype none
module gmmu_sm #(
  parameter int Lanes        = 32,      // 2, 4 .. 32 (docs/simt.md and programs: 32)
  parameter int Warps        = 32,      // 1, 2, 4 .. 32
  parameter int ImemWords    = 16384,   // power of 2, at least 16
  parameter int LocalBytes   = 1024,    // of a lane: power of 2, 128 .. 4096
  parameter int ScratchBytes = 16384,   // power of 2, at least 64
  parameter int Mshrs        = 64,      // bursts on their way: power of 2, 2 .. 256
  localparam int IdW         = $clog2(Mshrs),
  localparam int ImemW       = $clog2(ImemWords),
  localparam int WarpW       = Warps > 1 ? $clog2(Warps) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                imem_we_i,
  input  logic [ImemW-1:0]    imem_addr_i,
  input  logic [31:0]         imem_wdata_i,
  input  logic                cfg_we_i,
  input  logic [7:0]          cfg_addr_i,
  input  logic [31:0]         cfg_wdata_i,
  output logic [31:0]         cfg_rdata_o,
  output logic                busy_o,
  output logic                m_awvalid_o,
  input  logic                m_awready_i,
  output logic [IdW-1:0]      m_awid_o,
  output logic [31:0]         m_awaddr_o,
  output logic [7:0]          m_awlen_o,
  output logic [2:0]          m_awsize_o,
  output logic [1:0]          m_awburst_o,
  output logic [2:0]          m_awprot_o,
  output logic [5:0]          m_awatop_o,
  output logic                m_wvalid_o,
  input  logic                m_wready_i,
  output logic [511:0]        m_wdata_o,
  output logic [63:0]         m_wstrb_o,
  output logic                m_wlast_o,
  input  logic                m_bvalid_i,
  output logic                m_bready_o,
  input  logic [IdW-1:0]      m_bid_i,
  input  logic [1:0]          m_bresp_i,
  output logic                m_arvalid_o,
  input  logic                m_arready_i,
  output logic [IdW-1:0]      m_arid_o,
  output logic [31:0]         m_araddr_o,
  output logic [7:0]          m_arlen_o,
  output logic [2:0]          m_arsize_o,
  output logic [1:0]          m_arburst_o,
  output logic [2:0]          m_arprot_o,
  input  logic                m_rvalid_i,
  output logic                m_rready_o,
  input  logic [IdW-1:0]      m_rid_i,
  input  logic [511:0]        m_rdata_i,
  input  logic [1:0]          m_rresp_i,
  output logic                t_valid_o,
  output logic [WarpW-1:0]    t_warp_o,
  output logic [31:0]         t_pc_o,
  output logic [31:0]         t_ir_o,
  output logic [Lanes-1:0]    t_mask_o,
  output logic                t_wr_valid_o,
  output logic [WarpW-1:0]    t_wr_warp_o,
  output logic [4:0]          t_wr_rd_o,
  output logic [Lanes-1:0]    t_wr_mask_o,
  output logic [Lanes*32-1:0] t_wr_data_o,
  output logic [Warps-1:0]    live_o,
  output logic [Warps-1:0]    at_bar_o,
  output logic [Warps-1:0]    mem_busy_o,
  output logic [Mshrs-1:0]    mshrs_o
);
  `include "gmmu_sm_ops.svh"
  localparam int OpW = IdW;
  if (Lanes < 2 || Lanes > 32 || 2**$clog2(Lanes) != Lanes) begin : gen_bad_lanes
    gmmu_sm_Lanes_must_be_a_power_of_two_2_to_32 u_bad();
  end
  if (Warps < 1 || Warps > 32 || 2**$clog2(Warps) != Warps) begin : gen_bad_warps
    gmmu_sm_Warps_must_be_a_power_of_two_1_to_32 u_bad();
  end
  if (ImemWords < 16 || 2**$clog2(ImemWords) != ImemWords) begin : gen_bad_imem
    gmmu_sm_ImemWords_must_be_a_power_of_two_of_at_least_16 u_bad();
  end
  if (LocalBytes < 128 || LocalBytes > 4096 || 2**$clog2(LocalBytes) != LocalBytes) begin :
      gen_bad_local
    gmmu_sm_LocalBytes_must_be_a_power_of_two_128_to_4096 u_bad();
  end
  if (ScratchBytes < 64 || 2**$clog2(ScratchBytes) != ScratchBytes) begin : gen_bad_scratch
    gmmu_sm_ScratchBytes_must_be_a_power_of_two_of_at_least_64 u_bad();
  end
  if (Mshrs < 2 || Mshrs > 256 || 2**$clog2(Mshrs) != Mshrs) begin : gen_bad_mshrs
    gmmu_sm_Mshrs_must_be_a_power_of_two_2_to_256 u_bad();
  end

  // ---------------------------------------------------------------- launch, blocks, errors
  logic             launch, clear, drop, rec_valid, init_valid, init_taken, err_valid, err_first;
  logic [31:0]      entry, blocks, warps, scratch, init_data, xb_block, xb_base, err_block;
  logic [127:0]     args;
  logic [109:0]     rec;
  logic [7:0]       lost;
  logic [63:0]      instret;
  logic [Warps-1:0] start, wake, kill, live, at_bar, mem_busy, div_busy;
  logic [WarpW-1:0] init_warp, err_warp;
  logic [4:0]       init_rd, xb_index, err_index;
  logic             e1_v, e2_v, lsu_v, lsu_t, re_v, re_t, be_v, be_t;
  logic [77:0]      e1, e2, lsu_e, re_e, be_e;
  gmmu_sm_cfg u_cfg (
    .clk_i, .rst_ni, .cfg_we_i, .cfg_addr_i, .cfg_wdata_i, .cfg_rdata_o, .busy_i(busy_o),
    .start_o(launch), .clear_o(clear), .drop_o(drop), .entry_o(entry), .args_o(args),
    .blocks_o(blocks), .warps_o(warps), .scratch_o(scratch), .rec_valid_i(rec_valid), .rec_i(rec),
    .lost_i(lost), .instret_i(instret)
  );
  logic             x_valid, x_wr, x_flow, x_more, re, x_mem, x_first;
  logic [WarpW-1:0] x_warp, rwarp;
  logic [Lanes-1:0] x_mask;
  logic [31:0]      x_pc, x_ir, x_next, x_count;
  logic [3:0]       x_unit;
  logic [4:0]       x_ra, x_rb, ra, rb;
  logic [1:0]       x_uop;
  logic [2:0]       x_words;
  logic [OpW-1:0]   x_op;
  gmmu_sm_blocks #(.Warps(Warps), .LocalBytes(LocalBytes), .ScratchBytes(ScratchBytes)) u_blocks (
    .clk_i, .rst_ni, .start_i(launch), .blocks_i(blocks), .warps_i(warps), .scratch_i(scratch),
    .args_i(args), .busy_o, .start_o(start), .wake_o(wake), .kill_o(kill), .live_i(live),
    .at_bar_i(at_bar), .busy_i(mem_busy | div_busy), .init_valid_o(init_valid),
    .init_taken_i(init_taken), .init_warp_o(init_warp), .init_rd_o(init_rd),
    .init_data_o(init_data), .x_warp_i(x_warp), .x_block_o(xb_block), .x_index_o(xb_index),
    .x_base_o(xb_base), .err_valid_i(err_valid), .err_warp_i(err_warp), .err_first_o(err_first),
    .err_block_o(err_block), .err_index_o(err_index)
  );
  gmmu_sm_errors #(.WarpW(WarpW)) u_errors (
    .clk_i, .rst_ni, .e1_valid_i(e1_v), .e1_i(e1), .e2_valid_i(e2_v), .e2_i(e2),
    .lsu_valid_i(lsu_v), .lsu_taken_o(lsu_t), .lsu_i(lsu_e), .rd_valid_i(re_v), .rd_taken_o(re_t),
    .rd_i(re_e), .wr_valid_i(be_v), .wr_taken_o(be_t), .wr_i(be_e), .valid_o(err_valid),
    .warp_o(err_warp), .first_i(err_first), .block_i(err_block), .index_i(err_index), .drop_i(drop),
    .clear_i(clear), .rec_valid_o(rec_valid), .rec_o(rec), .lost_o(lost)
  );

  // ---------------------------------------------------------------- fetch, issue, where warps go
  // on
  logic             up1_v, up2_v, up2_more, end_v, hold, mem_ready, lsu_ready, op_free, div_ready,
      mem_go, ret_v, div_t;
  logic [WarpW-1:0] up1_w, up2_w, end_w, ret_w, div_w;
  logic [31:0]      up1_pc, up2_pc, up2_next, mem_rds, ret_rds;
  logic [Lanes-1:0] up2_mask, taken;
  logic [OpW-1:0]   op;
  logic [4:0]       div_rd;
  logic [Lanes*32-1:0] rf_a, rf_b, a, b, sum;
  assign mem_ready = lsu_ready && op_free;
  gmmu_sm_front #(.Lanes(Lanes), .Warps(Warps), .ImemWords(ImemWords), .OpW(OpW)) u_front (
    .clk_i, .rst_ni, .imem_we_i, .imem_addr_i, .imem_wdata_i, .start_i(start), .entry_i(entry),
    .kill_i(kill), .end_valid_i(end_v), .end_warp_i(end_w), .live_o(live), .up1_valid_i(up1_v),
    .up1_warp_i(up1_w), .up1_pc_i(up1_pc), .up2_valid_i(up2_v), .up2_warp_i(up2_w),
    .up2_pc_i(up2_pc), .up2_mask_i(up2_mask), .up2_more_i(up2_more), .up2_next_i(up2_next),
    .hold_i(hold), .mem_ready_i(mem_ready), .mem_op_i(op),
    .div_ready_i(div_ready && !(x_valid && x_unit == U_DIV)), .mem_go_o(mem_go),
    .mem_rds_o(mem_rds), .mem_busy_i(mem_busy), .free1_valid_i(ret_v), .free1_warp_i(ret_w),
    .free1_rds_i(ret_rds), .free2_valid_i(div_t), .free2_warp_i(div_w), .free2_rd_i(div_rd),
    .re_o(re), .rwarp_o(rwarp), .ra_o(ra), .rb_o(rb), .x_valid_o(x_valid), .x_warp_o(x_warp),
    .x_mask_o(x_mask), .x_pc_o(x_pc), .x_ir_o(x_ir), .x_unit_o(x_unit), .x_wr_o(x_wr),
    .x_ra_o(x_ra), .x_rb_o(x_rb), .x_uop_o(x_uop), .x_words_o(x_words), .x_op_o(x_op),
    .x_flow_o(x_flow), .x_more_o(x_more), .x_next_o(x_next), .x_count_o(x_count),
    .instret_o(instret)
  );
  gmmu_sm_flow #(.Lanes(Lanes), .Warps(Warps)) u_flow (
    .clk_i, .rst_ni, .start_i(start), .live_i(live), .wake_i(wake), .at_bar_o(at_bar),
    .x_valid_i(x_flow), .x_warp_i(x_warp), .x_mask_i(x_mask), .x_pc_i(x_pc), .x_ir_i(x_ir),
    .x_unit_i(x_unit), .x_more_i(x_more), .x_next_i(x_next), .x_taken_i(taken), .x_sum_i(sum),
    .x_a_i(a), .up1_valid_o(up1_v), .up1_warp_o(up1_w), .up1_pc_o(up1_pc), .up2_valid_o(up2_v),
    .up2_warp_o(up2_w), .up2_pc_o(up2_pc), .up2_mask_o(up2_mask), .up2_more_o(up2_more),
    .up2_next_o(up2_next), .end_valid_o(end_v), .end_warp_o(end_w), .e1_valid_o(e1_v), .e1_o(e1),
    .e2_valid_o(e2_v), .e2_o(e2)
  );

  // ---------------------------------------------------------------- execution
  assign x_mem   = x_valid && x_unit == U_MEM;
  assign x_first = x_valid && x_uop == 2'd0;
  assign a       = x_ra == 5'd0 ? '0 : rf_a;
  assign b       = x_rb == 5'd0 ? '0 : rf_b;
  logic                w_valid;
  logic [WarpW-1:0]    w_warp;
  logic [4:0]          w_rd;
  logic [Lanes-1:0]    w_mask;
  logic [Lanes*32-1:0] w_data;
  gmmu_sm_exec #(.Lanes(Lanes), .WarpW(WarpW)) u_exec (
    .clk_i, .rst_ni, .first_i(x_first), .wr_i(x_wr), .warp_i(x_warp), .mask_i(x_mask),
    .pc_i(x_pc), .ir_i(x_ir), .unit_i(x_unit), .a_i(a), .b_i(b), .count_i(x_count),
    .index_i(xb_index), .block_i(xb_block), .warps_i(warps), .blocks_i(blocks), .taken_o(taken),
    .sum_o(sum), .wb_valid_o(w_valid), .wb_warp_o(w_warp), .wb_rd_o(w_rd), .wb_mask_o(w_mask),
    .wb_data_o(w_data)
  );

  logic                div_v;
  logic [Lanes-1:0]    div_mask;
  logic [Lanes*32-1:0] div_data;
  gmmu_sm_div #(.Lanes(Lanes), .WarpW(WarpW)) u_div (
    .clk_i, .rst_ni, .go_i(x_first && x_unit == U_DIV), .warp_i(x_warp), .rd_i(x_ir[11:7]),
    .op_i(x_ir[13:12]), .mask_i(x_mask), .a_i(a), .b_i(b), .ready_o(div_ready), .wb_valid_o(div_v),
    .wb_taken_i(div_t), .warp_o(div_w), .rd_o(div_rd), .mask_o(div_mask), .data_o(div_data)
  );
  assign div_busy = div_ready ? '0 : Warps'(1) << div_w;

  // ---------------------------------------------------------------- memory
  logic                close, g_want, g_go, g_ready, g_write, g_atomic, r_done, b_done, d_v, d_t,
      d_own, ret_valid, ret_t, r_uns, l_uns;
  logic [OpW-1:0]      l_op, r_op, b_op;
  logic [WarpW-1:0]    l_warp, r_warp;
  logic [31:0]         g_addr, l_pc;
  logic [15:0]         g_words;
  logic [1:0]          g_how, d_word, r_word;
  logic [Lanes-1:0]    g_mask, d_mask, r_mask;
  logic [Lanes*6-1:0]  l_off, r_off;
  logic [2:0]          l_size, r_size;
  logic [4:0]          l_rd, r_rd;
  logic [511:0]        g_data, d_line, r_line;
  logic [63:0]         g_strb;
  logic [Lanes*32-1:0] d_words;
  gmmu_sm_track #(.Ops(Mshrs), .Warps(Warps)) u_track (
    .clk_i, .rst_ni, .free_o(op_free), .op_o(op), .go_i(mem_go), .warp_i(rwarp), .rds_i(mem_rds),
    .more_i(g_go), .twice_i(g_atomic), .more_op_i(l_op), .r_i(r_done), .r_op_i(r_op), .b_i(b_done),
    .b_op_i(b_op), .close_i(close), .close_op_i(l_op), .ret_valid_o(ret_v), .ret_warp_o(ret_w),
    .ret_rds_o(ret_rds), .busy_o(mem_busy)
  );
  gmmu_sm_lsu #(.Lanes(Lanes), .Warps(Warps), .LocalBytes(LocalBytes), .ScratchBytes(ScratchBytes),
      .OpW(OpW)) u_lsu (
    .clk_i, .rst_ni, .x_valid_i(x_mem), .x_uop_i(x_uop), .x_words_i(x_words), .x_warp_i(x_warp),
    .x_mask_i(x_mask), .x_pc_i(x_pc), .x_ir_i(x_ir), .x_op_i(x_op), .x_addr_i(sum), .x_data_i(b),
    .x_base_i(xb_base), .x_size_i(scratch), .ready_o(lsu_ready), .close_o(close), .op_o(l_op),
    .e_valid_o(lsu_v), .e_taken_i(lsu_t), .e_o(lsu_e), .g_want_o(g_want), .g_go_o(g_go),
    .g_ready_i(g_ready), .warp_o(l_warp), .pc_o(l_pc), .g_addr_o(g_addr), .g_words_o(g_words),
    .g_write_o(g_write), .g_atomic_o(g_atomic), .g_how_o(g_how), .g_mask_o(g_mask), .off_o(l_off),
    .size_o(l_size), .unsigned_o(l_uns), .rd_o(l_rd), .g_data_o(g_data), .g_strb_o(g_strb),
    .d_valid_o(d_v), .d_taken_i(d_t), .d_own_o(d_own), .d_line_o(d_line), .d_words_o(d_words),
    .d_word_o(d_word), .d_mask_o(d_mask)
  );
  gmmu_sm_bursts #(.Lanes(Lanes), .WarpW(WarpW), .Mshrs(Mshrs), .OpW(OpW)) u_bursts (
    .clk_i, .rst_ni, .go_i(g_go), .ready_o(g_ready), .want_i(g_want), .warp_i(l_warp),
    .pc_i(l_pc), .addr_i(g_addr), .words_i(g_words), .write_i(g_write), .atomic_i(g_atomic),
    .how_i(g_how), .mask_i(g_mask), .off_i(l_off), .size_i(l_size), .unsigned_i(l_uns), .rd_i(l_rd),
    .op_i(l_op), .data_i(g_data), .strb_i(g_strb), .ret_valid_o(ret_valid), .ret_taken_i(ret_t),
    .ret_line_o(r_line), .ret_warp_o(r_warp), .ret_rd_o(r_rd), .ret_word_o(r_word),
    .ret_mask_o(r_mask), .ret_off_o(r_off), .ret_size_o(r_size), .ret_unsigned_o(r_uns),
    .r_done_o(r_done), .r_op_o(r_op), .b_done_o(b_done), .b_op_o(b_op), .re_valid_o(re_v),
    .re_taken_i(re_t), .re_o(re_e), .be_valid_o(be_v), .be_taken_i(be_t), .be_o(be_e),
    .busy_o(mshrs_o), .m_awvalid_o, .m_awready_i, .m_awid_o, .m_awaddr_o, .m_awsize_o, .m_awburst_o,
    .m_awatop_o, .m_wvalid_o, .m_wready_i, .m_wdata_o, .m_wstrb_o, .m_bvalid_i, .m_bready_o,
    .m_bid_i, .m_bresp_i, .m_arvalid_o, .m_arready_i, .m_arid_o, .m_araddr_o, .m_rvalid_i,
    .m_rready_o, .m_rid_i, .m_rdata_i, .m_rresp_i
  );
  assign {m_awlen_o, m_arlen_o} = 16'd0;
  assign {m_awprot_o, m_arprot_o} = 6'd0;
  assign m_wlast_o   = 1'b1;
  assign m_arsize_o  = 3'd6;
  assign m_arburst_o = 2'd1;

  logic                own, late_v, late_t;
  logic [Lanes*32-1:0] late_data;
  gmmu_sm_late #(.Lanes(Lanes)) u_late (
    .clk_i, .rst_ni, .own_valid_i(d_v), .own_taken_o(d_t), .own_words_i(d_own), .own_line_i(d_line),
    .words_i(d_words), .own_off_i(l_off), .own_word_i(d_word), .own_size_i(l_size),
    .own_unsigned_i(l_uns), .ret_valid_i(ret_valid), .ret_taken_o(ret_t), .ret_line_i(r_line),
    .ret_off_i(r_off), .ret_word_i(r_word), .ret_size_i(r_size), .ret_unsigned_i(r_uns),
    .valid_o(late_v), .taken_i(late_t), .own_o(own), .data_o(late_data)
  );
  gmmu_sm_regs #(.Lanes(Lanes), .Warps(Warps)) u_regs (
    .clk_i, .rst_ni, .re_i(re), .rwarp_i(rwarp), .ra_i(ra), .rb_i(rb), .a_o(rf_a), .b_o(rf_b),
    .p_valid_i(w_valid), .p_warp_i(w_warp), .p_rd_i(w_rd), .p_mask_i(w_mask),
    .p_data_i(w_data), .m_valid_i(late_v), .m_taken_o(late_t), .m_warp_i(own ? l_warp : r_warp),
    .m_rd_i(own ? l_rd + 5'(d_word) : r_rd), .m_mask_i(own ? d_mask : r_mask), .m_data_i(late_data),
    .d_valid_i(div_v), .d_taken_o(div_t), .d_warp_i(div_w), .d_rd_i(div_rd), .d_mask_i(div_mask),
    .d_data_i(div_data), .s_valid_i(init_valid), .s_taken_o(init_taken), .s_warp_i(init_warp),
    .s_rd_i(init_rd), .s_data_i(init_data), .hold_o(hold), .wr_valid_o(t_wr_valid_o),
    .wr_warp_o(t_wr_warp_o), .wr_rd_o(t_wr_rd_o), .wr_mask_o(t_wr_mask_o), .wr_data_o(t_wr_data_o)
  );

  assign t_valid_o       = x_first;
  assign t_warp_o        = x_warp;
  assign t_pc_o          = x_pc;
  assign t_ir_o          = x_ir;
  assign t_mask_o        = x_mask;
  assign live_o          = live;
  assign at_bar_o        = at_bar;
  assign mem_busy_o      = mem_busy;
endmodule
`default_nettype wire
