// SPDX-License-Identifier: Apache-2.0
// axi_fair.cpp - every burst has its turn (axi_fair.h).
#include "axi_fair.h"

namespace {
struct Waiting {
  Ref burst;
  uint64_t since = 0; // the cycle in which the port had taken it; 0: not yet
  bool seen = false;  // at memory, or over
};
struct Load {
  const char *what;
  bool reads, writes, faults;
  uint64_t door; // memory takes an address in one cycle of so many
};

/// The longest that one of the bursts at port 0 was in the MMU, while others of `l` come as fast as
/// they are taken.
uint64_t longest(Bench &b, const Load &l, uint64_t cycles) {
  auto &d = b.dut;
  Beat all;
  all.fill(1);
  std::deque<Waiting> inside;
  uint64_t n = 0, most = 0, ends = 0;
  auto make = [&](bool write) {
    auto r = std::make_shared<Burst>();
    r->write = write, r->asid = b.asids[0], r->id = static_cast<uint32_t>(n % 16);
    r->va = b.large_va + 4096 * write + user_beat(n);
    if (l.faults) r->va = 1ull << 38 | user_beat(n), r->want_cause = GMMU_NON_CANONICAL;
    if (write) r->data.push_back(random_beat(b.rng)), r->strb.push_back(all);
    b.lock(*r, 1);
    if (Page *g = b.page(r->asid, r->va)) g->busy++;
    b.made++, n++;
    inside.push_back({r, 0, false});
    return r;
  };
  for (uint64_t i = 0; (i < cycles || b.made != b.done) && !b.errors; i++) {
    if (i < cycles && l.reads && !b.ar[0]) b.ar[0] = make(false);
    if (i < cycles && l.writes && !b.aw[0]) b.aw[0] = make(true);
    offer(b);
    const uint32_t open = l.door == 1 || b.cycle % l.door == 0;
    bits_set(d.m_arready_i, 0, 1, open);
    bits_set(d.m_awready_i, 0, 1, open);
    b.step();
    for (auto &w : inside) {
      const Burst &x = *w.burst;
      if (w.seen || w.burst == b.ar[0] || w.burst == b.aw[0]) continue;
      if (!w.since) w.since = b.cycle;
      if (i > 500) most = std::max(most, b.cycle - w.since); // nothing misses any more
      w.seen = l.faults ? x.over : x.issued;
      ends += w.seen;
    }
    while (!inside.empty() && inside.front().seen) inside.pop_front();
  }
  if (!b.errors && ends < cycles / 8) b.fail("bursts that a full port takes", cycles / 8, ends, 0);
  return most;
}

/// The longest that a request that faults waits for its answer at the native port, while others
/// that hit come in every cycle; alone: nothing but it comes, and its client is ready for an answer
/// only when it sees one.
uint64_t longest_native(Bench &b, uint64_t cycles, bool alone) {
  uint64_t most = 0, faults = 0;
  for (uint64_t i = 0; i < cycles && !b.errors; i++) {
    uint32_t tag = static_cast<uint32_t>(i % 8);
    const bool fault = i % 64 == 63;
    if (fault) tag = 8 + static_cast<uint32_t>(i / 64 % 8);
    if (b.native_showing < 0 && !b.native[tag].valid && (fault || !alone)) {
      b.native[tag] = {true, b.large_va + 8 * (i % 64), b.cycle, 0, b.port_asid[kNative]};
      if (fault) b.native[tag].va = 1ull << 62, b.native[tag].want_cause = GMMU_NON_CANONICAL;
      else b.page(b.port_asid[kNative], b.native[tag].va)->busy++;
      b.native_showing = static_cast<int>(tag);
      faults += fault;
    }
    offer(b);
    b.dut.n_rsp_ready_i = !alone || b.dut.n_rsp_valid_o;
    b.step();
    for (const Native &x : b.native)
      if (i > 500 && x.valid && x.want_cause) most = std::max(most, b.cycle - x.since);
  }
  for (int i = 0; i < 200; i++) b.step();
  if (!b.errors && faults < cycles / 80)
    b.fail("faults beside hits at the native port", cycles / 80, faults, 0);
  return most;
}
} // namespace

void has_its_turn(Bench &b) {
  static const Load loads[] = {{"reads and writes that hit", true, true, false, 1},
                               {"the same before a slow memory", true, true, false, 3},
                               {"reads before a slow memory", true, false, false, 3},
                               {"reads that fault", true, false, true, 1}};
  b.traffic = false;
  b.straight = true;
  for (auto &m : b.mem) m.fast = true;
  printf("the longest wait in a full port:");
  for (const Load &l : loads) {
    if (b.errors || (l.faults && kAddrW < 39)) continue;
    uint64_t most = longest(b, l, 3000), allowed = 8 + 3 * l.door * kSlots;
    printf(" %" PRIu64 " cycles (%s; %" PRIu64 " allowed),", most, l.what, allowed);
    if (most > allowed) b.fail(l.what, allowed, most, 0);
  }
  if (!b.errors) {
    uint64_t most = longest_native(b, 3000, false), alone = longest_native(b, 1500, true),
             allowed = 16;
    printf(" %" PRIu64 " (native, a fault among hits; %" PRIu64 " alone, %" PRIu64 " allowed)\n",
           most, alone, allowed);
    if (most > allowed) b.fail("a fault among hits at the native port", allowed, most, 0);
    if (alone > allowed)
      b.fail("a fault at the native port whose client waits for it", allowed, alone, 0);
  }
  b.straight = false;
  for (auto &m : b.mem) m.fast = false;
}
