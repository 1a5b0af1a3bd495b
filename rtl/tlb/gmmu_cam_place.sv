// SPDX-License-Identifier: Apache-2.0
// gmmu_cam_place: which entry of a fully associative array takes a fill, and the recency of all.
// Part of gmmu_tlb_cam.
//
// A fill goes to the entry that is the same (same_i, same_hot_i), else to the lowest free one, else
// to the least recent; a fill is a touch of port 0. Late=1: who was found, or filled, is kept from
// take_i on, as the search's path ends there, and that it was touched, which is one bit, apart.
`default_nettype none
module gmmu_cam_place #(
  parameter int N     = 16,
  parameter int Ports = 1,
  parameter int Pages = 1,
  parameter int Late  = 0,
  parameter int Apart = 0,    // 1: no fill in the cycle behind another
  parameter int Kept  = 0     // 1: the lowest free one is a register; none but sweeps free one
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [Ports*N-1:0] hot_i,      // that hit
  input  logic [Ports-1:0]   touch_i,
  input  logic               take_i,
  input  logic [N-1:0]       used_i,
  input  logic               sweeps_i,   // Apart, Kept: the one of at_i goes
  input  logic [N-1:0]       at_i,
  input  logic [N-1:0]       upto_i,     // Kept: at_i and all below
  input  logic               fill_i,
  input  logic               same_i,
  input  logic [N-1:0]       same_hot_i,
  output logic [N-1:0]       into_o,     // that takes the fill
  output logic               evict_o,
  output logic [N-1:0]       found_o,    // Late: kept
  output logic [N-1:0]       data_into_o // whose data are written: Late=2: in the cycle after
);
  logic               full, held;
  logic [N-1:0]       victim, hot0;      // one-hot: free or least recent
  logic [Ports*N-1:0] touch;             // one-hot, by port; Late: of the cycle before
  assign hot0    = hot_i[N-1:0];
  assign into_o  = !fill_i ? '0 : same_i ? same_hot_i : victim;
  assign evict_o = fill_i & !same_i & full;

  if (Late != 0) begin : gen_late
    logic touched_q, filled_q;
    gmmu_clkgate #(.Width(N)) u_found (
      .clk_i, .en_i(take_i), .d_i(Pages == 1 ? hot0 | into_o : fill_i ? into_o : hot0),
      .q_o(found_o)
    );
    always_ff @(posedge clk_i) begin
      touched_q <= rst_ni & (fill_i | touch_i[0]);
      filled_q  <= rst_ni & fill_i;
    end
    assign touch       = found_o;
    assign held        = touched_q;
    assign data_into_o = Late != 2 ? into_o : filled_q ? found_o : '0;
  end else begin : gen_now
    logic unused_take;
    assign unused_take  = take_i;
    assign found_o      = '0;
    assign data_into_o  = into_o;
    assign held         = 1'b1;
    assign touch[N-1:0] = fill_i ? into_o : touch_i[0] ? hot0 : '0;
    if (Ports == 2) begin : gen_touch1
      assign touch[2*N-1:N] = touch_i[1] ? hot_i[2*N-1:N] : '0;
    end
  end
  logic         all_used;
  logic [N-1:0] old;
  if (Apart != 0) begin : gen_ahead
    // The lowest free one is chosen in the cycle before; what is swept then is known last. From
    // registers of their own, as all searches hang on used_i's: empty_q is its inverse.
    `include "gmmu_first.svh"
    logic         full_q, unused_full;
    logic [N-1:0] empty_q, free, more, free_q;
    assign free = first(empty_q);
    assign more = first(empty_q | at_i);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) empty_q <= '1;
      else empty_q <= ~((sweeps_i ? used_i & ~at_i : used_i) | into_o);
    end
    always_ff @(posedge clk_i) begin
      free_q <= sweeps_i ? more : free;
      full_q <= (empty_q | (sweeps_i ? at_i : '0)) == '0;
    end
    `GMMU_ASSERT(cam_place_empty, empty_q == ~used_i)
    assign unused_full = all_used ^ (^upto_i);
    assign full        = full_q;
    assign victim      = full_q ? old : free_q;
  end else if (Kept != 0) begin : gen_kept
    // Of what is free now, without the one that is filled, the lowest, or what is swept, where
    // that is lower: known last. It is used then: what is free is no lower. A fill takes the free
    // one, or where there is none the old one, which then is not free, swept or not.
    `include "gmmu_first.svh"
    logic         stays, goes, unused_full;
    logic [N-1:0] free_q, left;
    assign left  = ~used_i & ~free_q;
    assign stays = (fill_i ? (left & upto_i) | (free_q & at_i) : free_q & upto_i) != '0;
    assign goes  = sweeps_i & !stays;
    gmmu_clkgate #(.Width(N)) u_free (
      .clk_i, .en_i(!rst_ni | fill_i | goes),
      .d_i(!rst_ni ? N'(1) : goes ? at_i & ~into_o : first(left)), .q_o(free_q)
    );
    `GMMU_ASSERT(cam_place_lowest, free_q == first(~used_i))
    `GMMU_ASSERT(cam_place_kept_is_new, !same_i)
    assign unused_full = all_used;
    assign full        = free_q == '0;
    assign victim      = free_q | old;
  end else begin : gen_now_free
    logic unused_swept;
    assign unused_swept = ^{sweeps_i, at_i, upto_i};
    assign full         = all_used;
    assign victim       = old;
  end
  gmmu_replace #(.Ways(N), .Ports(Ports), .Held(32'(Late != 0))) u_replace (
    .clk_i, .rst_ni, .flush_i(1'b0), .early_set_i({Ports{1'b0}}), .early_known_i({Ports{1'b1}}),
    .set_i({Ports{1'b0}}), .known_i({Ports{1'b1}}), .touch_i(touch), .held_i(held),
    .query_i(Kept != 0 ? fill_i & full : fill_i), .may_i({N{1'b1}}),
    .used_i(Apart + Kept != 0 ? {N{1'b1}} : used_i),
    .full_o(all_used), .way_o(old)
  );
endmodule
`default_nettype wire
