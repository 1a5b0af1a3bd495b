#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures ActivePointers as machine code on the RTL of the SIMT core behind gmmu_axi, beside plain pointers, GPUfs's gmmap and
hardware page faults, and writes docs/results-apointers.md.

usage: run_apointers.py [--quick] [--parts access,copy,compute,faults,tlb,collage,hardware] [--jobs N] [--cache FILE] [--out FILE]

The plot, docs/results-apointers.svg, needs matplotlib (Debian's python3-matplotlib). Each point is one run of build/tb/simt/system/bench (tb/simt/system/ap_bench.cpp), whose values are checked; a run that is wrong
ends this script. Points are kept in FILE (build/apointers.json), so that an interrupted run goes on. --quick: a few points of each
table, and nothing is written.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RAW, AP, GPUFS = 0, 1, 2
EMPTY, READ, INC, READ_INC, COPY4, COPY8, COPY16, FAULTS, SUM, ADD, READ_ALL, RANDOM, REDUCE, FFT, BITONIC, TLB, COLLAGE = range(17)
US = 1020          # cycles of a microsecond at the paper's 1020 MHz
HOST = 55590       # 54.5 us
TILES = ""
PLOT = os.path.join(ROOT, "docs/results-apointers.svg")
# Numbers printed in the paper's text and tables, nothing else.
PAPER_I = {"plain": (225, 32, 257), "compiler": (367, 152, 519), "prefetch": (271, None, 423), "compiler+rw": (None, None, 585),
           "prefetch+rw": (None, None, 435)}


def binaries():
    """What points are measured with: those of other binaries are not taken from the cache."""
    h = hashlib.sha256()
    names = ["build/tb/simt/system/bench", *sorted(os.path.join("build/simt", x) for x in os.listdir(os.path.join(ROOT, "build/simt")) if x.endswith(".elf"))]
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as f:
            h.update(f.read())
    return h.hexdigest()


class Points:
    def __init__(self, cache, jobs):
        self.cache, self.file, self.jobs = {"binaries": binaries()}, cache, jobs
        if os.path.exists(cache):
            with open(cache) as f:
                known = json.load(f)
            if known.get("binaries") == self.cache["binaries"]:
                self.cache = known
        self.wanted = []

    def get(self, build="000", **settings):
        """Result of a point, or None when it is still to be run."""
        key = build + " " + " ".join(f"{k}={v}" for k, v in sorted(settings.items()))
        if key not in self.cache and key not in self.wanted:
            self.wanted.append(key)
        return self.cache.get(key)

    def run_one(self, key):
        build, *args = key.split()
        elf = f"build/simt/{build if build == 'collage' else 'bench-' + build}.elf"
        r = subprocess.run(["build/tb/simt/system/bench", elf, *args], cwd=ROOT, capture_output=True, text=True)
        if r.returncode:
            sys.exit(f"run_apointers: {key}:\n{r.stdout}{r.stderr}")
        line = next(x for x in r.stdout.splitlines() if x.startswith("launch="))
        return key, {k: float(v) for k, v in (x.split("=") for x in line.split())}

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for n, (key, value) in enumerate(pool.map(self.run_one, self.wanted), 1):
                self.cache[key] = value
                print(f"[{n}/{len(self.wanted)}] {key}: {value['kernel']:.0f} cycles", file=sys.stderr, flush=True)
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
    rows, builds = [], [("long", "000", "compiler"), ("long, prefetch", "010", "prefetch"), ("long, permissions", "001", "compiler+rw"),
                        ("long, prefetch, permissions", "011", "prefetch+rw"), ("long, permissions, exact bounds", "002", None),
                        ("short", "100", None), ("short, prefetch", "110", None), ("short, permissions", "101", None)]
    values = {name: {k: p.get(b, kind=k, way=AP, **one) for k in (READ, INC, READ_INC)} for name, b, _ in builds}
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
    rows.append(["plain pointer"] + [f"{cycles(raw[k]):.1f}" for k in (READ, INC, READ_INC)] + [str(x) for x in PAPER_I["plain"]])
    for name, _, row in builds:
        rows.append([name] + [cell(values[name][k], k) for k in (READ, INC, READ_INC)] + paper(row))
    return ("## One access (Table I)\n\nCycles of one warp alone, all lanes linked, memory of 400 cycles and 4 bytes a cycle; what two readings of the clock take "
            "is taken off. In brackets: over the plain pointer on the same machine.\n\n"
            + table(["pointer", "read", "increment", "both", "paper: read", "paper: increment", "paper: both"], rows) + "\n")


def copy(p, kind, way, warps, build="000", rate=4, latency=400, translate=0):
    rounds = 2 if warps > 8 else 4
    v = p.get(build, kind=kind, way=way, blocks=1, warps=warps, pages=1, rounds=rounds, rate=rate, latency=latency, translate=translate)
    return v and 2 * 4096 * rounds * warps / v["kernel"] / rate     # bytes read and written


def table_ii(p, quick):
    warps = (8, 32) if quick else (1, 4, 8, 16, 32)
    names = {COPY4: "4 bytes", COPY8: "8 bytes", COPY16: "16 bytes"}
    rows = []
    for kind in (COPY4, COPY8, COPY16):
        rows.append((names[kind] + ", plain", [copy(p, kind, RAW, w) for w in warps]))
        rows.append((names[kind] + ", long", [copy(p, kind, AP, w) for w in warps]))
        if kind == COPY4:
            rows.append((names[kind] + ", long, permissions", [copy(p, kind, AP, w, "001") for w in warps]))
            rows.append((names[kind] + ", long, exact bounds", [copy(p, kind, AP, w, "002") for w in warps]))
            rows.append((names[kind] + ", short", [copy(p, kind, AP, w, "100") for w in warps]))
    sweeps = []
    for rate in () if quick else (2, 4, 8):
        for latency in (400,) if rate != 4 else (100, 400, 1600):
            sweeps.append((rate, latency, [(copy(p, k, RAW, 32, rate=rate, latency=latency), copy(p, k, AP, 32, rate=rate, latency=latency)) for k in (COPY4, COPY8)]))
    tiles = [] if quick else [(t, *(copy(p, COPY4, way, 1, b) for way in (RAW, AP))) for t, b in ((2, "000t2"), (4, "000"))]
    if p.wanted:
        return ""
    best = max(x for name, r in rows if "plain" in name for x in r)
    out = ("## Copying memory (Table II)\n\nShare of memory's bytes a cycle (4; latency 400) that are read and written, one page a warp copied again and again in tiles of "
           "four accesses; links are made before. The best plain copy reaches "
           f"{100 * best:.0f} % of memory.\n\n" + table(["access", *(f"{w} warps" for w in warps)], [[n] + [f"{100 * x:.1f} %" for x in r] for n, r in rows]))
    paper = [["4 bytes", "65.4 %"], ["4 bytes, permissions", "64.1 %"], ["8 bytes", "97.6 %"]]
    out += "\nThe paper's own, of its GPU's best copy (152 GB/s), 52 blocks of 32 warps:\n\n" + table(["access", "paper"], paper)
    if tiles:
        out += ("\nOne warp alone, 4 bytes, by the accesses of a tile:\n\n" + table(["accesses of a tile", "plain", "long"], [[str(t), f"{100 * r:.1f} %", f"{100 * x:.1f} %"] for t, r, x in tiles])
                + TILES)
    if sweeps:
        out += ("\n32 warps, by memory's bytes a cycle and latency: long pointers' share of the plain copy's speed, and that of memory.\n\n"
                + table(["bytes a cycle", "latency", "4 bytes: of plain", "plain: of memory", "8 bytes: of plain", "plain: of memory"],
                        [[str(r), str(lat)] + [c for raw, ap in v for c in (f"{100 * ap / raw:.0f} %", f"{100 * raw:.0f} %")] for r, lat, v in sweeps]))
    return out + "\n"


def table_iii(p, quick):
    pages, warps = (4 if quick else 16), 8
    one = dict(kind=FAULTS, blocks=1, warps=warps, pages=pages)
    rows = []
    for name, warm, host in (("minor", 100, HOST), ("major, host 0.545 us", 0, HOST // 100), ("major, host 5.45 us", 0, HOST // 10)) if not quick else (("minor", 100, HOST),):
        base = p.get(way=GPUFS, warm=warm, host=host, **one)
        rows.append((name, base, p.get("000", way=AP, warm=warm, host=host, **one), p.get("100", way=AP, warm=warm, host=host, **one),
                     p.get("000", way=AP, warm=warm, host=host, tlb=32, **one), p.get("100", way=AP, warm=warm, host=host, tlb=32, **one)))
    if p.wanted:
        return ""
    return (f"## Page faults (Table III)\n\n{warps} warps, {pages} pages each, all lanes of a warp on one word of one page at a time. GPUfs: `gmmap` and `gmunmap` of each page. "
            "Cycles a page and warp; in brackets: over GPUfs.\n\n"
            + table(["faults", "GPUfs", "long, no TLB", "short, no TLB", "long, TLB of 32", "short, TLB of 32"],
                    [[n, f"{b['kernel'] / pages:.0f}"] + [f"{v['kernel'] / pages:.0f} ({100 * (v['kernel'] / b['kernel'] - 1):+.0f} %)" for v in vs] for n, b, *vs in rows])
            + "\nThe paper's minor faults: short +20 %, long +24 %, no TLB +13 %; major: no observable overhead.\n\n")


KERNELS = (("Add", ADD, 0), ("Read", READ_ALL, 0), ("Random 5", RANDOM, 5), ("Random 50", RANDOM, 50),
           ("Reduce", REDUCE, 0), ("FFT", FFT, 0), ("Bitonic", BITONIC, 0))


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
        linked.append((name, [(p.get(way=RAW, warps=w, width=b, repeat=2, **one), p.get(way=AP, warps=w, width=b, repeat=2, **one)) for b in (4, 16) for w in warps]))
        w = warps[-1]
        cached.append((name, [(p.get(way=GPUFS, warps=w, width=b, warm=warm, host=host, **one), p.get(way=AP, warps=w, width=b, warm=warm, host=host, **one))
                              for b, warm, host in ((4, 100, HOST), (16, 100, HOST), (4, 0, HOST // 10))]))
    if p.wanted:
        return ""
    share = lambda rows: [[100 * (v["kernel"] / b["kernel"] - 1) for b, v in r] for _, r in rows]
    out = ("## Compute-intensive kernels (Figures 6a to 6c)\n\nTime of long pointers over that of plain pointers to the same data; each warp reads its page (Add: two) twice, links are made "
           "before. Every lane folds what it computed into a word, which is compared with the same arithmetic in C.\n\n"
           + table(["kernel", *(f"{b} bytes, {w} warp{'s' if w > 1 else ''}" for b in (4, 16) for w in warps)],
                   [[n] + [over(v, b) for b, v in r] for n, r in linked] + [["mean"] + mean(share(linked))])
           + f"\nWith the page cache, {warps[-1]} warps, a page each: long pointers without TLB over GPUfs's `gmmap` and `gmunmap`.\n\n"
           + table(["kernel", "4 bytes, minor faults", "16 bytes, minor faults", "4 bytes, major faults, host 5.45 us"],
                   [[n] + [over(v, b) for b, v in r] for n, r in cached] + [["mean"] + mean(share(cached))])
           + "\nThe paper's means at full occupancy: 16-byte reads 20 %, 7 % without FFT; with the page cache and minor faults, without FFT, 16 % with 4 bytes and 9 % with 16; "
             "with major faults below 1 %.\n\n")
    return out


def tlb_sizes(p, quick):
    """Figure 7."""
    uniques, sizes, warps = ((2,), (0, 8), 4) if quick else ((1, 4, 16, 32), (0, 8, 32), 8)
    rows = [(u, [p.get(kind=TLB, way=AP, blocks=1, warps=warps, pages=u, tlb=t, warm=100) for t in sizes]) for u in uniques]
    if p.wanted:
        return ""
    return (f"## TLB sizes (Figure 7)\n\nOne block of {warps} warps; each warp reads 4 KiB in 32 accesses of 128 bytes, each of another page of the block's as long as there is one; all pages "
            "are in the page cache. Cycles of the launch for an access of one warp.\n\n"
            + table(["pages of the block", *("no TLB" if not t else f"TLB of {t}" for t in sizes)], [[str(u)] + [f"{v['kernel'] / 32:.0f}" for v in r] for u, r in rows]) + "\n")


def collage(p, quick):
    """Section VI-E."""
    hosts = (HOST // 100,)
    rows = []
    for pitch in (4096, 3072):
        one = dict(kind=COLLAGE, blocks=1, warps=4, images=64 if quick else 1024, pitch=pitch, input=8, frames=64 if quick else 256)
        bound = p.get("collage", way=RAW, translate=1, **one)
        for host in hosts:
            cold = dict(warm=0, host=host, **one)
            rows.append((pitch, host, bound, p.get("collage", way=GPUFS, **cold), p.get("collage", way=AP, **cold), p.get("collage", way=RAW, hw=1, handler=US, **cold)))
    if p.wanted:
        return ""
    out = ("## Image collage (VI-E)\n\n8 blocks of an input, one thread block of four warps (the scratchpad holds four histograms), 1,024 histograms in a file of 4 MiB (padded) or 3 MiB (not aligned); page cache 1 MiB, empty at the start. "
           "Histograms of the input, LSH keys, candidates and the search run on the core; every choice is that of a plain program in C++. Cycles over those of plain pointers to resident memory "
           "behind 2 MiB pages (the bound); hardware: 4 KiB pages, 1 us of handler a fault, nothing is ever evicted.\n\n"
           + table(["histograms", "host latency", "bound", "GPUfs", "apointers", "apointers over GPUfs", "hardware faults", "pages read: GPUfs", "apointers", "hardware"],
                   [[f"{pitch // 1024} KiB", f"{host / US:.2f} us", f"{b['kernel']:.0f}", f"{g['kernel'] / b['kernel']:.2f}", f"{a['kernel'] / b['kernel']:.2f}", over(a, g),
                     f"{h['kernel'] / b['kernel']:.2f}", f"{g['reads']:.0f}", f"{a['reads']:.0f}", f"{h['faults']:.0f}"] for pitch, host, b, g, a, h in rows]))
    for pitch in (4096, 3072):
        mine = [(host, 100 * (a["kernel"] / g["kernel"] - 1)) for q, host, _, g, a, _ in rows if q == pitch]
        above = [h for h, x in mine if x > 1]
        below = [h for h, x in mine if x <= 1]
        text = ("at every latency measured" if not below else "at none of them" if not above else f"up to {max(above) / US:.2f} us of host latency, not from {min(b for b in below if b > max(above)) / US:.2f} us on"
                if any(b > max(above) for b in below) else f"also at {max(above) / US:.2f} us")
        out += f"\n{pitch // 1024} KiB: apointers cost more than 1 % over GPUfs {text}.\n"
    return out + "\nThe paper: no measurable overhead.\n\n"


HANDLERS = (0, 1, 10, 50)   # us
BASE = dict(warps=8, pages=2, warm=0, host=HOST // 10)
SWEEPS = (("pages a warp", "pages", (1, 2, 4)), ("there at the start", "warm", (0, 25, 50, 75, 95)), ("warps", "warps", (1, 4, 8, 16, 32)),
          ("host latency", "host", (HOST // 100, HOST // 10, HOST)))
SAID = {"pages": str, "warm": lambda x: f"{x} %", "warps": str, "host": lambda x: f"{x / US:.2f} us"}


def place(p, **at):
    """One setting: bound, GPUfs, software, software behind 2 MiB pages, and hardware by handler time until it is the slower one."""
    one = dict(kind=SUM, blocks=1, frames=1024, warps=at["warps"], pages=at["pages"])
    soft = dict(one, warm=at["warm"], host=at["host"])
    r = {"bound": p.get(way=RAW, translate=1, **one), "gpufs": p.get(way=GPUFS, **soft), "ap": p.get(way=AP, **soft), "ap2m": p.get(way=AP, translate=1, **soft), "hw": []}
    for h in HANDLERS:
        v = p.get(way=RAW, hw=1, handler=h * US, **soft)
        if v is None or r["ap"] is None:
            break
        r["hw"].append((h, v["kernel"]))
        if v["kernel"] > r["ap"]["kernel"] and h >= 1:
            break
    return r


def crossing(r):
    """Handler time in us from which software is the faster one, by straight lines between points; None: not up to the longest."""
    soft = r["ap"]["kernel"]
    for (h0, v0), (h1, v1) in zip(r["hw"], r["hw"][1:]):
        if v0 <= soft < v1:
            return h0 + (h1 - h0) * (soft - v0) / (v1 - v0)
    return 0.0 if r["hw"][0][1] > soft else None


def hardware(p, quick):
    if quick:
        sweeps = (("pages a warp", "pages", (1,)),)
    else:
        sweeps = SWEEPS
    got = [(title, key, value, place(p, **dict(BASE, **{key: value}))) for title, key, values in sweeps for value in values]
    full = [(w, place(p, **dict(BASE, warps=w, warm=100))) for w in ((4,) if quick else (1, 8, 32))]
    if p.wanted:
        return ""
    out = ("## Software or hardware translation\n\nEach warp sums its pages of the file, 4 bytes a lane. Times over that of plain pointers to resident memory behind 2 MiB pages (the bound, in cycles). "
           "Software: long pointers without TLB, the page cache in pass-through, and behind resident 2 MiB pages. Hardware: 4 KiB pages through `gmmu_axi`; what is not there is brought by a fault that "
           "takes the handler's time on the host (one at a time), then the same request, latency and bytes per second as software's. Around one place: "
           f"{BASE['warps']} warps, {BASE['pages']} pages each, nothing there at the start, host latency {BASE['host'] / US:.2f} us. Last column: the handler time from which software is the faster one "
           f"(straight lines between handler times of {', '.join(map(str, HANDLERS))} us, measured until hardware is the slower one).\n\n")
    rows = []
    for title, key, value, r in got:
        b = r["bound"]["kernel"]
        hw = dict(r["hw"])
        x = crossing(r)
        rows.append([title, SAID[key](value), f"{b:.0f}", *(f"{r[k]['kernel'] / b:.2f}" for k in ("gpufs", "ap", "ap2m")), *(f"{hw[h] / b:.2f}" if h in hw else "" for h in HANDLERS),
                     f"more than {HANDLERS[-1]} us" if x is None else f"{x:.1f} us" if x else "any"])
    out += table(["varied", "", "bound", "GPUfs", "software", "software behind 2 MiB", *(f"hardware, {h} us" for h in HANDLERS), "software is better from"], rows)
    out += ("\nWith every page there at the start there is no fault, and hardware wins whatever the handler takes:\n\n"
            + table(["warps", "bound", "GPUfs", "software", "software behind 2 MiB", "hardware"],
                    [[str(w), f"{r['bound']['kernel']:.0f}", *(f"{r[k]['kernel'] / r['bound']['kernel']:.2f}" for k in ("gpufs", "ap", "ap2m")), f"{r['hw'][0][1] / r['bound']['kernel']:.2f}"]
                     for w, r in full]))
    if not quick:
        plot(got)
        out += "\n![Time over the bound, by what is varied](results-apointers.svg)\n"
    return out + "\n"


def plot(got):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    matplotlib.rcParams["svg.hashsalt"] = "apointers"
    fig, axes = plt.subplots(1, 5, figsize=(17, 3.8))
    for ax, (title, key, values) in zip(axes, SWEEPS):
        mine = [r for _, k, _, r in got if k == key]
        x = range(len(values))
        for name, label, colour in (("gpufs", "GPUfs", "#999999"), ("ap", "software", "#2f6db5"), ("ap2m", "software behind 2 MiB", "#8fb7e0")):
            ax.plot(x, [r[name]["kernel"] / r["bound"]["kernel"] for r in mine], marker="o", color=colour, label=label)
        for h, colour in ((0, "#3c9a54"), (1, "#d9a441"), (10, "#b00000")):
            y = [(i, dict(r["hw"])[h] / r["bound"]["kernel"]) for i, r in enumerate(mine) if h in dict(r["hw"])]
            if y:
                ax.plot(*zip(*y), marker="s", linestyle="--", color=colour, label=f"hardware, handler {h} us")
        ax.set_xticks(list(x), [SAID[key](v) for v in values])
        ax.set_xlabel(title)
    ax = axes[4]
    for host, colour in zip(SWEEPS[3][2], ("#3c9a54", "#2f6db5", "#b00000")):
        r = next(r for _, k, v, r in got if k == "host" and v == host)
        ax.plot([h for h, _ in r["hw"]], [v / r["bound"]["kernel"] for _, v in r["hw"]], marker="s", linestyle="--", color=colour, label=f"hardware, host {host / US:.2f} us")
        ax.axhline(r["ap"]["kernel"] / r["bound"]["kernel"], color=colour, label=f"software, host {host / US:.2f} us")
    ax.set_xlabel("handler time, us")
    for ax in axes:
        ax.set_yscale("log")
        ax.legend(fontsize=6)
    axes[0].set_ylabel("time over plain pointers to resident memory")
    fig.tight_layout()
    fig.savefig(PLOT + ".new", format="svg", metadata={"Date": None})
    plt.close(fig)
    os.replace(PLOT + ".new", PLOT)


def verdict(path):
    """What the page begins with up to the end of its data (scripts/result_plots.py), kept: it is written by hand. Nothing where there is no page."""
    end = "<!-- end of data -->\n"
    if not os.path.exists(path):
        return ""
    with open(path) as f:
        page = f.read()
    return page[page.index("\n\n") + 2:page.index(end) + len(end)] + "\n" if end in page else ""


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--cache", default=os.path.join(ROOT, "build/apointers.json"))
    ap.add_argument("--out", default=os.path.join(ROOT, "docs/results-apointers.md"))
    ap.add_argument("--parts", default="access,copy,compute,faults,tlb,collage,hardware", help="tables to make")
    ap.add_argument("--no-build", action="store_true", help="the bench and its programs are there")
    a = ap.parse_args()
    if not a.no_build:
        subprocess.run(["tb/simt/system/build.sh"], cwd=ROOT, check=True)
    p = Points(a.cache, a.jobs)
    parts = []
    makers = {"access": lambda: table_i(p), "copy": lambda: table_ii(p, a.quick), "compute": lambda: compute(p, a.quick), "faults": lambda: table_iii(p, a.quick),
              "tlb": lambda: tlb_sizes(p, a.quick), "collage": lambda: collage(p, a.quick), "hardware": lambda: hardware(p, a.quick)}
    wanted = a.parts.split(",")
    if not set(wanted) <= set(makers):
        ap.error(f"no part {', '.join(set(wanted) - set(makers))}; there are: {', '.join(makers)}")
    for make in (makers[w] for w in makers if w in wanted):
        text = make()
        while p.wanted:
            p.run()
            text = make()
        parts.append(text)
    text = ("# Results beside the ActivePointers paper\n\n" + verdict(a.out) + "Written by `scripts/run_apointers.py` from runs of the RTL: the SIMT core of `tb/simt/` ([simt.md](simt.md)) behind `gmmu_axi`, "
            "the library of [apointers.md](apointers.md) as its machine code, one core of up to 32 warps. Columns and lines headed \"paper\" hold numbers printed there, measured on an "
            "NVIDIA K80: ratios can be compared, cycles cannot. Every value that a kernel computed was compared with the file's. Unless said otherwise: permissions are not "
            "checked and bounds looked at in faults only, as in the paper; host latency 54.5 us at 1020 MHz, 7.96 GB/s.\n\n" + "".join(parts))
    if a.quick:
        print(text)
    else:
        with open(a.out + ".new", "w") as f:
            f.write(text.rstrip("\n") + "\n")
        os.replace(a.out + ".new", a.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
