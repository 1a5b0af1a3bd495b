// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_mask: as gmmu_ram (one write port, one synchronous read port), with a write mask of one
// bit per bit. Replaceable by a macro.
//
// A word that is written must not be read in the same cycle. Not reset. Legal: Width >= 1,
// Depth >= 2.
`default_nettype none
module gmmu_ram_mask #(
  parameter int Width  = 32,
  parameter int Depth  = 16,
  localparam int AddrW = gmmu_pkg::idx_w(Depth)
) (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wmask_i,
  input  logic [Width-1:0] wdata_i,
  input  logic             re_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);
  (* no_rw_check *)
  logic [Width-1:0] mem [0:Depth-1];
`ifdef VERILATOR      // one write of a word, not one for each bit
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= mem[raddr_i];
    if (we_i) mem[waddr_i] = (mem[waddr_i] & ~wmask_i) | (wdata_i & wmask_i);
  end
  /* verilator lint_on BLKSEQ */
`else
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Width; i++) begin
      if (we_i & wmask_i[i]) mem[waddr_i][i] <= wdata_i[i];
    end
    if (re_i) rdata_o <= mem[raddr_i];
  end
`endif
endmodule
`default_nettype wire
