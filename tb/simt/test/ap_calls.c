/* SPDX-License-Identifier: Apache-2.0 */
/** ap_calls.c - ActivePointers as machine code of the SIMT core: GPUfs's gread against a plain copy
 * of the file's bytes; which pointers a TLB counts; gvmsync beside linked pages and beside a page
 * that is evicted and brought again. Looks at all count words as ap_script.c. SIMT_PROGRAM:
 * script.elf. SEED: of the random ranges. */
#include "script_rig.h"

static const uint32_t tlbs[] = {0, 1, 8};
#define EACH_TLB(i) for (uint32_t i = 0; i < sizeof tlbs / sizeof *tlbs; i++)

static uint32_t content_word(const struct rig *r, uint64_t from) {
  uint32_t v;
  memcpy(&v, r->content + from, 4);
  return v;
}

/* Lane l loads 4 bytes at from + l * step. */
static void load4(struct rig *r, uint32_t list, uint32_t p, uint64_t from, uint64_t step) {
  uint32_t a = s_load(r, list, p, 4);
  for (uint32_t l = 0; l < L; l++) expect(a + l * 16, content_word(r, from + l * step), "load");
}

/* Lane l stores a word of its own at from + l * 4, which the file should hold from now on. */
static void store4(struct rig *r, uint32_t list, uint32_t p, uint64_t from, uint8_t salt) {
  uint32_t data = s_simple(r, list, S_STORE, p, 0, 4)->data = room(r);
  for (uint32_t l = 0; l < L; l++)
    for (uint32_t k = 0; k < 4; k++)
      r->content[from + l * 4 + k] = r->mem[data + l * 16 + k] = (uint8_t)(l * 4 + k + salt);
}

/* ---------------------------------------- gread */

/* What buffers should hold once the lists have run: all of their room, so that a byte too many is
 * seen. */
struct read {
  uint32_t at, bytes;
  uint8_t *want;
};
static struct read reads[400];
static uint32_t num_reads;

/* The C plain result: n bytes of the file from `offset`, zeros behind its end; a page wholly behind
 * it is an error, and what lies before has been read. */
static enum apd_error plain_read(const struct rig *r, uint64_t offset, uint32_t n, uint8_t *to) {
  for (uint32_t i = 0; i < n; i++) {
    uint64_t at = offset + i;
    if (at / PAGE * PAGE >= r->content_bytes) return APD_EOF;
    to[i] = at < r->content_bytes ? r->content[at] : 0;
  }
  return APD_OK;
}

static void s_gread_of(struct rig *r, uint32_t list, uint32_t file, uint64_t offset, uint32_t n,
                       uint32_t skew, uint32_t mask, enum apd_error error, bool moves) {
  struct script_op *o = s_simple(r, list, S_GREAD, 0, 0, file);
  struct read *x = &reads[num_reads++];
  assert_true(num_reads <= sizeof reads / sizeof *reads);
  x->bytes = skew + n + 32;
  x->at = simt_ap_heap(r->h, x->bytes);
  x->want = malloc(x->bytes);
  assert_true(x->at && x->want);
  memset(r->mem + x->at, 0x5a, x->bytes);
  memset(x->want, 0x5a, x->bytes);
  if (moves) assert_int_equal(plain_read(r, offset, n, x->want + skew), error);
  o->data = x->at + skew, o->size_lo = n, o->mask = mask;
  o->offset_lo = (uint32_t)offset, o->offset_hi = (uint32_t)(offset >> 32);
  o->result = room(r);
  for (uint32_t l = 0; l < L; l++)
    if (mask >> l & 1) expect(o->result + l * 16, error, "gread");
}
static void s_gread(struct rig *r, uint32_t list, uint64_t offset, uint32_t n, uint32_t skew,
                    uint32_t mask) {
  uint8_t *to = malloc(n + 1);
  enum apd_error e = plain_read(r, offset, n, to);
  free(to);
  s_gread_of(r, list, 0, offset, n, skew, mask, e, true);
}

