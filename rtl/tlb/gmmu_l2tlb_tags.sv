// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_tags: the tags of the base array for one read port: a RAM for each way, the comparison
// of a set's tags with a key and, for a sweep, with its range. Part of gmmu_l2tlb_base, which knows
// which of them are valid.
//
// A set is read in stage 0 and compared in stage A (key_i, set_i); the answers are registers, for
// stage B, with what is written in A's cycle in them. wr_i, wr_*_i: stage B may write this
// set and tag, known before the way, we_i; write_*_i: what it wrote the cycle before
// (gmmu_set_write), a way or none. valid_i: which ways hold the key's page as stage B leaves them.
// TlbParity=1: a tag has a parity bit, which is compared with the key's, so that an upset tag is no
// key that is looked for; wrong_o names it. Not reset: the answers mean something with a lookup,
// fill or sweep in stage B. Legal: Sets a power of two >= 2, Ways >= 2, Pages 1 or 4.
`default_nettype none
module gmmu_l2tlb_tags #(
  parameter int Sets  = 32,
  parameter int Ways  = 16,
  parameter int AsidW = 9,
  parameter int NumW  = 31,     // VFN bits above the set's
  parameter int Pages = 1,      // of an entry, aligned: 1 or 4
  parameter int Sweep = 1,      // 0: without range_o and wrong_o
  parameter int TlbParity = 0,
  localparam int SetW = gmmu_pkg::idx_w(Sets),
  localparam int TagW = AsidW + NumW
) (
  input  logic                  clk_i,
  input  logic                  wr_i,
  input  logic [Ways-1:0]       we_i,
  input  logic [SetW-1:0]       wr_set_i,
  input  logic [TagW-1:0]       wr_tag_i,
  input  logic [Ways-1:0]       write_hot_i,
  input  logic [SetW-1:0]       write_set_i,
  input  logic [TagW-1:0]       write_tag_i,
  input  logic                  read_i,
  input  logic [SetW-1:0]       read_set_i,
  input  logic                  search_i,
  input  logic [SetW-1:0]       set_i,
  input  logic [TagW-1:0]       key_i,
  input  logic [Ways-1:0]       valid_i,
  input  logic                  asid_all_i,
  input  logic [AsidW-1:0]      asid_i,
  input  logic [35:0]           lo_i,
  input  logic [35:0]           hi_i,
  output logic [Ways-1:0]       same_o,       // the way's tag is the key
  output logic [Ways-1:0]       found_o,      // ... and it holds the key's page
  output logic [Ways*Pages-1:0] range_o,      // the way's pages are among those that are swept
  output logic [Ways-1:0]       wrong_o,      // the way's tag has wrong parity
  output logic                  renewed_o     // the set was written in stage A's cycle
);
  localparam int WordW = TagW + TlbParity;     // {parity, tag}
  // What was written in the cycle before is compared once, for whichever way took it.
  logic                  fwd, write_same;
  logic [Ways-1:0]       same, odd;      // odd: wrong parity
  logic [Pages-1:0]      write_range;
  logic [Ways*Pages-1:0] range;
  assign fwd        = write_set_i == set_i;
  assign write_same = search_i & write_tag_i == key_i;
  if (Sweep != 0) begin : gen_write_range
    gmmu_tag_range #(.AsidW(AsidW), .NumW(NumW + SetW), .Pages(Pages)) u_range (
      .tag_asid_i(write_tag_i[NumW +: AsidW]), .page_i({write_tag_i[NumW-1:0], set_i}),
      .asid_all_i, .asid_i, .lo_i, .hi_i, .range_o(write_range)
    );
  end else begin : gen_no_write_range
    assign write_range = '0;
  end
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [WordW-1:0] word;
    logic             written, word_same;
    gmmu_ram #(.Width(WordW), .Depth(Sets)) u_tag (
      .clk_i, .we_i(we_i[w]), .waddr_i(wr_set_i), .wdata_i(WordW'({^wr_tag_i, wr_tag_i})),
      .re_i(read_i), .raddr_i(read_set_i), .rdata_o(word)
    );
    gmmu_match #(.N(1), .KeyW(WordW)) u_match (
      .look_i(search_i), .key_i(WordW'({^key_i, key_i})), .keys_i(word), .open_i(1'b1),
      .found_o(word_same)
    );
    assign written = fwd & write_hot_i[w];
`ifdef VERILATOR
    assign words_same[w] = word_same;
