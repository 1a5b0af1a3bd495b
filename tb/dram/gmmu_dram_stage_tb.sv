// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_dram_stage and gmmu_dram_map, four-state: every request goes out once and as it
// came, order per line, no data while a translation can go, a blocked output holds. Data and
// translations use different rows here.
// Ends with "PASS ..." or "FAIL ...". +seed=N +requests=N
`timescale 1ns/1ps
`default_nettype none
module gmmu_dram_stage_tb;
  localparam int IDS = 64;
  reg         clk = 1'b0;
  reg         rst_n = 1'b0;
  reg         tv = 1'b0;
  reg         dv = 1'b0;
  reg  [2:0]  tb_ = 0;
  reg  [2:0]  db = 0;
  reg  [7:0]  trow = 0;
  reg  [7:0]  drow = 0;
  reg  [3:0]  tcol = 0;
  reg  [3:0]  dcol = 0;
  reg         twe = 1'b0;
  reg         dwe = 1'b0;
  reg  [1:0]  dapp = 0;
  reg  [7:0]  tid = 0;
  reg  [7:0]  did = 0;
  reg         epoch = 1'b0;
  reg  [23:0] con = 0;
  reg  [23:0] warps = 0;
  reg         oready = 1'b0;
  wire        tr, dr, ov, owe;
  wire [2:0]  obank;
  wire [7:0]  orow, oid;
  wire [3:0]  ocol;
