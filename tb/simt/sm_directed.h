// SPDX-License-Identifier: Apache-2.0
// sm_directed.h - small programs for what random ones leave out: each error, its record and what
// becomes of the other blocks.
#ifndef GMMU_TB_SM_DIRECTED_H
#define GMMU_TB_SM_DIRECTED_H

#include <array>
#include <cstring>
#include <set>
#include "sm_program.h"
extern "C" {
#include "simt/simt.h"
}

constexpr uint32_t kWarps = GMMU_TB_WARPS, kImemWords = 16384, kLocalBytes = GMMU_TB_LOCAL,
                   kScratchBytes = GMMU_TB_SCRATCH;
constexpr uint32_t kBadFrom = 0x2f0000; // the bus answers with errors from here on

/// Records of both sides in any order; lane and place in the line of bus errors of writes are not
/// compared.
template <class B>
void compare_records(B &b, simt *s) {
  using Record = std::array<uint32_t, 4>;
  std::multiset<Record> want, got;
  auto read = [](auto get, auto drop) {
    Record r{get(SIMT_ERR_INFO), get(SIMT_ERR_BLOCK), get(SIMT_ERR_ADDR), get(SIMT_ERR_PC)};
    drop();
    uint32_t cause = r[0] & 15;
    if (cause == SIMT_BUS_WRITE) r[0] |= 31 << 8, r[2] &= ~63u;
    return r;
  };
  if ((b.reg(SIMT_STATUS) >> 8 & 255) != (simt_read_reg(s, SIMT_STATUS) >> 8 & 255))
    b.fail("records lost", simt_read_reg(s, SIMT_STATUS), b.reg(SIMT_STATUS), 0);
  while (b.reg(SIMT_STATUS) & 2)
    got.insert(read([&](uint32_t a) { return b.reg(a); }, [&] { b.reg(SIMT_ERR_PC, 0); }));
  while (simt_read_reg(s, SIMT_STATUS) & 2)
    want.insert(read([&](uint32_t a) { return simt_read_reg(s, a); },
                     [&] { simt_write_reg(s, SIMT_ERR_PC, 0); }));
  if (want.size() != got.size()) b.fail("error records", want.size(), got.size(), 0);
  for (auto w = want.begin(), g = got.begin(); w != want.end() && g != got.end(); w++, g++)
    for (int i = 0; i < 4; i++)
      if ((*w)[static_cast<size_t>(i)] != (*g)[static_cast<size_t>(i)])
        b.fail(i == 0   ? "record: cause, lane, warp"
               : i == 1 ? "record: block"
               : i == 2 ? "record: address"
                        : "record: PC",
               (*w)[static_cast<size_t>(i)], (*g)[static_cast<size_t>(i)],
               static_cast<uint64_t>(i));
}

struct Directed {
  const char *name;
  std::vector<uint32_t> (*code)(); // executed by lane 7 and above of warp 0 of every second block
  uint32_t warps;
};
const std::vector<Directed> &directed_list();
inline uint32_t directed_count() { return static_cast<uint32_t>(directed_list().size()) + 1; }
inline const char *directed_name(uint32_t n) {
  return n < directed_list().size() ? directed_list()[n].name : "fence";
}
/// Warp 0 of a block writes, fences, and raises a flag; warp 1 waits for the flag and reads.
SmLaunch fence_program(std::vector<uint8_t> &memory);
SmLaunch directed(uint32_t n, std::vector<uint8_t> &memory);
#endif
