// SPDX-License-Identifier: Apache-2.0
// gmmu_axil: AXI4-Lite slave in front of registers: one write strobe, one read, at most one of each
// in two cycles.
//
// A write takes place when address and data are both there, a read in the cycle after its
// handshake; the answer is valid one cycle later. Ready signals come from registers. AddrW bits of
// the address are looked at. docs/regs.md
`default_nettype none
module gmmu_axil #(
  parameter int AddrW = 13
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             awvalid_i,
  output logic             awready_o,
  input  logic [AddrW-1:0] awaddr_i,
  input  logic             wvalid_i,
  output logic             wready_o,
  input  logic [31:0]      wdata_i,
  input  logic [3:0]       wstrb_i,
  output logic             bvalid_o,
  input  logic             bready_i,
  output logic [1:0]       bresp_o,
  input  logic             arvalid_i,
  output logic             arready_o,
  input  logic [AddrW-1:0] araddr_i,
  output logic             rvalid_o,
  input  logic             rready_i,
  output logic [31:0]      rdata_o,
  output logic [1:0]       rresp_o,
  // registers: answers are combinational
  output logic             we_o,
  output logic [AddrW-1:0] waddr_o,
  output logic [31:0]      wdata_o,
  output logic [31:0]      wmask_o,
  input  logic             werr_i,     // no such register
  output logic [AddrW-1:0] raddr_o,
  input  logic [31:0]      rdata_i,
  input  logic             rerr_i
);
  logic aw_held_q, w_held_q, b_valid_q, ar_held_q, r_valid_q;
  assign awready_o = !aw_held_q;
  assign wready_o  = !w_held_q;
  assign bvalid_o  = b_valid_q;
  assign arready_o = !ar_held_q & !r_valid_q;
  assign rvalid_o  = r_valid_q;
  assign we_o      = aw_held_q & w_held_q & !b_valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      b_valid_q <= 1'b0;
      ar_held_q <= 1'b0;
      r_valid_q <= 1'b0;
    end else begin
      aw_held_q <= aw_held_q ? !we_o : awvalid_i;
      w_held_q  <= w_held_q ? !we_o : wvalid_i;
      b_valid_q <= b_valid_q ? !bready_i : we_o;
      ar_held_q <= arvalid_i & arready_o;
      r_valid_q <= r_valid_q ? !rready_i : ar_held_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!aw_held_q) waddr_o <= awaddr_i;
    if (!w_held_q) begin
      wdata_o <= wdata_i;
      wmask_o <= {{8{wstrb_i[3]}}, {8{wstrb_i[2]}}, {8{wstrb_i[1]}}, {8{wstrb_i[0]}}};
    end
    if (we_o) bresp_o <= werr_i ? 2'b10 : 2'b00;
    if (arready_o) raddr_o <= araddr_i;
    if (ar_held_q) begin
      rdata_o <= rdata_i;
      rresp_o <= rerr_i ? 2'b10 : 2'b00;
    end
  end
endmodule
`default_nettype wire
