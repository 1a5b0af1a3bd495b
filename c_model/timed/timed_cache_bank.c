/* SPDX-License-Identifier: Apache-2.0 */
/* timed_cache_bank.c - see timed_cache_bank.h. Everything is decided on what the registers hold as
 * the cycle begins. */
#include "timed/timed_cache_bank.h"

#include <stdlib.h>
#include <string.h>

#include "timed/timed_cache_queue.h"

struct waiter {
  uint8_t port;
  uint32_t id;
};
struct mshr {
  bool write;
  uint16_t app;
  uint32_t got; /* bit per piece */
  uint32_t n;
  struct waiter w[GMMU_CACHE_MAX_WAITERS];
};
/* Fetches that wait for miss_latency, in order: each has an MSHR, so there is room. */
struct late {
  struct gmmu_cache_mem e[GMMU_CACHE_MAX_MSHRS];
  uint64_t due[GMMU_CACHE_MAX_MSHRS];
  uint32_t first, n;
};
struct gmmu_cache_bank {
  struct gmmu_cache_bank_cfg c;
  struct gmmu_l2_cache *array;
  uint64_t now;
  struct gmmu_cache_req fifo[GMMU_CACHE_PORTS][GMMU_CACHE_FIFO];
  uint32_t n[GMMU_CACHE_PORTS];
  uint32_t in_word, out_word;
  bool b_valid, c_valid, d_valid; /* stages B and C; D, of a read that hit */
  int b_port, c_port, d_port, last_port;
  bool c_around; /* as the request's depth was in stage B */
  bool c_stale;  /* picked while the tags of its set were about to change */
  uint32_t d_id;
  bool changed; /* stage C has written or dropped a line in the cycle before */
  uint64_t changed_line;
  bool counted, counted_hit; /* for the bypass decision, in the cycle behind stage C */
  uint32_t counted_depth;
  struct mshr m[GMMU_CACHE_MAX_MSHRS];
  uint64_t line[GMMU_CACHE_MAX_MSHRS];
  /* MSHRs, a bit each: free; a line is on its way; of those all pieces are there, and it is not
   * among those that are to be filled */
  uint64_t unused, fetching, finished;
  struct mem_queue tq, fetch, wb;
  struct late late[GMMU_CACHE_PORTS];
  bool fetch_held; /* a fetch of data is offered and was not taken */
  bool ready;      /* an MSHR whose pieces are all there is chosen */
  uint32_t ready_one;
  bool f1, f2, f3, f4, f5;
  uint32_t fill, served; /* fill: also the one whose waiters are served */
  bool serving;
  struct gmmu_cache_mem victim;
  bool victim_valid;
  int fill_way;
  struct answers ans[GMMU_CACHE_PORTS], by;
  bool ans_held; /* the offered answer of translations was not taken */
  bool rests;
};

struct gmmu_cache_bank *gmmu_cache_bank_new(const struct gmmu_cache_bank_cfg *c) {
  struct gmmu_cache_bank *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->c = *c;
  if (!c->words) b->c.words = 1;
  b->last_port = GMMU_CACHE_D;
  b->unused = c->mshrs < 64 ? (1ull << c->mshrs) - 1 : ~0ull;
  b->array = gmmu_l2_cache_new(c->sets, c->ways, c->linear);
  if (!b->array) {
    free(b);
    return NULL;
  }
  return b;
}

void gmmu_cache_bank_free(struct gmmu_cache_bank *b) {
  if (!b) return;
  gmmu_l2_cache_free(b->array);
  free(b);
}

/* ---------------------------------------- what is offered */
static bool ripe(const struct gmmu_cache_bank *b, const struct answers *a) {
  return a->n && b->now >= oldest(a)->entered + b->c.latency - 4;
}

static bool offers_bypassed(const struct gmmu_cache_bank *b) { return b->by.n && !b->ans_held; }

