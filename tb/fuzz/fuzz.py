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
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time

import grammar
from mutations import KINDS, MAP, TRACE, make

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIR = os.path.join(ROOT, "build/fuzz")
CPU, MEMORY = 10, 512 << 20
BASE = ["--backend", "model", "--max-cycles", "20000"]
LONGER = ["--backend", "model", "--max-cycles", "150000"]  # pages come over the I/O bus
QUICK = ["--backend", "model", "--max-cycles", "1000000"]  # and more of them

# Errors of a file as a whole: the file is named, there is no line.
WHOLE = re.compile(
    r"an empty preset|nothing is run|not a gmmu trace|has no page table|kernel .* "
    r"has \d+ warps|applications need|"
    r"does not fit|do not fit|are of the model only|at most that long|is of the model only|has "
    r"no page tables"
)
# Of a preset that does not fit a good trace: the trace's name and the preset's key.
BOTH = re.compile(r"good\.trace: a block of kernel .* \(WarpsPerSm\)$")
CYCLES = re.compile(r"not finished after \d+ cycles \(--max-cycles\)$")


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
                ["--paging", "launch"],
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
        known = CYCLES.search(lines[0]) or kind == "preset" and BOTH.search(lines[0])
        return None if known else "the file is not named"
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
