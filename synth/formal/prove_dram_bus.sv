// SPDX-License-Identifier: Apache-2.0
// The times between the banks of a DRAM channel, counted in ticks from the commands alone, with
// any sequence of cycles of 0, 1 and 2 ticks, whatever goes that is allowed. See proofs.txt and
// docs/formal.md.
`default_nettype none
module prove_dram_bus #(
  parameter int Covers = 0,
  parameter int Group  = 0,      // that is followed
  parameter int Rrd    = 3,      // ticks
  parameter int Faw    = 14,     // the longest
  parameter int Ccds   = 2,
  parameter int Ccdl   = 3,
  parameter int Rtw    = 4,
  parameter int Wtr    = 5,
  localparam int W     = $clog2(Faw + 3)
) (
  input  logic       clk_i,
  input  logic [1:0] ticks_i,
  input  logic       act_i,      // what goes in this cycle, on the pins in the next one
  input  logic       read_i,
  input  logic       write_i,
  input  logic [1:0] group_i     // of the column
);
  `include "prove.svh"

  logic       act, read, write, second, act_o;
  logic [1:0] ticks, group;
  logic [3:0] rd_o, wr_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {act, read, write} <= '0;
    else {act, read, write} <= {act_i, read_i, write_i};
    {ticks, group} <= {ticks_i, group_i};
  end
  assign second = act & (read | write);        // beside a column: on the second tick
  gmmu_dram_bus #(.Rrd(Rrd), .Faw(Faw), .Ccds(Ccds), .Ccdl(Ccdl), .Rtw(Rtw), .Wtr(Wtr)) u_dut (
    .clk_i, .rst_ni, .act_i(act), .read_i(read), .write_i(write),
    .reads_i(4'(read) << group), .writes_i(4'(write) << group), .before_i(ticks),
    .row_ticks_i(second ? 2'd1 : ticks), .ticks_i, .act_o(act_o), .rd_o(rd_o), .wr_o(wr_o)
  );

  // ---- what is allowed; an ACT beside a column only in a cycle of two ticks
  always_comb begin
    assume (ticks_i != 2'd3);
    assume (!(read_i & write_i));
    assume (!act_i | act_o);
    assume (!read_i | rd_o[group_i]);
    assume (!write_i | wr_o[group_i]);
    assume (ticks_i != '0 | !(act_i | read_i | write_i));
    assume (!(act_i & (read_i | write_i)) | ticks_i == 2'd2);
    if (!rst_ni) assume (!(act_i | read_i | write_i));
  end

  // ---- ticks since each, from the first of this cycle on the pins, up to Most
  localparam int Most = (1 << W) - 1;
  function automatic logic [W-1:0] later(input logic [W-1:0] since, input logic [1:0] n);
    begin
      later = 32'(since) + 32'(n) > Most ? W'(Most) : since + W'(n);
    end
  endfunction
  logic [W-1:0] reads_q, writes_q, group_rd_q, group_wr_q;
  logic [W-1:0] acts_q, acts2_q, acts3_q, acts4_q;        // of the last four ACTs
  logic         mine;
  assign mine = group == 2'(Group);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {reads_q, writes_q, group_rd_q, group_wr_q} <= {4{W'(Most)}};
      {acts_q, acts2_q, acts3_q, acts4_q}         <= {4{W'(Most)}};
    end else begin
      reads_q    <= read ? W'(ticks) : later(reads_q, ticks);
      writes_q   <= write ? W'(ticks) : later(writes_q, ticks);
      group_rd_q <= read & mine ? W'(ticks) : later(group_rd_q, ticks);
      group_wr_q <= write & mine ? W'(ticks) : later(group_wr_q, ticks);
      {acts4_q, acts3_q, acts2_q, acts_q} <= act
          ? {later(acts3_q, ticks), later(acts2_q, ticks), later(acts_q, ticks),
             W'(second ? 2'd1 : ticks)}
          : {later(acts4_q, ticks), later(acts3_q, ticks), later(acts2_q, ticks),
             later(acts_q, ticks)};
    end
  end
  logic [W-1:0] acts_to, acts4_to;         // to an ACT of this cycle
  assign acts_to  = later(acts_q, {1'b0, second});
  assign acts4_to = later(acts4_q, {1'b0, second});

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        if (act) tRRD: assert (32'(acts_to) >= Rrd);
        if (act) tFAW: assert (32'(acts4_to) >= Faw);
        if (read) tCCDS: assert (32'(reads_q) >= Ccds & 32'(writes_q) >= Wtr);
        if (write) tRTW: assert (32'(writes_q) >= Ccds & 32'(reads_q) >= Rtw);
        if (mine & read) tCCDL: assert (32'(group_rd_q) >= Ccdl);
        if (mine & write) tCCDL_writes: assert (32'(group_wr_q) >= Ccdl);
        if (ticks == '0) a_tick: assert (!(act | read | write));
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(act & 32'(acts_to) == Rrd));
        c1: assert (!(act & 32'(acts4_to) == Faw));
        c2: assert (!(read & 32'(writes_q) == Wtr));
        c3: assert (!(write & 32'(reads_q) == Rtw));
        c4: assert (!(mine & read & 32'(group_rd_q) == Ccdl));
        c5: assert (!(!mine & write & 32'(group_wr_q) == Ccds));
      end
    end
  end
endmodule
`default_nettype wire
