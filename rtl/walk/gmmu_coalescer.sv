// SPDX-License-Identifier: Apache-2.0
// gmmu_coalescer: sets and clears the coalesced state of one large frame in its page tables, in
// place. docs/coalescer.md
// Source: Mosaic sections 4.3 and 4.4.
//
// Coalesce: CO in the frame PTE by one update, then DIS in the 512 leaf PTEs. Splinter: DIS
// cleared, then CO; its owner invalidates the frame after that. One read or update of 8 bytes on
// its way at a time. A command ends with done_o and a result.
`default_nettype none
module gmmu_coalescer #(
  parameter int NumAsids       = 8,
  parameter int AsidW          = 9,
  parameter int PfnW           = 36,
  parameter int VaW            = 48,
  parameter int NumWindows     = 4,
  parameter int FrameBitsInRsw = 0,
  localparam int PaW = PfnW + 12
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // command: ready when idle
  input  logic                       valid_i,
  output logic                       ready_o,
  input  logic                       splinter_i,
  input  logic [AsidW-1:0]           asid_i,
  input  logic [26:0]                lfn_i,       // VA[47:21]
  output logic                       done_o,      // pulse
  // 0 done; 1 no such address space, or its extension is off; 2 no leaf table;
  output logic [2:0]                 result_o,
                                                  // 3 a PTE outside the windows; 4 memory error; 5
                                                  // it was so already
  // contexts and windows
  input  logic [NumAsids*PfnW-1:0]   ctx_root_i,
  input  logic [NumAsids*2-1:0]      ctx_mode_i,
  input  logic [NumAsids-1:0]        ctx_ext_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i,
  // gmmu_pte_write: a request waits for its answer
  output logic                       req_valid_o,
  input  logic                       req_ready_i,
  output logic                       req_update_o,  // changes a bit; 0: reads
  output logic [PaW-1:0]             req_addr_o,
  output logic                       req_co_o,      // that bit is CO; 0: DIS
  output logic                       req_one_o,     // and becomes 1; 0: 0
  input  logic                       rsp_valid_i,
  input  logic [63:0]                rsp_rdata_i,
  input  logic                       rsp_err_i
);
  localparam int CtxW  = gmmu_pkg::idx_w(NumAsids);
  localparam int CoBit = FrameBitsInRsw != 0 ? 8 : 63;
  localparam logic [2:0] ST_IDLE = 3'd0, ST_WALK = 3'd1, ST_CO = 3'd2, ST_DIS = 3'd3, ST_END = 3'd4;
  localparam logic [2:0] OK = 3'd0, NO_SPACE = 3'd1, NO_TABLE = 3'd2, WINDOW = 3'd3, MEMORY = 3'd4,
      ALREADY = 3'd5;

  logic [2:0]       state_q, result_q;
  logic             splinter_q, wait_q;      // wait_q: a request was taken, its answer has not come
  logic [26:0]      lfn_q;
  logic [1:0]       level_q;
  logic [PfnW-1:0]  table_q;                 // of the PTE that is read; leaf table
  logic [PaW-1:0]   frame_at_q;
  logic [8:0]       leaf_i_q;

  // ---------------------------------------------------------------- command
  logic            known, sv39, sv48, ext, canonical;
  logic [CtxW-1:0] ctx;
  assign ctx       = asid_i[CtxW-1:0];
  assign known     = 32'(asid_i) < NumAsids;
  assign sv39      = ctx_mode_i[ctx*2 +: 2] == gmmu_pkg::MODE_SV39;
  assign sv48      = ctx_mode_i[ctx*2 +: 2] == gmmu_pkg::MODE_SV48 & VaW == 48;
  assign ext       = ctx_ext_i[ctx];
  assign canonical = sv48 | lfn_i[26:17] == '0 | lfn_i[26:17] == '1;
  assign ready_o   = state_q == ST_IDLE;

  // ---------------------------------------------------------------- the access
  logic [8:0]      index;
  logic [PaW-1:0]  at;
  logic            in_window, answer, denied;
  assign index = level_q == gmmu_pkg::LEVEL_512G ? lfn_q[26:18]
      : level_q == gmmu_pkg::LEVEL_1G ? lfn_q[17:9] : lfn_q[8:0];
  assign at    = state_q == ST_CO ? frame_at_q : {table_q, state_q == ST_WALK ? index : leaf_i_q,
      3'd0};
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_windows (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_walk_i), .first_i(at[PaW-1:12]),
    .last_i(at[PaW-1:12]), .inside_o(in_window)
  );
  assign denied      = state_q != ST_IDLE & state_q != ST_END & !wait_q & !in_window;
  assign req_valid_o = state_q != ST_IDLE & state_q != ST_END & !wait_q & in_window;
  assign req_update_o = state_q != ST_WALK;
  assign req_addr_o   = at;
  assign req_co_o     = state_q == ST_CO;
  assign req_one_o    = !splinter_q;
  assign answer = wait_q & rsp_valid_i;

  // ---------------------------------------------------------------- steps
  logic valid_pointer, is_frame, last_leaf;
  assign valid_pointer = rsp_rdata_i[0] & rsp_rdata_i[3:1] == 3'd0 &
      64'(rsp_rdata_i[53:10]) >> PfnW == '0;
  assign is_frame      = level_q == gmmu_pkg::LEVEL_2M;
  assign last_leaf     = leaf_i_q == 9'd511;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ST_IDLE;
      wait_q  <= 1'b0;
    end else begin
      wait_q <= (req_valid_o & req_ready_i) | (wait_q & !rsp_valid_i);
      case (state_q)
        ST_IDLE: if (valid_i) state_q <= known & (sv39 | sv48) & ext & canonical ? ST_WALK : ST_END;
        ST_WALK: begin
          if (denied | (answer & (rsp_err_i | !valid_pointer))) state_q <= ST_END;
          else if (answer & is_frame)
              state_q <= rsp_rdata_i[CoBit] != splinter_q ? ST_END : splinter_q ? ST_DIS : ST_CO;
        end
        ST_CO:  if (denied | answer) state_q <= splinter_q | denied | rsp_err_i ? ST_END : ST_DIS;
        ST_DIS: if (denied | (answer & (rsp_err_i | last_leaf))) state_q <= denied | rsp_err_i |
            !splinter_q ? ST_END : ST_CO;
        default:  state_q <= ST_IDLE;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i & ready_o) begin
      splinter_q <= splinter_i;
      lfn_q      <= lfn_i;
      level_q    <= sv48 ? gmmu_pkg::LEVEL_512G : gmmu_pkg::LEVEL_1G;
      table_q    <= ctx_root_i[ctx*PfnW +: PfnW];
      leaf_i_q   <= '0;
      result_q   <= !(known & (sv39 | sv48) & ext) ? NO_SPACE : !canonical ? NO_TABLE : OK;
    end else if (denied) begin
      result_q <= WINDOW;
    end else if (answer & rsp_err_i) begin
      result_q <= MEMORY;
    end else if (answer & state_q == ST_WALK) begin
      if (!valid_pointer) result_q <= NO_TABLE;
      else if (is_frame & rsp_rdata_i[CoBit] != splinter_q) result_q <= ALREADY;
      table_q <= rsp_rdata_i[10 +: PfnW];
      level_q <= level_q - 2'd1;
      if (is_frame) frame_at_q <= at;
    end else if (answer & state_q == ST_DIS) begin
      leaf_i_q <= leaf_i_q + 9'd1;
    end
  end
  assign done_o   = state_q == ST_END;
  assign result_o = result_q;
endmodule
`default_nettype wire
