# SPDX-License-Identifier: Apache-2.0
"""MESC in the results workflow: verdict, tables, what explains the differences."""

import calibrate
import workflow_energy
import workflow_plan
from workflow_stats import NAN, Item, Result, Sign, beside, mean, percent, spread, text

TITLE = "MESC"
PRESETS = workflow_plan.PRESETS["mesc"]
PRINTED = {
    "mesc-baseline": 0.655,
    "colt": 0.674,
    "full-colt": 0.711,
    "mesc": 0.935,
    "mesc-colt": 0.941,
}
SHOWN = ("mesc-baseline", "thp", "colt", "full-colt", "mesc", "mesc-colt")
HITS = {
    ("l1_hits", "sensitive"): {"mesc-baseline": 0.3991},
    ("l2_hits", "sensitive"): {"mesc-baseline": 0.5542, "full-colt": 0.665},
    ("l1_hits", "other"): {"mesc-baseline": 0.5375},
    ("l2_hits", "other"): {"mesc-baseline": 0.9855},
}
KERNELS = {"BICG": (0.592, 0.841), "GMV": (0.228, 0.702)}
# Figure 15: what the text says that they save of the baseline's energy.
SAVED = {
    "sensitive": {"colt": 0.14, "full-colt": 0.436, "mesc": 0.764, "mesc-colt": 0.797},
    "other": {"mesc": 0.025, "mesc-colt": 0.30},
}
# Figure 2: speedup with THP over the baseline, mean of the sensitive kernels and the largest.
SPEEDUP = {"mean": 1.96, "largest": 4.4}
# Table II: share of the pages in contiguous subregions, from which the states are made.
COVERED = {
    "memhog25": 0.487,
    "memhog50": 0.428,
    "memhog75": 0.389,
    "memhog25-nodefrag": 0.443,
    "memhog50-nodefrag": 0.423,
    "memhog75-nodefrag": 0.347,
}
# Figure 4's classes of regions, in pages: their largest.
CLASSES = {"1-256": 256, "257-512": 512, "513-768": 768, "769-1024": 1024, "above": None}
SRAD_REGIONS = 0.2772  # of SRAD's with the larger working set, those of 769 to 1,024 pages
OF_PAPER = [
    ("Figure 2", "thp", ""),
    ("Figure 3", "hits", ""),
    ("Figure 4", "regions", ""),
    ("Figure 10", "speed", ""),
    ("Figures 11, 12", "hits", ""),
    ("Figures 13, 14", "entries", ""),
    ("Figure 15", "energy", ""),
    ("Table II", "sources", ""),
]
GROUP = {k: g for k, g, _ in calibrate.applications("mesc")}


def name(load):
    return load[0].split(":")[0]


class Runs:
    """Cycles and statistics by load, preset, seed, what is varied and memory."""

    def __init__(self, rows):
        self.by = {}
        for r in rows:
            frames = r["options"].partition("--frames ")[2].partition(" ")[0]
            frames = "" if frames in ("os", "") else frames
            self.by[r["load"], r["preset"], r["seed"], r["vary"], frames] = r

    def shares(self, preset, load, vary="", frames=""):
        """{seed: speed of THP}; THP is the calibrated one unless its own was run with that."""
        out = {}
        for (x, p, s, v, f), r in self.by.items():
            if (x, p, v, f) == (load, preset, vary, frames):
                thp = self.by.get((x, "thp", s, v, ""), self.by.get((x, "thp", s, "", "")))
                if thp:
                    out[s] = thp["cycles"] / r["cycles"]
        return out

    def stat(self, preset, load, key, vary="", frames=""):
        return {
            s: r[key]
            for (x, p, s, v, f), r in self.by.items()
            if (x, p, v, f) == (load, preset, vary, frames)
        }

    def loads(self, preset, vary="", frames=""):
        return sorted(
            {x for x, p, s, v, f in self.by if (p, v, f) == (preset, vary, frames)}, key=name
        )


