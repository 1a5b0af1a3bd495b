/* SPDX-License-Identifier: Apache-2.0 */
/** ap_script.c - ActivePointers as machine code of the SIMT core, on its simulator: each rule by
 * hand, then random lists of several warps on few frames against plain memory, under many
 * interleavings. After each instruction all count words are looked at; after each launch counts are
 * 0, no page has two frames, the file holds what it should. SIMT_PROGRAM: script.elf. SEED, ROUNDS:
 * of the random test. */
#include "script_rig.h"

static const uint32_t tlbs[] = {0, 1, 8};
#define EACH_TLB(i) for (uint32_t i = 0; i < sizeof tlbs / sizeof *tlbs; i++)

static void expect_bytes(struct rig *r, uint32_t a, uint64_t from, uint64_t step, uint32_t bytes) {
  for (uint32_t l = 0; l < L; l++)
    for (uint32_t k = 0; k < bytes; k += 4) {
      uint32_t v = 0;
      memcpy(&v, r->content + from + l * step + k, bytes < 4 ? bytes : 4);
      expect(a + l * 16 + k, v, "load");
    }
}

static void expect_linked(struct rig *r, uint32_t p, uint32_t mask) {
  uint32_t a = s_simple(r, 0, S_LINKED, p, 0, 0)->result = room(r);
  for (uint32_t l = 0; l < L; l++) expect(a + l * 16, mask >> l & 1, "linked");
}

static void expect_position(struct rig *r, uint32_t p, int64_t base, int64_t step) {
  uint32_t a = s_simple(r, 0, S_POSITION, p, 0, 0)->result = room(r);
  for (uint32_t l = 0; l < L; l++) {
    int64_t v = base + (int64_t)l * step;
    expect(a + l * 16, (uint32_t)v, "position");
    expect(a + l * 16 + 4, (uint32_t)(v >> 32), "position");
  }
}

static void test_states(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start(&r, 8 * PAGE, (struct simt_ap_config){.frames = 8, .tlb_entries = tlbs[i]}, i);
    s_open(&r, 0, 0, APD_READ, APD_OK);
    s_map(&r, 0, 0, 0, APD_READ, 8 * PAGE, 0, APD_OK);
    expect_linked(&r, 0, 0); /* created unlinked */
    s_add(&r, 0, 0, 0, 4);
    expect_bytes(&r, s_load(&r, 0, 0, 4), 0, 4, 4);
    expect_linked(&r, 0, ALL);
    s_simple(&r, 0, S_ASSIGN, 1, 0, 0); /* a copy starts unlinked, its source stays linked */
    expect_linked(&r, 0, ALL);
    expect_linked(&r, 1, 0);
    expect_position(&r, 1, 0, 4);
    s_error(&r, 0, S_UNMAP, 0, APD_BUSY, "unmap while linked");
    expect_bytes(&r, s_load(&r, 0, 1, 4), 0, 4, 4);
    s_add(&r, 0, 1, 64, 0); /* within the page: stays */
    expect_linked(&r, 1, ALL);
    s_add(&r, 0, 1, PAGE - 128, 0); /* lanes 16.. leave it */
    expect_linked(&r, 1, 0xffff);
    expect_position(&r, 1, PAGE - 64, 4);
    expect_bytes(&r, s_load(&r, 0, 1, 4), PAGE - 64, 4, 4);
    expect_linked(&r, 1, ALL);
    s_simple(&r, 0, S_BROADCAST, 2, 1, 17);
    expect_position(&r, 2, PAGE + 4, 0);
    expect_linked(&r, 2, 0);
    expect_bytes(&r, s_load(&r, 0, 2, 4), PAGE + 4, 0, 4);
    s_simple(&r, 0, S_ASSIGN, 2, 0, 0); /* a linked target releases */
    expect_linked(&r, 2, 0);
    s_simple(&r, 0, S_CLOSE, 0, 0, 0);
    s_error(&r, 0, S_UNMAP, 1, APD_BUSY, "unmap while the copy is linked");
    s_simple(&r, 0, S_CLOSE, 1, 0, 0);
    s_error(&r, 0, S_UNMAP, 2, APD_OK, "unmap");
    s_error(&r, 0, S_UNMAP, 2, APD_UNMAPPED, "unmap again");
    s_map(&r, 0, 0, 0, APD_READ, PAGE, 0,
          APD_OK); /* the number in use again does not revive the old pointer */
    s_error(&r, 0, S_UNMAP, 2, APD_UNMAPPED, "unmap of the old one");
    assert_int_equal(run_lists(&r, 1, 1), 0);
    end(&r);
  }
}

