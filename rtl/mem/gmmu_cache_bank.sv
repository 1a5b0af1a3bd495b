// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_bank: one bank of the shared L2 cache: set-associative, true LRU, non-blocking,
// write-back for data; a port for translations (t_) and one for data (d_). Rules and cycles:
// docs/l2_cache.md. Source: MASK section 5.3 and table 1.
//
// Addresses are numbers of lines inside the channel. Memory is read and written in pieces of PieceB
// bytes; a piece comes back (back_) with the id of its read and is always accepted. Answers:
// translations get the piece, data the line.
// Legal: Sets and Ways powers of two from 2 on; LineB is PieceB or twice that; Mshrs 2..64; Waiters
// 1..16; Latency >= 4; slots 1..64, AnswerSlots at least Latency for a hit a cycle.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_cache_bank #(
  parameter int Sets        = 64,
  parameter int Ways        = 16,
  parameter int LineB       = 128,
  parameter int PieceB      = 64,
  parameter int LineW       = 34,   // bits of a line number
  parameter int Mshrs       = 64,
  parameter int Waiters     = 4,
  parameter int MemSlots    = 4,
  parameter int AnswerSlots = 16,
  parameter int BypassSlots = 8,
  parameter int Latency     = 10,
  parameter bit Linear      = 1'b0, // set not hashed
  parameter int TIdW        = 6,
  parameter int DIdW        = 12,
  parameter int AppW        = 3,
  localparam int Beats      = LineB < PieceB ? 1 : LineB / PieceB,
  localparam int MshrW      = gmmu_pkg::idx_w(Mshrs),
  localparam int IdW        = TIdW > MshrW ? TIdW : MshrW,
  localparam int MemIdW     = IdW + 2,   // {bypassed, piece, id}
  localparam int WayW       = gmmu_pkg::idx_w(Ways)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [7:0]          bypass_i,      // of each depth
  // translations
  input  logic                t_valid_i,
  output logic                t_ready_o,
  input  logic [LineW-1:0]    t_line_i,
  input  logic                t_beat_i,      // piece of the line
  input  logic [2:0]          t_depth_i,     // 1..7
  input  logic                t_we_i,        // an 8-byte PTE is written
  input  logic [2:0]          t_word_i,      // in its piece
  input  logic [63:0]         t_wdata_i,
  input  logic [TIdW-1:0]     t_id_i,
  output logic                t_rsp_valid_o,
  input  logic                t_rsp_ready_i,
  output logic [TIdW-1:0]     t_rsp_id_o,
  output logic [PieceB*8-1:0] t_rsp_data_o,
  // data
  input  logic                d_valid_i,
  output logic                d_ready_o,
  input  logic [LineW-1:0]    d_line_i,
  input  logic                d_we_i,
  input  logic [LineB-1:0]    d_mask_i,
  input  logic [LineB*8-1:0]  d_wdata_i,
  input  logic [AppW-1:0]     d_app_i,
  input  logic [DIdW-1:0]     d_id_i,
  output logic                d_rsp_valid_o,
  input  logic                d_rsp_ready_i,
  output logic [DIdW-1:0]     d_rsp_id_o,
  output logic [LineB*8-1:0]  d_rsp_data_o,
  // memory: translations' queue and data's
  output logic                tm_valid_o,
  input  logic                tm_ready_i,
  output logic [LineW-1:0]    tm_line_o,
  output logic                tm_beat_o,
  output logic                tm_we_o,
  output logic [PieceB-1:0]   tm_mask_o,
  output logic [PieceB*8-1:0] tm_data_o,
  output logic [MemIdW-1:0]   tm_id_o,
  output logic                dm_valid_o,
  input  logic                dm_ready_i,
  output logic [LineW-1:0]    dm_line_o,
  output logic                dm_beat_o,
  output logic                dm_we_o,
  output logic [PieceB*8-1:0] dm_data_o,
  output logic [AppW-1:0]     dm_app_o,
  output logic [MemIdW-1:0]   dm_id_o,
  input  logic                back_valid_i,
  input  logic [MemIdW-1:0]   back_id_i,
  input  logic [PieceB*8-1:0] back_data_i,
  // for gmmu_l2_bypass
  output logic                access_o,
  output logic                hit_o,
  output logic [2:0]          depth_o,
  // observation: {way of a fill, writes back, fill, way of a hit, outcome, data port, decided}
  output logic [2*WayW+6:0]   obs_o
);
  localparam int SetW  = $clog2(Sets);
  localparam int LineBits = LineB * 8;
  localparam int CntW  = gmmu_pkg::idx_w(Waiters + 1);
  localparam int WIdW  = TIdW > DIdW ? TIdW : DIdW;
  // Outcomes of stage B.
  localparam logic [2:0] WAITS = 3'd0;
  localparam logic [2:0] HIT   = 3'd1;
  localparam logic [2:0] MISS  = 3'd2;
  localparam logic [2:0] JOINS = 3'd3;
  localparam logic [2:0] AROUND = 3'd4;
  localparam logic [2:0] PTE_WRITE = 3'd5;

  if (Beats > 2 || LineB != Beats * PieceB || Mshrs < 2 || Mshrs > 64 || Waiters < 1 ||
      Waiters > 16 || Latency < 4 ||
      Sets < 2 || Ways < 2 || (1 << SetW) != Sets || (1 << WayW) != Ways) begin : gen_bad
    gmmu_cache_bank_parameters_out_of_range u_bad();
  end

  // ---------------------------------------------------------------- requests: four places per port
  localparam int TReqW = LineW + 1 + 3 + 1 + 3 + 64 + TIdW;
  localparam int DReqW = LineW + 1 + LineB + LineBits + AppW + DIdW;
  logic                t_can, d_can, t_pop, d_pop, t_decided, d_decided;
  logic [TReqW-1:0]    t_head, t_cand;
  logic [DReqW-1:0]    d_head, d_cand;
  logic [LineW-1:0]    t_line, d_line;
  logic                t_beat, t_we, d_we;
  logic [2:0]          t_depth, t_word;
  logic [63:0]         t_wdata;
  logic [TIdW-1:0]     t_id;
  logic [LineB-1:0]    d_mask;
  logic [LineBits-1:0] d_wdata;
  logic [AppW-1:0]     d_app;
  logic [DIdW-1:0]     d_id;
  gmmu_peek_fifo #(.Width(TReqW)) u_t_queue (
    .clk_i, .rst_ni, .valid_i(t_valid_i), .ready_o(t_ready_o),
    .data_i({t_line_i, t_beat_i, t_depth_i, t_we_i, t_word_i, t_wdata_i, t_id_i}),
    .head_o(t_head), .peek_i(t_decided), .next_valid_o(t_can), .next_o(t_cand), .pop_i(t_pop)
  );
  gmmu_peek_fifo #(.Width(DReqW)) u_d_queue (
    .clk_i, .rst_ni, .valid_i(d_valid_i), .ready_o(d_ready_o),
    .data_i({d_line_i, d_we_i, d_mask_i, d_wdata_i, d_app_i, d_id_i}),
    .head_o(d_head), .peek_i(d_decided), .next_valid_o(d_can), .next_o(d_cand), .pop_i(d_pop)
  );
  assign {t_line, t_beat, t_depth, t_we, t_word, t_wdata, t_id} = t_head;
  assign {d_line, d_we, d_mask, d_wdata, d_app, d_id} = d_head;

  // ---------------------------------------------------------------- stage A
  // fill1_q, fill2_q: first and second cycle of a fill.
  logic             b_valid_q, b_data_q, last_data_q, fill1_q, fill2_q, serving;
  logic             look, look_data, fill_start, b_waits, finished, wb_room;
  logic [MshrW-1:0] fill_q, fill_which;
  logic [LineW-1:0] a_line, finished_line;
  assign t_decided  = b_valid_q && !b_data_q;   // the head is in stage B
  assign d_decided  = b_valid_q && b_data_q;
  assign fill_start = !fill1_q && !fill2_q && !serving && wb_room && finished;
  assign look       = !fill_start && !fill1_q && (t_can || d_can);
  assign look_data  = d_can && (!last_data_q || !t_can);
  assign a_line     = fill_start ? finished_line
      : look_data ? d_cand[DReqW-1 -: LineW] : t_cand[TReqW-1 -: LineW];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q   <= 1'b0;
      last_data_q <= 1'b1;
      fill1_q        <= 1'b0;
      fill2_q        <= 1'b0;
    end else begin
      b_valid_q <= look && !(b_waits && look_data == b_data_q);
      fill1_q      <= fill_start;
      fill2_q      <= fill1_q;
      if (look) last_data_q <= look_data;
    end
  end
  always_ff @(posedge clk_i) begin
    if (look) b_data_q <= look_data;
    if (fill_start) fill_q <= fill_which;
  end

  // ---------------------------------------------------------------- stage B
  logic [2:0]       outcome;
  logic             b_data, b_we, around, hit, pending, pending_write, pending_full, some_free,
      two_free, tq_room, ans_room_t, ans_room_d, around_room, touch, drop, alloc, full, join_it;
  logic [WIdW-1:0]  b_id;
  logic [LineW-1:0] b_line, fill_line, victim_line;
  assign b_data = b_data_q;
  assign b_we   = b_data ? d_we : t_we;
  assign b_id   = b_data ? WIdW'(d_id) : WIdW'(t_id);
  assign b_line = fill1_q ? fill_line : b_data_q ? d_line : t_line;
  assign around = !b_data && !t_we && bypass_i[t_depth];
  always_comb begin
    outcome = WAITS;
    if (b_valid_q) begin
      if (around) begin
        if (around_room && tq_room) outcome = AROUND;
      end else if (!b_data && t_we) begin
        if (!pending && tq_room) outcome = PTE_WRITE;
      end else if (pending) begin
        if (!b_we && !pending_write && !pending_full) outcome = JOINS;
      end else if (hit) begin
        if (b_we || (b_data ? ans_room_d : ans_room_t)) outcome = HIT;
      end else begin
        if (b_data ? two_free : (some_free && tq_room)) outcome = MISS;
      end
    end
  end
  assign b_waits  = b_valid_q && outcome == WAITS;
  assign t_pop    = b_valid_q && !b_data && outcome != WAITS;
  assign d_pop    = b_valid_q && b_data && outcome != WAITS;
  assign touch    = outcome == HIT;
  assign drop     = outcome == PTE_WRITE && hit;
  assign alloc    = outcome == MISS;
  assign full     = b_we && (&d_mask);  // nothing of the line is needed from memory
  assign join_it  = outcome == JOINS;
  assign access_o = outcome == HIT || outcome == MISS || outcome == JOINS;
  assign hit_o    = outcome == HIT;
  assign depth_o  = b_data ? 3'd0 : t_depth;

  // ---------------------------------------------------------------- tags, miss registers, lines
  logic [SetW-1:0]     set;
  logic [WayW-1:0]     hit_way, victim, way;
  logic                victim_dirty, fill_write, fill_waited, back_around, back_beat, back_fetch;
  logic [MshrW-1:0]    free_which, serve_which;
  logic [IdW-1:0]      back_id;
  logic [AppW-1:0]     fill_app;
  logic [CntW-1:0]     served;
  logic                serve_data, serve_beat, serve_last, serve_end;
  logic [WIdW-1:0]     serve_id;
  logic [LineBits-1:0] read_line, new_line;
  assign {back_around, back_beat, back_id} = back_id_i;
  assign back_fetch = back_valid_i && !back_around;
  gmmu_cache_tags #(.Sets(Sets), .Ways(Ways), .LineW(LineW), .Linear(Linear)) u_tags (
    .clk_i, .rst_ni, .read_i(look || fill_start), .a_line_i(a_line),
    .look_i(b_valid_q), .line_i(b_line), .set_o(set), .hit_o(hit), .hit_way_o(hit_way),
    .victim_o(victim), .way_o(way), .victim_dirty_o(victim_dirty), .victim_line_o(victim_line),
    .touch_i(touch), .touch_write_i(touch && b_data && d_we), .drop_i(drop), .fill_i(fill1_q),
    .fill_dirty_i(fill_write)
  );
  gmmu_cache_mshr #(.Mshrs(Mshrs), .Waiters(Waiters), .Beats(Beats), .LineW(LineW), .AppW(AppW),
      .WIdW(WIdW)) u_mshr (
    .clk_i, .rst_ni, .line_i(b_line), .data_i(b_data), .we_i(b_we), .beat_i(t_beat), .id_i(b_id),
    .app_i(d_app), .full_i(full), .some_free_o(some_free), .two_free_o(two_free),
    .free_o(free_which), .pending_o(pending), .pending_write_o(pending_write),
    .pending_full_o(pending_full), .alloc_i(alloc), .join_i(join_it),
    .back_i(back_fetch), .back_mshr_i(back_id[MshrW-1:0]), .back_beat_i(back_beat),
    .finished_o(finished), .finished_which_o(fill_which), .finished_line_o(finished_line),
    .fill_i(fill1_q), .fill2_i(fill2_q), .fill_which_i(fill_q), .fill_line_o(fill_line),
    .fill_write_o(fill_write), .fill_app_o(fill_app), .fill_waited_o(fill_waited),
    .serve_which_i(serve_which), .served_i(served), .serve_data_o(serve_data),
    .serve_beat_o(serve_beat), .serve_id_o(serve_id), .serve_last_o(serve_last),
    .serve_end_i(serve_end)
  );
  gmmu_cache_lines #(.Sets(Sets), .Ways(Ways), .LineB(LineB), .Beats(Beats),
      .Mshrs(Mshrs)) u_lines (
    .clk_i, .set_i(set), .way_i(way), .read_i(touch && !b_we), .write_i(touch && b_data && d_we),
    .mask_i(d_mask), .data_i(d_wdata), .read_o(read_line), .keep_i(alloc && b_we),
    .keep_mshr_i(free_which), .back_i(back_fetch), .back_mshr_i(back_id[MshrW-1:0]),
    .back_beat_i(back_beat), .back_data_i, .start_i(fill_start), .start_mshr_i(fill_which),
    .fill_i(fill1_q), .fill2_i(fill2_q), .fill_write_i(fill_write), .new_o(new_line)
  );

  // ---------------------------------------------------------------- answers, memory
  gmmu_cache_answers #(.LineB(LineB), .PieceB(PieceB), .Mshrs(Mshrs), .Waiters(Waiters),
      .AnswerSlots(AnswerSlots), .BypassSlots(BypassSlots), .Latency(Latency), .TIdW(TIdW),
      .DIdW(DIdW)) u_answers (
    .clk_i, .rst_ni, .hit_t_i(touch && !b_data), .hit_d_i(touch && b_data && !d_we),
    .data_i(b_data), .beat_i(t_beat), .id_i(b_id), .line_i(read_line), .room_t_o(ans_room_t),
    .room_d_o(ans_room_d), .fill2_i(fill2_q), .fill_which_i(fill_q), .fill_waited_i(fill_waited),
    .new_i(new_line), .serving_o(serving), .serve_which_o(serve_which), .served_o(served),
    .serve_data_i(serve_data), .serve_beat_i(serve_beat), .serve_id_i(serve_id),
    .serve_last_i(serve_last), .serve_end_o(serve_end), .around_i(outcome == AROUND),
    .around_room_o(around_room), .back_i(back_valid_i && back_around),
    .back_id_i(back_id[TIdW-1:0]), .back_data_i, .t_rsp_valid_o, .t_rsp_ready_i, .t_rsp_id_o,
    .t_rsp_data_o, .d_rsp_valid_o, .d_rsp_ready_i, .d_rsp_id_o, .d_rsp_data_o
  );
  logic             writeback_q;
  logic [LineW-1:0] wb_line_q;
  always_ff @(posedge clk_i) begin
    if (fill1_q) begin
      writeback_q      <= victim_dirty;
      wb_line_q <= victim_line;
    end
  end
  gmmu_cache_memory #(.LineB(LineB), .PieceB(PieceB), .LineW(LineW), .Mshrs(Mshrs),
      .MemSlots(MemSlots), .TIdW(TIdW), .AppW(AppW)) u_memory (
    .clk_i, .rst_ni, .t_room_o(tq_room),
    .t_push_i(outcome == AROUND || outcome == PTE_WRITE || (alloc && !b_data)),
    .t_line_i(t_line), .t_beat_i(t_beat), .t_around_i(outcome == AROUND), .t_fetch_i(alloc),
    .t_we_i(t_we), .t_word_i(t_word), .t_wdata_i(t_wdata),
    .t_id_i(alloc ? IdW'(free_which) : IdW'(t_id)),
    .fetch_push_i(alloc && b_data && !full), .fetch_line_i(d_line), .fetch_app_i(d_app),
    .fetch_id_i(free_which), .wb_room_o(wb_room), .wb_push_i(fill2_q && writeback_q),
    .wb_line_i(wb_line_q), .wb_app_i(fill_app), .wb_data_i(read_line),
    .tm_valid_o, .tm_ready_i, .tm_line_o, .tm_beat_o, .tm_we_o, .tm_mask_o, .tm_data_o, .tm_id_o,
    .dm_valid_o, .dm_ready_i, .dm_line_o, .dm_beat_o, .dm_we_o, .dm_data_o, .dm_app_o, .dm_id_o
  );

  assign obs_o = {victim, victim_dirty, fill1_q, hit_way, outcome, b_data, b_valid_q};

  `GMMU_ASSERT(cache_bank_not_both, !(b_valid_q && pending && hit))
endmodule
`default_nettype wire
