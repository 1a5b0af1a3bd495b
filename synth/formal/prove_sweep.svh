// SPDX-License-Identifier: Apache-2.0
// prove_sweep.svh: the command of a sweep, which stays while sets of it are on their way. Pages
// outside the built width take part. Included in the body of a module that defines SweepW, the bits
// of a page, and has sweep_i, sweep_a and the sweep_*_i of the command.

  logic        all, asid_all, sweep_asid;
  logic [35:0] lo, hi;
  always_ff @(posedge clk_i) begin
    if (!sweep_a & !sweep_i) begin
      all        <= sweep_all_i;
      asid_all   <= sweep_asid_all_i;
      sweep_asid <= sweep_asid_i;
      lo         <= {{(36 - SweepW){sweep_lo_i[SweepW]}}, sweep_lo_i[SweepW-1:0]};
      hi         <= {{(36 - SweepW){sweep_hi_i[SweepW]}}, sweep_hi_i[SweepW-1:0]};
    end
  end
