// SPDX-License-Identifier: Apache-2.0
// Written by scripts/filelists.py. Paths from the root of the tree; package first.
+incdir+rtl
+incdir+rtl/common
rtl/gmmu_pkg.sv
rtl/common/gmmu_lru.sv
rtl/common/gmmu_way_sweep.sv
rtl/common/gmmu_rr_arb.sv
rtl/common/gmmu_ram.sv
rtl/common/gmmu_ram_fifo.sv
rtl/tlb/gmmu_tlb_cam.sv
rtl/tlb/gmmu_l1_mshr.sv
rtl/tlb/gmmu_l1_warps.sv
rtl/tlb/gmmu_l1_tlb.sv
