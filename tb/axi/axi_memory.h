// SPDX-License-Identifier: Apache-2.0
// axi_memory.h - AXI4 slaves of the benches of gmmu_axi: the walker's memory, that of coalescer,
// page copy and updates of PTEs, and the one behind each port. They answer out of order and with
// errors.
#ifndef GMMU_TB_AXI_MEMORY_H
#define GMMU_TB_AXI_MEMORY_H

#include "axi_world.h"

/// The walker's memory: answers in any order, after random times, errors on demand.
struct WalkMemory {
  struct Read {
    uint32_t id;
    uint64_t pa, at;
    bool line; // 64 bytes
    bool bad = false;
    uint32_t beat = 0;    // of a read of two beats, between which others may come
    uint32_t refusal = 2; // SLVERR or DECERR
  };
  std::deque<Read> reads;
  int showing = -1;
  unsigned error_in = 0;  // one read of so many fails; 0: none
  bool true_data = false; // one that fails brings what is there
  unsigned latency = 12;
  uint64_t served = 0;

  void drive(World &w);
  void waits(BenchWaits &w) const;
  void sample(World &w);
};

#ifndef GMMU_TB_NATIVE_ONLY // no AXI ports, no coalescer
/// The memory of coalescer, page copy and updates of PTEs: bursts in order. Some writes it takes
/// only when address and data are offered together. Exclusive accesses: a write is refused when the
/// word is not what was read, and now and then for nothing.
struct EngineMemory {
  struct Access {
    uint64_t at, ready;
    uint32_t beats;
    bool lock;
  };
  std::deque<Access> reads, writes;
  std::deque<uint64_t> data;                         // W beats whose AW may still come
  std::deque<std::pair<uint64_t, uint32_t>> answers; // of writes: not before this cycle; BRESP
  uint64_t marked_at = ~0ull, marked = 0;            // what was read exclusively
  uint64_t exclusive = 0, refused = 0, dirtied = 0,
           broken =
               0; // exclusive writes done, refused; PTEs that got D; exclusive reads with an error
  std::function<void(World &, uint64_t)> on_dirty; // a PTE got D
  uint32_t beat = 0;
  bool together = false, bad = false;
  unsigned error_in = 0;   // one read beat or write burst of so many fails; 0: none
  unsigned b_error_in = 0; // one write burst of so many
  uint64_t failed = 0;     // of both

  void drive(World &w);
  void sample(World &w);
};

/// AtomicLoad ADD, AtomicSwap or AtomicCompare (one beat) at `a`, whose bytes are at `to`. A
/// compare sends the value to compare with where the bytes lie, the new one in the other half of
/// twice as many. Says whether the bytes were written.
bool atomic(uint32_t atop, uint8_t *to, const Beat &data, uint64_t a);

/// How often a memory does what it could do: not in `idle` of `of` cycles, by chance.
struct Pace {
  uint32_t of, idle;
  bool now(World &w) const { return w.below(of) >= idle; }
};

/// The memory behind one port. Bursts of one ID stay in order, others overtake; read bursts of
/// different IDs interleave.
struct PortMemory {
  uint32_t port;
  Pace aw{3, 1}, ar{3, 1}, w{4, 1}, answer{4, 1};
  unsigned shut_one_in = 3000,
           shut_cycles =
               400;         // takes no addresses now and then, for 50 cycles and up to so many more
  bool in_order = false;    // answers in the order of the bursts, whatever their IDs
  bool interleaves = true;  // read beats of different IDs take turns
  bool as_accepted = false; // a read returns what memory held when its address was taken
  std::map<uint32_t, std::deque<Ref>> reads, writes; // by ID, issued and not complete
  std::deque<Ref> w_order;
  struct WBeat {
    Beat data, strb;
    bool last;
    uint32_t user;
  };
  std::deque<WBeat> w_early; // taken, their AW not yet
  bool together = false;     // AW is taken only when its W is offered, or has come
  uint32_t r_id = 0, b_id = 0;
  bool r_on = false, b_on = false;
  Beat r_data{};
  uint64_t shut_until = 0;
  unsigned latency = 10;
  bool r_first = false; // of an atomic: its R all before its B
  bool fast = false;    // always ready, answers at once
  int doors = -1;       // takes so many read addresses and no more; -1: no limit
  bool one = false;     // takes an address only when it has nothing else of that direction
  std::function<void(Ref)> on_apply; // a write has reached memory, an atomic is done
  uint64_t taken = 0, swapped = 0;   // bursts; compares that wrote

  void drive(World &w);
  bool pick(World &w, std::map<uint32_t, std::deque<Ref>> &from, bool read, uint32_t &id);
  void issued(World &w, Ref b);
  void sample(World &w);
  void apply(World &w, Burst &b);
};

/// The burst that memory takes in this cycle at a port, from the pins alone; null: none.
Ref burst_at_memory(World &w, uint32_t p, bool write);
#endif

#endif
