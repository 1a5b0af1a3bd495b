// SPDX-License-Identifier: Apache-2.0
// gmmu_set_write: what an array wrote in the cycle before, for those of its sets that were read in
// that cycle. write_q_o says whether it wrote at all; the rest is not reset.
`default_nettype none
module gmmu_set_write #(
  parameter int SetW  = 5,
  parameter int WayW  = 4,
  parameter int TagW  = 40,
  parameter int DataW = 41
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             we_i,
  input  logic [SetW-1:0]  set_i,
  input  logic [WayW-1:0]  way_i,
  input  logic [TagW-1:0]  tag_i,
  input  logic [DataW-1:0] data_i,
  output logic             write_q_o,
  output logic [SetW-1:0]  write_set_q_o,
  output logic [WayW-1:0]  write_way_q_o,
  output logic [TagW-1:0]  write_tag_q_o,
  output logic [DataW-1:0] write_data_q_o
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) write_q_o <= 1'b0;
    else write_q_o <= we_i;
  end
  gmmu_clkgate #(.Width(SetW + WayW + TagW + DataW)) u_write (
    .clk_i, .en_i(we_i), .d_i({set_i, way_i, tag_i, data_i}),
    .q_o({write_set_q_o, write_way_q_o, write_tag_q_o, write_data_q_o})
  );
endmodule
`default_nettype wire
