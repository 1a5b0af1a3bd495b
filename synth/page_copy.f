// SPDX-License-Identifier: Apache-2.0
// Written by scripts/filelists.py. Paths from the root of the tree; package first.
+incdir+rtl
+incdir+rtl/common
rtl/gmmu_pkg.sv
rtl/common/gmmu_ram.sv
rtl/common/gmmu_ram_fifo.sv
rtl/walk/gmmu_windows.sv
rtl/mem/gmmu_page_copy.sv
