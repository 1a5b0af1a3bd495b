// SPDX-License-Identifier: Apache-2.0
// order_world.h - what the random and the directed part of tb/axi/order_bench.cpp have in common:
// pages, masters, memories, and the software of both.
#ifndef GMMU_TB_AXI_ORDER_WORLD_H
#define GMMU_TB_AXI_ORDER_WORLD_H

#include "order_masters.h"

constexpr uint32_t kPages = 12,
                   kOrder =
                       GMMU_TB_ORDER; // 0 none, 1 same page and bytes, 2 same bytes of any page

struct Frame {
  uint64_t pfn = 0;
  bool mapped = false, writable = true;
};

struct Order : World {
  BenchWatchdog watchdog{50000, [this](BenchWaits &w) { waits(w); }};
  StrictMemory mem[kPorts];
  Master master[kPorts];
  WalkMemory walk;
  std::map<std::pair<uint32_t, uint64_t>, Frame> pages; // (ASID, VPN)
  std::vector<uint64_t> frames;
  uint64_t traffic_until = 0, made = 0, faults = 0, commands = 0;
  bool traffic = false, owing = false, pass = false, serve = true;
  const char *what = "";
  OpRef pair[kPorts]; // a read that a write waits for
  Asked asked;
  /// Ports 0 and 1 have pages of their own; port 1 says its ASID in AxUSER, and both of its spaces
  /// have the same addresses.
  uint64_t place[kPorts][kPages] = {};
  uint64_t page_va(uint32_t port, uint64_t k) const { return place[port][k]; }
  Frame &at(uint32_t asid, uint64_t va) { return pages[{asid, va >> 12}]; }
};

OpRef op(Order &o, bool write, uint32_t asid, uint64_t va, uint32_t id, uint32_t beats = 1);
void handle(Order &o);
void read_only(Order &o, uint32_t asid, uint64_t va);
void unmap(Order &o, uint32_t asid, uint64_t va);
void set_ports(Order &o, gmmu_drv_port_mode mode, bool errors);
void drain(Order &o);

/// The master believes what is in memory now.
void reload(Order &o, Master &m);

#endif
