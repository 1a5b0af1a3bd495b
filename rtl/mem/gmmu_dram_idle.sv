// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_idle: which banks of a DRAM channel no request is for, of those in the queues and on
// their way to them. Rules: docs/dram_sched.md.
//
// put_at_i, one bank's bit or none, comes late. Legal: at most Requests at a time.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_idle #(
  parameter int Requests = 272,
  localparam int CntW    = $clog2(Requests + 1)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] put_at_i,
  input  logic       left_i,
  input  logic [2:0] left_bank_i,
  output logic [7:0] idle_o
);
  logic [8*CntW-1:0] count_q;
  logic [7:0]        at_left, none;
  assign at_left = (8'd1 << left_bank_i) & {8{left_i}};
  for (genvar b = 0; b < 8; b++) begin : gen_bank
    logic [CntW-1:0] fewer;
    assign fewer = count_q[b*CntW +: CntW] - CntW'(at_left[b]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        count_q[b*CntW +: CntW] <= '0;
        idle_o[b] <= 1'b1;
      end else begin
        count_q[b*CntW +: CntW] <= put_at_i[b] ? fewer + 1'b1 : fewer;
        idle_o[b] <= !put_at_i[b] && fewer == '0;
      end
    end
    assign none[b] = count_q[b*CntW +: CntW] == '0;
  end

  `GMMU_ASSERT(dram_idle_left, (at_left & idle_o) == '0)
  `GMMU_ASSERT(dram_idle_none, idle_o == none)
endmodule
`default_nettype wire
