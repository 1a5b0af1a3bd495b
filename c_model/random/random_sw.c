/* SPDX-License-Identifier: Apache-2.0 */
/* Software of the random bench. Rules: random_sw.h and random_world.h. */
#include "random/random_sw.h"

#include <string.h>

#include "random/random.h"
#include "random/random_ops.h"

static const char *const names[SW_KINDS] = {"leaf",  "frame",  "coalesce", "splinter", "region",
                                            "space", "toggle", "window",   "sum_mxr",  "spurious"};

const char *gmmu_random_sw_name(int k) { return k >= 0 && k < SW_KINDS ? names[k] : NULL; }

void sw_init(struct sw *s, struct rw_world *w) {
  memset(s, 0, sizeof *s);
  s->w = w;
  s->busy = 40;
  s->want = -1;
}

/* ---------------------------------------- running operations */
static struct sw_op *free_op(struct sw *s) {
  for (int i = 0; i < SW_OPS; i++)
    if (!s->op[i].active) return &s->op[i];
  return NULL;
}

static void update(struct sw *s, const struct sw_op *o, uint64_t now) {
  if (o->frame >= 0) rw_update_frame(s->w, &s->w->space[o->space].frame[o->frame], now);
  else rw_update_space(s->w, o->space, now);
}

static void finish(struct sw *s, struct sw_op *o) {
  struct rw_world *w = s->w;
  struct rw_space *sp = &w->space[o->space];

  for (int i = 0; i < o->num_old; i++) rw_table_free(w, o->old[i]);
  switch (o->kind) {
    case SW_LEAF:
      sp->frame[o->frame].leaf_ops--;
      if (o->alone) sp->frame[o->frame].locked = false;
      break;
    case SW_FRAME:
    case SW_COALESCE:
    case SW_SPLINTER:
      sp->frame[o->frame] = o->after[0];
      sp->frame[o->frame].locked = false;
      break;
    case SW_REGION:
      memcpy(&sp->frame[o->region * RW_FRAMES], o->after, sizeof o->after);
      sp->region_table[o->region] = o->after_table;
      sw_lock_frames(w, o->space, o->region, false);
      break;
    case SW_WINDOW:
      for (int i = 0; i < w->spaces; i++) sw_lock_frames(w, i, -1, false);
      break;
    default: sw_lock_frames(w, o->space, -1, false); break;
  }
  o->active = false;
}

static void enqueue(struct sw *s, const struct gmmu_inv_cmd *c) {
  s->queue[s->queued % SW_QUEUE].c = *c;
  s->queued++;
  s->commands[c->kind == GMMU_INV_ASID || c->kind == GMMU_INV_RANGE ? c->kind : GMMU_INV_ALL]++;
}

static void set_mode(struct sw *s, struct sw_op *o, int mode, uint64_t now) {
  rw_change_env(s->w)->ctx[s->w->space[o->space].asid].mode = mode;
  rw_ctx_changed(s->w, o->space, now);
  rw_update_space(s->w, o->space, now);
}

/** One step; false: not yet. */
static bool run_step(struct sw *s, struct sw_op *o, uint64_t now) {
  struct rw_world *w = s->w;
  const struct sw_step *t = &o->step[o->next];
  struct rw_space *sp = &w->space[o->space];
  struct gmmu_env *e;

  switch (t->type) {
    case ST_WRITE:
      gmmu_mem_write64(w->mem, t->addr, t->value);
      w->writes++;
      update(s, o, now);
      return true;
    case ST_INVALIDATE:
      if (s->queued - s->acknowledged >= SW_QUEUE) return false;
      enqueue(s, &t->cmd);
      o->ticket = s->queued;
      return true;
    case ST_WAIT: return s->acknowledged >= o->ticket;
    case ST_CTX_OFF:
      o->saved_mode = rw_env(w)->ctx[sp->asid].mode;
      set_mode(s, o, GMMU_MODE_OFF, now);
      return true;
    case ST_CTX_ON: set_mode(s, o, o->saved_mode, now); return true;
    case ST_CTX_NEW:
      e = rw_change_env(w);
      rw_release_space(w, o->space);
      e->ctx[sp->asid] = rw_random_space(w, o->space);
      sw_lock_frames(w, o->space, -1, true); /* new frames: stay locked until finish() */
      rw_ctx_changed(w, o->space, now);
      rw_update_space(w, o->space, now);
      return true;
    default:
      e = rw_change_env(w);
      if (t->type == ST_WIN_WALK) e->win[t->addr].walk = !e->win[t->addr].walk;
      else e->win[t->addr].data = !e->win[t->addr].data;
      for (int i = 0; i < w->spaces; i++) rw_update_space(w, i, now);
      return true;
  }
}

