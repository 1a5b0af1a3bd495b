#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants each bug of tb/mutants/mutants.txt in a copy of rtl/ (simt-...: of tb/simt/; mm-...,
drv-...: of a file of c_model/) and checks that gmmu random, its block's bench, or its unit test
finds it.

usage: mutants.py [--check] [--jobs N] [--only PREFIX,...] [NAME...]

A mutant is caught when gmmu random (dram-...: tb/dram/run.sh, l2c-...: tb/l2_cache/run.sh,
mem-...: tb/memory/run.sh; mm-..., ap-..., drv-...: build/test/test_mm and test_mm_random,
test_apointer, test_remap) ends with mismatches, an assertion, or its watchdog, or when the report
of gmmu random is not that of the timed model. Exits with 0 when
every mutant was planted (its text found exactly once), built, and was caught. --check: only that
each text is found exactly once, where Verilator reads it, and that benches know their builds."""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

import planted
import test_cycles

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Small structures, so that evictions, full queues and merges happen all the time.
SET = (
    "NumSms=3 L1BaseEntries=8 L1LargeEntries=4 L1Mshrs=4 L2Entries=32 L2Ways=4 L2LargeEntries=4 "
    "L2Mshrs=10 "
    "Walks=9 NumAsids=8 TagW=5 L2Latency=48"
)
# Those named mesc-... need the unified build.
MESC = (
    "NumSms=3 L1BaseEntries=8 L1LargeEntries=4 L1Mshrs=4 L2Entries=32 L2Ways=4 "
    "L2LargeEntries=0 L2Unified=1 L2Mshrs=10 "
    "Walks=9 NumAsids=8 TagW=5 L2Latency=20 MscSets=4 MscWays=2 PwcEntries=16 PwcWays=4"
)

# colt-...: groups in the L1 and, split, in the L2.
COLT = (
    "NumSms=3 L1BaseEntries=8 L1LargeEntries=4 L1Mshrs=4 L2Entries=32 L2Ways=4 "
    "L2LargeEntries=4 L2Mshrs=10 "
    "Walks=9 NumAsids=8 TagW=5 L2Latency=20 Colt=2 LineAnswers=1"
)

# mask-...: fill tokens with short epochs, bypass cache.
MASK = (
    "NumSms=3 L1BaseEntries=8 L1LargeEntries=4 L1Mshrs=4 L2Entries=32 L2Ways=4 "
    "L2LargeEntries=4 L2Mshrs=10 "
    "Walks=9 NumAsids=8 TagW=5 L2Latency=20 FillTokens=1 WarpW=3 WarpsPerSm=8 EpochCycles=400 "
    "BypassEntries=8"
)

# asid-...: invalidations of a range mark by ASID; more large entries in the L1s than base ones.
ASID = SET.replace("L1LargeEntries=4", "L1LargeEntries=12") + " MarkByAsid=1"

# serial-...: base array of the L2 one way a cycle.
SERIAL = SET.replace("L2Latency=48", "L2Ports=1 L2Serial=1 L2Latency=9 Svadu=1")

# short-...: the L2 without stage R.
SHORT = SET.replace("L2Latency=48", "L2Latency=4")

# svadu-...: A and D set by hardware.
SVADU = SET + " Svadu=1"

# sext-..., sextu-...: virtual addresses of 39 bits, whose page numbers are extended by their sign
# before ranges are compared.
SEXT = MASK + " Colt=2 LineAnswers=1 VaW=39 Mode=39"
SEXTU = (
    MESC + " Colt=1 LineAnswers=1 FillTokens=1 WarpW=3 WarpsPerSm=8 EpochCycles=200 "
    "BypassEntries=8 VaW=39 Mode=39"
)

# ...storm-...: invalidations back to back (gmmu random --storm).
STORM = "storm"

# ...tables-...: hostile page tables (gmmu random --tables).
TABLES = "tables"

BY_PREFIX = {
    "asid": ASID,
    "serial": SERIAL,
    "short": SHORT,
    "svadu": SVADU,
    "mesc": MESC,
    "colt": COLT,
    "mask": MASK,
    "sext": SEXT,
    "sextu": SEXTU,
}


def mutants():
    with open(os.path.join(ROOT, "tb/mutants/mutants.txt")) as f:
        for n, line in enumerate(f, 1):
            if line.strip() and not line.startswith("#"):
                parts = [p.strip() for p in line.rstrip("\n").replace("\\|", "\0").split(" | ")]
                if len(parts) != 4:
                    sys.exit(
                        f"tb/mutants/mutants.txt:{n}: expected: name | file | text | "
                        f"replacement"
                    )
                yield [p.replace("\0", "|").replace("\\n", "\n") for p in parts]


def no_build(bench, build):
    """Not a build that this bench knows: no case of its run.sh, where it has any."""
    with open(os.path.join(ROOT, f"tb/{bench}/run.sh")) as f:
        known = re.findall(r"^ +([\w|-]+)\)", f.read(), re.M)
    return known and build not in "|".join(known).split("|")


def stale():
    """Mutants whose text is not in its file exactly once, or not for Verilator; builds that their
    bench does not know."""
    for bench, builds in BENCHES.values():
        for build in filter(None, builds):
            if no_build(bench, build):
                yield f"tb/{bench}/run.sh knows no build {build}"
    for name, file, old, _ in mutants():
        with open(os.path.join(ROOT, file)) as f:
            data = f.read()
            why = planted.replaced(data, old, "")[1]
            if not why and planted.unread(data, planted.places(data, old)[0][0]):
                why = "its text is none that Verilator reads"
        if why:
            yield f"{name}: {why} in {file}"
    for name in set(refused()) - {m[0] for m in mutants()}:
        yield f"{name}: tb/mutants/refused.txt names a bug that mutants.txt does not have"


def refused():
    """Bugs whose guard the compiler is known to refuse."""
    with open(os.path.join(ROOT, "tb/mutants/refused.txt")) as f:
        return [x.strip() for x in f if x.strip() and not x.startswith("#")]


def change(file, old, new, path):
    """Writes the changed file to path; or why not."""
    with open(os.path.join(ROOT, file)) as f:
        text, why = planted.replaced(f.read(), old, new)
    if why:
        return f"{why} in {file}"
    with open(path, "w") as f:
        f.write(text)
    return None


def plant(name, file, old, new):
    work = os.path.join(ROOT, "build/mutants", name)
    shutil.rmtree(work, ignore_errors=True)
    top = "tb/simt" if file.startswith("tb/simt/") else "rtl"
    shutil.copytree(os.path.join(ROOT, top), work)
    return change(file, old, new, os.path.join(work, os.path.relpath(file, top)))


BENCHES = {
    "dram": ("dram", ("small", "closed", "settings")),
    "pte": ("axi", ("svadu",)),
    "l2c": ("l2_cache", ("small", "one")),
    "mem": ("memory", ("hashed", "linear")),
    "axi": ("axi", ("plain", "deep")),
    "ctrl": ("axi", ("control", "control-least")),
    "axiu": ("axi", ("unified",)),
    "axiw": ("axi", ("widest",)),
    "coal": ("coalescer", ("plain", "exclusive", "sv39")),
    "ptew": ("pte_write", ("",)),
    "warp": ("warps", ("",)),
    "told": ("l2_tlb", ("",)),
    "walker": ("walker", ("",)),
    "fill": ("fill_tokens", ("",)),
    "order": ("axi", ("order", "order-small")),
    "orderp": ("axi", ("order-page",)),
    "axis": ("axi", ("small",)),
    "off": ("axi", ("off",)),
    "native": ("axi", ("native", "native-parts")),
    "simt": ("simt", ("small", "tiny")),
    "merge": ("page_merge", ("0", "1")),
    "integ": ("integration", ("plain",)),
    "parity": ("tlb_parity", ("split", "unified", "serial", "tokens")),
}


def check_bench(name):
    """The block's bench on two small builds."""
    length = {"page_merge": "2000", "simt": "60", "coalescer": "3000", "tlb_parity": "500000"}
    bench, builds = BENCHES[name.split("-")[0]]
    out = os.path.join(ROOT, "build/tb", f"{bench}-{name}")
    result = name, False, "not found"
    for build in builds:
        icarus = build == ""  # a block's bench under Icarus: seed alone
        more = ["1"] if icarus else [length.get(bench, "60000"), "1", build]
        r = subprocess.run(
            [f"tb/{bench}/run.sh", *more],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=1800,
            # short builds
            env=dict(os.environ, MAKEFLAGS="", OPT="-O1", RTL=f"build/mutants/{name}"),
        )
        if r.returncode:
            lines = (r.stderr + r.stdout).splitlines()
            built = os.path.exists(os.path.join(out, "sim.vvp" if icarus else build))
            result = (
                name,
                built,
                next(
                    (
                        x
                        for x in lines
                        if "rule" in x
                        or "expected" in x
                        or "rror" in x
                        or "nothing" in x
                        or "FAIL" in x
                    ),
                    "?",
                )[:150],
            )
            break
    shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(os.path.join(ROOT, "build/mutants", name), ignore_errors=True)
    return result


