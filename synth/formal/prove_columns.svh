// SPDX-License-Identifier: Apache-2.0
// prove_columns.svh: a queue of at most four columns of a bank group of the DRAM, the oldest
// lowest in queue_q, n_q of them: what dram_columns proves of gmmu_dram_columns, and dram_stands
// has in its place. Included where put, second, go, put_column_i, second_column_i and Width are.

  logic [4*Width-1:0] queue_q, queue;
  logic [2:0]         n_q, n;
  always_comb begin
    queue = go ? queue_q >> Width : queue_q;
    n     = n_q - 3'(go);
    if (put) queue[n*Width +: Width] = put_column_i;
    if (second) queue[(n+1)*Width +: Width] = second_column_i;
  end
  always_ff @(posedge clk_i) begin
    queue_q <= queue;
    n_q     <= !rst_ni ? 3'd0 : n + 3'(put) + 3'(second);
  end
