#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One run of the results workflow.

usage: workflow_run.py run PLAN KEY TRACES OUT    the run of that key (workflow_plan.py), from
                                                  TRACES/NAME.trace
       workflow_run.py trace KERNEL SIZE LANES OUT
       workflow_run.py table PLAN RUNS OUT         all runs of the plan in RUNS as CSV

OUT appears whole or not at all. A wrong translation is an error.
"""

import csv
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calibrate  # noqa: E402
import workflow_plan  # noqa: E402

ROOT = calibrate.ROOT


def commit():
    """The tree's commit, with + if there is more in it."""

    def git(*args):
        return subprocess.run(
            ["git", "-C", ROOT, *args], capture_output=True, text=True
        ).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def last_line(r):
    return ((r.stderr or r.stdout).strip().splitlines() or [f"exit status {r.returncode}"])[-1]


def run(name, key, traces, out):
    found = [r for r in workflow_plan.plan(name) if r["key"] == key]
    if not found:
        sys.exit(f"workflow: plan {name} has no run {key}: the program or a preset has changed")
    r = found[0]
    paths = [
        os.path.join(traces, workflow_plan.trace_name(k, s, r["lanes"]) + ".trace")
        for k, s in r["load"]
    ]
    part = f"{out}.{os.getpid()}.part"
    args = [calibrate.GMMU, "run", "--preset", r["run_preset"], "--backend", "model"]
    args += ["--trace", ",".join(paths), "--sms", ",".join(map(str, r["sms"]))]
    args += ["--seed", str(r["seed"]), "--json", part, *r["options"]]
    args += [x for s in r["sets"] for x in ("--set", s)]
    start = time.monotonic()
    p = subprocess.run(args, capture_output=True, text=True)
    if p.returncode or not os.path.exists(part):
        if os.path.exists(part):
            os.remove(part)
        apps = "+".join(k for k, _ in r["load"])
        sys.exit(f"workflow: {r['paper']} {apps} {r['preset']} seed {r['seed']}: {last_line(p)}")
    with open(part) as f:
        result = json.load(f)
    with open(part, "w") as f:
        seconds = round(time.monotonic() - start, 1)
        json.dump({"run": r, "commit": commit(), "seconds": seconds, "result": result}, f)
    os.replace(part, out)


def trace(kernel, size, lanes, out):
    part = f"{out}.{os.getpid()}.part"
    r = subprocess.run(
        [calibrate.GMMU, "gen", kernel, "--size", size, "--lanes", lanes, "-o", part],
        capture_output=True,
        text=True,
    )
    if r.returncode:
        sys.exit(last_line(r))
    os.replace(part, out)


FIELDS = (
    "key commit paper what preset load sms seed parameters options cycles accesses ipc_each "
    "cycles_each l1_hits l2_hits l1_miss_own l2_miss_own walks walks_at_a_time "
    "t_latency d_latency seconds"
).split()


def row(kept):
    r, x = kept["run"], kept["result"]
    l1, l2 = calibrate.miss_rates(x)
    apps = x["applications"]
    return {
        "key": r["key"],
        "commit": kept["commit"],
        "paper": r["paper"],
        "what": r["what"],
        "preset": r["preset"],
        "load": "+".join(f"{k}:{s}" for k, s in r["load"]),
        "sms": "+".join(map(str, r["sms"])),
        "seed": r["seed"],
        "parameters": " ".join(r["sets"]),
        "options": " ".join(r["options"]),
        "cycles": x["cycles"],
        "accesses": x["accesses"],
        "ipc_each": "+".join(repr(a["ipc"]) for a in apps),
        "cycles_each": "+".join(str(a["cycles"]) for a in apps),
        "l1_hits": 1 - l1,
        "l2_hits": 1 - l2,
        "l1_miss_own": l1,
        "l2_miss_own": l2,
        "walks": x["walks"]["count"],
        "walks_at_a_time": x["walks"]["concurrent_mean_busy"],
        "t_latency": x["memory"]["translations"]["latency_mean"],
        "d_latency": x["memory"]["data"]["latency_mean"],
        "seconds": kept["seconds"],
    }


def table(name, runs, out):
    part = f"{out}.{os.getpid()}.part"
    with open(part, "w", newline="") as f:
        w = csv.DictWriter(f, FIELDS)
        w.writeheader()
        for r in workflow_plan.plan(name):
            with open(os.path.join(runs, r["key"] + ".json")) as g:
                w.writerow(row(json.load(g)))
    os.replace(part, out)


def main():
    call = {"run": (run, 4), "trace": (trace, 4), "table": (table, 3)}
    if len(sys.argv) < 2 or sys.argv[1] not in call or len(sys.argv) - 2 != call[sys.argv[1]][1]:
        sys.exit(__doc__.split("usage: ")[1].strip())
    call[sys.argv[1]][0](*sys.argv[2:])


if __name__ == "__main__":
    main()
