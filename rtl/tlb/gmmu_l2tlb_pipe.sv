// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_pipe: the registers of stages A (arrays are read) and B (compare, decide) of the L2
// TLB. What is issued in cycle t is in stage A in t+1 and in stage B in t+2; nothing stalls.
//
// Port 0 (low half of the port vectors) also carries finished walks and sets of a sweep. A lookup
// of an SM whose older request waits in stage B is dropped. What a finished walk fills
// (gmmu_l2tlb_fill) is here too. Valid bits are reset, the rest is not.
// L2Serial = 1: gmmu_l2tlb_serial_pipe instead, which takes one operation every Ways + 3 cycles.
`default_nettype none
module gmmu_l2tlb_pipe #(
  parameter int NumSms    = 30,
  parameter int AsidW     = 9,
  parameter int KeyW      = 36,
  parameter int OwnW      = 1,
  parameter int L1MW      = 5,
  parameter int IdxW      = 6,
  parameter int XlateW    = gmmu_pkg::XLATE_FIXED_W + 36,
  parameter int SetW      = 5,
  parameter int GrpW      = 0,   // page bits below the set's
  parameter int L2Unified = 0,   // 1: walks bring runs
  parameter int L2Serial  = 0,
  parameter int Ways      = 16,
  parameter int PfnW      = 36,
  parameter int Entries   = 512,
  parameter int LargeEntries  = 256,
  parameter int FillTokens    = 0,
  parameter int BypassEntries = 0,
  localparam int SmW      = gmmu_pkg::idx_w(NumSms),
  localparam int QW       = AsidW + KeyW + OwnW + L1MW,
  localparam int RunW     = gmmu_pkg::RUN_W,
  localparam int StepW    = gmmu_pkg::idx_w(Ways + 3)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               ready_i,       // L2Serial = 1: the array may be used
  output logic               free_o,        // stage A takes something
  // issued
  input  logic [1:0]         look_i,
  input  logic [1:0]         load_i,        // the same, also where it is dropped: known earlier
  input  logic [2*SmW-1:0]   sm_i,
  input  logic [1:0]         replay_i,
  input  logic [2*QW-1:0]    request_i,     // {ASID, walk key, warp, L1 MSHR}
  input  logic               fin_i,         // a finished walk: its MSHR's page, and what it brings
  input  logic [IdxW-1:0]    fin_mshr_i,
  input  logic [AsidW-1:0]   fin_asid_i,
  input  logic [KeyW-1:0]    fin_walk_key_i,
  input  logic [XlateW-1:0]  fin_xlate_i,
  input  logic [RunW-1:0]    fin_run_i,
  output logic               fin_take_o,    // two cycles before it is in stage B
  input  logic               sweep_i,
  input  logic [SetW-1:0]    sweep_set_i,
  // stage A
  output logic [1:0]         early_o,       // stage 0: goes to stage A, or is dropped
  output logic [2*KeyW-1:0]  early_walk_key_o,
  output logic [1:0]         a_read_o,      // goes on to stage B, or is dropped
  output logic [StepW-1:0]   a_step_o,      // L2Serial = 1: cycle of stage A
  output logic               a_fin_o,
  output logic               a_sweep_o,
  output logic [2*SmW-1:0]   a_sm_o,
  output logic [2*AsidW-1:0] a_asid_o,
  output logic [2*KeyW-1:0]  a_walk_key_o,
  output logic               fin_before_o,  // it took a finished walk before
  output logic [IdxW-1:0]    a_mshr_o,      // of a finished walk
  output logic [7:0]         a_fill_o,      // ... what it may fill (gmmu_l2tlb_fill)
  // stage B
  input  logic [1:0]         b_wait_i,      // decided in stage B: the request waits
  output logic [1:0]         b_look_o,
  output logic               b_fin_o,
  output logic               b_sweep_o,
  output logic [1:0]         b_replay_o,
  output logic [2*SmW-1:0]   b_sm_o,
  output logic [2*AsidW-1:0] b_asid_o,
  output logic [2*KeyW-1:0]  b_walk_key_o,
  output logic [2*L1MW-1:0]  b_l1_mshr_o,
  output logic [2*OwnW-1:0]  b_warp_o,
  output logic [IdxW-1:0]    b_mshr_o,
  output logic [XlateW-1:0]  b_xlate_o,     // as it goes to the L1s
  output logic [RunW-1:0]    b_run_o,
  // what a finished walk in stage B fills: gmmu_l2tlb_fill
  input  logic               stale_i,
  input  logic               token_i,
  output logic               fill_any_o,
  output logic               fill_may_o,
  output logic               fill_base_o,
  output logic               fill_large_o,
  output logic               fill_bypass_o,
  output logic               fill_sub_o,
  output logic [2:0]         fill_start_o,
  output logic [2:0]         fill_len_o,
  output logic [PfnW-1:0]    fill_first_pfn_o
);
  localparam int OneW = gmmu_pkg::XLATE_FIXED_W + PfnW;   // a translation
  logic [XlateW-1:0] a_xlate;
  logic [RunW-1:0]   a_run;
  gmmu_l2tlb_fill #(.PfnW(PfnW), .Entries(Entries), .LargeEntries(LargeEntries),
      .FillTokens(FillTokens), .BypassEntries(BypassEntries)) u_fill (
    .clk_i, .xlate_i(a_xlate[OneW-1:0]), .run_i(a_run), .page_i(a_walk_key_o[8:0]),
    .a_fill_o, .fin_i(b_fin_o), .stale_i, .token_i, .any_o(fill_any_o), .may_o(fill_may_o),
    .base_o(fill_base_o), .large_o(fill_large_o), .bypass_o(fill_bypass_o), .sub_o(fill_sub_o),
    .start_o(fill_start_o), .len_o(fill_len_o), .first_pfn_o(fill_first_pfn_o)
  );

  if (L2Serial != 0 && L2Unified != 0) begin : gen_bad_serial
    gmmu_l2tlb_pipe_L2Serial_needs_the_split_build u_bad();
  end

  if (L2Serial != 0) begin : gen_serial
    gmmu_l2tlb_serial_pipe #(.Ways(Ways), .NumSms(NumSms), .AsidW(AsidW), .KeyW(KeyW), .OwnW(OwnW),
        .L1MW(L1MW), .IdxW(IdxW), .XlateW(XlateW), .SetW(SetW)) u_serial (
      .clk_i, .rst_ni, .ready_i, .free_o, .look_i(look_i[0]), .load_i(load_i[0]),
      .sm_i(sm_i[SmW-1:0]), .replay_i(replay_i[0]), .request_i(request_i[QW-1:0]), .fin_i,
      .fin_mshr_i, .fin_asid_i, .fin_walk_key_i, .fin_xlate_i, .fin_take_o, .sweep_i, .sweep_set_i,
      .a_read_o(a_read_o[0]), .a_step_o, .a_fin_o, .a_sweep_o, .b_look_o(b_look_o[0]), .b_fin_o,
      .b_sweep_o, .b_replay_o(b_replay_o[0]), .b_sm_o(b_sm_o[SmW-1:0]),
      .b_asid_o(b_asid_o[AsidW-1:0]), .b_walk_key_o(b_walk_key_o[KeyW-1:0]),
      .b_l1_mshr_o(b_l1_mshr_o[L1MW-1:0]), .b_warp_o(b_warp_o[OwnW-1:0]), .b_mshr_o, .b_xlate_o
    );
    logic unused_serial;
    assign unused_serial = ^{look_i[1], load_i[1], sm_i[2*SmW-1:SmW], replay_i[1],
        request_i[2*QW-1:QW], fin_run_i, b_wait_i};
    // Port 1 is empty; both stages have one register; a walk just finished is in B.
    assign {a_read_o[1], b_look_o[1], b_replay_o[1], b_run_o, early_o, early_walk_key_o} = '0;
    assign {b_sm_o[2*SmW-1:SmW], b_asid_o[2*AsidW-1:AsidW], b_walk_key_o[2*KeyW-1:KeyW]} = '0;
    assign {b_l1_mshr_o[2*L1MW-1:L1MW], b_warp_o[2*OwnW-1:OwnW]} = '0;
    assign a_sm_o       = b_sm_o;
    assign a_asid_o     = b_asid_o;
    assign a_walk_key_o = b_walk_key_o;
    assign a_mshr_o     = b_mshr_o;
    assign a_xlate      = b_xlate_o;
    assign a_run        = '0;
    assign fin_before_o = b_fin_o;
  end else begin : gen_stages
    logic unused_ready;
    assign unused_ready = ready_i;

    // ---------------------------------------------------------------- stage A
    logic [1:0]         a_look, a_replay, a_keep, take_asid, take_key, take;
    logic               a_fin, a_sweep;
    logic [2*SmW-1:0]   a_sm;
    logic [2*AsidW-1:0] asid, a_asid;
    logic [2*KeyW-1:0]  walk_key, a_walk_key;
    logic [2*L1MW-1:0]  l1_mshr, a_l1_mshr;
    logic [2*OwnW-1:0]  warp, a_warp;
    logic [RunW-1:0]    run;
    for (genvar p = 0; p < 2; p++) begin : gen_request
      logic [QW-1:0] request;
      logic          fin, sweep;
      assign request = request_i[p*QW +: QW];
      assign fin     = p == 0 & fin_i;
      assign sweep   = p == 0 & sweep_i;
      assign take_asid[p] = load_i[p] | fin;
      assign take_key[p]  = load_i[p] | fin | sweep;
      assign l1_mshr[p*L1MW +: L1MW] = request[L1MW-1:0];
      assign warp[p*OwnW +: OwnW]    = request[L1MW +: OwnW];
      assign asid[p*AsidW +: AsidW]  = fin ? fin_asid_i : request[QW-1 -: AsidW];
      assign walk_key[p*KeyW +: KeyW] = fin ? fin_walk_key_i : sweep ? KeyW'(sweep_set_i) << GrpW
                                         : request[L1MW+OwnW +: KeyW];
    end
    assign run = L2Unified != 0 ? fin_run_i : '0;
    gmmu_l2tlb_stage #(.SmW(SmW), .AsidW(AsidW), .KeyW(KeyW), .OwnW(OwnW), .L1MW(L1MW),
        .IdxW(IdxW), .XlateW(XlateW), .RunW(RunW)) u_a (
      .clk_i, .rst_ni, .look_i, .fin_i, .sweep_i, .take_req_i(load_i), .take_asid_i(take_asid),
      .take_key_i(take_key), .sm_i, .replay_i, .asid_i(asid), .walk_key_i(walk_key),
      .l1_mshr_i(l1_mshr), .warp_i(warp), .mshr_i(fin_mshr_i), .xlate_i(fin_xlate_i), .run_i(run),
      .look_o(a_look), .fin_o(a_fin), .sweep_o(a_sweep), .sm_o(a_sm), .replay_o(a_replay),
      .asid_o(a_asid), .walk_key_o(a_walk_key), .l1_mshr_o(a_l1_mshr), .warp_o(a_warp),
      .mshr_o(a_mshr_o), .xlate_o(a_xlate), .run_o(a_run)
    );
    assign free_o           = 1'b1;
    assign a_step_o         = '0;
    assign fin_take_o       = fin_i;
    assign fin_before_o     = a_fin;
    assign early_o          = take_key;
    assign early_walk_key_o = walk_key;
    assign a_read_o         = take;
    assign a_fin_o          = a_fin;
    assign a_sweep_o        = a_sweep;
    assign a_sm_o           = a_sm;
    assign a_asid_o         = a_asid;
    assign a_walk_key_o     = a_walk_key;

    // ---------------------------------------------------------------- stage B
    for (genvar p = 0; p < 2; p++) begin : gen_keep
      logic [SmW-1:0] sm;
      assign sm        = a_sm[p*SmW +: SmW];
      assign a_keep[p] = a_look[p] & !(b_wait_i[0] & b_sm_o[SmW-1:0] == sm) &
          !(b_wait_i[1] & b_sm_o[2*SmW-1:SmW] == sm);
      assign take[p]   = a_look[p] | (p == 0 & (a_fin | a_sweep));
    end
    gmmu_l2tlb_stage #(.SmW(SmW), .AsidW(AsidW), .KeyW(KeyW), .OwnW(OwnW), .L1MW(L1MW),
        .IdxW(IdxW), .XlateW(XlateW), .RunW(RunW)) u_b (
      .clk_i, .rst_ni, .look_i(a_keep), .fin_i(a_fin), .sweep_i(a_sweep), .take_req_i(take),
      .take_asid_i(take), .take_key_i(take), .sm_i(a_sm), .replay_i(a_replay), .asid_i(a_asid),
      .walk_key_i(a_walk_key), .l1_mshr_i(a_l1_mshr), .warp_i(a_warp), .mshr_i(a_mshr_o),
      .xlate_i(a_xlate),
      .run_i(a_run), .look_o(b_look_o), .fin_o(b_fin_o), .sweep_o(b_sweep_o), .sm_o(b_sm_o),
      .replay_o(b_replay_o), .asid_o(b_asid_o), .walk_key_o(b_walk_key_o), .l1_mshr_o(b_l1_mshr_o),
      .warp_o(b_warp_o), .mshr_o(b_mshr_o), .xlate_o(b_xlate_o), .run_o(b_run_o)
    );
  end
endmodule
`default_nettype wire
