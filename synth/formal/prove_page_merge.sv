// SPDX-License-Identifier: Apache-2.0
// Page merge: requests and answers stay until they are taken; each lane of an access is answered
// once, no other is, with the page that its address's page was answered last and its own offset, or
// its cause and address 0; no page is asked for twice at a time. After drop_i nothing is offered
// that was answered before it, but for what waited for the client then, which keeps busy_o at 1.
// With Parts=0 all lanes are answered together. Assumed: each request is answered once.
`default_nettype none
module prove_page_merge #(
  parameter int Lanes  = 3,
  parameter int Parts  = 0,
  parameter int Covers = 0,
  localparam int PaW   = 14,
  localparam int LaneW = 2
) (
  input  logic               clk_i,
  input  logic               s_valid_i,
  input  logic [Lanes-1:0]   s_mask_i,
  input  logic [Lanes*3-1:0] s_va_i,       // of a lane: two bits of the page, one of the offset
  input  logic               s_store_i,
  input  logic               m_ready_i,
  input  logic               req_ready_i,
  input  logic               rsp_valid_i,
  input  logic [LaneW-1:0]   rsp_tag_i,
  input  logic [1:0]         rsp_pfn_i,
  input  logic [1:0]         rsp_fault_i,
  input  logic               drop_i,
  input  logic [LaneW-1:0]   lane_i        // any lane, the same for ever
);
  `include "prove.svh"

  logic                 s_ready, m_valid, m_last, req_valid, req_user, rsp_ready, busy, m_drop;
  logic [Lanes-1:0]     m_mask;
  logic [Lanes*PaW-1:0] m_pa;
  logic [Lanes*5-1:0]   m_cause;
  logic [Lanes*64-1:0]  s_va;
  logic [63:0]          req_va;
  logic [1:0]           req_access;
  logic [LaneW-1:0]     req_tag;
  for (genvar l = 0; l < Lanes; l++) begin : gen_va
    assign s_va[l*64 +: 64] = {50'd0, s_va_i[l*3+1 +: 2], 11'd0, s_va_i[l*3]};
  end
  gmmu_page_merge #(.Lanes(Lanes), .PaW(PaW), .AsidW(1), .WarpW(1), .TagW(LaneW),
      .Parts(Parts)) u_dut (
    .clk_i, .rst_ni, .s_valid_i, .s_ready_o(s_ready), .s_mask_i, .s_va_i(s_va),
    .s_access_i({1'b0, s_store_i}), .s_user_i(1'b0), .s_asid_i(1'b0), .s_warp_i(1'b0),
    .m_valid_o(m_valid), .m_ready_i, .m_last_o(m_last), .m_mask_o(m_mask), .m_pa_o(m_pa),
    .m_cause_o(m_cause), .req_valid_o(req_valid), .req_ready_i, .req_va_o(req_va),
    .req_access_o(req_access), .req_user_o(req_user), .req_asid_o(), .req_warp_o(),
    .req_tag_o(req_tag), .rsp_valid_i, .rsp_ready_o(rsp_ready), .rsp_tag_i,
    .rsp_pa_i({rsp_pfn_i, 12'd0}), .rsp_cause_i({3'd0, rsp_fault_i}), .drop_i, .busy_o(busy),
    .m_drop_o(m_drop), .m_busy_i(1'b0)
  );

  // The access; requests that are not answered, by lane, and the page of each.
  logic             take, sent, gives, mine, owed_q, store_q, m_waits_q, req_waits_q, busy_q;
  logic             told, has_q, fault_q, kept_q;
  logic [LaneW-1:0] lane_q;
  logic [Lanes-1:0] left_q, out_q;
  logic [2:0]       va_q;
  logic [1:0]       pages [0:Lanes-1];
  logic [1:0]       frame_q, cause_q;
  logic [LaneW+5:0] req_was_q;
  logic [Lanes+PaW+5:0] m_was_q;
  logic [PaW-1:0]   pa;
  logic [4:0]       cause;
  assign take  = s_valid_i && s_ready;
  assign sent  = req_valid && req_ready_i;
  assign gives = m_valid && m_ready_i;
  assign mine  = m_valid && m_mask[lane_q];
  assign pa    = m_pa[lane_q*PaW +: PaW];
  assign cause = m_cause[lane_q*5 +: 5];
  // An answer for the page of the lane that is looked at.
  assign told  = rsp_valid_i && owed_q && pages[rsp_tag_i] == va_q[2:1];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) lane_q <= lane_i;
    if (!rst_ni) begin
      {owed_q, has_q, fault_q, left_q, out_q, m_waits_q, req_waits_q, busy_q, kept_q} <= '0;
    end else begin
      busy_q <= take || (busy_q && !(gives && m_last));
      left_q <= take ? s_mask_i : left_q & ~(gives ? m_mask : '0);
      owed_q <= take ? s_mask_i[lane_q] : owed_q && !(gives && m_mask[lane_q]);
      for (int l = 0; l < Lanes; l++) begin
        if (rsp_valid_i && rsp_tag_i == LaneW'(l)) out_q[l] <= 1'b0;
        if (sent && req_tag == LaneW'(l)) out_q[l] <= 1'b1;
      end
      has_q   <= !take && !drop_i && ((told && rsp_fault_i == '0) || has_q);
      fault_q <= !take && ((told && rsp_fault_i != '0) || fault_q);
      m_waits_q   <= m_valid && !m_ready_i;
      req_waits_q <= req_valid && !req_ready_i;
      kept_q      <= (drop_i || kept_q) && m_valid && !m_ready_i;
    end
    if (sent) pages[req_tag] <= req_va[13:12];
    if (take) {va_q, store_q} <= {s_va_i[lane_q*3 +: 3], s_store_i};
    if (told) {frame_q, cause_q} <= {rsp_pfn_i, rsp_fault_i};
    req_was_q <= {req_tag, req_va[13:12], req_va[0], req_access, req_user};
    m_was_q   <= {m_last, m_mask, pa, cause};
  end
  always_comb begin
    assume (32'(lane_i) < Lanes);
    if (!rst_ni) assume (!s_valid_i && !rsp_valid_i);
    if (rsp_valid_i) assume (32'(rsp_tag_i) < Lanes && out_q[rsp_tag_i]);
  end

  if (Covers == 0) begin : gen_assert
    logic again;            // the page of this request is asked for already
    always_comb begin
      again = 1'b0;
      for (int l = 0; l < Lanes; l++)
        if (out_q[l] && pages[l] == req_va[13:12]) again = 1'b1;
    end
    always_comb begin
      if (rst_ni) begin
        m_stays:   assert (!m_waits_q || (m_valid && {m_last, m_mask, pa, cause} == m_was_q));
        req_stays: assert (!req_waits_q || (req_valid &&
                       {req_tag, req_va[13:12], req_va[0], req_access, req_user} == req_was_q));
        one_access: assert (s_ready == !busy_q && rsp_ready);
        only_asked: assert (!m_valid || (busy_q && (m_mask & ~left_q) == '0));
        progress:  assert (!m_valid || m_mask != '0 || left_q == '0);
        last:      assert (!m_valid || m_last == (m_mask == left_q));
        together:  assert (Parts != 0 || !m_valid || m_last);
        asked_once: assert (!req_valid || (!again && !out_q[req_tag]));
        who_asks:  assert (!req_valid || req_tag != lane_q ||
                           (owed_q && req_va == {50'd0, va_q[2:1], 11'd0, va_q[0]} &&
                            req_access == {1'b0, store_q}));
        address:   assert (!mine || cause != '0 || pa == {frame_q, 11'd0, va_q[0]});
        fresh:     assert (!mine || cause != '0 || has_q || kept_q);
        a_fault:   assert (!mine || cause == '0 ||
                           (fault_q && cause == {3'd0, cause_q} && pa == '0));
        nothing:   assert (m_mask[lane_q] || {pa, cause} == '0);
        drops:     assert (m_drop == (drop_i || kept_q));
        keeps:     assert (busy == kept_q);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(mine && kept_q && m_last && cause == '0));
    always_comb if (rst_ni) assert (!(drop_i && has_q && owed_q && req_waits_q));
    always_comb if (rst_ni) assert (!(mine && m_mask == '1 && cause == 5'd2));
    always_comb if (rst_ni) assert (!(take && s_mask_i == '0));
    always_comb if (rst_ni) assert (!(told && drop_i));
    if (Parts != 0) begin : gen_parts
      always_comb if (rst_ni) assert (!(mine && !m_last && m_waits_q));
    end
  end
endmodule
`default_nettype wire
