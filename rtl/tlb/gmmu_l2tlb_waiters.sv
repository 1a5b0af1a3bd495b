// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_waiters: who waits for the misses of the L2 TLB: for each MSHR a row of waiting bits,
// one an SM, and which L1 MSHR of it; the queue of walks that ended, and the delivery of the first
// of them to all SMs that wait and get no hit's answer in this cycle. Part of gmmu_l2tlb_mshr.
//
// A request is entered at the end of its cycle. An end pushed in t is delivered from t+1 on; the
// SMs of the two ports differ. Legal: Ports 1 or 2, at most 4 ends in the queue.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_waiters #(
  parameter int Mshrs   = 64,
  parameter int Ports   = 2,
  parameter int NumSms  = 30,
  parameter int L1MW    = 5,
  parameter int XlateW  = 47,
  parameter int Early   = 0,
  localparam int IdxW   = gmmu_pkg::idx_w(Mshrs),
  localparam int SmW    = gmmu_pkg::idx_w(NumSms)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // stage B
  input  logic [Ports*SmW-1:0]   sm_i,
  input  logic [Ports*L1MW-1:0]  l1_mshr_i,
  input  logic [Ports*IdxW-1:0]  match_idx_i,
  output logic [Ports-1:0]       already_o,    // its SM waits for match_idx_i
  input  logic [Ports-1:0]       take_i,       // merges or allocates: idx_i
  input  logic [Ports-1:0]       would_i,      // the same unless the TLB hits: known earlier
  input  logic [Ports*IdxW-1:0]  idx_i,
  input  logic [Ports-1:0]       join_old_i,   // merges into a register that was there before
  input  logic                   join_new_i,   // port 1 into the one that port 0 allocates
  input  logic [Ports-1:0]       alloc_i,
  input  logic [IdxW-1:0]        free_idx_i,   // that is allocated
  // walks that end
  input  logic                   done_i,
  input  logic                   done_early_i,
  input  logic [IdxW-1:0]        done_idx_i,
  input  logic [XlateW-1:0]      done_xlate_i,
  output logic [2:0]             answers_o,
  // delivery
  input  logic [NumSms-1:0]      sm_busy_i,
  output logic [NumSms-1:0]      ans_valid_o,
  output logic [NumSms*L1MW-1:0] ans_l1_mshr_o,
  output logic [XlateW-1:0]      ans_xlate_o,
  output logic [NumSms-1:0]      ans_displaced_o,
  output logic                   popped_o,
  output logic                   freed_o,
  output logic [IdxW-1:0]        freed_idx_o,
  // is this SM waiting?
  input  logic [IdxW-1:0]        tell_idx_i,
  input  logic [SmW-1:0]         tell_sm_i,
  output logic                   tell_waits_o
);
  logic [NumSms-1:0] wait_q [0:Mshrs-1];
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [NumSms-1:0] waiting;
    assign waiting      = wait_q[match_idx_i[p*IdxW +: IdxW]];
    assign already_o[p] = waiting[sm_i[p*SmW +: SmW]];
  end

  logic              ans_head, ans_pop, ans_end;
  logic [IdxW-1:0]   ans_idx;
  logic [NumSms-1:0] ans_wait, ans_left;
  gmmu_fifo #(.Width(1 + IdxW + XlateW), .Depth(4)) u_answers (
    .clk_i, .rst_ni, .push_i(done_i), .data_i({!done_early_i, done_idx_i, done_xlate_i}),
    .pop_i(ans_pop),
    .valid_o(ans_head), .data_o({ans_end, ans_idx, ans_xlate_o}), .count_o(answers_o)
  );
  assign ans_wait        = ans_head ? wait_q[ans_idx] : '0;
  assign ans_valid_o     = ans_wait & ~sm_busy_i;
  assign ans_displaced_o = ans_wait & sm_busy_i;
  assign ans_left        = ans_displaced_o;
  assign ans_pop         = ans_head & ans_left == '0;
  assign popped_o        = ans_pop;
  assign freed_o         = ans_pop & ans_end;
  assign freed_idx_o     = ans_idx;

  // ---- which L1 MSHR of each SM waits: one small RAM per SM, for an SM asks once a cycle at most
  for (genvar s = 0; s < NumSms; s++) begin : gen_sm
    logic [L1MW-1:0]  l1_mshr_q [0:Mshrs-1];
    logic [Ports-1:0] we;
    logic [IdxW-1:0]  waddr;
    logic [L1MW-1:0]  wdata;
    for (genvar p = 0; p < Ports; p++) begin : gen_we
      assign we[p] = would_i[p] & sm_i[p*SmW +: SmW] == SmW'(s);
    end
    if (Ports == 2) begin : gen_two
      assign waddr = we[0] ? idx_i[IdxW-1:0] : idx_i[2*IdxW-1:IdxW];
      assign wdata = we[0] ? l1_mshr_i[L1MW-1:0] : l1_mshr_i[2*L1MW-1:L1MW];
    end else begin : gen_one
      assign waddr = idx_i;
      assign wdata = l1_mshr_i;
    end
    always_ff @(posedge clk_i) if (|we) l1_mshr_q[waddr] <= wdata;
    assign ans_l1_mshr_o[s*L1MW +: L1MW] = l1_mshr_q[ans_idx];
  end

  logic [NumSms-1:0] tell_wait;
  assign tell_wait    = wait_q[tell_idx_i];
  assign tell_waits_o = tell_wait[tell_sm_i];

  logic [NumSms-1:0] set0, set1, alloc_set;
  assign set0 = take_i[0] ? NumSms'(1) << sm_i[SmW-1:0] : '0;
  if (Ports == 2) begin : gen_state2
    // Both ports may merge into one register: the later write holds both bits.
    assign set1 = (take_i[1] ? NumSms'(1) << sm_i[2*SmW-1:SmW] : '0) |
                  ((join_old_i[0] & idx_i[IdxW-1:0] == idx_i[2*IdxW-1:IdxW]) ? set0 : '0);
    assign alloc_set = !alloc_i[0] ? set1 : join_new_i ? set0 | set1 : set0;
  end else begin : gen_state1
    assign set1      = '0;
    assign alloc_set = set0;
  end

  // Rows: merges of both ports, the allocation, and the row being delivered are different MSHRs,
  // but for the two merges.
  always_ff @(posedge clk_i) begin
    if (ans_head) wait_q[ans_idx] <= ans_left;
    if (join_old_i[0]) wait_q[match_idx_i[IdxW-1:0]] <= wait_q[match_idx_i[IdxW-1:0]] | set0;
    if (Ports == 2) begin
      if (join_old_i[Ports-1]) wait_q[match_idx_i[(Ports-1)*IdxW +: IdxW]] <=
          wait_q[match_idx_i[(Ports-1)*IdxW +: IdxW]] | set1;
    end
    if (|alloc_i) wait_q[free_idx_i] <= alloc_set;
  end

  `GMMU_ASSERT(l2tlb_mshr_delivery_has_waiters, !(ans_head && ans_wait == '0 && Early == 0))
endmodule
`default_nettype wire
