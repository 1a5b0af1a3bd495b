// SPDX-License-Identifier: Apache-2.0
// ap_bench.cpp - one measurement of the program bench.elf on the SIMT core behind gmmu_axi: plain
// pointers, ActivePointers or GPUfs, with the file resident, in the page cache, or brought page by
// page; by the ring (software) or by page faults (hardware).
//
//   ap_bench PROGRAM key=value ...   prints one line of key=value, then PASS or FAIL. Keys: struct
//   Settings (ap_settings.h).
//
// Values are checked against the file; count words are looked at every `watch` cycles and at the
// end.
#include "../../axi/axi_memory.h"
#include "../sm_memory.h"
#include "ap_settings.h"
#include "collage_host.h"
#include "file_pages.h"
#include "gread_host.h"
#include "paced_memory.h"
#include <fcntl.h>
#include <unistd.h>
extern "C" {
#include "simt/program.h"
#include "apointers/workload.h"
}

namespace {
constexpr uint32_t kMemory = 64 << 20, kTables = 0x04000000, kTablesEnd = 0x041fffff;

struct Bench : World {
  Settings set;
  PacedMemory mem;
  WalkMemory walk;
  simt_ap *ap = nullptr;
  std::vector<uint8_t> file;
  FilePages pages; // hardware side

  void one() {
    settle();
    if (set.hw && dut.m_arvalid_o && dut.m_arready_i) pages.read_of(dut.m_araddr_o);
    mem.sample(dut, cycle);
    walk.sample(*this);
    edge();
    mem.drive(dut, cycle, [this](uint64_t n) { return below(n); });
    walk.drive(*this);
    if (!walk_gaps) dut.w_arready_i = 1;
    if (ap && cycle % 8 == 0) simt_ap_poll(ap, cycle);
  }
  bool walk_gaps = false;

