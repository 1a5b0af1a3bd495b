// SPDX-License-Identifier: Apache-2.0
// gmmu_rr_two: round-robin choice of up to two requests a cycle: the first at or behind the place
// after the last grant, and the next one after it.
//
// gnt_o and gnt2_o, one-hot or 0, come in the same cycle; gnt2_o is 0 with Second=0. The place
// moves with take_i. As gmmu_rr_arb, but for wide choices whose grants are used as one-hot vectors:
// log2(N) steps for both, and the place is kept as all bits from it on, so that nothing is decoded.
// After reset it is place 0. Legal: N >= 1, Second 0 or 1.
`default_nettype none
module gmmu_rr_two #(
  parameter int N      = 30,
  parameter int Second = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [N-1:0] req_i,
  input  logic         take_i,     // the grants are used
  output logic [N-1:0] gnt_o,
  output logic [N-1:0] gnt2_o
);
  logic [N-1:0] from_q, ahead, behind;          // from the place on; requests there, and before it
  logic [N-1:0] ahead_first, ahead_second, behind_first, behind_second, after;
  logic [N:0]   ahead_one, ahead_two, behind_one, behind_two;   // bit i: of those below i
  assign {ahead_one[0], ahead_two[0], behind_one[0], behind_two[0]} = '0;
  assign ahead  = req_i & from_q;
  assign behind = req_i & ~from_q;
  gmmu_counted #(.N(N)) u_ahead (
    .one_i(ahead), .two_i({N{1'b0}}), .one_o(ahead_one[N:1]), .two_o(ahead_two[N:1])
  );
  gmmu_counted #(.N(N)) u_behind (
    .one_i(behind), .two_i({N{1'b0}}), .one_o(behind_one[N:1]), .two_o(behind_two[N:1])
  );
  assign ahead_first   = ahead & ~ahead_one[N-1:0];
  assign ahead_second  = ahead & ahead_one[N-1:0] & ~ahead_two[N-1:0];
  assign behind_first  = behind & ~behind_one[N-1:0];
  assign behind_second = behind & behind_one[N-1:0] & ~behind_two[N-1:0];
  assign gnt_o  = ahead_one[N] ? ahead_first : behind_first;
  assign gnt2_o = Second == 0 ? '0 : ahead_two[N] ? ahead_second
                : ahead_one[N] ? behind_first : behind_second;
  // behind the last grant
  assign after = Second == 0 ? (ahead_one[N] ? ahead_one[N-1:0] : behind_one[N-1:0])
               : ahead_two[N] ? ahead_two[N-1:0]
               : ahead_one[N] ? (behind_one[N] ? behind_one[N-1:0] : ahead_one[N-1:0])
               : behind_two[N] ? behind_two[N-1:0] : behind_one[N-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) from_q <= '0;
    else if (take_i & |req_i) from_q <= after;
  end
endmodule
`default_nettype wire
