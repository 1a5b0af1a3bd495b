// SPDX-License-Identifier: Apache-2.0
// gmmu_counted: of each place, at it and below it, is there one? Are there two or more? Of bits, or
// of groups of them, which have one (one_i) and more than one (two_i). Combinational, log2(N)
// steps. Legal: N >= 1.
`default_nettype none
module gmmu_counted #(
  parameter int N = 32
) (
  input  logic [N-1:0] one_i,
  input  logic [N-1:0] two_i,
  output logic [N-1:0] one_o,
  output logic [N-1:0] two_o
);
  function automatic logic [2*N-1:0] counted(input logic [N-1:0] any, input logic [N-1:0] many);
    logic [N-1:0] one, two;
    begin
      one = any;
      two = many;
      for (int s = 1; s < N; s = s * 2) begin
        two = two | (two << s) | (one & (one << s));
        one = one | (one << s);
      end
      counted = {two, one};
    end
  endfunction
  assign {two_o, one_o} = counted(one_i, two_i);
endmodule
`default_nettype wire
