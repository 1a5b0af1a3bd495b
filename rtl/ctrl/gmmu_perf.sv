// SPDX-License-Identifier: Apache-2.0
// gmmu_perf: performance counters, from the observation ports of gmmu_top and the events of
// gmmu_axi. What each counts: docs/regs-map.md (PERF_LO); docs/regs.md.
//
// A snapshot copies all counters at one edge; clear restarts them at that edge with what the cycle
// adds, so that successive snapshots with clear add up to the true count. Counters wrap. Legal:
// Width 33..64, NumSms and NumPorts at most 32.
`default_nettype none
module gmmu_perf #(
  parameter int NumSms   = 2,
  parameter int NumPorts = 1,
  parameter int Width    = 48,
  localparam int Counters = 11
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [NumSms*gmmu_pkg::OBS_L1_W-1:0] obs_l1_i,
  input  logic [gmmu_pkg::OBS_L2_W-1:0]        obs_l2_i,
  input  logic [gmmu_pkg::OBS_WALK_W-1:0]      obs_walk_i,
  input  logic                      pte_read_i,     // an event in this cycle, as all that follow
  input  logic                      recorded_i,     // faults
  input  logic                      lost_i,
  input  logic [NumPorts-1:0]       read_i,         // bursts issued
  input  logic [NumPorts-1:0]       write_i,
  input  logic                      stalled_i,      // a port has a faulted burst
  input  logic                      snap_i,
  input  logic                      clear_i,
  output logic [Counters*Width-1:0] value_o         // as of the last snapshot
);
  if (Width < 33 || Width > 64) begin : gen_bad_width
    gmmu_perf_Width_must_be_33_to_64 u_bad();
  end

  function automatic logic [7:0] ones(input logic [31:0] bits);
    begin
      ones = '0;
      for (int i = 0; i < 32; i++) ones = ones + 8'(bits[i]);
    end
  endfunction

  // L1: lookups of new requests; outcomes 0 and 1 are hits (docs/l1_tlb.md). L2: a request that
  // waited counts once; outcomes 2 to 4 are misses (docs/l2_tlb.md).
`include "gmmu_obs_places.svh"
  logic [NumSms-1:0] l1_look, l1_hit;
  logic [1:0]        l2tlb_look, l2tlb_hit;
  for (genvar s = 0; s < NumSms; s++) begin : gen_l1
    localparam int At = s * gmmu_pkg::OBS_L1_W;
    assign l1_look[s] = obs_l1_i[At + OBS_L1_OP +: OBS_L1_OP_W] == 4'd1;
    assign l1_hit[s]  = l1_look[s] & obs_l1_i[At + OBS_L1_OUTCOME +: OBS_L1_OUTCOME_W] <= 3'd1;
  end
  for (genvar p = 0; p < 2; p++) begin : gen_l2
    localparam int At = p * OBS_L2_PORT_STRIDE;
    logic [OBS_L2_OUTCOME_W-1:0] outcome;
    assign outcome       = obs_l2_i[At + OBS_L2_OUTCOME +: OBS_L2_OUTCOME_W];
    assign l2tlb_look[p] = obs_l2_i[At + OBS_L2_VALID] & !obs_l2_i[At + OBS_L2_REPLAY];
    assign l2tlb_hit[p]  = l2tlb_look[p] & (outcome <= 3'd1 | outcome >= 3'd5);
  end
  logic [Counters*8-1:0] add;
  assign add = {8'(stalled_i), ones(32'(write_i)), ones(32'(read_i)), 8'(recorded_i) + 8'(lost_i),
                8'(pte_read_i), 8'(obs_walk_i[OBS_WALK_START]),
                ones(32'(l2tlb_hit)), ones(32'(l2tlb_look)), ones(32'(l1_hit)), ones(32'(l1_look)),
                    8'd1};
  logic unused_obs;
  assign unused_obs = ^{obs_l1_i, obs_l2_i, obs_walk_i};

  for (genvar c = 0; c < Counters; c++) begin : gen_counter
    logic [Width-1:0] now_q, shown_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        now_q   <= '0;
        shown_q <= '0;
      end else begin
        now_q <= (clear_i ? '0 : now_q) + Width'(add[c*8 +: 8]);
        if (snap_i) shown_q <= now_q;
      end
    end
    assign value_o[c*Width +: Width] = shown_q;
  end
endmodule
`default_nettype wire
