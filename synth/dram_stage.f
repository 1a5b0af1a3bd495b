// SPDX-License-Identifier: Apache-2.0
// Written by scripts/filelists.py. Paths from the root of the tree; package first.
+incdir+rtl
+incdir+rtl/common
rtl/gmmu_pkg.sv
rtl/common/gmmu_count.sv
rtl/common/gmmu_fifo.sv
rtl/common/gmmu_ram.sv
rtl/mem/gmmu_dram_queue.sv
rtl/mem/gmmu_dram_turn.sv
rtl/mem/gmmu_dram_sched.sv
rtl/mem/gmmu_dram_stage.sv
