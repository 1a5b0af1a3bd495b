// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_slots: hands out the numbers of free places of a memory. Rules: docs/dram_sched.md.
//
// slot_o is free in every cycle, as long as two more than those handed out are: one stands ready,
// the next one is picked already. Given back: free_i. Legal: Slots 3..1024.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_slots #(
  parameter int Slots  = 282,
  localparam int SlotW = gmmu_pkg::idx_w(Slots)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             take_i,
  output logic [SlotW-1:0] slot_o,
  input  logic             free_i,
  input  logic [SlotW-1:0] free_slot_i
);
  localparam int N = Slots;
  `include "gmmu_first.svh"

  logic [N-1:0] used_q, next_q, picked; // used: handed out, standing ready or picked
  assign picked = first(~used_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= N'(3);
      next_q <= N'(2);
      slot_o <= '0;
    end else begin
      used_q <= (used_q | (picked & {N{take_i}})) & ~(N'(free_i) << free_slot_i);
      if (take_i) begin
        next_q <= picked;
        slot_o <= index(next_q);
      end
    end
  end

  `GMMU_ASSERT(dram_slots_left, !take_i || used_q != '1)
endmodule
`default_nettype wire
