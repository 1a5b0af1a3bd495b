// SPDX-License-Identifier: Apache-2.0
// Directed bench of gmmu_axi under Icarus, four-state: registers after reset, pass through,
// translation, every burst kind, a fault that waits and is retried three ways, error mode, a burst
// that breaks an AXI rule, an atomic that ends in the MMU, fetches, windows, a memory error on a
// walk, the native port, the counters. Random stalls; run.sh: tb/axi/icarus.sh. +seed=N, ends with
// PASS or FAIL. Its memory and the master of its slave port are modules of their own.
`timescale 1ns / 1ps
`default_nettype none
module gmmu_axi_tb;
  `include "gmmu_regs_map.svh"
  logic clk = 0, rst_n = 0;
  always #5 clk = !clk;
  integer seed, errors, checks, cycle;
  initial if (!$value$plusargs("seed=%d", seed)) seed = 1;

  // ---------------------------------------------------------------- device
  logic        irq;
  logic        awv, awr, wv, wr, wl, bv, br, arv, arr, rv, rr, rl;
  logic [3:0]  awid, bid, arid, rid;
  logic [39:0] awaddr, araddr;
  logic [7:0]  awlen, arlen, wstrb;
  logic [2:0]  awsize, arsize, awprot, arprot;
  logic [1:0]  awburst, arburst, bresp, rresp;
  logic [5:0]  awatop;
  logic [63:0] wdata, rdata;
  logic        mawv, mawr, mwv, mwr, mwl, mbv, mbr, marv, marr, mrv, mrr, mrl;
  logic [3:0]  mawid, mbid, marid, mrid;
  logic [31:0] mawaddr, maraddr;
  logic [7:0]  mawlen, marlen, mwstrb;
  logic [2:0]  mawsize, marsize;
  logic [1:0]  mawburst, marburst, mrresp, mbresp;
  logic [63:0] mwdata, mrdata;
  logic        nv, nr, nu, nrv, nrr, ndrop, nbusy;
  logic [63:0] nva;
  logic [1:0]  nacc;
  logic [3:0]  ntag, nrtag, nrwarp;
  logic [31:0] npa;
  logic [4:0]  ncause;
  logic        warv, warr, wrv, wrr, wrl;
  logic [1:0]  warid, wrid, wrresp;
  logic [31:0] waraddr;
  logic [63:0] wrdata;
  logic        cawv, cawr, cwv, cwr, cbv, cbr, carv, carr, crv, crr;
  logic [12:0] cawaddr, caraddr;
  logic [31:0] cwdata, crdata, rules;
  logic [3:0]  cwstrb;
  logic [1:0]  cbresp, crresp;
  logic        pawv, pawr, pwv, pwr, pbv, parv, parr, prv, pte_bad, walk_bad;
  logic [31:0] pawaddr, paraddr;
  logic [7:0]  pawlen, parlen;
  logic        pwl, prl;
  logic [63:0] pwdata, prdata;
  logic [1:0]  pbresp, prresp;
  logic [7:0]  user = 0;
  logic [3:0]  ssid = 0;
  gmmu_axi_harness #(.NumPorts(1), .WBeats(4)) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .irq_o(irq), .errors_o(rules), .s_awvalid_i(awv),
    .s_awready_o(awr), .s_awid_i(awid), .s_awaddr_i(awaddr), .s_awlen_i(awlen), .s_awsize_i(awsize),
    .s_awburst_i(awburst), .s_awlock_i(1'b0), .s_awcache_i(4'd0), .s_awprot_i(awprot),
    .s_awqos_i(4'd0), .s_awregion_i(4'd0), .s_awatop_i(awatop), .s_awuser_i(user),
    .s_awssid_i(ssid), .s_wvalid_i(wv), .s_wready_o(wr), .s_wdata_i(wdata), .s_wstrb_i(wstrb),
    .s_wlast_i(wl), .s_wuser_i(8'd0), .s_bvalid_o(bv), .s_bready_i(br), .s_bid_o(bid),
    .s_bresp_o(bresp), .s_buser_o(), .s_arvalid_i(arv), .s_arready_o(arr), .s_arid_i(arid),
    .s_araddr_i(araddr), .s_arlen_i(arlen), .s_arsize_i(arsize), .s_arburst_i(arburst),
    .s_arlock_i(1'b0), .s_arcache_i(4'd0), .s_arprot_i(arprot), .s_arqos_i(4'd0),
    .s_arregion_i(4'd0), .s_aruser_i(user), .s_arssid_i(ssid), .s_rvalid_o(rv), .s_rready_i(rr),
    .s_rid_o(rid), .s_rdata_o(rdata), .s_rresp_o(rresp), .s_rlast_o(rl), .s_ruser_o(),
    .m_awvalid_o(mawv), .m_awready_i(mawr), .m_awid_o(mawid), .m_awaddr_o(mawaddr),
    .m_awlen_o(mawlen), .m_awsize_o(mawsize), .m_awburst_o(mawburst), .m_awlock_o(), .m_awcache_o(),
    .m_awprot_o(), .m_awqos_o(), .m_awregion_o(), .m_awatop_o(), .m_awuser_o(), .m_wvalid_o(mwv),
    .m_wready_i(mwr), .m_wdata_o(mwdata), .m_wstrb_o(mwstrb), .m_wlast_o(mwl), .m_wuser_o(),
    .m_bvalid_i(mbv), .m_bready_o(mbr), .m_bid_i(mbid), .m_bresp_i(mbresp), .m_buser_i(8'd0),
    .m_arvalid_o(marv), .m_arready_i(marr), .m_arid_o(marid), .m_araddr_o(maraddr),
    .m_arlen_o(marlen), .m_arsize_o(marsize), .m_arburst_o(marburst), .m_arlock_o(), .m_arcache_o(),
    .m_arprot_o(), .m_arqos_o(), .m_arregion_o(), .m_aruser_o(), .m_rvalid_i(mrv), .m_rready_o(mrr),
    .m_rid_i(mrid), .m_rdata_i(mrdata), .m_rresp_i(mrresp), .m_rlast_i(mrl), .m_ruser_i(8'd0),
    .n_req_valid_i(nv), .n_req_ready_o(nr), .n_req_va_i(nva), .n_req_access_i(nacc),
    .n_req_user_i(nu), .n_req_asid_i(4'd0), .n_req_warp_i(4'd5), .n_req_tag_i(ntag),
    .n_rsp_valid_o(nrv), .n_rsp_ready_i(nrr), .n_rsp_warp_o(nrwarp), .n_rsp_tag_o(nrtag),
    .n_rsp_pa_o(npa), .n_rsp_cause_o(ncause), .n_drop_o(ndrop), .n_busy_i(nbusy),
    .w_arvalid_o(warv), .w_arready_i(warr), .w_arid_o(warid), .w_araddr_o(waraddr), .w_arlen_o(),
    .w_arsize_o(), .w_arburst_o(), .w_rvalid_i(wrv), .w_rready_o(wrr), .w_rid_i(wrid),
    .w_rdata_i(wrdata), .w_rresp_i(wrresp), .w_rlast_i(wrl), .p_awvalid_o(pawv), .p_awready_i(pawr),
    .p_awaddr_o(pawaddr), .p_awlen_o(pawlen), .p_awlock_o(), .p_arlock_o(), .p_wvalid_o(pwv),
    .p_wlast_o(pwl), .p_wready_i(pwr), .p_wdata_o(pwdata), .p_bvalid_i(pbv), .p_bready_o(),
    .p_bresp_i(pbresp), .p_arvalid_o(parv), .p_arready_i(parr), .p_araddr_o(paraddr),
    .p_arlen_o(parlen), .p_rvalid_i(prv), .p_rready_o(), .p_rlast_i(prl), .p_rdata_i(prdata),
    .p_rresp_i(prresp), .c_awvalid_i(cawv), .c_awready_o(cawr), .c_awaddr_i(cawaddr),
    .c_wvalid_i(cwv), .c_wready_o(cwr), .c_wdata_i(cwdata), .c_wstrb_i(cwstrb), .c_bvalid_o(cbv),
    .c_bready_i(cbr), .c_bresp_o(cbresp), .c_arvalid_i(carv), .c_arready_o(carr),
    .c_araddr_i(caraddr), .c_rvalid_o(crv), .c_rready_i(crr), .c_rdata_o(crdata), .c_rresp_o(crresp)
  );

  task automatic expect_eq(input [8*48-1:0] what, input [63:0] want, input [63:0] got);
    begin
      checks = checks + 1;
      if (want !== got) begin
        errors = errors + 1;
        $display("cycle %0d, seed %0d: %0s: expected %h, got %h", cycle, seed, what, want, got);
      end
    end
  endtask

  // ---------------------------------------------------------------- what it is connected to
  initial {walk_bad, pte_bad} = 0;
  always @(posedge clk) cycle = cycle + 1;
  gmmu_axi_tb_memory u_memory (
    .clk_i(clk), .walk_bad_i(walk_bad), .pte_bad_i(pte_bad), .awv_i(mawv), .awr_o(mawr),
    .awid_i(mawid), .awaddr_i(mawaddr), .awlen_i(mawlen), .awsize_i(mawsize), .awburst_i(mawburst),
    .wv_i(mwv), .wr_o(mwr), .wdata_i(mwdata), .wstrb_i(mwstrb), .wl_i(mwl), .bv_o(mbv), .br_i(mbr),
    .bid_o(mbid), .bresp_o(mbresp), .arv_i(marv), .arr_o(marr), .arid_i(marid), .araddr_i(maraddr),
    .arlen_i(marlen), .arsize_i(marsize), .arburst_i(marburst), .rv_o(mrv), .rr_i(mrr),
    .rid_o(mrid), .rdata_o(mrdata), .rresp_o(mrresp), .rl_o(mrl), .w_arv_i(warv), .w_arr_o(warr),
    .w_arid_i(warid), .w_araddr_i(waraddr), .w_rv_o(wrv), .w_rr_i(wrr), .w_rid_o(wrid),
    .w_rdata_o(wrdata), .w_rresp_o(wrresp), .w_rl_o(wrl), .p_awv_i(pawv), .p_awr_o(pawr),
    .p_awaddr_i(pawaddr), .p_awlen_i(pawlen), .p_wv_i(pwv), .p_wr_o(pwr), .p_wdata_i(pwdata),
    .p_wl_i(pwl), .p_bv_o(pbv), .p_bresp_o(pbresp), .p_arv_i(parv), .p_arr_o(parr),
    .p_araddr_i(paraddr), .p_arlen_i(parlen), .p_rv_o(prv), .p_rl_o(prl), .p_rdata_o(prdata),
    .p_rresp_o(prresp)
  );
  gmmu_axi_tb_master u_master (
    .clk_i(clk), .awv_o(awv), .awr_i(awr), .awid_o(awid), .awaddr_o(awaddr), .awlen_o(awlen),
    .awsize_o(awsize), .awburst_o(awburst), .awprot_o(awprot), .awatop_o(awatop), .wv_o(wv),
    .wr_i(wr), .wdata_o(wdata), .wstrb_o(wstrb), .wl_o(wl), .bv_i(bv), .br_o(br), .bid_i(bid),
    .bresp_i(bresp), .arv_o(arv), .arr_i(arr), .arid_o(arid), .araddr_o(araddr), .arlen_o(arlen),
    .arsize_o(arsize), .arburst_o(arburst), .arprot_o(arprot), .rv_i(rv), .rr_o(rr), .rid_i(rid),
    .rdata_i(rdata), .rresp_i(rresp), .rl_i(rl)
  );

  // ---------------------------------------------------------------- accesses
  task automatic reg_write(input [12:0] offset, input [31:0] value);
    begin
      @(negedge clk);
      cawv = 1; cwv = 1; cawaddr = offset; cwdata = value; cwstrb = 4'hf; cbr = 1;
      while (cawv || cwv) begin
        @(posedge clk);
        #1;
        if (cawv && aw_taken) cawv = 0;
        if (cwv && w_taken) cwv = 0;
      end
      while (cbv !== 1'b1) begin @(posedge clk); #1; end
      @(posedge clk);
      #1 cbr = 0;
    end
  endtask
  // What was taken at the last edge.
  logic aw_taken, w_taken, ar_taken;
  always @(posedge clk) begin
    aw_taken <= cawv && cawr;
    w_taken  <= cwv && cwr;
    ar_taken <= carv && carr;
  end
  task automatic reg_read(input [12:0] offset, output [31:0] value);
    begin
      @(negedge clk);
      carv = 1; caraddr = offset; crr = 1;
      while (carv) begin
        @(posedge clk);
        #1;
        if (ar_taken) carv = 0;
      end
      while (crv !== 1'b1) begin @(posedge clk); #1; end
      value = crdata;
      @(posedge clk);
      #1 crr = 0;
    end
  endtask
  task automatic command(input [2:0] kind);
    reg [31:0] v;
    begin
      reg_write(REG_CMD, 32'(kind));
      v = 1;
      while (v[0]) reg_read(REG_CMD_STATUS, v);
      expect_eq("command refused", 0, 64'(v[1]));
    end
  endtask

  task automatic frame_command(input [2:0] kind, input [2:0] result, input [8*48-1:0] what);
    reg [31:0] v;
    begin
      command(kind);
      reg_read(REG_CMD_STATUS, v);
      expect_eq(what, 64'(result), 64'(v[10:8]));
    end
  endtask

  reg [31:0] n_pa;
  reg [4:0]  n_cause;
  task automatic native(input [63:0] va, input [1:0] access, input [3:0] tag);
    begin
      @(negedge clk);
      {nva, nacc, nu, ntag} = {va, access, 1'b1, tag};
      nv = 1;
      nrr = 1;
      @(posedge clk);
      while (nr !== 1'b1) @(posedge clk);
      #1 nv = 0;
      while (nrv !== 1'b1) begin @(posedge clk); #1; end
      n_pa = npa;
      n_cause = ncause;
      expect_eq("native: tag", 64'(tag), 64'(nrtag));
      expect_eq("native: warp", 5, 64'(nrwarp));
      @(posedge clk);
      #1 nrr = 0;
    end
  endtask
  task automatic fault_is(input [4:0] cause, input [63:0] va, input [1:0] access, input write);
    reg [31:0] v, lo, hi;
    begin
      reg_read(REG_FAULT_INFO, v);
      expect_eq("fault recorded", 1, 64'(v[15]));
      expect_eq("fault cause", 64'(cause), 64'(v[4:0]));
      expect_eq("fault access", 64'(access), 64'(v[9:8]));
      expect_eq("fault ASID", 2, 64'(v[31:16]));
      reg_read(REG_FAULT_VA_LO, lo);
      reg_read(REG_FAULT_VA_HI, hi);
      expect_eq("fault VA", va, {hi, lo});
      reg_read(REG_FAULT_SRC, v);
      expect_eq("fault channel", 64'(write), 64'(v[8]));
      reg_write(REG_FAULT_POP, 1);
    end
  endtask
  // Leaf tables at page 3 (va 0x4000_0000 up). Page 1 root, page 2 frame PTEs.
  task automatic pte(input integer page, input [63:0] value);
    begin
      u_memory.mem[3*512 + page] = value;
    end
  endtask
  function automatic [63:0] leaf(input [19:0] pfn, input [7:0] bits);
    begin
      leaf = {34'd0, pfn, 2'b00, bits};
    end
  endfunction
  localparam logic [7:0] RWU = 8'hd7, RU = 8'h53, XU = 8'h59;

  // ---------------------------------------------------------------- the test
  reg [31:0] v, seen_then;
  integer    i, k, t0, t1;
  initial begin
    errors = 0;
    checks = 0;
    cycle = 0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    k = seed;
    i = $urandom(k);
    {nv, nrr, cawv, cwv, cbr, carv, crr, nu, ntag, nacc, nva} = 0;
    nbusy = 0;
    {cawaddr, cwdata, cwstrb, caraddr} = 0;
    for (i = 0; i < u_memory.Words; i = i + 1) u_memory.mem[i] = {32'(i), ~32'(i)};
    for (i = 512; i < 4 * 512; i = i + 1) u_memory.mem[i] = 0;
    repeat (5) @(posedge clk);
    #1 rst_n = 1;

    // after reset
    reg_read(REG_ID, v);
    expect_eq("ID", 64'h554d_4d47, 64'(v));
    reg_read(REG_PARAMS, v);
    expect_eq("parameter NumPorts", 1, 64'(v));
    reg_read(REG_PARAMS + 13'd16, v);
    expect_eq("parameter VaW", 39, 64'(v));
    reg_read(REG_IRQ_ENABLE, v);
    expect_eq("interrupts after reset", 0, 64'(v));
    expect_eq("irq after reset", 0, 64'(irq));
    reg_read(13'h00c, v);
    expect_eq("no register: value", 0, 64'(v));
    expect_eq("no register: response", 2, 64'(crresp));
    // pass through
    u_master.read(40'h0004_0008, 8'd0, 3'd3, 2'd1, 4'd3);
    expect_eq("passed through", {32'h8001, ~32'h8001}, u_master.buffer[0]);

    // contexts, windows, port
    u_memory.mem[512 + 1] = leaf(20'd2, 8'h01);
    u_memory.mem[2*512 + 0] = leaf(20'd3, 8'h01);
    pte(0, leaf(20'h40, RWU));
    pte(1, leaf(20'h41, RU));
    pte(2, leaf(20'h42, XU));
    pte(4, leaf(20'h70, RWU));
    pte(5, leaf(20'hfffff, RWU));
    reg_write(REG_WIN_FIRST_LO, 1);
    reg_write(REG_WIN_LAST_LO, 3);
    reg_write(REG_WIN_CTRL, 1);
    reg_write(REG_WIN_FIRST_LO + 13'd32, 32'h40);
    reg_write(REG_WIN_LAST_LO + 13'd32, 32'h6f);
    reg_write(REG_WIN_CTRL + 13'd32, 2);
    reg_write(REG_CTX_ROOT_LO + 13'd32, 1);
    reg_write(REG_CTX_CTRL + 13'd32, 1);
    reg_write(REG_PORT_ASID, 2);
    reg_write(REG_PORT_CTRL, 1);
    reg_write(REG_PORT_ASID + 13'd16, 2);
    reg_write(REG_PORT_CTRL + 13'd16, 32'h005);
    reg_write(REG_IRQ_ENABLE, 3);

    // every kind and size of burst: written, read back
    for (k = 0; k < 3; k = k + 1)
      for (i = 0; i < 4; i = i + 1) begin
        u_master.write(40'h4000_0100 + 40'(k * 1024 + i * 256), k == 0 ? 8'd2 : 8'd7, 3'(i), 2'(k),
            4'(i), {8{8'(k * 16 + i + 1)}});
        expect_eq("BRESP", 0, 64'(u_master.last_resp));
        u_master.read(40'h4000_0100 + 40'(k * 1024 + i * 256), k == 0 ? 8'd2 : 8'd7, 3'(i), 2'(k),
            4'(i + 4));
        expect_eq("RRESP", 0, 64'(u_master.last_resp));
        expect_eq("first byte read back",
            64'(k == 0 && i < 8 ? 8'(k * 16 + i + 1) + 8'd2 : 8'(k * 16 + i + 1)),
            64'(u_master.buffer[0][7:0]));
      end
    // a burst longer than the kept beats, and the largest one in a page
    u_master.write(40'h4000_0000, 8'd255, 3'd3, 2'd1, 4'd1, 64'h1000);
    u_master.read(40'h4000_0000, 8'd255, 3'd3, 2'd1, 4'd2);
    for (i = 0; i < 256; i = i + 1)
      expect_eq("word of a long burst", 64'h1000 + 64'(i), u_master.buffer[i]);
    expect_eq("word in memory", 64'h10ff, u_memory.mem[64*512 + 255]);

    // a fault waits; another ID passes it, writes pass reads; then the page is mapped and RETRY is
    // written
    u_master.send_ar(40'h4000_3010, 8'd1, 3'd3, 2'd1, 4'd9, 3'd0);
    while (irq !== 1'b1) @(posedge clk);
    fault_is(gmmu_pkg::CAUSE_PF_INVALID, 64'h4000_3010, 2'd0, 1'b0);
    reg_write(REG_IRQ_STATUS, 1);
    expect_eq("irq cleared", 0, 64'(irq));
    u_master.write(40'h4000_0008, 8'd0, 3'd3, 2'd1, 4'd9, 64'hbeef);
    u_master.read(40'h4000_0008, 8'd0, 3'd3, 2'd1, 4'd8);
    expect_eq("read past a fault", 64'hbeef, u_master.buffer[0]);
    reg_read(REG_PORT_STATUS, v);
    expect_eq("one burst waits", 1, 64'(v[7:0]));
    pte(3, leaf(20'h44, RWU));
    reg_write(REG_RETRY, 1);
    u_master.get_r;
    expect_eq("retried read", {32'(32'h44 * 512 + 3), ~32'(32'h44 * 512 + 3)}, u_master.buffer[1]);
    expect_eq("its ID", 9, 64'(u_master.last_id));
    // a write to a read-only page: the map command retries it
    u_master.send_aw(40'h4000_1000, 8'd3, 3'd3, 2'd1, 4'd4, 6'd0);
    u_master.send_w(40'h4000_1000, 8'd3, 3'd3, 2'd1, 64'h77);
    while (irq !== 1'b1) @(posedge clk);
    fault_is(gmmu_pkg::CAUSE_PERM, 64'h4000_1000, 2'd1, 1'b1);
    reg_write(REG_IRQ_STATUS, 1);
    pte(1, leaf(20'h41, RWU));
    reg_write(REG_CMD_ASID, 2);
    reg_write(REG_CMD_FIRST_LO, 32'h4000_1000);
    reg_write(REG_CMD_LAST_LO, 32'h4000_1000);
    command(3'd2);
    u_master.get_b;
    expect_eq("BRESP after the map", 0, 64'(u_master.last_resp));
    expect_eq("written after the map", 64'h7a, u_memory.mem[65*512 + 3]);
    // a read waits for a write of its bytes whose W has come, not for one that owes it; other bytes
    // pass
    pte(14, leaf(20'h4e, RU));
    u_master.send_aw(40'h4000_e020, 8'd1, 3'd3, 2'd1, 4'd4, 6'd0);
    u_master.read(40'h4000_e028, 8'd0, 3'd3, 2'd1, 4'd5);
    expect_eq("read of a write that owes its W", {32'(32'h4e * 512 + 5), ~32'(32'h4e * 512 + 5)},
        u_master.buffer[0]);
    u_master.send_w(40'h4000_e020, 8'd1, 3'd3, 2'd1, 64'haa);
    while (irq !== 1'b1) @(posedge clk);
    fault_is(gmmu_pkg::CAUSE_PERM, 64'h4000_e020, 2'd1, 1'b1);
    reg_write(REG_IRQ_STATUS, 1);
    u_master.read(40'h4000_e030, 8'd0, 3'd3, 2'd1, 4'd4);
    expect_eq("read beside a write that waits", {32'(32'h4e * 512 + 6), ~32'(32'h4e * 512 + 6)},
        u_master.buffer[0]);
    seen_then = 32'(u_memory.served);
    u_master.send_ar(40'h4000_e028, 8'd0, 3'd3, 2'd1, 4'd5, 3'd0);
    repeat (200) @(posedge clk);
    expect_eq("a read of a write that waits is held", 64'(seen_then), 64'(u_memory.served));
    pte(14, leaf(20'h4e, RWU));
    reg_write(REG_CMD_FIRST_LO, 32'h4000_e000);
    reg_write(REG_CMD_LAST_LO, 32'h4000_e000);
    command(3'd2);
    u_master.get_r;
    expect_eq("what it reads then", 64'hab, u_master.buffer[0]);
    u_master.get_b;
    // a memory error on the walk, retried by the clock
    pte(6, leaf(20'h46, RWU));
    walk_bad = 1;
    u_master.send_ar(40'h4000_6000, 8'd0, 3'd3, 2'd1, 4'd0, 3'd0);
    while (irq !== 1'b1) @(posedge clk);
    fault_is(gmmu_pkg::CAUSE_AF_MEM, 64'h4000_6000, 2'd0, 1'b0);
    walk_bad = 0;
    reg_write(REG_RETRY_CYCLES, 50);
    u_master.get_r;
    expect_eq("read after a memory error", {32'(32'h46 * 512), ~32'(32'h46 * 512)},
        u_master.buffer[0]);
    reg_write(REG_RETRY_CYCLES, 0);
    reg_write(REG_IRQ_STATUS, 15);

    // where the ASID comes from: AxUSER, AxMMUSSID, AxID; privilege from AxPROT[0]
    reg_write(REG_PORT_ASID, 3);
    user = 8'h28;
    reg_write(REG_PORT_CTRL, 32'h0004_0011);
    u_master.read(40'h4000_0000, 8'd0, 3'd3, 2'd1, 4'd1);
    expect_eq("ASID from AxUSER", 64'h1000, u_master.buffer[0]);
    user = 0;
    ssid = 2;
    reg_write(REG_PORT_CTRL, 32'h0000_0021);
    u_master.write(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd1, 64'h5510);
    u_master.read(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd1);
    expect_eq("ASID from AxMMUSSID", 64'h5510, u_master.buffer[0]);
    ssid = 0;
    reg_write(REG_PORT_CTRL, 32'h0001_0031);
    u_master.read(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd4);
    expect_eq("ASID from AxID", 64'h5510, u_master.buffer[0]);
    reg_write(REG_PORT_CTRL, 32'h0001_0035);
    u_master.read(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd6);
    expect_eq("unknown ASID from AxID", 2, 64'(u_master.last_resp));
    reg_write(REG_FAULT_POP, 1);
    reg_write(REG_PORT_ASID, 2);
    reg_write(REG_PORT_CTRL, 5);
    u_master.send_ar(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd6, 3'b001);
    u_master.get_r;
    expect_eq("supervisor on a user page", 2, 64'(u_master.last_resp));
    fault_is(gmmu_pkg::CAUSE_PERM, 64'h4000_0010, 2'd0, 1'b0);
    reg_write(REG_PORT_CTRL, 1);
    reg_write(REG_IRQ_STATUS, 15);

    // fetches: page 2 may be executed, not read
    u_master.send_ar(40'h4000_2000, 8'd0, 3'd3, 2'd1, 4'd1, 3'b100);
    u_master.get_r;
    expect_eq("fetch", {32'(32'h42 * 512), ~32'(32'h42 * 512)}, u_master.buffer[0]);
    expect_eq("fetch: response", 0, 64'(u_master.last_resp));

    // error mode
    reg_write(REG_PORT_CTRL, 5);
    seen_then = 32'(u_memory.served);
    u_master.read(40'h4000_2000, 8'd3, 3'd3, 2'd1, 4'd7);
    expect_eq("read of an execute-only page", 2, 64'(u_master.last_resp));
    expect_eq("its data", 0, u_master.buffer[3] | u_master.buffer[0]);
    fault_is(gmmu_pkg::CAUSE_PERM, 64'h4000_2000, 2'd0, 1'b0);
    u_master.write(40'h4000_4000, 8'd9, 3'd3, 2'd1, 4'd6, 64'd0);
    expect_eq("write outside the windows", 3, 64'(u_master.last_resp));
    fault_is(gmmu_pkg::CAUSE_AF_PPN_WINDOW, 64'h4000_4000, 2'd1, 1'b1);
    u_master.read(40'h4000_5000, 8'd0, 3'd3, 2'd1, 4'd5);
    expect_eq("PFN outside the windows", 3, 64'(u_master.last_resp));
    fault_is(gmmu_pkg::CAUSE_AF_PPN_WINDOW, 64'h4000_5000, 2'd0, 1'b0);
    u_master.read(40'h0040_0000, 8'd0, 3'd3, 2'd1, 4'd5);
    expect_eq("no table", 2, 64'(u_master.last_resp));
    fault_is(gmmu_pkg::CAUSE_PF_INVALID, 64'h0040_0000, 2'd0, 1'b0);
    // an atomic compare of two beats returns one beat of zeros and B
    u_master.send_aw(40'h4000_7000, 8'd1, 3'd3, 2'd1, 4'd3, 6'b110001);
    u_master.send_w(40'h4000_7000, 8'd1, 3'd3, 2'd1, 64'd0);
    u_master.get_r;
    expect_eq("atomic: beats", 1, 64'(u_master.beats));
    expect_eq("atomic: RRESP", 2, 64'(u_master.last_resp));
    u_master.get_b;
    expect_eq("atomic: BRESP", 2, 64'(u_master.last_resp));
    fault_is(gmmu_pkg::CAUSE_PF_INVALID, 64'h4000_7000, 2'd3, 1'b1);
    expect_eq("nothing of it reached memory", 64'(seen_then), 64'(u_memory.served));
    expect_eq("AXI rules so far", 0, 64'(rules));
    // a burst over a 4 KiB boundary ends with SLVERR in any mode (and the checker of the slave side
    // sees it)
    reg_write(REG_PORT_CTRL, 1);
    $display("one AXI rule is broken on purpose:");
    u_master.read(40'h4000_0ff8, 8'd1, 3'd3, 2'd1, 4'd2);
    expect_eq("crossing: RRESP", 2, 64'(u_master.last_resp));
    fault_is(gmmu_pkg::CAUSE_BURST, 64'h4000_0ff8, 2'd0, 1'b0);
    expect_eq("AXI rules: one broken on purpose", 1, 64'(rules));

    // native port (error mode)
    native(64'h4000_0123, 2'd0, 4'd11);
    expect_eq("native: PA", 64'h40123, 64'(n_pa));
    expect_eq("native: cause", 0, 64'(n_cause));
    native(64'h4000_9000, 2'd1, 4'd2);
    expect_eq("native: PA of a fault", 0, 64'(n_pa));
    expect_eq("native: cause of a fault", 64'(gmmu_pkg::CAUSE_PF_INVALID), 64'(n_cause));
    fault_is(gmmu_pkg::CAUSE_PF_INVALID, 64'h4000_9000, 2'd1, 1'b0);
    native(64'h0080_0040_0000_0000, 2'd0, 4'd3);
    expect_eq("native: not canonical", 64'(gmmu_pkg::CAUSE_NON_CANONICAL), 64'(n_cause));
    reg_write(REG_FAULT_POP, 1);

    // a full queue: the records are lost, the interrupt says so
    reg_write(REG_PORT_CTRL, 5);
    reg_write(REG_IRQ_STATUS, 15);
    for (i = 0; i < 6; i = i + 1)
      u_master.read(40'h4000_8000 + 40'(i * 4096), 8'd0, 3'd3, 2'd1, 4'(i));
    reg_read(REG_FAULT_STATUS, v);
    expect_eq("records in a full queue", 4, 64'(v[7:0]));
    reg_read(REG_IRQ_STATUS, v);
    expect_eq("events", 3, 64'(v[1:0]));
    fault_is(gmmu_pkg::CAUSE_PF_INVALID, 64'h4000_8000, 2'd0, 1'b0);
    reg_write(REG_CMD, 0);
    reg_write(REG_CMD, 1);
    reg_read(REG_CMD_STATUS, v);
    expect_eq("a command while one runs is refused", 1, 64'(v[1]));
    repeat (200) @(posedge clk);
    u_memory.mem[35*512] = 64'h55;
    // coalesce and splinter: the frame at 0x4020_0000, leaf table in page 4, frames from 0x200
    u_memory.mem[2*512 + 1] = leaf(20'd4, 8'h01);
    for (i = 0; i < 512; i = i + 1) u_memory.mem[4*512 + i] = leaf(20'h200 + 20'(i), RWU);
    reg_write(REG_WIN_LAST_LO, 4);
    reg_write(REG_WIN_FIRST_LO + 13'd64, 32'h200);
    reg_write(REG_WIN_LAST_LO + 13'd64, 32'h3ff);
    reg_write(REG_WIN_CTRL + 13'd64, 2);
    reg_write(REG_CMD_FIRST_LO, 32'h4020_0000);
    frame_command(3'd5, 3'd1, "coalesce, extension off");
    reg_write(REG_CTX_CTRL + 13'd32, 5);
    native(64'h4020_5123, 2'd0, 4'd1);
    expect_eq("4 KiB page of the frame", 64'h205123, 64'(n_pa));
    frame_command(3'd6, 3'd5, "splinter what is not coalesced");
    frame_command(3'd5, 3'd0, "coalesce");
    expect_eq("frame PTE", {1'b1, 63'h1001}, u_memory.mem[2*512 + 1]);
    k = 0;
    for (i = 0; i < 512; i = i + 1) k = k +
        32'(u_memory.mem[4*512 + i] === (leaf(20'h200 + 20'(i), RWU) | 64'h100));
    expect_eq("leaf PTEs with DIS", 512, 64'(k));
    frame_command(3'd5, 3'd5, "coalesce again");
    command(3'd0);
    native(64'h403f_fabc, 2'd1, 4'd2);
    expect_eq("last page of the coalesced frame", 64'h3ffabc, 64'(n_pa));
    frame_command(3'd6, 3'd0, "splinter");
    expect_eq("frame PTE after it", 64'h1001, u_memory.mem[2*512 + 1]);
    k = 0;
    for (i = 0; i < 512; i = i + 1)
      k = k + 32'(u_memory.mem[4*512 + i] === leaf(20'h200 + 20'(i), RWU));
    expect_eq("leaf PTEs after it", 512, 64'(k));
    reg_write(REG_CMD_FIRST_LO, 32'h4040_0000);
    frame_command(3'd5, 3'd2, "coalesce without a leaf table");
    reg_write(REG_CMD_FIRST_LO, 32'h4020_0000);
    pte_bad = 1;
    frame_command(3'd5, 3'd4, "coalesce with a memory error");
    pte_bad = 0;
    reg_write(REG_WIN_LAST_LO, 2);
    frame_command(3'd5, 3'd3, "coalesce with the leaf table outside the windows");
    expect_eq("CO, set before that was seen", {1'b1, 63'h1001}, u_memory.mem[2*512 + 1]);
    command(3'd0);
    // page copy: page 0x21 to 0x22, where nothing else is
    reg_write(REG_WIN_FIRST_LO + 13'd64, 32'h20);
    for (i = 0; i < 512; i = i + 1) {u_memory.mem[33*512 + i], u_memory.mem[34*512 + i]} =
        {64'h0123_4567_89ab_0000 + 64'(i), 64'd0};
    reg_write(REG_CMD_FIRST_LO, 32'h2_1000);
    reg_write(REG_CMD_LAST_LO, 32'h2_2000);
    frame_command(3'd7, 3'd0, "copy a page");
    k = 0;
    for (i = 0; i < 512; i = i + 1) k = k +
        32'(u_memory.mem[34*512 + i] === 64'h0123_4567_89ab_0000 + 64'(i) &&
            u_memory.mem[33*512 + i] === u_memory.mem[34*512 + i]);
    expect_eq("words of the copy", 512, 64'(k));
    expect_eq("the word behind it", 64'(u_memory.mem[35*512] === 64'h55), 64'd1);
    pte_bad = 1;
    frame_command(3'd7, 3'd4, "copy with a memory error");
    pte_bad = 0;
    reg_write(REG_CMD_LAST_LO, 32'h1_f000);
    frame_command(3'd7, 3'd3, "copy to a page outside the windows");
    reg_write(REG_CMD_LAST_LO, 32'h2_2000);
    reg_write(REG_CMD_FIRST_HI, 1);
    frame_command(3'd7, 3'd3, "copy from a page beyond PaW");
    reg_write(REG_CMD_FIRST_HI, 0);
    // counters
    reg_write(REG_PERF_CTRL, 1);
    reg_read(REG_PERF_LO + 13'd64, v);
    expect_eq("read bursts issued", 64'd24, 64'(v));
    repeat (20) @(posedge clk);
    $display("%0s gmmu_axi under Icarus: %0d checks, %0d cycles, %0d mismatches",
        errors == 0 ? "PASS" : "FAIL", checks, cycle, errors);
    $finish(0);
  end
  initial begin
    repeat (40000) @(posedge clk);
    begin
      $write("FAIL gmmu_axi under Icarus: no end after 40000 cycles; ");
      begin
        $write("AW %b%b W %b%b B %b%b AR %b%b R %b%b, ", awv, awr, wv, wr, bv, br, arv, arr, rv,
            rr);
        $display("at memory AW %b%b W %b%b AR %b%b R %b%b, irq %b", mawv, mawr, mwv, mwr, marv,
            marr, mrv, mrr, irq);
      end
    end
    $finish(1);
  end
endmodule
`default_nettype wire
