# SPDX-License-Identifier: Apache-2.0
"""Experiments of docs/results-gdm.md: what is behind the differences from the paper, constants,
seeds, the range of the shares."""

from gdm_plan import (
    ALONE,
    BASE_TOO,
    BELOW,
    CONSTANTS,
    FAULTS,
    FREE_FILL,
    HEURISTICS,
    HJ_MPE,
    LONGER,
    OFF,
    ONE_OFF,
    ON_FAULTS,
    PHASE_SEEDS,
    SCALED,
    SCALED_PAIRS,
    SCALED_PAIRS_AT,
    SCALES,
    SEEDS,
    SENSE,
    SHARES,
    WHOLE,
    changed,
    phase,
    scaled,
    share,
    whole_done,
)
from gdm_runs import BENCHMARKS, GROUP1, GROUP2, crashed, gpu_ns
from gdm_tables import gains, kept_gains, mean, name, pct, spread


def why(t):
    say = t.say
    say("## Experiments behind the differences\n")
    say(
        "What is written back, over the 14 pairs: evictions, those that wrote back, and throughput "
        "over `base`. Signatures call a block dirty that has no "
        "earlier signature, also one that is only read; hardware's bits do not.\n"
    )
    rows = []
    for s in ("base", "sig", "hw"):
        e = [t.r.get(p, s)["stats"] for p in GROUP1]
        out = [x["evict_dirty"] / (x["evict_dirty"] + x["evict_clean"]) for x in e]
        rows.append(
            (
                s,
                sum(x["evict_dirty"] + x["evict_clean"] for x in e),
                f"{100 * mean(out):.0f} %, {100 * min(out):.0f} to {100 * max(out):.0f} %",
                spread([t.throughput(p, s) / t.throughput(p, "base") - 1 for p in GROUP1]),
            )
        )
    t.table(("", "evictions", "written back: mean of pairs, least to most", "over base"), rows)
    say(
        "hj+mpe: throughput, by what replacement may do, as above and with 5 repetitions; of these "
        "what was written back and loaded again.\n"
    )
    p, rows = ("hj", "mpe"), []
    for text, s, extra in HJ_MPE:
        r = t.r.get(p, s, *extra, *LONGER)
        rows.append(
            (
                text,
                *(f"{t.throughput(p, s, '1', *extra, *e):.3f}" for e in ((), LONGER)),
                *(
                    f"{r['stats'][k] / 2**20 / r['ns'] * 1e9:.0f}"
                    for k in ("evict_bytes", "reload_bytes")
                ),
            )
        )
    t.table(("", "throughput", "5 repetitions", "written back, MB/s", "loaded again, MB/s"), rows)
    say(
        "Alone, signatures against `gdev`: with copies out through the staging area (`--watch "
        "eager`, where sources are copied at once, too), without the "
        "start-up of each block's DMA, without the time that clearing takes "
        "(`fill_bytes_per_s=1e13`; `gdev` clears for nothing), without either.\n"
    )
    over_ = {
        b: [
            t.solo(b, "sig", "1", *e)["apps"][0]["mean_ns"] / t.solo(b)["apps"][0]["mean_ns"] - 1
            for _, e in ALONE
        ]
        for b in BENCHMARKS
    }
    rows = [(b, *(pct(v, 2) for v in over_[b])) for b in BENCHMARKS]
    rows.append(
        ("mean", *(pct(mean(over_[b][i] for b in BENCHMARKS), 2) for i in range(len(ALONE))))
    )
    t.table(("program", *(text for text, _ in ALONE)), rows)
    say(
        "Pairs that fit, signatures over `gdev`: as above, without the time that clearing takes, "
        "and with the CPU's times drawn from 50 to 150 % "
        f"(`jitter_ppm=500000`, 4 repetitions, mean of {len(PHASE_SEEDS)} seeds for both systems), "
        "which breaks up programs that go in step.\n"
    )
    rows, v = [], []
    for p in GROUP2:
        g = t.throughput(p, "gdev")
        late = {
            s: mean(t.throughput(p, s, "1", *phase(x)) for x in PHASE_SEEDS)
            for s in ("gdev", "sig")
        }
        v.append(
            (
                t.throughput(p, "sig") / g - 1,
                t.throughput(p, "sig", "1", *FREE_FILL) / g - 1,
                late["sig"] / late["gdev"] - 1,
            )
        )
        rows.append((name(p), *(pct(x) for x in v[-1])))
    rows.append(("mean", *(pct(mean(x[i] for x in v)) for i in range(3))))
    rows.append(
        (
            "mean without backprop+mpe",
            *(
                pct(mean(x[i] for p, x in zip(GROUP2, v) if p != ("backprop", "mpe")))
                for i in range(3)
            ),
        )
    )
    t.table(("pair", "as above", "no clearing", "CPU's times vary"), rows)


