// SPDX-License-Identifier: Apache-2.0
// ap_settings.h - what one run of ap_bench measures: key=value on its command line.
#ifndef GMMU_TB_AP_SETTINGS_H
#define GMMU_TB_AP_SETTINGS_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>
extern "C" {
#include "../prog/bench.h"
}

struct Settings {
  uint64_t seed = 1, kind = BENCH_READ, way = BENCH_RAW, blocks = 1, warps = 1, rounds = 1,
           pages = 1, stride = 1;
  uint64_t rate = 4, latency = 400;       // of memory: bytes a cycle, cycles
  uint64_t jitter = 0;                    // a latency is up to so many cycles longer or shorter
  uint64_t late = 0;                      // 1: an access takes effect up to its answer
  uint64_t translate = 0;                 // 0: pass through, 1: memory behind resident 2 MiB pages
  uint64_t hw = 0;                        // 1: the file by hardware faults
  uint64_t host = 55590, page_time = 525; // of a request: cycles (54.5 us at 1020 MHz), cycles of 4
                                          // KiB on the link (7.96 GB/s)
  uint64_t handler = 0;                   // host's time for a hardware fault, cycles
  uint64_t memory = 0;                    // of the file's pages by hardware: 2 MiB; 0: all fit
  uint64_t warm = 100;                    // % of the pages that are there at the start
  uint64_t width = 4, repeat = 1; // Add to Bitonic: bytes of an access, times that a page is read
  uint64_t images = 1024, pitch = 4096,
           input = 32; // collage: images, bytes of a histogram's place, blocks
  uint64_t frames = 1024, tlb = 0, batch = 32, chance = 0, watch = 0, limit = 20000000;
  uint64_t trace = 0; // 1: each hardware fault and page that comes is printed
};

[[noreturn]] inline void usage(const char *why) {
  fprintf(stderr, "ap_bench: %s\nusage: ap_bench PROGRAM.elf key=value ...\n", why);
  exit(2);
}

uint64_t *setting(Settings &s, const std::string &name);

/// The arguments behind the program.
void read_settings(Settings &s, const std::vector<std::string> &args);
#endif
