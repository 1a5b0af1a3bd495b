// SPDX-License-Identifier: Apache-2.0
// directed.cpp - see directed.h.
#include "directed.h"

Kernel::Kernel(const char *what, uint64_t seed, std::function<void(Scenario &)> set)
    : s(with(what, set)), sw(seeded(b, seed), s) {
  b.again = "tb/integration/run.sh 1 " + std::to_string(seed) + " plain directed";
  b.reset();
  frames_of(b);
}

void Kernel::run(std::function<bool()> enough) {
  b.traffic = true;
  while (!enough() && !b.errors) sw.serve();
  b.errors += b.dut.errors_o;
}

Scenario Kernel::with(const char *what, std::function<void(Scenario &)> set) {
  Scenario s;
  s.name = what;
  set(s);
  return s;
}

uint64_t lines(const char *what, uint64_t seed, std::function<void(Scenario &)> set) {
  Kernel k(what, seed, set);
  Habit h;
  h.name = "line cache", h.raw = true, h.ids = 1, h.idle = 0;
  auto m = std::make_unique<AxiMaster>(0, h, false);
  AxiMaster &master = *m;
  k.sw.pages_for(0, 1, 36, m->pages);
  k.b.clients.push_back(std::move(m));
  PortMemory &memory = k.b.mem[0]; // slower in W than in R
  memory.w = {8, 7}, memory.latency = 2, memory.ar = {1, 0}, memory.shut_one_in = 1u << 30;
  k.sw.begin(kPorts + kNatives);
  uint32_t written = 0, read = 0;
  Ref last;
  master.script = [&](Bench &b, bool write) -> Ref {
    bool sent = !last || last->w_sent == last->beats();
    if (write ? written == 36 || !sent || written > read : read == written || !sent) return nullptr;
    auto x = std::make_shared<Burst>();
    HostPage &p = *master.pages[write ? written : read];
    x->write = write, x->len = 64 / kBytes - 1, x->va = p.va + 64 * (p.va >> 12 & 63);
    Ref r = master.begin(b, x, p);
    if (r && write) written++, last = r;
    else if (r) read++;
    return r;
  };
  k.run([&] { return read == 36 && !master.busy(); });
  printf("line cache, %s: %" PRIu64 " of 36 lines wrong\n", what, master.wrong);
  return master.wrong + k.b.errors;
}

uint64_t kept(const char *what, uint64_t seed, bool lanes, Keep keep,
              std::function<void(Scenario &)> set) {
  Kernel k(what, seed, set);
  std::unique_ptr<WordClient> c;
  if (lanes) c = std::make_unique<MergeClient>(k.b, 1, 20);
  else c = std::make_unique<NativeClient>(1, keep, 8, 40);
  WordClient &client = *c;
  client.counts_only = true;
  k.sw.pages_for(kPorts + 1, 1, 8, c->pages);
  k.b.clients.push_back(std::move(c));
  k.sw.begin(kPorts + kNatives);
  k.run([&] { return client.done() >= 3000; });
  printf("%s: %" PRIu64 " of 3000 accesses wrong, %" PRIu64 " pages moved, %" PRIu64 " unmapped\n",
         what, client.wrong, k.sw.moved, k.sw.evicted);
  return client.wrong + k.b.errors;
}

bool progress(const char *what, uint64_t seed, unsigned kind, unsigned latency) {
  Kernel k(what, seed,
           [&](Scenario &s) { s.storm = 1u << kind, s.walk_latency = latency, s.apart = 0x8000; });
  auto m = std::make_unique<AxiMaster>(0, Habit{}, false);
  AxiMaster &master = *m;
  k.sw.pages_for(0, 1, 16, m->pages);
  k.b.clients.push_back(std::move(m));
  k.b.watchdog.allow(1u << 30);
  k.sw.begin(kPorts + kNatives);
  uint64_t end = k.b.cycle + 60000;
  k.run([&] { return k.b.cycle > end; });
  printf("storm of %s, PTE reads of up to %u cycles: %" PRIu64 " commands, %" PRIu64 " bursts\n",
         what, 2 * latency, k.sw.commands, master.done());
  return master.done() >= 16 && !k.b.errors;
}

uint64_t recorded_again(uint64_t seed) {
  Kernel k("recorded again", seed, [](Scenario &s) { s.cold = true; });
  auto m = std::make_unique<AxiMaster>(0, Habit{}, false);
  AxiMaster &master = *m;
  k.sw.pages_for(0, 1, 2, m->pages);
  k.b.clients.push_back(std::move(m));
  k.sw.begin(kPorts + kNatives);
  k.b.watchdog.allow(1u << 30);
  uint32_t period = 40;
  k.b.access(true, GMMU_REG_RETRY_CYCLES, &period, 15);
  bool begun = false;
  master.script = [&](Bench &b, bool write) -> Ref {
    if (write || begun) return nullptr;
    begun = true;
    auto x = std::make_shared<Burst>();
    x->va = master.pages[1]->va;
    return master.begin(b, x, *master.pages[1]);
  };
  k.b.traffic = true;
  gmmu_drv_fault f;
  uint64_t lost = 0;
  for (int i = 0; i < 300 && !k.b.errors; i++) {
    for (uint64_t n = k.b.below(50); n > 0; n--) k.b.step();
    k.b.must(gmmu_drv_invalidate_range(&k.b.drv, 1, k.sw.base + 0x100000, 4096), "invalidate");
    for (int n = 0; n < 300; n++) k.b.step();
    int records = 0;
    while (gmmu_drv_next_fault(&k.b.drv, &f) > 0) records++;
    lost += !records;
  }
  printf("a fault that asks again by itself: not recorded again after %" PRIu64
         " of 300 commands\n",
         lost);
  return lost + k.b.errors;
}

bool directed(uint64_t seed) {
  bool good = true;
  auto none = [&](uint64_t wrong) {
    if (!wrong) return;
    puts("    expected none");
    good = false;
  };
  none(recorded_again(seed));
  none(lines("capacity misses", seed, [](Scenario &) {}));
  none(lines("invalidations", seed, [](Scenario &s) { s.storm = 4; }));
  none(lines("pages made read-only and restored", seed, [](Scenario &s) { s.protect = 100; }));
  auto move = [](Scenario &s) { s.move = 200, s.remap = false; };
  auto come_and_go = [](Scenario &s) { s.cold = true, s.evict = 300; };
  none(kept("native client whose answer waits", seed, false, Keep::waits, move));
  none(kept("native client that keeps addresses", seed, false, Keep::at_once, move));
  none(kept("native client that keeps them for later", seed, false, Keep::later, move));
  none(kept("four lanes, page-ins and page-outs", seed, true, Keep::waits, come_and_go));
  static const char *const kinds[] = {"invalidate all", "invalidate an ASID", "invalidate a range",
                                      "invalidate a frame"};
  for (unsigned kind = 0; kind < 4; kind++)
    for (unsigned latency : {12u, 100u, 500u}) none(!progress(kinds[kind], seed, kind, latency));
  puts(good ? "PASS directed" : "FAIL directed");
  return good;
}
