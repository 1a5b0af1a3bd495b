# SPDX-License-Identifier: Apache-2.0
"""Which runs of `gmmu gdm` each part of docs/results-gdm.md is made of, in the order in which they
are done."""

from gdm_runs import BENCHMARKS, GROUP1, GROUP2, crashed

SHARES = ["1", "0.5", "1.5"]  # 1 is always among them
ALL = (
    "pairs",
    "kept",
    "why",
    "misses",
    "faults",
    "heuristics",
    "sensitivity",
    "theano",
    "dos",
    "seeds",
    "shares",
    "more",
    "scales",
)
PARTS = ALL + ("full",)
SEEDS = ("2",)
FULL = (("backprop", "nn"), ("hotspot", "mpe"), ("hj", "kmeans"))
FULL_RUNS = (
    tuple((p,) for p in "nn backprop hj hotspot kmeans theano srad mpe".split()) + FULL
)  # in the order of their length
WHOLE = ("--scale", "1", "--reps", "1")
THEANO, MARKS = ("theano",), ((), ("--marks",))
PHASE_SEEDS = ("1", "2")
FREE_FILL, FREE_START, FREE_SIGN = (
    ("--set", f"{k}={v}")
    for k, v in (("fill_bytes_per_s", "1e13"), ("dma_start_ns", "0"), ("sign_bytes_per_s", "1e13"))
)
ALONE = (
    ("as above", ()),
    ("`--watch eager`", ("--watch", "eager")),
    ("no start-up", FREE_START),
    ("no clearing", FREE_FILL),
    ("neither", (*FREE_START, *FREE_FILL)),
)
SENSE = (*FULL[:2], ("hj", "nn"))
BASE_TOO = {
    "pcie_bytes_per_s",
    "dma_start_ns",
    "fill_bytes_per_s",
    "kernel_start_ns",
    "api_ns",
    "copy_engines",
    "kernel_engines",
    "jitter_ppm",
    "device_mb",
}
SCALES = ("64", "16")  # and 1, where that was done
SCALED = ("kmeans", "srad", "nn")
SCALED_PAIRS, SCALED_PAIRS_AT = (("backprop", "nn"), ("hj", "kmeans")), ("64", "16")
FAULTS = ("--faults", "on")
DOS_LONG = ("backprop", "kmeans", "mpe", "nn")
HEURISTICS = ("--no-uniformity", "--no-overwrite", "--no-double-transfer")
CONSTANTS = {  # each halved and doubled, or what is given
    "pcie_bytes_per_s": ("3e9", "12e9"),
    "dma_start_ns": ("0", "28000"),
    "sign_bytes_per_s": ("30e9", "120e9"),
    "fill_bytes_per_s": ("30e9", "120e9"),
    "host_bytes_per_s": ("4e9", "16e9"),
    "kernel_start_ns": ("0", "20000"),
    "pte_access_ns": ("250", "4000", "16000"),
    "api_ns": ("0", "4000"),
    "selection_factor": ("0", "0.1", "0.4", "1"),
    "copy_engines": ("2",),
    "kernel_engines": ("2",),
    "jitter_ppm": ("0", "100000"),
    "device_mb": ("1200", "1600"),
    "fault_ns": ("0", "80000", "1e6"),
}
ON_FAULTS = {"fault_ns"}  # of no effect without them

LRU_ONLY, LONGER = ("--set", "selection_factor=0"), ("--reps", "5")
HJ_MPE = (
    ("base", "base", ()),
    ("signatures", "sig", ()),
    ("signatures, no COST section (`selection_factor=0`: LRU)", "sig", LRU_ONLY),
    ("signatures that take no time", "sig", FREE_SIGN),
    ("both", "sig", (*FREE_SIGN, *LRU_ONLY)),
    ("hw", "hw", ()),
)


# The misses, each with what is varied for it (part `misses`).
EAGER = ("--watch", "eager")
GAINS = (  # over base: text, system, options, base's options
    ("as above", "sig", (), ()),
    ("signing takes no time", "sig", FREE_SIGN, ()),
    ("no uniformity", "sig", HEURISTICS[:1], ()),
    ("regions stay (`--keep`)", "sig", ("--keep",), ("--keep",)),
    ("launches load what their arguments name (`--faults on`)", "sig", FAULTS, ()),
    ("the same, no uniformity", "sig", (*FAULTS, *HEURISTICS[:1]), ()),
    ("hardware's bits", "hw", (), ()),
    ("hardware's bits, regions stay", "hw", ("--keep",), ("--keep",)),
    ("hardware's bits, `--faults on`", "hw", FAULTS, ()),
)
GDEV_PAIR, GDEV_SHARES = ("nn", "backprop"), ("0.1", "0.2", "0.3", "0.4", "0.5", "1", "1.5")
PHASE_PAIR = ("backprop", "mpe")
PHASES = (
    ("5 repetitions", ()),
    ("the CPU's times from 80 to 120 %", ("--set", "jitter_ppm=200000")),
    ("from 50 to 150 %", ("--set", "jitter_ppm=500000")),
    ("two copy engines", ("--set", "copy_engines=2")),
)
STAGED_PAIR = ("backprop", "hj")
STAGED = (
    ("as above: what is copied out goes to the buffer", ()),
    ("`--watch eager`, the CPU's copies free", (*EAGER, "--set", "host_bytes_per_s=1e13")),
    ("`--watch eager`, at 16 GB/s", (*EAGER, "--set", "host_bytes_per_s=16e9")),
    ("`--watch eager`, at 8 GB/s", EAGER),
    ("`--watch eager`, at 4 GB/s", (*EAGER, "--set", "host_bytes_per_s=4e9")),
    ("`--faults on`", FAULTS),
    ("`--faults on`, `--watch eager`", (*FAULTS, *EAGER)),
)


