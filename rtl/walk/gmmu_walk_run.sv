// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_run: what a walk does after its early answer: finds the run of subregions that are
// contiguous with the requested one, from the memory subregion cache or from the head PTEs of the
// frame's other subregions, and has it filled as one entry. Rules and cycles: docs/msc.md. Source:
// MESC section IV-B.
//
// One walk at a time is looked up, the others wait in order. Legal: MscWays 0 (no cache) or >= 2.
`default_nettype none
module gmmu_walk_run #(
  parameter int Walks       = 16,
  parameter int AsidW       = 9,
  parameter int VfnW        = 36,
  parameter int PfnW        = 36,
  parameter int NumWindows  = 4,
  parameter int MscSets     = 64,
  parameter int MscWays     = 8,
  localparam int SlotW      = gmmu_pkg::idx_w(Walks),
  localparam int PageXlateW = gmmu_pkg::XLATE_FIXED_W + PfnW,
  localparam int CmdW       = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // decode: a head was answered early (begin), or another head of the same frame was read (head)
  input  logic              begin_i,
  input  logic              head_i,
  input  logic [SlotW-1:0]  slot_i,
  input  logic [63:0]       pte_i,
  input  logic              drop_i,         // head: memory error, or the walk is stale
  input  logic [VfnW-1:0]   dec_vfn_i,
  input  logic [7:0]        c_i,            // C bits of the frame, at begin
  output logic              head_read_o,    // head: reads another one: head_idx_o
  output logic [2:0]        head_idx_o,
  // the walk that is looked up: what the walker knows of it
  output logic [SlotW-1:0]  slot_o,
  input  logic [AsidW-1:0]  asid_i,
  input  logic [VfnW-1:0]   vfn_i,
  input  logic              stale_i,
  // what it wants to do, and may
  output logic              end_o,          // end with end_xlate_o, end_run_o
  output logic              read_o,         // read head number read_idx_o
  output logic [2:0]        read_idx_o,
  input  logic              grant_i,
  output logic [PageXlateW-1:0] end_xlate_o,
  output logic [gmmu_pkg::RUN_W-1:0] end_run_o,
  // data windows
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_data_i,
  // invalidation
  input  logic              mark_i,
  input  logic [CmdW-1:0]   cmd_i,
  output logic              busy_o,         // the cache is being cleared
  output logic [gmmu_pkg::RUN_EVENT_W-1:0] event_o   // observation of this cycle
);
  localparam int LfnW = VfnW - 9;
  localparam int MWayW = gmmu_pkg::idx_w(MscWays);
  localparam int MSetW = gmmu_pkg::idx_w(MscSets);

  if (MscWays == 1) begin : gen_bad_ways
    gmmu_walk_run_MscWays_must_be_0_or_at_least_2 u_bad();
  end

  `include "gmmu_types.svh"

  // Per walk: head of its own subregion, head read last, heads to read, contiguity found.
  logic [PfnW-1:0] own_pfn_q  [0:Walks-1];
  logic [7:0]      own_low_q  [0:Walks-1];
  logic [PfnW-1:0] last_pfn_q [0:Walks-1];
  logic [7:0]      last_low_q [0:Walks-1];
  logic [3:0]      last_q     [0:Walks-1];   // {valid, number} of the head read last
  logic [2:0]      cur_q      [0:Walks-1];   // head that is being read
  logic [7:0]      todo_q     [0:Walks-1];
  logic [6:0]      bitmap_q   [0:Walks-1];
  logic            insert_q   [0:Walks-1];   // all heads were read

  // ---- a head was read
  logic [PfnW-1:0] pfn;
  logic [7:0]      low, todo;
  logic [2:0]      x, j;
  logic            head_ok, left, right, wide;
  logic [6:0]      found, left_hot, right_hot;
  logic [3:0]      last;
  logic            left_own, right_own;
  assign pfn = pte_i[10 +: PfnW];
  assign low = pte_i[7:0];
  assign x   = dec_vfn_i[8:6];
  assign j   = cur_q[slot_i];
  assign last = last_q[slot_i];
  if (PfnW < 44) begin : gen_wide
    assign wide = |pte_i[53:PfnW+10];
  end else begin : gen_no_wide
    assign wide = 1'b0;
  end
  assign head_ok   = pte_i[0] & (pte_i[1] | pte_i[3]) &
      !(pte_i[2] & !pte_i[1]) & !(|pte_i[63:54]) & !wide;
  assign left_own  = {1'b0, x} + 4'd1 == {1'b0, j};
  assign right_own = {1'b0, j} + 4'd1 == {1'b0, x};
  // Contiguous with the subregion below: the walk's own, or the head read just before.
  assign left = left_own ? {1'b0, own_pfn_q[slot_i]} + (PfnW+1)'(64) == {1'b0, pfn} &
                           own_low_q[slot_i] == low
                         : last[3] & {1'b0, last[2:0]} + 4'd1 == {1'b0, j} &
                           {1'b0, last_pfn_q[slot_i]} + (PfnW+1)'(64) == {1'b0, pfn} &
                           last_low_q[slot_i] == low;
  assign right = right_own & {1'b0, pfn} + (PfnW+1)'(64) == {1'b0, own_pfn_q[slot_i]} &
      own_low_q[slot_i] == low;
  assign left_hot  = (j != 3'd0 & left & head_ok) ? 7'd1 << (j - 3'd1) : 7'd0;
  assign right_hot = (right & head_ok) ? 7'd1 << j : 7'd0;
  assign found     = bitmap_q[slot_i] | left_hot | right_hot;

  function automatic logic [2:0] lowest(input logic [7:0] set);
    begin
      lowest = 3'd0;
      for (int i = 7; i >= 0; i--) if (set[i]) lowest = 3'(i);
    end
  endfunction
  assign todo        = begin_i ? c_i & ~(8'd1 << x) : todo_q[slot_i] & ~(8'd1 << j);
  assign head_read_o = head_i & !drop_i & todo != 8'd0;
  assign head_idx_o  = lowest(todo);

  // ---- walks that wait for a lookup, in order
  logic             q_push, q_valid, q_pop;
  logic [SlotW-1:0] slot;
  assign q_push = begin_i | (head_i & !drop_i & todo == 8'd0);
  /* verilator lint_off PINCONNECTEMPTY */
  gmmu_fifo #(.Width(SlotW), .Depth(Walks)) u_queue (
    .clk_i, .rst_ni, .push_i(q_push), .data_i(slot_i), .pop_i(q_pop), .valid_o(q_valid),
    .data_o(slot), .count_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ---- lookup: read, then act when the walker grants it
  logic       stage_b_q, msc_busy, msc_hit, insert, hit, act;
  logic [6:0] msc_bitmap, bitmap;
  logic       read;
  assign read   = q_valid & !stage_b_q & !msc_busy & !mark_i;
  assign insert = insert_q[slot];
  assign hit    = msc_hit & !insert;
  assign bitmap = hit ? msc_bitmap : bitmap_q[slot];
  assign read_o = stage_b_q & !stale_i & !insert & !hit & todo_q[slot] != 8'd0;
  assign end_o  = stage_b_q & !read_o;
  assign act    = stage_b_q & grant_i;
  assign q_pop  = act;
  assign read_idx_o = lowest(todo_q[slot]);
  assign slot_o     = slot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) stage_b_q <= 1'b0;
    // a mark sends it back: its cache entry may be about to go
    else stage_b_q <= (read | stage_b_q) & !act & !mark_i;
  end

  logic              msc_insert, msc_over, msc_evict, sweep_visit;
  logic [MWayW-1:0]  msc_way;
  logic [MSetW-1:0]  sweep_set;
  logic [15:0]       sweep_cleared;
  assign msc_insert = act & end_o & !stale_i & !hit;
  if (MscWays != 0) begin : gen_msc
    logic [MscWays-1:0] cleared;
    gmmu_msc #(.Sets(MscSets), .Ways(MscWays), .AsidW(AsidW), .LfnW(LfnW)) u_msc (
      .clk_i, .rst_ni, .read_i(read), .asid_i, .lfn_i(vfn_i[VfnW-1:9]), .hit_o(msc_hit),
      .bitmap_o(msc_bitmap),
      .way_o(msc_way), .done_i(act), .touch_i(act & !stale_i & !insert), .insert_i(msc_insert),
      .bitmap_i(bitmap),
      .overwrite_o(msc_over), .evict_o(msc_evict),
      .clear_i(mark_i), .cmd_i, .busy_o(msc_busy),
      .sweep_visit_o(sweep_visit), .sweep_set_o(sweep_set), .sweep_cleared_o(cleared)
    );
    assign sweep_cleared = 16'(cleared);
  end else begin : gen_no_msc
    logic unused_msc;
    assign unused_msc  = ^{asid_i, cmd_i, read, vfn_i[VfnW-1:9]};
    assign msc_busy    = 1'b0;
    assign msc_hit     = 1'b0;
    assign msc_bitmap  = '0;
    assign msc_way     = '0;
    assign msc_over    = 1'b0;
    assign msc_evict   = 1'b0;
    assign sweep_visit   = 1'b0;
    assign sweep_set     = '0;
    assign sweep_cleared = '0;
  end
  assign busy_o = msc_busy;

  // ---- the run round the walk's own subregion
  logic [2:0]      own, first, len, run_first, run_len;
  logic [PfnW-1:0] own_pfn, base;
  logic [PfnW:0]   run_end;
  logic            run_ok;
  assign own     = vfn_i[8:6];
  assign own_pfn = own_pfn_q[slot];
  always_comb begin : extract
    logic       down, up;
    logic [2:0] l;
    first = own;
    l     = own;
    down  = 1'b1;
    up    = 1'b1;
    for (int i = 6; i >= 0; i--) begin
      if (3'(i) < own) begin
        down = down & bitmap[i];
        if (down) first = 3'(i);
      end
    end
    for (int i = 0; i < 7; i++) begin
      if (3'(i) >= own) begin
        up = up & bitmap[i];
        if (up) l = 3'(i + 1);
      end
    end
    len = l - first;
  end
  assign base    = own_pfn - PfnW'({own - first, 6'd0});
  assign run_end = {1'b0, base} + (PfnW+1)'({len, 6'd63});
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_windows (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i), .first_i(base),
    .last_i(run_end[PfnW-1:0]),
    .inside_o(run_ok)
  );
  // A run that leaves the allowed window is cut down to the subregion that was asked for.
  assign run_first = (run_ok & !run_end[PfnW]) ? first : own;
  assign run_len   = (run_ok & !run_end[PfnW]) ? len : 3'd0;
  assign end_run_o = {1'b0, 1'b1, !stale_i, run_first, run_len};
  xlate_t end_xlate;
  logic [7:0] own_low;
  assign own_low = own_low_q[slot];
  always_comb begin
    end_xlate      = '0;
    end_xlate.perm = {own_low[7], own_low[4:1]};
    end_xlate.pfn  = own_pfn + PfnW'(vfn_i[5:0]);
  end
  assign end_xlate_o = end_xlate;

  // ---- per-walk state: not reset
  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      own_pfn_q[slot_i] <= pfn;
      own_low_q[slot_i] <= low;
    end
    if (begin_i | head_i) begin
      todo_q[slot_i]   <= todo;
      bitmap_q[slot_i] <= begin_i ? 7'd0 : found;
      last_q[slot_i]   <= begin_i ? 4'd0 : {head_ok, j};
      insert_q[slot_i] <= !begin_i & todo == 8'd0;
    end
    if (head_i) begin
      last_pfn_q[slot_i] <= pfn;
      last_low_q[slot_i] <= low;
    end
    if (head_read_o) cur_q[slot_i] <= head_idx_o;
    if (act & read_o) cur_q[slot] <= read_idx_o;
  end

  // The cache's sweep, then a lookup that was used: fields msc_* and run_* of rtl/observation.txt.
  assign event_o = {sweep_cleared, 8'(sweep_set), sweep_visit, msc_insert & msc_evict,
      msc_insert & msc_over,
                    bitmap, 4'(msc_way), 8'(slot), read_o, msc_insert, hit & !stale_i, stale_i,
                        act};
endmodule
`default_nettype wire
