// SPDX-License-Identifier: Apache-2.0
// gmmu_follows.svh: is b one more than a, of N bits, not wrapped? Without a chain of carries: each
// bit tells the carry that it needs, and so which one it gives. Included in the body of a module
// that defines N >= 2. No include guard: each module needs its own copy.

  function automatic logic follows(input logic [N-1:0] a, input logic [N-1:0] b);
    logic [N-1:0] needs, gives;
    begin
      needs   = a ^ b;
      gives   = a & ~b;
      follows = needs == {gives[N-2:0], 1'b1} & !gives[N-1];
    end
  endfunction
