// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_lines: the lines of a bank of the L2 cache (gmmu_cache_bank), and per miss register
// the pieces that came back from memory and what a write brings to a line that is not here.
//
// A line is read with read_i and is in read_o in the cycle after: a hit's, the victim's of a fill.
// A write is a cycle behind its decision, to set_i and way_i. A fill: start_i reads what came back;
// in the next cycle (keep_new_i) it is kept in new_o, with the bytes of a write that missed; fill_i
// writes it to set_i and way_i. Legal: Sets and Ways powers of two, Beats 1 or 2.
`default_nettype none
module gmmu_cache_lines #(
  parameter int Sets   = 64,
  parameter int Ways   = 16,
  parameter int LineB  = 128,
  parameter int Beats  = 2,
  parameter int Mshrs  = 64,
  localparam int SetW  = $clog2(Sets),
  localparam int WayW  = gmmu_pkg::idx_w(Ways),
  localparam int MshrW = gmmu_pkg::idx_w(Mshrs),
  localparam int PieceBits = LineB * 8 / Beats
) (
  input  logic                 clk_i,
  input  logic                 read_i,
  input  logic [SetW-1:0]      read_set_i,
  input  logic [WayW-1:0]      read_way_i,
  input  logic [SetW-1:0]      set_i,
  input  logic [WayW-1:0]      way_i,
  input  logic                 write_i,
  input  logic [LineB-1:0]     mask_i,
  input  logic [LineB*8-1:0]   data_i,
  output logic [LineB*8-1:0]   read_o,
  // a write that misses
  input  logic                 keep_i,
  input  logic [MshrW-1:0]     keep_mshr_i,
  input  logic [LineB-1:0]     keep_mask_i,
  input  logic [LineB*8-1:0]   keep_data_i,
  // pieces from memory
  input  logic                 back_i,
  input  logic [MshrW-1:0]     back_mshr_i,
  input  logic                 back_beat_i,
  input  logic [PieceBits-1:0] back_data_i,
  // fill
  input  logic                 start_i,
  input  logic [MshrW-1:0]     start_mshr_i,
  input  logic                 keep_new_i,
  input  logic                 fill_i,
  input  logic                 fill_write_i,   // its miss was a write
  output logic [LineB*8-1:0]   new_o           // until the next one
);
  localparam int LineBits = LineB * 8;
  logic [LineBits-1:0] back_line, write_line;
  logic [LineB-1:0]    write_mask;
  gmmu_ram_be #(.Bytes(LineB), .Depth(Sets * Ways)) u_lines (
    .clk_i, .we_i(fill_i ? {LineB{1'b1}} : {LineB{write_i}} & mask_i), .waddr_i({set_i, way_i}),
    .wdata_i(fill_i ? new_o : data_i), .re_i(read_i), .raddr_i({read_set_i, read_way_i}),
    .rdata_o(read_o)
  );
  for (genvar k = 0; k < Beats; k++) begin : gen_piece
    gmmu_ram #(.Width(PieceBits), .Depth(Mshrs)) u_back (
      .clk_i, .we_i(back_i && (Beats == 1 || back_beat_i == 1'(k))), .waddr_i(back_mshr_i),
      .wdata_i(back_data_i), .re_i(start_i), .raddr_i(start_mshr_i),
      .rdata_o(back_line[k*PieceBits +: PieceBits])
    );
  end
  gmmu_ram #(.Width(LineB + LineBits), .Depth(Mshrs)) u_write (
    .clk_i, .we_i(keep_i), .waddr_i(keep_mshr_i), .wdata_i({keep_mask_i, keep_data_i}),
    .re_i(start_i), .raddr_i(start_mshr_i), .rdata_o({write_mask, write_line})
  );
  always_ff @(posedge clk_i) begin
    if (keep_new_i) begin
      for (int i = 0; i < LineB; i++)
        new_o[i*8 +: 8] <= fill_write_i && write_mask[i] ? write_line[i*8 +: 8]
            : back_line[i*8 +: 8];
    end
  end
endmodule
`default_nettype wire
