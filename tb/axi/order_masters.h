// SPDX-License-Identifier: Apache-2.0
// order_masters.h - masters of tb/axi/order_bench.cpp that read before B and memories that keep the
// order in which they are asked: a read returns what is there when its AR is taken, a write counts
// when its AW and its last W have been taken.
#ifndef GMMU_TB_AXI_ORDER_MASTERS_H
#define GMMU_TB_AXI_ORDER_MASTERS_H

#include "axi_memory.h"
#include "axi_places.h"

constexpr uint64_t kTables = 0x00100000, kTablesEnd = 0x003fffff, kData = 0x10000000,
                   kDataEnd = 0x1fffffff;
constexpr uint32_t kSpaces = 3; // ASIDs 1 and 2 are used

struct Op {
  Burst b;
  bool ended = false;     // its B, or its last R, has come
  bool refused = false;   // by the MMU
  bool at_memory = false; // AR or AW taken by memory
  uint32_t w_sent = 0;
  std::shared_ptr<Op> after;      // its W is sent after this read
  std::vector<uint8_t> want, got; // of a read: bytes low .. high
  uint64_t low() const { return b.kind == 2 ? b.low(b.va) : b.va; }
  uint64_t high() const { return b.kind == 0 ? (b.va | ((1ull << b.size) - 1)) : b.high(b.va); }
  bool fed() const { return b.write && w_sent == b.beats(); }
};
using OpRef = std::shared_ptr<Op>;
inline bool overlap(const Op &x, const Op &y) {
  return x.b.asid == y.b.asid && x.low() <= y.high() && y.low() <= x.high();
}

/// One port's memory, and what it has been asked.
struct StrictMemory {
  uint32_t port = 0;
  struct Answer {
    Burst b;
    std::vector<Beat> data;
    uint64_t ready;
    uint32_t beat = 0;
  };
  std::deque<Burst> aws; // W beats still to come, in order
  std::deque<std::pair<Beat, Beat>> ws;
  std::map<uint32_t, std::deque<Answer>> reads, writes; // by ID
  int r_id = -1, b_id = -1;
  bool aw_open = true, w_open = true, ar_open = true; // false: nothing is taken
  unsigned w_slow = 2, aw_slow = 2, ar_slow = 2,
           latency = 6; // one cycle of so many something is taken
  uint64_t ars = 0, awaddr = 0, aw_count = 0;

  void drive(World &w);
  Burst burst(World &w, bool write);
  void sample(World &w);
};

/// One port's master: what it offers, what is under way, and what it believes to be in memory.
struct Master {
  uint32_t port = 0;
  OpRef aw, ar;
  std::deque<OpRef> w_queue, reads, writes; // to send W; not ended, in order
  std::map<std::pair<uint32_t, uint64_t>, std::vector<uint8_t>>
      shadow; // (ASID, page): as the master has written it
  bool w_up = false, hurry = false, count_only = false;
  uint64_t ended = 0, wrong = 0, refused = 0,
           over_write = 0; // over_write: reads taken while an older write of their bytes waits

  Asked *asked = nullptr; // what it asks, where faults are looked at

  uint8_t &byte(uint32_t asid, uint64_t va);
  bool idle() const { return !aw && !ar && reads.empty() && writes.empty(); }
  /// May be offered now so that what memory must do follows from the order of the handshakes.
  bool may(const Op &x) const;
  void ask(OpRef x);
  void offer(World &w);
  void sample(World &w);
  std::function<bool(const Op &)> on_fed = [](const Op &) {
    return true;
  }; // false: the MMU is going to refuse it
  static void leave(std::deque<OpRef> &q, uint32_t id);
};

#endif
