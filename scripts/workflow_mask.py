# SPDX-License-Identifier: Apache-2.0
"""MASK in the results workflow: verdict, tables, what explains the differences."""

import calibrate
import workflow_plan
from workflow_stats import (
    Item,
    Result,
    Sign,
    about,
    beside,
    by_seed,
    mean,
    names,
    over,
    percent,
    ratio,
    speeds,
    text,
    together,
    with_presets,
)

TITLE = "MASK (ASPLOS 2018)"
PRESETS = workflow_plan.PRESETS["mask"]
PARTS = ("mask-tlb", "mask-cache", "mask-dram", "mask")
PRINTED = {"mask": 1.578, "mask-cache": 1.436, "mask-dram": 1.227}
TABLE_3 = {
    1: (0.471, 0.685),
    2: (0.487, 0.768),
    3: (0.388, 0.623),
    4: (0.342, 0.550),
    5: (0.331, 0.529),
}
# Tables and figures with results, and the items that show them; without: why not.
# Of Ideal: PWCache, SharedTLB, MASK.
NAMES_4 = (("PWCache", "pwcache"), ("SharedTLB", "sharedtlb"), ("MASK", "mask"))
TABLE_4 = {"Fermi": (0.531, 0.604, 0.780), "integrated": (0.521, 0.382, 0.645)}
OF_PAPER = [
    ("Figure 1", None, "time multiplexing is not built"),
    ("Figure 3", "share", ""),
    ("Figures 5, 6", "baseline", "single applications: Table 2"),
    ("Figures 7 to 9", "baseline", ""),
    ("Figure 11", "groups", ""),
    ("Figures 12 to 14", "pairs", ""),
    ("Figure 15", "fair", ""),
    ("Table 2", "single", ""),
    ("Table 3", "scale", ""),
    ("Table 4", "systems", "sizes of the two GPUs are ours"),
    ("Section 7.3, L2 TLB of 64 to 8192 entries", "entries", ""),
    ("Section 7.3, row policy", "closed", ""),
    ("Section 7.3, another memory scheduler", None, "not built"),
    ("Section 6, best split of the SMs by search", "splits", "in all tables of pairs"),
]


def hmr(rows, load):
    """Applications of the load with high miss rates in both TLBs, alone on the baseline."""
    rates = {r["load"][0]: (1 - r["l1_hits"], 1 - r["l2_hits"]) for r in rows if r["sms"] == "15"}
    return sum(min(rates[a]) >= 0.2 for a in load)


def single(rows):
    """Every application alone on all SMs: its share of Ideal, its class."""
    of = {(r["load"][0], r["preset"]): r for r in rows if r["what"] == "single"}
    table, shares, same = [], {"sharedtlb": [], "pwcache": []}, 0
    for k, group, size in calibrate.applications("mask"):
        a = f"{k}:{size}"
        if not {(a, p) for p in (*shares, "ideal")} <= set(of):
            continue
        base = of[a, "sharedtlb"]
        rates = [1 - base["l1_hits"], 1 - base["l2_hits"]]
        ours = " ".join("high" if x >= 0.2 else "low" for x in rates)
        same += ours == group
        cells = [of[a, "ideal"]["cycles"] / of[a, p]["cycles"] for p in shares]
        for p, x in zip(shares, cells):
            shares[p].append(x)
        table.append(
            [k, size, *(f"{x:.3f}" for x in cells), *(f"{100 * x:.1f} %" for x in rates)]
            + [ours, group, f"{base['walks_at_a_time']:.1f}", f"{base['warps_per_miss']:.1f}"]
        )
    if not table:
        return None
    table.append(["mean", "", *(f"{mean(v):.3f}" for v in shares.values()), *[""] * 6])
    return Item(
        "Table 2: each application alone on all SMs",
        ["application", "size", "SharedTLB of Ideal", "PWCache of Ideal", "misses, L1 TLB"]
        + ["L2 TLB", "class", "paper", "walks at a time", "warps that wait for a miss"],
        table,
        f"One seed. Class: misses of L1 and L2 TLB, high from 20 % on; {same} of {len(table) - 1} "
        "are the paper's. What is off: docs/calibration.md.",
        None,
    )


