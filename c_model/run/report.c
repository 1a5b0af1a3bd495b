/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - the table of a run. JSON: report_json.c. */
#include "run/report_int.h"

struct report_numbers report_numbers(const struct gmmu_run *r) {
  const struct gmmu_stats *s = r->stats;
  double n1 = (double)gmmu_stats_l1_lookups(s), n2 = (double)gmmu_stats_l2_lookups(s),
         cyc = (double)r->cycles;
  struct report_numbers n = {0};

  n.l1_base = report_ratio((double)s->l1_lookup[GMMU_L1_HIT_BASE], n1);
  n.l1_large = report_ratio((double)s->l1_lookup[GMMU_L1_HIT_LARGE], n1);
  n.l1 = n.l1_base + n.l1_large;
  n.l2_base = report_ratio((double)s->l2_lookup[GMMU_L2_HIT_BASE], n2);
  n.l2_large = report_ratio((double)s->l2_lookup[GMMU_L2_HIT_LARGE], n2);
  n.l2_sub =
      report_ratio((double)(s->l2_lookup[GMMU_L2_HIT_SUB] + s->l2_lookup[GMMU_L2_HIT_RUN]), n2);
  n.l2_bypass = report_ratio((double)s->l2_lookup[GMMU_L2_HIT_BYPASS], n2);
  n.l2 = n.l2_base + n.l2_large + n.l2_sub + n.l2_bypass;
  n.msc = report_ratio((double)s->msc_hits, (double)s->msc_lookups);
  n.pwc = report_ratio((double)s->pwc_hits, (double)s->pwc_probes);
  n.l1_merged = s->l1_lookup[GMMU_L1_MISS_MERGE] + s->l1_replay[GMMU_L1_MISS_MERGE];
  n.l2_merged = s->l2_lookup[GMMU_L2_MISS_MERGE] + s->l2_replay[GMMU_L2_MISS_MERGE];
  n.walks_mean = report_ratio((double)s->walk.sum, cyc);
  n.khz = report_ratio(cyc, r->seconds) / 1e3;
  n.per_s = report_ratio((double)r->counts.answers, r->seconds);
  n.busy = report_ratio((double)s->lookup_cycles, cyc * (double)r->cfg.NumSms);
  n.compared = r->answers_compared + r->policy_compared;
  return n;
}

#define U(x) ((unsigned long long)(x))