def average(parts):
    """parts: {seed: value} of each load; mean and spread over the seeds that all have."""
    parts = [p for p in parts if p]
    seeds = set.intersection(*map(set, parts)) if parts else set()
    return spread({s: mean([p[s] for p in parts]) for s in seeds}) if seeds else spread({})


NONE = (NAN, NAN)


def of_group(runs, preset, group, pick):
    loads = [x for x in runs.loads("mesc") if GROUP[name(x)] == group]
    return average([pick(x) for x in loads]) if set(loads) <= set(runs.loads(preset)) else NONE


def speed(runs):
    loads = runs.loads("mesc")
    shown = [p for p in SHOWN if runs.loads(p)]
    series = []
    for p in shown:
        v = [spread(runs.shares(p, x)) for x in loads]
        series.append((p, [a for a, _ in v], [b for _, b in v]))
    table = [
        [name(x), GROUP[name(x)], *(text(s[1][i], s[2][i]) for s in series)]
        for i, x in enumerate(loads)
    ]
    for g in ("sensitive", "other"):
        of = [of_group(runs, p, g, lambda x, p=p: runs.shares(p, x)) for p in shown]
        if of[0][0] != of[0][0]:
            continue
        table.append([f"mean, {g}", "", *(text(*v) for v in of)])
        if g == "sensitive":
            papers = [PRINTED.get(p) for p in shown]
            table.append(["paper, sensitive", "", *("" if x is None else str(x) for x in papers)])
            off = ["" if x is None else beside(*v, x) for v, x in zip(of, papers)]
            table.append(["off by", "", *off])
    for k, printed in KERNELS.items():
        if "mesc" in shown and any(name(x) == k for x in loads):
            cells = {"mesc-baseline": printed[0], "mesc": printed[1]}
            table.append([f"paper, {k}", "", *(str(cells.get(p, "")) for p in shown)])
    return Item(
        "Figure 10: speed of THP",
        ["kernel", "group", *shown],
        table,
        "Cycles of THP over the preset's. Paper: section VI-B.",
        (
            "speed of THP",
            [s for s in series if all(x == x for x in s[1])],
            [name(x) for x in loads],
        ),
    )


def speedups(runs):
    """{load: {seed: speedup of THP over the baseline}}"""
    of = {x: runs.shares("mesc-baseline", x) for x in runs.loads("thp")}
    return {x: {s: 1 / v for s, v in of[x].items()} for x in of if of[x]}


def thp(runs):
    of = speedups(runs)
    if not of:
        return None
    loads = sorted(of, key=name)
    table = [[name(x), GROUP[name(x)], text(*spread(of[x]))] for x in loads]
    for g in ("sensitive", "other"):
        m = average([of[x] for x in loads if GROUP[name(x)] == g])
        if m[0] == m[0]:
            table.append([f"mean, {g}", "", text(*m)])
    table.append(["paper: mean, sensitive", "", str(SPEEDUP["mean"])])
    table.append(["paper: largest", "", str(SPEEDUP["largest"])])
    table.append(["paper: other", "", "negligible"])
    v = [spread(of[x]) for x in loads]
    return Item(
        "Figure 2: speedup with THP over the baseline",
        ["kernel", "group", "thp over mesc-baseline"],
        table,
        "Cycles of mesc-baseline over those of thp. Paper: section II-B; it calls a kernel "
        "sensitive that gains 10 % or more.",
        (
            "speedup over mesc-baseline",
            [("thp", [a for a, _ in v], [b for _, b in v])],
            [name(x) for x in loads],
        ),
    )


def memory(rows):
    """{(kernel, size, frames): ({pages of a region: regions}, share in contiguous subregions)}"""
    out = {}
    for r in rows:
        if r["what"] == "regions" and r.get("regions"):
            kernel, _, size = r["load"][0].partition(":")
            frames = r["options"].partition("--frames ")[2].partition(" ")[0]
            of = dict(tuple(map(int, x.split("x"))) for x in r["regions"].split("+"))
            out[kernel, int(size), frames] = of, float(r["contiguous_share"])
    return out


