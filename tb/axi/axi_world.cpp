// SPDX-License-Identifier: Apache-2.0
// axi_world.cpp - see axi_world.h.
#include "axi_world.h"

Beat random_beat(gmmu_rng &rng) {
  Beat v;
  for (auto &x : v) x = static_cast<uint8_t>(gmmu_rng_next(&rng));
  return v;
}

std::vector<uint8_t> &Memory::page(uint64_t pfn) {
  auto &p = pages[pfn];
  if (p.empty()) p.assign(4096, 0);
  return p;
}

uint64_t Memory::word(uint64_t pa) {
  uint64_t v;
  memcpy(&v, &page(pa >> 12)[pa & 4088], 8);
  return v;
}

Beat Memory::beat(uint64_t pa) {
  Beat v;
  memcpy(v.data(), &page(pa >> 12)[pa & 4095 & ~(kBytes - 1ull)], kBytes);
  return v;
}

uint64_t Burst::at(uint32_t beat, uint64_t base) const {
  uint64_t bytes = 1ull << size, a = base;
  if (kind == 0 || beat == 0) return a;
  a = base / bytes * bytes + beat * bytes;
  if (kind == 2) {
    uint64_t total = bytes * beats(), low = base / total * total;
    a = low + a % total;
  }
  return a;
}

void World::fail(const char *what, uint64_t want, uint64_t got, uint64_t at) {
  if (errors++ < 10)
    printf("cycle %" PRIu64 ", seed %" PRIu64 ": %s: expected 0x%" PRIx64 ", got 0x%" PRIx64
           " (at 0x%" PRIx64 ")\n",
           cycle, seed, what, want, got, at);
}

void World::must(int e, const char *what) {
  if (e < 0) {
    printf("driver: %s: %s\n", what, gmmu_drv_error_name(e));
    errors++;
  }
}

void World::edge() {
  dut.clk_i = 1;
  dut.eval();
  cycle++;
}

namespace {
/// On pins that a design has; the native bench has two native ports, which only give addresses.
template <typename D>
auto native_noise(D &d, Noise &random, int) -> decltype(d.n_req_va_i, void()) {
#ifdef GMMU_TB_NATIVE_ONLY
  for (uint32_t n = 0; n < 2; n++)
    if (!bits_get(d.n_req_valid_i, n, 1)) random.put(d.n_req_va_i, n * 64, 64);
#else
  if (d.n_req_valid_i) return;
  random.put(d.n_req_va_i, 0, 64), random.put(d.n_req_access_i, 0, 2);
  random.put(d.n_req_user_i, 0, 1), random.put(d.n_req_asid_i, 0, kAsidW);
#endif
}
template <typename D>
void native_noise(D &, Noise &, long) {}

template <typename D>
auto master_noise(D &d, Noise &random, int) -> decltype(d.s_araddr_i, void()) {
  for (uint32_t p = 0; p < kPorts; p++) {
    auto put = [&](auto &port, uint32_t width) { random.put(port, p * width, width); };
    auto idle = [&](auto &valid) { return !bits_get(valid, p, 1); };
    if (idle(d.s_arvalid_i)) {
      put(d.s_arid_i, kIdW), put(d.s_araddr_i, kAddrW), put(d.s_arlen_i, 8);
      put(d.s_arsize_i, 3), put(d.s_arburst_i, 2), put(d.s_arprot_i, 3);
      put(d.s_aruser_i, kUserW), put(d.s_arlock_i, 1);
    }
    if (idle(d.s_awvalid_i)) {
      put(d.s_awid_i, kIdW), put(d.s_awaddr_i, kAddrW), put(d.s_awlen_i, 8);
      put(d.s_awsize_i, 3), put(d.s_awburst_i, 2), put(d.s_awprot_i, 3);
      put(d.s_awuser_i, kUserW), put(d.s_awlock_i, 1), put(d.s_awatop_i, 6);
    }
    if (idle(d.s_wvalid_i)) {
      put(d.s_wdata_i, kDataW), put(d.s_wstrb_i, kBytes);
      put(d.s_wlast_i, 1), put(d.s_wuser_i, kUserW);
    }
  }
}
template <typename D>
void master_noise(D &, Noise &, long) {}

template <typename D>
auto memory_noise(D &d, Noise &random, int) -> decltype(d.m_ruser_i, d.p_rdata_i, void()) {
  if (!d.p_rvalid_i)
    random.put(d.p_rresp_i, 0, 2), random.put(d.p_rlast_i, 0, 1), random.put(d.p_rdata_i, 0, 64);
  if (!d.p_bvalid_i) random.put(d.p_bresp_i, 0, 2);
  for (uint32_t p = 0; p < kPorts; p++) {
    auto put = [&](auto &port, uint32_t width) { random.put(port, p * width, width); };
    if (!bits_get(d.m_rvalid_i, p, 1)) {
      put(d.m_rid_i, kIdW), put(d.m_rdata_i, kDataW), put(d.m_rresp_i, 2);
      put(d.m_rlast_i, 1), put(d.m_ruser_i, kUserW);
    }
    if (!bits_get(d.m_bvalid_i, p, 1))
      put(d.m_bid_i, kIdW), put(d.m_bresp_i, 2), put(d.m_buser_i, kUserW);
  }
}
template <typename D>
void memory_noise(D &, Noise &, long) {}
} // namespace

