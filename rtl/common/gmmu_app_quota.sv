// SPDX-License-Identifier: Apache-2.0
// gmmu_app_quota: counts what each application holds of Total equal resources and says who may take
// one more, so that every application that is on can always get its first one.
//
// An application may take one: it holds none and one is free (first_o), or more are free than
// applications that are on hold none (all_o), which is said from the third cycle after reset on.
// Which are on is known two cycles later, and in the cycle in which that changes all_o and two_o
// are 0. two_o: two more are free than that, so that each may still take after a take. may_o is
// first_o or all_o; none_o and one_free_o are first_o in parts. All but may_o and first_o are
// registers. take and give act at the end of the cycle; both may happen in one cycle. Whose a take
// is comes as a one-hot vector, for it may be known late.
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
  output logic [NumApps-1:0] may_o,
  output logic               two_o,
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

  (* mem2reg *) logic [CntW-1:0] held_q [0:NumApps-1];
  logic [CntW-1:0]    free_q;
  logic [NumApps-1:0] none_q;      // holds none
  logic               some_free_q;   // free_q != 0
  logic [NumApps-1:0] last_on_q, older_on_q;   // in the last cycle, in the one before

  assign first_o = none_q & {NumApps{some_free_q}};
  always_ff @(posedge clk_i) begin
    last_on_q  <= on_i;
    older_on_q <= rst_ni ? last_on_q : on_i;
  end

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
`ifdef VERILATOR    // in one vector, only when one is taken or given
  logic [NumApps*CntW-1:0] all_held;
  for (genvar a = 0; a < NumApps; a++) begin : gen_app
    assign held_q[a] = all_held[a*CntW +: CntW];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      none_q   <= {NumApps{1'b1}};
      all_held <= '0;
    end else if (take_i | give_i) begin
      for (int a = 0; a < NumApps; a++) begin
        if ((take_i & take_hot_i[a]) != (give_i & give_hot[a])) begin
          none_q[a] <= give_i & give_hot[a] & held_q[a] == CntW'(1);
          all_held[a*CntW +: CntW] <= give_i & give_hot[a] ? held_q[a] - 1'b1 : held_q[a] + 1'b1;
        end
      end
    end
  end
`else
  for (genvar a = 0; a < NumApps; a++) begin : gen_app
    // Both may be late. One that it takes and gives in a cycle changes nothing.
    logic            take, give, none, none_next;
    logic [CntW-1:0] held, held_next;
    assign take      = take_i & take_hot_i[a];
    assign give      = give_i & give_hot[a];
    assign none_next = give & held == CntW'(1);
    assign held_next = give ? held - 1'b1 : held + 1'b1;
    if (NumApps <= 2) begin : gen_few     // fewer LUTs
      always_ff @(posedge clk_i) begin
        if (!rst_ni) {none, held} <= {1'b1, CntW'(0)};
        else if (take != give) {none, held} <= {none_next, held_next};
      end
    end else begin : gen_many
      gmmu_clkgate #(.Width(1 + CntW)) u_held (
        .clk_i, .en_i(!rst_ni | take != give),
        .d_i(!rst_ni ? {1'b1, CntW'(0)} : {none_next, held_next}), .q_o({none, held})
      );
    end
    assign none_q[a] = none;
    assign held_q[a] = held;
  end
`endif

  // ---- free ones less reserved ones, in three cycles: counted; corrected by what was taken and
  // given in that cycle; compared, for each change that a take and a give can make now: one more
  // or one less.
  localparam int DiffW = CntW + 2;
  logic [NumApps-1:0] last_hot;
  logic [ResW-1:0]    reserved;
  logic [DiffW-1:0]   diff_q;              // in the cycle before, signed
  logic               more_q, less_q;      // by how much it changed in it
  logic [5:0]         was_least;           // it was at least -1 to 4
  logic [3:0]         least;               // it is at least 0 to 3
  logic [1:0]         at_keep, at_take, ahead_q;   // at least 1, 2 then; now
  logic               last, eq, up_keep, up_take, down_take;
  gmmu_count #(.N(NumApps)) u_reserved (.v_i(none_q & last_on_q), .n_o(reserved));
`ifdef VERILATOR
  always_comb begin
    last_hot = '0;
    if (give_i) for (int a = 0; a < NumApps; a++)
      last_hot[a] = held_q[a] == CntW'(1) & give_hot[a];
  end
`else
  for (genvar a = 0; a < NumApps; a++) begin : gen_last
    assign last_hot[a] = give_i & held_q[a] == CntW'(1) & give_hot[a];
  end
`endif
  assign last      = |(last_hot & last_on_q);
  assign eq        = |(take_hot_i & give_hot);
  assign up_keep   = give_i & !last;
  assign up_take   = give_i & !last & !eq;
  assign down_take = (take_hot_i & none_q & last_on_q) == '0 & !(give_i & eq);
  for (genvar i = 0; i < 6; i++) begin : gen_was_least
    assign was_least[i] = $signed(diff_q) >= $signed(DiffW'(i - 1));
  end
  assign least   = more_q ? was_least[3:0] : less_q ? was_least[5:2] : was_least[4:1];
  assign at_keep = up_keep ? least[1:0] : least[2:1];
  assign at_take = up_take == down_take ? least[2:1] : up_take ? least[1:0] : least[3:2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      diff_q  <= '0;
      more_q  <= 1'b0;
      less_q  <= 1'b0;
      ahead_q <= '0;
    end else begin
      diff_q  <= DiffW'(free_q) - DiffW'(reserved);
      more_q  <= take_i ? up_take & !down_take : up_keep;
      less_q  <= take_i & down_take & !up_take;
      ahead_q <= last_on_q != older_on_q ? '0 : take_i ? at_take : at_keep;
    end
  end
  assign may_o      = first_o | {NumApps{ahead_q[0]}};
  assign two_o      = ahead_q[1];
  assign none_o     = none_q;
  assign one_free_o = some_free_q;
  assign all_o      = ahead_q[0];

  `GMMU_ASSERT(app_quota_take_allowed, !(take_i && !some_free_q))
  `GMMU_ASSERT(app_quota_free_is_so, some_free_q == (free_q != '0))
  `GMMU_ASSERT(app_quota_give_held, !(give_i && |(give_hot & none_q)))
endmodule
`default_nettype wire
