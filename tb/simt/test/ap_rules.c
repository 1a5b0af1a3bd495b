/* SPDX-License-Identifier: Apache-2.0 */
/** ap_rules.c - ActivePointers as machine code of the SIMT core: rules of errors, mappings, the
 * clock, references and write-back that the other lists do not meet. Looks at all count words as
 * ap_script.c. SIMT_PROGRAM: script.elf; SIMT_FORM: its form, long or short. */
#include "script_rig.h"
#include "simt/ap_host.h"

static const uint32_t tlbs[] = {0, 1, 8};
#define EACH_TLB(i) for (uint32_t i = 0; i < sizeof tlbs / sizeof *tlbs; i++)

static void load4(struct rig *r, uint32_t list, uint32_t p, uint64_t from, uint64_t step) {
  uint32_t a = s_load(r, list, p, 4), v;
  for (uint32_t l = 0; l < L; l++) {
    memcpy(&v, r->content + from + l * step, 4);
    expect(a + l * 16, v, "load");
  }
}

/* Lane l stores a word of its own at from + l * 4, which the file should hold from now on. */
static void store4(struct rig *r, uint32_t list, uint32_t p, uint64_t from, uint8_t salt) {
  uint32_t data = s_simple(r, list, S_STORE, p, 0, 4)->data = room(r);
  for (uint32_t l = 0; l < L; l++)
    for (uint32_t k = 0; k < 4; k++)
      r->content[from + l * 4 + k] = r->mem[data + l * 16 + k] = (uint8_t)(l * 4 + k + salt);
}

static void s_open_of(struct rig *r, uint32_t list, uint32_t file, const char *path, uint32_t prot,
                      uint32_t error) {
  uint32_t at = simt_ap_heap(r->h, 4096);
  strcpy((char *)r->mem + at, path);
  struct script_op *o = s_simple(r, list, S_OPEN, file, 0, at);
  o->prot = prot, o->result = room(r);
  expect_all(o->result, error, "open");
}

static struct apd_system *sys(const struct rig *r) {
  return (struct apd_system *)(r->mem + simt_ap_system(r->h));
}

/* Lists are made anew for another launch. */
static void again(struct rig *r) {
  memset(r->ops, 0, sizeof r->ops);
  simt_ap_clear_records(r->h);
}

/* ---------------------------------------- errors and their records */

/* Warp 1 of block 1 goes wrong: its block ends, the others go on, and so do all in the next launch.
 */
struct bad {
  void (*wrong)(struct rig *r, uint32_t list);
  struct apd_record record;
};

static void three_blocks(struct rig *r, void (*wrong)(struct rig *r, uint32_t list)) {
  for (uint32_t w = 0; w < 6; w++) {
    s_open(r, w, 0, APD_READ | APD_WRITE, APD_OK);
    s_map(r, w, 0, 0, APD_READ, 3 * PAGE, 0, APD_OK);
    s_add(r, w, 0, 0, 4);
    load4(r, w, 0, 0, 4);
    if (wrong && w == 3) wrong(r, w);
    s_simple(r, w, S_BAR, 0, 0, 0);
    uint32_t a = s_simple(r, w, S_DEAD, 0, 0, 0)->result = room(r);
    expect_all(a, wrong && w / 2 == 1, "end of the block");
    if (!wrong || w / 2 != 1) {
      load4(r, w, 0, 0, 4);
      continue;
    }
    s_add(r, w, 0, PAGE, 0); /* after the error accesses read 0 and link nothing */
    expect_all(s_load(r, w, 0, 4), 0, "load after the end of the block");
    expect_all(s_simple(r, w, S_LINKED, 0, 0, 0)->result = room(r), 0, "linked after it");
  }
}