void gmmu_cache_bank_offers(const struct gmmu_cache_bank *b, struct gmmu_cache_bank_out *o) {
  *o = (struct gmmu_cache_bank_out){.way = -1, .in_word = b->in_word, .out_word = b->out_word};
  for (int p = 0; p < GMMU_CACHE_PORTS; p++) {
    o->ready[p] = b->n[p] < GMMU_CACHE_FIFO;
    o->rsp_valid[p] = ripe(b, &b->ans[p]);
    o->rsp_id[p] = oldest(&b->ans[p])->id;
  }
  if (offers_bypassed(b)) {
    o->rsp_valid[GMMU_CACHE_T] = true;
    o->rsp_id[GMMU_CACHE_T] = oldest(&b->by)->id;
  }
  if (b->tq.n) {
    o->mem[GMMU_CACHE_T] = *head(&b->tq);
    o->mem[GMMU_CACHE_T].valid = true;
    if (head(&b->tq)->kind == GMMU_CACHE_FETCH) o->mem[GMMU_CACHE_T].beat = (uint8_t)b->tq.sent;
  }
  const struct mem_queue *q = b->wb.n && !b->fetch_held ? &b->wb : &b->fetch;
  if (q->n) {
    o->mem[GMMU_CACHE_D] = *head(q);
    o->mem[GMMU_CACHE_D].valid = true;
    o->mem[GMMU_CACHE_D].beat = (uint8_t)q->sent;
  }
}

static void pop_mem(struct gmmu_cache_bank *b, struct mem_queue *q) {
  bool whole = q == &b->tq && head(q)->kind != GMMU_CACHE_FETCH;
  if (!whole && ++q->sent < b->c.beats) return;
  q->sent = 0;
  q->first = (q->first + 1) % MAX_SLOTS;
  q->n--;
}

/* ---------------------------------------- stage C */
static struct mshr *on_its_way(struct gmmu_cache_bank *b, uint64_t line) {
  for (uint64_t left = b->fetching; left; left &= left - 1) {
    const uint32_t i = (uint32_t)__builtin_ctzll(left);
    if (b->line[i] == line) return &b->m[i];
  }
  return NULL;
}

static void push_mem(struct mem_queue *q, enum gmmu_cache_mem_kind kind,
                     const struct gmmu_cache_req *r, uint32_t id) {
  *append(q) = (struct gmmu_cache_mem){
      .kind = kind, .line = r->line, .beat = r->beat, .app = r->app, .id = id};
}

static void fetch_late(struct gmmu_cache_bank *b, int port, const struct gmmu_cache_req *r,
                       uint32_t id) {
  struct late *l = &b->late[port];
  const uint32_t at = (l->first + l->n++) % GMMU_CACHE_MAX_MSHRS;
  l->e[at] = (struct gmmu_cache_mem){
      .kind = GMMU_CACHE_FETCH, .line = r->line, .beat = r->beat, .app = r->app, .id = id};
  l->due[at] = b->now + b->c.miss_latency;
}

/* Fetches that have waited go into the queues, as stage C would have put them there. */
static void release_late(struct gmmu_cache_bank *b) {
  for (int p = 0; p < GMMU_CACHE_PORTS; p++) {
    struct late *l = &b->late[p];
    struct mem_queue *q = p == GMMU_CACHE_T ? &b->tq : &b->fetch;
    while (l->n && l->due[l->first] <= b->now && (p == GMMU_CACHE_D || q->n < b->c.mem_slots)) {
      *append(q) = l->e[l->first];
      l->first = (l->first + 1) % GMMU_CACHE_MAX_MSHRS;
      l->n--;
    }
  }
}

