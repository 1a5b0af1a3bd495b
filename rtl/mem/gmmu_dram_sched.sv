// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_sched: address-space-aware DRAM scheduler of one channel: golden, silver and normal
// queue, one command a cycle, with two_i up to two. Rules: docs/dram_sched.md. Source: MASK section
// 5.4.
//
// Inputs: valid/ready, translations (t_) and data (d_), whose ready is for d_app_i. A request takes
// one to four cycles to its queue; in each cycle a search begins, which three cycles later has
// commands standing ready. Out: those that go; a column's payload one cycle later.
// Legal: Golden 1..64, Silver and Normal 1..256 entries; age_cap_i: its lowest two bits do not
// count; see gmmu_dram_turn for the rest.
`default_nettype none
module gmmu_dram_sched #(
  parameter int GoldenEntries = 16,
  parameter int SilverEntries = 64,
  parameter int NormalEntries = 192,
  parameter bit Aware         = 1'b1,  // 0: plain FR-FCFS over all requests
  parameter bit ClosedRow     = 1'b0,
  parameter bit KeepRows      = 1'b0,  // silver precharges no row that a normal request asks for
  parameter int NumApps       = 8,
  parameter int RowW          = 16,
  parameter int ColW          = 6,
  parameter int PayloadW      = 16,
  localparam int AppW         = gmmu_pkg::idx_w(NumApps)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 t_valid_i,
  output logic                 t_ready_o,
  input  logic [2:0]           t_bank_i,
  input  logic [RowW-1:0]      t_row_i,
  input  logic [ColW-1:0]      t_col_i,
  input  logic                 t_we_i,
  input  logic [PayloadW-1:0]  t_payload_i,
  input  logic                 d_valid_i,
  output logic                 d_ready_o,
  input  logic [2:0]           d_bank_i,
  input  logic [RowW-1:0]      d_row_i,
  input  logic [ColW-1:0]      d_col_i,
  input  logic                 d_we_i,
  input  logic [AppW-1:0]      d_app_i,
  input  logic [PayloadW-1:0]  d_payload_i,
  // weights of the silver turns
  input  logic [AppW:0]        apps_i,
  input  logic [9:0]           quota_max_i,    // largest quota, 1..1023; 0: no silver turns
  input  logic [15:0]          turn_timeout_i, // 1..65535
  input  logic [15:0]          age_cap_i,      // 0: off; a multiple of 4
  input  logic                 epoch_i,
  input  logic [NumApps*6-1:0] con_i,
  input  logic [NumApps*6-1:0] warps_i,
  // controller: what may go in this cycle
  input  logic [7:0]           act_ok_i,
  input  logic [7:0]           pre_ok_i,
  input  logic [7:0]           rd_ok_i,
  input  logic [7:0]           wr_ok_i,
  input  logic                 two_i,       // a column and a row command may go in this cycle
  input  logic [7:0]           pre_soon_i,  // what is worth looking for
  input  logic [7:0]           rcd_soon_i,
  input  logic                 due_i,       // nothing more is chosen
  output logic                 idle_o,      // nothing that was chosen stands ready
  input  logic                 prea_i,      // in the cycle before the controller closed all banks
  output logic [2:0]           cmd_o,       // 0 none, 1 ACT, 2 PRE, 3 read, 4 write
  output logic [2:0]           bank_o,
  output logic [ColW-1:0]      col_o,
  output logic                 ap_o,
  output logic [1:0]           also_o,      // beside a column: 0 none, 1 ACT, 2 PRE
  output logic [2:0]           also_bank_o,
  output logic [7:0]           act_at_o,    // the same, a bit per bank
  output logic [7:0]           pre_at_o,
  output logic [7:0]           rd_at_o,
  output logic [7:0]           wr_at_o,
  output logic [RowW-1:0]      row_o,       // of an ACT
  output logic [PayloadW-1:0]  payload_o,   // one cycle later
  // observation: {quota, app of the next turn, turn passed, next turn found, home of what entered
  // (0 none, 1 normal, 2 silver, 3 golden), highest class}
  output logic [15+AppW:0]     obs_o
);
  localparam int ArrayN = SilverEntries + NormalEntries;
  localparam int All    = ArrayN + GoldenEntries;
  localparam int Slots  = All + 16 + 6; // 16 stand ready, six of gmmu_dram_slots
  localparam int SlotW  = gmmu_pkg::idx_w(Slots);
  localparam int ReqW   = 3 + RowW + ColW + 1 + PayloadW;

  if (GoldenEntries < 1 || GoldenEntries > 64 || SilverEntries < 1 || NormalEntries < 1 ||
      ArrayN > 512) begin : gen_bad
    gmmu_dram_sched_entries_out_of_range u_bad();
  end

  // In front of the queues: a FIFO of translations, a buffer of data.
  logic            t_have, d_may, d_silver, t_pop, d_pop, normal_room, turn, passes;
  logic            silver_soon, normal_soon, turn_soon;   // of the next cycle
  logic [1:0]      t_count;
  logic [ReqW-1:0] t_req, d_req;
  logic [AppW-1:0] turn_app, turn_next;
  // lines apart, as of a FIFO as wide as the payload Yosys makes a RAM
  gmmu_fifo #(.Width(ReqW - PayloadW), .Depth(2)) u_t_line (
    .clk_i, .rst_ni, .push_i(t_valid_i && t_ready_o), .data_i({t_bank_i, t_row_i, t_col_i, t_we_i}),
    .pop_i(t_pop), .valid_o(t_have), .data_o(t_req[ReqW-1:PayloadW]), .count_o(t_count)
  );
  gmmu_fifo #(.Width(PayloadW), .Depth(2)) u_t_payload (
    .clk_i, .rst_ni, .push_i(t_valid_i && t_ready_o), .data_i(t_payload_i), .pop_i(t_pop),
    .valid_o(), .data_o(t_req[PayloadW-1:0]), .count_o()
  );
  assign t_ready_o = !t_count[1];
  gmmu_dram_input #(.AppW(AppW), .LineW(3 + RowW + ColW), .ReqW(ReqW)) u_d (
    .clk_i, .rst_ni, .valid_i(d_valid_i), .ready_o(d_ready_o), .app_i(d_app_i),
    .req_i({d_bank_i, d_row_i, d_col_i, d_we_i, d_payload_i}),
    .turn_i(turn), .turn_app_i(turn_app), .turn_soon_i(turn_soon), .passes_i(passes),
    .next_app_i(turn_next), .silver_soon_i(silver_soon), .normal_soon_i(normal_soon),
    .valid_o(d_may), .silver_o(d_silver), .req_o(d_req), .pop_i(d_pop)
  );

  // Which request goes on its way to the queues.
  localparam int LineW = 3 + RowW + ColW;
  logic                golden_free, golden_room, try_t, try_d, put, put_golden, put_silver, move;
  logic [PayloadW-1:0] in_payload;
  logic [LineW:0]      in_line;   // and whether it is a write
  logic [SlotW-1:0]    in_slot;
  assign golden_room = Aware ? golden_free : normal_room;
  assign try_t       = t_have && golden_room;
  assign try_d       = !try_t && d_may;
  assign in_payload  = try_t ? t_req[PayloadW-1:0] : d_req[PayloadW-1:0];
  assign t_pop       = try_t && move;
  assign d_pop       = try_d && move;
  assign put_golden  = t_pop && Aware;
  assign put_silver  = d_pop && d_silver;

  // On the way: its line is probed as it is put, its conflicts are counted, it enters.
  logic [LineW:0]   enter_line, count_line, last_line;
  logic [SlotW-1:0] enter_slot;
  logic             put_same, count_same, enter, to_golden, to_silver, inherits;
  logic             from_last, from_put, free, less_a, less_g, left_a, left_g, some_a, some_g, left;
  logic [3:0]       waits, enter_group;
  logic [2:0]       row_bank, left_bank, act_bank, in_bank;
  localparam int PartAW = $clog2((ArrayN + 3) / 4 + 1);
  localparam int PartGW = $clog2((GoldenEntries + 3) / 4 + 1);
  logic [4*PartAW-1:0] clash_a;
  logic [4*PartGW-1:0] clash_g;
  gmmu_dram_way #(.Entries(All), .LineW(LineW), .SlotW(SlotW), .ArrW(PartAW), .GolW(PartGW)) u_way (
    .clk_i, .rst_ni, .t_i(try_t), .d_i(try_d), .t_line_i(t_req[ReqW-1:PayloadW]),
    .d_line_i(d_req[ReqW-1:PayloadW]), .line_o(in_line), .golden_i(put_golden),
    .silver_i(put_silver), .slot_i(in_slot), .left_i(left), .left_bank_i(left_bank), .move_o(move),
    .put_o(put), .count_line_o(count_line), .conflicts_a_i(clash_a), .conflicts_g_i(clash_g),
    .conflict_i(some_a || some_g), .one_less_i(less_a || less_g), .one_left_i(left_a || left_g),
    .last_line_o(last_line), .from_last_o(from_last), .from_put_o(from_put), .enter_o(enter),
    .enter_group_o(enter_group), .enter_line_o(enter_line), .enter_golden_o(to_golden),
    .enter_free_o(free), .enter_silver_o(to_silver), .enter_slot_o(enter_slot),
    .enter_waits_o(waits), .inherits_o(inherits), .put_same_o(put_same), .count_same_o(count_same)
  );

  // Payloads, in the slot that a request holds until its column command goes.
  logic             column;
  logic [SlotW-1:0] out_slot;
  gmmu_dram_slots #(.Slots(Slots)) u_slots (
    .clk_i, .rst_ni, .take_i(put), .slot_o(in_slot), .free_i(column), .free_slot_i(out_slot)
  );
  gmmu_ram #(.Width(PayloadW), .Depth(Slots)) u_payload (
    .clk_i, .we_i(put), .waddr_i(in_slot), .wdata_i(in_payload), .re_i(column),
    .raddr_i(out_slot), .rdata_o(payload_o)
  );

  // The searches.
  logic [1:0]  group1, group3, rd_may, wr_may, next_a, any_a, any_g, head_g;
  logic [1:0]  col_class, row_class, more_a, more_g, found_group;
  logic [17:0] kinds_a, kinds_g;
  logic [3:0]  full, col_pick;
  logic [7:0]  open, changes, close, more_cols, rows;
  logic [8:0]  row_banks;
  logic [2:0]  col_banks;
  logic        search, reads, writes, row_next, found_col, found_row, col_first, pre, col_gold;
  logic        row_gold;
  gmmu_dram_choice #(.KeepRows(KeepRows)) u_choice (
    .clk_i, .rst_ni, .valid_i(search), .group_i(group1), .open_i(open), .changes_i(changes), .due_i,
    .pre_soon_i, .rcd_soon_i, .full_i(full), .reads_i(reads), .writes_i(writes), .more_i(more_cols),
    .rows_i(rows), .kinds_a_i(kinds_a), .next_i(next_a), .any_silver_i(any_a),
    .kinds_g_i(kinds_g[11:6]), .any_g_i(any_g), .head_g_i(head_g), .rd_may_o(rd_may),
    .wr_may_o(wr_may), .col_pick_o(col_pick), .col_banks_o(col_banks), .row_banks_o(row_banks),
    .row_next_o(row_next), .group3_o(group3), .col_o(found_col), .row_o(found_row),
    .col_first_o(col_first), .pre_o(pre), .col_class_o(col_class), .col_gold_o(col_gold),
    .row_class_o(row_class), .row_gold_o(row_gold)
  );

  // Step 3, and the cycle after it.
  localparam int FoundW = ColW + SlotW + 3;
  localparam int PlaceW = ColW + SlotW + 2;
  logic              col, col_upper, second, second_upper, row, two_a, act, in_hit;
  logic              row_bank_a, row_bank_g, left_second, left_we, left_golden, left_silver;
  logic              found_second, pop, place;
  logic [FoundW-1:0] first_a, first_g, second_a;
  logic [PlaceW-1:0] col_place, second_place;
  logic [RowW-1:0]   row_a, row_g, row_row, of_row, in_row;
  logic [ColW-1:0]   left_col;
  assign in_bank  = enter_line[LineW -: 3];
  assign in_row   = enter_line[LineW-3 -: RowW];
  gmmu_dram_found #(.ClosedRow(ClosedRow), .RowW(RowW), .ColW(ColW), .SlotW(SlotW)) u_found (
    .clk_i, .rst_ni, .group_i(group3), .col_i(found_col), .row_i(found_row),
    .col_first_i(col_first), .pre_i(pre), .col_gold_i(col_gold), .row_gold_i(row_gold),
    .first_a_i(first_a), .first_g_i(first_g), .two_a_i(two_a), .second_a_i(second_a),
    .more_i(more_a | more_g), .row_bank_a_i(row_bank_a), .row_bank_g_i(row_bank_g), .row_a_i(row_a),
    .row_g_i(row_g), .col_o(col), .col_upper_o(col_upper), .col_place_o(col_place),
    .second_o(second), .second_upper_o(second_upper), .second_place_o(second_place), .row_o(row),
    .row_bank_o(row_bank), .row_row_o(row_row), .pop_o(pop), .place_o(place), .left_o(left),
    .left_second_o(left_second), .left_bank_o(left_bank), .left_col_o(left_col),
    .left_we_o(left_we), .left_golden_o(left_golden), .left_silver_o(left_silver),
    .found_second_o(found_second), .found_group_o(found_group), .prea_i, .act_o(act),
    .act_bank_o(act_bank), .of_row_o(of_row), .close_o(close), .changes_o(changes), .open_o(open),
    .in_last_i(from_last), .in_put_i(from_put), .in_t_i(try_t), .in_i({t_req[ReqW-1 -: 3+RowW],
    d_req[ReqW-1 -: 3+RowW], last_line[LineW -: 3+RowW], count_line[LineW -: 3+RowW]}),
    .in_hit_o(in_hit)
  );

  gmmu_dram_groups #(.Requests(All)) u_groups (
    .clk_i, .rst_ni, .enter_i(enter_group), .found_i(left && !left_second),
    .second_i(found_second), .found_group_i(found_group), .valid_o(search), .group_o(group1)
  );

  // Places, also of those on the way.
  gmmu_dram_places #(.Places(GoldenEntries)) u_golden_places (
    .clk_i, .rst_ni, .put_i(put_golden), .left_i(left && left_golden), .room_next_o(),
    .room_o(golden_free)
  );
  gmmu_dram_places #(.Places(SilverEntries)) u_silver_places (
    .clk_i, .rst_ni, .put_i(put_silver), .left_i(left && left_silver),
    .room_next_o(silver_soon), .room_o()
  );
  gmmu_dram_places #(.Places(Aware ? NormalEntries : ArrayN)) u_normal_places (
    .clk_i, .rst_ni, .put_i(put && !put_golden && !put_silver),
    .left_i(left && !left_golden && !left_silver), .room_next_o(normal_soon), .room_o(normal_room)
  );

  logic        older;
  logic [13:0] tick_q;
  assign older = age_cap_i[15:2] != '0 && tick_q + 14'd1 >= age_cap_i[15:2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || older || age_cap_i[15:2] == '0) tick_q <= '0;
    else tick_q <= tick_q + 1'b1;
  end

  gmmu_dram_queue #(.Entries(GoldenEntries), .Fifo(1'b1), .RowW(RowW), .ColW(ColW), .SlotW(SlotW)
  ) u_golden (
    .clk_i, .rst_ni, .move_i(move), .probe_bank_i(in_line[LineW -: 3]),
    .probe_row_i(in_line[LineW-3 -: RowW]), .probe_col_i(in_line[ColW:1]), .probe_we_i(in_line[0]),
    .count_we_i(count_line[0]), .conflicts_o(clash_g), .conflict_o(some_g), .one_less_o(less_g),
    .one_left_o(left_g), .put_i(enter && to_golden), .put_bank_i(in_bank), .put_row_i(in_row),
    .put_col_i(enter_line[ColW:1]), .put_we_i(enter_line[0]), .put_slot_i(enter_slot),
    .put_silver_i(1'b0), .put_hit_i(in_hit), .put_waits_i(waits), .put_free_i(free),
    .probe_same_i(put_same), .count_same_i(count_same), .need_i(1'b0), .to_silver_i(1'b0),
    .group_i(group1), .rd_may_i(rd_may), .wr_may_i(wr_may), .kinds_o(kinds_g), .next_o(),
    .any_o(any_g), .head_o(head_g), .pick_col_i({1'b0, col_pick[1], 1'b0}), .col_banks_i(3'b100),
    .row_banks_i({3'd0, row_banks[2:0]}), .row_next_i(1'b0), .found_group_i(group3),
    .take_i(col && col_gold), .take_second_i(1'b0), .first_o(first_g), .second_valid_o(),
    .second_o(), .more_hits_o(more_g), .row_bank_o(row_bank_g), .row_o(row_g), .place_i(1'b0),
    .pop_i(1'b0), .left_i(left), .left_second_i(left_second), .left_bank_i(left_bank),
    .left_col_i(left_col), .left_we_i(left_we), .act_i(act), .act_bank_i(act_bank),
    .of_row_i(of_row), .close_i(close), .older_i(1'b0)
  );
  gmmu_dram_queue #(.Entries(ArrayN), .Fifo(1'b0), .RowW(RowW), .ColW(ColW), .SlotW(SlotW)
  ) u_array (
    .clk_i, .rst_ni, .move_i(move), .probe_bank_i(in_line[LineW -: 3]),
    .probe_row_i(in_line[LineW-3 -: RowW]), .probe_col_i(in_line[ColW:1]), .probe_we_i(in_line[0]),
    .count_we_i(count_line[0]), .conflicts_o(clash_a), .conflict_o(some_a), .one_less_o(less_a),
    .one_left_o(left_a), .put_i(enter && !to_golden), .put_bank_i(in_bank), .put_row_i(in_row),
    .put_col_i(enter_line[ColW:1]), .put_we_i(enter_line[0]), .put_slot_i(enter_slot),
    .put_silver_i(to_silver), .put_hit_i(in_hit), .put_waits_i(waits), .put_free_i(free),
    .probe_same_i(put_same), .count_same_i(count_same), .need_i(inherits && to_golden),
    .to_silver_i(inherits && to_silver), .group_i(group1), .rd_may_i(rd_may), .wr_may_i(wr_may),
    .kinds_o(kinds_a), .next_o(next_a), .any_o(any_a), .head_o(),
    .pick_col_i({col_pick[3:2], col_pick[0]}), .col_banks_i(col_banks),
    .row_banks_i(row_banks[8:3]), .row_next_i(row_next), .found_group_i(group3),
    .take_i(col && !col_gold), .take_second_i(second), .first_o(first_a), .second_valid_o(two_a),
    .second_o(second_a), .more_hits_o(more_a), .row_bank_o(row_bank_a), .row_o(row_a),
    .place_i(place), .pop_i(pop), .left_i(left), .left_second_i(left_second),
    .left_bank_i(left_bank), .left_col_i(left_col), .left_we_i(left_we), .act_i(act),
    .act_bank_i(act_bank), .of_row_i(of_row), .close_i(close), .older_i(older)
  );
  gmmu_dram_stands #(.RowW(RowW), .ColW(ColW), .SlotW(SlotW)) u_stands (
    .clk_i, .rst_ni, .put_col_i(col), .put_group_i(group3), .put_col_class_i(col_class),
    .put_col_upper_i(col_upper), .put_col_place_i(col_place), .put_second_i(second),
    .put_second_upper_i(second_upper), .put_second_place_i(second_place), .put_row_i(row),
    .put_row_class_i(row_class), .put_row_pre_i(pre), .put_row_bank_i(row_bank),
    .put_row_row_i(row_row), .act_ok_i, .pre_ok_i, .rd_ok_i, .wr_ok_i, .two_i, .cmd_o, .bank_o,
    .col_o, .ap_o, .also_o, .also_bank_o, .act_at_o, .pre_at_o, .rd_at_o, .wr_at_o, .row_o,
    .column_o(column), .slot_o(out_slot), .class_o(obs_o[1:0]), .full_o(full), .reads_o(reads),
    .writes_o(writes), .more_o(more_cols), .rows_o(rows), .none_o(idle_o)
  );
  if (Aware) begin : gen_turn
    gmmu_dram_turn #(.NumApps(NumApps)) u_turn (
      .clk_i, .rst_ni, .apps_i, .quota_max_i, .turn_timeout_i, .epoch_i, .con_i, .warps_i,
      .entered_i(put_silver), .turn_o(turn), .turn_soon_o(turn_soon), .app_o(turn_app),
      .passes_o(passes), .next_o(turn_next), .obs_found_o(obs_o[4]), .obs_app_o(obs_o[6 +: AppW]),
      .obs_quota_o(obs_o[15+AppW -: 10])
    );
    assign obs_o[5] = passes;
  end else begin : gen_no_turn
    assign {turn, turn_soon, passes, turn_app, turn_next} = '0;
    assign obs_o[15+AppW:4] = '0;
  end
  assign obs_o[3:2] = put_golden ? 2'd3 : put_silver ? 2'd2 : {1'b0, put};
endmodule
`default_nettype wire