`ifdef NETLIST
  gmmu_dram_stage dut (
`else
  gmmu_dram_stage #(.GoldenEntries(4), .SilverEntries(6), .NormalEntries(10), .NumApps(4), .RowW(8),
                    .ColW(4), .PayloadW(8)) dut (
`endif
    .clk_i(clk), .rst_ni(rst_n), .t_valid_i(tv), .t_ready_o(tr), .t_bank_i(tb_), .t_row_i(trow),
    .t_col_i(tcol), .t_we_i(twe), .t_payload_i(tid), .d_valid_i(dv), .d_ready_o(dr), .d_bank_i(db),
    .d_row_i(drow), .d_col_i(dcol), .d_we_i(dwe), .d_app_i(dapp), .d_payload_i(did), .apps_i(3'd4),
    .quota_max_i(10'd500), .turn_timeout_i(16'd60), .age_cap_i(16'd0), .epoch_i(epoch), .con_i(con),
    .warps_i(warps), .out_valid_o(ov), .out_ready_i(oready), .out_bank_o(obank), .out_row_o(orow),
    .out_col_o(ocol), .out_we_o(owe), .out_payload_o(oid)
  );
  // Where 0x123456789a40 lies: the numbers of docs/dram_map.md.
  wire [2:0]  mch, pch, lch;
  wire [2:0]  mbank, pbank, lbank;
  wire [29:0] mrow, prow, lrow;
  wire [5:0]  mcol, pcol, lcol;
  wire [3:0]  mport, pport;
  wire [36:0] mline, pline;
  reg  [47:6] line = 42'h48D159E269; // 0x123456789A40 >> 6
  gmmu_dram_map #(.ByPage(1'b0)) map_line (.line_i(line), .channel_o(mch), .bank_o(mbank),
      .row_o(mrow), .col_o(mcol));
  gmmu_dram_map #(.Linear(1'b1)) map_linear (.line_i(line), .channel_o(lch), .bank_o(lbank),
      .row_o(lrow), .col_o(lcol));
  gmmu_mem_map cache_line (.line_i(line[47:7]), .port_o(mport), .line_o(mline));
  gmmu_mem_map #(.ByPage(1'b1)) cache_page (.line_i(line[47:7]), .port_o(pport), .line_o(pline));
  gmmu_dram_map #(.ByPage(1'b1)) map_page (.line_i(line), .channel_o(pch), .bank_o(pbank),
      .row_o(prow), .col_o(pcol));
  always #5 clk = !clk;

  integer      seed, seed0, requests, made, done, errors, i, cycle, last;
  reg          live [0:IDS-1];
  reg  [15:0]  what [0:IDS-1];      // {translation, we, bank, row[6:0], col}
  integer      born [0:IDS-1];
  reg          held, took_t, took_d;
  reg  [23:0]  held_out;

  task fail(input [8*48-1:0] why);
    begin
      errors = errors + 1;
      if (errors < 5) $display("FAIL cycle %0d: %0s", cycle, why);
    end
  endtask

  function integer unused(input integer from);
    integer k;
    begin
      unused = -1;
      for (k = 0; k < IDS; k = k + 1) if (unused < 0 && !live[(from + k) % IDS]) unused =
          (from + k) % IDS;
    end
  endfunction

  // Hands over what was accepted, then maybe makes new requests.
  task inputs;
    integer id;
    begin
      if (took_t) tv = 1'b0;
      if (took_d) dv = 1'b0;
      id = unused({$random(seed)} % IDS);
      if (id >= 0 && made < requests && !tv && {$random(seed)} % 4 == 0) begin
        tv = 1'b1; tb_ = $random(seed); trow = {1'b1, 5'd0, 2'($random(seed))};
        tcol = {2'd0, 2'($random(seed))}; twe = {$random(seed)} % 5 == 0;
        tid = id; live[id] = 1'b1; what[id] = {1'b1, twe, tb_, trow[6:0], tcol}; born[id] = made;
        made = made + 1;
      end
      id = unused({$random(seed)} % IDS);
      if (id >= 0 && made < requests && !dv && {$random(seed)} % 2 == 0) begin
        dv = 1'b1; db = $random(seed); drow = {6'd0, 2'($random(seed))};
        dcol = {2'd0, 2'($random(seed))}; dwe = {$random(seed)} % 3 == 0;
        dapp = $random(seed); did = id; live[id] = 1'b1;
        what[id] = {1'b0, dwe, db, drow[6:0], dcol}; born[id] = made; made = made + 1;
      end
      oready = {$random(seed)} % 4 != 0;
      epoch  = {$random(seed)} % 200 == 0;
      if (epoch) begin con = $random(seed); warps = $random(seed); end
    end
  endtask

  task outputs;
    begin
      if (ov === 1'bx || tr === 1'bx || dr === 1'bx) fail("X");
      if (held && {ov, owe, obank, orow, ocol, oid} !== {1'b1, held_out})
          fail("a blocked request changed");
      took_t = tv && tr;
      took_d = dv && dr;
      held = ov && !oready;
      held_out = {owe, obank, orow, ocol, oid};
      if (ov && oready) begin
        last = cycle;
        if (^{oid, owe, obank, orow, ocol} === 1'bx) fail("X in a request");
        else if (!live[oid]) fail("a request goes out twice");
        else begin
          if (what[oid] !== {orow[7], owe, obank, orow[6:0], ocol}) fail("a request changed");
          for (i = 0; i < IDS; i = i + 1)
            if (live[i] && born[i] < born[oid] && {what[i][15], what[i][13:0]} ==
                {what[oid][15], what[oid][13:0]} && (what[i][14] || owe))
              fail("order of a line");
          live[oid] = 1'b0;
          done = done + 1;
        end
      end
`ifndef NETLIST
      // of the columns that stand ready
      for (i = 0; i < 4; i = i + 1)
        if (dut.column && dut.u_sched.u_stands.col_class < 2 && dut.u_sched.u_stands.fits[i] &&
            dut.u_sched.u_stands.head[(i+1)*dut.u_sched.u_stands.ColumnW-1]) fail(
            "data before a translation");
`endif
    end
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("requests=%d", requests)) requests = 20000;
    seed0 = seed; errors = 0; made = 0; done = 0; cycle = 0; last = 0; held = 1'b0; took_t = 1'b0;
    took_d = 1'b0;
    for (i = 0; i < IDS; i = i + 1) live[i] = 1'b0;
    #1;
    if (mch !== 3'd1 || mbank !== 3'd4 || mcol !== 6'h11 || mrow !==
        30'h48d159e) fail("map by line");
    if (pch !== 3'd1 || pbank !== 3'd5 || pcol !== 6'h19 || prow !==
        30'h48d159e) fail("map by page");
    if (lch !== 3'd2 || lbank !== 3'd3 || lcol !== 6'h11 || lrow !==
        30'h48d159e) fail("map without hashes");
    if (mport !== 4'd3 || mline !== 37'h2468acf13) fail("cache bank by line");
    if (pport !== 4'd2 || pline !== 37'h2468acf1a) fail("cache bank by page");
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    while (done < requests && errors < 5 && cycle - last < 5000) begin
      inputs;
      #1 outputs;
      @(negedge clk);
      cycle = cycle + 1;
    end
    if (cycle - last >= 5000) $display("FAIL: nothing goes out, %0d of %0d", done, requests);
    else if (errors == 0) $display("PASS gmmu_dram_stage: %0d requests in %0d cycles, seed %0d",
        done, cycle, seed0);
    else $display("FAIL gmmu_dram_stage: %0d errors, seed %0d", errors, seed0);
    $finish;
  end
endmodule
`default_nettype wire
