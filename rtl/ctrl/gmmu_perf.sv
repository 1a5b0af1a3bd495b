// SPDX-License-Identifier: Apache-2.0
// gmmu_perf: performance counters. docs/regs.md
//
// Counter c adds add_i[c*8 +: 8] each cycle. A snapshot copies all counters at one edge; clear restarts them at that edge with
// what the cycle adds, so that successive snapshots with clear add up to the true count. Counters wrap. Legal: Width 33..64.
`default_nettype none
module gmmu_perf #(
  parameter int Counters = 10,
  parameter int Width    = 48
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [Counters*8-1:0]     add_i,
  input  logic                      snap_i,
  input  logic                      clear_i,
  output logic [Counters*Width-1:0] value_o   // as of the last snapshot
);
  if (Width < 33 || Width > 64) begin : gen_bad_width
    gmmu_perf_Width_must_be_33_to_64 u_bad();
  end
  for (genvar c = 0; c < Counters; c++) begin : gen_counter
    logic [Width-1:0] now_q, shown_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        now_q   <= '0;
        shown_q <= '0;
      end else begin
        now_q <= (clear_i ? '0 : now_q) + Width'(add_i[c*8 +: 8]);
        if (snap_i) shown_q <= now_q;
      end
    end
    assign value_o[c*Width +: Width] = shown_q;
  end
endmodule
`default_nettype wire
