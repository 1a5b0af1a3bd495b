// SPDX-License-Identifier: Apache-2.0
// gmmu_native_port: a valid/ready translation port for cores that keep their requests themselves:
// VA in, PA or cause out.
//
// The same slots, faults and retries as an AXI port (gmmu_axi_addr); answers come in any order,
// named by {warp, tag}. A hit is answered in the next cycle. A client that holds one request and
// waits for its answer is legal. docs/native_port.md
`default_nettype none
module gmmu_native_port #(
  parameter int Slots  = 4,
  parameter int PaW    = 48,
  parameter int AsidW  = 9,
  parameter int WarpW  = 8,
  parameter int TagW   = 4,
  parameter int IdW    = 4,     // of the fault record
  localparam int PfnW  = PaW - 12,
  localparam int SlotW = $clog2(Slots),
  localparam int NameW = WarpW + TagW,
  localparam int RecW  = 64 + AsidW + 2 + 1 + IdW + 5
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             s_valid_i,
  output logic             s_ready_o,
  input  logic [63:0]      s_va_i,
  input  logic [1:0]       s_access_i,
  input  logic             s_user_i,
  input  logic [AsidW-1:0] s_asid_i,
  input  logic [WarpW-1:0] s_warp_i,
  input  logic [TagW-1:0]  s_tag_i,
  output logic             m_valid_o,
  input  logic             m_ready_i,
  output logic [WarpW-1:0] m_warp_o,
  output logic [TagW-1:0]  m_tag_o,
  output logic [PaW-1:0]   m_pa_o,       // 0 on a fault
  output logic [4:0]       m_cause_o,
  // settings
  input  logic [1:0]       mode_i,
  input  logic             error_mode_i,
  input  logic [1:0]       asid_from_i,  // 0 asid_i, else s_asid_i
  input  logic [AsidW-1:0] asid_i,
  // the MMU
  output logic             req_valid_o,
  input  logic             req_ready_i,
  output logic [63:0]      req_va_o,
  output logic [1:0]       req_access_o,
  output logic             req_user_o,
  output logic [AsidW-1:0] req_asid_o,
  output logic [WarpW-1:0] req_warp_o,
  output logic [SlotW:0]   req_tag_o,
  input  logic             rsp_valid_i,
  input  logic [SlotW:0]   rsp_tag_i,
  input  logic [PfnW-1:0]  rsp_pfn_i,
  input  logic [4:0]       rsp_cause_i,
  // faults: {0, VA, ASID, access, user, warp, cause}
  output logic             f_valid_o,
  output logic [RecW:0]    f_rec_o,
  input  logic             f_taken_i,
  input  logic             f_lost_i,
  input  logic             retry_i,
  input  logic             tick_i,
  input  logic             drop_i,
  output logic             old_o,        // an answer with an old translation waits for its client
  output logic [7:0]       stalled_o
);
  logic              ok_valid, e_valid, err_q, unused_native;
  logic [NameW-1:0]  ok_name, e_name, t_name;
  logic [PaW-1:0]    ok_pa;
  logic [SlotW-1:0]  t_slot, e_slot;
  logic [SlotW:0]    stalled;
  logic [Slots-1:0]  free;
  localparam int KeyW  = 1 + AsidW + 52;
  logic [4:0]        e_cause;
  localparam int NRecW = 64 + AsidW + 3 + NameW + 5;
  logic [NRecW-1:0]  rec;
  gmmu_axi_addr #(.Slots(Slots), .IdW(NameW), .VaW(64), .PaW(PaW), .MetaW(1), .AsidW(AsidW),
      .Keep(0)) u_addr (
    .clk_i, .rst_ni, .s_valid_i, .s_ready_o, .s_id_i({s_warp_i, s_tag_i}), .s_va_i, .s_meta_i(1'b0),
    .s_asid_i(asid_from_i == 2'd0 ? asid_i : s_asid_i), .s_access_i, .s_user_i, .s_illegal_i(1'b0),
    .s_slot_o(),
    .open_i(!mode_i[1]), .pass_i(mode_i == 2'd0), .error_mode_i,
    .t_valid_o(req_valid_o), .t_ready_i(req_ready_i), .t_va_o(req_va_o), .t_access_o(req_access_o),
    .t_user_o(req_user_o),
    .t_asid_o(req_asid_o), .t_id_o(t_name), .t_slot_o(t_slot),
    .a_valid_i(rsp_valid_i), .a_slot_i(rsp_tag_i[SlotW-1:0]), .a_pfn_i(rsp_pfn_i),
    .a_cause_i(rsp_cause_i),
    .m_valid_o(ok_valid), .m_ready_i(m_ready_i & !err_q), .m_id_o(ok_name), .m_addr_o(ok_pa),
    .m_meta_o(), .m_slot_o(), .may_issue_i({Slots{1'b1}}), .hold_issue_i(1'b0),
    .issued_o(), .s_key_o(), .key_o(), .wait_o(), .f_valid_o, .f_rec_o(rec), .f_taken_i, .f_lost_i,
    .retry_i, .tick_i, .dead_o(),
    .may_end_i({Slots{1'b1}}), .e_valid_o(e_valid), .e_slot_o(e_slot), .e_id_o(e_name),
    .e_meta_o(), .e_cause_o(e_cause), .free_i(free),
    .drop_i, .m_old_o(old_o), .stalled_o(stalled)
  );
  assign req_warp_o = t_name[NameW-1:TagW];
  assign req_tag_o  = {1'b0, t_slot};
  // A process, not an assignment: with that Icarus Verilog 11 hangs in builds with two native
  // ports.
  always_comb stalled_o = 8'(stalled);
  assign f_rec_o    = {1'b0, rec[NRecW-1:NameW+5], IdW'(64'(rec[NameW+4:TagW+5])), rec[4:0]};

  // A fault's answer takes its turn when no other answer waits.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) err_q <= 1'b0;
    else if (err_q) err_q <= !m_ready_i;
    else if (!ok_valid | m_ready_i) err_q <= e_valid;
  end
  assign m_valid_o = err_q | ok_valid;
  assign {m_warp_o, m_tag_o} = err_q ? e_name : ok_name;
  assign m_pa_o    = err_q ? '0 : ok_pa;
  assign m_cause_o = err_q ? e_cause : gmmu_pkg::CAUSE_OK;
  for (genvar s = 0; s < Slots; s++) begin : gen_free
    assign free[s] = err_q & m_ready_i & e_slot == SlotW'(s);
  end
  assign unused_native = ^{rsp_tag_i[SlotW], rec[TagW+4:5]};
endmodule
`default_nettype wire
