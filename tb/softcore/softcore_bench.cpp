// SPDX-License-Identifier: Apache-2.0
// The working example (make demo, tb/softcore/run.sh): two small SIMT cores run programs from virtual memory through gmmu_axi, each in
// an address space of its own, with the same addresses. Nothing is mapped at the start: pages come in on faults, to scattered
// frames, and leave again when frames run out. The C driver does it through the registers. Results are compared with C.
// Ends with "PASS ..." or "FAIL ...".
#include "../axi/axi_world.h"
#include "simt_asm.h"

namespace {
constexpr uint64_t kTables = 0x00100000, kTablesEnd = 0x002fffff, kFrames = 0x08000000, kCode = 0x00010000, kArgs = 0x00020000;

struct Page {
  std::vector<uint8_t> stored = std::vector<uint8_t>(4096, 0);   // when it is out
  uint64_t frame = 0;
  bool in = false;
  unsigned perms = 0;
};

struct Job {
  std::string name;
  std::vector<uint32_t> code, args;
  std::function<bool(struct Demo &, unsigned asid)> verify;
  std::function<bool(struct Demo &, unsigned asid)> again;   // another launch is needed
};

struct Demo : World {
  std::map<std::pair<unsigned, uint64_t>, Page> pages;       // (ASID, virtual page)
  std::vector<uint64_t> free_frames;
  PortMemory mem[kPorts];
  WalkMemory walk;
  PteMemory ptes;
  uint64_t faults = 0, ins = 0, outs = 0, instructions[2] = {}, reads = 0, writes = 0;

