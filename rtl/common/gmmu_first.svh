// SPDX-License-Identifier: Apache-2.0
// gmmu_first.svh: the lowest bit that is set, of a vector of N bits, in log2(N) steps. Included in
// the body of a module that defines N; and the number of the bit of a one-hot vector. No include
// guard: each module needs its own copy.

  function automatic logic [N-1:0] first(input logic [N-1:0] v);
    logic [N-1:0] m;
    logic [N:0]   above;
    begin
      m = v;
      for (int s = 1; s < N; s = s * 2) m = m | (m << s);
      above = {m, 1'b0};
      first = v & ~above[N-1:0];
    end
  endfunction

  function automatic logic [gmmu_pkg::idx_w(N)-1:0] index(input logic [N-1:0] one_hot);
    begin
      index = '0;
      for (int i = 0; i < N; i++) if (one_hot[i]) index = index | (gmmu_pkg::idx_w(N))'(i);
    end
  endfunction
