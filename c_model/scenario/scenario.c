/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"

#define MAX_FIELDS (GMMU_MAX_SMS + 2)
#define MAX_STEPS 1024

/* ---------------------------------------- the file */
static int at(struct gmmu_err *err, const struct gmmu_scenario *s, int line, const char *what,
              const char *word) {
  return gmmu_fail(err, "%s:%d: %s%s%.64s%s", s->path, line, what, word ? " '" : "",
                   word ? word : "", word ? "'" : "");
}

static bool number(const char *t, uint64_t *v) { return !gmmu_number(t, v); }

static bool share(const char *t, double *v) {
  char *end;
  *v = strtod(t, &end);
  return end != t && !*end && *v >= 0 && *v <= 1;
}

/* The set of that name that is loaded after the steps so far, or -1. */
static int find(const struct gmmu_scenario *s, const char *name) {
  int found = -1;
  for (int k = 0; k < s->num_steps; k++) {
    const struct gmmu_scenario_step *t = &s->step[k];
    if (t->kind == GMMU_STEP_RUN || strcmp(s->set[t->set[0]].name, name)) continue;
    if (!t->bytes) found = t->kind == GMMU_STEP_FREE ? -1 : t->set[0];
  }
  return found;
}

static bool word_is(const char *t, const char *w) { return t && strcmp(t, w) == 0; }

/* demand or resident, the last field, which may be missing. */
static int when(const struct gmmu_scenario *s, int line, char **f, int n, int at_field,
                bool *demand, struct gmmu_err *err) {
  if (n > at_field + 1) return at(err, s, line, "too many fields:", f[at_field + 1]);
  *demand = !(n > at_field && word_is(f[at_field], "resident"));
  if (n > at_field && *demand && !word_is(f[at_field], "demand"))
    return at(err, s, line, "neither demand nor resident:", f[at_field]);
  return 0;
}

static int perms(const char *t, unsigned *p) {
  *p = 0;
  for (; *t; t++) {
    unsigned b = *t == 'r'   ? GMMU_DRV_R
                 : *t == 'w' ? GMMU_DRV_W
                 : *t == 'x' ? GMMU_DRV_X
                 : *t == 'u' ? GMMU_DRV_U
                             : 0;
    if (!b || *p & b) return -1;
    *p |= b;
  }
  return *p & (GMMU_DRV_R | GMMU_DRV_X) ? 0 : -1;
}

static int new_set(struct gmmu_scenario *s, const struct gmmu_config *c, int line, char **f,
                   struct gmmu_scenario_set **out, struct gmmu_err *err) {
  uint64_t asid;
  if (gmmu_name_wrong(f[1]) || strlen(f[1]) >= sizeof s->set->name || strchr(f[1], ':'))
    return at(err, s, line, "not a name:", f[1]);
  if (find(s, f[1]) >= 0) return at(err, s, line, "the name is in use:", f[1]);
  if (!number(f[2], &asid) || asid >= (uint64_t)c->NumAsids)
    return at(err, s, line, "not an ASID below NumAsids:", f[2]);
  struct gmmu_scenario_set *v = realloc(s->set, ((size_t)s->num_sets + 1) * sizeof *v);
  if (!v) return gmmu_fail(err, "out of memory");
  s->set = v;
  v += s->num_sets++;
  *v = (struct gmmu_scenario_set){.asid = (int)asid};
  strcpy(v->name, f[1]);
  *out = v;
  return 0;
}

/* Paths are relative to the scenario's directory. */
static char *beside(const char *scenario, const char *path) {
  const char *slash = strrchr(scenario, '/');
  size_t dir = slash && path[0] != '/' ? (size_t)(slash - scenario) + 1 : 0;
  char *p = malloc(dir + strlen(path) + 1);
  if (!p) return NULL;
  memcpy(p, scenario, dir);
  strcpy(p + dir, path);
  return p;
}

static int load(struct gmmu_scenario *s, const struct gmmu_config *c, int line, char **f, int n,
                struct gmmu_err *err) {
  struct gmmu_scenario_set *v;
  if (n < 4) return at(err, s, line, "load needs a name, an ASID and a trace", NULL);
  if (new_set(s, c, line, f, &v, err) || when(s, line, f, n, 4, &v->demand, err)) return -1;
  if (!(v->path = beside(s->path, f[3]))) return gmmu_fail(err, "out of memory");
  struct gmmu_err e = {""};
  if (!(v->trace = gmmu_trace_read(v->path, &e)))
    return gmmu_fail(err, "%s:%d: %s", s->path, line, e.msg);
  return 0;
}

