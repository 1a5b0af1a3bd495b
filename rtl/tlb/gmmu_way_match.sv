// SPDX-License-Identifier: Apache-2.0
// gmmu_way_match: which way of a set holds a tag, and what it holds. Combinational. An entry of
// Pages pages is found where the page page_i of it is valid; Pages 1 or 4.
`default_nettype none
module gmmu_way_match #(
  parameter int Ways  = 16,
  parameter int TagW  = 40,
  parameter int DataW = 41,
  parameter int Pages = 1,
  localparam int WayW = gmmu_pkg::idx_w(Ways)
) (
  input  logic                  search_i,
  input  logic [TagW-1:0]       tag_i,
  input  logic [1:0]            page_i,
  input  logic [Ways*TagW-1:0]  tags_i,
  input  logic [Ways*DataW-1:0] data_i,
  input  logic [Ways*Pages-1:0] valid_i,
  output logic                  hit_o,
  output logic [WayW-1:0]       way_o,
  output logic [DataW-1:0]      data_o,
  output logic [Pages-1:0]      pages_o   // of the entry
);
  logic [Ways-1:0] found, open;
  for (genvar w = 0; w < Ways; w++) begin : gen_open
    if (Pages == 1) begin : gen_one
      assign open[w] = valid_i[w];
    end else begin : gen_page
      assign open[w] = valid_i[w*Pages + 32'(page_i)];
    end
  end
  gmmu_match #(.N(Ways), .KeyW(TagW)) u_match (
    .look_i(search_i), .key_i(tag_i), .keys_i(tags_i), .open_i(open), .found_o(found)
  );
  always_comb begin
    way_o   = '0;
    data_o  = '0;
    pages_o = '0;
    for (int w = 0; w < Ways; w++) begin
      if (found[w]) begin
        way_o   = way_o | WayW'(w);
        data_o  = data_o | data_i[w*DataW +: DataW];
        pages_o = pages_o | valid_i[w*Pages +: Pages];
      end
    end
  end
  assign hit_o = |found;
  if (Pages == 1) begin : gen_no_page
    logic unused_page;
    assign unused_page = ^page_i;
  end
endmodule
`default_nettype wire