def shares_of(of):
    """[(share of the regions, share of the pages)] of each class."""
    out, above = [], 0
    for most in CLASSES.values():
        part = {n: c for n, c in of.items() if above < n <= (most or n)}
        pages = sum(n * c for n, c in part.items()) / sum(n * c for n, c in of.items())
        out.append((sum(part.values()) / sum(of.values()), pages))
        above = most
    return out


def cells_of(each):
    """A cell for each class: mean share of the regions and of the pages."""
    return [
        f"{100 * mean([x[i][0] for x in each]):.1f} / {100 * mean([x[i][1] for x in each]):.1f} %"
        for i in range(len(CLASSES))
    ]


def regions(rows):
    of = {(k, n): x for (k, n, f), (x, _) in memory(rows).items() if f == "os"}
    if not of:
        return None
    table, kernels = [], sorted({k for k, _ in of})
    small, large = {}, {}
    for k in kernels:
        sizes = sorted(n for x, n in of if x == k)
        small[k], large[k] = of[k, sizes[0]], of[k, sizes[-1]]
        for n in sizes:
            x = of[k, n]
            pages = sum(a * c for a, c in x.items())
            cells = [k, f"{n:,}", f"{pages:,}", f"{sum(x.values()):,}"]
            table.append([*cells, *cells_of([shares_of(x)])])
    for what, some in (("smaller", small), ("larger", large)):
        table.append(
            [f"mean, {what}", "", "", "", *cells_of([shares_of(x) for x in some.values()])]
        )
    cells = ["" for _ in CLASSES]
    cells[0] = "up to 90 % of the regions, in most cases"
    table.append(["paper, small", "", "", "", *cells])
    cells = ["" for _ in CLASSES]
    cells[3] = f"up to {100 * SRAD_REGIONS:.2f} % of the regions, SRAD"
    table.append(["paper, larger", "", "", "", *cells])
    return Item(
        "Figure 4: contiguous regions",
        ["kernel", "size", "pages", "regions", *(f"{c} pages" for c in CLASSES)],
        table,
        "Share of the regions / of the pages in them, by the pages of a region; where pages lie in "
        "state `os` of docs/manager.md, one seed. Sizes: the calibrated one, and the suite's own. "
        "Each page is read once, and neighbours that have neighbouring frames are one region. That "
        "90 % of the pages lie in contiguous subregions is this driver's choice, at any size; "
        "regions of at most 2,047 pages are drawn for it. So the larger working set has larger "
        "regions only as arrays do not cut them. Paper: section III.",
        (
            "share of the pages",
            [
                (c, [shares_of(large[k])[i][1] for k in kernels], [NAN for _ in kernels])
                for i, c in enumerate(CLASSES)
            ],
            kernels,
        ),
    )


# How a state of memory is made (docs/manager.md).
MADE = {
    "contiguous": "one piece",
    "os": "regions drawn for 90 % of the pages in contiguous subregions (our choice)",
    "scattered": "every page alone",
}


