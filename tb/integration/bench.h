// SPDX-License-Identifier: Apache-2.0
// bench.h - the integration bench: clients (random masters, or a core's own Verilated model) in
// front of gmmu_axi, memories behind it, pages that software moves under them.
// docs/integration-bench.md
//
// Checked for every client, whatever it is: a burst that reaches memory goes to a frame that its
// port may use at that moment, for a write one that may be written; when an unmap or a change of
// permissions returns, no burst that it forbids is on its way; the AXI rules of both sides
// (gmmu_axi_checker); everything is answered within the cycles that `watchdog` allows, or it says
// who waits for whom. What a client reads it compares itself.
#ifndef GMMU_TB_INTEGRATION_BENCH_H
#define GMMU_TB_INTEGRATION_BENCH_H

#include <string>
#include <unordered_map>

#include "pins.h"

constexpr uint64_t kTables = 0x00100000, kTablesEnd = 0x003fffff; // window for walks
constexpr uint64_t kFrames = 0x10000000, kFramesEnd = 0x1fffffff; // window for data
constexpr uint64_t kLarge = 512 * 4096;

/// A page of a client. Its bytes are in its frame when it is mapped, else with the host.
struct HostPage {
  uint32_t asid = 0,
           ports = 0; // ports: bit p, port p may use it (native port n: bit NumPorts + n)
  uint64_t va = 0, pfn = 0;
  unsigned perms = GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U; // as its user needs them
  bool mapped = false, writable = true;                  // writable: the tables say so now
  bool may_write = true;              // ... or said so before a command that has not returned
  bool fixed = false, pinned = false; // part of a 2 MiB frame; never without a translation
  uint64_t coming = 0;                // its transfer from the host ends in this cycle
  std::vector<uint8_t> host = std::vector<uint8_t>(4096, 0);
  std::vector<uint8_t> shadow =
      std::vector<uint8_t>(4096, 0); // what its user has written, in the order that it may count on
};

struct Bench;
/// What stands in front of one or several ports. It keeps its pins in Bench::axi and Bench::native.
class Client {
 public:
  std::string name;
  virtual ~Client() = default;
  /// Outputs that follow inputs within the cycle; says whether one changed. A client whose outputs
  /// come from registers leaves it out.
  virtual bool comb(Bench &) { return false; }
  /// The clock edge: takes the settled pins, sets those of the next cycle.
  virtual void clock(Bench &) = 0;
  virtual bool busy() const = 0;                    // something is not answered
  virtual uint64_t oldest() const { return ~0ull; } // the cycle since when
  virtual uint64_t done() const = 0;                // accesses that are complete
  virtual std::string waits() const { return ""; }
};

struct Bench : World {
  std::deque<HostPage> pages;
  std::map<std::pair<uint32_t, uint64_t>, HostPage *> page_of; // (ASID, VA / 4096)
  std::unordered_map<uint64_t, HostPage *> user_of;            // by frame
  std::vector<uint64_t> free_frames;
  std::vector<std::unique_ptr<Client>> clients;
  AxiPins axi[kPorts];
  NativePins native[kNatives + 1];
  PortMemory mem[kPorts];
  WalkMemory walk;
  EngineMemory engine;
  BenchWatchdog watchdog{100000, // cycles within which an access is answered
                         [this](BenchWaits &w) { waits(w); }};
  bool traffic = false;       // clients may begin accesses
  const char *doing = "runs"; // what software does
  std::string again;          // the command that repeats this
  uint64_t bursts = 0;        // taken by memory

  Bench();
  HostPage *page(uint32_t asid, uint64_t va) {
    auto it = page_of.find({asid, va >> 12});
    return it == page_of.end() ? nullptr : it->second;
  }
  HostPage &add_page(uint32_t asid, uint64_t va, uint32_t ports,
                     unsigned perms = GMMU_DRV_R | GMMU_DRV_W);
  /// The host's view of a byte of a page.
  uint8_t *bytes(HostPage &p, uint64_t va) {
    return (p.mapped ? memory.page(p.pfn).data() : p.host.data()) + (va & 4095);
  }

  uint64_t frame();
  /// Somebody uses a physical address now.
  void use(uint32_t port, uint64_t pa, bool write);
  /// No burst is on its way to the frame (only writes: none that writes).
  void at_rest(const HostPage &p, bool only_writes);
  void retire(HostPage &p);
  void give(HostPage &p, uint64_t pfn) {
    p.pfn = pfn;
    user_of[pfn] = &p;
  }

  void reset() {
    bench_reset(dut, [this] { settle(), edge(); });
  }
  void one_cycle();
  void show() {
    for (uint32_t p = 0; p < kPorts; p++) axi[p].show(dut, p);
    for (uint32_t n = 0; n < kNatives; n++) native[n].show(dut, n);
  }

  /// Something takes longer than `watchdog` allows. A driver call in which software waits is ended
  /// first.
  void watch();
  /// Who waits for whom; then the bench ends.
  [[noreturn]] void hung(const std::string &what);
  void waiting(BenchWaits &w);

 private:
  uint64_t gave_up_ = 0;
};

#endif
