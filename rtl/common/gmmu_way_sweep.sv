// SPDX-License-Identifier: Apache-2.0
// gmmu_way_sweep: walks over the ways of a fully associative array, one a cycle, and reports each
// visit in the cycle after.
// Start pulse in t: way i is ptr_o in t+1+i. Legal: Ways >= 2. Used by gmmu_tlb_cam and
// gmmu_bypass_cache.
`default_nettype none
module gmmu_way_sweep #(
  parameter int Ways = 32,
  localparam int WayW = gmmu_pkg::idx_w(Ways)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            start_i,
  input  logic            clear_i,     // the way in ptr_o loses something
  output logic            busy_o,      // ptr_o is a way that is visited
  output logic [WayW-1:0] ptr_o,
  // the visit of the cycle before
  output logic            visit_o,
  output logic            cleared_o,
  output logic [WayW-1:0] way_o
);
  localparam logic [WayW-1:0] LAST_WAY = WayW'(Ways - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_o  <= 1'b0;
      ptr_o   <= '0;
      visit_o <= 1'b0;
    end else begin
      visit_o <= busy_o;
      if (start_i) begin
        busy_o <= 1'b1;
        ptr_o  <= '0;
      end else if (busy_o) begin
        busy_o <= ptr_o != LAST_WAY;
        ptr_o  <= ptr_o + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    cleared_o <= clear_i;
    way_o     <= ptr_o;
  end
endmodule
`default_nettype wire
