// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_top over gmmu_memory with real contents: page tables and data lie in the DRAM
// behind the RTL; two SMs load and store words at virtual addresses of two address spaces. Every
// translation is compared with the functional model, every word that is loaded with what was stored
// there, every DRAM command goes through the checker. Built by tb/memory/run.sh. Ends with "PASS
// ..." or "FAIL ...".
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "Vgmmu_system_harness.h"
#include "verilated.h"
#include "../common/bench_main.h"
#include "../common/coverage.h"
#include "../common/noise.h"
#include "../system/bits.h"
extern "C" {
#include "gmmu.h"
#include "policy/dram_check.h"
#include "policy/dram_map.h"
#include "timed/timed_channel.h"
#include "timed/timed_dram.h"
}

namespace {
constexpr int kSms = 2, kPorts = 4, kChannels = 2, kTags = 16, kPages = 96;
constexpr bool kLinear = GMMU_TB_LINEAR; // no hashes, and a page lies in one channel
constexpr gmmu_mem_map kMap = {2, 2, kLinear, kLinear, 0, 0};
constexpr uint32_t kLow = kLinear ? 12 : 8; // bytes that stay in a channel, log2
constexpr uint32_t kPaW = 56, kLineW = kPaW - 7 - 2, kRowW = kPaW - 16;

struct Op {
  int sm, asid;
  bool store;
  uint64_t va, value, pa, since;
};

struct Bench {
  VerilatedContext ctx;
  Vgmmu_system_harness dut{&ctx};
  CoverageAtEnd coverage{&ctx};
  gmmu_env env{};
  gmmu_mem *image;
  gmmu_rng rng;
  Noise random;
  uint64_t seed = 0, cycle = 0, errors = 0, made = 0, loads = 0, stores = 0, pte_reads = 0,
           worst = 0, bypassing = 0, pairs = 0;
  uint64_t ticks = 0; // of the command clock on the pins, before this cycle
  std::vector<uint64_t> pages[2];
  Op tag[kSms][kTags];
  std::deque<uint32_t> free_tag[kSms];
  int presenting[kSms] = {-1, -1};
  std::deque<Op> data[kPorts];          // waits for its bank
  std::map<uint32_t, Op> reads[kPorts]; // by id
  std::deque<uint32_t> ids[kPorts];
  std::set<std::pair<int, uint64_t>> busy;             // words with an access on its way
  std::map<std::pair<int, uint64_t>, uint64_t> shadow; // (ASID, VA) -> what was stored last
  gmmu_dram_check check[kChannels];
  gmmu_l2_bypass bypass{};
  gmmu_bypass_turn bypass_turn{};
  gmmu_channel_out counted[kChannels]{}; // what the banks count in a cycle, nothing else
  std::deque<std::pair<uint64_t, std::vector<uint64_t>>> on_way[kChannels];
  // by level, 0 data: what was asked for, what the banks' caches were asked for; since when they
  // bypass it
  uint64_t asked[8] = {}, looked[8] = {}, around_since[8] = {};

