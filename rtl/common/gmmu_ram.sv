// SPDX-License-Identifier: Apache-2.0
// gmmu_ram: one write port, one synchronous read port; the place to put a macro.
//
// rdata_o holds the word read in the last cycle with re_i=1. A read of the word that is written in
// the same cycle gives the old word in simulation and is undefined in hardware (no_rw_check):
// callers forward, or never do it. Not reset. Legal: Depth >= 1.
`default_nettype none
module gmmu_ram #(
  parameter int Width  = 8,
  parameter int Depth  = 16,
  localparam int AddrW = gmmu_pkg::idx_w(Depth)
) (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,
  input  logic             re_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);
  (* no_rw_check *)
  logic [Width-1:0] mem [0:Depth-1];
  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    if (re_i) rdata_o <= mem[raddr_i];
  end
endmodule
`default_nettype wire
