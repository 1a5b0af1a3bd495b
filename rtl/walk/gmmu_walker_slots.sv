// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_slots: what the walker knows of each walk: whose it is, its page, level and path, the
// mode it began with; which slots are in use, and which are to start over. Rules: docs/walker.md.
//
// Reads are combinational from state, but those of the walk that is decoded come from registers:
// take_i loads them two cycles before, first_* have them in the cycle between. Of a slot that
// mark_i hits in this cycle, stale_o is 1 already. A start takes free_slot_o (the lowest), valid
// while want_i; what it writes is written while want_i, as start_i comes late. So does a walk that
// starts over in its slot (again_i). Legal: as gmmu_walker.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_walker_slots #(
  parameter int Walks      = 64,
  parameter int Mshrs      = 64,
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int PfnW       = 36,
`include "gmmu_mmu_options.svh"
  localparam int SlotW  = gmmu_pkg::idx_w(Walks),
  localparam int MshrW  = gmmu_pkg::idx_w(Mshrs),
  localparam int CmdW   = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // a walk that may begin: in a free slot, or (again) in its own; begin: it does
  input  logic             want_i,
  input  logic             again_i,
  input  logic [SlotW-1:0] again_slot_i,
  output logic [SlotW-1:0] free_slot_o,
  input  logic             begin_i,
  input  logic [AsidW-1:0] start_asid_i,
  input  logic [VfnW-1:0]  start_vfn_i,
  input  logic [MshrW-1:0] start_mshr_i,
  input  logic [1:0]       root_level_i,
  input  logic             root_sv48_i,
  // the walk whose answer is decoded two cycles later; in the next one; in this one; step: it ends,
  // or reads the next level, or (keep) the same PTE
  input  logic             take_i,
  input  logic [SlotW-1:0] take_slot_i,
  input  logic             first_i,
  output logic [VfnW-1:0]  first_vfn_o,
  output logic [1:0]       first_level_o,
  output logic [1:0]       first_path_o,
  input  logic             dec_i,
  input  logic [SlotW-1:0] dec_slot_i,
  output logic [AsidW-1:0] dec_asid_o,
  output logic [VfnW-1:0]  dec_vfn_o,
  output logic [MshrW-1:0] dec_mshr_o,
  output logic [1:0]       dec_level_o,     // of the read that is outstanding
  output logic [1:0]       dec_path_o,
  output logic             dec_sv48_o,
  output logic             dec_stale_o,
  input  logic             step_i,
  input  logic             step_keep_i,
  input  logic [1:0]       step_path_i,
  // the walk that looks for its run
  input  logic [SlotW-1:0] run_slot_i,
  output logic [AsidW-1:0] run_asid_o,
  output logic [VfnW-1:0]  run_vfn_o,
  output logic [MshrW-1:0] run_mshr_o,
  output logic             run_stale_o,
  output logic             run_sv48_o,
  // the one that memory answers; the one that leaves
  input  logic             rsp_valid_i,
  input  logic [SlotW-1:0] rsp_slot_i,
  output logic             rsp_half_o,      // bit 2 of its VFN
  input  logic             free_i,
  input  logic [SlotW-1:0] fin_slot_i,
  // invalidation
  input  logic             mark_i,
  input  logic [CmdW-1:0]  cmd_i,
  output logic [Walks-1:0] restart_o        // their next answer is to be thrown away
);
  localparam int N = Walks;
  `include "gmmu_types.svh"
  `include "gmmu_first.svh"
  cmd_t cmd;
  assign cmd = cmd_i;

  logic [Walks-1:0] busy_q, restart_q, busy_d, restart_d, free_hot, root_hot, begin_hot, dec_hot,
      fin_hot;
  // whose walk it is, behind one clock gate a slot; mem2reg: as in gmmu_tlb_cam
  (* mem2reg *) logic [AsidW-1:0] asid_q [0:Walks-1];
  (* mem2reg *) logic [VfnW-1:0]  vfn_q  [0:Walks-1];
  (* mem2reg *) logic [MshrW-1:0] mshr_q [0:Walks-1];
  // where it stands, {level, path, Sv48}, which changes with each level: words of their own
  (* mem2reg *) logic [4:0]       state_q [0:Walks-1];
  logic [4:0]       step_state, run_state;
  logic [VfnW-1:0]  rsp_vfn;

  logic [Walks-1:0] cmd_match, marked;
  for (genvar i = 0; i < Walks; i++) begin : gen_marked
    assign marked[i] = gmmu_pkg::frame_match(mark_i, MarkByAsid != 0, cmd.kind, 16'(cmd.asid),
        cmd.lo, cmd.hi, 16'(asid_q[i]), 36'($signed(vfn_q[i])));
  end
  assign cmd_match = busy_q & marked;

  // A command of this cycle makes a walk stale at once: its PTE was read before the command.
  // The command holds from the cycle before its mark: the walk that is decoded was compared with it
  // then.
  logic             first_sv48, first_stale_q, first_stale, first_marks, dec_stale_q, dec_marks_q;
  logic [AsidW-1:0] first_asid;
  logic [MshrW-1:0] first_mshr;
  gmmu_clkgate #(.Width(AsidW + VfnW + MshrW + 6)) u_first (
    .clk_i, .en_i(take_i), .d_i({asid_q[take_slot_i], vfn_q[take_slot_i], mshr_q[take_slot_i],
    state_q[take_slot_i],
    restart_q[take_slot_i] | cmd_match[take_slot_i]}), .q_o({first_asid, first_vfn_o, first_mshr,
    first_level_o, first_path_o, first_sv48, first_stale_q})
  );
  gmmu_clkgate #(.Width(AsidW + VfnW + MshrW + 7)) u_dec (
    .clk_i, .en_i(first_i), .d_i({first_asid, first_vfn_o, first_mshr, first_level_o,
    first_path_o, first_sv48, first_stale, first_marks}), .q_o({dec_asid_o, dec_vfn_o, dec_mshr_o,
    dec_level_o, dec_path_o, dec_sv48_o, dec_stale_q, dec_marks_q})
  );
  assign first_marks = gmmu_pkg::frame_match(first_i, MarkByAsid != 0, cmd.kind, 16'(cmd.asid),
      cmd.lo, cmd.hi, 16'(first_asid), 36'($signed(first_vfn_o)));
  assign first_stale = first_stale_q | (mark_i & first_marks);
  assign dec_stale_o = dec_stale_q | (mark_i & dec_marks_q);
  assign run_asid_o  = asid_q[run_slot_i];
  assign run_vfn_o   = vfn_q[run_slot_i];
  assign run_mshr_o  = mshr_q[run_slot_i];
  assign run_stale_o = restart_q[run_slot_i] | cmd_match[run_slot_i];
  assign run_state   = state_q[run_slot_i];
  assign run_sv48_o  = run_state[0];
  assign rsp_vfn     = vfn_q[rsp_slot_i];
  assign rsp_half_o  = rsp_vfn[2];
  assign restart_o   = restart_q;

  logic [Walks-1:0] lowest;
  gmmu_free_ahead #(.Places(Walks)) u_free (
    .clk_i, .rst_ni, .used_i(busy_q), .take_i(begin_i & !again_i), .give_i(free_i),
    .give_idx_i(fin_slot_i), .free_o(lowest), .idx_o(free_slot_o)
  );
  assign free_hot    = want_i & !again_i ? lowest : '0;
  assign root_hot  = want_i & again_i ? Walks'(1) << again_slot_i : free_hot;
  assign begin_hot = begin_i ? root_hot : '0;
  assign dec_hot   = dec_i ? Walks'(1) << dec_slot_i : '0;
  assign fin_hot   = free_i ? Walks'(1) << fin_slot_i : '0;
  // A walk that begins reads its tables after the command: its mark goes. That of a walk which is
  // to begin anew already, as its answer is thrown away, does too.
  assign busy_d    = (busy_q & ~fin_hot) | begin_hot;
  assign restart_d = (restart_q | cmd_match) & ~dec_hot & ~begin_hot;
  assign step_state = step_keep_i ? {dec_level_o, dec_path_o, dec_sv48_o}
                                  : {dec_level_o - 1'b1, step_path_i, dec_sv48_o};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= '0;
      restart_q <= '0;
    end else begin
      busy_q    <= busy_d;
      restart_q <= restart_d;
    end
  end
`ifdef VERILATOR
  // in one write each, for speed, as in gmmu_tlb_cam
  logic [SlotW-1:0] root_at;
  assign root_at = index(root_hot);
  always_ff @(posedge clk_i) begin
    if (want_i & !again_i & |free_hot) begin
      asid_q[free_slot_o] <= start_asid_i;
      vfn_q[free_slot_o]  <= start_vfn_i;
      mshr_q[free_slot_o] <= start_mshr_i;
    end
    if (|root_hot) state_q[root_at] <= {root_level_i, gmmu_pkg::PATH_OWN, root_sv48_i};
    if (step_i & dec_i & !root_hot[dec_slot_i]) state_q[dec_slot_i] <= step_state;
  end
