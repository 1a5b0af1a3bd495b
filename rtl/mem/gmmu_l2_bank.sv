// SPDX-License-Identifier: Apache-2.0
// gmmu_l2_bank: one bank of the shared L2 cache: set-associative, true LRU, non-blocking,
// write-back for data; a port for translations (t_) and one for data (d_). Rules and cycles:
// docs/l2_cache.md. Source: MASK section 5.3 and table 1.
//
// Addresses are numbers of lines inside the channel. Memory is read and written in pieces of PieceB
// bytes; a piece comes back (back_) with the id of its read and is always accepted. Answers:
// translations get the piece, data the line.
// Legal: Sets and Ways powers of two from 2 on; LineB is PieceB or twice that; Mshrs 2..64; Waiters
// 1..16; Latency >= 4; slots 1..64, AnswerSlots at least Latency for a hit a cycle.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2_bank #(
  parameter int Sets        = 64,
  parameter int Ways        = 16,
  parameter int LineB       = 128,
  parameter int PieceB      = 64,
  parameter int LineW       = 34,   // bits of a line number
  parameter int Mshrs       = 64,
  parameter int Waiters     = 4,
  parameter int MemSlots    = 4,
  parameter int AnswerSlots = 16,
  parameter int BypassSlots = 8,
  parameter int Latency     = 10,
  parameter bit Linear      = 1'b0, // set not hashed
  parameter int TIdW        = 6,
  parameter int DIdW        = 12,
  parameter int AppW        = 3,
  localparam int Beats      = LineB / PieceB,
  localparam int MshrW      = gmmu_pkg::idx_w(Mshrs),
  localparam int IdW        = TIdW > MshrW ? TIdW : MshrW,
  localparam int MemIdW     = IdW + 2,   // {bypassed, piece, id}
  localparam int WayW       = gmmu_pkg::idx_w(Ways)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [7:0]          bypass_i,      // of each depth
  // translations
  input  logic                t_valid_i,
  output logic                t_ready_o,
  input  logic [LineW-1:0]    t_line_i,
  input  logic                t_beat_i,      // piece of the line
  input  logic [2:0]          t_depth_i,     // 1..7
  input  logic                t_we_i,        // an 8-byte PTE is written
  input  logic [2:0]          t_word_i,      // in its piece
  input  logic [63:0]         t_wdata_i,
  input  logic [TIdW-1:0]     t_id_i,
  output logic                t_rsp_valid_o,
  input  logic                t_rsp_ready_i,
  output logic [TIdW-1:0]     t_rsp_id_o,
  output logic [PieceB*8-1:0] t_rsp_data_o,
  // data
  input  logic                d_valid_i,
  output logic                d_ready_o,
  input  logic [LineW-1:0]    d_line_i,
  input  logic                d_we_i,
  input  logic [LineB-1:0]    d_mask_i,
  input  logic [LineB*8-1:0]  d_wdata_i,
  input  logic [AppW-1:0]     d_app_i,
  input  logic [DIdW-1:0]     d_id_i,
  output logic                d_rsp_valid_o,
  input  logic                d_rsp_ready_i,
  output logic [DIdW-1:0]     d_rsp_id_o,
  output logic [LineB*8-1:0]  d_rsp_data_o,
  // memory: translations' queue and data's
  output logic                tm_valid_o,
  input  logic                tm_ready_i,
  output logic [LineW-1:0]    tm_line_o,
  output logic                tm_beat_o,
  output logic                tm_we_o,
  output logic [PieceB-1:0]   tm_mask_o,
  output logic [PieceB*8-1:0] tm_data_o,
  output logic [MemIdW-1:0]   tm_id_o,
  output logic                dm_valid_o,
  input  logic                dm_ready_i,
  output logic [LineW-1:0]    dm_line_o,
  output logic                dm_beat_o,
  output logic                dm_we_o,
  output logic [PieceB*8-1:0] dm_data_o,
  output logic [AppW-1:0]     dm_app_o,
  output logic [MemIdW-1:0]   dm_id_o,
  input  logic                back_valid_i,
  input  logic [MemIdW-1:0]   back_id_i,
  input  logic [PieceB*8-1:0] back_data_i,
  // for gmmu_l2_bypass
  output logic                access_o,
  output logic                hit_o,
  output logic [2:0]          depth_o,
  // observation: {way of a fill, writes back, fill, way of a hit, outcome, data port, decided}
  output logic [2*WayW+6:0]   obs_o
);
  localparam int SetW  = $clog2(Sets);
  localparam int TagW  = LineW - SetW;
  localparam int AgeW  = Ways * WayW;
  localparam int LineBits = LineB * 8;
  localparam int PieceBits = PieceB * 8;
  localparam int CntW  = gmmu_pkg::idx_w(Waiters + 1);
  localparam int WIdW  = TIdW > DIdW ? TIdW : DIdW;
  // Outcomes of stage B.
  localparam logic [2:0] WAITS = 3'd0;
  localparam logic [2:0] HIT   = 3'd1;
  localparam logic [2:0] MISS  = 3'd2;
  localparam logic [2:0] JOINS = 3'd3;
  localparam logic [2:0] AROUND = 3'd4;
  localparam logic [2:0] PTE_WRITE = 3'd5;

  if (Beats < 1 || Beats > 2 || LineB != Beats * PieceB || Mshrs < 2 || Mshrs > 64 || Waiters < 1
      || Waiters > 16 || Latency < 4 ||
      Sets < 2 || Ways < 2 || (1 << SetW) != Sets || (1 << WayW) != Ways) begin : gen_bad
    gmmu_l2_bank_parameters_out_of_range u_bad();
  end

  `include "gmmu_set_lru.svh"
  localparam logic [AgeW-1:0] RESET_AGES = reset_ages();

  // ---------------------------------------------------------------- requests: four places per port
  localparam int TReqW = LineW + 1 + 3 + 1 + 3 + 64 + TIdW;
  localparam int DReqW = LineW + 1 + LineB + LineBits + AppW + DIdW;
  logic [TReqW-1:0] t_mem [0:3];
  logic [DReqW-1:0] d_mem [0:3];
  logic [1:0]       t_rd_q, t_wr_q, d_rd_q, d_wr_q, t_next, d_next;
  logic [2:0]       t_n_q, d_n_q;
  logic             t_pop, d_pop;
  logic [TReqW-1:0] t_head, t_cand;
  logic [DReqW-1:0] d_head, d_cand;
  logic [LineW-1:0] t_line, d_line, t_cand_line, d_cand_line;
  logic             t_beat, t_we, d_we;
  logic [2:0]       t_depth, t_word;
  logic [63:0]      t_wdata;
  logic [TIdW-1:0]  t_id;
  logic [LineB-1:0] d_mask;
  logic [LineBits-1:0] d_wdata;
  logic [AppW-1:0]  d_app;
  logic [DIdW-1:0]  d_id;
  assign t_ready_o = !t_n_q[2];
  assign d_ready_o = !d_n_q[2];
  assign t_head = t_mem[t_rd_q];
  assign d_head = d_mem[d_rd_q];
  assign {t_line, t_beat, t_depth, t_we, t_word, t_wdata, t_id} = t_head;
  assign {d_line, d_we, d_mask, d_wdata, d_app, d_id} = d_head;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      t_rd_q <= '0;
      t_wr_q <= '0;
      t_n_q  <= '0;
      d_rd_q <= '0;
      d_wr_q <= '0;
      d_n_q  <= '0;
    end else begin
      t_rd_q <= t_rd_q + 2'(t_pop);
      t_wr_q <= t_wr_q + 2'(t_valid_i && t_ready_o);
      t_n_q  <= t_n_q + 3'(t_valid_i && t_ready_o) - 3'(t_pop);
      d_rd_q <= d_rd_q + 2'(d_pop);
      d_wr_q <= d_wr_q + 2'(d_valid_i && d_ready_o);
      d_n_q  <= d_n_q + 3'(d_valid_i && d_ready_o) - 3'(d_pop);
    end
  end
  always_ff @(posedge clk_i) begin
    if (t_valid_i && t_ready_o)
        t_mem[t_wr_q] <= {t_line_i, t_beat_i, t_depth_i, t_we_i, t_word_i, t_wdata_i, t_id_i};
    if (d_valid_i && d_ready_o)
        d_mem[d_wr_q] <= {d_line_i, d_we_i, d_mask_i, d_wdata_i, d_app_i, d_id_i};
  end

  // ---------------------------------------------------------------- stage A
  logic               b_valid_q, b_data_q, last_data_q, f1_q, f2_q, serving_q;
  logic               t_can, d_can, look, look_data, fill_start, b_waits;
  logic [MshrW-1:0]   fill_q, fill_which;
  logic [LineW-1:0]   a_line;
  logic [Mshrs-1:0]   finished;
  logic               wb_room;
  assign t_can      = t_n_q > 3'(b_valid_q && !b_data_q);
  assign d_can      = d_n_q > 3'(b_valid_q && b_data_q);
  assign t_next     = t_rd_q + 2'(b_valid_q && !b_data_q);
  assign d_next     = d_rd_q + 2'(b_valid_q && b_data_q);
  assign t_cand     = t_mem[t_next];
  assign d_cand     = d_mem[d_next];
  assign t_cand_line = t_cand[TReqW-1 -: LineW];
  assign d_cand_line = d_cand[DReqW-1 -: LineW];
  assign fill_start = !f1_q && !f2_q && !serving_q && wb_room && finished != '0;
  assign look       = !fill_start && !f1_q && (t_can || d_can);
  assign look_data  = d_can && (!last_data_q || !t_can);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q   <= 1'b0;
      last_data_q <= 1'b1;
      f1_q        <= 1'b0;
      f2_q        <= 1'b0;
    end else begin
      b_valid_q <= look && !(b_waits && look_data == b_data_q);
      f1_q      <= fill_start;
      f2_q      <= f1_q;
      if (look) last_data_q <= look_data;
    end
  end
  always_ff @(posedge clk_i) begin
    if (look) b_data_q <= look_data;
    if (fill_start) fill_q <= fill_which;
  end

  // ---------------------------------------------------------------- tags, order
  logic [Ways-1:0]    valid_q [0:Sets-1];
  logic [Ways-1:0]    dirty_q [0:Sets-1];
  logic [AgeW-1:0]    age_q   [0:Sets-1];
  // the set was ever written; before it is empty, way 0 the least recent
  logic [Sets-1:0]    init_q;
  logic [SetW-1:0]    set, a_set, a_hash, b_hash, victim_hash;
  logic [LineW-1:0]   b_line, fill_line;
  logic [TagW-1:0]    tag [0:Ways-1];
  logic [Ways-1:0]    match, set_valid, set_dirty;
  logic [AgeW-1:0]    set_ages;
  logic               hit, touch, drop, victim_dirty;
  logic [WayW-1:0]    hit_way, victim, way;
  logic [TagW-1:0]    victim_tag;
  assign a_set  = a_line[SetW-1:0] ^ (a_hash & {SetW{!Linear}});
  assign a_line = fill_start ? fill_line : look_data ? d_cand_line : t_cand_line;
  for (genvar w = 0; w < Ways; w++) begin : gen_tag
    gmmu_ram #(.Width(TagW), .Depth(Sets)) u_tag (
      .clk_i, .we_i(f1_q && victim == WayW'(w)), .waddr_i(set), .wdata_i(b_line[LineW-1:SetW]),
      .re_i(look || fill_start), .raddr_i(a_set), .rdata_o(tag[w])
    );
  end
  logic [Mshrs*LineW-1:0] line_q;
  assign b_line    = f1_q ? line_q[fill_q*LineW +: LineW] : b_data_q ? d_line : t_line;
  // set: lowest bits of the line, and a hash of its tag
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_b_hash (.v_i(b_line[LineW-1:SetW]), .hash_o(b_hash));
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_a_hash (.v_i(a_line[LineW-1:SetW]), .hash_o(a_hash));
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_victim_hash (.v_i(victim_tag), .hash_o(victim_hash));
  assign set       = b_line[SetW-1:0] ^ (b_hash & {SetW{!Linear}});
  assign set_valid = init_q[set] ? valid_q[set] : '0;
  assign set_dirty = dirty_q[set];
  assign set_ages  = init_q[set] ? age_q[set] : RESET_AGES;
  always_comb begin
    victim = '0;
    for (int w = 0; w < Ways; w++) if (set_ages[w*WayW +: WayW] == WayW'(Ways - 1))
        victim = WayW'(w);
    for (int w = Ways - 1; w >= 0; w--) if (!set_valid[w]) victim = WayW'(w);
  end
  always_comb begin
    hit_way    = '0;
    victim_tag = '0;
    for (int w = 0; w < Ways; w++) begin
      match[w] = set_valid[w] && tag[w] == b_line[LineW-1:SetW];
      hit_way  = hit_way | (WayW'(w) & {WayW{match[w]}});
      victim_tag = victim_tag | (tag[w] & {TagW{victim == WayW'(w)}});
    end
  end
  assign hit          = match != '0;
  assign way          = f1_q ? victim : hit_way;
  assign victim_dirty = f1_q && set_valid[victim] && set_dirty[victim];
  logic [Mshrs-1:0] write_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) init_q <= '0;
    else if (touch || f1_q || drop) init_q[set] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (touch || f1_q || drop) begin
      age_q[set]   <= drop ? set_ages : touched(set_ages, way);
      valid_q[set] <= f1_q ? set_valid | (Ways'(1) << victim)
          : drop ? set_valid & ~match : set_valid;
      if (f1_q)
          dirty_q[set] <= write_q[fill_q] ? set_dirty | (Ways'(1) << victim) : set_dirty
          & ~(Ways'(1) << victim);
      else if (touch && b_data_q && d_we) dirty_q[set] <= set_dirty | match;
    end
  end

  // ---------------------------------------------------------------- MSHRs
  logic [Mshrs-1:0]               busy_q, fetching_q, on_way;
  logic [Mshrs*Beats-1:0]         got_q;
  logic [Mshrs*CntW-1:0]          n_q;
  logic [Mshrs*AppW-1:0]          app_q;
  logic [Mshrs*Waiters-1:0]       w_data_q;
  logic [Mshrs*Waiters*WIdW-1:0]  w_id_q;
  logic [Mshrs*Waiters-1:0]       w_beat_q;
  logic                           some_free, two_free;
  logic [MshrW-1:0]               free_which, way_which, serve_q;
  logic [CntW-1:0]                served_q, serve_n;
  logic                           pending, pending_write, pending_full, alloc, full, join_it,
      server_push, server_last, b_data, b_we;
  logic [WIdW-1:0]                b_id;
  logic                           back_around, back_beat;
  logic [IdW-1:0]                 back_id;
  assign {back_around, back_beat, back_id} = back_id_i;
  assign b_data = b_data_q;
  assign b_we   = b_data ? d_we : t_we;
  assign b_id   = b_data ? WIdW'(d_id) : WIdW'(t_id);
  always_comb begin
    free_which = '0;
    fill_which = '0;
    way_which  = '0;
    for (int m = Mshrs - 1; m >= 0; m--) begin
      on_way[m]   = fetching_q[m] && line_q[m*LineW +: LineW] == b_line;
      finished[m] = fetching_q[m] && (&got_q[m*Beats +: Beats]);
      if (!busy_q[m]) free_which = MshrW'(m);
      if (finished[m]) fill_which = MshrW'(m);
      if (on_way[m]) way_which = MshrW'(m);
    end
  end
  assign some_free     = !(&busy_q);
  assign two_free      = (~busy_q & (~busy_q - Mshrs'(1))) != '0;
  assign fill_line     = line_q[fill_which*LineW +: LineW];
  assign pending       = on_way != '0;
  assign pending_write = write_q[way_which];
  assign pending_full  = n_q[way_which*CntW +: CntW] == CntW'(Waiters);

  // ---------------------------------------------------------------- stage B
  logic [2:0] outcome;
  logic       tq_room, ans_room_t, ans_room_d, around_room, around, t_to_mem;
  assign around = !b_data && !t_we && bypass_i[t_depth];
  always_comb begin
    outcome = WAITS;
    if (b_valid_q) begin
      if (around) begin
        if (around_room && tq_room) outcome = AROUND;
      end else if (!b_data && t_we) begin
        if (!pending && tq_room) outcome = PTE_WRITE;
      end else if (pending) begin
        if (!b_we && !pending_write && !pending_full) outcome = JOINS;
      end else if (hit) begin
        if (b_we || (b_data ? ans_room_d : ans_room_t)) outcome = HIT;
      end else begin
        if (b_data ? two_free : (some_free && tq_room)) outcome = MISS;
      end
    end
  end
  assign b_waits  = b_valid_q && outcome == WAITS;
  assign t_pop    = b_valid_q && !b_data && outcome != WAITS;
  assign d_pop    = b_valid_q && b_data && outcome != WAITS;
  assign touch    = outcome == HIT;
  assign drop     = outcome == PTE_WRITE && hit;
  assign alloc    = outcome == MISS;
  assign full     = b_we && (&d_mask);  // nothing of the line is needed from memory
  assign join_it  = outcome == JOINS;
  assign t_to_mem = outcome == AROUND || outcome == PTE_WRITE || (alloc && !b_data);
  assign access_o = outcome == HIT || outcome == MISS || outcome == JOINS;
  assign hit_o    = outcome == HIT;
  assign depth_o  = b_data ? 3'd0 : t_depth;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      fetching_q <= '0;
    end else begin
      if (alloc) begin
        busy_q[free_which]     <= 1'b1;
        fetching_q[free_which] <= 1'b1;
      end
      if (f1_q) fetching_q[fill_q] <= 1'b0;
      if (f2_q && n_q[fill_q*CntW +: CntW] == '0) busy_q[fill_q] <= 1'b0;
      if (server_push && server_last) busy_q[serve_q] <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (alloc) begin
      line_q[free_which*LineW +: LineW] <= b_line;
      write_q[free_which]               <= b_we;
      app_q[free_which*AppW +: AppW]    <= b_data ? d_app : '0;
      got_q[free_which*Beats +: Beats]  <= {Beats{full}};
      n_q[free_which*CntW +: CntW]      <= b_we ? '0 : CntW'(1);
      w_data_q[free_which*Waiters]      <= b_data;
      w_beat_q[free_which*Waiters]      <= t_beat;
      w_id_q[free_which*Waiters*WIdW +: WIdW] <= b_id;
    end
    if (join_it) begin
      n_q[way_which*CntW +: CntW] <= n_q[way_which*CntW +: CntW] + CntW'(1);
      w_data_q[way_which*Waiters + 32'(n_q[way_which*CntW +: CntW])] <= b_data;
      w_beat_q[way_which*Waiters + 32'(n_q[way_which*CntW +: CntW])] <= t_beat;
      w_id_q[(way_which*Waiters + 32'(n_q[way_which*CntW +: CntW]))*WIdW +: WIdW] <= b_id;
    end
    if (back_valid_i && !back_around)
        got_q[32'(back_id[MshrW-1:0])*Beats + (Beats == 1 ? 0 : 32'(back_beat))] <= 1'b1;
  end

  // ----------------------------------------------------------- the lines, and those that come back
  logic [LineBits-1:0] read_line, back_line, write_line, new_line, serve_line_q;
  logic [LineB-1:0]    write_mask;
  logic [SetW-1:0]     fill_set_q;
  logic [WayW-1:0]     fill_way_q;
  gmmu_ram_be #(.Bytes(LineB), .Depth(Sets * Ways)) u_lines (
    .clk_i, .we_i(f2_q ? {LineB{1'b1}} : {LineB{touch && b_data && d_we}} & d_mask),
    .waddr_i(f2_q ? {fill_set_q, fill_way_q} : {set, way}),
    .wdata_i(f2_q ? new_line : d_wdata), .re_i((touch && !b_we) || f1_q), .raddr_i({set, way}),
    .rdata_o(read_line)
  );
  for (genvar k = 0; k < Beats; k++) begin : gen_piece
    gmmu_ram #(.Width(PieceBits), .Depth(Mshrs)) u_back (
      .clk_i, .we_i(back_valid_i && !back_around && (Beats == 1 || back_beat == 1'(k))),
      .waddr_i(back_id[MshrW-1:0]),
      .wdata_i(back_data_i), .re_i(fill_start), .raddr_i(fill_which),
      .rdata_o(back_line[k*PieceBits +: PieceBits])
    );
  end
  gmmu_ram #(.Width(LineB + LineBits), .Depth(Mshrs)) u_write (
    .clk_i, .we_i(alloc && b_we), .waddr_i(free_which), .wdata_i({d_mask, d_wdata}),
    .re_i(fill_start), .raddr_i(fill_which),
    .rdata_o({write_mask, write_line})
  );
  always_comb begin
    for (int i = 0; i < LineB; i++)
      new_line[i*8 +: 8] = write_q[fill_q] && write_mask[i] ? write_line[i*8 +: 8]
          : back_line[i*8 +: 8];
  end
  logic             wb_q;
  logic [LineW-1:0] wb_line_q;
  always_ff @(posedge clk_i) begin
    if (f1_q) begin
      fill_set_q <= set;
      fill_way_q <= victim;
      wb_q       <= victim_dirty;
      wb_line_q  <= {victim_tag, set ^ (victim_hash & {SetW{!Linear}})};
    end
    if (f2_q) serve_line_q <= new_line;
  end

  // ---------------------------------------------------------------- answers
  // Serving the waiters of the line that was filled last.
  logic             c_valid_q, c_data_q, c_beat_q;
  logic [WIdW-1:0]  c_id_q, s_id;
  logic             s_data, s_beat, b_takes_t, b_takes_d;
  assign serve_n     = n_q[serve_q*CntW +: CntW];
  assign s_data      = w_data_q[serve_q*Waiters + 32'(served_q)];
  assign s_beat      = w_beat_q[serve_q*Waiters + 32'(served_q)];
  assign s_id        = w_id_q[(serve_q*Waiters + 32'(served_q))*WIdW +: WIdW];
  assign b_takes_t   = touch && !b_data;
  assign b_takes_d   = touch && b_data && !d_we;
  assign server_last = served_q + CntW'(1) == serve_n;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      serving_q <= 1'b0;
      c_valid_q <= 1'b0;
    end else begin
      c_valid_q <= b_takes_t || b_takes_d;
      if (f2_q) serving_q <= n_q[fill_q*CntW +: CntW] != '0;
      else if (server_push && server_last) serving_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    c_data_q <= b_data;
    c_beat_q <= t_beat;
    c_id_q   <= b_id;
    if (f2_q) begin
      serve_q  <= fill_q;
      served_q <= '0;
    end else if (server_push) begin
      served_q <= served_q + CntW'(1);
    end
  end

  // Queue of each port. used: places that hold an answer or are promised to a hit on its way.
  localparam int SlotW = $clog2(AnswerSlots + 1);
  logic [SlotW-1:0]     t_used_q, d_used_q;
  logic                 t_push, d_push, t_hit_push, d_hit_push, t_ripe, d_ripe, t_leave, d_leave,
      s_t, s_d;
  logic [PieceBits-1:0] t_push_data, t_ans_data, t_read_piece, t_serve_piece;
  logic [LineBits-1:0]  d_ans_data;
  logic [TIdW-1:0]      t_ans_id;
  logic [DIdW-1:0]      d_ans_id;
  assign ans_room_t  = t_used_q != SlotW'(AnswerSlots);
  assign ans_room_d  = d_used_q != SlotW'(AnswerSlots);
  assign t_hit_push  = c_valid_q && !c_data_q;
  assign d_hit_push  = c_valid_q && c_data_q;
  assign s_t         = serving_q && !s_data && !t_hit_push
      && 32'(t_used_q) + 32'(b_takes_t) < AnswerSlots;
  assign s_d         = serving_q && s_data && !d_hit_push
      && 32'(d_used_q) + 32'(b_takes_d) < AnswerSlots;
  assign server_push = s_t || s_d;
  assign t_push      = t_hit_push || s_t;
  assign d_push      = d_hit_push || s_d;
  assign t_read_piece  = Beats == 1 || !c_beat_q ? read_line[PieceBits-1:0]
      : read_line[LineBits-1 -: PieceBits];
  assign t_serve_piece = Beats == 1 || !s_beat ? serve_line_q[PieceBits-1:0]
      : serve_line_q[LineBits-1 -: PieceBits];
  assign t_push_data   = t_hit_push ? t_read_piece : t_serve_piece;
  gmmu_l2_answers #(.Width(TIdW + PieceBits), .Slots(AnswerSlots),
      .Delay(Latency - 4)) u_t_answers (
    .clk_i, .rst_ni, .push_i(t_push),
    .data_i({t_hit_push ? c_id_q[TIdW-1:0] : s_id[TIdW-1:0], t_push_data}),
    .pop_i(t_leave), .ripe_o(t_ripe), .data_o({t_ans_id, t_ans_data})
  );
  gmmu_l2_answers #(.Width(DIdW + LineBits), .Slots(AnswerSlots), .Delay(Latency - 4)) u_d_answers (
    .clk_i, .rst_ni, .push_i(d_push),
    .data_i({d_hit_push ? c_id_q[DIdW-1:0] : s_id[DIdW-1:0], d_hit_push ? read_line
    : serve_line_q}),
    .pop_i(d_leave), .ripe_o(d_ripe), .data_o({d_ans_id, d_ans_data})
  );
  // Reads that went around the cache: their own queue, first at the port; an answer that is offered
  // stays.
  localparam int AroundW = $clog2(BypassSlots + 1);
  logic [AroundW-1:0]   around_used_q;
  logic                 around_have, around_leave, hold_q, from_around;
  logic [TIdW-1:0]      around_id;
  logic [PieceBits-1:0] around_data;
  gmmu_fifo #(.Width(TIdW + PieceBits), .Depth(BypassSlots)) u_around (
    .clk_i, .rst_ni, .push_i(back_valid_i && back_around),
    .data_i({back_id[TIdW-1:0], back_data_i}), .pop_i(around_leave),
    .valid_o(around_have), .data_o({around_id, around_data}), .count_o()
  );
  assign around_room   = around_used_q != AroundW'(BypassSlots);
  assign from_around   = around_have && !hold_q;
  assign t_rsp_valid_o = from_around || t_ripe;
  assign t_rsp_id_o    = from_around ? around_id : t_ans_id;
  assign t_rsp_data_o  = from_around ? around_data : t_ans_data;
  assign around_leave  = from_around && t_rsp_ready_i;
  assign t_leave       = !from_around && t_ripe && t_rsp_ready_i;
  assign d_rsp_valid_o = d_ripe;
  assign d_rsp_id_o    = d_ans_id;
  assign d_rsp_data_o  = d_ans_data;
  assign d_leave       = d_ripe && d_rsp_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      t_used_q      <= '0;
      d_used_q      <= '0;
      around_used_q <= '0;
      hold_q        <= 1'b0;
    end else begin
      t_used_q      <= t_used_q + SlotW'(b_takes_t) + SlotW'(s_t) - SlotW'(t_leave);
      d_used_q      <= d_used_q + SlotW'(b_takes_d) + SlotW'(s_d) - SlotW'(d_leave);
      around_used_q <= around_used_q + AroundW'(outcome == AROUND) - AroundW'(around_leave);
      hold_q        <= t_rsp_valid_o && !t_rsp_ready_i && !from_around;
    end
  end

  // ---------------------------------------------------------------- to memory: translations
  localparam int MemCntW = $clog2(MemSlots + 1);
  logic [MemCntW-1:0] tq_count, wb_count;
  logic               tq_have, tq_pop, tm_fetch, tm_beat, tm_sent_q, tm_last;
  logic [2:0]         tm_word;
  logic [63:0]        tm_wdata;
  logic [IdW-1:0]     tm_id;
  logic               tm_around;
  gmmu_fifo #(.Width(LineW + 1 + 1 + 1 + 1 + 3 + 64 + IdW), .Depth(MemSlots)) u_tq (
    .clk_i, .rst_ni, .push_i(t_to_mem),
    .data_i({t_line, t_beat, outcome == AROUND, alloc, t_we, t_word, t_wdata,
    alloc ? IdW'(free_which) : IdW'(t_id)}),
    .pop_i(tq_pop), .valid_o(tq_have),
    .data_o({tm_line_o, tm_beat, tm_around, tm_fetch, tm_we_o, tm_word, tm_wdata, tm_id}),
    .count_o(tq_count)
  );
  assign tq_room    = tq_count != MemCntW'(MemSlots);
  assign tm_valid_o = tq_have;
  assign tm_beat_o  = tm_fetch ? tm_sent_q : tm_beat;
  assign tm_id_o    = {tm_around, tm_beat_o, tm_id};
  assign tm_last    = !tm_fetch || Beats == 1 || tm_sent_q;
  assign tq_pop     = tq_have && tm_ready_i && tm_last;
  assign tm_mask_o  = PieceB'(8'hff) << (tm_word * 8);
  assign tm_data_o  = {(PieceB/8){tm_wdata}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) tm_sent_q <= 1'b0;
    else if (tq_have && tm_ready_i) tm_sent_q <= !tm_last;
  end

  // ---------------------------------------------------------------- to memory: data
  logic                fetch_have, wb_have, wb_pop, fetch_pop, send_wb, held_q, f_sent_q, wb_sent_q,
      f_last, wb_last;
  logic [LineW-1:0]    fetch_line, wb_line;
  logic [AppW-1:0]     fetch_app, wb_app;
  logic [MshrW-1:0]    fetch_id;
  logic [LineBits-1:0] wb_data;
  gmmu_fifo #(.Width(LineW + AppW + MshrW), .Depth(Mshrs)) u_fetch (
    .clk_i, .rst_ni, .push_i(alloc && b_data && !full), .data_i({d_line, d_app, free_which}),
    .pop_i(fetch_pop), .valid_o(fetch_have),
    .data_o({fetch_line, fetch_app, fetch_id}), .count_o()
  );
  gmmu_fifo #(.Width(LineW + AppW + LineBits), .Depth(MemSlots)) u_wb (
    .clk_i, .rst_ni, .push_i(f2_q && wb_q),
    .data_i({wb_line_q, app_q[fill_q*AppW +: AppW], read_line}), .pop_i(wb_pop),
    .valid_o(wb_have), .data_o({wb_line, wb_app, wb_data}), .count_o(wb_count)
  );
  assign wb_room    = wb_count != MemCntW'(MemSlots);
  assign send_wb    = wb_have && !held_q;
  assign dm_valid_o = send_wb || fetch_have;
  assign dm_we_o    = send_wb;
  assign dm_line_o  = send_wb ? wb_line : fetch_line;
  assign dm_app_o   = send_wb ? wb_app : fetch_app;
  assign dm_beat_o  = send_wb ? wb_sent_q : f_sent_q;
  assign dm_data_o  = Beats == 1 || !wb_sent_q ? wb_data[PieceBits-1:0]
      : wb_data[LineBits-1 -: PieceBits];
  assign dm_id_o    = {1'b0, dm_beat_o, IdW'(fetch_id)};
  assign wb_last    = Beats == 1 || wb_sent_q;
  assign f_last     = Beats == 1 || f_sent_q;
  assign wb_pop     = send_wb && dm_ready_i && wb_last;
  assign fetch_pop  = !send_wb && fetch_have && dm_ready_i && f_last;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q    <= 1'b0;
      wb_sent_q <= 1'b0;
      f_sent_q  <= 1'b0;
    end else begin
      held_q <= !send_wb && fetch_have && !dm_ready_i;
      if (send_wb && dm_ready_i) wb_sent_q <= !wb_last;
      if (!send_wb && fetch_have && dm_ready_i) f_sent_q <= !f_last;
    end
  end

  assign obs_o = {victim, victim_dirty, f1_q, hit_way, outcome, b_data, b_valid_q};

  `GMMU_ASSERT(l2_bank_one_way, !b_valid_q || (match & (match - Ways'(1))) == '0)
  `GMMU_ASSERT(l2_bank_not_both, !(b_valid_q && pending && hit))
endmodule
`default_nettype wire
