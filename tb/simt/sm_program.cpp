// SPDX-License-Identifier: Apache-2.0
// sm_program.cpp - see sm_program.h.
#include "sm_program.h"

std::vector<uint32_t> SmProgram::make(uint32_t length) {
  do {
    code_.clear();
    far_ = false;
    prologue();
    for (uint32_t i = 0; i < length; i++) piece(0);
    epilogue();
  } while (far_);
  return code_;
}

void SmProgram::prologue() {
  put(rv_csr(15, CSR_BLOCK));
  put(rv_csr(16, CSR_WARPS));
  put(rv_r(0x33, 0, 1, 15, 15, 16)); // mul
  put(rv_csr(16, CSR_WARP));
  put(rv_r(0x33, 0, 0, 15, 15, 16)); // id
  put(rv_i(0x13, 1, 15, 15, 12));    // slli: 4096 bytes each
  constant(1, kOwn);
  put(rv_r(0x33, 0, 0, 1, 1, 15));
  constant(3, part_);
  put(rv_r(0x33, 0, 1, 3, 3, 16));
  put(rv_lui(17, 0xe0000000));
  put(rv_r(0x33, 0, 0, 3, 3, 17));
  constant(4, kCommon);
  // What the last block has left in scratchpad and local memory is not this one's affair.
  put(rv_csr(18, CSR_LANE));
  put(rv_i(0x13, 1, 19, 18, 2));
  put(rv_i(0x13, 7, 19, 19, static_cast<int32_t>((part_ - 1) & 0x7ff)));
  put(rv_r(0x33, 0, 0, 19, 19, 3));
  for (uint32_t at = 0; at < part_; at += 128) put(rv_s(0x23, 2, 0, 19, static_cast<int32_t>(at)));
  put(rv_lui(20, 0xf0000000));
  for (int32_t at = 0; at < 128; at += 16) {
    put(rv_s(0x2b, 5, 24, 2, -16 - at));
    put(rv_s(0x2b, 5, 24, 20, at));
  }
  // Mixed: lanes 0, 3, 6 .. own region, 1, 4 .. scratchpad, 2, 5 .. local memory.
  put(rv_addi(19, 0, 3));
  put(rv_r(0x33, 7, 1, 20, 18, 19)); // remu
  put(rv_addi(5, 1, 0));
  put(rv_addi(21, 0, 1));
  put(rv_b(1, 20, 21, 8));
  put(rv_addi(5, 3, 0));
  put(rv_addi(21, 0, 2));
  put(rv_b(1, 20, 21, 8));
  put(rv_lui(5, 0xf0000000));
  for (uint32_t r = 15; r < 32; r++) { // data that differ by lane and warp
    constant(6, static_cast<uint32_t>(gmmu_rng_next(&rng_)));
    put(rv_r(0x33, 0, 1, 7, 18, 6));
    put(rv_r(0x33, 4, 0, r, 7, below(2) ? 1 : 6));
  }
}

void SmProgram::epilogue() {
  put(rv_csr(6, CSR_BLOCK));
  put(rv_csr(7, CSR_WARPS));
  put(rv_r(0x33, 0, 1, 6, 6, 7));
  put(rv_csr(7, CSR_WARP));
  put(rv_r(0x33, 0, 0, 6, 6, 7));
  put(rv_i(0x13, 1, 6, 6, 12));
  constant(7, kDump);
  put(rv_r(0x33, 0, 0, 6, 6, 7));
  put(rv_csr(7, CSR_LANE));
  put(rv_i(0x13, 1, 7, 7, 7));
  put(rv_r(0x33, 0, 0, 6, 6, 7));
  put(rv_csr(8, CSR_INSTRET));
  for (uint32_t r = 8; r < 32; r++) put(rv_s(0x23, 2, r, 6, static_cast<int32_t>(4 * r)));
  put(below(2) ? RV_END : 0x00000073u);
}

void SmProgram::alu() {
  static const uint32_t f7s[] = {0, 1, 0x20};
  switch (below(10)) {
    case 0: put(rv_lui(data(), static_cast<uint32_t>(gmmu_rng_next(&rng_)))); break;
    case 1:
      put((static_cast<uint32_t>(gmmu_rng_next(&rng_)) & 0xfffff000) | data() << 7 | 0x17);
      break;
    case 2: {
      uint32_t f3 = below(8);
      int32_t imm = static_cast<int32_t>(below(4096)) - 2048;
      if (f3 == 1) imm &= 31;
      if (f3 == 5) imm = (imm & 31) | (below(2) ? 0x400 : 0);
      put(rv_i(0x13, f3, data(), source(), imm));
      break;
    }
    case 3: put(rv_csr(data(), CSR_LANE + below(5))); break;
    case 4: put(rv_csr(data(), CSR_INSTRET)); break;
    case 5: put(rv_csr(0, CSR_CYCLE)); break;
    default: {
      uint32_t f7 = f7s[below(3)], f3 = below(8);
      if (f7 == 0x20) f3 = below(2) ? 0 : 5;
      if (f7 == 1 && f3 >= 4 && below(4)) f3 -= 4; // divisions are long
      put(rv_r(0x33, f3, f7, below(16) ? data() : 0, source(), source()));
    }
  }
}

