// SPDX-License-Identifier: Apache-2.0
// gmmu_set_way: RAMs of one way of a set-associative array, tag and data, for one read port: the
// set is read in stage A, its word is there in stage B, one cycle later.
//
// new_i, in stage B: the word was written in the cycle of the read; it comes with new_tag_i and
// new_data_i (gmmu_set_write).
`default_nettype none
module gmmu_set_way #(
  parameter int Sets  = 32,
  parameter int TagW  = 40,
  parameter int DataW = 41,
  localparam int SetW = gmmu_pkg::idx_w(Sets)
) (
  input  logic             clk_i,
  // a write
  input  logic             we_i,
  input  logic [SetW-1:0]  set_i,
  input  logic [TagW-1:0]  tag_i,
  input  logic [DataW-1:0] data_i,
  // stage A
  input  logic             read_i,
  input  logic [SetW-1:0]  read_set_i,
  // stage B
  input  logic             new_i,
  input  logic [TagW-1:0]  new_tag_i,
  input  logic [DataW-1:0] new_data_i,
  output logic [TagW-1:0]  tag_o,
  output logic [DataW-1:0] data_o
);
  logic [TagW-1:0]  tag;
  logic [DataW-1:0] data;
  gmmu_ram #(.Width(TagW), .Depth(Sets)) u_tag (
    .clk_i, .we_i, .waddr_i(set_i), .wdata_i(tag_i), .re_i(read_i), .raddr_i(read_set_i),
    .rdata_o(tag)
  );
  gmmu_ram #(.Width(DataW), .Depth(Sets)) u_data (
    .clk_i, .we_i, .waddr_i(set_i), .wdata_i(data_i), .re_i(read_i), .raddr_i(read_set_i),
    .rdata_o(data)
  );
  assign tag_o  = new_i ? new_tag_i : tag;
  assign data_o = new_i ? new_data_i : data;
endmodule
`default_nettype wire
