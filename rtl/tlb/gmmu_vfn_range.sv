// SPDX-License-Identifier: Apache-2.0
// gmmu_vfn_range: whether a page number is in the range of an invalidation command. Combinational.
//
// The page number has the built width and is sign-extended, as VAs are; the command gives its ends
// as wide as they can be. What is above the built width is one bit of the page, so that the ends'
// upper bits are only looked at for all zeros and all ones. Legal: NumW >= 1, FullW >= NumW.
`default_nettype none
module gmmu_vfn_range #(
  parameter int NumW  = 27,
  parameter int FullW = 36
) (
  input  logic [NumW-1:0]  page_i,
  input  logic [FullW-1:0] lo_i,
  input  logic [FullW-1:0] hi_i,
  output logic             in_o
);
  logic from_lo, to_hi;
  assign from_lo = lo_i[NumW-1:0] <= page_i;
  assign to_hi   = hi_i[NumW-1:0] >= page_i;
  if (FullW > NumW) begin : gen_ext
    logic [FullW-NumW-1:0] lo_above, hi_above;
    assign lo_above = lo_i[FullW-1:NumW];
    assign hi_above = hi_i[FullW-1:NumW];
    assign in_o = page_i[NumW-1] ? (from_lo | !(&lo_above)) & to_hi & &hi_above
                                 : from_lo & !(|lo_above) & (to_hi | |hi_above);
  end else begin : gen_no_ext
    assign in_o = from_lo & to_hi;
  end
endmodule
`default_nettype wire
