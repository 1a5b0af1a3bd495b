// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_coalescer (docs/coverage.md). Ports are signals of the block, by their names
// there.
`default_nettype none
module gmmu_coalescer_points (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        splinter_q,
  input logic        done_o,
  input logic [2:0]  result_o,
  input logic [2:0]  state_q,
  input logic [1:0]  level_q,
  input logic        wait_q,
  input logic        denied,
  input logic        answer,
  input logic        valid_pointer,
  input logic        rsp_err_i,
  input logic        known,
  input logic        sv39,
  input logic        sv48,
  input logic        ext,
  input logic        canonical,
  input logic        valid_i,
  input logic        ready_o,
  input logic        req_valid_o,
  input logic        req_ready_i,
  input logic        rsp_valid_i
);
  // How the present access goes wrong: 1 windows, 2 memory, 3 no pointer.
  logic [1:0] wrong;
  assign wrong = denied ? 2'd1 : answer & rsp_err_i ? 2'd2 :
      answer & state_q == 3'd1 & !valid_pointer ? 2'd3 : 2'd0;
  covergroup coalesce @(posedge clk_i);
    command: coverpoint splinter_q iff (rst_ni) {
      bins coalesce = {0};
      bins splinter = {1};
    }
    result: coverpoint result_o iff (done_o) {
      bins ok = {0};
      bins no_space = {1};
      bins no_table = {2};
      bins window = {3};
      bins memory = {4};
      bins already = {5};
    }
    done: cross command, result;
    refused: coverpoint {known, sv39 | sv48, ext, canonical} iff (rst_ni & valid_i & ready_o) {
      wildcard bins no_context = {4'b0???};
      wildcard bins off = {4'b10??};
      bins no_extension = {13, 12};
      bins not_canonical = {14};
    }
    what: coverpoint wrong {
      bins window = {1};
      bins memory = {2};
      bins no_pointer = {3};
    }
    step: coverpoint {state_q, state_q == 3'd1 ? level_q : 2'd0} {
      bins pte_2m = {5};
      bins pte_1g = {6};
      bins pte_512g = {7};
      bins frame_bit = {8};
      bins leaf_bits = {12};
    }
    ends: cross command, what, step {
      // Only what is read on the way down is a pointer.
      ignore_bins pointers = binsof(what.no_pointer) &&
          (binsof(step.frame_bit) || binsof(step.leaf_bits));
    }
    access: coverpoint {req_ready_i, req_valid_o} iff (rst_ni & req_valid_o) {
      bins waits = {1};
      bins taken = {3};
    }
    another: coverpoint wait_q & rsp_valid_i iff (rst_ni & valid_i & !ready_o) {
      bins waits = {0};
    }
  endgroup
  coalesce u_coalesce = new;
endmodule
bind gmmu_coalescer gmmu_coalescer_points u_points (.*);
`default_nettype wire
