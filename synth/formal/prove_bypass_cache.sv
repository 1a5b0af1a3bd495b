// SPDX-License-Identifier: Apache-2.0
// Searches, fills and removals answer as if all were compared in their own cycle, with what earlier
// ones left. No sweeps. See proofs.txt and docs/formal.md.
`default_nettype none
module prove_bypass_cache #(
  parameter int Entries = 2,
  parameter int VfnW    = 10,
  parameter int Covers  = 0,
  localparam int Ports  = 2,
  localparam int AsidW  = 1,
  localparam int N      = Entries,
  localparam int WayW   = $clog2(Entries),
  localparam int LfnW   = VfnW - 9
) (
  input  logic                   clk_i,
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*AsidW-1:0] read_asid_i,
  input  logic [Ports*VfnW-1:0]  read_vfn_i,
  input  logic [7:0]             read_fill_i,
  input  logic [Ports-1:0]       search_i,
  input  logic [Ports-1:0]       touch_i,
  input  logic                   fin_i,
  input  logic                   fill_i,
  input  logic                   leave_i,
  input  logic                   fill_data_i
);
  `include "prove.svh"

  // ---- stage B has the keys of stage A
  logic [Ports-1:0]       read_q;
  logic [Ports*AsidW-1:0] asid_q;
  logic [Ports*VfnW-1:0]  vfn_q;
  logic [7:0]             fill_q;
  always_ff @(posedge clk_i) begin
    read_q <= rst_ni ? read_i : '0;
    asid_q <= read_asid_i;
    vfn_q  <= read_vfn_i;
    fill_q <= read_fill_i;
  end
  logic       a_sub, a_lg, sub, lg;
  logic [2:0] a_start, a_last, start, last;
  assign {a_sub, a_lg, a_start, a_last} = read_fill_i;
  assign {sub, lg, start, last}         = fill_q;

  logic [Ports-1:0]      hit, lg_hit;
  logic [Ports*WayW-1:0] way;
  logic [WayW-1:0]       fill_way;
  logic [N-1:0]          left;
  logic                  overwrite, evict, unused;
  logic [Ports-1:0]      bad;
  logic [Ports-1:0]      data;
  logic [Ports*9-1:0]    offset;
  logic [WayW-1:0]       sweep_way;
  logic                  busy, visit, cleared;
  assign unused = ^{bad, data, offset, sweep_way, busy, visit, cleared};
  gmmu_bypass_cache #(.Entries(Entries), .Ports(Ports), .AsidW(AsidW), .VfnW(VfnW), .DataW(1))
  u_dut (
    .clk_i, .rst_ni, .read_i, .read_asid_i, .read_vfn_i, .read_fill_i, .search_i, .touch_i,
    .asid_i(asid_q), .vfn_i(vfn_q), .hit_o(hit), .bad_o(bad), .lg_o(lg_hit), .way_o(way),
    .data_o(data), .offset_o(offset), .fin_i, .fill_i, .leave_i, .fill_sub_i(sub), .fill_lg_i(lg),
    .fill_start_i(start), .fill_len_i(last - start), .fill_data_i, .fill_way_o(fill_way),
    .fill_overwrite_o(overwrite), .fill_evict_o(evict), .left_o(left), .sweep_start_i(1'b0),
    .sweep_all_i(1'b0), .sweep_asid_all_i(1'b0), .sweep_asid_i(1'b0), .sweep_lo_i(36'd0),
    .sweep_hi_i(36'd0), .sweep_busy_o(busy), .sweep_visit_o(visit), .sweep_cleared_o(cleared),
    .sweep_way_o(sweep_way)
  );

  always_comb begin
    assume (a_sub ? a_start <= a_last : !a_lg);
    assume (!a_lg | (a_start == 3'd0 & a_last == 3'd7));
    assume ((search_i & ~read_q) == '0);
    assume ((touch_i & ~search_i) == '0);
    assume (!(fill_i & leave_i) & (!(fill_i | leave_i) | fin_i));
    assume (!fin_i | (read_q[0] & !search_i[0]));
  end

  // ---- the entries, by what was filled
  logic [N-1:0]      valid_q, kind_q, lg_q;
  logic [N-1:0]      asids_q;
  logic [N*LfnW-1:0] lfn_q;
  logic [N*9-1:0]    low_q;        // {first subregion, others, LG, 0} of a run
  logic [N-1:0]      goes, same, over;
  logic [Ports*N-1:0] covers;
  for (genvar i = 0; i < N; i++) begin : gen_entry
    logic       of_frame;
    logic [2:0] from, to;
    assign from     = low_q[i*9+6 +: 3];
    assign to       = from + low_q[i*9+3 +: 3];
    assign lg_q[i]  = low_q[i*9+2];
    assign of_frame = read_q[0] & valid_q[i] & asids_q[i] == asid_q[0] &
                      lfn_q[i*LfnW +: LfnW] == vfn_q[VfnW-1:9];
    assign same[i]  = of_frame & kind_q[i] == sub &
                      (sub ? from == start : low_q[i*9 +: 9] == vfn_q[8:0]);
    assign over[i]  = of_frame & kind_q[i] & sub & from != start & from <= last & start <= to;
    assign goes[i]  = fill_i ? over[i] : leave_i & (same[i] | over[i]);
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      logic [2:0] at;
      assign at = vfn_q[p*VfnW+6 +: 3];
      assign covers[p*N + i] = read_q[p] & valid_q[i] & asids_q[i] == asid_q[p] &
          lfn_q[i*LfnW +: LfnW] == vfn_q[p*VfnW+9 +: LfnW] &
          (kind_q[i] ? from <= at & at <= to : low_q[i*9 +: 9] == vfn_q[p*VfnW +: 9]);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q[i] <= 1'b0;
      else if (fill_i & fill_way == WayW'(i)) valid_q[i] <= 1'b1;
      else if (goes[i]) valid_q[i] <= 1'b0;
      if (fill_i & fill_way == WayW'(i)) begin
        kind_q[i]               <= sub;
        asids_q[i]              <= asid_q[0];
        lfn_q[i*LfnW +: LfnW]   <= vfn_q[VfnW-1:9];
        low_q[i*9 +: 9]         <= sub ? {start, last - start, lg, 2'd0} : vfn_q[8:0];
      end
    end
  end

  logic [N-1:0] fill_hot;
  assign fill_hot = N'(1) << fill_way;
  if (Covers == 0) begin : gen_assert
    logic [Ports-1:0] hit_ok, lg_ok, way_ok, one_ok;
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      logic [N-1:0] of_page, runs, pages;
      assign of_page   = covers[p*N +: N];
      assign runs      = of_page & kind_q;
      assign pages     = of_page & ~kind_q;
      assign hit_ok[p] = hit[p] == (search_i[p] & of_page != '0);
      assign lg_ok[p]  = lg_hit[p] == (search_i[p] & (runs & lg_q) != '0);
      assign way_ok[p] = !hit[p] |
          (((runs != '0 ? runs : pages) >> way[p*WayW +: WayW]) & N'(1)) != '0;
      assign one_ok[p] = (runs & (runs - 1'b1)) == '0 & (pages & (pages - 1'b1)) == '0;
    end
    always_comb begin
      if (rst_ni) begin
        hit_is_what_was_filled: assert (&hit_ok);
        lg_is_of_the_run: assert (&lg_ok);
        way_is_the_run_else_the_page: assert (&way_ok);
        one_of_a_kind: assert (&one_ok);
        overwrites_the_same: assert (overwrite == (fill_i & same != '0));
        into_the_same: assert (!overwrite | (same & fill_hot) != '0);
        what_is_replaced_goes: assert (left == goes);
        free_first: assert (!fill_i | overwrite |
            (valid_q & ~goes & fill_hot) == '0 | (valid_q & ~goes) == {N{1'b1}});
        evicts_when_full: assert (evict ==
            (fill_i & !overwrite & (valid_q & ~goes) == {N{1'b1}}));
      end
    end
  end else begin : gen_cover
    logic fill_before_q;
    always_ff @(posedge clk_i) fill_before_q <= rst_ni & fill_i;
    always_comb begin
      if (rst_ni) begin
        assert (!(fill_before_q & overwrite & !sub));
        assert (!(fill_before_q & fill_i & over != '0));
        assert (!(hit == 2'b11 & evict == 1'b0 & lg_hit == 2'b01));
        assert (!evict);
      end
    end
  end
endmodule
`default_nettype wire
