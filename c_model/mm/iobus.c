/* SPDX-License-Identifier: Apache-2.0 */
#include "gmmu_mm.h"

double gmmu_iobus_transfer(struct gmmu_iobus *b, double now_ns, uint64_t bytes) {
  double begin = now_ns > b->free_ns ? now_ns : b->free_ns;
  b->free_ns = begin + (double)bytes / b->bytes_per_ns;
  return b->free_ns + b->latency_ns;
}
