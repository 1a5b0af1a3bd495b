/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c - registers, commands and faults of the driver (gmmu_driver.h). Page tables:
 * driver_tables.c. */
#include "driver/driver_int.h"

#include <stddef.h>
#include <string.h>

const char *gmmu_drv_error_name(int error) {
  static const char *const names[] = {"ok",
                                      "bus error",
                                      "not a gmmu of this map version",
                                      "bad argument",
                                      "no memory for tables",
                                      "exists already",
                                      "not mapped",
                                      "part of a large page",
                                      "not contiguous",
                                      "no acknowledgement in time",
                                      "command refused",
                                      "copy failed"};
  unsigned i = 0u - (unsigned)error;
  return i < sizeof names / sizeof names[0] ? names[i] : "unknown error";
}

int drv_read(struct gmmu_drv *d, uint32_t at, uint32_t *v) {
  return d->bus.read_reg(d->bus.arg, at, v) ? GMMU_DRV_BUS : 0;
}
int drv_write(struct gmmu_drv *d, uint32_t at, uint32_t v) {
  return d->bus.write_reg(d->bus.arg, at, v) ? GMMU_DRV_BUS : 0;
}

enum {
  CMD_ALL = 0,
  CMD_ASID = 1,
  CMD_RANGE = 2,
  CMD_FRAME = 3,
  CMD_MAPPED = 4,
  CMD_COALESCE = 5,
  CMD_SPLINTER = 6,
  CMD_COPY = 7
};

#define VA_MASK ((1ull << 48) - 1) /* of a virtual address, in a command */

/* Starts a command and waits for its acknowledgement. */
static int command(struct gmmu_drv *d, uint32_t kind) {
  uint32_t s = 0;
  TRY(drv_write(d, GMMU_REG_CMD, kind));
  for (uint32_t i = 0; i < d->poll_limit; i++) {
    TRY(drv_read(d, GMMU_REG_CMD_STATUS, &s));
    if (s & GMMU_REG_CMD_STATUS_REFUSED_MASK) return GMMU_DRV_REFUSED;
    if (!(s & GMMU_REG_CMD_STATUS_BUSY_MASK))
      return drv_write(d, GMMU_REG_IRQ_STATUS, GMMU_REG_IRQ_STATUS_DONE_MASK);
  }
  return GMMU_DRV_TIMEOUT;
}

int gmmu_drv_held(struct gmmu_drv *d, uint32_t *ports) {
  return drv_read(d, GMMU_REG_CMD_HELD, ports);
}

int gmmu_drv_invalidate_all(struct gmmu_drv *d) { return command(d, CMD_ALL); }

int gmmu_drv_invalidate_asid(struct gmmu_drv *d, unsigned asid) {
  if (asid >= d->build.asids) return GMMU_DRV_ARGUMENT;
  TRY(drv_write(d, GMMU_REG_CMD_ASID, asid));
  return command(d, CMD_ASID);
}

/* A command that takes two addresses, of at most 56 bits. */
static int pair_command(struct gmmu_drv *d, uint32_t kind, uint64_t first, uint64_t last) {
  TRY(drv_write(d, GMMU_REG_CMD_FIRST_LO, (uint32_t)first));
  TRY(drv_write(d, GMMU_REG_CMD_FIRST_HI, (uint32_t)(first >> 32)));
  TRY(drv_write(d, GMMU_REG_CMD_LAST_LO, (uint32_t)last));
  TRY(drv_write(d, GMMU_REG_CMD_LAST_HI, (uint32_t)(last >> 32)));
  return command(d, kind);
}

int gmmu_drv_invalidate_range(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes) {
  uint64_t last = va + bytes - 1;
  if (asid >= d->build.asids || bytes == 0 || last < va || !drv_canonical(va, d->build.va_w) ||
      !drv_canonical(last, d->build.va_w) || va >> 63 != last >> 63)
    return GMMU_DRV_ARGUMENT;
  TRY(drv_write(d, GMMU_REG_CMD_ASID, asid));
  return pair_command(d, CMD_RANGE, va & VA_MASK, last & VA_MASK);
}

static int frame_command(struct gmmu_drv *d, uint32_t kind, unsigned asid, uint64_t va) {
  TRY(drv_write(d, GMMU_REG_CMD_ASID, asid));
  TRY(drv_write(d, GMMU_REG_CMD_FIRST_LO, (uint32_t)va));
  TRY(drv_write(d, GMMU_REG_CMD_FIRST_HI, (uint32_t)(va >> 32 & 0xffff)));
  return command(d, kind);
}

