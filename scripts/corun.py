#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several applications on one GPU: weighted speedup, IPC throughput, unfairness (MASK section 6).

usage: corun.py --trace T,T2[,...] [--preset P] [--backend model|rtl] [--sms N,N2,...]
                [--set KEY=VALUE] [--json J]

Runs each application alone on its share of the SMs (kept in build/cache/alone, by configuration,
trace and share), then all together; an application that ends first is started again until all have
ended once. IPC: warp accesses per cycle, from the start to the application's first end.
  weighted speedup = sum of IPC shared / IPC alone      unfairness = maximum of IPC alone / IPC
  shared
The last line is `mismatches: N`; exits with 1 if N is not 0.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys

import gmmu
import outfile
from gmmu import GMMU, ROOT

CACHE = os.path.join(ROOT, "build/cache/alone")


def run(traces, sms, preset, sets, backend="model", extra=()):
    """Result of one run as gmmu run --json gives it."""
    more = ["--sms", ",".join(map(str, sms)), "--restart", *extra]
    return gmmu.run(preset, backend, ",".join(traces), *more, sets=sets, mismatches=True)


def digest(path):
    h = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            h.update(block)
    return h.hexdigest()


def alone(trace, sms, preset, sets, backend="model", extra=()):
    """The same of one application alone, from the cache if it was run before with this program."""
    config = subprocess.run(
        [GMMU, "preset", preset, "--json"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    key = hashlib.sha256(
        "\n".join([digest(trace), config, digest(GMMU), str(sms), backend, *sets, *extra]).encode()
    ).hexdigest()[:24]
    path = os.path.join(CACHE, key + ".json")
    if os.path.exists(path):
        with open(path) as f:
            return json.load(f)
    result = run([trace], [sms], preset, sets, backend, extra)
    os.makedirs(CACHE, exist_ok=True)
    with open(path + ".new", "w") as f:
        json.dump(result, f)
    os.replace(path + ".new", path)
    return result


def metrics(shared, alones):
    """Per application: name, IPC alone and shared; and the three figures."""
    apps = []
    for s, a in zip(shared["applications"], alones):
        apps.append(
            {
                "name": s["name"],
                "sms": s["sms"],
                "ipc_alone": a["applications"][0]["ipc"],
                "ipc_shared": s["ipc"],
                "l1_hit_rate": s["l1_hit_rate"],
                "l2_hit_rate": s["l2_hit_rate"],
                "walks": s["walks"],
                "runs": s["runs"],
                "latency_mean": s["latency_mean"],
            }
        )
    ratios = [a["ipc_shared"] / a["ipc_alone"] for a in apps]
    return {
        "applications": apps,
        "weighted_speedup": sum(ratios),
        "ipc_throughput": sum(a["ipc_shared"] for a in apps),
        "unfairness": max(1 / r for r in ratios),
        "cycles": shared["cycles"],
        "l2": {
            k: shared["l2"][k]
            for k in (
                "lookups",
                "hit_rate",
                "hit_rate_bypass",
                "hits_bypass",
                "bypass_fills",
                "misses_merged",
                "misses_alloc",
                "epochs",
            )
        },
        "mismatches": shared["mismatches"] + sum(a["mismatches"] for a in alones),
    }


def shares(n, total):
    """Equal shares, the remainder to the first: as the front end divides."""
    return [total // n + (total % n if i == 0 else 0) for i in range(n)]


def num_sms(preset, sets):
    r = subprocess.run(
        [GMMU, "preset", preset, *sum((["--set", s] for s in sets), []), "--rtl-flags"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if r.returncode:
        sys.exit(r.stderr.strip())
    return int(next(f for f in r.stdout.split() if f.startswith("-GNumSms=")).split("=")[1])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--trace", required=True)
    ap.add_argument("--preset", default="sharedtlb")
    ap.add_argument("--backend", choices=("model", "rtl"), default="model")
    ap.add_argument("--sms", default="")
    ap.add_argument("--set", action="append", default=[])
    ap.add_argument("--json", default="")
    a = ap.parse_args()
    traces = a.trace.split(",")
    for t in traces:
        if not os.path.exists(t):
            sys.exit(f"corun: {t}: no such file")
    try:
        sms = (
            [int(x) for x in a.sms.split(",")]
            if a.sms
            else shares(len(traces), num_sms(a.preset, a.set))
        )
        if len(sms) != len(traces):
            sys.exit(f"corun: --sms has {len(sms)} entries, --trace has {len(traces)}")
        alones = [alone(t, s, a.preset, a.set, a.backend) for t, s in zip(traces, sms)]
        m = metrics(run(traces, sms, a.preset, a.set, a.backend), alones)
    except ValueError as e:
        sys.exit(f"corun: {e}")
    print(
        f"{'application':12} {'SMs':>4} {'IPC alone':>10} {'IPC shared':>10} {'slowdown':>9} "
        f"{'L1 hit':>8} {'L2 hit':>8} {'walks':>10} {'runs':>5}"
    )
    for x in m["applications"]:
        print(
            f"{x['name']:12} {x['sms']:4} {x['ipc_alone']:10.4f} {x['ipc_shared']:10.4f} "
            f"{x['ipc_alone'] / x['ipc_shared']:9.3f} "
            f"{x['l1_hit_rate']:8.2%} {x['l2_hit_rate']:8.2%} {x['walks']:10} {x['runs']:5}"
        )
    print(
        f"weighted speedup {m['weighted_speedup']:.4f}, IPC throughput "
        f"{m['ipc_throughput']:.4f}, unfairness {m['unfairness']:.4f}, "
        f"{m['cycles']} cycles, L2 hit rate {m['l2']['hit_rate']:.2%} (bypass cache "
        f"{m['l2']['hit_rate_bypass']:.2%})"
    )
    if a.json:
        try:
            outfile.write(a.json, json.dumps(m, indent=1) + "\n")
        except OSError as e:
            sys.exit(f"corun: {e}")
    print(f"mismatches: {m['mismatches']}")
    return m["mismatches"] != 0


if __name__ == "__main__":
    sys.exit(main())
