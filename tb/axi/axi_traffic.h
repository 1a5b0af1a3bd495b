// SPDX-License-Identifier: Apache-2.0
// axi_traffic.h - masters of tb/axi/axi_bench.cpp: random bursts and native requests, and what is
// checked of each: at memory, at its response, byte by byte. One cycle of the whole bench.
#ifndef GMMU_TB_AXI_TRAFFIC_H
#define GMMU_TB_AXI_TRAFFIC_H

#include "axi_memory.h"
#include "axi_places.h"

constexpr uint32_t kNative = kPorts, kAllPorts = kPorts + 1, kAsids = 4, kIds = 5;
constexpr uint64_t kLarge = 512 * 4096;
constexpr uint32_t kScattered = 24,
                   kNativePages = 8; // pages of a space; those of native ports alone
// More than 32 bits of physical address: pages are anywhere in three quarters of memory, every
// second table in the eighth above, where window 2 is.
constexpr bool kFar = kPaW > 32;
constexpr uint64_t kQuarter = 1ull << (kPaW - 2);
constexpr uint64_t kTables = 0x00100000, kTablesEnd = 0x003fffff; // window 0: walks
constexpr uint64_t kData = 0x10000000, kDataEnd = kFar ? 3 * kQuarter - 1 : 0x1fffffff; // window 1
constexpr uint64_t kFarTables = 3 * kQuarter, kFarTablesEnd = kFarTables + kQuarter / 2 - 1;
constexpr uint64_t kSpare = (kFar ? kQuarter : 0) + 0x1f000000;      // two pages that nobody maps
constexpr uint64_t kOutside = kFar ? kFarTablesEnd + 1 : 0x40000000; // in no window

struct Page {
  uint32_t asid;
  uint64_t va, pfn = 0,
               old_pfn = 0; // old_pfn: may still be used until the invalidation is acknowledged
  bool mapped = false, leaving = false, fixed = false;
  bool readable = true, writable = true, executable = true, user = true;
  bool native = false; // AXI ports do not reach it
  bool held = false;   // no new accesses
  int busy = 0;        // accesses that are not complete
  std::vector<uint8_t> content = std::vector<uint8_t>(4096, 0);
};

/// Permissions of a page for the driver.
inline uint32_t rights(const Page &p) {
  return (p.user ? GMMU_DRV_U : 0) | (p.readable ? GMMU_DRV_R : 0) | (p.writable ? GMMU_DRV_W : 0) |
         (p.executable ? GMMU_DRV_X : 0);
}
/// Whether it may be accessed so: 0 read, 1 write, 2 execute, 3 atomic. SUM is on.
inline bool permits(const Page &p, uint32_t access, bool user) {
  if (access == 2) return p.executable && p.user == user;
  return (access ? p.writable : p.readable) && (p.user || !user);
}

struct Native {
  bool valid = false;
  uint64_t va = 0, since = 0;
  uint32_t access = 0, asid = 0;
  int want_cause = 0;
  std::shared_ptr<bool> over = nullptr; // it was answered
};

struct Bench : World {
  // Longer than a coalesce command takes, during which this software resolves no fault.
  BenchWatchdog watchdog{100000, [this](BenchWaits &w) { waits(w); }};
  // Of the whole run, which something that goes on for ever (a fault that is retried, a command
  // that is given again) must not keep up.
  BenchWatchdog whole{~0ull, [this](BenchWaits &w) { waits(w); }};
  uint32_t port_fetch[kPorts] = {}; // FETCH of PORT_CTRL, as long as a run takes
  uint64_t large_va = 0;            // of the large frame, in both spaces
  Asked asked;
  std::vector<Page> pages;
  std::map<std::pair<uint32_t, uint64_t>, size_t> page_of;
  std::set<uint64_t> free_frames;
  std::map<std::tuple<uint32_t, uint64_t>, int> locks; // (ASID, 64-byte block): -1 written, n read
  PortMemory mem[kPorts];
  WalkMemory walk;
  EngineMemory engine;
  // per port: bursts that are offered, accepted and not issued, and not complete, in order
  Ref aw[kPorts], ar[kPorts];
  std::deque<Ref> w_queue[kPorts];
  bool w_up[kPorts] = {};
  std::map<uint32_t, std::deque<Ref>> unissued_r[kPorts], unissued_w[kPorts], open_r[kPorts],
      open_w[kPorts];
  Native native[16];
  int native_showing = -1;
  bool native_rests = false;              // it offers nothing new
  uint64_t native_sleeps = 0;             // so long it takes no answer
  std::array<uint64_t, 4> native_shown{}; // an answer that it did not take: {1, tag, PA, cause}
  bool native_held = false;               // its port is on hold: nothing is taken
  bool odd = false;                       // bursts that break a rule of AXI are among the others
  bool traffic = false, error_mode = false, fuzzing = false, straight = false;
  uint64_t made = 0, done = 0, faults = 0, ended[4] = {}, remaps = 0, coalesced = 0, copies = 0,
           copy_errors = 0, natives = 0, atomics = 0, issued = 0;
  uint32_t asids[2];             // the two address spaces, not 0, drawn by seed
  uint32_t port_asid[kAllPorts]; // port 1 says it in AxUSER
  uint64_t target = 0;
  uint32_t last_asid = 1; // of the burst that memory took last
  uint64_t last_va = 0;
  bool bad_memory = true;
  uint64_t wild = 0, pass_until[kPorts] = {};
  std::vector<std::pair<uint64_t, uint64_t>>
      ever_open; // PFNs of windows that software has opened for data
  std::function<bool(uint32_t, uint64_t, uint64_t *)>
      where;                                      // set: says the PA of an address, instead of Page
  uint64_t passed = 0;                            // bursts that were not translated
  uint64_t memory_faults = 0, failed_updates = 0; // faults with af_mem; times with failing updates
  uint64_t moves = 0, unmoved = 0,
           runs = 0; // pages moved, not moved as the copy failed; times C and AC were set
  uint64_t broken = 0, nowhere = 0; // records of such bursts; times without an address space
  uint64_t co_errors = 0, timed = 0, counted[GMMU_DRV_COUNTERS] = {};

  Page *page(uint32_t asid, uint64_t va) {
    auto it = page_of.find({asid, va >> 12});
    return it == page_of.end() ? nullptr : &pages[it->second];
  }
  /// Where the leaf PTE of an address is; 0: no table for it, or its frame is coalesced. A pointer
  /// that is invalid while a page moves counts: an update behind it may be under way.
  uint64_t leaf(uint32_t asid, uint64_t va);
  uint64_t frame();
  void lock(const Burst &b, int by);
  bool may_lock(const Burst &b);
};

/// What an access ends with while the tables rest.
int cause_of(const Page &p, uint32_t access, bool user);

void offer(Bench &b);

/// Who waits for whom.
void waiting(const Bench &b, BenchWaits &w);

void one_cycle(Bench &b);
void reset(Bench &b);

#endif