def sources(rows):
    """Contiguity by what fragments memory, mean of the kernels that have all states."""
    of = memory(rows)
    states = [f for f in ("os", *workflow_plan.MESC_STATES) if any(x[2] == f for x in of)]
    kernels = sorted(
        k
        for k in {k for k, _, _ in of}
        if all((k, n, f) in of for n in {n for x, n, _ in of if x == k} for f in states)
    )
    if len(states) < 2 or not kernels:
        return None
    table = []
    for f in sorted(states, key=lambda f: (f != "contiguous", f != "os", f == "scattered", f)):
        printed = COVERED.get(f)
        made = f"regions drawn for {100 * printed:.1f} % (Table II)" if printed else MADE[f]
        for which, pick in (("smaller", min), ("larger", max)):
            some = [of[k, pick(n for x, n, _ in of if x == k), f] for k in kernels]
            share = mean([s for _, s in some])
            table.append(
                [f, made, which, *cells_of([shares_of(x) for x, _ in some]), f"{share:.3f}"]
                + ([str(printed), beside(share, NAN, printed)] if printed else ["", ""])
            )
    return Item(
        "Table II and Figure 4: contiguity by what fragments memory",
        ["memory", "made by", "size", *(f"{c} pages" for c in CLASSES)]
        + ["pages in contiguous subregions", "paper", "off by"],
        table,
        f"{', '.join(kernels)}, one seed; share of the regions / of the pages in them, as above. "
        "memhogN: as after `memhog` has taken N % of the memory, with the kernel's compaction on "
        "or off (-nodefrag). The paper's share is what regions are drawn for, so what it prints is "
        "put in, not found; no allocator is simulated (docs/manager.md). At the smaller sizes "
        "arrays of few subregions reach only some shares, and several states are the same memory.",
        None,
    )


def hits(runs):
    shown = [p for p in SHOWN if runs.loads(p)]
    table = []
    for (stat, g), printed in HITS.items():
        v = {p: of_group(runs, p, g, lambda x, p=p: runs.stat(p, x, stat)) for p in shown}
        if v["mesc"][0] != v["mesc"][0]:
            continue
        tlb = "per-CU TLB" if stat == "l1_hits" else "shared TLB"
        table.append([tlb, g, *(text(*v[p]) for p in shown)])
        table.append(["paper", g, *(str(printed.get(p, "")) for p in shown)])
        off = [beside(*v[p], printed[p]) if p in printed else "" for p in shown]
        table.append(["off by", g, *off])
    return Item(
        "Figures 3, 11, 12: hits of the TLBs",
        ["TLB", "group", *shown],
        table,
        "Hits / (hits + misses), merged misses in neither. Paper: sections II-A and VI-C, which "
        "also says \"nearly 95 %\" of MESC's and MESC+CoLT's shared TLB.",
        None,
    )


def common(runs, of):
    """Loads that were run with all of (preset, what is varied)."""
    have = [set(runs.loads(p, v)) for p, v in of]
    return sorted(set.intersection(*have), key=name) if have else []


def varied(runs, values, presets, head, title, notes):
    """A row for each value: mean speed of THP of the loads that were run with it."""
    loads = common(runs, [(p, v) for v in values for p in presets if runs.loads(p, v)])
    table, series = [], {p: [] for p in presets}
    for v in values:
        cells = [v or "as calibrated"]
        for p in presets:
            m = average([runs.shares(p, x, v) for x in loads])
            series[p].append(m)
            h = average([runs.stat(p, x, "l2_hits", v) for x in loads])[0]
            cells += ["" if m[0] != m[0] else text(*m), "" if h != h else f"{100 * h:.1f} %"]
        table.append(cells)
    if len(table) < 2 or not loads:
        return None
    return Item(
        title,
        [head, *(x for p in presets for x in (f"{p}, of THP", "shared TLB hits"))],
        table,
        f"{', '.join(map(name, loads))}, one seed. {notes}",
        None,
    )


def entries(runs):
    have = {v for _, _, _, v, _ in runs.by}
    keys = ("L1BaseEntries=", "L2Entries=")
    values = [f"{k}{8 << n}" for k in keys for n in range(8) if f"{k}{8 << n}" in have]
    if not values:
        return None
    return varied(
        runs,
        [*(v for v in values if v != "L1BaseEntries=512"), ""],
        ("mesc-baseline", "mesc"),
        "entries",
        "Figures 13, 14: entries of the TLBs",
        "The calibrated system has 32 and 512. Paper, all sensitive kernels: the baseline with a "
        "per-CU TLB of 128 reaches 0.717, with a shared TLB of 1,024 0.748; MESC with a per-CU "
        "TLB of 8 nearly 0.90, with a shared TLB of 256 0.812.",
    )


