// SPDX-License-Identifier: Apache-2.0
// Random bench of gmmu_fill_tokens, four-state: requests, lookups, settings, pulses and resets at
// any cycle in a shape given by parameters; every change of tokens, every mark, every event and its
// cycle as docs/fill_tokens.md says. Ends with "PASS ..." or "FAIL ...". +seed=N +pulses=N
// +longs=N: so many epochs in which counts pass their limit
`timescale 1ns/1ps
`default_nettype none
module gmmu_fill_tokens_random_tb;
  parameter int NumSms   = 3;
  parameter int NumAsids = 5;
  parameter int AsidW    = 4;
  parameter int WarpW    = 6;
  localparam int Warps = 1 << WarpW;
  localparam int SmW   = gmmu_pkg::idx_w(NumSms);
  localparam int CtxW  = gmmu_pkg::idx_w(NumAsids);
  localparam int Least = gmmu_pkg::least_epoch(NumSms, NumAsids, WarpW);
  // the page's formulas
  localparam int Words   = Warps < 32 ? 1 : Warps / 32;
  localparam int Turns   = 4 + NumSms * Words;
  localparam int Bits    = Turns + 20 * NumAsids;
  localparam int Replace = Bits + NumSms * Warps + 1;

  reg                     clk = 1'b0;
  reg                     rst_n = 1'b0;
  reg                     pulse = 1'b0;
  reg                     free = 1'b0;
  reg  [6:0]              start = 7'd80;
  reg  [2:0]              step = 3'd4;
  reg  [6:0]              points = 7'd2;
  reg  [NumSms-1:0]       req = '0;
  reg  [NumSms*AsidW-1:0] req_asid = '0;
  reg  [NumSms*WarpW-1:0] req_warp = '0;
  reg  [1:0]              look = '0;
  reg  [1:0]              look_hit = '0;
  reg  [2*CtxW-1:0]       look_app = '0;
  reg  [SmW-1:0]          sm = '0;
  reg  [WarpW-1:0]        warp = '0;
  wire                    holds;
  wire [gmmu_pkg::OBS_TOKEN_W-1:0] obs;
  gmmu_fill_tokens #(.NumSms(NumSms), .NumAsids(NumAsids), .AsidW(AsidW), .WarpW(WarpW)) dut (
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

  integer seed, seed0, wanted, errors, pulses, cycle, since, resets, taken, given, changes;
  // $random of Verilator leaves the seed as it is.
  function automatic integer random(input integer below);
`ifdef VERILATOR
    random = below <= 1 ? 0 : $urandom_range(below - 1);
`else
    random = below <= 1 ? 0 : {$random(seed)} % below;
