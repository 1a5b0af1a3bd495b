/* SPDX-License-Identifier: Apache-2.0 */
/** test_scoreboard_fields.c - in builds with all that there is: the scoreboard follows them without
 * a mismatch, and one field that is wrong is named in the first one. */
#include "timed_rig.h"

#include "gmmu_manager.h"

static const char *named; /* what the first mismatch must name */
static int counted;       /* mismatches of the first cycle that has any */
static const struct rig *traffic;

/* One event is changed where `when` holds; SMS: of any SM, l. */
#define ONE(when, change, name) \
  do {                          \
    if (!(when)) return false;  \
    change;                     \
    named = (name);             \
    return true;                \
  } while (0)
#define SMS(when, change, name)             \
  do {                                      \
    for (int i = 0; i < 4; i++) {           \
      struct gmmu_l1_event *l = &ev->l1[i]; \
      if (when) {                           \
        change;                             \
        named = (name);                     \
        return true;                        \
      }                                     \
    }                                       \
    return false;                           \
  } while (0)
#define IS_LOOK(l) ((l)->op == GMMU_L1_LOOKUP || (l)->op == GMMU_L1_REPLAY)

static bool spoil_l1(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  (void)p;
  switch (which) {
    case 0: SMS(l->sweep_large, l->cleared_large ^= true, ": large way cleared:");
    case 1: SMS(l->sweep_large, l->sweep_large_way ^= 1, ": large ways visited in order");
    case 2: SMS(l->sweep_base, l->cleared_base ^= true, ": base way cleared:");
    case 3: SMS(l->sweep_base, l->sweep_base_way ^= 1, ": base ways visited in order");
    case 4: SMS(IS_LOOK(l) && l->outcome == GMMU_L1_MISS_MERGE, l->mshr ^= 1, ": mshr:");
    case 5: SMS(IS_LOOK(l) && l->outcome == GMMU_L1_MISS_ALLOC, l->mshr ^= 1, ": mshr:");
    case 6: SMS(IS_LOOK(l) && l->outcome == GMMU_L1_HIT_LARGE, l->way ^= 1, ": hit way:");
    case 7: SMS(l->op == GMMU_L1_ANSWER, l->mshr += 64, ": the MSHR is in use");
    case 8: SMS(l->op == GMMU_L1_ANSWER, l->mshr = 15, ": the MSHR is in use");
    case 9: SMS(l->op == GMMU_L1_ANSWER, l->asid ^= 1, ": asid:");
    case 10: SMS(l->op == GMMU_L1_ANSWER, l->vfn ^= 1, ": vfn:");
    case 11: SMS(l->op == GMMU_L1_ANSWER, l->fill_base ^= true, ": base filled:");
    case 12: SMS(l->op == GMMU_L1_ANSWER && l->fill_base, l->fill_pages ^= 8, ": pages of the");
    case 13: SMS(l->op == GMMU_L1_ANSWER_NEXT, l->fill_base = true, ": only the first answer");
    case 14: SMS(l->op == GMMU_L1_ANSWER_NEXT, l->fill_large = true, ": only the first answer");
    case 15: SMS(l->tell, l->tell_mshr += 64, ": the L2 keeps the MSHR's miss");
    case 16: SMS(l->tell, l->tell_l2_mshr ^= 1, ": L2 MSHR:");
    case 17: SMS(l->tell, l->tell_warps ^= 1, ": warps:");
    case 18: SMS(!l->tell, (l->tell = true, l->tell_mshr = 15), ": the L2 keeps the MSHR's miss");
    case 19: ONE(p->rsp[1].valid, p->rsp[1].tag ^= 1, ": tag:");
    case 20: ONE(p->rsp[1].valid && !p->rsp[1].cause, p->rsp[1].large ^= true, ": large:");
    case 21: ONE(p->app_misses[0], p->app_misses[0]--, ": of the application:");
    case 22: ONE(p->inv_done, p->inv_done = false, ": acknowledged in this cycle:");
    case 23: ONE(p->inv_ready, p->inv_ready = false, ": ready for a command");
    case 24: ONE(!p->inv_ready, p->inv_ready = true, ": ready for a command");
    case 25:
      ONE(p->inv_ready && !p->inv_done, p->inv_done = true,
          ": acknowledged out of order: expected 0x1, got 0x0");
    case 26: /* by the request that the tag is of */
      for (int i = 0; i < 4; i++) {
        static char whose[64];
        const struct gmmu_req *q = &traffic->req[i][p->rsp[i].tag].q;
        if (!p->rsp[i].valid || p->rsp[i].cause) continue;
        p->rsp[i].pa ^= 8;
        snprintf(whose, sizeof whose, ", asid %u vfn 0x%llx: pa:", q->asid,
                 (unsigned long long)(q->va >> 12 & ((1ull << 36) - 1)));
        named = whose;
        return true;
      }
      return false;
    default: return false;
  }
}
#define L1_CASES 27

