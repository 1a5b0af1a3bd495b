/* SPDX-License-Identifier: Apache-2.0 */
/** encode.h - words of the SIMT core's instructions (docs/simt.md), for tests that make programs
 * without a compiler. */
#ifndef GMMU_SIMT_ENCODE_H
#define GMMU_SIMT_ENCODE_H

#include <stdint.h>

static inline uint32_t rv_r(uint32_t op, uint32_t f3, uint32_t f7, uint32_t rd, uint32_t rs1,
                            uint32_t rs2) {
  return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
static inline uint32_t rv_i(uint32_t op, uint32_t f3, uint32_t rd, uint32_t rs1, int32_t imm) {
  return (uint32_t)imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
static inline uint32_t rv_s(uint32_t op, uint32_t f3, uint32_t rs2, uint32_t rs1, int32_t imm) {
  uint32_t u = (uint32_t)imm;
  return (u >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (u & 31) << 7 | op;
}
static inline uint32_t rv_b(uint32_t f3, uint32_t rs1, uint32_t rs2, int32_t offset) {
  uint32_t u = (uint32_t)offset;
  return (u >> 12 & 1) << 31 | (u >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
         (u >> 1 & 15) << 8 | (u >> 11 & 1) << 7 | 0x63;
}
static inline uint32_t rv_jal(uint32_t rd, int32_t offset) {
  uint32_t u = (uint32_t)offset;
  return (u >> 20 & 1) << 31 | (u >> 1 & 0x3ff) << 21 | (u >> 11 & 1) << 20 |
         (u >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}
static inline uint32_t rv_lui(uint32_t rd, uint32_t value) {
  return (value & 0xfffff000) | rd << 7 | 0x37;
}
static inline uint32_t rv_addi(uint32_t rd, uint32_t rs1, int32_t imm) {
  return rv_i(0x13, 0, rd, rs1, imm);
}
static inline uint32_t rv_csr(uint32_t rd, uint32_t csr) {
  return csr << 20 | 2 << 12 | rd << 7 | 0x73;
}
static inline uint32_t rv_amo(uint32_t f5, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return rv_r(0x2f, 2, f5 << 2, rd, rs1, rs2);
}
enum { RV_AMOADD = 0, RV_AMOSWAP = 1, RV_AMOCAS = 5, RV_END = 0x00100073, RV_FENCE = 0x0000000f };
enum {
  CSR_CYCLE = 0xc00,
  CSR_INSTRET = 0xc02,
  CSR_LANE = 0xcc0,
  CSR_WARP,
  CSR_BLOCK,
  CSR_WARPS,
  CSR_BLOCKS,
  CSR_SLOT
};
static inline uint32_t rv_all(uint32_t rd, uint32_t rs1) { return rv_r(0x0b, 0, 0, rd, rs1, 0); }
static inline uint32_t rv_any(uint32_t rd, uint32_t rs1) { return rv_r(0x0b, 0, 1, rd, rs1, 0); }
static inline uint32_t rv_ballot(uint32_t rd, uint32_t rs1) { return rv_r(0x0b, 0, 2, rd, rs1, 0); }
static inline uint32_t rv_shfl(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return rv_r(0x0b, 1, 0, rd, rs1, rs2);
}
static inline uint32_t rv_popc(uint32_t rd, uint32_t rs1) { return rv_r(0x0b, 2, 0, rd, rs1, 0); }
static inline uint32_t rv_ffs(uint32_t rd, uint32_t rs1) { return rv_r(0x0b, 2, 1, rd, rs1, 0); }
static inline uint32_t rv_wsync(uint32_t rs1) { return rv_r(0x0b, 3, 0, 0, rs1, 0); }
static inline uint32_t rv_bar(void) { return rv_r(0x0b, 3, 1, 0, 0, 0); }
static inline uint32_t rv_abort(uint32_t rs1) { return rv_r(0x0b, 3, 2, 0, rs1, 0); }

#endif
