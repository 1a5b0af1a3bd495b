#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants each bug of tb/simt/mutants.txt in a copy of the SIMT core and checks that its bench finds it.

usage: mutants.py [--check] [--sample SEED COUNT] [NAME...]     (--check: only that each text is found exactly once)

Exits with 0 when every bug was planted, built, and found.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import planted
PROGRAMS = "60"


def mutants():
    with open(os.path.join(ROOT, "tb/simt/mutants.txt")) as f:
        for n, line in enumerate(f, 1):
            if line.strip() and not line.startswith("#"):
                parts = [p.strip().replace("\0", "|") for p in line.rstrip("\n").replace("\\|", "\0").split(" | ")]
                if len(parts) != 4:
                    sys.exit(f"tb/simt/mutants.txt:{n}: expected: name | file | text | replacement")
                yield parts


def check(name, file, old, new, plant=True):
    """What is wrong with the planted bug (None: it was found), and what the bench said."""
    with open(os.path.join(ROOT, "tb/simt", file)) as f:
        text, why = planted.replaced(f.read(), old, new)
    if why:
        return f"{why} in {file}", ""
    if not plant:
        return None, ""
    work = os.path.join(ROOT, "build/simt-mutants", name)
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "tb/simt"), work)
    with open(os.path.join(work, file), "w") as f:
        f.write(text)
    try:
        r = subprocess.run(["tb/simt/run.sh", PROGRAMS, "1", "small"], cwd=ROOT, capture_output=True, text=True, timeout=3000,
                           env=dict(os.environ, MAKEFLAGS="", OPT="-O1", RTL=f"build/simt-mutants/{name}"))
    finally:
        built = os.path.exists(os.path.join(ROOT, f"build/tb/simt-{name}/small"))
        shutil.rmtree(os.path.join(ROOT, f"build/tb/simt-{name}"), ignore_errors=True)
        shutil.rmtree(work, ignore_errors=True)
    lines = (r.stderr + r.stdout).splitlines()
    said = next((x for x in lines if "expected" in x or "no instruction" in x or "rror" in x), "?")[:150]
    if not built:
        return "does not build", said
    return (None, said) if r.returncode else (f"not found in {PROGRAMS} programs", "")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--check", action="store_true")
    ap.add_argument("--sample", nargs=2, type=int, metavar=("SEED", "COUNT"))
    ap.add_argument("names", nargs="*")
    a = ap.parse_args()
    todo = [m for m in mutants() if not a.names or m[0] in a.names]
    if a.sample:
        todo = random.Random(a.sample[0]).sample(todo, min(a.sample[1], len(todo)))
        print(f"seed {a.sample[0]}: {len(todo)} planted bugs; all: without --sample")
    missed = 0
    for m in todo:
        wrong, said = check(*m, plant=not a.check)
        missed += wrong is not None
        if not a.check or wrong:
            print(f"{'MISSED' if wrong else 'caught'} {m[0]:18} {wrong or said}", flush=True)
    print(f"{len(todo) - missed} of {len(todo)} planted bugs {'can be planted' if a.check else 'caught'}")
    return missed != 0 or not todo


if __name__ == "__main__":
    sys.exit(main())
