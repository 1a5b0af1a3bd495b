/* SPDX-License-Identifier: Apache-2.0 */
/** test_mm_check.c - what gmmu_mm_check() looks at: each invariant broken by hand is named, and all
 * is well when it is put right again. */
#include "mm_rig.h"

#include "mm/mm_int.h"

/* Frame 0: a coalesced one of ASID 1, whose page 9 is dead. Frames 1 and 2: base pages of ASIDs 1
 * and 2. Frame 3: a virtual 2 MiB of ASID 2, one page of which is here. The others are free. */
static int setup(void **state) {
  begin(state, GMMU_MM_MOSAIC, 8, true, false);
  struct rig *r = *state;
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA, FRAME, RW, false), 0);
  assert_int_equal(gmmu_mm_dealloc(r->mm, 1, BASE_VA + 9 * PAGE, PAGE), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 1, BASE_VA + FRAME, 4 * PAGE, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA, 4 * PAGE, RW, false), 0);
  assert_int_equal(gmmu_mm_alloc(r->mm, 2, BASE_VA + FRAME, FRAME, RW, true), 0);
  assert_int_equal(touch(r, 2, BASE_VA + FRAME + 7 * PAGE, 0), GMMU_DRV_RESOLVED);
  well(r);
  return 0;
}

static struct vpage *page(struct rig *r, unsigned asid, uint64_t va) {
  struct vpage *v = mm_find(r->mm, asid, va);

  assert_non_null(v);
  return v;
}
static void says(struct rig *r, const char *what) {
  const char *said = gmmu_mm_check(r->mm);

  if (!said || strncmp(said, what, strlen(what)) != 0)
    fail_msg("'%s', wanted '%s'", said ? said : "all is well", what);
}
/* *x is v for one check. */
#define BROKEN(r, x, v, what)  \
  do {                         \
    __typeof__(x) kept_ = (x); \
    (x) = (v);                 \
    says(r, what);             \
    (x) = kept_;               \
    well(r);                   \
  } while (0)

static void lists(void **state) {
  struct rig *r = *state;
  struct gmmu_mm *m = r->mm;
  struct frame *base = &m->frames[1], *of_2 = &m->frames[2], *unused = &m->frames[5];

  BROKEN(r, base->prev, 5, "list broken at frame");
  BROKEN(r, of_2->prev, 5, "list broken at frame");
  BROKEN(r, unused->prev, 1, "list broken at frame");
  BROKEN(r, base->list, L_FREE, "list broken at frame");
  BROKEN(r, base->app, 2, "list broken at frame");
  BROKEN(r, m->free_list.last, 1, "end of a list");
  BROKEN(r, m->emergency.last, NONE, "end of a list");
  BROKEN(r, m->base[2].last, 1, "end of a list");
  BROKEN(r, m->stats.free_frames, 3, "free frames");
  uint32_t last = m->free_list.last, first = m->free_list.first;
  m->frames[first].prev = last; /* a ring */
  m->frames[last].next = first;
  says(r, "list broken at frame");
  m->frames[first].prev = NONE;
  m->frames[last].next = NONE;
  well(r);
  list_remove(m, last); /* a free frame that no list has */
  says(r, "frame in the wrong list");
  list_append(m, &m->free_list, L_FREE, last);
  well(r);
}

