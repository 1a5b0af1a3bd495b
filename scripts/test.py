#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests named in list files and prints one line each; ends with "N passed, N failed".

usage: test.py [--jobs N] [--only PATTERN] [--slow FACTOR] [--times FILE] [--junit FILE]
               [--shard I/N] [--resume FILE] LIST...

A list has one test a line: name | command | what it proves. Commands run in the root of the tree by
bash; a test passes when its command exits with 0 within its time (900 s, or "name (600s) | ...";
--slow: times a factor, for machines that do much else). Seconds printed: of the clock, and of the
processors; --times: a CSV of them, longest first. --junit: the same results as JUnit XML. Output
goes to
build/test-logs/NAME.log; the last lines of a failed one are shown. A line "@unit-tests" stands for
every c_model/test/test_*.c, plain and with AddressSanitizer and UBSan.

--shard 2/5: the second of five shares of the tests, which are about equally long by their time
limits; the shares are the same on every machine, each test is in one. --resume: tests that passed
according to FILE, on the same files of the tree, are not run again ("kept"); FILE grows by a line
with each that passes.

A test marked "name (may skip) | ..." or "name (600s, may skip) | ..." is skipped when its command
exits with 77: the machine lacks something that the last line of its output names. Skips are
counted, listed at the end, and in the last line: "N passed, N failed, N skipped"; without one that
line is "N passed, N failed". 77 of any other test is a failure."""

import argparse
import concurrent.futures
import csv
import fnmatch
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import treefiles

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join(ROOT, "build", "test-logs")
SKIPPED = 77
RUNNING = set()


def read_lists(paths):
    tests = []
    for path in paths:
        with open(os.path.join(ROOT, path)) as f:
            for number, line in enumerate(f, 1):
                line = line.split("#")[0].strip() if line.lstrip().startswith("#") else line.strip()
                if not line:
                    continue
                if line == "@unit-tests":
                    tests += unit_tests()
                    continue
                parts = [p.strip() for p in line.split(" | ")]
                if len(parts) < 3:
                    sys.exit(f"{path}:{number}: expected: name | command | what it proves")
                m = re.fullmatch(r"(\S+)(?:\s+\((?:(\d+)s)?(?:, )?(may skip)?\))?", parts[0])
                if not m:
                    sys.exit(f"{path}:{number}: bad test name '{parts[0]}'")
                tests.append(
                    (m[1], int(m[2] or 900), " | ".join(parts[1:-1]), parts[-1], bool(m[3]))
                )
    names = [t[0] for t in tests]
    for n in names:
        if names.count(n) > 1:
            sys.exit(f"two tests are called {n}")
    return tests


def unit_tests():
    """Every c_model/test/test_*.c, plain and with AddressSanitizer and UBSan."""
    for name in sorted(os.listdir(os.path.join(ROOT, "c_model/test"))):
        if name.startswith("test_") and name.endswith(".c"):
            stem = name[:-2]
            yield (f"unit-{stem[5:]}", 900, f"build/test/{stem}", "C unit tests", False)
            yield (
                f"asan-{stem[5:]}",
                900,
                f"build/test-asan/{stem}",
                "the same under AddressSanitizer and UBSan",
                False,
            )


def run(test, slow):
    """Test, how it ended, seconds of the clock and of the processors, log."""
    name, limit, command, _, may_skip = test
    limit = int(limit * slow)
    log = os.path.join(LOGS, name + ".log")
    start = time.time()
    with open(log, "wb") as f:
        # The child's own child counts its processor time, and all of a test ends when its time is
        # over.
        p = subprocess.Popen(
            [sys.executable, __file__, "--child", command],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=f,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={"OPT": "-O1", **os.environ, "GMMU_TIMES": log + ".cpu"},
        )
        RUNNING.add(p)
        try:
            rc = p.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            rc = f"no end after {limit} s"
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
        RUNNING.discard(p)
    if rc == SKIPPED and not may_skip:
        rc = f'{SKIPPED} (a skip, but this test is not marked "may skip")'
    cpu = 0.0
    try:
        with open(log + ".cpu") as f:
            cpu = float(f.read())
        os.remove(log + ".cpu")
    except (OSError, ValueError):
        pass
    return test, rc, time.time() - start, cpu, log


def child(command):
    """Runs one test's command and writes down what it used."""
    # Started from a shell's background, signals may be ignored; tests that send them must not see
    # that.
    for s in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(s, signal.SIG_DFL)
    rc = subprocess.run(["bash", "-o", "pipefail", "-c", command], check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.environ.pop("GMMU_TIMES"), "w") as f:
        f.write(str(used.ru_utime + used.ru_stime))
    return rc if rc >= 0 else 128 - rc


def share(text):
    """I, N of "I/N"."""
    m = re.fullmatch(r"(\d+)/(\d+)", text)
    if not m or not 1 <= int(m[1]) <= int(m[2]):
        raise argparse.ArgumentTypeError(f"expected I/N with I from 1 to N, not '{text}'")
    return int(m[1]), int(m[2])


