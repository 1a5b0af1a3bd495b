// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_buffer: walks that wait for a slot, in order of arrival; the oldest one whose
// application may start is offered. Each MSHR has at most one walk here, so Depth = number of MSHRs
// never overflows.
// A walk pushed in cycle t is offered from t+1 on. Source: MASK section 6 (64-entry walk buffer).
//
// A place holds MSHR and application; ASID and page lie in a RAM by MSHR, read for the offered walk
// alone. A pop moves every place from the offered one on down: these are the places with a walk
// that may start at or below them, so the pick is never made a number on that way.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_walk_buffer #(
  parameter int Depth    = 64,
  parameter int NumAsids = 8,
  parameter int AsidW    = 9,
  parameter int KeyW     = 36,
  localparam int IdxW    = gmmu_pkg::idx_w(Depth)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                push_i,
  input  logic [IdxW-1:0]     push_mshr_i,
  input  logic [AsidW-1:0]    push_asid_i,
  input  logic [KeyW-1:0]     push_walk_key_i,
  input  logic [NumAsids-1:0] may_i,
  output logic                valid_o,
  output logic [IdxW-1:0]     mshr_o,
  output logic [AsidW-1:0]    asid_o,
  output logic [KeyW-1:0]     walk_key_o,
  output logic                waited_o,   // offered walk was here before this cycle's newest
  input  logic                pop_i
);
  localparam int CtxW = gmmu_pkg::idx_w(NumAsids);
  localparam int N    = Depth;
  `include "gmmu_first.svh"

  logic [Depth-1:0]      held_q;             // places in use: the lowest ones, oldest lowest
  logic [Depth-1:0]      fewer;              // held_q with one less
  logic                  fresh_q;            // the youngest came in last cycle
  logic [AsidW+KeyW-1:0] words_q [0:Depth-1]; // by MSHR: {ASID, page}
  logic [Depth*IdxW-1:0] mshr;               // by place
  logic [Depth-1:0]      ready, from, pick;  // may start; at or behind one that may; the oldest
  logic [Depth:0]        behind;

  assign from   = upwards(ready);
  assign behind = {from, 1'b0};
  assign pick   = ready & ~behind[Depth-1:0];
  for (genvar i = 0; i < Depth; i++) begin : gen_place
    // A place that is not held takes what is pushed; the youngest one's upper neighbour is such.
    logic [IdxW+CtxW-1:0] place, above;
    if (i < Depth - 1) begin : gen_above
      assign above = held_q[i+1] ? gen_place[i+1].place : {push_mshr_i, CtxW'(push_asid_i)};
    end else begin : gen_top
      assign above = {push_mshr_i, CtxW'(push_asid_i)};
    end
    gmmu_clkgate #(.Width(IdxW + CtxW)) u_place (
      .clk_i, .en_i((push_i & !held_q[i]) | (pop_i & from[i])), .d_i(above), .q_o(place)
    );
    assign mshr[i*IdxW +: IdxW] = place[CtxW +: IdxW];
    assign ready[i] = held_q[i] & may_i[place[CtxW-1:0]];
  end
  always_comb begin
    mshr_o = '0;
    for (int i = 0; i < Depth; i++) if (pick[i]) mshr_o = mshr_o | mshr[i*IdxW +: IdxW];
  end
  assign valid_o              = |ready;
  assign {asid_o, walk_key_o} = words_q[mshr_o];
  assign fewer                = Depth'({1'b0, held_q} >> 1);
  assign waited_o             = !(fresh_q & |(pick & ~fewer));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= '0;
      fresh_q <= 1'b0;
    end else begin
      fresh_q <= push_i;
      if (push_i & !pop_i) held_q <= Depth'({held_q, 1'b1});
      if (pop_i & !push_i) held_q <= fewer;
    end
  end
  always_ff @(posedge clk_i) if (push_i) words_q[push_mshr_i] <= {push_asid_i, push_walk_key_i};

  `GMMU_ASSERT(walk_buffer_no_overflow, !(push_i && !pop_i && held_q[Depth-1]))
endmodule
`default_nettype wire
