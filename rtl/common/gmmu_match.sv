// SPDX-License-Identifier: Apache-2.0
// gmmu_match: which of N registers hold a key: the ways of a set, subregions of miss registers.
// Combinational. N >= 1, KeyW >= 1.
//
// A process for each, with nested ifs: a simulator then looks at the key of those only that can be
// found, and at none without a search.
`default_nettype none
module gmmu_match #(
  parameter int N    = 8,
  parameter int KeyW = 36
) (
  input  logic              look_i,
  input  logic [KeyW-1:0]   key_i,
  input  logic [N*KeyW-1:0] keys_i,
  input  logic [N-1:0]      open_i,    // those that can be found
  output logic [N-1:0]      found_o    // 0 without look_i
);
  for (genvar i = 0; i < N; i++) begin : gen_each
    logic [KeyW-1:0] key;
    logic            found;
    assign key = keys_i[i*KeyW +: KeyW];
    always_comb begin
      found = 1'b0;
      if (look_i) begin
        if (open_i[i]) found = key == key_i;
      end
    end
    assign found_o[i] = found;
  end
endmodule
`default_nettype wire
