// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_map: channel, bank, row and column of a physical address. Rules: docs/dram_map.md.
// Combinational.
// Legal: ChannelBits 0..5, ColBits 3..10, PaW at least ChannelBits + ColBits + 16.
`default_nettype none
module gmmu_dram_map #(
  parameter int PaW         = 48,
  parameter int ChannelBits = 3,
  parameter int ColBits     = 6,
  parameter bit ByPage      = 1'b0,  // a 4 KiB page lies in one channel
  parameter bit Linear      = 1'b0,  // no hashes
  localparam int ChanW      = ChannelBits == 0 ? 1 : ChannelBits,
  localparam int RowW       = PaW - ChannelBits - ColBits - 9
) (
  input  logic [PaW-1:6]     line_i,
  output logic [ChanW-1:0]   channel_o,
  output logic [2:0]         bank_o,
  output logic [RowW-1:0]    row_o,
  output logic [ColBits-1:0] col_o
);
  localparam int Low = ByPage ? 12 : 8; // bytes that stay in a channel, log2

  if (ChannelBits > 5 || ColBits < 3 || ColBits > 10 ||
      PaW < ChannelBits + ColBits + 16) begin : gen_bad
    gmmu_dram_map_ChannelBits_ColBits_or_PaW_out_of_range u_bad();
  end

  logic [PaW-ChannelBits-1:6] in_chan; // address in the channel
  if (ChannelBits == 0) begin : gen_one
    assign channel_o = '0;
    assign in_chan    = line_i;
  end else begin : gen_many
    assign in_chan = {line_i[PaW-1:Low+ChannelBits], line_i[Low-1:6]};
    always_comb begin
      channel_o = line_i[Low +: ChanW];
      if (!Linear) for (int k = Low + ChannelBits; k < PaW; k++)
          channel_o[(k - Low) % ChanW] = channel_o[(k - Low) % ChanW] ^ line_i[k];
    end
  end
  // 256 bytes in one row; consecutive ones rotate through the bank groups
  logic [2:0] hash;
  gmmu_xor_hash #(.InW(RowW), .W(3)) u_hash (.v_i(row_o), .hash_o(hash));
  assign col_o  = {in_chan[7+ColBits:10], in_chan[7:6]};
  assign bank_o = {in_chan[8+ColBits], in_chan[9:8]} ^ (hash & {3{!Linear}});
  assign row_o  = in_chan[PaW-ChannelBits-1:9+ColBits];
endmodule
`default_nettype wire
