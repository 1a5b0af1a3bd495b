// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_hits: answers of one L2 port's hits on their way to the L1s: a delay line that never
// stalls, so that a hit takes Latency cycles from the request's handshake. Timing: docs/l2_tlb.md.
//
// Delay: registers behind stage B, >= 1. Late=1: permissions and PFN of a hit with late_i come in
// the cycle after it (late_data_i).
`default_nettype none
module gmmu_l2tlb_hits #(
  parameter int NumSms  = 30,
  parameter int L1MW    = 5,
  parameter int PfnW    = 36,
  parameter int Delay   = 7,
  parameter int Offsets = 0,    // 1: the PFN in xlate_i lies offset_i before the page's
  parameter int Late    = 0,
  parameter int Colt    = 0,
  localparam int SmW    = gmmu_pkg::idx_w(NumSms),
  localparam int DataW  = gmmu_pkg::PERM_W + PfnW,
  localparam int XlateW = gmmu_pkg::xlate_w(PfnW, Colt)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              hit_i,
  input  logic [SmW-1:0]    sm_i,
  input  logic [L1MW-1:0]   l1_mshr_i,
  input  logic [XlateW-1:0] xlate_i,
  input  logic [8:0]        offset_i,
  input  logic              late_i,
  input  logic [DataW-1:0]  late_data_i,
  output logic [NumSms-1:0] sel_o,
  output logic [L1MW-1:0]   l1_mshr_o,
  output logic [XlateW-1:0] xlate_o
);
  localparam int DW = 9 + SmW + L1MW + XlateW;
  // Within a run the page's PFN is an offset away from the entry's. Stage B is long enough, so it
  // is added in front of this register, or where there are too few behind the last one.
  localparam int At = Offsets == 0 ? 0 : Delay >= 3 ? 2 : Delay;

  if (Delay < 1) begin : gen_bad_delay
    gmmu_l2tlb_hits_Delay_must_be_at_least_1 u_bad();
  end

  logic [Delay-1:0] valid_q;
  logic [DW-1:0]    first_q, first, out;   // first: with what comes late
  logic [Delay*DW-1:0] line;
  logic [PfnW-1:0]  pfn;
  logic [DW-1:0]    whole;      // with the page's PFN
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= Delay'({valid_q, hit_i});
  end
  always_ff @(posedge clk_i) if (hit_i) first_q <= {offset_i, sm_i, l1_mshr_i, xlate_i};
  if (Late != 0) begin : gen_late
    logic late_q;
    always_ff @(posedge clk_i) late_q <= hit_i & late_i;
    assign first = late_q ? {first_q[DW-1:DataW], late_data_i} : first_q;
  end else begin : gen_no_late
    logic unused_late;
    assign unused_late = ^{late_i, late_data_i};
    assign first = first_q;
  end
  assign line[DW-1:0] = first;
  assign out          = line[Delay*DW-1 -: DW];
  for (genvar i = 1; i < Delay; i++) begin : gen_line
    logic [DW-1:0] line_q;
    always_ff @(posedge clk_i) if (valid_q[i-1]) line_q <= i == At ? whole : line[(i-1)*DW +: DW];
    assign line[i*DW +: DW] = line_q;
  end
  localparam int In = At == 0 ? Delay - 1 : At - 1;      // what it is added to
  assign pfn       = line[In*DW +: PfnW] + PfnW'(line[In*DW+DW-1 -: 9]);
  assign whole     = {line[In*DW+PfnW +: DW-PfnW], At == 0 ? line[In*DW +: PfnW] : pfn};
  assign sel_o     = valid_q[Delay-1] ? NumSms'(1) << out[DW-10 -: SmW] : '0;
  assign l1_mshr_o = out[XlateW +: L1MW];
  assign xlate_o   = At == Delay ? whole[XlateW-1:0] : out[XlateW-1:0];
endmodule
`default_nettype wire
