/* SPDX-License-Identifier: Apache-2.0 */
/* Which blocks the device memory manager takes for dirty: signatures, and the heuristics around
 * them. */
#include "gdm_rig.h"

#include <openssl/evp.h>

/* Section 5.2: the hash of each thread's words, one by one. */
static void signatures(void **state) {
  (void)state;
  enum { BYTES = 5 * SIGN_CHUNK - 6, THREADS = 5 };
  uint8_t *data = malloc(BYTES + 8), *words = malloc(BYTES), got[THREADS * MD5_BYTES],
          want[MD5_BYTES];
  struct gmmu_rng rng = {3};
  for (size_t i = 0; i < BYTES + 8; i++) data[i] = i < BYTES ? (uint8_t)gmmu_rng_next(&rng) : 0;
  gdm_sign_bytes(data, BYTES, THREADS, got);
  for (unsigned t = 0; t < THREADS; t++) {
    size_t n = 0;
    for (size_t w = t; w * 4 < BYTES; w += THREADS, n += 4) memcpy(words + n, data + w * 4, 4);
    assert_int_equal(EVP_Digest(words, n, want, NULL, EVP_md5(), NULL), 1);
    assert_memory_equal(want, got + t * MD5_BYTES, MD5_BYTES);
  }
  free(data);
  free(words);
}

/* A block that a kernel only read goes without a transfer once it has a signature. */
static void clean_by_signature(void **state) {
  (void)state;
  for (int hw = 0; hw < 2; hw++) {
    struct gdm_config c = config(1);
    struct gdm_ctx *ctx;
    uint8_t data[BLOCK] = {1, 2, 3}, back[BLOCK];
    c.dirty = hw ? GDM_DIRTY_HW : GDM_DIRTY_SIGNATURE;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK), q = region(BLOCK);
    gdm_memcpy_htod(p, data, BLOCK);
    gdm_memcpy_htod(q, data, BLOCK);
    for (int round = 0; round < 3; round++) {
      assert_int_equal(run(&look, p, BLOCK), 0);
      assert_int_equal(run(&look, q, BLOCK), 0);
    }
    struct gdm_stats s = stats(g);
    assert_int_equal(s.evict_dirty, hw ? 0 : 2); /* the first time of each: no earlier signature */
    assert_int_equal(s.evict_clean, hw ? 5 : 3);
    assert_int_equal(run(&bump, p, 1), 0);
    assert_int_equal(run(&look, q, BLOCK), 0);
    assert_int_equal(stats(g).evict_dirty, s.evict_dirty + 1);
    assert_true(stats(g).evict_bytes - s.evict_bytes ==
                (hw ? PAGE : BLOCK + MD5_BYTES)); /* hw: the page that was written */
    assert_int_equal(gdm_memcpy_dtoh(back, p, BLOCK), 0);
    data[0]++;
    assert_memory_equal(back, data, BLOCK);
    finish(g);
  }
}

static void note_signed(void *bytes, const struct gdm_event *e) {
  if (e->kind == GDM_EVENT_SIGN) *(uint64_t *)bytes += e->bytes;
}

/* Uniformity: three signatures for an object of eight blocks that all change, eight for one that
 * does not. */
static void uniformity(void **state) {
  (void)state;
  for (int on = 0; on < 2; on++) {
    struct gdm_config c = config(8);
    struct gdm_ctx *ctx;
    uint64_t bytes = 0; /* of what the maintenance kernels say */
    c.uniformity = on;
    c.selection_factor = 1;
    c.event = note_signed;
    c.event_arg = &bytes;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(8 * BLOCK), q = region(8 * BLOCK);
    uint64_t a[16];
    for (int i = 0; i < 8; i++) a[2 * i] = p + (unsigned)i * BLOCK, a[2 * i + 1] = 1;
    for (int round = 0; round < 2; round++) {
      gdm_launch(round ? &bump : &look, a, 16, 1000, &p, 1);
      run(&look, q, 1);
    }
    struct gdm_stats s = stats(g);
    /* p first (8, never signed before), then q (8), then p: changed in every block */
    assert_int_equal(s.blocks_signed, 16 + (on ? 3 : 8));
    assert_int_equal(s.blocks_assumed, on ? 5 : 0);
    gdm_launch(&look, a, 16, 1000, &p, 1); /* q was read: no probe is dirty */
    gdm_synchronize();
    assert_int_equal(stats(g).blocks_signed, s.blocks_signed + 8);
    assert_int_equal(bytes, stats(g).blocks_signed * BLOCK);
    finish(g);
  }
}

