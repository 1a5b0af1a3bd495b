/* SPDX-License-Identifier: Apache-2.0 */
/* Results of gdm_run.h as a table and as JSON. */
#include <cjson/cJSON.h>
#include <stddef.h>

#include "run/gdm_run.h"

#define MB 1048576.0

static const char *const policies[] = {"none", "gdev", "base", "gdm"}, *const dirties[] = {
                                                                           "signature", "hw"};

static const struct {
  const char *name;
  size_t at;
} counters[] = {
#define C(x) {#x, offsetof(struct gdm_stats, x)}
    C(kernels),
    C(kernel_ns),
    C(stall_ns),
    C(signs),
    C(sign_ns),
    C(blocks_signed),
    C(blocks_assumed),
    C(htod_bytes),
    C(htod_ns),
    C(dtoh_bytes),
    C(dtoh_ns),
    C(evict_bytes),
    C(evict_ns),
    C(reload_bytes),
    C(evict_clean),
    C(evict_dirty),
    C(prefetch_bytes),
    C(faults),
    C(overwritten),
    C(copied_out),
    C(cow_bytes),
    C(cow_faults),
    C(staged_bytes),
    C(pte_accesses),
    C(invalidations),
    C(harvest_ns),
    C(cpu_ns),
    C(peak_resident_bytes),
    C(peak_allocated_bytes),
#undef C
};

void gdm_run_table(FILE *f, const struct gdm_run *r) {
  fprintf(f, "%-10s %6s %12s %12s %10s %10s %10s %10s %10s  %s\n", "program", "times", "mean ms",
          "kernels ms", "in MB", "out MB", "evicted", "reloaded", "peak MB", "");
  for (int i = 0; i < r->num_apps; i++) {
    const struct gdm_run_app *a = &r->app[i];
    double n = a->played ? a->played : 1;
    const struct gdm_stats *s = &a->stats;
    fprintf(f, "%-10s %6u %12.3f %12.3f %10.1f %10.1f %10.1f %10.1f %10.1f  ", a->prog->name,
            a->endless ? a->loops : a->reps, gdm_run_mean(a) * 1e-6,
            (double)s->kernel_ns * 1e-6 / n, (double)s->htod_bytes / MB / n,
            (double)s->dtoh_bytes / MB / n, (double)s->evict_bytes / MB / n,
            (double)s->reload_bytes / MB / n, (double)s->peak_resident_bytes / MB);
    if (a->error) {
      fprintf(f, "ended by %s at step %d", gdm_error_name(a->error), a->error_step + 1);
      if (a->fault.valid)
        fprintf(f, " (kernel %s, address 0x%llx)", a->fault.kernel,
                (unsigned long long)a->fault.va);
      fputc('\n', f);
    } else {
      fprintf(f, "%llu of %llu results right\n", (unsigned long long)(a->compared - a->mismatches),
              (unsigned long long)a->compared);
    }
  }
}

static cJSON *stats_json(const struct gdm_stats *s) {
  cJSON *o = cJSON_CreateObject();
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
    cJSON_AddNumberToObject(
        o, counters[i].name,
        (double)*(const uint64_t *)(const void *)((const char *)s + counters[i].at));
  return o;
}

static cJSON *app_json(const struct gdm_run_app *a) {
  cJSON *o = cJSON_CreateObject(), *reps = cJSON_AddArrayToObject(o, "rep_ns");
  cJSON_AddStringToObject(o, "name", a->prog->name);
  cJSON_AddNumberToObject(o, "reps", a->reps);
  cJSON_AddNumberToObject(o, "mean_ns", gdm_run_mean(a));
  cJSON_AddNumberToObject(o, "reps_done", a->rep_work > 0 ? a->work / a->rep_work : 0);
  cJSON_AddNumberToObject(o, "loops", a->loops);
  cJSON_AddStringToObject(o, "error", a->error ? gdm_error_name(a->error) : "");
  cJSON_AddNumberToObject(o, "error_step", a->error ? a->error_step + 1 : 0);
  cJSON_AddNumberToObject(o, "compared", (double)a->compared);
  cJSON_AddNumberToObject(o, "mismatches", (double)a->mismatches);
  for (unsigned i = 0; i < a->reps; i++)
    cJSON_AddItemToArray(reps, cJSON_CreateNumber((double)a->rep_ns[i]));
  cJSON_AddItemToObject(o, "stats", stats_json(&a->stats));
  if (a->marks) {
    cJSON *t = cJSON_AddArrayToObject(o, "mark_ns"),
          *m = cJSON_AddArrayToObject(o, "mark_allocable");
    for (int i = 0; i < a->marks; i++) {
      cJSON_AddItemToArray(t, cJSON_CreateNumber((double)a->mark_ns[i]));
      cJSON_AddItemToArray(m, cJSON_CreateNumber((double)a->mark_free[i]));
    }
  }
  return o;
}

int gdm_run_json(FILE *f, const struct gdm_run *r, struct gmmu_err *err) {
  cJSON *j = cJSON_CreateObject();
  cJSON_AddStringToObject(j, "policy", policies[r->cfg.policy]);
  cJSON_AddStringToObject(j, "dirty", dirties[r->cfg.dirty]);
  cJSON_AddBoolToObject(j, "faults", r->cfg.faults);
  cJSON_AddNumberToObject(j, "scale", r->cfg.scale);
  cJSON_AddNumberToObject(j, "seed", (double)r->cfg.seed);
  cJSON_AddNumberToObject(j, "ns", (double)r->stop_ns);
  cJSON_AddNumberToObject(j, "mismatches", (double)r->mismatches);
  cJSON_AddItemToObject(j, "stats", stats_json(&r->stats));
  cJSON *apps = cJSON_AddArrayToObject(j, "apps");
  for (int i = 0; i < r->num_apps; i++) cJSON_AddItemToArray(apps, app_json(&r->app[i]));
  char *text = cJSON_Print(j);
  if (text) fprintf(f, "%s\n", text);
  else gmmu_fail(err, "out of memory");
  cJSON_Delete(j);
  if (!text) return -1;
  cJSON_free(text);
  return 0;
}
