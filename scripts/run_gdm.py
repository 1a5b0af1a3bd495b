#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""GDM's evaluation (section 6) on `gmmu gdm`; writes docs/results-gdm.md.

usage: run_gdm.py check            every pair and program once: who must end does, with right results (no tables)
       run_gdm.py [PART...]        tables of: pairs kept why faults heuristics sensitivity theano dos seeds shares more [all], and
                                   the page (more: experiments over the shares); full: full size, an hour and 5 GB, only where it is
                                   named (`run_gdm.py all full`)
A page is written if pairs and kept are among them; it says what is missing.
options: --scale N [64], --reps N [2], --jobs N [2], --seed S [1], --dma-shares F,F [1,0.5,1.5], --no-page (print only),
         --short (pairs, kept, theano once each, printed only)

Results are kept in build/reports/gdm by options and sources: a run that was stopped goes on where it was. The page carries the
hash of the file beside it that has what the tables are made of. What stands in the page below its mark is kept. The last line is
`mismatches: N`; exits with 1 if N is not 0.
"""
import argparse
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from gdm_runs import BENCHMARKS, GROUP1, GROUP2, Runs, crashed, gpu_ns  # noqa: E402

PAGE = os.path.join(ROOT, "docs/results-gdm.md")
PLOT = os.path.join(ROOT, "docs/results-gdm.svg")
MARK = "<!-- What follows is written by hand and kept. -->\n"
SHARES = ["1", "0.5", "1.5"]  # 1 is always among them
DATA = os.path.join(ROOT, "docs/results-gdm.json")
ALL = ("pairs", "kept", "why", "faults", "heuristics", "sensitivity", "theano", "dos", "seeds", "shares", "more")
PARTS = ALL + ("full",)
SEEDS = ("2",)
FULL = (("backprop", "nn"), ("hotspot", "mpe"), ("hj", "kmeans"))
FULL_RUNS = tuple((p,) for p in "nn backprop hj hotspot kmeans theano srad mpe".split()) + FULL  # in the order of their length
WHOLE = ("--scale", "1", "--reps", "1")
THEANO, MARKS = ("theano",), ((), ("--marks",))
PHASE = ("--set", "jitter_ppm=500000", "--reps", "4")
FREE_COPY, FREE_START, FREE_SIGN = (("--set", f"{k}={v}") for k, v in
                                    (("host_bytes_per_s", "1e13"), ("dma_start_ns", "0"), ("sign_bytes_per_s", "1e13")))
SENSE = FULL[:2]
ON_BOTH = {"pcie_bytes_per_s", "dma_start_ns", "sign_bytes_per_s", "host_bytes_per_s", "pte_access_ns", "selection_factor", "fault_ns"}  # of SENSE; others on the first
BASE_TOO = {"pcie_bytes_per_s", "dma_start_ns", "kernel_start_ns", "api_ns", "copy_engines", "kernel_engines", "jitter_ppm", "device_mb"}
DOS_LONG = ("backprop", "kmeans", "mpe", "nn")
HEURISTICS = ("--no-uniformity", "--no-overwrite", "--no-double-transfer")
CONSTANTS = {  # each halved and doubled, or what is given
    "pcie_bytes_per_s": ("3e9", "12e9"), "dma_start_ns": ("0", "28000"), "sign_bytes_per_s": ("30e9", "120e9"),
    "host_bytes_per_s": ("4e9", "16e9"), "kernel_start_ns": ("0", "20000"), "pte_access_ns": ("250", "4000", "16000"),
    "api_ns": ("0", "4000"), "selection_factor": ("0", "0.1", "0.4", "1"), "copy_engines": ("2",), "kernel_engines": ("2",),
    "jitter_ppm": ("0", "100000"), "device_mb": ("1200", "1600"), "fault_ns": ("0", "80000", "1e6"),
}
FAULTS = ("--faults", "on")
ON_FAULTS = {"fault_ns"}  # of no effect without them

LRU_ONLY, LONGER = ("--set", "selection_factor=0"), ("--reps", "5")
HJ_MPE = (("base", "base", ()), ("signatures", "sig", ()), ("signatures, no COST section (`selection_factor=0`: LRU)", "sig", LRU_ONLY),
          ("signatures that take no time", "sig", FREE_SIGN), ("both", "sig", (*FREE_SIGN, *LRU_ONLY)), ("hw", "hw", ()))


def small(p):
    """Options of the run beside which one of full size stands."""
    return ("--marks", "--reps", "1") if p == THEANO else ("--reps", "1") if len(p) > 1 else ()


def whole_done(runs, p):
    return runs.done(p, "sig", *MARKS[p == THEANO], *WHOLE)


def changed(k, v):
    """Options of a run with another constant."""
    return (*(FAULTS if k in ON_FAULTS else ()), *(("--set", f"{k}={v}") if v else ()))


def share(x):
    return () if x == "1" else ("--dma-share", x)


def mean(v):
    v = list(v)
    return sum(v) / len(v) if v else float("nan")


def pct(x, digits=1):
    return f"{100 * x:+.{digits}f} %"


def name(pair):
    return "+".join(pair)


class Tables:
    def __init__(self, runs):
        self.r = runs
        self.out = []

    def say(self, text=""):
        self.out.append(text)

    def table(self, head, rows):
        self.say("| " + " | ".join(head) + " |")
        self.say("|" + "---|" * len(head))
        for row in rows:
            self.say("| " + " | ".join(str(c) for c in row) + " |")
        self.say()

    # ---------------------------------------------------------------- what is derived from runs
    def solo(self, program, system="gdev", x="1", *extra):
        return self.r.get((program,), system, *share(x), *extra)

    def throughput(self, pair, system, x="1", *extra, alone=()):
        """Weighted speedup over the runs alone with gdev (and `alone`); None if a program crashed."""
        r = self.r.get(pair, system, *share(x), *extra)
        if crashed(r):
            return None
        return sum(self.solo(a["name"], "gdev", x, *alone)["apps"][0]["mean_ns"] / a["mean_ns"] for a in r["apps"])

    def efficiency(self, pair, system, x="1"):
        """Section 6.4: (a x + b y) / c. x and y: the run's length in mean repetitions, as both go on without a pause."""
        r = self.r.get(pair, system, *share(x))
        if crashed(r):
            return None
        useful = 0
        for a in r["apps"]:
            s = self.solo(a["name"], "gdev", x)
            useful += r["ns"] / a["mean_ns"] * gpu_ns(s["stats"]) * s["apps"][0]["mean_ns"] / s["ns"]
        return useful / gpu_ns(r["stats"])


