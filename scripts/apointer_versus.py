# SPDX-License-Identifier: Apache-2.0
"""Software against hardware translation: places, handler times, crossing points."""

from apointer_points import (
    AP,
    GPUFS,
    HOST,
    RAW,
    SEEDS,
    SLOTS,
    SUM,
    US,
    average,
    spread,
    table,
)

HANDLERS = (0, 1, 2, 4, 8, 16, 32, 64)  # us
SLOT_HANDLERS = (0, 1)  # us, for ports of other sizes
PLACES = sorted((8, *SLOTS))  # of the port
BASE = dict(warps=8, pages=2, warm=0, host=HOST // 10)
SWEEPS = (
    ("pages a warp", "pages", (1, 2, 4)),
    ("there at the start", "warm", (0, 25, 50, 75, 95)),
    ("warps", "warps", (1, 4, 8, 16, 32)),
    ("host latency", "host", (HOST // 100, HOST // 10, HOST)),
)
SAID = {
    "pages": str,
    "warm": lambda x: f"{x} %",
    "warps": str,
    "host": lambda x: f"{x / US:.2f} us",
}


def place(p, **at):
    """One setting: bound, GPUfs, software, software behind 2 MiB pages, and hardware by handler
    time until it is the slower one with every seed."""
    one = dict(kind=SUM, blocks=1, frames=1024, warps=at["warps"], pages=at["pages"])
    soft = dict(one, warm=at["warm"], host=at["host"])
    r = {
        "bound": p.get(way=RAW, translate=1, **one),
        "gpufs": p.get(way=GPUFS, **soft),
        "ap": [p.get(way=AP, seed=n, **soft) for n in SEEDS],
        "ap2m": p.get(way=AP, translate=1, **soft),
        "hw": [],
    }
    for h in HANDLERS:
        vs = [p.get(way=RAW, hw=1, handler=h * US, seed=n, **soft) for n in SEEDS]
        if None in vs or None in r["ap"]:
            break
        r["hw"].append((h, vs))
        if (
            all(v["kernel"] > a["kernel"] for v, a in zip(vs, r["ap"]))
            and h >= 1
            or at["warm"] == 100
        ):
            break
    return r


def crossings(r):
    """Handler times in us from which software is the faster one, for each seed, by straight lines
    between points; None: not up to the longest."""
    for n in range(len(SEEDS)):
        soft, points = r["ap"][n]["kernel"], [(h, vs[n]["kernel"]) for h, vs in r["hw"]]
        if points[0][1] > soft:
            yield 0.0
            continue
        yield next(
            (
                h0 + (h1 - h0) * (soft - v0) / (v1 - v0)
                for (h0, v0), (h1, v1) in zip(points, points[1:])
                if v0 <= soft < v1
            ),
            None,
        )


def crossing(r):
    x = list(crossings(r))
    known = [v for v in x if v is not None]
    if not known:
        return f"more than {HANDLERS[-1]} us"
    if None in x:
        return f"{min(known):.1f} to more than {HANDLERS[-1]} us"
    if max(x) == 0:
        return "any"
    return f"{sum(x) / len(x):.1f} us ({min(x):.1f} to {max(x):.1f})"


def places(p, quick):
    sweeps = (("pages a warp", "pages", (1,)),) if quick else SWEEPS
    return [
        (title, key, value, place(p, **dict(BASE, **{key: value})))
        for title, key, values in sweeps
        for value in values
    ]


def ports(p, warps):
    """By places of the port: warps, the place, hardware by handler and port, software by port."""
    one = dict(kind=SUM, blocks=1, frames=1024, **dict(BASE, warps=warps))
    hw = [
        [p.get(way=RAW, hw=1, handler=h * US, seed=n, **one, **size(slots)) for n in SEEDS]
        for h in SLOT_HANDLERS
        for slots in PLACES
    ]
    sw = [p.get(way=AP, seed=SEEDS[0], **one, **size(n)) for n in SLOTS if warps >= 8]
    return warps, place(p, **dict(BASE, warps=warps)), hw, [v and v["kernel"] for v in sw]


def size(slots):
    return {} if slots == 8 else {"slots": slots}


def hardware(p, quick):
    got = places(p, quick)
    full = [(w, place(p, **dict(BASE, warps=w, warm=100))) for w in ((4,) if quick else (1, 8, 32))]
    by_slots = [ports(p, w) for w in (() if quick else (4, 8, 16, 32))]
    if p.wanted:
        return ""
    soft_same = all(v == r["ap"][0]["kernel"] for _, r, _, same in by_slots for v in same)
    out = (
        "## Software or hardware translation\n\nEach warp sums its pages of the file, 4 bytes a "
        "lane. Times over that of plain pointers to resident memory behind 2 MiB pages (the bound, "
        "in cycles). "
        "Software: long pointers without TLB, the page cache in pass-through, and behind "
        "resident 2 MiB pages. Hardware: 4 KiB pages through `gmmu_axi`; what is not there is "
        "brought by a fault that "
        "takes the handler's time on the host (one at a time), then the same request, latency "
        "and bytes per second as software's. Around one place: "
        f"{BASE['warps']} warps, {BASE['pages']} pages each, nothing there at the start, host "
        f"latency {BASE['host'] / US:.2f} us. Software and hardware: mean of {len(SEEDS)} seeds "
        f"(data, "
        "pages that are there, order of memory's answers). Last column: the handler time from "
        "which software is the faster one, mean and range over the seeds "
        f"(straight lines between handler times of {', '.join(map(str, HANDLERS))} us, measured "
        f"until hardware is the slower one).\n\n"
    )
    rows = []
    for title, key, value, r in got:
        b = r["bound"]["kernel"]
        hw = dict(r["hw"])
        rows.append(
            [
                title,
                SAID[key](value),
                f"{b:.0f}",
                f"{r['gpufs']['kernel'] / b:.2f}",
                f"{average(r['ap']) / b:.2f}",
                f"{r['ap2m']['kernel'] / b:.2f}",
                *(f"{average(hw[h]) / b:.2f}" if h in hw else "" for h in HANDLERS),
                crossing(r),
            ]
        )
    out += table(
        [
            "varied",
            "",
            "bound",
            "GPUfs",
            "software",
            "software behind 2 MiB",
            *(f"hardware, {h} us" for h in HANDLERS),
            "software is better from",
        ],
        rows,
    )
    soft, hard = (
        [spread(r["ap"]) for *_, r in got],
        [spread(vs) for *_, r in got for _, vs in r["hw"]],
    )
    partly = [
        spread(vs)
        for _, key, value, r in got
        if key == "warm" and value
        for vs in [r["ap"], *(vs for _, vs in r["hw"])]
    ]
    out += (
        f"\nSeeds differ from their mean by at most {max(soft):.1f} % (software) and "
        f"{max(hard):.1f} % (hardware); most where a part of the pages is there at the start "
        f"({max(partly or [0]):.1f} %), "
        "as the seed draws which ones, none at all at times.\n"
    )
    out += (
        "\nEach burst that faults keeps its place in the port until its page is there, and a "
        "load of a warp is two bursts: the 8 places of this port (`Slots`) are 4 pages on their "
        "way at a time, while software has one for each warp. "
    )
    if by_slots:
        out += (
            "That this is why it loses with many warps is shown by ports of 4 and 16 places "
            "(other builds of the same RTL; mean of "
            f"{len(SEEDS)} seeds, times over the bound; software with 8 warps and more takes "
            f"{'the same' if soft_same else 'not the same'} cycles with all three):\n\n"
            + table(
                [
                    "warps",
                    "software",
                    *(f"hardware, {h} us, {n} places" for h in SLOT_HANDLERS for n in PLACES),
                ],
                [
                    [str(w), f"{average(r['ap']) / r['bound']['kernel']:.2f}"]
                    + [f"{average(v) / r['bound']['kernel']:.2f}" for v in vs]
                    for w, r, vs, _ in by_slots
                ],
            )
        )
        for h in range(len(SLOT_HANDLERS)):
            lost = [
                [
                    w
                    for w, r, vs, _ in by_slots
                    if average(vs[h * len(PLACES) + i]) > average(r["ap"])
                ]
                for i in range(len(PLACES))
            ]
            said = "; ".join(
                f"{n} places {'from ' + str(min(ws)) + ' warps' if ws else 'with none of these'}"
                for n, ws in zip(PLACES, lost)
            )
            out += (
                f"\nA handler of {SLOT_HANDLERS[h]} us: hardware is the slower one with {said}.\n"
            )
    out += (
        "\nWith every page there at the start there is no fault, and hardware wins whatever "
        "the handler takes:\n\n"
        + table(
            ["warps", "bound", "GPUfs", "software", "software behind 2 MiB", "hardware"],
            [
                [
                    str(w),
                    f"{r['bound']['kernel']:.0f}",
                    f"{r['gpufs']['kernel'] / r['bound']['kernel']:.2f}",
                    f"{average(r['ap']) / r['bound']['kernel']:.2f}",
                    f"{r['ap2m']['kernel'] / r['bound']['kernel']:.2f}",
                    f"{average(r['hw'][0][1]) / r['bound']['kernel']:.2f}",
                ]
                for w, r in full
            ],
        )
    )
    return out + "\n"
