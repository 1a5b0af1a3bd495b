/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.c - exports requests and expected answers; see vectors.h. */
#include "run/vectors.h"

#include <stdlib.h>
#include <string.h>

#include "common/outfile.h"

/* A file of the directory. */
static int open_in(struct gmmu_outfile *o, const char *dir, const char *name,
                   struct gmmu_err *err) {
  char *path;
  if (asprintf(&path, "%s/%s", dir, name) < 0) return gmmu_fail(err, "out of memory");
  int r = gmmu_outfile_open(o, path, err);
  free(path);
  return r;
}

static int write_params(const struct gmmu_vectors_job *j, const char *dir, uint64_t words,
                        struct gmmu_err *err) {
  const struct gmmu_config *c = j->config;
  struct gmmu_outfile o;
  if (open_in(&o, dir, "params.vh", err)) return -1;
  FILE *f = o.f;
#define MODEL(name)
#define RTL(name) fprintf(f, "  localparam int %s = %lld;\n", #name, (long long)c->name);
#define GMMU_CFG(name, def, min, max, scope, doc) scope(name)
#include "gmmu_config.def"
#undef GMMU_CFG
#undef RTL
#undef MODEL
  fprintf(f, "  localparam int PER_SM = %zu;\n  localparam int MEM_WORDS = %llu;\n", j->per_sm,
          (unsigned long long)words);
  fprintf(f, "  localparam logic [%d:0] MEM_BASE = %d'h%llx;\n", (int)c->PaW - 1, (int)c->PaW,
          (unsigned long long)j->mem_lo);
  return gmmu_outfile_commit(&o, err);
}

static int write_requests(const struct gmmu_vectors_job *j, const char *dir, struct gmmu_err *err) {
  struct gmmu_outfile o;
  if (open_in(&o, dir, "vec.hex", err)) return -1;
  FILE *f = o.f;
  for (size_t i = 0; i < j->per_sm * (size_t)j->config->NumSms; i++) {
    const struct gmmu_req *r = &j->req[i];
    struct gmmu_answer a;
    gmmu_translate(j->env, j->mem, r->asid, r->va, r->access, r->user, &a);
    fprintf(f, "%x%02x%016llx%x%x%04x%016llx\n", (unsigned)(a.may_be_2m << 1 | a.may_be_4k),
            (unsigned)a.cause, (unsigned long long)a.pa, (unsigned)r->user, (unsigned)r->access,
            (unsigned)r->asid, (unsigned long long)r->va);
  }
  return gmmu_outfile_commit(&o, err);
}

static int write_tables(const struct gmmu_vectors_job *j, const char *dir, uint64_t words,
                        struct gmmu_err *err) {
  struct gmmu_outfile o;
  if (open_in(&o, dir, "mem.hex", err)) return -1;
  FILE *f = o.f;
  for (uint64_t i = 0; i < words; i++)
    fprintf(f, "0%016llx\n", (unsigned long long)gmmu_mem_read64(j->mem, j->mem_lo + 8 * i));
  if (gmmu_outfile_commit(&o, err)) return -1;

  if (open_in(&o, dir, "ctx.hex", err)) return -1;
  f = o.f;
  for (int a = 0; a < (int)j->config->NumAsids; a++) {
    const struct gmmu_ctx *c = &j->env->ctx[a];
    fprintf(f, "%08x%08x%016llx\n", 0u,
            (unsigned)(c->mxr << 6 | c->sum << 5 | c->ext << 4 | c->mode),
            (unsigned long long)c->root_pfn);
  }
  if (gmmu_outfile_commit(&o, err)) return -1;

  if (open_in(&o, dir, "win.hex", err)) return -1;
  f = o.f;
  for (int w = 0; w < (int)j->config->NumWindows; w++) {
    const struct gmmu_window *win = &j->env->win[w];
    fprintf(f, "%x%016llx%016llx\n", (unsigned)(win->data << 1 | win->walk),
            (unsigned long long)win->hi_pfn, (unsigned long long)win->lo_pfn);
  }
  return gmmu_outfile_commit(&o, err);
}

