// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_be: as gmmu_ram (one write port, one read port, read data one cycle later, old data on a
// collision), written under a byte mask. Replaceable by a macro. Legal: Bytes >= 1, Depth >= 1.
`default_nettype none
module gmmu_ram_be #(
  parameter int Bytes  = 8,
  parameter int Depth  = 16,
  localparam int AddrW = gmmu_pkg::idx_w(Depth)
) (
  input  logic               clk_i,
  input  logic [Bytes-1:0]   we_i,
  input  logic [AddrW-1:0]   waddr_i,
  input  logic [Bytes*8-1:0] wdata_i,
  input  logic               re_i,
  input  logic [AddrW-1:0]   raddr_i,
  output logic [Bytes*8-1:0] rdata_o
);
  for (genvar i = 0; i < Bytes; i++) begin : gen_byte
    gmmu_ram #(.Width(8), .Depth(Depth)) u_byte (
      .clk_i, .we_i(we_i[i]), .waddr_i, .wdata_i(wdata_i[i*8 +: 8]), .re_i, .raddr_i,
      .rdata_o(rdata_o[i*8 +: 8])
    );
  end
endmodule
`default_nettype wire
