// SPDX-License-Identifier: Apache-2.0
// Bursts of an address channel end at last. One that needs no lookup any more and waits for no
// other of its ID goes to memory behind as many others as there are slots (Issues) at most, also
// when an invalidation takes its translation meanwhile; two cycles after it may go at the latest
// one is offered, or looked up, which has its bound (prove_axi_addr). One that is to end here does
// so before another slot has ended twice, and at most two cycles go by in which none ends. Whatever
// MMU, memory, faults, retries and invalidations do.
`default_nettype none
module prove_axi_ends #(
  parameter int Slots  = 3,
  parameter int Keep   = 0,
  parameter int Issues = Slots,
  parameter int Covers = 0,
  localparam int SlotW = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             s_valid_i,
  input  logic             s_id_i,
  input  logic             s_illegal_i,
  input  logic             pass_i,
  input  logic             error_mode_i,
  input  logic             t_ready_i,
  input  logic             a_valid_i,
  input  logic [SlotW-1:0] a_slot_i,
  input  logic             a_fault_i,
  input  logic             m_ready_i,
  input  logic [Slots-1:0] may_issue_i,
  input  logic             hold_issue_i,
  input  logic             f_taken_i,
  input  logic             retry_i,
  input  logic             tick_i,
  input  logic [Slots-1:0] may_end_i,
  input  logic [Slots-1:0] free_i,
  input  logic             drop_i,
  input  logic [SlotW-1:0] followed_i
);
  `include "prove.svh"
  localparam int CntW = $clog2(Issues + 2);

  logic             s_ready, t_valid, m_valid, f_valid, e_valid;
  logic [SlotW-1:0] s_slot, t_slot, m_slot, e_slot;
  logic [Slots-1:0] dead;
  gmmu_axi_addr #(.Slots(Slots), .IdW(1), .VaW(13), .PaW(13), .MetaW(1), .AsidW(1),
      .Keep(Keep)) u_dut (
    .clk_i, .rst_ni, .s_valid_i, .s_ready_o(s_ready), .s_id_i, .s_va_i(13'd0), .s_meta_i(1'b0),
    .s_asid_i(1'b0), .s_access_i(2'b00), .s_user_i(1'b0), .s_illegal_i, .s_slot_o(s_slot),
    .open_i(1'b1), .pass_i, .error_mode_i, .t_valid_o(t_valid), .t_ready_i, .t_va_o(),
    .t_access_o(), .t_user_o(), .t_asid_o(), .t_id_o(), .t_slot_o(t_slot), .a_valid_i, .a_slot_i,
    .a_pfn_i(1'b0), .a_cause_i(a_fault_i ? gmmu_pkg::CAUSE_PF_INVALID : gmmu_pkg::CAUSE_OK),
    .m_valid_o(m_valid), .m_ready_i, .m_id_o(), .m_addr_o(), .m_meta_o(), .m_slot_o(m_slot),
    .may_issue_i, .hold_issue_i, .issued_o(), .s_key_o(), .key_o(),
    .wait_o(), .f_valid_o(f_valid), .f_rec_o(), .f_taken_i, .f_lost_i(1'b0), .retry_i, .tick_i,
    .dead_o(dead), .may_end_i, .e_valid_o(e_valid), .e_slot_o(e_slot), .e_id_o(), .e_meta_o(),
    .e_cause_o(), .free_i, .drop_i, .m_old_o(), .stalled_o()
  );

  // ---------------------------------------------------------------- the slots, by the ports
  logic [Slots-1:0] held_q, gone_q, asks_q, out_q, goes, takes, asked, first_of_id;
  logic [Slots-1:0] id_q;
  logic [Slots-1:0] before_q [0:Slots-1];   // older ones of its ID
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    assign takes[s] = s_valid_i & s_ready & s_slot == SlotW'(s);
    assign goes[s]  = m_valid & m_ready_i & m_slot == SlotW'(s);
    assign asked[s] = t_valid & t_ready_i & t_slot == SlotW'(s);
    assign first_of_id[s] = before_q[s] == '0;
    logic [Slots-1:0] same;
    for (genvar o = 0; o < Slots; o++) begin : gen_same
      assign same[o] = held_q[o] & !gone_q[o] & id_q[o] == s_id_i;
    end
    always_ff @(posedge clk_i) begin
      if (takes[s]) id_q[s] <= s_id_i;
      if (!rst_ni) {held_q[s], gone_q[s], out_q[s], before_q[s]} <= '0;
      else begin
        held_q[s] <= takes[s] | (held_q[s] & !free_i[s] & (Keep != 0 | !goes[s]));
        gone_q[s] <= Keep != 0 & !takes[s] & !free_i[s] & (gone_q[s] | goes[s]);
        out_q[s]  <= asked[s] | (out_q[s] & !(a_valid_i & a_slot_i == SlotW'(s)));
        before_q[s] <= (takes[s] ? same : before_q[s]) & ~goes & ~free_i;
      end
    end
  end
  assign asks_q = held_q & ~gone_q;

  // ---------------------------------------------------------------- the followed slot's burst
  logic             is_answered, at_memory, faults, waits, ready, has_q, passed_q, waits_q;
  logic             offered_q, ending, ended_q;
  logic [SlotW-1:0] slot_q;
  logic [CntW-1:0]  others_q;
  logic [1:0]       idle_q, still_q;
  logic [Slots-1:0] ends, ends_q;
  assign is_answered = a_valid_i & a_slot_i == slot_q;
  assign at_memory   = m_valid & m_slot == slot_q;
  assign faults      = is_answered & a_fault_i;
  // it has a translation and waits for nothing but its turn; or did so when one was taken from it
  assign ready  = held_q[slot_q] & !gone_q[slot_q] & (has_q | (is_answered & !a_fault_i)) &
      first_of_id[slot_q] & may_issue_i[slot_q];
  assign waits  = (ready | waits_q) & !faults;
  assign ends   = e_valid & e_slot != slot_q ? free_i & (Slots'(1) << e_slot) : '0;
  assign ending = dead[slot_q] & first_of_id[slot_q] & may_end_i[slot_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_q <= followed_i;
    offered_q <= rst_ni & m_valid & !m_ready_i;
    if (takes[slot_q]) passed_q <= pass_i & !s_illegal_i;
    if (!rst_ni | goes[slot_q]) has_q <= 1'b0;
    else if (takes[slot_q]) has_q <= pass_i & !s_illegal_i;
    else if (drop_i & has_q & !passed_q & !at_memory) has_q <= 1'b0;
    else if (is_answered) has_q <= !a_fault_i;
    waits_q  <= rst_ni & waits & !goes[slot_q];
    if (!rst_ni | !waits) others_q <= '0;
    else if (m_valid & m_ready_i & !at_memory & !(&others_q)) others_q <= others_q + 1'b1;
    // ends of others, while it is to end
    ends_q  <= rst_ni & ending ? ends_q | ends : '0;
    ended_q <= rst_ni & ending & (ends_q & ends) != '0;
    idle_q  <= rst_ni & ready & !hold_issue_i & !m_valid & !t_valid & out_q == '0
        ? idle_q + 2'(!(&idle_q)) : '0;
    still_q <= rst_ni & ending & !e_valid ? still_q + 2'(!(&still_q)) : '0;
  end

  // ---------------------------------------------------------------- what callers may do
  logic [Slots-1:0] may_q, may_end_q;   // of bursts that were held already
  always_ff @(posedge clk_i) {may_q, may_end_q} <= {held_q & may_issue_i, held_q & may_end_i};
  always_comb begin
    assume (32'(followed_i) < Slots);
    if (!rst_ni) assume (!s_valid_i && !a_valid_i && free_i == '0);
    if (a_valid_i) assume (32'(a_slot_i) < Slots && out_q[a_slot_i]);
    assume (!f_taken_i || f_valid);
    assume (!(hold_issue_i && offered_q));
    assume ((asks_q & may_q & ~may_issue_i) == '0);
    assume ((held_q & may_end_q & ~may_end_i) == '0);
    assume ((free_i & ~gone_q & ~(e_valid ? Slots'(1) << e_slot : '0)) == '0);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        few_others:  assert (!waits || 32'(others_q) <= Issues);
        one_moves:   assert (!(&idle_q));
        ends_soon:   assert (!(&still_q));
        ends_once:   assert (!ended_q);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(waits_q && 32'(others_q) == Slots));
    always_comb if (rst_ni) assert (!(ready && !hold_issue_i && !m_valid));
    always_comb if (rst_ni) assert (!(goes[slot_q] && waits_q && others_q != '0 && !has_q));
    always_comb if (rst_ni) assert (!(e_valid && e_slot == slot_q && ends_q != '0));
  end
endmodule
`default_nettype wire