FIGURE_3 = {"pwcache": 0.550, "sharedtlb": 0.594}


def share(values):
    """The baselines, of Ideal."""
    table, series = [], []
    for p, paper in FIGURE_3.items():
        v = ratio(values, p, "ideal")
        table.append([p, text(*v), f"{paper:.3f}", beside(*v, paper)])
        series.append((p, [v[0]], [v[1]]))
    return Item(
        "Figure 3: the baselines, of Ideal",
        ["preset", "of Ideal", "paper", "off by"],
        table,
        "Weighted speedup of the pairs. Paper: 45.0 and 40.6 % lost; its table 3 has SharedTLB at "
        "0.487 with two applications.",
        ("weighted speedup of Ideal", series, ["pairs"]),
    )


def systems(rows):
    """Two other GPUs, of Ideal."""
    table = []
    for name, (vary, sms) in workflow_plan.MASK_SYSTEMS.items():
        of = with_presets(speeds(rows, vary), ("pwcache", *WHY))
        if not of:
            continue
        for (_, p), paper in zip(NAMES_4, TABLE_4[name]):
            v = ratio(of, p, "ideal")
            table.append(
                [name, "+".join(map(str, sms)), p, text(*v), f"{paper:.3f}", beside(*v, paper)]
                + [text(*ratio(of, p, "sharedtlb"))]
            )
    if not table:
        return None
    return Item(
        "Table 4: two other GPUs, of Ideal",
        ["GPU", "SMs", "preset", "of Ideal", "paper", "off by", "of SharedTLB"],
        table,
        "The pairs of the sweeps, one seed. "
        + "; ".join(f"{k}: `{v[0]}`" for k, v in workflow_plan.MASK_SYSTEMS.items())
        + "; all else as calibrated. The paper prints 48 warps and 8 blocks for Fermi and nothing "
        "else of the two: the rest is ours, after the GTX 480 of the configurations that its "
        "simulator comes with and the GPU of 16 CUs that it cites.",
        None,
    )


def closed(rows):
    """Row policy, and misses that wait as long as hits."""
    table = []
    for vary, what in (
        ("DramClosed=1", "closed rows"),
        ("CacheMissLatency=10", "a miss in the L2 cache waits as long as a hit"),
    ):
        for p in ("sharedtlb", "pwcache", "mask-cache", "mask", "ideal"):
            of, base = (with_presets(speeds(rows, v), (p,)) for v in (vary, ""))
            both = {k: (v[p], base[k][p]) for k, v in of.items() if k in base}
            if not both:
                continue
            against = "sharedtlb" in next(iter(speeds(rows, vary).values()), ())
            gain = (
                text(*ratio(with_presets(speeds(rows, vary), (p, "sharedtlb")), p, "sharedtlb"))
                if against
                else ""
            )
            v = over(both, lambda z: z[0][0] / z[1][0])
            table.append([what, p, text(*v), "within 0.8 %" if "rows" in what else "", gain])
    if not table:
        return None
    return Item(
        "Section 7.3: closed rows; section 5.3: what a bypass skips (sensitivity only)",
        ["with", "preset", "weighted speedup, of it without", "paper", "of SharedTLB, both with"],
        table,
        "The pairs of the sweeps, one seed. `DramClosed=1`: a column that no other request follows "
        "in its row closes it. `CacheMissLatency=10`: in the code that the authors released a read "
        "that misses the L2 cache has waited its 10 cycles before it goes to the DRAM, and one "
        "that bypasses it has not; here neither waits.",
        None,
    )


def groups(rows, values):
    loads = sorted({k[0] for k in values})
    of = {x: hmr([r for r in rows if r["what"] == "alone"], x) for x in loads}
    have = [g for g in (0, 1, 2) if g in of.values()]
    table, series = [], []
    for p in PRESETS:
        cells, points = [p], []
        for g in [*have, None]:
            part = {k: v for k, v in values.items() if g in (None, of[k[0]])}
            points.append(ratio(part, p, "sharedtlb"))
            cells.append(text(*points[-1]))
        paper = PRINTED.get(p)
        cells += [f"{paper:.3f}", beside(*points[-1], paper)] if paper else ["", ""]
        table.append(cells)
        series.append((p, [m for m, _ in points], [h for _, h in points]))
    heads = [f"{g}-HMR ({sum(x == g for x in of.values())})" for g in have]
    return Item(
        "Figure 11: weighted speedup by group, of SharedTLB",
        ["preset", *heads, f"all ({len(loads)})", "paper, all", "off by"],
        table,
        "Pairs by the number of applications that miss often in both TLBs, alone on half of the "
        "SMs, on SharedTLB. SMs split as SharedTLB is fastest (sim/workloads/splits.txt). Paper: "
        "sections 7.1 and 7.2.",
        ("weighted speedup of SharedTLB", series, [*heads, "all"]),
    )


