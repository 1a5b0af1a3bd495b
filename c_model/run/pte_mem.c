/* SPDX-License-Identifier: Apache-2.0 */
#include "run/pte_mem.h"

#include <string.h>

#define NUM(a) (sizeof(a) / sizeof((a)[0]))

void gmmu_pte_mem_init(struct gmmu_pte_mem *m, const struct gmmu_mem *image, uint32_t latency,
                       uint32_t jitter, uint64_t seed) {
  memset(m, 0, sizeof *m);
  m->image = image;
  gmmu_rng_seed(&m->rng, seed ^ 0x6d656d); /* not the stream of another user of the same seed */
  m->latency = latency;
  m->jitter = jitter;
}

static bool before(const struct gmmu_pte_read *a, const struct gmmu_pte_read *b) {
  return a->due != b->due ? a->due < b->due : a->seq < b->seq;
}

static void push(struct gmmu_pte_mem *m, struct gmmu_pte_read r) {
  uint32_t i = m->n++;

  for (; i && before(&r, &m->heap[(i - 1) / 2]); i = (i - 1) / 2) m->heap[i] = m->heap[(i - 1) / 2];
  m->heap[i] = r;
}

static struct gmmu_pte_read pop(struct gmmu_pte_mem *m) {
  struct gmmu_pte_read top = m->heap[0], r = m->heap[--m->n];
  uint32_t i = 0, k;

  while ((k = 2 * i + 1) < m->n) {
    if (k + 1 < m->n && before(&m->heap[k + 1], &m->heap[k])) k++;
    if (!before(&m->heap[k], &r)) break;
    m->heap[i] = m->heap[k];
    i = k;
  }
  m->heap[i] = r;
  return top;
}

void gmmu_pte_mem_release(struct gmmu_pte_mem *m, uint16_t id, uint64_t cycle) {
  for (uint32_t i = 0; i < m->n; i++)
    if (m->heap[i].id == id && m->heap[i].due == UINT64_MAX) {
      struct gmmu_pte_read r = m->heap[i];
      r.due = cycle;
      for (; i && before(&r, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
      m->heap[i] = r;
      return;
    }
}

static void sample(const struct gmmu_pte_mem *m, struct gmmu_pte_read *r) {
  r->data = gmmu_mem_read64(m->image, r->addr);
  for (uint64_t i = 0; m->lines && i < 8; i++)
    r->line[i] = gmmu_mem_read64(m->image, (r->addr & ~63ull) + 8 * i);
}

/** An update is done when it is answered, all at once, and the answer is what the PTE then is. An
 * error writes nothing. */
static void update(struct gmmu_pte_mem *m, struct gmmu_pte_read *r) {
  m->updates++;
  m->wrote = !r->err && gmmu_mem_read64(m->image, r->addr) == r->old;
  if (m->wrote) gmmu_mem_write64(m->writable, r->addr, r->set);
  m->updated += m->wrote;
  sample(m, r);
}

void gmmu_pte_mem_drive(struct gmmu_pte_mem *m, uint64_t cycle, struct gmmu_pins *p) {
  m->wrote = false;
  p->mem_rsp.valid = m->n && m->heap[0].due <= cycle;
  if (!p->mem_rsp.valid) return;
  m->last = pop(m);
  m->busy[m->last.id] = false;
  m->answered++;
  if (m->last.upd) update(m, &m->last);
  else if (m->sample_late) sample(m, &m->last);
  p->mem_rsp.err = m->last.err;
  p->mem_rsp.id = m->last.id;
  p->mem_rsp.data = m->last.err ? ~m->last.data : m->last.data; /* a device must not look at it */
  for (int i = 0; m->lines && i < 8; i++)
    p->mem_rsp.line[i] = m->last.err ? ~m->last.line[i] : m->last.line[i];
}

bool gmmu_pte_mem_step(struct gmmu_pte_mem *m, uint64_t cycle, const struct gmmu_pins *p) {
  struct gmmu_pte_read r = {0};

  if (!p->mem_req.valid || !p->mem_req_ready) return false;
  if (p->mem_req.id >= NUM(m->busy) || m->busy[p->mem_req.id] || m->n == NUM(m->heap) ||
      p->mem_req.addr % 8 || (p->mem_req.upd && !m->writable)) {
    m->protocol_errors++; /* two reads of one walk at once, or a misaligned one: never answered */
    return false;
  }
  r.due = m->external
              ? UINT64_MAX
              : cycle + m->latency + (m->jitter ? gmmu_rng_below(&m->rng, m->jitter + 1ull) : 0);
  r.seq = m->reads++;
  r.addr = p->mem_req.addr;
  r.id = p->mem_req.id;
  r.accepted = cycle;
  r.upd = p->mem_req.upd;
  r.old = p->mem_req.old;
  r.set = p->mem_req.set;
  sample(m, &r);
  r.err = m->err_per_million && gmmu_rng_below(&m->rng, 1000000) < m->err_per_million;
  m->busy[r.id] = true;
  push(m, r);
  return true;
}
