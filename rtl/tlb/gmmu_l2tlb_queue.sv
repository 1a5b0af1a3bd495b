// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_queue: input queue of one SM at the L2 TLB. A request is issued to the pipeline and
// stays here until its lookup is committed; when one has to wait, everything issued after it is
// issued again (docs/l2_tlb.md).
//
// Late=1: data_o is the request that was issued in the cycle before, not the one to be issued.
// asid_o: the highest bits of the oldest one. Depth is a power of two.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_queue #(
  parameter int Width = 50,
  parameter int AsidW = 9,
  parameter int Depth = 4,
  parameter int Late  = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,    // not full
  input  logic [Width-1:0] data_i,
  output logic             avail_o,    // there is a request that may be issued
  output logic [Width-1:0] data_o,     // ... this one
  output logic [AsidW-1:0] asid_o,
  output logic             waiting_o,  // the head has to be looked up again
  input  logic             issue_i,
  input  logic             commit_i,   // the oldest issued request is done
  // the oldest issued request waits; the younger ones are dropped
  input  logic             wait_i
);
  localparam int PtrW = $clog2(Depth);

  if (Depth < 2 || (Depth & (Depth - 1)) != 0) begin : gen_bad_depth
    gmmu_l2tlb_queue_Depth_must_be_a_power_of_two u_bad();
  end

  logic [Width-1:0] mem [0:Depth-1];
  logic [PtrW-1:0]  head_q, tail_q, next, read;
  logic [Width-1:0] oldest;
  logic [PtrW:0]    count_q, issued_q;
  logic             waiting_q, push, avail_q, more, yet_more;

  assign ready_o   = count_q != (PtrW + 1)'(Depth);
  assign push      = valid_i & ready_o;
  assign next      = head_q + issued_q[PtrW-1:0];
  assign read      = Late != 0 ? next - 1'b1 : next;
  assign oldest    = mem[head_q];
  assign asid_o    = oldest[Width-1 -: AsidW];
  assign data_o    = mem[read];
  assign waiting_o = waiting_q;
  // In the next cycle; more: than were issued, yet_more: and one besides. Who is issued and how a
  // lookup ends is known last.
  logic [PtrW:0] held;
  assign held     = count_q + (PtrW + 1)'(push);
  assign more     = held != issued_q;
  assign yet_more = held != issued_q + 1'b1;
  assign avail_o  = avail_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      count_q   <= '0;
      issued_q  <= '0;
      waiting_q <= 1'b0;
      avail_q   <= 1'b0;
    end else begin
      avail_q <= wait_i | (commit_i | !waiting_q ? (issue_i ? yet_more : more)
          : issued_q == '0 & !issue_i);
      if (push) tail_q <= tail_q + 1'b1;
      if (commit_i) head_q <= head_q + 1'b1;
      if (push & !commit_i) count_q <= count_q + 1'b1;
      if (commit_i & !push) count_q <= count_q - 1'b1;
      if (wait_i) issued_q <= '0;
      else if (issue_i & !commit_i) issued_q <= issued_q + 1'b1;
      else if (commit_i & !issue_i) issued_q <= issued_q - 1'b1;
      if (wait_i) waiting_q <= 1'b1;
      else if (commit_i) waiting_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) if (push) mem[tail_q] <= data_i;

  `GMMU_ASSERT(l2tlb_queue_avail, avail_q == (waiting_q ? issued_q == '0 : count_q != issued_q))
  `GMMU_ASSERT(l2tlb_queue_one_ending, !(commit_i && wait_i))
  `GMMU_ASSERT(l2tlb_queue_ends_what_was_issued, !((commit_i || wait_i) && issued_q == '0))
endmodule
`default_nettype wire
