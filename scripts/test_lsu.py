#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The front end's LsuMisses, SmLines, StoreWaits and ComputeIssue in whole runs: every answer
right, and each key does what docs/frontend.md says to the cycles of a kernel that it presses on."""

import json
import os
import subprocess
import sys

WORK = "build/lsu"
os.makedirs(WORK, exist_ok=True)


def run(kernel, preset, *settings):
    trace, out = f"{WORK}/{kernel}.trace", f"{WORK}/out.json"
    if not os.path.exists(trace):
        subprocess.run(
            ["build/bin/gmmu", "gen", kernel, "--size", "small", "-o", trace],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    sets = [x for s in settings for x in ("--set", s)]
    subprocess.run(
        [
            "build/bin/gmmu",
            "run",
            "--preset",
            preset,
            "--backend",
            "model",
            "--trace",
            trace,
            "--json",
            out,
            *sets,
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with open(out) as f:
        j = json.load(f)
    assert j["mismatches"] == 0
    print(
        f"{kernel:6} {preset:10} {' '.join(settings):40} {j['cycles']:8} cycles, "
        f"{j['lsu_stall_cycles']} held up"
    )
    return j["cycles"], j["lsu_stall_cycles"]


def expect(what, ok):
    if not ok:
        sys.exit(f"test_lsu.py: not so: {what}")


free, held = run("GUP", "sharedtlb")
expect("nothing is held up by default", held == 0)
last = free
for n in (4, 2, 1):
    cycles, held = run("GUP", "sharedtlb", f"LsuMisses={n}")
    expect(f"fewer misses at a time take longer ({n})", cycles > last and held > 0)
    last = cycles
wide = run("HISTO", "mask")[0]
expect(
    "fewer lines at a time take longer",
    run("HISTO", "mask", "SmLines=4")[0] > run("HISTO", "mask", "SmLines=16")[0] >= wide,
)
# but for what another order of requests makes of a short run: a percent
expect(
    "who does not wait for stores is not slower",
    run("HISTO", "mask", "StoreWaits=0")[0] <= 1.01 * wide,
)
expect(
    "shared issue slots take longer",
    run("RAY", "ideal", "ComputeIssue=1")[0] > run("RAY", "ideal")[0],
)
run("HISTO", "mask", "LsuMisses=1", "SmLines=16", "StoreWaits=0", "ComputeIssue=1")
# Warps that wait for a miss, as the L2 TLB adds them up: 8 of one SM for one page, and one for
# another.
with open(f"{WORK}/wait.txt", "w") as f:
    f.write("gmmu-trace 1\napp WAIT\narray A 0x10000000 0x2000 rw\nlaunch k blocks 1 warps 9\n")
    for w in range(9):
        f.write(f"block 0 warp {w}\nr 4 {0x10000000 + 0x1000 * (w == 8):#x}\n")
subprocess.run(
    [
        "build/bin/gmmu",
        "run",
        "--preset",
        "sharedtlb",
        "--set",
        "NumSms=1",
        "--backend",
        "model",
        "--trace",
        f"{WORK}/wait.txt",
        "--json",
        f"{WORK}/wait.json",
    ],
    check=True,
    stdout=subprocess.DEVNULL,
)
with open(f"{WORK}/wait.json") as f:
    expect("warps_per_miss counts those that wait", json.load(f)["l2"]["warps_per_miss"] == 4.5)
print("PASS")
