// SPDX-License-Identifier: Apache-2.0
// gmmu_tokens_counters: hits and misses of each application in the L2 TLB, of this epoch and of the
// one that ended. Rules: docs/fill_tokens.md.
//
// A lookup is counted a cycle later, and so is the pulse: the counts of the epoch that ended are
// there from the second cycle after it on, and until the next.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_tokens_counters #(
  parameter int NumAsids = 8,
  localparam int CtxW    = gmmu_pkg::idx_w(NumAsids)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              pulse_i,
  // lookups that ended in the L2, one per port
  input  logic [1:0]        look_i,
  input  logic [1:0]        look_hit_i,
  input  logic [2*CtxW-1:0] look_app_i,
  // the epoch that ended: combinational
  input  logic [CtxW-1:0]   app_i,
  output logic [15:0]       hits_o,
  output logic [15:0]       misses_o
);
  logic                pulse_q;
  logic [15:0]         hits_q   [0:NumAsids-1];
  logic [15:0]         misses_q [0:NumAsids-1];
  logic [NumAsids*32-1:0] last;         // {hits, misses}
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pulse_q <= 1'b0;
    else pulse_q <= pulse_i;
  end

  for (genvar a = 0; a < NumAsids; a++) begin : gen_app
    logic        look0, look1;    // a lookup of this application
    logic [1:0]  add_hits_q, add_misses_q;
    logic [15:0] hits, misses, more_hits, more_misses;
    logic        full, hits_near_q, misses_near_q;
    assign look0       = look_i[0] & look_app_i[CtxW-1:0] == CtxW'(a);
    assign look1       = look_i[1] & look_app_i[2*CtxW-1:CtxW] == CtxW'(a);
    // One of the two would pass 65,535: both are halved first. A count of 65,534 and more was
    // 65,528 or more a cycle ago; what was, and has been halved or begun anew since, has not both
    // its highest bit and the bits 2 and 1.
    always_comb begin
      full = 1'b0;
      if (`GMMU_ANY({add_hits_q, add_misses_q})) begin
        full = (hits_near_q & hits_q[a][15] & (&hits_q[a][2:1]) &
                (hits_q[a][0] ? add_hits_q != '0 : add_hits_q == 2'd2)) |
               (misses_near_q & misses_q[a][15] & (&misses_q[a][2:1]) &
                (misses_q[a][0] ? add_misses_q != '0 : add_misses_q == 2'd2));
      end
    end
    assign more_hits   = (full ? {1'b0, hits_q[a][15:1]} : hits_q[a]) + 16'(add_hits_q);
    assign more_misses = (full ? {1'b0, misses_q[a][15:1]} : misses_q[a]) + 16'(add_misses_q);
    assign hits   = pulse_q ? 16'(add_hits_q) : more_hits;
    assign misses = pulse_q ? 16'(add_misses_q) : more_misses;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        add_hits_q   <= '0;
        add_misses_q <= '0;
        hits_q[a]    <= '0;
        misses_q[a]  <= '0;
      end else begin
        add_hits_q   <= {1'b0, look0 & look_hit_i[0]} + {1'b0, look1 & look_hit_i[1]};
        add_misses_q <= {1'b0, look0 & !look_hit_i[0]} + {1'b0, look1 & !look_hit_i[1]};
        hits_q[a]    <= hits;
        misses_q[a]  <= misses;
      end
      hits_near_q   <= &hits_q[a][15:3];
      misses_near_q <= &misses_q[a][15:3];
    end
    gmmu_clkgate #(.Width(32)) u_last (
      .clk_i, .en_i(pulse_q), .d_i({hits_q[a], misses_q[a]}), .q_o(last[a*32 +: 32])
    );
  end
  assign {hits_o, misses_o} = last[app_i*32 +: 32];
endmodule
`default_nettype wire
