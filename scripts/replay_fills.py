#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What choosing by warp who fills the L2 TLB could do (docs/results-mask.md): answers of a run
(`gmmu run --dump`) through L1 TLBs and an L2 TLB with LRU, no time in between, so that nothing is
merged.

usage: replay_fills.py DUMP.csv...

Hits / lookups of the L2 TLB where all warps fill; where the lowest of each SM do, as fill tokens
are given; where those do whose entries were hit most often per fill when all did, known from
hindsight; and with every page walked for but once. 64 entries in the L1, 32 sets of 16 ways.
"""

import collections
import csv
import sys

L1, SETS, WAYS = 64, 32, 16
SHARES = (0.8, 0.5, 0.2)


def misses(answers):
    """[((ASID, page), (ASID, SM, warp))] that reach the L2 TLB."""
    l1, out = collections.defaultdict(collections.OrderedDict), []
    for r in answers:
        key = int(r["asid"]), int(r["va"], 16) >> 12
        entries = l1[r["sm"]]
        if key in entries:
            entries.move_to_end(key)
            continue
        entries[key] = None
        if len(entries) > L1:
            entries.popitem(last=False)
        out.append((key, (key[0], int(r["sm"]), int(r["warp"]))))
    return out


def replay(looks, may_fill):
    """(hits / lookups, {warp: hits of what it filled}, {warp: fills})"""
    sets = [collections.OrderedDict() for _ in range(SETS)]
    hits, got, fills = 0, collections.Counter(), collections.Counter()
    for key, warp in looks:
        entries = sets[key[1] % SETS]
        if key in entries:
            hits += 1
            got[entries[key]] += 1
            entries.move_to_end(key)
        elif may_fill(warp):
            entries[key] = warp
            fills[warp] += 1
            if len(entries) > WAYS:
                entries.popitem(last=False)
    return hits / len(looks), got, fills


def row(looks):
    """[all, most possible, lowest warps ..., best warps ...]"""
    every, got, fills = replay(looks, lambda w: True)
    best = sorted(fills, key=lambda w: (-got[w] / fills[w], w))
    last = max(w[2] for _, w in looks) + 1
    out = [every, 1 - len({k for k, _ in looks}) / len(looks)]
    out += [replay(looks, lambda w, s=s: w[2] < s * last)[0] for s in SHARES]
    keep = [set(best[: round(s * len(best))]) for s in SHARES]
    return out + [replay(looks, lambda w, k=k: w in k)[0] for k in keep]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("usage: ")[1].strip())
    shares = [f"{100 * s:.0f} %" for s in SHARES]
    head = ["all fill", "each page once", *(f"lowest {s}" for s in shares)]
    print("| dump | lookups | " + " | ".join(head + [f"best {s}" for s in shares]) + " |")
    for path in sys.argv[1:]:
        try:
            with open(path, newline="") as f:
                looks = misses(csv.DictReader(f))
        except OSError as e:
            sys.exit(f"replay_fills: {path}: {e.strerror}")
        if not looks:
            sys.exit(f"replay_fills: {path}: no lookup of the L2 TLB")
        cells = " | ".join(f"{x:.3f}" for x in row(looks))
        print(f"| {path.rpartition('/')[2]} | {len(looks):,} | {cells} |")


if __name__ == "__main__":
    main()
