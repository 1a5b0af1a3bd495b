// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_stage: the registers of one stage of the L2 TLB, for two lookups, a finished walk and
// a set of a sweep (gmmu_l2tlb_pipe holds two). Valid bits are reset and follow every cycle; the
// rest is taken where its take_*_i is 1, and what a walk brings with fin_i.
`default_nettype none
module gmmu_l2tlb_stage #(
  parameter int SmW    = 5,
  parameter int AsidW  = 9,
  parameter int KeyW   = 36,
  parameter int OwnW   = 1,
  parameter int L1MW   = 5,
  parameter int IdxW   = 6,
  parameter int XlateW = 47,
  parameter int RunW   = 16
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [1:0]         look_i,
  input  logic               fin_i,
  input  logic               sweep_i,
  input  logic [1:0]         take_req_i,   // SM, replay, L1 MSHR, warp of a port
  input  logic [1:0]         take_asid_i,
  input  logic [1:0]         take_key_i,
  input  logic [2*SmW-1:0]   sm_i,
  input  logic [1:0]         replay_i,
  input  logic [2*AsidW-1:0] asid_i,
  input  logic [2*KeyW-1:0]  walk_key_i,
  input  logic [2*L1MW-1:0]  l1_mshr_i,
  input  logic [2*OwnW-1:0]  warp_i,
  input  logic [IdxW-1:0]    mshr_i,
  input  logic [XlateW-1:0]  xlate_i,
  input  logic [RunW-1:0]    run_i,
  output logic [1:0]         look_o,
  output logic               fin_o,
  output logic               sweep_o,
  output logic [2*SmW-1:0]   sm_o,
  output logic [1:0]         replay_o,
  output logic [2*AsidW-1:0] asid_o,
  output logic [2*KeyW-1:0]  walk_key_o,
  output logic [2*L1MW-1:0]  l1_mshr_o,
  output logic [2*OwnW-1:0]  warp_o,
  output logic [IdxW-1:0]    mshr_o,
  output logic [XlateW-1:0]  xlate_o,
  output logic [RunW-1:0]    run_o
);
  logic [1:0]         look_q, replay_q;
  logic               fin_q, sweep_q;
  logic [2*SmW-1:0]   from_sm_q;
  logic [2*AsidW-1:0] asid_q;
  logic [2*KeyW-1:0]  walk_key_q;
  logic [2*L1MW-1:0]  l1_mshr_q;
  logic [2*OwnW-1:0]  warp_q;
  logic [IdxW-1:0]    mshr_q;
  logic [XlateW-1:0]  xlate_q;
  logic [RunW-1:0]    run_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q  <= '0;
      fin_q   <= 1'b0;
      sweep_q <= 1'b0;
    end else begin
      look_q  <= look_i;
      fin_q   <= fin_i;
      sweep_q <= sweep_i;
    end
  end
  for (genvar p = 0; p < 2; p++) begin : gen_port
    always_ff @(posedge clk_i) begin
      if (take_req_i[p]) begin
        from_sm_q[p*SmW +: SmW]   <= sm_i[p*SmW +: SmW];
        replay_q[p]               <= replay_i[p];
        l1_mshr_q[p*L1MW +: L1MW] <= l1_mshr_i[p*L1MW +: L1MW];
        warp_q[p*OwnW +: OwnW]    <= warp_i[p*OwnW +: OwnW];
      end
      if (take_asid_i[p]) asid_q[p*AsidW +: AsidW] <= asid_i[p*AsidW +: AsidW];
      if (take_key_i[p]) walk_key_q[p*KeyW +: KeyW] <= walk_key_i[p*KeyW +: KeyW];
    end
  end
  always_ff @(posedge clk_i) begin
    if (fin_i) begin
      mshr_q  <= mshr_i;
      xlate_q <= xlate_i;
      run_q   <= run_i;
    end
  end
  assign look_o     = look_q;
  assign fin_o      = fin_q;
  assign sweep_o    = sweep_q;
  assign sm_o       = from_sm_q;
  assign replay_o   = replay_q;
  assign asid_o     = asid_q;
  assign walk_key_o = walk_key_q;
  assign l1_mshr_o  = l1_mshr_q;
  assign warp_o     = warp_q;
  assign mshr_o     = mshr_q;
  assign xlate_o    = xlate_q;
  assign run_o      = run_q;
endmodule
`default_nettype wire
