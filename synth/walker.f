// SPDX-License-Identifier: Apache-2.0
// Written by scripts/filelists.py. Paths from the root of the tree; package first.
+incdir+rtl
+incdir+rtl/common
rtl/gmmu_pkg.sv
rtl/common/gmmu_count.sv
rtl/common/gmmu_fifo.sv
rtl/common/gmmu_fifo2.sv
rtl/common/gmmu_ram.sv
rtl/common/gmmu_app_quota.sv
rtl/tlb/gmmu_l2_base.sv
rtl/walk/gmmu_windows.sv
rtl/walk/gmmu_pte_decode.sv
rtl/walk/gmmu_walk_buffer.sv
rtl/walk/gmmu_walk_cache.sv
rtl/walk/gmmu_walk_group.sv
rtl/walk/gmmu_msc.sv
rtl/walk/gmmu_walk_run.sv
rtl/walk/gmmu_walker.sv
