# SPDX-License-Identifier: Apache-2.0
"""Bugs as schemata: what scripts/schemata_rtl.py and scripts/schemata_c.py share. A candidate is
(file, first byte, last byte + 1, statement?, operator, new text). Each planted bug N is guarded by
a test of one variable, so that one build holds all of them: an expression by `(m == N ? (new) :
(old))`, a statement by if and else. Nested bugs nest in `old`, so lines keep their numbers."""

import argparse
import hashlib
import json
import os
import random

import planted

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


# Binary operator -> what it becomes, where both languages have it.
SWAPS = {
    "&&": ["||"],
    "||": ["&&"],
    "&": ["|"],
    "|": ["&"],
    "^": ["|"],
    "==": ["!="],
    "!=": ["=="],
    "<": ["<=", ">="],
    "<=": ["<"],
    ">": [">="],
    ">=": [">"],
    "+": ["-"],
    "-": ["+"],
    "<<": [">>"],
    ">>": ["<<"],
}


class Place:
    """A range of a file, the bugs planted on it, and whether it is a statement."""

    def __init__(self, start, end, statement):
        self.start, self.end, self.statement, self.bugs = start, end, statement, []


def balanced(text):
    depth = 0
    for c in text:
        depth += c in "([{"
        depth -= c in ")]}"
        if depth < 0:
            return False
    return depth == 0


# ---- writing
def render(data, places, language):
    """The file with each place guarded; places nest or are disjoint."""
    is_, begin, end = (
        ("gmmu_mut == {}", "{", "}")
        if language == "c"
        else ("gmmu_mut_pkg::m == 32'd{}", "begin", "end")
    )
    places = sorted(places, key=lambda p: (p.start, -p.end, not p.statement))

    def run(lo, hi, todo):
        out, at = [], lo
        while todo:
            p = todo[0]
            inner = [q for q in todo[1:] if q.end <= p.end and q.start < p.end]
            todo = [q for q in todo[1:] if q not in inner]
            out.append(data[at : p.start])
            old = run(p.start, p.end, inner)
            if p.statement:
                text = "".join(
                    f"if ({is_.format(n)}) {begin} {new} {end} else " for n, new in p.bugs
                )
                out.append(f"{begin} {text}{begin} {old} {end} {end}")
            else:
                text = "".join(f"{is_.format(n)} ? ({new}) : " for n, new in p.bugs)
                out.append(f"({text}({old}))")
            at = p.end
        out.append(data[at:hi])
        return "".join(out)

    return run(0, len(data), places)


def overlap(places):
    """Places that cut through each other."""
    stack = []
    for p in sorted(places, key=lambda p: (p.start, -p.end)):
        while stack and stack[-1].end <= p.start:
            stack.pop()
        if stack and p.end > stack[-1].end:
            yield p
        else:
            stack.append(p)


def choose(found, seed, count, prefixes=("",)):
    """By file, as many of each as its share, at least 8; which, only the seed and the file's own
    text decide."""
    by_file = {}
    for c in found:
        by_file.setdefault(c[0], []).append(c)
    total = sum(len(v) for v in by_file.values())
    chosen = []
    for file in sorted(by_file):
        cands = sorted(by_file[file])
        n = min(len(cands), max(8, round(count * len(cands) / total)))
        if file.startswith(prefixes):
            chosen += sorted(random.Random(f"{seed} {file}").sample(cands, n))
    return chosen


