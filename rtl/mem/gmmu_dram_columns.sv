// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_columns: the columns of one bank group of a DRAM channel that stand ready, in order: at
// most four. Rules: docs/dram_sched.md.
//
// Two may come in a cycle, if full_o is 0, and one goes. A column's bits: class (2), upper bit of
// the bank, what the caller keeps with it, write.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_columns #(
  parameter int Width = 20
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             put_i,
  input  logic [Width-1:0] put_column_i,
  input  logic             second_i,        // beside the first one only
  input  logic [Width-1:0] second_column_i,
  input  logic             go_i,
  output logic             valid_o,
  output logic [Width-1:0] head_o,
  output logic             full_o,          // more than two stand
  output logic             reads_o,
  output logic             writes_o,
  output logic [1:0]       banks_o,         // one of the bank stands
  output logic [1:0]       more_o           // more than one does
);
  logic [3:0]         valid_q, stay, first_at, second_at, lower, upper, reads, writes;
  logic [4*Width-1:0] column_q, column;
  assign stay      = go_i ? {1'b0, valid_q[3:1]} : valid_q;
  assign first_at  = ~stay & {stay[2:0], 1'b1};
  assign second_at = first_at << 1;
  assign column    = go_i ? {{Width{1'b0}}, column_q[4*Width-1:Width]} : column_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= stay | (first_at & {4{put_i}}) | (second_at & {4{second_i}});
  end
  for (genvar i = 0; i < 4; i++) begin : gen_place
    always_ff @(posedge clk_i) begin
      column_q[i*Width +: Width] <= stay[i] ? column[i*Width +: Width] :
          second_at[i] ? second_column_i : put_column_i;
    end
    assign writes[i] = valid_q[i] && column_q[i*Width];
    assign reads[i]  = valid_q[i] && !column_q[i*Width];
    assign upper[i]  = valid_q[i] && column_q[(i+1)*Width-3];
    assign lower[i]  = valid_q[i] && !column_q[(i+1)*Width-3];
  end

  // More than one bit of v.
  function automatic logic many(input logic [3:0] v);
    begin
      many = (v & (v - 4'd1)) != '0;
    end
  endfunction
  assign valid_o  = valid_q[0];
  assign head_o   = column_q[0 +: Width];
  assign full_o   = valid_q[2];
  assign reads_o  = |reads;
  assign writes_o = |writes;
  assign banks_o  = {|upper, |lower};
  assign more_o   = {many(upper), many(lower)};

  `GMMU_ASSERT(dram_columns_room, !put_i || !valid_q[2])
  `GMMU_ASSERT(dram_columns_second, !second_i || put_i)
endmodule
`default_nettype wire
