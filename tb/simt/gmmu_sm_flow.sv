// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_flow: one PC for each lane, and who waits. Takes the instructions after which a warp does
// not simply go straight on (x_*), and says where it goes on: at the lowest PC of its lanes that
// have not ended and do not wait, with all lanes that stand there.
// Quick (the cycle after execution): all lanes take the same way and stay below its other lanes.
// Else the PCs of all lanes are compared, a cycle later. PCs of the lanes that run are kept by
// gmmu_sm_front; pcs_q holds those of the others.
//
// wsync: lane l waits until no lane of its mask is left that has not ended and does not wait at a
// wsync; looked at when the warp executes wsync or lanes end. bar: at_bar_o[w] = all lanes of w
// that have not ended wait at bar; wake_i lets those of the warps in it go on. A warp whose lanes
// all wait, one of them at wsync, can never go on: error E_SYNC.
`default_nettype none
module gmmu_sm_flow #(
  parameter int Lanes  = 32,
  parameter int Warps  = 32,
  localparam int WarpW = Warps > 1 ? $clog2(Warps) : 1,
  localparam int LaneW = $clog2(Lanes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [Warps-1:0]    start_i,
  input  logic [Warps-1:0]    live_i,
  input  logic [Warps-1:0]    wake_i,      // for one cycle
  output logic [Warps-1:0]    at_bar_o,
  // what was executed
  input  logic                x_valid_i,
  input  logic [WarpW-1:0]    x_warp_i,
  input  logic [Lanes-1:0]    x_mask_i,
  input  logic [31:0]         x_pc_i,
  input  logic [31:0]         x_ir_i,
  input  logic [3:0]          x_unit_i,
  input  logic                x_more_i,
  input  logic [31:0]         x_next_i,
  input  logic [Lanes-1:0]    x_taken_i,
  input  logic [Lanes*32-1:0] x_sum_i,     // targets of JALR
  input  logic [Lanes*32-1:0] x_a_i,       // rs1
  // where a warp goes on
  output logic                up1_valid_o,
  output logic [WarpW-1:0]    up1_warp_o,
  output logic [31:0]         up1_pc_o,
  output logic                up2_valid_o,
  output logic [WarpW-1:0]    up2_warp_o,
  output logic [31:0]         up2_pc_o,
  output logic [Lanes-1:0]    up2_mask_o,
  output logic                up2_more_o,
  output logic [31:0]         up2_next_o,
  output logic                end_valid_o, // all lanes of the warp have ended
  output logic [WarpW-1:0]    end_warp_o,
  // errors: e1 of an instruction, e2 of a warp that cannot go on
  output logic                e1_valid_o,
  output logic [77:0]         e1_o,
  output logic                e2_valid_o,
  output logic [77:0]         e2_o
);
  `include "gmmu_sm_ops.svh"

  // ---------------------------------------------------------------- the instruction, a cycle after
  // execution
  logic                p_valid_q, p_more_q;
  logic [WarpW-1:0]    p_warp_q;
  logic [Lanes-1:0]    p_mask_q, p_taken_q;
  logic [31:0]         p_pc_q, p_ir_q, p_next_q;
  logic [3:0]          p_unit_q;
  logic [Lanes*32-1:0] p_sum_q;
  logic [31:0]         p_a_q, lead_a;      // rs1 of the lowest active lane
  logic [4:0]          p_lane_q, lead;
  always_comb begin : leader
    lead   = 5'd0;
    lead_a = 32'd0;
    if (x_valid_i) begin
      for (int l = Lanes - 1; l >= 0; l--) if (x_mask_i[l]) lead = 5'(l);
      lead_a = x_a_i[lead[LaneW-1:0]*32 +: 32];
    end
  end
  always_ff @(posedge clk_i) begin
    p_valid_q <= rst_ni && x_valid_i && live_i[x_warp_i];
    if (x_valid_i) begin
      p_warp_q  <= x_warp_i;
      p_mask_q  <= x_mask_i;
      p_taken_q <= x_taken_i;
      p_pc_q    <= x_pc_i;
      p_ir_q    <= x_ir_i;
      p_unit_q  <= x_unit_i;
      p_more_q  <= x_more_i;
      p_next_q  <= x_next_i;
      p_a_q     <= lead_a;
      p_lane_q  <= lead;
      if (x_unit_i == U_JUMP && !x_ir_i[3]) p_sum_q <= x_sum_i;
    end
  end

  logic [31:0] on, target, way, b_imm, j_imm;
  logic        jal, bad, one_way, quick;
  assign b_imm   = {{20{p_ir_q[31]}}, p_ir_q[7], p_ir_q[30:25], p_ir_q[11:8], 1'b0};
  assign j_imm   = {{12{p_ir_q[31]}}, p_ir_q[19:12], p_ir_q[20], p_ir_q[30:21], 1'b0};
  assign jal     = p_unit_q == U_JUMP && p_ir_q[3];
  assign bad     = p_unit_q == U_ILLEGAL || p_unit_q == U_PC || p_unit_q == U_ABORT;
  assign on      = p_pc_q + 32'd4;
  assign target  = p_pc_q + (jal ? j_imm : b_imm);
  assign one_way = jal || (p_unit_q == U_BRANCH ? p_taken_q == '0 || p_taken_q == p_mask_q :
      p_unit_q <= U_CSR || p_unit_q == U_FENCE);
  assign way     = jal || (p_unit_q == U_BRANCH && p_taken_q != '0) ? target : on;
  assign quick   = one_way && (!p_more_q || way < p_next_q);
  assign up1_valid_o = p_valid_q && quick;
  assign up1_warp_o  = p_warp_q;
  assign up1_pc_o    = way;
  assign e1_valid_o  = p_valid_q && bad;
  assign e1_o        = p_unit_q == U_ILLEGAL ? {E_ILLEGAL, p_lane_q, 5'(p_warp_q), 32'd0, p_pc_q} :
                       p_unit_q == U_ABORT ? {E_SOFT, p_lane_q, 5'(p_warp_q), p_a_q, p_pc_q} :
                       {p_pc_q[1:0] != 2'd0 ? E_ALIGN : E_RANGE, p_lane_q, 5'(p_warp_q), p_pc_q,
                           p_pc_q};

  // ---------------------------------------------------------------- all lanes
  localparam logic [1:0] K_GO = 2'd0, K_WSYNC = 2'd1, K_BAR = 2'd2, K_END = 2'd3;
  logic                s_valid_q, wake_valid, slow;
  logic [1:0]          s_kind_q;
  logic [WarpW-1:0]    s_warp_q, wake_warp;
  logic [Lanes-1:0]    s_mask_q;
  logic [31:0]         s_rs1_q;
  logic [Lanes*32-1:0] s_pcs_q, pcs_d;
  logic [Warps-1:0]    wake_q, at_bar_q;
  // PCs; masks of the wsyncs where lanes wait
  logic [Lanes*32-1:0] pcs_q [0:Warps-1], sync_q [0:Warps-1];
  logic [Lanes-1:0]    alive_q [0:Warps-1], sync_wait_q [0:Warps-1], bar_wait_q [0:Warps-1];
  gmmu_sm_pick #(.N(Warps)) u_wake (.req_i(wake_q), .from_i(WarpW'(0)), .valid_o(wake_valid),
      .idx_o(wake_warp));
  assign slow = p_valid_q && !quick && !bad;
  always_comb begin : ways
    pcs_d = p_sum_q;
    if (slow && !(p_unit_q == U_JUMP && !jal))
      for (int l = 0; l < Lanes; l++) pcs_d[l*32 +: 32] = jal ||
          (p_unit_q == U_BRANCH && p_taken_q[l]) ? target : on;
  end
  always_ff @(posedge clk_i) begin
    s_valid_q <= rst_ni && (slow || wake_valid);
    if (slow) begin
      s_warp_q <= p_warp_q;
      s_mask_q <= p_mask_q;
      s_pcs_q  <= pcs_d;
      s_rs1_q  <= p_a_q;
      s_kind_q <= p_unit_q == U_WSYNC ? K_WSYNC : p_unit_q == U_BAR ? K_BAR : p_unit_q == U_END ?
          K_END : K_GO;
    end else if (wake_valid) begin       // lanes that waited at bar; none of them runs
      s_warp_q <= wake_warp;
      s_mask_q <= '0;
      s_kind_q <= K_GO;
    end
  end

  logic [Lanes*32-1:0] pcs, sync;
  logic [Lanes-1:0]    alive, ws, wb, stuck, run, low_mask;
  logic [31:0]         low, next;
  logic                more, woken_q, s_go;
  logic [4:0]          ws_lane;
  assign s_go = s_valid_q && live_i[s_warp_q];
  always_ff @(posedge clk_i) if (slow || wake_valid) woken_q <= !slow;
  always_comb begin : lanes
    pcs      = '0;
    sync     = '0;
    alive    = '0;
    ws       = '0;
    wb       = '0;
    stuck    = '0;
    run      = '0;
    low_mask = '0;
    low      = '1;
    next     = '1;
    more     = 1'b0;
    ws_lane  = 5'd0;
    if (s_go) begin
      pcs   = pcs_q[s_warp_q];
      sync  = sync_q[s_warp_q];
      alive = alive_q[s_warp_q];
      ws    = sync_wait_q[s_warp_q];
      wb    = woken_q ? '0 : bar_wait_q[s_warp_q];
      for (int l = 0; l < Lanes; l++) if (s_mask_q[l]) pcs[l*32 +: 32] = s_pcs_q[l*32 +: 32];
      if (s_kind_q == K_END) alive = alive & ~s_mask_q;
      if (s_kind_q == K_BAR) wb = wb | s_mask_q;
      if (s_kind_q == K_WSYNC) begin
        ws = ws | s_mask_q;
        for (int l = 0; l < Lanes; l++) if (s_mask_q[l]) sync[l*32 +: 32] = s_rs1_q;
      end
      if (s_kind_q == K_WSYNC || s_kind_q == K_END) begin
        for (int l = 0; l < Lanes; l++) stuck[l] = ws[l] && |(sync[l*32 +: Lanes] & alive & ~ws);
        ws = stuck;
      end
      run = alive & ~ws & ~wb;
      for (int l = 0; l < Lanes; l++) if (run[l] && pcs[l*32 +: 32] < low) low = pcs[l*32 +: 32];
      for (int l = 0; l < Lanes; l++) low_mask[l] = run[l] && pcs[l*32 +: 32] == low;
      more = |(run & ~low_mask);
      for (int l = 0; l < Lanes; l++) if (run[l] && !low_mask[l] && pcs[l*32 +: 32] < next) next =
          pcs[l*32 +: 32];
      for (int l = Lanes - 1; l >= 0; l--) if (ws[l]) ws_lane = 5'(l);
    end
  end
  assign up2_valid_o = s_go && |run;
  assign up2_warp_o  = s_warp_q;
  assign up2_pc_o    = low;
  assign up2_mask_o  = low_mask;
  assign up2_more_o  = more;
  assign up2_next_o  = next;
  assign end_valid_o = s_go && alive == '0;
  assign end_warp_o  = s_warp_q;
  assign e2_valid_o  = s_go && run == '0 && |(ws & alive);
  assign e2_o        = {E_SYNC, ws_lane, 5'(s_warp_q), 32'd0, 32'd0};
  assign at_bar_o    = at_bar_q;

  always_ff @(posedge clk_i) begin
    if (s_go) begin
      pcs_q[s_warp_q]       <= pcs;
      alive_q[s_warp_q]     <= alive;
      sync_wait_q[s_warp_q] <= ws;
      bar_wait_q[s_warp_q]  <= wb;
      if (s_kind_q == K_WSYNC) sync_q[s_warp_q] <= sync;
    end
    if (!rst_ni) begin
      wake_q   <= '0;
      at_bar_q <= '0;
    end else begin
      if (wake_valid && !slow) wake_q[wake_warp] <= 1'b0;
      if (s_go) at_bar_q[s_warp_q] <= run == '0 && ws == '0 && alive != '0;
      for (int w = 0; w < Warps; w++) begin
        if (wake_i[w]) begin
          wake_q[w]   <= 1'b1;
          at_bar_q[w] <= 1'b0;
        end
        if (!live_i[w]) wake_q[w] <= 1'b0;
        if (start_i[w]) begin
          at_bar_q[w]    <= 1'b0;
          alive_q[w]     <= '1;
          sync_wait_q[w] <= '0;
          bar_wait_q[w]  <= '0;
        end
      end
    end
  end
endmodule
`default_nettype wire
