/* SPDX-License-Identifier: Apache-2.0 */
/* throughput.c - see throughput.h. */
#include "run/throughput.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "run/pte_mem.h"

#define VA_BASE 0x40000000ull
#define TABLE_LO 0x100ull
#define TABLE_HI 0x4fffull
#define DATA_PFN 0x8000ull
#define MAX_PAGES (48 * 1024u)
#define MAX_TAGS 65536u

struct sm {
  struct gmmu_rng rng;
  uint64_t next;      /* page counter */
  uint16_t *free_tag; /* stack */
  uint32_t nfree;
  uint64_t *va, *since; /* by tag */
  struct gmmu_req req;
};

struct bench {
  const struct gmmu_config *c;
  enum gmmu_stream stream;
  struct gmmu_env env;
  struct gmmu_mem *mem;
  struct sm sm[GMMU_MAX_SMS];
  uint64_t walk_page; /* one counter for all SMs, so that no two ask for the same new page */
  uint32_t pages;
};

/* Pages of one SM in a hit stream fit its arrays; in an L2 stream all SMs go round the same pages.
 */
static uint64_t next_va(struct bench *b, unsigned s) {
  struct sm *m = &b->sm[s];
  uint64_t page = 0;
  switch (b->stream) {
    case GMMU_STREAM_HIT: page = gmmu_rng_below(&m->rng, b->pages); break;
    case GMMU_STREAM_L2:
      page = (m->next++ + s * (b->pages / (unsigned)b->c->NumSms)) % b->pages;
      break;
    case GMMU_STREAM_WALK: page = b->walk_page++ % b->pages; break;
  }
  return VA_BASE + page * GMMU_PAGE + (gmmu_rng_next(&m->rng) & 0xff8);
}

static void present(struct bench *b, unsigned s, uint64_t cycle) {
  struct sm *m = &b->sm[s];
  if (m->req.valid || m->nfree == 0) return;
  m->req = (struct gmmu_req){.valid = true, .user = true, .access = GMMU_READ, .va = next_va(b, s)};
  m->req.tag = m->free_tag[--m->nfree];
  m->va[m->req.tag] = m->req.va;
  m->since[m->req.tag] = cycle;
}

static int setup(struct bench *b, bool coalesced, struct gmmu_err *err) {
  const struct gmmu_config *c = b->c;
  uint32_t tags = 1u << c->TagW;
  struct gmmu_tables *t;
  int rc;
  gmmu_env_from_config(&b->env, c);
  b->env.win[0] = (struct gmmu_window){TABLE_LO, TABLE_HI, true, false};
  if (c->NumWindows > 1)
    b->env.win[1] = (struct gmmu_window){DATA_PFN, DATA_PFN + MAX_PAGES - 1, false, true};
  else b->env.win[0] = (struct gmmu_window){TABLE_LO, DATA_PFN + MAX_PAGES - 1, true, true};
  b->mem = gmmu_mem_new();
  t = b->mem ? gmmu_tables_new(b->mem, &b->env, TABLE_LO, TABLE_HI) : NULL;
  if (!t) return gmmu_fail(err, "out of memory");
  rc = gmmu_tables_add_asid(t, 0, c->Mode == 48 ? GMMU_MODE_SV48 : GMMU_MODE_SV39, true, err);
  if (rc == 0)
    rc =
        gmmu_tables_map(t, 0, VA_BASE, DATA_PFN << 12, (uint64_t)MAX_PAGES * GMMU_PAGE,
                        GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_U | GMMU_PTE_A | GMMU_PTE_D,
                        coalesced ? GMMU_MAP_COALESCED : GMMU_MAP_4K, err);
  gmmu_tables_free(t);
  for (unsigned s = 0; rc == 0 && s < (unsigned)c->NumSms; s++) {
    struct sm *m = &b->sm[s];
    gmmu_rng_seed(&m->rng, s + 1);
    m->free_tag = malloc(tags * sizeof *m->free_tag);
    m->va = calloc(tags, sizeof *m->va);
    m->since = calloc(tags, sizeof *m->since);
    if (!m->free_tag || !m->va || !m->since) return gmmu_fail(err, "out of memory");
    for (uint32_t i = 0; i < tags; i++) m->free_tag[i] = (uint16_t)i;
    m->nfree = tags;
  }
  return rc;
}

static void release(struct bench *b) {
  for (unsigned s = 0; s < GMMU_MAX_SMS; s++) {
    free(b->sm[s].free_tag);
    free(b->sm[s].va);
    free(b->sm[s].since);
  }
  gmmu_mem_free(b->mem);
}