/* An MSHR that an SM took in the cycle before: in use, not answered, not kept by the L2. */
static bool spoil_new_mshr(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  static uint64_t now, when[4];
  static uint8_t mshr[4];
  bool done = false;

  (void)p;
  now++;
  for (int i = 0; i < 4 && !done; i++) {
    struct gmmu_l1_event *l = &ev->l1[i];
    if (when[i] + 1 != now) continue;
    if (which == 0 && l->op == GMMU_L1_ANSWER) {
      l->mshr = mshr[i];
      named = ": the MSHR is in use";
      done = true;
    } else if (which == 1 && !l->tell) {
      l->tell = true;
      l->tell_mshr = mshr[i];
      named = ": the L2 keeps the MSHR's miss";
      done = true;
    }
  }
  for (int i = 0; i < 4; i++)
    if (IS_LOOK(&ev->l1[i]) && ev->l1[i].outcome == GMMU_L1_MISS_ALLOC)
      when[i] = now, mshr[i] = ev->l1[i].mshr;
  return done;
}

static bool spoil_l2(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  struct gmmu_l2_event *l = &ev->l2;

  (void)p;
  switch (which) {
    case 0: ONE(l->tell, l->tell_mshr ^= 1, "tell, asid 0 vfn 0x0: mshr:");
    case 1: ONE(l->tell, l->tell_warps ^= 1, ": warps:");
    case 2: ONE(l->tell, l->tell_counted ^= true, ": counted:");
    case 3: ONE(l->tell, l->tell_sum ^= 1, ": sum:");
    case 4: ONE(l->tell, l->tell_sm = 4, ": the SM has told something:");
    case 5: ONE(!l->tell, l->tell = true, ": the SM has told something:");
    case 6: ONE(l->fin, l->fill_bypass ^= true, ": bypass cache filled:");
    case 7: ONE(l->fin, l->bypass_left ^= 1, ": bypass ways that went:");
    case 8: ONE(l->fin, l->fin_token ^= true, ": the warp holds a token:");
    case 9: ONE(l->fin, l->fin_early ^= true, ": early:");
    case 10: ONE(l->fin, l->fin_run_only ^= true, ": run only:");
    case 11: ONE(l->fin, l->fill_sub ^= true, ": subregion entry filled:");
    case 12: ONE(l->fin, l->fin_dropped ^= 1, ": ways of overlapping entries:");
    case 13: ONE(l->fin && l->fill_base, l->overwrite ^= true, ": overwrite:");
    case 14: ONE(l->fin, l->fin_asid ^= 1, ": asid:");
    case 15: ONE(l->fin && l->fill_base, l->fill_pages ^= 8, ": pages of the group:");
    case 16: ONE(!l->fin, l->fin = true, ": a walk has ended:");
    case 17: ONE(l->popped, l->freed ^= true, ": freed:");
    case 18: ONE(l->popped, l->freed_mshr ^= 1, ": mshr:");
    case 19: ONE(!l->popped, l->popped = true, "l2_tlb answered, asid 0 vfn 0x0: an MSHR is done:");
    case 20: ONE(!l->popped && !l->freed, l->freed = true, ": an MSHR is freed when");
    case 21:
      ONE(l->port[0].valid && l->port[1].valid, l->port[1].sm = l->port[0].sm,
          "l2_tlb ports, asid ");
    case 22: ONE(l->port[0].valid, l->port[0].sm = 4, ": SM and L1 MSHR exist:");
    case 23: ONE(l->port[0].valid, l->port[0].l1_mshr = 3, ": SM and L1 MSHR exist:");
    case 24: ONE(l->port[0].valid, l->port[0].outcome ^= 1, ": outcome:");
    case 25:
      ONE(l->port[0].valid && l->port[0].outcome == GMMU_L2_MISS_ALLOC, l->port[0].mshr ^= 1,
          ": mshr:");
    case 26: ONE(l->sweep, l->sweep_cleared ^= 1, ": ways cleared:");
    case 27: ONE(l->sweep, l->sweep_set ^= 1, ": sets visited in order");
    default: return false;
  }
}
#define L2_CASES 28

