// SPDX-License-Identifier: Apache-2.0
// gmmu_engine_axi: what gmmu_axi does in memory on command: the coalescer and the page copy, one at a time, behind one AXI4 master of
// 64 bits. docs/coalescer.md, docs/page_copy.md
//
// A splintered frame is invalidated; with a page walk cache, coalescing flushes that with an invalidation of no page: inv_valid_o asks
// for it, and the command has then ended when that has. Else ends_o says so.
`default_nettype none
module gmmu_engine_axi #(
  parameter int Coalescer      = 1,
  parameter int PageCopy       = 1,
  parameter int NumAsids       = 8,
  parameter int AsidW          = 9,
  parameter int PfnW           = 36,
  parameter int VaW            = 48,
  parameter int NumWindows     = 4,
  parameter int FrameBitsInRsw = 0,
  parameter int FlushPwc       = 0,
  localparam int PaW = PfnW + 12
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // command of gmmu_regs
  input  logic                       valid_i,
  output logic                       ready_o,
  input  logic                       copy_i,      // copy page first_i to page last_i; else the frame of address first_i
  input  logic                       splinter_i,
  input  logic [AsidW-1:0]           asid_i,
  input  logic [35:0]                first_i,
  input  logic [35:0]                last_i,
  output logic                       done_o,      // pulse
  output logic [2:0]                 result_o,
  output logic                       ends_o,      // done, and nothing is invalidated
  output logic                       inv_valid_o,
  input  logic                       inv_ready_i,
  output logic                       inv_empty_o, // ... of no page
  // contexts and windows
  input  logic [NumAsids*PfnW-1:0]   ctx_root_i,
  input  logic [NumAsids*2-1:0]      ctx_mode_i,
  input  logic [NumAsids-1:0]        ctx_ext_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i,
  input  logic [NumWindows-1:0]      win_data_i,
  // AXI4 master: INCR bursts of 8-byte beats, one ID
  output logic                       awvalid_o,
  input  logic                       awready_i,
  output logic [PaW-1:0]             awaddr_o,
  output logic [7:0]                 awlen_o,
  output logic                       wvalid_o,
  input  logic                       wready_i,
  output logic [63:0]                wdata_o,
  output logic                       wlast_o,
  input  logic                       bvalid_i,
  output logic                       bready_o,
  input  logic [1:0]                 bresp_i,
  output logic                       arvalid_o,
  input  logic                       arready_i,
  output logic [PaW-1:0]             araddr_o,
  output logic [7:0]                 arlen_o,
  input  logic                       rvalid_i,
  output logic                       rready_o,
  input  logic [63:0]                rdata_i,
  input  logic [1:0]                 rresp_i
);
  localparam int CopyBeats = 32;
  localparam int BusW      = 3 + 2 * PaW + 65;   // valids, addresses, data of a master

  logic            co_ready, co_done, cp_ready, cp_done, follow, inv_q, unused_coalescer, unused_copy;
  logic [2:0]      co_result, cp_result;
  logic [BusW-1:0] co_bus, cp_bus;

  if (Coalescer != 0) begin : gen_coalescer
    logic           pte_valid, pte_ready, pte_we, pte_answer, pte_err;
    logic [PaW-1:0] pte_addr;
    logic [63:0]    pte_wdata, pte_rdata;
    logic           awvalid, wvalid, arvalid, bready, rready;
    logic [PaW-1:0] awaddr, araddr;
    logic [63:0]    wdata;
    gmmu_coalescer #(
      .NumAsids(NumAsids), .AsidW(AsidW), .PfnW(PfnW), .VaW(VaW), .NumWindows(NumWindows), .FrameBitsInRsw(FrameBitsInRsw)
    ) u_coalescer (
      .clk_i, .rst_ni, .valid_i(valid_i & !copy_i), .ready_o(co_ready), .splinter_i, .asid_i, .lfn_i(first_i[35:9]),
      .done_o(co_done), .result_o(co_result), .ctx_root_i, .ctx_mode_i, .ctx_ext_i, .win_lo_i, .win_hi_i, .win_walk_i,
      .req_valid_o(pte_valid), .req_ready_i(pte_ready), .req_we_o(pte_we), .req_addr_o(pte_addr), .req_wdata_o(pte_wdata),
      .rsp_valid_i(pte_answer), .rsp_rdata_i(pte_rdata), .rsp_err_i(pte_err)
    );
    gmmu_pte_axi #(.PaW(PaW)) u_pte_axi (
      .clk_i, .rst_ni, .req_valid_i(pte_valid), .req_ready_o(pte_ready), .req_we_i(pte_we), .req_addr_i(pte_addr),
      .req_wdata_i(pte_wdata), .rsp_valid_o(pte_answer), .rsp_rdata_o(pte_rdata), .rsp_err_o(pte_err), .awvalid_o(awvalid),
      .awready_i, .awaddr_o(awaddr), .wvalid_o(wvalid), .wready_i, .wdata_o(wdata), .bvalid_i, .bready_o(bready), .bresp_i,
      .arvalid_o(arvalid), .arready_i, .araddr_o(araddr), .rvalid_i, .rready_o(rready), .rdata_i, .rresp_i
    );
    assign co_bus        = {awvalid, wvalid, arvalid, awaddr, araddr, wdata, 1'b1};
    assign unused_coalescer = ^{bready, rready};
  end else begin : gen_no_coalescer
    assign {co_ready, co_done, co_result, co_bus} = '0;
    assign unused_coalescer = ^{splinter_i, asid_i, ctx_root_i, ctx_mode_i, ctx_ext_i, win_walk_i};
  end
  if (PageCopy != 0) begin : gen_page_copy
    logic           awvalid, wvalid, arvalid, wlast, bready, rready;
    logic [PaW-1:0] awaddr, araddr;
    logic [63:0]    wdata;
    gmmu_page_copy #(.PfnW(PfnW), .NumWindows(NumWindows), .BurstBeats(CopyBeats)) u_page_copy (
      .clk_i, .rst_ni, .valid_i(valid_i & copy_i), .ready_o(cp_ready), .from_i(first_i), .to_i(last_i), .done_o(cp_done),
      .result_o(cp_result), .win_lo_i, .win_hi_i, .win_data_i, .awvalid_o(awvalid), .awready_i, .awaddr_o(awaddr),
      .wvalid_o(wvalid), .wready_i, .wdata_o(wdata), .wlast_o(wlast), .bvalid_i, .bready_o(bready), .bresp_i, .arvalid_o(arvalid),
      .arready_i, .araddr_o(araddr), .rvalid_i, .rready_o(rready), .rdata_i, .rresp_i
    );
    assign cp_bus        = {awvalid, wvalid, arvalid, awaddr, araddr, wdata, wlast};
    assign unused_copy = ^{bready, rready};
  end else begin : gen_no_page_copy
    assign {cp_ready, cp_done, cp_result, cp_bus} = '0;
    assign unused_copy = ^{first_i, last_i, win_data_i, bresp_i, rdata_i, rresp_i};
  end

  // The command register names the engine until the command has ended.
  assign {awvalid_o, wvalid_o, arvalid_o, awaddr_o, araddr_o, wdata_o, wlast_o} = copy_i ? cp_bus : co_bus;
  assign awlen_o  = copy_i ? 8'(CopyBeats - 1) : 8'd0;
  assign arlen_o  = awlen_o;
  assign bready_o = 1'b1;
  assign rready_o = 1'b1;
  assign ready_o  = copy_i ? cp_ready : co_ready;
  assign done_o   = co_done | cp_done;
  assign result_o = cp_done ? cp_result : co_result;

  assign follow      = co_done & co_result == 3'd0 & (splinter_i | FlushPwc != 0);
  assign ends_o      = done_o & !follow;
  assign inv_valid_o = inv_q;
  assign inv_empty_o = inv_q & !splinter_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) inv_q <= 1'b0;
    else inv_q <= follow | (inv_q & !inv_ready_i);
  end
endmodule
`default_nettype wire
