/* SPDX-License-Identifier: Apache-2.0 */
/**
 * gmmu_gdm.h - device memory manager above the gmmu's driver (GDM, SIGMETRICS 2014, sections 4 and
 * 5) and the device it runs on.
 *
 * Device memory is taken away from applications: allocations land in staging areas of host memory,
 * data goes to the device when a kernel that needs it is launched, and what is not used is pushed
 * out. One application context is one ASID. Rules and decisions: docs/gdm.md.
 *
 * Calls mean what CUDA's driver API means by them, in the same argument order, and return 0 or an
 * error with CUDA's number; a call that fails has changed nothing. They work on the calling
 * thread's current context (gdm_ctx_create makes the new one current). Time is simulated, in
 * nanoseconds, and the same for a seed: a call that waits lets time pass. Sizes are bytes.
 */
#ifndef GMMU_GDM_H
#define GMMU_GDM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu.h"
#include "gmmu_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t gdm_ptr; /**< device virtual address */
struct gdm;               /**< a device with its manager */
struct gdm_ctx;           /**< an application's context: an address space */

/** CUDA's numbers. */
enum gdm_error {
  GDM_SUCCESS = 0,
  GDM_ERROR_INVALID_VALUE =
      1, /**< allocation of 0, not an allocation, across its end, unknown object */
  /* Of the device. Where the simulator itself gets no memory of the host it ends by abort(). */
  GDM_ERROR_OUT_OF_MEMORY =
      2, /**< address space, device memory, or a launch that cannot be made to fit */
  GDM_ERROR_INVALID_CONTEXT = 201, /**< the thread has no current context */
  GDM_ERROR_ILLEGAL_ADDRESS = 700, /**< sticky: a kernel touched what it may not; every later call
                                      of the context fails so */
  GDM_ERROR_LAUNCH_OUT_OF_RESOURCES =
      701, /**< sticky: a kernel that loads on demand touched more than the device has */
  GDM_ERROR_NOT_SUPPORTED = 801,
  GDM_ERROR_UNKNOWN = 999 /**< the driver failed (gdm_last_message) */
};
const char *gdm_error_name(int error); /**< "GDM_ERROR_OUT_OF_MEMORY" */

/* ---------------------------------------- system */
enum gdm_policy {
  GDM_POLICY_NONE, /**< allocation takes device memory and fails when it is full */
  GDM_POLICY_GDEV, /**< whole regions; one victim, section 6.3's rule */
  GDM_POLICY_BASE, /**< section 6.4: eager copies, LRU, all victims written back, whole contexts */
  GDM_POLICY_GDM
};
enum gdm_dirty {
  GDM_DIRTY_SIGNATURE, /**< MD5 by maintenance kernels (sections 4.4, 5.2) */
  GDM_DIRTY_HW /**< D and A of the leaf PTEs, set by the MMU (Svadu), harvested when a kernel ends
                */
};
enum gdm_watch {
  GDM_WATCH_EAGER, /**< a copy's source is copied to the staging area at once */
  GDM_WATCH_COW    /**< its whole pages are write-protected and copied when written; needs the
                      interposed calls (gdm_watch_interposed) */
};
/** Were free, munmap, read, ... linked from c_model/gdm/interpose.c? */
bool gdm_watch_interposed(void);

/** What things cost at full size. Times are divided by the scale. */
struct gdm_costs {
  uint64_t pcie_bytes_per_s; /**< 6e9 */
  uint64_t dma_start_ns;     /**< 14000: 98 % of the rate at 4 MiB */
  uint64_t sign_bytes_per_s; /**< 60e9: reading and hashing on the device */
  uint64_t fill_bytes_per_s; /**< 60e9: clearing device memory that nobody has written */
  uint64_t host_bytes_per_s; /**< 8e9: the CPU's copy between host buffers */
  uint64_t kernel_start_ns;  /**< 5000: issue of a kernel, also of a maintenance kernel */
  uint64_t pte_access_ns;    /**< 1000: each PTE read, PTE write and invalidation over PCIe, for a
                                block of two pages (docs/gdm.md) */
  uint64_t fault_ns;         /**< 20000: a replayable fault, without the load */
  uint64_t api_ns;           /**< 1000: each call, on the CPU */
};

enum gdm_event_kind {
  GDM_EVENT_KERNEL,  /**< kernel engine: application kernel (stalls by faults included) */
  GDM_EVENT_SIGN,    /**< kernel engine: maintenance kernel */
  GDM_EVENT_HTOD,    /**< copy engine: a block, or part of one, to the device */
  GDM_EVENT_DTOH,    /**< copy engine: to the host, asked for by a copy */
  GDM_EVENT_EVICT,   /**< copy engine: to the host, to make room */
  GDM_EVENT_HARVEST, /**< A and D read and cleared, and mappings changed, over PCIe */
  GDM_EVENT_MEMORY,  /**< at end_ns the context has `bytes` of device memory */
  GDM_EVENT_KINDS
};
struct gdm_event {
  int kind;
  unsigned engine; /**< index of the kernel or copy engine */
  unsigned asid;
  uint64_t start_ns, end_ns; /**< start == end: MEMORY */
  uint64_t bytes;
  const char *name; /**< kernel's name, or NULL; valid during the call */
};

