#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""All results of docs/results-*.md, one script after the other.

usage: results.py [--short] [--list] [NAME...]     NAME: gdm mask mesc mosaic [all of them]

Each step's output goes to build/results/STEP.txt (short: STEP-short.txt). A step that ended well
with the same program, script and options is not done again, and the scripts of gdm and mosaic keep
their single runs too, so that this goes on where it was stopped. GDM's page is written by its
script; the other pages are kept by hand and these are the numbers behind them. --short: a few
minutes, small inputs, no page. Exits with 1 if a step failed.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DIR = os.path.join(ROOT, "build/results")
GMMU = os.path.join(ROOT, "build/bin/gmmu")
STEPS = [  # name, script and options, those of --short (None: only in full)
    ("gdm", "run_gdm.py", [], ["--short"]),
    ("mosaic-fragment", "run_mosaic.py fragment", [], None),
    ("mosaic-paging", "run_mosaic.py paging", [], ["--kernels", "MM"]),
    ("mosaic-sweep", "run_mosaic.py sweep", [], None),
    ("mosaic-apps", "run_mosaic.py apps", [], None),
    ("mask-classes", "run_mask.py classes", [], None),
    ("mask-pairs", "run_mask.py pairs", [], ["--limit", "1"]),
    ("mask-system", "run_mask.py system", [], None),
    ("mask-scale", "run_mask.py scale", [], None),
    (
        "mesc",
        "run_mesc.py --backend model",
        ["--size", "medium"],
        ["--size", "small", "--kernels", "ATAX"],
    ),
]


def key(command):
    h = hashlib.sha256(" ".join(command).encode())
    for path in (GMMU, os.path.join(ROOT, command[0])):
        with open(path, "rb") as f:
            h.update(f.read())
    return h.hexdigest()


def step(name, command):
    """True if it ended well, now or before."""
    out, done = os.path.join(DIR, name + ".txt"), os.path.join(DIR, name + ".done")
    k = key(command)
    if os.path.exists(done) and os.path.exists(out):
        with open(done) as f:
            if f.read() == k:
                print(f"{name}: done before, {os.path.relpath(out, ROOT)}", flush=True)
                return True
    print(f"{name}: {' '.join(command)}", flush=True)
    start = time.monotonic()
    with open(out + ".new", "w") as f:
        status = subprocess.run(command, cwd=ROOT, stdout=f).returncode
    os.replace(out + ".new", out)
    print(
        f"{name}: {'ended' if status == 0 else f'FAILED (exit status {status})'} after "
        f"{time.monotonic() - start:.0f} s, "
        f"{os.path.relpath(out, ROOT)}",
        flush=True,
    )
    if status == 0:
        with open(done, "w") as f:
            f.write(k)
    return status == 0


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("names", nargs="*")
    ap.add_argument("--short", action="store_true")
    ap.add_argument("--list", action="store_true")
    a = ap.parse_args()
    groups = sorted({s[0].partition("-")[0] for s in STEPS})
    for n in a.names:
        if n not in groups:
            sys.exit(f"results.py: no results '{n}'; there are: {' '.join(groups)}")
    todo = []
    for name, base, full, short in STEPS:
        if a.names and name.partition("-")[0] not in a.names:
            continue
        if a.short and short is None:
            continue
        words = base.split()
        todo.append(
            (
                name + ("-short" if a.short else ""),
                ["scripts/" + words[0], *words[1:], *(short if a.short else full)],
            )
        )
    if a.list:
        print("\n".join(f"{n}: {' '.join(c)}" for n, c in todo))
        return 0
    if not os.path.exists(GMMU):
        sys.exit("results.py: build/bin/gmmu is missing: make all")
    os.makedirs(DIR, exist_ok=True)
    failed = [n for n, c in todo if not step(n, c)]
    print(
        f"{len(todo) - len(failed)} of {len(todo)} steps ended well"
        + (f"; failed: {', '.join(failed)}" if failed else "")
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
