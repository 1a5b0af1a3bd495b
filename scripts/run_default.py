#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The main job: four kernels (two of them together as two applications) through the RTL and the timed model.

usage: run_default.py [--seed S] [--presets P,...] [--size small|default|N] [--jobs N]

Writes build/reports/run.json and prints its table (scripts/report.py); the last line is `mismatches: N`.
Exits with 1 when N is not 0, or when a run could not be made.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import report  # noqa: E402

GMMU = os.path.join(ROOT, "build/bin/gmmu")
JOBS = [["ATAX"], ["NW"], ["BFS", "HISTO"]]


def sh(*args):
    r = subprocess.run(args, cwd=ROOT, capture_output=True, text=True)
    if r.returncode and not (len(args) > 1 and args[1] == "run" and "mismatches:" in r.stdout):
        sys.exit(f"{' '.join(args)}\n{(r.stderr or r.stdout).strip()}")
    return r.stdout


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", default="1")
    ap.add_argument("--presets", default="gpu-mmu,mosaic")
    ap.add_argument("--size", default="small")
    ap.add_argument("--jobs", type=int, default=2)
    a = ap.parse_args()
    out = os.path.join(ROOT, "build/reports")
    traces = os.path.join(ROOT, "build/traces")
    os.makedirs(out, exist_ok=True)
    os.makedirs(traces, exist_ok=True)
    for kernel in sorted({k for job in JOBS for k in job}):
        progress(f"generating {kernel}")
        sh(GMMU, "gen", kernel, "--size", a.size, "-o", f"{traces}/{kernel}-{a.size}.trace")
    presets = a.presets.split(",")
    for p in presets:
        progress(f"building the RTL of preset {p} (a few minutes the first time)")
        sh("make", "-s", "--no-print-directory", "rtl", f"PRESET={p}")

    def one(job):
        kernels, preset, backend = job
        path = f"{out}/{'+'.join(kernels)}-{preset}-{backend}.part"
        sh(GMMU, "run", "--preset", preset, "--backend", backend, "--seed", a.seed, "--json", path,
           "--trace", ",".join(f"{traces}/{k}-{a.size}.trace" for k in kernels))
        with open(path) as f:
            result = json.load(f, object_pairs_hook=report.unique)
        os.remove(path)
        result["kernels"] = "+".join(kernels)
        return result

    jobs = [(k, p, b) for p in presets for k in JOBS for b in ("rtl", "model")]
    results = []
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for i, r in enumerate(pool.map(one, jobs)):
            progress(f"run {i + 1} of {len(jobs)}")
            results.append(r)
    progress("")
    # What the L1s tell the L2 of waiting warps: the same reports at the same times in RTL and model.
    for r, m in zip(results[::2], results[1::2]):
        told = [[x["l2"][k] for k in ("warp_reports", "warps_sum", "warps_max")] for x in (r, m)]
        if told[0] != told[1] or told[0][0] == 0:
            print(f"{r['kernels']} {r['preset']}: waiting warps of RTL and model differ: {told}", file=sys.stderr)
            r["mismatches"] += 1
    # With every frame coalesced and no more frames than large entries, a frame is walked once; the only other walks
    # are those that were already needed while its first one was under way.
    for r in results:
        w = r["walks"]
        if r["pages"] == "coalesced" and w["frames_touched"] <= r["config"]["L2LargeEntries"] and \
                w["count"] != w["frames_touched"] + w["same_frame"]:
            print(f"{r['kernels']} {r['preset']} {r['backend']}: {w['count']} walks, expected {w['frames_touched']} "
                  f"frames + {w['same_frame']} in flight", file=sys.stderr)
            r["mismatches"] += 1
    summary = {"seed": int(a.seed, 0), "size": a.size, "runs": results,
               "mismatches": sum(r["mismatches"] for r in results)}
    with open(f"{out}/run.json.new", "w") as f:
        json.dump(summary, f, indent=1)
        f.write("\n")
    os.replace(f"{out}/run.json.new", f"{out}/run.json")
    report.run_table(summary)
    print(f"mismatches: {summary['mismatches']}")
    return summary["mismatches"] != 0


if __name__ == "__main__":
    sys.exit(main())
