# SPDX-License-Identifier: Apache-2.0
"""Points of docs/results-apointers.md: one run of build/tb/simt/system/bench each, kept by its
settings; and how tables say them."""

import concurrent.futures
import hashlib
import json
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RAW, AP, GPUFS = 0, 1, 2
(
    EMPTY,
    READ,
    INC,
    READ_INC,
    COPY4,
    COPY8,
    COPY16,
    FAULTS,
    SUM,
    ADD,
    READ_ALL,
    RANDOM,
    REDUCE,
    FFT,
    BITONIC,
    TLB,
    COLLAGE,
) = range(17)
US = 1020  # cycles of a microsecond at the paper's 1020 MHz
HOST = 55590  # 54.5 us
DATA = os.path.join(ROOT, "docs/results-apointers.json")
SEEDS = (1, 2, 3)
SLOTS = (4, 16)  # of the port, in builds of their own; the others have 8
JITTER = 40  # cycles that memory's latency is shorter or longer, drawn, where seeds are compared
KEPT = ("kernel", "latency", "reads", "faults", "reports", "stale")


def binaries():
    """What points are measured with: those of other binaries are not taken from the cache."""
    h = hashlib.sha256()
    names = [
        "build/tb/simt/system/bench",
        *(f"build/tb/simt/system/bench-slots{n}" for n in SLOTS),
        *sorted(
            os.path.join("build/simt", x)
            for x in os.listdir(os.path.join(ROOT, "build/simt"))
            if x.endswith(".elf")
        ),
    ]
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as f:
            h.update(f.read())
    return h.hexdigest()


