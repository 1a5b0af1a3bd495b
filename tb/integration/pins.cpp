// SPDX-License-Identifier: Apache-2.0
// pins.cpp - see pins.h.
#include "pins.h"

void AxiPins::show(Dut &d, uint32_t p) const {
  bits_set(d.s_awvalid_i, p, 1, awvalid);
  if (awvalid) {
    bits_set(d.s_awid_i, p * kIdW, kIdW, awid);
    bits_set(d.s_awaddr_i, p * kAddrW, kAddrW, awaddr);
    bits_set(d.s_awlen_i, p * 8, 8, awlen);
    bits_set(d.s_awsize_i, p * 3, 3, awsize);
    bits_set(d.s_awburst_i, p * 2, 2, awburst);
    bits_set(d.s_awprot_i, p * 3, 3, awprot);
    bits_set(d.s_awuser_i, p * kUserW, kUserW, awuser);
  }
  bits_set(d.s_wvalid_i, p, 1, wvalid);
  if (wvalid) {
    beat_set(d.s_wdata_i, p * kDataW, wdata);
    strb_set(d.s_wstrb_i, p * kBytes, wstrb);
    bits_set(d.s_wlast_i, p, 1, wlast);
  }
  bits_set(d.s_bready_i, p, 1, bready);
  bits_set(d.s_arvalid_i, p, 1, arvalid);
  if (arvalid) {
    bits_set(d.s_arid_i, p * kIdW, kIdW, arid);
    bits_set(d.s_araddr_i, p * kAddrW, kAddrW, araddr);
    bits_set(d.s_arlen_i, p * 8, 8, arlen);
    bits_set(d.s_arsize_i, p * 3, 3, arsize);
    bits_set(d.s_arburst_i, p * 2, 2, arburst);
    bits_set(d.s_arprot_i, p * 3, 3, arprot);
    bits_set(d.s_aruser_i, p * kUserW, kUserW, aruser);
  }
  bits_set(d.s_rready_i, p, 1, rready);
}

void AxiPins::see(Dut &d, uint32_t p) {
  awready = bits_get(d.s_awready_o, p, 1);
  wready = bits_get(d.s_wready_o, p, 1);
  arready = bits_get(d.s_arready_o, p, 1);
  if ((bvalid = bits_get(d.s_bvalid_o, p, 1))) {
    bid = static_cast<uint32_t>(bits_get(d.s_bid_o, p * kIdW, kIdW));
    bresp = static_cast<uint32_t>(bits_get(d.s_bresp_o, p * 2, 2));
  }
  if ((rvalid = bits_get(d.s_rvalid_o, p, 1))) {
    rid = static_cast<uint32_t>(bits_get(d.s_rid_o, p * kIdW, kIdW));
    rresp = static_cast<uint32_t>(bits_get(d.s_rresp_o, p * 2, 2));
    rlast = bits_get(d.s_rlast_o, p, 1);
    rdata = beat_get(d.s_rdata_o, p * kDataW);
  }
}

void NativePins::show(Dut &d, uint32_t n) const {
  bits_set(d.n_req_valid_i, n, 1, req_valid);
  if (req_valid) {
    bits_set(d.n_req_va_i, n * 64, 64, va);
    bits_set(d.n_req_access_i, n * 2, 2, access);
    bits_set(d.n_req_user_i, n, 1, user);
    bits_set(d.n_req_asid_i, n * kAsidW, kAsidW, asid);
    bits_set(d.n_req_warp_i, n * kWarpW, kWarpW, warp);
    bits_set(d.n_req_tag_i, n * kTagW, kTagW, tag);
  }
  bits_set(d.n_rsp_ready_i, n, 1, rsp_ready);
  bits_set(d.n_busy_i, n, 1, busy);
}

void NativePins::see(Dut &d, uint32_t n) {
  req_ready = bits_get(d.n_req_ready_o, n, 1);
  drop = bits_get(d.n_drop_o, n, 1);
  if ((rsp_valid = bits_get(d.n_rsp_valid_o, n, 1))) {
    rsp_warp = static_cast<uint32_t>(bits_get(d.n_rsp_warp_o, n * kWarpW, kWarpW));
    rsp_tag = static_cast<uint32_t>(bits_get(d.n_rsp_tag_o, n * kTagW, kTagW));
    cause = static_cast<uint32_t>(bits_get(d.n_rsp_cause_o, n * 5, 5));
    pa = bits_get(d.n_rsp_pa_o, n * kPaW, kPaW);
  }
}
