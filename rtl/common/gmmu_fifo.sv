// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo: first-in first-out queue of Depth words, head readable at once.
//
// A word pushed in cycle t is at the head of an empty queue in t+1. Pushing a full queue and
// popping an empty one are forbidden (asserted); callers know by count_o. Storage is a small
// register file. Late=1: push_i may come late, as the place behind the last word is written in
// every cycle in which there is room. Head=1: data_o is a register, read a word ahead or written
// with what is pushed, in the same cycles. Legal: Depth >= 1, Late and Head 0 or 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_fifo #(
  parameter int Width = 8,
  parameter int Depth = 4,
  parameter int Late  = 0,
  parameter int Head  = 0,
  localparam int CntW = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  output logic [CntW-1:0]  count_o
);
  localparam int PtrW = gmmu_pkg::idx_w(Depth);

  if (Depth < 1) begin : gen_bad_depth
    gmmu_fifo_Depth_must_be_at_least_1 u_bad();
  end

  logic [Width-1:0] mem [0:Depth-1];
  logic [PtrW-1:0]  read_ptr_q, write_ptr_q;
  logic [CntW-1:0]  count_q;

  assign valid_o = count_q != '0;
  assign count_o = count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_ptr_q  <= '0;
      write_ptr_q <= '0;
      count_q     <= '0;
    end else begin
      if (push_i) write_ptr_q <= (write_ptr_q == PtrW'(Depth - 1)) ? '0 : write_ptr_q + 1'b1;
      if (pop_i) read_ptr_q <= (read_ptr_q == PtrW'(Depth - 1)) ? '0 : read_ptr_q + 1'b1;
      if (push_i & !pop_i) count_q <= count_q + 1'b1;
      if (pop_i & !push_i) count_q <= count_q - 1'b1;
    end
  end
  logic write;
  assign write = Late != 0 ? count_q != CntW'(Depth) : push_i;
  always_ff @(posedge clk_i) if (write) mem[write_ptr_q] <= data_i;

  if (Head != 0) begin : gen_head
    logic             more_q, load;   // a word stands behind the head; the head's is another next
    logic [PtrW-1:0]  next_ptr_q;     // its place
    logic [Width-1:0] head, head_q;
    assign load = pop_i | (count_q == '0);
    assign head = more_q ? mem[next_ptr_q] : data_i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        next_ptr_q <= PtrW'(Depth > 1 ? 1 : 0);
        more_q     <= 1'b0;
      end else begin
        if (pop_i) next_ptr_q <= (next_ptr_q == PtrW'(Depth - 1)) ? '0 : next_ptr_q + 1'b1;
        more_q <= (push_i & !pop_i) ? count_q != '0 : 32'(count_q) > ((pop_i & !push_i) ? 2 : 1);
      end
    end
    gmmu_clkgate #(.Width(Width)) u_head (.clk_i, .en_i(load), .d_i(head), .q_o(head_q));
    assign data_o = head_q;
  end else begin : gen_read
    assign data_o = mem[read_ptr_q];
  end

  `GMMU_ASSERT(fifo_no_overflow, !(push_i && count_q == CntW'(Depth)))
  `GMMU_ASSERT(fifo_no_underflow, !(pop_i && count_q == '0))
endmodule
`default_nettype wire
