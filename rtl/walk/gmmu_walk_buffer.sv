// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_buffer: walks that wait for a slot, in order of arrival; the oldest one whose
// application may start is offered. Each MSHR has at most one walk here, so Depth = number of MSHRs
// never overflows.
// A walk pushed in cycle t is offered from t+1 on. Source: MASK section 6 (64-entry walk buffer).
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_walk_buffer #(
  parameter int Depth    = 64,
  parameter int NumAsids = 8,
  parameter int AsidW    = 9,
  parameter int KeyW     = 36,
  localparam int IdxW    = gmmu_pkg::idx_w(Depth)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                push_i,
  input  logic [IdxW-1:0]     push_mshr_i,
  input  logic [AsidW-1:0]    push_asid_i,
  input  logic [KeyW-1:0]     push_walk_key_i,
  input  logic [NumAsids-1:0] may_i,
  output logic                valid_o,
  output logic [IdxW-1:0]     mshr_o,
  output logic [AsidW-1:0]    asid_o,
  output logic [KeyW-1:0]     walk_key_o,
  output logic                waited_o,   // offered walk was here before this cycle's newest
  input  logic                pop_i
);
  localparam int CntW = $clog2(Depth + 1);
  localparam int CtxW = gmmu_pkg::idx_w(NumAsids);
  localparam int OrdW = Depth * IdxW;
  localparam int N    = Depth;
  `include "gmmu_first.svh"

  logic [OrdW-1:0]  order_q, order_d, low;   // MSHR numbers, oldest lowest
  logic [CntW-1:0]  count_q, end_pos;
  logic             fresh_q;                 // the youngest came in last cycle
  logic [IdxW-1:0]  pos;
  logic [AsidW-1:0] asid_q [0:Depth-1];      // by MSHR
  logic [KeyW-1:0]  walk_key_q  [0:Depth-1];

  // Which places hold a walk that may start?
  logic [Depth-1:0] ready;
  for (genvar i = 0; i < Depth; i++) begin : gen_place
    logic [IdxW-1:0]  m;
    logic [AsidW-1:0] a;
    assign m        = order_q[i*IdxW +: IdxW];
    assign a        = asid_q[m];
    assign ready[i] = CntW'(i) < count_q & may_i[CtxW'(a)];
  end
  assign valid_o    = |ready;
  assign pos        = valid_o ? index(first(ready)) : '0;
  assign mshr_o     = order_q[pos*IdxW +: IdxW];
  assign asid_o     = asid_q[mshr_o];
  assign walk_key_o = walk_key_q[mshr_o];
  assign waited_o   = !(fresh_q & CntW'(pos) + 1'b1 == count_q);

  // Close the gap that the started walk leaves, then append.
  assign end_pos = count_q - CntW'(pop_i);
  always_comb begin
    order_d = order_q;
    low     = '0;
    if (pop_i) begin
      low     = (OrdW'(1) << (pos * IdxW)) - 1'b1;
      order_d = (order_q & low) | (OrdW'({{IdxW{1'b0}}, order_q} >> IdxW) & ~low);
    end
    if (push_i) order_d[IdxW'(end_pos)*IdxW +: IdxW] = push_mshr_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      fresh_q <= 1'b0;
    end else begin
      fresh_q <= push_i;
      if (push_i & !pop_i) count_q <= count_q + 1'b1;
      if (pop_i & !push_i) count_q <= count_q - 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (push_i | pop_i) order_q <= order_d;
    if (push_i) begin
      asid_q[push_mshr_i]     <= push_asid_i;
      walk_key_q[push_mshr_i] <= push_walk_key_i;
    end
  end

  `GMMU_ASSERT(walk_buffer_no_overflow, !(push_i && !pop_i && count_q == CntW'(Depth)))
endmodule
`default_nettype wire
