// SPDX-License-Identifier: Apache-2.0
// The main program of the Verilator benches (bench_main.h).
#include "bench_main.h"

#include <cerrno>
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
uint64_t number(const char *text) {
  char *end;
  errno = 0;
  uint64_t v = strtoull(text, &end, 0);
  if (end == text || *end || errno || *text == '-')
    bench_usage("'" + std::string(text) + "' is no number");
  return v;
}
} // namespace

int main(int argc, char **argv) {
  BenchArgs a{bench_info.count, 1, {}};
  int at = 1;
  if (bench_info.counts && at < argc) a.count = number(argv[at++]);
  if (bench_info.counts && at < argc) a.seed = number(argv[at++]);
  a.more.assign(argv + at, argv + argc);
  if (a.more.size() < bench_info.least) bench_usage("an argument is missing");
  if (a.more.size() > bench_info.most) bench_usage("'" + a.more[bench_info.most] + "' is too much");
  return bench_run(a);
}
