/* SPDX-License-Identifier: Apache-2.0 */
#include "run/dump.h"

#include <inttypes.h>

void gmmu_dump_header(FILE *f) { fputs("seq,sm,warp,asid,va,access,result,pa,page_bytes\n", f); }

void gmmu_dump_line(FILE *f, const struct gmmu_fe_answer *a) {
  bool ok = a->rsp.cause == GMMU_OK;

  fprintf(f, "%" PRIu64 ",%d,%d,%d,0x%" PRIx64 ",%s,%s,0x%" PRIx64 ",%u\n", a->seq, a->sm, a->warp,
          a->asid, a->va, gmmu_access_name(a->access), gmmu_cause_name(a->rsp.cause),
          ok ? a->rsp.pa : 0,
          !ok            ? 0
          : a->rsp.large ? GMMU_LARGE_PAGE
                         : GMMU_PAGE);
}
