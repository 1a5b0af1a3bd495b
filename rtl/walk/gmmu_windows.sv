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
  logic [NumWindows-1:0] in;
  for (genvar w = 0; w < NumWindows; w++) begin : gen_window
    assign in[w] = allow_i[w] & lo_i[w*PfnW +: PfnW] <= first_i & hi_i[w*PfnW +: PfnW] >= last_i;
  end
  assign inside_o = |in;
endmodule
`default_nettype wire
