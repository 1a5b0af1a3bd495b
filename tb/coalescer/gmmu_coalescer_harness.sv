// SPDX-License-Identifier: Apache-2.0
// gmmu_coalescer_harness: gmmu_coalescer and the unit that writes PTEs for it and for the walker,
// for tb/coalescer/coalescer_bench.cpp, with what goes on between the two.
`default_nettype none
module gmmu_coalescer_harness #(
  parameter int NumAsids       = 4,
  parameter int AsidW          = 3,
  parameter int PfnW           = 36,
  parameter int VaW            = 48,
  parameter int NumWindows     = 3,
  parameter int FrameBitsInRsw = 0,
  parameter int PteExclusive   = 0,
  localparam int PaW = PfnW + 12
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // commands
  input  logic                       valid_i,
  output logic                       ready_o,
  input  logic                       splinter_i,
  input  logic [AsidW-1:0]           asid_i,
  input  logic [26:0]                lfn_i,
  output logic                       done_o,
  output logic [2:0]                 result_o,
  // contexts and windows
  input  logic [NumAsids*PfnW-1:0]   ctx_root_i,
  input  logic [NumAsids*2-1:0]      ctx_mode_i,
  input  logic [NumAsids-1:0]        ctx_ext_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i,
  // between the coalescer and the unit
  output logic                       co_valid_o,
  output logic                       co_ready_o,
  output logic                       co_update_o,
  output logic [PaW-1:0]             co_addr_o,
  output logic                       co_co_o,
  output logic                       co_one_o,
  output logic                       co_rsp_valid_o,
  output logic [63:0]                co_rsp_rdata_o,
  output logic                       co_rsp_err_o,
  // the walker's updates
  input  logic                       hold_i,
  output logic                       busy_o,
  input  logic                       up_valid_i,
  input  logic [PaW-1:0]             up_addr_i,
  input  logic [63:0]                up_old_i,
  input  logic [63:0]                up_new_i,
  output logic                       up_done_o,
  output logic                       up_err_o,
  // AXI4
  output logic                       awvalid_o,
  input  logic                       awready_i,
  output logic [PaW-1:0]             awaddr_o,
  output logic                       awlock_o,
  output logic                       wvalid_o,
  input  logic                       wready_i,
  output logic [63:0]                wdata_o,
  input  logic                       bvalid_i,
  output logic                       bready_o,
  input  logic [1:0]                 bresp_i,
  output logic                       arvalid_o,
  input  logic                       arready_i,
  output logic [PaW-1:0]             araddr_o,
  output logic                       arlock_o,
  input  logic                       rvalid_i,
  output logic                       rready_o,
  input  logic [63:0]                rdata_i,
  input  logic [1:0]                 rresp_i
);
  gmmu_coalescer #(.NumAsids(NumAsids), .AsidW(AsidW), .PfnW(PfnW), .VaW(VaW),
      .NumWindows(NumWindows), .FrameBitsInRsw(FrameBitsInRsw)) u_coalescer (
    .clk_i, .rst_ni, .valid_i, .ready_o, .splinter_i, .asid_i, .lfn_i, .done_o, .result_o,
    .ctx_root_i, .ctx_mode_i, .ctx_ext_i, .win_lo_i, .win_hi_i, .win_walk_i,
    .req_valid_o(co_valid_o), .req_ready_i(co_ready_o), .req_update_o(co_update_o),
    .req_addr_o(co_addr_o), .req_co_o(co_co_o), .req_one_o(co_one_o),
    .rsp_valid_i(co_rsp_valid_o), .rsp_rdata_i(co_rsp_rdata_o), .rsp_err_i(co_rsp_err_o)
  );
  gmmu_pte_write #(.PaW(PaW), .PteExclusive(PteExclusive),
      .CoBit(FrameBitsInRsw != 0 ? 8 : 63)) u_write (
    .clk_i, .rst_ni, .hold_i, .busy_o, .co_valid_i(co_valid_o), .co_ready_o,
    .co_update_i(co_update_o), .co_addr_i(co_addr_o), .co_co_i(co_co_o),
    .co_one_i(co_one_o), .co_rsp_valid_o, .co_rsp_rdata_o, .co_rsp_err_o,
    .up_valid_i, .up_addr_i, .up_old_i, .up_new_i, .up_done_o, .up_err_o,
    .awvalid_o, .awready_i, .awaddr_o, .awlock_o, .wvalid_o, .wready_i, .wdata_o,
    .bvalid_i, .bready_o, .bresp_i, .arvalid_o, .arready_i, .araddr_o, .arlock_o,
    .rvalid_i, .rready_o, .rdata_i, .rresp_i
  );
endmodule
`default_nettype wire
