// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_bursts: the bursts on their way to memory, one beat of 64 bytes each; AXI ID = entry. A
// burst waits at the door (ready_o = 0) while there is no entry, AR or AW and W are taken, or an
// older burst of its warp touches one of its words and one of the two writes: so accesses of a warp
// to a word keep their order whatever memory does. What reads bring is offered word by word
// (ret_*).
// A response other than OKAY: an error event instead of the data. RREADY and BREADY do not follow
// RVALID and BVALID.
`default_nettype none
module gmmu_sm_bursts #(
  parameter int Lanes  = 32,
  parameter int WarpW  = 5,
  parameter int Mshrs  = 64,
  parameter int OpW    = 6,
  localparam int IdW   = $clog2(Mshrs)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                go_i,         // only while ready_o
  output logic                ready_o,
  // the fields below are those of a burst that wants to go
  input  logic                want_i,
  input  logic [WarpW-1:0]    warp_i,
  input  logic [31:0]         pc_i,         // of the instruction, for its error record
  input  logic [31:0]         addr_i,       // of its lowest lane
  input  logic [15:0]         words_i,      // words that it touches
  input  logic                write_i,      // store or atomic
  input  logic                atomic_i,
  input  logic [1:0]          how_i,        // which atomic
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes*6-1:0]  off_i,
  input  logic [2:0]          size_i,
  input  logic                unsigned_i,
  input  logic [4:0]          rd_i,
  input  logic [OpW-1:0]      op_i,
  input  logic [511:0]        data_i,
  input  logic [63:0]         strb_i,
  // answers
  output logic                ret_valid_o,
  input  logic                ret_taken_i,
  output logic [511:0]        ret_line_o,
  output logic [WarpW-1:0]    ret_warp_o,
  output logic [4:0]          ret_rd_o,     // of this word
  output logic [1:0]          ret_word_o,
  output logic [Lanes-1:0]    ret_mask_o,
  output logic [Lanes*6-1:0]  ret_off_o,
  output logic [2:0]          ret_size_o,
  output logic                ret_unsigned_o,
  output logic                r_done_o,
  output logic [OpW-1:0]      r_op_o,
  output logic                b_done_o,
  output logic [OpW-1:0]      b_op_o,
  output logic                re_valid_o,   // error of a read, of a write
  input  logic                re_taken_i,
  output logic [77:0]         re_o,
  output logic                be_valid_o,
  input  logic                be_taken_i,
  output logic [77:0]         be_o,
  output logic [Mshrs-1:0]    busy_o,
  // AXI
  output logic                m_awvalid_o,
  input  logic                m_awready_i,
  output logic [IdW-1:0]      m_awid_o,
  output logic [31:0]         m_awaddr_o,
  output logic [2:0]          m_awsize_o,
  output logic [1:0]          m_awburst_o,
  output logic [5:0]          m_awatop_o,
  output logic                m_wvalid_o,
  input  logic                m_wready_i,
  output logic [511:0]        m_wdata_o,
  output logic [63:0]         m_wstrb_o,
  input  logic                m_bvalid_i,
  output logic                m_bready_o,
  input  logic [IdW-1:0]      m_bid_i,
  input  logic [1:0]          m_bresp_i,
  output logic                m_arvalid_o,
  input  logic                m_arready_i,
  output logic [IdW-1:0]      m_arid_o,
  output logic [31:0]         m_araddr_o,
  input  logic                m_rvalid_i,
  output logic                m_rready_o,
  input  logic [IdW-1:0]      m_rid_i,
  input  logic [511:0]        m_rdata_i,
  input  logic [1:0]          m_rresp_i
);
  `include "gmmu_sm_ops.svh"
  localparam int InfoW = 64 + OpW + WarpW + 5 + 3 + 1 + Lanes + Lanes*6;
  localparam int KeyW  = WarpW + 26 + 16 + 1;
  localparam int CasBit = 2;

  logic [Mshrs-1:0] busy_q, wait_r_q, wait_b_q;      // R and B to come
  logic [KeyW-1:0]  key_q [0:Mshrs-1];
  logic [InfoW-1:0] info_q [0:Mshrs-1];
  logic             slot_free, clash, door;
  logic [IdW-1:0]   slot;
  assign busy_q = wait_r_q | wait_b_q;
  assign busy_o = busy_q;
  gmmu_sm_pick #(.N(Mshrs)) u_free (.req_i(~busy_q), .from_i(IdW'(0)), .valid_o(slot_free),
      .idx_o(slot));
  always_comb begin : order
    logic [WarpW-1:0] w;
    logic [25:0]      line;
    logic [15:0]      words;
    logic             wr;
    clash = 1'b0;
    w     = '0;
    line  = '0;
    words = '0;
    wr    = 1'b0;
    if (want_i) begin
      for (int s = 0; s < Mshrs; s++) begin
        {w, line, words, wr} = key_q[s];
        if (busy_q[s] && line == addr_i[31:6] && w == warp_i && |(words & words_i) &&
            (wr || write_i)) clash = 1'b1;
      end
    end
  end
  assign door    = write_i ? (!m_awvalid_o || m_awready_i) && (!m_wvalid_o || m_wready_i) :
      !m_arvalid_o || m_arready_i;
  assign ready_o = slot_free && door && !clash;

  // ---------------------------------------------------------------- out
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      m_arvalid_o <= 1'b0;
      m_awvalid_o <= 1'b0;
      m_wvalid_o  <= 1'b0;
    end else begin
      if (m_arready_i) m_arvalid_o <= 1'b0;
      if (m_awready_i) m_awvalid_o <= 1'b0;
      if (m_wready_i) m_wvalid_o <= 1'b0;
      if (go_i && !write_i) m_arvalid_o <= 1'b1;
      if (go_i && write_i) begin
        m_awvalid_o <= 1'b1;
        m_wvalid_o  <= 1'b1;
      end
    end
    if (go_i && !write_i) begin
      m_arid_o   <= slot;
      m_araddr_o <= {addr_i[31:6], 6'd0};
    end
    if (go_i && write_i) begin
      m_awid_o    <= slot;
      m_awaddr_o  <= atomic_i ? addr_i : {addr_i[31:6], 6'd0};
      m_awsize_o  <= !atomic_i ? 3'd6 : how_i == A_CAS ? 3'd3 : 3'd2;
      m_awburst_o <= atomic_i && how_i == A_CAS && addr_i[CasBit] ? 2'd2 : 2'd1;
      m_awatop_o  <= !atomic_i ? 6'd0 : how_i == A_ADD ? 6'b100000 : how_i == A_SWAP ? 6'b110000 :
          6'b110001;
      m_wdata_o   <= data_i;
      m_wstrb_o   <= strb_i;
    end
    if (go_i) begin
      key_q[slot]  <= {warp_i, addr_i[31:6], words_i, write_i};
      info_q[slot] <= {write_i && !atomic_i ? {addr_i[31:6], 6'd0} : addr_i, op_i, warp_i, pc_i,
          rd_i, size_i, unsigned_i, mask_i, off_i};
    end
  end

  // ---------------------------------------------------------------- back
  logic             r_valid_q, r_bad_q, r_last, r_end, b_valid_q, b_bad_q, b_end;
  logic [IdW-1:0]   r_id_q, b_id_q;
  logic [1:0]       word_q;
  logic [511:0]     line_q;
  logic [InfoW-1:0] r_info_q, b_info_q;
  logic [31:0]      r_addr, r_pc, b_addr, b_pc;
  logic [4:0]       r_rd, r_lane;
  logic [WarpW-1:0] b_warp;
  assign {r_addr, r_op_o, ret_warp_o, r_pc, r_rd, ret_size_o, ret_unsigned_o, ret_mask_o,
      ret_off_o} = r_info_q;
  assign b_addr = b_info_q[InfoW-1 -: 32];
  assign b_op_o = b_info_q[InfoW-33 -: OpW];
  assign b_warp = b_info_q[InfoW-33-OpW -: WarpW];
  assign b_pc   = b_info_q[InfoW-33-OpW-WarpW -: 32];
  assign ret_valid_o = r_valid_q && !r_bad_q;
  assign ret_line_o  = line_q;
  assign ret_word_o  = word_q;
  assign ret_rd_o    = r_rd + 5'(word_q);
  assign r_last      = word_q == (ret_size_o == 3'd4 ? 2'd3 : ret_size_o == 3'd3 ? 2'd1 : 2'd0);
  assign r_end       = r_valid_q && (r_bad_q ? re_taken_i : ret_taken_i && r_last);
  assign b_end       = b_valid_q && (!b_bad_q || be_taken_i);
  assign r_done_o    = r_end;
  assign b_done_o    = b_end;
  assign m_rready_o  = !r_valid_q || r_end;
  assign m_bready_o  = !b_valid_q || b_end;
  assign re_valid_o  = r_valid_q && r_bad_q;
  assign be_valid_o  = b_valid_q && b_bad_q;
  always_comb begin
    r_lane = 5'd0;
    if (re_valid_o) for (int l = Lanes - 1; l >= 0; l--) if (ret_mask_o[l]) r_lane = 5'(l);
  end
  assign re_o = {E_BUS_READ, r_lane, 5'(ret_warp_o), r_addr, r_pc};
  assign be_o = {E_BUS_WRITE, 5'd31, 5'(b_warp), b_addr, b_pc};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r_valid_q <= 1'b0;
      b_valid_q <= 1'b0;
      wait_r_q  <= '0;
      wait_b_q  <= '0;
    end else begin
      if (m_rready_o) r_valid_q <= m_rvalid_i;
      if (m_bready_o) b_valid_q <= m_bvalid_i;
      if (r_end) wait_r_q[r_id_q] <= 1'b0;
      if (b_end) wait_b_q[b_id_q] <= 1'b0;
      if (go_i) begin
        wait_r_q[slot] <= !write_i || atomic_i;
        wait_b_q[slot] <= write_i;
      end
    end
    if (m_rready_o) word_q <= 2'd0;
    else if (ret_valid_o && ret_taken_i) word_q <= word_q + 2'd1;
    if (m_rready_o && m_rvalid_i) begin
      line_q   <= m_rdata_i;
      r_id_q   <= m_rid_i;
      r_bad_q  <= |m_rresp_i;
      r_info_q <= info_q[m_rid_i];
    end
    if (m_bready_o && m_bvalid_i) begin
      b_id_q   <= m_bid_i;
      b_bad_q  <= |m_bresp_i;
      b_info_q <= info_q[m_bid_i];
    end
  end
endmodule
`default_nettype wire
