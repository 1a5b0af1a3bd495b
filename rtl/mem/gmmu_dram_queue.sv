// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_queue: requests of one DRAM channel in order of age, and the commands they ask for.
// Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// Fifo=0: silver and normal requests, three classes (next, silver, normal). Fifo=1: translations,
// columns in order.
// Entry 0 is the oldest. A request that was chosen is taken (step 4 of its search), leaves a cycle
// later, and the entries above it move down by one in the cycle after that. Fields are kept
// bit-sliced, one vector of Entries bits per bit of a field, so that a rule is a few operations on
// vectors.
// A newcomer's line is probed, its conflicts are counted a cycle later, and it enters after that.
// Legal: Entries 1..512, RowW and ColW at least 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_queue #(
  parameter int Entries = 256,
  parameter bit Fifo    = 1'b0,
  parameter int RowW    = 16,
  parameter int ColW    = 6,
  parameter int SlotW   = 9,
  localparam int CntW   = $clog2(Entries + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // newcomers: the probed one, the counted one, the one that enters if put_i
  input  logic             move_i,         // all go on by a place
  input  logic [2:0]       probe_bank_i,
  input  logic [RowW-1:0]  probe_row_i,
  input  logic [ColW-1:0]  probe_col_i,
  input  logic             count_we_i,
  output logic [CntW-1:0]  conflicts_o,    // of the counted one
  output logic             one_less_o,     // one that the entering one conflicts with leaves
  input  logic             put_i,
  input  logic [2:0]       put_bank_i,
  input  logic [RowW-1:0]  put_row_i,
  input  logic [ColW-1:0]  put_col_i,
  input  logic             put_we_i,
  input  logic [SlotW-1:0] put_slot_i,
  input  logic             put_silver_i,
  input  logic             put_hit_i,      // its row is open once this cycle is over
  input  logic [3:0]       put_waits_i,
  input  logic             probe_same_i,   // the probed one is for its line
  input  logic             count_same_i,   // the counted one is
  // the requests to the entering one's line inherit: needed by a translation,
  input  logic             need_i,
  input  logic             to_silver_i,    // or class silver
  // search: steps 1, 2 and 4
  input  logic [1:0]       group_i,
  output logic [17:0]      kinds_o,
  output logic [1:0]       any_o,
  input  logic [2:0]       pick_col_i,
  input  logic [2:0]       pick_row_i,
  input  logic [1:0]       rd_ok_i,
  input  logic [1:0]       wr_ok_i,
  input  logic [1:0]       row_ok_i,
  input  logic [1:0]       found_group_i,  // of the search in step 4
  input  logic             take_i,         // the column's request is taken
  output logic             bank_o,         // upper bit of the column's
  output logic [ColW-1:0]  col_o,
  output logic             we_o,
  output logic             home_o,         // silver
  output logic [SlotW-1:0] slot_o,
  output logic [1:0]       more_hits_o,    // another is for the open row of either bank
  output logic             row_bank_o,     // of ACT or PRE
  output logic [RowW-1:0]  row_o,
  // what was chosen a cycle ago, of whichever queue
  input  logic             left_i,         // a request leaves
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
  logic [N-1:0]       valid_q, taken_q, write_q, silver_q, home_q, need_q, hit_q;
  logic [N-1:0]       silver_d, need_d, hit_d;
  logic [8*N-1:0]     at_bank; // per bank, its entries
  logic [N-1:0]       asks, is_old, urgent, sel_col, sel_row, line, left, opened, closed, at_left;
  logic [N-1:0]       keep_q, leaving_q, gone, put_at, line2_q, line3_q, line2, line3, upper, found;
  logic [N:0]         top_q, top;   // the first free place
  logic               hole_q;       // an entry has left: those above it move down

  `include "gmmu_shift.svh"

  // Entries of banks with their bit set. `at` is an argument: an assignment is not evaluated again
  // for what a function reads from its module.
  function automatic logic [N-1:0] of_banks(input logic [7:0] b, input logic [8*N-1:0] at);
    begin
      of_banks = '0;
      for (int k = 0; k < 8; k++) of_banks = of_banks | (at[k*N +: N] & {N{b[k]}});
    end
  endfunction

  // The entries below that of a one-hot vector.
  function automatic logic [N-1:0] below(input logic [N-1:0] v);
    begin
      below = v >> 1;
      for (int s = 1; s < N; s = s * 2) below = below | (below >> s);
    end
  endfunction

  function automatic logic [N-1:0] next_of(input logic [N-1:0] v, input logic [N-1:0] keep,
      input logic [N-1:0] put, input logic b);
    begin
      next_of = (shifted(v, keep) & ~put) | (put & {N{b}});
    end
  endfunction

  always_comb begin
    for (int k = 0; k < 8; k++)
      at_bank[k*N +: N] = valid_q & ~(bank_q[2*N +: N] ^ {N{1'(k >> 2)}}) &
          ~(bank_q[N +: N] ^ {N{1'(k >> 1)}}) & ~(bank_q[0 +: N] ^ {N{1'(k)}});
  end

  // What is asked for.
  assign asks   = valid_q & ~taken_q & ~(waits_q[0 +: N] | waits_q[N +: N] | waits_q[2*N +: N] |
      waits_q[3*N +: N]);
  assign is_old = age_q[2*N +: N] & age_q[0 +: N]; // 5
  assign urgent = need_q | is_old;
  gmmu_dram_search #(.Entries(N), .Fifo(Fifo)) u_search (
    .clk_i, .rst_ni, .asks_i(asks), .hit_i(hit_q), .write_i(write_q), .silver_i(silver_q),
    .urgent_i(urgent), .bank_i(bank_q), .keep_i(keep_q), .group_i, .kinds_o, .any_o,
    .col_i(pick_col_i), .row_i(pick_row_i), .rd_ok_i, .wr_ok_i, .row_ok_i, .sel_col_o(sel_col), .sel_row_o(sel_row)
  );

  // Step 4: what was found.
  assign upper = bank_q[2*N +: N];
  always_comb begin
    for (int k = 0; k < ColW; k++) col_o[k] = |(sel_col & col_q[k*N +: N]);
    for (int k = 0; k < SlotW; k++) slot_o[k] = |(sel_col & slot_q[k*N +: N]);
    for (int k = 0; k < RowW; k++) row_o[k] = |(sel_row & row_q[k*N +: N]);
  end
  assign bank_o      = |(sel_col & upper);
  assign we_o        = |(sel_col & write_q);
  assign home_o      = |(sel_col & home_q);
  assign row_bank_o  = |(sel_row & upper);
  assign found       = valid_q & hit_q & ~sel_col &
      ~(bank_q[N +: N] ^ {N{found_group_i[1]}}) & ~(bank_q[0 +: N] ^ {N{found_group_i[0]}});
  assign more_hits_o = {|(found & upper), |(found & ~upper)};

  // A cycle later it leaves; those that wait for it.
  assign at_left = of_banks(8'd1 << left_bank_i, at_bank);
  always_comb begin
    left = at_left & hit_q & ~taken_q & ~asks & {N{left_i}} & (write_q | {N{left_we_i}});
    for (int k = 0; k < ColW; k++) left = left & ~(col_q[k*N +: N] ^ {N{left_col_i[k]}});
  end

  // Requests to the lines of newcomers.
  always_comb begin
    line = of_banks(8'd1 << probe_bank_i, at_bank) & ~leaving_q;
    for (int k = 0; k < RowW; k++) line = line & ~(row_q[k*N +: N] ^ {N{probe_row_i[k]}});
    for (int k = 0; k < ColW; k++) line = line & ~(col_q[k*N +: N] ^ {N{probe_col_i[k]}});
  end
  assign line2 = line2_q & ~leaving_q;
  assign line3 = line3_q & ~leaving_q;
  gmmu_count #(.N(N)) u_conflicts (.v_i(line2 & (write_q | {N{count_we_i}})), .n_o(conflicts_o));
  assign one_less_o = |(line3_q & leaving_q & (write_q | {N{put_we_i}}));
  always_ff @(posedge clk_i) begin
    line2_q <= next_of(move_i ? line : line2, keep_q, put_at, probe_same_i);
    line3_q <= next_of(move_i ? line2 : line3, keep_q, put_at, count_same_i);
  end

  // Fields that change while a request stands in the queue.
  always_comb begin
    opened = of_banks(8'd1 << act_bank_i, at_bank) & {N{act_i}};
    for (int k = 0; k < RowW; k++) opened = opened & ~(row_q[k*N +: N] ^ {N{act_row_i[k]}});
  end
  assign closed   = of_banks(close_i, at_bank);
  assign hit_d    = (hit_q | opened) & ~closed;
  assign need_d   = need_q | (line3 & {N{need_i}});
  assign silver_d = silver_q | (line3 & {N{to_silver_i}});
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

  // Taken, leaving, gone. keep_q: below the entry that is gone.
  assign gone   = sel_col & {N{take_i}};
  assign top    = hole_q ? top_q >> 1 : top_q;
  assign put_at = top[N-1:0] & {N{put_i}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q   <= '0;
      taken_q   <= '0;
      leaving_q <= '0;
      keep_q    <= '1;
      hole_q    <= 1'b0;
      top_q     <= (N+1)'(1);
    end else begin
      valid_q   <= next_of(valid_q & ~leaving_q, keep_q, put_at, 1'b1);
      taken_q   <= next_of(taken_q | gone, keep_q, put_at, 1'b0);
      leaving_q <= shifted(gone, keep_q);
      hole_q    <= |leaving_q;
      keep_q    <= |leaving_q ? shifted(below(leaving_q), keep_q) : '1;
      top_q     <= put_i ? top << 1 : top;
    end
  end
  always_ff @(posedge clk_i) begin
    write_q  <= next_of(write_q, keep_q, put_at, put_we_i);
    silver_q <= next_of(silver_d, keep_q, put_at, put_silver_i);
    home_q   <= next_of(home_q, keep_q, put_at, put_silver_i);
    need_q   <= next_of(need_d, keep_q, put_at, 1'b0);
    hit_q    <= next_of(hit_d, keep_q, put_at, put_hit_i);
    for (int k = 0; k < 3; k++) begin
      bank_q[k*N +: N] <= next_of(bank_q[k*N +: N], keep_q, put_at, put_bank_i[k]);
      age_q[k*N +: N]  <= next_of(age_d[k*N +: N], keep_q, put_at, 1'b0);
    end
    for (int k = 0; k < 4; k++)
        waits_q[k*N +: N] <= next_of(waits_d[k*N +: N], keep_q, put_at, put_waits_i[k]);
    for (int k = 0; k < RowW; k++)
        row_q[k*N +: N] <= next_of(row_q[k*N +: N], keep_q, put_at, put_row_i[k]);
    for (int k = 0; k < ColW; k++)
        col_q[k*N +: N] <= next_of(col_q[k*N +: N], keep_q, put_at, put_col_i[k]);
    for (int k = 0; k < SlotW; k++)
        slot_q[k*N +: N] <= next_of(slot_q[k*N +: N], keep_q, put_at, put_slot_i[k]);
  end

  `GMMU_ASSERT(dram_queue_room, !(put_i && top[N]))
  `GMMU_ASSERT(dram_queue_take, !take_i || $onehot(sel_col))
endmodule
`default_nettype wire
