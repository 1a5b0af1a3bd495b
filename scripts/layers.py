#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks which folder of c_model/ uses which: c_model/layers.txt says what is allowed, lower
folders first.

usage: layers.py [--show] --show: prints what each folder uses; else one line per arrow that is not
                 allowed, exit 1

A folder uses another if one of its files includes a file of it, or names a function that a .c file
of it defines."""

import collections
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = "c_model/layers.txt"
# A function that is defined and not static: its name stands in a line that begins in the first
# column and has no ; behind.
DEFINED = re.compile(
    r"^(?!static\b|typedef\b|return\b|else\b|#)[A-Za-z_][\w "
    r"\*]*?\b(\w+)\((?:[^;{]|\n)*?\)\s*\{",
    re.M,
)
# What programs that are watched call instead of the C library's: everybody does.
INTERPOSED = "c_model/gdm/interpose.c"


def load(path):
    """{folder: what it may use}; exits if a line names a folder that does not stand above it."""
    allowed = {}
    with open(path) as f:
        for n, line in enumerate(f, 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            m = re.fullmatch(r"(\w+):((?: \w+)*)", line)
            if not m or m[1] in allowed:
                sys.exit(f"{SOURCE}:{n}: expected: folder: folders that stand above")
            uses = m[2].split()
            for u in uses:
                if u not in allowed:
                    sys.exit(f"{SOURCE}:{n}: {u} does not stand above {m[1]}")
            allowed[m[1]] = set(uses)
    return allowed


def plain(text):
    """Without comments and strings."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)


def arrows(root):
    """{(folder, other folder): {(file, what it uses there)}}"""
    files = {
        os.path.relpath(p, root): open(p, encoding="utf-8", errors="replace").read()
        for p in sorted(glob.glob(f"{root}/c_model/*/*.[ch]"))
    }
    files = {p: t for p, t in files.items() if p.split("/")[1] not in ("test", "include")}
    texts = {p: plain(t) for p, t in files.items()}
    owner = {}
    for p, t in texts.items():
        if p.endswith(".c") and p != INTERPOSED:
            for name in DEFINED.findall(t):
                owner.setdefault(name, set()).add(p.split("/")[1])
    found = collections.defaultdict(set)
    for p, t in texts.items():
        mine = p.split("/")[1]
        for name in re.findall(r'#include "([^"]+)"', files[p]):
            other = name.split("/")[0] if "/" in name else None
            if other and other != mine:
                found[mine, other].add((p, name))
        for name in set(
            re.findall(r"(?<!struct )(?<!enum )(?<!\.)(?<!->)\b\w+\b", t)
        ) & owner.keys() - {"main"}:
            if mine not in owner[name] and len(owner[name]) == 1:
                found[mine, next(iter(owner[name]))].add((p, name + "()"))
    return found


def main():
    if sys.argv[1:] not in ([], ["--show"]):
        sys.exit(__doc__)
    found, allowed, bad = arrows(ROOT), load(os.path.join(ROOT, SOURCE)), 0
    folders = {
        os.path.basename(os.path.dirname(p)) for p in glob.glob(f"{ROOT}/c_model/*/*.[ch]")
    } - {"test", "include"}
    if sys.argv[1:]:
        for f in sorted(folders):
            print(f"{f}: {' '.join(sorted(b for a, b in found if a == f))}")
        return 0
    for f in sorted(folders - allowed.keys()):
        print(f"layers: c_model/{f}/ is not in {SOURCE}")
        bad = 1
    for (a, b), why in sorted(found.items()):
        if a in allowed and b not in allowed[a]:
            p, what = sorted(why)[0]
            print(f"layers: {p} uses {what} of c_model/{b}/, which {SOURCE} does not allow to {a}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