def fragments(runs):
    table = []
    base = runs.loads("mesc", "", "memhog25")
    if not base:
        return None
    every = (*workflow_plan.MESC_FRAGMENTED, *workflow_plan.MESC_MORE_FRAGMENTED)
    for frames in ("", *(f for f in sorted(every) if runs.loads("mesc", "", f))):
        m = average([runs.shares("mesc", x, "", frames) for x in base])
        h = average([runs.stat("mesc", x, "l2_hits", "", frames) for x in base])
        w = average([runs.stat("mesc", x, "walks", "", frames) for x in base])
        table.append([frames or "os", text(*m), f"{100 * h[0]:.1f} %", f"{w[0]:,.0f}"])
    m = average([runs.shares("mesc-baseline", x) for x in base])
    h = average([runs.stat("mesc-baseline", x, "l2_hits") for x in base])
    w = average([runs.stat("mesc-baseline", x, "walks") for x in base])
    table.append(["baseline, os", text(*m), f"{100 * h[0]:.1f} %", f"{w[0]:,.0f}"])
    return Item(
        "MESC in the fragmented memory of Table II",
        ["memory", "speed of THP", "shared TLB hits", "walks (mean)"],
        table,
        f"{', '.join(map(name, base))}, one seed. Memory as docs/manager.md makes it: 48.7 (25 % "
        "fragmented), 42.8 and 38.9 % of the pages in contiguous subregions, without "
        "defragmentation 44.3, 42.3, 34.7 %, the paper's shares; its text prints no speeds.",
        None,
    )


def energies(runs):
    """workflow_energy.Spent of the calibrated runs, or None where their counts were not kept."""
    rows = {
        (x, p, s): r for (x, p, s, v, f), r in runs.by.items() if not v and not f and counted(r)
    }
    return workflow_energy.Spent(rows, "mesc-baseline") if rows else None


def counted(r):
    return r.get("l1_lookups", NAN) == r.get("l1_lookups", NAN)


def ranged(v, of=lambda x: x, unit=""):
    """The middle, and the range over what is assumed."""
    if v is None:
        return ""
    a, b = sorted((of(v.low), of(v.high)))
    if unit:
        return f"{100 * of(v.middle):+.1f} % ({100 * a:+.1f} to {100 * b:+.1f})"
    return f"{of(v.middle):.3f} ({a:.3f} to {b:.3f})"


def group_loads(runs, group):
    return [x for x in runs.loads("mesc") if GROUP[name(x)] == group]


def energy(runs, spent):
    loads, shown = runs.loads("mesc"), [p for p in SHOWN[1:] if runs.loads(p)]
    of = {(x, p): spent.share(p, [x]) for x in loads for p in shown}
    table = [[name(x), GROUP[name(x)], *(ranged(of[x, p]) for p in shown)] for x in loads]
    series = [
        (
            p,
            [of[x, p].middle for x in loads],
            [(of[x, p].high - of[x, p].low) / 2 for x in loads],
        )
        for p in shown
        if all(of[x, p] for x in loads)
    ]
    return Item(
        "Figure 15: energy of translation, of the baseline's",
        ["kernel", "group", *shown],
        table,
        "The middle of what is assumed, in brackets the least and the most over all of it "
        "([energy.md](energy.md)); the seeds' mean. A run's energy, not its power.",
        ("energy of mesc-baseline's", series, [name(x) for x in loads]),
    )


