// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_groups: in the banks of which group a search of a DRAM channel's scheduler begins: of
// those that have requests to be found and had none begin in the two cycles before, in turn. Rules:
// docs/dram_sched.md.
//
// found_*_i: a cycle after the search is over.
`default_nettype none
module gmmu_dram_groups #(
  parameter int Requests = 272,
  localparam int CntW    = $clog2(Requests + 1)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] enter_i,        // a request for this group enters a queue; one bit or none
  input  logic       found_i,        // a column was found, and a second one
  input  logic       second_i,
  input  logic [1:0] found_group_i,
  output logic       valid_o,        // in this cycle a search begins
  output logic [1:0] group_o
);
  logic [4*CntW-1:0] left_q;         // requests in the queues that were not found
  logic [3:0]        at_found, at_now, at_before_q, may;
  logic [1:0]        last_q;         // the group of the last search
  assign at_found = 4'd1 << found_group_i;
  assign at_now   = {3'b000, valid_o} << group_o;
  for (genvar g = 0; g < 4; g++) begin : gen_group
    logic [CntW-1:0] fewer;
    assign may[g] = (left_q[g*CntW +: CntW] != '0 || enter_i[g]) && !at_now[g] && !at_before_q[g];
    assign fewer  = left_q[g*CntW +: CntW] - CntW'(at_found[g] && found_i) -
        CntW'(at_found[g] && second_i);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) left_q[g*CntW +: CntW] <= '0;
      else left_q[g*CntW +: CntW] <= enter_i[g] ? fewer + 1'b1 : fewer;
    end
  end

  // The first one behind the last one.
  function automatic logic [1:0] next(input logic [3:0] m, input logic [1:0] last);
    logic [1:0] one, two, three;
    begin
      one   = last + 2'd1;
      two   = last + 2'd2;
      three = last + 2'd3;
      next  = m[one] ? one : m[two] ? two : m[three] ? three : last;
    end
  endfunction
  assign group_o = last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o     <= 1'b0;
      at_before_q <= '0;
      last_q      <= '0;
    end else begin
      valid_o     <= |may;
      at_before_q <= at_now;
      if (|may) last_q <= next(may, last_q);
    end
  end
endmodule
`default_nettype wire
