/* SPDX-License-Identifier: Apache-2.0 */
/** ap_races.c - ActivePointers as machine code of the SIMT core: two warps of a block, one of them
 * held where the other one changes what it has just looked at; pages of two files; positions above
 * 4 GiB. Looks at all count words as ap_script.c. SIMT_PROGRAM: script.elf; SIMT_FORM: its form,
 * long or short. */
#include "script_rig.h"
#include "simt/ap_host.h"

static const uint32_t tlbs[] = {0, 1, 8};
#define EACH_TLB(i) for (uint32_t i = 0; i < sizeof tlbs / sizeof *tlbs; i++)

static void load4(struct rig *r, uint32_t list, uint32_t p, uint64_t from) {
  uint32_t a = s_load(r, list, p, 4), v;
  for (uint32_t l = 0; l < L; l++) {
    memcpy(&v, r->content + from + l * 4, 4);
    expect(a + l * 16, v, "load");
  }
}

static const struct apd_system *sys(const struct rig *r) {
  return (const struct apd_system *)(r->mem + simt_ap_system(r->h));
}

/* Both warps go up to `ready`. Then warp 1 goes until it has looked, and warp 0 up to `changed`. */
static struct {
  enum { PREPARE, LOOKS, CHANGES, ANSWERS } stage;
  uint32_t ready[2], changed;
} race;

static uint32_t s_mark(struct rig *r, uint32_t list) {
  uint32_t a = s_simple(r, list, S_DEAD, 0, 0, 0)->result = room(r);
  expect_all(a, 0, "block");
  return a;
}

static void only(struct rig *r, uint32_t warp) {
  simt_hold(r->s, warp, false);
  simt_hold(r->s, !warp, true);
}

static void race_stepped(struct rig *r) {
  if (race.stage == PREPARE) {
    bool ready[2];
    for (uint32_t w = 0; w < 2; w++) simt_hold(r->s, w, ready[w] = word(r, race.ready[w]) == 0);
    if (ready[0] && ready[1]) race.stage = LOOKS, only(r, 1);
  }
  if (race.stage == CHANGES && word(r, race.changed) == 0) {
    race.stage = ANSWERS;
    simt_hold(r->s, 1, false);
  }
}

static void looked(struct rig *r) {
  if (race.stage != LOOKS || r->slot != 1) return;
  race.stage = CHANGES;
  only(r, 0);
}

/* The page is not there, and the warp turns to the clock. */
static void hand_looked(struct rig *r, uint32_t address, uint32_t bytes, bool write) {
  (void)bytes, (void)write;
  if (r->mem + address == (const uint8_t *)&sys(r)->hand) looked(r);
}

/* Warp 0 takes the last frame for the page that warp 1 wants too, and stays linked to it: it is
 * warp 1's as well, and no error. */
static void test_last_frame(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start(&r, 4 * PAGE,
          (struct simt_ap_config){.frames = 2, .tlb_entries = tlbs[i], .retry_limit = 3}, i);
    r.looked = hand_looked, r.stepped = race_stepped, race.stage = PREPARE;
    for (uint32_t w = 0; w < 2; w++) {
      s_open(&r, w, 0, APD_READ, APD_OK);
      for (uint32_t p = 0; p < 2; p++) {
        s_map(&r, w, p, 0, APD_READ, PAGE, p * PAGE, APD_OK);
        s_add(&r, w, p, 0, 4);
        if (w == 0) load4(&r, 0, p, p * PAGE);
        if (w == p) race.ready[w] = s_mark(&r, w);
      }
    }
    race.changed = s_mark(&r, 0);
    load4(&r, 1, 1, PAGE);
    for (uint32_t w = 0; w < 2; w++) s_simple(&r, w, S_BAR, 0, 0, 0);
    assert_int_equal(run_lists(&r, 1, 2), 0);
    assert_int_equal(race.stage, ANSWERS);
    assert_int_equal(simt_ap_counts(r.h)->reads, 2);
    assert_int_equal(sys(&r)->pressure, 0);
    end(&r);
  }
}

/* Warp 1 found its page in the block's TLB and is about to load the entry's count (its word 3). */
static void tlb_executes(void *context, uint32_t slot, uint32_t pc, uint32_t instruction,
                         uint32_t mask) {
  struct rig *r = context;
  (void)pc;
  r->slot = slot;
  if ((instruction & 0x707f) != 0x2003 || !mask) return; /* lw */
  uint32_t lane = (uint32_t)__builtin_ctz(mask);
  if (simt_lane_regs(r->s, slot, lane)[instruction >> 15 & 31] +
          (uint32_t)((int32_t)instruction >> 20) ==
      0xe0000000 + APD_SCRATCH_WORDS * 4 + 12)
    looked(r);
}