/* A block that the application overwrites, or copies out, each time is signed only when it is
 * reached. */
static void expectations(void **state) {
  (void)state;
  uint8_t data[BLOCK] = {7}, back[BLOCK];
  for (int what = 0; what < 4; what++) { /* overwrite off, on; double transfer off, on */
    struct gdm_config c = config(6);
    struct gdm_ctx *ctx;
    c.overwrite = what == 1;
    c.double_transfer = what == 3;
    c.selection_factor = 1;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK), q = region(4 * BLOCK), o = region(BLOCK), r = region(BLOCK);
    for (int round = 0; round < 4; round++) {
      if (what < 2 || round == 0) gdm_memcpy_htod(p, data, BLOCK);
      assert_int_equal(run(&bump, p, 1), 0);
      if (what >= 2) gdm_memcpy_dtoh(back, p, BLOCK);
      assert_int_equal(run(&look, p, 1), 0);
    }
    run(&bump, q, 1); /* full: 1 + 4 */
    run(&bump, o, 1); /* 6 */
    uint64_t before = stats(g).blocks_signed;
    run(&bump, r, 1); /* one has to go; the COST section is all of them */
    struct gdm_stats s = stats(g);
    assert_int_equal(s.blocks_signed - before, what & 1 ? 5 : 6);
    assert_true(in(ctx, p) == (what & 1)); /* though it is the least recently used */
    assert_int_equal(s.overwritten, what < 2 ? 3 : 0);
    assert_int_equal(s.copied_out, what < 2 ? 0 : 4);
    finish(g);
  }
}

/* A block that was copied out is clean and goes first. */
static void copied_out_is_clean(void **state) {
  (void)state;
  for (int hw = 0; hw < 2; hw++) {
    struct gdm_config c = config(2);
    struct gdm_ctx *ctx;
    uint8_t back[BLOCK];
    c.selection_factor = 1;
    c.dirty = hw ? GDM_DIRTY_HW : GDM_DIRTY_SIGNATURE;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK), q = region(BLOCK), r = region(BLOCK);
    run(&bump, p, 1);
    run(&bump, q, 1);
    gdm_memcpy_dtoh(back, q, BLOCK);
    assert_int_equal(back[0], 1);
    run(&bump, r, 1);
    assert_true(in(ctx, p) && !in(ctx, q));
    assert_int_equal(stats(g).evict_dirty, 0);
    assert_true(stats(g).dtoh_bytes == (hw ? PAGE : BLOCK));
    finish(g);
  }
}

/* A partial copy over a dirty block goes by DMA before the next kernel, and over what is evicted
 * meanwhile. */
static void partial_copies(void **state) {
  (void)state;
  for (int evict = 0; evict < 2; evict++) {
    struct gdm_config c = config(1);
    struct gdm_ctx *ctx;
    uint8_t back[BLOCK], bytes[100];
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK), q = region(BLOCK);
    memset(bytes, 50, sizeof bytes);
    run(&bump, p, BLOCK);
    gdm_memcpy_htod(p + 10, bytes, 100);
    gdm_memcpy_htod(p + 60, bytes, 100); /* overlaps */
    gdm_memcpy_htod(p + 8000, bytes, 1);
    uint64_t before = stats(g).htod_bytes;
    if (evict) run(&bump, q, BLOCK);
    run(&bump, p, BLOCK);
    assert_true(evict || stats(g).htod_bytes - before == 151);
    gdm_memcpy_dtoh(back, p, BLOCK);
    for (unsigned i = 0; i < BLOCK; i++)
      assert_int_equal(back[i], (i >= 10 && i < 160) || i == 8000 ? 51 : 2);
    finish(g);
  }
}

/* A signature is void once the host has other bytes: contents that come back to what was signed
 * long ago are not clean. */
static void set_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b = (uint8_t)a[1];
  (void)n;
  gdm_store(x, a[0], &b, 1);
}

/* p is dirty when q takes its place, and holds `data` when it is copied out. */
static void goes_out_dirty(struct gdm *g, gdm_ptr p, gdm_ptr q, const uint8_t *data) {
  uint8_t back[BLOCK];
  uint64_t dirty = stats(g).evict_dirty;
  assert_int_equal(run(&look, q, 1), 0);
  assert_int_equal(stats(g).evict_dirty, dirty + 1);
  assert_int_equal(gdm_memcpy_dtoh(back, p, BLOCK), 0);
  assert_memory_equal(back, data, BLOCK);
}

