// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_fill_tokens and gmmu_epoch: the numbers of docs/fill_tokens.md and docs/epoch.md by
// hand, four-state. 2 SMs of
// 16 warps, application 3.
// Ends with "PASS ..." or "FAIL ...". +seed=N: order of the warps' requests and of hits and misses.
`timescale 1ns/1ps
`default_nettype none
module gmmu_fill_tokens_tb;
  localparam int EPOCH = 45000;
  localparam int ASIDS = 5;
  localparam int APP   = 3;

  reg        clk = 1'b0;
  reg        rst_n = 1'b0;
  reg  [1:0] req = '0;
  reg  [7:0] req_asid = '0;
  reg  [7:0] req_warp = '0;
  reg  [1:0] look = '0;
  reg  [1:0] look_hit = '0;
  reg  [5:0] look_app = '0;
  reg        sm = 1'b0;
  reg  [3:0] warp = '0;
  wire       holds;
  wire [gmmu_pkg::OBS_TOKEN_W-1:0] obs;
  reg  [31:0] period = 32'd12000;   // long enough for 10,000 lookups
  wire        pulse;
  reg         free = 1'b0;
  reg  [6:0]  start = gmmu_pkg::TOKEN_START;
  reg  [2:0]  step = gmmu_pkg::TOKEN_STEP;
  reg  [6:0]  points = gmmu_pkg::TOKEN_POINTS;
  localparam int LEAST = gmmu_pkg::least_epoch(2, ASIDS, 4);   // 6 + 2 + 20 * 5 + 2 * 16
  gmmu_epoch #(.EpochCycles(EPOCH), .Least(LEAST)) u_epoch (.clk_i(clk), .rst_ni(rst_n),
      .cycles_i(period), .epoch_o(pulse));
  gmmu_fill_tokens #(.NumSms(2), .NumAsids(ASIDS), .AsidW(4), .WarpW(4)) dut (
    .clk_i(clk), .rst_ni(rst_n), .epoch_i(pulse), .free_i(free), .start_i(start), .step_i(step),
    .points_i(points), .req_i(req), .req_asid_i(req_asid), .req_warp_i(req_warp), .look_i(look),
    .look_hit_i(look_hit), .look_app_i(look_app), .sm_i(sm), .warp_i(warp), .holds_o(holds),
    .obs_o(obs)
  );