`else
    assign same[w] = written ? write_same : word_same;
`endif
    assign odd[w]  = !written & ^word;
    if (Sweep != 0) begin : gen_range
      logic [Pages-1:0] word_range;
      gmmu_tag_range #(.AsidW(AsidW), .NumW(NumW + SetW), .Pages(Pages)) u_range (
        .tag_asid_i(word[NumW +: AsidW]), .page_i({word[NumW-1:0], set_i}), .asid_all_i, .asid_i,
        .lo_i, .hi_i, .range_o(word_range)
      );
      assign range[w*Pages +: Pages] = written ? write_range : word_range;
    end else begin : gen_no_range
      assign range[w*Pages +: Pages] = '0;
    end
  end

  // A write in stage B while its set is in stage A: its tag is compared beside. Which way takes it
  // is known last.
  logic             renewed, renewed_q, new_same;
  logic [Pages-1:0] new_range, new_range_q;
  assign renewed   = wr_i & wr_set_i == set_i;
  assign new_same  = search_i & wr_tag_i == key_i;
  if (Sweep != 0) begin : gen_new_range
    gmmu_tag_range #(.AsidW(AsidW), .NumW(NumW + SetW), .Pages(Pages)) u_range (
      .tag_asid_i(wr_tag_i[NumW +: AsidW]), .page_i({wr_tag_i[NumW-1:0], set_i}), .asid_all_i,
      .asid_i, .lo_i, .hi_i, .range_o(new_range)
    );
  end else begin : gen_no_new_range
    assign new_range = '0;
  end
  always_ff @(posedge clk_i) begin
    renewed_q   <= renewed;
    new_range_q <= new_range;
  end
  assign renewed_o = renewed_q;
`ifdef VERILATOR    // all ways at once
  logic [Ways-1:0]       words_same, now_same, same_q, found_q, wrong_q;
  logic [Ways*Pages-1:0] range_q, range_now;
  assign same     = !fwd ? words_same : write_same ? words_same | write_hot_i
      : words_same & ~write_hot_i;
  assign now_same = renewed ? (new_same ? same | we_i : same & ~we_i) : same;
  always_ff @(posedge clk_i) if (search_i) begin
    same_q  <= now_same;
    found_q <= now_same & valid_i;
    range_q <= range;
  end
  always_ff @(posedge clk_i) wrong_q <= odd;
  always_comb begin
    range_now = range_q;
    if (renewed_q) begin
      for (int w = 0; w < Ways; w++)
        if (write_hot_i[w]) range_now[w*Pages +: Pages] = new_range_q;
    end
  end
  assign same_o  = same_q;
  assign found_o = found_q;
  assign range_o = range_now;
  assign wrong_o = TlbParity != 0 && Sweep != 0
      ? wrong_q & ~(renewed_q ? write_hot_i : '0) : '0;
`else
  for (genvar w = 0; w < Ways; w++) begin : gen_answer
    logic             fresh, fresh_q, now_same, same_q, found_q;
    logic [Pages-1:0] range_q;
    assign fresh    = renewed & we_i[w];
    assign fresh_q  = renewed_q & write_hot_i[w];
    assign now_same = fresh ? new_same : same[w];
    always_ff @(posedge clk_i) begin
      same_q  <= now_same;
      found_q <= now_same & valid_i[w];
      range_q <= range[w*Pages +: Pages];
    end
    assign same_o[w]                 = same_q;
    assign found_o[w]                = found_q;
    assign range_o[w*Pages +: Pages] = fresh_q ? new_range_q : range_q;
    if (TlbParity != 0 && Sweep != 0) begin : gen_wrong
      logic wrong_q;
      always_ff @(posedge clk_i) wrong_q <= odd[w];
      assign wrong_o[w] = !fresh_q & wrong_q;
    end else begin : gen_no_wrong
      assign wrong_o[w] = 1'b0;
    end
  end
`endif
endmodule
`default_nettype wire
