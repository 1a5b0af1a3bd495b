// SPDX-License-Identifier: Apache-2.0
// gmmu_cam_valid: which entries of a fully associative array hold something, and with TlbParity=1
// whether their words are those that were written. Part of gmmu_tlb_cam and gmmu_bypass_cache.
//
// TlbParity=1: one bit an entry is the parity of its words, written with them (into_i, new_i).
// Valid bits are kept twice, the second time inverted, and what differs is not valid: an upset of a
// valid bit makes no entry of an empty one. sound_o comes from registers alone, not from what is
// searched. Legal: N >= 1, Pages >= 1.
`default_nettype none
module gmmu_cam_valid #(
  parameter int N         = 16,
  parameter int Pages     = 1,      // valid bits of an entry
  parameter int WordW     = 86,
  parameter int TlbParity = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [N*Pages-1:0] valid_d_i,   // in the next cycle
  output logic [N*Pages-1:0] valid_o,
  input  logic [N-1:0]       into_i,      // entries whose words are written
  input  logic [WordW-1:0]   new_i,
  input  logic [N*WordW-1:0] words_i,     // TlbParity=1: as they are kept
  output logic [N-1:0]       sound_o
);
  logic [N*Pages-1:0] valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid_d_i;
  end
  if (TlbParity != 0) begin : gen_parity
    (* keep *) logic [N*Pages-1:0] empty_q;
    logic [N-1:0] parity_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) empty_q <= '1;
      else empty_q <= ~valid_d_i;
    end
    always_ff @(posedge clk_i) begin
      for (int i = 0; i < N; i++) if (into_i[i]) parity_q[i] <= ^new_i;
    end
    assign valid_o = valid_q & ~empty_q;
    for (genvar i = 0; i < N; i++) begin : gen_entry
      assign sound_o[i] = parity_q[i] == ^words_i[i*WordW +: WordW];
    end
  end else begin : gen_no_parity
    logic unused_parity;
    assign unused_parity = ^{into_i, new_i, words_i};
    assign valid_o = valid_q;
    assign sound_o = '1;
  end
endmodule
`default_nettype wire
