// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_tlb_tb: the shared L2 TLB with random L1s before it and a random walker behind it, split
// build, (-DUNIFIED) unified build, (-DSERIAL) serial one, or (-DDEEP) split with more MSHRs in an
// L1 than Latency: one SM has hits in four of five cycles while four of its walks end, until four
// ends wait. Every L1 MSHR gets exactly one answer, with a translation that its ASID has now or had
// until the invalidation in progress; what the same SM asks when nothing else is going on and the
// L2 holds takes exactly Latency cycles; a page is walked once at a time; an ASID that has no MSHR
// gets one although another ASID holds all others; a report of warps counts exactly while its SM
// waits at that MSHR for a walk. Lookups, ways and victims are compared with the policy model in
// the system bench. +seed=N. Icarus, four-state; Verilator, to count and for planted bugs.
`timescale 1ns/1ps
`default_nettype none
module gmmu_l2_tlb_tb;
`ifdef UNIFIED
  localparam int UNIFIED = 1;
`else
  localparam int UNIFIED = 0;
`endif
`ifdef DEEP
  localparam int L1M = 32, MSHRS = 8;
`else
  localparam int L1M = 4, MSHRS = 6;
`endif
`ifdef SERIAL
  // Latency: the shortest with 4 ways. Long: a queue of 4 requests, each with a walk, as in the
  // other builds, but 7 cycles an operation and 56 for a sweep of 8 sets.
  localparam int SERIAL = 1, PORTS = 1, LATENCY = 9, LONG = 500, QUIET = 250;
`else
  localparam int SERIAL = 0, PORTS = 2, LATENCY = L1M > 4 ? 20 : 8, LONG = 300, QUIET = 80;