static int alloc(struct gmmu_scenario *s, const struct gmmu_config *c, int line, char **f, int n,
                 struct gmmu_err *err) {
  struct gmmu_scenario_set *v;
  if (n < 6)
    return at(err, s, line, "alloc needs a name, an ASID, an address, bytes and permissions", NULL);
  if (new_set(s, c, line, f, &v, err) || when(s, line, f, n, 6, &v->demand, err)) return -1;
  if (!number(f[3], &v->range.va) || v->range.va % 4096)
    return at(err, s, line, "not a page's address:", f[3]);
  if (!number(f[4], &v->range.bytes) || v->range.bytes == 0 || v->range.bytes % 4096)
    return at(err, s, line, "not a number of whole pages:", f[4]);
  if (v->range.bytes >> 12 > GMMU_PAGING_MAX_PAGES)
    return at(err, s, line, "more than 2097152 pages (8 GiB):", f[4]);
  if (perms(f[5], &v->perms)) return at(err, s, line, "not permissions (letters of rwxu):", f[5]);
  return 0;
}

static int run_line(struct gmmu_scenario *s, const struct gmmu_config *c,
                    struct gmmu_scenario_step *t, char **f, int n, struct gmmu_err *err) {
  uint64_t sms, sum = 0;
  int given = 0;
  if (n < 2) return at(err, s, t->line, "run needs at least one name", NULL);
  if (n - 1 > c->NumSms) return at(err, s, t->line, "more applications than SMs", NULL);
  for (int i = 1; i < n; i++) {
    char *colon = strchr(f[i], ':');
    if (colon) *colon++ = 0;
    int k = find(s, f[i]);
    if (k < 0 || !s->set[k].trace)
      return at(err, s, t->line, "no trace of that name is loaded:", f[i]);
    for (int j = 0; j < t->n; j++)
      if (s->set[t->set[j]].asid == s->set[k].asid)
        return at(err, s, t->line, "its ASID runs twice:", f[i]);
    if (colon && (!number(colon, &sms) || sms < 1 || sms > (uint64_t)c->NumSms))
      return at(err, s, t->line, "not a number of SMs:", colon);
    given += colon != NULL;
    sum += colon ? sms : 0;
    t->set[t->n] = k;
    t->sms[t->n++] = colon ? (int)sms : 0;
  }
  if (given && given != n - 1)
    return at(err, s, t->line, "SMs for all applications or for none", NULL);
  if (sum > (uint64_t)c->NumSms) return at(err, s, t->line, "more SMs than there are", NULL);
  return 0;
}

static int one_line(struct gmmu_scenario *s, const struct gmmu_config *c, int line, char **f, int n,
                    struct gmmu_err *err) {
  struct gmmu_scenario_step t = {.line = line};
  uint64_t mib;
  if (word_is(f[0], "memory")) {
    if (s->num_steps) return at(err, s, line, "memory comes before the first step", NULL);
    if (n != 2 || !number(f[1], &mib) || !gmmu_paging_memory_ok(mib))
      return at(err, s, line, "memory needs an even number of MiB, 2 to 65536", NULL);
    s->memory = mib << 20;
    struct gmmu_err e = {""};
    return gmmu_paging_fits(c, s->memory, &e) ? at(err, s, line, e.msg, NULL) : 0;
  }
  if (word_is(f[0], "foreign")) {
    if (s->num_steps) return at(err, s, line, "foreign comes before the first step", NULL);
    if (n != 3 || !share(f[1], &s->index) || !share(f[2], &s->occupancy))
      return at(err, s, line, "foreign needs two shares from 0 to 1", NULL);
    return 0;
  }
  if (s->num_steps == MAX_STEPS) return at(err, s, line, "more than 1024 steps", NULL);
  if (word_is(f[0], "load") || word_is(f[0], "alloc")) {
    t.kind = word_is(f[0], "load") ? GMMU_STEP_LOAD : GMMU_STEP_ALLOC;
    if (t.kind == GMMU_STEP_LOAD ? load(s, c, line, f, n, err) : alloc(s, c, line, f, n, err))
      return -1;
    t.n = 1;
    t.set[0] = s->num_sets - 1;
  } else if (word_is(f[0], "run")) {
    t.kind = GMMU_STEP_RUN;
    if (run_line(s, c, &t, f, n, err)) return -1;
  } else if (word_is(f[0], "free")) {
    t.kind = GMMU_STEP_FREE;
    t.n = 1;
    if (n != 2 && n != 4)
      return at(err, s, line, "free needs one name, and for a part of a range an offset and bytes",
                NULL);
    if ((t.set[0] = find(s, f[1])) < 0)
      return at(err, s, line, "nothing of that name is loaded:", f[1]);
    const struct gmmu_scenario_set *v = &s->set[t.set[0]];
    if (n == 4 && (v->trace || !number(f[2], &t.offset) || !number(f[3], &t.bytes) ||
                   t.bytes == 0 || (t.offset | t.bytes) % 4096 || t.offset >= v->range.bytes ||
                   t.bytes > v->range.bytes - t.offset))
      return at(err, s, line, "not whole pages of the range:", f[1]);
  } else {
    return at(err, s, line, "unknown step:", f[0]);
  }
  s->step[s->num_steps++] = t;
  return 0;
}

