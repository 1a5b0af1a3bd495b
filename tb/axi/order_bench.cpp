// SPDX-License-Identifier: Apache-2.0
// Bench of the order between reads and writes of a port (docs/axi_port.md, "Order"), built by
// tb/axi/run.sh order: masters that read before B, memories that are slow in W, faults,
// invalidations. Directed cases first, then random bursts whose every byte is known from the order
// of the handshakes: with misses alone, under invalidations, under pages that are made read-only or
// moved, passed through. usage: order_bench BURSTS SEED; ends with "PASS ..." or "FAIL ...".
#include "order_directed.h"
#include "order_world.h"

OpRef op(Order &o, bool write, uint32_t asid, uint64_t va, uint32_t id, uint32_t beats) {
  auto x = std::make_shared<Op>();
  x->b.write = write, x->b.asid = asid, x->b.va = va, x->b.id = id, x->b.len = beats - 1;
  Beat all;
  all.fill(1);
  for (uint32_t i = 0; write && i < beats; i++)
    x->b.data.push_back(random_beat(o.rng)), x->b.strb.push_back(all);
  return x;
}

namespace {
OpRef random_op(Order &o, uint32_t port, bool write) {
  uint32_t asid = port == 0 ? 1 : 1 + static_cast<uint32_t>(o.below(2));
  uint64_t page =
      o.pass ? kData + 0x400000 * (1 + port) + 4096 * o.below(4) : o.page_va(port, o.below(kPages));
  if (o.pass) asid = 1;
  OpRef x = op(o, write, asid, page, static_cast<uint32_t>(o.below(3)));
  Burst &b = x->b;
  const uint64_t line = 64 * (o.below(4) ? o.below(3) : 61 + o.below(3));
  b.size = o.below(3) ? kMaxSize : static_cast<uint32_t>(o.below(kMaxSize + 1));
  uint64_t bytes = 1ull << b.size;
  switch (o.below(6)) {
    case 0: b.kind = 0, b.len = static_cast<uint32_t>(o.below(3)); break;
    case 1: b.kind = 2, b.len = (2u << o.below(3)) - 1; break;
    default:
      b.len = o.below(3) ? static_cast<uint32_t>(64 / bytes > 16 ? 15 : 64 / bytes - 1)
                         : static_cast<uint32_t>(o.below(4));
      break;
  }
  uint64_t off = line + (o.below(2) ? 0 : o.below(64 / bytes) * bytes);
  if (b.kind == 1 && off + bytes * b.beats() > 4096) off = 4096 - bytes * b.beats();
  if (b.kind == 1 && o.below(6) == 0) off += o.below(bytes); // unaligned first beat
  b.va = page + off;
  if (o.pass)
    b.mark = 1 + static_cast<uint32_t>(o.below(255)); // no ASID then, whatever AxUSER says
  b.data.clear();
  b.strb.clear();
  for (uint32_t i = 0; write && i < b.beats(); i++) {
    uint64_t low = b.at(i, b.va) & (kBytes - 1), end = low / bytes * bytes + bytes;
    Beat strb{};
    for (uint64_t l = low; l < end; l++) strb[l] = o.below(8) != 0;
    b.strb.push_back(strb);
    b.data.push_back(random_beat(o.rng));
  }
  return x;
}

void create(Order &o, Master &m) {
  bool go = o.traffic && o.made < o.traffic_until;
  OpRef &r = o.pair[m.port];
  if (r && !m.ar && !m.aw && m.may(*r)) {
    m.ask(r);
    r = nullptr;
  }
  if (!go || r) return;
  if (!m.ar && m.reads.size() < 6 && o.below(3) == 0) {
    OpRef x = random_op(o, m.port, false);
    if (!m.writes.empty() && o.below(2)) { // of what was just written
      const Burst &w = m.writes.back()->b;
      x->b.asid = w.asid, x->b.va = w.va, x->b.len = w.len, x->b.size = w.size, x->b.kind = w.kind;
    }
    if (m.may(*x)) m.ask(x), o.made++;
  }
  if (!m.aw && m.writes.size() < 8 && o.below(3) == 0) {
    OpRef x = random_op(o, m.port, true);
    if (!m.may(*x)) return;
    if (o.owing && o.below(12) == 0) { // sends its W when it has read what it is going to write
      auto y = op(o, false, x->b.asid, x->b.va, static_cast<uint32_t>(o.below(3)));
      y->b.len = x->b.len, y->b.size = x->b.size, y->b.kind = x->b.kind;
      x->after = r = y;
      o.made++;
    }
    m.ask(x);
    o.made++;
  }
}

void waiting(const Order &o, BenchWaits &w) {
  for (auto &m : o.master)
    for (auto *q : {&m.reads, &m.writes})
      for (auto &x : *q)
        w.add("port " + std::to_string(m.port),
              x->after && !x->after->ended ? "a read of its own, before it sends W"
              : x->at_memory               ? "memory"
                                           : "the MMU",
              "%s id %u asid %u va 0x%" PRIx64 " beats %u W %u", x->b.write ? "write" : "read",
              x->b.id, x->b.asid, x->b.va, x->b.beats(), x->w_sent);
  o.walk.waits(w);
}

void watch(Order &o) {
  bool busy = false;
  for (auto &m : o.master) busy |= !m.idle();
  if (!o.watchdog.stuck(o.cycle, o.last_progress, !busy)) return;
  printf("in: %s\n", o.what);
  exit(1);
}

void one_cycle(Order &o) {
  o.settle();
  for (uint32_t p = 0; p < kPorts; p++) o.master[p].sample(o);
  for (auto &m : o.mem) m.sample(o);
  o.walk.sample(o);
  o.edge();
  for (auto &m : o.mem) m.drive(o);
  o.walk.drive(o);
  for (auto &m : o.master) {
    create(o, m);
    m.offer(o);
  }
  o.dut.n_rsp_ready_i = 1;
  watch(o);
}

int resolve(void *arg, const gmmu_drv_fault *f) {
  Order &o = *static_cast<Order *>(arg);
  o.faults++;
  o.asked.check(o, *f);
  Frame &g = o.at(f->asid, f->va);
  if (!g.mapped) { // to a new frame, with the old one's content
    uint64_t old = g.pfn, n = o.below(o.frames.size());
    std::swap(g.pfn, o.frames[n]);
    o.memory.page(g.pfn) = o.memory.page(old);
    for (auto &byte : o.memory.page(old)) byte = static_cast<uint8_t>(gmmu_rng_next(&o.rng));
    g.mapped = g.writable = true;
    o.must(gmmu_drv_map(&o.drv, f->asid, f->va & ~4095ull, g.pfn << 12, 4096,
                        GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U, false),
           "map");
  } else if (!g.writable) {
    g.writable = true;
    o.must(gmmu_drv_protect(&o.drv, f->asid, f->va & ~4095ull, 4096,
                            GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U),
           "protect");
  }
  return GMMU_DRV_RESOLVED;
}
} // namespace

