# SPDX-License-Identifier: Apache-2.0
"""Mosaic in the results workflow: verdict, tables, what explains the differences."""

import workflow_plan
from workflow_stats import (
    NAN,
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

TITLE = "Mosaic (MICRO 2017)"
PRESETS = workflow_plan.PRESETS["mosaic"]
OF_PAPER = [
    ("Figure 3", "large", ""),
    ("Figure 4", "faults", ""),
    ("Figures 8, 9", "loads", ""),
    ("Figure 10", "pairs", ""),
    ("Figure 11", "pairs", ""),
    ("Figure 12", "paging", ""),
    ("Figure 13", "hits", ""),
    ("Figures 14, 15", "entries", ""),
    ("Figure 16, Table 2", "fragments", ""),
]


def kinds(rows):
    return {r["load"]: r["what"] for r in together(rows)}


def loads(rows, values):
    what = kinds(rows)
    table, groups, series = [], [], {p: [] for p in ("mosaic", "ideal")}
    for kind, name in (("same", "copies of one"), ("mixed", "mixed")):
        for n in range(1, 6):
            of = {k: v for k, v in values.items() if what[k[0]] == kind and len(k[0]) == n}
            if not of:
                continue
            gain, ideal = ratio(of, "mosaic", "gpu-mmu"), ratio(of, "mosaic", "ideal")
            base = ratio(of, "gpu-mmu", "ideal")
            wins = [v["mosaic"][0] > v["gpu-mmu"][0] for v in of.values()]
            table.append(
                [name, n, len({k[0] for k in of}), text(*gain), f"{sum(wins)} of {len(wins)}"]
                + [text(*ideal), text(*base)]
                + (["0.519", beside(*base, 0.519)] if n == 1 else ["", ""])
            )
            groups.append(f"{n} mixed" if kind == "mixed" else f"{n} alike" if n > 1 else "1")
            for p, v in series.items():
                v.append(ratio(of, p, "gpu-mmu"))
    return Item(
        "As Figures 8 and 9, pages resident: weighted speedup with one to five applications",
        ["load", "applications", "loads", "Mosaic of GPU-MMU", "runs that gain"]
        + ["Mosaic of Ideal", "GPU-MMU of Ideal", "paper", "off by"],
        table,
        "The paper prints GPU-MMU's share of Ideal without demand paging, section 3.1; Mosaic's "
        "gains (55.5 % with copies, 29.7 % mixed) and its distance from Ideal (6.8 and 15.4 %) "
        "are on demand, with a transfer that it counts at the launch of a kernel (Figure 12).",
        (
            "weighted speedup of GPU-MMU",
            [(p, [m for m, _ in v], [h for _, h in v]) for p, v in series.items()],
            groups,
        ),
    )


def pairs(rows, values):
    of = sorted({k[0] for k in values if len(k[0]) == 2 and k[0][0] != k[0][1]})
    table, series = [], {p: [] for p in ("mosaic", "ideal")}
    for x in of:
        part = {k: v for k, v in values.items() if k[0] == x}
        cells = [names(x)]
        for p in series:
            series[p].append(ratio(part, p, "gpu-mmu"))
            cells.append(text(*series[p][-1]))
        table.append(cells)
    by = {}
    for r in together(rows):
        if r["vary"] == "" and r["what"] == "mixed":
            for i, ipc in enumerate(r["ipc"]):
                by.setdefault((r["load"], r["seed"], i), {})[r["preset"]] = ipc
    each = [v for v in by.values() if set(PRESETS) <= set(v)]
    gains = sorted(v["mosaic"] / v["gpu-mmu"] for v in each)
    near = [v["mosaic"] / v["ideal"] for v in each]
    within = ", ".join(
        f"{100 * mean([x >= lim for x in near]):.1f} % within {100 * lim:.0f} %"
        for lim in (0.9, 0.8, 0.7)
    )
    return Item(
        "Figures 10 and 11: each pair, and the applications of the mixed loads",
        ["pair", "Mosaic of GPU-MMU", "Ideal of GPU-MMU"],
        table,
        f"{len(each)} applications (times seeds) of the mixed loads: "
        f"{100 * mean([g > 1 for g in gains]):.1f} % are faster with Mosaic (paper: 93.6 %), at "
        f"{100 * gains[0]:.1f} to {100 * gains[-1]:.0f} % of their speed with GPU-MMU, mean "
        f"{100 * mean(gains):.1f} % (paper: 66.3 to 860 %, mean 133.0 %); {within} of Ideal (48, "
        "68.9 and 82.3 %).",
        (
            "weighted speedup of GPU-MMU",
            [(p, [m for m, _ in v], [h for _, h in v]) for p, v in series.items()],
            [names(x) for x in of],
        ),
    )


def hits(rows):
    table, what = [], kinds(rows)
    base = [r for r in together(rows) if r["vary"] == ""]
    for kind in ("same", "mixed"):
        for n in range(1, 6):
            of = [r for r in base if len(r["load"]) == n and what[r["load"]] == kind]
            if not of:
                continue
            cells = ["copies" if kind == "same" else "mixed", n]
            for p in PRESETS[:2]:
                for k in ("l1_hits", "l2_hits"):
                    v = by_seed([r for r in of if r["preset"] == p], lambda r, k=k: r[k])
                    cells.append(text(*v))
            printed = {2: 0.81, 5: 0.62}.get(n) if kind == "mixed" else None
            v = by_seed([r for r in of if r["preset"] == "gpu-mmu"], lambda r: r["l2_hits"])
            cells += [str(printed or ""), beside(*v, printed) if printed else ""]
            table.append(cells)
    return Item(
        "Figure 13: hits of the TLBs, pages resident",
        ["load", "applications", "GPU-MMU: L1 TLB", "L2 TLB", "Mosaic: L1 TLB", "L2 TLB"]
        + ["paper, GPU-MMU's L2 TLB", "off by"],
        table,
        "Hits / (hits + misses), merged misses in neither. The paper's are on demand, of all its "
        "loads of two and of five whose L2 TLB hits below 98 %; Mosaic's miss rates there are "
        "below 1 % in both TLBs.",
        None,
    )


def swept(rows, keys, presets):
    """[(vary, {preset: (speed of GPU-MMU as calibrated, L2 hits)})] of the loads with a sweep."""
    found = {}
    of = [r["vary"] for r in together(rows) if r["vary"].partition("=")[0] in keys]
    for v in dict.fromkeys(of):
        found[v] = speeds(rows, v)
    base = speeds(rows)
    out = []
    for v, values in found.items():
        line = {}
        for p in presets:
            of = {k: (x, base[k]) for k, x in values.items() if p in x}
            if of:
                line[p] = over(of, lambda z, p=p: z[0][p][0] / z[1]["gpu-mmu"][0])
        out.append((v, line))
    swept_loads = {k for v in found.values() for k in v}
    of = {k: base[k] for k in swept_loads}
    if of:
        out.insert(0, ("", {p: ratio(of, p, "gpu-mmu") for p in presets}))
    return out, swept_loads


def entries(rows):
    table, some = [], set()
    for key, usual in (
        ("L1BaseEntries", 128),
        ("L2Entries", 512),
        ("L1LargeEntries", 16),
        ("L2LargeEntries", 256),
    ):
        lines, some_here = swept(rows, {key}, PRESETS[:2])
        some |= some_here
        lines = [(int(v.partition("=")[2] or usual), x) for v, x in lines]
        for size, line in sorted(lines, key=lambda x: x[0]):
            cells = [text(*line[p]) if p in line else "" for p in PRESETS[:2]]
            table.append([key, size, *cells])
    if not table:
        return None
    return Item(
        "Figures 14, 15: entries of the TLBs, of GPU-MMU as calibrated",
        ["array", "entries", "GPU-MMU", "Mosaic"],
        table,
        f"{len({k[0] for k in some})} pairs, one seed, pages resident. Paper: Mosaic loses 7.6 % "
        "with 8 base entries in the L1 TLB.",
        None,
    )


# Table 2: bloat by share of the pages, in all frames.
TABLE_2 = {0.01: 0.1066, 0.1: 0.0756, 0.25: 0.072, 0.35: 0.0522, 0.5: 0.0337, 0.75: 0.0222}


def fragments(rows):
    """Speed against GPU-MMU in the same memory; what was copied before the start counts."""
    base, of = {}, {}
    for r in rows:
        foreign = r["options"].partition("--foreign ")[2].partition(" ")[0]
        if foreign and r["preset"] == "gpu-mmu":
            base[foreign, r["seed"]] = r
        elif foreign:
            cac = r["options"].partition("--cac ")[2].split()[0]
            of[foreign, r["seed"], cac] = r
    if not of:
        return None
    table = []
    for foreign in dict.fromkeys(f for f, _ in base):
        index, occupancy = map(float, foreign.split(","))
        cells, moved, held = [f"{100 * index:.0f} %", f"{100 * occupancy:.0f} %"], [], []
        for options in workflow_plan.COMPACTION.values():
            speed = {}
            for (f, s), b in base.items():
                r = of.get((f, s, options[1]))
                if f == foreign and r:
                    speed[s] = b["cycles"] / (r["cycles"] + int(r["copy_cycles"] or 0))
                    moved.append(int(r["moved"] or 0))
                    held.append(int(r["held"]) / int(r["resident"]) - 1)
            cells.append(text(mean(list(speed.values())), NAN))
        if not moved:
            continue
        printed = TABLE_2.get(occupancy) if index == 1 else None
        more = percent(held[-1]), f"{100 * printed:+.2f} %" if printed else ""
        table.append([*cells[:2], f"{max(moved):,}", *more, *cells[2:]])
    load = names(next(iter(of.values()))["load"])
    return Item(
        "Figure 16 and Table 2: fragmented memory, of GPU-MMU in the same memory",
        ["frames with foreign data", "of their pages", "pages moved", "bloat", "paper, bloat"]
        + list(workflow_plan.COMPACTION),
        table,
        f"{load}, 128 MiB, pages resident: all is allocated and compacted at the start, and that "
        "time counts (64 bits at a time, all SMs stand; CAC-BC in the DRAM; Ideal CAC takes "
        "none). Bloat: frames that are held beyond the pages that are used.",
        None,
    )


# The I/O bus (docs/paging.md), in cycles of 1020 MHz.
BUS_BYTES, BUS_WAIT, MHZ = 7.96, 54500, 1020  # bytes each ns, ns after the last byte
# Figure 12: what is new in a paging against GPU-MMU with all pages resident; what Figures 8 and 9
# print with demand paging: of GPU-MMU, of Ideal. Figure 4: what demand paging takes from 4 KiB
# pages, and what 2 MiB pages then take from those, by applications at once.
FIGURE_12 = {"same": 0.585, "mixed": 0.475}
ON_DEMAND = {"same": (0.555, 0.932), "mixed": (0.297, 0.846)}
LOST, LOST_LARGE = {1: 0.400, 5: 0.823}, {1: 0.925, 2: 0.980, 5: 0.998}
BLOAT = 0.402  # section 3.2: what 2 MiB pages hold beyond 4 KiB ones
KINDS = {"same": "copies", "mixed": "mixed"}
WHEN = {
    "resident": "resident",
    "front": "before the start, counted (computed)",
    "launch": "at launch",
    "demand": "on demand",
}


def paging_of(r):
    return workflow_plan.paging_of(r["options"])


def bus(r):
    """Cycles in which the bus brings all pages of a run that has them resident."""
    return (int(r["resident"]) * 4096 / BUS_BYTES + BUS_WAIT) * MHZ / 1000


def carried(cycles):
    """Bytes that the bus carries in them at most."""
    return cycles / MHZ * 1000 * BUS_BYTES


def in_front(rows):
    """Runs with all pages resident as if the bus had brought them before the first cycle."""
    for r in together(rows):
        if r["vary"] == "" and r["resident"]:
            cycles = map(int, r["cycles_each"].split("+"))
            yield {**r, "ipc": [i * c / (c + bus(r)) for i, c in zip(r["ipc"], cycles)]}


def by_paging(rows):
    """{paging: {(load, seed): {preset: figures}}}, each against GPU-MMU alone, resident; loads that
    were run in all pagings."""

    def over_bus(paging):
        return lambda rows: [r for r in rows if r["what"] in KINDS and paging_of(r) == paging]

    found = {"resident": speeds(rows), "front": speeds(rows, "", in_front)}
    found.update({p: speeds(rows, "", over_bus(p)) for p in workflow_plan.PAGINGS})
    found = {p: with_presets(v, PRESETS) for p, v in found.items()}
    found = {p: found[p] for p in WHEN if found[p]}
    if not set(found) & set(workflow_plan.PAGINGS):
        return {}
    loads = set.intersection(*map(set, found.values()))
    return {p: {k: v[k] for k in sorted(loads)} for p, v in found.items()} if loads else {}


def against(found, paging, a, b="gpu-mmu", base="resident", pick=lambda k: True):
    """Weighted speedup of preset a in a paging over that of preset b in another."""
    of = {k: v[a][0] / found[base][k][b][0] for k, v in found[paging].items() if pick(k)}
    return over(of, lambda x: x) if of else (NAN, NAN)


def paging(rows):
    found, what = by_paging(rows), kinds(rows)
    if not found:
        return None
    table, groups, series = [], [], {p: [] for p in ("gpu-mmu", "mosaic")}
    parts = [(k, n) for k in KINDS for n in range(1, 6)] + [(k, None) for k in KINDS]
    for kind, n in parts:

        def pick(k, kind=kind, n=n):
            return what[k[0]] == kind and n in (len(k[0]), None)

        loads = {k[0] for k in found["resident"] if pick(k)}
        for p in found if loads else ():
            against_resident = [against(found, p, a, pick=pick) for a in PRESETS]
            same = [against(found, p, "mosaic", b, p, pick) for b in ("gpu-mmu", "ideal")]
            who = f"{n}, {KINDS[kind]}" if n else f"all {KINDS[kind]}"
            table.append([who if n != 1 else "1", len(loads), WHEN[p]])
            table[-1] += [text(*v) for v in (*against_resident, *same)]
            if n is None:
                groups.append(f"{KINDS[kind]}, {p}")
                for a, v in zip(series, against_resident):
                    series[a].append(v)
        if n is None and loads:
            over_resident, (gain, ideal) = 1 + FIGURE_12[kind], ON_DEMAND[kind]
            table.append([f"paper, {KINDS[kind]}", "", "on demand", "", f"{over_resident:.3f}", ""])
            table[-1] += [f"{1 + gain:.3f}", f"{ideal:.3f}"]
    return Item(
        "Figure 12: demand paging, of GPU-MMU with all pages resident",
        ["applications", "loads", "pages come", "GPU-MMU", "Mosaic", "Ideal"]
        + ["Mosaic of GPU-MMU, both so", "Mosaic of Ideal, both so"],
        table,
        "Weighted speedup over that of GPU-MMU with all pages resident at no cost; one seed. On "
        "demand: a page comes when it is touched. At launch: all come from cycle 0 on, application "
        "by application, Mosaic's whole 2 MiB as one, and who touches a page before waits. Before "
        "the start: cycles of the run with "
        "resident pages, and those of the bus for all of its pages in front of them; this is how "
        "the paper's GPU-MMU without demand paging has them (section 6.2), which therefore costs "
        "it about what demand paging does.",
        (
            "weighted speedup of GPU-MMU, resident",
            [(a, [m for m, _ in v], [h for _, h in v]) for a, v in series.items()],
            groups,
        ),
    )


def faulted(rows):
    """{load: {what: cycles of each application}} of GPU-MMU: 4 KiB pages resident, at launch, on
    demand, 2 MiB pages on demand (`large`), these two also `, no wait` of the bus; and all that is
    kept of the first as `row`, what the bus carried in MiB as `MiB demand`, `MiB large`."""
    out = {}
    for r in rows:
        if r["preset"] != "gpu-mmu" or r["seed"] != 1 or "foreign" in r["options"]:
            continue
        vary = set(r["vary"].split())
        name = paging_of(r)
        if r["what"] == "large" and name == "demand":
            vary, name = vary - set(workflow_plan.LARGE), "large"
        elif r["what"] not in (*KINDS, "long"):
            continue
        if vary - {workflow_plan.NO_WAIT}:
            continue
        of = out.setdefault(r["load"], {})
        of[name + (", no wait" if vary else "")] = r["ipc"]
        if r["bus_busy"] and not vary:
            of[f"MiB {name}"] = float(r["bus_busy"]) * carried(int(r["cycles"])) / 2**20
        if name == "resident":
            of["row"] = r
    return {k: v for k, v in out.items() if len(set(k)) == 1 and "row" in v and "demand" in v}


def share(of, a, b):
    """Speed in case a over that in case b, mean of the copies."""
    return mean([x / y for x, y in zip(of[a], of[b])]) if a in of and b in of else NAN


def faults(rows):
    of = {k: v for k, v in faulted(rows).items() if "large" in v}
    if not of:
        return None
    cases = (("launch", "resident"), ("demand", "resident"), ("large", "resident"))
    cases += (("large", "demand"),)
    table, groups, series = [], [], {"4 KiB": [], "2 MiB": []}
    for n in sorted({len(k) for k in of}):
        some = sorted((k for k in of if len(k) == n), key=names)
        for k in some:
            cells = [text(share(of[k], *c), NAN) for c in cases]
            table.append([names(k[:1]), n, *cells])
        means = [mean([share(of[k], *c) for k in some]) for c in cases]
        table.append([f"mean of {len(some)}", n, *(text(m, NAN) for m in means)])
        printed = [f"{1 - LOST[n]:.3f}" if n in LOST else "", ""]
        table.append(["paper", n, "", *printed, f"{1 - LOST_LARGE[n]:.3f}"])
        groups.append(f"{n} at once" if n > 1 else "1")
        series["4 KiB"].append(means[1])
        series["2 MiB"].append(means[2])
    return Item(
        "Figure 4: 4 KiB and 2 MiB pages on demand",
        ["application", "copies", "4 KiB, at launch", "4 KiB, on demand", "2 MiB, on demand"]
        + ["2 MiB of 4 KiB, on demand"],
        table,
        "GPU-MMU, speed of that with 4 KiB pages resident (the paper's normalisation), mean of the "
        "copies; one seed. 2 MiB: the manager brings 2 MiB at a fault, the TLBs have as many "
        "entries for 2 MiB pages as for 4 KiB ones. Paper: section 3.2; with two and five "
        "applications it does not say whether they are copies.",
        (
            "speed of GPU-MMU, resident",
            [(name, v, [NAN for _ in v]) for name, v in series.items()],
            groups,
        ),
    )


def waits(rows):
    """2 MiB pages on demand against 4 KiB ones, with and without the bus's wait."""
    of = {k: v for k, v in faulted(rows).items() if "large, no wait" in v}
    if not of:
        return None
    cases = (("large", "demand"), ("large, no wait", "demand, no wait"))
    table = []
    for n in sorted({len(k) for k in of}):
        some = sorted((k for k in of if len(k) == n), key=names)
        for k in some:
            v = of[k]
            mib = [v["MiB demand"], v["MiB large"]]
            table.append([names(k[:1]), n, *(f"{m:.1f}" for m in mib), f"{mib[1] / mib[0]:.2f}"])
            table[-1] += [text(share(v, *c), NAN) for c in cases]
        means = [mean([share(of[k], *c) for k in some]) for c in cases]
        table.append([f"mean of {len(some)}", n, "", "", "", *(text(m, NAN) for m in means)])
    return Item(
        "Why: what 2 MiB pages gain on demand is the wait for each page",
        ["application", "copies", "MiB over the bus, 4 KiB", "2 MiB", "2 MiB / 4 KiB"]
        + [f"speed, 2 MiB of 4 KiB, {BUS_WAIT / 1000} us to a page", "the same, 0 us"],
        table,
        "GPU-MMU on demand, one seed. 0 us: `--bus-wait 0`, a page is there when its last byte has "
        "left the bus. Then 2 MiB pages cost what they carry besides and the first toucher's wait "
        "for the rest of its 2 MiB; where they carry nothing besides (arrays used whole), fewer "
        "faults and walks can outweigh it.",
        None,
    )


def transfers(rows):
    """One application on GPU-MMU: the bus against the run."""
    of = {k: v for k, v in faulted(rows).items() if len(k) == 1}
    if not of:
        return None
    table = []
    for k, v in sorted(of.items(), key=lambda x: bus(x[1]["row"]) / x[1]["row"]["cycles"]):
        r = v["row"]
        alone, wire = int(r["cycles"]), bus(r)
        launch, demand = (share(v, p, "resident") for p in ("launch", "demand"))
        counted = alone / (alone + wire)
        table.append(
            [names(k), f"{int(r['resident']):,}", f"{alone:,}", f"{wire:,.0f}"]
            + [f"{wire / alone:.1f}", f"{100 * (1 - counted):.1f} %"]
            + ["" if x != x else f"{100 * (1 - x):.1f} %" for x in (launch, demand)]
        )
    return Item(
        "Why: the bus beside the run, GPU-MMU, one application",
        ["application", "pages", "cycles, resident", "cycles of the bus", "bus / run"]
        + ["lost with the transfer in front (computed)", "lost at launch", "lost on demand"],
        table,
        f"All pages at {BUS_BYTES} GB/s and {BUS_WAIT / 1000} us after the last byte, in cycles of "
        f"{MHZ} MHz; lost: of the speed with resident pages. Paper: {100 * LOST[1]:.1f} % lost on "
        "demand in the mean of single applications, of 10 to 362 MB (section 3.2). On demand a "
        "warp waits 54.5 us for each page that it is the first to touch, and faults of one warp "
        "come one after the other.",
        None,
    )


def why(rows):
    lines, some = swept(rows, {"LsuMisses", "MemHop", "WarpsPerSm", "--passes"}, PRESETS)
    large, _ = swept(rows, {"L1LargeEntries"}, PRESETS)
    lines += [x for x in large if x[0] == "L1LargeEntries=128"]
    if not lines:
        return None
    table = []
    for v, line in lines:
        values = speeds(rows, v)
        of = {k: x for k, x in values.items() if k in some}
        full = with_presets(of, PRESETS)
        table.append(
            [v or "as calibrated"]
            + (
                [text(*ratio(full, a, b)) for a, b in PAIRS]
                if full
                else ["", "", text(*line["mosaic"]) + " (of GPU-MMU as calibrated)"]
            )
        )
    return Item(
        "Why: the system around the MMU varied (sensitivity only)",
        ["system", "GPU-MMU of Ideal", "Mosaic of Ideal", "Mosaic of GPU-MMU"],
        table,
        f"{len({k[0] for k in some})} pairs, one seed; all presets with the same system.",
        None,
    )


def of_kind(kind):
    return lambda rows: [r for r in rows if r["what"] == kind and paging_of(r) == "resident"]


def beside_usual(rows, kind, vary=""):
    """{(load, seed): {preset: figures}} of the usual presets, with the runs of a kind as `kind`."""
    usual = with_presets(speeds(rows), PRESETS)
    found = speeds(rows, vary, of_kind(kind))
    return {k: {**usual[k], kind: next(iter(v.values()))} for k, v in found.items() if k in usual}


def bloat(rows):
    """{load: memory with 2 MiB pages beyond that with 4 KiB ones}"""
    base = {r["load"]: r for r in together(rows) if r["preset"] == "gpu-mmu" and r["vary"] == ""}
    return {
        r["load"]: int(r["held"]) / int(base[r["load"]]["resident"]) - 1
        for r in of_kind("large")(rows)
        if r["load"] in base
    }


def large(rows):
    values = beside_usual(rows, "large", " ".join(workflow_plan.LARGE))
    if not values:
        return None
    shown, table, more = ("gpu-mmu", "large", "mosaic"), [], bloat(rows)
    for x in sorted({k[0] for k in values}):
        of = {k: v for k, v in values.items() if k[0] == x}
        cells = [text(*ratio(of, p, "ideal")) for p in shown]
        table.append([names(x), *cells, percent(more[x]) if x in more else ""])
    means = [ratio(values, p, "ideal") for p in shown]
    cells = percent(mean(list(more.values()))) if more else ""
    table.append(["mean", *(text(*v) for v in means), cells])
    table.append(["paper", "0.519", "within 2 %", "", f"{100 * BLOAT:+.1f} %"])
    return Item(
        "Figure 3: 2 MiB pages, of Ideal",
        ["application", "GPU-MMU, 4 KiB", "GPU-MMU, 2 MiB", "Mosaic", "memory with 2 MiB pages"],
        table,
        "One application on all SMs, pages resident. 2 MiB: the TLBs have as many entries for "
        "2 MiB pages as for 4 KiB ones (128 and 512). Memory: of the frames that are held, beyond "
        "the 4 KiB pages that are used. Paper: sections 3.1 and 3.2.",
        None,
    )


PAIRS = (("gpu-mmu", "ideal"), ("mosaic", "ideal"), ("mosaic", "gpu-mmu"))


def make(rows):
    """Result"""
    values = with_presets(speeds(rows), PRESETS)
    what = kinds(rows)
    items = {
        "loads": loads(rows, values),
        "pairs": pairs(rows, values),
        "hits": hits(rows),
        "entries": entries(rows),
        "fragments": fragments(rows),
        "paging": paging(rows),
        "faults": faults(rows),
        "waits": waits(rows),
        "transfers": transfers(rows),
        "large": large(rows),
        "why": why(rows),
    }
    verdict, signs = [], []
    one = {k: v for k, v in values.items() if len(k[0]) == 1}
    if one:
        part = ratio(one, "gpu-mmu", "ideal")
        verdict.append(f"GPU-MMU alone reaches {text(*part)} of Ideal (paper: 0.519).")
        signs.append(Sign("GPU-MMU of Ideal, one application", *part, 0.519, "calibration"))
    huge = beside_usual(rows, "large", " ".join(workflow_plan.LARGE))
    if huge:
        part = ratio(huge, "large", "ideal")
        signs.append(Sign("GPU-MMU with 2 MiB pages, of Ideal", *part, 0.98, "first"))
        more = mean(list(bloat(rows).values()))
        of = "memory with 2 MiB pages beyond that with 4 KiB ones"
        signs.append(Sign(of, more, NAN, BLOAT, "ends"))
    for kind, name in (("same", "copies"), ("mixed", "mixed")):
        of = {k: v for k, v in values.items() if what[k[0]] == kind}
        if not of:
            continue
        g, i = ratio(of, "mosaic", "gpu-mmu"), ratio(of, "mosaic", "ideal")
        wins = [v["mosaic"][0] > v["gpu-mmu"][0] for v in of.values()]
        counts = sorted({len(k[0]) for k in of})
        verdict.append(
            f"{name.capitalize()}, {counts[0]} to {counts[-1]} applications, resident: Mosaic "
            f"{percent(g[0] - 1)} over GPU-MMU ({about(100 * g[1], 1)}), faster in {sum(wins)} of "
            f"{len(wins)} runs, {i[0]:.3f} of Ideal (paper, on demand: "
            + ("+55.5 %, 0.932)." if kind == "same" else "+29.7 %, 0.846).")
        )
        paper = ON_DEMAND[kind]
        signs.append(
            Sign(
                f"Mosaic over GPU-MMU, {name} (theirs on demand)",
                g[0] - 1,
                g[1],
                paper[0],
                "paging",
            )
        )
        signs.append(Sign(f"Mosaic of Ideal, {name} (theirs on demand)", *i, paper[1], "first"))
    paging_signs(rows, signs, verdict)
    base = [r for r in together(rows) if r["vary"] == "" and what[r["load"]] == "mixed"]
    for n, paper in ((2, 0.81), (5, 0.62)):
        of = [r for r in base if len(r["load"]) == n and r["preset"] == "gpu-mmu"]
        if of:
            v = by_seed(of, lambda r: r["l2_hits"])
            signs.append(Sign(f"GPU-MMU's L2 TLB hits, {n} applications", *v, paper, "once"))
    walks = {
        p: sum(r["walks"] for r in together(rows) if (r["preset"], r["vary"]) == (p, ""))
        for p in ("gpu-mmu", "mosaic")
    }
    left = f"{100 * walks['mosaic'] / max(1, walks['gpu-mmu']):.1f} %"
    if verdict:
        verdict[0] += f" Over all loads {left} of the walks are left with Mosaic."
    if items["why"]:
        lines = [r for r in items["why"].rows if r[3]]
        verdict.append(
            "Why: Mosaic over GPU-MMU is "
            + ", ".join(
                f"{r[3]} {r[0] if r[0][0] == 'a' else 'with `' + r[0] + '`'}" for r in lines
            )
            + ", on the pairs of the experiments: parameters that the paper does not print."
        )
    return Result(verdict, items, signs, *explained(rows))


def paging_signs(rows, signs, verdict):
    """Printed numbers of Figures 12 and 4, on demand and, beside them, at launch."""
    found, what = by_paging(rows), kinds(rows)
    for kind, name in KINDS.items() if set(workflow_plan.PAGINGS) <= set(found) else ():

        def pick(k, kind=kind):
            return what[k[0]] == kind

        new, (gain, ideal) = FIGURE_12[kind], ON_DEMAND[kind]
        v = against(found, "demand", "mosaic", pick=pick)
        if v[0] != v[0]:
            continue
        signs.append(
            Sign(f"Mosaic on demand over GPU-MMU resident, {name}", v[0] - 1, v[1], new, "bus")
        )
        v = against(found, "launch", "mosaic", "gpu-mmu", "front", pick)
        text_of = f"Mosaic at launch over GPU-MMU with the transfer in front, {name}"
        signs.append(Sign(text_of, v[0] - 1, v[1], new, "bus"))
        for p in workflow_plan.PAGINGS:
            v = against(found, p, "mosaic", "gpu-mmu", p, pick)
            text_of = f"Mosaic over GPU-MMU, both {WHEN[p]}, {name}"
            signs.append(Sign(text_of, v[0] - 1, v[1], gain, "bus"))
            v = against(found, p, "mosaic", "ideal", p, pick)
            text_of = f"Mosaic of Ideal, both {WHEN[p]}, {name}"
            signs.append(Sign(text_of, *v, ideal, "bus"))
    of, lost = faulted(rows), {}
    for n in sorted({len(k) for k in of}):
        some = [v for k, v in of.items() if len(k) == n and "large" in v]
        if not some:
            continue
        at = f"{n} at once" if n > 1 else "one application"
        for p in workflow_plan.PAGINGS if n in LOST else ():
            lost[n, p] = 1 - mean([share(v, p, "resident") for v in some])
            if lost[n, p] != lost[n, p]:
                continue
            theirs = " (theirs on demand)" if p == "launch" else ""
            text_of = f"lost with 4 KiB pages {WHEN[p]}, {at}{theirs}"
            signs.append(Sign(text_of, lost[n, p], NAN, LOST[n], "bus"))
        if n in LOST_LARGE:
            v = 1 - mean([share(v, "large", "demand") for v in some])
            text_of = f"lost with 2 MiB pages on demand against 4 KiB ones, {at}"
            signs.append(Sign(text_of, v, NAN, LOST_LARGE[n], "large"))
    if (1, "demand") in lost:
        verdict.append(
            f"Demand paging takes {100 * lost[1, 'demand']:.1f} % of GPU-MMU's speed with one "
            f"application (paper: {100 * LOST[1]:.1f} %)"
            + (
                f", transfers at launch {100 * lost[1, 'launch']:.1f} %"
                if lost[1, "launch"] == lost[1, "launch"]
                else ""
            )
            + "."
        )


def bus_times(rows):
    """{application: the bus's cycles for all of its pages over those of its run on GPU-MMU}"""
    of = {k: v["row"] for k, v in faulted(rows).items() if len(k) == 1}
    return {k: bus(r) / r["cycles"] for k, r in of.items()}


CALIBRATION = "the calibration: docs/calibration.md"


def explained(rows):
    """(reasons, paragraphs): what the experiments say, as far as they were run."""
    reasons = {
        "calibration": CALIBRATION,
        "paging": "theirs on demand; one miss of an SM at a time, and `MemHop`",
        "once": "one pass over the data: first touches",
        "first": "first touches and walks that take `MemHop`",
        "bus": "short kernels: their run against the bus (Why: the bus beside the run)",
        "large": "arrays are used whole and in order: 2 MiB come in one wait, not in 512",
        "ends": "by where arrays end: of whole 2 MiB nothing is lost, of 1 MiB as much again",
    }
    said = []
    times = bus_times(rows)
    if times:
        of = faulted(rows)
        few, many = (pick(times, key=times.get) for pick in (min, max))
        reasons["bus"] = (
            f"short kernels: the bus needs {mean(list(times.values())):.1f} times their run (Why)"
        )
        lost = [f"{100 * (1 - share(of[k], 'demand', 'resident')):.1f}" for k in (few, many)]
        said.append(
            "Demand paging: the paper's kernels run long beside their transfers (it loses "
            f"{100 * LOST[1]:.1f} % with one application), ours are short: the bus alone needs "
            f"{times[few]:.1f} ({names(few)}) to {times[many]:.1f} ({names(many)}) times the run "
            f"with resident pages, and {lost[0]} and {lost[1]} % are lost on demand. GPU-MMU, "
            "Mosaic and Ideal wait for the same bus; what a TLB saves is hidden behind it."
        )
    of = {k: v for k, v in faulted(rows).items() if "large, no wait" in v}
    if of:
        with_wait = mean([share(v, "large", "demand") for v in of.values()])
        without = mean([share(v, "large, no wait", "demand, no wait") for v in of.values()])
        reasons["large"] = "the wait for each page; without it the paper's sign (Why: the wait)"
        said.append(
            f"2 MiB pages on demand are {with_wait:.2f} times as fast as 4 KiB ones in the mean of "
            f"{len(of)} loads, as 4 KiB pages wait {BUS_WAIT / 1000} us up to 512 times as often. "
            f"Without that wait (`--bus-wait 0`) they are {without:.2f} times as fast: they carry "
            "more, or as much with fewer faults. In the paper they lose 92.5 % and more."
        )
    values = {v: with_presets(speeds(rows, v), PRESETS) for v in ("", *VARIED)}
    loads = set(values["LsuMisses=4"])
    if loads:
        values[""] = {k: x for k, x in values[""].items() if k in loads}
        g = {v: [ratio(x, a, b)[0] for a, b in PAIRS] for v, x in values.items() if x}
        said.append(
            "The paper's gains are on demand, ours with resident pages; it says that demand paging "
            "has little impact, as data come when a kernel is launched (section 6.2). Ours depend "
            "on how many misses an SM has at a time and on the way to the L2 cache: on the pairs "
            "of the experiments GPU-MMU reaches "
            f"{g[''][0]:.3f} of Ideal and Mosaic gains {percent(g[''][2] - 1)}"
            + "".join(
                f", with `{v}` {g[v][0]:.3f} and {percent(g[v][2] - 1)}" for v in VARIED if v in g
            )
            + ". The paper prints 0.519 of one application."
        )
        mine = [r for r in together(rows) if r["vary"] == "" and (r["load"], r["seed"]) in loads]
        base = [r for r in mine if r["preset"] == "gpu-mmu"]
        first = by_seed(base, lambda r: r["pages"] / r["walks"])[0]
        mine = [r for r in mine if r["preset"] == "mosaic"]
        said.append(
            f"{100 * first:.0f} % of GPU-MMU's walks there are of pages that are walked for the "
            "first time: one pass over the data, of which no TLB could hit them." + passes(rows)
        )
        walks = by_seed(mine, lambda r: r["walks"])[0]
        l1 = by_seed(mine, lambda r: r["l1_hits"])[0]
        said.append(
            f"Mosaic reaches {g[''][1]:.3f} of Ideal on these pairs. {walks:.0f} walks are left "
            f"in the mean, of pages outside whole frames and first touches; its L1 TLBs hit "
            f"{100 * l1:.1f} %. Without the way to the L2 cache (`MemHop=0`) it reaches "
            f"{g.get('MemHop=0', [NAN] * 3)[1]:.3f}."
        )
    return reasons, said


def passes(rows):
    """What the L2 TLB hits when each application goes over its data four times."""
    of = {(r["load"], r["seed"]) for r in rows if r["vary"] == "--passes=4"}
    base = [r for r in together(rows) if (r["load"], r["seed"]) in of and r["preset"] == "gpu-mmu"]
    hits = [
        by_seed([r for r in base if r["vary"] == v], lambda r: r["l2_hits"])[0]
        for v in ("", "--passes=4")
    ]
    if not of:
        return ""
    return (
        f" With four passes of each application (`--passes=4`) GPU-MMU's L2 TLB hits "
        f"{100 * hits[1]:.1f} % on the same pairs, with one {100 * hits[0]:.1f} %."
    )


VARIED = (
    "LsuMisses=2",
    "LsuMisses=4",
    "LsuMisses=0",
    "WarpsPerSm=16",
    "WarpsPerSm=32",
    "MemHop=0",
    "--passes=4",
)
