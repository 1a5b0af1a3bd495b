/* SPDX-License-Identifier: Apache-2.0 */
/**
 * fill_tokens.h - policy of the TLB-fill tokens, without a clock: docs/fill_tokens.md, "Policy".
 * Model of rtl/tlb/gmmu_fill_tokens.sv. MASK section 5.2.
 *
 * The caller keeps the order: gmmu_tokens_pulse() first in its cycle (requests and lookups of that
 * cycle belong to the new epoch), then gmmu_tokens_update() for each application, then
 * gmmu_tokens_mark() in order, then gmmu_tokens_replace().
 */
#ifndef GMMU_POLICY_FILL_TOKENS_H
#define GMMU_POLICY_FILL_TOKENS_H

#include "gmmu.h"

#define GMMU_MAX_WARPS 256

struct gmmu_token_app {
  uint32_t hits, misses;           /**< of this epoch, 16 bits */
  uint32_t last_hits, last_misses; /**< of the one that ended ... */
  uint32_t prev_hits, prev_misses; /**< ... and the one before it */
  uint32_t warps;                  /**< W of the epoch that ended */
  uint32_t tokens, left;           /**< left: to be given in the marking under way */
  bool started, up;
};

struct gmmu_token_sm {
  uint16_t app, marked_app; /**< the last request's; as it was at the pulse */
  bool active[GMMU_MAX_WARPS], marked[GMMU_MAX_WARPS], holds[GMMU_MAX_WARPS];
  bool was[GMMU_MAX_WARPS]; /**< active in the epoch that ended */
};

/** Callers may read everything and write only through the functions below. */
struct gmmu_tokens {
  int num_sms, num_apps, num_warps;
  int start, step, points; /**< percent, divider, percentage points */
  bool skip_merged, any, sm_first;
  bool free_for_all; /**< no marks yet */
  struct gmmu_token_app app[GMMU_MAX_ASIDS];
  struct gmmu_token_sm sm[GMMU_MAX_SMS];
};

void gmmu_tokens_init(struct gmmu_tokens *t, const struct gmmu_config *c);
/** A request was accepted. */
void gmmu_tokens_request(struct gmmu_tokens *t, int sm, uint16_t asid, unsigned warp);
/** L2 lookups of one cycle. */
void gmmu_tokens_lookups(struct gmmu_tokens *t, const struct gmmu_l2_lookup port[2]);
bool gmmu_tokens_holds(const struct gmmu_tokens *t, int sm, unsigned warp);

/** An epoch ends. */
void gmmu_tokens_pulse(struct gmmu_tokens *t);
/** The token count of one application. */
void gmmu_tokens_update(struct gmmu_tokens *t, int app);
/** Looks at the next bit, in order of (warp, SM). Returns whether it gets a token. */
bool gmmu_tokens_mark(struct gmmu_tokens *t, int sm, int warp);
void gmmu_tokens_replace(struct gmmu_tokens *t);

/** What is due in a cycle (docs/fill_tokens.md, "Timing"). */
#define GMMU_TOKEN_TURN 20 /**< cycles of an application's turn */
enum gmmu_token_phase { GMMU_TOKEN_NONE, GMMU_TOKEN_UPDATE, GMMU_TOKEN_MARK, GMMU_TOKEN_REPLACE };
struct gmmu_token_due {
  enum gmmu_token_phase phase;
  int app, sm, warp; /**< UPDATE: app; MARK: sm, warp */
};
/** `since`: cycles since the last pulse. */
struct gmmu_token_due gmmu_tokens_due(const struct gmmu_tokens *t, uint64_t since);

#endif
