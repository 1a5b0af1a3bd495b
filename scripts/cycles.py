#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles and event counts of two kernels and one random run, for every preset: the table that a
change which may not change behaviour has to leave as it is.

usage: cycles.py record FILE [--backend model|rtl] [--presets P,...]     writes the table
       cycles.py check FILE [--without KEY,...]                         makes the runs of FILE
       again; exits with 1 on a difference. --without: keys of the report, as l2.warps_per_miss,
       that it did not have when FILE was written

A row: preset, backend, run, cycles, some counts, and the digest of everything that the run reports
except times. The RTL runs with 4 SMs, and builds what it needs (make rtl); `model` is the timed
model with the preset's own number of SMs."""

import argparse
import csv
import hashlib
import json
import os
import re
import sys

import gmmu
from gmmu import GMMU, ROOT, sh

KERNELS = ("ATAX", "NW")
RTL_PRESETS = "gpu-mmu,mosaic,mesc,fpga-small,full-colt"
RTL_SET = ("NumSms=4",)
RANDOM_OPS = {"rtl": "50000", "model": "50000"}
COLUMNS = [
    "preset",
    "backend",
    "run",
    "cycles",
    "translations",
    "l1_lookups",
    "l2_lookups",
    "walks",
    "pte_reads",
    "digest",
]
TIMES = {"seconds", "khz", "translations_per_s", "trace"}  # what differs from run to run


def without_times(x):
    """A report without what differs from run to run."""
    if isinstance(x, dict):
        return {k: without_times(v) for k, v in x.items() if k not in TIMES}
    return [without_times(v) for v in x] if isinstance(x, list) else x


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def kernel_row(report, without=()):
    counts = without_times(report)
    counts.pop("config", None)  # a new parameter does not change what happens
    for key in without:
        *parts, last = key.split(".")
        place = counts
        for part in parts:
            place = place[part]
        del place[last]
    walks = report["walks"]
    return [
        report["cycles"],
        report["translations"],
        report["l1"]["lookups"],
        report["l2"]["lookups"],
        walks["count"],
        walks["pte_reads"],
        digest(json.dumps(counts, sort_keys=True)),
    ]


def random_row(text):
    """From what `gmmu random` prints."""
    text = re.sub(r", [\d.]+ kHz", "", text)
    cycles = re.search(r"in (\d+) cycles", text)
    return [
        cycles[1],
        re.search(r"answers +(\d+)", text)[1],
        "",
        "",
        "",
        re.search(r"reads (\d+)", text)[1],
        digest(text),
    ]


def runs(backend, preset, without=()):
    """Rows of a preset."""
    settings = RTL_SET if backend == "rtl" else ()
    if backend == "rtl":
        sh("make", "-s", "rtl", f"PRESET={preset}", "SET=" + " ".join(settings))
    for kernel in KERNELS:
        trace = os.path.join(ROOT, f"build/traces/{kernel}-small.trace")
        if not os.path.exists(trace):
            os.makedirs(os.path.dirname(trace), exist_ok=True)
            sh(GMMU, "gen", kernel, "--size", "small", "-o", trace)
        report = gmmu.run(preset, backend, trace, "--seed", "1", sets=settings)
        row = kernel_row(report, without)
        yield [preset, backend, kernel, *map(str, row)]
    if preset == "ideal":  # no invalidation: gmmu random refuses it
        return
    text = sh(
        GMMU,
        "random",
        "--preset",
        preset,
        *(x for s in RTL_SET for x in ("--set", s)),
        "--backend",
        backend,
        "--ops",
        RANDOM_OPS[backend],
        "--seed",
        "7",
    )
    yield [preset, backend, "random", *map(str, random_row(text))]


def presets():
    return sorted(
        f[:-4] for f in os.listdir(os.path.join(ROOT, "sim/presets")) if f.endswith(".ini")
    )


def record(path, backend, names):
    rows = []
    for name in names:
        for row in runs(backend, name):
            print(" ".join(row), file=sys.stderr, flush=True)
            rows.append(row)
    with open(path, "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([COLUMNS, *rows])


def check(path, without):
    with open(path, newline="") as f:
        head, *rows = list(csv.reader(f))
    if head != COLUMNS or not rows:
        sys.exit(f"cycles: {path}: not a table of this script")
    bad = 0
    for preset, backend in dict.fromkeys((r[0], r[1]) for r in rows):
        want = [r for r in rows if r[:2] == [preset, backend]]
        for old, new in zip(want, runs(backend, preset, without)):
            if old != new:
                bad += 1
                print(
                    f"{' '.join(old[:3])}: "
                    + ", ".join(f"{c} {a} is now {b}" for c, a, b in zip(head, old, new) if a != b)
                )
    print(
        f"cycles: {bad} of {len(rows)} runs differ"
        if bad
        else f"cycles: {len(rows)} runs as before"
    )
    return bad != 0


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("what", choices=("record", "check"))
    ap.add_argument("file")
    ap.add_argument("--backend", default="model", choices=("model", "rtl"))
    ap.add_argument("--presets")
    ap.add_argument("--without", default="")
    a = ap.parse_args()
    if a.what == "check":
        return check(a.file, [k for k in a.without.split(",") if k])
    names = (a.presets or RTL_PRESETS).split(",") if a.backend == "rtl" or a.presets else presets()
    record(a.file, a.backend, names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
