/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/fill_tokens.h"

#include <string.h>

void gmmu_tokens_init(struct gmmu_tokens *t, const struct gmmu_config *c) {
  memset(t, 0, sizeof *t);
  t->num_sms = (int)c->NumSms;
  t->num_apps = (int)c->NumAsids;
  t->num_warps = 1 << c->WarpW;
  t->free_for_all = true;
  t->start = (int)c->TokenStart;
  t->step = (int)c->TokenStep;
  t->points = (int)c->TokenPoints;
  t->skip_merged = c->TokenMerged != 0;
  t->any = c->TokenAny != 0;
  t->sm_first = c->TokenOrder != 0;
}

void gmmu_tokens_request(struct gmmu_tokens *t, int sm, uint16_t asid, unsigned warp) {
  if (asid >= t->num_apps) return;
  t->sm[sm].app = asid;
  t->sm[sm].active[warp & ((unsigned)t->num_warps - 1)] = true;
}

static void count(struct gmmu_token_app *a, int hits, int misses) {
  if (a->hits + (uint32_t)hits > 65535 || a->misses + (uint32_t)misses > 65535) {
    a->hits /= 2;
    a->misses /= 2;
  }
  a->hits += (uint32_t)hits;
  a->misses += (uint32_t)misses;
}

void gmmu_tokens_lookups(struct gmmu_tokens *t, const struct gmmu_l2_lookup port[2]) {
  int hits[2] = {0}, misses[2] = {0};

  for (int i = 0; i < 2; i++) {
    int to = i == 1 && port[0].valid && port[0].asid == port[1].asid
                 ? 0
                 : i; /* both of one application */
    if (!port[i].valid || port[i].outcome == GMMU_L2_MISS_WAIT) continue;
    if (t->skip_merged && port[i].outcome == GMMU_L2_MISS_MERGE) continue;
    hits[to] += gmmu_l2_is_hit(port[i].outcome);
    misses[to] += !gmmu_l2_is_hit(port[i].outcome);
  }
  for (int i = 0; i < 2; i++)
    if (hits[i] || misses[i]) count(&t->app[port[i].asid], hits[i], misses[i]);
}

bool gmmu_tokens_holds(const struct gmmu_tokens *t, int sm, unsigned warp) {
  return t->free_for_all || t->sm[sm].holds[warp & ((unsigned)t->num_warps - 1)];
}

void gmmu_tokens_pulse(struct gmmu_tokens *t) {
  for (int i = 0; i < t->num_apps; i++) {
    struct gmmu_token_app *a = &t->app[i];
    a->prev_hits = a->last_hits;
    a->prev_misses = a->last_misses;
    a->last_hits = a->hits;
    a->last_misses = a->misses;
    a->hits = a->misses = a->warps = 0;
  }
  for (int i = 0; i < t->num_sms; i++) {
    struct gmmu_token_sm *s = &t->sm[i];
    s->marked_app = s->app;
    for (int w = 0; w < t->num_warps; w++) t->app[s->app].warps += s->active[w];
    memcpy(s->marked, s->active, sizeof s->marked);
    memcpy(s->was, s->active, sizeof s->was);
    memset(s->active, 0, sizeof s->active);
  }
}

void gmmu_tokens_update(struct gmmu_tokens *t, int app) {
  struct gmmu_token_app *a = &t->app[app];
  int64_t m = a->last_misses, n = m + a->last_hits, old_m = a->prev_misses,
          old_n = old_m + a->prev_hits;
  int64_t tokens = a->tokens, w = a->warps, step = w / t->step ? w / t->step : 1;

  if (w == 0) {
    tokens = 0;
  } else if (!a->started) {
    tokens = w * t->start / 100;
  } else if (n == 0 || old_n == 0) {
  } else if (100 * (m * old_n - old_m * n) > t->points * n * old_n) {
    tokens -= step;
    a->up = false;
  } else if (100 * (old_m * n - m * old_n) > t->points * n * old_n) {
    tokens += step;
    a->up = true;
  }
  if (w && tokens < 1) tokens = 1;
  if (tokens > w) tokens = w;
  a->started = w != 0;
  a->tokens = a->left = (uint32_t)tokens;
}

/** Active warps of the application before this one in the order of (SM, warp). */
static uint32_t rank(const struct gmmu_tokens *t, int sm, int warp) {
  uint32_t n = 0;

  for (int s = 0; s <= sm; s++)
    for (int w = 0;
         t->sm[s].marked_app == t->sm[sm].marked_app && w < (s == sm ? warp : t->num_warps); w++)
      n += t->sm[s].was[w];
  return n;
}

bool gmmu_tokens_mark(struct gmmu_tokens *t, int sm, int warp) {
  struct gmmu_token_sm *s = &t->sm[sm];
  struct gmmu_token_app *a = &t->app[s->marked_app];
  bool gets = s->marked[warp] && (t->sm_first ? rank(t, sm, warp) < a->tokens : a->left != 0);

  a->left -= gets;
  s->marked[warp] = gets;
  return gets;
}

void gmmu_tokens_replace(struct gmmu_tokens *t) {
  t->free_for_all = false;
  for (int i = 0; i < t->num_sms; i++)
    memcpy(t->sm[i].holds, t->sm[i].marked, sizeof t->sm[i].holds);
}

struct gmmu_token_due gmmu_tokens_due(const struct gmmu_tokens *t, uint64_t since) {
  struct gmmu_token_due d = {.phase = GMMU_TOKEN_NONE};
  uint64_t n = (uint64_t)t->num_sms, v = (uint64_t)t->num_warps;
  uint64_t first_turn = 4 + n * (v < 32 ? 1 : v / 32),
           first_bit = first_turn + GMMU_TOKEN_TURN * (uint64_t)t->num_apps,
           last = first_bit + n * v + 1;

  if (since >= first_turn && since < first_bit) {
    if ((since - first_turn) % GMMU_TOKEN_TURN < GMMU_TOKEN_TURN - 1) return d;
    d.phase = GMMU_TOKEN_UPDATE;
    d.app = (int)((since - first_turn) / GMMU_TOKEN_TURN);
  } else if (since >= first_bit && since < last - 1) {
    d.phase = GMMU_TOKEN_MARK;
    d.sm = (int)((since - first_bit) % n);
    d.warp = (int)((since - first_bit) / n);
  } else if (since == last) {
    d.phase = GMMU_TOKEN_REPLACE;
  }
  return d;
}
