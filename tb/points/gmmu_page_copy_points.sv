// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_page_copy (docs/coverage.md). Ports are signals of the block, by their names
// there.
`default_nettype none
module gmmu_page_copy_points (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [1:0]  state_q,
  input logic        done_o,
  input logic [2:0]  result_o,
  input logic        in_from,
  input logic        in_to,
  input logic        allowed,
  input logic        copying,
  input logic        arvalid_o,
  input logic        arready_i,
  input logic        awvalid_o,
  input logic        awready_i,
  input logic        wvalid_o,
  input logic        wready_i,
  input logic        rvalid_i,
  input logic [1:0]  rresp_i,
  input logic        bvalid_i,
  input logic [1:0]  bresp_i
);
  covergroup page_copy @(posedge clk_i);
    result: coverpoint result_o iff (rst_ni & done_o) {
      bins ok = {0};
      bins window = {3};
      bins memory = {4};
    }
    check: coverpoint {allowed, in_from, in_to} iff (rst_ni & state_q == 2'd1) {
      bins both_inside = {7};
      bins from_outside = {1};
      bins to_outside = {2};
      bins both_outside = {0};
      bins too_high = {3};
    }
    read_answer: coverpoint rresp_i iff (rst_ni & copying & rvalid_i) {
      bins okay = {0};
      bins slverr = {2};
      bins decerr = {3};
    }
    write_answer: coverpoint bresp_i iff (rst_ni & copying & bvalid_i) {
      bins okay = {0};
      bins slverr = {2};
      bins decerr = {3};
    }
    reads: coverpoint arready_i iff (rst_ni & arvalid_o) {
      bins waits = {0};
      bins taken = {1};
    }
    writes: coverpoint {awvalid_o & awready_i, wvalid_o & wready_i} iff (rst_ni &
        awvalid_o & wvalid_o) {
      bins both_wait = {0};
      bins data_first = {1};
      bins address_first = {2};
      bins together = {3};
    }
    overlap: coverpoint {rvalid_i, bvalid_i} iff (rst_ni & copying) {
      bins read_beside_acknowledgement = {3};
    }
  endgroup
  page_copy u_page_copy = new;
endmodule
bind gmmu_page_copy gmmu_page_copy_points u_points (.*);
`default_nettype wire
