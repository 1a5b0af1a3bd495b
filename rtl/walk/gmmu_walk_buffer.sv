// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_buffer: walks that wait for a slot, in order of arrival; the oldest one whose
// application may start is offered. Each MSHR has at most one walk here, so Depth = number of MSHRs
// never overflows.
// A walk pushed in cycle t is offered from t+1 on. Source: MASK section 6 (64-entry walk buffer).
//
// Which one is offered comes from registers: it is picked in the cycle before, from the walks that
// are here and the one that is pushed: if none leaves then, by which applications may start
// (all_i, first_i, none_i), if the one of that cycle does, of all applications or none (two_i).
//
// A place holds MSHR, application and a flag of its user; ASID and page lie in a RAM by MSHR, read
// for the offered walk alone. A pop moves every place from the offered one on down.
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
  input  logic                push_flag_i,
  // who may start: all; those of none_i, by application, if first_i
  input  logic                all_i,
  input  logic                first_i,
  input  logic [NumAsids-1:0] none_i,
  input  logic                two_i,
  output logic                valid_o,
  output logic                same_o,     // as in the cycle before, if that one did not leave then
  output logic [IdxW-1:0]     mshr_o,
  output logic [NumAsids-1:0] app_hot_o,  // its application, one-hot
  output logic [AsidW-1:0]    asid_o,
  output logic [KeyW-1:0]     walk_key_o,
  output logic                flag_o,
  output logic                waited_o,   // offered walk was here before this cycle's newest
  input  logic                pop_i
);
  localparam int N      = Depth;
  localparam int PlaceW = 1 + IdxW + CtxW;
  `include "gmmu_first.svh"

  logic [Depth-1:0]      held_q;             // places in use: the lowest ones, oldest lowest
  logic [Depth-1:0]      fewer;              // held_q with one less
  logic                  fresh_q;            // the youngest came in last cycle
  logic [AsidW+KeyW-1:0] words_q [0:Depth-1]; // by MSHR: {ASID, page}
  logic [Depth*PlaceW-1:0] places;
  logic [PlaceW-1:0]     pushed;
  // the one that is offered; at or behind it
  logic [Depth-1:0]      pick_q, was_q, from;
  logic                  valid_q;
  logic [NumAsids-1:0]   app_hot_q;

  assign pushed     = {push_flag_i, push_mshr_i, CtxW'(push_asid_i)};
  assign from       = upwards(pick_q);
  assign fewer      = Depth'({1'b0, held_q} >> 1);
`ifdef VERILATOR    // only when one comes or leaves
  always_ff @(posedge clk_i) begin
    if (push_i | pop_i) begin
      for (int i = 0; i < Depth; i++) begin
        if ((push_i & !held_q[i]) | (pop_i & from[i])) begin
          places[i*PlaceW +: PlaceW] <= pushed;
          if (i < Depth - 1) if (held_q[i+1]) begin
            places[i*PlaceW +: PlaceW] <= places[(i+1)*PlaceW +: PlaceW];
          end
        end
      end
    end
  end
