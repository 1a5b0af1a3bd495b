// SPDX-License-Identifier: Apache-2.0
// Written by scripts/filelists.py. Paths from the root of the tree; package first.
+incdir+rtl
+incdir+rtl/common
rtl/gmmu_pkg.sv
rtl/common/gmmu_rr_arb.sv
rtl/common/gmmu_fifo.sv
rtl/ctrl/gmmu_fault_queue.sv
