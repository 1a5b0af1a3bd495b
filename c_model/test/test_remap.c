/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_drv_remap above the register model: the order of its writes and commands, A and D that
 * hardware sets meanwhile, runs whose head moves, refusals and failures. And the same order for
 * unmap and protect of a head. */
#include "driver_rig.h"

#define VA 0x40000000ull
#define OLD 0x20000000ull
#define NEW 0x30005000ull
#define A (1ull << 6)
#define D (1ull << 7)
#define C(x) (1ull << (54 + (x)))
#define AC (1ull << 62)

static uint64_t pointer_at(struct rig *r) { /* the frame PTE of VA in ASID 1, Sv39 */
  uint64_t table = gmmu_mem_read64(r->mem, (r->regs.ctx_root[1] << 12) + 8) >> 10 & 0xfffffffffff;
  return (table << 12) + 8 * (VA >> 21 & 511);
}
static uint64_t leaf_at(struct rig *r, uint64_t va) {
  return ((gmmu_mem_read64(r->mem, pointer_at(r)) >> 10 & 0xfffffffffff) << 12) +
         8 * (va >> 12 & 511);
}
static uint64_t leaf(struct rig *r, uint64_t va) { return gmmu_mem_read64(r->mem, leaf_at(r, va)); }
static void poke(struct rig *r, uint64_t pa, uint64_t set) {
  gmmu_mem_write64(r->mem, pa, gmmu_mem_read64(r->mem, pa) | set);
}

/* 2 MiB of pages at VA in ASID 1; the log begins behind that. */
static void map_all(struct rig *r, unsigned perms) {
  windows(r);
  assert_int_equal(gmmu_drv_open(&r->drv, 1, false, true, false, false), 0);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, VA, OLD, 512 * 4096, perms, false), 0);
  r->logged = r->commands = 0;
}
static void command_is(struct rig *r, int i, uint64_t kind) {
  assert_true(i < r->logged && r->log[i].command && r->log[i].value == kind);
}
static void write_is(struct rig *r, int i, uint64_t pa, uint64_t value) {
  assert_true(i < r->logged && !r->log[i].command);
  assert_int_equal(r->log[i].pa, pa);
  assert_int_equal(r->log[i].value, value);
}

struct copying {
  struct rig *r;
  uint64_t va;
  int calls, fail, read, write, logged; /* what accesses got while it copied */
  uint64_t from, to, pa;
};
static int copy(void *arg, uint64_t to, uint64_t from) {
  struct copying *c = arg;
  uint64_t pa;
  c->calls++, c->to = to, c->from = from, c->logged = c->r->logged;
  c->read = translate(c->r, 1, c->va, GMMU_READ, &c->pa);
  c->write = translate(c->r, 1, c->va, GMMU_WRITE, &pa);
  return c->fail;
}

static void writable(void **state) {
  struct rig *r = *state;
  uint64_t va = VA + 0x5000, pa;
  struct copying c = {.r = r, .va = va};
  map_all(r, RW);
  uint64_t at = leaf_at(r, va), was = leaf(r, va),
           moved = (was & ~(0xfffffffffffull << 10)) | NEW >> 12 << 10, w = GMMU_DRV_W;
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, va, NEW, copy, &c), 0);
  /* W away, acknowledged; copy; the new frame, acknowledged; W again, acknowledged */
  write_is(r, 0, at, was & ~w);
  command_is(r, 1, 2);
  assert_true(c.calls == 1 && c.logged == 2 && c.from == OLD + 0x5000 && c.to == NEW);
  assert_true(c.read == GMMU_OK && c.pa == OLD + 0x5000 && c.write == GMMU_PERM);
  write_is(r, 2, at, moved & ~w);
  command_is(r, 3, 2);
  write_is(r, 4, at, moved);
  command_is(r, 5, 2);
  assert_int_equal(r->logged, 6);
  assert_true(r->regs.first == va && r->regs.last == va);
  assert_int_equal(translate(r, 1, va + 0x123, GMMU_WRITE, &pa), GMMU_OK);
  assert_true(pa == NEW + 0x123);
  assert_int_equal(translate(r, 1, va + 0x1000, GMMU_WRITE, &pa), GMMU_OK);
  assert_true(pa == OLD + 0x6000);
}
static void read_only(void **state) {
  struct rig *r = *state;
  uint64_t pa;
  struct copying c = {.r = r, .va = VA};
  map_all(r, GMMU_DRV_R | GMMU_DRV_X | GMMU_DRV_U);
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, copy, &c), 0);
  assert_true(c.calls == 1 && c.logged == 0 && c.read == GMMU_OK);
  assert_int_equal(r->commands, 1);
  assert_int_equal(translate(r, 1, VA, GMMU_EXEC, &pa), GMMU_OK);
  assert_true(pa == NEW);
  assert_int_equal(translate(r, 1, VA, GMMU_WRITE, &pa), GMMU_PERM);
}
static void by_hardware(void **state) {
  struct rig *r = *state;
  uint64_t pa;
  map_all(r, RW);
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, NULL, NULL),
                   GMMU_DRV_ARGUMENT); /* not built */
  assert_int_equal(r->logged, 0);
  r->drv.build.copy = true;
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, NULL, NULL), 0);
  command_is(r, 2, 7);
  assert_int_equal(translate(r, 1, VA, GMMU_WRITE, &pa), GMMU_OK);
  assert_true(pa == NEW);
}