def need(runs, parts):
    """In the order in which they are done."""
    for p in BENCHMARKS:
        for s in ("gdev", "sig", "hw", "base"):
            runs.need((p,), s)
    if "pairs" in parts:
        for pair in GROUP1:
            for s in ("none", "gdev", "base", "sig", "hw"):
                runs.need(pair, s)
        for pair in GROUP2:
            for s in ("gdev", "base", "sig", "hw"):
                runs.need(pair, s)
    if "kept" in parts:
        for p in BENCHMARKS:
            runs.need((p,), "gdev", "--keep")
        for a, b in GROUP1:
            runs.need((a, b), "gdev", "--keep")
            runs.need((b, a), "gdev", "--keep")
    if "why" in parts:
        for pair in GROUP1:
            for s in ("base", "sig", "hw"):
                runs.need(pair, s)
        for _, s, extra in HJ_MPE:
            for reps in ((), LONGER):
                runs.need(("hj", "mpe"), s, *extra, *reps)
        for p in BENCHMARKS:
            for extra in (FREE_COPY, FREE_START, (*FREE_COPY, *FREE_START)):
                runs.need((p,), "sig", *extra)
        for pair in GROUP2:
            for s in ("gdev", "sig"):
                runs.need(pair, s, *PHASE)
    if "faults" in parts:
        for pair in GROUP1:
            for s in ("sig", "hw"):
                runs.need(pair, s)
                runs.need(pair, s, *FAULTS)
    if "heuristics" in parts:
        for pair in GROUP1:
            runs.need(pair, "sig")
            for h in HEURISTICS:
                runs.need(pair, "sig", h)
            runs.need(pair, "sig", *HEURISTICS)
            runs.need(pair, "sig", *FREE_SIGN)
    if "sensitivity" in parts:
        for pair in SENSE:
            for s in ("base", "sig", "hw"):
                runs.need(pair, s)
            for k, values in CONSTANTS.items():
                if pair != SENSE[0] and k not in ON_BOTH:
                    continue
                if k in ON_FAULTS:
                    for s in ("sig", "hw"):
                        runs.need(pair, s, *FAULTS)
                for v in values:
                    for s in ("base", "sig", "hw")[k not in BASE_TOO:]:
                        runs.need(pair, s, *changed(k, v))
    if "theano" in parts:
        for s in ("none", "gdev", "base", "sig", "hw"):
            runs.need(("theano",), s, "--marks", "--reps", "1")
    if "dos" in parts:
        for p in sorted(BENCHMARKS, key="srad".__eq__):
            for s in ("none", "gdev", "sig", "hw"):
                runs.need((p, "malicious"), s)
        for p in DOS_LONG:
            runs.need((p,), "gdev", *share("0.1"))
            runs.need((p, "malicious"), "sig", *share("0.1"))
    if "seeds" in parts:
        for seed in SEEDS:
            for p in BENCHMARKS:
                runs.need((p,), "gdev", "--seed", seed)
            for pair in GROUP1:
                for s in ("base", "sig", "hw"):
                    runs.need(pair, s, "--seed", seed)
    if "shares" in parts:
        for x in SHARES[1:]:
            for p in BENCHMARKS:
                for s in ("gdev", "base", "sig", "hw"):
                    runs.need((p,), s, *share(x))
            for pair in GROUP1:
                for s in ("none", "gdev", "base", "sig", "hw"):
                    runs.need(pair, s, *share(x))
            for pair in GROUP2:
                for s in ("gdev", "base", "sig", "hw"):
                    runs.need(pair, s, *share(x))
            for s in ("none", "gdev", "sig", "hw"):
                runs.need(("theano",), s, "--marks", "--reps", "1", *share(x))
            for p in sorted(BENCHMARKS, key="srad".__eq__):
                runs.need((p, "malicious"), "sig", *share(x))
    if "more" in parts:
        for x in SHARES[1:]:
            for p in sorted(BENCHMARKS, key="srad".__eq__):
                for s in ("none", "gdev", "hw"):
                    runs.need((p, "malicious"), s, *share(x))
            for pair in GROUP1:
                for s in ("sig", "hw"):
                    runs.need(pair, s, *share(x), *FAULTS)
                for _, extra in OFF:
                    runs.need(pair, "sig", *share(x), *extra)
    if "full" in parts:
        for p in FULL_RUNS:
            if "pairs" in parts and not whole_done(runs, p):
                continue  # the page shows what has ended
            runs.need(p, "sig", *small(p))
            runs.need(p, "sig", *MARKS[p == THEANO], *WHOLE)


def need_kept(runs, parts):
    """What gdev finishes where regions stay, with the others."""
    for pair in kept_pairs(runs):
        for s in ("base", "sig", "hw"):
            runs.need(pair, s, "--keep")
        for x in SHARES[1:] if "shares" in parts else ():
            for s in ("gdev", "sig", "hw"):
                runs.need(pair, s, *share(x), "--keep")
            for p in pair:
                runs.need((p,), "gdev", *share(x), "--keep")


BELOW = (("as above", ()), ("no COST section", LRU_ONLY), ("signing takes no time", FREE_SIGN), ("both", (*FREE_SIGN, *LRU_ONLY)))


def below(t):
    """Pairs and factors at which signatures are more than 2 % below base."""
    return [(p, x) for p in GROUP1 for x in SHARES if t.throughput(p, "sig", x) < 0.98 * t.throughput(p, "base", x)]


def kept_pairs(runs):
    return [p for a, b in GROUP1 for p in ((a, b), (b, a)) if not crashed(runs.get(p, "gdev", "--keep"))]


