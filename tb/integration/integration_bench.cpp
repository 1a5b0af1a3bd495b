// SPDX-License-Identifier: Apache-2.0
// The integration bench, built by tb/integration/run.sh: two AXI masters and two clients of native
// ports in front of gmmu_axi, with every habit of the table below under every scenario, over
// memories that differ as much: docs/integration-bench.md.
// integration_bench BURSTS SEED [SCENARIO[/HABIT]]: BURSTS in all. Ends with PASS or FAIL.
#include <ctime>

#include "axi_master.h"
#include "native_client.h"
#include "software.h"
#include "directed.h"

namespace {
Habit habit(const char *name, std::function<void(Habit &)> set = nullptr) {
  Habit h;
  h.name = name;
  if (set) set(h);
  return h;
}
const std::vector<Habit> kHabits = {
    habit("ids"),
    habit("before-b", [](Habit &h) { h.raw = true, h.ids = 1, h.idle = 1; }),
    habit("one", [](Habit &h) { h.one = true; }),
    habit("no-ids", [](Habit &h) { h.ids = 1; }),
    habit("narrow", [](Habit &h) { h.narrow = true, h.fixed = true; }),
    habit("wrap", [](Habit &h) { h.wrap = true; }),
    habit("w-first", [](Habit &h) { h.w_first = true; }),
    habit("together", [](Habit &h) { h.together = true; }),
    habit("w-after-r", [](Habit &h) { h.w_after_r = true; }),
    habit("never-ready", [](Habit &h) { h.shut = true; }),
    habit("before-b-ids", [](Habit &h) { h.raw = true, h.narrow = true, h.idle = 1; }),
    habit("before-r",
          [](Habit &h) { h.raw = h.war = true, h.ids = 2, h.together = true, h.idle = 1; }),
};

struct MemoryHabit {
  const char *name;
  void (*set)(PortMemory &);
};
const MemoryHabit kMemories[] = {
    {"even", [](PortMemory &) {}},
    {"slow in W", [](PortMemory &m) { m.w = {8, 7}, m.latency = 2; }},
    {"fast", [](PortMemory &m) { m.fast = true; }},
    {"slow in R", [](PortMemory &m) { m.answer = {8, 7}, m.latency = 40; }},
    {"reorders", [](PortMemory &m) { m.latency = 60, m.aw = m.ar = {4, 1}; }},
    {"in order", [](PortMemory &m) { m.in_order = true, m.interleaves = false; }},
    {"long stalls",
     [](PortMemory &m) { m.shut_one_in = 500, m.shut_cycles = 1500, m.interleaves = false; }},
};
constexpr size_t kMemoryHabits = sizeof kMemories / sizeof kMemories[0];

std::vector<Scenario> scenarios() {
  std::vector<Scenario> all;
  auto add = [&](const char *name, std::function<void(Scenario &)> set) {
    Scenario s;
    s.name = name;
    if (set) set(s);
    all.push_back(s);
  };
  add("scattered", nullptr);
  add("cold", [](Scenario &s) { s.cold = true, s.evict = 3000; });
  add("repair", [](Scenario &s) { s.cold = s.slow_host = true, s.evict = 150; });
  add("read-only", [](Scenario &s) { s.protect = 600; });
  add("errors", [](Scenario &s) { s.errors = true; });
  add("moves", [](Scenario &s) { s.move = 700; });
  add("coalesce", [](Scenario &s) { s.coalesce = 4000, s.move = 3000; });
  add("spaces", [](Scenario &s) { s.spaces2 = true, s.move = 1500, s.evict = 3000; });
  add("shared", [](Scenario &s) { s.shared = true, s.move = 1500, s.evict = 3000; });
  add("storm", [](Scenario &s) { s.storm = 15; });
  add("pass", [](Scenario &s) { s.pass = true; });
#ifdef GMMU_TB_SVADU
  add("svadu", [](Scenario &s) { s.svadu = true, s.cold = true, s.move = 1500, s.protect = 2000; });
#endif
  return all;
}

struct Totals {
  uint64_t bursts = 0, words = 0, runs = 0, faults = 0, moved = 0, evicted = 0, protects = 0,
           coalesced = 0, commands = 0, ended = 0, overtaking = 0, cycles = 0, dirtied = 0;
};

/// One scenario with one habit on port 0, another one on port 1.
bool run(const Scenario &s, size_t h, uint64_t seed, uint64_t count, Totals &t,
         const std::string &again) {
  auto owner = std::make_unique<Bench>();
  Bench &b = *owner;
  b.seed = seed, b.rng.s = seed, b.again = again;
  b.reset();
  for (uint64_t f = kFrames + 4 * kLarge; f < kFrames + 4 * kLarge + 600 * 4096; f += 4096)
    b.free_frames.push_back(f >> 12);
  // Storms meet slow walks too; they take their time.
  Scenario mine = s;
  if (s.storm && h % 3) mine.walk_latency = h % 3 == 1 ? 100 : 500, count = (count + 15) / 16;
  Software sw(b, mine);
  auto must_end = [&](const HostPage &p, bool write) {
    return !p.mapped ? +GMMU_PF_INVALID : write && !p.writable ? +GMMU_PERM : 0;
  };
  std::vector<AxiMaster *> masters;
  std::vector<WordClient *> words;
  for (uint32_t p = 0; p < kPorts; p++) {
    Habit habit = kHabits[p ? (h * 5 + seed) % kHabits.size() : h];
    auto m = std::make_unique<AxiMaster>(p, habit, s.shared);
    sw.pages_for(p, kPorts + kNatives, 16, m->pages);
    if (s.errors) m->must_end = must_end;
    masters.push_back(m.get());
    b.clients.push_back(std::move(m));
    kMemories[(h + 3 * p + seed) % kMemoryHabits].set(b.mem[p]);
  }
  for (uint32_t n = 0; n < kNatives; n++) {
    std::unique_ptr<WordClient> c;
    if (n == 1) c = std::make_unique<MergeClient>(b, n, 20);
    else c = std::make_unique<NativeClient>(n, static_cast<Keep>(h % 3), h % 4 ? 8 : 1, 10);
    sw.pages_for(kPorts + n, kPorts + kNatives, 12, c->pages);
    if (s.errors) c->must_end = must_end;
    words.push_back(c.get());
    b.clients.push_back(std::move(c));
  }
  sw.begin(kPorts + kNatives);
  auto all = [&] {
    uint64_t n = 0;
    for (auto *m : masters) n += m->done();
    return n;
  };
  auto busy = [&] {
    for (auto &c : b.clients)
      if (c->busy()) return true;
    return false;
  };
  b.traffic = true;
  while (all() < count && !b.errors) sw.serve();
  b.traffic = false;
  while (busy() && !b.errors) sw.serve();
  if (!b.errors) sw.compare();
  b.errors += b.dut.errors_o;
  if (b.errors) {
    printf("in scenario %s, habits %s and %s; memories %s and %s\nagain: %s\n", s.name,
           masters[0]->name.c_str(), masters[1]->name.c_str(),
           kMemories[(h + seed) % kMemoryHabits].name,
           kMemories[(h + 3 + seed) % kMemoryHabits].name, again.c_str());
    return false;
  }
  t.runs++, t.bursts += all(), t.faults += sw.faults, t.moved += sw.moved, t.evicted += sw.evicted,
      t.protects += sw.protects, t.coalesced += sw.coalesced;
  t.commands += sw.commands, t.cycles += b.cycle, t.dirtied += b.engine.dirtied;
  for (auto *m : masters) t.ended += m->ended, t.overtaking += m->overtaking;
  for (auto *w : words) t.words += w->done();
  return true;
}
} // namespace

