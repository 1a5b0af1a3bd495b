/* SPDX-License-Identifier: Apache-2.0 */
/** stats.h - what a run counts: latencies of answers and what the blocks' observation events show.
 */
#ifndef GMMU_RUN_STATS_H
#define GMMU_RUN_STATS_H

#include "gmmu.h"

#define GMMU_HIST 65536

/** Latencies: exact up to GMMU_HIST - 2 cycles, the rest in the last place. */
struct gmmu_hist {
  uint64_t n, sum, max;
  uint64_t count[GMMU_HIST];
};
static inline void gmmu_hist_add(struct gmmu_hist *h, uint64_t x) {
  h->n++;
  h->sum += x;
  if (x > h->max) h->max = x;
  h->count[x < GMMU_HIST - 1 ? x : GMMU_HIST - 1]++;
}
double gmmu_hist_mean(const struct gmmu_hist *h);
/** Smallest latency that at least num/den of the samples do not exceed. */
uint64_t gmmu_hist_quantile(const struct gmmu_hist *h, uint64_t num, uint64_t den);

/** What one application's requests met. */
struct gmmu_stats_app {
  uint64_t l1_lookups, l1_hits, l2_lookups, l2_hits, bypass_hits, walks, answers, latency,
      latency_max;
};

/** Occupancy of a queue: sum over cycles and maximum. */
struct gmmu_level {
  uint64_t now, sum, max;
};

struct gmmu_stats {
  uint64_t cycles;
  /* L1s together: first lookups by outcome (enum gmmu_l1_outcome), replays apart */
  uint64_t l1_lookup[6], l1_replay[6], l1_answers, l1_fills, l1_evicts;
  /* L2: lookups that had not waited before by outcome, replays apart */
  uint64_t l2_lookup[GMMU_L2_OUTCOMES], l2_replay[GMMU_L2_OUTCOMES], l2_fills, l2_evicts;
  uint64_t token_fills, bypass_fills,
      epochs; /**< fill tokens: walks whose warp held one; fills of the bypass cache */
  uint64_t l2_sub_fills,
      l2_dropped; /**< of the fills, subregion entries; entries that overlapped one */
  /* walker's caches; heads: of other subregions, read after an early answer */
  uint64_t early, msc_lookups, msc_hits, msc_inserts, heads, pwc_probes, pwc_hits, pwc_inserts;
  uint64_t warp_reports;    /**< of waiting warps, that the L2 added up */
  struct gmmu_level warps;  /**< sums after each: now the last, and the greatest */
  uint64_t missed, stalled; /**< L2 misses that have ended; warps that waited for them */
  uint64_t walks;           /**< started */
  uint64_t walks_queued;    /**< ... after waiting for a slot */
  uint64_t walk_steps, walk_restarts;
  uint64_t
      same_frame; /**< L2 misses for a 2 MiB frame that another pending miss was already fetching */
  uint64_t walk_busy;     /**< cycles with at least one walk */
  uint64_t lookup_cycles; /**< SM cycles with a lookup */
  struct gmmu_level l1_mshr, l1_park, l2_mshr, walk_wait, walk;
  struct gmmu_hist latency;
  struct gmmu_stats_app app[GMMU_MAX_ASIDS]; /**< by ASID */
  /* who holds what, also for the watchdog */
  struct gmmu_stats_l1 {
    uint64_t vfn[256];
    uint16_t asid[256], waiters[256];
    uint32_t parked;
  } l1[GMMU_MAX_SMS];
  struct gmmu_stats_l2 {
    uint64_t vfn[256];
    uint16_t asid[256];
    bool used[256], pending[256]; /* pending: its walk has not returned */
    uint8_t warps[256];
  } l2;
  struct gmmu_stats_walk {
    bool used[256];
    uint8_t mshr[256];
    bool after_heads[256]; /**< its next lookup of a run is not one of the cache */
  } slot;
};

/** Adds the events of one cycle. */
void gmmu_stats_step(struct gmmu_stats *s, const struct gmmu_events *ev, int num_sms);
uint64_t gmmu_stats_l1_lookups(const struct gmmu_stats *s);
uint64_t gmmu_stats_l2_lookups(const struct gmmu_stats *s);

#endif
