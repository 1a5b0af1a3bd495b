#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants bugs as schemata, one build for all of them, and looks which of them the tests find.

usage: mutate.py [--seed S] [--count N] [--groups mmu,mem,axi,simt,c,proof]
                 [--files PREFIX,...] [--sample N] [--no-hand] [--rounds R] [--held-out]
                 [--jobs N] [--markdown FILE] [--at-least PERCENT] [--recompile]
                 [--targets NAME,...] [--history DIR] [--minutes M]

Bugs: N generated ones over all files of the groups, by seed (scripts/schemata_rtl.py: rtl/ and the
SIMT core in tb/simt/, scripts/schemata_c.py: C), and those of tb/mutants/mutants.txt that can be
guarded; the others are for scripts/mutants.py, which builds each by itself. --sample: only so many
of the generated ones, those left after the first round not run again. --held-out: of another seed,
none of those that seed S plants. Each is run in every build that holds it, the shortest run of all
builds first, then longer ones, until one finds it; what is left then, proofs of scripts/formal.py
(group proof) may refute:
  killed     a mismatch, an assertion, a bench's own complaint, a watchdog that says so, or, of
             gmmu_top, another report than that of the timed model (test random-cycles)
  crashed    the process died of a signal (counts as killed, is listed)
  hung       neither end nor word within its limit of processor time, and no other run finds it:
             not killed, a fault of the bench
  survived   no run finds it
  unreached  no build holds it: its place is dead for the parameters of all builds
--minutes: nothing new is begun after that. --history: what is known goes to DIR at the end, and is
where a tree begins that has no results of its own (tb/mutants/history).
Results go to build/mutate/NAME/state.jsonl as they come (a run that was broken off goes on there:
what is known of a program stays while all that it is made of is the same), then to result.json,
survivors.txt and the table that is printed. Exits with 1 if one written by hand is not killed (of
those whose own builds were all run, with three rounds), if fewer than --at-least percent of the
generated ones in the builds are, or if a build fails without any bug; with 77, a skip, where slang
or libclang cannot be had.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import lzma
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import filelists
import formal
import mutants as by_hand
import test_cycles

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPLIT = (
    by_hand.SET + " Colt=2 LineAnswers=1 FillTokens=1 WarpW=3 WarpsPerSm=8 EpochCycles=400 "
    "BypassEntries=8 Svadu=1 PwcEntries=16 PwcWays=4"
)
UNIFIED = (
    by_hand.MESC + " Colt=1 LineAnswers=1 FillTokens=1 WarpW=3 WarpsPerSm=8 EpochCycles=200 "
    "BypassEntries=8 FlushL2=1 Svadu=1"
)
# No L2 arrays, no large entries: what stands in their place.
BARE = (
    by_hand.SET.replace("L1LargeEntries=4", "L1LargeEntries=0")
    .replace("L2Entries=32", "L2Entries=0")
    .replace("L2LargeEntries=4", "L2LargeEntries=0")
)
SMALL = "TagW=4"
LATE = ("survived", "hung")  # verdicts on bugs that a build holds and no run found
OPEN = ("unreached", *LATE)  # another run may find them


class Mmu:
    """gmmu random on one build of gmmu_top."""

    def __init__(self, name, settings, preset="mosaic", storm=False, tables=False):
        self.name, self.settings, self.preset, self.storm, self.tables = (
            name,
            settings,
            preset,
            storm,
            tables,
        )
        self.group = "mmu"

    def sets(self):
        return [x for s in self.settings.split() for x in ("--set", s)]

    def build(self, rtl):
        run(["scripts/build_rtl.sh", self.preset, self.settings, "", ROOT, rtl], OPT="-O1")
        self.place(rtl)

    def place(self, rtl):
        """Where its build is."""
        key = run(["build/bin/gmmu", "preset", self.preset, *self.sets(), "--rtl-key"]).strip()
        self.dir = f"build/rtl/{key}" + (f"-{os.path.basename(rtl)}" if rtl != "rtl" else "")
        self.exe = f"{self.dir}/gmmu_rtl"
        self.objects = f"{self.dir}/obj-gmmu_harness"

    def runs(self):
        lengths = (
            (1000, 20000)
            if self.storm
            else (40, 1500, 10000)
            if self.tables
            else (2000, 30000, 200000)
        )
        for seed, n in enumerate(lengths, 1):
            # a reset of the first round shows which bugs in resets are reached at all
            resets = [] if self.storm or self.tables else ["--resets", "2" if seed == 1 else "20"]
            yield [
                self.exe,
                "random",
                "--backend",
                "rtl",
                "--preset",
                self.preset,
                *self.sets(),
                "--seed",
                str(seed),
                "--tables" if self.tables else "--ops",
                str(n),
                *(["--storm"] if self.storm else []),
                *resets,
            ]


class Bench:
    """A block's bench that is Verilated: tb/BENCH/run.sh builds it, its program is then run by
    itself."""

    def __init__(self, bench, build, lengths, group, what=None):
        self.name, self.bench, self.build_name, self.lengths, self.group, self.what = (
            f"{bench}-{build}",
            bench,
            build,
            lengths,
            group,
            what,
        )

    def build(self, rtl):
        run(
            [f"tb/{self.bench}/run.sh", str(self.lengths[0]), "1", self.build_name],
            OPT="-O1",
            RTL=rtl,
            SCHEMATA="1",
        )
        self.place(rtl)

    def place(self, rtl):
        out = f"build/tb/{self.bench}-{os.path.basename(rtl)}"
        self.exe, self.objects = f"{out}/{self.build_name}", f"{out}/obj-{self.build_name}"

    def runs(self):
        for i, n in enumerate(self.lengths):
            yield [self.exe, str(n), str(i + 1), *([self.what] if self.what else [])]