def commit_of():
    """Of what is built now."""
    git = lambda *a: subprocess.run(
        ["git", *a], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    return git("rev-parse", "--short", "HEAD") + (
        " with changes"
        if git("status", "--porcelain", "--untracked-files=no", "--", "rtl", "tb", "c_model")
        else ""
    )


AGAIN = 20  # points run with the programs of the commit before: the same cycles, or none is taken
ALIKE = 0.001  # by how much what is taken from the commit before may differ, run again


NAMES = {
    (RAW, False): "plain pointers",
    (RAW, True): "plain pointers with translation by hardware",
    (AP, False): "software",
    (AP, True): "software behind 2 MiB",
    (GPUFS, False): "GPUfs",
}


def translated(key):
    """Whether the MMU translates in this point, or lets addresses pass."""
    return "hw=1" in key or "translate=1" in key


class Points:
    def __init__(self, cache, jobs, kept=False):
        self.cache, self.file, self.jobs = {"binaries": None}, cache, jobs
        if not kept:
            self.cache = {"binaries": binaries(), "commit": commit_of()}
        self.used = set()
        self.rows = {}  # keys by (part of the page, what its text calls the row)
        self.part = self.label = ""
        with open(DATA) as f:
            self.was = json.load(f)
        self.old = {k: dict.fromkeys(KEPT, 0) | v for k, v in self.was["points"].items()}
        if kept:
            self.cache = {"binaries": None} | self.old
        elif os.path.exists(cache):
            with open(cache) as f:
                known = json.load(f)
            if known.get("binaries") == self.cache["binaries"]:
                self.cache |= known
        self.wanted = []
        self.again = self.was.get("again", {}) if kept else {}

    def take_older(self, programs):
        """Points of the commit before that are not measured on this one, if the machine is the
        same: AGAIN of its points with its programs (a folder) give the same cycles. Those without
        and those with the MMU's translation count apart: what was run again with the programs of
        now must be ALIKE, else all of them are run."""
        if self.was["commit"] == self.cache["commit"]:
            self.again = self.was.get("again", {})
            self.cache |= self.old
            return
        if any("commit" in v for v in self.old.values()):
            sys.exit(f"run_apointers: {DATA} has points of several commits already: run all")
        short = sorted(k for k, v in self.old.items() if v["kernel"] < 300000)
        for k in random.Random(AGAIN).sample(short, AGAIN):
            v = self.run_one(k, programs)[1]
            if any(v[x] != self.old[k][x] for x in KEPT):
                sys.exit(f"run_apointers: {k}: {self.old[k]}, with the same program now {v}")
        self.again = {"commit": self.was["commit"], "programs": AGAIN}
        for mmu in (False, True):
            keys = [k for k in self.old if mmu == translated(k)]
            ran = {k: self.cache[k]["kernel"] for k in keys if k in self.cache}
            far = [abs(v / self.old[k]["kernel"] - 1) for k, v in ran.items()]
            if len(ran) < len(keys) and (max(far, default=1) > ALIKE or len(ran) < AGAIN):
                sys.exit(
                    f"run_apointers: {len(keys)} points {'with' if mmu else 'without'} translation:"
                    f" {len(ran)} run again, up to {max(far, default=0)} off: run all of them"
                )
            self.again[str(mmu)] = [len(keys), len(ran), sum(x != 0 for x in far), max(far)]
            for k in keys if len(ran) < len(keys) else ():
                if ran.get(k, self.old[k]["kernel"]) == self.old[k]["kernel"]:
                    self.cache[k] = dict(self.old[k], commit=self.was["commit"])

    def now(self):
        return self.was["commit"] if self.cache["binaries"] is None else self.cache["commit"]

    def commits(self, keys=None):
        """How many of these points are of which commit, the newest first."""
        now = self.now()
        of = [self.cache[k].get("commit", now) for k in (self.used if keys is None else keys)]
        return {c: of.count(c) for c in sorted(set(of), key=lambda c: (c != now, c))}

    def rows_of(self, part):
        """Which rows of a part of the page are of another commit than the newest, in a line."""
        of = {}
        for (where, label), keys in self.rows.items():
            if where == part:
                of.setdefault(" and ".join(self.commits(keys)), []).append(label)
        whole = len(of) == 1
        of.pop(self.now(), None)
        said = [f"Runs of {c}" + f": {'; '.join(x)}" * (not whole) + "." for c, x in of.items()]
        return " ".join(said) + "\n\n" * bool(said)

    def get(self, build="000", **settings):
        """Result of a point, or None when it is still to be run."""
        key = build + " " + " ".join(f"{k}={v}" for k, v in sorted(settings.items()))
        self.used.add(key)
        label = self.label or NAMES[settings["way"], translated(key)]
        self.rows.setdefault((self.part, label), set()).add(key)
        if key not in self.cache and key not in self.wanted:
            self.wanted.append(key)
        return self.cache.get(key)

    def data(self, date):
        """Text of DATA: what was used."""
        points = []
        for k in sorted(self.used):
            v = self.cache[k]
            said = {x: int(v[x]) if v[x] == int(v[x]) else v[x] for x in KEPT if v.get(x)}
            if "commit" in v:
                said["commit"] = v["commit"]
            points.append(f" {json.dumps(k)}: {json.dumps(said)}")
        head = {"commit": self.cache["commit"], "date": date}
        if self.again:
            head["again"] = self.again
        head = json.dumps(head)
        return head[:-1] + ', "points": {\n' + ",\n".join(points) + "\n}}\n"

    def run_one(self, key, programs="build/simt"):
        build, *args = key.split()
        slots = [a for a in args if a.startswith("slots=")]
        args = [a for a in args if a not in slots]
        bench = "build/tb/simt/system/bench" + "".join(f"-slots{a[6:]}" for a in slots)
        elf = f"{programs}/{build if build == 'collage' else 'bench-' + build}.elf"
        r = subprocess.run([bench, elf, *args], cwd=ROOT, capture_output=True, text=True)
        if r.returncode:
            sys.exit(f"run_apointers: {key}:\n{r.stdout}{r.stderr}")
        line = next(x for x in r.stdout.splitlines() if x.startswith("launch="))
        return key, {k: float(v) for k, v in (x.split("=") for x in line.split()) if k in KEPT}

    def cost(self, key):
        """What took long last time comes last, and what is new behind it."""
        plain = " ".join(x for x in key.split() if x.split("=")[0] not in ("seed", "jitter"))
        was = self.old.get(key) or self.old.get(plain) or {"kernel": 10**8}
        return was["kernel"]

    def run(self):
        if self.cache["binaries"] is None:
            sys.exit(f"run_apointers: {DATA} has no point '{self.wanted[0]}'")
        self.wanted.sort(key=self.cost)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for n, (key, value) in enumerate(pool.map(self.run_one, self.wanted), 1):
                self.cache[key] = value
                print(
                    f"[{n}/{len(self.wanted)}] {key}: {value['kernel']:.0f} cycles",
                    file=sys.stderr,
                    flush=True,
                )
                with open(self.file + ".new", "w") as f:
                    json.dump(self.cache, f, indent=1)
                os.replace(self.file + ".new", self.file)
        self.wanted = []


def shaken(p, build="000", **settings):
    """The same point with memory's latency drawn for each access, for each seed."""
    return [p.get(build, seed=n, jitter=JITTER, **settings) for n in SEEDS]


def sway(cases):
    """By how many percentage points an overhead moves at most: cases of a point, what it is held
    against, and both shaken."""
    return max(
        abs(100 * x["kernel"] / y["kernel"] - 100 * v["kernel"] / b["kernel"])
        for v, b, vs, bs in cases
        for x, y in zip(vs, bs)
    )


SHAKEN = (
    f"memory's latency drawn from {400 - JITTER} to {400 + JITTER} cycles for each access (seeds "
    f"{', '.join(map(str, SEEDS))})"
)


def table(head, rows):
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(out + ["| " + " | ".join(r) + " |" for r in rows]) + "\n"


def over(v, base, digits=0):
    return f"{100 * (v['kernel'] / base['kernel'] - 1):+.{digits}f} %"


def ranged(v, lo, hi, sign="+", digits=0):
    """A figure in %, and between which ones it lies with other seeds."""
    return f"{v:{sign}.{digits}f} % ({lo:{sign}.{digits}f} to {hi:{sign}.{digits}f})"


def overhead(v, base):
    return 100 * (v["kernel"] / base["kernel"] - 1)


class Overhead:
    """Of a point over another one, and of both shaken, seed by seed."""

    def __init__(self, p, v, base):
        (build, one), (other, two) = v, base
        self.both = p.get(build, **one), p.get(other, **two)
        self.shaken = list(zip(shaken(p, build, **one), shaken(p, other, **two)))

    def all(self):
        return [overhead(*x) for x in (self.both, *self.shaken)]

    def __str__(self):
        v, *vs = self.all()
        return ranged(v, min(vs), max(vs))


def mean(rows):
    """Of each column of Overhead."""
    out = []
    for column in zip(*rows):
        v, *vs = [sum(x) / len(x) for x in zip(*(c.all() for c in column))]
        out.append(ranged(v, min(vs), max(vs)))
    return out


def average(vs):
    return sum(v["kernel"] for v in vs) / len(vs)


def spread(vs):
    """Largest distance from the mean, in %."""
    return 100 * max(abs(v["kernel"] / average(vs) - 1) for v in vs)