  void cfg(uint32_t a, uint32_t v) {
    dut.cfg_we_i = 1, dut.cfg_addr_i = a, dut.cfg_wdata_i = v;
    step();
    dut.cfg_we_i = 0;
  }
  uint32_t cfg_read(uint32_t a) {
    dut.cfg_addr_i = a;
    settle();
    return dut.cfg_rdata_o;
  }
  void host() {
    if (!set.hw) return;
    must(pages.step(dut.irq_o), "faults");
    report();
  }
  void report() {
    for (const std::string &w : pages.wrong) fail(w.c_str(), 0, 1, cycle);
    pages.wrong.clear();
  }
};

/// What a warp's lanes should have summed.
std::array<uint32_t, 32> want(const Bench &b, uint64_t w) {
  const Settings &s = b.set;
  std::array<uint32_t, 32> sum{};
  auto word = [&](uint64_t at) {
    uint32_t v;
    memcpy(&v, &b.file[at], 4);
    return v;
  };
  static const std::map<uint64_t, ap_kind> kinds = {
      {BENCH_ADD, AP_READ},      {BENCH_READ_ALL, AP_READ}, {BENCH_RANDOM, AP_RANDOM},
      {BENCH_REDUCE, AP_REDUCE}, {BENCH_FFT, AP_FFT},       {BENCH_BITONIC, AP_BITONIC}};
  if (auto k = kinds.find(s.kind); k != kinds.end()) {
    uint64_t n = s.kind == BENCH_ADD ? s.pages / 2 : s.pages, at = w * s.pages * 4096;
    for (uint64_t j = 0; j < n * s.repeat * 4096; j += 32 * s.width)
      for (uint64_t i = j / 4096 / s.repeat * 4096 + j % 4096, e = 0; e < s.width; e += 4) {
        uint32_t x[32];
        for (uint64_t l = 0; l < 32; l++) {
          x[l] = word(at + i + l * s.width + e);
          if (s.kind == BENCH_ADD) x[l] += word(at + n * 4096 + i + l * s.width + e);
        }
        ap_compute(k->second, static_cast<uint32_t>(s.rounds), x, sum.data());
      }
  }
  uint64_t all = s.blocks * s.warps, warp = w % s.warps;
  for (uint64_t row = 0; s.kind == BENCH_UPDATE && row < all * s.pages * 32; row++)
    for (uint64_t l = 0; l < 32 && row % 32 % all == w; l++) {
      uint32_t v = word(row * 128 + l * 4);
      for (uint64_t n = 0; n < s.rounds; n++, v = bench_updated(v)) sum[l] += v;
    }
  for (uint64_t i = 0; i < 32 && s.kind == BENCH_TLB; i++)
    for (uint64_t l = 0; l < 32; l++)
      sum[l] += word((i + warp) % s.pages * 4096 + warp * 128 + l * 4);
  for (uint64_t p = 0; p < s.pages && (s.kind == BENCH_FAULTS || s.kind == BENCH_SUM); p++) {
    uint64_t page = s.stride > 1 ? w + p * s.stride : w * s.pages + p;
    for (uint64_t l = 0; l < 32; l++) {
      if (s.kind == BENCH_FAULTS) sum[l] += word(page * 4096);
      else
        for (uint64_t k = 0; k < 32; k++) sum[l] += word(page * 4096 + k * 128 + l * 4);
    }
  }
  return sum;
}

/// The collage's tables in the core's memory; where its arguments are.
uint32_t lay_out(Bench &b, const Collage &c, uint32_t file, uint32_t result, uint32_t *choice) {
  auto put = [&](const std::vector<uint32_t> &v) {
    uint32_t at = simt_ap_heap(b.ap, static_cast<uint32_t>(v.size() * 4));
    if (!at) usage("the collage does not fit");
    memcpy(&b.mem.bytes[at], v.data(), v.size() * 4);
    return at;
  };
  *choice = put(std::vector<uint32_t>(c.blocks, 0xeeeeeeee));
  collage_args a{static_cast<uint32_t>(b.set.way),
                 file,
                 c.pitch,
                 c.blocks,
                 put(c.pixels),
                 put(c.bins),
                 put(c.offset),
                 put(c.start),
                 put(c.image),
                 c.buckets - 1,
                 *choice,
                 result,
                 c.images};
  uint32_t at = simt_ap_heap(b.ap, sizeof a);
  memcpy(&b.mem.bytes[at], &a, sizeof a);
  return at;
}
/// The file as it is now is the one that update.c should have left.
void check_updates(Bench &b, const char *path) {
  std::vector<uint8_t> got(b.file.size());
  int f = open(path, O_RDONLY);
  if (f < 0 || read(f, got.data(), got.size()) != static_cast<ssize_t>(got.size()) || close(f))
    return b.fail("the file is not there", 0, 1, 0);
  for (size_t i = 0; i < got.size() && b.errors < 10; i += 4) {
    uint32_t want, v;
    memcpy(&want, &b.file[i], 4);
    memcpy(&v, &got[i], 4);
    for (uint64_t n = 0; n < b.set.rounds; n++) want = bench_updated(want);
    if (v != want) b.fail("word of the updated file", want, v, i);
  }
}
/// The ranges and their buffers in the core's memory; where the arguments are. `to` of the ranges
/// becomes an address.
uint32_t lay_out(Bench &b, Greads &g, uint32_t file, uint32_t result, gread_args *a) {
  uint32_t room = simt_ap_heap(b.ap, static_cast<uint32_t>(g.room.size())),
           range = simt_ap_heap(b.ap, static_cast<uint32_t>(g.range.size() * sizeof g.range[0])),
           at = simt_ap_heap(b.ap, sizeof *a);
  if (!room || !range || !at) usage("the buffers do not fit");
  for (gread_range &r : g.range) r.to += room;
  memcpy(&b.mem.bytes[room], g.room.data(), g.room.size());
  memcpy(&b.mem.bytes[range], g.range.data(), g.range.size() * sizeof g.range[0]);
  *a = {file, static_cast<uint32_t>(b.set.rounds), range, result};
  memcpy(&b.mem.bytes[at], a, sizeof *a);
  return at;
}

void check(Bench &b, const Greads &g, const gread_args &a) {
  for (size_t i = 0; i < g.range.size(); i++) {
    gread_range r;
    memcpy(&r, &b.mem.bytes[a.range + i * sizeof r], sizeof r);
    if (r.error != g.error[i]) b.fail("answer of gread", g.error[i], r.error, i);
  }
  uint32_t room = g.range[0].to - g.first;
  for (size_t i = 0; i < g.want.size() && !b.errors; i++)
    if (b.mem.bytes[room + i] != g.want[i])
      b.fail("byte of gread", g.want[i], b.mem.bytes[room + i], i);
}
} // namespace

