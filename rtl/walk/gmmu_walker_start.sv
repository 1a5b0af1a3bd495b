// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_start: the walk that may begin at its root: one that starts over (again_*, in order),
// else the one of those that wait (gmmu_walk_buffer) that may start, by how many slots each
// application may take (gmmu_app_quota). Rules: docs/walker.md.
//
// Two stages. The buffer names the walk that may start, picked a cycle before, by the counts of
// that cycle. Of the walk that starts over, or else of the one that is named, root and page come
// into registers in each cycle; in the next one it is offered, if it still stands there.
// Legal: as gmmu_walker.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_walker_start #(
  parameter int Walks      = 64,
  parameter int Total      = Walks,   // slots that the guarantee counts
  parameter int Mshrs      = 64,
  parameter int NumAsids   = 8,
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int KeyW       = 36,
  parameter int PfnW       = 36,
  parameter int NumWindows = 4,
  localparam int CtxW  = gmmu_pkg::idx_w(NumAsids),
  localparam int MshrW = gmmu_pkg::idx_w(Mshrs),
  localparam int SlotW = gmmu_pkg::idx_w(Walks)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // a walk that comes
  input  logic                       push_i,
  input  logic [MshrW-1:0]           push_mshr_i,
  input  logic [AsidW-1:0]           push_asid_i,
  input  logic [KeyW-1:0]            push_walk_key_i,
  // one that is to start over, in its slot
  input  logic                       again_i,
  input  logic [SlotW-1:0]           again_slot_i,
  input  logic [CtxW-1:0]            again_app_i,
  input  logic [VfnW-1:0]            again_vfn_i,
  input  logic [MshrW-1:0]           again_mshr_i,
  // the one that may begin, and its root
  output logic                       valid_o,
  output logic                       again_o,     // in its slot; else it starts, in a free one
  output logic [SlotW-1:0]           slot_o,
  output logic                       waited_o,
  output logic [MshrW-1:0]           mshr_o,
  output logic [CtxW-1:0]            app_o,
  output logic [AsidW-1:0]           asid_o,      // of a start
  output logic [KeyW-1:0]            walk_key_o,  // of a start
  output logic [PfnW-1:0]            pfn_o,
  output logic [8:0]                 idx_o,
  output logic [1:0]                 level_o,
  output logic                       sv48_o,
  output logic [4:0]                 cause_o,
  input  logic                       begin_i,     // it does
  // a slot that becomes free
  input  logic                       free_i,
  input  logic [CtxW-1:0]            free_app_i,
  // contexts and windows
  input  logic [NumAsids*PfnW-1:0]   ctx_root_i,
  input  logic [NumAsids*2-1:0]      ctx_mode_i,
  input  logic [NumAsids-1:0]        ctx_on_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i
);
  localparam int AgainW = SlotW + CtxW + VfnW + MshrW;

  // Is a page canonical in Sv39? Kept beside the walk that waits.
  function automatic logic canonical(input logic [VfnW-1:0] vfn);
    begin
      canonical = VfnW != 36 | vfn[VfnW-1:26] == {(VfnW-26){vfn[26]}};
    end
  endfunction

  function automatic logic [CtxW-1:0] number(input logic [NumAsids-1:0] hot);
    begin
      number = '0;
      for (int i = 0; i < NumAsids; i++) if (hot[i]) number = number | CtxW'(i);
    end
  endfunction

  // ---------------------------------------------------------------- walks that start over
  logic             queued, queue_pop, queue_pop_q, again_q, again_ready_q, again_take, start;
  logic [AgainW-1:0] queue_head;
  logic [SlotW-1:0] again_slot_q;
  logic [CtxW-1:0]  again_app_q;
  logic [NumAsids-1:0] again_hot_q, queue_hot, app_hot;
  logic [VfnW-1:0]  again_vfn_q;
  logic [MshrW-1:0] again_mshr_q;
  assign again_take = begin_i & again_o;
  assign start      = begin_i & !again_o;
  // The queue loses its head a cycle after that came into the register: it is not looked at in that
  // cycle, in which the register holds a walk that is not offered yet.
  assign queue_pop = queued & (!again_q | again_take);
  gmmu_fifo #(.Width(AgainW), .Depth(Walks), .Late(1)) u_again (
    .clk_i, .rst_ni, .push_i(again_i),
    .data_i({again_slot_i, again_app_i, again_vfn_i, again_mshr_i}),
    .pop_i(queue_pop_q), .valid_o(queued), .data_o(queue_head), .count_o()
  );
  always_ff @(posedge clk_i) begin
    queue_pop_q <= rst_ni & queue_pop;
    if (!rst_ni) begin
      again_q       <= 1'b0;
      again_ready_q <= 1'b0;
    end else begin
      again_q       <= queued | (again_q & !again_take);
      again_ready_q <= again_q & !again_take;
    end
  end
  // The application also one-hot: a register of its own, which cannot be taken for the RAM's.
  assign queue_hot = NumAsids'(1) << queue_head[MshrW+VfnW +: CtxW];
  always_ff @(posedge clk_i) begin
    if (!again_q | again_take) begin
      {again_slot_q, again_app_q, again_vfn_q, again_mshr_q} <= queue_head;
      again_hot_q <= queue_hot;
    end
  end

  // ---------------------------------------------------------------- walks that wait
  logic                named, same, sv39, waited, named_q, waited_q;
  logic [NumAsids-1:0] none;
  logic                two, first, all;
  logic [MshrW-1:0]    mshr, mshr_q;
  logic [CtxW-1:0]     app_q;
  logic [AsidW-1:0]    asid, asid_q;
  logic [KeyW-1:0]     walk_key, walk_key_q;
  gmmu_walk_buffer #(.Depth(Mshrs), .NumAsids(NumAsids), .AsidW(AsidW), .KeyW(KeyW)) u_buffer (
    .clk_i, .rst_ni, .push_i, .push_mshr_i, .push_asid_i, .push_walk_key_i,
    .push_flag_i(canonical(push_walk_key_i[VfnW-1:0])), .all_i(all),
    .first_i(first), .none_i(none), .two_i(two),
    .valid_o(named), .same_o(same), .mshr_o(mshr), .app_hot_o(app_hot), .asid_o(asid),
    .walk_key_o(walk_key), .flag_o(sv39), .waited_o(waited), .pop_i(start)
  );
  gmmu_app_quota #(.Total(Total), .NumApps(NumAsids)) u_quota (
    .clk_i, .rst_ni, .on_i(ctx_on_i), .take_i(start), .take_hot_i(app_hot),
    .give_i(free_i), .give_app_i(free_app_i), .first_o(), .may_o(),
    .two_o(two), .none_o(none), .one_free_o(first), .all_o(all), .held_o()
  );
  always_ff @(posedge clk_i) begin
    named_q <= rst_ni & named & !start & !again_q;
  end
  // Written in each cycle, as it comes late whether a walk is named.
  always_ff @(posedge clk_i) begin
    waited_q   <= waited;
    mshr_q     <= mshr;
    app_q      <= number(app_hot);
    asid_q     <= asid;
    walk_key_q <= walk_key;
  end

  // ---------------------------------------------------------------- the one that may begin
  assign valid_o    = again_ready_q | (named_q & named & same);
  assign again_o    = again_ready_q;
  assign slot_o     = again_slot_q;
  assign waited_o   = waited_q;
  assign mshr_o     = again_ready_q ? again_mshr_q : mshr_q;
  assign app_o      = again_ready_q ? again_app_q : app_q;
  assign asid_o     = asid_q;
  assign walk_key_o = walk_key_q;
  gmmu_walker_root #(.NumAsids(NumAsids), .VfnW(VfnW), .PfnW(PfnW), .NumWindows(NumWindows))
  u_root (
    .clk_i, .app_i(again_q ? again_hot_q : app_hot),
    .canonical_i(again_q ? canonical(again_vfn_q) : sv39),
    .vfn_i(again_ready_q ? again_vfn_q : walk_key_q[VfnW-1:0]), .ctx_root_i, .ctx_mode_i,
    .ctx_on_i, .win_lo_i, .win_hi_i, .win_walk_i, .pfn_o, .idx_o, .level_o, .sv48_o, .cause_o
  );

  `GMMU_ASSERT(walker_again_not_twice, !(queue_pop_q && (!again_q || again_take)))
endmodule
`default_nettype wire
