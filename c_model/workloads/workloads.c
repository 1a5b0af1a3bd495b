/* SPDX-License-Identifier: Apache-2.0 */
#include "gen.h"

#include <strings.h>

static const struct gmmu_workload *const registry[] = {
    &gen_atax,  &gen_bicg, &gen_mvt,  &gen_gmv,  &gen_nw,   &gen_bfs,   &gen_2dconv, &gen_hs,
    &gen_histo, &gen_gup,  &gen_blk,  &gen_red,  &gen_corr, &gen_covar, &gen_grm,    &gen_sssp,
    &gen_color, &gen_lud,  &gen_srad, &gen_qtc,  &gen_ray,  &gen_sad,   &gen_scp,    &gen_bp,
    &gen_lps,   &gen_3ds,  &gen_cfd,  &gen_cons, &gen_fwt,  &gen_luh,   &gen_mm,     &gen_sc,
    &gen_scan,  &gen_trd,  &gen_fft,  &gen_nn,
};
#define COUNT (sizeof registry / sizeof registry[0])

const struct gmmu_workload *gmmu_workload_at(size_t i) { return i < COUNT ? registry[i] : NULL; }

const struct gmmu_workload *gmmu_workload_find(const char *name) {
  for (size_t i = 0; i < COUNT; i++)
    if (!strcasecmp(registry[i]->name, name)) return registry[i];
  return NULL;
}
