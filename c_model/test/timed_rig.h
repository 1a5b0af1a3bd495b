/* SPDX-License-Identifier: Apache-2.0 */
/** timed_rig.h - a device with tables, memory, scoreboard and random SMs around it, for tests.
 * Header only: each test is one program. */
#ifndef GMMU_TEST_TIMED_RIG_H
#define GMMU_TEST_TIMED_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gmmu.h"
#include "scoreboard/scoreboard.h"
#include "run/pte_mem.h"
#include "timed/timed.h"

#define RIG_PAGES 96 /* virtual pages per ASID that traffic uses */
#define RIG_TABLES_LO 0x1000
#define RIG_TABLES_HI 0x1fff
#define RIG_DATA_LO 0x4000
#define RIG_DATA_HI 0xffff

struct rig_request {
  struct gmmu_req q;
  int page;
  bool busy;
  uint64_t at; /* cycle of the handshake */
};

/** What a request for a page may be answered: now and, while an invalidation is under way, as
 * before it. */
struct rig_expect {
  struct gmmu_answer now, old;
  bool has_old;
};

struct rig {
  struct gmmu_config cfg;
  struct gmmu_env env;
  struct gmmu_mem *mem;
  struct gmmu_tables *tables;
  struct gmmu_dut dut;
  struct gmmu_scoreboard *sb;
  struct gmmu_pte_mem pte;
  struct gmmu_pins pins;
  struct gmmu_events ev;
  struct gmmu_rng rng;
  uint64_t cycle, answers, faults, large, acks;
  int asids, request_pct, ready_pct, mem_ready_pct,
      hot; /* traffic; hot: pages that most requests are for */
  uint64_t va[4][RIG_PAGES];
  struct rig_request req[GMMU_MAX_SMS][256];
  int presented[GMMU_MAX_SMS];                /* tag that is at the pins, or -1 */
  struct gmmu_answer old[4][RIG_PAGES][4][2]; /* by access and privilege */
  bool has_old;
  bool unchecked;   /* answers are not compared with the tables, only by the scoreboard */
  uint64_t latency; /* of the last answer */
  /* tests of the scoreboard: changes what it is shown; true when it did, which then must be noticed
   */
  bool (*spoil)(int which, struct gmmu_events *ev, struct gmmu_pins *p);
  int which, mismatches;
  char said[512];           /**< the first mismatch */
  uint8_t ok[3][RIG_PAGES]; /**< accesses that were answered without a fault, one bit each */
  bool spoiled;
};

static inline void rig_set(struct gmmu_config *c, const char *key, int64_t v) {
  char text[32];
  struct gmmu_err err;
  snprintf(text, sizeof text, "%lld", (long long)v);
  if (gmmu_config_set(c, key, text, &err)) fail_msg("%s", err.msg);
}

static inline int rig_pct(struct rig *r, int pct) {
  return (int)gmmu_rng_below(&r->rng, 100) < pct;
}

/** 4 KiB pages, coalesced frames, 2 MiB pages and holes, some with odd permissions. */
static inline void rig_map(struct rig *r, int asid) {
  struct gmmu_err err;
  uint64_t perms[] = {0xd7, 0xd7, 0xd7, 0xd3,
                      0xdb, 0x57, 0xc7, 0x97}; /* V R W X U G A D in PTE order */
  for (int p = 0; p < RIG_PAGES; p++) {
    uint64_t frame = (uint64_t)p / 8, base = (frame + 1) << 21 | (uint64_t)asid << 30;
    uint64_t pa = (RIG_DATA_LO + (frame + 12ull * (uint64_t)asid) * 512) << 12;
    int kind = frame % 3 == 0 ? GMMU_MAP_4K : frame % 3 == 1 ? GMMU_MAP_COALESCED : GMMU_MAP_2M;
    r->va[asid][p] = base + (uint64_t)(p % 8) * 0x13000;
    if (frame % 3 == 0) {
      if (p % 8 == 7) continue; /* a hole */
      if (gmmu_tables_map(r->tables, asid, r->va[asid][p], pa + (uint64_t)(p % 8) * 0x13000, 4096,
                          perms[(p + p / 8) % 8], kind, &err))
        fail_msg("%s", err.msg);
    } else if (p % 8 == 0) {
      if (gmmu_tables_map(r->tables, asid, base, pa, 2 << 20, perms[(frame / 3) % 4], kind, &err))
        fail_msg("%s", err.msg);
    }
  }
}