def fair(values):
    table, series = [], []
    for p in PRESETS:
        un, ipc = ratio(values, p, "sharedtlb", 1), ratio(values, p, "sharedtlb", 2)
        cells = []
        for v, paper in ((un, 0.776), (ipc, 1.434)):
            cells += [text(*v), *((f"{paper}", beside(*v, paper)) if p == "mask" else ("", ""))]
        table.append([p, *cells])
        series.append((p, [un[0]], [un[1]]))
    return Item(
        "Figure 15 and section 7.1: unfairness and throughput, of SharedTLB",
        ["preset", "unfairness", "paper", "off by", "IPC throughput", "paper", "off by"],
        table,
        "Unfairness: the largest slowdown of the two against the application alone on SharedTLB.",
        ("unfairness of SharedTLB", series, ["all"]),
    )


def pairs(values):
    loads = sorted({k[0] for k in values})
    shown = ("static", "pwcache", *PARTS, "ideal")
    table, series = [], []
    for x in loads:
        of = {k: v for k, v in values.items() if k[0] == x}
        table.append([names(x), *(text(*ratio(of, p, "sharedtlb")) for p in shown)])
    for p in PARTS:
        v = [ratio({k: v for k, v in values.items() if k[0] == x}, p, "sharedtlb") for x in loads]
        series.append((p, [a for a, _ in v], [b for _, b in v]))
    return Item(
        "Figures 12 to 14: each pair, weighted speedup of SharedTLB",
        ["pair", *shown],
        table,
        "",
        ("weighted speedup of SharedTLB", series, [names(x) for x in loads]),
    )


STATISTICS = (
    ("L2 TLB hits", "l2_hits", None),
    ("bypass cache hits per probe", "bypass_hits", None),
    ("walks at a time", "walks_at_a_time", "above 20"),
    ("warps that wait for a miss", "warps_per_miss", "above 30"),
    ("SMs' load/store units stand, share of the cycles", "lsu_stall", None),
    ("cycles of a PTE read", "t_latency", None),
    ("cycles of a line of data", "d_latency", None),
    ("translations, of the used bandwidth", "t_share", 0.138),
    ("DRAM bandwidth used, of its peak", "dram_use", None),
    ("L2 cache hits, data", "hits_data", None),
    ("L2 cache hits, level 1", "hits_1", 0.998),
    ("level 2", "hits_2", 0.988),
    ("level 3", "hits_3", 0.687),
    ("level 4", "hits_4", 0.010),
    ("level 4 reads that bypass the L2 cache", "bypassed_4", None),
)


def statistics(rows, loads):
    shown = ("sharedtlb", "pwcache", *PARTS)
    table = []
    for name, key, paper in STATISTICS:
        v = {
            p: by_seed(
                [r for r in rows if r["preset"] == p and r["load"] in loads and r["vary"] == ""],
                lambda r: r[key],
            )
            for p in shown
        }
        cells = ["" if v[p][0] != v[p][0] else f"{v[p][0]:.3f}" for p in shown]
        ours = v["sharedtlb"]
        off = beside(*ours, paper) if isinstance(paper, float) else ""
        table.append([name, *cells, "" if paper is None else str(paper), off])
    return Item(
        "Characterisation of the pairs (Figures 5 to 9, sections 4.3 and 5.3)",
        ["mean of the pairs", *shown, "paper", "SharedTLB off by"],
        table,
        "Hits / (hits + misses), merged misses in neither.",
        None,
    )


