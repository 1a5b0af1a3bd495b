// SPDX-License-Identifier: Apache-2.0
// gmmu_cam_rams: what a fully associative array reads of one entry at a time, in RAMs with reads of
// the same cycle: a second copy of the tags, for the sweep, and the data. Part of gmmu_tlb_cam with
// GMMU_FPGA defined, as LUTs that are RAM cost less than flip-flops and multiplexers.
// Legal: N >= 2.
`default_nettype none
module gmmu_cam_rams #(
  parameter int N     = 16,
  parameter int TagW  = 31,
  parameter int DataW = 26,
  localparam int WayW = gmmu_pkg::idx_w(N)
) (
  input  logic             clk_i,
  input  logic [N-1:0]     into_i,       // one-hot or 0: whose tag is written
  input  logic [TagW-1:0]  tag_i,
  input  logic [N-1:0]     data_into_i,
  input  logic [DataW-1:0] data_i,
  input  logic [WayW-1:0]  at_i,
  output logic [TagW-1:0]  tag_o,        // of the entry at_i
  input  logic [N-1:0]     found_i,      // one-hot, or 0: any data
  output logic [DataW-1:0] data_o
);
  logic [TagW-1:0]  tags [0:N-1];
  logic [DataW-1:0] data [0:N-1];
  logic [WayW-1:0]  into, data_into, found;      // their numbers
  always_comb begin
    into      = '0;
    data_into = '0;
    found     = '0;
    for (int i = 0; i < N; i++) begin
      if (into_i[i]) into = into | WayW'(i);
      if (data_into_i[i]) data_into = data_into | WayW'(i);
      if (found_i[i]) found = found | WayW'(i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (|into_i) tags[into] <= tag_i;
    if (|data_into_i) data[data_into] <= data_i;
  end
  assign tag_o  = tags[at_i];
  assign data_o = data[found];
endmodule
`default_nettype wire
