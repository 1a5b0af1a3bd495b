// SPDX-License-Identifier: Apache-2.0
// The device memory manager (gmmu_gdm.h) above gmmu_axi, built by tb/axi/run.sh gdm: its driver
// writes the registers over AXI4-Lite and the page tables that the RTL walks; kernels of three
// applications are AXI4 bursts of a port in error mode, whose faults are taken from the queue and
// whose accesses are then repeated; A and D are set by the RTL. Random operations, more than the
// device has room for. After each the manager's invariants hold; every byte is compared with plain
// arrays. usage: gdm_bench OPERATIONS SEED; odd seeds take dirty bits from hardware, even ones from
// signatures. Ends with "PASS ..." or "FAIL ...".
#include "order_masters.h"
extern "C" {
#include "gmmu_gdm.h"
}

namespace {
constexpr uint32_t kPort = 1, kApps = 3, kRegions = 3;
constexpr uint64_t kMost = 48 * 1024;

struct Gdm : World {
  BenchWatchdog watchdog{50000, [this](BenchWaits &w) { waits(w); }};
  StrictMemory mem[kPorts];
  Master master[kPorts];
  WalkMemory walk;
  EngineMemory engine;
  uint64_t bursts = 0, refused = 0;
};

void one_cycle(Gdm &o) {
  o.settle();
  for (uint32_t p = 0; p < kPorts; p++) o.master[p].sample(o);
  for (auto &m : o.mem) m.sample(o);
  o.walk.sample(o);
  o.engine.sample(o);
  o.edge();
  for (auto &m : o.mem) m.drive(o);
  o.walk.drive(o);
  o.engine.drive(o);
  for (auto &m : o.master) m.offer(o);
  o.dut.n_rsp_ready_i = 1;
  if (o.watchdog.stuck(o.cycle, o.last_progress, o.master[kPort].idle())) exit(1);
}

/// One access of a kernel within a page: bursts of up to 16 beats, one after the other. Not 0: the
/// cause of its fault.
int access(void *arg, unsigned asid, uint64_t va, bool write, void *data, size_t bytes) {
  Gdm &o = *static_cast<Gdm *>(arg);
  Verilated::threadContextp(&o.ctx); // kernels run on a thread of their own
  uint8_t *p = static_cast<uint8_t *>(data);
  for (uint64_t at = va, end = va + bytes, n; at < end; at += n, p += n) {
    auto x = std::make_shared<Op>();
    Burst &b = x->b;
    const uint64_t low = at & ~(kBytes - 1ull),
                   beats = std::min<uint64_t>(1 + o.below(16), (end - low + kBytes - 1) / kBytes);
    n = std::min(end, low + beats * kBytes) - at;
    b.write = write, b.asid = asid, b.va = low, b.id = static_cast<uint32_t>(o.below(3)),
    b.len = static_cast<uint32_t>(beats) - 1;
    for (uint64_t i = 0; write && i < beats; i++) {
      Beat value = random_beat(o.rng), strb{};
      for (uint64_t l = 0, a = low + i * kBytes; l < kBytes; l++, a++)
        if (a >= at && a < at + n) value[l] = p[a - at], strb[l] = 1;
      b.data.push_back(value);
      b.strb.push_back(strb);
    }
    o.master[kPort].ask(x);
    while (!x->ended) o.step();
    o.bursts++;
    if (x->refused) {
      uint32_t info = 0;
      o.refused++;
      o.access(false, GMMU_REG_FAULT_INFO, &info, 15);
      return info & GMMU_REG_FAULT_INFO_VALID_MASK
                 ? static_cast<int>(info & GMMU_REG_FAULT_INFO_CAUSE_MASK)
                 : int{GMMU_AF_MEM};
    }
    if (!write) memcpy(p, &x->got[at - low], n);
  }
  return 0;
}
void dma_write(void *arg, uint64_t pa, const void *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    static_cast<Gdm *>(arg)->memory.byte(pa + i) = static_cast<const uint8_t *>(from)[i];
}
void dma_read(void *arg, void *to, uint64_t pa, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    static_cast<uint8_t *>(to)[i] = static_cast<Gdm *>(arg)->memory.byte(pa + i);
}

void reset(Gdm &o) {
  o.noisy = true;
  bench_reset(o.dut, [&] { o.settle(), o.edge(); });
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) o.free_tables.push_back(t);
}
void set_ports(Gdm &o) {
  gmmu_drv d{};
  d.bus = o.bus();
  d.build.ports = kPorts;
  d.build.asid_w = kAsidW;
  gmmu_drv_port s{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_USER, 4, 0, true, 0};
  for (uint32_t p = 0; p < kPorts; p++) o.must(gmmu_drv_set_port(&d, p, &s), "port");
}

