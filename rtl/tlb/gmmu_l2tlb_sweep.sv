// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_sweep: the L2 TLB's part of an invalidation: offers its sets one by one to stage 0,
// waits until the last one and the large ways are through, then drains the answers decided before.
// Cycles: docs/l2_tlb.md, "Timing".
`default_nettype none
module gmmu_l2tlb_sweep #(
  parameter int Sets    = 32,
  parameter int Latency = 10,
  localparam int SetW   = gmmu_pkg::idx_w(Sets)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            start_i,
  output logic            sets_o,       // a set is offered: set_o
  output logic [SetW-1:0] set_o,
  input  logic            take_i,       // stage 0 takes it
  input  logic            busy_i,       // stages A and B or the large ways are not through
  input  logic [2:0]      answers_i,    // in the answer queue
  input  logic            freed_i,      // one of them leaves
  output logic            done_o
);
  localparam int DrainW = gmmu_pkg::idx_w(Latency + 1);
  logic              sweeping_q, draining_q, sweep_sets_q, sweep_end;
  logic [SetW-1:0]   sweep_set_q;
  logic [DrainW-1:0] drain_q;
  logic [2:0]        old_q;    // entries of the answer queue that were there when the drain began
  assign sets_o    = sweep_sets_q;
  assign set_o     = sweep_set_q;
  assign sweep_end = sweeping_q & !sweep_sets_q & !busy_i;
  assign done_o    = draining_q & drain_q == '0 & old_q == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweep_sets_q <= 1'b0;
      sweeping_q   <= 1'b0;
      draining_q   <= 1'b0;
      sweep_set_q  <= '0;
      drain_q      <= '0;
      old_q        <= '0;
    end else begin
      if (start_i) begin
        sweep_sets_q <= 1'b1;
        sweeping_q   <= 1'b1;
        sweep_set_q  <= '0;
      end else begin
        if (take_i) begin
          sweep_sets_q <= sweep_set_q != SetW'(Sets - 1);
          sweep_set_q  <= sweep_set_q + 1'b1;
        end
        if (sweep_end) sweeping_q <= 1'b0;
      end
      if (sweep_end) begin
        draining_q <= 1'b1;
        drain_q    <= DrainW'(Latency);
        old_q      <= answers_i - 3'(freed_i);
      end else begin
        if (done_o) draining_q <= 1'b0;
        if (drain_q != '0) drain_q <= drain_q - 1'b1;
        if (old_q != '0 & freed_i) old_q <= old_q - 1'b1;
      end
    end
  end
endmodule
`default_nettype wire
