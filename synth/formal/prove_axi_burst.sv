// SPDX-License-Identifier: Apache-2.0
// What a burst asks for: a legal INCR burst has no byte outside its 4 KiB, an illegal one has; a
// WRAP burst is illegal when longer than 4 KiB, burst 3 always; the ASID is from where the settings
// say, bit for bit.
`default_nettype none
module prove_axi_burst #(
  parameter int Covers = 0
) (
  input  logic        clk_i,
  input  logic [11:0] addr_i,
  input  logic [7:0]  len_i,
  input  logic [7:0]  beat_i,    // any beat
  input  logic [2:0]  size_i,
  input  logic [1:0]  burst_i,
  input  logic [4:0]  user_i,
  input  logic [2:0]  ssid_i,
  input  logic [3:0]  id_i,
  input  logic [1:0]  asid_from_i,
  input  logic [4:0]  asid_shift_i,
  input  logic [2:0]  asid_i
);
  `include "prove.svh"

  logic [2:0] asid, want;
  logic       illegal;
  gmmu_axi_burst #(.IdW(4), .UserW(5), .AsidW(3)) u_dut (
    .addr_i, .len_i, .size_i, .burst_i, .user_i, .ssid_i, .id_i, .asid_from_i, .asid_shift_i,
    .asid_i,
    .asid_o(asid), .illegal_o(illegal)
  );
  // Last byte of a beat of an INCR burst; the first beat ends where its size is full.
  logic [31:0] bytes, first, last, end_of_beat;
  assign bytes       = 32'd1 << size_i;
  assign first       = 32'(addr_i) & ~(bytes - 32'd1);
  assign end_of_beat = first + (32'(beat_i) << size_i) + bytes - 32'd1;
  assign last        = first + (32'(len_i) << size_i) + bytes - 32'd1;
  always_comb begin
    want = '0;
    for (int k = 0; k < 3; k++) begin
      for (int i = 0; i < 5; i++)
        if (asid_from_i == 2'd1 && 32'(asid_shift_i) + k == i) want[k] = user_i[i];
      for (int i = 0; i < 4; i++)
        if (asid_from_i == 2'd3 && 32'(asid_shift_i) + k == i) want[k] = id_i[i];
    end
    if (asid_from_i == 2'd0) want = asid_i;
    if (asid_from_i == 2'd2) want = ssid_i;
  end
  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        legal_stays_in_its_page: assert (burst_i != 2'b01 || illegal || beat_i > len_i ||
            end_of_beat < 4096);
        illegal_leaves_it: assert (burst_i != 2'b01 || !illegal || last >= 4096);
        wrap_fits: assert (burst_i != 2'b10 || illegal == ((32'(len_i) + 1) * bytes > 4096));
        fixed_is_legal: assert (burst_i != 2'b00 || !illegal);
        reserved_is_not: assert (burst_i != 2'b11 || illegal);
        asid_from_there: assert (asid == want);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(burst_i == 2'b01 && !illegal && last == 4095));
    always_comb if (rst_ni) assert (!(burst_i == 2'b01 && illegal && last == 4096));
    always_comb if (rst_ni) assert (!(asid_from_i == 2'd1 && asid == 3'd5 && asid_shift_i == 5'd2));
  end
endmodule
`default_nettype wire
