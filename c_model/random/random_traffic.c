/* SPDX-License-Identifier: Apache-2.0 */
#include "random/random_traffic.h"

#include <string.h>

static uint64_t below(struct rt *t, uint64_t n) { return gmmu_rng_below(&t->rng, n); }
static bool chance(struct rt *t, unsigned percent) { return below(t, 100) < percent; }

void rt_init(struct rt *t, struct rw_world *w, struct sw *sw, uint64_t ops, uint64_t seed) {
  memset(t, 0, sizeof *t);
  t->w = w;
  t->sw = sw;
  gmmu_rng_seed(&t->rng, seed ^ 0x747261666669);
  t->sms = (int)w->cfg->NumSms;
  t->tags = w->cfg->TagW < 10 ? 1u << w->cfg->TagW : RT_MAX_TAGS;
  t->ops = ops;
}

/** Another character: busy or idle, local or wide, ready or not, near or far memory, calm or busy
 * software. */
static void new_phase(struct rt *t, struct gmmu_pte_mem *m, uint64_t now) {
  static const unsigned rates[] = {100, 100, 80, 40, 10}, readies[] = {100, 100, 100, 90, 60, 30};
  static const uint32_t latencies[] = {1, 2, 5, 20, 100}, jitters[] = {0, 3, 12, 100};

  t->phase_end = now + 1000 + below(t, 6000);
  t->rate = rates[below(t, 5)];
  t->hot =
      chance(t, 30) ? 90 : (unsigned)below(t, 60); /* mostly where something is being changed */
  t->local = 40 + (unsigned)below(t, 60);
  t->ready = readies[below(t, 6)];
  t->long_stalls = chance(t, 40) ? 1 + (unsigned)below(t, 20) : 0;
  t->mem_ready = readies[below(t, 6)];
  t->limit = chance(t, 70) ? t->tags : 1 + (unsigned)below(t, t->tags);
  m->latency = latencies[below(t, 5)];
  m->jitter = jitters[below(t, 4)];
  m->sample_late = chance(t, 30);
  m->err_per_million = chance(t, 30) ? 2000 : 0;
  t->sw->busy = 5 + below(t, 120);
  for (int i = 0; i < t->sms; i++)
    for (int k = 0; k < RT_SET; k++) /* half of the set is common to all SMs: merging in the L2 */
      t->sm[i].set[k] =
          i && k < RT_SET / 2 ? t->sm[0].set[k] : (int)below(t, (uint64_t)t->w->pages);
}

static int choose_page(struct rt *t, const struct rt_sm *s) {
  int page = chance(t, t->hot) ? sw_hot_page(t->sw) : -1;

  if (page < 0)
    page = chance(t, t->local) ? s->set[below(t, RT_SET)] : (int)below(t, (uint64_t)t->w->pages);
  /* Pages that cannot be translated are interesting, but not every time. */
  if (t->w->page[page].v[t->w->page[page].n - 1].x.cause && chance(t, 70))
    page = (int)below(t, (uint64_t)t->w->pages);
  return page;
}

static uint64_t sign_extend(uint64_t vfn) { return (uint64_t)((int64_t)(vfn << 28) >> 28); }

static int find_page(const struct rt *t, int asid, uint64_t vfn) {
  for (int i = 0; i < t->w->pages; i++)
    if (t->w->page[i].asid == asid && t->w->page[i].vfn == vfn) return i;
  return -1;
}

/** An address or an ASID that no context has. */
static void make_strange(struct rt *t, struct rw_request *q) {
  const struct gmmu_config *c = t->w->cfg;

  q->page = -1;
  if (chance(t, 40) && c->NumAsids < 1ll << c->AsidW) {
    q->asid =
        (uint16_t)(c->NumAsids + (int64_t)below(t, (uint64_t)((1ll << c->AsidW) - c->NumAsids)));
  } else if (c->VaW == 39) { /* not canonical */
    q->va ^= 1ull << (38 + below(t, 26));
  } else if (chance(t, 50)) { /* not canonical in both modes */
    q->va ^= 1ull << (48 + below(t, 16));
  } else { /* not canonical in Sv39; in Sv48 an address that nobody knows */
    q->va = sign_extend((q->va ^ 1ull << (38 + below(t, 10))) >> 12 & ((1ull << 36) - 1)) << 12 |
            (q->va & 4095);
    q->page = find_page(t, q->asid, q->va >> 12 & ((1ull << 36) - 1));
    q->unknown = q->page < 0;
  }
}