static void run_ops(struct sw *s, uint64_t now) {
  for (int i = 0; i < SW_OPS; i++) {
    struct sw_op *o = &s->op[i];
    while (o->active && o->at <= now) {
      if (o->next == o->steps) {
        finish(s, o);
        break;
      }
      if (!run_step(s, o, now)) break;
      o->next++;
      /* mostly close together, sometimes long after */
      o->at = now + (rw_chance(s->w, 40)   ? 0
                     : rw_chance(s->w, 90) ? rw_below(s->w, 12)
                                           : rw_below(s->w, 600));
    }
  }
}

static void start_frame_op(struct sw *s, struct sw_op *o) {
  struct rw_frame *f;
  bool ok;

  o->frame = (int)rw_below(s->w, RW_REGIONS * RW_FRAMES);
  f = &s->w->space[o->space].frame[o->frame];
  o->region = f->region;
  if (f->locked) return;
  if (f->kind == RW_COALESCED || (f->kind == RW_CONTIG && rw_chance(s->w, 50)))
    ok = sw_make_coalesce(s, o, f);
  else if (f->kind == RW_NORMAL || f->kind == RW_CONTIG)
    ok = (o->kind = rw_chance(s->w, 75) ? SW_LEAF : SW_FRAME) == SW_LEAF ? sw_make_leaf(s, o, f)
                                                                         : sw_make_frame(s, o, f);
  else ok = (o->kind = SW_FRAME, sw_make_frame(s, o, f));
  o->active = ok;
}

/** Nothing new is started where a large operation waits for quiet. */
static bool must_wait(const struct sw *s, int space) {
  return s->want == SW_WINDOW || (s->want >= 0 && s->want_space == space);
}

static bool start_wanted(struct sw *s, struct sw_op *o) {
  o->kind = s->want;
  o->space = s->want_space;
  if (o->kind == SW_REGION) o->region = (int)rw_below(s->w, RW_REGIONS);
  switch (o->kind) {
    case SW_REGION: return sw_make_region(s, o);
    case SW_SPACE: return sw_make_space(s, o);
    case SW_TOGGLE: return sw_make_toggle(s, o);
    default: return sw_make_window(s, o);
  }
}

static void start_op(struct sw *s, uint64_t now) {
  static const int large[] = {SW_REGION, SW_REGION, SW_SPACE, SW_SPACE, SW_TOGGLE, SW_WINDOW};
  struct rw_world *w = s->w;
  struct sw_op *o = free_op(s);

  if (!o) return;
  memset(o, 0, sizeof *o);
  o->frame = o->region = o->page = -1;
  o->at = now;
  if (s->want < 0 && rw_below(w, 100) < 5) {
    s->want = large[rw_below(w, 6)];
    s->want_space = (int)rw_below(w, (uint64_t)w->spaces);
    s->want_until = now + 20000; /* a region that no table reaches never becomes ready */
  }
  if (s->want >= 0) {
    o->active = start_wanted(s, o);
    if (o->active || now > s->want_until) s->want = -1;
  }
  if (!o->active) {
    memset(o, 0, sizeof *o);
    o->frame = o->region = o->page = -1;
    o->at = now;
    o->space = (int)rw_below(w, (uint64_t)w->spaces);
    if (!must_wait(s, o->space)) start_frame_op(s, o);
  }
  if (o->active) s->count[o->kind]++;
}

