// SPDX-License-Identifier: Apache-2.0
// gmmu_fill_tokens_obs: observation port of the fill tokens (docs/fill_tokens.md, "Observation
// port"): what a cycle did, in the next cycle. Nothing goes back. Built with Obs.
`default_nettype none
module gmmu_fill_tokens_obs #(
  parameter int CtxW  = 3,
  parameter int SmW   = 5,
  parameter int WarpW = 8,
  parameter int TokW  = 13
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             pulse_i,    // an epoch ends
  input  logic             replace_i,
  // a warp is marked, and gets a token
  input  logic             mark_i,
  input  logic             gets_i,
  input  logic [SmW-1:0]   sm_i,
  input  logic [WarpW-1:0] warp_i,
  // an application's tokens change: to how many, with how many active warps, in which direction
  input  logic             change_i,
  input  logic [CtxW-1:0]  app_i,
  input  logic [TokW-1:0]  tokens_i,
  input  logic [TokW-1:0]  active_i,
  input  logic             up_i,
  output logic [gmmu_pkg::OBS_TOKEN_W-1:0] obs_o
);
`include "gmmu_obs_token.svh"
  assign ev_pulse   = pulse_i;
  assign ev_update  = change_i;
  assign ev_mark    = mark_i;
  assign ev_gets    = gets_i;
  assign ev_replace = replace_i;
  assign ev_who     = change_i ? 7'(app_i) : mark_i ? 7'(sm_i) : 7'd0;
  assign ev_warp    = mark_i ? 8'(warp_i) : 8'd0;
  assign ev_tokens  = change_i ? 15'(tokens_i) : 15'd0;
  assign ev_up      = change_i & up_i;
  assign ev_active  = change_i ? 15'(active_i) : 15'd0;
endmodule
`default_nettype wire
