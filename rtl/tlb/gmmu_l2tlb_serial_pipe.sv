// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_serial_pipe: stages A and B of the serial L2 TLB, which hold one operation between
// them: in A for Ways + 2 cycles (a_step_o), then a cycle in B, in which the next one is chosen.
// Stands in for gmmu_l2tlb_pipe (one port, split build): the same ports, port 1 always empty.
//
// What an operation brings is kept from the first cycle of A to that of B. ready_i: the array may
// be used (gmmu_l2tlb_serial). Valid bits are reset, the rest is not. Rules: docs/l2_tlb.md,
// "Serial build".
`default_nettype none
module gmmu_l2tlb_serial_pipe #(
  parameter int Ways     = 4,
  parameter int NumSms   = 30,
  parameter int AsidW    = 9,
  parameter int KeyW     = 36,
  parameter int OwnW     = 1,
  parameter int L1MW     = 5,
  parameter int IdxW     = 6,
  parameter int XlateW   = 47,
  parameter int SetW     = 5,
  localparam int SmW     = gmmu_pkg::idx_w(NumSms),
  localparam int QW      = AsidW + KeyW + OwnW + L1MW,
  localparam int StepW   = gmmu_pkg::idx_w(Ways + 3)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               ready_i,
  // issued, while free_o is 1
  output logic               free_o,
  input  logic               look_i,
  input  logic               load_i,        // the same, also where it is dropped: known earlier
  input  logic [SmW-1:0]     sm_i,
  input  logic               replay_i,
  input  logic [QW-1:0]      request_i,     // {ASID, walk key, warp, L1 MSHR}
  input  logic               fin_i,         // a finished walk: its MSHR's page, and what it brings
  input  logic [IdxW-1:0]    fin_mshr_i,
  input  logic [AsidW-1:0]   fin_asid_i,
  input  logic [KeyW-1:0]    fin_walk_key_i,
  input  logic [XlateW-1:0]  fin_xlate_i,
  output logic               fin_take_o,    // two cycles before it is in stage B
  input  logic               sweep_i,
  input  logic [SetW-1:0]    sweep_set_i,
  // stage A
  output logic               a_read_o,
  output logic [StepW-1:0]   a_step_o,      // cycle of A, Ways + 2 in B
  output logic               a_fin_o,
  output logic               a_sweep_o,
  // stage B, and in A
  output logic               b_look_o,
  output logic               b_fin_o,
  output logic               b_sweep_o,
  output logic               b_replay_o,
  output logic [SmW-1:0]     b_sm_o,
  output logic [AsidW-1:0]   b_asid_o,
  output logic [KeyW-1:0]    b_walk_key_o,
  output logic [L1MW-1:0]    b_l1_mshr_o,
  output logic [OwnW-1:0]    b_warp_o,
  output logic [IdxW-1:0]    b_mshr_o,
  output logic [XlateW-1:0]  b_xlate_o
);
  logic             look_q, fin_q, sweep_q, in_b_q, busy, last;
  logic [2:0]       stage_b_q;  // what is in B: one bit each, as its paths are the longest
  logic [StepW-1:0] step_q;
  assign busy   = look_q | fin_q | sweep_q;
  assign last   = step_q == StepW'(Ways + 1);     // of A; with busy
  assign free_o = ready_i & (!busy | in_b_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q  <= 1'b0;
      fin_q   <= 1'b0;
      sweep_q <= 1'b0;
      in_b_q  <= 1'b0;
      stage_b_q <= '0;
    end else begin
      if (!busy | in_b_q) begin
        look_q  <= look_i;
        fin_q   <= fin_i;
        sweep_q <= sweep_i;
      end
      in_b_q <= busy & last;
      stage_b_q <= {look_q, fin_q, sweep_q} & {3{last}};
    end
  end
  always_ff @(posedge clk_i) step_q <= (!busy | in_b_q) ? '0 : step_q + 1'b1;

  logic             replay_q;
  logic [SmW-1:0]   from_sm_q;
  logic [AsidW-1:0] asid_q;
  logic [KeyW-1:0]  walk_key_q;
  logic [L1MW-1:0]  l1_mshr_q;
  logic [OwnW-1:0]  warp_q;
  logic [IdxW-1:0]  mshr_q;
  logic [XlateW-1:0] xlate_q;
  always_ff @(posedge clk_i) begin
    if (load_i) begin
      from_sm_q <= sm_i;
      replay_q  <= replay_i;
      l1_mshr_q <= request_i[L1MW-1:0];
      warp_q    <= request_i[L1MW +: OwnW];
    end
    if (load_i | fin_i) asid_q <= fin_i ? fin_asid_i : request_i[QW-1 -: AsidW];
    if (load_i | fin_i | sweep_i) walk_key_q <= fin_i ? fin_walk_key_i :
        sweep_i ? KeyW'(sweep_set_i) : request_i[L1MW+OwnW +: KeyW];
    if (fin_i) begin
      mshr_q  <= fin_mshr_i;
      xlate_q <= fin_xlate_i;
    end
  end

  assign fin_take_o   = fin_q & step_q == StepW'(Ways);
  assign a_read_o     = busy & !in_b_q;
  assign a_step_o     = step_q;
  assign a_fin_o      = fin_q & !in_b_q;
  assign a_sweep_o    = sweep_q & !in_b_q;
  assign {b_look_o, b_fin_o, b_sweep_o} = stage_b_q;
  assign b_replay_o   = replay_q;
  assign b_sm_o       = from_sm_q;
  assign b_asid_o     = asid_q;
  assign b_walk_key_o = walk_key_q;
  assign b_l1_mshr_o  = l1_mshr_q;
  assign b_warp_o     = warp_q;
  assign b_mshr_o     = mshr_q;
  assign b_xlate_o    = xlate_q;
endmodule
`default_nettype wire
