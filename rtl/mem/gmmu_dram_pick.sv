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

  // {two or more, one or more} of the bits up to each one.
  function automatic logic [2*Size-1:0] in_group(input logic [Size-1:0] v);
    logic [Size-1:0] one, two;
    begin
      one = v;
      two = '0;
      for (int s = 1; s < Size; s = s * 2) begin
        two = two | (two << s) | (one & (one << s));
        one = one | (one << s);
      end
      in_group = {two, one};
    end
  endfunction

  // The same of the groups, given which of them have any, and more than one.
  function automatic logic [2*Groups-1:0] over(input logic [Groups-1:0] any,
      input logic [Groups-1:0] many);
    logic [Groups-1:0] one, two;
    begin
      one = any;
      two = many;
      for (int s = 1; s < Groups; s = s * 2) begin
        two = two | (two << s) | (one & (one << s));
        one = one | (one << s);
      end
      over = {two, one};
    end
  endfunction

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
      assign {two_here, one_here} = in_group(v);
      assign any[g]  = one_here[Size-1];
      assign many[g] = two_here[Size-1];
      assign none[k*P + g*Size +: Size] = v & ~(one_here << 1);
      assign one[k*P + g*Size +: Size]  = v & (one_here << 1) & ~(two_here << 1);
    end
    assign {two_up, one_up} = over(any, many);
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