static void read_of_write_only(struct rig *r, uint32_t w) {
  s_map(r, w, 1, 0, APD_WRITE, PAGE, 5 * PAGE, APD_OK);
  s_load(r, w, 1, 4);
}
static void read_of_write_only_linked(struct rig *r, uint32_t w) {
  s_map(r, w, 1, 0, APD_WRITE, PAGE, 5 * PAGE, APD_OK);
  s_add(r, w, 1, 0, 4);
  store4(r, w, 1, 5 * PAGE, 9);
  s_load(r, w, 1, 4);
}
static void copy_stays_read_only(struct rig *r, uint32_t w) {
  s_simple(r, w, S_ASSIGN, 1, 0, 0);
  s_simple(r, w, S_STORE, 1, 0, 4)->data = room(r);
}
static void other_file(struct rig *r, uint32_t w) {
  s_open_of(r, w, 1, getenv("SIMT_PROGRAM"), APD_READ, APD_OK);
  s_map(r, w, 1, 1, APD_READ, 200, 4, APD_OK);
  s_add(r, w, 1, 0, 8);
  s_load(r, w, 1, 4);
}

static void test_records(void **state) {
  static const struct bad bads[] = {
      {read_of_write_only, {1, 1, 0, APD_PERMISSION, 0, 0, 5 * PAGE, 0}},
      {read_of_write_only_linked, {1, 1, 0, APD_PERMISSION, 0, 0, 5 * PAGE, 0}},
      {copy_stays_read_only, {1, 1, 0, APD_PERMISSION, 1, 0, 0, 0}},
      {other_file, {1, 1, 25, APD_BOUNDS, 0, 1, 204, 0}},
  };
  (void)state;
  EACH_TLB(i)
  for (size_t b = 0; b < sizeof bads / sizeof *bads; b++) {
    struct rig r;
    uint32_t n;
    start(&r, 8 * PAGE, (struct simt_ap_config){.frames = 8, .tlb_entries = tlbs[i]}, i);
    three_blocks(&r, bads[b].wrong);
    assert_int_equal(run_lists(&r, 3, 2), 1);
    assert_memory_equal(simt_ap_records(r.h, &n), &bads[b].record, sizeof bads[b].record);
    again(&r);
    three_blocks(&r, NULL);
    assert_int_equal(run_lists(&r, 3, 2), 0);
    end(&r);
  }
}

/* Later records are only counted. */
static void test_many_records(void **state) {
  static const uint8_t none[APD_PAGE - APD_RECORDS * sizeof(struct apd_record)];
  struct rig r;
  (void)state;
  start(&r, PAGE, (struct simt_ap_config){.frames = 2}, 1);
  for (uint32_t k = 0; k < APD_RECORDS + 9; k++)
    s_open_of(&r, 0, 0, "/nonexistent/x", APD_READ, APD_NOT_FOUND);
  assert_int_equal(run_lists(&r, 1, 1), APD_RECORDS + 9);
  assert_memory_equal(r.mem + sys(&r)->record + APD_RECORDS * sizeof(struct apd_record), none,
                      sizeof none);
  end(&r);
}

/* ---------------------------------------- mappings */

static void test_limits(void **state) {
  struct rig r;
  bool narrow = strcmp(getenv("SIMT_FORM"), "short") == 0;
  uint64_t most = UINT64_C(1) << (narrow ? 40 : 52);
  (void)state;
  start(&r, PAGE, (struct simt_ap_config){.frames = 2}, 1);
  s_open(&r, 0, 0, APD_READ, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ, PAGE + 1, most - PAGE, APD_INVALID);
  s_map(&r, 0, 0, 0, APD_READ, 1, most, APD_INVALID);
  s_map(&r, 0, 0, 0, APD_READ, PAGE, most - PAGE, APD_OK);
  s_error(&r, 0, S_SYNC, 0, APD_OK, "sync");
  s_simple(&r, 0, S_ASSIGN, 1, 0, 0);
  s_error(&r, 0, S_UNMAP, 0, APD_OK, "unmap");
  s_error(&r, 0, S_SYNC, 1, APD_UNMAPPED, "sync of a mapping that is gone");
  for (uint32_t k = 0; k <= APD_MAPS; k++) {
    s_map(&r, 0, 0, 0, APD_READ, PAGE, 0, k < APD_MAPS ? APD_OK : APD_LIMIT);
    num_expected -= 31;
  }
  s_error(&r, 0, S_SYNC, 1, APD_UNMAPPED, "sync, its number in use again");
  s_error(&r, 0, S_UNMAP, 0, APD_OK, "unmap of one");
  s_map(&r, 0, 0, 0, APD_READ, PAGE, 0, APD_OK);
  assert_int_equal(run_lists(&r, 1, 1), 0);
  end(&r);
}

