// SPDX-License-Identifier: Apache-2.0
// gmmu_order.svh: true-LRU order of the ways of one set in OrderW bits, which whoever includes this
// keeps: in registers (gmmu_set_lru) or in a RAM word (gmmu_replace_word). Included in the body of
// a module that defines Ways. No include guard: each module needs its own copy.
//
// One bit per pair of ways, which of the two is the more recent: a touch sets bits without
// comparing anything, and who is the least recent is one AND for each way. From 8 ways on that is
// more bits than an age per way has (120 instead of 64 at 16 ways), of which a touch would have to
// compare all. After reset way 0 is the least recent, then 1, 2, ...
// GMMU_ANY in functions: an assignment that chooses among their results computes all of them.

  `include "gmmu_assert.svh"
  localparam int OrderW = gmmu_pkg::order_w(Ways);
  localparam logic [OrderW-1:0] RESET_ORDER = '0;

  // The bit of low and high, low < high: low is the more recent.
  function automatic int pair(input int low, input int high);
    begin
      pair = low * (2 * Ways - low - 1) / 2 + high - low - 1;
    end
  endfunction

  // A touch of `hot`, or none, sets the bits raised() and leaves of the others those of stay().
  function automatic logic [OrderW-1:0] raised(input logic [Ways-1:0] hot);
    begin
      for (int i = 0; i < Ways; i++)
        for (int j = i + 1; j < Ways; j++) raised[pair(i, j)] = hot[i];
    end
  endfunction
  function automatic logic [OrderW-1:0] stay(input logic [Ways-1:0] hot);
    begin
      for (int i = 0; i < Ways; i++)
        for (int j = i + 1; j < Ways; j++) stay[pair(i, j)] = !hot[j];
    end
  endfunction
  function automatic logic [OrderW-1:0] touched(input logic [OrderW-1:0] order,
      input logic [Ways-1:0] hot);
    begin
      touched = order;
      if (`GMMU_ANY(hot)) touched = (order & stay(hot)) | raised(hot);
    end
  endfunction

  // One touch after another.
  function automatic logic [OrderW-1:0] after_two(input logic [OrderW-1:0] order,
      input logic [Ways-1:0] one, input logic [Ways-1:0] two);
    begin
      after_two = order;
      if (`GMMU_ANY({one, two}))
        after_two = (order & stay(one) & stay(two)) | (raised(one) & stay(two)) | raised(two);
    end
  endfunction

`ifdef VERILATOR
  // The same way by way, as the bits of a way and those behind it stand together: it is not the
  // oldest if it is more recent than one of them, and of them only those are that it is more recent
  // than.
  function automatic logic [Ways-1:0] oldest_of(input logic [Ways-1:0] some,
      input logic [OrderW-1:0] order);
    logic [OrderW+Ways-1:0] padded;
    logic [Ways-1:0]        older, behind, left;    // behind: the ways after this one
    begin
      oldest_of = some;
      if (|some) begin
        padded = {{Ways{1'b0}}, order};
        behind = {Ways{1'b1}};
        for (int i = 0; i < Ways; i++) begin
          behind = behind << 1;
          older  = (padded[i * (2 * Ways - i - 1) / 2 +: Ways] << (i + 1)) & behind;
          left   = older | ~behind;
          left[i] = (older & some) == '0;
          oldest_of = oldest_of & (left | {Ways{!some[i]}});
        end
      end
    end
  endfunction
  function automatic logic [Ways-1:0] least_recent(input logic query,
      input logic [OrderW-1:0] order);
    least_recent = oldest_of({Ways{query}}, order);
  endfunction
`else
  // The least recent of all ways; 0 without query.
  function automatic logic [Ways-1:0] least_recent(input logic query,
      input logic [OrderW-1:0] order);
    begin
      least_recent = {Ways{query}};
      if (`GMMU_ANY(query)) begin
        for (int i = 0; i < Ways; i++) begin
          for (int j = 0; j < Ways; j++) begin
            if (j > i)      least_recent[i] = least_recent[i] & !order[pair(i, j)];
            else if (j < i) least_recent[i] = least_recent[i] & order[pair(j, i)];
          end
        end
      end
    end
  endfunction

  // The least recent of some ways: the one that none of them is less recent than.
  function automatic logic [Ways-1:0] oldest_of(input logic [Ways-1:0] some,
      input logic [OrderW-1:0] order);
    begin
      oldest_of = some;
      if (`GMMU_ANY(some)) begin
        for (int i = 0; i < Ways; i++) begin
          for (int j = 0; j < Ways; j++) begin
            if (j > i)      oldest_of[i] = oldest_of[i] & !(some[j] & order[pair(i, j)]);
            else if (j < i) oldest_of[i] = oldest_of[i] & !(some[j] & !order[pair(j, i)]);
          end
        end
      end
    end
  endfunction
`endif
