// SPDX-License-Identifier: Apache-2.0
// Master of the walker with hardware updates (Svadu): AR stays until it is taken; a read of a walk
// goes to memory once, and so does one behind each update of it, after the update has ended and
// with the update's address; every answer is the one of its walk, an error when memory said so or
// the update before it failed. Updates are taken at once and given up to be written in their order.
// Assumed: a walk asks for one thing at a time, holds it until it is taken, and waits for the
// answer.
`default_nettype none
module prove_walk_axi #(
  parameter int Walks  = 2,
  parameter int Covers = 0,
  localparam int SlotW = 1,
  localparam int PaW   = 5
) (
  input  logic       clk_i,
  input  logic       req_valid_i,
  input  logic       req_upd_i,
  input  logic [1:0] req_addr_i,
  input  logic       req_id_i,
  input  logic       req_old_i,       // a bit that stays
  input  logic [1:0] req_set_i,       // D, A
  input  logic       up_done_i,
  input  logic       up_err_i,
  input  logic       arready_i,
  input  logic       rvalid_i,
  input  logic       rid_i,
  input  logic       rdata_i,
  input  logic [1:0] rresp_i,
  input  logic       walk_i           // any walk, the same for ever
);
  `include "prove.svh"

  logic             req_ready, rsp_valid, rsp_err, up_valid, arvalid, rready;
  logic [SlotW-1:0] rsp_id, arid;
  logic [63:0]      rsp_data, up_old, up_new;
  logic [PaW-1:0]   up_addr, araddr;
  gmmu_walk_axi #(.Walks(Walks), .PaW(PaW), .Svadu(1), .WalkDataW(64)) u_dut (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_addr_i({req_addr_i, 3'd0}),
    .req_id_i, .req_upd_i, .req_old_i({61'd0, req_old_i, 2'd0}),
    .req_new_i({56'd0, req_set_i, 3'd0, req_old_i, 2'd0}), .rsp_valid_o(rsp_valid),
    .rsp_id_o(rsp_id), .rsp_data_o(rsp_data), .rsp_err_o(rsp_err), .up_valid_o(up_valid),
    .up_addr_o(up_addr), .up_old_o(up_old), .up_new_o(up_new), .up_done_i, .up_err_i,
    .arvalid_o(arvalid), .arready_i, .arid_o(arid), .araddr_o(araddr), .arlen_o(), .arsize_o(),
    .arburst_o(), .rvalid_i, .rready_o(rready), .rid_i, .rdata_i({63'd0, rdata_i}), .rresp_i,
    .rlast_i(1'b1)
  );

  // One walk: what it waits for. Another: only that it asks for one thing at a time.
  logic       walk_q, take, ar, upd_q, read_q, asked_q, failed_q, other_q, other_asked_q, held_q;
  logic       ar_waits_q, old_q, req_old_q, up_waits_q;
  logic [1:0] addr_q, set_q;
  logic [6:0] req_q;
  logic [5:0] ar_was_q;
  assign take = req_valid_i && req_ready;
  assign ar   = arvalid && arready_i;
  logic mine, up_mine;
  assign mine = take && req_id_i == walk_q;
  // Whose the update is that is given up: updates go in their order.
  logic first_q, both_q;
  assign up_mine = upd_q && (!both_q || first_q);
  logic other_upd_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) walk_q <= walk_i;
    if (!rst_ni) begin
      {upd_q, read_q, asked_q, failed_q, other_q, other_asked_q, held_q, ar_waits_q, both_q,
       first_q, other_upd_q, up_waits_q} <= '0;
    end else begin
      upd_q  <= (mine && req_upd_i) || (upd_q && !(up_done_i && up_mine));
      // a read that memory has still to be asked for: behind an update
      read_q <= (up_done_i && up_mine) || (read_q && !(ar && arid == walk_q));
      // memory owes an answer
      asked_q <= (ar && arid == walk_q) || (asked_q && !(rvalid_i && rid_i == walk_q));
      if (up_done_i && up_mine) failed_q <= up_err_i;
      else if (mine) failed_q <= 1'b0;
      other_upd_q <= (take && !mine && req_upd_i) || (other_upd_q && !(up_done_i && !up_mine));
      other_q <= (take && !mine) || (other_q && !(rvalid_i && rid_i != walk_q));
      other_asked_q <= (ar && arid != walk_q) || (other_asked_q && !(rvalid_i && rid_i != walk_q));
      if (mine && req_upd_i) begin
        {both_q, first_q} <= {other_upd_q && !(up_done_i && !up_mine), 1'b0};
      end else if (take && !mine && req_upd_i) begin
        {both_q, first_q} <= {upd_q && !(up_done_i && up_mine), 1'b1};
      end else if (up_done_i) both_q <= 1'b0;
      held_q     <= req_valid_i && !req_ready;
      ar_waits_q <= arvalid && !arready_i;
      up_waits_q <= up_valid && !up_done_i;
    end
    if (mine) {addr_q, old_q, set_q} <= {req_addr_i, req_old_i, req_set_i};
    req_q    <= {req_upd_i, req_addr_i, req_id_i, req_old_i, req_set_i};
    ar_was_q <= {araddr, arid};
  end
  logic waits;
  assign waits = upd_q || read_q || asked_q;
  always_comb begin
    if (!rst_ni) assume (!req_valid_i && !rvalid_i && !up_done_i);
    if (held_q) assume (req_valid_i &&
                        req_q == {req_upd_i, req_addr_i, req_id_i, req_old_i, req_set_i});
    if (req_valid_i) assume (req_id_i == walk_q ? !waits : !other_q);
    if (rvalid_i) assume (rid_i == walk_q ? asked_q : other_asked_q);
    assume (!up_done_i || up_valid);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        ar_stays: assert (!ar_waits_q || (arvalid && {araddr, arid} == ar_was_q));
        up_stays: assert (!up_waits_q || up_valid);
        at_once:  assert (!(req_valid_i && req_upd_i) || req_ready);
        read_of_a_walk: assert (!arvalid || arid != walk_q || read_q ||
                                (req_valid_i && !req_upd_i && req_id_i == walk_q));
        once:     assert (!arvalid || arid != walk_q || !asked_q);
        again_address: assert (!arvalid || arid != walk_q || !read_q || araddr == {addr_q, 3'd0});
        new_address: assert (!arvalid || arid != walk_q || read_q ||
                             araddr == {req_addr_i, 3'd0});
        in_order: assert (!up_valid || !up_mine ||
                          (up_addr == {addr_q, 3'd0} && up_old == {61'd0, old_q, 2'd0} &&
                           up_new == {56'd0, set_q, 3'd0, old_q, 2'd0}));
        up_of_a_walk: assert (!up_valid || upd_q || other_upd_q);
        answers:  assert (rready && rsp_valid == rvalid_i && rsp_id == rid_i);
        data:     assert (rsp_data[0] == rdata_i);
        error:    assert (!rvalid_i || rid_i != walk_q ||
                          rsp_err == (rresp_i != 2'b00 || failed_q));
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(rvalid_i && rid_i == walk_q && failed_q));
    always_comb if (rst_ni) assert (!(both_q && first_q && up_done_i));
    always_comb if (rst_ni) assert (!(both_q && !first_q && up_done_i));
    always_comb if (rst_ni) assert (!(ar_waits_q && read_q && held_q));
    always_comb if (rst_ni) assert (!(rvalid_i && rid_i == walk_q && rsp_err && !failed_q));
  end
endmodule
`default_nettype wire
