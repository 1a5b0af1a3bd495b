// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_way: the requests of one DRAM channel on their way to the queues: the line of one that
// is put is compared in that cycle, a cycle later its conflicts are counted; without any it enters
// then, else a cycle later. Rules: docs/dram_sched.md.
//
// The one that enters has its fields in enter_*_o. All go on in the same cycle (move_o), unless it
// has more than 15 conflicts. A line is bank, row, column; its lowest bit in line_i and *_line_o
// says that it is a write.
`default_nettype none
module gmmu_dram_way #(
  parameter int LineW = 25,
  parameter int SlotW = 9
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             put_i,
  input  logic [LineW:0]   line_i,        // also without put_i: its line is compared
  input  logic             golden_i,
  input  logic             silver_i,
  input  logic [SlotW-1:0] slot_i,
  output logic             move_o,
  // the counted one: its conflicts in the queues
  output logic             count_we_o,
  input  logic [9:0]       conflicts_i,
  input  logic             conflict_i,    // there is one
  // one of the last one's conflicts leaves in this cycle
  input  logic             one_less_i,
  output logic             enter_o,
  output logic [LineW:0]   enter_line_o,
  output logic             enter_golden_o,
  output logic             enter_silver_o,
  output logic [SlotW-1:0] enter_slot_o,
  output logic [3:0]       enter_waits_o,
  output logic             inherits_o,    // what it waits for inherits its class
  output logic             put_same_o,    // the one that is put, the counted one is for its line
  output logic             count_same_o,
  output logic             last_we_o      // of the one whose conflicts were counted
);
  localparam int W = LineW + 1 + 2 + SlotW;

  logic [W-1:0]   count_q, last_q; // line, golden, silver, slot
  logic           count_valid_q, last_valid_q, at_once;
  logic [9:0]     clashes_q, clashes, counted;
  logic [LineW:0] count_line, last_line;
  assign count_line   = count_q[W-1 -: LineW+1];
  assign last_line    = last_q[W-1 -: LineW+1];
  assign count_we_o   = count_line[0];
  assign last_we_o    = last_line[0];
  assign put_same_o   = line_i[LineW:1] == enter_line_o[LineW:1];
  assign count_same_o = count_line[LineW:1] == last_line[LineW:1];
  assign counted = conflicts_i +
      10'(last_valid_q && count_same_o && (last_line[0] || count_line[0]));
  assign clashes = clashes_q - 10'(one_less_i);
  assign move_o  = !(last_valid_q && clashes_q > 10'd15);
  assign at_once = count_valid_q && !last_valid_q && !conflict_i;
  assign enter_o = (last_valid_q && move_o) || at_once;
  assign {enter_line_o, enter_golden_o, enter_silver_o, enter_slot_o} =
      last_valid_q ? last_q : count_q;
  assign enter_waits_o = clashes[3:0] & {4{last_valid_q}};
  assign inherits_o    = last_valid_q && move_o && clashes != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_valid_q <= 1'b0;
      last_valid_q  <= 1'b0;
    end else if (move_o) begin
      count_valid_q <= put_i;
      last_valid_q  <= count_valid_q && !at_once;
    end
  end
  always_ff @(posedge clk_i) begin
    clashes_q <= move_o ? counted : clashes;
    if (move_o) begin
      count_q <= {line_i, golden_i, silver_i, slot_i};
      last_q  <= count_q;
    end
  end
endmodule
`default_nettype wire
