// SPDX-License-Identifier: Apache-2.0
// mem_bench.h - what tb/l2_cache/mem_bench.cpp is made of. Parameters come as macros.
#ifndef GMMU_TB_MEM_BENCH_H
#define GMMU_TB_MEM_BENCH_H

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "Vgmmu_mem_harness.h"
#include "verilated.h"
#include "../common/bench_main.h"
#include "../common/bench_resets.h"
#include "../common/coverage.h"
#include "../common/noise.h"
#include "../common/dram_pieces.h"
#include "../system/bits.h"
#include "recording.h"
extern "C" {
#include "policy/dram_check.h"
#include "timed/timed_channel.h"
}

constexpr uint32_t kBeats = LINEB / 64, kWords = LINEB / PORTB;
constexpr uint32_t log2of(uint32_t n) { return n <= 1 ? 0 : 1 + log2of(n / 2); }
constexpr uint32_t kWayW = log2of(WAYS) ? log2of(WAYS) : 1;
constexpr uint32_t kObsW = 2 * kWayW + 7;
using Line = std::array<uint8_t, LINEB>;
using Piece = std::array<uint8_t, 64>;

struct Request {
  gmmu_cache_req r;
  uint32_t word;
  uint64_t wdata;
  std::array<uint8_t, LINEB> data, mask; // mask: 1 per written byte
  uint64_t since;
};

struct Bench {
  std::unique_ptr<Recording> rec;
  VerilatedContext ctx;
  Vgmmu_mem_harness dut{&ctx};
  CoverageAtEnd coverage{&ctx};
  gmmu_channel_cfg cfg{};
  gmmu_channel *model = nullptr;
  gmmu_channel_in in{};
  gmmu_channel_out out{};
  gmmu_l2_bypass by{};
  gmmu_bypass_turn by_turn = {};
  gmmu_dram_check check{};
  gmmu_rng rng;
  Noise random;
  BenchResets resets;
  bool fresh = false; // the first cycle of a life
  uint64_t seed = 0, cycle = 0, ticks = 0, errors = 0, made = 0, answered = 0, written = 0,
           bypassing = 0, write_backs = 0, epochs = 0;
  uint64_t outcomes[6] = {}, worst[2] = {};
  uint64_t strobes[9] = {};     // writes by kind of their strobes
  uint64_t missing[BANKS] = {}; // misses without their fill
  uint8_t con[8] = {}, warps[8] = {}, pace[BANKS][2] = {};
  bool pending[BANKS][2] = {};
  uint32_t sent[BANKS] = {}, got[BANKS] = {}; // words at the data ports: of a write, of an answer
  Line gathered[BANKS] = {};
  Request next[BANKS][2] = {};
  std::deque<Request> fifo[BANKS][2];
  std::map<uint32_t, std::pair<Piece, uint64_t>> t_expect[BANKS];
  std::map<uint32_t, std::pair<Line, uint64_t>> d_expect[BANKS];
  std::deque<uint32_t> t_ids[BANKS], d_ids[BANKS];
  std::map<uint64_t, Line> shadow;  // by line of the channel: in order of stage C
  std::map<uint64_t, Piece> memory; // by 64-byte piece of the channel
  // what each piece held in turn since the last reset, in order of stage C, hashed
  std::map<uint64_t, std::vector<uint64_t>> versions;
  std::deque<std::pair<uint64_t, Piece>> on_way;
  gmmu_dram_cmd last_cmd{}, last_also{};

  Bench(uint64_t seed_, uint64_t lives) : rng{seed_}, resets(lives, &rng), seed(seed_) {}
  void fail(const char *what, uint64_t want, uint64_t got, int bank = -1) {
    if (errors++ < 5)
      printf("cycle %" PRIu64 ", gmmu_mem_channel bank %d, seed %" PRIu64 ": %s: expected %" PRIu64
             ", got %" PRIu64 "\n",
             cycle, bank, seed, what, want, got);
  }
  void same(const char *what, uint64_t want, uint64_t got, int bank = -1) {
    if (want != got) fail(what, want, got, bank);
  }
  uint64_t below(uint64_t n) { return gmmu_rng_below(&rng, n); }
  static Piece first(uint64_t piece) { // what memory holds before any write
    Piece p;
    for (uint32_t i = 0; i < 64; i++) p[i] = static_cast<uint8_t>(piece * 37 + i + (piece >> 8));
    return p;
  }
  Piece &at(uint64_t piece) {
    auto it = memory.find(piece);
    return it != memory.end() ? it->second : memory[piece] = first(piece);
  }
  Line &line(uint64_t l) { // as stage C has it
    auto it = shadow.find(l);
    if (it != shadow.end()) return it->second;
    Line &x = shadow[l];
    for (uint32_t k = 0; k < kBeats; k++) memcpy(x.data() + k * 64, at(l * kBeats + k).data(), 64);
    note(l, x);
    return x;
  }
  static uint64_t hash(const uint8_t *p) {
    uint64_t h = 14695981039346656037u;
    for (int i = 0; i < 64; i++) h = (h ^ p[i]) * 1099511628211u;
    return h;
  }
  void note(uint64_t l, const Line &x) {
    for (uint32_t k = 0; k < kBeats; k++)
      versions[l * kBeats + k].push_back(hash(x.data() + k * 64));
  }
};

/// The pins of a cycle, from the requests that are pending.
void drive(Bench &b);

#endif
