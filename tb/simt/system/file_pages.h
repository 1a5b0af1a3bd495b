// SPDX-License-Identifier: Apache-2.0
// file_pages.h - the hardware side of ap_bench: a file that the core sees at an address, and the
// memory manager (gmmu_mm.h) brings page by page on faults. Frames, mappings, coalescing and pages
// out are the manager's; its I/O takes the host's handler time for a fault (one at a time), then
// the same request as software's ring.
#ifndef GMMU_TB_FILE_PAGES_H
#define GMMU_TB_FILE_PAGES_H

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>
extern "C" {
#include "gmmu_mm.h"
}

struct FilePages {
  static constexpr uint64_t kVa = 0x40000000;
  static constexpr unsigned kAsid = 1;
  const std::vector<uint8_t> *file = nullptr;
  std::vector<uint8_t> *memory = nullptr;
  const uint64_t *clock = nullptr;                                 // cycle
  uint64_t handler = 0, request = 0, page_time = 0, wait_most = 0; // cycles
  bool trace = false;
  uint64_t faults = 0, reports = 0, stale = 0, outs = 0;
  // cycles of the driver with fault records and with mapping; from a page's coming to its mapping
  uint64_t records_time = 0, maps_time = 0, late = 0;
  std::vector<std::string> wrong; // what is not as it should be

  ~FilePages() { gmmu_mm_free_all(mm_); }
  /// Allocates the file, on demand, above physical memory [first, first + bytes).
  int open(gmmu_drv *drv, uint64_t first, uint64_t bytes);
  /// A page is there before the core starts.
  int warm(uint64_t page);
  size_t coming() const { return coming_.size(); }

  /// What the host does in this cycle: fault records, then a page that has come. A driver's error.
  int step(bool irq);

  /// Somebody waits for each line that was recorded: it is read soon after its page is mapped.
  void read_of(uint64_t pa);
  /// At the end: what the manager's own check says, and what each page holds.
  void audit();
  gmmu_mm_stats stats() const;

 private:
  struct Coming {
    uint64_t va, pa, bytes, at;
  };
  gmmu_drv *drv_ = nullptr;
  gmmu_mm *mm_ = nullptr;
  std::deque<Coming> coming_;
  uint64_t cpu_free_ = 0, link_free_ = 0;
  bool at_once_ = false;
  std::map<uint64_t, std::set<uint64_t>> asked_; // of a page that is coming: bytes in it
  std::map<uint64_t, uint64_t> unread_;          // physical line, cycle since when it may be read

  void fill(uint64_t va, uint64_t pa, uint64_t bytes) {
    memcpy(&(*memory)[pa], &(*file)[va - kVa], bytes);
  }
  void same(uint64_t va, uint64_t pa) {
    if (memcmp(&(*memory)[pa], &(*file)[va - kVa], 4096))
      wrong.push_back("page " + std::to_string((va - kVa) >> 12) + " is not the file's");
  }
  static int fault(void *arg, const gmmu_drv_fault *f);
  static int page_in(void *arg, unsigned, uint64_t va, uint64_t pa, uint64_t bytes);
  /// The core reads only: what goes is the file's.
  static void page_out(void *arg, unsigned, uint64_t va, uint64_t pa);
  static void copy(void *arg, uint64_t to, uint64_t from);
};
#endif
