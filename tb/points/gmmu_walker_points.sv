// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_walker (docs/coverage.md): how walks end, start over, answer early; where a walk
// that a command matches stands. Ports are signals of the walker, by their names there.
`default_nettype none
module gmmu_walker_points #(
  parameter int Walks      = 64,
  parameter int Mshrs      = 64,
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int KeyW       = 36,
  parameter int MarkByAsid = 0,
  parameter int Svadu      = 0,
  parameter int L2Unified  = 0,
  parameter int PwcEntries = 0,
  localparam int SlotW     = gmmu_pkg::idx_w(Walks),
  localparam int MshrW     = gmmu_pkg::idx_w(Mshrs),
  localparam int CmdW      = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             walk_valid_i,
  input logic [MshrW-1:0] walk_mshr_i,
  input logic [AsidW-1:0] walk_asid_i,
  input logic [KeyW-1:0]  walk_key_i,
  // start, and start over
  input logic             start,
  input logic             start_waited,
  input logic [SlotW-1:0] free_slot,
  input logic [AsidW-1:0] start_asid,
  input logic [VfnW-1:0]  start_vfn,
  input logic             root_begin,
  input logic             root_again,
  input logic             root_sv48,
  input logic [SlotW-1:0] again_slot,
  input logic [MshrW-1:0] root_mshr,
  input logic [4:0]       root_cause,
  // decode
  input logic             dec,
  input logic             dec_after,
  input logic             dec_cached,
  input logic             dec_early,
  input logic             dec_end,
  input logic             dec_err,
  input logic             dec_restart,
  input logic             dec_stale,
  input logic             dec_sv48,
  input logic             dec_upd,
  input logic             head_read,
  input logic             step_upd_d,
  input logic [63:0]      dec_pte,
  input logic [SlotW-1:0] dec_slot,
  input logic [1:0]       dec_level,
  input logic [1:0]       dec_path,
  input logic [4:0]       dec_cause,
  input logic             step_whole,
  // runs, end, memory
  input logic             run_end,
  input logic             run_grant,
  input logic             run_read,
  input logic [SlotW-1:0] run_slot,
  input logic [gmmu_pkg::RUN_W-1:0] run_run,
  input logic [gmmu_pkg::RUN_EVENT_W-1:0] run_event,
  input logic [2:0]       run_own,           // subregion of the page that was asked for
  input logic [gmmu_pkg::PWC_EVENT_W-1:0] pwc_event,
  input logic             free,
  input logic [SlotW-1:0] fin_slot,
  input logic             mem_req_valid_o,
  input logic             mem_req_ready_i,
  input logic [SlotW-1:0] mem_req_id_o,
  input logic [2:0]       mem_req_depth_o,
  input logic             mem_req_upd_o,
  input logic             mem_rsp_valid_i,
  input logic [SlotW-1:0] mem_rsp_id_i,
  // invalidation
  input logic             mark_i,
  input logic [CmdW-1:0]  cmd_i
);
  // ---------------------------------------------------------------- ends of walks
  logic ends, at_leaf;
  assign ends    = rst_ni & dec & !dec_restart & !dec_after & (dec_end | dec_early);
  assign at_leaf = ends & dec_level == gmmu_pkg::LEVEL_4K;
  covergroup walk_end @(posedge clk_i);
    cause: coverpoint dec_cause iff (ends) {
`include "gmmu_points_causes.svh"
    }
    leaf_cause: coverpoint dec_cause iff (at_leaf) {
`include "gmmu_points_causes.svh"
    }
    page: coverpoint dec_level {
      bins pte_4k = {gmmu_pkg::LEVEL_4K};
      bins pte_2m = {gmmu_pkg::LEVEL_2M};
      bins pte_1g = {gmmu_pkg::LEVEL_1G};
      bins pte_512g = {gmmu_pkg::LEVEL_512G};
    }
    mode: coverpoint dec_sv48 {
      bins sv39 = {0};
      bins sv48 = {1};
    }
    path: coverpoint dec_path {
      bins own = {gmmu_pkg::PATH_OWN};
      bins coalesced = {gmmu_pkg::PATH_CO};
      bins all_contiguous = {gmmu_pkg::PATH_AC};
      bins contiguous = {gmmu_pkg::PATH_C};
    }
    by_level: cross cause, page, mode {
      // The root of Sv39 is the level of 1 GiB.
      ignore_bins no_root = binsof(page.pte_512g) && binsof(mode.sv39);
      // A pointer is a fault of its own at the last level, and what is wrong with a pointer is not
      // looked at there.
      ignore_bins last = binsof(page.pte_4k) &&
          (binsof(cause.nonleaf_adu) || binsof(cause.walk_window));
      ignore_bins not_last = binsof(cause.no_leaf) && !binsof(page.pte_4k);
    }
    by_path: cross leaf_cause, path {
      ignore_bins last = binsof(leaf_cause.nonleaf_adu) || binsof(leaf_cause.walk_window);
      // A page's own leaf of 4 KiB has no part that must be 0, nor has the leaf of a subregion or a
      // contiguous frame.
      ignore_bins aligned = binsof(leaf_cause.misaligned) && !binsof(path.coalesced);
    }
  endgroup
  walk_end u_walk_end = new;

  // ---------------------------------------------------------------- starts, and starts over
  logic       starts;      // `start` is a method in a covergroup
  logic       again_begins, again_sv48, again_err;
  logic [1:0] again_level, again_path;
  assign starts       = rst_ni & start;
  assign again_begins = rst_ni & root_begin & root_again;
  covergroup walk_start @(posedge clk_i);
    cause: coverpoint root_cause iff (starts) {
      bins ok = {gmmu_pkg::CAUSE_OK};
      bins not_canonical = {gmmu_pkg::CAUSE_NON_CANONICAL};
      bins context_off = {gmmu_pkg::CAUSE_UNKNOWN_ASID};
      bins walk_window = {gmmu_pkg::CAUSE_AF_WALK_WINDOW};
    }
    mode: coverpoint root_sv48 {
      bins sv39 = {0};
      bins sv48 = {1};
    }
    waited: coverpoint start_waited {
      bins at_once = {0};
      bins later = {1};
    }
    started: cross cause, mode, waited {
      // All addresses of 48 bits are canonical in Sv48; a context that is off has no mode.
      ignore_bins wide = binsof(cause.not_canonical) && binsof(mode.sv48);
      ignore_bins off = binsof(cause.context_off) && binsof(mode.sv48);
    }
    again_cause: coverpoint root_cause iff (again_begins) {
      bins ok = {gmmu_pkg::CAUSE_OK};
      bins context_off = {gmmu_pkg::CAUSE_UNKNOWN_ASID};
      bins walk_window = {gmmu_pkg::CAUSE_AF_WALK_WINDOW};
    }
    page: coverpoint again_level {
      bins pte_4k = {gmmu_pkg::LEVEL_4K};
      bins pte_2m = {gmmu_pkg::LEVEL_2M};
      bins pte_1g = {gmmu_pkg::LEVEL_1G};
      bins pte_512g = {gmmu_pkg::LEVEL_512G};
    }
    again: cross again_cause, page;
    again_mode: coverpoint {again_sv48, root_sv48} iff (again_begins &
        root_cause == gmmu_pkg::CAUSE_OK) {
      bins sv39 = {0};
      bins sv48 = {3};
    }
    again_path: coverpoint again_path iff (again_begins) {
      bins own = {gmmu_pkg::PATH_OWN};
      bins coalesced = {gmmu_pkg::PATH_CO};
      bins all_contiguous = {gmmu_pkg::PATH_AC};
      bins contiguous = {gmmu_pkg::PATH_C};
    }
    again_error: coverpoint again_err iff (again_begins) {
      bins answer_ok = {0};
      bins memory_error = {1};
    }
  endgroup
  walk_start u_walk_start = new;

  // ---------------------------------------------------------------- page walk cache
  logic has_cache;
  assign has_cache = rst_ni & PwcEntries != 0;
  covergroup walk_cache @(posedge clk_i);
    // Leaves are not kept: a read of the last level goes to memory.
    page: coverpoint dec_level iff (has_cache & dec & !dec_after) {
      bins pte_2m = {gmmu_pkg::LEVEL_2M};
      bins pte_1g = {gmmu_pkg::LEVEL_1G};
      bins pte_512g = {gmmu_pkg::LEVEL_512G};
    }
    mode: coverpoint dec_sv48 {
      bins sv39 = {0};
      bins sv48 = {1};
    }
    from: coverpoint dec_cached {
      bins memory = {0};
      bins cache = {1};
    }
    served: cross from, page, mode {
      ignore_bins no_root = binsof(page.pte_512g) && binsof(mode.sv39);
    }
    probe: coverpoint pwc_event[1:0] iff (has_cache) {
      bins miss = {1};
      bins hit = {3};
    }
    insert: coverpoint pwc_event[4:2] iff (has_cache) {
      bins free_way = {1};
      bins overwrite = {3};
      bins evict = {5};
    }
    restarted: coverpoint dec_restart iff (has_cache & dec & dec_cached) {
      bins no = {0};
      bins yes = {1};
    }
    flush: coverpoint pwc_event[0] iff (has_cache & mark_i) {
      bins without_probe = {0};
      bins with_probe = {1};
    }
  endgroup
  walk_cache u_walk_cache = new;

  // ---------------------------------------------------------------- early answers, runs, MSC
  logic unified, run;
  assign unified = rst_ni & L2Unified != 0;
  assign run     = unified & run_end & run_grant & !run_event[1];
  covergroup walk_run @(posedge clk_i);
    early_mode: coverpoint dec_sv48 iff (unified & dec_early) {
      bins sv39 = {0};
      bins sv48 = {1};
    }
    // An answer of the contiguous path that may not fill its subregion ends at once.
    whole: coverpoint {dec_path, step_whole} iff (unified & at_leaf &
        dec_cause == gmmu_pkg::CAUSE_OK) {
      bins frame_filled = {5};
      bins frame_not_filled = {4};
      bins subregion_filled = {7};
      bins subregion_not_filled = {6};
    }
    looked: coverpoint run_event[4:0] iff (unified) {
      wildcard bins stale = {5'b???11};
      wildcard bins hit = {5'b??101};
      wildcard bins insert = {5'b?1001};
      wildcard bins reads = {5'b10001};
    }
    insert: coverpoint run_event[24:23] iff (unified & run_event[3]) {
      bins free_way = {0};
      bins overwrite = {1};
      bins evict = {2};
    }
    sweep: coverpoint run_event[49:34] == 0 iff (unified & run_event[25]) {
      bins clears = {0};
      bins clears_nothing = {1};
    }
    head: coverpoint {dec_err, dec_stale, head_read} iff (unified & dec_after) {
      bins last = {0};
      bins another = {1};
      bins stale = {2};
      bins memory_error = {4};
    }
    length: coverpoint run_run[2:0] iff (run) {
      bins subregions[] = {[0:7]};
    }
    own: coverpoint run_own {
      bins at[] = {[0:7]};
    }
    // Each length of a run round each place of the page in its frame.
    found: cross length, own;
  endgroup
  walk_run u_walk_run = new;

  // ---------------------------------------------------------------- where a walk stands at a mark
  // Of each walk: whose it is, where it stands (0 asked for: queue or walk cache, 1 memory,
  // 2 ended, 3 looks for its run), the level that memory was asked for; of each MSHR: in the
  // buffer.
  logic [AsidW-1:0] asid_q [0:Walks-1];
  logic [VfnW-1:0]  vfn_q  [0:Walks-1];
  logic [1:0]       at_q   [0:Walks-1];
  logic [1:0]       level_q [0:Walks-1];
  logic [1:0]       stale_level_q [0:Walks-1];   // of the answer that makes it start over
  logic [1:0]       stale_path_q  [0:Walks-1];
  logic [Walks-1:0] busy_q, sv48_q, after_q, updating_q, again_q, stale_err_q;
  logic [AsidW-1:0] wait_asid_q [0:Mshrs-1];
  logic [KeyW-1:0]  wait_key_q  [0:Mshrs-1];
  logic [Mshrs-1:0] wait_q;
  assign again_sv48  = sv48_q[again_slot];
  assign again_level = stale_level_q[again_slot];
  assign again_path  = stale_path_q[again_slot];
  assign again_err   = stale_err_q[again_slot];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q <= '0;
      busy_q <= '0;
      updating_q <= '0;
    end else begin
      if (free) busy_q[fin_slot] <= 1'b0;
      if (start) begin
        wait_q[root_mshr]     <= 1'b0;
        busy_q[free_slot]     <= 1'b1;
        updating_q[free_slot] <= 1'b0;
        again_q[free_slot]    <= 1'b0;
      end
      if (root_begin & root_again) again_q[again_slot] <= 1'b0;
      if (dec_restart) again_q[dec_slot] <= 1'b1;
      if (dec) updating_q[dec_slot] <= dec_upd;
      if (walk_valid_i) wait_q[walk_mshr_i] <= 1'b1;
    end
    if (start) begin
      asid_q[free_slot]  <= start_asid;
      vfn_q[free_slot]   <= start_vfn;
      sv48_q[free_slot]  <= root_sv48;
      after_q[free_slot] <= 1'b0;
      at_q[free_slot]    <= root_cause == gmmu_pkg::CAUSE_OK ? 2'd0 : 2'd2;
    end
    if (dec) begin
      if (dec_restart) begin
        stale_level_q[dec_slot] <= dec_level;
        stale_path_q[dec_slot]  <= dec_path;
        stale_err_q[dec_slot]   <= dec_err;
      end
      if (dec_early) after_q[dec_slot] <= 1'b1;
      at_q[dec_slot] <= dec_early | (dec_after & !head_read & !dec_end) ? 2'd3 :
          dec_end ? 2'd2 : 2'd0;
    end
    if (root_begin & root_again) begin
      sv48_q[again_slot] <= root_sv48;
      at_q[again_slot]   <= root_cause == gmmu_pkg::CAUSE_OK ? 2'd0 : 2'd2;
    end
    if (run_grant) at_q[run_slot] <= run_read ? 2'd0 : 2'd2;
    if (mem_req_valid_o & mem_req_ready_i) begin
      at_q[mem_req_id_o]    <= 2'd1;
      level_q[mem_req_id_o] <= 2'((sv48_q[mem_req_id_o] ? 3'd4 : 3'd3) - mem_req_depth_o);
    end
    if (walk_valid_i) begin
      wait_asid_q[walk_mshr_i] <= walk_asid_i;
      wait_key_q[walk_mshr_i]  <= walk_key_i;
    end
  end
`include "gmmu_points_command.svh"
  logic [Walks-1:0]    match, decoded, answered;
  logic [Mshrs-1:0]    match_wait;
  // One bit a walk and place. No walk starts over when a mark comes: the command before it is
  // over only when all that it made stale is answered (docs/invalidate.md, Progress).
  logic [Walks*15-1:0] places;
  for (genvar i = 0; i < Walks; i++) begin : gen_walk
    assign match[i] = mark_i & busy_q[i] & gmmu_pkg::frame_match(1'b1, MarkByAsid != 0, kind,
        16'(cmd_asid), cmd_lo, cmd_hi, 16'(asid_q[i]), 36'($signed(vfn_q[i])));
    assign decoded[i]  = dec & dec_slot == SlotW'(i);
    assign answered[i] = mem_rsp_valid_i & mem_rsp_id_i == SlotW'(i);
    logic read;
    assign read = match[i] & !decoded[i] & !after_q[i] & !updating_q[i] & !again_q[i];
    assign places[i*15 +: 15] = {
      match[i] & decoded[i] & after_q[i], match[i] & after_q[i] & at_q[i] == 2'd1,
      match[i] & at_q[i] == 2'd3, match[i] & !decoded[i] & at_q[i] == 2'd2,
      match[i] & decoded[i] & updating_q[i],
      match[i] & !decoded[i] & updating_q[i] & at_q[i] == 2'd1,
      match[i] & !decoded[i] & updating_q[i] & at_q[i] == 2'd0,
      match[i] & decoded[i] & !after_q[i] & !updating_q[i], read & at_q[i] == 2'd1 & answered[i],
      read & at_q[i] == 2'd1 & level_q[i] == gmmu_pkg::LEVEL_4K,
      read & at_q[i] == 2'd1 & level_q[i] == gmmu_pkg::LEVEL_2M,
      read & at_q[i] == 2'd1 & level_q[i] == gmmu_pkg::LEVEL_1G,
      read & at_q[i] == 2'd1 & level_q[i] == gmmu_pkg::LEVEL_512G,
      read & at_q[i] == 2'd0, PwcEntries != 0 & read & at_q[i] == 2'd0};
  end
  for (genvar i = 0; i < Mshrs; i++) begin : gen_wait
    assign match_wait[i] = mark_i & wait_q[i] & gmmu_pkg::frame_match(1'b1, MarkByAsid != 0, kind,
        16'(cmd_asid), cmd_lo, cmd_hi, 16'(wait_asid_q[i]),
        36'($signed(wait_key_q[i][VfnW-1:0])));
  end
  logic [16:0] place;
  always_comb begin
    place[14:0] = '0;
    for (int i = 0; i < Walks; i++) place[14:0] = place[14:0] | places[i*15 +: 15];
    place[15] = |match_wait & !(start & match_wait[root_mshr]);
    place[16] = start & match_wait[root_mshr];
  end
  covergroup walk_marked @(posedge clk_i);
    by_command: coverpoint command iff (rst_ni & mark_i) {
`include "gmmu_points_commands.svh"
    }
    where: coverpoint place {
      wildcard bins buffer = {17'b?1???????????????};
      wildcard bins starting = {17'b1????????????????};
      wildcard bins reads_with_walk_cache = {17'b????????????????1};
      wildcard bins reads_asked = {17'b???????????????1?};
      wildcard bins memory_512g = {17'b??????????????1??};
      wildcard bins memory_1g = {17'b?????????????1???};
      wildcard bins memory_2m = {17'b????????????1????};
      wildcard bins memory_4k = {17'b???????????1?????};
      wildcard bins answered_now = {17'b??????????1??????};
      wildcard bins decoded_now = {17'b?????????1???????};
      wildcard bins update_asked = {17'b????????1????????};
      wildcard bins update_in_memory = {17'b???????1?????????};
      wildcard bins update_decoded_now = {17'b??????1??????????};
      wildcard bins ended = {17'b?????1???????????};
      wildcard bins early_run_waits = {17'b????1????????????};
      wildcard bins early_head_in_memory = {17'b???1?????????????};
      wildcard bins early_head_decoded_now = {17'b??1??????????????};
    }
    walk: cross by_command, where;
  endgroup
  walk_marked u_walk_marked = new;

  // ---------------------------------------------------------------- updates of A and D
  covergroup walk_update @(posedge clk_i);
    bits_set: coverpoint {step_upd_d, dec_pte[6]} iff (rst_ni & Svadu != 0 & dec_upd) {
      bins a = {0};
      bins d = {3};
      bins a_and_d = {2};
    }
    page: coverpoint dec_level {
      bins pte_4k = {gmmu_pkg::LEVEL_4K};
      bins pte_2m = {gmmu_pkg::LEVEL_2M};
      bins pte_1g = {gmmu_pkg::LEVEL_1G};
      bins pte_512g = {gmmu_pkg::LEVEL_512G};
    }
    update: cross bits_set, page;
    answer: coverpoint {dec_restart, dec_err, dec_end, dec_upd} iff (rst_ni & Svadu != 0 & dec &
        updating_q[dec_slot]) {
      bins ends = {2};
      bins again = {1};         // somebody else changed the PTE, and it still is to be updated
      bins goes_on = {0};       // ... it is a pointer now
      bins memory_error = {6};
      wildcard bins restart = {4'b1???};
    }
  endgroup
  walk_update u_walk_update = new;
endmodule
bind gmmu_walker gmmu_walker_points #(.Walks(Walks), .Mshrs(Mshrs), .AsidW(AsidW), .VfnW(VfnW),
  .KeyW(KeyW), .MarkByAsid(MarkByAsid), .Svadu(Svadu), .L2Unified(L2Unified),
  .PwcEntries(PwcEntries)) u_points (
    .dec_cause(dec_xlate[PageXlateW-1 -: 5]), .run_own(run_vfn[8:6]), .*
  );
`default_nettype wire