const BenchInfo bench_info = {"integration_bench", "BURSTS", 20000, "[SCENARIO]", 0, 1};
int bench_run(const BenchArgs &args) {
  uint64_t bursts = args.count, seed = args.seed;
  std::string only = args.extra(0);
  struct Run {
    Scenario s;
    size_t h;
    std::string name;
  };
  std::vector<Run> runs;
  for (auto &s : scenarios())
    for (size_t h = 0; h < kHabits.size(); h++) {
      std::string name = std::string(s.name) + "/" + kHabits[h].name;
      if (only.empty() || only == s.name || only == name) runs.push_back({s, h, name});
    }
  if (only == "directed") return directed(seed) ? 0 : 1;
  if (runs.empty()) return fprintf(stderr, "integration_bench: no scenario %s\n", only.c_str()), 2;
  if (only.empty() && !directed(seed)) return puts("FAIL integration"), 1;
  clock_t begin = clock();
  Totals t;
  uint64_t each = (bursts + runs.size() - 1) / runs.size();
  for (auto &r : runs) {
    std::string again = "tb/integration/run.sh " + std::to_string(each) + " " +
                        std::to_string(seed) + " BUILD " + r.name;
    if (!run(r.s, r.h, seed, each, t, again)) return puts("FAIL integration"), 1;
  }
  double seconds = static_cast<double>(clock() - begin) / CLOCKS_PER_SEC;
  printf("PASS integration: %" PRIu64 " runs, %" PRIu64 " bursts (%" PRIu64
         " reads of what has no B yet, %" PRIu64 " ended by the MMU), %" PRIu64
         " native accesses, %" PRIu64 " faults, %" PRIu64 " pages moved, %" PRIu64
         " unmapped, %" PRIu64 " changes of permissions, %" PRIu64
         " coalesced or splintered, %" PRIu64 " commands in storms, D set %" PRIu64
         " times, %" PRIu64 " cycles; %.0f bursts a second of processor time\n",
         t.runs, t.bursts, t.overtaking, t.ended, t.words, t.faults, t.moved, t.evicted, t.protects,
         t.coalesced, t.commands, t.dirtied, t.cycles, static_cast<double>(t.bursts) / seconds);
  return 0;
}
