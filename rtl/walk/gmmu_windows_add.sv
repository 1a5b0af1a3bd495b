// SPDX-License-Identifier: Apache-2.0
// gmmu_windows_add: does [first_i + first_add_i, last_i + last_add_i] (page frame numbers) lie
// inside one window that is allowed? Combinational; sums are not wrapped.
// A window with allow=0 is closed. Source: docs/faults.md (access faults).
//
// Sum and comparison are one operation, the sign of three numbers, so that only one carry chain
// stands behind the other.
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
  logic [NumWindows-1:0] in;
  for (genvar w = 0; w < NumWindows; w++) begin : gen_window
    logic [PfnW+1:0] from_lo, to_hi;   // top bit: negative
    assign from_lo = (PfnW+2)'(first_i) + (PfnW+2)'(first_add_i) -
                     (PfnW+2)'(lo_i[w*PfnW +: PfnW]);
    assign to_hi   = (PfnW+2)'(hi_i[w*PfnW +: PfnW]) - (PfnW+2)'(last_i) -
                     (PfnW+2)'(last_add_i);
    assign in[w]   = allow_i[w] & !from_lo[PfnW+1] & !to_hi[PfnW+1];
  end
  assign inside_o = |in;
endmodule
`default_nettype wire
