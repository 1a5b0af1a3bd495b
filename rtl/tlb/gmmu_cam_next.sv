// SPDX-License-Identifier: Apache-2.0
// gmmu_cam_next: which entries of a fully associative array, and with groups which of their pages,
// are valid in the next cycle. Part of gmmu_tlb_cam; combinational. Legal: Pages 1 or 4.
`default_nettype none
module gmmu_cam_next #(
  parameter int N     = 16,
  parameter int Pages = 1
) (
  input  logic [N*Pages-1:0] valid_i,
  input  logic [N-1:0]       drop_i,        // found with wrong parity
  input  logic [N-1:0]       at_i,          // the one that is swept, one-hot
  input  logic [Pages-1:0]   sweeps_i,      // and its pages that are
  input  logic [N-1:0]       into_i,        // that takes the fill, one-hot or 0
  input  logic [N*Pages-1:0] lose_i,        // pages that others lose to it
  input  logic               same_i,        // it has its group already
  input  logic [Pages-1:0]   fill_pages_i,
  output logic [N-1:0]       stays_o,       // Pages = 1: without the fill
  output logic [N*Pages-1:0] valid_d_o
);
  if (Pages == 1) begin : gen_single
    logic unused_group;
    assign unused_group = ^{lose_i, same_i, fill_pages_i};
    assign stays_o   = valid_i & ~(sweeps_i[0] ? at_i : '0) & ~drop_i;
    assign valid_d_o = stays_o | into_i;
  end else begin : gen_pages
    assign stays_o = '0;
    for (genvar i = 0; i < N; i++) begin : gen_entry
      logic [Pages-1:0] kept;   // of what it holds
      assign kept = (drop_i[i] | (into_i[i] & !same_i)) ? '0
                  : valid_i[i*Pages +: Pages] & ~lose_i[i*Pages +: Pages] &
                    ~(at_i[i] ? sweeps_i : '0);
      assign valid_d_o[i*Pages +: Pages] = kept | (into_i[i] ? fill_pages_i : '0);
    end
  end
endmodule
`default_nettype wire
