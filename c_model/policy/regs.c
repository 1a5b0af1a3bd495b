/* SPDX-License-Identifier: Apache-2.0 */
/* regs.c - see regs.h. Written from docs/regs.md and the register map. */
#include "policy/regs.h"

#include <string.h>

#include "gmmu_regs.h"

enum region { NONE, SINGLE, WINDOW, PARAM, PERF, PORT, CTX };

static const uint32_t singles[] = {
    GMMU_REG_ID,           GMMU_REG_VERSION,      GMMU_REG_CAPS,        GMMU_REG_IRQ_STATUS,
    GMMU_REG_IRQ_ENABLE,   GMMU_REG_CMD,          GMMU_REG_CMD_STATUS,  GMMU_REG_CMD_ASID,
    GMMU_REG_CMD_FIRST_LO, GMMU_REG_CMD_FIRST_HI, GMMU_REG_CMD_LAST_LO, GMMU_REG_CMD_LAST_HI,
    GMMU_REG_FAULT_STATUS, GMMU_REG_FAULT_POP,    GMMU_REG_FAULT_VA_LO, GMMU_REG_FAULT_VA_HI,
    GMMU_REG_FAULT_INFO,   GMMU_REG_FAULT_SRC,    GMMU_REG_RETRY,       GMMU_REG_RETRY_CYCLES,
    GMMU_REG_PERF_CTRL,    GMMU_REG_PORTS_BUSY,   GMMU_REG_CMD_HELD};

/* Settings that are not in every build. */
static bool setting_built(const struct gmmu_regs_model *m, uint32_t at) {
  bool tokens = m->caps & GMMU_REG_CAPS_TOKENS_MASK, sched = m->caps & GMMU_REG_CAPS_SCHED_MASK;
  switch (at) {
    case GMMU_REG_EPOCH_CYCLES: return tokens || sched;
    case GMMU_REG_TOKENS: return tokens;
    case GMMU_REG_SCHED_APPS:
    case GMMU_REG_SCHED_QUOTA:
    case GMMU_REG_SCHED_TIMEOUT:
    case GMMU_REG_SCHED_AGE_CAP: return sched;
    default: return false;
  }
}

/* Region, index within it and word of an offset. */
static enum region where(const struct gmmu_regs_model *m, uint32_t at, uint32_t *index,
                         uint32_t *word) {
  at &= ~3u;
  *index = *word = 0;
  for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++)
    if (at == singles[i]) return SINGLE;
  if (setting_built(m, at)) return SINGLE;
  const struct {
    enum region region;
    uint32_t base, stride, count, words;
  } areas[] = {{WINDOW, GMMU_REG_WIN_FIRST_LO(0), 32, m->windows, 5},
               {PARAM, GMMU_PARAM_NumPorts, 4, m->params, 1},
               {PERF, GMMU_REG_PERF_LO(0), 8, m->counters, 2},
               {PORT, GMMU_REG_PORT_CTRL(0), 16, m->ports, 3},
               {CTX, GMMU_REG_CTX_ROOT_LO(0), 16, m->asids, 3}};
  for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
    if (at < areas[i].base || at >= areas[i].base + areas[i].stride * areas[i].count) continue;
    *index = (at - areas[i].base) / areas[i].stride;
    *word = (at - areas[i].base) % areas[i].stride / 4;
    return *word < areas[i].words ? areas[i].region : NONE;
  }
  return NONE;
}

bool gmmu_regs_exists(const struct gmmu_regs_model *m, uint32_t offset) {
  uint32_t index, word;
  return where(m, offset, &index, &word) != NONE;
}

