// SPDX-License-Identifier: Apache-2.0
// An address channel: each burst that is taken goes to memory once, with its own ID and payload, to
// the frame of the last answer to its own lookup, not of one from before the last invalidation
// (but what was offered then stays); or it ends here, once, which is decided by a report of its
// fault. Bursts of an ID go, or end, in the order in which they were taken. A fault is reported
// once, with what was asked and why. One slot is followed, any; its bursts have bit 11 of their
// address set, so that its records and lookups are known. Assumed: what the ports of gmmu_axi_addr
// say of its callers.
`default_nettype none
module prove_axi_issue #(
  parameter int Slots  = 3,
  parameter int Keep   = 0,
  parameter int Covers = 0,
  localparam int SlotW = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             s_valid_i,
  input  logic             s_id_i,
  input  logic [3:0]       s_i,          // page, meta, ASID, write
  input  logic             s_illegal_i,
  input  logic             open_i,
  input  logic             pass_i,
  input  logic             error_mode_i,
  input  logic             t_ready_i,
  input  logic             a_valid_i,
  input  logic [SlotW-1:0] a_slot_i,
  input  logic             a_pfn_i,
  input  logic             a_fault_i,
  input  logic             m_ready_i,
  input  logic [Slots-1:0] may_issue_i,
  input  logic             hold_issue_i,
  input  logic             f_taken_i,
  input  logic             f_lost_i,
  input  logic             retry_i,
  input  logic             tick_i,
  input  logic [Slots-1:0] may_end_i,
  input  logic [Slots-1:0] free_i,
  input  logic             drop_i,
  input  logic [SlotW-1:0] followed_i,
  input  logic [SlotW-1:0] other_i
);
  `include "prove.svh"

  logic             s_ready, t_valid, m_valid, f_valid, e_valid, t_id, m_id, e_id, t_asid, t_user,
      m_meta, e_meta, m_old, take;
  logic [SlotW-1:0] s_slot, t_slot, m_slot, e_slot;
  logic [12:0]      s_va, t_va, m_addr;
  logic [1:0]       t_access;
  logic [4:0]       e_cause;
  logic [Slots-1:0] issued, dead, waits;
  logic [2:0]       s_key;       // untranslated, ASID, page
  logic [3*Slots-1:0] keys;
  logic [22:0]      f_rec;       // VA 13, ASID, access 2, user, ID, cause 5
  logic [SlotW-1:0] slot_q, other_q;
  assign s_va = {s_i[3], s_slot == slot_q, 11'd0};
  gmmu_axi_addr #(.Slots(Slots), .IdW(1), .VaW(13), .PaW(13), .MetaW(1), .AsidW(1),
      .Keep(Keep)) u_dut (
    .clk_i, .rst_ni, .s_valid_i, .s_ready_o(s_ready), .s_id_i, .s_va_i(s_va), .s_meta_i(s_i[2]),
    .s_asid_i(s_i[1]), .s_access_i({1'b0, s_i[0]}), .s_user_i(1'b0), .s_illegal_i,
    .s_slot_o(s_slot), .open_i, .pass_i, .error_mode_i, .t_valid_o(t_valid), .t_ready_i,
    .t_va_o(t_va), .t_access_o(t_access), .t_user_o(t_user), .t_asid_o(t_asid), .t_id_o(t_id),
    .t_slot_o(t_slot), .a_valid_i, .a_slot_i, .a_pfn_i,
    .a_cause_i(a_fault_i ? gmmu_pkg::CAUSE_PF_INVALID : gmmu_pkg::CAUSE_OK),
    .m_valid_o(m_valid), .m_ready_i, .m_id_o(m_id), .m_addr_o(m_addr), .m_meta_o(m_meta),
    .m_slot_o(m_slot), .may_issue_i, .hold_issue_i, .issued_o(issued), .s_key_o(s_key),
    .key_o(keys),
    .wait_o(waits), .f_valid_o(f_valid), .f_rec_o(f_rec), .f_taken_i, .f_lost_i, .retry_i, .tick_i,
    .dead_o(dead), .may_end_i, .e_valid_o(e_valid), .e_slot_o(e_slot), .e_id_o(e_id),
    .e_meta_o(e_meta), .e_cause_o(e_cause), .free_i, .drop_i, .m_old_o(m_old), .stalled_o()
  );
  assign take = s_valid_i & s_ready;

  // ---------------------------------------------------------------- the slots, by the ports
  logic [Slots-1:0] held_q, gone_q, out_q, goes, takes;
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    assign takes[s] = take & s_slot == SlotW'(s);
    assign goes[s]  = m_valid & m_ready_i & m_slot == SlotW'(s);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {held_q[s], gone_q[s], out_q[s]} <= '0;
      else begin
        held_q[s] <= takes[s] | (held_q[s] & !free_i[s] & (Keep != 0 | !goes[s]));
        gone_q[s] <= Keep != 0 & !takes[s] & !free_i[s] & (gone_q[s] | goes[s]);
        out_q[s]  <= (t_valid & t_ready_i & t_slot == SlotW'(s)) |
            (out_q[s] & !(a_valid_i & a_slot_i == SlotW'(s)));
      end
    end
  end

  // ---------------------------------------------------------------- the followed slot's burst
  logic       is_taken, is_asked, is_answered, at_memory, reported, has, offered_q, old_q, ends_q;
  logic       has_q, passed_q, illegal_q, wants_q, pending_q, known_q, stuck_q, dead_q, older_q;
  logic       pfn_q, id_q;
  logic [3:0] burst_q;
  logic [4:0] cause;
  logic [SlotW-1:0] offered_slot_q, end_slot_q;
  assign is_taken    = take & s_slot == slot_q;
  assign is_asked    = t_valid & t_ready_i & t_slot == slot_q;
  assign is_answered = a_valid_i & a_slot_i == slot_q;
  assign at_memory   = m_valid & m_slot == slot_q;
  assign reported    = f_valid & f_rec[21];
  assign has         = has_q | (is_answered & !a_fault_i);
  assign cause       = illegal_q ? gmmu_pkg::CAUSE_BURST : gmmu_pkg::CAUSE_PF_INVALID;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {slot_q, other_q} <= {followed_i, other_i};
    // what was offered and not taken
    offered_q      <= rst_ni & m_valid & !m_ready_i;
    offered_slot_q <= m_slot;
    old_q          <= rst_ni & m_valid & !m_ready_i & (drop_i | old_q);
    ends_q         <= rst_ni & e_valid & !free_i[e_slot];
    end_slot_q     <= e_slot;
    if (is_taken) begin
      id_q      <= s_id_i;
      burst_q   <= s_i;
      passed_q  <= pass_i & !s_illegal_i;
      illegal_q <= s_illegal_i;
      pfn_q     <= s_i[3];
    end else if (is_answered) pfn_q <= a_pfn_i;
    // a translation: of a burst that is held, not from before an invalidation
    if (!rst_ni) {has_q, wants_q, pending_q, stuck_q, dead_q} <= '0;
    else begin
      has_q     <= is_taken ? pass_i & !s_illegal_i
          : has & !goes[slot_q] & !(drop_i & has_q & !passed_q & !at_memory);
      wants_q   <= !is_asked & ((is_taken & !pass_i & !s_illegal_i) | wants_q |
          (drop_i & has_q & !passed_q & !at_memory) |
          ((retry_i | tick_i) & !error_mode_i & stuck_q & !pending_q & !dead_q));
      pending_q <= (is_taken & s_illegal_i) | (is_answered & a_fault_i & !known_q) |
          (pending_q & !(f_taken_i & reported));
      stuck_q   <= !free_i[slot_q] & ((is_taken & s_illegal_i) | (is_answered & a_fault_i) |
          (stuck_q & !((retry_i | tick_i) & !error_mode_i & !pending_q & !dead_q)));
      dead_q    <= !free_i[slot_q] & (dead_q |
          (f_taken_i & reported & (illegal_q | error_mode_i)) |
          (error_mode_i & stuck_q & !pending_q));
    end
    if (is_taken) known_q <= 1'b0;
    else known_q <= (known_q & !retry_i) | (f_taken_i & reported & !f_lost_i);
    // the other slot's burst is older, of the same ID, and neither at memory nor over
    if (!rst_ni) older_q <= 1'b0;
    else if (is_taken)
      older_q <= held_q[other_q] & !gone_q[other_q] & other_id_q == s_id_i & !goes[other_q] &
          !free_i[other_q];
    else older_q <= older_q & !goes[other_q] & !free_i[other_q];
  end
  logic other_id_q;
  always_ff @(posedge clk_i) if (takes[other_q]) other_id_q <= s_id_i;

  // ---------------------------------------------------------------- what callers may do
  logic [Slots-1:0] may_q, may_end_q;   // of bursts that were held already
  always_ff @(posedge clk_i) {may_q, may_end_q} <= {held_q & may_issue_i, held_q & may_end_i};
  always_comb begin
    assume (32'(followed_i) < Slots && 32'(other_i) < Slots && followed_i != other_i);
    if (!rst_ni) assume (!s_valid_i && !a_valid_i && free_i == '0);
    if (a_valid_i) assume (32'(a_slot_i) < Slots && out_q[a_slot_i]);
    assume (!f_taken_i || f_valid);
    assume (!(hold_issue_i && offered_q));
    assume ((held_q & ~gone_q & may_q & ~may_issue_i) == '0);
    assume ((held_q & may_end_q & ~may_end_i) == '0);
    assume ((free_i & ~gone_q & ~(e_valid ? Slots'(1) << e_slot : '0)) == '0);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        free_slot:     assert (!take || !held_q[s_slot]);
        held_issues:   assert (!m_valid || (held_q[m_slot] && !gone_q[m_slot]));
        translated:    assert (!at_memory || (has && !dead_q && !stuck_q));
        id_and_meta:   assert (!at_memory || (m_id == id_q && m_meta == burst_q[2]));
        address:       assert (!at_memory || m_addr ==
            {passed_q ? burst_q[3] : has_q ? pfn_q : a_pfn_i, 12'h800});
        not_first:     assert (!at_memory || !older_q);
        allowed:       assert (!at_memory || (may_issue_i[slot_q] && (!hold_issue_i || offered_q)));
        stays:         assert (!offered_q || (m_valid && m_slot == offered_slot_q));
        old_is_old:    assert (m_old == old_q);
        lookup:        assert (!(t_valid && t_slot == slot_q) || ((wants_q ||
            (is_taken && !pass_i && !s_illegal_i)) && t_id == (wants_q ? id_q : s_id_i) &&
            {t_va[12], t_asid, t_access, t_user, t_va[11:0]} ==
            (wants_q ? {burst_q[3], burst_q[1], 1'b0, burst_q[0], 13'h0800}
                     : {s_i[3], s_i[1], 1'b0, s_i[0], 13'h0800})));
        lookup_asked:  assert (!wants_q || t_valid);
        report_asked:  assert (!pending_q || f_valid);
        report:        assert (!reported || (pending_q && f_rec == {burst_q[3], 12'h800, burst_q[1],
            1'b0, burst_q[0], 1'b0, id_q, cause}));
        ends_dead:     assert (!(e_valid && e_slot == slot_q) || (dead_q && !older_q &&
            may_end_i[slot_q] && e_id == id_q && e_meta == burst_q[2] && e_cause == cause));
        end_or_issue:  assert (!(e_valid && m_valid) || e_id != m_id);
        end_stays:     assert (!ends_q || (e_valid && e_slot == end_slot_q));
        key_taken:     assert (!take ||
            s_key == (pass_i ? {2'b10, s_i[3]} : {1'b0, s_i[1], s_i[3]}));
        key_known:     assert (!held_q[slot_q] || illegal_q || keys[3*slot_q +: 3] ==
            (passed_q ? {2'b10, burst_q[3]} : {1'b0, burst_q[1], burst_q[3]}));
        dead_known:    assert (dead[slot_q] == dead_q);
        gone_known:    assert (issued[slot_q] == gone_q[slot_q]);
        wait_known:    assert (waits[slot_q] == (held_q[slot_q] && !dead_q && !gone_q[slot_q] &&
            !goes[slot_q] && !free_i[slot_q]));
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(at_memory && m_old && m_ready_i && !passed_q));
    always_comb if (rst_ni) assert (!(e_valid && e_slot == slot_q && !illegal_q &&
        held_q[other_q]));
    always_comb if (rst_ni) assert (!(older_q && has_q && goes[other_q]));
    always_comb if (rst_ni) assert (!(stuck_q && known_q && tick_i && !error_mode_i));
    always_comb if (rst_ni) assert (!(drop_i && has_q && !passed_q && !at_memory));
    always_comb if (rst_ni) assert (!(pending_q && reported && f_lost_i && f_taken_i));
  end
endmodule
`default_nettype wire
