// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_mshr: miss registers of a bank of the L2 cache (gmmu_cache_bank): the lines that are
// on their way from memory, and for each who waits for it.
//
// A register is taken by alloc_i (the lowest that is free), finished when all pieces are back,
// chosen (the lowest that is finished), filled, served, and then free. A request's line is compared
// in stage B; what stage C asks is answered in the same cycle, from state. What a miss or a joining
// request brings is written by every request that could be one, so that alloc_i and join_i may come
// late. A line's set is kept beside it, as a fill has no time to hash the line again. Legal: Mshrs
// 2..64, Waiters 1..16, Beats 1 or 2.
`default_nettype none
module gmmu_cache_mshr #(
  parameter int Mshrs   = 64,
  parameter int Waiters = 4,
  parameter int Beats   = 2,
  parameter int LineW   = 34,
  parameter int SetW    = 6,
  parameter int AppW    = 3,
  parameter int WIdW    = 12,
  localparam int MshrW  = gmmu_pkg::idx_w(Mshrs),
  localparam int CntW   = gmmu_pkg::idx_w(Waiters + 1),
  localparam int N      = Mshrs
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // the request in stage B
  input  logic             b_look_i,
  input  logic [LineW-1:0] b_line_i,
  input  logic             b_same_i,       // its line is that of stage C
  // the request in stage C
  input  logic             look_i,
  input  logic [LineW-1:0] line_i,
  input  logic [SetW-1:0]  set_i,
  input  logic             data_i,         // of the data port
  input  logic             we_i,
  input  logic             beat_i,
  input  logic [WIdW-1:0]  id_i,
  input  logic [AppW-1:0]  app_i,
  input  logic             full_i,         // nothing of the line is needed from memory
  output logic             some_free_o,
  output logic             two_free_o,
  output logic [MshrW-1:0] free_o,
  output logic             pending_o,      // its line is on the way ...
  output logic             pending_write_o, // ... for a write
  output logic             pending_full_o, // ... and no more may wait for it
  input  logic             alloc_i,
  input  logic             join_i,
  // pieces from memory
  input  logic             back_i,
  input  logic [MshrW-1:0] back_mshr_i,
  input  logic             back_beat_i,
  // the finished line that is filled next
  output logic             ready_o,
  output logic [MshrW-1:0] ready_which_o,
  output logic [SetW-1:0]  ready_set_o,
  input  logic             start_i,        // its fill begins
  // the line that is filled, one cycle after the other: its first waiter is looked for, is read,
  // the line is entered
  input  logic             place_i,
  input  logic             read_i,
  input  logic             enter_i,
  input  logic [MshrW-1:0] fill_which_i,
  output logic [LineW-1:SetW] fill_tag_o,
  output logic             fill_write_o,
  output logic [AppW-1:0]  fill_app_o,
  output logic             fill_waited_o,  // with read_i: somebody waits for it
  // who waits for the line that was filled last, one after the other
  input  logic             serve_next_i,
  output logic             serve_data_o,
  output logic             serve_beat_o,
  output logic [WIdW-1:0]  serve_id_o,
  output logic             serve_last_o
);
  `include "gmmu_first.svh"

  localparam int PlaceW = gmmu_pkg::idx_w(Mshrs * Waiters);
  logic [Mshrs-1:0]       busy_q, fetching_q, write_q, chosen_q, finished, same, on_way, free, full;
  logic [Mshrs*LineW-1:0] line_q;
  logic [Mshrs*SetW-1:0]  set_q;
  logic [Mshrs*Beats-1:0] got_q;
  logic [Mshrs*CntW-1:0]  waiters_q;
  logic [Mshrs*AppW-1:0]  app_q;
  logic [WIdW+1:0]        waiter_q [0:Mshrs*Waiters-1];    // {data port, piece, id}
  logic [PlaceW-1:0]      place, serve_place_q;
  logic [MshrW-1:0]       way_which;
  logic [CntW-1:0]        way_n, fill_n, left_q;         // left_q: who is to be served
  gmmu_match_ahead #(.N(Mshrs), .KeyW(LineW)) u_match (
    .clk_i, .look_i(b_look_i), .key_i(b_line_i), .keys_i(line_q), .open_i(fetching_q),
    .write_i(alloc_i ? free : '0), .new_same_i(b_same_i), .same_o(same), .old_o(), .new_o()
  );
  // A line is fetched by one register at most, so that on_way is one-hot.
  assign on_way = same & fetching_q;
  assign free   = first(~busy_q);
  for (genvar m = 0; m < Mshrs; m++) begin : gen_mshr
    assign finished[m] = fetching_q[m] & !chosen_q[m] & (&got_q[m*Beats +: Beats]);
    assign full[m]     = waiters_q[m*CntW +: CntW] == CntW'(Waiters);
  end
  assign way_which       = index(on_way);
  assign some_free_o     = !(&busy_q);
  assign two_free_o      = two(~busy_q);
  assign free_o          = index(free);
  assign pending_o       = on_way != '0;
  assign pending_write_o = (on_way & write_q) != '0;
  assign pending_full_o  = (on_way & full) != '0;
  assign fill_write_o    = write_q[fill_which_i];
  assign fill_app_o      = app_q[fill_which_i*AppW +: AppW];
  assign fill_n          = waiters_q[fill_which_i*CntW +: CntW];
  assign fill_waited_o   = fill_n != '0;
  assign fill_tag_o      = line_q[fill_which_i*LineW+SetW +: LineW-SetW];
  always_comb begin
    way_n = '0;
    for (int m = 0; m < Mshrs; m++)
      way_n = way_n | (waiters_q[m*CntW +: CntW] & {CntW{on_way[m]}});
  end

  // At least two: of each half, and of both.
  function automatic logic two(input logic [Mshrs-1:0] v);
    logic [Mshrs-1:0] any, more;
    begin
      any  = v;
      more = '0;
      for (int s = 1; s < Mshrs; s = s * 2) begin
        more = more | (more >> s) | (any & (any >> s));
        any  = any | (any >> s);
      end
      two = more[0];
    end
  endfunction

  // ---------------------------------------------------------------- who is filled next
  logic             choose;
  logic [Mshrs-1:0] choice;
  assign choice      = first(finished);
  assign choose      = !ready_o | start_i;
  assign ready_set_o = set_q[ready_which_o*SetW +: SetW];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ready_o <= 1'b0;
    else if (choose) ready_o <= finished != '0;
  end
  always_ff @(posedge clk_i) if (choose) ready_which_o <= index(choice);

  // ---------------------------------------------------------------- registers
  // A register whose line nobody waits for (writes) is free with the fill, else with the last
  // answer: until then its waiters are read from it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      fetching_q <= '0;
    end else begin
      busy_q     <= (busy_q | (alloc_i ? free : '0)) &
          ~((enter_i & left_q == '0) | (serve_next_i & serve_last_o) ? Mshrs'(1) << fill_which_i
          : '0);
      fetching_q <= (fetching_q | (alloc_i ? free : '0)) &
          ~(enter_i ? Mshrs'(1) << fill_which_i : '0);
    end
  end
  for (genvar m = 0; m < Mshrs; m++) begin : gen_word
    logic take;
    assign take = look_i & free[m];
    always_ff @(posedge clk_i) begin
      if (take) begin
        line_q[m*LineW +: LineW] <= line_i;
        set_q[m*SetW +: SetW]    <= set_i;
        write_q[m]               <= we_i;
        app_q[m*AppW +: AppW]    <= data_i ? app_i : '0;
      end
      if (take) chosen_q[m] <= 1'b0;
      else if (choose & choice[m]) chosen_q[m] <= 1'b1;
      if (take) waiters_q[m*CntW +: CntW] <= we_i ? '0 : CntW'(1);
      else if (join_i & on_way[m])
          waiters_q[m*CntW +: CntW] <= waiters_q[m*CntW +: CntW] + CntW'(1);
      // a write of the whole line asks memory for nothing: all pieces count as back
      for (int k = 0; k < Beats; k++) begin
        if (take) got_q[m*Beats + k] <= full_i;
        else if (back_i && back_mshr_i == MshrW'(m) && (Beats == 1 || back_beat_i == 1'(k)))
            got_q[m*Beats + k] <= 1'b1;
      end
    end
  end
  assign place = pending_o ? PlaceW'(way_which * Waiters) + PlaceW'(way_n)
      : PlaceW'(free_o * Waiters);
  always_ff @(posedge clk_i) begin
    if (look_i && (pending_o ? !pending_full_o : some_free_o))
        waiter_q[place] <= {data_i, beat_i, id_i};
  end
  // The next one is read ahead.
  always_ff @(posedge clk_i) begin
    if (place_i) serve_place_q <= PlaceW'(fill_which_i * Waiters);
    else if (read_i | serve_next_i) serve_place_q <= serve_place_q + PlaceW'(1);
    if (read_i | serve_next_i)
        {serve_data_o, serve_beat_o, serve_id_o} <= waiter_q[serve_place_q];
    if (read_i) left_q <= fill_n;
    else if (serve_next_i) left_q <= left_q - CntW'(1);
  end
  assign serve_last_o = left_q == CntW'(1);
endmodule
`default_nettype wire
