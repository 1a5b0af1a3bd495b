#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random requests by the hundred million through the RTL of every build that tests know.

usage: random_long.py [--total N] [--seeds N] [--first SEED] [NAME...]

Every `gmmu random --backend rtl --ops` of tb/tests.list, or of its tests NAME, is run with N seeds
(4, from SEED, 1001) and so many requests that all together are --total (100,000,000). Each run
compares every answer, event and count as the test does. Prints a line for each run and a table; all
goes to build/reports/random.json. Broken off, it goes on behind the last run that was whole, while
rtl, tb and c_model are the same. Exits with 1 when a run finds a mismatch or does not end well."""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time

import mutate
import test_cycles

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STATE = os.path.join(ROOT, "build/random-long.jsonl")


def builds(names):
    """Test, arguments of gmmu random without --ops, --backend and the seed; each build once."""
    seen = set()
    for name, words in test_cycles.commands(names):
        if "--ops" not in words:
            continue
        at = words.index("--ops")
        del words[at : at + 2]
        if tuple(words) not in seen:
            seen.add(tuple(words))
            yield name, words


def known(key):
    """{command: result} of earlier runs on the same sources; a file of others is begun anew."""
    try:
        with open(STATE) as f:
            lines = [json.loads(x) for x in f]
        if lines[0] == {"key": key}:
            return {x["command"]: x for x in lines[1:]}
    except (FileNotFoundError, IndexError, json.JSONDecodeError):
        pass
    with open(STATE, "w") as f:
        f.write(json.dumps({"key": key}) + "\n")
    return {}


def run(name, command):
    start = time.time()
    r = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    m = re.search(r"^ *requests +(\d+) +in (\d+) cycles", r.stdout, re.M)
    if r.returncode or not r.stdout.endswith("mismatches: 0\n") or not m:
        sys.exit(
            f"FAIL {name}, exit {r.returncode}; again: {shlex.join(command)}\n"
            f"{r.stdout[-2000:]}{r.stderr[-1000:]}"
        )
    return {
        "test": name,
        "command": shlex.join(command),
        "requests": int(m[1]),
        "cycles": int(m[2]),
        "seconds": round(time.time() - start, 1),
    }


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--total", type=int, default=100_000_000)
    ap.add_argument("--seeds", type=int, default=4)
    ap.add_argument("--first", type=int, default=1001)
    ap.add_argument("names", nargs="*")
    a = ap.parse_args()
    if a.total < 1 or a.seeds < 1:
        ap.error("--total and --seeds begin at 1")
    todo = [
        (name, words, seed)
        for name, words in builds(a.names)
        for seed in range(a.first, a.first + a.seeds)
    ]
    if not todo:
        sys.exit("random_long.py: no such test in tb/tests.list runs gmmu random --ops on the RTL")
    ops = -(-a.total // len(todo))
    os.makedirs(os.path.join(ROOT, "build/reports"), exist_ok=True)
    done, results = known(mutate.sources_key()), []
    for i, (name, words, seed) in enumerate(todo, 1):
        command = [*words, "--ops", str(ops), "--backend", "rtl", "--seed", str(seed)]
        result = done.get(shlex.join(command))
        if not result:
            result = run(name, command)
            with open(STATE, "a") as f:
                f.write(json.dumps(result) + "\n")
        results.append(result)
        print(
            f"[{i}/{len(todo)}] {name} seed {seed}: {result['requests']:,} requests, "
            f"{result['seconds']} s",
            flush=True,
        )
    rows = {}
    for r in results:
        row = rows.setdefault(r["test"], [0, 0, 0])
        for k, what in enumerate(("requests", "cycles", "seconds")):
            row[k] += r[what]
    rows["all"] = [sum(x) for x in zip(*rows.values())]
    last = a.first + a.seeds - 1
    print(f"\nSeeds {a.first} to {last}, no mismatch:\n\n| test | requests | cycles | s |")
    print("|---|---:|---:|---:|")
    for name, (requests, cycles, seconds) in rows.items():
        print(f"| `{name}` | {requests:,} | {cycles:,} | {seconds:.0f} |")
    with open(os.path.join(ROOT, "build/reports/random.json"), "w") as f:
        json.dump({"first": a.first, "seeds": a.seeds, "runs": results}, f, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
