// SPDX-License-Identifier: Apache-2.0
// What is kept of each walk is what it began with and its steps made of it, and it is stale when a
// command has matched it since it began or its last answer was decoded. See proofs.txt and
// docs/formal.md.
`default_nettype none
module prove_walk_slots #(
  parameter int Walks  = 3,
  parameter int ByAsid = 0,      // MarkByAsid
  parameter int Covers = 0,
  localparam int SlotW = $clog2(Walks),
  localparam int VfnW  = 10,     // bit 9: of the frame, bit 2: half; the others are 0
  localparam int CmdW  = gmmu_pkg::CMD_FIXED_W + 1
) (
  input  logic             clk_i,
  input  logic             want_i,
  input  logic             begin_i,
  input  logic             again_i,
  input  logic [SlotW-1:0] again_slot_i,
  input  logic             asid_i,
  input  logic [1:0]       page_i,
  input  logic             mshr_i,
  input  logic [1:0]       level_i,
  input  logic             sv48_i,
  input  logic             take_i,
  input  logic [SlotW-1:0] take_slot_i,
  input  logic             step_i,
  input  logic             keep_i,
  input  logic [1:0]       path_i,
  input  logic [SlotW-1:0] run_slot_i,
  input  logic [SlotW-1:0] rsp_slot_i,
  input  logic             free_i,
  input  logic [SlotW-1:0] fin_slot_i,
  input  logic             mark_next_i,
  input  logic [1:0]       kind_i,
  input  logic             cmd_asid_i,
  input  logic [1:0]       lo_i,         // frames, signed
  input  logic [1:0]       hi_i
);
  `include "prove.svh"

  // ---- an answer is decoded two cycles after it is taken
  logic             first_q, dec_q;
  logic [SlotW-1:0] first_slot, dec_slot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {first_q, dec_q} <= '0;
    else {first_q, dec_q} <= {take_i, first_q};
    first_slot <= take_slot_i;
    dec_slot   <= first_slot;
  end

  // ---- a command stands from the cycle before its mark
  logic            mark_q, cmd_asid;
  logic [1:0]      kind, lo, hi;
  logic [CmdW-1:0] cmd;
  always_ff @(posedge clk_i) begin
    mark_q <= rst_ni & mark_next_i & !mark_q;
    if (!mark_next_i) {kind, cmd_asid, lo, hi} <= {kind_i, cmd_asid_i, lo_i, hi_i};
  end
  assign cmd = {kind, cmd_asid, {26{lo[1]}}, lo[0], 9'd0, {26{hi[1]}}, hi[0], 9'h1ff};

  logic [VfnW-1:0]  vfn, first_vfn, dec_vfn, run_vfn;
  logic [SlotW-1:0] free_slot;
  logic             dec_asid, dec_mshr, dec_sv48, dec_stale, run_asid, run_mshr, run_sv48,
      run_stale, half;
  logic [1:0]       first_level, first_path, dec_level, dec_path;
  logic [Walks-1:0] restart;
  assign vfn = {page_i[1], 6'd0, page_i[0], 2'd0};
  gmmu_walker_slots #(.Walks(Walks), .Mshrs(2), .AsidW(1), .VfnW(VfnW), .PfnW(8),
      .MarkByAsid(ByAsid)) u_dut (
    .clk_i, .rst_ni, .want_i, .again_i, .again_slot_i, .free_slot_o(free_slot), .begin_i,
    .start_asid_i(asid_i), .start_vfn_i(vfn), .start_mshr_i(mshr_i), .root_level_i(level_i),
    .root_sv48_i(sv48_i), .take_i, .take_slot_i, .first_i(first_q), .first_vfn_o(first_vfn),
    .first_level_o(first_level), .first_path_o(first_path), .dec_i(dec_q), .dec_slot_i(dec_slot),
    .dec_asid_o(dec_asid), .dec_vfn_o(dec_vfn), .dec_mshr_o(dec_mshr), .dec_level_o(dec_level),
    .dec_path_o(dec_path), .dec_sv48_o(dec_sv48), .dec_stale_o(dec_stale), .step_i(dec_q & step_i),
    .step_keep_i(keep_i), .step_path_i(path_i), .run_slot_i, .run_asid_o(run_asid),
    .run_vfn_o(run_vfn), .run_mshr_o(run_mshr), .run_stale_o(run_stale), .run_sv48_o(run_sv48),
    .rsp_valid_i(1'b0), .rsp_slot_i, .rsp_half_o(half), .free_i, .fin_slot_i, .mark_i(mark_q),
    .cmd_i(cmd), .restart_o(restart)
  );

  // ---- each walk by what came of it
  logic [Walks-1:0] busy, known, stale, flying, legal, begins, free_ok, dec_ok, first_ok, run_ok,
      half_ok, stale_now, taken;
  for (genvar i = 0; i < Walks; i++) begin : gen_walk
    logic       asid, mshr, sv48, in_range, match, again, dec, takes, frees, first;
    logic [1:0] page, level, path;
    assign again     = want_i & again_i & again_slot_i == SlotW'(i);
    assign begins[i] = begin_i & (again | (!again_i & free_slot == SlotW'(i)));
    assign takes     = take_i & take_slot_i == SlotW'(i);
    assign first     = first_q & first_slot == SlotW'(i);
    assign dec       = dec_q & dec_slot == SlotW'(i);
    assign frees     = free_i & fin_slot_i == SlotW'(i);
    assign flying[i] = first | dec;
    // frames are compared as numbers without a sign, extended by theirs
    assign in_range  = ByAsid != 0 | ({2{page[1]}} >= lo & {2{page[1]}} <= hi);
    assign match     = kind == gmmu_pkg::INV_ALL | (asid == cmd_asid &
        (kind == gmmu_pkg::INV_ASID | (kind == gmmu_pkg::INV_RANGE & in_range)));
    assign stale_now[i] = stale[i] | (mark_q & match);
    // What walker and memory keep to: a slot is taken, begun anew or freed when it is in use and
    // nothing of it is on its way, one of these at a time.
    assign legal[i]  = (!again | (busy[i] & !flying[i] & !takes & !frees)) &
        (!takes | (busy[i] & known[i] & !flying[i] & !frees)) & (!frees | (busy[i] & !flying[i]));
    assign taken[i]  = takes;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy[i] <= 1'b0;
      else if (begins[i]) busy[i] <= 1'b1;
      else if (frees) busy[i] <= 1'b0;
      if (begins[i]) known[i] <= 1'b1;
      else if (again) known[i] <= 1'b0;       // wanted, not yet begun
      if (begins[i] | dec) stale[i] <= 1'b0;
      else stale[i] <= stale_now[i];
      if (begins[i] & !again_i) {asid, page, mshr} <= {asid_i, page_i, mshr_i};
      if (begins[i]) {level, path, sv48} <= {level_i, gmmu_pkg::PATH_OWN, sv48_i};
      else if (dec & step_i & !keep_i) {level, path} <= {level - 1'b1, path_i};
    end
    logic [VfnW-1:0] whole;
    assign whole       = {page[1], 6'd0, page[0], 2'd0};
    assign free_ok[i]  = busy[i] ? free_slot != SlotW'(i) : free_slot <= SlotW'(i);
    assign first_ok[i] = !first |
        {first_vfn, first_level, first_path} == {whole, level, path};
    assign dec_ok[i]   = !dec |
        ({dec_asid, dec_vfn, dec_mshr, dec_level, dec_path, dec_sv48} ==
         {asid, whole, mshr, level, path, sv48} & dec_stale == stale_now[i]);
    assign run_ok[i]   = !(busy[i] & run_slot_i == SlotW'(i)) |
        ({run_asid, run_vfn, run_mshr} == {asid, whole, mshr} & run_stale == stale_now[i] &
         (run_sv48 == sv48 | !known[i]));
    assign half_ok[i]  = !(busy[i] & rsp_slot_i == SlotW'(i)) | half == page[0];
  end

  always_comb begin
    assume (!begin_i | want_i);
    assume (!(want_i & !again_i) | busy != '1);
    assume (32'(again_slot_i) < Walks & 32'(take_slot_i) < Walks & 32'(run_slot_i) < Walks &
        32'(rsp_slot_i) < Walks & 32'(fin_slot_i) < Walks);
    assume (&legal);
    if (!rst_ni) assume (!begin_i & !take_i & !free_i & !want_i & !mark_next_i);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        if (busy != '1) lowest_free: assert (&free_ok);
        first_as_it_stands: assert (&first_ok);
        decoded_as_it_stands: assert (&dec_ok);
        run_as_it_stands: assert (&run_ok);
        half_as_it_stands: assert (&half_ok);
        stale_is_kept: assert ((restart & busy) == (stale & busy));
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(dec_q & dec_stale & !mark_q));
        c1: assert (!(dec_q & dec_stale & mark_q));
        c2: assert (!(dec_q & step_i & !keep_i & dec_path == 2'd2));
        c3: assert (!(want_i & again_i & begin_i & stale != '0));
        c4: assert (!(begin_i & !again_i & mark_q & kind == gmmu_pkg::INV_RANGE));
        c5: assert (!(busy == '1 & dec_q & first_q & taken != '0));
        c6: assert (!(free_i & begin_i & !again_i));
      end
    end
  end
endmodule
`default_nettype wire
