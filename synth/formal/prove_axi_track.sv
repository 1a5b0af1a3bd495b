// SPDX-License-Identifier: Apache-2.0
// Bursts on their way are counted right by ID, whatever completes when: how many, and how many of
// them were issued before the last mark. Completions of an ID are those of its old bursts first, as
// memory answers one ID in order.
`default_nettype none
module prove_axi_track #(
  parameter int Depth  = 3,
  parameter int Covers = 0
) (
  input  logic clk_i,
  input  logic push_i,
  input  logic push_id_i,
  input  logic push_old_i,
  input  logic pop_i,
  input  logic pop_id_i,
  input  logic ask_id_i,
  input  logic mark_i
);
  `include "prove.svh"

  logic full, match, ask, old, busy;
  gmmu_axi_track #(.IdW(1), .Depth(Depth), .Atop(0)) u_dut (
    .clk_i, .rst_ni, .push_i, .push_id_i, .push_r_i(1'b0), .push_old_i, .full_o(full), .pop_i,
    .pop_id_i, .match_o(match),
    .pop_r_i(1'b0), .pop_r_id_i(1'b0), .ask_id_i, .ask_o(ask), .mark_i, .old_o(old), .busy_o(busy)
  );

  // all_q, old_q: bursts of ID 0, of ID 1, of 4 bits each
  logic [7:0] all_q, all, old_q, olds;
  logic [3:0] n, o;
  always_comb begin
    all  = all_q;
    olds = old_q;
    n    = '0;
    o    = '0;
    for (int i = 0; i < 2; i++) begin
      n = all_q[i*4 +: 4];
      o = old_q[i*4 +: 4];
      if (pop_i && pop_id_i == 1'(i)) begin
        n = n - 4'd1;
        if (o != '0) o = o - 4'd1;
      end
      if (push_i && push_id_i == 1'(i)) begin
        n = n + 4'd1;
        if (push_old_i) o = o + 4'd1;
      end
      all[i*4 +: 4]  = n;
      olds[i*4 +: 4] = mark_i ? n : o;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) all_q <= '0;
    else all_q <= all;
    if (!rst_ni) old_q <= '0;
    else old_q <= olds;
  end
  always_comb begin
    if (!rst_ni) assume (!push_i && !pop_i);
    assume (!(push_i && full));
    assume (!(pop_i && all_q[pop_id_i*4 +: 4] == '0));
  end
  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        full_when_full: assert (full == (32'(all_q[3:0]) + 32'(all_q[7:4]) == Depth));
        match_when_there: assert (match == (all_q[pop_id_i*4 +: 4] != '0));
        ask_when_there: assert (ask == (all_q[ask_id_i*4 +: 4] != '0));
        old_when_old: assert (old == (old_q != '0));
        busy_when_any: assert (busy == (all_q != '0));
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(full & old & old_q != all_q & pop_i));
    always_comb if (rst_ni) assert (!(mark_i & push_i & pop_i & old));
  end
endmodule
`default_nettype wire
