#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mosaic's experiments on the timed model (docs/results-mosaic.md).

usage: run_mosaic.py apps|paging|fragment|sweep [--jobs N] [--draws N] [--most N] [--memory MIB]
                     [--kernels K,...] [--set KEY=VALUE]...

apps      1 to 5 copies of each kernel, and --draws random mixes of 2 to 5 kernels: gpu-mmu, mosaic,
          ideal, with all pages
          resident and with demand paging: weighted speedup, TLB hit rates, walks, each application
          of the mixes (Mosaic, Figures 8 to 12)
paging    what demand paging costs with 4 KiB, 2 MiB pages and Mosaic; memory that 2 MiB pages waste
          (Figure 4, section 3.2)
fragment  memory full of foreign data: frames freed by compaction, coalesced frames, bloat (Figure
          16, Table 2)
sweep     entries of the L1 and L2 arrays for base pages and for large frames (Figures 14, 15)

A run is made once and kept in build/mosaic/. Writes build/reports/mosaic-<what>.json and prints
tables."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import subprocess
import sys

import corun

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DIR = os.path.join(ROOT, "build/mosaic")
SIZES = {
    "MVT": 1024,
    "RED": 8388608,
    "GUP": 262144,
    "BFS": 131072,
    "FFT": 2048,
    "TRD": 4194304,
    "MM": 256,
    "HS": 1024,
    "HISTO": 8388608,
    "BLK": 524288,
}
PRESETS = ("gpu-mmu", "mosaic", "ideal")
SETS = []  # --set: of all runs
SHARE = {1: 30, 2: 15, 3: 10, 4: 7, 5: 6}  # SMs of each application


def trace(kernel):
    path = os.path.join(DIR, f"{kernel}-{SIZES[kernel]}")
    if not os.path.exists(path):
        subprocess.run(
            ["build/bin/gmmu", "gen", kernel, "--size", str(SIZES[kernel]), "-o", path],
            cwd=ROOT,
            check=True,
        )
    return path


def run(kernels, preset, *more, sms):
    """Report of one run on `sms` SMs for each kernel, made if it is not there."""
    # Ideal translates at once; its pages come and go as Mosaic's do.
    if "--manager" not in more:
        more = ("--manager", "base" if preset == "gpu-mmu" else "mosaic", *more)
    more = ("--no-policy", *more, *SETS)
    key = repr((kernels, [SIZES[k] for k in kernels], preset, more, sms, corun.digest(corun.GMMU)))
    out = os.path.join(DIR, hashlib.sha256(key.encode()).hexdigest()[:24] + ".json")
    if not os.path.exists(out):
        try:
            result = corun.run(
                [trace(k) for k in kernels], [sms] * len(kernels), preset, [], "model", more
            )
        except RuntimeError as e:
            sys.exit(f"run_mosaic: {'+'.join(kernels)}, {preset}: {e}")
        with open(out + ".new", "w") as f:
            json.dump(result, f)
        os.replace(out + ".new", out)
    with open(out) as f:
        return json.load(f)


def progress(done, all_):
    if sys.stderr.isatty():
        print(
            f"\r\033[K{done} of {all_} runs" if done < all_ else "\r\033[K",
            end="",
            file=sys.stderr,
            flush=True,
        )


def prepare(tasks, jobs):
    """Makes all runs, several at a time."""
    for k in {k for t in tasks for k in t[0][0]}:
        trace(k)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        todo = [pool.submit(run, *a, **kw) for a, kw in tasks]
        for n, f in enumerate(concurrent.futures.as_completed(todo), 1):
            f.result()
            progress(n, len(tasks))


def mean(v):
    v = list(v)
    return sum(v) / len(v) if v else float("nan")


def write(what, data):
    os.makedirs(os.path.join(ROOT, "build/reports"), exist_ok=True)
    path = os.path.join(ROOT, f"build/reports/mosaic-{what}.json")
    with open(path + ".new", "w") as f:
        json.dump(data, f, indent=1)
        f.write("\n")
    os.replace(path + ".new", path)


# --------------------------------------------------------------------------------------------------
# apps
def mixes(a):
    rng = random.Random(1)
    yield from (("same", (k,) * n) for n in SHARE if n <= a.most for k in a.kernels)
    for n in range(2, a.most + 1):
        for _ in range(a.draws):
            yield "mixed", tuple(sorted(rng.sample(a.kernels, n)))