/* A leaf that stands for others: its frame PTE first, and an acknowledgement before the leaf is
 * written. */
static void heads(void **state) {
  struct rig *r = *state;
  static const struct {
    uint64_t bits, page;
    bool head;
  } cases[] = {{C(3), 192, true}, {C(3), 193, false}, {C(2) | C(4), 192, false}, {C(0), 0, true},
               {AC, 0, true},     {AC, 64, false},    {AC | C(7), 448, true}};
  map_all(r, RW);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int call = 0; call < 3; call++) {
      uint64_t va = VA + 4096 * cases[i].page, pointer = pointer_at(r),
               clean = gmmu_mem_read64(r->mem, pointer);
      struct copying c = {.r = r, .va = va};
      poke(r, pointer, cases[i].bits);
      r->logged = 0;
      if (call == 0) assert_int_equal(gmmu_drv_remap(&r->drv, 1, va, NEW, copy, &c), 0);
      if (call == 1)
        assert_int_equal(gmmu_drv_protect(&r->drv, 1, va, 4096, GMMU_DRV_R | GMMU_DRV_U), 0);
      if (call == 2) assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va, 4096), 0);
      write_is(r, 0, pointer, clean);
      if (cases[i].head) command_is(r, 1, 2);
      assert_true(!r->log[cases[i].head ? 2 : 1].command &&
                  r->log[cases[i].head ? 2 : 1].pa == leaf_at(r, va));
      if (call == 2)
        assert_int_equal(gmmu_drv_map(&r->drv, 1, va, OLD + 4096 * cases[i].page, 4096, RW, false),
                         0);
    }
  /* A range that ends before a head, and one that holds it. */
  for (uint64_t pages = 3; pages < 5; pages++) {
    poke(r, pointer_at(r), C(1));
    r->logged = r->commands = 0;
    assert_int_equal(gmmu_drv_protect(&r->drv, 1, VA + 61 * 4096, pages * 4096, RW), 0);
    assert_int_equal(r->commands, pages == 3 ? 1 : 2);
  }
}
static void head_in_rsw(void **state) {
  struct rig *r = *state;
  struct copying c = {.r = r, .va = VA};
  map_all(r, RW);
  r->drv.build.co_rsw = true;
  poke(r, pointer_at(r), 1ull << 9);
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, copy, &c), 0);
  assert_true(r->log[0].pa == pointer_at(r) && r->log[1].command && r->log[2].pa == leaf_at(r, VA));
}

/* A range over several frames: each loses its bits, the one behind it keeps them. */
static void runs_of_many_frames(void **state) {
  struct rig *r = *state;
  windows(r);
  assert_int_equal(gmmu_drv_open(&r->drv, 1, false, true, false, false), 0);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, VA, OLD, 4 * 512 * 4096, RW, false), 0);
  for (uint64_t i = 0; i < 4; i++) poke(r, pointer_at(r) + 8 * i, C(7) | AC);
  assert_int_equal(gmmu_drv_protect(&r->drv, 1, VA + 5 * 4096, 1025 * 4096, RW), 0);
  for (uint64_t i = 0; i < 4; i++)
    assert_int_equal(gmmu_mem_read64(r->mem, pointer_at(r) + 8 * i) & (C(7) | AC),
                     i < 3 ? 0 : C(7) | AC);
}