/* Large ways, the bypass cache, fill tokens: of the split L2. */
static bool spoil_split(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  struct gmmu_l2_event *l = &ev->l2;
  struct gmmu_token_event *t = &ev->token;

  (void)p;
  switch (which) {
    case 0: ONE(l->sweep_large, l->cleared_large ^= true, ": large way cleared:");
    case 1: ONE(l->sweep_large, l->sweep_large_way += 64, ": large ways visited in order");
    case 2: ONE(l->sweep_bypass, l->cleared_bypass ^= true, ": bypass way cleared:");
    case 3: ONE(l->sweep_bypass, l->sweep_bypass_way ^= 1, ": bypass ways visited in order");
    case 4: ONE(t->pulse, t->pulse = false, ": an epoch ends:");
    case 5: ONE(!t->pulse, t->pulse = true, ": an epoch ends:");
    case 6: ONE(t->update, t->update = false, ": an application's tokens change:");
    case 7: ONE(t->update, t->app ^= 1, ": application:");
    case 8: ONE(t->update, t->active ^= 1, ": active warps:");
    case 9: ONE(t->update, t->tokens ^= 1, ": tokens:");
    case 10: ONE(t->update, t->up ^= true, ": direction:");
    case 11: ONE(t->mark, t->mark = false, " vfn 0x0: a bit is looked at:");
    case 12: ONE(t->mark, t->sm ^= 1, ": SM:");
    case 13: ONE(t->mark, t->warp ^= 1, ": warp:");
    case 14: ONE(t->mark, t->gets ^= true, ": gets a token:");
    case 15:
      ONE(t->replace, t->replace = false,
          "fill_tokens replace, asid 0 vfn 0x0: the marks are replaced:");
    case 16:
      ONE(!t->pulse && !t->update && !t->mark && !t->replace, t->replace = true,
          ": nothing changes between epochs:");
    case 17:
      ONE(!t->pulse && !t->update && !t->mark && !t->replace, t->mark = true,
          ": nothing changes between epochs:");
    case 18:
      ONE(!t->pulse && !t->update && !t->mark && !t->replace, t->update = true,
          ": nothing changes between epochs:");
    case 19: ONE(l->fin && l->fill_base, l->fill_way ^= 1, ": fill way:");
    default: return false;
  }
}
#define SPLIT_CASES 20

