// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_pipe: the registers of stages A (arrays are read) and B (compare, decide) of the L2
// TLB. What is issued in cycle t is in stage A in t+1 and in stage B in t+2; nothing stalls.
//
// Port 0 (low half of the port vectors) also carries finished walks and sets of a sweep. A lookup
// of an SM whose older request waits in stage B is dropped. Valid bits are reset, the rest is not.
`default_nettype none
module gmmu_l2tlb_pipe #(
  parameter int NumSms  = 30,
  parameter int AsidW   = 9,
  parameter int KeyW    = 36,
  parameter int OwnW    = 1,
  parameter int L1MW    = 5,
  parameter int IdxW    = 6,
  parameter int XlateW  = 47,
  parameter int SetW    = 5,
  parameter int GrpW    = 0,     // page bits below the set's
  parameter int Unified = 0,     // 1: walks bring runs
  localparam int SmW    = gmmu_pkg::idx_w(NumSms),
  localparam int QW     = AsidW + KeyW + OwnW + L1MW,
  localparam int RunW   = gmmu_pkg::RUN_W
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // issued
  input  logic [1:0]         look_i,
  input  logic [2*SmW-1:0]   sm_i,
  input  logic [1:0]         replay_i,
  input  logic [2*QW-1:0]    request_i,     // {ASID, key, warp, L1 MSHR}
  input  logic               fin_i,         // a finished walk: its MSHR's page, and what it brings
  input  logic [IdxW-1:0]    fin_mshr_i,
  input  logic [AsidW-1:0]   fin_asid_i,
  input  logic [KeyW-1:0]    fin_vfn_i,
  input  logic [XlateW-1:0]  fin_xlate_i,
  input  logic [RunW-1:0]    fin_run_i,
  input  logic               sweep_i,
  input  logic [SetW-1:0]    sweep_set_i,
  // stage A
  output logic [1:0]         a_look_o,      // goes on to stage B
  output logic               a_fin_o,
  output logic               a_sweep_o,
  output logic [2*KeyW-1:0]  a_key_o,
  // stage B
  input  logic [1:0]         b_wait_i,      // decided in stage B: the request waits
  output logic [1:0]         b_look_o,
  output logic               b_fin_o,
  output logic               b_sweep_o,
  output logic [1:0]         b_replay_o,
  output logic [2*SmW-1:0]   b_sm_o,
  output logic [2*AsidW-1:0] b_asid_o,
  output logic [2*KeyW-1:0]  b_key_o,
  output logic [2*L1MW-1:0]  b_l1_mshr_o,
  output logic [2*OwnW-1:0]  b_warp_o,
  output logic [IdxW-1:0]    b_mshr_o,
  output logic [XlateW-1:0]  b_xlate_o,     // as it goes to the L1s
  output logic [RunW-1:0]    b_run_o
);
  // ---------------------------------------------------------------- stage A
  logic [1:0]         a_v_q, a_replay_q, a_keep;
  logic               a_fin_q, a_sweep_q;
  logic [2*SmW-1:0]   a_sm_q;
  logic [2*AsidW-1:0] a_asid_q;
  logic [2*KeyW-1:0]  a_vfn_q;
  logic [2*L1MW-1:0]  a_l1m_q;
  logic [2*OwnW-1:0]  a_warp_q;
  logic [IdxW-1:0]    a_mshr_q;
  logic [XlateW-1:0]  a_xlate_q;
  logic [RunW-1:0]    a_run_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_v_q     <= '0;
      a_fin_q   <= 1'b0;
      a_sweep_q <= 1'b0;
    end else begin
      a_v_q     <= look_i;
      a_fin_q   <= fin_i;
      a_sweep_q <= sweep_i;
    end
  end
  for (genvar p = 0; p < 2; p++) begin : gen_stage_a
    logic [QW-1:0] d;
    logic          fin, sweep;
    assign d     = request_i[p*QW +: QW];
    assign fin   = p == 0 & fin_i;
    assign sweep = p == 0 & sweep_i;
    always_ff @(posedge clk_i) begin
      if (look_i[p]) begin
        a_sm_q[p*SmW +: SmW]     <= sm_i[p*SmW +: SmW];
        a_replay_q[p]            <= replay_i[p];
        a_l1m_q[p*L1MW +: L1MW]  <= d[L1MW-1:0];
        a_warp_q[p*OwnW +: OwnW] <= d[L1MW +: OwnW];
      end
      if (look_i[p] | fin) a_asid_q[p*AsidW +: AsidW] <= fin ? fin_asid_i : d[QW-1 -: AsidW];
      if (look_i[p] | fin | sweep)
        a_vfn_q[p*KeyW +: KeyW] <= fin ? fin_vfn_i : sweep ? KeyW'(sweep_set_i) << GrpW
                                       : d[L1MW+OwnW +: KeyW];
    end
  end
  always_ff @(posedge clk_i) begin
    if (fin_i) begin
      a_mshr_q  <= fin_mshr_i;
      a_xlate_q <= fin_xlate_i;
      a_run_q   <= Unified != 0 ? fin_run_i : '0;
    end
  end
  assign a_look_o  = a_keep;
  assign a_fin_o   = a_fin_q;
  assign a_sweep_o = a_sweep_q;
  assign a_key_o   = a_vfn_q;

  // ---------------------------------------------------------------- stage B
  logic [1:0]         b_v_q, b_replay_q;
  logic               b_fin_q, b_sweep_q;
  logic [2*SmW-1:0]   b_sm_q;
  logic [2*AsidW-1:0] b_asid_q;
  logic [2*KeyW-1:0]  b_vfn_q;
  logic [2*L1MW-1:0]  b_l1m_q;
  logic [2*OwnW-1:0]  b_warp_q;
  logic [IdxW-1:0]    b_mshr_q;
  logic [XlateW-1:0]  b_out_q;
  logic [RunW-1:0]    b_run_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_v_q     <= '0;
      b_fin_q   <= 1'b0;
      b_sweep_q <= 1'b0;
    end else begin
      b_v_q     <= a_keep;
      b_fin_q   <= a_fin_q;
      b_sweep_q <= a_sweep_q;
    end
  end
  for (genvar p = 0; p < 2; p++) begin : gen_stage_b
    logic [SmW-1:0] sm;
    assign sm        = a_sm_q[p*SmW +: SmW];
    assign a_keep[p] = a_v_q[p] & !(b_wait_i[0] & b_sm_q[SmW-1:0] == sm) &
        !(b_wait_i[1] & b_sm_q[2*SmW-1:SmW] == sm);
    always_ff @(posedge clk_i) begin
      if (a_keep[p] | (p == 0 & (a_fin_q | a_sweep_q))) begin
        b_sm_q[p*SmW +: SmW]       <= sm;
        b_replay_q[p]              <= a_replay_q[p];
        b_asid_q[p*AsidW +: AsidW] <= a_asid_q[p*AsidW +: AsidW];
        b_vfn_q[p*KeyW +: KeyW]    <= a_vfn_q[p*KeyW +: KeyW];
        b_l1m_q[p*L1MW +: L1MW]    <= a_l1m_q[p*L1MW +: L1MW];
        b_warp_q[p*OwnW +: OwnW]   <= a_warp_q[p*OwnW +: OwnW];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (a_fin_q) begin
      b_mshr_q <= a_mshr_q;
      b_out_q  <= a_xlate_q;
      b_run_q  <= a_run_q;
    end
  end
  assign b_look_o    = b_v_q;
  assign b_fin_o     = b_fin_q;
  assign b_sweep_o   = b_sweep_q;
  assign b_replay_o  = b_replay_q;
  assign b_sm_o      = b_sm_q;
  assign b_asid_o    = b_asid_q;
  assign b_key_o     = b_vfn_q;
  assign b_l1_mshr_o = b_l1m_q;
  assign b_warp_o    = b_warp_q;
  assign b_mshr_o    = b_mshr_q;
  assign b_xlate_o   = b_out_q;
  assign b_run_o     = b_run_q;
endmodule
`default_nettype wire
