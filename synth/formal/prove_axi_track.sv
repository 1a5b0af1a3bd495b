// SPDX-License-Identifier: Apache-2.0
// Bursts on their way are counted right by ID, whatever completes when: how many, and how many of
// them were issued before the last mark. Completions of an ID are those of its old bursts first, as
// memory answers one ID in order. Atop: an atomic that returns data is on its way until its B and
// its last R have come, in either order; it is the only burst of its ID meanwhile, as AXI5 demands.
`default_nettype none
module prove_axi_track #(
  parameter int Depth  = 3,
  parameter int Atop   = 0,
  parameter int Covers = 0
) (
  input  logic clk_i,
  input  logic push_i,
  input  logic push_id_i,
  input  logic push_r_i,
  input  logic push_old_i,
  input  logic pop_i,
  input  logic pop_id_i,
  input  logic pop_r_i,
  input  logic pop_r_id_i,
  input  logic ask_id_i,
  input  logic mark_i
);
  `include "prove.svh"

  logic full, match, ask, old, busy;
  gmmu_axi_track #(.IdW(1), .Depth(Depth), .Atop(Atop)) u_dut (
    .clk_i, .rst_ni, .push_i, .push_id_i, .push_r_i, .push_old_i, .full_o(full), .pop_i,
    .pop_id_i, .match_o(match), .pop_r_i, .pop_r_id_i, .ask_id_i, .ask_o(ask), .mark_i,
    .old_o(old), .busy_o(busy)
  );

  // By ID: bursts that await B alone, those of them that are old, of 4 bits each; what an atomic
  // awaits, and whether it is old.
  logic [7:0] all_q, all, old_q, olds;
  logic [1:0] b_q, b, r_q, r, a_old_q, a_old, on_way, awaits_b;
  logic [3:0] n, o;
  assign on_way   = {all_q[7:4] != '0, all_q[3:0] != '0} | b_q | r_q;
  assign awaits_b = {all_q[7:4] != '0, all_q[3:0] != '0} | b_q;
  always_comb begin
    {all, olds, b, r, a_old} = {all_q, old_q, b_q, r_q, a_old_q};
    {n, o} = '0;
    for (int i = 0; i < 2; i++) begin
      n = all_q[i*4 +: 4];
      o = old_q[i*4 +: 4];
      if (pop_i && pop_id_i == 1'(i)) begin
        if (b_q[i]) b[i] = 1'b0;
        else begin
          n = n - 4'd1;
          if (o != '0) o = o - 4'd1;
        end
      end
      if (pop_r_i && pop_r_id_i == 1'(i)) r[i] = 1'b0;
      if (!b[i] && !r[i]) a_old[i] = 1'b0;
      if (push_i && push_id_i == 1'(i)) begin
        if (push_r_i) {b[i], r[i], a_old[i]} = {2'b11, push_old_i};
        else begin
          n = n + 4'd1;
          if (push_old_i) o = o + 4'd1;
        end
      end
      all[i*4 +: 4]  = n;
      olds[i*4 +: 4] = mark_i ? n : o;
      if (mark_i) a_old[i] = b[i] | r[i];
    end
  end
  always_ff @(posedge clk_i) begin
    {all_q, old_q, b_q, r_q, a_old_q} <= rst_ni ? {all, olds, b, r, a_old} : '0;
  end
  always_comb begin
    if (!rst_ni) assume (!push_i && !pop_i && !pop_r_i);
    assume (!(push_i && full));
    assume (!(pop_i && !awaits_b[pop_id_i]));
    assume (Atop != 0 || !push_r_i);
    assume (!(pop_r_i && !r_q[pop_r_id_i]));
    assume (!(push_i && (b_q[push_id_i] || r_q[push_id_i] || (push_r_i && on_way[push_id_i]))));
  end
  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        full_when_full: assert (full == (32'(all_q[3:0]) + 32'(all_q[7:4]) + 32'(b_q[0] | r_q[0]) +
            32'(b_q[1] | r_q[1]) == Depth));
        match_when_there: assert (match == awaits_b[pop_id_i]);
        ask_when_there: assert (ask == on_way[ask_id_i]);
        old_when_old: assert (old == (old_q != '0 || a_old_q != '0));
        busy_when_any: assert (busy == (on_way != '0));
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(full & old & old_q != all_q & pop_i));
    always_comb if (rst_ni) assert (!(mark_i & push_i & pop_i & old));
    if (Atop != 0) begin : gen_atomics
      always_comb if (rst_ni) assert (!(b_q[0] & !r_q[0] & r_q[1] & !b_q[1] & old));
      always_comb if (rst_ni) assert (!(pop_i & pop_r_i & pop_id_i == pop_r_id_i & mark_i));
      always_comb if (rst_ni) assert (!(pop_r_i & pop_i & full & a_old_q[0]));
    end
  end
endmodule
`default_nettype wire
