// SPDX-License-Identifier: Apache-2.0
// For scripts/test_synth.sh: what the flow must not hide. Reads: read ports of a memory of 64 x 8
// bits. With Ram, the word that one RAM reads is the address of another.
`default_nettype none
module gmmu_planted #(
  parameter int Reads = 3,
  parameter int Ram   = 0,
  parameter int Steps = 1,     // of the planted path
  parameter int Undef = 0      // 1: a bit that is not there
) (
  input  logic                clk_i,
  input  logic                we_i,
  input  logic [5:0]          waddr_i,
  input  logic [7:0]         wdata_i,
  input  logic [Reads*6-1:0]  raddr_i,
  output logic [Reads*8-1:0] rdata_o,
  output logic [7:0]         word_o,
  input  logic                step_i,
  output logic                long_o
);
  logic [7:0] words_q [0:63];
  logic        write_q;
  logic [5:0]  at_q;
  logic [7:0] data_q;
  always_ff @(posedge clk_i) begin
    write_q <= we_i;
    at_q    <= waddr_i;
    data_q  <= wdata_i;
    if (write_q) words_q[at_q] <= data_q;
  end
  for (genvar r = 0; r < Reads; r++) begin : gen_read
    logic [5:0] from_q;
    always_ff @(posedge clk_i) begin
      from_q                <= raddr_i[r*6 +: 6];
      rdata_o[r*8 +: 8]   <= words_q[from_q] ^ {8{write_q & Ram == 0}};
    end
  end

  // A chain that no tool can shorten: each step is a function of four bits that is not linear.
  logic [Steps-1:0]   key_q;
  logic [4*Steps+3:0] chain;
  logic [3:0]         begin_q, end_q;
  assign chain[3:0] = begin_q;
  for (genvar i = 0; i < Steps; i++) begin : gen_step
    logic [3:0] s;
    assign s = chain[i*4 +: 4];
    assign chain[i*4+4 +: 4] = {s[2:0], s[3]} ^ (s & {s[0], s[3:1]}) ^ {3'b0, key_q[i]};
    always_ff @(posedge clk_i) key_q[i] <= i == 0 ? step_i : key_q[i == 0 ? 0 : i - 1];
  end
  always_ff @(posedge clk_i) begin
    begin_q <= {begin_q[2:0], step_i};
    end_q   <= chain[Steps*4 +: 4];
  end
  assign long_o = ^end_q ^ (Undef != 0 ? end_q[Undef*4] : 1'b0);

  if (Ram != 0) begin : gen_ram
    logic [5:0] first;
    gmmu_ram #(.Width(6), .Depth(64 * 4)) u_first (
      .clk_i, .we_i(write_q), .waddr_i({2'b0, at_q}), .wdata_i(data_q[5:0]), .re_i(1'b1),
      .raddr_i(data_q), .rdata_o(first)
    );
    gmmu_ram #(.Width(8), .Depth(64)) u_second (
      .clk_i, .we_i(write_q), .waddr_i(at_q), .wdata_i(data_q), .re_i(1'b1), .raddr_i(first),
      .rdata_o(word_o)
    );
  end else begin : gen_none
    assign word_o = '0;
  end
endmodule
`default_nettype wire
