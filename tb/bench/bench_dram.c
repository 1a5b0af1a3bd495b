/* SPDX-License-Identifier: Apache-2.0 */
/**
 * bench_dram.c - one DRAM channel with a full queue of 64-byte reads, as JSON on stdout: share of
 * the peak data rate apart from refresh, the same for an ideal scheduler (same priorities, all
 * requests in view), spacing of ACTs, and requests per second of CPU time of the model.
 *
 * Usage: bench_dram [requests, default 200000]
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "policy/dram_check.h"
#include "policy/dram_map.h"
#include "timed/timed_dram.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct result {
  double utilisation, per_second, act_spacing;
  uint64_t cycles;
};

static const struct gmmu_dram_map map = {.channel_bits = 0, .col_bits = 6};

static struct result run(bool stream, unsigned golden_percent, uint32_t n, bool ideal, bool aware) {
  struct gmmu_dram_cfg cfg = {.sched = {.golden = ideal ? n : 16,
                                        .silver = ideal ? n : 64,
                                        .normal = ideal ? n : 192,
                                        .aware = aware},
                              .t = gmmu_dram_gddr5,
                              .num_apps = 1,
                              .thresh_max = 500,
                              .turn_timeout = 2000};
  struct gmmu_dram *d = gmmu_dram_new(&cfg);
  struct gmmu_rng rng = {7};
  uint8_t zero[1] = {0};
  struct gmmu_dram_in in = {.apps = 1, .con = zero, .warps = zero};
  struct gmmu_dram_out o;
  struct result r = {0};
  uint32_t made = 0, served = 0;
  uint64_t refresh = 0, acts = 0, first_act = 0, last_act = 0;
  uint64_t due = 0;
  if (!d) exit(1);
  double start = now();
  struct gmmu_dram_req *pool = malloc(n * sizeof *pool);
  if (!pool) exit(1);
  for (uint32_t i = 0; i < n; i++) {
    struct gmmu_dram_place p =
        gmmu_dram_place(&map, stream ? (uint64_t)i * 64 : gmmu_rng_next(&rng) & 0x3fffffc0);
    pool[i] = (struct gmmu_dram_req){.bank = (uint8_t)p.bank,
                                     .row = p.row,
                                     .col = p.col,
                                     .golden = gmmu_rng_below(&rng, 100) < golden_percent,
                                     .payload = i};
  }
  /* the k-th translation and the k-th data request wait at their inputs; ideal: all are inside
   * before the clock counts */
  uint32_t g = 0, x = 0;
  uint64_t base = 0;
  bool counting = !ideal;
  while (served < n) {
    while (g < n && !pool[g].golden) g++;
    while (x < n && pool[x].golden) x++;
    in.golden_valid = g < n;
    in.data_valid = x < n;
    if (in.golden_valid) in.golden = pool[g];
    if (in.data_valid) in.data = pool[x];
    if (!in.golden_valid && !in.data_valid) {
      uint64_t t = gmmu_dram_next_event(d);
      if (t > gmmu_dram_now(d)) gmmu_dram_skip(d, t);
    }
    gmmu_dram_step(d, &in, &o);
    g += in.golden_valid && o.golden_ready;
    x += in.data_valid && o.data_ready;
    made += o.entered != 0;
    uint64_t t = gmmu_dram_now(d);
    if (!counting && made == n) {
      counting = true;
      base = t;
      n -= served; /* those served meanwhile do not count */
      served = 0;
      refresh = 0;
    }
    if (t / cfg.t.refi != (t - 1) / cfg.t.refi) due = t;
    if (o.cmd.kind == GMMU_DRAM_REF) refresh += t + cfg.t.rfc - due;
    if (o.cmd.kind == GMMU_DRAM_ACT) {
      if (!acts++) first_act = t;
      last_act = t;
    }
    if (o.cmd.kind == GMMU_DRAM_RD) served++;
  }
  r.cycles = gmmu_dram_now(d) - base;
  r.per_second = served / (now() - start);
  r.utilisation = (double)served * GMMU_DRAM_BURST / (double)(r.cycles - refresh);
  r.act_spacing = acts > 1 ? (double)(last_act - first_act) / (double)(acts - 1) : 0;
  free(pool);
  gmmu_dram_free(d);
  return r;
}