static void make_request(struct rt *t, struct rt_sm *s) {
  uint32_t first = (uint32_t)below(t, t->tags), tag = first;
  struct rw_request *q = &s->next;

  while (s->tag[tag].busy) tag = (tag + 1) % t->tags;
  memset(q, 0, sizeof *q);
  q->page = choose_page(t, s);
  q->asid = t->w->page[q->page].asid;
  q->va = sign_extend(t->w->page[q->page].vfn) << 12 | below(t, 4096);
  q->access = chance(t, 70) ? GMMU_READ : (uint8_t)below(t, 4);
  q->user = chance(t, 85);
  q->warp = (uint16_t)below(t, 1ull << t->w->cfg->WarpW);
  if (chance(t, 1)) make_strange(t, q);
  s->req = (struct gmmu_req){.valid = true,
                             .user = q->user,
                             .access = q->access,
                             .asid = q->asid,
                             .warp = q->warp,
                             .tag = (uint16_t)tag,
                             .va = q->va};
}

void rt_drive(struct rt *t, struct gmmu_pins *p, struct gmmu_pte_mem *m, uint64_t now) {
  if (now >= t->phase_end) new_phase(t, m, now);
  for (int i = 0; i < t->sms; i++) {
    struct rt_sm *s = &t->sm[i];
    if (!s->req.valid && t->requests < t->ops && s->outstanding < t->limit && chance(t, t->rate))
      make_request(t, s);
    p->req[i] = s->req;
    if (t->long_stalls && now >= s->stall_until && below(t, 20000) < t->long_stalls)
      s->stall_until = now + 20 + below(t, chance(t, 30) ? 1500 : 200);
    p->rsp_ready[i] = now >= s->stall_until && chance(t, t->ready);
  }
  if (now >= t->mem_stall_until && below(t, 5000) == 0) t->mem_stall_until = now + below(t, 400);
  p->mem_req_ready = now >= t->mem_stall_until && chance(t, t->mem_ready);
}

void rt_accept(struct rt *t, const struct gmmu_pins *p, uint64_t now) {
  for (int i = 0; i < t->sms; i++) {
    struct rt_sm *s = &t->sm[i];
    struct rw_request *q;
    if (!s->req.valid || !p->req_ready[i]) continue;
    q = &s->tag[s->req.tag];
    *q = s->next;
    q->busy = true;
    q->accepted = now;
    q->seq = t->requests++;
    s->outstanding++;
    s->req.valid = false;
    rw_accepted(t->w, q, now);
  }
}

struct rw_request *rt_find(struct rt *t, int sm, uint16_t tag) {
  return tag < t->tags && t->sm[sm].tag[tag].busy ? &t->sm[sm].tag[tag] : NULL;
}

void rt_release(struct rt *t, int sm, struct rw_request *q) {
  q->busy = false;
  t->sm[sm].outstanding--;
}

bool rt_idle(const struct rt *t) {
  for (int i = 0; i < t->sms; i++)
    if (t->sm[i].outstanding || t->sm[i].req.valid) return false;
  return t->requests >= t->ops;
}

struct gmmu_watch_sm rt_watch(const struct rt *t, int sm) {
  const struct rt_sm *s = &t->sm[sm];
  struct gmmu_watch_sm w = gmmu_watch_begin(sm, s->outstanding, s->req.valid);

  for (uint32_t i = 0; i < t->tags; i++) {
    const struct rw_request *q = &s->tag[i];
    if (q->busy) gmmu_watch_waits(&w, q->seq, q->accepted, q->asid, q->va, (uint16_t)i);
  }
  return w;
}
