#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""For each paper a complete load through the RTL: several applications at the sizes of
sim/workloads/calibrated.txt on the system of sim/calibration, at least five million warp accesses,
RTL of the MMU and of every memory channel (docs/memsys.md, "Channels in RTL"), with every answer
checked, in the cycles of the timed model.

usage: rtl_loads.py [PAPER...] [--json FILE]     PAPER: mask, mosaic, mesc [all]

Prints a table and writes it as JSON [build/reports/rtl-loads.json]; its rates are cycles per second
of processor. Exits with 1 if something differs, or a load is too short.
"""

import argparse
import json
import os
import resource
import subprocess
import sys

import calibrate
from gmmu import GMMU, ROOT

LEAST = 5000000
# Applications and their SMs: few cycles for many accesses.
LOADS = {
    "mask": ((("NN", 15), ("BP", 15)), ["--pages", "4k"]),
    "mosaic": (
        (("CFD", 10), ("3DS", 10), ("BP", 10)),
        ["--manager", "mosaic", "--paging", "resident"],
    ),
    "mesc": ((("2DCONV", 6), ("COLOR", 6), ("LUD", 4)), ["--frames", "os"]),
}
SAME = ("cycles", "accesses", "applications", "l1", "l2", "walks", "structure_accesses", "memory")


def trace(paper, kernel):
    size = next(s for k, _, s in calibrate.applications(paper) if k == kernel)
    lanes = calibrate.PAPERS[paper]["lanes"]
    path = f"build/rtl-loads/{kernel}-{size}-{lanes}"
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        command = [GMMU, "gen", kernel, "--size", str(size), "--lanes", lanes, "-o", path]
        subprocess.run(command, check=True)
    return path


def build(paper):
    """What the run would build: its time does not count."""
    settings = " ".join(calibrate.parameters(paper))
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    for goal in ("rtl", "memory-rtl"):
        command = ["make", "-s", "--no-print-directory", goal, f"PRESET={paper}", f"SET={settings}"]
        subprocess.run(command, check=True, env=env)


def run(paper, backend):
    """The report, with `cpu`: seconds of processor."""
    load, options = LOADS[paper]
    path = f"build/rtl-loads/{paper}-{backend[0]}.json"
    command = [GMMU, "run", "--preset", paper]
    command += [x for s in calibrate.parameters(paper) for x in ("--set", s)]
    command += ["--trace", ",".join(trace(paper, k) for k, _ in load)]
    command += ["--sms", ",".join(str(n) for _, n in load), "--restart", "--no-policy", *options]
    command += ["--json", path, "--backend", *backend]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1) or not os.path.exists(path):
        sys.exit(f"rtl_loads.py: {paper} with --backend {' '.join(backend)} did not end")
    with open(path) as f:
        report = json.load(f)
    report["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return report


def compare(paper):
    for b in ("rtl", "model"):
        if os.path.exists(f"build/rtl-loads/{paper}-{b}.json"):
            os.remove(f"build/rtl-loads/{paper}-{b}.json")
    for k, _ in LOADS[paper][0]:
        trace(paper, k)
    build(paper)
    model, rtl = run(paper, ["model"]), run(paper, ["rtl", "--memory-rtl"])
    channels = rtl["memory"].pop("rtl")
    row = {
        "paper": paper,
        "load": "+".join(k for k, _ in LOADS[paper][0]),
        "accesses": rtl["accesses"],
        "translations": rtl["translations"],
        "cycles": rtl["cycles"],
        "channel_reads": channels["reads"],
        "channel_writes": channels["writes"],
        "mismatches": rtl["mismatches"] + model["mismatches"],
        "differ": [k for k in SAME if rtl[k] != model[k]],
        "rtl_cycles_per_s": rtl["cycles"] / rtl["cpu"],
        "model_cycles_per_s": model["cycles"] / model["cpu"],
    }
    row["ratio"] = row["model_cycles_per_s"] / row["rtl_cycles_per_s"]
    row["good"] = not row["mismatches"] and not row["differ"] and row["accesses"] >= LEAST
    return row


COLUMNS = (
    ("paper", "paper", "{}"),
    ("applications", "load", "{}"),
    ("accesses", "accesses", "{:,}"),
    ("cycles", "cycles", "{:,}"),
    ("lines read in the channels", "channel_reads", "{:,}"),
    ("written", "channel_writes", "{:,}"),
    ("mismatches", "mismatches", "{}"),
    ("RTL, cycles/s", "rtl_cycles_per_s", "{:,.0f}"),
    ("timed model, cycles/s", "model_cycles_per_s", "{:,.0f}"),
    ("ratio", "ratio", "{:.1f}"),
)


def main():
    p = argparse.ArgumentParser(usage=__doc__[__doc__.index("usage: ") + 7 :])
    p.add_argument("papers", nargs="*", metavar="PAPER")
    p.add_argument("--json", default="build/reports/rtl-loads.json")
    a = p.parse_args()
    for x in a.papers:
        if x not in LOADS:
            p.error(f"no paper '{x}': one of {', '.join(LOADS)}")
    os.chdir(ROOT)
    print("| " + " | ".join(c[0] for c in COLUMNS) + " |")
    print("|---" * len(COLUMNS) + "|", flush=True)
    rows = []
    for paper in a.papers or LOADS:
        row = compare(paper)
        rows.append(row)
        print("| " + " | ".join(f.format(row[k]) for _, k, f in COLUMNS) + " |", flush=True)
        if row["differ"]:
            print(f"{paper}: RTL and model differ in {', '.join(row['differ'])}")
        if row["accesses"] < LEAST:
            print(f"{paper}: fewer than {LEAST:,} accesses")
    os.makedirs(os.path.dirname(os.path.abspath(a.json)), exist_ok=True)
    with open(a.json, "w") as f:
        json.dump(rows, f, indent=1)
    return 0 if all(r["good"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