def signing(t, extra, x="1"):
    """Of each pair: throughput against all heuristics on, part of the time that goes to signing,
    blocks signed for each evicted."""
    g, sign, blocks = [], [], []
    for p in GROUP1:
        s = t.r.get(p, "sig", *share(x), *extra)["stats"]
        g.append(t.throughput(p, "sig", x, *extra) / t.throughput(p, "sig", x) - 1)
        sign.append(s["sign_ns"] / gpu_ns(s))
        blocks.append(s["blocks_signed"] / max(1, s["evict_clean"] + s["evict_dirty"]))
    return g, sign, blocks


def heuristics(t):
    t.say("## What signatures cost (section 4.4)\n")
    t.say(
        "Means over the 14 pairs: throughput against all heuristics on; time of maintenance "
        "kernels in that of all kernels and copies.\n"
    )
    rows = []
    for text, extra in OFF:
        g, sign, blocks = signing(t, extra)
        rows.append(
            (
                text,
                pct(mean(g), 2),
                f"{pct(min(g), 2)} to {pct(max(g), 2)}",
                f"{100 * mean(sign):.2f} %",
                f"{mean(blocks):.2f}",
            )
        )
    t.table(("", "throughput", "from, to", "time signing", "blocks signed for each evicted"), rows)
    t.say(
        "Uniformity, where leaving it out changes throughput by more than 1 %: blocks that it "
        "called dirty unseen, and evictions that wrote back, "
        "with it and without.\n"
    )
    rows = []
    for p in GROUP1:
        g = t.throughput(p, "sig", "1", HEURISTICS[0]) / t.throughput(p, "sig") - 1
        a, b = t.r.get(p, "sig")["stats"], t.r.get(p, "sig", HEURISTICS[0])["stats"]
        if abs(g) > 0.01:
            rows.append(
                (
                    name(p),
                    pct(g),
                    a["blocks_assumed"],
                    f"{100 * a['evict_dirty'] / (a['evict_dirty'] + a['evict_clean']):.1f} %",
                    f"{100 * b['evict_dirty'] / (b['evict_dirty'] + b['evict_clean']):.1f} %",
                )
            )
    t.table(
        ("pair", "without it", "called dirty", "written back of all evicted", "without it"), rows
    )


def faults(t):
    t.say("## With replayable faults\n")
    t.say(
        "Launches then load only what their arguments and copies name; the rest comes when it is "
        "touched. Throughput against `--faults off`, and "
        "of hardware's bits over signatures, both with faults.\n"
    )
    rows, all_ = [], []
    for p in GROUP1:
        on = {s: t.throughput(p, s, "1", *FAULTS) for s in ("sig", "hw")}
        g = [on[s] / t.throughput(p, s) - 1 for s in on] + [on["hw"] / on["sig"] - 1]
        n = [t.r.get(p, s, *FAULTS)["stats"]["faults"] for s in on]
        all_.append(g)
        rows.append((name(p), *(pct(v) for v in g), *n))
    rows.append(("mean", *(pct(mean(g[i] for g in all_)) for i in range(3)), "", ""))
    t.table(("pair", "signatures", "hw", "hw over signatures", "faults, signatures", "hw"), rows)


