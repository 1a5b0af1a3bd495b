#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runs of the results workflow (sim/results/Snakefile): which, with what, and their names.

A plan is a list of runs. A run is applications with sizes and SMs, a preset with the system of its
paper's calibration over it (sim/calibration, sim/workloads/calibrated.txt), options and a seed; its
key is a hash of all that and of the program, so that what was run once is not run again.

usage: workflow_plan.py PLAN       lists them; PLAN: quick, pages, full, splits, test
"""

import csv
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
# What has a part of the plans and a page: the papers, and `all`, the mechanisms together, on
# Mosaic's system and applications.
SYSTEM = {"mask": "mask", "mesc": "mesc", "mosaic": "mosaic", "all": "mosaic"}
LANES = {p: calibrate.PAPERS[s]["lanes"] for p, s in SYSTEM.items()}
IDEAL = "ideal"  # a baseline whose L1 TLB always hits
# Presets that are compared, the baseline first.
PRESETS = {
    "mask": "sharedtlb static pwcache mask-tlb mask-cache mask-dram mask ideal".split(),
    "mesc": "mesc-baseline thp mesc".split(),
    "mosaic": "gpu-mmu mosaic ideal".split(),
    "all": "gpu-mmu mask mesc mosaic all ideal".split(),
}
COLT = "colt full-colt mesc-colt".split()
SMS = {"mask": 30, "mesc": 16, "mosaic": 30, "all": 30}
SPLITS = os.path.join(ROOT, "sim/workloads/splits.txt")
# Of each plan: seeds of the runs (a seed is also a cycle more or less of MemHop, as nothing else is
# random in most of them: docs/calibration.md, Spread); the most accesses of an application; pairs
# of two different applications, drawn by DRAW, of which a smaller plan has the first; applications
# alone and in two copies (None: all, else the first so many). Of plans with parts: loads of one to
# five applications; of the pairs those for sweeps and for the experiments that explain (so many,
# or those of a list that are short to simulate), MESC's kernels and the seeds for them;
# applications on demand.
PLANS = {
    "quick": {
        "seeds": {"mask": (1, 2), "mesc": (1, 2), "mosaic": (1, 2)},
        "most": 110000,
        "pairs": {"mask": 6, "mosaic": 6},
        "alone": None,
    },
    "pages": {
        "seeds": {"mask": (1, 2), "mesc": (1, 2), "mosaic": (1, 2)},
        "most": 110000,
        "pairs": {"mask": 35, "mosaic": 35},
        "alone": None,
        "parts": True,
        "more": True,
        "mixes": 6,
        "swept": {"mask": 8, "mosaic": 6},
        "kernels": ("ATAX", "BFS", "BICG", "NW"),
        "part_seeds": (1,),
        "demand": 8,
    },
    "full": {
        "seeds": {"mask": (1, 2, 3), "mesc": (1, 2, 3), "mosaic": (1, 2, 3)},
        "most": 300000,
        "pairs": {"mask": 35, "mosaic": 35},
        "alone": None,
        "parts": True,
        "more": True,
        "mixes": 6,
        "swept": {"mask": 12, "mosaic": 12},
        "kernels": ("ATAX", "BFS", "BICG", "CORR", "COVAR", "GMV", "GRM", "MVT", "NW"),
        "part_seeds": (1, 2, 3),
        "demand": 8,
    },
    # The search for the best split of the SMs, on the baseline alone (scripts/splits.py).
    "splits": {
        "seeds": {"mask": (1,)},
        "most": 110000,
        "pairs": {"mask": 35},
        "only": "splits",
    },
    "test": {
        "seeds": {"mask": (1, 2), "mesc": (1,), "mosaic": (1,)},
        "most": 6000,
        "pairs": {"mask": 1, "mosaic": 1},
        "alone": 1,
        "kernels": (),
        "part_seeds": (1,),
    },
}
DRAW = 2018
HOPS = {1: 0, 2: -1, 3: 1}
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
    return int(dict(x.split("=") for x in calibrate.parameters(SYSTEM[paper]))["MemHop"])


def trace_name(kernel, size, lanes):
    return f"{program()[:12]}/{kernel}-{size}-{lanes}"


def make(paper, what, preset, load, sms, seed, options=(), vary=()):
    """load: ((kernel, size), ...); sms: of each; what: alone, same, mixed, split, single, large,
    long, regions; vary: KEY=VALUE in place of the calibration's or the preset's,
    --OPTION=VALUE."""
    base = PRESETS[paper][0]
    more = [x for v in vary if v.startswith("--") for x in v.split("=")]
    run = {
        "paper": paper,
        "what": what,
        "preset": preset,
        "load": [list(x) for x in load],
        "sms": list(sms),
        "lanes": LANES[paper],
        "run_preset": base if preset == IDEAL else preset,
        "sets": [
            *calibrate.parameters(SYSTEM[paper]),
            f"MemHop={hop(paper) + HOPS[seed]}",
            *(["Ideal=1"] if preset == IDEAL else []),
            *(v for v in vary if not v.startswith("--")),
        ],
        "options": ["--no-policy", *options, *more],
        "seed": seed,
    }
    run["vary"] = " ".join(vary)
    return run


def key(run):
    """Hash of all that a run is made of; what is varied is among its `sets`."""
    of = {k: v for k, v in run.items() if k != "vary"}
    text = json.dumps([of, program(), preset_text(run["run_preset"])], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


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


def swept(loads, some):
    """Those of a tuple of names, or so many."""
    if isinstance(some, int):
        return random.Random(DRAW).sample(loads, min(some, len(loads)))
    return [x for x in loads if "_".join(k for k, _ in x) in some]


def nested(apps, n):
    """n draws of five different applications, of which the first one to five run together."""
    r = random.Random(DRAW)
    return [r.sample(apps, min(5, len(apps))) for _ in range(n)]


def mask_pairs(p, name):
    """Pairs without two applications that the paper has as low in both TLBs."""
    apps = applications("mask", p, name)
    pairs = draw(apps, p["pairs"]["mask"], lambda a, b: not a[1] == b[1] == "low low")
    return [[(k, s) for k, _, s in x] for x in pairs]


@functools.lru_cache(None)
def splits():
    """{load: SMs of each} of sim/workloads/splits.txt."""
    out = {}
    with open(SPLITS) as f:
        for n, line in enumerate(f, 1):
            part = line.split("#")[0].split()
            sms = part[1].split("+") if len(part) == 2 else []
            if part and not (sms and all(x.isdigit() for x in sms)):
                sys.exit(f"sim/workloads/splits.txt:{n}: expected: KERNEL:SIZE+KERNEL:SIZE N+N")
            if part:
                out[part[0]] = [int(x) for x in sms]
    return out


def shares(load):
    """SMs of each application: the best split of a pair, else as many for each."""
    half = [SMS["mask"] // len(load)] * len(load)
    return splits().get("+".join(f"{k}:{s}" for k, s in load), half)


def mask(p, name):
    """Pairs, their SMs split as SharedTLB is fastest; each of their applications alone on as many,
    on SharedTLB, by which all presets' speeds are divided, and on half of them, for its class."""
    for seed in p["seeds"]["mask"]:
        for load in mask_pairs(p, name):
            yield from mask_loads([load], PRESETS["mask"], seed)
            for a in load:
                yield make("mask", "alone", "sharedtlb", [a], [SMS["mask"] // 2], seed)


def mask_loads(loads, presets, seed, vary=()):
    for load in loads:
        sms = shares(load)
        for a, n in zip(load, sms):
            yield make("mask", "alone", "sharedtlb", [a], [n], seed)
        for preset in presets:
            yield make("mask", "mixed", preset, load, sms, seed, ["--restart"], vary)


# Sensitivity, and the experiments that explain: presets, then what is varied. MORE: only in plans
# that say so.
MASK_WHY = (
    ("sharedtlb pwcache mask-tlb mask ideal", ("LsuMisses=4",)),
    ("sharedtlb mask ideal", ("LsuMisses=0", "MemChannels=2", "SpreadTables=0")),
    ("sharedtlb pwcache mask ideal", ("MemHop=0",)),
    ("sharedtlb mask ideal", ("LsuMisses=0 MemChannels=2", "LsuMisses=0 MemHop=0")),
    ("mask", ("EpochCycles=10000",)),
    ("sharedtlb mask-tlb mask ideal", ("--passes=4",)),
    ("sharedtlb pwcache mask ideal", ("DramClosed=1",)),
    ("sharedtlb mask-cache mask", ("CacheMissLatency=10",)),
)
# With spread tables no more than 32 sets of the L2 TLB are used (docs/mapping-format.md): more than
# 512 entries only with dense ones.
MASK_SWEEPS = (
    ("sharedtlb mask", ["L2Entries=64", "L2Entries=256"]),
    ("sharedtlb mask", [f"SpreadTables=0 L2Entries={n}" for n in (64, 1024, 8192)]),
    ("mask", ["SilverMax=0", "DramKeepRows=1", "BypassEntries=0", "TokenStart=20"]),
)
MASK_MORE = (
    ("mask-tlb", [f"SpreadTables=0 L2Entries={n}" for n in (64, 256, 1024, 8192)]),
    ("sharedtlb mask-tlb mask", [f"SpreadTables=0 L2Entries={n}" for n in (128, 2048, 4096)]),
    ("sharedtlb mask", ["SpreadTables=0 L2Entries=256"]),
    ("mask", ["SilverMax=125", "SilverMax=1000", "AgeCap=4096", "TokenStart=100"]),
    ("sharedtlb pwcache mask ideal", ["MemHop=50", "LsuMisses=2"]),
)


# Other GPUs (table 4), whose sizes the paper does not print: ours, after the papers and the
# configurations that it names. SMs of each of two applications.
MASK_SYSTEMS = {
    "Fermi": (
        "NumSms=15 WarpsPerSm=48 BlocksPerSm=8 CoreMhz=700 DramMhz=924 MemChannels=6 CacheBanks=1",
        (7, 8),
    ),
    "integrated": (
        "NumSms=16 CoreMhz=700 DramMhz=800 MemChannels=2 CacheBanks=4 L1dBytes=32768",
        (8, 8),
    ),
}


def mask_systems(p, name):
    """Pairs on other GPUs, their applications alone on as many SMs of the same."""
    for seed, load in itertools.product(
        p["part_seeds"], swept(mask_pairs(p, name), p["swept"]["mask"])
    ):
        for vary, sms in MASK_SYSTEMS.values():
            v = vary.split()
            for a, n in zip(load, sms):
                yield make("mask", "alone", "sharedtlb", [a], [n], seed, (), v)
            for preset in ("sharedtlb", "pwcache", "mask", "ideal"):
                yield make("mask", "mixed", preset, load, sms, seed, ["--restart"], v)


def mask_single(p, name):
    """Every application of the paper alone on all SMs (figure 3, table 2): also those too long for
    pairs."""
    for k, _, size in calibrate.applications("mask"):
        for preset in ("sharedtlb", "pwcache", "ideal"):
            yield make("mask", "single", preset, [(k, size)], [SMS["mask"]], SPLIT_SEED)


def mask_parts(p, name):
    """One to five applications (table 3); sweeps and experiments over some pairs."""
    apps = applications("mask", p, name)
    for seed in p["part_seeds"]:
        loads = swept(mask_pairs(p, name), p["swept"]["mask"])
        for presets, values in (*MASK_WHY, *MASK_SWEEPS, *(MASK_MORE if p["more"] else ())):
            for v in values:
                yield from mask_loads(loads, presets.split(), seed, v.split())
        of = [[(k, s) for k, _, s in x[:n]] for x in nested(apps, p["mixes"]) for n in range(1, 6)]
        yield from mask_loads(of, ("sharedtlb", "mask", "ideal"), seed)


def mesc_pages(preset, frames="os"):
    return ["--pages", "coalesced"] if preset == "thp" else ["--frames", frames]


def mesc(p, name):
    """Each kernel alone on all CUs, in plans with parts with CoLT too; physical memory as an
    operating system gives it, THP's in coalesced large frames."""
    presets = PRESETS["mesc"] + (COLT if "parts" in p else [])
    for seed in p["seeds"]["mesc"]:
        for k, _, size in applications("mesc", p, name):
            for preset in presets:
                pages = mesc_pages(preset)
                yield make("mesc", "alone", preset, [(k, size)], [SMS["mesc"]], seed, pages)


SPLIT_SEED = 1
STEPS = range(5, SMS["mask"], 5)


def mask_search(p, name):
    """Every pair in each split of the SMs, on SharedTLB alone."""
    for load, n in itertools.product(mask_pairs(p, name), STEPS):
        sms = [n, SMS["mask"] - n]
        for a, m in zip(load, sms):
            yield make("mask", "alone", "sharedtlb", [a], [m], SPLIT_SEED)
        yield make("mask", "split", "sharedtlb", load, sms, SPLIT_SEED, ["--restart"])


def mask_splits(p, name):
    """The swept pairs in each split but the one that all others have."""
    loads = swept(mask_pairs(p, name), p["swept"]["mask"])
    for load, n in itertools.product(loads, STEPS):
        sms = [n, SMS["mask"] - n]
        for a, m in zip(load, sms):
            yield make("mask", "alone", "sharedtlb", [a], [m], SPLIT_SEED)
        for preset in ("sharedtlb", "mask", "ideal") if sms != shares(load) else ():
            yield make("mask", "split", preset, load, sms, SPLIT_SEED, ["--restart"])


MESC_WHY = (
    ("mesc-baseline thp mesc", ("LsuMisses=2", "LsuMisses=4", "LsuMisses=0")),
    ("mesc-baseline thp mesc", ("WarpsPerSm=16", "WarpsPerSm=32")),
    ("mesc-baseline", ("L2Entries=8192",)),
    ("mesc", ("L1BaseEntries=512", "L2Latency=4")),
)
MESC_SWEEPS = (
    ("mesc", ["L1BaseEntries=8", "L2Entries=256"]),
    ("mesc-baseline", ["L1BaseEntries=128", "L2Entries=1024"]),
)
MESC_MORE = (
    ("mesc-baseline", ["L1BaseEntries=8", "L2Entries=256"]),
    ("mesc", ["L1BaseEntries=128", "L2Entries=1024"]),
    ("mesc-baseline mesc", ["L1BaseEntries=16", "L1BaseEntries=64"]),
)
MESC_FRAGMENTED = ("memhog25", "memhog75", "memhog75-nodefrag")
MESC_MORE_FRAGMENTED = ("memhog25-nodefrag", "memhog50", "memhog50-nodefrag")
# States of memory whose regions are counted (Figure 4), by traces that touch each page once.
MESC_STATES = (
    "contiguous",
    *sorted((*MESC_FRAGMENTED, *MESC_MORE_FRAGMENTED)),
    "scattered",
)


def mesc_parts(p, name):
    """Some sensitive kernels: sweeps, experiments, fragmented memory."""
    apps = applications("mesc", p, name)
    sms = [SMS["mesc"]]
    for seed in p["part_seeds"]:
        for k, _, size in apps:
            if k not in p["kernels"]:
                continue
            for presets, values in (*MESC_WHY, *MESC_SWEEPS, *(MESC_MORE if p["more"] else ())):
                for preset, v in itertools.product(presets.split(), values):
                    pages = mesc_pages(preset)
                    yield make("mesc", "alone", preset, [(k, size)], sms, seed, pages, v.split())
            more = MESC_MORE_FRAGMENTED if p["more"] else ()
            for frames in (*MESC_FRAGMENTED, *more):
                pages = mesc_pages("mesc", frames)
                yield make("mesc", "alone", "mesc", [(k, size)], sms, seed, pages)


def mesc_regions(p, name):
    """Where the pages of each kernel lie (workflow_run.py, `regions`), at the calibrated size and
    at the suite's own: memory as an operating system gives it; some kernels in each state."""
    default = {k: large for k, (_, large) in calibrate.kernels().items()}
    seed = p["part_seeds"][0]
    for k, _, size in applications("mesc", p, name):
        states = ("os", *(MESC_STATES if k in p["kernels"] else ()))
        for n, frames in itertools.product(dict.fromkeys((size, default[k])), states):
            pages = mesc_pages("mesc", frames)
            yield make("mesc", "regions", "mesc", [(k, n)], [SMS["mesc"]], seed, pages)


def mosaic_loads(loads, presets, seed, vary=(), paging="resident", more=()):
    """loads: (what, applications)"""
    for what, load in loads:
        sms = [SMS["mosaic"] // len(load)] * len(load)
        for preset in presets:
            manager = "base" if preset == "gpu-mmu" else "mosaic"
            options = ["--restart", "--manager", manager, "--paging", paging, *more]
            yield make("mosaic", what, preset, load, sms, seed, options, vary)
        for a in load:
            options = ["--manager", "base", "--paging", "resident"]
            yield make("mosaic", "alone", "gpu-mmu", [a], sms[:1], seed, options)


def mosaic(p, name):
    """Applications in one and two copies, and pairs; all pages resident."""
    apps = [(k, size) for k, _, size in applications("mosaic", p, name)]
    same = apps[: p["alone"]]
    loads = [("same", [a]) for a in same] + [("same", [a, a]) for a in same]
    loads += [("mixed", list(x)) for x in draw(apps, p["pairs"]["mosaic"])]
    for seed in p["seeds"]["mosaic"]:
        yield from mosaic_loads(loads, PRESETS["mosaic"], seed)


MOSAIC_WHY = (
    ("gpu-mmu mosaic ideal", ("LsuMisses=2", "LsuMisses=4", "LsuMisses=0", "MemHop=0")),
    ("gpu-mmu mosaic ideal", ("WarpsPerSm=16", "WarpsPerSm=32", "--passes=4")),
)
MOSAIC_SWEEPS = (
    ("gpu-mmu mosaic", ["L1BaseEntries=8", "L2Entries=64"]),
    ("mosaic", ["L1LargeEntries=2", "L2LargeEntries=16"]),
)
MOSAIC_MORE = (
    ("gpu-mmu mosaic", [f"L1BaseEntries={n}" for n in (16, 32, 64, 256)]),
    ("gpu-mmu mosaic", ["L2Entries=128", "L2Entries=256", "L2Entries=1024"]),
    ("mosaic", [f"L1LargeEntries={n}" for n in (4, 8, 32)]),
    ("mosaic", [f"L2LargeEntries={n}" for n in (32, 64, 128)]),
)
# Foreign data: share of the frames, of their pages; what moving a page costs.
FOREIGN = ("0.9,0.5", "0.95,0.5", *(f"1,{n}" for n in (0.01, 0.1, 0.25, 0.35, 0.5, 0.75)))
COMPACTION = {
    "No CAC": ("--cac", "off"),
    "CAC": ("--cac", "copy", "--cac-stall"),
    "CAC-BC": ("--cac", "bulk", "--cac-stall"),
    "Ideal CAC": ("--cac", "ideal"),
}
COPIES = (3, 4, 5)  # of one application, besides one and two
# Demand paging: the applications of fewest pages, so many of them as a plan says, the first of them
# in copies too; and those that do most for each page, GPU-MMU and Mosaic alone.
DEMAND = ("LPS", "RAY", "HISTO", "BLK", "TRD", "SCP", "SCAN", "SAD", "FFT", "RED")
DEMAND_COPIED, DEMAND_COPIES = 4, (2, 5)
DEMAND_LONG = ("BFS", "FWT", "CONS")
PAGINGS = ("demand", "launch")  # besides `resident`
BUS = {"demand": 2.5, "launch": 1}  # seconds of processor time more for each application, about
# GPU-MMU with 2 MiB pages in arrays of as many entries (section 3.1).
LARGE = ("L1LargeEntries=128", "L2LargeEntries=512")
NO_WAIT = "--bus-wait=0"  # a page is there when its last byte has left the bus: why 2 MiB gain


def mosaic_parts(p, name):
    """Copies, three to five applications; sweeps, experiments; fragmented memory."""
    apps = [(k, size) for k, _, size in applications("mosaic", p, name)]
    pairs = swept([list(x) for x in draw(apps, p["pairs"]["mosaic"])], p["swept"]["mosaic"])
    pairs = [("mixed", x) for x in pairs]
    more = [("mixed", x[:n]) for x in nested(apps, p["mixes"]) for n in (3, 4, 5)]
    more += [("same", [a] * n) for a in apps[: p["alone"]] for n in COPIES]
    for seed in p["part_seeds"]:
        yield from mosaic_loads(more, PRESETS["mosaic"], seed)
        for presets, values in (*MOSAIC_WHY, *MOSAIC_SWEEPS, *(MOSAIC_MORE if p["more"] else ())):
            for v in values:
                yield from mosaic_loads(pairs, presets.split(), seed, v.split())
        three = [("mixed", nested(apps, 1)[0][:3])]
        for foreign in FOREIGN:
            memory = ("--memory", "128", "--foreign", foreign)
            yield from mosaic_loads(three, ["gpu-mmu"], seed, (), "resident", memory)
            for cac in COMPACTION.values():
                options = (*memory, *cac)
                yield from mosaic_loads(three, ["mosaic"], seed, (), "resident", options)


def mosaic_demand(p, name):
    """Pages that come over the I/O bus when they are touched, or all from the launch on (Figures 4
    and 12): one application, copies, the swept pairs; 2 MiB pages on demand, both without the
    bus's wait."""
    apps = {k: (k, size) for k, _, size in applications("mosaic", p, name)}
    some = [apps[k] for k in DEMAND if k in apps][: p["demand"]]
    pairs = [list(x) for x in draw([*apps.values()], p["pairs"]["mosaic"])]
    pairs = swept(pairs, p["swept"]["mosaic"])
    loads = [("same", [a]) for a in some]
    loads += [("same", [a] * n) for a in some[:DEMAND_COPIED] for n in DEMAND_COPIES]
    seed = p["part_seeds"][0]
    for paging in ("resident", *PAGINGS):
        of = loads + [("mixed", x) for x in pairs]
        yield from mosaic_loads(of, PRESETS["mosaic"], seed, (), paging)
    size = {k: s for k, _, s in calibrate.applications("mosaic")}
    long = [("long", [(k, size[k])]) for k in DEMAND_LONG if p["demand"]]
    for paging in ("resident", *PAGINGS):
        yield from mosaic_loads(long, PRESETS["mosaic"][:2], seed, (), paging)
    large = ["--restart", "--manager", "large", "--paging", "demand"]
    for _, load in loads + long:
        sms = [SMS["mosaic"] // len(load)] * len(load)
        yield make("mosaic", "large", "gpu-mmu", load, sms, seed, large, LARGE)
        yield make("mosaic", "large", "gpu-mmu", load, sms, seed, large, (*LARGE, NO_WAIT))
    yield from mosaic_loads(loads + long, ["gpu-mmu"], seed, (NO_WAIT,), "demand")


def mosaic_others(p, name):
    """2 MiB pages, one application."""
    large = ["--restart", "--manager", "large", "--paging", "resident"]
    for seed in p["seeds"]["mosaic"]:
        for k, _, size in applications("mosaic", p, name):
            yield make("mosaic", "large", "gpu-mmu", [(k, size)], [30], seed, large, LARGE)


# MESC's MMU in the GPU that the others have here: SMs, clocks, L1 data cache.
MESC_HERE = ("NumSms=30", "CoreMhz=1020", "L1dBytes=16384")
MANAGED = ["--restart", "--paging", "resident", "--manager"]
# Preset, what is varied, options; `all` without each of its mechanisms in turn, the last two in
# one, and with what it has not. `no scan`: the manager does not tell MESC what is contiguous.
TOGETHER = {
    "gpu-mmu": ("gpu-mmu", (), [*MANAGED, "base"]),
    "mask": ("mask", (), [*MANAGED, "base"]),
    "mesc": ("mesc", MESC_HERE, ["--restart", "--pages", "4k", "--frames", "os"]),
    "mosaic": ("mosaic", (), [*MANAGED, "mosaic"]),
    "ideal": (IDEAL, (), [*MANAGED, "base"]),
    "all": ("all", (), [*MANAGED, "mosaic"]),
    "all, Ideal": ("all", ("Ideal=1",), [*MANAGED, "mosaic"]),
}
WITHOUT = {
    "large frames": ("all", ("L1LargeEntries=0",), [*MANAGED, "base"]),
    "subregions": ("all", ("L2Unified=0", "L2LargeEntries=256"), [*MANAGED, "mosaic"]),
    "scan": ("all", (), [*MANAGED, "mosaic", "--no-scan"]),
    "fill tokens": (
        "all",
        ("FillTokens=0", "BypassEntries=0", "FlushL2=0"),
        [*MANAGED, "mosaic"],
    ),
    "L2 cache bypass": ("all", ("CacheBypass=0",), [*MANAGED, "mosaic"]),
    "DRAM classes": ("all", ("DramAware=0",), [*MANAGED, "mosaic"]),
    "pages in one channel": ("all", ("MemByPage=0",), [*MANAGED, "mosaic"]),
    "the last two": ("all", ("DramAware=0", "MemByPage=0"), [*MANAGED, "mosaic"]),
}
WITH = {
    "128 entries in the L1 TLBs": ("all", ("L1BaseEntries=128",), [*MANAGED, "mosaic"]),
    "a page walk cache": ("all", ("PwcEntries=1024",), [*MANAGED, "mosaic"]),
}


def together(p, name):
    """`all` beside the presets that it is made of, one application and a dozen pairs of Mosaic's
    at most, two seeds: 17 runs of each."""
    apps = [(k, size) for k, _, size in applications("mosaic", p, name)]
    loads = [("same", [a]) for a in apps]
    loads += [("mixed", list(x)) for x in draw(apps, min(12, p["pairs"]["mosaic"]))]
    for seed in p["seeds"]["mosaic"][:2]:
        for what, load in loads:
            sms = [SMS["all"] // len(load)] * len(load)
            for preset, vary, options in {**TOGETHER, **WITHOUT, **WITH}.values():
                yield make("all", what, preset, load, sms, seed, options, vary)
            for a in load:
                options = ["--manager", "base", "--paging", "resident"]
                yield make("all", "alone", "gpu-mmu", [a], sms[:1], seed, options)


def plan(name, keyed=True):
    """[run], each once; keyed: with its key, for which the program must be there."""
    if name not in PLANS:
        sys.exit(f"workflow: no plan '{name}'; there are: {' '.join(PLANS)}")
    p = PLANS[name]
    parts = (mask_parts, mask_systems, mask_single, mesc_parts, mosaic_parts, mask_splits)
    parts += (mosaic_others, together, mosaic_demand)
    makers = [mask, mesc, mosaic, *(parts if "parts" in p else ())]
    makers += [mesc_regions] if "kernels" in p else []
    if p.get("only") == "splits":
        makers = [mask_search]
    runs = itertools.chain(*(make_runs(p, name) for make_runs in makers))
    runs = list({json.dumps(r, sort_keys=True): r for r in runs}.values())
    return [{**r, "key": key(r)} for r in runs] if keyed else runs


def load_text(r):
    return "+".join(f"{k}:{s}" for k, s in r["load"])


def paging_of(options):
    return options.partition("--paging ")[2].partition(" ")[0]


def estimate(runs):
    """What they take, by the kept runs (docs/results-PAPER.csv): as long as the same load, preset
    and paging, or as the paper's others for each access (over the bus: and BUS)."""
    took, seconds = {}, 0
    size = {(p, k, s): n for p in calibrate.PAPERS for k, _, s, n in calibrate.lengths(p)}
    for paper in SYSTEM:
        path = os.path.join(ROOT, f"docs/results-{paper}.csv")
        if not os.path.exists(path):
            return ""
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        timed = [r for r in rows if r["processor"]]
        if not timed:
            return ""
        timed = [r for r in timed if r["what"] != "regions"]
        here = [r for r in timed if paging_of(r["options"]) not in PAGINGS]
        each = sum(float(r["processor"]) for r in here) / sum(int(r["accesses"]) for r in here)
        for r in timed:
            took[r["load"], r["preset"], paging_of(r["options"])] = float(r["processor"])
        for r in runs:
            if r["paper"] != paper or r["what"] == "regions":
                continue
            sizes = [size.get((SYSTEM[paper], k, s)) or 200000 for k, s in r["load"]]
            paging = paging_of(" ".join(r["options"]))
            guess = each * sum(sizes) + BUS.get(paging, 0) * len(r["load"])
            seconds += took.get((load_text(r), r["preset"], paging), guess)
    return f", some {seconds / 60:.0f} minutes of one core"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("usage: ")[1].strip())
    runs = plan(sys.argv[1])
    for r in runs:
        print(
            f"{r['key']} {r['paper']:6} {r['what']:6} {r['preset']:13} seed {r['seed']} "
            f"{load_text(r)} {r['vary']}".rstrip()
        )
    print(f"{len(runs)} runs{estimate(runs)}")


if __name__ == "__main__":
    main()