static enum gmmu_cache_outcome miss(struct gmmu_cache_bank *b, const struct gmmu_cache_req *r,
                                    int port) {
  const uint64_t enough = port == GMMU_CACHE_D ? b->unused & (b->unused - 1) : b->unused;
  if (!enough) return GMMU_CACHE_WAITS; /* data leaves one */
  if (port == GMMU_CACHE_T && !b->c.miss_latency && b->tq.n >= b->c.mem_slots)
    return GMMU_CACHE_WAITS;
  const uint32_t first = (uint32_t)__builtin_ctzll(b->unused);
  const uint64_t bit = 1ull << first;
  struct mshr *m = &b->m[first];
  b->unused &= ~bit;
  b->fetching |= bit;
  b->line[first] = r->line;
  m->write = r->we;
  m->app = r->app;
  m->got = 0;
  m->n = r->we ? 0 : 1;
  m->w[0] = (struct waiter){(uint8_t)port, r->id};
  if (r->we && r->full) b->finished |= bit; /* nothing is needed from memory */
  else if (b->c.miss_latency) fetch_late(b, port, r, first);
  else push_mem(port == GMMU_CACHE_T ? &b->tq : &b->fetch, GMMU_CACHE_FETCH, r, first);
  return GMMU_CACHE_MISS;
}

static enum gmmu_cache_outcome decide(struct gmmu_cache_bank *b, const struct gmmu_cache_req *r,
                                      int port, int *way) {
  if (b->c_around) {
    if (b->by.used >= b->c.bypass_slots || b->tq.n >= b->c.mem_slots) return GMMU_CACHE_WAITS;
    b->by.used++;
    push_mem(&b->tq, GMMU_CACHE_BYPASSED, r, r->id);
    return GMMU_CACHE_BYPASSES;
  }
  if (b->c_stale || (b->changed && b->changed_line == r->line)) return GMMU_CACHE_WAITS;
  struct mshr *m = on_its_way(b, r->line);
  *way = gmmu_l2_cache_find(b->array, r->line);
  if (port == GMMU_CACHE_T && r->we) {
    if (m || b->tq.n >= b->c.mem_slots || b->f3) return GMMU_CACHE_WAITS;
    if (*way >= 0) gmmu_l2_cache_drop(b->array, r->line, *way);
    push_mem(&b->tq, GMMU_CACHE_WRITE, r, 0);
    return GMMU_CACHE_PTE_WRITE;
  }
  if (m) {
    if (r->we || m->write || m->n >= b->c.waiters) return GMMU_CACHE_WAITS;
    m->w[m->n++] = (struct waiter){(uint8_t)port, r->id};
    return GMMU_CACHE_JOINS;
  }
  if (*way < 0) return miss(b, r, port);
  if (r->we) {
    if (b->f3) return GMMU_CACHE_WAITS;
  } else {
    if (b->ans[port].used + b->serving >= b->c.answer_slots) return GMMU_CACHE_WAITS;
    b->ans[port].used++;
  }
  gmmu_l2_cache_touch(b->array, r->line, *way, r->we);
  return GMMU_CACHE_HIT;
}

/* ---------------------------------------- fills */
/* The lowest that is finished, once the one before is being filled. */
static void choose(struct gmmu_cache_bank *b, bool start) {
  if (b->ready && !start) return;
  b->ready = b->finished != 0;
  if (!b->ready) return;
  b->ready_one = (uint32_t)__builtin_ctzll(b->finished);
  b->finished &= b->finished - 1;
}

static void enter_line(struct gmmu_cache_bank *b) {
  struct mshr *m = &b->m[b->fill];
  uint64_t line;
  b->fill_way = gmmu_l2_cache_fill(b->array, b->line[b->fill], m->write, &line, &b->victim_valid);
  b->victim = (struct gmmu_cache_mem){.kind = GMMU_CACHE_WRITE, .line = line, .app = m->app};
  b->fetching &= ~(1ull << b->fill);
  if (!m->n) b->unused |= 1ull << b->fill;
}

/* The hit that enters the queue now goes first; the last place is kept from hits (decide). */
static void serve(struct gmmu_cache_bank *b, uint32_t used) {
  struct mshr *m = &b->m[b->fill];
  const struct waiter *w = &m->w[b->served];
  struct answers *a = &b->ans[w->port];
  if (b->d_valid && b->d_port == w->port) return;
  if (used >= b->c.answer_slots) return;
  push_answer(a, w->id, b->now);
  a->used++;
  if (++b->served == m->n) {
    b->serving = false;
    b->unused |= 1ull << b->fill;
  }
}