def write(out, copy):
    """The files of out/ become those of copy; one that is the same already keeps its time, so that
    builds stay."""
    for d, _, names in os.walk(out):
        for n in names:
            if os.path.relpath(os.path.join(d, n), out) not in copy:
                os.remove(os.path.join(d, n))
    for name, text in copy.items():
        path = os.path.join(out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(path):
            with open(path, encoding="latin-1") as f:
                if f.read() == text:
                    continue
        with open(path, "w", encoding="latin-1") as f:
            f.write(text)


def identity(file, data, c):
    """A name that stays while the text of its place does."""
    line = data[: c[1]].count("\n") + 1
    h = hashlib.sha256(f"{c[1]} {c[2]} {c[5]}".encode()).hexdigest()[:6]
    return f"{os.path.basename(file)}:{line}:{c[4]}:{h}"


def place_by_hand(data, places, old, new, fits):
    """Where to guard a text replacement: the smallest of the places around the part that differs at
    which `fits` takes the new text; (start, end, statement?, text), or why not. places: (start,
    end, statement?)."""
    at = planted.difference(data, old, new)
    if isinstance(at, str):
        return at
    lo, hi, into, begin, stop = at
    if lo == hi and data[lo - 1 : lo + 1].isalnum():
        into += " "
    changed = data[:lo] + into + data[hi:]
    grown = len(changed) - len(data)
    for start, end, statement in sorted(places, key=lambda x: (x[1] - x[0], x[2])):
        if start <= lo and hi <= end and start <= stop and begin <= end:
            text = changed[start : end + grown]
            if (
                balanced(text)
                and balanced(data[start:end])
                and fits(data[start:end], text, statement)
            ):
                return start, end, statement, text.strip() or (";" if statement else "")
    return "no expression or statement holds it"


def options(description):
    ap = argparse.ArgumentParser(description=description)
    ap.add_argument("out")
    ap.add_argument("--root", default="rtl", help="folder that is copied (RTL)")
    ap.add_argument("--seed", default="1")
    ap.add_argument("--count", type=int, default=2000)
    ap.add_argument(
        "--files",
        default="",
        help="generated bugs only in files whose path begins so, or so,...",
    )
    ap.add_argument("--hand", help="JSON of bugs written by hand")
    ap.add_argument("--exclude", default="", help="file with ids to leave out, one a line")
    ap.add_argument("--avoid", help="SEED:COUNT whose choice is left out")
    ap.add_argument("--sample", type=int, help="of those, as many, drawn by the seed")
    return ap.parse_args()


def plant(a, root, texts, found, by_hand, language, head, more):
    """Chooses, guards, writes OUT/ (the copy of root/) and OUT.json. texts: of all files;
    by_hand(file, old, new): see place_by_hand(); head(file): what stands before its first line;
    more: files of the copy that are not in root/."""
    if a.avoid:
        seed, count = a.avoid.split(":")
        taken = set(choose(found, seed, int(count)))
        found = [c for c in found if c not in taken]
    chosen = choose(found, a.seed, a.count, tuple(a.files.split(","))) if a.count else []
    if a.sample is not None and a.sample < len(chosen):
        chosen = sorted(random.Random(f"{a.seed} sample").sample(chosen, a.sample))
    excluded = set()
    if a.exclude and os.path.exists(a.exclude):
        with open(a.exclude) as f:
            excluded = set(f.read().split())
    todo, left = [], []
    if a.hand:
        with open(a.hand) as f:
            for name, file, old, new in json.load(f):
                r = by_hand(file, old, new)
                if isinstance(r, str) or name in excluded:
                    left.append(
                        {
                            "id": name,
                            "file": file,
                            "why": r if isinstance(r, str) else "the compiler refuses its guard",
                        }
                    )
                if not isinstance(r, str):
                    todo.append((file, r[0], r[1], r[2], "hand", r[3], name))
    todo += [(*c, identity(c[0], texts[c[0]], c)) for c in chosen]
    by_place, listed = {}, []
    # the others keep their numbers, and so their files
    for number, (file, start, end, statement, op, new, name) in enumerate(todo, 1):
        if name in excluded:
            continue
        p = by_place.setdefault((file, start, end, statement), Place(start, end, statement))
        p.bugs.append((number, new))
        data = texts[file]
        listed.append(
            {
                "number": number,
                "id": name,
                "file": file,
                "line": data[:start].count("\n") + 1,
                "operator": op,
                "old": data[start:end],
                "new": new,
            }
        )
    copy = {os.path.relpath(f, root): t for f, t in texts.items()} | more
    per_file = {}
    for (file, *_), p in by_place.items():
        per_file.setdefault(file, []).append(p)
    for file, places in per_file.items():
        cut = list(overlap(places))
        gone = {n for p in cut for n, _ in p.bugs}
        left += [
            {"id": x["id"], "file": file, "why": "cuts through another"}
            for x in listed
            if x["number"] in gone and x["operator"] == "hand"
        ]
        listed = [x for x in listed if x["number"] not in gone]
        copy[os.path.relpath(file, root)] = head(file) + render(
            texts[file], [p for p in places if p not in cut], language
        )
    write(a.out, copy)
    with open(a.out + ".json", "w") as f:
        json.dump(
            {
                "seed": a.seed,
                "count": a.count,
                "candidates": len(found),
                "mutants": listed,
                "left": left,
            },
            f,
            indent=1,
        )
    print(
        f"{len(found)} places for a bug in {root}/; {len(listed)} planted in {a.out}, "
        f"{len(left)} cannot be guarded"
    )