`endif
  localparam int L1_W = $clog2(L1M);
  localparam int SMS = 3, ASIDS = 3, ASID_W = 4, PFN_W = 20, VFN_W = 27;
  localparam int X_W = gmmu_pkg::XLATE_FIXED_W + PFN_W;
  localparam int RUN_W = gmmu_pkg::RUN_W;
  parameter int TOTAL = 12000;  // answers

  reg clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;
  reg  [SMS-1:0]        req_valid = '0, tell_valid = '0;
  reg  [SMS*3-1:0]      tell_mshr = '0;
  // ... as the pins have them, each written as a whole: Verilator 5.006 takes no notice of part of
  // a variable that a process with delays writes.
  reg  [SMS-1:0]        pin_valid = '0, pin_tell = '0;
  reg  [SMS*3-1:0]      pin_tell_mshr = '0;
  reg  [SMS*ASID_W-1:0] pin_asid = '0;
  reg  [SMS*VFN_W-1:0]  pin_vfn = '0;
  reg  [SMS*L1_W-1:0]   pin_mshr = '0;
  wire [SMS-1:0]        req_ready, ans_sel, tell_ready;
  reg  [SMS*ASID_W-1:0] req_asid = '0;
  reg  [SMS*VFN_W-1:0]  req_vfn = '0;
  reg  [SMS*L1_W-1:0]   req_mshr = '0;
  wire [PORTS*SMS-1:0]  hit_sel, taken_sel;
  wire [PORTS*L1_W-1:0] hit_mshr, taken_l1;
  wire [PORTS*3-1:0]    taken_mshr;
  wire [PORTS*X_W-1:0]  hit_x;
  wire [SMS*L1_W-1:0]   ans_mshr;
  wire [X_W-1:0]        ans_x;
  wire                  walk_valid, fin_take, sweep_done;
  wire [2:0]            walk_mshr;
  wire [ASID_W-1:0]     walk_asid;
  wire [VFN_W-1:0]      walk_vfn;
  reg                   fin_valid = 1'b0, mark_next = 1'b0, mark = 1'b0, sweep_start = 1'b0;
  reg  [2:0]            fin_mshr = '0;
  reg  [X_W-1:0]        fin_x = '0;
  reg  [RUN_W-1:0]      fin_run = '0;
  reg  [gmmu_pkg::CMD_FIXED_W+ASID_W-1:0] cmd = '0;

  gmmu_l2_tlb #(.NumSms(SMS), .NumAsids(ASIDS), .AsidW(ASID_W), .VaW(39), .PfnW(PFN_W),
      .L1Mshrs(L1M), .Entries(32),
                .Ways(4), .LargeEntries(UNIFIED ? 0 : 4), .L2Unified(UNIFIED), .L2Serial(SERIAL),
                .Ports(PORTS),
                .Latency(LATENCY), .Mshrs(MSHRS), .Obs(UNIFIED)) dut (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(pin_valid), .req_ready_o(req_ready),
    .req_asid_i(pin_asid), .req_walk_key_i(pin_vfn), .req_mshr_i(pin_mshr), .taken_sel_o(taken_sel),
    .taken_l1_mshr_o(taken_l1), .taken_mshr_o(taken_mshr), .tell_valid_i(pin_tell),
    .tell_ready_o(tell_ready), .tell_mshr_i(pin_tell_mshr), .tell_warps_i({SMS{6'd1}}),
    .hit_sel_o(hit_sel), .hit_l1_mshr_o(hit_mshr), .hit_xlate_o(hit_x), .ans_sel_o(ans_sel),
    .ans_l1_mshr_o(ans_mshr), .ans_xlate_o(ans_x), .walk_valid_o(walk_valid),
    .walk_mshr_o(walk_mshr), .walk_asid_o(walk_asid), .walk_key_o(walk_vfn),
    .fin_valid_i(fin_valid), .fin_take_o(fin_take), .fin_mshr_i(fin_mshr), .fin_xlate_i(fin_x),
    .fin_run_i(fin_run), .ctx_on_i({ASIDS{1'b1}}), .mark_next_i(mark_next), .mark_i(mark),
    .sweep_start_i(sweep_start), .sweep_done_o(sweep_done), .cmd_i(cmd), .obs_o()
  );

  function [31:0] hash(input [31:0] v);
    reg [31:0] h;
    begin
      h = v * 32'h9e3779b1;
      h = (h ^ (h >> 13)) * 32'h27d4eb2f;
      hash = h ^ (h >> 15);
    end
  endfunction
  // What a page translates to in a version of its address space. Frames 3 are 2 MiB pages; in
  // frames 2 all subregions are contiguous (unified build); some other pages fault or may not be
  // filled.
  function [X_W-1:0] xlate(input [ASID_W-1:0] asid, input [VFN_W-1:0] vfn, input [31:0] version);
    reg [31:0] h;
    begin
      h = hash({5'd0, vfn[10:9] >= 2'd2 ? vfn >> 9 : vfn} ^ hash(version * 16 + asid));
      if (vfn[10:9] == 2'd3) xlate = {5'd0, 1'b1, 1'b0, 5'h1f, h[PFN_W-1:9], 9'd0};
      else if (vfn[10:9] == 2'd2) xlate = {5'd0, 1'b0, 1'b0, 5'h1f,
          PFN_W'({1'b0, h[PFN_W-2:0]}) + PFN_W'(vfn[8:0])};
      else if (h[31:28] == 4'd0) xlate = {5'd1, {(X_W-5){1'b0}}};
      else xlate = {5'd0, 1'b0, h[27:26] == 2'd0, 5'h1f, h[PFN_W-1:0]};
    end
  endfunction

  integer seed, seed0, errors, answers, hits, cycles, i, k, s, p, n, inv_step, inv_wait,
      version [0:ASIDS-1],
          oldest [0:ASIDS-1], exact, starved, walks, quiet, early, hog_since, longest;
  // Cycles left in which walks end together, and most pages are a few of one frame: two runs of
  // subregions, and behind them all eight.
  integer          burst;
  reg              busy  [0:SMS*L1M-1];      // an L1 MSHR that has asked
  reg [ASID_W-1:0] l1_a  [0:SMS*L1M-1];
  reg [VFN_W-1:0]  l1_v  [0:SMS*L1M-1];
  integer          since [0:SMS*L1M-1];
  reg              alone [0:SMS*L1M-1];      // asked when the L2 had nothing else to do
  reg              walking [0:MSHRS-1];      // a walk is under way
  reg              answered [0:MSHRS-1];     // ... and has answered early
  reg              stale   [0:MSHRS-1];
  reg [ASID_W-1:0] w_a [0:MSHRS-1];
  reg [VFN_W-1:0]  w_v [0:MSHRS-1];
  integer          w_ver [0:MSHRS-1], due [0:MSHRS-1];
  reg [ASID_W-1:0] inv_asid;
  reg [1:0]        inv_kind;                 // 0: everything, 1: of inv_asid, 3: nothing
  // In a burst of build DEEP SM 0 alone asks: four pages that walks end for together, and
  // pages of a large one that hit.
  reg              together;
  reg              hog, good, idle, fin_taken, run_ends;
  reg [SMS-1:0]    accepted;
  reg [SMS-1:0]    waits [0:MSHRS-1];        // which SMs wait there
  reg [MSHRS-1:0]  used = '0;                // which were ever taken
  integer          told;                     // reports that counted
  reg [X_W-1:0]    x, got;
  function [31:0] rnd(input [31:0] m);
    rnd = {$random(seed)} % m;
  endfunction
  function covers(input [ASID_W-1:0] asid);
    covers = inv_kind == 2'd0 || (inv_kind == 2'd1 && asid == inv_asid);
  endfunction
  task fail(input [8*56-1:0] what, input integer a);
    begin
      errors = errors + 1;
      $display("FAIL cycle %0d: %0s (%0d: asid %0d vfn %h)", cycles, what, a,
          a < SMS*L1M ? l1_a[a] : 0,
               a < SMS*L1M ? l1_v[a] : 0);
    end
  endtask
  // One answer for L1 MSHR m of SM sm.
  task answer(input integer sm, input [L1_W-1:0] m, input [X_W-1:0] a, input is_hit);
    integer id, v;
    reg [X_W-1:0] want;
    begin
      id = sm * L1M + m;
      if (^a === 1'bx) fail("X in an answer", id);
      if (!busy[id]) fail("an answer that nobody waits for", id);
      good = 1'b0;
      for (v = oldest[l1_a[id]]; v <= version[l1_a[id]]; v = v + 1) begin
        want = xlate(l1_a[id], l1_v[id], v);
        // Of a large translation the low bits of the PFN are the L1's business; a hit answers a
        // page that was filled.
        if (want[PFN_W+6]) good = good | a[X_W-1:9] == want[X_W-1:9];
        else good = good | a == want;
      end
      if (!good) fail("wrong translation", id);
      if (is_hit) hits = hits + 1;
      if (is_hit && alone[id]) begin
        exact = exact + 1;
        if (cycles - since[id] != LATENCY) fail("a hit did not take Latency cycles", id);
      end
      busy[id] = 1'b0;
      answers = answers + 1;
    end
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    seed0 = seed;
    errors = 0; answers = 0; hits = 0; cycles = 0; inv_step = 0; inv_wait = 0; exact = 0;
    starved = 0; walks = 0; quiet = 0; burst = 0;
    hog = 1'b0; early = 0; hog_since = 0; told = 0; longest = 0;
    together = 1'b0;
    for (i = 0; i < ASIDS; i = i + 1) begin version[i] = 1; oldest[i] = 1; end
    for (i = 0; i < SMS*L1M; i = i + 1) begin busy[i] = 1'b0; l1_a[i] = 0; l1_v[i] = 0;
    since[i] = 0; alone[i] = 1'b0; end
    for (i = 0; i < MSHRS; i = i + 1) begin walking[i] = 1'b0; stale[i] = 1'b0; answered[i] = 1'b0;
    waits[i] = '0; end
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (answers < TOTAL && errors == 0) begin
      // just before the posedge: what will be taken
      #4;
      if (^{req_ready, hit_sel, ans_sel, walk_valid, fin_take, sweep_done, tell_ready,
          taken_sel} === 1'bx)
        fail("X on valid, ready or status", 0);
      accepted = req_valid & req_ready;
      // Whom a report is for, as the cycle begins; then what this cycle takes and ends.
      if (used[dut.u_mshr.tell_idx_i] === 1'b1 &&
          dut.u_mshr.tell_counts_o !== waits[dut.u_mshr.tell_idx_i][dut.u_mshr.tell_sm_i])
        fail("whether a report of warps counts", dut.u_mshr.tell_idx_i);
      told = told + 32'(dut.u_mshr.tell_counts_o === 1'b1);
      for (p = 0; p < PORTS; p = p + 1)
        if (dut.u_mshr.alloc_o[p] | dut.u_mshr.merge_o[p]) begin
          waits[dut.u_mshr.idx_o[p*3 +: 3]][dut.u_mshr.sm_i[p*2 +: 2]] = 1'b1;
          used[dut.u_mshr.idx_o[p*3 +: 3]] = 1'b1;
        end
      if (dut.u_mshr.done_i) waits[dut.u_mshr.done_idx_i] = '0;
      for (s = 0; s < SMS; s = s + 1) begin
        n = 0;
        for (p = 0; p < PORTS; p = p + 1)
          if (hit_sel[p*SMS + s]) begin n = n + 1;
          answer(s, hit_mshr[p*L1_W +: L1_W], hit_x[p*X_W +: X_W], 1'b1); end
        if (ans_sel[s]) begin n = n + 1; answer(s, ans_mshr[s*L1_W +: L1_W], ans_x, 1'b0); end
        if (n > 1) fail("two answers for one SM in a cycle", s);
        if (accepted[s]) since[s*L1M + req_mshr[s*L1_W +: L1_W]] = cycles;
      end
      if (mark) begin
        for (i = 0; i < MSHRS; i = i + 1)
          if (walking[i] && covers(w_a[i])) begin stale[i] = 1'b1; w_ver[i] = version[w_a[i]]; end
      end
      if (walk_valid) begin
        walks = walks + 1;
        if (walking[walk_mshr]) fail("an MSHR walks twice", SMS*L1M);
        for (i = 0; i < MSHRS; i = i + 1)
          if (walking[i] && !stale[i] && !answered[i] && w_a[i] == walk_asid && w_v[i] == walk_vfn)
            fail("a page is walked twice at once", SMS*L1M);
        walking[walk_mshr] = 1'b1; stale[walk_mshr] = 1'b0; answered[walk_mshr] = 1'b0;
        w_a[walk_mshr] = walk_asid; w_v[walk_mshr] = walk_vfn;
        w_ver[walk_mshr] = version[walk_asid];
        due[walk_mshr] = burst != 0 ? cycles + 68 - (cycles + 4) % 64 + (walk_vfn[0] ? 64 : 0)
                                    : cycles + 4 + rnd(hog && walk_asid == 0 ? 400 : 30);
      end
      if (32'(dut.u_mshr.u_waiters.answers_o) > longest)
        longest = 32'(dut.u_mshr.u_waiters.answers_o);
      fin_taken = fin_valid & fin_take;
      run_ends  = fin_taken & fin_run[RUN_W-2];
      if (fin_taken) begin
        if (fin_run[RUN_W-1]) begin
          answered[fin_mshr] = 1'b1;
          due[fin_mshr] = cycles + 3 + rnd(40);
          early = early + 1;
        end else walking[fin_mshr] = 1'b0;
      end
      if (sweep_done) begin
        for (i = 0; i < ASIDS; i = i + 1) if (covers(i)) oldest[i] = version[i];
        inv_step = 0;
      end
      for (i = 0; i < SMS*L1M; i = i + 1)
        if (busy[i] && cycles - since[i] > 5000) begin
          fail("no answer for 5000 cycles", i);
          for (k = 0; k < MSHRS; k = k + 1)
            $display("  MSHR %0d: walking %b asid %0d vfn %h due %0d", k, walking[k], w_a[k],
                w_v[k], due[k]);
        end
      // While two SMs let ASID 0 hold what it may in long walks, the ASID of the third gets one
      // MSHR after the other.
      if (hog)
        for (i = 2*L1M; i < SMS*L1M; i = i + 1)
          if (busy[i] && since[i] > hog_since + 500) begin
            starved = starved + (cycles - since[i] == 40);
            if (cycles - since[i] == LONG) fail("an ASID waits for another one's walks", i);
          end
      @(negedge clk);
      cycles = cycles + 1;
      if (fin_taken) fin_valid = 1'b0;
      // L1s: new requests; now and then everything is quiet first
      if (rnd(hog ? 3000 : 900) == 0) begin hog = !hog; hog_since = cycles; end
      if (quiet == 0 && !hog && !together && rnd(150) == 0) quiet = QUIET;
      if (quiet != 0) quiet = quiet - 1;
      if (burst != 0) burst = burst - 1;
      else if (!hog && rnd(L1M > 4 ? 2000 : 400) == 0) burst = L1M > 4 ? 512 : 256;
      together = L1M > 4 && burst != 0;
      idle = 1'b1;
      for (i = 0; i < SMS*L1M; i = i + 1) idle = idle & !busy[i];
      for (i = 0; i < MSHRS; i = i + 1) idle = idle & !walking[i];
      idle = idle & !fin_valid & inv_step == 0;
      for (s = 0; s < SMS; s = s + 1) begin
        if (accepted[s]) req_valid[s] = 1'b0;
        // until nothing is under way
        if (!req_valid[s] && quiet != 0 && !(quiet < 30 && idle)) begin end
        else if (!req_valid[s] && (quiet != 0 ? s == 0 : together
            ? s == 0 && (cycles % 64 < 20 || cycles % 64 > 30) : rnd(3) != 0)) begin
          k = rnd(L1M);
          if (together)
            for (n = 0; n < L1M; n = n + 1) if (busy[s*L1M + k]) k = (k + 1) % L1M;
          i = s * L1M + k;
          if (!busy[i]) begin
            l1_a[i] = hog ? s == 2 : rnd(ASIDS);
            l1_v[i] = {rnd(3) == 0, 3'd0, 2'(rnd(4)),
                9'(rnd(hog ? 512 : 20) * (rnd(4) == 0 ? 25 : 1))};
            if (together) begin
              good = cycles % 64 > 30 && cycles % 64 < 35;
              l1_a[i] = good ? cycles % ASIDS : 1;
              l1_v[i] = good ? {2'd1, 8'(rnd(256)), 1'b0} : {2'd3, 9'(rnd(512))};
            end else if (burst != 0 && rnd(4) != 0) begin
              l1_a[i] = 1;
              l1_v[i] = {2'd2, 9'(k == 0 ? 130 : k == 1 ? 256 : 64 * s + 1)};
            end
            if (quiet != 0) begin                // what was asked for before, which hits more often
              n = rnd(SMS * L1M);
              l1_a[i] = l1_a[n]; l1_v[i] = l1_v[n];
            end
            for (n = 0; n < L1M; n = n + 1)      // an L1 asks for a page once
              if (n != k && busy[s*L1M + n] && l1_a[s*L1M + n] == l1_a[i] && l1_v[s*L1M + n] ==
                  l1_v[i]) l1_v[i] = l1_v[i] ^ 1;
            good = 1'b1;
            for (n = 0; n < L1M; n = n + 1)
              if (n != k && busy[s*L1M + n] && l1_a[s*L1M + n] == l1_a[i] && l1_v[s*L1M + n] ==
                  l1_v[i]) good = 1'b0;
            if (good) begin
              req_valid[s] = 1'b1; busy[i] = 1'b1; since[i] = cycles; alone[i] = idle & s == 0;
              req_asid[s*ASID_W +: ASID_W] = l1_a[i]; req_vfn[s*VFN_W +: VFN_W] = l1_v[i];
              req_mshr[s*L1_W +: L1_W] = k;
            end
          end
        end
      end
      if (quiet == 0 || inv_step != 0) for (i = 0; i < SMS*L1M; i = i + 1) alone[i] = 1'b0;
      tell_valid = rnd(8);
      for (s = 0; s < SMS; s = s + 1) begin
        tell_mshr[s*3 +: 3] = rnd(MSHRS);
        tell_valid[s] = tell_valid[s] & used[tell_mshr[s*3 +: 3]];
      end
      // Walker: a random walk that is due ends, as the tables are at its time; a stale one was
      // restarted
      k = rnd(MSHRS);
      for (i = 0; i < MSHRS; i = i + 1) begin
        if (!fin_valid && walking[k] && due[k] <= cycles) begin
          fin_valid = 1'b1; fin_mshr = k;
          fin_x = xlate(w_a[k], w_v[k], w_ver[k]);
          fin_run = '0;
          if (UNIFIED && w_v[k][10:9] == 2'd2) begin
            // AC; or C with an early answer first, then a run, which may be empty when the walk
            // became stale
            if (answered[k]) fin_run = {2'b01, !stale[k], w_v[k][1] ? w_v[k][8:6] & 3'd6
                : w_v[k][8:6] & 3'd4, w_v[k][1] ? 3'd1 : 3'd3};
            else if (w_v[k][0]) fin_run = {3'b001, 3'd0, 3'd7};
            else fin_run = {2'b10, 1'b0, 6'd0};
            if (answered[k] && stale[k]) fin_x = '0;
          end
        end
        k = (k + 1) % MSHRS;
      end
      // Invalidation of one ASID, everything or nothing: tables change, mark, sweep; more often
      // such that it marks when the run of a walk ends that answered early.
      mark_next = 1'b0; mark = 1'b0; sweep_start = 1'b0;
      case (inv_step)
        0: if ((rnd(200) == 0 && !(together && burst > 64)) || (run_ends && rnd(8) == 0) ||
            (UNIFIED != 0 && burst == 250)) begin
             inv_asid = rnd(ASIDS);
             k = rnd(4);
             inv_kind = k == 2 ? 1 : k;
             for (i = 0; i < ASIDS; i = i + 1) if (covers(i)) version[i] = version[i] + 1;
             cmd = {inv_kind, inv_asid, {36{k == 3}}, 36'd0};
             mark_next = 1'b1; inv_step = 1;
             for (i = 0; i < SMS*L1M; i = i + 1) alone[i] = 1'b0;
           end
        1: begin mark = 1'b1; inv_step = 2; end
        2: begin sweep_start = 1'b1; inv_step = 3; end
        default: inv_wait = inv_wait + 1;
      endcase
      pin_valid = req_valid; pin_asid = req_asid; pin_vfn = req_vfn; pin_mshr = req_mshr;
      pin_tell = tell_valid; pin_tell_mshr = tell_mshr;
    end
    if (errors == 0 && (exact < (L1M > 4 ? 1 : 8) || (L1M > 4 && longest != 4) || starved < 3 ||
        hits < TOTAL / 10 || told < TOTAL / 10 || (UNIFIED && early < 200))) begin
      errors = 1;
      begin
        $write("FAIL too little happened: %0d hits, ", hits);
        $display("%0d of them alone, %0d early answers, %0d long waits, %0d ends in the queue",
            exact, early, starved, longest);
      end
    end
    if (errors == 0) begin
      $write("PASS %0d answers, %0d hits, %0d of them timed, ", answers, hits, exact);
      $display("%0d walks, %0d early, %0d ends in the queue at most, %0d cycles, seed %0d", walks,
          early, longest, cycles, seed0);
    end else $display("FAIL seed %0d", seed0);
    $finish(0);
  end
endmodule
`default_nettype wire