static inline void rig_open(struct rig *r, const struct gmmu_config *c, uint64_t seed) {
  struct gmmu_err err;

  memset(r, 0, sizeof *r);
  r->cfg = *c;
  r->rng.s = seed;
  r->mem = gmmu_mem_new();
  gmmu_env_from_config(&r->env, c);
  r->env.win[0] = (struct gmmu_window){RIG_TABLES_LO, RIG_TABLES_HI, true, false};
  r->env.win[1] = (struct gmmu_window){RIG_DATA_LO, RIG_DATA_HI, false, true};
  r->tables = gmmu_tables_new(r->mem, &r->env, RIG_TABLES_LO, RIG_TABLES_HI);
  r->asids = c->NumAsids < 3 ? (int)c->NumAsids : 3;
  for (int a = 0; a < r->asids; a++) {
    if (gmmu_tables_add_asid(r->tables, a, c->Mode == 48 ? GMMU_MODE_SV48 : GMMU_MODE_SV39, c->Ext,
                             &err))
      fail_msg("%s", err.msg);
    r->env.ctx[a].sum = a == 1;
    r->env.ctx[a].mxr = a == 2;
    rig_map(r, a);
  }
  if (gmmu_timed_new(&r->dut, c, &err)) fail_msg("%s", err.msg);
  gmmu_timed_set_memory(&r->dut, r->mem);
  r->sb = gmmu_scoreboard_new(c, &r->env);
  gmmu_pte_mem_init(&r->pte, r->mem, 20, 0, seed);
  r->pte.sample_late = true;
  r->pte.lines = c->LineAnswers != 0;
  if (c->Svadu) r->pte.writable = r->mem;
  r->pins.env = &r->env;
  r->pins.env_changed = true;
  r->request_pct = 50;
  r->hot = 24;
  r->ready_pct = r->mem_ready_pct = 100;
  for (int i = 0; i < GMMU_MAX_SMS; i++) r->presented[i] = -1;
  r->dut.reset(r->dut.h, &r->pins);
}

static inline void rig_close(struct rig *r) {
  r->dut.free(r->dut.h);
  gmmu_scoreboard_free(r->sb);
  gmmu_tables_free(r->tables);
  gmmu_mem_free(r->mem);
}

/** A request at the pins of an SM, with a free tag; none if all tags are out. */
static inline void rig_present(struct rig *r, int sm, struct gmmu_req q, int page) {
  int tags = 1 << r->cfg.TagW;
  if (tags > 256) tags = 256;
  for (int i = 0, first = (int)gmmu_rng_below(&r->rng, (uint64_t)tags); i < tags; i++) {
    int tag = (first + i) % tags;
    if (r->req[sm][tag].busy) continue;
    q.valid = true;
    q.tag = (uint16_t)tag;
    r->req[sm][tag] = (struct rig_request){.q = q, .page = page, .busy = true};
    r->pins.req[sm] = q;
    r->presented[sm] = tag;
    return;
  }
}

static inline void rig_random_request(struct rig *r, int sm) {
  int page = (int)gmmu_rng_below(&r->rng, RIG_PAGES);
  struct gmmu_req q = {.asid = (uint16_t)gmmu_rng_below(&r->rng, (uint64_t)r->asids),
                       .user = rig_pct(r, 90),
                       .access = rig_pct(r, 70) ? GMMU_READ : (uint8_t)gmmu_rng_below(&r->rng, 4)};
  if (rig_pct(r, 70)) page %= r->hot;
  q.va = r->va[q.asid][page] + gmmu_rng_below(&r->rng, 4096);
  if (rig_pct(r, 1)) q.va |= 1ull << 60, page = -1;
  else if (rig_pct(r, 1)) q.asid = (uint16_t)r->cfg.NumAsids, page = -1;
  rig_present(r, sm, q, page);
}

static inline bool rig_right(const struct gmmu_answer *a, const struct gmmu_rsp *got) {
  if (a->cause != got->cause || a->pa != got->pa) return false;
  return got->cause || (got->large ? a->may_be_2m : a->may_be_4k);
}

