// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_extract: what the lanes of a load get: word word_i of each from a 64-byte line (or from a
// word of its own), shifted down and extended. No state. off_i: offset in the line, 6 bits a lane.
// size_i: log2 of bytes; unsigned_i: no sign.
`default_nettype none
module gmmu_sm_extract #(
  parameter int Lanes = 32
) (
  input  logic                en_i,
  input  logic                own_i,      // words_i instead of line_i
  input  logic [511:0]        line_i,
  input  logic [Lanes*32-1:0] words_i,
  input  logic [Lanes*6-1:0]  off_i,
  input  logic [1:0]          word_i,
  input  logic [2:0]          size_i,
  input  logic                unsigned_i,
  output logic [Lanes*32-1:0] data_o
);
  always_comb begin : extract
    logic [5:0]  at;
    logic [31:0] w;
    data_o = '0;
    at     = '0;
    w      = '0;
    if (en_i) begin
      for (int l = 0; l < Lanes; l++) begin
        at = off_i[l*6 +: 6];
        w  = own_i ? words_i[l*32 +: 32] : line_i[{at[5:2] + 4'(word_i), 5'd0} +: 32];
        if (!size_i[2] && !size_i[1]) begin
          w = w >> {at[1:0], 3'd0};
          if (size_i[0]) w = {{16{w[15] && !unsigned_i}}, w[15:0]};
          else w = {{24{w[7] && !unsigned_i}}, w[7:0]};
        end
        data_o[l*32 +: 32] = w;
      end
    end
  end
endmodule
`default_nettype wire
