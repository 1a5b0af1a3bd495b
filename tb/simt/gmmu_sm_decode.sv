// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_decode: an instruction's unit, the registers that the scoreboard has to look at, and how
// often it is read out.
// No state. unit_o: gmmu_sm_ops.svh. uses_o: bit r: register r is read or written (bit 0 never
// set). words_o: registers of its data operand (stores of 8 and 16 bytes 2 and 4; compare and swap
// 2: rs2, rd; else 1). rds_o: registers that a load or an atomic brings later (bits of uses_o).
// wr_o: writes rd at the end of the pipeline.
`default_nettype none
module gmmu_sm_decode (
  input  logic [31:0] ir_i,
  output logic [3:0]  unit_o,
  output logic        wr_o,
  output logic [2:0]  words_o,
  output logic [31:0] uses_o,
  output logic [31:0] rds_o
);
  `include "gmmu_sm_ops.svh"
  logic [6:0] op, f7;
  logic [2:0] f3;
  logic [4:0] rd, rs1, rs2;
  logic       r1, r2, wd, later;
  logic [2:0] span, span2;    // registers from rd, from rs2
  assign {f7, rs2, rs1, f3, rd, op} = ir_i;

  always_comb begin : decode
    unit_o  = U_ILLEGAL;
    r1      = 1'b0;
    r2      = 1'b0;
    wd      = 1'b0;
    later   = 1'b0;
    words_o = 3'd1;
    span    = 3'd1;
    span2   = 3'd1;
    case (op)
      7'h37, 7'h17: begin unit_o = U_ALU; wd = 1'b1; end
      7'h6f: begin unit_o = U_JUMP; wd = 1'b1; end
      7'h67: if (f3 == 3'd0) begin unit_o = U_JUMP; wd = 1'b1; r1 = 1'b1; end
      7'h63: if (f3[2:1] != 2'd1) begin unit_o = U_BRANCH; r1 = 1'b1; r2 = 1'b1; end
      7'h03: if (f3 != 3'd3 && f3[2:1] != 2'd3) begin unit_o = U_MEM; r1 = 1'b1; wd = 1'b1;
          later = 1'b1; end
      7'h23: if (f3 <= 3'd2) begin unit_o = U_MEM; r1 = 1'b1; r2 = 1'b1; end
      7'h13: begin
        r1 = 1'b1;
        wd = 1'b1;
        if (f3 == 3'd1 ? f7 == 7'd0 : f3 == 3'd5 ? (f7 & 7'h5f) == 7'd0 : 1'b1) unit_o = U_ALU;
      end
      7'h33: begin
        r1 = 1'b1;
        r2 = 1'b1;
        wd = 1'b1;
        if (f7 == 7'd0 || (f7 == 7'h20 && (f3 == 3'd0 || f3 == 3'd5))) unit_o = U_ALU;
        else if (f7 == 7'd1 && !f3[2]) unit_o = U_MUL;
        else if (f7 == 7'd1) begin unit_o = U_DIV; later = 1'b1; end
      end
      7'h0f: if (f3 == 3'd0) unit_o = U_FENCE;
      7'h73: begin
        if (ir_i == 32'h00000073 || ir_i == 32'h00100073) unit_o = U_END;
        else if (f3 == 3'd2 && rs1 == 5'd0) begin
          case (ir_i[31:20])
            12'hc00, 12'hc80, 12'hc02, 12'hcc0, 12'hcc1, 12'hcc2, 12'hcc3, 12'hcc4,
                12'hcc5: begin unit_o = U_CSR; wd = 1'b1; end
            default: ;
          endcase
        end
      end
      7'h2f: if (f3 == 3'd2 && (f7[6:2] == 5'd0 || f7[6:2] == 5'd1 || f7[6:2] == 5'd5)) begin
        unit_o = U_MEM;
        r1     = 1'b1;
        r2     = 1'b1;
        wd     = 1'b1;
        later  = 1'b1;
        if (f7[6:2] == 5'd5) words_o = 3'd2;
      end
      7'h0b: begin
        r1 = 1'b1;
        case (f3)
          3'd0: if (f7 <= 7'd2) begin unit_o = U_VOTE; wd = 1'b1; end
          3'd1: if (f7 == 7'd0) begin unit_o = U_VOTE; wd = 1'b1; r2 = 1'b1; end
          3'd2: if (f7 <= 7'd1) begin unit_o = U_VOTE; wd = 1'b1; end
          3'd3: if (f7 == 7'd0) unit_o = U_WSYNC;
                else if (f7 == 7'd1) begin unit_o = U_BAR; r1 = 1'b0; end
                else if (f7 == 7'd2) unit_o = U_ABORT;
          default: ;
        endcase
      end
      7'h2b: begin
        r1 = 1'b1;
        case (f3)
          3'd0: if (rd != 5'd0 && rd <= 5'd30) begin unit_o = U_MEM; wd = 1'b1; later = 1'b1;
              span = 3'd2; end
          3'd1: if (rd != 5'd0 && rd <= 5'd28) begin unit_o = U_MEM; wd = 1'b1; later = 1'b1;
              span = 3'd4; end
          3'd4: if (rs2 <= 5'd30) begin unit_o = U_MEM; r2 = 1'b1; span2 = 3'd2; words_o = 3'd2; end
          3'd5: if (rs2 <= 5'd28) begin unit_o = U_MEM; r2 = 1'b1; span2 = 3'd4; words_o = 3'd4; end
          default: ;
        endcase
      end
      default: ;
    endcase
    if (unit_o == U_ILLEGAL) begin
      r1      = 1'b0;
      r2      = 1'b0;
      wd      = 1'b0;
      later   = 1'b0;
      words_o = 3'd1;
    end
  end

  logic [31:0] d_mask, s_mask;
  assign d_mask = 32'({span[2], span[2], |span[2:1], 1'b1}) << rd;
  assign s_mask = 32'({span2[2], span2[2], |span2[2:1], 1'b1}) << rs2;
  assign rds_o  = (wd && later ? d_mask : 32'd0) & ~32'd1;
  assign uses_o = ((wd ? d_mask : 32'd0) | (r1 ? 32'd1 << rs1 : 32'd0) | (r2 ? s_mask : 32'd0)) &
      ~32'd1;
  assign wr_o   = wd && !later && rd != 5'd0;
endmodule
`default_nettype wire
