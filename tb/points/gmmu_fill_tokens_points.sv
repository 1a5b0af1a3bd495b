// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_fill_tokens (docs/coverage.md), of its observation port (a cycle later), its ports
// and, as gmmu_axi has no observation, the first cycle of an application's turn.
`default_nettype none
module gmmu_fill_tokens_points #(
  parameter int NumAsids = 8,
  localparam int CtxW    = gmmu_pkg::idx_w(NumAsids)
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              epoch_i,
  input logic              free_i,
  input logic              first,      // of the block: a turn's settings count
  input logic [6:0]        start_i,
  input logic [2:0]        step_i,
  input logic [6:0]        points_i,
  input logic [1:0]        look_i,
  input logic [1:0]        look_hit_i,
  input logic [2*CtxW-1:0] look_app_i,
  input logic              holds_o,
  input logic [gmmu_pkg::OBS_TOKEN_W-1:0] obs_o
);
`include "gmmu_obs_places.svh"
  logic [OBS_TOKEN_TOKENS_W-1:0] tokens, active;
  logic        update, up;
  logic [CtxW-1:0] app;
  assign update = obs_o[OBS_TOKEN_UPDATE];
  assign app    = obs_o[OBS_TOKEN_WHO +: CtxW];
  assign tokens = obs_o[OBS_TOKEN_TOKENS +: OBS_TOKEN_TOKENS_W];
  assign up     = obs_o[OBS_TOKEN_UP];
  assign active = obs_o[OBS_TOKEN_ACTIVE +: OBS_TOKEN_ACTIVE_W];

  // Of each application: its tokens before, which way they went last; lookups of this epoch.
  logic [15:0]         before_q [0:NumAsids-1];
  logic [15:0]         hits_q   [0:NumAsids-1];
  logic [15:0]         misses_q [0:NumAsids-1];
  logic [NumAsids-1:0] up_q;
  logic [15:0]         was;
  logic [2*NumAsids-1:0] halves;   // {of misses, of hits}
  assign was = before_q[app];
  for (genvar a = 0; a < NumAsids; a++) begin : gen_app
    logic [1:0] on, hits, misses;
    logic [15:0] base_hits, base_misses;
    logic        over_hits, over_misses;
    assign on = {look_i[1] & look_app_i[CtxW +: CtxW] == CtxW'(a),
        look_i[0] & look_app_i[CtxW-1:0] == CtxW'(a)};
    assign hits        = 2'($countones(on & look_hit_i));
    assign misses      = 2'($countones(on & ~look_hit_i));
    assign base_hits   = epoch_i ? '0 : hits_q[a];
    assign base_misses = epoch_i ? '0 : misses_q[a];
    assign over_hits   = {1'b0, base_hits} + 17'(hits) > 17'hffff;
    assign over_misses = {1'b0, base_misses} + 17'(misses) > 17'hffff;
    assign halves[2*a +: 2] = {over_misses, over_hits};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        hits_q[a]   <= '0;
        misses_q[a] <= '0;
      end else begin
        hits_q[a]   <= (over_hits | over_misses ? base_hits >> 1 : base_hits) + 16'(hits);
        misses_q[a] <= (over_hits | over_misses ? base_misses >> 1 : base_misses) + 16'(misses);
      end
    end
  end
  logic [1:0] halved;
  always_comb begin
    halved = '0;
    for (int a = 0; a < NumAsids; a++) halved = halved | halves[2*a +: 2];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_q <= '0;
      for (int a = 0; a < NumAsids; a++) before_q[a] <= '0;
    end else if (update) begin
      before_q[app] <= tokens;
      up_q[app]     <= up;
    end
  end

  covergroup token_change @(posedge clk_i);
    change: coverpoint {was == '0, tokens > was, tokens < was} iff (rst_ni & update &
        active != '0) {
      wildcard bins starts = {3'b1??};
      bins up = {2};
      bins down = {1};
      bins same = {0};
    }
    limit: coverpoint {32'(tokens) == 1, tokens == active} {
      bins between = {0};
      bins floor_1 = {2};
      bins ceiling_w = {1};
      bins floor_and_ceiling = {3};
    }
    to: cross change, limit {
      // More than before is more than one.
      ignore_bins low = binsof(change.up) &&
          (binsof(limit.floor_1) || binsof(limit.floor_and_ceiling));
    }
    direction: coverpoint {up_q[app], up} iff (rst_ni & update & active != '0 & was != '0) {
      bins stays_down = {0};
      bins turns_up = {1};
      bins turns_down = {2};
      bins stays_up = {3};
    }
    warps: coverpoint {was != '0, active != '0} iff (rst_ni & update) {
      bins never_any = {0};
      bins stops = {2};
      bins starts = {1};
      bins goes_on = {3};
    }
    halving: coverpoint halved iff (rst_ni) {
      bins hits = {1};
      bins misses = {2};
    }
    marks: coverpoint obs_o[OBS_TOKEN_GETS] iff (rst_ni & obs_o[OBS_TOKEN_MARK]) {
      bins without_token = {0};
      bins token = {1};
    }
    pulse: coverpoint look_i iff (rst_ni & epoch_i) {
      bins alone = {0};
      bins port0_looks = {1};
      bins port1_looks = {2};
      bins both_look = {3};
    }
    start_percent: coverpoint start_i iff (rst_ni & first) {
      bins zero = {0};
      bins some = {[1:99]};
      bins all = {100};
    }
    step: coverpoint step_i iff (rst_ni & first) {
      bins log2[] = {[0:7]};
    }
    points: coverpoint points_i iff (rst_ni & first) {
      bins zero = {0};
      bins some = {[1:99]};
      bins all = {100};
    }
    free: coverpoint {free_i, holds_o} iff (rst_ni) {
      bins token = {1};
      bins no_token = {0};
      bins all_may = {3};
    }
  endgroup
  token_change u_token_change = new;
endmodule
bind gmmu_fill_tokens gmmu_fill_tokens_points #(.NumAsids(NumAsids)) u_points (.*);
`default_nettype wire
