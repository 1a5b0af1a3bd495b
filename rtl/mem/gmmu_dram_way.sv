// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_way: the three requests of one DRAM channel on their way to the queues: the line of the
// first is probed, the conflicts of the second are counted, the third enters. Rules:
// docs/dram_sched.md.
//
// All go on in the same cycle (move_o), unless the third has more than 15 conflicts. A line is bank,
// row, column; its lowest bit in line_i and *_o says that it is a write.
`default_nettype none
module gmmu_dram_way #(
  parameter int LineW = 25,
  parameter int SlotW = 9
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             put_i,
  input  logic [LineW:0]   line_i,
  input  logic             golden_i,
  input  logic             silver_i,
  input  logic [SlotW-1:0] slot_i,
  output logic             move_o,
  output logic [LineW:0]   probe_o,
  output logic [LineW:0]   count_o,
  input  logic [9:0]       conflicts_i,   // of the second, in the queues
  input  logic             one_less_i,    // a conflict of the third leaves in this cycle
  output logic             enter_o,
  output logic [LineW:0]   enter_line_o,
  output logic             golden_o,
  output logic             silver_o,
  output logic [SlotW-1:0] slot_o,
  output logic [3:0]       waits_o,
  output logic             inherits_o,    // what it waits for inherits its class
  output logic             probe_same_o,  // the first, the second is for its line
  output logic             count_same_o
);
  logic [1:0]       probe_home_q, count_home_q; // golden, silver
  logic [SlotW-1:0] probe_slot_q, count_slot_q;
  logic             probe_valid_q, count_valid_q, enter_valid_q;
  logic [9:0]       clashes_q, clashes, counted;
  assign probe_same_o = probe_o[LineW:1] == enter_line_o[LineW:1];
  assign count_same_o = count_o[LineW:1] == enter_line_o[LineW:1];
  assign counted      = conflicts_i +
      10'(enter_valid_q && count_same_o && (enter_line_o[0] || count_o[0]));
  assign clashes      = clashes_q - 10'(one_less_i);
  assign waits_o      = clashes[3:0];
  assign move_o       = !(enter_valid_q && clashes_q > 10'd15);
  assign enter_o      = enter_valid_q && move_o;
  assign inherits_o   = enter_o && clashes != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      probe_valid_q <= 1'b0;
      count_valid_q <= 1'b0;
      enter_valid_q <= 1'b0;
    end else if (move_o) begin
      probe_valid_q <= put_i;
      count_valid_q <= probe_valid_q;
      enter_valid_q <= count_valid_q;
    end
  end
  always_ff @(posedge clk_i) begin
    clashes_q <= move_o ? counted : clashes;
    if (move_o) begin
      probe_o      <= line_i;
      probe_home_q <= {golden_i, silver_i};
      probe_slot_q <= slot_i;
      count_o      <= probe_o;
      count_home_q <= probe_home_q;
      count_slot_q <= probe_slot_q;
      enter_line_o <= count_o;
      {golden_o, silver_o} <= count_home_q;
      slot_o       <= count_slot_q;
    end
  end
endmodule
`default_nettype wire