def sensitivity(t):
    t.say("## Constants\n")
    t.say(
        f"{', '.join(name(p) for p in SENSE)}: throughput of `gdm` with signatures, and its gain "
        "over `base`, and of hardware's dirty bits over "
        "signatures, with one constant changed (full-size values). The first line is the default; "
        "those of `fault_ns` are with replayable faults "
        "(`--faults on`), above `base` without.\n"
    )
    rows = []
    for k, v in [("", "")] + [
        (k, v) for k, values in CONSTANTS.items() for v in ("",) * (k in ON_FAULTS) + values
    ]:
        extra = changed(k, v)
        row = [f"`{k}` = {v}" if v else f"default, `{' '.join(FAULTS)}`" if k else "default"]
        for p in SENSE:
            sig, hw = (t.throughput(p, s, "1", *extra) for s in ("sig", "hw"))
            base = t.throughput(p, "base", "1", *(extra if k in BASE_TOO else ()))
            row += [
                f"{sig:.3f}" if sig else "X",
                pct(sig / base - 1) if sig and base else "X",
                pct(hw / sig - 1) if hw and sig else "X",
            ]
        rows.append(row)
    t.table(("", *(h for p in SENSE for h in (name(p), "over base", "hw over signatures"))), rows)


def seeds(t):
    t.say("## Other seeds\n")
    t.say(
        "Other data and other times of the CPU (within 1 %). Means over the 14 pairs; last, the "
        "pair whose throughput differs most.\n"
    )
    rows, values = [], {(p, s): [] for p in GROUP1 for s in ("base", "sig", "hw")}
    for seed in (str(t.r.seed), *SEEDS):
        extra = () if seed == str(t.r.seed) else ("--seed", seed)
        v = {k: t.throughput(*k, "1", *extra, alone=extra) for k in values}
        for k in v:
            values[k].append(v[k])
        rows.append(
            (
                seed,
                *(f"{mean(v[p, s] for p in GROUP1):.4f}" for s in ("base", "sig", "hw")),
                spread([v[p, "sig"] / v[p, "base"] - 1 for p in GROUP1]),
                spread([v[p, "hw"] / v[p, "sig"] - 1 for p in GROUP1]),
            )
        )
    t.table(
        (
            "seed",
            "base",
            "signatures",
            "hw",
            "over base: mean, least to most",
            "hw over signatures",
        ),
        rows,
    )
    worst = max(values, key=lambda k: max(values[k]) / min(values[k]))
    t.say(
        f"{name(worst[0])}, {worst[1]}: {pct(max(values[worst]) / min(values[worst]) - 1, 2)} "
        "between seeds.\n"
    )


def leak(t, s, x="1"):
    """theano: iterations done, first slower one (0: none), mean ns before and after."""
    ns = t.r.get(("theano",), s, "--marks", "--reps", "1", *share(x))["apps"][0].get("mark_ns", [])
    slow = next((i for i, v in enumerate(ns) if v > 1.1 * ns[1]), len(ns))
    return len(ns), slow + 1 if slow < len(ns) else 0, mean(ns[1:slow]), mean(ns[slow + 1 :])


def slowdown(t, p, s, x="1"):
    """By the malicious program; None: crashed."""
    a = t.r.get((p, "malicious"), s, *share(x))["apps"][0]
    return (
        None
        if a["error"] or not a["reps"]
        else a["mean_ns"] / t.solo(p, "gdev", x)["apps"][0]["mean_ns"] - 1
    )


def each(value, form=pct):
    """One cell: the value at each factor."""
    v = [value(x) for x in SHARES]
    return " / ".join("X" if a is None else form(a) for a in v)


def over(t, pair, a, b, x):
    va, vb = t.throughput(pair, a, x), t.throughput(pair, b, x)
    return va / vb - 1 if va and vb else None


def tenths(a):
    return f"{100 * a:.1f}"


def whole(a):
    return pct(a, 0)


def hundredths(a):
    return pct(a, 2)


def below(t):
    """Pairs and factors at which signatures are more than 2 % below base."""
    return [
        (p, x)
        for p in GROUP1
        for x in SHARES
        if t.throughput(p, "sig", x) < 0.98 * t.throughput(p, "base", x)
    ]


