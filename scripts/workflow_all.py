# SPDX-License-Identifier: Apache-2.0
"""Preset `all` in the results workflow, beside the presets that it is made of: verdict, tables,
what each mechanism gives and costs. No paper has it: no printed numbers."""

import collections

import workflow_plan
from workflow_stats import Item, Result, mean, names, over, percent, text

TITLE = "All mechanisms together"
OF_PAPER = []
GOALS = {1: 0.95, 2: 0.90}
KINDS = {1: "one application on all SMs", 2: "pairs"}
SHOWN = "gpu-mmu mask mesc mosaic all".split()
OWN = "all, Ideal"
VARIANTS = {**workflow_plan.TOGETHER, **workflow_plan.WITHOUT, **workflow_plan.WITH}
NAMES = {
    (p, " ".join(vary), " ".join(["--no-policy", *options])): name
    for name, (p, vary, options) in VARIANTS.items()
}


def speeds(rows):
    """{(load, seed): {name of TOGETHER, WITHOUT, WITH: weighted speedup}}"""
    alone, out = {}, {}
    for r in rows:
        if r["what"] == "alone":
            alone[r["load"][0], r["seed"], r["sms"]] = r["ipc"][0]
    for r in rows:
        name = NAMES.get((r["preset"], r["vary"], r["options"]))
        if r["what"] != "alone" and name:
            sms = r["sms"].split("+")
            of = [i / alone[a, r["seed"], n] for a, i, n in zip(r["load"], r["ipc"], sms)]
            out.setdefault((r["load"], r["seed"]), {})[name] = sum(of)
    return out


def ratio(values, a, b):
    """Mean over loads and seeds of a over b, of the runs that have both, with the seeds' spread."""
    return over({k: v for k, v in values.items() if a in v and b in v}, lambda v: v[a] / v[b])


def of_size(values, n):
    return {k: v for k, v in values.items() if len(k[0]) == n}


def loads_of(values):
    return sorted({k[0] for k in values}, key=lambda x: (len(x), names(x)))


def beside(values):
    table, series, groups = [], {p: [] for p in SHOWN}, []
    for n, kind in KINDS.items():
        part = of_size(values, n)
        for x in loads_of(part):
            of = {k: v for k, v in part.items() if k[0] == x}
            found = [ratio(of, p, "ideal") for p in SHOWN]
            table.append([names(x), *(text(*v) for v in found), text(*ratio(of, OWN, "ideal"))])
            for p, v in zip(SHOWN, found):
                series[p].append(v)
            groups.append(names(x))
        if part:
            means = [text(*ratio(part, p, "ideal")) for p in (*SHOWN, OWN)]
            table += [[f"mean, {kind}", *means], ["goal", "", "", "", "", f"{GOALS[n]:.2f}", ""]]
    return Item(
        "Each preset, of Ideal",
        ["load", *SHOWN, "`all` with Ideal=1"],
        table,
        "Weighted speedup over Ideal's. Ideal is GPU-MMU with an L1 TLB that always hits, in "
        "Mosaic's memory system; the last column is the same of `all`, in its own: what its memory "
        "system costs or gives with nothing to translate.",
        (
            "weighted speedup of Ideal's",
            [(p, [m for m, _ in v], [h for _, h in v]) for p, v in series.items()],
            groups,
        ),
    )


def turned_off(values):
    """Each mechanism off in turn; and what `all` does not have."""
    table = []
    for title, group in (("without", workflow_plan.WITHOUT), ("with", workflow_plan.WITH)):
        for name in group:
            cells = [f"{title} {name}"]
            for n in KINDS:
                part = {k: v for k, v in of_size(values, n).items() if name in v and "all" in v}
                slower = sum(v[name] < 0.99 * v["all"] for v in part.values())
                faster = sum(v[name] > 1.01 * v["all"] for v in part.values())
                cells += [text(*ratio(part, name, "all")) if part else ""]
                cells += [f"{slower}, {faster} of {len(part)}"]
            preset, vary, options = VARIANTS[name]
            what = [x for x in vary]
            what += ["--manager base"] if options[-1] == "base" else []
            what += ["--no-scan"] if options[-1] == "--no-scan" else []
            table.append([*cells, f"`{' '.join(what)}`"])
    return Item(
        "One mechanism less, one more: weighted speedup of `all`'s",
        ["", "one application", "slower, faster", "pairs", "slower, faster", "by"],
        table,
        "Below 1: `all` is faster with it. Slower, faster: runs, of loads and seeds, that lose or "
        "gain more than 1 % of `all`'s speed.",
        None,
    )


def cells_of(of, pairs):
    return [text(*ratio(of, a, b)) for a, b in pairs]