static void a_void_signature(void **state) {
  static const struct gdm_kernel set = {"set", set_kernel};
  (void)state;
  struct gdm_config c = config(1);
  struct gdm_ctx *ctx;
  uint8_t data[BLOCK] = {7, 7}, other = 8;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(BLOCK), q = region(BLOCK);
  gdm_memcpy_htod(p, data, BLOCK);
  assert_int_equal(run(&look, p, 1), 0);
  assert_int_equal(run(&look, q, 1), 0); /* p goes out with its signature */
  assert_int_equal(run(&look, p, 1), 0);
  gdm_memcpy_htod(p, &other, 1); /* only a part: goes by DMA, the signature is void */
  assert_int_equal(run(&look, p, 1), 0);
  uint64_t a[2] = {p, 7};
  assert_int_equal(gdm_launch(&set, a, 2, 1000, &p, 1),
                   0); /* as it was when it was signed; the host's copy is not */
  assert_int_equal(gdm_synchronize(), 0);
  goes_out_dirty(g, p, q, data);
  finish(g);
}

/* So is it when the block was copied out with other bytes. */
static void copied_out_voids_a_signature(void **state) {
  static const struct gdm_kernel set = {"set", set_kernel};
  (void)state;
  struct gdm_config c = config(1);
  struct gdm_ctx *ctx;
  uint8_t data[BLOCK] = {7}, back[BLOCK];
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(BLOCK), q = region(BLOCK);
  gdm_memcpy_htod(p, data, BLOCK);
  assert_int_equal(run(&look, p, 1), 0);
  assert_int_equal(run(&look, q, 1), 0); /* p goes out with its signature */
  for (int i = 0; i < 2; i++) {          /* another value, copied out; then the signed one */
    uint64_t a[2] = {p, i ? 7 : 8};
    assert_int_equal(gdm_launch(&set, a, 2, 1000, &p, 1), 0);
    if (i == 0) assert_int_equal(gdm_memcpy_dtoh(back, p, BLOCK), 0);
    if (i == 0) assert_int_equal(back[0], 8);
  }
  assert_int_equal(gdm_synchronize(), 0);
  goes_out_dirty(g, p, q, data);
  finish(g);
}

/* A signature of what a block held before a kernel wrote to it is none of what is there now, also
 * where the block is only assumed to be dirty: contents that come back to it are written back. */
static void an_assumed_block_has_no_signature(void **state) {
  static const struct gdm_kernel set = {"set", set_kernel};
  (void)state;
  struct gdm_config c = config(8);
  struct gdm_ctx *ctx;
  uint8_t *data = calloc(8, BLOCK), *back = calloc(8, BLOCK);
  uint64_t all[16];
  c.selection_factor = 1;
  struct gdm *g = start(&c, &ctx);
  gdm_ptr p = region(8 * BLOCK), q = region(8 * BLOCK), r = region(BLOCK);
  for (unsigned i = 0; i < 8; i++) {
    data[i * BLOCK] = (uint8_t)(10 + i);
    all[2 * i] = p + i * BLOCK, all[2 * i + 1] = 1;
  }
  gdm_memcpy_htod(p, data, 8 * BLOCK);
  static const struct gdm_kernel *const kernel[] = {&look, &look, &bump, &look};
  for (int round = 0; round < 4; round++) {
    assert_int_equal(gdm_launch(kernel[round], all, 16, 1000, &p, 1), 0);
    for (unsigned i = 1; i < 7 && round == 3; i++) { /* all but first, middle and last */
      uint64_t a[2] = {p + i * BLOCK, 10 + i};
      if (i != 4) assert_int_equal(gdm_launch(&set, a, 2, 1000, &p, 1), 0);
    }
    if (round == 1) assert_int_equal(run(&look, r, 1), 0); /* one goes, all have been signed */
    else assert_int_equal(run(&look, q, 1), 0);
  }
  assert_true(stats(g).blocks_assumed > 0);
  assert_int_equal(gdm_memcpy_dtoh(back, p, 8 * BLOCK), 0);
  for (unsigned i = 0; i < 8; i++)
    assert_int_equal(back[i * BLOCK], 10 + i + (i == 0 || i == 4 || i == 7));
  free(data);
  free(back);
  finish(g);
}

/* Uniformity needs three probes that differ from an earlier signature: one that never had any is
 * dirty as well, and says nothing about the rest of its object. */
