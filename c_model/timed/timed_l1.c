/* SPDX-License-Identifier: Apache-2.0 */
/** timed_l1.c - cycles of one L1 TLB: docs/l1_tlb.md, "Timing". */
#include <string.h>

#include "functional/walk_step.h"
#include "timed/timed_blocks.h"

int timed_l1_init(struct timed_l1 *l, const struct gmmu_config *c, int sm) {
  memset(l, 0, sizeof *l);
  l->tlb = gmmu_l1_new(c, sm);
  l->ideal = c->Ideal != 0;
  l->send.sm = (uint8_t)sm;
  return l->tlb ? 0 : -1;
}

void timed_l1_reset(struct timed_l1 *l) {
  struct gmmu_l1_tlb *tlb = l->tlb;
  const struct gmmu_mem *mem = l->mem;
  struct gmmu_l2_req send = {.sm = l->send.sm};
  bool ideal = l->ideal;

  memset(l, 0, sizeof *l);
  gmmu_l1_reset(tlb);
  l->tlb = tlb;
  l->mem = mem;
  l->send = send;
  l->ideal = ideal;
}

static bool advances(const struct timed_l1 *l, bool rsp_ready) {
  return !l->ans.valid || rsp_ready;
}

/** The head of the parked list is there two cycles after its lookup. Behind a replay an MSHR must
 * be free beyond the one that it may take. */
static bool replays(const struct timed_l1 *l, uint64_t cycle) {
  uint64_t free = l->tlb->free;

  if (l->replayed) free &= free - 1;
  if (l->parked == 0 || !free) return false;
  return l->parked > 2 || l->parked_at[l->parked - 1] + 2 <= cycle;
}

bool timed_l1_req_ready(const struct timed_l1 *l, const struct timed_pulses *p, bool rsp_ready,
                        uint64_t cycle) {
  return advances(l, rsp_ready) && !p->mark && !p->clear && !l->drain_valid && !replays(l, cycle);
}

static int read_mem(void *arg, uint64_t pa, uint64_t *pte) {
  if (!arg) return -1; /* gmmu_timed_set_memory() was forgotten: every walk is a memory error */
  *pte = gmmu_mem_read64(arg, pa);
  return 0;
}

/** Config Ideal: as if every translation were in the TLB. */
static void ideal_lookup(struct timed_l1 *l, const struct timed_l1_in *in,
                         struct gmmu_l1_result *r) {
  struct gmmu_l1_tlb *tlb = l->tlb;
  int tag = gmmu_l1_keep(tlb, in->req);
  struct gmmu_xlate x;

  *r = (struct gmmu_l1_result){.outcome = GMMU_L1_LOCAL_FAULT, .tag = (uint16_t)tag};
  r->cause = (uint8_t)gmmu_local_fault(in->env, tlb->req[tag].asid, in->req->va);
  if (r->cause) return;
  gmmu_walk(in->env, tlb->req[tag].asid, in->req->va >> 12 & GMMU_VFN_MASK, read_mem,
            (void *)l->mem, &x);
  r->data = gmmu_tlb_data_of(&x);
  r->outcome = x.large ? GMMU_L1_HIT_LARGE : GMMU_L1_HIT_BASE;
}

static void count_later(struct timed_l1 *l, const struct timed_l1_in *in,
                        const struct gmmu_l1_result *r) {
  l->count[in->cycle % TIMED_L1_COUNT_AFTER] =
      (struct timed_l1_warp){.valid = true, .mshr = (uint8_t)r->mshr, .warp = r->warp};
  l->counts++;
}

/** The warp of a lookup some cycles ago is counted; behind this cycle's report to the L2. */
static void do_count(struct timed_l1 *l, uint64_t cycle) {
  struct timed_l1_warp *w = &l->count[cycle % TIMED_L1_COUNT_AFTER];

  if (!w->valid) return;
  if (gmmu_l1_count(l->tlb, w->mshr, w->warp)) l->to_tell |= 1ull << w->mshr & l->taken;
  w->valid = false;
  l->counts--;
}