static void check_reads(struct rig *r) {
  for (uint32_t i = 0; i < num_reads; i++) {
    for (uint32_t k = 0; k < reads[i].bytes; k++)
      if (r->mem[reads[i].at + k] != reads[i].want[k])
        fail_msg("gread %u, byte %u of %u: %02x, expected %02x", i, k, reads[i].bytes,
                 r->mem[reads[i].at + k], reads[i].want[k]);
    free(reads[i].want);
  }
  num_reads = 0;
}

static void test_gread(void **state) {
  static const uint32_t sizes[] = {0, 1, 3, 4, 7, 8, 31, 128, 257, 1024, 4095, 4096, 4097, 9000};
  static const uint32_t masks[] = {ALL, 1u << 13, 0x0f0f00f1};
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start(&r, 6 * PAGE + 1234, (struct simt_ap_config){.frames = 4, .tlb_entries = tlbs[i]}, i);
    s_open(&r, 0, 0, APD_READ, APD_OK);
    for (uint32_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (uint32_t odd = 0; odd < 3; odd++)
        s_gread(&r, 0, (k * 37 + odd * 2041) & ~(odd ? 0u : 7u), sizes[k], odd * (k % 5 + 1),
                masks[k % 3]);
    for (uint32_t skew = 0; skew < 8; skew++) /* each alignment against each */
      for (uint32_t odd = 0; odd < 8; odd++) s_gread(&r, 0, PAGE - 20 + odd, 45, skew, ALL);
    s_gread(&r, 0, 6 * PAGE + 1200, 100, 3, ALL); /* the file's end inside its last page */
    s_gread(&r, 0, 6 * PAGE + 1300, 64, 0, ALL);  /* behind it, in that page */
    s_gread(&r, 0, 5 * PAGE + 100, 9000, 1, ALL); /* a page wholly behind it */
    s_gread(&r, 0, 7 * PAGE, 4, 0, ALL);
    s_gread(&r, 0, (UINT64_C(1) << 40) - 9, 4, 0, ALL); /* the short form's last */
    s_gread_of(&r, 0, 0, UINT64_C(1) << 60, 4, 0, ALL, APD_INVALID, false);
    s_gread_of(&r, 0, 0, UINT64_MAX - 1, 4, 0, ALL, APD_INVALID, false);
    s_gread_of(&r, 0, 1, 0, 4, 0, ALL, APD_INVALID, false); /* no such file */
    s_gread(&r, 0, 0, 64, 0, ALL);                          /* errors end nothing */
    /* Into the scratchpad. */
    struct script_op *o = s_simple(&r, 0, S_GREAD, 0, 0, 0);
    o->data = 0xe0000000 + 513, o->size_lo = 333, o->offset_lo = 2 * PAGE - 100;
    assert_int_equal(run_lists(&r, 1, 1), 0);
    check_reads(&r);
    assert_memory_equal(simt_scratch(r.s, 0) + 513, r.content + 2 * PAGE - 100, 333);
    /* The file shrinks while it is open: what is cached stays, the rest is an error, not a hang. */
    assert_int_equal(truncate(r.path, PAGE), 0);
    struct gmmu_err err;
    must(simt_ap_drop(r.h, &err), &err);
    r.content_bytes = PAGE, r.ops[0] = 0;
    s_open(&r, 0, 0, APD_READ, APD_OK);
    s_gread(&r, 0, PAGE - 50, 100, 2, ALL);
    s_gread(&r, 0, 3 * PAGE, 1, 0, ALL);
    assert_int_equal(run_lists(&r, 1, 1), 0);
    check_reads(&r);
    end(&r);
  }
}

/* It sees what pointers stored and nobody wrote back; with all frames linked it is the defined
 * error, and the block goes on. */
