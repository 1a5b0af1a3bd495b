#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels on pages with A=0 and D=0: hardware sets them (Svadu=1), on the RTL and the timed model,
split and unified; without it they fault.

usage: test_svadu.py [KERNEL...]    [ATAX NW]
"""

import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(ROOT, "build/svadu")
GMMU = os.path.join(ROOT, "build/bin/gmmu")
BUILDS = {
    "split": ["--preset", "mosaic", "--set", "NumSms=4"],
    "unified": ["--preset", "mesc", "--set", "NumSms=2"],
}


def gmmu(*args):
    return subprocess.run([GMMU, *args], cwd=ROOT, capture_output=True, text=True)


def mapping(kernel, perms):
    """A line for each array, 4 KiB pages; the file's path."""
    text = os.path.join(OUT, f"{kernel}.txt")
    path = os.path.join(OUT, f"{kernel}{'-clear' if '!' in perms else ''}.map")
    pa = 0x40000000
    with open(text) as f, open(path, "w") as m:
        for name, va, size, rw in re.findall(r"^array (\S+) (\S+) (\d+) (\S+)", f.read(), re.M):
            size = (int(size) + 4095) & ~4095
            letters = "rwu" if rw == "rw" else "ru"
            m.write(f"0 {va} {pa:#x} {size} {letters}{perms} 4k  # {name}\n")
            pa += (size + 0x1FFFFF) & ~0x1FFFFF
    return path


def run(kernel, build, backend, svadu, path):
    report = os.path.join(OUT, "run.json")
    r = gmmu(
        "run",
        *BUILDS[build],
        "--set",
        f"Svadu={svadu}",
        "--backend",
        backend,
        "--trace",
        os.path.join(OUT, f"{kernel}.txt"),
        "--map",
        path,
        "--no-scan",
        "--json",
        report,
    )
    if r.returncode or not r.stdout.rstrip().endswith("mismatches: 0"):
        sys.exit(
            f"FAIL {kernel} {build} {backend} Svadu={svadu}: "
            f"{(r.stdout + r.stderr).strip()[-300:]}"
        )
    with open(report) as f:
        return json.load(f)


def main():
    os.makedirs(OUT, exist_ok=True)
    print("kernel    build    pages  updates   cycles: A and D set   clear   difference")
    for kernel in sys.argv[1:] or ["ATAX", "NW"]:
        r = gmmu(
            "gen", kernel, "--size", "small", "--text", "-o", os.path.join(OUT, f"{kernel}.txt")
        )
        if r.returncode:
            sys.exit(f"FAIL gen {kernel}: {r.stderr.strip()}")
        given, clear = mapping(kernel, ""), mapping(kernel, "!a!d")
        for build in BUILDS:
            model, rtl = (run(kernel, build, b, 1, clear) for b in ("model", "rtl"))
            easy = run(kernel, build, "model", 1, given)
            faults = run(kernel, build, "model", 0, clear)
            pages, updates = model["walks"]["pages_touched"], model["walks"]["pte_updates"]
            if rtl["cycles"] != model["cycles"] or rtl["walks"]["pte_updates"] != updates:
                sys.exit(
                    f"FAIL {kernel} {build}: RTL {rtl['cycles']} cycles, "
                    f"{rtl['walks']['pte_updates']} updates; model {model['cycles']}, "
                    f"{updates}"
                )
            # A, and D by a second one when the page was read first
            if not pages <= updates <= 2 * pages:
                sys.exit(f"FAIL {kernel} {build}: {updates} updates of {pages} pages")
            if easy["walks"]["pte_updates"]:
                sys.exit(f"FAIL {kernel} {build}: updates of PTEs that have A and D")
            if faults["faults"] != faults["translations"]:
                sys.exit(
                    f"FAIL {kernel} {build}: without Svadu {faults['faults']} of "
                    f"{faults['translations']} answers are faults"
                )
            print(
                f"{kernel:9} {build:8} {pages:5} {updates:8} {easy['cycles']:21} "
                f"{model['cycles']:7} {100 * (model['cycles'] / easy['cycles'] - 1):+10.2f}%"
            )
    print("PASS")


if __name__ == "__main__":
    main()
