// SPDX-License-Identifier: Apache-2.0
// gmmu_simt: a small SIMT core, an example of what stands in front of gmmu_axi; not a product.
// Instruction set and assembler:
// tb/softcore/simt_asm.h; docs/softcore.md.
//
// Warps of Lanes lanes take turns, one instruction each. Fetches go out on the I port (single
// 8-byte beats, two instructions), loads and stores of the active lanes one behind the other on the
// D port (4 bytes, ID = lane); the core then waits for all of them. It looks at no response code: a
// fault must not end its access (stall mode), as in the soft-cores of docs/integration.md.
`default_nettype none
module gmmu_simt #(
  parameter int Lanes = 4,
  parameter int Warps = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,        // pulse: all warps begin at pc_i with r2 = arg_i
  input  logic [31:0] pc_i,
  input  logic [31:0] arg_i,
  output logic        busy_o,
  output logic        retired_o,      // pulse: an instruction is done
  // I port: AXI4 reads
  output logic        i_arvalid_o,
  input  logic        i_arready_i,
  output logic [31:0] i_araddr_o,
  input  logic        i_rvalid_i,
  output logic        i_rready_o,
  input  logic [63:0] i_rdata_i,
  // D port: AXI4, single beats of 4 bytes
  output logic        d_arvalid_o,
  input  logic        d_arready_i,
  output logic [3:0]  d_arid_o,
  output logic [31:0] d_araddr_o,
  input  logic        d_rvalid_i,
  output logic        d_rready_o,
  input  logic [3:0]  d_rid_i,
  input  logic [63:0] d_rdata_i,
  output logic        d_awvalid_o,
  input  logic        d_awready_i,
  output logic [3:0]  d_awid_o,
  output logic [31:0] d_awaddr_o,
  output logic        d_wvalid_o,
  input  logic        d_wready_i,
  output logic [63:0] d_wdata_o,
  output logic [7:0]  d_wstrb_o,
  input  logic        d_bvalid_i,
  output logic        d_bready_o
);
  localparam int WarpW = $clog2(Warps);
  localparam int LaneW = $clog2(Lanes);
  localparam int Deep  = 4;             // masks on the stack of a warp

  localparam logic [2:0] ST_IDLE = 3'd0, ST_FETCH = 3'd1, ST_WAIT_I = 3'd2, ST_EXEC = 3'd3,
      ST_MEM = 3'd4, ST_DRAIN = 3'd5, ST_NEXT = 3'd6;
  localparam logic [5:0] HALT = 6'd0, ADD = 6'd1, SUB = 6'd2, MUL = 6'd3, AND = 6'd4, OR = 6'd5,
      XOR = 6'd6, SLL = 6'd7, SRL = 6'd8,
                         ADDI = 6'd9, LUI = 6'd10, ORI = 6'd11, LD = 6'd12, ST = 6'd13, SLT = 6'd14,
                             SEQ = 6'd15, IF = 6'd16, ELSE = 6'd17,
                         ENDIF = 6'd18, BANY = 6'd19, JMP = 6'd20, TID = 6'd21, NTH = 6'd22,
                             WHILE = 6'd23;

  logic [2:0]        state_q;
  logic [WarpW-1:0]  warp_q;
  logic [Warps-1:0]  run_q;
  logic [31:0]       warp_pc_q   [0:Warps-1];
  logic [Lanes-1:0]  mask_q [0:Warps-1];
  logic [Lanes*Deep-1:0] stack_q [0:Warps-1];
  logic [31:0]       regs   [0:Warps*Lanes*16-1];
  logic [31:0]       insn_q;
  logic [LaneW:0]    lane_q;            // next lane of a load or store
  logic [LaneW:0]    wait_q;            // accesses on their way
  logic              aw_taken_q, w_taken_q;         // this lane's address, data are taken

  logic [5:0]        op;
  logic [3:0]        rd, ra, rb;
  logic [31:0]       imm, upper;
  assign {op, rd, ra, rb} = insn_q[31:14];
  assign imm   = 32'($signed(insn_q[13:0]));
  assign upper = {insn_q[17:0], 14'd0};

  logic [Lanes-1:0]  mask, cond;
  logic [31:0]       lane_addr, lane_data;
  logic              lane_on, memory, more;
  assign mask = mask_q[warp_q];
  always_comb begin
    for (int l = 0; l < Lanes; l++) cond[l] = regs[(32'(warp_q) * Lanes + l) * 16 + 32'(ra)] != '0;
  end
  assign memory    = op == LD | op == ST;
  assign more      = 32'(lane_q) < Lanes;
  assign lane_on   = more & mask[lane_q[LaneW-1:0]];
  assign lane_addr = regs[(32'(warp_q) * Lanes + 32'(lane_q[LaneW-1:0])) * 16 + 32'(ra)] + imm;
  assign lane_data = regs[(32'(warp_q) * Lanes + 32'(lane_q[LaneW-1:0])) * 16 + 32'(rb)];

  assign i_arvalid_o = state_q == ST_FETCH;
  assign i_araddr_o  = {warp_pc_q[warp_q][31:3], 3'd0};
  assign i_rready_o  = state_q == ST_WAIT_I;
  assign d_arvalid_o = state_q == ST_MEM & lane_on & op == LD;
  assign d_awvalid_o = state_q == ST_MEM & lane_on & op == ST & !aw_taken_q;
  assign d_wvalid_o  = state_q == ST_MEM & lane_on & op == ST & !w_taken_q;
  assign d_arid_o    = 4'(lane_q);
  assign d_awid_o    = 4'(lane_q);
  assign d_araddr_o  = lane_addr;
  assign d_awaddr_o  = lane_addr;
  assign d_wdata_o   = {2{lane_data}};
  assign d_wstrb_o   = lane_addr[2] ? 8'hf0 : 8'h0f;
  assign d_rready_o  = 1'b1;
  assign d_bready_o  = 1'b1;
  assign busy_o      = state_q != ST_IDLE;
  assign retired_o   = state_q == ST_NEXT;

  logic sent, back;
  assign sent = (d_arvalid_o & d_arready_i) |
                (state_q == ST_MEM & lane_on & op == ST &
                    (aw_taken_q | (d_awvalid_o & d_awready_i)) &
                    (w_taken_q | (d_wvalid_o & d_wready_i)));
  assign back = d_rvalid_i | d_bvalid_i;

  // Which half of a loaded double word: kept for each lane.
  logic [Lanes-1:0] high_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= ST_IDLE;
      run_q      <= '0;
      warp_q     <= '0;
      wait_q     <= '0;
      aw_taken_q <= 1'b0;
      w_taken_q  <= 1'b0;
    end else begin
      wait_q <= wait_q + (LaneW+1)'(sent) - (LaneW+1)'(back);
      if (d_rvalid_i) regs[(32'(warp_q) * Lanes + 32'(d_rid_i)) * 16 + 32'(rd)] <=
          high_q[d_rid_i[LaneW-1:0]] ? d_rdata_i[63:32] : d_rdata_i[31:0];
      case (state_q)
        ST_IDLE: if (start_i) begin
          run_q  <= '1;
          warp_q <= '0;
          for (int w = 0; w < Warps; w++) begin
            warp_pc_q[w] <= pc_i;
            mask_q[w]    <= '1;
            for (int l = 0; l < Lanes; l++) begin
              regs[(w * Lanes + l) * 16]     <= '0;
              regs[(w * Lanes + l) * 16 + 2] <= arg_i;
            end
          end
          state_q <= ST_FETCH;
        end
        ST_FETCH: if (i_arready_i) state_q <= ST_WAIT_I;
        ST_WAIT_I: if (i_rvalid_i) begin
          insn_q  <= warp_pc_q[warp_q][2] ? i_rdata_i[63:32] : i_rdata_i[31:0];
          lane_q  <= '0;
          state_q <= ST_EXEC;
        end
        ST_EXEC: begin
          warp_pc_q[warp_q] <= warp_pc_q[warp_q] + 32'd4;
          state_q           <= memory ? ST_MEM : ST_NEXT;
          for (int l = 0; l < Lanes; l++) begin : lane
            logic [31:0] a, b, r;
            int          at;
            at = (32'(warp_q) * Lanes + l) * 16;
            a  = regs[at + 32'(ra)];
            b  = regs[at + 32'(rb)];
            case (op)
              ADD:     r = a + b;
              SUB:     r = a - b;
              MUL:     r = a * b;
              AND:     r = a & b;
              OR:      r = a | b;
              XOR:     r = a ^ b;
              SLL:     r = a << b[4:0];
              SRL:     r = a >> b[4:0];
              ADDI:    r = a + imm;
              LUI:     r = upper;
              ORI:     r = a | {18'd0, imm[13:0]};
              SLT:     r = 32'(a < b);
              SEQ:     r = 32'(a == b);
              TID:     r = 32'(warp_q) * Lanes + l;
              default: r = Warps * Lanes;   // NTH
            endcase
            if (mask[l] & rd != 4'd0 &
                ((op >= ADD & op <= ORI) | op == SLT | op == SEQ | op == TID | op == NTH)) regs[at +
                32'(rd)] <= r;
          end
          case (op)
            HALT:  run_q[warp_q] <= 1'b0;
            IF: begin
              stack_q[warp_q] <= {stack_q[warp_q][Lanes*(Deep-1)-1:0], mask};
              mask_q[warp_q]  <= mask & cond;
            end
            ELSE:  mask_q[warp_q] <= stack_q[warp_q][Lanes-1:0] & ~mask;
            ENDIF: begin
              mask_q[warp_q]  <= stack_q[warp_q][Lanes-1:0];
              stack_q[warp_q] <= stack_q[warp_q] >> Lanes;
            end
            WHILE: mask_q[warp_q] <= mask & cond;
            BANY:  if ((mask & cond) != '0) warp_pc_q[warp_q] <= warp_pc_q[warp_q] + (imm << 2);
            JMP:   warp_pc_q[warp_q] <= warp_pc_q[warp_q] + (imm << 2);
            default: ;
          endcase
        end
        ST_MEM: begin
          if (!more) state_q <= ST_DRAIN;
          else if (!lane_on | sent) begin
            lane_q                    <= lane_q + 1'b1;
            aw_taken_q                <= 1'b0;
            w_taken_q                 <= 1'b0;
            high_q[lane_q[LaneW-1:0]] <= lane_addr[2];
          end else begin
            aw_taken_q <= aw_taken_q | (d_awvalid_o & d_awready_i);
            w_taken_q  <= w_taken_q | (d_wvalid_o & d_wready_i);
          end
        end
        ST_DRAIN: if (wait_q == '0 | (wait_q == 1 & back)) state_q <= ST_NEXT;
        default: begin   // the next warp that runs
          state_q <= run_q == '0 ? ST_IDLE : ST_FETCH;
          for (int i = Warps - 1; i >= 1; i--) if (run_q[warp_q + WarpW'(i)]) warp_q <= warp_q +
              WarpW'(i);
        end
      endcase
    end
  end
endmodule
`default_nettype wire
