#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The main job: four kernels (two of them together as two applications) through the RTL and the
timed model.

usage: run_default.py [--seed S] [--presets P,...] [--size small|default|N] [--jobs N]
                      [--make "make ..."]

Writes build/reports/run.json and prints its table (scripts/report.py); the last line is
`mismatches: N`. Exits with 1 when N is not 0, or when a run could not be made. On stderr it says
what it does: on a terminal in one line that moves, elsewhere (CI) in a line per step. --make: how
the C program and the RTL are built first."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import report  # noqa: E402

GMMU = os.path.join(ROOT, "build/bin/gmmu")
JOBS = [["ATAX"], ["NW"], ["BFS", "HISTO"]]
NAME = {"rtl": "RTL", "model": "timed model"}


def sh(*args):
    r = subprocess.run(args, cwd=ROOT, capture_output=True, text=True)
    if r.returncode and not (len(args) > 1 and args[1] == "run" and "mismatches:" in r.stdout):
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        sys.exit(f"{' '.join(args)}\n{(r.stderr or r.stdout).strip()}")
    return r.stdout


class Progress:
    """Says on stderr which step runs: a line that moves on a terminal, else a line per step."""

    def __init__(self, steps):
        self.steps, self.step, self.text, self.start = steps, 0, "", time.time()
        self.moves = sys.stderr.isatty()

    def next(self, text):
        self.step += 1
        self.text, self.start = f"[{self.step}/{self.steps}] {text}", time.time()
        if self.moves:
            self.more("")
        else:
            print(self.text, file=sys.stderr, flush=True)

    def more(self, what):
        """How far this step is; on a terminal only."""
        if self.moves:
            print(f"\r\033[K{self.text}{what}"[:120], end="", file=sys.stderr, flush=True)

    def clear(self):
        if self.moves:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def newest(start, *folders):
    """How many object files were written since start, below build/."""
    n = 0
    for folder in folders:
        for d, _, files in os.walk(os.path.join(ROOT, "build", folder)):
            for f in files:
                try:
                    n += f.endswith(".o") and os.path.getmtime(os.path.join(d, f)) >= start
                except OSError:  # ccache and ar rename their files
                    pass
    return n


def build(progress, folders, *args):
    """A build that takes a while; counts what it has compiled."""
    p = subprocess.Popen(
        args, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    while True:
        try:
            out = p.communicate(timeout=1)[0]
            break
        except subprocess.TimeoutExpired:
            progress.more(
                f": {newest(progress.start, *folders)} files compiled, "
                f"{time.time() - progress.start:.0f} s"
            )
    if p.returncode:
        progress.clear()
        sys.exit(f"{' '.join(args)}\n{out.strip()}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", default="1")
    ap.add_argument("--presets", default="gpu-mmu,mosaic")
    ap.add_argument("--size", default="small")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--make", default="make")
    a = ap.parse_args()
    out = os.path.join(ROOT, "build/reports")
    traces = os.path.join(ROOT, "build/traces")
    os.makedirs(out, exist_ok=True)
    os.makedirs(traces, exist_ok=True)
    presets = a.presets.split(",")
    jobs = [(k, p, b) for p in presets for k in JOBS for b in ("rtl", "model")]
    progress = Progress(2 + len(presets) + len(jobs))
    make = [*a.make.split(), "-s", "--no-print-directory"]
    progress.next("compiling the C library and the program")
    build(progress, ("obj",), *make, f"-j{a.jobs}", "build/bin/gmmu")
    kernels = sorted({k for job in JOBS for k in job})
    progress.next(f"generating the traces of {', '.join(kernels)}")
    for kernel in kernels:
        sh(GMMU, "gen", kernel, "--size", a.size, "-o", f"{traces}/{kernel}-{a.size}.trace")
    for p in presets:
        progress.next(
            f"building the RTL of preset {p} with Verilator (a few minutes the first time)"
        )
        build(progress, ("rtl",), *make, "rtl", f"PRESET={p}")

    def one(job):
        kernels, preset, backend = job
        path = f"{out}/{'+'.join(kernels)}-{preset}-{backend}.part"
        sh(
            GMMU,
            "run",
            "--preset",
            preset,
            "--backend",
            backend,
            "--seed",
            a.seed,
            "--json",
            path,
            "--trace",
            ",".join(f"{traces}/{k}-{a.size}.trace" for k in kernels),
        )
        with open(path) as f:
            result = json.load(f, object_pairs_hook=report.unique)
        os.remove(path)
        result["kernels"] = "+".join(kernels)
        return result

    results = []
    progress.next(f"{'+'.join(jobs[0][0])}, {jobs[0][1]}, {NAME[jobs[0][2]]}")
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for r, after in zip(pool.map(one, jobs), [*jobs[1:], None]):
            results.append(r)
            if after:
                progress.next(f"{'+'.join(after[0])}, {after[1]}, {NAME[after[2]]}")
    progress.clear()
    # What the L1s tell the L2 of waiting warps: the same reports at the same times in RTL and
    # model.
    for r, m in zip(results[::2], results[1::2]):
        told = [[x["l2"][k] for k in ("warp_reports", "warps_sum", "warps_max")] for x in (r, m)]
        if told[0] != told[1] or told[0][0] == 0:
            print(
                f"{r['kernels']} {r['preset']}: waiting warps of RTL and model differ: {told}",
                file=sys.stderr,
            )
            r["mismatches"] += 1
    # With every frame coalesced and no more frames than large entries, a frame is walked once; the
    # only other walks are those that were already needed while its first one was under way.
    for r in results:
        w = r["walks"]
        if (
            r["pages"] == "coalesced"
            and w["frames_touched"] <= r["config"]["L2LargeEntries"]
            and w["count"] != w["frames_touched"] + w["same_frame"]
        ):
            print(
                f"{r['kernels']} {r['preset']} {r['backend']}: {w['count']} walks, expected "
                f"{w['frames_touched']} "
                f"frames + {w['same_frame']} in flight",
                file=sys.stderr,
            )
            r["mismatches"] += 1
    summary = {
        "seed": int(a.seed, 0),
        "size": a.size,
        "runs": results,
        "mismatches": sum(r["mismatches"] for r in results),
    }
    with open(f"{out}/run.json.new", "w") as f:
        json.dump(summary, f, indent=1)
        f.write("\n")
    os.replace(f"{out}/run.json.new", f"{out}/run.json")
    report.run_table(summary)
    print(f"mismatches: {summary['mismatches']}")
    return summary["mismatches"] != 0


if __name__ == "__main__":
    sys.exit(main())
