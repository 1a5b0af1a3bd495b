// SPDX-License-Identifier: Apache-2.0
// Bench of the SIMT core alone (tb/simt/run.sh): random programs on the RTL and on the
// instruction-set simulator, which was written from docs/simt.md. Compared: each instruction of
// each warp (PC, lanes), memory, instruction count, error records. Memory answers in any order with
// random stalls. sm_bench PROGRAMS SEED
#include <chrono>
#include <memory>
#include <string>

#include GMMU_TB_HEADER
#include "../common/bench_main.h"
#include "sm_memory.h"
#include "sm_program.h"
#include "sm_directed.h"
extern "C" {
#include "simt/simt.h"
}

namespace {
struct Step {
  uint32_t pc, word, mask;
};
struct Bench {
  VerilatedContext ctx;
  GMMU_TB_DUT dut{&ctx};
  SmMemory mem;
  gmmu_rng rng{1};
  uint64_t seed = 1, errors = 0, instructions = 0, cycles = 0;
  std::vector<std::deque<Step>> trace; // of each warp slot: what the RTL has executed

  void fail(const char *what, uint64_t want, uint64_t got, uint64_t at) {
    if (errors++ < 8)
      printf("seed %" PRIu64 ", cycle %" PRIu64 ": %s: expected 0x%" PRIx64 ", got 0x%" PRIx64
             " (at 0x%" PRIx64 ")\n",
             seed, mem.cycle, what, want, got, at);
  }
  void cycle() {
    dut.clk_i = 0;
    mem.drive(dut);
    dut.eval();
    mem.sample(dut);
    if (dut.t_valid_o) {
      trace[dut.t_warp_o].push_back({dut.t_pc_o, dut.t_ir_o, dut.t_mask_o});
      instructions++;
    }
    dut.clk_i = 1;
    dut.eval();
  }
  void reg(uint32_t at, uint32_t v) {
    dut.cfg_addr_i = static_cast<uint8_t>(at);
    dut.cfg_wdata_i = v;
    dut.cfg_we_i = 1;
    cycle();
    dut.cfg_we_i = 0;
  }
  uint32_t reg(uint32_t at) {
    dut.cfg_addr_i = static_cast<uint8_t>(at);
    dut.eval();
    return dut.cfg_rdata_o;
  }
  void reset() {
    bench_reset(dut, [this] { cycle(); });
    trace.assign(kWarps, {});
  }
  void load(const std::vector<uint32_t> &code) {
    for (uint32_t i = 0; i < code.size(); i++) {
      dut.imem_we_i = 1;
      dut.imem_addr_i = static_cast<uint16_t>(i);
      dut.imem_wdata_i = code[i];
      cycle();
    }
    dut.imem_we_i = 0;
  }
  /// Until the launch has ended; false: nothing goes on.
  bool run() {
    const uint64_t begin = mem.cycle, most = instructions + 500000;
    BenchWatchdog watchdog(5000 + 100 * mem.latency, [this](BenchWaits &w) {
      sm_waits(w, dut);
      mem.waits(w);
    });
    while (dut.busy_o) {
      cycle();
      if (instructions > most) {
        printf("seed %" PRIu64 ": the launch does not end: live warps %08x\n", seed, dut.live_o);
        errors++;
        return false;
      }
      if (watchdog.stuck(mem.cycle, instructions)) {
        printf("seed of the program: %" PRIu64 "\n", seed);
        errors++;
        return false;
      }
    }
    cycles += mem.cycle - begin;
    return true;
  }
};

uint8_t *simt_memory(void *context, uint32_t address, uint32_t bytes, bool) {
  auto &m = *static_cast<std::vector<uint8_t> *>(context);
  return address + bytes <= m.size() && address < kBadFrom ? &m[address] : nullptr;
}

struct Iss {
  std::vector<uint8_t> memory;
  simt *s = nullptr;
  std::vector<std::deque<Step>> *rtl = nullptr;
  Bench *b = nullptr;
  bool traced = true;
  explicit Iss(Bench &bench, const std::vector<uint8_t> &m)
      : memory(m), rtl(&bench.trace), b(&bench) {
    simt_config c{kWarps, kImemWords, kLocalBytes, kScratchBytes, bench.seed};
    gmmu_err err;
    s = simt_new(&c, simt_memory, &memory, &err);
    if (!s) printf("FAIL simulator\n"), exit(1);
    simt_trace(s, step, this);
  }
  ~Iss() { simt_free(s); }
  static void step(void *context, uint32_t slot, uint32_t pc, uint32_t word, uint32_t mask) {
    Iss &i = *static_cast<Iss *>(context);
    auto &q = (*i.rtl)[slot];
    if (!i.traced) return;
    if (q.empty()) {
      i.b->fail("instruction that the core did not execute, PC", pc, 0, slot);
      i.traced = false;
      return;
    }
    if (q.front().pc != pc || q.front().mask != mask || (word && q.front().word != word)) {
      i.b->fail("PC of a warp's instruction", pc, q.front().pc, slot);
      i.b->fail("its lanes", mask, q.front().mask, slot);
      i.b->fail("its word", word, q.front().word, slot);
      i.traced = false;
    }
    q.pop_front();
  }
};

/// What is compared: error records and memory; and each instruction.
enum Exact { kMemoryToo, kAll };

/// One program on both.
void both(Bench &b, const SmLaunch &l, Exact exact) {
  std::vector<uint8_t> before = b.mem.bytes;
  b.reset();
  b.load(l.code);
  l.start([&](uint32_t at, uint32_t v) { b.reg(at, v); });
  if (!b.run()) return;
  Iss i(b, before);
  // Slots are those of the core only while each group has one block.
  i.traced = exact == kAll && l.blocks <= kWarps / l.warps &&
             (!l.scratch || l.blocks <= kScratchBytes / l.scratch);
  bool traced = i.traced;
  gmmu_err err;
  simt_load(i.s, l.code.data(), static_cast<uint32_t>(l.code.size()), &err);
  l.start([&](uint32_t at, uint32_t v) { simt_write_reg(i.s, at, v); });
  for (uint64_t n = 0; simt_run(i.s, 100000) && n < 1000; n++) {}
  if (simt_read_reg(i.s, SIMT_STATUS) & 1)
    printf("the simulator does not end\n"), simt_dump(i.s, stdout), b.errors++;
  compare_records(b, i.s);
  if (traced && i.traced)
    for (uint32_t w = 0; w < kWarps; w++)
      if (!b.trace[w].empty())
        b.fail("instruction that the simulator does not execute, PC", 0, b.trace[w].front().pc, w);
  uint64_t n = b.reg(SIMT_INSTRET) | static_cast<uint64_t>(b.reg(SIMT_INSTRET_H)) << 32;
  if (exact == kAll && n != simt_counts(i.s)->instructions)
    b.fail("instructions", simt_counts(i.s)->instructions, n, 0);
  for (size_t a = 0; a < before.size() && b.errors < 8; a += 4) {
    uint32_t want, got;
    memcpy(&want, &i.memory[a], 4);
    memcpy(&got, &b.mem.bytes[a], 4);
    if (want != got) b.fail("memory", want, got, a);
  }
}

SmLaunch random_launch(Bench &b) {
  SmLaunch l;
  l.warps = 1 + static_cast<uint32_t>(gmmu_rng_below(&b.rng, gmmu_rng_below(&b.rng, 3) ? kWarps
                                                             : 2 < kWarps              ? 2
                                                                                       : kWarps));
  uint32_t part = 64;
  while (part * 2 * l.warps <= kScratchBytes && part < 256 && gmmu_rng_below(&b.rng, 2)) part *= 2;
  if (part * l.warps > kScratchBytes) l.warps = kScratchBytes / part;
  l.scratch = part * l.warps;
  l.blocks = 1 + static_cast<uint32_t>(gmmu_rng_below(&b.rng, 2 * kWarps / l.warps));
  l.code = SmProgram(b.rng, part).make(5 + static_cast<uint32_t>(gmmu_rng_below(&b.rng, 40)));
  for (uint32_t &a : l.args) a = static_cast<uint32_t>(gmmu_rng_next(&b.rng));
  return l;
}
void fill(Bench &b) {
  b.mem.bytes.assign(kMemory, 0);
  for (size_t a = 0; a < kMemory; a += 8) {
    uint64_t v = gmmu_rng_next(&b.rng);
    memcpy(&b.mem.bytes[a], &v, 8);
  }
}
} // namespace

