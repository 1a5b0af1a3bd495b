// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_burst: what the address of an AXI burst asks the MMU for: the ASID by the port's
// settings, and whether the burst breaks a rule of AXI; combinational. Rules: docs/axi_port.md.
`default_nettype none
module gmmu_axi_burst #(
  parameter int IdW   = 4,
  parameter int UserW = 1,
  parameter int AsidW = 9
) (
  input  logic [11:0]      addr_i,
  input  logic [7:0]       len_i,
  input  logic [2:0]       size_i,
  input  logic [1:0]       burst_i,
  input  logic [UserW-1:0] user_i,
  input  logic [AsidW-1:0] ssid_i,
  input  logic [IdW-1:0]   id_i,
  // settings
  input  logic [1:0]       asid_from_i,   // 0 asid_i, 1 AxUSER, 2 AxMMUSSID, 3 AxID
  input  logic [4:0]       asid_shift_i,
  input  logic [AsidW-1:0] asid_i,
  output logic [AsidW-1:0] asid_o,
  output logic             illegal_o
);
  // An INCR burst may not cross 4 KiB, a WRAP burst is at most as long; burst 3 is reserved.
  logic [15:0] bytes;
  logic [11:0] start;
  assign bytes     = {7'd0, 9'(len_i) + 9'd1} << size_i;
  assign start     = (addr_i >> size_i) << size_i;
  assign illegal_o = burst_i == 2'b11 | (burst_i == 2'b10 & bytes > 16'd4096) |
      (burst_i == 2'b01 & 16'(start) + bytes > 16'd4096);
  always_comb begin
    case (asid_from_i)
      2'd0:    asid_o = asid_i;
      2'd1:    asid_o = AsidW'(64'(user_i) >> asid_shift_i);
      2'd2:    asid_o = ssid_i;
      default: asid_o = AsidW'(64'(id_i) >> asid_shift_i);
    endcase
  end
endmodule
`default_nettype wire
