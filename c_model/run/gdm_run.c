/* SPDX-License-Identifier: Apache-2.0 */
#include "run/gdm_run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---------------------------------------- kernels */
static int mem_get(void *x, uint64_t va, void *to, uint64_t bytes) {
  gdm_load(x, to, va, bytes);
  return 0;
}
static int mem_put(void *x, uint64_t va, const void *from, uint64_t bytes) {
  gdm_store(x, va, from, bytes);
  return 0;
}
static void *mem_scratch(void *x, uint64_t bytes) { return gdm_scratch(x, bytes); }

/* The last argument is the program's kernel, complemented so that it is no device address. */
static void run_kernel(struct gdm_exec *x, const uint64_t *args, unsigned nargs) {
  struct gdm_prog_mem m = {x, mem_get, mem_put, mem_scratch};
  uint64_t p = ~args[nargs - 1];
  gdm_prog_kernel k;
  memcpy(&k, &p, sizeof k);
  (void)k(&m, args);
}

static int launch(const struct gdm_prog *l, const struct gdm_prog_step *s, const gdm_ptr *at) {
  struct gdm_kernel k = {s->name, run_kernel};
  uint64_t arg[GDM_PROG_ARGS + 1], p = 0;
  gdm_ptr object[GDM_PROG_ARGS];
  unsigned objects = 0;
  for (int i = 0; i < s->num_args; i++) {
    const struct gdm_prog_arg *a = &s->arg[i];
    arg[i] = a->kind == GDM_PROG_REGION   ? at[a->v]
             : a->kind == GDM_PROG_SCALAR ? l->scalar[a->v]
                                          : a->v;
    if (a->kind == GDM_PROG_REGION) object[objects++] = at[a->v];
  }
  memcpy(&p, &s->kernel, sizeof s->kernel);
  arg[s->num_args] = ~p;
  return gdm_launch(&k, arg, (unsigned)s->num_args + 1, s->ns, s->names_objects ? object : NULL,
                    s->names_objects ? objects : 0);
}

/* ---------------------------------------- one repetition */
struct rep {
  struct gdm_run_app *a;
  struct gdm_ctx *ctx;
  gdm_ptr at[GDM_PROG_REGIONS];
  bool read_all; /* regions are read before they are freed */
  uint64_t mark;
};

static void compare(struct gdm_run_app *a, const void *p, uint64_t bytes, uint64_t want) {
  a->compared++;
  if (gdm_prog_hash(p, bytes) == want) return;
  a->mismatches++;
  a->run->mismatches++;
}

static int read_region(struct rep *p, int region, uint64_t want) {
  uint64_t bytes = p->a->prog->region[region].bytes;
  void *all = malloc(bytes);
  if (!all) return GDM_ERROR_UNKNOWN;
  int e = gdm_memcpy_dtoh(all, p->at[region], bytes);
  if (!e) compare(p->a, all, bytes, want);
  free(all);
  return e;
}

static void mark(struct rep *p) {
  struct gdm_run_app *a = p->a;
  size_t can = 0, total;
  uint64_t now = gdm_now(a->run->gdm);
  if (!a->run->marks || a->reps || a->marks == GDM_RUN_MARKS) return;
  if (gdm_mem_get_info(&can, &total)) return;
  a->mark_ns[a->marks] = now - p->mark;
  a->mark_free[a->marks++] = can;
  p->mark = gdm_now(a->run->gdm);
}

static double copy_ns(const struct gdm_run *r, uint64_t bytes) {
  return (double)bytes * 1e9 / (double)r->cfg.costs.pcie_bytes_per_s;
}

/* The program gives up everything from this step on, and nothing before. If it frees in between, as
 * it could not hold all at a time: never. */
static int first_of_last_frees(const struct gdm_prog *l) {
  int i = l->num_steps;
  while (i > 0 && l->step[i - 1].kind == GDM_PROG_FREE) i--;
  for (int k = 0; k < i; k++)
    if (l->step[k].kind == GDM_PROG_FREE) return l->num_steps;
  return i;
}