`endif
  endfunction
  task fail(input [8*48-1:0] what);
    begin
      errors = errors + 1;
      if (errors < 20) $display("FAIL pulse %0d since %0d cycle %0d: %0s", pulses, since, cycle,
          what);
    end
  endtask

  // ---------------------------------------------------------------- model
  reg [Warps-1:0] m_active [0:NumSms-1], m_marked [0:NumSms-1], m_holds [0:NumSms-1];
  integer m_owner [0:NumSms-1], m_owned [0:NumSms-1];
  integer m_hits [0:NumAsids-1], m_miss [0:NumAsids-1];
  integer m_last_hits [0:NumAsids-1], m_last_miss [0:NumAsids-1];
  integer m_old_hits [0:NumAsids-1], m_old_miss [0:NumAsids-1];
  integer m_w [0:NumAsids-1], m_tokens [0:NumAsids-1], m_left [0:NumAsids-1];
  reg     m_started [0:NumAsids-1], m_up [0:NumAsids-1];
  reg     m_free;
  integer set_start, set_step, set_points;
  reg     ask_q [0:1];          // marks asked for one and two cycles ago: who
  integer ask_sm [0:1], ask_warp [0:1];
  reg     e_update, e_mark, e_gets, e_replace, e_pulse, e_up;
  integer e_who, e_warp, e_tokens, e_active;
  integer s, a, k, add_h, add_m, by, next;
  reg signed [63:0] rate, limit;

  task reset_model;
    begin
      for (s = 0; s < NumSms; s = s + 1) begin
        m_active[s] = '0;
        m_owner[s]  = 0;
      end
      for (a = 0; a < NumAsids; a = a + 1) begin
        m_hits[a] = 0; m_miss[a] = 0; m_last_hits[a] = 0; m_last_miss[a] = 0;
        m_old_hits[a] = 0; m_old_miss[a] = 0; m_tokens[a] = 0; m_w[a] = 0;
        m_started[a] = 1'b0;
        m_up[a]      = 1'b0;
      end
      m_free = 1'b1;
      since  = -1;
      e_update = 0; e_mark = 0; e_gets = 0; e_replace = 0; e_pulse = 0;
    end
  endtask

  task change(input integer app);
    begin
      by = m_w[app] >> set_step;
      if (by < 1) by = 1;
      rate  = 64'(m_last_miss[app]) * 64'(m_old_miss[app] + m_old_hits[app]) -
          64'(m_old_miss[app]) * 64'(m_last_miss[app] + m_last_hits[app]);
      rate  = rate * 100;
      limit = 64'(m_last_miss[app] + m_last_hits[app]) * 64'(m_old_miss[app] + m_old_hits[app]) *
          64'(set_points);
      next = m_tokens[app];
      if (m_w[app] == 0) next = 0;
      else if (!m_started[app]) next = m_w[app] * set_start / 100;
      else if (limit == 0 && rate == 0) next = next;
      else if (rate > limit) begin
        next = next - by;
        m_up[app] = 1'b0;
        changes = changes + 1;
      end else if (-rate > limit) begin
        next = next + by;
        m_up[app] = 1'b1;
        changes = changes + 1;
      end
      if (m_w[app] != 0 && next < 1) next = 1;
      if (next > m_w[app]) next = m_w[app];
      m_started[app] = m_w[app] != 0;
      m_tokens[app]  = next;
      m_left[app]    = next;
    end
  endtask

  // What a clock edge does, and what obs says after it.
  task model_edge;
    begin
      e_pulse = pulse; e_update = 0; e_mark = 0; e_gets = 0; e_replace = 0;
      since = pulse ? 0 : since < 0 ? since : since + 1;
      if (pulse) begin
        pulses = pulses + 1;
        for (a = 0; a < NumAsids; a = a + 1) begin
          m_old_hits[a]  = m_last_hits[a];
          m_old_miss[a]  = m_last_miss[a];
          m_last_hits[a] = m_hits[a];
          m_last_miss[a] = m_miss[a];
          m_hits[a] = 0; m_miss[a] = 0; m_w[a] = 0;
        end
        for (s = 0; s < NumSms; s = s + 1) begin
          m_owned[s]  = m_owner[s];
          m_marked[s] = m_active[s];
          for (k = 0; k < Warps; k = k + 1)
            if (m_active[s][k]) m_w[m_owner[s]] = m_w[m_owner[s]] + 1;
          m_active[s] = '0;
        end
      end
      for (a = 0; a < NumAsids; a = a + 1) begin
        add_h = 0; add_m = 0;
        for (k = 0; k < 2; k = k + 1) if (look[k] && look_app[k*CtxW +: CtxW] == a) begin
          if (look_hit[k]) add_h = add_h + 1;
          else add_m = add_m + 1;
        end
        if (m_hits[a] + add_h > 65535 || m_miss[a] + add_m > 65535) begin
          m_hits[a] = m_hits[a] / 2;
          m_miss[a] = m_miss[a] / 2;
        end
        m_hits[a] = m_hits[a] + add_h;
        m_miss[a] = m_miss[a] + add_m;
      end
      for (s = 0; s < NumSms; s = s + 1)
        if (req[s] && req_asid[s*AsidW +: AsidW] < NumAsids) begin
          m_active[s][req_warp[s*WarpW +: WarpW]] = 1'b1;
          m_owner[s] = req_asid[s*AsidW +: AsidW];
        end
      if (since >= Turns && since < Bits) begin
        if ((since - Turns) % 20 == 0) begin
          set_start = start; set_step = step; set_points = points;
        end
        if ((since - Turns) % 20 == 19) begin
          e_update = 1;
          e_who    = (since - Turns) / 20;
          change(e_who);
          e_tokens = m_tokens[e_who];
          e_active = m_w[e_who];
          e_up     = m_up[e_who];
        end
      end else if (since >= Bits && since < Bits + NumSms * Warps) begin
        e_mark = 1;
        e_who  = (since - Bits) % NumSms;
        e_warp = (since - Bits) / NumSms;
        a = m_owned[e_who];
        e_gets = m_marked[e_who][e_warp] && m_left[a] != 0;
        if (e_gets) m_left[a] = m_left[a] - 1;
        given = given + e_gets;
        m_marked[e_who][e_warp] = e_gets;
      end else if (since == Replace) begin
        e_replace = 1;
        m_free    = 1'b0;
        for (s = 0; s < NumSms; s = s + 1) m_holds[s] = m_marked[s];
      end
    end
  endtask

  // What the cycle that ends showed, then what its edge does.
  always @(posedge clk) begin
    check;
    cycle = cycle + 1;
    if (!rst_n) reset_model;
    else model_edge;
    ask_sm[1] = ask_sm[0]; ask_warp[1] = ask_warp[0]; ask_q[1] = ask_q[0];
    ask_sm[0] = sm; ask_warp[0] = warp; ask_q[0] = 1'b1;
  end
  task check;
    if (cycle > 3) begin
      if (obs[OBS_TOKEN_PULSE] !== e_pulse || obs[OBS_TOKEN_UPDATE] !== e_update ||
          obs[OBS_TOKEN_MARK] !== e_mark || obs[OBS_TOKEN_GETS] !== e_gets ||
          obs[OBS_TOKEN_REPLACE] !== e_replace) fail("events");
      if (e_update && (who !== 7'(e_who) || tokens_of !== 15'(e_tokens) ||
          up_of !== e_up || active_of !== 15'(e_active))) begin
        fail("tokens");
        if (errors < 20) $display("  application %0d W %0d tokens %0d up %0d, not %0d %0d %0d",
            who, active_of, tokens_of, up_of, e_active, e_tokens, e_up);
      end
      if (e_mark && (who !== 7'(e_who) || warp_of !== 8'(e_warp))) fail("whose mark");
      if (ask_q[1] && holds !== (m_free || free || m_holds[ask_sm[1]][ask_warp[1]]))
        fail("who holds a token");
      if (holds === 1'b1 && !m_free && !free) taken = taken + 1;
      // without an event its fields are 0
      if (!e_update && !e_mark && who !== 7'd0 || !e_mark && warp_of !== 8'd0 ||
          !e_update && ({up_of, tokens_of} !== '0 || active_of !== 15'd0)) fail("an idle field");
      // Halved counts leave a rate as it is: tokens would not show a halving too many. One
      // application a cycle: what is wrong stays wrong until the next pulse.
      a = cycle % NumAsids;
      if (!counted[a] && !dut.u_counters.pulse_q &&
          (dut.u_counters.hits_q[a] !== 16'(m_hits[a]) ||
           dut.u_counters.misses_q[a] !== 16'(m_miss[a]))) fail("counts");
    end
  endtask

  // ---------------------------------------------------------------- traffic
  reg     runs = 1'b0, long = 1'b0;
  reg     exact = 1'b0;
  integer wait_for, kind, busy, at, few, near, miss_part, looks, silent, longs, i;
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("pulses=%d", wanted)) wanted = 200;
    if (!$value$plusargs("longs=%d", longs)) longs = 0;
    seed0 = seed;
    errors = 0; pulses = 0; cycle = 0; resets = 0; taken = 0; given = 0; changes = 0; since = -1;
    ask_q[0] = 1'b0; ask_q[1] = 1'b0; m_free = 1'b1;
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    kind = 0; busy = 2; few = Warps; near = 0; miss_part = 50; looks = 75; silent = NumAsids;
    wait_for = Least - 1;
    runs = 1'b1;
  end
  // A block of its own: Verilator 5.006 leaves what depends on the variables of a process that
  // waits as it is.
  always @(negedge clk) if (runs) begin
    if (pulses < wanted) stimulus;
    else finish;
  end
  task stimulus;
    begin
      // a new pulse: at once, or some cycles later; a change of the traffic with it
      pulse = wait_for <= 0;
      if (pulse) begin
        wait_for  = Least - 1 + (random(3) == 0 ? 0 : random(random(4) == 0 ? 2 * Least : 6));
        kind      = random(5);
        busy      = random(4);
        few       = 1 + random(random(2) == 0 ? 4 : Warps);
        near      = random(4) == 0;
        miss_part = random(101);
        exact     = random(4) == 0;
        silent    = random(NumAsids + 2);   // this application starts anew afterwards
        looks     = exact ? 0 : random(6) == 0 ? random(100) : 75;
        // epochs in which hits or misses pass 65,535 by lookups alone, no reset in them
        long = pulses < longs;
        if (long) begin
          wait_for  = 60000;
          near      = 0;
          exact     = 1'b0;
          looks     = 75;
          miss_part = pulses % 2 == 0 ? 3 : 97;
        end
      end else begin
        wait_for = wait_for - 1;
      end
      for (i = 0; i < NumSms; i = i + 1) begin
        // kind 0: every cycle another warp; 1: the same ones again and again; 2: any
        req[i] = busy == 3 ? random(16) == 0 : busy == 2 ? 1'b1 : random(2) == 0;
        if (kind == 4) req[i] = wait_for < 2 || pulse || wait_for > Least - 4;
        if (busy == 0 && kind == 3) req[i] = 1'b0;
        if (kind == 0) req_warp[i*WarpW +: WarpW] = req_warp[i*WarpW +: WarpW] + 1'b1;
        else if (kind != 1 || random(4) == 0) req_warp[i*WarpW +: WarpW] = WarpW'(random(few));
        if (random(100) == 0 || (pulse && random(3) == 0))
          req_asid[i*AsidW +: AsidW] = AsidW'(random(random(4) == 0 ? 1 << AsidW : NumAsids));
        if (req_asid[i*AsidW +: AsidW] == silent) req[i] = 1'b0;
      end
      for (i = 0; i < 2; i = i + 1) begin
        look[i]     = random(100) < looks;
        look_hit[i] = random(100) >= miss_part;
        look_app[i*CtxW +: CtxW] = CtxW'(random(NumAsids));
      end
      if (near && random(50) == 0) begin
        a = random(NumAsids);
        at = random(2) == 0 ? 65535 - random(4) : random(65536);
        force_counts(a, at, random(2) == 0 ? 65535 - random(4) : random(65536));
      end
      if (exact && wait_for == 1) for (i = 0; i < NumAsids; i = i + 1) exact_counts(i);
      if (random(Least) == 0) begin
        start  = 7'(random(4) == 0 ? 100 * random(2) : random(3) == 0 ? 5 * random(21)
            : random(101));
        step   = 3'(random(8));
        points = 7'(random(3) == 0 ? random(101) : random(8) == 0 ? 100 : random(4));
      end
      free = random(40) == 0;
      sm   = SmW'(random(NumSms));
      warp = WarpW'(random(2) == 0 ? random(few) : random(Warps));
      rst_n = random(20 * Least) != 0 || long;
      if (!rst_n) begin
        resets   = resets + 1;
        pulse    = 1'b0;
        wait_for = Least - 1;
      end
    end
  endtask
  task finish;
    begin
      if (given == 0 || taken == 0) fail("nobody got a token");
      if (wanted > 100 && changes == 0) fail("no step");
      if (errors == 0) $display(
          "PASS %0d SMs, %0d applications, %0d warps: %0d pulses, %0d steps, %0d resets, seed %0d",
          NumSms, NumAsids, Warps, pulses, changes, resets, seed0);
      else $display("FAIL %0d errors, seed %0d", errors, seed0);
      $finish(0);
    end
  endtask

  // Sets the counts of an application, as many lookups would, while none of its is being counted.
  wire [NumAsids-1:0] counted;
  for (genvar g = 0; g < NumAsids; g++) begin : gen_counted
    assign counted[g] = dut.u_counters.gen_app[g].add_hits_q != 0 ||
        dut.u_counters.gen_app[g].add_misses_q != 0;
  end
  task force_counts(input integer app, input integer hits, input integer misses);
    if (!pulse && since > 1 && !counted[app]) begin
      dut.u_counters.hits_q[app]   = 16'(hits);
      dut.u_counters.misses_q[app] = 16'(misses);
      m_hits[app] = hits;
      m_miss[app] = misses;
    end
  endtask

  // An epoch whose miss rate is that of the one before, or `points` more or less, or next to it.
  integer all, part;
  task exact_counts(input integer app);
    begin
      all  = m_last_hits[app] + m_last_miss[app];
      part = m_last_miss[app];
      if (all == 0 || all > 65535 || random(8) == 0) begin
        all  = 100 * (1 + random(random(2) == 0 ? 4 : 655));
        part = random(all + 1);
      end
      part = part + (random(3) - 1) * (all * points / 100);
      if (random(3) == 0) part = part + random(3) - 1;
      if (part < 0) part = 0;
      if (part > all) part = all;
      force_counts(app, all - part, part);
    end
  endtask
endmodule
`default_nettype wire
