#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the reports in build/reports (run.json, bench.json) as tables.

usage: report.py [FILE...]
"""

import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def unique(pairs):
    """object_pairs_hook of json.load: a key that stands twice would silently hide a value."""
    keys = [k for k, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(
            f"JSON with the same key twice: {[k for k in keys if keys.count(k) > 1][0]}"
        )
    return dict(pairs)


def table(head, rows):
    """Columns as wide as they need; text left, numbers right."""
    rows = [[str(c) for c in r] for r in rows]
    width = [max(len(r[i]) for r in [head] + rows) for i in range(len(head))]
    for r in [head] + rows:
        print(
            "  ".join(
                c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(r, width))
            ).rstrip()
        )


def percent(x):
    return f"{100 * x:.2f}%"


def worst_queue(rtl, model):
    """The queue whose mean occupancy differs most between the two."""

    def gap(q):
        return abs(rtl["queues"][q]["mean"] - model["queues"][q]["mean"])

    return max(rtl["queues"], key=gap)


def compare(rtl, model):
    """Differences of the timed model in %, and whether they are inside the limits."""

    def off(x, y):
        return 100.0 * (y - x) / x if x else 0.0

    d = [
        off(rtl["cycles"], model["cycles"]),
        off(rtl["latency"]["mean"], model["latency"]["mean"]),
        off(rtl["latency"]["p99"], model["latency"]["p99"]),
    ]
    return d, abs(d[0]) <= 1 and abs(d[1]) <= 2 and abs(d[2]) <= 2


def run_table(summary):
    runs = {(r["kernels"], r["preset"], r["backend"]): r for r in summary["runs"]}
    rtl = [r for r in summary["runs"] if r["backend"] == "rtl"]
    print(
        f"RTL, every answer and every TLB event compared with the golden model; seed "
        f"{summary['seed']}, "
        f"size {summary['size']}"
    )
    table(
        [
            "kernels",
            "preset",
            "accesses",
            "translations",
            "L1 base",
            "L1 large",
            "L2 base",
            "L2 large",
            "merged L1",
            "merged L2",
        ],
        [
            [
                r["kernels"],
                r["preset"],
                r["accesses"],
                r["translations"],
                percent(r["l1"]["hit_rate_base"]),
                percent(r["l1"]["hit_rate_large"]),
                percent(r["l2"]["hit_rate_base"]),
                percent(r["l2"]["hit_rate_large"]),
                r["l1"]["misses_merged"],
                r["l2"]["misses_merged"],
            ]
            for r in rtl
        ],
    )
    print()
    table(
        [
            "kernels",
            "preset",
            "walks",
            "frames",
            "same frame",
            "walks at once",
            "most",
            "latency mean",
            "p99",
            "cycles",
            "kHz",
            "comparisons",
            "mismatches",
        ],
        [
            [
                r["kernels"],
                r["preset"],
                r["walks"]["count"],
                r["walks"]["frames_touched"],
                r["walks"]["same_frame"],
                f"{r['walks']['concurrent_mean']:.2f}",
                r["walks"]["concurrent_max"],
                f"{r['latency']['mean']:.2f}",
                r["latency"]["p99"],
                r["cycles"],
                f"{r['khz']:.1f}",
                r["comparisons"]["total"],
                r["mismatches"],
            ]
            for r in rtl
        ],
    )
    print("\ntimed model beside the RTL (limits: cycles 1 %, latencies 2 %)")
    rows = []
    for r in rtl:
        m = runs.get((r["kernels"], r["preset"], "model"))
        if not m:
            continue
        d, ok = compare(r, m)
        rows.append(
            [
                r["kernels"],
                r["preset"],
                r["cycles"],
                m["cycles"],
                f"{d[0]:+.3f}%",
                f"{d[1]:+.3f}%",
                f"{d[2]:+.3f}%",
                "ok" if ok else f"differs: {worst_queue(r, m)}",
                f"{m['khz'] / r['khz']:.1f}x" if r["khz"] else "-",
            ]
        )
    table(
        [
            "kernels",
            "preset",
            "RTL cycles",
            "model cycles",
            "cycles",
            "mean latency",
            "p99",
            "",
            "speed",
        ],
        rows,
    )


def bench_table(b):
    print("bench")
    table(
        ["what", "unit", "value", "goal", ""],
        [
            [
                x["name"],
                x["unit"],
                f"{x['value']:.4g}",
                f"{x['goal']:.4g}" if x.get("goal") is not None else "-",
                "" if x.get("goal") is None else "ok" if x["ok"] else "MISSED",
            ]
            for x in b["results"]
        ],
    )


def main():
    paths = sys.argv[1:] or [
        os.path.join(ROOT, "build/reports", n) for n in ("run.json", "bench.json")
    ]
    shown = 0
    for p in paths:
        if not os.path.exists(p):
            continue
        try:
            with open(p) as f:
                data = json.load(f)
        except (ValueError, OSError) as e:
            sys.exit(f"report: {p}: {e}")
        if "runs" in data:
            run_table(data)
        elif "results" in data:
            bench_table(data)
        else:
            continue
        shown += 1
    if not shown:
        print("report: no reports yet; `make run` and `make bench` write them", file=sys.stderr)
    return shown == 0


if __name__ == "__main__":
    sys.exit(main())
