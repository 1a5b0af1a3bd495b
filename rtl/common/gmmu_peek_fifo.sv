// SPDX-License-Identifier: Apache-2.0
// gmmu_peek_fifo: first-in first-out queue of four words for a pipeline: words are taken one after
// the other, and leave, in order, when the pipeline has served them. One that it cannot serve
// stays, and all that were taken are taken again (again_i).
//
// A word pushed in cycle t can be taken (next_o) in t+1. head_o: the oldest; last_o: the one that
// left in the cycle before. ready_o, left_o and the words depend on state only; again_i and pop_i
// may come late. Taking more than there are, popping what was not taken, and again_i with pop_i are
// forbidden (asserted).
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_peek_fifo #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             left_o,     // there is one that was not taken
  output logic [Width-1:0] next_o,     // the oldest of these
  input  logic             take_i,
  output logic [Width-1:0] head_o,
  input  logic             pop_i,
  input  logic             again_i,    // goes before take_i
  output logic [Width-1:0] last_o
);
  logic [Width-1:0] mem [0:3];
  logic [1:0]       read_ptr_q, take_ptr_q, write_ptr_q, last_ptr_q;
  logic [2:0]       count_q, left_q, count;
  logic             push;
  assign ready_o = !count_q[2];
  assign push    = valid_i && ready_o;
  assign left_o  = left_q != '0;
  assign next_o  = mem[take_ptr_q];
  assign head_o  = mem[read_ptr_q];
  assign last_o  = mem[last_ptr_q];
  assign count   = count_q + 3'(push);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_ptr_q  <= '0;
      take_ptr_q  <= '0;
      write_ptr_q <= '0;
      count_q     <= '0;
      left_q      <= '0;
    end else begin
      read_ptr_q  <= read_ptr_q + 2'(pop_i);
      take_ptr_q  <= again_i ? read_ptr_q : take_ptr_q + 2'(take_i);
      write_ptr_q <= write_ptr_q + 2'(push);
      count_q     <= count - 3'(pop_i);
      left_q      <= again_i ? count : left_q + 3'(push) - 3'(take_i);
    end
  end
  always_ff @(posedge clk_i) begin
    last_ptr_q <= read_ptr_q;
    if (push) mem[write_ptr_q] <= data_i;
  end

  `GMMU_ASSERT(peek_fifo_no_underflow, !(pop_i && count_q == left_q))
  `GMMU_ASSERT(peek_fifo_takes_one, !(take_i && !again_i && left_q == '0))
  `GMMU_ASSERT(peek_fifo_stays, !(pop_i && again_i))
endmodule
`default_nettype wire