static void test_gread_beside_pointers(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start(&r, 8 * PAGE, (struct simt_ap_config){.frames = 2, .tlb_entries = tlbs[i]}, i);
    s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
    for (uint32_t p = 0; p < 2; p++) {
      s_map(&r, 0, p, 0, APD_READ | APD_WRITE, PAGE, p * PAGE, APD_OK);
      s_add(&r, 0, p, 0, 4);
      store4(&r, 0, p, p * PAGE, (uint8_t)(77 * p));
    }
    s_gread(&r, 0, 1, 2 * PAGE - 2, 3, ALL);
    s_gread_of(&r, 0, 0, 5 * PAGE, 8, 0, ALL, APD_NO_PAGE, false);
    s_simple(&r, 0, S_CLOSE, 0, 0, 0);
    s_gread(&r, 0, 5 * PAGE, 800, 0, ALL);
    load4(&r, 0, 1, PAGE, 4);
    assert_int_equal(run_lists(&r, 1, 1), 0);
    check_reads(&r);
    end(&r);
  }
}

/* Ranges drawn by seed, of 8 warps in 2 blocks on few frames, warps held back at times. */
static void test_gread_random(void **state) {
  uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1;
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start_starved(&r, 20 * PAGE + 777,
                  (struct simt_ap_config){.frames = 8,
                                          .bucket_factor = i ? 16 : 1,
                                          .tlb_entries = tlbs[i],
                                          .slots = 4,
                                          .latency = 200,
                                          .retry_limit = 100000},
                  seed * 7 + i, i == 1 ? 0 : 300);
    for (uint32_t w = 0; w < 8; w++) {
      s_open(&r, w, 0, APD_READ, APD_OK);
      for (uint32_t k = 0; k < 12; k++) {
        uint32_t n = draw(&r, draw(&r, 4) ? 200 : 3 * PAGE);
        uint64_t offset = draw(&r, 8) ? draw(&r, 19 * PAGE) : 20 * PAGE + 777 - draw(&r, 300);
        s_gread(&r, w, offset, n, draw(&r, 16), draw(&r, 4) ? ALL : 1u << draw(&r, 32) | 0x80001);
      }
    }
    assert_int_equal(run_lists(&r, 2, 4), 0);
    check_reads(&r);
    end(&r);
  }
}

/* ---------------------------------------- the TLB's pointers */

static void expect_in_tlb(struct rig *r, uint32_t p, uint32_t mask) {
  uint32_t a = s_simple(r, 0, S_IN_TLB, p, 0, 0)->result = room(r);
  for (uint32_t l = 0; l < L; l++) expect(a + l * 16, mask >> l & 1, "counted in the TLB");
}

/* Global pointers never use it: not when their page is brought, nor when it holds the page; lanes
 * of both kinds on one page are two groups. */
static void test_global(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    uint32_t counted = tlbs[i] ? ALL : 0;
    start(&r, 4 * PAGE, (struct simt_ap_config){.frames = 4, .tlb_entries = tlbs[i]}, i);
    s_open(&r, 0, 0, APD_READ, APD_OK);
    s_map(&r, 0, 0, 0, APD_READ, 4 * PAGE, 0, APD_OK);
    s_simple(&r, 0, S_GLOBAL, 0, 0, 1);
    s_add(&r, 0, 0, 0, 4);
    load4(&r, 0, 0, 0, 4);
    expect_in_tlb(&r, 0, 0);
    s_simple(&r, 0, S_ASSIGN, 1, 0, 0); /* of this block, whatever its source is */
    load4(&r, 0, 1, 0, 4);
    expect_in_tlb(&r, 1, counted);
    s_simple(&r, 0, S_GLOBAL, 2, 0, 1);
    s_simple(&r, 0, S_ASSIGN, 2, 1, 0);
    load4(&r, 0, 2, 0, 4);
    expect_in_tlb(&r, 2, 0);
    s_simple(&r, 0, S_GLOBAL, 3, 0, 1)->mask = 0x00ff5555;
    s_simple(&r, 0, S_ASSIGN, 3, 1, 0);
    s_add(&r, 0, 3, PAGE, 0);
    load4(&r, 0, 3, PAGE, 4);
    /* One entry holds page 0, which is linked. */
    expect_in_tlb(&r, 3, tlbs[i] == 1 ? 0 : counted & ~0x00ff5555u);
    s_simple(&r, 0, S_CLOSE, 1, 0, 0);
    s_simple(&r, 0, S_ASSIGN, 3, 0, 0);
    load4(&r, 0, 3, 0, 4);
    expect_in_tlb(&r, 3, counted & ~0x00ff5555u);
    assert_int_equal(run_lists(&r, 1, 1), 0);
    end(&r);
  }
}

