// SPDX-License-Identifier: Apache-2.0
// pages.h - the page tables of the bench of upsets: what each PTE is follows from its address, so
// that the answer of every request is known at any time. Sv39, three address spaces of 2 x FRAMES
// frames; a frame changes as a whole, with its version.
#pragma once
#include <cstdint>

#ifndef FRAMES
#define FRAMES 4
#endif
constexpr unsigned kAsids = 3, kGiants = 2, kFrames = FRAMES; // of an address space, of 1 GiB
constexpr bool kMany = kFrames > 4; // frames, half of them large: more than an array holds
constexpr uint64_t kRoots = 0x100, kMiddles = 0x200, kLeaves = 0x1000, kPages = 0x40000;

class Pages {
 public:
  /// The PTE at a physical address.
  uint64_t pte(uint64_t addr) const {
    const uint64_t table = addr >> 12, i = addr >> 3 & 511;
    if (table >= kRoots && table < kRoots + kAsids)
      return i < kGiants ? pointer(kMiddles + (table - kRoots) * kGiants + i) : 0;
    if (table >= kMiddles && table < kMiddles + kAsids * kGiants)
      return i < kFrames ? frame_pte((table - kMiddles) * kFrames + i) : 0;
    if (table >= kLeaves && table < kLeaves + kAsids * kGiants * kFrames)
      return leaf(table - kLeaves, i);
    return 0;
  }
  struct Answer {
    uint64_t pa;
    unsigned cause; // 0: pa counts
  };
  /// What a request has to be answered. Access: 0 read, 1 write, 2 execute, 3 atomic; SUM is 1.
  Answer answer(unsigned asid, uint64_t va, unsigned access, bool user) const;
  /// Another version of a frame; which ASID and first page it is.
  void change(unsigned frame) { version_[frame]++; }
  static constexpr unsigned frames() { return kAsids * kGiants * kFrames; }
  static unsigned asid_of(unsigned frame) { return frame / (kGiants * kFrames); }
  static uint64_t vfn_of(unsigned frame) {
    return uint64_t(frame / kFrames % kGiants) << 18 | uint64_t(frame % kFrames) << 9;
  }

 private:
  static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9, x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
  }
  static uint64_t pointer(uint64_t pfn) { return pfn << 10 | 1; }
  uint64_t hash(uint64_t frame, uint64_t more) const {
    return mix(mix(frame * 4096 + version_[frame] + 77) + more);
  }
  /// 0 a leaf of 2 MiB, 1 pages anywhere, 2 contiguous, 3 contiguous subregions, four at a time.
  unsigned kind(uint64_t frame) const {
    const unsigned k = hash(frame, 1) % 4;
    return kMany && k == 2 ? 0 : k;
  }
  /// A leaf's R W X U D: one of R W X at least, W not without R.
  static uint64_t leaf_bits(uint64_t h) {
    uint64_t rwx = h % 8;
    if (rwx == 0 || (rwx & 3) == 2) rwx |= 1;
    return 1 | rwx << 1 | (h >> 3 & 1) << 4 | 1 << 6 | (h >> 4 % 3 ? uint64_t(1) << 7 : 0);
  }
  uint64_t frame_pte(uint64_t frame) const {
    if (kind(frame) == 0)
      return ((kPages + (hash(frame, 2) % 256) * 512) << 10) | leaf_bits(hash(frame, 3));
    const uint64_t bits = kind(frame) == 2   ? uint64_t(1) << 62
                          : kind(frame) == 3 ? (hash(frame, 4) & 0xff) << 54
                                             : 0;
    return pointer(kLeaves + frame) | bits;
  }
  uint64_t leaf(uint64_t frame, uint64_t page) const {
    const unsigned span = kind(frame) == 2 ? 512 : kind(frame) == 3 ? 256 : 4;
    // groups of scattered pages are now and then contiguous too (CoLT)
    const uint64_t group = page / span, h = hash(frame, 5 + group);
    const bool alone = span == 4 && (hash(frame, 900 + page) & 1);
    const uint64_t pfn =
        kPages + (alone ? hash(frame, 600 + page) % (1 << 17) : h % (1 << 15) * 4 + page % span);
    return pfn << 10 | leaf_bits(alone ? hash(frame, 300 + page) : h >> 40);
  }
  uint32_t version_[kAsids * kGiants * kFrames] = {};
};
