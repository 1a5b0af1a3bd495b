// SPDX-License-Identifier: Apache-2.0
// gmmu_windows: does [first_i, last_i] (page frame numbers) lie inside one window that is allowed?
// Combinational.
// A window with allow=0 is closed. Source: docs/faults.md (access faults).
`default_nettype none
module gmmu_windows #(
  parameter int NumWindows = 4,
  parameter int PfnW       = 36
) (
  input  logic [NumWindows*PfnW-1:0] lo_i,
  input  logic [NumWindows*PfnW-1:0] hi_i,
  input  logic [NumWindows-1:0]      allow_i,
  input  logic [PfnW-1:0]            first_i,
  input  logic [PfnW-1:0]            last_i,
  output logic                       inside_o
);
  gmmu_windows_add #(.NumWindows(NumWindows), .PfnW(PfnW)) u_add (
    .lo_i, .hi_i, .allow_i, .first_i, .first_add_i(9'd0), .last_i, .last_add_i(9'd0), .inside_o
  );
endmodule
`default_nettype wire
