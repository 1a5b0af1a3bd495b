// SPDX-License-Identifier: Apache-2.0
// gmmu_order.svh: true-LRU order of the ways of one set in OrderW bits, which whoever includes this
// keeps: in registers (gmmu_set_lru) or in a RAM word (gmmu_replace_word). Included in the body of
// a module that defines Ways and WayW. No include guard: each module needs its own copy.
//
// Up to 4 ways: one bit per pair of ways, which of the two is the more recent; 6 bits where ages
// have 8, and a touch sets bits without comparing. More ways: one age per way, 0 the most recent,
// Ways-1 the least; fewer bits than pairs from 8 ways on. After reset way 0 is the least recent,
// then 1, 2, ...

  localparam int Pairs  = Ways <= 4 ? 1 : 0;
  localparam int OrderW = gmmu_pkg::order_w(Ways);

  // Pairs: the bit of low and high, low < high: low is the more recent.
  function automatic int pair(input int low, input int high);
    begin
      pair = low * (2 * Ways - low - 1) / 2 + high - low - 1;
    end
  endfunction

  function automatic logic [OrderW-1:0] reset_order();
    begin
      reset_order = '0;
      if (Pairs == 0)
        for (int i = 0; i < Ways; i++) reset_order[i*WayW +: WayW] = WayW'(Ways - 1 - i);
    end
  endfunction
  localparam logic [OrderW-1:0] RESET_ORDER = reset_order();

  // Order of a set after a touch of `hot`, none: the same. Ages: ways younger than it get older by
  // one, it becomes 0.
  function automatic logic [OrderW-1:0] touched(input logic [OrderW-1:0] order,
      input logic [Ways-1:0] hot);
    logic [WayW-1:0] age, a;
    begin
      touched = order;
      age     = '0;
      a       = '0;
      if (Pairs != 0) begin
        for (int i = 0; i < Ways; i++) for (int j = i + 1; j < Ways; j++)
          touched[pair(i, j)] = hot[i] | (order[pair(i, j)] & !hot[j]);
      end else begin
        for (int i = 0; i < Ways; i++) age = age | (order[i*WayW +: WayW] & {WayW{hot[i]}});
        for (int i = 0; i < Ways; i++) begin
          a = order[i*WayW +: WayW];
          if (hot[i]) touched[i*WayW +: WayW] = '0;
          else if (a < age) touched[i*WayW +: WayW] = a + 1'b1;
        end
      end
    end
  endfunction

  // The least recent of all ways.
  function automatic logic [Ways-1:0] least_recent(input logic [OrderW-1:0] order);
    begin
      least_recent = {Ways{1'b1}};
      for (int i = 0; i < Ways; i++) begin
        if (Pairs == 0) begin
          least_recent[i] = order[i*WayW +: WayW] == WayW'(Ways - 1);
        end else begin
          for (int j = 0; j < Ways; j++) begin
            if (j > i)      least_recent[i] = least_recent[i] & !order[pair(i, j)];
            else if (j < i) least_recent[i] = least_recent[i] & order[pair(j, i)];
          end
        end
      end
    end
  endfunction
