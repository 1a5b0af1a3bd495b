#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and longest path of blocks in two commits, each by its own scripts/synth.py, side by side:
what a change of the RTL that should cost nothing did cost (docs/house.md).

usage: same_area.py OLD[..NEW] PRESET:BLOCK[,BLOCK...] ... [--set KEY=VALUE]... [--seconds N]
                    [--fresh] [--csv FILE]

NEW: another commit than HEAD. BLOCK: a name of synth/blocks.txt, or a module of rtl/, which is
synthesised flat with the parameters of gmmu_top in PRESET (gmmu_top). --set: for both commits, a
smaller shape. --seconds: of processor time that each run of Yosys or abc may take; a block that
takes more is a row that says so. Each commit is unpacked and its program built under
build/same_area/, where its results stay, so that a run that was broken off goes on. Prints a table;
limits: flip-flops and memory bits as they were, NAND2 equivalents within 7 percent (gmmu_top 3),
longest path within 10. Exits with 1 when one is broken or a block did not end."""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys

import synth

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEAD = ["preset", "block", "FFs", "FFs", "memory bits", "memory bits", "NAND2", "NAND2", "%"]
HEAD += ["path ns", "path ns", "%"]
NAND2_LIMIT, TOP_LIMIT, PATH_LIMIT = 7, 3, 10


def unpack(rev):
    """The tree of a commit, with its program; its path."""
    name = subprocess.run(
        ["git", "rev-parse", "--short=10", rev + "^{commit}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if name.returncode:
        sys.exit(f"same_area: no commit {rev}")
    tree = os.path.join(ROOT, "build/same_area", name.stdout.strip())
    if not os.path.exists(tree):
        os.makedirs(tree + ".new", exist_ok=True)
        tar = subprocess.run(["git", "archive", rev], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "x", "-C", tree + ".new"], input=tar.stdout, check=True)
        os.rename(tree + ".new", tree)
    made = subprocess.run(["make", "-s", "all"], cwd=tree, capture_output=True, text=True)
    if made.returncode:
        sys.exit(f"same_area: {rev}: make fails: {made.stderr.strip()[-400:]}")
    return tree


class NotEnded(Exception):
    """A block that takes more than --seconds."""


def measure(tree, preset, block, a):
    """Result of a block in a tree: (flip-flops, memory bits, NAND2 equivalents, path in ns)."""
    sets = [x for s in a.set for x in ("--set", s)]
    args = [sys.executable, "scripts/synth.py", "--preset", preset, *sets, "--jobs", "1"]
    if block.startswith("gmmu_"):
        flags = subprocess.run(
            ["build/bin/gmmu", "preset", preset, *sets, "--rtl-flags"],
            cwd=tree,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        args += ["--top", block]
        for flag in flags.split():
            args += ["--param", flag.removeprefix("-G")]
        for name, value in synth.table.bare(synth.table.load()[0]).items():
            args += ["--param", f"{name}={value}"]
    else:
        args += ["--block", block]

    def limit():
        if a.seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (a.seconds, a.seconds))

    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    r = subprocess.run(
        args + ["--fresh"] * a.fresh,
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start
    if r.returncode and a.seconds and took >= a.seconds:
        raise NotEnded
    if r.returncode:
        sys.exit(f"same_area: {tree}: {preset} {block}: {(r.stderr or r.stdout).strip()[-400:]}")
    with open(os.path.join(tree, "build/reports/synth.json")) as f:
        (row,) = json.load(f)["blocks"]
    bits = sum(m["bits"] for m in row["macros"])
    path = row["timing"]["path_ns"] if row["timing"] else None
    return row["flip_flops"], bits, row["nand2"], path


def percent(old, new):
    return 100 * (new - old) / old if old else 0.0


def compare(preset, block, old, new):
    """(row of the table, what is over its limit)"""
    size = percent(old[2], new[2])
    path = percent(old[3], new[3]) if old[3] and new[3] else 0.0
    over = []
    if old[0] != new[0]:
        over.append("flip-flops")
    if old[1] != new[1]:
        over.append("memory bits")
    if abs(size) > (TOP_LIMIT if block == "gmmu_top" else NAND2_LIMIT):
        over.append("NAND2")
    if abs(path) > PATH_LIMIT:
        over.append("path")
    row = [preset, block, old[0], new[0], old[1], new[1], old[2], new[2], f"{size:+.1f}"]
    row += [old[3], new[3], f"{path:+.1f}"]
    return row, over


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("revs", metavar="OLD[..NEW]")
    ap.add_argument("blocks", nargs="+", metavar="PRESET:BLOCK,...")
    ap.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    ap.add_argument("--seconds", type=int, default=0)
    ap.add_argument("--fresh", action="store_true")
    ap.add_argument("--csv", help="the table also to this file")
    a = ap.parse_args()
    synth.need_cells(synth.OSU)
    wanted = []
    for x in a.blocks:
        preset, colon, names = x.partition(":")
        if not colon or not all(names.split(",")):
            sys.exit(f"same_area: '{x}': expected PRESET:BLOCK,...")
        wanted += [(preset, b) for b in names.split(",")]
    old, _, new = a.revs.partition("..")
    trees = [unpack(old), unpack(new or "HEAD")]
    bad, rows = 0, []
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD), flush=True)
    for preset, block in wanted:
        try:
            row, over = compare(preset, block, *(measure(t, preset, block, a) for t in trees))
        except NotEnded:
            row = [preset, block] + [f"not in {a.seconds} s"] * 10
            over = [f"does not end in {a.seconds} s of processor time"]
        rows.append(row)
        bad += bool(over)
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
        if over:
            print(f"same_area: {preset} {block}: {', '.join(over)}", file=sys.stderr, flush=True)
    if a.csv:
        with open(a.csv, "w", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows([HEAD, *rows])
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
