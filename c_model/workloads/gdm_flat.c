/* SPDX-License-Identifier: Apache-2.0 */
/* A program of gdm_prog.h on plain memory: the reference of all results. */
#include <stdlib.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "workloads/gdm_make.h"

struct flat {
  const struct gdm_prog *l;
  unsigned char *p[GDM_PROG_REGIONS];
  void *scratch[16]; /* of the kernel that runs */
  int num_scratch;
};

/* Regions lie 2^40 apart: a kernel that leaves its region is refused. */
static uint64_t va_of(uint64_t region) { return (region + 1) << 40; }

static unsigned char *at(struct flat *f, uint64_t va, uint64_t bytes) {
  uint64_t r = (va >> 40) - 1, o = va & ((1ull << 40) - 1);
  if (r >= (uint64_t)f->l->num_regions || !f->p[r] || o + bytes > f->l->region[r].bytes)
    return NULL;
  return f->p[r] + o;
}

static int flat_get(void *arg, uint64_t va, void *to, uint64_t bytes) {
  unsigned char *p = at(arg, va, bytes);
  if (!p) return -1;
  memcpy(to, p, bytes);
  return 0;
}

static int flat_put(void *arg, uint64_t va, const void *from, uint64_t bytes) {
  unsigned char *p = at(arg, va, bytes);
  if (!p) return -1;
  memcpy(p, from, bytes);
  return 0;
}

static void *flat_scratch(void *arg, uint64_t bytes) {
  struct flat *f = arg;
  if (f->num_scratch == 16) return NULL;
  void *p = calloc(1, bytes);
  if (p) f->scratch[f->num_scratch++] = p;
  return p;
}

static int launch(struct flat *f, const struct gdm_prog *l, const struct gdm_prog_step *s,
                  struct gmmu_err *err) {
  struct gdm_prog_mem m = {f, flat_get, flat_put, flat_scratch};
  uint64_t arg[GDM_PROG_ARGS] = {0};
  for (int i = 0; i < s->num_args; i++) {
    const struct gdm_prog_arg *a = &s->arg[i];
    arg[i] = a->kind == GDM_PROG_REGION   ? va_of(a->v)
             : a->kind == GDM_PROG_SCALAR ? l->scalar[a->v]
                                          : a->v;
  }
  int r = s->kernel(&m, arg);
  while (f->num_scratch) free(f->scratch[--f->num_scratch]);
  if (r == GDM_NO_MEMORY) return gmmu_fail(err, "out of memory");
  return r ? gmmu_fail(err, "%s: kernel %s leaves its regions", l->name, s->name) : 0;
}

uint64_t gdm_prog_hash(const void *p, uint64_t bytes) { return XXH64(p, bytes, 0); }

static int play(struct flat *f, struct gdm_prog *l, const struct gdm_prog_step *s, uint64_t *hash,
                struct gmmu_err *err) {
  uint64_t bytes = s->region >= 0 ? l->region[s->region].bytes : 0;
  void *p;
  switch (s->kind) {
    case GDM_PROG_ALLOC:
      p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (p == MAP_FAILED) return gmmu_fail(err, "out of memory");
      f->p[s->region] = p;
      return 0;
    case GDM_PROG_FREE:
      *hash = gdm_prog_hash(f->p[s->region], bytes);
      munmap(f->p[s->region], bytes);
      f->p[s->region] = NULL;
      return 0;
    case GDM_PROG_HTOD:
      memcpy(f->p[s->region] + s->offset, l->buf[s->buf].p + s->buf_offset, s->bytes);
      return 0;
    case GDM_PROG_DTOH:
      memcpy(l->buf[s->buf].p + s->buf_offset, f->p[s->region] + s->offset, s->bytes);
      *hash = gdm_prog_hash(l->buf[s->buf].p + s->buf_offset, s->bytes);
      return 0;
    case GDM_PROG_LAUNCH: return launch(f, l, s, err);
    default:
      if (s->host) s->host(l);
      return 0;
  }
}

int gdm_prog_flat(struct gdm_prog *l, unsigned loops, uint64_t *hash, uint64_t *last,
                  struct gmmu_err *err) {
  struct flat f = {.l = l};
  int r = 0;
  for (int i = 0; i < l->num_steps && !r; i++) {
    r = play(&f, l, &l->step[i], &hash[i], err);
    if (i == l->num_steps - 1 && l->loop >= 0 && loops > 1) {
      loops--;
      i = l->loop - 1;
    }
  }
  for (int i = 0; i < l->num_regions; i++) {
    if (!f.p[i]) continue;
    last[i] = gdm_prog_hash(f.p[i], l->region[i].bytes);
    munmap(f.p[i], l->region[i].bytes);
  }
  return r;
}
