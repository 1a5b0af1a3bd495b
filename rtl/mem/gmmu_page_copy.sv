// SPDX-License-Identifier: Apache-2.0
// gmmu_page_copy: copies one page of 4 KiB from one physical page to another, as an AXI4 master of
// 64 bits. docs/page_copy.md
// Source: Mosaic section 4.4 (contiguity-aware compaction).
//
// Bursts of BurstBeats beats; two of them fit into the buffer, so that one is read while one is
// written. A burst is written when all of it has been read. Both pages must lie in windows for
// data. A command ends with done_o and a result. Legal: BurstBeats 2, 4, ... 256.
`default_nettype none
module gmmu_page_copy #(
  parameter int PfnW       = 36,
  parameter int NumWindows = 4,
  parameter int BurstBeats = 32,
  localparam int PaW  = PfnW + 12,
  localparam int CmdW = gmmu_pkg::cmd_w(PfnW)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // command: ready when idle
  input  logic                       valid_i,
  output logic                       ready_o,
  input  logic [CmdW-1:0]            from_i,      // page frame numbers
  input  logic [CmdW-1:0]            to_i,
  output logic                       done_o,      // pulse
  // 0 done; 3 a page outside the windows, nothing was written; 4 memory error
  output logic [2:0]                 result_o,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_data_i,
  // AXI4 master: INCR bursts of BurstBeats beats of 8 bytes, one ID
  output logic                       awvalid_o,
  input  logic                       awready_i,
  output logic [PaW-1:0]             awaddr_o,
  output logic                       wvalid_o,
  input  logic                       wready_i,
  output logic [63:0]                wdata_o,
  output logic                       wlast_o,
  input  logic                       bvalid_i,
  output logic                       bready_o,
  input  logic [1:0]                 bresp_i,
  output logic                       arvalid_o,
  input  logic                       arready_i,
  output logic [PaW-1:0]             araddr_o,
  input  logic                       rvalid_i,
  output logic                       rready_o,
  input  logic [63:0]                rdata_i,
  input  logic [1:0]                 rresp_i
);
  localparam int BeatW  = $clog2(BurstBeats);
  localparam int BurstW = 10 - BeatW;          // counts the bursts of a page, and one more
  localparam logic [BurstW-1:0] Bursts = BurstW'(512 / BurstBeats);
  localparam logic [1:0] ST_IDLE = 2'd0, ST_CHECK = 2'd1, ST_COPY = 2'd2, ST_END = 2'd3;
  localparam logic [2:0] OK = 3'd0, WINDOW = 3'd3, MEMORY = 3'd4;

  if (BurstBeats < 2 || BurstBeats > 256 ||
      (BurstBeats & (BurstBeats - 1)) != 0) begin : gen_bad_burst
    gmmu_page_copy_BurstBeats_must_be_2_to_256_and_a_power_of_two u_bad();
  end

  logic [1:0]        state_q;
  logic [CmdW-1:0]   from_pfn_q, to_pfn_q;
  logic [PfnW-1:0]   from, to;
  logic [2:0]        result_q;
  logic [9:0]        read_q, written_q;                 // beats read, written
  // bursts asked for, announced, acknowledged
  logic [BurstW-1:0] asked_q, announced_q, acked_q;
  logic              copying, in_from, in_to, allowed, head, ar_take, aw_take, w_take;

  // ---------------------------------------------------------------- windows
  function automatic logic too_high(input logic [CmdW-1:0] pfn);
    begin
      too_high = PfnW < CmdW && pfn >> PfnW != '0;
    end
  endfunction
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_from (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i), .first_i(from), .last_i(from),
    .inside_o(in_from)
  );
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_to (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_data_i), .first_i(to), .last_i(to),
    .inside_o(in_to)
  );

  assign from    = PfnW'(from_pfn_q);
  assign to      = PfnW'(to_pfn_q);
  assign allowed = in_from & in_to & !too_high(from_pfn_q) & !too_high(to_pfn_q);

  // ------------------------------------------------------------ reads: as many bursts as have room
  assign copying   = state_q == ST_COPY;
  assign arvalid_o = copying & asked_q != Bursts & 10'(asked_q) - 10'(written_q >> BeatW) < 10'd2;
  assign araddr_o  = {from, asked_q[BurstW-2:0], {BeatW{1'b0}}, 3'd0};
  assign rready_o  = 1'b1;
  gmmu_ram_fifo #(.Width(64), .Depth(2 * BurstBeats)) u_buffer (
    .clk_i, .rst_ni, .push_i(rvalid_i & copying), .data_i(rdata_i), .pop_i(w_take), .valid_o(head),
    .next_o(), .data_o(wdata_o), .empty_o()
  );

  // ---------------------------------------------------------------- writes: bursts that are here
  // W does not wait for AWREADY, so a memory that takes both together is served.
  assign awvalid_o = copying & announced_q != Bursts & announced_q < BurstW'(read_q >> BeatW);
  assign awaddr_o  = {to, announced_q[BurstW-2:0], {BeatW{1'b0}}, 3'd0};
  assign wvalid_o  = head & written_q >> BeatW < read_q >> BeatW &
      written_q >> BeatW <= 10'(announced_q);
  assign wlast_o   = &written_q[BeatW-1:0];
  assign bready_o  = 1'b1;
  assign ar_take   = arvalid_o & arready_i;
  assign aw_take   = awvalid_o & awready_i;
  assign w_take    = wvalid_o & wready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ST_IDLE;
    end else begin
      case (state_q)
        ST_IDLE:  if (valid_i) state_q <= ST_CHECK;
        ST_CHECK: state_q <= allowed ? ST_COPY : ST_END;
        ST_COPY:  if (acked_q == Bursts) state_q <= ST_END;
        default:  state_q <= ST_IDLE;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i & ready_o) begin
      from_pfn_q <= from_i;
      to_pfn_q   <= to_i;
      {read_q, written_q, asked_q, announced_q, acked_q} <= '0;
    end else if (state_q == ST_CHECK) begin
      result_q <= allowed ? OK : WINDOW;
    end else if (copying) begin
      read_q      <= read_q + 10'(rvalid_i);
      written_q   <= written_q + 10'(w_take);
      asked_q     <= asked_q + BurstW'(ar_take);
      announced_q <= announced_q + BurstW'(aw_take);
      acked_q     <= acked_q + BurstW'(bvalid_i);
      if ((rvalid_i & rresp_i != 2'b00) | (bvalid_i & bresp_i != 2'b00)) result_q <= MEMORY;
    end
  end
  assign ready_o  = state_q == ST_IDLE;
  assign done_o   = state_q == ST_END;
  assign result_o = result_q;
endmodule
`default_nettype wire
