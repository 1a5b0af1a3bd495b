// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_port: AXI4 bump in the wire: slave side with virtual addresses, master side with
// physical ones. Reads and writes share the lookup, one a cycle, in turns; those of the same bytes
// keep their order. Rules, timing, what is supported: docs/axi_port.md. A burst needs one lookup,
// as AXI bursts stay inside 4 KiB. Added latency on a hit: AR and AW one cycle, W at most two, R
// and B none. Legal: Slots a power of two 2..16, AxiDataW 32..1024, AxiAddrW 13..64, PaW 30..56.
`default_nettype none
module gmmu_axi_port #(
  parameter int Slots       = 4,
  parameter int Outstanding = 16,
  parameter int WBeats      = 16,
  parameter int AxiAddrW    = 48,
  parameter int AxiDataW    = 64,
  parameter int AxiIdW      = 4,
  parameter int AxiUserW    = 1,
  parameter int PaW         = 48,
  parameter int AsidW       = 9,
  parameter int WarpW       = 8,
  parameter int SignExtend  = 0,      // 1: AxADDR is sign-extended to 64 bits
  // bursts of the same bytes keep their order: 0 no, 1 in one page, 2 also in others
  parameter int RwOrder     = 1,
`include "gmmu_axi_data_bits.svh"
  localparam int PfnW  = PaW - 12,
  localparam int SlotW = $clog2(Slots),
  localparam int KeyW  = 1 + AsidW + AxiAddrW - 12,
  localparam int RecW  = 64 + AsidW + 2 + 1 + AxiIdW + 5
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // slave side
  input  logic                s_aw_valid_i,
  output logic                s_aw_ready_o,
  input  logic [SAwBits-1:0]  s_aw_i,
  input  logic                s_w_valid_i,
  output logic                s_w_ready_o,
  input  logic [SWBits-1:0]  s_w_i,
  output logic                s_b_valid_o,
  input  logic                s_b_ready_i,
  output logic [SBBits-1:0]  s_b_o,
  input  logic                s_ar_valid_i,
  output logic                s_ar_ready_o,
  input  logic [SArBits-1:0]  s_ar_i,
  output logic                s_r_valid_o,
  input  logic                s_r_ready_i,
  output logic [SRBits-1:0]  s_r_o,
  // master side
  output logic                m_aw_valid_o,
  input  logic                m_aw_ready_i,
  output logic [MAwBits-1:0]  m_aw_o,
  output logic                m_w_valid_o,
  input  logic                m_w_ready_i,
  output logic [MWBits-1:0]  m_w_o,
  input  logic                m_b_valid_i,
  output logic                m_b_ready_o,
  input  logic [MBBits-1:0]  m_b_i,
  output logic                m_ar_valid_o,
  input  logic                m_ar_ready_i,
  output logic [MArBits-1:0]  m_ar_o,
  input  logic                m_r_valid_i,
  output logic                m_r_ready_o,
  input  logic [MRBits-1:0]  m_r_i,
  // settings (docs/regs.md, PORT_CTRL)
  input  logic [1:0]          mode_i,        // 0 pass through, 1 translate, 2 and 3 hold
  input  logic                error_mode_i,
  input  logic [1:0]          asid_from_i,   // 0 asid_i, 1 AxUSER, 2 AxMMUSSID, 3 AxID
  input  logic [4:0]          asid_shift_i,  // first bit of it in AxUSER or AxID
  input  logic [1:0]          fetch_i,       // reads are fetches: 0 by ARPROT[2], 1 never, 2 always
  input  logic [AsidW-1:0]    asid_i,
  // the MMU: requests and answers of one SM; tag = {write, slot}
  output logic                req_valid_o,
  input  logic                req_ready_i,
  output logic [63:0]         req_va_o,
  output logic [1:0]          req_access_o,
  output logic                req_user_o,
  output logic [AsidW-1:0]    req_asid_o,
  output logic [WarpW-1:0]    req_warp_o,
  output logic [SlotW:0]      req_tag_o,
  input  logic                rsp_valid_i,   // always taken
  input  logic [SlotW:0]      rsp_tag_i,
  input  logic [PfnW-1:0]     rsp_pfn_i,
  input  logic [4:0]          rsp_cause_i,
  // fault records: {write, VA, ASID, access, user, ID, cause}
  output logic                f_valid_o,
  output logic [RecW:0]       f_rec_o,
  input  logic                f_taken_i,
  input  logic                f_lost_i,
  input  logic                retry_i,
  input  logic                tick_i,
  // invalidation
  input  logic                drop_i,        // pulse: give up translations that are not yet issued
  output logic                old_o,         // bursts that were issued before it are on their way
  output logic [7:0]          stalled_o,     // faulted bursts
  output logic                busy_o         // bursts are on their way to memory
);
  localparam int HalfRecW = RecW - 64 + AxiAddrW;

  if ((Slots & (Slots - 1)) != 0 || AxiAddrW < 13 || AxiAddrW > 64) begin : gen_bad
    gmmu_axi_port_Slots_must_be_2_4_8_or_16_and_AxiAddrW_13_to_64 u_bad();
  end
  if (AxiDataW != 32 && AxiDataW != 64 && AxiDataW != 128 && AxiDataW != 256 && AxiDataW != 512 &&
      AxiDataW != 1024) begin : gen_bad_data
    gmmu_axi_port_AxiDataW_must_be_a_power_of_two_from_32_to_1024 u_bad();
  end

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
  assign s_aw = s_aw_i;
  assign s_w = s_w_i;
  assign s_b_o = s_b;
  assign s_ar = s_ar_i;
  assign s_r_o = s_r;
  assign m_aw_o = m_aw;
  assign m_w_o = m_w;
  assign m_b = m_b_i;
  assign m_ar_o = m_ar;
  assign m_r = m_r_i;

  // ---------------------------------------------------------------- what a burst asks for
  logic [AsidW-1:0] ar_asid, aw_asid;
  logic             ar_illegal, aw_illegal;
  gmmu_axi_burst #(.IdW(AxiIdW), .UserW(AxiUserW), .AsidW(AsidW)) u_ar (
    .addr_i(s_ar.addr[11:0]), .len_i(s_ar.len), .size_i(s_ar.size), .burst_i(s_ar.burst),
    .user_i(s_ar.user), .ssid_i(s_ar.ssid), .id_i(s_ar.id), .asid_from_i, .asid_shift_i,
    .asid_i, .asid_o(ar_asid), .illegal_o(ar_illegal)
  );
  gmmu_axi_burst #(.IdW(AxiIdW), .UserW(AxiUserW), .AsidW(AsidW)) u_aw (
    .addr_i(s_aw.addr[11:0]), .len_i(s_aw.len), .size_i(s_aw.size), .burst_i(s_aw.burst),
    .user_i(s_aw.user), .ssid_i(s_aw.ssid), .id_i(s_aw.id), .asid_from_i, .asid_shift_i,
    .asid_i, .asid_o(aw_asid), .illegal_o(aw_illegal)
  );
  logic open, pass;
  assign {open, pass} = {!mode_i[1], mode_i == 2'd0};
  logic [1:0] ar_access, aw_access;
  assign ar_access = fetch_i == 2'd2 |
      (fetch_i == 2'd0 & s_ar.prot[2]) ? gmmu_pkg::ACCESS_EXEC : gmmu_pkg::ACCESS_READ;
  assign aw_access = s_aw.atop != '0 ? gmmu_pkg::ACCESS_AMO : gmmu_pkg::ACCESS_WRITE;

  // ---------------------------------------------------------------- the two halves
  logic [1:0]         t_valid, t_ready, t_user, f_valid, f_taken, old, busy;
  logic [2*AxiAddrW-1:0] t_va;
  logic [3:0]         t_access;
  logic [2*AsidW-1:0] t_asid;
  logic [2*AxiIdW-1:0]   t_id;
  logic [2*SlotW-1:0] t_slot, o_slot;
  logic [2*HalfRecW-1:0] f_rec;
  logic [2*SlotW+1:0] stalled;
  logic               x_valid, x_done, atomic;
  logic [AxiIdW-1:0]     x_id, atomic_id;
  logic [7:0]         x_len;
  logic [1:0]         x_resp, o_take;
  logic [2*KeyW-1:0]     o_key;
  logic [Slots*KeyW-1:0] r_keys, w_keys;
  logic [Slots-1:0]      r_wait, aw_wait, w_wait, fed, may_r, may_w;

  // The top bit of a tag says which half asked. Both see atomics: one that ends in the write half
  // also ends on R (x_*), and it is told of the last R of one that was issued (atomic).
  gmmu_axi_read #(
    .Slots(Slots), .Outstanding(Outstanding), .IdW(AxiIdW), .VaW(AxiAddrW), .PaW(PaW),
    .DataW(AxiDataW), .UserW(AxiUserW), .AsidW(AsidW)
  ) u_read (
    .clk_i, .rst_ni, .s_arvalid_i(s_ar_valid_i), .s_arready_o(s_ar_ready_o),
    .s_arid_i(s_ar.id), .s_arva_i(s_ar.addr),
    .s_armeta_i({s_ar.user, s_ar.region, s_ar.qos, s_ar.prot, s_ar.cache, s_ar.lock,
    s_ar.burst, s_ar.size, s_ar.len}),
    .s_arasid_i(ar_asid), .s_araccess_i(ar_access),
    .s_aruser_i(!s_ar.prot[0]), .s_arillegal_i(!pass & ar_illegal),
    .s_rvalid_o(s_r_valid_o), .s_rready_i(s_r_ready_i), .s_rid_o(s_r.id), .s_rdata_o(s_r.data),
    .s_rresp_o(s_r.resp), .s_rlast_o(s_r.last), .s_ruser_o(s_r.user),
    .m_arvalid_o(m_ar_valid_o), .m_arready_i(m_ar_ready_i), .m_arid_o(m_ar.id),
    .m_araddr_o(m_ar.addr),
    .m_armeta_o({m_ar.user, m_ar.region, m_ar.qos, m_ar.prot, m_ar.cache, m_ar.lock,
    m_ar.burst, m_ar.size, m_ar.len}),
    .m_rvalid_i(m_r_valid_i), .m_rready_o(m_r_ready_o), .m_rid_i(m_r.id), .m_rdata_i(m_r.data),
    .m_rresp_i(m_r.resp), .m_rlast_i(m_r.last), .m_ruser_i(m_r.user),
    .open_i(open), .pass_i(pass), .error_mode_i,
    .t_valid_o(t_valid[0]), .t_ready_i(t_ready[0]), .t_va_o(t_va[AxiAddrW-1:0]),
    .t_access_o(t_access[1:0]), .t_user_o(t_user[0]),
    .t_asid_o(t_asid[AsidW-1:0]), .t_id_o(t_id[AxiIdW-1:0]), .t_slot_o(t_slot[SlotW-1:0]),
    .a_valid_i(rsp_valid_i & !rsp_tag_i[SlotW]), .a_slot_i(rsp_tag_i[SlotW-1:0]),
    .a_pfn_i(rsp_pfn_i), .a_cause_i(rsp_cause_i),
    .f_valid_o(f_valid[0]), .f_rec_o(f_rec[HalfRecW-1:0]), .f_taken_i(f_taken[0]), .f_lost_i,
    .retry_i, .tick_i,
    .x_valid_i(x_valid), .x_id_i(x_id), .x_len_i(x_len), .x_resp_i(x_resp), .x_done_o(x_done),
    .atomic_o(atomic), .atomic_id_o(atomic_id), .may_issue_i(may_r), .o_take_o(o_take[0]),
    .o_slot_o(o_slot[SlotW-1:0]),
    .o_key_o(o_key[KeyW-1:0]), .o_keys_o(r_keys), .o_wait_o(r_wait), .drop_i, .old_o(old[0]),
    .stalled_o(stalled[SlotW:0]), .busy_o(busy[0])
  );
  gmmu_axi_write #(
    .Slots(Slots), .Outstanding(Outstanding), .WBeats(WBeats), .IdW(AxiIdW), .VaW(AxiAddrW),
    .PaW(PaW),
    .DataW(AxiDataW), .UserW(AxiUserW),
    .AsidW(AsidW), .RwOrder(RwOrder)
  ) u_write (
    .clk_i, .rst_ni, .s_awvalid_i(s_aw_valid_i), .s_awready_o(s_aw_ready_o),
    .s_awid_i(s_aw.id), .s_awva_i(s_aw.addr),
    .s_awmeta_i({s_aw.atop, s_aw.user, s_aw.region, s_aw.qos, s_aw.prot, s_aw.cache,
    s_aw.lock, s_aw.burst, s_aw.size, s_aw.len}),
    .s_awasid_i(aw_asid), .s_awaccess_i(aw_access),
    .s_awuser_i(!s_aw.prot[0]), .s_awillegal_i(!pass & aw_illegal),
    .s_wvalid_i(s_w_valid_i), .s_wready_o(s_w_ready_o), .s_wdata_i(s_w.data),
    .s_wstrb_i(s_w.strb), .s_wlast_i(s_w.last), .s_wuser_i(s_w.user), .s_bvalid_o(s_b_valid_o),
    .s_bready_i(s_b_ready_i), .s_bid_o(s_b.id), .s_bresp_o(s_b.resp), .s_buser_o(s_b.user),
    .m_awvalid_o(m_aw_valid_o), .m_awready_i(m_aw_ready_i), .m_awid_o(m_aw.id),
    .m_awaddr_o(m_aw.addr),
    .m_awmeta_o({m_aw.atop, m_aw.user, m_aw.region, m_aw.qos, m_aw.prot, m_aw.cache,
    m_aw.lock, m_aw.burst, m_aw.size, m_aw.len}),
    .m_wvalid_o(m_w_valid_o), .m_wready_i(m_w_ready_i), .m_wdata_o(m_w.data),
    .m_wstrb_o(m_w.strb), .m_wlast_o(m_w.last), .m_wuser_o(m_w.user), .m_bvalid_i(m_b_valid_i),
    .m_bready_o(m_b_ready_o), .m_bid_i(m_b.id), .m_bresp_i(m_b.resp), .m_buser_i(m_b.user),
    .open_i(open), .pass_i(pass), .error_mode_i,
    .t_valid_o(t_valid[1]), .t_ready_i(t_ready[1]), .t_va_o(t_va[AxiAddrW +: AxiAddrW]),
    .t_access_o(t_access[3:2]), .t_user_o(t_user[1]),
    .t_asid_o(t_asid[AsidW +: AsidW]), .t_id_o(t_id[AxiIdW +: AxiIdW]),
    .t_slot_o(t_slot[SlotW +: SlotW]),
    .a_valid_i(rsp_valid_i & rsp_tag_i[SlotW]), .a_slot_i(rsp_tag_i[SlotW-1:0]),
    .a_pfn_i(rsp_pfn_i), .a_cause_i(rsp_cause_i),
    .f_valid_o(f_valid[1]), .f_rec_o(f_rec[HalfRecW +: HalfRecW]), .f_taken_i(f_taken[1]),
    .f_lost_i, .retry_i, .tick_i,
    .x_valid_o(x_valid), .x_id_o(x_id), .x_len_o(x_len), .x_resp_o(x_resp), .x_done_i(x_done),
    .atomic_i(atomic), .atomic_id_i(atomic_id), .may_issue_i(may_w), .o_take_o(o_take[1]),
    .o_slot_o(o_slot[SlotW +: SlotW]),
    .o_key_o(o_key[KeyW +: KeyW]), .o_keys_o(w_keys), .o_aw_wait_o(aw_wait), .o_w_wait_o(w_wait),
    .o_fed_o(fed), .drop_i, .old_o(old[1]), .stalled_o(stalled[SlotW+1 +: SlotW+1]),
    .busy_o(busy[1])
  );
  gmmu_axi_order #(.Slots(Slots), .KeyW(KeyW), .RwOrder(RwOrder)) u_order (
    .clk_i, .rst_ni, .r_take_i(o_take[0]), .r_slot_i(o_slot[SlotW-1:0]), .r_key_i(o_key[KeyW-1:0]),
    .r_addr_i(s_ar.addr[11:0]),
    .r_form_i({s_ar.burst, s_ar.size, s_ar.len}), .w_take_i(o_take[1]),
    .w_slot_i(o_slot[SlotW +: SlotW]),
    .w_key_i(o_key[KeyW +: KeyW]), .w_addr_i(s_aw.addr[11:0]),
    .w_form_i({s_aw.burst, s_aw.size, s_aw.len}), .r_keys_i(r_keys),
    .w_keys_i(w_keys), .r_wait_i(r_wait), .aw_wait_i(aw_wait), .w_wait_i(w_wait), .fed_i(fed),
    .may_r_o(may_r), .may_w_o(may_w)
  );
  assign {old_o, busy_o} = {|old, |busy};
  assign stalled_o = 8'(stalled[SlotW:0]) + 8'(stalled[SlotW+1 +: SlotW+1]);

  gmmu_axi_turns #(.AxiAddrW(AxiAddrW), .SignExtend(SignExtend), .AsidW(AsidW), .WarpW(WarpW),
      .IdW(AxiIdW), .SlotW(SlotW)) u_turns (
    .clk_i, .rst_ni, .valid_i(t_valid), .ready_o(t_ready), .va_i(t_va), .access_i(t_access),
    .user_i(t_user), .asid_i(t_asid), .id_i(t_id), .slot_i(t_slot), .fault_i(f_valid),
    .fault_rec_i(f_rec), .fault_taken_o(f_taken), .req_valid_o, .req_ready_i, .req_va_o,
    .req_access_o, .req_user_o, .req_asid_o, .req_warp_o, .req_tag_o, .f_valid_o, .f_rec_o,
    .f_taken_i
  );
endmodule
`default_nettype wire
