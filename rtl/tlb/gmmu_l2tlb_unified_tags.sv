// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_unified_tags: the tags of one port of the unified L2 TLB: RAMs, and what is compared
// a cycle before it is used. Part of gmmu_l2tlb_unified_port.
//
// Stage 0: a page's set is read in all ways, and its frame's in the upper half. Stage A: the tags
// are compared with the key, with the subregions that are asked for (of a lookup one, of a walk's
// end those that it may fill), and with the range of a sweep. The answers are registers, for stage
// B, with what is written in A's cycle in them. change_i, we_i, set_i, tag_i: stage B writes tags
// (one-hot, known last) or valid bits; *_valid_i: what it leaves in the two sets; write_*_q_i: the
// tag that it wrote in the cycle before, if any. Not
// reset: the answers mean something with a lookup, fill or sweep in stage B. TlbParity=1: a tag has
// a parity bit, and one that is wrong is neither the page's nor of its frame. Tag and shape:
// gmmu_l2tlb_unified.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_unified_tags #(
  parameter int Sets   = 32,
  parameter int Ways   = 16,
  parameter int AsidW  = 9,
  parameter int VfnW   = 36,
  parameter int Sweep  = 1,                   // 0: without start_o, range_o, wrong_o, wrong_sub_o
  parameter int TlbParity = 0,
  localparam int SetW  = gmmu_pkg::idx_w(Sets),
  localparam int Low   = Ways / 2,            // first way of subregion entries
  localparam int TagW  = 1 + AsidW + VfnW - SetW
) (
  input  logic                    clk_i,
  input  logic                    change_i,
  input  logic [Ways-1:0]         we_i,
  input  logic [SetW-1:0]         set_i,
  input  logic [TagW-1:0]         tag_i,
  input  logic [Ways-1:0]         write_hot_q_i,
  input  logic [SetW-1:0]         write_set_q_i,
  input  logic [TagW-1:0]         write_tag_q_i,
  // stage 0
  input  logic                    early_i,
  input  logic [VfnW-1:0]         early_vfn_i,
  // stage A
  input  logic                    read_i,
  input  logic [AsidW-1:0]        read_asid_i,
  input  logic [VfnW-1:0]         read_vfn_i,
  input  logic [2:0]              first_i,      // subregions that are asked for
  input  logic [2:0]              last_i,
  input  logic [Ways-1:0]         reg_valid_i,  // behind this cycle: of the page's set,
  input  logic [Ways-Low-1:0]     sub_valid_i,  // of the frame's
  input  logic                    asid_all_i,   // of a sweep
  input  logic [AsidW-1:0]        asid_i,
  input  logic [35:0]             lo_i,
  input  logic [35:0]             hi_i,
  // stage B
  output logic [Ways-1:0]         found_o,      // regular entry of the page
  output logic [Ways-1:0]         range_o,      // of its pages some are swept
  output logic [Ways-Low-1:0]     covers_o,     // subregion entry with some of those asked for,
  output logic [Ways-Low-1:0]     start_o,      // it begins with the first of them
  output logic [(Ways-Low)*4-1:0] field_o,      // its {first subregion, LG}
  output logic                    reg_new_o,    // the set was changed in stage A's cycle
  output logic                    sub_new_o,
  output logic [Ways-1:0]         wrong_o,      // tags with wrong parity in the page's set,
  output logic [Ways-Low-1:0]     wrong_sub_o   // in the frame's
);
  localparam int FieldW = VfnW - SetW;
  localparam int WordW  = TagW + TlbParity;     // {parity, tag}

  // Are some pages of an entry, regular or not, among those that a sweep with a range, or of an
  // ASID, clears? In two halves: of the ASID and not all below lo, not all above hi.
  function automatic logic from_lo(input logic [TagW-1:0] t, input logic [SetW-1:0] set,
      input logic [AsidW-1:0] asid, input logic asid_all, input logic [35:0] lo);
    logic [FieldW-1:0] f;
    logic [35:0]       last;
    begin
      f    = t[FieldW-1:0];
      last = t[TagW-1] ? 36'($signed({f[FieldW-1:9], set, f[5:3], 6'h3f}))
                       : 36'($signed({f, set}));
      from_lo = t[TagW-2:FieldW] == asid & (asid_all | last >= lo);
    end
  endfunction
  function automatic logic to_hi(input logic [TagW-1:0] t, input logic [SetW-1:0] set,
      input logic asid_all, input logic [35:0] hi);
    logic [FieldW-1:0] f;
    logic [35:0]       head;
    begin
      f     = t[FieldW-1:0];
      head  = 36'($signed(t[TagW-1] ? {f[FieldW-1:9], set, f[8:6], 6'd0} : {f, set}));
      to_hi = asid_all | head <= hi;
    end
  endfunction

  // Of a subregion entry's {first, last, ...}: is one of these subregions in it?
  function automatic logic overlaps(input logic [TagW-1:0] t, input logic [2:0] from,
      input logic [2:0] to);
    begin
      overlaps = t[8:6] <= to & t[5:3] >= from;
    end
  endfunction

  logic [SetW-1:0] reg_set, sub_set;    // stage A
  logic [TagW-1:0] key;                 // of a regular entry
  logic [TagW-10:0] frame_key;          // of a subregion entry, above the subregion
  logic            reg_fwd, sub_fwd;
  assign reg_set   = read_vfn_i[SetW-1:0];
  assign sub_set   = read_vfn_i[9 +: SetW];
  assign key       = {1'b0, read_asid_i, read_vfn_i[VfnW-1:SetW]};
  assign frame_key = {1'b1, read_asid_i, read_vfn_i[VfnW-1:9+SetW]};
  assign reg_fwd   = write_set_q_i == reg_set;
  assign sub_fwd   = write_set_q_i == sub_set;
  logic [WordW-1:0] wr_word;
  assign wr_word    = WordW'({^tag_i, tag_i});

  // What was written in the cycle before is compared once, for whichever way took it.
  logic       write_same, write_covers, write_start;
  logic [1:0] write_range;              // by its halves
  logic [3:0] write_field;              // first subregion, LG
  assign write_same   = read_i & write_tag_q_i == key;
  assign write_covers = read_i & write_tag_q_i[TagW-1:9] == frame_key &
      overlaps(write_tag_q_i, first_i, last_i);
  assign write_range  = {from_lo(write_tag_q_i, reg_set, asid_i, asid_all_i, lo_i),
                         to_hi(write_tag_q_i, reg_set, asid_all_i, hi_i)};
  assign write_start  = write_tag_q_i[8:6] == first_i;
  assign write_field  = {write_tag_q_i[8:6], write_tag_q_i[2]};

  // ---- what is written while its set is in stage A is compared beside
  logic reg_new_q, sub_new_q, reg_set_new, sub_set_new, new_same, new_covers, new_range_q,
      new_start_q;
  always_ff @(posedge clk_i) begin
    reg_new_q <= change_i & reg_set_new;
    sub_new_q <= change_i & sub_set_new;
  end
  assign reg_set_new = set_i == reg_set;
  assign sub_set_new = set_i == sub_set;
  assign new_same    = read_i & tag_i == key;
  assign new_covers  = read_i & tag_i[TagW-1:9] == frame_key & overlaps(tag_i, first_i, last_i);
  assign reg_new_o   = reg_new_q;
  assign sub_new_o   = sub_new_q;
  if (Sweep != 0) begin : gen_new_range
    always_ff @(posedge clk_i) begin
      new_range_q <= from_lo(tag_i, reg_set, asid_i, asid_all_i, lo_i) &
          to_hi(tag_i, reg_set, asid_all_i, hi_i);
      new_start_q <= tag_i[8:6] == first_i;
    end
  end else begin : gen_no_new_range
    logic unused_sweep;
    assign unused_sweep = ^{asid_all_i, asid_i, lo_i, hi_i};
    assign {new_range_q, new_start_q} = '0;
  end

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [WordW-1:0] word;
    logic            written, word_same, same, found_q, fresh, fresh_q;
    assign fresh   = reg_set_new & we_i[w];             // written in this cycle,
    assign fresh_q = reg_new_q & write_hot_q_i[w];      // in the one before
    gmmu_ram #(.Width(WordW), .Depth(Sets)) u_tag (
      .clk_i, .we_i(we_i[w]), .waddr_i(set_i), .wdata_i(wr_word), .re_i(early_i),
      .raddr_i(early_vfn_i[SetW-1:0]), .rdata_o(word)
    );
    gmmu_match #(.N(1), .KeyW(WordW)) u_match (
      .look_i(read_i), .key_i(WordW'({^key, key})), .keys_i(word), .open_i(1'b1),
      .found_o(word_same)
    );
    assign written = reg_fwd & write_hot_q_i[w];
    assign same    = written ? write_same : word_same;
    always_ff @(posedge clk_i) `GMMU_USED(read_i)
      found_q <= (fresh ? new_same : same) & reg_valid_i[w];
    assign found_o[w] = found_q;
    if (Sweep != 0) begin : gen_range
      logic [1:0] range_q;       // both halves have to be: asked in stage B
      always_ff @(posedge clk_i) `GMMU_USED(read_i) begin
        range_q <= written ? write_range
            : {from_lo(word[TagW-1:0], reg_set, asid_i, asid_all_i, lo_i),
               to_hi(word[TagW-1:0], reg_set, asid_all_i, hi_i)};
      end
      assign range_o[w] = fresh_q ? new_range_q : &range_q;
    end else begin : gen_no_range
      assign range_o[w] = new_range_q;
    end
    if (Sweep != 0 && TlbParity != 0) begin : gen_wrong
      logic wrong_q;
      always_ff @(posedge clk_i) wrong_q <= !written & ^word;
      assign wrong_o[w] = !fresh_q & wrong_q;
    end else begin : gen_no_wrong
      assign wrong_o[w] = 1'b0;
    end
  end

  for (genvar w = Low; w < Ways; w++) begin : gen_sub_way
    logic [WordW-1:0] word;
    logic [TagW-1:0] tag;
    logic            written, same, covers, covers_q, wrong, fresh, fresh_q;
    logic [3:0]      field_q;
    assign fresh   = sub_set_new & we_i[w];
    assign fresh_q = sub_new_q & write_hot_q_i[w];
    gmmu_ram #(.Width(WordW), .Depth(Sets)) u_tag (
      .clk_i, .we_i(we_i[w]), .waddr_i(set_i), .wdata_i(wr_word), .re_i(early_i),
      .raddr_i(early_vfn_i[9 +: SetW]), .rdata_o(word)
    );
    assign written = sub_fwd & write_hot_q_i[w];
    assign tag     = word[TagW-1:0];
    assign wrong   = TlbParity != 0 ? ^word : 1'b0;
    gmmu_match #(.N(1), .KeyW(TagW - 9)) u_match (
      .look_i(read_i), .key_i(frame_key), .keys_i(tag[TagW-1:9]), .open_i(!wrong),
      .found_o(same)
    );
    assign covers = written ? write_covers : same & overlaps(tag, first_i, last_i);
    always_ff @(posedge clk_i) `GMMU_USED(read_i) begin
      covers_q <= (fresh ? new_covers : covers) & sub_valid_i[w-Low];
      field_q  <= written ? write_field : {tag[8:6], tag[2]};
    end
    assign covers_o[w-Low]         = covers_q;
    assign field_o[(w-Low)*4 +: 4] = fresh_q ? write_field : field_q;
    if (Sweep != 0) begin : gen_start
      logic start_q;
      always_ff @(posedge clk_i) `GMMU_USED(read_i)
        start_q <= written ? write_start : tag[8:6] == first_i;
      assign start_o[w-Low] = fresh_q ? new_start_q : start_q;
    end else begin : gen_no_start
      assign start_o[w-Low] = new_start_q;
    end
    if (Sweep != 0 && TlbParity != 0) begin : gen_wrong
      logic wrong_q;
      always_ff @(posedge clk_i) wrong_q <= !written & wrong;
      assign wrong_sub_o[w-Low] = !fresh_q & wrong_q;
    end else begin : gen_no_wrong
      assign wrong_sub_o[w-Low] = 1'b0;
    end
  end
endmodule
`default_nettype wire
