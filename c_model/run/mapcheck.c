/* SPDX-License-Identifier: Apache-2.0 */
#include "run/mapcheck.h"

#include <stdlib.h>
#include <string.h>

#define VFNS ((1ull << 36) - 1)
#define FRAME 512u
#define SUB 64u
#define NEVER UINT64_MAX

/* Pages that follow one another in both spaces. `first` is asid << 36 | VFN. */
struct run {
  uint64_t first, pages, pfn;
  uint8_t bits;  /* V to D of the leaves */
  bool large;    /* 2 MiB pages or coalesced frames */
  bool one_leaf; /* ... the latter: one PTE stands for the frame, and hardware sets no A or D */
  bool unsure;   /* hardware may have set A and D before the frame was coalesced */
};
struct list {
  struct run *v;
  size_t n, cap;
};
/* What a range was before a change. */
struct past {
  uint64_t first, pages, acknowledged;
  struct list was;
};
struct gmmu_mapcheck {
  const struct gmmu_env *env;
  struct list now; /* ascending */
  struct past *past;
  size_t num_past, cap_past;
};

/* ---------------------------------------- lists */
static void *grown(void *v, size_t n, size_t *cap, size_t size) {
  if (n < *cap) return v;
  *cap = *cap ? 2 * *cap : 64;
  if (!(v = realloc(v, *cap * size))) abort(); /* a checker that forgets would be worse */
  return v;
}

/* Puts a run at place `at`. */
static void insert(struct list *l, size_t at, struct run r) {
  l->v = grown(l->v, l->n, &l->cap, sizeof *l->v);
  memmove(&l->v[at + 1], &l->v[at], (l->n++ - at) * sizeof r);
  l->v[at] = r;
}

/* Behind all others; one run with the last one if it goes on where that ends. */
static void append(struct list *l, struct run r) {
  struct run *p = l->n ? &l->v[l->n - 1] : NULL;
  if (p && p->first + p->pages == r.first && r.first & VFNS && p->pfn + p->pages == r.pfn &&
      p->bits == r.bits && p->large == r.large && p->one_leaf == r.one_leaf &&
      p->unsure == r.unsure)
    p->pages += r.pages;
  else insert(l, l->n, r);
}