def pairs(t):
    """Figures 8a, 8b, 9a, 9b, solo runs, both dirty sources."""
    say = t.say
    say("## Solo runs (section 6.3)\n")
    rows, over = [], {"sig": [], "hw": [], "base": []}
    for p in BENCHMARKS:
        g = t.solo(p)["apps"][0]["mean_ns"]
        for s in over:
            over[s].append(t.solo(p, s)["apps"][0]["mean_ns"] / g - 1)
        rows.append((p, f"{g / 1e6:.3f}", *(pct(over[s][-1], 2) for s in ("base", "sig", "hw"))))
    rows.append(("mean", "", *(pct(mean(over[s]), 2) for s in ("base", "sig", "hw"))))
    say("Time alone with `gdev`, and how much longer it takes with the others. Paper: GDM \"less than 2% on average\" slower.\n")
    t.table(("program", "gdev, ms at this scale", "base", "gdm, signatures", "gdm, hw"), rows)
    say("## Pairs above 1400 MB (Figures 8a, 9a, 9b)\n")
    say("Throughput is the weighted speedup over solo runs with `gdev`. X: at least one of the two crashed (which). Paper: `none` (NVIDIA's "
        "driver) fails all 14, Gdev 11; GDM over Gdev +20 % on average, up to +43 %, backprop+nn with Gdev at 70 % of GDM; over base +21 % "
        "on average, up to +46 %, backprop+hj +4 %; work efficiency +14 % on average, up to +37 %, backprop+hj 97 to 98 %.\n")
    rows = []
    for p in GROUP1:
        none = crashed(t.r.get(p, "none"))
        gdev = t.throughput(p, "gdev")
        base, sig, hw = (t.throughput(p, s) for s in ("base", "sig", "hw"))
        eb, es, eh = (t.efficiency(p, s) for s in ("base", "sig", "hw"))
        rows.append((name(p), "X " + ", ".join(none) if none else "finishes",
                     f"{gdev:.3f}" if gdev else "X " + ", ".join(crashed(t.r.get(p, "gdev"))), *(f"{v:.3f}" if v else "X" for v in (base, sig, hw)),
                     f"{gdev / sig:.2f}" if gdev and sig else "", pct(sig / base - 1) if sig and base else "", pct(hw / sig - 1) if sig and hw else "",
                     *(f"{100 * e:.1f}" if e else "X" for e in (eb, es, eh))))
    t.table(("pair", "none", "gdev", "base", "gdm, signatures", "gdm, hw", "gdev / gdm", "gdm over base", "hw over signatures",
             "efficiency base %", "signatures", "hw"), rows)
    say("## Pairs that fit (Figure 8b)\n")
    say("Throughput with GDM over that with `gdev`. Paper: backprop+kmeans 4 % lower, the others \"barely observable\".\n")
    rows = []
    for p in GROUP2:
        g = t.throughput(p, "gdev")
        rows.append((name(p), f"{g:.3f}", *(pct(t.throughput(p, s) / g - 1) for s in ("base", "sig", "hw"))))
    rows.append(("mean", "", *(pct(mean(t.throughput(p, s) / t.throughput(p, "gdev") - 1 for p in GROUP2)) for s in ("base", "sig", "hw"))))
    t.table(("pair", "gdev", "base", "signatures", "hw"), rows)


def gains(t, x):
    v = {s: {p: t.throughput(p, s, x) for p in GROUP1} for s in ("base", "sig", "hw")}
    eff = {s: {p: t.efficiency(p, s, x) for p in GROUP1} for s in ("base", "sig", "hw")}
    g = {"finish": {s: sum(bool(a) for a in v[s].values()) for s in v}}
    for key, a, b, w in (("base", "sig", "base", v), ("eff", "sig", "base", eff), ("hw", "hw", "sig", v)):
        g[key] = [w[a][p] / w[b][p] - 1 for p in GROUP1 if w[a][p] and w[b][p]]
    g["efficiency"] = {s: mean(e for e in eff[s].values() if e) for s in eff}
    return g


def spread(v, digits=1):
    return f"{pct(mean(v), digits)}, {pct(min(v), digits)} to {pct(max(v), digits)}" if v else "none finishes"


def kept_gains(t, x="1", systems=("gdev", "base", "sig", "hw")):
    """Pairs that gdev finishes where regions stay -> throughput of each system."""
    return {p: {s: t.throughput(p, s, x, "--keep", alone=("--keep",)) for s in systems} for p in kept_pairs(t.r)}


def kept(t):
    t.say("## Gdev's rule where regions stay (`--keep`)\n")
    t.say("The paper says that benchmarks \"run multiple times\", not whether a repetition is a process. If it is, as above, each program comes "
          "again to a device that the other fills. Here a program's regions stay over its repetitions, and the first of a pair is there before "
          "the second comes; both orders of all 14 pairs. hj frees and allocates in between in any case. Throughput beside each program's "
          "own `gdev --keep` alone.\n")
    v = kept_gains(t)
    rows = [(f"{name(p)} ({p[0]} first)", *(f"{v[p][s]:.3f}" for s in ("gdev", "base", "sig", "hw")), f"{100 * v[p]['gdev'] / v[p]['sig']:.0f} %",
             *(pct(v[p][s] / v[p]["gdev"] - 1) for s in ("sig", "hw")), "70 %" if set(p) == {"backprop", "nn"} else "") for p in v]
    t.table(("pair", "gdev", "base", "gdm, signatures", "gdm, hw", "gdev / gdm", "gdm over gdev", "hw over gdev", "paper, gdev / gdm"), rows)
    t.say("The same program by program: speedup over its own `gdev --keep` alone, and repetitions that ended in the run.\n")
    rows = []
    for p in v:
        for q in p:
            cells = []
            for sys_ in ("gdev", "base", "sig", "hw"):
                a = next(a for a in t.r.get(p, sys_, "--keep")["apps"] if a["name"] == q)
                cells.append(f"{t.solo(q, 'gdev', '1', '--keep')['apps'][0]['mean_ns'] / a['mean_ns']:.3f}, {a['reps']}")
            rows.append((name(p), q, *cells))
    t.table(("pair", "program", "gdev", "base", "gdm, signatures", "gdm, hw"), rows)
    if v:
        t.say(f"{len({frozenset(p) for p in v})} of 14 finish in one order (paper: 3); gdm over gdev {spread([v[p]['sig'] / v[p]['gdev'] - 1 for p in v])} "
              "(mean, least to most; paper: +20 %, up to +43 %). All others end by out of memory in both orders: " +
              ", ".join(f"{name(p)} ({'/'.join(crashed(t.r.get(p, 'gdev', '--keep')))}; {'/'.join(crashed(t.r.get(p[::-1], 'gdev', '--keep')))})"
                        for p in GROUP1 if p not in v and p[::-1] not in v) + ".\n")