/* A piece of a line that was missed comes from memory. */
static void piece(struct gmmu_cache_bank *b, const struct gmmu_cache_bank_in *in) {
  struct mshr *m = &b->m[in->back_id];
  m->got |= 1u << in->back_beat;
  if (m->got == (1u << b->c.beats) - 1) b->finished |= 1ull << in->back_id;
}

/* A word is taken: the last one of its request? */
static bool whole(struct gmmu_cache_bank *b, int port, const struct gmmu_cache_bank_in *in) {
  if (port == GMMU_CACHE_T || !in->req[port].we) return true;
  b->in_word = (b->in_word + 1) % b->c.words;
  return b->in_word == 0;
}

/* ---------------------------------------- cycle */
static int pick(const struct gmmu_cache_bank *b, bool *fill) {
  *fill = b->ready && !b->f1 && !b->f2 && !b->f3 && !b->serving &&
          b->wb.n + (b->f4 || b->f5) < b->c.mem_slots;
  if (*fill || b->f2) return -1;
  bool can[2];
  for (int p = 0; p < 2; p++)
    can[p] = b->n[p] > (uint32_t)(b->b_valid && b->b_port == p) + (b->c_valid && b->c_port == p);
  int other = !b->last_port;
  return can[other] ? other : can[b->last_port] ? b->last_port : -1;
}

/* Nothing moves but what comes from outside. */
static bool idle(const struct gmmu_cache_bank *b) {
  return !(b->n[0] || b->n[1] || b->b_valid || b->c_valid || b->d_valid || b->changed ||
           b->counted || b->ready || b->finished || b->serving || b->f1 || b->f2 || b->f3 ||
           b->f4 || b->f5 || b->tq.n || b->fetch.n || b->wb.n || b->late[0].n || b->late[1].n ||
           b->ans[0].n || b->ans[1].n || b->by.n);
}

bool gmmu_cache_bank_rests(const struct gmmu_cache_bank *b) { return b->rests; }

bool gmmu_cache_bank_quiet(const struct gmmu_cache_bank *b) {
  return b->rests && !b->fetching && !b->by.used && !b->in_word;
}

void gmmu_cache_bank_skip(struct gmmu_cache_bank *b) { b->now++; }

