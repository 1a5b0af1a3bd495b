// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_input: data requests in front of the queues of one DRAM channel, in order of age: half
// of the places for the application that has the silver turn, half for all others, so that neither
// class waits for the other. Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// ready_o is for a request of app_i and no function of valid_i. Out: the oldest request whose class
// has room and that no older one to its line precedes, chosen among the registers; it leaves with
// pop_i. Legal: LineW 1..ReqW; the line is the highest LineW bits of a request.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_input #(
  parameter int AppW  = 3,
  parameter int LineW = 25,
  parameter int ReqW  = 42
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            valid_i,
  output logic            ready_o,
  input  logic [AppW-1:0] app_i,
  input  logic [ReqW-1:0] req_i,
  input  logic            turn_i,        // turn_app_i has the silver turn
  input  logic [AppW-1:0] turn_app_i,
  input  logic            passes_i,      // from the next cycle on next_app_i has it
  input  logic [AppW-1:0] next_app_i,
  input  logic            silver_room_i,
  input  logic            normal_room_i,
  output logic            valid_o,
  output logic            silver_o,
  output logic [ReqW-1:0] req_o,
  input  logic            pop_i
);
  localparam int N = 4;

  logic [N-1:0]      valid_q, holder, others, older, may, sel, keep, put_at;
  logic [N-1:0]      holds_q, holds, is_in; // of the turn's application; is_in: for req_i's line
  logic [N*N-1:0]    same_q;                // [i*N+k]: its line is that of the older k
  logic [N*AppW-1:0] app_q;
  logic [N*ReqW-1:0] req_q;
  logic              push, in_holder;

  `include "gmmu_first.svh"

  // More than one bit of v.
  function automatic logic many(input logic [N-1:0] v);
    begin
      many = (v & (v - N'(1))) != '0;
    end
  endfunction

  always_comb begin
    for (int i = 0; i < N; i++) begin
      holder[i] = valid_q[i] && turn_i && holds_q[i];
      holds[i]  = passes_i ? app_q[i*AppW +: AppW] == next_app_i : holds_q[i];
      is_in[i]  = req_q[(i+1)*ReqW-1 -: LineW] == req_i[ReqW-1 -: LineW];
      older[i]  = 1'b0;
      for (int k = 0; k < N; k++) if (k < i && same_q[i*N + k]) older[i] = 1'b1;
    end
  end
  assign others    = valid_q & ~holder;
  assign in_holder = turn_i && app_i == turn_app_i;
  assign ready_o   = !valid_q[N-1] && (in_holder ? !many(holder) : !many(others));
  assign push      = valid_i && ready_o;

  assign may      = ((holder & {N{silver_room_i}}) | (others & {N{normal_room_i}})) & ~older;
  assign sel      = first(may);
  assign valid_o  = |may;
  assign silver_o = |(sel & holder);
  always_comb begin
    req_o = '0;
    for (int i = 0; i < N; i++) req_o = req_o | (req_q[i*ReqW +: ReqW] & {ReqW{sel[i]}});
  end

  // keep: older than the one that leaves. put_at: the first free place once it has left.
  assign keep   = ~(upwards(may) & {N{pop_i}});
  assign put_at = pop_i ? first(~{1'b0, valid_q[N-1:1]}) : first(~valid_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= (valid_q & keep) | ({1'b0, valid_q[N-1:1]} & ~keep) | (put_at & {N{push}});
  end
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < N; i++) begin
      if (push && put_at[i]) begin
        holds_q[i]            <= app_i == (passes_i ? next_app_i : turn_app_i);
        app_q[i*AppW +: AppW] <= app_i;
        req_q[i*ReqW +: ReqW] <= req_i;
        for (int k = 0; k < N - 1; k++)
            if (k < i) same_q[i*N + k] <= keep[k] ? is_in[k] : is_in[k+1];
      end else if (keep[i] || i == N - 1) begin
        holds_q[i] <= holds[i];
      end else begin
        holds_q[i]            <= holds[i < N-1 ? i+1 : i];
        for (int k = 0; k < N - 1; k++)
            if (k < i) same_q[i*N + k] <= same_q[(i < N-1 ? i+1 : i)*N + (keep[k] ? k : k+1)];
        app_q[i*AppW +: AppW] <= app_q[(i < N-1 ? i+1 : i)*AppW +: AppW];
        req_q[i*ReqW +: ReqW] <= req_q[(i < N-1 ? i+1 : i)*ReqW +: ReqW];
      end
    end
  end

  for (genvar i = 0; i < N; i++) begin : gen_check
    `GMMU_ASSERT(dram_input_holds, !valid_q[i] ||
        holds_q[i] == (app_q[i*AppW +: AppW] == turn_app_i))
    for (genvar k = 0; k < i; k++) begin : gen_same
      `GMMU_ASSERT(dram_input_same, !valid_q[i] || same_q[i*N + k] ==
          (req_q[(i+1)*ReqW-1 -: LineW] == req_q[(k+1)*ReqW-1 -: LineW]))
    end
  end
  `GMMU_ASSERT(dram_input_pop, !pop_i || valid_o)
  `GMMU_ASSERT(dram_input_from_zero, (valid_q & (valid_q + N'(1))) == '0)
endmodule
`default_nettype wire