static void refusals(void **state) {
  struct rig *r = *state;
  struct copying c = {.r = r, .va = VA};
  struct gmmu_drv *d = &r->drv;
  map_all(r, RW);
  assert_int_equal(gmmu_drv_map(d, 1, VA + (2u << 20), OLD + (2u << 20), 2u << 20, RW, true), 0);
  assert_int_equal(gmmu_drv_coalesce(d, 1, VA), 0);
  r->logged = 0;
  assert_int_equal(gmmu_drv_remap(d, 1, VA + 4096, NEW, copy, &c), GMMU_DRV_PARTIAL);
  assert_int_equal(gmmu_drv_remap(d, 1, VA + (2u << 20), NEW, copy, &c), GMMU_DRV_PARTIAL);
  assert_int_equal(gmmu_drv_remap(d, 1, VA + (4u << 20), NEW, copy, &c), GMMU_DRV_ABSENT);
  assert_int_equal(gmmu_drv_remap(d, 2, VA, NEW, copy, &c), GMMU_DRV_ABSENT);
  assert_int_equal(gmmu_drv_remap(d, 4, VA, NEW, copy, &c), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_remap(d, 1, VA + 8, NEW, copy, &c), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_remap(d, 1, VA, NEW + 8, copy, &c), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_remap(d, 1, VA, NEW + 1, copy, &c), GMMU_DRV_ARGUMENT);
  assert_int_equal(gmmu_drv_remap(d, 1, VA, 1ull << 40, copy, &c), GMMU_DRV_ARGUMENT);
  assert_int_equal(r->logged, 0);
  assert_int_equal(gmmu_drv_splinter(d, 1, VA), 0);
  r->logged = 0;
  assert_int_equal(gmmu_drv_remap(d, 1, VA, OLD, copy, &c), GMMU_DRV_ARGUMENT); /* where it is */
  assert_int_equal(r->logged, 0);
  assert_int_equal(c.calls, 0);
  assert_int_equal(gmmu_drv_remap(d, 1, VA, NEW, copy, &c), 0);
}
static void failures(void **state) {
  struct rig *r = *state;
  uint64_t pa;
  struct copying c = {.r = r, .va = VA, .fail = 1};
  map_all(r, RW);
  uint64_t was = leaf(r, VA);
  for (int svadu = 0; svadu < 2; svadu++) {
    r->drv.build.hw_ad = svadu;
    assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, copy, &c), GMMU_DRV_COPY);
    assert_int_equal(leaf(r, VA), was);
    assert_int_equal(translate(r, 1, VA, GMMU_WRITE, &pa), GMMU_OK);
    assert_int_equal(r->last_kind, svadu ? 4 : 2); /* stores that waited are retried */
  }
  r->drv.build.hw_ad = false, r->drv.build.copy = true, r->result = 4;
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, NULL, NULL), GMMU_DRV_REFUSED);
  assert_int_equal(leaf(r, VA), was);
  r->result = 0, r->hang = true;
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, copy, &c), GMMU_DRV_TIMEOUT);
  assert_int_equal(c.calls, 2); /* not copied while somebody may store */
  r->hang = false, r->drv.build.hw_ad = true;
  assert_int_equal(gmmu_drv_protect(&r->drv, 1, VA, 4096, RW), 0);
  r->hang = true;
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, copy, &c), GMMU_DRV_TIMEOUT);
  assert_int_equal(c.calls, 2);
  assert_int_equal(translate(r, 1, VA, GMMU_WRITE, &pa), GMMU_OK); /* the pointer is back */
  assert_string_equal(gmmu_drv_error_name(GMMU_DRV_COPY), "copy failed");
}

