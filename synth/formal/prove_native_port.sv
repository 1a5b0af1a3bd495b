// SPDX-License-Identifier: Apache-2.0
// Native port: answers and requests to the MMU stay until they are taken; each request is answered
// once, with the frame of its last lookup and its own offset, or with the cause of a fault and
// address 0. After an invalidation (drop_i) an answer whose lookup was answered before it comes
// with old_o, which keeps the command: one that waited then, or stood behind a fault's. Assumed:
// the client uses a name again when it has been answered; the MMU answers each lookup once.
`default_nettype none
module prove_native_port #(
  parameter int Slots  = 2,
  parameter int Covers = 0,
  localparam int PaW   = 14
) (
  input  logic       clk_i,
  input  logic       s_valid_i,
  input  logic [2:0] s_va_i,         // two bits of the page, one of the offset
  input  logic       s_warp_i,
  input  logic       s_tag_i,
  input  logic       m_ready_i,
  input  logic [1:0] mode_i,
  input  logic       error_mode_i,
  input  logic       req_ready_i,
  input  logic       rsp_valid_i,
  input  logic       rsp_slot_i,
  input  logic [1:0] rsp_pfn_i,
  input  logic [1:0] rsp_fault_i,    // none, or one of three causes
  input  logic       f_taken_i,
  input  logic       f_lost_i,
  input  logic       retry_i,
  input  logic       tick_i,
  input  logic       drop_i,
  input  logic       warp_i          // any warp, the same for ever: it has one request at a time
);
  `include "prove.svh"

  logic           s_ready, m_valid, m_warp, m_tag, req_valid, req_warp, req_user, f_valid, old;
  logic [63:0]    req_va;
  logic [1:0]     req_access, req_tag;
  logic [PaW-1:0] m_pa;
  logic [4:0]     m_cause, rsp_cause;
  assign rsp_cause = {3'd0, rsp_fault_i};
  gmmu_native_port #(.Slots(Slots), .PaW(PaW), .AsidW(1), .WarpW(1), .TagW(1), .IdW(1)) u_dut (
    .clk_i, .rst_ni, .s_valid_i, .s_ready_o(s_ready),
    .s_va_i({50'd0, s_va_i[2:1], 11'd0, s_va_i[0]}), .s_access_i(2'b00), .s_user_i(1'b0),
    .s_asid_i(1'b0), .s_warp_i, .s_tag_i, .m_valid_o(m_valid), .m_ready_i, .m_warp_o(m_warp),
    .m_tag_o(m_tag), .m_pa_o(m_pa), .m_cause_o(m_cause), .mode_i, .error_mode_i,
    .asid_from_i(2'd0), .asid_i(1'b0), .req_valid_o(req_valid), .req_ready_i, .req_va_o(req_va),
    .req_access_o(req_access), .req_user_o(req_user), .req_asid_o(), .req_warp_o(req_warp),
    .req_tag_o(req_tag), .rsp_valid_i, .rsp_tag_i({1'b0, rsp_slot_i}), .rsp_pfn_i,
    .rsp_cause_i(rsp_cause), .f_valid_o(f_valid), .f_rec_o(), .f_taken_i, .f_lost_i, .retry_i,
    .tick_i, .drop_i, .old_o(old), .stalled_o()
  );

  logic           warp_q, take, mine, asks, answered, out_q, tag_q, pass_q, asked_q, slot_q;
  logic           has_q, fault_q, m_waits_q, req_waits_q;
  logic [1:0]     lookups_q, frame_q;
  logic [2:0]     va_q;
  logic [4:0]     cause_q;
  logic [PaW+6:0] m_was_q;
  logic [4:0]     req_was_q;
  assign take     = s_valid_i && s_ready && s_warp_i == warp_q;
  assign mine     = m_valid && m_warp == warp_q;
  assign asks     = req_valid && req_ready_i && req_warp == warp_q;
  assign answered = rsp_valid_i && asked_q && rsp_slot_i == slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) warp_q <= warp_i;
    if (!rst_ni) begin
      {out_q, asked_q, has_q, fault_q, m_waits_q, req_waits_q, lookups_q} <= '0;
    end else begin
      out_q   <= take || (out_q && !(mine && m_ready_i));
      asked_q <= asks || (asked_q && !answered);
      // a translation that may be offered
      has_q   <= !take && ((answered && rsp_fault_i == '0) ||
                           (has_q && !asks && !drop_i));
      fault_q <= !take && ((answered && rsp_fault_i != '0) || (fault_q && !answered));
      m_waits_q   <= m_valid && !m_ready_i;
      req_waits_q <= req_valid && !req_ready_i;
      for (int i = 0; i < Slots; i++) begin
        if (rsp_valid_i && rsp_slot_i == 1'(i)) lookups_q[i] <= 1'b0;
        if (req_valid && req_ready_i && req_tag[0] == 1'(i)) lookups_q[i] <= 1'b1;
      end
    end
    if (take) {va_q, tag_q, pass_q} <= {s_va_i, s_tag_i, mode_i == 2'd0};
    if (asks) slot_q <= req_tag[0];
    if (answered) {frame_q, cause_q} <= {rsp_pfn_i, rsp_cause};
    m_was_q   <= {m_warp, m_tag, m_pa, m_cause};
    req_was_q <= {req_va[13:12], req_warp, req_tag};
  end
  always_comb begin
    if (!rst_ni) assume (!s_valid_i && !rsp_valid_i);
    if (s_valid_i && s_warp_i == warp_q) assume (!out_q);
    if (rsp_valid_i) assume (lookups_q[rsp_slot_i]);
    assume (!f_taken_i || f_valid);
  end

  // What an answer of this warp has to be.
  logic [1:0] frame;
  assign frame = pass_q ? va_q[2:1] : answered ? rsp_pfn_i : frame_q;
  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        m_stays:  assert (!m_waits_q || (m_valid && {m_warp, m_tag, m_pa, m_cause} == m_was_q));
        asks_on:  assert (!req_waits_q ||
                          (req_valid && {req_va[13:12], req_warp, req_tag} == req_was_q));
        own_page: assert (!(req_valid && req_warp == warp_q && out_q) ||
                          req_va == {50'd0, va_q[2:1], 11'd0, va_q[0]});
        once:     assert (!mine || out_q);
        name:     assert (!mine || m_tag == tag_q);
        address:  assert (!mine || m_cause != '0 || m_pa == {frame, 11'd0, va_q[0]});
        fresh:    assert (!mine || m_cause != '0 || pass_q || has_q || old ||
                          (answered && rsp_fault_i == '0));
        a_fault:  assert (!mine || m_cause == '0 ||
                          (fault_q && m_cause == cause_q && m_pa == '0));
        old_waits: assert (!old || m_valid);
        rights:   assert (!req_valid || (req_access == 2'b00 && !req_user));
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(mine && m_waits_q && old && m_cause == '0));
    always_comb if (rst_ni) assert (!(drop_i && has_q && m_valid && !mine));
    always_comb if (rst_ni) assert (!(mine && m_cause == 5'd2));
    always_comb if (rst_ni) assert (!(mine && answered));
    always_comb if (rst_ni) assert (!(asks && retry_i && fault_q));
    always_comb if (rst_ni) assert (!(mine && pass_q && lookups_q != '0));
  end
endmodule
`default_nettype wire