struct extent {
  uint64_t lo, hi, last;
};
static void note_word(void *arg, uint64_t pa, uint64_t value) {
  struct extent *e = arg;
  (void)value;
  if (pa >= e->lo && pa < e->hi) e->last = pa + 8;
}

int gmmu_vectors_check(const char *dir, struct gmmu_err *err) {
  struct gmmu_outfile o;
  if (open_in(&o, dir, "params.vh", err)) return -1;
  gmmu_outfile_abort(&o);
  return 0;
}

int gmmu_vectors_write(const struct gmmu_vectors_job *j, const char *dir, struct gmmu_err *err) {
  struct extent e = {j->mem_lo, j->mem_hi, j->mem_lo + 8};
  gmmu_mem_each(j->mem, note_word, &e);
  uint64_t words = (e.last - j->mem_lo) / 8;
  if (write_params(j, dir, words, err)) return -1;
  if (write_requests(j, dir, err)) return -1;
  return write_tables(j, dir, words, err);
}

size_t gmmu_vectors_from_trace(const struct gmmu_trace *t, int asid, int num_sms, size_t max,
                               struct gmmu_req **out) {
  struct gmmu_req *req = calloc((size_t)num_sms * max, sizeof *req);
  size_t *fill = calloc((size_t)num_sms, sizeof *fill);
  uint64_t warps = 0;
  *out = req;
  if (!req || !fill) {
    free(fill);
    return 0;
  }
  for (uint32_t l = 0; l < gmmu_trace_num_launches(t); l++) {
    for (uint32_t b = 0; b < gmmu_trace_blocks(t, l); b++) {
      for (uint32_t w = 0; w < gmmu_trace_warps_per_block(t, l); w++, warps++) {
        size_t sm = warps % (uint64_t)num_sms;
        struct gmmu_cursor c;
        struct gmmu_op op;
        uint64_t lines[2 * GMMU_LANES], pages[2 * GMMU_LANES];
        gmmu_trace_cursor(t, l, b, w, &c);
        while (fill[sm] < max && gmmu_cursor_next(&c, &op)) {
          if (op.access == GMMU_OP_GAP) continue;
          int n = gmmu_coalesce_pages(lines, gmmu_coalesce_lines(&op, lines), pages);
          for (int i = 0; i < n && fill[sm] < max; i++)
            req[sm * max + fill[sm]++] = (struct gmmu_req){.valid = true,
                                                           .user = true,
                                                           .access = op.access,
                                                           .asid = (uint16_t)asid,
                                                           .va = pages[i] << 12};
        }
      }
    }
  }
  size_t least = max;
  for (int s = 0; s < num_sms; s++)
    if (fill[s] < least) least = fill[s];
  /* Every SM gets the same number; close the gaps. */
  for (int s = 1; s < num_sms; s++)
    memmove(&req[(size_t)s * least], &req[(size_t)s * max], least * sizeof *req);
  free(fill);
  return least;
}

/* ---------------------------------------- random set */
struct mutate {
  struct gmmu_mem *mem;
  struct gmmu_rng *rng;
};

/* One PTE in eight gets a random change: each kind of fault, and wrong pointers. */
static void mutate_word(void *arg, uint64_t pa, uint64_t pte) {
  struct mutate *m = arg;
  static const uint64_t bit[] = {GMMU_PTE_V,    GMMU_PTE_R, GMMU_PTE_W,   GMMU_PTE_X,  GMMU_PTE_U,
                                 GMMU_PTE_A,    GMMU_PTE_D, GMMU_PTE_DIS, GMMU_PTE_CO, GMMU_PTE_AC,
                                 GMMU_PTE_C(3), 1ull << 58, 1ull << 10,   1ull << 19,  1ull << 28,
                                 1ull << 35,    1ull << 50};
  if (gmmu_rng_below(m->rng, 8) == 0)
    gmmu_mem_write64(m->mem, pa, pte ^ bit[gmmu_rng_below(m->rng, sizeof bit / sizeof bit[0])]);
}

