/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of gdm_prog.h: regions and shares from their files, steps, buffers, times. */
#include <ini.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "workloads/gdm_make.h"

#define MB 1048576.0

const char *const gdm_prog_names[] = {"backprop", "hj",   "hotspot", "kmeans",    "mpe",
                                      "nn",       "srad", "theano",  "malicious", NULL};
static void (*const makers[])(struct gdm_prog *) = {
    gdm_make_backprop, gdm_make_hj,   gdm_make_hotspot, gdm_make_kmeans,   gdm_make_mpe,
    gdm_make_nn,       gdm_make_srad, gdm_make_theano,  gdm_make_malicious};

/* ---------------------------------------- regions from their file */
struct reading {
  struct gdm_prog *l;
  double table1;
  char bad[256];
  bool found;
};

static int fail_at(struct reading *r, const char *name, const char *value) {
  snprintf(r->bad, sizeof r->bad, "[%s] %.32s = %.64s", r->l->name, name, value);
  return 0;
}

static int on_region(void *user, const char *section, const char *name, const char *value) {
  struct reading *r = user;
  struct gdm_prog *l = r->l;
  double mb;
  int count = 1, used = 0, numbered;
  if (strcmp(section, l->name)) return 1;
  r->found = true;
  if (sscanf(value, "%lf x %d %n", &mb, &count, &used) >= 2) numbered = 1;
  else if (sscanf(value, "%lf %n", &mb, &used) >= 1) numbered = 0;
  else return fail_at(r, name, value);
  double bytes = mb * MB / l->scale;
  if (value[used] || !(bytes >= 4096) || bytes > 1e12 ||
      bytes != (double)((uint64_t)bytes / 4096 * 4096) || count < 1 || strlen(name) > 11)
    return fail_at(r, name, value);
  if (strcmp(name, "table1") == 0) {
    r->table1 = bytes;
    return 1;
  }
  for (int i = 0; i < count; i++) {
    if (l->num_regions == GDM_PROG_REGIONS) return fail_at(r, name, value);
    struct gdm_prog_region *g = &l->region[l->num_regions];
    if (numbered) snprintf(g->name, sizeof g->name, "%.11s%d", name, i % 1000);
    else snprintf(g->name, sizeof g->name, "%.11s", name);
    if (gdm_region(l, g->name) >= 0) return fail_at(r, name, value);
    g->bytes = (uint64_t)bytes;
    l->num_regions++;
  }
  return 1;
}

static int read_regions(struct gdm_prog *l, const char *path, struct gmmu_err *err) {
  struct reading r = {.l = l};
  int line = ini_parse(path, on_region, &r);
  double sum = 0;
  if (line < 0) return gmmu_fail(err, "%s: cannot be read", path);
  if (line > 0)
    return gmmu_fail(err, "%s:%d: not a region of whole pages at scale %u: %s", path, line,
                     l->scale, r.bad[0] ? r.bad : "not NAME = MB");
  if (!r.found) return gmmu_fail(err, "%s: no section [%s]", path, l->name);
  for (int i = 0; i < l->num_regions; i++) sum += (double)l->region[i].bytes;
  if (sum != r.table1)
    return gmmu_fail(err, "%s: [%s]: the regions' sum is not table1", path, l->name);
  l->table1 = (uint64_t)sum;
  return 0;
}

int gdm_region(const struct gdm_prog *l, const char *name) {
  for (int i = 0; i < l->num_regions; i++)
    if (strcmp(l->region[i].name, name) == 0) return i;
  return -1;
}
uint64_t gdm_bytes(const struct gdm_prog *l, const char *name) {
  int r = gdm_region(l, name);
  return r < 0 ? 0 : l->region[r].bytes;
}

/* ---------------------------------------- steps and buffers */
static struct gdm_prog_step *add(struct gdm_prog *l, enum gdm_prog_step_kind kind,
                                 const char *region) {
  if (l->num_steps < 0) return &l->nowhere;
  if (l->num_steps == l->cap_steps) {
    int cap = l->cap_steps ? 2 * l->cap_steps : 64;
    struct gdm_prog_step *s = realloc(l->step, (size_t)cap * sizeof *s);
    if (!s) {
      l->num_steps = -1;
      return &l->nowhere;
    }
    l->step = s;
    l->cap_steps = cap;
  }
  struct gdm_prog_step *s = &l->step[l->num_steps];
  *s = (struct gdm_prog_step){
      .kind = kind, .region = region ? gdm_region(l, region) : -1, .buf = -1};
  if (region && s->region < 0) {
    l->num_steps = -1;
    return &l->nowhere;
  }
  l->num_steps++;
  return s;
}

