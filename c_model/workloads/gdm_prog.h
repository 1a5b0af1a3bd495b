/* SPDX-License-Identifier: Apache-2.0 */
/**
 * gdm_prog.h - the eight benchmarks of GDM's evaluation (GDM section 6.1) and its malicious program
 * (6.5), as programs of a host: allocations, copies, kernel launches and work of the CPU, in order.
 * Kernels compute real results on real bytes that they read and write through struct gdm_prog_mem.
 * docs/gdm-benchmarks.md
 *
 * Regions come from sim/gdm/regions.ini, shares of time from sim/gdm/shares.ini. Sizes are divided
 * by `scale` (a power of two, 1 to 64). Times are nanoseconds, already divided by it. Nothing here
 * knows a clock or a manager: whoever runs a program plays its steps (gdm_prog_flat: on plain
 * memory, the reference of every result).
 */
#ifndef GMMU_WORKLOADS_GDM_PROG_H
#define GMMU_WORKLOADS_GDM_PROG_H

#include "gmmu.h"

/** Device memory as a kernel sees it. get and put return 0, or not 0 if the access was refused: the
 * kernel then ends at once. They may also not return at all, so a kernel owns nothing: `scratch` is
 * zeroed memory that whoever runs it releases, or NULL. */
struct gdm_prog_mem {
  void *arg;
  int (*get)(void *arg, uint64_t va, void *to, uint64_t bytes);
  int (*put)(void *arg, uint64_t va, const void *from, uint64_t bytes);
  void *(*scratch)(void *arg, uint64_t bytes);
};
/** A kernel: 0, or what an access returned. Arguments are addresses, sizes, and floats as bits of
 * their low word. */
typedef int (*gdm_prog_kernel)(const struct gdm_prog_mem *m, const uint64_t *arg);

#define GDM_PROG_REGIONS 128
#define GDM_PROG_BUFS 8
#define GDM_PROG_ARGS 8
#define GDM_PROG_SCALARS 4

enum gdm_prog_step_kind {
  GDM_PROG_ALLOC,  /**< region */
  GDM_PROG_FREE,   /**< region */
  GDM_PROG_HTOD,   /**< region + offset <- buf + buf_offset, bytes */
  GDM_PROG_DTOH,   /**< the other way; waits for what was launched before */
  GDM_PROG_LAUNCH, /**< kernel with args */
  GDM_PROG_HOST /**< work of the CPU: host(l), if there is one; after what was copied out before */
};

struct gdm_prog;
struct gdm_prog_arg {
  enum {
    GDM_PROG_VALUE,
    GDM_PROG_REGION,
    GDM_PROG_SCALAR
  } kind; /**< itself, VA of region v, l->scalar[v] at the launch */
  uint64_t v;
};
struct gdm_prog_step {
  enum gdm_prog_step_kind kind;
  int region, buf;
  uint64_t offset, buf_offset, bytes;
  const char *name; /**< of the kernel */
  gdm_prog_kernel kernel;
  struct gdm_prog_arg arg[GDM_PROG_ARGS];
  int num_args;
  bool names_objects; /**< the launch names its objects: the regions among its arguments (GDM
                         section 4.3's interface) */
  void (*host)(struct gdm_prog *l);
  double weight; /**< share of a launch in all kernel time, of HOST in all CPU time; any unit */
  uint64_t ns;   /**< the time itself: set by gdm_prog_times() */
};

struct gdm_prog_region {
  char name[16];
  uint64_t bytes;
};
struct gdm_prog_buf {
  unsigned char *p; /**< whole pages of its own */
  uint64_t bytes;
  void (*fill)(struct gdm_prog *l, struct gdm_prog_buf *b); /**< NULL: only written by copies out */
  bool written; /**< the host writes to it: filled again for each repetition */
};

struct gdm_prog {
  const char *name;
  uint64_t seed;
  unsigned scale;
  struct gdm_prog_region region[GDM_PROG_REGIONS];
  int num_regions;
  struct gdm_prog_buf buf[GDM_PROG_BUFS];
  int num_bufs;
  struct gdm_prog_step *step;
  int num_steps, cap_steps;
  struct gdm_prog_step nowhere; /**< written to, never read, once building has failed */
  int loop; /**< -1, or the step to go on with after the last: the program does not end by itself */
  uint64_t dims[4]; /**< sizes that its host functions need */
  uint64_t scalar[GDM_PROG_SCALARS];
  uint64_t dma_bytes;    /**< copied by one repetition */
  uint64_t table1, peak; /**< bytes allocated in all, and at one time */
};

extern const char *const gdm_prog_names[]; /**< the eight, then "malicious" */
#define GDM_PROG_BENCHMARKS 8
#define GDM_PROG_PROGRAMS 9

/** Builds program `name` and fills its buffers. */
int gdm_prog_new(struct gdm_prog **out, const char *name, const char *regions_ini, unsigned scale,
                 uint64_t seed, struct gmmu_err *err);
void gdm_prog_free(struct gdm_prog *l);
/** Before each repetition but the first: buffers as they were. */
void gdm_prog_again(struct gdm_prog *l);

/** Percent of the time alone. */
struct gdm_prog_shares {
  double dma, kernel, cpu;
  double kernel_ms; /**< of one launch, for a program that copies nothing */
};
int gdm_prog_shares_read(struct gdm_prog_shares *s, const char *name, const char *shares_ini,
                         struct gmmu_err *err);
/** DMA share times `factor`, against the kernels', which keep at least 5 percent. */
void gdm_prog_shares_scale(struct gdm_prog_shares *s, double factor);
/** Times of kernels and CPU, from the time of a repetition's copies at `bytes_per_ns`. */
void gdm_prog_times(struct gdm_prog *l, const struct gdm_prog_shares *s, double bytes_per_ns);

/** XXH64 of bytes, as all results are compared. */
uint64_t gdm_prog_hash(const void *p, uint64_t bytes);
/** Plays one repetition on plain memory, without any manager; hash[i] of step i: what DTOH gave, or
 * the region's bytes before FREE; last[r]: bytes of region r where it is never freed. Arrays of
 * num_steps and num_regions. A program with a loop goes `loops` times through it. */
int gdm_prog_flat(struct gdm_prog *l, unsigned loops, uint64_t *hash, uint64_t *last,
                  struct gmmu_err *err);

#endif