static bool spoil_walk(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  struct gmmu_walk_event *w = &ev->walk;

  switch (which) {
    case 0: ONE(w->step, w->step_cached ^= true, ": PTE from the page walk");
    case 1: ONE(w->step, w->step_update ^= true, ": PTE to be updated:");
    case 2: ONE(w->step, w->step_early ^= true, ": answered early:");
    case 3: ONE(w->step, w->step_head ^= true, ": head of another subregion:");
    case 4: ONE(w->step, w->step_slot ^= 1, ": slot:");
    case 5: ONE(w->pwc_probe, w->pwc_slot ^= 1, ": slot:");
    case 6: ONE(w->pwc_probe, w->pwc_hit ^= true, ": hit:");
    case 7: ONE(w->pwc_probe && w->pwc_hit, w->pwc_way ^= 1, ": way:");
    case 8:
      ONE(!w->pwc_probe, w->pwc_probe = true, "walker walk cache, asid 0 vfn 0x0: a read is being");
    case 9: ONE(w->pwc_insert, w->pwc_insert = false, ": a PTE is put in:");
    case 10: ONE(!w->pwc_insert, w->pwc_insert = true, ": a PTE is put in:");
    case 11: ONE(w->pwc_insert, w->pwc_insert_way ^= 1, ": way:");
    case 12: ONE(w->pwc_insert, w->pwc_overwrite ^= true, ": overwrite:");
    case 13: ONE(w->pwc_insert, w->pwc_evict ^= true, ": evict:");
    case 14: ONE(w->again, w->again = false, ": a walk starts over:");
    case 15: ONE(!w->again, w->again = true, ": a walk starts over:");
    case 16: ONE(w->again, w->again_slot ^= 1, ": slot:");
    case 17: ONE(w->start, w->start_asid ^= 1, ": asid:");
    case 18: ONE(w->start, w->start_mshr ^= 1, ": mshr:");
    case 19: ONE(w->start, w->start_queued ^= true, ": had waited:");
    case 20: ONE(!w->start, w->start = true, ": a walk starts:");
    case 21: ONE(p->mem_req.valid, p->mem_req.upd ^= true, ": update:");
    case 22:
      ONE(p->mem_req.valid && p->mem_req.upd, p->mem_req.old ^= 64, ": PTE before the update");
    case 23:
      ONE(p->mem_req.valid && p->mem_req.upd, p->mem_req.set ^= 64, ": PTE after the update");
    case 24:
      ONE(p->mem_rsp.valid, p->mem_rsp.id += 200,
          "walker PTE answer, asid 0 vfn 0x0: memory answers a read that is");
    case 25:
      ONE(!p->mem_rsp.valid, (p->mem_rsp.valid = true, p->mem_rsp.id = 3),
          "walker PTE answer, asid 0 vfn 0x0: memory answers");
    case 26:
      ONE(!p->mem_req.valid, p->mem_req.valid = true,
          "walker PTE read at the pins, asid 0 vfn 0x0: a read");
    case 27: ONE(!w->mark, w->mark = true, ": mark pulse:");
    case 28: ONE(w->mark, w->mark = false, ": mark pulse:");
    case 29: ONE(w->start, w->start = false, ": a walk starts:");
    case 30: ONE(w->step, w->step_depth ^= 1, "walker step, asid ");
    case 31: ONE(p->mem_req.valid, p->mem_req.addr ^= 8, "walker PTE read at the pins, asid ");
    default: return false;
  }
}
#define WALK_CASES 32

