/* SPDX-License-Identifier: Apache-2.0 */
/**
 * memsys_rtl.h - the RTL of a run's memory channels beside their model (docs/memsys.md, "Channels
 * in RTL"): its parameters, and what a Verilated one (tb/channels) is called by.
 */
#ifndef GMMU_TIMED_MEMSYS_RTL_H
#define GMMU_TIMED_MEMSYS_RTL_H

#include "timed/timed_channel.h"

#define GMMU_MEMSYS_RTL_APPS 8u    /**< applications that its schedulers know */
#define GMMU_MEMSYS_RTL_IDS 65536u /**< ids of reads are below */
#define GMMU_MEMSYS_RTL_KEY 24

/** The channels of a configuration, for so many applications. */
struct gmmu_channel_cfg gmmu_memsys_channel(const struct gmmu_config *c, uint32_t apps);
/** Verilator parameters of a channel: "-GBanks=2 -GSets=64 ...". */
void gmmu_memsys_rtl_flags(const struct gmmu_config *c, FILE *f);
/** A name of the build: a hash of these, and the banks of all channels. */
void gmmu_memsys_rtl_key(const struct gmmu_config *c, char key[GMMU_MEMSYS_RTL_KEY]);

/** A cycle of the model: what each channel was given, and did. */
struct gmmu_memsys_cycle {
  uint64_t cycle;
  const struct gmmu_channel_in *in; /**< of each channel */
  const struct gmmu_channel_out *out;
  const struct gmmu_l2_bypass *decision; /**< at its begin */
};
struct gmmu_memsys_peer {
  void *self;
  /** The same cycle of the RTL. Sets `differs` and `what`. */
  void (*step)(struct gmmu_memsys_peer *p, const struct gmmu_memsys_cycle *c);
  void (*free)(void *self);
  uint64_t differs;                         /**< in the last cycle */
  char what[256];                           /**< the first difference in it */
  uint64_t cycles, reads, writes, commands; /**< of all channels: answered reads whose words were
                                               right, lines taken, commands on the pins */
};
/** Of the Verilated channels: makes them. -1: it cannot. */
typedef int (*gmmu_memsys_rtl_new_fn)(struct gmmu_memsys_peer *p, const struct gmmu_config *c,
                                      uint32_t apps, struct gmmu_err *err);
#define GMMU_MEMSYS_RTL_NEW "gmmu_memsys_rtl_new" /**< its name in the shared object */
#endif
