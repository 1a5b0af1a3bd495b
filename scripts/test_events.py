#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Events in plain trace runs (docs/events.md): random events and demand lines on several builds;
RTL and timed model must end in the same cycle with the same figures, without a mismatch, and old
answers must have occurred before acknowledgements.

usage: test_events.py [--seed S] [--backends rtl,model]
"""

import argparse
import json
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DIR = os.path.join(ROOT, "build/events")
BASE, X, PAGE, FRAME = 0x10000000, 0x10400000, 4096, 1 << 21
# preset, settings, coalesced frames; mosaic as kernels-svadu builds it
RUNS = [
    ("full-colt", ["NumSms=3", "L1BaseEntries=8"], False),
    ("all", ["NumSms=3", "MemChannels=0", "CacheBypass=0", "DramAware=0", "AgeCap=0"], True),
    # of pages with A=0 and D=0: hardware sets them meanwhile
    ("mosaic", ["NumSms=4", "Svadu=1"], False),
]


def events(rng, frames, coalesce, clear, path):
    """Legal ones: `at` is the physical page of each virtual one, or None; whole: its frame is
    coalesced."""
    at = {p: 0x20000 + p for p in range(frames * 512)}
    whole = [False] * frames
    cycle, free = 57000, 0x40000  # y has come by then, which all warps wait for
    with open(path, "w") as f:
        for _ in range(rng.randint(150, 250)):
            cycle += rng.choice((0, 1, 20, 100, 300))
            when = f"cycle {cycle}"
            p = rng.randrange(256 if rng.random() < 0.8 else frames * 512)
            va = BASE + p * PAGE
            n = p // 512
            kind = rng.choice("uummrcciss")
            if kind in "um" and not whole[n]:
                if at[p] is None:
                    back = n * 512 + p % 512 + 0x20000 if rng.random() < 0.7 else free + p
                    free += frames * 512
                    f.write(f"{when} map 0 {va:#x} {back * PAGE:#x} {PAGE:#x} ru{clear}\n")
                    at[p] = back
                else:
                    f.write(f"{when} unmap 0 {va:#x} {PAGE:#x}\n")
                    at[p] = None
            elif (
                kind == "r"
                and not whole[n]
                and p % 512 + 4 <= 512
                and all(at[p + k] for k in range(4))
            ):
                f.write(
                    f"{when} unmap 0 {va:#x} {4 * PAGE:#x}\n{when} map 0 {va:#x} "
                    f"{free * PAGE:#x} {4 * PAGE:#x} ru{clear}\n"
                )
                for k in range(4):
                    at[p + k] = free + k
                free += 512
            elif kind == "c" and coalesce:
                base = BASE + n * FRAME
                if whole[n]:
                    f.write(f"{when} splinter 0 {base:#x}\n")
                    whole[n] = False
                else:  # what was moved or taken goes back first
                    for k in range(n * 512, n * 512 + 512):
                        if at[k] != 0x20000 + k:
                            if at[k] is not None:
                                f.write(f"{when} unmap 0 {BASE + k * PAGE:#x} {PAGE:#x}\n")
                            f.write(
                                f"{when} map 0 {BASE + k * PAGE:#x} {(0x20000 + k) * PAGE:#x} "
                                f"{PAGE:#x} ru{clear}\n"
                            )
                            at[k] = 0x20000 + k
                    f.write(f"{when} coalesce 0 {base:#x}\n")
                    whole[n] = True
            elif kind == "s":  # x, which every warp reads all the time, moves
                f.write(
                    f"{when} unmap 0 {X:#x} {PAGE:#x}\n{when} map 0 {X:#x} {free * PAGE:#x} "
                    f"{PAGE:#x} ru{clear}\n"
                )
                free += 512
            elif kind == "i":
                f.write(
                    f"{when} invalidate "
                    f"{rng.choice(('all', 'asid 0', f'0 {va:#x} {PAGE:#x}'))}\n"
                )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--backends", default="rtl,model")
    a = ap.parse_args()
    os.makedirs(DIR, exist_ok=True)
    gmmu, trace = os.path.join(ROOT, "build/bin/gmmu"), os.path.join(DIR, "ATAX")
    subprocess.run(
        [gmmu, "gen", "ATAX", "--size", "512", "-o", trace], check=True, stdout=subprocess.DEVNULL
    )
    superseded = 0
    for n, (preset, sets, coalesce) in enumerate(RUNS):
        clear = "!a!d" if "Svadu=1" in sets else ""
        # A, x and tmp; y comes when it is touched
        with open(os.path.join(DIR, "map"), "w") as f:
            f.write(
                f"0 {BASE:#x} 0x20000000 {2 * FRAME:#x} ru{clear}\n0 0x10400000 0x30000000 "
                f"0x1000 ru{clear}\n0 0x10c00000 0x30001000 0x1000 rwu{clear}\n"
                + "".join(
                    f"0 {BASE + k * 0x400000:#x} {0x30000000 + k * PAGE:#x} 0x1000 "
                    f"rwu{clear} demand\n"
                    for k in (2,)
                )
            )
        events(
            random.Random(a.seed * 100 + n),
            2,
            coalesce,
            clear,
            os.path.join(DIR, f"{preset}.events"),
        )
        seen = []
        for backend in a.backends.split(","):
            out = os.path.join(DIR, f"{preset}.{backend}.json")
            args = [
                gmmu,
                "run",
                "--preset",
                preset,
                *sum((["--set", s] for s in sets), []),
                "--backend",
                backend,
                "--trace",
                trace,
                "--map",
                os.path.join(DIR, "map"),
                "--events",
                os.path.join(DIR, f"{preset}.events"),
                "--seed",
                str(a.seed),
                "--json",
                out,
            ]
            r = subprocess.run(args, cwd=ROOT, capture_output=True, text=True)
            if r.returncode:
                sys.exit(
                    f"{preset}, {backend}: "
                    f"{(r.stderr.splitlines() or r.stdout.splitlines())[-1]}\nagain: "
                    + " ".join(args)
                )
            with open(out) as f:
                seen.append(json.load(f))
        e = seen[0]["events"]
        for k in ("cycles", "l1", "l2", "walks", "structure_accesses", "events", "accesses"):
            if seen[0][k] != seen[-1][k]:
                sys.exit(f"{preset}: {k} of RTL and model differ; seed {a.seed}")
        superseded += e["superseded"]
        if e["acknowledged"] != e["events"] or e["transfers"] < 1 or e["faults"] < 2:
            sys.exit(f"{preset}: not what was to be tried: {e}; seed {a.seed}")
        print(
            f"{preset}: {e['events']} events, {e['invalidations']} invalidations, "
            f"{e['superseded']} old answers before an acknowledgement, "
            f"{e['faults']} faults of {e['transfers']} pages on demand, {seen[0]['cycles']} "
            f"cycles; {' and '.join(a.backends.split(','))} equal"
        )
    return "no old answer before an acknowledgement: nothing was tried" if superseded == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
