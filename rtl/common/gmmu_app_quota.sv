// SPDX-License-Identifier: Apache-2.0
// gmmu_app_quota: counts what each application holds of Total equal resources and says who may take
// one more, so that every application that is on can always get its first one.
//
// An application may take one: it holds none and one is free (first_o), or more are free than
// applications that are on hold none. early_o says so from registers, if on_i is as it was in the
// cycle before; from the second cycle after reset on. early_two_o: two more are free than that, so
// that each may still take after a take. early_o in parts, of which each is a register: all_o, or
// one_free_o and none_o. take and give act at the end of the cycle; both may happen in one cycle.
// Whose a take is comes as a one-hot vector, for it may be known late.
// Legal: Total >= NumApps. Used for MSHRs (docs/l2_tlb.md) and walk slots (docs/walker.md).
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_app_quota #(
  parameter int Total   = 64,
  parameter int NumApps = 8,
  localparam int AppW   = gmmu_pkg::idx_w(NumApps)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [NumApps-1:0] on_i,
  input  logic               take_i,
  input  logic [NumApps-1:0] take_hot_i,    // its application
  input  logic               give_i,
  input  logic [AppW-1:0]    give_app_i,
  output logic [NumApps-1:0] first_o,
  output logic [NumApps-1:0] early_o,
  output logic               early_two_o,
  output logic [NumApps-1:0] none_o,
  output logic               one_free_o,
  output logic               all_o,
  output logic [NumApps*$clog2(Total+1)-1:0] held_o   // by each application
);
  localparam int CntW = $clog2(Total + 1);
  localparam int ResW = $clog2(NumApps + 1);

  if (Total < NumApps) begin : gen_bad_total
    gmmu_app_quota_Total_must_be_at_least_NumApps u_bad();
  end

  logic [CntW-1:0]    held_q [0:NumApps-1];
  logic [CntW-1:0]    free_q;
  logic [NumApps-1:0] none_q;      // holds none
  logic [ResW-1:0]    reserved;
  logic               some_free_q;   // free_q != 0

  gmmu_count #(.N(NumApps)) u_reserved (.v_i(none_q & on_i), .n_o(reserved));
  assign first_o   = none_q & {NumApps{some_free_q}};

  for (genvar a = 0; a < NumApps; a++) begin : gen_held
    assign held_o[a*CntW +: CntW] = held_q[a];
  end

  logic [NumApps-1:0] give_hot;
  assign give_hot = NumApps'(1) << give_app_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_q      <= CntW'(Total);
      some_free_q <= 1'b1;
    end else begin
      if (take_i & !give_i) begin
        free_q      <= free_q - 1'b1;
        some_free_q <= free_q != CntW'(1);
      end
      if (give_i & !take_i) begin
        free_q      <= free_q + 1'b1;
        some_free_q <= 1'b1;
      end
    end
  end
  for (genvar a = 0; a < NumApps; a++) begin : gen_app
    // Whether one is given comes last: what is then, and what is else. One that it takes and gives
    // in a cycle changes nothing.
    logic            take, none_given, none_else;
    logic [CntW-1:0] held_given, held_else;
    assign take       = take_i & take_hot_i[a];
    assign held_else  = take ? held_q[a] + 1'b1 : held_q[a];
    assign none_else  = none_q[a] & !take;
    assign held_given = !give_hot[a] ? held_else : take ? held_q[a] : held_q[a] - 1'b1;
    assign none_given = !give_hot[a] ? none_else : take ? none_q[a] : held_q[a] == CntW'(1);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        none_q[a] <= 1'b1;
        held_q[a] <= '0;
      end else begin
        none_q[a] <= give_i ? none_given : none_else;
        held_q[a] <= give_i ? held_given : held_else;
      end
    end
  end

  // ---- early: free ones are compared with reserved ones a cycle before, for each change that a
  // take and a give can make: one more or one less than now.
  localparam int DiffW = CntW + 2;
  logic [NumApps-1:0] last_hot;
  logic [DiffW-1:0]   diff;                // free less reserved, signed
  logic [3:0]         least;               // it is at least 0, 1, 2, 3
  logic [1:0]         ahead_q;             // at least 1, 2 now
  logic               last, eq, up_keep, up_take, down_take;
  for (genvar a = 0; a < NumApps; a++) begin : gen_last
    assign last_hot[a] = give_i & held_q[a] == CntW'(1) & give_hot[a];
  end
  assign last      = |(last_hot & on_i);
  assign eq        = |(take_hot_i & give_hot);
  assign up_keep   = give_i & !last;
  assign up_take   = give_i & !last & !eq;
  assign down_take = (take_hot_i & none_q & on_i) == '0 & !(give_i & eq);
  assign diff      = DiffW'(free_q) - DiffW'(reserved);
  for (genvar i = 0; i < 4; i++) begin : gen_least
    assign least[i] = $signed(diff) >= $signed(DiffW'(i));
  end
  logic [1:0] at_keep, at_take;
  assign at_keep = up_keep ? least[1:0] : least[2:1];
  assign at_take = up_take == down_take ? least[2:1] : up_take ? least[1:0] : least[3:2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ahead_q <= '0;
    else ahead_q <= take_i ? at_take : at_keep;
  end
  assign early_o     = first_o | {NumApps{ahead_q[0]}};
  assign early_two_o = ahead_q[1];
  assign none_o      = none_q;
  assign one_free_o  = some_free_q;
  assign all_o       = ahead_q[0];

  `GMMU_ASSERT(app_quota_take_allowed, !(take_i && !some_free_q))
  `GMMU_ASSERT(app_quota_free_is_so, some_free_q == (free_q != '0))
  `GMMU_ASSERT(app_quota_give_held, !(give_i && |(give_hot & none_q)))
endmodule
`default_nettype wire