def why(t):
    say = t.say
    say("## Experiments behind the differences\n")
    say("What is written back, over the 14 pairs: evictions, those that wrote back, and throughput over `base`. Signatures call a block dirty that has no "
        "earlier signature, also one that is only read; hardware's bits do not.\n")
    rows = []
    for s in ("base", "sig", "hw"):
        e = [t.r.get(p, s)["stats"] for p in GROUP1]
        out = [x["evict_dirty"] / (x["evict_dirty"] + x["evict_clean"]) for x in e]
        rows.append((s, sum(x["evict_dirty"] + x["evict_clean"] for x in e), f"{100 * mean(out):.0f} %, {100 * min(out):.0f} to {100 * max(out):.0f} %",
                     spread([t.throughput(p, s) / t.throughput(p, "base") - 1 for p in GROUP1])))
    t.table(("", "evictions", "written back: mean of pairs, least to most", "over base"), rows)
    say("hj+mpe: throughput, by what replacement may do, as above and with 5 repetitions; of these what was written back and loaded again.\n")
    p, rows = ("hj", "mpe"), []
    for text, s, extra in HJ_MPE:
        r = t.r.get(p, s, *extra, *LONGER)
        rows.append((text, *(f"{t.throughput(p, s, '1', *extra, *e):.3f}" for e in ((), LONGER)),
                     *(f"{r['stats'][k] / 2**20 / r['ns'] * 1e9:.0f}" for k in ("evict_bytes", "reload_bytes"))))
    t.table(("", "throughput", "5 repetitions", "written back, MB/s", "loaded again, MB/s"), rows)
    say("Alone, signatures against `gdev`: without the copy from the staging area to the program's buffer (`host_bytes_per_s=1e13`), without the "
        "start-up of each block's DMA, without either.\n")
    rows, extras = [], ((), FREE_COPY, FREE_START, (*FREE_COPY, *FREE_START))
    over = {b: [t.solo(b, "sig", "1", *e)["apps"][0]["mean_ns"] / t.solo(b)["apps"][0]["mean_ns"] - 1 for e in extras] for b in BENCHMARKS}
    rows = [(b, *(pct(v, 2) for v in over[b])) for b in BENCHMARKS]
    rows.append(("mean", *(pct(mean(over[b][i] for b in BENCHMARKS), 2) for i in range(4))))
    t.table(("program", "as above", "no host copy", "no start-up", "neither"), rows)
    say("Pairs that fit, GDM over `gdev`, as above and with the CPU's times drawn from 50 to 150 % (`jitter_ppm=500000`, 4 repetitions), which "
        "breaks up programs that go in step.\n")
    rows, a, b = [], [], []
    for p in GROUP2:
        a.append(t.throughput(p, "sig") / t.throughput(p, "gdev") - 1)
        b.append(t.throughput(p, "sig", "1", *PHASE) / t.throughput(p, "gdev", "1", *PHASE) - 1)
        rows.append((name(p), pct(a[-1]), pct(b[-1])))
    rows.append(("mean", pct(mean(a)), pct(mean(b))))
    t.table(("pair", "as above", "CPU's times vary"), rows)


def theano(t):
    """Figures 7a, 7b."""
    t.say("## Leaks (Figures 7a, 7b)\n")
    t.say("theano: 100 iterations, each loses 42.5 MB. Paper: crashes \"before one third of the iterations\" with Gdev, after 36 with NVIDIA's "
          "driver (1.5 GB); with GDM it ends, at a constant cost after iteration 33.\n")
    rows, shown = [], (0, 9, 19, 30, 31, 32, 33, 34, 39, 49, 74, 99)
    for s in ("none", "gdev", "base", "sig", "hw"):
        r = t.r.get(("theano",), s, "--marks", "--reps", "1")
        a = r["apps"][0]
        ns, mem = a.get("mark_ns", []), a.get("mark_allocable", [])
        bad = crashed(r)
        slow = next((i for i, v in enumerate(ns) if v > 1.1 * ns[1]), len(ns))
        after = ns[slow + 1:]
        first, full = (mean(ns[1:slow]) / 1e6 if slow > 1 else 0), (mean(after) / 1e6 if after else 0)
        rows.append((s, f"crashes in iteration {len(ns) + 1}" if bad else "ends, results right" if not a["mismatches"] else "WRONG",
                     f"{first:.3f}", slow + 1 if slow < len(ns) else "", f"{full:.3f}" if after else "",
                     f"{min(after) / 1e6:.3f} to {max(after) / 1e6:.3f}" if after else "",
                     " ".join(f"{mem[i] / 2**20 * r['scale']:.0f}" if i < len(mem) else "-" for i in shown)))
    t.table(("system", "end", "ms an iteration before", "first slower iteration", "ms after", "from, to",
             f"allocable MB (full size) after iteration {', '.join(str(i + 1) for i in shown)}"), rows)