def scale(values):
    table, series = [], {p: [] for p in ("sharedtlb", "mask")}
    for n, papers in TABLE_3.items():
        of = {k: v for k, v in values.items() if len(k[0]) == n}
        if not of:
            return None
        cells = [n, len({k[0] for k in of})]
        for p, paper in zip(series, papers):
            v = ratio(of, p, "ideal")
            series[p].append(v)
            cells += [text(*v), f"{paper:.3f}", beside(*v, paper)]
        table.append([*cells, text(*ratio(of, "mask", "sharedtlb"))])
    return Item(
        "Table 3: one to five applications, of Ideal",
        ["applications", "loads", "SharedTLB", "paper", "off by", "MASK", "paper", "off by"]
        + ["MASK of SharedTLB"],
        table,
        "Nested draws: the first one to five of five applications, as many SMs each.",
        (
            "weighted speedup of Ideal",
            [(p, [m for m, _ in v], [h for _, h in v]) for p, v in series.items()],
            list(TABLE_3),
        ),
    )


def varied(rows, keys, presets, base=""):
    """{vary: values of the loads that have it}, those of `base` of the same loads first. keys: of
    all that is varied beyond it."""
    found = {}
    for v in dict.fromkeys(r["vary"] for r in rows):
        beyond = {x.partition("=")[0] for x in v.split() if x not in base.split()}
        if v != base and set(base.split()) <= set(v.split()) and beyond and beyond <= keys:
            found[v] = with_presets(speeds(rows, v), presets)
    loads = {k for of in found.values() for k in of}
    values = with_presets(speeds(rows, base), presets)
    return {base: {k: v for k, v in values.items() if k in loads}, **found}


def entries(rows):
    shown, table = ("sharedtlb", "mask"), []
    for base in ("", "SpreadTables=0"):
        of = varied(rows, {"L2Entries"}, shown, base)
        size = {v: int(v.partition("L2Entries=")[2] or 512) for v in of}
        for v in sorted(of, key=size.get) if len(of) > 1 else ():
            loads = set(of[v])
            both = {k: (of[v][k], of[base][k]) for k in loads}
            mine = [r for r in together(rows) if r["vary"] == v and (r["load"], r["seed"]) in loads]
            table.append(
                ["dense" if base else "spread", size[v]]
                + [
                    text(*over(both, lambda z, p=p: z[0][p][0] / z[1]["sharedtlb"][0]))
                    for p in shown
                ]
                + [text(*ratio(of[v], "mask", "sharedtlb"))]
                + [f"{100 * stat(mine, p, 'l2_hits'):.1f} %" for p in shown]
                + [f"{100 * stat(mine, 'sharedtlb', first_touch):.1f} %"]
            )
    if not table:
        return None
    return Item(
        "Section 7.3: entries of the shared L2 TLB",
        ["tables", "entries", "SharedTLB, of it with 512", "MASK, of the same"]
        + ["MASK of SharedTLB", "hits, SharedTLB", "hits, MASK", "walks that are first touches"],
        table,
        "The pairs of the sweeps, one seed. With spread tables at most 512 entries can be used "
        "(docs/mapping-format.md), so that larger ones are with dense tables. The paper: MASK is "
        "faster at all sizes but 8192, where both are the same.",
        None,
    )


def first_touch(r):
    return r["pages"] / r["walks"]


def stat(rows, preset, key):
    pick = key if callable(key) else lambda r: r[key]
    return by_seed([r for r in rows if r["preset"] == preset], pick)[0]


def alone_vary(rows, keys, preset, base="sharedtlb"):
    of = varied(rows, keys, (preset,))
    if len(of) < 2:
        return []
    both = with_presets(speeds(rows), (preset, base))
    table = []
    for v, values in of.items():
        pick = {k: {preset: x[preset], base: both[k][base]} for k, x in values.items() if k in both}
        table.append(
            [
                preset,
                v or "as in the preset",
                text(*ratio(pick, preset, base)),
                text(*ratio(pick, preset, base, 1)),
            ]
        )
    return table


def knobs(rows):
    keys = "SilverMax DramKeepRows AgeCap BypassEntries TokenStart EpochCycles".split()
    table = alone_vary(rows, set(keys), "mask")
    if not table:
        return None
    return Item(
        "Section 6: MASK's own parameters (sensitivity only)",
        ["preset", "with", "weighted speedup of SharedTLB", "unfairness of SharedTLB"],
        table,
        "The pairs of the sweeps, one seed. `SilverMax` is the paper's thresh_max (500), "
        "`TokenStart` its InitialTokens (80 %), `EpochCycles` its epoch (100,000).",
        None,
    )