void handle(Order &o) {
  if (!o.dut.irq_o) return;
  o.must(gmmu_drv_handle_faults(&o.drv, resolve, &o), "faults");
  o.asked.emptied();
}

void read_only(Order &o, uint32_t asid, uint64_t va) {
  Frame &g = o.at(asid, va);
  if (!g.mapped || !g.writable) return;
  g.writable = false;
  o.must(gmmu_drv_protect(&o.drv, asid, va & ~4095ull, 4096, GMMU_DRV_R | GMMU_DRV_U), "protect");
}

void unmap(Order &o, uint32_t asid, uint64_t va) {
  Frame &g = o.at(asid, va);
  if (!g.mapped) return;
  o.must(gmmu_drv_unmap(&o.drv, asid, va & ~4095ull, 4096), "unmap");
  g.mapped = false;
}

void set_ports(Order &o, gmmu_drv_port_mode mode, bool errors) {
  for (uint32_t p = 0; p <= kPorts; p++) {
    gmmu_drv_port s{mode, GMMU_DRV_FROM_REGISTER, 0, 1, errors, 0};
    if (p == 1) s.asid_from = GMMU_DRV_FROM_USER, s.shift = 4, s.asid = 0;
    o.must(gmmu_drv_set_port(&o.drv, p, &s), "port");
  }
}

