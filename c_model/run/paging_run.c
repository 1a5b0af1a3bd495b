/* SPDX-License-Identifier: Apache-2.0 */
/* paging_run.c - faults, transfers and invalidations of a run above the memory manager. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/paging_int.h"

static void start(void *self, const struct gmmu_software_run *r) {
  struct gmmu_paging *p = self;
  p->run = *r;
  p->live = true;
  gmmu_fe_set_replay(r->fe);
}

static void drive(void *self, struct gmmu_pins *pins) {
  const struct gmmu_paging *p = self;
  pins->inv = p->cmd;
  pins->inv.valid = p->state == ASKED;
}

static void sample(void *self, const struct gmmu_pins *pins, uint64_t cycle) {
  struct gmmu_paging *p = self;
  p->cycle = cycle;
  if (p->state == TAKEN && pins->inv_done) p->state = IDLE;
  if (p->state == ASKED && pins->inv_ready) p->state = TAKEN;
}

static bool add(struct paging_list *l, const struct paging_held *h) {
  if (l->n == l->cap) {
    size_t cap = l->cap ? 2 * l->cap : 256;
    struct paging_held *v = realloc(l->v, cap * sizeof *v);
    if (!v) return false;
    l->v = v;
    l->cap = cap;
  }
  l->v[l->n++] = *h;
  return true;
}

static bool may(unsigned perms, const struct gmmu_fe_answer *a) {
  const unsigned need = a->access == GMMU_READ    ? GMMU_DRV_R
                        : a->access == GMMU_EXEC  ? GMMU_DRV_X
                        : a->access == GMMU_WRITE ? GMMU_DRV_W
                                                  : GMMU_DRV_R | GMMU_DRV_W;
  return (perms & need) == need && (!a->user || perms & GMMU_DRV_U);
}

/* The fault of an access that no paging helps: outside the allocations, or not permitted. GMMU_OK:
 * none. */
static int hopeless(const struct gmmu_paging *p, const struct gmmu_fe_answer *a,
                    enum gmmu_mm_where w, unsigned perms, bool stale) {
  const int64_t top = (int64_t)a->va >> (p->env->ctx[a->asid].mode == GMMU_MODE_SV48 ? 47 : 38);
  if (top != 0 && top != -1) return GMMU_NON_CANONICAL;
  if (w == GMMU_MM_NOT_ALLOCATED && !stale) return GMMU_PF_INVALID;
  return may(perms, a)                                                   ? GMMU_OK
         : a->rsp.cause == GMMU_PF_INVALID && w < GMMU_MM_HERE && !stale ? GMMU_PF_INVALID
                                                                         : GMMU_PERM;
}

static bool answer(void *self, const struct gmmu_fe_answer *a, bool *held, char *msg, size_t n) {
  struct gmmu_paging *p = self;
  uint64_t pa = 0;
  bool stale;
  enum gmmu_mm_where w = gmmu_mm_where(p->mm, a->asid, a->va, &pa);
  const unsigned perms = gmmu_mm_perms(p->mm, a->asid, a->va, &stale, &pa);
  const int cause = hopeless(p, a, w, perms, stale);
  bool fault = a->rsp.cause != GMMU_OK, right;
  /* The manager's state changes only after the acknowledgement, so an old translation is right as
   * long as it may be used; a fault may be answered to a walk that began before the page was
   * mapped. */
  if (cause) right = a->rsp.cause == cause && a->rsp.pa == 0;
  else
    right = fault ? a->rsp.cause == GMMU_PF_INVALID && a->rsp.pa == 0 && !stale
                  : (w >= GMMU_MM_COMING || stale) && a->rsp.pa == pa;
  if (!right)
    snprintf(msg, n,
             "SM %d tag %u asid %d va 0x%" PRIx64 " %s: expected %s pa 0x%" PRIx64
             ", got %s pa 0x%" PRIx64,
             a->sm, a->rsp.tag, a->asid, a->va, gmmu_access_name(a->access), gmmu_cause_name(cause),
             cause ? 0 : pa, gmmu_cause_name(a->rsp.cause), a->rsp.pa);
  gmmu_check_touch(p->run.check, a);
  *held = fault && !cause;
  if (fault && cause) gmmu_fe_give_up(p->run.fe, a->sm, a->rsp.tag, a->rsp.cause, p->cycle);
  if (!*held) return right;
  struct paging_held h = {.f = {.va = a->va,
                                .cause = a->rsp.cause,
                                .access = a->access,
                                .asid = a->asid,
                                .user = a->user},
                          .since = p->cycle,
                          .sm = a->sm,
                          .tag = a->rsp.tag};
  p->stats.faults++;
  if (!add(&p->fresh, &h)) p->failed = true;
  return right;
}

