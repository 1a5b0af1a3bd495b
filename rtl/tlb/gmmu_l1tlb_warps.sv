// SPDX-License-Identifier: Apache-2.0
// gmmu_l1tlb_warps: distinct warps that wait on each miss register of one L1 TLB, and what of it
// the L2 was told. Rules and timing: docs/l1_tlb.md, "Waiting warps". Source: MASK section 5.4
// (WarpsStalled), architecture of the per-MSHR 6-bit counters in section 7.4.
//
// What is allocated or merged in cycle m (the miss stage) has its warp's bit read and set in m+1,
// and is counted at the end of m+2. Counts saturate at 63. Legal: Mshrs >= 1, WarpW 1..8.
`default_nettype none
module gmmu_l1tlb_warps #(
  parameter int Mshrs = 32,
  parameter int WarpW = 8,
  parameter int L2MW  = 6,
  localparam int IdxW = gmmu_pkg::idx_w(Mshrs)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // miss stage: a lookup that allocates or merges
  input  logic            alloc_i,
  input  logic            merge_i,
  input  logic [IdxW-1:0] mshr_i,
  input  logic [WarpW-1:0] warp_i,
  // the L2 took the request of this MSHR into its own register
  input  logic            taken_i,
  input  logic [IdxW-1:0] taken_mshr_i,
  input  logic [L2MW-1:0] taken_l2_i,
  // the L2 answered
  input  logic            rsp_valid_i,
  input  logic [IdxW-1:0] rsp_mshr_i,
  // additions for the L2
  output logic            tell_valid_o,
  input  logic            tell_ready_i,
  output logic [IdxW-1:0] tell_l1_o,
  output logic [L2MW-1:0] tell_l2_o,
  output logic [5:0]      tell_warps_o
);
  localparam int Warps = 1 << WarpW;
  localparam int N     = Mshrs;
  `include "gmmu_first.svh"

  if (WarpW < 1 || WarpW > 8) begin : gen_bad_warp
    gmmu_l1tlb_warps_WarpW_must_be_1_to_8 u_bad();
  end

  logic [Warps-1:0] seen_q [0:Mshrs-1];   // warps that wait
  logic [5:0]       warps_q [0:Mshrs-1];  // how many
  logic [5:0]       untold_q [0:Mshrs-1]; // of them the L2 was not told
  logic [L2MW-1:0]  l2_mshr_q [0:Mshrs-1];
  logic [Mshrs-1:0] taken_q, tell_q;

  // ---- one more distinct warp? Its bit is set anyhow: beyond 63 none is counted
  logic             join_first_q, join_more_q;
  logic [IdxW-1:0]  join_mshr_q;
  logic [WarpW-1:0] join_warp_q;
  logic [Warps-1:0] hot, row;
  assign hot = Warps'(1) << join_warp_q;
  assign row = seen_q[join_mshr_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      join_first_q <= 1'b0;
      join_more_q  <= 1'b0;
    end else begin
      join_first_q <= alloc_i;
      join_more_q  <= merge_i;
    end
  end
  always_ff @(posedge clk_i) begin
    join_mshr_q <= mshr_i;
    join_warp_q <= warp_i;
    if (join_first_q | join_more_q) seen_q[join_mshr_q] <= join_first_q ? hot : row | hot;
  end

  // ---- count
  logic            first_q, more_q, add;
  logic [IdxW-1:0] count_mshr_q;
  logic [5:0]      warps;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q <= 1'b0;
      more_q  <= 1'b0;
    end else begin
      first_q <= join_first_q;
      more_q  <= join_more_q & !row[join_warp_q];
    end
  end
  always_ff @(posedge clk_i) count_mshr_q <= join_mshr_q;
  assign warps = warps_q[count_mshr_q];
  assign add   = more_q & !(&warps);

  // ---- offer
  logic            tell;
  logic [IdxW-1:0] tell_idx;
  assign tell = tell_valid_o & tell_ready_i;
  logic [Mshrs-1:0] tell_gnt;
  gmmu_rr_hot #(.Reqs(Mshrs)) u_tell (
    .clk_i, .rst_ni, .req_i(tell_q), .take_i(tell), .valid_o(tell_valid_o), .gnt_o(tell_gnt)
  );
  assign tell_idx = index(tell_gnt);
  assign tell_l1_o    = tell_idx;
  assign tell_l2_o    = l2_mshr_q[tell_idx];
  assign tell_warps_o = untold_q[tell_idx];

  // ---- state: an addition wins over a tell, an answer over both
  logic [Mshrs-1:0] rsp_hot, taken_hot, tell_hot, add_hot, alloc_hot, taken_d, tell_d;
  assign rsp_hot   = rsp_valid_i ? Mshrs'(1) << rsp_mshr_i : '0;
  assign taken_hot = taken_i ? Mshrs'(1) << taken_mshr_i : '0;
  assign tell_hot  = tell ? tell_gnt : '0;
  assign add_hot   = add ? Mshrs'(1) << count_mshr_q : '0;
  assign alloc_hot = first_q ? Mshrs'(1) << count_mshr_q : '0;
  assign taken_d   = (taken_q & ~alloc_hot & ~rsp_hot) | taken_hot;
  assign tell_d    = (((tell_q & ~tell_hot) | (add_hot & taken_q)) & ~alloc_hot & ~rsp_hot) |
      taken_hot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q <= '0;
      tell_q  <= '0;
    end else begin
      taken_q <= taken_d;
      tell_q  <= tell_d;
    end
  end

  logic             taken_add;
  assign taken_add = add & count_mshr_q == taken_mshr_i;
  always_ff @(posedge clk_i) begin
    if (first_q) warps_q[count_mshr_q] <= 6'd1;
    else if (add) warps_q[count_mshr_q] <= warps + 6'd1;
    // Whoever takes the request is told all who wait, also when it was asked for again after an
    // invalidation.
`ifdef VERILATOR
    // the same, in one write each
    if (first_q) untold_q[count_mshr_q] <= 6'd1;
    else if (add) untold_q[count_mshr_q] <= untold_q[count_mshr_q] + 6'd1;
    if (taken_i) untold_q[taken_mshr_i] <= taken_add ? warps + 6'd1 : warps_q[taken_mshr_i];
    if (tell & !(taken_i & taken_mshr_i == tell_idx))
      untold_q[tell_idx] <= {5'd0, add_hot[tell_idx]};
`else
    begin
      for (int i = 0; i < Mshrs; i++) begin
        if (alloc_hot[i]) untold_q[i] <= 6'd1;
        else if (add_hot[i]) untold_q[i] <= untold_q[i] + 6'd1;
        if (taken_hot[i]) untold_q[i] <= taken_add ? warps + 6'd1 : warps_q[taken_mshr_i];
        // who is told comes last
        if (tell_gnt[i] & (tell & !taken_hot[i])) untold_q[i] <= {5'd0, add_hot[i]};
      end
    end
`endif
    if (taken_i) l2_mshr_q[taken_mshr_i] <= taken_l2_i;
  end
endmodule
`default_nettype wire