def shares(t):
    """Every result of section 6 at each factor."""
    say = t.say
    say("## Over a range of the assumed shares\n")
    say(
        f"All of the above with each benchmark's share of DMA times {', '.join(SHARES)}, at the "
        "cost or in favour of its kernels; what stands between "
        "slashes is in this order. First means over the pairs above 1400 MB (least to most).\n"
    )
    rows = []
    for x in SHARES:
        g = gains(t, x)
        ends = [
            sum(not crashed(t.r.get(p, s, *share(x))) for p in GROUP1)
            for s in ("none", "gdev", "base", "sig", "hw")
        ]
        rows.append(
            (
                x,
                ", ".join(str(e) for e in ends),
                spread(g["base"]),
                spread(g["eff"]),
                spread(g["hw"]),
                ", ".join(f"{100 * g['efficiency'][s]:.0f}" for s in ("base", "sig", "hw")),
            )
        )
    t.table(
        (
            "DMA share x",
            "none, gdev, base, signatures, hw finish, of 14",
            "over base",
            "efficiency over base",
            "hw over signatures",
            "efficiency % of base, signatures, hw",
        ),
        rows,
    )
    say("Each pair above 1400 MB: throughput, gains, work efficiency.\n")
    rows = [
        (
            name(p),
            *(
                each(lambda x, s=s, p=p: t.throughput(p, s, x), "{:.3f}".format)
                for s in ("base", "sig", "hw")
            ),
            each(lambda x, p=p: over(t, p, "sig", "base", x)),
            each(lambda x, p=p: over(t, p, "hw", "sig", x)),
            *(
                each(lambda x, s=s, p=p: t.efficiency(p, s, x), tenths)
                for s in ("base", "sig", "hw")
            ),
        )
        for p in GROUP1
    ]
    t.table(
        (
            "pair",
            "base",
            "signatures",
            "hw",
            "gdm over base",
            "hw over signatures",
            "efficiency base %",
            "signatures",
            "hw",
        ),
        rows,
    )
    say(
        "Where signatures are more than 2 % below `base`: over `base` as above, without the COST "
        "section (`selection_factor=0`: LRU), and where signing takes "
        "no time.\n"
    )
    t.table(
        ("pair", "DMA share x", *(h for h, _ in BELOW)),
        [
            (
                name(p),
                x,
                *(
                    pct(t.throughput(p, "sig", x, *e) / t.throughput(p, "base", x) - 1)
                    for _, e in BELOW
                ),
            )
            for p, x in below(t)
        ],
    )
    say(
        "Pairs that fit, over `gdev`; programs alone, slower than `gdev`; slowdown by the "
        "malicious program.\n"
    )
    rows = [
        (
            name(p),
            *(each(lambda x, s=s, p=p: over(t, p, s, "gdev", x)) for s in ("base", "sig", "hw")),
        )
        for p in GROUP2
    ]
    rows.append(
        (
            "mean",
            *(
                each(lambda x, s=s: mean(over(t, p, s, "gdev", x) for p in GROUP2))
                for s in ("base", "sig", "hw")
            ),
        )
    )
    t.table(("pair", "base", "signatures", "hw"), rows)

    def alone(p, s, x):
        return (
            t.solo(p, s, x)["apps"][0]["mean_ns"] / t.solo(p, "gdev", x)["apps"][0]["mean_ns"] - 1
        )

    rows = [
        (
            p,
            *(each(lambda x, s=s, p=p: alone(p, s, x), hundredths) for s in ("base", "sig", "hw")),
            each(lambda x, p=p: slowdown(t, p, "sig", x), whole),
        )
        for p in BENCHMARKS
    ]
    rows.append(
        (
            "mean",
            *(
                each(lambda x, s=s: mean(alone(p, s, x) for p in BENCHMARKS), hundredths)
                for s in ("base", "sig", "hw")
            ),
            each(lambda x: mean(slowdown(t, p, "sig", x) for p in BENCHMARKS), whole),
        )
    )
    t.table(("program", "alone: base", "signatures", "hw", "malicious program: signatures"), rows)
    say("Where regions stay (`--keep`), pairs that `gdev` finishes.\n")
    k = {x: kept_gains(t, x, ("gdev", "sig", "hw")) for x in SHARES}

    def ratio(p, a, b, x):
        v = k[x][p]
        return v[a] / v[b] if v[a] and v[b] else None

    t.table(
        ("pair", "gdev / gdm", "gdm over gdev", "hw over gdev"),
        [
            (
                f"{name(p)} ({p[0]} first)",
                each(lambda x, p=p: ratio(p, "gdev", "sig", x), "{:.2f}".format),
                *(
                    each(
                        lambda x, s=s, p=p: (ratio(p, s, "gdev", x) or 0) - 1
                        if ratio(p, s, "gdev", x)
                        else None
                    )
                    for s in ("sig", "hw")
                ),
            )
            for p in k[SHARES[0]]
        ],
    )
    say(
        "theano: iterations that end of 100; the first that is slower; how many times as long "
        "those after it are.\n"
    )
    t.table(
        ("system", "iterations", "first slower", "after over before"),
        [
            (
                s,
                each(lambda x, s=s: leak(t, s, x)[0], str),
                each(lambda x, s=s: leak(t, s, x)[1] or None, str) if s in ("sig", "hw") else "",
                each(lambda x, s=s: leak(t, s, x)[3] / leak(t, s, x)[2], "{:.2f}".format)
                if s in ("sig", "hw")
                else "",
            )
            for s in ("none", "gdev", "sig", "hw")
        ],
    )


