/* SPDX-License-Identifier: Apache-2.0 */
/** simt.h - instruction-set simulator of the SIMT core of tb/simt, from docs/simt.md: what programs
 * do, without time.
 *
 * One warp instruction a step; which ready warp goes next is drawn from the seed (0: round robin),
 * so that a program can be run under many interleavings, each of which can be repeated. A load
 * takes effect at once.
 */
#ifndef GMMU_SIMT_H
#define GMMU_SIMT_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu.h"

#ifndef SIMT_BUILD_LANES
#define SIMT_BUILD_LANES 32 /* a smaller power of two: for benches of a small core */
#endif
enum {
  SIMT_LANES = SIMT_BUILD_LANES,
  SIMT_MAX_WARPS = 32,
  SIMT_RECORDS = 16,
  SIMT_SCRATCH = 0xe, /**< bits 31:28 of a scratchpad address */
  SIMT_LOCAL = 0xf,   /**< the same of local memory */
};

/** Registers of the launch interface (byte addresses). */
enum simt_reg {
  SIMT_CTRL = 0x00,
  SIMT_STATUS = 0x04,
  SIMT_ENTRY = 0x08,
  SIMT_ARG0 = 0x10,
  SIMT_BLOCKS = 0x20,
  SIMT_WARPS = 0x24,
  SIMT_SCRATCH_BYTES = 0x28,
  SIMT_ERR_INFO = 0x30,
  SIMT_ERR_BLOCK = 0x34,
  SIMT_ERR_ADDR = 0x38,
  SIMT_ERR_PC = 0x3c,
  SIMT_INSTRET = 0x40,
  SIMT_INSTRET_H = 0x44
};

enum simt_cause {
  SIMT_ILLEGAL = 1,
  SIMT_ALIGN,
  SIMT_RANGE,
  SIMT_BUS_READ,
  SIMT_BUS_WRITE,
  SIMT_SOFT,
  SIMT_SYNC
};

/** 0 in a field: its default. */
struct simt_config {
  uint32_t warps;         /**< resident, 1 to 32, a power of two [32] */
  uint32_t imem_words;    /**< a power of two [16384] */
  uint32_t local_bytes;   /**< of a lane, a power of two, 128 to 4096 [1024] */
  uint32_t scratch_bytes; /**< of the core, a power of two [16384] */
  uint64_t seed;          /**< of the scheduler */
  /** Of `starve` instructions of a warp one is its last for long: it is held back while the others
   * execute 16 to 16384 (drawn by seed). 0: none. For races that need a warp to stand between two
   * instructions. */
  uint32_t starve;
};

/** Where `bytes` (1 to 16, aligned) at a memory address lie for this access, or NULL: the bus
 * answers with an error. */
typedef uint8_t *(*simt_at)(void *context, uint32_t address, uint32_t bytes, bool write);

/** What was executed since simt_new. */
struct simt_counts {
  uint64_t instructions;                             /**< of warps */
  uint64_t lanes;                                    /**< active in them */
  uint64_t loads, stores, atomics;                   /**< warp instructions on memory */
  uint64_t read_bursts, write_bursts, atomic_bursts; /**< of 64 bytes; of atomics one a lane */
};

struct simt;

struct simt *simt_new(const struct simt_config *c, simt_at at, void *context, struct gmmu_err *err);
void simt_free(struct simt *s);
/** Copies instructions to word 0 on; error: they do not fit. */
int simt_load(struct simt *s, const uint32_t *words, uint32_t n, struct gmmu_err *err);
/** The launch interface, docs/simt.md. */
void simt_write_reg(struct simt *s, uint32_t address, uint32_t value);
uint32_t simt_read_reg(const struct simt *s, uint32_t address);
/** Up to `steps` warp instructions; false: the launch has ended. */
bool simt_run(struct simt *s, uint64_t steps);
const struct simt_counts *simt_counts(const struct simt *s);
/** A lane's registers and PC of a warp slot, as they are or were left. */
const uint32_t *simt_lane_regs(const struct simt *s, uint32_t slot, uint32_t lane);
uint32_t simt_lane_pc(const struct simt *s, uint32_t slot, uint32_t lane);
/** For tests: the bytes of a group's scratchpad from its first on. */
uint8_t *simt_scratch(struct simt *s, uint32_t group);
/** For tests of races: a held warp executes nothing until it is let go; each launch lets all go.
 * With all held simt_run returns at once. */
void simt_hold(struct simt *s, uint32_t slot, bool hold);
/** `on` is called for each warp instruction before it takes effect: slot, PC, its word, active
 * lanes. NULL: not. */
void simt_trace(struct simt *s,
                void (*on)(void *context, uint32_t slot, uint32_t pc, uint32_t word, uint32_t mask),
                void *context);
/** Who waits for whom, for a launch that does not end. */
void simt_dump(const struct simt *s, FILE *to);

#endif
