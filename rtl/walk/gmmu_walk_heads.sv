// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_heads: what walks that answered early know of their frames: the leaf table, the head of
// their own subregion, which heads are still to be read, and which subregions were found to be
// contiguous. Rules: docs/msc.md. Source: MESC section IV-B.
//
// What is known of the walk whose answer is decoded is read in the cycle before (first_slot_i).
// Per-walk state is not reset: it is written before it is read.
`default_nettype none
module gmmu_walk_heads #(
  parameter int Walks = 16,
  parameter int VfnW  = 36,
  parameter int PfnW  = 36,
  localparam int SlotW = gmmu_pkg::idx_w(Walks)
) (
  input  logic             clk_i,
  // the answer that is decoded in the next cycle; the one that is: it names a leaf table (table),
  // was answered early (begin), or is another head of its frame (head)
  input  logic             first_i,
  input  logic [SlotW-1:0] first_slot_i,
  input  logic [SlotW-1:0] slot_i,
  input  logic             table_i,
  input  logic [PfnW-1:0]  table_pfn_i,
  input  logic             begin_i,
  input  logic             head_i,
  input  logic             drop_i,         // head: memory error, or the walk is stale
  input  logic [63:0]      pte_i,
  input  logic [VfnW-1:0]  vfn_i,
  output logic             last_o,         // head: no other one is left
  output logic             read_o,         // head: reads another one, idx_o, of table table_o
  output logic [2:0]       idx_o,
  output logic [PfnW-1:0]  table_o,
  // the walk that is looked up, and that its lookup has a head read
  input  logic [SlotW-1:0] run_slot_i,
  input  logic             run_read_i,
  input  logic [2:0]       run_idx_i,
  output logic [PfnW-1:0]  run_table_o,
  output logic [PfnW-1:0]  run_pfn_o,      // head of its own subregion
  output logic [7:0]       run_low_o,      // ... low bits of that PTE
  output logic [7:0]       run_todo_o,     // heads that may be read
  output logic [6:0]       run_bitmap_o,
  output logic             run_insert_o    // all were
);
  logic [PfnW-1:0] table_q    [0:Walks-1];
  logic [7:0]      contig_q   [0:Walks-1];   // C bits of the frame
  logic [PfnW-1:0] own_pfn_q  [0:Walks-1];
  logic [7:0]      own_low_q  [0:Walks-1];
  logic [PfnW-1:0] last_pfn_q [0:Walks-1];   // head read last
  logic [7:0]      last_low_q [0:Walks-1];
  logic [3:0]      last_q     [0:Walks-1];   // {valid, number} of it
  logic [2:0]      cur_q      [0:Walks-1];   // head that is being read
  logic [8:0]      todo_q     [0:Walks-1];   // {one is left, heads to be read}
  logic [6:0]      bitmap_q   [0:Walks-1];
  logic            insert_q   [0:Walks-1];

  // ---- of the walk whose answer is decoded
  logic [PfnW-1:0] dec_table_q, dec_own_q, dec_last_pfn_q;
  logic [7:0]      dec_contig_q, dec_own_low_q, dec_last_low_q, dec_todo_q;
  logic            dec_one_q;
  logic [3:0]      dec_last_q;
  logic [2:0]      dec_cur_q;
  logic [6:0]      dec_bitmap_q;
  gmmu_clkgate #(.Width(3 * PfnW + 47)) u_dec (
    .clk_i, .en_i(first_i),
    .d_i({table_q[first_slot_i], own_pfn_q[first_slot_i], last_pfn_q[first_slot_i],
    contig_q[first_slot_i], own_low_q[first_slot_i], last_low_q[first_slot_i],
    todo_q[first_slot_i], last_q[first_slot_i], cur_q[first_slot_i], bitmap_q[first_slot_i]}),
    .q_o({dec_table_q, dec_own_q, dec_last_pfn_q, dec_contig_q, dec_own_low_q, dec_last_low_q,
    dec_one_q, dec_todo_q, dec_last_q, dec_cur_q, dec_bitmap_q})
  );

  // Does the second frame lie 64 pages behind the first one?
  localparam int N = PfnW - 6;    // of gmmu_follows.svh
  `include "gmmu_follows.svh"
  function automatic logic is_next(input logic [PfnW-1:0] a, input logic [PfnW-1:0] b);
    begin
      is_next = a[5:0] == b[5:0] & follows(a[PfnW-1:6], b[PfnW-1:6]);
    end
  endfunction

  // ---- contiguous with the subregion below: the walk's own, or the head read just before
  logic [PfnW-1:0] pfn;
  logic [7:0]      low, todo;
  logic [2:0]      x, j;
  logic            head_ok, left, right, wide, left_own, right_own;
  assign pfn = pte_i[10 +: PfnW];
  assign low = pte_i[7:0];
  assign x   = vfn_i[8:6];
  assign j   = dec_cur_q;
  if (PfnW < 44) begin : gen_wide
    assign wide = |pte_i[53:PfnW+10];
  end else begin : gen_no_wide
    assign wide = 1'b0;
  end
  assign head_ok   = pte_i[0] & (pte_i[1] | pte_i[3]) &
      !(pte_i[2] & !pte_i[1]) & !(|pte_i[63:54]) & !wide;
  assign left_own  = {1'b0, x} + 4'd1 == {1'b0, j};
  assign right_own = {1'b0, j} + 4'd1 == {1'b0, x};
  assign left = left_own ? is_next(dec_own_q, pfn) & dec_own_low_q == low
                         : dec_last_q[3] & {1'b0, dec_last_q[2:0]} + 4'd1 == {1'b0, j} &
                           is_next(dec_last_pfn_q, pfn) & dec_last_low_q == low;
  assign right = right_own & is_next(pfn, dec_own_q) & dec_own_low_q == low;

  // ---- the bitmap is written a cycle later: the walk's next head and its lookup come after that
  logic             later_q, head_q, left_q, right_q;
  logic [SlotW-1:0] later_slot_q;
  logic [2:0]       head_idx_q;
  logic [6:0]       old_q, left_hot, right_hot;
  assign left_hot  = left_q ? 7'd1 << (head_idx_q - 3'd1) : 7'd0;
  assign right_hot = right_q ? 7'd1 << head_idx_q : 7'd0;
  always_ff @(posedge clk_i) begin
    later_q      <= begin_i | head_i;
    later_slot_q <= slot_i;
    head_q       <= head_i;
    left_q       <= left & j != 3'd0 & head_ok;
    right_q      <= right & head_ok;
    head_idx_q          <= j;
    old_q        <= dec_bitmap_q;
    if (later_q) bitmap_q[later_slot_q] <= head_q ? old_q | left_hot | right_hot : 7'd0;
  end

  // ---- which is read next
  function automatic logic [2:0] lowest(input logic [7:0] set);
    begin
      lowest = 3'd0;
      for (int i = 7; i >= 0; i--) if (set[i]) lowest = 3'(i);
    end
  endfunction
  // head_i, not begin_i: that comes late
  assign todo    = head_i ? dec_todo_q & ~(8'd1 << j) : dec_contig_q & ~(8'd1 << x);
  // The head that is read is the lowest of those (idx_o; so is run_idx_i): whether it is the last
  // one was known when they were written.
  assign last_o  = dec_one_q;
  assign read_o  = head_i & !drop_i & !last_o;
  assign idx_o   = lowest(todo);
  assign table_o = dec_table_q;

  assign run_table_o  = table_q[run_slot_i];
  assign run_pfn_o    = own_pfn_q[run_slot_i];
  assign run_low_o    = own_low_q[run_slot_i];
  assign run_todo_o   = todo_q[run_slot_i][7:0];
  assign run_bitmap_o = bitmap_q[run_slot_i];
  assign run_insert_o = insert_q[run_slot_i];

  always_ff @(posedge clk_i) begin
    if (table_i) begin
      table_q[slot_i]  <= table_pfn_i;
      contig_q[slot_i] <= pte_i[61:54];
    end
    if (begin_i) begin
      own_pfn_q[slot_i] <= pfn;
      own_low_q[slot_i] <= low;
    end
    if (begin_i | head_i) begin
      todo_q[slot_i]   <= {(todo & (todo - 8'd1)) == 8'd0, todo};
      last_q[slot_i]   <= head_i ? {head_ok, j} : 4'd0;
      insert_q[slot_i] <= head_i & last_o;
    end
    if (head_i) begin
      last_pfn_q[slot_i] <= pfn;
      last_low_q[slot_i] <= low;
    end
    if (read_o) cur_q[slot_i] <= idx_o;
    if (run_read_i) cur_q[run_slot_i] <= run_idx_i;
  end
endmodule
`default_nettype wire
