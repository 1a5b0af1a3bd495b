// SPDX-License-Identifier: Apache-2.0
// The times between the commands of one DRAM bank, counted in ticks from the commands alone, with
// any sequence of cycles of 0, 1 and 2 ticks, whatever goes that is allowed. See proofs.txt and
// docs/formal.md.
`default_nettype none
module prove_dram_bank #(
  parameter int Covers = 0,
  parameter int Rcd    = 5,      // ticks
  parameter int Ras    = 12,
  parameter int Rc     = 16,
  parameter int Rp     = 3,
  parameter int Rtp    = 2,
  parameter int Wtp    = 5,
  parameter int Rfc    = 18,     // the longest
  localparam int W     = $clog2(Rfc + 3)
) (
  input  logic       clk_i,
  input  logic [1:0] ticks_i,
  input  logic       act_i,      // what goes in this cycle, on the pins in the next one
  input  logic       pre_i,
  input  logic       second_i,   // an ACT or PRE: beside a column, on the second tick
  input  logic       read_i,
  input  logic       write_i,
  input  logic       ap_i,
  input  logic       prea_i,
  input  logic       refresh_i
);
  `include "prove.svh"

  logic       act, pre, second, read, write, ap, prea, refresh, open, act_o, pre_o, col_o, pre_soon,
      rcd_soon, row;
  logic [1:0] ticks;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {act, pre, read, write, prea, refresh} <= '0;
    else {act, pre, read, write, prea, refresh} <=
        {act_i, pre_i, read_i, write_i, prea_i, refresh_i};
    {second, ap, ticks} <= {second_i, ap_i, ticks_i};
  end
  assign row = act | pre;
  gmmu_dram_bank #(.Rcd(Rcd), .Ras(Ras), .Rc(Rc), .Rp(Rp), .Rtp(Rtp), .Wtp(Wtp), .Rfc(Rfc)) u_dut (
    .clk_i, .rst_ni, .act_i(act), .pre_i(pre), .read_i(read), .write_i(write),
    .ap_i((read | write) & ap), .prea_i(prea), .refresh_i(refresh), .prea_now_i(prea_i),
    .refresh_now_i(refresh_i), .before_i(ticks), .row_ticks_i(row & second ? 2'd1 : ticks),
    .ticks_i, .open_o(open), .act_o(act_o), .pre_o(pre_o), .col_o(col_o), .pre_soon_o(pre_soon),
    .rcd_soon_o(rcd_soon)
  );

  // ---- one command a cycle, which is allowed, in a cycle with a tick; PREA also of a bank that is
  // closed, REF of one that may be opened
  always_comb begin
    assume (ticks_i != 2'd3);
    assume (32'(act_i) + 32'(pre_i) + 32'(read_i) + 32'(write_i) + 32'(prea_i) +
        32'(refresh_i) <= 1);
    assume (!(act_i | refresh_i) | act_o);
    assume (!pre_i | pre_o);
    assume (!(read_i | write_i) | col_o);
    assume (!prea_i | !open | pre_o);
    assume (ticks_i != '0 | !(act_i | pre_i | read_i | write_i | prea_i | refresh_i));
    assume (!second_i | (ticks_i == 2'd2 & (act_i | pre_i)));
    if (!rst_ni) assume (!(act_i | pre_i | read_i | write_i | prea_i | refresh_i));
  end

  // ---- ticks since each, from the first of this cycle on the pins, up to Most
  localparam int Most = (1 << W) - 1;
  function automatic logic [W-1:0] later(input logic [W-1:0] since, input logic [1:0] n);
    begin
      later = 32'(since) + 32'(n) > Most ? W'(Most) : since + W'(n);
    end
  endfunction
  logic [W-1:0] act_q, pre_q, read_q, write_q, refresh_q, auto_q;
  // until what closes by itself is closed
  logic [W-1:0] left_q, left, from_act, from_col, from_old;
  logic       open_q;
  logic [1:0] from_row;          // ticks from a row command to the cycle's end
  assign from_row = second ? 2'd1 : ticks;
  assign from_act = 32'(act_q) >= Ras ? '0 : W'(Ras) - W'(act_q);
  assign from_col = read ? W'(Rtp) : W'(Wtp);
  assign from_old = 32'(write_q) < Wtp ? W'(Wtp) - W'(write_q)
      : 32'(read_q) < Rtp ? W'(Rtp) - W'(read_q) : '0;
  always_comb begin
    left = left_q;
    if ((read | write) & ap) begin
      left = from_act > from_col ? from_act : from_col;
      if (from_old > left) left = from_old;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {act_q, pre_q, read_q, write_q, refresh_q, auto_q} <= {6{W'(Most)}};
      {left_q, open_q} <= '0;
    end else begin
      act_q     <= act ? W'(from_row) : later(act_q, ticks);
      pre_q     <= pre ? W'(from_row) : prea & open_q ? W'(ticks) : later(pre_q, ticks);
      read_q    <= read ? W'(ticks) : later(read_q, ticks);
      write_q   <= write ? W'(ticks) : later(write_q, ticks);
      refresh_q <= refresh ? W'(ticks) : later(refresh_q, ticks);
      left_q    <= 32'(left) > 32'(ticks) ? left - W'(ticks) : '0;
      auto_q    <= left != '0 | ((read | write) & ap)
          ? (32'(left) > 32'(ticks) ? '0 : W'(ticks) - W'(left)) : later(auto_q, ticks);
      if (act) open_q <= 1'b1;
      else if (pre | prea | ((read | write) & ap)) open_q <= 1'b0;
    end
  end
  // to a command of this cycle
  logic [W-1:0] act_to, pre_to, read_to, write_to, refresh_to, auto_to;
  assign act_to     = later(act_q, {1'b0, second & row});
  assign pre_to     = later(pre_q, {1'b0, second & row});
  assign read_to    = later(read_q, {1'b0, second & row});
  assign write_to   = later(write_q, {1'b0, second & row});
  assign refresh_to = later(refresh_q, {1'b0, second & row});
  assign auto_to    = later(auto_q, {1'b0, second & row});

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        if (act | refresh) closed: assert (!open_q & left_q == '0);
        if (act) tRC: assert (32'(act_to) >= Rc);
        if (act) tRFC: assert (32'(refresh_to) >= Rfc);
        if (act | refresh) tRP: assert (32'(pre_to) >= Rp & 32'(auto_to) >= Rp);
        if (read | write) tRCD: assert (open_q & 32'(act_q) >= Rcd);
        if (pre | (prea & open_q)) tRAS_tRTP_tWTP: assert (open_q & 32'(act_to) >= Ras &
            32'(read_to) >= Rtp & 32'(write_to) >= Wtp);
        if (ticks == '0) a_tick: assert (!(act | pre | read | write | prea | refresh));
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(act & 32'(act_q) == Rc & !second));
        c1: assert (!(act & 32'(pre_q) == Rp & 32'(act_q) > Rc));
        c2: assert (!(act & 32'(auto_q) == Rp & 32'(act_q) > Rc));
        c3: assert (!(act & 32'(refresh_q) == Rfc));
        c4: assert (!(read & 32'(act_q) == Rcd));
        c5: assert (!(pre & 32'(act_q) == Ras & ticks == 2'd2));
        c6: assert (!(pre & 32'(write_q) == Wtp & second));
        c7: assert (!(prea & open_q & 32'(read_q) == Rtp));
      end
    end
  end
endmodule
`default_nettype wire