int drv_invalidate_frame(struct gmmu_drv *d, unsigned asid, uint64_t va) {
  return frame_command(d, CMD_FRAME, asid, va);
}

int drv_coalesce_command(struct gmmu_drv *d, unsigned asid, uint64_t va, bool splinter) {
  uint32_t s;
  TRY(frame_command(d, splinter ? CMD_SPLINTER : CMD_COALESCE, asid, va));
  TRY(drv_read(d, GMMU_REG_CMD_STATUS, &s));
  return s & GMMU_REG_CMD_STATUS_RESULT_MASK ? GMMU_DRV_REFUSED : 0;
}

int gmmu_drv_copy_page(struct gmmu_drv *d, uint64_t to, uint64_t from) {
  uint32_t s;
  if (!d->build.copy || (to | from) & 4095 || (to | from) >> d->build.pa_w)
    return GMMU_DRV_ARGUMENT;
  TRY(pair_command(d, CMD_COPY, from, to));
  TRY(drv_read(d, GMMU_REG_CMD_STATUS, &s));
  return s & GMMU_REG_CMD_STATUS_RESULT_MASK ? GMMU_DRV_REFUSED : 0;
}

int gmmu_drv_sync(struct gmmu_drv *d) { return gmmu_drv_invalidate_all(d); }

int drv_mapped(struct gmmu_drv *d) { return command(d, CMD_MAPPED); }

static int parameters(struct gmmu_drv *d) {
  const struct {
    uint32_t at;
    uint32_t *to;
  } want[] = {{GMMU_PARAM_NumPorts, &d->build.ports},
              {GMMU_PARAM_NumNative, &d->build.natives},
              {GMMU_PARAM_NumAsids, &d->build.asids},
              {GMMU_PARAM_AsidW, &d->build.asid_w},
              {GMMU_PARAM_VaW, &d->build.va_w},
              {GMMU_PARAM_PaW, &d->build.pa_w},
              {GMMU_PARAM_NumWindows, &d->build.windows},
              {GMMU_PARAM_FaultEntries, &d->build.fault_entries}};
  for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
    TRY(drv_read(d, want[i].at, want[i].to));
  uint32_t caps;
  TRY(drv_read(d, GMMU_REG_CAPS, &caps));
  d->build.coalescer = caps & GMMU_REG_CAPS_COALESCER_MASK;
  d->build.hw_ad = caps & GMMU_REG_CAPS_HW_AD_MASK;
  d->build.perf = caps & GMMU_REG_CAPS_PERF_MASK;
  d->build.unified = caps & GMMU_REG_CAPS_UNIFIED_MASK;
  d->build.large = caps & GMMU_REG_CAPS_LARGE_MASK;
  d->build.sv48 = caps & GMMU_REG_CAPS_SV48_MASK;
  d->build.co_rsw = caps & GMMU_REG_CAPS_CO_RSW_MASK;
  d->build.tokens = caps & GMMU_REG_CAPS_TOKENS_MASK;
  d->build.sched = caps & GMMU_REG_CAPS_SCHED_MASK;
  d->build.copy = caps & GMMU_REG_CAPS_COPY_MASK;
  uint32_t exclusive;
  TRY(drv_read(d, GMMU_PARAM_PteExclusive, &exclusive));
  d->build.pte_exclusive = exclusive != 0;
  return 0;
}

/* Takes the records that stand in the queue out of it, gives each to `handle`, if there is one, and
 * returns their number. Not those that come meanwhile: where faults come faster than records are
 * read there would be no end. */
static int each_fault(struct gmmu_drv *d, int (*handle)(void *arg, const struct gmmu_drv_fault *f),
                      void *arg, bool *resolved) {
  struct gmmu_drv_fault f;
  uint32_t queue;
  int records = 0;
  TRY(drv_read(d, GMMU_REG_FAULT_STATUS, &queue));
  for (uint32_t left = queue & GMMU_REG_FAULT_STATUS_COUNT_MASK; left; left--) {
    int n = gmmu_drv_next_fault(d, &f);
    if (n < 0) return n;
    if (n == 0) break;
    records++;
    if (handle && handle(arg, &f) == GMMU_DRV_RESOLVED) *resolved = true;
  }
  return records;
}

