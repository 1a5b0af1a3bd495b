#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runs of the results workflow (sim/results/Snakefile): which, with what, and their names.

A plan is a list of runs. A run is applications with sizes and SMs, a preset with the system of its
paper's calibration over it (sim/calibration, sim/workloads/calibrated.txt), options and a seed; its
key is a hash of all that and of the program, so that what was run once is not run again.

usage: workflow_plan.py PLAN       lists them; PLAN: quick, test
"""

import functools
import hashlib
import itertools
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calibrate  # noqa: E402
import corun  # noqa: E402

ROOT = calibrate.ROOT
GMMU = calibrate.GMMU
LANES = {p: x["lanes"] for p, x in calibrate.PAPERS.items()}
IDEAL = "ideal"  # a baseline whose L1 TLB always hits
# Presets that are compared, the baseline first.
PRESETS = {
    "mask": "sharedtlb static pwcache mask-tlb mask-cache mask-dram mask ideal".split(),
    "mesc": "mesc-baseline thp mesc".split(),
    "mosaic": "gpu-mmu mosaic ideal".split(),
}
SMS = {"mask": 30, "mesc": 16, "mosaic": 30}
# Of each plan: seeds of the runs (a seed is also a cycle more or less of MemHop, as nothing else is
# random in most of them: docs/calibration.md, Spread); the most accesses of an application; pairs
# of two different applications, drawn by DRAW; applications alone and in two copies (None: all,
# else the first so many).
PLANS = {
    "quick": {
        "seeds": {"mask": (1, 2), "mesc": (1, 2), "mosaic": (1, 2)},
        "most": 110000,
        "pairs": 6,
        "alone": None,
    },
    "test": {
        "seeds": {"mask": (1, 2), "mesc": (1,), "mosaic": (1,)},
        "most": 6000,
        "pairs": 1,
        "alone": 1,
    },
}
DRAW = 2018
HOPS = {1: 0, 2: -1}
# The test's kernels: the shortest.
TEST = {"mask": ("LUD", "HS", "TRD"), "mesc": ("HS",), "mosaic": ("TRD", "LPS")}


@functools.lru_cache(None)
def program():
    return corun.digest(GMMU)


@functools.lru_cache(None)
def preset_text(name):
    return subprocess.run(
        [GMMU, "preset", name, "--json"], capture_output=True, text=True, check=True
    ).stdout


def hop(paper):
    return int(dict(x.split("=") for x in calibrate.parameters(paper))["MemHop"])


def trace_name(kernel, size, lanes):
    return f"{program()[:12]}/{kernel}-{size}-{lanes}"


def make(paper, what, preset, load, sms, seed, options=()):
    """load: ((kernel, size), ...); sms: of each; what: alone, same, mixed."""
    base = PRESETS[paper][0]
    run = {
        "paper": paper,
        "what": what,
        "preset": preset,
        "load": [list(x) for x in load],
        "sms": list(sms),
        "lanes": LANES[paper],
        "run_preset": base if preset == IDEAL else preset,
        "sets": [
            *calibrate.parameters(paper),
            f"MemHop={hop(paper) + HOPS[seed]}",
            *(["Ideal=1"] if preset == IDEAL else []),
        ],
        "options": ["--no-policy", *options],
        "seed": seed,
    }
    text = json.dumps([run, program(), preset_text(run["run_preset"])], sort_keys=True)
    run["key"] = hashlib.sha256(text.encode()).hexdigest()[:20]
    return run


def applications(paper, p, name):
    """[(kernel, group, size)] that are short enough, in the order of calibrated.txt."""
    apps = calibrate.applications(paper)
    if name == "test":
        small = calibrate.kernels()
        return [(k, g, small[k][0]) for k, g, _ in apps if k in TEST[paper]]
    count = {x[0]: x[3] for x in calibrate.lengths(paper)}
    return [x for x in apps if paper == "mesc" or (count[x[0]] or p["most"] + 1) <= p["most"]]


def left_out(paper, name):
    """Applications of the paper's list that the plan does not run."""
    have = {k for k, _, _ in applications(paper, PLANS[name], name)}
    return [k for k, _, _ in calibrate.applications(paper) if k not in have]


def draw(apps, n, allowed=lambda a, b: True):
    pairs = [(a, b) for a, b in itertools.combinations(apps, 2) if allowed(a, b)]
    return sorted(random.Random(DRAW).sample(pairs, min(n, len(pairs))))


def mask(p, name):
    """Pairs, half of the SMs each, without two that the paper has as low in both TLBs; each of
    their applications alone on as many, on SharedTLB, by which all presets' speeds are divided."""
    apps = applications("mask", p, name)
    pairs = draw(apps, p["pairs"], lambda a, b: not a[1] == b[1] == "low low")
    half = SMS["mask"] // 2
    for seed in p["seeds"]["mask"]:
        for k, _, size in sorted({x for pair in pairs for x in pair}):
            yield make("mask", "alone", "sharedtlb", [(k, size)], [half], seed)
        for pair in pairs:
            load = [(k, size) for k, _, size in pair]
            for preset in PRESETS["mask"]:
                yield make("mask", "mixed", preset, load, [half] * 2, seed, ["--restart"])


def mesc(p, name):
    """Each kernel alone on all CUs; physical memory as an operating system gives it, THP's in
    coalesced large frames."""
    for seed in p["seeds"]["mesc"]:
        for k, _, size in applications("mesc", p, name):
            for preset in PRESETS["mesc"]:
                pages = ["--pages", "coalesced"] if preset == "thp" else ["--frames", "os"]
                yield make("mesc", "alone", preset, [(k, size)], [SMS["mesc"]], seed, pages)


def mosaic(p, name):
    """Applications in one and two copies, and pairs; all pages resident, as demand paging takes
    the timed model a minute for each megabyte."""
    apps = [(k, size) for k, _, size in applications("mosaic", p, name)]
    same = apps[: p["alone"]]
    loads = [("same", [a]) for a in same] + [("same", [a, a]) for a in same]
    loads += [("mixed", list(x)) for x in draw(apps, p["pairs"])]
    for seed in p["seeds"]["mosaic"]:
        done = set()
        for what, load in loads:
            sms = [SMS["mosaic"] // len(load)] * len(load)
            for preset in PRESETS["mosaic"]:
                manager = "base" if preset == "gpu-mmu" else "mosaic"
                options = ["--restart", "--manager", manager, "--paging", "resident"]
                yield make("mosaic", what, preset, load, sms, seed, options)
            for a in load:
                if (a, sms[0]) not in done:
                    done.add((a, sms[0]))
                    options = ["--manager", "base", "--paging", "resident"]
                    yield make("mosaic", "alone", "gpu-mmu", [a], sms[:1], seed, options)


def plan(name):
    """[run], each once."""
    if name not in PLANS:
        sys.exit(f"workflow: no plan '{name}'; there are: {' '.join(PLANS)}")
    p = PLANS[name]
    runs = itertools.chain(mask(p, name), mesc(p, name), mosaic(p, name))
    return list({r["key"]: r for r in runs}.values())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("usage: ")[1].strip())
    runs = plan(sys.argv[1])
    for r in runs:
        apps = "+".join(f"{k}:{s}" for k, s in r["load"])
        print(f"{r['key']} {r['paper']:6} {r['what']:6} {r['preset']:13} seed {r['seed']} {apps}")
    print(f"{len(runs)} runs")


if __name__ == "__main__":
    main()
