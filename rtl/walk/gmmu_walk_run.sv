// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_run: what a walk does after its early answer: finds the run of subregions that are
// contiguous with the requested one, from the memory subregion cache or from the head PTEs of the
// frame's other subregions (gmmu_walk_heads), and has it filled as one entry. Rules and cycles:
// docs/msc.md. Source: MESC section IV-B.
//
// One walk at a time is looked up, in seven cycles, the others wait in order.
// Legal: MscWays 0 (no cache) or >= 2.
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
  // a walk that is to be looked up
  input  logic              push_i,
  input  logic [SlotW-1:0]  push_slot_i,
  // the one that is: what is known of it, from state
  output logic [SlotW-1:0]  slot_o,
  input  logic [AsidW-1:0]  asid_i,
  input  logic [VfnW-1:0]   vfn_i,
  input  logic              stale_i,
  input  logic [PfnW-1:0]   own_pfn_i,
  input  logic [7:0]        own_low_i,
  input  logic [7:0]        todo_i,
  input  logic [6:0]        bitmap_i,
  input  logic              insert_i,
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
  localparam int LfnW  = VfnW - 9;
  localparam int MWayW = gmmu_pkg::idx_w(MscWays);
  localparam int MSetW = gmmu_pkg::idx_w(MscSets);
  localparam logic [2:0] Ready = 3'd6;      // the cycle of a lookup in which it acts, or later

  if (MscWays == 1) begin : gen_bad_ways
    gmmu_walk_run_MscWays_must_be_0_or_at_least_2 u_bad();
  end

  `include "gmmu_types.svh"

  // ---- walks that wait, in order; the one that is looked up, and in which cycle
  logic             waits, load, held_q, ready, act, msc_busy, read, insert_d_q;
  logic [SlotW-1:0] slot, slot_q;
  logic [2:0]       cycle_q;
  /* verilator lint_off PINCONNECTEMPTY */
  gmmu_fifo #(.Width(SlotW), .Depth(Walks), .Late(1)) u_queue (
    .clk_i, .rst_ni, .push_i, .data_i(push_slot_i), .pop_i(load), .valid_o(waits),
    .data_o(slot), .count_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */
  assign load   = waits & (!held_q | act);
  assign ready  = held_q & cycle_q == Ready & !mark_i;
  assign act    = ready & grant_i;
  // not beside the insertion of the one before: a tag that is written is read a cycle later
  assign read   = held_q & cycle_q == 3'd0 & !msc_busy & !mark_i & !insert_d_q;
  assign slot_o = slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= 1'b0;
      cycle_q <= '0;
    end else begin
      held_q <= load | (held_q & !act);
      // a mark sends it back: its cache entry may be about to go
      if (load | mark_i) cycle_q <= '0;
      else if (cycle_q == 3'd0) cycle_q <= {2'd0, read};
      else if (cycle_q != Ready) cycle_q <= cycle_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) if (load) slot_q <= slot;

  // ---- cycle 0: what is known of it, and its set of the cache is read. What follows stands still
  // from its cycle on.
  logic [AsidW-1:0] asid_q;
  logic [VfnW-1:0]  vfn_q;
  logic             stale_q, insert_q;
  logic [PfnW-1:0]  own_pfn_q;
  logic [7:0]       own_low_q, todo_q;
  logic [6:0]       bitmap_q;
  gmmu_clkgate #(.Width(AsidW + VfnW + PfnW + 25)) u_known (
    .clk_i, .en_i(cycle_q == 3'd0),
    .d_i({asid_i, vfn_i, stale_i, insert_i, own_pfn_i, own_low_i, todo_i, bitmap_i}),
    .q_o({asid_q, vfn_q, stale_q, insert_q, own_pfn_q, own_low_q, todo_q, bitmap_q})
  );

  // ---- cycle 1: tags are compared; 2: a hit and its bitmap. An insertion, or that a hit is the
  // most recent, in the cycle after it acted.
  logic       msc_hit, hit_q, msc_insert, msc_over, msc_evict, touch_d_q, sweep_visit;
  logic [6:0] msc_bitmap, run_q;
  logic [MWayW-1:0]  msc_way, msc_fill_way;
  logic [MSetW-1:0]  sweep_set;
  logic [15:0]       sweep_cleared;
  logic              reads_q;
  assign msc_insert = act & !reads_q & !stale_q & !hit_q;
  always_ff @(posedge clk_i) begin
    insert_d_q <= rst_ni & msc_insert;
    touch_d_q  <= rst_ni & act & !stale_q & hit_q;
    hit_q      <= msc_hit & !insert_q;
    run_q      <= msc_hit & !insert_q ? msc_bitmap : bitmap_q;
  end
  if (MscWays != 0) begin : gen_msc
    logic [MscWays-1:0] cleared;
    gmmu_msc #(.Sets(MscSets), .Ways(MscWays), .AsidW(AsidW), .LfnW(LfnW)) u_msc (
      .clk_i, .rst_ni, .early_i(read), .early_lfn_i(vfn_i[VfnW-1:9]),
      .read_i(held_q & cycle_q != 3'd0), .asid_i(asid_q), .lfn_i(vfn_q[VfnW-1:9]),
      .hit_o(msc_hit), .bitmap_o(msc_bitmap), .way_o(msc_way), .touch_i(touch_d_q),
      .insert_i(insert_d_q), .bitmap_i(run_q), .insert_way_o(msc_fill_way),
      .overwrite_o(msc_over), .evict_o(msc_evict), .clear_i(mark_i), .cmd_i, .busy_o(msc_busy),
      .sweep_visit_o(sweep_visit), .sweep_set_o(sweep_set), .sweep_cleared_o(cleared)
    );
    assign sweep_cleared = 16'(cleared);
  end else begin : gen_no_msc
    logic unused_msc;
    assign unused_msc = ^{asid_q, cmd_i, read, vfn_q[VfnW-1:9], vfn_i[VfnW-1:9], insert_d_q,
                          touch_d_q};
    assign {msc_busy, msc_hit, msc_bitmap, msc_way, msc_fill_way, msc_over, msc_evict, sweep_visit,
            sweep_set, sweep_cleared} = '0;
  end
  assign busy_o = msc_busy;

  // ---- cycle 3: the run round the walk's own subregion; whether heads are to be read instead
  logic [2:0] own, first, last, first_q, last_q;
  logic [6:0] beyond, beyond_q;     // subregions that are not below its own
  logic [6:0] down, up;             // the run reaches down to subregion i; up to i + 1
  assign own = vfn_q[8:6];
  for (genvar i = 0; i < 7; i++) begin : gen_reach
    assign beyond[i] = 3'(i) >= own;
    assign down[i]   = &(run_q[6:i] | beyond_q[6:i]);
    assign up[i]     = &(run_q[i:0] | ~beyond_q[i:0]);
  end
  // Ones from some place on, or up to one: the place is a number of three bits.
  assign first = {!down[3], down[3] ? !down[1] : !down[5],
                  down[3] ? (down[1] ? !down[0] : !down[2]) : (down[5] ? !down[4] : !down[6])};
  assign last  = {up[3], up[3] ? up[5] : up[1],
                  up[3] ? (up[5] ? up[6] : up[4]) : (up[1] ? up[2] : up[0])};
  function automatic logic [2:0] lowest(input logic [7:0] set);
    begin
      lowest = 3'd0;
      for (int i = 7; i >= 0; i--) if (set[i]) lowest = 3'(i);
    end
  endfunction
  always_ff @(posedge clk_i) begin
    beyond_q   <= beyond;
    first_q    <= first;
    last_q     <= last;
    reads_q    <= !stale_q & !insert_q & !hit_q & todo_q != 8'd0;
    read_idx_o <= lowest(todo_q);
  end

  // ---- cycle 4: its frames; 5: are they in a window. One that leaves the allowed window is cut
  // down to the subregion that was asked for.
  logic [PfnW-1:0] own_d_q, base_q;     // own_d_q: a register behind the RAM of heads
  logic [PfnW-1:0] page_q;              // that was asked for
  logic [PfnW:0]   run_end_q;
  logic            run_ok, run_ok_q;
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_windows (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i), .first_i(base_q),
    .last_i(run_end_q[PfnW-1:0]),
    .inside_o(run_ok)
  );
  // Within a 2 MiB frame; the frame before and the one behind it stand ready.
  logic [2:0]        back, ahead;
  logic [3:0]        base_low;
  logic [9:0]        end_low, page_low;
  logic [PfnW-10:0]  frame, frame_less_q;
  logic [PfnW-9:0]   frame_more_q;
  localparam int Half = (PfnW - 9) / 2;
  logic [PfnW-9-Half:0] frame_high;
  assign back       = own - first_q;
  assign ahead      = last_q - own;
  assign frame      = own_d_q[PfnW-1:9];
  assign frame_high = {1'b0, frame[PfnW-10:Half]};
  assign base_low   = {1'b0, own_d_q[8:6]} - {1'b0, back};
  assign end_low    = {1'b0, own_d_q[8:0]} + {1'b0, ahead, 6'd63};
  assign page_low   = {1'b0, own_d_q[8:0]} + {4'd0, vfn_q[5:0]};
  always_ff @(posedge clk_i) begin
    own_d_q      <= own_pfn_q;
    page_q       <= {page_low[9] ? frame_more_q[PfnW-10:0] : frame, page_low[8:0]};
    frame_less_q <= frame - 1'b1;
    // one more in two halves
    frame_more_q <= {&frame[Half-1:0] ? frame_high + 1'b1 : frame_high, frame[Half-1:0] + 1'b1};
    base_q       <= {base_low[3] ? frame_less_q : frame, base_low[2:0], own_d_q[5:0]};
    run_end_q    <= {end_low[9] ? frame_more_q : {1'b0, frame}, end_low[8:0]};
    run_ok_q     <= run_ok & !run_end_q[PfnW];
  end

  // ---- cycle 6 and later: it ends or reads, when it may
  logic [2:0] run_first, run_len;
  xlate_t     end_xlate;
  assign read_o    = ready & reads_q;
  assign end_o     = ready & !reads_q;
  assign run_first = run_ok_q ? first_q : own;
  assign run_len   = run_ok_q ? last_q - first_q : 3'd0;
  assign end_run_o = {1'b0, 1'b1, !stale_q, run_first, run_len};
  always_comb begin
    end_xlate      = '0;
    end_xlate.perm = {own_low_q[7], own_low_q[4:1]};
    end_xlate.pfn  = page_q;
  end
  assign end_xlate_o = end_xlate;

  // The cache's sweep, then a lookup that was used: fields msc_* and run_* of rtl/observation.txt.
  assign event_o = {sweep_cleared, 8'(sweep_set), sweep_visit, msc_insert & msc_evict,
      msc_insert & msc_over, run_q, msc_insert ? 4'(msc_fill_way) : 4'(msc_way), 7'(slot_q),
      read_o, msc_insert, hit_q & !stale_q, stale_q, act};
endmodule
`default_nettype wire