int gmmu_drv_init(struct gmmu_drv *d, const struct gmmu_drv_bus *bus) {
  memset(d, 0, sizeof *d);
  d->bus = *bus;
  d->poll_limit = 1000000;
  uint32_t id, version;
  TRY(drv_read(d, GMMU_REG_ID, &id));
  TRY(drv_read(d, GMMU_REG_VERSION, &version));
  if (id != GMMU_REGS_ID || version != GMMU_REGS_VERSION) return GMMU_DRV_NOT_GMMU;
  TRY(parameters(d));
  const struct gmmu_drv_build *b = &d->build;
  if (b->asids > GMMU_DRV_MAX_ASIDS || (b->va_w != 39 && b->va_w != 48) || b->pa_w < 30 ||
      b->pa_w > 56)
    return GMMU_DRV_NOT_GMMU;
  TRY(drv_write(d, GMMU_REG_IRQ_ENABLE, 0));
  TRY(drv_write(d, GMMU_REG_RETRY_CYCLES, 0));
  for (uint32_t a = 0; a < d->build.asids; a++) TRY(drv_write(d, GMMU_REG_CTX_CTRL(a), 0));
  for (uint32_t w = 0; w < d->build.windows; w++) TRY(drv_write(d, GMMU_REG_WIN_CTRL(w), 0));
  int n = each_fault(d, NULL, NULL, NULL);
  if (n < 0) return n;
  TRY(gmmu_drv_invalidate_all(d));
  return drv_write(d, GMMU_REG_IRQ_STATUS, ~0u);
}

int gmmu_drv_window(struct gmmu_drv *d, unsigned window, uint64_t first, uint64_t last, bool walk,
                    bool data) {
  if (window >= d->build.windows || first > last || first & 4095 || (last & 4095) != 4095 ||
      last >> d->build.pa_w)
    return GMMU_DRV_ARGUMENT;
  TRY(drv_write(d, GMMU_REG_WIN_CTRL(window), 0));
  TRY(drv_write(d, GMMU_REG_WIN_FIRST_LO(window), (uint32_t)(first >> 12)));
  TRY(drv_write(d, GMMU_REG_WIN_FIRST_HI(window), (uint32_t)(first >> 44)));
  TRY(drv_write(d, GMMU_REG_WIN_LAST_LO(window), (uint32_t)(last >> 12)));
  TRY(drv_write(d, GMMU_REG_WIN_LAST_HI(window), (uint32_t)(last >> 44)));
  TRY(drv_write(
      d, GMMU_REG_WIN_CTRL(window),
      (walk ? GMMU_REG_WIN_CTRL_WALK_MASK : 0) | (data ? GMMU_REG_WIN_CTRL_DATA_MASK : 0)));
  /* Windows are checked when a page is walked: what was allowed before must go. */
  return gmmu_drv_invalidate_all(d);
}

int gmmu_drv_set_port(struct gmmu_drv *d, unsigned port, const struct gmmu_drv_port *s) {
  if (port >= d->build.ports + d->build.natives || s->shift > 31 || s->fetch > 2 ||
      s->asid >> d->build.asid_w || (unsigned)s->mode > 2 || (unsigned)s->asid_from > 3)
    return GMMU_DRV_ARGUMENT;
  TRY(drv_write(d, GMMU_REG_PORT_ASID(port), s->asid));
  return drv_write(d, GMMU_REG_PORT_CTRL(port),
                   (uint32_t)s->mode << GMMU_REG_PORT_CTRL_MODE_SHIFT |
                       (s->error_mode ? GMMU_REG_PORT_CTRL_ERROR_MASK : 0) |
                       (uint32_t)s->asid_from << GMMU_REG_PORT_CTRL_ASID_FROM_SHIFT |
                       s->fetch << GMMU_REG_PORT_CTRL_FETCH_SHIFT |
                       s->shift << GMMU_REG_PORT_CTRL_SHIFT_SHIFT);
}

/* Writes a setting; refused if it reads back as something else. */
static int setting(struct gmmu_drv *d, uint32_t at, uint32_t v) {
  uint32_t was, now;
  TRY(drv_read(d, at, &was));
  TRY(drv_write(d, at, v));
  TRY(drv_read(d, at, &now));
  if (now == v) return 0;
  TRY(drv_write(d, at, was));
  return GMMU_DRV_ARGUMENT;
}

int gmmu_drv_set_epoch(struct gmmu_drv *d, uint32_t cycles) {
  if (!d->build.tokens && !d->build.sched) return GMMU_DRV_ARGUMENT;
  return setting(d, GMMU_REG_EPOCH_CYCLES, cycles);
}

int gmmu_drv_set_tokens(struct gmmu_drv *d, const struct gmmu_drv_tokens *s) {
  if (!d->build.tokens || s->start_percent > 100 || s->step_log2 > 7 || s->points > 100)
    return GMMU_DRV_ARGUMENT;
  return setting(d, GMMU_REG_TOKENS,
                 (s->free ? GMMU_REG_TOKENS_FREE_MASK : 0) |
                     s->step_log2 << GMMU_REG_TOKENS_STEP_SHIFT |
                     s->start_percent << GMMU_REG_TOKENS_START_SHIFT |
                     s->points << GMMU_REG_TOKENS_POINTS_SHIFT);
}

