// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo2: first-in first-out queue that takes up to two words a cycle (the first before the
// second) and gives one.
//
// push_i may come late: with room, the place behind the last word is written in every cycle. Head
// readable at once; pushing when full and popping when empty are forbidden (asserted). Legal:
// Depth >= 2.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_fifo2 #(
  parameter int Width = 8,
  parameter int Depth = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             push2_i,     // only with push_i
  input  logic [Width-1:0] data2_i,
  input  logic             pop_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o
);
  localparam int PtrW = gmmu_pkg::idx_w(Depth);
  localparam int CntW = $clog2(Depth + 1);

  if (Depth < 2) begin : gen_bad_depth
    gmmu_fifo2_Depth_must_be_at_least_2 u_bad();
  end

  logic [Width-1:0] mem [0:Depth-1];
  logic [PtrW-1:0]  head_q, tail_q, tail1;
  logic [CntW-1:0]  count_q;

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] p);
    begin
      after = p == PtrW'(Depth - 1) ? '0 : p + 1'b1;
    end
  endfunction

  assign tail1   = after(tail_q);
  assign valid_o = count_q != '0;
  assign data_o  = mem[head_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push_i) tail_q <= push2_i ? after(tail1) : tail1;
      if (pop_i) head_q <= after(head_q);
      count_q <= count_q + CntW'(push_i) + CntW'(push2_i) - CntW'(pop_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (count_q != CntW'(Depth) | pop_i) mem[tail_q] <= data_i;
    if (push2_i) mem[tail1] <= data2_i;
  end

  `GMMU_ASSERT(fifo2_no_overflow, !(push_i && 32'(count_q) + 32'(push2_i) >= Depth + 32'(pop_i)))
  `GMMU_ASSERT(fifo2_no_underflow, !(pop_i && count_q == '0))
  `GMMU_ASSERT(fifo2_second_after_first, !(push2_i && !push_i))
endmodule
`default_nettype wire
