/* SPDX-License-Identifier: Apache-2.0 */
/**
 * software.h - what changes the page tables while a run goes on: the memory manager (paging.h), or
 * events and demand lines (changes.h). The run calls it in every cycle; without one the tables stay
 * as they are.
 */
#ifndef GMMU_RUN_SOFTWARE_H
#define GMMU_RUN_SOFTWARE_H

#include "frontend/frontend.h"
#include "run/check.h"

/** What the run gives it. */
struct gmmu_software_run {
  struct gmmu_fe *fe;
  struct gmmu_check *check;
  int (*advance)(
      void *arg); /**< one cycle of the run, for software that waits; not 0: it cannot go on */
  void *arg;
};

struct gmmu_software {
  void *self; /**< NULL: there is none; the first argument of all below */
  /** Before the first cycle, and with each new front end. From here on commands go to the device.
   */
  void (*start)(void *self, const struct gmmu_software_run *r);
  /** Before eval(): the invalidation port. */
  void (*drive)(void *self, struct gmmu_pins *pins);
  /** After eval(), with this cycle's pins. */
  void (*sample)(void *self, const struct gmmu_pins *pins, uint64_t cycle);
  /** An answer of the device. False: wrong, *msg says what was expected. *held: the access waits
   * and is replayed. */
  bool (*answer)(void *self, const struct gmmu_fe_answer *a, bool *held, char *msg, size_t n);
  /** Between two cycles: what has arrived, faults, the next event. -1: it cannot go on. */
  int (*serve)(void *self, struct gmmu_err *err);
  /** Somebody waits for it: a silent cycle is not the device's fault. */
  bool (*busy)(void *self);
};

#endif