struct gdm_machine;

struct gdm_config {
  enum gdm_policy policy;
  enum gdm_dirty dirty;
  bool faults; /**< replayable faults: load on demand; else the launch loads all that may be touched
                */
  enum gdm_watch watch;
  unsigned
      scale; /**< power of two, 1..64: divides sizes and times below where they are 0 = default */
  uint64_t seed;
  uint64_t device_bytes;                       /**< 0: 1400 MiB / scale; a multiple of page_bytes */
  uint64_t block_bytes;                        /**< 0: 4 MiB / scale; a power of two */
  uint64_t page_bytes;                         /**< 0: 2 MiB up to scale 2, else 4 KiB */
  unsigned kernel_engines, copy_engines;       /**< 1..4 each */
  double selection_factor;                     /**< 0..1; 0.2 */
  bool uniformity, overwrite, double_transfer; /**< heuristics of section 4.4 */
  bool prefetch;                               /**< idle prefetch (4.3) */
  uint32_t jitter_ppm; /**< gdm_cpu's times vary by this much, by the seed; 10000 */
  struct gdm_costs costs;
  void (*event)(void *arg, const struct gdm_event *e); /**< or NULL; called in order of end_ns */
  void *event_arg;
  const struct gdm_machine
      *machine; /**< NULL: the built-in model (L2 TLB's policy model before the functional walk) */
};
/** Defaults: GDM, signatures, no faults, eager watch, scale 1, all heuristics, the costs above. */
void gdm_config_default(struct gdm_config *c);
/** Checks the configuration; NULL with one line in err. */
struct gdm *gdm_new(const struct gdm_config *c, struct gmmu_err *err);
/** Ends what contexts are left and releases everything. */
void gdm_delete(struct gdm *g);
/** Why the last GDM_ERROR_UNKNOWN. */
const char *gdm_last_message(const struct gdm *g);

/* ---------------------------------------- applications */
/** An application: its main runs on a thread of its own, one application at a time, in simulated
 * time. */
int gdm_app_start(struct gdm *g, const char *name, void (*main)(void *arg), void *arg);
/** Runs all applications to their end. What an application leaves open is destroyed when its main
 * returns. */
void gdm_run(struct gdm *g);
/** The calling application computes for this long; other applications go on. */
void gdm_cpu(uint64_t ns);
uint64_t gdm_now(const struct gdm *g);

/* ---------------------------------------- API */
/** `flags` must be 0. The new context is the thread's current one. */
int gdm_ctx_create(struct gdm_ctx **ctx, unsigned flags, struct gdm *g);
/** Waits for its kernels, then frees everything. NULL: INVALID_CONTEXT. */
int gdm_ctx_destroy(struct gdm_ctx *ctx);
int gdm_ctx_set_current(struct gdm_ctx *ctx); /**< NULL: none */
unsigned gdm_ctx_asid(const struct gdm_ctx *ctx);

int gdm_mem_alloc(gdm_ptr *dptr, size_t bytes);
/** dptr as mem_alloc gave it. Waits for the context's kernels. */
int gdm_mem_free(gdm_ptr dptr);
/** Returns at once (policies none, gdev, base: when the data is on the device). The range lies in
 * one region; of 0 bytes nothing is copied or checked. */
int gdm_memcpy_htod(gdm_ptr dst, const void *src, size_t bytes);
/** Waits for the context's kernels, then for the data. */
int gdm_memcpy_dtoh(void *dst, gdm_ptr src, size_t bytes);
int gdm_synchronize(void);
/** Device memory that an allocation of this context could have: free, or taken from others and from
 * itself (none: free). */
int gdm_mem_get_info(size_t *allocable, size_t *total);

/* ---------------------------------------- kernels */
struct gdm_exec; /**< a kernel that runs */
/** Code of a kernel. It touches device memory only through the accessors below and ends inside one
 * of them when an access faults for good; it must therefore hold nothing that has to be released
 * (scratch memory: gdm_scratch). */
typedef void (*gdm_kernel_fn)(struct gdm_exec *x, const uint64_t *args, unsigned nargs);
struct gdm_kernel {
  const char *name;
  gdm_kernel_fn run;
};
#define GDM_MAX_ARGS 32
#define GDM_MAX_DURATION_NS (UINT64_C(1) << 56) /**< of a kernel: some two years */
/** Queues a kernel. Arguments are 64-bit values; those that lie in a region of the context are its
 * pointers. `duration_ns`: how long it has the kernel engine, at the scale of the run (not
 * divided). `objects`: an address in each object that the kernel needs (section 4.3's interface),
 * or NULL, 0: found from the arguments and the copies before, or the whole context. */
int gdm_launch(const struct gdm_kernel *k, const uint64_t *args, unsigned nargs,
               uint64_t duration_ns, const gdm_ptr *objects, unsigned num_objects);

