// SPDX-License-Identifier: Apache-2.0
// The working example (make demo, tb/softcore/run.sh): two small SIMT cores run programs from
// virtual memory through gmmu_axi, each in an address space of its own, with the same addresses.
// Nothing is mapped at the start: pages come in on faults, to what is free in fragmented memory,
// and leave again when it is full. The memory manager does it, through the C driver; in the last
// round the device memory manager. Results are compared with C. Ends with "PASS ..." or "FAIL ...".
#include "../axi/axi_memory.h"
#include "gdm_round.h"
extern "C" {
#include "gmmu_mm.h"
}

namespace {
constexpr uint64_t kTables = 0x00100000, kTablesEnd = 0x002fffff, kFrames = 0x08000000,
                   kMemory = 4 * GMMU_MM_FRAME;

struct Demo : World, SimtHost {
  struct Transfer {
    unsigned asid;
    uint64_t va, pa, at;
  };
  std::map<std::pair<unsigned, uint64_t>, std::vector<uint8_t>>
      store; // (ASID, virtual page): the host's memory
  std::vector<Transfer> coming;
  gmmu_mm *mm = nullptr;
  PortMemory mem[kPorts];
  WalkMemory walk;
  EngineMemory engine;
  uint64_t faults = 0, instructions[2] = {}, reads = 0, writes = 0;

  /// The host's view of a page: in memory, or in its own store. Allocated when it is first asked
  /// for.
  uint8_t *bytes(unsigned asid, uint64_t va, unsigned perms) {
    uint64_t pa = 0;
    std::vector<uint8_t> &own = store[{asid, va >> 12}];
    if (own.empty()) {
      own.assign(4096, 0);
      if (int e = gmmu_mm_alloc(mm, asid, va & ~4095ull, 4096, perms | GMMU_DRV_U, true))
        fail(gmmu_mm_error_name(e), 0, 1, va);
    }
    return (gmmu_mm_where(mm, asid, va, &pa) == GMMU_MM_HERE ? memory.page(pa >> 12).data()
                                                             : own.data()) +
           (va & 4095);
  }
  uint32_t get(unsigned asid, uint64_t va) override {
    uint32_t v;
    memcpy(&v, bytes(asid, va, 0), 4);
    return v;
  }
  void put(unsigned asid, uint64_t va, uint32_t v, unsigned perms) override {
    memcpy(bytes(asid, va, perms), &v, 4);
  }

