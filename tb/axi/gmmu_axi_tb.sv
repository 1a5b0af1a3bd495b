// SPDX-License-Identifier: Apache-2.0
// Directed bench of gmmu_axi under Icarus, four-state: registers after reset, pass through,
// translation, every burst kind, a fault that waits and is retried three ways, error mode, a burst
// that breaks an AXI rule, an atomic that ends in the MMU, fetches, windows, a memory error on a
// walk, the native port, the counters. Random stalls; run.sh: tb/axi/icarus.sh. +seed=N, ends with
// PASS or FAIL.
`timescale 1ns / 1ps
`default_nettype none
module gmmu_axi_tb;
  `include "gmmu_regs_map.svh"
  localparam int Words = 65536;                  // 512 KiB of memory
  logic clk = 0, rst_n = 0;
  always #5 clk = !clk;
  integer seed, errors, checks, cycle;
  initial if (!$value$plusargs("seed=%d", seed)) seed = 1;

  reg [63:0] mem [0:Words-1];

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
  logic        pawv, pawr, pwv, pwr, pbv, parv, parr, prv, pte_bad;
  logic [31:0] pawaddr, paraddr;
  logic [7:0]  pawlen, parlen;
  logic        pwl, prl;
  integer      e_from, e_left, e_to, e_beats, e_b;
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

  function automatic logic some(input integer one_in);
    begin
      some = ($urandom % one_in) == 0;
    end
  endfunction
  task automatic expect_eq(input [8*48-1:0] what, input [63:0] want, input [63:0] got);
    begin
      checks = checks + 1;
      if (want !== got) begin
        errors = errors + 1;
        $display("cycle %0d, seed %0d: %0s: expected %h, got %h", cycle, seed, what, want, got);
      end
    end
  endtask
  function automatic [31:0] beat_at(input [31:0] first, input [2:0] size, input [1:0] kind,
      input [7:0] len, input integer beat);
    reg [31:0] a, total;
    begin
      total = (32'(len) + 1) << size;
      a = kind == 0 || beat == 0 ? first : ((first >> size) << size) + (beat << size);
      beat_at = kind == 2 ? (first & ~(total - 1)) | (a & (total - 1)) : a;
    end
  endfunction

  // ---------------------------------------------------------------- memory behind the port and the
  // walker: one burst at a time
  integer      w_beat, r_beat, served;
  logic        w_busy, r_busy, walk_bad, latch_aw;
  logic [31:0] w_first, r_first, at;
  logic [7:0]  w_len, r_len;
  logic [2:0]  w_size, r_size;
  logic [1:0]  w_kind, r_kind;
  initial begin
    {mawr, mwr, mbv, marr, mrv, warr, wrv, w_busy, r_busy, walk_bad} = 0;
    {mbresp, mrresp, wrresp, mrl, wrl} = 0;
    {pawr, pwr, pbv, parr, prv, prl, pte_bad, pbresp, prresp} = 0;
    {e_from, e_left, e_to, e_beats, e_b} = 0;
    served = 0;
  end
  always @(posedge clk) begin
    cycle = cycle + 1;
    // writes
    if (mbv && mbr) mbv <= 0;
    if (mawv && mawr) begin
      w_busy <= 1;
      w_beat = 0;
      {w_first, w_len, w_size, w_kind} = {mawaddr, mawlen, mawsize, mawburst};
      mbid <= mawid;
      served = served + 1;
    end
    mawr <= !w_busy && !(mawv && mawr) && !mbv && some(2);
    if (mwv && mwr) begin
      at = beat_at(w_first, w_size, w_kind, w_len, w_beat);
      for (int i = 0; i < 8; i++) if (mwstrb[i]) mem[at[18:3]][i*8 +: 8] = mwdata[i*8 +: 8];
      w_beat = w_beat + 1;
      if (mwl) begin
        w_busy <= 0;
        mbv <= 1;
      end
    end
    mwr <= w_busy && !(mwv && mwr && mwl) && some(2);
    // reads
    if (marv && marr) begin
      r_busy <= 1;
      r_beat = 0;
      {r_first, r_len, r_size, r_kind} = {maraddr, marlen, marsize, marburst};
      mrid <= marid;
      served = served + 1;
    end
    marr <= !r_busy && !(marv && marr) && some(2);
    if (mrv && mrr) begin
      mrv <= 0;
      if (mrl) r_busy <= 0;
    end
    if (r_busy && (!mrv || (mrr && !mrl)) && some(2)) begin
      at = beat_at(r_first, r_size, r_kind, r_len, r_beat);
      mrv <= 1;
      mrdata <= mem[at[18:3]];
      mrl <= r_beat == 32'(r_len);
      r_beat = r_beat + 1;
    end
    // reads and writes of coalescer and page copy: one burst of each at a time; W waits for its AW
    parr <= e_left == 0 && !(parv && parr) && some(2);
    pawr <= e_beats == 0 && !(pawv && pawr) && some(2);
    pwr  <= e_beats > 0 && !(pwv && pwr) && some(2);
    prv  <= 0;
    if (e_left > 0 && some(3)) begin
      prv    <= 1;
      prl    <= e_left == 1;
      prdata <= mem[e_from];
      prresp <= pte_bad ? 2'b10 : 2'b00;
      e_from = e_from + 1;
      e_left = e_left - 1;
    end
    if (parv && parr) begin
      e_from = 32'(paraddr[18:3]);
      e_left = 32'(parlen) + 1;
    end
    if (pwv && pwr) begin
      mem[e_to] = pwdata;
      e_to = e_to + 1;
      e_beats = e_beats - 1;
      if (pwl) e_b = e_b + 1;
    end
    if (pawv && pawr) begin
      e_to = 32'(pawaddr[18:3]);
      e_beats = 32'(pawlen) + 1;
    end
    pbv <= e_b > 0;
    if (e_b > 0) e_b = e_b - 1;
    // walks
    warr <= !wrv && !(warv && warr) && some(2);
    if (wrv && wrr) wrv <= 0;
    if (warv && warr) begin
      wrv <= 1;
      wrl <= 1;
      wrid <= warid;
      wrdata <= mem[waraddr[18:3]];
      wrresp <= walk_bad ? 2'b10 : 2'b00;
    end
  end

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

  reg [63:0] buffer [0:255];      // beats written or read
  reg [1:0]  last_resp;
  reg [3:0]  last_id;
  integer    beats;
  task automatic send_ar(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [3:0] id, input [2:0] prot);
    begin
      @(negedge clk);
      {araddr, arlen, arsize, arburst, arid, arprot} = {addr, len, size, kind, id, prot};
      arv = 1;
      @(posedge clk);
      while (arr !== 1'b1) @(posedge clk);
      #1 arv = 0;
    end
  endtask
  task automatic get_r;
    logic go;
    begin
      beats = 0;
      go = 1;
      while (go) begin
        @(negedge clk) rr = some(2);
        @(posedge clk);
        if (rv && rr) begin
          buffer[beats] = rdata;
          last_resp = rresp;
          last_id = rid;
          beats = beats + 1;
          if (rl) go = 0;
        end
        #1 rr = 0;
      end
    end
  endtask
  task automatic axi_read(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [3:0] id);
    begin
      send_ar(addr, len, size, kind, id, 3'd0);
      get_r;
      expect_eq("beats read", 64'(len) + 1, 64'(beats));
      expect_eq("RID", 64'(id), 64'(last_id));
    end
  endtask
  task automatic send_aw(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [3:0] id, input [5:0] atop);
    begin
      @(negedge clk);
      {awaddr, awlen, awsize, awburst, awid, awprot, awatop} = {addr, len, size, kind, id, 3'd0,
          atop};
      awv = 1;
      @(posedge clk);
      while (awr !== 1'b1) @(posedge clk);
      #1 awv = 0;
    end
  endtask
  task automatic send_w(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [63:0] first);
    integer i;
    reg [31:0] a;
    begin
      for (i = 0; i <= 32'(len); i = i + 1) begin
        while (some(2)) @(negedge clk);
        @(negedge clk);
        a = beat_at(32'(addr), size, kind, len, i);
        wdata = first + 64'(i);
        wstrb = 8'(((1 << (1 << size)) - 1) << ((a[2:0] >> size) << size));
        wl = i == 32'(len);
        wv = 1;
        @(posedge clk);
        while (wr !== 1'b1) @(posedge clk);
        #1 wv = 0;
      end
    end
  endtask
  task automatic get_b;
    logic go;
    begin
      go = 1;
      while (go) begin
        @(negedge clk) br = some(2);
        @(posedge clk);
        if (bv && br) begin
          last_resp = bresp;
          last_id = bid;
          go = 0;
        end
        #1 br = 0;
      end
    end
  endtask
  task automatic axi_write(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [3:0] id, input [63:0] first);
    begin
      send_aw(addr, len, size, kind, id, 6'd0);
      send_w(addr, len, size, kind, first);
      get_b;
      expect_eq("BID", 64'(id), 64'(last_id));
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
      mem[3*512 + page] = value;
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
    {awv, wv, br, arv, rr, nv, nrr, cawv, cwv, cbr, carv, crr, wl, awatop, nu, ntag, nacc, nva} = 0;
    nbusy = 0;
    {awid, awaddr, awlen, awsize, awburst, awprot, arid, araddr, arlen, arsize, arburst, arprot,
        wdata, wstrb} = 0;
    {cawaddr, cwdata, cwstrb, caraddr} = 0;
    for (i = 0; i < Words; i = i + 1) mem[i] = {32'(i), ~32'(i)};
    for (i = 512; i < 4 * 512; i = i + 1) mem[i] = 0;
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
    axi_read(40'h0004_0008, 8'd0, 3'd3, 2'd1, 4'd3);
    expect_eq("passed through", {32'h8001, ~32'h8001}, buffer[0]);

    // contexts, windows, port
    mem[512 + 1] = leaf(20'd2, 8'h01);
    mem[2*512 + 0] = leaf(20'd3, 8'h01);
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
        axi_write(40'h4000_0100 + 40'(k * 1024 + i * 256), k == 0 ? 8'd2 : 8'd7, 3'(i), 2'(k),
            4'(i), {8{8'(k * 16 + i + 1)}});
        expect_eq("BRESP", 0, 64'(last_resp));
        axi_read(40'h4000_0100 + 40'(k * 1024 + i * 256), k == 0 ? 8'd2 : 8'd7, 3'(i), 2'(k),
            4'(i + 4));
        expect_eq("RRESP", 0, 64'(last_resp));
        expect_eq("first byte read back",
            64'(k == 0 && i < 8 ? 8'(k * 16 + i + 1) + 8'd2 : 8'(k * 16 + i + 1)),
            64'(buffer[0][7:0]));
      end
    // a burst longer than the kept beats, and the largest one in a page
    axi_write(40'h4000_0000, 8'd255, 3'd3, 2'd1, 4'd1, 64'h1000);
    axi_read(40'h4000_0000, 8'd255, 3'd3, 2'd1, 4'd2);
    for (i = 0; i < 256; i = i + 1) expect_eq("word of a long burst", 64'h1000 + 64'(i), buffer[i]);
    expect_eq("word in memory", 64'h10ff, mem[64*512 + 255]);

    // a fault waits; another ID passes it, writes pass reads; then the page is mapped and RETRY is
    // written
    send_ar(40'h4000_3010, 8'd1, 3'd3, 2'd1, 4'd9, 3'd0);
    while (irq !== 1'b1) @(posedge clk);
    fault_is(gmmu_pkg::CAUSE_PF_INVALID, 64'h4000_3010, 2'd0, 1'b0);
    reg_write(REG_IRQ_STATUS, 1);
    expect_eq("irq cleared", 0, 64'(irq));
    axi_write(40'h4000_0008, 8'd0, 3'd3, 2'd1, 4'd9, 64'hbeef);
    axi_read(40'h4000_0008, 8'd0, 3'd3, 2'd1, 4'd8);
    expect_eq("read past a fault", 64'hbeef, buffer[0]);
    reg_read(REG_PORT_STATUS, v);
    expect_eq("one burst waits", 1, 64'(v[7:0]));
    pte(3, leaf(20'h44, RWU));
    reg_write(REG_RETRY, 1);
    get_r;
    expect_eq("retried read", {32'(32'h44 * 512 + 3), ~32'(32'h44 * 512 + 3)}, buffer[1]);
    expect_eq("its ID", 9, 64'(last_id));
    // a write to a read-only page: the map command retries it
    send_aw(40'h4000_1000, 8'd3, 3'd3, 2'd1, 4'd4, 6'd0);
    send_w(40'h4000_1000, 8'd3, 3'd3, 2'd1, 64'h77);
    while (irq !== 1'b1) @(posedge clk);
    fault_is(gmmu_pkg::CAUSE_PERM, 64'h4000_1000, 2'd1, 1'b1);
    reg_write(REG_IRQ_STATUS, 1);
    pte(1, leaf(20'h41, RWU));
    reg_write(REG_CMD_ASID, 2);
    reg_write(REG_CMD_FIRST_LO, 32'h4000_1000);
    reg_write(REG_CMD_LAST_LO, 32'h4000_1000);
    command(3'd2);
    get_b;
    expect_eq("BRESP after the map", 0, 64'(last_resp));
    expect_eq("written after the map", 64'h7a, mem[65*512 + 3]);
    // a read waits for a write of its bytes whose W has come, not for one that owes it; other bytes
    // pass
    pte(14, leaf(20'h4e, RU));
    send_aw(40'h4000_e020, 8'd1, 3'd3, 2'd1, 4'd4, 6'd0);
    axi_read(40'h4000_e028, 8'd0, 3'd3, 2'd1, 4'd5);
    expect_eq("read of a write that owes its W", {32'(32'h4e * 512 + 5), ~32'(32'h4e * 512 + 5)},
        buffer[0]);
    send_w(40'h4000_e020, 8'd1, 3'd3, 2'd1, 64'haa);
    while (irq !== 1'b1) @(posedge clk);
    fault_is(gmmu_pkg::CAUSE_PERM, 64'h4000_e020, 2'd1, 1'b1);
    reg_write(REG_IRQ_STATUS, 1);
    axi_read(40'h4000_e030, 8'd0, 3'd3, 2'd1, 4'd4);
    expect_eq("read beside a write that waits", {32'(32'h4e * 512 + 6), ~32'(32'h4e * 512 + 6)},
        buffer[0]);
    seen_then = 32'(served);
    send_ar(40'h4000_e028, 8'd0, 3'd3, 2'd1, 4'd5, 3'd0);
    repeat (200) @(posedge clk);
    expect_eq("a read of a write that waits is held", 64'(seen_then), 64'(served));
    pte(14, leaf(20'h4e, RWU));
    reg_write(REG_CMD_FIRST_LO, 32'h4000_e000);
    reg_write(REG_CMD_LAST_LO, 32'h4000_e000);
    command(3'd2);
    get_r;
    expect_eq("what it reads then", 64'hab, buffer[0]);
    get_b;
    // a memory error on the walk, retried by the clock
    pte(6, leaf(20'h46, RWU));
    walk_bad = 1;
    send_ar(40'h4000_6000, 8'd0, 3'd3, 2'd1, 4'd0, 3'd0);
    while (irq !== 1'b1) @(posedge clk);
    fault_is(gmmu_pkg::CAUSE_AF_MEM, 64'h4000_6000, 2'd0, 1'b0);
    walk_bad = 0;
    reg_write(REG_RETRY_CYCLES, 50);
    get_r;
    expect_eq("read after a memory error", {32'(32'h46 * 512), ~32'(32'h46 * 512)}, buffer[0]);
    reg_write(REG_RETRY_CYCLES, 0);
    reg_write(REG_IRQ_STATUS, 15);

    // where the ASID comes from: AxUSER, AxMMUSSID, AxID; privilege from AxPROT[0]
    reg_write(REG_PORT_ASID, 3);
    user = 8'h28;
    reg_write(REG_PORT_CTRL, 32'h0004_0011);
    axi_read(40'h4000_0000, 8'd0, 3'd3, 2'd1, 4'd1);
    expect_eq("ASID from AxUSER", 64'h1000, buffer[0]);
    user = 0;
    ssid = 2;
    reg_write(REG_PORT_CTRL, 32'h0000_0021);
    axi_write(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd1, 64'h5510);
    axi_read(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd1);
    expect_eq("ASID from AxMMUSSID", 64'h5510, buffer[0]);
    ssid = 0;
    reg_write(REG_PORT_CTRL, 32'h0001_0031);
    axi_read(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd4);
    expect_eq("ASID from AxID", 64'h5510, buffer[0]);
    reg_write(REG_PORT_CTRL, 32'h0001_0035);
    axi_read(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd6);
    expect_eq("unknown ASID from AxID", 2, 64'(last_resp));
    reg_write(REG_FAULT_POP, 1);
    reg_write(REG_PORT_ASID, 2);
    reg_write(REG_PORT_CTRL, 5);
    send_ar(40'h4000_0010, 8'd0, 3'd3, 2'd1, 4'd6, 3'b001);
    get_r;
    expect_eq("supervisor on a user page", 2, 64'(last_resp));
    fault_is(gmmu_pkg::CAUSE_PERM, 64'h4000_0010, 2'd0, 1'b0);
    reg_write(REG_PORT_CTRL, 1);
    reg_write(REG_IRQ_STATUS, 15);

    // fetches: page 2 may be executed, not read
    send_ar(40'h4000_2000, 8'd0, 3'd3, 2'd1, 4'd1, 3'b100);
    get_r;
    expect_eq("fetch", {32'(32'h42 * 512), ~32'(32'h42 * 512)}, buffer[0]);
    expect_eq("fetch: response", 0, 64'(last_resp));

    // error mode
    reg_write(REG_PORT_CTRL, 5);
    seen_then = 32'(served);
    axi_read(40'h4000_2000, 8'd3, 3'd3, 2'd1, 4'd7);
    expect_eq("read of an execute-only page", 2, 64'(last_resp));
    expect_eq("its data", 0, buffer[3] | buffer[0]);
    fault_is(gmmu_pkg::CAUSE_PERM, 64'h4000_2000, 2'd0, 1'b0);
    axi_write(40'h4000_4000, 8'd9, 3'd3, 2'd1, 4'd6, 64'd0);
    expect_eq("write outside the windows", 3, 64'(last_resp));
    fault_is(gmmu_pkg::CAUSE_AF_PPN_WINDOW, 64'h4000_4000, 2'd1, 1'b1);
    axi_read(40'h4000_5000, 8'd0, 3'd3, 2'd1, 4'd5);
    expect_eq("PFN outside the windows", 3, 64'(last_resp));
    fault_is(gmmu_pkg::CAUSE_AF_PPN_WINDOW, 64'h4000_5000, 2'd0, 1'b0);
    axi_read(40'h0040_0000, 8'd0, 3'd3, 2'd1, 4'd5);
    expect_eq("no table", 2, 64'(last_resp));
    fault_is(gmmu_pkg::CAUSE_PF_INVALID, 64'h0040_0000, 2'd0, 1'b0);
    // an atomic compare of two beats returns one beat of zeros and B
    send_aw(40'h4000_7000, 8'd1, 3'd3, 2'd1, 4'd3, 6'b110001);
    send_w(40'h4000_7000, 8'd1, 3'd3, 2'd1, 64'd0);
    get_r;
    expect_eq("atomic: beats", 1, 64'(beats));
    expect_eq("atomic: RRESP", 2, 64'(last_resp));
    get_b;
    expect_eq("atomic: BRESP", 2, 64'(last_resp));
    fault_is(gmmu_pkg::CAUSE_PF_INVALID, 64'h4000_7000, 2'd3, 1'b1);
    expect_eq("nothing of it reached memory", 64'(seen_then), 64'(served));
    expect_eq("AXI rules so far", 0, 64'(rules));
    // a burst over a 4 KiB boundary ends with SLVERR in any mode (and the checker of the slave side
    // sees it)
    reg_write(REG_PORT_CTRL, 1);
    $display("one AXI rule is broken on purpose:");
    axi_read(40'h4000_0ff8, 8'd1, 3'd3, 2'd1, 4'd2);
    expect_eq("crossing: RRESP", 2, 64'(last_resp));
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
    for (i = 0; i < 6; i = i + 1) axi_read(40'h4000_8000 + 40'(i * 4096), 8'd0, 3'd3, 2'd1, 4'(i));
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
    mem[35*512] = 64'h55;
    // coalesce and splinter: the frame at 0x4020_0000, leaf table in page 4, frames from 0x200
    mem[2*512 + 1] = leaf(20'd4, 8'h01);
    for (i = 0; i < 512; i = i + 1) mem[4*512 + i] = leaf(20'h200 + 20'(i), RWU);
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
    expect_eq("frame PTE", {1'b1, 63'h1001}, mem[2*512 + 1]);
    k = 0;
    for (i = 0; i < 512; i = i + 1) k = k +
        32'(mem[4*512 + i] === (leaf(20'h200 + 20'(i), RWU) | 64'h100));
    expect_eq("leaf PTEs with DIS", 512, 64'(k));
    frame_command(3'd5, 3'd5, "coalesce again");
    command(3'd0);
    native(64'h403f_fabc, 2'd1, 4'd2);
    expect_eq("last page of the coalesced frame", 64'h3ffabc, 64'(n_pa));
    frame_command(3'd6, 3'd0, "splinter");
    expect_eq("frame PTE after it", 64'h1001, mem[2*512 + 1]);
    k = 0;
    for (i = 0; i < 512; i = i + 1) k = k + 32'(mem[4*512 + i] === leaf(20'h200 + 20'(i), RWU));
    expect_eq("leaf PTEs after it", 512, 64'(k));
    reg_write(REG_CMD_FIRST_LO, 32'h4040_0000);
    frame_command(3'd5, 3'd2, "coalesce without a leaf table");
    reg_write(REG_CMD_FIRST_LO, 32'h4020_0000);
    pte_bad = 1;
    frame_command(3'd5, 3'd4, "coalesce with a memory error");
    pte_bad = 0;
    reg_write(REG_WIN_LAST_LO, 2);
    frame_command(3'd5, 3'd3, "coalesce with the leaf table outside the windows");
    expect_eq("CO, set before that was seen", {1'b1, 63'h1001}, mem[2*512 + 1]);
    command(3'd0);
    // page copy: page 0x21 to 0x22, where nothing else is
    reg_write(REG_WIN_FIRST_LO + 13'd64, 32'h20);
    for (i = 0; i < 512; i = i + 1) {mem[33*512 + i], mem[34*512 + i]} =
        {64'h0123_4567_89ab_0000 + 64'(i), 64'd0};
    reg_write(REG_CMD_FIRST_LO, 32'h2_1000);
    reg_write(REG_CMD_LAST_LO, 32'h2_2000);
    frame_command(3'd7, 3'd0, "copy a page");
    k = 0;
    for (i = 0; i < 512; i = i + 1) k = k +
        32'(mem[34*512 + i] === 64'h0123_4567_89ab_0000 + 64'(i) && mem[33*512 + i] ===
        mem[34*512 + i]);
    expect_eq("words of the copy", 512, 64'(k));
    expect_eq("the word behind it", 64'(mem[35*512] === 64'h55), 64'd1);
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