static void do_lookup(struct timed_l1 *l, const struct timed_l1_in *in, bool replay,
                      struct gmmu_l1_event *ev) {
  struct gmmu_l1_tlb *tlb = l->tlb;
  struct gmmu_l1_result r;

  if (replay) gmmu_l1_replay(tlb, in->env, &r);
  else if (l->ideal) ideal_lookup(l, in, &r);
  else gmmu_l1_lookup(tlb, in->env, in->req, &r);
  ev->op = replay ? GMMU_L1_REPLAY : GMMU_L1_LOOKUP;
  ev->outcome = r.outcome;
  ev->mshr = (uint8_t)r.mshr;
  ev->way = (uint16_t)r.way;
  ev->tag = r.tag;
  ev->asid = tlb->req[r.tag].asid;
  ev->vfn = tlb->req[r.tag].va >> 12 & GMMU_VFN_MASK;
  if (replay) l->parked--;
  l->replayed = replay && r.outcome != GMMU_L1_MISS_ALLOC;
  switch (r.outcome) {
    case GMMU_L1_MISS_PARK:
      l->parked_at[1] = l->parked_at[0];
      l->parked_at[0] = in->cycle;
      l->parked++;
      break;
    case GMMU_L1_MISS_ALLOC: l->allocated = 1ull << r.mshr; break;
    case GMMU_L1_MISS_MERGE: break;
    case GMMU_L1_LOCAL_FAULT:
      l->ans = (struct gmmu_rsp){.valid = true, .tag = r.tag, .cause = r.cause};
      break;
    default: gmmu_l1_respond(tlb, in->env, r.tag, &r.data, 0, &l->ans);
  }
  if (r.outcome == GMMU_L1_MISS_ALLOC || r.outcome == GMMU_L1_MISS_MERGE) count_later(l, in, &r);
}

/** Serves the drain register's next waiter; it is empty behind the last one. */
static void do_answer(struct timed_l1 *l, const struct timed_l1_in *in, struct gmmu_l1_event *ev) {
  struct gmmu_l1tlb_mshr *m = &l->tlb->mshr[l->drain];
  struct gmmu_fill f = {0};
  bool last;
  int tag;

  ev->op = l->drain_first ? GMMU_L1_ANSWER : GMMU_L1_ANSWER_NEXT;
  ev->stale = m->stale;
  ev->mshr = (uint8_t)l->drain;
  ev->asid = m->asid;
  ev->vfn = m->vfn;
  if (l->drain_first) gmmu_l1_fill(l->tlb, l->drain, &f);
  ev->fill_base = f.base;
  ev->fill_large = f.large;
  ev->overwrite = f.overwrite;
  ev->evict = f.evict;
  ev->fill_pages = f.pages;
  ev->way = (uint16_t)f.way;
  l->drain_first = false;
  tag = gmmu_l1_serve(l->tlb, l->drain, &last);
  l->drain_valid = !last;
  if (tag < 0) return;
  ev->tag = (uint16_t)tag;
  gmmu_l1_respond(l->tlb, in->env, tag, &m->data, m->store, &l->ans);
}

/** Reads the next way of both arrays, after this cycle's op; a fill of that way by the op wins. */
static void sweep(struct timed_l1 *l, const struct gmmu_inv_cmd *c,
                  const struct gmmu_l1_event *ev) {
  struct gmmu_fill f = {
      .base = ev->fill_base, .overwrite = ev->overwrite, .pages = ev->fill_pages, .way = ev->way};

  if (l->sweep < gmmu_l1_base_ways(l->tlb)) {
    l->seen.sweep_base = true;
    l->seen.sweep_base_way = (uint16_t)l->sweep;
    l->seen.cleared_base = gmmu_l1_sweep_base(l->tlb, l->sweep, c, &f);
  }
  if (l->sweep < gmmu_tlb_ways(l->tlb->large)) {
    l->seen.sweep_large = true;
    l->seen.sweep_large_way = (uint16_t)l->sweep;
    l->seen.cleared_large =
        !(ev->fill_large && ev->way == l->sweep) && gmmu_l1_large_matches(l->tlb, l->sweep, c);
    if (l->seen.cleared_large) gmmu_tlb_clear(l->tlb->large, l->sweep);
  }
  l->sweep++;
}

static bool ways_left(const struct timed_l1 *l) {
  return l->sweep < gmmu_l1_base_ways(l->tlb) || l->sweep < gmmu_tlb_ways(l->tlb->large);
}

static void take_visits(struct timed_l1 *l, struct gmmu_l1_event *ev) {
  ev->sweep_base = l->seen.sweep_base;
  ev->sweep_large = l->seen.sweep_large;
  ev->cleared_base = l->seen.cleared_base;
  ev->cleared_large = l->seen.cleared_large;
  ev->sweep_base_way = l->seen.sweep_base_way;
  ev->sweep_large_way = l->seen.sweep_large_way;
  l->seen = (struct gmmu_l1_event){0};
}

/** Send register: empty or in its handshake, it takes the MSHR whose turn it is. */
static void load_send(struct timed_l1 *l, bool l2_ready) {
  int i;

  if (l->send_valid && !l2_ready) return;
  l->send_valid = l->next_send != 0;
  if (!l->next_send) return;
  i = timed_round_robin(l->next_send, l->tlb->num_mshrs, &l->rr_send);
  l->to_send &= ~l->next_send;
  l->send.asid = l->tlb->mshr[i].asid;
  l->send.vfn = l->tlb->mshr[i].vfn;
  l->send.store = l->tlb->mshr[i].store;
  l->send.warp = l->tlb->mshr[i].owner_warp;
  l->send.l1_mshr = (uint8_t)i;
}

