/* SPDX-License-Identifier: Apache-2.0 */
#include "timed/timed_channel.h"

#include <stdlib.h>

#include "policy/dram_map.h"

#define ON_WAY 32u /* reads between their command and their data: one every two ticks of CL + 2 */

struct back {
  uint64_t at;
  uint32_t bank, id, beat;
  bool bypassed;
};
struct gmmu_channel {
  struct gmmu_channel_cfg c;
  struct gmmu_cache_bank *bank[GMMU_CHANNEL_MAX_BANKS];
  struct gmmu_dram *dram;
  uint64_t now;
  uint32_t ptr[GMMU_CACHE_PORTS], held_bank[GMMU_CACHE_PORTS];
  bool held[GMMU_CACHE_PORTS];
  struct back back[ON_WAY];
  uint32_t first, n;
  bool rests;     /* the last step had nothing to do but for the DRAM's timers */
  uint64_t until; /* resting, the DRAM does nothing before this cycle; it may lag behind */
};

struct gmmu_channel *gmmu_channel_new(const struct gmmu_channel_cfg *c) {
  struct gmmu_channel *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->c = *c;
  bool ok = (m->dram = gmmu_dram_new(&c->dram)) != NULL;
  for (uint32_t i = 0; i < c->banks; i++) ok = (m->bank[i] = gmmu_cache_bank_new(&c->bank)) && ok;
  if (ok) return m;
  gmmu_channel_free(m);
  return NULL;
}

void gmmu_channel_free(struct gmmu_channel *m) {
  if (!m) return;
  for (uint32_t i = 0; i < m->c.banks; i++) gmmu_cache_bank_free(m->bank[i]);
  gmmu_dram_free(m->dram);
  free(m);
}

/* Payload of a DRAM request: bank, bypassed, piece, id. */
static uint32_t pack(uint32_t bank, const struct gmmu_cache_mem *q) {
  return bank << 26 | (uint32_t)(q->kind == GMMU_CACHE_BYPASSED) << 25 | (uint32_t)q->beat << 24 |
         q->id;
}

static struct gmmu_dram_req dram_request(const struct gmmu_channel *m, uint32_t bank,
                                         const struct gmmu_cache_mem *q, bool golden) {
  struct gmmu_dram_map map = {.channel_bits = 0, .col_bits = m->c.col_bits, .linear = m->c.linear};
  uint64_t line = gmmu_mem_line_in_channel(m->c.banks, m->c.linear, bank, q->line);
  struct gmmu_dram_place p = gmmu_dram_place(&map, (line * m->c.bank.beats + q->beat) * 64);
  return (struct gmmu_dram_req){.bank = (uint8_t)p.bank,
                                .row = p.row,
                                .col = p.col,
                                .we = q->kind == GMMU_CACHE_WRITE,
                                .golden = golden,
                                .app = q->app,
                                .payload = pack(bank, q)};
}

/* Round robin over the banks; what was offered and not taken stays. -1: none. */
static int grant(const struct gmmu_channel *m, const struct gmmu_channel_out *o, int port) {
  if (m->held[port]) return (int)m->held_bank[port];
  for (uint32_t k = 0; k < m->c.banks; k++) {
    uint32_t b = (m->ptr[port] + k) & (m->c.banks - 1);
    if (o->bank[b].mem[port].valid) return (int)b;
  }
  return -1;
}

void gmmu_channel_offers(const struct gmmu_channel *m, struct gmmu_channel_out *o) {
  for (uint32_t b = 0; b < m->c.banks; b++)
    if (!gmmu_cache_bank_rests(m->bank[b])) gmmu_cache_bank_offers(m->bank[b], &o->bank[b]);
}

static bool asked(const struct gmmu_channel *m, const struct gmmu_channel_in *in) {
  for (uint32_t b = 0; b < m->c.banks; b++)
    if (in->bank[b].valid[0] || in->bank[b].valid[1]) return true;
  return false;
}

static bool quiet(const struct gmmu_channel *m) {
  if (m->n || gmmu_dram_waiting(m->dram)) return false;
  for (uint32_t b = 0; b < m->c.banks; b++)
    if (!gmmu_cache_bank_quiet(m->bank[b])) return false;
  return true;
}

/* With silver turns (aware) the DRAM looks at the applications in every cycle. */
bool gmmu_channel_rests(struct gmmu_channel *m, const struct gmmu_channel_in *in) {
  if (!m->rests) return false;
  m->rests = !m->c.dram.sched.aware && !asked(m, in);
  if (m->rests && m->now < m->until) {
    m->now++;
    return true;
  }
  gmmu_dram_skip(m->dram, m->now);
  if (!m->rests) return false;
  m->until = gmmu_dram_next_event(m->dram);
  if (m->until <= m->now) return false;
  m->now++;
  return true;
}

