# SPDX-License-Identifier: Apache-2.0
"""Inputs of fuzz.py: a good file of each kind, and what is changed in it."""

import ctypes
import ctypes.util
import re

import grammar

LIMIT = 65536  # bytes of an input
TRACE = """gmmu-trace 1
app HAND
array A 0x10000000 0x400000 rw
array B 0x10400000 0x1000 ro   # comment
launch k blocks 4 warps 2
block 0 warp 0
r 4 0x10000000+4*32
r 4 0x10000000+4096*32
gap 5
w 8 0x10010000 0x10010048
block 1 warp 1
a 4 0x10000ffc-4*8
x 16 0x10000ff8
launch k2 blocks 1 warps 1
block 0 warp 0
r 1 0x10400000 0x10400fff 0x10000000
"""
MAP = """# asid va pa bytes perms kind
0 0x10000000 0x20000000 0x400000 rwu 2m
0 0x10400000 0x21000000 0x800000 rwu 4k
0 0x10c00000 0x22000000 0x4000000 rwu coalesced
1 0x40000000 0x80000000 0x40000 rwxug
1 0x40040000 0x80040000 0x1000 ru!a
1 0x40041000 0x80049000 4096 rwu!a!d
"""
DEMAND = """0 0x10000000 0x20000000 0x200000 rwu demand
0 0x10200000 0x30000000 0x200000 ru demand
0 0x10400000 0x21000000 0x1000 rwu
0 0xffff800000000000 0x40000000 0x1000 ru demand
"""
EVENTS = """cycle 50 unmap 0 0x10400000 0x2000
cycle 60 map 0 0x10400000 0x30003000 0x2000 ru
seq 3 splinter 0 0x10c00000
cycle 90 coalesce 0 0x10c00000
cycle 90 invalidate 0 0x10000000 0x1000
cycle 91 invalidate all
seq 9 invalidate asid 0
cycle 200 map 0 0x20000000 0x40000000 0x200000 rwu 2m
cycle 300 unmap 0 0x20000000 0x200000
"""
SCENARIO = """memory 16
foreign 0.5 0.3
load A 0 good.trace resident
load B 1 good.trace
run A
run A:1 B:1
alloc buf 0 0x80000000 0x210000 rwu
free buf 0x1000 0x20f000
alloc big 1 0x90000000 0x20000 ru resident
free A
run B
"""
PRESET = """# a preset
[gmmu]
NumSms = 4
NumAsids = 4
WarpsPerSm = 16
L1BaseEntries = 32
L1LargeEntries = 4
L2Entries = 128
L2Ways = 8
L2LargeEntries = 16
L2Mshrs = 16
Walks = 8
PwcEntries = 64
PwcWays = 4
MemChannels = 2
L1dBytes = 16384
"""
MESC = """[gmmu]
NumSms = 3
L2Unified = 1
L2LargeEntries = 0
L1LargeEntries = 4
FillTokens = 1
BypassEntries = 8
WarpW = 4
WarpsPerSm = 16
EpochCycles = 400
Colt = 1
LineAnswers = 1
Svadu = 1
VaW = 48
Mode = 39
PaW = 36
"""
SEEDS = {
    "text-trace": [TRACE],
    "mapping": [MAP],
    "demand": [DEMAND],
    "events": [EVENTS],
    "scenario": [SCENARIO],
    "preset": [PRESET, MESC],
}
KINDS = ["text-trace", "binary-trace", "mapping", "demand", "events", "scenario", "preset"]
NUMBERS = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "010",
    "31",
    "32",
    "63",
    "64",
    "65",
    "511",
    "512",
    "4095",
    "4096",
    "0x1000",
    "0x200000",
    "0x40000000",
    "0x8000000000",
    "0x7fffffffff",
    "0x7fffffffffff",
    "0x800000000000",
    "0xffff800000000000",
    "0xfffffffffffff000",
    "65535",
    "65536",
    "67108864",
    "16777216",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999",
    "0x",
    "1e9",
    "0x1g",
    "1.5",
    "nan",
    "inf",
    "+3",
]


