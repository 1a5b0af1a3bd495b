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


class Runs:
    """Collects runs, does those that are missing, and then gives results: first need(), then do(),
    then get()."""

    def __init__(self, scale, reps, jobs, seed=1, verify=False):
        self.scale, self.reps, self.seed = scale, reps, seed
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
        print(f"{len(todo)} runs, {len(todo) - len(new)} done before", file=sys.stderr)
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
            row = {
                "args": " ".join(a),
                "ns": r["ns"],
                "mismatches": r["mismatches"],
                "stats": [r["stats"][k] for k in STATS],
            }
            if r.get("sources", self.version) != self.version:
                row["sources"] = r["sources"]
            row["apps"] = [
                [x["name"], x["reps"], round(x["mean_ns"]), x["loops"], x["error"]]
                for x in r["apps"]
            ]
            for x in r["apps"]:
                if "mark_ns" in x:
                    row["mark_ns"], row["mark_allocable"] = x["mark_ns"], x["mark_allocable"]
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
        """Sentences, if results of runs were taken from a page of earlier sources."""
        old = [r for r in self.wanted.values() if r.get("sources", self.version) != self.version]
        if not old:
            return ""
        gdm = sum("--policy gdm" in r["args"] for r in old)
        text = (
            f" {len(old) - gdm} of the runs, with `none`, `gdev` and `base`, were taken from "
            f"the page before, of sources {', '.join(sorted({r['sources'] for r in old}))}: "
            "what changed is not in their way, and those that were repeated are the same."
        )
        if gdm:
            text += (
                f" So were {gdm} with `gdm` (constants, faults, seeds, full size: what was "
                "not repeated): in them a block that is copied out still goes through the "
                "staging area. The file of results says which."
            )
        return text

    def mismatches(self):
        return sum(r["mismatches"] for r in self.wanted.values() if r)


def crashed(r):
    """Programs that ended by an error."""
    return [a["name"] for a in r["apps"] if a["error"]]


def gpu_ns(s):
    """All that kernel and copy engines did."""
    return s["kernel_ns"] + s["sign_ns"] + s["htod_ns"] + s["dtoh_ns"] + s["evict_ns"]