static void test_widths(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start(&r, 16 * PAGE, (struct simt_ap_config){.frames = 16, .tlb_entries = tlbs[i]}, i);
    s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
    s_map(&r, 0, 0, 0, APD_READ | APD_WRITE, 15 * PAGE, 48, APD_OK); /* begins inside a page */
    s_add(&r, 0, 0, 0, 1072);
    for (uint32_t bytes = 16; bytes; bytes = bytes > 4 ? bytes / 2 : bytes == 4 ? 1 : 0) {
      expect_bytes(&r, s_load(&r, 0, 0, bytes), 48, 1072, bytes);
      uint32_t data = s_simple(&r, 0, S_STORE, 0, 0, bytes)->data = room(&r);
      for (uint32_t l = 0; l < L; l++)
        for (uint32_t k = 0; k < 16; k++) r.mem[data + l * 16 + k] = (uint8_t)(l * 16 + k + bytes);
      for (uint32_t l = 0; l < L; l++)
        memcpy(r.content + 48 + l * 1072, r.mem + data + l * 16, bytes);
      expect_bytes(&r, s_load(&r, 0, 0, bytes), 48, 1072, bytes);
    }
    s_map(&r, 0, 1, 0, APD_READ, 32 * 16, PAGE - 32,
          APD_OK); /* its last access ends where it ends */
    s_add(&r, 0, 1, 0, 16);
    expect_bytes(&r, s_load(&r, 0, 1, 16), PAGE - 32, 16, 16);
    s_error(&r, 0, S_SYNC, 0, APD_OK, "sync");
    s_simple(&r, 0, S_CLOSE, 0, 0, 0);
    s_simple(&r, 0, S_CLOSE, 1, 0, 0);
    /* Read through one mapping, so in the TLB and clean; then written through another. */
    s_map(&r, 0, 2, 0, APD_READ, PAGE, 15 * PAGE, APD_OK);
    s_add(&r, 0, 2, 0, 4);
    expect_bytes(&r, s_load(&r, 0, 2, 4), 15 * PAGE, 4, 4);
    s_map(&r, 0, 3, 0, APD_READ | APD_WRITE, PAGE, 15 * PAGE, APD_OK);
    s_add(&r, 0, 3, 0, 4);
    uint32_t late = s_simple(&r, 0, S_STORE, 3, 0, 4)->data = room(&r);
    for (uint32_t l = 0; l < L; l++)
      memcpy(r.content + 15 * PAGE + l * 4, r.mem + late + l * 16, 4);
    assert_int_equal(run_lists(&r, 1, 1), 0);
    assert_true(simt_ap_counts(r.h)->writes >= 9); /* its pages are in the file already */
    end(&r);
  }
}

/* Lanes of a warp on 32 pages: 32 frames do, 16 end in the defined error, with all released. */
static void test_32_pages(void **state) {
  (void)state;
  EACH_TLB(i) {
    for (uint32_t frames = 32; frames >= 16; frames /= 2) {
      struct rig r;
      start(&r, 32 * PAGE,
            (struct simt_ap_config){.frames = frames, .tlb_entries = tlbs[i], .bucket_factor = 1},
            i);
      for (uint32_t w = 0; w < 2; w++) {
        s_open(&r, w, 0, APD_READ, APD_OK);
        s_map(&r, w, 0, 0, APD_READ, 32 * PAGE, 0, APD_OK);
        s_add(&r, w, 0, 8, PAGE);
        uint32_t a = s_load(&r, w, 0, 4);
        if (frames == 32) expect_bytes(&r, a, 8, PAGE, 4);
      }
      uint32_t n = run_lists(&r, 1, 2);
      if (frames == 32) {
        assert_int_equal(n, 0);
      } else {
        assert_true(n >= 1);
        assert_int_equal(simt_ap_records(r.h, &n)->error, APD_NO_PAGE);
      }
      end(&r);
    }
  }
}

