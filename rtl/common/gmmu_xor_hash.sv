// SPDX-License-Identifier: Apache-2.0
// gmmu_xor_hash: W bits from InW, each the XOR of some, to spread addresses over channels, banks
// and sets. Rules: docs/dram_map.md. Combinational. Legal: W 1..16, InW at least 1.
`default_nettype none
module gmmu_xor_hash #(
  parameter int InW = 16,
  parameter int W   = 3
) (
  input  logic [InW-1:0] v_i,
  output logic [W-1:0]   hash_o
);
  localparam int P    = W < 5 ? 5 : W < 7 ? 7 : W < 11 ? 11 : 17;
  localparam int Keep = W < 3 ? 3 : W; // of each P bits

  if (W < 1 || W > 16 || InW < 1) begin : gen_bad
    gmmu_xor_hash_W_must_be_1_to_16 u_bad();
  end

  always_comb begin
    hash_o = '0;
    for (int k = 0; k < InW; k++)
        if (k % P < Keep) hash_o[(k % P) % W] = hash_o[(k % P) % W] ^ v_i[k];
  end
endmodule
`default_nettype wire
