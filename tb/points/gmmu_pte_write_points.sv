// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_pte_write (docs/coverage.md). Ports are signals of the block, by their names
// there.
`default_nettype none
module gmmu_pte_write_points #(
  parameter int PteExclusive = 0
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       hold_i,
  input logic       idle,
  input logic       co_valid_i,
  input logic       co_ready_o,
  input logic       up_valid_i,
  input logic [2:0] state_q,
  input logic       walker_q,
  input logic       update,
  input logic       other,
  input logic       done,
  input logic       err,
  input logic       awvalid_o,
  input logic       awready_i,
  input logic       wvalid_o,
  input logic       wready_i,
  input logic       bvalid_i,
  input logic [1:0] bresp_i,
  input logic       rvalid_i,
  input logic [1:0] rresp_i
);
  // The end of an access: 0 read alone, 1 another PTE was there, 2 error of the read, 3 written,
  // 4 error of the write, 5 an exclusive write that was refused: again.
  logic       read_end, write_end, ends;
  logic [2:0] how;
  assign read_end  = state_q == 3'd2 & rvalid_i;
  assign write_end = state_q == 3'd4 & bvalid_i;
  assign ends      = rst_ni & ((read_end & done) | write_end);
  assign how       = read_end ? (err ? 3'd2 : !update ? 3'd0 : 3'd1) :
      err ? 3'd4 : done ? 3'd3 : 3'd5;
  covergroup pte_write @(posedge clk_i);
    who: coverpoint walker_q iff (ends) {
      bins coalescer = {0};
      bins walker = {1};
    }
    kind: coverpoint PteExclusive {
      bins plain = {0};
      bins exclusive = {1};
    }
    ending: coverpoint how {
      bins read_alone = {0};
      bins other_pte = {1};
      bins read_error = {2};
      bins written = {3};
      bins write_error = {4};
      bins refused_again = {5};
    }
    access: cross who, kind, ending {
      // The walker reads by itself; the coalescer changes what it finds.
      ignore_bins reads = binsof(who.walker) && binsof(ending.read_alone);
      ignore_bins any = binsof(who.coalescer) && binsof(ending.other_pte);
      // A plain write is never refused.
      ignore_bins plain = binsof(kind.plain) && binsof(ending.refused_again);
    }
    read_answer: coverpoint rresp_i iff (rst_ni & read_end) {
      bins okay = {0};
      bins exokay = {1};
      bins slverr = {2};
      bins decerr = {3};
    }
    write_answer: coverpoint bresp_i iff (rst_ni & write_end) {
      bins okay = {0};
      bins exokay = {1};
      bins slverr = {2};
      bins decerr = {3};
    }
    turn: coverpoint {co_valid_i, up_valid_i, co_ready_o} iff (rst_ni & idle) {
      bins coalescer = {5};
      bins walker = {2, 3};
      bins both_coalescer = {7};
      bins both_walker = {6};
    }
    held: coverpoint {co_valid_i, up_valid_i} iff (rst_ni & hold_i & state_q == 3'd0) {
      bins coalescer = {2};
      bins walker = {1};
      bins both = {3};
    }
    // Address and data are taken in any order.
    taken: coverpoint {awvalid_o & awready_i, wvalid_o & wready_i, awvalid_o, wvalid_o}
        iff (rst_ni & state_q == 3'd3) {
      bins together = {15};
      bins address_first = {11};
      bins data_first = {7};
      bins data_last = {5};
      bins address_last = {10};
      bins both_wait = {3};
    }
    other_bits: coverpoint other iff (rst_ni & read_end & !err & walker_q) {
      bins as_read = {0};
      bins changed = {1};
    }
  endgroup
  pte_write u_pte_write = new;
endmodule
bind gmmu_pte_write gmmu_pte_write_points #(.PteExclusive(PteExclusive)) u_points (.*);
`default_nettype wire
