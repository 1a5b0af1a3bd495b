// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_queue: requests of one DRAM channel in order of age, and the commands they ask for.
// Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// Fifo=0: silver and normal requests, classes next, silver, normal. Fifo=1: translations, in order.
// Entry 0 is the oldest. A request that was chosen is taken (step 3 of its search), leaves a cycle
// later, or with Fifo=0 as second column (second_i) later than that, and the entries above it move
// down by one in the cycle after that. Fields are bit-sliced: a vector of Entries bits per bit.
// A newcomer's line is probed, its conflicts are counted a cycle later (gmmu_dram_way).
// Legal: Entries 1..512, RowW and ColW at least 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_queue #(
  parameter int Entries = 256,
  parameter bit Fifo    = 1'b0,
  parameter int RowW    = 16,
  parameter int ColW    = 6,
  parameter int SlotW   = 9,
  localparam int Part   = (Entries + 3) / 4,
  localparam int PartW  = $clog2(Part + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // newcomers: the probed one, the counted one, the last one; that which enters if put_i
  input  logic             move_i,         // all go on by a place
  input  logic [2:0]       probe_bank_i,
  input  logic [RowW-1:0]  probe_row_i,
  input  logic [ColW-1:0]  probe_col_i,
  input  logic             probe_we_i,
  input  logic             count_we_i,
  output logic [4*PartW-1:0] conflicts_o,  // of the counted one, of each quarter of the entries
  output logic             conflict_o,     // it has one
  output logic             one_less_o,     // one that the last one conflicts with leaves,
  output logic             one_left_o,     // one stays
  input  logic             put_i,
  input  logic [2:0]       put_bank_i,
  input  logic [RowW-1:0]  put_row_i,
  input  logic [ColW-1:0]  put_col_i,
  input  logic             put_we_i,
  input  logic [SlotW-1:0] put_slot_i,
  input  logic             put_silver_i,
  input  logic             put_hit_i,      // its row is open once this cycle is over
  input  logic [3:0]       put_waits_i,
  input  logic             put_free_i,     // 0 of them
  input  logic             probe_same_i,   // the probed one is for its line
  input  logic             count_same_i,   // the counted one is for the last one's
  // the requests to the entering one's line inherit: needed by a translation,
  input  logic             need_i,
  input  logic             to_silver_i,    // or class silver
  // search: steps 1, 2 and 3
  input  logic [1:0]       group_i,
  input  logic [1:0]       rd_may_i,
  input  logic [1:0]       wr_may_i,
  output logic [17:0]      kinds_o,
  output logic [1:0]       next_o,
  output logic [1:0]       any_o,
  output logic [1:0]       head_o,
  input  logic [2:0]       pick_col_i,
  input  logic [2:0]       col_banks_i,
  input  logic [5:0]       row_banks_i,
  input  logic             row_next_i,
  input  logic [1:0]       found_group_i,  // of the search in step 3
  input  logic             take_i,         // the first column's request is taken,
  input  logic             take_second_i,  // the second one's
  // of a column: upper bit of the bank, column, slot, write, home silver
  output logic [ColW+SlotW+2:0] first_o,
  output logic             second_valid_o,
  output logic [ColW+SlotW+2:0] second_o,
  output logic [1:0]       more_hits_o,    // yet another is for the open row of either bank
  output logic             row_bank_o,     // of ACT or PRE
  output logic [RowW-1:0]  row_o,
  // what was chosen a cycle ago, of whichever queue; or a second one before that
  input  logic             place_i,        // of gmmu_dram_taken
  input  logic             pop_i,
  input  logic             left_i,         // a request leaves
  input  logic             left_second_i,  // its row, of_row_i, may be closed
  input  logic [2:0]       left_bank_i,
  input  logic [ColW-1:0]  left_col_i,
  input  logic             left_we_i,
  input  logic             act_i,          // row of_row_i of act_bank_i opens
  input  logic [2:0]       act_bank_i,
  input  logic [RowW-1:0]  of_row_i,       // of that, or of what came second and leaves
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
  logic [N-1:0]       valid_q, taken, write_q, silver_q, home_q, need_q, hit_q;
  logic [N-1:0]       silver_d, need_d, hit_d;
  logic [8*N-1:0]     at_bank; // per bank, its entries
  logic [N-1:0]       asks, is_old, urgent, sel_col, sel_second, sel_row, line, left, of_row;
  logic [N-1:0]       one_waits, free_q, free_d, clash2_q, clash3_q, clash2, clash3;
  logic [N-1:0]       closed, at_left, keep, leaving, put_at, line2_q, line3_q, line2, line3;
  logic [N-1:0]       upper, found, at_top;
  logic [N:0]         top_q, top;   // the first free place
  logic               hole;         // an entry has left: those above it move down

  `include "gmmu_shift.svh"

  // Entries of banks with their bit set. `at` is an argument: an assignment is not evaluated again
  // for what a function reads from its module.
  function automatic logic [N-1:0] of_banks(input logic [7:0] b, input logic [8*N-1:0] at);
    begin
      of_banks = '0;
      for (int k = 0; k < 8; k++) of_banks = of_banks | (at[k*N +: N] & {N{b[k]}});
    end
  endfunction

  // Entries whose bank, whose row, whose column is this one.
  function automatic logic [N-1:0] bank_is(input logic [3*N-1:0] v, input logic [2:0] is);
    begin
      bank_is = '1;
      for (int k = 0; k < 3; k++) bank_is = bank_is & ~(v[k*N +: N] ^ {N{is[k]}});
    end
  endfunction

  function automatic logic [N-1:0] row_is(input logic [RowW*N-1:0] v, input logic [RowW-1:0] is);
    begin
      row_is = '1;
      for (int k = 0; k < RowW; k++) row_is = row_is & ~(v[k*N +: N] ^ {N{is[k]}});
    end
  endfunction

  function automatic logic [N-1:0] col_is(input logic [ColW*N-1:0] v, input logic [ColW-1:0] is);
    begin
      col_is = '1;
      for (int k = 0; k < ColW; k++) col_is = col_is & ~(v[k*N +: N] ^ {N{is[k]}});
    end
  endfunction

  // Waits and ages, bit-sliced: one less where b says so; one more.
  function automatic logic [4*N-1:0] less(input logic [4*N-1:0] v, input logic [N-1:0] where);
    logic [N-1:0] b;
    begin
      b = where;
      for (int k = 0; k < 4; k++) begin
        less[k*N +: N] = v[k*N +: N] ^ b;
        b = b & ~v[k*N +: N];
      end
    end
  endfunction

  function automatic logic [3*N-1:0] more(input logic [3*N-1:0] v, input logic [N-1:0] where);
    logic [N-1:0] b;
    begin
      b = where;
      for (int k = 0; k < 3; k++) begin
        more[k*N +: N] = v[k*N +: N] ^ b;
        b = b & v[k*N +: N];
      end
    end
  endfunction

  function automatic logic [N-1:0] next_of(input logic [N-1:0] v, input logic [N-1:0] stay,
      input logic [N-1:0] put, input logic b);
    begin
      next_of = (shifted(v, stay) & ~put) | (put & {N{b}});
    end
  endfunction

  for (genvar k = 0; k < 8; k++) begin : gen_at_bank
    assign at_bank[k*N +: N] = valid_q & ~(bank_q[2*N +: N] ^ {N{1'(k >> 2)}}) &
        ~(bank_q[N +: N] ^ {N{1'(k >> 1)}}) & ~(bank_q[0 +: N] ^ {N{1'(k)}});
  end

  // What is asked for.
  assign asks   = valid_q & ~taken & free_q;
  assign is_old = age_q[2*N +: N] & age_q[0 +: N]; // 5
  assign urgent = need_q | is_old;
  gmmu_dram_search #(.Entries(N), .Fifo(Fifo)) u_search (
    .clk_i, .rst_ni, .asks_i(asks), .hit_i(hit_q), .write_i(write_q), .silver_i(silver_q),
    .urgent_i(urgent), .bank_i(bank_q), .keep_i(keep), .group_i, .rd_may_i, .wr_may_i,
    .kinds_o, .next_o, .any_o, .head_o, .col_i(pick_col_i), .col_banks_i, .row_banks_i,
    .row_next_i, .sel_col_o(sel_col), .sel_second_o(sel_second), .sel_row_o(sel_row)
  );

  // Step 3: what was found.
  assign upper = bank_q[2*N +: N];
  localparam int FoundW = ColW + SlotW + 3;
  logic [FoundW*N-1:0] fields;
  assign fields = {upper, col_q, slot_q, write_q, home_q};
  for (genvar k = 0; k < FoundW; k++) begin : gen_found
    assign first_o[k] = |(sel_col & fields[k*N +: N]);
    if (Fifo) begin : gen_none
      assign second_o[k] = 1'b0;
    end else begin : gen_second
      assign second_o[k] = |(sel_second & fields[k*N +: N]);
    end
  end
  for (genvar k = 0; k < RowW; k++) begin : gen_row
    assign row_o[k] = |(sel_row & row_q[k*N +: N]);
  end
  assign second_valid_o = !Fifo && |sel_second;
  assign row_bank_o     = |(sel_row & upper);
  assign found       = valid_q & hit_q & ~sel_col & ~sel_second &
      ~(bank_q[N +: N] ^ {N{found_group_i[1]}}) & ~(bank_q[0 +: N] ^ {N{found_group_i[0]}});
  assign more_hits_o = {|(found & upper), |(found & ~upper)};

  // A cycle later, or later, it leaves; those that wait for it. A second one never leaves in a
  // cycle in which a row opens: its row is compared where that of an ACT is.
  assign at_left = valid_q & bank_is(bank_q, left_bank_i);
  assign of_row  = row_is(row_q, of_row_i);
  assign left = at_left & (left_second_i ? of_row : hit_q) & col_is(col_q, left_col_i) & ~taken &
      ~asks & {N{left_i}} & (write_q | {N{left_we_i}});

  // Requests to the lines of newcomers.
  assign line = valid_q & ~leaving & bank_is(bank_q, probe_bank_i) & row_is(row_q, probe_row_i) &
      col_is(col_q, probe_col_i);
  assign line2 = line2_q & ~leaving;
  assign line3 = line3_q & ~leaving;
  // Those of them that conflict, as one of the two is a write.
  assign clash2 = clash2_q & ~leaving;
  assign clash3 = clash3_q & ~leaving;
  for (genvar k = 0; k < 4; k++) begin : gen_part
    localparam int From = k * Part < N ? k * Part : N - 1;
    localparam int Here = k * Part >= N ? 1 : (k + 1) * Part > N ? N - k * Part : Part;
    logic [$clog2(Here+1)-1:0] here;
    gmmu_count #(.N(Here)) u_conflicts (.v_i(clash2[From +: Here]), .n_o(here));
    assign conflicts_o[k*PartW +: PartW] = k * Part < N ? PartW'(here) : '0;
  end
  assign conflict_o = |clash2;
  assign one_less_o = |(clash3_q & leaving);
  assign one_left_o = |clash3;
  always_ff @(posedge clk_i) begin
    clash2_q <= next_of(move_i ? line & (write_q | {N{probe_we_i}}) : clash2, keep, put_at,
        probe_same_i && (probe_we_i || put_we_i));
    clash3_q <= next_of(move_i ? clash2 : clash3, keep, put_at,
        count_same_i && (count_we_i || put_we_i));
    line2_q <= next_of(move_i ? line : line2, keep, put_at, probe_same_i);
    line3_q <= next_of(move_i ? line2 : line3, keep, put_at, count_same_i);
  end

  // Fields that change while a request stands in the queue.
  assign closed   = of_banks(close_i, at_bank);
  assign hit_d    = (hit_q | (bank_is(bank_q, act_bank_i) & of_row & {N{act_i}})) & ~closed;
  assign need_d   = need_q | (line3 & {N{need_i}});
  assign silver_d = silver_q | (line3 & {N{to_silver_i}});
  assign waits_d  = less(waits_q, left);
  assign one_waits = waits_q[0 +: N] & ~(waits_q[N +: N] | waits_q[2*N +: N] | waits_q[3*N +: N]);
  assign free_d   = free_q | (one_waits & left);
  assign age_d    = more(age_q, {N{older_i}} & ~is_old);

  gmmu_dram_taken #(.Entries(N), .Behind(!Fifo)) u_taken (
    .clk_i, .rst_ni, .put_at_i(put_at), .first_i(sel_col), .take_i, .second_i(sel_second),
    .take_second_i, .place_i, .pop_i, .taken_o(taken), .leaving_o(leaving), .keep_o(keep),
    .hole_o(hole)
  );
  assign top    = hole ? top_q >> 1 : top_q;
  assign put_at = top[N-1:0] & {N{put_i}};
  // Its fields are written at its place also before one enters: put_i comes late.
  assign at_top = top[N-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      top_q   <= (N+1)'(1);
    end else begin
      valid_q <= next_of(valid_q & ~leaving, keep, put_at, 1'b1);
      top_q   <= put_i ? top << 1 : top;
    end
  end
  always_ff @(posedge clk_i) begin
    write_q  <= next_of(write_q, keep, at_top, put_we_i);
    silver_q <= next_of(silver_d, keep, at_top, put_silver_i);
    home_q   <= next_of(home_q, keep, at_top, put_silver_i);
    need_q   <= next_of(need_d, keep, at_top, 1'b0);
    hit_q    <= next_of(hit_d, keep, at_top, put_hit_i);
    free_q   <= next_of(free_d, keep, at_top, put_free_i);
    for (int k = 0; k < 3; k++) begin
      bank_q[k*N +: N] <= next_of(bank_q[k*N +: N], keep, at_top, put_bank_i[k]);
      age_q[k*N +: N]  <= next_of(age_d[k*N +: N], keep, at_top, 1'b0);
    end
    for (int k = 0; k < 4; k++)
        waits_q[k*N +: N] <= next_of(waits_d[k*N +: N], keep, at_top, put_waits_i[k]);
    for (int k = 0; k < RowW; k++)
        row_q[k*N +: N] <= next_of(row_q[k*N +: N], keep, at_top, put_row_i[k]);
    for (int k = 0; k < ColW; k++)
        col_q[k*N +: N] <= next_of(col_q[k*N +: N], keep, at_top, put_col_i[k]);
    for (int k = 0; k < SlotW; k++)
        slot_q[k*N +: N] <= next_of(slot_q[k*N +: N], keep, at_top, put_slot_i[k]);
  end

  `GMMU_ASSERT(dram_queue_room, !(put_i && top[N]))
  `GMMU_ASSERT(dram_queue_free, ((free_q ^ ~(waits_q[0 +: N] | waits_q[N +: N] |
      waits_q[2*N +: N] | waits_q[3*N +: N])) & valid_q) == '0)
  `GMMU_ASSERT(dram_queue_clash, ((clash3_q & ~line3_q) | (clash2_q & ~line2_q) |
      (clash2_q ^ (line2_q & (write_q | {N{count_we_i}})))) == '0)
  `GMMU_ASSERT(dram_queue_take, !take_i || $onehot(sel_col))
endmodule
`default_nettype wire
