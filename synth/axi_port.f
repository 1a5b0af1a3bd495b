// SPDX-License-Identifier: Apache-2.0
// Written by scripts/filelists.py. Paths from the root of the tree; package first.
+incdir+rtl
+incdir+rtl/common
rtl/gmmu_pkg.sv
rtl/common/gmmu_rr_arb.sv
rtl/common/gmmu_fifo.sv
rtl/axi/gmmu_axi_track.sv
rtl/axi/gmmu_axi_addr.sv
rtl/axi/gmmu_axi_order.sv
rtl/axi/gmmu_axi_read.sv
rtl/axi/gmmu_axi_write.sv
rtl/axi/gmmu_axi_port.sv
