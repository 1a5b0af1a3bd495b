// SPDX-License-Identifier: Apache-2.0
// gmmu_types.svh: struct types, included inside module bodies after the port list. The module
// defines PfnW and AsidW. No include guard: each module needs its own copy (docs/rtl-subset.md).

  // A finished translation. pfn: of the 4 KiB page, or of the first page of the 2 MiB frame.
  typedef struct packed {
    logic [4:0]      cause;    // 0, or the fault; the rest is then 0
    logic            lg;       // 2 MiB translation
    logic            no_fill;  // answer only, fill no TLB
    logic [4:0]      perm;     // D, U, X, W, R
    logic [PfnW-1:0] pfn;
  } xlate_t;

  // An invalidation command.
  typedef struct packed {
    logic [1:0]       kind;
    logic [AsidW-1:0] asid;
    logic [35:0]      lo;      // first VFN
    logic [35:0]      hi;      // last VFN
  } cmd_t;
