/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c - simulated time. Applications and kernels run on threads that take turns: one runs at a
 * time, until it waits for something; who waits looks for another that can go on, and when there is
 * none lets the next event happen. So a run depends on nothing but its inputs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdm/gdm_int.h"

#define LIVELOCK 20000000 /* events in which nobody could go on: transfers that undo each other */

static _Thread_local struct part *me;
static _Thread_local struct gdm_ctx *outside_current; /* of a thread that is no application */

struct part *gdm_me(struct gdm *g) { return me && me->g == g ? me : &g->outside; }
struct gdm_ctx *gdm_current(void) { return me ? me->current : outside_current; }
int gdm_ctx_set_current(struct gdm_ctx *ctx) {
  if (me) me->current = ctx;
  else outside_current = ctx;
  return GDM_SUCCESS;
}

uint64_t gdm_now(const struct gdm *g) { return g->now; }
uint64_t gdm_bytes_ns(uint64_t bytes, uint64_t rate) {
  return (uint64_t)((unsigned __int128)bytes * 1000000000u / rate);
}

static bool before(const struct event *a, const struct event *b) {
  return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

void gdm_at(struct gdm *g, uint64_t at, event_fn fn, void *arg) {
  if (g->events == g->event_room) {
    g->event_room = g->event_room ? 2 * g->event_room : 64;
    struct event *more = realloc(g->heap, g->event_room * sizeof *more);
    if (!more) abort();
    g->heap = more;
  }
  size_t i = g->events++;
  struct event e = {at, g->seq++, fn, arg};
  for (; i > 0 && before(&e, &g->heap[(i - 1) / 2]); i = (i - 1) / 2)
    g->heap[i] = g->heap[(i - 1) / 2];
  g->heap[i] = e;
}

static bool step(struct gdm *g) {
  if (!g->events) return false;
  struct event first = g->heap[0], last = g->heap[--g->events];
  size_t i = 0;
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= g->events) break;
    if (child + 1 < g->events && before(&g->heap[child + 1], &g->heap[child])) child++;
    if (!before(&g->heap[child], &last)) break;
    g->heap[i] = g->heap[child];
    i = child;
  }
  g->heap[i] = last;
  g->now = first.at;
  first.fn(g, first.arg);
  return true;
}

static void nobody_goes_on(const struct gdm *g) {
  fprintf(stderr, "gdm: at %" PRIu64 " ns nobody can go on:\n", g->now);
  for (const struct part *p = g->parts; p; p = p->next)
    if (!p->ended) fprintf(stderr, "gdm:   %s waits: %s\n", p->name, p->why ? p->why : "?");
  for (const struct gdm_ctx *c = g->ctxs; c; c = c->next)
    for (const struct op *o = c->ops; o; o = o->next)
      fprintf(stderr, "gdm:   ASID %u has a %s in state %d\n", c->asid,
              o->kind == OP_COPY ? "copy" : o->code.name, (int)o->state);
  fprintf(stderr,
          "gdm:   %" PRIu64 " of %" PRIu64
          " pages free, %u blocks in the LRU section, %u in the COST section\n",
          g->free_frames, g->total_frames, g->lru.n, g->cost.n);
  abort();
}

/* Gives the turn to q and waits for it to come back to p (not if p has ended). */
static void hand_over(struct gdm *g, struct part *p, struct part *q) {
  pthread_mutex_lock(&g->lock);
  g->turn = q;
  pthread_cond_signal(&q->turn);
  while (!p->ended && g->turn != p) pthread_cond_wait(&p->turn, &g->lock);
  pthread_mutex_unlock(&g->lock);
}

/* Lets others and time go on until p is ready or, when it has ended, somebody else has the turn. */
static void go_on(struct gdm *g, struct part *p) {
  uint64_t events = 0;
  while (p->ended || !p->ready(p->arg)) {
    struct part *q = g->parts;
    while (q && (q == p || q->ended || !q->ready || !q->ready(q->arg))) q = q->next;
    if (q) {
      hand_over(g, p, q);
      if (p->ended) return;
      events = 0;
    } else if (!step(g) || ++events == LIVELOCK) {
      nobody_goes_on(g);
    }
  }
}

void gdm_wait(struct gdm *g, bool (*ready)(void *arg), void *arg, const char *why) {
  struct part *p = gdm_me(g);
  p->ready = ready;
  p->arg = arg;
  p->why = why;
  go_on(g, p);
  p->ready = NULL;
}