void gmmu_channel_step(struct gmmu_channel *m, struct gmmu_channel_in *in,
                       struct gmmu_channel_out *o) {
  struct gmmu_dram_in d = {
      .apps = in->apps, .con = in->con, .warps = in->warps, .epoch = in->epoch};
  int g[GMMU_CACHE_PORTS];
  m->rests = !asked(m, in) && quiet(m);
  m->until = 0;
  for (int p = 0; p < GMMU_CACHE_PORTS; p++) {
    g[p] = grant(m, o, p);
    if (g[p] < 0) continue;
    struct gmmu_dram_req r =
        dram_request(m, (uint32_t)g[p], &o->bank[g[p]].mem[p], p == GMMU_CACHE_T);
    if (p == GMMU_CACHE_T) d.golden = r, d.golden_valid = true;
    else d.data = r, d.data_valid = true;
  }
  gmmu_dram_step(m->dram, &d, &o->dram);
  bool taken[GMMU_CACHE_PORTS] = {d.golden_valid && o->dram.golden_ready,
                                  d.data_valid && o->dram.data_ready};
  bool is_back = m->n && m->back[m->first].at == m->now;
  struct back back = m->back[m->first];
  for (uint32_t b = 0; b < m->c.banks; b++) {
    struct gmmu_cache_bank_in *x = &in->bank[b];
    x->back = is_back && back.bank == b;
    if (gmmu_cache_bank_rests(m->bank[b]) && !x->back && !x->valid[0] && !x->valid[1]) {
      gmmu_cache_bank_skip(m->bank[b]);
      continue;
    }
    for (int p = 0; p < GMMU_CACHE_PORTS; p++) x->mem_ready[p] = taken[p] && g[p] == (int)b;
    x->back_bypassed = back.bypassed;
    x->back_id = back.id;
    x->back_beat = back.beat;
    for (uint32_t k = 0; k < GMMU_DEPTHS; k++) x->bypass[k] = in->bypass[k];
    gmmu_cache_bank_step(m->bank[b], x, &o->bank[b]);
  }
  for (int p = 0; p < GMMU_CACHE_PORTS; p++) {
    m->held[p] = g[p] >= 0 && !taken[p];
    m->held_bank[p] = (uint32_t)g[p];
    if (taken[p]) m->ptr[p] = ((uint32_t)g[p] + 1) % m->c.banks;
  }
  if (is_back) m->first = (m->first + 1) % ON_WAY, m->n--;
  if (o->dram.cmd.kind == GMMU_DRAM_RD) {
    uint32_t x = o->dram.cmd.payload;
    m->back[(m->first + m->n++) % ON_WAY] = (struct back){.at = gmmu_dram_data_at(m->dram),
                                                          .bank = x >> 26,
                                                          .bypassed = x >> 25 & 1,
                                                          .beat = x >> 24 & 1,
                                                          .id = x & 0xffffff};
  }
  m->now++;
}

uint32_t gmmu_channel_queued(const struct gmmu_channel *m, int queue) {
  return gmmu_dram_queued(m->dram, (enum gmmu_dram_class)queue);
}

void gmmu_channel_count(struct gmmu_l2_bypass *by, struct gmmu_bypass_turn *t, bool epoch,
                        const struct gmmu_channel_out *const *out, uint32_t channels,
                        uint32_t banks) {
  uint32_t n[GMMU_DEPTHS] = {0}, hits[GMMU_DEPTHS] = {0};
  if (epoch) {
    gmmu_l2_bypass_epoch(by);
    *t = (struct gmmu_bypass_turn){0};
    return;
  }
  for (uint32_t c = 0; c < channels; c++)
    for (uint32_t b = 0; b < banks; b++) {
      const struct gmmu_cache_bank_out *o = &out[c]->bank[b];
      n[o->counted_depth] += o->counted;
      hits[o->counted_depth] += o->counted_hit;
    }
  if (t->cycle == 0) t->wanted = gmmu_l2_bypass_wanted(by, 1 + t->before);
  if (++t->cycle == GMMU_BYPASS_TURN) {
    gmmu_l2_bypass_decide(by, 1 + t->before, t->wanted);
    t->before = (t->before + 1) % (GMMU_DEPTHS - 1);
    t->cycle = 0;
  }
  for (uint32_t d = 0; d < GMMU_DEPTHS; d++)
    if (n[d]) gmmu_l2_bypass_count(by, d, n[d], hits[d]);
}
