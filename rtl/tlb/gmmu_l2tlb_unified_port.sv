// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_unified_port: one port of gmmu_l2tlb_unified: the RAMs of its tags and data, read in
// stage A, and the compare in stage B, one cycle later. A subregion hit wins.
//
// The upper half of the ways is read twice: in the set of the page and in that of its frame. A word
// that is written in the cycle of a read comes with write_*_i in stage B. Shape:
// gmmu_l2tlb_unified.
`default_nettype none
module gmmu_l2tlb_unified_port #(
  parameter int Sets    = 32,
  parameter int Ways    = 16,
  parameter int AsidW   = 9,
  parameter int VfnW    = 36,
  parameter int DataW   = 41,
  localparam int SetW   = gmmu_pkg::idx_w(Sets),
  localparam int WayW   = gmmu_pkg::idx_w(Ways),
  localparam int Low    = Ways / 2,          // first way of subregion entries
  localparam int TagW   = 1 + AsidW + VfnW - SetW
) (
  input  logic                      clk_i,
  // stage A
  input  logic                      read_i,
  input  logic [VfnW-1:0]           read_vfn_i,
  // stage B
  input  logic                      search_i,
  input  logic [AsidW-1:0]          asid_i,
  input  logic [VfnW-1:0]           vfn_i,
  input  logic [Ways-1:0]           reg_valid_i,  // of the page's set
  input  logic [Ways-1:0]           sub_valid_i,  // of the frame's set
  output logic                      reg_hit_o,
  output logic [WayW-1:0]           reg_way_o,
  output logic                      hit_o,
  output logic                      sub_o,        // the hit is a subregion entry
  output logic                      lg_o,         // ... of a coalesced frame or 2 MiB leaf
  output logic [WayW-1:0]           way_o,
  output logic [DataW-1:0]          data_o,
  output logic [8:0]                offset_o,
  output logic [Ways*TagW-1:0]      reg_tags_o,   // as the compare sees them
  output logic [(Ways-Low)*TagW-1:0] sub_tags_o,
  // a write; wr_*_q_i: of the cycle before
  input  logic                      we_i,
  input  logic [WayW-1:0]           way_i,
  input  logic [SetW-1:0]           set_i,
  input  logic [TagW-1:0]           tag_i,
  input  logic [DataW-1:0]          data_i,
  input  logic                      write_q_i,
  input  logic [WayW-1:0]           write_way_q_i,
  input  logic [SetW-1:0]           write_set_q_i,
  input  logic [TagW-1:0]           write_tag_q_i,
  input  logic [DataW-1:0]          write_data_q_i
);
  localparam int FieldW = VfnW - SetW;
  logic              reg_new, sub_new, sub_hit, lg, unused_page;
  logic [WayW-1:0]   sub_way;
  logic [DataW-1:0]  reg_d, sub_d;
  logic [2:0]        start;
  logic [Ways-1:0]             found;
  logic [Ways*DataW-1:0]       found_data;
  logic [(Ways-Low)*DataW-1:0] sub_data;
  // A page's regular entry and its frame's subregions are in sets of their own.
  assign reg_new = write_q_i & write_set_q_i == vfn_i[SetW-1:0];
  assign sub_new = write_q_i & write_set_q_i == vfn_i[9 +: SetW];
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic             we, last;
    logic [DataW-1:0] data;
    assign we   = we_i & way_i == WayW'(w);
    assign last = write_way_q_i == WayW'(w);
    gmmu_set_way #(.Sets(Sets), .TagW(TagW), .DataW(DataW)) u_way (
      .clk_i, .we_i(we), .set_i, .tag_i, .data_i,
      .read_i, .read_set_i(read_vfn_i[SetW-1:0]),
      .new_i(reg_new & last), .new_tag_i(write_tag_q_i), .new_data_i(write_data_q_i),
      .tag_o(reg_tags_o[w*TagW +: TagW]), .data_o(data)
    );
    gmmu_way_match #(.TagW(TagW), .DataW(DataW)) u_match (
      .search_i, .key_i({1'b0, asid_i, vfn_i[VfnW-1:SetW]}), .tag_i(reg_tags_o[w*TagW +: TagW]),
      .data_i(data), .open_i(reg_valid_i[w]), .found_o(found[w]),
      .data_o(found_data[w*DataW +: DataW])
    );
    if (w >= Low) begin : gen_sub
      gmmu_set_way #(.Sets(Sets), .TagW(TagW), .DataW(DataW)) u_sub_way (
        .clk_i, .we_i(we), .set_i, .tag_i, .data_i,
        .read_i, .read_set_i(read_vfn_i[9 +: SetW]),
        .new_i(sub_new & last), .new_tag_i(write_tag_q_i), .new_data_i(write_data_q_i),
        .tag_o(sub_tags_o[(w-Low)*TagW +: TagW]), .data_o(sub_data[(w-Low)*DataW +: DataW])
      );
    end
  end
  gmmu_way_mux #(.Ways(Ways), .DataW(DataW)) u_mux (
    .found_i(found), .data_i(found_data), .valid_i(reg_valid_i), .hit_o(reg_hit_o),
    .way_o(reg_way_o), .data_o(reg_d), .pages_o(unused_page)
  );
  // At most one entry of a set covers a page (a fill drops what overlaps), so that ORs choose.
  always_comb begin : compare_subregion
    logic [TagW-1:0]   t;
    logic [FieldW-1:0] f;
    sub_hit = 1'b0;
    sub_way = '0;
    sub_d   = '0;
    start   = '0;
    lg      = 1'b0;
    t       = '0;
    f       = '0;
    if (search_i) begin
      for (int w = Low; w < Ways; w++) begin
        t = sub_tags_o[(w-Low)*TagW +: TagW];
        f = t[FieldW-1:0];
        if (f[FieldW-1:9] == vfn_i[VfnW-1:9+SetW]) begin
          if (sub_valid_i[w] && t[TagW-1:FieldW] == {1'b1, asid_i} &&
              vfn_i[8:6] >= f[8:6] && {1'b0, vfn_i[8:6]} <= {1'b0, f[8:6]} + {1'b0, f[5:3]}) begin
            sub_hit = 1'b1;
            sub_way = sub_way | WayW'(w);
            sub_d   = sub_d | sub_data[(w-Low)*DataW +: DataW];
            start   = start | f[8:6];
            lg      = lg | f[2];
          end
        end
      end
    end
  end
  assign hit_o    = reg_hit_o | sub_hit;
  assign sub_o    = sub_hit;
  assign lg_o     = sub_hit & lg;
  assign way_o    = sub_hit ? sub_way : reg_way_o;
  assign data_o   = sub_hit ? sub_d : reg_d;
  assign offset_o = sub_hit ? vfn_i[8:0] - {start, 6'd0} : 9'd0;
endmodule
`default_nettype wire
