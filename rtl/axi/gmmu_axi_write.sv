// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_write: the write half of a port: AW through gmmu_axi_addr, W in the order of AW, B
// straight through. Rules: docs/axi_port.md.
// W begins in the cycle after its AW is offered, whether AW is taken or not: memory may wait for
// both. W beats of a burst that waits are kept (WBeats for each slot): bursts of other IDs may pass
// (RwOrder: with all theirs); a longer one holds later ones back until it is issued. Bursts that
// end here have their W drained. Legal: WBeats 1..256.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_axi_write #(
  parameter int Slots       = 4,
  parameter int Outstanding = 16,
  parameter int WBeats      = 16,
  parameter int IdW         = 4,
  parameter int VaW         = 48,     // of the slave side
  parameter int PaW         = 48,
  parameter int DataW       = 64,
  parameter int UserW       = 1,
  parameter int AsidW       = 9,
  parameter int RwOrder     = 1,
  // atop, user, region, qos, prot, cache, lock, burst, size, len
  localparam int MetaW = 35 + UserW,
  localparam int PfnW  = PaW - 12,
  localparam int SlotW = $clog2(Slots),
  localparam int KeyW  = 1 + AsidW + VaW - 12,
  localparam int RecW  = VaW + AsidW + 2 + 1 + IdW + 5
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               s_awvalid_i,
  output logic               s_awready_o,
  input  logic [IdW-1:0]     s_awid_i,
  input  logic [VaW-1:0]     s_awva_i,
  input  logic [MetaW-1:0]   s_awmeta_i,
  input  logic [AsidW-1:0]   s_awasid_i,
  input  logic [1:0]         s_awaccess_i,
  input  logic               s_awuser_i,
  input  logic               s_awillegal_i,
  input  logic               s_wvalid_i,
  output logic               s_wready_o,
  input  logic [DataW-1:0]   s_wdata_i,
  input  logic [DataW/8-1:0] s_wstrb_i,
  input  logic               s_wlast_i,
  input  logic [UserW-1:0]   s_wuser_i,
  output logic               s_bvalid_o,
  input  logic               s_bready_i,
  output logic [IdW-1:0]     s_bid_o,
  output logic [1:0]         s_bresp_o,
  output logic [UserW-1:0]   s_buser_o,
  output logic               m_awvalid_o,
  input  logic               m_awready_i,
  output logic [IdW-1:0]     m_awid_o,
  output logic [PaW-1:0]     m_awaddr_o,
  output logic [MetaW-1:0]   m_awmeta_o,
  output logic               m_wvalid_o,
  input  logic               m_wready_i,
  output logic [DataW-1:0]   m_wdata_o,
  output logic [DataW/8-1:0] m_wstrb_o,
  output logic               m_wlast_o,
  output logic [UserW-1:0]   m_wuser_o,
  input  logic               m_bvalid_i,
  output logic               m_bready_o,
  input  logic [IdW-1:0]     m_bid_i,
  input  logic [1:0]         m_bresp_i,
  input  logic [UserW-1:0]   m_buser_i,
  // settings
  input  logic               open_i,
  input  logic               pass_i,
  input  logic               error_mode_i,
  // translation
  output logic               t_valid_o,
  input  logic               t_ready_i,
  output logic [VaW-1:0]     t_va_o,
  output logic [1:0]         t_access_o,
  output logic               t_user_o,
  output logic [AsidW-1:0]   t_asid_o,
  output logic [IdW-1:0]     t_id_o,
  output logic [SlotW-1:0]   t_slot_o,
  input  logic               a_valid_i,
  input  logic [SlotW-1:0]   a_slot_i,
  input  logic [PfnW-1:0]    a_pfn_i,
  input  logic [4:0]         a_cause_i,
  // faults
  output logic               f_valid_o,
  output logic [RecW-1:0]    f_rec_o,
  input  logic               f_taken_i,
  input  logic               f_lost_i,
  input  logic               retry_i,
  input  logic               tick_i,
  // an atomic that ends here also ends on R
  output logic               x_valid_o,
  output logic [IdW-1:0]     x_id_o,
  output logic [7:0]         x_len_o,
  output logic [1:0]         x_resp_o,
  input  logic               x_done_i,
  input  logic               atomic_i,      // a last R of an atomic that was issued
  input  logic [IdW-1:0]     atomic_id_i,
  // order among the bursts of the port (gmmu_axi_order)
  input  logic [Slots-1:0]      may_issue_i,
  output logic                  o_take_o,
  output logic [SlotW-1:0]      o_slot_o,
  output logic [KeyW-1:0]       o_key_o,
  output logic [Slots*KeyW-1:0] o_keys_o,
  output logic [Slots-1:0]      o_aw_wait_o,   // AW is still to be taken by memory
  output logic [Slots-1:0]      o_w_wait_o,    // AW or the last W
  output logic [Slots-1:0]      o_fed_o,       // the last W has been taken here
  input  logic               drop_i,
  output logic               old_o,
  output logic [SlotW:0]     stalled_o,
  output logic               busy_o
);
  localparam int BeatW = 1 + UserW + DataW / 8 + DataW;
  localparam int PosW  = gmmu_pkg::idx_w(WBeats);
  localparam int FillW = $clog2(WBeats + 1);

  if (WBeats < 1 || WBeats > 256) begin : gen_bad_beats
    gmmu_axi_write_WBeats_must_be_1_to_256 u_bad();
  end

  logic             take, issue, offered_q, full, mark_q, m_old, on_way, track_old, e_valid,
      unused_write;
  logic [SlotW-1:0] s_slot, m_slot, e_slot;
  logic [IdW-1:0]   e_id;
  logic [MetaW-1:0] e_meta;
  logic [4:0]       e_cause;
  logic [Slots-1:0] free, dead, issued, may_issue, unfed_q, open;

  gmmu_axi_addr #(.Slots(Slots), .IdW(IdW), .VaW(VaW), .PaW(PaW), .MetaW(MetaW), .AsidW(AsidW),
      .Keep(1)) u_addr (
    .clk_i, .rst_ni, .s_valid_i(s_awvalid_i), .s_ready_o(s_awready_o), .s_id_i(s_awid_i),
    .s_va_i(s_awva_i), .s_meta_i(s_awmeta_i),
    .s_asid_i(s_awasid_i), .s_access_i(s_awaccess_i), .s_user_i(s_awuser_i),
    .s_illegal_i(s_awillegal_i), .s_slot_o(s_slot),
    .open_i, .pass_i, .error_mode_i, .t_valid_o, .t_ready_i, .t_va_o, .t_access_o, .t_user_o,
    .t_asid_o, .t_id_o, .t_slot_o, .a_valid_i, .a_slot_i, .a_pfn_i, .a_cause_i,
    .m_valid_o(m_awvalid_o), .m_ready_i(m_awready_i), .m_id_o(m_awid_o), .m_addr_o(m_awaddr_o),
    .m_meta_o(m_awmeta_o), .m_slot_o(m_slot),
    .may_issue_i(may_issue & may_issue_i), .hold_issue_i(full),
    .issued_o(issued), .s_key_o(o_key_o), .key_o(o_keys_o), .wait_o(o_aw_wait_o), .f_valid_o,
    .f_rec_o, .f_taken_i, .f_lost_i, .retry_i, .tick_i, .dead_o(dead),
    .may_end_i(~unfed_q), .e_valid_o(e_valid), .e_slot_o(e_slot), .e_id_o(e_id),
    .e_meta_o(e_meta), .e_cause_o(e_cause), .free_i(free), .drop_i,
    .m_old_o(m_old), .stalled_o
  );
  assign take  = s_awvalid_i & s_awready_o;
  assign issue = m_awvalid_o & m_awready_i;
  always_ff @(posedge clk_i) offered_q <= rst_ni & m_awvalid_o & !m_awready_i;
  gmmu_axi_track #(.IdW(IdW), .Depth(Outstanding), .Atop(1)) u_track (
    .clk_i, .rst_ni, .push_i(issue), .push_id_i(m_awid_o), .push_r_i(m_awmeta_o[MetaW-1]),
    .push_old_i(m_old), .full_o(full),
    .pop_i(m_bvalid_i & m_bready_o), .pop_id_i(m_bid_i), .match_o(), .pop_r_i(atomic_i),
    .pop_r_id_i(atomic_id_i),
    .ask_id_i(e_id), .ask_o(on_way), .mark_i(mark_q), .old_o(track_old), .busy_o
  );
  always_ff @(posedge clk_i) mark_q <= rst_ni & drop_i;
  assign old_o = track_old | mark_q | m_old;

  // -------------------------------------------------- who gets the next W beat, who sends the next
  logic             in_valid, out_valid, in_last, out_last;
  logic [SlotW-1:0] in_slot, out_slot;
  gmmu_fifo #(.Width(SlotW), .Depth(Slots)) u_in (
    .clk_i, .rst_ni, .push_i(take), .data_i(s_slot), .pop_i(in_last), .valid_o(in_valid),
    .data_o(in_slot), .count_o()
  );
  gmmu_fifo #(.Width(SlotW), .Depth(Slots)) u_out (
    .clk_i, .rst_ni, .push_i(m_awvalid_o & !offered_q), .data_i(m_slot), .pop_i(out_last),
    .valid_o(out_valid), .data_o(out_slot), .count_o()
  );

  // -------------------------------------------------------- kept beats: {last, user, strobe, data}
  logic [BeatW-1:0] beats [0:Slots*WBeats-1];
  logic [Slots-1:0] empty, room, fed, in_hot, out_hot, ending;
  logic             straight, drain, keep, send;
  logic [PosW-1:0]  rd_pos, wr_pos;
  logic [Slots*PosW-1:0] out_pos_q, in_pos_q;
  logic [BeatW-1:0] s_beat, m_beat;
  logic [SlotW+8:0] rd_at, wr_at;
  assign s_beat     = {s_wlast_i, s_wuser_i, s_wstrb_i, s_wdata_i};
  assign rd_pos     = out_pos_q[out_slot*PosW +: PosW];
  assign wr_pos     = in_pos_q[in_slot*PosW +: PosW];
  assign rd_at      = (SlotW+9)'(out_slot) * (SlotW+9)'(WBeats) + (SlotW+9)'(rd_pos);
  assign wr_at      = (SlotW+9)'(in_slot) * (SlotW+9)'(WBeats) + (SlotW+9)'(wr_pos);
  assign straight   = in_valid & out_valid & in_slot == out_slot & empty[out_slot];
  assign drain      = in_valid & dead[in_slot];
  assign s_wready_o = straight ? m_wready_i : drain | (in_valid & room[in_slot]);
  assign keep     = s_wvalid_i & in_valid & !straight & !drain & room[in_slot];
  assign m_wvalid_o = straight ? s_wvalid_i : out_valid & !empty[out_slot];
  assign m_beat   = straight ? s_beat : beats[rd_at[gmmu_pkg::idx_w(Slots*WBeats)-1:0]];
  assign {m_wlast_o, m_wuser_o, m_wstrb_o, m_wdata_o} = m_beat;
  assign send     = m_wvalid_o & m_wready_i & !straight;
  assign in_last  = s_wvalid_i & s_wready_o & s_wlast_i;
  // A kept beat is known to be the last one without the RAM's word.
  assign out_last = m_wready_i & (straight ? s_wvalid_i & s_wlast_i : out_valid & ending[out_slot]);
  always_ff @(posedge clk_i) if (keep) beats[wr_at[gmmu_pkg::idx_w(Slots*WBeats)-1:0]] <= s_beat;

  // ---------------------------------------------------------------- which bursts may be issued
  // Not before every older burst is issued, or ends here, or has all its W beats kept: else its W
  // would stand in the way. And where reads wait for kept W beats, not before an older burst whose
  // own W is still to come: a master may owe it until such a read ends.
  logic [Slots-1:0] put;
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    logic [FillW-1:0] fill_q;
    logic [Slots-1:0] older_q;
    logic [PosW-1:0]  next_rd, next_wr;
    logic             more, less, open_q;
    assign in_hot[s]  = in_slot == SlotW'(s);
    assign out_hot[s] = out_slot == SlotW'(s);
    assign put[s]     = take & s_slot == SlotW'(s);
    assign more       = keep & in_hot[s];
    assign less       = send & out_hot[s];
    assign empty[s]   = fill_q == '0;
    assign ending[s]  = fill_q == FillW'(1) & !open_q;   // one beat is kept, and no other comes
    assign room[s]    = fill_q != FillW'(WBeats);
    assign next_rd    = out_pos_q[s*PosW +: PosW] == PosW'(WBeats-1) ? '0
        : out_pos_q[s*PosW +: PosW] + 1'b1;
    assign next_wr    = in_pos_q[s*PosW +: PosW] == PosW'(WBeats - 1)
        ? '0 : in_pos_q[s*PosW +: PosW] + 1'b1;
    assign fed[s]       = in_last & in_hot[s];
    assign open[s]      = open_q;
    assign may_issue[s] = (older_q & open) == '0 & (RwOrder == 0 | older_q == '0 | !open_q);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        open_q  <= 1'b0;
        fill_q  <= '0;
        older_q <= '0;
        out_pos_q[s*PosW +: PosW] <= '0;
        in_pos_q[s*PosW +: PosW] <= '0;
      end else begin
        open_q  <= put[s] | (open_q & !fed[s]);        // W beats are still to come
        fill_q  <= free[s] ? '0 : fill_q + FillW'(more) - FillW'(less);
        older_q <= (put[s] ? '1 : older_q) & o_aw_wait_o;
        if (less) out_pos_q[s*PosW +: PosW] <= next_rd;
        if (more) in_pos_q[s*PosW +: PosW] <= next_wr;
        if (free[s]) out_pos_q[s*PosW +: PosW] <= '0;
        if (free[s]) in_pos_q[s*PosW +: PosW] <= '0;
      end
    end
  end

  // ---------------------------------------------------------------- B: memory's, or an error's
  // An atomic that returns data ends on R first; its W has been drained before either.
  logic             err_q, r_done_q, e_atomic, e_ready;
  always_ff @(posedge clk_i) unfed_q <= !rst_ni ? '0 : (unfed_q | put) & ~fed;
  assign e_atomic  = e_meta[MetaW-1];
  assign e_ready   = e_valid & !on_way;
  assign x_valid_o = e_ready & e_atomic & !r_done_q;
  assign x_id_o    = e_id;
  // An atomic compare returns half of what it sends.
  assign x_len_o   = e_meta[MetaW-2] & e_meta[MetaW-6] &
      e_meta[7:0] != '0 ? {1'b0, e_meta[7:1]} : e_meta[7:0];
  assign x_resp_o  = gmmu_pkg::axi_resp(e_cause);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      err_q    <= 1'b0;
      r_done_q <= 1'b0;
    end else begin
      if (err_q) err_q <= !s_bready_i;
      else if (!m_bvalid_i | s_bready_i) err_q <= e_ready & (!e_atomic | r_done_q);
      r_done_q <= (r_done_q | x_done_i) & !(err_q & s_bready_i);
    end
  end
  assign s_bvalid_o = err_q | m_bvalid_i;
  assign s_bid_o    = err_q ? e_id : m_bid_i;
  assign s_bresp_o  = err_q ? gmmu_pkg::axi_resp(e_cause) : m_bresp_i;
  assign s_buser_o  = err_q ? '0 : m_buser_i;
  assign m_bready_o = !err_q & s_bready_i;
  // A burst whose last W goes while its AW is offered keeps its slot until AW has been taken.
  logic             offered, last_first, late_q, done_q, done_d;
  logic [SlotW-1:0] done_slot_q;
  assign offered    = m_awvalid_o & m_slot == out_slot;
  assign last_first = out_last & offered;
  assign done_d     = (last_first | late_q) & issue;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      late_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      late_q <= (last_first | late_q) & !issue;
      done_q <= done_d;
    end
    done_slot_q <= m_slot;
  end
  // For the order: what is over after this cycle.
  logic [Slots-1:0] over, issued_now;
  assign {o_take_o, o_slot_o} = {take, s_slot};
  assign o_fed_o    = ~open | fed;
  assign o_w_wait_o = o_aw_wait_o | (issued_now & ~over);
  for (genvar s = 0; s < Slots; s++) begin : gen_free
    assign issued_now[s] = issued[s] | (issue & m_slot == SlotW'(s));
    assign over[s] = free[s] | (done_d & m_slot == SlotW'(s));
    assign free[s] = (out_last & out_hot[s] & !offered) | (done_q & done_slot_q == SlotW'(s)) |
                     (err_q & s_bready_i & e_slot == SlotW'(s));
  end
  assign unused_write = ^{e_meta[MetaW-3:MetaW-5], e_meta[MetaW-7:8]};
  `GMMU_ASSERT(axi_write_last_is_last, out_last == (m_wvalid_o & m_wready_i & m_wlast_o))
endmodule
`default_nettype wire