const BenchInfo bench_info = {"sm_bench", "PROGRAMS", 20, "", 0, 0};
int bench_run(const BenchArgs &args) {
  uint64_t programs = args.count, seed = args.seed;
  auto p = std::make_unique<Bench>();
  Bench &b = *p;
  b.mem.bad_from = kBadFrom;
  auto begin = std::chrono::steady_clock::now();
  uint64_t done = 0;
  for (uint64_t n = 0; n < programs && !b.errors; n++, done++) {
    b.seed = seed + n;
    b.rng.s = b.seed, b.mem.rng.s = b.seed + 1000000;
    b.mem.latency = n % 4 == 0 ? 2 : n % 4 == 1 ? 200 : 20;
    b.mem.stall = n % 3 == 0 ? 1000 : 3;
    fill(b);
    SmLaunch l = random_launch(b);
    if (getenv("SM_VERBOSE"))
      printf("seed %" PRIu64 ": %u blocks of %u warps, %zu instructions\n", b.seed, l.blocks,
             l.warps, l.code.size());
    both(b, l, kAll);
  }
  b.seed = seed;
  b.mem.latency = 20, b.mem.stall = 3;
  for (uint32_t n = 0; !b.errors && n < directed_count(); n++) {
    fill(b);
    b.rng.s = b.seed + n;
    both(b, directed(n, b.mem.bytes), kMemoryToo);
    if (b.errors) printf("directed test %u: %s\n", n, directed_name(n));
  }
  b.errors += b.mem.errors;
  printf("%s simt core: %" PRIu64 " random programs from seed %" PRIu64 ", %u directed, %" PRIu64
         " warp instructions in %" PRIu64 " cycles (%.0f cycles a second), %" PRIu64
         " reads, %" PRIu64 " writes, %" PRIu64 " atomics, %" PRIu64 " errors\n",
         b.errors ? "FAIL" : "PASS", done, seed, directed_count(), b.instructions, b.cycles,
         static_cast<double>(b.mem.cycle) /
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
         b.mem.reads, b.mem.writes, b.mem.atomics, b.errors);
  return b.errors != 0;
}