def dos(t):
    t.say("## A malicious program (section 6.5)\n")
    t.say("A region as large as the device memory, changed all over by every launch. How much longer the benchmark's runs take than alone with "
          "`gdev`. Paper: all finish; mean 69 %, srad 284 % the highest, kmeans 9 % the lowest.\n")
    rows, all_ = [], {"sig": [], "hw": []}
    for p in BENCHMARKS:
        solo = t.solo(p)["apps"][0]["mean_ns"]
        cells = []
        for s in ("none", "gdev", "sig", "hw"):
            r = t.r.get((p, "malicious"), s)
            a, m = r["apps"]
            if a["error"] or not a["reps"]:
                cells.append("X")
                continue
            v = a["mean_ns"] / solo - 1
            if s in all_:
                all_[s].append(v)
            cells.append(f"{pct(v, 0)}, {m['loops'] / a['reps']:.1f} launches" + (" (malicious X)" if m["error"] else ""))
        rows.append((p, *cells, {"srad": "284 %", "kmeans": "9 %"}.get(p, "")))
    rows.append(("mean", "", "", *(pct(mean(all_[s]), 0) for s in ("sig", "hw")), "69 %"))
    t.table(("program", "none", "gdev", "gdm, signatures", "gdm, hw", "paper"), rows)
    long = [(p, t.r.get((p, "malicious"), "sig", *share("0.1"))["apps"][0]["mean_ns"] / t.solo(p, "gdev", "0.1")["apps"][0]["mean_ns"] - 1)
            for p in DOS_LONG]
    t.say("The same with signatures where the benchmarks' kernels are longer (`--dma-share 0.1`: DMA takes a tenth of its assumed share): "
          f"{', '.join(f'{p} {pct(v, 0)}' for p, v in long)}; mean {pct(mean(v for _, v in long), 0)}.\n")


OFF = (("all on", ()), ("no uniformity", HEURISTICS[:1]), ("no overwrite elimination", HEURISTICS[1:2]),
       ("no double-transfer avoidance", HEURISTICS[2:]), ("none of the three", HEURISTICS), ("all on, signing takes no time", FREE_SIGN))


def signing(t, extra, x="1"):
    """Of each pair: throughput against all heuristics on, part of the time that goes to signing, blocks signed for each evicted."""
    g, sign, blocks = [], [], []
    for p in GROUP1:
        s = t.r.get(p, "sig", *share(x), *extra)["stats"]
        g.append(t.throughput(p, "sig", x, *extra) / t.throughput(p, "sig", x) - 1)
        sign.append(s["sign_ns"] / gpu_ns(s))
        blocks.append(s["blocks_signed"] / max(1, s["evict_clean"] + s["evict_dirty"]))
    return g, sign, blocks


def heuristics(t):
    t.say("## What signatures cost (section 4.4)\n")
    t.say("Means over the 14 pairs: throughput against all heuristics on; time of maintenance kernels in that of all kernels and copies.\n")
    rows = []
    for text, extra in OFF:
        g, sign, blocks = signing(t, extra)
        rows.append((text, pct(mean(g), 2), f"{pct(min(g), 2)} to {pct(max(g), 2)}", f"{100 * mean(sign):.2f} %", f"{mean(blocks):.2f}"))
    t.table(("", "throughput", "from, to", "time signing", "blocks signed for each evicted"), rows)
    t.say("Uniformity, where leaving it out changes throughput by more than 1 %: blocks that it called dirty unseen, and evictions that wrote back, "
          "with it and without.\n")
    rows = []
    for p in GROUP1:
        g = t.throughput(p, "sig", "1", HEURISTICS[0]) / t.throughput(p, "sig") - 1
        a, b = t.r.get(p, "sig")["stats"], t.r.get(p, "sig", HEURISTICS[0])["stats"]
        if abs(g) > 0.01:
            rows.append((name(p), pct(g), a["blocks_assumed"], f"{100 * a['evict_dirty'] / (a['evict_dirty'] + a['evict_clean']):.1f} %",
                         f"{100 * b['evict_dirty'] / (b['evict_dirty'] + b['evict_clean']):.1f} %"))
    t.table(("pair", "without it", "called dirty", "written back of all evicted", "without it"), rows)


def faults(t):
    t.say("## With replayable faults\n")
    t.say("Launches then load only what their arguments and copies name; the rest comes when it is touched. Throughput against `--faults off`, and "
          "of hardware's bits over signatures, both with faults.\n")
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
    t.say(f"{', '.join(name(p) for p in SENSE)}: throughput of `gdm` with signatures, and its gain over `base`, and of hardware's dirty bits over "
          "signatures, with one constant changed (full-size values). The first line is the default; those of `fault_ns` are with replayable faults "
          "(`--faults on`), above `base` without.\n")
    rows = []
    for k, v in [("", "")] + [(k, v) for k, values in CONSTANTS.items() for v in ("",) * (k in ON_FAULTS) + values]:
        extra = changed(k, v)
        row = [f"`{k}` = {v}" if v else f"default, `{' '.join(FAULTS)}`" if k else "default"]
        for p in SENSE:
            if k and p != SENSE[0] and k not in ON_BOTH:
                row += ["", "", ""]
                continue
            sig, hw = (t.throughput(p, s, "1", *extra) for s in ("sig", "hw"))
            base = t.throughput(p, "base", "1", *(extra if k in BASE_TOO else ()))
            row += [f"{sig:.3f}" if sig else "X", pct(sig / base - 1) if sig and base else "X", pct(hw / sig - 1) if hw and sig else "X"]
        rows.append(row)
    t.table(("", *(h for p in SENSE for h in (name(p), "over base", "hw over signatures"))), rows)


def seeds(t):
    t.say("## Other seeds\n")
    t.say("Other data and other times of the CPU (within 1 %). Means over the 14 pairs; last, the pair whose throughput differs most.\n")
    rows, values = [], {(p, s): [] for p in GROUP1 for s in ("base", "sig", "hw")}
    for seed in (str(t.r.seed), *SEEDS):
        extra = () if seed == str(t.r.seed) else ("--seed", seed)
        v = {k: t.throughput(*k, "1", *extra, alone=extra) for k in values}
        for k in v:
            values[k].append(v[k])
        rows.append((seed, *(f"{mean(v[p, s] for p in GROUP1):.4f}" for s in ("base", "sig", "hw")),
                     spread([v[p, "sig"] / v[p, "base"] - 1 for p in GROUP1]), spread([v[p, "hw"] / v[p, "sig"] - 1 for p in GROUP1])))
    t.table(("seed", "base", "signatures", "hw", "over base: mean, least to most", "hw over signatures"), rows)
    worst = max(values, key=lambda k: max(values[k]) / min(values[k]))
    t.say(f"{name(worst[0])}, {worst[1]}: {pct(max(values[worst]) / min(values[worst]) - 1, 2)} between seeds.\n")


