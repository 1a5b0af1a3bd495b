// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_serial: the base array of the L2 TLB one way a cycle: one tag RAM and one data RAM
// with the way in the address, and a RAM with the valid bits and the LRU order of each set. Stands
// in for gmmu_l2tlb_base (one port, one page an entry). Rules: docs/l2_tlb.md, "Serial build".
//
// step_i (gmmu_l2tlb_serial_pipe): with read_i, cycles 0 to Ways + 1 of stage A, in which the tag
// of way `step_i` is read and that of the way before compared, last the data of the way that was
// found. Stage B, without read_i, decides and writes; key and set are the same in both. After reset
// ready_o is 0 until every set has been emptied. TlbParity=1: as in gmmu_l2tlb_base. Legal: as
// gmmu_l2tlb_base.
`default_nettype none
module gmmu_l2tlb_serial #(
  parameter int Entries = 128,
  parameter int Ways    = 4,
  parameter int AsidW   = 9,
  parameter int VfnW    = 27,
  parameter int DataW   = 25,
  parameter int TlbParity = 0,
  localparam int Sets   = Entries / Ways,
  localparam int SetW   = gmmu_pkg::idx_w(Sets),
  localparam int WayW   = gmmu_pkg::idx_w(Ways),
  localparam int StepW  = gmmu_pkg::idx_w(Ways + 3)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             ready_o,
  // stage A
  input  logic             read_i,
  input  logic [StepW-1:0] step_i,
  // stages A and B
  input  logic [AsidW-1:0] asid_i,
  input  logic [VfnW-1:0]  vfn_i,
  // stage B
  input  logic             search_i,
  input  logic             touch_i,
  output logic             hit_o,
  output logic             bad_o,
  output logic [WayW-1:0]  way_o,
  output logic [DataW-1:0] data_o,
  input  logic             fill_i,       // with search_i
  input  logic [DataW-1:0] fill_data_i,
  output logic [WayW-1:0]  fill_way_o,
  output logic             fill_overwrite_o,
  output logic             fill_evict_o,
  // sweep of the set
  input  logic             sweep_i,
  input  logic             sweep_all_i,
  input  logic             sweep_asid_all_i,
  input  logic [AsidW-1:0] sweep_asid_i,
  input  logic [35:0]      sweep_lo_i,
  input  logic [35:0]      sweep_hi_i,
  output logic [Ways-1:0]  sweep_cleared_o
);
  localparam int NumW = VfnW - SetW;
  localparam int TagW = AsidW + NumW;
  localparam int OrdW = gmmu_pkg::order_w(Ways);
  localparam int N    = Ways;
  localparam int Twice = TlbParity != 0 ? Ways : 0;     // valid bits a second time, inverted

  if (Ways < 2 || Sets < 2 || Sets * Ways != Entries || (Sets & (Sets - 1)) != 0) begin :
      gen_bad_shape
    gmmu_l2tlb_serial_Sets_must_be_a_power_of_two_and_Ways_at_least_2 u_bad();
  end

  `include "gmmu_first.svh"

  logic [SetW-1:0] set;
  logic [TagW-1:0] key;
  assign set = vfn_i[SetW-1:0];
  assign key = {asid_i, vfn_i[VfnW-1:SetW]};

  // ---- valid bits and order of a set, emptied after reset
  logic              init;
  logic [SetW:0]     init_q;
  logic [Ways-1:0]   valid, next_valid;
  logic [Ways+Twice-1:0] kept;
  logic [OrdW-1:0]   order, next_order, reset_order;
  assign init    = !init_q[SetW];
  assign ready_o = !init;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) init_q <= '0;
    else if (init) init_q <= init_q + 1'b1;
  end
  gmmu_ram #(.Width(Twice + Ways + OrdW), .Depth(Sets)) u_sets (
    .clk_i, .we_i(init | search_i | sweep_i), .waddr_i(init ? init_q[SetW-1:0] : set),
    .wdata_i((Twice+Ways+OrdW)'(init ? {{Ways{1'b1}}, {Ways{1'b0}}, reset_order}
                                     : {~next_valid, next_valid, next_order})),
    .re_i(read_i), .raddr_i(set), .rdata_o({kept, order})
  );
  assign valid = TlbParity != 0 ? kept[Ways-1:0] & ~kept[Ways+Twice-1 -: Ways] : kept[Ways-1:0];

  // ---- stage A: the ways one by one
  logic [Ways-1:0] found, into;
  logic [Ways-1:0] same_q, range_q;     // of way 0 in bit 0 once all are through
  logic [TagW+TlbParity-1:0] word, key_word;     // {parity, tag}
  logic [TagW-1:0] tag;
  logic            same, range;
  assign key_word = (TagW+TlbParity)'({^key, key});
  gmmu_ram #(.Width(TagW + TlbParity), .Depth(Ways << SetW)) u_tag (
    .clk_i, .we_i(fill_i), .waddr_i({fill_way_o, set}), .wdata_i(key_word), .re_i(read_i),
    .raddr_i({WayW'(step_i), set}), .rdata_o(word)
  );
  assign tag  = word[TagW-1:0];
  assign same = word == key_word;
  gmmu_tag_range #(.AsidW(AsidW), .NumW(VfnW)) u_range (
    .tag_asid_i(tag[NumW +: AsidW]), .page_i({tag[NumW-1:0], set}), .asid_all_i(sweep_asid_all_i),
    .asid_i(sweep_asid_i), .lo_i(sweep_lo_i), .hi_i(sweep_hi_i), .range_o(range)
  );
  always_ff @(posedge clk_i) begin
    if (read_i & step_i != StepW'(Ways + 1)) begin
      same_q  <= {same, same_q[Ways-1:1]};
      range_q <= {range, range_q[Ways-1:1]};
    end
  end
  assign found = same_q & valid;
  logic [DataW+TlbParity-1:0] data;     // {parity, data}
  gmmu_ram #(.Width(DataW + TlbParity), .Depth(Ways << SetW)) u_data (
    .clk_i, .we_i(fill_i), .waddr_i({fill_way_o, set}),
    .wdata_i((DataW+TlbParity)'({^fill_data_i, fill_data_i})), .re_i(read_i),
    .raddr_i({way_o, set}), .rdata_o(data)
  );
  assign data_o = data[DataW-1:0];

  // ---- stage B
  logic            full;
  logic [Ways-1:0] victim, gone, touch;
  assign bad_o = TlbParity != 0 ? search_i & |found & ^data : 1'b0;
  assign hit_o = search_i & |found & !bad_o;
  assign way_o = index(found);
  gmmu_replace_word #(.Ways(Ways)) u_replace (
    .order_i(order), .touch_i(touch), .used_i(valid), .full_o(full), .way_o(victim),
    .order_o(next_order), .reset_order_o(reset_order)
  );
  assign into             = |found ? found : victim;
  assign touch            = fill_i ? into : touch_i & !bad_o ? found : '0;
  assign fill_way_o       = index(into);
  assign fill_overwrite_o = fill_i & |found;
  assign fill_evict_o     = fill_i & found == '0 & full;
  assign gone             = sweep_i ? valid & ({Ways{sweep_all_i}} | range_q) : '0;
  assign sweep_cleared_o  = gone;
  assign next_valid       = (valid & ~gone) | (fill_i ? into : '0);
endmodule
`default_nettype wire
