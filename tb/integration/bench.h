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

  Bench() {
    for (uint32_t p = 0; p < kPorts; p++) mem[p].port = p, mem[p].as_accepted = true;
    step = [this] { one_cycle(); };
    who_waits = [this](BenchWaits &w) { waiting(w); };
  }
  HostPage *page(uint32_t asid, uint64_t va) {
    auto it = page_of.find({asid, va >> 12});
    return it == page_of.end() ? nullptr : it->second;
  }
  HostPage &add_page(uint32_t asid, uint64_t va, uint32_t ports,
                     unsigned perms = GMMU_DRV_R | GMMU_DRV_W) {
    pages.emplace_back();
    HostPage &p = pages.back();
    p.asid = asid, p.va = va & ~4095ull, p.ports = ports, p.perms = perms | GMMU_DRV_U;
    p.writable = p.may_write = (perms & GMMU_DRV_W) != 0;
    page_of[{asid, va >> 12}] = &p;
    return p;
  }
  /// The host's view of a byte of a page.
  uint8_t *bytes(HostPage &p, uint64_t va) {
    return (p.mapped ? memory.page(p.pfn).data() : p.host.data()) + (va & 4095);
  }

  uint64_t frame() {
    if (free_frames.empty()) fail("free frames", 1, 0, 0), exit(1);
    std::swap(free_frames[below(free_frames.size())], free_frames.back());
    uint64_t f = free_frames.back();
    free_frames.pop_back();
    return f;
  }
  /// Somebody uses a physical address now.
  void use(uint32_t port, uint64_t pa, bool write) {
    auto it = user_of.find(pa >> 12);
    if (it == user_of.end())
      return fail(
          write ? "a write to a frame that nobody has" : "a read of a frame that nobody has", port,
          pa, pa);
    HostPage &p = *it->second;
    if (!(p.ports >> port & 1)) fail("a frame of another port's page", port, pa, p.va);
    if (write && !p.may_write) fail("a write to a page that is read-only", port, pa, p.va);
  }
  /// No burst is on its way to the frame (only writes: none that writes).
  void at_rest(const HostPage &p, bool only_writes) {
    for (auto &m : mem)
      for (auto *side : {&m.reads, &m.writes})
        for (auto &[id, q] : *side)
          for (auto &x : q)
            if (x->pa >> 12 == p.pfn && (x->write || !only_writes))
              fail("a burst is on its way after the acknowledgement", x->port, x->pa, p.va);
  }
  void retire(HostPage &p) {
    at_rest(p, false);
    for (auto &b : memory.page(p.pfn)) b = static_cast<uint8_t>(gmmu_rng_next(&rng));
    user_of.erase(p.pfn);
    free_frames.push_back(p.pfn);
  }
  void give(HostPage &p, uint64_t pfn) {
    p.pfn = pfn;
    user_of[pfn] = &p;
  }

  void reset() {
    bench_reset(dut, [this] { settle(), edge(); });
  }
  void one_cycle() {
    for (int pass = 0;; pass++) {
      settle();
      for (uint32_t p = 0; p < kPorts; p++) axi[p].see(dut, p);
      for (uint32_t n = 0; n < kNatives; n++) native[n].see(dut, n);
      bool changed = false;
      for (auto &c : clients) changed |= c->comb(*this);
      if (!changed) break;
      if (pass == 16) fail("a loop without a register through clients and MMU", 0, 1, 0), exit(1);
      show();
    }
    for (auto &m : mem) m.sample(*this);
    walk.sample(*this);
    engine.sample(*this);
    for (uint32_t p = 0; p < kPorts; p++)
      for (bool write : {true, false})
        if (Ref b = burst_at_memory(*this, p, write)) {
          use(p, b->low(b->pa), write);
          bursts++;
          mem[p].issued(*this, b);
        }
    for (auto &c : clients) c->clock(*this);
    edge();
    for (auto &m : mem) m.drive(*this);
    walk.drive(*this);
    engine.drive(*this);
    show();
    if ((cycle & 1023) == 0) watch();
  }
  void show() {
    for (uint32_t p = 0; p < kPorts; p++) axi[p].show(dut, p);
    for (uint32_t n = 0; n < kNatives; n++) native[n].show(dut, n);
  }

  /// Something takes longer than `watchdog` allows. A driver call in which software waits is ended
  /// first.
  void watch() {
    const Client *late = nullptr;
    for (auto &c : clients)
      if (c->busy() && watchdog.late(cycle, c->oldest())) late = c.get();
    if (!late || errors) return;
    if (strcmp(doing, "runs") && !gave_up_) gave_up_ = cycle, drv.poll_limit = 0;
    if (gave_up_ && cycle < gave_up_ + 10000) return;
    hung(late->name + " is not answered");
  }
  /// Who waits for whom; then the bench ends.
  [[noreturn]] void hung(const std::string &what) {
    errors++;
    watchdog.say(cycle, what);
    for (uint32_t p = 0; p < kPorts + kNatives && !strcmp(doing, "runs");
         p++) { // its registers can be asked
      uint32_t v = 0;
      access(false, GMMU_REG_PORT_STATUS(p), &v, 15);
      if (v)
        printf("  PORT_STATUS of port %u: %u stalled by faults%s\n", p, v & 255,
               v >> 8 & 1 ? ", busy" : "");
    }
    printf("FAIL\nagain: %s\n", again.c_str());
    exit(1);
  }
  void waiting(BenchWaits &w) {
    if (strcmp(doing, "runs")) w.add("software", "the MMU", "%s", doing);
    for (auto &c : clients)
      if (c->busy()) w.add(c->name, "the MMU or memory", "%s", c->waits().c_str());
    for (uint32_t p = 0; p < kPorts; p++) {
      const std::string port = "port " + std::to_string(p);
      size_t reads = 0, writes = 0;
      for (auto &[id, q] : mem[p].reads) reads += q.size();
      for (auto &[id, q] : mem[p].writes) writes += q.size();
      auto held = [&](auto &valid, auto &ready) {
        return bits_get(valid, p, 1) && !bits_get(ready, p, 1);
      };
      if (reads || writes)
        w.add(port, "its memory", "%zu reads, %zu writes, %zu of them want W", reads, writes,
              mem[p].w_order.size());
      if (held(dut.m_arvalid_o, dut.m_arready_i)) w.add(port, "its memory", "AR is not taken");
      if (held(dut.m_awvalid_o, dut.m_awready_i)) w.add(port, "its memory", "AW is not taken");
      if (held(dut.m_wvalid_o, dut.m_wready_i)) w.add(port, "its memory", "W is not taken");
      if (held(dut.s_rvalid_o, dut.s_rready_i)) w.add(port, "its master", "R is not taken");
      if (held(dut.s_bvalid_o, dut.s_bready_i)) w.add(port, "its master", "B is not taken");
    }
    for (uint32_t n = 0; n < kNatives; n++) {
      const std::string port = "native port " + std::to_string(n);
      if (native[n].req_valid && !native[n].req_ready)
        w.add("the client of " + port, "the MMU", "a request is not taken");
      if (native[n].rsp_valid && !native[n].rsp_ready)
        w.add(port, "its client", "an answer is not taken");
    }
    walk.waits(w);
  }

 private:
  uint64_t gave_up_ = 0;
};

#endif