def leak(t, s, x="1"):
    """theano: iterations done, first slower one (0: none), mean ns before and after."""
    ns = t.r.get(("theano",), s, "--marks", "--reps", "1", *share(x))["apps"][0].get("mark_ns", [])
    slow = next((i for i, v in enumerate(ns) if v > 1.1 * ns[1]), len(ns))
    return len(ns), slow + 1 if slow < len(ns) else 0, mean(ns[1:slow]), mean(ns[slow + 1:])


def slowdown(t, p, s, x="1"):
    """By the malicious program; None: crashed."""
    a = t.r.get((p, "malicious"), s, *share(x))["apps"][0]
    return None if a["error"] or not a["reps"] else a["mean_ns"] / t.solo(p, "gdev", x)["apps"][0]["mean_ns"] - 1


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


def shares(t):
    """Every result of section 6 at each factor."""
    say = t.say
    say("## Over a range of the assumed shares\n")
    say(f"All of the above with each benchmark's share of DMA times {', '.join(SHARES)}, at the cost or in favour of its kernels; what stands between "
        "slashes is in this order. First means over the pairs above 1400 MB (least to most).\n")
    rows = []
    for x in SHARES:
        g = gains(t, x)
        ends = [sum(not crashed(t.r.get(p, s, *share(x))) for p in GROUP1) for s in ("none", "gdev", "base", "sig", "hw")]
        rows.append((x, ", ".join(str(e) for e in ends), spread(g["base"]), spread(g["eff"]), spread(g["hw"]),
                     ", ".join(f"{100 * g['efficiency'][s]:.0f}" for s in ("base", "sig", "hw"))))
    t.table(("DMA share x", "none, gdev, base, signatures, hw finish, of 14", "over base", "efficiency over base", "hw over signatures",
             "efficiency % of base, signatures, hw"), rows)
    say("Each pair above 1400 MB: throughput, gains, work efficiency.\n")
    rows = [(name(p), *(each(lambda x, s=s, p=p: t.throughput(p, s, x), "{:.3f}".format) for s in ("base", "sig", "hw")),
             each(lambda x, p=p: over(t, p, "sig", "base", x)), each(lambda x, p=p: over(t, p, "hw", "sig", x)),
             *(each(lambda x, s=s, p=p: t.efficiency(p, s, x), tenths) for s in ("base", "sig", "hw"))) for p in GROUP1]
    t.table(("pair", "base", "signatures", "hw", "gdm over base", "hw over signatures", "efficiency base %", "signatures", "hw"), rows)
    say("Where signatures are more than 2 % below `base`: over `base` as above, without the COST section (`selection_factor=0`: LRU), and where signing takes "
        "no time.\n")
    t.table(("pair", "DMA share x", *(h for h, _ in BELOW)),
            [(name(p), x, *(pct(t.throughput(p, "sig", x, *e) / t.throughput(p, "base", x) - 1) for _, e in BELOW)) for p, x in below(t)])
    say("Pairs that fit, over `gdev`; programs alone, slower than `gdev`; slowdown by the malicious program.\n")
    rows = [(name(p), *(each(lambda x, s=s, p=p: over(t, p, s, "gdev", x)) for s in ("base", "sig", "hw"))) for p in GROUP2]
    rows.append(("mean", *(each(lambda x, s=s: mean(over(t, p, s, "gdev", x) for p in GROUP2)) for s in ("base", "sig", "hw"))))
    t.table(("pair", "base", "signatures", "hw"), rows)

    def alone(p, s, x):
        return t.solo(p, s, x)["apps"][0]["mean_ns"] / t.solo(p, "gdev", x)["apps"][0]["mean_ns"] - 1

    rows = [(p, *(each(lambda x, s=s, p=p: alone(p, s, x), hundredths) for s in ("base", "sig", "hw")),
             each(lambda x, p=p: slowdown(t, p, "sig", x), whole)) for p in BENCHMARKS]
    rows.append(("mean", *(each(lambda x, s=s: mean(alone(p, s, x) for p in BENCHMARKS), hundredths) for s in ("base", "sig", "hw")),
                 each(lambda x: mean(slowdown(t, p, "sig", x) for p in BENCHMARKS), whole)))
    t.table(("program", "alone: base", "signatures", "hw", "malicious program: signatures"), rows)
    say("Where regions stay (`--keep`), pairs that `gdev` finishes.\n")
    k = {x: kept_gains(t, x, ("gdev", "sig", "hw")) for x in SHARES}

    def ratio(p, a, b, x):
        v = k[x][p]
        return v[a] / v[b] if v[a] and v[b] else None

    t.table(("pair", "gdev / gdm", "gdm over gdev", "hw over gdev"),
            [(f"{name(p)} ({p[0]} first)", each(lambda x, p=p: ratio(p, "gdev", "sig", x), "{:.2f}".format),
              *(each(lambda x, s=s, p=p: (ratio(p, s, "gdev", x) or 0) - 1 if ratio(p, s, "gdev", x) else None) for s in ("sig", "hw")))
             for p in k[SHARES[0]]])
    say("theano: iterations that end of 100; the first that is slower; how many times as long those after it are.\n")
    t.table(("system", "iterations", "first slower", "after over before"),
            [(s, each(lambda x, s=s: leak(t, s, x)[0], str), each(lambda x, s=s: leak(t, s, x)[1] or None, str) if s in ("sig", "hw") else "",
              each(lambda x, s=s: leak(t, s, x)[3] / leak(t, s, x)[2], "{:.2f}".format) if s in ("sig", "hw") else "")
             for s in ("none", "gdev", "sig", "hw")])


