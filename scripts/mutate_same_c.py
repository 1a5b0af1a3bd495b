#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves of planted bugs in C that no run of scripts/mutate.py found that they change nothing.

usage: mutate_same_c.py [--results DIR] [--only TEXT,...] [--markdown FILE]

DIR: results of mutate.py for C in this tree [the newest build/mutate/c-*]. Each file is compiled as
it stands and with one bug in its text, without guards: the same object to the last byte, at any of
the levels of optimisation, is the same program (Papadakis, Jia, Harman, Le Traon: Trivial Compiler
Equivalence, ICSE 2015). The compiler takes nothing for granted that a bug could break: see FLAGS,
WAYS and docs/mutation.md, "Survivors". Answers go to DIR/same.jsonl as they come, verdicts to
DIR/equal.json and the table that is printed (--markdown: that of this page). Bugs written by hand
are not asked. --only: bugs whose id has one of these texts; of the others the verdicts that
DIR/equal.json has stay."""

import argparse
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import mutate

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEVELS = ("-O2", "-O1", "-O3", "-Os")
# A bug that is undefined behaviour may not become the same code because the compiler assumes that
# it never happens. A variable without a value has a pattern, memory of malloc is unknown, ...
FLAGS = (
    *(f for f in mutate.C_FLAGS if not f.startswith("-O")),
    "-ftrivial-auto-var-init=pattern",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-aggressive-loop-optimizations",
    "-fno-finite-loops",
    *(f"-fno-builtin-{f}" for f in ("malloc", "realloc", "aligned_alloc", "alloca", "free")),
)
# ... and both have to be the same in two ways: what UBSan knows becomes a trap, which is code; and
# what overflows wraps, as a + 1 > a is folded before UBSan sees it.
WAYS = (
    (
        "-fsanitize=undefined,bounds-strict,float-divide-by-zero,float-cast-overflow",
        "-fsanitize-undefined-trap-on-error",
    ),
    ("-fwrapv", "-fwrapv-pointer"),
)


class Refused(Exception):
    """The compiler's word."""


def place_of(text, bug):
    """Where the bug's text begins: the place that its id is made of (scripts/schemata.py,
    identity)."""
    seal, old, new = bug["id"].rsplit(":", 1)[-1], bug["old"], bug["new"]
    at = -1
    while (at := text.find(old, at + 1)) >= 0:
        made = hashlib.sha256(f"{at} {at + len(old)} {new}".encode()).hexdigest()
        if made[:6] == seal and text[:at].count("\n") + 1 == bug["line"]:
            return at
    raise LookupError(f"{bug['id']}: not in its file")


def changed(text, bug):
    """The source with one bug, each line where it was."""
    at, old, new = place_of(text, bug), bug["old"], bug["new"]
    lines = "\n" * (old.count("\n") - new.count("\n"))
    # ";" alone could be the body of what stands before it, as the guard's block is
    into = f"{{{new}}}" if new == ";" else f"({new})"
    return text[:at] + into + lines + text[at + len(old) :]


def size_around(text, at):
    """Span of the argument of malloc or calloc that holds the place; None if there is none."""
    begin, depth = at, 0
    while begin > 0 and text[begin - 1] not in ";{}":
        begin -= 1
        depth += (text[begin] == ")") - (text[begin] == "(")
        if depth < 0:
            if re.search(r"\b(malloc|calloc)\s*$", text[:begin]):
                break
            depth = 0
    else:
        return None
    first, depth = begin + 1, 0
    for end in range(begin + 1, len(text)):
        c = text[end]
        if depth == 0 and c in ",)":
            if first <= at < end:
                return first, end
            if c == ")":
                return None
            first = end + 1
        depth += (c in "([{") - (c in ")]}")
    return None


def larger(text, bug):
    """Sources without the bug in which an allocation asks for more: (what, source) for each way to
    say how much. size_t holds the sum: who gets the original's memory gets no less then."""
    span = size_around(text, place_of(text, bug))
    if span:
        size = text[span[0] : span[1]]
        for more in dict.fromkeys(["1", *re.findall(r"sizeof\s*(?:\*?\w+|\([^()]*\))", size)]):
            made = f"(size_t)({size}) + ({more})"
            yield f"larger by {more}", text[: span[0]] + made + text[span[1] :]