static void probes_without_an_earlier_signature(void **state) {
  static const unsigned probe[] = {0, 4, 7};
  (void)state;
  for (unsigned had = 0; had < 8; had++) { /* which of the probes had one */
    struct gdm_config c = config(8);
    struct gdm_ctx *ctx;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(8 * BLOCK);
    assert_int_equal(run(&look, p, 8 * BLOCK), 0);
    for (unsigned i = 0; i < 4; i++) {
      struct block *b = gdm_block_at(ctx, p + (i < 3 ? probe[i] : 2) * BLOCK);
      b->sig = calloc(1, MD5_BYTES); /* of other bytes */
      b->new_sig = calloc(1, MD5_BYTES);
      assert_true(b->sig && b->new_sig && b->status == STATUS_UNKNOWN);
      b->sig_valid = i == 3 || (had >> i & 1);
      gdm_forget(g, b);
      b->in_cost = true;
      gdm_list_top(&g->cost, b);
      if (i == 2) { /* the probes are signed before the last one is looked at */
        gdm_sign_refill(g);
        gdm_pump(g);
        gdm_cpu(1000000);
        assert_int_equal(stats(g).blocks_signed, 3);
      } else if (i == 3) {
        gdm_sign_refill(g);
        assert_int_equal(b->signing, had != 7);
        assert_int_equal(b->status, had == 7 ? STATUS_DIRTY : STATUS_UNKNOWN);
        assert_int_equal(stats(g).blocks_assumed, had == 7);
      }
    }
    gdm_pump(g);
    gdm_cpu(1000000);
    assert_int_equal(stats(g).blocks_signed, had == 7 ? 3 : 4);
    finish(g);
  }
}

/* A signature that is not wanted any more, while it waits for a maintenance kernel or while one
 * computes it: the others come, in their order, and this one says nothing. */
static void unwanted_signatures(void **state) {
  (void)state;
  for (int which = 0; which < 3; which++)
    for (int started = 0; started < 2; started++) {
      struct gdm_config c = config(4);
      struct gdm_ctx *ctx;
      struct block *b[3];
      c.kernel_engines = 2;
      struct gdm *g = start(&c, &ctx);
      for (int i = 0; i < 3; i++) {
        gdm_ptr p = region(BLOCK);
        assert_int_equal(run(&look, p, 1), 0);
        b[i] = gdm_block_at(ctx, p);
      }
      for (int i = 0; i < 3; i++) gdm_want_sign(g, b[i]); /* the last kernel made all unknown */
      if (started) gdm_pump(g);
      assert_int_equal(g->num_to_sign, started ? 0 : 3);
      for (int twice = 0; twice < 2; twice++) gdm_unwant_sign(g, b[which]);
      for (int i = 0; i < 3; i++) assert_int_equal(b[i]->signing, i != which);
      assert_int_equal(g->num_to_sign, started ? 0 : 2);
      for (int i = 0, n = 0; i < 3 && !started; i++)
        if (i != which) assert_ptr_equal(g->to_sign[n++], b[i]);
      gdm_pump(g);
      gdm_cpu(1000000);
      assert_int_equal(stats(g).blocks_signed, 2);
      for (int i = 0; i < 3; i++) {
        assert_int_equal(b[i]->new_valid, i != which);
        assert_int_equal(b[i]->status, i != which ? STATUS_DIRTY : STATUS_UNKNOWN);
      }
      finish(g);
    }
}

/* hw, with the COST section in use: p[0] has gone from it, p[1] is its bottom, p[2] above it. q is
 * of another context, as is the block that `next_goes` makes room for. */
struct full {
  struct gdm *g;
  struct gdm_ctx *ctx, *other;
  gdm_ptr p[4], r;
};
static struct full full_device(void) {
  struct full f;
  struct gdm_config c = config(4);
  c.dirty = GDM_DIRTY_HW;
  c.selection_factor = 1;
  f.g = start(&c, &f.ctx);
  for (int i = 0; i < 4; i++) f.p[i] = region(BLOCK);
  for (int i = 0; i < 4; i++) assert_int_equal(run(&look, f.p[i], 1), 0);
  assert_int_equal(gdm_ctx_create(&f.other, 0, f.g), 0);
  gdm_ptr q = region(BLOCK);
  f.r = region(BLOCK);
  assert_int_equal(run(&look, q, 1), 0);
  assert_true(!in(f.ctx, f.p[0]) && in(f.ctx, f.p[1]) && in(f.ctx, f.p[2]) && in(f.ctx, f.p[3]));
  gdm_ctx_set_current(f.ctx);
  return f;
}
static void next_goes(struct full *f, int which) {
  gdm_ctx_set_current(f->other);
  assert_int_equal(run(&look, f->r, 1), 0);
  gdm_ctx_set_current(f->ctx);
  assert_int_equal(gdm_synchronize(), 0);
  for (int i = 1; i < 4; i++) assert_int_equal(in(f->ctx, f->p[i]), i != which);
  assert_int_equal(stats(f->g).evict_dirty, 0);
  finish(f->g);
}