def more(t):
    """Experiments at each factor."""
    say = t.say
    say("## Experiments over the range of the shares\n")
    say("The malicious program with the others (X: crashed).\n")
    rows = [(p, *(each(lambda x, s=s, p=p: slowdown(t, p, s, x), whole) for s in ("none", "gdev", "hw"))) for p in BENCHMARKS]
    t.table(("program", "none", "gdev", "hw"), rows)
    say("Means over the pairs above 1400 MB (least to most): replayable faults against none; heuristics off against on, and the time signing.\n")
    rows = []
    for x in SHARES:
        v = [[t.throughput(p, s, x, *FAULTS) / t.throughput(p, s, x) - 1 for p in GROUP1] for s in ("sig", "hw")]
        rows.append((x, *(spread(a) for a in v)))
    t.table(("DMA share x", "faults on, signatures", "faults on, hw"), rows)
    rows = []
    for text, extra in OFF:
        v = [signing(t, extra, x) for x in SHARES]
        rows.append((text, " / ".join(spread(a[0]) for a in v), " / ".join(f"{100 * mean(a[1]):.2f} %" for a in v)))
    t.table(("", "throughput", "time signing"), rows)


def full(t):
    n = t.r.scale
    t.say("## Full size\n")
    t.say(f"`--scale 1`: 1400 MB of device memory, blocks of two 2 MiB pages; `gdm` with signatures, one repetition, what is copied out compared. Beside "
          f"the same at scale {n}, times multiplied by {n}.\n")
    rows, missing = [], []
    for p in FULL_RUNS:
        if not whole_done(t.r, p):
            missing.append(name(p))
            continue
        if p == THEANO:
            continue
        r, s = t.r.get(p, "sig", *WHOLE), t.r.get(p, "sig", *small(p))
        for a, b in zip(r["apps"], s["apps"]):
            rows.append((name(p) + (f": {a['name']}" if len(p) > 1 else ""), f"{a['mean_ns'] / 1e6:.1f}", f"{b['mean_ns'] * n / 1e6:.1f}",
                         pct(a["mean_ns"] / b["mean_ns"] / n - 1, 2), f"{r['stats']['evict_bytes'] / 2**20:.0f}",
                         f"{s['stats']['evict_bytes'] * n / 2**20:.0f}", f"{a['compared'] - a['mismatches']} of {a['compared']}", f"{r['seconds'] / 60:.1f}"))
    t.table(("", "ms", f"scale {n}", "difference", "written back, MB (all programs)", f"scale {n}", "results right", "the run, minutes"), rows)
    if name(THEANO) not in missing:
        r = t.r.get(THEANO, "sig", "--marks", *WHOLE)
        a, b = (x["apps"][0] for x in (r, t.r.get(THEANO, "sig", *small(THEANO))))
        ns, less = a["mark_ns"], b["mark_ns"]
        slow = next((i for i, v in enumerate(ns) if v > 1.1 * ns[1]), len(ns))
        t.say(f"theano: {'crashes' if a['error'] else '100 iterations, all results right' if not a['mismatches'] else 'WRONG'}; "
              f"{mean(ns[1:slow]) / 1e6:.2f} ms an iteration, from iteration {slow + 1} on {mean(ns[slow + 1:]) / 1e6:.2f} ms "
              f"({min(ns[slow + 1:]) / 1e6:.2f} to {max(ns[slow + 1:]) / 1e6:.2f}); at scale {n}, times {n}: {mean(less[1:slow]) * n / 1e6:.2f}, "
              f"{mean(less[slow + 1:]) * n / 1e6:.2f} ms. The run took {r['seconds'] / 60:.1f} minutes.\n")
    if missing:
        t.say(f"Not run to their end at this size: {', '.join(missing)} (`scripts/run_gdm.py full`).\n")


def verdict(t):
    """Five lines from the numbers."""
    r = t.r
    g = gains(t, "1")
    v8 = [t.throughput(p, "sig") / t.throughput(p, "gdev") - 1 for p in GROUP2]
    solo = mean(t.solo(p, "sig")["apps"][0]["mean_ns"] / t.solo(p)["apps"][0]["mean_ns"] - 1 for p in BENCHMARKS)
    none, gdev = (sum(not crashed(r.get(p, s)) for p in GROUP1) for s in ("none", "gdev"))
    k = kept_gains(t)
    over = [k[p]["sig"] / k[p]["gdev"] - 1 for p in k]
    at = next((f"{100 * k[p]['gdev'] / k[p]['sig']:.0f} %" for p in k if set(p) == {"backprop", "nn"}), "X")
    return [f"1. Of the 14 pairs above 1400 MB `none` finishes {none} (paper 0), `gdev` {gdev}, and {len({frozenset(p) for p in k})} where programs "
            f"keep their memory over repetitions (paper 3); `gdm` with signatures and with hardware's bits {g['finish']['sig']} and {g['finish']['hw']} (paper 14); "
            f"{r.mismatches()} wrong results in all runs.",
            f"2. Over `gdev` where it finishes (those {len(over)}): {pct(mean(over))} on average, up to {pct(max(over)) if over else 'X'} (paper +20, +43 %); backprop+nn with "
            f"`gdev` at {at} of `gdm` (paper 70 %).",
            f"3. Over `base`: {pct(mean(g['base']))} on average, up to {pct(max(g['base']))} (paper +21, +46 %); work efficiency {pct(mean(g['eff']))}, up to "
            f"{pct(max(g['eff']))} (paper +14, +37 %).",
            f"4. Pairs that fit: {pct(mean(v8))} against `gdev`, lowest {pct(min(v8))} (paper: within 4 %); alone {pct(solo, 2)} (paper: below 2 %).",
            f"5. Hardware's dirty bits against signatures: {pct(mean(g['hw']))} on average, {pct(min(g['hw']))} to {pct(max(g['hw']))} (no numbers in the paper)."]


