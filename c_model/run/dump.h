/* SPDX-License-Identifier: Apache-2.0 */
/** dump.h - the CSV of all answers: seq,sm,warp,asid,va,access,result,pa,page_bytes in order of
 * answers. */
#ifndef GMMU_RUN_DUMP_H
#define GMMU_RUN_DUMP_H

#include "frontend/frontend.h"

void gmmu_dump_header(FILE *f);
/** pa is 0x0 and page_bytes 0 on a fault. */
void gmmu_dump_line(FILE *f, const struct gmmu_fe_answer *a);

#endif
