// SPDX-License-Identifier: Apache-2.0
// The walker's port to the L2 cache: a read goes once, in order, unchanged, to the bank of its
// address (gmmu_mem_map, which has a proof of its own), where it stays until that bank takes it;
// answers come back at once, one a cycle, each once, with its name and the word that was asked for,
// and a bank waits for at most N - 1 of others. See proofs.txt and docs/formal.md. Assumed: a walk
// has one read on its way, banks hold what they answer until it is taken.
`default_nettype none
module prove_pte_port #(
  parameter int Line   = 0,      // LineAnswers
  parameter int Covers = 0,
  localparam int PaW   = 16,
  localparam int N     = 4,
  localparam int LineW = PaW - 9,
  localparam int RspW  = Line != 0 ? 512 : 64
) (
  input  logic           clk_i,
  input  logic           valid_i,
  input  logic [PaW-1:0] addr_i,
  input  logic           id_i,
  input  logic [2:0]     depth_i,
  input  logic [N-1:0]   t_ready_i,
  input  logic [N-1:0]   t_rsp_valid_i,
  input  logic [N-1:0]   t_rsp_id_i,
  input  logic [N*8-1:0] t_rsp_data_i   // a bit of each word
);
  `include "prove.svh"
  logic               ready, rsp_valid, rsp_id;
  logic [RspW-1:0]    rsp_data;
  logic [N-1:0]       t_valid, t_beat, t_id, t_rsp_ready;
  logic [N*LineW-1:0] t_line;
  logic [N*3-1:0]     t_depth;
  logic [N*512-1:0]   pieces;
  for (genvar i = 0; i < N * 8; i++) begin : gen_word
    assign pieces[i*64 +: 64] = {63'd0, t_rsp_data_i[i]};
  end
  gmmu_pte_port #(.PaW(PaW), .IdW(1), .ChannelBits(1), .BankBits(1),
      .LineAnswers(Line != 0)) u_dut (
    .clk_i, .rst_ni, .req_valid_i(valid_i), .req_ready_o(ready), .req_addr_i(addr_i),
    .req_id_i(id_i), .req_depth_i(depth_i), .rsp_valid_o(rsp_valid), .rsp_id_o(rsp_id),
    .rsp_data_o(rsp_data), .t_valid_o(t_valid), .t_ready_i, .t_line_o(t_line), .t_beat_o(t_beat),
    .t_depth_o(t_depth), .t_id_o(t_id), .t_rsp_valid_i, .t_rsp_ready_o(t_rsp_ready), .t_rsp_id_i,
    .t_rsp_data_i(pieces)
  );

  // Reads that no bank has taken, the first one lowest; where it belongs. Walks with a read on its
  // way, and the word that they want.
  logic [1:0]         count_q;
  logic [PaW+3:0]     first_q, second_q;
  logic [PaW-1:0]     addr;
  logic [1:0]         bank, busy_q, sent_q;
  logic [LineW-1:0]   line;
  logic [2:0]         word_q [0:1];
  logic [2*N-1:0]     waits_q;
  logic [N-1:0]       held_q, held_id_q;
  logic [N*8-1:0]     held_data_q;
  logic               take, pop;
  assign take = valid_i && ready;
  assign addr = first_q[PaW-1:0];
  assign pop  = count_q != '0 && t_ready_i[bank];
  gmmu_mem_map #(.PaW(PaW), .ChannelBits(1), .BankBits(1)) u_map (
    .line_i(addr[PaW-1:7]), .port_o(bank), .line_o(line)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {count_q, busy_q, sent_q, held_q, waits_q} <= '0;
    end else begin
      count_q <= count_q + 2'(take) - 2'(pop);
      held_q  <= t_rsp_valid_i & ~t_rsp_ready;
      for (int i = 0; i < 2; i++) begin
        if (take && id_i == i[0]) busy_q[i] <= 1'b1;
        else if (rsp_valid && rsp_id == i[0]) busy_q[i] <= 1'b0;
        if (pop && first_q[PaW] == i[0]) sent_q[i] <= 1'b1;
        else if (rsp_valid && rsp_id == i[0]) sent_q[i] <= 1'b0;
      end
      for (int b = 0; b < N; b++)
        waits_q[2*b +: 2] <= !t_rsp_valid_i[b] || t_rsp_ready[b] ? 2'd0 : waits_q[2*b +: 2] + 2'd1;
    end
    if (pop || count_q == '0) first_q <= count_q == 2'd2 ? second_q : {depth_i, id_i, addr_i};
    if (count_q == 2'd1 || (count_q == 2'd2 && pop)) second_q <= {depth_i, id_i, addr_i};
    if (take) word_q[id_i] <= addr_i[5:3];
    {held_id_q, held_data_q} <= {t_rsp_id_i, t_rsp_data_i};
  end
  always_comb begin
    if (!rst_ni) assume (!valid_i && t_rsp_valid_i == '0);
    assume (!valid_i || !busy_q[id_i]);
    // A bank answers a read that one of them has taken; no read is answered by two.
    for (int b = 0; b < N; b++) begin
      assume (!t_rsp_valid_i[b] || sent_q[t_rsp_id_i[b]]);
      assume (!held_q[b] || (t_rsp_valid_i[b] && t_rsp_id_i[b] == held_id_q[b] &&
                             t_rsp_data_i[b*8 +: 8] == held_data_q[b*8 +: 8]));
      for (int c = 0; c < b; c++)
        assume (!(t_rsp_valid_i[b] && t_rsp_valid_i[c]) || t_rsp_id_i[b] != t_rsp_id_i[c]);
    end
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        room:   assert (ready == (count_q < 2'd2));
        one:    assert (t_valid == (count_q != '0 ? N'(1) << bank : '0));
        what:   assert (t_valid == '0 || (t_line[bank*LineW +: LineW] == line &&
                        t_beat[bank] == addr[6] && {t_depth[bank*3 +: 3], t_id[bank]} ==
                        first_q[PaW +: 4]));
        at_once: assert (rsp_valid == (t_rsp_valid_i != '0));
        of_one:  assert ((t_rsp_ready & ~t_rsp_valid_i) == '0 &&
                         (t_rsp_ready & (t_rsp_ready - 1'b1)) == '0 &&
                         (t_rsp_ready != '0) == rsp_valid);
      end
    end
    for (genvar b = 0; b < N; b++) begin : gen_bank
      always_comb begin
        if (rst_ni) begin
          assert (waits_q[2*b +: 2] != 2'd3 || t_rsp_ready[b] || !t_rsp_valid_i[b]);
          assert (!t_rsp_ready[b] || (rsp_id == t_rsp_id_i[b] && (Line != 0
              ? rsp_data == RspW'(pieces[b*512 +: 512])
              : rsp_data == RspW'(t_rsp_data_i[b*8 + word_q[rsp_id]]))));
        end
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(count_q == 2'd2 && pop && bank == 2'd3));
        c1: assert (!(t_rsp_valid_i == 4'b1010 && t_rsp_ready == 4'b1000));
        c2: assert (!(count_q == 2'd1 && take && !pop && t_ready_i != '0));
      end
    end
  end
endmodule
`default_nettype wire
