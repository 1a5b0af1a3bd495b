/* SPDX-License-Identifier: Apache-2.0 */
/* Applications, launches and the dispatch of thread blocks. Rules: frontend.h. */
#include "frontend/frontend.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/sm.h"

struct app {
  const struct gmmu_trace *trace;
  int first, number;      /* its SMs */
  int next_sm;            /* round robin, relative to first */
  uint32_t launch, block; /* running launch; next block to dispatch */
  uint32_t done;          /* finished blocks of this launch */
  uint64_t age;
  struct gmmu_fe_progress progress;
};

struct gmmu_fe {
  struct gmmu_config cfg;
  struct gmmu_fe_counts n;
  int num_apps, num_sms;
  bool restart, stalled;
  uint64_t passes; /* runs of its trace until an application has ended */
  uint64_t stall;  /* cycles of this stall so far */
  struct app *app;
  struct fe_sm *sm;
};

static bool trace_done(const struct app *a) {
  return a->launch >= gmmu_trace_num_launches(a->trace);
}

/** Gives blocks to SMs with room; `now` is the first cycle in which their warps may use a port. */
static void dispatch(struct gmmu_fe *f, struct app *a, uint64_t now) {
  uint32_t warps = gmmu_trace_warps_per_block(a->trace, a->launch);
  uint32_t blocks = gmmu_trace_blocks(a->trace, a->launch);

  while (a->block < blocks) {
    int k = 0;
    struct fe_sm *s = NULL;
    for (; k < a->number; k++) {
      s = &f->sm[a->first + (a->next_sm + k) % a->number];
      if (s->blocks_free && s->warps_free >= warps) break;
    }
    if (k == a->number) return;
    fe_sm_place(s, a->trace, a->launch, a->block, warps, now, &a->age);
    a->block++;
    a->next_sm = (a->next_sm + k + 1) % a->number;
  }
}

/** The trace has run: once more for its other passes, or if another application has not ended yet.
 */
static void ended(struct gmmu_fe *f, struct app *a, uint64_t now) {
  a->progress.runs++;
  if (a->progress.runs == f->passes) a->progress.first_end = now;
  if (a->progress.runs >= f->passes && (!f->restart || gmmu_fe_done(f))) return;
  if (gmmu_trace_num_ops(a->trace)) a->launch = a->block = a->done = 0;
  else a->progress.runs = f->passes; /* nothing in it takes time */
}

/** Wakes warps, retires blocks and dispatches new ones until nothing more happens in cycle `now`.
 */
static void settle(struct gmmu_fe *f, struct app *a, uint64_t now) {
  bool again = true;

  while (again) {
    again = false;
    for (int i = 0; i < a->number; i++) {
      struct fe_sm *s = &f->sm[a->first + i];
      fe_sm_wake(s, now);
      if (s->blocks_done) {
        a->done += s->blocks_done;
        s->blocks_done = 0;
        again = true;
      }
    }
    while (!trace_done(a) && a->done == gmmu_trace_blocks(a->trace, a->launch)) {
      a->launch++;
      a->block = a->done = 0;
      again = true;
      if (trace_done(a)) {
        ended(f, a, now);
        break;
      }
    }
    if (again && !trace_done(a)) dispatch(f, a, now);
  }
}

/** A block that fits no SM would wait for ever; blocks without warps never finish. */
static int check_trace(const struct gmmu_config *c, const struct gmmu_fe_app *a,
                       struct gmmu_err *err) {
  const struct gmmu_trace *t = a->trace;

  for (uint32_t l = 0; l < gmmu_trace_num_launches(t); l++) {
    uint32_t w = gmmu_trace_warps_per_block(t, l);
    if (gmmu_trace_blocks(t, l) && (w == 0 || w > (uint64_t)c->WarpsPerSm))
      return gmmu_fail(err,
                       "%s: a block of kernel %s has %u warps, an SM holds 1 to %lld (WarpsPerSm)",
                       a->path ? a->path : gmmu_trace_app(t), gmmu_trace_kernel(t, l), w,
                       (long long)c->WarpsPerSm);
  }
  return 0;
}