def each(rows, modes):
    """Each load of two, and each application of the mixed loads (Figures 10, 11)."""
    for m in modes:
        two = [
            (
                r["mosaic"]["ws"] / r["gpu-mmu"]["ws"],
                r["ideal"]["ws"] / r["gpu-mmu"]["ws"],
                "-".join(r["kernels"]),
            )
            for r in rows
            if r["kind"] == "mixed" and r["paging"] == m and len(r["kernels"]) == 2
        ]
        if two:
            print(f"\ntwo applications, {m}: weighted speedup against gpu-mmu, mosaic and ideal")
            print("\n".join(f"  {ks:12} {x:6.3f} {i:6.3f}" for x, i, ks in sorted(two)))
        of = [
            (g / x, i / x)
            for r in rows
            if r["kind"] == "mixed" and r["paging"] == m
            for g, x, i in zip(r["gpu-mmu"]["apps"], r["mosaic"]["apps"], r["ideal"]["apps"])
        ]
        if not of:
            continue
        speed = sorted(s for s, _ in of)
        near = ", ".join(
            f"{100 * mean(i >= lim for _, i in of):.1f}% within {100 * lim:.0f}%"
            for lim in (0.9, 0.8, 0.7)
        )
        print(
            f"\n{len(of)} applications of mixed loads, {m}: faster with mosaic than with gpu-mmu "
            f"{100 * mean(s > 1 for s in speed):.1f}%; speed "
            f"{100 * speed[0]:.1f}% to {100 * speed[-1]:.1f}%, mean {100 * mean(speed):.1f}%, "
            f"median {100 * speed[len(speed) // 2]:.1f}%; of ideal {near}"
        )


def apps(a):
    work = list(dict.fromkeys(mixes(a)))
    modes = ("resident", "demand")
    tasks = [
        ((ks, p, "--paging", m), {"sms": SHARE[len(ks)]})
        for _, ks in work
        for p in PRESETS
        for m in modes
    ]
    tasks += [
        (((k,), "gpu-mmu", "--paging", m), {"sms": SHARE[len(ks)]})
        for _, ks in work
        for k in ks
        for m in modes
    ]
    tasks = list({repr(t): t for t in tasks}.values())
    prepare(tasks, a.jobs)
    rows = []
    for kind, ks in work:
        sms = SHARE[len(ks)]
        for m in modes:
            alone = {
                k: run((k,), "gpu-mmu", "--paging", m, sms=sms)["applications"][0]["cycles"]
                for k in ks
            }
            row = {"kind": kind, "kernels": ks, "paging": m}
            for p in PRESETS:
                r = run(ks, p, "--paging", m, sms=sms)
                row[p] = {
                    "ws": sum(alone[k] / x["cycles"] for k, x in zip(ks, r["applications"])),
                    "apps": [x["cycles"] for x in r["applications"]],
                    "lookups": r["l1"]["lookups"],
                    "l1": r["l1"]["hit_rate"],
                    "l2": r["l2"]["hit_rate"],
                    "walks": r["walks"]["count"],
                    "cycles": r["cycles"],
                    "coalesced": r["paging"]["coalesced"],
                    "faults": r["paging"]["faults"],
                    "bus": r["paging"]["bus_busy"],
                }
            rows.append(row)
    write("apps" + "".join("-" + s for s in a.set), rows)
    for kind in ("same", "mixed"):
        for m in modes if any(r["kind"] == kind for r in rows) else ():
            print(f"\n{'copies of one kernel' if kind == 'same' else 'mixed kernels'}, {m}")
            print(
                f"{'apps':>4} {'loads':>5} | {'weighted speedup':^26} | {'mosaic':>8} "
                f"{'of ideal':>8} | {'L1 hit rate':^15} | {'L2 hit rate':^15} | walks kept, per "
                f"1000 lookups"
            )
            print(
                f"{'':>4} {'':>5} | {'gpu-mmu':>8} {'mosaic':>8} {'ideal':>8} | {'gain':>8} "
                f"{'':>8} | {'gpu-mmu':>7} {'mosaic':>7} | {'gpu-mmu':>7} {'mosaic':>7} |"
            )
            for n in list(SHARE) + [0]:
                of = [
                    r
                    for r in rows
                    if r["kind"] == kind and r["paging"] == m and (n == 0 or len(r["kernels"]) == n)
                ]
                if not of:
                    continue
                ws = {p: mean(r[p]["ws"] for r in of) for p in PRESETS}
                gain = mean(r["mosaic"]["ws"] / r["gpu-mmu"]["ws"] for r in of) - 1
                ideal = mean(r["mosaic"]["ws"] / r["ideal"]["ws"] for r in of)
                walks = {p: sum(r[p]["walks"] for r in of) for p in PRESETS[:2]}
                lookups = {p: sum(r[p]["lookups"] for r in of) for p in PRESETS[:2]}
                print(
                    f"{n or 'all':>4} {len(of):5} | {ws['gpu-mmu']:8.3f} {ws['mosaic']:8.3f} "
                    f"{ws['ideal']:8.3f} | "
                    f"{100 * gain:+7.1f}% {100 * ideal:7.1f}% | "
                    f"{100 * mean(r['gpu-mmu']['l1'] for r in of):6.1f}% "
                    f"{100 * mean(r['mosaic']['l1'] for r in of):6.1f}% | "
                    f"{100 * mean(r['gpu-mmu']['l2'] for r in of):6.1f}% "
                    f"{100 * mean(r['mosaic']['l2'] for r in of):6.1f}% | "
                    f"{100 * walks['mosaic'] / max(1, walks['gpu-mmu']):6.2f}%   "
                    + " ".join(f"{1000 * walks[p] / lookups[p]:6.1f}" for p in PRESETS[:2])
                )
    each(rows, modes)
    print("\neach kernel alone (30 SMs): gain of mosaic over gpu-mmu")
    for k in a.kernels:
        g = {r["paging"]: r for r in rows if r["kernels"] == (k,)}
        print(
            f"  {k:6} resident "
            f"{100 * (g['resident']['mosaic']['ws'] / g['resident']['gpu-mmu']['ws'] - 1):+8.1f}%  "
            " demand "
            f"{100 * (g['demand']['mosaic']['ws'] / g['demand']['gpu-mmu']['ws'] - 1):+8.1f}%   "
            f"cycles {g['resident']['gpu-mmu']['cycles']:>9} "
            f"-> {g['resident']['mosaic']['cycles']:>9}, on demand "
            f"{g['demand']['gpu-mmu']['cycles']:>9} -> {g['demand']['mosaic']['cycles']:>9}"
        )


