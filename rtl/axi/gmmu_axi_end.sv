// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_end: bursts of an address channel (gmmu_axi_addr) that end without memory, one at a
// time: which is the next, until its slot is free. In turns of the slots.
//
// One that cannot end yet must not stand in the way of one that can: its W may be behind that of a
// burst that waits for the other. What is in ending_i in cycle t is in slot_o in t+1 at the
// earliest.
`default_nettype none
module gmmu_axi_end #(
  parameter int Slots = 4,
  localparam int SlotW = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Slots-1:0] ending_i,   // can end now
  output logic             valid_o,
  output logic [SlotW-1:0] slot_o,
  input  logic [Slots-1:0] free_i
);
  logic [SlotW-1:0] end_slot, end_slot_q;
  logic             end_valid_q, end_any;
  gmmu_rr_arb #(.N(Slots)) u_end (
    .clk_i, .rst_ni, .req_i(ending_i & ~({Slots{end_valid_q}})), .take_i(1'b1),
    .valid_o(end_any), .idx_o(end_slot)
  );
  assign valid_o    = end_valid_q;
  assign slot_o     = end_slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) end_valid_q <= 1'b0;
    else if (end_valid_q) end_valid_q <= !free_i[end_slot_q];
    else end_valid_q <= end_any;
    if (!end_valid_q) end_slot_q <= end_slot;
  end
endmodule
`default_nettype wire
