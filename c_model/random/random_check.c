/* SPDX-License-Identifier: Apache-2.0 */
/* Versions of pages and the check of answers. Rules: random_world.h. */
#include <string.h>

#include "random/random_world.h"

static int read_mem(void *arg, uint64_t pa, uint64_t *pte) {
  *pte = gmmu_mem_read64(arg, pa);
  return 0;
}

static bool same(const struct gmmu_xlate *a, const struct gmmu_xlate *b) {
  return a->cause == b->cause && a->pfn == b->pfn && a->r == b->r && a->w == b->w && a->x == b->x &&
         a->u == b->u && a->d == b->d && a->large == b->large && a->no_fill == b->no_fill;
}

/** Neither TLB keeps it: it reaches only those who wait. */
static bool kept_nowhere(const struct gmmu_xlate *x) { return x->cause != GMMU_OK || x->no_fill; }

static void kill(struct rw_world *w, struct rw_page *p, int i, uint64_t now) {
  if (p->n_dead == RW_DEAD) memmove(p->dead, p->dead + 1, (size_t)--p->n_dead * sizeof *p->dead);
  p->dead[p->n_dead] = p->v[i];
  p->dead[p->n_dead++].killed = now;
  memmove(p->v + i, p->v + i + 1, (size_t)(p->n - i - 1) * sizeof *p->v);
  p->n--;
  w->killed++;
}

/** Kills what only waiting requests could still have got. */
static void prune(struct rw_world *w, struct rw_page *p, uint64_t now) {
  uint64_t idle = p->outstanding ? p->last_idle : now;

  for (int i = p->n - 1; i >= 0; i--)
    if (p->v[i].until <= idle && kept_nowhere(&p->v[i].x) &&
        !(w->cfg->PwcEntries && p->v[i].pointer))
      kill(w, p, i, now);
  if (p->error_at <= idle) p->error_at = RW_NEVER;
}

/** Were the pointers on the old path left alone, so that only the PTE that it ended with changed?
 */
static bool same_pointers(const struct gmmu_xlate *old, const struct gmmu_xlate *now) {
  if (now->reads < old->reads) return false;
  for (int i = 0; i < old->reads; i++)
    if (old->pte_pa[i] != now->pte_pa[i]) return false;
  return true;
}

/** Svadu: did the path change by which the leaf is the page's own or another's? On page 0 the
 * addresses tell nothing. */
static bool other_path(const struct rw_world *w, const struct gmmu_xlate *old,
                       const struct gmmu_xlate *now) {
  return w->cfg->Svadu && (old->cause == GMMU_PF_ACCESSED || now->cause == GMMU_PF_ACCESSED ||
                           old->path != now->path);
}

static bool was_on_path(const struct rw_version *v, uint64_t pa) {
  for (int i = 0; i < RW_BEFORE; i++)
    if (v->before[i] == pa) return true;
  return false;
}

/** A walk under way may still be on the path by which a translation was reached before. */
static void keep_path(struct rw_version *v) {
  for (int i = 0; i < v->x.reads; i++)
    if (!was_on_path(v, v->x.pte_pa[i])) v->before[v->befores++ % RW_BEFORE] = v->x.pte_pa[i];
}

static bool is_on_path(const struct rw_version *v, uint64_t pa) {
  for (int i = 0; i < v->x.reads; i++)
    if (v->x.pte_pa[i] == pa) return true;
  return was_on_path(v, pa);
}

static void update(struct rw_world *w, struct rw_page *p, uint64_t now) {
  struct gmmu_xlate x;

  struct rw_version *v = p->n ? &p->v[p->n - 1] : NULL;

  gmmu_walk(rw_env(w), p->asid, p->vfn, read_mem, w->mem, &x);
  if (v && (!same_pointers(&v->x, &x) || other_path(w, &v->x, &x))) {
    v->pointer = true;
    v->moved = now;
  }
  if (v && same(&x, &v->x)) {
    keep_path(v);
    v->x = x; /* the path may have changed */
    return;
  }
  if (v) v->until = now;
  prune(w, p, now);
  if (p->n == RW_VERSIONS) { /* rw_room() avoids it */
    memmove(p->v, p->v + 1, (RW_VERSIONS - 1) * sizeof *p->v);
    p->n--;
  }
  p->v[p->n++] = (struct rw_version){.x = x, .from = now, .until = RW_NEVER};
}