int gmmu_scenario_read(struct gmmu_scenario *s, const char *path, const struct gmmu_config *c,
                       struct gmmu_err *err) {
  char *save, *f[MAX_FIELDS];
  int ret = 0, more;
  FILE *in = fopen(path, "r");
  struct gmmu_text text = {.f = in, .path = path};
  *s = (struct gmmu_scenario){
      .memory = 3072ull << 20, .path = strdup(path), .step = calloc(MAX_STEPS, sizeof *s->step)};
  if (!in) ret = gmmu_fail(err, "%s: %s", path, strerror(errno));
  else if (!s->path || !s->step) ret = gmmu_fail(err, "out of memory");
  while (!ret && (more = gmmu_text_line(&text, err)) != 0) {
    const int line = text.line;
    int n = 0;
    if (more < 0) {
      ret = -1;
      break;
    }
    text.buf[strcspn(text.buf, "#")] = 0;
    for (char *w = strtok_r(text.buf, " \t\r", &save); w && !ret;
         w = strtok_r(NULL, " \t\r", &save)) {
      if (n == MAX_FIELDS) ret = at(err, s, line, "too many fields", NULL);
      else f[n++] = w;
    }
    if (n && !ret) ret = one_line(s, c, line, f, n, err);
  }
  bool runs = false;
  for (int k = 0; k < s->num_steps; k++) runs |= s->step[k].kind == GMMU_STEP_RUN;
  if (!ret && !runs) ret = gmmu_fail(err, "%s: nothing is run", path);
  gmmu_text_free(&text);
  if (in) fclose(in);
  return ret;
}

void gmmu_scenario_free(struct gmmu_scenario *s) {
  for (int k = 0; k < s->num_sets; k++) {
    free(s->set[k].path);
    if (s->set[k].trace) gmmu_trace_free(s->set[k].trace);
  }
  free(s->set);
  free(s->step);
  free(s->path);
  memset(s, 0, sizeof *s);
}

/* ---------------------------------------- running it */
struct player {
  struct gmmu_scenario *s;
  struct gmmu_run *r;
  struct gmmu_paging *p;
  struct gmmu_scenario_result *out;
  int now, running; /* next step; step that runs, -1: none */
};

static void count(const struct player *y, struct gmmu_scenario_result *x, int sign) {
  const struct gmmu_stats *t = y->r->stats;
  uint64_t k = (uint64_t)sign;
  struct gmmu_paging_stats p;
  gmmu_paging_get_stats(y->p, &p);
  *(sign < 0 ? &x->before : &x->after) = p.mm;
  if (!t) return; /* before the first cycle */
  x->cycles += k * y->r->cycles;
  if (sign < 0) x->begin = y->r->cycles;
  x->faults += k * p.faults;
  x->l1_lookups += k * gmmu_stats_l1_lookups(t);
  x->l1_hits += k * (t->l1_lookup[GMMU_L1_HIT_BASE] + t->l1_lookup[GMMU_L1_HIT_LARGE]);
  x->l2_lookups += k * gmmu_stats_l2_lookups(t);
  for (int o = 0; o < GMMU_L2_OUTCOMES; o++)
    if (gmmu_l2_is_hit(o)) x->l2_hits += k * t->l2_lookup[o];
  x->walks += k * t->walks;
}

static int here(struct gmmu_err *err, const struct player *y, const struct gmmu_err *e) {
  return gmmu_fail(err, "%s:%d: %s", y->s->path, y->s->step[y->now].line, e->msg);
}

