// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_waiters: who waits for the misses of the L2 TLB: for each MSHR a row of waiting bits,
// one an SM, and which L1 MSHR of it; the queue of walks that ended, and the delivery of the first
// of them to all SMs that wait and get no hit's answer in this cycle. Part of gmmu_l2tlb_mshr.
//
// A request of cycle t is written in t+1, from registers, and counts from then on: for lookups in
// stage A, which read there where their SM waits, for ends, and for reports. An end pushed in t
// takes its row with it, and is delivered from t+1 on; no request comes in t. The SMs of the two
// ports differ. Legal: Ports
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
  // stage A
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*SmW-1:0]   read_sm_i,
  // stage B
  input  logic [Ports*SmW-1:0]   sm_i,
  input  logic [Ports*L1MW-1:0]  l1_mshr_i,
  // one-hot: the register that has its page; or that which was taken in the cycle before; one does
  input  logic [Ports*Mshrs-1:0] found_i,
  input  logic [Ports-1:0]       recent_i,
  input  logic [Ports-1:0]       match_i,
  output logic [Ports-1:0]       already_o,    // its SM waits for it
  input  logic [Ports-1:0]       take_i,       // merges, or takes the free one
  input  logic [Ports*IdxW-1:0]  found_idx_i,
  // the free one of the cycle before
  input  logic [Mshrs-1:0]       write_q_i,
  input  logic [IdxW-1:0]        write_idx_q_i,
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
`ifdef VERILATOR    // by SM, as lookups read them
  logic [Mshrs-1:0] wait_q [0:NumSms-1];
`else
  (* mem2reg *) logic [NumSms-1:0] wait_q [0:Mshrs-1];
`endif

  // ---- what was taken in the cycle before: the registers (row, one-hot), the SMs
  logic [Ports-1:0]       take_q, match_q, recent_q;
  logic [Mshrs-1:0]       before_q;               // the free one of the cycle before that
  logic [Ports*Mshrs-1:0] found_q, into;
  logic [Ports*SmW-1:0]   from_sm_q;
  logic [Ports*NumSms-1:0] set;
  logic [Ports*IdxW-1:0]  found_idx_q, idx;
  logic [IdxW-1:0]        before_idx_q;
  logic [Ports*L1MW-1:0]  from_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) take_q <= '0;
    else take_q <= take_i;
  end
  always_ff @(posedge clk_i) begin
    match_q   <= match_i;
    recent_q  <= recent_i;
    before_q  <= write_q_i;
    found_q   <= found_i;
    from_sm_q <= sm_i;
    found_idx_q  <= found_idx_i;
    before_idx_q <= write_idx_q_i;
    from_q    <= l1_mshr_i;
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_into
    assign into[p*Mshrs +: Mshrs] = !take_q[p] ? '0
        : recent_q[p] ? before_q : match_q[p] ? found_q[p*Mshrs +: Mshrs] : write_q_i;
    assign idx[p*IdxW +: IdxW] = recent_q[p] ? before_idx_q
        : match_q[p] ? found_idx_q[p*IdxW +: IdxW] : write_idx_q_i;
    assign set[p*NumSms +: NumSms] = NumSms'(1) << from_sm_q[p*SmW +: SmW];
  end

  // ---- does the SM wait there already? Read in stage A; what stage B takes then comes beside. For
  // the one that was taken in the cycle before only those of that cycle may wait.
  logic [Mshrs-1:0] empty;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [Mshrs-1:0] held, held_q, now;
    logic [SmW-1:0]   read_sm;
    logic [Ports-1:0] mine_q, read_mine;  // what was taken is of this SM
    logic [Ports-1:0] took;               // ... and the free one
    assign read_sm = read_sm_i[p*SmW +: SmW];
    for (genvar q = 0; q < Ports; q++) begin : gen_mine
      assign read_mine[q] = from_sm_q[q*SmW +: SmW] == read_sm;
      assign took[q]      = mine_q[q] & take_q[q] & !match_q[q];
    end
`ifdef VERILATOR
    assign held = wait_q[read_sm] & ~empty;
`else
    always_comb begin
      held = '0;
      if (`GMMU_ANY(read_i[p])) begin
        for (int i = 0; i < Mshrs; i++) held[i] = wait_q[i][read_sm] & !empty[i];
      end
    end
