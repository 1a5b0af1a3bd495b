// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_list: the waiters of each miss register of one L1 TLB, in order of arrival, and whose
// turn it is of the register that is drained. Rules: docs/l1_tlb.md.
//
// A waiter is named by its request tag, so the lists are one "next" word per tag and never
// overflow. The last waiter of what is drained is known in a register: that it is answered decides
// what is answered next. Legal: Mshrs >= 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l1tlb_list #(
  parameter int Mshrs = 32,
  parameter int TagW  = 8,
  localparam int IdxW = gmmu_pkg::idx_w(Mshrs)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // miss stage
  input  logic [TagW-1:0]  tag_i,
  input  logic             first_i,       // perhaps the first waiter of free_idx_i: alloc_i says it
  input  logic             alloc_i,
  input  logic [IdxW-1:0]  free_idx_i,
  input  logic             merge_i,       // one more of match_idx_i, which is found_i
  input  logic [Mshrs-1:0] found_i,       // one-hot, or 0 without merge_i
  input  logic [IdxW-1:0]  match_idx_i,
  // drain
  input  logic             load_i,        // load_idx_i is drained from the next cycle on
  input  logic [IdxW-1:0]  load_idx_i,
  input  logic             valid_i,       // mshr_i is drained
  input  logic [IdxW-1:0]  mshr_i,
  input  logic             joined_i,      // and has one more waiter, of the miss stage
  input  logic             pop_i,         // tag_o is answered
  input  logic             back_i,        // it is drained no more, and goes on with tag_o later
  output logic [TagW-1:0]  tag_o,         // whose turn it is
  output logic             last_o         // the last one, but for who joins in this cycle
);
  localparam int Tags = 1 << TagW;
  logic [TagW-1:0] head_q [0:Mshrs-1];
  logic [TagW-1:0] tail_q [0:Mshrs-1];
  logic [TagW-1:0] next_q [0:Tags-1];
  logic [TagW-1:0] tag_q, end_q, match_tail;
  always_comb begin
    match_tail = '0;
    if (`GMMU_ANY(found_i)) begin
      for (int i = 0; i < Mshrs; i++) if (found_i[i]) match_tail = match_tail | tail_q[i];
    end
  end
  assign tag_o  = tag_q;
  assign last_o = tag_q == end_q;
  always_ff @(posedge clk_i) begin
    if (first_i) head_q[free_idx_i] <= tag_i;
    if (back_i) head_q[mshr_i] <= tag_q;
    if (alloc_i) tail_q[free_idx_i] <= tag_i;
    else if (merge_i) tail_q[match_idx_i] <= tag_i;
    if (merge_i) next_q[match_tail] <= tag_i;
    if (load_i) tag_q <= head_q[load_idx_i];
    else if (pop_i) tag_q <= last_o ? tag_i : next_q[tag_q];
    if (load_i) end_q <= found_i[load_idx_i] ? tag_i : tail_q[load_idx_i];
    else if (joined_i) end_q <= tag_i;
  end

  `GMMU_ASSERT(l1_list_end_is_so, !valid_i || end_q == tail_q[mshr_i])
endmodule
`default_nettype wire
