/* SPDX-License-Identifier: Apache-2.0 */
/* report_json.c - the results of a run for tools. */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "run/json.h"
#include "run/report_int.h"

static void num(cJSON *o, const char *k, double v) { cJSON_AddNumberToObject(o, k, v); }
static void cnt(cJSON *o, const char *k, uint64_t v) { gmmu_json_u64(o, k, v); }

static void level(cJSON *o, const char *k, const struct gmmu_level *l, uint64_t cycles) {
  cJSON *j = cJSON_AddObjectToObject(o, k);

  num(j, "mean", report_ratio((double)l->sum, (double)cycles));
  cnt(j, "max", l->max);
}

static void json_l1(cJSON *j, const struct gmmu_run *r, const struct report_numbers *n) {
  const struct gmmu_stats *s = r->stats;
  cJSON *o = cJSON_AddObjectToObject(j, "l1");

  cnt(o, "lookups", gmmu_stats_l1_lookups(s));
  num(o, "hit_rate", n->l1);
  num(o, "hit_rate_base", n->l1_base);
  num(o, "hit_rate_large", n->l1_large);
  cnt(o, "hits_base", s->l1_lookup[GMMU_L1_HIT_BASE]);
  cnt(o, "hits_large", s->l1_lookup[GMMU_L1_HIT_LARGE]);
  cnt(o, "misses_alloc", s->l1_lookup[GMMU_L1_MISS_ALLOC] + s->l1_replay[GMMU_L1_MISS_ALLOC]);
  cnt(o, "misses_merged", n->l1_merged);
  cnt(o, "parked", s->l1_lookup[GMMU_L1_MISS_PARK]);
  cnt(o, "local_faults", s->l1_lookup[GMMU_L1_LOCAL_FAULT]);
  cnt(o, "fills", s->l1_fills);
  cnt(o, "evictions", s->l1_evicts);
  num(o, "lookup_cycles", n->busy);
}

static void json_l2(cJSON *j, const struct gmmu_run *r, const struct report_numbers *n) {
  const struct gmmu_stats *s = r->stats;
  cJSON *o = cJSON_AddObjectToObject(j, "l2");

  cnt(o, "lookups", gmmu_stats_l2_lookups(s));
  num(o, "hit_rate", n->l2);
  num(o, "hit_rate_base", n->l2_base);
  num(o, "hit_rate_large", n->l2_large);
  num(o, "hit_rate_sub", n->l2_sub);
  num(o, "hit_rate_bypass", n->l2_bypass);
  cnt(o, "hits_bypass", s->l2_lookup[GMMU_L2_HIT_BYPASS]);
  cnt(o, "bypass_fills", s->bypass_fills);
  cnt(o, "epochs", s->epochs);
  cnt(o, "hits_sub", s->l2_lookup[GMMU_L2_HIT_SUB]);
  cnt(o, "hits_run", s->l2_lookup[GMMU_L2_HIT_RUN]);
  cnt(o, "hits_base", s->l2_lookup[GMMU_L2_HIT_BASE]);
  cnt(o, "hits_large", s->l2_lookup[GMMU_L2_HIT_LARGE]);
  cnt(o, "misses_alloc", s->l2_lookup[GMMU_L2_MISS_ALLOC] + s->l2_replay[GMMU_L2_MISS_ALLOC]);
  cnt(o, "misses_merged", n->l2_merged);
  cnt(o, "waited", s->l2_lookup[GMMU_L2_MISS_WAIT]);
  cnt(o, "fills", s->l2_fills);
  cnt(o, "evictions", s->l2_evicts);
  cnt(o, "warp_reports", s->warp_reports);
  cnt(o, "warps_sum", s->warps.sum);
  cnt(o, "warps_max", s->warps.max);
  num(o, "warps_per_miss", report_ratio((double)s->stalled, (double)s->missed));
}

