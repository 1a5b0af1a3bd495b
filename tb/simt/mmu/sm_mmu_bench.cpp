// SPDX-License-Identifier: Apache-2.0
// Bench of the SIMT core behind gmmu_axi (tb/simt/mmu.sh): at the start nothing is mapped. A
// fault's page gets a frame of its own from the host after a while, sometimes readable only, and
// pages leave again while the core runs, to come back elsewhere. Random programs against the
// instruction-set simulator, and a program compiled by GCC against the host. sm_mmu_bench PROGRAMS
// SEED TEXT DATA: its sections.
#include <chrono>

#include "../../axi/axi_memory.h"
#include "../programs/kernels.h"
#include "../sm_directed.h"
#include "../sm_memory.h"
#include "../sm_program.h"
extern "C" {
#include "simt/simt.h"
}

namespace {
constexpr uint64_t kTables = 0x00100000, kTablesEnd = 0x002fffff, kFrames = 0x00400000,
                   kFramesEnd = 0x00800000;
constexpr uint32_t kData = 0x80000, kIn = 0x100000, kOut = 0x140000, kHist = 0x180000;

struct Bench : World {
  SmMemory mem;
  WalkMemory walk;
  EngineMemory engine;
  std::vector<uint8_t> image; // what the core sees: of pages that have no frame
  struct Page {
    uint64_t pa;
    bool writable;
  };
  std::map<uint32_t, Page> mapped; // by virtual page
  std::vector<uint64_t> frames;
  uint64_t faults = 0, outs = 0, instructions = 0;
  bool error_mode = false;

