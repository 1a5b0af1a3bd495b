// SPDX-License-Identifier: Apache-2.0
// Heads of a frame's subregions, of one walk that answered early: those with C set, but its own,
// are read, each once, the lowest first, in the frame's table; when all were read, two neighbours
// are said to be contiguous exactly when both were read or are its own, both are good, the upper
// one's frame is 64 pages on, and their low bits are equal; the head of its own subregion is kept.
// Of the bitmap one bit is followed. Rules: docs/msc.md. Assumed: the order of gmmu_walker: table,
// own head, lookup, other heads one by one, two cycles apart at least.
`default_nettype none
module prove_walk_heads #(
  parameter int Pair   = 2,      // subregions Pair and Pair + 1
  parameter int Covers = 0,
  localparam int PfnW = 8,
  localparam int VfnW = 27
) (
  input  logic        clk_i,
  input  logic        first_i,          // an answer is decoded in the next cycle, of that walk
  input  logic        first_slot_i,
  input  logic [1:0]  kind_i,           // it is a table, the own head, another one
  input  logic        table_i,          // frame of the table
  input  logic [7:0]  c_i,              // bits 61:54, 63
  input  logic        reserved_i,
  input  logic        wide_i,
  input  logic [2:0]  pfn_i,            // bits 7:6 and 0 of the frame
  input  logic [3:0]  low_i,
  input  logic        drop_i,
  input  logic [2:0]  sub_i,
  input  logic        run_slot_i,
  input  logic        run_read_i
);
  `include "prove.svh"
  localparam logic [1:0] TABLE = 2'd1, OWN = 2'd2, HEAD = 2'd3;

  // ---- the walk in slot 0 is followed
  logic             dec_q, dec_slot_q, last, read, insert, run_read, mine;
  logic [1:0]       kind;
  logic [2:0]       idx, run_idx, x_q, x;
  logic [PfnW-1:0]  pfn, tab, run_tab, run_pfn;
  logic [7:0]       run_low, run_todo;
  logic [6:0]       bitmap;
  logic [63:0]      pte;
  assign kind = dec_q ? kind_i : 2'd0;
  assign mine = !dec_slot_q;
  assign pfn  = {pfn_i[2:1], 5'd0, pfn_i[0]};
  assign pte  = {1'b0, reserved_i, c_i, 35'd0, wide_i, pfn, 2'd0, 4'd0, low_i};
  assign x    = kind == TABLE || !mine ? sub_i : x_q;
  gmmu_walk_heads #(.Walks(2), .VfnW(VfnW), .PfnW(PfnW)) u_dut (
    .clk_i, .first_i, .first_slot_i, .slot_i(dec_slot_q), .table_i(kind == TABLE),
    .table_pfn_i({7'd0, table_i}), .begin_i(kind == OWN), .head_i(kind == HEAD), .drop_i,
    .pte_i(pte), .vfn_i({18'd0, x, 6'd0}), .last_o(last), .read_o(read), .idx_o(idx),
    .table_o(tab), .run_slot_i, .run_read_i(run_read), .run_idx_i(run_idx), .run_table_o(run_tab),
    .run_pfn_o(run_pfn), .run_low_o(run_low), .run_todo_o(run_todo), .run_bitmap_o(bitmap),
    .run_insert_o(insert)
  );
  function automatic logic [2:0] lowest(input logic [7:0] set);
    begin
      lowest = 3'd0;
      for (int i = 7; i >= 0; i--) if (set[i]) lowest = 3'(i);
    end
  endfunction
  assign run_idx  = lowest(run_todo);           // as gmmu_walk_run asks
  assign run_read = run_read_i & rst_ni & (run_slot_i | may_look);

  // ---- what it knows: its frame, its own head, the heads of the pair
  logic [2:0] state_q;       // 1 the table, 2 its own head, 3 a head is read, 4 all were
  logic       may_look, quiet_q, late_q;
  logic [7:0] c_q, todo_q, todo;
  logic       tab_q;
  logic [2:0] cur_q;
  logic [6:0] own_q, lo_q, hi_q;                // {frame, low bits}
  logic       lo_good_q, hi_good_q, good, contiguous;
  assign may_look = state_q == 3'd2 && todo_q != '0 && quiet_q;
  assign todo     = todo_q & ~(8'd1 << cur_q);
  assign good     = low_i[0] && (low_i[1] || low_i[3]) && !(low_i[2] && !low_i[1]) && !reserved_i &&
      c_i == '0 && !wide_i;
  assign contiguous = lo_good_q && hi_good_q && hi_q[3:0] == lo_q[3:0] && hi_q[4] == lo_q[4] &&
      {1'b0, hi_q[6:5]} == {1'b0, lo_q[6:5]} + 3'd1;
  always_ff @(posedge clk_i) begin
    dec_q      <= rst_ni & first_i;
    dec_slot_q <= first_slot_i;
    {late_q, quiet_q} <= {!(mine && kind != 2'd0), late_q && !(mine && kind != 2'd0)};
    if (!rst_ni) state_q <= 3'd0;
    else if (mine && kind == TABLE) begin
      {state_q, c_q, tab_q, x_q} <= {3'd1, c_i, table_i, sub_i};
    end else if (mine && kind == OWN) begin
      {state_q, todo_q, own_q}   <= {3'd2, c_q & ~(8'd1 << x_q), pfn_i, low_i};
      {lo_good_q, lo_q} <= {x_q == 3'(Pair), pfn_i, low_i};
      {hi_good_q, hi_q} <= {x_q == 3'(Pair + 1), pfn_i, low_i};
    end else if (mine && kind == HEAD) begin
      todo_q <= todo;
      if (cur_q == 3'(Pair)) {lo_good_q, lo_q} <= {good, pfn_i, low_i};
      if (cur_q == 3'(Pair + 1)) {hi_good_q, hi_q} <= {good, pfn_i, low_i};
      state_q <= drop_i ? 3'd0 : todo == '0 ? 3'd4 : 3'd3;
      cur_q   <= lowest(todo);
    end else if (run_read && !run_slot_i) begin
      {state_q, cur_q} <= {3'd3, lowest(todo_q)};
    end
  end
  always_comb begin
    if (!rst_ni) assume (!first_i);
    // its answers, in their order, each to a read that was asked for after the one before
    if (mine && kind == OWN) assume (state_q == 3'd1);
    if (mine && kind == HEAD) assume (state_q == 3'd3);
    assume (!(first_i && !first_slot_i && (!late_q || (mine && kind != 2'd0) || run_read)));
    assume (!(run_read && !run_slot_i && mine && kind != 2'd0));
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        next:    assert (!(mine && kind == HEAD) || (read == (!drop_i && todo != '0) &&
            last == (todo == '0)));
        which:   assert (!(mine && read) || (kind == HEAD && idx == lowest(todo) &&
            tab == {7'd0, tab_q}));
        lookup:  assert (!(!run_slot_i && state_q == 3'd2 && quiet_q) || (run_todo == todo_q &&
            !insert && bitmap == '0 && run_tab == {7'd0, tab_q}));
        all:     assert (!(!run_slot_i && state_q == 3'd4 && quiet_q) ||
            (insert && bitmap[Pair] == contiguous && run_todo == '0));
        own:     assert (!(!run_slot_i && quiet_q && state_q[2:1] != '0) ||
            {run_pfn, run_low} == {own_q[6:5], 5'd0, own_q[4], 4'd0, own_q[3:0]});
      end
    end
  end else begin : gen_cover
    logic done;
    assign done = rst_ni && !run_slot_i && state_q == 3'd4 && quiet_q;
    always_comb assert (!(done && contiguous && x_q != 3'(Pair) && x_q != 3'(Pair + 1)));
    always_comb assert (!(done && contiguous && x_q == 3'(Pair + 1) && c_q[Pair+1]));
    always_comb assert (!(done && !contiguous && lo_good_q && hi_good_q));
    always_comb assert (!(rst_ni && mine && kind == HEAD && drop_i && todo != '0));
  end
endmodule
`default_nettype wire