#define RANDOM_SPOTS 24

int gmmu_vectors_random(const struct gmmu_config *c, uint64_t seed, struct gmmu_env *env,
                        struct gmmu_mem *mem, uint64_t lo, uint64_t hi, size_t per_sm,
                        struct gmmu_req **out, struct gmmu_err *err) {
  struct gmmu_rng rng = {seed};
  uint64_t spot[RANDOM_SPOTS];
  uint64_t data_pfns = (1ull << (c->PaW - 12)) - hi - 1;
  struct gmmu_tables *t = gmmu_tables_new(mem, env, lo, hi);
  struct gmmu_err ignored;
  *out = NULL;
  if (!t) return gmmu_fail(err, "out of memory");
  for (int a = 0; a + 1 < (int)c->NumAsids; a++) { /* the last one stays off */
    int mode = c->VaW == 48 && gmmu_rng_below(&rng, 2) ? GMMU_MODE_SV48 : GMMU_MODE_SV39;
    if (gmmu_tables_add_asid(t, a, mode, gmmu_rng_below(&rng, 4) != 0, err)) goto fail;
    env->ctx[a].sum = gmmu_rng_below(&rng, 2);
    env->ctx[a].mxr = gmmu_rng_below(&rng, 2);
  }
  for (int i = 0; i < RANDOM_SPOTS; i++) {
    /* Both halves of the canonical range; 2 MiB aligned. */
    spot[i] =
        (gmmu_rng_below(&rng, 1ull << 17) << 21) | (gmmu_rng_below(&rng, 4) == 0 ? ~0ull << 38 : 0);
    for (int a = 0; a + 1 < (int)c->NumAsids; a++) {
      int kind = (int)gmmu_rng_below(&rng, 3);
      uint64_t bits = GMMU_PTE_V | GMMU_PTE_R | GMMU_PTE_A | GMMU_PTE_D |
                      (gmmu_rng_next(&rng) & GMMU_PTE_W) | (gmmu_rng_next(&rng) & GMMU_PTE_X) |
                      (gmmu_rng_below(&rng, 4) ? GMMU_PTE_U : 0);
      uint64_t pfn = hi + 1 + gmmu_rng_below(&rng, data_pfns - 1024);
      if (c->Svadu)
        bits &= ~(gmmu_rng_next(&rng) & (GMMU_PTE_A | GMMU_PTE_D)); /* for hardware to set */
      uint64_t bytes = 16 * GMMU_PAGE;
      if (kind != GMMU_MAP_4K) pfn = (pfn + 511) & ~511ull, bytes = GMMU_LARGE_PAGE;
      /* Two spots may overlap, or tables run out: then this one is not mapped. */
      (void)gmmu_tables_map(t, a, spot[i], pfn << 12, bytes, bits, kind, &ignored);
    }
  }
  struct mutate m = {mem, &rng};
  gmmu_mem_each(mem, mutate_word, &m);

  *out = calloc(per_sm * (size_t)c->NumSms, sizeof **out);
  if (!*out) {
    gmmu_fail(err, "out of memory");
    goto fail;
  }
  for (size_t i = 0; i < per_sm * (size_t)c->NumSms; i++) {
    struct gmmu_req *r = &(*out)[i];
    r->asid =
        (uint16_t)gmmu_rng_below(&rng, (uint64_t)c->NumAsids + (c->NumAsids < (1 << c->AsidW)));
    r->va = spot[gmmu_rng_below(&rng, RANDOM_SPOTS)] + gmmu_rng_below(&rng, 20 * GMMU_PAGE);
    if (gmmu_rng_below(&rng, 64) == 0) r->va ^= 1ull << (38 + gmmu_rng_below(&rng, 26));
    r->access = (uint8_t)gmmu_rng_below(&rng, 4);
    r->user = gmmu_rng_below(&rng, 3) != 0;
    r->valid = true;
  }
  gmmu_tables_free(t);
  return 0;
fail:
  gmmu_tables_free(t);
  return -1;
}
