#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures ActivePointers as machine code on the RTL of the SIMT core behind gmmu_axi, beside plain
pointers, GPUfs's gmmap and hardware page faults, and writes docs/results-apointers.md, whole, from
what it keeps in docs/results-apointers.json.

usage: run_apointers.py [--quick] [--parts access,copy,compute,faults,tlb,collage,hardware]
                        [--jobs N] [--cache FILE] [--no-build]
       run_apointers.py --page | --check

Each point is one run of build/tb/simt/system/bench (tb/simt/system/ap_bench.cpp), whose values are
checked; a run that is wrong ends this script. Points are kept in FILE (build/apointers.json), so
that an interrupted run goes on; those of other binaries are not used. --quick: a few points of each
table, and nothing is written. --page: the page again from the points that are kept; --check: says
whether it is what they give. The plot, docs/results-apointers.svg, needs matplotlib (Debian's
python3-matplotlib).
"""

import argparse
import concurrent.futures
import datetime
import hashlib
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RAW, AP, GPUFS = 0, 1, 2
(
    EMPTY,
    READ,
    INC,
    READ_INC,
    COPY4,
    COPY8,
    COPY16,
    FAULTS,
    SUM,
    ADD,
    READ_ALL,
    RANDOM,
    REDUCE,
    FFT,
    BITONIC,
    TLB,
    COLLAGE,
) = range(17)
US = 1020  # cycles of a microsecond at the paper's 1020 MHz
HOST = 55590  # 54.5 us
DATA = os.path.join(ROOT, "docs/results-apointers.json")
PAGE = os.path.join(ROOT, "docs/results-apointers.md")
SEEDS = (1, 2, 3)
KEPT = ("kernel", "latency", "reads", "faults", "reports", "stale")
PLOT = os.path.join(ROOT, "docs/results-apointers.svg")
# Numbers printed in the paper's text and tables, nothing else.
PAPER_I = {
    "plain": (225, 32, 257),
    "compiler": (367, 152, 519),
    "prefetch": (271, None, 423),
    "compiler+rw": (None, None, 585),
    "prefetch+rw": (None, None, 435),
}


def binaries():
    """What points are measured with: those of other binaries are not taken from the cache."""
    h = hashlib.sha256()
    names = [
        "build/tb/simt/system/bench",
        *sorted(
            os.path.join("build/simt", x)
            for x in os.listdir(os.path.join(ROOT, "build/simt"))
            if x.endswith(".elf")
        ),
    ]
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as f:
            h.update(f.read())
    return h.hexdigest()


class Points:
    def __init__(self, cache, jobs, kept=False):
        self.cache, self.file, self.jobs = {"binaries": None if kept else binaries()}, cache, jobs
        self.used = set()
        if kept:
            with open(DATA) as f:
                self.cache = {"binaries": None} | {
                    k: dict.fromkeys(KEPT, 0) | v for k, v in json.load(f)["points"].items()
                }
        elif os.path.exists(cache):
            with open(cache) as f:
                known = json.load(f)
            if known.get("binaries") == self.cache["binaries"]:
                self.cache = known
        self.wanted = []

    def get(self, build="000", **settings):
        """Result of a point, or None when it is still to be run."""
        key = build + " " + " ".join(f"{k}={v}" for k, v in sorted(settings.items()))
        self.used.add(key)
        if key not in self.cache and key not in self.wanted:
            self.wanted.append(key)
        return self.cache.get(key)

    def run_one(self, key):
        build, *args = key.split()
        elf = f"build/simt/{build if build == 'collage' else 'bench-' + build}.elf"
        r = subprocess.run(
            ["build/tb/simt/system/bench", elf, *args], cwd=ROOT, capture_output=True, text=True
        )
        if r.returncode:
            sys.exit(f"run_apointers: {key}:\n{r.stdout}{r.stderr}")
        line = next(x for x in r.stdout.splitlines() if x.startswith("launch="))
        return key, {k: float(v) for k, v in (x.split("=") for x in line.split()) if k in KEPT}

    def run(self):
        if self.cache["binaries"] is None:
            sys.exit(f"run_apointers: {DATA} has no point '{self.wanted[0]}'")
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for n, (key, value) in enumerate(pool.map(self.run_one, self.wanted), 1):
                self.cache[key] = value
                print(
                    f"[{n}/{len(self.wanted)}] {key}: {value['kernel']:.0f} cycles",
                    file=sys.stderr,
                    flush=True,
                )
                with open(self.file + ".new", "w") as f:
                    json.dump(self.cache, f, indent=1)
                os.replace(self.file + ".new", self.file)
        self.wanted = []


def table(head, rows):
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(out + ["| " + " | ".join(r) + " |" for r in rows]) + "\n"


def table_i(p):
    one = dict(blocks=1, warps=1, pages=1)
    empty = p.get(kind=EMPTY, way=RAW, **one)
    raw = {k: p.get(kind=k, way=RAW, **one) for k in (READ, INC, READ_INC)}
    rows, builds = (
        [],
        [
            ("long", "000", "compiler"),
            ("long, prefetch", "010", "prefetch"),
            ("long, permissions", "001", "compiler+rw"),
            ("long, prefetch, permissions", "011", "prefetch+rw"),
            ("long, permissions, exact bounds", "002", None),
            ("short", "100", None),
            ("short, prefetch", "110", None),
            ("short, permissions", "101", None),
        ],
    )
    values = {
        name: {k: p.get(b, kind=k, way=AP, **one) for k in (READ, INC, READ_INC)}
        for name, b, _ in builds
    }
    if p.wanted:
        return ""

    def cycles(v):
        return v["latency"] - empty["latency"]

    def cell(v, k):
        return f"{cycles(v):.1f} (x {cycles(v) / cycles(raw[k]):.2f})"

    def paper(row):
        out = []
        for i, x in enumerate(PAPER_I[row] if row else (None, None, None)):
            out.append("" if x is None else f"{x} (x {x / PAPER_I['plain'][i]:.2f})")
        return out

    rows.append(
        ["plain pointer"]
        + [f"{cycles(raw[k]):.1f}" for k in (READ, INC, READ_INC)]
        + [str(x) for x in PAPER_I["plain"]]
    )
    for name, _, row in builds:
        rows.append([name] + [cell(values[name][k], k) for k in (READ, INC, READ_INC)] + paper(row))
    return (
        "## One access (Table I)\n\nCycles of one warp alone, all lanes linked, memory of 400 "
        "cycles and 4 bytes a cycle; what two readings of the clock take "
        "is taken off. In brackets: over the plain pointer on the same machine.\n\n"
        + table(
            [
                "pointer",
                "read",
                "increment",
                "both",
                "paper: read",
                "paper: increment",
                "paper: both",
            ],
            rows,
        )
        + "\n"
    )


def copy(p, kind, way, warps, build="000", rate=4, latency=400, translate=0):
    rounds = 16 if warps <= 16 else 2  # 64 KiB a warp; 32 warps move 256 KiB together
    v = p.get(
        build,
        kind=kind,
        way=way,
        blocks=1,
        warps=warps,
        pages=1,
        rounds=rounds,
        rate=rate,
        latency=latency,
        translate=translate,
    )
    return v and 2 * 4096 * rounds * warps / v["kernel"] / rate  # bytes read and written


def table_ii(p, quick):
    warps = (8, 32) if quick else (1, 4, 8, 16, 32)
    names = {COPY4: "4 bytes", COPY8: "8 bytes", COPY16: "16 bytes"}
    rows = []
    for kind in (COPY4, COPY8, COPY16):
        rows.append((names[kind] + ", plain", [copy(p, kind, RAW, w) for w in warps]))
        rows.append((names[kind] + ", long", [copy(p, kind, AP, w) for w in warps]))
        if kind == COPY4:
            rows.append(
                (names[kind] + ", long, permissions", [copy(p, kind, AP, w, "001") for w in warps])
            )
            rows.append(
                (names[kind] + ", long, exact bounds", [copy(p, kind, AP, w, "002") for w in warps])
            )
            rows.append((names[kind] + ", short", [copy(p, kind, AP, w, "100") for w in warps]))
    sweeps = []
    for rate in () if quick else (2, 4, 8):
        for latency in (400,) if rate != 4 else (100, 400, 1600):
            sweeps.append(
                (
                    rate,
                    latency,
                    [
                        (
                            copy(p, k, RAW, 32, rate=rate, latency=latency),
                            copy(p, k, AP, 32, rate=rate, latency=latency),
                        )
                        for k in (COPY4, COPY8)
                    ],
                )
            )
    spills = (
        []
        if quick
        else [
            (
                n,
                [
                    copy(p, k, way, 1, f"000s{n}" if n else "000")
                    for k in (COPY4, COPY8)
                    for way in (RAW, AP)
                ],
            )
            for n in range(5)
        ]
    )
    if p.wanted:
        return ""
    best = max(x for name, r in rows if "plain" in name for x in r)
    out = (
        "## Copying memory (Table II)\n\nShare of memory's bytes a cycle (4; latency 400) that "
        "are read and written, 64 KiB a warp (32 warps: 8 KiB), its page again and again in tiles "
        "of "
        "four accesses; links are made before. The best plain copy reaches "
        f"{100 * best:.0f} % of memory.\n\n"
        + table(
            ["access", *(f"{w} warps" for w in warps)],
            [[n] + [f"{100 * x:.1f} %" for x in r] for n, r in rows],
        )
    )
    paper = [["4 bytes", "65.4 %"], ["4 bytes, permissions", "64.1 %"], ["8 bytes", "97.6 %"]]
    out += (
        "\nThe paper's own, of its GPU's best copy (152 GB/s), 52 blocks of 32 warps:\n\n"
        + table(["access", "paper"], paper)
    )
    if spills:
        out += (
            "\nOne warp alone, by how many of a tile's four loads are put on the lane's stack "
            "as soon as they are issued (forced in C; GCC's own spills come on top). The warp "
            "waits there for the load: "
            "what a tile then takes is one more latency of memory for each, and this is why a "
            "copy by one warp is slow wherever GCC runs out of registers.\n\n"
            + table(
                [
                    "loads put on the stack",
                    "4 bytes, plain",
                    "4 bytes, long",
                    "8 bytes, plain",
                    "8 bytes, long",
                ],
                [[str(n)] + [f"{100 * x:.1f} %" for x in r] for n, r in spills],
            )
        )
    if sweeps:
        out += (
            "\n32 warps, by memory's bytes a cycle and latency: long pointers' share of the "
            "plain copy's speed, and that of memory.\n\n"
            + table(
                [
                    "bytes a cycle",
                    "latency",
                    "4 bytes: of plain",
                    "plain: of memory",
                    "8 bytes: of plain",
                    "plain: of memory",
                ],
                [
                    [str(r), str(lat)]
                    + [
                        c
                        for raw, ap in v
                        for c in (f"{100 * ap / raw:.0f} %", f"{100 * raw:.0f} %")
                    ]
                    for r, lat, v in sweeps
                ],
            )
        )
    return out + "\n"


def table_iii(p, quick):
    warps = 8
    rows = []
    cases = (
        (("minor", 4, 100, HOST),)
        if quick
        else (
            ("minor", 512, 100, HOST),
            ("minor", 16, 100, HOST),
            ("major, host 0.545 us", 16, 0, HOST // 100),
            ("major, host 5.45 us", 16, 0, HOST // 10),
        )
    )
    for name, pages, warm, host in cases:
        one = dict(kind=FAULTS, blocks=1, warps=warps, pages=pages, warm=warm, host=host)
        if pages > 16:
            one["frames"] = 8192
        tlbs = (0, 32) if pages == 16 else (0,)
        rows.append(
            (
                name,
                pages,
                p.get(way=GPUFS, **one),
                [
                    p.get(b, way=AP, **(dict(one, tlb=t) if t else one))
                    for t in tlbs
                    for b in ("000", "100")
                ],
            )
        )
    if p.wanted:
        return ""
    return (
        f"## Page faults (Table III)\n\n{warps} warps, all lanes of a warp on one word of one "
        f"page at a time. GPUfs: `gmmap` and `gmunmap` of each page. "
        "Cycles a page and warp; in brackets: over GPUfs.\n\n"
        + table(
            [
                "faults",
                "pages a warp",
                "GPUfs",
                "long, no TLB",
                "short, no TLB",
                "long, TLB of 32",
                "short, TLB of 32",
            ],
            [
                [n, str(pages), f"{b['kernel'] / pages:.0f}"]
                + ([f"{v['kernel'] / pages:.0f} ({over(v, b)})" for v in vs] + ["", ""])[:4]
                for n, pages, b, vs in rows
            ],
        )
        + "\nThe paper's minor faults: short +20 %, long +24 %, no TLB +13 %; major: no "
        "observable overhead.\n\n"
    )


KERNELS = (
    ("Add", ADD, 0),
    ("Read", READ_ALL, 0),
    ("Random 5", RANDOM, 5),
    ("Random 50", RANDOM, 50),
    ("Reduce", REDUCE, 0),
    ("FFT", FFT, 0),
    ("Bitonic", BITONIC, 0),
)


def over(v, base):
    return f"{100 * (v['kernel'] / base['kernel'] - 1):+.0f} %"


def mean(rows):
    return [f"{sum(c) / len(c):+.0f} %" for c in zip(*rows)]


def compute(p, quick):
    """Figures 6a to 6c."""
    kernels = KERNELS[1:3] if quick else KERNELS
    warps = (4,) if quick else (1, 8)
    linked, cached = [], []
    for name, kind, rounds in kernels:
        one = dict(kind=kind, rounds=rounds or 1, blocks=1, pages=2 if kind == ADD else 1)
        linked.append(
            (
                name,
                [
                    (
                        p.get(way=RAW, warps=w, width=b, repeat=2, **one),
                        p.get(way=AP, warps=w, width=b, repeat=2, **one),
                    )
                    for b in (4, 16)
                    for w in warps
                ],
            )
        )
        w = warps[-1]
        cached.append(
            (
                name,
                [
                    (
                        p.get(way=GPUFS, warps=w, width=b, warm=warm, host=host, **one),
                        p.get(way=AP, warps=w, width=b, warm=warm, host=host, **one),
                    )
                    for b, warm, host in ((4, 100, HOST), (16, 100, HOST), (4, 0, HOST // 10))
                ],
            )
        )
    if p.wanted:
        return ""
    share = lambda rows: [[100 * (v["kernel"] / b["kernel"] - 1) for b, v in r] for _, r in rows]
    out = (
        "## Compute-intensive kernels (Figures 6a to 6c)\n\nTime of long pointers over that of "
        "plain pointers to the same data; each warp reads its page (Add: two) twice, links are "
        "made "
        "before. Every lane folds what it computed into a word, which is compared with the same "
        "arithmetic in C.\n\n"
        + table(
            [
                "kernel",
                *(f"{b} bytes, {w} warp{'s' if w > 1 else ''}" for b in (4, 16) for w in warps),
            ],
            [[n] + [over(v, b) for b, v in r] for n, r in linked]
            + [["mean"] + mean(share(linked))],
        )
        + f"\nWith the page cache, {warps[-1]} warps, a page each: long pointers without TLB "
        f"over GPUfs's `gmmap` and `gmunmap`.\n\n"
        + table(
            [
                "kernel",
                "4 bytes, minor faults",
                "16 bytes, minor faults",
                "4 bytes, major faults, host 5.45 us",
            ],
            [[n] + [over(v, b) for b, v in r] for n, r in cached]
            + [["mean"] + mean(share(cached))],
        )
        + "\nThe paper's means at full occupancy: 16-byte reads 20 %, 7 % without FFT; with the "
        "page cache and minor faults, without FFT, 16 % with 4 bytes and 9 % with 16; "
        "with major faults below 1 %.\n\n"
    )
    return out


def tlb_sizes(p, quick):
    """Figure 7."""
    uniques, sizes, warps = ((2,), (0, 8), 4) if quick else ((1, 4, 16, 32), (0, 8, 32), 8)
    rows = [
        (
            u,
            [
                p.get(kind=TLB, way=AP, blocks=1, warps=warps, pages=u, tlb=t, warm=100)
                for t in sizes
            ],
        )
        for u in uniques
    ]
    if p.wanted:
        return ""
    return (
        f"## TLB sizes (Figure 7)\n\nOne block of {warps} warps; each warp reads 4 KiB in 32 "
        f"accesses of 128 bytes, each of another page of the block's as long as there is one; all "
        f"pages "
        "are in the page cache. Cycles of the launch for an access of one warp.\n\n"
        + table(
            ["pages of the block", *("no TLB" if not t else f"TLB of {t}" for t in sizes)],
            [[str(u)] + [f"{v['kernel'] / 32:.0f}" for v in r] for u, r in rows],
        )
        + "\n"
    )


def collage(p, quick):
    """Section VI-E."""
    rows = []
    for pitch in (4096, 3072):
        one = dict(
            kind=COLLAGE,
            blocks=1,
            warps=4,
            images=64 if quick else 1024,
            pitch=pitch,
            input=8,
            frames=64 if quick else 256,
        )
        bound = p.get("collage", way=RAW, translate=1, **one)
        for host in (
            (HOST // 100,)
            if quick
            else (HOST // 100, HOST // 10, HOST)
            if pitch == 4096
            else (HOST // 100, HOST // 10)
        ):
            cold = dict(warm=0, host=host, **one)
            rows.append(
                (
                    pitch,
                    host,
                    bound,
                    p.get("collage", way=GPUFS, **cold),
                    p.get("collage", way=AP, **cold),
                    p.get("collage", way=RAW, hw=1, handler=US, **cold) if host < HOST else None,
                )
            )
    if p.wanted:
        return ""
    out = (
        "## Image collage (VI-E)\n\n8 blocks of an input, one thread block of four warps (the "
        "scratchpad holds four histograms), 1,024 histograms in a file of 4 MiB (padded) or 3 MiB "
        "(not aligned); page cache 1 MiB, empty at the start. "
        "Histograms of the input, LSH keys, candidates and the search run on the core; every "
        "choice is that of a plain program in C++. Cycles over those of plain pointers to "
        "resident memory "
        "behind 2 MiB pages (the bound); hardware: 4 KiB pages, 1 us of handler a fault, "
        "nothing is ever evicted.\n\n"
        + table(
            [
                "histograms",
                "host latency",
                "bound",
                "GPUfs",
                "apointers",
                "apointers over GPUfs",
                "hardware faults",
                "pages read: GPUfs",
                "apointers",
                "hardware",
            ],
            [
                [
                    f"{pitch // 1024} KiB",
                    f"{host / US:.2f} us",
                    f"{b['kernel']:.0f}",
                    f"{g['kernel'] / b['kernel']:.2f}",
                    f"{a['kernel'] / b['kernel']:.2f}",
                    over(a, g),
                    f"{h['kernel'] / b['kernel']:.2f}" if h else "",
                    f"{g['reads']:.0f}",
                    f"{a['reads']:.0f}",
                    f"{h['faults']:.0f}" if h else "",
                ]
                for pitch, host, b, g, a, h in rows
            ],
        )
    )
    for pitch in (4096, 3072):
        mine = sorted(
            (host, 100 * (a["kernel"] / g["kernel"] - 1))
            for q, host, _, g, a, _ in rows
            if q == pitch
        )
        (h0, x0), (h1, x1) = mine[0], mine[-1]
        if x0 <= 1:
            text = f"not passed at {h0 / US:.2f} us already"
        elif x1 <= 1:
            h0, x0 = max((h, x) for h, x in mine if x > 1)
            h1, x1 = min((h, x) for h, x in mine if x <= 1)
            at = h0 + (h1 - h0) * (x0 - 1) / (x0 - x1)
            text = (
                f"passed below {at / US:.0f} us (straight line between {h0 / US:.2f} us, "
                f"{x0:+.1f} %, and {h1 / US:.2f} us, {x1:+.1f} %)"
            )
        else:
            text = f"passed at every latency measured ({x1:+.1f} % at {h1 / US:.2f} us)"
            runs = sorted(
                (host, a["kernel"], g["kernel"]) for q, host, _, g, a, _ in rows if q == pitch
            )[-2:]
            if len(runs) == 2:
                (ha, _, ga), (hb, ab, gb) = runs
                far = hb + (100 * (ab - gb) - gb) * (hb - ha) / (gb - ga)
                text += (
                    f"; if the difference in cycles stays that of {hb / US:.2f} us and "
                    f"GPUfs's time grows as between the last two latencies, it would fall below 1 "
                    f"% at {far / US:.0f} us "
                    "(not measured)"
                )
        out += f"\n{pitch // 1024} KiB: 1 % over GPUfs is {text}.\n"
    return out + "\nThe paper: no measurable overhead.\n\n"


HANDLERS = (0, 1, 2, 4, 8, 16, 32, 64)  # us
BASE = dict(warps=8, pages=2, warm=0, host=HOST // 10)
SWEEPS = (
    ("pages a warp", "pages", (1, 2, 4)),
    ("there at the start", "warm", (0, 25, 50, 75, 95)),
    ("warps", "warps", (1, 4, 8, 16, 32)),
    ("host latency", "host", (HOST // 100, HOST // 10, HOST)),
)
SAID = {
    "pages": str,
    "warm": lambda x: f"{x} %",
    "warps": str,
    "host": lambda x: f"{x / US:.2f} us",
}


def average(vs):
    return sum(v["kernel"] for v in vs) / len(vs)


def place(p, **at):
    """One setting: bound, GPUfs, software, software behind 2 MiB pages, and hardware by handler
    time until it is the slower one with every seed."""
    one = dict(kind=SUM, blocks=1, frames=1024, warps=at["warps"], pages=at["pages"])
    soft = dict(one, warm=at["warm"], host=at["host"])
    r = {
        "bound": p.get(way=RAW, translate=1, **one),
        "gpufs": p.get(way=GPUFS, **soft),
        "ap": [p.get(way=AP, seed=n, **soft) for n in SEEDS],
        "ap2m": p.get(way=AP, translate=1, **soft),
        "hw": [],
    }
    for h in HANDLERS:
        vs = [p.get(way=RAW, hw=1, handler=h * US, seed=n, **soft) for n in SEEDS]
        if None in vs or None in r["ap"]:
            break
        r["hw"].append((h, vs))
        if (
            all(v["kernel"] > a["kernel"] for v, a in zip(vs, r["ap"]))
            and h >= 1
            or at["warm"] == 100
        ):
            break
    return r


def crossings(r):
    """Handler times in us from which software is the faster one, for each seed, by straight lines
    between points; None: not up to the longest."""
    for n in range(len(SEEDS)):
        soft, points = r["ap"][n]["kernel"], [(h, vs[n]["kernel"]) for h, vs in r["hw"]]
        if points[0][1] > soft:
            yield 0.0
            continue
        yield next(
            (
                h0 + (h1 - h0) * (soft - v0) / (v1 - v0)
                for (h0, v0), (h1, v1) in zip(points, points[1:])
                if v0 <= soft < v1
            ),
            None,
        )


def crossing(r):
    x = list(crossings(r))
    known = [v for v in x if v is not None]
    if not known:
        return f"more than {HANDLERS[-1]} us"
    if None in x:
        return f"{min(known):.1f} to more than {HANDLERS[-1]} us"
    if max(x) == 0:
        return "any"
    return f"{sum(x) / len(x):.1f} us ({min(x):.1f} to {max(x):.1f})"


def spread(vs):
    """Largest distance from the mean, in %."""
    return 100 * max(abs(v["kernel"] / average(vs) - 1) for v in vs)


def places(p, quick):
    sweeps = (("pages a warp", "pages", (1,)),) if quick else SWEEPS
    return [
        (title, key, value, place(p, **dict(BASE, **{key: value})))
        for title, key, values in sweeps
        for value in values
    ]


def hardware(p, quick):
    got = places(p, quick)
    full = [(w, place(p, **dict(BASE, warps=w, warm=100))) for w in ((4,) if quick else (1, 8, 32))]
    if p.wanted:
        return ""
    out = (
        "## Software or hardware translation\n\nEach warp sums its pages of the file, 4 bytes a "
        "lane. Times over that of plain pointers to resident memory behind 2 MiB pages (the bound, "
        "in cycles). "
        "Software: long pointers without TLB, the page cache in pass-through, and behind "
        "resident 2 MiB pages. Hardware: 4 KiB pages through `gmmu_axi`; what is not there is "
        "brought by a fault that "
        "takes the handler's time on the host (one at a time), then the same request, latency "
        "and bytes per second as software's. Around one place: "
        f"{BASE['warps']} warps, {BASE['pages']} pages each, nothing there at the start, host "
        f"latency {BASE['host'] / US:.2f} us. Software and hardware: mean of {len(SEEDS)} seeds "
        f"(data, "
        "pages that are there, order of memory's answers). Last column: the handler time from "
        "which software is the faster one, mean and range over the seeds "
        f"(straight lines between handler times of {', '.join(map(str, HANDLERS))} us, measured "
        f"until hardware is the slower one).\n\n"
    )
    rows = []
    for title, key, value, r in got:
        b = r["bound"]["kernel"]
        hw = dict(r["hw"])
        rows.append(
            [
                title,
                SAID[key](value),
                f"{b:.0f}",
                f"{r['gpufs']['kernel'] / b:.2f}",
                f"{average(r['ap']) / b:.2f}",
                f"{r['ap2m']['kernel'] / b:.2f}",
                *(f"{average(hw[h]) / b:.2f}" if h in hw else "" for h in HANDLERS),
                crossing(r),
            ]
        )
    out += table(
        [
            "varied",
            "",
            "bound",
            "GPUfs",
            "software",
            "software behind 2 MiB",
            *(f"hardware, {h} us" for h in HANDLERS),
            "software is better from",
        ],
        rows,
    )
    soft, hard = (
        [spread(r["ap"]) for *_, r in got],
        [spread(vs) for *_, r in got for _, vs in r["hw"]],
    )
    partly = [
        spread(vs)
        for _, key, value, r in got
        if key == "warm" and value
        for vs in [r["ap"], *(vs for _, vs in r["hw"])]
    ]
    out += (
        f"\nSeeds differ from their mean by at most {max(soft):.1f} % (software) and "
        f"{max(hard):.1f} % (hardware); most where a part of the pages is there at the start "
        f"({max(partly or [0]):.1f} %), "
        "as the seed draws which ones, none at all at times.\n"
    )
    out += (
        "\nEach burst that faults keeps its place in the port until its page is there, and a "
        "load of a warp is two bursts: the 8 places of this port are 4 pages on their way at a "
        "time, while software "
        "has one for each warp.\n"
    )
    out += (
        "\nWith every page there at the start there is no fault, and hardware wins whatever "
        "the handler takes:\n\n"
        + table(
            ["warps", "bound", "GPUfs", "software", "software behind 2 MiB", "hardware"],
            [
                [
                    str(w),
                    f"{r['bound']['kernel']:.0f}",
                    f"{r['gpufs']['kernel'] / r['bound']['kernel']:.2f}",
                    f"{average(r['ap']) / r['bound']['kernel']:.2f}",
                    f"{r['ap2m']['kernel'] / r['bound']['kernel']:.2f}",
                    f"{average(r['hw'][0][1]) / r['bound']['kernel']:.2f}",
                ]
                for w, r in full
            ],
        )
    )
    return out + "\n"


def plot(got):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    from matplotlib import ticker

    matplotlib.rcParams["svg.hashsalt"] = "apointers"
    fig, axes = plt.subplots(1, 5, figsize=(17, 3.8))
    for ax, (title, key, values) in zip(axes, SWEEPS):
        mine = [r for _, k, _, r in got if k == key]
        x = range(len(values))
        for name, label, colour in (
            ("gpufs", "GPUfs", "#999999"),
            ("ap", "software", "#2f6db5"),
            ("ap2m", "software behind 2 MiB", "#8fb7e0"),
        ):
            y = [
                (average(r["ap"]) if name == "ap" else r[name]["kernel"]) / r["bound"]["kernel"]
                for r in mine
            ]
            ax.plot(x, y, marker="o", color=colour, label=label)
        for h, colour in ((0, "#3c9a54"), (1, "#d9a441"), (4, "#b00000")):
            y = [
                (i, average(dict(r["hw"])[h]) / r["bound"]["kernel"])
                for i, r in enumerate(mine)
                if h in dict(r["hw"])
            ]
            if y:
                ax.plot(
                    *zip(*y),
                    marker="s",
                    linestyle="--",
                    color=colour,
                    label=f"hardware, handler {h} us",
                )
        ax.set_xticks(list(x), [SAID[key](v) for v in values])
        ax.set_xlabel(title)
    ax = axes[4]
    for host, colour in zip(SWEEPS[3][2], ("#3c9a54", "#2f6db5", "#b00000")):
        r = next(r for _, k, v, r in got if k == "host" and v == host)
        ax.plot(
            [h for h, _ in r["hw"]],
            [average(v) / r["bound"]["kernel"] for _, v in r["hw"]],
            marker="s",
            linestyle="--",
            color=colour,
            label=f"hardware, host {host / US:.2f} us",
        )
        ax.axhline(
            average(r["ap"]) / r["bound"]["kernel"],
            color=colour,
            label=f"software, host {host / US:.2f} us",
        )
    ax.set_xlabel("handler time, us")
    for ax in axes:
        ax.set_yscale("log")
        ax.set_ylim(1, 9.5)
        ax.yaxis.set_major_locator(ticker.FixedLocator(range(1, 10)))
        ax.yaxis.set_major_formatter("{x:g}")
        ax.yaxis.set_minor_locator(ticker.NullLocator())
    axes[0].set_ylabel("time over plain pointers\nto resident memory")
    fig.tight_layout(rect=(0, 0.2, 1, 1))
    for ax in (axes[0], axes[4]):
        handles, labels = ax.get_legend_handles_labels()
        low = 0.09 if ax is axes[0] else 0.0
        fig.legend(
            handles,
            labels,
            loc="lower center",
            bbox_to_anchor=(0.5, low),
            ncol=6,
            title=None if ax is axes[0] else "last plot:",
            fontsize=8,
            frameon=False,
        )
    fig.savefig(PLOT + ".new", format="svg", metadata={"Date": None})
    plt.close(fig)
    os.replace(PLOT + ".new", PLOT)


def ratio(a, b):
    return f"x {a / b:.2f}"


def verdict(p):
    """Five lines, from the same points."""
    one = dict(blocks=1, warps=1, pages=1)
    empty = p.get(kind=EMPTY, way=RAW, **one)["latency"]
    cycles = {
        (k, w): p.get(kind=k, way=w, **one)["latency"] - empty
        for k in (READ, INC, READ_INC)
        for w in (RAW, AP)
    }
    x = {k: ratio(cycles[k, AP], cycles[k, RAW]) for k in (READ, INC, READ_INC)}
    said = [ratio(a, b) for a, b in zip(PAPER_I["compiler"], PAPER_I["plain"])]
    fault = dict(kind=FAULTS, blocks=1, warps=8)
    minor = [
        p.get(b, way=AP, pages=512, warm=100, host=HOST, frames=8192, **fault)["kernel"]
        / p.get(way=GPUFS, pages=512, warm=100, host=HOST, frames=8192, **fault)["kernel"]
        for b in ("000", "100")
    ]
    major = [
        p.get(b, way=AP, pages=16, warm=0, host=HOST // 10, **fault)["kernel"]
        / p.get(way=GPUFS, pages=16, warm=0, host=HOST // 10, **fault)["kernel"]
        for b in ("000", "100")
    ]
    share = lambda xs: " to ".join(f"{100 * (v - 1):+.0f} %" for v in (min(xs), max(xs)))
    got = places(p, False)
    full = place(p, **dict(BASE, warm=100))
    hardly = [
        f"{title} {SAID[key](value)}" for title, key, value, r in got if None in list(crossings(r))
    ]
    base = next(r for _, key, value, r in got if key == "warps" and value == BASE["warps"])
    never = [f"{title} {SAID[key](value)}" for title, key, value, r in got if crossing(r) == "any"]
    late = sorted(
        (sum(x) / len(x), f"{title} {SAID[key](value)}")
        for title, key, value, r in got
        for x in [list(crossings(r))]
        if None not in x and max(x) > 0
    )
    return (
        f"1. Reading through a long pointer costs one warp {x[READ]} of a plain read (paper: "
        f"{said[0]}), incrementing it {x[INC]} ({said[1]}), both {x[READ_INC]} ({said[2]}).\n"
        f"2. Copying by 32 warps reaches {100 * copy(p, COPY4, AP, 32):.1f} % of memory with "
        f"long pointers and 4 bytes, {100 * copy(p, COPY16, AP, 32):.1f} % with 16; plain "
        f"pointers "
        f"{100 * copy(p, COPY4, RAW, 32):.1f} and {100 * copy(p, COPY16, RAW, 32):.1f} % "
        f"(paper, its best copy: 65.4 % with 4 bytes, 97.6 % with 8).\n"
        f"3. Minor faults cost {share(minor)} over GPUfs's `gmmap` (paper: +13 to +24 %), "
        f"major ones of a host of {HOST // 10 / US:.2f} us {share(major)} (none seen).\n"
        f"4. Hardware translation with 4 KiB pages is faster than software when all pages are "
        f"there ({BASE['warps']} warps: "
        f"{ratio(average(full['hw'][0][1]), full['bound']['kernel'])} against "
        f"{ratio(average(full['ap']), full['bound']['kernel'])} of the bound).\n"
        f"5. With pages to bring ({BASE['warps']} warps, {BASE['pages']} pages each, host "
        f"latency {BASE['host'] / US:.2f} us) software wins from {crossing(base)} of handler "
        f"on the host; latest with "
        f"{late[-1][1]} ({late[-1][0]:.1f} us)"
        + (f" and {', '.join(hardly)} (some seeds not up to {HANDLERS[-1]} us)" if hardly else "")
        + f"; whatever the handler takes "
        f"with {', '.join(never) or 'none of what was measured'}.\n"
    )


def build_of():
    git = lambda *a: subprocess.run(
        ["git", *a], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    return git("rev-parse", "--short", "HEAD") + (
        " with changes"
        if git("status", "--porcelain", "--untracked-files=no", "--", "rtl", "tb", "c_model")
        else ""
    )


HEAD = """# Results beside the ActivePointers paper