static void replay(struct gmmu_paging *p, const struct paging_held *h) {
  p->stats.wait += p->cycle - h->since;
  gmmu_fe_retry(p->run.fe, h->sm, h->tag);
}

/* Accesses whose page is there now go on. Called before anything can page it out again. */
static void wake(struct gmmu_paging *p) {
  size_t n = 0;
  uint64_t pa;
  for (size_t i = 0; i < p->waiting.n; i++) {
    struct paging_held h = p->waiting.v[i];
    if (gmmu_mm_where(p->mm, h.f.asid, h.f.va, &pa) == GMMU_MM_HERE) replay(p, &h);
    else p->waiting.v[n++] = h;
  }
  p->waiting.n = n;
}

static int cannot(struct gmmu_err *err, const char *what, const struct gmmu_drv_fault *f, int e) {
  return gmmu_fail(err, "%s, ASID %u, address 0x%" PRIx64 ": %s", what, f->asid, f->va,
                   gmmu_mm_error_name(e));
}

static int serve_all(struct gmmu_paging *p, struct gmmu_err *err) {
  bool arrived = false;
  while (p->num_coming && p->coming[p->first_coming].at <= p->cycle) {
    struct paging_transfer t = p->coming[p->first_coming];
    p->first_coming = (p->first_coming + 1) % p->cap_coming;
    p->num_coming--;
    int e = gmmu_mm_arrived(p->mm, t.asid, t.va);
    if (e)
      return cannot(err, "a page that arrived",
                    &(struct gmmu_drv_fault){.asid = t.asid, .va = t.va}, e);
    arrived = true;
  }
  if (arrived) wake(p);
  for (size_t i = 0; i < p->fresh.n; i++) { /* grows while commands run */
    struct paging_held h = p->fresh.v[i];
    if (gmmu_mm_fault(p->mm, &h.f) == GMMU_DRV_RESOLVED) {
      replay(p, &h);
      continue;
    }
    int why = gmmu_mm_last_fault(p->mm);
    if (why && (why != GMMU_MM_NO_MEMORY || !p->num_coming))
      return cannot(err, "a fault", &h.f, why);
    if (why == 0 && !add(&p->waiting, &h)) p->failed = true;
    if (why) { /* every page of memory is on its way: asks again when something has arrived */
      memmove(p->fresh.v, p->fresh.v + i, (p->fresh.n - i) * sizeof *p->fresh.v);
      p->fresh.n -= i;
      return 0;
    }
  }
  p->fresh.n = 0;
  return p->failed ? gmmu_fail(err, "out of memory") : 0;
}

static int serve(void *self, struct gmmu_err *err) {
  struct gmmu_paging *p = self;
  int e = serve_all(p, err);
  if (p->stalled) gmmu_fe_stall(p->run.fe, p->stalled = false);
  return e;
}

int gmmu_paging_settle(struct gmmu_paging *p, struct gmmu_err *err) {
  while (p->num_coming) {
    if (p->run.advance(p->run.arg)) return gmmu_fail(err, "the run cannot go on");
    if (serve(p, err)) return -1;
  }
  return 0;
}

static bool busy(void *self) {
  const struct gmmu_paging *p = self;
  return p->num_coming || p->copying || p->state != IDLE;
}

struct gmmu_software gmmu_paging_software(struct gmmu_paging *p) {
  return (struct gmmu_software){p, start, drive, sample, answer, serve, busy};
}

void gmmu_paging_get_stats(const struct gmmu_paging *p, struct gmmu_paging_stats *s) {
  *s = p->stats;
  gmmu_mm_get_stats(p->mm, &s->mm);
  /* what was asked for and will leave only after the run does not count */
  const double now = paging_now_ns(p), later = p->bus.free_ns > now ? p->bus.free_ns - now : 0;
  s->bus_busy = p->cycle ? (p->bus_ns - later) / now : 0;
}
