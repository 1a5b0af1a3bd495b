/* SPDX-License-Identifier: Apache-2.0 */
#include <cjson/cJSON.h>
#include <string.h>

#include "run/json.h"
#include "scenario/scenario.h"

static const char *const kinds[] = {"load", "alloc", "run", "free"};

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static void names(const struct gmmu_scenario *s, const struct gmmu_scenario_step *t, char *buf,
                  size_t n) {
  buf[0] = 0;
  for (int i = 0; i < t->n; i++) {
    size_t used = strlen(buf);
    snprintf(buf + used, n - used, "%s%s", i ? " " : "", s->set[t->set[i]].name);
  }
}

#define U(x) ((unsigned long long)(x))

void gmmu_scenario_table(FILE *f, const struct gmmu_scenario *s,
                         const struct gmmu_scenario_result *r) {
  char name[64];
  fprintf(f, "%5s %-6s %-24s %12s %10s %7s %7s %8s %8s %7s %7s %7s %9s %7s\n", "line", "step", "",
          "cycles", "accesses", "L1 %", "L2 %", "walks", "faults", "in", "out", "frames+",
          "splinter", "moved");
  for (int k = 0; k < s->num_steps; k++) {
    const struct gmmu_scenario_step *t = &s->step[k];
    const struct gmmu_scenario_result *x = &r[k];
    names(s, t, name, sizeof name);
    fprintf(
        f,
        "%5d %-6s %-24.24s %12llu %10llu %7.2f %7.2f %8llu %8llu %7llu %7llu %7llu %9llu %7llu\n",
        t->line, kinds[t->kind], name, U(x->cycles), U(x->accesses),
        100 * ratio(x->l1_hits, x->l1_lookups), 100 * ratio(x->l2_hits, x->l2_lookups), U(x->walks),
        U(x->faults), U(x->after.ins - x->before.ins), U(x->after.outs - x->before.outs),
        U(x->after.coalesced - x->before.coalesced), U(x->after.splintered - x->before.splintered),
        U(x->after.moved - x->before.moved));
  }
  const struct gmmu_mm_stats *m = &r[s->num_steps - 1].after;
  fprintf(f,
          "in the end: %llu pages allocated, %llu in memory, %llu held; %llu of %llu frames free\n",
          U(m->pages), U(m->resident), U(m->held), U(m->free_frames), U(m->frames));
}

static void cnt(cJSON *o, const char *k, uint64_t v) { gmmu_json_u64(o, k, v); }

int gmmu_scenario_json(FILE *f, const struct gmmu_scenario *s, const struct gmmu_run *run,
                       const char *backend, const struct gmmu_scenario_result *r,
                       struct gmmu_err *err) {
  cJSON *j = cJSON_CreateObject(), *steps = cJSON_AddArrayToObject(j, "steps");
  gmmu_json_text(j, "scenario", s->path);
  gmmu_json_text(j, "preset", run->cfg.name);
  gmmu_json_text(j, "backend", backend);
  cnt(j, "seed", run->seed);
  cnt(j, "cycles", run->cycles);
  cnt(j, "mismatches", run->mism.n);
  cnt(j, "comparisons", run->answers_compared + run->policy_compared);
  for (int k = 0; k < s->num_steps; k++) {
    const struct gmmu_scenario_step *t = &s->step[k];
    const struct gmmu_scenario_result *x = &r[k];
    cJSON *q = cJSON_CreateObject(), *v = cJSON_AddArrayToObject(q, "names");
    for (int i = 0; i < t->n; i++)
      cJSON_AddItemToArray(v, cJSON_CreateString(s->set[t->set[i]].name));
    gmmu_json_text(q, "step", kinds[t->kind]);
    cnt(q, "line", (uint64_t)t->line);
    cnt(q, "begin", x->begin);
    cnt(q, "cycles", x->cycles);
    cnt(q, "accesses", x->accesses);
    cnt(q, "faults", x->faults);
    cnt(q, "l1_lookups", x->l1_lookups);
    cnt(q, "l1_hits", x->l1_hits);
    cnt(q, "l2_lookups", x->l2_lookups);
    cnt(q, "l2_hits", x->l2_hits);
    cnt(q, "walks", x->walks);
    cnt(q, "transfers", x->after.ins - x->before.ins);
    cnt(q, "pages_out", x->after.outs - x->before.outs);
    cnt(q, "coalesced", x->after.coalesced - x->before.coalesced);
    cnt(q, "splintered", x->after.splintered - x->before.splintered);
    cnt(q, "compacted", x->after.compacted - x->before.compacted);
    cnt(q, "moved", x->after.moved - x->before.moved);
    cnt(q, "mixed", x->after.mixed - x->before.mixed);
    cnt(q, "pages", x->after.pages);
    cnt(q, "resident", x->after.resident);
    cnt(q, "held", x->after.held);
    cnt(q, "free_frames", x->after.free_frames);
    cJSON_AddItemToArray(steps, q);
  }
  char *text = cJSON_Print(j);
  if (text) fprintf(f, "%s\n", text);
  else gmmu_fail(err, "out of memory");
  cJSON_Delete(j);
  if (!text) return -1;
  cJSON_free(text);
  return 0;
}
