// SPDX-License-Identifier: Apache-2.0
// gdm_round.cpp - see gdm_round.h.
#include "gdm_round.h"

void GdmArrays::ok(int e, const char *what) {
  if (!e) return;
  printf("  %s: %s\n", what, gdm_error_name(e));
  w.errors++;
}

uint32_t GdmArrays::add(size_t bytes) {
  Array a{};
  ok(gdm_mem_alloc(&a.va, bytes), "allocation");
  a.bytes.assign(bytes, 0);
  all.push_back(a);
  return static_cast<uint32_t>(a.va);
}

uint8_t *GdmArrays::at(uint64_t va, bool write) {
  static uint8_t nowhere[4];
  for (Array &a : all) {
    if (va < a.va || va - a.va >= a.bytes.size()) continue;
    if (a.device_newer)
      ok(gdm_memcpy_dtoh(a.bytes.data(), a.va, a.bytes.size()), "copy to the host");
    a.device_newer = false;
    a.host_newer = a.host_newer || write;
    return &a.bytes[va - a.va];
  }
  w.fail("address of an array", 1, 0, va);
  return nowhere;
}

uint32_t GdmArrays::get(unsigned, uint64_t va) {
  uint32_t v;
  memcpy(&v, at(va, false), 4);
  return v;
}

void GdmArrays::flush() {
  for (Array &a : all)
    if (a.host_newer) {
      ok(gdm_memcpy_htod(a.va, a.bytes.data(), a.bytes.size()), "copy to the device");
      a.host_newer = false;
    }
}

uint64_t GdmArrays::pages() const {
  uint64_t n = 0;
  for (const Array &a : all) n += (a.bytes.size() + 4095) / 4096;
  return n;
}

void GdmRound::run(uint64_t tables, uint64_t tables_end) {
  gdm_machine m{};
  m.arg = &w_, m.bus = w_.bus();
  m.table_first = tables, m.table_last = tables_end, m.data_first = frames_;
  m.va_first = 0x10000, m.va_last = 0x7fffffff;
  m.dma_write = [](void *w, uint64_t pa, const void *from, size_t n) {
    for (size_t i = 0; i < n; i++)
      static_cast<World *>(w)->memory.byte(pa + i) = static_cast<const uint8_t *>(from)[i];
  };
  m.dma_read = [](void *w, void *to, uint64_t pa, size_t n) {
    for (size_t i = 0; i < n; i++)
      static_cast<uint8_t *>(to)[i] = static_cast<World *>(w)->memory.byte(pa + i);
  };
  gdm_config c;
  gdm_config_default(&c);
  c.page_bytes = 4096, c.block_bytes = kBlock, c.device_bytes = kPages * 4096;
  c.seed = w_.seed, c.faults = true, c.machine = &m;
  c.event_arg = this;
  printf("  above the device memory manager: %" PRIu64 " pages of device memory, blocks of %" PRIu64
         "\n",
         kPages, kBlock / 4096);
  without(c);
  c.dirty = GDM_DIRTY_HW;
  c.event = [](void *self, const gdm_event *e) {
    if (e->kind == GDM_EVENT_KERNEL)
      static_cast<GdmRound *>(self)->order_ += std::string(" ") + e->name;
  };
  with(c);
}

void GdmRound::without(gdm_config c) {
  gmmu_err err;
  c.policy = GDM_POLICY_NONE;
  gdm *g = gdm_new(&c, &err);
  if (!g) return w_.fail(err.msg, 0, 1, 0);
  int e = 0;
  for (unsigned core = 0; core < 2 && !e; core++) {
    gdm_ctx *x;
    e = gdm_ctx_create(&x, 0, g);
    for (size_t bytes : sizes(core)) {
      gdm_ptr p;
      if (!e) e = gdm_mem_alloc(&p, bytes);
    }
    printf("  without it %s %s\n", name(core), e ? "fails" : "has its memory");
  }
  if (e != GDM_ERROR_OUT_OF_MEMORY)
    w_.fail("both programs' memory fits", GDM_ERROR_OUT_OF_MEMORY, static_cast<uint64_t>(e), 0);
  gdm_delete(g);
}

void GdmRound::with(const gdm_config &c) {
  gmmu_err err;
  if (!(g_ = gdm_new(&c, &err))) return w_.fail(err.msg, 0, 1, 0);
  w_.must(gmmu_drv_fault_irq(&w_.drv, true), "interrupt");
  App app[2] = {{this, 0}, {this, 1}};
  uint64_t begin = w_.cycle;
  for (App &a : app)
    gdm_app_start(
        g_, name(a.core),
        [](void *p) { static_cast<App *>(p)->round->program(*static_cast<App *>(p)); }, &a);
  gdm_run(g_);
  gdm_stats s;
  gdm_get_stats(g_, nullptr, &s);
  gdm_delete(g_);
  printf("  kernels in turn:%s\n", order_.c_str());
  for (App &a : app) {
    if (!a.right) w_.errors++;
    printf("  core %u, address space %u: %-8s %2u launch%s %8" PRIu64 " instructions, %2" PRIu64
           " pages  %s\n",
           a.core, a.asid, name(a.core), a.launches, a.launches > 1 ? "es" : "  ", a.instructions,
           a.pages, a.right ? "result right" : "RESULT WRONG");
  }
  printf("  together %" PRIu64 " cycles, %" PRIu64 " faults on demand, %" PRIu64
         " KiB in, blocks out: %" PRIu64 " clean, %" PRIu64 " dirty (%" PRIu64
         " KiB of pages with D), %" PRIu64 " invalidations\n",
         w_.cycle - begin, s.faults, s.htod_bytes >> 10, s.evict_clean, s.evict_dirty,
         s.evict_bytes >> 10, s.invalidations);
  if (app[0].pages + app[1].pages <= kPages || !s.faults || !s.evict_clean || !s.evict_dirty)
    w_.fail("more than fits, faults, evictions", 1, 0, 0);
}

