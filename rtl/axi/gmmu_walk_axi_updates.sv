// SPDX-License-Identifier: Apache-2.0
// gmmu_walk_axi_updates: updates of PTEs (Svadu) beside the walker's reads: they wait here for
// gmmu_pte_write, one after the other; when one is done the PTE is read again for the walker, for
// which a failed one is a memory error. docs/pte_write.md
//
// Part of gmmu_walk_axi, built with Svadu. Reads pass in the same cycle; the one after an update
// goes first. An update is always accepted: there is room for one of each walk.
`default_nettype none
module gmmu_walk_axi_updates #(
  parameter int Walks = 64,
  parameter int PaW   = 48,
  localparam int SlotW = gmmu_pkg::idx_w(Walks)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from the walker
  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [PaW-1:0]   req_addr_i,
  input  logic [SlotW-1:0] req_id_i,
  input  logic             req_upd_i,       // an update: old becomes new
  input  logic [63:0]      req_old_i,
  input  logic [63:0]      req_new_i,
  // to gmmu_pte_write: held until done
  output logic             up_valid_o,
  output logic [PaW-1:0]   up_addr_o,
  output logic [63:0]      up_old_o,
  output logic [63:0]      up_new_o,
  input  logic             up_done_i,
  input  logic             up_err_i,
  // reads
  output logic             arvalid_o,
  input  logic             arready_i,
  output logic [SlotW-1:0] arid_o,
  output logic [PaW-1:0]   araddr_o,
  // an answer: did the update before it fail?
  input  logic             rsp_valid_i,
  input  logic [SlotW-1:0] rsp_id_i,
  output logic             rsp_err_o
);
  localparam int QW = SlotW + 2 + 64 + PaW - 3;
  logic             push, pop, head_valid, again_q, hold_q, pick_q, pick;
  logic [QW-1:0]    head;
  logic [SlotW-1:0] head_id, again_id_q;
  logic [PaW-4:0]   head_addr, again_addr_q;
  logic [1:0]       head_set;   // D, A
  logic [Walks-1:0] err_q;
  assign push = req_valid_i & req_upd_i;
  gmmu_ram_fifo #(.Width(QW), .Depth(Walks < 2 ? 2 : Walks)) u_queue (
    .clk_i, .rst_ni, .push_i(push),
    .data_i({req_id_i, req_new_i[7:6], req_old_i, req_addr_i[PaW-1:3]}), .pop_i(pop),
    .valid_o(head_valid), .next_o(), .data_o(head), .empty_o()
  );
  assign {head_id, head_set, up_old_o, head_addr} = head;
  assign up_valid_o = head_valid & !again_q;
  assign up_addr_o  = {head_addr, 3'd0};
  assign up_new_o   = {up_old_o[63:8], head_set, up_old_o[5:0]};
  assign pop        = up_done_i;
  // The read after an update goes first, but not over one that is offered already.
  assign pick        = hold_q ? pick_q : again_q;
  assign arvalid_o   = pick | (req_valid_i & !req_upd_i);
  assign req_ready_o = req_upd_i | (arready_i & !pick);
  assign arid_o      = pick ? again_id_q : req_id_i;
  assign araddr_o    = pick ? {again_addr_q, 3'd0} : req_addr_i;
  assign rsp_err_o   = err_q[rsp_id_i];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      again_q <= 1'b0;
      hold_q  <= 1'b0;
      err_q   <= '0;
    end else begin
      again_q <= up_done_i | (again_q & !(pick & arready_i));
      hold_q  <= arvalid_o & !arready_i;
      if (rsp_valid_i) err_q[rsp_id_i] <= 1'b0;
      if (up_done_i) err_q[head_id] <= up_err_i;
    end
  end
  always_ff @(posedge clk_i) begin
    pick_q <= pick;
    if (up_done_i) begin
      again_id_q   <= head_id;
      again_addr_q <= head_addr;
    end
  end
endmodule
`default_nettype wire
