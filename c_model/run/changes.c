/* SPDX-License-Identifier: Apache-2.0 */
/* changes.c - changes of page tables while a run goes on (changes.h). The file: changes_file.c. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/changes_int.h"

static int take_demand(struct gmmu_changes *h, struct gmmu_err *err) {
  const struct gmmu_mapping *m = &h->space->demand;
  h->demand = calloc(m->n ? m->n : 1, sizeof *h->demand);
  if (!h->demand) return gmmu_fail(err, "out of memory");
  for (; h->num_demand < m->n; h->num_demand++) h->demand[h->num_demand].l = m->v[h->num_demand];
  return 0;
}

struct gmmu_changes *gmmu_changes_new(const struct gmmu_config *c, struct gmmu_space *s,
                                      const char *path, struct gmmu_err *err) {
  struct gmmu_changes *h = calloc(1, sizeof *h);
  FILE *f = NULL;
  if (!h) {
    gmmu_fail(err, "out of memory");
    return NULL;
  }
  h->path = path;
  h->c = c;
  h->bus = GMMU_IOBUS;
  h->space = s;
  int bad = take_demand(h, err);
  if (!bad && path && !(f = fopen(path, "r")))
    bad = gmmu_fail(err, "%s: %s", path, strerror(errno));
  if (!bad && path) bad = changes_read_file(h, f, err);
  if (f) fclose(f);
  if (bad) {
    gmmu_changes_free(h);
    return NULL;
  }
  gmmu_tables_begin(s->tables, &h->txn);
  h->stats.listed = h->num;
  return h;
}

void gmmu_changes_free(struct gmmu_changes *h) {
  if (!h) return;
  for (size_t i = 0; i < h->num_demand; i++) {
    struct touched *p, *next;
    HASH_ITER (hh, h->demand[i].pages, p, next) {
      HASH_DEL(h->demand[i].pages, p);
      free(p);
    }
  }
  free(h->demand);
  free(h->held);
  free(h->coming);
  free(h->list);
  free(h);
}

/* ---------------------------------------- the device's port */
static void start(void *self, const struct gmmu_software_run *r) {
  struct gmmu_changes *h = self;
  h->fe = r->fe;
  h->check = r->check;
  if (h->num_demand) gmmu_fe_set_replay(h->fe);
}

static void drive(void *self, struct gmmu_pins *pins) {
  const struct gmmu_changes *h = self;
  pins->inv = h->cmd;
  pins->inv.valid = h->state == ASKED;
}

static void finished(struct gmmu_changes *h) {
  gmmu_mapcheck_acknowledged(h->space->said, h->cycle);
  h->list[h->next].acknowledged = h->cycle;
  h->stats.done++;
  h->next++;
  h->writes_done = false;
}

static void sample(void *self, const struct gmmu_pins *pins, uint64_t cycle) {
  struct gmmu_changes *h = self;
  h->cycle = cycle;
  if (h->state == TAKEN && pins->inv_done) {
    h->state = IDLE;
    if (h->writes_done) finished(h); /* else the bits of a scan were cleared first */
  }
  if (h->state == ASKED && pins->inv_ready) h->state = TAKEN;
}

static void command(struct gmmu_changes *h, uint8_t kind, int asid, uint64_t va, uint64_t bytes) {
  h->cmd = (struct gmmu_inv_cmd){.valid = true,
                                 .kind = kind,
                                 .asid = (uint16_t)asid,
                                 .lo_vfn = va >> 12 & VFNS,
                                 .hi_vfn = (va + (bytes ? bytes - 1 : 0)) >> 12 & VFNS};
  h->state = ASKED;
  h->stats.commands++;
}

/* ---------------------------------------- changes */
/* What MESC's scan has said of the frames goes first: a walk may be on its way to the head of a
 * run. True: bits were cleared. */
static bool clear_scan(struct gmmu_changes *h, const struct gmmu_map_line *l) {
  uint64_t bits = h->space->env.frame_bits_in_rsw ? GMMU_PTE_AC_RSW : GMMU_PTE_AC;
  uint64_t va = l->va & ~(GMMU_LARGE_PAGE - 1ull), last = l->va + l->bytes - 1;
  struct gmmu_tables *t = h->space->tables;
  bool cleared = false;
  for (int i = 0; i < 8; i++) bits |= GMMU_PTE_C(i);
  for (; gmmu_tables_next_frame(t, l->asid, &va, last); va += GMMU_LARGE_PAGE) {
    uint64_t pte = gmmu_mem_read64(h->space->mem, gmmu_tables_pte_pa(t, l->asid, va, 1));
    struct gmmu_err ignore;
    if ((pte & GMMU_PTE_V) && !(pte & (GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X)) && (pte & bits)) {
      gmmu_tables_set_pte(t, l->asid, va, 1, pte & ~bits, &ignore);
      cleared = true;
    }
    if (last - va < GMMU_LARGE_PAGE) break;
  }
  return cleared;
}

