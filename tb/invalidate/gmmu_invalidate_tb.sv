// SPDX-License-Identifier: Apache-2.0
// gmmu_invalidate_tb: commands at random times, an L2, a walker and L1s that take random times;
// every pulse must come in the cycle and in the order that docs/invalidate.md gives, once, with the
// command held, of an ASID without a context as one for nothing; the next one is not taken while a
// miss is stale. +seed=N. Runs under Icarus.
`timescale 1ns/1ps
`default_nettype none
module gmmu_invalidate_tb;
  localparam int SMS   = 5, ASIDS = 5, ASID_W = 4, CTX_W = 3;
  localparam int IN_W  = gmmu_pkg::CMD_FIXED_W + ASID_W;
  localparam int CMD_W = gmmu_pkg::CMD_FIXED_W + CTX_W;
  localparam int TOTAL = 2000;

  reg              clk = 1'b0, rst_n = 1'b0, valid = 1'b0, sweep_done = 1'b0, walk_busy = 1'b0;
  reg  [IN_W-1:0]  cmd = '0;
  reg  [CMD_W-1:0] taken;
  reg  [SMS-1:0]   busy = '0;
  reg  [SMS:0]     stale = '0;   // misses of each L1 and the L2
  wire             ready, done, mark_next, mark, sweep_start, clear;
  wire [CMD_W-1:0] held;
  always #5 clk = !clk;

  gmmu_invalidate #(.NumSms(SMS), .NumAsids(ASIDS), .AsidW(ASID_W)) dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready), .cmd_i(cmd), .done_o(done),
    .cmd_o(held), .mark_next_o(mark_next), .mark_o(mark), .sweep_start_o(sweep_start),
    .sweep_done_i(sweep_done), .walk_busy_i(walk_busy), .clear_o(clear), .clear_busy_i(busy),
    .stale_i(stale)
  );

  integer seed, seed0, errors, commands, step, wait_l2, wait_walk, waited, refused, nobody, i;
  integer left [0:SMS-1];
  reg l2_done;
  function [31:0] rnd(input [31:0] n);
    rnd = {$random(seed)} % n;
  endfunction
  // What the blocks are told of a command: of kind 0 and 3 that it is for everything.
  function [CMD_W-1:0] told(input [IN_W-1:0] c);
    reg [1:0]        kind;
    reg [ASID_W-1:0] asid;
    reg [71:0]       range;
    begin
      {kind, asid, range} = c;
      told = {kind % 2'd3, asid[CTX_W-1:0], range};
      if (asid >= ASIDS) told = {kind % 3 == 0 ? 2'd0 : 2'd3, asid[CTX_W-1:0], {36{1'b1}}, 36'd0};
    end
  endfunction
  // Exactly these outputs, in this cycle.
  task expect_pulses(input [5:0] want, input [8*24-1:0] what);
    if ({ready, mark_next, mark, sweep_start, clear, done} !== want) begin
      errors = errors + 1;
      $display("FAIL %0t command %0d, %0s: ready next mark sweep clear done expected %b, got %b",
          $time, commands, what, want,
               {ready, mark_next, mark, sweep_start, clear, done});
    end
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    seed0 = seed;
    errors = 0; commands = 0; waited = 0; refused = 0; nobody = 0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (commands < TOTAL && errors == 0) begin
      @(negedge clk);
      valid = 1'b0;
      expect_pulses({stale == '0, 5'b00000}, "idle");   // by what was stale in the cycle before
      i = rnd(3);
      valid = i != 0;
      cmd = {$random(seed), $random(seed), $random(seed)};
      if (valid && stale != '0) refused = refused + 1;
      if (!valid || stale != '0) begin
        if (rnd(3) == 0) stale = stale & $random(seed);
      end else begin
        taken = told(cmd);
        if (taken[CMD_W-1 -: 2] == 2'd3) nobody = nobody + 1;
        @(negedge clk);
        valid = rnd(2); cmd = ~cmd;
        expect_pulses(6'b010000, "before the mark");
        if (held !== taken) begin errors = errors + 1; $display("FAIL command not held"); end
        @(negedge clk);
        // the mark's; what is left of it at the end holds the next command
        stale = $random(seed);
        // a next command may already wait; it must not be taken
        valid = rnd(2); cmd = ~cmd;
        expect_pulses(6'b001000, "mark");
        if (held !== taken) begin errors = errors + 1; $display("FAIL command not held"); end
        @(negedge clk);
        expect_pulses(6'b000100, "sweep start");
        wait_l2 = rnd(20);
        wait_walk = rnd(2) ? rnd(40) : 0;
        l2_done = 1'b0; step = 1;
        for (i = 0; step; i = i + 1) begin
          @(negedge clk);
          sweep_done = i == wait_l2;                   // pulse of the L2 in this cycle
          walk_busy  = i < wait_walk;
          if (sweep_done) l2_done = 1'b1;
          if (l2_done & walk_busy) waited = waited + 1;
          step = !(l2_done & !walk_busy);
          #1 expect_pulses(6'b000000, "L2 or walker at work");
        end
        @(negedge clk);
        sweep_done = 1'b0;
        #1 expect_pulses(6'b000010, "clear");
        for (i = 0; i < SMS; i = i + 1) left[i] = rnd(10);
        step = 1;
        while (step) begin
          @(negedge clk);
          step = 0;
          for (i = 0; i < SMS; i = i + 1) begin
            busy[i] = left[i] != 0;
            if (left[i] != 0) begin left[i] = left[i] - 1; step = 1; end
          end
          #1 expect_pulses(6'b000000, "L1s at work");
          if (held !== taken) begin errors = errors + 1; $display("FAIL command not held"); end
        end
        @(negedge clk);
        expect_pulses(6'b000001, "acknowledge");
        valid = 1'b0;
        commands = commands + 1;
      end
    end
    if (errors == 0 && waited < TOTAL) begin errors = 1;
    $display("FAIL the walker was hardly ever waited for"); end
    if (errors == 0 && refused < TOTAL / 2) begin errors = 1;
    $display("FAIL commands were hardly ever held by stale misses"); end
    if (errors == 0 && nobody < TOTAL / 8) begin errors = 1;
    $display("FAIL hardly any command was of an ASID without a context"); end
    if (errors == 0) $display("PASS %0d commands, held by stale misses in %0d cycles, seed %0d",
        commands, refused, seed0);
    else $display("FAIL seed %0d", seed0);
    $finish(0);
  end
endmodule
`default_nettype wire
