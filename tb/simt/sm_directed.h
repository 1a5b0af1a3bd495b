// SPDX-License-Identifier: Apache-2.0
// sm_directed.h - small programs for what random ones leave out: each error, its record and what
// becomes of the other blocks.
#ifndef GMMU_TB_SM_DIRECTED_H
#define GMMU_TB_SM_DIRECTED_H

#include <array>
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
inline const std::vector<Directed> &directed_list() {
  using V = std::vector<uint32_t>;
  static const std::vector<Directed> list = {
      {"illegal: all zeros", [] { return V{0}; }, 1},
      {"illegal: LR", [] { return V{rv_amo(2, 15, 1, 0)}; }, 1},
      {"illegal: CSR", [] { return V{rv_csr(15, 0x300)}; }, 1},
      {"illegal: l16 to x29", [] { return V{rv_i(0x2b, 1, 29, 1, 0)}; }, 1},
      {"align: load", [] { return V{rv_i(0x03, 2, 15, 1, 2)}; }, 1},
      {"align: 16 bytes", [] { return V{rv_s(0x2b, 5, 15, 1, 8)}; }, 1},
      {"align: atomic", [] { return V{rv_addi(6, 1, 2), rv_amo(RV_AMOADD, 15, 6, 15)}; }, 1},
      {"range: scratchpad", [] { return V{rv_lui(6, 0xe0001000), rv_i(0x03, 2, 15, 6, 0)}; }, 1},
      {"range: local", [] { return V{rv_s(0x23, 2, 15, 2, 0)}; }, 1},
      {"range: PC", [] { return V{rv_lui(6, 0x00040000), rv_i(0x67, 0, 0, 6, 0)}; }, 1},
      {"align: PC", [] { return V{rv_addi(6, 0, 6), rv_i(0x67, 0, 0, 6, 0)}; }, 1},
      {"range: behind the stack, in some lanes",
       [] {
         return V{rv_csr(6, CSR_LANE), rv_i(0x13, 1, 6, 6, 3), rv_r(0x33, 0, 0, 6, 6, 2),
                  rv_addi(6, 6, -80), rv_i(0x03, 2, 15, 6, 0)};
       },
       1},
      {"bus: read",
       [] { return V{rv_lui(6, kBadFrom), rv_i(0x03, 2, 15, 6, 4), rv_addi(15, 15, 1)}; }, 1},
      {"bus: write", [] { return V{rv_lui(6, kBadFrom), rv_s(0x23, 2, 15, 6, 0), RV_FENCE}; }, 1},
      {"soft", [] { return V{rv_abort(18)}; }, 1},
      {"sync: nobody comes", [] { return V{rv_addi(6, 0, -1), rv_wsync(6), rv_bar()}; }, 1},
      {"sync: others at the barrier", [] { return V{rv_addi(6, 0, -1), rv_wsync(6)}; }, 2},
      {"soft, others at the barrier", [] { return V{rv_abort(6)}; }, 4},
  };
  return list;
}
inline uint32_t directed_count() { return static_cast<uint32_t>(directed_list().size()) + 1; }
inline const char *directed_name(uint32_t n) {
  return n < directed_list().size() ? directed_list()[n].name : "fence";
}
/// Warp 0 of a block writes, fences, and raises a flag; warp 1 waits for the flag and reads.
inline SmLaunch fence_program(std::vector<uint8_t> &memory) {
  SmLaunch l;
  l.blocks = 4, l.warps = kWarps > 1 ? 2 : 1;
  for (uint32_t b = 0; b < l.blocks; b++) memset(&memory[kOwn + b * kOwnBytes + 2048], 0, 4);
  l.code = {rv_lui(1, kOwn),
            rv_csr(18, CSR_LANE),
            rv_csr(19, CSR_BLOCK),
            rv_csr(20, CSR_WARP),
            rv_i(0x13, 1, 21, 19, 12),
            rv_r(0x33, 0, 0, 1, 1, 21),
            rv_addi(17, 1, 1024),
            rv_addi(17, 17, 1024),
            rv_i(0x13, 1, 22, 18, 2),
            rv_r(0x33, 0, 0, 22, 22, 1),
            rv_addi(16, 0, 15),
            rv_b(1, 20, 0, 48),
            rv_i(0x13, 1, 6, 15, 5),
            rv_r(0x33, 0, 0, 6, 6, 18),
            rv_addi(6, 6, 7),
            rv_s(0x23, 2, 6, 22, 0),
            rv_addi(22, 22, 128),
            RV_FENCE,
            rv_addi(15, 15, 1),
            rv_b(1, 18, 0, 8),
            rv_amo(RV_AMOSWAP, 0, 17, 15),
            rv_b(4, 15, 16, -36),
            RV_END,
            rv_addi(15, 15, 1),
            rv_b(1, 18, 0, 12),
            rv_i(0x03, 2, 7, 17, 0),
            rv_b(4, 7, 15, -4),
            rv_i(0x03, 2, 8, 22, 0),
            rv_addi(22, 22, 128),
            rv_r(0x33, 0, 0, 9, 9, 8),
            rv_b(4, 15, 16, -28),
            rv_lui(6, kDump),
            rv_r(0x33, 0, 0, 6, 6, 21),
            rv_i(0x13, 1, 8, 18, 2),
            rv_r(0x33, 0, 0, 6, 6, 8),
            rv_s(0x23, 2, 9, 6, 0),
            RV_END};
  return l;
}
inline SmLaunch directed(uint32_t n, std::vector<uint8_t> &memory) {
  if (n == directed_list().size()) return fence_program(memory);
  const Directed &d = directed_list()[n];
  SmLaunch l;
  l.warps = d.warps < kWarps ? d.warps : kWarps;
  l.blocks = 12;
  l.scratch = 64;
  auto &c = l.code;
  auto put = [&](uint32_t w) { c.push_back(w); };
  put(rv_lui(1, kOwn));
  put(rv_csr(18, CSR_LANE));
  put(rv_csr(19, CSR_BLOCK));
  put(rv_csr(20, CSR_WARP));
  put(rv_i(0x13, 1, 21, 19, 12));
  put(rv_r(0x33, 0, 0, 1, 1, 21));
  put(rv_addi(22, 0, 7));
  std::vector<uint32_t> bad = d.code();
  int32_t over = static_cast<int32_t>(bad.size() + 1) * 4;
  put(rv_i(0x13, 7, 23, 19, 1));
  put(rv_b(0, 23, 0, over + 8)); // even blocks, other warps and lower lanes do not
  put(rv_b(1, 20, 0, over + 4));
  put(rv_b(4, 18, 22, over));
  for (uint32_t w : bad) put(w);
  put(rv_bar());
  put(rv_i(0x13, 1, 24, 18, 2));
  put(rv_r(0x33, 0, 0, 24, 24, 1));
  put(rv_b(1, 23, 0, 8));
  put(rv_s(0x23, 2, 18, 24, 0));
  put(RV_END);
  return l;
}
#endif