def zstd(data):
    lib = zstd.lib = getattr(zstd, "lib", None) or ctypes.CDLL(
        ctypes.util.find_library("zstd") or "libzstd.so.1"
    )
    lib.ZSTD_compressBound.restype = lib.ZSTD_compress2.restype = ctypes.c_size_t
    lib.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    lib.ZSTD_createCCtx.restype = ctypes.c_void_p
    lib.ZSTD_compress2.argtypes = [
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_char_p,
        ctypes.c_size_t,
    ]
    lib.ZSTD_CCtx_setParameter.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    lib.ZSTD_freeCCtx.argtypes = [ctypes.c_void_p]
    c = lib.ZSTD_createCCtx()
    lib.ZSTD_CCtx_setParameter(c, 201, 1)  # checksum
    out = ctypes.create_string_buffer(lib.ZSTD_compressBound(len(data)))
    n = lib.ZSTD_compress2(c, out, len(out), data, len(data))
    lib.ZSTD_freeCCtx(c)
    return out.raw[:n]


def varint(x):
    out = bytearray()
    while x >= 0x80:
        out.append(x & 0x7F | 0x80)
        x >>= 7
    return bytes(out + bytes([x]))


def binary_trace(rng):
    """A payload that is mostly legal, with wrong counts, lengths and operations now and then, and
    sometimes very long."""
    odd = (
        lambda x: x
        if rng.random() < 0.995
        else rng.choice(
            [
                0,
                1,
                31,
                32,
                64,
                65,
                4095,
                1 << 20,
                1 << 24,
                (1 << 24) + 1,
                1 << 32,
                1 << 40,
                (1 << 64) - 1,
            ]
        )
    )
    name = lambda s: varint(odd(len(s))) + s
    arrays = [
        name(b"A")
        + varint(odd(0x10000000))
        + varint(odd(0x400000))
        + bytes([rng.choice((0, 1, 1, 1, 1, 1, 1, 1, 1, 2))])
        for _ in range(rng.choice((0, 1, 1, 2)))
    ]
    p = b"GMMUTRC1" + name(b"HAND") + varint(odd(len(arrays))) + b"".join(arrays)
    launches, ops = b"", []
    n = rng.choice((0, 1, 1, 2, 5))
    for _ in range(n):
        blocks, warps = rng.choice((1, 2, 4)), rng.choice((1, 2, 3))
        if rng.random() < 0.05:
            blocks = rng.choice((10000, 1000000, 8000000))
        launches += name(b"k") + varint(odd(blocks)) + varint(odd(warps))
        empty = max(0, blocks * warps - 20)
        for i in range(blocks * warps - empty):
            o = b""
            if i < 20:
                for _ in range(rng.randrange(4)):
                    kind, head = (
                        rng.choice((0, 1, 2, 3) if o else (0, 1, 1, 3)),
                        rng.randrange(4) << 2
                        | rng.choice((0, 1, 2, 2, 3, 3, 4, 4)) << 4
                        | (rng.random() < 0.01) << 7,
                    )
                    small = lambda: varint(
                        rng.choice(
                            (0, 1, 2, 8, 64, 128, 8192, rng.getrandbits(20), rng.getrandbits(64))
                        )
                    )
                    lanes = odd(rng.choice((1, 2, 3, 32, 64)))
                    o += (
                        b"\0" + small()
                        if kind == 0
                        else bytes([head | 1])
                        + varint(lanes)
                        + small()
                        + (small() if lanes > 1 else b"")
                        if kind == 1
                        else bytes([head | 2]) + small()
                        if kind == 2
                        else bytes([head | 3])
                        + varint(lanes)
                        + b"".join(small() for _ in range(min(lanes, 64)))
                    )
                if rng.random() < 0.03:
                    o = (o or b"\0\1") * rng.choice((1000, 100000))
                if rng.random() < 0.05:
                    o = o[: rng.randrange(len(o) + 1)]
            launches += varint(odd(len(o)) if blocks < 100 else len(o))
            ops.append(o)
        launches += bytes(empty)  # lengths 0
    p += varint(odd(n)) + launches + b"".join(ops)
    if rng.random() < 0.02:
        p += bytes(rng.choice((1000000, 100000000)))
    return p


