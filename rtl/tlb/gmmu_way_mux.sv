// SPDX-License-Identifier: Apache-2.0
// gmmu_way_mux: the way of a set that was found, and what it holds: the OR of what its ways give.
// At most one is found. An entry is one page, or up to four (Pages 1 or 4).
`default_nettype none
module gmmu_way_mux #(
  parameter int Ways  = 16,
  parameter int DataW = 41,
  parameter int Pages = 1,
  localparam int WayW = gmmu_pkg::idx_w(Ways)
) (
  input  logic [Ways-1:0]       found_i,
  input  logic [Ways*DataW-1:0] data_i,    // 0 of ways that are not found
  input  logic [Ways*Pages-1:0] valid_i,
  output logic                  hit_o,
  output logic [WayW-1:0]       way_o,
  output logic [DataW-1:0]      data_o,
  output logic [Pages-1:0]      pages_o    // of the entry
);
  localparam int N = Ways;
  `include "gmmu_first.svh"
  assign hit_o = |found_i;
  assign way_o = index(found_i);
  always_comb begin
    data_o  = '0;
    pages_o = '0;
    for (int w = 0; w < Ways; w++) begin
      `GMMU_USED(found_i[w]) data_o = data_o | data_i[w*DataW +: DataW];
      if (found_i[w]) pages_o = pages_o | valid_i[w*Pages +: Pages];
    end
  end
endmodule
`default_nettype wire