/* ---------------------------------------- gvmsync */

/* A page that is linked stays dirty: its pointer stores again without a fault. What is linked no
 * more is clean once it was written. */
static void test_sync_of_linked(void **state) {
  (void)state;
  EACH_TLB(i)
  for (uint32_t again = 0; again < 2; again++) {
    struct rig r;
    start(&r, 4 * PAGE, (struct simt_ap_config){.frames = 4, .tlb_entries = tlbs[i]}, i);
    s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
    s_map(&r, 0, 0, 0, APD_READ | APD_WRITE, 2 * PAGE, PAGE, APD_OK);
    s_add(&r, 0, 0, 0, 4);
    store4(&r, 0, 0, PAGE, 1);
    s_error(&r, 0, S_SYNC, 0, APD_OK, "sync");
    store4(&r, 0, 0, PAGE, 2);
    if (again) s_error(&r, 0, S_SYNC, 0, APD_OK, "sync while linked");
    s_simple(&r, 0, S_ASSIGN, 1, 0, 0);
    s_simple(&r, 0, S_CLOSE, 0, 0, 0);
    for (uint32_t n = 0; n < 2 * again; n++) s_error(&r, 0, S_SYNC, 1, APD_OK, "sync");
    assert_int_equal(run_lists(&r, 1, 1), 0);
    /* A TLB's entry keeps its reference, so for gvmsync the page stays in use. */
    assert_int_equal(simt_ap_counts(r.h)->writes, !again ? 1 : tlbs[i] ? 4 : 3);
    end(&r); /* the second store is in the file */
  }
}

/* gvmsync finds its page dirty; before it takes its reference another warp evicts the page, whose
 * evictor writes it. `back`: and brings it again, so that its frame has the other page's bytes
 * then, which must not go to the file. Else the frame holds a page of another file, which cannot be
 * written and is no business of this mapping's. The warps are held where it matters. */
static struct {
  enum { TO_LOOK, EVICTING, RESUMED, DONE } stage;
  bool back;
  uint32_t synced, evicted; /* results behind gvmsync and behind the eviction */
} race;

static struct apd_frame *the_frame(const struct rig *r) {
  const struct apd_system *s = (const struct apd_system *)(r->mem + simt_ap_system(r->h));
  return (struct apd_frame *)(r->mem + s->frame);
}

static void race_looked(struct rig *r, uint32_t address, uint32_t bytes, bool write) {
  const struct apd_frame *f = the_frame(r);
  if (race.stage != TO_LOOK || r->slot != 0 || write || bytes != 4 || f->count ||
      r->mem + address != (uint8_t *)&f->dirty)
    return;
  assert_true(f->page == 1 && f->dirty);
  race.stage = EVICTING;
  simt_hold(r->s, 0, true);
  simt_hold(r->s, 1, false);
}

static void race_stepped(struct rig *r) {
  const struct apd_frame *f = the_frame(r);
  if (race.stage == TO_LOOK) simt_hold(r->s, 1, true);
  bool coming = f->page == 1 && f->state == APD_LOADING && (int32_t)f->count > 0;
  if (race.stage == EVICTING && (race.back ? coming : word(r, race.evicted) != 0xeeeeeeee)) {
    race.stage = RESUMED; /* coming: it has references, and the host was not asked for it yet */
    simt_hold(r->s, 1, true);
    simt_hold(r->s, 0, false);
  }
  if (race.stage == RESUMED && word(r, race.synced) != 0xeeeeeeee) {
    race.stage = DONE;
    simt_hold(r->s, 1, false);
  }
}

