// SPDX-License-Identifier: Apache-2.0
// gmmu_system_harness: gmmu_top over gmmu_memory, small, for tb/memory/system_bench.cpp. Two SMs,
// two address spaces, Sv39,
// 56 bits of physical address in two channels of two banks.
`default_nettype none
module gmmu_system_harness #(
  parameter bit Linear = 1'b0,             // no hashes, and a page lies in one channel
  localparam int PaW   = 56,
  localparam int PfnW  = PaW - 12,
  localparam int LineW = PaW - 7 - 2,      // of a line in its bank
  localparam int RowW  = PaW - 1 - 6 - 9
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [1:0]        req_valid_i,
  output logic [1:0]        req_ready_o,
  input  logic [127:0]      req_va_i,
  input  logic [3:0]        req_access_i,
  input  logic [1:0]        req_asid_i,
  input  logic [7:0]        req_tag_i,
  output logic [1:0]        rsp_valid_o,
  output logic [7:0]        rsp_tag_o,
  output logic [2*PaW-1:0]  rsp_pa_o,
  output logic [9:0]        rsp_cause_o,
  input  logic [2*PfnW-1:0] ctx_root_i,
  // data: {channel, bank}
  input  logic [3:0]        d_valid_i,
  output logic [3:0]        d_ready_o,
  input  logic [4*LineW-1:0] d_line_i,
  input  logic [3:0]        d_we_i,
  input  logic [511:0]      d_mask_i,
  input  logic [4095:0]     d_wdata_i,
  input  logic [3:0]        d_app_i,
  input  logic [31:0]       d_id_i,
  output logic [3:0]        d_rsp_valid_o,
  input  logic [3:0]        d_rsp_ready_i,
  output logic [31:0]       d_rsp_id_o,
  output logic [4095:0]     d_rsp_data_o,
  output logic [5:0]        cmd_o,
  output logic [5:0]        bank_o,
  output logic [11:0]       col_o,
  output logic [1:0]        ap_o,
  output logic [3:0]        also_o,
  output logic [5:0]        also_bank_o,
  output logic [2*RowW-1:0] row_o,
  output logic [3:0]        ticks_o,
  output logic [1023:0]     wdata_o,
  output logic [127:0]      wmask_o,
  input  logic [1023:0]     rdata_i,
  output logic              pte_read_o,
  output logic [2:0]        pte_depth_o,
  // what the banks say to the bypass decision, and what comes of it
  output logic              epoch_o,
  output logic [3:0]        access_o,
  output logic [3:0]        hit_o,
  output logic [11:0]       depth_o,
  output logic [7:0]        bypass_o
);
  logic           epoch, pte_valid, pte_ready, pte_rsp_valid;
  logic [PaW-1:0] pte_addr;
  logic [1:0]     pte_id, pte_rsp_id;
  logic [2:0]     pte_depth;
  logic [63:0]    pte_data;
  logic [7:0]     misses;
  assign pte_read_o = pte_valid && pte_ready;
  assign pte_depth_o = pte_depth;
  assign epoch_o    = epoch;
  assign access_o   = u_memory.access;
  assign hit_o      = u_memory.hit;
  assign depth_o    = u_memory.depth;
  gmmu_top #(
    .NumSms(2), .NumAsids(2), .AsidW(1), .VaW(39), .PaW(PaW), .TagW(4), .WarpW(1),
    .L1BaseEntries(4), .L1LargeEntries(0), .L1Mshrs(4), .L2Entries(16), .L2Ways(4),
    .L2LargeEntries(0), .L2Latency(4), .L2Mshrs(8), .Walks(4), .NumWindows(1), .Obs(0)
  ) u_mmu (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_va_i, .req_access_i, .req_user_i(2'b11),
    .req_asid_i, .req_warp_i(2'b00), .req_tag_i, .rsp_valid_o, .rsp_ready_i(2'b11), .rsp_tag_o,
    .rsp_pa_o, .rsp_cause_o, .rsp_large_o(), .mem_req_valid_o(pte_valid),
    .mem_req_ready_i(pte_ready), .mem_req_addr_o(pte_addr), .mem_req_id_o(pte_id),
    .mem_req_depth_o(pte_depth), .mem_req_upd_o(), .mem_req_old_o(), .mem_req_new_o(),
    .mem_rsp_valid_i(pte_rsp_valid), .mem_rsp_id_i(pte_rsp_id), .mem_rsp_data_i(pte_data),
    .mem_rsp_err_i(1'b0), .inv_valid_i(1'b0), .inv_ready_o(), .inv_kind_i(2'd0), .inv_asid_i(1'b0),
    .inv_lo_i(36'd0), .inv_hi_i(36'd0), .inv_done_o(), .ctx_root_i,
    .ctx_mode_i({2{gmmu_pkg::MODE_SV39}}), .ctx_ext_i(2'b00), .ctx_sum_i(2'b00), .ctx_mxr_i(2'b00),
    .win_lo_i({PfnW{1'b0}}), .win_hi_i({PfnW{1'b1}}), .win_walk_i(1'b1), .win_data_i(1'b1),
    .epoch_cycles_i(32'd5000), .epoch_o(epoch), .token_free_i(1'b0),
    .token_start_i(gmmu_pkg::TOKEN_START), .token_step_i(gmmu_pkg::TOKEN_STEP),
    .token_points_i(gmmu_pkg::TOKEN_POINTS), .app_misses_o(misses),
    .count_l1_look_o(), .count_l1_hit_o(), .count_l2_look_o(),
    .count_l2_hit_o(), .count_walk_o(), .count_l1_parity_o(), .count_l2_parity_o(), .obs_l1_o(),
    .obs_l2_o(),
    .obs_walk_o(), .obs_token_o()
  );
  gmmu_memory #(
    .PaW(PaW), .ChannelBits(1), .BankBits(1), .Sets(4), .Ways(2), .Mshrs(4), .AnswerSlots(6),
    .Latency(5), .GoldenEntries(2), .SilverEntries(4), .NormalEntries(8), .NumApps(2), .WalkIdW(2),
    .DIdW(8), .TickRatio(26889), .ByPage(Linear), .Linear(Linear)
  ) u_memory (
    .clk_i, .rst_ni, .pte_valid_i(pte_valid), .pte_ready_o(pte_ready), .pte_addr_i(pte_addr),
    .pte_id_i(pte_id), .pte_depth_i(pte_depth), .pte_rsp_valid_o(pte_rsp_valid),
    .pte_rsp_id_o(pte_rsp_id), .pte_rsp_data_o(pte_data), .d_valid_i, .d_ready_o, .d_line_i,
    .d_we_i, .d_mask_i, .d_wdata_i, .d_app_i, .d_id_i, .d_rsp_valid_o, .d_rsp_ready_i, .d_rsp_id_o,
    .d_rsp_data_o, .apps_i(2'd2), .quota_max_i(gmmu_pkg::QUOTA_MAX),
    .turn_timeout_i(gmmu_pkg::TURN_TIMEOUT), .age_cap_i(16'd1024), .epoch_i(epoch),
    .con_i({2'd0, misses[7:4], 2'd0, misses[3:0]}), .warps_i({6'd1, 6'd1}), .cmd_o, .bank_o, .col_o,
    .ap_o, .also_o, .also_bank_o, .row_o, .ticks_o, .wdata_o, .wmask_o, .rdata_i, .bypass_o
  );
endmodule
`default_nettype wire
