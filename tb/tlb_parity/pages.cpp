// SPDX-License-Identifier: Apache-2.0
#include "pages.h"

Pages::Answer Pages::answer(unsigned asid, uint64_t va, unsigned access, bool user) const {
  const uint64_t vfn = va >> 12 & 0x7ffffff;
  if (asid >= kAsids) return {0, 11};
  if (vfn >> 18 >= kGiants || (vfn >> 9 & 511) >= kFrames) return {0, 1};
  const uint64_t frame = (asid * kGiants + (vfn >> 18)) * kFrames + (vfn >> 9 & 511);
  const bool large = kind(frame) == 0;
  const uint64_t pte = large ? frame_pte(frame) : leaf(frame, vfn & 511);
  const bool r = pte >> 1 & 1, w = pte >> 2 & 1, x = pte >> 3 & 1, u = pte >> 4 & 1;
  if (user && !u) return {0, 9};
  if (!user && u && access == 2) return {0, 9};
  const bool may = access == 0 ? r : access == 1 ? w : access == 2 ? x : r && w;
  if (!may) return {0, 9};
  if ((access & 1) && !(pte >> 7 & 1)) return {0, 6};
  const uint64_t pfn = (pte >> 10 & 0xfffff) | (large ? vfn & 511 : 0);
  return {pfn << 12 | (va & 0xfff), 0};
}
