/* SPDX-License-Identifier: Apache-2.0 */
/**
 * gmmu_driver.h - driver of the gmmu (gmmu_axi): registers, page tables, invalidation, faults.
 *
 * Depends on nothing but the functions of struct gmmu_drv_bus, so the same code drives the
 * simulated bus of the benches and a board. No globals, no allocation of its own; one struct
 * gmmu_drv per MMU; calls on one struct must not overlap.
 *
 * Functions return 0, or a negative enum gmmu_drv_error; page tables and registers are then as
 * before the call unless the function says otherwise. But after GMMU_DRV_BUS and GMMU_DRV_TIMEOUT
 * page tables may be changed already (map has mapped, unmap has unmapped), and the hardware may use
 * what they held before: invalidate again before frames are used for something else. Addresses are
 * in bytes; ranges are page granular. Waiting ends after poll_limit polls (GMMU_DRV_TIMEOUT). How
 * software uses the MMU: docs/driver.md.
 */
#ifndef GMMU_DRIVER_H
#define GMMU_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gmmu_drv_error {
  GMMU_DRV_OK = 0,
  GMMU_DRV_BUS = -1,       /**< a register access failed */
  GMMU_DRV_NOT_GMMU = -2,  /**< ID, map version or a parameter is not ours */
  GMMU_DRV_ARGUMENT = -3,  /**< unaligned, empty, out of range, not canonical, not built */
  GMMU_DRV_NO_MEMORY = -4, /**< alloc_page gave none */
  GMMU_DRV_EXISTS = -5,    /**< already mapped, ASID already open */
  GMMU_DRV_ABSENT = -6,    /**< not mapped, ASID not open */
  GMMU_DRV_PARTIAL = -7,   /**< part of a 2 MiB page or of a coalesced frame: splinter it first */
  GMMU_DRV_NOT_CONTIGUOUS =
      -8, /**< coalesce: not 512 pages in order on an aligned frame with equal permissions */
  GMMU_DRV_TIMEOUT = -9,  /**< a command was not acknowledged in time */
  GMMU_DRV_REFUSED = -10, /**< the hardware refused a command */
  GMMU_DRV_COPY = -11     /**< the caller's copy of a page failed */
};
const char *gmmu_drv_error_name(int error);

/** What the driver needs of its surroundings. */
struct gmmu_drv_bus {
  void *arg;
  int (*read_reg)(void *arg, uint32_t offset, uint32_t *value); /**< 0, or not 0 on a bus error */
  int (*write_reg)(void *arg, uint32_t offset, uint32_t value);
  uint64_t (*read_mem)(void *arg, uint64_t pa); /**< 8 bytes, aligned, as the walker sees them */
  void (*write_mem)(void *arg, uint64_t pa, uint64_t value); /**< one single write of 8 bytes */
  int (*alloc_page)(void *arg,
                    uint64_t *pa); /**< 4 KiB for a table, in a walk window; 0 on success */
  void (*free_page)(void *arg, uint64_t pa);
  /** Optional (NULL: not there): atomic compare-and-swap. Writes value if the 8 bytes are
   * `expected`; returns what they were. With Svadu it must be atomic against the exclusive accesses
   * of the hardware. */
  uint64_t (*swap_mem)(void *arg, uint64_t pa, uint64_t expected, uint64_t value);
};

/** Contents of a build, from its registers. */
struct gmmu_drv_build {
  uint32_t ports, natives, asids, asid_w, va_w, pa_w, windows, fault_entries;
  bool coalescer, hw_ad, perf, unified, large, sv48, co_rsw, tokens, sched, copy, pte_exclusive;
};

#define GMMU_DRV_MAX_ASIDS 128
struct gmmu_drv {
  struct gmmu_drv_bus bus;
  struct gmmu_drv_build build;
  uint64_t root[GMMU_DRV_MAX_ASIDS];  /**< PA of the root table, 0: not open */
  uint8_t levels[GMMU_DRV_MAX_ASIDS]; /**< 3 or 4 */
  bool ext[GMMU_DRV_MAX_ASIDS];
  uint64_t unlinked; /**< empty tables that 2 MiB pages replaced and the hardware may still read */
  uint32_t poll_limit;
};

/** Reads the build, turns interrupts, contexts and windows off, takes the records that stand in the
 * fault queue out of it and invalidates everything. Ports stay as they are. */
int gmmu_drv_init(struct gmmu_drv *d, const struct gmmu_drv_bus *bus);

/** Allows [first, last] (byte addresses, whole pages) for table reads and/or data. A closed window:
 * both false. */
int gmmu_drv_window(struct gmmu_drv *d, unsigned window, uint64_t first, uint64_t last, bool walk,
                    bool data);

