// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_coalescer and of gmmu_pte_write behind it (docs/coalescer.md, docs/pte_write.md):
// random commands on tables that are made while they are read, updates of the walker on the same
// PTEs, software that writes them (exclusive build), windows that change at any answer and lie
// tight around the next page or just beside it, memory errors of every kind at every step, holds,
// resets in the middle. Every output of every cycle is compared with rules written from the pages.
// Parameters come as macros from run.sh. Ends with "PASS ..." or "FAIL ...".
#include <cinttypes>
#include <cstdio>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "../common/bench_main.h"
#include "../common/bench_resets.h"
#include "../common/coverage.h"
#include "../common/noise.h"
#include "../system/bits.h"
#include "Vgmmu_coalescer_harness.h"

namespace {
constexpr uint64_t kPfnMask = (1ull << PFN_W) - 1, kBit8 = 1ull << 8;
constexpr uint64_t kCo = RSW ? kBit8 : 1ull << 63;
constexpr int kOkay = 0, kExokay = 1, kSlverr = 2;
enum Result { kDone, kNoSpace, kNoTable, kWindow, kMemory, kAlready };
const char *const kResults[] = {"done", "no space", "no table", "window", "memory", "already"};

// What is to go wrong, in which access of the command: 0.. reads of the walk, then the updates.
enum Wrong { kNothing, kDenied, kReadError, kWriteError, kNoPointer, kSoAlready };

struct Command {
  bool splinter;
  uint32_t asid;
  uint64_t lfn;
};

struct Bench {
  VerilatedContext ctx;
  Vgmmu_coalescer_harness dut{&ctx};
  CoverageAtEnd coverage{&ctx};
  gmmu_rng rng;
  Noise random;
  BenchResets resets;
  uint64_t seed, cycle = 0, errors = 0, given = 0, ended = 0, accesses = 0, updates = 0, again = 0;
  std::unordered_map<uint64_t, uint64_t> memory;
  std::map<std::string, uint64_t> seen;

  // the command
  enum { kIdle, kAsks, kOnItsWay, kEnds } state = kIdle;
  Command next; // the one that is offered
  bool splinter = false, offered = false;
  int result = 0, level = 0, levels = 0, leaf = 0, step = 0, wrong_step = 0;
  Wrong wrong = kNothing;
  enum { kWalk, kFrameBit, kLeafBits } what = kWalk;
  uint64_t lfn = 0, table = 0, frame_at = 0;
  uint32_t asid = 0;

  // contexts and windows
  uint64_t root[ASIDS] = {}, lo[WINDOWS] = {}, hi[WINDOWS] = {};
  uint32_t mode[ASIDS] = {};
  bool ext[ASIDS] = {}, walk[WINDOWS] = {};

  // the unit's access
  enum { kNone, kAddress, kRead, kWrite, kAnswer } unit = kNone;
  bool walkers = false, was_walkers = false, any_before = false, aw_taken = false, w_taken = false,
       lost = false;
  uint64_t written = 0, answer_at = 0;
  int rresp = 0, bresp = 0, refusals = 0;

  // the walker's update
  bool up = false;
  uint64_t up_addr = 0, up_old = 0, up_new = 0, up_since = 0;

  uint64_t slow = 0, phase_end = 0;
  bool holding = false;

