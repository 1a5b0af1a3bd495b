/* SPDX-License-Identifier: Apache-2.0 */
/** script_rig.h - runs lists of operations (tb/simt/prog/script.h) on the simulator, with files and
 * a watched page cache. */
#ifndef SCRIPT_RIG_H
#define SCRIPT_RIG_H

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../prog/script.h"
#include "simt/program.h"
#include "simt/simt.h"

enum { PAGE = APD_PAGE, L = 32, BYTES = 8 << 20, LISTS = 16, OPS = 1500, LIMIT = 4000000 };
#define ALL UINT32_MAX

struct rig {
  struct simt *s;
  struct simt_ap *h;
  uint8_t *mem;
  char path[64];
  uint8_t *content; /* what the file should hold */
  uint32_t content_bytes, path_at;
  uint32_t table, list[LISTS], ops[LISTS];
  uint64_t random, steps;
  uint32_t slot; /* the warp that executes */
  void (*looked)(struct rig *r, uint32_t address, uint32_t bytes, bool write); /* its access */
  void (*stepped)(struct rig *r); /* after each instruction */
};

static inline uint32_t draw(struct rig *r, uint32_t n) {
  uint64_t z = r->random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)(((z ^ z >> 27) >> 16) % n);
}

static inline uint8_t byte_at(uint64_t i) {
  return (uint8_t)((i * UINT64_C(0x9e3779b97f4a7c15)) >> 56 ^ i);
}

static uint8_t *at(void *context, uint32_t address, uint32_t bytes, bool write) {
  struct rig *r = context;
  if (r->looked) r->looked(r, address, bytes, write);
  return address < 0x1000 || address > BYTES - bytes ? NULL : r->mem + address;
}

static void executes(void *context, uint32_t slot, uint32_t pc, uint32_t word, uint32_t mask) {
  (void)pc, (void)word, (void)mask;
  ((struct rig *)context)->slot = slot;
}

static void must(int bad, const struct gmmu_err *err) {
  if (bad) fail_msg("%s", err->msg);
}

/* Words that results should be once the lists have run. */
static struct {
  uint32_t at, value;
  const char *what;
} expected[4000];
static uint32_t num_expected;

/* starve: of so many instructions of a warp one is followed by many of the others' (simt.h) */
static inline void start_starved(struct rig *r, uint32_t file_bytes, struct simt_ap_config c,
                                 uint64_t seed, uint32_t starve) {
  struct gmmu_err err = {""};
  struct simt_config sc = {.warps = 16, .local_bytes = 1024, .seed = seed, .starve = starve};
  uint32_t imem[16384], words;
  memset(r, 0, sizeof *r);
  num_expected = 0;
  r->random = seed * 977 + 1;
  r->mem = malloc(BYTES);
  for (uint32_t i = 0; i < BYTES; i++) r->mem[i] = (uint8_t)(i * 7 + 3); /* foreign data */
  r->s = simt_new(&sc, at, r, &err);
  must(!r->s, &err);
  simt_trace(r->s, executes, r);
  must(simt_elf(getenv("SIMT_PROGRAM"), imem, 16384, &words, r->mem, BYTES, &err), &err);
  must(simt_load(r->s, imem, words, &err), &err);
  if (!c.retry_limit) c.retry_limit = 30;
  r->h = simt_ap_new(r->mem, BYTES, &c, &err);
  must(!r->h, &err);
  strcpy(r->path, "/tmp/gmmu-simt-XXXXXX");
  int fd = mkstemp(r->path);
  assert_true(fd >= 0);
  r->content = malloc(file_bytes), r->content_bytes = file_bytes;
  for (uint32_t i = 0; i < file_bytes; i++) r->content[i] = byte_at(i);
  assert_int_equal(write(fd, r->content, file_bytes), (ssize_t)file_bytes);
  close(fd);
  r->path_at = simt_ap_heap(r->h, 64);
  strcpy((char *)r->mem + r->path_at, r->path);
  r->table = simt_ap_heap(r->h, sizeof(struct script_table));
}

static inline void start(struct rig *r, uint32_t file_bytes, struct simt_ap_config c,
                         uint64_t seed) {
  start_starved(r, file_bytes, c, seed, 0);
}

static inline struct script_op *op(struct rig *r, uint32_t list, enum script_code code) {
  if (!r->list[list]) r->list[list] = simt_ap_heap(r->h, OPS * sizeof(struct script_op));
  assert_true(r->list[list] && r->ops[list] < OPS - 1);
  struct script_op *o = (struct script_op *)(r->mem + r->list[list]) + r->ops[list]++;
  memset(o, 0, 2 * sizeof *o);
  o->code = code, o->mask = ALL;
  return o;
}

static inline uint32_t room(struct rig *r) {
  uint32_t a = simt_ap_heap(r->h, L * 16);
  assert_true(a);
  memset(r->mem + a, 0xee, L * 16);
  return a;
}

static inline uint32_t word(const struct rig *r, uint32_t a) {
  uint32_t v;
  memcpy(&v, r->mem + a, 4);
  return v;
}

static inline void expect(uint32_t a, uint32_t value, const char *what) {
  assert_true(num_expected < 4000);
  expected[num_expected].at = a, expected[num_expected].value = value,
  expected[num_expected++].what = what;
}
static inline void expect_all(uint32_t a, uint32_t value, const char *what) {
  for (uint32_t l = 0; l < L; l++) expect(a + l * 16, value, what);
}

