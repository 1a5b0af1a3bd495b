// SPDX-License-Identifier: Apache-2.0
// What a port offers: valid and payload of AR, AW, W, R, B and of a request to the MMU stay until
// they are taken (AXI, A3.2.1), and so does valid of a fault record; which record it is may change.
// Assumed: the same of masters and memory, no answer that nobody asked for; no atomics, for which
// axi_issue, axi_read and axi_write say it part by part.
`default_nettype none
module prove_axi_port #(
  parameter int Slots   = 2,
  parameter int RwOrder = 0,
  parameter int Covers  = 0,
  localparam int AxiIdW   = 1,
  localparam int AxiAddrW = 13,
  localparam int AxiDataW = 32,
  localparam int AxiUserW = 1,
  localparam int PaW      = 13,
  localparam int AsidW    = 1,
`include "gmmu_axi_data_bits.svh"
  localparam int Tags     = 2 * Slots
) (
  input  logic       clk_i,
  input  logic       s_ar_valid_i,
  input  logic       s_aw_valid_i,
  input  logic       s_w_valid_i,
  input  logic       s_r_ready_i,
  input  logic       s_b_ready_i,
  input  logic       m_ar_ready_i,
  input  logic       m_aw_ready_i,
  input  logic       m_w_ready_i,
  input  logic       m_r_valid_i,
  input  logic       m_b_valid_i,
  input  logic [2:0] s_ar_i,            // len, address, ID: one bit each
  input  logic [2:0] s_aw_i,
  input  logic [1:0] s_w_i,             // last, data
  input  logic [2:0] m_r_i,             // last, data, ID
  input  logic       m_b_i,             // ID
  input  logic [1:0] mode_i,
  input  logic       error_mode_i,
  input  logic       req_ready_i,
  input  logic       rsp_valid_i,
  input  logic [1:0] rsp_tag_i,
  input  logic       rsp_fault_i,
  input  logic       f_taken_i,
  input  logic       f_lost_i,
  input  logic       retry_i,
  input  logic       tick_i,
  input  logic       drop_i
);
  `include "prove.svh"
`include "gmmu_axi_data_types.svh"
  s_aw_t s_aw;
  s_w_t  s_w;
  s_b_t  s_b;
  s_ar_t s_ar;
  s_r_t  s_r;
  m_aw_t m_aw;
  m_w_t  m_w;
  m_b_t  m_b;
  m_ar_t m_ar;
  m_r_t  m_r;
  always_comb begin
    s_ar = '0;
    {s_ar.len[0], s_ar.addr[12], s_ar.id} = s_ar_i;
    {s_ar.size, s_ar.burst} = {3'd2, 2'd1};
    s_aw = '0;
    {s_aw.len[0], s_aw.addr[12], s_aw.id} = s_aw_i;
    {s_aw.size, s_aw.burst} = {3'd2, 2'd1};
    s_w = '0;
    {s_w.last, s_w.data[0]} = s_w_i;
    m_r = '0;
    {m_r.last, m_r.data[0], m_r.id} = m_r_i;
    m_b = '0;
    m_b.id = m_b_i;
  end

  logic       s_ar_ready, s_aw_ready, s_w_ready, s_r_valid, s_b_valid, m_ar_valid, m_aw_valid;
  logic       m_w_valid, m_r_ready, m_b_ready, req_valid, f_valid;
  logic [1:0] req_tag;
  logic [63:0] req_va;
  logic [1:0]  req_access;
  gmmu_axi_port #(
    .Slots(Slots), .Outstanding(2), .WBeats(2), .AxiAddrW(AxiAddrW), .AxiDataW(AxiDataW),
    .AxiIdW(AxiIdW), .AxiUserW(AxiUserW), .PaW(PaW), .AsidW(AsidW), .WarpW(1), .RwOrder(RwOrder)
  ) u_dut (
    .clk_i, .rst_ni, .s_aw_valid_i, .s_aw_ready_o(s_aw_ready), .s_aw_i(s_aw), .s_w_valid_i,
    .s_w_ready_o(s_w_ready), .s_w_i(s_w), .s_b_valid_o(s_b_valid), .s_b_ready_i, .s_b_o(s_b),
    .s_ar_valid_i, .s_ar_ready_o(s_ar_ready), .s_ar_i(s_ar), .s_r_valid_o(s_r_valid),
    .s_r_ready_i, .s_r_o(s_r), .m_aw_valid_o(m_aw_valid), .m_aw_ready_i, .m_aw_o(m_aw),
    .m_w_valid_o(m_w_valid), .m_w_ready_i, .m_w_o(m_w), .m_b_valid_i, .m_b_ready_o(m_b_ready),
    .m_b_i(m_b), .m_ar_valid_o(m_ar_valid), .m_ar_ready_i, .m_ar_o(m_ar), .m_r_valid_i,
    .m_r_ready_o(m_r_ready), .m_r_i(m_r), .mode_i, .error_mode_i, .asid_from_i(2'd0),
    .asid_shift_i(5'd0), .fetch_i(2'd1), .asid_i(1'b0), .req_valid_o(req_valid), .req_ready_i,
    .req_va_o(req_va), .req_access_o(req_access), .req_user_o(), .req_asid_o(), .req_warp_o(),
    .req_tag_o(req_tag), .rsp_valid_i, .rsp_tag_i, .rsp_pfn_i(1'b0),
    .rsp_cause_i(rsp_fault_i ? gmmu_pkg::CAUSE_PF_INVALID : gmmu_pkg::CAUSE_OK),
    .f_valid_o(f_valid), .f_rec_o(), .f_taken_i, .f_lost_i, .retry_i, .tick_i, .drop_i,
    .old_o(), .stalled_o(), .busy_o()
  );

  // ---------------------------------------------------------------- what the other sides may do
  // Lookups that are not answered; bursts by ID of which memory owes R, or B with all their W.
  logic [Tags-1:0] out_q;
  logic [2:0]      reads_q [0:1];
  logic [1:0]      writes_q [0:1];
  logic [2:0]      owed_q;                          // more last W than B
  logic            r_end, b_end, w_end;
  assign r_end = m_r_valid_i && m_r_ready && m_r_i[2];
  assign b_end = m_b_valid_i && m_b_ready;
  assign w_end = m_w_valid && m_w_ready_i && m_w.last;
  for (genvar i = 0; i < 2; i++) begin : gen_id
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        reads_q[i]  <= '0;
        writes_q[i] <= '0;
      end else begin
        reads_q[i]  <= reads_q[i] + 3'(m_ar_valid && m_ar_ready_i && m_ar.id == 1'(i)) -
            3'(r_end && m_r_i[0] == 1'(i));
        writes_q[i] <= writes_q[i] + 2'(m_aw_valid && m_aw_ready_i && m_aw.id == 1'(i)) -
            2'(b_end && m_b_i == 1'(i));
      end
    end
  end
  always_ff @(posedge clk_i) begin
    owed_q <= !rst_ni ? '0 : owed_q + 3'(w_end) - 3'(b_end);
    for (int i = 0; i < Tags; i++) begin
      if (!rst_ni || (rsp_valid_i && rsp_tag_i == 2'(i))) out_q[i] <= 1'b0;
      if (rst_ni && req_valid && req_ready_i && req_tag == 2'(i)) out_q[i] <= 1'b1;
    end
  end

  // What was offered and not taken in the cycle before, of each channel.
  logic [5:0] was_in_q, in_now;
  logic [2:0] ar_q, r_q, aw_q;
  logic [1:0] w_q;
  logic       b_q;
  assign in_now = {1'b0, s_ar_valid_i && !s_ar_ready, s_aw_valid_i && !s_aw_ready,
                   s_w_valid_i && !s_w_ready, m_r_valid_i && !m_r_ready, m_b_valid_i && !m_b_ready};
  always_ff @(posedge clk_i) begin
    was_in_q <= rst_ni ? in_now : '0;
    {ar_q, aw_q, w_q, r_q, b_q} <= {s_ar_i, s_aw_i, s_w_i, m_r_i, m_b_i};
  end
  always_comb begin
    if (!rst_ni) assume ({s_ar_valid_i, s_aw_valid_i, s_w_valid_i, m_r_valid_i, m_b_valid_i,
                          rsp_valid_i, f_taken_i} == '0);
    if (was_in_q[4]) assume (s_ar_valid_i && s_ar_i == ar_q);
    if (was_in_q[3]) assume (s_aw_valid_i && s_aw_i == aw_q);
    if (was_in_q[2]) assume (s_w_valid_i && s_w_i == w_q);
    if (was_in_q[1]) assume (m_r_valid_i && m_r_i == r_q);
    if (was_in_q[0]) assume (m_b_valid_i && m_b_i == b_q);
    if (m_r_valid_i) assume (reads_q[m_r_i[0]] != '0);
    if (m_b_valid_i) assume (writes_q[m_b_i] != '0 && owed_q != '0);
    if (rsp_valid_i) assume (out_q[rsp_tag_i]);
    assume (!f_taken_i || f_valid);
  end

  // ---------------------------------------------------------------- what the port offers
  logic [6:0] was_q, out_now;
  logic [2:0] o_ar_q, o_aw_q;
  logic [3:0] o_r_q;
  logic [1:0] o_w_q;
  logic [1:0] o_b_q;
  logic [4:0] o_req_q;
  logic [2:0] o_ar, o_aw;
  logic [1:0] o_b;
  logic [3:0] o_r;
  logic [1:0] o_w;
  logic [4:0] o_req;
  assign out_now = {m_ar_valid && !m_ar_ready_i, m_aw_valid && !m_aw_ready_i,
                    m_w_valid && !m_w_ready_i, s_r_valid && !s_r_ready_i,
                    s_b_valid && !s_b_ready_i, req_valid && !req_ready_i, f_valid && !f_taken_i};
  assign o_ar  = {m_ar.len[0], m_ar.addr[12], m_ar.id};
  assign o_aw  = {m_aw.len[0], m_aw.addr[12], m_aw.id};
  assign o_w   = {m_w.last, m_w.data[0]};
  assign o_r   = {s_r.resp[1], s_r.last, s_r.data[0], s_r.id};
  assign o_b   = {s_b.resp[1], s_b.id};
  assign o_req = {req_va[12], req_access, req_tag};
  always_ff @(posedge clk_i) begin
    was_q <= rst_ni ? out_now : '0;
    {o_ar_q, o_aw_q, o_w_q, o_r_q, o_b_q, o_req_q} <= {o_ar, o_aw, o_w, o_r, o_b, o_req};
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        ar_stays: assert (!was_q[6] || (m_ar_valid && o_ar == o_ar_q));
        aw_stays: assert (!was_q[5] || (m_aw_valid && o_aw == o_aw_q));
        w_stays:  assert (!was_q[4] || (m_w_valid && o_w == o_w_q));
        r_stays:  assert (!was_q[3] || (s_r_valid && o_r == o_r_q));
        b_stays:  assert (!was_q[2] || (s_b_valid && o_b == o_b_q));
        asks:     assert (!was_q[1] || (req_valid && o_req == o_req_q));
        fault_stays: assert (!was_q[0] || f_valid);
      end
    end
  end else begin : gen_cover
    for (genvar i = 0; i < 7; i++) begin : gen_waits
      always_comb if (rst_ni) assert (!(was_q[i] && out_now[i] && drop_i));
    end
    always_comb if (rst_ni) assert (!(s_r_valid && s_r.resp[1] && s_r.last && out_now[5]));
    always_comb if (rst_ni) assert (!(s_b_valid && s_b.resp[1] && m_b_valid_i));
    always_comb if (rst_ni) assert (!(m_w_valid && m_w.last && m_aw_valid && !m_aw_ready_i));
  end
endmodule
`default_nettype wire