def splits(rows):
    """Pairs with the SMs split as SharedTLB is fastest, beside halves."""
    half = f"{workflow_plan.SMS['mask'] // 2}+{workflow_plan.SMS['mask'] // 2}"
    seeds = {r["seed"] for r in rows if r["what"] == "split"}
    alone = {(*r["load"], r["sms"]) for r in rows if r["what"] == "alone" and r["seed"] in seeds}
    loads = sorted({r["load"] for r in rows if r["what"] == "split"})
    table, shares = [], {}
    for x in loads:
        of = {}
        for n in workflow_plan.STEPS:
            sms = f"{n}+{workflow_plan.SMS['mask'] - n}"

            def pick(rows, sms=sms, x=x):
                return [
                    r
                    for r in rows
                    if (r["sms"], r["load"]) == (sms, x)
                    and r["what"] in ("split", "mixed")
                    and r["seed"] in seeds
                    and set(zip(x, sms.split("+"))) <= alone
                ]

            for v in with_presets(speeds(rows, "", pick), WHY).values():
                of[sms] = {p: v[p][0] for p in WHY}
        if len(of) < len(workflow_plan.STEPS):
            continue
        found = "+".join(map(str, workflow_plan.shares([y.split(":") for y in x])))
        best = max(of, key=lambda n: of[n]["mask"])
        line = [of[found]["sharedtlb"] / of[half]["sharedtlb"]]
        line += [of[n]["mask"] / of[n]["sharedtlb"] for n in (half, found)]
        line += [of[best]["mask"] / of[found]["sharedtlb"]]
        line += [of[n][p] / of[n]["ideal"] for p in WHY[:2] for n in (half, found)]
        shares[x] = line
        table.append([names(x), found, *(f"{v:.3f}" for v in line)])
    if not table:
        return None
    means = [mean([v[i] for v in shares.values()]) for i in range(8)]
    table.append(["mean", "", *(f"{v:.3f}" for v in means)])
    return Item(
        "Section 6: the best split of the SMs",
        ["pair", "best split", "SharedTLB, of it with halves", "MASK of SharedTLB, halves"]
        + ["best split", "each its own best", "SharedTLB of Ideal, halves", "best split"]
        + ["MASK of Ideal, halves", "best split"],
        table,
        "The pairs of the sweeps, one seed. Every pair's split, in steps of 5 SMs, is the best by "
        "SharedTLB's weighted speedup, which is against each application alone on as many SMs, and "
        "is that of all presets in all other tables (sim/workloads/splits.txt, "
        "docs/calibration.md).",
        None,
    )


WHY = ("sharedtlb", "mask", "ideal")


def why(rows):
    """The system's parameters varied: what the gain depends on."""
    of = varied(rows, {"LsuMisses", "MemChannels", "MemHop", "SpreadTables", "--passes"}, WHY[:2])
    if len(of) < 2:
        return None
    table = []
    for v, values in of.items():
        if not values:
            continue
        have = set.intersection(*(set(x) for x in values.values()))

        def cell(a, b):
            return text(*ratio(values, a, b)) if {a, b} <= have else ""

        mine = [r for r in together(rows) if r["vary"] == v and (r["load"], r["seed"]) in values]

        table.append(
            [v or "as calibrated"]
            + [cell("sharedtlb", "ideal"), cell("pwcache", "sharedtlb")]
            + [cell("mask-tlb", "sharedtlb"), cell("mask", "sharedtlb")]
            + [f"{stat(mine, p, 't_latency'):.0f}" for p in ("sharedtlb", "mask")]
            + [
                f"{stat(mine, 'sharedtlb', 'd_latency'):.0f}",
                f"{stat(mine, 'sharedtlb', 'dram_use'):.3f}",
            ]
            + [
                f"{stat(mine, 'sharedtlb', 't_share'):.3f}",
                f"{stat(mine, 'sharedtlb', 'walks_at_a_time'):.1f}",
            ]
            + [f"{stat(mine, 'sharedtlb', 'warps_per_miss'):.1f}"]
        )
    return Item(
        "Why: the system around the MMU varied (sensitivity only)",
        ["system", "SharedTLB of Ideal", "PWCache of SharedTLB", "MASK-TLB of SharedTLB"]
        + ["MASK of SharedTLB", "cycles of a PTE read", "with MASK", "cycles of a line"]
        + ["DRAM used", "of it translations", "walks at a time", "warps that wait for a miss"],
        table,
        "The pairs of the sweeps, one seed; all presets with the same system. Nothing of the "
        "calibration was chosen by this.",
        None,
    )


