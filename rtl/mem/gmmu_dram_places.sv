// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_places: the places of one of the queues of a DRAM channel: is one free? Rules:
// docs/dram_sched.md.
//
// put_i comes late. Legal: Places 1..1023.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_places #(
  parameter int Places = 64,
  localparam int CntW  = $clog2(Places + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic put_i,
  input  logic left_i,
  output logic room_next_o, // of the next cycle
  output logic room_o
);
  logic [CntW-1:0] count_q, fewer;
  logic            one_left;   // once one has left, the next one takes the last place
  assign fewer    = count_q - CntW'(left_i);
  assign one_left = count_q == (left_i ? CntW'(Places) : CntW'(Places - 1));
  assign room_next_o = put_i ? !one_left : room_o || left_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      room_o  <= 1'b1;
    end else begin
      count_q <= put_i ? fewer + 1'b1 : fewer;
      room_o  <= room_next_o;
    end
  end

  `GMMU_ASSERT(dram_places_room, room_o == (count_q != CntW'(Places)))
  `GMMU_ASSERT(dram_places_put, !put_i || room_o)
endmodule
`default_nettype wire
