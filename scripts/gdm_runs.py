# SPDX-License-Identifier: Apache-2.0
"""Runs of `gmmu gdm` whose results are kept: a run that was done with the same sources, inputs and
options is not done again."""

import concurrent.futures
import glob
import hashlib
import itertools
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = os.environ.get("GMMU", os.path.join(ROOT, "build/bin/gmmu"))
KEEP = os.path.join(ROOT, "build/reports/gdm")
DEVICE = 1400

# Table 1; hj at its peak decides with whom it fits (sim/gdm/regions.ini, checked by test_gdm_prog).
BENCHMARKS = ("backprop", "hj", "hotspot", "kmeans", "mpe", "nn", "srad")
PEAK = {
    "backprop": 668,
    "hj": 1346,
    "hotspot": 1316,
    "kmeans": 120,
    "mpe": 658,
    "nn": 1138,
    "srad": 619,
}
PAIRS = tuple(itertools.combinations(BENCHMARKS, 2))
GROUP1 = tuple(p for p in PAIRS if PEAK[p[0]] + PEAK[p[1]] > DEVICE)
GROUP2 = tuple(p for p in PAIRS if p not in GROUP1)
SYSTEMS = {
    "none": ("--policy", "none"),
    "gdev": ("--policy", "gdev"),
    "base": ("--policy", "base"),
    "sig": ("--policy", "gdm", "--dirty", "signature"),
    "hw": ("--policy", "gdm", "--dirty", "hw"),
}


# Counters that go to the file of results.
STATS = (
    "kernel_ns",
    "sign_ns",
    "htod_ns",
    "dtoh_ns",
    "evict_ns",
    "blocks_signed",
    "blocks_assumed",
    "evict_clean",
    "evict_dirty",
    "evict_bytes",
    "reload_bytes",
    "faults",
    "pte_accesses",
    "harvest_ns",
)


SOURCES = (
    "c_model/gdm/*.[ch]",
    "c_model/workloads/gdm_*.[ch]",
    "c_model/run/gdm_run.[ch]",
    "c_model/driver/*.[ch]",
    "c_model/include/gmmu_gdm.h",
    "c_model/functional/*.[ch]",
    "sim/gdm/*.ini",
)


def sources():
    """A hash of what results depend on."""
    h = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            with open(path, "rb") as f:
                h.update(path[len(ROOT) :].encode() + b"\0" + f.read())
    return h.hexdigest()[:16]


