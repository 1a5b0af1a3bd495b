// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_unified_port: one port of gmmu_l2tlb_unified: its tags (gmmu_l2tlb_unified_tags, read
// in stage 0 and compared in stage A), the RAMs of its data, read in stage A, and the answer in
// stage B. A subregion hit wins.
//
// The upper half of the ways is read twice: in the set of the page and in that of its frame. A word
// that is written in the cycle of a read comes with write_*_i in stage B. TlbParity=1: the data
// have a parity bit; an entry whose data are wrong is no hit (bad_o). Shape: gmmu_l2tlb_unified.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_unified_port #(
  parameter int Sets    = 32,
  parameter int Ways    = 16,
  parameter int AsidW   = 9,
  parameter int VfnW    = 36,
  parameter int DataW   = 41,
  parameter int Sweep   = 1,                 // 0: without start_o, range_o, wrong_o, wrong_sub_o
  parameter int TlbParity = 0,
  localparam int SetW   = gmmu_pkg::idx_w(Sets),
  localparam int WayW   = gmmu_pkg::idx_w(Ways),
  localparam int Low    = Ways / 2,          // first way of subregion entries
  localparam int TagW   = 1 + AsidW + VfnW - SetW
) (
  input  logic                      clk_i,
  // stage 0
  input  logic                      early_i,
  input  logic [VfnW-1:0]           early_vfn_i,
  // stage A
  input  logic                      read_i,
  input  logic [AsidW-1:0]          read_asid_i,
  input  logic [VfnW-1:0]           read_vfn_i,
  input  logic [2:0]                first_i,      // subregions that are asked for
  input  logic [2:0]                last_i,
  input  logic [Ways-1:0]           reg_valid_i,  // behind this cycle: of the page's set,
  input  logic [Ways-1:0]           sub_valid_i,  // of the frame's set
  input  logic                      sweep_asid_all_i,
  input  logic [AsidW-1:0]          sweep_asid_i,
  input  logic [35:0]               sweep_lo_i,
  input  logic [35:0]               sweep_hi_i,
  // stage B
  input  logic                      search_i,
  input  logic [VfnW-1:0]           vfn_i,
  output logic [Ways-1:0]           reg_hot_o,    // the regular entry, right or wrong, or none
  output logic                      hit_o,
  output logic                      bad_o,
  output logic                      sub_o,        // the hit is a subregion entry
  output logic                      lg_o,         // ... of a coalesced frame or 2 MiB leaf
  output logic [Ways-1:0]           hot_o,        // of the hit
  output logic [WayW-1:0]           way_o,
  output logic [DataW-1:0]          data_o,
  output logic [8:0]                offset_o,
  output logic [Ways-1:0]           range_o,      // ways of the page's set that a sweep covers
  output logic [Ways-Low-1:0]       covers_o,     // entries with subregions that are asked for
  output logic [Ways-Low-1:0]       start_o,      // those that begin with the first of them
  output logic [Ways-1:0]           wrong_o,      // tags with wrong parity, by set
  output logic [Ways-Low-1:0]       wrong_sub_o,
  // a write or sweep; write_*_q_i: the write of the cycle before, if any
  input  logic                      change_i,
  input  logic [Ways-1:0]           we_i,
  input  logic [SetW-1:0]           set_i,
  input  logic [TagW-1:0]           tag_i,
  input  logic [DataW-1:0]          data_i,
  input  logic [Ways-1:0]           write_hot_q_i,
  input  logic [SetW-1:0]           write_set_q_i,
  input  logic [TagW-1:0]           write_tag_q_i,
  input  logic [DataW-1:0]          write_data_q_i
);
  localparam int N = Ways - Low;
  localparam int WordW = DataW + TlbParity;     // {parity, data}
  `include "gmmu_first.svh"
  logic              reg_hit, sub_hit, sub_good, reg_bad, sub_bad, lg;
  logic [WayW-1:0]   reg_way, sub_way;
  logic [WordW-1:0]  reg_d, sub_d, wr_word, write_word_q;
  logic [2:0]        start;
  logic              reg_new, sub_new;      // set of the page, and of its frame: changed in stage A
  logic [Ways-1:0]             has, found;
  logic [Ways*WordW-1:0]       found_data;
  logic [(Ways-Low)*WordW-1:0] sub_data;
  logic [(Ways-Low)*4-1:0]     field;       // of the subregion entries: {first subregion, LG}
  assign wr_word      = WordW'({^data_i, data_i});
  assign write_word_q = WordW'({^write_data_q_i, write_data_q_i});
  gmmu_l2tlb_unified_tags #(.Sets(Sets), .Ways(Ways), .AsidW(AsidW), .VfnW(VfnW),
      .Sweep(Sweep), .TlbParity(TlbParity)) u_tags (
    .clk_i, .change_i, .we_i, .set_i, .tag_i, .write_hot_q_i, .write_set_q_i, .write_tag_q_i,
    .early_i, .early_vfn_i, .read_i, .read_asid_i, .read_vfn_i, .first_i, .last_i, .reg_valid_i,
    .sub_valid_i(sub_valid_i[Ways-1:Low]),
    .asid_all_i(sweep_asid_all_i), .asid_i(sweep_asid_i), .lo_i(sweep_lo_i), .hi_i(sweep_hi_i),
    .found_o(has), .range_o, .covers_o, .start_o, .field_o(field),
    .reg_new_o(reg_new), .sub_new_o(sub_new),
    .wrong_o, .wrong_sub_o
  );
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [WordW-1:0] word, data;
    gmmu_ram #(.Width(WordW), .Depth(Sets)) u_data (
      .clk_i, .we_i(we_i[w]), .waddr_i(set_i), .wdata_i(wr_word), .re_i(read_i),
      .raddr_i(read_vfn_i[SetW-1:0]), .rdata_o(word)
    );
    assign data     = reg_new & write_hot_q_i[w] ? write_word_q : word;
    assign found[w] = search_i & has[w];
    assign found_data[w*WordW +: WordW] = found[w] ? data : '0;
    if (w >= Low) begin : gen_sub
      logic [WordW-1:0] sub_word;
      gmmu_ram #(.Width(WordW), .Depth(Sets)) u_data (
        .clk_i, .we_i(we_i[w]), .waddr_i(set_i), .wdata_i(wr_word), .re_i(read_i),
        .raddr_i(read_vfn_i[9 +: SetW]), .rdata_o(sub_word)
      );
      assign sub_data[(w-Low)*WordW +: WordW] =
          sub_new & write_hot_q_i[w] ? write_word_q : sub_word;
    end
  end
  gmmu_way_mux #(.Ways(Ways), .DataW(WordW)) u_mux (
    .found_i(found), .data_i(found_data), .valid_i({Ways{1'b0}}), .hit_o(),
    .way_o(reg_way), .data_o(reg_d), .pages_o()
  );
  assign reg_hot_o = found;
  // At most one entry of a set covers a page (a fill drops what overlaps), so that ORs choose.
  logic [Ways-Low-1:0] covers;
  assign covers  = search_i ? covers_o : '0;
  assign sub_hit = |covers;
  assign sub_way = WayW'(index(covers)) + WayW'(Low);
  always_comb begin
    sub_d = '0;
    start = '0;
    lg    = 1'b0;
    if (`GMMU_ANY(covers)) begin
      for (int w = 0; w < Ways - Low; w++) begin
        if (covers[w]) begin
          sub_d = sub_d | sub_data[w*WordW +: WordW];
          start = start | field[w*4 + 1 +: 3];
          lg    = lg | field[w*4];
        end
      end
    end
  end
  assign reg_bad  = TlbParity != 0 ? ^reg_d : 1'b0;     // 0 of what is not found
  assign sub_bad  = TlbParity != 0 ? ^sub_d : 1'b0;
  assign bad_o    = reg_bad | sub_bad;
  assign sub_good = sub_hit & !sub_bad;
  // Also without a search: whether there is one, all who use it ask.
  assign reg_hit  = |has;
  assign hit_o    = (reg_hit & !reg_bad) | (|covers_o & !sub_bad);
  assign sub_o    = sub_good;
  assign lg_o     = sub_good & lg;
  assign hot_o    = sub_good ? {covers, {Low{1'b0}}} : found;
  assign way_o    = sub_good ? sub_way : reg_way;
  assign data_o   = sub_good ? sub_d[DataW-1:0] : reg_d[DataW-1:0];
  assign offset_o = sub_good ? vfn_i[8:0] - {start, 6'd0} : 9'd0;
endmodule
`default_nettype wire