/** Accesses of each structure, from which translation energy is computed (MESC section VI-A). */
static void json_accesses(cJSON *j, const struct gmmu_run *r) {
  const struct gmmu_stats *s = r->stats;
  cJSON *o = cJSON_AddObjectToObject(j, "structure_accesses");
  uint64_t l2 = 0;

  for (int i = 0; i < GMMU_L2_OUTCOMES; i++) l2 += s->l2_lookup[i] + s->l2_replay[i];
  cnt(o, "l1_lookups", gmmu_stats_l1_lookups(s));
  cnt(o, "l1_fills", s->l1_fills);
  cnt(o, "l2_lookups_regular", l2);
  cnt(o, "l2_lookups_subregion", r->cfg.L2Unified ? l2 : 0);
  cnt(o, "l2_fills_regular", s->l2_fills - s->l2_sub_fills);
  cnt(o, "l2_fills_subregion", s->l2_sub_fills);
  cnt(o, "l2_dropped", s->l2_dropped);
  cnt(o, "msc_lookups", s->msc_lookups);
  cnt(o, "msc_hits", s->msc_hits);
  cnt(o, "msc_insertions", s->msc_inserts);
  cnt(o, "pwc_probes", s->pwc_probes);
  cnt(o, "pwc_hits", s->pwc_hits);
  cnt(o, "pwc_insertions", s->pwc_inserts);
  cnt(o, "dram_pte_reads", r->reads);
  cnt(o, "dram_head_reads", s->heads);
}

static void json_walks(cJSON *j, const struct gmmu_run *r, const struct report_numbers *n) {
  const struct gmmu_stats *s = r->stats;
  cJSON *o = cJSON_AddObjectToObject(j, "walks");

  cnt(o, "count", s->walks);
  cnt(o, "queued", s->walks_queued);
  cnt(o, "frames_touched", r->frames);
  cnt(o, "pages_touched", r->pages);
  cnt(o, "same_frame", s->same_frame);
  num(o, "concurrent_mean", n->walks_mean);
  num(o, "concurrent_mean_busy", report_ratio((double)s->walk.sum, (double)s->walk_busy));
  cnt(o, "concurrent_max", s->walk.max);
  cnt(o, "pte_reads", r->reads);
  cnt(o, "pte_updates", r->pte_updates);
}

static void json_queues(cJSON *j, const struct gmmu_run *r) {
  const struct gmmu_stats *s = r->stats;
  cJSON *o = cJSON_AddObjectToObject(j, "queues");
  struct gmmu_level reads = {.sum = r->reads_sum, .max = r->reads_max};

  level(o, "l1_mshrs", &s->l1_mshr, r->cycles);
  level(o, "l1_parked", &s->l1_park, r->cycles);
  level(o, "l2_mshrs", &s->l2_mshr, r->cycles);
  level(o, "walk_buffer", &s->walk_wait, r->cycles);
  level(o, "walks", &s->walk, r->cycles);
  level(o, "pte_reads", &reads, r->cycles);
}

static void json_config(cJSON *j, const struct gmmu_config *c) {
  cJSON *o = cJSON_AddObjectToObject(j, "config");

#define GMMU_CFG(name, def, min, max, scope, doc) num(o, #name, (double)c->name);
#include "gmmu_config.def"
#undef GMMU_CFG
}

/** `cycles`: from the start to the first end; its accesses divided by them are its IPC. */
static void json_app(cJSON *o, const struct gmmu_run *r, const struct gmmu_report_app *p) {
  const struct gmmu_stats_app *a = &r->stats->app[p->asid];

  cnt(o, "accesses", p->accesses);
  cnt(o, "cycles", p->progress.first_end);
  cnt(o, "runs", p->progress.runs);
  num(o, "ipc", report_ratio((double)p->accesses, (double)p->progress.first_end));
  cnt(o, "l1_lookups", a->l1_lookups);
  num(o, "l1_hit_rate", report_ratio((double)a->l1_hits, (double)a->l1_lookups));
  cnt(o, "l2_lookups", a->l2_lookups);
  num(o, "l2_hit_rate", report_ratio((double)a->l2_hits, (double)a->l2_lookups));
  cnt(o, "l2_bypass_hits", a->bypass_hits);
  cnt(o, "walks", a->walks);
  num(o, "latency_mean", report_ratio((double)a->latency, (double)a->answers));
  cnt(o, "latency_max", a->latency_max);
}

