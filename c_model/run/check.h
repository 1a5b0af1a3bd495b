/* SPDX-License-Identifier: Apache-2.0 */
/**
 * check.h - functional checker of a run: every answer against gmmu_translate(). Each distinct
 * (ASID, page, access, privilege) is translated once and remembered.
 */
#ifndef GMMU_RUN_CHECK_H
#define GMMU_RUN_CHECK_H

#include "frontend/frontend.h"

struct gmmu_check;
struct gmmu_check *gmmu_check_new(const struct gmmu_env *env, const struct gmmu_mem *mem);
void gmmu_check_free(struct gmmu_check *c);
/** True if the answer is right; otherwise says what was expected and got. */
bool gmmu_check_answer(struct gmmu_check *c, const struct gmmu_fe_answer *a, char *msg, size_t n);
/** Config Svadu, nothing remapped meanwhile: the leaf of a page that was answered has A=1, for a
 * store D=1. */
bool gmmu_check_marks(const struct gmmu_check *c, const struct gmmu_fe_answer *a, char *msg,
                      size_t n);
/** The page tables have changed: forgets what it remembers of them. */
void gmmu_check_forget(struct gmmu_check *c);
/** Counts the page and the frame of an answer that something else checks. */
void gmmu_check_touch(struct gmmu_check *c, const struct gmmu_fe_answer *a);
/** Distinct (ASID, 2 MiB virtual frame) with an answer so far. */
uint64_t gmmu_check_frames(const struct gmmu_check *c);
uint64_t gmmu_check_pages(const struct gmmu_check *c); /**< distinct (ASID, page) */

#endif
