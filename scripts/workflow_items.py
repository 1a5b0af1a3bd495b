# SPDX-License-Identifier: Apache-2.0
"""What the results workflow says of each paper: verdicts, tables and plots from its runs
(workflow_run.py table), and what of the paper it has not run. Used by workflow_report.py.

Numbers headed "paper" are printed in the papers' text or tables.
"""

import collections
import statistics

import calibrate
import workflow_plan

# Tables and figures with results that no run of a plan is for; why.
NOT_RUN = {
    "mask": [
        ("Figure 1", "time multiplexing is not built"),
        ("Figures 3, 5, 6", "single applications: the baseline table of docs/calibration.md"),
        ("Figures 7 to 9", "interference, bandwidth and latency of the baseline by pair"),
        ("Figures 12 to 14", "each pair by itself: in the CSV, not drawn"),
        ("Table 2", "classes: docs/calibration.md"),
        ("Table 3", "one, three, four and five applications"),
        ("Table 4", "Fermi and the integrated GPU"),
        ("Section 7.3", "L2 TLB of 64 to 8192 entries, thresh_max, row policy"),
    ],
    "mesc": [
        ("Figure 4", "contiguity by source of fragmentation"),
        ("Figure 10", "its CoLT, full CoLT and MESC+CoLT"),
        ("Figures 13, 14", "entries of the TLBs"),
        ("Figure 15", "energy"),
    ],
    "mosaic": [
        ("Figures 3, 4", "page sizes with and without demand paging"),
        ("Figures 8, 9, 12", "demand paging; three to five applications"),
        ("Figures 10, 11", "each pair and application: in the CSV, not drawn"),
        ("Figures 14, 15", "entries of the TLBs"),
        ("Figure 16, Table 2", "fragmentation, compaction, bloat"),
    ],
}

Item = collections.namedtuple("Item", "title head rows notes plot")
# plot: (label of the axis, [(series, [value, ...], [spread, ...])], [group, ...]) or None


def numbers(text):
    return [float(x) for x in text.split("+")]


def read(rows):
    for r in rows:
        for k in ("l1_hits", "l2_hits", "l1_miss_own", "l2_miss_own"):
            r[k] = float(r[k])
        r["cycles"], r["seed"] = int(r["cycles"]), int(r["seed"])
        r["load"], r["ipc"] = r["load"].split("+"), numbers(r["ipc_each"])
    return rows


def mean(v):
    return statistics.fmean(v) if v else float("nan")


def spread(by_seed):
    """(mean over seeds, half of what lies between least and most; not a number: one seed)"""
    v = list(by_seed.values())
    return mean(v), (max(v) - min(v)) / 2 if len(v) > 1 else float("nan")


def about(half, digits=3):
    return "one seed" if half != half else f"± {half:.{digits}f}"


def text(value, half):
    return f"{value:.3f} {about(half)}"


def beside(ours, half, paper):
    """Ours against a printed number: what differs by less than the spread does not differ."""
    off = (ours - paper) / abs(paper)
    return "inside the spread" if abs(ours - paper) <= half else f"{off:+.0%}"


# ---------------------------------------------------------------- speeds of several applications
def speeds(rows):
    """{(load, seed): {preset: (weighted speedup, unfairness, IPC)}}: each application against
    itself alone on the baseline with as many SMs."""
    alone, out = {}, collections.defaultdict(dict)
    for r in rows:
        if r["what"] == "alone":
            alone[r["load"][0], r["seed"], r["sms"]] = r["ipc"][0]
    for r in rows:
        if r["what"] == "alone":
            continue
        sms = r["sms"].split("+")
        ratio = [i / alone[a, r["seed"], n] for a, i, n in zip(r["load"], r["ipc"], sms)]
        out[tuple(r["load"]), r["seed"]][r["preset"]] = (
            sum(ratio),
            max(1 / x for x in ratio),
            sum(r["ipc"]),
        )
    return out


def over(values, pick):
    """Mean over loads for each seed of pick(presets' figures)."""
    by = collections.defaultdict(list)
    for (_, seed), of in values.items():
        by[seed].append(pick(of))
    return spread({s: mean(v) for s, v in by.items()})