void World::noise() {
  if (!random.now()) return;
  Dut &d = dut;
  if (!d.c_awvalid_i) random.put(d.c_awaddr_i, 0, 12);
  if (!d.c_arvalid_i) random.put(d.c_araddr_i, 0, 12);
  if (!d.c_wvalid_i) random.put(d.c_wdata_i, 0, 32), random.put(d.c_wstrb_i, 0, 4);
  if (!d.w_rvalid_i) {
    random.put(d.w_rid_i, 0, 2), random.put(d.w_rresp_i, 0, 2), random.put(d.w_rlast_i, 0, 1);
    random.put(d.w_rdata_i, 0, kWalkW);
  }
  native_noise(d, random, 0);
  master_noise(d, random, 0);
  memory_noise(d, random, 0);
}

int World::access(bool write, uint32_t at, uint32_t *value, uint32_t strb) {
  Dut &d = dut;
  bool a = true, w = write, done = false;
  int resp = -1;
  polls(write, at, *value);
  for (int i = 0; !done && i < 1000; i++) {
    bool gap = below(4) == 0;
    d.c_awvalid_i = write && a && !gap;
    d.c_awaddr_i = at;
    d.c_wvalid_i = w && (below(2) || !a);
    d.c_wdata_i = *value;
    d.c_wstrb_i = strb;
    d.c_arvalid_i = !write && a && !gap;
    d.c_araddr_i = at;
    d.c_bready_i = d.c_rready_i = below(3) != 0;
    settle();
    bool took_a = write ? d.c_awvalid_i && d.c_awready_o : d.c_arvalid_i && d.c_arready_o,
         took_w = d.c_wvalid_i && d.c_wready_o;
    if (write && d.c_bvalid_o && d.c_bready_i) done = true, resp = d.c_bresp_o;
    if (!write && d.c_rvalid_o && d.c_rready_i)
      done = true, resp = d.c_rresp_o, *value = d.c_rdata_o;
    step();
    if (took_a) a = false;
    if (took_w) w = false;
  }
  d.c_awvalid_i = d.c_wvalid_i = d.c_arvalid_i = d.c_bready_i = d.c_rready_i = 0;
  if (done && write && on_write) on_write(at, *value, strb);
  if (!done) fail("register access is not answered", 1, 0, at);
  if (!write) polled_value = *value;
  return resp;
}

void World::polls(bool write, uint32_t at, uint32_t) {
  if (write || at != polled || polled_value != polled_before || cycle > polled_last + 2000)
    polled_since = cycle;
  polled_last = cycle;
  polled = write ? ~0u : at;
  polled_before = polled_value;
  if (polling.late(cycle, polled_since)) polling.end(cycle, "software reads the same");
}

void World::software_put(uint64_t pa, uint64_t v) {
  const uint64_t ad = GMMU_PTE_A | GMMU_PTE_D, old = memory.word(pa);
  if (moving) {
    if (old & ad & ~v)
      fail("A or D that hardware has set is lost when a page is moved", old, v, pa);
    memory.put(pa, v);
    return;
  }
  if (is_table && is_table(pa) && pa & 4095 && (v & GMMU_PTE_V) &&
      (v & (GMMU_PTE_R | GMMU_PTE_X))) {
    if ((old & GMMU_PTE_V) && GMMU_PTE_PPN(old) == GMMU_PTE_PPN(v)) v = (v & ~ad) | (old & ad);
    else v &= below(3) == 0 ? ~0ull : below(2) ? ~ad : ~uint64_t{GMMU_PTE_D};
    cleared += (v & ad) != ad;
  }
  memory.put(pa, v);
}

gmmu_drv_bus World::bus() {
  gmmu_drv_bus b{};
  b.arg = this;
  b.read_reg = [](void *p, uint32_t at, uint32_t *v) {
    return static_cast<World *>(p)->access(false, at, v, 15) ? 1 : 0;
  };
  b.write_reg = [](void *p, uint32_t at, uint32_t v) {
    return static_cast<World *>(p)->access(true, at, &v, 15) ? 1 : 0;
  };
  b.read_mem = [](void *p, uint64_t pa) {
    uint64_t v = static_cast<World *>(p)->memory.word(pa);
    static_cast<World *>(p)->hesitate();
    return v;
  };
  b.swap_mem = [](void *p, uint64_t pa, uint64_t expected, uint64_t value) {
    World &w = *static_cast<World *>(p);
    uint64_t was = w.memory.word(pa);
    if (was == expected) w.software_put(pa, value);
    else w.lost_swaps++;
    w.hesitate();
    return was;
  };
  b.write_mem = [](void *p, uint64_t pa, uint64_t v) {
    static_cast<World *>(p)->software_put(pa, v);
  };
  b.alloc_page = [](void *p, uint64_t *pa) {
    World *w = static_cast<World *>(p);
    if (w->free_tables.empty()) return 1;
    *pa = w->free_tables.back();
    w->free_tables.pop_back();
    return 0;
  };
  b.free_page = [](void *p, uint64_t pa) { static_cast<World *>(p)->free_tables.push_back(pa); };
  return b;
}