  Page &page(unsigned asid, uint64_t va, unsigned perms) {
    Page &p = pages[{asid, va >> 12}];
    if (!p.perms) p.perms = perms;
    return p;
  }
  /// The host's view of an address space: where the page is now.
  uint32_t get(unsigned asid, uint64_t va) {
    Page &p = pages.at({asid, va >> 12});
    uint32_t v;
    memcpy(&v, (p.in ? memory.page(p.frame).data() : p.stored.data()) + (va & 4095), 4);
    return v;
  }
  void put(unsigned asid, uint64_t va, uint32_t v, unsigned perms) {
    Page &p = page(asid, va, perms);
    memcpy((p.in ? memory.page(p.frame).data() : p.stored.data()) + (va & 4095), &v, 4);
  }
  void evict() {
    std::vector<std::pair<unsigned, uint64_t>> in;
    for (auto &[at, p] : pages)
      if (p.in) in.push_back(at);
    auto at = in[below(in.size())];
    Page &p = pages[at];
    must(gmmu_drv_unmap(&drv, at.first, at.second << 12, 4096), "unmap");   // nothing uses the frame when it returns
    p.stored = memory.page(p.frame);
    for (auto &b : memory.page(p.frame)) b = static_cast<uint8_t>(gmmu_rng_next(&rng));
    p.in = false;
    free_frames.push_back(p.frame);
    outs++;
  }
  static int fault(void *arg, const gmmu_drv_fault *f) {
    Demo &d = *static_cast<Demo *>(arg);
    d.faults++;
    auto it = d.pages.find({f->asid, f->va >> 12});
    if (it == d.pages.end()) {
      d.fail("access outside the program", 0, f->va, f->va);
      return GMMU_DRV_LATER;
    }
    if (f->cause != GMMU_PF_INVALID && !it->second.in) d.fail("cause of a fault", GMMU_PF_INVALID, f->cause, f->va);
    if (it->second.in) return GMMU_DRV_RESOLVED;   // another access has brought it in
    if (d.free_frames.empty()) d.evict();
    Page &p = it->second;
    size_t pick = d.below(d.free_frames.size());
    p.frame = d.free_frames[pick];
    d.free_frames.erase(d.free_frames.begin() + static_cast<long>(pick));
    d.memory.page(p.frame) = p.stored;
    p.in = true;
    d.ins++;
    d.must(gmmu_drv_map(&d.drv, f->asid, f->va & ~4095ull, p.frame << 12, 4096, p.perms | GMMU_DRV_U, false), "map");
    return GMMU_DRV_RESOLVED;
  }
};

void cycle(Demo &d) {
  Dut &t = d.dut;
  d.settle();
  for (auto &m : d.mem) m.sample(d);
  d.walk.sample(d);
  d.ptes.sample(d);
  for (uint32_t p = 0; p < kPorts; p++)
    for (bool write : {false, true}) {
      if (!(write ? bits_get(t.m_awvalid_o, p, 1) && bits_get(t.m_awready_i, p, 1) : bits_get(t.m_arvalid_o, p, 1) && bits_get(t.m_arready_i, p, 1))) continue;
      auto b = std::make_shared<Burst>();
      b->write = write, b->unknown = true, b->port = p;
      b->id = static_cast<uint32_t>(write ? bits_get(t.m_awid_o, p * kIdW, kIdW) : bits_get(t.m_arid_o, p * kIdW, kIdW));
      b->pa = write ? bits_get(t.m_awaddr_o, p * kPaW, kPaW) : bits_get(t.m_araddr_o, p * kPaW, kPaW);
      b->size = static_cast<uint32_t>(write ? bits_get(t.m_awsize_o, p * 3, 3) : bits_get(t.m_arsize_o, p * 3, 3));
      (write ? d.writes : d.reads)++;
      d.mem[p].issued(d, b);
    }
  for (uint32_t c = 0; c < 2; c++) d.instructions[c] += bits_get(t.retired_o, c, 1);
  d.edge();
  for (auto &m : d.mem) m.drive(d);
  d.walk.drive(d);
  d.ptes.drive(d);
}

/// Both cores run their job at the same time, launched again as long as it says so.
void run(Demo &d, Job jobs[2]) {
  uint64_t begin = d.cycle, in0 = d.ins, out0 = d.outs, faults0 = d.faults, ins0[2] = {d.instructions[0], d.instructions[1]};
  unsigned perms_code = GMMU_DRV_X, launches[2] = {1, 1};
  for (unsigned c = 0; c < 2; c++)
    for (auto *what : {&jobs[c].code, &jobs[c].args})
      for (size_t i = 0; i < what->size(); i++) d.put(c + 1, (what == &jobs[c].code ? kCode : kArgs) + 4 * i, (*what)[i], what == &jobs[c].code ? perms_code : GMMU_DRV_R);
  d.dut.pc_i = kCode << 32 | kCode;
  d.dut.arg_i = kArgs << 32 | kArgs;
  d.dut.start_i = 3;
  d.step();
  d.dut.start_i = 0;
  uint64_t last = d.cycle, seen = d.instructions[0] + d.instructions[1];
  bool busy = true;
  while (busy && !d.errors) {
    if (d.dut.irq_o) d.must(gmmu_drv_handle_faults(&d.drv, Demo::fault, &d), "faults");
    d.step();
    if (d.instructions[0] + d.instructions[1] != seen) seen = d.instructions[0] + d.instructions[1], last = d.cycle;
    if (d.cycle - last > 50000) {
      printf("no instruction for 50000 cycles: core busy %u, irq %d, PTE reads on their way %zu\n", d.dut.busy_o, d.dut.irq_o, d.walk.reads.size());
      d.errors++;
    }
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
    printf("  core %u, address space %u: %-8s %2u launch%s %8" PRIu64 " instructions  %s\n", c, c + 1, jobs[c].name.c_str(), launches[c], launches[c] > 1 ? "es" : "  ",
           d.instructions[c] - ins0[c], right ? "result right" : "RESULT WRONG");
  }
  printf("  together %" PRIu64 " cycles, %" PRIu64 " faults, %" PRIu64 " pages in, %" PRIu64 " out\n", d.cycle - begin, d.faults - faults0, d.ins - in0, d.outs - out0);
}

Job make_vecadd(Demo &d, unsigned asid, uint32_t n) {
  const uint32_t a = 0x00100000, b = 0x00200000, c = 0x00300000;
  for (uint32_t i = 0; i < n; i++) {
    d.put(asid, a + 4 * i, static_cast<uint32_t>(gmmu_rng_next(&d.rng)), GMMU_DRV_R);
    d.put(asid, b + 4 * i, static_cast<uint32_t>(gmmu_rng_next(&d.rng)), GMMU_DRV_R);
    d.put(asid, c + 4 * i, 0, GMMU_DRV_R | GMMU_DRV_W);
  }
  return {"vecadd", vecadd(), {n, a, b, c},
          [=](Demo &x, unsigned s) {
            for (uint32_t i = 0; i < n; i++)
              if (x.get(s, c + 4 * i) != x.get(s, a + 4 * i) + x.get(s, b + 4 * i)) return false;
            return true;
          },
          nullptr};
}

Job make_matmul(Demo &d, unsigned asid, uint32_t log) {
  const uint32_t a = 0x40000000, b = 0x40100000, c = 0x7ff00000, n = 1u << log;
  for (uint32_t i = 0; i < n * n; i++) {
    d.put(asid, a + 4 * i, static_cast<uint32_t>(d.below(1000)), GMMU_DRV_R);
    d.put(asid, b + 4 * i, static_cast<uint32_t>(d.below(1000)), GMMU_DRV_R);
    d.put(asid, c + 4 * i, 0, GMMU_DRV_R | GMMU_DRV_W);
  }
  return {"matmul", matmul(), {n, log, a, b, c},
          [=](Demo &x, unsigned s) {
            for (uint32_t i = 0; i < n; i++)
              for (uint32_t j = 0; j < n; j++) {
                uint32_t sum = 0;
                for (uint32_t k = 0; k < n; k++) sum += x.get(s, a + 4 * (i * n + k)) * x.get(s, b + 4 * (k * n + j));
                if (x.get(s, c + 4 * (i * n + j)) != sum) return false;
              }
            return true;
          },
          nullptr};
}

Job make_bfs(Demo &d, unsigned asid, uint32_t nodes) {
  const uint32_t first = 0x10000000, edges = 0x20000000, dist = 0x30000000, changed = 0x50000000;
  std::vector<std::vector<uint32_t>> graph(nodes);
  for (uint32_t v = 0; v < nodes; v++)
    for (uint64_t k = d.below(5); k > 0; k--) graph[v].push_back(static_cast<uint32_t>(d.below(nodes)));
  uint32_t at = 0;
  for (uint32_t v = 0; v < nodes; v++) {
    d.put(asid, first + 4 * v, at, GMMU_DRV_R);
    for (uint32_t n : graph[v]) d.put(asid, edges + 4 * at++, n, GMMU_DRV_R);
    d.put(asid, dist + 4 * v, v ? ~0u : 0, GMMU_DRV_R | GMMU_DRV_W);
  }
  d.put(asid, first + 4 * nodes, at, GMMU_DRV_R);
  d.put(asid, changed, 0, GMMU_DRV_R | GMMU_DRV_W);
  std::vector<uint32_t> want(nodes, ~0u);
  std::deque<uint32_t> todo{0};
  want[0] = 0;
  while (!todo.empty()) {
    uint32_t v = todo.front();
    todo.pop_front();
    for (uint32_t n : graph[v])
      if (want[n] == ~0u) want[n] = want[v] + 1, todo.push_back(n);
  }
  auto level = std::make_shared<uint32_t>(0);
  return {"bfs", bfs(), {nodes, 0, first, edges, dist, changed},
          [=](Demo &x, unsigned s) {
            for (uint32_t v = 0; v < nodes; v++)
              if (x.get(s, dist + 4 * v) != want[v]) return false;
            return true;
          },
          [=](Demo &x, unsigned s) {
            if (!x.get(s, changed)) return false;
            x.put(s, changed, 0, 0);
            x.put(s, kArgs + 4, ++*level, 0);
            return true;
          }};
}

void clear(Demo &d) {
  for (auto &[at, p] : d.pages) {
    if (!p.in) continue;
    d.must(gmmu_drv_unmap(&d.drv, at.first, at.second << 12, 4096), "unmap");
    d.free_frames.push_back(p.frame);
  }
  d.pages.clear();
}
}  // namespace

