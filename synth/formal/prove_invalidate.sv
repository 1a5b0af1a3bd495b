// SPDX-License-Identifier: Apache-2.0
// The steps of a command, whatever L1s, L2 and walker do: one mark, then one start of the sweep,
// then, when the L2 has swept and the walker's caches are clear, one start of the L1s, then, when
// no L1 is busy, one acknowledgement; the command is the accepted one all the time. None is taken
// while misses that the last one made stale are not answered. It waits for nobody else: eight
// cycles, and those in which L2, walker, L1s or stale misses keep it.
`default_nettype none
module prove_invalidate #(
  parameter int NumSms = 2,
  parameter int Covers = 0,
  localparam int CmdW  = gmmu_pkg::CMD_FIXED_W + 1
) (
  input  logic              clk_i,
  input  logic              valid_i,
  input  logic [1:0]        cmd_i,          // first and last bit
  input  logic              sweep_done_i,
  input  logic              walk_busy_i,
  input  logic [NumSms-1:0] clear_busy_i,
  input  logic [NumSms:0]   stale_i
);
  `include "prove.svh"

  logic            ready, done, mark_next, mark, sweep_start, clear;
  logic [CmdW-1:0] cmd;
  gmmu_invalidate #(.NumSms(NumSms), .NumAsids(2), .AsidW(1)) u_dut (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .cmd_i({cmd_i[1], {(CmdW-2){1'b0}}, cmd_i[0]}),
    .done_o(done), .cmd_o(cmd), .mark_next_o(mark_next), .mark_o(mark),
    .sweep_start_o(sweep_start), .sweep_done_i, .walk_busy_i, .clear_o(clear), .clear_busy_i,
    .stale_i
  );

  // What has happened to the command that was taken last.
  logic       busy_q, next_q, marked_q, started_sweep_q, swept_q, cleared_q, stale_q, take;
  logic [1:0] cmd_q;
  logic [3:0] steps_q;
  assign take = valid_i && ready;
  always_ff @(posedge clk_i) begin
    stale_q <= rst_ni && stale_i != '0;
    if (!rst_ni || take) begin
      {next_q, marked_q, started_sweep_q, swept_q, cleared_q} <= '0;
      busy_q  <= rst_ni;
      cmd_q   <= cmd_i;
      steps_q <= '0;
    end else begin
      next_q          <= mark_next;
      marked_q        <= marked_q || mark;
      started_sweep_q <= started_sweep_q || sweep_start;
      swept_q         <= swept_q || (started_sweep_q && sweep_done_i);
      cleared_q       <= cleared_q || clear;
      busy_q          <= busy_q && !done;
      // cycles in which nothing keeps it
      if (busy_q && !(started_sweep_q && !cleared_q && !(swept_q || sweep_done_i)) &&
          !(started_sweep_q && !cleared_q && walk_busy_i) && !(cleared_q && clear_busy_i != '0) &&
          !(&steps_q))
        steps_q <= steps_q + 1'b1;
    end
  end
  // One done pulse for each start of a sweep, and not before it.
  logic sweeping_q;
  always_ff @(posedge clk_i) sweeping_q <= rst_ni && (sweep_start || (sweeping_q && !sweep_done_i));
  always_comb begin
    if (!rst_ni) assume (!valid_i && stale_i == '0);
    assume (!sweep_done_i || sweeping_q);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        nothing_of_none: assert (busy_q || !(mark_next || mark || sweep_start || clear || done));
        mark_once:    assert (!mark || (next_q && !marked_q));
        next_marks:   assert (!next_q || mark);
        sweep_once:   assert (!sweep_start || (marked_q && !started_sweep_q));
        clear_once:   assert (!clear || (swept_q && !cleared_q));
        acknowledged: assert (!done || cleared_q);
        one_at_a_time: assert (!busy_q || !ready);
        command:      assert (!busy_q || (cmd[CmdW-1] == cmd_q[1] && cmd[0] == cmd_q[0]));
        not_while_stale: assert (!ready || !stale_q);
        taken:        assert (busy_q || stale_q || ready);
        progress:     assert (32'(steps_q) <= 8);
      end
    end
    // The L2's sweep and the walker's are over before the L1s start; the L1s' before the end.
    logic walk_q, l1_q;
    always_ff @(posedge clk_i) {walk_q, l1_q} <= {walk_busy_i, clear_busy_i != '0};
    always_comb if (rst_ni) walker_is_clear: assert (!clear || !walk_q);
    always_comb if (rst_ni) l1s_are_clear: assert (!done || !l1_q);
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(done && cmd_q == 2'b11));
    always_comb if (rst_ni) assert (!(swept_q && walk_busy_i && !cleared_q));
    always_comb if (rst_ni) assert (!(cleared_q && clear_busy_i == '1));
    always_comb if (rst_ni) assert (!(valid_i && stale_q && !busy_q));
    always_comb if (rst_ni) assert (32'(steps_q) != 7);
  end
endmodule
`default_nettype wire
