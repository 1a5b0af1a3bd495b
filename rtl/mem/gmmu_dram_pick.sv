// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_pick: of the requests of one class in the two banks of a group the first, and the
// second, in the banks that are allowed. Rules: docs/dram_sched.md.
//
// What v_i has at the end of a cycle is picked from in the next one: first_o and second_o are
// combinational of banks_i. The vector is cut in groups of some sqrt(N) bits;
// whether a group has any is a register. In each bank, and in both, it is found beside one another
// which bits have none, or one, before them in their group, and which groups have none, or one
// group with any, before them; that one must have one bit, if the second is not in it.
// Legal: Entries 1..512.
`default_nettype none
module gmmu_dram_pick #(
  parameter int Entries = 256,
  parameter bit Second  = 1'b1,  // 0: second_o is 0
  localparam int N      = Entries
) (
  input  logic         clk_i,
  input  logic [N-1:0] v_i,      // oldest first
  input  logic [N-1:0] upper_i,  // in the upper bank
  input  logic [N-1:0] keep_i,   // of the shift at the end of this cycle
  input  logic [2:0]   banks_i,  // allowed: both, the upper one, the lower one
  output logic [N-1:0] first_o,
  output logic [N-1:0] second_o
);
  localparam int Size   = N < 2 ? 2 : 1 << (($clog2(N) + 1) / 2);
  localparam int Groups = (N + Size - 1) / Size;
  localparam int P      = Groups * Size;

  `include "gmmu_shift.svh"

  // The lower bank, the upper one, both.
  logic [P-1:0]        lower, upper, lower_q, upper_q, first, second;
  logic [Groups-1:0]   any_lower_q, any_upper_q;
  logic [2:0]          single;
  logic [3*P-1:0]      none, one;                 // before a bit in its group
  logic [3*Groups-1:0] any, many, some, more;     // a group has one, two; groups with any before it
  assign lower = P'(shifted(v_i & ~upper_i, keep_i));
  assign upper = P'(shifted(v_i & upper_i, keep_i));
  always_ff @(posedge clk_i) begin
    lower_q <= lower;
    upper_q <= upper;
    for (int g = 0; g < Groups; g++) begin
      any_lower_q[g] <= |lower[g*Size +: Size];
      any_upper_q[g] <= |upper[g*Size +: Size];
    end
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [Size-1:0] in_lower, in_upper, one_lower, one_upper, two_lower, two_upper, one_both;
    logic [Size-1:0] two_both;
    assign in_lower = lower_q[g*Size +: Size];
    assign in_upper = upper_q[g*Size +: Size];
    gmmu_counted #(.N(Size)) u_lower (
      .one_i(in_lower), .two_i({Size{1'b0}}), .one_o(one_lower), .two_o(two_lower)
    );
    gmmu_counted #(.N(Size)) u_upper (
      .one_i(in_upper), .two_i({Size{1'b0}}), .one_o(one_upper), .two_o(two_upper)
    );
    assign one_both = one_lower | one_upper;
    assign two_both = two_lower | two_upper | (one_lower & one_upper);
    assign none[g*Size +: Size]       = in_lower & ~(one_lower << 1);
    assign none[P + g*Size +: Size]   = in_upper & ~(one_upper << 1);
    assign none[2*P + g*Size +: Size] = (in_lower | in_upper) & ~(one_both << 1);
    assign one[g*Size +: Size]        = in_lower & (one_lower << 1) & ~(two_lower << 1);
    assign one[P + g*Size +: Size]    = in_upper & (one_upper << 1) & ~(two_upper << 1);
    assign one[2*P + g*Size +: Size]  = (in_lower | in_upper) & (one_both << 1) & ~(two_both << 1);
    assign many[g]            = two_lower[Size-1];
    assign many[Groups + g]   = two_upper[Size-1];
    assign many[2*Groups + g] = two_both[Size-1];
  end

  assign any     = {any_lower_q | any_upper_q, any_upper_q, any_lower_q};
  for (genvar k = 0; k < 3; k++) begin : gen_banks
    logic [Groups-1:0] one_up, two_up;
    gmmu_counted #(.N(Groups)) u_over (
      .one_i(any[k*Groups +: Groups]), .two_i({Groups{1'b0}}), .one_o(one_up), .two_o(two_up)
    );
    assign some[k*Groups +: Groups] = Groups'({one_up, 1'b0});
    assign more[k*Groups +: Groups] = Groups'({two_up, 1'b0});
    assign single[k] = (many[k*Groups +: Groups] & ~some[k*Groups +: Groups]) == '0;
  end
  for (genvar g = 0; g < Groups; g++) begin : gen_out
    logic [3*Size-1:0] first_of, second_of;
    for (genvar k = 0; k < 3; k++) begin : gen_banks
      logic [Size-1:0] may_one, may_none;  // where it is allowed
      logic            next;               // the second group with any
      assign may_one  = one[k*P + g*Size +: Size] & {Size{banks_i[k]}};
      assign may_none = none[k*P + g*Size +: Size] & {Size{banks_i[k]}};
      assign next     = some[k*Groups + g] && !more[k*Groups + g] && single[k];
      assign first_of[k*Size +: Size]  = may_none & {Size{!some[k*Groups + g]}};
      assign second_of[k*Size +: Size] = (may_one & {Size{!some[k*Groups + g]}}) |
          (may_none & {Size{next}});
    end
    assign first[g*Size +: Size]  = first_of[0 +: Size] | first_of[Size +: Size] |
        first_of[2*Size +: Size];
    assign second[g*Size +: Size] = second_of[0 +: Size] | second_of[Size +: Size] |
        second_of[2*Size +: Size];
  end
  assign first_o  = first[N-1:0];
  assign second_o = Second ? second[N-1:0] : '0;
endmodule
`default_nettype wire
