#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables that parts of the tree are written from, tried on a copy: a new line reaches
everything that follows from it, stale files are named, wrong lines are refused with their line."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common"))
from tree import ROOT, Tree  # noqa: E402

tree = Tree("tables")
COPY, expect, run = tree.path, tree.expect, tree.run
text, write = tree.text, tree.write


def fresh():
    shutil.rmtree(COPY, ignore_errors=True)
    for d in ("rtl", "scripts", "docs", "synth", "c_model/include", "sim/presets"):
        shutil.copytree(
            os.path.join(ROOT, d),
            os.path.join(COPY, d),
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    for d in ("tb/axi", "tb/system", "sim"):
        os.makedirs(os.path.join(COPY, d), exist_ok=True)
        for f in os.listdir(os.path.join(ROOT, d)):
            if os.path.isfile(os.path.join(ROOT, d, f)):
                shutil.copy(os.path.join(ROOT, d, f), os.path.join(COPY, d, f))
    for f in ("gmmu.core", "CHANGELOG.md"):
        shutil.copy(os.path.join(ROOT, f), COPY)


def refused(script, path, old, new, says):
    """The table with `old` replaced by `new` is refused with a message that has `says`; nothing is
    written."""
    before = text(path)
    if old not in before:
        expect(f"{path} has no '{old}'", False)
        return
    write(path, before.replace(old, new, 1))
    stamp = os.stat(os.path.join(COPY, "rtl/common/gmmu_top_params.svh")).st_mtime_ns
    rc, out = run(f"scripts/{script}.py")
    expect(
        f"{script}: '{new}' is not refused with '{says}'",
        rc != 0 and says in out and "Traceback" not in out,
        out,
    )
    expect(
        f"{script}: '{new}': something was written",
        stamp == os.stat(os.path.join(COPY, "rtl/common/gmmu_top_params.svh")).st_mtime_ns,
    )
    write(path, before)


def elaborate(top, *overrides):
    """Icarus: (return code, what it said)."""
    files = [f for f in text("sim/gmmu.f").split() if f.startswith("rtl/")]
    return run(
        "iverilog",
        "-g2012",
        "-o",
        "out.vvp",
        "-Irtl",
        "-Irtl/common",
        *files,
        *overrides,
        "-s",
        top,
    )


def new_parameter():
    """A Boolean parameter is one line: it can be set in every module, is a key, a word of the
    registers, in the pages, and is checked; among the options it is in the blocks of the MMU,
    too."""
    line = next(x for x in text("rtl/params.txt").splitlines() if x.startswith("MarkByAsid"))
    word = (
        max(
            int(x.split(" | ")[6])
            for x in text("rtl/params.txt").splitlines()
            if x.count(" | ") == 7 and x.split(" | ")[6].strip().isdigit()
        )
        + 1
    )
    cells = line.split(" | ")
    cells[0], cells[6], cells[7] = "Probe", str(word), "1: a parameter of the test"
    table = text("rtl/params.txt").replace(line, line + "\n" + " | ".join(cells))
    write("rtl/params.txt", table.replace("options WarpCounters", "options Probe WarpCounters"))
    for script in ("params", "regs", "ports"):
        rc, out = run(f"scripts/{script}.py", "--check")
        expect(f"{script}: stale files are not named", rc == 1 and "stale" in out, out)
        rc, out = run(f"scripts/{script}.py")
        expect(f"{script} fails with a new parameter", rc == 0, out)
    for script in ("params", "regs", "ports"):
        rc, out = run(f"scripts/{script}.py", "--check")
        expect(f"{script} is stale after it was run", rc == 0, out)
    page = text("docs/top.md")
    for was, now, says in (
        ("| `req_va_i` |", "| `req_vb_i` |", "has no port req_vb_i"),
        ("| `req_va_i` |", "| `req_tag_i` |", "port req_va_i of gmmu_top is missing"),
    ):
        write("docs/top.md", page.replace(was, now))
        rc, out = run("scripts/ports.py", "--check")
        expect(f"ports: a port table with {now}", rc == 1 and says in out, out)
    write("docs/top.md", page)
    for path in (
        "c_model/include/gmmu_config.def",
        "c_model/include/gmmu_regs.h",
        "docs/parameters.md",
        "docs/regs-map.md",
        "docs/gmmu_axi.md",
        "rtl/gmmu_native.sv",
        "rtl/common/gmmu_regs_params.svh",
        "tb/axi/gmmu_axi_harness_params.svh",
    ):
        expect(f"{path} lacks the parameter", "Probe" in text(path))
    write(
        "probe.sv",
        """module probe; gmmu_axi #(.Probe(1)) a (); gmmu_native #(.Probe(1)) n (); gmmu_axi z ();
  initial begin
    $display("%0d %0d %0d", a.u_core.u_mmu.Probe, n.u_gmmu.u_core.u_mmu.Probe,
      z.u_core.u_mmu.Probe);
    $display("in %0d %0d %0d", a.u_core.u_mmu.u_l2.u_mshr.Probe,
      a.u_core.u_mmu.u_walker.u_slots.Probe, z.u_core.u_mmu.u_l2.u_mshr.Probe);
    $finish(0);
  end
endmodule\n""",
    )
    rc, out = elaborate("probe", "probe.sv")
    expect("the copy does not elaborate", rc == 0, out)
    rc, out = run("vvp", "-n", "out.vvp")
    expect("the value does not arrive", "1 1 0" in out and "in 1 1 0" in out, out)
    rc, out = elaborate("gmmu_top", "-Pgmmu_top.Probe=2")
    expect(
        "Probe=2 is not refused by its trap",
        rc != 0 and "gmmu_top_Probe_must_be_0_to_1" in out,
        out,
    )


def wrong_lines():
    table = "rtl/params.txt"
    refused(
        "params",
        table,
        "MarkByAsid     | bool",
        "MarkByAsid     | flag",
        "expected: Name | bool or int",
    )
    refused("params", table, "Svadu          | bool", "MarkByAsid     | bool", "stands here twice")
    refused("params", table, "| 0..1         | 47 |", "| 0..1         | 46 |", "each once")
    refused(
        "params", table, "| 512    | 512    | 0..65536", "| 512    | 512    | 0..256", "is outside"
    )
    refused("params", table, "NumAsids <= Walks |", "NumAsids <= Walkz |", "no parameter Walkz")
    refused(
        "params", table, "gmmu_axi | NumPorts=2", "gmmu_axi | NumPort=2", "no parameter NumPort"
    )
    refused(
        "params",
        table,
        "TagW           | int  | top ",
        "TagW           | int  | core",
        "do not fit",
    )
    refused(
        "params",
        table,
        "options WarpCounters",
        "options NumSms",
        "options: no parameter of scope",
    )
    refused("params", table, "FillTokens FlushL2", "FilTokens FlushL2", "or build: FilTokens")
    events = "rtl/observation.txt"
    refused("obs", events, "stale 1 if op", "outcome 1 if op", "outcome stands here twice")
    refused("obs", events, "stale 1 if op", "stale 1 if up", "up does not stand above")
    refused("obs", events, "stale 1 if op", "stale 65 if op", "stale: 65 bits")
    refused("obs", events, "stale 1 if op", "stale 0 7 if op", "not understood")
    refused("obs", events, "  warp 8 ", "  warp 9 ", "OBS_TOKEN_W is not 52")
    refused("obs", events, "as sm who", "as sm whom", "does not stand above")
    regs = "rtl/ctrl/regs.txt"
    refused("regs", regs, "reg CMD_ASID 0x028", "reg CMD_ASID 0x024", "lies on CMD_STATUS")
    refused(
        "regs",
        regs,
        "  ERROR 2 | out port_error |",
        "  ERROR 2 | in port_error |",
        "PORT_CTRL.ERROR: rw goes with out",
    )
    refused(
        "regs",
        regs,
        "  ERROR 2 | out port_error |",
        "  ERROR 2 | output port_error |",
        "not understood: output port_error",
    )
    refused("regs", regs, "  ERROR 2 | out port_error |", "  ERROR 2 | out |", "'out' says nothing")
    refused(
        "regs",
        regs,
        "  ERROR 2 | out port_error |",
        "  ERROR 2 | out port_error in port_error |",
        "exclude each other",
    )
    refused("regs", regs, "  NOW 0 | inner pulse retry_now |", "  NOW 0 |", "RETRY has no RTL")
    refused(
        "regs",
        regs,
        "reg PORT_ASID 0x804 rw 32 16 | of NumPorts |",
        "reg PORT_ASID 0x804 rw 32 16 |",
        "'of' goes with count and stride",
    )
    refused(
        "regs",
        regs,
        "  ERROR 2 | out port_error |",
        "  ERROR 2 | out port_mode |",
        "port_mode stands twice",
    )
    refused(
        "regs",
        regs,
        "  ERROR 2 | out port_error |",
        "  ERROR 1 | out port_error |",
        "PORT_CTRL.ERROR lies on PORT_CTRL.MODE",
    )


def new_register():
    """A register is one line: it is decoded, kept in its legal range, read back, and gmmu_regs has
    a port for it."""
    before = text("rtl/ctrl/regs.txt")
    line = "reg WIN_FIRST_LO 0x400"
    write(
        "rtl/ctrl/regs.txt",
        before.replace(
            line,
            "reg PROBE 0x0c0 rw | a register of the test\n"
            "  LEVEL 11:4 | out probe reset 8'd7 legal x > 8'd200 ? 8'd200 : x | a field of the "
            "test\n" + line,
        ),
    )
    rc, out = run("scripts/regs.py", "--check")
    expect(
        "regs: stale files are not named",
        rc == 1 and "gmmu_reg_file.sv" in out and "gmmu_regs_ports.svh" in out,
        out,
    )
    rc, out = run("scripts/regs.py")
    expect("regs fails with a new register", rc == 0, out)
    expect(
        "no mask", "GMMU_REG_PROBE_LEVEL_MASK 0x00000ff0u" in text("c_model/include/gmmu_regs.h")
    )
    expect("not in the map", "| 0x0c0 | `PROBE` | rw |" in text("docs/regs-map.md"))
    write(
        "probe.sv",
        """module probe;
  logic clk = 1'b0, rst_n = 1'b0, valid = 1'b0, read = 1'b0;
  logic [31:0] data;
  wire [31:0] got;
  wire [1:0] resp, rresp;
  wire [7:0] level;
  always #5 clk = !clk;
  gmmu_regs dut (.clk_i(clk), .rst_ni(rst_n), .awvalid_i(valid), .awaddr_i(13'h0c0),
      .wvalid_i(valid), .wdata_i(data), .wstrb_i(4'hf), .bready_i(1'b1), .bresp_o(resp),
      .arvalid_i(read), .araddr_i(13'h0c0), .rready_i(1'b1), .rdata_o(got), .rresp_o(rresp),
      .probe_o(level));
  task put(input [31:0] value);
    begin
      @(negedge clk) valid = 1'b1; data = value;
      @(negedge clk) valid = 1'b0;
      repeat (3) @(negedge clk);
      read = 1'b1;
      @(negedge clk) read = 1'b0;
      repeat (3) @(negedge clk);
      $display("%0d %h %b %b", level, got, resp, rresp);
    end
  endtask
  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk) $display("reset %0d", level);
    put(32'hffff_f55f);
    put(32'h0000_0ff0);
    $finish(0);
  end
endmodule\n""",
    )
    rc, out = elaborate("probe", "probe.sv")
    expect("the copy with a new register does not elaborate", rc == 0, out)
    rc, out = run("vvp", "-n", "out.vvp")
    expect(
        "the register does not do what its line says",
        out.split("\n")[:3] == ["reset 7", "85 00000550 00 00", "200 00000c80 00 00"],
        out,
    )
    write("rtl/ctrl/regs.txt", before)
    run("scripts/regs.py")


def new_event():
    """A field of an event is one line: a signal for the block, a member in C, a bit in the decoder
    and on the page."""
    before = text("rtl/observation.txt")
    line = "  evict 1 if op | a valid entry was evicted\n"
    write(
        "rtl/observation.txt",
        before.replace(line, line + "  probe 3 if op | a field of the test\n"),
    )
    package = text("rtl/gmmu_pkg.sv")
    write("rtl/gmmu_pkg.sv", package.replace("OBS_L1_W   = 142;", "OBS_L1_W   = 145;"))
    rc, out = run("scripts/obs.py", "--check")
    expect("obs: stale files are not named", rc == 1 and "gmmu_obs_l1.svh" in out, out)
    rc, out = run("scripts/obs.py")
    expect("obs fails with a new field", rc == 0, out)
    expect("no signal", "logic [2:0] ev_probe, ev_probe_q;" in text("rtl/common/gmmu_obs_l1.svh"))
    expect(
        "not between its neighbours",
        "ev_sweep_base_q,\n      ev_probe_q,\n      ev_evict_q"
        in text("rtl/common/gmmu_obs_l1.svh"),
    )
    expect("no member", "uint8_t probe;" in text("c_model/include/gmmu_events.h"))
    expect(
        "not decoded",
        "e.probe = e.op ? static_cast<uint8_t>(bits_get(w, at + 95, 3)) : 0;"
        in text("tb/system/gmmu_obs_decode.h"),
    )
    expect(
        "no place",
        "OBS_L1_PROBE = 95, OBS_L1_PROBE_W = 3;" in text("rtl/common/gmmu_obs_places.svh"),
    )
    expect("not on the page", "| 97:95 | `probe` a field of the test |" in text("docs/l1_tlb.md"))
    write("rtl/observation.txt", before)
    write("rtl/gmmu_pkg.sv", package)
    run("scripts/obs.py")


def layers():
    """An arrow between folders of c_model/ that the table does not allow is named with its file."""
    folders = os.path.join(COPY, "c_model/mm"), os.path.join(COPY, "c_model/run")
    for d in folders:
        os.makedirs(d, exist_ok=True)
    write("c_model/layers.txt", "mm:\nrun: mm\n")
    write("c_model/mm/low.c", "int low(void) { return 1; }\n")
    write("c_model/run/high.c", "int high(void) { return low(); }\n")
    rc, out = run("scripts/layers.py")
    expect("layers: an allowed arrow is refused", rc == 0 and out == "", out)
    write("c_model/mm/low.c", "int low(void) {\n  return high(); /* low() */\n}\n")
    rc, out = run("scripts/layers.py")
    expect(
        "layers: a call upwards is not named",
        rc == 1 and "c_model/mm/low.c uses high() of c_model/run/" in out,
        out,
    )
    write("c_model/mm/low.c", '#include "run/high.h"\n')
    rc, out = run("scripts/layers.py")
    expect(
        "layers: an include upwards is not named",
        rc == 1 and "c_model/mm/low.c uses run/high.h" in out,
        out,
    )
    write("c_model/layers.txt", "mm: run\nrun:\n")
    rc, out = run("scripts/layers.py")
    expect("layers: a circle is not refused", rc == 1 and "run does not stand above mm" in out, out)
    for d in folders:
        shutil.rmtree(d)


def version():
    """One heading of CHANGELOG.md reaches program and core file; a release wants a date, and
    versions that fall."""
    os.makedirs(os.path.join(COPY, "c_model/cli"))
    shutil.copy(os.path.join(ROOT, "c_model/cli/version.h"), os.path.join(COPY, "c_model/cli"))
    kept = text("CHANGELOG.md")
    said = next(line for line in kept.splitlines() if line.startswith("## "))

    def heading(new, *arguments):
        write("CHANGELOG.md", kept.replace(said, new, 1))
        return run("scripts/version.py", *arguments)

    rc, out = heading("## [3.4.5] - 2026-01-02", "--check")
    expect(
        "version: stale files are not named",
        rc == 1 and "gmmu.core" in out and "version.h" in out,
        out,
    )
    rc, out = heading("## [Unreleased] 3.4.5")
    expect(
        "version: not written",
        rc == 0
        and '"3.4.5-dev"' in text("c_model/cli/version.h")
        and "gmmu:3.4.5\n" in text("gmmu.core"),
        out,
    )
    for new, says in (
        ("## [Unreleased] 3.4.5", "has no date"),
        ("## [3.4.5] - 2026-02-30", "is no date"),
        ("## [3.4.5] - 9999-01-01", "still to come"),
        ("## [3.4.5] - 2026-01-02\n\n## [3.4.5] - 2026-01-01", "do not fall"),
        ("## 3.4.5", "CHANGELOG.md:5: expected"),
    ):
        rc, out = heading(new, "--release")
        expect(
            f"version: '{new}' is not refused with '{says}'",
            rc == 1 and says in out and "Traceback" not in out,
            out,
        )
    rc, out = heading("## [3.4.5] - 2026-01-02\n\n## [3.4.4] - 2026-01-01")
    expect(
        "version: two dated versions are refused",
        rc == 0 and '"3.4.5"' in text("c_model/cli/version.h"),
        out,
    )
    rc, out = run("scripts/version.py", "--release")
    expect("version: a dated version is not ready", rc == 0, out)
    write("CHANGELOG.md", kept)
    rc, out = run("scripts/version.py")
    expect(
        "version: does not come back", rc == 0 and text("gmmu.core") == original("gmmu.core"), out
    )


def original(path):
    with open(os.path.join(ROOT, path)) as f:
        return f.read()


def main():
    fresh()
    layers()
    version()
    for script in ("version", "params", "obs", "regs", "ports", "filelists"):
        rc, out = run(f"scripts/{script}.py", "--check")
        expect(f"{script}: the tree is stale", rc == 0, out)
    wrong_lines()
    new_event()
    new_register()
    new_parameter()
    return tree.end()


if __name__ == "__main__":
    sys.exit(main())