void gmmu_regs_reset(struct gmmu_regs_model *m) {
  for (int i = 0; i < GMMU_REGS_MAX_PORTS; i++)
    m->port_ctrl[i] = m->reset_mode, m->port_asid[i] = 0;
  memset(m->ctx_ctrl, 0, sizeof m->ctx_ctrl);
  memset(m->ctx_root, 0, sizeof m->ctx_root);
  memset(m->win_ctrl, 0, sizeof m->win_ctrl);
  memset(m->win_first, 0, sizeof m->win_first);
  memset(m->win_last, 0, sizeof m->win_last);
  memset(m->kept, 0, sizeof m->kept);
  m->first = m->last = 0;
  m->kept[GMMU_REG_EPOCH_CYCLES / 4] = m->epoch_reset;
  m->kept[GMMU_REG_TOKENS / 4] = 2u << 24 | 80u << 16 | 4u << 8;
  m->kept[GMMU_REG_SCHED_APPS / 4] = m->asids;
  m->kept[GMMU_REG_SCHED_QUOTA / 4] = 500;
  m->kept[GMMU_REG_SCHED_TIMEOUT / 4] = 2000;
}

static uint32_t merged(uint32_t old, uint32_t data, uint32_t mask) {
  return (old & ~mask) | (data & mask);
}
static void half(uint64_t *v, bool high, uint32_t data, uint32_t mask, uint64_t keep) {
  uint32_t lo = (uint32_t)*v, hi = (uint32_t)(*v >> 32);
  if (high) hi = merged(hi, data, mask);
  else lo = merged(lo, data, mask);
  *v = ((uint64_t)hi << 32 | lo) & keep;
}

static uint32_t at_least(uint32_t v, uint32_t least) { return v < least ? least : v; }
static uint32_t at_most(uint32_t v, uint32_t most) { return v > most ? most : v; }

static void write_single(struct gmmu_regs_model *m, uint32_t at, uint32_t data, uint32_t mask,
                         bool busy) {
  const uint32_t bits = 12 + (m->pfn_w > 36 ? m->pfn_w : 36); /* a copy's are physical */
  const uint64_t command = (1ull << bits) - 4096;
  uint32_t *kept = &m->kept[at / 4], v = merged(*kept, data, mask);
  switch (at) {
    case GMMU_REG_IRQ_ENABLE: *kept = v & 15; break;
    case GMMU_REG_RETRY_CYCLES: *kept = v; break;
    case GMMU_REG_CMD_ASID:
      if (!busy) *kept = v & ((1u << m->asid_w) - 1);
      break;
    case GMMU_REG_CMD_FIRST_LO:
    case GMMU_REG_CMD_FIRST_HI:
      if (!busy) half(&m->first, at == GMMU_REG_CMD_FIRST_HI, data, mask, command);
      break;
    case GMMU_REG_CMD_LAST_LO:
    case GMMU_REG_CMD_LAST_HI:
      if (!busy) half(&m->last, at == GMMU_REG_CMD_LAST_HI, data, mask, command);
      break;
    case GMMU_REG_EPOCH_CYCLES: *kept = at_least(v, m->least_epoch); break;
    case GMMU_REG_TOKENS:
      *kept = (v & 0x701) | at_most(v >> 16 & 127, 100) << 16 | at_most(v >> 24 & 127, 100) << 24;
      break;
    case GMMU_REG_SCHED_APPS: *kept = at_most(at_least(v & 255, 1), m->asids); break;
    case GMMU_REG_SCHED_QUOTA: *kept = at_least(v & 1023, 1); break;
    case GMMU_REG_SCHED_TIMEOUT: *kept = at_least(v & 0xffff, 1); break;
    case GMMU_REG_SCHED_AGE_CAP: *kept = v & 0xfffc; break;
    default: break;
  }
}