struct gmmu_fe *gmmu_fe_new(const struct gmmu_config *c, const struct gmmu_fe_app *apps, int napps,
                            bool restart, struct gmmu_err *err) {
  struct gmmu_fe *f;
  int share = napps > 0 ? (int)c->NumSms / napps : 0, first = 0, given = 0, sum = 0;

  if (share < 1) {
    gmmu_fail(err, "%d applications need at least as many SMs; NumSms is %lld", napps,
              (long long)c->NumSms);
    return NULL;
  }
  for (int i = 0; i < napps; i++) {
    given += apps[i].sms != 0;
    sum += apps[i].sms;
  }
  if (given && (given != napps || sum > (int)c->NumSms)) {
    gmmu_fail(err, "SMs are given for %d of %d applications, %d in all; NumSms is %lld", given,
              napps, sum, (long long)c->NumSms);
    return NULL;
  }
  for (int i = 0; i < napps; i++)
    if (check_trace(c, &apps[i], err)) return NULL;
  f = calloc(1, sizeof *f);
  if (!f) goto nomem;
  f->cfg = *c;
  f->app = calloc((size_t)napps, sizeof *f->app);
  f->sm = calloc((size_t)c->NumSms, sizeof *f->sm);
  if (!f->app || !f->sm) goto nomem;
  f->num_sms = (int)c->NumSms;
  for (int i = 0; i < f->num_sms; i++)
    if (fe_sm_init(&f->sm[i], c)) goto nomem;
  f->num_apps = napps;
  f->restart = restart;
  f->passes = 1;
  for (int i = 0; i < napps; i++) {
    struct app *a = &f->app[i];
    a->trace = apps[i].trace;
    a->first = first;
    a->number = given ? apps[i].sms : share + (i == 0 ? f->num_sms % napps : 0);
    first += a->number;
    for (int k = 0; k < a->number; k++) f->sm[a->first + k].asid = (uint16_t)apps[i].asid;
    if (!trace_done(a)) dispatch(f, a, 0);
    else a->progress.runs = 1; /* an empty trace */
  }
  for (int i = 0; i < napps; i++) { settle(f, &f->app[i], 0); }
  for (int i = 0; i < f->num_sms; i++) fe_sm_issue(&f->sm[i], c, &f->n, 0);
  return f;

nomem:
  gmmu_fe_free(f);
  gmmu_fail(err, "out of memory");
  return NULL;
}

void gmmu_fe_set_passes(struct gmmu_fe *f, uint64_t passes) {
  f->passes = passes;
  for (int i = 0; i < f->num_apps; i++) /* an empty trace has ended */
    if (f->app[i].progress.runs) f->app[i].progress.runs = passes;
}

void gmmu_fe_free(struct gmmu_fe *f) {
  if (!f) return;
  for (int i = 0; f->sm && i < f->num_sms; i++) fe_sm_free(&f->sm[i]);
  free(f->sm);
  free(f->app);
  free(f);
}

void gmmu_fe_drive(const struct gmmu_fe *f, struct gmmu_pins *p) {
  for (int i = 0; i < f->num_sms; i++) {
    const struct fe_sm *s = &f->sm[i];
    struct gmmu_req *r = &p->req[i];
    p->rsp_ready[i] = true;
    r->valid = s->port.presenting;
    if (!r->valid) continue;
    r->user = true;
    const struct fe_tag *g = &s->tag[s->port.tag];
    r->access = g->access;
    r->asid = s->asid;
    r->warp = (uint16_t)(g->warp & ((1u << f->cfg.WarpW) - 1));
    r->tag = s->port.tag;
    r->va = g->va;
  }
}

