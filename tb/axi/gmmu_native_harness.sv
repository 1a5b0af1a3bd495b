// SPDX-License-Identifier: Apache-2.0
// gmmu_native_harness: gmmu_axi with three native ports and no traffic on its AXI port, for
// native_bench.cpp: clients at native ports 0 and 1, gmmu_page_merge with its client (g_*) at port
// 2. The other ports are those of gmmu_axi.
`default_nettype none
module gmmu_native_harness #(
  parameter int Lanes = 4,
  parameter int Parts = 0,
  localparam int PaW = 32,
  localparam int AsidW = 4,
  localparam int WarpW = 4,
  localparam int TagW = 4,
  localparam int WalkIdW = 2,
  localparam int WalkDataW = 64
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,
  input  logic [1:0] n_req_valid_i,
  output logic [1:0] n_req_ready_o,
  input  logic [2*64-1:0] n_req_va_i,
  input  logic [2*TagW-1:0] n_req_tag_i,
  output logic [1:0] n_rsp_valid_o,
  input  logic [1:0] n_rsp_ready_i,
  output logic [2*TagW-1:0] n_rsp_tag_o,
  output logic [2*PaW-1:0] n_rsp_pa_o,
  output logic [2*5-1:0] n_rsp_cause_o,
  output logic [1:0] n_drop_o,
  input  logic [1:0] n_busy_i,
  input  logic g_valid_i,
  output logic g_ready_o,
  input  logic [Lanes-1:0] g_mask_i,
  input  logic [Lanes*64-1:0] g_va_i,
  output logic g_rsp_valid_o,
  input  logic g_rsp_ready_i,
  output logic g_rsp_last_o,
  output logic [Lanes-1:0] g_rsp_mask_o,
  output logic [Lanes*PaW-1:0] g_rsp_pa_o,
  output logic [Lanes*5-1:0] g_rsp_cause_o,
  output logic g_drop_o,
`include "tb/axi/gmmu_axi_control_ports.svh"
  input  logic g_busy_i
);
  logic             q_valid, q_ready, q_user, a_valid, a_ready, drop, busy;
  logic [63:0]      q_va;
  logic [1:0]       q_access;
  logic [AsidW-1:0] q_asid;
  logic [WarpW-1:0] q_warp, unused_warp;
  logic [TagW-1:0]  q_tag, a_tag;
  logic [PaW-1:0]   a_pa;
  logic [4:0]       a_cause;
  logic [2*WarpW-1:0] unused_warps;
  gmmu_page_merge #(.Lanes(Lanes), .PaW(PaW), .AsidW(AsidW), .WarpW(WarpW), .TagW(TagW),
      .Parts(Parts)) u_merge (
    .clk_i, .rst_ni, .s_valid_i(g_valid_i), .s_ready_o(g_ready_o), .s_mask_i(g_mask_i),
    .s_va_i(g_va_i), .s_access_i(2'd0), .s_user_i(1'b1), .s_asid_i({AsidW{1'b0}}),
    .s_warp_i({WarpW{1'b0}}), .m_valid_o(g_rsp_valid_o), .m_ready_i(g_rsp_ready_i),
    .m_last_o(g_rsp_last_o), .m_mask_o(g_rsp_mask_o), .m_pa_o(g_rsp_pa_o),
    .m_cause_o(g_rsp_cause_o), .req_valid_o(q_valid), .req_ready_i(q_ready), .req_va_o(q_va),
    .req_access_o(q_access), .req_user_o(q_user), .req_asid_o(q_asid), .req_warp_o(q_warp),
    .req_tag_o(q_tag), .rsp_valid_i(a_valid), .rsp_ready_o(a_ready), .rsp_tag_i(a_tag),
    .rsp_pa_i(a_pa), .rsp_cause_i(a_cause), .drop_i(drop), .busy_o(busy), .m_drop_o(g_drop_o),
    .m_busy_i(g_busy_i)
  );
  gmmu_axi #(
    .NumPorts(1), .NumNative(3), .AxiAddrW(40), .AxiUserW(8), .NativeTagW(TagW), .FaultEntries(4),
    .NumAsids(4), .AsidW(AsidW), .VaW(39), .PaW(PaW), .WarpW(WarpW), .L1BaseEntries(4),
    .L1LargeEntries(2), .L2Entries(16), .L2Ways(4), .L2LargeEntries(2), .Walks(4), .Coalescer(0),
    .PageCopy(0)
  ) u_dut (
    .clk_i, .rst_ni, .irq_o,
`include "tb/axi/gmmu_axi_idle.svh"
`include "tb/axi/gmmu_axi_control_connect.svh"
`include "tb/axi/gmmu_axi_sched_idle.svh"
    .n_req_valid_i({q_valid, n_req_valid_i}), .n_req_ready_o({q_ready, n_req_ready_o}),
    .n_req_va_i({q_va, n_req_va_i}), .n_req_access_i({q_access, 4'd0}),
    .n_req_user_i({q_user, 2'b11}), .n_req_asid_i({q_asid, {2*AsidW{1'b0}}}),
    .n_req_warp_i({q_warp, {2*WarpW{1'b0}}}), .n_req_tag_i({q_tag, n_req_tag_i}),
    .n_rsp_valid_o({a_valid, n_rsp_valid_o}), .n_rsp_ready_i({a_ready, n_rsp_ready_i}),
    .n_rsp_warp_o({unused_warp, unused_warps}), .n_rsp_tag_o({a_tag, n_rsp_tag_o}),
    .n_rsp_pa_o({a_pa, n_rsp_pa_o}), .n_rsp_cause_o({a_cause, n_rsp_cause_o}),
    .n_drop_o({drop, n_drop_o}), .n_busy_i({busy, n_busy_i})
  );
endmodule
`default_nettype wire