def saved(runs, spent):
    """The means beside the printed ones, and with every PTE read from DRAM."""
    shown = [p for p in SHOWN[1:] if runs.loads(p)]
    table = []
    for g, printed in SAVED.items():
        loads = group_loads(runs, g)
        if not loads:
            continue
        for all_dram in (False, True):
            of = {p: spent.share(p, loads, all_dram) for p in shown}
            what = "every PTE read from DRAM" if all_dram else "as run"
            table.append([g, what, *(ranged(of[p], lambda x: x - 1, "%") for p in shown)])
        cells = [f"-{100 * printed[p]:g} %" if p in printed else "" for p in shown]
        table.append([g, "paper", *cells])
    return Item(
        "Figure 15: what is saved, in the mean of the kernels",
        ["group", "PTE reads", *shown],
        table,
        "Against mesc-baseline, in brackets the range over what is assumed. As run: PTE reads that "
        "hit the L2 cache are priced as that; the second line takes each as one from DRAM, as "
        "where the walker has no cache in front of memory. Paper: section VI-D.",
        None,
    )


def parts(runs, spent):
    shown = [p for p in SHOWN if runs.loads(p)]
    table = []
    for g in SAVED:
        loads = group_loads(runs, g)
        of = {p: spent.parts(p, loads) for p in shown if set(loads) <= set(runs.loads(p))}
        for s in workflow_energy.EVENTS if loads else ():
            table.append([g, s, *(f"{100 * of[p][s]:.1f} %" if p in of else "" for p in shown)])
    return Item(
        "Where the energy goes, of the whole of the baseline's",
        ["group", "structure", *shown],
        table,
        "At the middle of what is assumed, mean of the kernels and seeds.",
        None,
    )


def energy_signs(runs, spent, signs):
    for g, printed in SAVED.items():
        loads = group_loads(runs, g)
        for p, paper in printed.items():
            v = spent.share(p, loads) if loads else None
            if v:
                half = (v.high - v.low) / 2
                what = f"{p}, translation energy saved, {g} kernels (± half its range)"
                reason = "energy" if g == "sensitive" else "short"
                signs.append(Sign(what, 1 - v.middle, half, paper, reason))


def energy_said(runs, spent):
    """The paragraph on where the energy goes."""
    loads = group_loads(runs, "sensitive")
    base, ours = (spent.parts(p, loads) for p in ("mesc-baseline", "mesc"))
    run, dram = (spent.share("mesc", loads, x) for x in (False, True))
    tlbs = ("per-CU TLB", "shared TLB", "its subregion entries")
    reads = ("page walk cache", "PTE reads, L2 cache", "PTE reads, DRAM")

    def percents(names, of):
        return f"{100 * sum(of[x] for x in names):.0f} %"

    return (
        f"Energy: lookups and fills of the TLBs are {percents(tlbs, base)} of the baseline's on "
        f"sensitive kernels and {percents(tlbs, ours)} with MESC, as each lookup of the shared TLB "
        f"is one of two arrays; what reads PTEs is {percents(reads, base)} and "
        f"{percents(reads, ours)}. MESC removes the walks, and saves {100 * (1 - run.middle):.0f} "
        "% where most PTE reads hit the L2 cache. With every PTE read from DRAM it saves "
        f"{100 * (1 - dram.middle):.0f} % ({100 * (1 - dram.high):.0f} to "
        f"{100 * (1 - dram.low):.0f}; paper: 76.4 %): the price of a PTE read decides, and the "
        "paper does not say what is between its walkers and its DRAM."
    )


def why(runs):
    values = ["", "LsuMisses=2", "LsuMisses=4", "LsuMisses=0", "WarpsPerSm=16", "WarpsPerSm=32"]
    values += ["L2Entries=8192", "L1BaseEntries=512", "L2Latency=4"]
    have = {v for _, _, _, v, _ in runs.by}
    values = [v for v in values if not v or v in have]
    if len(values) < 2:
        return None
    return varied(
        runs,
        values,
        ("mesc-baseline", "mesc"),
        "system",
        "Why: the system around the MMU and the TLBs varied (sensitivity only)",
        "With `LsuMisses` and `WarpsPerSm` (64 as calibrated; not printed) THP has it too; the "
        "TLBs are varied in the preset alone.",
    )