static void forget_demand(struct gmmu_changes *h, const struct gmmu_map_line *l) {
  for (size_t i = 0; i < h->num_demand; i++) {
    struct demand *d = &h->demand[i];
    struct touched *p, *next;
    if (d->l.asid != l->asid) continue;
    HASH_ITER (hh, d->pages, p, next) {
      uint64_t va = d->l.va + (p->page << 12);
      if (va >= l->va && va - l->va < l->bytes && p->since != COMING) p->since = ABSENT;
    }
  }
}

static int write_ptes(struct gmmu_changes *h, const struct change *e, struct gmmu_err *err) {
  struct gmmu_tables *t = h->space->tables;
  const struct gmmu_map_line *l = &e->map;
  switch (e->kind) {
    case MAP: return gmmu_tables_map(t, l->asid, l->va, l->pa, l->bytes, l->bits, l->kind, err);
    case UNMAP: forget_demand(h, l); return gmmu_tables_unmap(t, l->asid, l->va, l->bytes, err);
    case COALESCE: return gmmu_tables_coalesce(t, l->asid, l->va, err);
    case SPLINTER: return gmmu_tables_splinter(t, l->asid, l->va, err);
    default: return 0;
  }
}

/* The same for the check that reads no table. */
static void tell(struct gmmu_changes *h, const struct change *e) {
  struct gmmu_mapcheck *m = h->space->said;
  const struct gmmu_map_line *l = &e->map;
  if (e->kind == MAP) gmmu_mapcheck_map(m, l);
  if (e->kind == UNMAP) gmmu_mapcheck_unmap(m, l->asid, l->va, l->bytes);
  if (e->kind == COALESCE || e->kind == SPLINTER)
    gmmu_mapcheck_frame(m, l->asid, l->va, e->kind == COALESCE);
}

static int next_change(struct gmmu_changes *h, struct gmmu_err *err) {
  struct change *e = &h->list[h->next];
  struct gmmu_err why = {""};
  if (!e->journal)
    gmmu_tables_forget(h->space->tables, &h->txn); /* what came before is acknowledged */
  if (!e->journal) e->journal = gmmu_tables_journal(h->space->tables) + 1;
  if (e->kind == INVALIDATE) {
    h->writes_done = true;
    command(h, e->inv, e->map.asid, e->map.va, e->map.bytes);
    return 0;
  }
  if (h->c->L2Unified && clear_scan(h, &e->map)) {
    uint64_t lo = e->map.va & ~(GMMU_LARGE_PAGE - 1ull),
             hi = (e->map.va + e->map.bytes - 1) | (GMMU_LARGE_PAGE - 1ull);
    command(h, GMMU_INV_RANGE, e->map.asid, lo, hi - lo + 1);
    return 0;
  }
  if (write_ptes(h, e, &why))
    return gmmu_fail(err, "%s:%d: in cycle %" PRIu64 ": %s", h->path, e->line, h->cycle + 1,
                     why.msg);
  tell(h, e);
  gmmu_check_forget(h->check);
  h->writes_done = true;
  if (e->kind == COALESCE) finished(h); /* what the TLBs hold stays right (Mosaic section 4.3) */
  else command(h, GMMU_INV_RANGE, e->map.asid, e->map.va, e->map.bytes);
  return 0;
}

/* ---------------------------------------- demand pages */
static struct demand *demand_of(struct gmmu_changes *h, uint64_t asid, uint64_t va,
                                uint64_t *page) {
  for (size_t i = 0; i < h->num_demand; i++) {
    struct demand *d = &h->demand[i];
    if ((uint64_t)d->l.asid == asid && va >= d->l.va && va - d->l.va < d->l.bytes)
      return *page = (va - d->l.va) >> 12, d;
  }
  return NULL;
}

/* When the page was mapped. The entry is made at the first touch. */
static uint64_t *since(struct demand *d, uint64_t page) {
  struct touched *p;
  HASH_FIND(hh, d->pages, &page, sizeof page, p);
  if (p) return &p->since;
  if (!(p = calloc(1, sizeof *p))) abort();
  p->page = page;
  p->since = ABSENT;
  HASH_ADD(hh, d->pages, page, sizeof p->page, p);
  return &p->since;
}

static void *grow(void *v, size_t n, size_t *cap, size_t size) {
  if (n < *cap) return v;
  *cap = *cap ? 2 * *cap : 256;
  if (!(v = realloc(v, *cap * size))) abort();
  return v;
}

static void ask(struct gmmu_changes *h, struct demand *d, uint64_t page) {
  double mhz = (double)h->c->CoreMhz,
         ns = gmmu_iobus_transfer(&h->bus, (double)h->cycle * 1000.0 / mhz, 4096);
  h->coming = grow(h->coming, h->first_coming + h->num_coming, &h->cap_coming, sizeof *h->coming);
  h->coming[h->first_coming + h->num_coming++] =
      (struct transfer){(size_t)(d - h->demand), page, (uint64_t)(ns * mhz / 1000.0) + 1};
  *since(d, page) = COMING;
}

