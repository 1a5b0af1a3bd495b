#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MASK's applications and pairs (MASK sections 6 and 7.2) on the timed model.

usage: run_mask.py classes TLB miss class of each application, beside the paper's table 2
       run_mask.py pairs [--presets P,...]  35 pairs: L2 TLB and bypass cache hit rates, weighted
       speedup, unfairness run_mask.py system                   pairs with the memory system
       (MemChannels = 8): all of MASK's parts against its baselines run_mask.py scale
       1 to 5 applications with the memory system, against ideal (table 3) run_mask.py sweep KEY
       V,V2,...       the mean of some pairs for each value of a configuration key run_mask.py draw
       draws the pairs again: sim/workloads/mask-pairs.txt
options: --jobs N, --limit N (only the first N pairs), --pairs A_B,C_D (only these), --set
KEY=VALUE, --lanes 64 (lanes of a warp)

Applications and sizes: sim/workloads/mask.txt. Half of the SMs each. Writes
build/reports/mask-*.json. The last line is `mismatches: N`; exits with 1 if N is not 0.
"""

import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import corun  # noqa: E402

LIST = os.path.join(ROOT, "sim/workloads/mask.txt")
PAIRS = os.path.join(ROOT, "sim/workloads/mask-pairs.txt")
SMS = 15
EXTRA = ("--no-policy",)  # the model is its own policy: nothing to compare but the answers


def applications():
    """{kernel: (paper's L1 class, L2 class, size)}"""
    apps = {}
    with open(LIST) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                name, cls, size = [p.strip() for p in line.split("|")]
                apps[name] = (*cls.split(), size)
    return apps


LANES = 32


def trace(name, size):
    path = os.path.join(
        ROOT, f"build/traces/{name}-{size}{'' if LANES == 32 else f'-{LANES}'}.trace"
    )
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        r = subprocess.run(
            [corun.GMMU, "gen", name, "--size", size, "--lanes", str(LANES), "-o", path],
            capture_output=True,
            text=True,
        )
        if r.returncode:
            sys.exit(r.stderr.strip())
    return path


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def write(name, data):
    out = os.path.join(ROOT, f"build/reports/mask-{name}.json")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    with open(out + ".new", "w") as f:
        json.dump(data, f, indent=1)
        f.write("\n")
    os.replace(out + ".new", out)


def miss_rates(r):
    """Lookups that made a miss of their own: a merged miss is neither a hit nor another miss."""
    return r["l1"]["misses_alloc"] / r["l1"]["lookups"], r["l2"]["misses_alloc"] / max(
        1, r["l2"]["lookups"]
    )


def high(rate):
    return "high" if rate >= 0.2 else "low"


def measure(apps, a):
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        runs = pool.map(
            lambda n: corun.alone(trace(n, apps[n][2]), SMS, "sharedtlb", a.set, extra=EXTRA), apps
        )
        return dict(zip(apps, runs))


def measure_hmr(todo, a):
    """{kernel of the pairs: high in both TLBs}"""
    apps = applications()
    names = {n for p in todo for n in p}
    runs = measure({n: apps[n] for n in apps if n in names}, a)
    return {n: [high(x) for x in miss_rates(r)] == ["high", "high"] for n, r in runs.items()}


def classes(a):
    apps = applications()
    rows, bad = [], 0
    print(
        f"{'kernel':7} {'paper':>10} {'here':>10} {'L1 miss':>8} {'merged':>8} {'L2 miss':>8} "
        f"{'merged':>8} {'cycles':>9}"
    )
    for name, r in measure(apps, a).items():
        l1, l2 = miss_rates(r)
        here = f"{high(l1)} {high(l2)}"
        paper = " ".join(apps[name][:2])
        rows.append(
            {
                "kernel": name,
                "paper": paper,
                "here": here,
                "l1_miss_rate": l1,
                "l2_miss_rate": l2,
                "l1_merged": r["l1"]["misses_merged"] / r["l1"]["lookups"],
                "l2_merged": r["l2"]["misses_merged"] / max(1, r["l2"]["lookups"]),
                "cycles": r["cycles"],
            }
        )
        bad += r["mismatches"]
        x = rows[-1]
        print(
            f"{name:7} {paper:>10} {here:>10} {l1:8.2%} {x['l1_merged']:8.2%} {l2:8.2%} "
            f"{x['l2_merged']:8.2%} {r['cycles']:9}"
        )
    write("classes", rows)
    return bad


def draw(a):
    """As the paper: at random, without pairs of two applications that are low in both."""
    apps = applications()
    rng = random.Random(2018)
    allowed = [
        (x, y)
        for i, x in enumerate(apps)
        for y in list(apps)[i + 1 :]
        if not (apps[x][:2] == apps[y][:2] == ("low", "low"))
    ]
    with open(PAIRS, "w") as f:
        f.write("# 35 pairs of MASK's applications, drawn by scripts/run_mask.py draw\n")
        for x, y in sorted(rng.sample(allowed, 35)):
            f.write(f"{x} {y}\n")
    return 0


def pair_list(a):
    with open(PAIRS) as f:
        pairs = [tuple(line.split()) for line in f if line.strip() and not line.startswith("#")]
    if a.pairs:
        pairs = [p for p in pairs if "_".join(p) in a.pairs.split(",")]
    return pairs[: a.limit] if a.limit else pairs


def one(pair, preset, sets):
    apps = applications()
    traces = [trace(n, apps[n][2]) for n in pair]
    alones = [corun.alone(t, SMS, preset, sets, extra=EXTRA) for t in traces]
    return corun.metrics(corun.run(traces, [SMS, SMS], preset, sets, extra=EXTRA), alones)


def many(jobs, a):
    """[(pair, preset, sets)] -> results in order. Runs of one process each; each has its own name
    for its file."""
    done = []
    with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
        for i, r in enumerate(pool.map(one, *zip(*jobs))):
            progress(f"run {i + 1} of {len(jobs)}")
            done.append(r)
    progress("")
    return done


def mean(v):
    return sum(v) / len(v) if v else float("nan")


def bypass_per_probe(m):
    """Bypass cache hits per lookup that the L2 TLB's arrays did not serve."""
    hits = m["l2"]["hits_bypass"]
    probes = m["l2"]["lookups"] * (1 - m["l2"]["hit_rate"]) + hits
    return hits / probes if probes else 0


def merged_as_hits(m):
    """(L2 hit rate, bypass cache hits per probe) if a miss that joins a walk in flight counted as a
    hit of each."""
    x = m["l2"]
    hits = x["hits_bypass"] + x["misses_merged"]
    return 1 - x["misses_alloc"] / max(1, x["lookups"]), hits / max(1, hits + x["misses_alloc"])


def pairs(a):
    presets, todo = a.presets.split(","), pair_list(a)
    high_both = measure_hmr(todo, a)
    results = many([(p, preset, a.set) for p in todo for preset in presets], a)
    rows, bad = [], 0
    print(
        f"{'pair':14} {'HMR':>3} {'preset':10} {'L2 hit':>8} {'bypass':>8} {'per probe':>9} "
        f"{'walks':>9} {'speedup':>8} {'IPC':>7} {'unfair':>7} {'epochs':>6}"
    )
    for i, m in enumerate(results):
        p, preset = todo[i // len(presets)], presets[i % len(presets)]
        hmr = sum(high_both[n] for n in p)
        row = {"pair": list(p), "hmr": hmr, "preset": preset, **m}
        rows.append(row)
        bad += m["mismatches"]
        print(
            f"{'_'.join(p):14} {hmr:3} {preset:10} {m['l2']['hit_rate']:8.2%} "
            f"{m['l2']['hit_rate_bypass']:8.2%} {bypass_per_probe(m):9.2%} "
            f"{sum(x['walks'] for x in m['applications']):9} {m['weighted_speedup']:8.4f} "
            f"{m['ipc_throughput']:7.4f} {m['unfairness']:7.4f} {m['l2']['epochs']:6}"
        )
    for hmr in (0, 1, 2, None):
        for preset in presets:
            rs = [r for r in rows if r["preset"] == preset and hmr in (None, r["hmr"])]
            if rs:
                print(
                    f"{'all' if hmr is None else f'{hmr}-HMR':14} {len(rs):3} {preset:10} "
                    f"{mean([r['l2']['hit_rate'] for r in rs]):8.2%} "
                    f"{mean([r['l2']['hit_rate_bypass'] for r in rs]):8.2%} "
                    f"{mean([bypass_per_probe(r) for r in rs]):9.2%} "
                    f"{mean([sum(x['walks'] for x in r['applications']) for r in rs]):9.0f} "
                    f"{mean([r['weighted_speedup'] for r in rs]):8.4f} "
                    f"{mean([r['ipc_throughput'] for r in rs]):7.4f} "
                    f"{mean([r['unfairness'] for r in rs]):7.4f}"
                )
    print("merged misses counted as hits:")
    for preset in presets:
        both = [merged_as_hits(r) for r in rows if r["preset"] == preset]
        print(
            f"{'all':14} {len(both):3} {preset:10} {mean([x[0] for x in both]):8.2%} {'':8} "
            f"{mean([x[1] for x in both]):9.2%}"
        )
    write("pairs", rows)
    return bad


def sweep(a):
    key, values = a.args[0], a.args[1].split(",")
    presets, todo = a.presets.split(","), pair_list(a)
    jobs = [(p, preset, [*a.set, f"{key}={v}"]) for v in values for preset in presets for p in todo]
    results = many(jobs, a)
    rows, bad, n = [], 0, len(todo)
    print(
        f"{key:>14} {'preset':10} {'L2 hit':>8} {'bypass':>8} {'per probe':>9} {'speedup':>8} "
        f"{'unfair':>7}"
    )
    for i in range(0, len(results), n):
        rs = results[i : i + n]
        v, preset = values[i // n // len(presets)], presets[i // n % len(presets)]
        row = {
            "key": key,
            "value": v,
            "preset": preset,
            "l2_hit_rate": mean([r["l2"]["hit_rate"] for r in rs]),
            "bypass_hit_rate": mean([r["l2"]["hit_rate_bypass"] for r in rs]),
            "bypass_per_probe": mean([bypass_per_probe(r) for r in rs]),
            "weighted_speedup": mean([r["weighted_speedup"] for r in rs]),
            "unfairness": mean([r["unfairness"] for r in rs]),
        }
        bad += sum(r["mismatches"] for r in rs)
        rows.append(row)
        print(
            f"{v:>14} {preset:10} {row['l2_hit_rate']:8.2%} {row['bypass_hit_rate']:8.2%} "
            f"{row['bypass_per_probe']:9.2%} "
            f"{row['weighted_speedup']:8.4f} {row['unfairness']:7.4f}"
        )
    write(f"sweep-{key}", rows)
    return bad


SYSTEM = (
    "sharedtlb",
    "static",
    "pwcache",
    "mask-tlb",
    "mask-cache",
    "mask-dram",
    "mask",
    "all",
    "ideal",
)


MEMORY = ("MemChannels=8",)


def system_alone(name, sms, sets):
    """On `sharedtlb` whatever it is compared with, so that speedups of different presets can be
    compared."""
    return corun.alone(
        trace(name, applications()[name][2]), sms, "sharedtlb", [*sets, *MEMORY], extra=EXTRA
    )


def system_one(names, sms, preset, sets):
    """Applications together with the memory system, `sms` SMs each."""
    apps = applications()
    run = (
        ("sharedtlb", [*sets, *MEMORY, "Ideal=1"])
        if preset == "ideal"
        else (preset, [*sets, *MEMORY])
    )
    r = corun.run([trace(n, apps[n][2]) for n in names], [sms] * len(names), *run, extra=EXTRA)
    m = corun.metrics(r, [system_alone(n, sms, sets) for n in names])
    return {**m, **memory_row(r), "memory": r["memory"]}


def memory_row(m):
    """Translation and data latency, L2 cache hit rates of translations by depth and of data, share
    of them that bypass, share of the used DRAM bandwidth, mean queue lengths."""
    x = m["memory"]
    d = x["depths"]
    rate = [y["hits"] / y["accesses"] if y["accesses"] else float("nan") for y in d]
    t = [y["accesses"] + y["bypassed"] for y in d]
    columns = x["translations"]["dram_columns"] + x["data"]["dram_columns"]
    return {
        "t_latency": x["translations"]["latency_mean"],
        "d_latency": x["data"]["latency_mean"],
        "hit_rates": rate,
        "bypass_rates": [y["bypassed"] / n if n else 0 for y, n in zip(d, t)],
        "t_share": x["translations"]["dram_columns"] / max(1, columns),
        "queues": x["queue_mean"],
        "use": columns * 2 / 8 / m["cycles"],
    }


def percent(x):
    return f"{x:.2%}" if x == x else "-"


def system(a):
    todo, rows = pair_list(a), []
    high_both = measure_hmr(todo, a)
    presets = a.presets.split(",") if a.presets != "sharedtlb,mask-tlb" else SYSTEM
    # alone runs first, so that no two processes make the same one
    names = sorted({n for p in todo for n in p})
    with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
        for i, _ in enumerate(
            pool.map(system_alone, names, [SMS] * len(names), [a.set] * len(names))
        ):
            progress(f"alone {i + 1} of {len(names)}")
        jobs = [(p, SMS, preset, a.set) for p in todo for preset in presets]
        for i, r in enumerate(pool.map(system_one, *zip(*jobs))):
            p, _, preset, _ = jobs[i]
            r.update(preset=preset, pair=list(p), hmr=sum(high_both[n] for n in p))
            rows.append(r)
            progress("")
            if i == 0:
                print(
                    f"{'pair':14} {'preset':10} {'speedup':>8} {'IPC':>7} {'unfair':>7} "
                    f"{'TLB hit':>8} {'t lat':>7} {'d lat':>8} {'t share':>8} {'DRAM use':>8}"
                )
            print(
                f"{'_'.join(r['pair']):14} {r['preset']:10} {r['weighted_speedup']:8.4f} "
                f"{r['ipc_throughput']:7.4f} {r['unfairness']:7.4f} "
                f"{r['l2']['hit_rate']:8.2%} {r['t_latency']:7.1f} {r['d_latency']:8.1f} "
                f"{r['t_share']:8.2%} {r['use']:8.2%}",
                flush=True,
            )
            progress(f"run {i + 1} of {len(jobs)}")
    progress("")
    base = [r for r in rows if r["preset"] == presets[0]]
    print(f"mean of {len(todo)} pairs; against {presets[0]}: mean of the ratios")
    for preset in presets:
        rs = [r for r in rows if r["preset"] == preset]
        rel = [
            mean([r[k] / b[k] for r, b in zip(rs, base)]) - 1
            for k in ("weighted_speedup", "ipc_throughput", "unfairness")
        ]
        d4 = [
            mean([r["hit_rates"][d] for r in rs if r["hit_rates"][d] == r["hit_rates"][d]])
            for d in (0, 1, 2, 3, 4)
        ]
        by = [mean([r["bypass_rates"][d] for r in rs]) for d in (1, 2, 3, 4)]
        q = [mean([r["queues"][k] for r in rs]) for k in ("normal", "silver", "golden")]
        print(
            f"{preset:10} speedup {mean([r['weighted_speedup'] for r in rs]):.4f} "
            f"({rel[0]:+.2%})  IPC {mean([r['ipc_throughput'] for r in rs]):.4f} "
            f"({rel[1]:+.2%})  unfairness {mean([r['unfairness'] for r in rs]):.4f} "
            f"({rel[2]:+.2%})"
        )
        print(
            f"{'':10} latency of translations {mean([r['t_latency'] for r in rs]):.1f}, of data "
            f"{mean([r['d_latency'] for r in rs]):.1f}; translations' share "
            f"{mean([r['t_share'] for r in rs]):.2%} of the used bandwidth, "
            f"{mean([r['use'] for r in rs]):.2%} of the peak used"
        )
        print(
            f"{'':10} L2 cache hits of data {percent(d4[0])}, of depths 1-4 "
            + " ".join(percent(x) for x in d4[1:])
            + "; bypass "
            + " ".join(f"{x:.2%}" for x in by)
            + f"; queues normal {q[0]:.2f} silver {q[1]:.2f} golden {q[2]:.2f}"
        )
    print(f"by HMR group, against {presets[0]}: mean of the ratios of speedup, IPC, unfairness")
    for hmr in sorted({b["hmr"] for b in base}):
        for preset in presets:
            of = [
                (r, b)
                for r, b in zip([r for r in rows if r["preset"] == preset], base)
                if b["hmr"] == hmr
            ]
            rel = [
                mean([r[k] / b[k] for r, b in of]) - 1
                for k in ("weighted_speedup", "ipc_throughput", "unfairness")
            ]
            print(
                f"{f'{hmr}-HMR':6} {len(of):3} {preset:10} " + " ".join(f"{x:+8.2%}" for x in rel)
            )
    write("system", rows)
    return sum(r["mismatches"] for r in rows)


# Nested mixes of applications that end soon: the first n of each run together on 30 SMs.
SCALE = (
    ("NN", "RAY", "RED", "HS", "MM"),
    ("NW", "BP", "RAY", "MM", "RED"),
    ("RED", "NN", "NW", "RAY", "BP"),
)
SCALE_RUNS = {
    "sharedtlb": ("sharedtlb", []),
    "mask": ("mask", []),
    "no silver": ("mask", ["SilverMax=0"]),
    "ideal": ("ideal", []),
}


def scale(a):
    """Weighted speedup of each design over that of ideal, mean of the mixes."""
    apps, rows = applications(), []
    for name in sorted({n for m in SCALE for n in m}):
        trace(name, apps[name][2])
    with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
        alone = sorted({(name, 2 * SMS // n) for m in SCALE for n in range(1, 6) for name in m[:n]})
        for i, _ in enumerate(pool.map(system_alone, *zip(*alone), [a.set] * len(alone))):
            progress(f"alone {i + 1} of {len(alone)}")
        names = [(m[:n], run) for n in range(1, 6) for m in SCALE for run in SCALE_RUNS]
        jobs = [
            (mix, 2 * SMS // len(mix), SCALE_RUNS[run][0], [*a.set, *SCALE_RUNS[run][1]])
            for mix, run in names
        ]
        for i, r in enumerate(pool.map(system_one, *zip(*jobs))):
            rows.append({**r, "run": names[i][1], "mix": list(names[i][0])})
            progress(f"run {i + 1} of {len(jobs)}")
    progress("")
    print(
        "applications "
        + "".join(f"{run + ' / ideal':>18}" for run in SCALE_RUNS if run != "ideal")
        + "   TLB hit (sharedtlb, mask)   t lat   d lat (sharedtlb, mask)   unfairness (sharedtlb, "
        "mask, ideal)"
    )
    for n in range(1, 6):
        of = {
            run: [r for r in rows if r["run"] == run and len(r["mix"]) == n] for run in SCALE_RUNS
        }
        ratio = {
            run: mean(
                [
                    r["weighted_speedup"] / i["weighted_speedup"]
                    for r, i in zip(of[run], of["ideal"])
                ]
            )
            for run in of
        }
        avg = {
            run: {
                k: mean([r[k] for r in of[run]]) for k in ("t_latency", "d_latency", "unfairness")
            }
            for run in of
        }
        hit = {run: mean([r["l2"]["hit_rate"] for r in of[run]]) for run in of}
        print(
            f"{n:12} "
            + "".join(f"{ratio[run]:18.3f}" for run in SCALE_RUNS if run != "ideal")
            + f"{hit['sharedtlb']:16.1%} {hit['mask']:8.1%}   {avg['sharedtlb']['t_latency']:9.1f} "
            f"{avg['mask']['t_latency']:6.1f}"
            f" {avg['sharedtlb']['d_latency']:8.1f} {avg['mask']['d_latency']:6.1f}"
            f"  {avg['sharedtlb']['unfairness']:12.2f} {avg['mask']['unfairness']:6.2f} "
            f"{avg['ideal']['unfairness']:6.2f}"
        )
    write("scale", rows)
    return sum(r["mismatches"] for r in rows)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("what", choices=("classes", "pairs", "system", "scale", "sweep", "draw"))
    ap.add_argument("args", nargs="*")
    ap.add_argument("--presets", default="sharedtlb,mask-tlb")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--limit", type=int, default=0)
    ap.add_argument("--pairs", default="")
    ap.add_argument("--set", action="append", default=[])
    ap.add_argument("--lanes", type=int, choices=(32, 64), default=32)
    a = ap.parse_args()
    global LANES
    LANES = a.lanes
    if a.what == "sweep" and len(a.args) != 2:
        sys.exit("run_mask: sweep needs a key and its values")
    bad = {
        "classes": classes,
        "pairs": pairs,
        "system": system,
        "scale": scale,
        "sweep": sweep,
        "draw": draw,
    }[a.what](a)
    if a.what != "draw":
        print(f"mismatches: {bad}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