def make(rows):
    """Result"""
    every, rows = rows, [r for r in rows if r["what"] != "regions"]
    runs = Runs(rows)
    spent = energies(runs)
    items = {
        "thp": thp(runs),
        "speed": speed(runs),
        "hits": hits(runs),
        "entries": entries(runs),
        "regions": regions(every),
        "sources": sources(every),
        "fragments": fragments(runs),
        "energy": energy(runs, spent) if spent else None,
        "saved": saved(runs, spent) if spent else None,
        "parts": parts(runs, spent) if spent else None,
        "why": why(runs),
    }
    verdict, signs = [], []
    for g in ("sensitive", "other"):
        of = {
            p: of_group(runs, p, g, lambda x, p=p: runs.shares(p, x))
            for p in SHOWN
            if runs.loads(p)
        }
        m, b = of["mesc"], of["mesc-baseline"]
        if m[0] != m[0]:
            continue
        l2 = {
            p: of_group(runs, p, g, lambda x, p=p: runs.stat(p, x, "l2_hits"))
            for p in ("mesc-baseline", "mesc")
        }
        if g == "other":
            verdict.append(
                f"Other kernels: MESC runs at {text(*m)} of THP's speed, its baseline at "
                f"{text(*b)} (paper: similar)."
            )
            continue
        gain = m[0] / b[0] - 1
        verdict += [
            f"Sensitive kernels: MESC runs at {text(*m)} of THP's speed, its baseline at "
            f"{text(*b)} (paper: 0.935, 0.655).",
            f"That is a gain of {percent(gain)} in the means (paper: +77.2 % on average).",
            f"Its shared TLB hits {100 * l2['mesc'][0]:.1f} % (paper: nearly 95 %), the "
            f"baseline's {100 * l2['mesc-baseline'][0]:.1f} % (55.42 %); {left(rows)} of the walks "
            "of all kernels are left.",
        ]
        speedup_signs(runs, signs)
        for p, paper in PRINTED.items():
            if p in of and of[p][0] == of[p][0]:
                reason = {"mesc-baseline": "calibration", "mesc": "per-CU TLB"}.get(p, "contiguous")
                signs.append(Sign(f"{p} of THP, sensitive kernels", *of[p], paper, reason))
        kernel_signs(runs, signs)
        for (stat, of_g), printed in HITS.items():
            for p, paper in printed.items():
                v = of_group(runs, p, of_g, lambda x, p=p, stat=stat: runs.stat(p, x, stat))
                tlb = "per-CU TLB" if stat == "l1_hits" else "shared TLB"
                if v[0] == v[0]:
                    reason = "unknown" if (stat, of_g) == ("l1_hits", "other") else "pages"
                    signs.append(Sign(f"{p}, {tlb} hits, {of_g} kernels", *v, paper, reason))
    region_signs(every, signs)
    if spent:
        energy_signs(runs, spent, signs)
    said = explained(rows)
    if said[1]:
        verdict.append(said[1][0])
    more = [energy_said(runs, spent)] if spent and group_loads(runs, "sensitive") else []
    return Result(verdict, items, signs, said[0], said[1][1:] + more)


def left(rows):
    walks = {
        p: sum(r["walks"] for r in rows if (r["preset"], r["vary"]) == (p, "") and fragmentless(r))
        for p in ("mesc-baseline", "mesc")
    }
    return f"{100 * walks['mesc'] / max(1, walks['mesc-baseline']):.1f} %"


def fragmentless(r):
    return "memhog" not in r["options"]


def speedup_signs(runs, signs):
    of = {x: v for x, v in speedups(runs).items() if GROUP[name(x)] == "sensitive"}
    m = average(list(of.values()))
    signs.append(Sign("speedup with THP, sensitive kernels", *m, SPEEDUP["mean"], "calibration"))
    x = max(of, key=lambda x: mean(list(of[x].values())))
    what = f"speedup with THP, largest ({name(x)})"
    signs.append(Sign(what, *spread(of[x]), SPEEDUP["largest"], "ladder"))


