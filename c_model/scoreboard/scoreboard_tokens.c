/* SPDX-License-Identifier: Apache-2.0 */
/** scoreboard_tokens.c - replays the fill tokens' events, in the order and cycles of
 * docs/fill_tokens.md. */
#include "scoreboard/scoreboard_parts.h"

#define NAME "fill_tokens"

static void step_update(struct gmmu_scoreboard *s, int app, const struct gmmu_token_event *ev) {
  const struct gmmu_token_app *a = &s->tokens.t.app[app];

  sb_at(s, NAME, -1, "update", (uint16_t)app, 0);
  if (!sb_same(s, "an application's tokens change", 1, ev->update)) return;
  gmmu_tokens_update(&s->tokens.t, app);
  sb_same(s, "application", (uint64_t)app, ev->app);
  sb_same(s, "active warps", a->warps, ev->active);
  sb_same(s, "tokens", a->tokens, ev->tokens);
  sb_same(s, "direction", a->up, ev->up);
}

static void step_mark(struct gmmu_scoreboard *s, int sm, int warp,
                      const struct gmmu_token_event *ev) {
  sb_at(s, NAME, sm, "mark", s->tokens.t.sm[sm].marked_app, 0);
  if (!sb_same(s, "a bit is looked at", 1, ev->mark)) return;
  sb_same(s, "SM", (uint64_t)sm, ev->sm);
  sb_same(s, "warp", (uint64_t)warp, ev->warp);
  sb_same(s, "gets a token", gmmu_tokens_mark(&s->tokens.t, sm, warp), ev->gets);
}

void sb_tokens_step(struct gmmu_scoreboard *s, const struct gmmu_events *events,
                    const struct gmmu_pins *p) {
  const struct gmmu_token_event *ev = &events->token;
  struct gmmu_tokens *t = &s->tokens.t;
  struct gmmu_token_due next = {.phase = GMMU_TOKEN_NONE};
  bool due = (s->cycle - s->first + 1) % (uint64_t)s->cfg.EpochCycles == 0;

  sb_at(s, NAME, -1, "pulse", 0, 0);
  if (due || ev->pulse) sb_same(s, "an epoch ends", due, ev->pulse);
  if (due) {
    gmmu_tokens_pulse(t);
    s->tokens.ever = true;
    s->tokens.pulse = s->cycle;
  }
  gmmu_tokens_lookups(t, events->l2.port);
  for (int i = 0; i < t->num_sms; i++)
    if (p->req[i].valid && p->req_ready[i])
      gmmu_tokens_request(t, i, p->req[i].asid, p->req[i].warp);
  if (s->tokens.ever) next = gmmu_tokens_due(t, s->cycle - s->tokens.pulse);
  switch (next.phase) {
    case GMMU_TOKEN_UPDATE: step_update(s, next.app, ev); break;
    case GMMU_TOKEN_MARK: step_mark(s, next.sm, next.warp, ev); break;
    case GMMU_TOKEN_REPLACE:
      sb_at(s, NAME, -1, "replace", 0, 0);
      sb_same(s, "the marks are replaced", 1, ev->replace);
      gmmu_tokens_replace(t);
      break;
    default:
      if (ev->update || ev->mark || ev->replace)
        sb_that(s, "nothing changes between epochs", false);
  }
}
