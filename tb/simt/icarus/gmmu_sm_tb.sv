// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_tb: the SIMT core under four-state simulation. A random program and its memory before and
// after, by the simulator (sm_dump: code.hex, cfg.hex, mem.hex, want.hex in +dir). Memory answers
// in any order after random times, with random stalls; no control output may be X after reset, no
// payload while it is valid, no byte that is written, no register of an active lane. +seed: of the
// stalls. The core is a small one, 4 lanes: the simulator is built for as many. Lines of memory
// that differ from the simulator's, X among them, are errors; the watchdog says who waits.
`default_nettype none
module gmmu_sm_tb;
  localparam int Lanes = 4, Warps = 2, Mshrs = 8, IdW = 3, ImemW = 14, Lines = 49152;
  logic clk = 1'b0, rst_n = 1'b0, imem_we = 1'b0, cfg_we = 1'b0;
  logic [ImemW-1:0] imem_addr = '0;
  logic [31:0]      imem_wdata = 32'd0, cfg_wdata = 32'd0, cfg_rdata;
  logic [7:0]       cfg_addr = 8'd0;
  logic             busy, awvalid, wvalid, wlast, bready, arvalid, rready, t_valid, t_wr_valid;
  logic             awready = 1'b0, wready = 1'b0, arready = 1'b0, bvalid = 1'b0, rvalid = 1'b0;
  logic [IdW-1:0]   awid, arid, bid = '0, rid = '0;
  logic [Lanes-1:0] t_mask, t_wr_mask;
  logic [31:0]      awaddr, araddr, t_pc, t_ir;
  logic [7:0]       awlen, arlen;
  logic [2:0]       awsize, awprot, arsize, arprot;
  logic [1:0]       awburst, arburst;
  logic [5:0]       awatop;
  logic [511:0]     wdata, rdata = '0;
  logic [63:0]      wstrb;
  logic             t_warp, t_wr_warp;
  logic [4:0]       t_wr_rd;
  logic [Lanes*32-1:0] t_wr_data;
  logic [Warps-1:0] live, at_bar, mem_busy;
  logic [Mshrs-1:0] mshrs;
  gmmu_sm #(
    .Lanes(Lanes), .Warps(Warps), .LocalBytes(128), .ScratchBytes(256), .Mshrs(Mshrs)
  ) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .imem_we_i(imem_we), .imem_addr_i(imem_addr),
    .imem_wdata_i(imem_wdata), .cfg_we_i(cfg_we), .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata),
    .cfg_rdata_o(cfg_rdata), .busy_o(busy), .m_awvalid_o(awvalid), .m_awready_i(awready),
    .m_awid_o(awid), .m_awaddr_o(awaddr), .m_awlen_o(awlen), .m_awsize_o(awsize),
    .m_awburst_o(awburst), .m_awprot_o(awprot), .m_awatop_o(awatop), .m_wvalid_o(wvalid),
    .m_wready_i(wready), .m_wdata_o(wdata), .m_wstrb_o(wstrb), .m_wlast_o(wlast),
    .m_bvalid_i(bvalid), .m_bready_o(bready), .m_bid_i(bid), .m_bresp_i(2'd0),
    .m_arvalid_o(arvalid), .m_arready_i(arready), .m_arid_o(arid), .m_araddr_o(araddr),
    .m_arlen_o(arlen), .m_arsize_o(arsize), .m_arburst_o(arburst), .m_arprot_o(arprot),
    .m_rvalid_i(rvalid), .m_rready_o(rready), .m_rid_i(rid), .m_rdata_i(rdata), .m_rresp_i(2'd0),
    .t_valid_o(t_valid), .t_warp_o(t_warp), .t_pc_o(t_pc), .t_ir_o(t_ir), .t_mask_o(t_mask),
    .t_wr_valid_o(t_wr_valid), .t_wr_warp_o(t_wr_warp), .t_wr_rd_o(t_wr_rd),
    .t_wr_mask_o(t_wr_mask), .t_wr_data_o(t_wr_data), .live_o(live), .at_bar_o(at_bar),
    .mem_busy_o(mem_busy), .mshrs_o(mshrs)
  );

  // ---------------------------------------------------------------- memory
  logic [511:0] mem [0:Lines-1], want [0:Lines-1];
  logic [31:0]  code [0:16383], cfg [0:8];
  logic         r_on [0:Mshrs-1], b_on [0:Mshrs-1], w_here [0:Mshrs-1], done [0:Mshrs-1];   // by ID
  logic [31:0]  at [0:Mshrs-1];
  logic [5:0]   atop [0:Mshrs-1];
  logic [511:0] data [0:Mshrs-1];
  logic [63:0]  strb [0:Mshrs-1];
  int           due [0:Mshrs-1];
  int           aw_q [0:63], aw_head = 0, aw_tail = 0, w_head = 0, w_tail = 0;
  logic [511:0] w_data [0:63];
  logic [63:0]  w_strb [0:63];
  int           errors = 0, cycle = 0, instructions = 0, last = 0, seed = 1, limit = 1000000, k, v;
  string        dir;

  function automatic int below(input int n);
    below = $unsigned($random(seed)) % n;
  endfunction

  task automatic fail(input string what, input logic [31:0] x);
    errors = errors + 1;
    if (errors < 8) $display("seed %0d, cycle %0d: %0s: %h", seed, cycle, what, x);
  endtask

  // The access of an ID takes effect, at any moment of its stay.
  task automatic perform(input int id);
    logic [511:0] line, old;
    logic [31:0]  a, b, x;
    int           l, w;
    l = at[id] >> 6;
    w = (at[id] >> 2) & 15;
    line = mem[l];
    old = line;
    if (l >= Lines) fail("address outside of memory", at[id]);
    if (b_on[id] && atop[id] != 6'd0) begin
      x = line[w*32 +: 32];
      a = data[id][w*32 +: 32];
      b = data[id][(w ^ 1)*32 +: 32];
      line[w*32 +: 32] = atop[id] == 6'h20 ? x + a : atop[id] == 6'h30 ? a : x === a ? b : x;
      mem[l] = line;
      old = {16{32'hxxxxxxxx}};                  // nobody may look at the rest of the beat
      old[w*32 +: 32] = x;
    end else if (b_on[id]) begin
      for (int i = 0; i < 64; i++) if (strb[id][i]) line[i*8 +: 8] = data[id][i*8 +: 8];
      mem[l] = line;
    end
    data[id] = old;
    done[id] = 1'b1;
  endtask

  always #5 clk = !clk;
  always @(negedge clk) begin                       // what the core sees until the next one
    awready = below(3) != 0;
    wready  = below(3) != 0;
    arready = below(3) != 0;
    for (int i = 0; i < Mshrs; i++)
      if ((r_on[i] || b_on[i]) && !done[i] && (!b_on[i] || w_here[i]) &&
          (cycle >= due[i] || below(20) == 0)) perform(i);
    if (!rvalid) begin
      k = below(Mshrs);
      if (r_on[k] && done[k] && cycle >= due[k]) begin
        rvalid = 1'b1;
        rid    = k;
        rdata  = data[k];
      end
    end
    if (!bvalid) begin
      k = below(Mshrs);
      if (b_on[k] && done[k] && cycle >= due[k]) begin
        bvalid = 1'b1;
        bid    = k;
      end
    end
  end
  logic r_took = 1'b0, b_took = 1'b0;
  always @(posedge clk) begin                       // before the core's flip-flops change
    cycle = cycle + 1;
    r_took = 1'b0;
    b_took = 1'b0;
    if (rst_n) begin
      if (^{busy, awvalid, wvalid, bready, arvalid, rready, t_valid, t_wr_valid, live, at_bar,
            mem_busy, mshrs} === 1'bx)
        fail("X on a control output",
             {awvalid, wvalid, bready, arvalid, rready, t_valid, t_wr_valid, busy});
      if (t_valid === 1'b1) begin
        instructions = instructions + 1;
        last = cycle;
        if (^{t_pc, t_ir, t_mask, t_warp} === 1'bx) fail("X in an instruction, PC", t_pc);
      end
      if (t_wr_valid === 1'b1) begin
        if (^{t_wr_rd, t_wr_mask, t_wr_warp} === 1'bx)
          fail("X in a write of a register", {27'd0, t_wr_rd});
        for (int i = 0; i < Lanes; i++)
          if (t_wr_mask[i] && t_wr_rd != 5'd0 && ^t_wr_data[i*32 +: 32] === 1'bx)
            fail("X in a register", {27'd0, t_wr_rd});
      end
      if (arvalid === 1'b1 && arready) begin
        if (^{arid, araddr, arlen, arsize, arburst, arprot} === 1'bx || araddr[5:0] != 6'd0 ||
            arlen != 8'd0 || arsize != 3'd6)
          fail("AR", araddr);
        v = arid;
        if (r_on[v] || b_on[v]) fail("ID in use", v);
        r_on[v] = 1'b1;
        done[v] = 1'b0;
        at[v]   = araddr;
        due[v]  = cycle + below(30);
      end
      if (awvalid === 1'b1 && awready) begin
        if (^{awid, awaddr, awlen, awsize, awburst, awprot, awatop} === 1'bx || awlen != 8'd0)
          fail("AW", awaddr);
        v = awid;
        if (r_on[v] || b_on[v]) fail("ID in use", v);
        b_on[v]   = 1'b1;
        r_on[v]   = awatop != 6'd0;
        w_here[v] = 1'b0;
        done[v]   = 1'b0;
        at[v]     = awaddr;
        atop[v]   = awatop;
        due[v]    = cycle + below(30);
        aw_q[aw_tail % 64] = v;
        aw_tail = aw_tail + 1;
      end
      if (wvalid === 1'b1 && wready) begin
        if (^wstrb === 1'bx || wlast !== 1'b1) fail("WSTRB, WLAST", wstrb[31:0]);
        for (int i = 0; i < 64; i++)
          if (wstrb[i] && ^wdata[i*8 +: 8] === 1'bx) fail("X in a byte that is written", i);
        w_data[w_tail % 64] = wdata;
        w_strb[w_tail % 64] = wstrb;
        w_tail = w_tail + 1;
      end
      while (aw_head != aw_tail && w_head != w_tail) begin
        v = aw_q[aw_head % 64];
        data[v]   = w_data[w_head % 64];
        strb[v]   = w_strb[w_head % 64];
        w_here[v] = 1'b1;
        aw_head = aw_head + 1;
        w_head  = w_head + 1;
      end
      if (rvalid && rready === 1'b1) begin
        r_on[rid] = 1'b0;
        r_took    = 1'b1;
      end
      if (bvalid && bready === 1'b1) begin
        b_on[bid] = 1'b0;
        b_took    = 1'b1;
      end
    end
  end
  always @(posedge clk) #1 begin
    if (r_took) rvalid = 1'b0;
    if (b_took) bvalid = 1'b0;
  end

  // ---------------------------------------------------------------- one program
  task automatic put(input logic [7:0] a, input logic [31:0] x);
    @(negedge clk);
    cfg_we    = 1'b1;
    cfg_addr  = a;
    cfg_wdata = x;
    @(negedge clk);
    cfg_we    = 1'b0;
  endtask
  initial begin
    if (!$value$plusargs("dir=%s", dir)) dir = ".";
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    $readmemh({dir, "/mem.hex"}, mem);
    $readmemh({dir, "/want.hex"}, want);
    $readmemh({dir, "/cfg.hex"}, cfg);
    $readmemh({dir, "/code.hex"}, code, 0, cfg[0] - 1);
    for (int i = 0; i < Mshrs; i++) {r_on[i], b_on[i], w_here[i], done[i]} = 4'd0;
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    for (int i = 0; i < cfg[0]; i++) begin
      @(negedge clk);
      imem_we    = 1'b1;
      imem_addr  = i;
      imem_wdata = code[i];
    end
    @(negedge clk);
    imem_we = 1'b0;
    put(8'h08, cfg[1]);
    for (int i = 0; i < 4; i++) put(8'h10 + 4*i, cfg[2 + i]);
    put(8'h20, cfg[6]);
    put(8'h24, cfg[7]);
    put(8'h28, cfg[8]);
    put(8'h00, 32'd1);
    @(negedge clk);
    last = cycle;
    while (busy !== 1'b0 && cycle - last < 3000 && errors < 8) @(negedge clk);
    if (busy !== 1'b0 && errors < 8) begin
      errors = errors + 1;
      $display("no instruction for %0d cycles: live warps %b, at barrier %b, memory %b, bursts %b",
               cycle - last, live, at_bar, mem_busy, mshrs);
    end
    cfg_addr = 8'h04;
    @(negedge clk);
    if (cfg_rdata !== 32'd0) fail("STATUS at the end", cfg_rdata);
    for (int i = 0; i < Lines; i++)
      if (mem[i] !== want[i])
        for (int j = 0; j < 16; j++)
          if (mem[i][j*32 +: 32] !== want[i][j*32 +: 32]) begin
            errors = errors + 1;
            if (errors < 8)
              $display("memory at %h: expected %h, got %h", i*64 + j*4, want[i][j*32 +: 32],
                       mem[i][j*32 +: 32]);
          end
    $display("%0s gmmu_sm, four-state: %0d words, %0d warp instructions in %0d cycles, %0d errors",
             errors == 0 ? "PASS" : "FAIL", cfg[0], instructions, cycle, errors);
    $finish;
  end
endmodule
`default_nettype wire