class SvBench:
    """A block's bench in SystemVerilog, TOP in tb/BENCH, on the files that `of` is made of
    (scripts/sv_bench.sh); a seed for each round. before: what is run first; more: arguments of
    Verilator."""

    def __init__(
        self, bench, build, top, of, group, settings=(), plusargs=(), seeds=3, before=(), more=()
    ):
        self.name, self.bench, self.top, self.of, self.group = (
            f"{bench}-{build}" if build else bench,
            bench,
            top,
            of,
            group,
        )
        self.settings, self.plusargs, self.seeds = settings, plusargs, seeds
        self.before, self.more = list(before), list(more)

    def build(self, rtl):
        if self.before:
            run(self.before)
        files = run(["scripts/filelists.py", "--of", self.of, rtl])
        self.place(rtl)
        given = [f"-I{rtl}", f"-I{rtl}/common", *files.split(), *self.more]
        given.append(f"tb/{self.bench}/{self.top}.sv")
        settings = ["-G" + x for x in self.settings]
        run(["scripts/sv_bench.sh", "build", self.dir, self.top, " ".join(given), *settings])

    def place(self, rtl):
        self.dir = f"build/tb/{self.bench}-{os.path.basename(rtl)}/sv-{self.name}"
        self.objects = f"{self.dir}/obj"

    def runs(self):
        for seed in range(1, self.seeds + 1):
            yield ["scripts/sv_bench.sh", "run", self.dir, str(seed), *self.plusargs]


class Proof:
    """A proof of scripts/formal.py: whether it refutes what no run found (scripts/mutate_proof.py).
    A bug that stands through it counts as one that it does not hold: it proves nothing here."""

    group = "proof"

    def __init__(self, name, top):
        self.name, self.proof, self.top = f"proof-{name}", name, top

    def build(self, rtl):
        self.place(rtl)

    def place(self, rtl):
        self.copy = rtl

    def alive(self, mutants):
        """Bugs in what Yosys reads of the files that the proof is made of."""
        import mutate_equal  # which imports this file

        copy = mutate_equal.Sources(os.path.join(ROOT, self.copy))
        of = set(formal.sources(self.top))
        return {
            n
            for n in mutants
            if any(p in of for p in copy.holders[n]) and copy.is_read(n, mutate_equal.PROVED_TEXT)
        }

    def runs(self):
        yield ["scripts/mutate_proof.py", self.proof, self.copy]


C_FLAGS = "-std=c11 -D_GNU_SOURCE -w -O1 -Ic_model/include -Ic_model".split()
C_LIBRARIES = "-lcmocka -lzstd -linih -lcjson -lxxhash -lcrypto -lsigsegv -lm -lopenblas".split()
CC = ["ccache", "gcc"] if shutil.which("ccache") else ["gcc"]


# As the Makefile's: `make test` runs every unit test with the first, too, those of threads with the
# second.
SANITIZERS = {
    "asan": "-g -fsanitize=address,undefined -fno-sanitize-recover=all".split(),
    "tsan": "-g -fsanitize=thread".split(),
}
# A variable whose only value a bug takes has a pattern then: where it may be any, as it may with a
# guard around its value, the compiler takes the one that it should have.
NO_VALUE = ["-ftrivial-auto-var-init=pattern"]


def mutated_objects(copy, sanitizer=None):
    """Objects of the C sources in `copy` that have bugs; the library has the others."""
    name = f"objects-{sanitizer}" if sanitizer else "objects"
    objects = os.path.join(os.path.dirname(copy), name)
    flags = SANITIZERS[sanitizer] if sanitizer else []
    more = NO_VALUE if sanitizer == "asan" else []
    os.makedirs(os.path.join(ROOT, objects), exist_ok=True)
    made = []
    for d, _, names in sorted(os.walk(os.path.join(ROOT, copy))):
        for n in sorted(names):
            folder = os.path.basename(d)
            c, o = os.path.join(d, n), os.path.join(ROOT, objects, f"{folder}-{n[:-2]}.o")
            with open(c, encoding="latin-1") as f:
                if "gmmu_mut" not in f.read():
                    continue
            if not os.path.exists(o) or os.path.getmtime(o) < os.path.getmtime(c):
                source = os.path.relpath(c, ROOT)
                run([*CC, *C_FLAGS, *flags, *more, f"-Ic_model/{folder}", "-c", source, "-o", o])
            made.append(o)
    return objects, made


class Relinked:
    """A Verilated target without bugs, with the C sources that have them: what the RTL says when
    a model is wrong. folders: of c_model/, whose code it runs."""

    def __init__(self, base, folders):
        self.name, self.base, self.folders, self.group = (
            f"rtl-{base.name}",
            base,
            folders.split(),
            "c",
        )

    def build(self, copy):
        objects, made = mutated_objects(copy)
        self.base.build("rtl")
        parts = os.path.join(ROOT, self.base.objects)
        listed = sorted(os.listdir(parts))
        parts = [
            os.path.join(parts, f)
            for f in [f for f in listed if f.endswith(".o") and f[0] != "V"]
            + [f for f in listed if f.endswith("__ALL.a")]
        ]
        if isinstance(self.base, Mmu):
            cli = os.path.join(ROOT, "build/obj/c_model/cli")
            parts += [f"{cli}/{f}" for f in os.listdir(cli) if f.endswith(".o") and f != "main.o"]
        self.exe = f"{objects}/{self.name}"
        library = "build/lib/libgmmu.a"
        run(["g++", *parts, *made, library, "-o", self.exe, "-pthread", *C_LIBRARIES])

    def runs(self):
        for command in self.base.runs():
            yield [self.exe, *command[1:]]

    def alive(self, mutants):
        return {n for n, m in mutants.items() if m["file"].split("/")[1] in self.folders}


class Units:
    """The unit tests of a folder of c_model/, the shortest first; each ends at the first assertion
    that fails. sanitizer: "asan" (with UBSan) or "tsan"."""

    def __init__(self, folder, tests, sanitizer=None):
        self.name, self.folder, self.tests, self.group, self.sanitizer = (
            f"{sanitizer or 'unit'}-{folder}",
            folder,
            tests.split(),
            "c",
            sanitizer,
        )

    def build(self, copy):
        flags = SANITIZERS[self.sanitizer] if self.sanitizer else []
        objects, made = mutated_objects(copy, self.sanitizer)
        compiled = f"build/{self.sanitizer or 'obj'}/c_model/test"
        library = f"build/lib/libgmmu{f'-{self.sanitizer}' if self.sanitizer else ''}.a"
        run(
            [
                "make",
                "-s",
                library,
                "build/obj/c_model/gdm/interpose.o",
                *(f"{compiled}/{t}.o" for t in ["watchdog", *self.tests]),
            ]
        )
        self.exes = []
        for t in self.tests:
            exe = os.path.join(objects, t)
            linked = [f"{compiled}/{t}.o", *made]
            if t in by_hand.COMPILED_IN:
                linked = [f"{objects}/{t}.o", *(o for o in made if o.endswith("-gmmu_mut.o"))]
                source = f"c_model/test/{t}.c"
                run([*CC, f"-I{copy}", *C_FLAGS, *flags, "-c", source, "-o", linked[0]])
            if t in by_hand.INTERPOSED:
                linked.append("build/obj/c_model/gdm/interpose.o")
            linked += [f"{compiled}/watchdog.o", library]
            run(["gcc", *C_FLAGS, *flags, *linked, "-o", exe, *C_LIBRARIES])
            self.exes.append(exe)

    def runs(self):
        return [[e] for e in self.exes]

    def alive(self, mutants):
        # of a bug written by hand, by its name
        owner = {"mm": "mm", "drv": "driver", "gdm": "gdm", "ap": "apointers"}
        return {
            n
            for n, m in mutants.items()
            if m["file"].startswith(f"c_model/{self.folder}/")
            or m["operator"] == "hand"
            and owner.get(m["id"].split("-")[0]) == self.folder
        }


