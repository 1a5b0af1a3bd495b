// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_way: the requests of one DRAM channel on their way to the queues: the line of one that
// is put, translation or data, is compared in that cycle, a cycle later its conflicts are counted;
// without any it enters then, or behind one that does in the next. For a bank that no other is for,
// it enters as it is put, if none is on its way. Rules: docs/dram_sched.md.
//
// With conflicts, the counts of the parts are added in the cycle after that, in which none goes on:
// it enters a cycle later.
// The one that enters has its fields in enter_*_o. All go on in the same cycle (move_o), unless it
// adds, or has more than 15 conflicts. A line is bank, row, column; its lowest bit in *line_*
// says that it is a write.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_way #(
  parameter int Entries = 272, // of all queues
  parameter int LineW   = 25,
  parameter int SlotW   = 9,
  parameter int ArrW    = 7,   // of a count of a quarter of the array, of the golden queue
  parameter int GolW    = 3
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             t_i,           // one is put, if move_o; not both
  input  logic             d_i,
  input  logic [LineW:0]   t_line_i,
  input  logic [LineW:0]   d_line_i,
  output logic [LineW:0]   line_o,        // of the two; also without one its line is compared
  input  logic             golden_i,
  input  logic             silver_i,
  input  logic [SlotW-1:0] slot_i,
  input  logic             left_i,        // one for this bank leaves the queues
  input  logic [2:0]       left_bank_i,
  output logic             move_o,
  output logic             put_o,
  // the counted one: its conflicts in the queues
  output logic [LineW:0]   count_line_o,
  input  logic [4*ArrW-1:0] conflicts_a_i, // in parts
  input  logic [4*GolW-1:0] conflicts_g_i,
  input  logic             conflict_i,    // there is one
  // of the last one's conflicts: one leaves in this cycle, one stays
  input  logic             one_less_i,
  input  logic             one_left_i,
  output logic [LineW:0]   last_line_o,
  output logic             from_last_o,   // the last one may enter, the others cannot
  output logic             from_put_o,    // the one that is put may
  output logic             enter_o,
  output logic [3:0]       enter_group_o, // a bit: the group of its bank, known beside enter_o
  output logic [LineW:0]   enter_line_o,
  output logic             enter_golden_o,
  output logic             enter_silver_o,
  output logic [SlotW-1:0] enter_slot_o,
  output logic [3:0]       enter_waits_o,
  output logic             enter_free_o,  // that is 0
  output logic             inherits_o,    // what it waits for inherits its class
  output logic             put_same_o,    // the one that is put, the counted one is for its line
  output logic             count_same_o
);
  localparam int W = LineW + 1 + 2 + SlotW;

  logic [W-1:0]   count_q, last_q; // line, golden, silver, slot
  logic           count_valid_q, last_valid_q, adds_q, at_once, straight, follows, with_last;
  logic [LineW:0] behind; // which may enter in front of the one that is put
  // adds: the last one's parts; rest: its conflicts but for them
  logic [9:0]     rest_q, counted, clashes;
  logic [4*ArrW-1:0] parts_q;
  logic [7:0]     idle, put_at;   // bits of banks
  logic [2:0]     behind_bank;
  assign put_at = ((8'd1 << t_line_i[LineW -: 3]) & {8{t_i}}) |
      ((8'd1 << d_line_i[LineW -: 3]) & {8{d_i}});
  assign line_o = t_i ? t_line_i : d_line_i;
  assign put_o  = (t_i || d_i) && move_o;
  gmmu_dram_idle #(.Requests(Entries)) u_idle (
    .clk_i, .rst_ni, .put_at_i(put_at & {8{move_o}}), .left_i, .left_bank_i, .idle_o(idle)
  );
  assign count_line_o = count_q[W-1 -: LineW+1];
  assign last_line_o  = last_q[W-1 -: LineW+1];
  assign from_last_o  = last_valid_q;
  assign from_put_o   = !last_valid_q && !count_valid_q;
  assign behind       = last_valid_q ? last_line_o : count_line_o;
  assign put_same_o   = line_o[LineW:1] == behind[LineW:1];
  assign count_same_o = count_line_o[LineW:1] == last_line_o[LineW:1];
  assign counted = 10'(parts_q[0 +: ArrW]) + 10'(parts_q[ArrW +: ArrW]) +
      10'(parts_q[2*ArrW +: ArrW]) + 10'(parts_q[3*ArrW +: ArrW]) + rest_q;
  assign clashes = counted - 10'(one_less_i);

  assign move_o    = !(last_valid_q && (adds_q || rest_q[9:4] != '0));
  assign with_last = last_valid_q && count_same_o && (last_line_o[0] || count_line_o[0]);
  assign at_once = count_valid_q && !last_valid_q && !conflict_i;
  assign straight = from_put_o && (put_at & idle) != '0;
  assign follows  = (last_valid_q && move_o) || at_once;
  assign enter_o  = follows || straight;
  assign behind_bank   = behind[LineW -: 3];
  assign enter_group_o = from_put_o ? (put_at[7:4] & idle[7:4]) | (put_at[3:0] & idle[3:0]) :
      (4'd1 << behind_bank[1:0]) & {4{follows}};
  assign {enter_line_o, enter_golden_o, enter_silver_o, enter_slot_o} = last_valid_q ? last_q :
      count_valid_q ? count_q : {line_o, golden_i, silver_i, slot_i};
  assign enter_waits_o = (rest_q[3:0] - 4'(one_less_i)) & {4{last_valid_q}};
  assign enter_free_o  = !(last_valid_q && one_left_i);
  assign inherits_o    = last_valid_q && move_o && one_left_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_valid_q <= 1'b0;
      last_valid_q  <= 1'b0;
      adds_q        <= 1'b0;
    end else begin
      adds_q <= move_o && count_valid_q && (conflict_i || with_last);
      if (move_o) begin
        count_valid_q <= put_o && !straight;
        last_valid_q  <= count_valid_q && !at_once;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    parts_q <= move_o ? conflicts_a_i : '0;
    rest_q  <= !move_o ? clashes :
        10'(conflicts_g_i[0 +: GolW]) + 10'(conflicts_g_i[GolW +: GolW]) +
        10'(conflicts_g_i[2*GolW +: GolW]) + 10'(conflicts_g_i[3*GolW +: GolW]) + 10'(with_last);
    if (move_o) begin
      count_q <= {line_o, golden_i, silver_i, slot_i};
      last_q  <= count_q;
    end
  end

  `GMMU_ASSERT(dram_way_adds, adds_q ? last_valid_q : !last_valid_q || parts_q == '0)
  `GMMU_ASSERT(dram_way_waits, !last_valid_q || !move_o || enter_waits_o == clashes[3:0])
  `GMMU_ASSERT(dram_way_left, !last_valid_q || one_left_i == (clashes != '0))
  `GMMU_ASSERT(dram_way_free, !enter_o || enter_free_o == (enter_waits_o == '0))
endmodule
`default_nettype wire
