// SPDX-License-Identifier: Apache-2.0
// gmmu_invalidate: runs one invalidation command at a time through its steps: mark, sweep L2 and
// drain, clear L1s, acknowledge. Why this order, and when the next command is taken:
// docs/invalidate.md.
//
// cmd_o holds from the cycle before the mark (mark_next_o) to the acknowledgement; its ASID has the
// bits that contexts need, and a command for an ASID that has no context is one for nothing, which
// takes as long. Latency: a few cycles more than the L2's sweep and drain plus the L1s' sweep.
`default_nettype none
module gmmu_invalidate #(
  parameter int NumSms   = 30,
  parameter int NumAsids = 8,
  parameter int AsidW    = 9,
  localparam int CtxW    = gmmu_pkg::idx_w(NumAsids),
  localparam int InW     = gmmu_pkg::CMD_FIXED_W + AsidW,
  localparam int CmdW    = gmmu_pkg::CMD_FIXED_W + CtxW
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [InW-1:0]    cmd_i,         // {kind, ASID, first VFN, last VFN}
  output logic              done_o,        // pulse: acknowledged
  output logic [CmdW-1:0]   cmd_o,
  output logic              mark_next_o,   // the cycle before the mark
  output logic              mark_o,        // pulse to the L1s, the L2 and the walker
  output logic              sweep_start_o, // pulse to the L2
  input  logic              sweep_done_i,  // pulse from the L2: swept and drained
  input  logic              walk_busy_i,   // the walker's caches are being cleared
  output logic              clear_o,       // pulse to the L1s
  input  logic [NumSms-1:0] clear_busy_i,
  // misses of L1s and L2 that the last command made stale are not answered
  input  logic [NumSms:0]   stale_i
);
  localparam logic [2:0] ST_IDLE  = 3'd0;
  localparam logic [2:0] ST_LOAD  = 3'd1;  // one cycle: what the command matches is looked for
  localparam logic [2:0] ST_MARK  = 3'd2;
  localparam logic [2:0] ST_SWEEP = 3'd3;  // one cycle: starts the sweep
  localparam logic [2:0] ST_L2    = 3'd4;
  localparam logic [2:0] ST_CLEAR = 3'd5;  // one cycle: starts the L1s
  localparam logic [2:0] ST_L1    = 3'd6;
  localparam logic [2:0] ST_DONE  = 3'd7;

  logic [2:0]      state_q, state_d;
  logic [CmdW-1:0] cmd_q;
  logic            swept_q;   // the L2 is done, the walker not yet
  logic            stale_q;

  always_comb begin
    state_d = state_q;
    case (state_q)
      ST_IDLE:  if (valid_i & ready_o) state_d = ST_LOAD;
      ST_LOAD:  state_d = ST_MARK;
      ST_MARK:  state_d = ST_SWEEP;
      ST_SWEEP: state_d = ST_L2;
      ST_L2:    if ((sweep_done_i | swept_q) & !walk_busy_i) state_d = ST_CLEAR;
      ST_CLEAR: state_d = ST_L1;
      ST_L1:    if (clear_busy_i == '0) state_d = ST_DONE;
      default:  state_d = ST_IDLE;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ST_IDLE;
      swept_q <= 1'b0;
      stale_q <= 1'b0;
    end else begin
      state_q <= state_d;
      swept_q <= state_q == ST_L2 & (sweep_done_i | swept_q);
      stale_q <= |stale_i;
    end
  end

  logic [1:0]       kind;
  logic [AsidW-1:0] asid;
  logic [71:0]      range;
  logic             known, all;
  assign {kind, asid, range} = cmd_i;
  if ((1 << AsidW) > NumAsids) begin : gen_known
    assign known = asid < AsidW'(NumAsids);
  end else begin : gen_all_known
    assign known = 1'b1;
  end
  assign all = kind != gmmu_pkg::INV_ASID & kind != gmmu_pkg::INV_RANGE;
  always_ff @(posedge clk_i) if (valid_i & ready_o)
      cmd_q <= {all ? gmmu_pkg::INV_ALL : known ? kind : gmmu_pkg::INV_NONE, CtxW'(asid),
                known ? range : {36'hF_FFFF_FFFF, 36'd0}};

  // What the last command restarted must end before the next one may restart it again.
  assign ready_o       = state_q == ST_IDLE & !stale_q;
  assign mark_next_o   = state_q == ST_LOAD;
  assign mark_o        = state_q == ST_MARK;
  assign sweep_start_o = state_q == ST_SWEEP;
  assign clear_o       = state_q == ST_CLEAR;
  assign done_o        = state_q == ST_DONE;
  assign cmd_o         = cmd_q;
endmodule
`default_nettype wire
