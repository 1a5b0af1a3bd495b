// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_port: AXI4 bump in the wire: slave side with virtual addresses, master side with
// physical ones. Reads and writes share the lookup, one a cycle, in turns; those of the same bytes
// keep their order. Rules, timing, what is supported: docs/axi_port.md. A burst needs one lookup,
// as AXI bursts stay inside 4 KiB. Added latency on a hit: AR and AW one cycle, W at most two, R
// and B none. Legal: Slots a power of two 2..16, DataW 32..1024, AxiAddrW 13..64, PaW 30..56.
`default_nettype none
module gmmu_axi_port #(
  parameter int Slots       = 4,
  parameter int Outstanding = 16,
  parameter int WBeats      = 16,
  parameter int AxiAddrW    = 48,
  parameter int DataW       = 64,
  parameter int IdW         = 4,
  parameter int UserW       = 1,
  parameter int PaW         = 48,
  parameter int AsidW       = 9,
  parameter int WarpW       = 8,
  parameter int SignExtend  = 0,      // 1: AxADDR is sign-extended to 64 bits
  // bursts of the same bytes keep their order: 0 no, 1 in one page, 2 also in others
  parameter int RwOrder     = 1,
  localparam int PfnW  = PaW - 12,
  localparam int SlotW = $clog2(Slots),
  localparam int KeyW  = 1 + AsidW + AxiAddrW - 12,
  localparam int RecW  = 64 + AsidW + 2 + 1 + IdW + 5
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // slave side
  input  logic                s_awvalid_i,
  output logic                s_awready_o,
  input  logic [IdW-1:0]      s_awid_i,
  input  logic [AxiAddrW-1:0] s_awaddr_i,
  input  logic [7:0]          s_awlen_i,
  input  logic [2:0]          s_awsize_i,
  input  logic [1:0]          s_awburst_i,
  input  logic                s_awlock_i,
  input  logic [3:0]          s_awcache_i,
  input  logic [2:0]          s_awprot_i,
  input  logic [3:0]          s_awqos_i,
  input  logic [3:0]          s_awregion_i,
  input  logic [5:0]          s_awatop_i,
  input  logic [UserW-1:0]    s_awuser_i,
  input  logic [AsidW-1:0]    s_awssid_i,
  input  logic                s_wvalid_i,
  output logic                s_wready_o,
  input  logic [DataW-1:0]    s_wdata_i,
  input  logic [DataW/8-1:0]  s_wstrb_i,
  input  logic                s_wlast_i,
  input  logic [UserW-1:0]    s_wuser_i,
  output logic                s_bvalid_o,
  input  logic                s_bready_i,
  output logic [IdW-1:0]      s_bid_o,
  output logic [1:0]          s_bresp_o,
  output logic [UserW-1:0]    s_buser_o,
  input  logic                s_arvalid_i,
  output logic                s_arready_o,
  input  logic [IdW-1:0]      s_arid_i,
  input  logic [AxiAddrW-1:0] s_araddr_i,
  input  logic [7:0]          s_arlen_i,
  input  logic [2:0]          s_arsize_i,
  input  logic [1:0]          s_arburst_i,
  input  logic                s_arlock_i,
  input  logic [3:0]          s_arcache_i,
  input  logic [2:0]          s_arprot_i,
  input  logic [3:0]          s_arqos_i,
  input  logic [3:0]          s_arregion_i,
  input  logic [UserW-1:0]    s_aruser_i,
  input  logic [AsidW-1:0]    s_arssid_i,
  output logic                s_rvalid_o,
  input  logic                s_rready_i,
  output logic [IdW-1:0]      s_rid_o,
  output logic [DataW-1:0]    s_rdata_o,
  output logic [1:0]          s_rresp_o,
  output logic                s_rlast_o,
  output logic [UserW-1:0]    s_ruser_o,
  // master side
  output logic                m_awvalid_o,
  input  logic                m_awready_i,
  output logic [IdW-1:0]      m_awid_o,
  output logic [PaW-1:0]      m_awaddr_o,
  output logic [7:0]          m_awlen_o,
  output logic [2:0]          m_awsize_o,
  output logic [1:0]          m_awburst_o,
  output logic                m_awlock_o,
  output logic [3:0]          m_awcache_o,
  output logic [2:0]          m_awprot_o,
  output logic [3:0]          m_awqos_o,
  output logic [3:0]          m_awregion_o,
  output logic [5:0]          m_awatop_o,
  output logic [UserW-1:0]    m_awuser_o,
  output logic                m_wvalid_o,
  input  logic                m_wready_i,
  output logic [DataW-1:0]    m_wdata_o,
  output logic [DataW/8-1:0]  m_wstrb_o,
  output logic                m_wlast_o,
  output logic [UserW-1:0]    m_wuser_o,
  input  logic                m_bvalid_i,
  output logic                m_bready_o,
  input  logic [IdW-1:0]      m_bid_i,
  input  logic [1:0]          m_bresp_i,
  input  logic [UserW-1:0]    m_buser_i,
  output logic                m_arvalid_o,
  input  logic                m_arready_i,
  output logic [IdW-1:0]      m_arid_o,
  output logic [PaW-1:0]      m_araddr_o,
  output logic [7:0]          m_arlen_o,
  output logic [2:0]          m_arsize_o,
  output logic [1:0]          m_arburst_o,
  output logic                m_arlock_o,
  output logic [3:0]          m_arcache_o,
  output logic [2:0]          m_arprot_o,
  output logic [3:0]          m_arqos_o,
  output logic [3:0]          m_arregion_o,
  output logic [UserW-1:0]    m_aruser_o,
  input  logic                m_rvalid_i,
  output logic                m_rready_o,
  input  logic [IdW-1:0]      m_rid_i,
  input  logic [DataW-1:0]    m_rdata_i,
  input  logic [1:0]          m_rresp_i,
  input  logic                m_rlast_i,
  input  logic [UserW-1:0]    m_ruser_i,
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
  if (DataW != 32 && DataW != 64 && DataW != 128 && DataW != 256 && DataW != 512 &&
      DataW != 1024) begin : gen_bad_data
    gmmu_axi_port_DataW_must_be_a_power_of_two_from_32_to_1024 u_bad();
  end

  // ---------------------------------------------------------------- what a burst asks for
  logic [AsidW-1:0] ar_asid, aw_asid;
  logic             ar_illegal, aw_illegal;
  gmmu_axi_burst #(.IdW(IdW), .UserW(UserW), .AsidW(AsidW)) u_ar (
    .addr_i(s_araddr_i[11:0]), .len_i(s_arlen_i), .size_i(s_arsize_i), .burst_i(s_arburst_i),
    .user_i(s_aruser_i), .ssid_i(s_arssid_i), .id_i(s_arid_i), .asid_from_i, .asid_shift_i,
    .asid_i, .asid_o(ar_asid), .illegal_o(ar_illegal)
  );
  gmmu_axi_burst #(.IdW(IdW), .UserW(UserW), .AsidW(AsidW)) u_aw (
    .addr_i(s_awaddr_i[11:0]), .len_i(s_awlen_i), .size_i(s_awsize_i), .burst_i(s_awburst_i),
    .user_i(s_awuser_i), .ssid_i(s_awssid_i), .id_i(s_awid_i), .asid_from_i, .asid_shift_i,
    .asid_i, .asid_o(aw_asid), .illegal_o(aw_illegal)
  );
  logic open, pass;
  assign {open, pass} = {!mode_i[1], mode_i == 2'd0};
  logic [1:0] ar_access, aw_access;
  assign ar_access = fetch_i == 2'd2 |
      (fetch_i == 2'd0 & s_arprot_i[2]) ? gmmu_pkg::ACCESS_EXEC : gmmu_pkg::ACCESS_READ;
  assign aw_access = s_awatop_i != '0 ? gmmu_pkg::ACCESS_AMO : gmmu_pkg::ACCESS_WRITE;

  // ---------------------------------------------------------------- the two halves
  logic [1:0]         t_valid, t_ready, t_user, f_valid, f_taken, old, busy;
  logic [2*AxiAddrW-1:0] t_va;
  logic [3:0]         t_access;
  logic [2*AsidW-1:0] t_asid;
  logic [2*IdW-1:0]   t_id;
  logic [2*SlotW-1:0] t_slot, o_slot;
  logic [2*HalfRecW-1:0] f_rec;
  logic [2*SlotW+1:0] stalled;
  logic               x_valid, x_done, atomic;
  logic [IdW-1:0]     x_id, atomic_id;
  logic [7:0]         x_len;
  logic [1:0]         x_resp, o_take;
  logic [2*KeyW-1:0]     o_key;
  logic [Slots*KeyW-1:0] r_keys, w_keys;
  logic [Slots-1:0]      r_wait, aw_wait, w_wait, fed, may_r, may_w;

  gmmu_axi_read #(
    .Slots(Slots), .Outstanding(Outstanding), .IdW(IdW), .VaW(AxiAddrW), .PaW(PaW), .DataW(DataW),
    .UserW(UserW), .AsidW(AsidW)
  ) u_read (
    .clk_i, .rst_ni, .s_arvalid_i, .s_arready_o, .s_arid_i, .s_arva_i(s_araddr_i),
    .s_armeta_i({s_aruser_i, s_arregion_i, s_arqos_i, s_arprot_i, s_arcache_i, s_arlock_i,
    s_arburst_i, s_arsize_i, s_arlen_i}),
    .s_arasid_i(ar_asid), .s_araccess_i(ar_access),
    .s_aruser_i(!s_arprot_i[0]), .s_arillegal_i(!pass & ar_illegal),
    .s_rvalid_o, .s_rready_i, .s_rid_o, .s_rdata_o, .s_rresp_o, .s_rlast_o, .s_ruser_o,
    .m_arvalid_o, .m_arready_i, .m_arid_o, .m_araddr_o,
    .m_armeta_o({m_aruser_o, m_arregion_o, m_arqos_o, m_arprot_o, m_arcache_o, m_arlock_o,
    m_arburst_o, m_arsize_o, m_arlen_o}),
    .m_rvalid_i, .m_rready_o, .m_rid_i, .m_rdata_i, .m_rresp_i, .m_rlast_i, .m_ruser_i,
    .open_i(open), .pass_i(pass), .error_mode_i,
    .t_valid_o(t_valid[0]), .t_ready_i(t_ready[0]), .t_va_o(t_va[AxiAddrW-1:0]),
    .t_access_o(t_access[1:0]), .t_user_o(t_user[0]),
    .t_asid_o(t_asid[AsidW-1:0]), .t_id_o(t_id[IdW-1:0]), .t_slot_o(t_slot[SlotW-1:0]),
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
    .Slots(Slots), .Outstanding(Outstanding), .WBeats(WBeats), .IdW(IdW), .VaW(AxiAddrW), .PaW(PaW),
    .DataW(DataW), .UserW(UserW),
    .AsidW(AsidW), .RwOrder(RwOrder)
  ) u_write (
    .clk_i, .rst_ni, .s_awvalid_i, .s_awready_o, .s_awid_i, .s_awva_i(s_awaddr_i),
    .s_awmeta_i({s_awatop_i, s_awuser_i, s_awregion_i, s_awqos_i, s_awprot_i, s_awcache_i,
    s_awlock_i, s_awburst_i, s_awsize_i, s_awlen_i}),
    .s_awasid_i(aw_asid), .s_awaccess_i(aw_access),
    .s_awuser_i(!s_awprot_i[0]), .s_awillegal_i(!pass & aw_illegal),
    .s_wvalid_i, .s_wready_o, .s_wdata_i, .s_wstrb_i, .s_wlast_i, .s_wuser_i, .s_bvalid_o,
    .s_bready_i, .s_bid_o, .s_bresp_o, .s_buser_o,
    .m_awvalid_o, .m_awready_i, .m_awid_o, .m_awaddr_o,
    .m_awmeta_o({m_awatop_o, m_awuser_o, m_awregion_o, m_awqos_o, m_awprot_o, m_awcache_o,
    m_awlock_o, m_awburst_o, m_awsize_o, m_awlen_o}),
    .m_wvalid_o, .m_wready_i, .m_wdata_o, .m_wstrb_o, .m_wlast_o, .m_wuser_o, .m_bvalid_i,
    .m_bready_o, .m_bid_i, .m_bresp_i, .m_buser_i,
    .open_i(open), .pass_i(pass), .error_mode_i,
    .t_valid_o(t_valid[1]), .t_ready_i(t_ready[1]), .t_va_o(t_va[AxiAddrW +: AxiAddrW]),
    .t_access_o(t_access[3:2]), .t_user_o(t_user[1]),
    .t_asid_o(t_asid[AsidW +: AsidW]), .t_id_o(t_id[IdW +: IdW]), .t_slot_o(t_slot[SlotW +: SlotW]),
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
    .r_addr_i(s_araddr_i[11:0]),
    .r_form_i({s_arburst_i, s_arsize_i, s_arlen_i}), .w_take_i(o_take[1]),
    .w_slot_i(o_slot[SlotW +: SlotW]),
    .w_key_i(o_key[KeyW +: KeyW]), .w_addr_i(s_awaddr_i[11:0]),
    .w_form_i({s_awburst_i, s_awsize_i, s_awlen_i}), .r_keys_i(r_keys),
    .w_keys_i(w_keys), .r_wait_i(r_wait), .aw_wait_i(aw_wait), .w_wait_i(w_wait), .fed_i(fed),
    .may_r_o(may_r), .may_w_o(may_w)
  );
  assign {old_o, busy_o} = {|old, |busy};
  assign stalled_o = 8'(stalled[SlotW:0]) + 8'(stalled[SlotW+1 +: SlotW+1]);

  gmmu_axi_turns #(.AxiAddrW(AxiAddrW), .SignExtend(SignExtend), .AsidW(AsidW), .WarpW(WarpW),
      .IdW(IdW), .SlotW(SlotW)) u_turns (
    .clk_i, .rst_ni, .valid_i(t_valid), .ready_o(t_ready), .va_i(t_va), .access_i(t_access),
    .user_i(t_user), .asid_i(t_asid), .id_i(t_id), .slot_i(t_slot), .fault_i(f_valid),
    .fault_rec_i(f_rec), .fault_taken_o(f_taken), .req_valid_o, .req_ready_i, .req_va_o,
    .req_access_o, .req_user_o, .req_asid_o, .req_warp_o, .req_tag_o, .f_valid_o, .f_rec_o,
    .f_taken_i
  );
endmodule
`default_nettype wire