void gmmu_report_table(FILE *f, const struct gmmu_report *p) {
  const struct gmmu_run *r = p->run;
  const struct gmmu_stats *s = r->stats;
  struct report_numbers n = report_numbers(r);

  fprintf(f, "preset %s, backend %s, %lld SMs, seed %llu\n", r->cfg.name, p->backend,
          (long long)r->cfg.NumSms, U(r->seed));
  for (int i = 0; i < p->num_apps; i++)
    fprintf(f, "  application %s: ASID %d, SMs %d to %d\n", p->app[i].name, p->app[i].asid,
            p->app[i].first_sm, p->app[i].first_sm + p->app[i].num_sms - 1);
  for (int i = 0; p->num_apps > 1 && i < p->num_apps; i++) {
    const struct gmmu_stats_app *a = &s->app[p->app[i].asid];
    fprintf(f,
            "    %-8s ended in cycle %llu (%llu times), L1 hit rate %.2f%%, L2 %.2f%%, walks %llu, "
            "latency %.2f\n",
            p->app[i].name, U(p->app[i].progress.first_end), U(p->app[i].progress.runs),
            100 * report_ratio((double)a->l1_hits, (double)a->l1_lookups),
            100 * report_ratio((double)a->l2_hits, (double)a->l2_lookups), U(a->walks),
            report_ratio((double)a->latency, (double)a->answers));
  }
  fprintf(f, "  warp accesses           %12llu\n", U(r->counts.accesses));
  fprintf(f, "  translations            %12llu   (%llu faults)\n", U(r->counts.answers),
          U(r->counts.faults));
  fprintf(f, "  L1 hit rate             %11.2f%%   base %.2f%%, large %.2f%%, merged misses %llu\n",
          100 * n.l1, 100 * n.l1_base, 100 * n.l1_large, U(n.l1_merged));
  fprintf(f, "  L2 hit rate             %11.2f%%   base %.2f%%, large %.2f%%, merged misses %llu\n",
          100 * n.l2, 100 * n.l2_base, 100 * n.l2_large, U(n.l2_merged));
  if (r->cfg.L2Unified)
    fprintf(f,
            "  contiguous subregions   %11.2f%%   of the pages; L2 hits in them %.2f%%, MSC hit "
            "rate %.2f%%, heads read %llu\n",
            100 * report_ratio(64.0 * (double)p->scan->subregions, (double)p->scan->pages),
            100 * n.l2_sub, 100 * n.msc, U(s->heads));
  if (r->cfg.FillTokens)
    fprintf(f,
            "  bypass cache hits       %11.2f%%   of the L2 lookups; %llu fills, %llu fills of the "
            "L2 TLB, %llu epochs\n",
            100 * n.l2_bypass, U(s->bypass_fills), U(s->l2_fills), U(s->epochs));
  if (r->cfg.PwcEntries)
    fprintf(f, "  page walk cache hits    %11.2f%%   of %llu probes\n", 100 * n.pwc,
            U(s->pwc_probes));
  fprintf(f, "  walks                   %12llu   frames touched %llu, same-frame walks %llu\n",
          U(s->walks), U(r->frames), U(s->same_frame));
  fprintf(f, "  concurrent walks        %12.2f   at most %llu\n", n.walks_mean, U(s->walk.max));
  fprintf(f, "  translation latency     %12.2f   99th percentile %llu cycles\n",
          gmmu_hist_mean(&s->latency), U(gmmu_hist_quantile(&s->latency, 99, 100)));
  if (r->memsys.cycles) {
    const struct gmmu_memsys_stats *m = &r->memsys;
    uint64_t access = 0, hit = 0, around = 0;
    for (uint32_t d = 1; d < GMMU_DEPTHS; d++)
      access += m->access[d], hit += m->hit[d], around += m->bypassed[d];
    fprintf(f,
            "  memory: translations    %12.2f   cycles a read; L2 cache hit rate %.2f%%, %.2f%% of "
            "the reads bypass it\n",
            report_mem_wait(m, 0), 100 * report_ratio((double)hit, (double)access),
            100 * report_ratio((double)around, (double)(access + around)));
    fprintf(f,
            "  memory: data            %12.2f   cycles a read; L2 cache hit rate %.2f%%; %.2f%% of "
            "the DRAM columns are translations'\n",
            report_mem_wait(m, 1), 100 * report_ratio((double)m->hit[0], (double)m->access[0]),
            100 * report_ratio((double)m->column[0], (double)(m->column[0] + m->column[1])));
  }
  if (r->peer)
    fprintf(f,
            "  memory: RTL             %12llu   cycles of %lld channels compared; %llu reads with "
            "their words, %llu writes, %llu DRAM commands\n",
            U(r->peer->cycles), (long long)r->cfg.MemChannels, U(r->peer->reads),
            U(r->peer->writes), U(r->peer->commands));
  if (p->changes) {
    const struct gmmu_changes_stats *c = p->changes;
    fprintf(f,
            "  events                  %12llu   of %llu acknowledged; %llu invalidations, %llu "
            "answers by replaced tables before that\n",
            U(c->done), U(c->listed), U(c->commands), U(c->superseded));
    fprintf(f, "  faults on demand        %12llu   %llu cycles each; %llu pages came\n",
            U(c->faults), U(report_ratio((double)c->wait, (double)c->faults)), U(c->transfers));
  }
  if (p->paging) {
    const struct gmmu_mm_stats *m = &p->paging->mm;
    fprintf(f,
            "  faults                  %12llu   %llu cycles each; %llu transfers of %.1f MiB, I/O "
            "bus busy %.1f%%, %llu pages out\n",
            U(p->paging->faults),
            U(report_ratio((double)p->paging->wait, (double)p->paging->faults)), U(m->ins),
            (double)m->in_bytes / (1 << 20), 100 * p->paging->bus_busy, U(m->outs));
    fprintf(f,
            "  memory                  %12llu   pages held for %llu that are there, of %llu; "
            "frames coalesced %llu, splintered %llu, compacted %llu, mixed %llu\n"
            "  pages moved             %12llu   by compaction, in %llu cycles; before the run %llu "
            "cycles\n",
            U(m->held), U(m->resident), U(m->pages), U(m->coalesced), U(m->splintered),
            U(m->compacted), U(m->mixed), U(m->moved), U(p->paging->copy_cycles),
            U(p->paging->copy_before));
  }
  fprintf(f, "  cycles                  %12llu   %.1f kHz, %.0f translations/s\n", U(r->cycles),
          n.khz, n.per_s);
  fprintf(f, "  comparisons             %12llu   answers %llu, policy %llu\n", U(n.compared),
          U(r->answers_compared), U(r->policy_compared));
}
