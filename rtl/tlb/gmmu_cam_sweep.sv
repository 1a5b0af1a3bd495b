// SPDX-License-Identifier: Apache-2.0
// gmmu_cam_sweep: the sweep of a fully associative array: from the cycle after start on, one way a
// cycle; which pages of it are swept, and what is reported of the visit. Part of gmmu_tlb_cam.
// Ahead: its tag is read in the cycle before the visit; what is filled then is compared beside, as
// the command is there already (1), or taken instead of it (2, without a register an entry).
// Legal: Pages 1 or 4, with Ahead 1.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_cam_sweep #(
  parameter int N     = 16,
  parameter int AsidW = 9,
  parameter int NumW  = 36,
  parameter int Pages = 1,
  parameter int Shift = 0,
  parameter int Ahead = 0,
  localparam int WayW = gmmu_pkg::idx_w(N)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  sweep_start_i,
  input  logic                  sweep_all_i,
  input  logic                  sweep_asid_all_i,
  input  logic [AsidW-1:0]      sweep_asid_i,
  input  logic [35:0]           sweep_lo_i,
  input  logic [35:0]           sweep_hi_i,
  input  logic [AsidW+NumW-1:0] tag_i,          // of way read_o
  input  logic [AsidW+NumW-1:0] key_i,          // of the fill
  // entries in this cycle, and its fill
  input  logic [N*Pages-1:0]    valid_i,
  input  logic [N-1:0]          into_i,
  input  logic [N*Pages-1:0]    lose_i,
  input  logic                  same_i,
  input  logic [Pages-1:0]      fill_pages_i,
  output logic [N-1:0]          at_o,           // the way that is visited, one-hot
  output logic [N-1:0]          upto_o,         // Ahead=2: it and all below
  output logic [N-1:0]          read_o,         // whose tag is given: at_o, or the next one
  output logic [WayW-1:0]       way_o,          // the number of at_o
  output logic [Pages-1:0]      sweeps_o,       // its pages that are swept; 0 without a visit
  output logic                  sweep_busy_o,
  output logic                  sweep_visit_o,
  output logic                  sweep_cleared_o,
  output logic [WayW-1:0]       sweep_way_o
);
  // gone: pages that the visited entry loses
  logic [Pages-1:0] gone, held;
  logic             clear;
  logic [WayW-1:0]  ptr;
  // The way that is visited, one-hot: within its group, and of which group.
  localparam int Group  = 8;
  localparam int Groups = (N + Group - 1) / Group;
  logic [Group-1:0]        low_d, low;
  logic [Groups-1:0]       high_d, high;
  logic [Groups:0]         higher;
  logic [Groups*Group-1:0] next;
  assign low_d  = sweep_start_i ? Group'(1) : {low[Group-2:0], low[Group-1]};
  assign higher = {high, 1'b0};
  assign high_d = sweep_start_i ? Groups'(1) : low[Group-1] ? higher[Groups-1:0] : high;
  gmmu_clkgate #(.Width(Group + Groups)) u_at (
    .clk_i, .en_i(sweep_start_i | sweep_busy_o), .d_i({low_d, high_d}), .q_o({low, high})
  );
`ifdef VERILATOR    // nobody looks at it without a sweep; at and upto likewise
  always_comb begin
    next = '0;
    if (sweep_start_i | sweep_busy_o) begin
      for (int g = 0; g < Groups; g++) if (high_d[g]) next[g*Group +: Group] = low_d;
    end
  end
`else
  for (genvar g = 0; g < Groups; g++) begin : gen_next
    assign next[g*Group +: Group] = high_d[g] ? low_d : '0;
  end
`endif
  if (Ahead == 1) begin : gen_at_ahead
    gmmu_clkgate #(.Width(N)) u_visited (
      .clk_i, .en_i(sweep_start_i | sweep_busy_o), .d_i(next[N-1:0]), .q_o(at_o)
    );
    assign read_o = next[N-1:0];
    assign upto_o = '0;
  end else begin : gen_at_now
    logic [Groups*Group-1:0] at;
    logic                    unused_next;
`ifdef VERILATOR
    always_comb begin
      at = '0;
      if (sweep_busy_o)
        for (int g = 0; g < Groups; g++) if (high[g]) at[g*Group +: Group] = low;
    end
