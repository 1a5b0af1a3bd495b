/* SPDX-License-Identifier: Apache-2.0 */
/* test_memsys.c - L2 cache array and bypass decision by hand; the memory system: nothing lost,
 * latencies by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/l2_bypass.h"
#include "policy/l2_cache.h"
#include "timed/memsys.h"
#include "timed/timed_channel.h"

static void array(void **state) {
  (void)state;
  struct gmmu_l2_cache *c = gmmu_l2_cache_new(4, 2, true);
  uint64_t victim;
  bool back;
  assert_int_equal(gmmu_l2_cache_fill(c, 1, false, &victim, &back), 0); /* lines 1, 5, 9: one set */
  assert_int_equal(gmmu_l2_cache_fill(c, 5, true, &victim, &back), 1);
  assert_false(back);
  gmmu_l2_cache_touch(c, 1, 0, false);
  assert_int_equal(gmmu_l2_cache_fill(c, 9, false, &victim, &back),
                   1); /* 5 is the least recent, dirty */
  assert_true(back && victim == 5);
  assert_int_equal(gmmu_l2_cache_find(c, 5), -1);
  assert_int_equal(gmmu_l2_cache_find(c, 9), 1);
  gmmu_l2_cache_touch(c, 1, 0, true);
  gmmu_l2_cache_drop(c, 9, 1);
  assert_int_equal(gmmu_l2_cache_fill(c, 13, false, &victim, &back),
                   1); /* the invalid way, though 1 is older */
  assert_false(back);
  assert_int_equal(gmmu_l2_cache_fill(c, 5, false, &victim, &back), 0);
  assert_true(back && victim == 1);
  assert_int_equal(gmmu_l2_cache_fill(c, 2, false, &victim, &back), 0); /* another set */
  gmmu_l2_cache_free(c);
}

static void bypass(void **state) {
  (void)state;
  struct gmmu_l2_bypass b = {{0}, {0}, {0}};
  gmmu_l2_bypass_count(&b, 0, 63, 63);
  gmmu_l2_bypass_count(&b, 4, 64, 0);
  assert_false(gmmu_l2_bypass_wanted(&b, 4));
  gmmu_l2_bypass_count(&b, 0, 65, 1); /* data 64 of 128 */
  assert_true(gmmu_l2_bypass_wanted(&b, 4));
  b.bypass[4] = true;
  gmmu_l2_bypass_count(&b, 2, 128, 64);
  assert_false(gmmu_l2_bypass_wanted(&b, 2)); /* the same rate */
  gmmu_l2_bypass_count(&b, 2, 1, 0);
  assert_true(gmmu_l2_bypass_wanted(&b, 2));
  gmmu_l2_bypass_epoch(&b);
  assert_false(b.bypass[4] || b.access[0]);
  for (int i = 0; i < 16383; i++) gmmu_l2_bypass_count(&b, 1, 4, 3);
  assert_int_equal(b.access[1], 65532);
  gmmu_l2_bypass_count(&b, 1, 4, 3);
  assert_int_equal(b.access[1], 32770);
  assert_int_equal(b.hit[1], 24577);
}

static struct gmmu_config config(void) {
  struct gmmu_config c;
  gmmu_config_default(&c);
  c.NumSms = 4;
  c.MemChannels = 2;
  c.CacheSets = 4;
  c.CacheWays = 2;
  c.CacheMshrs = 4;
  c.EpochCycles = 5000;
  return c;
}

/* Cycles of a read of SM 1 on an idle machine; pte: of the walker instead. */
static uint64_t alone(struct gmmu_memsys *m, bool pte, uint64_t line) {
  uint8_t misses[GMMU_MAX_ASIDS] = {0};
  uint64_t took = 0;
  int n = 0;
  if (pte) gmmu_memsys_pte(m, line * 128, 4, 5);
  else gmmu_memsys_data(m, 1, 0, line, false, 77);
  for (; n == 0 && took < 1000; took++) gmmu_memsys_step(m, misses, NULL, &n);
  assert_int_equal(n, 1);
  return took;
}

/* DramClosed: the row is closed behind a line, so that another one of its bank need not be closed
 * first, and the same one is activated again. */
