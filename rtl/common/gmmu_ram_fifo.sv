// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_fifo: a deep queue whose storage is a synchronous-read RAM (block RAM or SRAM macro).
//
// A word pushed in cycle t is at the head of an empty queue in t+2. empty_o counts words on their
// way to the head as well. next_o: valid_o of the next cycle, outside reset. push_i may come late:
// it only chooses between counts. Overflow and underflow are forbidden (asserted). Legal: Depth >=
// 2.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_ram_fifo #(
  parameter int Width = 8,
  parameter int Depth = 16
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  output logic             valid_o,
  output logic             next_o,
  output logic [Width-1:0] data_o,
  output logic             empty_o
);
  localparam int PtrW = gmmu_pkg::idx_w(Depth);
  localparam int CntW = $clog2(Depth + 1);

  if (Depth < 2) begin : gen_bad_depth
    gmmu_ram_fifo_Depth_must_be_at_least_2 u_bad();
  end

  logic [PtrW-1:0] read_ptr_q, write_ptr_q;
  logic [CntW-1:0] count_q;   // words in the RAM, the head register not counted
  logic            head_q, load;

  assign load    = (!head_q | pop_i) & (count_q != '0);
  assign valid_o = head_q;
  assign next_o  = load | (head_q & !pop_i);
  assign empty_o = !head_q & (count_q == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_ptr_q  <= '0;
      write_ptr_q <= '0;
      count_q     <= '0;
      head_q      <= 1'b0;
    end else begin
      if (push_i) write_ptr_q <= (write_ptr_q == PtrW'(Depth - 1)) ? '0 : write_ptr_q + 1'b1;
      if (load) read_ptr_q <= (read_ptr_q == PtrW'(Depth - 1)) ? '0 : read_ptr_q + 1'b1;
      count_q <= push_i ? (load ? count_q : count_q + 1'b1) : load ? count_q - 1'b1 : count_q;
      head_q  <= next_o;
    end
  end

  gmmu_ram #(.Width(Width), .Depth(Depth)) u_ram (
    .clk_i, .we_i(push_i), .waddr_i(write_ptr_q), .wdata_i(data_i),
    .re_i(load), .raddr_i(read_ptr_q), .rdata_o(data_o)
  );

  `GMMU_ASSERT(ram_fifo_no_overflow, !(push_i && !load && count_q == CntW'(Depth)))
  `GMMU_ASSERT(ram_fifo_no_underflow, !(pop_i && !head_q))
endmodule
`default_nettype wire
