// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_pte_write: both clients at random, a memory that answers after random times, with
// errors, whose words another master changes. Knows=0: a memory that does not know exclusive
// accesses. Ends with "PASS ..." or "FAIL ...".
`timescale 1ns/1ps
`default_nettype none
module gmmu_pte_write_tb;
  parameter PteExclusive = 1;
  parameter Knows     = 1;
  parameter Seed      = 1;
  localparam Ops = 4000, CoBit = Knows ? 63 : 8;

  reg          clk = 1'b0, rst_n = 1'b0, hold = 1'b0;
  reg          cv = 1'b0, cu = 1'b0, cco = 1'b0, cone = 1'b0, uv = 1'b0;
  reg  [31:0]  ca = 0, ua = 0;
  reg  [63:0]  uold = 0, unew = 0;
  wire         busy, cr, crv, cre, ud, ue, awv, wv, arv, awl, arl;
  wire [63:0]  crd, wdata;
  wire [31:0]  awa, ara;
  reg          awr = 1'b0, wr = 1'b0, arr = 1'b0, bv = 1'b0, rv = 1'b0;
  reg  [1:0]   bresp = 2'd0, rresp = 2'd0;
  reg  [63:0]  rdata = 64'd0;
  gmmu_pte_write #(.PaW(32), .PteExclusive(PteExclusive), .CoBit(CoBit)) dut (
    .clk_i(clk), .rst_ni(rst_n), .hold_i(hold), .busy_o(busy), .co_valid_i(cv), .co_ready_o(cr),
    .co_update_i(cu), .co_addr_i(ca), .co_co_i(cco), .co_one_i(cone), .co_rsp_valid_o(crv),
    .co_rsp_rdata_o(crd), .co_rsp_err_o(cre), .up_valid_i(uv), .up_addr_i(ua), .up_old_i(uold),
    .up_new_i(unew), .up_done_o(ud), .up_err_o(ue), .awvalid_o(awv), .awready_i(awr),
    .awaddr_o(awa), .awlock_o(awl), .wvalid_o(wv), .wready_i(wr), .wdata_o(wdata), .bvalid_i(bv),
    .bready_o(), .bresp_i(bresp), .arvalid_o(arv), .arready_i(arr), .araddr_o(ara), .arlock_o(arl),
    .rvalid_i(rv), .rready_o(), .rdata_i(rdata), .rresp_i(rresp)
  );
  always #5 clk = !clk;

  reg [63:0] mem [0:3];
  integer passed_c, passed_u;   // accesses of the other that ended while this one waited
  integer seed, done, errors, cycles, writes, kept, refused, failed, quiet;
  // the coalescer's request was taken
  reg        i_was_read, taken, drop_c, drop_u, was_busy, was_hold;
  // memory: what is under way
  reg        r_on, aw_on, w_on, mark, r_lock, aw_lock, bad, wrote;
  reg [31:0] r_at, aw_at;
  reg [63:0] w_data, found, want;
  integer    i;

  function [31:0] rnd(input [31:0] n);
    rnd = {$random(seed)} % n;
  endfunction
  task fail(input [8*48-1:0] what);
    begin
      errors = errors + 1;
      if (errors < 6) $display("FAIL cycle %0d: %0s", cycles, what);
    end
  endtask

  // A write reaches memory.
  task apply;
    begin
      bresp = rnd(20) == 0 ? 2'd2 + rnd(2) : aw_lock ? 2'b01 : 2'b00;
      if (aw_lock && bresp == 2'b01 && !mark) begin
        bresp = 2'b00;
        refused = refused + 1;
      end
      if (bresp[1]) failed = failed + 1;
      else if (!aw_lock || bresp == 2'b01) begin
        found = mem[aw_at[4:3]];
        want   = unew;
        if (taken) begin want = found; want[cco ? CoBit : 8] = cone; end
        if (aw_lock && w_data !== want) fail("a word that was not made from what is there");
        if (!taken && aw_lock && found !== uold) fail("an update of another PTE");
        if (taken && !cu) fail("a read that writes");
        mem[aw_at[4:3]] = w_data;
        writes = writes + 1;
        wrote  = 1'b1;
      end
      mark  = 1'b0;
      bv    = 1'b1;
      aw_on = 1'b0;
      w_on  = 1'b0;
    end
  endtask

  // An update of the walker, nobody else there, memory takes requests at once and answers after n
  // cycles: 2n + 2.
  task timed(input integer n);
    integer t, left;
    begin
      for (t = 0; t < 80; t = t + 1) begin   // what was under way ends with errors
        @(negedge clk);
        hold = 1'b0; cv = 1'b0;
        if (drop_u) uv = 1'b0;
        rv = r_on; bv = aw_on & w_on; rresp = 2'b10; bresp = 2'b10;
        r_on = 1'b0; aw_on = 1'b0; w_on = 1'b0; arr = 1'b1; awr = 1'b1; wr = 1'b1;
        #4;
        drop_u = ud;
        r_on = arv; aw_on = aw_on | awv; w_on = w_on | wv;
      end
      @(negedge clk);
      cv = 1'b0; uv = 1'b1; ua = 0; uold = mem[0]; unew = uold | 64'hc0; hold = 1'b0; arr = 1'b1;
      awr = 1'b1; wr = 1'b1; rv = 1'b0; bv = 1'b0;
      left = 0;
      for (t = 0; t < 100; t = t + 1) begin
        #4;
        if (ud) begin
          if (t != 2 * n + 2) fail("cycles of an update");
          t = 1000;
        end
        if (arv | (awv & wv)) left = n;
        else if (left > 0) left = left - 1;
        i_was_read = arv ? 1'b1 : awv ? 1'b0 : i_was_read;
        @(negedge clk);
        rv = left == 1 & i_was_read; bv = left == 1 & !i_was_read; rdata = uold;
        rresp = PteExclusive ? 2'b01 : 2'b00; bresp = rresp;
        if (t >= 1000) uv = 1'b0;
      end
      if (t < 1000) fail("an update that does not end");
    end
  endtask

  initial begin
    i_was_read = 1'b0;
    seed = Seed; passed_c = 0; passed_u = 0;
    done = 0; errors = 0; cycles = 0; writes = 0; kept = 0; refused = 0; failed = 0; quiet = 0;
    taken = 0; drop_c = 0; drop_u = 0; r_on = 0; aw_on = 0; w_on = 0; mark = 0; wrote = 0;
    was_busy = 0; was_hold = 0;
    for (i = 0; i < 4; i = i + 1) mem[i] = {rnd(32'hffffffff), rnd(32'hffffffff)};
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (done < Ops && errors == 0) begin
      @(negedge clk);
      cycles = cycles + 1;
      quiet  = quiet + 1;
      if (drop_c) cv = 1'b0;
      if (drop_u) uv = 1'b0;
      drop_c = 1'b0; drop_u = 1'b0;
      // a new request, payload held until it is answered
      if (!cv && !taken && rnd(3) == 0) begin
        cv = 1'b1; cu = rnd(3) != 0; ca = rnd(4) * 8; cco = rnd(2); cone = rnd(2);
      end
      if (!uv && rnd(3) == 0) begin
        uv = 1'b1; ua = rnd(4) * 8; uold = mem[ua[4:3]] ^ (rnd(4) == 0); unew = uold | 64'hc0;
      end
      hold = rnd(8) == 0;
      if (rnd(10) == 0) begin          // somebody else writes
        i = rnd(4);
        mem[i] = mem[i] ^ (64'd1 << rnd(64));
        if (mark && r_at[4:3] == i) mark = 1'b0;
      end
      bv = 1'b0; rv = 1'b0; rdata = 64'dx; rresp = 2'dx; bresp = 2'dx;
      arr = rnd(2); awr = rnd(2); wr = rnd(2);
      if (r_on && rnd(3) == 0) begin
        rv = 1'b1; bad = rnd(20) == 0; rdata = bad ? 64'hdead : mem[r_at[4:3]];
        rresp = bad ? 2'd2 + rnd(2) : r_lock && Knows ? 2'b01 : 2'b00;
        mark = r_lock && !bad; r_on = 1'b0; failed = failed + bad;
      end else if (aw_on && w_on && rnd(3) == 0) apply;
      #4;
      if (^{busy, cr, crv, ud, awv, wv, arv} === 1'bx) fail("X on a valid, ready or status output");
      if (was_hold && !was_busy && busy) fail("an access begins while it is held");
      if (!PteExclusive && (awl | arl)) fail("an exclusive access");
      if (arv && arl !== (PteExclusive && (taken ? cu : 1'b1))) fail("ARLOCK");
      if (arv && arr) begin
        if (r_on) fail("two reads");
        r_on = 1'b1; r_at = ara; r_lock = arl;
        if (ara !== (taken ? ca : ua)) fail("address of a read");
      end
      if (awv && awr) begin
        if (aw_on) fail("two writes");
        aw_on = 1'b1; aw_at = awa; aw_lock = awl;
        if (awl !== (PteExclusive != 0)) fail("AWLOCK");
        if (awa !== (taken ? ca : ua)) fail("address of a write");
      end
      if (wv && wr) begin
        if (w_on) fail("two beats");
        w_on = 1'b1; w_data = wdata;
      end
      if (cv && cr) begin
        taken = 1'b1; wrote = 1'b0; drop_c = 1'b1;   // after the edge
      end
      if (crv) begin
        if (!taken) fail("an answer to nothing");
        if (cu && !cre && !wrote) fail("an update that did not write");
        if (cre && wrote) fail("an error after the write");
        if (cu && PteExclusive && !Knows &&
            !cre) fail("an update by a memory without exclusive accesses");
        if (!cu && !cre && crd !== mem[ca[4:3]]) fail("what is read");
        taken = 1'b0; wrote = 1'b0; done = done + 1; quiet = 0;
      end
      if (ud) begin
        if (!uv || taken) fail("an update that nobody asked for");
        if (ue && wrote) fail("an error after the write");
        if (!ue && !wrote && rdata === uold) fail("an update that was not done");
        if (PteExclusive && !Knows && !ue) fail("an update by a memory without exclusive accesses");
        kept = kept + (!ue && !wrote);
        drop_u = 1'b1; wrote = 1'b0; done = done + 1; quiet = 0;
      end
      // In turn: whoever waits lets one of the other by at most.
      passed_c = cv & !cr & !taken ? passed_c + (ud === 1'b1) : 0;
      passed_u = uv & !ud ? passed_u + (crv === 1'b1) : 0;
      if (passed_c > 1) fail("the coalescer waits for more than one update");
      if (passed_u > 1) fail("an update waits for more than one of the coalescer");
      was_busy = busy;
      was_hold = hold;
      if (quiet > 2000) fail("nothing is answered");
    end
    if (Knows || !PteExclusive) begin
      for (i = 1; i < 8; i = i + 3) timed(i);
    end
    if (Knows || !PteExclusive) begin
      if (writes < Ops / 4 || kept < Ops / 100 || failed == 0 || (PteExclusive && refused == 0))
          fail("too few of some kind");
    end else if (writes != 0) fail("a write without exclusive access");
    if (errors == 0) begin
      $write("PASS %0d accesses, %0d written, %0d found another PTE, ", done, writes, kept);
      $display("%0d exclusive writes refused, %0d errors, %0d cycles, seed %0d", refused, failed,
          cycles, Seed);
    end else $display("FAIL %0d errors, seed %0d", errors, Seed);
    $finish(0);
  end
endmodule
`default_nettype wire