static int play(struct rep *p, int i) {
  struct gdm_run_app *a = p->a;
  struct gdm_prog *l = a->prog;
  const struct gdm_prog_step *s = &l->step[i];
  int e = 0;
  switch (s->kind) {
    case GDM_PROG_ALLOC:
      return p->at[s->region] ? 0 : gdm_mem_alloc(&p->at[s->region], l->region[s->region].bytes);
    case GDM_PROG_FREE:
      if (p->read_all) e = read_region(p, s->region, a->hash[i]);
      if (e || (a->run->keep && i >= first_of_last_frees(l))) return e;
      if (!(e = gdm_mem_free(p->at[s->region]))) p->at[s->region] = 0;
      return e;
    case GDM_PROG_HTOD:
      e = gdm_memcpy_htod(p->at[s->region] + s->offset, l->buf[s->buf].p + s->buf_offset, s->bytes);
      break;
    case GDM_PROG_DTOH:
      e = gdm_memcpy_dtoh(l->buf[s->buf].p + s->buf_offset, p->at[s->region] + s->offset, s->bytes);
      if (!e) compare(a, l->buf[s->buf].p + s->buf_offset, s->bytes, a->hash[i]);
      break;
    case GDM_PROG_LAUNCH: e = launch(l, s, p->at); break;
    default:
      if ((e = gdm_synchronize())) return e;
      if (s->host) s->host(l);
      gdm_cpu(s->ns);
      mark(p);
  }
  if (!e && !p->read_all)
    a->work += s->kind == GDM_PROG_LAUNCH ? (double)s->ns : copy_ns(a->run, s->bytes);
  return e;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Sums; of what is no sum the largest. */
static void add_stats(struct gdm_stats *to, const struct gdm_stats *s) {
  struct gdm_stats old = *to;
  const uint64_t *from = (const uint64_t *)s;
  _Static_assert(sizeof *s % sizeof *from == 0, "counters only");
  for (size_t i = 0; i < sizeof *s / sizeof *from; i++) ((uint64_t *)to)[i] += from[i];
  to->resident_bytes = larger(old.resident_bytes, s->resident_bytes);
  to->peak_resident_bytes = larger(old.peak_resident_bytes, s->peak_resident_bytes);
  to->allocated_bytes = larger(old.allocated_bytes, s->allocated_bytes);
  to->peak_allocated_bytes = larger(old.peak_allocated_bytes, s->peak_allocated_bytes);
}

static bool others_done(const struct gdm_run *r) {
  for (int i = 0; i < r->num_apps; i++)
    if (!r->app[i].endless && r->app[i].reps < r->reps && !r->app[i].error) return false;
  return true;
}

static void stop(struct gdm_run *r) {
  if (r->stopping || !(others_done(r) || r->crashed)) return;
  r->stopping = true;
  r->stop_ns = gdm_now(r->gdm);
  gdm_get_stats(r->gdm, NULL, &r->stats);
}

/* What an endless program has computed by now. */
static int read_endless(struct rep *p, struct gmmu_err *err) {
  struct gdm_run_app *a = p->a;
  int e = 0;
  if (gdm_prog_flat(a->prog, a->loops, a->hash, a->last, err)) return GDM_ERROR_UNKNOWN;
  for (int i = 0; i < a->prog->num_regions && !e; i++)
    if (p->at[i]) e = read_region(p, i, a->last[i]);
  return e;
}

/* How far the run is, at most once a second: a repetition at full size takes minutes. */
static void show(struct gdm_run *r) {
  long now = (long)time(NULL);
  if (!r->progress || now == r->shown) return;
  r->shown = now;
  fprintf(stderr, "\r\033[K%.3f s simulated", (double)gdm_now(r->gdm) * 1e-9);
  for (int i = 0; i < r->num_apps; i++)
    fprintf(stderr, ", %s %u of %u", r->app[i].prog->name, r->app[i].reps, r->reps);
}

/* One repetition: 0, or the error with which the application crashed. */
static int repetition(struct gdm_run_app *a, bool read_all) {
  struct gdm_run *r = a->run;
  struct gdm_prog *l = a->prog;
  struct rep p = {.a = a, .read_all = read_all, .mark = gdm_now(r->gdm)};
  struct gdm_stats s = {0};
  struct gmmu_err err;
  int e = 0, i = -1;
  if (a->ctx) {
    p.ctx = a->ctx;
    memcpy(p.at, a->at, sizeof p.at);
  } else {
    e = gdm_ctx_create(&p.ctx, 0, r->gdm);
    if (!e && !a->reps) a->asid = gdm_ctx_asid(p.ctx);
  }
  while (!e && i + 1 < l->num_steps) {
    show(r);
    e = play(&p, ++i);
    if (e || i + 1 < l->num_steps || l->loop < 0) continue;
    a->loops++;
    if (!r->stopping) i = l->loop - 1;
    else if (r->verify) e = read_endless(&p, &err);
  }
  if (!e && l->loop < 0 && read_all)
    for (int k = 0; k < l->num_regions && !e; k++)
      if (a->last[k]) e = read_region(&p, k, a->last[k]);
  if (e && !a->error) {
    a->error = e;
    a->error_step = i;
    if (p.ctx) gdm_last_fault(p.ctx, &a->fault);
  }
  if (p.ctx) {
    gdm_get_stats(r->gdm, p.ctx, &s);
    if (!read_all && r->keep) a->stats = s; /* of the context, so of all repetitions */
    else if (!read_all) add_stats(&a->stats, &s);
    if (r->keep && !e && !read_all) {
      a->ctx = p.ctx;
      memcpy(a->at, p.at, sizeof a->at);
      return 0;
    }
    a->ctx = NULL;
    memset(a->at, 0, sizeof a->at);
    int d = gdm_ctx_destroy(p.ctx);
    if (!e && d) a->error = e = d, a->error_step = l->num_steps;
  }
  return e;
}

static bool warm(const struct gdm_run_app *a) { return a->played || a->loops || a->error; }
static bool all_warm(const struct gdm_run *r) {
  for (int i = 0; i < r->num_apps; i++)
    if (!warm(&r->app[i])) return false;
  return true;
}

/* Main of an application. One application runs at a time, so what they share needs no lock. */
static void app_main(void *arg) {
  struct gdm_run_app *a = arg;
  struct gdm_run *r = a->run;
  while (r->keep && a > r->app && !warm(a - 1) && !r->crashed) gdm_cpu(10000);
  for (bool again = false; !r->stopping && a->reps < GDM_RUN_REPS; again = true) {
    uint64_t start = gdm_now(r->gdm);
    bool counts = !r->keep || all_warm(r);
    if (again) gdm_prog_again(a->prog);
    if (repetition(a, false)) {
      r->crashed = true;
      stop(r);
      return;
    }
    if (a->endless) return;
    a->played++;
    if (!r->stopping && counts) a->rep_ns[a->reps++] = gdm_now(r->gdm) - start;
    stop(r);
  }
  if (!r->verify || r->crashed) {
    if (a->ctx) gdm_ctx_destroy(a->ctx);
    a->ctx = NULL;
    return;
  }
  gdm_prog_again(a->prog);
  if (repetition(a, true)) r->crashed = true;
}

/* ---------------------------------------- a run */
int gdm_run_add(struct gdm_run *r, const char *name, const char *regions_ini,
                const char *shares_ini, double dma_share, struct gmmu_err *err) {
  struct gdm_prog_shares s;
  if (r->num_apps == GDM_RUN_APPS) return gmmu_fail(err, "more than %d applications", GDM_RUN_APPS);
  struct gdm_run_app *a = &r->app[r->num_apps];
  *a = (struct gdm_run_app){.run = r};
  if (gdm_prog_shares_read(&s, name, shares_ini, err)) return -1;
  gdm_prog_shares_scale(&s, dma_share);
  if (gdm_prog_new(&a->prog, name, regions_ini, r->cfg.scale, r->cfg.seed + (uint64_t)r->num_apps,
                   err))
    return -1;
  r->num_apps++;
  gdm_prog_times(a->prog, &s, 6.0);
  a->endless = a->prog->loop >= 0;
  for (int i = 0; i < a->prog->num_steps; i++) {
    const struct gdm_prog_step *p = &a->prog->step[i];
    if (p->kind == GDM_PROG_LAUNCH) a->rep_work += (double)p->ns;
    if (p->kind == GDM_PROG_HTOD || p->kind == GDM_PROG_DTOH) a->rep_work += copy_ns(r, p->bytes);
  }
  if (!(a->hash = calloc((size_t)a->prog->num_steps, sizeof *a->hash)))
    return gmmu_fail(err, "out of memory");
  if (a->endless) return 0;
  if (gdm_prog_flat(a->prog, 1, a->hash, a->last, err)) return -1;
  gdm_prog_again(a->prog);
  return 0;
}

int gdm_run_play(struct gdm_run *r, struct gmmu_err *err) {
  int e = 0;
  bool ends = false;
  for (int i = 0; i < r->num_apps; i++) ends |= !r->app[i].endless;
  if (!ends) return gmmu_fail(err, "no application of the run ends by itself");
  if (!(r->gdm = gdm_new(&r->cfg, err))) return -1;
  for (int i = 0; i < r->num_apps && !e; i++)
    e = gdm_app_start(r->gdm, r->app[i].prog->name, app_main, &r->app[i]);
  if (e) return gmmu_fail(err, "%s: %s", gdm_error_name(e), gdm_last_message(r->gdm));
  gdm_run(r->gdm);
  if (r->progress) fputs("\r\033[K", stderr);
  for (int i = 0; i < r->num_apps; i++)
    if (r->app[i].error == GDM_ERROR_UNKNOWN)
      return gmmu_fail(err, "%s: %s", r->app[i].prog->name, gdm_last_message(r->gdm));
  return 0;
}

void gdm_run_free(struct gdm_run *r) {
  if (r->gdm) gdm_delete(r->gdm);
  for (int i = 0; i < r->num_apps; i++) {
    gdm_prog_free(r->app[i].prog);
    free(r->app[i].hash);
  }
}

double gdm_run_mean(const struct gdm_run_app *a) {
  double sum = 0;
  for (unsigned i = 0; i < a->reps; i++) sum += (double)a->rep_ns[i];
  return a->reps ? sum / a->reps : 0;
}
