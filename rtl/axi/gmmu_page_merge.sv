// SPDX-License-Identifier: Apache-2.0
// gmmu_page_merge: in front of a native port for cores that have an address per thread: one request
// for each distinct page of an access of Lanes lanes. docs/page_merge.md
//
// One access at a time. Requests go out one a cycle, lowest lane first; answers come in any order.
// Parts=0: the access is answered whole, in the cycle after its last one; Parts=1: the lanes whose
// page is known are answered, in the cycle after it is, the others later. Stored pages that the
// client has not been offered are given up when drop_i is 1 and asked for again; an answer that is
// offered stays, and keeps busy_o at 1 until the client is done with it. Legal: Lanes 2..64, TagW
// >= clog2(Lanes).
`default_nettype none
module gmmu_page_merge #(
  parameter int Lanes = 4,
  parameter int PaW   = 48,
  parameter int AsidW = 9,
  parameter int WarpW = 8,
  parameter int TagW  = 4,
  parameter int Parts = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // accesses
  input  logic                 s_valid_i,
  output logic                 s_ready_o,
  input  logic [Lanes-1:0]     s_mask_i,      // lanes that take part
  input  logic [Lanes*64-1:0]  s_va_i,
  input  logic [1:0]           s_access_i,
  input  logic                 s_user_i,
  input  logic [AsidW-1:0]     s_asid_i,
  input  logic [WarpW-1:0]     s_warp_i,
  output logic                 m_valid_o,
  input  logic                 m_ready_i,
  output logic                 m_last_o,      // no lane of the access is left after these
  output logic [Lanes-1:0]     m_mask_o,      // the lanes that are answered
  output logic [Lanes*PaW-1:0] m_pa_o,        // 0 for a lane that faulted or is not answered
  output logic [Lanes*5-1:0]   m_cause_o,
  // to a native port
  output logic                 req_valid_o,
  input  logic                 req_ready_i,
  output logic [63:0]          req_va_o,
  output logic [1:0]           req_access_o,
  output logic                 req_user_o,
  output logic [AsidW-1:0]     req_asid_o,
  output logic [WarpW-1:0]     req_warp_o,
  output logic [TagW-1:0]      req_tag_o,     // the lane that asks
  input  logic                 rsp_valid_i,
  output logic                 rsp_ready_o,   // always 1
  input  logic [TagW-1:0]      rsp_tag_i,
  input  logic [PaW-1:0]       rsp_pa_i,
  input  logic [4:0]           rsp_cause_i,
  // invalidation: those of the native port; to the client the same
  input  logic                 drop_i,        // n_drop_o
  output logic                 busy_o,        // n_busy_i
  output logic                 m_drop_o,      // no new accesses with what the client has or takes
  input  logic                 m_busy_i       // it waits for memory with what it took before
);
  localparam int N     = Lanes;
  localparam int LaneW = gmmu_pkg::idx_w(Lanes);
  `include "gmmu_first.svh"

  if (Lanes < 2 || Lanes > 64 || TagW < LaneW) begin : gen_bad
    gmmu_page_merge_Lanes_must_be_2_to_64_and_TagW_at_least_clog2_Lanes u_bad();
  end

  logic                  busy_q, user_q, offer_q, held_q;
  // takes part; no request yet; answered here; not yet given to the client
  logic [Lanes-1:0]      mask_q, ask_q, know_q, left_q;
  logic [Lanes-1:0]      give_q;                          // offered
  logic [Lanes*64-1:0]   lane_va_q;
  logic [1:0]            access_q;
  logic [AsidW-1:0]      asid_q;
  logic [WarpW-1:0]      warp_q;
  logic [Lanes-1:0]      same, told, fault, lost, known, given, next;
  logic [63:0]           lead_va;
  logic [LaneW-1:0]      leader;
  logic                  sent, take, gives, waits_q, unused_rsp;
  logic [LaneW-1:0]      waits_lane_q;

  assign s_ready_o    = !busy_q;
  assign take         = s_valid_i & s_ready_o;
  // One that is offered stays, also when lower lanes are given up meanwhile.
  assign leader       = waits_q ? waits_lane_q : index(first(ask_q));
  assign lead_va      = lane_va_q[leader*64 +: 64];
  assign req_valid_o  = ask_q != '0;
  assign req_va_o     = lead_va;
  assign req_access_o = access_q;
  assign req_user_o   = user_q;
  assign req_asid_o   = asid_q;
  assign req_warp_o   = warp_q;
  assign req_tag_o    = TagW'(leader);
  assign rsp_ready_o  = 1'b1;
  assign sent         = req_valid_o & req_ready_i;
  assign unused_rsp   = ^rsp_pa_i[11:0];

  // ---------------------------------------- what is known, what of it is given up, what is offered
  // A page that comes while drop_i is 1 is given up as well: the port may have offered it before.
  // Causes are kept.
  assign lost      = drop_i ? (know_q | told) & ~fault & left_q & ~give_q : '0;
  assign known     = (know_q | told) & ~lost;
  assign gives     = m_valid_o & m_ready_i;
  assign given     = gives ? give_q : '0;
  assign next      = known & left_q & ~given;                          // could be offered
  assign m_valid_o = offer_q;
  assign m_mask_o  = give_q;
  assign m_last_o  = left_q == give_q;
  // An answer that is offered when translations are given up counts as taken before.
  assign m_drop_o  = drop_i | held_q;
  assign busy_o    = held_q | m_busy_i;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [LaneW-1:0] asker_q;      // the lane that asked for this one
    logic [PaW-13:0]  pfn_q;
    logic [4:0]       cause_q;
    assign same[l]  = ask_q[l] & lane_va_q[l*64+12 +: 52] == lead_va[63:12];
    assign told[l]  = rsp_valid_i & mask_q[l] & !know_q[l] & !ask_q[l] &
        TagW'(asker_q) == rsp_tag_i;
    assign fault[l] = know_q[l] ? cause_q != '0 : rsp_cause_i != '0;
    always_ff @(posedge clk_i) begin
      if (take) lane_va_q[l*64 +: 64] <= s_va_i[l*64 +: 64];
      if (sent & same[l]) asker_q <= leader;
      if (told[l]) begin
        pfn_q   <= rsp_pa_i[PaW-1:12];
        cause_q <= rsp_cause_i;
      end
    end
    assign m_pa_o[l*PaW +: PaW] = give_q[l] & cause_q == '0 ? {pfn_q, lane_va_q[l*64 +: 12]} : '0;
    assign m_cause_o[l*5 +: 5]  = give_q[l] ? cause_q : '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      ask_q   <= '0;
      offer_q <= 1'b0;
      held_q  <= 1'b0;
      mask_q  <= '0;
      left_q  <= '0;
      give_q  <= '0;
      know_q  <= '0;
    end else begin
      busy_q <= take | (busy_q & !(gives & m_last_o));
      ask_q  <= take ? s_mask_i : (sent ? ask_q & ~same : ask_q) | lost;
      know_q <= take ? '0 : known;
      left_q <= take ? s_mask_i : left_q & ~given;
      if (take) mask_q <= s_mask_i;
      if (take) begin
        offer_q <= s_mask_i == '0;
        give_q  <= '0;
      end else if (!offer_q | m_ready_i) begin
        offer_q <= next != '0 & (Parts != 0 | next == left_q);
        give_q  <= Parts != 0 | next == left_q ? next : '0;
      end
      held_q <= (drop_i | held_q) & m_valid_o & !m_ready_i;
    end
  end
  always_ff @(posedge clk_i) begin
    waits_q      <= rst_ni & req_valid_o & !req_ready_i;
    waits_lane_q <= leader;
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      access_q <= s_access_i;
      user_q   <= s_user_i;
      asid_q   <= s_asid_i;
      warp_q   <= s_warp_i;
    end
  end
endmodule
`default_nettype wire