/* Runs and memory subregion cache: of the unified L2. */
static bool spoil_runs(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  struct gmmu_walk_event *w = &ev->walk;

  (void)p;
  switch (which) {
    case 0: ONE(w->run, w->run_slot ^= 1, ": slot:");
    case 1: ONE(w->run, w->run_stale ^= true, ": stale:");
    case 2: ONE(w->run, w->run_hit ^= true, ": hit:");
    case 3: ONE(w->run, w->run_insert ^= true, ": insert:");
    case 4: ONE(w->run, w->run_read ^= true, ": reads a head:");
    case 5: ONE(w->run && (w->run_hit || w->run_insert), w->run_way ^= 1, ": way:");
    case 6: ONE(w->run && !w->run_read && !w->run_stale, w->run_bitmap ^= 1, ": bitmap:");
    case 7: ONE(w->run, w->run_overwrite ^= true, ": overwrite:");
    case 8: ONE(w->run, w->run_evict ^= true, ": evict:");
    case 9: ONE(!w->run, w->run = true, "walker run, asid 0 vfn 0x0: a run waits to be");
    case 10: ONE(w->msc_sweep, w->msc_set ^= 1, ": sets of the memory subregion cache");
    case 11: ONE(w->msc_sweep, w->msc_cleared ^= 1, ": ways cleared:");
    case 12: ONE(w->msc_sweep, w->msc_set += 64, ": sets of the memory subregion cache");
    default: return false;
  }
}
#define RUN_CASES 13

/* Walks that end at their root, which no window has. */
static bool spoil_roots(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  struct gmmu_walk_event *w = &ev->walk;

  (void)p;
  switch (which) {
    case 0: ONE(w->root_end, w->root_cause ^= 1, ": cause:");
    case 1: ONE(w->root_end, w->root_end = false, ": ended at its root:");
    case 2: ONE(w->start && !w->root_end, w->root_end = true, ": ended at its root:");
    case 3: ONE(w->root_end && w->start, w->start_slot ^= 1, ": slot:");
    default: return false;
  }
}
#define ROOT_CASES 4

/* Of the split L2: more than one thing that is wrong for one reason. */
static bool spoil_for_one_reason(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  struct gmmu_l2_lookup *l = &ev->l2.port[0];
  struct gmmu_walk_event *w = &ev->walk;

  switch (which) {
    case 0: /* the way of what was no hit means nothing */
      ONE(l->valid && l->outcome == GMMU_L2_HIT_BASE,
          (l->outcome = GMMU_L2_MISS_ALLOC, l->way ^= 1), ": outcome:");
    case 1:
      ONE(!p->mem_req.valid,
          (p->mem_req.valid = true, p->mem_req_ready = false, p->mem_req.addr ^= 8),
          ": a read is to be made:");
    case 2: /* there is none in this build */
      ONE(!w->msc_sweep, (w->msc_sweep = true, w->msc_cleared = 1),
          ": sets of the memory subregion cache visited in order");
    default: return false;
  }
}

/* Says nothing wrong: what a field means without what it belongs to is not compared, and an
 * environment that is not shown is the one of before. */
static bool spoil_nothing(int which, struct gmmu_events *ev, struct gmmu_pins *p) {
  struct gmmu_walk_event *w = &ev->walk;

  (void)which;
  if (traffic->cycle % 2) p->env = NULL;
  if (!p->mem_req.valid) p->mem_req.addr = p->mem_req.id = p->mem_req.upd = 1;
  if (!p->mem_req.upd) p->mem_req.old = p->mem_req.set = 5;
  for (int i = 0; i < 4; i++) {
    struct gmmu_l1_event *l = &ev->l1[i];
    bool hit = l->outcome == GMMU_L1_HIT_BASE || l->outcome == GMMU_L1_HIT_LARGE;
    if (IS_LOOK(l) && !hit) l->way = 7;
    if (IS_LOOK(l) && l->outcome != GMMU_L1_MISS_ALLOC && l->outcome != GMMU_L1_MISS_MERGE)
      l->mshr = 77;
    if (l->op == GMMU_L1_ANSWER && !l->fill_base && !l->fill_large)
      l->way = 7, l->overwrite = l->evict = true;
    if (!l->tell) l->tell_mshr = l->tell_l2_mshr = l->tell_warps = 99;
    if (!l->sweep_base) l->sweep_base_way = 99;
    if (!l->sweep_large) l->sweep_large_way = 99;
  }
  for (int i = 0; i < 2; i++) {
    struct gmmu_l2_lookup *l = &ev->l2.port[i];
    if (!gmmu_l2_is_hit(l->outcome)) l->way = 99;
    if (l->outcome != GMMU_L2_MISS_ALLOC && l->outcome != GMMU_L2_MISS_MERGE) l->mshr = 99;
    if (!l->valid) l->sm = l->l1_mshr = 99, l->replay = true;
  }
  if (!ev->l2.popped) ev->l2.freed_mshr = 99;
  if (!w->step_done) w->step_cause = 9;
  if (!w->root_end) w->root_cause = 9;
  if (!w->run_hit && !w->run_insert) w->run_way = 9;
  if (w->run_read || w->run_stale) w->run_bitmap ^= 0x55;
  if (!w->pwc_hit) w->pwc_way = 9;
  if (!w->pwc_insert) w->pwc_insert_way = 9;
  return false;
}