/* Lanes on one page through two mappings are two groups; a broadcast has the mapping and the
 * permissions of its lane. */
static void test_two_mappings(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start(&r, 4 * PAGE, (struct simt_ap_config){.frames = 4, .tlb_entries = tlbs[i]}, i);
    s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
    s_map(&r, 0, 0, 0, APD_READ | APD_WRITE, 2 * PAGE, 0, APD_OK);
    s_map(&r, 0, 2, 0, APD_READ, PAGE, 0, APD_OK); /* and of lanes 0 to 15 of pointer 0 */
    s_simple(&r, 0, S_ASSIGN, 0, 2, 0)->mask = 0x0000ffff;
    s_add(&r, 0, 0, 0, 4);
    load4(&r, 0, 0, 0, 4);
    s_error(&r, 0, S_UNMAP, 2, APD_BUSY, "unmap of lane 0's");
    s_simple(&r, 0, S_BROADCAST, 1, 0, 20);
    s_simple(&r, 0, S_CLOSE, 0, 0, 0);
    s_add(&r, 0, 1, PAGE - 80, 4);
    store4(&r, 0, 1, PAGE, 33);
    s_error(&r, 0, S_UNMAP, 2, APD_OK, "unmap of what nobody is linked through");
    s_error(&r, 0, S_UNMAP, 1, APD_BUSY, "unmap of the other one");
    s_simple(&r, 0, S_ASSIGN, 3, 1, 0);
    s_simple(&r, 0, S_CLOSE, 1, 0, 0);
    s_error(&r, 0, S_UNMAP, 3, APD_OK, "unmap");
    assert_int_equal(run_lists(&r, 1, 1), 0);
    end(&r);
  }
}

/* C's p = p: nothing is released. */
static void test_self_assignment(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    start(&r, PAGE, (struct simt_ap_config){.frames = 2, .tlb_entries = tlbs[i]}, i);
    s_open(&r, 0, 0, APD_READ, APD_OK);
    s_map(&r, 0, 0, 0, APD_READ, PAGE, 0, APD_OK);
    s_add(&r, 0, 0, 0, 4);
    load4(&r, 0, 0, 0, 4);
    s_simple(&r, 0, S_ASSIGN, 0, 0, 0);
    uint32_t a = s_simple(&r, 0, S_LINKED, 0, 0, 0)->result = room(&r);
    expect_all(a, 1, "linked");
    load4(&r, 0, 0, 0, 4);
    assert_int_equal(run_lists(&r, 1, 1), 0);
    end(&r);
  }
}

/* gvmsync writes the mapping's pages, all that it touches and no others, of its file. */
static void test_sync_range(void **state) {
  struct rig r;
  char other[] = "/tmp/gmmu-simt-XXXXXX";
  (void)state;
  start(&r, 8 * PAGE, (struct simt_ap_config){.frames = 16}, 2);
  int fd = mkstemp(other);
  assert_true(fd >= 0 && ftruncate(fd, 8 * PAGE) == 0);
  close(fd);
  s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
  s_open_of(&r, 0, 1, other, APD_READ | APD_WRITE, APD_OK);
  for (uint32_t k = 0; k < 8; k++) {
    s_map(&r, 0, 0, 0, APD_READ | APD_WRITE, PAGE, k * PAGE, APD_OK);
    s_add(&r, 0, 0, 0, 4);
    store4(&r, 0, 0, k * PAGE, (uint8_t)k);
  }
  s_map(&r, 0, 0, 1, APD_READ | APD_WRITE, PAGE, 2 * PAGE, APD_OK);
  s_simple(&r, 0, S_STORE, 0, 0, 4)->data = room(&r);
  s_simple(&r, 0, S_CLOSE, 0, 0, 0);
  s_map(&r, 0, 1, 0, APD_READ, 2 * PAGE, PAGE + 48, APD_OK); /* ends inside page 3 */
  s_error(&r, 0, S_SYNC, 1, APD_OK, "sync");
  assert_int_equal(run_lists(&r, 1, 1), 0);
  assert_int_equal(simt_ap_counts(r.h)->writes, 3);
  fd = open(r.path, O_RDONLY);
  for (uint32_t k = 0; k < 8; k++) {
    uint8_t got[L * 4];
    assert_int_equal(pread(fd, got, sizeof got, k * PAGE), sizeof got);
    assert_int_equal(memcmp(got, r.content + k * PAGE, sizeof got) == 0, k >= 1 && k <= 3);
  }
  close(fd);
  end(&r);
  unlink(other);
}