  uint64_t random(uint64_t n) override { return below(n); }
  // What the memory manager needs of its host. A transfer takes some thousand cycles.
  static void copy(void *arg, uint64_t to, uint64_t from) {
    Demo &d = *static_cast<Demo *>(arg);
    d.memory.page(to >> 12) = d.memory.page(from >> 12);
  }
  static int page_in(void *arg, unsigned asid, uint64_t va, uint64_t pa, uint64_t) {
    Demo &d = *static_cast<Demo *>(arg);
    d.coming.push_back({asid, va, pa, d.cycle + 500 + d.below(3000)});
    return 1;
  }
  static void page_out(void *arg, unsigned asid, uint64_t va, uint64_t pa) {
    Demo &d = *static_cast<Demo *>(arg);
    d.store[{asid, va >> 12}] = d.memory.page(pa >> 12);
    for (auto &b : d.memory.page(pa >> 12))
      b = static_cast<uint8_t>(gmmu_rng_next(&d.rng)); // nothing uses it any more
  }
  static int fault(void *arg, const gmmu_drv_fault *f) {
    Demo &d = *static_cast<Demo *>(arg);
    d.faults++;
    int verdict = gmmu_mm_fault(d.mm, f), why = gmmu_mm_last_fault(d.mm);
    if (why && why != GMMU_MM_NO_MEMORY)
      d.fail(gmmu_mm_error_name(why), 0, f->cause, f->va); // no memory: all pages are on their way
    return verdict;
  }
  void serve() {
    if (dut.irq_o) must(gmmu_drv_handle_faults(&drv, fault, this), "faults");
    for (size_t i = 0; i < coming.size(); i++) {
      Transfer t = coming[i];
      if (t.at > cycle) continue;
      coming.erase(coming.begin() + static_cast<long>(i));
      memory.page(t.pa >> 12) = store[{t.asid, t.va >> 12}];
      if (int e = gmmu_mm_arrived(mm, t.asid, t.va)) fail(gmmu_mm_error_name(e), 0, 1, t.va);
      return;
    }
  }
};

void cycle(Demo &d) {
  Dut &t = d.dut;
  Verilated::threadContextp(
      &d.ctx); // applications and kernels of the device memory manager have threads of their own
  d.settle();
  for (auto &m : d.mem) m.sample(d);
  d.walk.sample(d);
  d.engine.sample(d);
  for (uint32_t p = 0; p < kPorts; p++)
    for (bool write : {false, true}) {
      Ref b = burst_at_memory(d, p, write);
      if (!b) continue;
      (write ? d.writes : d.reads)++;
      d.mem[p].issued(d, b);
    }
  for (uint32_t c = 0; c < 2; c++) d.instructions[c] += bits_get(t.retired_o, c, 1);
  d.edge();
  for (auto &m : d.mem) m.drive(d);
  d.walk.drive(d);
  d.engine.drive(d);
}

/// Both cores run their job at the same time, launched again as long as it says so.
void run(Demo &d, SimtJob jobs[2]) {
  gmmu_mm_stats s0, s1;
  gmmu_mm_get_stats(d.mm, &s0);
  uint64_t begin = d.cycle, faults0 = d.faults, ins0[2] = {d.instructions[0], d.instructions[1]};
  unsigned launches[2] = {1, 1};
  for (unsigned c = 0; c < 2; c++) jobs[c].load(d, c + 1);
  d.dut.pc_i = kCode << 32 | kCode;
  d.dut.arg_i = kArgs << 32 | kArgs;
  d.dut.start_i = 3;
  d.step();
  d.dut.start_i = 0;
  d.who_waits = [&](BenchWaits &w) {
    for (uint32_t c = 0; c < 2; c++)
      if (bits_get(d.dut.busy_o, c, 1))
        w.add("core " + std::to_string(c), "an instruction or data",
              "%" PRIu64 " instructions done", d.instructions[c]);
    for (uint32_t p = 0; p < kPorts; p++) {
      size_t n = 0;
      for (auto *side : {&d.mem[p].reads, &d.mem[p].writes})
        for (auto &[id, q] : *side) n += q.size();
      if (n) w.add("port " + std::to_string(p), "its memory", "%zu bursts", n);
    }
    if (!d.coming.empty()) w.add("a core", "the host", "%zu pages coming", d.coming.size());
    d.walk.waits(w);
  };
  BenchWatchdog watchdog(50000, [&](BenchWaits &w) { d.waits(w); });
  bool busy = true;
  while (busy && !d.errors) {
    d.serve();
    d.step();
    if (watchdog.stuck(d.cycle, d.instructions[0] + d.instructions[1])) d.errors++;
    busy = d.dut.busy_o != 0;
    for (uint32_t c = 0; c < 2; c++)
      if (!bits_get(d.dut.busy_o, c, 1) && jobs[c].again && jobs[c].again(d, c + 1)) {
        d.dut.start_i = 1u << c;
        d.step();
        d.dut.start_i = 0;
        d.step();
        launches[c]++;
        busy = true;
      }
  }
  for (unsigned c = 0; c < 2 && !d.errors; c++) {
    bool right = jobs[c].verify(d, c + 1);
    if (!right) d.errors++;
    printf("  core %u, address space %u: %-8s %2u launch%s %8" PRIu64 " instructions  %s\n", c,
           c + 1, jobs[c].name.c_str(), launches[c], launches[c] > 1 ? "es" : "  ",
           d.instructions[c] - ins0[c], right ? "result right" : "RESULT WRONG");
  }
  gmmu_mm_get_stats(d.mm, &s1);
  printf("  together %" PRIu64 " cycles, %" PRIu64 " faults, %" PRIu64 " pages in, %" PRIu64
         " out\n",
         d.cycle - begin, d.faults - faults0, s1.ins - s0.ins, s1.outs - s0.outs);
}

void clear(Demo &d) {
  for (auto &[at, p] : d.store)
    if (int e = gmmu_mm_dealloc(d.mm, at.first, at.second << 12, 4096))
      d.fail(gmmu_mm_error_name(e), 0, 1, at.second << 12);
  d.store.clear();
  if (const char *e = gmmu_mm_check(d.mm)) d.fail(e, 0, 1, 0);
}
} // namespace

