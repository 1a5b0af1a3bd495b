/* SPDX-License-Identifier: Apache-2.0 */
/**
 * gdm_int.h - what the files of the device memory manager share. Rules: docs/gdm.md.
 *
 * sim.c: time, threads, events. api.c: the calls. region.c: regions, objects, blocks, frames,
 * mappings. copy.c: copies from the host. copyout.c: copies to the host. queue.c: kernels. exec.c:
 * kernels that run. engine.c: the copy engines' work. replace.c: LRU-COST. sign.c: signatures.
 * gdev.c: Gdev's rule.
 */
#ifndef GMMU_GDM_INT_H
#define GMMU_GDM_INT_H

#include <pthread.h>
#include <setjmp.h>

#include "gdm/machine.h"
#include "gdm/watch.h"
#include "gmmu_gdm.h"

#define GDM_MAX_ENGINES 4
#define GDM_ASIDS 64
#define SIGN_CHUNK 16384u /* bytes that one thread of the maintenance kernel hashes */
#define MD5_BYTES 16u

enum block_state { BLOCK_OUT, BLOCK_LOADING, BLOCK_IN, BLOCK_EVICTING };
enum block_status { STATUS_CLEAN, STATUS_DIRTY, STATUS_UNKNOWN };

/** Bytes of a block that the host has newer than the device, which is otherwise newer than the
 * host. */
struct patch {
  uint32_t off, len;
  struct patch *next;
};
/** Part of a block whose host's copy is in the application's memory: the source of a copy, or where
 * the block was copied out to. */
struct extent {
  struct gdm_watch_range w;
  uint32_t off;
  struct extent *next;
};
struct block {
  struct region *r;
  uint32_t index, bytes, pages; /**< bytes of the region in it, device pages */
  uint64_t va;
  enum block_state state;
  bool mapped, cancelled;   /**< LOADING: the host's data changed meanwhile */
  enum block_status status; /**< IN: device against host */
  uint64_t *frame;          /**< physical address of each page, when not OUT */
  uint8_t *page_dirty;      /**< hardware dirty bits, one per page */
  unsigned pins;
  uint64_t kernel,
      touched; /**< id of the last kernel that needs or touched it; that touched it (with faults) */
  bool blank;  /**< the host has never had data: zeros */
  bool was_in; /**< has been on the device since its data came from the application */
  bool recent; /**< a copy since the last launch */
  bool first;  /**< first block of an object */
  struct extent *extents;
  struct patch *patches;
  uint8_t *sig, *new_sig; /**< of the host's copy; of the device's (MD5_BYTES for each thread) */
  bool sig_valid, new_valid, signing,
      low;       /**< low: its signature is computed only when it is reached */
  bool evidence; /**< dirty because an earlier signature was another */
  bool overwritten_before, overwritten, copied_before,
      copied; /**< since it was last loaded; since then */
  bool in_cost;
  struct block *prev, *next; /**< LRU stack or COST section */
  struct block *fetch_next;  /**< idle prefetch: newest copy first */
  bool to_fetch, fetch_linked;
};
struct region {
  struct gdm_ctx *ctx;
  gdm_ptr va;
  uint64_t bytes;
  uint8_t *staging;
  struct block *block;
  uint32_t blocks;
  struct region *next; /**< of the context, ascending addresses */
  /* Gdev */
  uint64_t id, swapped_with; /**< region's id, or 0 */
  struct region *partner;
  uint64_t *spare; /**< frames of a pair that the smaller region does not use */
  uint32_t spares;
  bool claims; /**< its partner was pushed out for it */
};

enum op_kind { OP_COPY, OP_KERNEL };
enum kernel_state { KERNEL_QUEUED, KERNEL_PREPARING, KERNEL_READY, KERNEL_RUNNING, KERNEL_DONE };
/** What a context was asked for and has not got yet, in order. */
struct op {
  enum op_kind kind;
  struct gdm_ctx *ctx;
  struct op *next;
  /* copy to the device that waits for a kernel */
  gdm_ptr dst;
  uint64_t bytes;
  uint8_t *
      saved; /**< what could not be watched or was written meanwhile; anonymous memory of `bytes` */
  struct extent *extents; /**< off: from dst */
  /* kernel */
  struct gdm_kernel code;
  uint64_t args[GDM_MAX_ARGS], duration, id, start, stalled;
  unsigned nargs;
  enum kernel_state state;
  struct block **need;
  uint32_t needs, room, cursor;
  bool failed;
};
struct gdm_ctx {
  struct gdm *g;
  unsigned asid;
  struct gdm_ctx *next;
  struct part *owner;
  struct region *regions;
  uint64_t next_va;
  struct op *ops, **ops_end;
  int error; /**< sticky */
  struct gdm_fault_record fault;
  struct gdm_stats stats;
  struct gdm_watch_count cow;
  uint64_t cow_charged;
};

