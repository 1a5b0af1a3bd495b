// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_tb: random walks through page tables that are a function of (PTE address, version),
// against a walk of the same function. The tables change all at once with a mark pulse: a walk must
// never mix versions. Memory answers out of order, sometimes with an error; one read per slot.
// +seed=N. Runs under Icarus, four-state.
`timescale 1ns/1ps
`default_nettype none
module gmmu_walker_tb;
  localparam int WALKS = 4, MSHRS = 8, ASIDS = 3, ASID_W = 4, PFN_W = 20, VFN_W = 36;
  localparam int X_W = gmmu_pkg::XLATE_FIXED_W + PFN_W;
  localparam int TOTAL = 20000;

  reg  clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;
  reg                walk = 1'b0, take = 1'b0, mem_ready = 1'b0, mem_valid = 1'b0, mem_err = 1'b0,
      mark = 1'b0;
  reg  [2:0]         w_mshr = '0;
  reg  [ASID_W-1:0]  w_asid = '0;
  reg  [VFN_W-1:0]   w_vfn = '0;
  wire               fin, req;
  wire [2:0]         fin_mshr, depth;
  wire [X_W-1:0]     fin_x;
  wire [PFN_W+11:0]  addr;
  wire [1:0]         id;
  reg  [1:0]         mem_id = '0;
  reg  [63:0]        mem_data = '0;

  gmmu_walker #(.Walks(WALKS), .Mshrs(MSHRS), .NumAsids(ASIDS), .AsidW(ASID_W), .VaW(48),
      .PfnW(PFN_W), .NumWindows(1),
                .Obs(0)) dut (
    .clk_i(clk), .rst_ni(rst_n), .walk_valid_i(walk), .walk_mshr_i(w_mshr), .walk_asid_i(w_asid),
    .walk_key_i(w_vfn), .fin_valid_o(fin), .fin_take_i(take), .fin_mshr_o(fin_mshr),
    .fin_xlate_o(fin_x), .mem_req_valid_o(req), .mem_req_ready_i(mem_ready), .mem_req_addr_o(addr),
    .mem_req_id_o(id), .mem_req_depth_o(depth), .mem_rsp_valid_i(mem_valid), .mem_rsp_id_i(mem_id),
    .mem_rsp_data_i(mem_data), .mem_rsp_err_i(mem_err),
    .ctx_root_i({20'h33333, 20'h22222, 20'h11111}), .ctx_mode_i({2'd2, 2'd1, 2'd2}),
    .ctx_on_i(3'b111), .ctx_ext_i(3'b101), .win_lo_i(20'd0), .win_hi_i(20'hfffff),
    .win_walk_i(1'b1), .win_data_i(1'b1), .mark_i(mark), .cmd_i({2'd0, {(ASID_W+72){1'b0}}}),
    .obs_o()
  );

  function [31:0] hash(input [31:0] a, input [31:0] version);
    begin
      hash = (a * 32'h9e3779b1) ^ (version * 32'h85ebca6b);
      hash = (hash ^ (hash >> 15)) * 32'h2c1b3c6d;
      hash = hash ^ (hash >> 13);
    end
  endfunction
  // The PTE at an address: level 0 leaf, or a pointer, a superpage, a coalesced frame pointer, or
  // nothing.
  function [63:0] pte(input [31:0] a, input integer level, input integer version);
    reg [31:0] h;
    begin
      h = hash(a, version);
      if (h[31:28] == 0) pte = 64'd0;
      else if (level == 0) pte = {34'd0, h[19:0], 2'd0, 8'hdf};              // leaf, D A U X W R V
      // superpage, nearly always misaligned
      else if (h[27:25] == 0) pte = {34'd0, h[19:0], 2'd0, 8'hdf};
      // superpage at 0: aligned at every level
      else if (h[27:25] == 1) pte = {34'd0, 2'd0, 18'd0, 2'd0, 8'hdf};
      // pointer, CO in half of the frame PTEs
      else pte = {level == 1 & h[24], 29'd0, 4'd0, h[19:0], 2'd0, 8'h01};
    end
  endfunction
  function [8:0] index(input [VFN_W-1:0] vfn, input integer level);
    index = vfn >> (9 * level);
  endfunction
  // What the walk must give.
  function [X_W-1:0] expected(input [ASID_W-1:0] a, input [VFN_W-1:0] vfn, input integer version);
    integer    level, sv48, co, ext, ended;
    reg [19:0] table_pfn, p;
    reg [63:0] e;
    reg [4:0]  cause;
    reg        big;
    begin
      sv48 = a != 1; ext = a != 1; co = 0; ended = 0; cause = 0; big = 0; p = 0;
      table_pfn = a == 0 ? 20'h11111 : a == 1 ? 20'h22222 : 20'h33333;
      level = sv48 ? 3 : 2;
      if (!sv48 && vfn[35:27] != {9{vfn[26]}}) begin cause = 5'd10; ended = 1; end
      while (!ended) begin
        e = pte({table_pfn, co ? 9'd0 : index(vfn, level), 3'd0}, level, version);
        if (!e[0]) begin cause = 5'd1; ended = 1; end
        else if (e[1]) begin
          ended = 1;
          p = e[29:10];
          big = level != 0 || co;
          if ((big && p[8:0] != 0) || (level >= 2 && p[17:9] != 0) || (level == 3 && p[19:18] != 0))
              cause = 5'd7;
          else begin
            if (level >= 2) p[17:9] = vfn[17:9];
            if (level == 3) p[19:18] = vfn[19:18];
            if (level == 3 && vfn[26:20] != 0) cause = 5'd14;      // ends beyond the physical width
          end
        end else if (e[63] && !ext) begin cause = 5'd8; ended = 1; end
        else begin
          co = level == 1 && e[63];
          table_pfn = e[29:10];
          level = level - 1;
        end
      end
      expected = cause != 0 ? {cause, {(X_W-5){1'b0}}} : {5'd0, big, 1'b0, 5'h1f, p};
    end
  endfunction

  integer seed, seed0, errors, cycles, done, last, i, k, version, seen_ok, seen_large, seen_fault,
      seen_far;
  reg              busy [0:MSHRS-1];
  reg [ASID_W-1:0] m_asid [0:MSHRS-1];
  reg [VFN_W-1:0]  m_vfn [0:MSHRS-1];
  integer          m_since [0:MSHRS-1];
  reg              m_err [0:MSHRS-1];
  reg              rd [0:WALKS-1];
  reg [31:0]       rd_addr [0:WALKS-1];
  reg [2:0]        rd_depth [0:WALKS-1];
  integer          rd_due [0:WALKS-1];
  reg              good, any_error;
  function [31:0] rnd(input [31:0] n);
    rnd = {$random(seed)} % n;
  endfunction
  task fail(input [8*40-1:0] what);
    begin
      errors = errors + 1;
      $display("FAIL cycle %0d: %0s, MSHR %0d asid %0d vfn %h: got %h, expected %h now", cycles,
          what, fin_mshr,
               m_asid[fin_mshr], m_vfn[fin_mshr], fin_x,
                   expected(m_asid[fin_mshr], m_vfn[fin_mshr], version));
    end
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    seed0 = seed; errors = 0; cycles = 0; done = 0; last = 0; version = 1; seen_ok = 0;
    seen_large = 0; seen_fault = 0; seen_far = 0;
    any_error = 1'b0;
    for (i = 0; i < MSHRS; i = i + 1) busy[i] = 1'b0;
    for (i = 0; i < WALKS; i = i + 1) rd[i] = 1'b0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (done < TOTAL && errors == 0) begin
      #4;
      if (^{fin, req} === 1'bx) fail("X on a valid output");
      if (req && ^{addr, id, depth} === 1'bx) fail("X in a read");
      if (fin & take) begin
        if (!busy[fin_mshr]) fail("a walk that nobody asked for");
        good = fin_x[X_W-1 -: 5] == 5'd15 && any_error;    // a memory error was injected
        for (k = m_since[fin_mshr]; k <= version; k = k + 1)
          if (fin_x === expected(m_asid[fin_mshr], m_vfn[fin_mshr], k)) good = 1'b1;
        if (!good) fail("wrong result");
        if (fin_x[X_W-1 -: 5] == 10) seen_far = seen_far + 1;
        if (fin_x[X_W-1 -: 5] != 0) seen_fault = seen_fault + 1;
        else if (fin_x[X_W-6]) seen_large = seen_large + 1; else seen_ok = seen_ok + 1;
        busy[fin_mshr] = 1'b0;
        done = done + 1; last = cycles;
      end
      if (req & mem_ready) begin
        if (rd[id]) fail("a slot has two reads");
        rd[id] = 1'b1; rd_addr[id] = addr; rd_depth[id] = depth; rd_due[id] = cycles + 1 + rnd(20);
      end
      if (mem_valid) rd[mem_id] = 1'b0;
      if (cycles - last > 2000) fail("no walk ends");
      @(negedge clk);
      cycles = cycles + 1;
      mark = 1'b0;
      if (rnd(200) == 0) begin mark = 1'b1; version = version + 1; end
      walk = 1'b0;
      k = rnd(MSHRS);
      if (!busy[k] && rnd(2) == 0) begin
        walk = 1'b1; w_mshr = k; w_asid = rnd(ASIDS);
        w_vfn = {$random(seed), $random(seed)};
        if (rnd(2) == 0) w_vfn = rnd(1024);
        if (w_asid == 1) begin                   // Sv39: canonical, or but for one bit, or far off
          if (rnd(8) != 0) w_vfn[35:27] = {9{w_vfn[26]}};
          if (rnd(8) == 0) begin k = 27 + rnd(9); w_vfn[k] = !w_vfn[k]; end
          k = w_mshr;
        end
        busy[k] = 1'b1; m_asid[k] = w_asid; m_vfn[k] = w_vfn; m_since[k] = version;
      end
      take = fin & (rnd(3) != 0);
      mem_ready = rnd(4) != 0;
      mem_valid = 1'b0; mem_err = 1'b0; mem_data = 64'hx;
      k = rnd(WALKS);
      for (i = 0; i < WALKS; i = i + 1) begin
        if (!mem_valid && rd[k] && rd_due[k] <= cycles) begin
          mem_valid = 1'b1; mem_id = k;
          // depth 1 is the root: level 3 in Sv48, 2 in Sv39 (the Sv39 root is 22222)
          mem_err = rnd(500) == 0;
          if (mem_err) any_error = 1'b1;
          mem_data = pte(rd_addr[k], level_of(k), version);
        end
        k = (k + 1) % WALKS;
      end
    end
    if (errors == 0 && (seen_ok < 100 || seen_large < 100 || seen_fault < 100 ||
        seen_far < 100)) begin
      errors = 1;
      $display("FAIL too few: %0d pages, %0d large, %0d faults (%0d not canonical)",
          seen_ok, seen_large, seen_fault, seen_far);
    end
    if (errors ==
        0) $display("PASS %0d walks (%0d pages, %0d large, %0d faults), %0d cycles, seed %0d", done,
        seen_ok,
                              seen_large, seen_fault, cycles, seed0);
    else $display("FAIL seed %0d", seed0);
    $finish(0);
  end
  // The mode of the slot's walk is known from inside only.
  function integer level_of(input integer slot);
    level_of = (dut.u_slots.state_q[slot][0] ? 4 : 3) - rd_depth[slot];
  endfunction
endmodule
`default_nettype wire