/* A handle keeps the mode that it was opened with; handles of one file have the same pages. */
static void test_handles(void **state) {
  struct rig r;
  (void)state;
  start(&r, 2 * PAGE, (struct simt_ap_config){.frames = 16}, 2);
  s_open(&r, 0, 0, APD_READ, APD_OK);
  s_open(&r, 0, 1, APD_READ | APD_WRITE, APD_OK);
  s_open(&r, 0, 2, APD_READ, APD_OK);
  for (uint32_t file = 0; file < 4; file += 2) {
    s_map(&r, 0, 0, file, APD_READ | APD_WRITE, PAGE, 0, APD_ACCESS);
    s_map(&r, 0, 0, file, APD_WRITE, PAGE, 0, APD_ACCESS);
    struct script_op *o = s_simple(&r, 0, S_GMMAP, 0, 0, file);
    o->prot = APD_READ | APD_WRITE, o->result = room(&r);
    expect_all(o->result, APD_ACCESS, "gmmap to write by a handle to read");
  }
  s_map(&r, 0, 0, 1, APD_READ | APD_WRITE, PAGE, 0, APD_OK);
  s_add(&r, 0, 0, 0, 4);
  store4(&r, 0, 0, 0, 9);
  s_map(&r, 0, 1, 2, APD_READ, PAGE, 0, APD_OK);
  s_add(&r, 0, 1, 0, 4);
  load4(&r, 0, 1, 0, 4);
  s_simple(&r, 0, S_CLOSE, 0, 0, 0);
  s_simple(&r, 0, S_CLOSE, 1, 0, 0);
  assert_int_equal(run_lists(&r, 1, 1), 0);
  assert_int_equal(simt_ap_counts(r.h)->reads, 1);
  end(&r);
}

/* ---------------------------------------- page cache */

/* A page that was used since the hand passed gets a second turn; two turns find a frame, without
 * another try. */
static void test_clock(void **state) {
  static const uint32_t touched[] = {0, 1, 2, 3, 4, 1, 5, 1};
  struct rig r;
  int64_t at = 0;
  (void)state;
  start(&r, 8 * PAGE, (struct simt_ap_config){.frames = 4}, 0);
  s_open(&r, 0, 0, APD_READ, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ, 8 * PAGE, 0, APD_OK);
  for (uint32_t k = 0; k < sizeof touched / sizeof *touched; k++, at = touched[k - 1] * PAGE) {
    s_add(&r, 0, 0, touched[k] * PAGE - at, 0);
    load4(&r, 0, 0, touched[k] * PAGE, 0);
  }
  assert_int_equal(run_lists(&r, 1, 1), 0);
  assert_int_equal(simt_ap_counts(r.h)->reads, 6); /* 4 takes the place of 0, 5 that of 2 */
  assert_int_equal(sys(&r)->pressure, 0);
  end(&r);
}

/* All frames linked: so many tries as the parameter says, then the error. */
static void test_tries(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    uint32_t n;
    start(&r, 4 * PAGE,
          (struct simt_ap_config){.frames = 2, .tlb_entries = tlbs[i], .retry_limit = 7}, i);
    s_open(&r, 0, 0, APD_READ, APD_OK);
    for (uint32_t p = 0; p < 3; p++) {
      s_map(&r, 0, p, 0, APD_READ, PAGE, p * PAGE, APD_OK);
      s_add(&r, 0, p, 0, 4);
      if (p < 2) load4(&r, 0, p, p * PAGE, 4);
    }
    s_load(&r, 0, 2, 4);
    assert_int_equal(run_lists(&r, 1, 1), 1);
    assert_int_equal(simt_ap_records(r.h, &n)->error, APD_NO_PAGE);
    assert_int_equal(sys(&r)->pressure, 7);
    end(&r);
  }
}

