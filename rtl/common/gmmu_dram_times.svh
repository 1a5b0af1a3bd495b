// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_times.svh: ticks that are left, of W bits: the later of two, and what is left some
// ticks later. Included in the body of a module that defines W. No include guard: each module needs
// its own copy.

  function automatic logic [W-1:0] later(input logic [W-1:0] v, input logic [W-1:0] w);
    begin
      later = v > w ? v : w;
    end
  endfunction

  function automatic logic [W-1:0] down(input logic [W-1:0] v, input logic [1:0] n);
    begin
      down = v <= W'(n) ? '0 : v - W'(n);
    end
  endfunction
