# SPDX-License-Identifier: Apache-2.0
"""Events and scenarios that are mostly legal: they follow what is mapped and loaded so far, so that
most are accepted and run. Numbers that come near a limit, and now and then a step that is not
allowed, are part of it.

events(rng) goes with MAP and TRACE of this file, scenario(rng) with the traces NEAR and FAR as
near.trace and far.trace beside it: a page that comes over the I/O bus takes some 5,700 cycles, so
what comes after the first run is little.
"""

PAGE, FRAME = 4096, 1 << 21
# base pages, large pages, coalesced frames
SMALL, LARGE, RUNS = 0x10400000, 0x10000000, 0x10C00000
FRAMES = {SMALL: 4, LARGE: 2, RUNS: 6}
MAP = f"""0 {LARGE:#x} 0x20000000 {2 * FRAME:#x} rwu 2m
0 {SMALL:#x} 0x21000000 {4 * FRAME:#x} rwu 4k
0 {RUNS:#x} 0x22000000 {6 * FRAME:#x} rwu coalesced
0 0x40000000 0x23000000 0x40000 rwxug
"""
PLAIN_MAP = MAP.replace(" coalesced", "")  # for builds without large arrays

NEAR = """gmmu-trace 1
app NEAR
array A 0x10000000 0x10000 rw
launch k blocks 2 warps 2
block 0 warp 0
r 4 0x10000000+4*32
w 4 0x10001000+4096*3
block 1 warp 1
a 4 0x10000ffc-4*8
"""
FAR = """gmmu-trace 1
app FAR
array A 0x10000000 0x400000 rw
array B 0x10400000 0x3000 ro
launch k blocks 1 warps 1
block 0 warp 0
r 4 0x10000000+262144*16
gap 100
r 4 0x10400ffe
launch k2 blocks 1 warps 1
block 0 warp 0
w 4 0x10010000+4*32
"""


def trace(rng):
    """Warps that go on for some ten thousand cycles on pages of all three kinds."""
    out = [
        "gmmu-trace 1",
        "app LONG",
        f"array A {LARGE:#x} {12 * FRAME:#x} rw",
        "launch k blocks 4 warps 2",
    ]
    for block in range(4):
        for warp in range(2):
            out.append(f"block {block} warp {warp}")
            for _ in range(40):
                base = (
                    rng.choice((SMALL, SMALL, LARGE, RUNS))
                    + rng.choice((0, FRAME))
                    + PAGE * rng.randrange(6)
                )
                out.append(
                    f"{rng.choice('rrwa')} 4 "
                    f"{base:#x}+{rng.choice((4, 128, PAGE))}*{rng.choice((1, 8, 32))}"
                )
                out.append(f"gap {rng.choice((1, 20, 300))}")
    return "\n".join(out) + "\n"


class Tables:
    """What is mapped: kind 4k, 2m or coalesced of each frame; of base pages where each one is."""

    def __init__(self, coalesce):
        self.kind = {SMALL + FRAME * n: "4k" for n in range(4)}
        self.kind.update({LARGE + FRAME * n: "2m" for n in range(2)})
        self.kind.update({RUNS + FRAME * n: "coalesced" if coalesce else "4k" for n in range(6)})
        home = {SMALL: 0x21000000, LARGE: 0x20000000, RUNS: 0x22000000}
        self.home = {
            base + FRAME * n: home[base] + FRAME * n for base in home for n in range(FRAMES[base])
        }
        self.page = {
            f + PAGE * k: self.home[f] + PAGE * k
            for f, kind in self.kind.items()
            if kind == "4k"
            for k in range(512)
        }
        self.coalesce, self.free = coalesce, 0x30000000

    def whole(self, frame):
        return all(
            self.page.get(frame + PAGE * k) == self.home[frame] + PAGE * k for k in range(512)
        )


