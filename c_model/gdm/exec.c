/* SPDX-License-Identifier: Apache-2.0 */
/* exec.c - kernels while they run: their code, its accesses, and faults (section 4.3). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdm/gdm_int.h"

static bool has_work(void *arg) {
  struct engine *e = arg;
  return e->go || e->g->quit;
}
void gdm_kernel_main(void *engine) {
  struct engine *e = engine;
  struct gdm *g = e->g;
  for (;;) {
    gdm_wait(g, has_work, e, "a kernel");
    if (!e->go) return;
    e->go = false;
    if (!setjmp(e->exec.end)) e->exec.k->code.run(&e->exec, e->exec.k->args, e->exec.k->nargs);
    while (e->exec.scratch) {
      struct scratch *s = e->exec.scratch;
      e->exec.scratch = s->next;
      free(s);
    }
    e->exec.k->stalled = g->now - e->exec.k->start - e->exec.ran;
    gdm_at(g,
           g->now + (e->exec.k->ctx->error ? 0 : e->exec.k->duration) + g->c.costs.kernel_start_ns,
           gdm_kernel_end, e);
  }
}

/* ---------------------------------------- accesses */
static int refuse(struct gdm_exec *x, int error, gdm_ptr at, bool write, int cause) {
  struct gdm_ctx *c = x->k->ctx;
  if (c->error) return c->error; /* the driver failed: the kernel is not to blame */
  c->error = error;
  c->fault = (struct gdm_fault_record){
      .valid = true, .va = at, .cause = cause, .access = write, .asid = c->asid};
  snprintf(c->fault.kernel, sizeof c->fault.kernel, "%s", x->k->code.name);
  return error;
}

static bool served(void *arg) { return !((struct engine *)arg)->fault; }
/* A kernel that touched a block has it until it ends. */
static void touch(struct gdm_exec *x, struct block *b) {
  if (!b || b->touched == x->k->id) return;
  b->touched = x->k->id;
  if (b->kernel == x->k->id) return;
  b->kernel = x->k->id;
  b->pins++;
  gdm_need(x->k, b);
  gdm_may_be_written(x->g, b);
  if (b->state == BLOCK_IN && x->g->c.dirty != GDM_DIRTY_HW) gdm_used(x->g, b);
}

/* The access faulted: the block is loaded on demand, or the kernel has to end. */
int gdm_demand(struct gdm_exec *x, gdm_ptr at, bool write, int cause) {
  struct gdm *g = x->g;
  struct engine *e = &g->engine[x->engine];
  struct block *b = gdm_block_at(x->k->ctx, at);
  if (!b || cause != GMMU_PF_INVALID || !g->c.faults || g->c.policy != GDM_POLICY_GDM)
    return refuse(x, GDM_ERROR_ILLEGAL_ADDRESS, at, write, cause);
  g->stats.faults++;
  x->k->ctx->stats.faults++;
  gdm_delay(g, g->c.costs.fault_ns); /* interrupt, record, handler */
  touch(x, b);                       /* stays from now on */
  e->fault_lost = false;
  e->fault = b;
  gdm_pump(g);
  gdm_wait(g, served, e, "a block on demand");
  if (e->fault_lost) return refuse(x, GDM_ERROR_LAUNCH_OUT_OF_RESOURCES, at, write, cause);
  gdm_may_be_written(g, b);
  return GDM_SUCCESS;
}
/* Of an accessor: the kernel ends here, or the access is repeated. */
static void fault(struct gdm_exec *x, gdm_ptr at, bool write, int cause) {
  struct gmmu_drv_fault record;
  while (gmmu_drv_next_fault(&x->g->drv, &record) > 0) continue;
  if (gdm_demand(x, at, write, cause)) longjmp(x->end, 1);
}

unsigned gdm_exec_asid(const struct gdm_exec *x) { return x->k->ctx->asid; }
void gdm_running(struct gdm_exec *x, uint64_t ns) {
  x->ran += ns;
  gdm_delay(x->g, ns);
}

static void *span(struct gdm_exec *x, gdm_ptr at, size_t *bytes, bool write) {
  struct gdm *g = x->g;
  int cause;
  void *p;
  while (!(p = g->m.span(g->m.arg, x->k->ctx->asid, at, write, &cause))) fault(x, at, write, cause);
  if (g->c.faults) touch(x, gdm_block_at(x->k->ctx, at));
  *bytes = (size_t)(g->c.page_bytes - at % g->c.page_bytes);
  return p;
}
const void *gdm_span_read(struct gdm_exec *x, gdm_ptr at, size_t *bytes) {
  return span(x, at, bytes, false);
}
void *gdm_span_write(struct gdm_exec *x, gdm_ptr at, size_t *bytes) {
  return span(x, at, bytes, true);
}

static void transfer(struct gdm_exec *x, gdm_ptr at, uint8_t *data, size_t bytes, bool write) {
  struct gdm *g = x->g;
  for (size_t n; bytes; at += n, data += n, bytes -= n) {
    int cause;
    n = (size_t)(g->c.page_bytes - at % g->c.page_bytes);
    if (n > bytes) n = bytes;
    while ((cause = g->m.access(g->m.arg, x->k->ctx->asid, at, write, data, n)))
      fault(x, at, write, cause);
    if (g->c.faults) touch(x, gdm_block_at(x->k->ctx, at));
  }
}
void gdm_load(struct gdm_exec *x, void *to, gdm_ptr at, size_t bytes) {
  transfer(x, at, to, bytes, false);
}
void gdm_store(struct gdm_exec *x, gdm_ptr at, const void *from, size_t bytes) {
  transfer(x, at, (uint8_t *)(uintptr_t)from, bytes, true);
}

void *gdm_scratch(struct gdm_exec *x, size_t bytes) {
  struct scratch *s = calloc(1, sizeof(max_align_t) + bytes);
  if (!s) abort();
  s->next = x->scratch;
  x->scratch = s;
  return (char *)s + sizeof(max_align_t);
}
