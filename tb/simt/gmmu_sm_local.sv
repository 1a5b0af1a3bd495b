// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_local: local memory of the lanes, one RAM for each lane, word addresses {warp, word}.
// Read: data in the next cycle, kept until the next read. Write under a mask of lanes and one of
// bytes for each lane. 0 at configuration.
`default_nettype none
module gmmu_sm_local #(
  parameter int Lanes = 32,
  parameter int Words = 8192,          // of a lane, all warps
  localparam int AddrW = $clog2(Words)
) (
  input  logic                   clk_i,
  input  logic                   re_i,
  input  logic                   we_i,
  input  logic [Lanes-1:0]       mask_i,
  input  logic [Lanes*AddrW-1:0] addr_i,
  input  logic [Lanes*4-1:0]     strb_i,
  input  logic [Lanes*32-1:0]    wdata_i,
  output logic [Lanes*32-1:0]    rdata_o
);
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    (* no_rw_check *)
    logic [31:0]      mem [0:Words-1];
    logic [31:0]      word_q;
    logic [AddrW-1:0] at;
    assign at = addr_i[l*AddrW +: AddrW];
    assign rdata_o[l*32 +: 32] = word_q;
    initial begin
      for (int i = 0; i < Words; i++) mem[i] = 32'd0;
    end
    always @(posedge clk_i) begin   // not always_ff: initial writes it too
      if (we_i && mask_i[l]) begin
        for (int b = 0; b < 4; b++) if (strb_i[l*4 + b]) mem[at][b*8 +: 8] <=
            wdata_i[l*32 + b*8 +: 8];
      end
      if (re_i) word_q <= mem[at];
    end
  end
endmodule
`default_nettype wire
