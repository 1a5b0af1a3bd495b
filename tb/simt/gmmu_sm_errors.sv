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
  logic         path_valid_q, lanes_valid_q;
  logic [77:0]  path_err_q, lanes_err_q, e;
  logic [109:0] mem [0:15];
  logic [3:0]   read_ptr_q, write_ptr_q;
  logic [4:0]   count_q;
  logic         push, pop;

  assign valid_o     = path_valid_q || lanes_valid_q || lsu_valid_i || rd_valid_i || wr_valid_i;
  assign e           = path_valid_q ? path_err_q : lanes_valid_q ? lanes_err_q :
                       lsu_valid_i ? lsu_i : rd_valid_i ? rd_i : wr_i;
  assign lsu_taken_o = !path_valid_q && !lanes_valid_q && lsu_valid_i;
  assign rd_taken_o  = !path_valid_q && !lanes_valid_q && !lsu_valid_i && rd_valid_i;
  assign wr_taken_o  = !path_valid_q && !lanes_valid_q && !lsu_valid_i && !rd_valid_i && wr_valid_i;
  assign warp_o      = e[64 +: WarpW];
  assign push        = valid_o && first_i && count_q != 5'd16;
  assign pop         = drop_i && count_q != 5'd0;
  assign rec_valid_o = count_q != 5'd0;
  assign rec_o       = mem[read_ptr_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      path_valid_q  <= 1'b0;
      lanes_valid_q <= 1'b0;
      read_ptr_q    <= 4'd0;
      write_ptr_q   <= 4'd0;
      count_q       <= 5'd0;
      lost_o        <= 8'd0;
    end else begin
      path_valid_q <= e1_valid_i;
      lanes_valid_q <= e2_valid_i || (lanes_valid_q && path_valid_q);
      if (push) write_ptr_q <= write_ptr_q + 4'd1;
      if (pop) read_ptr_q <= read_ptr_q + 4'd1;
      count_q <= count_q + 5'(push) - 5'(pop);
      if (valid_o && first_i && !push && lost_o != 8'hff) lost_o <= lost_o + 8'd1;
      if (clear_i) begin
        read_ptr_q  <= 4'd0;
        write_ptr_q <= 4'd0;
        count_q     <= 5'd0;
        lost_o      <= 8'd0;
      end
    end
    if (e1_valid_i) path_err_q <= e1_i;
    if (e2_valid_i) lanes_err_q <= e2_i;
    if (push) mem[write_ptr_q] <= {e[77:69], index_i, block_i, e[63:0]};
  end
endmodule
`default_nettype wire
