// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_axi_track at its deepest, four-state: 64 bursts of 16 IDs, atomics among them,
// filled up and emptied again; every output in every cycle against counters by ID. Of AXI: an ID of
// an atomic that returns data has no other burst. +seed=N +cycles=N. Ends with "PASS ..." or
// "FAIL ...".
`timescale 1ns/1ps
`default_nettype none
module gmmu_axi_track_tb;
  localparam int DEPTH = 64, ID_W = 4, IDS = 1 << ID_W;

  reg             clk = 1'b0, rst_n = 1'b0;
  reg             push = 1'b0, push_r = 1'b0, push_old = 1'b0, pop = 1'b0, pop_r = 1'b0;
  reg             mark = 1'b0;
  reg  [ID_W-1:0] push_id = '0, pop_id = '0, pop_r_id = '0, ask_id = '0;
  wire            full, match, ask, old, busy;
  gmmu_axi_track #(.IdW(ID_W), .Depth(DEPTH), .Atop(1)) dut (
    .clk_i(clk), .rst_ni(rst_n), .push_i(push), .push_id_i(push_id), .push_r_i(push_r),
    .push_old_i(push_old), .full_o(full), .pop_i(pop), .pop_id_i(pop_id), .match_o(match),
    .pop_r_i(pop_r), .pop_r_id_i(pop_r_id), .ask_id_i(ask_id), .ask_o(ask), .mark_i(mark),
    .old_o(old), .busy_o(busy)
  );
  always #5 clk = !clk;

  // Bursts of each ID that are old, or new; of an atomic what is still to come.
  integer old_n [0:IDS-1], new_n [0:IDS-1];
  reg     wants_b [0:IDS-1], wants_r [0:IDS-1], is_old [0:IDS-1];
  integer total, olds, seed, seed0, cycles, last, errors, phase, i, k, filled, emptied, atomics;
  function [31:0] rnd(input [31:0] n);
    rnd = {$random(seed)} % n;
  endfunction
  function atomic(input [ID_W-1:0] id);
    atomic = wants_b[id] || wants_r[id];
  endfunction
  function any(input [ID_W-1:0] id);
    any = old_n[id] + new_n[id] > 0 || atomic(id);
  endfunction
  task same(input [8*24-1:0] what, input want, input got);
    if (want !== got) begin
      errors = errors + 1;
      if (errors < 6) $display("FAIL cycle %0d: %0s: expected %b, got %b", cycles, what, want, got);
    end
  endtask
  // An ID of those for which it is so; any, if there is none.
  task choose(input integer how, output reg [ID_W-1:0] id);
    begin
      id = rnd(IDS);
      for (k = 0; k < IDS && !(how == 0 ? old_n[id] + new_n[id] > 0 || wants_b[id] : wants_r[id]);
          k = k + 1) id = id + 1'b1;
    end
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    seed0 = seed;
    if (!$value$plusargs("cycles=%d", last)) last = 60000;
    for (i = 0; i < IDS; i = i + 1) begin
      old_n[i] = 0; new_n[i] = 0; wants_b[i] = 0; wants_r[i] = 0; is_old[i] = 0;
    end
    total = 0; errors = 0; phase = 0; filled = 0; emptied = 0; atomics = 0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (cycles = 0; cycles < last && errors == 0; cycles = cycles + 1) begin
      @(negedge clk);
      // fills up, empties, or both at random
      if (rnd(300) == 0 || (phase == 0 && total == DEPTH && rnd(8) == 0) ||
          (phase == 1 && total == 0)) phase = rnd(3);
      push_id  = rnd(IDS);
      push_r   = rnd(4) == 0 && !any(push_id);
      push_old = rnd(4) == 0;
      push     = rnd(8) < (phase == 0 ? 7 : phase == 1 ? 1 : 4) && !full && !atomic(push_id);
      choose(0, pop_id);
      pop      = rnd(8) < (phase == 0 ? 1 : phase == 1 ? 7 : 4);
      choose(1, pop_r_id);
      pop_r    = rnd(8) < (phase == 0 ? 1 : 4);
      ask_id   = rnd(IDS);
      mark     = rnd(60) == 0;
      #4;
      olds = 0;
      for (i = 0; i < IDS; i = i + 1)
        olds = olds + old_n[i] + ((wants_b[i] || wants_r[i]) && is_old[i] ? 1 : 0);
      same("full", total == DEPTH, full);
      same("busy", total != 0, busy);
      same("old", olds != 0, old);
      same("ask", any(ask_id), ask);
      same("match", old_n[pop_id] + new_n[pop_id] > 0 || wants_b[pop_id], match);
      if (full === 1'b1) filled = filled + 1;
      if (busy === 1'b0) emptied = emptied + 1;
      // what the edge does
      if (pop && (old_n[pop_id] > 0 || new_n[pop_id] > 0)) begin
        if (old_n[pop_id] > 0) old_n[pop_id] = old_n[pop_id] - 1;
        else new_n[pop_id] = new_n[pop_id] - 1;
        total = total - 1;
      end
      if (pop && wants_b[pop_id]) begin
        wants_b[pop_id] = 1'b0;
        if (!wants_r[pop_id]) begin total = total - 1; atomics = atomics + 1; end
      end
      if (pop_r && wants_r[pop_r_id]) begin
        wants_r[pop_r_id] = 1'b0;
        if (!wants_b[pop_r_id]) begin total = total - 1; atomics = atomics + 1; end
      end
      if (push) begin
        total = total + 1;
        if (push_r) begin
          wants_b[push_id] = 1'b1; wants_r[push_id] = 1'b1; is_old[push_id] = push_old;
        end else if (push_old) old_n[push_id] = old_n[push_id] + 1;
        else new_n[push_id] = new_n[push_id] + 1;
      end
      if (mark)
        for (i = 0; i < IDS; i = i + 1) begin
          old_n[i] = old_n[i] + new_n[i]; new_n[i] = 0; is_old[i] = 1'b1;
        end
    end
    if (errors == 0 && (filled < last / 100 || emptied < last / 100 || atomics < last / 100)) begin
      errors = 1;
      $display("FAIL too little happened: full in %0d cycles, empty in %0d, %0d atomics", filled,
          emptied, atomics);
    end
    if (errors != 0) $display("FAIL seed %0d", seed0);
    else
      $display("PASS %0d cycles, full in %0d, empty in %0d, %0d atomics, seed %0d", last, filled,
          emptied, atomics, seed0);
    $finish(0);
  end
endmodule
`default_nettype wire