/* A new front end for a line `run`. */
static int launch(struct player *y, const struct gmmu_scenario_step *t, struct gmmu_err *err) {
  struct gmmu_fe_app a[GMMU_MAX_SMS];
  for (int i = 0; i < t->n; i++)
    a[i] = (struct gmmu_fe_app){.trace = y->s->set[t->set[i]].trace,
                                .path = y->s->set[t->set[i]].path,
                                .asid = y->s->set[t->set[i]].asid,
                                .sms = t->sms[i]};
  struct gmmu_fe *fe = gmmu_fe_new(&y->r->cfg, a, t->n, false, err);
  if (!fe) return -1;
  gmmu_fe_free(y->r->fe);
  y->r->fe = fe;
  return 0;
}

static int allocate(struct player *y, const struct gmmu_scenario_set *v, struct gmmu_err *err) {
  if (v->trace)
    return gmmu_paging_load(
        y->p, &(struct gmmu_space_app){.trace = v->trace, .path = v->path, .asid = v->asid},
        v->demand, err);
  return gmmu_paging_range(y->p, v->asid, &v->range, v->perms, v->demand, err);
}

static int release(struct player *y, const struct gmmu_scenario_step *t, struct gmmu_err *err) {
  const struct gmmu_scenario_set *v = &y->s->set[t->set[0]];
  struct gmmu_page_range part = {.va = v->range.va + t->offset, .bytes = t->bytes};
  if (t->bytes) return gmmu_paging_free_range(y->p, v->asid, &part, err);
  if (v->trace)
    return gmmu_paging_unload(
        y->p, &(struct gmmu_space_app){.trace = v->trace, .path = v->path, .asid = v->asid}, err);
  return gmmu_paging_free_range(y->p, v->asid, &v->range, err);
}

/* Steps up to the next run: 1 it is set up; 0 there is none; -1. Called at the start and at the end
 * of each run. */
static int next(void *arg, struct gmmu_err *err) {
  struct player *y = arg;
  if (y->running >= 0) {
    y->out[y->running].accesses = gmmu_fe_get_counts(y->r->fe)->accesses;
    count(y, &y->out[y->running], 1);
    y->running = -1;
  }
  for (; y->now < y->s->num_steps; y->now++) {
    const struct gmmu_scenario_step *t = &y->s->step[y->now];
    struct gmmu_scenario_result *x = &y->out[y->now];
    struct gmmu_err e = {""};
    if (t->kind == GMMU_STEP_RUN) {
      count(y, x, -1);
      if (launch(y, t, &e)) return here(err, y, &e);
      y->running = y->now++;
      return 1;
    }
    count(y, x, -1);
    if ((t->kind == GMMU_STEP_FREE ? release(y, t, &e) : allocate(y, &y->s->set[t->set[0]], &e)) ||
        gmmu_paging_settle(y->p, &e))
      return here(err, y, &e);
    count(y, x, 1);
  }
  return 0;
}

int gmmu_scenario_run(struct gmmu_scenario *s, struct gmmu_run *r,
                      const struct gmmu_paging_opts *options, struct gmmu_paging **paging,
                      struct gmmu_mem **mem, struct gmmu_env *env, struct gmmu_scenario_result *out,
                      struct gmmu_err *err) {
  struct gmmu_paging_opts o = *options;
  o.demand = true;
  o.bytes = s->memory;
  o.index = s->index;
  o.occupancy = s->occupancy;
  o.seed = r->seed;
  struct gmmu_space_app *app = calloc((size_t)s->num_sets + 1, sizeof *app);
  struct player y = {.s = s, .r = r, .out = out, .running = -1};
  int ret = -1;
  for (int k = 0; app && k < s->num_sets; k++)
    app[k] = (struct gmmu_space_app){.asid = s->set[k].asid, .path = s->path};
  if (!app || !(*mem = gmmu_mem_new())) gmmu_fail(err, "out of memory");
  else {
    struct gmmu_err e = {""};
    y.p = *paging = gmmu_paging_new(&r->cfg, &o, *mem, env, app, s->num_sets, &e);
    if (!y.p) gmmu_fail(err, "%s: %s", s->path, e.msg);
  }
  if (y.p) {
    r->env = env;
    r->image = *mem;
    r->software = gmmu_paging_software(y.p);
    r->num_apps = 1;
    for (int k = 0; k < s->num_sets; k++)
      if (s->set[k].asid >= r->num_apps) r->num_apps = s->set[k].asid + 1;
    for (int k = 0; k < s->num_steps; k++)
      for (int i = 0; s->step[k].kind == GMMU_STEP_RUN && i < s->step[k].n; i++)
        r->total_accesses += gmmu_trace_num_ops(s->set[s->step[k].set[i]].trace);
    r->next = next;
    r->next_arg = &y;
    ret = next(&y, err) == 1 ? gmmu_run(r, err) : -1;
  }
  free(app);
  return ret;
}
