// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_memory: what a bank of the L2 cache (gmmu_cache_bank) asks of memory, in pieces: the
// queue of translations (fetches of missing lines, reads that go around the cache, writes of PTEs),
// and that of data (fetches, and lines to be written back, which go first).
//
// A word pushed in cycle t is offered from t+1 on. room_*_o: state only. MemSlots words each, data
// fetches Mshrs.
`default_nettype none
module gmmu_cache_memory #(
  parameter int LineB    = 128,
  parameter int PieceB   = 64,
  parameter int LineW    = 34,
  parameter int Mshrs    = 64,
  parameter int MemSlots = 4,
  parameter int TIdW     = 6,
  parameter int AppW     = 3,
  localparam int Beats   = LineB < PieceB ? 1 : LineB / PieceB,
  localparam int MshrW   = gmmu_pkg::idx_w(Mshrs),
  localparam int IdW     = TIdW > MshrW ? TIdW : MshrW,
  localparam int MemIdW  = IdW + 2,
  localparam int LineBits  = LineB * 8,
  localparam int PieceBits = PieceB * 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // translations
  output logic                 t_room_o,
  input  logic                 t_push_i,
  input  logic [LineW-1:0]     t_line_i,
  input  logic                 t_beat_i,
  input  logic                 t_around_i,
  input  logic                 t_fetch_i,     // of a miss: all pieces
  input  logic                 t_we_i,
  input  logic [2:0]           t_word_i,
  input  logic [63:0]          t_wdata_i,
  input  logic [IdW-1:0]       t_id_i,
  // data
  input  logic                 fetch_push_i,
  input  logic [LineW-1:0]     fetch_line_i,
  input  logic [AppW-1:0]      fetch_app_i,
  input  logic [MshrW-1:0]     fetch_id_i,
  input  logic                 wb_comes_i,     // a place is promised
  output logic                 wb_room_o,
  input  logic                 wb_push_i,
  input  logic [LineW-1:0]     wb_line_i,
  input  logic [AppW-1:0]      wb_app_i,
  input  logic [LineBits-1:0]  wb_data_i,
  // to memory
  output logic                 tm_valid_o,
  input  logic                 tm_ready_i,
  output logic [LineW-1:0]     tm_line_o,
  output logic                 tm_beat_o,
  output logic                 tm_we_o,
  output logic [PieceB-1:0]    tm_mask_o,
  output logic [PieceBits-1:0] tm_data_o,
  output logic [MemIdW-1:0]    tm_id_o,
  output logic                 dm_valid_o,
  input  logic                 dm_ready_i,
  output logic [LineW-1:0]     dm_line_o,
  output logic                 dm_beat_o,
  output logic                 dm_we_o,
  output logic [PieceBits-1:0] dm_data_o,
  output logic [AppW-1:0]      dm_app_o,
  output logic [MemIdW-1:0]    dm_id_o
);
  // ---------------------------------------------------------------- translations
  localparam int MemCntW = $clog2(MemSlots + 1);
  logic [MemCntW-1:0] tq_count, wb_count;
  logic               tq_have, tq_pop, tm_fetch, tm_beat, tm_sent_q, tm_last;
  logic [2:0]         tm_word;
  logic [63:0]        tm_wdata;
  logic [IdW-1:0]     tm_id;
  logic               tm_around;
  gmmu_fifo #(.Width(LineW + 1 + 1 + 1 + 1 + 3 + 64 + IdW), .Depth(MemSlots), .Late(1)) u_tq (
    .clk_i, .rst_ni, .push_i(t_push_i),
    .data_i({t_line_i, t_beat_i, t_around_i, t_fetch_i, t_we_i, t_word_i, t_wdata_i, t_id_i}),
    .pop_i(tq_pop), .valid_o(tq_have),
    .data_o({tm_line_o, tm_beat, tm_around, tm_fetch, tm_we_o, tm_word, tm_wdata, tm_id}),
    .count_o(tq_count)
  );
  assign t_room_o    = tq_count != MemCntW'(MemSlots);
  assign tm_valid_o = tq_have;
  assign tm_beat_o  = tm_fetch ? tm_sent_q : tm_beat;
  assign tm_id_o    = {tm_around, tm_beat_o, tm_id};
  assign tm_last    = !tm_fetch || Beats == 1 || tm_sent_q;
  assign tq_pop     = tq_have && tm_ready_i && tm_last;
  assign tm_mask_o  = PieceB'(8'hff) << (tm_word * 8);
  assign tm_data_o  = {(PieceB/8){tm_wdata}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) tm_sent_q <= 1'b0;
    else if (tq_have && tm_ready_i) tm_sent_q <= !tm_last;
  end

  // ---------------------------------------------------------------- data
  logic                fetch_have, wb_have, wb_pop, fetch_pop, send_wb, held_q, f_sent_q, wb_sent_q,
      f_last, wb_last;
  logic [LineW-1:0]    fetch_line, wb_line;
  logic [AppW-1:0]     fetch_app, wb_app;
  logic [MshrW-1:0]    fetch_id;
  logic [LineBits-1:0] wb_data;
  gmmu_fifo #(.Width(LineW + AppW + MshrW), .Depth(Mshrs)) u_fetch (
    .clk_i, .rst_ni, .push_i(fetch_push_i), .data_i({fetch_line_i, fetch_app_i, fetch_id_i}),
    .pop_i(fetch_pop), .valid_o(fetch_have),
    .data_o({fetch_line, fetch_app, fetch_id}), .count_o()
  );
  gmmu_fifo #(.Width(LineW + AppW + LineBits), .Depth(MemSlots)) u_wb (
    .clk_i, .rst_ni, .push_i(wb_push_i), .data_i({wb_line_i, wb_app_i, wb_data_i}),
    .pop_i(wb_pop),
    .valid_o(wb_have), .data_o({wb_line, wb_app, wb_data}), .count_o(wb_count)
  );
  assign wb_room_o    = 32'(wb_count) + 32'(wb_comes_i) < MemSlots;
  assign send_wb    = wb_have && !held_q;
  assign dm_valid_o = send_wb || fetch_have;
  assign dm_we_o    = send_wb;
  assign dm_line_o  = send_wb ? wb_line : fetch_line;
  assign dm_app_o   = send_wb ? wb_app : fetch_app;
  assign dm_beat_o  = send_wb ? wb_sent_q : f_sent_q;
  assign dm_data_o  = Beats == 1 || !wb_sent_q ? wb_data[PieceBits-1:0]
      : wb_data[LineBits-1 -: PieceBits];
  assign dm_id_o    = {1'b0, dm_beat_o, IdW'(fetch_id)};
  assign wb_last    = Beats == 1 || wb_sent_q;
  assign f_last     = Beats == 1 || f_sent_q;
  assign wb_pop     = send_wb && dm_ready_i && wb_last;
  assign fetch_pop  = !send_wb && fetch_have && dm_ready_i && f_last;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q    <= 1'b0;
      wb_sent_q <= 1'b0;
      f_sent_q  <= 1'b0;
    end else begin
      held_q <= !send_wb && fetch_have && !dm_ready_i;
      if (send_wb && dm_ready_i) wb_sent_q <= !wb_last;
      if (!send_wb && fetch_have && dm_ready_i) f_sent_q <= !f_last;
    end
  end
endmodule
`default_nettype wire
