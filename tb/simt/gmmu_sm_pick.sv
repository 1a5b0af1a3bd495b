// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_pick: the first request at or after a pointer, wrapping round (From = 0: from the
// lowest). No state. Legal: N a power of two, 1..256.
`default_nettype none
module gmmu_sm_pick #(
  parameter int N    = 32,
  localparam int W   = N > 1 ? $clog2(N) : 1
) (
  input  logic [N-1:0] req_i,
  input  logic [W-1:0] from_i,
  output logic         valid_o,
  output logic [W-1:0] idx_o
);
  logic [N-1:0] high, hot, some;
  always_comb begin : pick
    high = req_i & ({N{1'b1}} << from_i);
    some = |high ? high : req_i;
    hot  = some & (~some + N'(1));
    valid_o = |req_i;
    idx_o   = '0;
    // Bit b of the index: the one lies in the upper half of its group of 2^(b+1).
    for (int b = 0; b < W; b++) begin
      for (int i = 0; i < N; i++) if (((i >> b) & 1) != 0) idx_o[b] = idx_o[b] | hot[i];
    end
  end
endmodule
`default_nettype wire
