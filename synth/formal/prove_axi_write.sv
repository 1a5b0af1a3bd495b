// SPDX-License-Identifier: Apache-2.0
// The write half of a port: W goes to memory in the order of the AWs there, each beat of each burst
// once, unchanged, its last one last; none of a burst that ends here. One that ends here gets one
// B, behind its last W, and, of an atomic that returns data, behind its R, not while an earlier
// burst of its ID is on its way; memory's Bs pass as they are. A slot that is over is free. Around
// any address channel that does what axi_issue proves (prove_channel.svh), with atomics. One slot
// is followed, any, and one beat of its bursts; they have bit 11 of the address and the upper bit
// of the ID set. Assumed: what AXI asks of master and memory, and that the read half ends what it
// is told, once (axi_read).
`default_nettype none
module gmmu_axi_addr;  // parameters and ports of rtl/
  `include "prove_channel.svh"
endmodule

module prove_axi_write #(
  parameter int Slots   = 2,
  parameter int WBeats  = 2,
  parameter int RwOrder = 1,
  parameter int Covers  = 0,
  localparam int SlotW  = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             s_awvalid_i,
  input  logic             s_awid_i,
  input  logic [1:0]       s_awlen_i,
  input  logic [1:0]       s_atop_i,      // returns data, compares
  input  logic             s_wvalid_i,
  input  logic             s_wlast_i,
  input  logic             s_w_i,
  input  logic             s_bready_i,
  input  logic             m_awready_i,
  input  logic             m_wready_i,
  input  logic             m_bvalid_i,
  input  logic [1:0]       m_bid_i,
  input  logic [1:0]       m_b_i,         // response, user
  input  logic             x_done_i,
  input  logic             atomic_i,
  input  logic [1:0]       atomic_id_i,
  input  logic [Slots-1:0] may_issue_i,
  input  logic             drop_i,
  input  logic [SlotW-1:0] followed_i,
  input  logic [SlotW-1:0] other_i,
  input  logic [1:0]       beat_i
);
  `include "prove.svh"
  localparam int MetaW = 36;

  logic             s_awready, s_wready, s_bvalid, m_awvalid, m_wvalid, m_wlast, m_bready, x_valid;
  logic             m_wstrb, m_wuser, s_buser, take;
  logic [1:0]       s_bid, m_awid, x_id, s_bresp, x_resp;
  logic [7:0]       m_wdata, x_len;
  logic [12:0]      m_awaddr;
  logic [MetaW-1:0] meta, m_awmeta;
  logic [SlotW-1:0] slot, slot_q, other_q;
  logic [Slots-1:0] aw_wait, w_wait, fed;
  logic             is_taken, other_taken;
  assign is_taken    = take & slot == slot_q;
  assign other_taken = take & slot == other_q;
  // atop, ..., len
  assign meta = {s_atop_i[0], s_atop_i[1], 3'd0, s_atop_i[1], 28'd0, s_awlen_i};
  gmmu_axi_write #(.Slots(Slots), .Outstanding(2), .WBeats(WBeats), .IdW(2), .VaW(13), .PaW(13),
      .DataW(8), .UserW(1), .AsidW(1), .RwOrder(RwOrder)) u_dut (
    .clk_i, .rst_ni, .s_awvalid_i, .s_awready_o(s_awready), .s_awid_i({slot == slot_q, s_awid_i}),
    .s_awva_i({1'b0, slot == slot_q, 11'd0}), .s_awmeta_i(meta), .s_awasid_i(1'b0),
    .s_awaccess_i(2'd0), .s_awuser_i(1'b0), .s_awillegal_i(1'b0), .s_wvalid_i,
    .s_wready_o(s_wready), .s_wdata_i({8{s_w_i}}), .s_wstrb_i(s_w_i), .s_wlast_i,
    .s_wuser_i(s_w_i), .s_bvalid_o(s_bvalid), .s_bready_i, .s_bid_o(s_bid), .s_bresp_o(s_bresp),
    .s_buser_o(s_buser), .m_awvalid_o(m_awvalid), .m_awready_i, .m_awid_o(m_awid),
    .m_awaddr_o(m_awaddr), .m_awmeta_o(m_awmeta), .m_wvalid_o(m_wvalid), .m_wready_i,
    .m_wdata_o(m_wdata), .m_wstrb_o(m_wstrb), .m_wlast_o(m_wlast), .m_wuser_o(m_wuser),
    .m_bvalid_i, .m_bready_o(m_bready), .m_bid_i, .m_bresp_i({m_b_i[1], 1'b0}),
    .m_buser_i(m_b_i[0]), .open_i(1'b1), .pass_i(1'b0), .error_mode_i(1'b0), .t_valid_o(),
    .t_ready_i(1'b0), .t_va_o(), .t_access_o(), .t_user_o(), .t_asid_o(), .t_id_o(), .t_slot_o(),
    .a_valid_i(1'b0), .a_slot_i('0), .a_pfn_i(1'b0), .a_cause_i('0), .f_valid_o(), .f_rec_o(),
    .f_taken_i(1'b0), .f_lost_i(1'b0), .retry_i(1'b0), .tick_i(1'b0), .x_valid_o(x_valid),
    .x_id_o(x_id), .x_len_o(x_len), .x_resp_o(x_resp), .x_done_i, .atomic_i, .atomic_id_i,
    .may_issue_i, .o_take_o(take), .o_slot_o(slot), .o_key_o(), .o_keys_o(), .o_aw_wait_o(aw_wait),
    .o_w_wait_o(w_wait), .o_fed_o(fed), .drop_i, .old_o(), .stalled_o(), .busy_o()
  );

  // ---------------------------------------------------------------- W as the master gives it
  logic             in_beat, in_last, next_in, in_mine, in_q, other_in_q, found_q, found_now;
  logic             last_q, data_q;
  logic [SlotW:0]   owed_in_q, ahead_in_q, other_ahead_q;
  logic [1:0]       beat_q, in_left_q, out_left_q;
  logic [2:0]       kept_q;
  assign in_beat   = s_wvalid_i & s_wready;
  assign in_last   = in_beat & s_wlast_i;
  assign next_in   = in_q & ahead_in_q == '0;
  assign in_mine   = in_beat & next_in;
  assign found_now = in_mine & in_left_q == '0 & !found_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {slot_q, other_q, beat_q} <= {followed_i, other_i, beat_i};
      {owed_in_q, in_q, other_in_q, found_q, kept_q} <= '0;
    end else begin
      owed_in_q  <= owed_in_q + (SlotW+1)'(take) - (SlotW+1)'(in_last);
      in_q       <= is_taken | (in_q & !(in_mine & s_wlast_i));
      other_in_q <= other_taken | (other_in_q & !(in_last & other_ahead_q == '0));
      found_q    <= !is_taken & (found_q | found_now);
      kept_q     <= is_taken ? '0 : kept_q + 3'(in_mine) - 3'(out_mine);
    end
    if (is_taken) ahead_in_q <= owed_in_q - (SlotW+1)'(in_last);
    else if (in_last) ahead_in_q <= ahead_in_q - 1'b1;
    if (other_taken) other_ahead_q <= owed_in_q - (SlotW+1)'(in_last);
    else if (in_last) other_ahead_q <= other_ahead_q - 1'b1;
    if (is_taken) in_left_q <= beat_q;
    else if (in_mine && in_left_q != '0) in_left_q <= in_left_q - 1'b1;
    if (found_now) {last_q, data_q} <= {s_wlast_i, s_w_i};
  end

  // ---------------------------------------------------------------- and as memory gets it
  logic           aw_waits_q, offers, offers_mine, goes_mine, out_last, next_out, out_mine, out_q,
      followed, seen_q, sent_q, issued_q;
  logic [1:0]     over_q;        // all is at memory, for one cycle, for two
  logic [SlotW:0] owed_out_q, ahead_out_q;
  assign offers      = m_awvalid & !aw_waits_q;
  assign offers_mine = offers & m_awaddr[11];
  assign goes_mine   = m_awvalid & m_awready_i & m_awaddr[11];
  assign out_last    = m_wvalid & m_wready_i & m_wlast;
  assign next_out    = out_q & ahead_out_q == '0;
  assign out_mine    = m_wvalid & m_wready_i & next_out;
  assign followed    = out_mine & out_left_q == '0 & !seen_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {aw_waits_q, owed_out_q, out_q, seen_q, sent_q, issued_q, over_q} <= '0;
    else begin
      aw_waits_q <= m_awvalid & !m_awready_i;
      owed_out_q <= owed_out_q + (SlotW+1)'(offers) - (SlotW+1)'(out_last);
      out_q      <= offers_mine | (out_q & !(out_mine & m_wlast));
      sent_q     <= !is_taken & (sent_q | (out_mine & m_wlast));
      issued_q   <= !is_taken & (issued_q | goes_mine);
      seen_q     <= !is_taken & (seen_q | followed);
      over_q     <= is_taken ? '0 : {over_q[0], sent_q & issued_q};
    end
    if (offers_mine) ahead_out_q <= owed_out_q - (SlotW+1)'(out_last);
    else if (out_last) ahead_out_q <= ahead_out_q - 1'b1;
    if (is_taken) out_left_q <= beat_q;
    else if (out_mine && out_left_q != '0) out_left_q <= out_left_q - 1'b1;
  end

  // ---------------------------------------------------------------- how bursts end
  logic       none_q, lives_q, ends, ends_mine, passes, x_over_q, b_was_q, x_was_q, x_done_q,
      w_was_q, older_q;
  logic [1:0] atop_q, len_q;
  logic       id_q;
  logic [4:0] b_q;
  logic [11:0] x_q;
  logic [10:0] w, w_q;
  assign w = {m_wlast, m_wuser, m_wstrb, m_wdata};
  assign ends      = s_bvalid & s_bready_i & !m_bready;
  assign ends_mine = ends & s_bid[1];
  assign passes    = m_bvalid_i & m_bready;
  always_ff @(posedge clk_i) begin
    lives_q  <= rst_ni & (is_taken | (lives_q & !ends_mine));
    x_over_q <= rst_ni & !is_taken & (x_over_q | (x_done_i & x_id[1]));
    b_was_q  <= rst_ni & s_bvalid & !s_bready_i;
    x_was_q  <= rst_ni & x_valid & !x_done_i;
    x_done_q <= rst_ni & x_done_i;
    w_was_q  <= rst_ni & m_wvalid & !m_wready_i;
    b_q      <= {s_bid, s_bresp, s_buser};
    x_q      <= {x_id, x_len, x_resp};
    w_q      <= w;
    if (is_taken) {atop_q, len_q, id_q} <= {s_atop_i, s_awlen_i, s_awid_i};
    // the other slot's burst is older, and waits for memory
    older_q  <= rst_ni & aw_wait[other_q] & (is_taken | older_q);
  end

  // ---------------------------------------------------------------- what master and memory may do
  // By ID: writes that memory has, of which it owes B; of those the last Ws it has not got yet; an
  // atomic that it owes B, R.
  logic [7:0] on_q, on;
  logic [3:0] r_q, r, b_owed;
  logic [2:0] lasts_q;
  logic       s_was_q, m_b_was_q, err_begins;
  logic [1:0] s_w_q;
  logic [3:0] m_b_q;
  logic [Slots-1:0] may_q;
  always_comb begin
    {on, r} = {on_q, r_q};
    for (int i = 0; i < 4; i++) begin
      on[i*2 +: 2] = on_q[i*2 +: 2] + 2'(m_awvalid && m_awready_i && m_awid == 2'(i)) -
          2'(passes && m_bid_i == 2'(i));
      if (m_awvalid && m_awready_i && m_awid == 2'(i) && m_awmeta[MetaW-1]) r[i] = 1'b1;
      if (atomic_i && atomic_id_i == 2'(i)) r[i] = 1'b0;
      b_owed[i] = on_q[i*2 +: 2] != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    {on_q, r_q, lasts_q} <= !rst_ni ? '0 : {on, r, lasts_q + 3'(out_last) - 3'(passes)};
    s_was_q   <= rst_ni & s_wvalid_i & !s_wready;
    m_b_was_q <= rst_ni & m_bvalid_i & !m_bready;
    s_w_q     <= {s_wlast_i, s_w_i};
    m_b_q     <= {m_bid_i, m_b_i};
    may_q     <= may_issue_i & ~(take ? Slots'(1) << slot : '0);
  end
  // nothing of the followed burst's ID was on its way
  always_ff @(posedge clk_i) none_q <= on_q[{1'b1, id_q}*2 +: 2] == '0 & !r_q[{1'b1, id_q}];
  assign err_begins = s_bvalid & !m_bvalid_i & !b_was_q;
  always_comb begin
    assume (32'(followed_i) < Slots && 32'(other_i) < Slots && followed_i != other_i);
    if (!rst_ni) assume (!s_awvalid_i && !s_wvalid_i && !m_bvalid_i && !x_done_i && !atomic_i);
    if (s_was_q) assume (s_wvalid_i && {s_wlast_i, s_w_i} == s_w_q);
    if (m_b_was_q) assume (m_bvalid_i && {m_bid_i, m_b_i} == m_b_q);
    if (m_bvalid_i) assume (b_owed[m_bid_i] && lasts_q != '0);
    if (atomic_i) assume (r_q[atomic_id_i]);
    if (x_done_i) assume (x_valid);
    assume ((may_q & ~may_issue_i) == '0);
    // an atomic is the only write of its ID
    if (m_awvalid && (m_awmeta[MetaW-1] || r_q[m_awid]))
      assume (on_q[m_awid*2 +: 2] == '0 && !r_q[m_awid]);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        behind_aw:     assert (!in_beat || owed_in_q != '0);
        at_memory:     assert (!m_wvalid || owed_out_q != '0);
        beat:          assert (!(followed && found_q) || w == {last_q, {10{data_q}}});
        beat_there:    assert (!followed || found_q || found_now);
        beat_now:      assert (!(out_mine && kept_q == '0) ||
            (in_mine && w == {s_wlast_i, {10{s_w_i}}}));
        last:          assert (!(out_mine && m_wlast) || (!in_q && kept_q == 3'd1) ||
            (kept_q == '0 && in_mine && s_wlast_i));
        flows:         assert (!(next_out && kept_q != '0) || m_wvalid);
        straight:      assert (!(next_out && next_in && kept_q == '0) ||
            (m_wvalid == s_wvalid_i && s_wready == m_wready_i));
        room:          assert (!(next_in && kept_q != 3'(WBeats) && !(next_out && kept_q == '0)) ||
            s_wready);
        drained:       assert (!(next_in && lives_q && !issued_q && !out_q && !aw_wait[slot_q] &&
            !goes_mine) || s_wready);
        all_issued_or_ended: assert (!is_taken || (!in_q && !out_q &&
            (!lives_q || (issued_q && sent_q))));
        free_when_over: assert (!over_q[1] || !w_wait[slot_q]);
        no_w_of_ended: assert (!(ends_mine && (issued_q || out_q || in_q || !lives_q)));
        b_of_ended:    assert (!ends_mine || (s_bid == {1'b1, id_q} && s_bresp[1] && !s_buser));
        b_behind_r:    assert (!ends_mine || x_over_q == atop_q[0]);
        b_after_older: assert (!(err_begins && s_bid[1]) || none_q);
        b_passes:      assert (!passes || (s_bvalid && s_bready_i &&
            {s_bid, s_bresp, s_buser} == {m_bid_i, m_b_i[1], 1'b0, m_b_i[0]}));
        b_stays:       assert (!b_was_q || (s_bvalid && {s_bid, s_bresp, s_buser} == b_q));
        w_stays:       assert (!w_was_q || (m_wvalid && w == w_q));
        x_stays:       assert (!x_was_q || (x_valid && {x_id, x_len, x_resp} == x_q));
        x_done_once:   assert (!x_done_q || !x_valid);
        x_of_atomic:   assert (!(x_valid && x_id[1]) || (atop_q[0] && !x_over_q && !in_q &&
            !issued_q && lives_q && x_id[0] == id_q && x_resp[1] && x_len ==
            (atop_q[1] && len_q != '0 ? {7'd0, len_q[1]} : {6'd0, len_q})));
        not_before:    assert (!(offers_mine && older_q && (other_in_q || (RwOrder != 0 && in_q))));
        fed_known:     assert (fed[slot_q] == (!in_q || (in_mine && s_wlast_i)));
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(followed && found_q && beat_q == 2'd3));
    always_comb if (rst_ni) assert (!(ends_mine && atop_q[0] && owed_out_q != '0));
    always_comb if (rst_ni) assert (!(sent_q && !issued_q && owed_in_q != '0));
    always_comb if (rst_ni) assert (!(offers_mine && older_q));
    always_comb if (rst_ni) assert (!(out_mine && m_wlast && kept_q == 3'd1 && aw_wait[other_q]));
    always_comb if (rst_ni) assert (!(x_valid && x_id[1] && x_len == 8'd1 && atop_q[1]));
    always_comb if (rst_ni) assert (!(err_begins && m_awvalid && drop_i));
  end
endmodule
`default_nettype wire
