// SPDX-License-Identifier: Apache-2.0
// gmmu_regs: the register file of gmmu_axi behind AXI4-Lite (8 KiB, 32-bit words). Map:
// docs/regs-map.md, behaviour: docs/regs.md.
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
  parameter int Counters     = 11,
  parameter int PerfW        = 48,
  parameter int Caps         = 0,
  parameter int Params       = 47,
  parameter int Coalescer    = 0,     // commands 5 and 6 are built
  parameter int PageCopy     = 0,     // command 7 is built
  parameter int FillTokens   = 0,     // see gmmu_settings
  parameter int SchedRegs    = 0,
  parameter int EpochCycles  = 100000,
  parameter int LeastEpoch   = 2,
  localparam int AppW        = gmmu_pkg::idx_w(NumAsids),
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
  // settings
  input  logic [Params*32-1:0]       params_i,
  output logic [NumPorts*2-1:0]      port_mode_o,
  output logic [NumPorts-1:0]        port_error_o,
  output logic [NumPorts*2-1:0]      port_asid_from_o,
  output logic [NumPorts*5-1:0]      port_shift_o,
  output logic [NumPorts*2-1:0]      port_fetch_o,
  output logic [NumPorts*AsidW-1:0]  port_asid_o,
  input  logic [NumPorts*8-1:0]      port_stalled_i,
  input  logic [NumPorts-1:0]        port_busy_i,
  input  logic [NumPorts-1:0]        port_held_i,    // what the command waits for
  output logic [NumAsids*PfnW-1:0]   ctx_root_o,
  output logic [NumAsids*2-1:0]      ctx_mode_o,
  output logic [NumAsids-1:0]        ctx_ext_o,
  output logic [NumAsids-1:0]        ctx_sum_o,
  output logic [NumAsids-1:0]        ctx_mxr_o,
  output logic [NumWindows*PfnW-1:0] win_lo_o,
  output logic [NumWindows*PfnW-1:0] win_hi_o,
  output logic [NumWindows-1:0]      win_walk_o,
  output logic [NumWindows-1:0]      win_data_o,
  output logic [31:0]                epoch_cycles_o,
  output logic                       token_free_o,
  output logic [6:0]                 token_start_o,
  output logic [2:0]                 token_step_o,
  output logic [6:0]                 token_points_o,
  output logic [AppW:0]              sched_apps_o,
  output logic [9:0]                 sched_quota_o,
  output logic [15:0]                sched_timeout_o,
  output logic [15:0]                sched_age_cap_o,
  // commands
  output logic                       inv_valid_o,
  input  logic                       inv_ready_i,
  output logic [1:0]                 inv_kind_o,
  output logic [AsidW-1:0]           inv_asid_o,
  output logic [35:0]                inv_lo_o,
  output logic [35:0]                inv_hi_o,
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
  output logic                       fault_pop_o,
  input  logic                       fault_recorded_i,
  input  logic                       fault_lost_i,
  output logic                       retry_o,
  output logic                       tick_o,
  // performance counters
  output logic                       perf_snap_o,
  output logic                       perf_clear_o,
  input  logic [Counters*PerfW-1:0]  perf_i
);
  `include "gmmu_regs_map.svh"
  localparam logic [2:0] CMD_FRAME  = 3'd3;
  localparam logic [2:0] CMD_MAPPED = 3'd4;
  localparam logic [2:0] CMD_SPLINT = 3'd6;
  localparam logic [2:0] CMD_COPY   = 3'd7;
  localparam int PortIW = gmmu_pkg::idx_w(NumPorts);
  localparam int CtxW   = gmmu_pkg::idx_w(NumAsids);
  localparam int WinW   = gmmu_pkg::idx_w(NumWindows);

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

  // ---------------------------------------------------------------- epochs, fill tokens, scheduler
  logic [7:0]  set_built;
  logic [31:0] set_rdata;
  assign set_built[7:6] = 2'b00;
  gmmu_settings #(
    .NumAsids(NumAsids), .FillTokens(FillTokens), .SchedRegs(SchedRegs), .EpochCycles(EpochCycles),
    .LeastEpoch(LeastEpoch)
  ) u_settings (
    .clk_i, .rst_ni, .we_i(we & waddr[12:5] == REG_EPOCH_CYCLES[12:5]), .word_i(waddr[4:2]),
    .wdata_i(wdata), .wmask_i(wmask),
    .rword_i(raddr[4:2]), .rdata_o(set_rdata), .built_o(set_built[5:0]), .epoch_cycles_o,
    .token_free_o, .token_start_o,
    .token_step_o, .token_points_o, .sched_apps_o, .sched_quota_o, .sched_timeout_o,
    .sched_age_cap_o
  );

  // Is there such a register? Regions: single registers, windows, parameters, counters, ports,
  // contexts.
  function automatic logic exists(input logic [12:0] addr);
    logic [12:0] a;
    begin
      a = {addr[12:2], 2'b00};
      exists = a == REG_ID | a == REG_VERSION | a == REG_CAPS | a == REG_IRQ_STATUS |
          a == REG_IRQ_ENABLE | a == REG_CMD |
               a == REG_CMD_STATUS | a == REG_CMD_ASID | a == REG_CMD_FIRST_LO |
                   a == REG_CMD_FIRST_HI | a == REG_CMD_LAST_LO |
               a == REG_CMD_LAST_HI | a == REG_FAULT_STATUS | a == REG_FAULT_POP |
                   a == REG_FAULT_VA_LO | a == REG_FAULT_VA_HI |
               a == REG_FAULT_INFO | a == REG_FAULT_SRC | a == REG_RETRY | a == REG_RETRY_CYCLES |
                   a == REG_PERF_CTRL |
               a == REG_PORTS_BUSY | a == REG_CMD_HELD |
               (a[12:5] == REG_EPOCH_CYCLES[12:5] & set_built[a[4:2]]) |
               (a[12:8] == REG_WIN_FIRST_LO[12:8] & 32'(a[7:5]) < NumWindows & a[4:2] <= 3'd4) |
               (a[12:8] == REG_PARAMS[12:8] & 32'(a[7:2]) < Params) |
               (a[12:8] == REG_PERF_LO[12:8] & 32'(a[7:3]) < Counters) |
               (a[12:9] == REG_PORT_CTRL[12:9] & 32'(a[8:4]) < NumPorts & a[3:2] != 2'd3) |
               (a[12:11] == REG_CTX_ROOT_LO[12:11] & 32'(a[10:4]) < NumAsids & a[3:2] != 2'd3);
    end
  endfunction
  assign werr = !exists(waddr);
  assign rerr = !exists(raddr);

  function automatic logic [31:0] merged(input logic [31:0] old, input logic [31:0] data,
      input logic [31:0] mask);
    begin
      merged = (old & ~mask) | (data & mask);
    end
  endfunction
  // The low or the high word of a PFN is written.
  function automatic logic [63:0] put_low(input logic [63:0] old, input logic [31:0] data,
      input logic [31:0] mask);
    begin
      put_low = {old[63:32], (old[31:0] & ~mask) | (data & mask)};
    end
  endfunction
  function automatic logic [63:0] put_high(input logic [63:0] old, input logic [31:0] data,
      input logic [31:0] mask);
    begin
      put_high = {(old[63:32] & ~mask) | (data & mask), old[31:0]};
    end
  endfunction
  logic [12:0] wword;
  logic [31:0] wbits;     // what is written to registers that do not keep old bits
  assign wword = {waddr[12:2], 2'b00};
  assign wbits = wdata & wmask;

  // ---------------------------------------------------------------- interrupt, command, retry
  logic [3:0]       status_q, enable_q;
  logic             busy_q, sent_q, refused_q, cmd_write, built, refuse, retry_q, done;
  logic [15:0]      count_q, cmd_asid_q;
  logic [1:0]       kind_q;
  logic             frame_q, co_q, splinter_q, copy_q;
  logic [2:0]       result_q;
  logic [35:0]      first_q, last_q;
  logic [31:0]      period_q, since_q;
  assign cmd_write = we & wword == REG_CMD;
  assign built     = wbits[2:0] == CMD_COPY ? PageCopy != 0 : wbits[2:0] <= CMD_MAPPED |
      Coalescer != 0;
  assign refuse    = cmd_write & (busy_q | !built);
  assign done      = (busy_q & inv_done_i) | (cmd_write & !refuse & wbits[2:0] == CMD_MAPPED);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      status_q  <= '0;
      enable_q  <= '0;
      busy_q    <= 1'b0;
      sent_q    <= 1'b0;
      refused_q <= 1'b0;
      count_q   <= '0;
      retry_q   <= 1'b0;
    end else begin
      status_q <= (status_q & ~(we & wword == REG_IRQ_STATUS ? wbits[3:0] : 4'd0)) | {refuse, done, fault_lost_i, fault_recorded_i};
      if (we & wword == REG_IRQ_ENABLE) enable_q <= 4'(merged({28'd0, enable_q}, wdata, wmask));
      if (cmd_write) refused_q <= refuse;
      if (cmd_write & !refuse & wbits[2:0] != CMD_MAPPED) busy_q <= 1'b1;
      else if (inv_done_i) busy_q <= 1'b0;
      sent_q  <= busy_q & !inv_done_i & (sent_q | (co_q ? co_ready_i : inv_ready_i));
      count_q <= count_q + 16'(done);
      retry_q <= done | (we & wword == REG_RETRY & wbits[0]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cmd_asid_q <= '0;
      first_q    <= '0;
      last_q     <= '0;
    end else if (we & !busy_q) begin
      if (wword == REG_CMD_ASID) cmd_asid_q <=
          16'(AsidW'(merged({16'd0, cmd_asid_q}, wdata, wmask)));
      if (wword == REG_CMD_FIRST_LO) first_q[19:0] <=
          20'(merged({first_q[19:0], 12'd0}, wdata, wmask) >> 12);
      if (wword == REG_CMD_FIRST_HI) first_q[35:20] <=
          16'(merged({16'd0, first_q[35:20]}, wdata, wmask));
      if (wword == REG_CMD_LAST_LO) last_q[19:0] <=
          20'(merged({last_q[19:0], 12'd0}, wdata, wmask) >> 12);
      if (wword == REG_CMD_LAST_HI) last_q[35:20] <=
          16'(merged({16'd0, last_q[35:20]}, wdata, wmask));
    end
    if (cmd_write & !refuse) begin
      kind_q     <= wbits[2:0] >= CMD_FRAME ? gmmu_pkg::INV_RANGE : wbits[1:0];
      frame_q    <= wbits[2:0] >= CMD_FRAME & wbits[2:0] != CMD_COPY;
      co_q       <= wbits[2:0] > CMD_MAPPED;
      splinter_q <= wbits[2:0] == CMD_SPLINT;
      copy_q     <= wbits[2:0] == CMD_COPY;
    end
    if (!rst_ni) result_q <= '0;
    else if (co_done_i) result_q <= co_result_i;
  end
  assign irq_o       = |(status_q & enable_q);
  assign inv_valid_o = busy_q & !sent_q & !co_q;
  assign co_valid_o  = busy_q & !sent_q & co_q;
  assign co_splinter_o = splinter_q;
  assign co_copy_o   = copy_q;
  assign inv_kind_o  = kind_q;
  assign inv_asid_o  = cmd_asid_q[AsidW-1:0];
  assign inv_lo_o    = frame_q ? {first_q[35:9], 9'd0} : first_q;
  assign inv_hi_o    = frame_q ? {first_q[35:9], 9'h1ff} : last_q;
  assign retry_o     = retry_q;
  assign tick_o      = period_q != '0 & since_q >= period_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      period_q <= '0;
      since_q  <= '0;
    end else begin
      if (we & wword == REG_RETRY_CYCLES) period_q <= merged(period_q, wdata, wmask);
      since_q <= tick_o | period_q == '0 ? 32'd1 : since_q + 32'd1;
    end
  end
  assign fault_pop_o  = we & wword == REG_FAULT_POP & wbits[0];
  assign perf_snap_o  = we & wword == REG_PERF_CTRL & wbits[0];
  assign perf_clear_o = we & wword == REG_PERF_CTRL & wbits[1];

  // ---------------------------------------------------------------- windows, ports, contexts
  for (genvar w = 0; w < NumWindows; w++) begin : gen_window
    logic [PfnW-1:0] lo_q, hi_q;
    logic [1:0]      allow_q;
    logic            mine;
    assign mine = we & waddr[12:8] == REG_WIN_FIRST_LO[12:8] & waddr[7:5] == 3'(w);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        lo_q    <= '0;
        hi_q    <= '0;
        allow_q <= '0;
      end else if (mine) begin
        case (waddr[4:2])
          3'd0: lo_q <= PfnW'(put_low(64'(lo_q), wdata, wmask));
          3'd1: lo_q <= PfnW'(put_high(64'(lo_q), wdata, wmask));
          3'd2: hi_q <= PfnW'(put_low(64'(hi_q), wdata, wmask));
          3'd3: hi_q <= PfnW'(put_high(64'(hi_q), wdata, wmask));
          3'd4: allow_q <= 2'(merged({30'd0, allow_q}, wdata, wmask));
          default: ;
        endcase
      end
    end
    assign win_lo_o[w*PfnW +: PfnW] = lo_q;
    assign win_hi_o[w*PfnW +: PfnW] = hi_q;
    assign {win_data_o[w], win_walk_o[w]} = allow_q;
  end
  logic [NumPorts*32-1:0] port_ctrl;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [1:0]       mode_q, from_q, fetch_q;
    logic             error_q, mine;
    logic [4:0]       shift_q;
    logic [AsidW-1:0] asid_q;
    logic [31:0]      now, next;
    assign mine = we & waddr[12:9] == REG_PORT_CTRL[12:9] & waddr[8:4] == 5'(p);
    assign now  = {11'd0, shift_q, 6'd0, fetch_q, 2'd0, from_q, 1'b0, error_q, mode_q};
    assign next = merged(now, wdata, wmask);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        mode_q  <= 2'(ResetMode);
        error_q <= 1'b0;
        from_q  <= '0;
        fetch_q <= '0;
        shift_q <= '0;
        asid_q  <= '0;
      end else if (mine & waddr[3:2] == 2'd0) begin
        mode_q  <= next[1] ? 2'd2 : next[1:0];
        error_q <= next[2];
        from_q  <= next[5:4];
        fetch_q <= next[9:8] == 2'd3 ? 2'd0 : next[9:8];
        shift_q <= next[20:16];
      end else if (mine & waddr[3:2] == 2'd1) begin
        asid_q <= AsidW'(merged(32'(asid_q), wdata, wmask));
      end
    end
    assign port_ctrl[p*32 +: 32]            = now;
    assign port_mode_o[p*2 +: 2]            = mode_q;
    assign port_error_o[p]                  = error_q;
    assign port_asid_from_o[p*2 +: 2]       = from_q;
    assign port_shift_o[p*5 +: 5]           = shift_q;
    assign port_fetch_o[p*2 +: 2]           = fetch_q;
    assign port_asid_o[p*AsidW +: AsidW]    = asid_q;
  end

  for (genvar a = 0; a < NumAsids; a++) begin : gen_ctx
    logic [PfnW-1:0] root_q;
    logic [4:0]      ctrl_q, next;
    logic            mine;
    assign mine = we & waddr[12:11] == REG_CTX_ROOT_LO[12:11] & waddr[10:4] == 7'(a);
    assign next = 5'(merged({27'd0, ctrl_q}, wdata, wmask));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        root_q <= '0;
        ctrl_q <= '0;
      end else if (mine) begin
        case (waddr[3:2])
          2'd0: root_q <= PfnW'(put_low(64'(root_q), wdata, wmask));
          2'd1: root_q <= PfnW'(put_high(64'(root_q), wdata, wmask));
          2'd2: ctrl_q <= {next[4:2], next[1:0] == 2'd3 |
              (next[1:0] == gmmu_pkg::MODE_SV48 & VaW != 48) ? gmmu_pkg::MODE_OFF : next[1:0]};
          default: ;
        endcase
      end
    end
    assign ctx_root_o[a*PfnW +: PfnW] = root_q;
    assign {ctx_mxr_o[a], ctx_sum_o[a], ctx_ext_o[a], ctx_mode_o[a*2 +: 2]} = ctrl_q;
  end

  // ---------------------------------------------------------------- reading
  logic             f_write, f_user;
  logic [63:0]      f_va;
  logic [AsidW-1:0] f_asid;
  logic [1:0]       f_access;
  logic [IdW-1:0]   f_id;
  logic [4:0]       f_cause;
  logic [PortW-1:0] f_port;
  assign {f_port, f_write, f_va, f_asid, f_access, f_user, f_id, f_cause} =
      fault_valid_i ? fault_head_i : '0;

  logic [PortIW-1:0] r_port;
  logic [CtxW-1:0]   r_ctx;
  logic [WinW-1:0]   r_win;
  logic [63:0]       r_lo, r_hi, r_root, r_perf;
  assign r_port = PortIW'(raddr[8:4]);
  assign r_ctx  = CtxW'(raddr[10:4]);
  assign r_win  = WinW'(raddr[7:5]);
  assign r_lo   = 64'(win_lo_o[r_win*PfnW +: PfnW]);
  assign r_hi   = 64'(win_hi_o[r_win*PfnW +: PfnW]);
  assign r_root = 64'(ctx_root_o[r_ctx*PfnW +: PfnW]);
  assign r_perf = 64'(perf_i[raddr[6:3]*PerfW +: PerfW]);

  always_comb begin
    rdata = '0;
    if (rerr) begin
      rdata = '0;
    end else if (raddr[12]) begin
      case (raddr[3:2])
        2'd0:    rdata = r_root[31:0];
        2'd1:    rdata = r_root[63:32];
        default: rdata = {27'd0, ctx_mxr_o[r_ctx], ctx_sum_o[r_ctx], ctx_ext_o[r_ctx],
            ctx_mode_o[r_ctx*2 +: 2]};
      endcase
    end else if (raddr[11]) begin
      case (raddr[3:2])
        2'd0:    rdata = port_ctrl[r_port*32 +: 32];
        2'd1:    rdata = 32'(port_asid_o[r_port*AsidW +: AsidW]);
        default: rdata = {23'd0, port_busy_i[r_port], port_stalled_i[r_port*8 +: 8]};
      endcase
    end else if (raddr[12:8] == REG_PERF_LO[12:8]) begin
      rdata = raddr[2] ? r_perf[63:32] : r_perf[31:0];
    end else if (raddr[12:8] == REG_PARAMS[12:8]) begin
      rdata = params_i[raddr[7:2]*32 +: 32];
    end else if (raddr[12:5] == REG_EPOCH_CYCLES[12:5]) begin
      rdata = set_rdata;
    end else if (raddr[12:8] == REG_WIN_FIRST_LO[12:8]) begin
      case (raddr[4:2])
        3'd0:    rdata = r_lo[31:0];
        3'd1:    rdata = r_lo[63:32];
        3'd2:    rdata = r_hi[31:0];
        3'd3:    rdata = r_hi[63:32];
        default: rdata = {30'd0, win_data_o[r_win], win_walk_o[r_win]};
      endcase
    end else begin
      case ({raddr[12:2], 2'b00})
        REG_ID:           rdata = 32'h554d_4d47;
        REG_VERSION:      rdata = REG_MAP_VERSION;
        REG_CAPS:         rdata = 32'(Caps);
        REG_IRQ_STATUS:   rdata = {28'd0, status_q};
        REG_IRQ_ENABLE:   rdata = {28'd0, enable_q};
        REG_CMD_STATUS:   rdata = {count_q, 5'd0, result_q, 6'd0, refused_q, busy_q};
        REG_CMD_ASID:     rdata = {16'd0, cmd_asid_q};
        REG_CMD_FIRST_LO: rdata = {first_q[19:0], 12'd0};
        REG_CMD_FIRST_HI: rdata = {16'd0, first_q[35:20]};
        REG_CMD_LAST_LO:  rdata = {last_q[19:0], 12'd0};
        REG_CMD_LAST_HI:  rdata = {16'd0, last_q[35:20]};
        REG_FAULT_STATUS: rdata = {16'd0, 8'(FaultEntries), 8'(fault_count_i)};
        REG_FAULT_VA_LO:  rdata = f_va[31:0];
        REG_FAULT_VA_HI:  rdata = f_va[63:32];
        REG_FAULT_INFO:   rdata = {16'(f_asid), fault_valid_i, 4'd0, f_user, f_access, 3'd0,
            f_cause};
        REG_FAULT_SRC:    rdata = {16'(64'(f_id)), 7'd0, f_write, 8'(f_port)};
        REG_RETRY_CYCLES: rdata = period_q;
        REG_PORTS_BUSY:   rdata = 32'(port_busy_i);
        REG_CMD_HELD:     rdata = 32'(port_held_i);
        default:          rdata = '0;
      endcase
    end
  end
endmodule
`default_nettype wire