UNITS = {  # of each folder of c_model/, the shortest first
    "mm": "test_mm_check test_no_memory test_mm test_mm_random",
    "contig": "test_manager test_place test_no_memory",
    "driver": "test_remap test_driver test_mm test_mm_random",
    "frontend": "test_frontend test_frontend_data test_no_memory",
    "gdm": "test_gdm_calls test_no_memory test_gdm_dirty test_gdm_timeline test_gdm_watch_rules "
    "test_gdm_watch test_gdm_lru test_gdm_system test_gdm_random test_gdm",
    "apointers": "test_apsync test_aptlb test_apring test_no_memory test_aprules test_apointer "
    "test_applaces test_apointer_warps test_apcollage test_apworkloads",
    "functional": "test_mapping test_place test_no_memory test_svadu test_walk test_tables "
    "test_colt test_walk_step test_mapcheck test_coalesce",
    "policy": "test_l1_policy test_l2_policy test_tokens test_dram_search test_dram_check "
    "test_replace test_invalidate_policy test_no_memory test_regs test_tlb_array test_svadu "
    "test_walker_policy test_manager test_cache_policy test_colt test_walk_step test_dram_choice "
    "test_memsys test_scoreboard_fields test_dram test_timed",
    "scoreboard": "test_scoreboard test_no_memory test_scoreboard_fields",
}
# The Makefile's TSAN_TESTS but test_apworkloads, ten times as long as the others.
THREADS = {"gdm": "test_gdm_watch", "apointers": "test_apsync test_apointer test_apointer_warps"}


def targets():
    for folder, tests in UNITS.items():
        yield Units(folder, tests)
    models = "policy functional scoreboard"
    for name, settings in (("base", by_hand.SET), ("split", SPLIT), ("unified", UNIFIED)):
        yield Relinked(Mmu(name, settings), models)
    yield Relinked(Mmu("tables", by_hand.MESC, tables=True), models)
    yield Relinked(Bench("dram", "small", (1000, 10000, 60000), "mem"), "policy")
    yield Relinked(Bench("l2_cache", "small", (1000, 10000, 60000), "mem"), "policy")
    yield Relinked(Bench("coalescer", "plain", (60, 600, 3000), "axi"), "policy functional")
    yield Relinked(Bench("axi", "plain", (500, 5000, 40000), "axi"), "policy functional driver")
    for folder, tests in UNITS.items():
        yield Units(folder, tests, "asan")
    for folder, tests in THREADS.items():
        yield Units(folder, tests, "tsan")
    yield Mmu("base", by_hand.SET)
    yield Mmu("split", SPLIT)
    yield Mmu("unified", UNIFIED)
    yield Mmu("storm", by_hand.SET, storm=True)
    yield Mmu("unified-storm", by_hand.MESC, storm=True)
    yield Mmu("colt-tables", by_hand.COLT, tables=True)
    yield Mmu("mesc-tables", by_hand.MESC, tables=True)
    yield Mmu("mesc-colt-tables", by_hand.MESC + " Colt=1 LineAnswers=1", tables=True)
    yield Mmu("rsw-tables", by_hand.MESC + " FrameBitsInRsw=1", tables=True)
    yield Mmu("mesc", by_hand.MESC)
    yield Mmu("colt", by_hand.COLT)
    yield Mmu("mask", by_hand.MASK)
    yield Mmu("asid", by_hand.ASID)
    yield Mmu("short", by_hand.SHORT)
    yield Mmu("svadu", by_hand.SVADU)
    yield Mmu("sext", by_hand.SEXT)
    yield Mmu("sextu", by_hand.SEXTU)
    yield Mmu("serial", by_hand.SERIAL)
    yield Mmu("bare", BARE)
    yield Mmu("fpga-small", SMALL, preset="fpga-small")
    for b in ("split", "unified", "serial", "colt", "tokens"):
        yield Bench("tlb_parity", b, (5000, 50000, 500000), "mmu")
    # SMs, applications, bits of ASID and warp, pulses
    for sms, asids, asid_w, warp_w, pulses in (
        (2, 8, 3, 7, 60),
        (3, 5, 4, 6, 150),
        (1, 1, 1, 1, 400),
    ):
        yield SvBench(
            "fill_tokens",
            f"{sms}-{asids}",
            "gmmu_fill_tokens_random_tb",
            "gmmu_fill_tokens,gmmu_epoch",
            "mmu",
            (f"NumSms={sms}", f"NumAsids={asids}", f"AsidW={asid_w}", f"WarpW={warp_w}"),
            (f"+pulses={pulses}",),
        )
    yield SvBench("l1_tlb", "", "gmmu_l1_tlb_tb", "gmmu_l1_tlb", "mmu", ("TOTAL=20000",))
    for build, defines in (("split", ()), ("unified", ("-DUNIFIED",)), ("serial", ("-DSERIAL",))):
        yield SvBench(
            "l2_tlb",
            build,
            "gmmu_l2_tlb_tb",
            "gmmu_l2_tlb",
            "mmu",
            ("TOTAL=12000",),
            more=defines,
        )
    yield SvBench("axi_track", "", "gmmu_axi_track_tb", "gmmu_axi_track", "axi")
    yield SvBench("warps", "", "gmmu_warps_tb", "gmmu_l1tlb_warps,gmmu_l2tlb_warps", "mmu")
    yield SvBench("walker", "", "gmmu_walker_tb", "gmmu_walker", "mmu")
    yield SvBench("invalidate", "", "gmmu_invalidate_tb", "gmmu_invalidate", "mmu")
    blocks = "app_quota count epoch fifo fifo2 free_ahead lru lru_deep ram_fifo"
    blocks += " rr_ahead rr_arb rr_hot rr_two"
    yield SvBench(
        "common",
        "",
        "gmmu_common_tb",
        ",".join("gmmu_" + b for b in blocks.split()),
        "mmu",
        plusargs=("+cycles=5000",),
    )
    for b in ("small", "closed", "settings", "full", "frfcfs"):
        yield Bench("dram", b, (1000, 10000, 60000), "mem")
    yield SvBench(
        "dram",
        "stage",
        "gmmu_dram_stage_tb",
        "gmmu_dram_stage,gmmu_mem_map,gmmu_dram_map",
        "mem",
        plusargs=("+requests=3000",),
    )
    for b in ("small", "one", "full"):
        yield Bench("l2_cache", b, (1000, 10000, 60000), "mem")
    yield SvBench("l2_cache", "bypass", "gmmu_l2_bypass_tb", "gmmu_l2_bypass", "mem", seeds=1)
    for b in ("hashed", "linear"):
        yield Bench("memory", b, (500, 5000), "mem")
    for b in ("plain", "exclusive", "sv39"):
        yield Bench("coalescer", b, (60, 600, 3000), "axi")
    for exclusive, knows in ((1, 1), (0, 1), (1, 0)):
        yield SvBench(
            "pte_write",
            f"{exclusive}-{knows}",
            "gmmu_pte_write_tb",
            "gmmu_pte_write",
            "axi",
            (f"PteExclusive={exclusive}", f"Knows={knows}"),
        )
    for latency in (1, 20, 100):
        yield SvBench(
            "page_copy",
            str(latency),
            "gmmu_page_copy_tb",
            "gmmu_page_copy",
            "axi",
            (f"Latency={latency}",),
            seeds=1,
        )
    for parts in (0, 1):
        yield SvBench(
            "page_merge",
            str(parts),
            "gmmu_page_merge_tb",
            "gmmu_page_merge",
            "axi",
            (f"Parts={parts}",),
            ("+accesses=2000",),
        )
    for b in ("plain", "deep", "svadu", "unified", "small", "widest"):
        yield Bench("axi", b, (500, 5000, 40000), "axi")
    for b in ("order", "order-page", "order-small"):
        yield Bench("axi", b, (500, 5000, 40000), "axi")
    for b in ("control", "control-least"):
        yield Bench("axi", b, (20000, 100000, 400000), "axi")
    for b in ("native", "native-parts"):
        yield Bench("axi", b, (300, 3000, 20000), "axi")
    yield SvBench(
        "native",
        "top",
        "gmmu_native_tb",
        "gmmu_native",
        "axi",
        before=("tb/native/run.sh", "1", "inst"),
        more=("-Ibuild/tb/native/inst",),
    )
    yield Bench("simt", "small", (4, 20, 60), "simt")
    yield Bench("simt", "tiny", (4, 20, 60), "simt")
    for name, top, _, _ in formal.rows("proofs.txt", 4):
        yield Proof(name, top)


