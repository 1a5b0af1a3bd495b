// SPDX-License-Identifier: Apache-2.0
// gmmu_first.svh: the lowest bit that is set, of a vector of N bits, in log2(N) steps. Included in the body of a module that
// defines N. No include guard: each module needs its own copy.

  function automatic logic [N-1:0] first(input logic [N-1:0] v);
    logic [N-1:0] m;
    begin
      m = v;
      for (int s = 1; s < N; s = s * 2) m = m | (m << s);
      first = v & ~(m << 1);
    end
  endfunction
