// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_issue: stage 0 of the L2 TLB: a queue for each SM's requests, and who goes next: a
// finished walk, a set of a sweep (gmmu_l2tlb_sweep), or lookups of up to Ports SMs.
//
// Reads=1: what was chosen is read in the next cycle, stage R, and comes out there; Reads=0: in the
// same cycle. A request stays in its queue until stage B says commit, or wait: then it is tried
// again, in order, when its application may take an MSHR (docs/l2_tlb.md). Port 0 is in the low
// half of all port vectors. Legal: Ports 1 or 2.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_issue #(
  parameter int NumSms   = 30,
  parameter int NumAsids = 8,
  parameter int Ports    = 2,
  parameter int AsidW    = 9,
  parameter int KeyW     = 36,
  parameter int OwnW     = 1,
  parameter int L1Mshrs  = 32,
  parameter int Sets     = 32,
  parameter int Latency  = 10,
  parameter int Reads    = 1,
  localparam int L1MW    = gmmu_pkg::idx_w(L1Mshrs),
  localparam int SetW    = gmmu_pkg::idx_w(Sets),
  localparam int SmW     = gmmu_pkg::idx_w(NumSms),
  localparam int QW      = AsidW + KeyW + OwnW + L1MW
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the L1s
  input  logic [NumSms-1:0]       req_valid_i,
  output logic [NumSms-1:0]       req_ready_o,
  input  logic [NumSms*AsidW-1:0] req_asid_i,
  input  logic [NumSms*KeyW-1:0]  req_walk_key_i,
  input  logic [NumSms*L1MW-1:0]  req_mshr_i,
  input  logic [NumSms*OwnW-1:0]  req_warp_i,
  // who may be tried: applications that may take an MSHR, which counts in the next cycle; SMs that
  // wait for a displaced answer
  input  logic [NumAsids-1:0]     may_i,
  input  logic [NumSms-1:0]       displaced_i,
  input  logic                    free_i,       // stage A takes something
  // finished walks, and those in stages A and B and in the answer queue (popped_i: the first
  // leaves); lookups have their turn after one
  input  logic                    fin_valid_i,
  input  logic                    a_fin_i,
  input  logic                    b_fin_i,
  input  logic                    fin_before_i,
  input  logic [2:0]              answers_i,
  input  logic                    popped_i,
  // invalidation: start; stages A and B or associative arrays are at it; swept and drained
  input  logic                    sweep_start_i,
  input  logic                    sweep_busy_i,
  output logic                    sweep_done_o,
  // into stage A
  output logic                    fin_o,
  output logic                    sweep_o,
  output logic [SetW-1:0]         set_o,
  output logic [1:0]              load_o,       // look_o, also where it is dropped: known earlier
  output logic [1:0]              look_o,
  output logic [2*SmW-1:0]        sm_o,
  output logic [1:0]              replay_o,     // it waited
  output logic [2*QW-1:0]         request_o,    // {ASID, walk key, warp, L1 MSHR}
  // stage B reaches back
  input  logic [2*SmW-1:0]        b_sm_i,
  input  logic [1:0]              b_commit_i,
  input  logic [1:0]              b_wait_i
);
  localparam int CtxW = gmmu_pkg::idx_w(NumAsids);
  localparam int N    = NumSms;
  `include "gmmu_first.svh"

  // ---------------------------------------------------------------- input queues
  logic [NumSms-1:0]    q_avail, q_waiting, q_issue, q_commit, q_wait, candidate;
  logic [NumSms*QW-1:0] q_data;
  for (genvar s = 0; s < NumSms; s++) begin : gen_queue
    logic [AsidW-1:0] asid;
    // Each L1 MSHR has one request on its way.
    gmmu_l2tlb_queue #(.Width(QW), .AsidW(AsidW), .Depth(L1Mshrs > 2 ? 4 : 2),
        .Late(Reads)) u_queue (
      .clk_i, .rst_ni, .valid_i(req_valid_i[s]), .ready_o(req_ready_o[s]),
      .data_i({req_asid_i[s*AsidW +: AsidW], req_walk_key_i[s*KeyW +: KeyW],
        req_warp_i[s*OwnW +: OwnW], req_mshr_i[s*L1MW +: L1MW]}),
      .avail_o(q_avail[s]), .asid_o(asid), .data_o(q_data[s*QW +: QW]), .waiting_o(q_waiting[s]),
      .issue_i(q_issue[s]), .commit_i(q_commit[s]), .wait_i(q_wait[s])
    );
    // What waits for an MSHR is tried again only when its application may take one. It is the
    // oldest of its queue, and was in the cycle before. An SM that a hit displaced from a walk's
    // answer gets no new lookup until it has been served. Both are known a cycle before.
    logic [CtxW-1:0] app;
    logic            may, waits, open_q;
    assign app   = CtxW'(asid);
    assign may   = may_i[app];
    assign waits = q_wait[s] | (q_waiting[s] & !q_commit[s]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) open_q <= 1'b1;
      else open_q <= !displaced_i[s] & (!waits | may);
    end
    assign candidate[s] = q_avail[s] & open_q;
  end

  // ---------------------------------------------------------------- who goes
  logic              fin, sweep, look, sets, r_sweep, any;
  logic [SetW-1:0]   set;
  logic [SmW-1:0]    b_sm0, b_sm1;
  logic [NumSms-1:0] hot0, hot1;     // by port: the SM that is chosen
  logic [1:0]        loads;
  // After a finish lookups have their turn: a burst of finishes must not keep new misses from the
  // freed MSHRs. One that is read leaves the walker's queue then.
  assign fin   = free_i & fin_valid_i & (answers_i + 3'(a_fin_i) + 3'(b_fin_i) < 3'd4) &
      (Reads != 0 ? !fin_o : !(fin_before_i & any));
  assign sweep = free_i & !fin_valid_i & sets;
  assign look  = free_i & !fin & !sweep;
  assign any   = |candidate;
  gmmu_rr_two #(.N(NumSms), .Second(32'(Ports == 2))) u_arb (
    .clk_i, .rst_ni, .req_i(candidate), .take_i(look), .gnt_o(hot0), .gnt2_o(hot1)
  );
  gmmu_l2tlb_sweep #(.Sets(Sets), .Latency(Latency)) u_sweep (
    .clk_i, .rst_ni, .start_i(sweep_start_i), .sets_o(sets), .set_o(set), .take_i(sweep),
    .busy_i(r_sweep | sweep_busy_i), .answers_i, .freed_i(popped_i), .done_o(sweep_done_o)
  );
  assign loads = {look & |hot1, look & any};
  assign b_sm0 = b_sm_i[SmW-1:0];
  assign b_sm1 = b_sm_i[2*SmW-1:SmW];

  // ---------------------------------------------------------------- read: in stage R, or at once
  // Younger requests of an SM whose request waits are dropped, also where that was in stage 0.
  logic [2*NumSms-1:0] read_hot;
  logic [NumSms-1:0]   waited;
  if (Reads != 0) begin : gen_read
    logic                fin_q, sweep_q;
    logic [1:0]          load_q;
    logic [2*NumSms-1:0] hot_q;
    logic [NumSms-1:0]   wait_q;
    logic [SetW-1:0]     set_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        fin_q   <= 1'b0;
        sweep_q <= 1'b0;
        load_q  <= '0;
      end else begin
        fin_q   <= fin;
        sweep_q <= sweep;
        load_q  <= loads;
      end
    end
    always_ff @(posedge clk_i) begin
      hot_q  <= {hot1, hot0};
      wait_q <= q_wait;
      set_q  <= set;
    end
    logic unused_before;
    assign unused_before = fin_before_i;
    assign fin_o    = fin_q;
    assign sweep_o  = sweep_q;
    assign r_sweep  = sweep_q;
    assign set_o    = set_q;
    assign load_o   = load_q;
    assign read_hot = hot_q;
    assign waited   = wait_q;
  end else begin : gen_at_once
    assign fin_o    = fin;
    assign sweep_o  = sweep;
    assign r_sweep  = 1'b0;
    assign set_o    = set;
    assign load_o   = loads;
    assign read_hot = {hot1, hot0};
    assign waited   = '0;
  end
  for (genvar p = 0; p < 2; p++) begin : gen_request
    logic [NumSms-1:0] hot;
    logic [SmW-1:0]    sm;
    logic [QW-1:0]     request;
    assign hot       = read_hot[p*NumSms +: NumSms];
    assign sm        = index(hot);
    assign look_o[p] = load_o[p] & (hot & waited) == '0 &
        !(b_wait_i[0] & b_sm0 == sm) & !(b_wait_i[1] & b_sm1 == sm);
    always_comb begin
      request = '0;
      if (`GMMU_ANY(load_o[p])) begin
        for (int i = 0; i < NumSms; i++) if (hot[i]) request = request | q_data[i*QW +: QW];
      end
    end
    assign sm_o[p*SmW +: SmW]    = sm;
    assign replay_o[p]           = |(hot & q_waiting);
    assign request_o[p*QW +: QW] = request;
  end
  for (genvar s = 0; s < NumSms; s++) begin : gen_reach_back
    logic b0, b1;
    assign b0          = b_sm0 == SmW'(s);
    assign b1          = b_sm1 == SmW'(s);
    // a queue whose request waits forgets what it issued, and that it issues one now
    assign q_issue[s]  = look & (hot0[s] | hot1[s]);
    assign q_commit[s] = (b_commit_i[0] & b0) | (b_commit_i[1] & b1);
    assign q_wait[s]   = (b_wait_i[0] & b0) | (b_wait_i[1] & b1);
  end
endmodule
`default_nettype wire