# ---------------------------------------------------------------- MASK
PRINTED_MASK = {"mask": 57.8, "mask-cache": 43.6, "mask-dram": 22.7}


def hmr(rows, load):
    """Applications of the load with high miss rates in both TLBs, alone on the baseline."""
    rates = {
        r["load"][0]: (r["l1_miss_own"], r["l2_miss_own"]) for r in rows if r["what"] == "alone"
    }
    return sum(min(rates[a]) >= 0.2 for a in load)


def mask(rows):
    values = speeds(rows)
    presets = workflow_plan.PRESETS["mask"]
    loads = sorted({k[0] for k in values})
    group = {x: hmr(rows, x) for x in loads}
    items, table, series = [], [], []
    groups = [g for g in (0, 1, 2) if g in group.values()]
    for p in presets:
        cells, points, bars = [p], [], []
        for g in [*groups, None]:
            of = {k: v for k, v in values.items() if g in (None, group[k[0]])}
            m, h = over(of, lambda v: v[p][0] / v["sharedtlb"][0])
            cells.append(text(m, h))
            points.append(m)
            bars.append(h)
        paper = PRINTED_MASK.get(p)
        m, h = points[-1] - 1, bars[-1]
        cells.append(f"{1 + paper / 100:.3f}" if paper else "")
        cells.append(beside(1 + m, h, 1 + paper / 100) if paper else "")
        table.append(cells)
        series.append((p, points, bars))
    heads = [f"{g}-HMR ({sum(x == g for x in group.values())})" for g in groups]
    items.append(
        Item(
            "Figure 11: weighted speedup by group, of SharedTLB",
            ["preset", *heads, f"all ({len(loads)})", "paper, all", "off by"],
            table,
            "Pairs by the number of applications that miss often in both TLBs. Half of the SMs "
            "each. Paper: MASK in section 7.1; MASK-Cache and MASK-DRAM in section 7.2.",
            ("weighted speedup of SharedTLB", series, [*heads, "all"]),
        )
    )
    table, series = [], []
    for p in presets:
        un, uh = over(values, lambda v: v[p][1] / v["sharedtlb"][1])
        ipc, ih = over(values, lambda v: v[p][2] / v["sharedtlb"][2])
        of = p == "mask"
        table.append(
            [
                p,
                text(un, uh),
                "0.776" if of else "",
                beside(un, uh, 0.776) if of else "",
                text(ipc, ih),
                "1.434" if of else "",
                beside(ipc, ih, 1.434) if of else "",
            ]
        )
        series.append((p, [un], [uh]))
    head = ["preset", "unfairness", "paper", "off by", "IPC throughput", "paper", "off by"]
    items.append(
        Item(
            "Figure 15 and section 7.1: unfairness and throughput, of SharedTLB",
            head,
            table,
            "",
            ("unfairness of SharedTLB", series, ["all"]),
        )
    )
    table = []
    share = {}
    for p, paper in (("sharedtlb", 0.487), ("mask", 0.768)):
        m, h = share[p] = over(values, lambda v: v[p][0] / v["ideal"][0])
        table.append([p, text(m, h), f"{paper:.3f}", beside(m, h, paper)])
    items.append(
        Item(
            "Table 3: two applications, of Ideal",
            ["preset", "ours", "paper", "off by"],
            table,
            "",
            None,
        )
    )
    gain, half = over(values, lambda v: v["mask"][0] / v["sharedtlb"][0])
    parts = {
        p: over(values, lambda v: v[p][0] / v["sharedtlb"][0])
        for p in ("mask-tlb", "mask-cache", "mask-dram")
    }
    best = max(parts, key=lambda p: parts[p][0])
    wins = [v["mask"][0] > v["sharedtlb"][0] for v in values.values()]
    un, uh = over(values, lambda v: v["mask"][1] / v["sharedtlb"][1])
    verdict = [
        f"MASK's weighted speedup is {100 * (gain - 1):+.1f} % of SharedTLB's "
        f"({about(100 * half, 1)}; paper: +57.8 %), over {len(loads)} pairs.",
        f"It is faster in {sum(wins)} of {len(wins)} runs.",
        f"SharedTLB reaches {share['sharedtlb'][0]:.3f} of Ideal (paper: 0.487), MASK "
        f"{share['mask'][0]:.3f} (0.768).",
        f"The most of its parts gives {best}: {100 * (parts[best][0] - 1):+.1f} %"
        + (f" (paper: {PRINTED_MASK[best]:+.1f} %)." if best in PRINTED_MASK else "."),
        f"Unfairness changes by {100 * (un - 1):+.1f} % ({about(100 * uh, 1)}; paper: -22.4 %).",
    ]
    return verdict, items