static uint32_t s_mark(struct rig *r, uint32_t list) {
  uint32_t a = s_simple(r, list, S_DEAD, 0, 0, 0)->result = room(r);
  expect_all(a, 0, "block");
  return a;
}

static void sync_beside_eviction(bool back) {
  struct rig r;
  start(&r, 8 * PAGE, (struct simt_ap_config){.frames = 1, .retry_limit = 1000}, 1);
  r.looked = race_looked, r.stepped = race_stepped;
  race.stage = TO_LOOK, race.back = back;
  s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ | APD_WRITE, PAGE, PAGE, APD_OK);
  s_add(&r, 0, 0, 0, 4);
  store4(&r, 0, 0, PAGE, 0xa5);
  s_simple(&r, 0, S_ASSIGN, 1, 0, 0);
  s_simple(&r, 0, S_CLOSE, 0, 0, 0);
  s_error(&r, 0, S_SYNC, 1, APD_OK, "sync");
  race.synced = s_mark(&r, 0);
  uint32_t other = simt_ap_heap(r.h, 4096);
  strcpy((char *)r.mem + other, back ? r.path : getenv("SIMT_PROGRAM"));
  struct script_op *o = s_simple(&r, 1, S_OPEN, 0, 0, other);
  o->prot = APD_READ, o->result = room(&r);
  expect_all(o->result, APD_OK, "open");
  s_map(&r, 1, 0, 0, APD_READ, PAGE, back ? 5 * PAGE : 0, APD_OK);
  s_add(&r, 1, 0, 0, 4);
  if (back) load4(&r, 1, 0, 5 * PAGE, 4);
  else s_load(&r, 1, 0, 4);
  s_simple(&r, 1, S_CLOSE, 0, 0, 0);
  race.evicted = s_mark(&r, 1);
  s_open(&r, 1, 1, APD_READ, APD_OK);
  s_map(&r, 1, 0, 1, APD_READ, 8 * PAGE, PAGE, APD_OK);
  s_add(&r, 1, 0, 0, 4);
  load4(&r, 1, 0, PAGE, 4);
  assert_int_equal(run_lists(&r, 2, 1), 0);
  assert_int_equal(race.stage, DONE);
  assert_int_equal(simt_ap_counts(r.h)->writes, 1);
  end(&r);
}

static void test_sync_beside_eviction(void **state) {
  (void)state;
  sync_beside_eviction(true);
  sync_beside_eviction(false);
}

/* Block 0 has found no frame with its page and owns an empty one for it; before it can enter that,
 * block 1 brings the page and begins to evict it. The page is in the table then, and cannot be
 * had: block 0 tries again. */
static enum { TO_OWN, BRINGING, ENTERING, ENTERED } entry;

static void entry_stepped(struct rig *r) {
  const struct apd_frame *f = the_frame(r);
  if (entry == TO_OWN) simt_hold(r->s, 1, true);
  if (entry == TO_OWN && f[0].count == APD_OWNED) {
    entry = BRINGING;
    simt_hold(r->s, 0, true);
    simt_hold(r->s, 1, false);
  }
  if (entry == BRINGING && f[1].count == APD_OWNED && f[1].page == 1 && f[1].state == APD_READY) {
    entry = ENTERING;
    simt_hold(r->s, 0, false);
    simt_hold(r->s, 1, true);
  }
  if (entry == ENTERING && (f[0].count == 0 || f[0].page == 1)) {
    entry = ENTERED;
    simt_hold(r->s, 1, false);
  }
}

static void test_evicted_before_entry(void **state) {
  struct rig r;
  (void)state;
  start(&r, 8 * PAGE, (struct simt_ap_config){.frames = 2, .retry_limit = 100000}, 1);
  r.stepped = entry_stepped;
  entry = TO_OWN;
  for (uint32_t w = 0; w < 2; w++) {
    s_open(&r, w, 0, APD_READ, APD_OK);
    s_map(&r, w, 0, 0, APD_READ, 8 * PAGE, 0, APD_OK);
    s_add(&r, w, 0, PAGE, 4);
    load4(&r, w, 0, PAGE, 4);
    s_add(&r, w, 0, PAGE, 0);
    load4(&r, w, 0, 2 * PAGE, 4);
  }
  assert_int_equal(run_lists(&r, 2, 1), 0);
  assert_int_equal(entry, ENTERED);
  end(&r);
}