def make(rows):
    """Result"""
    full = with_presets(speeds(rows), PRESETS)
    loads = {k[0] for k in full}
    items = {
        "single": single(rows),
        "share": share(full),
        "groups": groups(rows, full),
        "fair": fair(full),
        "pairs": pairs(full),
        "baseline": statistics(rows, loads),
        "scale": None,
        "entries": entries(rows),
        "knobs": knobs(rows),
        "closed": closed(rows),
        "systems": systems(rows),
        "splits": splits(rows),
        "why": why(rows),
    }
    nested = with_presets(speeds(rows), WHY)
    nested = {k: v for k, v in nested.items() if len(k[0]) == 1 or k[0] in scaled(nested)}
    items["scale"] = scale(nested)
    gain, half = ratio(full, "mask", "sharedtlb")
    parts = {p: ratio(full, p, "sharedtlb") for p in PARTS[:3]}
    best = max(parts, key=lambda p: parts[p][0])
    wins = [v["mask"][0] > v["sharedtlb"][0] for v in full.values()]
    un, uh = ratio(full, "mask", "sharedtlb", 1)
    of_ideal = {p: ratio(full, p, "ideal") for p in ("sharedtlb", "mask")}
    ipc = ratio(full, "mask", "sharedtlb", 2)
    verdict = [
        f"MASK's weighted speedup is {percent(gain - 1)} of SharedTLB's ({about(100 * half, 1)}; "
        f"paper: +57.8 %), over {len(loads)} pairs; it is faster in {sum(wins)} of {len(wins)} "
        "runs.",
        f"SharedTLB reaches {of_ideal['sharedtlb'][0]:.3f} of Ideal (paper: 0.487), MASK "
        f"{of_ideal['mask'][0]:.3f} (0.768).",
        f"The most of its parts gives {best}: {percent(parts[best][0] - 1)}"
        + (f" (paper: {percent(PRINTED[best] - 1)})." if best in PRINTED else "."),
        f"Unfairness changes by {percent(un - 1, uh)} (paper: -22.4 %), IPC throughput by "
        f"{percent(ipc[0] - 1, ipc[1])} (+43.4 %).",
        f"Why: a PTE read takes {cycles(rows, loads, 'sharedtlb'):.1f} cycles, with MASK "
        f"{cycles(rows, loads, 'mask'):.1f}, and {floor()} of them are the bare way to the L2 "
        "cache: hardly anything waits that MASK could shorten, and its fill tokens hardly raise "
        "the L2 TLB's hits.",
    ]
    signs = [
        Sign("MASK over SharedTLB, weighted speedup", gain - 1, half, 0.578, "latency"),
        *(
            Sign(f"{p} over SharedTLB", parts[p][0] - 1, parts[p][1], PRINTED[p] - 1, "latency")
            for p in ("mask-cache", "mask-dram")
        ),
        Sign("MASK over SharedTLB, IPC", ipc[0] - 1, ipc[1], 0.434, "latency"),
        Sign("MASK over SharedTLB, unfairness", un - 1, uh, -0.224, "latency"),
        Sign("SharedTLB of Ideal, pairs", *of_ideal["sharedtlb"], TABLE_3[2][0], "calibration"),
        Sign("MASK of Ideal, pairs", *of_ideal["mask"], TABLE_3[2][1], "latency"),
        Sign("PWCache of Ideal, pairs", *ratio(full, "pwcache", "ideal"), 0.55, "calibration"),
        *(
            Sign(f"{p} of Ideal, {n} applications", *ratio(of, preset, "ideal"), paper, reason)
            for n in TABLE_3
            for of in [{k: v for k, v in nested.items() if len(k[0]) == n}]
            if items["scale"] and n != 2
            for p, preset, paper, reason in (
                ("SharedTLB", "sharedtlb", TABLE_3[n][0], "calibration"),
                ("MASK", "mask", TABLE_3[n][1], "latency"),
            )
        ),
        *(
            Sign(f"{name} of Ideal, {gpu}", *ratio(of, preset, "ideal"), paper, "gpu")
            for gpu, (vary, _) in workflow_plan.MASK_SYSTEMS.items()
            for of in [with_presets(speeds(rows, vary), ("pwcache", *WHY))]
            if of
            for (name, preset), paper in zip(NAMES_4, TABLE_4[gpu])
        ),
    ]
    return Result(verdict, items, signs, *explained(rows))