def losses(values):
    """Where `all` is below its goal: what of it is translation, what memory."""
    pairs = [("all", "ideal"), ("all", OWN), (OWN, "ideal")]
    pairs += [(x, "ideal") for x in ("DRAM classes", "pages in one channel", "the last two")]
    pairs += [("a page walk cache", "ideal")]
    table = []
    for x in loads_of(values):
        of = {k: v for k, v in values.items() if k[0] == x}
        if ratio(of, "all", "ideal")[0] < GOALS[len(x)]:
            table.append([names(x), *cells_of(of, pairs)])
    if not table:
        return None
    return Item(
        "Where `all` is below its goal",
        ["load", "`all` of Ideal", "of its own Ideal", "its Ideal of Ideal"]
        + ["without DRAM classes", "without pages in one channel", "without both"]
        + ["with a page walk cache"],
        table,
        "The second column is what translation costs, the third what the memory system of `all` "
        "costs or gives; the others are of Ideal too.",
        None,
    )


CALLED = {"mask": "MASK", "mesc": "MESC", "mosaic": "Mosaic"}
PARTS = tuple(CALLED)


def beaten(values, name="all"):
    """Runs in which `all` is slower than the best of the presets that it is made of."""
    return [max(v[p] for p in PARTS) > 1.01 * v[name] for v in values.values()]


def verdict(values):
    out = []
    for n, kind in KINDS.items():
        part = of_size(values, n)
        of = {p: ratio(part, p, "ideal") for p in (*SHOWN, OWN)}
        met = "met" if of["all"][0] >= GOALS[n] else "missed"
        out.append(
            f"{kind[0].upper()}{kind[1:]}: `all` reaches {text(*of['all'])} of Ideal (goal "
            f"{GOALS[n]:.2f}: {met}), Mosaic {of['mosaic'][0]:.3f}, MESC {of['mesc'][0]:.3f}, MASK "
            f"{of['mask'][0]:.3f}, GPU-MMU {of['gpu-mmu'][0]:.3f}."
        )
    slow = beaten(values)
    own = ratio(values, "all", OWN)
    out.append(
        f"It is the fastest of the four in {len(slow) - sum(slow)} of {len(slow)} runs (within 1 "
        f"%); of its own Ideal, in its own memory system, it reaches {text(*own)}."
    )
    gives = {x: ratio(values, x, "all")[0] - 1 for x in workflow_plan.WITHOUT}
    single = {x: v for x, v in gives.items() if x not in ("the last two", "scan")}
    worst = max(single, key=single.get)
    out.append(
        "One mechanism less, weighted speedup over all loads: "
        + ", ".join(f"{x} {percent(v)}" for x, v in sorted(single.items(), key=lambda x: x[1]))
        + "."
    )
    out.append(
        f"Why: MESC's subregions carry it ({percent(gives['scan'])} when the memory manager does "
        f"not tell what is contiguous, as before its scan); what costs most is {worst} "
        f"({percent(single[worst])} without)."
    )
    return out


def make(rows):
    """Result"""
    values = {k: v for k, v in speeds(rows).items() if {*SHOWN, OWN, "ideal"} <= set(v)}
    items = {
        "beside": beside(values),
        "off": turned_off(values),
        "losses": losses(values),
    }
    return Result(verdict(values), items, [], {}, paragraphs(rows, values))


def paragraphs(rows, values):
    epochs = [r["epochs"] for r in rows if r["preset"] == "all" and r["epochs"] == r["epochs"]]
    said = [
        "MASK and GPU-MMU have the base pages of Mosaic's baseline manager, MESC an operating "
        "system's frames (`--frames os`, 30 SMs at 1,020 MHz and 16 KiB L1 data caches here, its "
        "TLBs and page walk cache as in its preset), Mosaic and `all` Mosaic's manager; every "
        "preset has Mosaic's calibrated memory system, and TLBs of its own sizes (128 entries in "
        "the L1 of GPU-MMU and Mosaic, 64 of MASK and `all`, 32 of MESC)."
    ]
    if epochs:
        said.append(
            f"The runs of `all` have {mean(epochs):.1f} epochs of 100,000 cycles in the mean; in "
            "the first one every warp may fill, so that fill tokens hardly bind here."
        )
    memory = ("DRAM classes", "the last two")
    both = {k: v for k, v in values.items() if set(memory) <= set(v)}
    by = collections.Counter(
        max(PARTS, key=v.get) for v, slow in zip(both.values(), beaten(both)) if slow
    )
    if by:
        shares = [
            " and ".join(f"{ratio(of_size(both, n), x, 'ideal')[0]:.3f}" for n in KINDS)
            for x in memory
        ]
        said.append(
            "Where `all` is not the fastest, "
            + " or ".join(f"{CALLED[p]} is ({n} runs)" for p, n in sorted(by.items()))
            + f". Without DRAM classes `all` has {shares[0]} of Ideal (one application and pairs) "
            f"and is beaten in {sum(beaten(both, memory[0]))} of {len(both)} runs, without pages "
            f"in one channel either {shares[1]} and in {sum(beaten(both, memory[1]))}: its "
            "memory system costs it that, not translation."
        )
    return said
