// SPDX-License-Identifier: Apache-2.0
// gmmu_hot_mux: the word that a one-hot vector names; if it names none, 0, with GMMU_FPGA any.
// Combinational. Legal: N, Width >= 1.
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
  if (gmmu_pkg::FPGA != 0) begin : gen_number
    // By the number, in pairs: half of the LUTs of an AND and an OR for each word.
    localparam int IdxW = gmmu_pkg::idx_w(N);
    localparam int All  = 1 << IdxW;
    logic [IdxW-1:0]      idx;
    logic [All*Width-1:0] left;     // words that the number's bits so far leave
    always_comb begin
      idx  = '0;
      left = (All*Width)'(words_i);
      for (int i = 0; i < N; i++) if (hot_i[i]) idx = idx | IdxW'(i);
      for (int b = 0; b < IdxW; b++) begin
        for (int i = 0; i < All / 2; i++) begin
          if (2 * i + 1 < All >> b)
            left[i*Width +: Width] = idx[b] ? left[(2*i+1)*Width +: Width]
                                            : left[2*i*Width +: Width];
        end
      end
      word_o = left[Width-1:0];
    end
  end else begin : gen_hot
    always_comb begin
      word_o = '0;
      if (`GMMU_ANY(hot_i)) begin
        for (int i = 0; i < N; i++) if (hot_i[i]) word_o = word_o | words_i[i*Width +: Width];
      end
    end
  end
endmodule
`default_nettype wire
