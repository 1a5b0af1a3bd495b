// SPDX-License-Identifier: Apache-2.0
// gmmu_second.svh: of a vector of N bits the second lowest one that is set, in as many steps as the
// first of gmmu_first.svh, which stands before it in the body of a module. No include guard: each
// module needs its own copy.

  function automatic logic [N-1:0] second(input logic [N-1:0] v);
    logic [N-1:0] one, two, low, one_below, two_below; // at least one, two: up to here, in groups
    logic [N:0]   one_moved, two_moved;                // below
    begin
      one = v;
      two = '0;
      low = FIRST_LOWEST;
      for (int s = 1; s < FirstGroup; s = s * 2) begin
        two = two | ((two << s) & ~low) | (one & (one << s) & ~low);
        one = one | ((one << s) & ~low);
        low = low | (low << s);
      end
      one_moved = {one, 1'b0};
      two_moved = {two, 1'b0};
      one_below = one_moved[N-1:0] & FIRST_LOWEST;
      two_below = two_moved[N-1:0] & FIRST_LOWEST;
      for (int s = FirstGroup; s < N; s = s * 2) begin
        two_below = two_below | (two_below << s) | (one_below & (one_below << s));
        one_below = one_below | (one_below << s);
      end
      for (int s = 1; s < FirstGroup; s = s * 2) begin
        two_below = two_below | (two_below << s);
        one_below = one_below | (one_below << s);
      end
      one_moved = {one | one_below, 1'b0};
      two_moved = {two | two_below | (one & one_below), 1'b0};
      second    = v & one_moved[N-1:0] & ~two_moved[N-1:0];
    end
  endfunction
