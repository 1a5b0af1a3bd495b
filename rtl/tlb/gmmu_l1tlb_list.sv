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
  input  logic [Mshrs-1:0] first_i,       // whose first waiter it may be, free; one-hot or 0
  input  logic             merge_i,       // one more of found_i
  input  logic [Mshrs-1:0] found_i,       // one-hot, or 0 without merge_i
  // drain
  input  logic             load_i,        // load_hot_i is drained from the next cycle on
  input  logic [Mshrs-1:0] load_hot_i,
  input  logic             valid_i,       // mshr_i is drained
  input  logic [IdxW-1:0]  mshr_i,
  input  logic             joined_i,      // and has one more waiter, of the miss stage
  input  logic             pop_i,         // tag_o is answered
  input  logic             back_i,        // it is drained no more, and goes on with tag_o later
  output logic [TagW-1:0]  tag_o,         // whose turn it is
  output logic             last_o         // the last one, but for who joins in this cycle
);
  localparam int Tags = 1 << TagW;
  localparam int N    = Mshrs;
  `include "gmmu_first.svh"
  (* mem2reg *) logic [TagW-1:0] head_q [0:Mshrs-1];    // as in gmmu_tlb_cam
  (* mem2reg *) logic [TagW-1:0] tail_q [0:Mshrs-1];
  logic [TagW-1:0] next_q [0:Tags-1];
  logic [TagW-1:0] tag_q, end_q, match_tail;
  logic [TagW-1:0] load_head, load_tail;
`ifdef VERILATOR
  // the same by number: nobody asks for that of none
  assign {load_head, load_tail} = {head_q[index(load_hot_i)], tail_q[index(load_hot_i)]};
  assign match_tail             = tail_q[index(found_i)];
`else
  // by miss register: {first, last} waiter
  logic [Mshrs*2*TagW-1:0] ends;
  logic [TagW-1:0]         unused_head;
  for (genvar i = 0; i < Mshrs; i++) begin : gen_ends
    assign ends[i*2*TagW +: 2*TagW] = {head_q[i], tail_q[i]};
  end
  gmmu_hot_mux #(.N(Mshrs), .Width(2 * TagW)) u_load (
    .hot_i(load_hot_i), .words_i(ends), .word_o({load_head, load_tail})
  );
  gmmu_hot_mux #(.N(Mshrs), .Width(2 * TagW)) u_match (
    .hot_i(found_i), .words_i(ends), .word_o({unused_head, match_tail})
  );
`endif
  assign tag_o  = tag_q;
  assign last_o = tag_q == end_q;
  always_ff @(posedge clk_i) begin
    if (merge_i) next_q[match_tail] <= tag_i;
    if (load_i) tag_q <= load_head;
    else if (pop_i) tag_q <= last_o ? tag_i : next_q[tag_q];
    if (load_i) end_q <= |(found_i & load_hot_i) ? tag_i : load_tail;
    else if (joined_i) end_q <= tag_i;
  end
`ifdef VERILATOR
  logic [IdxW-1:0] head_at, tail_at;
  assign {head_at, tail_at} = {index(first_i), index(found_i)};
  always_ff @(posedge clk_i) begin    // the same as below, each in one write
    if (|first_i) head_q[head_at] <= tag_i;
    if (back_i) head_q[mshr_i] <= tag_q;
    if (|found_i) tail_q[tail_at] <= tag_i;
    else if (|first_i) tail_q[head_at] <= tag_i;
  end
`else
  for (genvar i = 0; i < Mshrs; i++) begin : gen_list
    logic            back;
    logic [TagW-1:0] head, tail;
    assign back = back_i & mshr_i == IdxW'(i);
    gmmu_clkgate #(.Width(TagW)) u_head (
      .clk_i, .en_i(first_i[i] | back), .d_i(back ? tag_q : tag_i), .q_o(head)
    );
    gmmu_clkgate #(.Width(TagW)) u_tail (
      .clk_i, .en_i(first_i[i] | found_i[i]), .d_i(tag_i), .q_o(tail)
    );
    assign head_q[i] = head;
    assign tail_q[i] = tail;
  end
`endif

  logic [TagW-1:0] own_tail;
  assign own_tail = tail_q[mshr_i];
  `GMMU_ASSERT_IF(l1_list_end_is_so, valid_i, end_q == own_tail)
endmodule
`default_nettype wire
