// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_front: fetch and issue. Each running warp has the PC and the lanes of its next
// instruction, one buffered instruction and a scoreboard (registers that loads, atomics and
// divisions still bring). Each cycle one instruction is fetched for a warp without one, and one is
// issued of a warp whose registers and unit are free, both in turns.
//
// Cycles of an instruction: 0 PC to instruction memory, 1 decoded into the buffer, 2 issued,
// registers read, 3 executed (x_*),
// 4 written. A warp's next one is fetched in cycle 3 when it follows at PC + 4 and no other lanes
// stand there (straight on), else when gmmu_sm_flow has said where (up1_*: in cycle 4, up2_*: in
// cycle 5): a warp alone issues every 3rd cycle, every 5th behind a jump, every 6th behind a branch
// that parts or joins lanes.
// An instruction with more data operands (compare and swap, stores of 8 and 16 bytes) is issued in
// 2 or 4 cycles in a row, x_uop_o counting; only the first counts as an instruction.
`default_nettype none
module gmmu_sm_front #(
  parameter int Lanes     = 32,
  parameter int Warps     = 32,
  parameter int ImemWords = 16384,
  parameter int OpW       = 6,
  localparam int WarpW    = Warps > 1 ? $clog2(Warps) : 1,
  localparam int ImemW    = $clog2(ImemWords)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             imem_we_i,
  input  logic [ImemW-1:0] imem_addr_i,
  input  logic [31:0]      imem_wdata_i,
  // warps that start at entry_i, that are ended at once, and that have ended
  input  logic [Warps-1:0] start_i,
  input  logic [31:0]      entry_i,
  input  logic [Warps-1:0] kill_i,
  input  logic             end_valid_i,
  input  logic [WarpW-1:0] end_warp_i,
  output logic [Warps-1:0] live_o,
  // where warps go on: PC alone; PC, lanes and the lowest PC of its other lanes
  input  logic             up1_valid_i,
  input  logic [WarpW-1:0] up1_warp_i,
  input  logic [31:0]      up1_pc_i,
  input  logic             up2_valid_i,
  input  logic [WarpW-1:0] up2_warp_i,
  input  logic [31:0]      up2_pc_i,
  input  logic [Lanes-1:0] up2_mask_i,
  input  logic             up2_more_i,
  input  logic [31:0]      up2_next_i,
  // units, memory instructions on their way, registers that have come
  input  logic             hold_i,
  input  logic             mem_ready_i,
  input  logic [OpW-1:0]   mem_op_i,
  input  logic             div_ready_i,
  output logic             mem_go_o,     // a memory instruction is issued
  output logic [31:0]      mem_rds_o,
  input  logic [Warps-1:0] mem_busy_i,
  input  logic             free1_valid_i,
  input  logic [WarpW-1:0] free1_warp_i,
  input  logic [31:0]      free1_rds_i,
  input  logic             free2_valid_i,
  input  logic [WarpW-1:0] free2_warp_i,
  input  logic [4:0]       free2_rd_i,
  // registers to read: in the cycle of issue
  output logic             re_o,
  output logic [WarpW-1:0] rwarp_o,
  output logic [4:0]       ra_o,
  output logic [4:0]       rb_o,
  // to execution
  output logic             x_valid_o,
  output logic [WarpW-1:0] x_warp_o,
  output logic [Lanes-1:0] x_mask_o,
  output logic [31:0]      x_pc_o,
  output logic [31:0]      x_ir_o,
  output logic [3:0]       x_unit_o,
  output logic             x_wr_o,
  output logic [4:0]       x_ra_o,
  output logic [4:0]       x_rb_o,
  output logic [1:0]       x_uop_o,
  output logic [2:0]       x_words_o,
  output logic [OpW-1:0]   x_op_o,
  output logic             x_flow_o,     // gmmu_sm_flow says where the warp goes on
  output logic             x_more_o,
  output logic [31:0]      x_next_o,
  output logic [31:0]      x_count_o,    // instructions of the warp before this one
  output logic [63:0]      instret_o
);
  `include "gmmu_sm_ops.svh"
  localparam int IbW = 32 + 4 + 1 + 3 + 32;

  (* no_rw_check *)
  logic [31:0]      imem [0:ImemWords-1];
  logic [31:0]      warp_pc_q [0:Warps-1], next_q [0:Warps-1], uses_q [0:Warps-1],
                    pend_q [0:Warps-1], count_q [0:Warps-1];
  logic [Lanes-1:0] mask_q [0:Warps-1];
  logic [IbW-1:0]   insn_buf_q [0:Warps-1];
  logic [Warps-1:0] live_q, fetch_q, full_q, more_q, is_mem_q, is_div_q, is_fence_q;
  assign live_o = live_q;

  // ---------------------------------------------------------------- fetch
  logic             f_valid, f1_valid_q, f1_bad_q;
  logic [WarpW-1:0] f_warp, f_ptr_q, f1_warp_q;
  logic [31:0]      f_pc, f1_ir_q;
  gmmu_sm_pick #(.N(Warps)) u_fetch (.req_i(fetch_q & live_q), .from_i(f_ptr_q), .valid_o(f_valid),
      .idx_o(f_warp));
  assign f_pc = warp_pc_q[f_warp];
  always_ff @(posedge clk_i) begin
    if (imem_we_i) imem[imem_addr_i] <= imem_wdata_i;
    if (f_valid) f1_ir_q <= imem[f_pc[2 +: ImemW]];
    f1_warp_q <= f_warp;
    f1_bad_q  <= f_pc[1:0] != 2'd0 || |(f_pc >> (ImemW + 2));
    if (!rst_ni) f_ptr_q <= '0;
    else if (f_valid) f_ptr_q <= WarpW'(f_warp + WarpW'(1));
  end

  logic [3:0]  d_unit;
  logic        d_wr;
  logic [2:0]  d_words;
  logic [31:0] d_uses, d_rds;
  gmmu_sm_decode u_decode (.ir_i(f1_ir_q), .unit_o(d_unit), .wr_o(d_wr), .words_o(d_words),
      .uses_o(d_uses), .rds_o(d_rds));

  // ---------------------------------------------------------------- issue
  logic [Warps-1:0] can;
  logic             i_valid, more, i_go;
  logic [WarpW-1:0] i_warp, i_ptr_q, s_warp;
  logic [31:0]      i_ir, i_rds, i_pc;
  logic [3:0]       i_unit;
  logic             i_wr, straight;
  logic [2:0]       i_words;
  logic [2:0]       left_q;             // further cycles of the last instruction
  always_comb begin : eligible
    can = full_q & live_q & ~(is_mem_q & {Warps{!mem_ready_i}}) &
        ~(is_div_q & {Warps{!div_ready_i}}) & ~(is_fence_q & mem_busy_i);
    if (hold_i) can = '0;
    for (int w = 0; w < Warps; w++) if ((uses_q[w] & pend_q[w]) != 32'd0) can[w] = 1'b0;
  end
  gmmu_sm_pick #(.N(Warps)) u_issue (.req_i(can), .from_i(i_ptr_q), .valid_o(i_valid),
      .idx_o(i_warp));
  assign more     = left_q != 3'd0;
  assign i_go     = i_valid && !more;
  assign s_warp   = more ? x_warp_o : i_warp;
  assign {i_rds, i_words, i_wr, i_unit, i_ir} = insn_buf_q[i_warp];
  assign i_pc     = warp_pc_q[i_warp];
  assign straight = i_unit <= U_CSR || i_unit == U_FENCE;

  assign re_o      = i_go || more;
  assign rwarp_o   = s_warp;
  assign ra_o      = i_ir[19:15];
  assign rb_o      = !more ? i_ir[24:20] : x_ir_o[6:0] == 7'h2f ? x_ir_o[11:7] : x_rb_o + 5'd1;
  assign mem_go_o  = i_go && i_unit == U_MEM;
  assign mem_rds_o = i_rds;

  logic go_on;                          // straight on, no other lanes at PC + 4
  assign go_on = straight && (!more_q[i_warp] || i_pc + 32'd4 < next_q[i_warp]);
  always_ff @(posedge clk_i) begin
    x_valid_o <= re_o;
    if (i_go) begin
      x_warp_o  <= i_warp;
      x_mask_o  <= mask_q[i_warp];
      x_pc_o    <= i_pc;
      x_ir_o    <= i_ir;
      x_unit_o  <= i_unit;
      x_wr_o    <= i_wr;
      x_ra_o    <= ra_o;
      x_words_o <= i_words;
      x_op_o    <= mem_op_i;
      x_more_o  <= more_q[i_warp];
      x_next_o  <= next_q[i_warp];
      x_count_o <= count_q[i_warp];
      i_ptr_q   <= WarpW'(i_warp + WarpW'(1));
    end
    x_flow_o <= i_go && !go_on;
    if (re_o) begin
      x_rb_o  <= rb_o;
      x_uop_o <= more ? x_uop_o + 2'd1 : 2'd0;
    end
    if (!rst_ni) begin
      x_valid_o <= 1'b0;
      i_ptr_q   <= '0;
    end
  end

  // ---------------------------------------------------------------- state of the warps
  logic [Warps-1:0] set1, set2, set3;   // whose registers have come, whose are now awaited
  assign set1 = free1_valid_i ? Warps'(1) << free1_warp_i : '0;
  assign set2 = free2_valid_i ? Warps'(1) << free2_warp_i : '0;
  assign set3 = i_go ? Warps'(1) << i_warp : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q     <= '0;
      fetch_q    <= '0;
      full_q     <= '0;
      more_q     <= '0;
      is_mem_q   <= '0;
      is_div_q   <= '0;
      is_fence_q <= '0;
      f1_valid_q <= 1'b0;
      left_q     <= 3'd0;
      instret_o  <= 64'd0;
      for (int w = 0; w < Warps; w++) begin
        pend_q[w] <= 32'd0;
        uses_q[w] <= 32'd0;
      end
    end else begin
      f1_valid_q <= f_valid;
      if (f_valid) fetch_q[f_warp] <= 1'b0;
      if (f1_valid_q) begin
        full_q[f1_warp_q]     <= 1'b1;
        insn_buf_q[f1_warp_q] <= f1_bad_q ? {32'd0, 3'd1, 1'b0, U_PC, f1_ir_q} :
            {d_rds, d_words, d_wr, d_unit, f1_ir_q};
        uses_q[f1_warp_q]     <= f1_bad_q ? 32'd0 : d_uses;
        is_mem_q[f1_warp_q]   <= !f1_bad_q && d_unit == U_MEM;
        is_div_q[f1_warp_q]   <= !f1_bad_q && d_unit == U_DIV;
        is_fence_q[f1_warp_q] <= !f1_bad_q && d_unit == U_FENCE;
      end
      if (more) left_q <= left_q - 3'd1;
      if (i_go) begin
        left_q          <= i_words - 3'd1;
        full_q[i_warp]  <= 1'b0;
        count_q[i_warp] <= count_q[i_warp] + 32'd1;
        instret_o       <= instret_o + 64'd1;
        if (go_on) begin
          warp_pc_q[i_warp] <= i_pc + 32'd4;
          fetch_q[i_warp]   <= 1'b1;
        end
      end
      if (up1_valid_i) begin
        warp_pc_q[up1_warp_i] <= up1_pc_i;
        fetch_q[up1_warp_i]   <= 1'b1;
      end
      if (up2_valid_i) begin
        warp_pc_q[up2_warp_i] <= up2_pc_i;
        mask_q[up2_warp_i]    <= up2_mask_i;
        more_q[up2_warp_i]    <= up2_more_i;
        next_q[up2_warp_i]    <= up2_next_i;
        fetch_q[up2_warp_i]   <= 1'b1;
      end
      for (int w = 0; w < Warps; w++) begin
        if (set1[w] || set2[w] || set3[w])
          pend_q[w] <=
              (pend_q[w] & ~(set1[w] ? free1_rds_i : 32'd0) &
              ~(set2[w] ? 32'd1 << free2_rd_i : 32'd0)) |
                       (set3[w] ? i_rds : 32'd0);
      end
      if (end_valid_i) live_q[end_warp_i] <= 1'b0;
      if (|kill_i) for (int w = 0; w < Warps; w++) if (kill_i[w]) live_q[w] <= 1'b0;
      if (|start_i) begin
        for (int w = 0; w < Warps; w++) begin
          if (start_i[w]) begin
            live_q[w]    <= 1'b1;
            fetch_q[w]   <= 1'b1;
            full_q[w]    <= 1'b0;
            more_q[w]    <= 1'b0;
            warp_pc_q[w] <= entry_i;
            mask_q[w]    <= '1;
            count_q[w]   <= 32'd0;
          end
        end
      end
    end
  end
endmodule
`default_nettype wire