/* A block's TLB keeps pages that nobody is linked to; the block gives them back at its next fault
 * when another one finds no frame. Block 1 waits until block 0's TLB is full. */
static uint32_t full;
static void pressure_stepped(struct rig *r) { simt_hold(r->s, 1, word(r, full) == 0xeeeeeeee); }

static void test_pressure(void **state) {
  struct rig r;
  (void)state;
  start(&r, 16 * PAGE, (struct simt_ap_config){.frames = 8, .tlb_entries = 8, .retry_limit = 10},
        4);
  for (uint32_t w = 0; w < 2; w++) {
    s_open(&r, w, 0, APD_READ, APD_OK);
    s_map(&r, w, 0, 0, APD_READ, 16 * PAGE, 0, APD_OK);
  }
  for (uint32_t k = 0; k < 7; k++) {
    s_load(&r, 0, 0, 4);
    s_add(&r, 0, 0, PAGE, 0);
  }
  full = s_simple(&r, 0, S_DEAD, 0, 0, 0)->result = room(&r);
  for (uint32_t k = 0; k < 200; k++) { /* pages 8 and 7 */
    s_add(&r, 0, 0, k % 2 ? -PAGE : PAGE, 0);
    s_load(&r, 0, 0, 4);
  }
  s_add(&r, 1, 0, 10 * PAGE, 0);
  struct script_op *o = s_simple(&r, 1, S_ADD, 0, 0, 0); /* its lanes: 5 pages */
  o->data = room(&r);
  for (uint32_t l = 0; l < L; l++) {
    int64_t d = l % 5 * PAGE;
    memcpy(r.mem + o->data + l * 16, &d, 8);
  }
  s_load(&r, 1, 0, 4);
  r.stepped = pressure_stepped;
  assert_int_equal(run_lists(&r, 2, 1), 0);
  assert_true(sys(&r)->pressure > 0);
  end(&r);
}

/* Warps that wait for a page which cannot be brought: all learn why, and give back what they
 * counted. It is asked for again when somebody wants it again: the file may have grown. */
static void test_page_that_fails(void **state) {
  (void)state;
  EACH_TLB(i) {
    struct rig r;
    uint32_t n;
    start(&r, 6 * PAGE,
          (struct simt_ap_config){.frames = 8, .tlb_entries = tlbs[i], .latency = 20000}, i + 1);
    assert_int_equal(truncate(r.path, 2 * PAGE), 0);
    for (uint32_t w = 0; w < 4; w++) {
      s_open(&r, w, 0, APD_READ, APD_OK);
      s_map(&r, w, 0, 0, APD_READ, 6 * PAGE, 0, APD_OK);
      s_add(&r, w, 0, 4 * PAGE, 4);
      s_load(&r, w, 0, 4);
    }
    assert_int_equal(run_lists(&r, 4, 1), 4);
    for (uint32_t k = 0; k < 4; k++) assert_int_equal(simt_ap_records(r.h, &n)[k].error, APD_EOF);
    assert_int_equal(simt_ap_counts(r.h)->reads, 1); /* one asked, three waited */
    assert_int_equal(truncate(r.path, 6 * PAGE), 0);
    memset(r.content + 2 * PAGE, 0, 4 * PAGE);
    again(&r);
    for (uint32_t w = 0; w < 4; w++) {
      s_open(&r, w, 0, APD_READ, APD_OK);
      s_map(&r, w, 0, 0, APD_READ, 6 * PAGE, 0, APD_OK);
      s_add(&r, w, 0, 4 * PAGE, 4);
      load4(&r, w, 0, 4 * PAGE, 4);
    }
    assert_int_equal(run_lists(&r, 4, 1), 0);
    end(&r);
  }
}

/* A page that cannot be written back stays, dirty: its data exists nowhere else. Who wanted its
 * frame, and who synced, learn of it. */
