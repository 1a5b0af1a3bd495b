// SPDX-License-Identifier: Apache-2.0
// axi_corners.h - what random bursts under the driver hardly ever do, for tb/axi/axi_bench.cpp:
// untranslated bursts under invalidations, copies of pages beyond the physical width, register
// accesses in every order of their channels, a coalesced frame as one translation.
#ifndef GMMU_TB_AXI_CORNERS_H
#define GMMU_TB_AXI_CORNERS_H

#include "axi_storm.h"
extern "C" {
#include "policy/regs.h"
}

/// Port 0 passes its bursts through, the others translate, and commands of every kind come back to
/// back: each burst keeps its address. Its pages are those of ASID 0, which no context has.
void passes_through(Bench &b, uint64_t bursts);

/// Copies from and to page frame numbers that do not exist: refused, nothing is written. Then some
/// with a response of memory that is no OKAY, on R or on B: said, and only then.
void odd_copies(Bench &b);

/// Every register but the one that begins commands: written with edges and random values, all and
/// some bytes, and read again, and another one, against the model; nothing else goes on.
void register_values(Bench &b);

/// Writes and reads on the five channels of the registers' bus, each at its own pace: W before AW
/// and after it, the next address while B or R waits, reads beside writes. In the registers of two
/// closed windows, and where there is none.
void register_orders(Bench &b, gmmu_regs_model *model);

/// A frame that was coalesced is one translation from then on, whatever was kept of its tables
/// before: its pages are read without a walk once one of them was.
void coalesced_is_one(Bench &b);

#endif
