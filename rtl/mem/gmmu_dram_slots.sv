// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_slots: hands out the numbers of free places of a memory. Rules: docs/dram_sched.md.
//
// slot_o is free in every cycle, as long as six more than those handed out are: four stand ready,
// and what is given back (free_i) can be handed out some cycles later. First the numbers that were
// never handed out, in order, then those that came back, from a memory, the oldest first.
// Legal: Slots 6..1024.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_slots #(
  parameter int Slots  = 294,
  localparam int SlotW = gmmu_pkg::idx_w(Slots)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             take_i,
  output logic [SlotW-1:0] slot_o,
  input  logic             free_i,
  input  logic [SlotW-1:0] free_slot_i
);
  localparam int Ready = 4;  // another stands in the place of one three cycles after it was taken

  // The numbers that stand ready, which of them is next, and where one was taken one, two cycles
  // ago.
  logic [Ready*SlotW-1:0] ready_q;
  logic [Ready-1:0]       next_at_q, taken1_q, taken2_q;
  // Numbers from new_q on were never handed out.
  logic [SlotW:0]         new_q;
  logic [SlotW-1:0]       new2_q, back_slot, free_slot_q, put_q, get_q;
  logic                   fresh, fresh2_q, free_q;
  assign fresh = new_q != (SlotW+1)'(Slots);
  always_comb begin
    slot_o = '0;
    for (int i = 0; i < Ready; i++)
        slot_o = slot_o | (ready_q[i*SlotW +: SlotW] & {SlotW{next_at_q[i]}});
  end

  function automatic logic [SlotW-1:0] after(input logic [SlotW-1:0] at);
    begin
      after = at == SlotW'(Slots - 1) ? '0 : at + 1'b1;
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_at_q <= Ready'(1);
      taken1_q  <= '0;
      taken2_q  <= '0;
      new_q     <= (SlotW+1)'(Ready);
      free_q    <= 1'b0;
      put_q     <= '0;
      get_q     <= '0;
    end else begin
      if (take_i) next_at_q <= {next_at_q[Ready-2:0], next_at_q[Ready-1]};
      taken1_q <= next_at_q & {Ready{take_i}};
      taken2_q <= taken1_q;
      if (taken1_q != '0 && fresh) new_q <= new_q + 1'b1;
      if (taken1_q != '0 && !fresh) get_q <= after(get_q);
      free_q <= free_i;
      if (free_q) put_q <= after(put_q);
    end
  end
  always_ff @(posedge clk_i) begin
    free_slot_q <= free_slot_i;
    new2_q      <= new_q[SlotW-1:0];
    fresh2_q    <= fresh;
  end
  for (genvar i = 0; i < Ready; i++) begin : gen_ready
    always_ff @(posedge clk_i) begin
      if (!rst_ni) ready_q[i*SlotW +: SlotW] <= SlotW'(i);
      else if (taken2_q[i]) ready_q[i*SlotW +: SlotW] <= fresh2_q ? new2_q : back_slot;
    end
  end
  gmmu_ram #(.Width(SlotW), .Depth(Slots)) u_back (
    .clk_i, .we_i(free_q), .waddr_i(put_q), .wdata_i(free_slot_q),
    .re_i(taken1_q != '0 && !fresh), .raddr_i(get_q), .rdata_o(back_slot)
  );

  // How many of those that came back are in the memory.
`ifdef VERILATOR
  logic [SlotW:0] back_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) back_q <= '0;
    else back_q <= back_q + (SlotW+1)'(free_q) - (SlotW+1)'(taken1_q != '0 && !fresh);
  end
  `GMMU_ASSERT(dram_slots_left, taken1_q == '0 || fresh || back_q != '0)
`endif
endmodule
`default_nettype wire