static void closed_rows(void **state) {
  (void)state;
  uint64_t took[2][3]; /* first line, the next one in its row, one in another row of the bank */
  for (int closed = 0; closed < 2; closed++) {
    struct gmmu_config c = config();
    c.MemLinear = c.MemChannels = c.CacheBanks = 1;
    c.DramClosed = closed;
    struct gmmu_memsys *m = gmmu_memsys_new(&c, 1);
    for (int k = 0; k < 3; k++) took[closed][k] = alone(m, false, (uint64_t[]){0, 1, 256}[k]);
    gmmu_memsys_free(m);
  }
  assert_int_equal(took[0][0], took[1][0]);
  assert_true(took[0][1] < took[0][0] && took[0][2] > took[0][0]);
  assert_true(took[1][1] == took[1][0] && took[1][2] == took[1][0]);
}

/* CacheMissLatency: a miss of data and of a translation takes exactly that much longer, a hit and a
 * read that bypasses do not. Leaves bypass here, as all of 64 miss and data hits. */
static void miss_latency(void **state) {
  (void)state;
  uint64_t took[3][4]; /* data miss, translation's miss, data hit, bypassed */
  for (int k = 0; k < 3; k++) {
    struct gmmu_config c = config();
    c.MemLinear = c.MemChannels = c.CacheBanks = c.CacheBypass = c.DramClosed = 1;
    c.EpochCycles = 10000000;
    c.CacheMissLatency = (int[]){0, 1, 10}[k];
    struct gmmu_memsys *m = gmmu_memsys_new(&c, 1);
    took[k][0] = alone(m, false, 0);
    took[k][1] = alone(m, true, 4096);
    took[k][2] = alone(m, false, 0);
    for (uint64_t i = 1; i < 70; i++) alone(m, true, 4096 + i), alone(m, false, 0);
    for (int i = 0; i < 2; i++) alone(m, false, 0);
    assert_true(gmmu_memsys_get_stats(m)->bypassed[4] > 0);
    took[k][3] = alone(m, true, 8192);
    gmmu_memsys_free(m);
    for (int i = 0; i < 4; i++)
      assert_int_equal(took[k][i] - took[0][i], i < 2 ? c.CacheMissLatency : 0);
  }
}

/* One read on an idle machine: hop, FIFO, stages A to C, memory, and back. Then the same line
 * again: a hit. */
static void latency(void **state) {
  (void)state;
  struct gmmu_config c = config();
  struct gmmu_memsys *m = gmmu_memsys_new(&c, 1);
  uint8_t misses[GMMU_MAX_ASIDS] = {0};
  uint64_t took[2] = {0};
  for (int k = 0; k < 2; k++) {
    int n = 0;
    gmmu_memsys_data(m, 1, 0, 0x1234, false, 77);
    while (n == 0 && took[k] < 1000) {
      const struct gmmu_memsys_done *d = gmmu_memsys_step(m, misses, NULL, &n);
      took[k]++;
      if (n) assert_true(n == 1 && d[0].sm == 1 && d[0].token == 77);
    }
  }
  /* hit: 10 cycles there, 10 in the cache, 10 back, and the one in which it is taken */
  assert_int_equal(took[1], 10 + 10 + 10 + 1);
  assert_true(took[0] > took[1] + 30); /* ACT, read, data */
  gmmu_memsys_free(m);
}

/* Lines that hit, with words of 32 bytes: an SM gets one every four cycles, from however many
 * banks; two SMs share a bank's port, and what both write. */
