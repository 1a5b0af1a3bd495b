// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_tb_memory: the memory of gmmu_axi_tb, behind the device's port (AXI, no prefix), its
// walk port (w_) and the port of coalescer and page copy (p_); one burst of each at a time, with
// random stalls. walk_bad_i, pte_bad_i: SLVERR on reads of walks, and of coalescer and page copy.
// 512 KiB in 8-byte words; the bench reads and writes `mem`; `served` counts bursts of the port.
`timescale 1ns / 1ps
`default_nettype none
module gmmu_axi_tb_memory (
  input  wire         clk_i,
  input  wire         walk_bad_i, pte_bad_i,
  input  wire         awv_i, wv_i, wl_i, br_i, arv_i, rr_i,
  output logic        awr_o, wr_o, bv_o, arr_o, rv_o, rl_o,
  input  wire  [3:0]  awid_i, arid_i,
  input  wire  [31:0] awaddr_i, araddr_i,
  input  wire  [7:0]  awlen_i, arlen_i, wstrb_i,
  input  wire  [2:0]  awsize_i, arsize_i,
  input  wire  [1:0]  awburst_i, arburst_i,
  input  wire  [63:0] wdata_i,
  output logic [3:0]  bid_o, rid_o,
  output logic [1:0]  bresp_o, rresp_o,
  output logic [63:0] rdata_o,
  input  wire         w_arv_i, w_rr_i,
  output logic        w_arr_o, w_rv_o, w_rl_o,
  input  wire  [1:0]  w_arid_i,
  input  wire  [31:0] w_araddr_i,
  output logic [1:0]  w_rid_o, w_rresp_o,
  output logic [63:0] w_rdata_o,
  input  wire         p_awv_i, p_wv_i, p_wl_i, p_arv_i,
  output logic        p_awr_o, p_wr_o, p_bv_o, p_arr_o, p_rv_o, p_rl_o,
  input  wire  [31:0] p_awaddr_i, p_araddr_i,
  input  wire  [7:0]  p_awlen_i, p_arlen_i,
  input  wire  [63:0] p_wdata_i,
  output logic [1:0]  p_bresp_o, p_rresp_o,
  output logic [63:0] p_rdata_o
);
  localparam int Words = 65536;
  reg [63:0] mem [0:Words-1];
  integer    served;
  function automatic logic some(input integer one_in);
    begin
      some = ($urandom % one_in) == 0;
    end
  endfunction
  function automatic [31:0] beat_at(input [31:0] first, input [2:0] size, input [1:0] kind,
      input [7:0] len, input integer beat);
    reg [31:0] a, total;
    begin
      total = (32'(len) + 1) << size;
      a = kind == 0 || beat == 0 ? first : ((first >> size) << size) + (beat << size);
      beat_at = kind == 2 ? (first & ~(total - 1)) | (a & (total - 1)) : a;
    end
  endfunction
  integer      w_beat, r_beat;
  integer      e_from, e_left, e_to, e_beats, e_b;
  logic        w_busy, r_busy;
  logic [31:0] w_first, r_first, at;
  logic [7:0]  w_len, r_len;
  logic [2:0]  w_size, r_size;
  logic [1:0]  w_kind, r_kind;
  initial begin
    {awr_o, wr_o, bv_o, arr_o, rv_o, w_arr_o, w_rv_o, w_busy, r_busy} = 0;
    {bresp_o, rresp_o, w_rresp_o, rl_o, w_rl_o} = 0;
    {p_awr_o, p_wr_o, p_bv_o, p_arr_o, p_rv_o, p_rl_o, p_bresp_o, p_rresp_o} = 0;
    {e_from, e_left, e_to, e_beats, e_b} = 0;
    served = 0;
  end
  always @(posedge clk_i) begin
    // writes
    if (bv_o && br_i) bv_o <= 0;
    if (awv_i && awr_o) begin
      w_busy <= 1;
      w_beat = 0;
      {w_first, w_len, w_size, w_kind} = {awaddr_i, awlen_i, awsize_i, awburst_i};
      bid_o <= awid_i;
      served = served + 1;
    end
    awr_o <= !w_busy && !(awv_i && awr_o) && !bv_o && some(2);
    if (wv_i && wr_o) begin
      at = beat_at(w_first, w_size, w_kind, w_len, w_beat);
      for (int i = 0; i < 8; i++) if (wstrb_i[i]) mem[at[18:3]][i*8 +: 8] = wdata_i[i*8 +: 8];
      w_beat = w_beat + 1;
      if (wl_i) begin
        w_busy <= 0;
        bv_o <= 1;
      end
    end
    wr_o <= w_busy && !(wv_i && wr_o && wl_i) && some(2);
    // reads
    if (arv_i && arr_o) begin
      r_busy <= 1;
      r_beat = 0;
      {r_first, r_len, r_size, r_kind} = {araddr_i, arlen_i, arsize_i, arburst_i};
      rid_o <= arid_i;
      served = served + 1;
    end
    arr_o <= !r_busy && !(arv_i && arr_o) && some(2);
    if (rv_o && rr_i) begin
      rv_o <= 0;
      if (rl_o) r_busy <= 0;
    end
    if (r_busy && (!rv_o || (rr_i && !rl_o)) && some(2)) begin
      at = beat_at(r_first, r_size, r_kind, r_len, r_beat);
      rv_o <= 1;
      rdata_o <= mem[at[18:3]];
      rl_o <= r_beat == 32'(r_len);
      r_beat = r_beat + 1;
    end
    // reads and writes of coalescer and page copy: one burst of each at a time; W waits for its AW
    p_arr_o <= e_left == 0 && !(p_arv_i && p_arr_o) && some(2);
    p_awr_o <= e_beats == 0 && !(p_awv_i && p_awr_o) && some(2);
    p_wr_o  <= e_beats > 0 && !(p_wv_i && p_wr_o) && some(2);
    p_rv_o  <= 0;
    if (e_left > 0 && some(3)) begin
      p_rv_o    <= 1;
      p_rl_o    <= e_left == 1;
      p_rdata_o <= mem[e_from];
      p_rresp_o <= pte_bad_i ? 2'b10 : 2'b00;
      e_from = e_from + 1;
      e_left = e_left - 1;
    end
    if (p_arv_i && p_arr_o) begin
      e_from = 32'(p_araddr_i[18:3]);
      e_left = 32'(p_arlen_i) + 1;
    end
    if (p_wv_i && p_wr_o) begin
      mem[e_to] = p_wdata_i;
      e_to = e_to + 1;
      e_beats = e_beats - 1;
      if (p_wl_i) e_b = e_b + 1;
    end
    if (p_awv_i && p_awr_o) begin
      e_to = 32'(p_awaddr_i[18:3]);
      e_beats = 32'(p_awlen_i) + 1;
    end
    p_bv_o <= e_b > 0;
    if (e_b > 0) e_b = e_b - 1;
    // walks
    w_arr_o <= !w_rv_o && !(w_arv_i && w_arr_o) && some(2);
    if (w_rv_o && w_rr_i) w_rv_o <= 0;
    if (w_arv_i && w_arr_o) begin
      w_rv_o <= 1;
      w_rl_o <= 1;
      w_rid_o <= w_arid_i;
      w_rdata_o <= mem[w_araddr_i[18:3]];
      w_rresp_o <= walk_bad_i ? 2'b10 : 2'b00;
    end
  end
endmodule
`default_nettype wire
