#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Throughput of the RTL and speed of the simulators: build/reports/bench.json and a table.

usage: bench.py [--quick]

Throughput is exact (cycles); speed depends on the machine, so each figure is the best of three runs
and the timed model is given as a ratio to the RTL in the same run. Exits with 1 if a throughput
goal is missed; missed speed goals are shown, not fatal.
"""

import argparse
import json
import os
import re
import sys
import time

import gmmu
import report
from gmmu import GMMU, ROOT, sh

RESULTS = []


def add(name, unit, value, goal=None, hard=False, at_most=False):
    ok = goal is None or (value <= goal if at_most else value >= goal)
    RESULTS.append(
        {"name": name, "unit": unit, "value": value, "goal": goal, "ok": ok, "hard": hard}
    )


def stream(preset, *args):
    return json.loads(sh(GMMU, "throughput", "--preset", preset, "--set", "NumSms=8", *args))


def throughput():
    for preset in ("gpu-mmu", "mosaic"):
        sh("make", "-s", "--no-print-directory", "rtl", f"PRESET={preset}", "SET=NumSms=8")
        hit = stream(preset, "--stream", "hit")
        add(
            f"{preset}: all-hit stream, translations per cycle per SM",
            "1/cycle",
            hit["answers_per_cycle_per_sm"],
            0.98,
            True,
        )
        add(f"{preset}: latency of a hit, most", "cycles", hit["latency_max"], 1, True, True)
        l2 = stream(preset, "--stream", "l2")
        add(
            f"{preset}: L1 misses that hit the L2, lookups per cycle",
            "1/cycle",
            l2["l2_lookups_per_cycle"],
            1.99,
            True,
        )
        for latency in (20, 100, 400):
            levels = 4
            goal = min(0.9 * 64 / (levels * (latency + 2)), 0.9 * 1 / levels)
            w = stream(preset, "--stream", "walk", "--latency", str(latency))
            add(
                f"{preset}: walks per cycle, memory latency {latency}",
                "1/cycle",
                w["walks_per_cycle"],
                goal,
                True,
            )
    h = stream("mosaic", "--stream", "hit", "--coalesced")
    add(
        "mosaic: all-hit stream in large entries",
        "1/cycle",
        h["answers_per_cycle_per_sm"],
        0.98,
        True,
    )


def best_run(preset, backend, trace, sets, n):
    best = None
    for _ in range(n):
        r = gmmu.run(preset, backend, trace, sets=sets)
        if best is None or r["khz"] > best["khz"]:
            best = r
    return best


def speed(n, size):
    trace = os.path.join(ROOT, "build/traces/bench-2dconv.trace")
    sh(GMMU, "gen", "2DCONV", "--size", size, "-o", trace)
    small = ["NumSms=4", "DataLatency=90"]
    for preset in ("gpu-mmu", "mosaic"):
        sets = small if preset == "mosaic" else ["NumSms=4", "DataLatency=30"]
        sh("make", "-s", "--no-print-directory", "rtl", f"PRESET={preset}", "SET=NumSms=4")
        sh("make", "-s", "--no-print-directory", "rtl", f"PRESET={preset}")
        r = best_run(preset, "rtl", trace, sets, n)
        add(f"{preset}, 4 SMs: simulation with scoreboard", "kHz", r["khz"], 260)
        add(
            f"{preset}, 4 SMs: cycles in which an SM makes a lookup",
            "share",
            r["l1"]["lookup_cycles"],
            0.5,
        )
        add(f"{preset}, 4 SMs: checked translations", "1/s", r["translations_per_s"], 0.5e6)
        m = best_run(preset, "model", trace, sets, n)
        add(
            f"{preset}, 4 SMs: timed model against the RTL simulation", "ratio", m["khz"] / r["khz"]
        )
        r = best_run(preset, "rtl", trace, [], n)
        add(f"{preset}, 30 SMs: simulation with scoreboard", "kHz", r["khz"], 20)
        add(f"{preset}, 30 SMs: checked translations", "1/s", r["translations_per_s"])
        m = best_run(preset, "model", trace, [], n)
        add(
            f"{preset}, 30 SMs: timed model against the RTL simulation",
            "ratio",
            m["khz"] / r["khz"],
        )


def policy():
    sh("make", "-s", "--no-print-directory", "build/bench/bench_policy")
    data = json.loads(sh(os.path.join(ROOT, "build/bench/bench_policy")))

    def walk(prefix, x):
        for k, v in x.items():
            if isinstance(v, dict):
                walk(f"{prefix} {k}", v)
            elif isinstance(v, (int, float)) and "per_s" in k:
                add(
                    f"policy model{prefix}: {k}",
                    "1/s",
                    v,
                    1e7 if "l1" in (prefix + k).lower() else None,
                )

    walk("", data)
    return data


def dram():
    """One DRAM channel with a full queue: exact shares of the peak rate, and the model's speed."""
    sh("make", "-s", "--no-print-directory", "build/bench/bench_dram")
    data = json.loads(sh(os.path.join(ROOT, "build/bench/bench_dram")))
    add(
        "DRAM channel, stream of reads: share of the peak rate apart from refresh",
        "share",
        data["stream"]["utilisation"],
        0.95,
        True,
    )
    for golden in (0, 10, 50):
        r = data[f"random_{golden}"]
        add(
            f"DRAM channel, random reads, {golden} % translations: share of what an ideal "
            f"scheduler reaches",
            "share",
            r["of_ideal"],
            0.9,
            True,
        )
        add(
            f"DRAM channel, random reads, {golden} % translations: cycles per ACT",
            "cycles",
            r["cycles_per_act"],
        )
    for name, bench in (
        ("one DRAM channel", "dram"),
        ("one channel of L2 cache and DRAM", "l2_cache"),
    ):
        sh(f"tb/{bench}/run.sh", "1000", "1", "full")
        start = os.times().children_user
        text = sh(f"build/tb/{bench}/full", "100000", "1", "0")
        seconds = os.times().children_user - start
        cycles = int(re.search(r"(\d+) cycles", text).group(1))
        add(
            f"{name}, full size: RTL simulation in lockstep with the model",
            "kHz",
            cycles / seconds / 1e3,
        )
    add("DRAM model, stream", "1/s", data["stream"]["requests_per_s"], 2e6)
    add("DRAM model, random", "1/s", data["random_0"]["requests_per_s"], 0.5e6)
    return data