UNITS = {
    "mm": ["test_mm", "test_mm_random"],
    "ap": ["test_apointer", "test_apointer_warps", "test_apsync", "test_apring", "test_aptlb"],
    "drv": ["test_remap"],
    "gdm": ["test_gdm", "test_gdm_dirty", "test_gdm_lru", "test_gdm_watch", "test_gdm_random"],
}
# tests that compile a source themselves: of use for bugs in it only
COMPILED_IN = {
    "test_apsync": "c_model/apointers/page_cache.c",
    "test_apring": "c_model/apointers/host_ring.c",
    "test_aptlb": "c_model/apointers/software_tlb.c",
    "test_apcollage": "c_model/apointers/collage.c",
    "test_applaces": "c_model/apointers/workload.c",
}
INTERPOSED = {"test_gdm_watch", "test_gdm_watch_rules", "test_gdm_random"}
# test_gdm_watch most likely finds these
OF_WATCH = {"watch.c", "copy.c", "copyout.c", "interpose.c"}


def check_unit(name, file, old, new):
    """The unit tests, linked with the changed file in front of the library, until one fails."""
    work = os.path.join(ROOT, "build/mutants", name)
    os.makedirs(work, exist_ok=True)
    bad = change(file, old, new, f"{work}/changed.c")
    if bad:
        return name, False, bad
    flags = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Ic_model/include", "-Ic_model"]
    # built without sanitizers, and linked where it belongs only
    interposes = file.endswith("/interpose.c")
    objects, library = ("obj", "libgmmu.a") if interposes else ("asan", "libgmmu-asan.a")
    if not interposes:
        flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    b = subprocess.run(
        [*flags, "-c", f"{work}/changed.c", "-o", f"{work}/changed.o"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    result = name, False, "does not build: " + b.stderr[-200:]
    tests = [t for t in UNITS[name.split("-")[0]] if COMPILED_IN.get(t, file) == file]
    if os.path.basename(file) in OF_WATCH:
        tests = sorted(tests, key="test_gdm_watch".__ne__)
    if interposes:
        # last above a sanitizer, whose reallocarray, unlike glibc's, does not call realloc
        tests = [t for t in tests if t in INTERPOSED] + ["test_gdm_watch"]
    for i, test in enumerate(tests if b.returncode == 0 else []):
        if interposes and i == len(tests) - 1:
            flags.append("-fsanitize=thread")
            objects, library = "tsan", "libgmmu-tsan.a"
        more = (
            ["build/obj/c_model/gdm/interpose.o"] if test in INTERPOSED and not interposes else []
        )
        compiled = f"build/{objects}/c_model/test"
        made = [f"{work}/changed.o", f"{compiled}/{test}.o"]
        if test in COMPILED_IN:
            to = os.path.join(work, os.path.relpath(file, "c_model"))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(f"{work}/changed.c", to)
            made = [f"-I{work}", f"c_model/test/{test}.c"]
        b = subprocess.run(
            [
                flags[0],
                *made,
                *flags[1:],
                *more,
                f"{compiled}/watchdog.o",
                f"build/lib/{library}",
                "-o",
                f"{work}/test",
                "-lcmocka",
                "-lzstd",
                "-linih",
                "-lcjson",
                "-lxxhash",
                "-lcrypto",
                "-lsigsegv",
                "-lm",
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if b.returncode:
            result = name, False, "does not link: " + b.stderr[-200:]
            break
        try:
            r = subprocess.run(
                [f"{work}/test"], cwd=ROOT, capture_output=True, text=True, timeout=300
            )
        except subprocess.TimeoutExpired:
            result = name, False, "hangs without a word"
            break
        lines = [
            x
            for x in (r.stdout + r.stderr).splitlines()
            if re.search(r"rror|FAILED|nobody|watchdog", x) and " RUN " not in x
        ]
        result = (
            name,
            r.returncode != 0,
            (lines[0] if lines else f"ended with {r.returncode}" if r.returncode else "not found")[
                :150
            ],
        )
        if r.returncode:
            break
    shutil.rmtree(work, ignore_errors=True)
    return result


def check_simtap(name, file, old, new):
    """ActivePointers' machine code, changed, on the SIMT core's simulator."""
    work = os.path.join(ROOT, "build/mutants", name)
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "tb/simt/lib"), work)
    bad = change(file, old, new, os.path.join(work, os.path.basename(file)))
    if bad:
        return name, False, bad
    try:
        r = subprocess.run(
            ["tb/simt/ap.sh", "9", "1"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=400,
            env=dict(os.environ, LIB=work),
        )
        lines = [
            x
            for x in (r.stdout + r.stderr).splitlines()
            if "rror" in x or "expected" in x or "FAILED" in x
        ]
        ran = "Running" in r.stdout  # it was built
        result = (
            name,
            ran and r.returncode != 0,
            (lines[0] if lines else "not found" if ran else "does not build")[:150],
        )
    except subprocess.TimeoutExpired:
        result = name, False, "hangs without a word"
    shutil.rmtree(work, ignore_errors=True)
    return result


def differs(args, seed, out):
    """The first line of a report on the RTL that is not the timed model's; "" if there is none."""
    model = ["build/bin/gmmu", *args[1:], "--seed", seed]
    model[model.index("rtl")] = "model"
    r = subprocess.run(model, cwd=ROOT, capture_output=True, text=True, check=True)
    pairs = zip(test_cycles.comparable(out), test_cycles.comparable(r.stdout))
    return next((f"timed model: {y.strip()}"[:150] for x, y in pairs if x != y), "")


def check(mutant):
    name = mutant[0]
    if name.startswith("simtap-"):
        return check_simtap(*mutant)
    if name.split("-")[0] in UNITS:
        return check_unit(*mutant)
    config = BY_PREFIX.get(name.split("-")[0], SET)
    bad = plant(*mutant)
    if bad:
        return name, False, bad
    if name.split("-")[0] in BENCHES:
        return check_bench(name)
    env = dict(os.environ, MAKEFLAGS="", OPT="-O1")  # short builds: each is run for seconds only
    rtl = os.path.join("build/mutants", name)
    b = subprocess.run(
        ["scripts/build_rtl.sh", "mosaic", config, "", ROOT, rtl],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
    )
    if b.returncode:
        return name, False, "does not build: " + b.stderr[-200:]
    key = subprocess.run(
        [
            "build/bin/gmmu",
            "preset",
            "mosaic",
            *sum((["--set", s] for s in config.split()), []),
            "--rtl-key",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout.strip()
    exe = f"build/rtl/{key}-{name}/gmmu_rtl"
    args = [
        exe,
        "random",
        "--backend",
        "rtl",
        "--preset",
        "mosaic",
        *sum((["--set", s] for s in config.split()), []),
        *(["--tables", "3000"] if TABLES in name else ["--ops", "200000"]),
        *(["--storm"] if STORM in name else []),
    ]
    result = name, False, "not found in 3 runs of 200,000 operations or 3,000 sets of tables"
    for seed in ("1", "2", "3"):
        try:
            r = subprocess.run(
                [*args, "--seed", seed], cwd=ROOT, capture_output=True, text=True, timeout=300
            )
            other = "" if r.returncode else differs(args, seed, r.stdout)
        except subprocess.TimeoutExpired:
            result = name, False, "hangs without a word"
            break
        if r.returncode:
            lines = (r.stderr + r.stdout).splitlines()
            result = (
                name,
                True,
                next(
                    (x for x in lines if "mismatch" in x or "no answer" in x or "Error" in x), "?"
                )[:150],
            )
            break
        if other:
            result = name, True, other
            break
    shutil.rmtree(os.path.join(ROOT, os.path.dirname(exe)), ignore_errors=True)
    shutil.rmtree(os.path.join(ROOT, "build/mutants", name), ignore_errors=True)
    return result


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--check", action="store_true")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--only", default="", help="those whose name begins so, or so,...")
    ap.add_argument("names", nargs="*")
    a = ap.parse_args()
    if a.check:
        bad = list(stale())
        print("".join(f"mutants: {x}\n" for x in bad), end="")
        return bool(bad)
    todo = [
        m
        for m in mutants()
        if (not a.names or m[0] in a.names) and m[0].startswith(tuple(a.only.split(",")))
    ]
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for name, caught, why in pool.map(check, todo):
            missed += not caught
            print(f"{'caught' if caught else 'MISSED'} {name:22} {why}", flush=True)
    print(f"{len(todo) - missed} of {len(todo)} planted bugs caught")
    return missed != 0 or not todo


if __name__ == "__main__":
    sys.exit(main())
