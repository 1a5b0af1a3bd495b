// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_scratch: the scratchpad of all blocks: lines of 64 bytes, one read or one write under a
// byte mask a cycle. Read: data in the next cycle, kept until the next read. 0 at configuration.
`default_nettype none
module gmmu_sm_scratch #(
  parameter int Lines  = 256,
  localparam int AddrW = Lines > 1 ? $clog2(Lines) : 1
) (
  input  logic             clk_i,
  input  logic             re_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] addr_i,
  input  logic [63:0]      strb_i,
  input  logic [511:0]     wdata_i,
  output logic [511:0]     rdata_o
);
  (* no_rw_check *)
  logic [511:0] mem [0:Lines-1];
  initial begin
    for (int i = 0; i < Lines; i++) mem[i] = 512'd0;
  end
  always @(posedge clk_i) begin   // not always_ff: initial writes it too
    if (we_i) begin
      for (int b = 0; b < 64; b++) if (strb_i[b]) mem[addr_i][b*8 +: 8] <= wdata_i[b*8 +: 8];
    end
    if (re_i) rdata_o <= mem[addr_i];
  end
endmodule
`default_nettype wire
