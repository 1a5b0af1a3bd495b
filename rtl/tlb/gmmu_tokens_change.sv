// SPDX-License-Identifier: Apache-2.0
// gmmu_tokens_change: the turn of one application at an epoch's end: how many tokens it has. Rules
// and steps: docs/fill_tokens.md.
//
// fetch_i is the cycle before a turn, step_i its cycles, from 0 on; the result is there in the last
// one, in which last_i is 1. What an application had before lies in a RAM; what it says is not used
// before it was written (started_q).
`default_nettype none
module gmmu_tokens_change #(
  parameter int NumAsids = 8,
  parameter int TokW     = 13,
  localparam int StepW   = $clog2(gmmu_pkg::TOKEN_TURN),
  localparam int CtxW    = gmmu_pkg::idx_w(NumAsids)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             fetch_i,
  input  logic [CtxW-1:0]  fetch_app_i,   // with fetch_i: whose turn is next
  input  logic [15:0]      hits_i,        // ... its counts
  input  logic [15:0]      misses_i,
  input  logic             first_i,       // step 0
  input  logic             last_i,        // the last step
  input  logic [StepW-1:0] step_i,
  input  logic [CtxW-1:0]  app_i,
  input  logic [TokW-1:0]  active_i,      // in step 0: W
  // settings: as they are in step 0
  input  logic [6:0]       start_i,
  input  logic [2:0]       shift_i,       // log2
  input  logic [6:0]       points_i,
  // in the last step
  output logic [TokW-1:0]  tokens_o,
  output logic [TokW-1:0]  active_o,
  output logic             up_o
);
  localparam int OldW   = TokW + 16 + 17;
  localparam int MovedW = TokW + 2;

  // ---- this epoch and the one before: counts, W, tokens, settings
  logic [15:0]     hits_q, misses_q, old_misses;
  logic [16:0]     sum_q, old_sum;
  logic [TokW-1:0] old_tokens, tokens_q, active_q;
  logic [6:0]      start_q, points_q;
  logic [2:0]      shift_q;
  gmmu_ram #(.Width(OldW), .Depth(NumAsids)) u_old (
    .clk_i, .we_i(last_i), .waddr_i(app_i), .wdata_i({tokens_o, misses_q, sum_q}),
    .re_i(fetch_i), .raddr_i(fetch_app_i), .rdata_o({old_tokens, old_misses, old_sum})
  );
  always_ff @(posedge clk_i) begin
    sum_q <= {1'b0, hits_q} + {1'b0, misses_q};
    if (fetch_i) begin
      hits_q   <= hits_i;
      misses_q <= misses_i;
    end
    if (first_i) begin
      tokens_q <= old_tokens;
      active_q <= active_i;
      start_q  <= start_i;
      shift_q  <= shift_i;
      points_q <= points_i;
    end
  end

  logic rises, falls;
  gmmu_tokens_rate u_rate (
    .clk_i, .clear_i(first_i), .old_misses_i(old_misses), .old_sum_i(old_sum),
    .misses_i(misses_q), .sum_i(sum_q), .points_i(points_q), .rises_o(rises), .falls_o(falls)
  );

  // ---- first tokens: floor(start W / 100), a bit of W a step, highest first
  logic            divides;
  logic [TokW-1:0] bits_q, first_q;
  logic [6:0]      rest_q;     // 0..99
  logic [8:0]      rest;
  assign divides = step_i != '0 & step_i <= StepW'(TokW);
  assign rest    = {1'b0, rest_q, 1'b0} + (bits_q[TokW-1] ? 9'(start_q) : '0);
  always_ff @(posedge clk_i) begin
    if (first_i) begin
      bits_q  <= active_i;
      first_q <= '0;
      rest_q  <= '0;
    end else if (divides) begin
      bits_q <= bits_q << 1;
      if (rest >= 9'd200) begin
        rest_q  <= 7'(rest - 9'd200);
        first_q <= (first_q << 1) + TokW'(2);
      end else if (rest >= 9'd100) begin
        rest_q  <= 7'(rest - 9'd100);
        first_q <= (first_q << 1) + TokW'(1);
      end else begin
        rest_q  <= 7'(rest);
        first_q <= first_q << 1;
      end
    end
  end

  // ---- a step up or down, then 1..W
  logic [NumAsids-1:0] started_q, rising_q, app_hot;
  logic                started, none, low, high;
  logic [TokW-1:0]     part, step_q, tokens;
  logic [MovedW-1:0]   by, moved_q;   // signed
  logic                rises_q, falls_q;
  assign part = active_q >> shift_q;
  assign by   = MovedW'(step_q);
  always_ff @(posedge clk_i) begin
    step_q    <= part == '0 ? TokW'(1) : part;
    rises_q <= rises;
    falls_q <= falls;
    moved_q <= MovedW'(tokens_q) + (rises ? ~by : falls ? by : '0) + MovedW'(rises);
  end
  assign app_hot = NumAsids'(1) << app_i;
  assign started = |(started_q & app_hot);
  assign none    = active_q == '0;
  assign tokens = started ? moved_q[TokW-1:0] : first_q;
  assign low    = started ? moved_q[MovedW-1] | moved_q == '0 : first_q == '0;
  assign high   = started & !moved_q[MovedW-1] & moved_q[TokW:0] > {1'b0, active_q};
  always_comb begin
    if (none) tokens_o = '0;
    else if (low) tokens_o = TokW'(1);
    else if (high) tokens_o = active_q;
    else tokens_o = tokens;
  end
  assign active_o = active_q;
  assign up_o     = !none & started & (rises_q | falls_q) ? falls_q : |(rising_q & app_hot);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      started_q <= '0;
      rising_q  <= '0;
    end else if (last_i) begin
      started_q <= none ? started_q & ~app_hot : started_q | app_hot;
      rising_q  <= up_o ? rising_q | app_hot : rising_q & ~app_hot;
    end
  end
endmodule
`default_nettype wire