static void load_drain(struct timed_l1 *l) {
  if (l->drain_valid || !l->next_drain) return;
  l->drain = timed_round_robin(l->next_drain, l->tlb->num_mshrs, &l->rr_drain);
  l->answered &= ~l->next_drain;
  l->drain_valid = l->drain_first = true;
}

/** The MSHR whose turn it is in the next cycle, or 0: of those that stand, else the one that comes
 * in this cycle. */
static uint64_t turn(const struct timed_l1 *l, uint64_t stand, uint64_t comes, int last) {
  return stand ? 1ull << timed_round_robin(stand, l->tlb->num_mshrs, &last) : comes;
}

/** Clear pulse: the matching MSHRs that hold an answer ask again. The drain register takes no MSHR
 * in this cycle. */
static void resend(struct timed_l1 *l, const struct gmmu_inv_cmd *c) {
  uint64_t drained = l->drain_valid ? 1ull << l->drain : 0;
  uint64_t again = gmmu_l1_matching(l->tlb, c, l->answered | drained);

  l->to_send |= again;
  l->answered &= ~again;
  l->drain_valid = (drained & ~again) != 0;
  l->busy = true;
  l->sweep = 0;
}

/** The L2 is told of one MSHR: before this cycle's op, which may add to it again. */
static void do_tell(struct timed_l1 *l, bool ready, struct timed_tell *tell,
                    struct gmmu_l1_event *ev) {
  int i;

  if (!ready || !l->to_tell) return;
  i = timed_round_robin(l->to_tell, l->tlb->num_mshrs, &l->rr_tell);
  l->to_tell &= ~(1ull << i);
  tell->valid = ev->tell = true;
  tell->l2_mshr = ev->tell_l2_mshr = l->tlb->mshr[i].l2_mshr;
  tell->warps = ev->tell_warps = (uint8_t)gmmu_l1_tell(l->tlb, i);
  ev->tell_mshr = (uint8_t)i;
}

void timed_l1_taken(struct timed_l1 *l, int mshr, int l2_mshr) {
  if (!l->tlb->count_warps) return;
  gmmu_l1_taken(l->tlb, mshr, l2_mshr);
  l->taken |= 1ull << mshr;
  l->to_tell |= 1ull << mshr;
}

static bool idle(const struct timed_l1 *l, const struct timed_l1_in *in) {
  return !in->req->valid && !l->ans.valid && !l->drain_valid && !l->send_valid && !l->to_send &&
         !l->allocated && !l->counts && !l->answered && !l->parked && !l->busy && !l->to_tell &&
         !l->seen.sweep_base && !l->seen.sweep_large && !in->pulse->mark && !in->pulse->clear &&
         !in->answer->valid;
}

void timed_l1_step(struct timed_l1 *l, const struct timed_l1_in *in, struct timed_tell *tell,
                   struct gmmu_l1_event *ev) {
  const struct timed_pulses *p = in->pulse;
  bool adv, sweeping = l->busy && ways_left(l);
  uint64_t to_send = l->to_send, answered = l->answered; /* as they were in this cycle */
  uint64_t allocated = l->allocated, came = 0;
  bool replay_due;

  tell->valid = false;
  if (idle(l, in)) return;
  adv = advances(l, in->rsp_ready);
  replay_due = replays(l, in->cycle);
  l->to_send |= l->allocated;
  l->allocated = 0;
  l->replayed = false;
  do_tell(l, in->tell_ready, tell, ev);
  do_count(l, in->cycle);
  take_visits(l, ev);
  ev->mark = p->mark;
  ev->resend = p->clear;
  if (!sweeping && adv) l->busy = false;
  if (adv) l->ans.valid = false;
  if (p->mark) gmmu_l1_mark(l->tlb, &p->cmd);
  if (adv && !p->mark && !p->clear) {
    if (l->drain_valid) do_answer(l, in, ev);
    else if (replay_due) do_lookup(l, in, true, ev);
    else if (in->req->valid) do_lookup(l, in, false, ev);
  }
  if (sweeping) sweep(l, &p->cmd, ev);
  if (p->clear) resend(l, &p->cmd);
  if (!p->clear) load_drain(l);
  load_send(l, in->l2_ready);
  if (in->answer->valid) {
    gmmu_l1_store(l->tlb, in->answer->l1_mshr, &in->answer->data);
    came = 1ull << in->answer->l1_mshr;
    l->answered |= came;
    l->taken &= ~came;
    l->to_tell &= l->taken;
  }
  /* a clear pulse changes what is chosen from: nobody's turn in the next cycle */
  l->next_send = p->clear ? 0 : turn(l, to_send & l->to_send, allocated, l->rr_send);
  l->next_drain = p->clear ? 0 : turn(l, answered & l->answered, came, l->rr_drain);
}