/* ---------------------------------------- one interruption, anywhere */

/* Warp 0 links to a page; it is held once, behind its instruction `at`, while warp 1 links to
 * another page, whose place in the TLB or the page cache is the same. If warp 1 cannot go on
 * meanwhile, as warp 0 has what it waits for, warp 0 goes on. Run for each instruction. */
static struct {
  uint64_t at, done;         /* instructions of warp 0 */
  uint64_t patience;         /* of warp 1 */
  uint32_t begin[2], end[2]; /* results: of each warp, before and behind the load */
  enum { READY, RUNNING, HELD, LET_GO } stage;
} one;

static bool marked(const struct rig *r, uint32_t at) { return word(r, at) != 0xeeeeeeee; }

static void one_stepped(struct rig *r) {
  if (one.stage == READY) {
    for (uint32_t w = 0; w < 2; w++) simt_hold(r->s, w, marked(r, one.begin[w]));
    if (!marked(r, one.begin[0]) || !marked(r, one.begin[1])) return;
    simt_hold(r->s, 0, false);
    one.stage = RUNNING;
  } else if (one.stage == RUNNING && (one.done++ == one.at || marked(r, one.end[0]))) {
    one.stage = HELD;
    simt_hold(r->s, 0, true);
    simt_hold(r->s, 1, false);
  } else if (one.stage == HELD && (marked(r, one.end[1]) || !one.patience--)) {
    one.stage = LET_GO;
    simt_hold(r->s, 0, false);
  }
}

static void interrupted(struct simt_ap_config c, uint32_t blocks) {
  struct rig r;
  start(&r, 8 * PAGE, c, 1);
  r.stepped = one_stepped;
  for (uint64_t at = 0;; at++) {
    memset(&one, 0, sizeof one);
    one.at = at, one.patience = 5000;
    for (uint32_t w = 0; w < 2; w++) {
      s_open(&r, w, 0, APD_READ, APD_OK);
      s_map(&r, w, 0, 0, APD_READ, 8 * PAGE, PAGE, APD_OK);
      if (w == 0) s_load(&r, w, 0, 4);
      s_add(&r, w, 0, PAGE, 0);
      one.begin[w] = s_mark(&r, w);
      if (w == 0) s_add(&r, w, 0, -PAGE, 4);
      load4(&r, w, 0, (1 + w) * PAGE, w ? 0 : 4);
      one.end[w] = s_mark(&r, w);
      s_simple(&r, w, S_ASSIGN, 1, 0, 0);
      s_simple(&r, w, S_CLOSE, 0, 0, 0);
      s_error(&r, w, S_UNMAP, 1, APD_OK, "unmap");
    }
    assert_int_equal(run_lists(&r, blocks, 2 / blocks), 0);
    assert_int_equal(one.stage, LET_GO);
    if (one.done < at) break; /* it had ended before */
    memset(r.ops, 0, sizeof r.ops);
  }
  assert_true(one.done > 100);
  end(&r);
}

static void test_interrupted(void **state) {
  (void)state;
  interrupted((struct simt_ap_config){.frames = 4, .tlb_entries = 1}, 1);
  interrupted((struct simt_ap_config){.frames = 1, .bucket_factor = 1, .retry_limit = 1000000}, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gread),
      cmocka_unit_test(test_gread_beside_pointers),
      cmocka_unit_test(test_gread_random),
      cmocka_unit_test(test_global),
      cmocka_unit_test(test_sync_of_linked),
      cmocka_unit_test(test_sync_beside_eviction),
      cmocka_unit_test(test_evicted_before_entry),
      cmocka_unit_test(test_interrupted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
