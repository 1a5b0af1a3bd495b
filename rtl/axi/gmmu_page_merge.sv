// SPDX-License-Identifier: Apache-2.0
// gmmu_page_merge: in front of a native port for cores that have an address per thread: one request for each distinct page of an
// access of Lanes lanes. docs/page_merge.md
//
// One access at a time. Requests go out one a cycle, lowest lane first; answers come in any order; the access is answered whole,
// in the cycle after its last one. Legal: Lanes 2..64, TagW >= clog2(Lanes).
`default_nettype none
module gmmu_page_merge #(
  parameter int Lanes = 4,
  parameter int PaW   = 48,
  parameter int AsidW = 9,
  parameter int WarpW = 8,
  parameter int TagW  = 4
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
  output logic [Lanes-1:0]     m_mask_o,
  output logic [Lanes*PaW-1:0] m_pa_o,        // 0 for a lane that faulted or did not take part
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
  input  logic [4:0]           rsp_cause_i
);
  localparam int N     = Lanes;
  localparam int LaneW = gmmu_pkg::idx_w(Lanes);
  `include "gmmu_first.svh"

  if (Lanes < 2 || Lanes > 64 || TagW < LaneW) begin : gen_bad
    gmmu_page_merge_Lanes_must_be_2_to_64_and_TagW_at_least_clog2_Lanes u_bad();
  end

  logic                  busy_q, user_q;
  logic [Lanes-1:0]      mask_q, ask_q, wait_q;     // takes part; no request yet; no answer yet
  logic [Lanes*64-1:0]   va_q;
  logic [1:0]            access_q;
  logic [AsidW-1:0]      asid_q;
  logic [WarpW-1:0]      warp_q;
  logic [Lanes-1:0]      same, told;
  logic [63:0]           lead_va;
  logic [LaneW-1:0]      leader;
  logic                  sent, take, unused_rsp;

  assign s_ready_o    = !busy_q;
  assign take         = s_valid_i & s_ready_o;
  assign leader       = index(first(ask_q));
  assign lead_va      = va_q[leader*64 +: 64];
  assign req_valid_o  = ask_q != '0;
  assign req_va_o     = lead_va;
  assign req_access_o = access_q;
  assign req_user_o   = user_q;
  assign req_asid_o   = asid_q;
  assign req_warp_o   = warp_q;
  assign req_tag_o    = TagW'(leader);
  assign rsp_ready_o  = 1'b1;
  assign sent         = req_valid_o & req_ready_i;
  assign m_valid_o    = busy_q & wait_q == '0;
  assign m_mask_o     = mask_q;
  assign unused_rsp   = ^rsp_pa_i[11:0];

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [LaneW-1:0] by_q;      // the lane that asked for this one
    logic [PaW-13:0]  pfn_q;
    logic [4:0]       cause_q;
    assign same[l] = ask_q[l] & va_q[l*64+12 +: 52] == lead_va[63:12];
    assign told[l] = rsp_valid_i & wait_q[l] & !ask_q[l] & TagW'(by_q) == rsp_tag_i;
    always_ff @(posedge clk_i) begin
      if (take) va_q[l*64 +: 64] <= s_va_i[l*64 +: 64];
      if (sent & same[l]) by_q <= leader;
      if (told[l]) begin
        pfn_q   <= rsp_pa_i[PaW-1:12];
        cause_q <= rsp_cause_i;
      end
    end
    assign m_pa_o[l*PaW +: PaW] = mask_q[l] & cause_q == '0 ? {pfn_q, va_q[l*64 +: 12]} : '0;
    assign m_cause_o[l*5 +: 5]  = mask_q[l] ? cause_q : '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      ask_q  <= '0;
      wait_q <= '0;
    end else begin
      busy_q <= take | (busy_q & !(m_valid_o & m_ready_i));
      ask_q  <= take ? s_mask_i : sent ? ask_q & ~same : ask_q;
      wait_q <= take ? s_mask_i : wait_q & ~told;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      mask_q   <= s_mask_i;
      access_q <= s_access_i;
      user_q   <= s_user_i;
      asid_q   <= s_asid_i;
      warp_q   <= s_warp_i;
    end
  end
endmodule
`default_nettype wire
