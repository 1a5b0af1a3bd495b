// SPDX-License-Identifier: Apache-2.0
// Where a walk begins, of 16-bit frames: the root table of its context, the index that its page has
// in it and the level, by the context's mode; or the first cause that applies, and ends it before a
// read: context not on, page not canonical, root in no window for tables (docs/walk-rules.md, 1 to
// 3).
`default_nettype none
module prove_walk_root #(
  parameter int Covers = 0,
  localparam int NumAsids = 3,
  localparam int PfnW     = 16,
  localparam int VfnW     = 36,
  localparam int W        = 2      // windows
) (
  input  logic                     clk_i,
  input  logic [1:0]               app_i,
  input  logic [VfnW-1:0]          vfn_i,
  input  logic [NumAsids*PfnW-1:0] root_i,
  input  logic [NumAsids-1:0]      sv48_i,
  input  logic [NumAsids-1:0]      on_i,
  input  logic [W*PfnW-1:0]        lo_i,
  input  logic [W*PfnW-1:0]        hi_i,
  input  logic [W-1:0]             walk_i
);
  `include "prove.svh"

  logic [PfnW-1:0]       pfn;
  logic [8:0]            idx;
  logic [1:0]            level;
  logic                  sv48, known_q, sv48_q, want_sv48;
  logic [4:0]            cause, want_q, want;
  logic [PfnW-1:0]       root, root_q;
  logic [VfnW-1:0]       vfn_q;
  logic [2*NumAsids-1:0] mode;
  for (genvar a = 0; a < NumAsids; a++) begin : gen_mode
    assign mode[a*2 +: 2] = sv48_i[a] ? gmmu_pkg::MODE_SV48 : gmmu_pkg::MODE_SV39;
  end
  gmmu_walker_root #(.NumAsids(NumAsids), .VfnW(VfnW), .PfnW(PfnW), .NumWindows(W)) u_dut (
    .clk_i, .app_i(NumAsids'(1) << app_i), .canonical_i(vfn_i[35:27] == {9{vfn_i[26]}}),
    .vfn_i(vfn_q), .ctx_root_i(root_i), .ctx_mode_i(mode), .ctx_on_i(on_i), .win_lo_i(lo_i),
    .win_hi_i(hi_i), .win_walk_i(walk_i), .pfn_o(pfn), .idx_o(idx), .level_o(level),
    .sv48_o(sv48), .cause_o(cause)
  );

  logic window;
  always_comb begin
    assume (32'(app_i) < NumAsids);
    root      = root_i[app_i*PfnW +: PfnW];
    want_sv48 = sv48_i[app_i];
    window    = 1'b0;
    for (int w = 0; w < W; w++) begin
      if (walk_i[w] && root >= lo_i[w*PfnW +: PfnW] && root <= hi_i[w*PfnW +: PfnW]) window = 1'b1;
    end
    want = !on_i[app_i] ? gmmu_pkg::CAUSE_UNKNOWN_ASID
         : !want_sv48 && vfn_i[35:26] != '0 && vfn_i[35:26] != '1 ? gmmu_pkg::CAUSE_NON_CANONICAL
         : !window ? gmmu_pkg::CAUSE_AF_WALK_WINDOW : gmmu_pkg::CAUSE_OK;
  end
  always_ff @(posedge clk_i) begin
    known_q <= rst_ni;
    {root_q, sv48_q, want_q, vfn_q} <= {root, want_sv48, want, vfn_i};
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni && known_q) begin
        begins: assert (pfn == root_q && sv48 == sv48_q &&
            idx == (sv48_q ? vfn_q[35:27] : vfn_q[26:18]) &&
            level == (sv48_q ? gmmu_pkg::LEVEL_512G : gmmu_pkg::LEVEL_1G));
        why:    assert (cause == want_q);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni && known_q) assert (!(cause == gmmu_pkg::CAUSE_OK && sv48));
    always_comb if (rst_ni && known_q) assert (cause != gmmu_pkg::CAUSE_NON_CANONICAL);
    always_comb if (rst_ni && known_q) assert (cause != gmmu_pkg::CAUSE_AF_WALK_WINDOW);
  end
endmodule
`default_nettype wire