`else
  for (genvar i = 0; i < Walks; i++) begin : gen_owner
    logic [AsidW-1:0] asid;
    logic [VfnW-1:0]  vfn;
    logic [MshrW-1:0] mshr;
    gmmu_clkgate #(.Width(AsidW + VfnW + MshrW)) u_owner (
      .clk_i, .en_i(free_hot[i]), .d_i({start_asid_i, start_vfn_i, start_mshr_i}),
      .q_o({asid, vfn, mshr})
    );
    assign asid_q[i] = asid;
    assign vfn_q[i]  = vfn;
    assign mshr_q[i] = mshr;
  end
  for (genvar i = 0; i < Walks; i++) begin : gen_place
    logic [4:0] state;
    gmmu_clkgate #(.Width(5)) u_state (
      .clk_i, .en_i(root_hot[i] | (step_i & dec_hot[i])),
      .d_i(root_hot[i] ? {root_level_i, gmmu_pkg::PATH_OWN, root_sv48_i} : step_state), .q_o(state)
    );
    assign state_q[i] = state;
  end
`endif

  `GMMU_ASSERT(walker_answer_expected, !(rsp_valid_i && !busy_q[rsp_slot_i]))
  `GMMU_ASSERT(walker_start_has_slot, !(begin_i && !again_i && (&busy_q)))
endmodule
`default_nettype wire