def mutate_bytes(rng, b):
    b = bytearray(b)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(b) + 1)
        what = rng.randrange(5)
        if what == 0 and b:
            b[at % len(b)] = rng.getrandbits(8)
        elif what == 1 and b:
            b[at % len(b)] ^= 1 << rng.randrange(8)
        elif what == 2:
            b[at:at] = bytes(rng.getrandbits(8) for _ in range(rng.randrange(1, 9)))
        elif what == 3:
            del b[at : at + rng.randrange(1, 17)]
        else:
            b = b[:at]
    return bytes(b)


def mutate_text(rng, text):
    lines = [l.split() for l in text.splitlines()]
    words = [w for l in lines for w in l]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        if not lines:
            lines = [["0"]]
        i = rng.randrange(len(lines))
        l = lines[i]
        k = rng.randrange(len(l)) if l else 0
        what = rng.randrange(12)
        if what < 4 and l:
            number = [n for n, w in enumerate(l) if re.search(r"\d", w)]
            k = rng.choice(number) if number else k
            l[k] = (
                re.sub(
                    r"0x[0-9a-f]+|\d+",
                    lambda m: rng.choice(NUMBERS) if rng.random() < 0.7 else m[0],
                    l[k],
                    count=3,
                )
                if number
                else rng.choice(NUMBERS)
            )
        elif what == 4 and l:
            l[k] = rng.choice(words)
        elif what == 5:
            lines.insert(i, list(rng.choice(lines)))
        elif what == 6:
            del lines[i]
        elif what == 7:
            l.insert(k, rng.choice(words + NUMBERS))
        elif what == 8 and l:
            del l[k]
        elif what == 9:
            j = rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        elif what == 10 and l:
            l[k] = l[k] + rng.choice(
                (
                    ",",
                    "\xe4",
                    "\x01",
                    "!",
                    "*64",
                    "+4096*64",
                    "-1*64",
                    "%n",
                    "A" * 40,
                    "=",
                    ";",
                    "#",
                )
            )
        elif what == 11 and rng.random() < 0.3:
            lines[i:i] = [list(l)] * rng.choice((10, 100, 3000))
    out = "\n".join(" ".join(l) for l in lines) + "\n"
    if rng.random() < 0.1:
        at = rng.randrange(len(out))
        out = (
            out[:at]
            + rng.choice(
                (
                    "\0",
                    "\r",
                    "\t",
                    "\f",
                    "\x7f",
                    "\xff",
                    "a" * 70000,
                    "\n" * 1000,
                    " " * 3000,
                    "\0" * 50,
                )
            )
            + out[at:]
        )
    return out.encode("latin-1")


def make(kind, rng):
    if kind == "binary-trace":
        p = binary_trace(rng)
        if rng.random() < 0.3:
            p = mutate_bytes(rng, p[:100000]) + p[100000:]
        z = zstd(p)
        return (mutate_bytes(rng, z) if rng.random() < 0.15 else z)[:LIMIT]
    if kind in ("events", "scenario") and rng.random() < 0.8:
        text = (
            grammar.scenario(rng) if kind == "scenario" else grammar.events(rng, rng.random() < 0.7)
        )
        return (text.encode() if rng.random() < 0.7 else mutate_text(rng, text))[:LIMIT]
    b = mutate_text(rng, rng.choice(SEEDS[kind]))
    return (mutate_bytes(rng, b) if rng.random() < 0.1 else b)[:LIMIT]