def more(t):
    """Experiments at each factor."""
    say = t.say
    say("## Experiments over the range of the shares\n")
    say("The malicious program with the others (X: crashed).\n")
    rows = [
        (
            p,
            *(
                each(lambda x, s=s, p=p: slowdown(t, p, s, x), whole)
                for s in ("none", "gdev", "hw")
            ),
        )
        for p in BENCHMARKS
    ]
    t.table(("program", "none", "gdev", "hw"), rows)
    say(
        "Means over the pairs above 1400 MB (least to most): replayable faults against none; "
        "heuristics off against on, and the time signing.\n"
    )
    rows = []
    for x in SHARES:
        v = [
            [t.throughput(p, s, x, *FAULTS) / t.throughput(p, s, x) - 1 for p in GROUP1]
            for s in ("sig", "hw")
        ]
        rows.append((x, *(spread(a) for a in v)))
    t.table(("DMA share x", "faults on, signatures", "faults on, hw"), rows)
    rows = []
    for text, extra in ONE_OFF:
        v = [signing(t, extra, x) for x in SHARES]
        rows.append(
            (
                text,
                " / ".join(spread(a[0]) for a in v),
                " / ".join(f"{100 * mean(a[1]):.2f} %" for a in v),
            )
        )
    t.table(("", "throughput", "time signing"), rows)


def parts_of(r, n):
    """ms at full size: all, kernels, to the device, to the host, the rest."""
    s, f = r["stats"], n / 1e6 / max(1, r["apps"][0]["reps"])
    v = [r["apps"][0]["mean_ns"] * n / 1e6] + [
        s[k] * f for k in ("kernel_ns", "htod_ns", "dtoh_ns")
    ]
    return v + [v[0] - sum(v[1:])]


def scales(t):
    """Does what is seen at scale 64 hold at others?"""
    say = t.say
    say("## Other scales\n")
    say("Programs alone, one repetition, all times multiplied by the scale, ms: signatures.\n")
    rows = []
    for p in SCALED:
        for n in (*SCALES, *(("1",) if whole_done(t.r, (p,)) else ())):
            rows.append(
                (
                    p,
                    n,
                    *(
                        f"{v:.1f}"
                        for v in parts_of(
                            t.r.get((p,), "sig", *(WHOLE if n == "1" else scaled(n))), int(n)
                        )
                    ),
                )
            )
    t.table(
        ("program", "scale", "all", "kernels", "to the device", "to the host", "CPU and waits"),
        rows,
    )
    say("Pairs, one repetition, throughput over programs alone at the same scale.\n")
    rows = []
    for pair in SCALED_PAIRS:
        for n in SCALED_PAIRS_AT:
            v = [
                t.throughput(pair, s, "1", *scaled(n), alone=scaled(n))
                for s in ("base", "sig", "hw")
            ]
            rows.append(
                (
                    name(pair),
                    n,
                    *(f"{x:.3f}" for x in v),
                    pct(v[1] / v[0] - 1),
                    pct(v[2] / v[1] - 1),
                )
            )
    t.table(
        ("pair", "scale", "base", "signatures", "hw", "gdm over base", "hw over signatures"), rows
    )
