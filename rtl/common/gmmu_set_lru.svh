// SPDX-License-Identifier: Apache-2.0
// gmmu_set_lru.svh: true LRU of one set, ages packed in a vector: 0 the most recent way, Ways-1 the
// least. Included in the body of an array module that defines Ways, WayW and AgeW. No include
// guard: each module needs its own copy.

  // Way 0 is the least recent after reset.
  function automatic logic [AgeW-1:0] reset_ages();
    begin
      reset_ages = '0;
      for (int i = 0; i < Ways; i++) reset_ages[i*WayW +: WayW] = WayW'(Ways - 1 - i);
    end
  endfunction

  // Order of a set after `used` was touched.
  function automatic logic [AgeW-1:0] touched(input logic [AgeW-1:0] ages,
      input logic [WayW-1:0] used);
    logic [WayW-1:0] age, a;
    begin
      age = ages[used*WayW +: WayW];
      touched = ages;
      for (int i = 0; i < Ways; i++) begin
        a = ages[i*WayW +: WayW];
        if (WayW'(i) == used) touched[i*WayW +: WayW] = '0;
        else if (a < age) touched[i*WayW +: WayW] = a + 1'b1;
      end
    end
  endfunction
