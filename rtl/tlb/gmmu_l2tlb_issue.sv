// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_issue: stage 0 of the L2 TLB: a queue for each SM's requests, and who goes next: a
// finished walk, a set of a sweep, or lookups of up to Ports SMs.
//
// All outputs are of the same cycle. A request stays in its queue until stage B says commit, or
// wait: then it is tried again, in order, when its application may take an MSHR (docs/l2_tlb.md).
// Port 0 is in the low half of all port vectors. Legal: Ports 1 or 2.
`default_nettype none
module gmmu_l2tlb_issue #(
  parameter int NumSms   = 30,
  parameter int NumAsids = 8,
  parameter int Ports    = 2,
  parameter int AsidW    = 9,
  parameter int KeyW     = 36,
  parameter int OwnW     = 1,
  parameter int L1MW     = 5,
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
  // who may be tried: applications that may take an MSHR, SMs that wait for a displaced answer
  input  logic [NumAsids-1:0]     may_i,
  input  logic [NumSms-1:0]       displaced_i,
  input  logic                    free_i,       // stage A takes something
  // finished walks, and those in stages A and B and in the answer queue; lookups have their turn
  // after one; sets to sweep
  input  logic                    fin_valid_i,
  input  logic                    a_fin_i,
  input  logic                    b_fin_i,
  input  logic                    fin_before_i,
  input  logic [2:0]              answers_i,
  input  logic                    sweep_sets_i,
  // into stage A
  output logic                    fin_o,
  output logic                    sweep_o,
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

  // ---------------------------------------------------------------- input queues
  logic [NumSms-1:0]    q_avail, q_waiting, q_issue, q_commit, q_wait, candidate, masked_q;
  logic [NumSms*QW-1:0] q_data;
  for (genvar s = 0; s < NumSms; s++) begin : gen_queue
    logic [QW-1:0] head;
    gmmu_l2tlb_queue #(.Width(QW)) u_queue (
      .clk_i, .rst_ni, .valid_i(req_valid_i[s]), .ready_o(req_ready_o[s]),
      .data_i({req_asid_i[s*AsidW +: AsidW], req_walk_key_i[s*KeyW +: KeyW],
        req_warp_i[s*OwnW +: OwnW], req_mshr_i[s*L1MW +: L1MW]}),
      .avail_o(q_avail[s]), .data_o(head), .waiting_o(q_waiting[s]),
      .issue_i(q_issue[s]), .commit_i(q_commit[s]), .wait_i(q_wait[s])
    );
    assign q_data[s*QW +: QW] = head;
    // What waits for an MSHR is tried again only when its application may take one.
    assign candidate[s] = q_avail[s] & !masked_q[s] &
        (!q_waiting[s] | may_i[CtxW'(head[QW-1 -: AsidW])]);
  end
  // An SM that a hit displaced from a walk's answer gets no new lookup until it has been served.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) masked_q <= '0;
    else masked_q <= displaced_i;
  end

  // ---------------------------------------------------------------- who goes
  logic           gnt_v0, gnt_v1, look;
  logic [SmW-1:0] gnt_sm0, gnt_sm1, b_sm0, b_sm1;
  // After a finish lookups have their turn: a burst of finishes must not keep new misses from the
  // freed MSHRs.
  assign fin_o   = free_i & fin_valid_i & (answers_i + 3'(a_fin_i) + 3'(b_fin_i) < 3'd4) &
      !(fin_before_i & gnt_v0);
  assign sweep_o = free_i & !fin_valid_i & sweep_sets_i;
  assign look    = free_i & !fin_o & !sweep_o;
  gmmu_rr_arb #(.N(NumSms), .Second(Ports == 2 ? 1 : 0)) u_arb (
    .clk_i, .rst_ni, .req_i(candidate), .take_i(look), .take2_i(look),
    .valid_o(gnt_v0), .idx_o(gnt_sm0), .valid2_o(gnt_v1), .idx2_o(gnt_sm1)
  );
  assign sm_o  = {gnt_sm1, gnt_sm0};
  assign b_sm0 = b_sm_i[SmW-1:0];
  assign b_sm1 = b_sm_i[2*SmW-1:SmW];
  // Younger requests of an SM whose request waits are dropped.
  for (genvar p = 0; p < 2; p++) begin : gen_look
    logic [SmW-1:0] sm;
    assign sm                   = sm_o[p*SmW +: SmW];
    assign replay_o[p]          = q_waiting[sm];
    assign request_o[p*QW +: QW] = q_data[sm*QW +: QW];
    assign load_o[p] = look & (p == 0 ? gnt_v0 : gnt_v1);
    assign look_o[p] = load_o[p] & !(b_wait_i[0] & b_sm0 == sm) & !(b_wait_i[1] & b_sm1 == sm);
  end
  for (genvar s = 0; s < NumSms; s++) begin : gen_reach_back
    logic b0, b1;
    assign b0          = b_sm0 == SmW'(s);
    assign b1          = b_sm1 == SmW'(s);
    // a queue whose request waits forgets what it issued, and that it issues one now
    assign q_issue[s]  = (load_o[0] & gnt_sm0 == SmW'(s)) | (load_o[1] & gnt_sm1 == SmW'(s));
    assign q_commit[s] = (b_commit_i[0] & b0) | (b_commit_i[1] & b1);
    assign q_wait[s]   = (b_wait_i[0] & b0) | (b_wait_i[1] & b1);
  end
endmodule
`default_nettype wire
