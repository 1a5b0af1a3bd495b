// SPDX-License-Identifier: Apache-2.0
// No two lines of memory have the same place. See proofs.txt and docs/formal.md.
`default_nettype none
module prove_dram_map #(
  parameter int PaW         = 48,
  parameter int ChannelBits = 3,
  parameter int BankBits    = 1,     // of the L2 cache
  parameter int ColBits     = 6,
  parameter bit ByPage      = 1'b0,
  parameter bit Linear      = 1'b0,
  parameter int Covers      = 0,
  localparam int N          = 1 << (ChannelBits + BankBits),
  localparam int SelW       = gmmu_pkg::idx_w(N),
  localparam int LineW      = PaW - 7 - ChannelBits - BankBits,
  localparam int ChanW      = ChannelBits == 0 ? 1 : ChannelBits,
  localparam int RowW       = PaW - ChannelBits - ColBits - 9
) (
  input  logic             clk_i,
  input  logic [PaW-1:6]   a_i,
  input  logic [PaW-1:6]   b_i
);
  `include "prove.svh"

  logic [SelW-1:0]    port_a, port_b;
  logic [LineW-1:0]   line_a, line_b;
  logic [ChanW-1:0]   chan_a, chan_b;
  logic [2:0]         bank_a, bank_b;
  logic [RowW-1:0]    row_a, row_b;
  logic [ColBits-1:0] col_a, col_b;
  gmmu_mem_map #(.PaW(PaW), .ChannelBits(ChannelBits), .BankBits(BankBits), .ByPage(ByPage),
      .Linear(Linear)) u_mem_a (.line_i(a_i[PaW-1:7]), .port_o(port_a), .line_o(line_a));
  gmmu_mem_map #(.PaW(PaW), .ChannelBits(ChannelBits), .BankBits(BankBits), .ByPage(ByPage),
      .Linear(Linear)) u_mem_b (.line_i(b_i[PaW-1:7]), .port_o(port_b), .line_o(line_b));
  gmmu_dram_map #(.PaW(PaW), .ChannelBits(ChannelBits), .ColBits(ColBits), .ByPage(ByPage),
      .Linear(Linear)) u_dram_a (.line_i(a_i), .channel_o(chan_a), .bank_o(bank_a), .row_o(row_a),
      .col_o(col_a));
  gmmu_dram_map #(.PaW(PaW), .ChannelBits(ChannelBits), .ColBits(ColBits), .ByPage(ByPage),
      .Linear(Linear)) u_dram_b (.line_i(b_i), .channel_o(chan_b), .bank_o(bank_b), .row_o(row_b),
      .col_o(col_b));

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        if ({port_a, line_a} == {port_b, line_b}) one_line: assert (a_i[PaW-1:7] == b_i[PaW-1:7]);
        if ({chan_a, bank_a, row_a, col_a} == {chan_b, bank_b, row_b, col_b})
          one_place: assert (a_i == b_i);
        // both maps agree on the channel; 256 bytes, or a page, lie in one
        if (ChannelBits > 0) same_channel: assert (32'(chan_a) == 32'(port_a) >> BankBits);
        if (a_i[PaW-1:(ByPage ? 12 : 8)] == b_i[PaW-1:(ByPage ? 12 : 8)])
          together: assert (chan_a == chan_b);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(chan_a != chan_b & {bank_a, row_a, col_a} == {bank_b, row_b, col_b}));
        c1: assert (!(bank_a != bank_b & row_a == row_b & col_a == col_b & chan_a == chan_b));
        c2: assert (!(line_a == line_b & port_a != port_b));
      end
    end
  end
endmodule
`default_nettype wire