  void rubbish(uint64_t pa) {
    for (uint32_t i = 0; i < 4096; i++)
      mem.bytes[pa + i] = static_cast<uint8_t>(gmmu_rng_next(&rng));
  }
  static int resolve(void *arg, const gmmu_drv_fault *f) {
    Bench &b = *static_cast<Bench *>(arg);
    b.faults++;
    for (uint64_t n = b.below(200); n; n--) b.step();
    if (b.error_mode) return GMMU_DRV_LATER;
    uint32_t page = static_cast<uint32_t>(f->va >> 12);
    if (f->va >= kMemory)
      return b.fail("fault of an address that the program does not use", 0, f->va, f->va),
             GMMU_DRV_LATER;
    const unsigned ru = GMMU_DRV_R | GMMU_DRV_U;
    auto at = b.mapped.find(page);
    if (at == b.mapped.end()) {
      uint64_t n = b.below(b.frames.size()), pa = b.frames[n];
      b.frames.erase(b.frames.begin() + static_cast<long>(n));
      memcpy(&b.mem.bytes[pa], &b.image[page * 4096ull], 4096);
      bool writable = f->access != 0 || b.below(2);
      b.must(gmmu_drv_map(&b.drv, 1, f->va & ~4095ull, pa, 4096, ru | (writable ? GMMU_DRV_W : 0),
                          false),
             "map");
      b.mapped[page] = {pa, writable};
    } else if (f->access && !at->second.writable) {
      at->second.writable = true;
      b.must(gmmu_drv_protect(&b.drv, 1, f->va & ~4095ull, 4096, ru | GMMU_DRV_W), "protect");
    }
    return GMMU_DRV_RESOLVED;
  }
  void out(uint32_t page) {
    Page p = mapped[page];
    must(gmmu_drv_unmap(&drv, 1, page * 4096ull, 4096),
         "unmap"); // returns when nothing uses the frame any more
    memcpy(&image[page * 4096ull], &mem.bytes[p.pa], 4096);
    rubbish(p.pa);
    frames.push_back(p.pa);
    mapped.erase(page);
    outs++;
  }
  void reg(uint32_t at, uint32_t v) {
    dut.cfg_addr_i = static_cast<uint8_t>(at);
    dut.cfg_wdata_i = v;
    dut.cfg_we_i = 1;
    step();
    dut.cfg_we_i = 0;
  }
  uint32_t reg(uint32_t at) {
    dut.cfg_addr_i = static_cast<uint8_t>(at);
    settle();
    return dut.cfg_rdata_o;
  }
  void run(const SmLaunch &l, unsigned out_in) {
    for (uint32_t i = 0; i < l.code.size(); i++) {
      dut.imem_we_i = 1;
      dut.imem_addr_i = static_cast<uint16_t>(i);
      dut.imem_wdata_i = l.code[i];
      step();
    }
    dut.imem_we_i = 0;
    l.start([&](uint32_t at, uint32_t v) { reg(at, v); });
    who_waits = [this](BenchWaits &w) {
      sm_waits(w, dut);
      mem.waits(w);
      walk.waits(w);
    };
    BenchWatchdog watchdog(100000, [this](BenchWaits &w) { waits(w); });
    while (dut.busy_o && errors < 8) {
      if (dut.irq_o) must(gmmu_drv_handle_faults(&drv, resolve, this), "faults");
      if (out_in && !mapped.empty() && below(out_in) == 0)
        out(std::next(mapped.begin(), static_cast<long>(below(mapped.size())))->first);
      step();
      if (watchdog.stuck(cycle, instructions)) {
        errors++;
        return;
      }
    }
    while (!mapped.empty()) out(mapped.begin()->first);
  }
};

void cycle(Bench &b) {
  b.settle();
  b.mem.sample(b.dut);
  b.walk.sample(b);
  b.engine.sample(b);
  b.instructions += b.dut.t_valid_o;
  b.edge();
  b.mem.drive(b.dut);
  b.walk.drive(b);
  b.engine.drive(b);
}

uint8_t *simt_memory(void *context, uint32_t address, uint32_t bytes, bool) {
  auto &m = *static_cast<std::vector<uint8_t> *>(context);
  return address + bytes <= m.size() ? &m[address] : nullptr;
}

void random_program(Bench &b) {
  SmLaunch l;
  l.warps = 1 + static_cast<uint32_t>(b.below(kWarps));
  l.scratch = 64 * l.warps;
  l.blocks = 1 + static_cast<uint32_t>(b.below(2 * kWarps / l.warps));
  l.code = SmProgram(b.rng, 64).make(5 + static_cast<uint32_t>(b.below(30)));
  for (auto &x : b.image) x = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  std::vector<uint8_t> want = b.image;
  uint64_t n0 = b.reg(SIMT_INSTRET);
  b.run(l, b.below(2) ? 3000 : 500);
  simt_config c{kWarps, kImemWords, kLocalBytes, kScratchBytes, b.seed};
  gmmu_err err;
  simt *s = simt_new(&c, simt_memory, &want, &err);
  simt_load(s, l.code.data(), static_cast<uint32_t>(l.code.size()), &err);
  l.start([&](uint32_t at, uint32_t v) { simt_write_reg(s, at, v); });
  for (int n = 0; simt_run(s, 100000) && n < 1000; n++) {}
  compare_records(b, s);
  if (b.reg(SIMT_INSTRET) - n0 != simt_counts(s)->instructions)
    b.fail("instructions", simt_counts(s)->instructions, b.reg(SIMT_INSTRET) - n0, 0);
  simt_free(s);
  for (size_t a = 0; a < kMemory && b.errors < 8; a += 4)
    if (memcmp(&want[a], &b.image[a], 4)) {
      uint32_t x, y;
      memcpy(&x, &want[a], 4), memcpy(&y, &b.image[a], 4);
      b.fail("memory", x, y, a);
    }
}

std::vector<uint8_t> file(const char *name) {
  std::vector<uint8_t> v;
  FILE *f = fopen(name, "rb");
  if (!f) printf("FAIL %s cannot be read\n", name), exit(1);
  for (int c; (c = getc(f)) != EOF;) v.push_back(static_cast<uint8_t>(c));
  fclose(f);
  while (v.size() % 4) v.push_back(0);
  return v;
}
uint32_t word(const std::vector<uint8_t> &m, size_t at) {
  uint32_t v;
  memcpy(&v, &m[at], 4);
  return v;
}

void compiled(Bench &b, const char *text, const char *data) {
  SmLaunch l;
  std::vector<uint8_t> t = file(text), d = file(data);
  for (size_t i = 0; i < t.size(); i += 4) l.code.push_back(word(t, i));
  for (auto &x : b.image) x = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  memcpy(&b.image[kData], d.data(), d.size());
  memset(&b.image[kHist], 0, 128);
  l.warps = kWarps / 2, l.blocks = 3, l.scratch = 256;
  l.args[0] = kIn, l.args[1] = kOut, l.args[2] = kHist, l.args[3] = kHist + 64;
  std::vector<uint32_t> want, hist(BINS, 0);
  uint32_t sum = 0;
  for (uint32_t id = 0; id < l.blocks * l.warps * 32; id++) {
    uint32_t in[THREAD_WORDS], out[3];
    memcpy(in, &b.image[kIn + id * sizeof in], sizeof in);
    thread(id, in, out);
    want.insert(want.end(), out, out + 3);
    hist[out[0] % BINS] += word(d, 4 * (out[0] % BINS)); // weight[], the first of .rodata
    if (id % 32 == 5) sum += id;
  }
  uint64_t n0 = b.instructions, c0 = b.cycle, f0 = b.faults, o0 = b.outs;
  b.run(l, 5000);
  for (size_t i = 0; i < want.size(); i++)
    if (word(b.image, kOut + 4 * i) != want[i])
      b.fail("compiled program: output", want[i], word(b.image, kOut + 4 * i), kOut + 4 * i);
  for (uint32_t i = 0; i < BINS; i++)
    if (word(b.image, kHist + 4 * i) != hist[i])
      b.fail("compiled program: histogram", hist[i], word(b.image, kHist + 4 * i), i);
  if (word(b.image, kHist + 64) != sum)
    b.fail("compiled program: sum by compare and swap", sum, word(b.image, kHist + 64), 0);
  if (b.reg(SIMT_STATUS) & 2)
    b.fail("compiled program: error record", 0, b.reg(SIMT_ERR_INFO), b.reg(SIMT_ERR_ADDR));
  printf("compiled program: %zu bytes of code, %" PRIu64 " warp instructions in %" PRIu64
         " cycles, %" PRIu64 " faults, %" PRIu64 " pages out\n",
         t.size(), b.instructions - n0, b.cycle - c0, b.faults - f0, b.outs - o0);
}

/// Error mode: every second block reads what is not mapped, and ends with a record; the MMU has the
/// address.
void error_mode(Bench &b) {
  gmmu_drv_port s{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, 1, true, 1};
  b.must(gmmu_drv_set_port(&b.drv, 0, &s), "port in error mode");
  b.error_mode = true;
  for (bool write : {false, true}) {
    SmLaunch l;
    l.blocks = 6, l.warps = 1;
    l.code = {rv_csr(5, CSR_BLOCK),
              rv_i(0x13, 7, 6, 5, 1),
              rv_b(0, 6, 0, 16),
              rv_lui(7, 0x123000),
              write ? rv_s(0x23, 2, 5, 7, 64) : rv_i(0x03, 2, 8, 7, 64),
              write ? RV_FENCE : rv_addi(8, 8, 1),
              RV_END};
    b.run(l, 0);
    unsigned n = 0;
    for (; b.reg(SIMT_STATUS) & 2; n++) {
      uint32_t info = b.reg(SIMT_ERR_INFO);
      if ((info & 15) != (write ? SIMT_BUS_WRITE : SIMT_BUS_READ) ||
          b.reg(SIMT_ERR_ADDR) != 0x123040 || b.reg(SIMT_ERR_BLOCK) % 2 != 1 ||
          b.reg(SIMT_ERR_PC) != 16)
        b.fail("error mode: record", write ? SIMT_BUS_WRITE : SIMT_BUS_READ, info,
               b.reg(SIMT_ERR_ADDR));
      b.reg(SIMT_ERR_PC, 0);
    }
    if (n != 3) b.fail("error mode: records", 3, n, 0);
    if (b.dut.irq_o) b.must(gmmu_drv_handle_faults(&b.drv, Bench::resolve, &b), "faults");
  }
  if (!b.faults) b.fail("error mode: faults", 1, 0, 0);
}
} // namespace

