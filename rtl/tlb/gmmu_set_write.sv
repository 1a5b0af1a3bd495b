// SPDX-License-Identifier: Apache-2.0
// gmmu_set_write: what an array wrote in the cycle before, for those of its sets that were read in
// that cycle. write_hot_q_o: the way, or none; the rest is not reset.
`default_nettype none
module gmmu_set_write #(
  parameter int SetW  = 5,
  parameter int Ways  = 16,
  parameter int TagW  = 40,
  parameter int DataW = 41
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             we_i,
  input  logic [SetW-1:0]  set_i,
  input  logic [Ways-1:0]  hot_i,    // 0 without we_i
  input  logic [TagW-1:0]  tag_i,
  input  logic [DataW-1:0] data_i,
  output logic [SetW-1:0]  write_set_q_o,
  output logic [Ways-1:0]  write_hot_q_o,
  output logic [TagW-1:0]  write_tag_q_o,
  output logic [DataW-1:0] write_data_q_o
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) write_hot_q_o <= '0;
    else write_hot_q_o <= hot_i;
  end
  gmmu_clkgate #(.Width(SetW + TagW + DataW)) u_write (
    .clk_i, .en_i(we_i), .d_i({set_i, tag_i, data_i}),
    .q_o({write_set_q_o, write_tag_q_o, write_data_q_o})
  );
endmodule
`default_nettype wire