  Bench(uint64_t seed_, uint64_t lives) : rng{seed_}, resets(lives, &rng), seed(seed_) {}
  uint64_t below(uint64_t n) { return gmmu_rng_below(&rng, n); }
  bool one_in(uint64_t n) { return below(n) == 0; }
  uint64_t bits(unsigned n) { return gmmu_rng_next(&rng) & bits_mask(n); }
  void same(const char *of, uint64_t want, uint64_t got) {
    if (want != got && errors++ < 5)
      printf("cycle %" PRIu64 ", gmmu_coalescer, seed %" PRIu64 ": %s: expected %" PRIx64
             ", got %" PRIx64 "\n",
             cycle, seed, of, want, got);
  }
  uint64_t &word(uint64_t at) {
    auto w = memory.find(at);
    if (w == memory.end()) w = memory.emplace(at, gmmu_rng_next(&rng)).first;
    return w->second;
  }
};

uint64_t page_number(Bench &b) {
  switch (b.below(6)) {
    case 0: return 0;
    case 1: return kPfnMask;
    case 2: return 1ull << b.below(PFN_W);
    default: return b.bits(PFN_W);
  }
}

// Windows that hold the page, tight at one end or at both, or do not hold it, by a neighbour.
void windows(Bench &b, uint64_t page, bool hold) {
  for (int i = 0; i < WINDOWS; i++) {
    switch (b.below(4)) {
      case 0: // around it, but not for walks
        b.lo[i] = page - b.below(page ? 2 : 1), b.hi[i] = kPfnMask, b.walk[i] = false;
        break;
      case 1: // behind it, or none
        b.lo[i] = (page + 1) & kPfnMask, b.hi[i] = kPfnMask, b.walk[i] = page != kPfnMask;
        break;
      case 2: // before it, or none
        b.lo[i] = 0, b.hi[i] = (page - 1) & kPfnMask, b.walk[i] = page != 0;
        break;
      default: // its ends the wrong way round
        b.lo[i] = page, b.hi[i] = (page - 1) & kPfnMask, b.walk[i] = page != 0;
    }
  }
  if (!hold) return;
  const uint64_t i = b.below(WINDOWS), kind = b.below(4);
  b.walk[i] = true;
  b.lo[i] = kind == 0 ? 0 : page;
  b.hi[i] = kind == 1 ? kPfnMask : page;
  if (kind == 3 && page) b.lo[i] = page - 1;
  if (kind == 2 && page != kPfnMask) b.hi[i] = page + 1;
}
bool inside(const Bench &b, uint64_t page) {
  for (int i = 0; i < WINDOWS; i++)
    if (b.walk[i] && b.lo[i] <= page && page <= b.hi[i]) return true;
  return false;
}

// ---- the command by docs/coalescer.md
uint64_t address(const Bench &b) {
  const uint64_t index =
      b.what == Bench::kWalk ? b.lfn >> (9 * (b.level - 1)) & 511 : static_cast<uint64_t>(b.leaf);
  return b.what == Bench::kFrameBit ? b.frame_at : b.table << 12 | index << 3;
}
std::string access_name(const Bench &b) {
  return std::string(b.splinter ? "splinter" : "coalesce") + " " +
         (b.what == Bench::kFrameBit   ? "CO"
          : b.what == Bench::kLeafBits ? "DIS"
                                       : "level " + std::to_string(b.level));
}
void next_access(Bench &b) {
  b.state = Bench::kAsks;
  b.step++;
  windows(b, address(b) >> 12, b.wrong != kDenied || b.step != b.wrong_step);
}
void end(Bench &b, int result) {
  b.state = Bench::kEnds;
  b.result = result;
  b.seen[std::string(b.splinter ? "splinter: " : "coalesce: ") + kResults[result]]++;
}
// What goes wrong with it, and where.
void plan(Bench &b) {
  const uint64_t kind = b.below(20);
  b.wrong = kind < 5    ? kDenied
            : kind < 9  ? kReadError
            : kind < 12 ? kWriteError
            : kind < 16 ? kNoPointer
            : kind < 19 ? kSoAlready
                        : kNothing;
  // the reads of the walk, the first update or two, one of the others, the last one
  const uint64_t at = b.below(20), reads = static_cast<uint64_t>(b.levels) - 1;
  uint64_t step = at == 0   ? reads + b.below(513)
                  : at <= 4 ? reads + 512 - b.below(2)
                            : b.below(reads + 2);
  if (b.wrong == kWriteError && step < reads) step = reads + b.below(2);
  if (b.wrong == kNoPointer) step = b.below(reads);
  b.wrong_step = static_cast<int>(step);
}
void begin(Bench &b) {
  b.splinter = b.next.splinter, b.asid = b.next.asid, b.lfn = b.next.lfn;
  const bool known = b.asid < ASIDS;
  const uint32_t mode = known ? b.mode[b.asid] : 0;
  const bool sv39 = mode == 1, sv48 = mode == 2 && VA_W == 48;
  const uint64_t top = b.lfn >> 17; // VA[47:38]
  b.step = -1;
  if (!(sv39 || sv48) || !b.ext[b.asid]) return end(b, kNoSpace);
  if (sv39 && top != 0 && top != 1023) return end(b, kNoTable);
  b.levels = sv48 ? 4 : 3;
  b.level = b.levels - 1;
  plan(b);
  b.what = Bench::kWalk;
  b.table = b.root[b.asid];
  b.leaf = 0;
  next_access(b);
}
void answered(Bench &b, uint64_t pte, bool err) {
  if (err) {
    b.seen[access_name(b) + ": memory"]++;
    return end(b, kMemory);
  }
  if (b.what == Bench::kWalk) {
    // a pointer within the physical addresses
    if ((pte & 15) != 1 || (pte >> 10 & bits_mask(44)) > kPfnMask) {
      b.seen[access_name(b) + ": no pointer"]++;
      return end(b, kNoTable);
    }
    if (b.level == 1) {
      if (((pte & kCo) != 0) != b.splinter) return end(b, kAlready);
      b.frame_at = address(b);
      b.what = b.splinter ? Bench::kLeafBits : Bench::kFrameBit;
    }
    b.table = pte >> 10 & kPfnMask;
    b.level--;
  } else if (b.what == Bench::kFrameBit) {
    if (b.splinter) return end(b, kDone);
    b.what = Bench::kLeafBits;
  } else if (++b.leaf == 512) {
    if (!b.splinter) return end(b, kDone);
    b.what = Bench::kFrameBit;
  }
  next_access(b);
}

// ---- what is offered
void contexts(Bench &b) {
  for (int i = 0; i < ASIDS; i++) {
    b.root[i] = page_number(b);
    b.mode[i] = static_cast<uint32_t>(b.one_in(8) ? b.below(4) : 1 + b.below(VA_W == 48 ? 2 : 1));
    b.ext[i] = !b.one_in(8);
  }
}
void choose(Bench &b, Command &c) {
  c.splinter = b.one_in(2);
  c.asid = static_cast<uint32_t>(b.one_in(8) ? b.bits(ASID_W) : b.below(ASIDS));
  c.lfn = b.bits(27);
  const uint32_t mode = c.asid < ASIDS ? b.mode[c.asid] : 0;
  if (mode == 2 ? b.one_in(2) : !b.one_in(6))
    c.lfn = (c.lfn & bits_mask(17)) | (b.one_in(2) ? 1023ull << 17 : 0);
  if (mode == 1 && b.one_in(12)) // one bit of the sign differs
    c.lfn = (b.one_in(2) ? 1023ull << 17 : 0) ^ (1ull << (17 + b.below(10)));
}
// The PTE that the walk reads next, made as it is asked for.
void make_pte(Bench &b, uint64_t at) {
  uint64_t pte = 1 | (b.bits(6) << 4) | page_number(b) << 10 | b.bits(10) << 54;
  const bool already = b.wrong == kSoAlready;
  if (b.splinter != already) pte |= kCo;
  else pte &= ~kCo;
  if (b.wrong == kNoPointer && b.step == b.wrong_step) {
    switch (b.below(PFN_W < 44 ? 3 : 2)) {
      case 0: pte &= ~1ull; break;
      case 1: pte |= 2ull << b.below(3); break;
      default: pte |= 1ull << (10 + PFN_W + b.below(44 - PFN_W % 44));
    }
  }
  b.memory[at] = pte;
}
bool asked_wrongly(const Bench &b, Wrong w) {
  return !b.walkers && b.wrong == w && b.step == b.wrong_step;
}
// An answer that is an error where this one is none: of a plain access EXOKAY is one too.
int other_than(Bench &b, int good) { return (good + 1 + static_cast<int>(b.below(3))) % 4; }
void offer(Bench &b, uint64_t commands) {
  Vgmmu_coalescer_harness &d = b.dut;
  if (b.cycle >= b.phase_end) {
    b.phase_end = b.cycle + 100 + b.below(3000);
    b.slow = b.one_in(2) ? 0 : b.below(8);
    b.holding = b.one_in(4);
  }
  if (!b.offered && b.given < commands && b.one_in(b.state == Bench::kIdle ? 4 : 300)) {
    if (b.state == Bench::kIdle) contexts(b);
    choose(b, b.next);
    b.offered = true;
  }
  // the page goes out of the windows while the access waits for its turn, or is on its way already
  if (b.state == Bench::kAsks && b.one_in(4000)) windows(b, address(b) >> 12, false);
  if (b.state == Bench::kOnItsWay && b.one_in(40)) windows(b, address(b) >> 12, false);
  if (!b.up && b.one_in(1 + 4 * b.slow)) {
    b.up = true;
    b.up_addr = b.state == Bench::kAsks || b.state == Bench::kOnItsWay ? address(b) + 8 * b.below(3)
                                                                       : b.bits(PFN_W + 9) << 3;
    b.up_addr &= kPfnMask << 12 | 0xff8;
    b.up_old = b.word(b.up_addr) ^ (b.one_in(4) ? 1ull << b.below(64) : 0);
    b.up_new = b.up_old | (b.one_in(2) ? 0x40 : 0xc0);
    b.up_since = b.cycle;
  }
  // software, before exclusive accesses only
  if (EXCLUSIVE && (b.unit == Bench::kWrite || b.unit == Bench::kAnswer) && b.one_in(40)) {
    b.word(b.walkers ? b.up_addr : address(b)) ^= 1ull << b.below(64);
    b.lost = true;
  }
  d.valid_i = b.offered;
  d.splinter_i = b.next.splinter;
  d.asid_i = static_cast<uint8_t>(b.next.asid);
  d.lfn_i = static_cast<uint32_t>(b.next.lfn);
  if (!b.offered && b.random.now()) b.random.put(d.splinter_i, 0, 1), b.random.put(d.lfn_i, 0, 27);
  for (int i = 0; i < ASIDS; i++) {
    bits_set(d.ctx_root_i, static_cast<unsigned>(i) * PFN_W, PFN_W, b.root[i]);
    bits_set(d.ctx_mode_i, static_cast<unsigned>(i) * 2, 2, b.mode[i]);
    bits_set(d.ctx_ext_i, static_cast<unsigned>(i), 1, b.ext[i]);
  }
  for (int i = 0; i < WINDOWS; i++) {
    bits_set(d.win_lo_i, static_cast<unsigned>(i) * PFN_W, PFN_W, b.lo[i]);
    bits_set(d.win_hi_i, static_cast<unsigned>(i) * PFN_W, PFN_W, b.hi[i]);
    bits_set(d.win_walk_i, static_cast<unsigned>(i), 1, b.walk[i]);
  }
  d.hold_i = b.holding && b.below(3) != 0;
  d.up_valid_i = b.up;
  d.up_addr_i = b.up_addr;
  d.up_old_i = b.up_old;
  d.up_new_i = b.up_new;
  if (!b.up && b.random.now())
    b.random.put(d.up_addr_i, 0, PFN_W + 12), b.random.put(d.up_old_i, 0, 64),
        b.random.put(d.up_new_i, 0, 64);
  const bool quiet = bench_hangs(b.cycle), due = !quiet && b.cycle >= b.answer_at;
  d.arready_i = !quiet && b.below(b.slow + 1) == 0;
  d.awready_i = !quiet && b.below(b.slow + 1) == 0;
  d.wready_i = !quiet && b.below(b.slow + 1) == 0;
  d.rvalid_i = b.unit == Bench::kRead && due;
  d.bvalid_i = b.unit == Bench::kAnswer && due;
  d.rdata_i = d.rvalid_i ? b.word(b.walkers ? b.up_addr : address(b)) : gmmu_rng_next(&b.rng);
  d.rresp_i = static_cast<uint8_t>(d.rvalid_i ? static_cast<uint64_t>(b.rresp) : b.below(4));
  d.bresp_i = static_cast<uint8_t>(b.below(4));
  if (d.bvalid_i) { // an exclusive write is refused when somebody wrote there, or for no reason
    const bool bad = asked_wrongly(b, kWriteError) || (b.walkers && b.one_in(10));
    const bool refused = EXCLUSIVE && (b.lost || (b.refusals < 20 && b.one_in(12)));
    b.bresp = EXCLUSIVE && !refused ? kExokay : kOkay;
    if (bad) b.bresp = EXCLUSIVE ? kSlverr + static_cast<int>(b.below(2)) : other_than(b, kOkay);
    d.bresp_i = static_cast<uint8_t>(b.bresp);
  }
}

// ---- one cycle: every output, then what follows
struct Ends {
  bool now, err;
};
void asks(Bench &b) { // the read of an access is taken: what will be answered
  const uint64_t at = b.walkers ? b.up_addr : address(b);
  if (!b.walkers && b.what == Bench::kWalk) make_pte(b, at);
  const bool update = b.walkers || b.what != Bench::kWalk;
  const int good = EXCLUSIVE && update ? kExokay : kOkay;
  b.rresp = good;
  if (asked_wrongly(b, kReadError) || (b.walkers && b.one_in(10))) b.rresp = other_than(b, good);
  b.lost = false;
  b.answer_at = b.cycle + 1 + b.below(3 * b.slow + 1);
}
Ends unit_step(Bench &b) {
  Vgmmu_coalescer_harness &d = b.dut;
  const uint64_t at = b.walkers ? b.up_addr : address(b);
  const bool update = b.walkers || b.what != Bench::kWalk, lock = EXCLUSIVE && update;
  const bool idle = b.unit == Bench::kNone && !d.hold_i;
  b.same("busy", b.unit != Bench::kNone, d.busy_o);
  // in turn; after a reset either may be first
  if (!idle || !b.up) b.same("the coalescer's turn", idle, d.co_ready_o);
  else if (b.any_before)
    b.same("the coalescer's turn beside the walker", b.was_walkers, d.co_ready_o);
  b.same("ARVALID", b.unit == Bench::kAddress, d.arvalid_o);
  b.same("AWVALID", b.unit == Bench::kWrite && !b.aw_taken, d.awvalid_o);
  b.same("WVALID", b.unit == Bench::kWrite && !b.w_taken, d.wvalid_o);
  b.same("RREADY and BREADY", 3, d.rready_o * 2u + d.bready_o);
  if (d.arvalid_o) b.same("ARADDR", at, d.araddr_o), b.same("ARLOCK", lock, d.arlock_o);
  if (d.awvalid_o) b.same("AWADDR", at, d.awaddr_o), b.same("AWLOCK", lock, d.awlock_o);
  if (d.wvalid_o) b.same("WDATA", b.written, d.wdata_o);
  switch (b.unit) {
    case Bench::kNone:
      if (!(idle && (d.co_valid_o || b.up))) break;
      b.walkers = !(d.co_valid_o && d.co_ready_o);
      b.was_walkers = b.walkers, b.any_before = true;
      b.unit = Bench::kAddress;
      b.refusals = 0;
      break;
    case Bench::kAddress:
      if (!d.arready_i) break;
      b.unit = Bench::kRead;
      asks(b);
      break;
    case Bench::kRead: {
      if (!d.rvalid_i) break;
      const bool err = b.rresp != (lock ? kExokay : kOkay);
      const bool other = b.walkers && d.rdata_i != b.up_old;
      if (err || !update || other) {
        b.unit = Bench::kNone;
        return {true, err};
      }
      const uint64_t bit = b.what == Bench::kFrameBit ? kCo : kBit8;
      b.written = b.walkers ? b.up_new : b.splinter ? d.rdata_i & ~bit : d.rdata_i | bit;
      b.unit = Bench::kWrite;
      b.aw_taken = b.w_taken = false;
      break;
    }
    case Bench::kWrite:
      b.aw_taken |= d.awready_i;
      b.w_taken |= d.wready_i;
      if (!b.aw_taken || !b.w_taken) break;
      b.unit = Bench::kAnswer;
      b.answer_at = b.cycle + 1 + b.below(3 * b.slow + 1);
      break;
    case Bench::kAnswer:
      if (!d.bvalid_i) break;
      if (lock && b.bresp == kOkay) { // refused: again
        b.unit = Bench::kAddress;
        b.again++, b.refusals++;
        break;
      }
      b.unit = Bench::kNone;
      if (b.bresp == (lock ? kExokay : kOkay)) b.word(at) = b.written, b.updates++;
      return {true, b.bresp != (lock ? kExokay : kOkay)};
  }
  return {false, false};
}
void clock(Bench &b) {
  b.dut.clk_i = 1;
  b.dut.eval();
  b.dut.clk_i = 0;
  b.cycle++;
}
void reset(Bench &b) {
  for (uint64_t n = b.resets.cycles(); n; n--) {
    b.dut.rst_ni = 0;
    b.dut.eval();
    clock(b);
    b.dut.eval();
    b.same("a command in reset", 0, b.dut.co_valid_o | b.dut.done_o | b.dut.busy_o);
    b.same("a request in reset", 0, b.dut.arvalid_o | b.dut.awvalid_o | b.dut.wvalid_o);
  }
  b.dut.rst_ni = 1;
  b.state = Bench::kIdle;
  b.unit = Bench::kNone;
  b.offered = b.up = b.any_before = false;
}
void step(Bench &b, uint64_t commands) {
  Vgmmu_coalescer_harness &d = b.dut;
  offer(b, commands);
  d.eval();
  b.same("ready for a command", b.state == Bench::kIdle, d.ready_o);
  b.same("end of a command", b.state == Bench::kEnds, d.done_o);
  if (d.done_o) b.same("result", static_cast<uint64_t>(b.result), d.result_o);
  const bool wants = b.state == Bench::kAsks, allowed = wants && inside(b, address(b) >> 12);
  b.same("the coalescer's request", allowed, d.co_valid_o);
  if (d.co_valid_o) {
    b.same("kind of its request", b.what != Bench::kWalk, d.co_update_o);
    b.same("address of its request", address(b), d.co_addr_o);
    if (d.co_update_o) {
      b.same("the bit that it changes", b.what == Bench::kFrameBit, d.co_co_o);
      b.same("what that becomes", !b.splinter, d.co_one_o);
    }
  }
  const bool taken = d.co_valid_o && d.co_ready_o;
  const Ends e = unit_step(b);
  b.same("answer of the coalescer", e.now && !b.walkers, d.co_rsp_valid_o);
  b.same("end of the walker's update", e.now && b.walkers, d.up_done_o);
  if (d.co_rsp_valid_o) b.same("its error", e.err, d.co_rsp_err_o);
  if (d.up_done_o) b.same("its error", e.err, d.up_err_o);
  b.resets.see("a command is taken", d.valid_i && d.ready_o);
  b.resets.see("a command ends", d.done_o);
  b.resets.see("a request waits", d.co_valid_o && !d.co_ready_o);
  b.resets.see("a request is taken", taken);
  b.resets.see("a read is asked", d.arvalid_o);
  b.resets.see("a read is answered", d.rvalid_i);
  b.resets.see("a write whose data went first", d.awvalid_o && !d.wvalid_o);
  b.resets.see("a write whose address went first", d.wvalid_o && !d.awvalid_o);
  b.resets.see("a write is answered", d.bvalid_i);
  b.resets.see("an update of the walker ends", d.up_done_o);
  const bool dies = b.resets.begins();
  const uint64_t rdata = d.rdata_i;
  const bool accepted = d.valid_i && d.ready_o;
  clock(b);
  if (dies) return reset(b);
  if (e.now) b.accesses++;
  if (e.now && b.walkers) b.up = false;
  if (wants && !allowed) {
    b.seen[access_name(b) + ": window"]++;
    end(b, kWindow);
  } else if (taken) {
    b.state = Bench::kOnItsWay;
  } else if (e.now && !b.walkers) {
    answered(b, rdata, e.err);
  } else if (b.state == Bench::kEnds) {
    b.state = Bench::kIdle;
    b.ended++;
  } else if (accepted) {
    b.offered = false;
    b.given++;
    begin(b);
  }
}

// Everything that a command can come to, at each access.
const char *missing(Bench &b) {
  static std::string name;
  std::vector<std::string> all;
  for (const char *who : {"coalesce", "splinter"}) {
    for (const char *r : kResults) all.push_back(std::string(who) + ": " + r);
    for (int l = 1; l < (VA_W == 48 ? 4 : 3); l++)
      for (const char *how : {"window", "memory", "no pointer"})
        all.push_back(std::string(who) + " level " + std::to_string(l) + ": " + how);
    for (const char *bit : {"CO", "DIS"})
      for (const char *how : {"window", "memory"})
        all.push_back(std::string(who) + " " + bit + ": " + how);
  }
  for (const std::string &n : all)
    if (!b.seen[n]) return (name = n).c_str();
  return nullptr;
}
} // namespace

