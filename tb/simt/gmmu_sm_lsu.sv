// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_lsu: one memory instruction at a time, from execution until all its accesses are done or
// out (mem_ready_o = 0 meanwhile).
// First the lanes in local memory, all at once; then those in the scratchpad and those in memory, a
// 64-byte line at a time: the line of the lowest lane that remains, with all lanes in it (an
// atomic: this lane alone). Local memory and scratchpad: a cycle for a store (local memory: for
// each word), two for each word of a load and for an atomic, and the wait for a write slot. Memory:
// a burst a cycle (gmmu_sm_bursts). An access out of range or not aligned: an error event, and
// nothing of the instruction is done.
`default_nettype none
module gmmu_sm_lsu #(
  parameter int Lanes        = 32,
  parameter int Warps        = 32,
  parameter int LocalBytes   = 1024,
  parameter int ScratchBytes = 16384,
  parameter int OpW          = 6,
  localparam int WarpW       = Warps > 1 ? $clog2(Warps) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // execution: x_uop_i = 0 brings addresses and data word 0, the next cycles the other data words
  input  logic                x_valid_i,
  input  logic [1:0]          x_uop_i,
  input  logic [2:0]          x_words_i,
  input  logic [WarpW-1:0]    x_warp_i,
  input  logic [Lanes-1:0]    x_mask_i,
  input  logic [31:0]         x_pc_i,
  input  logic [31:0]         x_ir_i,
  input  logic [OpW-1:0]      x_op_i,
  input  logic [Lanes*32-1:0] x_addr_i,
  input  logic [Lanes*32-1:0] x_data_i,
  input  logic [31:0]         x_base_i,     // the block's scratchpad: first byte and size
  input  logic [31:0]         x_size_i,
  output logic                ready_o,
  output logic                close_o,
  output logic [OpW-1:0]      op_o,
  output logic                e_valid_o,
  input  logic                e_taken_i,
  output logic [77:0]         e_o,
  // to gmmu_sm_bursts
  output logic                g_want_o,
  output logic                g_go_o,
  input  logic                g_ready_i,
  output logic [WarpW-1:0]    warp_o,
  output logic [31:0]         pc_o,
  output logic [31:0]         g_addr_o,
  output logic [15:0]         g_words_o,
  output logic                g_write_o,
  output logic                g_atomic_o,
  output logic [1:0]          g_how_o,
  output logic [Lanes-1:0]    g_mask_o,
  output logic [Lanes*6-1:0]  off_o,
  output logic [2:0]          size_o,
  output logic                unsigned_o,
  output logic [4:0]          rd_o,
  output logic [511:0]        g_data_o,
  output logic [63:0]         g_strb_o,
  // what local memory and scratchpad bring: line or own words
  output logic                d_valid_o,
  input  logic                d_taken_i,
  output logic                d_own_o,
  output logic [511:0]        d_line_o,
  output logic [Lanes*32-1:0] d_words_o,
  output logic [1:0]          d_word_o,
  output logic [Lanes-1:0]    d_mask_o
);
  `include "gmmu_sm_ops.svh"
  localparam int LaneW = $clog2(Lanes);
  localparam int LocW  = $clog2(LocalBytes / 4);
  localparam int LAddrW = $clog2(Warps * LocalBytes / 4);
  localparam int ScrLines = ScratchBytes / 64;
  localparam int SAddrW = ScrLines > 1 ? $clog2(ScrLines) : 1;

  // ---------------------------------------------------------------- the instruction
  logic                  valid_q, full_q, ram_data_q;
  logic [Lanes-1:0]      rem_q, loc_q, scr_q, align_q, range_q;
  logic [1:0]            kind_q, how_q, word_q;
  logic [Lanes*32-1:0]   addr_q;
  logic [4*Lanes*32-1:0] data_q;
  logic [1:0]            x_kind, x_how;
  logic [2:0]            x_size;
  always_comb begin
    x_kind = x_ir_i[6:0] == 7'h2f ? M_ATOMIC : x_ir_i[6:0] == 7'h23 ||
        (x_ir_i[6:0] == 7'h2b && x_ir_i[14]) ? M_STORE : M_LOAD;
    x_how  = x_ir_i[31:27] == 5'd0 ? A_ADD : x_ir_i[31:27] == 5'd1 ? A_SWAP : A_CAS;
    x_size = x_ir_i[6:0] == 7'h2b ? (x_ir_i[12] ? 3'd4 : 3'd3) : {1'b0, x_ir_i[13:12]};
  end
  logic [Lanes-1:0]    x_loc, x_scr, x_align, x_range;
  logic [Lanes*32-1:0] x_addr;
  always_comb begin : look
    logic [31:0] a;
    x_loc   = '0;
    x_scr   = '0;
    x_align = '0;
    x_range = '0;
    x_addr  = x_addr_i;
    a       = '0;
    if (x_valid_i && x_uop_i == 2'd0) begin
      for (int l = 0; l < Lanes; l++) begin
        a          = x_addr_i[l*32 +: 32];
        x_loc[l]   = a[31:28] == 4'hf;
        x_scr[l]   = a[31:28] == 4'he;
        x_align[l] = |(a[3:0] & ((4'd1 << x_size) - 4'd1));
        x_range[l] = (x_loc[l] && a[27:0] >= 28'(LocalBytes)) ||
            (x_scr[l] && {4'd0, a[27:0]} >= x_size_i);
        if (x_scr[l]) x_addr[l*32 +: 32] = {4'd0, a[27:0]} + x_base_i;
      end
    end
  end

  // ---------------------------------------------------------------- the lanes of this cycle
  logic             act, bad, in_loc, in_scr, in_mem;
  logic [Lanes-1:0] some, group;
  logic [LaneW-1:0] lead;
  logic [31:0]      lead_addr;
  assign act    = valid_q && full_q;
  assign bad    = act && |((align_q | range_q) & rem_q);
  assign in_loc = act && !bad && |(rem_q & loc_q);
  assign in_scr = act && !bad && !in_loc && |(rem_q & scr_q);
  assign in_mem = act && !bad && !in_loc && !in_scr && |rem_q;
  assign some   = in_loc ? rem_q & loc_q : in_scr ? rem_q & scr_q : rem_q;
  always_comb begin : choose
    logic [3:0] w;
    lead      = '0;
    lead_addr = '0;
    group     = some;
    g_words_o = '0;
    w         = '0;
    if (act) begin
      for (int l = Lanes - 1; l >= 0; l--) if (some[l]) lead = LaneW'(l);
      lead_addr = addr_q[lead*32 +: 32];
      if (!in_loc) begin
        for (int l = 0; l < Lanes; l++) begin
          group[l] = some[l] && addr_q[l*32 + 6 +: 26] == lead_addr[31:6] &&
              (kind_q != M_ATOMIC || LaneW'(l) == lead);
          if (group[l]) begin
            w = addr_q[l*32 + 2 +: 4];
            if (size_o == 3'd4) g_words_o[{w[3:2], 2'd0} +: 4] = 4'hf;
            else if (size_o == 3'd3) g_words_o[{w[3:1], 1'd0} +: 2] = 2'h3;
            else g_words_o[w] = 1'b1;
          end
        end
      end
    end
  end

  logic last_word, go_d, turn_done, group_done, store_step;
  assign last_word  = word_q == (size_o == 3'd4 ? 2'd3 : size_o == 3'd3 ? 2'd1 : 2'd0);
  assign go_d       = (in_loc || in_scr) && kind_q != M_STORE && !ram_data_q;       // read the RAM
  assign d_valid_o  = (in_loc || in_scr) && ram_data_q;
  assign store_step = (in_loc || in_scr) && kind_q == M_STORE;
  assign turn_done  = d_valid_o && d_taken_i;
  assign group_done = (turn_done && last_word) || (store_step && (in_scr || last_word)) || g_go_o;
  assign g_want_o   = in_mem;
  assign g_go_o     = in_mem && g_ready_i;
  assign e_valid_o  = bad;
  assign close_o    = (bad && e_taken_i) || (group_done && rem_q == group);
  assign ready_o    = !(x_valid_i) && (!valid_q || close_o);

  always_ff @(posedge clk_i) begin
    if (x_valid_i && x_uop_i == 2'd0) begin
      warp_o     <= x_warp_i;
      rem_q      <= x_mask_i;
      loc_q      <= x_loc;
      scr_q      <= x_scr;
      align_q    <= x_align;
      range_q    <= x_range;
      pc_o       <= x_pc_i;
      op_o       <= x_op_i;
      rd_o       <= x_ir_i[11:7];
      kind_q     <= x_kind;
      how_q      <= x_how;
      size_o     <= x_size;
      unsigned_o <= x_ir_i[14];
      addr_q     <= x_addr;
    end else if (group_done) begin
      rem_q <= rem_q & ~group;
    end
    if (x_valid_i) begin
      case (x_uop_i)
        2'd0: data_q[0 +: Lanes*32] <= x_data_i;
        2'd1: data_q[Lanes*32 +: Lanes*32] <= x_data_i;
        2'd2: data_q[2*Lanes*32 +: Lanes*32] <= x_data_i;
        default: data_q[3*Lanes*32 +: Lanes*32] <= x_data_i;
      endcase
      full_q <= {1'b0, x_uop_i} + 3'd1 == x_words_i;
    end
    if (!rst_ni) begin
      valid_q    <= 1'b0;
      ram_data_q <= 1'b0;
      word_q     <= 2'd0;
    end else begin
      if (x_valid_i) valid_q <= 1'b1;
      else if (close_o) valid_q <= 1'b0;
      if (go_d) ram_data_q <= 1'b1;
      else if (turn_done) ram_data_q <= 1'b0;
      if (group_done) word_q <= 2'd0;
      else if (turn_done || store_step) word_q <= word_q + 2'd1;
    end
  end

  // ---------------------------------------------------------------- errors
  logic [4:0] e_lane;
  always_comb begin : first_bad
    logic [Lanes-1:0] which;
    which  = (|(align_q & rem_q) ? align_q : range_q) & rem_q;
    e_lane = 5'd0;
    if (bad) for (int l = Lanes - 1; l >= 0; l--) if (which[l]) e_lane = 5'(l);
  end
  // addr_q of a lane in the scratchpad is the place in the RAM: the address again.
  logic [31:0] e_addr;
  logic [31:0] base_q;
  always_ff @(posedge clk_i) if (x_valid_i && x_uop_i == 2'd0) base_q <= x_base_i;
  always_comb begin
    e_addr = addr_q[e_lane[LaneW-1:0]*32 +: 32];
    if (scr_q[e_lane[LaneW-1:0]]) e_addr = (e_addr - base_q) | 32'he0000000;
  end
  assign e_o = {|(align_q & rem_q) ? E_ALIGN : E_RANGE, e_lane, 5'(warp_o), e_addr, pc_o};

  // ---------------------------------------------------------------- data
  logic [511:0]            p_line;
  logic [63:0]             p_strb;
  logic [Lanes*32-1:0]     l_rdata, l_wdata;
  logic [Lanes*4-1:0]      l_strb;
  logic [Lanes*LAddrW-1:0] l_addr;
  logic [511:0]            s_rdata;
  logic [31:0]             s_old, s_new;
  gmmu_sm_pack #(.Lanes(Lanes)) u_pack (
    .en_i(act && !in_loc && kind_q != M_LOAD), .group_i(group), .addr_i(addr_q), .data_i(data_q),
    .size_i(size_o), .cas_i(kind_q == M_ATOMIC && how_q == A_CAS), .line_o(p_line), .strb_o(p_strb)
  );
  assign s_old = s_rdata[{lead_addr[5:2], 5'd0} +: 32];
  always_comb begin
    s_new = data_q[lead*32 +: 32];
    if (how_q == A_ADD) s_new = s_new + s_old;
    if (how_q == A_CAS && s_old != data_q[Lanes*32 + lead*32 +: 32]) s_new = s_old;
  end
  gmmu_sm_scratch #(.Lines(ScrLines)) u_scratch (
    .clk_i, .re_i(in_scr && go_d),
    .we_i(in_scr && (store_step || (kind_q == M_ATOMIC && turn_done))),
    .addr_i(SAddrW'(lead_addr[31:6])),
    .strb_i(kind_q == M_ATOMIC ? 64'hf << {lead_addr[5:2], 2'd0} : p_strb),
    .wdata_i(kind_q == M_ATOMIC ? {16{s_new}} : p_line), .rdata_o(s_rdata)
  );
  always_comb begin : local_side
    logic [31:0] w, old;
    logic [1:0]  b;
    l_addr  = '0;
    l_wdata = '0;
    l_strb  = '0;
    w       = '0;
    old     = '0;
    b       = '0;
    if (in_loc) begin
      for (int l = 0; l < Lanes; l++) begin
        b = addr_q[l*32 +: 2];
        w = data_q[word_q*Lanes*32 + l*32 +: 32];
        l_addr[l*LAddrW +: LAddrW] = LAddrW'({warp_o, addr_q[l*32 + 2 +: LocW] | LocW'(word_q)});
        if (kind_q == M_ATOMIC) begin
          old = l_rdata[l*32 +: 32];
          if (how_q == A_ADD) w = w + old;
          if (how_q == A_CAS && old != data_q[Lanes*32 + l*32 +: 32]) w = old;
        end
        l_wdata[l*32 +: 32] = size_o == 3'd0 ? {4{w[7:0]}} : size_o == 3'd1 ? {2{w[15:0]}} : w;
        l_strb[l*4 +: 4]    = size_o == 3'd0 ? 4'd1 << b : size_o == 3'd1 ? 4'd3 << b : 4'hf;
      end
    end
  end
  gmmu_sm_local #(.Lanes(Lanes), .Words(Warps * LocalBytes / 4)) u_local (
    .clk_i, .re_i(in_loc && go_d),
    .we_i(in_loc && (store_step || (kind_q == M_ATOMIC && turn_done))), .mask_i(group),
    .addr_i(l_addr), .strb_i(l_strb), .wdata_i(l_wdata), .rdata_o(l_rdata)
  );
  always_comb begin
    off_o = '0;
    if (act) for (int l = 0; l < Lanes; l++) off_o[l*6 +: 6] = addr_q[l*32 +: 6];
  end
  assign d_own_o    = in_loc;
  assign d_line_o   = s_rdata;
  assign d_words_o  = l_rdata;
  assign d_word_o   = word_q;
  assign d_mask_o   = group;
  assign g_addr_o   = lead_addr;
  assign g_write_o  = kind_q != M_LOAD;
  assign g_atomic_o = kind_q == M_ATOMIC;
  assign g_how_o    = how_q;
  assign g_mask_o   = group;
  assign g_data_o   = p_line;
  assign g_strb_o   = p_strb;
endmodule
`default_nettype wire
