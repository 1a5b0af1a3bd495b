// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_base: the set-associative base-page array of the L2 TLB, two lookups a cycle, true LRU
// per set.
//
// Stage 0: the tags of each port's set are read (RAMs per way and port). Stage A: they are
// compared, with the range of a sweep as well, which stays from there to B; the data are read.
// Stage B: the answer, touch, and for port 0 alone fill or sweep of its set; the change is seen by
// the next stage B. Rules: docs/l2_tlb.md. TlbParity=1: a parity bit of the tag, one of the data,
// valid bits and init bits twice; an entry that is found with wrong data is no hit (bad_o), and the
// one that a fill of its page takes. Legal: Entries/Ways a power of two >= 2, Ways >= 2.
// Source: Mosaic section 4.3, MASK section 6.
`default_nettype none
module gmmu_l2tlb_base #(
  parameter int Entries = 512,
  parameter int Ways    = 16,
  parameter int Ports   = 2,
  parameter int AsidW   = 9,
  parameter int VfnW    = 36,
  parameter int DataW   = 41,
  parameter int Pages   = 1,    // 4: an entry holds pages of an aligned group of 4 (docs/colt.md)
  parameter int OneData = 0,    // 1: the data of all ways in one RAM with a mask, for narrow data
  parameter int TlbParity = 0,
  localparam int Sets   = Entries / Ways,
  localparam int SetW   = gmmu_pkg::idx_w(Sets),
  localparam int WayW   = gmmu_pkg::idx_w(Ways)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   flush_i,      // empties every set; wins over a fill
  // stage 0: what stage A may read one cycle later
  input  logic [Ports-1:0]       early_i,
  input  logic [Ports*SetW-1:0]  early_set_i,
  // stage A
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*AsidW-1:0] read_asid_i,
  input  logic [Ports*VfnW-1:0]  read_vfn_i,
  // stage B: keys hold what stage A held one cycle before
  input  logic [Ports-1:0]       search_i,
  input  logic [Ports-1:0]       touch_i,
  input  logic [Ports*AsidW-1:0] asid_i,
  input  logic [Ports*VfnW-1:0]  vfn_i,
  output logic [Ports-1:0]       hit_o,
  output logic [Ports-1:0]       bad_o,
  output logic [Ports*WayW-1:0]  way_o,
  output logic [Ports*DataW-1:0] data_o,
  output logic [Ports*Pages-1:0] pages_o,      // of the entry
  // for fill_way_o and what follows: with fill_i, or earlier
  input  logic                   ask_i,
  input  logic                   fill_i,       // with search_i[0]
  input  logic [DataW-1:0]       fill_data_i,
  input  logic [Pages-1:0]       fill_pages_i,
  output logic [WayW-1:0]        fill_way_o,
  output logic                   fill_overwrite_o,
  output logic                   fill_evict_o,
  input  logic                   sweep_i,      // with search_i[0]
  input  logic                   sweep_all_i,
  input  logic                   sweep_asid_all_i,
  input  logic [AsidW-1:0]       sweep_asid_i,
  input  logic [35:0]            sweep_lo_i,
  input  logic [35:0]            sweep_hi_i,
  output logic [Ways-1:0]        sweep_cleared_o
);
  localparam int GrpW = Pages == 4 ? 2 : 0;   // VFN bits that the mask stands for
  localparam int NumW = VfnW - SetW - GrpW;
  localparam int TagW = AsidW + NumW;
  localparam int N    = Ways;
  localparam int WordW  = DataW + TlbParity;              // {parity, data}
  localparam int ValidW = Ways * Pages;
  localparam int KeptW  = ValidW * (1 + TlbParity);       // {inverted, valid}

  if (Ways < 2 || Sets < 2 || Sets * Ways != Entries || (Sets & (Sets - 1)) != 0) begin :
      gen_bad_shape
    gmmu_l2tlb_base_Sets_must_be_a_power_of_two_and_Ways_at_least_2 u_bad();
  end
  if (Ports != 1 && Ports != 2) begin : gen_bad_ports
    gmmu_l2tlb_base_Ports_must_be_1_or_2 u_bad();
  end
  if (Pages != 1 && Pages != 4) begin : gen_bad_pages
    gmmu_l2tlb_base_Pages_must_be_1_or_4 u_bad();
  end

  // Valid bits and order of a set mean something once its init bit is set; before, it is empty with
  // way 0 the least recent. So only one bit per set is reset.
  logic [Sets-1:0]  init;
  logic [KeptW-1:0] valid_q [0:Sets-1];

  `include "gmmu_first.svh"

  // ---- what stage B wrote one cycle ago, for the set that stage A was reading then. An order with
  // an upset bit may name no way: nothing is written then.
  logic [Ways-1:0]  into, write_hot_q;     // the way that is filled, or none
  logic [SetW-1:0]  wr_set, write_set_q;
  logic [TagW-1:0]  wr_tag, write_tag_q;
  logic [WordW-1:0] fill_word, write_data_q;
  assign fill_word = WordW'({^fill_data_i, fill_data_i});
  gmmu_set_write #(.SetW(SetW), .Ways(Ways), .TagW(TagW), .DataW(WordW)) u_write (
    .clk_i, .rst_ni, .we_i(fill_i), .set_i(wr_set), .hot_i(into), .tag_i(wr_tag),
    .data_i(fill_word), .write_hot_q_o(write_hot_q), .write_set_q_o(write_set_q),
    .write_tag_q_o(write_tag_q), .write_data_q_o(write_data_q)
  );

  // ---- ports
  logic [Ways*Pages-1:0] next_valid;    // the pages of port 0's set behind a fill or sweep
  logic [Ports*SetW-1:0] read_sets;
  logic [Ports-1:0]      read_known, same_tag;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [SetW-1:0] set;
    logic [ValidW-1:0] set_valid, set_valid_q;
    logic [KeptW-1:0] kept;
    logic [1:0]      read_page;   // within its entry
    logic [Ways-1:0] read_valid;
    logic            renewed;   // a way of the set was written in stage A's cycle
    logic [SetW-1:0] read_set;
    logic [TagW-1:0] read_key;
    logic [WordW-1:0] stored, word;       // that was found: in the RAMs, anywhere
    logic [Ways-1:0]  same, has, found, wrong;   // has: same, and valid
    logic [Ways-1:0]  fresh;              // written after it was read
    logic [ValidW-1:0] range;
    logic [Ways*WordW-1:0] found_data;
    assign set   = vfn_i[p*VfnW + GrpW +: SetW];
    assign read_page = Pages == 1 ? 2'd0 : read_vfn_i[p*VfnW +: 2];
    // what is valid is read in stage A; what stage B leaves of that set counts
    assign kept      = valid_q[read_set];
    assign set_valid = flush_i ? '0 : (fill_i | sweep_i) & wr_set == read_set ? next_valid
        : !init[read_set] ? '0
        : TlbParity != 0 ? kept[ValidW-1:0] & ~kept[KeptW-1 -: ValidW] : kept[ValidW-1:0];
    always_ff @(posedge clk_i) set_valid_q <= set_valid;
    assign read_set = read_vfn_i[p*VfnW + GrpW +: SetW];
    assign read_sets[p*SetW +: SetW] = read_set;
    assign read_known[p]             = init[read_set];
    assign read_key = {read_asid_i[p*AsidW +: AsidW], read_vfn_i[p*VfnW + GrpW + SetW +: NumW]};
    gmmu_l2tlb_tags #(.Sets(Sets), .Ways(Ways), .AsidW(AsidW), .NumW(NumW), .Pages(Pages),
        .Sweep(p == 0 ? 1 : 0), .TlbParity(TlbParity)) u_tags (
      .clk_i, .we_i(into), .wr_set_i(wr_set), .wr_i(fill_i), .wr_tag_i(wr_tag),
      .write_hot_i(write_hot_q), .write_set_i(write_set_q), .write_tag_i(write_tag_q),
      .read_i(early_i[p]), .read_set_i(early_set_i[p*SetW +: SetW]), .search_i(read_i[p]),
      .set_i(read_set), .key_i(read_key), .valid_i(read_valid),
      .asid_all_i(sweep_asid_all_i), .asid_i(sweep_asid_i), .lo_i(sweep_lo_i), .hi_i(sweep_hi_i),
      .same_o(same), .found_o(has), .range_o(range), .wrong_o(wrong), .renewed_o(renewed)
    );
    logic [Ways*WordW-1:0] words;
    if (OneData != 0) begin : gen_one_data
      logic [Ways*WordW-1:0] mask;
      for (genvar w = 0; w < Ways; w++) begin : gen_mask
        assign mask[w*WordW +: WordW] = {WordW{into[w]}};
      end
      gmmu_ram_mask #(.Width(Ways * WordW), .Depth(Sets)) u_data (
        .clk_i, .we_i(fill_i), .waddr_i(wr_set), .wmask_i(mask), .wdata_i({Ways{fill_word}}),
        .re_i(read_i[p]), .raddr_i(read_set), .rdata_o(words)
      );
    end
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      if (OneData == 0) begin : gen_data
        gmmu_ram #(.Width(WordW), .Depth(Sets)) u_data (
          .clk_i, .we_i(into[w]), .waddr_i(wr_set), .wdata_i(fill_word), .re_i(read_i[p]),
          .raddr_i(read_set), .rdata_o(words[w*WordW +: WordW])
        );
      end
      assign fresh[w] = renewed & write_hot_q[w];
      assign read_valid[w] = set_valid[w*Pages + 32'(read_page)];
      assign found[w] = search_i[p] & has[w];
      assign found_data[w*WordW +: WordW] =
          found[w] & !fresh[w] ? words[w*WordW +: WordW] : '0;
    end
    gmmu_way_mux #(.Ways(Ways), .DataW(WordW), .Pages(Pages)) u_mux (
      .found_i(found), .data_i(found_data), .valid_i(set_valid_q), .hit_o(same_tag[p]),
      .way_o(way_o[p*WayW +: WayW]), .data_o(stored), .pages_o(pages_o[p*Pages +: Pages])
    );
    assign word = |(found & fresh) ? write_data_q : stored;
    // One way at most has the tag: the parity of what was chosen is that of its data.
    assign bad_o[p] = TlbParity != 0 ? ^word : 1'b0;
    assign hit_o[p] = same_tag[p] & !bad_o[p];
    assign data_o[p*DataW +: DataW] = word[DataW-1:0];
  end

  // ---- port 0: fill
  logic             full, same;
  logic [SetW-1:0]  set0;
  logic [Ways-1:0]  used, victim;     // victim: one-hot
  logic [Ways*Pages-1:0] valid0, gone;
  assign set0   = vfn_i[GrpW +: SetW];
  assign wr_set = set0;
  assign wr_tag = {asid_i[AsidW-1:0], vfn_i[VfnW-1:SetW+GrpW]};
  // A way whose tag is wrong goes with a fill or sweep: port 1, which has tags of its own, may
  // still find its page, and a sweep does not know whether it is in range.
  for (genvar w = 0; w < Ways; w++) begin : gen_used
    assign valid0[w*Pages +: Pages] = gen_port[0].wrong[w] ? '0
        : gen_port[0].set_valid_q[w*Pages +: Pages];
    assign used[w] = |valid0[w*Pages +: Pages];
  end
  // The lowest free way of the set is chosen in the cycle before, from registers: also for the set
  // that is filled then, for which only whether a way is overwritten is known late.
  logic            all_used;
  logic [Ways-1:0] old, free_q;
  if (Pages == 1 && TlbParity == 0) begin : gen_free
    logic [Ways-1:0] kept, less, stored, swept;
    localparam int Few = 32'(Ways <= 4);    // one search for all is smaller, and fast enough
    logic            mine, full_q, unused_full;
    assign mine   = wr_set == read_sets[SetW-1:0];
    assign kept   = valid_q[read_sets[SetW-1:0]];
    assign stored = Few != 0 && (sweep_i & mine) ? swept : read_known[0] ? kept : '0;
    assign swept  = used & ~gone;
    assign less   = first(~(used | free_q));
    always_ff @(posedge clk_i) begin
      if (flush_i) begin
        free_q <= Ways'(1);
        full_q <= 1'b0;
      end else if (fill_i & mine) begin
        free_q <= same ? free_q : less;
        full_q <= same ? full_q : less == '0;
      end else if (Few == 0 && (sweep_i & mine)) begin
        free_q <= first(~swept);
        full_q <= swept == {Ways{1'b1}};
      end else begin
        free_q <= first(~stored);
        full_q <= stored == {Ways{1'b1}};
      end
    end
    assign unused_full = all_used;
    assign full        = full_q;
    assign victim      = !ask_i ? '0 : full_q ? old : free_q;
  end else begin : gen_free_now
    assign free_q = '0;
    assign full   = all_used;
    assign victim = old;
  end
  // Which entry takes the fill: of the same tag; with groups, of the same tag and contents. lose:
  // pages that entries of the group lose to it.
  logic [WayW-1:0]       same_way;
  logic [Ways-1:0]       same_hot;
  logic [Ways*Pages-1:0] lose;
  if (Pages == 1) begin : gen_single
    assign same     = same_tag[0];
    assign same_way = way_o[WayW-1:0];
    assign same_hot = gen_port[0].found;
    assign lose     = '0;
  end else begin : gen_group
    logic [Ways-1:0] of_group, alike;
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      logic [WordW-1:0] now;
      assign of_group[w] = fill_i & gen_port[0].same[w] & used[w];
      assign now         = gen_port[0].fresh[w] ? write_data_q
          : gen_port[0].words[w*WordW +: WordW];
      assign alike[w]    = of_group[w] & now == fill_word;
      assign lose[w*Pages +: Pages] = (of_group[w] & !alike[w]) ? fill_pages_i : '0;
    end
    assign same     = |alike;
    assign same_hot = alike;
    always_comb begin
      same_way = '0;
      for (int w = 0; w < Ways; w++) if (alike[w]) same_way = same_way | WayW'(w);
    end
  end
  assign fill_way_o       = same ? same_way : index(victim);
  assign fill_overwrite_o = ask_i & same;
  assign fill_evict_o     = ask_i & !same & full;

  // ---- port 0: sweep of its set; the set's pages after a fill or sweep
  for (genvar w = 0; w < Ways; w++) begin : gen_sweep
    logic [Pages-1:0] kept;
    assign gone[w*Pages +: Pages] = (sweep_i ? valid0[w*Pages +: Pages] : '0) &
        ({Pages{sweep_all_i}} | gen_port[0].range[w*Pages +: Pages]);
    assign sweep_cleared_o[w] = |gone[w*Pages +: Pages];
    assign into[w] = fill_i & (same ? same_hot[w] : victim[w]);
    assign kept = (into[w] & !same) ? '0
                  : valid0[w*Pages +: Pages] & ~gone[w*Pages +: Pages] & ~lose[w*Pages +: Pages];
    assign next_valid[w*Pages +: Pages] = kept | (into[w] ? fill_pages_i : '0);
  end

  // ---- state
  // The order of a fill's set too: a fill is a touch of port 0.
  logic [Ports*SetW-1:0] touch_set;
  logic [Ports*Ways-1:0] touch;     // one-hot, by port
  assign touch[Ways-1:0] = fill_i ? into : touch_i[0] & !bad_o[0] ? gen_port[0].found : '0;
  if (Ports == 2) begin : gen_touch1
    assign touch[2*Ways-1:Ways] = touch_i[1] & !bad_o[1] ? gen_port[1].found : '0;
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_touch_set
    assign touch_set[p*SetW +: SetW] = vfn_i[p*VfnW + GrpW +: SetW];
  end
  gmmu_replace #(.Sets(Sets), .Ways(Ways), .Ports(Ports), .Ahead(1)) u_replace (
    .clk_i, .rst_ni, .flush_i, .early_set_i(read_sets), .early_known_i(read_known),
    .set_i(touch_set), .known_i({Ports{1'b1}}), .touch_i(touch), .held_i(1'b1),
    .query_i(ask_i), .may_i({Ways{1'b1}}), .full_o(all_used), .way_o(old),
    .used_i(Pages == 1 && TlbParity == 0 ? {Ways{1'b1}} : used)
  );

  // an empty set is never touched or swept clear
  gmmu_l2tlb_init #(.Sets(Sets), .TlbParity(TlbParity)) u_init (
    .clk_i, .rst_ni, .flush_i, .fill_i, .set_i(set0), .init_o(init)
  );
  always_ff @(posedge clk_i) begin
    if (fill_i | sweep_i) valid_q[set0] <= KeptW'({~next_valid, next_valid});
  end
endmodule
`default_nettype wire
