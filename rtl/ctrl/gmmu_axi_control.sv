// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_control: the side of gmmu_axi that software sees: registers behind AXI4-Lite, fault
// queue, performance counters, interrupt. Map: docs/regs-map.md, behaviour: docs/regs.md,
// docs/fault_queue.md. Ports that are registers have the names of gmmu_regs. Legal: as gmmu_axi.
`default_nettype none
module gmmu_axi_control #(
`include "gmmu_axi_params.svh"
`include "gmmu_axi_c_bits.svh"
  localparam int Axis     = NumPorts > 0 ? NumPorts : 1,
  localparam int NumSms   = gmmu_pkg::num_sms(NumPorts, NumNative),
  localparam int PfnW     = PaW - 12,
  localparam int AppW     = gmmu_pkg::idx_w(NumAsids),
  localparam int CmdW     = gmmu_pkg::cmd_w(PfnW),
  localparam int RecW     = 1 + 64 + AsidW + 2 + 1 + AxiIdW + 5
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
`include "gmmu_axi_c_ports.svh"
  output logic                       irq_o,
  // registers that others use
`include "gmmu_control_ports.svh"
  // commands
  output logic                       inv_valid_o,
  input  logic                       inv_ready_i,
  output logic [1:0]                 inv_kind_o,
  output logic [AsidW-1:0]           inv_asid_o,
  output logic [CmdW-1:0]            inv_lo_o,
  output logic [CmdW-1:0]            inv_hi_o,
  input  logic                       inv_done_i,
  output logic                       co_valid_o,
  input  logic                       co_ready_i,
  output logic                       co_splinter_o,
  output logic                       co_copy_o,
  input  logic                       co_done_i,
  input  logic [2:0]                 co_result_i,
  // faults of the ports
  input  logic [NumSms-1:0]          f_valid_i,
  input  logic [NumSms*RecW-1:0]     f_rec_i,
  output logic [NumSms-1:0]          f_taken_o,
  output logic                       f_lost_o,
  output logic                       retry_o,
  output logic                       tick_o,
  // what is counted
  input  logic [NumSms-1:0]          count_l1_look_i,
  input  logic [NumSms-1:0]          count_l1_hit_i,
  input  logic [1:0]                 count_l2_look_i,
  input  logic [1:0]                 count_l2_hit_i,
  input  logic                       count_walk_i,
  input  logic [NumSms-1:0]          count_l1_parity_i,
  input  logic [1:0]                 count_l2_parity_i,
  input  logic                       pte_read_i,
  input  logic [Axis-1:0]            read_i,
  input  logic [Axis-1:0]            write_i
);
  localparam int PortW    = gmmu_pkg::idx_w(NumSms);
  localparam int FCntW    = $clog2(FaultEntries + 1);
  localparam int Counters = 12;
  localparam int PerfW    = 48;
  localparam int Caps     = (Coalescer != 0 ? 1 : 0) + (Perf != 0 ? 4 : 0) +
      (FillTokens != 0 ? 8 : 0) + (L2Unified != 0 ? 16 : 0) +
      (L2Unified != 0 || L2LargeEntries != 0 ? 32 : 0) + (VaW == 48 ? 64 : 0) +
      (FrameBitsInRsw != 0 ? 128 : 0) + (SchedRegs != 0 ? 256 : 0) + (PageCopy != 0 ? 512 : 0) +
      (Svadu != 0 ? 2 : 0);
  `include "gmmu_regs_params.svh"
  `include "gmmu_axi_c_types.svh"
  c_aw_t c_aw;
  c_w_t  c_w;
  c_b_t  c_b;
  c_ar_t c_ar;
  c_r_t  c_r;
  assign c_aw  = c_aw_i;
  assign c_w   = c_w_i;
  assign c_b_o = c_b;
  assign c_ar  = c_ar_i;
  assign c_r_o = c_r;

  // ---------------------------------------------------------------- faults
  logic                  head_valid, pop, recorded, overflow;
  logic [RecW+PortW-1:0] head;
  logic [FCntW-1:0]      records;
  gmmu_fault_queue #(.NumPorts(NumSms), .Depth(FaultEntries), .RecW(RecW)) u_faults (
    .clk_i, .rst_ni, .valid_i(f_valid_i), .rec_i(f_rec_i), .taken_o(f_taken_o), .lost_o(f_lost_o),
    .head_valid_o(head_valid), .head_o(head),
    .pop_i(pop), .count_o(records), .recorded_o(recorded), .overflow_o(overflow)
  );

  // ---------------------------------------------------------------- performance counters
  logic                      snap, clear;
  logic [Counters*PerfW-1:0] perf;
  if (Perf != 0) begin : gen_perf
    gmmu_perf #(.NumSms(NumSms), .NumPorts(Axis), .Width(PerfW)) u_perf (
      .clk_i, .rst_ni, .count_l1_look_i, .count_l1_hit_i, .count_l2_look_i, .count_l2_hit_i,
      .count_walk_i, .count_l1_parity_i, .count_l2_parity_i, .pte_read_i,
      .recorded_i(recorded), .lost_i(overflow), .read_i, .write_i,
      .stalled_i(|port_stalled_i), .snap_i(snap), .clear_i(clear), .value_o(perf)
    );
  end else begin : gen_no_perf
    logic unused_perf;
    assign unused_perf = ^{snap, clear, count_l1_look_i, count_l1_hit_i, count_l2_look_i,
        count_l2_hit_i, count_walk_i, count_l1_parity_i, count_l2_parity_i, pte_read_i, read_i,
        write_i};
    assign perf        = '0;
  end

  // ---------------------------------------------------------------- registers
  gmmu_regs #(
    .NumPorts(NumSms), .NumAsids(NumAsids), .AsidW(AsidW), .PfnW(PfnW), .VaW(VaW),
    .NumWindows(NumWindows), .ResetMode(ResetMode),
    .FaultEntries(FaultEntries), .IdW(AxiIdW), .PortW(PortW), .Counters(Counters), .PerfW(PerfW),
    .Caps(Caps), .Params(NumParams), .Coalescer(Coalescer), .PageCopy(PageCopy),
    .FillTokens(FillTokens), .SchedRegs(SchedRegs), .EpochCycles(EpochCycles),
    .LeastEpoch(FillTokens != 0 ? gmmu_pkg::least_epoch(NumSms, NumAsids, WarpW) : 2)
  ) u_regs (
    .clk_i, .rst_ni, .awvalid_i(c_aw_valid_i), .awready_o(c_aw_ready_o), .awaddr_i(c_aw.addr),
    .wvalid_i(c_w_valid_i), .wready_o(c_w_ready_o),
    .wdata_i(c_w.data), .wstrb_i(c_w.strb), .bvalid_o(c_b_valid_o), .bready_i(c_b_ready_i),
    .bresp_o(c_b.resp),
    .arvalid_i(c_ar_valid_i), .arready_o(c_ar_ready_o), .araddr_i(c_ar.addr),
    .rvalid_o(c_r_valid_o),
    .rready_i(c_r_ready_i),
    .rdata_o(c_r.data), .rresp_o(c_r.resp), .irq_o,
    .params_i(ParamWords),
`include "gmmu_control_connect.svh"
    .inv_valid_o, .inv_ready_i, .inv_kind_o, .inv_asid_o, .inv_lo_o, .inv_hi_o, .inv_done_i,
    .co_valid_o, .co_ready_i, .co_splinter_o, .co_copy_o, .co_done_i, .co_result_i,
    .fault_valid_i(head_valid), .fault_head_i(head), .fault_count_i(records), .fault_pop_o(pop),
    .fault_recorded_i(recorded), .fault_lost_i(overflow), .retry_o, .tick_o,
    .perf_snap_o(snap), .perf_clear_o(clear), .perf_i(perf)
  );
endmodule
`default_nettype wire