def small(p):
    """Options of the run beside which one of full size stands."""
    return ("--marks", "--reps", "1") if p == THEANO else ("--reps", "1") if len(p) > 1 else ()


def phase(seed):
    """The CPU's times drawn from 50 to 150 %."""
    return ("--set", "jitter_ppm=500000", "--reps", "4", *(() if seed == "1" else ("--seed", seed)))


def scaled(n):
    return ("--scale", n, "--reps", "1")


def whole_done(runs, p):
    return runs.done(p, "sig", *MARKS[p == THEANO], *WHOLE)


def changed(k, v):
    """Options of a run with another constant."""
    return (*(FAULTS if k in ON_FAULTS else ()), *(("--set", f"{k}={v}") if v else ()))


def share(x):
    return () if x == "1" else ("--dma-share", x)


OFF = (
    ("all on", ()),
    ("no uniformity", HEURISTICS[:1]),
    ("no overwrite elimination", HEURISTICS[1:2]),
    ("no double-transfer avoidance", HEURISTICS[2:]),
    ("none of the three", HEURISTICS),
    ("all on, signing takes no time", FREE_SIGN),
)
ONE_OFF = OFF[:4]  # over the shares


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
            for _, extra in ALONE:
                runs.need((p,), "sig", *extra)
        for pair in GROUP2:
            runs.need(pair, "sig", *FREE_FILL)
            for s in ("gdev", "sig"):
                for seed in PHASE_SEEDS:
                    runs.need(pair, s, *phase(seed))
    if "misses" in parts:
        need_misses(runs)
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
                if k in ON_FAULTS:
                    for s in ("sig", "hw"):
                        runs.need(pair, s, *FAULTS)
                for v in values:
                    for s in ("base", "sig", "hw")[k not in BASE_TOO :]:
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
                for _, extra in ONE_OFF:
                    runs.need(pair, "sig", *share(x), *extra)
    if "scales" in parts:
        for p in SCALED:
            for n in SCALES:
                runs.need((p,), "sig", *scaled(n))
            if whole_done(runs, (p,)):
                runs.need((p,), "sig", *WHOLE)
        for pair in SCALED_PAIRS:
            for n in SCALED_PAIRS_AT:
                for p in pair:
                    runs.need((p,), "gdev", *scaled(n))
                for s in ("base", "sig", "hw"):
                    runs.need(pair, s, *scaled(n))
    if "full" in parts:
        for p in FULL_RUNS:
            if "pairs" in parts and not whole_done(runs, p):
                continue  # the page shows what has ended
            runs.need(p, "sig", *small(p))
            runs.need(p, "sig", *MARKS[p == THEANO], *WHOLE)


def need_misses(runs):
    for _, extra in STAGED:
        runs.need(STAGED_PAIR, "sig", *extra, *LONGER)
    for s in ("base", "hw"):
        runs.need(STAGED_PAIR, s, *LONGER)
    for x in GDEV_SHARES:
        for p in GDEV_PAIR:
            runs.need((p,), "gdev", *share(x), "--keep")
        for s in ("gdev", "sig"):
            runs.need(GDEV_PAIR, s, *share(x), "--keep")
    for _, extra in PHASES:
        for s in ("gdev", "base", "sig"):
            runs.need(PHASE_PAIR, s, *extra, *LONGER)
    for p in BENCHMARKS:
        runs.need((p,), "gdev", "--keep")
    for _, s, extra, of_base in GAINS:
        for pair in GROUP1:
            runs.need(pair, "base", *of_base)
            runs.need(pair, s, *extra)


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


BELOW = (
    ("as above", ()),
    ("no COST section", LRU_ONLY),
    ("signing takes no time", FREE_SIGN),
    ("both", (*FREE_SIGN, *LRU_ONLY)),
)


def kept_pairs(runs):
    return [
        p for a, b in GROUP1 for p in ((a, b), (b, a)) if not crashed(runs.get(p, "gdev", "--keep"))
    ]
