/* SPDX-License-Identifier: Apache-2.0 */
#include "run/check.h"

#include <stdlib.h>
#include <string.h>

#define VFN_MASK ((1ull << 36) - 1)

/** Open-addressed set of 64-bit keys, each with the index of its value. Key 0 is never used. */
struct set {
  uint64_t *key;
  uint32_t *val;
  size_t size, n; /* size: power of two */
};

struct gmmu_check {
  const struct gmmu_env *env;
  const struct gmmu_mem *mem;
  struct set seen, pages, frames;
  struct gmmu_answer *ans, once;
  size_t cap;
};

static uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  return x ^ x >> 29;
}

/** Slot of the key, or the empty slot where it belongs. */
static size_t slot(const struct set *s, uint64_t key) {
  size_t i = mix(key) & (s->size - 1);

  while (s->key[i] && s->key[i] != key) i = (i + 1) & (s->size - 1);
  return i;
}

static void set_grow(struct set *s) {
  struct set b = {.size = s->size ? s->size * 2 : 4096, .n = s->n};

  b.key = calloc(b.size, sizeof *b.key);
  b.val = calloc(b.size, sizeof *b.val);
  if (!b.key || !b.val) abort(); /* a checker that forgets would be worse */
  for (size_t i = 0; i < s->size; i++)
    if (s->key[i]) {
      size_t k = slot(&b, s->key[i]);
      b.key[k] = s->key[i];
      b.val[k] = s->val[i];
    }
  free(s->key);
  free(s->val);
  *s = b;
}

/** Index of the key's value; *is_new if it was added, with value `val`. */
static uint32_t set_put(struct set *s, uint64_t key, uint32_t val, bool *is_new) {
  size_t i;

  if (s->n * 2 >= s->size) set_grow(s);
  i = slot(s, key);
  *is_new = s->key[i] == 0;
  if (*is_new) {
    s->key[i] = key;
    s->val[i] = val;
    s->n++;
  }
  return s->val[i];
}

struct gmmu_check *gmmu_check_new(const struct gmmu_env *env, const struct gmmu_mem *mem) {
  struct gmmu_check *c = calloc(1, sizeof *c);

  if (c) {
    c->env = env;
    c->mem = mem;
  }
  return c;
}

void gmmu_check_free(struct gmmu_check *c) {
  if (!c) return;
  free(c->seen.key);
  free(c->seen.val);
  free(c->pages.key);
  free(c->pages.val);
  free(c->frames.key);
  free(c->frames.val);
  free(c->ans);
  free(c);
}

void gmmu_check_touch(struct gmmu_check *c, const struct gmmu_fe_answer *a) {
  bool ignore;
  uint64_t vfn = a->va >> 12 & VFN_MASK;
  set_put(&c->pages, 1ull << 63 | (uint64_t)a->asid << 36 | vfn, 0, &ignore);
  set_put(&c->frames, 1ull << 63 | (uint64_t)a->asid << 36 | vfn >> 9, 0, &ignore);
}

void gmmu_check_forget(struct gmmu_check *c) {
  if (c->seen.n) memset(c->seen.key, 0, c->seen.size * sizeof *c->seen.key);
  c->seen.n = 0;
}

/** Sv48-canonical pages have an exact key; for the others nothing is remembered. */
static const struct gmmu_answer *expected(struct gmmu_check *c, const struct gmmu_fe_answer *a) {
  uint64_t page = a->va >> 12, high = page >> 35, vfn = page & VFN_MASK, key;
  bool is_new, ignore;
  uint32_t i;

  if (high != 0 && high != 0x1ffff) {
    gmmu_translate(c->env, c->mem, a->asid, page << 12, a->access, a->user, &c->once);
    return &c->once;
  }
  key = 1ull << 63 | (uint64_t)a->user << 54 | (uint64_t)(a->access & 3) << 52 |
        (uint64_t)a->asid << 36 | vfn;
  i = set_put(&c->seen, key, (uint32_t)c->seen.n, &is_new);
  if (is_new) {
    if (c->seen.n > c->cap) {
      c->cap = c->cap ? c->cap * 2 : 4096;
      c->ans = realloc(c->ans, c->cap * sizeof *c->ans);
      if (!c->ans) abort();
    }
    gmmu_translate(c->env, c->mem, a->asid, page << 12, a->access, a->user, &c->ans[i]);
    set_put(&c->pages, 1ull << 63 | (uint64_t)a->asid << 36 | vfn, 0, &ignore);
    set_put(&c->frames, 1ull << 63 | (uint64_t)a->asid << 36 | vfn >> 9, 0, &ignore);
  }
  return &c->ans[i];
}

bool gmmu_check_answer(struct gmmu_check *c, const struct gmmu_fe_answer *a, char *msg, size_t n) {
  const struct gmmu_answer *e = expected(c, a);
  const struct gmmu_rsp *r = &a->rsp;
  uint64_t pa = e->cause ? 0 : e->pa | (a->va & 4095);

  if (r->cause == e->cause && r->pa == pa &&
      (e->cause   ? !r->large
       : r->large ? e->may_be_2m
                  : e->may_be_4k))
    return true;
  snprintf(
      msg, n,
      "SM %d tag %u asid %d va 0x%llx %s: expected %s pa 0x%llx page %s, got %s pa 0x%llx page %s",
      a->sm, r->tag, a->asid, (unsigned long long)a->va, gmmu_access_name(a->access),
      gmmu_cause_name(e->cause), (unsigned long long)pa,
      e->cause                       ? "-"
      : e->may_be_4k && e->may_be_2m ? "4k or 2m"
      : e->may_be_2m                 ? "2m"
                                     : "4k",
      gmmu_cause_name(r->cause), (unsigned long long)r->pa, r->large ? "2m" : "4k");
  return false;
}

static int read_mem(void *arg, uint64_t pa, uint64_t *pte) {
  *pte = gmmu_mem_read64(arg, pa);
  return 0;
}

bool gmmu_check_marks(const struct gmmu_check *c, const struct gmmu_fe_answer *a, char *msg,
                      size_t n) {
  bool store = a->access == GMMU_WRITE || a->access == GMMU_AMO;
  uint64_t want = GMMU_PTE_A | (store ? GMMU_PTE_D : 0), pte;
  struct gmmu_xlate x;

  if (a->rsp.cause) return true;
  gmmu_walk(c->env, a->asid, a->va >> 12 & VFN_MASK, read_mem, (void *)c->mem,
            &x);                        /* read_mem only reads it */
  if (x.cause || !x.reads) return true; /* gmmu_check_answer() says so */
  pte = gmmu_mem_read64(c->mem, x.pte_pa[x.reads - 1]);
  if ((pte & want) == want) return true;
  snprintf(msg, n,
           "SM %d asid %d va 0x%llx %s was answered, but its PTE at 0x%llx is 0x%llx, without %s",
           a->sm, a->asid, (unsigned long long)a->va, gmmu_access_name(a->access),
           (unsigned long long)x.pte_pa[x.reads - 1], (unsigned long long)pte,
           pte & GMMU_PTE_A ? "D" : "A");
  return false;
}

uint64_t gmmu_check_frames(const struct gmmu_check *c) { return c->frames.n; }
uint64_t gmmu_check_pages(const struct gmmu_check *c) { return c->pages.n; }
