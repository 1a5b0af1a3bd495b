// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_queue: requests of one DRAM channel in order of age, and the commands they ask for.
// Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// Fifo=0: silver and normal requests, three classes (next, silver, normal). Fifo=1: translations,
// columns in order.
// Entry 0 is the oldest; the entries above one that leaves move down by one. Fields are kept
// bit-sliced, one vector of Entries bits per bit of a field, so that a rule is a few operations on
// vectors.
// Per cycle, on what the registers hold: what each class has ready, the column and the row command
// that grant_i picks, the conflicts of the probed line. Together at its end: one entry leaves, one
// enters, rows open and close.
// Legal: Entries 1..512, RowW and ColW at least 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_queue #(
  parameter int Entries = 256,
  parameter bit Fifo    = 1'b0,
  parameter bit KeepRows = 1'b0, // silver precharges no row that a normal request asks for
  parameter int RowW    = 16,
  parameter int ColW    = 6,
  parameter int SlotW   = 9,
  localparam int CntW   = $clog2(Entries + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // a request enters; its line is probed whether it enters or not
  input  logic             put_i,
  input  logic [2:0]       line_bank_i,
  input  logic [RowW-1:0]  line_row_i,
  input  logic [ColW-1:0]  line_col_i,
  input  logic             line_we_i,
  input  logic             put_silver_i,
  input  logic             put_hit_i,      // its row is open once this cycle is over
  input  logic [3:0]       put_waits_i,
  input  logic [SlotW-1:0] put_slot_i,
  // requests that the probed one would wait for, 16: or more
  output logic [4:0]       conflicts_o,
  // the requests to the probed line inherit: needed by a translation,
  input  logic             need_i,
  input  logic             to_silver_i,    // or class silver
  output logic [CntW-1:0]  silver_count_o, // by home
  output logic [CntW-1:0]  count_o,
  // banks
  input  logic [7:0]       open_i,
  input  logic [7:0]       act_ok_i,
  input  logic [7:0]       pre_ok_i,
  input  logic [7:0]       rd_ok_i,
  input  logic [7:0]       wr_ok_i,
  input  logic [7:0]       claimed_i,      // banks that a higher class asks for; Fifo=0: golden's
  output logic [7:0]       next_bank_o,
  output logic [7:0]       banks_o,        // Fifo=1: banks asked for
  output logic [2:0]       next_ready_o,   // {PRE, ACT, column}
  output logic [2:0]       high_ready_o,   // silver; Fifo=1: golden
  output logic [2:0]       low_ready_o,
  // choice, a column and a row command at most: {low, high, next} x {PRE, ACT, column}
  input  logic [8:0]       grant_i,
  output logic [2:0]       bank_o,         // of the column
  output logic [ColW-1:0]  col_o,
  output logic             we_o,
  output logic [SlotW-1:0] slot_o,
  output logic             more_hits_o,    // another request is for the open row of left_bank_i
  output logic [2:0]       row_bank_o,     // of ACT or PRE
  output logic [RowW-1:0]  row_o,
  // effects of the commands given, of whichever queue
  input  logic             col_i,          // a column of left_bank_i's open row is served
  input  logic [2:0]       left_bank_i,
  input  logic [ColW-1:0]  left_col_i,
  input  logic             left_we_i,
  input  logic             act_i,          // row act_row_i of act_bank_i opens
  input  logic [2:0]       act_bank_i,
  input  logic [RowW-1:0]  act_row_i,
  input  logic [7:0]       close_i,
  input  logic             older_i         // all requests get one older
);
  localparam int N = Entries;

  if (Entries < 1 || Entries > 512) begin : gen_bad
    gmmu_dram_queue_Entries_must_be_1_to_512 u_bad();
  end

  logic [3*N-1:0]     bank_q;
  logic [RowW*N-1:0]  row_q;
  logic [ColW*N-1:0]  col_q;
  logic [SlotW*N-1:0] slot_q;
  logic [4*N-1:0]     waits_q, waits_d;
  logic [3*N-1:0]     age_q, age_d;
  logic [N-1:0]       valid_q, write_q, silver_q, home_q, need_q, hit_q, silver_d, need_d, hit_d;
  logic [8*N-1:0]     at_bank; // per bank, its entries
  logic [N-1:0]       asks, is_old, urgent, next, sel_col, sel_row, line, clash, leaving, left;
  logic [N-1:0]       keep, put_at, col_ok, act_ok, pre_ok, free_bank, at_left, opened, closed;

  `include "gmmu_first.svh"

  // Entries of banks with their bit set; banks of entries with theirs. `at` is an argument: an
  // assignment is not evaluated again for what a function reads from its module.
  function automatic logic [N-1:0] of_banks(input logic [7:0] b, input logic [8*N-1:0] at);
    begin
      of_banks = '0;
      for (int k = 0; k < 8; k++) of_banks = of_banks | (at[k*N +: N] & {N{b[k]}});
    end
  endfunction

  function automatic logic [7:0] banks_of(input logic [N-1:0] v, input logic [8*N-1:0] at);
    begin
      for (int k = 0; k < 8; k++) banks_of[k] = |(v & at[k*N +: N]);
    end
  endfunction

  function automatic logic [N-1:0] shifted(input logic [N-1:0] v, input logic [N-1:0] stay,
      input logic [N-1:0] put, input logic b);
    logic [N:0] all;
    begin
      all     = {1'b0, v};
      shifted = (v & stay) | (all[N:1] & ~stay);
      shifted = (shifted & ~put) | (put & {N{b}});
    end
  endfunction

  always_comb begin
    for (int k = 0; k < 8; k++)
      at_bank[k*N +: N] = valid_q & ~(bank_q[2*N +: N] ^ {N{1'(k >> 2)}}) &
          ~(bank_q[N +: N] ^ {N{1'(k >> 1)}}) & ~(bank_q[0 +: N] ^ {N{1'(k)}});
  end

  // What each request asks for, and whether its bank is ready for it.
  assign asks   = valid_q & ~(waits_q[0 +: N] | waits_q[N +: N] | waits_q[2*N +: N] |
      waits_q[3*N +: N]);
  assign is_old = age_q[2*N +: N] & age_q[0 +: N]; // 5
  assign col_ok = asks & hit_q &
      ((of_banks(rd_ok_i, at_bank) & ~write_q) | (of_banks(wr_ok_i, at_bank) & write_q));
  assign act_ok = asks & ~hit_q & of_banks(act_ok_i & ~open_i, at_bank);
  assign pre_ok = asks & ~hit_q & of_banks(pre_ok_i & open_i, at_bank);

  if (Fifo) begin : gen_fifo
    // Columns: the oldest that asks. Rows: the oldest of each bank.
    logic [N-1:0] head, mine;
    assign head = first(asks);
    assign mine = (first(asks & at_bank[0*N +: N]) | first(asks & at_bank[1*N +: N]) |
        first(asks & at_bank[2*N +: N]) | first(asks & at_bank[3*N +: N]) |
        first(asks & at_bank[4*N +: N]) | first(asks & at_bank[5*N +: N]) |
        first(asks & at_bank[6*N +: N]) | first(asks & at_bank[7*N +: N])) & free_bank;
    assign urgent       = '0;
    assign next         = '0;
    assign free_bank    = ~of_banks(claimed_i, at_bank);
    assign next_bank_o  = '0;
    assign banks_o      = banks_of(asks, at_bank);
    assign next_ready_o = '0;
    assign high_ready_o = {|(pre_ok & mine), |(act_ok & mine), |(col_ok & head)};
    assign low_ready_o  = '0;
    assign sel_col = col_ok & head & {N{grant_i[3]}};
    assign sel_row = first((act_ok & mine & {N{grant_i[4]}}) | (pre_ok & mine & {N{grant_i[5]}}));
    assign silver_count_o = '0;
  end else begin : gen_classes
    logic [N-1:0] silver, normal, free_low, close_silver, close_normal;
    logic [7:0]   silver_hits, normal_hits;
    // A class leaves alone the banks that those above it want, and closes no row that it hits.
    assign urgent      = need_q | is_old;
    assign next        = first(asks & urgent);
    assign next_bank_o = banks_of(next, at_bank);
    assign banks_o     = '0;
    assign silver      = silver_q;
    assign normal      = ~silver_q;
    assign silver_hits = banks_of(asks & hit_q & silver, at_bank);
    assign normal_hits = banks_of(asks & hit_q & normal, at_bank);
    assign free_bank   = ~of_banks(claimed_i | next_bank_o, at_bank);
    assign free_low    = free_bank & ~of_banks(banks_of(asks & silver, at_bank), at_bank);
    assign close_silver = pre_ok & silver & free_bank &
        ~of_banks(silver_hits | (normal_hits & {8{KeepRows}}), at_bank);
    assign close_normal = pre_ok & normal & free_low & ~of_banks(normal_hits, at_bank);
    assign next_ready_o = {|(pre_ok & next), |(act_ok & next), |(col_ok & next)};
    assign high_ready_o = {|close_silver, |(act_ok & silver & free_bank), |(col_ok & silver)};
    assign low_ready_o  = {|close_normal, |(act_ok & normal & free_low), |(col_ok & normal)};
    assign sel_col = first((next & {N{grant_i[0]}}) | (col_ok & silver & {N{grant_i[3]}}) |
        (col_ok & normal & {N{grant_i[6]}}));
    assign sel_row = first((next & {N{|grant_i[2:1]}}) |
        (act_ok & silver & free_bank & {N{grant_i[4]}}) | (close_silver & {N{grant_i[5]}}) |
        (act_ok & normal & free_low & {N{grant_i[7]}}) | (close_normal & {N{grant_i[8]}}));
    logic [CntW-1:0] silver_count_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) silver_count_q <= '0;
      else silver_count_q <= silver_count_q + CntW'(put_i && put_silver_i) -
          CntW'(|(leaving & home_q));
    end
    assign silver_count_o = silver_count_q;
  end

  always_comb begin
    for (int k = 0; k < 3; k++) bank_o[k] = |(sel_col & bank_q[k*N +: N]);
    for (int k = 0; k < ColW; k++) col_o[k] = |(sel_col & col_q[k*N +: N]);
    for (int k = 0; k < SlotW; k++) slot_o[k] = |(sel_col & slot_q[k*N +: N]);
    for (int k = 0; k < 3; k++) row_bank_o[k] = |(sel_row & bank_q[k*N +: N]);
    for (int k = 0; k < RowW; k++) row_o[k] = |(sel_row & row_q[k*N +: N]);
  end
  assign we_o        = |(sel_col & write_q);
  assign at_left     = of_banks(8'd1 << left_bank_i, at_bank);
  assign more_hits_o = |(at_left & hit_q & ~sel_col);

  // The entry that leaves, and those that wait for it.
  assign leaving = sel_col & {N{col_i}};
  always_comb begin
    left = at_left & hit_q & ~asks & {N{col_i}} & (write_q | {N{left_we_i}});
    for (int k = 0; k < ColW; k++) left = left & ~(col_q[k*N +: N] ^ {N{left_col_i[k]}});
  end

  // Requests to the probed line.
  always_comb begin
    line = of_banks(8'd1 << line_bank_i, at_bank) & ~leaving;
    for (int k = 0; k < RowW; k++) line = line & ~(row_q[k*N +: N] ^ {N{line_row_i[k]}});
    for (int k = 0; k < ColW; k++) line = line & ~(col_q[k*N +: N] ^ {N{line_col_i[k]}});
    clash = line & (write_q | {N{line_we_i}});
  end
  logic [CntW-1:0] clashes;
  gmmu_count #(.N(N)) u_clashes (.v_i(clash), .n_o(clashes));
  assign conflicts_o = 32'(clashes) > 16 ? 5'd16 : 5'(clashes);

  // Fields that change while a request stands in the queue.
  always_comb begin
    opened = of_banks(8'd1 << act_bank_i, at_bank) & {N{act_i}};
    for (int k = 0; k < RowW; k++) opened = opened & ~(row_q[k*N +: N] ^ {N{act_row_i[k]}});
  end
  assign closed   = of_banks(close_i, at_bank);
  assign hit_d    = (hit_q | opened) & ~closed;
  assign need_d   = need_q | (line & {N{need_i}});
  assign silver_d = silver_q | (line & {N{to_silver_i}});
  always_comb begin
    logic [N-1:0] b;
    b = left;
    for (int k = 0; k < 4; k++) begin
      waits_d[k*N +: N] = waits_q[k*N +: N] ^ b;
      b = b & ~waits_q[k*N +: N];
    end
    b = {N{older_i}} & ~is_old;
    for (int k = 0; k < 3; k++) begin
      age_d[k*N +: N] = age_q[k*N +: N] ^ b;
      b = b & age_q[k*N +: N];
    end
  end

  logic [N:0] valid_down;   // one place further down
  assign valid_down = {1'b0, valid_q};

  // keep: below the entry that leaves. put_at: the first free place once it has left.
  always_comb begin
    keep = '1;
    if (|leaving) keep = leaving - N'(1);
    put_at = '0;
    if (put_i) put_at = first(~(|leaving ? valid_down[N:1] : valid_q));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      count_o <= '0;
    end else begin
      valid_q <= shifted(valid_q, keep, put_at, 1'b1);
      count_o <= count_o + CntW'(put_i) - CntW'(|leaving);
    end
  end
  always_ff @(posedge clk_i) begin
    write_q  <= shifted(write_q, keep, put_at, line_we_i);
    silver_q <= shifted(silver_d, keep, put_at, put_silver_i);
    home_q   <= shifted(home_q, keep, put_at, put_silver_i);
    need_q   <= shifted(need_d, keep, put_at, 1'b0);
    hit_q    <= shifted(hit_d, keep, put_at, put_hit_i);
    for (int k = 0; k < 3; k++) begin
      bank_q[k*N +: N] <= shifted(bank_q[k*N +: N], keep, put_at, line_bank_i[k]);
      age_q[k*N +: N]  <= shifted(age_d[k*N +: N], keep, put_at, 1'b0);
    end
    for (int k = 0; k < 4; k++)
        waits_q[k*N +: N] <= shifted(waits_d[k*N +: N], keep, put_at, put_waits_i[k]);
    for (int k = 0; k < RowW; k++)
        row_q[k*N +: N] <= shifted(row_q[k*N +: N], keep, put_at, line_row_i[k]);
    for (int k = 0; k < ColW; k++)
        col_q[k*N +: N] <= shifted(col_q[k*N +: N], keep, put_at, line_col_i[k]);
    for (int k = 0; k < SlotW; k++)
        slot_q[k*N +: N] <= shifted(slot_q[k*N +: N], keep, put_at, put_slot_i[k]);
  end

  `GMMU_ASSERT(dram_queue_room, !(put_i && valid_q[N-1] && leaving == '0))
  `GMMU_ASSERT(dram_queue_from_zero, (valid_q & (valid_q + N'(1))) == '0)
endmodule
`default_nettype wire