const BenchInfo bench_info = {"softcore_bench", "SCALE", 1, "", 0, 0};
int bench_run(const BenchArgs &args) {
  uint64_t scale = args.count;
  auto p = std::make_unique<Demo>();
  Demo &d = *p;
  d.seed = args.seed;
  d.rng.s = d.seed;
  d.step = [&] { cycle(d); };
  for (uint32_t i = 0; i < kPorts; i++) {
    d.mem[i].port = i;
    d.mem[i].on_apply = [](Ref) {};
  }
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) d.free_tables.push_back(t);
  bench_reset(d.dut, [&] { d.settle(), d.edge(); });

  gmmu_drv_bus bus = d.bus();
  d.must(gmmu_drv_init(&d.drv, &bus), "init");
  d.must(gmmu_drv_window(&d.drv, 0, kTables, kTablesEnd, true, false), "window for tables");
  d.must(gmmu_drv_window(&d.drv, 1, kFrames, kFrames + kMemory - 1, false, true),
         "window for data");
  for (unsigned c = 0; c < 2; c++) {
    d.must(gmmu_drv_open(&d.drv, c + 1, false, false, false, false), "open");
    gmmu_drv_port s{
        GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, c + 1, false, 2}; // I: every read is a fetch
    d.must(gmmu_drv_set_port(&d.drv, 2 * c, &s), "I port");
    s.fetch = 1;
    d.must(gmmu_drv_set_port(&d.drv, 2 * c + 1, &s), "D port");
  }
  d.must(gmmu_drv_fault_irq(&d.drv, true), "interrupt");
  gmmu_mm_cfg cfg{GMMU_MM_MOSAIC, kFrames, kMemory, 256, true, true};
  gmmu_mm_host host{&d, Demo::copy, Demo::page_in, Demo::page_out, nullptr};
  d.mm = gmmu_mm_new(&cfg, &d.drv, &host);
  if (!d.mm || gmmu_mm_fragment(d.mm, 1, 506.0 / 512, d.seed))
    return puts("FAIL no memory manager"), 1; // 24 pages are left

  printf(
      "two SIMT cores through gmmu_axi, %u ports; nothing mapped, 24 free pages, two address "
      "spaces with the same addresses\n",
      kPorts);
  uint32_t k = static_cast<uint32_t>(scale);
  for (int round = 0; round < 3 && !d.errors; round++) {
    SimtJob jobs[2];
    for (unsigned c = 0; c < 2; c++) {
      switch ((round + static_cast<int>(c)) % 3) {
        case 0: jobs[c] = make_vecadd(d, c + 1, 8000 * k); break;
        case 1: jobs[c] = make_bfs(d, c + 1, 400 * k); break;
        default: jobs[c] = make_matmul(d, c + 1, 5); break;
      }
    }
    printf("round %d\n", round + 1);
    run(d, jobs);
    clear(d);
  }
  gmmu_mm_stats mm;
  gmmu_mm_get_stats(d.mm, &mm);
  if (!d.errors && (!mm.outs || mm.pages)) d.fail("pages out, pages left", 1, mm.pages, 0);
  gmmu_mm_free_all(d.mm);
  for (unsigned c = 0; c < 2; c++) d.must(gmmu_drv_close(&d.drv, c + 1), "close");
  if (!d.errors) {
    puts("round 4");
    GdmRound(d, d.instructions, kFrames).run(kTables, kTablesEnd);
  }
  uint64_t v[GMMU_DRV_COUNTERS] = {};
  d.must(gmmu_drv_counters(&d.drv, false, v), "counters");
  printf("counters: %" PRIu64 " cycles, L1 %" PRIu64 " lookups %.1f %% hits, L2 %" PRIu64
         " lookups %.1f %% hits, %" PRIu64 " walks, %" PRIu64 " PTE reads, %" PRIu64 " faults\n",
         v[0], v[1], 100.0 * static_cast<double>(v[2]) / static_cast<double>(v[1] ? v[1] : 1), v[3],
         100.0 * static_cast<double>(v[4]) / static_cast<double>(v[3] ? v[3] : 1), v[5], v[6],
         v[7]);
  d.errors += d.dut.errors_o;
  printf("%s softcore: %" PRIu64 " + %" PRIu64 " instructions, %" PRIu64 " reads, %" PRIu64
         " writes, %" PRIu64 " pages in, %" PRIu64 " out, %" PRIu64 " errors\n",
         d.errors ? "FAIL" : "PASS", d.instructions[0], d.instructions[1], d.reads, d.writes,
         mm.ins, mm.outs, d.errors);
  return d.errors != 0;
}
