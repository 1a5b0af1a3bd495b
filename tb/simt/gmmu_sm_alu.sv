// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_alu: what the lanes of a warp compute in one cycle: RV32I, multiplication, branch
// conditions, jump targets, addresses.
// No state. Flat vectors, lane 0 in the lowest bits. a_i, b_i: rs1 and rs2 (0 where the register is
// x0). res_o: rd; taken_o: branch taken, by lane; sum_o: rs1 + immediate (addresses; targets of
// JALR with bit 0 cleared).
`default_nettype none
module gmmu_sm_alu #(
  parameter int Lanes = 32
) (
  input  logic [31:0]         ir_i,
  input  logic [3:0]          unit_i,
  input  logic [31:0]         pc_i,
  input  logic [Lanes*32-1:0] a_i,
  input  logic [Lanes*32-1:0] b_i,
  output logic [Lanes*32-1:0] res_o,
  output logic [Lanes-1:0]    taken_o,
  output logic [Lanes*32-1:0] sum_o
);
  `include "gmmu_sm_ops.svh"
  logic [2:0]  f3;
  logic        imm, alt;
  logic [31:0] i_imm, s_imm, off;
  assign f3    = ir_i[14:12];
  assign imm   = !ir_i[5];                                   // OP-IMM against OP
  assign alt   = ir_i[30];
  assign i_imm = {{20{ir_i[31]}}, ir_i[31:20]};
  assign s_imm = {{20{ir_i[31]}}, ir_i[31:25], ir_i[11:7]};

  // Immediate of an address: S for stores (0x23, and 0x2b with funct3[2]), none for atomics, else
  // I.
  always_comb begin
    off = i_imm;
    if (ir_i[6:0] == 7'h23 || (ir_i[6:0] == 7'h2b && f3[2])) off = s_imm;
    if (ir_i[6:0] == 7'h2f) off = 32'd0;
  end
  always_comb begin : addresses
    sum_o = '0;
    if (unit_i == U_MEM || unit_i == U_JUMP) begin
      for (int l = 0; l < Lanes; l++) sum_o[l*32 +: 32] = a_i[l*32 +: 32] + off;
      if (unit_i == U_JUMP) for (int l = 0; l < Lanes; l++) sum_o[l*32] = 1'b0;
    end
  end

  always_comb begin : branches
    logic [31:0] x, y;
    logic        lt, c;
    taken_o = '0;
    x       = '0;
    y       = '0;
    lt      = 1'b0;
    c       = 1'b0;
    if (unit_i == U_BRANCH) begin
      for (int l = 0; l < Lanes; l++) begin
        x  = a_i[l*32 +: 32];
        y  = b_i[l*32 +: 32];
        lt = f3[1] ? x < y : $signed(x) < $signed(y);
        c  = f3[2] ? lt : x == y;
        taken_o[l] = c ^ f3[0];
      end
    end
  end

  always_comb begin : compute
    logic [31:0] x, y, r;
    logic [63:0] m;
    res_o = '0;
    x     = '0;
    y     = '0;
    r     = '0;
    m     = '0;
    // one value for all lanes: link, LUI, AUIPC
    if (unit_i == U_JUMP || (unit_i == U_ALU && ir_i[2])) begin
      r = ir_i[6] ? pc_i + 32'd4 : ir_i[5] ? {ir_i[31:12], 12'd0} : pc_i + {ir_i[31:12], 12'd0};
      for (int l = 0; l < Lanes; l++) res_o[l*32 +: 32] = r;
    end else if (unit_i == U_ALU) begin
      for (int l = 0; l < Lanes; l++) begin
        x = a_i[l*32 +: 32];
        y = imm ? i_imm : b_i[l*32 +: 32];
        case (f3)
          3'd0: r = alt && !imm ? x - y : x + y;
          3'd1: r = x << y[4:0];
          3'd2: r = {31'd0, $signed(x) < $signed(y)};
          3'd3: r = {31'd0, x < y};
          3'd4: r = x ^ y;
          3'd5: begin
            if (alt) r = $unsigned($signed(x) >>> y[4:0]);
            else r = x >> y[4:0];
          end
          3'd6: r = x | y;
          default: r = x & y;
        endcase
        res_o[l*32 +: 32] = r;
      end
    end else if (unit_i == U_MUL) begin
      for (int l = 0; l < Lanes; l++) begin
        x = a_i[l*32 +: 32];
        y = b_i[l*32 +: 32];
        m = {{32{x[31] && f3[1:0] != 2'd3}}, x} * {{32{y[31] && !f3[1]}}, y};
        res_o[l*32 +: 32] = f3[1:0] == 2'd0 ? m[31:0] : m[63:32];
      end
    end
  end
endmodule
`default_nettype wire