static void ports(void **state) {
  (void)state;
  for (int port = 128; port >= 32; port /= 4)
    for (int what = 0; what < 3; what++) { /* one SM two banks; two SMs one bank: read, write */
      struct gmmu_config c = config();
      uint8_t misses[GMMU_MAX_ASIDS] = {0};
      c.MemPort = port;
      c.MemLinear = 1;
      c.CacheSets = 64;
      struct gmmu_memsys *m = gmmu_memsys_new(&c, 1);
      uint64_t first = 0, last = 0, words = 128 / (uint64_t)port;
      for (int pass = 0; pass < 2; pass++) { /* the first one fetches the lines */
        int left = 32, n;
        for (int i = 0; i < 32; i++) {
          uint64_t line = (uint64_t)(what ? i / 2 * 4 : i);
          gmmu_memsys_data(m, what ? i & 1 : 0, 0, line, what == 2, 1);
        }
        first = 0;
        for (uint64_t t = 1; left && t < 5000; t++) {
          gmmu_memsys_step(m, misses, NULL, &n);
          left -= n;
          if (n && !first) first = t;
          last = t;
        }
        assert_int_equal(left, 0);
      }
      /* 32 lines through one port, or, 128 bytes wide, as fast as the cache's one request a cycle
       */
      assert_in_range(last - first, 31 * words - words, 31 * words + 24);
      gmmu_memsys_free(m);
    }
}

/* Every request is answered once, with random traffic of all kinds. */
static void all_answered(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    struct gmmu_config c = config();
    c.CacheBypass = c.DramAware = seed & 1;
    c.MemPartition = seed == 3;
    c.MemPort = seed & 2 ? 32 : 128;
    c.CacheMissLatency = seed > 2 ? 10 : 0;
    struct gmmu_memsys *m = gmmu_memsys_new(&c, 2);
    struct gmmu_rng r = {seed};
    enum { N = 20000 };
    uint8_t *open = calloc(N, 1), misses[GMMU_MAX_ASIDS] = {3, 9}, pte_busy[64] = {0};
    uint32_t made = 0, done = 0, idle = 0;
    while (done < N && idle < 100000) {
      if (made < N && gmmu_rng_below(&r, 3)) {
        uint64_t x = gmmu_rng_next(&r);
        uint32_t id = (uint32_t)(x >> 50 & 63);
        if (x % 8 == 0 && !pte_busy[id]) {
          gmmu_memsys_pte(m, 0x40000000 + (x >> 8 & 0xfff8), (uint8_t)(1 + (x >> 4 & 3)),
                          (uint16_t)id);
          pte_busy[id] = 1;
          made++;
        } else if (x % 8) {
          gmmu_memsys_data(m, (int)(x >> 3 & 3), (uint16_t)(x >> 5 & 1), x >> 8 & 0x3ff, x % 8 == 1,
                           made);
          open[made++] = 1;
        }
      }
      int n;
      const struct gmmu_memsys_done *d = gmmu_memsys_step(m, misses, NULL, &n);
      idle = n ? 0 : idle + 1;
      for (int i = 0; i < n; i++, done++) {
        uint8_t *p = d[i].sm < 0 ? &pte_busy[d[i].token] : &open[d[i].token];
        assert_int_equal(*p, 1);
        *p = 0;
      }
    }
    assert_int_equal(done, N);
    const struct gmmu_memsys_stats *s = gmmu_memsys_get_stats(m);
    if (seed & 1)
      assert_true(s->bypassed[1] + s->bypassed[2] + s->bypassed[3] + s->bypassed[4] > 0);
    else assert_int_equal(s->bypassed[4], 0);
    free(open);
    gmmu_memsys_free(m);
  }
}

static bool same_command(const struct gmmu_dram_cmd *a, const struct gmmu_dram_cmd *b) {
  return a->kind == b->kind &&
         (a->kind == GMMU_DRAM_NOP || (a->bank == b->bank && a->row == b->row && a->col == b->col &&
                                       a->payload == b->payload && a->ap == b->ap));
}

static void same_bank(const struct gmmu_cache_bank_out *a, const struct gmmu_cache_bank_out *b) {
  for (int p = 0; p < GMMU_CACHE_PORTS; p++) {
    assert_true(a->ready[p] == b->ready[p] && a->rsp_valid[p] == b->rsp_valid[p]);
    assert_true(!a->rsp_valid[p] || a->rsp_id[p] == b->rsp_id[p]);
    assert_int_equal(a->mem[p].valid, b->mem[p].valid);
  }
  assert_true(a->decided == b->decided && a->counted == b->counted && a->filled == b->filled);
  assert_true(!a->decided || a->outcome == b->outcome);
}

