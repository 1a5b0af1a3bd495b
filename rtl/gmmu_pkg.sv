// SPDX-License-Identifier: Apache-2.0
// gmmu_pkg: constants and functions of the whole design. No types here (see gmmu_types.svh).
package gmmu_pkg;

  // 1, with GMMU_FPGA defined: forms that are the same and fewer LUTs (docs/fpga.md).
`ifdef GMMU_FPGA
  localparam int FPGA = 1;
`else
  localparam int FPGA = 0;
`endif

  // Kinds of access, as in req_access_i.
  localparam logic [1:0] ACCESS_READ  = 2'd0;
  localparam logic [1:0] ACCESS_WRITE = 2'd1;
  localparam logic [1:0] ACCESS_EXEC  = 2'd2;
  localparam logic [1:0] ACCESS_AMO   = 2'd3;

  // Context modes.
  localparam logic [1:0] MODE_OFF  = 2'd0;
  localparam logic [1:0] MODE_SV39 = 2'd1;
  localparam logic [1:0] MODE_SV48 = 2'd2;

  // Kinds of invalidation.
  localparam logic [1:0] INV_ALL   = 2'd0;   // from outside 3 as well
  localparam logic [1:0] INV_ASID  = 2'd1;
  localparam logic [1:0] INV_RANGE = 2'd2;
  // Within the MMU, from gmmu_invalidate on: nothing, with a range that holds no page.
  localparam logic [1:0] INV_NONE  = 2'd3;

  // Fault causes (docs/faults.md).
  localparam int CAUSE_W = 5;
  localparam logic [4:0] CAUSE_OK             = 5'd0;
  localparam logic [4:0] CAUSE_PF_INVALID     = 5'd1;
  localparam logic [4:0] CAUSE_PF_WRITE_ONLY  = 5'd2;
  localparam logic [4:0] CAUSE_PF_NO_LEAF     = 5'd3;
  localparam logic [4:0] CAUSE_PF_NONLEAF_ADU = 5'd4;
  localparam logic [4:0] CAUSE_PF_ACCESSED    = 5'd5;
  localparam logic [4:0] CAUSE_PF_DIRTY       = 5'd6;
  localparam logic [4:0] CAUSE_PF_MISALIGNED  = 5'd7;
  localparam logic [4:0] CAUSE_PF_RESERVED    = 5'd8;
  localparam logic [4:0] CAUSE_PERM           = 5'd9;
  localparam logic [4:0] CAUSE_NON_CANONICAL  = 5'd10;
  localparam logic [4:0] CAUSE_UNKNOWN_ASID   = 5'd11;
  localparam logic [4:0] CAUSE_AF_WALK_WINDOW = 5'd12;
  localparam logic [4:0] CAUSE_AF_PPN_WINDOW  = 5'd13;
  localparam logic [4:0] CAUSE_AF_PPN_WIDTH   = 5'd14;
  localparam logic [4:0] CAUSE_AF_MEM         = 5'd15;
  localparam logic [4:0] CAUSE_BURST          = 5'd16;   // gmmu_axi only

  // The AXI response of a cause: DECERR for an access fault, else SLVERR.
  function automatic logic [1:0] axi_resp(input logic [4:0] cause);
    begin
      axi_resp = cause >= CAUSE_AF_WALK_WINDOW & cause <= CAUSE_AF_MEM ? 2'b11 : 2'b10;
    end
  endfunction

  // Permission bits kept with a translation: {D, U, X, W, R}.
  localparam int PERM_W = 5;

  // A translation between blocks: cause, large, no_fill, permissions, PFN (gmmu_types.svh).
  localparam int XLATE_FIXED_W = CAUSE_W + 2 + PERM_W;
  // With CoLT, a mask of the pages of its group that share it stands above (docs/colt.md).
  localparam int GROUP_W = 4;
  function automatic int xlate_w(input int pfn_w, input int colt);
    xlate_w = XLATE_FIXED_W + pfn_w + (colt != 0 ? GROUP_W : 0);
  endfunction

  // Levels of the page table, by what an entry maps.
  localparam logic [1:0] LEVEL_4K   = 2'd0;
  localparam logic [1:0] LEVEL_2M   = 2'd1;
  localparam logic [1:0] LEVEL_1G   = 2'd2;   // root of Sv39
  localparam logic [1:0] LEVEL_512G = 2'd3;   // root of Sv48

  // Paths of a walk: which leaf PTE it reads.
  localparam logic [1:0] PATH_OWN = 2'd0;   // that of the page
  localparam logic [1:0] PATH_CO  = 2'd1;   // coalesced frame: its PTE 0
  localparam logic [1:0] PATH_AC  = 2'd2;   // frame whose subregions are all contiguous: its PTE 0
  localparam logic [1:0] PATH_C   = 2'd3;   // contiguous subregion: its head

  // How a walk of the unified build ends: {early answer, run only, subregion fill, first subregion,
  // length}; 0: as all walks of the split build.
  localparam int RUN_W = 9;
  localparam int RUN_EARLY_BIT = 8;
  localparam logic [RUN_W-1:0] RUN_EARLY = {3'b100, 6'd0};       // answer only, its run comes later
  localparam logic [RUN_W-1:0] RUN_ONLY  = {3'b010, 6'd0};       // after it: no answer, no run
  localparam logic [RUN_W-1:0] RUN_FRAME = {3'b001, 3'd0, 3'd7}; // answer and fill of a whole frame

  // Invalidation command between blocks: kind, ASID of a context, first and last VFN of 36 bits.
  localparam int CMD_FIXED_W = 2 + 36 + 36;

  // Observation port widths.
  localparam int OBS_L1_W   = 142;
  localparam int OBS_L2_W   = 381;
  localparam int OBS_TOKEN_W = 51;
  localparam int OBS_WALK_W = 166;
  localparam int L2_WAY_W    = 10;   // of the way that an L2 lookup hit, a fill or a sweep
  localparam int PWC_EVENT_W = 20;   // of gmmu_walker_read
  localparam int RUN_EVENT_W = 50;   // of gmmu_walk_run
  localparam int L2_LOOK_EVENT_W = 106;    // of gmmu_l2tlb_lookup
  localparam int L1_ARRAYS_EVENT_W = 38;   // of gmmu_l1tlb_arrays

  // MASK sections 5.2 and 5.4; TOKEN_STEP and TURN_TIMEOUT are ours.
  localparam logic [6:0]  TOKEN_START  = 7'd80;     // percent
  localparam logic [2:0]  TOKEN_STEP   = 3'd4;      // log2
  localparam logic [6:0]  TOKEN_POINTS = 7'd2;
  localparam logic [9:0]  QUOTA_MAX    = 10'd500;
  localparam logic [15:0] TURN_TIMEOUT = 16'd2000;

  // Fill tokens (docs/fill_tokens.md): cycles of an application's turn, warps in a word of an SM's
  // RAM; an epoch is long enough to mark all warps.
  localparam int TOKEN_TURN = 20;
  function automatic int token_group(input int warp_w);
    token_group = warp_w < 5 ? 1 << warp_w : 32;
  endfunction
  function automatic int least_epoch(input int sms, input int asids, input int warp_w);
    least_epoch = 6 + sms * ((1 << warp_w) / token_group(warp_w)) + TOKEN_TURN * asids +
        (sms << warp_w);
  endfunction

  // Index width of n things, at least 1.
  function automatic int idx_w(input int n);
    idx_w = (n > 1) ? $clog2(n) : 1;
  endfunction

  // Ports of the MMU in gmmu_axi. One where there are none, so that the build ends by that rule's
  // name.
  function automatic int num_sms(input int ports, input int natives);
    num_sms = (ports + natives > 0) ? ports + natives : 1;
  endfunction

  // Bits of a page number in a command: of a virtual page, or of a physical one that is copied.
  function automatic int cmd_w(input int pfn_w);
    cmd_w = pfn_w > 36 ? pfn_w : 36;
  endfunction

  // Bits of the LRU order of a set (gmmu_order.svh): one a pair of ways.
  function automatic int order_w(input int ways);
    order_w = ways < 2 ? 1 : ways * (ways - 1) / 2;   // of one way: refused, but has to elaborate
  endfunction

  // Does software allow this requester? perm = {D, U, X, W, R}. Returns a cause.
  function automatic logic [4:0] check_access(input logic [4:0] perm, input logic [1:0] access,
                                              input logic user, input logic sum, input logic mxr);
    logic allowed;
    logic priv_ok;
    begin
      case (access)
        ACCESS_READ:  allowed = perm[0] | (mxr & perm[2]);
        ACCESS_WRITE: allowed = perm[1];
        ACCESS_EXEC:  allowed = perm[2];
        default:      allowed = perm[0] & perm[1];
      endcase
      // A supervisor may touch a user page only with SUM, and never execute it.
      priv_ok = user ? perm[3] : (!perm[3] | (sum & (access != ACCESS_EXEC)));
      if (!(allowed & priv_ok)) check_access = CAUSE_PERM;
      else if (access[0] & !perm[4]) check_access = CAUSE_PF_DIRTY;
      else check_access = CAUSE_OK;
    end
  endfunction

  // Svadu: the stores of a request's class: {may go to user pages, to supervisor pages}; loads and
  // execution: 0.
  localparam int CLASS_W = 2;
  function automatic logic [1:0] store_class(input logic [1:0] access, input logic user,
      input logic sum);
    store_class = access[0] ? {user | sum, !user} : 2'b00;
  endfunction
  // A walk is for pages of one key: {class, VFN} with Svadu, else the VFN (walk_key in names).
  function automatic int walk_key_w(input int vfn_w, input int svadu);
    walk_key_w = vfn_w + (svadu != 0 ? CLASS_W : 0);
  endfunction
  // Of the key that an L1 TLB looks for: one for all but the base entries, one for each 32 of
  // these; few share it.
  function automatic int l1_key_copies(input int base_entries);
    l1_key_copies = base_entries < 32 ? 1 : 1 + (base_entries + 31) / 32;
  endfunction
  // May what an L1 TLB fills be given in the cycle after the fill? Nobody reads it in a search.
  function automatic int l1_fill_late(input int colt, input int svadu, input int tlb_parity);
    l1_fill_late = 32'(colt == 0 && svadu == 0 && tlb_parity == 0);
  endfunction
  // May the class store there, but for D? perm = {D, U, X, W, R}.
  function automatic logic needs_dirty(input logic [4:0] perm, input logic [1:0] store);
    needs_dirty = perm[1] & !perm[4] & (perm[3] ? store[1] : store[0]);
  endfunction

  // Does an invalidation command concern the large frame of this page? (docs/invalidate.md: walks
  // and MSHRs) 0 without look. by_asid, a constant: a range counts as its whole address space.
  function automatic logic frame_match(input logic look, input logic by_asid,
                                       input logic [1:0] kind, input logic [15:0] cmd_asid,
                                       input logic [35:0] lo, input logic [35:0] hi,
                                       input logic [15:0] asid, input logic [35:0] vfn);
    logic in_range;
    begin
      frame_match = 1'b0;
      if (look) begin
        in_range = by_asid | (vfn[35:9] >= lo[35:9] & vfn[35:9] <= hi[35:9]);
        frame_match = kind == INV_ALL |
            (asid == cmd_asid & (kind == INV_ASID | (kind == INV_RANGE & in_range)));
      end
    end
  endfunction

endpackage
