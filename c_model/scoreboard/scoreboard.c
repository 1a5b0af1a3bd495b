/* SPDX-License-Identifier: Apache-2.0 */
/** scoreboard.c - the order of a cycle, invalidation, reports. Parts: scoreboard_l1.c, _l2.c,
 * _walk.c. */
#include "scoreboard/scoreboard.h"

#include <stdlib.h>
#include <string.h>

#include "scoreboard/scoreboard_parts.h"

struct gmmu_scoreboard *gmmu_scoreboard_new(const struct gmmu_config *c,
                                            const struct gmmu_env *env) {
  struct gmmu_scoreboard *s = calloc(1, sizeof *s);

  if (!s) return NULL;
  s->cfg = *c;
  s->env[0] = *env;
  gmmu_inv_order_init(&s->order, c);
  gmmu_walker_init(&s->walk.w, c);
  s->l2.filled_large = -1;
  gmmu_tokens_init(&s->tokens.t, c);
  s->l2.tlb = gmmu_l2_new(c);
  if (!s->l2.tlb || gmmu_msc_init(&s->walk.msc, c) || gmmu_pwc_init(&s->walk.pwc, c)) goto nomem;
  for (int i = 0; i < c->NumSms; i++) {
    struct sb_l1 *l = &s->l1[i];
    l->drain = -1;
    l->filled = (struct gmmu_fill){0};
    l->tlb = gmmu_l1_new(c, i);
    l->outstanding = calloc(1u << c->TagW, 1);
    if (!l->tlb || !l->outstanding) goto nomem;
  }
  return s;
nomem:
  gmmu_scoreboard_free(s);
  return NULL;
}

void gmmu_scoreboard_free(struct gmmu_scoreboard *s) {
  if (!s) return;
  for (int i = 0; i < GMMU_MAX_SMS; i++) {
    gmmu_l1_free(s->l1[i].tlb);
    free(s->l1[i].outstanding);
  }
  gmmu_l2_free(s->l2.tlb);
  gmmu_msc_free(&s->walk.msc);
  gmmu_pwc_free(&s->walk.pwc);
  free(s);
}

uint64_t gmmu_scoreboard_checks(const struct gmmu_scoreboard *s) { return s->checks; }

void sb_mismatch(struct gmmu_scoreboard *s, const char *what, uint64_t expected, uint64_t got) {
  char unit[16] = "";

  if (s->bad++ || !s->msg_n) return;
  if (s->unit >= 0) snprintf(unit, sizeof unit, "[%d]", s->unit);
  snprintf(s->msg, s->msg_n,
           "cycle %llu: %s%s %s, asid %u vfn 0x%llx: %s: expected 0x%llx, got 0x%llx",
           (unsigned long long)s->cycle, s->block, unit, s->op, s->asid, (unsigned long long)s->vfn,
           what, (unsigned long long)expected, (unsigned long long)got);
}

void sb_same_fill(struct gmmu_scoreboard *s, const struct gmmu_fill *f,
                  const struct sb_fill_event *got) {
  sb_same(s, "base filled", f->base, got->base);
  sb_same(s, "large filled", f->large, got->large);
  if (!f->base && !f->large && !f->bypass) return;
  sb_same(s, "overwrite", f->overwrite, got->overwrite);
  sb_same(s, "evict", f->evict, got->evict);
  sb_same(s, "fill way", (uint64_t)f->way, (uint64_t)got->way);
  sb_same(s, "pages of the group", f->pages, got->pages);
}

/** Only the parts in use: a comparison every cycle has to be cheap. */
static bool same_env(const struct gmmu_env *a, const struct gmmu_env *b) {
  for (int i = 0; i < b->num_asids; i++) {
    const struct gmmu_ctx *x = &a->ctx[i], *y = &b->ctx[i];
    if (x->root_pfn != y->root_pfn || x->mode != y->mode || x->ext != y->ext || x->sum != y->sum ||
        x->mxr != y->mxr)
      return false;
  }
  for (int i = 0; i < b->num_windows; i++) {
    const struct gmmu_window *x = &a->win[i], *y = &b->win[i];
    if (x->lo_pfn != y->lo_pfn || x->hi_pfn != y->hi_pfn || x->walk != y->walk ||
        x->data != y->data)
      return false;
  }
  return true;
}

static void follow_env(struct gmmu_scoreboard *s, const struct gmmu_env *e) {
  s->before = s->now;
  if (!e || same_env(&s->env[s->now], e)) return;
  s->now ^= 1;
  s->env[s->now] = *e;
}

static void in_order(struct gmmu_scoreboard *s, const char *wrong) {
  s->checks++;
  if (wrong) sb_mismatch(s, wrong, 1, 0);
}

/** Pulses of this cycle. All blocks get each at the same time, the mark two cycles after the
 * command. */
