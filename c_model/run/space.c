/* SPDX-License-Identifier: Apache-2.0 */
#include "run/space.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MAPS 64
#define FIRST_DATA_PFN \
  0x200 /* frame 0 stays empty: a zero PFN in a wave or a dump is then always an error */

struct region {
  uint64_t lo, hi; /* PFN, inclusive */
};

/** Highest free place for `frames` table frames that no mapping line uses. */
static int table_region(struct region *r, uint64_t top, uint64_t frames,
                        const struct gmmu_mapping *m, int n, struct gmmu_err *err) {
  bool moved = true;

  r->hi = top;
  while (moved) {
    moved = false;
    for (int i = 0; i < n; i++)
      for (size_t k = 0; k < m[i].n; k++) {
        uint64_t lo = m[i].v[k].pa >> 12, pages = (m[i].v[k].bytes + 4095) >> 12;
        if (lo > r->hi || lo + pages <= r->hi - (frames - 1)) continue;
        if (lo < frames)
          return gmmu_fail(
              err, "%s:%d: leaves no room for %llu frames of page tables, below this line or above",
              m[i].v[k].file, m[i].v[k].line, (unsigned long long)frames);
        r->hi = lo - 1;
        moved = true;
      }
  }
  r->lo = r->hi - (frames - 1);
  return 0;
}

static void set_windows(struct gmmu_env *e, int num, struct region t, uint64_t top) {
  memset(e->win, 0, sizeof e->win);
  if (num == 1) {
    e->win[0] = (struct gmmu_window){.lo_pfn = 0, .hi_pfn = top, .walk = true, .data = true};
    return;
  }
  e->win[0] = (struct gmmu_window){.lo_pfn = t.lo, .hi_pfn = t.hi, .walk = true};
  if (t.hi == top) {
    e->win[1] = (struct gmmu_window){.lo_pfn = 0, .hi_pfn = t.lo - 1, .data = true};
  } else if (num == 2) {
    e->win[1] = (struct gmmu_window){.lo_pfn = 0, .hi_pfn = top, .data = true};
  } else {
    e->win[1] = (struct gmmu_window){.lo_pfn = 0, .hi_pfn = t.lo - 1, .data = true};
    e->win[2] = (struct gmmu_window){.lo_pfn = t.hi + 1, .hi_pfn = top, .data = true};
  }
}

static int check_asids(const struct gmmu_config *c, const struct gmmu_space_app *apps, int num_apps,
                       const struct gmmu_mapping *m, char *const *maps, int n,
                       struct gmmu_err *err) {
  for (int i = 0; i < n; i++)
    for (size_t k = 0; k < m[i].n; k++)
      if (m[i].v[k].asid < 0 || m[i].v[k].asid >= c->NumAsids)
        return gmmu_fail(err, "%s:%d: ASID %d is not below NumAsids = %lld", m[i].v[k].file,
                         m[i].v[k].line, m[i].v[k].asid, (long long)c->NumAsids);
  for (int a = 0; a < num_apps; a++) {
    bool found = n == 0;
    if (apps[a].asid < 0 || apps[a].asid >= c->NumAsids)
      return gmmu_fail(err, "%s: ASID %d is not below NumAsids = %lld", apps[a].path, apps[a].asid,
                       (long long)c->NumAsids);
    for (int i = 0; i < n && !found; i++)
      for (size_t k = 0; k < m[i].n && !found; k++) found = m[i].v[k].asid == apps[a].asid;
    if (!found)
      return gmmu_fail(err, "%s: no line maps ASID %d, in which %s runs: it has no page table",
                       maps[n - 1], apps[a].asid, apps[a].path);
  }
  return 0;
}

int gmmu_space_blame(struct gmmu_err *err, const struct gmmu_space_app *a, const char *what) {
  const struct gmmu_array *most = NULL;
  for (uint32_t i = 0; i < gmmu_trace_num_arrays(a->trace); i++)
    if (!most || gmmu_trace_array(a->trace, i)->bytes > most->bytes)
      most = gmmu_trace_array(a->trace, i);
  if (most && most->line)
    return gmmu_fail(err, "%s:%u: array %s: %s", a->path, most->line, most->name, what);
  return gmmu_fail(err, "%s: %s", a->path, what);
}