/* Place of the first run that ends behind `page`. */
static size_t place(const struct list *l, uint64_t page) {
  size_t lo = 0, hi = l->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (l->v[mid].first + l->v[mid].pages <= page) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static const struct run *find(const struct list *l, uint64_t page) {
  size_t i = place(l, page);
  return i < l->n && l->v[i].first <= page ? &l->v[i] : NULL;
}

static struct run part(const struct run *r, uint64_t first, uint64_t end) {
  struct run p = *r;
  p.first = first;
  p.pages = end - first;
  p.pfn += first - r->first;
  return p;
}

/* Makes a border between two runs at `page`. */
static void cut(struct list *l, uint64_t page) {
  size_t i = place(l, page);
  if (i == l->n || l->v[i].first >= page) return;
  struct run r = l->v[i];
  l->v[i].pages = page - r.first;
  insert(l, i + 1, part(&r, page, r.first + r.pages));
}

/* Takes [first, first + pages) out, in pieces. */
static struct list take(struct list *l, uint64_t first, uint64_t pages) {
  struct list out = {0};
  cut(l, first);
  cut(l, first + pages);
  size_t a = place(l, first), b = place(l, first + pages);
  for (size_t i = a; i < b; i++) insert(&out, out.n, l->v[i]);
  memmove(&l->v[a], &l->v[b], (l->n - b) * sizeof *l->v);
  l->n -= b - a;
  return out;
}

static void put(struct list *l, const struct list *add) {
  for (size_t i = 0; i < add->n; i++) insert(l, place(l, add->v[i].first), add->v[i]);
}

/* ---------------------------------------- the lines */
static uint64_t page_of(int asid, uint64_t va) { return (uint64_t)asid << 36 | (va >> 12 & VFNS); }

static struct run run_of(const struct gmmu_map_line *l) {
  bool one = l->kind == GMMU_MAP_COALESCED;
  return (struct run){page_of(l->asid, l->va),
                      l->bytes >> 12,
                      l->pa >> 12,
                      (uint8_t)l->bits,
                      one || l->kind == GMMU_MAP_2M,
                      one,
                      false};
}

static int by_first(const void *a, const void *b) {
  uint64_t x = ((const struct run *)a)->first, y = ((const struct run *)b)->first;
  return (x > y) - (x < y);
}

/* MESC's Algorithm 1: do `pages` pages follow one another, in 4 KiB leaves of equal permissions? */
static bool contiguous(const struct list *l, uint64_t first, uint64_t pages) {
  const uint8_t perms = GMMU_PTE_R | GMMU_PTE_W | GMMU_PTE_X | GMMU_PTE_U | GMMU_PTE_G;
  size_t i = place(l, first);
  uint64_t page = first;
  if (i == l->n || l->v[i].first > first || l->v[i].large) return false;
  const struct run *head = &l->v[i];
  for (; page < first + pages; page = l->v[i].first + l->v[i].pages, i++) {
    if (i == l->n) return false;
    const struct run *r = &l->v[i];
    if (r->first > page || r->large || (r->bits ^ head->bits) & perms ||
        r->pfn - r->first != head->pfn - head->first)
      return false;
  }
  return true;
}

static struct list scanned(const struct gmmu_env *e, const struct list *l) {
  struct list out = {0};
  for (size_t i = 0; i < l->n; i++) {
    const struct run *r = &l->v[i];
    const uint64_t end = r->first + r->pages;
    const uint8_t marks = GMMU_PTE_A | (r->bits & GMMU_PTE_W ? GMMU_PTE_D : 0);
    bool ext = e->ctx[r->first >> 36].ext, done = r->large || !ext || (r->bits & marks) == marks;
    for (uint64_t page = r->first, next; page < end; page = next) {
      next = done ? end : (page | (SUB - 1)) + 1;
      if (next > end) next = end;
      struct run p = part(r, page, next);
      bool whole = e->frame_bits_in_rsw; /* there are no bits for subregions: the frame must be
                                            contiguous as a whole */
      uint64_t unit = whole ? FRAME : SUB;
      if (!done && contiguous(l, page & ~(unit - 1), unit)) p.bits |= marks;
      append(&out, p);
    }
  }
  return out;
}

struct gmmu_mapcheck *gmmu_mapcheck_new(const struct gmmu_env *env, const struct gmmu_mapping *maps,
                                        int num, bool scan, struct gmmu_err *err) {
  struct gmmu_mapcheck *m = calloc(1, sizeof *m);
  struct list all = {0};
  if (!m) {
    gmmu_fail(err, "out of memory");
    return NULL;
  }
  m->env = env;
  for (int i = 0; i < num; i++)
    for (size_t k = 0; k < maps[i].n; k++)
      if (maps[i].v[k].kind != GMMU_MAP_DEMAND) append(&all, run_of(&maps[i].v[k]));
  if (all.n) qsort(all.v, all.n, sizeof *all.v, by_first);
  for (size_t i = 0; i < all.n; i++) append(&m->now, all.v[i]);
  free(all.v);
  if (scan) {
    struct list l = scanned(env, &m->now);
    free(m->now.v);
    m->now = l;
  }
  return m;
}

void gmmu_mapcheck_free(struct gmmu_mapcheck *m) {
  if (!m) return;
  for (size_t i = 0; i < m->num_past; i++) free(m->past[i].was.v);
  free(m->past);
  free(m->now.v);
  free(m);
}

/* ---------------------------------------- changes */
void gmmu_mapcheck_came(struct gmmu_mapcheck *m, const struct gmmu_map_line *l) {
  struct run r = run_of(l);
  struct list one = {&r, 1, 1};
  put(&m->now, &one);
}

/* Takes a range out and keeps it as what was there. */
static const struct list *change(struct gmmu_mapcheck *m, uint64_t first, uint64_t pages) {
  m->past = grown(m->past, m->num_past, &m->cap_past, sizeof *m->past);
  struct past *p = &m->past[m->num_past++];
  *p = (struct past){first, pages, NEVER, take(&m->now, first, pages)};
  return &p->was;
}

void gmmu_mapcheck_map(struct gmmu_mapcheck *m, const struct gmmu_map_line *l) {
  change(m, page_of(l->asid, l->va), l->bytes >> 12);
  gmmu_mapcheck_came(m, l);
}

void gmmu_mapcheck_unmap(struct gmmu_mapcheck *m, int asid, uint64_t va, uint64_t bytes) {
  change(m, page_of(asid, va), bytes >> 12);
}

void gmmu_mapcheck_frame(struct gmmu_mapcheck *m, int asid, uint64_t va, bool coalesced) {
  const struct list *was = change(m, page_of(asid, va & ~(GMMU_LARGE_PAGE - 1ull)), FRAME);
  for (size_t i = 0; i < was->n; i++) {
    struct run r = was->v[i];
    struct list one = {&r, 1, 1};
    r.large = r.one_leaf = coalesced;
    r.unsure = m->env->svadu && (coalesced || r.unsure);
    put(&m->now, &one);
  }
}

void gmmu_mapcheck_acknowledged(struct gmmu_mapcheck *m, uint64_t cycle) {
  for (size_t i = m->num_past; i-- > 0 && m->past[i].acknowledged == NEVER;)
    m->past[i].acknowledged = cycle;
}

/* Forgets what no answer of `cycle` or later may be. */
static void forget(struct gmmu_mapcheck *m, uint64_t cycle) {
  size_t k = 0;
  while (k < m->num_past && m->past[k].acknowledged < cycle) free(m->past[k++].was.v);
  if (k) memmove(m->past, m->past + k, (m->num_past -= k) * sizeof *m->past);
}

/* ---------------------------------------- answers */
static bool in_window(const struct gmmu_env *e, uint64_t lo, uint64_t hi) {
  for (int i = 0; i < e->num_windows; i++)
    if (e->win[i].data && e->win[i].lo_pfn <= lo && hi <= e->win[i].hi_pfn) return true;
  return false;
}

static bool may(const struct gmmu_ctx *c, uint8_t bits, int access, bool user) {
  bool r = bits & GMMU_PTE_R, w = bits & GMMU_PTE_W, x = bits & GMMU_PTE_X, u = bits & GMMU_PTE_U;
  if (user ? !u : u && (!c->sum || access == GMMU_EXEC)) return false;
  return access == GMMU_READ    ? r || (x && c->mxr)
         : access == GMMU_WRITE ? w
         : access == GMMU_EXEC  ? x
                                : r && w;
}

/* The cause that a page of the run answers with; *pa if there is none. */
static int cause_of(const struct gmmu_env *e, const struct run *r, const struct gmmu_fe_answer *a,
                    uint64_t *pa) {
  uint64_t page = page_of(a->asid, a->va);
  bool store = a->access == GMMU_WRITE || a->access == GMMU_AMO, sets = e->svadu && !r->one_leaf;
  uint64_t pfn = r->pfn + (page - r->first), lo = pfn, hi = pfn;
  if (r->large && e->large_answers) lo &= ~(FRAME - 1ull), hi |= FRAME - 1ull;
  if (!(r->bits & GMMU_PTE_A) && !sets) return GMMU_PF_ACCESSED;
  if (!in_window(e, lo, hi)) return GMMU_AF_PPN_WINDOW;
  if (!may(&e->ctx[a->asid], r->bits, a->access, a->user)) return GMMU_PERM;
  if (store && !(r->bits & GMMU_PTE_D) && !sets) return GMMU_PF_DIRTY;
  *pa = pfn << 12 | (a->va & 4095);
  return GMMU_OK;
}

/* Does the answer agree with a run (NULL: nothing is mapped)? Otherwise says so in cause and pa. */
static bool agrees(const struct gmmu_env *e, const struct run *r, const struct gmmu_fe_answer *a,
                   int *cause, uint64_t *pa) {
  const struct gmmu_ctx *c = a->asid < (unsigned)e->num_asids ? &e->ctx[a->asid] : NULL;
  *pa = 0;
  if (!c || c->mode == GMMU_MODE_OFF || (c->mode == GMMU_MODE_SV48 && e->va_w < 48))
    *cause = GMMU_UNKNOWN_ASID;
  else {
    int64_t top = (int64_t)a->va >> (c->mode == GMMU_MODE_SV48 ? 47 : 38);
    *cause = top != 0 && top != -1 ? GMMU_NON_CANONICAL
             : !r                  ? GMMU_PF_INVALID
                                   : cause_of(e, r, a, pa);
  }
  if (a->rsp.cause == *cause && a->rsp.pa == *pa) return true;
  if (!r || !r->unsure || *cause == GMMU_NON_CANONICAL) return false;
  struct run marked = *r;
  marked.unsure = false;
  marked.bits |= GMMU_PTE_A | (marked.bits & GMMU_PTE_W ? GMMU_PTE_D : 0);
  return agrees(e, &marked, a, cause, pa);
}

bool gmmu_mapcheck_answer(struct gmmu_mapcheck *m, const struct gmmu_fe_answer *a, uint64_t cycle,
                          char *msg, size_t n) {
  uint64_t page = page_of(a->asid, a->va), pa, old_pa;
  const struct run *r = find(&m->now, page);
  int cause, old;
  forget(m, cycle);
  if (agrees(m->env, r, a, &cause, &pa)) return true;
  for (size_t i = m->num_past; i-- > 0;) {
    const struct past *p = &m->past[i];
    if (page - p->first >= p->pages) continue;
    if (agrees(m->env, find(&p->was, page), a, &old, &old_pa)) return true;
  }
  snprintf(msg, n,
           "SM %d tag %u asid %d va 0x%llx %s: by the mapping lines %s pa 0x%llx, got %s pa 0x%llx",
           a->sm, a->rsp.tag, a->asid, (unsigned long long)a->va, gmmu_access_name(a->access),
           gmmu_cause_name(cause), (unsigned long long)pa, gmmu_cause_name(a->rsp.cause),
           (unsigned long long)a->rsp.pa);
  return false;
}
