/* SPDX-License-Identifier: Apache-2.0 */
/** test_timed.c - the timed model: documented latencies, random traffic, invalidation under
 * traffic. */
#include "timed_rig.h"

/** One request alone; returns the cycles from its handshake to its answer. */
static uint64_t one(struct rig *r, int sm, int asid, uint64_t va) {
  struct gmmu_req q = {.asid = (uint16_t)asid, .va = va, .user = true, .access = GMMU_READ};
  uint64_t before = r->answers;

  r->request_pct = 0;
  rig_present(r, sm, q, -1);
  for (int i = 0; i < 2000 && r->answers == before; i++) rig_cycle(r);
  assert_int_equal(r->answers, before + 1);
  return r->latency;
}

static void latencies_of_docs_top(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    struct gmmu_config c;
    struct rig *r = malloc(sizeof *r);
    uint64_t mem = (uint64_t)(i == 3 ? 1 : 20 + 7 * i), l2 = (uint64_t)(4 + 3 * i);
    int depths = i % 2 ? 3 : 4;

    gmmu_config_default(&c);
    c.NumSms = 3;
    c.L2Latency = (int64_t)l2;
    c.Mode = i % 2 ? 39 : 48;
    rig_open(r, &c, 1);
    r->pte.latency = (uint32_t)mem;
    /* 4 KiB page: all depths; 15 = 3 to the L2, 3 to stage B, 1 buffer, 1 root, 1 register, and 6
     * from the last decode; a stage R of the L2 is passed there and back */
    uint64_t walk = l2 > 4 ? 17 : 15;
    assert_int_equal(one(r, 0, 0, r->va[0][0]), walk + (uint64_t)depths * (mem + 3));
    assert_int_equal(one(r, 0, 0, r->va[0][0]), 1);
    assert_int_equal(one(r, 1, 0, r->va[0][0]), 6 + l2);
    assert_int_equal(one(r, 1, 0, r->va[0][0] + 8), 1);
    /* 2 MiB page: one PTE fewer; another page of it hits the large arrays */
    assert_int_equal(one(r, 0, 0, r->va[0][16]), walk + (uint64_t)(depths - 1) * (mem + 3));
    assert_int_equal(one(r, 0, 0, r->va[0][17]), 1);
    assert_int_equal(one(r, 2, 0, r->va[0][18]), 6 + l2);
    /* local faults: as a hit */
    assert_int_equal(one(r, 2, (int)c.NumAsids, 0), 1);
    assert_int_equal(one(r, 2, 0, 1ull << 62), 1);
    /* a fault is not cached: walks again, down to the hole */
    assert_int_equal(one(r, 2, 0, r->va[0][7]), walk + (uint64_t)depths * (mem + 3));
    assert_int_equal(one(r, 2, 0, r->va[0][7]), walk + (uint64_t)depths * (mem + 3));
    rig_drain(r);
    rig_close(r);
    free(r);
  }
}

static void hits_stream_one_per_cycle(void **state) {
  struct gmmu_config c;
  struct rig *r = malloc(sizeof *r);

  (void)state;
  gmmu_config_default(&c);
  c.NumSms = 1;
  rig_open(r, &c, 1);
  one(r, 0, 0, r->va[0][0]);
  for (int i = 0; i < 100; i++) {
    struct gmmu_req q = {.va = r->va[0][0] + 8 * (uint64_t)i, .user = true};
    rig_present(r, 0, q, -1);
    rig_cycle(r);
    assert_int_equal(r->presented[0], -1);
    if (i) assert_int_equal(r->latency, 1);
  }
  rig_drain(r);
  rig_close(r);
  free(r);
}

/** Configurations that make every queue and limit matter. */
static void variant(struct gmmu_config *c, int v) {
  gmmu_config_default(c);
  c->NumSms = 4;
  switch (v) {
    case 1: /* no large arrays */ c->L1LargeEntries = c->L2LargeEntries = 0; break;
    case 2: /* as small as it gets */
      c->NumAsids = 3, c->L1BaseEntries = 2, c->L1LargeEntries = 2, c->L1Mshrs = 1,
      c->L2Entries = 4, c->L2Ways = 2;
      c->L2LargeEntries = 2, c->L2Mshrs = 3, c->Walks = 3, c->L2Ports = 1, c->L2Latency = 4;
      break;
    case 3: /* guarantees bind; Sv39 */
      c->NumSms = 8, c->NumAsids = 4, c->L1BaseEntries = 4, c->L1LargeEntries = 2, c->L1Mshrs = 3,
      c->L2Entries = 16;
      c->L2Ways = 4, c->L2LargeEntries = 2, c->L2Mshrs = 5, c->Walks = 4, c->Mode = 39, c->TagW = 4;
      break;
    case 4: /* large in the L2 only; long delay line */
      c->L1LargeEntries = 0, c->L2Latency = 64, c->NumSms = 6, c->L1Mshrs = 2;
      break;
    case 5: /* extension bits in RSW; many SMs on one port */
      c->FrameBitsInRsw = 1, c->L2Ports = 1, c->NumSms = 16, c->L1BaseEntries = 4,
      c->L1LargeEntries = 2;
      c->L2Entries = 32, c->L2LargeEntries = 4, c->L2Mshrs = 8, c->Walks = 8;
      break;
    case 6: /* short sweeps, a long way from the L2, few pages: answers are often under way when
               they get old */
      c->NumSms = 8, c->NumAsids = 2, c->L1BaseEntries = 2, c->L1LargeEntries = 2, c->L1Mshrs = 8,
      c->L2Entries = 16;
      c->L2Ways = 8, c->L2LargeEntries = 2, c->L2Latency = 64;
      break;
    case 7: /* the same nearby */
      variant(c, 6);
      c->L2Latency = 4, c->L1BaseEntries = 4;
      break;
    default: break;
  }
}
#define VARIANTS 8