def scaled(nested):
    """Loads of the nested draws: each is the head of one of five, or such a one."""
    fives = [k[0] for k in nested if len(k[0]) == 5]
    return {x[:n] for x in fives for n in range(1, 6)}


def floor():
    """Cycles of a PTE read that hits the L2 cache and waits for nobody."""
    ini = dict(x.split("=") for x in calibrate.parameters("mask"))
    return 2 * int(ini["MemHop"]) + int(ini["CacheLatency"])


def cycles(rows, loads, preset):
    of = [r for r in rows if r["load"] in loads and (r["preset"], r["vary"]) == (preset, "")]
    return by_seed(of, lambda r: r["t_latency"])[0]


def explained(rows):
    """(reasons, paragraphs): what the experiments say, as far as they were run."""
    full = with_presets(speeds(rows), PRESETS)
    loads = {k[0] for k in full}
    mine = [r for r in rows if r["load"] in loads and r["vary"] == ""]
    reads = {p: stat(mine, p, "t_latency") for p in ("sharedtlb", "mask", "pwcache")}
    said = [
        "Nothing is queued that MASK could take away. A PTE read takes "
        f"{reads['sharedtlb']:.1f} cycles on SharedTLB and {reads['mask']:.1f} with MASK, of which "
        f"{floor()} are the way to the L2 cache, its hit and the way back, with nobody else there. "
        "Bypass and DRAM scheduler shorten what waits for others, and leave 4 dependent reads a "
        f"walk of {floor()} cycles each. The DRAM is used at "
        f"{100 * stat(mine, 'sharedtlb', 'dram_use'):.1f} % of its peak (the paper's shares of "
        "translations, 13.8 % of the used and 2.4 % of all bandwidth, make 17.4 %); the SMs' "
        f"load/store units stand {100 * stat(mine, 'sharedtlb', 'lsu_stall'):.0f} % of the cycles.",
    ]
    lines = []
    for v, what in (
        ("LsuMisses=4", "four misses of an SM at a time"),
        ("LsuMisses=0", "any number of them"),
        ("MemChannels=2", "a quarter of the DRAM"),
        ("LsuMisses=0 MemChannels=2", "any number and a quarter of the DRAM"),
        ("LsuMisses=0 MemHop=0", "any number and no way to the L2 cache"),
    ):
        of = with_presets(speeds(rows, v), ("sharedtlb", "mask"))
        if of:
            t = [
                by_seed(
                    [
                        r
                        for r in together(rows)
                        if r["vary"] == v and r["preset"] == p and (r["load"], r["seed"]) in of
                    ],
                    lambda r: r["t_latency"],
                )[0]
                for p in ("sharedtlb", "mask")
            ]
            g = percent(ratio(of, "mask", "sharedtlb")[0] - 1)
            lines.append(f"{what} (`{v}`) {g}, a PTE read {t[0]:.0f} and {t[1]:.0f} cycles")
    if lines:
        base = varied(rows, {"LsuMisses"}, ("sharedtlb", "mask"))[""]
        said.append(
            "With other pressure on it: on the pairs of the experiments MASK gains "
            f"{percent(ratio(base, 'mask', 'sharedtlb')[0] - 1)} as calibrated; with "
            + "; with ".join(lines)
            + ". Its mechanisms take most of the queueing away each time, and the gain stays far "
            "below the paper's: it is not pressure that is missing."
        )
    dense = "SpreadTables=0"
    big = varied(rows, {"L2Entries"}, ("sharedtlb",), dense)
    if f"{dense} L2Entries=8192" in big:
        of = {k: (v, big[dense][k]) for k, v in big[f"{dense} L2Entries=8192"].items()}
        g = over(of, lambda z: z[0]["sharedtlb"][0] / z[1]["sharedtlb"][0])[0]
        some = [r for r in together(rows) if r["vary"] == dense and (r["load"], r["seed"]) in of]
        said.append(
            "What fill tokens could save: with 8,192 entries in the L2 TLB instead of 512, more "
            f"than the pairs have pages, SharedTLB's weighted speedup is {percent(g - 1)} (dense "
            f"tables); {100 * stat(some, 'sharedtlb', first_touch):.0f} % of its walks are of "
            "pages that are walked for the first time. No policy of filling can give more. MASK "
            "gets little of it: its L2 TLB hits "
            f"{100 * stat(some, 'mask', 'l2_hits'):.1f} %, SharedTLB's "
            f"{100 * stat(some, 'sharedtlb', 'l2_hits'):.1f} %: who fills says hardly anything of "
            "what is used again ([replayed](#who-fills-and-what-is-used-again)); fewer tokens at "
            "the start (`TokenStart=20`) and other epochs are in the table of its parameters."
        )
    said.append(
        "PWCache is faster than SharedTLB, where the paper has it slower: its cache answers three "
        "of the four reads of a walk in 10 cycles, where SharedTLB goes to the L2 cache for each"
        + without_hop(rows)
    )
    epochs = by_seed([r for r in mine if r["preset"] == "mask"], lambda r: r["epochs"])[0]
    if epochs == epochs:
        tail = ""
        of = varied(rows, {"EpochCycles"}, ("mask",))
        if len(of) > 1:
            v = {k: (x, of[""][k]) for k, x in of["EpochCycles=10000"].items() if k in of[""]}
            g = over(v, lambda z: z[0]["mask"][0] / z[1]["mask"][0])[0]
            tail = (
                f"; with epochs of a tenth (`EpochCycles=10000`) MASK changes by {percent(g - 1)}"
            )
        said.append(
            f"Runs are short: {epochs:.1f} epochs of 100,000 cycles in the mean, in the first of "
            f"which every warp may fill{tail}." + longer(rows)
        )
    return {
        "calibration": "pairs are held out; `MemHop` and `LsuMisses` move it (Why)",
        "gpu": "sizes of the two GPUs are ours; `MemHop` and `LsuMisses` move it (Why)",
        "latency": "PTE reads hardly wait for others; fill tokens hardly raise the hits",
    }, said


