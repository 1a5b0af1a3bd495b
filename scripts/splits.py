#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How MASK's pairs share the SMs: of the splits in steps of 5 SMs the one with which SharedTLB, the
baseline, has the largest weighted speedup (MASK section 6: "oracle"); no mechanism is looked at.

usage: splits.py TABLE.csv       of `scripts/workflow.sh splits`; writes sim/workloads/splits.txt
"""

import collections
import csv
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import workflow_plan  # noqa: E402
import workflow_stats  # noqa: E402
from generated import finish, read  # noqa: E402

PATH = "sim/workloads/splits.txt"


def best(rows):
    """{load: [(weighted speedup, SMs), ...]}, the largest first; of two the more even one."""
    sms = collections.defaultdict(list)
    for r in rows:
        if r["what"] == "split":
            sms[r["load"]].append(r["sms"])
    out = {}
    for load, of in sms.items():
        if len(of) != len(workflow_plan.STEPS):
            sys.exit(f"splits.py: {workflow_stats.names(load)}: not all splits were run")
        speed = []
        for n in of:
            mine = [r for r in rows if r["what"] == "split" and (r["load"], r["sms"]) == (load, n)]
            (by_preset,) = workflow_stats.speeds(rows, "", lambda _, mine=mine: mine).values()
            speed.append((by_preset["sharedtlb"][0], n))
        out[load] = sorted(speed, key=lambda x: (-x[0], uneven(x[1])))
    return out


def uneven(sms):
    a, b = map(int, sms.split("+"))
    return abs(a - b)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.split("usage: ")[1].strip())
    with open(sys.argv[1], newline="") as f:
        rows = workflow_stats.read(list(csv.DictReader(f)))
    found = best(rows)
    if not found:
        sys.exit(f"splits.py: {sys.argv[1]} has no run of a split")
    head = [x for x in read(PATH).splitlines() if x.startswith("#")]
    half = f"{workflow_plan.SMS['mask'] // 2}+{workflow_plan.SMS['mask'] // 2}"
    lines = []
    for load, of in sorted(found.items()):
        halves = next(v for v, n in of if n == half)
        lines.append(f"{'+'.join(load)} {of[0][1]} # {of[0][0]:.3f}, with halves {halves:.3f}")
    return finish("splits", {PATH: "\n".join([*head, *lines]) + "\n"}, False)


if __name__ == "__main__":
    sys.exit(main())
