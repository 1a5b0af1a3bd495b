// SPDX-License-Identifier: Apache-2.0
// The command in cmd_i: 0 everything, 1 kind 3 (everything before gmmu_invalidate, nothing behind
// it), 2 an address space, 3 pages of one frame, 4 a whole frame, 5 pages of several frames.
  logic [1:0]       kind;
  logic [AsidW-1:0] cmd_asid;
  logic [35:0]      cmd_lo, cmd_hi;
  logic [2:0]       command;
  assign {kind, cmd_asid, cmd_lo, cmd_hi} = cmd_i;
  assign command = kind == gmmu_pkg::INV_ALL ? 3'd0 : kind == gmmu_pkg::INV_NONE ? 3'd1 :
      kind == gmmu_pkg::INV_ASID ? 3'd2 :
      cmd_lo[35:9] != cmd_hi[35:9] ? 3'd5 : cmd_lo[8:0] == '0 & (&cmd_hi[8:0]) ? 3'd4 : 3'd3;
