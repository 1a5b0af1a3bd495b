// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_answer_queue: answer queue of one port of an L2 cache bank: in order, each word no
// earlier than Delay + 1 cycles after its push. The caller promises room (asserted in gmmu_fifo).
// Legal: Slots >= 1, Delay >= 0.
`default_nettype none
module gmmu_cache_answer_queue #(
  parameter int Width = 8,
  parameter int Slots = 16,
  parameter int Delay = 6,
  localparam int CntW = $clog2(Slots + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,     // only with ripe_o
  output logic             ripe_o,
  output logic [Width-1:0] data_o
);
  logic [CntW-1:0] ripe_q;
  logic            ripens;
  gmmu_fifo #(.Width(Width), .Depth(Slots)) u_fifo (
    .clk_i, .rst_ni, .push_i, .data_i, .pop_i, .valid_o(), .data_o, .count_o()
  );
  if (Delay == 0) begin : gen_now
    assign ripens = push_i;
  end else begin : gen_later
    logic [Delay-1:0] way_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) way_q <= '0;
      else way_q <= Delay'({way_q, push_i});
    end
    assign ripens = way_q[Delay-1];
  end
  assign ripe_o = ripe_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ripe_q <= '0;
    else ripe_q <= ripe_q + CntW'(ripens) - CntW'(pop_i);
  end
endmodule
`default_nettype wire
