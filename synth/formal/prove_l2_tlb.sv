// SPDX-License-Identifier: Apache-2.0
// The whole L2 TLB: every miss of an L1 is answered at most once, with its own page's frame, and
// has one walk at most; and from the cycle behind sweep_done_o on no answer has a translation from
// before the mark, as prove_l1_tlb assumes. Assumed of L1s, walker and gmmu_invalidate: one request
// of an L1 MSHR at a time; a walk that has not ended at the mark reads the tables after it
// (docs/walker.md), one that has may be returned later; one command at a time, none while misses
// are stale.
`default_nettype none
module prove_l2_tlb #(
  parameter int Entries = 4,
  parameter int Ways    = 2,
  parameter int Latency = 5,
  parameter int Mshrs   = 2,
  parameter int L1Mshrs = 2,
  parameter int NumSms  = 1,
  parameter int Covers  = 0,
  localparam int PfnW   = 18,
  localparam int SmW    = gmmu_pkg::idx_w(NumSms),
  localparam int L1MW   = gmmu_pkg::idx_w(L1Mshrs),
  localparam int IdxW   = gmmu_pkg::idx_w(Mshrs),
  localparam int Names  = NumSms * L1Mshrs,      // of requests
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + 1
) (
  input  logic                   clk_i,
  input  logic [NumSms-1:0]      req_valid_i,
  input  logic [NumSms*2-1:0]    req_key_i,       // ASID, page
  input  logic [NumSms*L1MW-1:0] req_mshr_i,
  input  logic                   end_i,           // a walk ends
  input  logic [IdxW-1:0]        end_mshr_i,
  input  logic [IdxW-1:0]        fin_mshr_i,      // which of those that ended is returned first
  input  logic                   no_fill_i,
  input  logic                   mark_next_i,
  input  logic                   sweep_start_i,
  input  logic [1:0]             kind_i,
  input  logic [2:0]             range_i,         // ASID, first and last page
  input  logic                   changes_i,       // the command changes the page
  input  logic [1:0]             key_i            // any page, the same for ever
);
  `include "prove.svh"
  localparam int XlateW = gmmu_pkg::XLATE_FIXED_W + PfnW;

  logic [NumSms-1:0]      req_ready, hit_sel, ans_sel;
  logic [L1MW-1:0]        hit_l1;
  logic [NumSms*L1MW-1:0] ans_l1;
  logic [XlateW-1:0]      hit_xlate, ans_xlate, fin_xlate;
  logic                   walk_valid, walk_asid, fin_valid, fin_take, swept, stale;
  logic [IdxW-1:0]        walk_mshr, fin_mshr;
  logic [26:0]            walk_key;
  logic [NumSms*27-1:0]   req_vfn;
  logic [NumSms-1:0]      req_asid;
  logic [CmdW-1:0]        cmd;

  // One page, which has two frames in turn; a command that covers it may change which.
  logic [1:0] key_q, kind_q;
  logic [2:0] range_q;
  logic       now_q, running_q, mark_q, sweep_begun_q, covers;
  assign cmd    = {kind_q, range_q[2], 35'd0, range_q[1], 35'd0, range_q[0]};
  assign covers = gmmu_pkg::inv_all(kind_q) || (range_q[2] == key_q[1] &&
      (kind_q == gmmu_pkg::INV_ASID || (range_q[1] <= key_q[0] && key_q[0] <= range_q[0])));

  // Walks: begun, ended with what they read, of the page that is looked at.
  logic [Mshrs-1:0] walks_q, ended_q, walk_mine_q, frame_q, filled_q;
  logic             fin_held_q;
  logic [IdxW-1:0]  fin_q;
  for (genvar k = 0; k < NumSms; k++) begin : gen_req
    assign req_asid[k]          = req_key_i[2*k+1];
    assign req_vfn[27*k +: 27]  = {26'd0, req_key_i[2*k]};
  end
  assign fin_valid = ended_q != '0;
  assign fin_mshr  = fin_held_q ? fin_q : fin_mshr_i;
  // {cause, large, no fill, permissions, frame}: bit 1 of the frame: of the page that is looked at
  assign fin_xlate = {5'd0, 1'b0, filled_q[fin_mshr], 5'b01111, 16'd0, walk_mine_q[fin_mshr],
      walk_mine_q[fin_mshr] && frame_q[fin_mshr]};

  gmmu_l2_tlb #(
    .NumSms(NumSms), .NumAsids(2), .AsidW(1), .VaW(39), .PfnW(PfnW), .L1Mshrs(L1Mshrs),
    .Entries(Entries), .Ways(Ways), .LargeEntries(0), .Ports(1), .Latency(Latency), .Mshrs(Mshrs),
    .WarpCounters(0), .WarpW(1), .Obs(0)
  ) u_dut (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_asid_i(req_asid),
    .req_walk_key_i(req_vfn), .req_mshr_i, .req_warp_i('0), .taken_sel_o(), .taken_l1_mshr_o(),
    .taken_mshr_o(), .tell_valid_i('0), .tell_ready_o(), .tell_mshr_i('0), .tell_warps_i('0),
    .hit_sel_o(hit_sel), .hit_l1_mshr_o(hit_l1), .hit_xlate_o(hit_xlate), .ans_sel_o(ans_sel),
    .ans_l1_mshr_o(ans_l1), .ans_xlate_o(ans_xlate), .walk_valid_o(walk_valid),
    .walk_mshr_o(walk_mshr), .walk_asid_o(walk_asid), .walk_key_o(walk_key),
    .fin_valid_i(fin_valid), .fin_take_o(fin_take), .fin_mshr_i(fin_mshr),
    .fin_xlate_i(fin_xlate), .fin_run_i('0), .look_o(), .look_hit_o(), .look_app_o(),
    .owner_sm_o(), .owner_warp_o(), .token_i(1'b0), .app_misses_o(), .ctx_on_i(2'b11),
    .mark_next_i, .mark_i(mark_q), .sweep_start_i, .sweep_done_o(swept), .stale_o(stale),
    .cmd_i(cmd), .count_look_o(), .count_hit_o(), .count_parity_o(), .obs_o()
  );

  logic [Names-1:0]       out_q, mine_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      key_q <= key_i;
      {now_q, running_q, mark_q, sweep_begun_q, fin_held_q} <= '0;
      {walks_q, ended_q, out_q} <= '0;
    end else begin
      mark_q    <= mark_next_i;
      if (mark_q) now_q <= now_q ^ (covers && changes_i);
      running_q <= mark_next_i || (running_q && !swept);
      sweep_begun_q <= sweep_start_i || (sweep_begun_q && !swept);
      for (int m = 0; m < Mshrs; m++) begin
        if (fin_take && fin_mshr == IdxW'(m)) ended_q[m] <= 1'b0;
        if (end_i && end_mshr_i == IdxW'(m)) begin
          walks_q[m]  <= 1'b0;
          ended_q[m]  <= 1'b1;
          frame_q[m]  <= now_q;
          filled_q[m] <= no_fill_i;
        end
        if (walk_valid && walk_mshr == IdxW'(m)) begin
          walks_q[m]     <= 1'b1;
          walk_mine_q[m] <= {walk_asid, walk_key} == {key_q[1], 26'd0, key_q[0]};
        end
      end
      fin_held_q <= fin_valid && !fin_take;
      for (int k = 0; k < NumSms; k++) begin
        for (int m = 0; m < L1Mshrs; m++) begin
          if ((hit_sel[k] && hit_l1 == L1MW'(m)) ||
              (ans_sel[k] && ans_l1[k*L1MW +: L1MW] == L1MW'(m))) out_q[k*L1Mshrs+m] <= 1'b0;
          if (req_valid_i[k] && req_ready[k] && req_mshr_i[k*L1MW +: L1MW] == L1MW'(m)) begin
            out_q[k*L1Mshrs+m]  <= 1'b1;
            mine_q[k*L1Mshrs+m] <= req_key_i[2*k +: 2] == key_q;
          end
        end
      end
    end
    // the command is there from the cycle before the mark on
    if (!running_q && !mark_next_i) {kind_q, range_q} <= {kind_i, range_i};
    fin_q <= fin_mshr;
  end
  always_comb begin
    if (!rst_ni) assume ({req_valid_i, end_i, mark_next_i, sweep_start_i} == '0);
    for (int k = 0; k < NumSms; k++)
      for (int m = 0; m < L1Mshrs; m++)
        if (req_valid_i[k] && req_mshr_i[k*L1MW +: L1MW] == L1MW'(m))
          assume (!out_q[k*L1Mshrs+m]);
    if (end_i) assume (32'(end_mshr_i) < Mshrs && walks_q[end_mshr_i] && !mark_q);
    if (fin_valid) assume (32'(fin_mshr_i) < Mshrs && ended_q[fin_mshr]);
    assume (!mark_next_i || (!running_q && !stale));
    assume (sweep_start_i == (running_q && !mark_q && !sweep_begun_q));
  end

  if (Covers == 0) begin : gen_assert
    for (genvar k = 0; k < NumSms; k++) begin : gen_sm
      logic hit_mine, ans_mine;
      assign hit_mine = mine_q[k*L1Mshrs + 32'(hit_l1)];
      assign ans_mine = mine_q[k*L1Mshrs + 32'(ans_l1[k*L1MW +: L1MW])];
      always_comb begin
        if (rst_ni) begin
          hit_once:  assert (!hit_sel[k] || out_q[k*L1Mshrs + 32'(hit_l1)]);
          ans_once:  assert (!ans_sel[k] || out_q[k*L1Mshrs + 32'(ans_l1[k*L1MW +: L1MW])]);
          one_of_them: assert (!(hit_sel[k] && ans_sel[k]));
          hit_page:  assert (!hit_sel[k] || hit_xlate[1] == hit_mine);
          ans_page:  assert (!ans_sel[k] || ans_xlate[1] == ans_mine);
          hit_fresh: assert (!hit_sel[k] || !hit_mine || running_q || hit_xlate[0] == now_q);
          ans_fresh: assert (!ans_sel[k] || !ans_mine || running_q || ans_xlate[0] == now_q);
        end
      end
    end
    always_comb begin
      if (rst_ni) begin
        one_walk: assert (!walk_valid || !(walks_q[walk_mshr] || ended_q[walk_mshr]));
        walk_of:  assert (!walk_valid || walk_key[26:1] == '0);
        swept_once: assert (!swept || sweep_begun_q);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(hit_sel[0] && hit_xlate[1:0] == 2'b11 && now_q));
    always_comb if (rst_ni) assert (!(ans_sel[0] && running_q && ans_xlate[1:0] == 2'b10 && now_q));
    always_comb if (rst_ni)
      assert (!(hit_sel[0] && sweep_begun_q && hit_xlate[1:0] == 2'b10 && now_q));
    always_comb if (rst_ni) assert (!(swept && stale));
    always_comb if (rst_ni) assert (!(walks_q == '1));
    always_comb if (rst_ni) assert (!(fin_held_q && ended_q == '1));
  end
endmodule
`default_nettype wire
