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

#include "gmmu_base.h"
#include "gmmu_config.h"
#include "gmmu_mem.h"
#include "gmmu_walk.h"
#include "gmmu_tables.h"
#include "gmmu_mapping.h"
#include "gmmu_place.h"
#include "gmmu_trace.h"
#include "gmmu_workload.h"
#include "gmmu_pins.h"

#endif
