// SPDX-License-Identifier: Apache-2.0
// gmmu_hot_mux: the word that a one-hot vector names, 0 if it names none. Combinational. Legal: N,
// Width >= 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_hot_mux #(
  parameter int N     = 32,
  parameter int Width = 8
) (
  input  logic [N-1:0]       hot_i,
  input  logic [N*Width-1:0] words_i,
  output logic [Width-1:0]   word_o
);
  always_comb begin
    word_o = '0;
    if (`GMMU_ANY(hot_i)) begin
      for (int i = 0; i < N; i++) if (hot_i[i]) word_o = word_o | words_i[i*Width +: Width];
    end
  end
endmodule
`default_nettype wire