/// dst = dst * factor + src, in pieces.
void mix(uint8_t *dst, const uint8_t *src, size_t n, uint64_t factor) {
  for (size_t i = 0; i < n; i++) dst[i] = static_cast<uint8_t>(dst[i] * factor + src[i] + 1);
}
void mix_kernel(gdm_exec *x, const uint64_t *a, unsigned) {
  uint8_t d[300], s[300];
  for (uint64_t at = 0, n; at < a[2]; at += n) {
    n = std::min<uint64_t>(a[2] - at, sizeof d);
    gdm_load(x, d, a[0] + at, n);
    gdm_load(x, s, a[1] + at, n);
    mix(d, s, n, a[3]);
    gdm_store(x, a[0] + at, d, n);
  }
}
struct Region {
  gdm_ptr va = 0;
  std::vector<uint8_t> want;
};
struct App {
  gdm_ctx *ctx = nullptr;
  Region region[kRegions];
};
struct Run {
  Gdm &o;
  gdm *g = nullptr;
  uint64_t block = 0; // bytes
  App app[kApps];
  std::vector<uint8_t> source = std::vector<uint8_t>(kMost), back = source;
  uint64_t launches = 0, strays = 0;

  void ok(int e, const char *what) {
    if (e) o.fail(what, 0, static_cast<uint64_t>(e), o.cycle);
  }
  void compare(Region &r, size_t off, size_t n) {
    ok(gdm_memcpy_dtoh(back.data(), r.va + off, n), "copy to the host");
    for (size_t i = 0; i < n; i++)
      if (back[i] != r.want[off + i])
        return o.fail("byte that is copied back", r.want[off + i], back[i], r.va + off + i);
  }
  void launch(Region &d, Region &s) {
    static const gdm_kernel k{"mix", mix_kernel};
    size_t n = 1 + o.below(std::min<size_t>({d.want.size(), s.want.size(), 1500})),
           doff = o.below(d.want.size() - n + 1), soff = o.below(s.want.size() - n + 1);
    if (&d == &s && (doff != soff)) return;
    uint64_t args[4] = {d.va + doff, s.va + soff, n, o.below(2) ? 1u : 3u};
    ok(gdm_launch(&k, args, 4, 1 + o.below(100000), &d.va, static_cast<unsigned>(o.below(2))),
       "launch"); // or: the source on demand
    for (size_t at = 0, m; at < n; at += m) {
      m = std::min<size_t>(n - at, 300);
      mix(&d.want[doff + at], &s.want[soff + at], m, args[3]);
    }
    launches++;
  }
  /// Outside: the RTL's fault ends this application, and only it.
  void stray(App &a, Region &r) {
    static const gdm_kernel k{"stray", mix_kernel};
    uint64_t args[4] = {r.va + (r.want.size() + block - 1) / block * block, r.va, 1,
                        1}; // the free block behind the region
    ok(gdm_launch(&k, args, 4, 1, nullptr, 0), "launch");
    int e = gdm_synchronize();
    gdm_fault_record f;
    gdm_last_fault(a.ctx, &f);
    if (e != GDM_ERROR_ILLEGAL_ADDRESS || !f.valid || f.va != args[0] || f.cause != GMMU_PF_INVALID)
      o.fail("fault of a kernel outside its regions", args[0], f.va, 0);
    ok(gdm_ctx_destroy(a.ctx), "destroy");
    for (auto &x : a.region) x = Region{};
    ok(gdm_ctx_create(&a.ctx, 0, g), "create");
    strays++;
  }
  void operation() {
    App &a = app[o.below(kApps)];
    Region &r = a.region[o.below(kRegions)], &s = a.region[o.below(kRegions)];
    gdm_ctx_set_current(a.ctx);
    if (r.want.empty()) {
      r.want.assign(1 + o.below(kMost), 0);
      return ok(gdm_mem_alloc(&r.va, r.want.size()), "allocation");
    }
    size_t off = o.below(3) ? o.below(r.want.size()) : 0,
           n = o.below(2) ? r.want.size() - off : 1 + o.below(r.want.size() - off);
    switch (o.below(12)) {
      case 0:
        ok(gdm_mem_free(r.va), "free");
        r = Region{};
        break;
      case 1:
      case 2:
        for (size_t i = 0; i < n; i++)
          source[i] = r.want[off + i] = static_cast<uint8_t>(gmmu_rng_next(&o.rng));
        ok(gdm_memcpy_htod(r.va + off, source.data(), n), "copy to the device");
        break;
      case 3:
      case 4: compare(r, off, n); break;
      case 5: gdm_cpu(o.below(100000)); break;
      case 6:
        if (o.below(6) == 0) stray(a, r);
        break;
      default:
        if (!s.want.empty()) launch(r, s);
        break;
    }
  }
};
} // namespace

