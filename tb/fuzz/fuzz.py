#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutated input files of every kind for the gmmu program: text and binary traces, mappings, demand
lines, events, scenarios, presets.

usage: fuzz.py [--seed S] [--count N] [--kinds K[,K2...]] [--plain-only]

What must hold for any input of at most 64 KiB: the program ends within 10 s of CPU time and 512
MiB, with exit status 0 or with one line on standard error that names file and line (a binary file,
and what is wrong with a file as a whole: the file), and no sanitizer report. Runs have
--max-cycles, whose message counts as an end. Prints its seed; keeps what fails in build/fuzz with
the command. Events and scenarios are for the most part made by grammar.py and left as they are or
mutated a little, so that a good share of them runs; the share of each kind that is accepted is
printed.
Each input is run by the plain program, for time and memory, and by that with AddressSanitizer and
UBSan."""

import argparse
import ctypes
import ctypes.util
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time

import grammar

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIR = os.path.join(ROOT, "build/fuzz")
LIMIT, CPU, MEMORY = 65536, 10, 512 << 20
BASE = ["--backend", "model", "--max-cycles", "20000"]
LONGER = ["--backend", "model", "--max-cycles", "150000"]  # pages come over the I/O bus
QUICK = ["--backend", "model", "--max-cycles", "1000000"]  # and more of them

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
# Errors of a file as a whole: the file is named, there is no line.
WHOLE = re.compile(
    r"an empty preset|nothing is run|not a gmmu trace|has no page table|kernel .* "
    r"has \d+ warps|applications need|"
    r"does not fit|are of the model only|at most that long|is of the model only|has "
    r"no page tables"
)
CYCLES = re.compile(r"not finished after \d+ cycles \(--max-cycles\)$")


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


def commands(kind, path, rng):
    trace, good_map = f"{DIR}/good.trace", f"{DIR}/good.map"
    small = rng.choice(
        (
            ["--preset", "mosaic", "--set", "NumSms=2"],
            ["--preset", "mesc", "--set", "NumSms=2"],
            ["--preset", "fpga-small", "--set", "NumSms=2"],
            ["--preset", "all", "--set", "NumSms=2"],
            ["--preset", "full-colt", "--set", "NumSms=2"],
        )
    )
    run = ["run", *small, *BASE]
    with open(path, "rb") as f:
        made = f.readline().decode("latin-1").split()  # by grammar.py, which says for what
    if kind == "events" and made[:2] == ["#", "grammar"]:
        # frames are coalesced where the build has large arrays
        preset = rng.choice(
            ("mosaic", "all")
            if "coalesced" in made
            else ("mesc", "fpga-small", "full-colt", "mosaic")
        )
        return [
            [
                "run",
                "--preset",
                preset,
                "--set",
                "NumSms=2",
                *QUICK,
                "--trace",
                f"{DIR}/long.trace",
                "--map",
                f"{DIR}/coalesced.map" if "coalesced" in made else f"{DIR}/plain.map",
                "--events",
                path,
            ]
        ]
    if kind == "scenario" and made[:2] == ["#", "grammar"]:
        return [
            [
                "scenario",
                path,
                *small,
                *QUICK,
                *(
                    ["--manager", "large"]
                    if "large" in made
                    else rng.choice(([], ["--cac", "copy"], ["--manager", "base"]))
                ),
            ]
        ]
    if kind.endswith("trace"):
        paging = rng.choice(
            (
                [],
                [],
                ["--pages", "4k"],
                ["--paging", "demand"],
                ["--paging", "resident", "--manager", "large"],
                ["--map", good_map],
            )
        )
        return [
            rng.choice((["info", path], ["info", "--json", path], run + ["--trace", path, *paging]))
        ]
    return {
        "mapping": [run + ["--trace", trace, "--map", path]],
        "demand": [["run", *small, *LONGER] + ["--trace", trace, "--map", path]],
        "events": [run + ["--trace", trace, "--map", good_map, "--events", path]],
        "scenario": [
            [
                "scenario",
                path,
                *small,
                *LONGER,
                *rng.choice(([], ["--cac", "copy"], ["--manager", "large"], ["--manager", "base"])),
            ]
        ],
        "preset": [["run", "--preset", path, *BASE, "--trace", trace]],
    }[kind]


def execute(binary, args, cpu):
    """Exit status (negative: signal), standard error, CPU seconds, most memory in bytes."""

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with open(f"{DIR}/stderr.{os.getpid()}", "w+b") as f:
        p = subprocess.Popen(
            [binary, *args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=f,
            cwd=ROOT,
            preexec_fn=limits,
        )
        _, status, use = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        f.seek(0)
        return p.returncode, f.read(100000), use.ru_utime + use.ru_stime, use.ru_maxrss * 1024


def verdict(kind, path, code, err, seconds, memory, plain):
    """None, or what is wrong."""
    text = err.decode("utf-8", "replace")
    if "AddressSanitizer" in text or "runtime error" in text or "LeakSanitizer" in text:
        return "sanitizer report"
    if code == -signal.SIGXCPU or (plain and seconds > CPU):
        return f"{seconds:.1f} s of CPU time"
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    if plain and memory > MEMORY:
        return f"{memory >> 20} MiB"
    if code == 0:
        return "a message with exit status 0" if text else None
    lines = text.splitlines()
    if code != 1 or len(lines) != 1:
        return f"exit status {code} with {len(lines)} lines"
    if path not in lines[0]:
        return None if CYCLES.search(lines[0]) else "the file is not named"
    if (
        kind != "binary-trace"
        and not re.search(re.escape(path) + r":\d+: ", lines[0])
        and not WHOLE.search(lines[0])
    ):
        return "the line is not named"
    return None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=100, help="inputs of each kind")
    ap.add_argument("--kinds", default=",".join(KINDS))
    ap.add_argument("--plain-only", action="store_true")
    a = ap.parse_args()
    os.makedirs(DIR, exist_ok=True)
    for name, text in (
        ("good.trace", TRACE),
        ("near.trace", grammar.NEAR),
        ("far.trace", grammar.FAR),
        ("long.trace", grammar.trace(random.Random(a.seed))),
        ("coalesced.map", grammar.MAP),
        ("plain.map", grammar.PLAIN_MAP),
        ("good.map", MAP.replace("\n1 ", "\n0 ").replace("0x400000", "0x400000")),
    ):
        with open(f"{DIR}/{name}", "w") as f:
            f.write(text)
    gmmu, asan = f"{ROOT}/build/bin/gmmu", f"{ROOT}/build/bin/gmmu-asan"
    failures, worst = 0, {}
    print(f"seed {a.seed}, {a.count} inputs of each kind: {' '.join(sys.argv)}", flush=True)
    for kind in a.kinds.split(","):
        start, ok, most_s, most_m = time.time(), 0, 0, 0
        for n in range(a.count):
            rng = random.Random(f"{a.seed} {kind} {n}")
            data = make(kind, rng)
            path = f"{DIR}/{kind}.{os.getpid()}"
            with open(path, "wb") as f:
                f.write(data)
            for args in commands(kind, path, rng):
                for binary in [gmmu] if a.plain_only else [gmmu, asan]:
                    code, err, seconds, memory = execute(
                        binary, args, CPU if binary == gmmu else 20 * CPU
                    )
                    wrong = verdict(kind, path, code, err, seconds, memory, binary == gmmu)
                    ok += binary == gmmu and code == 0
                    if binary == gmmu:
                        most_s, most_m = max(most_s, seconds), max(most_m, memory)
                    if wrong:
                        failures += 1
                        keep = f"{DIR}/fail-{kind}-{a.seed}-{n}"
                        with open(keep, "wb") as f:
                            f.write(data)
                        last = err.decode("utf-8", "replace").strip().splitlines()
                        print(
                            f"FAIL {kind} {n}: {wrong}: {last[0][:300] if last else ''}\n  "
                            f"again: {binary} {' '.join(args).replace(path, keep)}",
                            flush=True,
                        )
                        break
            os.unlink(path)
        print(
            f"{kind}: {a.count} inputs, {ok} accepted ({100 * ok // max(a.count, 1)} %), at most "
            f"{most_s:.2f} s of CPU time and {most_m >> 20} MiB, {time.time() - start:.0f} s",
            flush=True,
        )
    os.unlink(f"{DIR}/stderr.{os.getpid()}")
    print(f"{failures} failures, seed {a.seed}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
