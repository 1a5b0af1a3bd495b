/* SPDX-License-Identifier: Apache-2.0 */
/** ap_host.h - state of the host's side, shared by the ring and the audits. */
#ifndef GMMU_SIMT_AP_HOST_H
#define GMMU_SIMT_AP_HOST_H

#include <sys/types.h>

#include "simt/program.h"

enum { SIMT_AP_SYSTEM = 0x1000 };

struct ap_host_file {
  int fd;
  dev_t dev;
  ino_t ino;
};

struct ap_host_request {
  bool waits;
  uint64_t due;
};

struct simt_ap {
  struct simt_ap_config cfg;
  uint8_t *memory;
  uint32_t bytes, heap, heap_end;
  struct apd_system *system;
  struct ap_host_file file[APD_FILES];
  int files;
  struct ap_host_request *request;
  uint32_t taken, answered; /* tickets */
  uint64_t link_free;
  struct simt_ap_counts counts;
  struct apd_frame *was; /* at the last look */
};

/** One page from its file, into its file. */
enum apd_error simt_ap_read(struct simt_ap *h, uint32_t file, uint64_t page, uint32_t address);
enum apd_error simt_ap_write(struct simt_ap *h, uint32_t file, uint64_t page, uint32_t address);

static inline struct apd_frame *ap_frames(const struct simt_ap *h) {
  return (struct apd_frame *)(h->memory + h->system->frame);
}
static inline struct apd_slot *ap_slots(const struct simt_ap *h) {
  return (struct apd_slot *)(h->memory + h->system->ring);
}

#endif
