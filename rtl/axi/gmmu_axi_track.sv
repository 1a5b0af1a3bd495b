// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_track: the bursts of one direction that were issued to memory and are not yet complete.
//
// Entries hold an ID and whether the burst is *old*: issued before the last mark. Bursts of one ID
// complete in the order of issue, so a completion belongs to an old entry of its ID if there is
// one, and no order has to be kept. An atomic that also returns read data (Atop=1, push_r_i) is
// complete after its B and its last R. Legal: Depth 2..64. docs/axi_port.md
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_axi_track #(
  parameter int IdW   = 4,
  parameter int Depth = 16,
  parameter int Atop  = 0
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            push_i,
  input  logic [IdW-1:0]  push_id_i,
  input  logic            push_r_i,      // Atop=1: waits for a last R as well
  input  logic            push_old_i,
  output logic            full_o,
  input  logic            pop_i,         // last R, or B
  input  logic [IdW-1:0]  pop_id_i,
  output logic            match_o,       // pop_id_i: there is such a burst
  input  logic            pop_r_i,       // Atop=1: a last R that answers no read
  input  logic [IdW-1:0]  pop_r_id_i,
  input  logic [IdW-1:0]  ask_id_i,
  output logic            ask_o,         // a burst of that ID is on its way
  input  logic            mark_i,        // all that are here become old
  output logic            old_o,         // an old burst is on its way
  output logic            busy_o         // a burst is on its way
);
  if (Depth < 2 || Depth > 64) begin : gen_bad_depth
    gmmu_axi_track_Depth_must_be_2_to_64 u_bad();
  end

  localparam int N = Depth;
  `include "gmmu_first.svh"

  logic [Depth-1:0] valid_q, old_q, need_r_q, got_b_q;
  logic [IdW-1:0]   id [0:Depth-1];
  logic [Depth-1:0] same, same_r, asked, put, hit, hit_r, gone;

  for (genvar e = 0; e < Depth; e++) begin : gen_entry
    assign same[e]   = valid_q[e] & id[e] == pop_id_i & !got_b_q[e];
    assign same_r[e] = valid_q[e] & id[e] == pop_r_id_i & need_r_q[e];
    assign asked[e]  = valid_q[e] & id[e] == ask_id_i;
    always_ff @(posedge clk_i) if (push_i & put[e]) id[e] <= push_id_i;
  end
  assign put    = first(~valid_q);
  assign hit    = {Depth{pop_i}} & first((same & old_q) != '0 ? same & old_q : same);
  assign hit_r  = Atop != 0 ? {Depth{pop_r_i}} & first(same_r) : '0;
  assign gone   = (hit & (~need_r_q | hit_r)) | (hit_r & got_b_q);
  assign match_o = |same;
  assign full_o = &valid_q;
  assign ask_o  = |asked;
  assign old_o  = |(valid_q & old_q);
  assign busy_o = |valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= (valid_q & ~gone) | ({Depth{push_i}} & put);
  end
  always_ff @(posedge clk_i) begin
    old_q    <= mark_i ? '1 : push_i & push_old_i ? old_q | put : push_i ? old_q & ~put : old_q;
    need_r_q <= push_i & push_r_i ? (need_r_q & ~hit_r) | put
              : push_i            ? need_r_q & ~hit_r & ~put
                                  : need_r_q & ~hit_r;
    got_b_q  <= push_i ? (got_b_q | hit) & ~put : got_b_q | hit;
  end

  `GMMU_ASSERT(track_no_overflow, !(push_i && full_o))
endmodule
`default_nettype wire
