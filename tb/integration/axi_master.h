// SPDX-License-Identifier: Apache-2.0
// axi_master.h - a random AXI master of the integration bench. Its habits are switches; every byte
// it reads is compared with what a memory that does its bursts one after the other could have
// returned.
//
// What a read may return, byte by byte: a write comes before it if the port had taken AW in an
// earlier cycle than AR and the last W not later than AR, after it if AW was taken in a later cycle
// than AR; else they are not ordered and either value is right. Writes come in the order of their
// AWs. docs/integration-bench.md
#ifndef GMMU_TB_INTEGRATION_AXI_MASTER_H
#define GMMU_TB_INTEGRATION_AXI_MASTER_H

#include "bench.h"

struct Habit {
  const char *name = "random";
  bool raw = false;       // reads what it has written before B
  bool war = false;       // writes what it reads before the last R
  bool one = false;       // one burst at a time
  uint32_t ids = 5;       // AxIDs that it uses; 1: always 0
  bool narrow = false;    // narrow and unaligned bursts, of all lengths
  bool wrap = false;      // wrapping bursts
  bool fixed = false;     // FIXED bursts
  bool w_first = false;   // offers W before AW
  bool together = false;  // offers AW and the first W in one cycle
  bool w_after_r = false; // sends the W of a write when a later read has been answered
  bool shut = false;      // phases in which it takes neither R nor B
  uint32_t idle = 3;      // begins a burst in one of 1 + idle cycles
};

class AxiMaster : public Client {
 public:
  AxiMaster(uint32_t port, const Habit &habit, bool user_asid)
      : port_(port), h_(habit), user_asid_(user_asid) {
    name = "port " + std::to_string(port) + " (" + habit.name + ")";
  }
  std::vector<HostPage *> pages;
  std::function<Ref(Bench &, bool write)> script; // begins bursts in the place of chance
  std::function<int(const HostPage &, bool write)>
      must_end; // the cause with which an access must end
  uint64_t wrong = 0, ended = 0,
           overtaking = 0; // reads with a wrong byte; ended by the MMU; reads of what has no B yet

  bool busy() const override { return !open_.empty(); }
  uint64_t done() const override { return done_; }
  uint64_t oldest() const override;
  std::string waits() const override;
  /// A burst that can be begun now: nothing on its way is in its way.
  Ref begin(Bench &b, Ref x, HostPage &p);

  void clock(Bench &b) override;

 private:
  uint32_t port_;
  Habit h_;
  bool user_asid_, w_up_ = false;
  Ref aw_, ar_;
  uint64_t aw_from_ = 0, shut_until_ = 0, done_ = 0, w_patience_ = 0;
  std::deque<Ref> w_queue_, open_; // W to send; not complete, oldest first

  static bool overlap(const Burst &x, const Burst &y) {
    return x.page == y.page && x.low(x.va) <= y.high(y.va) && y.low(y.va) <= x.high(x.va);
  }
  bool in_the_way(const Burst &x) const;
  Ref random_burst(Bench &b, bool write);
  Ref fresh(Bench &b, bool write);
  void drive(Bench &b, AxiPins &io);
  /// AR is taken: what the read may return is known now.
  void take_read(Bench &b);
  void write_shadow(Bench &, Burst &x);
  /// A write that is not ordered to the read and wrote this value to this byte.
  static bool wrote(const Burst &y, uint64_t at, uint8_t value);
  static uint32_t resp_of(int cause) {
    return !cause ? 0 : cause >= GMMU_AF_WALK_WINDOW && cause <= GMMU_AF_MEM ? 3 : 2;
  }
  Ref oldest_of(uint32_t id, bool write);
  void end(Bench &b, Ref x);
  void take_r(Bench &b, AxiPins &io);
  void take_b(Bench &b, AxiPins &io);
};

#endif
