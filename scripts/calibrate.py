#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calibration of the system around the MMU by the papers' baseline statistics
(docs/calibration.md); no mechanism is run.

usage: calibrate.py table [PAPER...] baseline statistics, ours beside the papers', at the sizes of
                    sim/workloads/calibrated.txt
       calibrate.py sizes [PAPER...]     which step of the ladder of sizes the rule chooses for each
       application alone
options: --kernels K,...  --steps N (of the ladder, from its lowest; sizes) [2]  --next (the next
larger size; table)
         --seeds S,... [1]  --set KEY=VALUE (tries another value of a parameter)  --jobs N [1]
                            --out FOLDER [build/reports]

PAPER: mask, mesc, mosaic [all]. Parameters: sim/calibration/PAPER.ini, sizes:
sim/workloads/calibrated.txt. Runs are kept by their content in build/cache/calibrate and not done
again. table writes calibration-PAPER.csv, one line a run with its commit, seed and parameters. Each
run checks every translation; exits with 1 if one is wrong.
"""

import argparse
import concurrent.futures
import configparser
import csv
import functools
import hashlib
import json
import os
import subprocess
import sys

import gmmu
from gmmu import GMMU, ROOT

CACHE = os.path.join(ROOT, "build/cache/calibrate")
SIZES = os.path.join(ROOT, "sim/workloads/calibrated.txt")
# A step of the ladder has four times the data: twice the side of what is square, four times the
# length of what is not.
SQUARE = (
    "ATAX BICG MVT GMV NW 2DCONV HS CORR COVAR GRM SSSP COLOR LUD SRAD RAY SAD CONS MM LPS "
    "3DS LUH".split()
)
ENTRIES = 512  # of the shared TLB, in all three papers
PAGES = 2 * ENTRIES
MESC_SIDE = 256  # MESC's squares: sides are multiples of it (its kernels take no others)
MESC_GRAPHS = "BFS SSSP COLOR".split()
MOST = 1000000  # accesses of a run: a step has about four times those of the one below
NAN = float("nan")
# paper: baseline preset and what its speed is compared with (preset, settings, options), lanes of a
# warp
PAPERS = {
    "mask": {"base": "sharedtlb", "top": ("sharedtlb", ["Ideal=1"], []), "lanes": "64"},
    "mesc": {"base": "mesc-baseline", "top": ("thp", [], ["--pages", "coalesced"]), "lanes": "32"},
    "mosaic": {"base": "gpu-mmu", "top": ("gpu-mmu", ["Ideal=1"], []), "lanes": "32"},
}


def applications(paper):
    """[(kernel, the paper's group, size)] of calibrated.txt."""
    return [x[:3] for x in lengths(paper)]


def lengths(paper):
    """[(kernel, the paper's group, size, warp accesses or None)] of calibrated.txt."""
    out = []
    with open(SIZES) as f:
        for n, line in enumerate(f, 1):
            part = [p.strip() for p in line.split("#")[0].split("|")]
            if part == [""]:
                continue
            numbers = part[3:]
            if (
                len(part) not in (4, 5)
                or part[0] not in PAPERS
                or not all(x.isdigit() for x in numbers)
            ):
                sys.exit(
                    f"sim/workloads/calibrated.txt:{n}: expected: paper | kernel | group | size "
                    "[| accesses]"
                )
            if part[0] == paper:
                out.append((part[1], part[2], *map(int, numbers), *[None][len(numbers) - 1 :]))
    return out


@functools.lru_cache(None)
def parameters(paper):
    ini = configparser.ConfigParser(inline_comment_prefixes=("#",))
    ini.optionxform = str
    with open(os.path.join(ROOT, f"sim/calibration/{paper}.ini")) as f:
        ini.read_file(f)
    return [f"{k}={v}" for k, v in ini["gmmu"].items()]


def digest(path):
    with open(path, "rb") as f:
        return (
            hashlib.file_digest(f, "sha256").hexdigest()
            if hasattr(hashlib, "file_digest")
            else hashlib.sha256(f.read()).hexdigest()
        )


def kernels():
    """{kernel: (small size, default size)}"""
    out = {}
    for line in subprocess.run(
        [GMMU, "gen", "--list"], capture_output=True, text=True, check=True
    ).stdout.splitlines()[1:]:
        word = line.split()
        out[word[0]] = (int(word[1]), int(word[2]))
    return out


def on_side(paper, kernel):
    return paper == "mesc" and kernel not in MESC_GRAPHS


def larger(paper, kernel, size):
    if on_side(paper, kernel):
        return size + MESC_SIDE
    return size * (2 if kernel in SQUARE else 4)


def mesc_side():
    """The lowest side at which a matrix of 4-byte words has more 4 KiB pages than the shared TLB
    has entries."""
    side = MESC_SIDE
    while side * side * 4 // 4096 <= ENTRIES:
        side += MESC_SIDE
    return side


def ladder(paper, kernel, small, largest):
    """From the small size on, as far as the default one."""
    steps = [small]
    while larger(paper, kernel, steps[-1]) <= largest:
        steps.append(larger(paper, kernel, steps[-1]))
    return steps


def trace(kernel, size, lanes):
    path = os.path.join(ROOT, f"build/traces/{kernel}-{size}-{lanes}.trace")
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        r = subprocess.run(
            [GMMU, "gen", kernel, "--size", str(size), "--lanes", lanes, "-o", path],
            capture_output=True,
            text=True,
        )
        if r.returncode:
            sys.exit(r.stderr.strip())
    return path


def run(kernel, size, lanes, preset, sets, options, seed):
    """Result of one run alone on all SMs, from the cache if it was done before with this
    program."""
    path = trace(kernel, size, lanes)
    config = subprocess.run(
        [GMMU, "preset", preset, "--json"], capture_output=True, text=True, check=True
    ).stdout
    key = hashlib.sha256(
        "\n".join([digest(GMMU), digest(path), config, *sets, *options, str(seed)]).encode()
    ).hexdigest()[:24]
    kept = os.path.join(CACHE, key + ".json")
    if not os.path.exists(kept):
        os.makedirs(CACHE, exist_ok=True)
        more = ["--no-policy", "--seed", str(seed), *options]
        result = gmmu.run(preset, "model", path, *more, sets=sets, mismatches=True)
        part = f"{kept}.{os.getpid()}.part"
        with open(part, "w") as f:
            json.dump(result, f)
        os.replace(part, kept)
    with open(kept) as f:
        return json.load(f)


def rate(a, b):
    return a / b if b else NAN


def miss_rates(r):
    """L1 and L2 TLB: misses over hits and misses, merged misses in neither."""
    x, y = r["l1"], r["l2"]
    hits = [
        x["hits_base"] + x["hits_large"],
        sum(y[k] for k in ("hits_base", "hits_large", "hits_sub", "hits_run", "hits_bypass")),
    ]
    return [rate(z["misses_alloc"], h + z["misses_alloc"]) for h, z in zip(hits, (x, y))]


def statistics(base, top, config):
    """Of a baseline run and the run that it is compared with."""
    m = base["memory"]
    t, d = m["translations"]["dram_columns"], m["data"]["dram_columns"]
    clock = dict(c.split("=") for c in config)
    ticks = (
        base["cycles"] * int(clock["DramMhz"]) / int(clock["CoreMhz"]) * int(clock["MemChannels"])
    )
    l1, l2 = miss_rates(base)
    out = {
        "share of the best": rate(top["cycles"], base["cycles"]),
        "L1 TLB hits": 1 - l1,
        "L2 TLB hits": 1 - l2,
        "walks at a time": base["walks"]["concurrent_mean_busy"],
        "warps per miss": base["l2"]["warps_per_miss"],
        "translations, of used bandwidth": rate(t, t + d),
        "translations, of all bandwidth": rate(2 * t, ticks),
        "data, of all bandwidth": rate(2 * d, ticks),
        "cycles from L2 TLB miss": m["translations"]["latency_mean"],
        "cycles of a line": m["data"]["latency_mean"],
    }
    for level, x in enumerate(m["depths"][1:5], 1):
        out[f"L2 cache hits, level {level}"] = rate(x["hits"], x["accesses"])
    return out


def settings(paper, a):
    core = subprocess.run(
        [GMMU, "preset", PAPERS[paper]["base"], "--json"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [*parameters(paper), *a.set], [
        *parameters(paper),
        *a.set,
        f"CoreMhz={json.loads(core)['CoreMhz']}",
    ]


def measure(paper, kernel, size, a, seed):
    p, (sets, config) = PAPERS[paper], settings(paper, a)
    preset, more, options = p["top"]
    base = run(kernel, size, p["lanes"], p["base"], sets, ["--pages", "4k"], seed)
    top = run(kernel, size, p["lanes"], preset, [*sets, *more], options or ["--pages", "4k"], seed)
    bad = base["mismatches"] + top["mismatches"]
    return {
        "kernel": kernel,
        "size": size,
        "seed": seed,
        "cycles": base["cycles"],
        "accesses": base["accesses"],
        "pages": base["walks"]["pages_touched"],
        "mismatches": bad,
        **statistics(base, top, config),
    }


def classes(row):
    return " ".join("high" if 1 - row[k] >= 0.2 else "low" for k in ("L1 TLB hits", "L2 TLB hits"))


def mean(v):
    v = [x for x in v if x == x]
    return sum(v) / len(v) if v else NAN


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def many(jobs, a):
    """measure() of each, in order."""
    out = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=a.jobs) as pool:
        for row in pool.map(lambda j: measure(*j), jobs):
            out.append(row)
            progress(f"{len(out)} of {len(jobs)} runs")
    progress("")
    return out


# What the papers print: (statistic, group of applications or None, printed value, how it is
# compared)
PRINTED = {
    "mask": [
        (
            "share of the best",
            None,
            (0.487, 0.594),
            "SharedTLB of ideal (table 3; figure 3's text)",
        ),
        ("walks at a time", None, (20, None), "more than 20 (section 4.1)"),
        ("warps per miss", None, (30, None), "more than 30 of 64 (section 4.1)"),
        ("translations, of used bandwidth", None, 0.138, "section 4.3"),
        ("translations, of all bandwidth", None, 0.024, "section 4.3"),
        ("L2 cache hits, level 1", None, 0.998, "section 5.3"),
        ("L2 cache hits, level 2", None, 0.988, "section 5.3"),
        ("L2 cache hits, level 3", None, 0.687, "section 5.3"),
        ("L2 cache hits, level 4", None, 0.010, "section 5.3"),
    ],
    "mesc": [
        ("L1 TLB hits", "sensitive", 0.3991, "section II-A"),
        ("L2 TLB hits", "sensitive", 0.5542, "section II-A"),
        ("L1 TLB hits", "other", 0.5375, "section II-A"),
        ("L2 TLB hits", "other", 0.9855, "section II-A"),
        ("translations, of used bandwidth", "sensitive", 0.2670, "section II-A"),
        ("share of the best", "sensitive", 0.655, "baseline of THP, section VI-B"),
    ],
    "mosaic": [
        ("share of the best", None, 0.519, "48.1 % lost against ideal, section 3.1"),
        ("L2 TLB hits", None, (0.62, 0.81), "section 6.3, two to five applications"),
    ],
}


def verdict(ours, printed):
    """Text of what the paper prints, and how far ours is from it."""
    if isinstance(printed, tuple):
        low, high = printed
        text = f"above {low:g}" if high is None else f"{low:g} to {high:g}"
        near = low if ours < low else high if high is not None and ours > high else ours
    else:
        text, near = f"{printed:g}", printed
    off = (ours - near) / near
    return text, "inside" if off == 0 else f"{off:+.0%}"


def by_kernel(rows):
    """Lines of the table of applications."""
    names = ["kernel", "size", "pages", "accesses", "cycles"]
    names += ["share of the best", "L1 TLB hits", "L2 TLB hits", "walks at a time"]
    names += ["warps per miss"]
    forms = [""] * 5 + [".3f", ".1%", ".1%", ".1f", ".1f"]
    lines = [names, ["---"] * len(names)]
    lines += [[format(r[n], f) for n, f in zip(names, forms)] for r in rows]
    return [f"| {' | '.join(x)} |" for x in lines]


def beside(paper, rows):
    """Lines of the table of what the paper prints."""
    group = {k: g for k, g, _ in applications(paper)}
    lines = [["statistic", "applications", "paper", "ours", "off by", "where"], ["---"] * 6]
    for stat, of, printed, where in PRINTED[paper]:
        v = [r[stat] for r in rows if of in (None, group[r["kernel"]])]
        if v:
            text, off = verdict(mean(v), printed)
            lines.append([stat, of or "all", text, f"{mean(v):.3f}", off, where])
    if paper == "mask":
        same = sum(classes(r) == group[r["kernel"]] for r in rows)
        lines.append(
            ["classes", "all", "at least 20 of 26", f"{same} of {len(rows)}", "", "table 2"]
        )
    return [f"| {' | '.join(x)} |" for x in lines]


def table(paper, a):
    apps = [x for x in applications(paper) if not a.kernels or x[0] in a.kernels.split(",")]
    if not apps:
        return 0
    limits = kernels()
    if a.next:
        apps = [(k, g, larger(paper, k, s)) for k, g, s in apps]
        apps = [(k, g, s) for k, g, s in apps if s <= limits[k][1]]
    rows = many(
        [(paper, k, s, a, seed) for k, g, s in apps for seed in map(int, a.seeds.split(","))], a
    )
    print(
        f"\n{paper}: {len(apps)} applications alone, seeds {a.seeds}, baseline "
        f"{PAPERS[paper]['base']}; {' '.join(settings(paper, a)[0])}\n"
    )
    print("\n".join([*by_kernel(rows), "", *beside(paper, rows)]))
    commit = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True
    ).stdout.strip()
    out = os.path.join(a.out, f"calibration-{paper}.csv")
    os.makedirs(a.out, exist_ok=True)
    with open(out + ".new", "w", newline="") as f:
        w = csv.DictWriter(f, ["commit", "parameters", *rows[0]])
        w.writeheader()
        w.writerows(
            {"commit": commit, "parameters": " ".join(settings(paper, a)[0]), **r} for r in rows
        )
    os.replace(out + ".new", out)
    return sum(r["mismatches"] for r in rows)


def sizes(paper, a):
    """The rule: the lowest step of the ladder at which MASK's application has its class; for
    Mosaic's, and where none has, the lowest that touches PAGES pages, for MESC's graphs the lowest
    that touches more than ENTRIES; where none does, the highest. MESC's other kernels all have one
    side. Prints each run as a comment, and lines for calibrated.txt."""
    bad, limits = 0, kernels()
    for kernel, of, _ in applications(paper):
        if a.kernels and kernel not in a.kernels.split(","):
            continue
        if on_side(paper, kernel):
            print(f"{paper} | {kernel} | {of} | {mesc_side()}", flush=True)
            continue
        big, chosen, count = None, None, {}
        enough = ENTRIES + 1 if paper == "mesc" else PAGES
        for size in ladder(paper, kernel, *limits[kernel])[: a.steps]:
            r = run(
                kernel,
                size,
                PAPERS[paper]["lanes"],
                PAPERS[paper]["base"],
                settings(paper, a)[0],
                ["--pages", "4k"],
                int(a.seeds.split(",")[0]),
            )
            bad += r["mismatches"]
            if chosen and r["accesses"] > MOST:
                break
            cls = " ".join("high" if miss >= 0.2 else "low" for miss in miss_rates(r))
            pages, fits = r["walks"]["pages_touched"], paper == "mask" and cls == of
            print(
                f"# {kernel} {size}: {pages} pages, {r['accesses']} accesses, misses {cls}",
                flush=True,
            )
            chosen, count[size] = size, r["accesses"]
            big = big or (size if pages >= enough else None)
            if fits or 4 * r["accesses"] > MOST or (big and paper != "mask"):
                break
        chosen = chosen if fits or not big else big
        print(f"{paper} | {kernel} | {of} | {chosen} | {count[chosen]}", flush=True)
    return bad


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    ap.add_argument("what", choices=("table", "sizes"))
    ap.add_argument("papers", nargs="*")
    ap.add_argument("--kernels", default="")
    ap.add_argument("--steps", type=int, default=2)
    ap.add_argument("--next", action="store_true")
    ap.add_argument("--seeds", default="1")
    ap.add_argument("--set", action="append", default=[])
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--out", default=os.path.join(ROOT, "build/reports"))
    a = ap.parse_args()
    known = {k for p in a.papers or PAPERS if p in PAPERS for k, _, _ in applications(p)}
    for k in filter(None, a.kernels.split(",")):
        if k not in known:
            ap.error(f"kernel '{k}' is not in sim/workloads/calibrated.txt")
    for p in a.papers:
        if p not in PAPERS:
            ap.error(f"paper '{p}' is none of {', '.join(PAPERS)}")
    bad = sum((table if a.what == "table" else sizes)(p, a) for p in a.papers or PAPERS)
    print(f"mismatches: {bad}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