def change(rng, t):
    """One event without its time, applied to t; None: nothing that is legal came to mind."""
    frame = rng.choice(list(t.kind))
    kind, what = t.kind[frame], rng.choice("uummmccsi")
    va = frame + PAGE * rng.choice((0, 1, 2, 3, 4, 511, rng.randrange(512)))
    n = rng.choice((1, 1, 1, 2, 8, (frame + FRAME - va) // PAGE))
    n = min(n, (frame + FRAME - va) // PAGE)
    pages = [va + PAGE * k for k in range(n)]
    if what == "i":
        return "invalidate " + rng.choice(
            ("all", "asid 0", f"0 {va:#x} {n * PAGE:#x}", f"0 {frame:#x} {FRAME:#x}")
        )
    if kind == "none":  # a frame that was taken whole comes back, in one piece or as base pages
        if what not in "mc":
            return None
        big = rng.random() < 0.5
        t.kind[frame] = "2m" if big else "4k"
        if not big:
            t.page.update({frame + PAGE * k: t.home[frame] + PAGE * k for k in range(512)})
        return f"map 0 {frame:#x} {t.home[frame]:#x} {FRAME:#x} rwu {t.kind[frame]}"
    if kind != "4k":
        if what == "u":
            t.kind[frame] = "none"
            return f"unmap 0 {frame:#x} {FRAME:#x}"
        if what == "s" and kind == "coalesced":
            t.kind[frame] = "4k"
            t.page.update({frame + PAGE * k: t.home[frame] + PAGE * k for k in range(512)})
            return f"splinter 0 {frame:#x}"
        return None
    if what == "c":
        if not t.coalesce or not t.whole(frame):
            return None
        t.kind[frame] = "coalesced"
        for k in range(512):
            del t.page[frame + PAGE * k]
        return f"coalesce 0 {frame:#x}"
    if what == "u" and all(p in t.page for p in pages):
        for p in pages:
            del t.page[p]
        return f"unmap 0 {va:#x} {n * PAGE:#x}"
    if what == "m" and all(p not in t.page for p in pages):
        pa = t.home[frame] + (va - frame) if rng.random() < 0.5 else t.free
        t.free += n * PAGE
        t.page.update({p: pa + PAGE * k for k, p in enumerate(pages)})
        # with the permissions that the frame had, so that it can be coalesced again
        return f"map 0 {va:#x} {pa:#x} {n * PAGE:#x} rwu" + rng.choice(("", " 4k"))
    return None


def events(rng, coalesce):
    t, lines, cycle, seq = (
        Tables(coalesce),
        ["# grammar" + " coalesced" * coalesce],
        rng.randrange(200),
        0,
    )
    for _ in range(rng.choice((3, 20, 60))):
        step = change(rng, t)
        if step is None:
            continue
        if rng.random() < 0.8:
            cycle += rng.choice((0, 0, 1, 7, 60, 300))
            lines.append(f"cycle {cycle} {step}")
        else:
            seq += rng.choice((0, 1, 10))
            lines.append(f"seq {seq} {step}")
    if rng.random() < 0.1:
        lines.append(
            f"cycle {cycle} "
            + rng.choice(
                (
                    f"unmap 0 {SMALL - PAGE:#x} {2 * PAGE:#x}",
                    f"splinter 0 {LARGE:#x}",
                    f"map 0 {LARGE:#x} 0x30000000 0x1000 r",
                    f"coalesce 0 {LARGE:#x}",
                )
            )
        )
    return "\n".join(lines) + "\n"


def scenario(rng):
    large = rng.random() < 0.2  # policy large: no frame has pages of two ranges
    lines = ["# grammar" + " large" * large]
    if rng.random() < 0.9:
        lines.append(f"memory {rng.choice((16, 16, 32, 64))}")
    if rng.random() < 0.4:
        lines.append(
            f"foreign {rng.choice(('0', '0.25', '0.5'))} {rng.choice(('0', '0.3', '0.6'))}"
        )
    # name: (ASID, trace); name: [ASID, pages that are left]
    loaded, ranges, names = {}, {}, iter(range(1000))
    place = {0: 0x80000000, 1: 0x80000000}
    held = lambda: sum(len(r[1]) for r in ranges.values())

    def load():
        asid, name = rng.randrange(2), f"T{next(names)}"
        # arrays of two traces of an ASID would overlap
        if any(a == asid for a, _ in loaded.values()):
            return
        which = rng.choice(("near.trace", "near.trace", "far.trace"))
        loaded[name] = asid, which
        lines.append(
            f"load {name} {asid} {which}"
            + rng.choice(("", " demand", " resident" if which[0] == "n" or not ran else ""))
        )

    def run():
        if loaded:
            some = rng.sample(list(loaded), rng.randint(1, min(2, len(loaded))))
            sms = rng.random() < 0.3
            ran.append(True)
            lines.append("run " + " ".join(n + ":1" * sms for n in some))

    def alloc():
        pages = rng.choice((1, 1, 3, 16, 511, 512, 513, 1024))
        if held() + pages > 3000:
            return
        asid, name = rng.randrange(2), f"B{next(names)}"
        va = place[asid]
        place[asid] += (pages + rng.choice((0, 1, 511))) * PAGE
        if large:
            place[asid] = -(-place[asid] // FRAME) * FRAME
        ranges[name] = [asid, list(range(pages))]
        lines.append(
            f"alloc {name} {asid} {va:#x} {pages * PAGE:#x} "
            f"{rng.choice(('rwu', 'rw', 'ru', 'rxu'))}"
            + rng.choice(("", " demand", *[" resident"] * (2 * (not ran or pages <= 16))))
        )

    def free():
        name = rng.choice(list(loaded) + list(ranges) + [None])
        if name in loaded:
            del loaded[name]
            lines.append(f"free {name}")
        elif name in ranges:
            left = ranges[name][1]
            first = rng.randrange(len(left))
            n = 1
            while (
                first + n < len(left) and left[first + n] == left[first] + n and rng.random() < 0.95
            ):
                n += 1
            # the whole can be freed by its name only while no part of it is gone
            if left == list(range(len(left))) and rng.random() < 0.4 and name not in cut:
                lines.append(f"free {name}")
                del ranges[name]
                return
            cut.add(name)
            lines.append(f"free {name} {left[first] * PAGE:#x} {n * PAGE:#x}")
            del left[first : first + n]
            if not left:
                del ranges[name]

    cut, ran = set(), []
    load()
    for _ in range(rng.choice((2, 8, 20))):
        rng.choice((load, run, alloc, alloc, free, free))()
    load()
    run()
    if rng.random() < 0.05:
        lines.append(
            rng.choice(
                (
                    "free T0 0x1000 0x1000",
                    "run T999",
                    "alloc B 0 0x80000000 0x1000 rwu",
                    "load T 2 near.trace",
                )
            )
        )
    return "\n".join(lines) + "\n"