static void traffic_for(struct rig *r, int cycles) {
  for (int i = 0; i < cycles; i++) {
    if (i % 500 == 0) {
      r->request_pct = (int)gmmu_rng_below(&r->rng, 101);
      r->ready_pct = 20 + (int)gmmu_rng_below(&r->rng, 81);
      r->mem_ready_pct = 20 + (int)gmmu_rng_below(&r->rng, 81);
      r->pte.latency = 1 + (uint32_t)gmmu_rng_below(&r->rng, 30);
      r->pte.jitter = (uint32_t)gmmu_rng_below(&r->rng, 40);
    }
    rig_cycle(r);
  }
}

static void random_traffic(void **state) {
  (void)state;
  for (int v = 0; v < VARIANTS; v++)
    for (uint64_t seed = 0; seed < 3; seed++) {
      struct gmmu_config c;
      struct rig *r = malloc(sizeof *r);
      variant(&c, v);
      rig_open(r, &c, seed);
      traffic_for(r, 6000);
      rig_drain(r);
      if (r->answers < 200 || r->faults < 10)
        fail_msg("variant %d: only %llu answers, %llu faults", v, (unsigned long long)r->answers,
                 (unsigned long long)r->faults);
      assert_int_equal(r->large > 0, c.L2LargeEntries > 0);
      rig_close(r);
      free(r);
    }
}

/** Software changes one PTE: another frame, no frame, or the CO bit. Returns the VFNs that it
 * covers. */
static void change_a_pte(struct rig *r, int asid, int page, uint64_t *lo, uint64_t *hi) {
  uint64_t va = r->va[asid][page], vfn = va >> 12,
           co = r->cfg.FrameBitsInRsw ? GMMU_PTE_CO_RSW : GMMU_PTE_CO;
  int level = page / 8 % 3 == 0 ? 0 : 1;
  uint64_t pa = gmmu_tables_pte_pa(r->tables, asid, va, level),
           pte = pa ? gmmu_mem_read64(r->mem, pa) : 0;

  *lo = *hi = vfn;
  if (!pa) return;
  if (level == 1) *lo = vfn & ~511ull, *hi = vfn | 511;
  if (level == 1 && page / 8 % 3 == 1 && rig_pct(r, 50)) pte ^= co;
  else if (rig_pct(r, 40)) pte ^= GMMU_PTE_V;
  else if (page / 8 % 3 != 1)
    pte ^= (level ? 1ull << 19 : 1ull << 11); /* another frame, inside the window or not */
  gmmu_mem_write64(r->mem, pa, pte);
}

#define ROUNDS 40
static void no_stale_answer_after_acknowledgement(void **state) {
  (void)state;
  for (int v = 0; v < VARIANTS; v++)
    for (uint64_t seed = 10; seed < 14; seed++) {
      struct gmmu_config c;
      struct rig *r = malloc(sizeof *r);
      variant(&c, v);
      rig_open(r, &c, seed);
      if (v >= 6) r->hot = 4;
      for (int n = 0; n < ROUNDS; n++) {
        uint64_t lo, hi, acks = r->acks;
        int asid = (int)gmmu_rng_below(&r->rng, (uint64_t)r->asids);
        int page = (int)gmmu_rng_below(&r->rng, (uint64_t)r->hot);
        traffic_for(r, (int)gmmu_rng_below(&r->rng, 400));
        rig_remember(r);
        change_a_pte(r, asid, page, &lo, &hi);
        r->pins.inv = (struct gmmu_inv_cmd){.valid = true,
                                            .kind = (int)gmmu_rng_below(&r->rng, 4),
                                            .asid = (uint16_t)asid,
                                            .lo_vfn = lo,
                                            .hi_vfn = hi};
        for (int i = 0; r->acks == acks; i++) {
          if (i > 20000) fail_msg("not acknowledged");
          rig_cycle(r);
        }
      }
      rig_drain(r);
      assert_int_equal(r->acks, ROUNDS);
      rig_close(r);
      free(r);
    }
}

/** Contexts and windows change at any time, memory fails: the scoreboard predicts every answer all
 * the same. */
