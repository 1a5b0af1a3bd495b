// SPDX-License-Identifier: Apache-2.0
// A queue gives the words that it was given, in their order, each once: a word is followed from any
// push to its pop, and no word comes out that did not go in. Kind 0: gmmu_fifo; 1: gmmu_fifo2; 2:
// gmmu_ram_fifo.
`default_nettype none
module prove_fifo #(
  parameter int Kind   = 0,
  parameter int Depth  = 4,
  parameter int Width  = 2,
  parameter int Late   = 0,
  parameter int Head   = 0,
  parameter int Covers = 0,
  localparam int CntW  = $clog2(Depth + 3)
) (
  input  logic             clk_i,
  input  logic             push_i,
  input  logic             push2_i,
  input  logic             pop_i,
  input  logic [Width-1:0] data_i,
  input  logic [Width-1:0] data2_i,
  input  logic             follow_i    // follow the word of this push, if none is followed
);
  `include "prove.svh"

  logic             valid, empty, push2;
  logic [Width-1:0] data;
  logic [CntW-1:0]  held_q;            // words inside, counted here

  if (Kind == 0) begin : gen_fifo
    logic [$clog2(Depth+1)-1:0] count;
    gmmu_fifo #(.Width(Width), .Depth(Depth), .Late(Late), .Head(Head)) u_dut (
      .clk_i, .rst_ni, .push_i, .data_i, .pop_i, .valid_o(valid), .data_o(data), .count_o(count)
    );
    assign push2 = 1'b0;
    assign empty = !valid;
    if (Covers == 0) begin : gen_count
      always_comb if (rst_ni) count_is_what_is_inside: assert (CntW'(count) == held_q);
    end
  end else if (Kind == 1) begin : gen_fifo2
    gmmu_fifo2 #(.Width(Width), .Depth(Depth)) u_dut (
      .clk_i, .rst_ni, .push_i, .data_i, .push2_i(push2), .data2_i, .pop_i, .valid_o(valid),
      .data_o(data)
    );
    assign push2 = push2_i;
    assign empty = !valid;
  end else begin : gen_ram_fifo
    logic valid_next;
    gmmu_ram_fifo #(.Width(Width), .Depth(Depth)) u_dut (
      .clk_i, .rst_ni, .push_i, .data_i, .pop_i, .valid_o(valid), .next_o(valid_next),
      .data_o(data), .empty_o(empty)
    );
    assign push2 = 1'b0;
    if (Covers == 0) begin : gen_next
      logic next_q, known_q = 1'b0;
      always_ff @(posedge clk_i) {next_q, known_q} <= {valid_next, rst_ni};
      always_comb if (rst_ni & known_q) next_is_the_next_valid: assert (valid == next_q);
    end
  end

  // ---- the caller's rules
  always_comb begin
    if (rst_ni) begin
      assume (32'(held_q) + 32'(push_i) + 32'(push2) <= Depth + (Kind == 1 & pop_i ? 1 : 0));
      assume (!pop_i | valid);
      assume (!push2 | push_i);
    end else begin
      assume (!push_i & !pop_i & !push2);
    end
  end

  // ---- one word, followed
  logic             in_q;
  logic [CntW-1:0]  ahead_q, left;     // words before it
  logic [Width-1:0] word_q;
  assign left = held_q - CntW'(pop_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= '0;
      in_q   <= 1'b0;
    end else begin
      held_q <= left + CntW'(push_i) + CntW'(push2);
      if (in_q) begin
        if (pop_i) begin
          in_q    <= ahead_q != '0;
          ahead_q <= ahead_q - 1'b1;
        end
      end else if (follow_i & push_i) begin
        in_q    <= 1'b1;
        ahead_q <= left + CntW'(push2);          // the second of two where there are two
        word_q  <= push2 ? data2_i : data_i;
      end
    end
  end
  logic out;
  assign out = in_q & ahead_q == '0;

  // A word is at the head of gmmu_ram_fifo two cycles after its push, of the others after one.
  logic [1:0] waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | !out | valid) waits_q <= '0;
    else waits_q <= waits_q + 1'b1;
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        if (out & valid) word_comes_out_as_it_went_in: assert (data == word_q);
        if (held_q == '0) nothing_from_nothing: assert (!valid);
        says_when_it_is_empty: assert (empty == (held_q == '0));
        comes_in_time: assert (waits_q <= (Kind == 2 ? 2'd1 : 2'd0));
        if (Kind != 2 & held_q != '0) shows_its_head_at_once: assert (valid);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c_full: assert (held_q != CntW'(Depth));
        c_out: assert (!(out & valid & pop_i & word_q == '1));
        c_through: assert (!(push_i & pop_i & held_q == CntW'(Depth - 1)));
        c_empty_again: assert (!(in_q & held_q == CntW'(1) & pop_i));
      end
    end
  end
endmodule
`default_nettype wire
