// SPDX-License-Identifier: Apache-2.0
// axi_software.h - the software of tb/axi/axi_bench.cpp: set-up, fault handler, remaps, coalescing,
// all through the C driver.
#ifndef GMMU_TB_AXI_SOFTWARE_H
#define GMMU_TB_AXI_SOFTWARE_H

#include "axi_traffic.h"

/// For a page that is mapped as this access faulted.
void choose_rights(Bench &b, Page &p, uint32_t access, bool user);
int resolve(void *arg, const gmmu_drv_fault *f);
/// All faults that are recorded, by `resolve`.
void serve(Bench &b);
/// The next record, looked at; false: there is none.
bool next_fault(Bench &b, gmmu_drv_fault &f);
/// One that is not of the large frame.
Page &some_page(Bench &b);
void unmap_some(Bench &b);
void protect_some(Bench &b);
/// All pages for tables are free, and empty.
void new_tables(Bench &b);
void set_asids(Bench &b);
void build(Bench &b);

/// All ports translate; their faults end in errors, or wait.
void set_ports(Bench &b, bool errors);

void open_all(Bench &b);
void drain(Bench &b, bool resolve_faults);

/// Snapshots with clear, taken under traffic, add up.
void count(Bench &b);

/// CO in the frame PTE and DIS in all leaf PTEs, or neither.
void check_frame(Bench &b, unsigned asid, bool coalesced);

/// Svadu: of the large frame software sets A and D before it is one translation; afterwards most
/// pages are hardware's again.
void set_marks(Bench &b, unsigned asid, bool all);

/// Coalesces or splinters under traffic, now and then with a memory error, which must leave a state
/// to go on from.
void coalesce(Bench &b, unsigned asid, bool &large);

/// Memory refuses all updates of PTEs for some time: the accesses that need one fault, and go on
/// when it is over.
void fail_updates(Bench &b);

/// Copies a page under traffic, now and then with memory errors, or to where it must not.
void copy_page(Bench &b);

/// One read of a page that is unmapped, on port 0, nothing else under way.
Ref read_nothing(Bench &b);

/// A retry in every cycle does not keep a burst from ending once its port is in error mode.
void ends_between_retries(Bench &b);

/// An address space is turned off under traffic for some time: its bursts fault, and go on.
void lose_space(Bench &b);

/// Any settings of the fill tokens, their ends more often.
void set_tokens(Bench &b);

/// The native port takes nothing for some time.
void hold_native(Bench &b);

/// A fault that a handler calls resolved, and is not, is recorded again after the retry.
void recorded_again(Bench &b);

#endif