/** A thread that takes turns. */
struct part {
  struct gdm *g;
  struct part *next;
  pthread_t thread;
  pthread_cond_t turn;
  bool has_thread, ended;
  bool (*ready)(void *arg);
  void *arg;
  const char *why;
  char name[32];
  void (*main)(void *arg);
  void *main_arg;
  struct gdm_ctx *current;
};

struct gdm_exec {
  struct gdm *g;
  struct op *k;
  unsigned engine;
  uint64_t ran; /**< on a core of the machine */
  jmp_buf end;
  struct scratch {
    struct scratch *next;
  } *scratch;
};
enum engine_job { ENGINE_IDLE, ENGINE_KERNEL, ENGINE_SIGN };
struct engine {
  struct gdm *g;
  unsigned index;
  enum engine_job job;
  struct part worker;
  struct gdm_exec exec;
  bool go;              /**< the worker has a kernel to execute */
  struct block *fault;  /**< block that the kernel waits for */
  bool fault_lost;      /**< it cannot be had */
  struct block **signs; /**< maintenance kernel's blocks; NULL: gone meanwhile */
  uint32_t num_signs;
  uint64_t start;
};
/** A transfer of one block, or part of one. */
struct transfer {
  struct gdm *g;
  bool busy, counted;
  unsigned index;
  int kind; /**< enum gdm_event_kind: HTOD, DTOH, EVICT */
  struct block *b;
  struct patch *patch;
  struct copyout *out;
  bool fetch;
  uint64_t start, ns, bytes;
};
/** A copy that its application waits for. */
struct copyout {
  struct gdm_ctx *ctx;
  struct copyout *next;
  bool in; /**< to the device (policies that copy at once) */
  uint8_t *dst;
  gdm_ptr src;
  uint64_t bytes, done, host_bytes;
  uint64_t watch_lo, watch_hi; /**< bytes of dst that can be watched: whole pages */
  int prot;                    /**< of these */
  struct block *held;          /**< in: the block it is at */
  bool busy, ended;
  int error;
};

typedef void (*event_fn)(struct gdm *g, void *arg);
struct event {
  uint64_t at, seq;
  event_fn fn;
  void *arg;
};
struct list {
  struct block *head, *tail; /* head: last to go */
  uint32_t n;
};
struct gdm {
  struct gdm_config c;
  uint64_t now, seq;
  struct event *heap;
  size_t events, event_room;
  struct gmmu_rng rng;
  /* threads */
  pthread_mutex_t lock;
  struct part outside, *parts, *turn;
  unsigned apps_left;
  bool quit;
  char message[256];
  /* hardware */
  struct gdm_model *model;
  struct gdm_machine m;
  struct gmmu_drv drv;
  uint64_t va_first, va_end; /**< of regions */
  uint64_t pte_ns, debt_ns,
      fresh_page; /**< debt: page table work that the next transfer waits for */
  uint64_t *frames, free_frames, total_frames;
  struct engine engine[GDM_MAX_ENGINES];
  struct transfer copy[GDM_MAX_ENGINES];
  /* manager */
  struct gdm_ctx *ctxs;
  uint64_t next_kernel, next_region;
  struct op *preparing;
  unsigned prepare_after, run_after; /**< ASID whose turn was last */
  bool copy_turn, sign_turn;
  struct copyout *outs;
  struct list lru, cost;
  struct block **to_sign;
  uint32_t num_to_sign, sign_room;
  struct block *fetch;
  struct gdm_stats gone; /**< of contexts that were destroyed */
  struct gdm_stats stats;
  uint8_t *bounce; /**< a block's bytes on their way */
  bool pumping, pump_again;
};

enum step { STEP_DONE, STEP_STARTED, STEP_BLOCKED, STEP_NEVER };

/* api.c */
void gdm_pte_access(struct gdm *g); /**< one access to a PTE over PCIe */

/* sim.c */
struct part *gdm_me(struct gdm *g);
void gdm_at(struct gdm *g, uint64_t at, event_fn fn, void *arg);
void gdm_wait(struct gdm *g, bool (*ready)(void *arg), void *arg, const char *why);
void gdm_delay(struct gdm *g, uint64_t ns);
int gdm_sim_init(struct gdm *g);
void gdm_sim_end(struct gdm *g);
void gdm_start_part(struct gdm *g, struct part *p, bool first);
void gdm_tell(struct gdm *g, int kind, unsigned engine, unsigned asid, uint64_t start,
              uint64_t bytes, const char *name);
uint64_t gdm_bytes_ns(uint64_t bytes, uint64_t rate);
struct gdm_ctx *gdm_current(void);

