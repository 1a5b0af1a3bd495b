#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams, cut from recorded runs: docs/img/time-NAME.json (WaveJSON), which
scripts/pictures.py renders.

Two small runs under Icarus are recorded: the scenes of tb/pictures/gmmu_scenes_tb.sv (split and
unified L2 TLB), and the directed bench of gmmu_axi, tb/axi/gmmu_axi_tb.sv, with seed 1. Each
diagram of scripts/timing_diagrams.txt says which signals it shows and, as conditions on them, with
which event it begins and ends: no cycle numbers. Signals are sampled just before the rising clock
edge. The cut begins one cycle before its first event and ends two after its last one; cycles in
which nothing that is shown changes are left out where there are more than three (a gap; the row
`cycle` goes on counting).

usage: timing_diagrams.py [--check] --check: writes nothing; names diagrams that come out
                          differently today, exits with 1.
Another version of Icarus draws other random numbers: of a diagram that another one recorded it
checks that its events come, and says so."""

import functools
import json
import os
import re
import subprocess
import sys

from generated import ROOT, finish, read

TABLE = "scripts/timing_diagrams.txt"
OUT = "build/timing"
# run: top modules, files beside rtl/, options of iverilog and of vvp
RUNS = {
    "split": (["gmmu_scenes_tb"], ["tb/pictures/gmmu_scenes_tb.sv"], [], []),
    "unified": (
        ["gmmu_scenes_tb"],
        ["tb/pictures/gmmu_scenes_tb.sv"],
        ["-Pgmmu_scenes_tb.L2Unified=1"],
        [],
    ),
    "axi": (
        ["gmmu_axi_tb", "gmmu_axi_dump"],
        [
            "tb/axi/gmmu_axi_checker.sv",
            "tb/axi/gmmu_axi_harness.sv",
            "tb/axi/gmmu_axi_tb.sv",
            "tb/axi/gmmu_axi_tb_memory.sv",
            "tb/axi/gmmu_axi_tb_master.sv",
            "tb/pictures/gmmu_axi_dump.sv",
        ],
        [],
        ["+seed=1"],
    ),
}
CLOCK = {
    "split": "gmmu_scenes_tb.clk",
    "unified": "gmmu_scenes_tb.clk",
    "axi": "gmmu_axi_tb.u_dut.clk_i",
}


def fail(text):
    sys.exit(f"timing_diagrams: {text}")


@functools.cache
def icarus():
    out = subprocess.run(["iverilog", "-V"], capture_output=True, text=True).stdout
    m = re.search(r"version (\d+)", out)
    return f"Icarus Verilog {m[1]}" if m else fail("no iverilog")


def record(run):
    """Runs it; returns the name of its VCD."""
    tops, files, options, plus = RUNS[run]
    os.makedirs(os.path.join(ROOT, OUT), exist_ok=True)
    rtl = [x for x in read("sim/gmmu.f").splitlines() if x.startswith("rtl/")]
    vvp, vcd = f"{OUT}/{run}.vvp", f"{OUT}/{run}.vcd"
    r = subprocess.run(
        [
            "iverilog",
            "-g2012",
            "-Irtl",
            "-Irtl/common",
            *options,
            "-o",
            vvp,
            *rtl,
            *files,
            *(x for t in tops for x in ("-s", t)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if r.returncode:
        fail(f"{run}: {r.stderr.strip()[:500]}")
    r = subprocess.run(
        ["vvp", "-n", vvp, f"+vcd={vcd}", *plus],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    if not re.search(r"^PASS", r.stdout, re.M):
        fail(f"{run}: the run fails: {r.stdout[-500:]}")
    return os.path.join(ROOT, vcd)


def samples(vcd, clock, wanted):
    """[{path: bits}], one for each rising edge of the clock, as they were before it."""
    scope, code, now, out = [], {}, {}, []  # code: width
    names = {}
    with open(vcd) as f:
        tokens = iter(f)
        for line in tokens:
            w = line.split()
            if line.startswith("$scope"):
                scope.append(w[2].replace("\\", ""))
            elif line.startswith("$upscope"):
                scope.pop()
            elif line.startswith("$var"):
                path = ".".join(scope + [w[4].split("[")[0].replace("\\", "")])
                if path in wanted or path == clock:
                    names[path] = w[3]
                    code[w[3]] = int(w[2])
            elif line.startswith("$enddefinitions"):
                break
        missing = [p for p in [*wanted, clock] if p not in names]
        if missing:
            fail(f"{os.path.basename(vcd)} has no {', '.join(missing)}")
        tick, changes = names[clock], {}

        def step():
            if changes.get(tick) == "1" and now.get(tick) == "0":
                out.append({p: now.get(c, "x") for p, c in names.items()})
            now.update(changes)
            changes.clear()

        for line in tokens:
            if line[0] == "#":
                step()
            elif line[0] in "bB":
                bits, c = line[1:].split()
                if c in code:
                    changes[c] = bits.rjust(code[c], "0" if bits[0] == "1" else bits[0])
            elif line[0] in "01xzXZ":
                c = line[1:].strip()
                if c in code:
                    changes[c] = line[0]
        step()
    return out


def table():
    """Diagrams: {name: (run, title, begin, end, [(label, path, high, low, when)])}"""
    out, name = {}, None
    for n, line in enumerate(read(TABLE).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            cells = [c.strip() for c in line.split("|")]
            if len(cells) != 5 or cells[1] not in RUNS or cells[0] in out:
                fail(f"{TABLE}:{n}: expected: NAME | RUN | begins when | ends when | title")
            name = cells[0]
            out[name] = (cells[1], cells[4], cells[2], cells[3], [])
            continue
        m = re.fullmatch(r"\s+(\w+|-)\s+(\S+?)(?:\[(\d+)(?::(\d+))?\])?(?:\s+when (\w+))?", line)
        if not m or name is None:
            fail(f"{TABLE}:{n}: expected: LABEL PATH[BITS] [when LABEL]")
        high = int(m[3]) if m[3] else None
        out[name][4].append((m[1], m[2], high, int(m[4]) if m[4] else high, m[5]))
    return out


def value(sample, path, high, low):
    """Number; None: it has an X."""
    bits = sample[path]
    if high is not None:
        bits = bits[len(bits) - 1 - high : len(bits) - low]
    return int(bits, 2) if bits and not set(bits) - {"0", "1"} else None


def cut(run, begin, end, signals, recorded):
    """Index of the first and last cycle, and the signals' values in each of them."""
    rows = [
        {label: value(s, path, high, low) for label, path, high, low, _ in signals if label != "-"}
        for s in recorded
    ]

    def when(condition, row):
        try:
            return bool(eval(condition, {"__builtins__": {}}, row))
        except TypeError:  # an X in it
            return False

    first = next((i for i, r in enumerate(rows) if when(begin, r)), None)
    if first is None:
        return None
    last = next((i for i in range(first, len(rows)) if when(end, rows[i])), None)
    return None if last is None else rows[max(first - 1, 0) : last + 3]