static inline void s_open(struct rig *r, uint32_t list, uint32_t file, uint32_t prot,
                          uint32_t error) {
  struct script_op *o = op(r, list, S_OPEN);
  o->p = file, o->arg = r->path_at, o->prot = prot, o->result = room(r);
  expect_all(o->result, error, "open");
}
static inline void s_map(struct rig *r, uint32_t list, uint32_t p, uint32_t file, uint32_t prot,
                         uint64_t size, uint64_t offset, uint32_t error) {
  struct script_op *o = op(r, list, S_MAP);
  o->p = p, o->arg = file, o->prot = prot, o->size_lo = (uint32_t)size,
  o->size_hi = (uint32_t)(size >> 32);
  o->offset_lo = (uint32_t)offset, o->offset_hi = (uint32_t)(offset >> 32), o->result = room(r);
  expect_all(o->result, error, "gvmmap");
}
static inline struct script_op *s_simple(struct rig *r, uint32_t list, enum script_code code,
                                         uint32_t p, uint32_t q, uint32_t arg) {
  struct script_op *o = op(r, list, code);
  o->p = p, o->q = q, o->arg = arg;
  return o;
}
static inline void s_error(struct rig *r, uint32_t list, enum script_code code, uint32_t p,
                           uint32_t error, const char *what) {
  struct script_op *o = s_simple(r, list, code, p, 0, 0);
  o->result = room(r);
  expect_all(o->result, error, what);
}
/* delta of lane l: base + l * step */
static inline void s_add(struct rig *r, uint32_t list, uint32_t p, int64_t base, int64_t step) {
  struct script_op *o = s_simple(r, list, S_ADD, p, 0, 0);
  o->data = room(r);
  for (uint32_t l = 0; l < L; l++) {
    int64_t d = base + (int64_t)l * step;
    memcpy(r->mem + o->data + l * 16, &d, 8);
  }
}
static inline uint32_t s_load(struct rig *r, uint32_t list, uint32_t p, uint32_t bytes) {
  struct script_op *o = s_simple(r, list, S_LOAD, p, 0, bytes);
  return o->result = room(r);
}

/* Runs all lists once in each warp that has one; returns the number of error records. */
static inline uint32_t run_lists(struct rig *r, uint32_t blocks, uint32_t warps) {
  struct gmmu_err err = {""};
  struct script_table *t = (struct script_table *)(r->mem + r->table);
  t->warps = 0;
  for (uint32_t i = 0; i < LISTS; i++)
    if (r->ops[i]) op(r, i, S_END), t->list[t->warps++] = r->list[i];
  simt_write_reg(r->s, SIMT_ENTRY, 0);
  simt_write_reg(r->s, SIMT_ARG0, simt_ap_system(r->h));
  simt_write_reg(r->s, SIMT_ARG0 + 4, r->table);
  simt_write_reg(r->s, SIMT_BLOCKS, blocks);
  simt_write_reg(r->s, SIMT_WARPS, warps);
  simt_write_reg(r->s, SIMT_SCRATCH_BYTES, 1024);
  simt_write_reg(r->s, SIMT_CTRL, 1);
  uint64_t limit = r->steps + LIMIT;
  while (simt_run(r->s, 1)) {
    must(simt_ap_monitor(r->h, &err), &err);
    if (r->stepped) r->stepped(r);
    if (r->steps++ % 16 == 0) simt_ap_poll(r->h, r->steps);
    if (r->steps < limit) continue;
    simt_dump(r->s, stderr);
    fail_msg("the launch does not end");
  }
  if (simt_read_reg(r->s, SIMT_STATUS) & 2)
    fail_msg("core error: info %08x block %u address %08x pc %x",
             simt_read_reg(r->s, SIMT_ERR_INFO), simt_read_reg(r->s, SIMT_ERR_BLOCK),
             simt_read_reg(r->s, SIMT_ERR_ADDR), simt_read_reg(r->s, SIMT_ERR_PC));
  must(simt_ap_audit(r->h, &err), &err);
  for (uint32_t i = 0; i < num_expected; i++)
    if (word(r, expected[i].at) != expected[i].value)
      fail_msg("%s (result %u of %u, lane %u): %x, expected %x", expected[i].what, i, num_expected,
               expected[i].at / 16 % 32, word(r, expected[i].at), expected[i].value);
  num_expected = 0;
  uint32_t n;
  simt_ap_records(r->h, &n);
  return n;
}

static inline void end(struct rig *r) {
  struct gmmu_err err = {""};
  uint8_t got[PAGE];
  must(simt_ap_drop(r->h, &err), &err);
  int fd = open(r->path, O_RDONLY);
  for (uint32_t i = 0; i < r->content_bytes; i += PAGE) {
    uint32_t n = r->content_bytes - i < PAGE ? r->content_bytes - i : PAGE;
    assert_int_equal(pread(fd, got, n, i), n);
    assert_memory_equal(got, r->content + i, n);
  }
  close(fd);
  unlink(r->path);
  simt_ap_free(r->h);
  simt_free(r->s);
  free(r->mem);
  free(r->content);
}

#endif