def of_shard(tests, index, count):
    """The share `index` of `count`: the longest first, each to the share that has least so far; in
    the lists' order."""
    load, chosen = [0] * count, set()
    for t in sorted(tests, key=lambda t: (-t[1], t[0])):
        i = load.index(min(load))
        load[i] += t[1]
        if i == index - 1:
            chosen.add(t[0])
    return [t for t in tests if t[0] in chosen]


class Kept:
    """Names of the tests that passed on the tree's present files, kept in a file; none without a
    path."""

    def __init__(self, path):
        self.path, self.names, self.cut = path, set(), False
        if not path:
            return
        h = hashlib.sha256()
        for name in treefiles.names():
            if os.path.isfile(os.path.join(ROOT, name)):
                with open(os.path.join(ROOT, name), "rb") as f:
                    h.update(f"{name}\n".encode() + hashlib.sha256(f.read()).digest())
        key = h.hexdigest()
        if os.path.exists(path):
            with open(path) as f:
                for line in f:
                    self.cut = not line.endswith("\n")  # broken off while it was written
                    try:
                        x = json.loads(line)
                    except ValueError:
                        continue
                    if x.get("tree") == key:
                        self.names.add(x["test"])
        self.key = key

    def add(self, name):
        if self.path:
            with open(self.path, "a") as f:
                f.write("\n" * self.cut + json.dumps({"test": name, "tree": self.key}) + "\n")
            self.cut = False


def write_junit(path, cases):
    """cases: (name, seconds of the clock, None or "skipped" or "failure", why)."""
    suite = ET.Element(
        "testsuite",
        name="gmmu",
        tests=str(len(cases)),
        errors="0",
        time=f"{sum(c[1] for c in cases):.1f}",
        failures=str(sum(c[2] == "failure" for c in cases)),
        skipped=str(sum(c[2] == "skipped" for c in cases)),
    )
    for name, seconds, how, why in sorted(cases):
        case = ET.SubElement(suite, "testcase", classname="gmmu", name=name, time=f"{seconds:.1f}")
        if how:
            line, _, rest = re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd]", "?", why).partition("\n")
            ET.SubElement(case, how, message=line).text = rest
    tree = ET.ElementTree(suite)
    ET.indent(tree)
    tree.write(path + ".new", encoding="utf-8", xml_declaration=True)
    os.replace(path + ".new", path)


def tail(log, lines):
    with open(log, errors="replace") as f:
        return f.read().splitlines()[-lines:]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--only", default="*")
    ap.add_argument("--slow", type=float, default=1)
    ap.add_argument("--times")
    ap.add_argument("--junit")
    ap.add_argument("--shard", type=share)
    ap.add_argument("--resume")
    ap.add_argument("lists", nargs="+")
    a = ap.parse_args()
    tests = [t for t in read_lists(a.lists) if fnmatch.fnmatch(t[0], a.only)]
    if a.shard:
        tests = of_shard(tests, *a.shard)
    os.makedirs(LOGS, exist_ok=True)
    kept = Kept(a.resume)
    passed = failed = 0
    skipped, times, cases = [], [], []
    for t in [t for t in tests if t[0] in kept.names]:
        passed += 1
        cases.append((t[0], 0.0, None, ""))
        print(f"kept  {t[0]:28} passed before on these files  {t[3]}", flush=True)
    tests = [t for t in tests if t[0] not in kept.names]
    pool = concurrent.futures.ThreadPoolExecutor(a.jobs)
    for f in concurrent.futures.as_completed([pool.submit(run, t, a.slow) for t in tests]):
        (name, _, command, proves, _), rc, seconds, cpu, log = f.result()
        times.append((round(cpu, 1), round(seconds, 1), name))
        took = f"{name:28} {seconds:6.1f} s {cpu:6.1f} s"
        if rc == 0:
            passed += 1
            kept.add(name)
            cases.append((name, seconds, None, ""))
            print(f"pass  {took}  {proves}", flush=True)
            continue
        if rc == SKIPPED:
            why = (tail(log, 1) or ["no reason given"])[0].removeprefix("skipped: ")
            skipped.append((name, why))
            cases.append((name, seconds, "skipped", why))
            print(f"skip  {took}  {proves}", flush=True)
            continue
        failed += 1
        print(
            f"FAIL  {took}  {proves}\n      exit {rc}; again: {command}\n      log: "
            f"{os.path.relpath(log, ROOT)}",
            flush=True,
        )
        last = [line[:200] for line in tail(log, 12)]
        print("".join(f"      | {line}\n" for line in last), end="")
        cases.append((name, seconds, "failure", "\n".join([f"exit {rc}; again: {command}", *last])))
    if a.junit:
        write_junit(a.junit, cases)
    if a.times:
        with open(a.times, "w", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows(
                [("cpu_s", "clock_s", "test"), *sorted(times, reverse=True)]
            )
    for name, why in sorted(skipped):
        print(f"skipped: {name}: {why}")
    print(f"{passed} passed, {failed} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return failed != 0 or passed == 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(child(sys.argv[2]))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        for running in list(RUNNING):
            os.killpg(running.pid, signal.SIGKILL)
        os._exit(130)
