# SPDX-License-Identifier: Apache-2.0
"""Experiments of docs/results-gdm.md on each figure of the paper that is missed."""

from gdm_plan import (
    GAINS,
    GDEV_PAIR,
    GDEV_SHARES,
    LONGER,
    PHASE_PAIR,
    PHASES,
    STAGED,
    STAGED_PAIR,
)
from gdm_runs import GROUP1
from gdm_tables import mean, name, pct, spread


def alone(extra):
    """With what solo runs a pair is compared: regions that stay, or not."""
    return ("--keep",) if "--keep" in extra else ()


def over_base(t):
    t.say(
        "**Over `base`** (paper: throughput +21 %, up to +46 %; efficiency +14 %, up to +37 %): "
        "the 14 pairs, mean, least to most, with what signatures cost left out, with regions that "
        "stay over repetitions, and with launches that load what their arguments name instead of "
        "the whole context; the same with hardware's bits. `base` is as above, or keeps its "
        "regions too.\n"
    )
    rows = []
    for text, s, extra, of_base in GAINS:
        v, e = [], []
        for p in GROUP1:
            for to, of in ((v, t.throughput), (e, t.efficiency)):
                ours = of(p, s, "1", *extra, alone=alone(extra))
                to.append(ours / of(p, "base", "1", *of_base, alone=alone(of_base)) - 1)
        # a run with --keep counts the time in which one program is there alone, too
        rows.append((text, spread(v), sum(a < 0 for a in v), "" if of_base else spread(e)))
    t.table(("", "throughput over base", "pairs below", "efficiency over base"), rows)


def gdev_pair(t):
    t.say(
        f"**{name(GDEV_PAIR)} with `gdev` against `gdm`** (paper: 70 %), where regions stay, with "
        "DMA's share of both programs times x.\n"
    )
    rows = []
    for x in GDEV_SHARES:
        g, s = (t.throughput(GDEV_PAIR, p, x, "--keep", alone=("--keep",)) for p in ("gdev", "sig"))
        ratio = f"{100 * g / s:.0f} %" if g and s else ""
        rows.append((x, *(f"{v:.3f}" if v else "X" for v in (g, s)), ratio))
    t.table(("x", "gdev", "gdm, signatures", "gdev / gdm"), rows)


def phase_pair(t):
    t.say(
        f'**{name(PHASE_PAIR)}, which fits, against `gdev`** (paper: "barely observable"): '
        "throughput; how long a repetition of each takes, and how many ended; how much of the time "
        "the kernel engine is busy. Two programs that go in step have as many repetitions each.\n"
    )
    rows = []
    for text, extra in PHASES:
        g = t.throughput(PHASE_PAIR, "gdev", "1", *extra, *LONGER)
        for s in ("gdev", "base", "sig"):
            r = t.r.get(PHASE_PAIR, s, *extra, *LONGER)
            v = t.throughput(PHASE_PAIR, s, "1", *extra, *LONGER)
            rows.append(
                (
                    text if s == "gdev" else "",
                    {"sig": "signatures"}.get(s, s),
                    f"{v:.3f}",
                    pct(v / g - 1),
                    *(f"{a['mean_ns'] / 1e6:.2f}, {a['reps']}" for a in r["apps"]),
                    f"{100 * r['stats']['kernel_ns'] / r['ns']:.1f} %",
                )
            )
    t.table(
        ("", "", "throughput", "over gdev", *(f"ms of {p}" for p in PHASE_PAIR), "busy"),
        rows,
    )


def staged_pair(t):
    t.say(
        f"**{name(STAGED_PAIR)}** (paper: efficiency 97 to 98 %, throughput +4 % over base): "
        "5 repetitions, by where copies out go and how fast the CPU copies; written back and "
        "loaded again in MB for each second.\n"
    )
    rows = []
    for text, s, extra in (
        ("`base`", "base", ()),
        *((text, "sig", extra) for text, extra in STAGED),
        ("hardware's bits", "hw", ()),
    ):
        r = t.r.get(STAGED_PAIR, s, *extra, *LONGER)
        rows.append(
            (
                text,
                f"{t.throughput(STAGED_PAIR, s, '1', *extra, *LONGER):.3f}",
                f"{100 * t.efficiency(STAGED_PAIR, s, '1', *extra, *LONGER):.1f}",
                *(f"{a['mean_ns'] / 1e6:.2f}" for a in r["apps"]),
                r["stats"]["evict_clean"] + r["stats"]["evict_dirty"],
                *(
                    f"{r['stats'][k] / 2**20 / r['ns'] * 1e9:.0f}"
                    for k in ("evict_bytes", "reload_bytes")
                ),
            )
        )
    t.table(
        (
            "",
            "throughput",
            "efficiency %",
            *(f"ms of {p}" for p in STAGED_PAIR),
            "evictions",
            "written back",
            "loaded again",
        ),
        rows,
    )


def misses(t):
    t.say("## What is missed, and by what it moves\n")
    t.say(
        "`scripts/run_gdm.py misses --no-page` does these runs and prints this section; the "
        "options of each run stand in the file of results.\n"
    )
    over_base(t)
    gdev_pair(t)
    phase_pair(t)
    staged_pair(t)
