# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/results-apointers.md beside the paper's that need no page cache to be filled: one
access, copying, kernels."""

from apointer_points import (
    ADD,
    AP,
    BITONIC,
    COPY16,
    COPY4,
    COPY8,
    EMPTY,
    FFT,
    GPUFS,
    HOST,
    INC,
    JITTER,
    RANDOM,
    RAW,
    READ,
    READ_ALL,
    READ_INC,
    REDUCE,
    SEEDS,
    SHAKEN,
    US,
    Overhead,
    mean,
    ranged,
    shaken,
    table,
)

# Numbers printed in the paper's text and tables, nothing else.
# As printed: cycles, and what stands behind them in parentheses.
PAPER_I = {
    "plain": ("225", "32", "257"),
    "compiler": ("367 (+63%)", "152 (x 3.7)", "519 (+101%)"),
    "prefetch": ("271 (+20%)", "", "423 (+65%)"),
    "compiler+rw": ("", "", "585 (+127%)"),
    "prefetch+rw": ("", "", "435 (+75%)"),
}


def table_i(p):
    one = dict(blocks=1, warps=1, pages=1)
    empty = p.get(kind=EMPTY, way=RAW, **one)
    raw = {k: p.get(kind=k, way=RAW, **one) for k in (READ, INC, READ_INC)}
    rows, builds = (
        [],
        [
            ("long", "000", "compiler"),
            ("long, prefetch", "010", "prefetch"),
            ("long, permissions", "001", "compiler+rw"),
            ("long, prefetch, permissions", "011", "prefetch+rw"),
            ("long, permissions, exact bounds", "002", None),
            ("short", "100", None),
            ("short, prefetch", "110", None),
            ("short, permissions", "101", None),
        ],
    )
    values = {
        name: {k: p.get(b, kind=k, way=AP, **one) for k in (READ, INC, READ_INC)}
        for name, b, _ in builds
    }
    # Once more with other data, and with a memory whose latency is drawn.
    cases = [(EMPTY, RAW, "000", empty)] + [(k, RAW, "000", raw[k]) for k in raw]
    cases += [(k, AP, b, values[name][k]) for name, b, _ in builds for k in raw]
    others = [
        (v, [p.get(b, kind=k, way=way, seed=n, **one) for n in SEEDS[1:]]) for k, way, b, v in cases
    ]
    drawn = {(k, way, b): shaken(p, b, kind=k, way=way, **one) for k, way, b, _ in cases}
    if p.wanted:
        return ""
    same = all(x["latency"] == v["latency"] for v, xs in others for x in xs)

    def far(k, b, name):
        """How far a ratio moves, in %."""
        at = cycles(values[name][k]) / cycles(raw[k])
        none = drawn[EMPTY, RAW, "000"]
        return max(
            100 * abs((x["latency"] - e["latency"]) / (y["latency"] - e["latency"]) / at - 1)
            for x, y, e in zip(drawn[k, AP, b], drawn[k, RAW, "000"], none)
        )

    def cycles(v):
        return v["latency"] - empty["latency"]

    def cell(v, k):
        return f"{cycles(v):.1f} (x {cycles(v) / cycles(raw[k]):.2f})"

    rows.append(
        ["plain pointer"]
        + [f"{cycles(raw[k]):.1f}" for k in (READ, INC, READ_INC)]
        + [*PAPER_I["plain"]]
    )
    for name, _, row in builds:
        rows.append([name] + [cell(values[name][k], k) for k in (READ, INC, READ_INC)])
        rows[-1] += PAPER_I[row] if row else [""] * 3
    return (
        "## One access (Table I)\n\nCycles of one warp alone, all lanes linked, memory of 400 "
        "cycles and 4 bytes a cycle; what two readings of the clock take "
        "is taken off. In brackets: over the plain pointer on the same machine (the paper's as "
        "printed).\n\n"
        + table(
            [
                "pointer",
                "read",
                "increment",
                "both",
                "paper: read",
                "paper: increment",
                "paper: both",
            ],
            rows,
        )
        + f"\nSeeds {' and '.join(map(str, SEEDS[1:]))} give "
        + ("the same cycles everywhere" if same else "other cycles at some places")
        + " (a seed draws the data, which one access does not look at); with "
        + SHAKEN
        + " a ratio moves by at most "
        + f"{max(far(k, b, name) for name, b, _ in builds for k in raw):.1f} %.\n\n"
    )


def copied(warps, rounds, rate=4):
    """Bytes read and written, in cycles of a memory of that rate."""
    return 2 * 4096 * rounds * warps / rate


def copy(p, kind, way, warps, build="000", rate=4, latency=400, translate=0, rounds=16, **more):
    """Share of memory; rounds of 4 KiB a warp."""
    v = p.get(
        build,
        kind=kind,
        way=way,
        blocks=1,
        warps=warps,
        pages=1,
        rounds=rounds,
        rate=rate,
        latency=latency,
        translate=translate,
        **more,
    )
    return v and copied(warps, rounds, rate) / v["kernel"]


def table_ii(p, quick):
    warps = (8, 32) if quick else (1, 4, 8, 16, 32)
    names = {COPY4: "4 bytes", COPY8: "8 bytes", COPY16: "16 bytes"}
    cases = []
    for kind, name in names.items():
        cases += [(name + ", plain", kind, RAW, "000"), (name + ", long", kind, AP, "000")]
        if kind == COPY4:
            cases += [
                (name + ", long, permissions", kind, AP, "001"),
                (name + ", long, exact bounds", kind, AP, "002"),
                (name + ", short", kind, AP, "100"),
            ]
    rows = [(name, [copy(p, k, way, w, b) for w in warps]) for name, k, way, b in cases]
    drawn_at = [w for w in (1, 8, 32) if w in warps]
    drawn = [
        [[copy(p, k, way, w, b, seed=n, jitter=JITTER) for n in SEEDS] for w in drawn_at]
        for _, k, way, b in cases
    ]
    sweeps = []
    for rate in () if quick else (2, 4, 8):
        for latency in (400,) if rate != 4 else (100, 400, 1600):
            sweeps.append(
                (
                    rate,
                    latency,
                    [
                        (
                            copy(p, k, RAW, 32, rate=rate, latency=latency, rounds=2),
                            copy(p, k, AP, 32, rate=rate, latency=latency, rounds=2),
                        )
                        for k in (COPY4, COPY8)
                    ],
                )
            )
    spills = (
        []
        if quick
        else [
            (
                n,
                [
                    copy(p, k, way, 1, f"000s{n}" if n else "000")
                    for k in (COPY4, COPY8)
                    for way in (RAW, AP)
                ],
            )
            for n in range(5)
        ]
    )
    if p.wanted:
        return ""
    best = max(x for name, r in rows if "plain" in name for x in r)
    out = (
        "## Copying memory (Table II)\n\nShare of memory's bytes a cycle (4; latency 400) that "
        "are read and written, 64 KiB a warp, its page again and again in tiles of "
        "four accesses; links are made before. The best plain copy reaches "
        f"{100 * best:.1f} % of memory.\n\n"
        + table(
            ["access", *(f"{w} warp{'s' * (w > 1)}" for w in warps)],
            [[n] + [f"{100 * x:.1f} %" for x in r] for n, r in rows],
        )
        + f"\nThe same with {SHAKEN}: mean, and lowest and highest seed.\n\n"
        + table(
            ["access", *(f"{w} warp{'s' * (w > 1)}" for w in drawn_at)],
            [
                [n] + [ranged(100 * sum(x) / len(x), 100 * min(x), 100 * max(x), "", 1) for x in r]
                for (n, _), r in zip(rows, drawn)
            ],
        )
    )
    paper = [["4 bytes", "65.4 %"], ["4 bytes, permissions", "64.1 %"], ["8 bytes", "97.6 %"]]
    out += (
        "\nThe paper's own, of its GPU's best copy (152 GB/s), 52 blocks of 32 warps:\n\n"
        + table(["access", "paper"], paper)
    )
    if spills:
        out += (
            "\nOne warp alone, by how many of a tile's four loads are put on the lane's stack "
            "as soon as they are issued (forced in C; GCC's own spills come on top). The warp "
            "waits there for the load: "
            "what a tile then takes is one more latency of memory for each, and this is why a "
            "copy by one warp is slow wherever GCC runs out of registers.\n\n"
            + table(
                [
                    "loads put on the stack",
                    "4 bytes, plain",
                    "4 bytes, long",
                    "8 bytes, plain",
                    "8 bytes, long",
                ],
                [[str(n)] + [f"{100 * x:.1f} %" for x in r] for n, r in spills],
            )
        )
    if sweeps:
        out += (
            "\n32 warps, 8 KiB each, by memory's bytes a cycle and latency: long pointers' share "
            "of the plain copy's speed, and that of memory (64 bursts of 64 bytes on their way are "
            "2.56 bytes a cycle, 64 %, at 1,600 cycles).\n\n"
            + table(
                [
                    "bytes a cycle",
                    "latency",
                    "4 bytes: of plain",
                    "plain: of memory",
                    "8 bytes: of plain",
                    "plain: of memory",
                ],
                [
                    [str(r), str(lat)]
                    + [
                        c
                        for raw, ap in v
                        for c in (f"{100 * ap / raw:.0f} %", f"{100 * raw:.0f} %")
                    ]
                    for r, lat, v in sweeps
                ],
            )
        )
    return out + "\n"


KERNELS = (
    ("Add", ADD, 0),
    ("Read", READ_ALL, 0),
    ("Random 5", RANDOM, 5),
    ("Random 50", RANDOM, 50),
    ("Reduce", REDUCE, 0),
    ("FFT", FFT, 0),
    ("Bitonic", BITONIC, 0),
)


def compute(p, quick):
    """Figures 6a to 6c."""
    kernels = KERNELS[1:3] if quick else KERNELS
    warps = (4,) if quick else (1, 8)
    many = warps[-1]
    linked, cached = [], []
    files = ((4, 100, HOST), (16, 100, HOST), (4, 0, HOST // 10))
    for name, kind, rounds in kernels:
        one = dict(kind=kind, rounds=rounds or 1, blocks=1, pages=2 if kind == ADD else 1)
        two = [("000", dict(one, warps=w, width=b, repeat=2)) for b in (4, 16) for w in warps]
        linked.append([Overhead(p, (b, dict(x, way=AP)), (b, dict(x, way=RAW))) for b, x in two])
        one["warps"] = many
        soft = [("000", dict(one, width=b, warm=warm, host=host)) for b, warm, host in files]
        gpufs = [(b, dict(x, way=GPUFS)) for b, x in soft]
        faulted = dict(one, way=RAW, width=4, warm=0, host=HOST // 10, hw=1, handler=US)
        cached.append(
            [Overhead(p, (b, dict(x, way=AP)), g) for (b, x), g in zip(soft, gpufs)]
            + [Overhead(p, ("000", faulted), gpufs[-1])]
        )
    if p.wanted:
        return ""
    names = [name for name, *_ in kernels]
    out = (
        "## Compute-intensive kernels (Figures 6a to 6c)\n\nTime of long pointers over that of "
        "plain pointers to the same data; each warp reads its page (Add: two) twice, links are "
        "made "
        "before. Every lane folds what it computed into a word, which is compared with the same "
        "arithmetic in C. In brackets here and in the next table: lowest and highest overhead "
        f"with {SHAKEN}, each seed with data of its own.\n\n"
        + table(
            [
                "kernel",
                *(f"{b} bytes, {w} warp{'s' if w > 1 else ''}" for b in (4, 16) for w in warps),
            ],
            [[n, *map(str, r)] for n, r in zip(names, linked)] + [["mean", *mean(linked)]],
        )
        + f"\nWith the page cache, {many} warps, a page each: long pointers without TLB "
        "over GPUfs's `gmmap` and `gmunmap`; last column: plain pointers whose pages hardware "
        "faults bring (4 KiB pages, 1 us of handler, host 5.45 us) over GPUfs.\n\n"
        + table(
            [
                "kernel",
                "4 bytes, minor faults",
                "16 bytes, minor faults",
                "4 bytes, major faults, host 5.45 us",
                "4 bytes, hardware faults",
            ],
            [[n, *map(str, r)] for n, r in zip(names, cached)] + [["mean", *mean(cached)]],
        )
        + "\nThe paper's means at full occupancy: 16-byte reads 20 %, 7 % without FFT; with the "
        "page cache and minor faults, without FFT, 16 % with 4 bytes and 9 % with 16; "
        "with major faults below 1 %.\n\n"
    )
    return out