def language_of(t):
    """Sources that are copied with bugs: rtl, simt (the SIMT core), c."""
    return t.group if t.group in ("c", "simt") else "rtl"


def run(command, **env):
    """Runs a build step; ends the program with its output when it fails."""
    r = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "MAKEFLAGS": "", **env},
        capture_output=True,
        text=True,
    )
    if r.returncode:
        raise BuildError(r.stdout[-3000:] + r.stderr[-3000:], " ".join(command))
    return r.stdout


class BuildError(Exception):
    pass


def limited(seconds, memory):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return set_limits


WORDS = re.compile(
    r"watchdog|mismatch|rror|expected|rule|nothing|no answer|FAILED|nobody|waits|did "
    r"not|Assert|lost|wrong|at most|must",
    re.I,
)


def execute(command, number, seconds, report=None, sanitizer=None):
    """Result of one run with bug `number`: (verdict, what it said, its report). report: of the run
    without a bug, where the timed model gives the same (test `random-cycles`). sanitizer: it takes
    addresses for its own."""
    env = {
        **os.environ,
        "GMMU_MUT": str(number),
        "CMOCKA_TEST_ABORT": "1",
        "MALLOC_PERTURB_": "165",
        "ASAN_OPTIONS": "hard_rss_limit_mb=4000:allocator_may_return_null=1",
    }
    memory = resource.RLIM_INFINITY if sanitizer else 6 << 30
    try:
        r = subprocess.run(
            command,
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=8 * seconds + 20,
            preexec_fn=limited(seconds, memory),
        )
    except subprocess.TimeoutExpired:
        return "hung", f"no end in {8 * seconds + 20} s of the clock", None
    lines = (r.stderr + "\n" + r.stdout).splitlines()
    if r.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        said = next((x for x in lines if "mismatch: cycle" in x), None)
        if said:
            return "killed", said, None
        return "hung", f"no end in {seconds} s of the processor", None
    said = next(
        (x.strip() for x in lines if WORDS.search(x) and "mismatches: 0" not in x),
        lines[-1] if lines else "no word",
    )[:160]
    if r.returncode < 0 and r.returncode != -signal.SIGABRT:
        return "crashed", f"signal {-r.returncode}: {said}", None
    if r.returncode:
        return "killed", said, None
    mine = test_cycles.comparable(r.stdout)
    for x, y in zip(mine, report or mine):
        if x != y:
            return "killed", f"not as the timed model reports: {x.strip()}"[:160], None
    return "survived", "", mine


def alive(objects):
    """Bugs whose guard is in the C++ that Verilator made: the others are dead for the parameters of
    the build."""
    numbers = set()
    for f in os.listdir(os.path.join(ROOT, objects)):
        if f.endswith(".cpp"):
            with open(os.path.join(ROOT, objects, f)) as h:
                text = re.sub(r"\s+", " ", h.read())
            for m in re.findall(r"(0x[0-9a-f]+|\d+)U [!=]= vlSymsp->TOP__gmmu_mut_pkg", text):
                numbers.add(int(m, 0))
    return numbers


@functools.cache
def sources():
    """{path: hash} of what runs depend on."""
    out = {}
    scripts = (f"scripts/{s}.sh" for s in ("build_rtl", "build_bench", "verilate"))
    for top in ("rtl", "tb", "c_model", *scripts):
        paths = (
            [top]
            if top.endswith(".sh")
            else sorted(
                os.path.relpath(os.path.join(d, f), ROOT)
                for d, _, fs in os.walk(os.path.join(ROOT, top))
                for f in fs
            )
        )
        for p in paths:
            path = os.path.join(ROOT, p)
            if os.path.isfile(path) and not p.endswith((".pyc", ".md", ".list", ".xz")):
                with open(path, "rb") as f:
                    out[p] = hashlib.sha256(f.read()).hexdigest()
    return out