struct build {
  const char *key;
  int64_t value;
};
#define SMALL                                                                                      \
  {"NumSms", 4}, {"NumAsids", 4}, {"L1BaseEntries", 8}, {"L1Mshrs", 3}, {"L2Entries", 16},         \
      {"L2Ways", 4}, {"L2Mshrs", 8}, {"Walks", 5}, {"TagW", 5}, {"PwcEntries", 8}, {"PwcWays", 2}, \
      {"LineAnswers", 1}, {"Svadu", 1}, {"FillTokens", 1}, {"EpochCycles", 400},                   \
      {"BypassEntries", 4}, {"WarpW", 3}, {                                                        \
    "WarpsPerSm", 8                                                                                \
  }

static const struct build split[] = {
    SMALL, {"L1LargeEntries", 2}, {"L2LargeEntries", 2}, {"Colt", 2}, {NULL, 0}};
static const struct build unified[] = {
    SMALL,          {"L2Unified", 1}, {"L1LargeEntries", 2}, {"L2LargeEntries", 0},
    {"MscSets", 2}, {"MscWays", 2},   {"Colt", 1},           {"FlushL2", 1},
    {NULL, 0}};

/* Frames of pages in order, whole or but for a few of them, with C and AC as software sets them. */
static void contiguous_frames(struct rig *r) {
  struct gmmu_scan s = {0};
  struct gmmu_err err;

  for (int a = 0; a < r->asids; a++)
    for (uint64_t n = 0; n < 6; n++) {
      uint64_t base = (200 + n) << 21, pa = (0x8000 + 512 * (n + 6 * (uint64_t)a) + 3) << 12;
      if (gmmu_tables_map(r->tables, a, base, pa, (n == 0 ? 512 : 470 - 50 * n) << 12, 0xd7,
                          GMMU_MAP_4K, &err))
        fail_msg("%s", err.msg);
      gmmu_scan_range(r->mem, &r->env, a, base >> 12, (base >> 12) + 511, &s);
      for (uint64_t k = 0; k < 4; k++) r->va[a][4 * n + k] = base + (k * 83 + n) % 200 * 4096;
    }
}

static bool no_root; /* of ASID 2 */

static struct rig *rig_of(const struct build *b, uint64_t seed) {
  struct rig *r = malloc(sizeof *r);
  struct gmmu_config c;

  gmmu_config_default(&c);
  for (; b->key; b++) rig_set(&c, b->key, b->value);
  rig_open(r, &c, seed);
  contiguous_frames(r); /* runs and groups */
  r->ready_pct = 80;
  r->pte.latency = 2;
  if (no_root) r->env.ctx[2].root_pfn = RIG_DATA_LO;
  return r;
}

static void invalidate_now_and_then(struct rig *r) {
  if (r->cycle % 300 == 299 && !r->pins.inv.valid)
    r->pins.inv = (struct gmmu_inv_cmd){.valid = true, .kind = r->cycle / 300 % 2, .asid = 1};
}