`include "gmmu_obs_places.svh"
  wire [OBS_TOKEN_WHO_W-1:0]    who       = obs[OBS_TOKEN_WHO +: OBS_TOKEN_WHO_W];
  wire [OBS_TOKEN_WARP_W-1:0]   warp_of   = obs[OBS_TOKEN_WARP +: OBS_TOKEN_WARP_W];
  wire [OBS_TOKEN_TOKENS_W-1:0] tokens_of = obs[OBS_TOKEN_TOKENS +: OBS_TOKEN_TOKENS_W];
  wire [OBS_TOKEN_ACTIVE_W-1:0] active_of = obs[OBS_TOKEN_ACTIVE +: OBS_TOKEN_ACTIVE_W];
  wire                          up_of     = obs[OBS_TOKEN_UP];
  always #5 clk = !clk;

  integer seed, seed0, errors, epochs, s, w, i, h, m, cycle, got_tokens, got_warps, got_up, first;

  // obs is seen one cycle after: remember what the update of APP said.
  always @(negedge clk) begin
    if (rst_n) cycle = cycle + 1;
    if (obs[OBS_TOKEN_UPDATE] && who == APP) begin
      got_tokens = tokens_of;
      got_up     = up_of;
      got_warps  = active_of;
    end
    if (obs[OBS_TOKEN_PULSE]) epochs = epochs + 1;
    if (^obs === 1'bx || holds === 1'bx) fail("X");
  end

  // Hits and misses of APP as docs/fill_tokens.md counts them: both are halved before one of them
  // would pass 65,535.
  // A lookup and a pulse count a cycle later.
  integer hits_now, misses_now, hits_last, misses_last, halved_h, halved_m, add_h, add_m;
  reg       pulse_q = 1'b0, ended = 1'b0;
  reg [1:0] look_q = '0, look_hit_q;
  reg [5:0] look_app_q;
  initial begin hits_now = 0; misses_now = 0; hits_last = 0; misses_last = 0; halved_h = 0;
      halved_m = 0; end
  always @(posedge clk) if (rst_n) begin
    add_h = (look_q[0] && look_hit_q[0] && look_app_q[2:0] == APP) +
        (look_q[1] && look_hit_q[1] && look_app_q[5:3] == APP);
    add_m = (look_q[0] && !look_hit_q[0] && look_app_q[2:0] == APP) +
        (look_q[1] && !look_hit_q[1] && look_app_q[5:3] == APP);
    if (pulse_q) begin
      ended     = 1'b1;
      hits_last = hits_now;
      misses_last = misses_now;
      hits_now = 0;
      misses_now = 0;
    end
    if (hits_now + add_h > 65535 || misses_now + add_m > 65535) begin
      if (hits_now + add_h > 65535) halved_h = halved_h + 1;
      else halved_m = halved_m + 1;
      hits_now = hits_now / 2;
      misses_now = misses_now / 2;
    end
    hits_now = hits_now + add_h;
    misses_now = misses_now + add_m;
    pulse_q    = pulse;
    look_q     = look;
    look_hit_q = look_hit;
    look_app_q = look_app;
  end
  always @(negedge clk) if (rst_n) begin
    if (dut.u_counters.hits_q[APP] !== hits_now || dut.u_counters.misses_q[APP] !==
        misses_now) fail("hits and misses of this epoch");
    if (ended && dut.u_counters.last[32*APP +: 32] !==
        {16'(hits_last), 16'(misses_last)}) fail("hits and misses of the last epoch");
  end

  task fail(input [8*64-1:0] what);
    begin
      errors = errors + 1;
      $display("FAIL epoch %0d cycle %0d: %0s", epochs, cycle, what);
    end
  endtask

  // One epoch: n0 and n1 warps of the SMs make requests, h hits and m misses of application 3, two
  // a cycle.
  task epoch(input integer n0, input integer n1, input integer hits, input integer misses);
    integer left_h, left_m, e;
    begin
      e = epochs;
      left_h = hits;
      left_m = misses;
      for (i = 0; i < 16; i = i + 1) begin
        @(negedge clk);
        req = {i < n1, i < n0};
        req_asid = {4'(APP), 4'(APP)};
        req_warp = {4'(i), 4'(i)};
      end
      @(negedge clk);
      req = '0;
      while (left_h + left_m > 0) begin
        look = '0;
        for (s = 0; s < 2; s = s + 1) begin
          // those of another application are not counted here
          look_app[s*3 +: 3] = {$random(seed)} % 16 == 0 ? (APP + 1) % ASIDS : APP;
          if (left_h + left_m > 0 && {$random(seed)} % 16 != 0) begin
            look[s] = 1'b1;
            // the fewer first: they are halved with the others
            look_hit[s] = left_m == 0 || (left_h > 0 && left_h < left_m);
            if (look_app[s*3 +: 3] == APP) begin
              if (look_hit[s]) left_h = left_h - 1;
              else left_m = left_m - 1;
            end
          end
        end
        @(negedge clk);
      end
      look = '0;
      while (epochs == e) @(negedge clk);
      repeat (LEAST) @(negedge clk);
    end
  endtask

  task tokens(input integer want, input integer up);
    begin
      if (got_tokens != want) begin
        errors = errors + 1;
        $display("FAIL epoch %0d: %0d tokens of %0d warps, expected %0d", epochs, got_tokens,
            got_warps, want);
      end
      if (up >= 0 && got_up != up) fail("direction");
      // in order of (warp, SM)
      for (w = 0; w < 16; w = w + 1) begin
        for (s = 0; s < 2; s = s + 1) begin
          sm = s;
          warp = w;
          repeat (2) @(negedge clk);   // asked two cycles before
          if (holds !== (2*w + s < want)) fail("who holds a token");
        end
      end
    end
  endtask

  // Cycles from one pulse to the next.
  task gap(input integer want);
    integer n;
    begin
      while (!pulse) @(negedge clk);
      @(negedge clk);
      n = 1;
      while (!pulse) begin
        @(negedge clk);
        n = n + 1;
      end
      if (n != want) begin
        errors = errors + 1;
        $display("FAIL an epoch of %0d cycles, expected %0d", n, want);
      end
    end
  endtask

  integer waited;
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    seed0 = seed;
    errors = 0; epochs = 0; cycle = 0; got_tokens = 0; got_up = 0; got_warps = 0;
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    for (w = 0; w < 16; w = w + 1) begin
      warp = w;
      sm = w[0];
      #1;
      if (holds !== 1'b1) fail("the first epoch fills freely");
    end
    epoch(16, 16, 50, 50);
    tokens(25, -1);                   // floor(0.8 * 32)
    epoch(16, 16, 48, 52);
    tokens(25, -1);                   // exactly 2 points
    epoch(16, 16, 4599, 5401);
    tokens(23, 0);                    // 2.01: step 32/16
    epoch(16, 16, 4799, 5201);
    tokens(23, 0);                    // exactly 2 down
    epoch(16, 16, 0, 0);
    tokens(23, 0);                    // nothing looked up
    epoch(16, 16, 100, 0);
    tokens(23, 0);                    // nothing in the epoch before
    epoch(16, 16, 0, 100);
    tokens(21, 0);
    for (first = 0; first < 7; first = first + 1) epoch(16, 16, 10 + 10*first, 90 - 10*first);
    tokens(32, 1);                    // ceiling
    epoch(8, 8, 0, 0);
    tokens(16, 1);                    // the ceiling comes down
    for (first = 0; first < 9; first = first + 1) epoch(1, 1, 90 - 10*first, 10 + 10*first);
    tokens(1, 0);                     // floor
    epoch(0, 0, 5, 5);
    tokens(0, -1);                    // it went
    period = 32'd0;
    epoch(5, 5, 0, 0);
    tokens(8, -1);                    // and came back
    // Halving: 100 hits, then 65,536 misses; the last one halves both first.
    epoch(5, 5, 100, 65536);
    if (dut.u_counters.last[32*APP+16 +: 16] !== 16'd50) fail("hits after halving");
    // Two misses at once may pass the limit one earlier.
    if (dut.u_counters.last[32*APP +: 16] !== 16'd32768 &&
        dut.u_counters.last[32*APP +: 16] !== 16'd32769) fail("misses after halving");
    // Close to the limit by all ways: set there, then none, one or two at once.
    for (i = 0; i < 200; i = i + 1) begin
      @(negedge clk);
      look = '0;
      @(negedge clk);
      hits_now   = i % 2 == 0 ? 65535 - {$random(seed)} % 8 : {$random(seed)} % 65536;
      misses_now = i % 2 == 1 ? 65535 - {$random(seed)} % 8 : {$random(seed)} % 65536;
      // both at the limit: what one has halved is not halved again by the other
      if (i % 4 == 3) hits_now = 65535 - {$random(seed)} % 2;
      if (i % 4 == 3) misses_now = 65535 - {$random(seed)} % 2;
      dut.u_counters.hits_q[APP]   = hits_now;
      dut.u_counters.misses_q[APP] = misses_now;
      @(negedge clk);                // what is close to the limit is known a cycle later
      repeat (12) begin
        look = $random(seed);
        look_hit = {2{i % 2 == 0}} ^ ({$random(seed)} % 4 == 0 ? 2'b01 : 2'b00);
        if (i % 4 == 3) look_hit = $random(seed);
        look_app = {3'(APP), 3'(APP)};
        @(negedge clk);
      end
    end
    look = '0;
    period = 32'd12000;
    if (halved_h < 50 || halved_m < 50) fail("times that hits and misses were halved");
    // Settings: half of 10 warps at first, steps of a quarter, 10 points; then everybody.
    start = 7'd50;
    step = 3'd2;
    points = 7'd10;
    epoch(0, 0, 0, 0);
    tokens(0, -1);
    epoch(5, 5, 50, 50);
    tokens(5, -1);
    epoch(5, 5, 40, 60);
    tokens(5, -1);                    // exactly 10
    epoch(5, 5, 299, 701);
    tokens(3, 0);                     // 10.1: a step of 2
    free = 1'b1;
    #1;
    for (w = 0; w < 16; w = w + 1) begin
      warp = w;
      #1;
      if (holds !== 1'b1) fail("every warp may fill");
    end
    free = 1'b0;
    start = 7'd100;
    epoch(0, 0, 0, 0);
    epoch(16, 15, 1, 1);
    tokens(31, -1);
    start = 7'd0;
    epoch(0, 0, 0, 0);
    epoch(16, 16, 1, 1);
    tokens(1, -1);                    // at least one
    // Epochs: a shorter one cuts the one that runs, a longer one counts from the next on, none is
    // too short to mark all warps.
    period = 32'd150;
    @(negedge clk);
    for (waited = 0; waited < 160 && !pulse; waited = waited + 1) @(negedge clk);
    if (!pulse) fail("the epoch that runs is not cut");
    gap(150);
    period = 32'd7;
    gap(LEAST);
    gap(LEAST);
    period = 32'd300;
    gap(300);
    period = 32'd0;
    gap(EPOCH);
    if (errors == 0) $display("PASS %0d epochs, seed %0d", epochs, seed0);
    else $display("FAIL %0d errors, seed %0d", errors, seed0);
    $finish(0);
  end
  initial begin
    #(EPOCH * 10 * 60);
    $display("FAIL the bench does not end: epoch %0d, tokens %0d", epochs, got_tokens);
    $finish(0);
  end
endmodule
`default_nettype wire
