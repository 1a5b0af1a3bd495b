#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MESC's 15 workloads through its presets: hit rates, walks, MSC; a table and
build/reports/mesc.json.

usage: run_mesc.py [--backend rtl|model] [--presets P,...] [--size small|medium|default]
                   [--frames F] [--set KEY=VALUE]
                   [--kernels K,...] [--both]

medium: sides of 1024 (graphs smaller), beyond the reach of the shared TLB and a few minutes in all;
default takes hours.
--both runs RTL and timed model and compares their cycles. The last line is `mismatches: N`; exits
with 1 if N is not 0."""

import argparse
import json
import os
import sys

import gmmu
from gmmu import ROOT, sh

SENSITIVE = "ATAX BFS BICG CORR COVAR GMV GRM MVT NW".split()
OTHERS = "2DCONV COLOR HS LUD SRAD SSSP".split()
MEDIUM = {"BFS": "262144", "COLOR": "512", "SSSP": "512"}


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def run(kernel, preset, backend, a):
    size = MEDIUM.get(kernel, "1024") if a.size == "medium" else a.size
    trace = os.path.join(ROOT, f"build/traces/{kernel}-{size}.trace")
    if not os.path.exists(trace):
        sh(gmmu.GMMU, "gen", kernel, "--size", size, "-o", trace)
    pages = ["--pages", "coalesced"] if preset == "thp" else ["--frames", a.frames]
    r = gmmu.run(preset, backend, trace, *pages, sets=a.set, mismatches=True)
    r["kernel"] = kernel
    return r


def mean(rows, f):
    v = [f(r) for r in rows]
    return sum(v) / len(v) if v else 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--backend", choices=("rtl", "model"), default="model")
    ap.add_argument("--presets", default="mesc-baseline,thp,mesc")
    ap.add_argument("--size", choices=("small", "medium", "default"), default="medium")
    ap.add_argument("--frames", default="os")
    ap.add_argument("--kernels", default=",".join(SENSITIVE + OTHERS))
    ap.add_argument("--set", action="append", default=[])
    ap.add_argument("--both", action="store_true")
    a = ap.parse_args()
    os.makedirs(os.path.join(ROOT, "build/reports"), exist_ok=True)
    os.makedirs(os.path.join(ROOT, "build/traces"), exist_ok=True)
    kernels, presets = a.kernels.split(","), a.presets.split(",")
    if a.both or a.backend == "rtl":
        for p in presets:
            progress(f"building the RTL of preset {p}")
            sh("make", "-s", "--no-print-directory", "rtl", f"PRESET={p}", f"SET={' '.join(a.set)}")
    rows, bad = [], 0
    for k in kernels:
        for p in presets:
            progress(f"{k} {p}")
            r = run(k, p, "rtl" if a.both else a.backend, a)
            bad += r["mismatches"]
            if a.both:
                m = run(k, p, "model", a)
                bad += m["mismatches"]
                if m["cycles"] != r["cycles"] or m["structure_accesses"] != r["structure_accesses"]:
                    print(
                        f"{k} {p}: RTL {r['cycles']} cycles, model {m['cycles']}, or their "
                        f"accesses differ",
                        file=sys.stderr,
                    )
                    bad += 1
            rows.append(r)
    progress("")
    print(
        f"{'kernel':8} {'preset':14} {'L1 hit':>7} {'L2 hit':>7} {'walks':>9} {'PTE reads':>10} "
        f"{'PWC hit':>8} "
        f"{'MSC hit':>8} {'contiguous':>10} {'cycles':>12}"
    )

    def line(name, preset, rs):
        def share(num, den):
            return mean(
                [r for r in rs if r["structure_accesses"][den]],
                lambda r: r["structure_accesses"][num] / r["structure_accesses"][den],
            )

        print(
            f"{name:8} {preset:14} {mean(rs, lambda r: r['l1']['hit_rate']):7.2%} "
            f"{mean(rs, lambda r: r['l2']['hit_rate']):7.2%} "
            f"{mean(rs, lambda r: r['walks']['count']):9.0f} "
            f"{mean(rs, lambda r: r['structure_accesses']['dram_pte_reads']):10.0f} "
            f"{share('pwc_hits', 'pwc_probes'):8.2%} "
            f"{share('msc_hits', 'msc_lookups'):8.2%} "
            f"{mean(rs, lambda r: r.get('contiguous_share', 0)):10.2%} "
            f"{mean(rs, lambda r: r['cycles']):12.0f}"
        )

    for r in rows:
        line(r["kernel"], r["preset"], [r])
    for name, group in (("sensitive", SENSITIVE), ("others", OTHERS)):
        for p in presets:
            rs = [r for r in rows if r["preset"] == p and r["kernel"] in group]
            if rs:
                line(name[:8], p, rs)
    out = os.path.join(ROOT, "build/reports/mesc.json")
    new = f"{out}.{os.getpid()}.new"  # another run may end at the same time
    with open(new, "w") as f:
        json.dump(
            {
                "size": a.size,
                "frames": a.frames,
                "backend": "rtl" if a.both else a.backend,
                "runs": rows,
                "mismatches": bad,
            },
            f,
            indent=1,
        )
        f.write("\n")
    os.replace(new, out)
    print(f"mismatches: {bad}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
