// SPDX-License-Identifier: Apache-2.0
// The main program of the Verilator benches (bench_main.h).
#include "bench_main.h"

#include <cerrno>
#include <cstdarg>
#include <cstdlib>

void bench_usage(const std::string &what) {
  const BenchInfo &i = bench_info;
  fflush(stdout);
  fprintf(stderr, "%s: %s; usage: %s%s%s%s%s%s\n", i.name, what.c_str(), i.name,
          i.counts ? " [" : "", i.counts ? i.counts : "", i.counts ? " [SEED]]" : "",
          *i.more ? " " : "", i.more);
  exit(2);
}

namespace {
uint64_t seed = 1, hang_from = UINT64_MAX;

uint64_t number(const char *text) {
  char *end;
  errno = 0;
  uint64_t v = strtoull(text, &end, 0);
  if (end == text || *end || errno || *text == '-')
    bench_usage("'" + std::string(text) + "' is no number");
  return v;
}
} // namespace

uint64_t BenchArgs::number(size_t i, uint64_t other) const {
  return extra(i).empty() ? other : ::number(more[i].c_str());
}

void BenchWaits::add(const std::string &who, const std::string &whom, const char *more, ...) {
  va_list words;
  va_start(words, more);
  printf("  %s waits for %s%s", who.c_str(), whom.c_str(), *more ? ": " : "");
  vprintf(more, words);
  va_end(words);
  puts("");
  lines_++;
}

void BenchWatchdog::say(uint64_t cycle, const std::string &what) const {
  BenchWaits waits;
  printf("%s, seed %" PRIu64 ", cycle %" PRIu64 ": %s for %" PRIu64 " cycles\n", bench_info.name,
         seed, cycle, what.c_str(), limit_);
  who_(waits);
  if (waits.nobody()) puts("  nobody waits");
}

void BenchWatchdog::end(uint64_t cycle, const std::string &what) const {
  say(cycle, what);
  printf("FAIL %s\n", bench_info.name);
  exit(1);
}

bool bench_hangs(uint64_t cycle) { return cycle >= hang_from; }

int main(int argc, char **argv) {
  BenchArgs a{bench_info.count, 1, {}};
  int at = 1;
  if (bench_info.counts && at < argc) a.count = number(argv[at++]);
  if (bench_info.counts && at < argc) a.seed = number(argv[at++]);
  a.more.assign(argv + at, argv + argc);
  if (a.more.size() < bench_info.least) bench_usage("an argument is missing");
  if (a.more.size() > bench_info.most) bench_usage("'" + a.more[bench_info.most] + "' is too much");
  if (const char *from = getenv("GMMU_BENCH_HANG")) hang_from = number(from);
  seed = a.seed;
  return bench_run(a);
}