/* Takes the handshakes of one SM. */
static void step_sm(struct bench *b, unsigned s, uint64_t cycle, struct gmmu_pins *p, bool count,
                    struct gmmu_throughput *o) {
  struct sm *m = &b->sm[s];
  const struct gmmu_rsp *r = &p->rsp[s];
  if (m->req.valid && p->req_ready[s]) {
    m->since[m->req.tag] = cycle;
    m->req.valid = false;
    o->lookups += count;
  }
  if (!r->valid) return;
  uint64_t latency = cycle - m->since[r->tag];
  uint64_t pa = m->va[r->tag] - VA_BASE + (DATA_PFN << 12);
  o->wrong += r->cause != GMMU_OK || r->pa != pa;
  m->free_tag[m->nfree++] = r->tag;
  if (!count) return;
  o->answers++;
  o->latency_sum += latency;
  if (latency > o->latency_max) o->latency_max = latency;
}

static void count_events(const struct gmmu_events *ev, struct gmmu_throughput *o) {
  for (int i = 0; i < 2; i++) {
    if (!ev->l2.port[i].valid) continue;
    o->l2_lookups++;
    o->l2_misses += ev->l2.port[i].outcome >= GMMU_L2_MISS_ALLOC;
  }
  o->walks += ev->walk.step_done;
}

int gmmu_throughput_check(const struct gmmu_config *c, enum gmmu_stream stream,
                          struct gmmu_err *err) {
  if (c->Ideal) return gmmu_fail(err, "Ideal = 1 has no TLBs to keep busy");
  if (stream == GMMU_STREAM_L2 && c->L2Entries < 2)
    return gmmu_fail(err, "stream l2 needs L2 entries of single pages: L2Entries is %lld",
                     (long long)c->L2Entries);
  return 0;
}

int gmmu_throughput_run(const struct gmmu_config *c, struct gmmu_dut *dut, bool coalesced,
                        enum gmmu_stream stream, uint32_t walk_latency, uint64_t cycles,
                        struct gmmu_throughput *out, struct gmmu_err *err) {
  struct bench *b = calloc(1, sizeof *b);
  struct gmmu_pte_mem *mem = calloc(1, sizeof *mem);
  struct gmmu_pins *p = calloc(1, sizeof *p);
  struct gmmu_events *ev = calloc(1, sizeof *ev);
  const uint64_t warm = 20000;
  int base = INT_MAX;
  int rc = -1;
  memset(out, 0, sizeof *out);
  if (!b || !mem || !p || !ev) {
    gmmu_fail(err, "out of memory");
    goto end;
  }
  b->c = c;
  b->stream = stream;
  /* Half of the smallest base array; or three quarters of the L2, which must be more than one L1
   * holds. */
  for (int s = 0; s < c->NumSms; s++)
    if (gmmu_config_l1_base(c, s) < base) base = gmmu_config_l1_base(c, s);
  b->pages = stream == GMMU_STREAM_HIT  ? (uint32_t)(base > 1 ? base / 2 : 1)
             : stream == GMMU_STREAM_L2 ? (uint32_t)c->L2Entries * 3 / 4
                                        : MAX_PAGES;
  if (gmmu_throughput_check(c, stream, err) || setup(b, coalesced, err)) goto end;
  gmmu_pte_mem_init(mem, b->mem, walk_latency, 0, 1);
  mem->lines = c->LineAnswers != 0;
  p->env = &b->env;
  dut->reset(dut->h, p);
  p->env_changed = true;
  p->mem_req_ready = true;
  for (uint64_t t = 0; t < warm + cycles; t++) {
    bool count = t >= warm;
    for (unsigned s = 0; s < (unsigned)c->NumSms; s++) {
      present(b, s, t);
      p->req[s] = b->sm[s].req;
      p->rsp_ready[s] = true;
    }
    gmmu_pte_mem_drive(mem, t, p);
    dut->eval(dut->h, p);
    for (unsigned s = 0; s < (unsigned)c->NumSms; s++) step_sm(b, s, t, p, count, out);
    gmmu_pte_mem_step(mem, t, p);
    if (count && mem->n > out->most_outstanding) out->most_outstanding = mem->n;
    dut->clock(dut->h, p, ev);
    p->env_changed = false;
    if (count) count_events(ev, out);
  }
  out->cycles = cycles;
  rc = out->wrong ? gmmu_fail(err, "%llu wrong answers", (unsigned long long)out->wrong) : 0;
end:
  if (b) release(b);
  free(b);
  free(mem);
  free(p);
  free(ev);
  return rc;
}
