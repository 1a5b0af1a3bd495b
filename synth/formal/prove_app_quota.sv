// SPDX-License-Identifier: Apache-2.0
// Every application that is on can get its first resource at any time, whatever the others take;
// counts are right.
`default_nettype none
module prove_app_quota #(
  parameter int Total   = 5,
  parameter int NumApps = 3,
  parameter int Covers  = 0,
  localparam int AppW   = $clog2(NumApps),
  localparam int CntW   = $clog2(Total + 1)
) (
  input  logic               clk_i,
  input  logic [NumApps-1:0] any_on,
  input  logic               take_i,
  input  logic [AppW-1:0]    take_app_i,
  input  logic               give_i,
  input  logic [AppW-1:0]    give_app_i
);
  `include "prove.svh"

  logic [NumApps-1:0]      on_q, may, none, first, may_of;
  logic                    two;
  logic [NumApps*CntW-1:0] held;
  gmmu_app_quota #(.Total(Total), .NumApps(NumApps)) u_dut (
    .clk_i, .rst_ni, .on_i(on_q), .take_i, .take_hot_i(NumApps'(1) << take_app_i), .give_i,
    .give_app_i, .first_o(first), .may_o(may_of), .two_o(two),
    .none_o(), .one_free_o(), .all_o(), .held_o(held)
  );
  // Software changes what is on while nothing is under way only (docs/regs.md); here: never.
  always_ff @(posedge clk_i) if (!rst_ni) on_q <= any_on;

  // Counted here.
  logic [CntW-1:0] mine_q [0:NumApps-1];
  logic [31:0]     sum;
  logic [31:0]     without;             // that are on and hold none
  always_comb begin
    sum     = '0;
    without = '0;
    for (int a = 0; a < NumApps; a++) begin
      sum     = sum + 32'(mine_q[a]);
      none[a] = mine_q[a] == '0;
      without = without + 32'(none[a] & on_q[a]);
    end
  end
  // The rule itself.
  assign may = (none & {NumApps{sum < 32'(Total)}}) | {NumApps{32'(Total) - sum > without}};
  always_ff @(posedge clk_i) begin
    for (int a = 0; a < NumApps; a++) begin
      if (!rst_ni) mine_q[a] <= '0;
      else mine_q[a] <= mine_q[a] + CntW'(take_i & take_app_i == AppW'(a)) -
          CntW'(give_i & give_app_i == AppW'(a));
    end
  end
  always_comb begin
    if (rst_ni) begin
      assume (32'(take_app_i) < NumApps & 32'(give_app_i) < NumApps);
      assume (!take_i | (may[take_app_i] & on_q[take_app_i]));
      assume (!give_i | mine_q[give_app_i] != '0);
    end else begin
      assume (!take_i & !give_i);
    end
  end

  logic       two_q;
  logic [2:0] known_q = 3'b000;    // from the third cycle after reset on
  always_ff @(posedge clk_i) begin
    two_q   <= two;
    known_q <= {known_q[1:0] & {2{rst_ni}}, rst_ni};
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni & &known_q) begin
        as_may: assert (may_of == may);
        as_first: assert (first == (none & may));
        after_take: assert (!two_q | (&may));
      end
    end
    for (genvar a = 0; a < NumApps; a++) begin : gen_app
      always_comb begin
        if (rst_ni) begin
          if (on_q[a] & mine_q[a] == '0) assert (may[a]);  // the first one is always there
          assert (held[a*CntW +: CntW] == mine_q[a]);
          if (may[a]) assert (sum < 32'(Total));                      // none is given twice
        end
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c_all_taken: assert (sum != 32'(Total));
        c_refused: assert (!(on_q[0] & !may[0] & sum < 32'(Total)));
        c_last_first: assert (!(take_i & mine_q[take_app_i] == '0 & sum == 32'(Total) - 1));
      end
    end
  end
endmodule
`default_nettype wire
