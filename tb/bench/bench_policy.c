/* SPDX-License-Identifier: Apache-2.0 */
/**
 * bench_policy.c - how fast the policy models are on one core, as JSON on stdout: L1 lookups per
 * second of a 128-entry L1 (hits, misses and the fills of those misses all counted as part of a
 * lookup), of the bare array, and cycles per second of the timed model under full load.
 *
 * Usage: bench_policy [seconds per measurement, default 0.5]
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gmmu.h"
#include "policy/l1_tlb.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct result {
  uint64_t lookups, misses;
  double seconds;
};

/** `pages` pages in use, uniform: of 128 entries, 128 pages always hit, 256 pages miss half of the
 * time. */
static struct result bench_l1(const struct gmmu_config *c, const struct gmmu_env *e, uint64_t pages,
                              double seconds) {
  struct gmmu_l1_tlb *l = gmmu_l1_new(c, 0);
  struct gmmu_tlb_data d = {.r = true, .w = true, .u = true, .d = true};
  struct gmmu_rng rng = {1};
  struct gmmu_l1_result r;
  struct gmmu_rsp rsp;
  struct gmmu_fill f;
  struct result out = {0};
  double start = now();
  bool last;

  if (!l) exit(1);
  do {
    for (int i = 0; i < 10000; i++) {
      struct gmmu_req q = {.va = gmmu_rng_below(&rng, pages) << 12, .user = true};
      gmmu_l1_lookup(l, e, &q, &r);
      if (r.outcome == GMMU_L1_MISS_ALLOC) {
        d.pfn = q.va >> 12;
        gmmu_l1_store(l, r.mshr, &d);
        gmmu_l1_fill(l, r.mshr, &f);
        gmmu_l1_serve(l, r.mshr, &last);
        out.misses++;
      }
      gmmu_l1_respond(l, e, 0, &d, 0, &rsp);
    }
    out.lookups += 10000;
    out.seconds = now() - start;
  } while (out.seconds < seconds);
  gmmu_l1_free(l);
  return out;
}

static struct result bench_array(uint64_t pages, double seconds) {
  struct gmmu_tlb *t = gmmu_tlb_new(1, 128, &gmmu_lru);
  struct gmmu_tlb_data d = {0};
  struct gmmu_rng rng = {1};
  struct gmmu_fill f;
  struct result out = {0};
  double start = now();

  if (!t) exit(1);
  do {
    for (int n = 0; n < 10000; n++) {
      uint64_t key = gmmu_tlb_key(0, gmmu_rng_below(&rng, pages));
      int i = gmmu_tlb_lookup(t, key);
      if (i >= 0) gmmu_tlb_touch(t, i);
      else gmmu_tlb_fill(t, 0, key, &d, &f), out.misses++;
    }
    out.lookups += 10000;
    out.seconds = now() - start;
  } while (out.seconds < seconds);
  gmmu_tlb_free(t);
  return out;
}

/** Every SM asks every cycle; memory answers with an invalid PTE if asked at all, so all traffic
 * misses; with `idle`, nobody asks. */
static struct result bench_timed(const struct gmmu_config *c, const struct gmmu_env *e, bool idle,
                                 double seconds) {
  static struct gmmu_events ev;
  struct gmmu_pins *p = calloc(1, sizeof *p);
  struct gmmu_dut dut;
  struct gmmu_err err;
  struct gmmu_rng rng = {1};
  struct result out = {0};
  double start;
  uint32_t *tag = calloc(GMMU_MAX_SMS, sizeof *tag);

  if (!p || !tag || gmmu_timed_new(&dut, c, &err)) exit(1);
  p->env = e;
  p->mem_req_ready = true;
  dut.reset(dut.h, p);
  start = now();
  do {
    for (int n = 0; n < 1000; n++) {
      for (int i = 0; i < c->NumSms; i++) {
        p->rsp_ready[i] = true;
        p->req[i].valid = !idle;
        if (!idle)
          p->req[i].va = gmmu_rng_below(&rng, 4096) << 12,
          p->req[i].tag = (uint16_t)(tag[i] & 0xffff);
      }
      dut.eval(dut.h, p);
      for (int i = 0; i < c->NumSms; i++) {
        tag[i] += p->req_ready[i];
        out.misses += p->req_ready[i] && p->req[i].valid;
      }
      p->mem_rsp.valid = p->mem_req.valid;
      p->mem_rsp.id = p->mem_req.id;
      dut.clock(dut.h, p, &ev);
    }
    out.lookups += 1000;
    out.seconds = now() - start;
  } while (out.seconds < seconds);
  dut.free(dut.h);
  free(p);
  free(tag);
  return out;
}

static void line(const char *name, struct result r, const char *what, const char *end) {
  printf("  \"%s\": {\"%s_per_second\": %.0f, \"miss_rate\": %.3f}%s\n", name, what,
         (double)r.lookups / r.seconds, (double)r.misses / (double)r.lookups, end);
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 0.5;
  struct gmmu_config c;
  struct gmmu_env e;
  struct result r;

  memset(&e, 0, sizeof e);
  gmmu_config_default(&c);
  gmmu_env_from_config(&e, &c);
  e.ctx[0] = (struct gmmu_ctx){.root_pfn = 1, .mode = GMMU_MODE_SV48};
  e.win[0] = (struct gmmu_window){0, 0xffffff, true, true};
  printf("{\n");
  line("l1_hits", bench_l1(&c, &e, 128, seconds), "lookups", ",");
  line("l1_mixed", bench_l1(&c, &e, 256, seconds), "lookups", ",");
  line("l1_misses", bench_l1(&c, &e, 1 << 20, seconds), "lookups", ",");
  line("array_mixed", bench_array(256, seconds), "lookups", ",");
  c.TagW = 16; /* tags come round again long after their answer */
  r = bench_timed(&c, &e, false, seconds);
  printf(
      "  \"timed_busy\": {\"sms\": %lld, \"cycles_per_second\": %.0f, \"requests_per_cycle\": "
      "%.3f},\n",
      (long long)c.NumSms, (double)r.lookups / r.seconds, (double)r.misses / (double)r.lookups);
  r = bench_timed(&c, &e, true, seconds);
  printf("  \"timed_idle\": {\"sms\": %lld, \"cycles_per_second\": %.0f}\n}\n", (long long)c.NumSms,
         (double)r.lookups / r.seconds);
  return 0;
}