/* The memory system, if there is one: by kind of request and by depth (0: data). */
static void json_memsys(cJSON *j, const struct gmmu_run *r) {
  const struct gmmu_memsys_stats *m = &r->memsys;
  static const char *const kind[2] = {"translations", "data"}, *const queue[3] = {
                                                                   "normal", "silver", "golden"};
  if (!m->cycles) return;
  cJSON *o = cJSON_AddObjectToObject(j, "memory"), *q;
  for (int k = 0; k < 2; k++) {
    cJSON *x = cJSON_AddObjectToObject(o, kind[k]);
    cJSON_AddNumberToObject(x, "reads", (double)m->reads[k]);
    cJSON_AddNumberToObject(x, "latency_mean", report_mem_wait(m, k));
    cJSON_AddNumberToObject(x, "latency_max", (double)m->wait_max[k]);
    cJSON_AddNumberToObject(x, "dram_columns", (double)m->column[k]);
  }
  q = cJSON_AddArrayToObject(o, "depths");
  for (uint32_t d = 0; d < GMMU_DEPTHS; d++) {
    cJSON *x = cJSON_CreateObject();
    cJSON_AddNumberToObject(x, "accesses", (double)m->access[d]);
    cJSON_AddNumberToObject(x, "hits", (double)m->hit[d]);
    cJSON_AddNumberToObject(x, "bypassed", (double)m->bypassed[d]);
    cJSON_AddItemToArray(q, x);
  }
  q = cJSON_AddObjectToObject(o, "queue_mean"); /* per channel */
  for (int k = 0; k < 3; k++)
    cJSON_AddNumberToObject(
        q, queue[k],
        report_ratio((double)m->queued[k], (double)m->cycles * (double)r->cfg.MemChannels));
  cJSON_AddNumberToObject(o, "activations", (double)m->row_commands);
  if (!r->peer) return;
  o = cJSON_AddObjectToObject(o, "rtl"); /* --memory-rtl */
  cJSON_AddNumberToObject(o, "cycles", (double)r->peer->cycles);
  cJSON_AddNumberToObject(o, "reads", (double)r->peer->reads);
  cJSON_AddNumberToObject(o, "writes", (double)r->peer->writes);
  cJSON_AddNumberToObject(o, "commands", (double)r->peer->commands);
}

static void json_changes(cJSON *j, const struct gmmu_changes_stats *c) {
  if (!c) return;
  cJSON *o = cJSON_AddObjectToObject(j, "events");
  cnt(o, "events", c->listed);
  cnt(o, "acknowledged", c->done);
  cnt(o, "invalidations", c->commands);
  cnt(o, "superseded", c->superseded);
  cnt(o, "faults", c->faults);
  num(o, "cycles_per_fault", report_ratio((double)c->wait, (double)c->faults));
  cnt(o, "transfers", c->transfers);
}

