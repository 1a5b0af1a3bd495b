// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_read: the read half of a port: AR through gmmu_axi_addr, R straight through, zeros and
// an error for bursts that end here. Rules: docs/axi_port.md. R adds no cycle; s_rready_i reaches
// m_rready_o without a register.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_axi_read #(
  parameter int Slots       = 4,
  parameter int Outstanding = 16,
  parameter int IdW         = 4,
  parameter int VaW         = 48,     // of the slave side
  parameter int PaW         = 48,
  parameter int DataW       = 64,
  parameter int UserW       = 1,
  parameter int AsidW       = 9,
  localparam int MetaW = 29 + UserW,   // user, region, qos, prot, cache, lock, burst, size, len
  localparam int PfnW  = PaW - 12,
  localparam int SlotW = $clog2(Slots),
  localparam int KeyW  = 1 + AsidW + VaW - 12,
  localparam int RecW  = VaW + AsidW + 2 + 1 + IdW + 5
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              s_arvalid_i,
  output logic              s_arready_o,
  input  logic [IdW-1:0]    s_arid_i,
  input  logic [VaW-1:0]    s_arva_i,
  input  logic [MetaW-1:0]  s_armeta_i,
  input  logic [AsidW-1:0]  s_arasid_i,
  input  logic [1:0]        s_araccess_i,
  input  logic              s_aruser_i,
  input  logic              s_arillegal_i,
  output logic              s_rvalid_o,
  input  logic              s_rready_i,
  output logic [IdW-1:0]    s_rid_o,
  output logic [DataW-1:0]  s_rdata_o,
  output logic [1:0]        s_rresp_o,
  output logic              s_rlast_o,
  output logic [UserW-1:0]  s_ruser_o,
  output logic              m_arvalid_o,
  input  logic              m_arready_i,
  output logic [IdW-1:0]    m_arid_o,
  output logic [PaW-1:0]    m_araddr_o,
  output logic [MetaW-1:0]  m_armeta_o,
  input  logic              m_rvalid_i,
  output logic              m_rready_o,
  input  logic [IdW-1:0]    m_rid_i,
  input  logic [DataW-1:0]  m_rdata_i,
  input  logic [1:0]        m_rresp_i,
  input  logic              m_rlast_i,
  input  logic [UserW-1:0]  m_ruser_i,
  // settings
  input  logic              open_i,
  input  logic              pass_i,
  input  logic              error_mode_i,
  // translation
  output logic              t_valid_o,
  input  logic              t_ready_i,
  output logic [VaW-1:0]    t_va_o,
  output logic [1:0]        t_access_o,
  output logic              t_user_o,
  output logic [AsidW-1:0]  t_asid_o,
  output logic [IdW-1:0]    t_id_o,
  output logic [SlotW-1:0]  t_slot_o,
  input  logic              a_valid_i,
  input  logic [SlotW-1:0]  a_slot_i,
  input  logic [PfnW-1:0]   a_pfn_i,
  input  logic [4:0]        a_cause_i,
  // faults
  output logic              f_valid_o,
  output logic [RecW-1:0]   f_rec_o,
  input  logic              f_taken_i,
  input  logic              f_lost_i,
  input  logic              retry_i,
  input  logic              tick_i,
  // an atomic that ends in the write half wants zeros on R: len + 1 beats
  input  logic              x_valid_i,
  input  logic [IdW-1:0]    x_id_i,
  input  logic [7:0]        x_len_i,
  input  logic [1:0]        x_resp_i,
  output logic              x_done_o,
  // a last R that answers no read: of an atomic
  output logic              atomic_o,
  output logic [IdW-1:0]    atomic_id_o,
  // order among the bursts of the port (gmmu_axi_order)
  input  logic [Slots-1:0]      may_issue_i,
  output logic                  o_take_o,
  output logic [SlotW-1:0]      o_slot_o,
  output logic [KeyW-1:0]       o_key_o,
  output logic [Slots*KeyW-1:0] o_keys_o,
  output logic [Slots-1:0]      o_wait_o,      // AR is still to be taken by memory
  input  logic              drop_i,
  output logic              old_o,
  output logic [SlotW:0]    stalled_o,
  output logic              busy_o
);
  logic             issue, full, mark_q, m_old, on_way, match, r_last, track_old, unused_read;
  logic [SlotW-1:0] e_slot;
  logic             e_valid;
  logic [IdW-1:0]   e_id;
  logic [MetaW-1:0] e_meta;
  logic [4:0]       e_cause;
  logic [Slots-1:0] free;

  gmmu_axi_addr #(.Slots(Slots), .IdW(IdW), .VaW(VaW), .PaW(PaW), .MetaW(MetaW), .AsidW(AsidW),
      .Keep(0)) u_addr (
    .clk_i, .rst_ni, .s_valid_i(s_arvalid_i), .s_ready_o(s_arready_o), .s_id_i(s_arid_i),
    .s_va_i(s_arva_i), .s_meta_i(s_armeta_i),
    .s_asid_i(s_arasid_i), .s_access_i(s_araccess_i), .s_user_i(s_aruser_i),
    .s_illegal_i(s_arillegal_i), .s_slot_o(o_slot_o),
    .open_i, .pass_i, .error_mode_i, .t_valid_o, .t_ready_i, .t_va_o, .t_access_o, .t_user_o,
    .t_asid_o, .t_id_o, .t_slot_o,
    .a_valid_i, .a_slot_i, .a_pfn_i, .a_cause_i, .m_valid_o(m_arvalid_o), .m_ready_i(m_arready_i),
    .m_id_o(m_arid_o),
    .m_addr_o(m_araddr_o), .m_meta_o(m_armeta_o), .m_slot_o(), .may_issue_i, .hold_issue_i(full),
    .issued_o(), .s_key_o(o_key_o), .key_o(o_keys_o), .wait_o(o_wait_o), .f_valid_o, .f_rec_o,
    .f_taken_i, .f_lost_i, .retry_i, .tick_i, .dead_o(),
    .may_end_i({Slots{1'b1}}), .e_valid_o(e_valid), .e_slot_o(e_slot), .e_id_o(e_id),
    .e_meta_o(e_meta), .e_cause_o(e_cause), .free_i(free), .drop_i,
    .m_old_o(m_old), .stalled_o
  );
  assign o_take_o = s_arvalid_i & s_arready_o;
  assign issue = m_arvalid_o & m_arready_i;
  gmmu_axi_track #(.IdW(IdW), .Depth(Outstanding), .Atop(0)) u_track (
    .clk_i, .rst_ni, .push_i(issue), .push_id_i(m_arid_o), .push_r_i(1'b0), .push_old_i(m_old),
    .full_o(full),
    .pop_i(r_last & match), .pop_id_i(m_rid_i), .match_o(match), .pop_r_i(1'b0),
    .pop_r_id_i({IdW{1'b0}}), .ask_id_i(e_id),
    .ask_o(on_way), .mark_i(mark_q), .old_o(track_old), .busy_o
  );
  // The burst that was issued in the cycle of the drop is in the table one cycle later.
  always_ff @(posedge clk_i) mark_q <= rst_ni & drop_i;
  assign old_o  = track_old | mark_q | m_old;
  assign r_last = m_rvalid_i & m_rready_o & m_rlast_i;
  assign atomic_o    = r_last & !match;
  assign atomic_id_o = m_rid_i;
  assign unused_read = ^e_meta[MetaW-1:8];

  // -------------------------------------------------------------- R: memory's, or a burst of zeros
  localparam logic [1:0] R_PASS  = 2'd0;
  localparam logic [1:0] R_READ  = 2'd1;   // a read that ends here
  localparam logic [1:0] R_ATOM  = 2'd2;   // an atomic that ends here
  logic [1:0] state_q;
  logic [7:0] beats_q;
  logic       zeros, end_beat, e_ready, atom, read_next_q;
  assign zeros    = state_q != R_PASS;
  assign end_beat = zeros & s_rready_i & beats_q == 8'd0;
  assign e_ready  = e_valid & !on_way;
  assign atom     = x_valid_i & !(e_ready & read_next_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= R_PASS;
    else if (zeros) state_q <= end_beat ? R_PASS : state_q;
    else if (!m_rvalid_i | s_rready_i)
      state_q <= atom ? R_ATOM : e_ready ? R_READ : R_PASS;
    if (!zeros) beats_q <= atom ? x_len_i : e_meta[7:0];
    else if (s_rready_i) beats_q <= beats_q - 8'd1;
    if (!rst_ni) read_next_q <= 1'b0;
    else if (end_beat) read_next_q <= state_q == R_ATOM;   // in turns
  end
  assign s_rvalid_o = zeros | m_rvalid_i;
  assign s_rid_o    = state_q == R_READ ? e_id : state_q == R_ATOM ? x_id_i : m_rid_i;
  assign s_rdata_o  = zeros ? '0 : m_rdata_i;
  assign s_rresp_o  = state_q == R_READ ? gmmu_pkg::axi_resp(e_cause)
      : state_q == R_ATOM ? x_resp_i : m_rresp_i;
  assign s_rlast_o  = zeros ? beats_q == 8'd0 : m_rlast_i;
  assign s_ruser_o  = zeros ? '0 : m_ruser_i;
  assign m_rready_o = !zeros & s_rready_i;
  assign x_done_o   = end_beat & state_q == R_ATOM;
  for (genvar s = 0; s < Slots; s++) begin : gen_free
    assign free[s] = end_beat & state_q == R_READ & e_slot == SlotW'(s);
  end

  logic begins, over_q;   // an atomic, before a read that could end
  assign begins = !zeros & (!m_rvalid_i | s_rready_i) & atom;
  always_ff @(posedge clk_i)
    over_q <= rst_ni & e_ready & state_q != R_READ & (begins | over_q);
  `GMMU_ASSERT(axi_read_waits_for_one_atomic, !(over_q & begins))
endmodule
`default_nettype wire