void SmProgram::vote() {
  if (below(4) == 0) { // zeros in lanes that are not active, and in some that are
    uint32_t a = source();
    put(rv_i(0x13, 7, 6, a, 1 << below(3)));
    if (below(2)) put(rv_b(0, 6, 0, 8));
    put(below(2) ? rv_all(data(), 6) : below(2) ? rv_any(data(), 6) : rv_ballot(data(), 6));
    return;
  }
  switch (below(6)) {
    case 0: put(rv_all(data(), source())); break;
    case 1: put(rv_any(data(), source())); break;
    case 2: put(rv_ballot(data(), source())); break;
    case 3: put(rv_shfl(data(), source(), source())); break;
    case 4: put(rv_popc(data(), source())); break;
    default: put(rv_ffs(data(), source())); break;
  }
}

void SmProgram::access() {
  uint32_t where = below(10), base, span, size = below(5);
  bool common = false;
  if (where < 4) base = 1, span = below(2) ? 2048 : 64;
  else if (where < 6) base = 3, span = part_;
  else if (where < 7) base = 2, span = 128; // local, below sp
  else if (where < 8) base = 5, span = part_ < 128 ? part_ : 128;
  else base = 4, span = 2048, common = where == 9;
  bool reads_only = base == 4;
  uint32_t align = 1u << size, mask = (span - 1) & ~(align - 1);
  uint32_t how = reads_only ? 0 : below(5); // 0, 1 load; 2, 3 store; 4 atomic
  if (how == 4) mask = (span - 1) & ~3u;
  if (common && below(3) == 0) { // counter of everybody
    put(rv_i(0x13, 7, 6, source(), 0x3c));
    constant(7, kCounters);
    put(rv_r(0x33, 0, 0, 6, 6, 7));
    put(rv_amo(RV_AMOADD, 0, 6, source()));
    return;
  }
  bool by_lane = below(2); // adjacent lanes, adjacent data
  if (by_lane) {
    put(rv_csr(6, CSR_LANE));
    put(rv_i(0x13, 1, 6, 6, static_cast<int32_t>(how == 4 ? 2 : size)));
    put(rv_i(0x13, 7, 6, 6, static_cast<int32_t>(mask & 0x7ff)));
  } else {
    put(rv_i(0x13, 7, 6, source(), static_cast<int32_t>(mask & 0x7ff)));
  }
  if (base == 2) {
    put(rv_r(0x33, 0, 0x20, 6, 2, 6));
    put(rv_addi(6, 6, -static_cast<int32_t>(how == 4 ? 4 : align)));
  } else {
    put(rv_r(0x33, 0, 0, 6, 6, base));
  }
  if (how == 4) {
    static const uint32_t f5[] = {RV_AMOADD, RV_AMOSWAP, RV_AMOCAS};
    uint32_t f = f5[below(3)];
    if (f == RV_AMOCAS && below(2)) { // so that the comparison is true in some lanes
      uint32_t rd = data();
      put(rv_i(0x03, 2, rd, 6, 0));
      put(rv_amo(f, rd, 6, source()));
    } else {
      put(rv_amo(f, below(8) ? data() : 0, 6, source()) | below(4) << 25);
    }
  } else if (how >= 2) {
    uint32_t r = 15 + below(size == 4 ? 14 : size == 3 ? 16 : 17);
    if (size < 3) put(rv_s(0x23, size, r, 6, 0));
    else put(rv_s(0x2b, size + 1, r, 6, 0));
  } else {
    uint32_t r = 15 + below(size == 4 ? 14 : size == 3 ? 16 : 17);
    if (size < 3) put(rv_i(0x03, size + (size < 2 ? 4 * below(2) : 0), below(16) ? r : 0, 6, 0));
    else put(rv_i(0x2b, size - 3, r, 6, 0));
  }
  if (below(12) == 0) put(RV_FENCE);
}