/* Before it counts, warp 0 puts another page there: the count is taken back. */
static void test_entry_replaced(void **state) {
  (void)state;
  for (uint32_t linked = 0; linked < 2; linked++) {
    struct rig r;
    start(&r, 4 * PAGE, (struct simt_ap_config){.frames = 4, .tlb_entries = 1}, 1);
    simt_trace(r.s, tlb_executes, &r);
    r.stepped = race_stepped, race.stage = PREPARE;
    for (uint32_t w = 0; w < 2; w++) {
      s_open(&r, w, 0, APD_READ, APD_OK);
      s_map(&r, w, 0, 0, APD_READ, 4 * PAGE, 0, APD_OK);
      s_add(&r, w, 0, 0, 4);
    }
    load4(&r, 0, 0, 0);
    s_add(&r, 0, 0, PAGE, 0);
    for (uint32_t w = 0; w < 2; w++) race.ready[w] = s_mark(&r, w);
    load4(&r, 0, 0, PAGE);
    if (!linked) s_simple(&r, 0, S_CLOSE, 0, 0, 0);
    race.changed = s_mark(&r, 0);
    load4(&r, 1, 0, 0);
    for (uint32_t w = 0; w < 2; w++) s_simple(&r, w, S_BAR, 0, 0, 0);
    assert_int_equal(run_lists(&r, 1, 2), 0);
    assert_int_equal(race.stage, ANSWERS);
    end(&r);
  }
}

/* Pages of two files with the same number are two pages: in the hash table (of two buckets) and in
 * a TLB, linked or not. */
static void test_two_files(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    char other[] = "/tmp/gmmu-simt-XXXXXX";
    start(&r, 8 * PAGE,
          (struct simt_ap_config){.frames = 2, .bucket_factor = 1, .tlb_entries = tlbs[i]}, i);
    uint8_t *data = malloc(8 * PAGE);
    for (uint32_t k = 0; k < 8 * PAGE; k++) data[k] = (uint8_t)~r.content[k];
    int fd = mkstemp(other);
    assert_true(fd >= 0 && write(fd, data, 8 * PAGE) == 8 * PAGE);
    close(fd);
    uint32_t at = simt_ap_heap(r.h, 4096);
    strcpy((char *)r.mem + at, other);
    s_open(&r, 0, 0, APD_READ, APD_OK);
    struct script_op *o = s_simple(&r, 0, S_OPEN, 1, 0, at);
    o->prot = APD_READ, o->result = room(&r);
    expect_all(o->result, APD_OK, "open");
    for (uint32_t k = 0; k < 16; k++) { /* the first time the other file's page is linked */
      uint8_t *mine = r.content;
      for (uint32_t f = 0; f < 2; f++) {
        s_map(&r, 0, f, f, APD_READ, PAGE, k / 2 * PAGE, APD_OK);
        s_add(&r, 0, f, 0, 4);
        r.content = f ? data : mine;
        load4(&r, 0, f, k / 2 * PAGE);
        if (k % 2) s_simple(&r, 0, S_CLOSE, f, 0, 0);
      }
      r.content = mine;
      for (uint32_t f = 0; f < 2; f++) s_simple(&r, 0, S_CLOSE, f, 0, 0);
    }
    assert_int_equal(run_lists(&r, 1, 1), 0);
    end(&r);
    unlink(other);
    free(data);
  }
}

/* A file with two pages of data above 4 GiB: positions, linked and not, bounds and the page's
 * number keep their upper bits, in pointers, mappings, requests and records. */
static void test_above_4_gib(void **state) {
  static const uint64_t far[] = {UINT64_C(5) << 32 | 0x7654000, (UINT64_C(1) << 40) - 4 * PAGE};
  (void)state;
  EACH_TLB(i)
  for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
    struct rig r;
    struct apd_record record = {0, 0, 0, APD_BOUNDS, 0, 0, 0, 0};
    uint64_t after = far[k] + 2 * PAGE - 128;
    uint32_t n;
    start(&r, 2 * PAGE, (struct simt_ap_config){.frames = 4, .tlb_entries = tlbs[i]}, i);
    int fd = open(r.path, O_WRONLY);
    for (uint32_t p = 0; p < 2; p++)
      assert_int_equal(pwrite(fd, r.content + (1 - p) * PAGE, PAGE, (off_t)far[k] + p * PAGE),
                       PAGE);
    close(fd);
    s_open(&r, 0, 0, APD_READ, APD_OK);
    s_map(&r, 0, 0, 0, APD_READ, 2 * PAGE - 128, far[k], APD_OK);
    s_map(&r, 0, 1, 0, APD_READ, far[k], 0, APD_OK); /* the same page number in 32 bits of bytes */
    s_add(&r, 0, 0, 0, 4);
    s_add(&r, 0, 1, (int64_t)(far[k] & 0xffffffff) % PAGE, 4);
    load4(&r, 0, 0, PAGE);
    load4(&r, 0, 1, 0);
    s_add(&r, 0, 0, PAGE, 0);
    load4(&r, 0, 0, 0);
    uint32_t a = s_simple(&r, 0, S_POSITION, 0, 0, 0)->result = room(&r);
    for (uint32_t l = 0; l < L; l++) {
      uint64_t at = far[k] + PAGE + l * 4;
      expect(a + l * 16, (uint32_t)at, "position");
      expect(a + l * 16 + 4, (uint32_t)(at >> 32), "position");
    }
    s_add(&r, 0, 0, PAGE - 128, 0); /* the mapping's end, linked through */
    s_load(&r, 0, 0, 4);
    assert_int_equal(run_lists(&r, 1, 1), 1);
    record.position_lo = (uint32_t)after, record.position_hi = (uint32_t)(after >> 32);
    const struct apd_record *got = simt_ap_records(r.h, &n);
    assert_memory_equal(got, &record, sizeof record);
    end(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_last_frame),
      cmocka_unit_test(test_entry_replaced),
      cmocka_unit_test(test_two_files),
      cmocka_unit_test(test_above_4_gib),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
