/* SPDX-License-Identifier: Apache-2.0 */
#include "run/watch.h"

#define VFN_MASK ((1ull << 36) - 1)

struct gmmu_watch_sm gmmu_watch_begin(int sm, uint32_t outstanding, bool presenting) {
  struct gmmu_watch_sm w = {.sm = sm};

  w.s.outstanding = outstanding;
  w.s.presenting = presenting;
  w.s.oldest_seq = UINT64_MAX;
  return w;
}

void gmmu_watch_waits(struct gmmu_watch_sm *w, uint64_t seq, uint64_t since, uint16_t asid,
                      uint64_t va, uint16_t tag) {
  if (seq >= w->s.oldest_seq) return;
  w->s.oldest_seq = seq;
  w->s.oldest_since = since;
  w->s.oldest_asid = asid;
  w->s.oldest_va = va;
  w->s.oldest_tag = tag;
}

static int find_l1(const struct gmmu_stats_l1 *l, int asid, uint64_t vfn) {
  for (int i = 0; i < 256; i++)
    if (l->waiters[i] && l->asid[i] == asid && l->vfn[i] == vfn) return i;
  return -1;
}

static int find_l2(const struct gmmu_stats_l2 *l, int asid, uint64_t vfn) {
  for (int i = 0; i < 256; i++)
    if (l->used[i] && l->asid[i] == asid && l->vfn[i] == vfn) return i;
  return -1;
}

static int find_slot(const struct gmmu_stats_walk *w, int mshr) {
  for (int i = 0; i < 256; i++)
    if (w->used[i] && w->mshr[i] == mshr) return i;
  return -1;
}

/** The chain of one request. */
static void follow(FILE *f, int sm, int asid, uint64_t vfn, const struct gmmu_stats *st,
                   const struct gmmu_pte_mem *mem) {
  int l1 = find_l1(&st->l1[sm], asid, vfn), l2, slot;

  if (l1 < 0) {
    fprintf(f, st->l1[sm].parked ? " -> no L1 MSHR (%u requests parked)\n" : " -> no L1 MSHR\n",
            st->l1[sm].parked);
    return;
  }
  fprintf(f, " -> L1 MSHR %d", l1);
  l2 = find_l2(&st->l2, asid, vfn);
  if (l2 < 0) {
    fprintf(f, " -> no L2 MSHR\n");
    return;
  }
  fprintf(f, " -> L2 MSHR %d", l2);
  if (!st->l2.pending[l2]) {
    fprintf(f, " (walk returned, answer not delivered)\n");
    return;
  }
  slot = find_slot(&st->slot, l2);
  if (slot < 0) {
    fprintf(f, " -> walk buffer or finish queue\n");
    return;
  }
  fprintf(f, " -> walk %d", slot);
  for (uint32_t i = 0; i < mem->n; i++)
    if (mem->heap[i].id == slot) {
      fprintf(f, " -> PTE read 0x%llx, due in cycle %llu\n", (unsigned long long)mem->heap[i].addr,
              (unsigned long long)mem->heap[i].due);
      return;
    }
  fprintf(f, " -> no PTE read outstanding\n");
}

void gmmu_watch_print(FILE *f, uint64_t cycle, uint64_t silent, const struct gmmu_watch_sm *sms,
                      int n, const struct gmmu_stats *st, const struct gmmu_pte_mem *mem) {
  fprintf(f, "watchdog: cycle %llu, no answer for %llu cycles\n", (unsigned long long)cycle,
          (unsigned long long)silent);
  fprintf(f,
          "  MSHRs in use: L1 %llu (parked %llu), L2 %llu; walks waiting %llu, running %llu; PTE "
          "reads %u\n",
          (unsigned long long)st->l1_mshr.now, (unsigned long long)st->l1_park.now,
          (unsigned long long)st->l2_mshr.now, (unsigned long long)st->walk_wait.now,
          (unsigned long long)st->walk.now, mem->n);
  for (int i = 0; i < n; i++) {
    const struct gmmu_fe_sm_state *s = &sms[i].s;
    if (s->presenting) fprintf(f, "  SM %d: a request is valid and not accepted\n", sms[i].sm);
    if (!s->outstanding) continue;
    fprintf(f, "  SM %d: %u outstanding; oldest %llu, tag %u, asid %u, va 0x%llx, since cycle %llu",
            sms[i].sm, s->outstanding, (unsigned long long)s->oldest_seq, s->oldest_tag,
            s->oldest_asid, (unsigned long long)s->oldest_va, (unsigned long long)s->oldest_since);
    follow(f, sms[i].sm, s->oldest_asid, s->oldest_va >> 12 & VFN_MASK, st, mem);
  }
}