/* An idle scoreboard means that nothing is under way, and after a while it is idle. */
static void follows(const struct build *b, uint32_t errors) {
  struct rig *r = rig_of(b, 7);

  r->pte.err_per_million = errors;
  r->unchecked = errors > 0;
  for (int i = 0; i < 6000; i++) {
    bool busy = false;
    invalidate_now_and_then(r);
    rig_cycle(r);
    for (int sm = 0; sm < r->cfg.NumSms; sm++)
      for (int t = 0; t < 32; t++) busy |= r->req[sm][t].busy && r->presented[sm] != t;
    if (busy) assert_false(gmmu_scoreboard_idle(r->sb));
    if (i % 1500 == 1499) rig_drain(r);
  }
  assert_true(r->answers > 1000 && r->acks > 10 && r->mismatches == 0);
  rig_close(r);
  free(r);
}

static void follows_everything(void **state) {
  (void)state;
  for (uint32_t errors = 0; errors <= 60000; errors += 60000) { /* of PTE reads in a million */
    follows(split, errors);
    follows(unified, errors);
  }
}

/* An answer that its SM does not take: nothing else is under way, but idle is something else. */
static void idle_but_for_an_answer(void **state) {
  struct rig *r = rig_of(split, 9);

  (void)state;
  r->request_pct = 0;
  r->ready_pct = 0;
  rig_present(r, 2, (struct gmmu_req){.va = r->va[0][0], .user = true}, 0);
  for (int i = 0; i < 300; i++) rig_cycle(r);
  assert_true(r->pins.rsp[2].valid);
  assert_false(gmmu_scoreboard_idle(r->sb));
  r->ready_pct = 100;
  rig_drain(r);
  rig_close(r);
  free(r);
}

/* Contexts and windows that software changes: the scoreboard follows each part of them. */
static void follows_the_environment(void **state) {
  struct rig *r = rig_of(split, 5);

  (void)state;
  r->unchecked = true;
  for (int i = 0; i < 20000; i++) {
    if (i % 97 == 0) {
      struct gmmu_ctx *c = &r->env.ctx[i / 97 % 3];
      switch (i / 97 % 8) {
        case 0: c->sum ^= true; break;
        case 1: c->mxr ^= true; break;
        case 2: c->ext ^= true; break;
        case 3: c->mode = c->mode ? GMMU_MODE_OFF : GMMU_MODE_SV48; break;
        case 4: r->env.win[1].data ^= true; break;
        case 5: r->env.win[1].hi_pfn ^= 0x3000; break;
        case 6: /* all at once */
          for (int a = 0; a < r->env.num_asids; a++)
            r->env.ctx[a].mode = r->env.ctx[a].mode ? GMMU_MODE_OFF : GMMU_MODE_SV48;
          break;
        default: c->root_pfn ^= 1;
      }
      r->pins.env_changed = true;
    }
    invalidate_now_and_then(r);
    rig_cycle(r);
  }
  assert_int_equal(r->mismatches, 0);
  rig_close(r);
  free(r);
}

/* One run in which case n is spoiled after 1,000 cycles: does the first mismatch name it? */
static bool is_named(const struct build *b,
                     bool (*spoil)(int, struct gmmu_events *, struct gmmu_pins *), int n,
                     uint64_t seed, char *said, size_t size) {
  struct rig *r = rig_of(b, seed);
  bool found;

  traffic = r;
  r->spoil = spoil;
  r->which = n;
  named = "";
  for (int i = 0; i < 20000 && !r->spoiled; i++) {
    invalidate_now_and_then(r);
    if (i < 1000) r->spoiled = true; /* rig_compare() leaves alone what is spoiled already */
    if (i == 999 && seed % 3 == 0) rig_drain(r); /* some need that nothing is under way */
    rig_cycle(r);
    if (i < 1000) {
      assert_int_equal(r->mismatches, 0);
      r->spoiled = false;
    }
  }
  if (!r->spoiled) fail_msg("case %d never came up", n);
  for (int i = 0; i < 2 && !r->mismatches; i++) rig_cycle(r);
  snprintf(said, size, "%s", r->said);
  counted = r->mismatches;
  found = r->mismatches && strstr(r->said, named);
  rig_close(r);
  free(r);
  return found;
}