/** Translates `at` for reading, and gives its address in device memory, good until the kernel ends;
 * *bytes: how many from there lie in the same page (at least 1). For values that a caller reads in
 * order: as fast as the page is large. Built-in machine only. */
const void *gdm_span_read(struct gdm_exec *x, gdm_ptr at, size_t *bytes);
void *gdm_span_write(struct gdm_exec *x, gdm_ptr at, size_t *bytes); /**< may be read as well */
/** Copies between device memory and the kernel's own variables; any length and alignment. */
void gdm_load(struct gdm_exec *x, void *to, gdm_ptr at, size_t bytes);
void gdm_store(struct gdm_exec *x, gdm_ptr at, const void *from, size_t bytes);
/** Zeroed memory of the kernel's own, released when it ends. */
void *gdm_scratch(struct gdm_exec *x, size_t bytes);

/* Kernels that run on cores of the machine (struct gdm_machine without `access`): the code starts
 * the core, lets time pass until it is done, and hands over its faults. Durations of such launches
 * come on top. */
unsigned gdm_exec_asid(const struct gdm_exec *x);
/** Time passes while the kernel runs; transfers and applications go on. */
void gdm_running(struct gdm_exec *x, uint64_t ns);
/** The core's access at `at` faulted, and its record has been taken from the queue. 0 when it can
 * be retried: the block is there. Else the kernel's error, which is its context's now: the core is
 * to be stopped, and the code returns. */
int gdm_demand(struct gdm_exec *x, gdm_ptr at, bool write, int cause);

/* ---------------------------------------- statistics */
struct gdm_stats {
  uint64_t kernels, kernel_ns, stall_ns; /**< kernel_ns without stalls by faults */
  uint64_t signs, sign_ns, blocks_signed,
      blocks_assumed; /**< maintenance kernels; assumed dirty by uniformity */
  uint64_t htod_bytes, htod_ns, dtoh_bytes, dtoh_ns, evict_bytes,
      evict_ns;                      /**< copy engine, by enum gdm_event_kind */
  uint64_t reload_bytes;             /**< of htod_bytes: data that had been on the device before */
  uint64_t evict_clean, evict_dirty; /**< blocks */
  uint64_t prefetch_bytes;           /**< of htod_bytes */
  uint64_t faults;                   /**< replayable ones */
  uint64_t overwritten,
      copied_out; /**< blocks that a copy from or to the host covered whole while resident */
  uint64_t cow_bytes, cow_faults; /**< copied because the source was written */
  uint64_t staged_bytes;          /**< copied to the staging area at once */
  uint64_t pte_accesses, invalidations, harvest_ns;
  uint64_t cpu_ns; /**< gdm_cpu */
  uint64_t resident_bytes, peak_resident_bytes, allocated_bytes, peak_allocated_bytes;
};
/** Of one context, or of all (ctx NULL). Contexts that were destroyed count in the whole. */
void gdm_get_stats(const struct gdm *g, const struct gdm_ctx *ctx, struct gdm_stats *s);

/** Why a context got ILLEGAL_ADDRESS. */
struct gdm_fault_record {
  bool valid;
  gdm_ptr va;
  int cause;  /**< enum gmmu_cause */
  int access; /**< enum gmmu_access */
  unsigned asid;
  char kernel[32];
};
void gdm_last_fault(const struct gdm_ctx *ctx, struct gdm_fault_record *r);

/** Checks every invariant that can be seen from outside the clock (docs/gdm.md): no frame has two
 * owners, mappings say what the manager believes, clean equals the host's copy, lists are whole. -1
 * with the first that does not hold. */
int gdm_check(struct gdm *g, struct gmmu_err *err);

/* ---------------------------------------- machine */
/** The hardware below: the built-in model, or the RTL behind gmmu_axi. Calls come from one thread
 * at a time. */
struct gdm_machine {
  void *arg;
  struct gmmu_drv_bus bus;          /**< registers, table memory and table pages of the driver */
  uint64_t table_first, table_last; /**< where alloc_page's pages lie, both ends inclusive */
  uint64_t data_first; /**< physical address of the device_bytes for data, page aligned */
  void (*dma_write)(void *arg, uint64_t pa, const void *from, size_t bytes);
  void (*dma_read)(void *arg, void *to, uint64_t pa, size_t bytes);
  uint64_t va_first, va_last; /**< addresses that kernels can make, both ends inclusive; 0, 0: 4 GiB
                                 to the end of Sv39's lower half */
  /** One access of a kernel within one page; 0, or the fault's cause; the fault's record is then
   * taken from the driver. NULL: kernels run on cores of the machine, and what they touch is not
   * seen: all that their context has on the device stays while they run. */
  int (*access)(void *arg, unsigned asid, uint64_t va, bool write, void *data, size_t bytes);
  /** Address of the byte at va after a translated access, NULL on a fault (*cause); NULL function:
   * no spans. */
  void *(*span)(void *arg, unsigned asid, uint64_t va, bool write, int *cause);
};

#ifdef __cplusplus
}
#endif
#endif
