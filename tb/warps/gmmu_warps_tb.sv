// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_l1tlb_warps and gmmu_l2tlb_warps, four-state: three L1s of three miss registers and
// 128 warps report to an L2 of two; counts by docs/l1_tlb.md and docs/l2_tlb.md, "Waiting warps",
// two cycles behind the miss stage and far beyond 63; who has something to tell waits for one
// report of each other register at most. +seed=N +cycles=N. Ends with "PASS ..." or "FAIL ...".
`timescale 1ns/1ps
`default_nettype none
module gmmu_warps_tb;
  localparam int SMS = 3;
  localparam int M   = 3;   // miss registers of an L1
  localparam int L2M = 2;
  localparam int W   = 7;

  reg            clk = 1'b0;
  reg            rst_n = 1'b0;
  reg  [SMS-1:0] alloc = '0, merge = '0, took = '0, rsp = '0;
  reg  [1:0]     mshr [0:SMS-1];
  reg  [W-1:0]   warp [0:SMS-1];
  reg  [1:0]     took_m [0:SMS-1];
  reg            took_l2 [0:SMS-1];
  reg  [1:0]     rsp_m [0:SMS-1];
  // ... as the pins have them, each written as a whole: Verilator 5.006 takes no notice of part of
  // a variable that a process with delays writes.
  reg  [SMS-1:0]   pin_alloc = '0, pin_merge = '0, pin_took = '0, pin_took_l2 = '0, pin_rsp = '0;
  reg  [SMS*2-1:0] pin_mshr = '0, pin_took_m = '0, pin_rsp_m = '0;
  reg  [SMS*W-1:0] pin_warp = '0;
  wire [SMS-1:0] tv, tr, t_l2;
  wire [SMS*2-1:0] t_l1;
  wire [SMS*6-1:0] t_w;
  reg            counts = 1'b0, l2_alloc = 1'b0, l2_alloc_i = 1'b0;
  wire           idx, add;
  wire [1:0]     sm;
  wire [5:0]     warps, sum;
  genvar g;
  generate
    for (g = 0; g < SMS; g = g + 1) begin : gen_l1
      gmmu_l1tlb_warps #(.Mshrs(M), .WarpW(W), .L2MW(1)) u_l1 (
        .clk_i(clk), .rst_ni(rst_n), .alloc_i(pin_alloc[g]), .merge_i(pin_merge[g]),
        .mshr_i(pin_mshr[g*2 +: 2]), .warp_i(pin_warp[g*W +: W]), .taken_i(pin_took[g]),
        .taken_mshr_i(pin_took_m[g*2 +: 2]), .taken_l2_i(pin_took_l2[g]),
        .rsp_valid_i(pin_rsp[g]), .rsp_mshr_i(pin_rsp_m[g*2 +: 2]), .tell_valid_o(tv[g]),
        .tell_ready_i(tr[g]),
        .tell_l1_o(t_l1[g*2 +: 2]), .tell_l2_o(t_l2[g]), .tell_warps_o(t_w[g*6 +: 6])
      );
    end
  endgenerate
  gmmu_l2tlb_warps #(.NumSms(SMS), .Mshrs(L2M)) u_l2 (
    .clk_i(clk), .rst_ni(rst_n), .tell_valid_i(tv), .tell_ready_o(tr), .tell_l2_i(t_l2),
    .tell_warps_i(t_w), .idx_o(idx), .sm_o(sm), .counts_i(counts), .alloc_i(l2_alloc),
    .alloc_idx_i(l2_alloc_i), .add_o(add), .warps_o(warps), .sum_o(sum)
  );
  always #5 clk = !clk;

  // ---- what is known
  reg         busy [0:SMS*M-1];      // allocated
  reg         known [0:SMS*M-1];     // and counted: the L2 cannot have it before
  // what was allocated or merged one and two cycles ago
  reg [SMS-1:0] alloc1 = '0, merge1 = '0, alloc2 = '0, merge2 = '0;
  reg [1:0]   mshr1 [0:SMS-1], mshr2 [0:SMS-1];
  reg [W-1:0] warp1 [0:SMS-1], warp2 [0:SMS-1];
  reg         told [0:SMS*M-1];      // the L2 has its miss
  reg         seen [0:SMS*M*128-1];
  integer     n [0:SMS*M-1];         // distinct warps, at most 63
  integer     untold [0:SMS*M-1];
  reg         fresh [0:SMS*M-1];     // there is something to tell
  reg         at_l2 [0:SMS*M-1];
  integer     passed [0:SMS*M-1];    // reports of others while it waits
  reg         full [0:SMS-1];        // the L2's register of an SM
  integer     kept_n [0:SMS-1], over [0:SMS-1];
  reg         kept_i [0:SMS-1];
  integer     total [0:L2M-1];
  integer     seed, seed0, cycles, cycle, errors, s, k, j, most, full63, sum63, reports, again;

  task fail(input [8*64-1:0] what);
    begin
      errors = errors + 1;
      if (errors < 8) $display("FAIL cycle %0d: %0s", cycle, what);
    end
  endtask
  function [31:0] rnd(input [31:0] m);
    rnd = {$random(seed)} % m;
  endfunction

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 20000;
    seed0 = seed; errors = 0; most = 0; full63 = 0; sum63 = 0; reports = 0; again = 0;
    for (k = 0; k < SMS*M; k = k + 1) begin
      busy[k] = 0; known[k] = 0; told[k] = 0; n[k] = 0; untold[k] = 0; fresh[k] = 0; at_l2[k] = 0;
      passed[k] = 0;
    end
    for (s = 0; s < SMS; s = s + 1) begin
      full[s] = 0; over[s] = 0; mshr[s] = 0; warp[s] = 0; took_m[s] = 0; took_l2[s] = 0;
          rsp_m[s] = 0;
    end
    for (k = 0; k < L2M; k = k + 1) total[k] = -1;   // not allocated yet
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    l2_alloc = 1'b1;   // both sums begin
    for (k = 0; k < L2M; k = k + 1) begin
      l2_alloc_i = k;
      total[k] = 0;
      @(negedge clk);
    end
    for (cycle = 0; cycle < cycles && errors == 0; cycle = cycle + 1) begin
      // ---- choose
      alloc = '0; merge = '0; took = '0; rsp = '0;
      for (s = 0; s < SMS; s = s + 1) begin
        j = rnd(M);
        mshr[s] = j;
        warp[s] = rnd(128);
        if (rnd(4) != 0) begin
          if (busy[s*M + j]) merge[s] = 1'b1;
          else if (rnd(8) == 0) alloc[s] = 1'b1;
        end
        j = rnd(M);
        took_m[s] = j;
        took_l2[s] = rnd(2);
        if (known[s*M + j] && !told[s*M + j] && rnd(20) == 0) took[s] = 1'b1;
        j = rnd(M);
        rsp_m[s] = j;
        if (busy[s*M + j] && told[s*M + j] && rnd(400) == 0) rsp[s] = 1'b1;
      end
      counts     = rnd(8) != 0;
      l2_alloc   = rnd(60) == 0;
      l2_alloc_i = rnd(2);
      pin_alloc = alloc; pin_merge = merge; pin_took = took; pin_rsp = rsp;
      pin_mshr    = {mshr[2], mshr[1], mshr[0]};
      pin_warp    = {warp[2], warp[1], warp[0]};
      pin_took_m  = {took_m[2], took_m[1], took_m[0]};
      pin_took_l2 = {took_l2[2], took_l2[1], took_l2[0]};
      pin_rsp_m   = {rsp_m[2], rsp_m[1], rsp_m[0]};
      #4;
      // ---- look
      if (^{tv, tr, add} === 1'bx) fail("X on a valid or ready output");
      k = 0;
      for (s = 0; s < SMS; s = s + 1) begin
        if (tr[s] !== !full[s]) fail("ready for a report");
        k = k + full[s];
      end
      if (add !== (k != 0)) fail("a report is served in every cycle that there is one");
      if (add) begin
        if (!full[sm]) fail("a report of nobody is served");
        if (idx !== kept_i[sm] || warps !== kept_n[sm]) fail("what is reported");
        k = counts ? total[idx] + kept_n[sm] : total[idx];
        if (k > 63) begin k = 63; sum63 = sum63 + 1; end
        if (sum !== k) fail("sum of waiting warps");
        total[idx] = k;
        for (s = 0; s < SMS; s = s + 1) begin
          over[s] = full[s] && s != sm ? over[s] + 1 : 0;
          if (over[s] > SMS - 1) fail("an SM's report waits for more than one of each other");
        end
        reports = reports + 1;
      end
      if (l2_alloc) total[l2_alloc_i] = 0;
      for (s = 0; s < SMS; s = s + 1) begin
        j = 0;
        for (k = 0; k < M; k = k + 1) j = j | fresh[s*M + k];
        if (tv[s] !== j[0]) fail("something to tell");
        if (tv[s]) begin
          k = s*M + t_l1[s*2 +: 2];
          if (t_l1[s*2 +: 2] >= M || !fresh[k]) fail("a report of a register without one");
          else if (t_w[s*6 +: 6] !== untold[k] || t_l2[s] !==
              at_l2[k]) fail("warps that the L2 was not told");
        end
      end
      // ---- the edge
      for (s = 0; s < SMS; s = s + 1) begin
        if (add && sm == s) full[s] = 1'b0;
        else if (tv[s] && tr[s]) begin
          full[s] = 1'b1; kept_n[s] = t_w[s*6 +: 6]; kept_i[s] = t_l2[s];
        end
        if (tv[s] && tr[s]) begin
          for (k = s*M; k < s*M + M; k = k + 1) begin
            passed[k] = fresh[k] && k != s*M + t_l1[s*2 +: 2] ? passed[k] + 1 : 0;
            if (passed[k] > M - 1) fail("a register waits for more than one report of each other");
          end
          untold[s*M + t_l1[s*2 +: 2]] = 0;
          fresh[s*M + t_l1[s*2 +: 2]]  = 1'b0;
        end
        if (alloc[s]) busy[s*M + mshr[s]] = 1'b1;
        k = s*M + mshr2[s];
        if (alloc2[s]) begin
          known[k] = 1'b1; told[k] = 1'b0; n[k] = 1; untold[k] = 1; fresh[k] = 1'b0;
          for (j = 0; j < 128; j = j + 1) seen[k*128 + j] = 1'b0;
          seen[k*128 + warp2[s]] = 1'b1;
        end
        if (merge2[s] && !seen[k*128 + warp2[s]] && n[k] < 63) begin
          seen[k*128 + warp2[s]] = 1'b1;
          n[k] = n[k] + 1;
          untold[k] = untold[k] + 1;
          if (told[k]) fresh[k] = 1'b1;
          if (n[k] == 63) full63 = full63 + 1;
        end
        if (n[k] > most) most = n[k];
        mshr2[s] = mshr1[s]; warp2[s] = warp1[s]; mshr1[s] = mshr[s]; warp1[s] = warp[s];
        k = s*M + rsp_m[s];
        if (rsp[s]) begin
          told[k] = 1'b0; fresh[k] = 1'b0;
          if (rnd(3) != 0) begin                    // free; else it is asked for again
            busy[k] = 1'b0; known[k] = 1'b0;
          end else again = again + 1;
        end
        k = s*M + took_m[s];
        if (took[s]) begin
          told[k] = 1'b1; at_l2[k] = took_l2[s]; untold[k] = n[k]; fresh[k] = 1'b1;
        end
      end
      alloc2 = alloc1; merge2 = merge1; alloc1 = alloc; merge1 = merge;
      @(negedge clk);
    end
    if (errors == 0 && cycles >= 10000 &&
        (full63 < 10 || sum63 < 10 || again < 10 || reports < 500)) fail("too few of some kind");
    if (errors == 0) begin
      $write("PASS %0d reports, %0d times 63 warps in a register, ", reports, full63);
      $display("%0d sums of 63, %0d asked for again, %0d cycles, seed %0d", sum63, again, cycles,
          seed0);
    end else $display("FAIL %0d errors, seed %0d", errors, seed0);
    $finish(0);
  end
endmodule
`default_nettype wire
