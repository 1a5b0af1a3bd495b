// SPDX-License-Identifier: Apache-2.0
// The integration bench with real cores in the masters' place: two gmmu_simt, each in an address
// space of its own with the same addresses, run their programs under every scenario that suits
// cores that look at no response: docs/integration-bench.md.
// simt_bench BURSTS SEED [SCENARIO]: programs until memory has taken BURSTS. Ends with PASS or
// FAIL.
#include "../softcore/simt_jobs.h"
#include "simt_core.h"
#include "software.h"

namespace {
struct Host : SimtHost {
  Bench &b;
  explicit Host(Bench &bench) : b(bench) {}
  uint8_t *at(unsigned asid, uint64_t va, unsigned perms) {
    HostPage *p = b.page(asid, va);
    uint32_t core = asid - 1, ports = perms & GMMU_DRV_X ? 1u << 2 * core : 2u << 2 * core;
    if (!p) p = &b.add_page(asid, va, ports, perms);
    return b.bytes(*p, va);
  }
  uint32_t get(unsigned asid, uint64_t va) override {
    uint32_t v;
    memcpy(&v, at(asid, va, GMMU_DRV_R), 4);
    return v;
  }
  void put(unsigned asid, uint64_t va, uint32_t v, unsigned perms) override {
    memcpy(at(asid, va, perms), &v, 4);
  }
  uint64_t random(uint64_t n) override { return b.below(n); }
};

struct Totals {
  uint64_t runs = 0, bursts = 0, instructions = 0, faults = 0, moved = 0, evicted = 0, protects = 0,
           coalesced = 0, commands = 0;
};

bool run(const Scenario &s, int round, uint64_t seed, Totals &t, const std::string &again) {
  auto owner = std::make_unique<Bench>();
  Bench &b = *owner;
  b.seed = seed, b.rng.s = seed, b.again = again;
  b.reset();
  for (uint64_t f = 0; f < 600; f++)
    b.free_frames.push_back((kFrames + 4 * kLarge + f * 4096) >> 12);
  Software sw(b, s);
  sw.large_va = 0x00200000; // of vecadd's b and c
  Host host(b);
  SimtCore *core[2];
  SimtJob job[2];
  for (uint32_t c = 0; c < 2; c++) {
    auto owned = std::make_unique<SimtCore>(b, c);
    core[c] = owned.get();
    b.clients.push_back(std::move(owned));
    sw.asid[2 * c] = sw.asid[2 * c + 1] = c + 1;
    sw.fetch[2 * c] = 2, sw.fetch[2 * c + 1] = 1;
    for (uint64_t i = 0; s.coalesce && i < 512; i++) sw.large_page(c + 1, i, 2u << 2 * c);
    switch ((round + static_cast<int>(c)) % 3) {
      case 0: job[c] = make_vecadd(host, c + 1, 1000); break;
      case 1: job[c] = make_bfs(host, c + 1, 60); break;
      default: job[c] = make_matmul(host, c + 1, 3); break;
    }
    job[c].load(host, c + 1);
  }
  sw.begin(kPorts);
  for (uint32_t c = 0; c < 2; c++) core[c]->start(b, kCode, kArgs);
  while ((core[0]->busy() || core[1]->busy()) && !b.errors) {
    sw.serve();
    for (uint32_t c = 0; c < 2; c++)
      if (!core[c]->busy() && job[c].again && job[c].again(host, c + 1))
        core[c]->start(b, kCode, kArgs);
  }
  for (uint32_t c = 0; c < 2 && !b.errors; c++)
    if (!job[c].verify(host, c + 1)) b.fail("result of a program", 1, 0, c);
  b.errors += b.dut.errors_o;
  if (b.errors)
    printf("in scenario %s, programs %s and %s\nagain: %s\n", s.name, job[0].name.c_str(),
           job[1].name.c_str(), again.c_str());
  t.runs++, t.bursts += b.bursts, t.faults += sw.faults, t.moved += sw.moved,
      t.evicted += sw.evicted, t.protects += sw.protects;
  t.coalesced += sw.coalesced, t.commands += sw.commands,
      t.instructions += core[0]->done() + core[1]->done();
  return !b.errors;
}
} // namespace

const BenchInfo bench_info = {"simt_bench", "BURSTS", 20000, "[SCENARIO]", 0, 1};
int bench_run(const BenchArgs &args) {
  uint64_t bursts = args.count, seed = args.seed;
  std::string only = args.extra(0);
  std::vector<Scenario> list;
  auto add = [&](const char *name, std::function<void(Scenario &)> set) {
    Scenario s;
    s.name = name, s.spaces2 = true;
    set(s);
    if (only.empty() || only == name) list.push_back(s);
  };
  add("scattered", [](Scenario &) {});
  add("cold", [](Scenario &s) { s.cold = true, s.evict = 3000; });
  add("repair", [](Scenario &s) { s.cold = s.slow_host = true, s.evict = 300; });
  add("read-only", [](Scenario &s) { s.protect = 600; });
  add("moves", [](Scenario &s) { s.move = 700; });
  add("coalesce", [](Scenario &s) { s.coalesce = 4000, s.move = 3000; });
  add("storm", [](Scenario &s) { s.storm = 15; });
  add("svadu", [](Scenario &s) { s.svadu = s.cold = true, s.move = 1500; });
  if (list.empty()) return fprintf(stderr, "simt_bench: no scenario %s\n", only.c_str()), 2;
  Totals t;
  for (int round = 0; t.bursts < bursts; round++)
    for (auto &s : list) {
      std::string again = "tb/integration/run.sh " + std::to_string(bursts) + " " +
                          std::to_string(seed) + " simt " + s.name;
      if (!run(s, round, seed + static_cast<uint64_t>(round), t, again))
        return puts("FAIL integration with SIMT cores"), 1;
    }
  printf("PASS integration with SIMT cores: %" PRIu64 " runs, %" PRIu64 " instructions, %" PRIu64
         " bursts, %" PRIu64 " faults, %" PRIu64 " pages moved, %" PRIu64 " unmapped, %" PRIu64
         " changes of permissions, %" PRIu64 " coalesced or splintered, %" PRIu64
         " commands in storms\n",
         t.runs, t.instructions, t.bursts, t.faults, t.moved, t.evicted, t.protects, t.coalesced,
         t.commands);
  return 0;
}
