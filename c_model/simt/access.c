/* SPDX-License-Identifier: Apache-2.0 */
/** access.c - loads, stores and atomics of a warp: memory through the bus, scratchpad, local
 * memory. */
#include <string.h>

#include "simt/simt_int.h"

struct access {
  uint32_t bytes, reg; /* reg: first register of the data */
  bool write, atomic, sign;
  uint32_t f5; /* of an atomic */
  uint32_t address[SIMT_LANES];
};

/* False: illegal. */
static bool decode(uint32_t insn, struct access *a, int32_t *offset) {
  uint32_t op = insn & 0x7f, f3 = insn >> 12 & 7, rd = insn >> 7 & 31, rs2 = insn >> 20 & 31;
  *a = (struct access){.reg = rd};
  *offset = simt_imm_i(insn);
  switch (op) {
    case 0x03: a->bytes = 1u << (f3 & 3), a->sign = f3 < 4; return f3 != 3 && f3 < 6;
    case 0x23:
      a->bytes = 1u << f3, a->write = true, a->reg = rs2, *offset = simt_imm_s(insn);
      return f3 < 3;
    case 0x2f:
      a->bytes = 4, a->atomic = true, a->f5 = insn >> 27, *offset = 0;
      return f3 == 2 && (a->f5 == 0 || a->f5 == 1 || a->f5 == 5);
    default:
      a->bytes = f3 & 1 ? 16 : 8, a->write = f3 >= 4;
      if (a->write) a->reg = rs2, *offset = simt_imm_s(insn);
      if (f3 & 2) return false;
      return a->write ? a->reg + a->bytes / 4 <= 32 : a->reg >= 1 && a->reg + a->bytes / 4 <= 32;
  }
}

static uint8_t *place(struct simt *s, const struct simt_warp *w, uint32_t lane,
                      const struct access *a) {
  uint32_t address = a->address[lane], offset = address & 0x0fffffff;
  if (address >> 28 == SIMT_SCRATCH)
    return s->scratch + (size_t)w->group * s->scratch_each + offset;
  if (address >> 28 == SIMT_LOCAL)
    return s->local + ((size_t)simt_slot(s, w) * SIMT_LANES + lane) * s->cfg.local_bytes + offset;
  return s->at(s->context, address, a->bytes, a->write || a->atomic);
}

/* The first lane whose address is not aligned, else the first that is out of range, or SIMT_LANES.
 */
static uint32_t illegal_lane(const struct simt *s, uint32_t active, const struct access *a,
                             enum simt_cause *cause) {
  *cause = SIMT_ALIGN;
  each_lane(i, active) if (a->address[i] % a->bytes) return i;
  *cause = SIMT_RANGE;
  each_lane(i, active) {
    uint32_t address = a->address[i], offset = address & 0x0fffffff;
    if (address >> 28 == SIMT_SCRATCH && offset >= s->scratch_each) return i;
    if (address >> 28 == SIMT_LOCAL && offset >= s->cfg.local_bytes) return i;
  }
  return SIMT_LANES;
}

/* Bursts that the core would send: one of each 64-byte line, of an atomic one a lane. */
static void count(struct simt *s, uint32_t active, const struct access *a) {
  uint32_t memory = 0, bursts = 0;
  each_lane(i, active) memory |= (uint32_t)(a->address[i] >> 28 < SIMT_SCRATCH) << i;
  if (!memory) return;
  if (a->atomic) {
    s->counts.atomics++, s->counts.atomic_bursts += (uint64_t)__builtin_popcount(memory);
    return;
  }
  for (uint32_t left = memory; left; bursts++) {
    uint32_t line = a->address[__builtin_ctz(left)] >> 6, same = 0;
    each_lane(i, left) same |= (uint32_t)(a->address[i] >> 6 == line) << i;
    left &= ~same;
  }
  if (a->write) s->counts.stores++, s->counts.write_bursts += bursts;
  else s->counts.loads++, s->counts.read_bursts += bursts;
}

static uint32_t extend(uint32_t v, const struct access *a) {
  if (a->bytes == 1) return a->sign ? (uint32_t)(int32_t)(int8_t)v : v;
  if (a->bytes == 2) return a->sign ? (uint32_t)(int32_t)(int16_t)v : v;
  return v;
}

static void one_lane(struct simt_warp *w, uint32_t lane, const struct access *a, uint8_t *at,
                     uint32_t new_value) {
  uint32_t *reg = w->reg[lane], word = 0;
  if (a->atomic) {
    memcpy(&word, at, 4);
    uint32_t next = a->f5 == 0                          ? word + new_value
                    : a->f5 == 1 || word == reg[a->reg] ? new_value
                                                        : word;
    memcpy(at, &next, 4);
    if (a->reg) reg[a->reg] = word;
  } else if (a->write) {
    memcpy(at, &reg[a->reg], a->bytes); /* little endian on both sides */
  } else if (a->bytes >= 4) {
    if (a->reg) memcpy(&reg[a->reg], at, a->bytes);
  } else {
    memcpy(&word, at, a->bytes);
    if (a->reg) reg[a->reg] = extend(word, a);
  }
}

void simt_memory_access(struct simt *s, struct simt_warp *w, uint32_t pc, uint32_t insn,
                        uint32_t active) {
  struct access a;
  enum simt_cause cause;
  int32_t offset;
  uint8_t *at[SIMT_LANES];
  if (!decode(insn, &a, &offset)) {
    simt_fail(s, w, SIMT_ILLEGAL, (uint32_t)__builtin_ctz(active), 0, pc);
    return;
  }
  each_lane(i, active) a.address[i] = w->reg[i][insn >> 15 & 31] + (uint32_t)offset;
  uint32_t bad = illegal_lane(s, active, &a, &cause);
  if (bad < SIMT_LANES) {
    simt_fail(s, w, cause, bad, a.address[bad], pc);
    return;
  }
  count(s, active, &a);
  each_lane(i, active) {
    if (!(at[i] = place(s, w, i, &a))) {
      simt_fail(s, w, a.write || a.atomic ? SIMT_BUS_WRITE : SIMT_BUS_READ, i, a.address[i], pc);
      return;
    }
  }
  each_lane(i, active) one_lane(w, i, &a, at[i], w->reg[i][insn >> 20 & 31]);
}
