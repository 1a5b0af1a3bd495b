// SPDX-License-Identifier: Apache-2.0
// gmmu_cache_tags: tags of a bank of the L2 cache (gmmu_cache_bank): which line is where, dirty or
// not, and the true-LRU order of each set. A line is {tag, set}; its number has the lowest bits
// hashed with the tag unless Linear.
//
// Stage A: read_i with a_set_i. Stage B: the tags are compared with b_tag_i. Stage C: hit_o; touch
// or drop at its end; the line is read_set_o, read_way_o. Stage D, the cycle after: the way becomes
// the most recent; the line is set_o, way_o. A fill goes the same way; its set is read again, with
// no request, two cycles after its stage A. In D (fill_i) it takes the victim, the lowest free
// way, else the least recent; in the cycle after that read_*_o is the victim's line, and one later
// set_o, way_o. No touch_write_i and no drop_i with fill_i. Legal: Sets and Ways powers of two
// from 2 on.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_cache_tags #(
  parameter int Sets   = 64,
  parameter int Ways   = 16,
  parameter int LineW  = 34,
  parameter bit Linear = 1'b0,
  localparam int SetW  = $clog2(Sets),
  localparam int WayW  = gmmu_pkg::idx_w(Ways),
  localparam int TagW  = LineW - SetW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // stage A
  input  logic             read_i,
  input  logic [SetW-1:0]  a_set_i,
  // stage B
  input  logic [TagW-1:0]  b_tag_i,
  // stage C
  input  logic             look_i,         // a request is there
  output logic             hit_o,
  input  logic             touch_i,
  input  logic             touch_write_i,  // ... and it becomes dirty
  input  logic             drop_i,         // what hits is invalid
  output logic [SetW-1:0]  read_set_o,
  output logic [WayW-1:0]  read_way_o,
  // stage D
  output logic [SetW-1:0]  set_o,
  output logic [WayW-1:0]  way_o,
  input  logic             fill_i,
  input  logic [SetW-1:0]  fill_set_i,
  input  logic [TagW-1:0]  fill_tag_i,
  input  logic             fill_dirty_i,
  output logic             victim_dirty_o, // from the cycle after a fill's D on: is written back
  output logic [LineW-1:0] victim_line_o   // two cycles after a fill's D
);
  localparam int N = Ways;

  `include "gmmu_first.svh"

  logic [Ways-1:0] valid_q [0:Sets-1];
  logic [Ways-1:0] dirty_q [0:Sets-1];
  // the set was ever written; before it is empty, way 0 the least recent
  logic [Sets-1:0] init_q;
  logic [SetW-1:0] b_set_q, c_set_q, d_set_q, victim_hash, write_set;
  logic [TagW-1:0] tag [0:Ways-1];
  logic [TagW-1:0] victim_tag, victim_tag_q;
  logic [Ways-1:0] b_valid, c_valid, c_dirty, match, hit_q, read_q, touched_q, victim, fill_valid_q,
      fill_dirty_q;
  logic            b_init, c_init_q;
  for (genvar w = 0; w < Ways; w++) begin : gen_tag
    gmmu_ram #(.Width(TagW), .Depth(Sets)) u_tag (
      .clk_i, .we_i(fill_i & victim[w]), .waddr_i(fill_set_i), .wdata_i(fill_tag_i),
      .re_i(read_i), .raddr_i(a_set_i), .rdata_o(tag[w])
    );
    assign match[w] = b_valid[w] && tag[w] == b_tag_i;
  end
  gmmu_xor_hash #(.InW(TagW), .W(SetW)) u_victim_hash (.v_i(victim_tag_q), .hash_o(victim_hash));
  assign b_init  = init_q[b_set_q];
  assign b_valid = b_init ? valid_q[b_set_q] : '0;
  assign c_valid = c_init_q ? valid_q[c_set_q] : '0;
  assign c_dirty = dirty_q[c_set_q];
  always_ff @(posedge clk_i) begin
    if (read_i) b_set_q <= a_set_i;
    c_set_q      <= b_set_q;
    c_init_q     <= b_init;
    // as c_set_q and hit_q, for the lines alone: registers of their many address pins
    read_set_o   <= fill_i ? fill_set_i : b_set_q;
    read_q       <= fill_i ? victim : match;
    d_set_q      <= c_set_q;
    hit_q        <= match;
    touched_q    <= touch_i ? hit_q : '0;
    fill_valid_q <= c_valid;
    fill_dirty_q <= c_dirty;
    set_o        <= read_set_o;
    way_o        <= read_way_o;
    if (fill_i) begin
      victim_tag_q   <= victim_tag;
      victim_dirty_o <= (victim & fill_valid_q & fill_dirty_q) != '0;
    end
  end
  gmmu_replace #(.Sets(Sets), .Ways(Ways), .Ahead(1)) u_replace (
    .clk_i, .rst_ni, .flush_i(1'b0), .early_set_i(c_set_q), .early_known_i(c_init_q),
    .set_i(d_set_q), .known_i(1'b1), .touch_i(fill_i ? victim : touched_q), .held_i(1'b1),
    .query_i(fill_i), .may_i({Ways{1'b1}}), .used_i(fill_valid_q), .full_o(),
    .way_o(victim)
  );
  always_comb begin
    victim_tag = '0;
    for (int w = 0; w < Ways; w++) victim_tag = victim_tag | (tag[w] & {TagW{victim[w]}});
  end
  assign hit_o          = hit_q != '0;
  assign read_way_o     = index(read_q);
  assign victim_line_o  = {victim_tag_q, set_o ^ (victim_hash & {SetW{!Linear}})};
  assign write_set      = fill_i ? fill_set_i : c_set_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) init_q <= '0;
    else if (fill_i) init_q[fill_set_i] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (fill_i || drop_i) valid_q[write_set] <= fill_i ? fill_valid_q | victim : c_valid & ~hit_q;
    if (fill_i || touch_write_i)
        dirty_q[write_set] <= !fill_i ? c_dirty | hit_q : fill_dirty_i ? fill_dirty_q | victim
        : fill_dirty_q & ~victim;
  end

  `GMMU_ASSERT(cache_tags_one_way, !look_i || (hit_q & (hit_q - Ways'(1))) == '0)
  `GMMU_ASSERT(cache_tags_fill_alone, !(fill_i && (touch_write_i || drop_i || touched_q != '0)))
endmodule
`default_nettype wire
