// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_page_merge: random accesses of 8 lanes over few pages, some of which differ in one
// bit and an eighth of which fault, answers in random order after random times; the next access
// waits at the input, or comes later. Each distinct page is asked for once, by its lowest lane,
// unless translations change meanwhile; every lane gets its own translation, as it is when the
// answer is offered; an offered answer stays and keeps the command. Parts=0, 1. +seed=N
// +accesses=N, ends with PASS or FAIL.
`timescale 1ns / 1ps
`default_nettype none
module gmmu_page_merge_tb #(
  parameter int Parts = 0
);
  localparam int L = 8, PaW = 40;
  logic clk = 0, rst_n = 0;
  always #5 clk = !clk;
  logic           sv, sr, su, mv, mr, rqv, rqr, rqu, rsv, rsr;
  logic [L-1:0]   mask, mmask;
  logic [L*64-1:0] va;
  logic [1:0]     acc, rqacc;
  logic [3:0]     asid, rqasid, warp, rqwarp, rqtag, rstag;
  logic [L*PaW-1:0] pa;
  logic [L*5-1:0] cause;
  logic [63:0]    rqva;
  logic [PaW-1:0] rspa;
  logic [4:0]     rscause;
  logic           drop, busy, mdrop, mbusy, last;
  gmmu_page_merge #(.Lanes(L), .PaW(PaW), .AsidW(4), .WarpW(4), .TagW(4), .Parts(Parts)) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .s_valid_i(sv), .s_ready_o(sr), .s_mask_i(s_mask), .s_va_i(s_va),
    .s_access_i(s_acc), .s_user_i(s_su), .s_asid_i(s_asid), .s_warp_i(s_warp), .m_valid_o(mv),
    .m_ready_i(mr), .m_mask_o(mmask), .m_pa_o(pa), .m_cause_o(cause), .req_valid_o(rqv),
    .req_ready_i(rqr), .req_va_o(rqva), .req_access_o(rqacc), .req_user_o(rqu), .req_asid_o(rqasid),
    .req_warp_o(rqwarp), .req_tag_o(rqtag), .rsp_valid_i(rsv), .rsp_ready_o(rsr), .rsp_tag_i(rstag),
    .rsp_pa_i(rspa), .rsp_cause_i(rscause), .m_last_o(last), .drop_i(drop), .busy_o(busy),
    .m_drop_o(mdrop), .m_busy_i(mbusy)
  );

  // what is offered; above: what was taken last
  logic [L-1:0]    s_mask;
  logic [L*64-1:0] s_va;
  logic [1:0]      s_acc;
  logic            s_su;
  logic [3:0]      s_asid, s_warp;
  logic [51:0]     pool [0:3];     // pages of an access

  integer seed, accesses, errors, done, taken, requests, pages, faults, i, j, k, n, pick;
  logic [63:0] asked [0:15];       // VA by tag
  logic [15:0] open;               // tags that wait for an answer
  logic        fresh;
  // Translations change with each drop: `epoch` is what they are now, `shown` what they were when
  // the offered answer came up. A drop takes its cycle with it: what is answered or comes up in it
  // is old.
  integer      epoch, shown, drops, again, parts;
  logic        was_mv, was_mr, was_drop, kept, was_rqv, was_rqr;
  logic [67:0] was_rq;
  logic [L-1:0]     left;          // lanes of the access that were not given
  logic [L*PaW-1:0] was_pa;
  function automatic logic some(input integer one_in);
    begin
      some = ($urandom % one_in) == 0;
    end
  endfunction
  // What a translator would say: some pages fault.
  function automatic logic [4:0] says(input [63:0] v);
    begin
      says = v[14:12] == 3'd5 ? 5'd1 : 5'd0;
    end
  endfunction
  function automatic logic [PaW-1:0] pa_of(input [63:0] v, input integer e);
    begin
      pa_of = says(v) != 0 ? '0 : {v[38:12] * 27'd40503 + 27'd77 + 28'(e), v[11:0]};
    end
  endfunction
  task automatic check(input [8*40-1:0] what, input [63:0] want, input [63:0] got);
    begin
      if (want !== got) begin
        errors = errors + 1;
        $display("access %0d, seed %0d: %0s: expected %h, got %h", done, seed, what, want, got);
      end
    end
  endtask

  task automatic draw;
    begin
      s_mask = $urandom;
      {s_acc, s_su, s_asid, s_warp} = $urandom;
      pool[0] = {$urandom, 20'($urandom)};
      pool[1] = pool[0] ^ (52'd1 << ($urandom % 52));
      pool[2] = pool[0] + 1'b1;
      pool[3] = {$urandom, 20'($urandom)};
      for (k = 0; k < L; k = k + 1)
        s_va[k*64 +: 64] = {pool[$urandom % 8 == 0 ? 3 : $urandom % 3], 12'($urandom)};
    end
  endtask

  always @(negedge clk) begin   // inputs
    drop  <= some(12);
    mbusy <= some(2);
    rqr <= some(2);
    mr  <= some(2);
    rsv <= 0;
    if (open != 0 && some(3)) begin
      pick = $urandom % 16;
      while (!open[pick]) pick = (pick + 1) % 16;
      rsv <= 1;
      rstag <= 4'(pick);
      rspa <= pa_of(asked[pick], epoch);
      rscause <= says(asked[pick]);
      open[pick] = 0;
    end
  end
  always @(posedge clk) if (rst_n) begin
    if (sv && sr) begin
      check("taken before the one before it was given", 64'(done), 64'(taken));
      taken = taken + 1;
    end
    if (rqv && rqr) begin
      requests = requests + 1;
      asked[rqtag] = rqva;
      open[rqtag] = 1;
      check("VA of the lane that asks", va[32'(rqtag)*64 +: 64], rqva);
      for (i = 0; i < L; i = i + 1)
        if (mask[i] && i < 32'(rqtag)) check("page asked for by a lower lane", 0,
            64'(va[i*64+12 +: 52] == rqva[63:12]));
      check("access, user, ASID, warp", {acc, su, asid, warp}, {rqacc, rqu, rqasid, rqwarp});
    end
    if (was_rqv && !was_rqr)
      check("a request that is offered stays", 64'(rqv && {rqtag, rqva} === was_rq), 1);
    {was_rqv, was_rqr, was_rq} = {rqv, rqr, rqtag, rqva};
    // an offered answer stays; one that was there at a drop keeps the command until it is taken
    if (mv && (!was_mv || was_mr)) shown = epoch;
    if (was_mv && !was_mr) check("an answer that is offered stays", 64'(mv && pa === was_pa), 1);
    kept = was_mv && !was_mr && (kept || was_drop);
    check("busy", 64'(kept | mbusy), 64'(busy));
    check("drop to the client", 64'(kept | drop), 64'(mdrop));
    if (mv && mr) begin
      pages = 0;
      check("lanes that were not given", 0, 64'(mmask & ~left));
      if (Parts == 0) check("mask", 64'(mask), 64'(mmask));
      check("last", 64'(mmask == left), 64'(last));
      if (left != 0) check("a part of no lanes", 0, 64'(mmask == 0));
      for (i = 0; i < L; i = i + 1) begin
        fresh = mask[i];
        for (j = 0; j < i; j = j + 1) if (mask[j] && va[i*64+12 +: 52] == va[j*64+12 +: 52]) fresh =
            0;
        pages = pages + 32'(fresh);
        faults = faults + 32'(mmask[i] && says(va[i*64 +: 64]) != 0);
        check("PA", mmask[i] ? 64'(pa_of(va[i*64 +: 64], shown)) : 0, 64'(pa[i*PaW +: PaW]));
        check("cause", mmask[i] ? 64'(says(va[i*64 +: 64])) : 0, 64'(cause[i*5 +: 5]));
      end
      left = left & ~mmask;
      if (last) begin
        if (drops == 0) check("requests", 64'(pages), 64'(requests));
        again = again + requests - pages;
        requests = 0;
        done = done + 1;
      end else parts = parts + 1;
    end
    was_mv = mv;
    was_mr = mr;
    was_drop = drop;
    was_pa = pa;
    if (drop) begin
      drops = drops + 1;
      epoch = epoch + 1;
    end
  end
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("accesses=%d", accesses)) accesses = 2000;
    k = seed;
    n = $urandom(k);
    {sv, mask, va, acc, su, asid, warp, rqr, mr, rsv, rstag, rspa, rscause} = 0;
    errors = 0; done = 0; taken = 0; faults = 0; requests = 0; open = 0;
    {drop, mbusy, was_mv, was_mr, was_drop, was_rqv, kept, left} = 0;
    epoch = 0; shown = 0; drops = 0; again = 0; parts = 0;
    repeat (3) @(posedge clk);
    #1 rst_n = 1;
    draw;
    sv = 1;
    while (done < accesses && errors < 5) begin
      @(posedge clk);
      while (sr !== 1'b1) @(posedge clk);
      #1;
      {mask, va, acc, su, asid, warp} = {s_mask, s_va, s_acc, s_su, s_asid, s_warp};
      left = mask;
      drops = 0;
      n = done;
      draw;
      sv = some(2);
      while (done == n && errors < 5) @(negedge clk);
      while (!sv) begin
        @(negedge clk);
        sv = some(3);
      end
    end
    // it all happened
    if (again < accesses / 8 || faults < accesses / 4 || (Parts != 0 && parts < accesses / 4))
      errors = errors + 1;
    begin
      $write("%0s gmmu_page_merge, Parts=%0d: %0d accesses, ", errors == 0 ? "PASS" : "FAIL", Parts,
          done);
      $display("%0d pages asked for again, %0d answers in parts, %0d mismatches", again, parts,
          errors);
    end
    $finish(0);
  end
  initial begin
    #1;
    repeat (accesses) repeat (100) @(posedge clk);
    begin
      $write("FAIL gmmu_page_merge: no end after 100 cycles for each access; ");
      $display("access %b%b, request %b%b, answers that wait %h", sv, sr, rqv, rqr, open);
    end
    $finish(1);
  end
endmodule
`default_nettype wire
