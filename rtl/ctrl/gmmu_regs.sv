// SPDX-License-Identifier: Apache-2.0
// gmmu_regs: the register file of gmmu_axi behind AXI4-Lite (8 KiB, 32-bit words). Map:
// docs/regs-map.md, behaviour: docs/regs.md.
//
// What a register is, rtl/ctrl/regs.txt says: decode, storage and reading (gmmu_reg_file) and the
// ports that are registers' are generated from it (scripts/regs.py). Here: bus, commands
// (gmmu_command), interrupt, retries and the head of the fault queue.
//
// A register that is not built (no such port, window, ASID) answers SLVERR, reads 0 and takes
// nothing. After reset contexts are off, windows closed, interrupts disabled, ports in ResetMode.
`default_nettype none
module gmmu_regs #(
  parameter int NumPorts     = 2,     // ports with settings
  parameter int NumAsids     = 8,
  parameter int AsidW        = 9,
  parameter int PfnW         = 36,
  parameter int VaW          = 48,
  parameter int NumWindows   = 4,
  parameter int ResetMode    = 0,     // 0 pass through, 2 hold
  parameter int FaultEntries = 8,
  parameter int IdW          = 4,
  parameter int PortW        = 1,     // of the port in a fault record
  parameter int Counters     = 12,
  parameter int PerfW        = 48,
  parameter int Caps         = 0,
  parameter int Params       = 47,
  parameter int Coalescer    = 0,     // commands 5 and 6 are built
  parameter int PageCopy     = 0,     // command 7 is built
  parameter int FillTokens   = 0,     // see docs/settings.md
  parameter int SchedRegs    = 0,
  parameter int EpochCycles  = 100000,
  parameter int LeastEpoch   = 2,
  localparam int AppW        = gmmu_pkg::idx_w(NumAsids),
  localparam int CmdW        = gmmu_pkg::cmd_w(PfnW),
  localparam int RecW        = 1 + 64 + AsidW + 2 + 1 + IdW + 5,
  localparam int FCntW       = $clog2(FaultEntries + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // AXI4-Lite
  input  logic                       awvalid_i,
  output logic                       awready_o,
  input  logic [12:0]                awaddr_i,
  input  logic                       wvalid_i,
  output logic                       wready_o,
  input  logic [31:0]                wdata_i,
  input  logic [3:0]                 wstrb_i,
  output logic                       bvalid_o,
  input  logic                       bready_i,
  output logic [1:0]                 bresp_o,
  input  logic                       arvalid_i,
  output logic                       arready_o,
  input  logic [12:0]                araddr_i,
  output logic                       rvalid_o,
  input  logic                       rready_i,
  output logic [31:0]                rdata_o,
  output logic [1:0]                 rresp_o,
  output logic                       irq_o,
  // registers and parameters
`include "gmmu_regs_ports.svh"
  input  logic [Params*32-1:0]       params_i,
  // commands
  output logic                       inv_valid_o,
  input  logic                       inv_ready_i,
  output logic [1:0]                 inv_kind_o,
  output logic [AsidW-1:0]           inv_asid_o,
  output logic [CmdW-1:0]            inv_lo_o,
  output logic [CmdW-1:0]            inv_hi_o,
  // acknowledged, and no burst with an old translation is on its way
  input  logic                       inv_done_i,
  output logic                       co_valid_o,     // coalesce or splinter the frame of inv_lo_o
  input  logic                       co_ready_i,
  output logic                       co_splinter_o,
  output logic                       co_copy_o,      // copy the page inv_lo_o to inv_hi_o
  input  logic                       co_done_i,
  input  logic [2:0]                 co_result_i,
  // faults
  input  logic                       fault_valid_i,
  input  logic [RecW+PortW-1:0]      fault_head_i,
  input  logic [FCntW-1:0]           fault_count_i,
  input  logic                       fault_recorded_i,
  input  logic                       fault_lost_i,
  output logic                       retry_o,        // asked for, or a command has ended
  output logic                       tick_o          // RETRY_CYCLES have passed
);
  if (NumPorts < 1 || NumPorts > 32 || NumAsids > 128 || NumWindows > 8) begin : gen_bad_counts
    gmmu_regs_NumPorts_1_to_32_NumAsids_to_128_NumWindows_to_8 u_bad();
  end
  if (ResetMode != 0 && ResetMode != 2) begin : gen_bad_mode
    gmmu_regs_ResetMode_must_be_0_or_2 u_bad();
  end

  // ---------------------------------------------------------------- bus
  logic        we, werr, rerr;
  logic [12:0] waddr, raddr;
  logic [31:0] wdata, wmask, rdata;
  gmmu_axil #(.AddrW(13)) u_axil (
    .clk_i, .rst_ni, .awvalid_i, .awready_o, .awaddr_i, .wvalid_i, .wready_o, .wdata_i, .wstrb_i,
    .bvalid_o, .bready_i, .bresp_o,
    .arvalid_i, .arready_o, .araddr_i, .rvalid_o, .rready_i, .rdata_o, .rresp_o,
    .we_o(we), .waddr_o(waddr), .wdata_o(wdata), .wmask_o(wmask), .werr_i(werr), .raddr_o(raddr),
    .rdata_i(rdata), .rerr_i(rerr)
  );

  // ---------------------------------------------------------------- head of the fault queue
  logic             f_write, f_user;
  logic [63:0]      f_va;
  logic [AsidW-1:0] f_asid;
  logic [1:0]       f_access;
  logic [IdW-1:0]   f_id;
  logic [4:0]       f_cause;
  logic [PortW-1:0] f_port;
  assign {f_port, f_write, f_va, f_asid, f_access, f_user, f_id, f_cause} =
      fault_valid_i ? fault_head_i : '0;

  // ---------------------------------------------------------------- registers
  logic             command_valid, busy, refused, refuse, done, retry_now;
  logic [2:0]       command, result;
  logic [3:0]       events, irq_enable;
  logic [15:0]      done_count;
  logic [AsidW-1:0] cmd_asid;
  logic [CmdW-1:0]  cmd_first, cmd_last;
  logic [31:0]      retry_cycles;
  gmmu_reg_file #(