void gmmu_cache_bank_step(struct gmmu_cache_bank *b, const struct gmmu_cache_bank_in *in,
                          struct gmmu_cache_bank_out *o) {
  const bool shown = o->rsp_valid[0] || o->rsp_valid[1] || o->mem[0].valid || o->mem[1].valid;
  bool start;
  int next = pick(b, &start);
  uint32_t fills = b->ready_one;
  bool was_serving = b->serving, off_by = offers_bypassed(b);
  uint32_t ans_used[2] = {b->ans[0].used, b->ans[1].used};
  o->counted = b->counted;
  o->counted_hit = b->counted_hit;
  o->counted_depth = b->counted_depth;
  choose(b, start);

  release_late(b);

  /* stage C */
  bool hit_read = false;
  if (b->c_valid) {
    o->decided = true;
    o->port = b->c_port;
    o->req = b->fifo[b->c_port][0];
    o->outcome = decide(b, &o->req, b->c_port, &o->way);
    hit_read = o->outcome == GMMU_CACHE_HIT && !o->req.we;
    if (o->outcome != GMMU_CACHE_WAITS)
      memmove(b->fifo[o->port], b->fifo[o->port] + 1, --b->n[o->port] * sizeof b->fifo[0][0]);
  }
  bool waits = o->decided && o->outcome == GMMU_CACHE_WAITS;
  b->changed = o->decided &&
               (o->outcome == GMMU_CACHE_PTE_WRITE || (o->outcome == GMMU_CACHE_HIT && o->req.we));
  b->changed_line = o->req.line;
  b->counted_hit = o->decided && o->outcome == GMMU_CACHE_HIT;
  b->counted = b->counted_hit ||
               (o->decided && (o->outcome == GMMU_CACHE_MISS || o->outcome == GMMU_CACHE_JOINS));
  b->counted_depth = o->port == GMMU_CACHE_D ? 0 : o->req.depth;

  /* fills, and serving on the registers */
  if (b->f2) {
    b->served = 0;
    b->serving = b->m[b->fill].n != 0;
  }
  if (b->f3) enter_line(b);
  if (was_serving) serve(b, ans_used[b->m[b->fill].w[b->served].port]);
  o->filled = b->f4;
  o->fill_way = b->fill_way;
  o->fill_writes_back = b->victim_valid;
  if (b->f5 && b->victim_valid) *append(&b->wb) = b->victim;
  if (in->back && in->back_bypassed) push_answer(&b->by, in->back_id, b->now);
  else if (in->back) piece(b, in);

  /* handshakes on what was offered */
  bool t_taken = o->rsp_valid[GMMU_CACHE_T] && in->rsp_ready[GMMU_CACHE_T];
  b->ans_held = o->rsp_valid[GMMU_CACHE_T] && !t_taken && !off_by;
  if (t_taken) pop_answer(off_by ? &b->by : &b->ans[GMMU_CACHE_T]);
  if (o->rsp_valid[GMMU_CACHE_D] && in->rsp_ready[GMMU_CACHE_D] && ++b->out_word == b->c.words) {
    b->out_word = 0;
    pop_answer(&b->ans[GMMU_CACHE_D]);
  }
  if (o->mem[GMMU_CACHE_T].valid && in->mem_ready[GMMU_CACHE_T]) pop_mem(b, &b->tq);
  if (o->mem[GMMU_CACHE_D].valid) {
    bool is_fetch = o->mem[GMMU_CACHE_D].kind == GMMU_CACHE_FETCH;
    b->fetch_held = is_fetch && !in->mem_ready[GMMU_CACHE_D];
    if (in->mem_ready[GMMU_CACHE_D]) pop_mem(b, is_fetch ? &b->fetch : &b->wb);
  }

  /* a read that hit enters its answer queue one cycle after stage C */
  if (b->d_valid) push_answer(&b->ans[b->d_port], b->d_id, b->now);
  b->d_valid = hit_read;
  b->d_port = o->port;
  b->d_id = o->req.id;

  const bool changes = b->f2 || b->f4; /* a request in stage B was picked in F1 or F3 */
  const uint64_t filled_line = b->line[b->fill];
  b->f5 = b->f4;
  b->f4 = b->f3;
  b->f3 = b->f2;
  b->f2 = b->f1;
  b->f1 = start;
  if (start) b->fill = fills;
  b->c_valid = b->b_valid && !(waits && b->b_port == o->port);
  b->c_port = b->b_port;
  /* all before the request of stage B have left their FIFO */
  const struct gmmu_cache_req *r = &b->fifo[b->c_port][0];
  b->c_stale = b->c_valid && changes &&
               gmmu_l2_cache_set(b->array, r->line) == gmmu_l2_cache_set(b->array, filled_line);
  b->c_around = b->c_valid && b->c_port == GMMU_CACHE_T && !r->we && in->bypass[r->depth];
  b->b_valid = next >= 0 && !(waits && next == o->port);
  if (next >= 0) b->b_port = b->last_port = next;
  for (int p = 0; p < GMMU_CACHE_PORTS; p++)
    if (in->valid[p] && o->ready[p] && whole(b, p, in)) b->fifo[p][b->n[p]++] = in->req[p];
  b->rests = !shown && !o->decided && !o->filled && !o->counted && !in->back && !in->valid[0] &&
             !in->valid[1] && idle(b);
  b->now++;
}
