// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_mshr: miss registers of a bank of the L2 cache (gmmu_cache_bank): the lines that are
// on their way from memory, and for each who waits for it.
//
// A register is taken by alloc_i (the lowest that is free), finished when all pieces are back,
// filled (fill_i, fill2_i: first and second cycle of the fill), served, and then free. What a
// request asks is answered in the same cycle, from state. Legal: Mshrs 2..64, Waiters 1..16, Beats
// 1 or 2.
`default_nettype none
module gmmu_cache_mshr #(
  parameter int Mshrs   = 64,
  parameter int Waiters = 4,
  parameter int Beats   = 2,
  parameter int LineW   = 34,
  parameter int AppW    = 3,
  parameter int WIdW    = 12,
  localparam int MshrW  = gmmu_pkg::idx_w(Mshrs),
  localparam int CntW   = gmmu_pkg::idx_w(Waiters + 1),
  localparam int N      = Mshrs
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // the request in stage B
  input  logic [LineW-1:0] line_i,
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
  // finished lines
  output logic             finished_o,
  output logic [MshrW-1:0] finished_which_o,
  output logic [LineW-1:0] finished_line_o,
  // the line that is filled
  input  logic             fill_i,
  input  logic             fill2_i,
  input  logic [MshrW-1:0] fill_which_i,
  output logic [LineW-1:0] fill_line_o,
  output logic             fill_write_o,
  output logic [AppW-1:0]  fill_app_o,
  output logic             fill_waited_o,  // somebody waits for it
  // the line that is served: waiter served_i
  input  logic [MshrW-1:0] serve_which_i,
  input  logic [CntW-1:0]  served_i,
  output logic             serve_data_o,
  output logic             serve_beat_o,
  output logic [WIdW-1:0]  serve_id_o,
  output logic             serve_last_o,
  input  logic             serve_end_i
);
  `include "gmmu_first.svh"

  logic [Mshrs-1:0]              busy_q, fetching_q, write_q, on_way, finished;
  logic [Mshrs*LineW-1:0]        line_q;
  logic [Mshrs*Beats-1:0]        got_q;
  logic [Mshrs*CntW-1:0]         waiters_q;
  logic [Mshrs*AppW-1:0]         app_q;
  logic [Mshrs*Waiters-1:0]      waiter_data_q;
  logic [Mshrs*Waiters*WIdW-1:0] waiter_id_q;
  logic [Mshrs*Waiters-1:0]      waiter_beat_q;
  logic [MshrW-1:0]              free_which, fill_which, way_which;
  logic [CntW-1:0]               way_n, fill_n, serve_n;
  gmmu_match #(.N(Mshrs), .KeyW(LineW)) u_match (
    .look_i(1'b1), .key_i(line_i), .keys_i(line_q), .open_i(fetching_q), .found_o(on_way)
  );
  for (genvar m = 0; m < Mshrs; m++) begin : gen_finished
    assign finished[m] = fetching_q[m] & (&got_q[m*Beats +: Beats]);
  end
  // A line is fetched by one register at most, so that on_way is one-hot.
  assign free_which = index(first(~busy_q));
  assign fill_which = index(first(finished));
  assign way_which  = index(first(on_way));
  assign some_free_o      = !(&busy_q);
  assign two_free_o       = (~busy_q & (~busy_q - Mshrs'(1))) != '0;
  assign free_o           = free_which;
  assign way_n            = waiters_q[way_which*CntW +: CntW];
  assign pending_o        = on_way != '0;
  assign pending_write_o  = write_q[way_which];
  assign pending_full_o   = way_n == CntW'(Waiters);
  assign finished_o       = finished != '0;
  assign finished_which_o = fill_which;
  assign finished_line_o  = line_q[fill_which*LineW +: LineW];
  assign fill_line_o      = line_q[fill_which_i*LineW +: LineW];
  assign fill_write_o     = write_q[fill_which_i];
  assign fill_app_o       = app_q[fill_which_i*AppW +: AppW];
  assign fill_n           = waiters_q[fill_which_i*CntW +: CntW];
  assign fill_waited_o    = fill_n != '0;
  assign serve_n          = waiters_q[serve_which_i*CntW +: CntW];
  assign serve_data_o     = waiter_data_q[serve_which_i*Waiters + 32'(served_i)];
  assign serve_beat_o     = waiter_beat_q[serve_which_i*Waiters + 32'(served_i)];
  assign serve_id_o       = waiter_id_q[(serve_which_i*Waiters + 32'(served_i))*WIdW +: WIdW];
  assign serve_last_o     = served_i + CntW'(1) == serve_n;

  // A register whose line nobody waits for (writes) is free with the fill, else with the last
  // answer: until then its waiters are read from it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      fetching_q <= '0;
    end else begin
      if (alloc_i) begin
        busy_q[free_which]     <= 1'b1;
        fetching_q[free_which] <= 1'b1;
      end
      if (fill_i) fetching_q[fill_which_i] <= 1'b0;
      if (fill2_i && !fill_waited_o) busy_q[fill_which_i] <= 1'b0;
      if (serve_end_i) busy_q[serve_which_i] <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (alloc_i) begin
      line_q[free_which*LineW +: LineW] <= line_i;
      write_q[free_which]               <= we_i;
      app_q[free_which*AppW +: AppW]    <= data_i ? app_i : '0;
      // a write of the whole line asks memory for nothing: all pieces count as back
      got_q[free_which*Beats +: Beats]  <= {Beats{full_i}};
      waiters_q[free_which*CntW +: CntW]      <= we_i ? '0 : CntW'(1);
      waiter_data_q[free_which*Waiters]      <= data_i;
      waiter_beat_q[free_which*Waiters]      <= beat_i;
      waiter_id_q[free_which*Waiters*WIdW +: WIdW] <= id_i;
    end
    if (join_i) begin
      waiters_q[way_which*CntW +: CntW]                <= way_n + CntW'(1);
      waiter_data_q[way_which*Waiters + 32'(way_n)]   <= data_i;
      waiter_beat_q[way_which*Waiters + 32'(way_n)]   <= beat_i;
      waiter_id_q[(way_which*Waiters + 32'(way_n))*WIdW +: WIdW] <= id_i;
    end
    if (back_i) got_q[32'(back_mshr_i)*Beats + (Beats == 1 ? 0 : 32'(back_beat_i))] <= 1'b1;
  end
endmodule
`default_nettype wire
