#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/calibrate.py on one short kernel and few SMs: every translation right, a line for each
printed statistic, a CSV that names what it was made with; the same again from the cache; what
follows from counts by hand; bad input in one line."""

import csv
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calibrate  # noqa: E402

WORK = "build/calibrate-test"
shutil.rmtree(WORK, ignore_errors=True)


def expect(what, ok):
    if not ok:
        sys.exit(f"test_calibrate.py: not so: {what}")


def call(*args, status=0):
    r = subprocess.run(["scripts/calibrate.py", *args], capture_output=True, text=True)
    expect(
        f"{' '.join(args)} ends with {status}: {r.stdout[-300:]}{r.stderr[-300:]}",
        r.returncode == status,
    )
    return r.stdout if status == 0 else r.stderr


args = ("table", "mask", "--kernels", "LUD", "--set", "NumSms=4", "--seeds", "1,2", "--out", WORK)
first = call(*args)
expect("the last line counts mismatches", first.endswith("\nmismatches: 0\n"))
for stat, of, _, _ in calibrate.PRINTED["mask"]:
    expect(f"a line for {stat}", re.search(rf"^\| {stat} \| {of or 'all'} \|", first, re.M))
with open(f"{WORK}/calibration-mask.csv", newline="") as f:
    rows = list(csv.DictReader(f))
expect("a row for each seed", [r["seed"] for r in rows] == ["1", "2"])
expect(
    "rows say their parameters",
    all("MemChannels=8" in r["parameters"] and "NumSms=4" in r["parameters"] for r in rows),
)
expect(
    "shares of one bandwidth",
    all(
        0 < float(r["translations, of used bandwidth"]) < 1
        and 0 < float(r["data, of all bandwidth"]) < 1
        for r in rows
    ),
)
expect(
    "the baseline is not faster than ideal",
    all(0 < float(r["share of the best"]) <= 1 for r in rows),
)
expect("the same from the cache", call(*args) == first)

# 30 hits, 10 misses, 60 merged: 25 % are missed.
x = {
    "l1": {"hits_base": 20, "hits_large": 10, "misses_alloc": 10, "misses_merged": 60},
    "l2": {
        "hits_base": 1,
        "hits_large": 2,
        "hits_sub": 3,
        "hits_run": 4,
        "hits_bypass": 5,
        "misses_alloc": 5,
    },
}
expect("merged misses are left out", calibrate.miss_rates(x) == [0.25, 0.25])
expect("inside a range", calibrate.verdict(0.5, (0.4, 0.6)) == ("0.4 to 0.6", "inside"))
expect("below a range", calibrate.verdict(0.2, (0.4, 0.6))[1] == "-50%")
expect("beside a value", calibrate.verdict(0.3, 0.2)[1] == "+50%")
expect(
    "steps of the ladder",
    calibrate.ladder("mask", "LUD", 128, 600) == [128, 256, 512]
    and calibrate.ladder("mosaic", "RED", 1, 100) == [1, 4, 16, 64]
    and calibrate.ladder("mesc", "ATAX", 256, 1100) == [256, 512, 768, 1024]
    and calibrate.ladder("mesc", "BFS", 4096, 70000) == [4096, 16384, 65536],
)
expect("MESC's side: 576 pages of 512", calibrate.mesc_side() == 768)
expect("an unknown paper", "paper 'x' is none of" in call("table", "x", status=2))
expect(
    "an unknown kernel", "kernel 'X' is not in" in call("table", "mask", "--kernels", "X", status=2)
)
print("PASS")