def hash_of(paths):
    return hashlib.sha256(json.dumps([(p, sources()[p]) for p in paths]).encode()).hexdigest()


def sources_key():
    return hash_of(sorted(sources()))


def run_key(tests, made, target, round_):
    """Hash of what a run of the state is of. tests: {target: its unit tests}; made: {target: files
    of rtl/ and tb/ that its program is made of}"""
    if target == "own build":
        return sources_key()
    if target.startswith("proof-"):
        return proofs_key()
    if target in made:
        return made_key(tuple(made[target]))
    if target not in tests:
        return inputs_key(None)
    return inputs_key(tests[target][round_]) if round_ < len(tests[target]) else None


@functools.cache
def made_key(files):
    """Hash of what an RTL build's program is made of: these files, the C library, how it is
    built."""
    if any(p not in sources() for p in files):
        return None
    library = (
        p
        for p in sources()
        if p.startswith(("c_model/", "scripts/"))
        and not p.startswith("c_model/test/")
        and p[-3:] != ".py"
    )
    return hash_of(sorted({*files, *library}))


def made_of(target, copy, root):
    """Files of rtl/ and tb/ that the program of an RTL build is made of, as Verilator and g++ list
    them, and the bench's script. copy: of root, with bugs."""
    folder = os.path.join(ROOT, target.objects)
    text = ""
    for f in os.listdir(folder):
        if f.endswith(".d"):
            with open(os.path.join(folder, f)) as h:
                text += h.read() + "\n"
    out = {f"tb/{target.bench}/run.sh"} if hasattr(target, "bench") else set()
    for word in text.replace("\\\n", " ").split():
        for base in (ROOT, folder):  # Verilator's names are from the root, g++'s from the folder
            path = os.path.relpath(os.path.normpath(os.path.join(base, word)), ROOT)
            if path.startswith(copy + "/"):
                path = root + path[len(copy) :]
            if path in sources():
                out.add(path)
    # Verilator reads files whose modules a harness has no instance of.
    _, modules = filelists.sources()
    tops = {m for p in out if p.startswith("tb/") and p[-3:] == ".sv" for m in instances(p)}
    used = {modules[n] for m in tops & set(modules) for n in filelists.closure(m, modules)}
    idle = {f for m, f in modules.items() if not m.endswith("_pkg")} - used if used else set()
    return sorted((out - idle) & set(sources()))


def instances(path):
    return filelists.instances(os.path.join(ROOT, path))


@functools.cache
def inputs_key(test):
    """Hash of what a run's program is made of. test: a unit test, which is made of c_model/ and its
    own file, or None: of all but unit tests and the tests of scripts (tb/*/*.py)."""
    own = ("c_model/test/watchdog.c", f"c_model/test/{test}.c")
    if test:
        used = [p for p in sources() if p.startswith("c_model/")]
        return hash_of(
            p for p in used if not p.startswith("c_model/test/") or p.endswith(".h") or p in own
        )
    return hash_of(p for p in sources() if not p.startswith("c_model/test/") and p[-3:] != ".py")


@functools.cache
def proofs_key():
    """Hash of what proofs are made of."""
    h = hashlib.sha256(hash_of(p for p in sources() if p.startswith("rtl/")).encode())
    for d in ("synth/formal", "scripts"):
        for n in sorted(os.listdir(os.path.join(ROOT, d))):
            if d != "scripts" or n in ("formal.py", "mutate_equal.py", "mutate_proof.py"):
                with open(os.path.join(ROOT, d, n), "rb") as f:
                    h.update(n.encode() + f.read())
    return h.hexdigest()


def prefix_target(name):
    """Names of the targets that scripts/mutants.py would take for a bug written by hand."""
    p = name.split("-")[0]
    if p in by_hand.BENCHES:
        bench, builds = by_hand.BENCHES[p]
        if builds == ("",):
            return [t.name for t in targets() if getattr(t, "bench", "") == bench]
        return [f"{bench}-{b}" for b in builds]
    if p in by_hand.UNITS:
        return [t.name for t in targets() if isinstance(t, Units) and not t.sanitizer]
    storm = by_hand.STORM in name
    if storm:
        return ["unified-storm" if p == "mesc" else "storm"]
    if by_hand.TABLES in name:
        return [f"{p}-tables"]
    return [p if p in by_hand.BY_PREFIX else "base"]


GENERATORS = {
    "rtl": ["scripts/slang.sh", "--program", "scripts/schemata_rtl.py"],
    "simt": ["scripts/slang.sh", "--program", "scripts/schemata_rtl.py"],
    "c": ["scripts/clang.sh", "scripts/schemata_c.py"],
}


