#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures ActivePointers as machine code on the RTL of the SIMT core behind gmmu_axi, beside plain
pointers, GPUfs's gmmap and hardware page faults, and writes docs/results-apointers.md, whole, from
what it keeps in docs/results-apointers.json.

usage: run_apointers.py [--quick] [--parts PART,...] [--jobs N] [--cache FILE] [--no-build]
                        [--add DIR]
       run_apointers.py --page | --check

Parts: access, copy, compute, faults, tlb, collage, hardware.
Each point is one run of build/tb/simt/system/bench (tb/simt/system/ap_bench.cpp), whose values are
checked; a run that is wrong ends this script. Points are kept in FILE (build/apointers.json), so
that an interrupted run goes on; those of other binaries are not used. With --add a point that is
not in FILE is taken from docs/results-apointers.json with its commit, whose programs (build/simt
there) are in DIR: 20 points must have the same cycles with these, and what is run again with the
programs of now must be within 0.1 %; page and JSON say which are taken.
--quick: a few points of each table, and nothing is written. --page: the page again from the points
that are kept; --check: says whether it is what they give. The plot, docs/results-apointers.svg, is
drawn by scripts/pictures.py.
"""

import argparse
import datetime
import hashlib
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import apointer_cache as cache  # noqa: E402
import apointer_tables as tables  # noqa: E402
from apointer_plot import plot  # noqa: E402
from apointer_points import (  # noqa: E402
    AP,
    COPY4,
    COPY16,
    DATA,
    EMPTY,
    FAULTS,
    GPUFS,
    HOST,
    INC,
    RAW,
    READ,
    READ_INC,
    SLOTS,
    US,
    Points,
    average,
)
from apointer_tables import PAPER_I, copy  # noqa: E402
from apointer_versus import (  # noqa: E402
    BASE,
    HANDLERS,
    PLACES,
    SAID,
    SLOT_HANDLERS,
    crossing,
    crossings,
    hardware,
    place,
    places,
    ports,
)

PAGE = os.path.join(ROOT, "docs/results-apointers.md")


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
    said = [x.split("(")[1].rstrip(")") for x in PAPER_I["compiler"]]
    fault = dict(kind=FAULTS, blocks=1, warps=8)
    minor = [
        p.get(b, way=AP, pages=512, warm=100, host=HOST, frames=8192, **fault)["kernel"]
        / p.get(way=GPUFS, pages=512, warm=100, host=HOST, frames=8192, **fault)["kernel"]
        for b in ("000", "100")
    ]
    major = [
        p.get(b, way=AP, pages=512, warm=0, host=HOST // 10, frames=8192, **fault)["kernel"]
        / p.get(way=GPUFS, pages=512, warm=0, host=HOST // 10, frames=8192, **fault)["kernel"]
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
    by_port = {w: (r, vs) for w, r, vs, _ in (ports(p, w) for w in (16, 32))}
    wins = [w for w, (r, vs) in by_port.items() if average(vs[-1]) < average(r["ap"])]
    wide = (
        f"With 16 and 32 warps that is the port's size: with {PLACES[-1]} places and a handler of "
        f"{SLOT_HANDLERS[-1]} us hardware is the faster one with "
        f"{' and '.join(map(str, wins)) or 'none of 16 and 32'} warps."
    )
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
        f"major ones of a host of {HOST // 10 / US:.2f} us {share(major)} (none seen); "
        f"{cache.passes(p)}.\n"
        f"4. Hardware translation with 4 KiB pages is faster than software when all pages are "
        f"there ({BASE['warps']} warps: "
        f"{ratio(average(full['hw'][0][1]), full['bound']['kernel'])} against "
        f"{ratio(average(full['ap']), full['bound']['kernel'])} of the bound).\n"
        f"5. With pages to bring ({BASE['warps']} warps, {BASE['pages']} pages each, host "
        f"latency {BASE['host'] / US:.2f} us) software wins from {crossing(base)} of handler "
        f"on the host; of the points with a crossing in all seeds the latest is "
        f"{late[-1][1]} ({late[-1][0]:.1f} us)"
        + (
            f"; with {', '.join(hardly)} some seeds have none up to {HANDLERS[-1]} us"
            if hardly
            else ""
        )
        + f"; whatever the handler takes "
        f"with {', '.join(never) or 'none of what was measured'}. {wide}\n"
    )


HEAD = """# Results beside the ActivePointers paper

