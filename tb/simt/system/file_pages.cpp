// SPDX-License-Identifier: Apache-2.0
// file_pages.cpp - see file_pages.h.
#include "file_pages.h"

int FilePages::open(gmmu_drv *drv, uint64_t first, uint64_t bytes) {
  drv_ = drv;
  gmmu_mm_cfg cfg{GMMU_MM_MOSAIC, first, bytes, 256, true, true};
  gmmu_mm_host host{this, copy, page_in, page_out, nullptr};
  mm_ = gmmu_mm_new(&cfg, drv, &host);
  if (!mm_) return GMMU_MM_ARGUMENT;
  return gmmu_mm_alloc(mm_, kAsid, kVa, file->size(), GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U, true);
}

int FilePages::warm(uint64_t page) {
  gmmu_drv_fault f{};
  f.va = kVa + page * 4096, f.asid = kAsid, f.user = true;
  at_once_ = true;
  gmmu_mm_fault(mm_, &f);
  at_once_ = false;
  return gmmu_mm_last_fault(mm_);
}

int FilePages::step(bool irq) {
  uint64_t begin = *clock;
  int e = irq ? gmmu_drv_handle_faults(drv_, fault, this) : 0;
  records_time += *clock - begin;
  if (e || coming_.empty() || coming_.front().at > *clock) return e;
  begin = *clock;
  Coming c = coming_.front();
  coming_.pop_front();
  late += begin - c.at;
  fill(c.va, c.pa, c.bytes);
  e = gmmu_mm_arrived(mm_, kAsid, c.va);
  for (uint64_t va = c.va; va < c.va + c.bytes; va += 4096) {
    for (uint64_t in : asked_[va]) unread_.emplace((c.pa + (va - c.va) + in) >> 6, *clock);
    asked_.erase(va);
  }
  if (trace)
    printf("cycle %" PRIu64 ": page %" PRIu64 " mapped, it came in cycle %" PRIu64 "\n", *clock,
           (c.va - kVa) >> 12, c.at);
  maps_time += *clock - begin;
  return e;
}

void FilePages::read_of(uint64_t pa) {
  auto it = unread_.find(pa >> 6);
  if (it == unread_.end()) return;
  if (*clock - it->second > wait_most)
    wrong.push_back("a line that a load waits for, of a page that is there, is not read for " +
                    std::to_string(*clock - it->second) + " cycles");
  unread_.erase(it);
}

void FilePages::audit() {
  if (const char *e = gmmu_mm_check(mm_)) wrong.push_back(e);
  for (uint64_t va = kVa, pa; va < kVa + file->size(); va += 4096)
    if (gmmu_mm_where(mm_, kAsid, va, &pa) == GMMU_MM_HERE) same(va, pa);
}

gmmu_mm_stats FilePages::stats() const {
  gmmu_mm_stats s{};
  if (mm_) gmmu_mm_get_stats(mm_, &s);
  return s;
}

int FilePages::fault(void *arg, const gmmu_drv_fault *f) {
  FilePages &p = *static_cast<FilePages *>(arg);
  p.reports++;
  int verdict = gmmu_mm_fault(p.mm_, f);
  uint64_t page = f->va & ~4095ull, pa = 0;
  if (int e = gmmu_mm_last_fault(p.mm_); e && e != GMMU_MM_NO_MEMORY) // full: it comes again
    p.wrong.push_back(std::string("fault: ") + gmmu_mm_error_name(e));
  if (gmmu_mm_where(p.mm_, kAsid, f->va, &pa) == GMMU_MM_HERE) {
    p.unread_.emplace(pa >> 6, *p.clock);
    p.stale++; // its walk was before the mapping
  } else {
    p.asked_[page].insert(f->va & 4095);
  }
  return verdict;
}

int FilePages::page_in(void *arg, unsigned, uint64_t va, uint64_t pa, uint64_t bytes) {
  FilePages &p = *static_cast<FilePages *>(arg);
  if (p.at_once_) return p.fill(va, pa, bytes), 0;
  p.faults++;
  if (p.trace)
    printf("cycle %" PRIu64 ": page %" PRIu64 " asked for\n", *p.clock, (va - kVa) >> 12);
  p.cpu_free_ = std::max(p.cpu_free_, *p.clock) + p.handler;
  p.link_free_ =
      std::max(p.cpu_free_ + p.request, p.link_free_ + p.page_time * ((bytes + 4095) / 4096));
  p.coming_.push_back({va, pa, bytes, p.link_free_});
  return 1;
}

void FilePages::page_out(void *arg, unsigned, uint64_t va, uint64_t pa) {
  FilePages &p = *static_cast<FilePages *>(arg);
  p.same(va, pa);
  memset(&(*p.memory)[pa], 0xa5, 4096);
  for (uint64_t line = pa >> 6; line < (pa + 4096) >> 6; line++) p.unread_.erase(line);
  p.outs++;
}

void FilePages::copy(void *arg, uint64_t to, uint64_t from) {
  FilePages &p = *static_cast<FilePages *>(arg);
  memcpy(&(*p.memory)[to], &(*p.memory)[from], 4096);
  memset(&(*p.memory)[from], 0xa5, 4096);
}
