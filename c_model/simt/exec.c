/* SPDX-License-Identifier: Apache-2.0 */
/** exec.c - instructions but for memory: RV32I, M, and those that work on warps. */
#include "simt/simt_int.h"

/* RV32M */
static uint32_t muldiv(uint32_t f3, uint32_t a, uint32_t b) {
  int32_t x = (int32_t)a, y = (int32_t)b;
  bool overflow = a == UINT32_C(1) << 31 && b == UINT32_MAX;
  switch (f3) {
    case 0: return a * b;
    case 1: return (uint32_t)((uint64_t)((int64_t)x * y) >> 32);
    case 2: return (uint32_t)((uint64_t)((int64_t)x * (int64_t)(uint64_t)b) >> 32);
    case 3: return (uint32_t)((uint64_t)a * b >> 32);
    case 4: return b == 0 ? UINT32_MAX : overflow ? a : (uint32_t)(x / y);
    case 5: return b == 0 ? UINT32_MAX : a / b;
    case 6: return b == 0 ? a : overflow ? 0 : (uint32_t)(x % y);
    default: return b == 0 ? a : a % b;
  }
}

static uint32_t alu(uint32_t f3, bool alternate, uint32_t a, uint32_t b) {
  switch (f3) {
    case 0: return alternate ? a - b : a + b;
    case 1: return a << (b & 31);
    case 2: return (int32_t)a < (int32_t)b;
    case 3: return a < b;
    case 4: return a ^ b;
    case 5: return alternate ? (uint32_t)((int32_t)a >> (b & 31)) : a >> (b & 31);
    case 6: return a | b;
    default: return a & b;
  }
}

static bool taken(uint32_t f3, uint32_t a, uint32_t b) {
  bool r = f3 < 4 ? a == b : f3 < 6 ? (int32_t)a < (int32_t)b : a < b;
  return r != (f3 & 1);
}

/* rd of a lane; x0 stays 0. */
static void set(struct simt_warp *w, uint32_t lane, uint32_t rd, uint32_t value) {
  if (rd) w->reg[lane][rd] = value;
}

static bool read_csr(const struct simt *s, const struct simt_warp *w, uint32_t csr, uint32_t lane,
                     uint32_t *value) {
  switch (csr) {
    case 0xc00: *value = (uint32_t)s->counts.instructions; return true;
    case 0xc80: *value = (uint32_t)(s->counts.instructions >> 32); return true;
    case 0xc02: *value = (uint32_t)w->instret - 1; return true;
    case 0xcc0: *value = lane; return true;
    case 0xcc1: *value = w->index; return true;
    case 0xcc2: *value = s->group[w->group].block; return true;
    case 0xcc3: *value = s->warps; return true;
    case 0xcc4: *value = s->blocks; return true;
    case 0xcc5: *value = simt_slot(s, w); return true;
    default: return false;
  }
}

/* Opcode custom-0. False: illegal. Lanes have advanced already. */
static bool warp_insn(struct simt *s, struct simt_warp *w, uint32_t pc, uint32_t insn,
                      uint32_t active) {
  uint32_t f3 = insn >> 12 & 7, f7 = insn >> 25, rd = insn >> 7 & 31, rs1 = insn >> 15 & 31,
           rs2 = insn >> 20 & 31, ones = 0;
  uint32_t lowest = (uint32_t)__builtin_ctz(active), from[SIMT_LANES];
  each_lane(i, active) ones |= (uint32_t)(w->reg[i][rs1] != 0) << i;
  switch (f3 << 8 | f7) {
    case 0x000: each_lane(i, active) set(w, i, rd, ones == active); return true;
    case 0x001: each_lane(i, active) set(w, i, rd, ones != 0); return true;
    case 0x002: each_lane(i, active) set(w, i, rd, ones); return true;
    case 0x100:
      for (uint32_t i = 0; i < SIMT_LANES; i++) from[i] = w->reg[i][rs1];
      each_lane(i, active) set(w, i, rd, from[w->reg[i][rs2] % SIMT_LANES]);
      return true;
    case 0x200:
      each_lane(i, active) set(w, i, rd, (uint32_t)__builtin_popcount(w->reg[i][rs1]));
      return true;
    case 0x201:
      each_lane(i, active) set(w, i, rd, (uint32_t)__builtin_ffs((int)w->reg[i][rs1]));
      return true;
    case 0x300:
      w->at_sync |= active;
      each_lane(i, active) w->sync_mask[i] = w->reg[lowest][rs1];
      simt_release_sync(w);
      return true;
    case 0x301:
      w->at_bar |= active;
      simt_release_bar(s, w->group);
      return true;
    case 0x302: simt_fail(s, w, SIMT_SOFT, lowest, w->reg[lowest][rs1], pc); return true;
    default: return false;
  }
}

