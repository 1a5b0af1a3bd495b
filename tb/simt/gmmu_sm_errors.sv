// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_errors: errors of warps, one a cycle, become records: a queue of 16, what does not fit is
// counted. Only a block's first one is recorded (first_i). e1, e2 come as pulses and are kept here
// (an instruction is of one of the two, so none is lost); the others wait until taken.
`default_nettype none
module gmmu_sm_errors #(
  parameter int WarpW = 5
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             e1_valid_i,
  input  logic [77:0]      e1_i,
  input  logic             e2_valid_i,
  input  logic [77:0]      e2_i,
  input  logic             lsu_valid_i,
  output logic             lsu_taken_o,
  input  logic [77:0]      lsu_i,
  input  logic             rd_valid_i,
  output logic             rd_taken_o,
  input  logic [77:0]      rd_i,
  input  logic             wr_valid_i,
  output logic             wr_taken_o,
  input  logic [77:0]      wr_i,
  output logic             valid_o,
  output logic [WarpW-1:0] warp_o,
  input  logic             first_i,
  input  logic [31:0]      block_i,
  input  logic [4:0]       index_i,
  // the oldest record: cause, lane, warp in block, block, address, PC
  input  logic             drop_i,
  input  logic             clear_i,
  output logic             rec_valid_o,
  output logic [109:0]     rec_o,
  output logic [7:0]       lost_o
);
  logic         k1_q, k2_q;
  logic [77:0]  e1_q, e2_q, e;
  logic [109:0] mem [0:15];
  logic [3:0]   rp_q, wp_q;
  logic [4:0]   n_q;
  logic         push, pop;

  assign valid_o     = k1_q || k2_q || lsu_valid_i || rd_valid_i || wr_valid_i;
  assign e           = k1_q ? e1_q : k2_q ? e2_q : lsu_valid_i ? lsu_i : rd_valid_i ? rd_i : wr_i;
  assign lsu_taken_o = !k1_q && !k2_q && lsu_valid_i;
  assign rd_taken_o  = !k1_q && !k2_q && !lsu_valid_i && rd_valid_i;
  assign wr_taken_o  = !k1_q && !k2_q && !lsu_valid_i && !rd_valid_i && wr_valid_i;
  assign warp_o      = e[64 +: WarpW];
  assign push        = valid_o && first_i && n_q != 5'd16;
  assign pop         = drop_i && n_q != 5'd0;
  assign rec_valid_o = n_q != 5'd0;
  assign rec_o       = mem[rp_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      k1_q   <= 1'b0;
      k2_q   <= 1'b0;
      rp_q   <= 4'd0;
      wp_q   <= 4'd0;
      n_q    <= 5'd0;
      lost_o <= 8'd0;
    end else begin
      k1_q <= e1_valid_i;
      k2_q <= e2_valid_i || (k2_q && k1_q);
      if (push) wp_q <= wp_q + 4'd1;
      if (pop) rp_q <= rp_q + 4'd1;
      n_q <= n_q + 5'(push) - 5'(pop);
      if (valid_o && first_i && !push && lost_o != 8'hff) lost_o <= lost_o + 8'd1;
      if (clear_i) begin
        rp_q   <= 4'd0;
        wp_q   <= 4'd0;
        n_q    <= 5'd0;
        lost_o <= 8'd0;
      end
    end
    if (e1_valid_i) e1_q <= e1_i;
    if (e2_valid_i) e2_q <= e2_i;
    if (push) mem[wp_q] <= {e[77:69], index_i, block_i, e[63:0]};
  end
endmodule
`default_nettype wire
