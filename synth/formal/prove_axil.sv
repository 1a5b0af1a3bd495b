// SPDX-License-Identifier: Apache-2.0
// Register port: each write reaches the registers once, the n-th address with the n-th data, and
// gets one B with their answer to it; each read gets one R with their answer. B and R stay until
// they are taken. A write of which address and data are there takes place when the B before it is
// taken; a read is answered two cycles after it was taken.
`default_nettype none
module prove_axil #(
  parameter int Covers = 0
) (
  input  logic       clk_i,
  input  logic       awvalid_i,
  input  logic [1:0] awaddr_i,
  input  logic       wvalid_i,
  input  logic       wdata_i,
  input  logic       wstrb_i,
  input  logic       bready_i,
  input  logic       arvalid_i,
  input  logic [1:0] araddr_i,
  input  logic       rready_i,
  input  logic       werr_i,
  input  logic       rdata_i,
  input  logic       rerr_i
);
  `include "prove.svh"

  logic        awready, wready, bvalid, arready, rvalid, we;
  logic [1:0]  bresp, rresp, waddr, raddr;
  logic [31:0] rdata, wdata, wmask;
  gmmu_axil #(.AddrW(2)) u_dut (
    .clk_i, .rst_ni, .awvalid_i, .awready_o(awready), .awaddr_i, .wvalid_i, .wready_o(wready),
    .wdata_i({31'd0, wdata_i}), .wstrb_i({3'd0, wstrb_i}), .bvalid_o(bvalid), .bready_i,
    .bresp_o(bresp), .arvalid_i, .arready_o(arready), .araddr_i, .rvalid_o(rvalid), .rready_i,
    .rdata_o(rdata), .rresp_o(rresp), .we_o(we), .waddr_o(waddr), .wdata_o(wdata),
    .wmask_o(wmask), .werr_i, .raddr_o(raddr), .rdata_i({31'd0, rdata_i}), .rerr_i
  );

  // Addresses, data and B that are owed, reads that are not answered; what the last of each was.
  logic       aw, w, b, ar, r;
  logic [1:0] aws_q, ws_q, bs_q, rs_q;
  logic [1:0] addr_q, raddr_q, age_q;
  logic       data_q, strb_q, werr_q, rdata_q, rerr_q, b_q, r_q, we_waits_q, asked_q;
  assign aw = awvalid_i && awready;
  assign w  = wvalid_i && wready;
  assign b  = bvalid && bready_i;
  assign ar = arvalid_i && arready;
  assign r  = rvalid && rready_i;
  always_ff @(posedge clk_i) begin
    aws_q   <= !rst_ni ? '0 : aws_q + 2'(aw) - 2'(we);
    ws_q    <= !rst_ni ? '0 : ws_q + 2'(w) - 2'(we);
    bs_q    <= !rst_ni ? '0 : bs_q + 2'(we) - 2'(b);
    rs_q    <= !rst_ni ? '0 : rs_q + 2'(ar) - 2'(r);
    b_q     <= rst_ni && bvalid && !bready_i;
    r_q     <= rst_ni && rvalid && !rready_i;
    asked_q <= rst_ni && ar;
    age_q   <= !rst_ni || rs_q == '0 || rvalid ? '0 : age_q + 2'd1;
    if (aw) addr_q <= awaddr_i;
    if (w) {data_q, strb_q} <= {wdata_i, wstrb_i};
    if (we) werr_q <= werr_i;
    if (ar) raddr_q <= araddr_i;
    if (asked_q) {rdata_q, rerr_q} <= {rdata_i, rerr_i};
    we_waits_q <= rst_ni && aws_q != '0 && ws_q != '0 && bs_q == '0 && !we;
  end
  always_comb if (!rst_ni) assume ({awvalid_i, wvalid_i, arvalid_i} == '0);

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        one_of_each: assert (!aws_q[1] && !ws_q[1] && !bs_q[1] && !rs_q[1]);
        of_both:     assert (!we || (aws_q != '0 && ws_q != '0 && waddr == addr_q &&
                                     wdata == {31'd0, data_q} && wmask == {24'd0, {8{strb_q}}}));
        b_of_a_write: assert (!bvalid || (bs_q != '0 && bresp == {werr_q, 1'b0}));
        b_comes:     assert (bs_q == '0 || bvalid);
        b_stays:     assert (!b_q || bvalid);
        we_comes:    assert (!we_waits_q);
        asks:        assert (!asked_q || raddr == raddr_q);
        r_of_a_read: assert (!rvalid || (rs_q != '0 && rdata == {31'd0, rdata_q} &&
                                         rresp == {rerr_q, 1'b0}));
        r_comes:     assert (age_q < 2'd2);
        r_stays:     assert (!r_q || rvalid);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(we && bresp == 2'b10));
    always_comb if (rst_ni) assert (!(b_q && bvalid && aws_q != '0 && ws_q != '0));
    always_comb if (rst_ni) assert (!(r && r_q && rresp == 2'b10 && rdata[0]));
    always_comb if (rst_ni) assert (!(ar && aw && w));
  end
endmodule
`default_nettype wire
