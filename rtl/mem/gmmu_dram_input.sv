// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_input: data requests in front of the queues of one DRAM channel, in order of age: half
// of the places for the application that has the silver turn, half for all others, so that neither
// class waits for the other. Rules: docs/dram_sched.md. Source: MASK section 5.4.
//
// ready_o is for a request of app_i and no function of valid_i. Out: the oldest request whose class
// has room and that no older one to its line precedes; it leaves with pop_i, and which one comes
// next is chosen in the cycle before. Legal: LineW 1..ReqW; the line is the highest LineW bits of a
// request.
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
  input  logic            turn_soon_i,   // turn_i of the next cycle
  input  logic            silver_soon_i, // there is room in the next cycle
  input  logic            normal_soon_i,
  output logic            valid_o,
  output logic            silver_o,
  output logic [ReqW-1:0] req_o,
  input  logic            pop_i
);
  localparam int N = 4;

  logic [N-1:0]      valid_q, valid_d, holder, others, sel_q, may_d, keep, put_at;
  logic [N-1:0]      holds_q, holds, holds_d, is_in; // of the turn's application; for req_i's line
  logic [N-1:0]      leads_d;               // none that is older is for its line
  logic [N*N-1:0]    same_q, same_d;        // [i*N+k]: its line is that of the older k
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
      holds[i] = passes_i ? app_q[i*AppW +: AppW] == next_app_i : holds_q[i];
      is_in[i] = req_q[(i+1)*ReqW-1 -: LineW] == req_i[ReqW-1 -: LineW];
    end
  end
  assign holder    = valid_q & holds_q & {N{turn_i}};
  assign others    = valid_q & ~holder;
  assign in_holder = turn_i && app_i == turn_app_i;
  assign ready_o   = !valid_q[N-1] && (in_holder ? !many(holder) : !many(others));
  assign push      = valid_i && ready_o;

  assign valid_o  = |sel_q;
  assign silver_o = turn_i && |(sel_q & holds_q);
  always_comb begin
    req_o = '0;
    for (int i = 0; i < N; i++) req_o = req_o | (req_q[i*ReqW +: ReqW] & {ReqW{sel_q[i]}});
  end

  // keep: older than the one that leaves. put_at: the first free place once it has left.
  assign keep   = ~(upwards(sel_q) & {N{pop_i}});
  assign put_at = pop_i ? first(~{1'b0, valid_q[N-1:1]}) : first(~valid_q);
  assign valid_d = (valid_q & keep) | ({1'b0, valid_q[N-1:1]} & ~keep) | (put_at & {N{push}});
  for (genvar i = 0; i < N; i++) begin : gen_next
    localparam int Above = i < N - 1 ? i + 1 : i;
    logic comes, stays;
    assign comes      = push && put_at[i];
    assign stays      = keep[i] || i == N - 1;
    assign holds_d[i] = comes ? app_i == (passes_i ? next_app_i : turn_app_i) :
        stays ? holds[i] : holds[Above];
    for (genvar k = 0; k < N; k++) begin : gen_older
      if (k < i) begin : gen_one
        assign same_d[i*N + k] = comes ? (keep[k] ? is_in[k] : is_in[k+1]) :
            stays ? same_q[i*N + k] : keep[k] ? same_q[Above*N + k] : same_q[Above*N + k + 1];
      end else begin : gen_none
        assign same_d[i*N + k] = 1'b0;
      end
    end
    assign leads_d[i] = valid_d[i] && same_d[i*N +: N] == '0;
  end
  assign may_d = leads_d & ((holds_d & {N{turn_soon_i ? silver_soon_i : normal_soon_i}}) |
      (~holds_d & {N{normal_soon_i}}));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      sel_q   <= '0;
    end else begin
      valid_q <= valid_d;
      sel_q   <= first(may_d);
    end
  end
  always_ff @(posedge clk_i) begin
    same_q  <= same_d;
    holds_q <= holds_d;
  end
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < N; i++) begin
      if (push && put_at[i]) begin
        app_q[i*AppW +: AppW] <= app_i;
        req_q[i*ReqW +: ReqW] <= req_i;
      end else if (!(keep[i] || i == N - 1)) begin
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
  `GMMU_ASSERT(dram_input_sel, (sel_q & (sel_q - N'(1))) == '0 && (sel_q & ~valid_q) == '0)
  `GMMU_ASSERT(dram_input_pop, !pop_i || valid_o)
  `GMMU_ASSERT(dram_input_from_zero, (valid_q & (valid_q + N'(1))) == '0)
endmodule
`default_nettype wire
