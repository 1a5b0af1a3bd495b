// SPDX-License-Identifier: Apache-2.0
// gmmu_shift.svh: a vector of N bits, one for each entry of an array in order of age, when an entry
// is gone: those below it (`stay`) keep their place, those above move down by one. Included in the
// body of a module that defines N. No include guard: each module needs its own copy.

  function automatic logic [N-1:0] shifted(input logic [N-1:0] v, input logic [N-1:0] stay);
    logic [N:0] all;
    begin
      all     = {1'b0, v};
      shifted = (v & stay) | (all[N:1] & ~stay);
    end
  endfunction