static void writing_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  uint8_t b = 1;
  (void)n;
  if (a[0]) gdm_store(x, a[0], &b, 1);
  gdm_running(x, 1000000);
}
/* hw: while a kernel of their context runs blocks are not known to be clean, but D says which of
 * them are: a clean one goes before one that was written a moment ago. */
static void hw_known_while_a_kernel_runs(void **state) {
  static const struct gdm_kernel k = {"writes", writing_kernel};
  (void)state;
  for (int writes = 0; writes < 2; writes++) {
    struct full f = full_device();
    uint64_t a[1] = {writes ? f.p[1] : 0};
    assert_int_equal(gdm_launch(&k, a, 1, 1000, &f.p[3], 1), 0);
    gdm_cpu(100000);
    next_goes(&f, writes ? 2 : 1);
  }
}

/* What a kernel wants again leaves the COST section, whether it is accessed or not. */
static void wanted_again(void **state) {
  (void)state;
  for (int want = 1; want < 3; want++) {
    struct full f = full_device();
    assert_int_equal(run(&look, f.p[want], 0), 0);
    next_goes(&f, want == 1 ? 2 : 1);
  }
}

/* Accesses of a kernel on a core of the machine are not seen: it may write to what is loaded for
 * its context while it runs, but not to what is loaded for another one. */
static void core_kernel(struct gdm_exec *x, const uint64_t *a, unsigned n) {
  (void)a, (void)n;
  gdm_running(x, 1000000);
}
static void loaded_beside_a_core(void **state) {
  static const struct gdm_kernel core = {"core", core_kernel};
  (void)state;
  for (int own = 0; own < 2; own++) {
    struct gdm_config c = config(4);
    struct gdm_model *model = gdm_model_new(c.device_bytes, false);
    struct gdm_machine m;
    struct gdm_ctx *ctx, *other;
    uint8_t data[BLOCK] = {3};
    gdm_model_machine(model, &m);
    m.access = NULL;
    c.machine = &m;
    c.faults = c.prefetch = true;
    struct gdm *g = start(&c, &ctx);
    gdm_ptr p = region(BLOCK), q = region(BLOCK);
    assert_int_equal(gdm_launch(&core, &p, 1, 0, &p, 1), 0);
    gdm_cpu(100000); /* it runs */
    if (!own) {
      assert_int_equal(gdm_ctx_create(&other, 0, g), 0);
      q = region(BLOCK);
      assert_int_equal(gdm_memcpy_htod(q, data, BLOCK), 0); /* prefetched */
    } else {
      other = ctx;
      struct block *b = gdm_block_at(ctx, q);
      assert_true(gdm_load_step(g, &g->copy[0], b, true) == STEP_STARTED);
    }
    gdm_cpu(200000);
    assert_true(in(other, q) && g->engine[0].job == ENGINE_KERNEL);
    assert_int_equal(gdm_block_at(other, q)->status, own ? STATUS_UNKNOWN : STATUS_CLEAN);
    gdm_ctx_set_current(ctx);
    assert_int_equal(gdm_synchronize(), 0);
    finish(g);
    gdm_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(signatures),
                                     cmocka_unit_test(clean_by_signature),
                                     cmocka_unit_test(uniformity),
                                     cmocka_unit_test(expectations),
                                     cmocka_unit_test(copied_out_is_clean),
                                     cmocka_unit_test(partial_copies),
                                     cmocka_unit_test(a_void_signature),
                                     cmocka_unit_test(copied_out_voids_a_signature),
                                     cmocka_unit_test(an_assumed_block_has_no_signature),
                                     cmocka_unit_test(probes_without_an_earlier_signature),
                                     cmocka_unit_test(unwanted_signatures),
                                     cmocka_unit_test(loaded_beside_a_core),
                                     cmocka_unit_test(hw_known_while_a_kernel_runs),
                                     cmocka_unit_test(wanted_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