static inline void rig_check_answer(struct rig *r, int sm) {
  const struct gmmu_rsp *got = &r->pins.rsp[sm];
  struct rig_request *q = &r->req[sm][got->tag];
  struct gmmu_answer want;
  bool right;

  assert_true(q->busy && r->presented[sm] != got->tag);
  q->busy = false;
  r->latency = r->cycle - q->at;
  gmmu_translate(&r->env, r->mem, q->q.asid, q->q.va, q->q.access, q->q.user, &want);
  right = rig_right(&want, got);
  if (!right && r->has_old && q->page >= 0) {
    struct gmmu_answer old = r->old[q->q.asid][q->page][q->q.access][q->q.user];
    if (!old.cause) old.pa |= q->q.va & 0xfff;
    right = rig_right(&old, got);
  }
  if (!right && !r->unchecked)
    fail_msg(
        "cycle %llu SM %d asid %u va 0x%llx: cause %d pa 0x%llx expected, %d 0x%llx large %d got",
        (unsigned long long)r->cycle, sm, q->q.asid, (unsigned long long)q->q.va, want.cause,
        (unsigned long long)want.pa, got->cause, (unsigned long long)got->pa, got->large);
  r->answers++;
  if (!got->cause && q->page >= 0) r->ok[q->q.asid][q->page] |= (uint8_t)(1u << q->q.access);
  r->faults += got->cause != 0;
  r->large += got->large;
}

/** Remembers what everything translates to, before software changes tables. */
static inline void rig_remember(struct rig *r) {
  for (int a = 0; a < r->asids; a++)
    for (int p = 0; p < RIG_PAGES; p++)
      for (int k = 0; k < 8; k++)
        gmmu_translate(&r->env, r->mem, a, r->va[a][p] & ~0xfffull, k / 2, k % 2,
                       &r->old[a][p][k / 2][k % 2]);
  r->has_old = true;
}

static inline void rig_compare(struct rig *r) {
  struct gmmu_pins shown = r->pins;
  char msg[512];
  int bad;

  if (r->spoil && !r->spoiled) r->spoiled = r->spoil(r->which, &r->ev, &shown);
  bad = gmmu_scoreboard_step(r->sb, r->cycle, &r->ev, &shown, msg, sizeof msg);
  if (bad && !r->spoiled) fail_msg("scoreboard: %s", msg);
  assert_int_equal(bad > 0, msg[0] != 0);
  if (bad && !r->mismatches) memcpy(r->said, msg, sizeof r->said);
  r->mismatches += bad;
}

/** One cycle. Requests are presented before; inputs other than traffic's are the test's. */
static inline void rig_cycle(struct rig *r) {
  for (int i = 0; i < r->cfg.NumSms; i++) {
    if (r->presented[i] < 0 && rig_pct(r, r->request_pct)) rig_random_request(r, i);
    r->pins.req[i].valid = r->presented[i] >= 0;
    r->pins.rsp_ready[i] = rig_pct(r, r->ready_pct);
  }
  r->pins.mem_req_ready = rig_pct(r, r->mem_ready_pct);
  gmmu_pte_mem_drive(&r->pte, r->cycle, &r->pins);
  r->dut.eval(r->dut.h, &r->pins);
  gmmu_pte_mem_step(&r->pte, r->cycle, &r->pins);
  assert_int_equal(r->pte.protocol_errors, 0);
  if (r->pins.inv_done) {
    r->has_old = false; /* from this cycle on nothing old may be answered */
    r->acks++;
  }
  for (int i = 0; i < r->cfg.NumSms; i++) {
    if (r->pins.rsp[i].valid && r->pins.rsp_ready[i]) rig_check_answer(r, i);
    if (r->presented[i] < 0 || !r->pins.req_ready[i]) continue;
    r->req[i][r->presented[i]].at = r->cycle;
    r->presented[i] = -1;
  }
  r->dut.clock(r->dut.h, &r->pins, &r->ev);
  r->pins.env_changed = false;
  rig_compare(r);
  if (r->pins.inv.valid && r->pins.inv_ready) r->pins.inv.valid = false;
  r->cycle++;
}

/** Lets everything finish. */
static inline void rig_drain(struct rig *r) {
  int quiet = 0, rate = r->request_pct;

  r->request_pct = 0;
  for (int n = 0; quiet < 8; n++) {
    bool busy = false;
    if (n > 200000) fail_msg("not idle after 200000 cycles");
    rig_cycle(r);
    for (int i = 0; i < r->cfg.NumSms; i++)
      for (int t = 0; t < 256; t++) busy |= r->req[i][t].busy;
    quiet = busy || !gmmu_scoreboard_idle(r->sb) ? 0 : quiet + 1;
  }
  r->request_pct = rate;
}

#endif
