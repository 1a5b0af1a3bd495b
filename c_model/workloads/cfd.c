/* SPDX-License-Identifier: Apache-2.0 */
/* CFD (Rodinia euler3d): an unstructured mesh. */
#include "gen.h"

#include <stdlib.h>

#define CFD_BLOCK 192u
#define CFD_WINDOW 1024u /* ids are shuffled inside windows of this many elements */
#define CFD_ITERATIONS 1u
#define CFD_VARS 5u

struct cfd {
  uint64_t n, var, old, areas, step, fluxes, ese, normals;
  int64_t side;
  uint32_t *new_id, *old_id; /* of an element of the regular grid, and back */
};

/** Neighbour behind face j of element i, -1 at the boundary: of the grid element it stands for,
 * then shuffled. */
static int64_t cfd_neighbour(const struct cfd *k, uint64_t i, uint32_t j) {
  static const int sign[4] = {-1, 1, -1, 1};
  int64_t o = k->old_id[i], x = o % k->side, to;
  if (j < 2 && (x + sign[j] < 0 || x + sign[j] >= k->side)) return -1;
  to = o + sign[j] * (j < 2 ? 1 : k->side);
  return to < 0 || to >= (int64_t)k->n ? -1 : (int64_t)k->new_id[to];
}

static int cfd_mesh(struct cfd *k, uint64_t seed, struct gmmu_err *err) {
  struct gmmu_rng rng = {seed};
  k->new_id = malloc(k->n * sizeof *k->new_id);
  k->old_id = malloc(k->n * sizeof *k->old_id);
  if (!k->new_id || !k->old_id)
    return gmmu_fail(err, "not enough memory for %llu elements", (unsigned long long)k->n);
  for (k->side = 1; (uint64_t)k->side * (uint64_t)k->side * (uint64_t)k->side < k->n;) k->side++;
  for (uint64_t i = 0; i < k->n; i++) k->old_id[i] = (uint32_t)i;
  for (uint64_t first = 0; first < k->n; first += CFD_WINDOW) {
    uint64_t size = k->n - first < CFD_WINDOW ? k->n - first : CFD_WINDOW;
    for (uint64_t i = size - 1; i > 0; i--) {
      uint64_t j = gmmu_rng_below(&rng, i + 1);
      uint32_t t = k->old_id[first + i];
      k->old_id[first + i] = k->old_id[first + j];
      k->old_id[first + j] = t;
    }
  }
  for (uint64_t i = 0; i < k->n; i++) k->new_id[k->old_id[i]] = (uint32_t)i;
  return 0;
}

static void cfd_flux(struct gen *g, const struct cfd *k, uint64_t i) {
  for (uint64_t v = 0; v < CFD_VARS; v++) gen_ld(g, k->var + (v * k->n + i) * 4);
  for (uint32_t j = 0; j < 4; j++) {
    uint64_t to[GEN_WARP];
    uint32_t lanes = 0;
    gen_ld(g, k->ese + (i + j * k->n) * 4);
    for (uint64_t d = 0; d < 3; d++) gen_ld(g, k->normals + (i + (j + 4 * d) * k->n) * 4);
    for (uint32_t l = 0; l < GEN_WARP; l++) {
      int64_t nb = cfd_neighbour(k, i + l, j);
      if (nb >= 0) to[lanes++] = (uint64_t)nb;
    }
    for (uint64_t v = 0; v < CFD_VARS; v++) {
      for (uint32_t l = 0; l < lanes; l++) g->op.addr[l] = k->var + (v * k->n + to[l]) * 4;
      gen_emit(g, GMMU_READ, 4, lanes);
    }
    gen_gap(g, GEN_GAP_LONG);
  }
  for (uint64_t v = 0; v < CFD_VARS; v++) gen_st(g, k->fluxes + (v * k->n + i) * 4);
}

static void cfd_time_step(struct gen *g, const struct cfd *k, uint64_t i) {
  gen_ld(g, k->step + i * 4);
  for (uint64_t v = 0; v < CFD_VARS; v++) {
    gen_ld(g, k->old + (v * k->n + i) * 4);
    gen_ld(g, k->fluxes + (v * k->n + i) * 4);
    gen_gap(g, GEN_GAP_FMA);
    gen_st(g, k->var + (v * k->n + i) * 4);
  }
}

static void cfd_step_factor(struct gen *g, const struct cfd *k, uint64_t i) {
  for (uint64_t v = 0; v < CFD_VARS; v++) gen_ld(g, k->var + (v * k->n + i) * 4);
  gen_ld(g, k->areas + i * 4);
  gen_gap(g, GEN_GAP_LONG);
  gen_st(g, k->step + i * 4);
}

static void cfd_copy(struct gen *g, const struct cfd *k, uint64_t i) {
  for (uint64_t v = 0; v < CFD_VARS; v++) {
    gen_ld(g, k->var + (v * k->n + i) * 4);
    gen_st(g, k->old + (v * k->n + i) * 4);
  }
}

static void cfd_init(struct gen *g, const struct cfd *k, uint64_t i) {
  for (uint64_t v = 0; v < CFD_VARS; v++) gen_st(g, k->var + (v * k->n + i) * 4);
}

static void cfd_kernel(struct gen *g, const struct cfd *k, const char *name,
                       void (*body)(struct gen *g, const struct cfd *k, uint64_t first)) {
  gen_launch(g, name, k->n / CFD_BLOCK, CFD_BLOCK / GEN_WARP);
  for (uint64_t b = 0; b < k->n / CFD_BLOCK && gen_ok(g); b++)
    for (uint32_t w = 0; w < CFD_BLOCK / GEN_WARP; w++) {
      gen_warp(g, b, w);
      body(g, k, b * CFD_BLOCK + w * GEN_WARP);
    }
}

static int cfd(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  if (gen_check("CFD", "number of elements", n, CFD_BLOCK, 1u << 26, CFD_BLOCK, err)) return -1;
  struct gen g;
  struct cfd k = {.n = n};
  if (cfd_mesh(&k, seed, err)) {
    free(k.new_id);
    free(k.old_id);
    return -1;
  }
  gen_init(&g, s);
  k.var = gen_array(&g, "variables", CFD_VARS * n * 4, true);
  k.old = gen_array(&g, "old_variables", CFD_VARS * n * 4, true);
  k.areas = gen_array(&g, "areas", n * 4, false);
  k.step = gen_array(&g, "step_factors", n * 4, true);
  k.fluxes = gen_array(&g, "fluxes", CFD_VARS * n * 4, true);
  k.ese = gen_array(&g, "elements_surrounding", 4 * n * 4, false);
  k.normals = gen_array(&g, "normals", 12 * n * 4, false);
  cfd_kernel(&g, &k, "initialize_variables", cfd_init);
  for (uint32_t i = 0; i < CFD_ITERATIONS; i++) {
    cfd_kernel(&g, &k, "copy", cfd_copy);
    cfd_kernel(&g, &k, "compute_step_factor", cfd_step_factor);
    for (int rk = 0; rk < 3; rk++) {
      cfd_kernel(&g, &k, "compute_flux", cfd_flux);
      cfd_kernel(&g, &k, "time_step", cfd_time_step);
    }
  }
  free(k.new_id);
  free(k.old_id);
  return g.rc;
}

const struct gmmu_workload gen_cfd = {
    "CFD", "Rodinia: euler3d, one iteration", 3072, 1048512, "elements", cfd};