# ---------------------------------------------------------------- MESC
PRINTED_MESC = {"mesc-baseline": 0.655, "mesc": 0.935}


def mesc(rows):
    group = {k: g for k, g, _ in calibrate.applications("mesc")}
    by = {(r["load"][0], r["preset"], r["seed"]): r for r in rows}
    seeds = sorted({k[2] for k in by})
    loads = sorted({k[0] for k in by})
    presets = workflow_plan.PRESETS["mesc"]

    def share(load, p, s):
        return by[load, "thp", s]["cycles"] / by[load, p, s]["cycles"]

    def total(p, g, f):
        of = [x for x in loads if group[x.split(":")[0]] == g]
        return spread({s: mean([f(x, p, s) for x in of]) for s in seeds}) if of else None

    table, series, totals = [], [], {}
    for p in presets:
        v = [spread({s: share(x, p, s) for s in seeds}) for x in loads]
        series.append((p, [a for a, _ in v], [b for _, b in v]))
    for i, x in enumerate(loads):
        name = x.split(":")[0]
        table.append([name, group[name], *(text(s[1][i], s[2][i]) for s in series), "", ""])
    for g in ("sensitive", "other"):
        totals[g] = {p: total(p, g, share) for p in presets}
        if not totals[g]["mesc"]:
            continue
        cells = [f"mean, {g}", ""] + [text(*totals[g][p]) for p in presets]
        if g == "sensitive":
            cells += [
                ", ".join(f"{p} {v}" for p, v in PRINTED_MESC.items()),
                ", ".join(beside(*totals[g][p], v) for p, v in PRINTED_MESC.items()),
            ]
        table.append(cells + [""] * (4 + len(presets) - len(cells)))
    names = [x.split(":")[0] for x in loads]
    items = [
        Item(
            "Figure 10: speed of THP",
            ["kernel", "group", *presets, "paper", "off by"],
            table,
            "Cycles of THP over the preset's. Paper: section VI-B.",
            ("speed of THP", series, names),
        )
    ]
    printed = {("l1_hits", "sensitive"): 0.3991, ("l2_hits", "sensitive"): 0.5542}
    printed |= {("l1_hits", "other"): 0.5375, ("l2_hits", "other"): 0.9855}
    table, hits = [], {}
    for stat, name in (("l1_hits", "per-CU TLB"), ("l2_hits", "shared TLB")):
        for g in ("sensitive", "other"):
            v = {p: total(p, g, lambda x, p, s: by[x, p, s][stat]) for p in presets}
            if not v["mesc"]:
                continue
            hits[stat, g] = v
            paper = printed[stat, g]
            table.append(
                [name, g, *(text(*v[p]) for p in presets), f"{presets[0]} {paper}"]
                + [beside(*v[presets[0]], paper)]
            )
    items.append(
        Item(
            "Figures 3, 11, 12: hits of the TLBs",
            ["TLB", "group", *presets, "paper", "off by"],
            table,
            "Hits / (hits + misses), merged misses in neither. Paper: section II-A.",
            None,
        )
    )
    verdict = []
    for g in ("sensitive", "other"):
        t = totals[g]
        if t["mesc"]:
            paper = " (paper: 0.935, 0.655)" if g == "sensitive" else ""
            verdict.append(
                f"{g.capitalize()} kernels: MESC runs at {t['mesc'][0]:.3f} of THP's speed, its "
                f"baseline at {t['mesc-baseline'][0]:.3f}{paper}."
            )
    if totals["sensitive"]["mesc"]:
        t, v = totals["sensitive"], hits["l2_hits", "sensitive"]
        verdict += [
            f"That is a gain of {100 * (t['mesc'][0] / t['mesc-baseline'][0] - 1):+.1f} % "
            f"in the means (paper: +77.2 % on average).",
            f"Its shared TLB hits {100 * v['mesc'][0]:.1f} % (paper: near 95 %), the baseline's "
            f"{100 * v['mesc-baseline'][0]:.1f} % (55.42 %).",
        ]
    walks = {
        p: sum(int(r["walks"]) for r in rows if r["preset"] == p) for p in ("mesc-baseline", "mesc")
    }
    verdict.append(
        f"{100 * walks['mesc'] / max(1, walks['mesc-baseline']):.1f} % of the baseline's walks are "
        "left."
    )
    return verdict, items