/* Svadu. Hardware sets A, then D, as long as the leaf it has read is what memory holds. */
static int swaps;
static uint64_t swap(void *arg, uint64_t pa, uint64_t expected, uint64_t value) {
  struct rig *r = arg;
  if (r->on_swap) r->on_swap(r);
  uint64_t was = gmmu_mem_read64(r->mem, pa);
  swaps++;
  if (was == expected) wrm(arg, pa, value);
  return was;
}
static void store_marks(
    struct rig *r) { /* a store that is quicker than the first swap; loads later */
  uint64_t at = leaf_at(r, VA), pte = gmmu_mem_read64(r->mem, at);
  gmmu_mem_write64(r->mem, at, pte | A | (pte & GMMU_DRV_W && !swaps ? D : 0));
}
static void clear_marks(struct rig *r) {
  gmmu_mem_write64(r->mem, leaf_at(r, VA), leaf(r, VA) & ~(A | D));
}
static void svadu_swapped(void **state) {
  struct rig *r = *state;
  uint64_t pa;
  struct copying c = {.r = r, .va = VA};
  struct gmmu_drv_bus bus = r->drv.bus;
  bus.swap_mem = swap;
  r->exclusive = true, r->regs.caps |= GMMU_REG_CAPS_HW_AD_MASK;
  assert_int_equal(gmmu_drv_init(&r->drv, &bus), 0);
  assert_true(r->drv.build.hw_ad && r->drv.build.pte_exclusive);
  map_all(r, RW);
  clear_marks(r);
  r->on_swap = store_marks, swaps = 0;
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, NEW, copy, &c), 0);
  assert_int_equal(c.write, GMMU_PERM);
  assert_int_equal(swaps, 4); /* one lost against the store */
  assert_int_equal(r->commands, 3);
  assert_int_equal(leaf(r, VA) & (A | D | GMMU_DRV_W), A | D | GMMU_DRV_W);
  assert_int_equal(translate(r, 1, VA, GMMU_WRITE, &pa), GMMU_OK);
  assert_true(pa == NEW);
  /* a page that nobody stored to stays clean */
  r->on_swap = NULL;
  clear_marks(r);
  assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, OLD, copy, &c), 0);
  assert_int_equal(leaf(r, VA) & (A | D), 0);
}
static void note_page(void *arg, uint64_t va, bool accessed, bool dirty) {
  bool *seen = arg;
  assert_int_equal(va, VA);
  seen[0] = accessed, seen[1] = dirty;
}
/* A and D are read and cleared by one swap: what hardware sets before it is not lost. */
static void harvest_swaps(void **state) {
  struct rig *r = *state;
  bool seen[2] = {false, false};
  map_all(r, RW);
  uint64_t was = leaf(r, VA);
  r->drv.bus.swap_mem = swap;
  gmmu_mem_write64(r->mem, leaf_at(r, VA), was & ~D);
  r->on_swap = store_marks, swaps = 0;
  assert_int_equal(gmmu_drv_harvest(&r->drv, 1, VA, 4096, note_page, seen), 0);
  assert_true(seen[0] && seen[1] && swaps == 2);
  assert_int_equal(leaf(r, VA), was & ~(A | D));
  r->on_swap = NULL;
}
static void command_marks(struct rig *r, int kind) { /* an update that was under way ends before the
                                                        acknowledgement, and none comes later */
  uint64_t at = (r->log[0].value >> 10 & 0xfffffffffff) << 12;
  if (kind == 2 && r->logged == 2) poke(r, at, A | D);
}
static void svadu_unreachable(void **state) {
  struct rig *r = *state;
  uint64_t pa;
  map_all(r, RW);
  r->drv.build.hw_ad = true;
  for (int n = 0; n < 3; n++) { /* without exclusive accesses a swap is not atomic against
                                   hardware; nor is there one without swap_mem */
    bool swap_there = n == 1;
    r->drv.build.pte_exclusive = n == 2;
    struct copying c = {.r = r, .va = VA};
    r->drv.bus.swap_mem = swap_there ? swap : NULL, swaps = 0;
    clear_marks(r);
    uint64_t pointer = gmmu_mem_read64(r->mem, pointer_at(r)), at = leaf_at(r, VA);
    r->logged = r->commands = 0, r->on_command = command_marks;
    uint64_t to = swap_there ? OLD : NEW;
    assert_int_equal(gmmu_drv_remap(&r->drv, 1, VA, to, copy, &c), 0);
    r->on_command = NULL;
    write_is(r, 0, pointer_at(r), pointer & ~1ull);
    command_is(r, 1, 2);
    assert_true(c.logged == 2 && c.read == GMMU_PF_INVALID);
    assert_true(r->log[2].pa == at && r->log[3].pa == pointer_at(r) && r->log[3].value == pointer);
    command_is(r, 4, 4);
    assert_int_equal(r->logged, 5);
    assert_int_equal(leaf(r, VA) & (A | D), A | D);
    assert_int_equal(translate(r, 1, VA, GMMU_WRITE, &pa), GMMU_OK);
    assert_true(pa == to && swaps == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {T(writable),      T(read_only),        T(by_hardware),
                                     T(heads),         T(head_in_rsw),      T(runs_of_many_frames),
                                     T(harvest_swaps), T(refusals),         T(failures),
                                     T(svadu_swapped), T(svadu_unreachable)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