# --------------------------------------------------------------------------------------------------
# paging
WAYS = {
    "4 KiB": ("gpu-mmu", ()),
    "2 MiB": ("mosaic", ("--manager", "large")),
    "Mosaic": ("mosaic", ()),
}


def paging(a):
    counts = (1, 2, 5)
    tasks = [
        (((k,) * n, p, *more, "--paging", m), {"sms": SHARE[n]})
        for k in a.kernels
        for n in counts
        for p, more in WAYS.values()
        for m in ("resident", "demand")
    ]
    prepare(tasks, a.jobs)
    rows = []
    print("speed against 4 KiB pages that are all resident; mean over", ", ".join(a.kernels))
    print(f"{'apps':>4} | " + " | ".join(f"{w + ', resident':>17} {'demand':>7}" for w in WAYS))
    for n in counts:
        line = []
        for p, more in WAYS.values():
            for m in ("resident", "demand"):
                of = [
                    run((k,) * n, "gpu-mmu", "--paging", "resident", sms=SHARE[n])["cycles"]
                    / run((k,) * n, p, *more, "--paging", m, sms=SHARE[n])["cycles"]
                    for k in a.kernels
                ]
                line.append(mean(of))
        rows.append({"apps": n, "speed": line})
        print(
            f"{n:4} | "
            + " | ".join(f"{line[2 * i]:17.3f} {line[2 * i + 1]:7.4f}" for i in range(len(WAYS)))
        )
    bloat = {}
    for k in a.kernels:
        held = {
            w: run((k,), p, *more, "--paging", "demand", sms=30)["paging"]
            for w, (p, more) in WAYS.items()
        }
        bloat[k] = {
            w: h["held"] / held["4 KiB"]["resident"] - 1 for w, h in held.items() if w != "4 KiB"
        }
    print(
        "memory held beyond the pages touched, 2 MiB pages: "
        + ", ".join(f"{k} {100 * v['2 MiB']:.1f}%" for k, v in bloat.items())
        + f"; mean {100 * mean(v['2 MiB'] for v in bloat.values()):.1f}%"
    )
    write("paging", {"speed": rows, "ways": list(WAYS), "bloat": bloat})


# --------------------------------------------------------------------------------------------------
# fragment
CACS = {
    "No CAC": ("--cac", "off"),
    "CAC": ("--cac", "copy", "--cac-stall"),
    "CAC-BC": ("--cac", "bulk", "--cac-stall"),
    "Ideal CAC": ("--cac", "ideal"),
}