bool rw_room(const struct rw_world *w, const struct rw_frame *f) {
  for (int i = 0; i < RW_HOT; i++)
    if (w->page[f->page[i]].n > RW_VERSIONS - 10) return false;
  return true;
}

void rw_update_frame(struct rw_world *w, const struct rw_frame *f, uint64_t now) {
  for (int i = 0; i < RW_HOT; i++) update(w, &w->page[f->page[i]], now);
}

void rw_update_space(struct rw_world *w, int space, uint64_t now) {
  for (int i = 0; i < RW_REGIONS * RW_FRAMES; i++)
    rw_update_frame(w, &w->space[space].frame[i], now);
}

static bool covered(const struct rw_world *w, const struct gmmu_inv_cmd *c, const struct rw_page *p,
                    bool large) {
  if (c->kind != GMMU_INV_ASID && c->kind != GMMU_INV_RANGE) return true;
  if (c->asid != p->asid) return false;
  if (c->kind == GMMU_INV_ASID) return true;
  if (large && w->kill_large_by_frame)
    return p->vfn >> 9 >= c->lo_vfn >> 9 && p->vfn >> 9 <= c->hi_vfn >> 9;
  return p->vfn >= c->lo_vfn && p->vfn <= c->hi_vfn;
}

void rw_pte_updated(struct rw_world *w, uint64_t pa, uint64_t now) {
  for (int k = 0; k < w->pages; k++) {
    struct rw_page *p = &w->page[k];
    for (int i = 0; i < p->n; i++)
      if (is_on_path(&p->v[i], pa)) {
        update(w, p, now);
        break;
      }
  }
}

void rw_acknowledged(struct rw_world *w, const struct rw_command *c, uint64_t now) {
  for (int k = 0; k < w->pages; k++) {
    struct rw_page *p = &w->page[k];
    for (int i = p->n - 1; i >= 0; i--) {
      struct rw_version *v = &p->v[i];
      if (v->moved <= c->accepted && covered(w, &c->c, p, false)) v->pointer = false;
      if (v->until <= c->accepted && covered(w, &c->c, p, v->x.large)) kill(w, p, i, now);
    }
    if (p->error_at <= c->accepted && covered(w, &c->c, p, false)) p->error_at = RW_NEVER;
  }
}

void rw_read_error(struct rw_world *w, uint64_t pa, uint64_t now) {
  for (int k = 0; k < w->pages; k++) {
    struct rw_page *p = &w->page[k];
    bool on_path = false;
    for (int i = 0; i < p->n && p->outstanding && !on_path; i++) on_path = is_on_path(&p->v[i], pa);
    if (on_path) p->error_at = now;
  }
}

void rw_accepted(struct rw_world *w, const struct rw_request *q, uint64_t now) {
  if (q->page < 0) return;
  if (w->page[q->page].outstanding++ == 0) w->page[q->page].last_idle = now;
}

static const struct gmmu_ctx *ctx_at(const struct rw_space *s, uint64_t t) {
  int i = s->n_log - 1;

  while (i > 0 && s->log[i].from > t) i--;
  return &s->log[i].ctx;
}

static bool canonical(uint64_t va, int mode) {
  int64_t high = (int64_t)va >> (mode == GMMU_MODE_SV48 ? 47 : 38);

  return high == 0 || high == -1;
}

static bool known_mode(const struct rw_world *w, int mode) {
  return mode == GMMU_MODE_SV39 || (mode == GMMU_MODE_SV48 && w->cfg->VaW == 48);
}

/** Fault that is decided when the request is accepted, or GMMU_OK. */
static int local_fault(const struct rw_world *w, const struct rw_request *q) {
  for (int i = 0; i < w->spaces; i++)
    if (w->space[i].asid == q->asid) {
      int mode = ctx_at(&w->space[i], q->accepted)->mode;
      if (!known_mode(w, mode)) return GMMU_UNKNOWN_ASID;
      return canonical(q->va, mode) ? GMMU_OK : GMMU_NON_CANONICAL;
    }
  return GMMU_UNKNOWN_ASID;
}

static bool is_fault(const struct gmmu_rsp *r, int cause) {
  return r->cause == cause && r->pa == 0 && !r->large;
}