{verdict}
![Time over the bound, by what is varied](results-apointers.svg)

{runs} Page and plot are written by
`scripts/run_apointers.py` from
[results-apointers.json](results-apointers.json), which holds every run, whose SHA-256 begins with
`{digest}`.

{how}

"""
HOW = (
    "RTL: the SIMT core of `tb/simt/` ([simt.md](simt.md)) behind `gmmu_axi`, the library of "
    "[apointers.md](apointers.md) as its machine code, one core of up to 32 warps. Columns and "
    'lines headed "paper" hold numbers printed there, measured on an NVIDIA K80: ratios can be '
    "compared, cycles cannot. Every value that a kernel computed was compared with the file's. "
    "Unless said otherwise: permissions are not checked and bounds looked at in faults only, as in "
    "the paper; host latency 54.5 us at 1020 MHz, 7.96 GB/s."
)


def runs_said(p, date):
    """How many runs, of which commits, and what running again showed."""
    commits = p.commits()
    now, *older = commits
    if not older:
        return f"{commits[now]} runs of commit {now}, {date}, all of one build."
    _, ran, apart, off = p.again["False"]
    every, _, moved, far = p.again["True"]
    return (
        f"{sum(commits.values())} runs: "
        + " and ".join(f"{n} of commit {c}" for c, n in commits.items())
        + f" ({date}). Below each heading: which rows are of {older[0]}, or of both where a row "
        f"has several runs; the others are of {now}. The machine is the same in both: the RTL and "
        f"bench of {now} with the programs of {older[0]} repeat {p.again['programs']} drawn runs "
        "to the cycle. The programs of both are not the same: of "
        f"{ran} runs without translation by hardware that were made on both, {ran - apart} have "
        f"the same cycles, others ones within {100 * off:.2f} %; of {every} with it {moved} have "
        f"others, within {100 * far:.1f} %, so all of these are of {now}."
    )


def make_page(p, makers):
    """Text of the page, once no point is missing. Some tables want points by what others gave."""
    while True:
        p.rows.clear()
        text = []
        for name, make in makers.items():
            p.part, p.label = name, ""
            said = make()
            heading, _, rest = said.partition("\n\n")
            text.append(said and f"{heading}\n\n" + ("" if p.wanted else p.rows_of(name)) + rest)
        p.part = "head"
        if not p.wanted:
            return "".join(text)
        p.run()


def draw():
    """The plot of the page, from the points that are kept (scripts/pictures.py writes it)."""
    return plot(places(Points(None, 1, True), False))


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
    ap.add_argument("--add", metavar="DIR", help="older points too; the programs of their commit")
    ap.add_argument("--no-build", action="store_true", help="the bench and its programs are there")
    a = ap.parse_args()
    kept = a.page or a.check
    if not a.no_build and not kept:
        slots = [] if a.quick else list(map(str, SLOTS))
        subprocess.run(["tb/simt/system/build.sh", *slots], cwd=ROOT, check=True)
    p = Points(a.cache, a.jobs, kept)
    if a.add and not kept:
        p.take_older(os.path.abspath(a.add))
    makers = {
        "access": lambda: tables.table_i(p),
        "copy": lambda: tables.table_ii(p, a.quick),
        "compute": lambda: tables.compute(p, a.quick),
        "faults": lambda: cache.table_iii(p, a.quick),
        "tlb": lambda: cache.tlb_sizes(p, a.quick),
        "collage": lambda: cache.collage(p, a.quick),
        "hardware": lambda: hardware(p, a.quick),
    }
    wanted = (a.parts or ",".join(makers)).split(",")
    if not set(wanted) <= set(makers):
        ap.error(f"no part {', '.join(set(wanted) - set(makers))}; there are: {', '.join(makers)}")
    text = make_page(p, {w: makers[w] for w in makers if w in wanted})
    if a.quick or a.parts:
        print(text)
        return 0
    said = verdict(p)
    if kept:
        with open(DATA) as f:
            data = f.read()
    else:
        data = p.data(datetime.date.today().isoformat())
    kept_runs = json.loads(data)
    text = (
        HEAD.format(
            verdict=said,
            runs=runs_said(p, kept_runs["date"]),
            digest=hashlib.sha256(data.encode()).hexdigest()[:16],
            how=HOW,
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
    write(PAGE, text)
    if subprocess.run([os.path.join(ROOT, "scripts/pictures.sh")], check=False).returncode:
        print("run_apointers: the plot is not drawn: make pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