const BenchInfo bench_info = {"sm_mmu_bench", "PROGRAMS", 4, "TEXT DATA", 2, 2};
int bench_run(const BenchArgs &args) {
  uint64_t programs = args.count, seed = args.seed;
  auto p = std::make_unique<Bench>();
  Bench &b = *p;
  b.seed = seed;
  b.rng.s = seed, b.mem.rng.s = seed + 1000000;
  b.step = [&] { cycle(b); };
  b.mem.bytes.assign(kFramesEnd, 0);
  b.image.assign(kMemory, 0);
  for (uint64_t pa = kFrames; pa < kFramesEnd; pa += 4096) b.rubbish(pa), b.frames.push_back(pa);
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) b.free_tables.push_back(t);
  b.dut.m_rlast_i = 1;
  bench_reset(b.dut, [&] { b.settle(), b.edge(); });
  gmmu_drv_bus bus = b.bus();
  b.must(gmmu_drv_init(&b.drv, &bus), "init");
  b.must(gmmu_drv_window(&b.drv, 0, kTables, kTablesEnd, true, false), "window for tables");
  b.must(gmmu_drv_window(&b.drv, 1, kFrames, kFramesEnd - 1, false, true), "window for data");
  b.must(gmmu_drv_open(&b.drv, 1, false, false, false, false), "open");
  gmmu_drv_port s{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, 1, false, 1};
  b.must(gmmu_drv_set_port(&b.drv, 0, &s), "port");
  b.must(gmmu_drv_fault_irq(&b.drv, true), "interrupt");
  auto begin = std::chrono::steady_clock::now();
  for (uint64_t n = 0; n < programs && b.errors < 8; n++) {
    b.seed = seed + n;
    b.rng.s = b.seed;
    b.mem.stall = n % 2 ? 3 : 1000;
    random_program(b);
  }
  if (!b.errors) compiled(b, args.more[0].c_str(), args.more[1].c_str());
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  uint64_t cycles = b.cycle;
  if (!b.errors) error_mode(b);
  b.errors += b.mem.errors + b.dut.errors_o;
  printf("%s simt core behind gmmu_axi: %" PRIu64 " random programs from seed %" PRIu64
         " and a compiled one, %" PRIu64 " warp instructions in %" PRIu64
         " cycles (%.0f warp instructions a second), %" PRIu64 " faults, %" PRIu64
         " pages out, %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " atomics, %" PRIu64
         " errors\n",
         b.errors ? "FAIL" : "PASS", programs, seed, b.instructions, cycles,
         static_cast<double>(b.instructions) / seconds, b.faults, b.outs, b.mem.reads, b.mem.writes,
         b.mem.atomics, b.errors);
  return b.errors != 0;
}
