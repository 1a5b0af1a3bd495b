// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_pack: the 64-byte line that the lanes of a group write, and its byte mask. Where lanes
// write the same byte the highest wins.
// cas_i: one lane (the data of others is not looked at): data words 0 and 1 are the new value and
// what it is compared with; the compare value lies at the word, the new value in the other half of
// its 8 bytes (AXI5). No state.
`default_nettype none
module gmmu_sm_pack #(
  parameter int Lanes = 32
) (
  input  logic                  en_i,
  input  logic [Lanes-1:0]      group_i,
  input  logic [Lanes*32-1:0]   addr_i,
  input  logic [4*Lanes*32-1:0] data_i,    // word 0 of all lanes in the lowest bits
  input  logic [2:0]            size_i,    // log2 of bytes, 0..4
  input  logic                  cas_i,
  output logic [511:0]          line_o,
  output logic [63:0]           strb_o
);
  always_comb begin : pack
    logic [5:0]  at;
    logic [31:0] w;
    line_o = '0;
    strb_o = '0;
    at     = '0;
    w      = '0;
    if (en_i) begin
      for (int l = 0; l < Lanes; l++) begin
        if (group_i[l]) begin
          at = addr_i[l*32 +: 6];
          w  = data_i[l*32 +: 32];
          if (cas_i) begin
            line_o[{at[5:2], 5'd0} +: 32]         = data_i[Lanes*32 + l*32 +: 32];
            line_o[{at[5:2] ^ 4'd1, 5'd0} +: 32]  = w;
            strb_o[{at[5:3], 3'd0} +: 8]          = 8'hff;
          end else if (size_i == 3'd0) begin
            line_o[{at, 3'd0} +: 8] = w[7:0];
            strb_o[at]              = 1'b1;
          end else if (size_i == 3'd1) begin
            line_o[{at[5:1], 4'd0} +: 16] = w[15:0];
            strb_o[{at[5:1], 1'd0} +: 2]  = 2'b11;
          end else begin
            line_o[{at[5:2], 5'd0} +: 32] = w;
            strb_o[{at[5:2], 2'd0} +: 4]  = 4'hf;
            if (size_i >= 3'd3) begin
              line_o[{at[5:3], 1'b1, 5'd0} +: 32] = data_i[Lanes*32 + l*32 +: 32];
              strb_o[{at[5:3], 3'd4} +: 4]        = 4'hf;
            end
            if (size_i == 3'd4) begin
              line_o[{at[5:4], 2'd2, 5'd0} +: 64] = {data_i[3*Lanes*32 + l*32 +: 32],
                  data_i[2*Lanes*32 + l*32 +: 32]};
              strb_o[{at[5:4], 4'd8} +: 8]        = 8'hff;
            end
          end
        end
      end
    end
  end
endmodule
`default_nettype wire
