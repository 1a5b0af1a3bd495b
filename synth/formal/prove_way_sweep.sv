// SPDX-License-Identifier: Apache-2.0
// A sweep visits every way once, in order, one a cycle, and reports each visit a cycle later; it
// ends.
`default_nettype none
module prove_way_sweep #(
  parameter int Ways   = 6,
  parameter int Covers = 0,
  localparam int WayW  = $clog2(Ways)
) (
  input  logic clk_i,
  input  logic start_i,
  input  logic clear_i
);
  `include "prove.svh"

  logic            busy, visit, cleared;
  logic [WayW-1:0] ptr, way;
  gmmu_way_sweep #(.Ways(Ways)) u_dut (
    .clk_i, .rst_ni, .start_i, .clear_i, .busy_o(busy), .ptr_o(ptr), .visit_o(visit),
    .cleared_o(cleared), .way_o(way)
  );
  always_comb assume (!start_i | (rst_ni & !busy));

  logic [WayW:0] since_q;              // cycles since the start; Ways: none under way
  logic          cleared_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) since_q <= (WayW+1)'(Ways);
    else if (start_i) since_q <= '0;
    else if (since_q != (WayW+1)'(Ways)) since_q <= since_q + 1'b1;
    cleared_q <= clear_i;
  end
  logic visit_q;
  logic [WayW-1:0] ptr_q;
  always_ff @(posedge clk_i) begin
    visit_q <= rst_ni & busy;
    ptr_q   <= ptr;
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        busy_for_as_many_cycles_as_ways: assert (busy == (since_q != (WayW+1)'(Ways)));
        if (busy) visits_in_order: assert ({1'b0, ptr} == since_q);
        reports_each_visit: assert (visit == visit_q);
        if (visit) reports_the_way: assert (way == ptr_q & cleared == cleared_q);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c_last: assert (!(busy & ptr == WayW'(Ways - 1)));
        c_cleared: assert (!(visit & cleared));
        c_again: assert (!(start_i & visit));
      end
    end
  end
endmodule
`default_nettype wire
