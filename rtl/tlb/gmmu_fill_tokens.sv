// SPDX-License-Identifier: Apache-2.0
// gmmu_fill_tokens: which warps may fill the L2 TLB: epochs, miss rate per application, active
// warps per SM, tokens. Rules, timing and observation port: docs/fill_tokens.md. Source: MASK
// section 5.2.
//
// Legal: WarpW 1..8; pulses of epoch_i at least gmmu_pkg::least_epoch() cycles apart.
`default_nettype none
module gmmu_fill_tokens #(
  parameter int NumSms      = 30,
  parameter int NumAsids    = 8,
  parameter int AsidW       = 9,
  parameter int WarpW       = 8,
`include "gmmu_mmu_options.svh"
  localparam int SmW        = gmmu_pkg::idx_w(NumSms),
  localparam int CtxW       = gmmu_pkg::idx_w(NumAsids)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    epoch_i,    // pulse: an epoch ends
  // settings; they count as an application's turn begins, free_i at once
  input  logic                    free_i,     // every warp may fill
  // an application's first tokens: percent of its warps, 0..100
  input  logic [6:0]              start_i,
  input  logic [2:0]              step_i,     // log2: a step is one in 2^step_i warps, at least one
  // percentage points of miss rate that ask for a step, 0..100
  input  logic [6:0]              points_i,
  // requests accepted from the SMs
  input  logic [NumSms-1:0]       req_i,
  input  logic [NumSms*AsidW-1:0] req_asid_i,
  input  logic [NumSms*WarpW-1:0] req_warp_i,
  // lookups that ended in the L2, one per port
  input  logic [1:0]              look_i,
  input  logic [1:0]              look_hit_i,
  input  logic [2*CtxW-1:0]       look_app_i,
  // does this warp hold a token? asked two cycles before
  input  logic [SmW-1:0]          sm_i,
  input  logic [WarpW-1:0]        warp_i,
  output logic                    holds_o,
  output logic [gmmu_pkg::OBS_TOKEN_W-1:0] obs_o
);
  localparam int Warps  = 1 << WarpW;
  localparam int Group  = gmmu_pkg::token_group(WarpW);
  localparam int TokW   = $clog2(NumSms * Warps + 1);
  localparam int CountW = $clog2(Group + 1);
  localparam int StepW  = $clog2(gmmu_pkg::TOKEN_TURN);

  if (WarpW < 1 || WarpW > 8) begin : gen_bad_warp
    gmmu_fill_tokens_WarpW_must_be_1_to_8 u_bad();
  end

  // ---------------------------------------------------------------- phases after the pulse
  typedef enum logic [2:0] {
    ST_IDLE, ST_READ, ST_COUNT, ST_ADD, ST_CHANGE, ST_MARK, ST_REPLACE
  } state_t;
  state_t            state_q;
  logic [StepW-1:0]  step_q;
  logic [SmW-1:0]    at_sm_q;            // SM that is counted, or whose bit is looked at
  logic [WarpW-1:0]  at_warp_q, warp_q;  // warp whose bit is looked at; first of a word, or next
  logic [CtxW-1:0]   app_q, ahead_q;     // application of this cycle, of the next
  logic [CtxW-1:0]   fetch_app_q;        // of the next turn
  logic              counting, changing, mark, first, last, last_sm, last_app, fetch, load, turn;
  assign counting = state_q == ST_COUNT;
  assign changing = state_q == ST_CHANGE;
  assign mark     = state_q == ST_MARK;
  assign last_sm  = at_sm_q == SmW'(NumSms - 1);
  assign first    = changing & step_q == '0;
  assign last     = changing & step_q == StepW'(gmmu_pkg::TOKEN_TURN - 1);
  assign last_app = app_q == CtxW'(NumAsids - 1);
  // the cycle before a turn; before the bits of a warp
  assign fetch    = (state_q == ST_ADD & step_q[0]) | last;
  assign load     = (last & last_app) | (mark & last_sm);
  // The SMs' applications pass by two cycles ahead of their bits.
  assign turn     = counting | mark |
      (changing & last_app & step_q >= StepW'(gmmu_pkg::TOKEN_TURN - 2));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= ST_IDLE;
      step_q      <= '0;
      at_sm_q     <= '0;
      warp_q      <= '0;
      fetch_app_q <= '0;
    end else begin
      case (state_q)
        ST_READ: state_q <= ST_COUNT;
        ST_COUNT: begin
          at_sm_q <= last_sm ? '0 : at_sm_q + 1'b1;
          if (last_sm) begin
            warp_q <= warp_q + WarpW'(Group);
            if (&(warp_q | WarpW'(Group - 1))) state_q <= ST_ADD;
          end
        end
        ST_ADD: begin
          step_q <= step_q[0] ? '0 : StepW'(1);
          if (step_q[0]) state_q <= ST_CHANGE;
        end
        ST_CHANGE: begin
          step_q <= last ? '0 : step_q + 1'b1;
          if (last & last_app) state_q <= ST_MARK;
        end
        ST_MARK: begin
          at_sm_q <= last_sm ? '0 : at_sm_q + 1'b1;
          if (last_sm & (&at_warp_q)) state_q <= ST_REPLACE;
        end
        ST_REPLACE: begin
          step_q <= step_q[0] ? '0 : StepW'(1);
          if (step_q[0]) state_q <= ST_IDLE;
        end
        default: ;
      endcase
      if (load) warp_q <= warp_q + 1'b1;
      if (fetch) fetch_app_q <= fetch_app_q + 1'b1;
      if (epoch_i) begin
        state_q     <= ST_READ;
        step_q      <= '0;
        at_sm_q     <= '0;
        warp_q      <= '0;
        fetch_app_q <= '0;
      end
    end
  end

  // ---------------------------------------------------------------- active warps
  logic [NumSms*Group-1:0] words;
  logic [NumSms-1:0]       there, active;
  logic [CtxW-1:0]         next_app;
  logic [WarpW-1:0]        read_warp;
  assign read_warp = warp_q + (mark | changing ? WarpW'(1) : counting ? WarpW'(Group) : '0);
  gmmu_tokens_warps #(.NumSms(NumSms), .NumAsids(NumAsids), .AsidW(AsidW), .WarpW(WarpW)) u_warps (
    .clk_i, .rst_ni, .pulse_i(epoch_i), .req_i, .req_asid_i, .req_warp_i,
    .read_i(state_q == ST_READ | (counting & last_sm) | state_q == ST_ADD | load),
    .read_warp_i(read_warp), .warp_i(warp_q), .words_o(words), .there_o(there), .active_o(active),
    .turn_i(turn), .app_o(next_app)
  );

  // A word of an SM, its active warps, its application's W: a cycle each.
  logic [Group-1:0]  word_q;
  logic [CountW-1:0] count, count_q;
  logic              word_on_q, count_on_q;
  gmmu_count #(.N(Group)) u_count (.v_i(word_q), .n_o(count));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {word_on_q, count_on_q} <= '0;
    else {word_on_q, count_on_q} <= {counting, word_on_q};
  end
  always_ff @(posedge clk_i) begin
    if (counting) word_q <= there[at_sm_q] ? words[at_sm_q*Group +: Group] : '0;
    count_q <= count;
    ahead_q <= turn ? next_app : fetch_app_q;
    if (!changing | last) app_q <= ahead_q;
  end

  // ---------------------------------------------------------------- applications
  logic [15:0]       hits, misses;
  logic [TokW-1:0]   tokens, changed;      // after the turn: of W warps
  logic              up;
  gmmu_tokens_counters #(.NumAsids(NumAsids)) u_counters (
    .clk_i, .rst_ni, .pulse_i(epoch_i), .look_i, .look_hit_i, .look_app_i, .app_i(fetch_app_q),
    .hits_o(hits), .misses_o(misses)
  );
  // W of each, from its turn on the tokens that are left to give; pool_q is that of app_q.
  logic [NumAsids*TokW-1:0] pools;
  logic [TokW-1:0]          pool_q, pool_d;
  logic                     gets, pool_on;
  assign pool_on = count_on_q | last | (mark & gets);
  assign pool_d  = last ? tokens : pool_q + (count_on_q ? TokW'(count_q) : '1);
  always_ff @(posedge clk_i) begin
    pool_q <= pool_on & ahead_q == app_q ? pool_d : pools[ahead_q*TokW +: TokW];
  end
  for (genvar a = 0; a < NumAsids; a++) begin : gen_pool
    gmmu_clkgate #(.Width(TokW)) u_pool (
      .clk_i, .en_i(epoch_i | (pool_on & app_q == CtxW'(a))), .d_i(epoch_i ? '0 : pool_d),
      .q_o(pools[a*TokW +: TokW])
    );
  end
  gmmu_tokens_change #(.NumAsids(NumAsids), .TokW(TokW)) u_change (
    .clk_i, .rst_ni, .fetch_i(fetch), .fetch_app_i(fetch_app_q), .hits_i(hits), .misses_i(misses),
    .first_i(first), .last_i(last), .step_i(step_q), .app_i(app_q), .active_i(pool_q), .start_i,
    .shift_i(step_i), .points_i, .tokens_o(tokens), .active_o(changed), .up_o(up)
  );

  // ---------------------------------------------------------------- marks
  // The bits of a warp pass by, and become its marks.
  logic [NumSms-1:0] bits_q, marks, held;
  logic              half_q, free_q, holds_q;    // half of the RAM that is in force
  logic [SmW-1:0]    asked_sm_q;
  assign gets = bits_q[0] & pool_q != '0;
  if (NumSms > 1) begin : gen_marks
    assign marks = {gets, bits_q[NumSms-1:1]};
  end else begin : gen_mark
    assign marks = gets;
  end
  gmmu_ram #(.Width(NumSms), .Depth(2 * Warps)) u_marks (
    .clk_i, .we_i(mark & last_sm), .waddr_i({!half_q, at_warp_q}), .wdata_i(marks),
    .re_i(1'b1), .raddr_i({half_q, warp_i}), .rdata_o(held)
  );
  always_ff @(posedge clk_i) begin
    if (load) at_warp_q <= warp_q;
    if (load | mark) bits_q <= load ? active : marks;
    asked_sm_q    <= sm_i;
    holds_q <= held[asked_sm_q];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      half_q <= 1'b0;
      free_q <= 1'b1;
    end else begin
      half_q <= half_q ^ (mark & last_sm & (&at_warp_q));
      if (state_q == ST_REPLACE & step_q[0]) free_q <= 1'b0;
    end
  end
  assign holds_o = free_q | free_i | holds_q;

  if (Obs != 0) begin : gen_obs
    gmmu_fill_tokens_obs #(.CtxW(CtxW), .SmW(SmW), .WarpW(WarpW), .TokW(TokW)) u_obs (
      .clk_i, .rst_ni, .pulse_i(epoch_i), .replace_i(state_q == ST_REPLACE & step_q[0]),
      .mark_i(mark), .gets_i(mark & gets), .sm_i(at_sm_q), .warp_i(at_warp_q), .change_i(last),
      .app_i(app_q), .tokens_i(tokens), .active_i(changed), .up_i(up), .obs_o
    );
  end else begin : gen_no_obs
    logic unused_obs;
    assign unused_obs = ^{changed, up};
    assign obs_o = '0;
  end
endmodule
`default_nettype wire
