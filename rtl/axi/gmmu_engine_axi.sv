// SPDX-License-Identifier: Apache-2.0
// gmmu_engine_axi: what gmmu_axi writes in memory: coalescer and page copy on command, and the
// walker's updates of PTEs, behind one AXI4 master of 64 bits. PTEs are written by gmmu_pte_write
// alone. docs/coalescer.md, docs/page_copy.md, docs/pte_write.md
//
// A splintered frame is invalidated; with a page walk cache, coalescing flushes that with an
// invalidation of no page: inv_valid_o asks for it, and the command has then ended when that has.
// Else ends_o says so. No PTE is read or written while a page is copied.
`default_nettype none
module gmmu_engine_axi #(
`include "gmmu_axi_params.svh"
  localparam int PfnW = PaW - 12,
  localparam int CmdW = gmmu_pkg::cmd_w(PfnW)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // command of gmmu_regs
  input  logic                       valid_i,
  output logic                       ready_o,
  // copy page first_i to page last_i; else the frame of address first_i
  input  logic                       copy_i,
  input  logic                       splinter_i,
  input  logic [AsidW-1:0]           asid_i,
  input  logic [CmdW-1:0]            first_i,
  input  logic [CmdW-1:0]            last_i,
  output logic                       done_o,      // pulse
  output logic [2:0]                 result_o,
  output logic                       ends_o,      // done, and nothing is invalidated
  output logic                       inv_valid_o,
  input  logic                       inv_ready_i,
  output logic                       inv_empty_o, // ... of no page
  // the walker's updates (Svadu=1): docs/pte_write.md
  input  logic                       up_valid_i,
  input  logic [PaW-1:0]             up_addr_i,
  input  logic [63:0]                up_old_i,
  input  logic [63:0]                up_new_i,
  output logic                       up_done_o,
  output logic                       up_err_o,
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
  output logic                       awlock_o,
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
  output logic                       arlock_o,
  input  logic                       rvalid_i,
  output logic                       rready_o,
  input  logic [63:0]                rdata_i,
  input  logic [1:0]                 rresp_i
);
  localparam int CopyBeats = 32;
  localparam int BusW      = 3 + 2 * PaW + 65;   // valids, addresses, data of a master

  logic            co_ready, co_done, cp_ready, cp_done, follow, inv_q, unused_pte, unused_copy;
  logic [2:0]      co_result, cp_result;
  logic [BusW-1:0] pte_bus, cp_bus;
  logic            pte_busy, pte_hold, awlock, arlock;
  logic            co_req, co_update, co_co, co_one, co_taken, co_answer, co_err;
  logic [PaW-1:0]  co_addr;
  logic [63:0]     co_rdata;

  // What is not built is never done: it asks for nothing, and its part of the bus is 0.
  if (Coalescer != 0) begin : gen_coalescer
    gmmu_coalescer #(
      .NumAsids(NumAsids), .AsidW(AsidW), .PfnW(PfnW), .VaW(VaW), .NumWindows(NumWindows),
      .FrameBitsInRsw(FrameBitsInRsw)
    ) u_coalescer (
      .clk_i, .rst_ni, .valid_i(valid_i & !copy_i), .ready_o(co_ready), .splinter_i, .asid_i,
      .lfn_i(first_i[35:9]),
      .done_o(co_done), .result_o(co_result), .ctx_root_i, .ctx_mode_i, .ctx_ext_i, .win_lo_i,
      .win_hi_i, .win_walk_i,
      .req_valid_o(co_req), .req_ready_i(co_taken), .req_update_o(co_update), .req_addr_o(co_addr),
      .req_co_o(co_co), .req_one_o(co_one), .rsp_valid_i(co_answer), .rsp_rdata_i(co_rdata),
      .rsp_err_i(co_err)
    );
  end else begin : gen_no_coalescer
    logic unused_coalescer;
    assign {co_ready, co_done, co_result, co_req, co_update, co_addr, co_co, co_one} = '0;
    assign unused_coalescer = ^{splinter_i, asid_i, ctx_root_i, ctx_mode_i, ctx_ext_i, win_walk_i,
        co_taken, co_answer, co_err, co_rdata};
  end
  // PTEs are written for the coalescer and for the walker (A and D).
  if (Coalescer != 0 || Svadu != 0) begin : gen_pte_write
    logic           awvalid, wvalid, arvalid, bready, rready;
    logic [PaW-1:0] awaddr, araddr;
    logic [63:0]    wdata;
    gmmu_pte_write #(.PaW(PaW), .PteExclusive(PteExclusive),
        .CoBit(FrameBitsInRsw != 0 ? 8 : 63)) u_pte_write (
      .clk_i, .rst_ni, .hold_i(pte_hold), .busy_o(pte_busy), .co_valid_i(co_req),
      .co_ready_o(co_taken), .co_update_i(co_update),
      .co_addr_i(co_addr), .co_co_i(co_co), .co_one_i(co_one), .co_rsp_valid_o(co_answer),
      .co_rsp_rdata_o(co_rdata),
      .co_rsp_err_o(co_err), .up_valid_i, .up_addr_i, .up_old_i, .up_new_i, .up_done_o, .up_err_o,
      .awvalid_o(awvalid), .awready_i, .awaddr_o(awaddr), .awlock_o(awlock), .wvalid_o(wvalid),
      .wready_i, .wdata_o(wdata), .bvalid_i,
      .bready_o(bready), .bresp_i, .arvalid_o(arvalid), .arready_i, .araddr_o(araddr),
      .arlock_o(arlock), .rvalid_i, .rready_o(rready),
      .rdata_i, .rresp_i
    );
    assign pte_bus    = {awvalid, wvalid, arvalid, awaddr, araddr, wdata, 1'b1};
    assign unused_pte = ^{bready, rready};
  end else begin : gen_no_pte_write
    assign {pte_busy, co_taken, co_answer, co_err, co_rdata, up_done_o, up_err_o, awlock, arlock,
        pte_bus} = '0;
    assign unused_pte = ^{pte_hold, co_req, co_update, co_addr, co_co, co_one, up_valid_i,
        up_addr_i, up_old_i, up_new_i};
  end
  // Not offered while a PTE is on its way: the two would share the answers of one bus.
  if (PageCopy != 0) begin : gen_page_copy
    logic           awvalid, wvalid, arvalid, wlast, bready, rready;
    logic [PaW-1:0] awaddr, araddr;
    logic [63:0]    wdata;
    gmmu_page_copy #(.PfnW(PfnW), .NumWindows(NumWindows), .BurstBeats(CopyBeats)) u_page_copy (
      .clk_i, .rst_ni, .valid_i(valid_i & copy_i & !pte_busy), .ready_o(cp_ready), .from_i(first_i),
      .to_i(last_i), .done_o(cp_done),
      .result_o(cp_result), .win_lo_i, .win_hi_i, .win_data_i, .awvalid_o(awvalid), .awready_i,
      .awaddr_o(awaddr),
      .wvalid_o(wvalid), .wready_i, .wdata_o(wdata), .wlast_o(wlast), .bvalid_i, .bready_o(bready),
      .bresp_i, .arvalid_o(arvalid),
      .arready_i, .araddr_o(araddr), .rvalid_i, .rready_o(rready), .rdata_i, .rresp_i
    );
    assign cp_bus        = {awvalid, wvalid, arvalid, awaddr, araddr, wdata, wlast};
    assign unused_copy = ^{bready, rready};
  end else begin : gen_no_page_copy
    assign {cp_done, cp_result, cp_bus} = '0;
    assign cp_ready    = 1'b1;
    assign unused_copy = ^{first_i, last_i, win_data_i, bresp_i, rdata_i, rresp_i};
  end

  // A copy begins when no PTE is on its way, and then has the bus until it has ended.
  logic copying;
  assign copying  = !cp_ready;
  assign pte_hold = copying | (valid_i & copy_i);
  assign {awvalid_o, wvalid_o, arvalid_o, awaddr_o, araddr_o, wdata_o, wlast_o} =
      copying ? cp_bus : pte_bus;
  assign awlen_o  = copying ? 8'(CopyBeats - 1) : 8'd0;
  assign arlen_o  = awlen_o;
  assign awlock_o = awlock & !copying;
  assign arlock_o = arlock & !copying;
  assign bready_o = 1'b1;
  assign rready_o = 1'b1;
  assign ready_o  = copy_i ? PageCopy != 0 & cp_ready & !pte_busy : co_ready;
  assign done_o   = co_done | cp_done;
  assign result_o = cp_done ? cp_result : co_result;

  assign follow      = co_done & co_result == 3'd0 & (splinter_i | PwcEntries != 0);
  assign ends_o      = done_o & !follow;
  assign inv_valid_o = inv_q;
  assign inv_empty_o = inv_q & !splinter_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) inv_q <= 1'b0;
    else inv_q <= follow | (inv_q & !inv_ready_i);
  end
endmodule
`default_nettype wire