static void test_write_that_fails(void **state) {
  struct rig r;
  uint32_t n;
  (void)state;
  start(&r, 4 * PAGE, (struct simt_ap_config){.frames = 1}, 1);
  s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ | APD_WRITE, 4 * PAGE, 0, APD_OK);
  s_add(&r, 0, 0, PAGE, 4);
  store4(&r, 0, 0, PAGE, 7);
  assert_int_equal(run_lists(&r, 1, 1), 0);
  int works = r.h->file[0].fd;
  r.h->file[0].fd = open(r.path, O_RDONLY);
  again(&r);
  s_open(&r, 0, 0, APD_READ, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ, 4 * PAGE, 0, APD_OK);
  for (uint32_t k = 0; k < 2; k++) s_error(&r, 0, S_SYNC, 0, APD_IO, "sync that cannot write");
  s_load(&r, 0, 0, 4);
  assert_int_equal(run_lists(&r, 1, 1), 1);
  assert_int_equal(simt_ap_records(r.h, &n)->error, APD_IO);
  close(r.h->file[0].fd);
  r.h->file[0].fd = works;
  again(&r);
  s_open(&r, 0, 0, APD_READ, APD_OK);
  s_map(&r, 0, 0, 0, APD_READ, 4 * PAGE, 0, APD_OK);
  s_add(&r, 0, 0, PAGE, 4);
  load4(&r, 0, 0, PAGE, 4);
  assert_int_equal(run_lists(&r, 1, 1), 0);
  end(&r);
}

/* GPUfs's gmmap: a page stays while it is pinned, is dirty when pinned for writing; its errors. */
static void test_gmmap(void **state) {
  struct rig r;
  (void)state;
  start(&r, 4 * PAGE, (struct simt_ap_config){.frames = 1}, 1);
  s_open(&r, 0, 0, APD_READ, APD_OK);
  struct {
    uint32_t file, prot, page, error;
  } bad[] = {{0, APD_READ | APD_WRITE, 0, APD_ACCESS},
             {1, APD_READ, 0, APD_INVALID},
             {0, 0, 0, APD_INVALID},
             {0, APD_READ, 4, APD_EOF},
             {0, APD_READ, 1u << 30, APD_EOF}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    struct script_op *o = s_simple(&r, 0, S_GMMAP, 0, 0, bad[k].file);
    o->prot = bad[k].prot, o->result = room(&r);
    o->offset_lo = bad[k].page << 12, o->offset_hi = bad[k].page >> 20;
    if (bad[k].page >> 28 && strcmp(getenv("SIMT_FORM"), "short") == 0) bad[k].error = APD_INVALID;
    expect_all(o->result, bad[k].error, "gmmap that is an error");
  }
  s_open(&r, 0, 0, APD_READ | APD_WRITE, APD_OK);
  struct script_op *o = s_simple(&r, 0, S_GMMAP, 0, 0, 0);
  o->prot = APD_READ | APD_WRITE, o->offset_lo = PAGE + 8, o->result = room(&r);
  expect_all(o->result, APD_OK, "gmmap");
  s_simple(&r, 0, S_POKE, 0, 0, 0x12345678);
  memcpy(r.content + PAGE + 8, "\x78\x56\x34\x12", 4);
  for (uint32_t k = 0; k < 2; k++) {
    o = s_simple(&r, 0, S_GREAD, 0, 0, 0);
    o->data = simt_ap_heap(r.h, 64), o->size_lo = 4, o->result = room(&r);
    expect_all(o->result, k ? APD_OK : APD_NO_PAGE, "gread beside the pinned page");
    if (!k) s_simple(&r, 0, S_GMUNMAP, 0, 0, 0);
  }
  assert_int_equal(run_lists(&r, 1, 1), 0);
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_records),         cmocka_unit_test(test_many_records),
      cmocka_unit_test(test_limits),          cmocka_unit_test(test_two_mappings),
      cmocka_unit_test(test_self_assignment), cmocka_unit_test(test_sync_range),
      cmocka_unit_test(test_handles),         cmocka_unit_test(test_clock),
      cmocka_unit_test(test_tries),           cmocka_unit_test(test_pressure),
      cmocka_unit_test(test_page_that_fails), cmocka_unit_test(test_write_that_fails),
      cmocka_unit_test(test_gmmap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
