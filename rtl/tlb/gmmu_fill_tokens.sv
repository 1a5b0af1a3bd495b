// SPDX-License-Identifier: Apache-2.0
// gmmu_fill_tokens: which warps may fill the L2 TLB: epochs, miss rate per application, active
// warps per SM, tokens. Rules, timing and observation port: docs/fill_tokens.md. Source: MASK
// section 5.2.
//
// Legal: WarpW 1..8; pulses of epoch_i more than 2 + NumSms + NumAsids + NumSms * 2^WarpW cycles
// apart.
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
  // settings; they count when an application's tokens change
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
  // does this warp hold a token? combinational
  input  logic [SmW-1:0]          sm_i,
  input  logic [WarpW-1:0]        warp_i,
  output logic                    holds_o,
  output logic [gmmu_pkg::OBS_TOKEN_W-1:0] obs_o
);
  localparam int Warps  = 1 << WarpW;
  localparam int CountW = WarpW + 1;                        // active warps of an SM
  localparam int TokW   = $clog2(NumSms * Warps + 1);

  if (WarpW < 1 || WarpW > 8) begin : gen_bad_warp
    gmmu_fill_tokens_WarpW_must_be_1_to_8 u_bad();
  end
  // ---------------------------------------------------------------- epochs
  logic pulse;
  assign pulse = epoch_i;

  // Phases after the pulse: SMs are counted, applications changed, bits looked at, marks replaced.
  typedef enum logic [2:0] {ST_IDLE, ST_COUNT, ST_CHANGE, ST_MARK, ST_REPLACE} state_t;
  state_t            state_q;
  logic [SmW-1:0]    at_sm_q;       // SM that is counted, or whose bit is looked at
  logic [CtxW-1:0]   app_q;
  logic [WarpW-1:0]  warp_q;
  logic              last_sm;
  assign last_sm = at_sm_q == SmW'(NumSms - 1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ST_IDLE;
      at_sm_q <= '0;
      app_q   <= '0;
      warp_q  <= '0;
    end else begin
      case (state_q)
        ST_COUNT: begin
          at_sm_q <= last_sm ? '0 : at_sm_q + 1'b1;
          if (last_sm) state_q <= ST_CHANGE;
        end
        ST_CHANGE: begin
          app_q <= app_q + 1'b1;
          if (app_q == CtxW'(NumAsids - 1)) state_q <= ST_MARK;
        end
        ST_MARK: begin
          at_sm_q <= last_sm ? '0 : at_sm_q + 1'b1;
          if (last_sm) warp_q <= warp_q + 1'b1;
          if (last_sm & (&warp_q)) state_q <= ST_REPLACE;
        end
        ST_REPLACE: state_q <= ST_IDLE;
        default: ;
      endcase
      if (pulse) begin
        state_q <= ST_COUNT;
        at_sm_q <= '0;
        app_q   <= '0;
        warp_q  <= '0;
      end
    end
  end

  // --------------------------------------------------- SMs: active warps, bits being marked, marks
  logic [NumSms-1:0]        bit_now, holds;
  logic [NumSms*CountW-1:0] counts;
  logic [NumSms*CtxW-1:0]   apps;
  logic                     mark, gets, free_q;
  assign mark = state_q == ST_MARK;
  for (genvar s = 0; s < NumSms; s++) begin : gen_sm
    logic [Warps-1:0]  active_q, marked_q, holds_q;
    logic [CountW-1:0] count_q, counted_q;
    logic [CtxW-1:0]   owner_q, marked_app_q;
    logic [AsidW-1:0]  asid;
    logic [WarpW-1:0]  warp;
    logic              known, use_bit, new_bit;
    assign asid = req_asid_i[s*AsidW +: AsidW];
    assign warp = req_warp_i[s*WarpW +: WarpW];
    if ((1 << AsidW) > NumAsids) begin : gen_range
      assign known = asid < AsidW'(NumAsids);
    end else begin : gen_no_range
      assign known = 1'b1;
    end
    // A warp counts in an epoch with its first request: in the cycle of the pulse in the new one.
    assign use_bit = req_i[s] & known;
    assign new_bit = use_bit & (pulse | !active_q[warp]);
    assign bit_now[s] = marked_q[warp_q];
    assign holds[s]   = holds_q[warp_i];
    assign counts[s*CountW +: CountW] = counted_q;
    assign apps[s*CtxW +: CtxW]       = marked_app_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        active_q     <= '0;
        count_q      <= '0;
        owner_q      <= '0;
      end else begin
        if (pulse) active_q <= '0;
        if (use_bit) active_q[warp] <= 1'b1;
        count_q <= (pulse ? '0 : count_q) + CountW'(new_bit);
        if (use_bit) owner_q <= CtxW'(asid);
      end
    end
    // Marks are made in a copy, an SM at a time, while fills go by those of the epoch before.
    always_ff @(posedge clk_i) begin
      if (pulse) begin
        marked_q     <= active_q;
        counted_q    <= count_q;
        marked_app_q <= owner_q;
      end else if (mark & at_sm_q == SmW'(s)) begin
        marked_q[warp_q] <= gets;
      end
      if (state_q == ST_REPLACE) holds_q <= marked_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) free_q <= 1'b1;
    else if (state_q == ST_REPLACE) free_q <= 1'b0;
  end
  assign holds_o = free_q | free_i | holds[sm_i];

  // ---------------------------------------------------------------- applications
  logic [CtxW-1:0]   now_app;     // of the SM in at_sm_q
  logic [CountW-1:0] now_count;
  assign now_app   = apps[at_sm_q*CtxW +: CtxW];
  assign now_count = counts[at_sm_q*CountW +: CountW];

  logic [15:0]       hits_q   [0:NumAsids-1];
  logic [15:0]       misses_q [0:NumAsids-1];
  logic [15:0]       last_hits_q   [0:NumAsids-1];
  logic [15:0]       last_misses_q [0:NumAsids-1];
  logic [15:0]       prev_hits_q   [0:NumAsids-1];
  logic [15:0]       prev_misses_q [0:NumAsids-1];
  logic [TokW-1:0]   warps_q  [0:NumAsids-1];
  logic [TokW-1:0]   tokens_q [0:NumAsids-1];
  logic [TokW-1:0]   left_q   [0:NumAsids-1];
  logic [NumAsids-1:0] started_q, rising_q;
  for (genvar a = 0; a < NumAsids; a++) begin : gen_app
    logic        on0, on1;
    logic [1:0]  add_hits, add_misses;
    logic [15:0] hits, misses, base_hits, base_misses;
    logic        full;
    assign on0 = look_i[0] & look_app_i[CtxW-1:0] == CtxW'(a);
    assign on1 = look_i[1] & look_app_i[2*CtxW-1:CtxW] == CtxW'(a);
    assign add_hits    = {1'b0, on0 & look_hit_i[0]} + {1'b0, on1 & look_hit_i[1]};
    assign add_misses  = {1'b0, on0 & !look_hit_i[0]} + {1'b0, on1 & !look_hit_i[1]};
    assign base_hits   = pulse ? '0 : hits_q[a];
    assign base_misses = pulse ? '0 : misses_q[a];
    // One of the two would pass 65,535: both are halved first.
    assign full   = (&base_hits[15:1] & (base_hits[0] ? add_hits != '0 : add_hits == 2'd2)) |
                    (&base_misses[15:1] & (base_misses[0] ? add_misses != '0 : add_misses == 2'd2));
    assign hits   = (full ? {1'b0, base_hits[15:1]} : base_hits) + 16'(add_hits);
    assign misses = (full ? {1'b0, base_misses[15:1]} : base_misses) + 16'(add_misses);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        hits_q[a]        <= '0;
        misses_q[a]      <= '0;
        last_hits_q[a]   <= '0;
        last_misses_q[a] <= '0;
        prev_hits_q[a]   <= '0;
        prev_misses_q[a] <= '0;
      end else begin
        hits_q[a]   <= hits;
        misses_q[a] <= misses;
        if (pulse) begin
          last_hits_q[a]   <= hits_q[a];
          last_misses_q[a] <= misses_q[a];
          prev_hits_q[a]   <= last_hits_q[a];
          prev_misses_q[a] <= last_misses_q[a];
        end
      end
    end
  end

  // Change of one application: no divider.
  logic              changing, up, down, none, rises, falls;
  logic [15:0]       m, m_old;
  logic [16:0]       t, t_old;
  logic [32:0]       new_rate, old_rate;   // m t', m' t
  logic [33:0]       rate_diff;            // their difference, signed
  logic [40:0]       diff100, limit;
  logic [TokW-1:0]   w, tokens, step, start, next;
  logic [TokW:0]     sum;
  assign changing = state_q == ST_CHANGE;
  assign m        = last_misses_q[app_q];
  assign m_old    = prev_misses_q[app_q];
  assign t        = {1'b0, m} + {1'b0, last_hits_q[app_q]};
  assign t_old    = {1'b0, m_old} + {1'b0, prev_hits_q[app_q]};
  assign new_rate = 33'(m) * 33'(t_old);
  assign old_rate = 33'(m_old) * 33'(t);
  assign rises    = new_rate > old_rate;
  assign falls    = old_rate > new_rate;
  assign rate_diff = rises ? {1'b0, new_rate} - {1'b0, old_rate} :
      {1'b0, old_rate} - {1'b0, new_rate};
  assign diff100  = 41'(rate_diff) * 41'd100;
  assign limit    = 41'(34'(t) * 34'(t_old)) * 41'(points_i);
  assign none     = t == '0 | t_old == '0;
  assign down     = !none & rises & diff100 > limit;
  assign up       = !none & falls & diff100 > limit;
  assign w        = warps_q[app_q];
  assign tokens   = tokens_q[app_q];
  assign step     = (w >> step_i) == '0 ? TokW'(1) : w >> step_i;
  assign start    = TokW'((43'(w) * 43'(start_i) * 43'd2684355) >> 28);   // / 100, exact up to 2^21
  assign sum      = down ? (tokens > step ? {1'b0, tokens - step} : '0)
                    : up ? {1'b0, tokens} + {1'b0, step} : {1'b0, tokens};
  always_comb begin
    if (!started_q[app_q]) next = start;
    else next = sum > {1'b0, w} ? w : sum[TokW-1:0];
    if (next == '0) next = TokW'(1);
    if (w == '0) next = '0;
  end
  logic [NumAsids-1:0] app_hot;
  assign app_hot = NumAsids'(1) << app_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      started_q <= '0;
      rising_q  <= '0;
    end else if (changing) begin
      started_q <= w != '0 ? started_q | app_hot : started_q & ~app_hot;
      if (w != '0 & started_q[app_q] & (up | down)) rising_q <= up ? rising_q | app_hot : rising_q &
          ~app_hot;
    end
  end

  assign gets = bit_now[at_sm_q] & left_q[now_app] != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int a = 0; a < NumAsids; a++) begin
        warps_q[a]  <= '0;
        tokens_q[a] <= '0;
        left_q[a]   <= '0;
      end
    end else if (pulse) begin
      for (int a = 0; a < NumAsids; a++) warps_q[a] <= '0;
    end else if (state_q == ST_COUNT) begin
      warps_q[now_app] <= warps_q[now_app] + TokW'(now_count);
    end else if (changing) begin
      tokens_q[app_q] <= next;
      left_q[app_q]   <= next;
    end else if (mark & gets) begin
      left_q[now_app] <= left_q[now_app] - 1'b1;
    end
  end

  if (Obs != 0) begin : gen_obs
    gmmu_fill_tokens_obs #(.CtxW(CtxW), .SmW(SmW), .WarpW(WarpW), .TokW(TokW)) u_obs (
      .clk_i, .rst_ni, .pulse_i(pulse), .replace_i(state_q == ST_REPLACE), .mark_i(mark),
      .gets_i(mark & gets), .sm_i(at_sm_q), .warp_i(warp_q), .change_i(changing), .app_i(app_q),
      .tokens_i(next), .active_i(w),
      .up_i((w != '0 & started_q[app_q] & (up | down)) ? up : rising_q[app_q]), .obs_o
    );
  end else begin : gen_no_obs
    assign obs_o = '0;
  end
endmodule
`default_nettype wire
