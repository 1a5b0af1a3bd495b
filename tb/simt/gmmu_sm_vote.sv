// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_vote: instructions across the lanes of a warp: all, any, ballot, shfl, popc, ffs. No
// state. mask_i: active lanes.
`default_nettype none
module gmmu_sm_vote #(
  parameter int Lanes = 32
) (
  input  logic                en_i,
  input  logic [31:0]         ir_i,
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes*32-1:0] a_i,
  input  logic [Lanes*32-1:0] b_i,
  output logic [Lanes*32-1:0] res_o
);
  localparam int LaneW = $clog2(Lanes);
  logic [Lanes-1:0] set;
  always_comb begin
    set = '0;
    if (en_i) for (int l = 0; l < Lanes; l++) set[l] = |a_i[l*32 +: 32];
  end
  always_comb begin : vote
    logic [31:0]      r, x;
    logic [LaneW-1:0] from;
    res_o = '0;
    r     = '0;
    x     = '0;
    from  = '0;
    if (en_i) begin
      case (ir_i[14:12])
        3'd0: begin
          if (ir_i[26]) r[Lanes-1:0] = set & mask_i;
          else r[0] = ir_i[25] ? |(set & mask_i) : &(set | ~mask_i);
          for (int l = 0; l < Lanes; l++) res_o[l*32 +: 32] = r;
        end
        3'd1: for (int l = 0; l < Lanes; l++) begin
          from = b_i[l*32 +: LaneW];
          res_o[l*32 +: 32] = a_i[from*32 +: 32];
        end
        default: for (int l = 0; l < Lanes; l++) begin
          x = a_i[l*32 +: 32];
          // up to the lowest one: its index + 1 ones, 32 for none
          if (ir_i[25]) x = x ^ (x - 32'd1);
          r = 32'($countones(x));
          if (ir_i[25] && !set[l]) r = 32'd0;
          res_o[l*32 +: 32] = r;
        end
      endcase
    end
  end
endmodule
`default_nettype wire