void GdmRound::program(App &a) {
  static const gdm_kernel kernels[2] = {{"vecadd", on_core}, {"bfs", on_core}};
  gdm_ctx *ctx;
  GdmArrays x(w_);
  x.ok(gdm_ctx_create(&ctx, 0, g_), "context");
  a.asid = gdm_ctx_asid(ctx);
  gmmu_drv_port port{GMMU_DRV_TRANSLATE,
                     GMMU_DRV_FROM_REGISTER,
                     0,
                     a.asid,
                     false,
                     1}; // code is data to the manager
  for (unsigned p = 2 * a.core; p < 2 * a.core + 2; p++)
    w_.must(gmmu_drv_set_port(&w_.drv, p, &port), "port");
  SimtPlace place;
  uint32_t *to[6] = {&place.code,     &place.args,     &place.array[0],
                     &place.array[1], &place.array[2], &place.array[3]},
           **next = to;
  for (size_t bytes : sizes(a.core)) **next++ = x.add(bytes);
  a.pages = x.pages();
  SimtJob job = a.core ? make_bfs(x, 0, kNodes, place, true) : make_vecadd(x, 0, kWords, place);
  job.load(x, 0);
  bool more = true;
  a.right = true;
  while (more && a.right && !w_.errors) {
    x.flush();
    uint64_t args[8] = {reinterpret_cast<uintptr_t>(this),
                        a.core,
                        place.code,
                        place.args,
                        place.array[0],
                        place.array[1],
                        place.array[2],
                        place.array[3]};
    gdm_ptr named[4] = {place.code, place.args, place.array[0],
                        place.array[2]}; // of bfs: edges come on demand
    x.ok(gdm_launch(&kernels[a.core], args, 8, 0, named, a.core ? 4 : 0), "launch");
    uint64_t before = instructions_[a.core];
    x.ok(gdm_synchronize(), "kernel");
    check();
    a.instructions += instructions_[a.core] - before;
    a.launches++;
    for (auto &array : x.all) array.device_newer = true;
    if (a.core) {
      more = job.again(x, 0);
    } else {
      a.right =
          a.launches % 3 || job.verify(x, 0); // else the sums stay on the device, or go out dirty
      more = a.launches < 6;
      for (uint32_t i = 0; i < 200; i++)
        x.put(0, place.array[0] + 4 * i, static_cast<uint32_t>(gmmu_rng_next(&w_.rng)), 0);
    }
    check();
  }
  a.right = a.right && !w_.errors && (!a.core || job.verify(x, 0));
  x.ok(gdm_ctx_destroy(ctx), "end");
}

void GdmRound::on_core(gdm_exec *x, const uint64_t *a, unsigned) {
  GdmRound &r = *reinterpret_cast<GdmRound *>(static_cast<uintptr_t>(a[0]));
  World &w = r.w_;
  const auto core = static_cast<unsigned>(a[1]);
  const uint64_t begin = w.cycle - gdm_now(r.g_) / kCycleNs;
  w.dut.pc_i = a[2] << 32 | a[2], w.dut.arg_i = a[3] << 32 | a[3];
  w.dut.start_i = 1u << core;
  w.step();
  w.dut.start_i = 0;
  w.step();
  uint64_t last = w.cycle, seen = r.instructions_[core];
  while (bits_get(w.dut.busy_o, core, 1) && !w.errors) {
    gdm_running(x, 100 * kCycleNs);
    while (w.cycle < begin + gdm_now(r.g_) / kCycleNs && bits_get(w.dut.busy_o, core, 1)) w.step();
    if (w.dut.irq_o && !r.serve(x)) return;
    if (r.instructions_[core] != seen) seen = r.instructions_[core], last = w.cycle;
    if (w.cycle - last > 100000) {
      printf(
          "core %u: no instruction for 100000 cycles: irq %d, PTE reads or updates outstanding\n",
          core, w.dut.irq_o);
      w.errors++;
    }
  }
}

bool GdmRound::serve(gdm_exec *x) {
  std::vector<gmmu_drv_fault> faults;
  auto keep = [](void *p, const gmmu_drv_fault *f) {
    static_cast<std::vector<gmmu_drv_fault> *>(p)->push_back(*f);
    return static_cast<int>(GMMU_DRV_LATER);
  };
  w_.must(gmmu_drv_handle_faults(&w_.drv, keep, &faults), "faults");
  for (auto &f : faults) {
    if (f.asid != gdm_exec_asid(x)) w_.fail("ASID of a fault", gdm_exec_asid(x), f.asid, f.va);
    if (int e = gdm_demand(x, f.va, f.access == GMMU_WRITE, static_cast<int>(f.cause)))
      w_.fail(gdm_error_name(e), 0, f.cause, f.va);
  }
  uint32_t now = GMMU_REG_RETRY_NOW_MASK;
  if (!faults.empty()) w_.access(true, GMMU_REG_RETRY, &now, 15);
  return !w_.errors;
}