def longer(rows):
    """What several passes over the same data change: more epochs, pages that are used again."""
    passes = "--passes=4"
    of = varied(rows, {"--passes"}, ("sharedtlb", "mask-tlb", "mask"))
    if passes not in of:
        return ""
    mine = [
        r for r in together(rows) if r["vary"] == passes and (r["load"], r["seed"]) in of[passes]
    ]
    gains = {
        v: [percent(ratio(of[v], p, "sharedtlb")[0] - 1) for p in ("mask", "mask-tlb")] for v in of
    }
    return (
        " With four passes of each application over its data, "
        f"{stat(mine, 'mask', 'epochs'):.1f} epochs, MASK gains {gains[passes][0]} and its fill "
        f"tokens alone {gains[passes][1]} (one pass, same pairs: {gains[''][0]}, {gains[''][1]}); "
        f"the L2 TLB hits {100 * stat(mine, 'sharedtlb', 'l2_hits'):.1f} % on SharedTLB, "
        f"{100 * stat(mine, 'mask-tlb', 'l2_hits'):.1f} % with fill tokens: it is not the length "
        "of the runs that keeps the gain from the paper's."
    )


def without_hop(rows):
    of = varied(rows, {"MemHop"}, ("sharedtlb", "pwcache"))
    if "MemHop=0" not in of:
        return "."
    g = [ratio(of[v], "pwcache", "sharedtlb")[0] for v in ("", "MemHop=0")]
    return (
        f". Without the way there (`MemHop=0`) its weighted speedup is {g[1]:.3f} of SharedTLB's "
        f"instead of {g[0]:.3f} on the same pairs."
    )
