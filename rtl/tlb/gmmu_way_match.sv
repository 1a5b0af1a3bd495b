// SPDX-License-Identifier: Apache-2.0
// gmmu_way_match: does one way of a set, as stage B sees it (gmmu_set_way), hold a tag? With what
// it then gives to the OR of all ways (gmmu_way_mux). Combinational.
`default_nettype none
module gmmu_way_match #(
  parameter int TagW  = 40,
  parameter int DataW = 41
) (
  input  logic             search_i,
  input  logic [TagW-1:0]  key_i,
  input  logic [TagW-1:0]  tag_i,
  input  logic [DataW-1:0] data_i,
  input  logic             open_i,    // the way can be found: it is valid
  output logic             found_o,
  output logic [DataW-1:0] data_o     // 0 if it is not found
);
  gmmu_match #(.N(1), .KeyW(TagW)) u_match (
    .look_i(search_i), .key_i, .keys_i(tag_i), .open_i, .found_o
  );
  assign data_o = found_o ? data_i : '0;
endmodule
`default_nettype wire
