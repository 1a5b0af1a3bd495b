// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_update: the walker's part of setting A and D in hardware (Svadu): the class of each
// walk's stores, and the PTE that it read and is now updating. Rules: docs/walker.md.
//
// An update goes to memory as a read does, with old_o and new_o of its slot (id_i), from state.
`default_nettype none
module gmmu_walker_update #(
  parameter int Walks = 64,
  parameter int PfnW  = 36,
  localparam int SlotW = gmmu_pkg::idx_w(Walks)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [SlotW-1:0] start_slot_i,
  input  logic [1:0]       start_store_i,
  // a read that is asked for
  input  logic             read_i,
  input  logic [SlotW-1:0] read_slot_i,
  input  logic [PfnW+8:0]  read_addr_i,
  // the answer that is decoded
  input  logic             dec_i,
  input  logic [SlotW-1:0] dec_slot_i,
  input  logic [63:0]      dec_pte_i,
  input  logic             update_i,        // it is to be updated ...
  input  logic             dirty_i,         // ... with D
  output logic [1:0]       dec_store_o,
  output logic [PfnW+8:0]  dec_addr_o,
  // request to memory
  input  logic [SlotW-1:0] id_i,
  output logic             upd_o,
  output logic [63:0]      old_o,
  output logic [63:0]      new_o,
  input  logic [Walks-1:0] restart_i,
  output logic             busy_o
);
  logic [1:0]       store_q [0:Walks-1];     // class of its stores
  logic [Walks-1:0] upd_q, dec_hot;          // what is outstanding is an update
  logic [PfnW+8:0]  addr_q [0:Walks-1];      // of the PTE that is read
  logic [63:0]      old_q  [0:Walks-1];      // the PTE as it was read
  logic [Walks-1:0] dirty_q;                 // ... and whether D is set
  assign dec_hot     = dec_i ? Walks'(1) << dec_slot_i : '0;
  assign dec_store_o = store_q[dec_slot_i];
  assign dec_addr_o  = addr_q[dec_slot_i];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) upd_q <= '0;
    else upd_q <= (upd_q & ~dec_hot) | (update_i ? dec_hot : '0);
  end
  always_ff @(posedge clk_i) begin
    if (start_i) store_q[start_slot_i] <= start_store_i;
    if (read_i) addr_q[read_slot_i] <= read_addr_i;
    if (update_i) begin
      old_q[dec_slot_i]   <= dec_pte_i;
      dirty_q[dec_slot_i] <= dirty_i;
    end
  end
  assign upd_o  = upd_q[id_i];
  assign old_o  = old_q[id_i];
  assign new_o  = old_q[id_i] | {56'd0, dirty_q[id_i], 7'h40};
  // A stale walk's update may still be done until it is answered: before that nobody is told that
  // it is over.
  assign busy_o = |(upd_q & restart_i);
endmodule
`default_nettype wire
