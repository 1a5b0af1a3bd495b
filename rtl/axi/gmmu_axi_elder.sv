// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_elder: which bursts of an address channel (gmmu_axi_addr) are offered to memory: of
// those that are ready all, or after an invalidation first those that it took the translation from.
//
// Bursts that an invalidation takes the translation from, and that wait for nothing else, go first,
// one after the other in turns of the slots: so memory's choice of moments cannot let one lose its
// translation for ever. Those among them that keep it, having none (pass through), would otherwise
// wait for ever behind them. offers_o: same cycle, from ready_i and state. Legal: Slots 2..16.
`default_nettype none
module gmmu_axi_elder #(
  parameter int Slots = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Slots-1:0] ready_i,
  output logic [Slots-1:0] offers_o,
  input  logic [Slots-1:0] lose_i,      // an invalidation takes its translation, if it has one
  input  logic [Slots-1:0] staying_i,   // it is not issued, does not fault, is no new burst
  output logic [Slots-1:0] lost_o       // took, and it is not issued since
);
  localparam int SlotW = $clog2(Slots);
  logic [Slots-1:0] lost_q, elder_q;
  logic [SlotW-1:0] elder_slot;
  logic             elder_any;
  assign offers_o = lost_q == '0 ? ready_i : ready_i & elder_q;
  assign lost_o   = lost_q;
  gmmu_rr_arb #(.N(Slots)) u_elder (
    .clk_i, .rst_ni, .req_i(elder_q == '0 ? lost_q & staying_i : '0), .take_i(1'b1),
    .valid_o(elder_any), .idx_o(elder_slot)
  );
  for (genvar s = 0; s < Slots; s++) begin : gen_elder
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        lost_q[s]  <= 1'b0;
        elder_q[s] <= 1'b0;
      end else begin
        lost_q[s]  <= (lost_q[s] | lose_i[s]) & staying_i[s];
        elder_q[s] <= (elder_q[s] & staying_i[s]) | (elder_any & elder_slot == SlotW'(s));
      end
    end
  end
endmodule
`default_nettype wire