`include "gmmu_regs_pass.svh"
    .Params(Params)
  ) u_file (
    .clk_i, .rst_ni, .we_i(we), .waddr_i(waddr[12:2]), .wdata_i(wdata), .wmask_i(wmask),
    .werr_o(werr), .raddr_i(raddr[12:2]), .rdata_o(rdata), .rerr_o(rerr),
`include "gmmu_regs_connect.svh"
    .events_i({refuse, done, fault_lost_i, fault_recorded_i}), .events_o(events),
    .irq_enable_o(irq_enable),
    .command_valid_o(command_valid), .command_o(command), .cmd_busy_i(busy),
    .cmd_refused_i(refused), .cmd_result_i(result), .cmd_count_i(done_count),
    .cmd_asid_o(cmd_asid), .cmd_first_lo_o(cmd_first[19:0]), .cmd_first_hi_o(cmd_first[CmdW-1:20]),
    .cmd_last_lo_o(cmd_last[19:0]), .cmd_last_hi_o(cmd_last[CmdW-1:20]),
    .fault_records_i(8'(fault_count_i)), .fault_va_i(f_va), .fault_cause_i(f_cause),
    .fault_access_i(f_access), .fault_user_i(f_user), .fault_valid_i, .fault_asid_i(f_asid),
    .fault_port_i(8'(f_port)), .fault_write_i(f_write), .fault_id_i(16'(64'(f_id))),
    .retry_now_o(retry_now), .retry_cycles_o(retry_cycles),
    .params_i
  );
  assign irq_o = |(events & irq_enable);

  // ---------------------------------------------------------------- commands
  gmmu_command #(.AsidW(AsidW), .CmdW(CmdW), .Coalescer(Coalescer), .PageCopy(PageCopy)) u_command (
    .clk_i, .rst_ni, .valid_i(command_valid), .kind_i(command), .asid_i(cmd_asid),
    .first_i(cmd_first), .last_i(cmd_last), .busy_o(busy), .refuse_o(refuse), .refused_o(refused),
    .done_o(done), .done_count_o(done_count), .result_o(result),
    .inv_valid_o, .inv_ready_i, .inv_kind_o, .inv_asid_o, .inv_lo_o, .inv_hi_o, .inv_done_i,
    .co_valid_o, .co_ready_i, .co_splinter_o, .co_copy_o, .co_done_i, .co_result_i
  );

  // ---------------------------------------------------------------- retries
  logic        retry_q;
  logic [31:0] since_q;   // cycles since the last tick
  assign retry_o = retry_q;
  assign tick_o  = retry_cycles != '0 & since_q >= retry_cycles;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      retry_q <= 1'b0;
      since_q <= '0;
    end else begin
      retry_q <= done | retry_now;
      since_q <= tick_o | retry_cycles == '0 ? 32'd1 : since_q + 32'd1;
    end
  end
endmodule
`default_nettype wire
