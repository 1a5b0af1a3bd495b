// SPDX-License-Identifier: Apache-2.0
// Assertions that every tool accepts: a proof obligation under FORMAL, a property under Verilator,
// a message under Icarus, nothing in synthesis. The clock is clk_i and the reset rst_ni.
// GMMU_ASSERT_IF(n, c, e): e whenever c; Verilator looks at e only then.
`ifndef GMMU_ASSERT_SVH
`define GMMU_ASSERT_SVH
// GMMU_ANY(x), of what is 0 when x is 0 anyway: Verilator skips it then; nothing in other tools.
// GMMU_USED(x), before what changes nothing, or nothing that anybody looks at, without x: Verilator
// skips it then.
`ifdef VERILATOR
 `define GMMU_ANY(x) (|(x))
 `define GMMU_USED(x) if (x)
`else
 `define GMMU_ANY(x) 1'b1
 `define GMMU_USED(x)
`endif
`ifdef VERILATOR    // no property: what one samples is copied in every cycle
 `define GMMU_ASSERT_IF(n, c, e) /* verilator coverage_off */ always @(posedge clk_i) \
    if (rst_ni) if (c) n: assert(e); /* verilator coverage_on */
`else
 `define GMMU_ASSERT_IF(n, c, e) `GMMU_ASSERT(n, !(c) || (e))
`endif
`ifdef FORMAL
 `define GMMU_ASSERT(n, e) always @(posedge clk_i) if (rst_ni) n: assert(e);
`elsif VERILATOR
 `define GMMU_ASSERT(n, e) `GMMU_ASSERT_IF(n, 1'b1, e)
`elsif SYNTHESIS
 `define GMMU_ASSERT(n, e)
`elsif YOSYS
 `define GMMU_ASSERT(n, e)
`else
 `define GMMU_ASSERT(n, e) always @(posedge clk_i) if (rst_ni === 1'b1 && !(e)) begin \
    $display("ASSERT FAIL n in %m"); $finish(1); end
`endif
`endif
