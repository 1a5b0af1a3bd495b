#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functional coverage points: the modules of tb/points lint beside the RTL; a toy's points are
counted by Verilator and merged over builds, instances and generate blocks, each once; what
scripts/points.py does not know is refused; coverage.py names exclusions of reached and unknown
points; the table of docs/coverage.md has the groups of today."""

import collections
import json
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../common"), os.path.join(HERE, "../../scripts")]
import coverage  # noqa: E402
import points  # noqa: E402
from tree import ROOT, Tree  # noqa: E402

tree = Tree("points")
expect, run, write = tree.expect, tree.run, tree.write
NAME = "tb/points/toy_points.sv"
TOY = """module toy #(parameter int W = 2) (input logic clk_i, input logic [W-1:0] a_i);
  logic [W-1:0] value_q;
  always_ff @(posedge clk_i) value_q <= a_i;
endmodule
module other(input logic clk_i);
endmodule
module toy_top(input logic clk_i, input logic [3:0] a_i);
  toy #(.W(4)) u_wide(.clk_i, .a_i);
`ifdef BOTH
  toy #(.W(2)) u_narrow(.clk_i, .a_i(a_i[1:0]));
`endif
endmodule
"""
POINTS = """// SPDX-License-Identifier: Apache-2.0
module toy_points #(parameter int W = 2) (input logic clk_i, input logic [W-1:0] value_q);
  for (genvar i = 0; i < 2; i++) begin : gen_bit
    covergroup bits @(posedge clk_i);
      one: coverpoint value_q[i] iff (W == 2) {
        bins set = {1};
      }
    endgroup
    bits u_bits = new;
  end
  covergroup toy @(posedge clk_i);
    // In a cross: not counted by itself.
    low: coverpoint value_q[1:0] {
`include "toy_bins.svh"
    }
    wide: coverpoint W iff (value_q != 0) {
      bins narrow = {2};
      bins wide = {4};
    }
    both: cross low, wide {
      // No 0 where it is not looked at.
      ignore_bins none = binsof(low.zero) && !binsof(wide.wide);
    }
    pattern: coverpoint value_q {
      wildcard bins odd = {4'b???1};
      wildcard bins high = {4'b1???};
    }
    each: coverpoint value_q[1:0] iff (W == 4) {
      bins v[] = {[1:3]};
    }
  endgroup
  toy u_toy = new;
endmodule
bind toy toy_points #(.W(W)) u_points (.*);
"""
BINS = "// Bins.\nbins zero = {0};\nbins low = {[1:2]};\nbins top = {3};\n"
MAIN = """#include "Vtoy_top.h"
#include "coverage.h"
int main() {
  VerilatedContext context;
  Vtoy_top top(&context);
  CoverageAtEnd coverage(&context);
  const unsigned values[] = {VALUES};
  for (unsigned v : values) {
    top.a_i = v;
    for (int i = 0; i < 4; i++) { top.clk_i = i & 1; top.eval(); }
  }
}
"""
# Values 4, 5 in the wide toy alone; 3, 2 in both. Of two cycles each, the second sees the value.
REACHED = {
    "bits.one: set",
    "toy.both: low narrow",
    "toy.both: low wide",
    "toy.both: top narrow",
    "toy.both: top wide",
    "toy.both: zero wide",
    "toy.pattern: odd",
    "toy.each: v_1",
    "toy.each: v_2",
    "toy.each: v_3",
}
MISSED = {"toy.pattern: high"}


def refused():
    """Each with what is said of it."""
    for old, new, says in (
        ("bins wide = {4};", "bins wide = 4;", "not a bin"),
        ("bins wide = {4};", "bins narrow = {4};", "bin narrow twice"),
        ("cross low, wide", "cross low, broad", "no coverpoint broad"),
        ("binsof(low.zero)", "binsof(pattern.odd)", "not of this cross"),
        ("&& !binsof(wide.wide)", "&& wide == 4", "not a selection"),
        (
            "@(posedge clk_i);\n    // In",
            "@(posedge other);\n    // In",
            "a covergroup that is not",
        ),
        ("bind toy", "// bind toy", "binds to nothing"),
        ("each: coverpoint", "pattern_odd: coverpoint", None),
    ):
        assert old in POINTS, old
        write(NAME, POINTS.replace(old, new))
        rc, out = run(sys.executable, "scripts/points.py", "list")
        ok = (rc != 0 and says in out) if says else rc == 0
        expect(f"{new}: {says or 'taken'}", ok and "Traceback" not in out, out)
    write(NAME, POINTS)


def count(name, values, *options):
    """A test's data as coverage.py keeps them."""
    write("main.cpp", MAIN.replace("VALUES", values))
    raw = os.path.join(tree.path, "raw-" + name)
    os.makedirs(raw)
    got, extra = run(sys.executable, "scripts/points.py", "write", "made", "toy.sv")
    # --assert: without it Verilator of Debian 13 counts no cover
    command = "verilator --cc --exe --build --assert --coverage-user -Wno-fatal -j 2"
    rc, out = run(
        *command.split(),
        *("--top-module", "toy_top"),
        *("-Mdir", "obj-" + name, "-CFLAGS", f"-I{ROOT}/tb/common -O0"),
        *(*options, "toy.sv", *extra.split(), "main.cpp"),
    )
    expect(f"{name} is built", got == 0 and rc == 0, out[-2000:])
    rc, out = run("env", f"GMMU_COVERAGE_DIR={raw}", f"obj-{name}/Vtoy_top")
    expect(f"{name} runs", rc == 0, out)
    found = collections.Counter()
    for f in os.listdir(raw):
        coverage.read_points(os.path.join(raw, f), found)
    write(f"out/data/{name}.json", json.dumps([[*k, n] for k, n in sorted(found.items())]))


def report(exclude):
    write("tb/coverage.exclude", exclude)
    rc, out = run(sys.executable, "scripts/coverage.py", "--report", "--docs", "--out", "out")
    return rc, out, set(re.findall(r"\| point \| (.*)", tree.text("out/unreached.txt")))


def toy():
    shutil.rmtree(tree.path, ignore_errors=True)
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(os.path.join(ROOT, "scripts"), os.path.join(tree.path, "scripts"), ignore=skip)
    write(NAME, POINTS)
    write("tb/points/toy_bins.svh", BINS)
    # A block that no build has: its points are known all the same.
    write(
        "tb/points/other_points.sv",
        "module other_points(input logic clk_i);\n  covergroup absent @(posedge clk_i);\n"
        "    any: coverpoint clk_i {\n      bins set = {1};\n    }\n  endgroup\n"
        "  absent u_absent = new;\nendmodule\nbind nothing other_points u_points (.*);\n",
    )
    write("toy.sv", TOY)
    write("tb/tests.list", "one | true | one\ntwo | true | two\n")
    write("sim/regress.list", "")
    write("tb/coverage.list", "one\ntwo\n")
    write("docs/coverage.md", "# X\n\n<!-- points -->\nold\n<!-- end of points -->\n")
    refused()
    count("one", "4, 5")
    rc, out, missed = report("")
    expect(
        "one build of the wide toy alone",
        missed >= {"toy.both: low narrow", "bits.one: set", "toy.each: v_2", *MISSED}
        and not missed & {"toy.both: low wide", "toy.pattern: odd", "toy.each: v_1"},
        f"{out}\n{missed}",
    )
    count("two", "3, 2, 3", "+define+BOTH")
    rc, out, missed = report("")
    expect("both merged", rc == 0 and missed == MISSED | {"absent.any: set"}, f"{out}\n{missed}")
    for line in ("| toy | bits | 1/1 | 100.0 | 0 |", "| toy | toy | 9/10 | 90.0 | 0 |",
                 "| other | absent | 0/1 | 0.0 | 0 |", "| all | | 10/12 | 83.3 | 0 |"):  # fmt: skip
        expect(f"table: {line}", line in out and line in tree.text("docs/coverage.md"), out)
    page = tree.text("out/points.html")
    expect("page", all(x.split(".")[1] in page for x in REACHED | MISSED))

    line = f"{NAME} | point | toy.pattern: high | no value of the bench is that high\n"
    rc, out, missed = report(line)
    expect("an exclusion", rc == 0 and "| toy | toy | 9/9 | 100.0 | 1 |" in out, out)
    for what, bad in (("reached", "toy.pattern: odd"), ("unknown", "toy.pattern: even")):
        rc, out, missed = report(line + f"{NAME} | point | {bad} | none\n")
        expect(f"excluded though {what}", rc == 1 and f"no unreached point: {NAME} | point | {bad}"
               in out, out)  # fmt: skip
    rc, out, missed = report(f"{NAME} | point | toy.pattern: * | none\n")
    expect("no wildcards", rc != 0 and "expected: file" in out, out)

    for share, wanted in (
        (1 / 4, "run --ops 2 && x/run.sh 10 1"),
        (1 / 50, "run --ops 1 && x/run.sh 1 1"),
    ):
        said = coverage.shorter("one", "run --ops 9 && x/run.sh 40 1", share)
        expect(f"a share of the operations: {share}", said == wanted, said)
    write("tb/coverage.list", "one 1/2\n")  # its test is "true"
    rc, out = run(sys.executable, "scripts/coverage.py", "--report", "--out", "out")
    expect("a share of nothing", rc == 1 and "one has no operations to take" in out, out)
    for bad in ("one 2/4", "one 1/0", "one 1/2 3"):
        write("tb/coverage.list", f"# tests\n{bad}\n")
        rc, out = run(sys.executable, "scripts/coverage.py", "--report", "--out", "out")
        expect(f"refused: {bad}", rc == 1 and "tb/coverage.list:2: expected: TEST" in out, out)


def toggles():
    """Bits that are reached and those outside rtl/ are not counted again, all others as before."""
    inside, top = TOY.split("module toy_top")
    write("rtl/toy.sv", inside)
    own = "  logic own_q;\n  always_ff @(posedge clk_i) own_q <= a_i[0];\nendmodule"
    write("tb/top.sv", "module toy_top" + top.replace("endmodule", own))
    write("main.cpp", MAIN.replace("VALUES", "3, 2, 3, 1, 3"))
    for name, reached in (("all", None), ("less", "reached.txt")):
        raw, found = os.path.join(tree.path, "raw-" + name), collections.Counter()
        os.makedirs(raw)
        known = [f"GMMU_COVERAGE_REACHED={reached}"] if reached else []
        rc, out = run(
            *("env", "FAST=-O1", *known, "scripts/verilate.sh", "obj-" + name, "toy_top"),
            *("Vtoy_top", "--exe", "--coverage", "-Wno-fatal", "--assert", "+define+BOTH"),
            *("-CFLAGS", f"-I{ROOT}/tb/common", "rtl/toy.sv", "tb/top.sv"),
            os.path.join(tree.path, "main.cpp"),
        )
        expect(f"toggles, {name}: built", rc == 0, out[-2000:])
        rc, out = run("env", f"GMMU_COVERAGE_DIR={raw}", f"obj-{name}/Vtoy_top")
        expect(f"toggles, {name}: runs", rc == 0, out)
        for f in os.listdir(raw):
            coverage.read_points(os.path.join(raw, f), found)
        if name == "all":
            # what another test has reached: the lowest bit
            done = {p for p, n in found.items() if p[3:5] == ("toggle", "value_q[0]") and n}
            expect("toggles: one to be left out", len(done) == 1, str(found))
            coverage.Reached(tree.path).more((p, found[p]) for p in done)
            wanted = {p: n for p, n in found.items() if p not in done}
        else:
            expect("toggles: all others as before", found == wanted, f"{found}\n{wanted}")
    made = "".join(
        tree.text(os.path.join("obj-less", f))
        for f in os.listdir(os.path.join(tree.path, "obj-less"))
        if f.startswith("Vtoy_top") and f.endswith(".cpp")
    )
    expect("toggles: none outside rtl/", '"own_q"' not in made and '"value_q[1]"' in made)


def today():
    """Lint of tb/points; its groups and their sizes in docs/coverage.md."""
    rc, out = run(sys.executable, "scripts/points.py", "lint", at=ROOT)
    expect("the modules of points lint", rc == 0, out)
    size, seen = {}, {}
    for m in points.every():
        for _, group, _ in m.points.values():
            key = (os.path.basename(m.name).removesuffix("_points.sv"), group)
            size[key] = size.get(key, 0) + 1
    with open(os.path.join(ROOT, "docs/coverage.md")) as f:
        text = f.read()
    for m in re.finditer(r"^\| (\w+) \| (\w+) \| (?:\d+/(\d+)|-) \|.*\| (\d+) \|$", text, re.M):
        seen[m[1], m[2]] = int(m[3] or 0) + int(m[4])
    expect(
        "docs/coverage.md has the groups of tb/points: scripts/coverage.py --report --docs",
        size == seen,
        str(sorted(set(size.items()) ^ set(seen.items()))),
    )


today()
toy()
toggles()
sys.exit(tree.end())