`else
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
`endif

  // ---- the next pick, if none leaves: the oldest one if all may start, else the oldest of those
  // whose application holds no slot, if one is free. What is pushed comes to the first place that
  // is not held, behind all others: it is picked if none of these may start.
  localparam int Groups = (Depth + FirstGroup - 1) / FirstGroup;
  logic [Depth-1:0] ready, oldest, place_free, oldest_none;
  logic [NumAsids-1:0] pushed_hot, held_hot, oldest_hot;
  logic             any, any_none, push, push_none;
  assign push       = push_i & (all_i | (first_i & none_i[CtxW'(push_asid_i)]));
  assign push_none  = push_i & none_i[CtxW'(push_asid_i)];
  assign place_free = Depth'({held_q, 1'b1}) & ~held_q;
  assign any_none   = |ready;
  assign any        = all_i ? held_q[0] : first_i & any_none;
  assign oldest_none = first(ready) | (place_free & {Depth{push_none & !any_none}});
  assign oldest     = all_i ? Depth'({held_q[0] | push_i}) : first_i ? oldest_none : '0;
  // Whose application holds no slot, of those that are held? A function: simulators skip it while
  // none is.
  function automatic logic [Depth-1:0] may_start(input logic [Depth-1:0] held,
      input logic [NumAsids-1:0] of_apps, input logic [Depth*PlaceW-1:0] all_places);
    begin
      may_start = held;
      if (`GMMU_ANY(held)) begin
        for (int i = 0; i < Depth; i++)
          may_start[i] = held[i] & of_apps[all_places[i*PlaceW +: CtxW]];
      end
    end
  endfunction
  assign ready = may_start(held_q, none_i, places);
  // Its application: the oldest of each group, beside the choice of the group. One-hot from there
  // on, as its root is chosen by that.
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [NumAsids-1:0] hot, chosen;   // of this group; of it and those above
    logic                some;
    for (genvar i = 0; i < FirstGroup; i++) begin : gen_one
      localparam int At = g * FirstGroup + i;
      logic [CtxW-1:0] app;       // of this place and those above in its group
      logic            any_up;
      if (At >= Depth) begin : gen_none
        assign app    = '0;
        assign any_up = 1'b0;
      end else if (i == FirstGroup - 1) begin : gen_last
        assign app    = places[At*PlaceW +: CtxW];
        assign any_up = ready[At];
      end else begin : gen_more
        assign app    = ready[At] ? places[At*PlaceW +: CtxW] : gen_one[i+1].app;
        assign any_up = ready[At] | gen_one[i+1].any_up;
      end
    end
    assign some = gen_one[0].any_up;
    assign hot  = NumAsids'(1) << gen_one[0].app;
    if (g == Groups - 1) begin : gen_top
      assign chosen = some ? hot : pushed_hot;
    end else begin : gen_below
      assign chosen = some ? hot : gen_group[g+1].chosen;
    end
  end
  assign pushed_hot = NumAsids'(1) << pushed[CtxW-1:0];
  assign held_hot   = NumAsids'(1) << places[CtxW-1:0];
  assign oldest_hot = !all_i ? gen_group[0].chosen : held_q[0] ? held_hot : pushed_hot;
  // ---- if one does: the oldest of the others, which is then in the lowest place
  logic            others;
  logic [CtxW-1:0] others_app;
  if (Depth > 1) begin : gen_others
    assign others     = held_q[1];
    assign others_app = !held_q[1] ? pushed[CtxW-1:0]
                      : pick_q[0] ? places[PlaceW +: CtxW] : places[CtxW-1:0];
  end else begin : gen_no_others
    assign others     = 1'b0;
    assign others_app = pushed[CtxW-1:0];
  end

  assign valid_o              = valid_q;
  assign app_hot_o            = app_hot_q;
  assign {asid_o, walk_key_o} = words_q[mshr_o];
  always_comb begin
    {flag_o, mshr_o} = '0;
    if (`GMMU_ANY(pick_q)) begin
      for (int i = 0; i < Depth; i++)
        if (pick_q[i]) {flag_o, mshr_o} = {flag_o, mshr_o} | places[i*PlaceW+CtxW +: IdxW + 1];
    end
  end
  assign same_o               = |(pick_q & was_q);
  assign waited_o             = !(fresh_q & |(pick_q & ~fewer));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= '0;
      fresh_q <= 1'b0;
      pick_q  <= '0;
      valid_q <= 1'b0;
      app_hot_q <= NumAsids'(1);
    end else begin
      fresh_q <= push_i;
      if (push_i & !pop_i) held_q <= Depth'({held_q, 1'b1});
      if (pop_i & !push_i) held_q <= fewer;
      valid_q <= pop_i ? two_i & (others | push_i) : any | push;
      pick_q  <= pop_i ? ((two_i & (others | push_i)) ? Depth'(1) : '0) : oldest;
      app_hot_q <= pop_i ? NumAsids'(1) << others_app : oldest_hot;
    end
  end
  always_ff @(posedge clk_i) was_q <= pick_q;
  always_ff @(posedge clk_i) if (push_i) words_q[push_mshr_i] <= {push_asid_i, push_walk_key_i};

  `GMMU_ASSERT(walk_buffer_no_overflow, !(push_i && !pop_i && held_q[Depth-1]))
  `GMMU_ASSERT(walk_buffer_pop_offered, !(pop_i && !valid_q))
  `GMMU_ASSERT(walk_buffer_offers_held, (pick_q & ~held_q) == '0 && valid_q == |pick_q)
endmodule
`default_nettype wire