  void fail(const char *what, uint64_t want, uint64_t got, uint64_t va) {
    if (errors++ < 5)
      printf("cycle %" PRIu64 ", gmmu_top over gmmu_memory, seed %" PRIu64 ": %s, VA 0x%" PRIx64
             ": expected 0x%" PRIx64 ", got 0x%" PRIx64 "\n",
             cycle, seed, what, va, want, got);
  }
  uint64_t below(uint64_t n) { return gmmu_rng_below(&rng, n); }
};

void build(Bench &b) {
  gmmu_config c;
  gmmu_err err{};
  gmmu_config_default(&c);
  c.VaW = 39;
  c.Mode = 39;
  c.PaW = kPaW;
  c.NumAsids = 2;
  c.L1LargeEntries = c.L2LargeEntries = 0;
  gmmu_env_from_config(&b.env, &c);
  b.env.num_windows = 1;
  b.env.win[0] = {0, (1ull << (kPaW - 12)) - 1, true, true};
  b.image = gmmu_mem_new();
  // across the middle of memory: every bit of a table's address is 0 and 1
  const uint64_t middle = 1ull << (kPaW - 13);
  gmmu_tables *t = gmmu_tables_new(b.image, &b.env, middle - 0x40, middle + 0x7bf);
  std::set<uint64_t> frames;
  for (int a = 0; a < 2; a++) {
    if (gmmu_tables_add_asid(t, a, GMMU_MODE_SV39, false, &err)) exit((puts(err.msg), 1));
    std::set<uint64_t> vpns;
    for (int i = 0; i < kPages; i++) {
      // both address spaces use the same VAs; frames are scattered over all of memory
      uint64_t vpn = 0x40000 + (static_cast<uint64_t>(i) * 0x151) % 0x10000, pfn;
      do pfn = b.below(1ull << (kPaW - 12));
      while (pfn - (middle - 0x1000) < 0x2000 || !frames.insert(pfn).second);
      if (!vpns.insert(vpn).second) continue;
      if (gmmu_tables_map(
              t, a, vpn << 12, pfn << 12, 4096,
              GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_U | GMMU_PTE_A | GMMU_PTE_D,
              GMMU_MAP_4K, &err))
        exit((puts(err.msg), 1));
      // what says nothing here: X, G and the two bits for software
      const uint64_t at = gmmu_tables_pte_pa(t, a, vpn << 12, 0), idle = GMMU_PTE_X | 0x320;
      gmmu_mem_write64(b.image, at, gmmu_mem_read64(b.image, at) | (gmmu_rng_next(&b.rng) & idle));
      b.pages[a].push_back(vpn << 12);
      for (uint64_t k = 0; k < 512; k++)
        gmmu_mem_write64(b.image, (pfn << 12) + 8 * k,
                         (pfn << 20 | k << 4) * 0x9e3779b97f4a7c15ull);
    }
  }
  gmmu_tables_free(t);
}

void request(Bench &b, uint64_t ops) {
  Vgmmu_system_harness &d = b.dut;
  for (int s = 0; s < kSms; s++) {
    if (b.presenting[s] < 0 && b.made < ops && !b.free_tag[s].empty() && b.below(3)) {
      Op o{};
      o.sm = s;
      o.asid = static_cast<int>(b.below(2));
      o.va = b.pages[o.asid][b.below(b.below(2) ? 8 : b.pages[o.asid].size())] +
             8 * b.below(b.below(2) ? 32 : 512);
      if (b.busy.insert({o.asid, o.va}).second) {
        o.store = b.below(3) == 0;
        o.value = gmmu_rng_next(&b.rng);
        o.since = b.cycle;
        b.presenting[s] = static_cast<int>(b.free_tag[s].front());
        b.free_tag[s].pop_front();
        b.tag[s][b.presenting[s]] = o;
        b.made++;
      }
    }
    bits_set(d.req_valid_i, static_cast<uint32_t>(s), 1, b.presenting[s] >= 0);
    if (b.presenting[s] < 0) {
      if (!b.random.now()) continue;
      b.random.put(d.req_va_i, static_cast<uint32_t>(s) * 64, 64);
      b.random.put(d.req_access_i, static_cast<uint32_t>(s) * 2, 2);
      b.random.put(d.req_asid_i, static_cast<uint32_t>(s), 1);
      continue;
    }
    const Op &o = b.tag[s][b.presenting[s]];
    bits_set(d.req_va_i, static_cast<uint32_t>(s) * 64, 64, o.va);
    bits_set(d.req_access_i, static_cast<uint32_t>(s) * 2, 2, o.store ? GMMU_WRITE : GMMU_READ);
    bits_set(d.req_asid_i, static_cast<uint32_t>(s), 1, static_cast<uint64_t>(o.asid));
    bits_set(d.req_tag_i, static_cast<uint32_t>(s) * 4, 4, static_cast<uint64_t>(b.presenting[s]));
  }
  for (uint32_t k = 0; k < kPorts; k++) {
    bool have = !b.data[k].empty() && !b.ids[k].empty();
    bits_set(d.d_valid_i, k, 1, have);
    bits_set(d.d_rsp_ready_i, k, 1, b.below(4) != 0 && !bench_hangs(b.cycle));
    if (!have) {
      if (!b.random.now()) continue;
      b.random.put(d.d_line_i, k * kLineW, kLineW), b.random.put(d.d_we_i, k, 1);
      b.random.put(d.d_app_i, k, 1), b.random.put(d.d_id_i, k * 8, 8);
      b.random.put(d.d_mask_i, k * 128, 128);
      continue;
    }
    const Op &o = b.data[k].front();
    bits_set(d.d_line_i, k * kLineW, kLineW, gmmu_mem_place(&kMap, o.pa).line);
    bits_set(d.d_we_i, k, 1, o.store);
    bits_set(d.d_app_i, k, 1, static_cast<uint64_t>(o.asid));
    bits_set(d.d_id_i, k * 8, 8, b.ids[k].front());
    for (uint32_t w = 0; o.store && w < 16; w++) {
      bool mine = w == (o.pa >> 3 & 15);
      bits_set(d.d_mask_i, k * 128 + w * 8, 8, mine ? 255 : 0);
      bits_set(d.d_wdata_i, k * 1024 + w * 64, 64, mine ? o.value : gmmu_rng_next(&b.rng));
    }
  }
}

void translated(Bench &b) {
  Vgmmu_system_harness &d = b.dut;
  for (uint32_t s = 0; s < kSms; s++) {
    if (bits_get(d.rsp_valid_o, s, 1)) {
      uint32_t tag = static_cast<uint32_t>(bits_get(d.rsp_tag_o, s * 4, 4));
      Op o = b.tag[s][tag];
      gmmu_answer want;
      gmmu_translate(&b.env, b.image, o.asid, o.va, o.store ? GMMU_WRITE : GMMU_READ, true, &want);
      o.pa = bits_get(d.rsp_pa_o, s * kPaW, kPaW);
      if (bits_get(d.rsp_cause_o, s * 5, 5) != static_cast<uint64_t>(want.cause))
        b.fail("cause", static_cast<uint64_t>(want.cause), bits_get(d.rsp_cause_o, s * 5, 5), o.va);
      if (o.pa != want.pa) b.fail("physical address", want.pa, o.pa, o.va);
      auto at = std::make_pair(o.asid, o.va);
      if (!b.shadow.count(at))
        b.shadow[at] = (((o.pa >> 12) << 20 | (o.pa >> 3 & 511) << 4) * 0x9e3779b97f4a7c15ull);
      const auto at_bank = gmmu_mem_place(&kMap, o.pa);
      b.data[at_bank.channel * 2 + at_bank.bank].push_back(o);
      b.free_tag[s].push_back(tag);
    }
    if (b.presenting[s] >= 0 && bits_get(d.req_ready_o, s, 1)) b.presenting[s] = -1;
  }
}

void data(Bench &b) {
  Vgmmu_system_harness &d = b.dut;
  for (uint32_t k = 0; k < kPorts; k++) {
    if (bits_get(d.d_rsp_valid_o, k, 1) && bits_get(d.d_rsp_ready_i, k, 1)) {
      uint32_t id = static_cast<uint32_t>(bits_get(d.d_rsp_id_o, k * 8, 8));
      auto it = b.reads[k].find(id);
      if (it == b.reads[k].end()) {
        b.fail("answer to no load, id", 0, id, 0);
      } else {
        const Op &o = it->second;
        uint64_t word =
            bits_get(d.d_rsp_data_o, k * 1024 + static_cast<uint32_t>(o.pa >> 3 & 15) * 64, 64);
        uint64_t want = b.shadow[{o.asid, o.va}];
        if (word != want) b.fail("word", want, word, o.va);
        if (b.cycle - o.since > b.worst) b.worst = b.cycle - o.since;
        b.busy.erase({o.asid, o.va});
        b.loads++;
        b.ids[k].push_back(id);
        b.reads[k].erase(it);
      }
    }
    if (bits_get(d.d_valid_i, k, 1) && bits_get(d.d_ready_o, k, 1)) {
      Op o = b.data[k].front();
      b.data[k].pop_front();
      if (o.store) {
        b.shadow[{o.asid, o.va}] = o.value;
        b.busy.erase({o.asid, o.va});
        b.stores++;
      } else {
        b.reads[k][b.ids[k].front()] = o;
        b.ids[k].pop_front();
      }
    }
  }
}

// Bit j of the three that spread rows over banks.
uint64_t hashed(uint64_t row, int j) {
  uint64_t x = 0;
  for (int k = j; k < 64; k += 5) x ^= row >> k & 1;
  return x;
}

void device(Bench &b) {
  Vgmmu_system_harness &d = b.dut;
  for (uint32_t c = 0; c < kChannels; c++) {
    int cmd = static_cast<int>(bits_get(d.cmd_o, c * 3, 3));
    uint32_t bank = static_cast<uint32_t>(bits_get(d.bank_o, c * 3, 3));
    const char *bad =
        gmmu_dram_check_command(&b.check[c], static_cast<int64_t>(b.ticks), cmd, bank,
                                bits_get(d.row_o, c * kRowW, kRowW), bits_get(d.ap_o, c, 1));
    int also = static_cast<int>(bits_get(d.also_o, c * 2, 2));
    if (!bad && also) // beside a column, on the second tick
      bad = gmmu_dram_check_command(&b.check[c], static_cast<int64_t>(b.ticks) + 1, also,
                                    static_cast<uint32_t>(bits_get(d.also_bank_o, c * 3, 3)),
                                    bits_get(d.row_o, c * kRowW, kRowW), false);
    b.pairs += also != 0;
    if (bad) {
      printf("rule broken: %s\n", bad);
      b.fail("DRAM rule (command on the pins)", 0, static_cast<uint64_t>(cmd), 0);
    }
    if (cmd != GMMU_PIN_RD && cmd != GMMU_PIN_WR) continue;
    uint64_t row = gmmu_dram_check_row(&b.check[c], bank), col = bits_get(d.col_o, c * 6, 6);
    // back to the address, by the inverse of each step of docs/dram_map.md
    uint64_t raw = bank;
    if (!kLinear) raw ^= hashed(row, 0) | hashed(row, 1) << 1 | hashed(row, 2) << 2;
    uint64_t at = row << 15 | (raw >> 2) << 14 | (col >> 2) << 10 | (raw & 3) << 8 | (col & 3) << 6;
    uint64_t channel_bit = c;
    if (!kLinear) channel_bit ^= static_cast<uint64_t>(__builtin_parityll(at >> kLow));
    uint64_t pa = (at >> kLow) << (kLow + 1) | channel_bit << kLow | (at & ((1u << kLow) - 1));
    if (cmd == GMMU_PIN_WR) {
      for (uint32_t w = 0; w < 8; w++) {
        uint64_t v = gmmu_mem_read64(b.image, pa + 8 * w);
        for (uint32_t i = 0; i < 8; i++)
          if (bits_get(d.wmask_o, c * 64 + w * 8 + i, 1)) {
            v &= ~(255ull << (8 * i));
            v |= bits_get(d.wdata_o, c * 512 + w * 64 + i * 8, 8) << (8 * i);
          }
        gmmu_mem_write64(b.image, pa + 8 * w, v);
      }
    } else {
      std::vector<uint64_t> piece(8);
      for (uint32_t w = 0; w < 8; w++) piece[w] = gmmu_mem_read64(b.image, pa + 8 * w);
      b.on_way[c].push_back({b.ticks + gmmu_dram_gddr5.cl + GMMU_DRAM_BURST, piece});
    }
  }
}

/// The bypass decision against its model, from what the banks count.
void bypasses(Bench &b) {
  const Vgmmu_system_harness &d = b.dut;
  const gmmu_channel_out *out[kChannels] = {&b.counted[0], &b.counted[1]};
  uint32_t want = 0;
  for (uint32_t i = 0; i < GMMU_DEPTHS; i++) want |= static_cast<uint32_t>(b.bypass.bypass[i]) << i;
  if (want != d.bypass_o) b.fail("levels that bypass", want, d.bypass_o, 0);
  b.bypassing += d.bypass_o != 0;
  for (int k = 0; k < kPorts; k++) {
    gmmu_cache_bank_out &bank = b.counted[k / 2].bank[k % 2];
    bank.counted = d.access_o >> k & 1;
    bank.counted_hit = d.hit_o >> k & 1;
    bank.counted_depth = d.depth_o >> 3 * k & 7;
  }
  gmmu_channel_count(&b.bypass, &b.bypass_turn, d.epoch_o, out, kChannels, kPorts / kChannels);
}

/// A level's reads look in the caches, each once, unless they have bypassed it for some time.
void levels(Bench &b) {
  const Vgmmu_system_harness &d = b.dut;
  constexpr uint64_t kOnWay = 500; // cycles that a read may wait behind its decision
  b.asked[d.pte_depth_o] += d.pte_read_o;
  for (uint32_t k = 0; k < kPorts; k++) {
    b.asked[0] += bits_get(d.d_valid_i, k, 1) && bits_get(d.d_ready_o, k, 1);
    if (!(d.access_o >> k & 1)) continue;
    const uint32_t depth = d.depth_o >> 3 * k & 7;
    b.looked[depth]++;
    if (b.around_since[depth] && b.cycle - b.around_since[depth] > kOnWay)
      b.fail("a level that bypasses the caches looks in them", 0, depth, 0);
  }
  for (uint32_t i = 0; i < 8; i++)
    if (!(d.bypass_o >> i & 1)) b.around_since[i] = 0;
    else if (!b.around_since[i]) b.around_since[i] = b.cycle;
}

void step(Bench &b, uint64_t ops) {
  Vgmmu_system_harness &d = b.dut;
  request(b, ops);
  for (uint32_t c = 0; c < kChannels; c++) {
    bool back = !b.on_way[c].empty() && b.on_way[c].front().first <= b.ticks;
    for (uint32_t w = 0; w < 8; w++)
      bits_set(d.rdata_i, c * 512 + w * 64, 64,
               back ? b.on_way[c].front().second[w] : gmmu_rng_next(&b.rng));
    if (back) b.on_way[c].pop_front();
  }
  d.clk_i = 0;
  d.eval();
  b.pte_reads += d.pte_read_o;
  bypasses(b);
  levels(b);
  translated(b);
  data(b);
  device(b);
  b.ticks += d.ticks_o & 3; // all channels have the same
  d.clk_i = 1;
  d.eval();
  b.cycle++;
}

bool waiting(const Bench &b) { return !b.busy.empty(); }
} // namespace

