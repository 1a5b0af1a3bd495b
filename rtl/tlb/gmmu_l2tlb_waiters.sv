// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_waiters: who waits for the misses of the L2 TLB: for each MSHR a row of waiting bits,
// one an SM, and which L1 MSHR of it; the queue of walks that ended, and the delivery of the first
// of them to all SMs that wait and get no hit's answer in this cycle. Part of gmmu_l2tlb_mshr.
//
// A request is entered at the end of its cycle. An end pushed in t takes its row with it, and is
// delivered from t+1 on; no request is entered in t. The SMs of the two ports differ. Legal: Ports
// 1 or 2, at most 4 ends in the queue, and one an L1 MSHR that waits.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_waiters #(
  parameter int Mshrs   = 64,
  parameter int Ports   = 2,
  parameter int NumSms  = 30,
  parameter int L1Mshrs = 32,
  parameter int AppW    = 3,
  parameter int XlateW  = 47,
  parameter int Early   = 0,
  localparam int IdxW   = gmmu_pkg::idx_w(Mshrs),
  localparam int L1MW   = gmmu_pkg::idx_w(L1Mshrs),
  localparam int SmW    = gmmu_pkg::idx_w(NumSms)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // stage B
  input  logic [Ports*SmW-1:0]   sm_i,
  input  logic [Ports*L1MW-1:0]  l1_mshr_i,
  input  logic [Ports*Mshrs-1:0] found_i,      // one-hot: the register that has its page
  output logic [Ports-1:0]       already_o,    // its SM waits for it
  input  logic [Ports-1:0]       take_i,       // merges or allocates: idx_i
  input  logic [Ports*IdxW-1:0]  idx_i,
  input  logic [Ports-1:0]       join_old_i,   // merges into a register that was there before
  input  logic                   join_new_i,   // port 1 into the one that port 0 allocates
  input  logic [Ports-1:0]       alloc_i,
  input  logic [Mshrs-1:0]       free_hot_i,   // one-hot: that would be allocated
  // walks that end
  input  logic                   done_i,
  input  logic [Mshrs-1:0]       done_hot_i,   // done_idx_i, or none
  input  logic                   done_early_i,
  input  logic [IdxW-1:0]        done_idx_i,
  input  logic [AppW-1:0]        done_app_i,
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
  output logic [AppW-1:0]        freed_app_o,
  // is this SM waiting?
  input  logic [IdxW-1:0]        tell_idx_i,
  input  logic [SmW-1:0]         tell_sm_i,
  output logic                   tell_waits_o
);
  (* mem2reg *) logic [NumSms-1:0] wait_q [0:Mshrs-1];
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [Mshrs-1:0] found;
    logic [SmW-1:0]   sm;
    logic             already;
    assign sm    = sm_i[p*SmW +: SmW];
    assign found = found_i[p*Mshrs +: Mshrs];
    always_comb begin
      already = 1'b0;
      if (`GMMU_ANY(found)) begin
        for (int i = 0; i < Mshrs; i++) already = already | (found[i] & wait_q[i][sm]);
      end
    end
    assign already_o[p] = already;
  end

  // ---- ends: those who wait, less those of the head that were served. For each an L1 MSHR waits,
  // but for the ends of walks that answered early.
  localparam int Ends = Early == 0 && NumSms * L1Mshrs < 4 ? NumSms * L1Mshrs : 4;
  logic [$clog2(Ends+1)-1:0] ends_held;
  logic              ans_head, ans_pop, ans_end;
  logic [IdxW-1:0]   ans_idx;
  logic [NumSms-1:0] ans_row, ans_wait, served_q;
  gmmu_fifo #(.Width(1 + IdxW + AppW + NumSms + XlateW), .Depth(Ends)) u_answers (
    .clk_i, .rst_ni, .push_i(done_i),
    .data_i({!done_early_i, done_idx_i, done_app_i, wait_q[done_idx_i], done_xlate_i}),
    .pop_i(ans_pop), .valid_o(ans_head),
    .data_o({ans_end, ans_idx, freed_app_o, ans_row, ans_xlate_o}), .count_o(ends_held)
  );
  assign answers_o = 3'(ends_held);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '0;
    else if (ans_head) served_q <= ans_pop ? '0 : served_q | ans_valid_o;
  end
  assign ans_wait        = ans_head ? ans_row & ~served_q : '0;
  assign ans_valid_o     = ans_wait & ~sm_busy_i;
  assign ans_displaced_o = ans_wait & sm_busy_i;
  assign ans_pop         = ans_head & ans_displaced_o == '0;
  assign popped_o        = ans_pop;
  assign freed_o         = ans_pop & ans_end;
  assign freed_idx_o     = ans_idx;

  // ---- which L1 MSHR of each SM waits: one small RAM per SM, for an SM asks once a cycle at most.
  // Written a cycle late: an end is in a cycle of its own, delivered in the next at the earliest.
  logic [Ports-1:0]      take_q;
  logic [Ports*SmW-1:0]  from_sm_q;
  logic [Ports*IdxW-1:0] idx_q;
  logic [Ports*L1MW-1:0] from_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) take_q <= '0;
    else take_q <= take_i;
  end
  always_ff @(posedge clk_i) begin
    from_sm_q   <= sm_i;
    idx_q  <= idx_i;
    from_q <= l1_mshr_i;
  end
  for (genvar s = 0; s < NumSms; s++) begin : gen_sm
    logic [L1MW-1:0]  l1_mshr_q [0:Mshrs-1];
    logic [Ports-1:0] we;
    logic [IdxW-1:0]  waddr;
    logic [L1MW-1:0]  wdata;
    for (genvar p = 0; p < Ports; p++) begin : gen_we
      assign we[p] = take_q[p] & from_sm_q[p*SmW +: SmW] == SmW'(s);
    end
    if (Ports == 2) begin : gen_two
      assign waddr = we[0] ? idx_q[IdxW-1:0] : idx_q[2*IdxW-1:IdxW];
      assign wdata = we[0] ? from_q[L1MW-1:0] : from_q[2*L1MW-1:L1MW];
    end else begin : gen_one
      assign waddr = idx_q;
      assign wdata = from_q;
    end
    always_ff @(posedge clk_i) if (|we) l1_mshr_q[waddr] <= wdata;
    assign ans_l1_mshr_o[s*L1MW +: L1MW] = l1_mshr_q[ans_idx];
  end

  logic [NumSms-1:0] tell_wait;
  assign tell_wait    = wait_q[tell_idx_i];
  assign tell_waits_o = tell_wait[tell_sm_i];

  // ---- rows. Ports may set bits of one row. One that ends is empty then; the free one is emptied
  // whether it is taken or not.
  logic [Ports*NumSms-1:0] set;      // by port: the SM
  logic [Ports*Mshrs-1:0]  into;     // ... and the row
  for (genvar p = 0; p < Ports; p++) begin : gen_set
    logic taken;     // the free one, by this port or by port 0 for the same page
    assign taken   = alloc_i[p] | (p != 0 & join_new_i);
    assign set[p*NumSms +: NumSms] = NumSms'(1) << sm_i[p*SmW +: SmW];
    assign into[p*Mshrs +: Mshrs]  = (join_old_i[p] ? found_i[p*Mshrs +: Mshrs] : '0) |
        (taken ? free_hot_i : '0);
  end
  logic [Mshrs-1:0] ends;
  assign ends = done_hot_i | free_hot_i;
  always_ff @(posedge clk_i) begin
    if (`GMMU_ANY({ends, into})) begin
      for (int i = 0; i < Mshrs; i++) begin
        wait_q[i] <= (ends[i] ? '0 : wait_q[i]) | (into[i] ? set[NumSms-1:0] : '0) |
            (into[(Ports-1)*Mshrs + i] ? set[Ports*NumSms-1 -: NumSms] : '0);
      end
    end
  end

  `GMMU_ASSERT(l2tlb_mshr_delivery_has_waiters, !(ans_head && ans_row == '0 && Early == 0))
endmodule
`default_nettype wire
