// SPDX-License-Identifier: Apache-2.0
// gmmu_page_copy_tb: one page copied by gmmu_page_copy from a memory that reads and writes at the
// same time and answers Latency cycles after a burst was asked for or written; every word, and the
// cycles it took (docs/page_copy.md).
`timescale 1ns/1ps
`default_nettype none
module gmmu_page_copy_tb;
  parameter int Latency = 1;
  reg         clk = 1'b0, rst_n = 1'b0, start = 1'b0, rv = 1'b0, bv = 1'b0;
  wire        ready, done, awv, wv, wl, arv, rr, br;
  wire [2:0]  result;
  wire [47:0] awa, ara;
  wire [63:0] wd;
  reg  [63:0] rd = '0;
  reg  [63:0] mem [0:8191];      // 16 pages
  reg  [47:0] ask_at [0:15];
  integer     ask_due [0:15];
  integer     b_due [0:15];
  integer     r_head = 0, r_tail = 0, b_head = 0, b_tail = 0, beat = 0, w_at = 0, cycle = 0,
      begun = 0, i, errors = 0;
  always #5 clk = !clk;
  gmmu_page_copy #(.NumWindows(1)) dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(start), .ready_o(ready), .from_i(36'd5), .to_i(36'd9),
    .done_o(done), .result_o(result), .win_lo_i(36'd0), .win_hi_i(36'd15), .win_data_i(1'b1),
    .awvalid_o(awv), .awready_i(1'b1), .awaddr_o(awa), .wvalid_o(wv), .wready_i(1'b1), .wdata_o(wd),
    .wlast_o(wl), .bvalid_i(bv), .bready_o(br), .bresp_i(2'b00), .arvalid_o(arv), .arready_i(1'b1),
    .araddr_o(ara), .rvalid_i(rv), .rready_o(rr), .rdata_i(rd), .rresp_i(2'b00)
  );
  always @(posedge clk) begin
    cycle <= cycle + 1;
    rv <= 1'b0;
    bv <= 1'b0;
    if (r_head != r_tail && cycle >= ask_due[r_head % 16]) begin
      rv <= 1'b1;
      rd <= mem[13'(ask_at[r_head % 16] >> 3) + 13'(beat)];
      beat = beat + 1;
      if (beat == 32) begin
        beat = 0;
        r_head = r_head + 1;
      end
    end
    if (arv) begin
      ask_at[r_tail % 16] = ara;
      ask_due[r_tail % 16] = cycle + Latency;
      r_tail = r_tail + 1;
    end
    if (b_head != b_tail && cycle >= b_due[b_head % 16]) begin
      bv <= 1'b1;
      b_head = b_head + 1;
    end
    // not after the first W of its burst, and the burst before is complete
    if (awv) w_at = 32'(awa >> 3);
    if (wv) begin
      mem[w_at[12:0]] = wd;
      w_at = w_at + 1;
      if (wl) begin
        b_due[b_tail % 16] = cycle + Latency;
        b_tail = b_tail + 1;
      end
    end
    if (done) begin
      for (i = 0; i < 8192; i = i + 1)
        if (mem[i] !== 64'hc0de_0000 + 64'(i / 512 == 9 ? i - 4 * 512 : i)) errors = errors + 1;
      if (result !== 3'd0) errors = errors + 1;
      $display("%0s latency %0d: %0d cycles, result %0d, %0d words differ",
          errors == 0 ? "PASS" : "FAIL", Latency, cycle - begun, result, errors);
      $finish(0);
    end
    if (cycle > 20000) begin
      $display("FAIL latency %0d: no end; AR %b R %b AW %b W %b B %b", Latency, arv, rv, awv, wv,
          bv);
      $finish(0);
    end
  end
  initial begin
    for (i = 0; i < 8192; i = i + 1) mem[i] = 64'hc0de_0000 + 64'(i);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    start = 1'b1;
    begun = cycle;
    @(negedge clk) start = 1'b0;
  end
endmodule
`default_nettype wire
