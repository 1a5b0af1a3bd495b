// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_l2tlb_mshr (docs/coverage.md). Ports are signals of the block, by their names
// there.
`default_nettype none
module gmmu_l2tlb_mshr_points #(
  parameter int Mshrs      = 64,
  parameter int Ports      = 2,
  parameter int NumAsids   = 8,
  parameter int AsidW      = 9,
  parameter int Early      = 0,
  localparam int CmdW      = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Ports-1:0] look_i,
  input logic [Ports-1:0] match,
  input logic [Ports-1:0] already,
  input logic [Ports-1:0] may,
  input logic [Ports-1:0] merge_o,
  input logic [Ports-1:0] alloc_o,
  input logic             join_new,
  input logic [Mshrs-1:0] valid_q,
  input logic [Mshrs-1:0] free_hot,
  input logic [Mshrs-1:0] early_q,
  input logic [Mshrs-1:0] done_hot,
  input logic [Mshrs-1:0] marked,
  input logic             done_i,
  input logic             freed_o,
  input logic [NumAsids-1:0] may_now,
  input logic             mark_i,
  input logic [CmdW-1:0]  cmd_i
);
`include "gmmu_points_command.svh"
  // Why a lookup waits: 1 no MSHR, 2 its application may take none, 3 its SM waits there already,
  // 4 the other port allocates.
  logic [2:0] why0;
  assign why0 = !look_i[0] | merge_o[0] | alloc_o[0] ? 3'd0 : match[0] & already[0] ? 3'd3 :
      &valid_q ? 3'd1 : !may[0] ? 3'd2 : 3'd5;
  logic [2:0] why1;
  assign why1 = Ports == 1 | !look_i[Ports-1] | merge_o[Ports-1] | alloc_o[Ports-1] ? 3'd0 :
      match[Ports-1] & already[Ports-1] ? 3'd3 : &valid_q ? 3'd1 : !may[Ports-1] ? 3'd2 :
      alloc_o[0] ? 3'd4 : 3'd5;
  covergroup l2_mshr @(posedge clk_i);
    port0_waits: coverpoint why0 iff (rst_ni) {
      bins no_mshr = {1};
      bins quota = {2};
      bins waits_already = {3};
    }
    port1_waits: coverpoint why1 iff (rst_ni) {
      bins no_mshr = {1};
      bins quota = {2};
      bins waits_already = {3};
      bins other_port_allocates = {4};
    }
    merges: coverpoint {join_new, merge_o[Ports-1], merge_o[0]} iff (rst_ni & Ports == 2) {
      bins port0 = {1};
      bins port1 = {2};
      bins both = {3};
      bins port1_with_the_other_ones_new = {6};
    }
    taken: coverpoint {&valid_q, valid_q == '0} iff (rst_ni) {
      bins none = {1};
      bins some = {0};
      bins all = {2};
    }
    quota: coverpoint {may_now == '0, may_now == '1} iff (rst_ni) {
      bins all_may = {1};
      bins some_may = {0};
      bins none_may = {2};
    }
    freed_with: coverpoint {done_i, alloc_o != '0} iff (rst_ni & freed_o) {
      bins nothing = {0};
      bins alloc = {1};
      bins finish = {2};
    }
  endgroup
  l2_mshr u_l2_mshr = new;

  logic [Mshrs-1:0] now, done_q;     // done: its walk has ended, or answered early
  logic [4:0]       places;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= '0;
    else done_q <= (done_q | done_hot) & ~free_hot;
  end
  assign now    = valid_q & marked;
  assign places = {|(now & ~done_q & ~done_hot), |(now & done_hot & ~early_q),
      |(now & done_q & ~early_q), |(now & early_q & ~done_hot), |(now & early_q & done_hot)};
  covergroup l2_marked @(posedge clk_i);
    by_command: coverpoint command iff (rst_ni & mark_i) {
`include "gmmu_points_commands.svh"
    }
    where: coverpoint places {
      wildcard bins walks = {5'b1????};
      wildcard bins finishes_now = {5'b?1???};
      wildcard bins answer_queued = {5'b??1??};
      wildcard bins answered_early = {5'b???1?};
      wildcard bins run_finishes_now = {5'b????1};
    }
    miss: cross by_command, where;
  endgroup
  l2_marked u_l2_marked = new;
endmodule
bind gmmu_l2tlb_mshr gmmu_l2tlb_mshr_points #(.Mshrs(Mshrs), .Ports(Ports), .NumAsids(NumAsids),
  .AsidW(AsidW), .Early(Early)) u_points (.*);
`default_nettype wire
