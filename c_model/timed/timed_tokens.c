/* SPDX-License-Identifier: Apache-2.0 */
/** timed_tokens.c - cycles of the fill tokens: docs/fill_tokens.md, "Timing". */
#include <string.h>

#include "timed/timed_blocks.h"

void timed_tokens_reset(struct timed_tokens *k, const struct gmmu_config *c) {
  memset(k, 0, sizeof *k);
  gmmu_tokens_init(&k->t, c);
  k->epoch = (uint64_t)c->EpochCycles;
}

static void act(struct timed_tokens *k, const struct gmmu_token_due *d,
                struct gmmu_token_event *ev) {
  const struct gmmu_token_app *a = &k->t.app[d->app];

  switch (d->phase) {
    case GMMU_TOKEN_UPDATE:
      gmmu_tokens_update(&k->t, d->app);
      ev->update = true;
      ev->app = (uint8_t)d->app;
      ev->tokens = (uint16_t)a->tokens;
      ev->active = (uint16_t)a->warps;
      ev->up = a->up;
      break;
    case GMMU_TOKEN_MARK:
      ev->mark = true;
      ev->sm = (uint8_t)d->sm;
      ev->warp = (uint8_t)d->warp;
      ev->gets = gmmu_tokens_mark(&k->t, d->sm, d->warp);
      break;
    case GMMU_TOKEN_REPLACE:
      ev->replace = true;
      gmmu_tokens_replace(&k->t);
      break;
    default: break;
  }
}

void timed_tokens_step(struct timed_tokens *k, uint64_t cycle, const struct gmmu_pins *p,
                       const struct gmmu_l2_lookup port[2], struct gmmu_token_event *ev) {
  struct gmmu_token_due due;

  if ((cycle + 1) % k->epoch == 0) {
    gmmu_tokens_pulse(&k->t);
    ev->pulse = k->ever = true;
    k->pulse = cycle;
  }
  gmmu_tokens_lookups(&k->t, port);
  for (int i = 0; i < k->t.num_sms; i++)
    if (p->req[i].valid && p->req_ready[i])
      gmmu_tokens_request(&k->t, i, p->req[i].asid, p->req[i].warp);
  if (!k->ever) return;
  due = gmmu_tokens_due(&k->t, cycle - k->pulse);
  act(k, &due, ev);
}