def plot(t):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    matplotlib.rcParams["svg.hashsalt"] = "gdm"
    fig, ax = plt.subplots(figsize=(12, 4))
    systems = (("gdev", "#999999"), ("base", "#d9a441"), ("sig", "#2f6db5"), ("hw", "#3c9a54"))
    for i, (s, colour) in enumerate(systems):
        v = [t.throughput(p, s) for p in GROUP1]
        x = [k + (i - 1.5) * 0.2 for k in range(len(GROUP1))]
        ax.bar(x, [a or 0 for a in v], 0.19, color=colour, label={"sig": "gdm, signatures", "hw": "gdm, hardware bits"}.get(s, s))
        for k, a in enumerate(v):
            if a is None:
                ax.text(x[k], 0.01, "X", ha="center", color="#b00000")
    ax.set_xticks(range(len(GROUP1)), [name(p).replace("+", "\n") for p in GROUP1])
    ax.set_ylabel("weighted speedup")
    ax.legend(ncol=4, loc="upper center")
    ax.set_ylim(0, 2.2)
    fig.tight_layout()
    fig.savefig(PLOT + ".new", format="svg", metadata={"Date": None})
    plt.close(fig)
    os.replace(PLOT + ".new", PLOT)


def check(a):
    """Both dirty sources end every pair with right results; none fails each of the first group; theano and the malicious program."""
    runs = Runs(a.scale, 1, a.jobs, a.seed, verify=True)
    for p in GROUP1:
        runs.need(p, "none")
    for p in GROUP1 + GROUP2:
        for s in ("sig", "hw", "base", "gdev"):
            runs.need(p, s)
    for p in BENCHMARKS:
        runs.need((p, "malicious"), "sig")
        runs.need((p, "malicious"), "hw", "--faults", "on")
    for s in ("sig", "hw"):
        runs.need(("theano",), s)
    runs.do()
    bad = []
    for args, r in runs.wanted.items():
        fails, system = crashed(r), args[3]
        must_fail = system == "none"
        may_fail = system == "gdev" and tuple(args[1].split("+")) in GROUP1
        if r["mismatches"] or not all(x["compared"] or x["error"] for x in r["apps"] if x["name"] != "malicious"):
            bad.append(f"wrong results: {r['args']}")
        if bool(fails) != must_fail and not may_fail:
            bad.append(f"{', '.join(fails) or 'nobody'} crashed: {r['args']}")
    print("\n".join(bad) if bad else f"{len(runs.wanted)} runs as they must be")
    print(f"mismatches: {runs.mismatches()}")
    return 1 if bad or runs.mismatches() else 0


TABLES = {"pairs": pairs, "kept": kept, "why": why, "faults": faults, "heuristics": heuristics, "sensitivity": sensitivity, "theano": theano,
          "dos": dos, "seeds": seeds, "shares": shares, "more": more, "full": full}


def write_page(a, runs, parts, t):
    kept_text = ""
    if os.path.exists(PAGE):
        with open(PAGE) as f:
            kept_text = f.read().partition(MARK)[2]
    plot(t)
    digest = runs.write(DATA)
    shown = " ".join(["all", "full"] if "full" in parts and len(parts) == len(PARTS) else parts)
    head = ["# Results beside GDM's", "", *verdict(t), "", "![Throughput of the pairs above 1400 MB](results-gdm.svg)", "",
            f"Written by `scripts/run_gdm.py {shown} --scale {a.scale} --reps {a.reps} --seed {a.seed}`: sizes and times divided by {a.scale}, "
            f"{len(runs.wanted)} runs of `gmmu gdm`, {sum(r['seconds'] for r in runs.wanted.values()) / 60:.0f} minutes on a loaded machine. Made of "
            f"[results-gdm.json](results-gdm.json), whose SHA-256 begins with `{digest}`: one run a line, with its options (`gmmu gdm OPTIONS`) and the "
            "hash of the sources. The shares of DMA, kernel and CPU time are **assumed** ([gdm-benchmarks.md](gdm-benchmarks.md)): Figure 6 is not "
            "in the paper's text. \"Paper\" holds only what its text and tables print. Rules of the manager: [gdm.md](gdm.md).", ""]
    left = [p for p in PARTS if p not in parts]
    if left:
        head += [f"Not run for this page: {', '.join(left)} (`scripts/run_gdm.py {' '.join(left)}`).", ""]
    with open(PAGE + ".new", "w") as f:
        f.write("\n".join(head + t.out) + MARK + kept_text)
    os.replace(PAGE + ".new", PAGE)


def main():
    ap = argparse.ArgumentParser(usage=__doc__, add_help=True)
    ap.add_argument("parts", nargs="*")
    ap.add_argument("--scale", type=int, default=64)
    ap.add_argument("--reps", type=int)
    ap.add_argument("--dma-shares", default="1,0.5,1.5")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--no-page", action="store_true")
    ap.add_argument("--short", action="store_true")
    a = ap.parse_args()
    a.reps = a.reps or (1 if a.short else 2)
    try:
        if a.parts == ["check"]:
            sys.exit(check(a))
        SHARES[:] = a.dma_shares.split(",")
        if SHARES[0] != "1":
            sys.exit("run_gdm.py: --dma-shares must begin with 1")
        asked = a.parts or (["pairs", "kept", "theano"] if a.short else ["all"])
        for p in asked:
            if p not in PARTS and p != "all":
                sys.exit(f"run_gdm.py: no part '{p}'; there are: check all {' '.join(PARTS)}")
        parts = [p for p in PARTS if p in asked or ("all" in asked and p in ALL)]
        runs = Runs(a.scale, a.reps, a.jobs, a.seed)
        need(runs, parts)
        runs.do()
        if "kept" in parts:
            need_kept(runs, parts)
            runs.do()
        if "shares" in parts:
            for p, x in below(Tables(runs)):
                for _, extra in BELOW:
                    runs.need(p, "sig", *share(x), *extra)
            runs.do()
    except RuntimeError as e:
        sys.exit(f"run_gdm.py: {e}")
    t = Tables(runs)
    for p in parts:
        TABLES[p](t)
    if a.no_page or a.short or not {"pairs", "kept"} <= set(parts):
        print("\n".join(t.out))
    else:
        write_page(a, runs, parts, t)
    print(f"mismatches: {runs.mismatches()}")
    sys.exit(1 if runs.mismatches() else 0)


if __name__ == "__main__":
    main()
