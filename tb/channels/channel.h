// SPDX-License-Identifier: Apache-2.0
// channel.h - one memory channel of a run as Verilated RTL, with memory behind its pins. Each cycle
// it gets what the model's channel got, and what it does is compared with what that did.
#pragma once
#include <deque>
#include <vector>

#include "Vgmmu_channel_harness.h"
#include "contents.h"
#include "differences.h"
extern "C" {
#include "policy/dram_check.h"
#include "policy/dram_map.h"
#include "timed/memsys_rtl.h"
}

class Channel {
 public:
  struct Read { // decided, not yet answered
    uint64_t line = 0;
    uint32_t version = 0, port = 0; // port: 1 + its number over all channels; 0: answered
    uint8_t beat = 0;
  };
  using Reads = std::vector<Read>; // by id, of all channels

  Channel(VerilatedContext *ctx, const gmmu_channel_cfg &cfg, uint32_t number, Reads *reads,
          Differences *diff);
  ~Channel() { top_.final(); }
  void reset();
  /// A cycle; bypass: one bit a depth.
  void step(const gmmu_channel_in &in, const gmmu_channel_out &out, uint32_t bypass);
  /// What its banks say to the bypass decision in the cycle of the last step().
  uint32_t access() const { return top_.access_o; }
  uint32_t hit() const { return top_.hit_o; }
  uint64_t depth() const { return top_.depth_o; }
  uint64_t reads = 0, writes = 0, commands = 0;

 private:
  struct Taken { // by a bank, not yet decided
    uint64_t line;
    uint32_t id, version;
    uint8_t beat;
    bool write;
  };
  struct Bank {
    std::deque<Taken> taken[GMMU_CACHE_PORTS];
    uint32_t sent = 0, got = 0; // words of a write, of an answer at the data port
    uint32_t version = 0;       // of the write
  };
  void drive(const gmmu_channel_in &in, uint32_t bypass);
  void drive_write(unsigned b, const gmmu_cache_req &r);
  void compare(const gmmu_channel_out &out);
  void compare_bank(unsigned b, const gmmu_cache_bank_out &o);
  void compare_pins(const gmmu_dram_out &o);
  void pins();
  void take(unsigned b, const gmmu_cache_bank_in &in, const gmmu_cache_bank_out &o);
  void decide(unsigned b, const gmmu_cache_bank_out &o);
  void answers(unsigned b);
  Read *answered(unsigned b, unsigned port, uint32_t id);
  /// As Read::port says it.
  uint32_t place(unsigned b, unsigned port) const {
    return 1 + (number_ * cfg_.banks + b) * GMMU_CACHE_PORTS + port;
  }
  uint64_t piece(unsigned b, uint64_t line, unsigned beat) const;
  void same(const char *what, uint64_t want, uint64_t got, int bank = -1) {
    if (want != got) diff_->add(number_, bank, what, want, got);
  }

  const gmmu_channel_cfg cfg_;
  const uint32_t number_;
  Reads *const read_;
  Differences *const diff_;
  Vgmmu_channel_harness top_;
  gmmu_dram_check check_{};
  gmmu_dram_cmd cmd_{}, also_{}; // a cycle later they are on the pins
  uint64_t ticks_ = 0;
  std::vector<Bank> bank_;
  uint32_t versions_ = 0;  // the last that a write has got
  Versions line_, memory_; // of a line as stage C has it; of a piece behind the pins
  struct OnWay {
    uint64_t tick;
    Words words;
  };
  std::deque<OnWay> on_way_; // to the pins, from a read
  unsigned words_, way_w_, port_b_;
};
