// SPDX-License-Identifier: Apache-2.0
// gmmu_peek_fifo: first-in first-out queue of four words whose head, or the word behind it, can be
// looked at: for a pipeline that looks at the next word while the head is not decided.
//
// A word pushed in cycle t can be seen in t+1. ready_o and the words depend on state and peek_i
// only. Popping an empty queue is forbidden (asserted).
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
  output logic [Width-1:0] head_o,
  input  logic             peek_i,     // next_o is the word behind the head, else the head
  output logic             next_valid_o,
  output logic [Width-1:0] next_o,
  input  logic             pop_i
);
  logic [Width-1:0] mem [0:3];
  logic [1:0]       read_ptr_q, write_ptr_q, next;
  logic [2:0]       count_q;
  logic             push;
  assign ready_o      = !count_q[2];
  assign push         = valid_i && ready_o;
  assign next         = read_ptr_q + 2'(peek_i);
  assign next_valid_o = count_q > 3'(peek_i);
  assign head_o       = mem[read_ptr_q];
  assign next_o       = mem[next];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_ptr_q  <= '0;
      write_ptr_q <= '0;
      count_q     <= '0;
    end else begin
      read_ptr_q  <= read_ptr_q + 2'(pop_i);
      write_ptr_q <= write_ptr_q + 2'(push);
      count_q     <= count_q + 3'(push) - 3'(pop_i);
    end
  end
  always_ff @(posedge clk_i) if (push) mem[write_ptr_q] <= data_i;

  `GMMU_ASSERT(peek_fifo_no_underflow, !(pop_i && count_q == '0))
endmodule
`default_nettype wire