void SmProgram::shared_address(uint32_t warp) {
  put(rv_csr(7, CSR_BLOCK));
  put(rv_i(0x13, 1, 7, 7, 12));
  put(rv_i(0x13, 1, 6, warp, 7));
  put(rv_r(0x33, 0, 0, 7, 7, 6));
  constant(6, kShared);
  put(rv_r(0x33, 0, 0, 7, 7, 6));
  put(rv_csr(6, CSR_LANE));
  put(rv_i(0x13, 1, 6, 6, 2));
  put(rv_r(0x33, 0, 0, 6, 6, 7));
}

void SmProgram::shared() {
  uint32_t warp = data(), next = data();
  put(rv_csr(warp, CSR_WARP));
  shared_address(warp);
  put(rv_s(0x23, 2, data(), 6, 0));
  put(RV_FENCE);
  put(rv_bar());
  put(rv_csr(next, CSR_WARP));
  put(rv_addi(next, next, 1));
  put(rv_csr(7, CSR_WARPS));
  put(rv_r(0x33, 7, 1, next, next, 7)); // remu
  shared_address(next);
  put(rv_i(0x03, 2, data(), 6, 0));
  put(RV_FENCE);
  put(rv_bar());
}

void SmProgram::piece(uint32_t depth) {
  switch (below(depth < 3 ? 16 : 10)) {
    case 10:
    case 11: { // if, and perhaps else
      uint32_t f3 = condition(), a = source(), b = source();
      bool join = depth == 0 && below(2);
      if (join) { // the mask may name lanes that have ended, or end before they come
        put(rv_addi(6, 0, 1));
        put(below(3) ? rv_ballot(14, 6) : rv_addi(14, 0, -1));
        if (below(4) == 0) {
          put(rv_b(4, source(), source(), 8));
          put(RV_END);
        }
      }
      size_t at = code_.size();
      put(0);
      for (uint32_t n = 1 + below(4); n; n--) piece(depth + 1);
      if (below(2)) {
        size_t over = code_.size();
        put(0);
        patch(at, f3, a, b);
        for (uint32_t n = 1 + below(4); n; n--) piece(depth + 1);
        code_[over] = rv_jal(0, static_cast<int32_t>(code_.size() - over) * 4);
      } else {
        patch(at, f3, a, b);
      }
      if (join) put(rv_wsync(14));
      break;
    }
    case 12: { // loop, lanes as often as they like
      if (depth > 1) return alu();
      uint32_t count = 8 + depth;
      put(rv_i(0x13, 7, count, source(), 3));
      size_t top = code_.size();
      for (uint32_t n = 1 + below(3); n; n--) piece(depth + 1);
      put(rv_addi(count, count, -1));
      reach(code_.size() - top);
      put(rv_b(5, count, 0, static_cast<int32_t>(top - code_.size()) * 4));
      break;
    }
    case 13: { // each lane enters four instructions where it likes; or a call
      uint32_t link = below(2) ? 0 : data();
      put(rv_i(0x13, 7, 6, source(), 12));
      put(0u << 12 | 7 << 7 | 0x17); // auipc x7
      put(rv_r(0x33, 0, 0, 7, 7, 6));
      put(rv_i(0x67, 0, link, 7, 12 + static_cast<int32_t>(below(2))));
      for (int n = 0; n < 4; n++) alu();
      break;
    }
    case 14: { // data of the block's other warps, between barriers
      if (depth) return vote();
      if (below(2)) return shared();
      put(rv_csr(6, CSR_LANE));
      put(rv_i(0x13, 1, 6, 6, 1));
      put(rv_i(0x13, 7, 6, 6, static_cast<int32_t>((part_ - 1) & 0x3e)));
      put(rv_r(0x33, 0, 0, 6, 6, 3));
      put(rv_s(0x23, 1, data(), 6, 0));
      put(rv_bar());
      put(rv_i(0x13, 7, 6, data(), 0x3c));
      put(rv_lui(7, 0xe0000000));
      put(rv_r(0x33, 0, 0, 6, 6, 7));
      put(rv_i(0x03, 2, data(), 6, 0));
      put(rv_bar());
      break;
    }
    case 15:
      if (depth == 0 &&
          below(4) == 0) { // some lanes end here, after their dump would: they just end
        uint32_t at = static_cast<uint32_t>(code_.size()), a = source(), b = source();
        put(0);
        put(RV_END);
        patch(at, below(8) ? 1 : 0, a, b);
      }
      break;
    case 0:
    case 1:
    case 2:
    case 3: access(); break;
    case 4: vote(); break;
    default: alu(); break;
  }
}
