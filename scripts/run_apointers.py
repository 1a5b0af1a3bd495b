#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures ActivePointers as machine code on the RTL of the SIMT core behind gmmu_axi, beside plain pointers, GPUfs's gmmap and
hardware page faults, and writes docs/results-apointers.md.

usage: run_apointers.py [--quick] [--parts access,copy,faults,hardware] [--jobs N] [--cache FILE] [--out FILE]

Each point is one run of build/tb/simt/system/bench (tb/simt/system/ap_bench.cpp), whose values are checked; a run that is wrong
ends this script. Points are kept in FILE (build/apointers.json), so that an interrupted run goes on. --quick: a few points of each
table, and nothing is written.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RAW, AP, GPUFS = 0, 1, 2
EMPTY, READ, INC, READ_INC, COPY4, COPY8, COPY16, FAULTS, SUM = range(9)
US = 1020          # cycles of a microsecond at the paper's 1020 MHz
HOST = 55590       # 54.5 us
# Numbers printed in the paper's text and tables, nothing else.
PAPER_I = {"plain": (225, 32, 257), "compiler": (367, 152, 519), "prefetch": (271, None, 423), "compiler+rw": (None, None, 585),
           "prefetch+rw": (None, None, 435)}


class Points:
    def __init__(self, cache, jobs):
        self.cache, self.file, self.jobs = {}, cache, jobs
        if os.path.exists(cache):
            with open(cache) as f:
                self.cache = json.load(f)
        self.wanted = []

    def get(self, build="000", **settings):
        """Result of a point, or None when it is still to be run."""
        key = build + " " + " ".join(f"{k}={v}" for k, v in sorted(settings.items()))
        if key not in self.cache and key not in self.wanted:
            self.wanted.append(key)
        return self.cache.get(key)

    def run_one(self, key):
        build, *args = key.split()
        r = subprocess.run(["build/tb/simt/system/bench", f"build/simt/bench-{build}.elf", *args], cwd=ROOT, capture_output=True, text=True)
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
    if p.wanted:
        return ""
    best = max(x for name, r in rows if "plain" in name for x in r)
    out = ("## Copying memory (Table II)\n\nShare of memory's bytes a cycle (4; latency 400) that are read and written, one page a warp copied again and again in tiles of "
           "four accesses; links are made before. The best plain copy reaches "
           f"{100 * best:.0f} % of memory.\n\n" + table(["access", *(f"{w} warps" for w in warps)], [[n] + [f"{100 * x:.1f} %" for x in r] for n, r in rows]))
    paper = [["4 bytes", "65.4 %"], ["4 bytes, permissions", "64.1 %"], ["8 bytes", "97.6 %"]]
    out += "\nThe paper's own, of its GPU's best copy (152 GB/s), 52 blocks of 32 warps:\n\n" + table(["access", "paper"], paper)
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


def hardware(p, quick):
    rows = []
    warps = (8,)
    for w in warps:
        for pages in (2,) if quick else (1, 4):
            for warm in (100, 0) if quick else (100, 50, 0):
                for host in (HOST // 100,) if quick or warm == 100 else (HOST // 100, HOST // 10):
                    one = dict(kind=SUM, blocks=1, warps=w, pages=pages, frames=1024)
                    bound = p.get(way=RAW, translate=1, **one)
                    ap = p.get("000", way=AP, warm=warm, host=host, **one)
                    apt = p.get("000", way=AP, warm=warm, host=host, translate=1, **one)
                    gpufs = p.get("000", way=GPUFS, warm=warm, host=host, **one)
                    hw = [p.get(way=RAW, hw=1, warm=warm, host=host, handler=h, **one) for h in ((0,) if warm == 100 else (0, US, 10 * US))]
                    rows.append((w, pages, warm, host, bound, gpufs, ap, apt, hw))
    if p.wanted:
        return ""
    out = []
    for w, pages, warm, host, bound, gpufs, ap, apt, hw in rows:
        b = bound["kernel"]
        cells = [f"{x['kernel'] / b:.2f}" for x in (gpufs, ap, apt, *hw)] + [""] * (3 - len(hw))
        handlers = [0, 1, 10]
        better = "all" if all(ap["kernel"] < x["kernel"] for x in hw) else next((f"from {handlers[i]} us" for i, x in enumerate(hw) if ap["kernel"] < x["kernel"]), "never")
        out.append([str(w), str(pages), f"{warm} %", f"{host / US:.2f} us" if warm < 100 else "", f"{b:.0f}", *cells, better])
    return ("## Software or hardware translation\n\nEach warp sums its pages of the file, 4 bytes a lane. Times over that of plain pointers to resident memory behind 2 MiB pages (the bound, in cycles). "
            "Software: the page cache in pass-through, and behind resident 2 MiB pages. Hardware: 4 KiB pages through `gmmu_axi`; what is not there is brought by a fault that "
            "takes the handler's time on the host (one at a time), then the same request as software's. Last column: from which handler time on software is the faster one.\n\n"
            + table(["warps", "pages a warp", "there at the start", "host latency", "bound", "GPUfs", "software", "software behind 2 MiB", "hardware, handler 0", "1 us", "10 us", "software is better"], out) + "\n")


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
    ap.add_argument("--parts", default="access,copy,faults,hardware", help="tables to make")
    ap.add_argument("--no-build", action="store_true", help="the bench and its programs are there")
    a = ap.parse_args()
    if not a.no_build:
        subprocess.run(["tb/simt/system/build.sh"], cwd=ROOT, check=True)
    p = Points(a.cache, a.jobs)
    parts = []
    makers = {"access": lambda: table_i(p), "copy": lambda: table_ii(p, a.quick), "faults": lambda: table_iii(p, a.quick),
              "hardware": lambda: hardware(p, a.quick)}
    wanted = a.parts.split(",")
    if not set(wanted) <= set(makers):
        ap.error(f"no part {', '.join(set(wanted) - set(makers))}; there are: {', '.join(makers)}")
    for make in (makers[w] for w in makers if w in wanted):
        make()
        p.run()
        parts.append(make())
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