static void frames(void **state) {
  struct rig *r = *state;
  struct gmmu_mm *m = r->mm;
  struct frame *whole = &m->frames[0], *base = &m->frames[1], *block = &m->frames[3];

  for (int i = 0; i < 4; i++) {
    struct frame *f = &m->frames[i];
    BROKEN(r, f->taken, f->taken + 1, "counts of frame");
    BROKEN(r, f->live, f->live - 1, "counts of frame");
    BROKEN(r, f->here, f->here + 1, "counts of frame");
    BROKEN(r, f->foreign, f->foreign + 1, "counts of frame");
  }
  assert_int_equal(block->kind, K_BLOCK);
  BROKEN(r, block->app, 1, "page of another application in frame");
  BROKEN(r, block->lfn, block->lfn + 1, "page not in its place");
  BROKEN(r, base->kind, K_FREE, "free or not, frame");
  BROKEN(r, whole->coalesced, false, "dead page in a frame that is not whole");
  BROKEN(r, whole->kind, K_BASE, "coalesced and not whole, frame");
  BROKEN(r, block->coalesced, true, "coalesced and not whole, frame");
  BROKEN(r, m->frames[5].kind, K_BASE, "free or not, frame");
  struct block *b;
  HASH_FIND(hh, m->blocks, &whole->lfn, sizeof whole->lfn, b);
  assert_non_null(b);
  BROKEN(r, b->frame, 3, "frame of a virtual 2 MiB that does not know it");
  HASH_DEL(m->blocks, b);
  says(r, "frame of a virtual 2 MiB that does not know it");
  HASH_ADD(hh, m->blocks, key, sizeof b->key, b);
  well(r);
  struct block more = {.key = 77, .frame = 5};
  HASH_ADD(hh, m->blocks, key, sizeof more.key, &more);
  says(r, "frames in lists, or virtual 2 MiB");
  struct block *gone = &more;
  HASH_DEL(m->blocks, gone);
  well(r);
}

static void pages(void **state) {
  struct rig *r = *state;
  struct gmmu_mm *m = r->mm;
  struct vpage *v = page(r, 1, BASE_VA + FRAME), *w = page(r, 1, BASE_VA + FRAME + PAGE),
               *host = page(r, 2, BASE_VA + FRAME), *whole = page(r, 1, BASE_VA + 3 * PAGE);

  assert_true(v->state == HERE && host->state == ON_HOST);
  BROKEN(r, v->page, w->page, "page thinks it is elsewhere");
  BROKEN(r, v->state, ON_HOST, "page on the host has a place");
  BROKEN(r, v->state, COMING, "counts of frame");
  BROKEN(r, v->state, DEAD, "dead page in a frame that is not whole");
  BROKEN(r, v->perms, GMMU_DRV_R | GMMU_DRV_U, "PTE");
  BROKEN(r, host->page, w->page, "place of page");
  BROKEN(r, host->state, HERE, "place of page");
  struct vpage kept = *host; /* a place that another page has */
  host->page = w->page;
  host->state = HERE;
  says(r, "page whose place belongs to another");
  host->page = kept.page;
  host->state = kept.state;
  well(r);
  BROKEN(r, m->stats.pages, m->stats.pages + 1, "pages");
  HASH_DEL(m->pages, v); /* a place whose page is not known */
  m->stats.pages--;
  says(r, "pages");
  m->stats.pages++;
  HASH_ADD(hh, m->pages, key, sizeof v->key, v);
  well(r);
  /* the page table: an address, DIS, a page too few, one too many */
  uint64_t pa, pte;
  assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va_of(v), PAGE), 0);
  says(r, "page not in the page table");
  assert_int_equal(gmmu_drv_map(&r->drv, 1, va_of(v), pa_of(m, w->page), PAGE, RW, false), 0);
  says(r, "PTE");
  assert_int_equal(gmmu_drv_unmap(&r->drv, 1, va_of(v), PAGE), 0);
  assert_int_equal(gmmu_drv_map(&r->drv, 1, va_of(v), pa_of(m, v->page), PAGE, RW, false), 0);
  well(r);
  assert_int_equal(gmmu_drv_map(&r->drv, 2, va_of(host), FIRST, PAGE, RW, false), 0);
  says(r, "page in the page table");
  assert_int_equal(gmmu_drv_unmap(&r->drv, 2, va_of(host), PAGE), 0);
  well(r);
  assert_int_equal(gmmu_drv_lookup(&r->drv, 1, va_of(whole), &pa, &pte), 0);
  assert_int_equal(gmmu_drv_splinter(&r->drv, 1, BASE_VA), 0);
  says(r, "DIS");
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, end)
int main(void) {
  const struct CMUnitTest tests[] = {T(lists), T(frames), T(pages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
