/* SPDX-License-Identifier: Apache-2.0 */
/** host_ring.h - the ring in device memory through which kernels ask the host for pages of files,
 * and the host's thread that serves it in batches (ActivePointers section V). A slot has a staging
 * page; the asking warp copies from it. */
#ifndef GMMU_AP_HOST_RING_H
#define GMMU_AP_HOST_RING_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "gmmu_apointer.h"

/** What gopen gives: the file's number, and whether this handle may write. */
#define AP_FILE_NUMBER(handle) ((handle) & (GMMU_AP_MAX_FILES - 1))
#define AP_MAY_WRITE GMMU_AP_MAX_FILES

enum ap_ring_op { AP_RING_READ, AP_RING_WRITE, AP_RING_OPEN };

struct ap_slot {
  _Atomic uint64_t turn; /* t: free for ticket t; t + 1: posted; the asker sets t + slots */
  pthread_mutex_t m;
  pthread_cond_t served;
  bool done;
  enum ap_ring_op op;
  int file; /* number; OPEN: its answer, a handle */
  uint64_t page;
  const char *path;
  enum gmmu_ap_prot mode;
  enum gmmu_ap_error error;
  uint8_t *staging;
};

struct ap_file {
  int fd;
  _Atomic int mode; /* enum gmmu_ap_prot, of its widest handle */
  dev_t dev;
  ino_t ino;
};

struct ap_ring {
  struct ap_slot *slot;
  uint8_t *staging;
  uint32_t slots, batch;
  _Atomic uint64_t head;
  uint64_t tail;
  pthread_mutex_t m; /* doorbell */
  pthread_cond_t posted;
  bool ringing, stop, running;
  pthread_t thread;
  struct ap_file file[GMMU_AP_MAX_FILES]; /* written by the host thread only */
  _Atomic int num_files;
  _Atomic uint64_t batches, requests, bytes;
};

int ap_ring_init(struct ap_ring *r, const struct gmmu_ap_config *cfg, struct gmmu_err *err);
void ap_ring_free(struct ap_ring *r);

/** Whole page from the file: what lies behind the end is zeros; a page wholly behind it is
 * GMMU_AP_EOF. */
enum gmmu_ap_error ap_ring_read(struct ap_ring *r, int file, uint64_t page, uint8_t *to);
/** Page into the file, not beyond its end. */
enum gmmu_ap_error ap_ring_write(struct ap_ring *r, int file, uint64_t page, const uint8_t *from);
enum gmmu_ap_error ap_ring_open(struct ap_ring *r, const char *path, enum gmmu_ap_prot mode,
                                int *file);
/** What this handle was opened for; 0: no such handle. */
enum gmmu_ap_prot ap_ring_mode(struct ap_ring *r, int handle);

#endif
