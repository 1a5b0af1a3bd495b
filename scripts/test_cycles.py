#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""RTL and timed model under the same random traffic: the same report, to the cycle.

usage: test_cycles.py [--ops N] [--tables N] [--seeds N] [NAME...]

Every `gmmu random --backend rtl` of tb/tests.list, or of its tests NAME, is run on both backends
with other seeds and at most N requests (N sets of page tables). All lines of the two reports but
the speed have to be equal: the cycles, the reads of PTEs, what invalidations took, answers by
cause. So a grant, an answer or an acknowledgement that comes later than the model says is seen,
whatever it carries: who goes first, and for how long, is in the model."""

import argparse
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def commands(names):
    """Name of the test, arguments of gmmu, without --backend and the seed."""
    with open(os.path.join(ROOT, "tb/tests.list")) as f:
        for line in f:
            parts = line.split(" | ")
            name = parts[0].split()[0] if parts[0].split() else ""
            if line.startswith("#") or len(parts) < 3 or (names and name not in names):
                continue
            for command in " | ".join(parts[1:-1]).split("&&"):
                words = shlex.split(command)
                if words[:2] != ["build/bin/gmmu", "random"] or "rtl" not in words:
                    continue
                for option in ("--backend", "--seed"):
                    at = words.index(option)
                    del words[at : at + 2]
                yield name, words


def shorter(words, option, most):
    if option in words:
        at = words.index(option) + 1
        words[at] = str(min(int(words[at]), most))


def comparable(out):
    """The lines of a report that follow from the traffic and the cycles alone."""
    lines = re.sub(r", [0-9.]+ [kM]?Hz", "", out).splitlines()
    # what is compared in the last cycle is no matter of cycles
    return [x for x in lines if x.split()[:1] != ["comparisons"]]


def report(words, backend, seed):
    command = [*words, "--backend", backend, "--seed", str(seed)]
    r = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if r.returncode:
        sys.exit(f"FAIL exit {r.returncode}: {shlex.join(command)}\n{r.stdout[-2000:]}{r.stderr}")
    return command, comparable(r.stdout)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ops", type=int, default=20000)
    ap.add_argument("--tables", type=int, default=100)
    ap.add_argument("--seeds", type=int, default=2)
    ap.add_argument("names", nargs="*")
    a = ap.parse_args()
    runs = cycles = 0
    for name, words in commands(a.names):
        shorter(words, "--ops", a.ops)
        shorter(words, "--tables", a.tables)
        shorter(words, "--resets", 10)
        for seed in range(101, 101 + a.seeds):
            command, rtl = report(words, "rtl", seed)
            model = report(words, "model", seed)[1]
            if rtl != model:
                print(f"FAIL {name}: RTL and timed model differ; again: {shlex.join(command)}")
                for x, y in zip(rtl, model):
                    if x != y:
                        print(f"  RTL   {x}\n  model {y}")
                return 1
            runs += 1
            cycles += int(re.search(r"in (\d+) cycles", "\n".join(rtl))[1])
    if not runs:
        sys.exit("test_cycles.py: no such test in tb/tests.list runs gmmu random on the RTL")
    print(f"PASS {runs} runs, {cycles} cycles: RTL and timed model report the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
