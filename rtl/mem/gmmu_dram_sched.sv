// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_sched: address-space-aware DRAM scheduler of one channel: golden, silver and normal
// queue, one command a cycle, with two_i up to two. Rules: docs/dram_sched.md. Source: MASK section
// 5.4.
//
// Inputs: valid/ready, translations (t_) and data (d_), whose ready is for d_app_i. Output, in the
// same cycle as the choice: the commands for the controller, on whose ready and row ports it is
// based; the payload of a column command one cycle later.
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
  // controller
  input  logic [7:0]           open_i,
  input  logic [8*RowW-1:0]    open_row_i,
  input  logic [7:0]           act_ok_i,
  input  logic [7:0]           pre_ok_i,
  input  logic [7:0]           rd_ok_i,
  input  logic [7:0]           wr_ok_i,
  input  logic                 two_i,       // a column and a row command may go in this cycle
  input  logic                 prea_i,      // the controller closes all banks in this cycle
  output logic [2:0]           cmd_o,       // 0 none, 1 ACT, 2 PRE, 3 read, 4 write
  output logic [2:0]           bank_o,
  output logic [ColW-1:0]      col_o,
  output logic                 ap_o,
  output logic [1:0]           also_o,      // beside a column: 0 none, 1 ACT, 2 PRE
  output logic [2:0]           also_bank_o,
  output logic [RowW-1:0]      row_o,       // of an ACT
  output logic [PayloadW-1:0]  payload_o,   // one cycle later
  // observation: {quota, app of the next turn, turn passed, next turn found, home of what entered
  // (0 none, 1 normal, 2 silver, 3 golden), highest class}
  output logic [15+AppW:0]     obs_o
);
  localparam int ArrayN = SilverEntries + NormalEntries;
  localparam int Slots  = ArrayN + GoldenEntries;
  localparam int SlotW  = gmmu_pkg::idx_w(Slots);
  localparam int ArrW   = $clog2(ArrayN + 1);
  localparam int GolW   = $clog2(GoldenEntries + 1);
  localparam int ReqW   = 3 + RowW + ColW + 1 + PayloadW;

  if (GoldenEntries < 1 || GoldenEntries > 64 || SilverEntries < 1 || NormalEntries < 1 ||
      ArrayN > 512) begin : gen_bad
    gmmu_dram_sched_entries_out_of_range u_bad();
  end

  // In front of the queues: a FIFO of translations, a buffer of data.
  logic            t_have, d_may, d_silver, t_pop, d_pop, turn, silver_room, normal_room;
  logic [1:0]      t_count;
  logic [ReqW-1:0] t_req, d_req, in_req;
  logic [AppW-1:0] turn_app;
  gmmu_fifo #(.Width(ReqW), .Depth(2)) u_t (
    .clk_i, .rst_ni, .push_i(t_valid_i && t_ready_o),
    .data_i({t_bank_i, t_row_i, t_col_i, t_we_i, t_payload_i}),
    .pop_i(t_pop), .valid_o(t_have), .data_o(t_req), .count_o(t_count)
  );
  assign t_ready_o = !t_count[1];
  gmmu_dram_input #(.AppW(AppW), .LineW(3 + RowW + ColW), .ReqW(ReqW)) u_d (
    .clk_i, .rst_ni, .valid_i(d_valid_i), .ready_o(d_ready_o), .app_i(d_app_i),
    .req_i({d_bank_i, d_row_i, d_col_i, d_we_i, d_payload_i}),
    .turn_i(turn), .turn_app_i(turn_app),
    .silver_room_i(silver_room), .normal_room_i(normal_room),
    .valid_o(d_may), .silver_o(d_silver), .req_o(d_req), .pop_i(d_pop)
  );

  // Which request enters, and where.
  logic [ArrW-1:0]     count, silver_count;
  logic [GolW-1:0]     golden_count;
  logic                golden_room, try_t, try_d, put, put_array, put_golden, put_silver, blocked;
  logic [4:0]          clash_a, clash_g;
  logic [5:0]          clashes;
  logic [2:0]          in_bank;
  logic [RowW-1:0]     in_row, in_open_row;
  logic [ColW-1:0]     in_col;
  logic                in_we, in_hit, in_opens;
  logic [PayloadW-1:0] in_payload;
  assign golden_room = Aware ? golden_count != GolW'(GoldenEntries) : normal_room;
  assign silver_room = silver_count != ArrW'(SilverEntries);
  assign normal_room = Aware ? count - silver_count != ArrW'(NormalEntries)
      : count != ArrW'(ArrayN);
  assign try_t       = t_have && golden_room;
  assign try_d       = !try_t && d_may;
  assign in_req      = try_t ? t_req : d_req;
  assign {in_bank, in_row, in_col, in_we, in_payload} = in_req;
  assign clashes     = 6'(clash_a) + 6'(clash_g);
  assign blocked     = clashes > 6'd15;
  assign put         = (try_t || try_d) && !blocked;
  assign t_pop       = try_t && !blocked;
  assign d_pop       = try_d && !blocked;
  assign put_golden  = t_pop && Aware;
  assign put_array   = put && !put_golden;
  assign put_silver  = d_pop && d_silver;

  // The first command, class by class; the first column and the first row command.
  logic [2:0]       next_ready, golden_ready, silver_ready, normal_ready;
  logic [7:0]       next_bank, golden_banks, close;
  logic [11:0]      ready, chosen, cols, rows, picks;
  logic             col_first, both, col, act, pre, more_a, more_g;
  logic [2:0]       bank_a, bank_g, col_bank, row_bank_a, row_bank_g, row_bank;
  logic [RowW-1:0]  row_a, row_g;
  logic [ColW-1:0]  col_a, col_g;
  logic             we_a, we_g, we, from_golden, row_golden;
  logic [SlotW-1:0] slot_a, slot_g, slot, put_slot;
  assign ready  = {normal_ready, silver_ready, golden_ready, next_ready};
  assign chosen = ready & (~ready + 12'd1);
  assign cols   = ready & {4{3'b001}};
  assign rows   = ready & {4{3'b110}};
  assign picks  = (cols & (~cols + 12'd1)) | (rows & (~rows + 12'd1));
  assign from_golden = picks[3];
  assign row_golden  = |picks[5:4];
  assign col_bank = from_golden ? bank_g : bank_a;
  assign row_bank = row_golden ? row_bank_g : row_bank_a;
  assign row_o    = row_golden ? row_g : row_a;
  assign col_o    = from_golden ? col_g : col_a;
  assign we       = from_golden ? we_g : we_a;
  assign slot     = from_golden ? slot_g : slot_a;
  assign col_first = |(chosen & {4{3'b001}});
  assign both   = two_i && col_bank != row_bank;
  assign col    = col_first || (both && cols != '0);
  assign act    = |(picks & {4{3'b010}}) && (!col_first || both);
  assign pre    = |(picks & {4{3'b100}}) && (!col_first || both);
  assign ap_o   = ClosedRow && col && !more_a && !more_g;
  assign cmd_o  = col ? (we ? 3'd4 : 3'd3) : pre ? 3'd2 : {2'd0, act};
  assign bank_o = col ? col_bank : row_bank;
  assign also_o = {2{col}} & {pre, act};
  assign also_bank_o = row_bank;
  assign close  = prea_i ? 8'hff
      : ((8'd1 << row_bank) & {8{pre}}) | ((8'd1 << col_bank) & {8{ap_o}});

  // Is the newcomer's row open once this cycle is over?
  assign in_opens    = act && row_bank == in_bank;
  assign in_open_row = in_opens ? row_o : open_row_i[in_bank*RowW +: RowW];
  assign in_hit = in_open_row == in_row && (open_i[in_bank] || in_opens) && !close[in_bank];

  logic        older;
  logic [13:0] tick_q;
  assign older = age_cap_i[15:2] != '0 && tick_q + 14'd1 >= age_cap_i[15:2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || older || age_cap_i[15:2] == '0) tick_q <= '0;
    else tick_q <= tick_q + 1'b1;
  end

  gmmu_dram_queue #(.Entries(ArrayN), .Fifo(1'b0), .KeepRows(KeepRows), .RowW(RowW), .ColW(ColW),
      .SlotW(SlotW)) u_array (
    .clk_i, .rst_ni, .put_i(put_array), .line_bank_i(in_bank), .line_row_i(in_row),
    .line_col_i(in_col), .line_we_i(in_we),
    .put_silver_i(put_silver), .put_hit_i(in_hit), .put_waits_i(clashes[3:0]),
    .put_slot_i(put_slot), .conflicts_o(clash_a),
    .need_i(put_golden && clashes != '0), .to_silver_i(put_silver && clashes != '0),
    .silver_count_o(silver_count), .count_o(count),
    .open_i, .act_ok_i, .pre_ok_i, .rd_ok_i, .wr_ok_i, .claimed_i(golden_banks),
    .next_bank_o(next_bank), .banks_o(),
    .next_ready_o(next_ready), .high_ready_o(silver_ready), .low_ready_o(normal_ready),
    .grant_i({picks[11:6], picks[2:0]}),
    .bank_o(bank_a), .col_o(col_a), .we_o(we_a), .slot_o(slot_a), .more_hits_o(more_a),
    .row_bank_o(row_bank_a), .row_o(row_a),
    .col_i(col), .left_bank_i(col_bank), .left_col_i(col_o), .left_we_i(we), .act_i(act),
    .act_bank_i(row_bank), .act_row_i(row_o), .close_i(close), .older_i(older)
  );
  gmmu_dram_queue #(.Entries(GoldenEntries), .Fifo(1'b1), .RowW(RowW), .ColW(ColW),
      .SlotW(SlotW)) u_golden (
    .clk_i, .rst_ni, .put_i(put_golden), .line_bank_i(in_bank), .line_row_i(in_row),
    .line_col_i(in_col), .line_we_i(in_we),
    .put_silver_i(1'b0), .put_hit_i(in_hit), .put_waits_i(clashes[3:0]), .put_slot_i(put_slot),
    .conflicts_o(clash_g),
    .need_i(1'b0), .to_silver_i(1'b0), .silver_count_o(), .count_o(golden_count),
    .open_i, .act_ok_i, .pre_ok_i, .rd_ok_i, .wr_ok_i, .claimed_i(next_bank), .next_bank_o(),
    .banks_o(golden_banks),
    .next_ready_o(), .high_ready_o(golden_ready), .low_ready_o(),
    .grant_i({3'd0, picks[5:3], 3'd0}),
    .bank_o(bank_g), .col_o(col_g), .we_o(we_g), .slot_o(slot_g), .more_hits_o(more_g),
    .row_bank_o(row_bank_g), .row_o(row_g),
    .col_i(col), .left_bank_i(col_bank), .left_col_i(col_o), .left_we_i(we), .act_i(act),
    .act_bank_i(row_bank), .act_row_i(row_o), .close_i(close), .older_i(1'b0)
  );

  if (Aware) begin : gen_turn
    logic            found, passed;
    logic [AppW-1:0] next_app;
    logic [9:0]      quota;
    gmmu_dram_turn #(.NumApps(NumApps)) u_turn (
      .clk_i, .rst_ni, .apps_i, .quota_max_i, .turn_timeout_i, .epoch_i, .con_i, .warps_i,
      .entered_i(put_silver), .turn_o(turn), .app_o(turn_app),
      .obs_found_o(found), .obs_passed_o(passed), .obs_app_o(next_app), .obs_quota_o(quota)
    );
    assign obs_o[15+AppW:4] = {quota, next_app, passed, found};
  end else begin : gen_no_turn
    assign turn     = 1'b0;
    assign turn_app = '0;
    assign obs_o[15+AppW:4] = '0;
  end
  assign obs_o[3:2] = put_golden ? 2'd3 : put_silver ? 2'd2 : {1'b0, put};
  assign obs_o[1:0] = |chosen[2:0] ? 2'd3 : |chosen[5:3] ? 2'd2 : {1'b0, |chosen[8:6]};

  // Payloads, in the slot that the request holds until its column command.
  logic [Slots-1:0] used_q, free_first;
  localparam int N = Slots;
  `include "gmmu_first.svh"
  assign free_first = first(~used_q);
  always_comb begin
    put_slot = '0;
    for (int i = 0; i < Slots; i++) put_slot = put_slot | (SlotW'(i) & {SlotW{free_first[i]}});
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) used_q <= '0;
    else used_q <= (used_q | (free_first & {Slots{put}})) & ~(Slots'(col) << slot);
  end
  gmmu_ram #(.Width(PayloadW), .Depth(Slots)) u_payload (
    .clk_i, .we_i(put), .waddr_i(put_slot), .wdata_i(in_payload), .re_i(col), .raddr_i(slot),
    .rdata_o(payload_o)
  );

endmodule
`default_nettype wire
