// SPDX-License-Identifier: Apache-2.0
// gmmu_mem_map: memory channel and L2 cache bank of a physical address, and its line's number in
// that bank: where a request goes in at gmmu_memory. Rules: docs/dram_map.md. Combinational.
// Legal: ChannelBits 0..4, BankBits 0..4, PaW at least ChannelBits + BankBits + 13.
`default_nettype none
module gmmu_mem_map #(
  parameter int PaW         = 48,
  parameter int ChannelBits = 3,
  parameter int BankBits    = 1,
  parameter bit ByPage      = 1'b0,  // a 4 KiB page lies in one channel
  parameter bit Linear      = 1'b0,  // no hashes
  localparam int N          = 1 << (ChannelBits + BankBits),
  localparam int SelW       = gmmu_pkg::idx_w(N),
  localparam int LineW      = PaW - 7 - ChannelBits - BankBits
) (
  input  logic [PaW-1:7]   line_i,
  output logic [SelW-1:0]  port_o,   // {channel, bank}
  output logic [LineW-1:0] line_o
);
  localparam int Low = ByPage ? 12 : 8; // bytes that stay in a channel, log2

  if (ChannelBits < 0 || ChannelBits > 4 || BankBits < 0 || BankBits > 4 ||
      PaW < ChannelBits + BankBits + 13) begin : gen_bad
    gmmu_mem_map_ChannelBits_and_BankBits_must_be_0_to_4 u_bad();
  end

  logic [PaW-ChannelBits-1:7] in_chan;
  assign line_o = in_chan[PaW-ChannelBits-1:7+BankBits];
  if (ChannelBits == 0) begin : gen_one
    assign in_chan = line_i;
  end else begin : gen_many
    logic [ChannelBits-1:0] channel;
    assign in_chan = {line_i[PaW-1:Low+ChannelBits], line_i[Low-1:7]};
    always_comb begin
      channel = line_i[Low +: ChannelBits];
      if (!Linear) for (int k = Low + ChannelBits; k < PaW; k++)
          channel[(k - Low) % ChannelBits] = channel[(k - Low) % ChannelBits] ^ line_i[k];
    end
    assign port_o[SelW-1:BankBits] = channel;
  end
  if (BankBits == 0) begin : gen_bank
    if (ChannelBits == 0) begin : gen_single
      assign port_o = '0;
    end
  end else begin : gen_banks
    logic [BankBits-1:0] hash;
    gmmu_xor_hash #(.InW(LineW), .W(BankBits)) u_hash (.v_i(line_o), .hash_o(hash));
    assign port_o[BankBits-1:0] = in_chan[7 +: BankBits] ^ (hash & {BankBits{!Linear}});
  end
endmodule
`default_nettype wire
