/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_walk.h - translation (c_model/functional/walk.c). Part of gmmu.h, which says the
 * conventions. */
#ifndef GMMU_WALK_H
#define GMMU_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu_config.h"
#include "gmmu_mem.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
