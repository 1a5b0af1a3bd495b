#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example output of README.md is true: its kernels and presets run on the timed model, and each
of its counts (all but what depends on the machine, kHz and speed, and the number of comparisons,
which the RTL run makes) must be what comes out, rates, latencies and cycles of the RTL included.
Its size and seed are read from the output itself."""

import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import report  # noqa: E402

OUT = os.path.join(ROOT, "build/tb/readme")
GMMU = os.path.join(ROOT, "build/bin/gmmu")


def tables(lines):
    """[{column: cell}] of each table: a line that begins with `kernels`, then its rows; two spaces
    part the columns."""
    head = None
    for line in lines:
        cells = re.split(r"\s{2,}", line.strip())
        if cells[0] == "kernels":
            head = cells
        elif head and len(cells) > 3:
            yield dict(zip(head, cells))
        else:
            head = None


def want(r):
    """What the columns must say, from a run's report."""
    w, p = r["walks"], report.percent
    return {
        "accesses": r["accesses"],
        "translations": r["translations"],
        "L1 base": p(r["l1"]["hit_rate_base"]),
        "L1 large": p(r["l1"]["hit_rate_large"]),
        "L2 base": p(r["l2"]["hit_rate_base"]),
        "L2 large": p(r["l2"]["hit_rate_large"]),
        "merged L1": r["l1"]["misses_merged"],
        "merged L2": r["l2"]["misses_merged"],
        "walks": w["count"],
        "frames": w["frames_touched"],
        "same frame": w["same_frame"],
        "walks at once": f"{w['concurrent_mean']:.2f}",
        "most": w["concurrent_max"],
        "latency mean": f"{r['latency']['mean']:.2f}",
        "p99": r["latency"]["p99"],
        "RTL cycles": r["cycles"],
        "model cycles": r["cycles"],
        "mismatches": 0,
    }


def main():
    with open(os.path.join(ROOT, "README.md")) as f:
        parts = f.read().split("<!-- example-output -->")
    if len(parts) != 3:
        sys.exit("FAIL README.md has no example output between its two marks")
    said = re.search(r"seed (\d+), size (\w+)", parts[1])
    if not said or not re.search(r"^mismatches: 0$", parts[1], re.M):
        sys.exit("FAIL the example names no seed and size, or does not end with mismatches: 0")
    os.makedirs(OUT, exist_ok=True)
    runs, bad, compared = {}, [], 0
    for row in tables(parts[1].splitlines()):
        kernels, preset = row["kernels"], row["preset"]
        if (kernels, preset) not in runs:
            traces = []
            for k in kernels.split("+"):
                traces.append(f"{OUT}/{k}.trace")
                subprocess.run(
                    [GMMU, "gen", k, "--size", said[2], "-o", traces[-1]],
                    check=True,
                    capture_output=True,
                )
            path = f"{OUT}/{kernels}-{preset}.json"
            subprocess.run(
                [
                    GMMU,
                    "run",
                    "--preset",
                    preset,
                    "--backend",
                    "model",
                    "--seed",
                    said[1],
                    "--json",
                    path,
                    "--trace",
                    ",".join(traces),
                ],
                check=True,
                capture_output=True,
            )
            with open(path) as f:
                runs[kernels, preset] = json.load(f)
        ours = want(runs[kernels, preset])
        timed = "RTL cycles" in row
        for column, cell in row.items():
            # Of the third table `cycles`, `mean latency` and `p99` are differences.
            expected = (
                "+0.000%"
                if timed and column in ("cycles", "mean latency", "p99")
                else runs[kernels, preset]["cycles"]
                if column == "cycles"
                else ours.get(column)
            )
            if expected is not None:
                compared += 1
                if str(expected) != cell:
                    bad.append(
                        f"{kernels}, {preset}, {column}: README.md says {cell}, the run "
                        f"{expected}"
                    )
    for line in bad:
        print(line)
    if bad or compared < 60:
        sys.exit(f"FAIL {len(bad)} of {compared} numbers")
    print(f"PASS {compared} numbers of {len(runs)} runs")


if __name__ == "__main__":
    main()
