// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_blocks: cuts the warp slots and the scratchpad into groups at a launch, starts blocks in
// the groups (first values of the registers, a cycle each), lets barriers go, ends a block on an
// error, and gives a group to the next block when its warps have ended and nothing of them is on
// its way. Group g has the slots from g * WARPS and the scratchpad from g * SCRATCH.
`default_nettype none
module gmmu_sm_blocks #(
  parameter int Warps        = 32,
  parameter int LocalBytes   = 1024,
  parameter int ScratchBytes = 16384,
  localparam int WarpW       = Warps > 1 ? $clog2(Warps) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // launch
  input  logic             start_i,
  input  logic [31:0]      blocks_i,
  input  logic [31:0]      warps_i,
  input  logic [31:0]      scratch_i,
  input  logic [127:0]     args_i,
  output logic             busy_o,
  // warps
  output logic [Warps-1:0] start_o,
  output logic [Warps-1:0] wake_o,
  output logic [Warps-1:0] kill_o,
  input  logic [Warps-1:0] live_i,
  input  logic [Warps-1:0] at_bar_i,
  input  logic [Warps-1:0] busy_i,       // something of the warp is on its way
  // first values of registers
  output logic             init_valid_o,
  input  logic             init_taken_i,
  output logic [WarpW-1:0] init_warp_o,
  output logic [4:0]       init_rd_o,
  output logic [31:0]      init_data_o,
  // where a warp belongs
  input  logic [WarpW-1:0] x_warp_i,
  output logic [31:0]      x_block_o,
  output logic [4:0]       x_index_o,
  output logic [31:0]      x_base_o,
  // an error of a warp: whether it is its block's first
  input  logic             err_valid_i,
  input  logic [WarpW-1:0] err_warp_i,
  output logic             err_first_o,
  output logic [31:0]      err_block_o,
  output logic [4:0]       err_index_o
);
  localparam logic [1:0] S_IDLE = 2'd0, S_CUT = 2'd1, S_RUN = 2'd2;
  localparam int CntW = $clog2(Warps + 1);
  logic [1:0]       state_q;
  logic [WarpW-1:0] group_of_q [0:Warps-1], first_q [0:Warps-1];
  logic [4:0]       index_q [0:Warps-1];
  logic [Warps-1:0] slots_q [0:Warps-1];          // of a group
  logic [31:0]      base_q [0:Warps-1], block_q [0:Warps-1];
  // groups: exist, have a block, that has started, with an error
  logic [Warps-1:0] exist_q, run_q, group_on_q, err_q;
  logic [Warps-1:0] dead, dead1_q, dead2_q, dead3_q, dead4_q, ended;
  logic [31:0]      next_q;                        // block

  // ---------------------------------------------------------------- cut
  logic [CntW-1:0]  c_warp_q;
  logic [WarpW-1:0] c_group_q;
  logic [4:0]       c_index_q;
  logic [31:0]      c_base_q;
  logic             fits, legal;
  assign legal = blocks_i != 32'd0 && warps_i != 32'd0 && warps_i <= 32'(Warps) && scratch_i <=
      32'(ScratchBytes) &&
                 scratch_i[3:0] == 4'd0 && blocks_i <= 32'h80000000;
  assign fits  = c_index_q != 5'd0 ||
      (32'(c_warp_q) + warps_i <= 32'(Warps) && c_base_q + scratch_i <= 32'(ScratchBytes));

  // ---------------------------------------------------------------- start
  logic             free, s_on_q, s_last;
  logic [WarpW-1:0] s_group, s_group_q, s_warp_q;
  logic [4:0]       s_rd_q;
  gmmu_sm_pick #(.N(Warps)) u_free (.req_i(exist_q & ~run_q), .from_i(WarpW'(0)), .valid_o(free),
      .idx_o(s_group));
  assign init_valid_o = s_on_q;
  assign init_warp_o  = s_warp_q;
  assign init_rd_o    = s_rd_q;
  always_comb begin
    init_data_o = 32'd0;
    if (s_rd_q == 5'd2) init_data_o = 32'hf0000000 + 32'(LocalBytes);
    if (s_rd_q >= 5'd10 && s_rd_q <= 5'd13) init_data_o = args_i[{s_rd_q[1:0] - 2'd2, 5'd0} +: 32];
  end
  assign s_last  = s_on_q && init_taken_i && s_rd_q == 5'd31 && 32'(index_q[s_warp_q]) + 32'd1 ==
      warps_i;
  assign start_o = s_last ? slots_q[s_group_q] : '0;

  // ---------------------------------------------------------------- barriers, ends
  always_comb begin : groups
    logic [Warps-1:0] of, up;
    wake_o = '0;
    dead   = '0;
    of     = '0;
    up     = '0;
    if (state_q == S_RUN) begin
      for (int g = 0; g < Warps; g++) begin
        if (group_on_q[g]) begin
          of = slots_q[g];
          up = of & live_i;
          dead[g] = up == '0 && (of & busy_i) == '0;
          if (up != '0 && (up & ~at_bar_i) == '0) wake_o = wake_o | up;
        end
      end
    end
  end
  // An instruction that was in the pipeline at the end may still go out: some cycles later.
  assign ended = dead & dead1_q & dead2_q & dead3_q & dead4_q;

  logic [WarpW-1:0] x_group, e_group;
  assign x_group     = group_of_q[x_warp_i];
  assign x_block_o   = block_q[x_group];
  assign x_index_o   = index_q[x_warp_i];
  assign x_base_o    = base_q[x_group];
  assign e_group     = group_of_q[err_warp_i];
  assign err_first_o = group_on_q[e_group] && !err_q[e_group];
  assign err_block_o = block_q[e_group];
  assign err_index_o = index_q[err_warp_i];
  assign kill_o      = err_valid_i && err_first_o ? slots_q[e_group] : '0;
  assign busy_o      = state_q != S_IDLE;

  always_ff @(posedge clk_i) begin
    dead1_q <= dead;
    dead2_q <= dead1_q;
    dead3_q <= dead2_q;
    dead4_q <= dead3_q;
    if (!rst_ni) begin
      state_q    <= S_IDLE;
      exist_q    <= '0;
      run_q      <= '0;
      group_on_q <= '0;
      err_q      <= '0;
      s_on_q     <= 1'b0;
    end else begin
      case (state_q)
        S_IDLE: if (start_i && legal) begin
          state_q   <= S_CUT;
          exist_q   <= '0;
          c_warp_q  <= '0;
          c_group_q <= '0;
          c_index_q <= 5'd0;
          c_base_q  <= 32'd0;
          next_q    <= 32'd0;
          for (int g = 0; g < Warps; g++) slots_q[g] <= '0;
        end
        S_CUT: if (c_warp_q == CntW'(Warps) || !fits) begin
          state_q <= S_RUN;
        end else begin
          group_of_q[c_warp_q[WarpW-1:0]]       <= c_group_q;
          index_q[c_warp_q[WarpW-1:0]]          <= c_index_q;
          slots_q[c_group_q]                    <= slots_q[c_group_q] | Warps'(1) << c_warp_q;
          base_q[c_group_q]                     <= c_base_q;
          if (c_index_q == 5'd0) first_q[c_group_q] <= c_warp_q[WarpW-1:0];
          c_warp_q <= c_warp_q + CntW'(1);
          if (32'(c_index_q) + 32'd1 == warps_i) begin
            exist_q[c_group_q] <= 1'b1;
            c_index_q <= 5'd0;
            c_group_q <= c_group_q + WarpW'(1);
            c_base_q  <= c_base_q + scratch_i;
          end else begin
            c_index_q <= c_index_q + 5'd1;
          end
        end
        default: if (next_q == blocks_i && run_q == '0) state_q <= S_IDLE;
      endcase
      if (|ended) begin
        run_q      <= run_q & ~ended;
        group_on_q <= group_on_q & ~ended;
      end
      if (state_q == S_RUN && !s_on_q && free && next_q != blocks_i) begin
        s_on_q           <= 1'b1;
        s_group_q        <= s_group;
        s_warp_q         <= first_q[s_group];
        s_rd_q           <= 5'd0;
        block_q[s_group] <= next_q;
        next_q           <= next_q + 32'd1;
        run_q[s_group]   <= 1'b1;
        err_q[s_group]   <= 1'b0;
      end
      if (s_on_q && init_taken_i) begin
        s_rd_q <= s_rd_q + 5'd1;
        if (s_rd_q == 5'd31) s_warp_q <= s_warp_q + WarpW'(1);
        if (s_last) begin
          s_on_q                <= 1'b0;
          group_on_q[s_group_q] <= 1'b1;
        end
      end
      if (|kill_o) err_q[e_group] <= 1'b1;
    end
  end
endmodule
`default_nettype wire