namespace {
void build(Order &o) {
  o.noisy = true;
  bench_reset(o.dut, [&] { o.settle(), o.edge(); });
  Places places(o.seed);
  for (auto &port : o.place)
    for (uint64_t &va : port) va = places.draw(kAxiReach);
  for (auto &m : o.master) m.asked = &o.asked;
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) o.free_tables.push_back(t);
  uint64_t pfn = kData >> 12;
  gmmu_drv_bus bus = o.bus();
  o.must(gmmu_drv_init(&o.drv, &bus), "init");
  o.must(gmmu_drv_window(&o.drv, 0, kTables, kTablesEnd, true, false), "window");
  o.must(gmmu_drv_window(&o.drv, 1, kData, kDataEnd, false, true), "window");
  for (uint32_t a = 1; a < kSpaces; a++) {
    o.must(gmmu_drv_open(&o.drv, a, false, true, false, false), "open");
    for (uint32_t p = a - 1; p < kPorts; p++) // port 0 is in space 1 alone
      for (uint64_t k = 0; k < kPages; k++) {
        Frame &g = o.at(a, o.page_va(p, k));
        g.pfn = pfn += 1 + o.below(3);
        g.mapped = true;
        o.must(gmmu_drv_map(&o.drv, a, o.page_va(p, k), g.pfn << 12, 4096,
                            GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U, false),
               "map");
      }
  }
  for (int i = 0; i < 40; i++) o.frames.push_back(pfn += 1);
  set_ports(o, GMMU_DRV_TRANSLATE, false);
  o.must(gmmu_drv_fault_irq(&o.drv, true), "interrupts");
}
} // namespace

void drain(Order &o) {
  o.traffic = false;
  auto busy = [&] {
    for (uint32_t p = 0; p < kPorts; p++)
      if (!o.master[p].idle() || o.pair[p]) return true;
    return false;
  };
  while (busy() && !o.errors) {
    o.step();
    if (o.serve) handle(o);
  }
}

void reload(Order &o, Master &m) {
  m.shadow.clear();
  for (auto &[where, g] : o.pages)
    for (uint64_t va : o.place[m.port])
      if (where.second == va >> 12) m.shadow[where] = o.memory.page(g.pfn);
}