static void json_paging(cJSON *j, const struct gmmu_paging_stats *p) {
  if (!p) return;
  cJSON *o = cJSON_AddObjectToObject(j, "paging");
  const struct gmmu_mm_stats *m = &p->mm;
  cnt(o, "faults", p->faults);
  num(o, "cycles_per_fault", report_ratio((double)p->wait, (double)p->faults));
  cnt(o, "invalidations", p->commands);
  cnt(o, "transfers", m->ins);
  cnt(o, "bytes_in", m->in_bytes);
  cnt(o, "pages_out", m->outs);
  num(o, "bus_busy", p->bus_busy);
  cnt(o, "pages", m->pages);
  cnt(o, "resident", m->resident);
  cnt(o, "held", m->held);
  cnt(o, "foreign", m->foreign);
  cnt(o, "frames", m->frames);
  cnt(o, "free_frames", m->free_frames);
  cnt(o, "coalesced", m->coalesced);
  cnt(o, "splintered", m->splintered);
  cnt(o, "compacted", m->compacted);
  cnt(o, "moved", m->moved);
  cnt(o, "copy_cycles", p->copy_cycles);
  cnt(o, "copy_cycles_before", p->copy_before);
  cnt(o, "emergencies", m->emergencies);
  cnt(o, "given_up", m->given_up);
  cnt(o, "mixed", m->mixed);
}

static cJSON *json_all(const struct gmmu_report *p) {
  const struct gmmu_run *r = p->run;
  struct report_numbers n = report_numbers(r);
  cJSON *j = cJSON_CreateObject(), *a, *o;

  gmmu_json_text(j, "preset", r->cfg.name);
  gmmu_json_text(j, "backend", p->backend);
  cnt(j, "seed", r->seed);
  gmmu_json_text(j, "pages", p->pages);
  gmmu_json_text(j, "frames", p->frames);
  if (p->run->cfg.L2Unified)
    num(j, "contiguous_share",
        report_ratio(64.0 * (double)p->scan->subregions, (double)p->scan->pages));
  a = cJSON_AddArrayToObject(j, "applications");
  for (int i = 0; i < p->num_apps; i++) {
    o = cJSON_CreateObject();
    gmmu_json_text(o, "name", p->app[i].name);
    gmmu_json_text(o, "trace", p->app[i].trace);
    num(o, "asid", p->app[i].asid);
    num(o, "first_sm", p->app[i].first_sm);
    num(o, "sms", p->app[i].num_sms);
    json_app(o, r, &p->app[i]);
    cJSON_AddItemToArray(a, o);
  }
  cnt(j, "accesses", r->counts.accesses);
  cnt(j, "lsu_stall_cycles", r->counts.lsu_stalls);
  cnt(j, "translations", r->counts.answers);
  cnt(j, "faults", r->counts.faults);
  json_l1(j, r, &n);
  json_l2(j, r, &n);
  json_walks(j, r, &n);
  json_accesses(j, r);
  o = cJSON_AddObjectToObject(j, "latency");
  num(o, "mean", gmmu_hist_mean(&r->stats->latency));
  cnt(o, "p50", gmmu_hist_quantile(&r->stats->latency, 50, 100));
  cnt(o, "p99", gmmu_hist_quantile(&r->stats->latency, 99, 100));
  cnt(o, "max", r->stats->latency.max);
  json_queues(j, r);
  json_memsys(j, r);
  json_paging(j, p->paging);
  json_changes(j, p->changes);
  o = cJSON_AddObjectToObject(j, "data_cache");
  cnt(o, "lines", r->counts.lines);
  cnt(o, "hits", r->counts.line_hits);
  cnt(j, "cycles", r->cycles);
  num(j, "seconds", r->seconds);
  num(j, "khz", n.khz);
  num(j, "translations_per_s", n.per_s);
  o = cJSON_AddObjectToObject(j, "comparisons");
  cnt(o, "total", n.compared);
  cnt(o, "answers", r->answers_compared);
  cnt(o, "policy", r->policy_compared);
  cnt(j, "mismatches", r->mism.n);
  json_config(j, &r->cfg);
  return j;
}

int gmmu_report_json(FILE *f, const struct gmmu_report *r, struct gmmu_err *err) {
  cJSON *j = json_all(r);
  char *text = cJSON_Print(j);

  if (text) fprintf(f, "%s\n", text);
  else gmmu_fail(err, "out of memory");
  cJSON_Delete(j);
  if (!text) return -1;
  cJSON_free(text);
  return 0;
}
