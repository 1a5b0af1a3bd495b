// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_native under Icarus, four-state: three clients with random requests on native ports
// while software maps, unmaps and moves their pages through the registers; pass through, faults
// that wait, error mode, numbers of ports in registers and records.
// The instance is what scripts/inst.py prints (tb/native/run.sh). +seed=N, ends with PASS or FAIL.
`timescale 1ns / 1ps
`default_nettype none
module gmmu_native_tb;
  `include "gmmu_regs_map.svh"
  localparam int N = 3, Pages = 12, Words = 65536;
  localparam logic [63:0] Base = 64'h4000_0000;
  logic clk = 0, rst_n = 0;
  always #5 clk = !clk;
  integer seed, errors, cycle, changes;
  initial if (!$value$plusargs("seed=%d", seed)) seed = 1;
  always @(posedge clk) cycle <= cycle + 1;

  `include "inst.vh"
  assign dut_clk = clk;
  assign dut_rst_n = rst_n;

  function automatic logic some(input integer one_in);
    begin
      some = ($urandom % one_in) == 0;
    end
  endfunction
  task automatic check(input [8*40-1:0] what, input [63:0] want, input [63:0] got);
    begin
      if (want !== got) begin
        errors = errors + 1;
        if (errors < 10) $display("cycle %0d, seed %0d: %0s: expected %h, got %h", cycle, seed,
            what, want, got);
      end
    end
  endtask

  // ---------------------------------------------------------------- page tables: ASID a has root
  // page 4a, then a table of each level
  reg [63:0] mem [0:Words-1];
  task automatic pte(input integer page, input integer index, input [63:0] value);
    begin
      mem[page*512 + index] = value;
    end
  endtask
  // Page i of ASID a, what software says of it: frame now and before a change that is not
  // acknowledged, writable, mapped.
  reg [19:0] pfn [0:47], old_pfn [0:47];
  reg        can_write [0:47], mapped [0:47], changing [0:47];
  task automatic put_leaf(input integer a, input integer i);
    begin
      pte(4*a + 2, i,
          mapped[16*a+i] ? {24'd0, 10'd0, pfn[16*a+i],
          10'h0d3 | (can_write[16*a+i] ? 10'h004 : 10'h0)} : 64'd0);
    end
  endtask

  // The walker's memory: one read at a time.
  reg        wv;
  reg [63:0] wdata;
  reg [1:0]  wid;
  reg        wready;
  assign dut_w_arready = wready;
  assign dut_w_rvalid = wv;
  assign dut_w_rdata = wdata;
  assign dut_w_rid = wid;
  assign dut_w_rlast = 1'b1;
  initial {wv, wready} = 0;
  always @(posedge clk) begin
    wready <= !wv && !(dut_w_arvalid && wready) && some(3);
    if (wv && dut_w_rready) wv <= 0;
    if (dut_w_arvalid && wready) begin
      wv <= 1;
      wid <= dut_w_arid;
      wdata <= mem[dut_w_araddr[18:3]];
    end
  end

  // ---------------------------------------------------------------- registers
  reg         awv, wdv, arv, bready, rready;
  reg  [12:0] at;
  reg  [31:0] data;
  assign dut_c_awvalid = awv;
  assign dut_c_wvalid = wdv;
  assign dut_c_arvalid = arv;
  assign dut_c_awaddr = at;
  assign dut_c_araddr = at;
  assign dut_c_wdata = data;
  assign dut_c_wstrb = 4'hf;
  assign dut_c_bready = bready;
  assign dut_c_rready = rready;
  initial {awv, wdv, arv, bready, rready} = 0;
  // What is ready at the falling edge is so at the rising one behind it. Everything changes at
  // falling edges: of what a process that waits writes at a rising one Verilator 5.006 makes
  // something that the design sees in the same edge.
  reg  [1:0]  took;
  task automatic reg_write(input [12:0] offset, input [31:0] value);
    begin
      @(negedge clk);
      {at, data, awv, wdv, bready} = {offset, value, 3'b111};
      while (awv || wdv) begin
        took = {dut_c_awready, dut_c_wready};
        @(negedge clk);
        if (took[1]) awv = 0;
        if (took[0]) wdv = 0;
      end
      while (dut_c_bvalid !== 1'b1) @(negedge clk);
      @(negedge clk) bready = 0;
    end
  endtask
  task automatic reg_read(input [12:0] offset, output [31:0] value);
    begin
      @(negedge clk);
      {at, arv, rready} = {offset, 2'b11};
      while (arv) begin
        took[0] = dut_c_arready;
        @(negedge clk);
        if (took[0]) arv = 0;
      end
      while (dut_c_rvalid !== 1'b1) @(negedge clk);
      value = dut_c_rdata;
      @(negedge clk) rready = 0;
    end
  endtask
  task automatic command(input [2:0] kind, input integer a, input integer i);
    reg [31:0] v;
    begin
      reg_write(REG_CMD_ASID, a);
      reg_write(REG_CMD_FIRST_LO, 32'(Base) + 4096 * i);
      reg_write(REG_CMD_LAST_LO, 32'(Base) + 4096 * i);
      reg_write(REG_CMD, 32'(kind));
      v = 1;
      while (v[0]) reg_read(REG_CMD_STATUS, v);
      check("command refused", 0, 64'(v[1]));
    end
  endtask

  // ---------------------------------------------------------------- clients: one request at a
  // time, answers taken after a while
  reg         on;                            // new requests
  reg  [1:0]  mode;                          // 0 pass through, 1 translated
  integer     answered [0:N-1], refused, waiting [0:N-1];
  reg  [N-1:0]   cv, crr, cbusy;
  reg  [N*64-1:0] cva;
  reg  [N*2-1:0]  cacc;
  reg  [N*4-1:0]  ctag;
  assign dut_n_req_valid = cv;
  assign dut_n_req_va = cva;
  assign dut_n_req_access = cacc;
  assign dut_n_req_user = {N{1'b1}};
  assign dut_n_req_tag = ctag;
  assign dut_n_req_warp = {4'd7, 4'd6, 4'd5};
  assign dut_n_rsp_ready = crr;
  initial {cv, crr, cbusy, on, mode} = 0;
  function automatic integer asid_of(input integer n);
    begin
      asid_of = n == 1 ? 2 : 1;              // ports 0 and 2 share ASID 1
    end
  endfunction
  // What the tables say of a request, and whether they are being changed.
  task automatic judge(input integer n, input [63:0] va, input [1:0] access, input [31:0] pa,
      input [4:0] cause);
    integer k;
    reg     ok;
    begin
      k = 16 * asid_of(n) + 32'((va - Base) >> 12);
      ok = mode == 0 ? cause == 0 && pa == va[31:0] :
           cause == 0 ? pa[11:0] == va[11:0] &&
               ((mapped[k] && pa[31:12] == pfn[k]) || (changing[k] && pa[31:12] == old_pfn[k])) &&
                        (!access[0] || can_write[k] || changing[k]) :
           n == 2 && pa == 0 && ((cause == 5'd9 && access[0] && (!can_write[k] || changing[k])) ||
                                 (cause == 5'd1 && (!mapped[k] || changing[k])));
      if (!ok) begin
        errors = errors + 1;
        if (errors < 10) begin
          $write("cycle %0d, seed %0d: port %0d, va %h, ", cycle, seed, n, va);
          $display("access %0d: pa %h cause %0d; page mapped %0d at %h", access, pa, cause,
              mapped[k], pfn[k]);
        end
      end
      if (cause != 0) refused = refused + 1;
      answered[n] = answered[n] + 1;
    end
  endtask
  genvar g;
  for (g = 0; g < N; g = g + 1) begin : gen_client
    initial begin answered[g] = 0; waiting[g] = 0; end
    always @(posedge clk) begin
      crr[g] <= some(2);
      waiting[g] <= cbusy[g] ? waiting[g] + 1 : 0;
      if (waiting[g] == 10000) begin
        begin
          $write("FAIL cycle %0d, seed %0d: port %0d waits for va %h, ", cycle, seed, g,
              cva[g*64 +: 64]);
          $display("access %0d since 10,000 cycles; request taken %0d; irq %0d", cacc[g*2 +: 2],
              !cv[g], dut_irq);
        end
        $finish;
      end
      if (cv[g] && dut_n_req_ready[g]) cv[g] <= 0;
      if (dut_n_rsp_valid[g] && crr[g]) begin
        check("answer without a request", 1, 64'(cbusy[g] & !cv[g]));
        check("tag", 64'(ctag[g*4 +: 4]), 64'(dut_n_rsp_tag[g*4 +: 4]));
        check("warp", 64'(5 + g), 64'(dut_n_rsp_warp[g*4 +: 4]));
        judge(g, cva[g*64 +: 64], cacc[g*2 +: 2], dut_n_rsp_pa[g*32 +: 32],
            dut_n_rsp_cause[g*5 +: 5]);
        cbusy[g] <= 0;
      end else if (on && !cbusy[g] && some(3)) begin
        cbusy[g] <= 1;
        cv[g] <= 1;
        cva[g*64 +: 64] <= Base + 64'($urandom % (4096 * Pages));
        cacc[g*2 +: 2] <= 2'(some(3));
        ctag[g*4 +: 4] <= 4'($urandom);
      end
    end
  end
  initial refused = 0;

  // ---------------------------------------------------------------- software
  reg [31:0] info, src, lo, v;
  integer    a, i, k, t, faults [0:N-1];
  task automatic serve;                      // all records: pages get mapped, and writable
    begin
      reg_read(REG_FAULT_INFO, info);
      while (info[15]) begin
        reg_read(REG_FAULT_SRC, src);
        reg_read(REG_FAULT_VA_LO, lo);
        reg_write(REG_FAULT_POP, 1);
        check("port of a record", 1,
            64'(src[7:0] < N && (src[31:16] & 16'hf) == 16'(5 + src[7:0])));
        check("ASID of a record", 64'(asid_of(32'(src[7:0]))), 64'(info[31:16]));
        faults[32'(src[1:0])] = faults[32'(src[1:0])] + 1;
        if (src[1:0] != 2) begin
          a = 32'(info[31:16]);
          i = 32'((lo - 32'(Base)) >> 12);
          k = 16*a + i;
          changing[k] = 1;
          old_pfn[k] = pfn[k];
          mapped[k] = 1;
          if (info[8]) can_write[k] = 1;
          put_leaf(a, i);
          command(3'd2, a, i);
          changing[k] = 0;
        end
        reg_read(REG_FAULT_INFO, info);
      end
    end
  endtask
  task automatic traffic(input integer cycles);
    begin
      on = 1;
      t = cycle + cycles;
      while (cycle < t && errors == 0) begin
        if (dut_irq === 1'b1 && some(4)) begin
          reg_write(REG_IRQ_STATUS, 32'hf);
          serve;
          reg_write(REG_RETRY, 1);
        end
        if (mode == 1 && some(150)) begin    // a page changes its frame, or goes
          a = 1 + $urandom % 2;
          i = $urandom % Pages;
          k = 16*a + i;
          changing[k] = 1;
          old_pfn[k] = pfn[k];
          pfn[k] = 20'($urandom);
          mapped[k] = !some(3);
          can_write[k] = some(2);
          put_leaf(a, i);
          command(3'd2, a, i);
          changing[k] = 0;
          changes = changes + 1;
        end
        @(negedge clk);
      end
      on = 0;
      while (cbusy != 0 && errors == 0) begin
        serve;
        reg_write(REG_RETRY, 1);
      end
    end
  endtask
  initial begin
    errors = 0; cycle = 0; changes = 0;
    for (i = 0; i < N; i = i + 1) faults[i] = 0;
    k = seed;
    i = $urandom(k);                                        // changes its argument
    for (i = 0; i < Words; i = i + 1) mem[i] = 0;
    for (i = 0; i < 48; i = i + 1) {pfn[i], old_pfn[i], can_write[i], mapped[i], changing[i]} = 0;
    for (a = 1; a <= 2; a = a + 1) begin
      pte(4*a, 1, 64'((4*a + 1) << 10) | 64'd1);            // VA 0x40000000: entry 1 of the root
      pte(4*a + 1, 0, 64'((4*a + 2) << 10) | 64'd1);
      for (i = 0; i < Pages; i = i + 1) begin
        pfn[16*a+i] = 20'($urandom);
        mapped[16*a+i] = some(2);
        can_write[16*a+i] = some(2);
        put_leaf(a, i);
      end
    end
    repeat (5) @(negedge clk);
    rst_n = 1;
    reg_read(REG_PARAMS, v);
    check("NumPorts", 0, 64'(v));
    reg_read(REG_PARAMS + 13'd4, v);
    check("NumNative", N, 64'(v));
    traffic(500);                                           // passes through after reset
    reg_write(REG_WIN_FIRST_LO, 0);
    reg_write(REG_WIN_LAST_LO, 32'hfffff);
    reg_write(REG_WIN_CTRL, 3);
    for (a = 1; a <= 2; a = a + 1) begin
      reg_write(REG_CTX_ROOT_LO + 13'(16*a), 32'(4*a));
      reg_write(REG_CTX_CTRL + 13'(16*a), 1);
    end
    for (i = 0; i < N; i = i + 1) begin                     // port 2 in error mode
      reg_write(REG_PORT_ASID + 13'(16*i), asid_of(i));
      reg_write(REG_PORT_CTRL + 13'(16*i), i == 2 ? 32'd5 : 32'd1);
    end
    reg_read(REG_PORT_ASID + 13'(16*N), v);                 // no such port: no such register
    check("register of a port that is not there", 0, 64'(v));
    reg_write(REG_IRQ_ENABLE, 3);
    mode = 1;
    traffic(8000);
    for (i = 0; i < N; i = i + 1) begin
      check("answers of a port", 1, 64'(answered[i] > 200));
      check("faults of a port", 1, 64'(faults[i] > 5));
    end
    check("answers with a cause", 1, 64'(refused > 10));
    begin
      $write("%0s gmmu_native: %0d, %0d and %0d answers, %0d with a cause, ",
          errors == 0 ? "PASS" : "FAIL", answered[0], answered[1], answered[2], refused);
      $display("%0d, %0d and %0d faults, %0d changes of a page, %0d mismatches", faults[0],
          faults[1], faults[2], changes, errors);
    end
    $finish;
  end
endmodule
`default_nettype wire