/* In the first mismatch: at once, or a cycle later. Not each time for what depends on the moment:
 * an MSHR that happens to be in use. */
static void spoil_with(const struct build *b,
                       bool (*spoil)(int, struct gmmu_events *, struct gmmu_pins *), int cases) {
  char said[512];

  for (int n = 0; n < cases; n++) {
    bool found = false;
    for (uint64_t seed = 1; seed < 12 && !found; seed++)
      found = is_named(b, spoil, n, 100 * (uint64_t)n + seed, said, sizeof said);
    if (!found) fail_msg("case %d: '%s' is not in '%s'", n, named, said);
  }
}

/* Whoever starts: the one that waits longest, or another one. */
static void each_start_is_missed(void) {
  char said[512];
  for (uint64_t seed = 1; seed <= 60; seed++)
    if (!is_named(split, spoil_walk, 29, seed, said, sizeof said))
      fail_msg("seed %d: '%s' is not in '%s'", (int)seed, named, said);
}

/* What cannot be, an MSHR or a read that is not there, is one mismatch: nothing that would follow
 * is compared. */
static void one_mismatch(void **state) {
  static const struct {
    bool (*spoil)(int, struct gmmu_events *, struct gmmu_pins *);
    int n;
  } v[] = {{spoil_l1, 7},
           {spoil_l1, 8},
           {spoil_l1, 15},
           {spoil_l1, 18},
           {spoil_l2, 5},
           {spoil_l2, 16},
           {spoil_l2, 19},
           {spoil_walk, 8},
           {spoil_walk, 24},
           {spoil_walk, 25},
           {spoil_walk, 26},
           {spoil_for_one_reason, 0},
           {spoil_for_one_reason, 1},
           {spoil_for_one_reason, 2}};
  char said[512];

  (void)state;
  for (size_t i = 0; i < sizeof v / sizeof *v; i++)
    for (uint64_t seed = 1; seed < 6; seed++)
      if (is_named(split, v[i].spoil, v[i].n, 50 * i + seed, said, sizeof said) && counted != 1)
        fail_msg("'%s' and %d more", said, counted - 1);
}

static void fields_without_meaning(void **state) {
  const struct build *builds[] = {split, unified};

  (void)state;
  for (int b = 0; b < 2; b++) {
    struct rig *r = rig_of(builds[b], 3);
    traffic = r;
    r->spoil = spoil_nothing;
    r->env.ctx[2].root_pfn =
        RIG_DATA_LO; /* walks that end at their root beside those that do not */
    r->unchecked = true;
    for (int i = 0; i < 6000; i++) {
      invalidate_now_and_then(r);
      rig_cycle(r);
    }
    assert_int_equal(r->mismatches, 0);
    rig_close(r);
    free(r);
  }
}

static void names_what_is_wrong(void **state) {
  (void)state;
  each_start_is_missed();
  spoil_with(split, spoil_l1, L1_CASES);
  spoil_with(split, spoil_new_mshr, 2);
  spoil_with(split, spoil_l2, L2_CASES);
  spoil_with(split, spoil_split, SPLIT_CASES);
  spoil_with(split, spoil_walk, WALK_CASES);
  spoil_with(split, spoil_for_one_reason, 3);
  spoil_with(unified, spoil_l2, L2_CASES - 2);
  spoil_with(unified, spoil_runs, RUN_CASES);
  no_root = true;
  spoil_with(split, spoil_roots, ROOT_CASES);
  no_root = false;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follows_everything),      cmocka_unit_test(idle_but_for_an_answer),
      cmocka_unit_test(follows_the_environment), cmocka_unit_test(fields_without_meaning),
      cmocka_unit_test(names_what_is_wrong),     cmocka_unit_test(one_mismatch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
