// SPDX-License-Identifier: Apache-2.0
// gmmu_pte_port: the walker's reads, on their way to the L2 cache banks of all channels and back.
// Rules: docs/memsys.md.
//
// A read waits in a FIFO of two until its bank takes it; the answers of the banks come back one a
// cycle, banks in turn.
// Channel and bank: gmmu_mem_map. Legal: ChannelBits 0..4, BankBits 0..4.
`default_nettype none
module gmmu_pte_port #(
  parameter int PaW         = 48,
  parameter int IdW         = 6,
  parameter int ChannelBits = 3,
  parameter int BankBits    = 1,
  parameter bit ByPage      = 1'b0,   // a 4 KiB page lies in one channel
  parameter bit Linear      = 1'b0,   // no hashes
  parameter bit LineAnswers = 1'b0,   // the walker takes 64 bytes
  localparam int N          = 1 << (ChannelBits + BankBits),  // {channel, bank}
  localparam int LineW      = PaW - 7 - ChannelBits - BankBits,
  localparam int RspW       = LineAnswers ? 512 : 64
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // walker
  input  logic               req_valid_i,
  output logic               req_ready_o,
  input  logic [PaW-1:0]     req_addr_i,
  input  logic [IdW-1:0]     req_id_i,
  input  logic [2:0]         req_depth_i,
  output logic               rsp_valid_o,
  output logic [IdW-1:0]     rsp_id_o,
  output logic [RspW-1:0]    rsp_data_o,
  // banks
  output logic [N-1:0]       t_valid_o,
  input  logic [N-1:0]       t_ready_i,
  output logic [N*LineW-1:0] t_line_o,
  output logic [N-1:0]       t_beat_o,
  output logic [N*3-1:0]     t_depth_o,
  output logic [N*IdW-1:0]   t_id_o,
  input  logic [N-1:0]       t_rsp_valid_i,
  output logic [N-1:0]       t_rsp_ready_o,
  input  logic [N*IdW-1:0]   t_rsp_id_i,
  input  logic [N*512-1:0]   t_rsp_data_i
);
  localparam int SelW = gmmu_pkg::idx_w(N);

  if (ChannelBits < 0 || ChannelBits > 4 || BankBits < 0 || BankBits > 4) begin : gen_bad
    gmmu_pte_port_ChannelBits_and_BankBits_must_be_0_to_4 u_bad();
  end

  logic               have, pop;
  logic [1:0]         count;
  logic [PaW-1:0]     addr;
  logic [IdW-1:0]     id;
  logic [2:0]         depth;
  logic [SelW-1:0]    sel;
  logic [LineW-1:0]   line;
  gmmu_fifo #(.Width(PaW + IdW + 3), .Depth(2)) u_fifo (
    .clk_i, .rst_ni, .push_i(req_valid_i && req_ready_o),
    .data_i({req_addr_i, req_id_i, req_depth_i}), .pop_i(pop), .valid_o(have),
    .data_o({addr, id, depth}), .count_o(count)
  );
  assign req_ready_o = !count[1];
  gmmu_mem_map #(.PaW(PaW), .ChannelBits(ChannelBits), .BankBits(BankBits), .ByPage(ByPage),
      .Linear(Linear)) u_map (.line_i(addr[PaW-1:7]), .port_o(sel), .line_o(line));
  assign pop = have && t_ready_i[sel];
  assign t_valid_o = have ? N'(1) << sel : '0;
  assign t_line_o  = {N{line}};
  assign t_beat_o  = {N{addr[6]}};
  assign t_depth_o = {N{depth}};
  assign t_id_o    = {N{id}};

  // Answers, and which of the eight words each walk wants.
  logic [SelW-1:0]  from;
  logic [511:0]     piece;
  logic [2:0]       word_q [0:2**IdW-1];
  gmmu_rr_arb #(.N(N)) u_rsp (
    .clk_i, .rst_ni, .req_i(t_rsp_valid_i), .take_i(rsp_valid_o),
    .valid_o(rsp_valid_o), .idx_o(from)
  );
  assign t_rsp_ready_o = rsp_valid_o ? N'(1) << from : '0;
  assign rsp_id_o      = t_rsp_id_i[from*IdW +: IdW];
  assign piece         = t_rsp_data_i[from*512 +: 512];
  always_ff @(posedge clk_i) if (req_valid_i && req_ready_o) word_q[req_id_i] <= req_addr_i[5:3];
  if (LineAnswers) begin : gen_line
    assign rsp_data_o = piece;
  end else begin : gen_word
    assign rsp_data_o = piece[word_q[rsp_id_o]*64 +: 64];
  end
endmodule
`default_nettype wire
