// SPDX-License-Identifier: Apache-2.0
// For scripts/mutate_equal.py: a memory of some size is taken out of its module. What it is asked
// and given goes to registers that nothing reads, gmmu_seen, whose inputs are compared like
// outputs; what it answers is of nets that nothing drives, gmmu_cut: any value, the same with and
// without a bug.
(* techmap_celltype = "$mem_v2" *)
module gmmu_memory_cut (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR,
    WR_DATA);
  parameter MEMID = "";
  parameter SIZE = 4;
  parameter OFFSET = 0;
  parameter ABITS = 2;
  parameter WIDTH = 8;
  parameter INIT = 0;
  parameter RD_PORTS = 1;
  parameter RD_CLK_ENABLE = 0;
  parameter RD_CLK_POLARITY = 0;
  parameter RD_TRANSPARENCY_MASK = 0;
  parameter RD_COLLISION_X_MASK = 0;
  parameter RD_WIDE_CONTINUATION = 0;
  parameter RD_CE_OVER_SRST = 0;
  parameter RD_ARST_VALUE = 0;
  parameter RD_SRST_VALUE = 0;
  parameter RD_INIT_VALUE = 0;
  parameter WR_PORTS = 1;
  parameter WR_CLK_ENABLE = 1;
  parameter WR_CLK_POLARITY = 1;
  parameter WR_PRIORITY_MASK = 0;
  parameter WR_WIDE_CONTINUATION = 0;
  input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
  input [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input [WR_PORTS-1:0] WR_CLK;
  input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
  input [WR_PORTS*ABITS-1:0] WR_ADDR;

  // reads that take no clock, writes at its rising edge: what memory_collect leaves of ours
  wire _TECHMAP_FAIL_ = SIZE * WIDTH < 1024 || WR_PORTS == 0 || |RD_CLK_ENABLE || !(&WR_CLK_ENABLE)
      || !(&WR_CLK_POLARITY);

  wire [RD_PORTS*WIDTH-1:0] gmmu_cut, gmmu_cut_too;   // two: a gate's inputs keep their names
  assign RD_DATA = gmmu_cut ^ gmmu_cut_too;
  (* keep *) reg [RD_PORTS*ABITS-1:0] gmmu_seen_read;
  (* keep *) reg [WR_PORTS*WIDTH-1:0] gmmu_seen_en, gmmu_seen_data;
  (* keep *) reg [WR_PORTS*ABITS-1:0] gmmu_seen_at;
  always @(posedge WR_CLK[0]) begin
    gmmu_seen_read <= RD_ADDR;
    gmmu_seen_en   <= WR_EN;
    gmmu_seen_data <= WR_DATA & WR_EN;
  end
  genvar p;
  generate
    for (p = 0; p < WR_PORTS; p = p + 1) begin : gen_at
      always @(posedge WR_CLK[0])
        gmmu_seen_at[p*ABITS +: ABITS] <= |WR_EN[p*WIDTH +: WIDTH] ? WR_ADDR[p*ABITS +: ABITS] : 0;
    end
  endgenerate
endmodule