def region_signs(rows, signs):
    of = {n: x for (k, n, f), (x, _) in memory(rows).items() if (k, f) == ("SRAD", "os")}
    if of:
        share = shares_of(of[max(of)])[list(CLASSES).index("769-1024")][0]
        what = "regions of 769 to 1,024 pages, SRAD, larger working set"
        signs.append(Sign(what, share, NAN, SRAD_REGIONS, "memory"))


def kernel_signs(runs, signs):
    for k, printed in KERNELS.items():
        for p, paper in zip(("mesc-baseline", "mesc"), printed):
            for x in runs.loads(p):
                if name(x) == k:
                    v = spread(runs.shares(p, x))
                    reason = "ladder" if p == "mesc-baseline" else "per-CU TLB"
                    signs.append(Sign(f"{p} of THP, {k}", *v, paper, reason))


CALIBRATION = "the calibration: docs/calibration.md"


def explained(rows):
    """(reasons, paragraphs): what the experiments say, as far as they were run."""
    runs = Runs(rows)
    reasons = {
        "calibration": CALIBRATION,
        "per-CU TLB": "the per-CU TLB misses, one page of an SM at a time",
        "contiguous": "four pages contiguous nearly everywhere (CoLT in fragmented memory)",
        "pages": "pages in use against the entries: docs/calibration.md, by the side",
        "unknown": "COLOR's and 2DCONV's warps use their own pages again (Hits of a warp alone)",
        "energy": "PTE reads hit the L2 cache; every one from DRAM: What is saved",
        "short": "few accesses of each page: PTE reads from DRAM weigh more",
        "ladder": "one side for all kernels: docs/calibration.md",
        "memory": "regions are drawn for a share of contiguous subregions, not by an allocator",
    }

    def share(preset, v, loads):
        return average([runs.shares(preset, x, v) for x in loads])[0]

    mesc_with = ("", "L1BaseEntries=512", "L2Latency=4", "LsuMisses=4", "LsuMisses=0")
    base_with = ("", "L2Entries=8192", "LsuMisses=0")
    loads = common(
        runs, [("mesc", v) for v in mesc_with] + [("mesc-baseline", v) for v in base_with]
    )
    if not loads:
        return reasons, []
    l1 = {p: average([runs.stat(p, x, "l1_hits") for x in loads])[0] for p in ("mesc", "thp")}
    m = {v: share("mesc", v, loads) for v in mesc_with}
    b = {v: share("mesc-baseline", v, loads) for v in base_with}
    said = [
        "Why: MESC leaves the per-CU TLBs as they are, and each of a column access's 32 pages goes "
        f"to the shared TLB: with 512 entries in each per-CU TLB it runs at "
        f"{m['L1BaseEntries=512']:.3f} of THP instead of {m['']:.3f} "
        f"({', '.join(map(name, loads))}).",
        f"On these kernels the per-CU TLBs hit {100 * l1['mesc']:.1f} % (THP's "
        f"{100 * l1['thp']:.1f} %). With a shared TLB that answers in 4 cycles instead of 10 MESC "
        f"is at {m['L2Latency=4']:.3f}; with four misses of an SM at a time (`LsuMisses=4`) at "
        f"{m['LsuMisses=4']:.3f} of THP with the same, with any number at {m['LsuMisses=0']:.3f} "
        f"(its baseline then at {b['LsuMisses=0']:.3f}). The calibration takes one, by the "
        "baselines of all three papers.",
        f"A shared TLB of 8,192 entries, which hold every page, brings the baseline to "
        f"{b['L2Entries=8192']:.3f} of THP from {b['']:.3f}: so much its walks cost here.",
    ]
    return reasons, said