bool gmmu_regs_write(struct gmmu_regs_model *m, uint32_t offset, uint32_t data, uint32_t strb,
                     bool cmd_busy) {
  uint32_t i, word, mask = 0, v;
  for (int b = 0; b < 4; b++)
    if (strb >> b & 1) mask |= 255u << (8 * b);
  uint64_t pfn = (1ull << m->pfn_w) - 1;
  switch (where(m, offset, &i, &word)) {
    case NONE: return false;
    case SINGLE: write_single(m, offset & ~3u, data, mask, cmd_busy); break;
    case WINDOW:
      if (word < 2) half(&m->win_first[i], word == 1, data, mask, pfn);
      else if (word < 4) half(&m->win_last[i], word == 3, data, mask, pfn);
      else m->win_ctrl[i] = merged(m->win_ctrl[i], data, mask) & 3;
      break;
    case PORT:
      if (word == 0) {
        v = merged(m->port_ctrl[i], data, mask) & 0x001f0337;
        if ((v & 3) == 3) v &= ~1u;
        if ((v >> 8 & 3) == 3) v &= ~0x300u;
        m->port_ctrl[i] = v;
      } else if (word == 1) {
        m->port_asid[i] = merged(m->port_asid[i], data, mask) & ((1u << m->asid_w) - 1);
      }
      break;
    case CTX:
      if (word < 2) {
        half(&m->ctx_root[i], word == 1, data, mask, pfn);
      } else {
        v = merged(m->ctx_ctrl[i], data, mask) & 31;
        if ((v & 3) == 3 || ((v & 3) == 2 && !m->sv48)) v &= ~3u;
        m->ctx_ctrl[i] = v;
      }
      break;
    default: break;
  }
  return true;
}

static uint32_t word_of(uint64_t v, bool high) { return (uint32_t)(high ? v >> 32 : v); }

static void read_single(const struct gmmu_regs_model *m, uint32_t at, uint32_t *v,
                        uint32_t *known) {
  switch (at) {
    case GMMU_REG_ID: *v = GMMU_REGS_ID; break;
    case GMMU_REG_VERSION: *v = GMMU_REGS_VERSION; break;
    case GMMU_REG_CAPS: *v = m->caps; break;
    case GMMU_REG_IRQ_STATUS: *known = ~15u; break;
    case GMMU_REG_CMD_STATUS: *known = 0xf8fc; break;
    case GMMU_REG_CMD_FIRST_LO: *v = word_of(m->first, false); break;
    case GMMU_REG_CMD_FIRST_HI: *v = word_of(m->first, true); break;
    case GMMU_REG_CMD_LAST_LO: *v = word_of(m->last, false); break;
    case GMMU_REG_CMD_LAST_HI: *v = word_of(m->last, true); break;
    case GMMU_REG_FAULT_STATUS: *v = m->fault_entries << 8, *known = ~255u; break;
    case GMMU_REG_FAULT_VA_LO:
    case GMMU_REG_FAULT_VA_HI:
    case GMMU_REG_FAULT_INFO:
    case GMMU_REG_FAULT_SRC:
    case GMMU_REG_PORTS_BUSY: *known = 0; break;
    case GMMU_REG_CMD_HELD: *known = m->ports < 32 ? ~0u << m->ports : 0; break;
    default: *v = m->kept[at / 4]; break; /* write only: 0 */
  }
}

bool gmmu_regs_read(const struct gmmu_regs_model *m, uint32_t offset, uint32_t *value,
                    uint32_t *known) {
  uint32_t i, word;
  *value = 0;
  *known = ~0u;
  switch (where(m, offset, &i, &word)) {
    case NONE: return false;
    case SINGLE: read_single(m, offset & ~3u, value, known); break;
    case WINDOW:
      *value = word == 4 ? m->win_ctrl[i]
                         : word_of(word < 2 ? m->win_first[i] : m->win_last[i], word & 1);
      break;
    case PARAM:
    case PERF: *known = 0; break;
    case PORT:
      if (word == 2) *known = ~0x1ffu;
      else *value = word ? m->port_asid[i] : m->port_ctrl[i];
      break;
    case CTX: *value = word == 2 ? m->ctx_ctrl[i] : word_of(m->ctx_root[i], word & 1); break;
  }
  return true;
}