struct alarm {
  struct gdm *g;
  uint64_t at;
};
static bool rings(void *arg) {
  struct alarm *a = arg;
  return a->g->now >= a->at;
}
static void nothing(struct gdm *g, void *arg) { (void)g, (void)arg; }
void gdm_delay(struct gdm *g, uint64_t ns) {
  struct alarm a = {g, g->now + ns};
  if (ns == 0) return;
  gdm_at(g, a.at, nothing, NULL);
  gdm_wait(g, rings, &a, "its own time");
}

static bool always(void *arg) { return (void)arg, true; }
static void *thread_main(void *arg) {
  struct part *p = arg;
  struct gdm *g = p->g;
  me = p;
  pthread_mutex_lock(&g->lock);
  while (g->turn != p) pthread_cond_wait(&p->turn, &g->lock);
  pthread_mutex_unlock(&g->lock);
  p->ready = NULL;
  p->main(p->main_arg);
  for (struct gdm_ctx *c = g->ctxs, *next; c; c = next) {
    next = c->next;
    if (c->owner == p) gdm_ctx_destroy(c);
  }
  p->ended = true;
  g->apps_left--;
  go_on(g, p);
  return NULL;
}

void gdm_start_part(struct gdm *g, struct part *p, bool first) {
  p->g = g;
  p->ready = always;
  pthread_cond_init(&p->turn, NULL);
  struct part **at = &g->parts;
  while (!first && *at) at = &(*at)->next;
  p->next = *at;
  *at = p;
  g->apps_left++;
  p->has_thread = !pthread_create(&p->thread, NULL, thread_main, p);
  if (!p->has_thread) abort();
}

int gdm_app_start(struct gdm *g, const char *name, void (*main)(void *arg), void *arg) {
  struct part *p = calloc(1, sizeof *p);
  if (!p) return GDM_ERROR_OUT_OF_MEMORY;
  snprintf(p->name, sizeof p->name, "%s", name);
  p->main = main;
  p->main_arg = arg;
  gdm_start_part(g, p, false);
  return GDM_SUCCESS;
}

static bool all_ended(void *arg) {
  struct gdm *g = arg;
  return g->apps_left == g->c.kernel_engines;
}
void gdm_run(struct gdm *g) { gdm_wait(g, all_ended, g, "the end of all applications"); }

void gdm_cpu(uint64_t ns) {
  struct gdm_ctx *c = gdm_current();
  struct gdm *g = me ? me->g : c ? c->g : NULL;
  if (!g) return;
  if (g->c.jitter_ppm) {
    uint64_t span = ns / 1000000 * g->c.jitter_ppm + ns % 1000000 * g->c.jitter_ppm / 1000000;
    ns = ns - span + (span ? gmmu_rng_below(&g->rng, 2 * span + 1) : 0);
  }
  if (c) c->stats.cpu_ns += ns;
  gdm_delay(g, ns);
}

void gdm_tell(struct gdm *g, int kind, unsigned engine, unsigned asid, uint64_t start,
              uint64_t bytes, const char *name) {
  struct gdm_event e = {kind, engine, asid, start, g->now, bytes, name};
  if (g->c.event) g->c.event(g->c.event_arg, &e);
}

int gdm_sim_init(struct gdm *g) {
  pthread_mutex_init(&g->lock, NULL);
  pthread_cond_init(&g->outside.turn, NULL);
  g->outside.g = g;
  snprintf(g->outside.name, sizeof g->outside.name, "the caller");
  g->parts = g->turn = &g->outside;
  gmmu_rng_seed(&g->rng, g->c.seed);
  for (unsigned i = 0; i < g->c.kernel_engines; i++) {
    struct engine *e = &g->engine[i];
    e->g = g;
    e->index = i;
    snprintf(e->worker.name, sizeof e->worker.name, "kernel engine %u", i);
    e->worker.main = gdm_kernel_main;
    e->worker.main_arg = e;
    gdm_start_part(g, &e->worker, true);
  }
  return 0;
}

static bool none_left(void *arg) { return ((struct gdm *)arg)->apps_left == 0; }
void gdm_sim_end(struct gdm *g) {
  g->quit = true;
  gdm_wait(g, none_left, g, "the end of the kernel engines");
  for (struct part *p = g->parts, *next; p; p = next) {
    next = p->next;
    if (p->has_thread) pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->turn);
    bool app = p != &g->outside;
    for (unsigned i = 0; i < g->c.kernel_engines; i++) app = app && p != &g->engine[i].worker;
    if (app) free(p);
  }
  pthread_mutex_destroy(&g->lock);
  free(g->heap);
}