int gmmu_drv_set_scheduler(struct gmmu_drv *d, const struct gmmu_drv_scheduler *s) {
  if (!d->build.sched || s->apps < 1 || s->apps > d->build.asids || s->quota_max < 1 ||
      s->quota_max > 1023 || s->timeout < 1 || s->timeout > 65535 || s->age_cap > 65535 ||
      s->age_cap % 4)
    return GMMU_DRV_ARGUMENT;
  TRY(setting(d, GMMU_REG_SCHED_APPS, s->apps));
  TRY(setting(d, GMMU_REG_SCHED_QUOTA, s->quota_max));
  TRY(setting(d, GMMU_REG_SCHED_TIMEOUT, s->timeout));
  return setting(d, GMMU_REG_SCHED_AGE_CAP, s->age_cap);
}

int gmmu_drv_fault_irq(struct gmmu_drv *d, bool on) {
  return drv_write(d, GMMU_REG_IRQ_ENABLE,
                   on ? GMMU_REG_IRQ_STATUS_FAULT_MASK | GMMU_REG_IRQ_STATUS_LOST_MASK : 0);
}

int gmmu_drv_next_fault(struct gmmu_drv *d, struct gmmu_drv_fault *f) {
  uint32_t info, src, lo, hi;
  TRY(drv_read(d, GMMU_REG_FAULT_INFO, &info));
  if (!(info & GMMU_REG_FAULT_INFO_VALID_MASK)) return 0;
  TRY(drv_read(d, GMMU_REG_FAULT_SRC, &src));
  TRY(drv_read(d, GMMU_REG_FAULT_VA_LO, &lo));
  TRY(drv_read(d, GMMU_REG_FAULT_VA_HI, &hi));
  TRY(drv_write(d, GMMU_REG_FAULT_POP, GMMU_REG_FAULT_POP_POP_MASK));
  f->va = (uint64_t)hi << 32 | lo;
  f->cause = info & GMMU_REG_FAULT_INFO_CAUSE_MASK;
  f->access = (info & GMMU_REG_FAULT_INFO_ACCESS_MASK) >> GMMU_REG_FAULT_INFO_ACCESS_SHIFT;
  f->user = info & GMMU_REG_FAULT_INFO_USER_MASK;
  f->asid = info >> GMMU_REG_FAULT_INFO_ASID_SHIFT;
  f->port = src & GMMU_REG_FAULT_SRC_PORT_MASK;
  f->write_channel = src & GMMU_REG_FAULT_SRC_WRITE_MASK;
  f->id = src >> GMMU_REG_FAULT_SRC_ID_SHIFT;
  return 1;
}

int gmmu_drv_handle_faults(struct gmmu_drv *d,
                           int (*handle)(void *arg, const struct gmmu_drv_fault *f), void *arg) {
  uint32_t status;
  int records;
  bool retry = false;
  /* The events first: a fault that is recorded after this raises the interrupt again. */
  TRY(drv_read(d, GMMU_REG_IRQ_STATUS, &status));
  status &= GMMU_REG_IRQ_STATUS_FAULT_MASK | GMMU_REG_IRQ_STATUS_LOST_MASK;
  TRY(drv_write(d, GMMU_REG_IRQ_STATUS, status));
  if (status & GMMU_REG_IRQ_STATUS_LOST_MASK) retry = true;
  records = each_fault(d, handle, arg, &retry);
  if (records < 0) return records;
  if (retry) TRY(drv_write(d, GMMU_REG_RETRY, GMMU_REG_RETRY_NOW_MASK));
  return records;
}

int gmmu_drv_counters(struct gmmu_drv *d, bool clear, uint64_t value[GMMU_DRV_COUNTERS]) {
  if (!d->build.perf) return GMMU_DRV_ARGUMENT;
  TRY(drv_write(d, GMMU_REG_PERF_CTRL,
                GMMU_REG_PERF_CTRL_SNAP_MASK | (clear ? GMMU_REG_PERF_CTRL_CLEAR_MASK : 0)));
  for (uint32_t i = 0; i < GMMU_DRV_COUNTERS; i++) {
    uint32_t lo, hi;
    TRY(drv_read(d, GMMU_REG_PERF_LO(i), &lo));
    TRY(drv_read(d, GMMU_REG_PERF_HI(i), &hi));
    value[i] = (uint64_t)hi << 32 | lo;
  }
  return 0;
}