const BenchInfo bench_info = {"system_bench", "WORDS", 20000, "", 0, 0};
int bench_run(const BenchArgs &args) {
  uint64_t ops = args.count, seed = args.seed;
  auto b = std::make_unique<Bench>();
  b->seed = b->rng.s = seed;
  build(*b);
  for (int s = 0; s < kSms; s++)
    for (uint32_t t = 0; t < kTags; t++) b->free_tag[s].push_back(t);
  for (int k = 0; k < kPorts; k++)
    for (uint32_t i = 0; i < 256; i++) b->ids[k].push_back(i);
  for (auto &c : b->check) gmmu_dram_check_init(&c, &gmmu_dram_rules_gddr5);
  Vgmmu_system_harness &d = b->dut;
  for (uint32_t a = 0; a < 2; a++)
    bits_set(d.ctx_root_i, a * (kPaW - 12), kPaW - 12, b->env.ctx[a].root_pfn);
  bench_reset(d);
  BenchWatchdog watchdog(50000, [&](BenchWaits &w) {
    w.add("the SMs", "gmmu_top and its memory", "%zu words", b->busy.size());
    for (int k = 0; k < kPorts; k++) {
      const std::string bank = "bank " + std::to_string(k);
      if (!b->data[k].empty()) w.add("the SMs", bank, "%zu accesses", b->data[k].size());
      if (!b->reads[k].empty() && !bits_get(b->dut.d_rsp_ready_i, k, 1))
        w.add(bank, "the SMs", "%zu reads", b->reads[k].size());
      else if (!b->reads[k].empty()) w.add("the SMs", bank, "%zu reads", b->reads[k].size());
    }
  });
  BenchProgress progress(ops, "words", 0x1000);
  while ((b->made < ops || waiting(*b)) && b->errors < 5) {
    step(*b, ops);
    if (watchdog.stuck(b->cycle, b->loads + b->stores)) {
      b->errors++;
      break;
    }
    progress.show(b->cycle, b->loads + b->stores);
  }
  for (int i = 0; i < 2000; i++) step(*b, ops); // the last stores
  for (uint32_t i = 0; i < 8 && !b->errors; i++)
    if (b->looked[i] > b->asked[i] || ((!i || !b->bypassing) && b->looked[i] < b->asked[i]))
      b->fail("accesses of a level to the caches", b->asked[i], b->looked[i], i);
  if (b->errors == 0 && !b->pairs) b->fail("cycles with two DRAM commands", 1, 0, 0);
  printf("%s gmmu_top over gmmu_memory: %" PRIu64 " loads, %" PRIu64 " stores, %" PRIu64
         " PTE reads, %" PRIu64 " cycles (%" PRIu64
         " with a bypassing level), longest load %" PRIu64 ", %" PRIu64 " mismatches\n",
         b->errors ? "FAIL" : "PASS", b->loads, b->stores, b->pte_reads, b->cycle, b->bypassing,
         b->worst, b->errors);
  gmmu_mem_free(b->image);
  return b->errors != 0;
}
