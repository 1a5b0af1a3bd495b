// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_dump: a second top beside gmmu_axi_tb that records the ports of its device: +vcd=FILE
// (scripts/timing_diagrams.py).
`timescale 1ns / 1ps
`default_nettype none
module gmmu_axi_dump;
  string vcd;
  initial if ($value$plusargs("vcd=%s", vcd)) begin
    $dumpfile(vcd);
    $dumpvars(1, gmmu_axi_tb.u_dut);
  end
endmodule
`default_nettype wire