static void step_pulses(struct gmmu_scoreboard *s, const struct gmmu_events *ev) {
  bool clear = ev->l1[0].resend;

  sb_at(s, "invalidate", -1, "pulse", s->order.cmd.asid, s->order.cmd.lo_vfn);
  if (s->mark_due || ev->l2.mark) {
    sb_same(s, "mark pulse to the L2", s->mark_due, ev->l2.mark);
    for (int i = 0; i < s->cfg.NumSms; i++)
      sb_same(s, "mark pulse to the L1s", s->mark_due, ev->l1[i].mark);
  }
  if (s->mark_due) in_order(s, gmmu_inv_mark(&s->order));
  if (!clear) return;
  in_order(s, gmmu_inv_clear_l1s(&s->order));
  for (int i = 1; i < s->cfg.NumSms; i++)
    sb_that(s, "clear pulse to all L1s at once", ev->l1[i].resend);
}

static bool any_stale(const struct gmmu_scoreboard *s) {
  bool stale = gmmu_l2_stale(s->l2.tlb);
  for (int i = 0; i < s->cfg.NumSms && !stale; i++) stale = gmmu_l1_stale(s->l1[i].tlb);
  return stale;
}

/** The acknowledgement comes in the cycle after the first one in which no L1 is busy: each is until
 * its ways are swept and then its answer register has been empty or had a handshake. */
static void step_acknowledgement(struct gmmu_scoreboard *s, const struct gmmu_pins *p, bool clear) {
  if (s->ack_due || p->inv_done) sb_same(s, "acknowledged in this cycle", s->ack_due, p->inv_done);
  s->ack_due = false;
  if (clear) {
    s->clearing = true;
    s->clear_at = s->cycle;
    s->l1_busy = ~0ull >> (64 - s->cfg.NumSms);
    return;
  }
  if (!s->clearing) return;
  s->ack_due = s->l1_busy == 0;
  s->clearing = !s->ack_due;
  for (uint64_t left = s->l1_busy; left; left &= left - 1) {
    int i = __builtin_ctzll(left);
    int base = gmmu_l1_base_ways(s->l1[i].tlb), large = gmmu_tlb_ways(s->l1[i].tlb->large);

    if (s->cycle <= s->clear_at + (uint64_t)(base > large ? base : large)) continue;
    if (!p->rsp[i].valid || p->rsp_ready[i]) s->l1_busy &= ~(1ull << i);
  }
}

static void step_commands(struct gmmu_scoreboard *s, const struct gmmu_pins *p) {
  sb_at(s, "invalidate", -1, "command", s->order.cmd.asid, s->order.cmd.lo_vfn);
  sb_same(s, "ready for a command: idle, and no miss is stale",
          s->order.step == GMMU_INV_IDLE && !s->stale[1], p->inv_ready);
  s->stale[1] = s->stale[0];
  s->stale[0] = any_stale(s);
  s->mark_due = s->accepted;
  s->accepted = false;
  if (p->inv_done) in_order(s, gmmu_inv_acknowledge(&s->order));
  if (p->inv_done)
    sb_that(s, "no stale walk updates a PTE after the acknowledgement",
            !gmmu_walker_stale_update(&s->walk.w));
  if (!p->inv.valid || !p->inv_ready) return;
  in_order(s, gmmu_inv_accept(&s->order, &p->inv, (int)s->cfg.AsidW));
  s->accepted = true;
}

/** Only called when one of them differs. */
static void step_app_misses(struct gmmu_scoreboard *s, const struct gmmu_pins *p) {
  for (int a = 0; a < s->cfg.NumAsids; a++) {
    sb_at(s, "l2_tlb", -1, "outstanding misses", (uint16_t)a, 0);
    sb_same(s, "of the application", s->l2.tlb->share.used[a], p->app_misses[a]);
  }
}

int gmmu_scoreboard_step(struct gmmu_scoreboard *s, uint64_t cycle, const struct gmmu_events *ev,
                         const struct gmmu_pins *pins, char *msg, size_t n) {
  if (n) msg[0] = 0;
  if (s->cfg.Ideal) return 0;
  if (!s->begun) s->first = cycle;
  s->begun = true;
  s->cycle = cycle;
  s->bad = 0;
  s->msg = msg;
  s->msg_n = n;
  follow_env(s, pins->env);
  if (memcmp(pins->app_misses, s->l2.tlb->share.used, (size_t)s->cfg.NumAsids) != 0)
    step_app_misses(s, pins);
  step_pulses(s, ev);
  sb_l2_first(s, &ev->l2);
  sb_walk_step(s, &ev->walk, pins);
  sb_l2_second(s, &ev->l2);
  for (int i = 0; i < s->cfg.NumSms; i++) sb_l1_step(s, i, &ev->l1[i], pins);
  if (s->cfg.FillTokens) sb_tokens_step(s, ev, pins);
  step_commands(s, pins);
  step_acknowledgement(s, pins, ev->l1[0].resend);
  return s->bad;
}

bool gmmu_scoreboard_idle(const struct gmmu_scoreboard *s) {
  for (int i = 0; i < s->cfg.NumSms; i++) {
    const struct gmmu_l1_tlb *t = s->l1[i].tlb;
    if (t->park_first >= 0 || s->l1[i].rsp.valid) return false;
    if (t->free != ~0ull >> (64 - t->num_mshrs)) return false;
  }
  return s->l2.tlb->share.free == s->l2.tlb->num_mshrs &&
         s->walk.w.share.free == s->walk.w.num_slots && s->walk.w.buffered == 0 &&
         s->order.step == GMMU_INV_IDLE;
}
