// SPDX-License-Identifier: Apache-2.0
// Writes of PTEs: AR, AW and W stay until they are taken; what is written is what was read last,
// with the caller's change, and only after a read without error, for the walker only where the PTE
// that it named was found; with exclusive accesses the write is repeated until it was one. Each
// request is answered once, by what memory said; neither caller waits for two accesses of the
// other. Assumed: callers hold what they ask for until the answer; memory answers what it was
// asked.
`default_nettype none
module prove_pte_write #(
  parameter int PteExclusive = 0,
  parameter int Covers       = 0
) (
  input  logic       clk_i,
  input  logic       hold_i,
  input  logic       co_valid_i,
  input  logic [3:0] co_i,           // update, address, becomes 1, is CO: a bit each
  input  logic       up_valid_i,
  input  logic [2:0] up_i,           // address, old, new
  input  logic       awready_i,
  input  logic       wready_i,
  input  logic       bvalid_i,
  input  logic [1:0] bresp_i,
  input  logic       arready_i,
  input  logic       rvalid_i,
  input  logic       rdata_i,
  input  logic [1:0] rresp_i
);
  `include "prove.svh"
  localparam int PaW = 4;
  // CO is bit 0 here.
  function automatic logic [63:0] pte(input logic dis, input logic co);
    pte = {55'd0, dis, 7'd0, co};
  endfunction

  logic           busy, co_ready, co_rsp, co_err, up_done, up_err, awvalid, awlock, wvalid;
  logic           bready, arvalid, arlock, rready;
  logic [63:0]    co_rdata, wdata;
  logic [PaW-1:0] awaddr, araddr;
  gmmu_pte_write #(.PaW(PaW), .PteExclusive(PteExclusive), .CoBit(0)) u_dut (
    .clk_i, .rst_ni, .hold_i, .busy_o(busy), .co_valid_i, .co_ready_o(co_ready),
    .co_update_i(co_i[3]), .co_addr_i({co_i[2], 3'd0}), .co_co_i(co_i[0]),
    .co_one_i(co_i[1]), .co_rsp_valid_o(co_rsp), .co_rsp_rdata_o(co_rdata),
    .co_rsp_err_o(co_err), .up_valid_i, .up_addr_i({up_i[2], 3'd0}),
    .up_old_i(pte(up_i[1], up_i[1])),
    .up_new_i({63'd0, up_i[0]}), .up_done_o(up_done), .up_err_o(up_err), .awvalid_o(awvalid),
    .awready_i, .awaddr_o(awaddr), .awlock_o(awlock), .wvalid_o(wvalid), .wready_i,
    .wdata_o(wdata), .bvalid_i, .bready_o(bready), .bresp_i, .arvalid_o(arvalid), .arready_i,
    .araddr_o(araddr), .arlock_o(arlock), .rvalid_i, .rready_o(rready),
    .rdata_i(pte(rdata_i, rdata_i)), .rresp_i
  );

  // Whose access it is: the coalescer's from the cycle in which it was taken to its answer, else
  // the walker's. What memory owes, and what it read last.
  logic       co_q, ar_q, aw_q, w_q, read_q, ok_q, data_q, aw_waits_q, w_waits_q, ar_waits_q;
  logic       update, exclusive, other, co_held_q, up_held_q, was_q, will;
  logic [63:0] changed;
  logic [3:0] co_was_q;
  logic [2:0] up_was_q;
  logic [8:0] was_aw_q;
  logic [1:0] co_waits_q, up_waits_q;
  assign update    = !co_q || co_i[3];
  assign exclusive = PteExclusive != 0 && update;
  assign other     = !co_q && data_q != up_i[1];        // another PTE than the walker's
  assign changed   = !co_q ? {63'd0, up_i[0]} :
      co_i[0] ? pte(data_q, co_i[1]) : pte(co_i[1], data_q);
  assign will      = co_q ? co_rsp : up_done;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {co_q, ar_q, aw_q, w_q, read_q, ok_q} <= '0;
      {aw_waits_q, w_waits_q, ar_waits_q, co_held_q, up_held_q, was_q} <= '0;
      {co_waits_q, up_waits_q} <= '0;
    end else begin
      co_q   <= (co_valid_i && co_ready) || (co_q && !co_rsp);
      ar_q   <= (arvalid && arready_i) || (ar_q && !rvalid_i);
      aw_q   <= (awvalid && awready_i) || (aw_q && !bvalid_i);
      w_q    <= (wvalid && wready_i) || (w_q && !bvalid_i);
      // read_q: it has read since its last write
      read_q <= (rvalid_i || read_q) && !bvalid_i && !will;
      if (rvalid_i) {ok_q, data_q} <= {rresp_i == {1'b0, exclusive}, rdata_i};
      ar_waits_q <= arvalid && !arready_i;
      aw_waits_q <= awvalid && !awready_i;
      w_waits_q  <= wvalid && !wready_i;
      co_held_q  <= (co_valid_i || co_held_q) && !co_rsp;
      up_held_q  <= up_valid_i && !up_done;
      was_q      <= busy;
      co_waits_q <= !co_valid_i || co_q || co_ready ? '0 : co_waits_q + 2'(up_done);
      up_waits_q <= !up_valid_i || up_done ? '0 : up_waits_q + 2'(co_rsp);
    end
    {co_was_q, up_was_q} <= {co_i, up_i};
    was_aw_q <= {awaddr, araddr, wdata[0]};
  end
  always_comb begin
    if (!rst_ni) assume (!co_valid_i && !up_valid_i && !rvalid_i && !bvalid_i);
    if (co_held_q) assume (co_i == co_was_q && (co_valid_i || co_q));
    if (co_q) assume (!co_valid_i);
    if (up_held_q) assume (up_valid_i && up_i == up_was_q);
    assume (!rvalid_i || ar_q);
    assume (!bvalid_i || (aw_q && w_q));
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        ar_stays: assert (!ar_waits_q || (arvalid && araddr == was_aw_q[4:1]));
        aw_stays: assert (!aw_waits_q || (awvalid && awaddr == was_aw_q[8:5]));
        w_stays:  assert (!w_waits_q || (wvalid && wdata[0] == was_aw_q[0]));
        always_taken: assert (bready && rready);
        one_read:  assert (!arvalid || (!ar_q && !aw_q && !w_q));
        one_write: assert (!awvalid || (!aw_q && !ar_q));
        one_beat:  assert (!wvalid || (!w_q && !ar_q));
        of_the_caller: assert (!(arvalid || awvalid) || (co_q || up_valid_i));
        ar_of:    assert (!arvalid || (araddr[3] == (co_q ? co_i[2] : up_i[2]) &&
                                       arlock == exclusive));
        aw_of:    assert (!awvalid || (awaddr[3] == (co_q ? co_i[2] : up_i[2]) &&
                                       awlock == exclusive));
        read_first: assert (!(awvalid || wvalid) || (read_q && ok_q && update && !other));
        what:     assert (!wvalid || wdata == changed);
        co_alone: assert (!co_rsp || (co_q && (rvalid_i || bvalid_i)));
        up_alone: assert (!up_done || (!co_q && up_valid_i && (rvalid_i || bvalid_i)));
        co_data:  assert (!co_rsp || !rvalid_i || co_rdata[0] == rdata_i);
        // An answer when, and only when, the access has ended.
        at_read:  assert (!rvalid_i || will == (rresp_i != {1'b0, exclusive} || !update ||
                                                (!co_q && rdata_i != up_i[1])));
        at_write: assert (!bvalid_i || will == (!exclusive || bresp_i != 2'b00));
        err_read: assert (!rvalid_i || !will ||
                          (co_q ? co_err : up_err) == (rresp_i != {1'b0, exclusive}));
        err_write: assert (!bvalid_i || !will ||
                           (co_q ? co_err : up_err) == (bresp_i != {1'b0, exclusive}));
        co_turn:  assert (co_waits_q < 2'd2);
        up_turn:  assert (up_waits_q < 2'd2 || hold_i);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(co_rsp && bvalid_i && !co_err && up_valid_i));
    always_comb if (rst_ni) assert (!(up_done && bvalid_i && !up_err && was_q));
    always_comb if (rst_ni) assert (!(up_done && rvalid_i && !up_err));
    if (PteExclusive != 0) begin : gen_again
      always_comb if (rst_ni) assert (!(bvalid_i && !will));
    end
    always_comb if (rst_ni) assert (!(aw_waits_q && w_q));
    always_comb if (rst_ni) assert (!(w_waits_q && aw_q));
    always_comb if (rst_ni) assert (!(co_waits_q == 2'd1));
  end
endmodule
`default_nettype wire