int gdm_buf(struct gdm_prog *l, uint64_t bytes,
            void (*fill)(struct gdm_prog *, struct gdm_prog_buf *), bool written) {
  struct gdm_prog_buf *b = &l->buf[l->num_bufs];
  if (l->num_steps < 0 || l->num_bufs == GDM_PROG_BUFS) return l->num_steps = -1, 0;
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return l->num_steps = -1, 0;
  *b = (struct gdm_prog_buf){.p = p, .bytes = bytes, .fill = fill, .written = written};
  return l->num_bufs++;
}

void gdm_alloc(struct gdm_prog *l, const char *region) { add(l, GDM_PROG_ALLOC, region); }
void gdm_free(struct gdm_prog *l, const char *region) { add(l, GDM_PROG_FREE, region); }

void gdm_htod(struct gdm_prog *l, const char *region, uint64_t offset, int buf, uint64_t buf_offset,
              uint64_t bytes) {
  struct gdm_prog_step *s = add(l, GDM_PROG_HTOD, region);
  s->offset = offset;
  s->buf = buf;
  s->buf_offset = buf_offset;
  s->bytes = bytes;
  l->dma_bytes += bytes;
}

void gdm_dtoh(struct gdm_prog *l, int buf, const char *region, uint64_t offset, uint64_t bytes) {
  struct gdm_prog_step *s = add(l, GDM_PROG_DTOH, region);
  s->offset = offset;
  s->buf = buf;
  s->bytes = bytes;
  l->dma_bytes += bytes;
}

void gdm_host(struct gdm_prog *l, void (*host)(struct gdm_prog *), double weight) {
  struct gdm_prog_step *s = add(l, GDM_PROG_HOST, NULL);
  s->host = host;
  s->weight = weight;
}

struct gdm_prog_step *gdm_launch_step(struct gdm_prog *l, const char *name, gdm_prog_kernel kernel,
                                      double weight) {
  struct gdm_prog_step *s = add(l, GDM_PROG_LAUNCH, NULL);
  s->name = name;
  s->kernel = kernel;
  s->weight = weight;
  return s;
}

static void add_arg(struct gdm_prog_step *s, struct gdm_prog_arg a) { s->arg[s->num_args++] = a; }
void gdm_arg_region(struct gdm_prog *l, struct gdm_prog_step *s, const char *region) {
  int r = gdm_region(l, region);
  if (r < 0) l->num_steps = -1;
  else add_arg(s, (struct gdm_prog_arg){GDM_PROG_REGION, (uint64_t)r});
}
void gdm_arg_value(struct gdm_prog_step *s, uint64_t v) {
  add_arg(s, (struct gdm_prog_arg){GDM_PROG_VALUE, v});
}
void gdm_arg_scalar(struct gdm_prog_step *s, uint64_t index) {
  add_arg(s, (struct gdm_prog_arg){GDM_PROG_SCALAR, index});
}

struct gmmu_rng gdm_rng(const struct gdm_prog *l, const struct gdm_prog_buf *b) {
  struct gmmu_rng r = {l->seed * 0x9e3779b97f4a7c15ull + (uint64_t)(b - l->buf)};
  gmmu_rng_next(&r);
  return r;
}

void gdm_fill_floats(struct gdm_prog *l, struct gdm_prog_buf *b) {
  struct gmmu_rng r = gdm_rng(l, b);
  float *f = (float *)(void *)b->p;
  for (uint64_t i = 0; i < b->bytes / 4; i += 2) {
    uint64_t x = gmmu_rng_next(&r);
    f[i] = (float)(x >> 40) * 0x1p-24f;
    f[i + 1] = (float)((x >> 16) & 0xffffff) * 0x1p-24f;
  }
}

uint64_t gdm_columns(const struct gdm_prog *l, uint64_t full) {
  for (unsigned n = l->scale; n > 1; n /= 4) full /= 2;
  return full;
}

/* Bytes allocated at one time, at most. */
static uint64_t peak(const struct gdm_prog *l) {
  uint64_t now = 0, most = 0;
  for (int i = 0; i < l->num_steps; i++) {
    const struct gdm_prog_step *s = &l->step[i];
    if (s->kind == GDM_PROG_ALLOC) now += l->region[s->region].bytes;
    if (s->kind == GDM_PROG_FREE) now -= l->region[s->region].bytes;
    if (now > most) most = now;
  }
  return most;
}