static void memory_errors_and_context_changes(void **state) {
  (void)state;
  for (int v = 0; v < VARIANTS; v++) {
    struct gmmu_config c;
    struct rig *r = malloc(sizeof *r);
    variant(&c, v);
    rig_open(r, &c, 20 + (uint64_t)v);
    r->unchecked = true;
    r->pte.err_per_million = 50000;
    for (int n = 0; n < 60; n++) {
      struct gmmu_ctx *ctx = &r->env.ctx[gmmu_rng_below(&r->rng, (uint64_t)r->asids)];
      traffic_for(r, (int)gmmu_rng_below(&r->rng, 200));
      switch (gmmu_rng_below(&r->rng, 6)) {
        case 0: ctx->mode = (int)gmmu_rng_below(&r->rng, 4); break;
        case 1: ctx->ext ^= true; break;
        case 2: ctx->sum ^= true; break;
        case 3: ctx->mxr ^= true; break;
        case 4: r->env.win[gmmu_rng_below(&r->rng, 2)].hi_pfn ^= 0x800; break;
        default: r->pins.inv = (struct gmmu_inv_cmd){.valid = true, .asid = 1};
      }
      r->pins.env_changed = true;
    }
    rig_drain(r);
    rig_close(r);
    free(r);
  }
}

static void ideal_hits_always(void **state) {
  struct gmmu_config c;
  struct rig *r = malloc(sizeof *r);

  (void)state;
  gmmu_config_default(&c);
  c.NumSms = 3;
  c.Ideal = 1;
  rig_open(r, &c, 3);
  for (int i = 0; i < 2000; i++) {
    rig_cycle(r);
    if (r->answers) assert_int_equal(r->latency, 1);
    assert_false(r->pins.mem_req.valid);
  }
  assert_true(r->answers > 2000);
  rig_close(r);
  free(r);
}

static void same_inputs_same_outputs_after_reset(void **state) {
  struct gmmu_config c;
  struct rig *r = malloc(sizeof *r);
  uint64_t answers[2], faults[2];

  (void)state;
  variant(&c, 3);
  rig_open(r, &c, 9);
  for (int run = 0; run < 2; run++) {
    r->rng.s = 77;
    r->answers = r->faults = 0;
    traffic_for(r, 2000);
    rig_drain(r);
    answers[run] = r->answers;
    faults[run] = r->faults;
    gmmu_scoreboard_free(r->sb);
    r->sb = gmmu_scoreboard_new(&c, &r->env);
    r->dut.reset(r->dut.h, &r->pins);
    gmmu_pte_mem_init(&r->pte, r->mem, 20, 0, 9);
    r->pte.sample_late = true;
    r->cycle = 0;
  }
  assert_int_equal(answers[0], answers[1]);
  assert_int_equal(faults[0], faults[1]);
  rig_close(r);
  free(r);
}

/** Commands back to back, each offered as soon as the last one is taken: a request for a page that
 * they match is answered all the same. Its walk is made again once at most, and once more if the L1
 * asks again; the third command waits for it. */
static void progress_under_a_storm(void **state) {
  static const uint32_t latency[] = {1, 20, 60, 120, 500, 1000};
  static const int ready[] = {100, 30, 3};

  (void)state;
  for (int kind = 0; kind < 4; kind++)
    for (size_t l = 0; l < 6; l++)
      for (size_t k = 0; k < 3; k++) {
        struct gmmu_config c;
        struct rig *r = malloc(sizeof *r);
        struct gmmu_req q = {.asid = 1, .user = true, .access = GMMU_READ};
        uint64_t before, begin, acks;

        gmmu_config_default(&c);
        c.NumSms = 2;
        rig_open(r, &c, l + 1);
        r->pte.latency = latency[l];
        r->request_pct = 0;
        r->ready_pct = ready[k];
        q.va = r->va[1][l];
        for (int n = 0; n < 4; n++) {
          rig_present(r, 1, q, -1);
          before = r->answers;
          begin = r->cycle;
          acks = r->acks;
          while (r->answers == before && r->cycle - begin < 2000 + 3 * 4 * (latency[l] + 2ull)) {
            if (!r->pins.inv.valid)
              r->pins.inv = (struct gmmu_inv_cmd){.valid = true,
                                                  .kind = (uint8_t)kind,
                                                  .asid = 1,
                                                  .lo_vfn = q.va >> 12 | 511,
                                                  .hi_vfn = q.va >> 12 | 511};
            rig_cycle(r);
          }
          if (r->answers == before)
            fail_msg(
                "kind %d, memory latency %u, ready %d %%: no answer in %llu cycles, %llu commands",
                kind, latency[l], ready[k], (unsigned long long)(r->cycle - begin),
                (unsigned long long)(r->acks - acks));
          for (uint64_t end = r->cycle + 37 * (uint64_t)n; r->cycle < end;) rig_cycle(r);
        }
        rig_drain(r);
        rig_close(r);
        free(r);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(latencies_of_docs_top),
      cmocka_unit_test(hits_stream_one_per_cycle),
      cmocka_unit_test(random_traffic),
      cmocka_unit_test(no_stale_answer_after_acknowledgement),
      cmocka_unit_test(memory_errors_and_context_changes),
      cmocka_unit_test(ideal_hits_always),
      cmocka_unit_test(progress_under_a_storm),
      cmocka_unit_test(same_inputs_same_outputs_after_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
