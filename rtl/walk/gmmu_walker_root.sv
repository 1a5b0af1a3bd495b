// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_root: where a walk that starts, or starts over, begins: root PTE by context and mode,
// or the fault that ends it before a read. Contexts and windows are looked at in the cycle in which
// app_i is given, and canonical_i, whether its page is canonical in Sv39; its page (vfn_i) in the
// next one, in which the outputs are there. Rules: docs/walker.md.
`default_nettype none
module gmmu_walker_root #(
  parameter int NumAsids   = 8,
  parameter int VfnW       = 36,
  parameter int PfnW       = 36,
  parameter int NumWindows = 4
) (
  input  logic                       clk_i,
  input  logic [NumAsids-1:0]        app_i,       // one-hot
  input  logic                       canonical_i,
  input  logic [VfnW-1:0]            vfn_i,
  input  logic [NumAsids*PfnW-1:0]   ctx_root_i,
  input  logic [NumAsids*2-1:0]      ctx_mode_i,
  input  logic [NumAsids-1:0]        ctx_on_i,
  input  logic [NumWindows*PfnW-1:0] win_lo_i,
  input  logic [NumWindows*PfnW-1:0] win_hi_i,
  input  logic [NumWindows-1:0]      win_walk_i,
  output logic [PfnW-1:0]            pfn_o,
  output logic [8:0]                 idx_o,
  output logic [1:0]                 level_o,
  output logic                       sv48_o,
  output logic [4:0]                 cause_o
);
  logic            window, sv48, sv48_q;
  logic [4:0]      cause_q;
  logic [PfnW-1:0] root, root_q;
  always_comb begin
    root = '0;
    sv48 = 1'b0;
`ifdef VERILATOR
    for (int a = 0; a < NumAsids; a++) begin
      if (app_i[a]) begin
        root = root | ctx_root_i[a*PfnW +: PfnW];
        sv48 = sv48 | ctx_mode_i[a*2 +: 2] == gmmu_pkg::MODE_SV48;
      end
    end
`else
    for (int a = 0; a < NumAsids; a++) begin
      root = root | (ctx_root_i[a*PfnW +: PfnW] & {PfnW{app_i[a]}});
      sv48 = sv48 | (app_i[a] & ctx_mode_i[a*2 +: 2] == gmmu_pkg::MODE_SV48);
    end
`endif
  end
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_root_windows (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_walk_i),
    .first_i(root), .last_i(root), .inside_o(window)
  );
  always_ff @(posedge clk_i) begin
    root_q  <= root;
    sv48_q  <= sv48;
    cause_q <= gmmu_pkg::CAUSE_OK;
    if ((ctx_on_i & app_i) == '0) cause_q <= gmmu_pkg::CAUSE_UNKNOWN_ASID;
    else if (VfnW == 36 & !sv48 & !canonical_i) cause_q <= gmmu_pkg::CAUSE_NON_CANONICAL;
    else if (!window) cause_q <= gmmu_pkg::CAUSE_AF_WALK_WINDOW;
  end
  assign pfn_o   = root_q;
  assign sv48_o  = sv48_q;
  assign level_o = sv48_q ? gmmu_pkg::LEVEL_512G : gmmu_pkg::LEVEL_1G;
  assign cause_o = cause_q;
  if (VfnW == 36) begin : gen_sv48
    assign idx_o = sv48_q ? vfn_i[35:27] : vfn_i[26:18];
  end else begin : gen_sv39
    assign idx_o = vfn_i[26:18];
  end
endmodule
`default_nettype wire
