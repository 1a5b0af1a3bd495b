/* SPDX-License-Identifier: Apache-2.0 */
/**
 * gmmu.h - public interface of libgmmu, the golden model of the gmmu GPU memory management unit.
 *
 * Conventions, for every function unless it says otherwise
 *   - returns 0 on success and -1 on error; on error one line is in `err` (struct gmmu_err) and no
 *     output argument was changed;
 *   - no globals: every object is created by x_new()/x_init() and released by x_free();
 *   - addresses are bytes (uint64_t); VFN/PFN are addresses >> 12; LFN = address >> 21; cycles are
 *     counts of the MMU clock.
 */
#ifndef GMMU_H
#define GMMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gmmu_events.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GMMU_MAX_SMS 64
#define GMMU_MAX_ASIDS 64
#define GMMU_MAX_WINDOWS 8
#define GMMU_PAGE 4096u
#define GMMU_LARGE_PAGE (512u * 4096u)

/* ---------------------------------------- errors (c_model/common/err.c) */
/** One error line, without "gmmu: " in front and without newline. */
struct gmmu_err {
  char msg[512];
};
/** Formats `err` (may be NULL) and returns -1, so that callers write `return gmmu_fail(err, ...)`.
 */
int gmmu_fail(struct gmmu_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---------------------------------------- random numbers (c_model/common/rng.h) */
/** splitmix64: deterministic everywhere, one 64-bit state word, any seed is legal. */
struct gmmu_rng {
  uint64_t s;
};
static inline uint64_t gmmu_rng_next(struct gmmu_rng *r) {
  uint64_t z = (r->s += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
/** Uniform in [0, n), n > 0 (bias below 2^-32 for n < 2^32). */
static inline uint64_t gmmu_rng_below(struct gmmu_rng *r, uint64_t n) {
  return (uint64_t)(((unsigned __int128)gmmu_rng_next(r) * n) >> 64);
}

/* ---------------------------------------- configuration (c_model/common/config.c) */
/** All keys of a preset file; one line of config.def each (name, default, min, max, scope,
 * meaning). */
struct gmmu_config {
#define GMMU_CFG(name, def, min, max, scope, doc) int64_t name;
#include "gmmu_config.def"
#undef GMMU_CFG
  char name[64]; /**< preset name, for reports */
};
/** Defaults. */
void gmmu_config_default(struct gmmu_config *c);
/** Reads an INI preset ("[gmmu]" section, key = value) over the defaults. Unknown key, bad value,
 * out of range, illegal combination: error with file and line; `c` is then unchanged. */
int gmmu_config_load(struct gmmu_config *c, const char *path, struct gmmu_err *err);
/** The same for a preset of `preset_dir` ("mosaic") or a path (has a '/' or ends in ".ini"). An
 * unknown preset's error lists those that exist. */
int gmmu_config_load_preset(struct gmmu_config *c, const char *name_or_path, const char *preset_dir,
                            struct gmmu_err *err);
/** Sets one key from text ("NumSms", "4"); range-checked. */
int gmmu_config_set(struct gmmu_config *c, const char *key, const char *value,
                    struct gmmu_err *err);
/** Checks rules between keys (powers of two, ways divide entries, ...). */
int gmmu_config_check(const struct gmmu_config *c, struct gmmu_err *err);
/** Writes "-GName=value ..." for every key of scope RTL. */
void gmmu_config_rtl_flags(const struct gmmu_config *c, FILE *f);
/** 16 hex digits that name the RTL build of this configuration: equal iff all RTL keys are equal.
 */
void gmmu_config_rtl_key(const struct gmmu_config *c, char key[17]);

/* ---------------------------------------- memory image (c_model/functional/mem.c) */
/** Sparse physical memory; unwritten bytes read 0. */
struct gmmu_mem;
struct gmmu_mem *gmmu_mem_new(void);
void gmmu_mem_free(struct gmmu_mem *m);
uint64_t gmmu_mem_read64(const struct gmmu_mem *m, uint64_t pa);        /**< pa multiple of 8 */
void gmmu_mem_write64(struct gmmu_mem *m, uint64_t pa, uint64_t value); /**< pa multiple of 8 */
/** Calls fn for every 8-byte word that is not 0, in ascending address order. */
void gmmu_mem_each(const struct gmmu_mem *m, void (*fn)(void *arg, uint64_t pa, uint64_t value),
                   void *arg);

/* ---------------------------------------- translation (c_model/functional/walk.c) */
enum gmmu_access { GMMU_READ = 0, GMMU_WRITE = 1, GMMU_EXEC = 2, GMMU_AMO = 3 };
enum gmmu_mode { GMMU_MODE_OFF = 0, GMMU_MODE_SV39 = 1, GMMU_MODE_SV48 = 2 };

/** Fault causes; the numbers are the RTL's (gmmu_pkg.sv). */
enum gmmu_cause {
  GMMU_OK = 0,
  GMMU_PF_INVALID = 1,      /**< V=0 */
  GMMU_PF_WRITE_ONLY = 2,   /**< W=1 with R=0 */
  GMMU_PF_NO_LEAF = 3,      /**< pointer at the last depth */
  GMMU_PF_NONLEAF_ADU = 4,  /**< A, D or U set in a non-leaf PTE */
  GMMU_PF_ACCESSED = 5,     /**< leaf with A=0 that hardware does not set */
  GMMU_PF_DIRTY = 6,        /**< write to a leaf with D=0 that hardware does not set */
  GMMU_PF_MISALIGNED = 7,   /**< misaligned superpage, or CO frame not 2 MiB aligned */
  GMMU_PF_RESERVED = 8,     /**< reserved PTE bits set */
  GMMU_PERM = 9,            /**< R/W/X/U, SUM, MXR */
  GMMU_NON_CANONICAL = 10,  /**< VA is not sign-extended for the mode */
  GMMU_UNKNOWN_ASID = 11,   /**< no context, or mode off */
  GMMU_AF_WALK_WINDOW = 12, /**< PTE address outside the windows for walks */
  GMMU_AF_PPN_WINDOW = 13,  /**< translated page outside the windows for data */
  GMMU_AF_PPN_WIDTH = 14,   /**< PPN beyond PaW bits */
  GMMU_AF_MEM = 15,         /**< memory answered a walk with an error */
  GMMU_BUS_BURST = 16,      /**< gmmu_axi only: the burst breaks an AXI rule */
  GMMU_NUM_CAUSES = 17
};
/** "ok", "pf_invalid", ... as in a dump file. */
const char *gmmu_cause_name(int cause);
const char *gmmu_access_name(int access); /**< "r" "w" "x" "a" */

/* PTE bits (RISC-V privileged specification; bits 54..63 and DIS: the contiguity extension,
 * docs/walk-rules.md) */
#define GMMU_PTE_V (1ull << 0)
#define GMMU_PTE_R (1ull << 1)
#define GMMU_PTE_W (1ull << 2)
#define GMMU_PTE_X (1ull << 3)
#define GMMU_PTE_U (1ull << 4)
#define GMMU_PTE_G (1ull << 5)
#define GMMU_PTE_A (1ull << 6)
#define GMMU_PTE_D (1ull << 7)
#define GMMU_PTE_DIS (1ull << 8)    /**< leaf: Mosaic's disabled bit */
#define GMMU_PTE_CO_RSW (1ull << 8) /**< frame PTE, with FrameBitsInRsw */
#define GMMU_PTE_AC_RSW (1ull << 9)
#define GMMU_PTE_C(x) (1ull << (54 + (x)))
#define GMMU_PTE_AC (1ull << 62)
#define GMMU_PTE_CO (1ull << 63)
#define GMMU_PTE_PPN(pte) (((pte) >> 10) & ((1ull << 44) - 1))
#define GMMU_PTE_MAKE(pfn, bits) (((uint64_t)(pfn) << 10) | (bits))

/** One address space. */
struct gmmu_ctx {
  uint64_t root_pfn;
  int mode; /**< enum gmmu_mode */
  bool ext; /**< contiguity extension enabled */
  bool sum, mxr;
};
/** Physical range that software allows, page granular, both ends inclusive. */
struct gmmu_window {
  uint64_t lo_pfn, hi_pfn;
  bool walk; /**< page-table reads allowed */
  bool data; /**< translated pages allowed */
};
/** Everything that decides a translation, except memory. */
struct gmmu_env {
  struct gmmu_ctx ctx[GMMU_MAX_ASIDS];
  struct gmmu_window win[GMMU_MAX_WINDOWS];
  int num_asids, num_windows;
  int va_w; /**< 39 or 48: widest mode built */
  int pa_w; /**< physical address bits */
  bool frame_bits_in_rsw;
  bool
      large_answers; /**< a build that holds 2 MiB translations (L2LargeEntries > 0 or L2Unified) */
  bool unified;      /**< a build that follows C and AC (L2Unified) */
  bool svadu;        /**< hardware sets A and D of a page's own leaf (Svadu) */
};
/** Fills everything but ctx and win from a configuration. */
void gmmu_env_from_config(struct gmmu_env *e, const struct gmmu_config *c);

/** Which leaf PTE a walk reads (docs/walk-rules.md): the page's own; of a coalesced frame PTE 0; of
 * a frame with AC PTE 0; of a contiguous subregion (C) its head. The last two in a build with a
 * unified L2 TLB only. */
enum gmmu_walk_path { GMMU_PATH_OWN, GMMU_PATH_CO, GMMU_PATH_AC, GMMU_PATH_C };

/** What a walk returns, before any requester's permission is checked. */
struct gmmu_xlate {
  int cause;    /**< GMMU_OK or the fault; the rest, but reads and pte_pa, is 0 on a fault */
  uint64_t pfn; /**< of the 4 KiB page, or of the 2 MiB frame's first page when large */
  bool r, w, x, u, d;
  bool large;   /**< 2 MiB translation */
  bool no_fill; /**< DIS=1: answer, do not fill */
  uint8_t path; /**< enum gmmu_walk_path of the leaf */
  bool whole;   /**< paths AC and C: the whole frame or subregion may be filled */
  int reads;    /**< PTEs read (with the one that faulted; a read the windows deny is not made) */
  uint64_t pte_pa[8]; /**< their addresses, in order */
};
/** 8-byte PTE read for a walk; returns non-zero for a memory error. */
typedef int (*gmmu_pte_read_fn)(void *arg, uint64_t pa, uint64_t *pte);
/** The walk (docs/walk-rules.md). VFN is VA[47:12]. */
void gmmu_walk(const struct gmmu_env *e, int asid, uint64_t vfn, gmmu_pte_read_fn rd, void *arg,
               struct gmmu_xlate *out);
/** Permission and dirty check of one requester. Returns a cause. */
int gmmu_check_access(const struct gmmu_ctx *ctx, const struct gmmu_xlate *x, int access,
                      bool user);

/** Full translation of one request, as the answer must be. */
struct gmmu_answer {
  int cause;
  uint64_t pa;               /**< 0 on a fault */
  bool may_be_4k, may_be_2m; /**< page sizes the tables allow to be reported */
};
void gmmu_translate(const struct gmmu_env *e, const struct gmmu_mem *m, int asid, uint64_t va,
                    int access, bool user, struct gmmu_answer *out);

/* ---------------------------------------- page tables (c_model/functional/page_table.c) */
enum gmmu_map_kind {
  GMMU_MAP_4K,
  GMMU_MAP_2M,
  GMMU_MAP_COALESCED,
  GMMU_MAP_DEMAND /**< mapping files only: 4 KiB pages that come when touched */
};
#define GMMU_MAX_LEAVES \
  (1u << 23) /**< mapped by one gmmu_tables in its life: work and memory have a bound */
#define GMMU_MAX_VISITS (1u << 26) /**< PTEs that its gmmu_tables_unmap() looks at */
/** Builds tables of all address spaces in one memory image; table frames come from [lo_pfn,
 * hi_pfn]. */
struct gmmu_tables;
struct gmmu_tables *gmmu_tables_new(struct gmmu_mem *m, struct gmmu_env *e, uint64_t lo_pfn,
                                    uint64_t hi_pfn);
void gmmu_tables_free(struct gmmu_tables *t);
/** Gives ASID a root table; mode as enum gmmu_mode. */
int gmmu_tables_add_asid(struct gmmu_tables *t, int asid, int mode, bool ext, struct gmmu_err *err);
/** Maps [va, va+bytes) to [pa, pa+bytes), both multiples of 4 KiB (2 MiB for the other kinds), leaf
 * bits = low 8 PTE bits. Overlap with an existing mapping, misalignment, non-canonical VA, PA
 * beyond pa_w: error and nothing is changed. */
int gmmu_tables_map(struct gmmu_tables *t, int asid, uint64_t va, uint64_t pa, uint64_t bytes,
                    uint64_t bits, int kind, struct gmmu_err *err);
/** Clears V of the leaves in [va, va+bytes); what is not mapped is skipped. A 2 MiB leaf or
 * coalesced frame must be covered whole (its CO is then cleared too), else error and nothing is
 * changed. */
int gmmu_tables_unmap(struct gmmu_tables *t, int asid, uint64_t va, uint64_t bytes,
                      struct gmmu_err *err);
/** Mosaic's in-place change of the 2 MiB frame at va: CO in the frame PTE, DIS in its 512 leaves.
 * Coalesce: all leaves are valid, contiguous from the start of a physical frame, of equal
 * permissions. Splinter: the frame is coalesced. Else error. */
int gmmu_tables_coalesce(struct gmmu_tables *t, int asid, uint64_t va, struct gmmu_err *err);
int gmmu_tables_splinter(struct gmmu_tables *t, int asid, uint64_t va, struct gmmu_err *err);
/** Overwrites the PTE for va at `level` with any value, to build what gmmu_tables_map refuses.
 * Error if no table reaches it. */
int gmmu_tables_set_pte(struct gmmu_tables *t, int asid, uint64_t va, int level, uint64_t pte,
                        struct gmmu_err *err);
/** Physical address of the PTE for va at `level` (0 = 4 KiB leaf, 1 = frame PTE, ...); 0 if no
 * table reaches it. */
uint64_t gmmu_tables_pte_pa(const struct gmmu_tables *t, int asid, uint64_t va, int level);

/* ---------------------------------------- mapping files (c_model/functional/mapping.c) */
/** One line of a mapping file: asid va pa bytes perms [4k|2m|coalesced|demand]. */
struct gmmu_map_line {
  int asid;
  uint64_t va, pa, bytes, bits;
  int kind, line;
  const char *file; /**< of the line, for messages; the reader's path, which must live as long */
};
struct gmmu_mapping {
  struct gmmu_map_line *v;
  size_t n;
};
/** perms: letters of "rwxug", then optionally "!a" and "!d" to clear A and D (set otherwise, D only
 * with w). */
int gmmu_mapping_parse(char *text, struct gmmu_map_line *l,
                       struct gmmu_err *err); /**< one line; changes the text */
int gmmu_mapping_read(struct gmmu_mapping *m, const char *path, struct gmmu_err *err);
int gmmu_mapping_write(const struct gmmu_mapping *m, const char *path, struct gmmu_err *err);
void gmmu_mapping_free(struct gmmu_mapping *m);
/** Applies all lines but demand; ASIDs get a root on first use. Errors name path and line; the
 * tables are then unchanged. */
int gmmu_mapping_apply(const struct gmmu_mapping *m, const char *path, struct gmmu_tables *t,
                       int mode, bool ext, struct gmmu_err *err);
struct gmmu_trace;
/** Chooses frames for every array of a trace (c_model/contig/place.c): fills `out` with lines
 * of `asid`, page rounded (2 MiB rounded for the large kinds; arrays that then share a page share a
 * line), perms "rwu", or "ru" if not writable. Frames come from PFN *next_frame (first rounded up
 * to 2 MiB) to hi_pfn (inclusive): contiguous, or when `scattered` in a random order of pages (of 2
 * MiB frames for the large kinds), one line each. *next_frame is left 2 MiB aligned behind them, so
 * that a next call never overlaps. */
int gmmu_place_arrays(const struct gmmu_trace *t, int asid, int kind, bool scattered, uint64_t seed,
                      uint64_t *next_frame, uint64_t hi_pfn, struct gmmu_mapping *out,
                      struct gmmu_err *err);
/** The same with 4 KiB pages in fragmented memory: `target` (0..1) of the pages lie in contiguous
 * subregions (docs/manager.md). */
int gmmu_place_fragmented(const struct gmmu_trace *t, int asid, double target, uint64_t seed,
                          uint64_t *next_frame, uint64_t hi_pfn, struct gmmu_mapping *out,
                          struct gmmu_err *err);

/* ---------------------------------------- traces (c_model/trace/) */
#define GMMU_LANES 64 /**< most lanes a warp may have */
/** One array of an application. */
struct gmmu_array {
  char name[32];
  uint64_t va, bytes;
  bool writable;
  uint32_t line; /**< of a text trace, for messages; else 0 */
};
/** One warp access: a static load/store executed by a warp, or a compute gap. */
struct gmmu_op {
  uint8_t access;            /**< enum gmmu_access, or GMMU_OP_GAP */
  uint8_t bytes;             /**< per lane: 1, 2, 4, 8 or 16 */
  uint8_t lanes;             /**< number of addresses */
  uint32_t gap;              /**< GMMU_OP_GAP: cycles of computation */
  uint64_t addr[GMMU_LANES]; /**< active lanes only, low to high */
};
#define GMMU_OP_GAP 255

/** Where a generator or a reader puts a trace; every callback may be NULL. Order: arrays, then per
 * launch: launch, then for each block in ascending order and each warp of it: warp, ops... */
struct gmmu_trace_sink {
  void *arg;
  int (*array)(void *arg, const struct gmmu_array *a);
  int (*launch)(void *arg, const char *kernel, uint32_t blocks, uint32_t warps_per_block);
  int (*warp)(void *arg, uint32_t block, uint32_t warp);
  int (*op)(void *arg, const struct gmmu_op *op);
};

/** A whole trace in memory, compactly encoded. */
struct gmmu_trace;
/** Reads binary (zstd) or text, told apart by content. Truncated or corrupt: error with file and
 * line or byte. */
struct gmmu_trace *gmmu_trace_read(const char *path, struct gmmu_err *err);
void gmmu_trace_free(struct gmmu_trace *t);
/** Trace builder: a sink that makes a gmmu_trace in memory. finish() gives the trace (NULL on
 * error) and releases the builder. */
struct gmmu_trace_builder;
struct gmmu_trace_builder *gmmu_trace_builder_new(const char *app_name);
struct gmmu_trace_sink gmmu_trace_builder_sink(struct gmmu_trace_builder *b);
struct gmmu_trace *gmmu_trace_builder_finish(struct gmmu_trace_builder *b, struct gmmu_err *err);
/** The same accesses with 64 lanes a warp: warps 2k and 2k+1 of each block run together, operation
 * by operation; where the two differ (access, bytes), one after the other. NULL on error. */
struct gmmu_trace *gmmu_trace_widen(const struct gmmu_trace *t, struct gmmu_err *err);
/** Writes a temporary file beside path, then renames: never a partial file. */
int gmmu_trace_write(const struct gmmu_trace *t, const char *path, bool text, struct gmmu_err *err);

const char *gmmu_trace_app(const struct gmmu_trace *t);
uint32_t gmmu_trace_num_arrays(const struct gmmu_trace *t);
const struct gmmu_array *gmmu_trace_array(const struct gmmu_trace *t, uint32_t i);
uint32_t gmmu_trace_num_launches(const struct gmmu_trace *t);
uint32_t gmmu_trace_blocks(const struct gmmu_trace *t, uint32_t launch);
uint32_t gmmu_trace_warps_per_block(const struct gmmu_trace *t, uint32_t launch);
const char *gmmu_trace_kernel(const struct gmmu_trace *t, uint32_t launch);
uint64_t gmmu_trace_num_ops(const struct gmmu_trace *t); /**< accesses, gaps not counted */
/** Lines of all accesses together up to which a reader should count, by the size of the file:
 * docs/trace-format.md. */
uint64_t gmmu_trace_max_lines(const struct gmmu_trace *t);

/** Reads one warp's ops in order. Small (no allocation), copyable. */
struct gmmu_cursor {
  const uint8_t *p, *end;
  uint64_t prev; /**< decoder state */
  uint64_t prev_addr[GMMU_LANES];
  uint8_t prev_lanes;
};
void gmmu_trace_cursor(const struct gmmu_trace *t, uint32_t launch, uint32_t block, uint32_t warp,
                       struct gmmu_cursor *c);
/** Returns false at the end of the warp. */
bool gmmu_cursor_next(struct gmmu_cursor *c, struct gmmu_op *op);

/** Distinct 128-byte lines of an op, lanes low to high; an access that crosses a line counts both.
 * Returns the number (at most 2 * lanes); lines[] are byte addresses / 128. */
int gmmu_coalesce_lines(const struct gmmu_op *op, uint64_t lines[2 * GMMU_LANES]);
/** Distinct pages of those lines, in order; pages[] are VA >> 12 (all 52 bits). */
int gmmu_coalesce_pages(const uint64_t *lines, int nlines, uint64_t pages[2 * GMMU_LANES]);

/* ---------------------------------------- workloads (c_model/workloads/) */
/** One kernel generator. */
struct gmmu_workload {
  const char *name;     /**< "ATAX" */
  const char *about;    /**< suite and what it does, one line */
  uint64_t small, dflt; /**< the size parameter N of --size small and --size default */
  const char *size_is;  /**< what N counts */
  int (*gen)(uint64_t n, uint64_t seed, const struct gmmu_trace_sink *s, struct gmmu_err *err);
};
const struct gmmu_workload *gmmu_workload_find(
    const char *name);                                  /**< case-insensitive; NULL if unknown */
const struct gmmu_workload *gmmu_workload_at(size_t i); /**< NULL past the end */

/* ---------------------------------------- the MMU's pins (c_model/run, timed/) */
/** Request of one SM; valid/ready. */
struct gmmu_req {
  bool valid, user;
  uint8_t access;
  uint16_t asid, warp, tag;
  uint64_t va;
};
/** Answer to one SM; valid/ready. */
struct gmmu_rsp {
  bool valid, large;
  uint8_t cause;
  uint16_t tag;
  uint64_t pa;
};
enum gmmu_inv_kind { GMMU_INV_ALL = 0, GMMU_INV_ASID = 1, GMMU_INV_RANGE = 2 };
struct gmmu_inv_cmd {
  bool valid;
  int kind;
  uint16_t asid;
  uint64_t lo_vfn, hi_vfn; /**< inclusive */
};
/** All ports of gmmu_top in one cycle. Inputs are set before eval(); outputs are valid after it. */
struct gmmu_pins {
  /* inputs */
  struct gmmu_req req[GMMU_MAX_SMS];
  bool rsp_ready[GMMU_MAX_SMS];
  bool mem_req_ready;
  struct {
    bool valid, err;
    uint16_t id;
    uint64_t data;
    uint64_t line[8]; /**< config LineAnswers: the aligned 64 bytes that hold it */
  } mem_rsp;          /**< always accepted */
  struct gmmu_inv_cmd inv;
  const struct gmmu_env *env; /**< contexts and windows */
  bool env_changed;           /**< set for the first cycle in which *env differs */
  /* outputs */
  bool req_ready[GMMU_MAX_SMS];
  struct gmmu_rsp rsp[GMMU_MAX_SMS];
  struct {
    bool valid;
    uint16_t id;
    uint64_t addr;
    uint8_t depth;
    bool upd; /**< config Svadu: no read but an update: a PTE that equals `old` becomes `set` ... */
    uint64_t old, set; /**< ... and the answer is the PTE as it then is */
  } mem_req;
  uint8_t app_misses[GMMU_MAX_ASIDS]; /**< outstanding L2 misses of each application */
  bool inv_ready;
  bool inv_done; /**< one-cycle pulse: the oldest command is acknowledged */
};

/* Observation events of one clock cycle: what each block did (docs of each block say when). */
enum gmmu_l1_op {
  GMMU_L1_NONE,
  GMMU_L1_LOOKUP,
  GMMU_L1_REPLAY,
  GMMU_L1_ANSWER,
  GMMU_L1_ANSWER_NEXT
};
enum gmmu_l1_outcome {
  GMMU_L1_HIT_BASE,
  GMMU_L1_HIT_LARGE,
  GMMU_L1_MISS_ALLOC,
  GMMU_L1_MISS_MERGE,
  GMMU_L1_MISS_PARK,
  GMMU_L1_LOCAL_FAULT
};
enum gmmu_l2_outcome {
  GMMU_L2_HIT_BASE,
  GMMU_L2_HIT_LARGE,
  GMMU_L2_MISS_ALLOC,
  GMMU_L2_MISS_MERGE,
  GMMU_L2_MISS_WAIT,
  GMMU_L2_HIT_SUB,    /**< unified build: a subregion entry of 4 KiB pages */
  GMMU_L2_HIT_RUN,    /**< unified build: a walk of the same subregion that answered early */
  GMMU_L2_HIT_BYPASS, /**< the bypass cache (BypassEntries) */
  GMMU_L2_OUTCOMES
};
static inline bool gmmu_l2_is_hit(int outcome) {
  return outcome == GMMU_L2_HIT_BASE || outcome == GMMU_L2_HIT_LARGE ||
         outcome == GMMU_L2_HIT_SUB || outcome == GMMU_L2_HIT_RUN || outcome == GMMU_L2_HIT_BYPASS;
}
struct gmmu_events {
  struct gmmu_l1_event l1[GMMU_MAX_SMS];
  struct gmmu_l2_event l2;
  struct gmmu_walk_event walk;
  struct gmmu_token_event token;
  struct gmmu_inv_cmd inv; /**< the command that is in progress (for mark, sweep, resend) */
};

/** A device under test: the Verilated RTL or the timed model behind the same pins. */
struct gmmu_dut {
  void *h;
  void (*eval)(void *h,
               struct gmmu_pins *p); /**< inputs -> outputs of this cycle; no state changes */
  void (*clock)(void *h, struct gmmu_pins *p,
                struct gmmu_events
                    *ev); /**< clock edge; ev may be NULL: what happened in the cycle that ends */
  void (*reset)(void *h, struct gmmu_pins *p);
  void (*free)(void *h);
};
/** The timed model (c_model/timed/timed.c). */
int gmmu_timed_new(struct gmmu_dut *d, const struct gmmu_config *c, struct gmmu_err *err);

#ifdef __cplusplus
}
#endif
#endif