def commit():
    """The last commit that changed what results depend on, and its date."""
    git = [
        subprocess.run(
            ["git", *c, "--", *(f":(glob){p}" for p in SOURCES)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()
        for c in (("log", "-1", "--format=commit %h, %as"), ("status", "--porcelain"))
    ]
    return (git[0] or "no commit") + (" with changes" if git[1] else "")


ORDER = tuple(
    "args ns mismatches stats sources apps checked minutes mark_ns mark_allocable".split()
)
APP = ("name", "reps", "mean_ns", "loops", "error")


def outcome(r):
    """What the file of results keeps of a run."""
    return {
        "ns": r["ns"],
        "mismatches": r["mismatches"],
        "stats": [r["stats"][k] for k in STATS],
        "apps": [[round(x[k]) if k == "mean_ns" else x[k] for k in APP] for x in r["apps"]],
    }


def is_gdm(r):
    return "--policy gdm" in r["args"]


def rows(path):
    """Runs of a file of results, by their options, as run() would give them, each with the hash of
    its sources."""
    with open(path) as f:
        head, *lines = (json.loads(line) for line in f)
    if tuple(head["stats"]) != STATS:
        raise RuntimeError(f"{path}: has other counters")
    found = {}
    for r in lines:
        r["stats"] = dict(zip(STATS, r["stats"]))
        r["apps"] = [dict(zip(APP, a)) for a in r["apps"]]
        for k in ("mark_ns", "mark_allocable"):
            if k in r:
                r["apps"][0][k] = r.pop(k)
        for a, checked in zip(r["apps"], r.pop("checked", ())):
            a["compared"], a["mismatches"] = checked
        if "minutes" in r:
            r["seconds"] = 60 * r.pop("minutes")
        found[r["args"]] = {"sources": head["sources"], "seconds": 0, **r}
    return found


class Runs:
    """Collects runs, does those that are missing, and then gives results: first need(), then do(),
    then get()."""

    def __init__(self, scale, reps, jobs, seed=1, verify=False, rest=None):
        self.scale, self.reps, self.seed = scale, reps, seed
        self.before = rows(rest) if rest else {}
        self.verify = () if verify else ("--no-verify",)
        self.jobs = jobs
        self.wanted = {}
        self.version = sources()

    def args(self, programs, system, *extra):
        common = {"--scale": self.scale, "--seed": self.seed, "--reps": self.reps}
        common = [w for k, v in common.items() if k not in extra for w in (k, str(v))]
        verify = () if "--marks" in extra else self.verify
        return ("--run", "+".join(programs), *SYSTEMS[system], *common, *verify, *extra)

    def path(self, args):
        text = " ".join(args)
        return os.path.join(
            KEEP, self.version, hashlib.sha256(text.encode()).hexdigest()[:20] + ".json"
        )

    def need(self, programs, system, *extra):
        self.wanted.setdefault(self.args(programs, system, *extra))

    def done(self, programs, system, *extra):
        return os.path.exists(self.path(self.args(programs, system, *extra)))

    def one(self, args):
        path = self.path(args)
        if not os.path.exists(path) and " ".join(args) in self.before:
            return self.before[" ".join(args)]
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            start = time.monotonic()
            part = f"{path}.{os.getpid()}"  # two of these scripts may do the same run
            r = subprocess.run(
                [GMMU, "gdm", *args, "--json", part],
                capture_output=True,
                text=True,
                cwd=ROOT,
            )
            if r.returncode not in (0, 1) or not os.path.exists(part):
                raise RuntimeError(
                    f"gmmu gdm {' '.join(args)}: "
                    f"{r.stderr.strip() or f'exit status {r.returncode}'}"
                )
            with open(part) as f:
                j = json.load(f)
            j["args"] = " ".join(args)
            j["seconds"] = time.monotonic() - start
            with open(part, "w") as f:
                json.dump(j, f)
            os.replace(part, path)
        with open(path) as f:
            return json.load(f)

    def do(self):
        todo = [a for a, r in self.wanted.items() if r is None]
        new = [a for a in todo if not os.path.exists(self.path(a))]
        rest = sum(" ".join(a) in self.before for a in new)
        print(
            f"{len(todo)} runs, {len(todo) - len(new)} done before, {rest} taken over",
            file=sys.stderr,
        )
        start = said = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for i, (a, r) in enumerate(zip(todo, pool.map(self.one, todo))):
                self.wanted[a] = r
                if not sys.stderr.isatty() and time.monotonic() - said > 60:
                    said = time.monotonic()
                    print(
                        f"{i + 1} of {len(todo)}, {said - start:.0f} s", file=sys.stderr, flush=True
                    )
                if sys.stderr.isatty():
                    gone = time.monotonic() - start
                    print(
                        f"\r\033[K{i + 1} of {len(todo)}, {gone:.0f} s: {' '.join(a[:6])}",
                        end="",
                        file=sys.stderr,
                        flush=True,
                    )
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)

    def get(self, programs, system, *extra):
        a = self.args(programs, system, *extra)
        if self.wanted.get(a) is None:  # a table of another part needs it too
            self.wanted[a] = self.one(a)
        return self.wanted[a]

    def write(self, path):
        """What the tables are made of, one run a line; returns its hash."""
        lines = []
        for a, r in sorted(self.wanted.items()):
            row = {**outcome(r), "args": " ".join(a)}
            if r.get("sources", self.version) != self.version:
                row["sources"] = r["sources"]
            if "--scale 1 " in r["args"]:  # full size: what was compared, and how long it took
                seen = [[x["compared"], x["mismatches"]] for x in r["apps"] if "compared" in x]
                row |= {"checked": seen} if seen else {}
                row["minutes"] = round(r["seconds"] / 60, 1)
            for x in r["apps"]:
                if "mark_ns" in x:
                    row["mark_ns"], row["mark_allocable"] = x["mark_ns"], x["mark_allocable"]
            row = {k: row[k] for k in ORDER if k in row}
            lines.append(json.dumps(row, separators=(",", ":")))
        text = (
            "\n".join(
                [json.dumps({"sources": self.version, "stats": STATS}, separators=(",", ":"))]
                + lines
            )
            + "\n"
        )
        with open(path + ".new", "w") as f:
            f.write(text)
        os.replace(path + ".new", path)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def taken_over(self):
        """Sentences, if results of runs were taken from a file of earlier sources: how many, and
        how those that were repeated came out."""
        old = [r for r in self.wanted.values() if r.get("sources", self.version) != self.version]
        if not old:
            return ""
        text = (
            f" {len(old)} of the runs were not repeated since the page before and are taken from "
            "it (the file of results says which)"
        )
        for version in sorted({r["sources"] for r in old}):
            for gdm in (False, True):
                n = sum(r["sources"] == version and is_gdm(r) == gdm for r in old)
                if not n:
                    continue
                text += (
                    f"; {n} with {'`gdm`' if gdm else '`none`, `gdev` and `base`'}, sources "
                    f"{version} ({self.repeated(version, gdm)})"
                )
        return text + "."

    def repeated(self, version, gdm):
        """How runs came out that stand in the file before and were done again."""
        pairs = [
            (self.before[" ".join(a)], r)
            for a, r in self.wanted.items()
            if r.get("sources", self.version) == self.version and " ".join(a) in self.before
        ]
        pairs = [(b, r) for b, r in pairs if b["sources"] == version and is_gdm(r) == gdm]
        other = [(b, r) for b, r in pairs if outcome(b) != outcome(r)]
        if not other:
            return f"{len(pairs)} others of these were repeated and are the same in every number"
        most = max(abs(r["ns"] / b["ns"] - 1) for b, r in other)
        return (
            f"{len(pairs)} others of these were repeated: {len(pairs) - len(other)} are the same, "
            f"{len(other)} within {100 * most:.2f} % of the run's time"
        )

    def mismatches(self):
        return sum(r["mismatches"] for r in self.wanted.values() if r)


class Kept(Runs):
    """The runs of a file that write() wrote, and no others."""

    def __init__(self, path, scale, reps, seed):
        super().__init__(scale, reps, 1, seed, rest=path)
        with open(path) as f:
            self.version = json.loads(f.readline())["sources"]

    def one(self, args):
        if " ".join(args) not in self.before:
            raise RuntimeError(f"has no run {' '.join(args)}")
        return self.before[" ".join(args)]

    def done(self, programs, system, *extra):
        return " ".join(self.args(programs, system, *extra)) in self.before

    def do(self):
        for a in self.wanted:
            self.wanted[a] = self.one(a)


def crashed(r):
    """Programs that ended by an error."""
    return [a["name"] for a in r["apps"] if a["error"]]


def gpu_ns(s):
    """All that kernel and copy engines did."""
    return s["kernel_ns"] + s["sign_ns"] + s["htod_ns"] + s["dtoh_ns"] + s["evict_ns"]
