// SPDX-License-Identifier: Apache-2.0
// simt_core.cpp - see simt_core.h.
#include "simt_core.h"

void SimtCore::start(Bench &b, uint32_t pc, uint32_t arg) {
  core_.pc_i = pc, core_.arg_i = arg, core_.start_i = 1;
  since_ = b.cycle;
  b.step();
  core_.start_i = 0;
}

bool SimtCore::comb(Bench &b) {
  const AxiPins &i = b.axi[i_port], &d = b.axi[d_port];
  core_.clk_i = 0;
  core_.i_arready_i = i.arready, core_.i_rvalid_i = i.rvalid, core_.i_rdata_i = word(i.rdata);
  core_.d_arready_i = d.arready, core_.d_rvalid_i = d.rvalid,
  core_.d_rid_i = static_cast<uint8_t>(d.rid), core_.d_rdata_i = word(d.rdata);
  core_.d_awready_i = d.awready, core_.d_wready_i = d.wready, core_.d_bvalid_i = d.bvalid;
  core_.eval();
  return out(b);
}

void SimtCore::clock(Bench &b) {
  if (core_.retired_o) instructions_++, since_ = b.cycle;
  core_.clk_i = 1;
  core_.eval();
  out(b);
}

uint64_t SimtCore::word(const Beat &v) {
  uint64_t w;
  memcpy(&w, v.data(), 8);
  return w;
}

bool SimtCore::out(Bench &b) {
  AxiPins &i = b.axi[i_port], &d = b.axi[d_port];
  bool same = i.arvalid == core_.i_arvalid_o && i.rready == core_.i_rready_o &&
              d.arvalid == core_.d_arvalid_o && d.rready == core_.d_rready_o &&
              d.awvalid == core_.d_awvalid_o && d.wvalid == core_.d_wvalid_o &&
              d.bready == core_.d_bready_o;
  i.arvalid = core_.i_arvalid_o, i.araddr = core_.i_araddr_o, i.rready = core_.i_rready_o;
  d.arvalid = core_.d_arvalid_o, d.araddr = core_.d_araddr_o, d.arid = core_.d_arid_o,
  d.rready = core_.d_rready_o;
  d.awvalid = core_.d_awvalid_o, d.awaddr = core_.d_awaddr_o, d.awid = core_.d_awid_o,
  d.bready = core_.d_bready_o;
  d.wvalid = core_.d_wvalid_o, d.wlast = true, d.arsize = d.awsize = 2;
  for (uint32_t n = 0; n < 8; n++)
    d.wdata[n] = static_cast<uint8_t>(core_.d_wdata_o >> 8 * n),
    d.wstrb[n] = core_.d_wstrb_o >> n & 1;
  return !same;
}
