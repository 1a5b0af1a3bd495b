// SPDX-License-Identifier: Apache-2.0
// Lookups of an address channel go in turns of its slots: what is offered stays until it is taken;
// a burst that was taken, or whose translation an invalidation takes, is looked up before Slots + 1
// lookups of other slots are, whatever the MMU, memory, faults and retries do.
`default_nettype none
module prove_axi_addr #(
  parameter int Slots  = 3,
  parameter int Keep   = 0,
  parameter int Covers = 0
) (
  input  logic             clk_i,
  input  logic             s_valid_i,
  input  logic             s_id_i,
  input  logic             pass_i,
  input  logic             t_ready_i,
  input  logic             a_valid_i,
  input  logic [1:0]       a_slot_i,
  input  logic             a_fault_i,
  input  logic             m_ready_i,
  input  logic             hold_issue_i,
  input  logic             f_taken_i,
  input  logic             retry_i,
  input  logic             tick_i,
  input  logic [Slots-1:0] free_i,
  input  logic             drop_i,
  input  logic [1:0]       followed_i
);
  `include "prove.svh"
  localparam int CntW = $clog2(Slots + 2);

  logic             s_ready, t_valid, m_valid, f_valid, take, asked, at_memory;
  logic [1:0]       s_slot, t_slot, m_slot;
  logic [Slots-1:0] issued;
  gmmu_axi_addr #(.Slots(Slots), .IdW(1), .VaW(13), .PaW(13), .MetaW(1), .AsidW(1),
      .Keep(Keep)) u_dut (
    .clk_i, .rst_ni, .s_valid_i, .s_ready_o(s_ready), .s_id_i, .s_va_i(13'd0), .s_meta_i(1'b0),
    .s_asid_i(1'b0), .s_access_i(2'b00), .s_user_i(1'b0), .s_illegal_i(1'b0), .s_slot_o(s_slot),
    .open_i(1'b1), .pass_i, .error_mode_i(1'b0), .t_valid_o(t_valid), .t_ready_i, .t_va_o(),
    .t_access_o(), .t_user_o(), .t_asid_o(), .t_id_o(), .t_slot_o(t_slot), .a_valid_i, .a_slot_i,
    .a_pfn_i(1'b0), .a_cause_i(a_fault_i ? gmmu_pkg::CAUSE_PF_INVALID : gmmu_pkg::CAUSE_OK),
    .m_valid_o(m_valid), .m_ready_i, .m_id_o(), .m_addr_o(), .m_meta_o(), .m_slot_o(m_slot),
    .may_issue_i({Slots{1'b1}}), .hold_issue_i, .issued_o(issued), .s_key_o(), .key_o(),
    .wait_o(), .f_valid_o(f_valid), .f_rec_o(), .f_taken_i, .f_lost_i(1'b0), .retry_i, .tick_i,
    .dead_o(), .may_end_i({Slots{1'b1}}), .e_valid_o(), .e_slot_o(), .e_id_o(), .e_meta_o(),
    .e_cause_o(), .free_i, .drop_i, .m_old_o(), .stalled_o()
  );

  // Lookups that are not answered.
  logic [Slots-1:0] out_q, out_d;
  always_comb begin
    out_d = out_q;
    for (int i = 0; i < Slots; i++) begin
      if (a_valid_i && a_slot_i == 2'(i)) out_d[i] = 1'b0;
      if (t_valid && t_ready_i && t_slot == 2'(i)) out_d[i] = 1'b1;
    end
  end

  // One slot, any: its burst has a translation; waits for its lookup, and meanwhile so many others
  // were taken.
  logic [1:0]      slot_q;
  logic            has_q, passed_q, wants_q, offered_q, before_q, waits_q, lost;
  logic [1:0]      offered_slot_q;
  logic [CntW-1:0] others_q;
  assign take      = s_valid_i && s_ready && s_slot == slot_q;
  assign asked     = t_valid && t_ready_i && t_slot == slot_q;
  assign at_memory = m_valid && m_slot == slot_q;
  assign lost      = drop_i && has_q && !passed_q && !at_memory;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_q <= followed_i;
    out_q          <= rst_ni ? out_d : '0;
    before_q       <= rst_ni;
    offered_q      <= rst_ni && t_valid && !t_ready_i;
    offered_slot_q <= t_slot;
    waits_q        <= rst_ni && m_valid && !m_ready_i;
    if (take) passed_q <= pass_i;
    if (!rst_ni || (at_memory && m_ready_i) || lost) has_q <= 1'b0;
    else if (take) has_q <= pass_i;
    else if (a_valid_i && a_slot_i == slot_q) has_q <= !a_fault_i;
    if (!rst_ni || asked) wants_q <= 1'b0;
    else if ((take && !pass_i) || lost) wants_q <= 1'b1;
    if (!wants_q) others_q <= '0;
    else if (t_valid && t_ready_i && t_slot != slot_q && !(&others_q)) others_q <= others_q + 1'b1;
  end
  always_comb begin
    assume (32'(followed_i) < Slots);
    if (!rst_ni) assume (!s_valid_i && !a_valid_i && free_i == '0);
    if (a_valid_i) assume (32'(a_slot_i) < Slots && out_q[a_slot_i]);
    assume (!f_taken_i || f_valid);
    assume (!(hold_issue_i && waits_q));
    assume ((free_i & ~issued) == '0);   // those that memory has
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        stays: assert (!offered_q || (t_valid && t_slot == offered_slot_q));
        no_more_than_all_others_and_one: assert (!wants_q || 32'(others_q) <= Slots);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(wants_q && 32'(others_q) == Slots - 1));
    always_comb if (rst_ni) assert (!(lost && wants_q == 1'b0));
    always_comb if (rst_ni) assert (!(asked && others_q != '0 && retry_i));
    always_comb if (rst_ni) assert (!(offered_q && drop_i && a_valid_i));
  end
endmodule
`default_nettype wire