/* region.c */
struct region *gdm_find(const struct gdm_ctx *c, gdm_ptr at);
struct block *gdm_block_at(const struct gdm_ctx *c, gdm_ptr at);
int gdm_region_new(struct gdm_ctx *c, uint64_t bytes, struct region **out);
void gdm_region_free(struct region *r);
void gdm_split(struct region *r, uint64_t off, uint64_t bytes);
void gdm_object(const struct block *b, uint32_t *first, uint32_t *last);
bool gdm_take_frames(struct gdm *g, struct block *b);
void gdm_give_frames(struct gdm *g, struct block *b);
int gdm_map_block(struct gdm *g, struct block *b);
void gdm_unmap_block(struct gdm *g, struct block *b);
void gdm_harvest_block(struct gdm *g, struct block *b, bool *accessed);
void gdm_device_read(struct gdm *g, const struct block *b, uint32_t off, void *to, uint32_t len);
void gdm_device_write(struct gdm *g, const struct block *b, uint32_t off, const void *from,
                      uint32_t len);
void gdm_host_read(const struct block *b, uint32_t off, void *to, uint32_t len);
void gdm_to_staging(struct block *b); /**< device -> staging, all but what the host has newer;
                                         sources are given up */
uint8_t *gdm_staging(const struct block *b);
void gdm_drop_extents(struct block *b);
void gdm_resolve_extents(struct block *b, uint32_t off, uint32_t len);
void gdm_loaded(struct gdm *g, struct block *b);
void gdm_leave_device(struct gdm *g,
                      struct block *b);  /**< unmaps, frees frames; what the device had is lost */
void gdm_check_sources(struct block *b); /**< a clean block whose source was written is dirty */
void gdm_peek(struct gdm_ctx *c, gdm_ptr at, void *to,
              size_t n); /**< for tests: what the application would read */

/* copy.c */
void gdm_commit_copy(struct gdm *g, struct op *o);
int gdm_copy_in(struct gdm_ctx *c, gdm_ptr dst, const void *src, size_t n);
struct extent *gdm_extent(const uint8_t *src, uint8_t *to, size_t len, int prot, uint32_t off,
                          struct gdm_watch_count *count, enum gdm_watch_mode mode);
void gdm_op_free(struct op *o);

/* copyout.c */
void gdm_copy_out_watch(struct copyout *o); /**< what of its buffer can be watched */
enum step gdm_copy_out_step(struct gdm *g, struct transfer *t, struct copyout *o);

/* queue.c */
void gdm_pump(struct gdm *g);
int gdm_plan(struct op *k, const gdm_ptr *objects, unsigned n);
bool gdm_idle(void *ctx);
void gdm_need(struct op *k, struct block *b);
void gdm_revert(struct gdm *g, struct op *k);
bool gdm_shed(struct gdm *g, struct op *k);
void gdm_kernel_end(struct gdm *g, void *engine); /**< an event: the kernel's time is over */
/** A kernel has the block from now on: it is not known to be clean any more. */
void gdm_may_be_written(struct gdm *g, struct block *b);

/* exec.c */
void gdm_kernel_main(void *engine); /**< of a kernel engine's thread */

/* engine.c */
enum step gdm_load_step(struct gdm *g, struct transfer *t, struct block *b, bool fetch);
bool gdm_copy_start(struct gdm *g, struct transfer *t);
void gdm_host_is_current(struct gdm *g, struct block *b); /**< it gets all that the device has */
bool gdm_evict(struct gdm *g, struct transfer *t, struct block *v);
void gdm_transfer(struct gdm *g, struct transfer *t, int kind, struct block *b, uint64_t bytes,
                  bool fill);
void gdm_transfer_bytes(struct transfer *t,
                        uint64_t bytes); /**< the transfer that just started moves this much */

/* replace.c */
void gdm_list_top(struct list *l, struct block *b);
void gdm_list_remove(struct list *l, struct block *b);
void gdm_used(struct gdm *g, struct block *b);   /**< to the top of the LRU stack */
void gdm_forget(struct gdm *g, struct block *b); /**< out of both */
void gdm_place(struct gdm *g,
               struct block *b); /**< to its place in the COST section, if it is there */
/** The block to evict; NULL: *wait says whether a signature is awaited. */
struct block *gdm_victim(struct gdm *g, bool *wait);

/* sign.c */
uint32_t gdm_threads(const struct block *b);
void gdm_sign_block(struct gdm *g, const struct block *b, uint8_t *sig);
void gdm_sign_bytes(const uint8_t *data, uint32_t bytes, uint32_t threads, uint8_t *sig);
void gdm_want_sign(struct gdm *g, struct block *b);
void gdm_unwant_sign(struct gdm *g, struct block *b);
bool gdm_sign_start(struct gdm *g, struct engine *e);
void gdm_sign_refill(struct gdm *g);
uint64_t gdm_sign_transfer(const struct gdm *g, const struct block *b);

/* gdev.c */
enum step gdm_gdev_step(struct gdm *g, struct transfer *t, struct op *k);
enum step gdm_gdev_region(struct gdm *g, struct transfer *t, struct region *r);
void gdm_gdev_out(struct gdm *g, struct block *b);
void gdm_gdev_forget(struct gdm *g, struct region *r);

#endif
