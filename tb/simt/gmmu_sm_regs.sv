// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_regs: the registers of all warps, and who writes them. Two read ports (data in the next
// cycle), one write port under a lane mask. Writers: the pipeline (always at once), then in turns
// what comes late: loads and atomics (m_*), divisions (d_*), and the first values of a warp that
// starts (s_*). Each of those waits with valid until taken; when one has waited for 4 cycles hold_o
// stops the issue, so that a free cycle comes. Register 0 may be written; readers put 0 in its
// place.
`default_nettype none
module gmmu_sm_regs #(
  parameter int Lanes  = 32,
  parameter int Warps  = 32,
  localparam int WarpW = Warps > 1 ? $clog2(Warps) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                re_i,
  input  logic [WarpW-1:0]    rwarp_i,
  input  logic [4:0]          ra_i,
  input  logic [4:0]          rb_i,
  output logic [Lanes*32-1:0] a_o,
  output logic [Lanes*32-1:0] b_o,
  input  logic                p_valid_i,
  input  logic [WarpW-1:0]    p_warp_i,
  input  logic [4:0]          p_rd_i,
  input  logic [Lanes-1:0]    p_mask_i,
  input  logic [Lanes*32-1:0] p_data_i,
  input  logic                m_valid_i,
  output logic                m_taken_o,
  input  logic [WarpW-1:0]    m_warp_i,
  input  logic [4:0]          m_rd_i,
  input  logic [Lanes-1:0]    m_mask_i,
  input  logic [Lanes*32-1:0] m_data_i,
  input  logic                d_valid_i,
  output logic                d_taken_o,
  input  logic [WarpW-1:0]    d_warp_i,
  input  logic [4:0]          d_rd_i,
  input  logic [Lanes-1:0]    d_mask_i,
  input  logic [Lanes*32-1:0] d_data_i,
  input  logic                s_valid_i,
  output logic                s_taken_o,
  input  logic [WarpW-1:0]    s_warp_i,
  input  logic [4:0]          s_rd_i,
  input  logic [31:0]         s_data_i,    // of all lanes
  output logic                hold_o,
  output logic                wr_valid_o,  // the write of this cycle
  output logic [WarpW-1:0]    wr_warp_o,
  output logic [4:0]          wr_rd_o,
  output logic [Lanes-1:0]    wr_mask_o,
  output logic [Lanes*32-1:0] wr_data_o
);
  (* no_rw_check *)
  logic [Lanes*32-1:0] mem [0:Warps*32-1];
  localparam int AddrW = $clog2(Warps * 32);
  logic [2:0]          waited_q;
  logic [1:0]          turn_q;     // who comes first: 0 m, 1 d, 2 s
  logic [2:0]          req, grant;
  logic                late;

  assign req = {s_valid_i, d_valid_i, m_valid_i};
  always_comb begin : choose
    case (turn_q)
      2'd0:    grant = req[0] ? 3'b001 : req[1] ? 3'b010 : {req[2], 2'b00};
      2'd1:    grant = req[1] ? 3'b010 : req[2] ? 3'b100 : {2'b00, req[0]};
      default: grant = req[2] ? 3'b100 : req[0] ? 3'b001 : {1'b0, req[1], 1'b0};
    endcase
    if (p_valid_i) grant = 3'b000;
  end
  assign {s_taken_o, d_taken_o, m_taken_o} = grant;
  assign late   = |req && !(|grant);
  assign hold_o = waited_q[2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waited_q <= 3'd0;
      turn_q   <= 2'd0;
    end else begin
      if (!late) waited_q <= 3'd0;
      else if (!waited_q[2]) waited_q <= waited_q + 3'd1;
      if (grant[0]) turn_q <= 2'd1;
      else if (grant[1]) turn_q <= 2'd2;
      else if (grant[2]) turn_q <= 2'd0;
    end
  end

  assign wr_valid_o = p_valid_i || |grant;
  assign wr_warp_o  = p_valid_i ? p_warp_i : grant[0] ? m_warp_i : grant[1] ? d_warp_i : s_warp_i;
  assign wr_rd_o    = p_valid_i ? p_rd_i : grant[0] ? m_rd_i : grant[1] ? d_rd_i : s_rd_i;
  assign wr_mask_o  = p_valid_i ? p_mask_i : grant[0] ? m_mask_i : grant[1] ? d_mask_i : '1;
  always_comb begin
    if (p_valid_i) wr_data_o = p_data_i;
    else if (grant[0]) wr_data_o = m_data_i;
    else if (grant[1]) wr_data_o = d_data_i;
    else wr_data_o = {Lanes{s_data_i}};
  end

  always_ff @(posedge clk_i) begin
    if (wr_valid_o) begin
      for (int l = 0; l < Lanes; l++) if (wr_mask_o[l]) mem[AddrW'({wr_warp_o, wr_rd_o})][l*32 +:
          32] <= wr_data_o[l*32 +: 32];
    end
    if (re_i) begin
      a_o <= mem[AddrW'({rwarp_i, ra_i})];
      b_o <= mem[AddrW'({rwarp_i, rb_i})];
    end
  end
endmodule
`default_nettype wire