`endif
    always_ff @(posedge clk_i) begin
      for (int q = 0; q < Ports; q++) mine_q[q] <= sm_i[q*SmW +: SmW] == read_sm;
      held_q <= held | (read_mine[0] ? into[Mshrs-1:0] : '0) |
          (read_mine[Ports-1] ? into[Ports*Mshrs-1 -: Mshrs] : '0);
    end
    assign now = held_q | (mine_q[0] ? into[Mshrs-1:0] : '0) |
        (mine_q[Ports-1] ? into[Ports*Mshrs-1 -: Mshrs] : '0);
    assign already_o[p] = (|(found_i[p*Mshrs +: Mshrs] & now)) | (recent_i[p] & (|took));
  end

  // ---- ends: those who wait, less those of the head that were served. For each an L1 MSHR waits,
  // but for the ends of walks that answered early.
  localparam int Ends = Early == 0 && NumSms * L1Mshrs < 4 ? NumSms * L1Mshrs : 4;
  logic [$clog2(Ends+1)-1:0] ends_held;
  logic              ans_head, ans_pop, ans_end;
  logic [IdxW-1:0]   ans_idx;
  logic [NumSms-1:0] ans_row, ans_wait, served_q, end_row;
`ifdef VERILATOR
  always_comb begin
    end_row = '0;
    if (done_i) begin
      for (int s = 0; s < NumSms; s++) end_row[s] = wait_q[s][done_idx_i];
      if (|(done_hot_i & into[Mshrs-1:0])) end_row = end_row | set[NumSms-1:0];
      if (|(done_hot_i & into[Ports*Mshrs-1 -: Mshrs]))
        end_row = end_row | set[Ports*NumSms-1 -: NumSms];
    end
  end
`else
  assign end_row = wait_q[done_idx_i] |
      (|(done_hot_i & into[Mshrs-1:0]) ? set[NumSms-1:0] : '0) |
      (|(done_hot_i & into[Ports*Mshrs-1 -: Mshrs]) ? set[Ports*NumSms-1 -: NumSms] : '0);
`endif
  // The head in a register: which L1 MSHR it names goes on to the L1s in the same cycle.
  gmmu_fifo #(.Width(1 + IdxW + AppW + NumSms + XlateW), .Depth(Ends), .Head(1)) u_answers (
    .clk_i, .rst_ni, .push_i(done_i),
    .data_i({!done_early_i, done_idx_i, done_app_i, end_row, done_xlate_i}),
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

  // ---- which L1 MSHR of each SM waits: one small RAM per SM, for an SM asks once a cycle at most
  for (genvar s = 0; s < NumSms; s++) begin : gen_sm
    logic [L1MW-1:0]  l1_mshr_q [0:Mshrs-1];
    logic [Ports-1:0] we;
    logic [IdxW-1:0]  waddr;
    logic [L1MW-1:0]  wdata;
    for (genvar p = 0; p < Ports; p++) begin : gen_we
      assign we[p] = take_q[p] & from_sm_q[p*SmW +: SmW] == SmW'(s);
    end
    if (Ports == 2) begin : gen_two
      assign waddr = we[0] ? idx[IdxW-1:0] : idx[2*IdxW-1:IdxW];
      assign wdata = we[0] ? from_q[L1MW-1:0] : from_q[2*L1MW-1:L1MW];
    end else begin : gen_one
      assign waddr = idx;
      assign wdata = from_q;
    end
    always_ff @(posedge clk_i) if (|we) l1_mshr_q[waddr] <= wdata;
    assign ans_l1_mshr_o[s*L1MW +: L1MW] = l1_mshr_q[ans_idx];
  end

`ifndef VERILATOR
  logic [NumSms-1:0] tell_wait;
`endif
  logic [Ports-1:0] tell_new;
`ifdef VERILATOR
  assign tell_waits_o = wait_q[tell_sm_i][tell_idx_i] | (|tell_new);
`else
  assign tell_wait    = wait_q[tell_idx_i];
  assign tell_waits_o = tell_wait[tell_sm_i] | (|tell_new);
`endif
  for (genvar p = 0; p < Ports; p++) begin : gen_tell
    assign tell_new[p] = take_q[p] & idx[p*IdxW +: IdxW] == tell_idx_i &
        from_sm_q[p*SmW +: SmW] == tell_sm_i;
  end

  // ---- rows. Ports may set bits of one row. One that ends is empty then; the free one of the
  // cycle before has at most what was then taken.
  assign empty = done_hot_i | write_q_i;
`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (|{empty, take_q}) begin
      for (int s = 0; s < NumSms; s++) begin
        wait_q[s] <= ((wait_q[s] & ~empty) | (set[s] ? into[Mshrs-1:0] : '0) |
            (set[(Ports-1)*NumSms + s] ? into[Ports*Mshrs-1 -: Mshrs] : '0)) & ~done_hot_i;
      end
    end
  end
`else
  always_ff @(posedge clk_i) begin
    if (`GMMU_ANY({empty, take_q})) begin
      for (int i = 0; i < Mshrs; i++) begin
        wait_q[i] <= done_hot_i[i] ? '0 : (empty[i] ? '0 : wait_q[i]) |
            (into[i] ? set[NumSms-1:0] : '0) |
            (into[(Ports-1)*Mshrs + i] ? set[Ports*NumSms-1 -: NumSms] : '0);
      end
    end
  end
`endif

  `GMMU_ASSERT(l2tlb_mshr_delivery_has_waiters, !(ans_head && ans_row == '0 && Early == 0))
endmodule
`default_nettype wire
