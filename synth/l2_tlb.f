// SPDX-License-Identifier: Apache-2.0
// Written by scripts/filelists.py. Paths from the root of the tree; package first.
+incdir+rtl
+incdir+rtl/common
rtl/gmmu_pkg.sv
rtl/common/gmmu_count.sv
rtl/common/gmmu_lru.sv
rtl/common/gmmu_way_sweep.sv
rtl/common/gmmu_rr_arb.sv
rtl/common/gmmu_fifo.sv
rtl/common/gmmu_ram.sv
rtl/common/gmmu_app_quota.sv
rtl/tlb/gmmu_tlb_cam.sv
rtl/tlb/gmmu_l2_queue.sv
rtl/tlb/gmmu_l2_base.sv
rtl/tlb/gmmu_l2_unified.sv
rtl/tlb/gmmu_l2_sweep.sv
rtl/tlb/gmmu_l2_hits.sv
rtl/tlb/gmmu_l2_mshr.sv
rtl/tlb/gmmu_l2_warps.sv
rtl/tlb/gmmu_bypass_cache.sv
rtl/tlb/gmmu_l2_tlb.sv
