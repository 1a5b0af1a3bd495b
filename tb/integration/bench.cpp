// SPDX-License-Identifier: Apache-2.0
// bench.cpp - see bench.h.
#include "bench.h"

Bench::Bench() {
  for (uint32_t p = 0; p < kPorts; p++) mem[p].port = p, mem[p].as_accepted = true;
  step = [this] { one_cycle(); };
  who_waits = [this](BenchWaits &w) { waiting(w); };
}

HostPage &Bench::add_page(uint32_t asid, uint64_t va, uint32_t ports, unsigned perms) {
  pages.emplace_back();
  HostPage &p = pages.back();
  p.asid = asid, p.va = va & ~4095ull, p.ports = ports, p.perms = perms | GMMU_DRV_U;
  p.writable = p.may_write = (perms & GMMU_DRV_W) != 0;
  page_of[{asid, va >> 12}] = &p;
  return p;
}

uint64_t Bench::frame() {
  if (free_frames.empty()) fail("free frames", 1, 0, 0), exit(1);
  std::swap(free_frames[below(free_frames.size())], free_frames.back());
  uint64_t f = free_frames.back();
  free_frames.pop_back();
  return f;
}

void Bench::use(uint32_t port, uint64_t pa, bool write) {
  auto it = user_of.find(pa >> 12);
  if (it == user_of.end())
    return fail(write ? "a write to a frame that nobody has" : "a read of a frame that nobody has",
                port, pa, pa);
  HostPage &p = *it->second;
  if (!(p.ports >> port & 1)) fail("a frame of another port's page", port, pa, p.va);
  if (write && !p.may_write) fail("a write to a page that is read-only", port, pa, p.va);
}

void Bench::at_rest(const HostPage &p, bool only_writes) {
  for (auto &m : mem)
    for (auto *side : {&m.reads, &m.writes})
      for (auto &[id, q] : *side)
        for (auto &x : q)
          if (x->pa >> 12 == p.pfn && (x->write || !only_writes))
            fail("a burst is on its way after the acknowledgement", x->port, x->pa, p.va);
}

void Bench::retire(HostPage &p) {
  at_rest(p, false);
  for (auto &b : memory.page(p.pfn)) b = static_cast<uint8_t>(gmmu_rng_next(&rng));
  user_of.erase(p.pfn);
  free_frames.push_back(p.pfn);
}

void Bench::one_cycle() {
  for (int pass = 0;; pass++) {
    settle();
    for (uint32_t p = 0; p < kPorts; p++) axi[p].see(dut, p);
    for (uint32_t n = 0; n < kNatives; n++) native[n].see(dut, n);
    bool changed = false;
    for (auto &c : clients) changed |= c->comb(*this);
    if (!changed) break;
    if (pass == 16) fail("a loop without a register through clients and MMU", 0, 1, 0), exit(1);
    show();
  }
  for (auto &m : mem) m.sample(*this);
  walk.sample(*this);
  engine.sample(*this);
  for (uint32_t p = 0; p < kPorts; p++)
    for (bool write : {true, false})
      if (Ref b = burst_at_memory(*this, p, write)) {
        use(p, b->low(b->pa), write);
        bursts++;
        mem[p].issued(*this, b);
      }
  for (auto &c : clients) c->clock(*this);
  edge();
  for (auto &m : mem) m.drive(*this);
  walk.drive(*this);
  engine.drive(*this);
  show();
  if ((cycle & 1023) == 0) watch();
}

void Bench::watch() {
  const Client *late = nullptr;
  for (auto &c : clients)
    if (c->busy() && watchdog.late(cycle, c->oldest())) late = c.get();
  if (!late || errors) return;
  if (strcmp(doing, "runs") && !gave_up_) gave_up_ = cycle, drv.poll_limit = 0;
  if (gave_up_ && cycle < gave_up_ + 10000) return;
  hung(late->name + " is not answered");
}

[[noreturn]] void Bench::hung(const std::string &what) {
  errors++;
  watchdog.say(cycle, what);
  for (uint32_t p = 0; p < kPorts + kNatives && !strcmp(doing, "runs");
       p++) { // its registers can be asked
    uint32_t v = 0;
    access(false, GMMU_REG_PORT_STATUS(p), &v, 15);
    if (v)
      printf("  PORT_STATUS of port %u: %u stalled by faults%s\n", p, v & 255,
             v >> 8 & 1 ? ", busy" : "");
  }
  printf("FAIL\nagain: %s\n", again.c_str());
  exit(1);
}

void Bench::waiting(BenchWaits &w) {
  if (strcmp(doing, "runs")) w.add("software", "the MMU", "%s", doing);
  for (auto &c : clients)
    if (c->busy()) w.add(c->name, "the MMU or memory", "%s", c->waits().c_str());
  for (uint32_t p = 0; p < kPorts; p++) {
    const std::string port = "port " + std::to_string(p);
    size_t reads = 0, writes = 0;
    for (auto &[id, q] : mem[p].reads) reads += q.size();
    for (auto &[id, q] : mem[p].writes) writes += q.size();
    auto held = [&](auto &valid, auto &ready) {
      return bits_get(valid, p, 1) && !bits_get(ready, p, 1);
    };
    if (reads || writes)
      w.add(port, "its memory", "%zu reads, %zu writes, %zu of them want W", reads, writes,
            mem[p].w_order.size());
    if (held(dut.m_arvalid_o, dut.m_arready_i)) w.add(port, "its memory", "AR is not taken");
    if (held(dut.m_awvalid_o, dut.m_awready_i)) w.add(port, "its memory", "AW is not taken");
    if (held(dut.m_wvalid_o, dut.m_wready_i)) w.add(port, "its memory", "W is not taken");
    if (held(dut.s_rvalid_o, dut.s_rready_i)) w.add(port, "its master", "R is not taken");
    if (held(dut.s_bvalid_o, dut.s_bready_i)) w.add(port, "its master", "B is not taken");
  }
  for (uint32_t n = 0; n < kNatives; n++) {
    const std::string port = "native port " + std::to_string(n);
    if (native[n].req_valid && !native[n].req_ready)
      w.add("the client of " + port, "the MMU", "a request is not taken");
    if (native[n].rsp_valid && !native[n].rsp_ready)
      w.add(port, "its client", "an answer is not taken");
  }
  walk.waits(w);
}
