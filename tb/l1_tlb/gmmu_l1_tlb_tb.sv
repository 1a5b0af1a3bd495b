// SPDX-License-Identifier: Apache-2.0
// gmmu_l1_tlb_tb: one L1 TLB with a random SM in front and a random L2 behind it. Every request is
// answered exactly once, with the translation that is current (or was, until the invalidation of
// its ASID is done); hits take one cycle; with all MSHRs taken hits go on. Lookups, ways and fills
// are compared with the policy model in the system bench. +seed=N. Runs under Icarus, four-state.
`timescale 1ns/1ps
`default_nettype none
module gmmu_l1_tlb_tb;
  localparam int MSHRS = 4, ASIDS = 3, ASID_W = 4, CTX_W = 2, PFN_W = 20, TAG_W = 4, VFN_W = 27;
  localparam int TAGS = 1 << TAG_W;
  localparam int X_W = gmmu_pkg::XLATE_FIXED_W + PFN_W;
  parameter int TOTAL = 60000;  // answers

  reg  clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;
  reg               req_valid = 1'b0, rsp_ready = 1'b0, l2_ready = 1'b0, l2_valid = 1'b0,
      mark = 1'b0, clear = 1'b0;
  wire              req_ready, rsp_valid, rsp_large, l2_req_valid, clear_busy;
  reg  [63:0]       req_va = '0;
  reg  [ASID_W-1:0] req_asid = '0;
  reg  [TAG_W-1:0]  req_tag = '0;
  wire [TAG_W-1:0]  rsp_tag;
  wire [PFN_W+11:0] rsp_pa;
  wire [4:0]        rsp_cause;
  wire [CTX_W-1:0]  l2_asid;
  wire [VFN_W-1:0]  l2_vfn;
  wire [1:0]        l2_mshr;
  reg  [1:0]        l2_rsp_mshr = '0;
  reg  [X_W-1:0]    l2_xlate = '0;
  reg  [gmmu_pkg::CMD_FIXED_W+CTX_W-1:0] cmd = '0;

  gmmu_l1_tlb #(.BaseEntries(8), .LargeEntries(4), .Mshrs(MSHRS), .NumAsids(ASIDS), .AsidW(ASID_W),
      .VaW(39),
                .PfnW(PFN_W), .TagW(TAG_W), .Obs(0)) dut (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(req_valid), .req_ready_o(req_ready),
    .req_va_i(req_va), .req_access_i(2'd0), .req_user_i(1'b1), .req_asid_i(req_asid),
    .req_warp_i(8'(req_tag)), .req_tag_i(req_tag), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_tag_o(rsp_tag), .rsp_pa_o(rsp_pa), .rsp_cause_o(rsp_cause), .rsp_large_o(rsp_large),
    .l2tlb_req_valid_o(l2_req_valid), .l2tlb_req_ready_i(l2_ready), .l2tlb_req_asid_o(l2_asid),
    .l2tlb_req_walk_key_o(l2_vfn), .l2tlb_req_mshr_o(l2_mshr), .l2tlb_rsp_valid_i(l2_valid),
    .l2tlb_rsp_mshr_i(l2_rsp_mshr), .l2tlb_rsp_xlate_i(l2_xlate), .l2tlb_taken_i(1'b0),
    .l2tlb_taken_mshr_i(2'd0), .l2tlb_taken_l2_mshr_i(6'd0), .tell_valid_o(), .tell_ready_i(1'b0),
    .tell_l2_mshr_o(), .tell_warps_o(), .mark_i(mark), .clear_i(clear), .cmd_i(cmd),
    .clear_busy_o(clear_busy), .ctx_mode_i({ASIDS{2'd1}}), .ctx_sum_i({ASIDS{1'b0}}),
    .ctx_mxr_i({ASIDS{1'b0}}), .obs_o()
  );

  // The translation of a page in a version of its address space: {cause, large, no_fill, perm,
  // pfn}.
  function [X_W-1:0] xlate(input [ASID_W-1:0] asid, input [VFN_W-1:0] vfn, input [31:0] version);
    reg [31:0] h;
    reg        big;
    begin
      big = vfn[10:9] == 2'd3;
      h = ({5'd0, big ? vfn >> 9 : vfn} * 32'h9e3779b1) ^ (version * 32'h85ebca6b) ^
          (asid * 32'hc2b2ae35);
      h = (h ^ (h >> 13)) * 32'h27d4eb2f;
      h = h ^ (h >> 15);
      if (h[31:28] == 4'd0) xlate = {5'd1, {(X_W-5){1'b0}}};                         // a fault
      else if (big) xlate = {5'd0, 1'b1, 1'b0, 5'h1f, h[PFN_W-1:9], 9'd0};
      else xlate = {5'd0, 1'b0, h[27:26] == 2'd0, 5'h1f, h[PFN_W-1:0]};
    end
  endfunction

  integer seed, seed0, errors, answers, cycles, last, i, k, inv_step, inv_wait, free_tags, streak,
      hits_under_full;
  integer version [0:ASIDS-1];     // now
  integer oldest  [0:ASIDS-1];     // oldest that an answer may still carry
  reg              busy  [0:TAGS-1];
  reg [63:0]       va    [0:TAGS-1];
  reg [ASID_W-1:0] asid  [0:TAGS-1];
  integer          since [0:TAGS-1];
  reg              l2_busy [0:MSHRS-1];
  integer          l2_due  [0:MSHRS-1];
  reg [ASID_W-1:0] l2_a [0:MSHRS-1];
  reg [VFN_W-1:0]  l2_v [0:MSHRS-1];
  reg [ASID_W-1:0] inv_asid;
  reg              good, accepted, freeze;
  reg [X_W-1:0]    x;
  reg [PFN_W-1:0]  pfn;
  function [31:0] rnd(input [31:0] n);
    rnd = {$random(seed)} % n;
  endfunction
  task fail(input [8*48-1:0] what);
    begin
      errors = errors + 1;
      $display("FAIL cycle %0d: %0s (tag %0d asid %0d va %h pa %h cause %0d)", cycles, what,
          rsp_tag, asid[rsp_tag],
               va[rsp_tag], rsp_pa, rsp_cause);
    end
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    seed0 = seed;
    errors = 0; answers = 0; cycles = 0; last = 0; inv_step = 0; inv_wait = 0; hits_under_full = 0;
    freeze = 1'b0;
    for (i = 0; i < ASIDS; i = i + 1) begin version[i] = 1; oldest[i] = 1; end
    for (i = 0; i < TAGS; i = i + 1) busy[i] = 1'b0;
    for (i = 0; i < MSHRS; i = i + 1) l2_busy[i] = 1'b0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (answers < TOTAL && errors == 0) begin
      // just before the posedge: what will be taken
      #4;
      accepted = req_valid & req_ready;
      if (^{req_ready, rsp_valid, l2_req_valid, clear_busy} ===
          1'bx) fail("X on valid, ready or status");
      if (rsp_valid && ^{rsp_tag, rsp_pa, rsp_cause, rsp_large} === 1'bx) fail("X in an answer");
      if (rsp_valid & rsp_ready) begin
        if (!busy[rsp_tag]) fail("answer without request");
        good = 1'b0;
        for (k = oldest[asid[rsp_tag]]; k <= version[asid[rsp_tag]]; k = k + 1) begin
          x = xlate(asid[rsp_tag], va[rsp_tag] >> 12, k);
          pfn = x[PFN_W-1:0] | (x[PFN_W+6] ? va[rsp_tag][20:12] : 9'd0);
          if (rsp_cause == x[X_W-1 -: 5] && rsp_pa == (rsp_cause ? 0 : {pfn, va[rsp_tag][11:0]}))
              good = 1'b1;
        end
        if (!good) fail("wrong translation");
        // All MSHRs taken and nothing coming from the L2: only a hit can be answered.
        if (freeze && cycles - since[rsp_tag] == 1) hits_under_full = hits_under_full + 1;
        busy[rsp_tag] = 1'b0;
        answers = answers + 1;
        last = cycles;
      end
      if (accepted) since[req_tag] = cycles;
      if (l2_req_valid & l2_ready) begin
        if (l2_busy[l2_mshr]) fail("an MSHR asks twice");
        l2_busy[l2_mshr] = 1'b1; l2_a[l2_mshr] = l2_asid; l2_v[l2_mshr] = l2_vfn;
        l2_due[l2_mshr] = cycles + 3 + rnd(25);
      end
      if (l2_valid) l2_busy[l2_rsp_mshr] = 1'b0;
      if (cycles - last > 3000) fail("no answer for 3000 cycles");
      @(negedge clk);
      cycles = cycles + 1;
      // SM
      if (accepted) req_valid = 1'b0;
      if (!req_valid && rnd(5) != 0) begin
        i = rnd(TAGS);
        if (!busy[i]) begin
          req_valid = 1'b1; req_tag = i; busy[i] = 1'b1; since[i] = cycles;
          req_asid = rnd(ASIDS);
          req_va = {25'd0, rnd(3), 2'd0} << 12;
          req_va = (({32'd0, rnd(6)} << 21) | ({32'd0, rnd(5)} << 12) | rnd(4096)) & 64'h3fffffffff;
          va[i] = req_va; asid[i] = req_asid;
        end
      end
      rsp_ready = freeze | (rnd(4) != 0);
      l2_ready  = rnd(3) != 0;
      // L2: answers a random due MSHR with the version of now; sometimes it is silent for a while
      if (rnd(400) == 0) freeze = 1'b1; else if (rnd(60) == 0) freeze = 1'b0;
      l2_valid = 1'b0;
      k = rnd(MSHRS);
      for (i = 0; i < MSHRS; i = i + 1) begin
        if (!l2_valid && !freeze && l2_busy[k] && l2_due[k] <= cycles) begin
          l2_valid = 1'b1; l2_rsp_mshr = k;
          l2_xlate = xlate(l2_a[k], l2_v[k], version[l2_a[k]]);
        end
        k = (k + 1) % MSHRS;
      end
      // Invalidation of one ASID: tables change, mark, (L2 work), clear, done.
      mark = 1'b0; clear = 1'b0;
      case (inv_step)
        0: if (rnd(150) == 0) begin
             inv_asid = rnd(ASIDS);
             version[inv_asid] = version[inv_asid] + 1;
             cmd = {2'd1, inv_asid[CTX_W-1:0], 72'd0};
             mark = 1'b1; inv_step = 1; inv_wait = rnd(20);
           end
        1: if (inv_wait == 0) begin clear = 1'b1; inv_step = 2; end else inv_wait = inv_wait - 1;
        2: inv_step = 3;
        default: if (!clear_busy) begin oldest[inv_asid] = version[inv_asid]; inv_step = 0; end
      endcase
    end
    if (errors == 0 && hits_under_full == 0) begin errors = 1;
    $display("FAIL no hit while all MSHRs waited"); end
    if (errors ==
        0) $display("PASS %0d answers, %0d cycles, %0d hits while the L2 was silent, seed %0d",
        answers, cycles,
                              hits_under_full, seed0);
    else $display("FAIL seed %0d", seed0);
    $finish(0);
  end
endmodule
`default_nettype wire