static int arrive(struct gmmu_changes *h, struct gmmu_err *err) {
  while (h->num_coming && h->coming[h->first_coming].at <= h->cycle) {
    struct transfer t = h->coming[h->first_coming++];
    struct demand *d = &h->demand[t.line];
    struct gmmu_err why = {""};
    h->num_coming--;
    struct gmmu_map_line p = {d->l.asid,
                              d->l.va + (t.page << 12),
                              d->l.pa + (t.page << 12),
                              GMMU_PAGE,
                              d->l.bits,
                              GMMU_MAP_4K,
                              d->l.line,
                              d->l.file};
    if (gmmu_tables_map(h->space->tables, p.asid, p.va, p.pa, p.bytes, p.bits, p.kind, &why))
      return gmmu_fail(err, "%s:%d: a page on demand, in cycle %" PRIu64 ": %s", p.file, p.line,
                       h->cycle, why.msg);
    gmmu_mapcheck_came(h->space->said, &p);
    gmmu_check_forget(h->check);
    *since(d, t.page) = h->cycle;
    h->stats.transfers++;
  }
  size_t left = 0;
  for (size_t i = 0; i < h->num_held; i++) {
    struct held w = h->held[i];
    uint64_t page = 0;
    struct demand *d = demand_of(h, w.asid, w.va, &page);
    uint64_t *s = since(d, page);
    if (*s == ABSENT) ask(h, d, page); /* it came and went again */
    if (*s >= COMING) {
      h->held[left++] = w;
      continue;
    }
    h->stats.wait += h->cycle - w.since;
    gmmu_fe_retry(h->fe, w.sm, w.tag);
  }
  h->num_held = left;
  if (h->num_coming == 0) h->first_coming = 0;
  return 0;
}

/* A fault of a page that was absent when the request could still meet it. */
static bool demand_fault(struct gmmu_changes *h, const struct gmmu_fe_answer *a, bool *right) {
  uint64_t page;
  struct demand *d = a->rsp.cause == GMMU_PF_INVALID ? demand_of(h, a->asid, a->va, &page) : NULL;
  if (!d) return false;
  uint64_t s = *since(d, page);
  *right = a->rsp.pa == 0 && (s >= COMING || a->first <= s + gmmu_run_patience(h->c));
  if (s == ABSENT) ask(h, d, page);
  h->stats.faults++;
  h->held = grow(h->held, h->num_held, &h->cap_held, sizeof *h->held);
  h->held[h->num_held++] = (struct held){a->asid, a->va, h->cycle, a->sm, a->rsp.tag};
  return true;
}

/* ---------------------------------------- answers */
/* Right before a change that was not acknowledged before this cycle? */
static bool was_right(struct gmmu_changes *h, const struct gmmu_fe_answer *a) {
  char ignore[512];
  bool right = false;
  size_t last = h->next < h->num && h->list[h->next].journal ? h->next : h->next - 1;
  for (size_t i = last; i < h->num && !right && h->list[i].acknowledged >= h->cycle;
       i--) { /* below 0: SIZE_MAX */
    gmmu_tables_undo(h->space->tables, h->list[i].journal - 1);
    gmmu_check_forget(h->check);
    right = gmmu_check_answer(h->check, a, ignore, sizeof ignore);
    gmmu_tables_redo(h->space->tables, h->list[i].journal - 1);
    gmmu_check_forget(h->check);
  }
  return right;
}

static bool answer(void *self, const struct gmmu_fe_answer *a, bool *held, char *msg, size_t n) {
  struct gmmu_changes *h = self;
  bool right = true;
  *held = demand_fault(h, a, &right);
  if (*held) {
    gmmu_check_touch(h->check, a);
    if (!right)
      snprintf(msg, n,
               "SM %d tag %u asid %d va 0x%" PRIx64 ": a fault, but the page came long before",
               a->sm, a->rsp.tag, a->asid, a->va);
    return right;
  }
  right = gmmu_check_answer(h->check, a, msg, n);
  if (!right && was_right(h, a)) h->stats.superseded++, right = true;
  if (h->num_demand && a->rsp.cause != GMMU_OK)
    gmmu_fe_give_up(h->fe, a->sm, a->rsp.tag, a->rsp.cause, h->cycle);
  return right;
}

static int serve(void *self, struct gmmu_err *err) {
  struct gmmu_changes *h = self;
  if (h->num_demand && arrive(h, err)) return -1;
  while (h->state == IDLE && h->next < h->num) { /* a coalesce is done at once */
    const struct change *e = &h->list[h->next];
    if (!e->journal && (e->by_seq ? gmmu_fe_get_counts(h->fe)->requests : h->cycle + 1) < e->at)
      return 0;
    if (next_change(h, err)) return -1;
  }
  return 0;
}

static bool busy(void *self) {
  const struct gmmu_changes *h = self;
  return h->num_coming || h->state != IDLE;
}

struct gmmu_software gmmu_changes_software(struct gmmu_changes *h) {
  return (struct gmmu_software){h, start, drive, sample, answer, serve, busy};
}

void gmmu_changes_get_stats(const struct gmmu_changes *h, struct gmmu_changes_stats *s) {
  *s = h->stats;
}