/* Block 1 of 3 goes wrong, the others go on; a record says who, where and why. */
static void check_error(uint32_t tlb, void (*wrong)(struct rig *r, uint32_t list),
                        enum apd_error error, uint32_t lane, int64_t position, bool write) {
  struct rig r;
  uint32_t n;
  start(&r, 4 * PAGE + 100, (struct simt_ap_config){.frames = 8, .tlb_entries = tlb}, 5);
  for (uint32_t b = 0; b < 3; b++) {
    s_open(&r, b, 0, APD_READ | APD_WRITE, APD_OK);
    s_map(&r, b, 0, 0, APD_READ, 3 * PAGE, PAGE + 64, APD_OK);
    s_add(&r, b, 0, 0, 16);
    expect_bytes(&r, s_load(&r, b, 0, 4), PAGE + 64, 16, 4);
    if (b == 1) wrong(&r, b);
    s_simple(&r, b, S_BAR, 0, 0, 0);
    uint32_t a = s_simple(&r, b, S_DEAD, 0, 0, 0)->result = room(&r);
    expect_all(a, b == 1, "end of the block");
    if (b != 1) expect_bytes(&r, s_load(&r, b, 0, 8), PAGE + 64, 16, 8);
  }
  n = run_lists(&r, 3, 1);
  assert_int_equal(n, 1);
  const struct apd_record *e = simt_ap_records(r.h, &n);
  assert_int_equal(e->error, error);
  assert_int_equal(e->block, 1);
  assert_int_equal(e->lane, lane);
  assert_int_equal((int64_t)((uint64_t)e->position_hi << 32 | e->position_lo), position);
  assert_int_equal(e->write, write);
  end(&r);
}

static void before(struct rig *r, uint32_t w) {
  s_add(r, w, 0, -32, 0);
  s_load(r, w, 0, 4);
}
static void before_far(struct rig *r, uint32_t w) {
  s_add(r, w, 0, -PAGE, 0);
  s_load(r, w, 0, 4);
}
static void behind(struct rig *r, uint32_t w) {
  s_add(r, w, 0, 3 * PAGE - 16 * 30, 0);
  s_load(r, w, 0, 4);
}
static void behind_linked(struct rig *r, uint32_t w) {
  s_add(r, w, 0, 3 * PAGE - 512, 0);
  s_load(r, w, 0, 4); /* the mapping's last words: linked */
  s_add(r, w, 0, 16, 0);
  s_load(r, w, 0, 4);
}
static void protected_page(struct rig *r, uint32_t w) {
  s_simple(r, w, S_STORE, 0, 0, 4)->data = room(r);
}
static void no_pointer(struct rig *r, uint32_t w) { s_load(r, w, 3, 4); }
static void no_pointer_moves(struct rig *r, uint32_t w) { s_add(r, w, 3, 4, 0); }
static void odd(struct rig *r, uint32_t w) {
  s_add(r, w, 0, 2, 0);
  s_load(r, w, 0, 4);
}
static void gone(struct rig *r, uint32_t w) {
  s_map(r, w, 1, 0, APD_READ, PAGE, 0, APD_OK);
  s_error(r, w, S_UNMAP, 1, APD_OK, "unmap");
  s_load(r, w, 1, 4);
}
static void gone_and_used(struct rig *r, uint32_t w) { /* its number is in use again */
  s_map(r, w, 1, 0, APD_READ, PAGE, 0, APD_OK);
  s_error(r, w, S_UNMAP, 1, APD_OK, "unmap");
  s_map(r, w, 2, 0, APD_READ, PAGE, 0, APD_OK);
  s_load(r, w, 1, 4);
}
static void behind_file(struct rig *r, uint32_t w) {
  s_map(r, w, 1, 0, APD_READ, 9 * PAGE, 0, APD_OK);
  s_add(r, w, 1, 5 * PAGE, 0);
  s_load(r, w, 1, 4);
}