static bool matches(const struct rw_world *w, const struct rw_request *q,
                    const struct gmmu_xlate *x, const struct gmmu_ctx *ctx,
                    const struct gmmu_rsp *r) {
  int cause = x->cause ? x->cause : gmmu_check_access(ctx, x, q->access, q->user);
  uint64_t pa = (x->pfn + (x->large ? (q->va >> 12 & 511) : 0)) << 12 | (q->va & 4095);

  if (cause) return is_fault(r, cause);
  /* A large translation is held large in both levels where both have the arrays; else either size.
   */
  return r->cause == GMMU_OK && r->pa == pa &&
         (r->large ? x->large : !(x->large && w->kill_large_by_frame));
}

/** The same for every SUM and MXR since the request was accepted. */
static bool matches_any(const struct rw_world *w, const struct rw_request *q,
                        const struct gmmu_xlate *x, const struct gmmu_rsp *r, uint64_t now) {
  const struct rw_space *s = &w->space[w->page[q->page].space];

  for (int i = s->n_log - 1; i >= 0; i--) {
    if (s->log[i].from <= now && matches(w, q, x, &s->log[i].ctx, r)) return true;
    if (s->log[i].from <= q->accepted) break;
  }
  return false;
}

static int append(char *msg, size_t n, int k, const struct rw_version *v) {
  char until[24] = "now";

  if (k < 0 || (size_t)k >= n) return k;
  if (v->until != RW_NEVER) snprintf(until, sizeof until, "%llu", (unsigned long long)v->until);
  if (v->x.cause)
    return k + snprintf(msg + k, n - (size_t)k, " [%s, %llu..%s]", gmmu_cause_name(v->x.cause),
                        (unsigned long long)v->from, until);
  return k + snprintf(msg + k, n - (size_t)k, " [pfn 0x%llx %s%s%s%s%s%s%s, %llu..%s]",
                      (unsigned long long)v->x.pfn, v->x.r ? "r" : "", v->x.w ? "w" : "",
                      v->x.x ? "x" : "", v->x.u ? "u" : "", v->x.d ? "d" : "",
                      v->x.large ? " 2m" : "", v->x.no_fill ? " dis" : "",
                      (unsigned long long)v->from, until);
}

static void describe(const struct rw_world *w, const struct rw_request *q, const struct gmmu_rsp *r,
                     uint64_t now, int local, char *msg, size_t n) {
  const struct rw_page *p = q->page >= 0 ? &w->page[q->page] : NULL;
  int k =
      snprintf(msg, n, "asid %d va 0x%llx %s %s accepted in %llu: got %s pa 0x%llx %s; expected",
               q->asid, (unsigned long long)q->va, gmmu_access_name(q->access),
               q->user ? "user" : "supervisor", (unsigned long long)q->accepted,
               gmmu_cause_name(r->cause), (unsigned long long)r->pa, r->large ? "2m" : "4k");

  if (local || !p) {
    snprintf(msg + k, n - (size_t)k, " %s", gmmu_cause_name(local));
    return;
  }
  for (int i = 0; i < p->n; i++) k = append(msg, n, k, &p->v[i]);
  for (int i = p->n_dead - 1; i >= 0; i--)
    if (matches_any(w, q, &p->dead[i].x, r, now) && (size_t)k < n) {
      k += snprintf(msg + k, n - (size_t)k,
                    "; this one was killed in cycle %llu:", (unsigned long long)p->dead[i].killed);
      append(msg, n, k, &p->dead[i]);
      break;
    }
}

int rw_answered(struct rw_world *w, const struct rw_request *q, const struct gmmu_rsp *r,
                uint64_t now, char *msg, size_t n) {
  struct rw_page *p = q->page >= 0 ? &w->page[q->page] : NULL;
  int local = local_fault(w, q), ok = 0;

  if (local || !p) {
    ok = is_fault(r, local) || (q->unknown && !local) ? 1 : 0;
  } else {
    prune(w, p, now);
    for (int i = p->n - 1; i >= 0 && !ok; i--)
      if (matches_any(w, q, &p->v[i].x, r, now)) ok = p->v[i].until == RW_NEVER ? 1 : 2;
    if (!ok && p->error_at != RW_NEVER && is_fault(r, GMMU_AF_MEM)) ok = 1;
  }
  if (!ok) describe(w, q, r, now, local, msg, n);
  if (p) p->outstanding--;
  return ok;
}
