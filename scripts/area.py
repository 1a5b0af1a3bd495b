#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area of every preset, what each mechanism adds, the arrays beside those of other MMUs:
docs/area.md, and docs/area.json, which it and its two pictures are made of.

usage: area.py [--presets P,...] [--jobs N] [--kept] [--keep] [options of the flow, as of synth.py]
       area.py --page | --check

Runs scripts/synth.py for every preset (blocks with equal parameters once), gmmu_top as a whole for
those of FLAT among them, then the fully and set-associative arrays of 16 and 64 entries by the
plain flow that the figures of the other MMUs come from.
--kept: blocks whose results are not in build/synth/kept/ (of a run before, also of
scripts/synth.py with the same options) are not run: their rows stay as docs/area.json has them,
with the commit and abc's target that they were measured with, or the page says that they were
not run. Writes
build/reports/area.json; --keep leaves docs/ alone. --page: the page again from docs/area.json and
synth/area-notes.md; --check: says whether it is what they give. scripts/pictures.py draws."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import outfile
import plotting
import synth

ROOT, OUT = synth.ROOT, synth.OUT
NAMES = {
    "l1_tlb": "L1 TLBs",
    "l2_tlb": "L2 TLB",
    "walker": "walker",
    "tokens": "fill tokens",
    "invalidate": "invalidation",
}
MEMORY = {
    "l2_cache_bank": "L2 cache banks",
    "l2_bypass": "bypass decisions",
    "dram": "DRAM channels",
}
PAGE, DATA, NOTES = (
    os.path.join(synth.ROOT, p) for p in ("docs/area.md", "docs/area.json", "synth/area-notes.md")
)
# Other MMUs by the same plain flow (scripts/peers.py).
PEERS = os.path.join(synth.ROOT, "docs/peers.json")
# Whole presets, their blocks' netlists joined (scripts/joined.py).
JOINED = os.path.join(synth.ROOT, "docs/joined.json")
FLAT_ROWS = ("area_um2", "flip_flops", "timing", "abc_ns", "steps", "commit")
# gmmu_top flat: preset, settings; in docs/area.json under both, joined.
FLAT = [
    ("fpga-small", []),
    ("mosaic", ["NumSms=2"]),
    ("mesc", ["NumSms=2"]),
    ("all", ["NumSms=2"]),
]
CHECK = """// The permission check behind the answer register of gmmu_l1_tlb.
module gmmu_area_check (input logic [4:0] perm_i, input logic [1:0] access_i, input logic user_i,
                        input logic sum_i, input logic mxr_i, output logic [4:0] cause_o);
  assign cause_o = gmmu_pkg::check_access(perm_i, access_i, user_i, sum_i, mxr_i);
endmodule
"""


def plain(name, top, params, extra=""):
    """(um2, flip-flops) by `synth -flatten; dfflibmap; abc; stat`, memories in flip-flops."""
    sets = (
        "chparam " + " ".join(f"-set {k} {v}" for k, v in params.items()) + f" {top}"
        if params
        else ""
    )
    stat = f"{OUT}/{name}.stat"
    gates = synth.gate_cells(synth.OSU)
    synth.yosys(
        name,
        f"read_verilog -lib {gates}\nread_verilog -sv -DGMMU_GATE_CELLS -DGMMU_GATE_BITS=65536 "
        f"-Irtl -Irtl/common {synth.sources()} {extra}\n{sets}\nsynth -flatten -top {top}\n"
        f"techmap -map {gates}\nopt_clean\n"
        f"dfflibmap -liberty {synth.OSU}\nabc -liberty {synth.OSU}\ntee -q -o {stat} stat "
        f"-liberty {synth.OSU}\n",
    )
    with open(stat) as f:
        text = f.read()
    latches = sum(int(n) for n in re.findall(r"LATCH\s+(\d+)", text))
    um2 = float(re.findall(r"Chip area for (?:top )?module .*: ([\d.]+)", text)[0])
    flip_flops = sum(int(n) for n in re.findall(r"DFF\w+\s+(\d+)", text))
    return um2 + latches * synth.latch_um2(synth.OSU), flip_flops