namespace {
uint64_t waited(const Order &o) { return o.master[0].over_write + o.master[1].over_write; }

uint64_t wrong(const Order &o) { return o.master[0].wrong + o.master[1].wrong; }

/// Random bursts. Kinds: 0 misses alone, 1 invalidations, 2 pages read-only and restored, 3 pages
/// moved, 4 passed through, 5 all of it.
void random_phase(Order &o, unsigned kind, uint64_t bursts) {
  static const char *const names[] = {"misses alone", "invalidations",  "pages read-only",
                                      "pages moved",  "passed through", "everything"};
  o.what = names[kind];
  if (kind == 4) {
    set_ports(o, GMMU_DRV_PASS, false);
    for (auto &m : o.master) m.shadow.clear();
    for (uint64_t k = 0; k < 2 * 1024 + 4; k++) o.memory.pages.erase((kData >> 12) + 0x400 + k);
    o.pass = true;
  }
  for (auto &m : o.mem)
    m.w_slow = 1 + static_cast<unsigned>(o.below(8)),
    m.aw_slow = 1 + static_cast<unsigned>(o.below(4)),
    m.ar_slow = 1 + static_cast<unsigned>(o.below(3));
  if (kind == 4) // nothing else makes a write wait
    for (auto &m : o.mem) m.aw_slow = 12, m.w_slow = 1;
  o.walk.latency = 2 + static_cast<unsigned>(o.below(40));
  o.owing =
      kind == 0 || kind == 1 ||
      kind ==
          4; // a command waits for writes that owe W, and its software resolves no fault meanwhile
  const uint64_t made = o.made, before = waited(o), was_wrong = wrong(o);
  o.traffic_until = o.made + bursts;
  o.traffic = true;
  while (o.made < o.traffic_until && !o.errors) {
    uint32_t p = static_cast<uint32_t>(o.below(kPorts)),
             a = p ? 1 + static_cast<uint32_t>(o.below(2)) : 1;
    uint64_t va = o.page_va(p, o.below(kPages));
    handle(o);
    if (kind == 0 || kind == 4 || o.below(60)) {
      o.step();
      if (o.below(2000) == 0)
        for (auto &m : o.mem) m.w_slow = 1 + static_cast<unsigned>(o.below(8));
      continue;
    }
    o.commands++;
    switch (kind == 5 ? 1 + o.below(3) : kind) {
      case 1:
        switch (o.below(3)) {
          case 0: o.must(gmmu_drv_invalidate_all(&o.drv), "invalidate"); break;
          case 1: o.must(gmmu_drv_invalidate_asid(&o.drv, a), "invalidate"); break;
          default: o.must(gmmu_drv_invalidate_range(&o.drv, a, va, 4096), "invalidate"); break;
        }
        break;
      case 2: read_only(o, a, va); break;
      default: unmap(o, a, va); break;
    }
  }
  drain(o);
  if (kind == 4) {
    o.pass = false;
    set_ports(o, GMMU_DRV_TRANSLATE, false);
    for (auto &m : o.master) reload(o, m);
  }
  printf("%s: %" PRIu64 " bursts, %" PRIu64 " reads of bytes of a write that waited, %" PRIu64
         " reads with wrong data\n",
         o.what, o.made - made, waited(o) - before, wrong(o) - was_wrong);
}
} // namespace

const BenchInfo bench_info = {"order_bench", "BURSTS", 20000, "", 0, 0};
int bench_run(const BenchArgs &args) {
  uint64_t bursts = args.count;
  auto o = std::make_unique<Order>();
  o->seed = args.seed;
  o->rng.s = o->seed;
  o->step = [&] { one_cycle(*o); };
  o->who_waits = [&](BenchWaits &w) { waiting(*o, w); };
  for (uint32_t p = 0; p < kPorts; p++) o->mem[p].port = o->master[p].port = p;
  build(*o);
  Rates rates = directed(*o);
  for (auto &m : o->master) m.count_only = kOrder == 0;
  for (unsigned kind = 0; kind < 6; kind++) {
    random_phase(*o, kind, bursts / 6);
    if (kOrder == 0) // wrong values are not carried into the next phase
      for (auto &m : o->master) reload(*o, m);
  }
  if (waited(*o) < bursts / 200)
    o->fail("reads of bytes of a write that waited", bursts / 200, waited(*o), 0);
  if (kOrder == 0 && !wrong(*o))
    o->fail("wrong data without the order: this bench sees nothing", 1, 0, 0);
  o->errors += o->dut.errors_o;
  printf("%s order of gmmu_axi_port (RwOrder %u): %" PRIu64 " bursts, %" PRIu64 " faults, %" PRIu64
         " commands, %" PRIu64 " reads of bytes of a write that waited, %" PRIu64
         " with wrong data; %.3f bursts a cycle to pages at equal offsets, %.3f at others; %" PRIu64
         " mismatches\n",
         o->errors ? "FAIL" : "PASS", kOrder, o->made, o->faults, o->commands, waited(*o),
         wrong(*o), rates.equal, rates.other, o->errors);
  return o->errors != 0;
}
