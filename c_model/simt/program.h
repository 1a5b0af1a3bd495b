/* SPDX-License-Identifier: Apache-2.0 */
/** program.h - programs of the SIMT core (ELF, linked by tb/simt/lib/simt.ld), and the host's side
 * of ActivePointers as machine code: tables in the core's memory, the ring, real files. Rules:
 * docs/apointers.md. */
#ifndef GMMU_SIMT_PROGRAM_H
#define GMMU_SIMT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu.h"
#include "simt/ap_layout.h"

/** Code to `imem` (words of it set), data to `memory` at its addresses. Error: not such a program,
 * or it does not fit. */
int simt_elf(const char *path, uint32_t *imem, uint32_t imem_words, uint32_t *words,
             uint8_t *memory, uint32_t bytes, struct gmmu_err *err);

/** 0 in a field: its default. */
struct simt_ap_config {
  uint32_t frames;        /**< of the page cache, a power of two [64] */
  uint32_t bucket_factor; /**< buckets a frame, a power of two [16] */
  uint32_t slots;         /**< of the ring, a power of two of 2 or more [64] */
  uint32_t batch;         /**< requests that the host takes together [32] */
  uint32_t retry_limit;   /**< [10000] */
  uint32_t tlb_entries;   /**< of a block, a power of two, 0: none */
  uint64_t latency;       /**< of a request, in the caller's time */
  uint64_t page_time;     /**< of 4 KiB on the link between host and device, in the caller's time */
};

struct simt_ap_counts {
  uint64_t batches, reads, writes, opens, failed;
};

struct simt_ap;

/** Lays out tables and page cache at the end of memory; the rest from 0x20000 on is the caller's
 * (simt_ap_heap). */
struct simt_ap *simt_ap_new(uint8_t *memory, uint32_t bytes, const struct simt_ap_config *c,
                            struct gmmu_err *err);
void simt_ap_free(struct simt_ap *h);
/** Address of the tables, the kernels' first argument. */
uint32_t simt_ap_system(const struct simt_ap *h);
/** bytes of memory, 64-byte aligned, 0 when there are none left. */
uint32_t simt_ap_heap(struct simt_ap *h, uint32_t bytes);
/** The host: takes posted requests, answers those that are due at `now`. */
void simt_ap_poll(struct simt_ap *h, uint64_t now);
/** What is asked and not yet answered. */
uint32_t simt_ap_pending(const struct simt_ap *h);
/** A file opened by the host: its handle, as for ap_gopen, or -1. */
int simt_ap_open(struct simt_ap *h, const char *path, uint32_t prot);
/** No kernel runs: brings a page into the next frame, as a kernel would have left it; not 0: no
 * frame was free, or no such page. */
int simt_ap_warm(struct simt_ap *h, uint32_t file, uint64_t page);
/** No kernel runs: all counts 0, no page in two frames, the table finds each, no mapping linked,
 * ring idle. */
int simt_ap_audit(const struct simt_ap *h, struct gmmu_err *err);
/** After each step while kernels run: counts are sane, owned only from 0, keys change under their
 * owner only, no page in two frames. */
int simt_ap_monitor(struct simt_ap *h, struct gmmu_err *err);
/** Writes dirty pages back and forgets all. */
int simt_ap_drop(struct simt_ap *h, struct gmmu_err *err);
/** Errors of kernels: how many, and the first ones. */
const struct apd_record *simt_ap_records(const struct simt_ap *h, uint32_t *n);
void simt_ap_clear_records(struct simt_ap *h);
const struct simt_ap_counts *simt_ap_counts(const struct simt_ap *h);

#endif
