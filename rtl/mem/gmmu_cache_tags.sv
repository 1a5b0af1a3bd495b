// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_tags: tags of a bank of the L2 cache (gmmu_cache_bank): which line is where, dirty or
// not, and the true-LRU order of each set. Set: lowest bits of the line's number, hashed with its
// tag unless Linear.
//
// Stage A: read_i with a_line_i. Stage B, one cycle later, with that line in line_i: hit and victim
// in the same cycle; touch, drop or fill at its end, one at most. A fill takes the victim: the
// lowest free way, else the least recent. Legal: Sets and Ways powers of two from 2 on.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_cache_tags #(
  parameter int Sets   = 64,
  parameter int Ways   = 16,
  parameter int LineW  = 34,
  parameter bit Linear = 1'b0,
  localparam int SetW  = $clog2(Sets),
  localparam int WayW  = gmmu_pkg::idx_w(Ways)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // stage A
  input  logic             read_i,
  input  logic [LineW-1:0] a_line_i,
  // stage B
  input  logic             look_i,         // a request's line, not a fill's
  input  logic [LineW-1:0] line_i,
  output logic [SetW-1:0]  set_o,
  output logic             hit_o,
  output logic [WayW-1:0]  hit_way_o,
  output logic [WayW-1:0]  victim_o,
  output logic [WayW-1:0]  way_o,          // that is hit, or filled
  output logic             victim_dirty_o, // of a fill: a line that has to be written back
  output logic [LineW-1:0] victim_line_o,
  input  logic             touch_i,
  input  logic             touch_write_i,  // ... and it becomes dirty
  input  logic             drop_i,         // what hits is invalid
  input  logic             fill_i,
  input  logic             fill_dirty_i
);
  localparam int TagW = LineW - SetW;
  localparam int N    = Ways;

  `include "gmmu_first.svh"

  logic [Ways-1:0] valid_q [0:Sets-1];
  logic [Ways-1:0] dirty_q [0:Sets-1];
  // the set was ever written; before it is empty, way 0 the least recent
  logic [Sets-1:0] init_q;
  logic [SetW-1:0] set, a_set, a_hash, b_hash, victim_hash;
  logic [TagW-1:0] tag [0:Ways-1];
  logic [TagW-1:0] victim_tag;
  logic [Ways-1:0] match, set_valid, set_dirty, touched, victim_hot;
  logic            unused_full;
  logic [WayW-1:0] hit_way, victim, way;
  logic            write;
  assign a_set = a_line_i[SetW-1:0] ^ (a_hash & {SetW{!Linear}});
  for (genvar w = 0; w < Ways; w++) begin : gen_tag
    gmmu_ram #(.Width(TagW), .Depth(Sets)) u_tag (
      .clk_i, .we_i(fill_i && victim == WayW'(w)), .waddr_i(set), .wdata_i(line_i[LineW-1:SetW]),
      .re_i(read_i), .raddr_i(a_set), .rdata_o(tag[w])
    );
  end
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_b_hash (.v_i(line_i[LineW-1:SetW]), .hash_o(b_hash));
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_a_hash (.v_i(a_line_i[LineW-1:SetW]), .hash_o(a_hash));
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_victim_hash (.v_i(victim_tag), .hash_o(victim_hash));
  assign set       = line_i[SetW-1:0] ^ (b_hash & {SetW{!Linear}});
  assign set_valid = init_q[set] ? valid_q[set] : '0;
  assign set_dirty = dirty_q[set];
  assign touched   = ((touch_i | fill_i) & !drop_i) ? Ways'(1) << way : '0;
  gmmu_replace #(.Sets(Sets), .Ways(Ways)) u_replace (
    .clk_i, .rst_ni, .flush_i(1'b0), .early_set_i(set), .early_known_i(init_q[set]), .set_i(set),
    .known_i(init_q[set]), .touch_i(touched), .query_i(1'b1),
    .may_i({Ways{1'b1}}), .used_i(set_valid), .full_o(unused_full), .way_o(victim_hot)
  );
  assign victim = index(victim_hot);
  always_comb begin
    hit_way    = '0;
    victim_tag = '0;
    for (int w = 0; w < Ways; w++) begin
      match[w]   = set_valid[w] && tag[w] == line_i[LineW-1:SetW];
      hit_way    = hit_way | (WayW'(w) & {WayW{match[w]}});
      victim_tag = victim_tag | (tag[w] & {TagW{victim == WayW'(w)}});
    end
  end
  assign hit_o          = match != '0;
  assign hit_way_o      = hit_way;
  assign victim_o       = victim;
  assign way_o          = way;
  assign set_o          = set;
  assign way            = fill_i ? victim : hit_way;
  assign victim_dirty_o = fill_i && set_valid[victim] && set_dirty[victim];
  assign victim_line_o  = {victim_tag, set ^ (victim_hash & {SetW{!Linear}})};
  assign write          = touch_i || fill_i || drop_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) init_q <= '0;
    else if (write) init_q[set] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (write) begin
      valid_q[set] <= fill_i ? set_valid | (Ways'(1) << victim)
          : drop_i ? set_valid & ~match : set_valid;
      if (fill_i)
          dirty_q[set] <= fill_dirty_i ? set_dirty | (Ways'(1) << victim) : set_dirty &
          ~(Ways'(1) << victim);
      else if (touch_write_i) dirty_q[set] <= set_dirty | match;
    end
  end

  `GMMU_ASSERT(cache_tags_one_way, !look_i || (match & (match - Ways'(1))) == '0)
endmodule
`default_nettype wire
