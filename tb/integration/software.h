// SPDX-License-Identifier: Apache-2.0
// software.h - software of the integration bench, all through the C driver: set-up, fault handler,
// and what it does to pages while clients use them. A scenario says how often.
// docs/integration-bench.md
#ifndef GMMU_TB_INTEGRATION_SOFTWARE_H
#define GMMU_TB_INTEGRATION_SOFTWARE_H

#include "bench.h"
#include "../axi/axi_places.h"
extern "C" {
#include "driver/driver_int.h"
}

struct Scenario {
  const char *name;
  bool cold = false;      // nothing is mapped at the start
  bool spaces2 = false;   // ports take turns with two address spaces
  bool shared = false;    // every port uses both, and says which
  bool errors = false;    // faults end accesses
  bool pass = false;      // ports pass addresses through
  bool svadu = false;     // A and D are left to hardware (a build with Svadu)
  bool slow_host = false; // pages come some thousand cycles after their fault; handlers are wrong
                          // now and then; walks meet errors
  unsigned evict = 0, move = 0, protect = 0, coalesce = 0; // one in so many cycles; 0: never
  unsigned storm = 0; // bit k: invalidation commands of kind k one after the other (0 all, 1 ASID,
                      // 2 range, 3 frame)
  uint64_t apart = 0x00733000; // between pages of a client
  bool remap = true;           // moves by gmmu_drv_remap, too
  unsigned walk_latency = 12;  // half the longest time of a PTE read
};

class Software {
 public:
  Software(Bench &b, const Scenario &s) : b_(b), s_(s) {
    for (uint32_t p = 0; p < 32; p++) asid[p] = s.spaces2 ? 1 + p % 2 : 1;
    Places places(b.seed);
    base = places.draw(kAxiReach, 30) + (b.seed * 0x9e3779b1 >> 8 & 255) * kLarge;
    large_va = places.draw(kAxiReach, log2_of(kLarge));
  }
  uint32_t asid[32];       // of each port, native ports behind the others
  unsigned fetch[32] = {}; // of each port: settings of gmmu_drv_port
  // Of clients' pages, and of the 2 MiB that are coalesced and splintered, in each address space:
  // drawn by the seed, anywhere in what AXI ports reach of Sv39.
  uint64_t base, large_va;
  uint64_t faults = 0, moved = 0, evicted = 0, protects = 0, coalesced = 0, commands = 0;

  uint32_t spaces() const { return s_.spaces2 || s_.shared ? 2 : 1; }

  /// Pages for a client: scattered, and its share of the 2 MiB frame of each address space that it
  /// uses.
  void pages_for(uint32_t port, uint32_t clients, uint32_t count, std::vector<HostPage *> &to);
  HostPage &large_page(uint32_t a, uint64_t i, uint32_t ports);
  /// Registers and tables. Pages that are to be mapped from the start get their frames.
  void begin(uint32_t ports);

  /// One cycle, or something that software has to do.
  void serve();
  void handle();
  /// Everything as the host sees it equals what clients have written; what they have changed has D.
  void compare();

 private:
  Bench &b_;
  Scenario s_;
  bool large_[3] = {};
  std::vector<HostPage *> coming_;
  HostPage *moving_ = nullptr;
  uint64_t to_ = 0;

  void must(int e, const char *what);
  unsigned perms(const HostPage &p) const { return p.writable ? p.perms : p.perms & ~GMMU_DRV_W; }
  void map(HostPage &p, uint64_t pfn);
  void unmap(HostPage &p);
  HostPage *pick() {
    HostPage &p = b_.pages[b_.below(b_.pages.size())];
    return p.mapped && !p.fixed && !p.pinned ? &p : nullptr;
  }
  int fault(const gmmu_drv_fault *f);
  void arrivals();
  void evict() {
    b_.doing = "unmaps a page";
    if (HostPage *p = pick()) unmap(*p), evicted++;
  }
  void move();
  static int copy(void *arg, uint64_t to, uint64_t from);
  void restore(HostPage &p) {
    p.writable = p.may_write = true;
    must(gmmu_drv_protect(&b_.drv, p.asid, p.va, 4096, perms(p)), "protect");
  }
  void protect();
  void coalesce();
  /// Of a page that nobody uses, in the 2 MiB of one that is used.
  void storm();
  /// Error mode: records are read, not acted on.
  void records();
};

#endif