`else
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      assign at[g*Group +: Group] = high[g] ? low : '0;
    end
`endif
    assign unused_next = ^next;
    assign at_o        = at[N-1:0];
    assign read_o      = Ahead == 2 ? next[N-1:0] : at_o;
    if (Ahead == 2) begin : gen_upto
      logic [Group-1:0]        low_upto;
      logic [Groups-1:0]       high_below;
      logic [Groups*Group-1:0] upto;
      gmmu_clkgate #(.Width(Group + Groups)) u_upto (
        .clk_i, .en_i(sweep_start_i | sweep_busy_o),
        .d_i({sweep_start_i | low[Group-1] ? Group'(1) : {low_upto[Group-2:0], 1'b1},
              sweep_start_i ? Groups'(0) : low[Group-1] ? high_below | high : high_below}),
        .q_o({low_upto, high_below})
      );
`ifdef VERILATOR
      always_comb begin
        upto = '0;
        if (sweep_busy_o) begin
          for (int g = 0; g < Groups; g++)
            upto[g*Group +: Group] = {Group{high_below[g]}} | (high[g] ? low_upto : '0);
        end
      end
`else
      for (genvar g = 0; g < Groups; g++) begin : gen_group
        assign upto[g*Group +: Group] = {Group{high_below[g]}} | (high[g] ? low_upto : '0);
      end
`endif
      assign upto_o = upto[N-1:0];
    end else begin : gen_no_upto
      assign upto_o = '0;
    end
  end
  logic [AsidW+NumW-1:0] tag;
  logic [Pages-1:0]      sweeps;
  gmmu_sweep_match #(.AsidW(AsidW), .NumW(NumW), .Pages(Pages), .Shift(Shift)) u_range (
    .look_i(sweep_busy_o), .tag_i(tag), .all_i(sweep_all_i), .asid_all_i(sweep_asid_all_i),
    .asid_i(sweep_asid_i), .lo_i(sweep_lo_i), .hi_i(sweep_hi_i), .match_o(sweeps)
  );
  if (Ahead == 1) begin : gen_ahead
    // What is filled in the cycle in which the tag is read is compared beside.
    logic [AsidW+NumW-1:0] tag_q;
    logic [N-1:0]          into_q;
    logic [Pages-1:0]      key_sweeps, key_sweeps_q;
    gmmu_sweep_match #(.AsidW(AsidW), .NumW(NumW), .Pages(Pages), .Shift(Shift)) u_key (
      .look_i(sweep_start_i | sweep_busy_o), .tag_i(key_i), .all_i(sweep_all_i),
      .asid_all_i(sweep_asid_all_i), .asid_i(sweep_asid_i), .lo_i(sweep_lo_i), .hi_i(sweep_hi_i),
      .match_o(key_sweeps)
    );
    always_ff @(posedge clk_i) begin
      tag_q        <= tag_i;
      into_q       <= into_i;
      key_sweeps_q <= key_sweeps;
    end
    assign tag      = tag_q;
    assign sweeps_o = !(|(into_q & at_o)) ? sweeps : sweep_busy_o ? key_sweeps_q : '0;
  end else if (Ahead == 2) begin : gen_read
    // Which entry is filled is known last: whether it is this one is one bit.
    logic [AsidW+NumW-1:0] tag_q, key_q;
    logic                  filled_q;
    always_ff @(posedge clk_i) begin
      tag_q    <= tag_i;
      key_q    <= key_i;
      filled_q <= |(into_i & read_o);
    end
    assign tag      = filled_q ? key_q : tag_q;
    assign sweeps_o = sweeps;
  end else begin : gen_now
    logic unused_key;
    assign unused_key = ^key_i;
    assign tag        = tag_i;
    assign sweeps_o   = sweeps;
  end
  // What a fill of this cycle brings stays; the next state has it set again whatever is swept.
  if (Pages == 1) begin : gen_held_single
    logic unused_group;
    assign unused_group = ^{lose_i, same_i, fill_pages_i};
    assign held = |(valid_i & ~into_i & at_o);
  end else begin : gen_held_group
    logic [Pages-1:0] visited;
    assign visited = valid_i[ptr*Pages +: Pages];
    assign held = !into_i[ptr] ? visited & ~lose_i[ptr*Pages +: Pages]
                  : same_i ? visited & ~fill_pages_i : '0;
  end
  assign way_o = ptr;
  assign gone  = held & sweeps_o;
  assign clear = |gone;
  gmmu_way_sweep #(.Ways(N)) u_sweep (
    .clk_i, .rst_ni, .start_i(sweep_start_i), .clear_i(clear), .busy_o(sweep_busy_o), .ptr_o(ptr),
    .visit_o(sweep_visit_o), .cleared_o(sweep_cleared_o), .way_o(sweep_way_o)
  );

  `GMMU_ASSERT_IF(cam_sweep_upto, Ahead == 2 && sweep_busy_o, upto_o == (at_o | (at_o - 1'b1)))
  `GMMU_ASSERT_IF(cam_sweep_visits_one, sweep_busy_o, at_o == N'(1) << ptr)
endmodule
`default_nettype wire
