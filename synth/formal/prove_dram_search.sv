// SPDX-License-Identifier: Apache-2.0
// Which requests a search of a DRAM queue finds, by the rules of docs/dram_sched.md read one
// request after the other, oldest first: the first and second column and the row command of the
// class that gives them, in the banks in which it may, also where requests move down meanwhile; and
// what the choice of the class is told (prove_dram_choice is about that choice). See proofs.txt and
// docs/formal.md.
`default_nettype none
module prove_dram_search #(
  parameter int Entries = 9,
  parameter bit Fifo    = 1'b0,
  parameter int Covers  = 0,
  localparam int N      = Entries
) (
  input  logic           clk_i,
  input  logic [N-1:0]   asks_i,
  input  logic [N-1:0]   hit_i,
  input  logic [N-1:0]   write_i,
  input  logic [N-1:0]   silver_i,
  input  logic [N-1:0]   urgent_i,
  input  logic [3*N-1:0] bank_i,
  input  logic [N-1:0]   keep_i,
  input  logic [1:0]     group_i,
  input  logic [1:0]     rd_may_i,
  input  logic [1:0]     wr_may_i,
  input  logic [2:0]     col_i,
  input  logic [2:0]     col_banks_i,
  input  logic [5:0]     row_banks_i,
  input  logic           row_next_i
);
  `include "prove.svh"

  logic [17:0]  kinds;
  logic [1:0]   next_has, any_high, head;
  logic [N-1:0] sel_col, sel_second, sel_row;
  gmmu_dram_search #(.Entries(N), .Fifo(Fifo)) u_dut (
    .clk_i, .rst_ni, .asks_i, .hit_i, .write_i, .silver_i, .urgent_i, .bank_i, .keep_i, .group_i,
    .rd_may_i, .wr_may_i, .kinds_o(kinds), .next_o(next_has), .any_o(any_high), .head_o(head),
    .col_i, .col_banks_i, .row_banks_i, .row_next_i, .sel_col_o(sel_col),
    .sel_second_o(sel_second), .sel_row_o(sel_row)
  );

  // ---- the caller's rules: one class gives columns, one the row command; of {both, upper, lower}
  // one; where a request left, those above it move down
  logic [N-1:0] moves;
  assign moves = ~keep_i;
  always_comb begin
    assume ((col_i & (col_i - 3'd1)) == '0);
    assume ((col_banks_i & (col_banks_i - 3'd1)) == '0);
    assume ((row_banks_i & (row_banks_i - 6'd1)) == '0);
    assume (!row_next_i | row_banks_i == '0);
    assume ((keep_i & (keep_i + 1'b1)) == '0);
  end

  // ---- a request as step 1 sees it: its class (0 low, 1 high, 2 next), upper bank, what it asks
  localparam logic [1:0] Low = 2'd0, High = 2'd1, Next = 2'd2;
  logic [N-1:0] is_next_q, col, row, upper, c_next, c_high, may;
  logic         seen, seen_upper, seen_lower;
  logic [17:0]  says;
  logic [1:0]   says_next, says_high, says_head;
  always_comb begin
    {col, row, upper, c_next, c_high, may} = '0;
    {says, says_next, says_high, says_head} = '0;
    seen       = 1'b0;       // Fifo: an older one asks, in any bank; in the upper, in the lower one
    seen_upper = 1'b0;
    seen_lower = 1'b0;
    for (int i = 0; i < N; i++) begin
      if (asks_i[i]) begin
        if (bank_i[i] == group_i[0] & bank_i[N + i] == group_i[1]) begin
          upper[i]  = bank_i[2*N + i];
          c_next[i] = !Fifo & is_next_q[i];
          c_high[i] = Fifo | silver_i[i];
          col[i]    = hit_i[i] & (!Fifo | !seen);
          row[i]    = !hit_i[i] & (!Fifo | (upper[i] ? !seen_upper : !seen_lower));
          may[i]    = col[i] & (write_i[i] ? wr_may_i[upper[i]] : rd_may_i[upper[i]]);
          if (c_next[i]) says_next[upper[i]] = 1'b1;
          if (c_high[i]) says_high[upper[i]] = 1'b1;
          if (!hit_i[i] & (!Fifo | !seen)) says_head[upper[i]] = 1'b1;
          for (int c = 0; c < 3; c++) begin      // {low, high, next}
            if (c == 0 ? c_next[i] : c == 1 ? c_high[i] : !c_high[i]) begin
              if (row[i]) says[c*6 + (upper[i] ? 5 : 2)] = 1'b1;
              if (col[i]) says[c*6 + (upper[i] ? 3 : 0) + 32'(write_i[i])] = 1'b1;
            end
          end
          if (upper[i]) seen_upper = 1'b1;
          else seen_lower = 1'b1;
        end
        seen = 1'b1;
      end
    end
  end

  // A vector when the request at the lowest place that does not keep its own is gone.
  function automatic logic [N-1:0] moved(input logic [N-1:0] v, input logic [N-1:0] move);
    begin
      for (int i = 0; i < N; i++) moved[i] = !move[i] ? v[i] : i + 1 < N ? v[(i+1) % N] : 1'b0;
    end
  endfunction

  // ---- step 2: of those that are left, oldest first
  logic [N-1:0] may_q, row_q, upper_q, next_q, high_q, first, second, row_first;
  logic [N-1:0] urgent_first;
  always_ff @(posedge clk_i) begin
    may_q     <= moved(may, moves);
    row_q     <= moved(row, moves);
    upper_q   <= moved(upper, moves);
    next_q    <= moved(c_next, moves);
    high_q    <= moved(c_high, moves);
    is_next_q <= moved(urgent_first, moves);
  end
  logic [1:0]  found;
  logic        found_row, found_urgent;
  logic [1:0]  col_in, low_in, high_in;      // banks
  function automatic logic [1:0] in(input logic [2:0] b);
    in = {b[2] | b[1], b[2] | b[0]};
  endfunction
  assign col_in  = in(col_banks_i);
  assign low_in  = in(row_banks_i[5:3]);
  assign high_in = in(row_banks_i[2:0]);
  always_comb begin
    {first, second, row_first, urgent_first} = '0;
    found        = '0;
    found_row    = 1'b0;
    found_urgent = 1'b0;
    for (int i = 0; i < N; i++) begin
      if (may_q[i] & (col_i[0] ? next_q[i] : Fifo ? col_i[1]
          : (high_q[i] ? col_i[1] : col_i[2]) & col_in[upper_q[i]])) begin
        if (found == 2'd0) first[i] = 1'b1;
        if (found == 2'd1 & !Fifo & !col_i[0]) second[i] = 1'b1;
        if (found != 2'd2) found = found + 2'd1;
      end
      if (row_q[i] & !found_row & (row_next_i ? next_q[i]
          : high_q[i] ? high_in[upper_q[i]] : low_in[upper_q[i]])) begin
        row_first[i] = 1'b1;
        found_row    = 1'b1;
      end
      if (asks_i[i] & urgent_i[i] & !found_urgent) begin
        urgent_first[i] = 1'b1;
        found_urgent    = 1'b1;
      end
    end
  end

  // ---- step 3
  logic [N-1:0] first_q, second_q, row_first_q;
  always_ff @(posedge clk_i) begin
    first_q     <= moved(first, moves);
    second_q    <= moved(second, moves);
    row_first_q <= moved(row_first, moves);
  end
  logic [1:0] steps_q;      // what registers held at power-up is gone after three cycles
  always_ff @(posedge clk_i) begin
    if (!rst_ni) steps_q <= '0;
    else if (steps_q != 2'd3) steps_q <= steps_q + 2'd1;
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni & steps_q == 2'd3) begin
        kinds_are_asked_for: assert (kinds == says);
        next_has_banks: assert (Fifo | next_has == says_next);
        high_has_banks: assert (any_high == says_high);
        oldest_has_bank: assert (!Fifo | head == says_head);
        first_is_oldest: assert (sel_col == first_q);
        second_is_next_oldest: assert (sel_second == second_q);
        row_is_oldest: assert (sel_row == row_first_q);
      end
    end
  end else begin : gen_cover
    logic steady;
    assign steady = rst_ni & steps_q == 2'd3;
    always_comb begin
      c0: assert (!(steady & first_q != '0 & row_first_q != '0));
      c1: assert (!(steady & first_q[N-1]));
      c2: assert (!(steady & row_first_q[N-2]));
      c3: assert (!(steady & says_high == 2'b11));
    end
    if (Fifo) begin : gen_golden
      always_comb begin
        c4: assert (!(steady & says_head == 2'b01 & says_high == 2'b11));
        c5: assert (!(steady & says_head == 2'b10 & says_high == 2'b11));
      end
    end else begin : gen_classes
      always_comb begin
        c4: assert (!(steady & says_next == 2'b10 & says_high == 2'b11));
        c5: assert (!(steady & second_q[N-2] & first_q[0]));
      end
    end
  end
endmodule
`default_nettype wire