enum gmmu_drv_port_mode { GMMU_DRV_PASS = 0, GMMU_DRV_TRANSLATE = 1, GMMU_DRV_HOLD = 2 };
enum gmmu_drv_asid_from {
  GMMU_DRV_FROM_REGISTER = 0,
  GMMU_DRV_FROM_USER = 1,
  GMMU_DRV_FROM_SSID = 2,
  GMMU_DRV_FROM_ID = 3
};
struct gmmu_drv_port {
  enum gmmu_drv_port_mode mode;
  enum gmmu_drv_asid_from asid_from;
  unsigned shift;  /**< first bit of the ASID in AxUSER or AxID */
  unsigned asid;   /**< with GMMU_DRV_FROM_REGISTER */
  bool error_mode; /**< faults end bursts; else they wait for a retry */
  unsigned fetch;  /**< 0: ARPROT[2] says what is a fetch, 1: none is, 2: all reads are */
};
int gmmu_drv_set_port(struct gmmu_drv *d, unsigned port, const struct gmmu_drv_port *settings);

/** Opens an address space with an empty root table. sv48 needs build.sv48. */
int gmmu_drv_open(struct gmmu_drv *d, unsigned asid, bool sv48, bool ext, bool sum, bool mxr);
/** Turns it off, invalidates it and gives its tables back. */
int gmmu_drv_close(struct gmmu_drv *d, unsigned asid);

/* Permissions: low PTE bits. A and D are set by map (D with W), as the hardware faults on clear
 * bits (Svade); see gmmu_drv_map_clear(). */
#define GMMU_DRV_R (1u << 1)
#define GMMU_DRV_W (1u << 2)
#define GMMU_DRV_X (1u << 3)
#define GMMU_DRV_U (1u << 4)

/** Maps [va, va + bytes) to [pa, pa + bytes) with 4 KiB pages, or 2 MiB pages when large (all
 * multiples of it). What is mapped already is an error; empty tables that 2 MiB pages replace are
 * given back, behind an invalidation. Then tells the hardware, which retries faulted bursts. */
int gmmu_drv_map(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes,
                 unsigned perms, bool large);
/** The same with A and D clear, for a build that sets them (build.hw_ad; else GMMU_DRV_ARGUMENT).
 */
int gmmu_drv_map_clear(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t pa, uint64_t bytes,
                       unsigned perms, bool large);
/** Reads and clears A and D of the native leaves of [va, va + bytes), then invalidates and waits as
 * unmap does: what is used from then on sets them again. Calls `page` for each mapped leaf, with
 * the first address of it in the range. Nobody may use the range meanwhile (a kernel that ended):
 * without bus.swap_mem a bit that is set between its read and its clearing is lost. Part of a 2 MiB
 * page, or a coalesced frame (it carries no A and D by hardware): GMMU_DRV_PARTIAL, and nothing is
 * changed. */
int gmmu_drv_harvest(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes,
                     void (*page)(void *arg, uint64_t va, bool accessed, bool dirty), void *arg);
/** Unmaps what is mapped in [va, va + bytes), and waits until nothing uses it: the frames are then
 * free. */
int gmmu_drv_unmap(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes);
/** Changes the permissions of mapped pages; waits as unmap does. */
int gmmu_drv_protect(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes,
                     unsigned perms);
/**
 * Moves the page of 4 KiB at va to the frame at pa while it is in use: no store is lost,
 * permissions, A and D stay, and the old frame is free when it returns 0. `copy` copies 4 KiB
 * between physical addresses (0: done); NULL: the hardware's page copy, which needs build.copy and
 * both frames in windows for data. What caches hold of the frames is the caller's business, as for
 * gmmu_drv_copy_page.
 *
 * Loads go on; stores to the page fault meanwhile and are retried at the end (with Svadu and
 * without swap_mem: all accesses to its 2 MiB that walk). So a port that stores there must be in
 * stall mode, and records of such faults come later: docs/driver.md.
 *
 * GMMU_DRV_PARTIAL: a page of 2 MiB or of a coalesced frame. GMMU_DRV_REFUSED, GMMU_DRV_COPY: the
 * copy failed; the page is where it was, with its permissions. GMMU_DRV_BUS, GMMU_DRV_TIMEOUT: it
 * is in either frame, perhaps without W: use neither for something else.
 */
int gmmu_drv_remap(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t pa,
                   int (*copy)(void *arg, uint64_t to, uint64_t from), void *arg);
/** PA and PTE of a mapped address; GMMU_DRV_ABSENT if none. */
int gmmu_drv_lookup(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t *pa, uint64_t *pte);

