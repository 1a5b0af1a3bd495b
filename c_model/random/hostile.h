/* SPDX-License-Identifier: Apache-2.0 */
/** hostile.h - gmmu random --tables: page tables that no driver would write. A few frames that
 * point at one another and at themselves, reserved bits, leaves at any level and place, frames and
 * leaves at and beside the edges of the windows, contexts that share tables, or whole PTEs of
 * random bits. Tables stand still while requests run, so that each answer must be the functional
 * model's, in full: cause, address, page size. Between two tables everything is invalidated, by one
 * command or by one for each ASID. What is drawn: docs/random.md. */
#ifndef GMMU_RUN_HOSTILE_H
#define GMMU_RUN_HOSTILE_H

#include "gmmu.h"

enum { HT_FRAMES = 12, HT_DIGITS = 24, HT_ASIDS = 4 };

/** One set of tables with the contexts and windows above it. */
struct hostile {
  const struct gmmu_config *cfg;
  struct gmmu_rng rng;
  struct gmmu_env env;
  struct gmmu_mem *mem;
  uint64_t top;              /**< greatest PFN */
  uint64_t frame[HT_FRAMES]; /**< PFNs of the tables */
  int level[HT_FRAMES];      /**< at which most paths reach each */
  int digit[HT_DIGITS];      /**< indices in use, the same in every table */
  int asid[HT_ASIDS];
  int frames, digits, asids;
  bool calm; /**< little is wrong above the leaf tables: most walks end there */
};

void hostile_init(struct hostile *h, const struct gmmu_config *c, uint64_t seed);
/** Draws the next tables; -1: out of memory. The old memory is freed. */
int hostile_next(struct hostile *h);
void hostile_free(struct hostile *h);
/** A request's ASID, address and rights. */
void hostile_request(struct hostile *h, struct gmmu_req *q);

#endif