class Compiler:
    """Objects of one file's texts, of the unchanged one kept."""

    def __init__(self, folder):
        self.include, self.kept = f"-I{folder}", {}

    def object(self, text, *flags):
        """Bytes of the object. From standard input: no name of a file is in it."""
        with tempfile.NamedTemporaryFile(suffix=".o") as o:
            r = subprocess.run(
                ["gcc", *FLAGS, self.include, *flags, "-x", "c", "-c", "-", "-o", o.name],
                input=text.encode("latin-1"),
                capture_output=True,
                cwd=ROOT,
            )
            with open(o.name, "rb") as f:  # what gcc puts there may be a new file
                made = f.read()
        if r.returncode or not made.startswith(b"\x7fELF"):
            raise Refused(r.stderr.decode(errors="replace")[-500:])
        return made

    def level(self, way, text, other):
        """The first level at which both are the same object, or None."""
        for level in LEVELS:
            key = (way, text, level)
            if key not in self.kept:
                self.kept[key] = self.object(text, *way, level)
            if self.object(other, *way, level) == self.kept[key]:
                return level
        return None

    def verdict(self, text, bug):
        """What proves that the bug changes nothing, or None: the same object as without it, or as
        with memory of malloc or calloc that is larger by something that is never negative."""
        with_it = changed(text, bug)
        levels = self.same(text, with_it)
        if levels:
            return levels
        for what, source in larger(text, bug):
            levels = self.same(source, with_it)
            if levels:
                return f"{levels}, {what}"
        return None

    def same(self, text, other):
        """Levels of each way, or None."""
        levels = []
        for way in WAYS:
            levels.append(self.level(way, text, other))
            if levels[-1] is None:
                return None
        return " ".join(levels)


def ask(bugs, known):
    """{id: levels or None} of these bugs. known: file of answers, which are of a text, what it
    includes and this program."""
    with open(os.path.abspath(__file__), "rb") as f:
        program = f.read()
    rest = hashlib.sha256(program + mutate.inputs_key("").encode()).hexdigest()
    out, compilers, start = {}, {}, time.time()
    if os.path.exists(known):
        with open(known) as f:
            said = [json.loads(line) for line in f]
        out = {x["id"]: x["levels"] for x in said if x["of"] == rest}
    todo = [b for b in bugs if b["id"] not in out]
    for b in todo:
        path = os.path.join(ROOT, b["file"])
        with open(path, encoding="latin-1") as f:
            text = f.read()
        c = compilers.setdefault(b["file"], Compiler(os.path.dirname(path)))
        try:
            levels = c.verdict(text, b)
        except Refused as e:
            print(f"{b['id']}: does not compile by itself: {e}", flush=True)
            levels = None
        out[b["id"]] = levels
        with open(known, "a") as f:
            f.write(json.dumps({"id": b["id"], "of": rest, "levels": levels}) + "\n")
    print(f"{len(todo)} bugs, {time.time() - start:.0f} s")
    return {b["id"]: out[b["id"]] for b in bugs}


def prove(directory, only="", markdown=None):
    with open(os.path.join(directory, "result.json")) as f:
        result = json.load(f)
    if result["language"] != "c":
        sys.exit(f"{directory}: not of C")
    if result["sources"] != mutate.sources_key():
        sys.exit(f"{directory}: of other sources than those of this tree")
    path = os.path.join(directory, "equal.json")
    before = {}
    if only and os.path.exists(path):
        with open(path) as f:
            said = json.load(f)
        if said["sources"] == result["sources"]:
            before = {x["id"]: x for x in said["bugs"]}
    late = [m for m in result["mutants"] if m["verdict"] in mutate.LATE and m["operator"] != "hand"]
    asked = [m for m in late if any(o in m["id"] for o in only.split(","))]
    got = ask(asked, os.path.join(directory, "same.jsonl"))
    out = []
    for m in late:
        if m["id"] in got:
            levels = got[m["id"]]
            x = {k: m[k] for k in ("id", "file", "line", "operator", "old", "new")}
            x |= {"verdict": "equivalent" if levels else "open", "by": levels}
            out.append(x)
        elif m["id"] in before:
            out.append(before[m["id"]])
    with open(path, "w") as f:
        json.dump({"sources": result["sources"], "bugs": out}, f, indent=1)
    for x in out:
        if x["verdict"] == "equivalent":
            old, new = (re.sub(r"\s+", " ", x[k])[:60] for k in ("old", "new"))
            print(f"  {x['file']}:{x['line']} {x['operator']}: {old} -> {new}: {x['by']}")
    proved = sum(x["verdict"] == "equivalent" for x in out)
    print(f"{len(late)} bugs that no run found, {len(out)} asked, {proved} are equivalent")
    lines = list(mutate.table(mutate.rows(result, mutate.proofs(directory, result))))
    print("\n".join(lines))
    if markdown:
        mutate.into_page(markdown, result, lines)


def newest():
    """The results for C that were written last."""
    found = glob.glob(os.path.join(ROOT, "build/mutate/c-*/result.json"))
    return next((os.path.dirname(p) for p in sorted(found, key=os.path.getmtime)[-1:]), None)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--results", default=newest())
    ap.add_argument("--only", default="")
    ap.add_argument("--markdown")
    o = ap.parse_args()
    if not o.results:
        sys.exit("mutate_same_c: no results of scripts/mutate.py for C in build/mutate/")
    os.chdir(ROOT)
    prove(os.path.relpath(o.results, ROOT), o.only, o.markdown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
