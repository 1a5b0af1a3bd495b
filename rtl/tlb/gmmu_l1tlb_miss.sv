// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_miss: miss stage of one L1 TLB: a lookup that missed the arrays, in the cycle behind
// its search, when the miss registers are searched; and the list of requests that are parked as no
// miss register is free. Rules and timing: docs/l1_tlb.md.
//
// What the answer of a request needs beside its page (access, user, offset) is kept by tag from the
// request's handshake on, for the list and the miss registers. The head of the list is a register,
// the rest a memory behind it: a request parked into an empty list is the head in the next cycle.
// Legal: TagW >= 1, Mshrs >= 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l1tlb_miss #(
  parameter int Mshrs = 32,
  parameter int AsidW = 9,
  parameter int VfnW  = 36,
  parameter int KeyW  = 36,
  parameter int TagW  = 8,
  parameter int WarpW = 1,
  localparam int WaitW = 15
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // search: a new request's handshake; a lookup or replay that missed
  input  logic             new_i,
  input  logic [TagW-1:0]  new_tag_i,
  input  logic [WaitW-1:0] new_waiter_i,  // access, user, VA[11:0]
  input  logic             miss_i,        // late
  input  logic             replay_i,      // the head is searched: it leaves the list
  input  logic [AsidW-1:0] asid_i,
  input  logic [KeyW-1:0]  walk_key_i,
  input  logic [TagW-1:0]  tag_i,
  input  logic [WarpW-1:0] warp_i,
  // miss stage
  output logic             miss_o,
  output logic [AsidW-1:0] asid_o,
  output logic [KeyW-1:0]  walk_key_o,
  output logic [AsidW-1:0] new_asid_o,    // the same while miss_o is 1, to be written
  output logic [KeyW-1:0]  new_key_o,
  output logic [TagW-1:0]  tag_o,
  output logic [WarpW-1:0] warp_o,
  input  logic             match_i,
  input  logic             frees_i,       // a last answer: one is free from the next cycle on
  output logic             free_o,        // one is free
  output logic             alloc_o,
  output logic             merge_o,
  // head of the list; may it be searched?
  output logic             parked_next_o, // parked_o in the next cycle
  output logic             parked_o,
  output logic [AsidW-1:0] head_asid_o,   // of the next cycle
  output logic [VfnW-1:0]  head_vfn_o,
  output logic [TagW-1:0]  park_tag_o,
  output logic [WarpW-1:0] park_warp_o,
  // what is kept of a request
  input  logic [TagW-1:0]  kept_tag_i,
  output logic [WaitW-1:0] kept_o
);
  localparam int Tags  = 1 << TagW;
  localparam int CntW  = $clog2(Mshrs + 1);
  localparam int ParkW = WarpW + AsidW + VfnW + TagW;

  if (TagW < 1) begin : gen_bad_tag
    gmmu_l1tlb_miss_TagW_must_be_at_least_1 u_bad();
  end

  // ---- kept by tag
  logic [WaitW-1:0] waiter_q [0:Tags-1];
  always_ff @(posedge clk_i) if (new_i) waiter_q[new_tag_i] <= new_waiter_i;
  assign kept_o = waiter_q[kept_tag_i];

  // ---- miss register: loaded in every cycle, as what missed nothing is not looked at. What is
  // written of it stands in a register of its own, as the search of the miss registers is long.
  logic             miss_q, replay_q;
  logic [AsidW-1:0] asid_q, new_asid;
  logic [KeyW-1:0]  walk_key_q, new_key;
  logic [TagW-1:0]  tag_q;
  logic [WarpW-1:0] warp_q;
  gmmu_clkgate #(.Width(AsidW + KeyW)) u_written (
    .clk_i, .en_i(new_i | replay_i), .d_i({asid_i, walk_key_i}), .q_o({new_asid, new_key})
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) miss_q <= 1'b0;
    else miss_q <= miss_i;
  end
  always_ff @(posedge clk_i) begin
    replay_q   <= replay_i;
    asid_q     <= asid_i;
    walk_key_q <= walk_key_i;
    tag_q      <= tag_i;
    warp_q     <= warp_i;
  end
  assign miss_o     = miss_q;
  assign asid_o     = asid_q;
  assign walk_key_o = walk_key_q;
  assign new_asid_o = new_asid;
  assign new_key_o  = new_key;
  assign tag_o      = tag_q;
  assign warp_o     = warp_q;

  // ---- how many miss registers are free; what begins and the last answer, which come late, only
  // choose
  logic [CntW-1:0] free_q;
  logic            two_free, free_next, two_next;
  assign free_o    = free_q != '0;
  assign two_free  = 32'(free_q) >= 2;
  assign free_next = alloc_o == frees_i ? free_o : frees_i ? 1'b1 : two_free;
  assign two_next  = alloc_o == frees_i ? two_free : frees_i ? free_o : 32'(free_q) >= 3;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) free_q <= CntW'(Mshrs);
    else if (alloc_o != frees_i) free_q <= frees_i ? free_q + 1'b1 : free_q - 1'b1;
  end

  // ---- decision. Without room a new request parks. A replay has a free miss register.
  logic room, park, head_valid_q, empty;
  assign room    = replay_q | (free_o & empty);
  assign merge_o = miss_q & match_i;
  assign alloc_o = miss_q & !match_i & room;
  assign park    = miss_q & !match_i & !room;

  // ---- list: head register, the others in the memory
  logic [ParkW-1:0] mem [0:Tags-1];
  logic [ParkW-1:0] head_q, head_d, parks;
  logic [TagW-1:0]  read_ptr_q, write_ptr_q;
  logic [TagW:0]    count_q, count_more, count_less;      // in the memory
  logic             more, refill, load, push, head_next;
  assign parks     = {warp_q, new_asid, new_key[VfnW-1:0], tag_q};
  assign more      = count_q != '0;
  assign empty     = !head_valid_q & !more;
  assign refill    = !head_valid_q | replay_i;
  assign load      = refill & more;
  assign push      = park & !(refill & !more);
  assign count_more = count_q + 1'b1;
  assign count_less = count_q - 1'b1;
  assign head_next = refill ? more | park : 1'b1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_valid_q <= 1'b0;
      read_ptr_q   <= '0;
      count_q      <= '0;
    end else begin
      head_valid_q <= head_next;
      if (load) read_ptr_q <= read_ptr_q + 1'b1;
      if (push != load) count_q <= push ? count_more : count_less;
    end
  end
  // Whether one is pushed is known last: no carry of the sum.
  gmmu_clkgate #(.Width(TagW)) u_write_ptr (
    .clk_i, .en_i(!rst_ni | push), .d_i(rst_ni ? write_ptr_q + 1'b1 : '0), .q_o(write_ptr_q)
  );
  always_ff @(posedge clk_i) begin
    head_q <= head_d;
    // Whatever missed is written behind the last one: there are no more requests than places.
    if (miss_q) mem[write_ptr_q] <= parks;
  end
  assign head_d = !refill ? head_q : more ? mem[read_ptr_q] : parks;
  assign {head_asid_o, head_vfn_o} = head_d[TagW +: AsidW + VfnW];
  assign park_tag_o  = head_q[TagW-1:0];
  assign park_warp_o = head_q[ParkW-1 -: WarpW];

  // ---- may the head be searched in the next cycle? Behind a replay, which may take a miss
  // register, one more than that must be free. From a register, as it chooses what is searched.
  logic parked_q;
  assign parked_next_o = rst_ni & head_next & (replay_i ? two_next : free_next);
  always_ff @(posedge clk_i) parked_q <= parked_next_o;
  assign parked_o = parked_q;

  `GMMU_ASSERT(l1_miss_parked_is_so,
      parked_q == (head_valid_q & (replay_q ? two_free : free_o)))
  `GMMU_ASSERT(l1_miss_replay_has_one, !(miss_q && replay_q && !free_o))
  `GMMU_ASSERT_IF(l1_miss_new_is_the_same, miss_q,
      {new_asid, new_key} == {asid_q, walk_key_q})
  `GMMU_ASSERT(l1_miss_list_has_room, !(push && !load && count_q[TagW]))
endmodule
`default_nettype wire