int gdm_prog_new(struct gdm_prog **out, const char *name, const char *regions_ini, unsigned scale,
                 uint64_t seed, struct gmmu_err *err) {
  int k = 0;
  while (gdm_prog_names[k] && strcmp(name, gdm_prog_names[k])) k++;
  if (!gdm_prog_names[k]) return gmmu_fail(err, "no benchmark '%.32s'", name);
  if (scale < 1 || scale > 64 || (scale & (scale - 1)))
    return gmmu_fail(err, "scale %u: not a power of two from 1 to 64", scale);
  struct gdm_prog *l = calloc(1, sizeof *l);
  if (!l) return gmmu_fail(err, "out of memory");
  l->name = gdm_prog_names[k];
  l->scale = scale;
  l->seed = seed;
  l->loop = -1;
  if (read_regions(l, regions_ini, err)) {
    gdm_prog_free(l);
    return -1;
  }
  makers[k](l);
  if (l->num_steps < 0) {
    gdm_prog_free(l);
    return gmmu_fail(err, "%s: [%s]: a region is missing, or out of memory", regions_ini, name);
  }
  l->peak = peak(l);
  for (int i = 0; i < l->num_bufs; i++)
    if (l->buf[i].fill) l->buf[i].fill(l, &l->buf[i]);
  *out = l;
  return 0;
}

void gdm_prog_free(struct gdm_prog *l) {
  if (!l) return;
  for (int i = 0; i < l->num_bufs; i++) munmap(l->buf[i].p, l->buf[i].bytes);
  free(l->step);
  free(l);
}

void gdm_prog_again(struct gdm_prog *l) {
  memset(l->scalar, 0, sizeof l->scalar);
  for (int i = 0; i < l->num_bufs; i++)
    if (l->buf[i].fill && l->buf[i].written) l->buf[i].fill(l, &l->buf[i]);
}

/* ---------------------------------------- shares of time */
struct sharing {
  const char *want;
  struct gdm_prog_shares s;
  bool found;
};

static int on_share(void *user, const char *section, const char *name, const char *value) {
  struct sharing *r = user;
  char *end;
  if (strcmp(section, r->want)) return 1;
  r->found = true;
  double v = strtod(value, &end), *to = NULL;
  if (strcmp(name, "dma") == 0) to = &r->s.dma;
  if (strcmp(name, "kernel") == 0) to = &r->s.kernel;
  if (strcmp(name, "cpu") == 0) to = &r->s.cpu;
  if (strcmp(name, "kernel_ms") == 0) to = &r->s.kernel_ms;
  if (!to || end == value || *end || !(v >= 0) || v > 1e6) return 0;
  *to = v;
  return 1;
}

int gdm_prog_shares_read(struct gdm_prog_shares *s, const char *name, const char *shares_ini,
                         struct gmmu_err *err) {
  struct sharing r = {.want = name};
  int line = ini_parse(shares_ini, on_share, &r);
  if (line < 0) return gmmu_fail(err, "%s: cannot be read", shares_ini);
  if (line > 0)
    return gmmu_fail(err, "%s:%d: not dma, kernel, cpu or kernel_ms = NUMBER", shares_ini, line);
  if (!r.found) return gmmu_fail(err, "%s: no section [%s]", shares_ini, name);
  if (r.s.kernel_ms == 0 &&
      (r.s.dma + r.s.kernel + r.s.cpu != 100 || r.s.dma < 1 || r.s.kernel < 1))
    return gmmu_fail(err,
                     "%s: [%s]: dma, kernel and cpu are not 100 together, the first two at least 1",
                     shares_ini, name);
  *s = r.s;
  return 0;
}

void gdm_prog_shares_scale(struct gdm_prog_shares *s, double factor) {
  double both = s->dma + s->kernel, dma = s->dma * factor;
  if (s->kernel_ms > 0) return;
  if (dma > both - 5) dma = both - 5;
  s->kernel = both - dma;
  s->dma = dma;
}

void gdm_prog_times(struct gdm_prog *l, const struct gdm_prog_shares *s, double bytes_per_ns) {
  double launch = 0, host = 0, dma = (double)l->dma_bytes / bytes_per_ns;
  for (int i = 0; i < l->num_steps; i++) {
    if (l->step[i].kind == GDM_PROG_LAUNCH) launch += l->step[i].weight;
    if (l->step[i].kind == GDM_PROG_HOST) host += l->step[i].weight;
  }
  for (int i = 0; i < l->num_steps; i++) {
    struct gdm_prog_step *p = &l->step[i];
    double ns = 0;
    if (p->kind == GDM_PROG_LAUNCH)
      ns = s->kernel_ms > 0 ? s->kernel_ms * 1e6 / l->scale
                            : dma * s->kernel / s->dma * p->weight / launch;
    if (p->kind == GDM_PROG_HOST && s->kernel_ms == 0)
      ns = dma * s->cpu / s->dma * p->weight / host;
    p->ns = (uint64_t)(ns + 0.5);
  }
}
