// SPDX-License-Identifier: Apache-2.0
// The read half of a port: each beat that memory answers goes to the master as it is, in the same
// cycle; a read that ends here gets the beats that it asked for, zeros with an error, the last one
// last, once, not while an earlier read of its ID is on its way; an atomic that ends in the write
// half likewise, when that says so. Both go in turns: neither waits for two of the other. What is
// offered stays. A last beat that answers no read is reported as an atomic's. Around any address
// channel that does what axi_issue proves (prove_channel.svh). The reads of one slot, any, have IDs
// 2 and 3, others 1, atomics 0. Assumed: what AXI asks of master and memory; that the write half
// keeps what it asks for (axi_write).
`default_nettype none
module gmmu_axi_addr;  // parameters and ports of rtl/
  `include "prove_channel.svh"
endmodule

module prove_axi_read #(
  parameter int Slots  = 2,
  parameter int Covers = 0,
  localparam int SlotW = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             s_arvalid_i,
  input  logic             s_arid_i,
  input  logic [1:0]       s_arlen_i,
  input  logic             s_rready_i,
  input  logic             m_arready_i,
  input  logic             m_rvalid_i,
  input  logic [1:0]       m_rid_i,
  input  logic [3:0]       m_r_i,        // last, response, user, data
  input  logic             x_valid_i,
  input  logic [1:0]       x_len_i,
  input  logic             x_resp_i,
  input  logic [Slots-1:0] may_issue_i,
  input  logic             drop_i,
  input  logic [SlotW-1:0] followed_i
);
  `include "prove.svh"

  logic             s_arready, s_rvalid, s_rlast, s_ruser, m_arvalid, m_rready, x_done, atomic,
      take;
  logic [1:0]       s_rid, s_rresp, m_arid, atomic_id;
  logic [7:0]       s_rdata;
  logic [12:0]      m_araddr;
  logic [SlotW-1:0] slot, slot_q;
  logic             is_taken;
  assign is_taken = take & slot == slot_q;
  gmmu_axi_read #(.Slots(Slots), .Outstanding(2), .IdW(2), .VaW(13), .PaW(13), .DataW(8),
      .UserW(1), .AsidW(1)) u_dut (
    .clk_i, .rst_ni, .s_arvalid_i, .s_arready_o(s_arready),
    .s_arid_i(slot == slot_q ? {1'b1, s_arid_i} : 2'd1), .s_arva_i({1'b0, slot == slot_q, 11'd0}),
    .s_armeta_i({28'd0, s_arlen_i}), .s_arasid_i(1'b0), .s_araccess_i(2'd0),
    .s_aruser_i(1'b0), .s_arillegal_i(1'b0), .s_rvalid_o(s_rvalid), .s_rready_i, .s_rid_o(s_rid),
    .s_rdata_o(s_rdata), .s_rresp_o(s_rresp), .s_rlast_o(s_rlast), .s_ruser_o(s_ruser),
    .m_arvalid_o(m_arvalid), .m_arready_i, .m_arid_o(m_arid), .m_araddr_o(m_araddr), .m_armeta_o(),
    .m_rvalid_i, .m_rready_o(m_rready), .m_rid_i, .m_rdata_i({8{m_r_i[0]}}),
    .m_rresp_i({m_r_i[2], 1'b0}), .m_rlast_i(m_r_i[3]), .m_ruser_i(m_r_i[1]), .open_i(1'b1),
    .pass_i(1'b0), .error_mode_i(1'b0), .t_valid_o(), .t_ready_i(1'b0), .t_va_o(), .t_access_o(),
    .t_user_o(), .t_asid_o(), .t_id_o(), .t_slot_o(), .a_valid_i(1'b0), .a_slot_i('0),
    .a_pfn_i(1'b0), .a_cause_i('0), .f_valid_o(), .f_rec_o(), .f_taken_i(1'b0), .f_lost_i(1'b0),
    .retry_i(1'b0), .tick_i(1'b0), .x_valid_i, .x_id_i(2'd0), .x_len_i({6'd0, x_len_i}),
    .x_resp_i({1'b1, x_resp_i}), .x_done_o(x_done), .atomic_o(atomic), .atomic_id_o(atomic_id),
    .may_issue_i, .o_take_o(take), .o_slot_o(slot), .o_key_o(), .o_keys_o(), .o_wait_o(),
    .drop_i, .old_o(), .stalled_o(), .busy_o()
  );

  // ---------------------------------------------------------------- what memory and others may do
  // By ID: reads that memory has not answered to the end.
  logic [7:0] on_q, on;
  logic [3:0] on_way, m_q;
  logic [2:0] x_was_q;
  logic [1:0] m_id_q;
  logic       m_was_q, x_held_q, x_done_q, passes;
  logic [Slots-1:0] may_q;
  assign passes = m_rvalid_i & m_rready;
  always_comb begin
    on = on_q;
    for (int i = 0; i < 4; i++) begin
      on[i*2 +: 2] = on_q[i*2 +: 2] + 2'(m_arvalid && m_arready_i && m_arid == 2'(i)) -
          2'(passes && m_r_i[3] && m_rid_i == 2'(i) && on_way[i]);
      on_way[i] = on_q[i*2 +: 2] != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    on_q     <= rst_ni ? on : '0;
    m_was_q  <= rst_ni & m_rvalid_i & !m_rready;
    {m_id_q, m_q} <= {m_rid_i, m_r_i};
    x_held_q <= rst_ni & x_valid_i & !x_done;
    x_done_q <= x_done;
    x_was_q  <= {x_len_i, x_resp_i};
    may_q    <= may_issue_i & ~(take ? Slots'(1) << slot : '0);
  end
  always_comb begin
    assume (32'(followed_i) < Slots);
    if (!rst_ni) assume (!s_arvalid_i && !m_rvalid_i && !x_valid_i);
    if (m_rvalid_i) assume (m_rid_i == 2'd0 || on_way[m_rid_i]);
    if (m_was_q) assume (m_rvalid_i && {m_rid_i, m_r_i} == {m_id_q, m_q});
    if (x_held_q) assume (x_valid_i && {x_len_i, x_resp_i} == x_was_q);
    assume (!(x_valid_i && x_done_q));
    assume ((may_q & ~may_issue_i) == '0);
  end

  // ---------------------------------------------------------------- beats to the master
  // Zeros: of the followed slot's read, of an atomic; how many went before.
  logic        zero, zero_mine, zero_atomic, was_q, lives_q, id_q, x_next_q, x_over, x_over_q;
  logic [13:0] r, r_q;
  logic [1:0]  len_q, went_q, x_went_q;
  assign zero        = s_rvalid & s_rready_i & !m_rready;
  assign zero_mine   = zero & s_rid[1];
  assign zero_atomic = zero & s_rid == 2'd0;
  assign x_over      = x_valid_i & zero & s_rlast & s_rid != 2'd0;   // a read ends before it
  assign r           = {s_rid, s_rdata, s_rresp, s_ruser, s_rlast};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_q <= followed_i;
    was_q    <= rst_ni & s_rvalid & !s_rready_i;
    r_q      <= r;
    // held, and neither at memory nor over
    lives_q  <= rst_ni & (is_taken | (lives_q & !(zero_mine & s_rlast) &
        !(m_arvalid & m_arready_i & m_arid[1])));
    if (is_taken) {id_q, len_q} <= {s_arid_i, s_arlen_i};
    went_q   <= !rst_ni | is_taken ? '0 : went_q + 2'(zero_mine);
    x_went_q <= !rst_ni | x_done ? '0 : x_went_q + 2'(zero_atomic);
    x_next_q <= rst_ni & x_valid_i & s_rready_i & m_rready;
    x_over_q <= rst_ni & x_valid_i & (x_over | x_over_q);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        address:      assert (!m_arvalid || m_araddr[11] == m_arid[1]);
        stays:        assert (!was_q || (s_rvalid && r == r_q));
        memorys:      assert (!passes || (s_rvalid && s_rready_i &&
            r == {m_rid_i, {8{m_r_i[0]}}, m_r_i[2], 1'b0, m_r_i[1], m_r_i[3]}));
        once:         assert (!is_taken || !lives_q);
        ends:         assert (!zero_mine || (lives_q && s_rid[0] == id_q && s_rresp[1] &&
            s_rdata == '0 && !s_ruser && s_rlast == (went_q == len_q)));
        after_older:  assert (!zero_mine || !on_way[s_rid]);
        atomic_ends:  assert (!zero_atomic || (x_valid_i && s_rresp == {1'b1, x_resp_i} &&
            s_rdata == '0 && !s_ruser && s_rlast == (x_went_q == x_len_i)));
        atomic_done:  assert (x_done == (zero_atomic & s_rlast));
        atomic_next:  assert (!x_next_q || (s_rvalid && !m_rready));
        atomic_turn:  assert (!(x_over_q && x_over));
        atomics_last: assert (atomic == (passes && m_r_i[3] && !on_way[m_rid_i]) &&
            (!atomic || atomic_id == m_rid_i));
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(zero_mine && s_rlast && len_q == 2'd3 && m_rvalid_i));
    always_comb if (rst_ni) assert (!(zero_atomic && s_rlast && x_len_i == 2'd2 && lives_q));
    always_comb if (rst_ni) assert (!(passes && went_q != '0 && m_rid_i[1]));
    always_comb if (rst_ni) assert (!(atomic && zero == 1'b0 && x_valid_i && m_arvalid));
    always_comb if (rst_ni) assert (!(zero_mine && x_valid_i && went_q == 2'd1));
  end
endmodule
`default_nettype wire