def axi():
    """What a hit through gmmu_axi costs."""
    text = sh("tb/axi/run.sh", "3000", "1")
    m = re.search(r"hit adds (\d+) cycle to AR, (\d+) to W; ([\d.]+) read and ([\d.]+) write", text)
    add("gmmu_axi: cycles a hit adds to AR", "cycles", int(m.group(1)), 2, True, True)
    add("gmmu_axi: cycles a hit adds to the first W beat", "cycles", int(m.group(2)), 2, True, True)
    add("gmmu_axi: single-beat reads that hit", "1/cycle", float(m.group(3)), 0.98, True)
    add("gmmu_axi: single-beat writes that hit", "1/cycle", float(m.group(4)), 0.98, True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--quick", action="store_true", help="one short run of each speed figure")
    a = ap.parse_args()
    os.makedirs(os.path.join(ROOT, "build/reports"), exist_ok=True)
    os.makedirs(os.path.join(ROOT, "build/traces"), exist_ok=True)
    start = time.time()
    throughput()
    speed(1 if a.quick else 3, "256" if a.quick else "512")
    raw = policy()
    raw["dram"] = dram()
    axi()
    out = os.path.join(ROOT, "build/reports/bench.json")
    data = {"results": RESULTS, "policy": raw, "seconds": time.time() - start}
    with open(out + ".new", "w") as f:
        json.dump(data, f, indent=1)
        f.write("\n")
    os.replace(out + ".new", out)
    report.bench_table(data)
    return any(r["hard"] and not r["ok"] for r in RESULTS)


if __name__ == "__main__":
    sys.exit(main())
