// SPDX-License-Identifier: Apache-2.0
// gmmu_tokens_warps: which warps made requests in this epoch and in the one that ended, and whose
// each SM is. Rules: docs/fill_tokens.md.
//
// Each SM has a RAM of two halves of 2^WarpW bits, in words of Group: one half is filled, the other
// read; pulse_i swaps them. A word is there once it was written in its half's epoch (a bit in a
// flip-flop), so nothing is emptied: a request writes its bit, and as the first of its word zeros
// beside it.
`default_nettype none
module gmmu_tokens_warps #(
  parameter int NumSms   = 30,
  parameter int NumAsids = 8,
  parameter int AsidW    = 9,
  parameter int WarpW    = 8,
  localparam int Group   = gmmu_pkg::token_group(WarpW),
  localparam int CtxW    = gmmu_pkg::idx_w(NumAsids)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    pulse_i,
  // requests accepted from the SMs
  input  logic [NumSms-1:0]       req_i,
  input  logic [NumSms*AsidW-1:0] req_asid_i,
  input  logic [NumSms*WarpW-1:0] req_warp_i,
  // the epoch that ended: each SM's word with this warp, from the next cycle on
  input  logic                    read_i,
  input  logic [WarpW-1:0]        read_warp_i,
  input  logic [WarpW-1:0]        warp_i,     // a warp of the words that were read
  output logic [NumSms*Group-1:0] words_o,
  output logic [NumSms-1:0]       there_o,    // the word is there: else it is 0
  output logic [NumSms-1:0]       active_o,   // warp_i was active
  // applications of the SMs as they were at the pulse: that of SM 0 first
  input  logic                    turn_i,
  output logic [CtxW-1:0]         app_o
);
  localparam int LowW   = $clog2(Group);
  localparam int Groups = (1 << WarpW) / Group;
  localparam int AddrW  = $clog2(2 * Groups);
  localparam int GroupW = gmmu_pkg::idx_w(Groups);

  logic              half_q;   // that is filled
  logic [AddrW-1:0]  raddr;
  logic [GroupW-1:0] group;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) half_q <= 1'b0;
    else half_q <= half_q ^ pulse_i;
  end
  assign raddr = AddrW'({!half_q, read_warp_i} >> LowW);
  assign group = GroupW'({1'b0, warp_i} >> LowW);

  logic [NumSms*CtxW-1:0] owners, ring;
  for (genvar s = 0; s < NumSms; s++) begin : gen_sm
    logic [Groups-1:0] there_q, there_now, ended_q;
    logic [CtxW-1:0]   owner_q;
    logic [AsidW-1:0]  asid;
    logic [WarpW-1:0]  warp;
    logic [AddrW-1:0]  waddr;
    logic [GroupW-1:0] at;
    logic [Group-1:0]  bit_hot, word;
    logic              known, use_bit;
    assign asid = req_asid_i[s*AsidW +: AsidW];
    assign warp = req_warp_i[s*WarpW +: WarpW];
    if ((1 << AsidW) > NumAsids) begin : gen_range
      assign known = asid < AsidW'(NumAsids);
    end else begin : gen_no_range
      assign known = 1'b1;
    end
    // In the cycle of the pulse a request counts in the new epoch.
    assign use_bit   = req_i[s] & known;
    assign there_now = pulse_i ? '0 : there_q;
    assign at        = GroupW'({1'b0, warp} >> LowW);
    assign waddr     = AddrW'({half_q ^ pulse_i, warp} >> LowW);
    assign bit_hot   = Group'(1) << warp[LowW-1:0];
    gmmu_ram_mask #(.Width(Group), .Depth(2 * Groups)) u_active (
      .clk_i, .we_i(use_bit), .waddr_i(waddr), .wmask_i(bit_hot | {Group{!there_now[at]}}),
      .wdata_i(bit_hot), .re_i(read_i), .raddr_i(raddr), .rdata_o(word)
    );
    assign words_o[s*Group +: Group] = word;
    assign there_o[s]  = ended_q[group];
    assign active_o[s] = there_o[s] & word[warp_i[LowW-1:0]];
    assign owners[s*CtxW +: CtxW] = owner_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        there_q <= '0;
        owner_q <= '0;
      end else begin
        there_q <= there_now | (use_bit ? Groups'(1) << at : '0);
        if (use_bit) owner_q <= CtxW'(asid);
      end
    end
    gmmu_clkgate #(.Width(Groups)) u_ended (
      .clk_i, .en_i(pulse_i), .d_i(there_q), .q_o(ended_q)
    );
  end

  // A ring that turns: the application that is asked for is always in the same place.
  logic [NumSms*CtxW-1:0] turned;
  if (NumSms > 1) begin : gen_turn
    assign turned = {ring[CtxW-1:0], ring[NumSms*CtxW-1:CtxW]};
  end else begin : gen_no_turn
    assign turned = ring;
  end
  gmmu_clkgate #(.Width(NumSms * CtxW)) u_ring (
    .clk_i, .en_i(pulse_i | turn_i), .d_i(pulse_i ? owners : turned), .q_o(ring)
  );
  assign app_o = ring[CtxW-1:0];
endmodule
`default_nettype wire