def wave(name, run, title, begin, end, signals, rows):
    """WaveJSON of the cycles."""
    shown = [s for s in signals if s[0] != "-" and not s[0].startswith("_")]
    cells = []
    for r in rows:
        cells.append([None if s[4] and not r[s[4]] else r[s[0]] for s in shown])
    keep, gaps, i = [], set(), 0
    while i < len(rows):
        j = i
        while j + 1 < len(rows) and cells[j + 1] == cells[i]:
            j += 1
        if j - i > 3:
            keep += [i, i + 1, j]
            gaps.add(i + 1)
        else:
            keep += range(i, j + 1)
        i = j + 1
    lanes = [
        {
            "name": "cycle",
            "wave": "".join("x" if k in gaps else "=" for k in keep),
            "data": [str(k) for k in keep if k not in gaps],
        }
    ]
    lanes.append(
        {
            "name": "clk_i",
            "wave": "".join(
                "|" if k in gaps else "p" if n == 0 else "." for n, k in enumerate(keep)
            ),
        }
    )
    longest = 0
    for n, (label, _, _, _, needs) in enumerate(shown):
        values = [cells[k][n] for k in keep]
        out, data, before = "", [], "none"
        for k, v in zip(keep, values):
            if k in gaps:
                out += "|"
                continue
            if v == before:
                out += "."
            elif v is None:
                out += "x"
            elif not needs:
                out += str(v)
            else:
                out += "="
                data.append(f"{v:x}")
            before = v
        longest = max([longest, *(len(d) for d in data)])
        lane = {"name": label, "wave": out}
        if data:
            lane["data"] = data
        lanes.append(lane)
    narrow = len(keep) > 28 and longest < 4
    if len(title) * 6.5 > (20 if narrow else 40) * len(keep) + 100:
        fail(f"{name}: its title is longer than its {len(keep)} columns")
    return (
        json.dumps(
            {
                "signal": lanes,
                "head": {"text": title},
                "config": {"skin": "narrow"} if narrow else {"hscale": 2 if longest > 5 else 1},
                "from": f"run {run}: from ({begin}) to ({end}); written by "
                f"scripts/timing_diagrams.py with {icarus()}",
            },
            indent=1,
        )
        + "\n"
    )


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    diagrams, files = table(), {}
    for run in dict.fromkeys(d[0] for d in diagrams.values()):
        mine = {n: d for n, d in diagrams.items() if d[0] == run}
        wanted = {s[1] for d in mine.values() for s in d[4] if s[0] != "-"}
        recorded = samples(record(run), CLOCK[run], wanted)
        for name, (_, title, begin, end, signals) in mine.items():
            rows = cut(run, begin, end, signals, recorded)
            if rows is None:
                fail(f"{name}: no such event in run {run}: from ({begin}) to ({end})")
            if len(rows) > 400:
                fail(f"{name}: {len(rows)} cycles")
            path = f"docs/img/time-{name}.json"
            other = (
                check
                and os.path.exists(os.path.join(ROOT, path))
                and re.search(r"timing_diagrams.py with ([^\"]+)", read(path))
            )
            if other and other[1] != icarus():
                print(
                    f"timing_diagrams: {path} was recorded with {other[1]}, here is {icarus()}: "
                    f"its events come; not compared"
                )
                continue
            files[path] = wave(name, run, title, begin, end, signals, rows)
    return finish("timing_diagrams", files, check)


if __name__ == "__main__":
    sys.exit(main())