def fragment(a):
    ks = tuple(a.kernels[:3])
    points = [(i, 0.5) for i in (0, 0.5, 0.9, 0.95, 1)] + [
        (1, o) for o in (0.01, 0.1, 0.25, 0.35, 0.5, 0.75)
    ]

    def options(i, o, mode, *more):
        return "--paging", mode, "--memory", str(a.memory), "--foreign", f"{i},{o}", *more

    ways = [("gpu-mmu", ())] + [("mosaic", c) for c in CACS.values()]
    modes = ("resident", "demand")
    prepare(
        [
            ((ks, p, *options(i, o, m, *c)), {"sms": 10})
            for i, o in points
            for m in modes
            for p, c in ways
        ],
        a.jobs,
    )
    rows = []
    print(
        f"{', '.join(ks)}; {a.memory} MiB. Speed against gpu-mmu; copies before a resident run "
        f"are counted"
    )
    print(
        f"{'index':>6} {'occupancy':>9} | {'coalesced':>9} {'compacted':>9} {'moved':>7} "
        f"{'mixed':>6} {'bloat':>7} | "
        + " | ".join(
            f"{m + ': ' + next(iter(CACS)):>18} " + " ".join(f"{c:>9}" for c in list(CACS)[1:])
            for m in modes
        )
    )
    for i, o in points:
        s = run(ks, "mosaic", *options(i, o, "resident", *CACS["Ideal CAC"]), sms=10)["paging"]
        bloat = s["held"] / s["resident"] - 1
        speed = {}
        for m in modes:
            g = run(ks, "gpu-mmu", *options(i, o, m), sms=10)["cycles"]
            r = {c: run(ks, "mosaic", *options(i, o, m, *c_), sms=10) for c, c_ in CACS.items()}
            speed[m] = {
                c: g / (x["cycles"] + x["paging"]["copy_cycles_before"]) for c, x in r.items()
            }
        rows.append({"index": i, "occupancy": o, "bloat": bloat, "mosaic": s, "speed": speed})
        print(
            f"{100 * i:5.0f}% {100 * o:8.0f}% | {s['coalesced']:9} {s['compacted']:9} "
            f"{s['moved']:7} {s['mixed']:6} {100 * bloat:6.2f}% | "
            + " | ".join(
                " ".join(f"{x:{18 if n == 0 else 9}.3f}" for n, x in enumerate(speed[m].values()))
                for m in modes
            )
        )
    write("fragment", rows)


# --------------------------------------------------------------------------------------------------
# sweep
def sweep(a):
    axes = {
        "L1BaseEntries": (8, 16, 32, 64, 128, 256),
        "L1LargeEntries": (2, 4, 8, 16, 32),
        "L2Entries": (64, 128, 256, 512, 1024),
        "L2LargeEntries": (16, 32, 64, 128, 256),
    }
    pairs = [(k, a.kernels[(n + 1) % len(a.kernels)]) for n, k in enumerate(a.kernels)]
    tasks = [
        ((ks, p, "--paging", "resident", "--set", f"{key}={v}"), {"sms": 15})
        for ks in pairs
        for key in axes
        for v in axes[key]
        for p in ("gpu-mmu", "mosaic")
        if not (p == "gpu-mmu" and "Large" in key)
    ]
    prepare(tasks, a.jobs)
    rows = []
    for key, values in axes.items():
        for p in ("gpu-mmu", "mosaic"):
            if p == "gpu-mmu" and "Large" in key:
                continue
            base = {
                ks: run(
                    ks,
                    p,
                    "--paging",
                    "resident",
                    "--set",
                    f"{key}={values[-2] if 'L2' not in key else values[-1]}",
                    sms=15,
                )["cycles"]
                for ks in pairs
            }
            line = [
                mean(
                    base[ks]
                    / run(ks, p, "--paging", "resident", "--set", f"{key}={v}", sms=15)["cycles"]
                    for ks in pairs
                )
                for v in values
            ]
            rows.append({"key": key, "preset": p, "values": values, "speed": line})
            print(f"{key:15} {p:8} " + "  ".join(f"{v}: {x:.3f}" for v, x in zip(values, line)))
    write("sweep", rows)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("what", choices=("apps", "paging", "fragment", "sweep"))
    ap.add_argument("--jobs", type=int, default=os.cpu_count())
    ap.add_argument("--draws", type=int, default=5)
    ap.add_argument("--memory", type=int, default=512, help="fragment: MiB")
    ap.add_argument("--most", type=int, default=5, help="applications at once")
    ap.add_argument("--set", action="append", default=[])
    ap.add_argument("--kernels", default=",".join(SIZES))
    a = ap.parse_args()
    a.kernels = a.kernels.split(",")
    for s in a.set:
        SETS.extend(("--set", s))
    for k in a.kernels:
        if k not in SIZES:
            sys.exit(f"run_mosaic: no kernel '{k}'; there are: {', '.join(SIZES)}")
    os.makedirs(DIR, exist_ok=True)
    globals()[a.what](a)


if __name__ == "__main__":
    main()
