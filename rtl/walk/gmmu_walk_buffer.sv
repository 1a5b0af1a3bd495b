// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_buffer: walks that wait for a slot, in order of arrival; the oldest one whose
// application may start is offered. Each MSHR has at most one walk here, so Depth = number of MSHRs
// never overflows.
// A walk pushed in cycle t is offered from t+1 on. Source: MASK section 6 (64-entry walk buffer).
//
// Which one is offered comes from registers: it is picked in the cycle before, for both cases, that
// the one of that cycle leaves and that it does not, by what the applications may then do
// (keep_i, take_i), from the walks that are here and the one that is pushed.
//
// A place holds MSHR and application; ASID and page lie in a RAM by MSHR, read for the offered walk
// alone. A pop moves every place from the offered one on down.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_walk_buffer #(
  parameter int Depth    = 64,
  parameter int NumAsids = 8,
  parameter int AsidW    = 9,
  parameter int KeyW     = 36,
  localparam int IdxW    = gmmu_pkg::idx_w(Depth),
  localparam int CtxW    = gmmu_pkg::idx_w(NumAsids)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                push_i,
  input  logic [IdxW-1:0]     push_mshr_i,
  input  logic [AsidW-1:0]    push_asid_i,
  input  logic [KeyW-1:0]     push_walk_key_i,
  input  logic [NumAsids-1:0] keep_i,     // may start in the next cycle, without a pop in this one
  input  logic [NumAsids-1:0] take_i,     // ... with one
  output logic                valid_o,
  output logic [IdxW-1:0]     mshr_o,
  output logic [CtxW-1:0]     app_o,
  output logic [AsidW-1:0]    asid_o,
  output logic [KeyW-1:0]     walk_key_o,
  output logic                waited_o,   // offered walk was here before this cycle's newest
  input  logic                pop_i
);
  localparam int N      = Depth;
  localparam int PlaceW = IdxW + CtxW;
  `include "gmmu_first.svh"

  logic [Depth-1:0]      held_q;             // places in use: the lowest ones, oldest lowest
  logic [Depth-1:0]      fewer;              // held_q with one less
  logic                  fresh_q;            // the youngest came in last cycle
  logic [AsidW+KeyW-1:0] words_q [0:Depth-1]; // by MSHR: {ASID, page}
  logic [Depth*PlaceW-1:0] places;
  logic [PlaceW-1:0]     pushed;
  // the one that is offered; at or behind it; the first place that is not held
  logic [Depth-1:0]      pick_q, from;
  logic [Depth:0]        free_place;
  logic                  valid_q;
  logic [CtxW-1:0]       app_q;

  assign pushed     = {push_mshr_i, CtxW'(push_asid_i)};
  assign from       = upwards(pick_q);
  assign fewer      = Depth'({1'b0, held_q} >> 1);
  assign free_place = {1'b1, ~held_q} & {held_q, 1'b1};
  for (genvar i = 0; i < Depth; i++) begin : gen_place
    // A place that is not held takes what is pushed; the youngest one's upper neighbour is such.
    logic [PlaceW-1:0] place, above;
    if (i < Depth - 1) begin : gen_above
      assign above = held_q[i+1] ? gen_place[i+1].place : pushed;
    end else begin : gen_top
      assign above = pushed;
    end
    gmmu_clkgate #(.Width(PlaceW)) u_place (
      .clk_i, .en_i((push_i & !held_q[i]) | (pop_i & from[i])), .d_i(above), .q_o(place)
    );
    assign places[i*PlaceW +: PlaceW] = place;
  end

  // ---- the next pick: 0 without a pop, 1 with one
  logic [2*Depth-1:0]  next_pick;
  logic [2*CtxW-1:0]   next_app;
  logic [1:0]          next_valid;
  for (genvar c = 0; c < 2; c++) begin : gen_case
    logic [NumAsids-1:0] may;
    logic [Depth-1:0]    ready, oldest, at, push_at;
    logic [CtxW-1:0]     app;
    logic                any, push;
    assign may = c == 0 ? keep_i : take_i;
    for (genvar i = 0; i < Depth; i++) begin : gen_ready
      assign ready[i] = held_q[i] & may[places[i*PlaceW +: CtxW]] & !(c == 1 & pick_q[i]);
    end
    assign oldest  = first(ready);
    assign any     = |ready;
    assign push    = push_i & may[CtxW'(push_asid_i)];
    assign push_at = c == 0 ? free_place[Depth-1:0] : free_place[Depth:1];
    assign at      = c == 0 ? oldest : (oldest & ~from) | (Depth'({1'b0, oldest} >> 1) & from);
    always_comb begin
      app = any ? '0 : pushed[CtxW-1:0];
      for (int i = 0; i < Depth; i++) if (oldest[i]) app = app | places[i*PlaceW +: CtxW];
    end
    assign next_pick[c*Depth +: Depth]    = any ? at : push ? push_at : '0;
    assign next_app[c*CtxW +: CtxW]       = app;
    assign next_valid[c]                  = any | push;
  end

  assign valid_o              = valid_q;
  assign app_o                = app_q;
  assign {asid_o, walk_key_o} = words_q[mshr_o];
  always_comb begin
    mshr_o = '0;
    for (int i = 0; i < Depth; i++)
      if (pick_q[i]) mshr_o = mshr_o | places[i*PlaceW+CtxW +: IdxW];
  end
  assign waited_o             = !(fresh_q & |(pick_q & ~fewer));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= '0;
      fresh_q <= 1'b0;
      pick_q  <= '0;
      valid_q <= 1'b0;
      app_q   <= '0;
    end else begin
      fresh_q <= push_i;
      if (push_i & !pop_i) held_q <= Depth'({held_q, 1'b1});
      if (pop_i & !push_i) held_q <= fewer;
      valid_q <= pop_i ? next_valid[1] : next_valid[0];
      pick_q  <= pop_i ? next_pick[Depth +: Depth] : next_pick[Depth-1:0];
      app_q   <= pop_i ? next_app[CtxW +: CtxW] : next_app[CtxW-1:0];
    end
  end
  always_ff @(posedge clk_i) if (push_i) words_q[push_mshr_i] <= {push_asid_i, push_walk_key_i};

  `GMMU_ASSERT(walk_buffer_no_overflow, !(push_i && !pop_i && held_q[Depth-1]))
  `GMMU_ASSERT(walk_buffer_pop_offered, !(pop_i && !valid_q))
  `GMMU_ASSERT(walk_buffer_offers_held, (pick_q & ~held_q) == '0 && valid_q == |pick_q)
endmodule
`default_nettype wire
