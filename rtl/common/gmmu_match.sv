// SPDX-License-Identifier: Apache-2.0
// gmmu_match: which of N registers hold a key: the search of miss registers and of the ways of a
// set. Combinational. N >= 1, KeyW >= 1.
//
// Nested ifs: simulators then look at the state of those with the key only, which makes a search
// several times faster.
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
  always_comb begin
    found_o = '0;
    if (look_i) begin
      for (int i = 0; i < N; i++) begin
        if (keys_i[i*KeyW +: KeyW] == key_i) begin
          if (open_i[i]) found_o[i] = 1'b1;
        end
      end
    end
  end
endmodule
`default_nettype wire