# ---------------------------------------------------------------- Mosaic
def mosaic(rows):
    values = speeds(rows)
    what = {tuple(r["load"]): r["what"] for r in rows if r["what"] != "alone"}
    table, series, verdict = [], [], []
    for kind, name in (("same", "copies of one"), ("mixed", "mixed")):
        for n in (1, 2):
            of = {k: v for k, v in values.items() if what[k[0]] == kind and len(k[0]) == n}
            if not of:
                continue
            g, gh = over(of, lambda v: v["mosaic"][0] / v["gpu-mmu"][0])
            i, ih = over(of, lambda v: v["mosaic"][0] / v["ideal"][0])
            b, bh = over(of, lambda v: v["gpu-mmu"][0] / v["ideal"][0])
            loads = len({k[0] for k in of})
            alone = n == 1
            table.append(
                [name, n, loads, text(g, gh), text(i, ih), text(b, bh)]
                + (["0.519", beside(b, bh, 0.519)] if alone else ["", ""])
            )
            series.append((f"{name}, {n}", [g], [gh]))
            wins = [v["mosaic"][0] > v["gpu-mmu"][0] for v in of.values()]
            verdict.append(
                f"{'One application' if alone else f'Two applications, {name}'}: Mosaic "
                f"{100 * (g - 1):+.1f} % over GPU-MMU ({about(100 * gh, 1)}), faster in "
                f"{sum(wins)} of {len(wins)} runs, {i:.3f} of Ideal."
            )
            if alone:
                verdict.append(f"GPU-MMU alone reaches {b:.3f} of Ideal (paper: 0.519).")
    walks = {
        p: sum(int(r["walks"]) for r in rows if r["what"] != "alone" and r["preset"] == p)
        for p in ("gpu-mmu", "mosaic")
    }
    verdict.append(
        f"{100 * walks['mosaic'] / max(1, walks['gpu-mmu']):.1f} % of the walks are left."
    )
    items = [
        Item(
            "As Figures 8 and 9, pages resident: weighted speedup with one and two applications",
            ["load", "applications", "loads", "Mosaic of GPU-MMU", "Mosaic of Ideal"]
            + ["GPU-MMU of Ideal", "paper", "off by"],
            table,
            "The paper prints GPU-MMU's share of Ideal without demand paging, section 3.1, and "
            "Mosaic's gains on demand only: nothing to put beside ours.",
            ("weighted speedup of GPU-MMU", series, ["resident"]),
        )
    ]
    table = []
    for preset in ("gpu-mmu", "mosaic"):
        for n in (1, 2):
            cells = [preset, n]
            for k in ("l1_hits", "l2_hits"):
                by = collections.defaultdict(list)
                for r in rows:
                    if r["what"] != "alone" and r["preset"] == preset and len(r["load"]) == n:
                        by[r["seed"]].append(r[k])
                cells.append(text(*spread({s: mean(v) for s, v in by.items()})))
            table.append(cells)
    items.append(
        Item(
            "Figure 13: hits of the TLBs, pages resident",
            ["preset", "applications", "L1 TLB", "L2 TLB"],
            table,
            "Hits / (hits + misses), merged misses in neither. Paper: GPU-MMU's L2 TLB 81 % with "
            "two applications, 62 % with five.",
            None,
        )
    )
    return verdict, items


PAPERS = {
    "mask": ("MASK (ASPLOS 2018)", mask),
    "mosaic": ("Mosaic (MICRO 2017)", mosaic),
    "mesc": ("MESC", mesc),
}
