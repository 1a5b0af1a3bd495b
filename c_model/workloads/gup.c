/* SPDX-License-Identifier: Apache-2.0 */
/* GUP (HPC Challenge RandomAccess): atomic updates of random words of a table. */
#include "gen.h"

#define BLOCKS 512u
#define THREADS 128u
#define TOTAL (BLOCKS * THREADS)
/* The suite does 4 * words updates in all, 1024 per thread at 2^24 words. The accesses are the same
 * all along, so a thread stops after this many; its start stays where the full stream has it. */
#define MAX_UPDATES 64u

/* The stream is x^k modulo x^64 + x^2 + x + 1 over GF(2); k small gives few set bits, so the first
 * warps meet the same lines and pages more often than random addresses would. */
static uint64_t times_x(uint64_t r) { return (r << 1) ^ (r >> 63 ? 7 : 0); }

static uint64_t gf_mul(uint64_t a, uint64_t b) {
  uint64_t r = 0;
  for (int i = 63; i >= 0; i--) r = times_x(r) ^ (b >> i & 1 ? a : 0);
  return r;
}

static int gup(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err) {
  (void)seed; /* the benchmark fixes its stream */
  if (gen_check("GUP", "table words", n, TOTAL / 4, 1ull << 32, 1, err)) return -1;
  if (n & (n - 1))
    return gmmu_fail(err, "GUP: table words is %llu, must be a power of two",
                     (unsigned long long)n);
  struct gen g;
  gen_init(&g, s);
  uint64_t table = gen_array(&g, "table", n * 8, true),
           starts = gen_array(&g, "starts", TOTAL * 8, false);
  uint64_t full = 4 * n / TOTAL, updates = full < MAX_UPDATES ? full : MAX_UPDATES;
  uint64_t jump = 1, next = 1; /* x^full; stream value at k * full for the next thread k */
  for (uint64_t i = 0; i < full; i++) jump = times_x(jump);

  gen_launch(&g, "random_access_kernel", BLOCKS, THREADS / GEN_WARP);
  for (uint64_t w = 0; w < TOTAL / GEN_WARP && gen_ok(&g); w++) {
    uint64_t r[GEN_WARP];
    for (uint32_t l = 0; l < GEN_WARP; l++) {
      r[l] = next;
      next = gf_mul(next, jump);
    }
    gen_warp(&g, w / (THREADS / GEN_WARP), (uint32_t)(w % (THREADS / GEN_WARP)));
    gen_affine(&g, GMMU_READ, 8, GEN_WARP, starts + w * GEN_WARP * 8, 8);
    for (uint64_t u = 0; u < updates; u++) {
      gen_gap(&g, GEN_GAP_ALU);
      for (uint32_t l = 0; l < GEN_WARP; l++) {
        r[l] = times_x(r[l]);
        g.op.addr[l] = table + (r[l] & (n - 1)) * 8;
      }
      gen_emit(&g, GMMU_AMO, 4, GEN_WARP);
      for (uint32_t l = 0; l < GEN_WARP; l++) g.op.addr[l] += 4;
      gen_emit(&g, GMMU_AMO, 4, GEN_WARP);
    }
  }
  return g.rc;
}

const struct gmmu_workload gen_gup = {"GUP",
                                      "HPCC RandomAccess (GUPS), at most 64 updates per thread",
                                      1u << 16,
                                      1u << 24,
                                      "8-byte words of the table",
                                      gup};