/* A channel that rests where it may does in every cycle what one does that is stepped always. */
static void resting(void **state) {
  (void)state;
  static const uint8_t none[GMMU_DRAM_APPS];
  static const bool never[GMMU_DEPTHS];
  for (uint32_t seed = 1; seed <= 4; seed++) {
    struct gmmu_channel_cfg c = {.banks = 2, .col_bits = 6};
    c.bank = (struct gmmu_cache_bank_cfg){.sets = 4,
                                          .ways = 2,
                                          .mshrs = 4,
                                          .waiters = 4,
                                          .mem_slots = 4,
                                          .answer_slots = 16,
                                          .bypass_slots = 8,
                                          .latency = 10,
                                          .beats = 2,
                                          .words = 1,
                                          .miss_latency = seed == 4 ? 10 : 0};
    c.dram = (struct gmmu_dram_cfg){.sched = {.golden = 16, .silver = 64, .normal = 192},
                                    .t = gmmu_dram_gddr5,
                                    .ratio = (uint32_t)(GMMU_DRAM_ONE * (seed & 1 ? 1.64 : 0.7)),
                                    .num_apps = 2,
                                    .turn_timeout = 2000,
                                    .age_cap = seed == 2 ? 4000 : 0};
    c.dram.sched.closed_row = seed == 3;
    struct gmmu_channel *m[2] = {gmmu_channel_new(&c), gmmu_channel_new(&c)};
    struct gmmu_channel_in in[2];
    struct gmmu_channel_out out[2];
    struct gmmu_rng r = {seed};
    uint64_t rested = 0, refreshed = 0, quiet_until = 0;
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    for (uint64_t t = 0; t < 200000; t++) {
      const struct gmmu_channel_in fresh = {.bypass = never, .apps = 2, .con = none, .warps = none};
      bool rests;
      for (int k = 0; k < 2; k++) in[k] = fresh;
      if (t >= quiet_until) {
        uint64_t x = gmmu_rng_next(&r);
        struct gmmu_cache_bank_in *b = &in[0].bank[x & 1];
        int p = (int)(x >> 1 & 1);
        b->req[p] = (struct gmmu_cache_req){
            .line = x >> 8 & 63, .depth = 4, .we = p && (x >> 2 & 3) == 0, .full = true, .id = 7};
        b->valid[p] = true;
        if (x >> 16 & 1) quiet_until = t + gmmu_rng_below(&r, x >> 17 & 1 ? 20 : 6000);
      }
      for (uint32_t b = 0; b < c.banks; b++)
        in[0].bank[b].rsp_ready[0] = in[0].bank[b].rsp_ready[1] = true;
      in[1] = in[0];
      for (int k = 0; k < 2; k++) gmmu_channel_offers(m[k], &out[k]);
      gmmu_channel_step(m[0], &in[0], &out[0]);
      rests = gmmu_channel_rests(m[1], &in[1]);
      if (!rests) gmmu_channel_step(m[1], &in[1], &out[1]);
      rested += rests;
      refreshed += out[0].dram.cmd.kind == GMMU_DRAM_REF;
      if (rests) out[1].dram.cmd.kind = out[1].dram.also.kind = GMMU_DRAM_NOP;
      assert_true(same_command(&out[0].dram.cmd, &out[1].dram.cmd));
      assert_true(same_command(&out[0].dram.also, &out[1].dram.also));
      for (uint32_t b = 0; b < c.banks; b++) same_bank(&out[0].bank[b], &out[1].bank[b]);
    }
    assert_true(rested > 100000 && refreshed > 50);
    for (int k = 0; k < 2; k++) gmmu_channel_free(m[k]);
  }
}

int main(void) {
  const struct CMUnitTest t[] = {cmocka_unit_test(array),        cmocka_unit_test(bypass),
                                 cmocka_unit_test(latency),      cmocka_unit_test(ports),
                                 cmocka_unit_test(closed_rows),  cmocka_unit_test(resting),
                                 cmocka_unit_test(miss_latency), cmocka_unit_test(all_answered)};
  return cmocka_run_group_tests(t, NULL, NULL);
}
