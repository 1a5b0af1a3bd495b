#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces and mappings that use large arrays whole: frames.py DIR SEED [PA_BITS]

Four applications, each with 150 frames of 2 MiB (coalesced, or native large pages) and 300 pages of
4 KiB anywhere in the 48-bit address space, mapped anywhere in physical memory (PA_BITS, 48): more
than the arrays of any preset hold, with every bit of page and frame numbers in use. Writes
DIR/APP.txt, DIR/map.txt and DIR/events.txt: some frames are splintered, coalesced again, and
invalidated meanwhile."""

import random
import sys

APPS, FRAMES, PAGES, WARPS, OPS = 4, 150, 300, 8, 120
ASIDS = (0, 5, 6, 7)
LARGE, PAGE = 1 << 21, 1 << 12


def places(r, n, size, top):
    """n different multiples of size below 2^top; edges and their neighbours more often."""
    out = set()
    while len(out) < n:
        at = r.getrandbits(top)
        if r.random() < 0.2:  # few bits set, or few clear
            at = 1 << r.randrange(21, top) | r.getrandbits(22)
            at ^= (1 << top) - 1 if r.random() < 0.5 else 0
        out.add(at & ((1 << top) - 1) & -size)
    return sorted(out, key=lambda _: r.random())


def main():
    out, seed = sys.argv[1], int(sys.argv[2])
    bits = int(sys.argv[3]) if len(sys.argv) > 3 else 48
    r = random.Random(seed)
    # the top of physical memory is the page tables', and a frame is used once
    frames = [x for x in places(r, 4 * APPS * FRAMES, LARGE, bits) if x >> (bits - 5) != 31]
    events, lines = [], []
    for app in range(APPS):
        # one 2 MiB of virtual addresses each, which holds a frame or a page
        vas = places(r, FRAMES + PAGES, LARGE, 48)
        vas = [v | 0xFFFF000000000000 if v >> 47 else v for v in vas if v and ~v & 0xFFFFFFE00000]
        arrays, asid = [], ASIDS[app]
        for i, va in enumerate(vas):
            pa = frames.pop()
            if i < FRAMES:
                kind, size = ("2m" if i % 3 == 0 else "coalesced"), LARGE
                if i % 10 == 1 and kind == "coalesced":
                    at = 2000 + 150 * len(events)
                    events += [
                        (at, f"splinter {asid} {va:#x}"),
                        (at + 400, f"coalesce {asid} {va:#x}"),
                        (at + 500, f"invalidate {asid} {va:#x} {LARGE:#x}"),
                    ]
            else:
                kind, size = "4k", PAGE
                va += r.randrange(512) * PAGE
                pa += r.randrange(512) * PAGE
            lines.append(f"{asid} {va:#x} {pa:#x} {size:#x} rwu {kind}")
            arrays.append((va, size))
        with open(f"{out}/{app}.txt", "w") as f:
            print(f"gmmu-trace 1\napp FRAMES{app}", file=f)
            for i, (va, size) in enumerate(arrays):
                print(f"array A{i} {va:#x} {size:#x} rw", file=f)
            print(f"launch k blocks 1 warps {WARPS}\n", file=f)
            for warp in range(WARPS):
                print(f"block 0 warp {warp}", file=f)
                for _ in range(OPS):
                    lanes = []
                    for _ in range(r.choice((1, 1, 2, 4, 8))):
                        va, size = r.choice(arrays[: FRAMES if r.random() < 0.7 else None])
                        lanes.append(f"{va + r.randrange(size // 4) * 4:#x}")
                    print(r.choice("rrw"), 4, *lanes, file=f)
    with open(f"{out}/map.txt", "w") as f:
        print("\n".join(lines), file=f)
    with open(f"{out}/events.txt", "w") as f:
        for at, what in sorted(events):
            print(f"cycle {at} {what}", file=f)


if __name__ == "__main__":
    main()
