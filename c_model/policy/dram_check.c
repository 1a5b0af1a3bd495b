/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/dram_check.h"

#include <string.h>

#define LONG_AGO (-1000000)

const struct gmmu_dram_rules gmmu_dram_rules_gddr5 = {.rcd = 12,
                                                      .ras = 28,
                                                      .rc = 40,
                                                      .rp = 12,
                                                      .rrd = 6,
                                                      .faw = 22,
                                                      .ccds = 2,
                                                      .ccdl = 3,
                                                      .cl = 12,
                                                      .wl = 4,
                                                      .burst = 2,
                                                      .cdlr = 5,
                                                      .wr = 12,
                                                      .rtp = 2,
                                                      .rfc = 61,
                                                      .refi = 1755,
                                                      .groups = 4};

void gmmu_dram_check_init(struct gmmu_dram_check *c, const struct gmmu_dram_rules *r) {
  memset(c, 0, sizeof *c);
  c->r = *r;
  for (int b = 0; b < GMMU_DRAM_CHECK_BANKS; b++)
    c->bank[b].act = c->bank[b].pre = c->bank[b].rd = c->bank[b].wr = LONG_AGO;
  for (int i = 0; i < 4; i++) c->acts[i] = LONG_AGO;
  for (int i = 0; i < 8; i++) c->rd[i] = c->wr[i] = LONG_AGO;
  c->any_rd = c->any_wr = LONG_AGO;
  c->ref = c->last = LONG_AGO;
}

uint64_t gmmu_dram_check_row(const struct gmmu_dram_check *c, uint32_t bank) {
  return c->bank[bank].row;
}

/* First cycle at which the bank may be precharged. */
static int64_t may_close(const struct gmmu_dram_check *c, uint32_t b) {
  int64_t t = c->bank[b].act + c->r.ras;
  int64_t rd = c->bank[b].rd + c->r.rtp, wr = c->bank[b].wr + c->r.wl + c->r.burst + c->r.wr;
  if (rd > t) t = rd;
  return wr > t ? wr : t;
}

static const char *activate(struct gmmu_dram_check *c, int64_t now, uint32_t b, uint64_t row) {
  if (c->bank[b].open) return "ACT of an open bank";
  if (now < c->bank[b].pre + c->r.rp) return "tRP before ACT";
  if (now < c->bank[b].act + c->r.rc) return "tRC";
  if (now < c->acts[3] + c->r.rrd) return "tRRD";
  if (now < c->acts[0] + c->r.faw) return "tFAW";
  if (now < c->ref + c->r.rfc) return "tRFC";
  memmove(c->acts, c->acts + 1, 3 * sizeof c->acts[0]);
  c->acts[3] = c->bank[b].act = now;
  c->bank[b].open = true;
  c->bank[b].row = row;
  return NULL;
}

static const char *column(struct gmmu_dram_check *c, int64_t now, uint32_t b, bool write, bool ap) {
  int g = (int)b % c->r.groups;
  if (!c->bank[b].open) return "column command of a closed bank";
  if (now < c->bank[b].act + c->r.rcd) return "tRCD";
  const int64_t *same = write ? c->wr : c->rd;
  if (now < same[g] + c->r.ccdl) return "tCCDL";
  if (now < (write ? c->any_wr : c->any_rd) + c->r.ccds) return "tCCDS";
  if (write && now + c->r.wl < c->any_rd + c->r.cl + c->r.burst + 2) return "read to write";
  if (!write && now < c->any_wr + c->r.wl + c->r.burst + c->r.cdlr) return "tCDLR";
  c->columns++;
  if (write) c->wr[g] = c->any_wr = c->bank[b].wr = now;
  else c->rd[g] = c->any_rd = c->bank[b].rd = now;
  if (ap) {
    c->bank[b].open = false;
    c->bank[b].pre = may_close(c, b);
  }
  return NULL;
}

static const char *precharge(struct gmmu_dram_check *c, int64_t now, uint32_t b) {
  if (now < c->bank[b].act + c->r.ras) return "tRAS";
  if (now < may_close(c, b)) return "tRTP or tWR";
  c->bank[b].open = false;
  c->bank[b].pre = now;
  return NULL;
}

const char *gmmu_dram_check_command(struct gmmu_dram_check *c, int64_t now, int pin, uint32_t b,
                                    uint64_t row, bool ap) {
  const char *e = NULL;
  int64_t since = now - (c->ref > 0 ? c->ref : 0);
  if (since > 2 * (int64_t)c->r.refi) return "tREFI: no refresh for two intervals";
  if (pin != GMMU_PIN_NOP) {
    if (now <= c->last) return "two commands in a tick";
    c->last = now;
    c->commands++;
  }
  switch (pin) {
    case GMMU_PIN_NOP: return NULL;
    case GMMU_PIN_ACT: return activate(c, now, b, row);
    case GMMU_PIN_PRE: return c->bank[b].open ? precharge(c, now, b) : "PRE of a closed bank";
    case GMMU_PIN_RD:
    case GMMU_PIN_WR: return column(c, now, b, pin == GMMU_PIN_WR, ap);
    case GMMU_PIN_PREA:
      for (uint32_t i = 0; !e && i < GMMU_DRAM_CHECK_BANKS; i++)
        if (c->bank[i].open) e = precharge(c, now, i);
      return e;
    case GMMU_PIN_REF:
      for (int i = 0; i < GMMU_DRAM_CHECK_BANKS; i++) {
        if (c->bank[i].open) return "REF with an open bank";
        if (now < c->bank[i].pre + c->r.rp) return "tRP before REF";
      }
      if (now < c->ref + c->r.rfc) return "tRFC before REF";
      c->ref = now;
      return NULL;
    default: return "no such command";
  }
}
