/* SPDX-License-Identifier: Apache-2.0 */
/* theano and the malicious program of GDM's evaluation (gdm_prog.h). */
#include "workloads/gdm_make.h"

/* In place: array += the increments, over and over, times a factor. args: array, increments, bytes
 * of each, factor */
static int k_add(const struct gdm_prog_mem *m, const uint64_t *arg) {
  float a[GDM_TILE / 4], inc[GDM_TILE / 4];
  for (uint64_t i = 0; i < arg[2]; i += GDM_TILE) {
    uint64_t k = arg[2] - i < GDM_TILE ? arg[2] - i : GDM_TILE, o = i % arg[3];
    GET(arg[1] + o, inc, k);
    GET(arg[0] + i, a, k);
    for (uint64_t j = 0; j < k / 4; j++) a[j] += inc[j] * gdm_float(arg[4]);
    PUT(arg[0] + i, a, k);
  }
  return 0;
}

/* Each iteration allocates an array that nobody frees. */
void gdm_make_theano(struct gdm_prog *l) {
  uint64_t inc = gdm_bytes(l, "increment"), bytes = gdm_bytes(l, "array0");
  int b = gdm_buf(l, inc, gdm_fill_floats, false), a = gdm_buf(l, bytes, gdm_fill_floats, false);
  gdm_alloc(l, "increment");
  gdm_htod(l, "increment", 0, b, 0, inc);
  for (int i = 1; i < l->num_regions; i++) {
    const char *name = l->region[i].name; /* array0, array1, ... stand after the increments */
    gdm_alloc(l, name);
    gdm_htod(l, name, 0, a, 0, bytes);
    struct gdm_prog_step *s = gdm_launch_step(l, "add", k_add, 1);
    s->names_objects = true;
    gdm_arg_region(l, s, name);
    gdm_arg_region(l, s, "increment");
    gdm_arg_value(s, bytes);
    gdm_arg_value(s, inc);
    gdm_arg_value(s, gdm_bits((float)i));
    gdm_host(l, NULL, 1);
  }
}

/* args: memory, bytes */
static int k_update(const struct gdm_prog_mem *m, const uint64_t *arg) {
  uint64_t a[GDM_TILE / 8];
  for (uint64_t i = 0; i < arg[1]; i += GDM_TILE) {
    uint64_t k = arg[1] - i < GDM_TILE ? arg[1] - i : GDM_TILE;
    GET(arg[0] + i, a, k);
    for (uint64_t j = 0; j < k / 8; j++) a[j] = a[j] * 6364136223846793005u + i + j + 1;
    PUT(arg[0] + i, a, k);
  }
  return 0;
}

void gdm_make_malicious(struct gdm_prog *l) {
  gdm_alloc(l, "all");
  struct gdm_prog_step *s = gdm_launch_step(l, "update", k_update, 1);
  gdm_arg_region(l, s, "all");
  gdm_arg_value(s, gdm_bytes(l, "all"));
  gdm_host(l, NULL, 1); /* waits for the kernel */
  l->loop = 1;
}
