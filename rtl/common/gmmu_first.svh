// SPDX-License-Identifier: Apache-2.0
// gmmu_first.svh: the lowest bit that is set, of a vector of N bits, in log2(N) steps: within
// groups of some sqrt(N) bits, then over the groups. And the number of the bit of a one-hot vector.
// Included in the body of a module that defines N. No include guard: each module needs its own
// copy.

  `include "gmmu_assert.svh"
  localparam int FirstGroup  = N < 2 ? 2 : 1 << (($clog2(N) + 1) / 2);
  localparam int FirstGroups = (N + FirstGroup - 1) / FirstGroup;
  localparam logic [N-1:0] FIRST_LOWEST =    // the lowest bit of every group
      N'({FirstGroups{{{(FirstGroup - 1){1'b0}}, 1'b1}}});

  // Every bit at or above one that is set. Verilator computes the same by a carry.
`ifdef VERILATOR
  function automatic logic [N-1:0] upwards(input logic [N-1:0] v);
    upwards = v | (~v + N'(1));
  endfunction

  function automatic logic [N-1:0] first(input logic [N-1:0] v);
    first = v & (~v + N'(1));
  endfunction
`else
  function automatic logic [N-1:0] upwards(input logic [N-1:0] v);
    logic [N-1:0] m, low, below;
    logic [N:0]   moved;
    begin
      m   = v;
      low = FIRST_LOWEST;
      for (int s = 1; s < FirstGroup; s = s * 2) begin
        m   = m | ((m << s) & ~low);
        low = low | (low << s);
      end
      moved = {m, 1'b0};
      below = moved[N-1:0] & FIRST_LOWEST;      // is one set in the group below? In any below?
      for (int s = FirstGroup; s < N; s = s * 2) below = below | (below << s);
      for (int s = 1; s < FirstGroup; s = s * 2) below = below | (below << s);
      upwards = m | below;
    end
  endfunction

  function automatic logic [N-1:0] first(input logic [N-1:0] v);
    logic [N:0] above;
    begin
      above = {upwards(v), 1'b0};
      first = v & ~above[N-1:0];
    end
  endfunction
`endif

  function automatic logic [gmmu_pkg::idx_w(N)-1:0] index(input logic [N-1:0] one_hot);
    begin
      index = '0;
`ifdef VERILATOR
      if (|one_hot) index = (gmmu_pkg::idx_w(N))'($countones(one_hot - N'(1)));
`else
      for (int i = 0; i < N; i++) if (one_hot[i]) index = index | (gmmu_pkg::idx_w(N))'(i);
`endif
    end
  endfunction
