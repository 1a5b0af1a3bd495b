// SPDX-License-Identifier: Apache-2.0
// bench_main.h - what the Verilator benches of blocks share beside their designs: the main program
// (bench_main.cpp, which scripts/build_bench.sh links with each of them), the reset, a watchdog,
// progress on a terminal.
//
// A bench says what its arguments are in `bench_info` and runs in `bench_run`: it prints its
// verdict (PASS or FAIL, the seed where something is wrong) and returns the program's exit status.
// The script that starts it prints the command that repeats the run.
#pragma once
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// The arguments of a bench: "[COUNT [SEED]] more", where `counts` is set; else all are `more`.
struct BenchInfo {
  const char *name;
  const char *counts; ///< what COUNT counts: "bursts"; nullptr: there is neither it nor a seed
  uint64_t count;     ///< its default
  const char *more;   ///< for the usage: what stands behind, or may
  size_t least, most; ///< how many of these
};
struct BenchArgs {
  uint64_t count, seed;
  std::vector<std::string> more;
  /// What stands at place i of `more`, "" if nothing does.
  std::string extra(size_t i) const { return i < more.size() ? more[i] : ""; }
  /// The number there; `other` if there is nothing, or "".
  uint64_t number(size_t i, uint64_t other) const;
};

extern const BenchInfo bench_info;
int bench_run(const BenchArgs &args);

/// One error line and the usage; exit status 2.
[[noreturn]] void bench_usage(const std::string &what);

/// Four clock cycles of reset; `cycle` makes one.
template <class Dut, class Cycle>
void bench_reset(Dut &dut, Cycle cycle) {
  dut.rst_ni = 0;
  for (int i = 0; i < 4; i++) cycle();
  dut.rst_ni = 1;
}
/// The same where nothing but the clock is driven.
template <class Dut>
void bench_reset(Dut &dut) {
  bench_reset(dut, [&] {
    dut.clk_i = 0;
    dut.eval();
    dut.clk_i = 1;
    dut.eval();
  });
}

/// Who waits for whom, as the watchdog says it: a line for each that waits.
class BenchWaits {
 public:
  void add(const std::string &who, const std::string &whom, const char *more = "", ...)
      __attribute__((format(printf, 4, 5)));
  bool nobody() const { return lines_ == 0; }

 private:
  unsigned lines_ = 0;
};

/// Finds that nothing is done any more, and says who waits for whom; that a bench ends then is for
/// the bench. Every bench has one.
class BenchWatchdog {
 public:
  using Who = std::function<void(BenchWaits &)>;
  BenchWatchdog(uint64_t limit, Who who) : limit_(limit), who_(std::move(who)) {}
  /// Once a cycle: `done` grows with what is done; idle: there is nothing to do. True: it was said.
  bool stuck(uint64_t cycle, uint64_t done, bool idle = false) {
    if (done != last_ || idle) last_ = done, at_ = cycle;
    if (cycle - at_ <= limit_) return false;
    say(cycle, "nothing is done");
    return true;
  }
  /// What has been waited for since that cycle is late.
  bool late(uint64_t cycle, uint64_t since) const {
    return cycle > since && cycle - since > limit_;
  }
  void allow(uint64_t limit) { limit_ = limit; }
  void say(uint64_t cycle, const std::string &what) const;
  [[noreturn]] void end(uint64_t cycle, const std::string &what) const; ///< says it; FAIL

 private:
  uint64_t limit_;
  Who who_;
  uint64_t last_ = 0, at_ = 0;
};

/// A hang for the test of the watchdogs (tb/common/hang.sh): from this cycle on, which
/// GMMU_BENCH_HANG names, what answers the design in a bench answers no more.
bool bench_hangs(uint64_t cycle);

/// "N of M" on a terminal, now and then; gone when the run ends.
class BenchProgress {
 public:
  BenchProgress(uint64_t all, const char *what, uint64_t every)
      : all_(all), every_(every), what_(what), tty_(isatty(2)) {}
  ~BenchProgress() {
    if (tty_) fprintf(stderr, "\r\033[K");
  }
  BenchProgress(const BenchProgress &) = delete;
  BenchProgress &operator=(const BenchProgress &) = delete;
  void show(uint64_t cycle, uint64_t done) {
    if (tty_ && cycle % every_ == 0)
      fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " %s", done, all_, what_);
  }

 private:
  uint64_t all_, every_;
  const char *what_;
  bool tty_;
};
