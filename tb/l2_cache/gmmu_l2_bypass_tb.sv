// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_l2_bypass: the numbers of docs/l2_bypass.md by hand, four-state. Ends with "PASS
// ..." or "FAIL ...".
`timescale 1ns/1ps
`default_nettype none
module gmmu_l2_bypass_tb;
  reg          clk = 1'b0;
  reg          rst_n = 1'b0;
  reg          epoch = 1'b0;
  reg  [3:0]   acc = '0;
  reg  [3:0]   hit = '0;
  reg  [11:0]  depth = '0;
  wire [7:0]   bypass;
  wire [255:0] obs;
  gmmu_l2_bypass #(.Banks(4)) dut (.clk_i(clk), .rst_ni(rst_n), .epoch_i(epoch), .access_i(acc),
      .hit_i(hit), .depth_i(depth),
                                   .bypass_o(bypass), .obs_o(obs));
  always #5 clk = !clk;
  integer errors, i, d, depths;

  task expect_counts(input integer d, input integer a, input integer h, input [8*40-1:0] what);
    begin
      if (obs[d*32 +: 16] !== a || obs[d*32+16 +: 16] !== h) begin
        errors = errors + 1;
        $display("FAIL %0s: depth %0d has %0d of %0d, expected %0d of %0d", what, d,
            obs[d*32+16 +: 16], obs[d*32 +: 16], h, a);
      end
    end
  endtask
  task expect_bypass(input [7:0] want, input [8*40-1:0] what);
    begin
      // every depth is decided within seven turns of 18 cycles, and one that had just begun
      repeat (8 * 18) @(negedge clk);
      if (bypass !== want) begin
        errors = errors + 1;
        $display("FAIL %0s: bypass %b, expected %b", what, bypass, want);
      end
    end
  endtask
  // n accesses of depth d, of which h hit, from bank b.
  task one_bank(input integer b, input integer d, input integer n, input integer h);
    begin
      for (i = 0; i < n; i = i + 1) begin
        acc = 4'd1 << b;
        hit = i < h ? acc : 4'd0;
        depth = 12'(d) << (3 * b);
        @(negedge clk);
      end
      acc = '0;
      hit = '0;
    end
  endtask

  initial begin
    errors = 0;
    if (!$value$plusargs("depths=%d", depths)) depths = 8;   // whose counters are filled
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    one_bank(0, 0, 63, 63);
    one_bank(1, 4, 64, 0);
    expect_bypass(8'h00, "63 accesses of data are too few");
    one_bank(2, 0, 1, 1);
    expect_bypass(8'h10, "depth 4 hits never");
    one_bank(3, 3, 63, 0);
    expect_bypass(8'h10, "63 accesses of depth 3 are too few");
    one_bank(3, 3, 1, 0);
    expect_bypass(8'h18, "depth 3 hits never");
    one_bank(0, 0, 64, 0);   // data: 64 of 128
    one_bank(1, 2, 128, 64); // the same rate
    expect_bypass(8'h18, "the same rate as data does not bypass");
    one_bank(1, 2, 1, 0);
    expect_bypass(8'h1c, "one hit less does");
    expect_counts(0, 128, 64, "data");
    expect_counts(2, 129, 64, "depth 2");
    epoch = 1'b1;
    acc = 4'hf;
    @(negedge clk);
    epoch = 1'b0;
    acc = '0;
    expect_counts(0, 0, 0, "after the epoch");
    expect_bypass(8'h00, "after the epoch");
    // four a cycle, three of them hits: 65,532 of each depth, then the next four halve both
    acc = 4'hf;
    hit = 4'h7;
    for (d = 0; d < depths; d = d + 1) begin
      depth = {4{3'(d)}};
      repeat (16383) @(negedge clk);
    end
    acc = '0;
    hit = '0;
    for (d = 0; d < depths; d = d + 1) expect_counts(d, 65532, 49149, "before the overflow");
    expect_bypass(8'h00, "the same rate, all counters full");
    acc = 4'hf;
    hit = 4'hf;
    depth = '0;
    @(negedge clk);
    acc = '0;
    hit = '0;
    expect_counts(0, 32770, 24578, "halved, data");
    expect_bypass(8'((9'd1 << depths) - 9'd2), "data hit more often, by one in 32,770");
    acc = 4'hf;
    hit = 4'h7;
    for (d = 1; d < depths; d = d + 1) begin
      depth = {4{3'(d)}};
      @(negedge clk);
      expect_counts(d, 32770, 24577, "halved");
    end
    acc = '0;
    hit = '0;
    epoch = 1'b1;
    @(negedge clk);
    epoch = 1'b0;
    for (d = 0; d < depths; d = d + 1) expect_counts(d, 0, 0, "after another epoch");
    // all four in different depths
    acc = 4'hf;
    hit = 4'h8;
    depth = {3'd7, 3'd6, 3'd5, 3'd0};
    @(negedge clk);
    acc = '0;
    expect_counts(7, 1, 1, "bank 3");
    expect_counts(6, 1, 0, "bank 2");
    expect_counts(0, 1, 0, "bank 0");
    if (errors == 0) $display("PASS gmmu_l2_bypass");
    $finish;
  end
endmodule
`default_nettype wire
