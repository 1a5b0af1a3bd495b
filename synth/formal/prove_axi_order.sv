// SPDX-License-Identifier: Apache-2.0
// Order of bursts of the same bytes. A read waits for a write with which it has a byte in common,
// any, if that is older and all its W has been taken, until AW and the last W are at memory; a
// write waits for an older read until its AR is, and for an older write until its AW is. A burst
// waits for none with which it has no byte in common. Bytes are told by AXI's rules one by one, not
// by their range; of at most 8 beats of 8 bytes, within 32 of either end of the page. Assumed: a
// burst is taken into a slot in which none is.
`default_nettype none
module prove_axi_order #(
  parameter int RwOrder = 1,
  parameter int Covers  = 0
) (
  input  logic        clk_i,
  input  logic        r_take_i,
  input  logic        r_slot_i,
  input  logic        r_key_i,
  input  logic [11:0] r_addr_i,
  input  logic [12:0] r_form_i,
  input  logic        w_take_i,
  input  logic        w_slot_i,
  input  logic        w_key_i,
  input  logic [11:0] w_addr_i,
  input  logic [12:0] w_form_i,
  input  logic [1:0]  r_gone_i,      // goes to memory, or ends: AR; AW; the last W; the W is taken
  input  logic [1:0]  aw_gone_i,
  input  logic [1:0]  w_gone_i,
  input  logic [1:0]  w_fed_i,
  input  logic [11:0] byte_i
);
  `include "prove.svh"

  // Held, and not yet at memory, before this cycle and after it.
  logic [1:0] r_q, aw_q, w_q, fed_q, r_wait, aw_wait, w_wait, fed, r_put, w_put, may_r, may_w;
  logic [1:0] r_key_q, w_key_q;
  assign r_wait  = r_q & ~r_gone_i;
  assign aw_wait = aw_q & ~aw_gone_i;
  assign w_wait  = aw_wait | (w_q & ~w_gone_i);
  assign fed     = fed_q | w_fed_i;
  assign r_put   = r_take_i ? 2'd1 << r_slot_i : 2'd0;
  assign w_put   = w_take_i ? 2'd1 << w_slot_i : 2'd0;
  gmmu_axi_order #(.Slots(2), .KeyW(1), .RwOrder(RwOrder)) u_dut (
    .clk_i, .rst_ni, .r_take_i, .r_slot_i, .r_key_i, .r_addr_i, .r_form_i, .w_take_i, .w_slot_i,
    .w_key_i, .w_addr_i, .w_form_i, .r_keys_i(r_key_q), .w_keys_i(w_key_q), .r_wait_i(r_wait),
    .aw_wait_i(aw_wait), .w_wait_i(w_wait), .fed_i(fed), .may_r_o(may_r), .may_w_o(may_w)
  );

  // A burst is {burst, size, len, address in its page}. Its first byte; whether it has a byte;
  // whether two have that byte; whether two meet: have the later of their first bytes.
  function automatic logic [11:0] first_of(input logic [24:0] x);
    logic [15:0] all;
    begin
      all      = (16'(x[19:12]) + 16'd1) << x[22:20];
      first_of = x[24:23] == 2'd2 ? x[11:0] & 12'(~(all - 16'd1)) : x[11:0];
    end
  endfunction
  function automatic logic has_byte(input logic [24:0] x, input logic [11:0] at);
    logic [15:0] all;
    logic [11:0] beat;
    begin
      all      = (16'(x[19:12]) + 16'd1) << x[22:20];
      beat     = (x[11:0] >> x[22:20]) << x[22:20];    // of which bytes before the address are none
      has_byte = x[24:23] == 2'd2 ? ((at ^ x[11:0]) & 12'(~(all - 16'd1))) == 12'd0   // its block
               : at >= x[11:0] && (x[24:23] == 2'd0 ? at >> x[22:20] == x[11:0] >> x[22:20]
                                                    : 16'(at - beat) < all);
    end
  endfunction
  function automatic logic both(input logic [24:0] x, input logic [24:0] y, input logic [11:0] at);
    both = has_byte(x, at) && has_byte(y, at);
  endfunction
  function automatic logic meet(input logic [24:0] x, input logic [24:0] y);
    meet = both(x, y, first_of(x) > first_of(y) ? first_of(x) : first_of(y));
  endfunction

  // ---------------------------------------------------------------- slot 0 of either side, and 1
  // Where the burst in slot 0 waits for another: it must, for a byte in common; only if they meet.
  logic [11:0] at_q;
  logic [49:0] w_what_q;                         // both writes
  logic [24:0] r_what_q, r_what, w_what;
  logic [1:0]  must_rw_q, only_rw_q;             // the read behind writes 0, 1
  logic        must_wr_q, only_wr_q, must_ww_q, only_ww_q;   // the write behind read 0, write 1
  logic        same_rw0, same_rw1, same_wr, same_ww;
  assign r_what = {r_form_i, r_addr_i};
  assign w_what = {w_form_i, w_addr_i};
  assign same_rw0 = RwOrder == 2 || r_key_i == w_key_q[0];
  assign same_rw1 = RwOrder == 2 || r_key_i == w_key_q[1];
  assign same_wr  = RwOrder == 2 || w_key_i == r_key_q[0];
  assign same_ww  = RwOrder == 2 || w_key_i == w_key_q[1];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= byte_i;
    r_q   <= !rst_ni ? '0 : r_wait | r_put;
    aw_q  <= !rst_ni ? '0 : aw_wait | w_put;
    w_q   <= !rst_ni ? '0 : (w_q & ~w_gone_i) | w_put;
    fed_q <= !rst_ni ? '0 : fed & ~w_put;
    for (int i = 0; i < 2; i++) begin
      if (r_put[i]) r_key_q[i] <= r_key_i;
      if (w_put[i]) w_key_q[i] <= w_key_i;
      if (w_put[i]) w_what_q[i*25 +: 25] <= w_what;
    end
    if (r_put[0]) r_what_q <= r_what;
    if (!rst_ni) {must_rw_q, only_rw_q, must_wr_q, only_wr_q, must_ww_q, only_ww_q} <= '0;
    else begin
      must_rw_q <= (r_put[0] ? {same_rw1 && both(r_what, w_what_q[49:25], at_q),
          same_rw0 && both(r_what, w_what_q[24:0], at_q)} & fed : must_rw_q) & w_wait;
      only_rw_q <= (r_put[0] ? {same_rw1 && meet(r_what, w_what_q[49:25]),
          same_rw0 && meet(r_what, w_what_q[24:0])} & fed : only_rw_q) & w_wait;
      must_wr_q <= (w_put[0] ? same_wr && both(w_what, r_what_q, at_q) : must_wr_q) & r_wait[0];
      only_wr_q <= (w_put[0] ? same_wr && meet(w_what, r_what_q) : only_wr_q) & r_wait[0];
      must_ww_q <= (w_put[0] ? same_ww && both(w_what, w_what_q[49:25], at_q) : must_ww_q) &
          aw_wait[1];
      only_ww_q <= (w_put[0] ? same_ww && meet(w_what, w_what_q[49:25]) : only_ww_q) & aw_wait[1];
    end
  end
  function automatic logic wraps(input logic [7:0] len);
    wraps = len == 8'd1 || len == 8'd3 || len == 8'd7;
  endfunction
  function automatic logic near(input logic [11:0] at);   // an end of the page
    near = at[11:6] == {6{at[5]}};
  endfunction
  always_comb begin
    if (!rst_ni) assume (!r_take_i && !w_take_i);
    assume ((r_put & r_q) == '0 && (w_put & (aw_q | w_q)) == '0);
    assume (!r_put[1]);                                   // of no matter here
    assume (near(r_addr_i) && near(w_addr_i) && near(byte_i));
    assume ({r_form_i[10], w_form_i[10], r_form_i[7:3], w_form_i[7:3]} == '0);   // 8 beats of 8
    assume (r_form_i[12:11] != 2'd2 || wraps(r_form_i[7:0]));
    assume (w_form_i[12:11] != 2'd2 || wraps(w_form_i[7:0]));
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        read_waits:  assert (must_rw_q == '0 || !may_r[0]);
        read_only:   assert (may_r[0] || only_rw_q != '0);
        write_waits: assert (!(must_wr_q || must_ww_q) || !may_w[0]);
        write_only:  assert (may_w[0] || only_wr_q || only_ww_q);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(must_rw_q == 2'b10 && only_rw_q == 2'b10));
    always_comb if (rst_ni) assert (!(must_wr_q && must_ww_q && !may_r[0]));
    always_comb if (rst_ni) assert (!(only_ww_q && !must_ww_q));
    always_comb if (rst_ni) assert (!(r_q[0] && may_r[0] && w_wait == 2'b11 && fed == 2'b11));
  end
endmodule
`default_nettype wire