int gmmu_fe_step(struct gmmu_fe *f, uint64_t cycle, const struct gmmu_pins *p,
                 struct gmmu_fe_answer *ans) {
  int n = 0;

  for (int i = 0; i < f->num_sms; i++)
    if (fe_sm_pins(&f->sm[i], &f->cfg, &f->n, cycle + 1, p->req_ready[i], &p->rsp[i], &ans[n]))
      ans[n++].sm = (uint16_t)i;
  if (f->stalled) {
    f->stall++;
    return n;
  }
  for (int i = 0; i < f->num_apps; i++) settle(f, &f->app[i], cycle + 1);
  for (int i = 0; i < f->num_sms; i++) fe_sm_issue(&f->sm[i], &f->cfg, &f->n, cycle + 1);
  return n;
}

void gmmu_fe_set_memory(struct gmmu_fe *f, struct gmmu_memsys *m) {
  for (int i = 0; i < f->num_sms; i++) {
    f->sm[i].mem = m;
    f->sm[i].index = i;
  }
}

void gmmu_fe_set_replay(struct gmmu_fe *f) {
  for (int i = 0; i < f->num_sms; i++) f->sm[i].replay = true;
}

void gmmu_fe_retry(struct gmmu_fe *f, int sm, uint16_t tag) { fe_sm_retry(&f->sm[sm], tag); }

void gmmu_fe_give_up(struct gmmu_fe *f, int sm, uint16_t tag, int cause, uint64_t cycle) {
  fe_sm_give_up(&f->sm[sm], &f->cfg, &f->n, tag, cause, cycle);
}

void gmmu_fe_data(struct gmmu_fe *f, int sm, uint32_t token, uint64_t cycle) {
  fe_sm_data(&f->sm[sm], &f->n, token, cycle + 1);
}

void gmmu_fe_stall(struct gmmu_fe *f, bool on) {
  if (f->stalled && !on)
    for (int i = 0; i < f->num_sms; i++) fe_sm_later(&f->sm[i], f->stall);
  f->stalled = on;
  f->stall = 0;
}

bool gmmu_fe_ok(const struct gmmu_fe *f) {
  for (int i = 0; i < f->num_sms; i++)
    if (f->sm[i].failed) return false;
  return true;
}

bool gmmu_fe_done(const struct gmmu_fe *f) {
  for (int i = 0; i < f->num_apps; i++)
    if (f->app[i].progress.runs < f->passes) return false;
  return true;
}

bool gmmu_fe_computing(const struct gmmu_fe *f) {
  for (int i = 0; i < f->num_sms; i++)
    if (f->sm[i].next_wake != FE_NEVER) return true;
  return false;
}

const struct gmmu_fe_counts *gmmu_fe_get_counts(const struct gmmu_fe *f) { return &f->n; }

struct gmmu_fe_sm_state gmmu_fe_sm(const struct gmmu_fe *f, int sm) {
  const struct fe_sm *s = &f->sm[sm];
  struct gmmu_fe_sm_state r = {.oldest_seq = UINT64_MAX, .presenting = s->port.presenting};

  for (uint32_t t = 0; t < s->tags; t++) {
    const struct fe_tag *g = &s->tag[t];
    if (!g->busy || (s->port.presenting && s->port.tag == t)) continue;
    r.outstanding++;
    if (g->seq < r.oldest_seq) {
      r.oldest_seq = g->seq;
      r.oldest_va = g->va;
      r.oldest_since = g->accepted;
      r.oldest_asid = s->asid;
      r.oldest_tag = (uint16_t)t;
    }
  }
  return r;
}

struct gmmu_fe_progress gmmu_fe_app_progress(const struct gmmu_fe *f, int app) {
  return f->app[app].progress;
}

void gmmu_fe_share(const struct gmmu_fe *f, int app, int *first, int *number) {
  *first = f->app[app].first;
  *number = f->app[app].number;
}