static void test_errors(void **state) {
  (void)state;
  EACH_TLB(i) {
    check_error(tlbs[i], before, APD_BOUNDS, 0, PAGE + 32, false);
    check_error(tlbs[i], before_far, APD_BOUNDS, 0, 64, false);
    check_error(tlbs[i], behind, APD_BOUNDS, 30, 4 * PAGE + 64, false);
    check_error(tlbs[i], behind_linked, APD_BOUNDS, 31, 4 * PAGE + 64, false);
    check_error(tlbs[i], protected_page, APD_PERMISSION, 0, PAGE + 64, true);
    check_error(tlbs[i], no_pointer, APD_UNINITIALISED, 0, 0, false);
    check_error(tlbs[i], no_pointer_moves, APD_UNINITIALISED, 0, 0, false);
    check_error(tlbs[i], odd, APD_INVALID, 0, PAGE + 66, false);
    check_error(tlbs[i], gone, APD_UNMAPPED, 0, 0, false);
    check_error(tlbs[i], gone_and_used, APD_UNMAPPED, 0, 0, false);
    check_error(tlbs[i], behind_file, APD_EOF, 0, 5 * PAGE, false);
  }
}

static void test_calls(void **state) {
  struct rig r;
  (void)state;
  start(&r, 2 * PAGE, (struct simt_ap_config){.frames = 4}, 0);
  s_map(&r, 0, 0, 0, APD_READ, PAGE, 0, APD_INVALID); /* no file */
  s_open(&r, 0, 0, APD_READ, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ | APD_WRITE, PAGE, 0, APD_ACCESS);
  s_map(&r, 0, 0, 0, APD_READ, 0, 0, APD_INVALID);
  s_map(&r, 0, 0, 0, 0, PAGE, 0, APD_INVALID);
  s_map(&r, 0, 0, 0, APD_READ, UINT64_C(1) << 60, 0, APD_INVALID);
  s_error(&r, 0, S_UNMAP, 1, APD_UNINITIALISED, "unmap of nothing");
  s_error(&r, 0, S_SYNC, 1, APD_UNINITIALISED, "sync of nothing");
  s_open(&r, 0, 1, 0, APD_INVALID);
  struct script_op *o = s_simple(&r, 0, S_GMMAP, 0, 0, 0);
  o->prot = APD_READ, o->offset_lo = PAGE + 12, o->result = room(&r);
  uint32_t v;
  memcpy(&v, r.content + PAGE + 12, 4);
  expect_all(o->result, APD_OK, "gmmap");
  expect_all(o->result + 4, v, "word through gmmap");
  s_simple(&r, 0, S_GMUNMAP, 0, 0, 0);
  strcpy((char *)r.mem + r.path_at + 0, r.path);
  uint32_t missing = simt_ap_heap(r.h, 64);
  strcpy((char *)r.mem + missing, "/nonexistent/file");
  o = s_simple(&r, 0, S_OPEN, 2, 0, missing);
  o->prot = APD_READ, o->result = room(&r);
  expect_all(o->result, APD_NOT_FOUND, "open of a missing file");
  assert_int_equal(run_lists(&r, 1, 1), 1); /* recorded, and the block went on */
  uint32_t n;
  const struct apd_record *rec = simt_ap_records(r.h, &n);
  assert_true(rec->error == APD_NOT_FOUND && rec->file == UINT32_MAX && !rec->block && !rec->warp);
  end(&r);
}

/* The end of a file inside its last page reads as zeros and is not written; a file that shrank is
 * an error, not a hang. */
static void test_file_ends(void **state) {
  struct rig r;
  uint32_t n;
  (void)state;
  start(&r, 3 * PAGE + 64, (struct simt_ap_config){.frames = 4}, 0);
  s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ | APD_WRITE, 4 * PAGE, 0, APD_OK);
  s_add(&r, 0, 0, 3 * PAGE + 64, 4);
  expect_all(s_load(&r, 0, 0, 4), 0, "behind the end");
  uint32_t data = s_simple(&r, 0, S_STORE, 0, 0, 4)->data = room(&r);
  (void)data;
  assert_int_equal(run_lists(&r, 1, 1), 0);
  assert_int_equal(truncate(r.path, PAGE), 0);
  r.content_bytes = PAGE;
  r.ops[0] = 0;
  s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ, 4 * PAGE, 0, APD_OK);
  s_add(&r, 0, 0, PAGE + 64, 4);
  expect_all(s_load(&r, 0, 0, 4), 0, "page that is gone");
  assert_int_equal(run_lists(&r, 1, 1), 1);
  assert_int_equal(simt_ap_records(r.h, &n)->error, APD_EOF);
  end(&r);
}

/* ---------------------------------------- random */

