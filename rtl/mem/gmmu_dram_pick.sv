// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_pick: of the requests of one class in the two banks of a group the first, and the
// second, in the banks that are allowed. Rules: docs/dram_sched.md.
//
// The vector is cut in groups of some sqrt(N) bits. For each bank, and for both, it is found within
// the groups and over the groups which bits have none, or one, before them; banks_i, which comes
// late, is asked once a group. Combinational. Legal: Entries 1..512.
`default_nettype none
module gmmu_dram_pick #(
  parameter int Entries = 256,
  parameter bit Second  = 1'b1,  // 0: second_o is 0
  localparam int N      = Entries
) (
  input  logic [N-1:0] v_i,      // oldest first
  input  logic [N-1:0] upper_i,  // in the upper bank
  input  logic [1:0]   banks_i,
  output logic [N-1:0] first_o,
  output logic [N-1:0] second_o
);
  localparam int Size   = N < 2 ? 2 : 1 << (($clog2(N) + 1) / 2);
  localparam int Groups = (N + Size - 1) / Size;
  localparam int P      = Groups * Size;

  // Of the lower bank, the upper one, both: bits with none, or one, before them in their group; of
  // each group, if this is what is allowed, whether none, or one, is in the groups before it.
  logic [2:0]          allowed;
  logic [3*P-1:0]      of_banks, none, one;
  logic [3*Groups-1:0] none_before, one_before;
  logic [P-1:0]        first, second;
  assign allowed  = {banks_i == 2'b11, banks_i == 2'b10, banks_i == 2'b01};
  assign of_banks = {P'(v_i), P'(v_i & upper_i), P'(v_i & ~upper_i)};
  for (genvar k = 0; k < 3; k++) begin : gen_banks
    logic [Groups-1:0] any, many, one_up, two_up, some, more; // some: one or more before, more: two
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic [Size-1:0] v, one_here, two_here;
      assign v = of_banks[k*P + g*Size +: Size];
      gmmu_counted #(.N(Size)) u_here (
        .one_i(v), .two_i({Size{1'b0}}), .one_o(one_here), .two_o(two_here)
      );
      assign any[g]  = one_here[Size-1];
      assign many[g] = two_here[Size-1];
      assign none[k*P + g*Size +: Size] = v & ~(one_here << 1);
      assign one[k*P + g*Size +: Size]  = v & (one_here << 1) & ~(two_here << 1);
    end
    gmmu_counted #(.N(Groups)) u_over (
      .one_i(any), .two_i(many), .one_o(one_up), .two_o(two_up)
    );
    assign some = Groups'({one_up, 1'b0});
    assign more = Groups'({two_up, 1'b0});
    assign none_before[k*Groups +: Groups] = ~some & {Groups{allowed[k]}};
    assign one_before[k*Groups +: Groups]  = some & ~more & {Groups{allowed[k]}};
  end
  for (genvar g = 0; g < Groups; g++) begin : gen_out
    assign first[g*Size +: Size] = (none[g*Size +: Size] & {Size{none_before[g]}}) |
        (none[P + g*Size +: Size] & {Size{none_before[Groups + g]}}) |
        (none[2*P + g*Size +: Size] & {Size{none_before[2*Groups + g]}});
    assign second[g*Size +: Size] = (one[g*Size +: Size] & {Size{none_before[g]}}) |
        (one[P + g*Size +: Size] & {Size{none_before[Groups + g]}}) |
        (one[2*P + g*Size +: Size] & {Size{none_before[2*Groups + g]}}) |
        (none[g*Size +: Size] & {Size{one_before[g]}}) |
        (none[P + g*Size +: Size] & {Size{one_before[Groups + g]}}) |
        (none[2*P + g*Size +: Size] & {Size{one_before[2*Groups + g]}});
  end
  assign first_o  = first[N-1:0];
  assign second_o = Second ? second[N-1:0] : '0;
endmodule
`default_nettype wire
