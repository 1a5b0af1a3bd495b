// SPDX-License-Identifier: Apache-2.0
// gmmu_windows_add: does [first_i + first_add_i, last_i + last_add_i] (page frame numbers) lie
// inside one window that is allowed? Combinational; sums are not wrapped.
// A window with allow=0 is closed. Source: docs/faults.md (access faults).
//
// The sum is never made: pages above bit 9 are compared as they are and, where the low bits carry,
// as one more, which needs no chain of carries.
`default_nettype none
module gmmu_windows_add #(
  parameter int NumWindows = 4,
  parameter int PfnW       = 36
) (
  input  logic [NumWindows*PfnW-1:0] lo_i,
  input  logic [NumWindows*PfnW-1:0] hi_i,
  input  logic [NumWindows-1:0]      allow_i,
  input  logic [PfnW-1:0]            first_i,
  input  logic [8:0]                 first_add_i,
  input  logic [PfnW-1:0]            last_i,
  input  logic [8:0]                 last_add_i,
  output logic                       inside_o
);
  localparam int FrameW = PfnW - 9;

  localparam int N = FrameW;      // of gmmu_follows.svh
  `include "gmmu_follows.svh"

  logic [9:0]            first_low, last_low;
  logic [FrameW-1:0]     first, last;
  logic [NumWindows-1:0] in;
  assign first_low = {1'b0, first_i[8:0]} + {1'b0, first_add_i};
  assign last_low  = {1'b0, last_i[8:0]} + {1'b0, last_add_i};
  assign first     = first_i[PfnW-1:9];
  assign last      = last_i[PfnW-1:9];
  for (genvar w = 0; w < NumWindows; w++) begin : gen_window
    logic [FrameW-1:0] lo, hi;
    logic              above, on_lo, under_lo, below, on_hi, under_hi, low_ok, high_ok, from, to;
    assign lo       = lo_i[w*PfnW+9 +: FrameW];
    assign hi       = hi_i[w*PfnW+9 +: FrameW];
    assign above    = first > lo;
    assign on_lo    = first == lo;
    assign under_lo = follows(first, lo);
    assign below    = last < hi;
    assign on_hi    = last == hi;
    assign under_hi = follows(last, hi);
    assign low_ok   = first_low[8:0] >= lo_i[w*PfnW +: 9];
    assign high_ok  = last_low[8:0] <= hi_i[w*PfnW +: 9];
    assign from     = first_low[9] ? above | on_lo | (under_lo & low_ok) : above | (on_lo & low_ok);
    assign to       = last_low[9] ? below & (!under_hi | high_ok) : below | (on_hi & high_ok);
    assign in[w]    = allow_i[w] & from & to;
  end
  assign inside_o = |in;
endmodule
`default_nettype wire
