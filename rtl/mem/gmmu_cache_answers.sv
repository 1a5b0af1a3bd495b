// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_answers: answers of a bank of the L2 cache (gmmu_cache_bank): of hits, of the waiters
// of the line that was filled last (one a cycle, hits first), and of translations' reads that went
// around the cache. A queue for each port; an answer leaves Latency - 4 cycles after its push, or
// later.
//
// A hit is announced (hit_*_i, which may come late) in the cycle in which the lines are read; its
// line is in line_i in the next. room_*_o: a place is free and promised to nobody, nor kept for
// waiters that are being served; state only. Legal: Latency >= 5, all slots >= 1.
`default_nettype none
module gmmu_cache_answers #(
  parameter int LineB       = 128,
  parameter int PieceB      = 64,
  parameter int AnswerSlots = 16,
  parameter int BypassSlots = 8,
  parameter int Latency     = 10,
  parameter int TIdW        = 6,
  parameter int DIdW        = 12,
  localparam int Beats      = LineB < PieceB ? 1 : LineB / PieceB,
  localparam int WIdW       = TIdW > DIdW ? TIdW : DIdW,
  localparam int LineBits   = LineB * 8,
  localparam int PieceBits  = PieceB * 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // hits that are answered
  input  logic                 hit_t_i,
  input  logic                 hit_d_i,
  input  logic                 data_i,         // of the data port
  input  logic                 beat_i,
  input  logic [WIdW-1:0]      id_i,
  input  logic [LineBits-1:0]  line_i,
  output logic                 room_t_o,
  output logic                 room_d_o,
  // a line that was filled, and its waiters in turn
  input  logic                 fill_i,         // from the next cycle on they are served
  input  logic                 fill_waited_i,
  input  logic [LineBits-1:0]  new_i,          // the line; stays while serving_o
  output logic                 serving_o,
  input  logic                 serve_data_i,
  input  logic                 serve_beat_i,
  input  logic [WIdW-1:0]      serve_id_i,
  input  logic                 serve_last_i,
  output logic                 serve_next_o,   // it is served
  // reads that went around the cache
  input  logic                 around_i,       // one goes
  output logic                 around_room_o,
  input  logic                 back_i,         // one comes back
  input  logic [TIdW-1:0]      back_id_i,
  input  logic [PieceBits-1:0] back_data_i,
  // to the ports
  output logic                 t_rsp_valid_o,
  input  logic                 t_rsp_ready_i,
  output logic [TIdW-1:0]      t_rsp_id_o,
  output logic [PieceBits-1:0] t_rsp_data_o,
  output logic                 d_rsp_valid_o,
  input  logic                 d_rsp_ready_i,
  output logic [DIdW-1:0]      d_rsp_id_o,
  output logic [LineBits-1:0]  d_rsp_data_o
);
  // Serving the waiters of the line that was filled last.
  logic             d_valid_q, d_data_q, d_beat_q;
  logic [WIdW-1:0]  d_id_q;
  logic             serving_q;
  assign serving_o     = serving_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      serving_q <= 1'b0;
      d_valid_q <= 1'b0;
    end else begin
      d_valid_q <= hit_t_i || hit_d_i;
      if (fill_i) serving_q <= fill_waited_i;
      else if (serve_next_o && serve_last_i) serving_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    d_data_q <= data_i;
    d_beat_q <= beat_i;
    d_id_q   <= id_i;
  end

  // Queue of each port. used: places that hold an answer or are promised to a hit on its way.
  localparam int SlotW = $clog2(AnswerSlots + 1);
  logic [SlotW-1:0]     t_used_q, d_used_q;
  logic                 t_push, d_push, t_hit_push, d_hit_push, t_ripe, d_ripe, t_leave, d_leave,
      s_t, s_d;
  logic [PieceBits-1:0] t_push_data, t_ans_data, t_read_piece, t_serve_piece;
  logic [LineBits-1:0]  d_ans_data;
  logic [TIdW-1:0]      t_ans_id;
  logic [DIdW-1:0]      d_ans_id;
  logic                t_full, d_full;
  logic [SlotW-1:0]    t_used, d_used;     // but for the hit of this cycle
  assign t_full      = t_used_q == SlotW'(AnswerSlots);
  assign d_full      = d_used_q == SlotW'(AnswerSlots);
  assign room_t_o    = !t_full && !(serving_q && t_used_q == SlotW'(AnswerSlots - 1));
  assign room_d_o    = !d_full && !(serving_q && d_used_q == SlotW'(AnswerSlots - 1));
  assign t_hit_push  = d_valid_q && !d_data_q;
  assign d_hit_push  = d_valid_q && d_data_q;
  assign s_t         = serving_q && !serve_data_i && !t_hit_push && !t_full;
  assign s_d         = serving_q && serve_data_i && !d_hit_push && !d_full;
  assign t_used      = t_used_q + SlotW'(s_t) - SlotW'(t_leave);
  assign d_used      = d_used_q + SlotW'(s_d) - SlotW'(d_leave);
  assign serve_next_o = s_t || s_d;
  assign t_push      = t_hit_push || s_t;
  assign d_push      = d_hit_push || s_d;
  assign t_read_piece  = Beats == 1 || !d_beat_q ? line_i[PieceBits-1:0]
      : line_i[LineBits-1 -: PieceBits];
  assign t_serve_piece = Beats == 1 || !serve_beat_i ? new_i[PieceBits-1:0]
      : new_i[LineBits-1 -: PieceBits];
  assign t_push_data   = t_hit_push ? t_read_piece : t_serve_piece;
  gmmu_cache_answer_queue #(.Width(TIdW + PieceBits), .Slots(AnswerSlots),
      .Delay(Latency - 5)) u_t_answers (
    .clk_i, .rst_ni, .push_i(t_push),
    .data_i({t_hit_push ? d_id_q[TIdW-1:0] : serve_id_i[TIdW-1:0], t_push_data}),
    .pop_i(t_leave), .ripe_o(t_ripe), .data_o({t_ans_id, t_ans_data})
  );
  gmmu_cache_answer_queue #(.Width(DIdW + LineBits), .Slots(AnswerSlots),
      .Delay(Latency - 5)) u_d_answers (
    .clk_i, .rst_ni, .push_i(d_push),
    .data_i({d_hit_push ? d_id_q[DIdW-1:0] : serve_id_i[DIdW-1:0], d_hit_push ? line_i
    : new_i}),
    .pop_i(d_leave), .ripe_o(d_ripe), .data_o({d_ans_id, d_ans_data})
  );
  // Reads that went around the cache: their own queue, first at the port; an answer that is offered
  // stays.
  localparam int AroundW = $clog2(BypassSlots + 1);
  logic [AroundW-1:0]   around_used_q;
  logic                 around_have, around_leave, hold_q, from_around;
  logic [TIdW-1:0]      around_id;
  logic [PieceBits-1:0] around_data;
  gmmu_fifo #(.Width(TIdW + PieceBits), .Depth(BypassSlots)) u_around (
    .clk_i, .rst_ni, .push_i(back_i),
    .data_i({back_id_i, back_data_i}), .pop_i(around_leave),
    .valid_o(around_have), .data_o({around_id, around_data}), .count_o()
  );
  assign around_room_o   = around_used_q != AroundW'(BypassSlots);
  assign from_around   = around_have && !hold_q;
  assign t_rsp_valid_o = from_around || t_ripe;
  assign t_rsp_id_o    = from_around ? around_id : t_ans_id;
  assign t_rsp_data_o  = from_around ? around_data : t_ans_data;
  assign around_leave  = from_around && t_rsp_ready_i;
  assign t_leave       = !from_around && t_ripe && t_rsp_ready_i;
  assign d_rsp_valid_o = d_ripe;
  assign d_rsp_id_o    = d_ans_id;
  assign d_rsp_data_o  = d_ans_data;
  assign d_leave       = d_ripe && d_rsp_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      t_used_q      <= '0;
      d_used_q      <= '0;
      around_used_q <= '0;
      hold_q        <= 1'b0;
    end else begin
      t_used_q      <= hit_t_i ? t_used + SlotW'(1) : t_used;
      d_used_q      <= hit_d_i ? d_used + SlotW'(1) : d_used;
      around_used_q <= around_used_q + AroundW'(around_i) - AroundW'(around_leave);
      hold_q        <= t_rsp_valid_o && !t_rsp_ready_i && !from_around;
    end
  end
endmodule
`default_nettype wire