/* Applications that each read memory of their own line after line, 128 lines at most on their way,
 * and their share of an input with others: ACTs per line, and the longest wait of a line since it
 * was at the input, in cycles. */
struct streams {
  double acts_per_line, utilisation;
  uint64_t longest;
};

static struct streams streams(uint32_t apps, uint32_t n, bool aware) {
  struct gmmu_dram_cfg cfg = {.sched = {.golden = 16, .silver = 64, .normal = 192, .aware = aware},
                              .t = gmmu_dram_gddr5,
                              .num_apps = apps,
                              .thresh_max = 500,
                              .turn_timeout = 2000};
  struct gmmu_dram *d = gmmu_dram_new(&cfg);
  uint8_t weight[8] = {3, 5, 2, 7, 1, 4, 6, 9};
  struct gmmu_dram_in in = {.apps = apps, .con = weight, .warps = weight};
  struct gmmu_dram_out o;
  uint32_t at[8] = {0}, on_way[8] = {0}, next = 0, made = 0, served = 0;
  uint64_t *since = calloc(n, sizeof *since), acts = 0, longest = 0;
  if (!d || !since) exit(1);
  while (served < n) {
    for (uint32_t k = 0; k < apps && !in.data_valid && made < n; k++) {
      uint32_t a = next++ % apps;
      if (on_way[a] == 128) continue;
      struct gmmu_dram_place p = gmmu_dram_place(&map, (uint64_t)a << 28 | (uint64_t)at[a]++ * 64);
      in.data = (struct gmmu_dram_req){
          .bank = (uint8_t)p.bank, .row = p.row, .col = p.col, .app = (uint16_t)a, .payload = made};
      in.data_valid = true;
      on_way[a]++;
      since[made++] = gmmu_dram_now(d);
    }
    gmmu_dram_step(d, &in, &o);
    if (in.data_valid && o.data_ready) in.data_valid = false;
    acts += o.cmd.kind == GMMU_DRAM_ACT;
    if (o.cmd.kind != GMMU_DRAM_RD) continue;
    uint64_t wait = gmmu_dram_now(d) - since[o.cmd.payload];
    if (wait > longest) longest = wait;
    on_way[o.cmd.row >>
           13]--; /* 64 columns of 8 banks: bit 28 of the address is bit 13 of the row */
    served++;
  }
  struct streams r = {(double)acts / n, (double)n * GMMU_DRAM_BURST / (double)gmmu_dram_now(d),
                      longest};
  free(since);
  gmmu_dram_free(d);
  return r;
}

int main(int argc, char **argv) {
  uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 200000;
  struct result s = run(true, 0, n, false, true), p = run(true, 0, n, false, false);
  printf(
      "{\"stream\": {\"utilisation\": %.4f, \"requests_per_s\": %.0f, \"frfcfs_utilisation\": "
      "%.4f}",
      s.utilisation, s.per_second, p.utilisation);
  static const unsigned golden[] = {0, 10, 50};
  for (int i = 0; i < 3; i++) {
    struct result a = run(false, golden[i], n, false, true),
                  b = run(false, golden[i], n < 20000 ? n : 20000, true, true);
    printf(
        ",\n \"random_%u\": {\"utilisation\": %.4f, \"ideal\": %.4f, \"of_ideal\": %.4f, "
        "\"cycles_per_act\": %.2f, \"requests_per_s\": %.0f}",
        golden[i], a.utilisation, b.utilisation, a.utilisation / b.utilisation, a.act_spacing,
        a.per_second);
  }
  for (uint32_t apps = 1; apps <= 8; apps *= 2)
    for (int aware = 0; aware < 2; aware++) {
      struct streams x = streams(apps, n, aware);
      printf(
          ",\n \"%s_streams_%u\": {\"acts_per_line\": %.4f, \"utilisation\": %.4f, "
          "\"longest_wait\": %llu}",
          aware ? "aware" : "frfcfs", apps, x.acts_per_line, x.utilisation,
          (unsigned long long)x.longest);
    }
  printf("}\n");
  return 0;
}