/** Mappings from files, or one placed mapping per application. */
static int get_mappings(struct gmmu_mapping *m, const struct gmmu_config *c,
                        const struct gmmu_space_opts *o, const struct gmmu_space_app *apps,
                        int num_apps, char *const *maps, int num_maps, uint64_t hi_pfn,
                        struct gmmu_err *err) {
  uint64_t next = FIRST_DATA_PFN;

  for (int i = 0; i < num_maps; i++)
    if (gmmu_mapping_read(&m[i], maps[i], err)) return -1;
  if (check_asids(c, apps, num_apps, m, maps, num_maps, err)) return -1;
  for (int i = 0; i < num_apps && num_maps == 0; i++) {
    struct gmmu_err why = {""};
    if (o->fragmented > 0 ? gmmu_place_fragmented(apps[i].trace, apps[i].asid, o->fragmented,
                                                  o->seed, &next, hi_pfn, &m[i], &why)
                          : gmmu_place_arrays(apps[i].trace, apps[i].asid, o->kind, o->scattered,
                                              o->seed, &next, hi_pfn, &m[i], &why))
      return gmmu_space_blame(err, &apps[i], why.msg);
  }
  for (int i = 0; c->SpreadTables && i < (num_maps ? num_maps : num_apps); i++) {
    struct gmmu_err why;
    if (gmmu_mapping_spread(&m[i], &why))
      return gmmu_fail(err, "%s: %s", num_maps ? maps[i] : apps[i].path, why.msg);
  }
  return 0;
}

static int keep_demand(struct gmmu_mapping *d, const struct gmmu_mapping *m, struct gmmu_err *err) {
  size_t more = 0;
  for (size_t k = 0; k < m->n; k++) more += m->v[k].kind == GMMU_MAP_DEMAND;
  if (!more) return 0;
  if (gmmu_mapping_reserve(d, more, err)) return -1;
  for (size_t k = 0; k < m->n; k++)
    if (m->v[k].kind == GMMU_MAP_DEMAND) *gmmu_mapping_next(d) = m->v[k];
  return 0;
}

int gmmu_space_build(struct gmmu_space *s, const struct gmmu_config *c,
                     const struct gmmu_space_opts *o, const struct gmmu_space_app *apps,
                     int num_apps, char *const *maps, int num_maps, struct gmmu_err *err) {
  uint64_t top = (1ull << (c->PaW - 12)) - 1, frames = (top + 1) / 16;
  int mode = c->Mode == 48 ? GMMU_MODE_SV48 : GMMU_MODE_SV39, n = num_maps ? num_maps : num_apps,
      r = -1;
  struct gmmu_mapping *m;
  struct region t = {0};

  memset(s, 0, sizeof *s);
  if (n > MAX_MAPS) return gmmu_fail(err, "more than %d mapping files or applications", MAX_MAPS);
  if (frames > 1u << 20) frames = 1u << 20;
  m = calloc((size_t)n, sizeof *m);
  s->mem = gmmu_mem_new();
  if (!m || !s->mem) {
    gmmu_fail(err, "out of memory");
    goto out;
  }
  if (get_mappings(m, c, o, apps, num_apps, maps, num_maps, top - frames, err) ||
      table_region(&t, top, frames, m, num_maps, err))
    goto out;
  gmmu_env_from_config(&s->env, c);
  set_windows(&s->env, (int)c->NumWindows, t, top);
  s->tables = gmmu_tables_new(s->mem, &s->env, t.lo, t.hi);
  if (!s->tables) {
    gmmu_fail(err, "out of memory");
    goto out;
  }
  for (int i = 0; i < n; i++)
    if (gmmu_mapping_apply(&m[i], num_maps ? maps[i] : apps[i].path, s->tables, mode, c->Ext, err))
      goto out;
  for (int i = 0; i < num_apps; i++)
    if (s->env.ctx[apps[i].asid].mode == GMMU_MODE_OFF && /* an application without arrays */
        gmmu_tables_add_asid(s->tables, apps[i].asid, mode, c->Ext, err))
      goto out;
  for (int i = 0; i < n; i++)
    if (keep_demand(&s->demand, &m[i], err)) goto out;
  if (o->scan && gmmu_scan_mapping(s->mem, &s->env, m, n, &s->scan, err)) goto out;
  if (!(s->said = gmmu_mapcheck_new(&s->env, m, n, o->scan, err))) goto out;
  r = 0;
out:
  for (int i = 0; m && i < n; i++) gmmu_mapping_free(&m[i]);
  free(m);
  if (r) gmmu_space_free(s);
  return r;
}

void gmmu_space_free(struct gmmu_space *s) {
  if (s->tables) gmmu_tables_free(s->tables);
  if (s->mem) gmmu_mem_free(s->mem);
  gmmu_mapping_free(&s->demand);
  gmmu_mapcheck_free(s->said);
  memset(s, 0, sizeof *s);
}