enum { PAGES = 64, WINDOW = 6, STARVED_READS = 24 };

/* Pointers 0 to 2 of a warp as they should be; pointer 3 stays at the start of the file, unlinked.
 */
struct model {
  int64_t at[3][L];
  uint32_t window[WINDOW], warp, warps;
};

/* A place that only this warp uses: 16 bytes of a page of its window. */
static int64_t own_place(struct rig *r, struct model *m, uint32_t bytes) {
  uint32_t chunk = draw(r, PAGE / 16 / m->warps) * m->warps + m->warp;
  return (int64_t)m->window[draw(r, WINDOW)] * PAGE + chunk * 16 +
         (bytes < 16 ? draw(r, 16 / bytes) * bytes : 0);
}

static uint32_t some_lanes(struct rig *r) {
  uint32_t m = draw(r, UINT32_MAX) ^ draw(r, UINT32_MAX) << 5;
  return draw(r, 3)   ? ALL
         : draw(r, 4) ? m | UINT32_C(1) << draw(r, 32)
                      : UINT32_C(1) << draw(r, 32);
}

static void move_to(struct rig *r, struct model *m, uint32_t p, uint32_t bytes, uint32_t mask) {
  struct script_op *o = s_simple(r, m->warp, S_ADD, p, 0, 0);
  int64_t together = own_place(r, m, bytes);
  bool same = draw(r, 2);
  o->data = room(r), o->mask = mask;
  for (uint32_t l = 0; l < L; l++) {
    int64_t to = same ? together : own_place(r, m, bytes), d = to - m->at[p][l];
    memcpy(r->mem + o->data + l * 16, &d, 8);
    if (mask >> l & 1) m->at[p][l] = to;
  }
}

static void random_access(struct rig *r, struct model *m, uint32_t p, uint32_t bytes,
                          uint32_t mask) {
  bool write = draw(r, 2);
  struct script_op *o = s_simple(r, m->warp, write ? S_STORE : S_LOAD, p, 0, bytes);
  uint32_t a = room(r);
  o->mask = mask;
  if (write) o->data = a;
  else o->result = a;
  for (uint32_t l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    uint8_t *c = r->content + m->at[p][l];
    for (uint32_t k = 0; write && k < 16; k++) r->mem[a + l * 16 + k] = (uint8_t)draw(r, 256);
    if (write) {
      memcpy(c, r->mem + a + l * 16, bytes); /* lanes of one place: the highest wins */
      continue;
    }
    for (uint32_t k = 0; k < bytes; k += 4) {
      uint32_t v = 0;
      memcpy(&v, c + k, bytes < 4 ? bytes : 4);
      if (num_expected < 3900) expect(a + l * 16 + k, v, "random load");
    }
  }
}

static void new_window(struct rig *r, struct model *m) {
  for (uint32_t i = 0; i < WINDOW; i++) m->window[i] = draw(r, PAGES);
  for (uint32_t p = 0; p < 3; p++) {
    s_simple(r, m->warp, S_ASSIGN, p, 3, 0);
    for (uint32_t l = 0; l < L; l++) m->at[p][l] = 0;
    move_to(r, m, p, 16, ALL);
  }
}

static void random_list(struct rig *r, uint32_t warp, uint32_t warps, uint32_t ops) {
  static const uint32_t widths[] = {1, 4, 8, 16};
  struct model m = {.warp = warp, .warps = warps};
  s_open(r, warp, 0, APD_READ | APD_WRITE, APD_OK);
  s_map(r, warp, 3, 0, APD_READ | APD_WRITE, PAGES * PAGE, 0, APD_OK);
  for (uint32_t p = 0; p < 3; p++) s_simple(r, warp, S_GLOBAL, p, 0, p == 2);
  new_window(r, &m);
  for (uint32_t i = 0; i < ops; i++) {
    uint32_t p = draw(r, 3), q = draw(r, 3), mask = some_lanes(r), bytes = widths[draw(r, 4)];
    switch (draw(r, 12)) {
      case 0: new_window(r, &m); break;
      case 1:
        if (p == q) break;
        s_simple(r, warp, S_ASSIGN, p, q, 0)->mask = mask;
        for (uint32_t l = 0; l < L; l++) m.at[p][l] = mask >> l & 1 ? m.at[q][l] : m.at[p][l];
        break;
      case 2: {
        uint32_t from = (uint32_t)__builtin_ctz(mask);
        int64_t to = m.at[q][from];
        s_simple(r, warp, S_BROADCAST, p, q, from)->mask = mask;
        for (uint32_t l = 0; l < L; l++) m.at[p][l] = mask >> l & 1 ? to : m.at[p][l];
        break;
      }
      default:
        move_to(r, &m, p, bytes, ALL); /* aligned for this width */
        random_access(r, &m, p, bytes, mask);
    }
  }
}