{verdict}
![Time over the bound, by what is varied](results-apointers.svg)

{n} runs of commit {commit}, {date}, all of one build. Page and plot are written by \
`scripts/run_apointers.py` from [results-apointers.json](results-apointers.json), which holds \
every run, whose SHA-256 begins with `{digest}`.

RTL: the SIMT core of `tb/simt/` ([simt.md](simt.md)) behind `gmmu_axi`, the library of \
[apointers.md](apointers.md) as its machine code, one core of up to 32 warps. Columns and lines \
headed "paper" hold numbers printed there, measured on an NVIDIA K80: ratios can be compared, \
cycles cannot. Every value that a kernel computed was compared with the file's. Unless said \
otherwise: permissions are not checked and bounds looked at in faults only, as in the paper; host \
latency 54.5 us at 1020 MHz, 7.96 GB/s.

"""


def make_page(p, makers):
    """Text of the page, once no point is missing, and the points that it uses."""
    parts = []
    for make in makers:
        text = make()
        while p.wanted:
            p.run()
            text = make()
        parts.append(text)
    return "".join(parts)


def kept_data(p, commit, date):
    points = ",\n".join(
        f" {json.dumps(k)}: "
        f"{json.dumps({x: int(v) if v == int(v) else v for x, v in p.cache[k].items() if v})}"
        for k in sorted(p.used)
    )
    return f'{{"commit": "{commit}", "date": "{date}", "points": {{\n{points}\n}}}}\n'


def write(path, text):
    with open(path + ".new", "w") as f:
        f.write(text)
    os.replace(path + ".new", path)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--page", action="store_true")
    ap.add_argument("--check", action="store_true")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--cache", default=os.path.join(ROOT, "build/apointers.json"))
    ap.add_argument("--parts", help="tables to make; nothing is written")
    ap.add_argument("--no-build", action="store_true", help="the bench and its programs are there")
    a = ap.parse_args()
    kept = a.page or a.check
    if not a.no_build and not kept:
        subprocess.run(["tb/simt/system/build.sh"], cwd=ROOT, check=True)
    p = Points(a.cache, a.jobs, kept)
    makers = {
        "access": lambda: table_i(p),
        "copy": lambda: table_ii(p, a.quick),
        "compute": lambda: compute(p, a.quick),
        "faults": lambda: table_iii(p, a.quick),
        "tlb": lambda: tlb_sizes(p, a.quick),
        "collage": lambda: collage(p, a.quick),
        "hardware": lambda: hardware(p, a.quick),
    }
    wanted = (a.parts or ",".join(makers)).split(",")
    if not set(wanted) <= set(makers):
        ap.error(f"no part {', '.join(set(wanted) - set(makers))}; there are: {', '.join(makers)}")
    text = make_page(p, [makers[w] for w in makers if w in wanted])
    if a.quick or a.parts:
        print(text)
        return 0
    if kept:
        with open(DATA) as f:
            data = f.read()
        was = json.loads(data)
        commit, date = was["commit"], was["date"]
    else:
        commit, date = build_of(), datetime.date.today().isoformat()
    said = verdict(p)
    if not kept:
        data = kept_data(p, commit, date)
    text = (
        HEAD.format(
            verdict=said,
            n=len(p.used),
            commit=commit,
            date=date,
            digest=hashlib.sha256(data.encode()).hexdigest()[:16],
        )
        + text.rstrip("\n")
        + "\n"
    )
    if a.check:
        with open(PAGE) as f:
            if f.read() == text:
                return 0
        print(f"run_apointers: {PAGE} is not what {DATA} gives: scripts/run_apointers.py --page")
        return 1
    write(DATA, data)
    plot(places(p, False))
    write(PAGE, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