const BenchInfo bench_info = {"gdm_bench", "OPERATIONS", 500, "", 0, 0};
int bench_run(const BenchArgs &args) {
  uint64_t operations = args.count;
  auto o = std::make_unique<Gdm>();
  o->seed = args.seed;
  o->rng.s = o->seed;
  o->step = [&] { one_cycle(*o); };
  o->who_waits = [&](BenchWaits &w) {
    const Master &m = o->master[kPort];
    if (!m.reads.empty()) w.add("a kernel", "the MMU or memory", "%zu reads", m.reads.size());
    if (!m.writes.empty()) w.add("a kernel", "the MMU or memory", "%zu writes", m.writes.size());
    o->walk.waits(w);
  };
  for (uint32_t p = 0; p < kPorts; p++) {
    o->mem[p].port = o->master[p].port = p;
    o->master[p].count_only = true; // what is right is known here, not by the master
  }
  reset(*o);
  gdm_machine m{};
  m.arg = o.get();
  m.bus = o->bus();
  m.table_first = kTables, m.table_last = kTablesEnd, m.data_first = kData;
  m.dma_write = dma_write, m.dma_read = dma_read, m.access = access;
  gdm_config c;
  gdm_config_default(&c);
  c.seed = o->seed;
  c.faults = true;
  c.dirty = o->seed % 2 ? GDM_DIRTY_HW : GDM_DIRTY_SIGNATURE;
  c.page_bytes = 4096,
  c.block_bytes = 4096ull << (o->seed + 3) / 2 % 5; // seeds 1 and 2: 16 KiB; 4 to 64
  c.device_bytes = 128 * 1024;
  c.machine = &m;
  gmmu_err err;
  Run run{*o};
  run.block = c.block_bytes;
  run.g = gdm_new(&c, &err);
  if (!run.g) {
    printf("FAIL: %s\n", err.msg);
    return 1;
  }
  set_ports(*o);
  for (auto &a : run.app) run.ok(gdm_ctx_create(&a.ctx, 0, run.g), "create");
  uint64_t done = 0;
  for (; done < operations && !o->errors; done++) {
    run.operation();
    if (gdm_check(run.g, &err)) {
      printf("operation %" PRIu64 ", seed %" PRIu64 ": %s\n", done, o->seed, err.msg);
      o->errors++;
    }
  }
  for (auto &a : run.app) {
    gdm_ctx_set_current(a.ctx);
    for (auto &r : a.region)
      if (!r.want.empty() && !o->errors) run.compare(r, 0, r.want.size());
  }
  gdm_stats s;
  gdm_get_stats(run.g, nullptr, &s);
  gdm_delete(run.g);
  if (operations >= 1000 && (!s.evict_dirty || !s.evict_clean || !s.faults || !run.strays))
    o->fail("evictions, faults on demand, strays", 1, 0, 0);
  o->errors += o->dut.errors_o;
  printf("%s device memory manager above gmmu_axi (%s, blocks of %" PRIu64 " KiB): %" PRIu64
         " operations, %" PRIu64 " kernels, %" PRIu64 " bursts, %" PRIu64 " refused, %" PRIu64
         " faults on demand, %" PRIu64 " blocks out dirty, %" PRIu64 " clean, %" PRIu64
         " invalidations, %" PRIu64 " kernels outside; %" PRIu64 " cycles, %" PRIu64
         " mismatches\n",
         o->errors ? "FAIL" : "PASS",
         c.dirty == GDM_DIRTY_HW ? "dirty bits by hardware" : "signatures", run.block >> 10, done,
         run.launches, o->bursts, o->refused, s.faults, s.evict_dirty, s.evict_clean,
         s.invalidations, run.strays, o->cycle, o->errors);
  return o->errors != 0;
}
