// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_columns: the columns of one bank group of a DRAM channel that stand ready, in order: at
// most four. Rules: docs/dram_sched.md.
//
// Two may come in a cycle, if full_o is 0, and one goes. A column's bits: class (2), upper bit of
// the bank, what the caller keeps with it, write. Each stays in its place: go_i, which comes late,
// moves on which of them is first, and a copy of the bits by which that is judged.
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
  output logic [Width-1:0] head_o,          // the first; class, upper bit and write at once
  output logic             full_o,          // more than two stand
  output logic             reads_o,
  output logic             writes_o,
  output logic [1:0]       banks_o,         // one of the bank stands
  output logic [1:0]       more_o           // more than one does
);
  localparam int OutW = Width - 4;  // what the caller keeps

  logic [3:0]         full_q, first_q, free_q, last, lower, upper, reads, writes; // bits of places
  logic [4*Width-1:0] column_q;
  logic [3:0]         head_q, next;  // class, upper, write of the first and of the one after it
  logic [OutW-1:0]    out;
  logic               more;          // a second one stands
  logic               valid_q;

  function automatic logic [3:0] judged(input logic [Width-1:0] v);
    begin
      judged = {v[Width-1:Width-3], v[0]};
    end
  endfunction

  // The place after each: free_q is where the next one comes, last behind it the second.
  assign last = {free_q[2:0], free_q[3]};
  always_comb begin
    next = '0;
    out  = '0;
    for (int i = 0; i < 4; i++) begin
      next = next | (judged(column_q[i*Width +: Width]) & {4{first_q[(i+3)%4]}});
      out  = out | (column_q[i*Width+1 +: OutW] & {OutW{first_q[i]}});
    end
  end
  assign more = |(full_q & {first_q[2:0], first_q[3]});
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q  <= '0;
      first_q <= 4'd1;
      free_q  <= 4'd1;
      valid_q <= 1'b0;
    end else begin
      full_q  <= (full_q & ~(first_q & {4{go_i}})) | (free_q & {4{put_i}}) | (last & {4{second_i}});
      if (go_i) first_q <= {first_q[2:0], first_q[3]};
      if (put_i) free_q <= second_i ? {free_q[1:0], free_q[3:2]} : last;
      valid_q <= (go_i ? more : valid_q) || put_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (go_i) head_q <= more ? next : judged(put_column_i);
    else if (!valid_q) head_q <= judged(put_column_i);
  end
  for (genvar i = 0; i < 4; i++) begin : gen_place
    always_ff @(posedge clk_i) begin
      if (!full_q[i]) column_q[i*Width +: Width] <= free_q[i] ? put_column_i : second_column_i;
    end
    assign writes[i] = full_q[i] && column_q[i*Width];
    assign reads[i]  = full_q[i] && !column_q[i*Width];
    assign upper[i]  = full_q[i] && column_q[(i+1)*Width-3];
    assign lower[i]  = full_q[i] && !column_q[(i+1)*Width-3];
  end

  // More than one bit of v.
  function automatic logic many(input logic [3:0] v);
    begin
      many = (v & (v - 4'd1)) != '0;
    end
  endfunction
  assign valid_o  = valid_q;
  assign head_o   = {head_q[3:1], out, head_q[0]};
  assign full_o   = many(full_q & ~first_q); // the first one stands if any does
  assign reads_o  = |reads;
  assign writes_o = |writes;
  assign banks_o  = {|upper, |lower};
  assign more_o   = {many(upper), many(lower)};

  `GMMU_ASSERT(dram_columns_room, !put_i || !full_o)
  `GMMU_ASSERT(dram_columns_second, !second_i || put_i)
  `GMMU_ASSERT(dram_columns_go, !go_i || valid_q)
  `GMMU_ASSERT(dram_columns_first, valid_q == |full_q && valid_q == |(full_q & first_q))
  `GMMU_ASSERT(dram_columns_head, !valid_q || head_q ==
      ((judged(column_q[0 +: Width]) & {4{first_q[0]}}) |
      (judged(column_q[Width +: Width]) & {4{first_q[1]}}) |
      (judged(column_q[2*Width +: Width]) & {4{first_q[2]}}) |
      (judged(column_q[3*Width +: Width]) & {4{first_q[3]}})))
endmodule
`default_nettype wire
