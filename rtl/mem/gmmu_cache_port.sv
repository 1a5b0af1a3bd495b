// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_port: data port of a bank of the L2 cache, PortB bytes a cycle: a line that is written
// comes, and a line that is read goes, as Words words, lowest bytes first. Rules: docs/l2_cache.md.
//
// Requests: a read is one word, a write Words, of one line and id, which follow each other; the
// last one is handed on with the whole line, in its cycle. Answers: the bank's stays until its last
// word is taken. ready_o does not depend on valid_i. Legal: PortB a power of two, 8..LineB; PortB =
// LineB is wires.
`default_nettype none
module gmmu_cache_port #(
  parameter int LineB   = 128,
  parameter int PortB   = 32,
  localparam int Words  = PortB < 1 ? 1 : LineB / PortB,
  localparam int WordW  = gmmu_pkg::idx_w(Words)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from and to the SMs
  input  logic               valid_i,
  output logic               ready_o,
  input  logic               we_i,
  input  logic [PortB-1:0]   mask_i,
  input  logic [PortB*8-1:0] wdata_i,
  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [PortB*8-1:0] rsp_data_o,
  // bank
  output logic               b_valid_o,
  input  logic               b_ready_i,
  output logic [LineB-1:0]   b_mask_o,
  output logic [LineB*8-1:0] b_wdata_o,
  input  logic               b_rsp_valid_i,
  output logic               b_rsp_ready_o,
  input  logic [LineB*8-1:0] b_rsp_data_i
);
  if (PortB < 8 || Words * PortB != LineB || (PortB & (PortB - 1)) != 0) begin : gen_bad
    gmmu_cache_port_PortB_must_be_a_power_of_two_from_8_to_LineB u_bad();
  end

  assign ready_o     = b_ready_i;
  assign rsp_valid_o = b_rsp_valid_i;
  if (Words <= 1) begin : gen_whole
    assign b_valid_o     = valid_i;
    assign b_mask_o      = mask_i;
    assign b_wdata_o     = wdata_i;
    assign b_rsp_ready_o = rsp_ready_i;
    assign rsp_data_o    = b_rsp_data_i;
  end else begin : gen_words
    localparam logic [WordW-1:0] LAST = WordW'(Words - 1);
    logic [WordW-1:0]         in_word_q, out_word_q;
    logic [LineB-PortB-1:0]   mask_q;    // the words before the last
    logic [8*(LineB-PortB)-1:0] data_q;
    logic                     keep;
    assign keep          = valid_i && b_ready_i && we_i && in_word_q != LAST;
    assign b_valid_o     = valid_i && (!we_i || in_word_q == LAST);
    assign b_mask_o      = {mask_i, mask_q};
    assign b_wdata_o     = {wdata_i, data_q};
    assign b_rsp_ready_o = rsp_ready_i && out_word_q == LAST;
    assign rsp_data_o    = b_rsp_data_i[out_word_q*(PortB*8) +: PortB*8];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        in_word_q  <= '0;
        out_word_q <= '0;
      end else begin
        if (valid_i && b_ready_i && we_i) in_word_q <= keep ? in_word_q + WordW'(1) : '0;
        if (b_rsp_valid_i && rsp_ready_i) out_word_q <= b_rsp_ready_o ? '0 : out_word_q + WordW'(1);
      end
    end
    // A word pushes those before it down.
    always_ff @(posedge clk_i) begin
      if (keep) begin
        mask_q <= (LineB-PortB)'({mask_i, mask_q} >> PortB);
        data_q <= (8*(LineB-PortB))'({wdata_i, data_q} >> (PortB*8));
      end
    end
  end
endmodule
`default_nettype wire