const BenchInfo bench_info = {"ap_bench", nullptr, 0, "PROGRAM [SETTING=VALUE]...", 1, SIZE_MAX};
int bench_run(const BenchArgs &args) {
  auto p = std::make_unique<Bench>();
  Bench &b = *p;
  Settings &s = b.set;
  read_settings(s, args.more);
  bool collage = s.kind == BENCH_COLLAGE, greads = s.kind == BENCH_GREAD;
  std::unique_ptr<Collage> pictures;
  if (collage && (s.images < 16 || s.images * s.pitch > kMemory / 4 || !s.input || s.input > 1024 ||
                  s.warps > 4 || (s.pitch != 3072 && s.pitch != 4096)))
    usage("settings of the collage out of range");
  if (collage)
    pictures =
        std::make_unique<Collage>(s.seed, static_cast<uint32_t>(s.images),
                                  static_cast<uint32_t>(s.input), static_cast<uint32_t>(s.pitch));
  uint64_t all_warps = s.blocks * s.warps,
           pages = collage ? (s.images * s.pitch + 4095) / 4096 : all_warps * s.pages;
  bool updates = s.kind == BENCH_UPDATE;
  bool copies = s.kind >= BENCH_COPY4 && s.kind <= BENCH_COPY16;
  if (!all_warps || !s.pages || !s.rate || !s.stride || s.warps > 32 ||
      (s.stride > 1 && s.stride != all_warps) || pages * 8192 > kMemory / 2 ||
      (s.hw && s.way != BENCH_RAW) || s.memory > 8 || (copies && s.stride > 1) ||
      (s.width != 4 && s.width != 16) || (s.kind == BENCH_ADD && s.pages % 2) ||
      s.jitter > s.latency || (s.kind == BENCH_TLB && s.way == BENCH_GPUFS) ||
      (updates && (s.way != BENCH_AP || s.translate || s.warps * s.blocks > 32)) ||
      (greads && (s.way != BENCH_GPUFS || !s.rounds || s.rounds > 1000)))
    usage("settings out of range");
  b.rng.s = s.seed;
  b.step = [&] { b.one(); };
  b.mem.bytes.assign(kMemory, 0xa5);
  b.mem.rate = static_cast<double>(s.rate), b.mem.latency = s.latency, b.mem.chance = s.chance;
  b.mem.jitter = s.jitter, b.mem.rng.s = s.seed, b.mem.late = s.late != 0;
  b.walk.latency = static_cast<unsigned>(s.latency / 2 + 1); // its answers take latency on average
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) b.free_tables.push_back(t);

  // The file.
  b.file.resize(pages * 4096);
  for (auto &x : b.file) x = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  if (collage) {
    std::fill(b.file.begin(), b.file.end(), 0);
    memcpy(b.file.data(), pictures->file.data(), pictures->file.size());
  }
  std::unique_ptr<Greads> reads;
  size_t file_bytes = b.file.size();
  if (greads) { // ends inside a page
    file_bytes -= 1000;
    reads = std::make_unique<Greads>(s.seed, static_cast<uint32_t>(all_warps * s.rounds), b.file,
                                     static_cast<uint32_t>(file_bytes));
  }
  char path[] = "/tmp/gmmu-apbench-XXXXXX", copy_path[] = "/tmp/gmmu-apbench-XXXXXX";
  int fd = mkstemp(path), cfd = mkstemp(copy_path);
  if (fd < 0 || cfd < 0 ||
      write(fd, b.file.data(), file_bytes) != static_cast<ssize_t>(file_bytes) ||
      ftruncate(cfd, static_cast<off_t>(b.file.size())) ||
      (updates && write(cfd, b.file.data(), file_bytes) != static_cast<ssize_t>(file_bytes)))
    return puts("FAIL no file"), 1;

  gmmu_err err{};
  std::vector<uint32_t> imem(16384);
  uint32_t words = 0;
  simt_ap_config c{};
  c.frames = static_cast<uint32_t>(s.frames), c.tlb_entries = static_cast<uint32_t>(s.tlb),
  c.batch = static_cast<uint32_t>(s.batch);
  c.latency = s.host, c.page_time = s.page_time, c.retry_limit = 1000000;
  if (simt_elf(args.more[0].c_str(), imem.data(), 16384, &words, b.mem.bytes.data(), kMemory, &err))
    usage(err.msg);
  if (!(b.ap = simt_ap_new(b.mem.bytes.data(), kMemory, &c, &err))) usage(err.msg);
  uint32_t args_at = simt_ap_heap(b.ap, sizeof(bench_args)),
           result = simt_ap_heap(b.ap, static_cast<uint32_t>(all_warps) * 256);
  uint32_t src = 0, dst = 0, first = 0, room = 0; // hardware side: memory of the file's pages
  int in = simt_ap_open(b.ap, path, APD_READ),
      out = simt_ap_open(b.ap, copy_path, APD_READ | APD_WRITE);
  close(fd), close(cfd);
  if (s.way == BENCH_RAW) {
    uint32_t bytes = static_cast<uint32_t>(pages * 4096);
    uint32_t align = s.hw ? GMMU_MM_FRAME : 4096;
    room = (bytes + align - 1) & -align;
    if (s.hw && s.memory) room = static_cast<uint32_t>(s.memory) * GMMU_MM_FRAME;
    if (uint32_t at = simt_ap_heap(b.ap, room + align)) src = (at + align - 1) & -align;
    dst = copies ? (simt_ap_heap(b.ap, bytes + 4096) + 4095) & ~4095u : src;
    if (!src || !dst) usage("the file does not fit");
    if (s.hw) first = src, src = FilePages::kVa;
    else memcpy(&b.mem.bytes[src], b.file.data(), b.file.size());
  } else {
    src = static_cast<uint32_t>(in), dst = static_cast<uint32_t>(out);
    for (uint64_t i = 0; i < pages; i++)
      if (b.below(100) < s.warm && i + 1 < s.frames && simt_ap_warm(b.ap, updates ? dst : src, i))
        usage("the file does not fit");
  }
  bench_args a{static_cast<uint32_t>(s.kind),
               static_cast<uint32_t>(s.way),
               src,
               dst,
               result,
               static_cast<uint32_t>(s.rounds),
               static_cast<uint32_t>(s.pages),
               static_cast<uint32_t>(s.stride),
               static_cast<uint32_t>(s.width),
               static_cast<uint32_t>(s.repeat)};
  memcpy(&b.mem.bytes[args_at], &a, sizeof a);
  uint32_t choice = 0;
  if (collage) args_at = lay_out(b, *pictures, src, result, &choice);
  gread_args gread{};
  if (greads) args_at = lay_out(b, *reads, src, result, &gread);

  // The MMU: everything but the file is identity in 2 MiB pages.
  bench_reset(b.dut, [&] { b.settle(), b.edge(); });
  gmmu_drv_bus bus = b.bus();
  b.must(gmmu_drv_init(&b.drv, &bus), "init");
  if (s.translate || s.hw) {
    b.must(gmmu_drv_window(&b.drv, 0, kTables, kTablesEnd, true, false), "window for tables");
    b.must(gmmu_drv_window(&b.drv, 1, 0, kMemory - 1, false, true), "window for data");
    b.must(gmmu_drv_open(&b.drv, 1, false, false, false, false), "open");
    b.must(gmmu_drv_map(&b.drv, 1, 0, 0, kMemory, GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U, true),
           "map");
    FilePages &f = b.pages;
    f.file = &b.file, f.memory = &b.mem.bytes, f.clock = &b.cycle;
    f.handler = s.handler, f.request = s.host, f.page_time = s.page_time, f.trace = s.trace != 0;
    f.wait_most = 4000 + 4 * s.latency;
    if (s.hw) b.must(f.open(&b.drv, first, room), "manager");
    for (uint64_t i = 0; s.hw && i < pages; i++)
      if (b.below(100) < s.warm) b.must(f.warm(i), "page at the start");
    gmmu_drv_port port{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, 1, false, 1};
    b.must(gmmu_drv_set_port(&b.drv, 0, &port), "port");
    b.must(gmmu_drv_fault_irq(&b.drv, true), "interrupt");
  }
  for (uint32_t i = 0; i < words; i++) {
    b.dut.imem_we_i = 1, b.dut.imem_addr_i = i, b.dut.imem_wdata_i = imem[i];
    b.step();
  }
  b.dut.imem_we_i = 0;
  b.cfg(0x08, 0), b.cfg(0x10, simt_ap_system(b.ap)), b.cfg(0x14, args_at),
      b.cfg(0x20, static_cast<uint32_t>(s.blocks)), b.cfg(0x24, static_cast<uint32_t>(s.warps));
  uint32_t scratch = APD_SCRATCH_WORDS * 4 + static_cast<uint32_t>(s.tlb) * 16;
  if (collage)
    scratch +=
        static_cast<uint32_t>(s.warps) * (COLLAGE_BINS * 4 + COLLAGE_TABLES * COLLAGE_MOST * 4);
  b.cfg(0x28, scratch);
  uint64_t begin = b.cycle, moved = b.mem.moved, atomics = b.mem.atomics,
           instret = b.cfg_read(0x40);
  b.cfg(0, 1);
  b.step();
  b.who_waits = [&](BenchWaits &w) {
    sm_waits(w, b.dut);
    b.mem.waits(w);
    b.walk.waits(w);
    if (uint32_t n = simt_ap_pending(b.ap)) w.add("warps", "the host", "%u requests", n);
    if (size_t n = b.pages.coming()) w.add("warps", "hardware pages", "%zu coming", n);
  };
  // Warps that wait for the host poll: that a launch takes too long is all that can be seen.
  BenchWatchdog watchdog(s.limit, [&](BenchWaits &w) { b.waits(w); });
  while (b.dut.busy_o && !watchdog.late(b.cycle, begin) && !b.errors) {
    b.host();
    b.step();
    if (s.watch && b.cycle % s.watch == 0 && simt_ap_monitor(b.ap, &err)) b.fail(err.msg, 0, 1, 0);
  }
  if (b.dut.busy_o) {
    watchdog.say(b.cycle, "the launch does not end");
    b.errors++;
  }
  uint64_t took = b.cycle - begin;
  if (uint32_t info = b.cfg_read(0x30)) {
    printf("core error: info %08x block %u address %08x pc %08x\n", info, b.cfg_read(0x34),
           b.cfg_read(0x38), b.cfg_read(0x3c));
    b.errors++;
  }
  uint32_t records = 0;
  const apd_record *r = simt_ap_records(b.ap, &records);
  if (records) b.fail("error record", 0, r->error, r->position_lo);
  uint64_t kernel_cycles = 0, latency = 0;
  for (uint64_t w = 0; w < all_warps && !b.errors; w++) {
    std::array<uint32_t, 32> sum = collage || greads ? std::array<uint32_t, 32>{} : want(b, w);
    for (uint32_t l = 0; l < 32; l++) {
      uint32_t v[2];
      memcpy(&v[0], &b.mem.bytes[result + w * 256 + l * 4], 4);
      memcpy(&v[1], &b.mem.bytes[result + w * 256 + 128 + l * 4], 4);
      if (v[0] != sum[l]) b.fail("sum", sum[l], v[0], w * 32 + l);
      kernel_cycles = std::max<uint64_t>(kernel_cycles, v[1]);
      latency = v[1];
    }
  }
  for (uint32_t i = 0; collage && i < s.input && !b.errors; i++) {
    uint32_t got;
    memcpy(&got, &b.mem.bytes[choice + 4 * i], 4);
    if (got != pictures->want[i]) b.fail("choice of a block", pictures->want[i], got, i);
  }
  if (greads && !b.errors) check(b, *reads, gread);
  if (s.hw) b.pages.audit(), b.report();
  uint64_t evicted = simt_ap_counts(b.ap)->writes;
  if (simt_ap_audit(b.ap, &err)) b.fail(err.msg, 0, 1, 0);
  if (s.way != BENCH_RAW && !b.errors && simt_ap_drop(b.ap, &err)) b.fail(err.msg, 0, 1, 0);
  if (updates && !b.errors) check_updates(b, copy_path);
  if (updates && pages > s.frames && !evicted) b.fail("dirty pages evicted", 1, 0, 0);
  if (copies && !b.errors) {
    std::vector<uint8_t> got(b.file.size());
    if (s.way == BENCH_RAW) memcpy(got.data(), &b.mem.bytes[dst], got.size());
    else if (int f = open(copy_path, O_RDONLY);
             f < 0 || read(f, got.data(), got.size()) != static_cast<ssize_t>(got.size()) ||
             close(f))
      b.fail("copy", 0, 1, 0);
    // A warp copies the first page of its region.
    for (uint64_t w = 0; w < all_warps; w++)
      if (memcmp(&got[w * s.pages * 4096], &b.file[w * s.pages * 4096], 4096))
        b.fail("copy", 0, 1, w);
  }
  unlink(path), unlink(copy_path);
  if (b.dut.errors_o) b.fail("AXI rules", 0, b.dut.errors_o, 0);
  const auto *k = simt_ap_counts(b.ap);
  printf("launch=%" PRIu64 " kernel=%" PRIu64 " latency=%.2f instructions=%" PRIu64
         " bytes=%" PRIu64 " atomics=%" PRIu64 " reads=%" PRIu64 " batches=%" PRIu64
         " writes=%" PRIu64 " faults=%" PRIu64 " reports=%" PRIu64 " stale=%" PRIu64
         " records_time=%" PRIu64 " maps_time=%" PRIu64 " late=%" PRIu64 " outs=%" PRIu64
         " coalesced=%" PRIu64 "\n",
         took, kernel_cycles, static_cast<double>(latency) / 16, b.cfg_read(0x40) - instret,
         b.mem.moved - moved, b.mem.atomics - atomics, k->reads, k->batches, evicted,
         b.pages.faults, b.pages.reports, b.pages.stale, b.pages.records_time, b.pages.maps_time,
         b.pages.late, b.pages.outs, b.pages.stats().coalesced);
  if (collage)
    printf("collage: %" PRIu64 " blocks, each choice as the plain program's; %" PRIu64
           " histograms read, %" PRIu64 " different ones\n",
           s.input, pictures->reads, pictures->distinct);
  if (greads)
    printf("gread: %zu ranges, %" PRIu64 " bytes, each as a plain copy\n", reads->range.size(),
           reads->bytes);
  simt_ap_free(b.ap);
  printf("%s ap_bench: %" PRIu64 " errors\n", b.errors ? "FAIL" : "PASS", b.errors);
  return b.errors != 0;
}