def arrays(pool):
    """Our arrays at 16 and 64 entries, and the LRU structures."""
    with open(f"{OUT}/area_check.sv", "w") as f:
        f.write(CHECK)
    check = pool.submit(plain, "area-check", "gmmu_area_check", {}, f"{OUT}/area_check.sv")
    jobs = {}
    for entries in (16, 64):
        for what, page, pfn in (("Sv39, 36-bit PPN", 27, 36), ("Sv48, 44-bit PPN", 36, 44)):
            bits = 16 + page + 5 + pfn + 1 + (entries - 1).bit_length()
            jobs[
                f"L1 array, fully associative, true LRU, ASID 16, permission check, {what}",
                entries,
                bits,
            ] = pool.submit(
                plain,
                f"area-l1-{entries}-{page}",
                "gmmu_tlb_cam",
                dict(Entries=entries, AsidW=16, PageW=page, DataW=pfn + 5),
            )
        tag = 16 + 27 - (entries // 4 - 1).bit_length()
        jobs[
            "L2 base array, 4 ways, true LRU, ASID 16, Sv39, 36-bit PPN",
            entries,
            tag + 5 + 36 + 1 + 2,
        ] = pool.submit(
            plain,
            f"area-l2-{entries}",
            "gmmu_l2tlb_base",
            dict(Entries=entries, Ways=4, Ports=1, AsidW=16, VfnW=27, DataW=41),
        )
    for n in (16, 128):
        jobs["LRU of", n, (n - 1).bit_length()] = pool.submit(
            plain, f"area-lru-{n}", "gmmu_lru", dict(N=n)
        )
    jobs["L1 array, ASID 9, Sv48, 36-bit PPN", 128, 0] = pool.submit(
        plain, "area-l1-128", "gmmu_tlb_cam", dict(Entries=128, AsidW=9, PageW=36, DataW=41)
    )
    rows = [
        dict(zip(("what", "entries", "bits"), k), um2=v.result()[0], flip_flops=v.result()[1])
        for k, v in jobs.items()
    ]
    for r in rows:  # a register stands between array and check, so that they share no logic
        if r["what"].startswith("L1"):
            r["um2"] += check.result()[0]
    return rows


def peers():
    """(row, project and version) of the other MMUs' arrays."""
    with open(PEERS) as f:
        data = json.load(f)
    return [(r, f"{name} {d['version']}") for name, d in data.items() for r in d["rows"]]


def kept():
    """What docs/area.json holds."""
    with open(DATA) as f:
        return json.load(f)


def chart():
    """Shares of the logic by block, the sum beside each bar."""
    d = kept()
    rows, presets = d["rows"], [p for p in d["presets"] if not d["not_run"][p]]
    plt = plotting.begin("docs/area.svg")
    fig, ax = plt.subplots(figsize=(8, 0.36 * len(presets) + 1.5))
    left = [0.0] * len(presets)
    sums = [mm2(rows[p]) + mm2(rows[p], part="memory") for p in presets]
    groups = [(g, n, "mmu") for g, n in NAMES.items()] + [
        (g, n, "memory") for g, n in MEMORY.items()
    ]
    for g, name, part in groups:
        w = [100 * mm2(rows[p], g, part) / s for p, s in zip(presets, sums)]
        ax.barh(presets, w, left=left, label=name)
        left = [a + b for a, b in zip(left, w)]
    for n, s in enumerate(sums):
        ax.text(101, n, f"{s:.2f} mm2", va="center", fontsize=8)
    ax.invert_yaxis()
    ax.set_xlim(0, 116)
    ax.set_xticks(range(0, 101, 20))
    ax.set_xlabel("% of the logic of MMU and memory system (OSU 0.18 um, memories left out)")
    ax.legend(fontsize=8, ncol=4, loc="lower center", bbox_to_anchor=(0.45, 1.0), frameon=False)
    fig.tight_layout()
    return plotting.end(plt, fig)


def slacks():
    """End points by slack, ports too: one line for each block, its slowest preset."""
    d = kept()
    presets, rows, period = d["presets"], d["rows"], d["options"]["period"]
    plt = plotting.begin("docs/slack.svg")
    fig, ax = plt.subplots(figsize=(8, 4))
    by = {}
    for p in presets:
        for r in rows[p]:
            t = r["timing"]
            if t and (r["block"] not in by or t["path_ns"] > by[r["block"]]["path_ns"]):
                by[r["block"]] = t
    for block, t in sorted(by.items(), key=lambda x: -x[1]["path_ns"]):
        bins = t["slack"]["bins"]
        ax.step([x for x, _ in bins], [n for _, n in bins], where="post", label=block)
    ax.axvline(0, color="black", linewidth=0.5)
    ax.set_yscale("log")
    ax.set_xlabel(f"slack at {period} ns, ns")
    ax.set_ylabel("end points")
    ax.legend(fontsize=7, ncol=2)
    fig.tight_layout()
    return plotting.end(plt, fig)


def fmt(x):
    return f"{x:,.0f}"


def mm2(rows, block=None, part="mmu"):
    return (
        sum(
            r["area_um2"] * r["copies"]
            for r in rows
            if r["part"] == part and (block is None or r["block"] == block)
        )
        / 1e6
    )


def difference(rows, a, b):
    """What preset b has more than a, by block: mm2, and macro bits."""
    out = []
    for g, name, part in [(g, n, "mmu") for g, n in NAMES.items()] + [
        (g, n, "memory") for g, n in MEMORY.items()
    ]:
        more = mm2(rows[b], g, part) - mm2(rows[a], g, part)
        bits = [
            sum(m["bits"] * r["copies"] for r in rows[p] if r["block"] == g for m in r["macros"])
            for p in (a, b)
        ]
        if abs(more) > 5e-4 or bits[0] != bits[1]:
            out.append(
                f"{name} {more:+.3f} mm2"
                + (f", {bits[1] - bits[0]:+,} memory bits" if bits[0] != bits[1] else "")
            )
    return "; ".join(out) or "nothing"


# Configurations between presets: name, preset, settings. Only for the differences.
BETWEEN = [
    ("mask-tlb without bypass cache", "mask-tlb", ["BypassEntries=0"]),
    ("mesc without MSC", "mesc", ["MscWays=0"]),
]
PAIRS = [
    ("gpu-mmu", "mosaic", "Mosaic: large-page arrays in L1 and L2"),
    ("sharedtlb", "mask-tlb without bypass cache", "MASK: fill tokens"),
    ("mask-tlb without bypass cache", "mask-tlb", "MASK: bypass cache"),
    (
        "mesc-baseline",
        "mesc without MSC",
        "MESC: regular and subregion entries in one L2, their walks",
    ),
    ("mesc without MSC", "mesc", "MESC: memory subregion cache"),
    ("mesc-baseline", "colt", "CoLT in the L1s"),
    ("colt", "full-colt", "CoLT in the split L2 too"),
    ("mesc", "mesc-colt", "CoLT in the L1s, with MESC"),
    ("mask-tlb", "all", "all: unified L2, large L1 arrays and MSC on top of MASK"),
    ("static", "mask-cache", "MASK: translation-aware bypass of the L2 cache"),
    ("static", "mask-dram", "MASK: golden, silver and normal queues in 8 channels"),
]


def verdict(d):
    """Five lines from the numbers."""
    rows, late, more = d["rows"], d["not_run"], d["arrays"]
    whole = [p for p in d["presets"] if not late[p]]
    sums = [
        f"`{p}` {mm2(rows[p]) + mm2(rows[p], part='memory'):.2f} mm2, "
        f"{fmt((mm2(rows[p]) + mm2(rows[p], part='memory')) * 1e6 / d['nand2_um2'])} NAND2 "
        "equivalents"
        for p in whole[:4]
    ]
    gone = sorted({b for p in d["presets"] for b in late[p]})
    slow = slowest(d)
    fast = sorted(b for b, (ns, _) in slow.items() if ns <= 10 / 3)
    worst, (ns, p) = max(slow.items(), key=lambda x: x[1][0])
    per = {
        (r["what"].split(",")[0], r["entries"]): r["um2"] / r["entries"] / r["bits"]
        for r in reversed(more)
        if r["bits"] and not r["what"].startswith("LRU")
    }
    per_bit = {
        (r["what"].split(",")[0], r["entries"]): r["um2"] / r["entries"] / r["bits"]
        for r, _ in peers()
    }
    cva6, nyuzi = per_bit["CVA6 L1 TLB", 16], per_bit["Nyuzi TLB", 64]
    lru = {r["entries"]: r for r in more if r["what"].startswith("LRU")}
    l128 = next(r for r in more if r["entries"] == 128 and r["bits"] == 0)
    return [
        "1. Logic of MMU and memory system: " + ("; ".join(sums) or "no preset is whole") + ".",
        f"2. 300 MHz before layout: {len(fast)} of {len(slow)} blocks in all presets where they "
        f"were run; slowest {worst} with {ns:.2f} ns, {1000 / ns:.0f} MHz ({p}).",
        f"3. Arrays: fully associative, 16 entries, {per['L1 array', 16]:.0f} um2 a bit (Vortex "
        f"{per_bit['Vortex CAM', 16]:.0f}, CVA6 {cva6:.0f}); of 4 ways, 64 entries, "
        f"{per['L2 base array', 64]:.0f} (Nyuzi {nyuzi:.0f}).",
        f"4. True LRU of 128 entries is {fmt(lru[128]['um2'])} um2, "
        f"{100 * lru[128]['um2'] / (l128['um2'] - lru[128]['um2']):.0f} % of what it orders.",
        "5. Not run to their end: "
        + ("; ".join(f"{p}: {', '.join(late[p])}" for p in d["presets"] if late[p]) or "none")
        + "."
        if gone
        else f"5. All blocks of {len(d['presets'])} presets were run.",
    ]


def slowest(d):
    """{block: (ns, preset)}"""
    slow = {}
    for p in d["presets"]:
        for r in d["rows"][p]:
            t = r["timing"]
            if t and t["path_ns"] > slow.get(r["block"], (0,))[0]:
                slow[r["block"]] = (t["path_ns"], p)
    return slow


def joined():
    """The table of whole presets."""
    t = [
        "",
        "## Joined",
        "",
        "`gmmu_top` in whole presets: the blocks' netlists by themselves, joined by what is around "
        "them (`scripts/joined.py`, [joined.json](joined.json)). Unlike",
        "in a block's row no path ends at a port; unlike in a flat top nothing was optimised "
        "across ports, of which abc knows no times.",
        "",
        "| preset | SMs | cells | path ns | Fmax MHz | end points too late | from | through | to "
        "| commit |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    with open(JOINED) as f:
        data = json.load(f)
    for p, r in data.items():
        t.append(
            f"| {p} | {r['sms']} | {fmt(r['cells'])} | {r['ns']:.2f} | {1000 / r['ns']:.0f} | "
            f"{fmt(r['late'])} | `{r['from']}` | {', '.join(r['through'])} | `{r['to']}` | "
            f"{r['commit']} |"
        )
    return t


def flat(d, nand2):
    """The table of the tops that were synthesised as a whole."""
    t = [
        "",
        "## Flat",
        "",
        "`gmmu_top` as a whole, so that nothing ends at a block's port: `scripts/synth.py "
        "--preset P --set ... --block epoch --flat`, the same flow. By blocks: the sum of the "
        "rows above, where they are of as many SMs.",
        "",
        "| top | um2 | by blocks | NAND2 | flip-flops | memory bits | path ns | Fmax MHz "
        "| ports ns | abc ns | steps | commit |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    paths = []
    for p, sets in FLAT:
        name = " ".join([p, *sets])
        r = d["flat"].get(name)
        if not r:
            t.append(f"| {name} | not run | | | | | | | | | | |")
            continue
        of = [] if sets or p not in d["presets"] or d["not_run"][p] else d["rows"][p]
        tm = r["timing"]
        t.append(
            f"| {name} | {fmt(r['area_um2'])} | {fmt(mm2(of) * 1e6) if of else ''} | "
            f"{fmt(r['area_um2'] / nand2)} | {fmt(r['flip_flops'])} | {fmt(r['ram_bits'])} | "
            f"{tm['path_ns']:.2f} | {tm['fmax_mhz']:.0f} | "
            f"{tm['all']['ns'] if tm['all'] else 0:.2f} | {r['abc_ns']:.2f} | {r['steps']} | "
            f"{r['commit']} |"
        )
        inner = tm["inner"]
        via = ", ".join(f"`{v}`" for v in inner["via"][:8])
        paths.append(
            f"| {name} | {inner['ns']:.2f} | `{inner['from']}` | {via} | `{inner['to']}` |"
        )
    if paths:
        t += ["", "| top | ns | from | through | to |", "|---|---|---|---|---|", *paths]
    return t


def document(d, digest):
    """The page, from what docs/area.json holds, and its hash."""
    presets, rows, late, more = d["presets"], d["rows"], d["not_run"], d["arrays"]
    a, storage = types.SimpleNamespace(**d["options"], nand2=d["nand2_um2"]), d["storage"]
    t = [
        "# Area and timing",
        "",
        *verdict(d),
        "",
        *(["![share of the blocks](area.svg)", ""] if any(not late[p] for p in presets) else []),
        f"Measured with {d['commit']}. Page and pictures are made of [area.json](area.json), whose "
        f"SHA-256 begins with `{digest}`, and `synth/area-notes.md`.",
        "",
        "Written by `make area` (`scripts/area.py`); how it is measured: "
        "[synthesis.md](synthesis.md). Logic by Yosys with the OSU 0.18 um",
        f"library and OpenSTA at {a.period} ns (300 MHz), the same steps of abc for all blocks: "
        f"{', '.join(synth.ABC[a.abc])}, in this order, up to the first that keep to the period, "
        "else the fastest; abc ns: the target that it was told. Memories of 512 bits and more "
        "with at most two",
        f"read and two write ports are RAMs, left out and listed as bits; their pins are timed "
        f"({a.ram_access} ns from the clock, {a.ram_setup} ns set-up). Fmax is that of",
        "the paths between flip-flops and RAMs, before layout; through ports: with "
        f"{a.in_ns} ns before an input and {a.out_ns} ns after an output.",
        "",
        f"Presets in this run: {', '.join(presets)}."
        + ("" if len(presets) > 10 else ' Others: `make area AREA="--presets P,..."`.'),
        "",
        "## By preset and block",
        "",
        "One copy of each block; the sum takes the L1 TLB once per SM."
        + (
            " A block that is not run has no number here, as the old ones are of another flow or "
            "of older sources; a preset with such a block has no sum."
            if any(late.values())
            else ""
        ),
        "",
        "| preset | block | copies | um2 | NAND2 | flip-flops | memory bits | path ns | Fmax MHz "
        "| ports ns | abc ns | steps | commit |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for p in presets:
        for r in rows[p]:
            tm = r["timing"] or {"path_ns": 0, "fmax_mhz": 0, "all": None}
            t.append(
                f"| {p} | {r['block']} | {r['copies']} | {fmt(r['area_um2'])} | "
                f"{fmt(r['area_um2'] / a.nand2)} | {fmt(r['flip_flops'])} | "
                f"{fmt(sum(m['bits'] for m in r['macros']))} | {tm['path_ns']:.2f} | "
                f"{tm['fmax_mhz']:.0f} | {tm['all']['ns'] if tm['all'] else 0:.2f} | "
                f"{r['abc_ns']:.2f} | {r.get('steps') or 'balanced'} | {r['commit']} |"
            )
        t += [f"| {p} | {b} | not run | | | | | | | | | | |" for b in late[p]]
        for what, part in (("gmmu_top", "mmu"), ("memory system", "memory")):
            of = [r for r in rows[p] if r["part"] == part]
            if of and not late[p]:
                t.append(
                    f"| {p} | **{what}** | | **{fmt(mm2(of, part=part) * 1e6)}** | "
                    f"**{fmt(mm2(of, part=part) * 1e6 / a.nand2)}** | "
                    f"{fmt(sum(r['flip_flops'] * r['copies'] for r in of))} | "
                    f"{fmt(sum(m['bits'] * r['copies'] for r in of for m in r['macros']))} | "
                    "| | | | | |"
                )
    t += [
        "",
        "## Longest paths",
        "",
        "Between flip-flops and RAMs, in the names of the source: of ",
    ]
    t[-1] += "each block the preset in which it is slowest."
    t += ["", "| block | preset | ns | from | through | to |", "|---|---|---|---|---|---|"]
    worst = {}
    for p in presets:
        for r in rows[p]:
            inner = r["timing"] and r["timing"]["inner"]
            if inner and inner["ns"] > worst.get(r["block"], (0,))[0]:
                worst[r["block"]] = (inner["ns"], p, inner)
    for b, (ns, p, path) in sorted(worst.items(), key=lambda x: -x[1][0]):
        via = ", ".join(f"`{v}`" for v in path["via"][:8])
        t.append(f"| {b} | {p} | {ns:.2f} | `{path['from']}` | {via} | `{path['to']}` |")
    t += ["", "![slack of the end points](slack.svg)", *flat(d, a.nand2), *joined()]
    same = {}
    for p in [p for p in presets if not late[p]]:
        same.setdefault(
            json.dumps(
                [(r["block"], r["copies"], r["area_um2"]) for r in rows[p] if r["part"] == "mmu"]
            ),
            [],
        ).append(p)
    equal = [" = ".join(v) for v in same.values() if len(v) > 1]
    if equal:
        t += [
            "",
            "Equal in the MMU, as they differ in the memory system only: " + "; ".join(equal) + ".",
        ]
    t += (
        []
        if not any(late.get(x) == [] == late.get(y) for x, y, _ in PAIRS)
        else [
            "",
            "## What each mechanism adds",
            "",
            "Differences of presets; all SMs, banks and "
            "channels together; per cent of MMU and "
            "memory system, where the preset has one.",
            "",
            "| mechanism | from | to | logic | |",
            "|---|---|---|---|---|",
        ]
    )
    for x, y, what in PAIRS:
        if late.get(x) == [] == late.get(y):
            before, after = (sum(mm2(rows[p], part=k) for k in ("mmu", "memory")) for p in (x, y))
            t.append(
                f"| {what} | {x} | {y} | {after - before:+.3f} mm2 "
                f"({100 * (after / before - 1):+.1f} %) | {difference(rows, x, y)} |"
            )
    t += [
        "",
        "## Memories",
        "",
        "RAMs, left out of the logic, of one copy of the block; in the logic: more ports than an "
        "SRAM has, thus flip-flops and multiplexers.",
        "",
        "| block | words x bits | copies | ports | cell | presets |",
        "|---|---|---|---|---|---|",
    ]
    shown = {}
    for p in presets:
        for r in rows[p]:
            for kind in ("macros", "mapped"):
                for (cell, words, width, rd, wr, clocked), n in synth.groups(r[kind]).items():
                    if words * width < a.macro_bits:
                        continue
                    how = f"{rd} read, {wr} write" + ("" if clocked else ", read without clock")
                    what = "in the logic: " if kind == "mapped" else ""
                    row = (
                        f"{r['block']} | {words} x {width} | {n} | {what}{how} | "
                        f"`{cell.split('gen_split.')[-1]}`"
                    )
                    shown.setdefault(row, []).append(p)
    for row, where in sorted(shown.items()):
        t.append(f"| {row} | {'all with it' if len(where) > 8 else ', '.join(where)} |")
    t += [
        "",
        "## Beside other MMUs",
        "",
        "The plain flow of these figures: `synth -flatten; dfflibmap; abc; stat`, everything in "
        "flip-flops. The other MMUs' rows are of their original sources at the commits that are "
        "named, elaborated by Yosys with slang (`scripts/peers.py`,",
        "[peers.json](peers.json)); of Nyuzi with a plain RAM for its model of one, of Vortex from "
        "its published file without comments, with widths of ours. State: tag "
        "with ASID, data, permissions,",
        "valid, order. Our L1 rows are the array and the permission check, which stands behind "
        "the answer register, added.",
        "",
        "| array | entries | um2 | um2 per entry | bits per entry | um2 per bit |",
        "|---|---|---|---|---|---|",
    ]
    for r in more:
        if r["bits"] and not r["what"].startswith("LRU"):
            t.append(
                f"| {r['what']} | {r['entries']} | {fmt(r['um2'])} | "
                f"{fmt(r['um2'] / r['entries'])} | {r['bits']} | "
                f"**{r['um2'] / r['entries'] / r['bits']:.0f}** |"
            )
    for r, source in peers():
        each = r["um2"] / r["entries"]
        t.append(
            f"| {r['what']}: {source} | {r['entries']} | {fmt(r['um2'])} | {fmt(each)} | "
            f"{r['bits']} | {each / r['bits']:.0f} |"
        )
    lru = {r["entries"]: r for r in more if r["what"].startswith("LRU")}
    l128 = next(r for r in more if r["entries"] == 128 and r["bits"] == 0)
    matrix = 128 * 127 // 2
    t += [
        "",
        "## True LRU",
        "",
        f"Ages, bit-sliced, with a registered touch: {fmt(lru[16]['um2'])} um2 at 16 entries, "
        f"{fmt(lru[128]['um2'])} um2 at 128 "
        f"({lru[128]['um2'] / 128:.0f} per entry). The 128-entry L1 array with it takes "
        f"{fmt(l128['um2'])} um2: the order costs "
        f"{100 * lru[128]['um2'] / (l128['um2'] - lru[128]['um2']):.0f} % of the entries that it "
        f"orders. A matrix of order bits has {matrix:,} flip-flops, "
        f"{fmt(matrix * 96)} um2 before any logic, {matrix * 96 / lru[128]['um2']:.1f} times as "
        f"much. Tree pseudo-LRU would need 127 bits "
        f"({fmt(127 * 96)} um2 and a tree of multiplexers), but is another policy than the "
        f"papers' and the golden model's.",
        "",
        "The touch is registered and the victim looks at the register, so that the search ends "
        "there; which way is replaced does not change.",
    ]
    t += ["", "## Goals", "", "| goal | measured | |", "|---|---|---|"]

    def goal(what, got, limit, text):
        t.append(
            f"| {what} | {text} | "
            f"{'met' if got <= limit else f'missed by {100 * (got / limit - 1):.1f} %'} |"
        )

    for r in more:
        if r["entries"] == 16 and "permission" in r["what"]:
            per = r["um2"] / 16 / r["bits"]
            goal(
                f"L1 array, 16 entries, {r['what'].split('check, ')[1]}: at most 190 um2 per bit",
                per,
                190,
                f"{per:.1f}",
            )
    for r in more:
        if r["what"].startswith("L2 base"):
            limit = {16: 221, 64: 166}[r["entries"]]
            per = r["um2"] / r["entries"] / r["bits"]
            goal(
                f"set-associative, {r['entries']} entries: at most {limit} um2 per bit",
                per,
                limit,
                f"{per:.1f}",
            )
    goal(
        "true LRU at 128 entries costs less than the entries",
        lru[128]["um2"],
        l128["um2"] - lru[128]["um2"],
        f"{fmt(lru[128]['um2'])} against {fmt(l128['um2'] - lru[128]['um2'])} um2",
    )
    for b, (ns, p) in sorted(slowest(d).items(), key=lambda x: -x[1][0]):
        goal(
            f"`{b}` at 300 MHz in all of them",
            ns,
            10 / 3,
            f"{ns:.2f} ns, {1000 / ns:.0f} MHz ({p})",
        )
    with open(NOTES) as f:
        t += ["", f.read().strip()]
    if storage:
        t += [
            "",
            "## Storage, counted from the RTL",
            "",
            f"`scripts/storage.py`; VA 48, PA 48, ASID 9 bits. {storage['sum']}",
            "",
            "| structure | entries | bits | per entry | |",
            "|---|---|---|---|---|",
        ]
        t += [
            f"| {r['structure'].strip()} | {r['entries']} | {r['bits']} | "
            f"{r['bits_per_entry']:.2f} | {r['note']} |"
            for r in storage["rows"]
        ]
    return "\n".join(t) + "\n"


def page(check):
    """Writes the page from what is kept, or says whether it is that."""
    with open(DATA) as f:
        text = f.read()
    made = document(json.loads(text), hashlib.sha256(text.encode()).hexdigest()[:16])
    with open(PAGE) as f:
        same = f.read() == made
    if not check and not same:
        outfile.write(PAGE, made)
    elif not same:
        print("area: docs/area.md is not what docs/area.json gives: scripts/area.py --page")
    return int(check and not same)


def commit():
    """The last commit that changed what is synthesised, and its date."""
    day = ["git", "log", "-1", "--format=%as", "--", "rtl", "synth"]
    day = subprocess.run(day, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return f"commit {synth.commit()}, {day}" + "; rows of others say so"


def storage_report():
    path = os.path.join(ROOT, "build/reports/storage.json")
    subprocess.run(
        [os.path.join(ROOT, "scripts/storage.py")], check=True, stdout=subprocess.DEVNULL
    )
    with open(path) as f:
        s = json.load(f)

    def rows_of(*names):
        return sum(
            r["bits"] for n in names for r in s["rows"] if r["structure"].strip().startswith(n)
        )

    sm = rows_of("fill tokens, per SM", "those of the epoch", "words that were") / 8
    l2 = rows_of("fill tokens, per application", "tokens, W", "bypass cache entry") / 8
    s["sum"] = (
        f"MASK in the TLBs: {sm / 30:.0f} bytes per SM and {l2:.0f} bytes in the L2 TLB "
        f"(tokens of 32 applications, bypass cache), "
        f"{sm + l2:,.0f} bytes for 30 SMs; the paper states 13 bytes per core (its own "
        f"list gives 37) and 316, in all 706."
    )
    return s


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--presets", default="")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--period", type=float, default=3.33)
    ap.add_argument("--keep", action="store_true")
    ap.add_argument("--kept", action="store_true")
    ap.add_argument("--page", action="store_true")
    ap.add_argument("--check", action="store_true")
    synth.options(ap)
    a = ap.parse_args()
    if a.page or a.check:
        return page(a.check)
    synth.need_cells(synth.OSU)
    a.lib, a.macro_bits, a.fresh, a.source = synth.OSU, 512, False, []
    nand2 = a.nand2 = synth.prepare(a)
    folder = os.path.join(ROOT, "sim/presets")
    presets = [p for p in a.presets.split(",") if p] or sorted(
        f[:-4] for f in os.listdir(folder) if f.endswith(".ini")
    )
    wanted = [(p, p, []) for p in presets] + [b for b in BETWEEN if b[1] in presets]
    jobs, of = {}, {name: [] for name, _, _ in wanted}
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for p, preset, sets in wanted:
            c = synth.config(preset, sets)
            for name, module, copies, params, needs in synth.blocks():
                if needs == "never" or (needs and not c.get(needs)):
                    continue
                values = {k: synth.value(v, c) for k, v in params.items()}
                key = json.dumps([module, sorted(values.items())])
                if key not in jobs:
                    jobs[key] = pool.submit(
                        synth.run_block, f"{name}-{p.replace(' ', '-')}", module, values, a
                    )
                of[p].append((name, synth.value(copies, c), synth.part(needs), key))
        whole = {}
        for p, sets in FLAT:
            if p in presets:
                values = synth.parameters(p, sets, bare=True)
                c = synth.config(p, sets)
                values = {k: synth.value(str(v), c) for k, v in values.items()}
                key = json.dumps(["gmmu_top", sorted(values.items())])
                jobs[key] = pool.submit(synth.run_block, f"flat-{p}", "gmmu_top", values, a)
                whole[" ".join([p, *sets])] = key
        more = arrays(pool)
        for n, job in enumerate(concurrent.futures.as_completed(jobs.values())):
            synth.progress(f"{n + 1} of {len(jobs)} blocks")
            if not isinstance(job.exception(), synth.NotRun):
                job.result()
    synth.progress("")
    with open(DATA) as f:
        last = json.load(f)
    before = {(p, r["block"]): r for p, v in last["rows"].items() for r in v}
    rows, late = {p: [] for p in of}, {p: [] for p in of}
    for p in of:
        for name, copies, part, k in of[p]:
            if not jobs[k].exception():
                rows[p].append(dict(jobs[k].result(), block=name, copies=copies, part=part))
            elif (p, name) in before:
                rows[p].append(dict(before[p, name], copies=copies, part=part))
            else:
                late[p].append(name)
    tops = dict(last.get("flat", {}))
    for name, k in whole.items():
        if not jobs[k].exception():
            r = jobs[k].result()
            tops[name] = {k: r.get(k) for k in FLAT_ROWS}
            tops[name]["ram_bits"] = sum(m["bits"] for m in r["macros"])
    taken = ("period", "abc", "macro_bits", *synth.DEFAULTS)
    kept_rows = ("block", "copies", "part", "area_um2", "flip_flops", "macros", "mapped", "timing")
    kept_rows += ("abc_ns", "steps", "commit")
    text = json.dumps(
        {
            "commit": commit(),
            "lib": os.path.basename(a.lib),
            "options": {k: getattr(a, k) for k in taken},
            "nand2_um2": nand2,
            "presets": presets,
            "rows": {p: [{k: r.get(k) for k in kept_rows} for r in v] for p, v in rows.items()},
            "not_run": late,
            "flat": tops,
            "arrays": more,
            "storage": storage_report(),
        },
        indent=1,
    )
    for path in ("build/reports/area.json", *([] if a.keep else ["docs/area.json"])):
        outfile.write(os.path.join(ROOT, path), text + "\n")
    if not a.keep:
        page(False)
        if subprocess.run([os.path.join(ROOT, "scripts/pictures.sh")], check=False).returncode:
            print("area: its pictures are not drawn: make pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