int main(int argc, char **argv) {
  uint64_t scale = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  auto p = std::make_unique<Demo>();
  Demo &d = *p;
  d.seed = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1;
  d.rng.s = d.seed;
  d.step = [&] { cycle(d); };
  for (uint32_t i = 0; i < kPorts; i++) {
    d.mem[i].port = i;
    d.mem[i].on_apply = [](Ref) {};
  }
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) d.free_tables.push_back(t);
  for (uint64_t f = 0; f < 24; f++) d.free_frames.push_back((kFrames >> 12) + (f * 37) % 128 * 3);   // scattered, and too few
  d.dut.rst_ni = 0;
  for (int i = 0; i < 4; i++) d.settle(), d.edge();
  d.dut.rst_ni = 1;

  gmmu_drv_bus bus = d.bus();
  d.must(gmmu_drv_init(&d.drv, &bus), "init");
  d.must(gmmu_drv_window(&d.drv, 0, kTables, kTablesEnd, true, false), "window for tables");
  d.must(gmmu_drv_window(&d.drv, 1, kFrames, kFrames + 0xffffff, false, true), "window for data");
  for (unsigned c = 0; c < 2; c++) {
    d.must(gmmu_drv_open(&d.drv, c + 1, false, false, false, false), "open");
    gmmu_drv_port s{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, c + 1, false, 2};   // I: every read is a fetch
    d.must(gmmu_drv_set_port(&d.drv, 2 * c, &s), "I port");
    s.fetch = 1;
    d.must(gmmu_drv_set_port(&d.drv, 2 * c + 1, &s), "D port");
  }
  d.must(gmmu_drv_fault_irq(&d.drv, true), "interrupt");

  printf("two SIMT cores through gmmu_axi, %u ports; nothing mapped, 24 frames, two address spaces with the same addresses\n", kPorts);
  uint32_t k = static_cast<uint32_t>(scale);
  for (int round = 0; round < 3 && !d.errors; round++) {
    Job jobs[2];
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
  uint64_t v[GMMU_DRV_COUNTERS] = {};
  d.must(gmmu_drv_counters(&d.drv, false, v), "counters");
  printf("counters: %" PRIu64 " cycles, L1 %" PRIu64 " lookups %.1f %% hits, L2 %" PRIu64 " lookups %.1f %% hits, %" PRIu64 " walks, %" PRIu64 " PTE reads, %" PRIu64
         " faults\n", v[0], v[1], 100.0 * static_cast<double>(v[2]) / static_cast<double>(v[1] ? v[1] : 1), v[3],
         100.0 * static_cast<double>(v[4]) / static_cast<double>(v[3] ? v[3] : 1), v[5], v[6], v[7]);
  d.errors += d.dut.errors_o;
  printf("%s softcore: %" PRIu64 " + %" PRIu64 " instructions, %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " pages in, %" PRIu64 " out, %" PRIu64 " errors\n",
         d.errors ? "FAIL" : "PASS", d.instructions[0], d.instructions[1], d.reads, d.writes, d.ins, d.outs, d.errors);
  return d.errors != 0;
}
