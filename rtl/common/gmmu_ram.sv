// SPDX-License-Identifier: Apache-2.0
// gmmu_ram: one write port, one synchronous read port; the place to put a macro.
//
// rdata_o holds the word read in the last cycle with re_i=1. A read of the word that is written in
// the same cycle gives the old word in simulation and is undefined in hardware (no_rw_check):
// callers forward, or never do it. Not reset. Legal: Depth >= 1.
// With GMMU_GATE_BITS, a memory of fewer bits is words behind clock gates (docs/synthesis.md).
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
`ifdef GMMU_GATE_BITS
  localparam int InGates = 32'(Width * Depth < `GMMU_GATE_BITS);
`else
  localparam int InGates = 0;
`endif
  if (InGates != 0) begin : gen_gates
    logic [Depth*Width-1:0] words;
    for (genvar i = 0; i < Depth; i++) begin : gen_word
      gmmu_clkgate #(.Width(Width)) u_word (
        .clk_i, .en_i(we_i & waddr_i == AddrW'(i)), .d_i(wdata_i), .q_o(words[i*Width +: Width])
      );
    end
    gmmu_clkgate #(.Width(Width)) u_read (
      .clk_i, .en_i(re_i), .d_i(words[raddr_i*Width +: Width]), .q_o(rdata_o)
    );
  end else begin : gen_memory
    (* no_rw_check *)
    logic [Width-1:0] mem [0:Depth-1];
`ifdef VERILATOR      // read first, so that the write needs no copy that is stored later
    /* verilator lint_off BLKSEQ */
    always_ff @(posedge clk_i) begin
      if (re_i) rdata_o <= mem[raddr_i];
      if (we_i) mem[waddr_i] = wdata_i;
    end
    /* verilator lint_on BLKSEQ */
`else
    always_ff @(posedge clk_i) begin
      if (we_i) mem[waddr_i] <= wdata_i;
      if (re_i) rdata_o <= mem[raddr_i];
    end
`endif
  end
endmodule
`default_nettype wire