class Session:
    """The bugs of one language: see language_of()."""

    def __init__(self, a, language):
        self.a, self.language = a, language
        tag = (
            f"{language}-{a.seed}-{a.count}"
            + (f"-{a.sample}" if a.sample is not None else "")
            + ("-held" if a.held_out else "")
            + ("-hand" if not a.no_hand else "")
        )
        if a.files:
            tag += "-" + hashlib.sha256(a.files.encode()).hexdigest()[:6]
        self.dir = os.path.join("build/mutate", tag)
        os.makedirs(os.path.join(ROOT, self.dir), exist_ok=True)
        self.copy = os.path.join(self.dir, "copy-" + tag)
        self.state, self.built = {}, {}
        self.made = {}  # {target: {files, alive, listed, of}}, of RTL builds
        self.asked = []  # targets, by name
        self.seconds = 0.0
        self.end = time.time() + 60 * a.minutes
        name = f"{language}-{a.seed}-{a.count}{'-held' if a.held_out else ''}.jsonl.xz"
        self.history = os.path.join(ROOT, a.history, name) if a.history else None

    # ---- bugs
    def generate(self):
        top = {"rtl": "rtl/", "simt": "tb/simt/gmmu_sm", "c": "c_model/"}[self.language]
        hand = [m for m in by_hand.mutants() if m[1].startswith(top)] if not self.a.no_hand else []
        hand_file = os.path.join(self.dir, "hand.json")
        with open(os.path.join(ROOT, hand_file), "w") as f:
            json.dump(hand, f)
        refused = os.path.join(ROOT, self.dir, "refused.txt")
        if not os.path.exists(refused):
            with open(refused, "w") as f:
                f.write("".join(i + "\n" for i in by_hand.refused()))
        args = [
            self.copy,
            "--seed",
            ("held-out " if self.a.held_out else "") + str(self.a.seed),
            "--count",
            str(self.a.count),
            "--hand",
            hand_file,
            "--exclude",
            os.path.join(self.dir, "refused.txt"),
        ]
        if self.language == "simt":
            args += ["--root", "tb/simt"]
        if self.a.files:
            args += ["--files", self.a.files]
        if self.a.sample is not None:
            args += ["--sample", str(self.a.sample)]
        if self.a.held_out:
            args += ["--avoid", f"{self.a.seed}:{self.a.count}"]
        r = subprocess.run(
            [*GENERATORS[self.language], *args], cwd=ROOT, text=True, capture_output=True
        )
        if r.returncode:
            print(r.stdout + r.stderr, end="")
            sys.exit(r.returncode)
        print(r.stdout, end="")
        with open(os.path.join(ROOT, self.copy + ".json")) as f:
            listed = json.load(f)
        self.mutants = {m["number"]: m for m in listed["mutants"]}
        self.left = listed["left"]

    def refuse(self, said):
        """Bugs on the lines that Verilator complains of go; False when it complains of something
        else."""
        numbers = set()
        for path, line in re.findall(r"%Error[^:]*: ([^:\s]+):(\d+):", said) + re.findall(
            r"^([^:\s]+):(\d+):\d+: error:", said, re.M
        ):
            try:
                with open(os.path.join(ROOT, path)) as f:
                    text = f.read().split("\n")[int(line) - 1]
            except (OSError, IndexError):
                continue
            numbers |= {int(n) for n in re.findall(r"gmmu_mut(?:_pkg::m)? == (?:32'd)?(\d+)", text)}
        ids = [self.mutants[n]["id"] for n in numbers if n in self.mutants]
        with open(os.path.join(ROOT, self.dir, "refused.txt"), "a") as f:
            f.write("".join(i + "\n" for i in ids))
        for i in ids:
            print(f"refused by the compiler: {i}")
        return bool(ids)

    # ---- state
    def load(self):
        """What is known: each run of the state whose program is made of the same files today."""
        self.path = os.path.join(ROOT, self.dir, "state.jsonl")
        self.key = sources_key()
        tests = {t.name: t.tests for t in targets() if isinstance(t, Units)}
        lines, kept = [], []
        path = self.path
        if not os.path.exists(path) and self.history and os.path.exists(self.history):
            path = self.history
        if os.path.exists(path):
            with lzma.open(path, "rt") if path == self.history else open(path) as f:
                lines = [json.loads(line) for line in f]
        made = {x["made"]: x for x in lines if "made" in x}
        files = {t: x["files"] for t, x in made.items()}
        for t, x in made.items():
            if x["of"] == run_key(tests, files, t, 0):
                self.made[t] = x
                kept.append(x)
        runs = [x for x in lines if "made" not in x]
        for x in runs:
            of = x.get("of")
            if of and of == run_key(tests, files, x["target"], x["round"]):
                kept.append(x)
                self.note(x, False)
        if lines:
            print(
                f"goes on: {len(kept) - len(self.made)} of {len(runs)} runs known from "
                f"{os.path.relpath(path, ROOT)}"
            )
        with open(self.path, "w") as f:
            f.write("".join(json.dumps(x) + "\n" for x in kept))

    def keep(self):
        """The state as the history's file, for a machine that knows nothing."""
        os.makedirs(os.path.dirname(self.history), exist_ok=True)
        with open(self.path) as f:
            text = f.read()
        with lzma.open(self.history + ".new", "wt", preset=9 | lzma.PRESET_EXTREME) as f:
            f.write(text)
        os.replace(self.history + ".new", self.history)

    def note(self, x, write=True):
        """write: it is new."""
        self.state.setdefault(x["id"], []).append(x)
        if write:
            with open(self.path, "a") as f:
                f.write(json.dumps(x) + "\n")

    def verdict(self, id_):
        seen = [
            x["verdict"]
            for x in self.state.get(id_, [])
            if x["verdict"] == "killed"
            or not x["target"].startswith("proof-")
            or not self.simulated()
        ]
        for v in ("killed", "crashed", "hung"):
            if v in seen:
                return v
        return "survived" if seen else "unreached"

    def simulated(self):
        """There are runs of other targets than proofs."""
        return any(not x["target"].startswith("proof-") for s in self.state.values() for x in s)

    # ---- runs
    def is_rtl_build(self, t):
        return self.language != "c" and not isinstance(t, Proof)

    def listed(self, files):
        """Hash of the bugs that are planted in these files: those that a build may hold."""
        ids = sorted(m["id"] for m in self.mutants.values() if m["file"] in set(files))
        return hashlib.sha256("\n".join(ids).encode()).hexdigest()

    def held(self, t):
        """Numbers of the bugs that t holds; it is built if that is not known."""
        x = self.made.get(t.name)
        if t.name in self.built or not x or x["listed"] != self.listed(x["files"]):
            return self.target_ready(t)["alive"] & set(self.mutants)
        ids = set(x["alive"])
        return {n for n, m in self.mutants.items() if m["id"] in ids}

    def target_ready(self, t):
        """Builds t, and runs it without a bug for its times; leaves out what Verilator refuses."""
        if t.name in self.built:
            return self.built[t.name]
        start = time.time()
        t.build(self.copy)
        ready = {
            "alive": t.alive(self.mutants) if hasattr(t, "alive") else alive(t.objects),
            "limits": [],
            "reports": [],
        }
        for command in t.runs():
            ready["limits"].append(None)
            ready["reports"].append(None)
        self.built[t.name] = ready
        if self.is_rtl_build(t):
            files = made_of(t, self.copy, "tb/simt" if self.language == "simt" else "rtl")
            x = {
                "made": t.name,
                "files": files,
                "alive": sorted(self.mutants[n]["id"] for n in ready["alive"] & set(self.mutants)),
                "listed": self.listed(files),
                "of": made_key(tuple(files)),
            }
            if self.made.get(t.name) != x:
                self.made[t.name] = x
                with open(self.path, "a") as f:
                    f.write(json.dumps(x) + "\n")
        print(
            f"{t.name}: {len(ready['alive'] & set(self.mutants))} bugs in this build, built in "
            f"{time.time() - start:.0f} s",
            flush=True,
        )
        return ready

    def limit(self, t, ready, i, command):
        """Seconds of processor that a run may take: ten times what it takes without a bug. Of a
        proof, which ends by its own limits, and which `make formal` runs without a bug: fixed."""
        if isinstance(t, Proof):
            return 120
        if ready["limits"][i] is None:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            verdict, said, report = execute(
                command, 0, 600, sanitizer=getattr(t, "sanitizer", None)
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if verdict != "survived":
                sys.exit(f"{t.name}: without a bug: {verdict}: {said}\nagain: {' '.join(command)}")
            ready["limits"][i] = (
                int(10 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)) + 4
            )
            if isinstance(getattr(t, "base", t), Mmu):
                ready["reports"][i] = report
        return ready["limits"][i]

    def run_all(self):
        pool = concurrent.futures.ThreadPoolExecutor(self.a.jobs)
        chosen = [
            t
            for t in targets()
            if t.group in self.a.groups.split(",")
            and language_of(t) == self.language
            and (not self.a.targets or t.name in self.a.targets.split(","))
        ]
        proofs = [t for t in chosen if isinstance(t, Proof)]
        chosen = [t for t in chosen if t not in proofs]
        quick = [t for t in chosen if not getattr(t, "sanitizer", None)]
        self.run_rounds(pool, quick)
        self.run_rounds(pool, [t for t in chosen if t not in quick])
        self.run_rounds(pool, proofs)

    def run_rounds(self, pool, chosen):
        longest = [len(t.tests) if isinstance(t, Units) else self.a.rounds for t in chosen]
        for round_ in range(max(longest, default=0)):
            for t in chosen:
                if time.time() > self.end or not any(
                    self.verdict(m["id"]) in OPEN for m in self.mutants.values()
                ):
                    return
                alive_here = self.held(t)
                if t.name not in self.asked:
                    self.asked.append(t.name)
                if t.name not in self.built:
                    t.place(self.copy)
                commands = list(t.runs())
                if round_ >= (
                    len(commands) if isinstance(t, Units) else min(len(commands), self.a.rounds)
                ):
                    continue
                # a proof is no build: it is asked about what others hold, if there are others
                late = LATE if isinstance(t, Proof) and self.simulated() else OPEN
                todo = [
                    n
                    for n in sorted(alive_here)
                    if self.verdict(self.mutants[n]["id"]) in late
                    and not any(
                        x["target"] == t.name and x["round"] == round_
                        for x in self.state.get(self.mutants[n]["id"], [])
                    )
                ]
                # longer runs: only for those that are known to be found by them
                if self.a.sample is not None and round_ >= 1 and not isinstance(t, Units):
                    todo = [
                        n
                        for n in todo
                        if self.mutants[n]["operator"] == "hand"
                        and t.name in prefix_target(self.mutants[n]["id"])
                    ]
                if not todo:
                    continue
                ready = self.target_ready(t)
                seconds = self.limit(t, ready, round_, commands[round_])
                start, killed = time.time(), 0
                command, report = commands[round_], ready["reports"][round_]
                sanitizer = getattr(t, "sanitizer", None)
                for n, (verdict, said, _) in zip(
                    todo, pool.map(lambda n: execute(command, n, seconds, report, sanitizer), todo)
                ):
                    killed += verdict in ("killed", "crashed")
                    self.note(
                        {
                            "id": self.mutants[n]["id"],
                            "target": t.name,
                            "round": round_,
                            "verdict": verdict,
                            "said": said,
                            "of": self.key_of(t, round_),
                        }
                    )
                self.seconds += time.time() - start
                print(
                    f"round {round_ + 1} {t.name}: {killed} of {len(todo)} found, "
                    f"{(time.time() - start) / len(todo):.2f} s each",
                    flush=True,
                )

    def key_of(self, t, round_):
        tests = {t.name: t.tests} if isinstance(t, Units) else {}
        made = {t.name: self.made[t.name]["files"]} if t.name in self.made else {}
        return run_key(tests, made, t.name, round_)

    # ---- report
    def recompile(self):
        """Those by hand that cannot be guarded or that no build found, one build each; what is
        known is not run again."""
        for x in self.left:  # listed like the others, without a number
            self.mutants.setdefault(
                "left " + x["id"],
                {**x, "number": 0, "line": 0, "operator": "hand", "old": "", "new": x["why"]},
            )
        todo = [
            m["id"]
            for m in self.mutants.values()
            if m["operator"] == "hand"
            and self.verdict(m["id"]) not in ("killed", "crashed")
            and not any(x["target"] == "own build" for x in self.state.get(m["id"], []))
        ]
        if not todo:
            return
        print(f"{len(todo)} written by hand, one build each", flush=True)
        r = subprocess.Popen(
            ["scripts/mutants.py", "--jobs", str(self.a.jobs), *todo],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in r.stdout:
            print(line, end="", flush=True)
            m = re.match(r"(caught|MISSED) (\S+) +(.*)", line)
            if m:
                self.note(
                    {
                        "id": m[2],
                        "target": "own build",
                        "round": 0,
                        "verdict": "killed" if m[1] == "caught" else "survived",
                        "said": m[3],
                        "of": self.key,
                    }
                )
        r.wait()

    def report(self):
        if self.a.recompile:
            self.recompile()
        survivors = []
        for m in self.mutants.values():
            v = self.verdict(m["id"])
            if v not in ("killed", "crashed"):
                survivors.append((v, m))
        result = {
            "sources": self.key,
            "seed": self.a.seed,
            "held_out": self.a.held_out,
            "groups": self.a.groups,
            "language": self.language,
            "builds": self.asked,
            "rounds": self.a.rounds,
            "left_for_recompiling": self.left,
            "mutants": [
                {**m, "verdict": self.verdict(m["id"]), "runs": self.state.get(m["id"], [])}
                for m in self.mutants.values()
            ],
        }
        proved = proofs(os.path.join(ROOT, self.dir), result)
        result["rows"] = rows(result, proved)
        with open(os.path.join(ROOT, self.dir, "result.json"), "w") as f:
            json.dump(result, f, indent=1)
        with open(os.path.join(ROOT, self.dir, "survivors.txt"), "w") as f:
            for v, m in sorted(survivors, key=lambda x: (x[0], x[1]["file"], x[1]["line"])):
                old, new = (re.sub(r"\s+", " ", m[k])[:110] for k in ("old", "new"))
                f.write(
                    f"{v:9} {m['number']:5} {m['file']}:{m['line']} "
                    f"{m['operator'] if m['operator'] != 'hand' else m['id']}: {old}  ->  "
                    f"{new}\n"
                )
        lines = list(table(result["rows"]))
        print("\n".join(lines))
        if self.history:
            self.keep()
        if self.a.markdown:
            into_page(self.a.markdown, result, lines)
        print(f"\nsurvivors: {self.dir}/survivors.txt, all: {self.dir}/result.json")
        lost = [
            m["id"]
            for v, m in survivors
            if m["operator"] == "hand"
            and (self.a.recompile or set(prefix_target(m["id"])) & set(self.asked))
        ]
        bad = (
            [i for i in lost if set(prefix_target(i)) <= set(self.asked) and self.a.rounds >= 3]
            if not self.a.recompile
            else []
        )
        if bad:  # other seeds, and in C AddressSanitizer and UBSan: builds of their own
            if subprocess.run(["scripts/mutants.py", *bad], cwd=ROOT).returncode == 0:
                lost, bad = [i for i in lost if i not in bad], []
        for i in lost:
            whole = i in bad or self.a.recompile
            print(
                f"not found, written by hand: "
                f"{i}{'' if whole else ' (not all of its own builds and rounds were run)'}"
            )
        got = [
            proved.get(m["id"], self.verdict(m["id"]))
            for m in self.mutants.values()
            if m["operator"] != "hand"
        ]
        reached = len(got) - got.count("unreached") - got.count("equivalent")
        killed = got.count("killed") + got.count("crashed")
        if reached and 100 * killed < self.a.at_least * reached:
            bad.append("generated")
            print(f"{killed} of {reached} generated bugs killed: less than {self.a.at_least} %")
        if self.a.recompile:
            bad += lost
        elif self.left:
            print(
                f"not guarded ({len(self.left)}), for scripts/mutants.py: "
                + " ".join(x["id"] for x in self.left)
            )
        return 1 if bad else 0


def proofs(directory, result):
    """{id: equivalent, unseen or undecided}: what scripts/mutate_equal.py says of these survivors,
    if it was about the same sources."""
    path = os.path.join(directory, "equal.json")
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        said = json.load(f)
    if said["sources"] != result["sources"]:
        return {}
    late = {m["id"] for m in result["mutants"] if m["verdict"] in LATE}
    return {
        x["id"]: x["verdict"] for x in said["bugs"] if x["verdict"] != "open" and x["id"] in late
    }


def rows(result, proved):
    """{file: {generated, hand: {verdict: bugs}}}"""
    out = {}
    for m in result["mutants"]:
        kind = "hand" if m["operator"] == "hand" else "generated"
        r = out.setdefault(m["file"], {"generated": {}, "hand": {}})[kind]
        v = proved.get(m["id"], m["verdict"])
        r[v] = r.get(v, 0) + 1
    return out


def table(rows):
    """Lines of the table by file. The rate is of those that a build holds and that are not proved
    to change nothing."""
    kinds = ("hung", "survived", "undecided", "unseen", "equivalent", "unreached")
    heads = ["file", "generated", "killed", *kinds, "killed of reached", "by hand", "killed"]
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    total = {"generated": {}, "hand": {}}
    for file in [*sorted(rows), None]:
        r = rows[file] if file else total
        g, h = r["generated"], r["hand"]
        if file:
            for k in ("generated", "hand"):
                for v, n in r[k].items():
                    total[k][v] = total[k].get(v, 0) + n
        killed = g.get("killed", 0) + g.get("crashed", 0)
        n = sum(g.values())
        reached = n - g.get("unreached", 0) - g.get("equivalent", 0)
        rate = f"{100 * killed / reached:.0f} %" if reached else ""
        hk = h.get("killed", 0) + h.get("crashed", 0)
        yield (
            f"| {'`' + file + '`' if file else '**all**'} | {n} | {killed} | "
            f"{' | '.join(str(g.get(k, 0)) for k in kinds)} | {rate} "
            f"| {sum(h.values()) or ''} | {hk if h else ''} |"
        )


def into_page(page, result, lines):
    """The table goes between the page's marks for this language, and for a held-out seed."""
    path = os.path.join(ROOT, page)
    with open(path) as f:
        text = f.read()
    what = result["language"] + (" held out" if result["held_out"] else "")
    first, last = f"<!-- mutate {what} -->\n", f"<!-- end of mutate {what} -->\n"
    head, rest = text.split(first)
    ran = (
        f"{'Held out of seed' if result['held_out'] else 'Seed'} {result['seed']}; builds: "
        f"{', '.join(result['builds'])}; rounds: {result['rounds']}.\n\n"
    )
    with open(path, "w") as f:
        f.write(head + first + ran + "\n".join(lines) + "\n" + last + rest.split(last)[1])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", default="1")
    ap.add_argument("--count", type=int, default=2000)
    ap.add_argument("--groups", default="mmu,mem,axi,simt,c,proof")
    ap.add_argument("--targets", default="")
    ap.add_argument("--files", default="")
    ap.add_argument("--sample", type=int)
    ap.add_argument("--no-hand", action="store_true")
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--held-out", action="store_true")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--markdown")
    ap.add_argument(
        "--at-least",
        type=int,
        default=0,
        metavar="PERCENT",
        help="fails when less of the generated bugs in a build is killed",
    )
    ap.add_argument(
        "--recompile",
        action="store_true",
        help="at the end, those by hand that cannot be guarded or survive, by "
        "scripts/mutants.py",
    )
    ap.add_argument("--history", metavar="DIR")
    ap.add_argument("--minutes", type=float, default=math.inf)
    a = ap.parse_args()
    os.chdir(ROOT)
    for t in targets():
        if isinstance(t, Bench) and by_hand.no_build(t.bench, t.build_name):
            sys.exit(f"mutate: tb/{t.bench}/run.sh knows no build {t.build_name}")
    bad = 0
    for language in ("rtl", "simt", "c"):
        if any(language_of(t) == language and t.group in a.groups.split(",") for t in targets()):
            bad |= session(a, language)
    return bad


def session(a, language):
    s = Session(a, language)
    s.load()
    for _ in range(20):
        s.generate()
        s.built, s.asked = {}, []
        try:
            s.run_all()
            return s.report()
        except BuildError as e:
            if not s.refuse(e.args[0]):
                sys.exit(f"does not build: {e.args[1]}\n{e.args[0]}")
    sys.exit("the compiler still refuses bugs after 20 builds")


if __name__ == "__main__":
    sys.exit(main())
