#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Line, branch and toggle coverage of the RTL and the functional points of tb/points, merged over
the tests of tb/coverage.list (docs/coverage.md).

usage: coverage.py [--only TEST,...] [--again TEST,...] [--report] [--points] [--docs] [--jobs N]
                   [--out DIR]

Each test runs as `make test` runs it, or with a share of its operations where the list says so
("random-mosaic 1/10"; with --points always the whole), in a copy of the tree under
build/coverage/tree whose Verilator builds count. What is done is kept: a run that was stopped goes
on where it was; --again repeats single tests; a source that changed throws all results away. A
toggle that a test has reached is not counted in builds that are made later (coverage_less.py).
--report: only the report of what there is. Points of modules that stand in several places or with
several parameters are one point each. Functional points are those of tb/points, whatever was built.
--points: only these are counted, in builds that take less time, in build/coverage-points. --docs:
the tables of what was counted are written into docs/coverage.md. Result: build/coverage/html
(lcov's genhtml: lines and branches), points.html, coverage.json, unreached.txt, and both tables on
standard output. Exits with 1 if a test fails or a line of tb/coverage.exclude names no unreached
point."""

import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import points as functional
import points_report
import test as runner
import treefiles

KINDS = ("line", "branch", "toggle")  # of the RTL, by Verilator; and `point`, of tb/points
# C '^Af^BFILE^Al^BLINE^An^BCOLUMN^Apage^Bv_KIND/MODULE^Ao^BPOINT[^AS^BLINES]^Ah^BINSTANCE' COUNT
POINT = re.compile(
    r"C '\x01f\x02([^\x01]*)\x01l\x02(\d+)\x01n\x02(\d+)\x01page\x02v_(\w+)/[^\x01]*"
    r"\x01o\x02([^\x01]*)(?:\x01S\x02([^\x01]*))?\x01h\x02[^']*' (\d+)"
)


def tracked():
    """Files of the tree, also new ones that no commit has yet."""
    return treefiles.names()


def prepare(out):
    """The copy of the tree; what an older one counted goes."""
    files = tracked()
    digest = hashlib.sha256()
    for f in files:
        if f in ("scripts/points.py", "scripts/coverage_less.py") or (
            f.startswith(("rtl/", "c_model/", "tb/", "sim/")) and not f.startswith("tb/coverage.")
        ):
            with open(os.path.join(ROOT, f), "rb") as h:
                digest.update(f.encode() + b"\0" + h.read())
    stamp, tree = os.path.join(out, "sources"), os.path.join(out, "tree")
    if not os.path.exists(stamp) or open(stamp).read() != digest.hexdigest():
        shutil.rmtree(os.path.join(out, "data"), ignore_errors=True)
        # builds leave out what these tests had reached
        for built in glob.glob(os.path.join(tree, "build/*")):
            if os.path.basename(built) not in ("bin", "ccache", "lib", "obj"):
                shutil.rmtree(built)
    os.makedirs(os.path.join(out, "data"), exist_ok=True)
    for f in files:
        to = os.path.join(tree, f)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        new = open(os.path.join(ROOT, f), "rb").read()
        # times stay: what is built stays built
        if not os.path.exists(to) or open(to, "rb").read() != new:
            shutil.copyfile(os.path.join(ROOT, f), to)
            shutil.copymode(os.path.join(ROOT, f), to)
    with open(stamp, "w") as h:
        h.write(digest.hexdigest())
    subprocess.run(["make", "-s", "all"], cwd=tree, check=True, env=environment(None))
    return tree


def environment(data, points=False, reached=None):
    env = dict(os.environ, OPT="-O1", CI="true")
    env.pop("MAKEFLAGS", None)
    if data:
        env["GMMU_COVERAGE_DIR"] = data
    if points:
        env["GMMU_COVERAGE"] = "--coverage-user"
    elif reached:
        env["GMMU_COVERAGE_REACHED"] = reached
    return env


class Reached:
    """The toggles that tests have reached, which builds from now on need not count, in a file for
    scripts/coverage_less.py."""

    def __init__(self, out):
        self.path = os.path.join(out, "reached.txt")
        self.points, self.lock = set(), threading.Lock()
        for kept in glob.glob(os.path.join(out, "data", "*.json")):
            with open(kept) as f:
                self.add((tuple(k), n) for *k, n in json.load(f))
        self.write()

    def add(self, points):
        self.points |= {
            f"{file}\t{line}\t{column}\t{what}\n"
            for (file, line, column, kind, what, _), n in points
            if kind == "toggle" and n
        }

    def write(self):
        with open(self.path + ".new", "w") as f:
            f.writelines(sorted(self.points))
        os.replace(self.path + ".new", self.path)

    def more(self, points):
        with self.lock:
            self.add(points)
            self.write()


def shorter(name, command, share):
    """The command of a test with a share of the operations of `gmmu random` and of each run.sh,
    whose first argument they are: where it is a seed there is nothing to share."""
    less = re.sub(
        r"(--ops |/run\.sh )(\d+)", lambda m: m[1] + str(max(1, int(int(m[2]) * share))), command
    )
    if share != 1 and less == command:
        sys.exit(f"tb/coverage.list: {name} has no operations to take a share of")
    return less


def read_list(path):
    """{test: share of its operations}; an error names the line."""
    shares = {}
    with open(path) as f:
        for number, line in enumerate(f, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            share = re.fullmatch(r"1/([1-9]\d*)", words[1]) if len(words) == 2 else None
            if len(words) > 1 and not share:
                sys.exit(f"{os.path.relpath(path, ROOT)}:{number}: expected: TEST or TEST 1/N")
            shares[words[0]] = 1 / int(share[1]) if share else 1
    return shares


def measure(test, tree, out, only_points, reached):
    """Runs one test; its points in one file. Returns its name, its status and its time."""
    name, limit, command = test[0], test[1], test[2]
    raw, kept = os.path.join(out, "data", name + ".raw"), os.path.join(out, "data", name + ".json")
    shutil.rmtree(raw, ignore_errors=True)
    os.makedirs(raw)
    began = time.time()
    with open(os.path.join(out, "data", name + ".log"), "w") as log:
        try:
            status = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command],
                cwd=tree,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment(raw, only_points, reached.path),
                timeout=limit * 10,
            ).returncode
        except subprocess.TimeoutExpired:
            status = "time-out"
    points = collections.Counter()
    files = os.listdir(raw)
    for f in files:
        read_points(os.path.join(raw, f), points)
    shutil.rmtree(raw)
    # a bench of a block without functional points has none, but says so in its files
    if status == 0 and not (files if only_points else points):
        status = "nothing counted"
    if status == 0:
        with open(kept + ".new", "w") as f:
            json.dump([[*k, n] for k, n in sorted(points.items())], f)
        os.replace(kept + ".new", kept)
        reached.more(points.items())
    return name, status, time.time() - began


def read_points(path, points):
    with open(path, encoding="latin-1") as f:
        for line in f:
            m = POINT.match(line)
            if m and m[4] == "user" and m[1].startswith("tb/points/"):
                points[(m[1], 0, 0, "point", m[5], "")] += int(m[7])
            elif m and m[4] in KINDS and m[1].startswith("rtl/"):
                points[(m[1], int(m[2]), int(m[3]), m[4], m[5], m[6] or "")] += int(m[7])


def exclusions(path):
    """{(file, kind, point): reason}; a point of kind line or branch is the text of its line."""
    found = {}
    with open(path) as f:
        for number, line in enumerate(f, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [p.strip() for p in line.split(" | ")]
            kinds = (*KINDS, "point")
            bad = len(parts) != 4 or parts[1] not in kinds or not parts[3]
            # the text of a line or branch may multiply
            if bad or ("*" in parts[2] and parts[1] in ("toggle", "point")):
                sys.exit(
                    f"{os.path.relpath(path, ROOT)}:{number}: expected: file | line, branch, "
                    f"toggle or point | point | reason"
                )
            found[tuple(parts[:3])] = parts[3]
    return found


def lines_of(text):
    """[20, 22, 23] of "20,22-23"."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def name_of(point, sources):
    file, line, _, kind, what, _ = point
    return what if kind == "toggle" else f"{what}: {sources[file][line - 1].strip()}"


def write_info(path, points):
    """lcov's form: a line counts what its least reached statement counts."""
    with open(path, "w") as f:
        for file in sorted({p[0] for p in points}):
            lines, branches = {}, []
            for p, n in points.items():
                if p[0] != file or p[3] == "toggle":
                    continue
                for at in lines_of(p[5] or str(p[1])):
                    lines[at] = max(lines.get(at, 0), n)
                if p[3] == "branch":
                    branches.append((p[1], p[2], n))
            f.write(f"SF:{os.path.join(ROOT, file)}\n")
            for i, (at, col, n) in enumerate(sorted(branches)):
                f.write(f"BRDA:{at},0,{i},{n}\n")
            for at, n in sorted(lines.items()):
                f.write(f"DA:{at},{n}\n")
            f.write("end_of_record\n")


def report(out, wanted, docs=False):
    points, tests = collections.Counter(), []
    for name in wanted:
        kept = os.path.join(out, "data", name + ".json")
        if os.path.exists(kept):
            tests.append(name)
            with open(kept) as f:
                for *key, n in json.load(f):
                    points[tuple(key)] += n
    if not points:
        sys.exit("coverage: nothing was counted yet")
    counts = {(p[0], p[4]): points.pop(p) for p in [p for p in points if p[3] == "point"]}
    sources = {f: open(os.path.join(ROOT, f)).read().splitlines() for f in {p[0] for p in points}}
    skip = exclusions(os.path.join(ROOT, "tb/coverage.exclude"))
    groups, open_points, used, told = points_report.judge(functional.every(), counts, skip)
    rows, unreached = {}, []
    for p, n in sorted(points.items()):
        # reached, points, excluded
        row = rows.setdefault(p[0], {k: [0, 0, 0] for k in KINDS})[p[3]]
        key = (p[0], p[3], name_of(p, sources))
        if not n and key in skip:
            used.add(key)
            row[2] += 1
            continue
        row[1] += 1
        row[0] += n > 0
        if not n:
            unreached.append(f"{p[0]}:{p[1]} | {p[3]} | {key[2]}")
    with open(os.path.join(out, "unreached.txt"), "w") as f:
        f.write("\n".join(unreached + open_points) + "\n")
    points_report.page(os.path.join(out, "points.html"), told)
    total = {k: [sum(r[k][i] for r in rows.values()) for i in range(3)] for k in KINDS}
    with open(os.path.join(out, "coverage.json"), "w") as f:
        json.dump({"tests": tests, "modules": rows, "total": total, "points": groups}, f, indent=1)
    print(f"{len(tests)} of {len(wanted)} tests: {', '.join(tests)}\n")
    if points:
        lines = report_lines(out, points, rows, total)
        print("\n".join(lines) + "\n")
        if docs:
            points_report.write_docs("lines", [points_report.heading(tests), "", *lines])
    else:  # only functional points were counted
        skip = {k: r for k, r in skip.items() if k[1] == "point"}
    table = points_report.table(groups, tests)
    print("\n".join(table))
    if docs:
        points_report.write_docs("points", table)
    stale = [k for k in skip if k not in used]
    for k in stale:
        print(f"tb/coverage.exclude: no unreached point: {' | '.join(k)}", file=sys.stderr)
    return not stale


def report_lines(out, points, rows, total):
    """Pages of lines and branches; returns the table of lines, branches and toggles."""
    write_info(os.path.join(out, "coverage.info"), points)
    if shutil.which("genhtml"):
        subprocess.run(
            [
                "genhtml",
                "-q",
                "--branch-coverage",
                "-o",
                os.path.join(out, "html"),
                os.path.join(out, "coverage.info"),
            ],
            check=True,
        )
    table = [
        "| module | lines | % | branches | % | toggles | % | excluded |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in [*sorted(rows.items()), ("all", total)]:
        table.append(
            f"| {os.path.basename(name).removesuffix('.sv')} | "
            f"{' | '.join(points_report.cells(row[k]) for k in KINDS)} | "
            f"{sum(row[k][2] for k in KINDS)} |"
        )
    return table


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--only", default="")
    ap.add_argument("--again", default="")
    ap.add_argument("--report", action="store_true")
    ap.add_argument("--points", action="store_true")
    ap.add_argument("--docs", action="store_true")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--out")
    a = ap.parse_args()
    a.out = a.out or os.path.join(ROOT, "build/coverage" + ("-points" if a.points else ""))
    known = {t[0]: t for t in runner.read_lists(["tb/tests.list", "sim/regress.list"])}
    wanted = read_list(os.path.join(ROOT, "tb/coverage.list"))
    if not a.points:
        for name in known.keys() & wanted.keys():
            name_, limit, command, *rest = known[name]
            known[name] = (name_, limit, shorter(name, command, wanted[name]), *rest)
    for name in [*wanted, *filter(None, (a.only + "," + a.again).split(","))]:
        if name not in known or name not in wanted:
            sys.exit(
                f"coverage: no test '{name}' in tb/coverage.list and tb/tests.list or "
                f"sim/regress.list"
            )
    ok = True
    if not a.report:
        tree = prepare(a.out)
        for name in filter(None, a.again.split(",")):
            if os.path.exists(os.path.join(a.out, "data", name + ".json")):
                os.remove(os.path.join(a.out, "data", name + ".json"))
        todo = [
            n
            for n in (a.only.split(",") if a.only else wanted)
            if not os.path.exists(os.path.join(a.out, "data", n + ".json"))
        ]
        print(f"coverage: {len(todo)} of {len(wanted)} tests to run", file=sys.stderr)
        reached = Reached(a.out)
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            for i, (name, status, took) in enumerate(
                pool.map(lambda n: measure(known[n], tree, a.out, a.points, reached), todo), 1
            ):
                ok &= status == 0
                log = os.path.join(a.out, "data", name + ".log")
                print(
                    f"[{i}/{len(todo)}] {name}: "
                    f"{'counted' if status == 0 else f'FAIL {status}, log: {log}'} "
                    f"({took:.0f} s)",
                    file=sys.stderr,
                    flush=True,
                )
    return 0 if report(a.out, wanted, a.docs) and ok else 1


if __name__ == "__main__":
    sys.exit(main())