/** Makes the large frame of va one translation without moving data or flushing (Mosaic
 * section 4.3): CO in the frame PTE, then DIS in its leaves; by the hardware's coalescer where it
 * is built. Needs ext; the 512 pages must be mapped to one aligned 2 MiB frame in order with equal
 * permissions. */
int gmmu_drv_coalesce(struct gmmu_drv *d, unsigned asid, uint64_t va);
/** Undoes it (Mosaic section 4.4): DIS, CO, then the frame is invalidated. */
int gmmu_drv_splinter(struct gmmu_drv *d, unsigned asid, uint64_t va);

/** Copies the 4 KiB at physical address `from` to `to` by the hardware's page copy (Mosaic
 * section 4.4). Needs build.copy; both in windows for data. Nobody may use either page, and what
 * caches hold of them is the caller's business. GMMU_DRV_REFUSED: outside the windows, or a memory
 *  error, after which the content of `to` is undefined. */
int gmmu_drv_copy_page(struct gmmu_drv *d, uint64_t to, uint64_t from);

/** The ports that the running command waits for (CMD_HELD): says who keeps a command that ended in
 * GMMU_DRV_TIMEOUT. 0 while the MMU itself is at work, or none runs. */
int gmmu_drv_held(struct gmmu_drv *d, uint32_t *ports);
/** Invalidates; returns when it is acknowledged and no burst uses an old translation. A range: all
 * pages that it touches, both ends canonical and in the same half. */
int gmmu_drv_invalidate_all(struct gmmu_drv *d);
int gmmu_drv_invalidate_asid(struct gmmu_drv *d, unsigned asid);
int gmmu_drv_invalidate_range(struct gmmu_drv *d, unsigned asid, uint64_t va, uint64_t bytes);
/** All bursts that were issued before the call have ended, and no translation is held. */
int gmmu_drv_sync(struct gmmu_drv *d);

struct gmmu_drv_fault {
  uint64_t va;
  unsigned cause, access, asid, port,
      id; /**< cause: docs/faults.md; access: 0 read, 1 write, 2 execute, 3 atomic */
  bool user, write_channel;
};
/** What a handler says of a fault. */
enum gmmu_drv_verdict { GMMU_DRV_RESOLVED = 0, GMMU_DRV_LATER = 1 };
/** Interrupts for faults on or off. */
int gmmu_drv_fault_irq(struct gmmu_drv *d, bool on);
/** Takes the oldest record out of the queue: 1, 0 when there is none, or an error. */
int gmmu_drv_next_fault(struct gmmu_drv *d, struct gmmu_drv_fault *f);
/** To be called on an interrupt: gives every record that stands in the queue to `handle`, then
 * retries the faulted bursts if one was resolved or a record was lost. Returns the number of
 * records, or an error. Records that come meanwhile raise the interrupt again. */
int gmmu_drv_handle_faults(struct gmmu_drv *d,
                           int (*handle)(void *arg, const struct gmmu_drv_fault *f), void *arg);

/* Settings that only some builds have (docs/settings.md). What the hardware would change to fit its
 * range is refused. */
/** Cycles of an epoch. Needs build.tokens or build.sched. */
int gmmu_drv_set_epoch(struct gmmu_drv *d, uint32_t cycles);
struct gmmu_drv_tokens {
  bool free;              /**< every warp may fill the L2 TLB */
  unsigned start_percent; /**< first tokens of an application, of its warps: 0..100; MASK: 80 */
  unsigned step_log2;     /**< a step is one warp in 2^step_log2: 0..7; MASK: 4 */
  unsigned points; /**< percentage points of miss rate that ask for a step: 0..100; MASK: 2 */
};
/** Needs build.tokens. */
int gmmu_drv_set_tokens(struct gmmu_drv *d, const struct gmmu_drv_tokens *settings);
struct gmmu_drv_scheduler {
  unsigned apps;      /**< applications that get silver turns: 1..asids */
  unsigned quota_max; /**< 1..1023; MASK: 500 */
  unsigned timeout;   /**< cycles, 1..65535 */
  unsigned age_cap;   /**< cycles, 0: never, a multiple of 4 up to 65532 */
};
/** Settings of the DRAM scheduler outside. Needs build.sched. */
int gmmu_drv_set_scheduler(struct gmmu_drv *d, const struct gmmu_drv_scheduler *settings);

#define GMMU_DRV_COUNTERS 12
/** Reads all counters as of one cycle (docs/regs-map.md, PERF_LO), and restarts them if clear. */
int gmmu_drv_counters(struct gmmu_drv *d, bool clear, uint64_t value[GMMU_DRV_COUNTERS]);

#ifdef __cplusplus
}
#endif
#endif
