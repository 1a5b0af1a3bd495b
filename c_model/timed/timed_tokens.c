/* SPDX-License-Identifier: Apache-2.0 */
/** timed_tokens.c - cycles of the fill tokens: docs/fill_tokens.md, "Timing". */
#include <string.h>

#include "timed/timed_blocks.h"

void timed_tokens_reset(struct timed_tokens *k, const struct gmmu_config *c) {
  memset(k, 0, sizeof *k);
  gmmu_tokens_init(&k->t, c);
  k->epoch = (uint64_t)c->EpochCycles;
}

/** What happens `since` cycles after the pulse. */
static void phase(struct timed_tokens *k, uint64_t since, struct gmmu_token_event *ev) {
  uint64_t n = (uint64_t)k->t.num_sms, first_app = 1 + n, first_bit = first_app + (uint64_t)k->t.num_apps;

  if (since < first_app || since >= gmmu_tokens_duration(&k->t)) return;
  if (since < first_bit) {
    const struct gmmu_token_app *a = &k->t.app[since - first_app];
    gmmu_tokens_update(&k->t, (int)(since - first_app));
    ev->update = true;
    ev->app = (uint8_t)(since - first_app);
    ev->tokens = (uint16_t)a->tokens;
    ev->active = (uint16_t)a->warps;
    ev->up = a->up;
  } else if (since + 1 < gmmu_tokens_duration(&k->t)) {
    ev->mark = true;
    ev->sm = (uint8_t)((since - first_bit) % n);
    ev->warp = (uint8_t)((since - first_bit) / n);
    ev->gets = gmmu_tokens_mark(&k->t, ev->sm, ev->warp);
  } else {
    ev->replace = true;
    gmmu_tokens_replace(&k->t);
  }
}

void timed_tokens_step(struct timed_tokens *k, uint64_t cycle, const struct gmmu_pins *p,
                       const struct gmmu_l2_lookup port[2], struct gmmu_token_event *ev) {
  if ((cycle + 1) % k->epoch == 0) {
    gmmu_tokens_pulse(&k->t);
    ev->pulse = k->ever = true;
    k->pulse = cycle;
  }
  gmmu_tokens_lookups(&k->t, port);
  for (int i = 0; i < k->t.num_sms; i++)
    if (p->req[i].valid && p->req_ready[i]) gmmu_tokens_request(&k->t, i, p->req[i].asid, p->req[i].warp);
  if (k->ever) phase(k, cycle - k->pulse, ev);
}
