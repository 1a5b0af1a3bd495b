/* SPDX-License-Identifier: Apache-2.0 */
/**
 * mapcheck.h - a second opinion on every answer of a run without demand paging by the memory
 * manager: physical address, permissions and cause follow from the mapping lines and the changes
 * applied so far. Reads no page table and calls nothing that does, so an error in how the tables
 * are built, changed, scanned or walked shows, also where table and walk agree.
 *
 * It knows the rules of docs/walk-rules.md from 12 on and what MESC's scan says of A and D
 * (docs/manager.md); page sizes are check.h's.
 */
#ifndef GMMU_RUN_MAPCHECK_H
#define GMMU_RUN_MAPCHECK_H

#include "frontend/frontend.h"

struct gmmu_mapcheck;
/** From the lines of `num` mappings, which do not overlap; demand lines map nothing yet. scanned:
 * MESC's scan went over the tables. Keeps `env` and reads its contexts and windows. */
struct gmmu_mapcheck *gmmu_mapcheck_new(const struct gmmu_env *env, const struct gmmu_mapping *maps,
                                        int num, bool scanned, struct gmmu_err *err);
void gmmu_mapcheck_free(struct gmmu_mapcheck *m);

/** A page of a demand line came. */
void gmmu_mapcheck_came(struct gmmu_mapcheck *m, const struct gmmu_map_line *l);
/** Changes that are acknowledged later, in order; until then, and in the cycle of the
 * acknowledgement, answers may be as before. */
void gmmu_mapcheck_map(struct gmmu_mapcheck *m, const struct gmmu_map_line *l);
void gmmu_mapcheck_unmap(struct gmmu_mapcheck *m, int asid, uint64_t va, uint64_t bytes);
/** The 2 MiB frame of va is coalesced, or splintered. */
void gmmu_mapcheck_frame(struct gmmu_mapcheck *m, int asid, uint64_t va, bool coalesced);
/** All changes so far are acknowledged. */
void gmmu_mapcheck_acknowledged(struct gmmu_mapcheck *m, uint64_t cycle);

/** True if the answer is right; otherwise says what the lines say. */
bool gmmu_mapcheck_answer(struct gmmu_mapcheck *m, const struct gmmu_fe_answer *a, uint64_t cycle,
                          char *msg, size_t n);

#endif
