/* SPDX-License-Identifier: Apache-2.0 */
/* driver_rig.h - what surrounds the driver in its unit tests: the register model, memory, and a log
 * of what the driver does. */
#ifndef GMMU_TEST_DRIVER_RIG_H
#define GMMU_TEST_DRIVER_RIG_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gmmu.h"
#include "gmmu_driver.h"
#include "gmmu_regs.h"
#include "policy/regs.h"

#define PAGES 64
struct rig {
  struct gmmu_regs_model regs;
  struct gmmu_mem *mem;
  struct gmmu_drv drv;
  uint64_t free_pages[PAGES];
  int num_free, commands, last_kind, fail_at, accesses, retries;
  uint32_t status, refused, result, records; /* of a fault queue with one fault repeated */
  bool hang, exclusive, endless;             /* endless: a record comes for each that is taken */
  /* What the driver did, in order: writes of memory and commands. */
  struct {
    uint64_t pa, value; /* a command: 0, its kind */
    bool command;
  } log[64];
  int logged;
  void (*on_command)(struct rig *r, int kind); /* the hardware's doing until the acknowledgement */
  void (*on_swap)(struct rig *r); /* between the driver's read and its compare-and-swap */
};

static void note(struct rig *r, bool command, uint64_t pa, uint64_t value) {
  if (r->logged >= 64) return;
  r->log[r->logged].command = command, r->log[r->logged].pa = pa, r->log[r->logged++].value = value;
}

static int rd(void *arg, uint32_t at, uint32_t *v) {
  struct rig *r = arg;
  uint32_t known;
  if (++r->accesses == r->fail_at) return 1;
  if (!gmmu_regs_read(&r->regs, at, v, &known)) return 1;
  if (at == GMMU_PARAM_NumPorts) *v = 2;
  if (at == GMMU_PARAM_NumAsids) *v = r->regs.asids;
  if (at == GMMU_PARAM_AsidW) *v = r->regs.asid_w;
  if (at == GMMU_PARAM_VaW) *v = r->regs.sv48 ? 48 : 39;
  if (at == GMMU_PARAM_PaW) *v = r->regs.pfn_w + 12;
  if (at == GMMU_PARAM_NumWindows) *v = r->regs.windows;
  if (at == GMMU_PARAM_PteExclusive) *v = r->exclusive;
  if (at == GMMU_REG_CMD_STATUS)
    *v = (r->hang ? GMMU_REG_CMD_STATUS_BUSY_MASK : 0) |
         (r->refused ? GMMU_REG_CMD_STATUS_REFUSED_MASK : 0) | r->result << 8;
  if (at == GMMU_REG_IRQ_STATUS) *v = r->status;
  if (at == GMMU_REG_FAULT_STATUS) *v = r->records;
  if (at == GMMU_REG_FAULT_INFO)
    *v = r->records ? 0x00028901u : 0; /* ASID 2, record, write, cause 1 */
  if (at == GMMU_REG_FAULT_VA_LO) *v = 0x40001000u;
  if (at == GMMU_REG_FAULT_SRC) *v = 0x00070101u; /* ID 7, write channel, port 1 */
  return 0;
}
static int wr(void *arg, uint32_t at, uint32_t v) {
  struct rig *r = arg;
  if (++r->accesses == r->fail_at) return 1;
  if (at == GMMU_REG_CMD) {
    r->commands++, r->last_kind = (int)v;
    note(r, true, 0, v);
    if (r->on_command) r->on_command(r, (int)v);
  }
  if (at == GMMU_REG_FAULT_POP && r->records && !r->endless) r->records--;
  if (at == GMMU_REG_IRQ_STATUS) r->status &= ~v;
  if (at == GMMU_REG_RETRY) r->retries++;
  return !gmmu_regs_write(&r->regs, at, v, 15, false);
}
static uint64_t rdm(void *arg, uint64_t pa) {
  return gmmu_mem_read64(((struct rig *)arg)->mem, pa);
}
static void wrm(void *arg, uint64_t pa, uint64_t v) {
  struct rig *r = arg;
  note(r, false, pa, v);
  gmmu_mem_write64(r->mem, pa, v);
}
static int take(void *arg, uint64_t *pa) {
  struct rig *r = arg;
  if (!r->num_free) return 1;
  *pa = r->free_pages[--r->num_free];
  return 0;
}
static void give(void *arg, uint64_t pa) {
  struct rig *r = arg;
  r->free_pages[r->num_free++] = pa;
}

static int setup(void **state) {
  static struct rig r;
  memset(&r, 0, sizeof r);
  r.mem = gmmu_mem_new();
  r.regs = (struct gmmu_regs_model){.ports = 2,
                                    .asids = 4,
                                    .asid_w = 4,
                                    .pfn_w = 28,
                                    .windows = 4,
                                    .fault_entries = 4,
                                    .counters = 11,
                                    .caps = 0x64,
                                    /* without coalescer */ .params = GMMU_NUM_PARAMS,
                                    .sv48 = true};
  gmmu_regs_reset(&r.regs);
  for (int i = 0; i < PAGES; i++) give(&r, 0x100000 + 4096ull * (uint64_t)i);
  struct gmmu_drv_bus bus = {&r, rd, wr, rdm, wrm, take, give, NULL};
  assert_int_equal(gmmu_drv_init(&r.drv, &bus), 0);
  r.drv.poll_limit = 10;
  *state = &r;
  return 0;
}
static int teardown(void **state) {
  gmmu_mem_free(((struct rig *)*state)->mem);
  return 0;
}

/* What the hardware would answer, from the registers and memory. */
static int translate(struct rig *r, int asid, uint64_t va, int access, uint64_t *pa) {
  struct gmmu_env e = {
      .num_asids = 4, .num_windows = 4, .va_w = 48, .pa_w = 40, .large_answers = true};
  for (int a = 0; a < 4; a++)
    e.ctx[a] = (struct gmmu_ctx){.root_pfn = r->regs.ctx_root[a],
                                 .mode = (int)(r->regs.ctx_ctrl[a] & 3),
                                 .ext = r->regs.ctx_ctrl[a] >> 2 & 1};
  for (int w = 0; w < 4; w++)
    e.win[w] = (struct gmmu_window){r->regs.win_first[w], r->regs.win_last[w],
                                    r->regs.win_ctrl[w] & 1, r->regs.win_ctrl[w] >> 1 & 1};
  struct gmmu_answer a;
  gmmu_translate(&e, r->mem, asid, va, access, true, &a);
  *pa = a.pa;
  return a.cause;
}
static void windows(struct rig *r) {
  assert_int_equal(gmmu_drv_window(&r->drv, 0, 0x100000, 0x1fffff, true, false), 0);
  assert_int_equal(gmmu_drv_window(&r->drv, 1, 0x10000000, 0xffffffffff, false, true), 0);
}
#define RW (GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U)
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

#endif