/** Things that need no invalidation: SUM and MXR, and commands that nobody needs. */
static void small_things(struct sw *s, uint64_t now) {
  struct rw_world *w = s->w;
  int space = (int)rw_below(w, (uint64_t)w->spaces);

  if (now - s->last_ctx_change > 700 && rw_below(w, 400) == 0) {
    struct gmmu_ctx *c = &rw_change_env(w)->ctx[w->space[space].asid];
    c->sum = rw_chance(w, 50);
    c->mxr = rw_chance(w, 50);
    rw_ctx_changed(w, space, now);
    s->last_ctx_change = now;
    s->count[SW_SUM_MXR]++;
  }
  if (rw_below(w, 4000) == 0 && s->queued - s->acknowledged < SW_QUEUE / 2) {
    uint64_t vfn = w->page[rw_below(w, (uint64_t)w->pages)].vfn;
    struct gmmu_inv_cmd c =
        sw_covering(w, space, vfn, sw_clamp(vfn + (rw_chance(w, 50) ? rw_below(w, 3000) : 0)));
    if (c.kind == GMMU_INV_RANGE &&
        rw_chance(w, 10)) { /* no page: the first one is behind the last */
      uint64_t lo = c.lo_vfn;
      c.lo_vfn = sw_clamp(c.hi_vfn + 1 + rw_below(w, 600));
      c.hi_vfn = lo;
    }
    enqueue(s, &c);
    s->count[SW_SPURIOUS]++;
  }
}

void sw_before(struct sw *s, uint64_t now) {
  s->w->env_changed = false;
  run_ops(s, now);
  if (s->stop) return;
  small_things(s, now);
  if (rw_below(s->w, s->busy) == 0) start_op(s, now);
}

void sw_drive(const struct sw *s, struct gmmu_pins *p, uint64_t now) {
  p->inv.valid = false;
  if (s->accepted < s->queued && now >= s->hold_until) {
    p->inv = s->queue[s->accepted % SW_QUEUE].c;
    p->inv.valid = true;
  }
}

int sw_after(struct sw *s, const struct gmmu_pins *p, uint64_t now) {
  if (p->inv_done) {
    if (s->acknowledged == s->accepted) return -1;
    rw_acknowledged(s->w, &s->queue[s->acknowledged++ % SW_QUEUE], now);
  }
  if (p->inv.valid && p->inv_ready) {
    s->queue[s->accepted++ % SW_QUEUE].accepted = now;
    s->hold_until = s->at_once || rw_chance(s->w, 70) ? now + 1 : now + rw_below(s->w, 300);
  }
  return 0;
}

bool sw_idle(const struct sw *s) {
  for (int i = 0; i < SW_OPS; i++)
    if (s->op[i].active) return false;
  return s->acknowledged == s->queued;
}

bool sw_may_command(const struct sw *s) {
  return s->queued == s->accepted && s->queued - s->acknowledged < SW_QUEUE;
}

void sw_command(struct sw *s, const struct gmmu_inv_cmd *c) { enqueue(s, c); }

int sw_hot_page(struct sw *s) {
  struct rw_world *w = s->w;
  const struct sw_op *o = &s->op[rw_below(w, SW_OPS)];
  int frame = o->frame;

  if (!o->active) return -1;
  if (o->page >= 0 && rw_chance(w, 80)) return o->page;
  if (frame < 0)
    frame = o->region >= 0 ? o->region * RW_FRAMES + (int)rw_below(w, RW_FRAMES)
                           : (int)rw_below(w, RW_REGIONS * RW_FRAMES);
  return w->space[o->space].frame[frame].page[rw_below(w, RW_HOT)];
}
