// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_order: which bursts of a port wait for older ones of the same bytes: reads for writes,
// writes for reads and for writes. Rules: docs/axi_port.md, "Order".
//
// What a burst waits for is fixed when it is taken, so that it only ever points to older bursts and
// may_*_o never falls. Reads and writes that are taken in one cycle are not ordered. No latency: a
// burst that waits for nothing may be issued in the next cycle. RwOrder: 1 bursts with the same key
// (address space and page) whose bytes overlap; 2 those whose bytes within their pages overlap,
// whatever the page; 0 none. Legal: Slots 2..16. Addresses are bytes; size is log2 of a beat's
// bytes, burst and len as in AXI.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_axi_order #(
  parameter int Slots = 4,
  parameter int KeyW  = 46,   // of {untranslated, ASID, page}
  parameter int RwOrder = 1,
  localparam int SlotW = $clog2(Slots)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // a burst is taken: its slot, its key and where it begins in its page
  input  logic                  r_take_i,
  input  logic [SlotW-1:0]      r_slot_i,
  input  logic [KeyW-1:0]       r_key_i,
  input  logic [11:0]           r_addr_i,
  input  logic [12:0]           r_form_i,    // {burst, size, len}
  input  logic                  w_take_i,
  input  logic [SlotW-1:0]      w_slot_i,
  input  logic [KeyW-1:0]       w_key_i,
  input  logic [11:0]           w_addr_i,
  input  logic [12:0]           w_form_i,
  // the bursts that are held, and what of them is still to come after this cycle; those that end in
  // the port are over
  input  logic [Slots*KeyW-1:0] r_keys_i,
  input  logic [Slots*KeyW-1:0] w_keys_i,
  input  logic [Slots-1:0]      r_wait_i,    // AR to be taken by memory
  input  logic [Slots-1:0]      aw_wait_i,   // AW to be taken by memory
  input  logic [Slots-1:0]      w_wait_i,    // AW or the last W to be taken by memory
  input  logic [Slots-1:0]      fed_i,       // the port has taken its last W
  output logic [Slots-1:0]      may_r_o,
  output logic [Slots-1:0]      may_w_o
);
  if (RwOrder < 0 || RwOrder > 2) begin : gen_bad_order
    gmmu_axi_order_RwOrder_must_be_0_to_2 u_bad();
  end

  if (RwOrder == 0) begin : gen_none
    logic unused_order;
    assign unused_order = ^{clk_i, rst_ni, r_take_i, r_slot_i, r_key_i, r_addr_i, r_form_i,
        w_take_i, w_slot_i, w_key_i, w_addr_i,
                            w_form_i, r_keys_i, w_keys_i, r_wait_i, aw_wait_i, w_wait_i, fed_i};
    assign may_r_o = '1;
    assign may_w_o = '1;
  end else begin : gen_order
    // First and last byte in the page. A burst that leaves its page (passed through, against AXI)
    // counts up to the end of it.
    function automatic logic [23:0] bytes_of(input logic [11:0] addr, input logic [12:0] form);
      logic [15:0] total, past;
      logic [11:0] beat, wrap;
      begin
        total    = {7'd0, form[12:11] == 2'd0 ? 9'd1 : 9'(form[7:0]) + 9'd1} << form[10:8];
        beat     = (addr >> form[10:8]) << form[10:8];
        wrap     = form[12:11] == 2'd2 ? 12'(total - 16'd1) : '0;
        past     = {4'd0, form[12:11] == 2'd2 ? addr & ~wrap : beat} + total - 16'd1;
        bytes_of = {past[15:12] != '0 ? 12'hfff : past[11:0], addr & ~wrap};
      end
    endfunction
    logic [23:0] r_now, w_now;
    assign r_now = bytes_of(r_addr_i, r_form_i);
    assign w_now = bytes_of(w_addr_i, w_form_i);

    // the burst that is taken, and each that is held
    logic [Slots-1:0] r_meets_w, w_meets_r, w_meets_w;
    for (genvar s = 0; s < Slots; s++) begin : gen_slot
      logic [23:0]      r_range_q, w_range_q;                        // {last, first}
      logic             same_rw, same_wr, same_ww, r_put, w_put;
      logic [Slots-1:0] r_hold_q, w_hold_r_q, w_hold_w_q;
      assign r_put   = r_take_i & r_slot_i == SlotW'(s);
      assign w_put   = w_take_i & w_slot_i == SlotW'(s);
      assign same_rw = RwOrder == 2 | r_key_i == w_keys_i[s*KeyW +: KeyW];
      assign same_wr = RwOrder == 2 | w_key_i == r_keys_i[s*KeyW +: KeyW];
      assign same_ww = RwOrder == 2 | w_key_i == w_keys_i[s*KeyW +: KeyW];
      assign r_meets_w[s] = same_rw & r_now[11:0] <= w_range_q[23:12] &
          w_range_q[11:0] <= r_now[23:12];
      assign w_meets_r[s] = same_wr & w_now[11:0] <= r_range_q[23:12] &
          r_range_q[11:0] <= w_now[23:12];
      assign w_meets_w[s] = same_ww & w_now[11:0] <= w_range_q[23:12] &
          w_range_q[11:0] <= w_now[23:12];
      always_ff @(posedge clk_i) begin
        if (r_put) r_range_q <= r_now;
        if (w_put) w_range_q <= w_now;
        if (!rst_ni) begin
          r_hold_q   <= '0;
          w_hold_r_q <= '0;
          w_hold_w_q <= '0;
        end else begin
          r_hold_q   <= (r_put ? r_meets_w & fed_i : r_hold_q) & w_wait_i;
          w_hold_r_q <= (w_put ? w_meets_r : w_hold_r_q) & r_wait_i;
          w_hold_w_q <= (w_put ? w_meets_w : w_hold_w_q) & aw_wait_i;
        end
      end
      assign may_r_o[s] = r_hold_q == '0;
      assign may_w_o[s] = w_hold_r_q == '0 & w_hold_w_q == '0;
    end
    if (RwOrder == 2) begin : gen_unused
      logic unused_keys;
      assign unused_keys = ^{r_key_i, w_key_i, r_keys_i, w_keys_i};
    end
  end
endmodule
`default_nettype wire
