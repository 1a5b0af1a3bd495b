// SPDX-License-Identifier: Apache-2.0
// A bench without a design, for the arguments, the reset and the watchdog of bench_main.h; started
// by run.sh.
#include "bench_main.h"

namespace {
struct Clocked {
  int rst_ni = 1, clk_i = 0, rises = 0, in_reset = 0;
  void eval() { rises += clk_i, in_reset += clk_i && !rst_ni; }
};
} // namespace

const BenchInfo bench_info = {"bench_main_test", "WORDS", 7, "[WHAT]", 0, 1};
int bench_run(const BenchArgs &args) {
  Clocked d;
  bench_reset(d);
  uint64_t served = 0;
  BenchWatchdog w(10, [&](BenchWaits &waits) {
    if (served == 20) waits.add("the reader", "memory", "%d words", 3);
  });
  uint64_t at = 0;
  // Something is done until cycle 20, or until the hang, then there is nothing to do until 40.
  for (; at < 100 && !w.stuck(at, served, at >= 20 && at < 40); at++)
    if (at < 20 && !bench_hangs(at)) served++;
  printf("%" PRIu64 " words, seed %" PRIu64 ", what '%s'; reset %d of %d, watchdog in %" PRIu64
         "\n",
         args.count, args.seed, args.extra(0).c_str(), d.in_reset, d.rises, at);
  return 0;
}
