// SPDX-License-Identifier: Apache-2.0
// axi_storm.cpp - invalidations back to back under bursts (axi_storm.h).
#include "axi_storm.h"

bool offered(Bench &b, uint32_t p, const Burst &x) {
  auto &d = b.dut;
  return x.write ? bits_get(d.m_awvalid_o, p, 1) && bits_get(d.m_awid_o, p * kIdW, kIdW) == x.id
                 : bits_get(d.m_arvalid_o, p, 1) && bits_get(d.m_arid_o, p * kIdW, kIdW) == x.id;
}

void storm_command(Bench &b, Storm &s, uint32_t kind) {
  const uint32_t a = b.asids[b.below(2)];
  first_ones(b, [&](uint32_t, Burst &x) { x.first = true; });
  Page &p = b.pages[b.below(b.pages.size())];
  switch (kind) {
    case 0: b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate"); break;
    case 1: b.must(gmmu_drv_invalidate_asid(&b.drv, a), "invalidate"); break;
    case 2: b.must(gmmu_drv_invalidate_range(&b.drv, a, b.large_va, 4096), "invalidate"); break;
    default: b.must(gmmu_drv_invalidate_range(&b.drv, p.asid, p.va, 4096), "invalidate"); break;
  }
  s.commands++;
  b.settle();
  first_ones(b, [&](uint32_t port, Burst &x) {
    bool matches = kind == 0 || (kind == 1 && port != 1 && b.port_asid[port] == a);
    if (!x.first || !matches || offered(b, port, x)) return;
    s.hit++;
    if (++x.commands > s.worst) s.worst = x.commands;
    if (x.commands == kMostCommands + 1)
      b.fail("commands until a burst is offered to memory", kMostCommands, x.commands, x.va);
  });
}

Storm storm(Bench &b, uint64_t bursts) {
  Storm s;
  for (auto &p : b.pages) { // nothing faults
    if (p.fixed) continue;
    p.readable = p.writable = p.executable = p.user = true;
    if (!p.mapped) {
      p.pfn = b.frame();
      memcpy(b.memory.page(p.pfn).data(), p.content.data(), 4096);
      b.must(gmmu_drv_map(&b.drv, p.asid, p.va, p.pfn << 12, 4096, rights(p), false), "map");
    } else {
      b.must(gmmu_drv_protect(&b.drv, p.asid, p.va, 4096, rights(p)), "protect");
    }
    p.mapped = true;
  }
  b.target = b.made + bursts;
  b.traffic = true;
  unsigned latency = b.walk.latency, memory = b.mem[0].latency;
  while ((b.made < b.target || b.made != b.done) && !b.errors) {
    uint32_t kind = static_cast<uint32_t>(b.below(5)); // 4: any
    b.walk.latency = 1 + static_cast<unsigned>(b.below(500 >> b.below(6)));
    for (auto &m : b.mem)
      m.one = b.below(2), m.latency = 1 + static_cast<unsigned>(b.below(100 >> b.below(7)));
    for (int i = 0; i < 12 && (b.made < b.target || b.made != b.done) && !b.errors; i++)
      storm_command(b, s, kind == 4 ? static_cast<uint32_t>(b.below(4)) : kind);
  }
  b.walk.latency = latency;
  for (auto &m : b.mem) m.one = false, m.latency = memory;
  drain(b, true);
  // two slots: hardly ever; of runs with 250 bursts every fourteenth has none
  if (!b.errors && kSlots > 2 && bursts >= 1000 && !s.hit)
    b.fail("bursts that commands met on their way", 1, 0, 0);
  return s;
}

uint32_t worst_memory(Bench &b) {
  auto command = [&] {
    uint32_t kind = GMMU_INV_RANGE;
    b.access(true, GMMU_REG_CMD, &kind, 15);
  };
  auto wait = [&] { // later ones that it takes: the acknowledgement was late
    uint32_t status = 1;
    for (uint64_t next = b.cycle + 150; status & 1 && !b.errors;
         b.access(false, GMMU_REG_CMD_STATUS, &status, 15))
      if (b.cycle >= next) b.mem[0].doors = 1, next += 150;
  };
  auto read = [&](uint64_t va, uint32_t id) {
    auto r = std::make_shared<Burst>();
    r->asid = b.asids[0], r->va = va, r->id = id;
    b.lock(*r, 1);
    b.page(r->asid, va)->busy++;
    b.ar[0] = r;
    b.made++;
    offer(b);
    return r;
  };
  unsigned latency = b.walk.latency;
  uint32_t asid = b.asids[0], first = static_cast<uint32_t>(b.pages[0].va),
           high = static_cast<uint32_t>(b.pages[0].va >> 32 & 0xffff);
  b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate");
  b.access(true, GMMU_REG_CMD_ASID, &asid, 15);
  for (uint32_t at : {GMMU_REG_CMD_FIRST_LO, GMMU_REG_CMD_LAST_LO}) b.access(true, at, &first, 15);
  for (uint32_t at : {GMMU_REG_CMD_FIRST_HI, GMMU_REG_CMD_LAST_HI}) b.access(true, at, &high, 15);
  b.walk.latency = 10;
  uint64_t begin = b.cycle;
  command();
  wait();
  uint64_t takes =
      b.cycle - begin; // nothing under way: until the acknowledgement, and a little more
  auto step = b.step;
  uint64_t n = 0;
  b.straight = true;
  auto hit = [&] {
    if (!b.ar[0]) read(b.large_va + user_beat(n), static_cast<uint32_t>(n % 4)), n++;
    one_cycle(b);
  };
  uint32_t worst = 0;
  for (int round = 0; round < 4 && !b.errors; round++) {
    b.straight = true;
    for (uint64_t i = 600 + b.below(8); i; i--) hit();
    while (b.made != b.done && !b.errors) one_cycle(b);
    b.mem[0].doors = 0;
    for (int i = 0; i < 8; i++) i ? one_cycle(b) : hit(); // one is offered
    Ref x = read(b.pages[0].va, 9);
    while (b.ar[0]) one_cycle(b);
    b.step = hit;
    for (uint64_t i = 300 + b.below(8); i; i--) b.step();
    uint32_t commands = 0;
    for (; !x->issued && !b.errors && commands <= 10 * kMostCommands; commands++) {
      begin = b.cycle;
      command();
      while (b.cycle - begin < takes) b.step();
      b.mem[0].doors = 1;
      wait();
    }
    b.mem[0].doors = -1;
    b.step = step;
    b.straight = false;
    while (b.made != b.done && !b.errors) b.step();
    worst = std::max(worst, commands);
    // Nothing is parked and no other burst must walk: of the slots each comes once, and the door is
    // one command behind.
    if (commands > kSlots + 2)
      b.fail("commands until a burst is offered to the worst memory", kSlots + 2, commands, x->va);
  }
  b.walk.latency = latency;
  return worst;
}