static void test_random(void **state) {
  uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1,
           rounds = getenv("ROUNDS") ? strtoull(getenv("ROUNDS"), NULL, 0) : 9;
  (void)state;
  for (uint64_t i = 0; i < rounds; i++, seed++) {
    struct rig r;
    uint32_t warps = 1 + (uint32_t)(seed % 4);
    fprintf(stderr, "random lists: SEED=%llu ROUNDS=1, %u warps\n", (unsigned long long)seed,
            warps);
    start(&r, PAGES * PAGE,
          (struct simt_ap_config){.frames = 32,
                                  .tlb_entries = tlbs[seed % 3],
                                  .bucket_factor = seed % 2 ? 1 : 16,
                                  .slots = warps > 2 ? 2 : 4,
                                  .latency = seed % 7 * 300,
                                  .retry_limit = 100000},
          seed);
    for (uint32_t w = 0; w < warps; w++) random_list(&r, w, warps, 30);
    bool one = draw(&r, 2); /* one block, or one for each warp */
    assert_int_equal(run_lists(&r, one ? 1 : warps, one ? warps : 1), 0);
    end(&r);
  }
}

/* Warps contend for one bucket, few frames and two slots of the ring, each page's first words read
 * by all. */
static void test_contention(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start(&r, 32 * PAGE,
          (struct simt_ap_config){.frames = 8,
                                  .bucket_factor = 1,
                                  .tlb_entries = tlbs[i],
                                  .slots = 2,
                                  .latency = 500,
                                  .retry_limit = 100000},
          3 + i);
    for (uint32_t w = 0; w < 8; w++) {
      s_open(&r, w, 0, APD_READ, APD_OK);
      s_map(&r, w, 0, 0, APD_READ, 32 * PAGE, 0, APD_OK);
      for (uint32_t k = 0; k < 16; k++) {
        expect_bytes(&r, s_load(&r, w, 0, 4), k * PAGE, 0, 4);
        num_expected -= 31; /* lane 0's will do */
        s_add(&r, w, 0, PAGE, 0);
      }
    }
    assert_int_equal(run_lists(&r, 2, 4), 0);
    end(&r);
  }
}

/* Each warp reads pages in an order of its own through few frames, and is held back now and then
 * between any two of its instructions, for long enough that the others bring other pages into all
 * frames: who has found a page in the table may come to its frame when it holds another one. */
static void test_starved(void **state) {
  uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1;
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start_starved(&r, 32 * PAGE,
                  (struct simt_ap_config){.frames = 8,
                                          .bucket_factor = 1,
                                          .tlb_entries = tlbs[i],
                                          .slots = 4,
                                          .retry_limit = 100000},
                  seed * 3 + i, 100);
    for (uint32_t w = 0; w < 8; w++) {
      s_open(&r, w, 0, APD_READ, APD_OK);
      s_map(&r, w, 0, 0, APD_READ, 32 * PAGE, 0, APD_OK);
      int64_t page = 0;
      for (uint32_t k = 0; k < STARVED_READS; k++) {
        int64_t next = draw(&r, 12);
        s_add(&r, w, 0, (next - page) * PAGE, 0);
        page = next;
        expect_bytes(&r, s_load(&r, w, 0, 4), (uint64_t)page * PAGE, 0, 4);
        num_expected -= 31; /* lane 0's will do */
      }
    }
    assert_int_equal(run_lists(&r, 2, 4), 0);
    end(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_states),   cmocka_unit_test(test_widths),
      cmocka_unit_test(test_32_pages), cmocka_unit_test(test_errors),
      cmocka_unit_test(test_calls),    cmocka_unit_test(test_file_ends),
      cmocka_unit_test(test_random),   cmocka_unit_test(test_contention),
      cmocka_unit_test(test_starved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
