// SPDX-License-Identifier: Apache-2.0
// channels.cpp - the Verilated memory channels of a run behind struct gmmu_memsys_peer: gmmu run
// --memory-rtl. In each cycle they get what the model's channels got; what they do is compared with
// what these did, and what they read with what was written. Built by scripts/build_memory_rtl.sh.
#include <memory>
#include <new>

#include "../common/coverage.h"
#include "../system/bits.h"
#include "Vgmmu_l2_bypass.h"
#include "channel.h"

namespace {
class Channels {
 public:
  Channels(const gmmu_config &c, uint32_t apps)
      : on_(c.CacheBypass), cfg_(gmmu_memsys_channel(&c, apps)), bypass_(&ctx_, "bypass") {
    for (uint32_t i = 0; i < static_cast<uint32_t>(c.MemChannels); i++)
      channel_.emplace_back(new Channel(&ctx_, cfg_, i, &reads_, &diff_));
    for (auto &x : channel_) x->reset();
    bypass_.rst_ni = 0;
    for (int i = 0; i < 4; i++) clock();
    bypass_.rst_ni = 1;
  }
  ~Channels() { bypass_.final(); }

  void step(gmmu_memsys_peer &p, const gmmu_memsys_cycle &c) {
    diff_.clear();
    const uint32_t levels = bypass_.bypass_o; // of this cycle, from a register
    compare(*c.decision, levels);
    for (uint32_t i = 0; i < channel_.size(); i++) {
      channel_[i]->step(c.in[i], c.out[i], on_ ? levels : 0);
      const Channel &x = *channel_[i];
      bits_set(bypass_.access_i, i * cfg_.banks, cfg_.banks, x.access());
      bits_set(bypass_.hit_i, i * cfg_.banks, cfg_.banks, x.hit());
      bits_set(bypass_.depth_i, i * cfg_.banks * 3, cfg_.banks * 3, x.depth());
    }
    bypass_.epoch_i = c.in[0].epoch;
    clock();
    p.differs = diff_.n();
    if (p.differs) snprintf(p.what, sizeof p.what, "%s", diff_.text());
    p.cycles++;
    p.reads = p.writes = p.commands = 0;
    for (const auto &x : channel_)
      p.reads += x->reads, p.writes += x->writes, p.commands += x->commands;
  }

 private:
  void clock() {
    bypass_.clk_i = 1;
    bypass_.eval();
    bypass_.clk_i = 0;
    bypass_.eval();
  }
  void compare(const gmmu_l2_bypass &d, uint32_t levels) {
    uint32_t want = 0;
    for (unsigned i = 0; i < GMMU_DEPTHS; i++) {
      want |= static_cast<uint32_t>(d.bypass[i]) << i;
      const uint64_t counts = static_cast<uint64_t>(d.hit[i]) << 16 | d.access[i],
                     got = bits_get(bypass_.obs_o, i * 32, 32);
      if (counts != got) diff_.add(UINT32_MAX, -1, "hits and accesses of a depth", counts, got);
    }
    if (want != levels) diff_.add(UINT32_MAX, -1, "levels that bypass", want, levels);
  }

  const bool on_;
  const gmmu_channel_cfg cfg_;
  Differences diff_;
  Channel::Reads reads_{GMMU_MEMSYS_RTL_IDS};
  VerilatedContext ctx_;
  Vgmmu_l2_bypass bypass_;
  std::vector<std::unique_ptr<Channel>> channel_;
  CoverageAtEnd coverage_{&ctx_};
};
} // namespace

double sc_time_stamp() { return 0; }

extern "C" __attribute__((visibility("default"))) int gmmu_memsys_rtl_new(gmmu_memsys_peer *p,
                                                                          const gmmu_config *c,
                                                                          uint32_t apps,
                                                                          gmmu_err *err) {
  Channels *x = new (std::nothrow) Channels(*c, apps);
  if (!x) return gmmu_fail(err, "out of memory");
  *p = {};
  p->self = x;
  p->step = [](gmmu_memsys_peer *q, const gmmu_memsys_cycle *y) {
    static_cast<Channels *>(q->self)->step(*q, *y);
  };
  p->free = [](void *q) { delete static_cast<Channels *>(q); };
  return 0;
}
