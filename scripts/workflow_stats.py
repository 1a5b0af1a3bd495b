# SPDX-License-Identifier: Apache-2.0
"""What the papers' parts of the results workflow have in common: rows of its table
(workflow_run.py), means with their spread over seeds, speeds of several applications.

Numbers headed "paper" are printed in the papers' text or tables.
"""

import collections
import statistics

import workflow_plan
import workflow_run

Item = collections.namedtuple("Item", "title head rows notes plot")
# plot: (label of the axis, [(series, [value, ...], [spread, ...])], [group, ...]) or None
Sign = collections.namedtuple("Sign", "what ours half paper why")
# a printed number beside ours; why: what explains a difference
Result = collections.namedtuple("Result", "verdict items signs reasons why")
# items: {name: Item or None}; reasons: what a Sign's `why` stands for; why: paragraphs
NAN = float("nan")
RATES = (
    "l1_hits l2_hits walks_at_a_time warps_per_miss bypass_hits lsu_stall t_latency d_latency "
    "t_share dram_use hits_data hits_1 hits_2 hits_3 hits_4 bypassed_4"
).split()
COUNTS = "seed cycles accesses walks pages epochs".split()
ENERGY = workflow_run.ENERGY


def read(rows):
    """Rows of a CSV with their numbers as such; a load as a tuple of KERNEL:SIZE."""
    for r in rows:
        for k in RATES:
            r[k] = float(r[k]) if r[k] else NAN
        for k in (*COUNTS, *(k for k in ENERGY if k in r)):
            r[k] = int(r[k]) if r[k] else NAN
        r["load"] = tuple(r["load"].split("+"))
        r["ipc"] = [float(x) for x in r["ipc_each"].split("+")]
    return rows


def names(load):
    return "_".join(x.split(":")[0] for x in load)


def mean(v):
    v = [x for x in v if x == x]
    return statistics.fmean(v) if v else NAN


def spread(by_seed):
    """(mean over seeds, half of what lies between least and most; not a number: one seed)"""
    v = list(by_seed.values())
    return mean(v), (max(v) - min(v)) / 2 if len(v) > 1 else NAN


def about(half, digits=3):
    return "one seed" if half != half else f"± {half:.{digits}f}"


def text(value, half):
    if value != value:
        return ""
    return f"{value:.3f}" + ("" if half != half else f" {about(half)}")


def percent(value, half=NAN, digits=1):
    return f"{100 * value:+.{digits}f} %" + ("" if half != half else f" (± {100 * half:.1f})")


def beside(ours, half, paper):
    """Ours against a printed number: what differs by less than the spread does not differ."""
    off = (ours - paper) / abs(paper)
    if off != off:
        return ""
    return "inside the spread" if abs(ours - paper) <= half else f"{off:+.0%}"


def pooled(values):
    """{(what, seed): value}: the mean over what of the mean over its seeds; the spread of the
    seeds' means over what all seeds have."""
    by, seeds = collections.defaultdict(dict), {s for _, s in values}
    for (what, s), v in values.items():
        by[what][s] = v
    all_have = [v for v in by.values() if set(v) == seeds]
    half = spread({s: mean([v[s] for v in all_have]) for s in seeds})[1] if all_have else NAN
    return mean([mean(list(v.values())) for v in by.values()]), half


def by_seed(rows, pick):
    """Mean over loads of the mean over seeds, with the spread of the seeds."""
    return pooled({((r["load"], r["what"], r["options"]), r["seed"]): pick(r) for r in rows})


def together(rows):
    """Rows of applications together whose pages are resident in memory of their own."""
    return [
        r
        for r in rows
        if r["what"] in ("same", "mixed")
        and workflow_plan.paging_of(r["options"]) not in workflow_plan.PAGINGS
        and "foreign" not in r["options"]
    ]


def speeds(rows, vary="", pick=together):
    """Of the rows that `pick` takes, {(load, seed): {preset: (weighted speedup, unfairness, IPC)}}:
    each application against itself alone on the baseline, as calibrated, with as many SMs; where
    `vary` is another GPU, for which there are such runs, on that one."""
    alone, out = {}, collections.defaultdict(dict)
    other = any(r["what"] == "alone" and r["vary"] == vary for r in rows)
    for r in rows:
        if r["what"] == "alone" and r["vary"] == (vary if other else ""):
            alone[r["load"][0], r["seed"], r["sms"]] = r["ipc"][0]
    for r in pick(rows):
        if r["vary"] != vary:
            continue
        sms = r["sms"].split("+")
        ratio = [i / alone[a, r["seed"], n] for a, i, n in zip(r["load"], r["ipc"], sms)]
        out[r["load"], r["seed"]][r["preset"]] = (
            sum(ratio),
            max(1 / x for x in ratio),
            sum(r["ipc"]),
        )
    return out


def over(values, pick):
    """Mean over loads of the mean over seeds of pick(presets' figures), and the seeds' spread."""
    return pooled({k: pick(of) for k, of in values.items()})


def ratio(values, a, b, n=0):
    """Of figure n (weighted speedup, unfairness, IPC), preset a over preset b."""
    return over(values, lambda v: v[a][n] / v[b][n])


def with_presets(values, presets):
    return {k: v for k, v in values.items() if set(presets) <= set(v)}
