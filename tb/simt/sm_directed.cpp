// SPDX-License-Identifier: Apache-2.0
// sm_directed.cpp - see sm_directed.h.
#include "sm_directed.h"

const std::vector<Directed> &directed_list() {
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

SmLaunch fence_program(std::vector<uint8_t> &memory) {
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

SmLaunch directed(uint32_t n, std::vector<uint8_t> &memory) {
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