const BenchInfo bench_info = {"coalescer_bench", "COMMANDS", 3000, "", 0, 0};

int bench_run(const BenchArgs &a) {
  auto b = std::make_unique<Bench>(a.seed, BenchResets::lives_of(a.count / 15));
  Vgmmu_coalescer_harness &d = b->dut;
  d.clk_i = 0;
  bench_reset(d);
  d.clk_i = 0;
  d.eval();
  BenchWatchdog watchdog(2000, [&](BenchWaits &w) {
    if (b->unit != Bench::kNone) w.add("the PTE write unit", "memory");
    if (b->state == Bench::kAsks || b->state == Bench::kOnItsWay)
      w.add("the coalescer", "its access", "%s", access_name(*b).c_str());
    if (b->up) w.add("an update of the walker", "the PTE write unit");
  });
  BenchProgress progress(a.count, "commands", 0x10000);
  while (!b->resets.over() && b->errors < 5) {
    step(*b, UINT64_MAX);
    if (bench_hangs(b->cycle)) break;
  }
  const uint64_t until = b->given + a.count;
  while ((b->given < until || b->state != Bench::kIdle) && b->errors < 5) {
    step(*b, until);
    if (watchdog.stuck(b->cycle, b->accesses + b->ended)) {
      b->errors++;
      break;
    }
    progress.show(b->cycle, b->ended);
  }
  b->resets.print();
  if (const char *what = b->errors ? nullptr : b->resets.missed())
    printf("no reset met: %s\n", what), b->errors++;
  if (const char *what = b->errors || a.count < 2000 ? nullptr : missing(*b))
    printf("never happened: %s\n", what), b->errors++;
  printf("%s gmmu_coalescer asids %d PFN %d VA %d windows %d RSW %d exclusive %d: %" PRIu64
         " commands, %" PRIu64 " accesses, %" PRIu64 " updates, %" PRIu64 " again, %" PRIu64
         " cycles, %" PRIu64 " mismatches\n",
         b->errors ? "FAIL" : "PASS", ASIDS, PFN_W, VA_W, WINDOWS, RSW, EXCLUSIVE, b->ended,
         b->accesses, b->updates, b->again, b->cycle, b->errors);
  return b->errors != 0;
}
