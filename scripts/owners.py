#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nobody writes another module's state: names each place in c_model/ (but its tests) that assigns,
through a pointer, to a field of a struct that a header of another folder defines.

c_model/owners.txt says what may be written by others: "data STRUCT | why" (what is passed on is no
state: requests, answers, events, settings) and "owner STRUCT FOLDER" (a public header's state has
its owner in a folder), "STRUCT FOLDER | why" (an exception).

usage: scripts/clang.sh scripts/owners.py
  exits with 1 if there is such a place, or a line of the list that is stale
"""

import collections
import glob
import os
import re
import sys

import clang.cindex as ci
from clang.cindex import CursorKind as K

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = "c_model/owners.txt"
ARGS = ["-std=c11", "-D_GNU_SOURCE", "-Ic_model/include", "-Ic_model", "-ferror-limit=0"]


def folder(path):
    path = os.path.relpath(path, ROOT)
    return path.split("/")[1] if path.startswith("c_model/") else None


def through_pointer(c):
    """Whether the object that is written may be somebody else's: no field of a local variable."""
    while True:
        below = list(c.get_children())
        if c.kind == K.DECL_REF_EXPR or not below:
            return c.kind != K.DECL_REF_EXPR
        if (
            c.kind == K.MEMBER_REF_EXPR
            and below[0].type.get_canonical().kind == ci.TypeKind.POINTER
        ):
            return True
        c = below[0]


def written(x, text):
    """The left side, if x writes something."""
    below = list(x.get_children())
    if x.kind == K.COMPOUND_ASSIGNMENT_OPERATOR:
        return below[0]
    if x.kind == K.BINARY_OPERATOR and len(below) == 2:
        between = text[below[0].extent.end.offset : below[1].extent.start.offset]
        return below[0] if re.sub(r"/\*.*?\*/", "", between, flags=re.S).strip() == "=" else None
    if x.kind == K.UNARY_OPERATOR:
        said = text[x.extent.start.offset : x.extent.end.offset]
        return below[0] if said.startswith(("++", "--")) or said.endswith(("++", "--")) else None
    return None


def member(c):
    """The field that a left side writes: of p->x.y[i] it is y."""
    while c.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR, K.ARRAY_SUBSCRIPT_EXPR):
        below = list(c.get_children())
        if not below:
            break
        c = below[0]
    return c if c.kind == K.MEMBER_REF_EXPR and c.referenced else None


def struct(field):
    """Name of the struct; of one without a name inside another: that of the outer one."""
    c = field.semantic_parent
    while c and ("unnamed" in c.spelling or "anonymous" in c.spelling or not c.spelling):
        c = c.semantic_parent
    return c.spelling if c else "?"


def places():
    """{(struct, its folder, the writer's folder): [place]}"""
    out = collections.defaultdict(list)
    index = ci.Index.create()
    for path in sorted(glob.glob(f"{ROOT}/c_model/*/*.c")):
        if folder(path) == "test":
            continue
        with open(path, encoding="latin-1") as f:
            text = f.read()
        unit = index.parse(path, args=[*ARGS, f"-I{os.path.dirname(path)}", *system()])
        wrong = [d for d in unit.diagnostics if d.severity >= ci.Diagnostic.Fatal]
        if wrong:
            sys.exit(f"owners: {wrong[0]}")
        todo = [
            c
            for c in unit.cursor.get_children()
            if c.location.file and os.path.samefile(c.location.file.name, path)
        ]
        while todo:
            x = todo.pop()
            todo += x.get_children()
            left = written(x, text)
            m = member(left) if left is not None else None
            if m is None or not m.referenced.location.file or not through_pointer(m):
                continue
            owner = folder(os.path.abspath(m.referenced.location.file.name))
            if owner and owner != folder(path):
                out[struct(m.referenced), owner, folder(path)].append(
                    f"{os.path.relpath(path, ROOT)}:{x.location.line}: {m.spelling}"
                )
    return out


def system():
    """Where GCC has its own headers: libclang from PyPI brings none."""
    at = sorted(glob.glob("/usr/lib/gcc/*/*/include"))
    return [f"-I{at[-1]}"] if at else []


def allowed():
    data, owner, pairs = {}, {}, {}
    with open(os.path.join(ROOT, LIST)) as f:
        for n, line in enumerate(f, 1):
            if line.startswith("#") or not line.strip():
                continue
            if m := re.fullmatch(r"data (\w+) \| (.+)\n", line):
                data[m[1]] = n
            elif m := re.fullmatch(r"owner (\w+) (\w+)\n", line):
                owner[m[1], m[2]] = n
            elif m := re.fullmatch(r"(\w+) (\w+) \| (.+)\n", line):
                pairs[m[1], m[2]] = n
            else:
                sys.exit(
                    f"{LIST}:{n}: expected: data STRUCT | why, owner STRUCT FOLDER, "
                    "or STRUCT FOLDER | why"
                )
    return data, owner, pairs


def main():
    os.chdir(ROOT)
    data, owner, pairs = allowed()
    bad, used = 0, set()
    for (name, where, writer), at in sorted(places().items()):
        line = data.get(name) or owner.get((name, writer)) or pairs.get((name, writer))
        if line:
            used.add(line)
            continue
        bad = 1
        print(
            f"owners: {writer} writes fields of {name} ({where}): {', '.join(at[:4])}"
            f"{' ...' if len(at) > 4 else ''}"
        )
    for what in (data, owner, pairs):
        for name, line in what.items():
            if line not in used:
                bad = 1
                print(f"{LIST}:{line}: nobody else writes {name}: the line is stale")
    return bad


if __name__ == "__main__":
    sys.exit(main())
