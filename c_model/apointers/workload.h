/* SPDX-License-Identifier: Apache-2.0 */
/** workload.h - the paper's workloads (ActivePointers section VI) on files, through active pointers
 * or through GPUfs's gmmap, each compared with a plain program that reads the same file. */
#ifndef GMMU_AP_WORKLOAD_H
#define GMMU_AP_WORKLOAD_H

#include "gmmu_apointer.h"

enum ap_kind {
  AP_COPY,
  AP_ADD,
  AP_READ,
  AP_RANDOM,
  AP_REDUCE,
  AP_FFT,
  AP_BITONIC,
  AP_FAULTS,
  AP_TLB,
  AP_COLLAGE,
  AP_NUM_KINDS
};
extern const char *const ap_kind_names[AP_NUM_KINDS];
enum ap_through { AP_POINTERS, AP_GPUFS };
extern const char *const ap_through_names[2];

struct ap_workload {
  enum ap_kind kind;
  enum ap_through through;
  uint32_t blocks, warps, resident;
  uint32_t bytes;  /**< of an access: 4, 8 or 16 */
  uint32_t rounds; /**< of Random: 5 to 50 */
  uint32_t pages;  /**< each warp reads; faults: 512 in the paper; tlb: unique pages of the block */
  uint64_t seed;
  /* collage (section VI-E) */
  uint64_t images;       /**< in the data set */
  uint32_t image_blocks; /**< 32 x 32 pixel blocks of the input, for all warps together */
  bool padded;     /**< histograms of 3 KiB at 4 KiB pitch, else back to back, so that they straddle
                      pages */
  const char *dir; /**< where the files are made */
  void (*progress)(void *arg, const char *what, uint64_t done, uint64_t of);
  void *progress_arg;
};

struct ap_result {
  int aborted;     /**< blocks that ended by an error */
  uint64_t wrong;  /**< values that differ from the plain program's */
  uint64_t values; /**< compared */
  uint64_t file_bytes;
  uint64_t reads,
      distinct;   /**< collage: histograms read in the last launch, and those that differ */
  double seconds; /**< on this host, of the launch: emulation, not a GPU's time */
  struct gmmu_ap_stats cold,
      warm; /**< first launch; second one, with what the page cache then holds */
};

/** Makes the files (removed at the end), runs twice, compares. -1 with err when that cannot be
 * done. */
int ap_workload_run(const struct ap_workload *w, const struct gmmu_ap_config *c,
                    struct ap_result *r, struct gmmu_ap_record *first, struct gmmu_err *err);

/** The arithmetic on one element of each lane, shared by kernel and plain program; tested by
 * itself. */
void ap_compute(enum ap_kind k, uint32_t rounds, const uint32_t x[GMMU_AP_LANES],
                uint32_t acc[GMMU_AP_LANES]);
/** 32-point transform, real input of 16 bits, Q15 coefficients; and a bitonic sort of 32 values. */
void ap_fft32(const int32_t in[GMMU_AP_LANES], int32_t re[GMMU_AP_LANES],
              int32_t im[GMMU_AP_LANES]);
void ap_sort32(uint32_t x[GMMU_AP_LANES]);

/** Files of a workload. */
struct ap_files {
  char path[2][4096];
  uint64_t bytes;
};
int ap_make_file(const struct ap_workload *w, const char *name, uint64_t bytes, uint64_t seed,
                 char path[4096], struct gmmu_err *err);

/* collage.c */
struct ap_collage;
int ap_collage_new(struct ap_collage **c, const struct ap_workload *w, const char *path,
                   struct gmmu_err *err);
uint64_t ap_collage_bytes(const struct ap_workload *w);
int ap_collage_fill(const struct ap_workload *w, int fd, struct gmmu_err *err);
void ap_collage_kernel(struct gmmu_ap_warp *w, void *collage);
/** Compares with a plain search of the file; how many of how many blocks chose another image. */
int ap_collage_check(struct ap_collage *c, uint64_t *wrong, uint64_t *values, struct gmmu_err *err);
/** Of all blocks: candidates' histograms read, those that differ. */
void ap_collage_reuse(const struct ap_collage *c, uint64_t *reads, uint64_t *distinct);
void ap_collage_free(struct ap_collage *c);

#endif