static void end_lanes(struct simt *s, struct simt_warp *w, uint32_t active) {
  w->live &= ~active;
  simt_release_sync(w);
  simt_release_bar(s, w->group);
}

/* The register-only opcodes. False: illegal. */
static bool compute(struct simt_warp *w, uint32_t pc, uint32_t insn, uint32_t active) {
  uint32_t op = insn & 0x7f, f3 = insn >> 12 & 7, f7 = insn >> 25, rd = insn >> 7 & 31,
           rs1 = insn >> 15 & 31, rs2 = insn >> 20 & 31;
  uint32_t upper = insn & 0xfffff000, imm = (uint32_t)simt_imm_i(insn);
  bool shift = f3 == 1 || f3 == 5;
  switch (op) {
    case 0x37: each_lane(i, active) set(w, i, rd, upper); return true;
    case 0x17: each_lane(i, active) set(w, i, rd, pc + upper); return true;
    case 0x13:
      if (shift && f7 && !(f3 == 5 && f7 == 0x20)) return false;
      each_lane(i, active) set(w, i, rd, alu(f3, shift && f7, w->reg[i][rs1], shift ? rs2 : imm));
      return true;
    case 0x33:
      if (f7 == 1) {
        each_lane(i, active) set(w, i, rd, muldiv(f3, w->reg[i][rs1], w->reg[i][rs2]));
        return true;
      }
      if (f7 && !(f7 == 0x20 && (f3 == 0 || f3 == 5))) return false;
      each_lane(i, active) set(w, i, rd, alu(f3, f7 != 0, w->reg[i][rs1], w->reg[i][rs2]));
      return true;
    default: return false;
  }
}

/* Jumps and branches: each lane to where it goes. False: illegal. */
static bool jump(struct simt_warp *w, uint32_t pc, uint32_t insn, uint32_t active) {
  uint32_t op = insn & 0x7f, f3 = insn >> 12 & 7, rd = insn >> 7 & 31, rs1 = insn >> 15 & 31,
           rs2 = insn >> 20 & 31, sign = -(insn >> 31);
  if (op == 0x6f) {
    uint32_t offset =
        (sign & 0xfff00000) | (insn & 0xff000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7fe);
    each_lane(i, active) set(w, i, rd, pc + 4), w->pc[i] = pc + offset;
    return true;
  }
  if (op == 0x67) {
    if (f3) return false;
    each_lane(i, active) {
      uint32_t to = (w->reg[i][rs1] + (uint32_t)simt_imm_i(insn)) & ~UINT32_C(1);
      set(w, i, rd, pc + 4), w->pc[i] = to;
    }
    return true;
  }
  uint32_t offset =
      (sign & 0xfffff000) | (insn << 4 & 0x800) | (insn >> 20 & 0x7e0) | (insn >> 7 & 0x1e);
  if (f3 == 2 || f3 == 3) return false;
  each_lane(i, active) w->pc[i] = taken(f3, w->reg[i][rs1], w->reg[i][rs2]) ? pc + offset : pc + 4;
  return true;
}

void simt_exec(struct simt *s, struct simt_warp *w, uint32_t pc, uint32_t active) {
  uint32_t insn = s->imem[pc / 4 % s->cfg.imem_words], op = insn & 0x7f, f3 = insn >> 12 & 7,
           rd = insn >> 7 & 31, rs1 = insn >> 15 & 31, value;
  bool ok;
  if (pc % 4) { /* jalr may lead there */
    simt_fail(s, w, SIMT_ALIGN, (uint32_t)__builtin_ctz(active), pc, pc);
    return;
  }
  each_lane(i, active) w->pc[i] = pc + 4;
  switch (op) {
    case 0x03:
    case 0x23:
    case 0x2f:
    case 0x2b: simt_memory_access(s, w, pc, insn, active); return;
    case 0x63:
    case 0x67:
    case 0x6f: ok = jump(w, pc, insn, active); break;
    case 0x0b: ok = warp_insn(s, w, pc, insn, active); break;
    case 0x0f: ok = f3 == 0; break; /* all has taken effect already */
    case 0x73:
      ok = insn == 0x73 || insn == 0x100073;
      if (ok) end_lanes(s, w, active);
      else if (f3 == 2 && rs1 == 0) {
        ok = true;
        each_lane(i, active) {
          ok = read_csr(s, w, insn >> 20, i, &value);
          if (ok) set(w, i, rd, value);
        }
      }
      break;
    default: ok = compute(w, pc, insn, active);
  }
  if (!ok) simt_fail(s, w, SIMT_ILLEGAL, (uint32_t)__builtin_ctz(active), 0, pc);
}
