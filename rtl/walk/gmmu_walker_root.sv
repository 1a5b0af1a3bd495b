// SPDX-License-Identifier: Apache-2.0
// gmmu_walker_root: where a walk that starts, or starts over, begins: root PTE by context and mode,
// or the fault that ends it before a read; combinational. Rules: docs/walker.md.
`default_nettype none
module gmmu_walker_root #(
  parameter int NumAsids   = 8,
  parameter int VfnW       = 36,
  parameter int PfnW       = 36,
  parameter int NumWindows = 4,
  localparam int CtxW      = gmmu_pkg::idx_w(NumAsids)
) (
  input  logic [CtxW-1:0]            app_i,
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
  logic            root_window, root_canonical;
  logic [PfnW-1:0] root_pfn;
  assign root_pfn = ctx_root_i[app_i*PfnW +: PfnW];
  assign pfn_o    = root_pfn;
  assign sv48_o   = ctx_mode_i[app_i*2 +: 2] == gmmu_pkg::MODE_SV48;
  assign level_o  = sv48_o ? gmmu_pkg::LEVEL_512G : gmmu_pkg::LEVEL_1G;
  if (VfnW == 36) begin : gen_sv48
    assign idx_o          = sv48_o ? vfn_i[35:27] : vfn_i[26:18];
    assign root_canonical = sv48_o | vfn_i[35:27] == {9{vfn_i[26]}};
  end else begin : gen_sv39
    assign idx_o          = vfn_i[26:18];
    assign root_canonical = 1'b1;
  end
  gmmu_windows #(.NumWindows(NumWindows), .PfnW(PfnW)) u_root_windows (
    .lo_i(win_lo_i), .hi_i(win_hi_i), .allow_i(win_walk_i),
    .first_i(root_pfn), .last_i(root_pfn), .inside_o(root_window)
  );
  always_comb begin
    cause_o = gmmu_pkg::CAUSE_OK;
    if (!ctx_on_i[app_i]) cause_o = gmmu_pkg::CAUSE_UNKNOWN_ASID;
    else if (!root_canonical) cause_o = gmmu_pkg::CAUSE_NON_CANONICAL;
    else if (!root_window) cause_o = gmmu_pkg::CAUSE_AF_WALK_WINDOW;
  end
endmodule
`default_nettype wire
