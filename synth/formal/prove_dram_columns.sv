// SPDX-License-Identifier: Apache-2.0
// Columns of a bank group that stand ready: they leave in the order in which they came, unchanged,
// each once, and what is said of those that stand is what counting them says. See proofs.txt and
// docs/formal.md.
`default_nettype none
module prove_dram_columns #(
  parameter int Covers = 0,
  localparam int Width = 5         // class, upper bit of the bank, a bit of the caller's, write
) (
  input  logic             clk_i,
  input  logic             put_i,
  input  logic [Width-1:0] put_column_i,
  input  logic             second_i,
  input  logic [Width-1:0] second_column_i,
  input  logic             go_i
);
  `include "prove.svh"

  logic             valid, full, reads, writes, put, second, go;
  logic [Width-1:0] head;
  logic [1:0]       banks, more;
  gmmu_dram_columns #(.Width(Width)) u_dut (
    .clk_i, .rst_ni, .put_i(put), .put_column_i, .second_i(second), .second_column_i, .go_i(go),
    .valid_o(valid), .head_o(head), .full_o(full), .reads_o(reads), .writes_o(writes),
    .banks_o(banks), .more_o(more)
  );
  // ---- the caller's rules, by what it is told
  assign put    = put_i & rst_ni & !full;
  assign second = put & second_i;
  assign go     = go_i & valid;

  // ---- the queue
  `include "prove_columns.svh"

  // ---- what stands in it
  logic [2:0] read, lower, upper;
  always_comb begin
    {read, lower, upper} = '0;
    for (int i = 0; i < 4; i++) begin
      if (3'(i) < n_q) begin
        read  = read + 3'(!queue_q[i*Width]);
        lower = lower + 3'(!queue_q[i*Width + Width-3]);
        upper = upper + 3'(queue_q[i*Width + Width-3]);
      end
    end
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        none_or_head: assert (valid == (n_q != 3'd0) & (!valid | head == queue_q[Width-1:0]));
        at_most_four: assert (n_q <= 3'd4 & full == (n_q > 3'd2));
        directions:   assert (reads == (read != 3'd0) & writes == (read != n_q));
        of_banks:     assert (banks == {upper != 3'd0, lower != 3'd0} &
                              more == {upper > 3'd1, lower > 3'd1});
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(n_q == 3'd4 & go));
        c1: assert (!(n_q == 3'd1 & go & second));
        c2: assert (!(more == 2'b11 & reads & writes));
      end
    end
  end
endmodule
`default_nettype wire
