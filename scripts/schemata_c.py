#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bugs in c_model/ as schemata: a copy of the C sources in which each planted bug N is guarded by
`gmmu_mut == N`.

usage: schemata_c.py OUT ... (options: scripts/schemata.py; run by scripts/clang.sh, which provides
                     libclang)

Places come from libclang's syntax tree, in bodies of functions only: operators, dropped terms,
swapped sides and arms, constants off by one, negated and fixed conditions, statements that are left
out. Not touched: static initialisers, case labels, dimensions, sizeof, and what stands inside a
macro's use. OUT/gmmu_mut.c defines the variable."""

import glob
import os
import re
import subprocess
import sys

from clang.cindex import CursorKind as C, Index, TranslationUnit, TypeKind

import schemata

DEFINITION = """// Which planted bug is alive: the environment's GMMU_MUT, read once; 0: none.
#include <stdlib.h>
int gmmu_mut;
__attribute__((constructor)) static void read_it(void) {
  const char *s = getenv("GMMU_MUT");
  gmmu_mut = s ? atoi(s) : 0;
}
"""
FOLDERS = (
    "mm",
    "contig",
    "gdm",
    "driver",
    "frontend",
    "apointers",
    "functional",
    "policy",
    "scoreboard",
)
SWAPS = schemata.SWAPS | {"/": ["*"], "%": ["/"]}
ASSIGN = re.compile(r"^(=|[-+*/|&^]=|<<=|>>=)$")
LOOPS = {C.FOR_STMT, C.WHILE_STMT, C.DO_STMT}


class File:
    """One source, its macros' uses, its candidates, and the places where a bug written by hand can
    be guarded."""

    def __init__(self, path, args):
        self.path = path
        with open(path, encoding="latin-1") as f:
            self.text = f.read()
        tu = Index.create().parse(
            path, args=args, options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        )
        # errors stand where gcc's stdatomic.h meets clang: macros, which are left alone
        bad = [d for d in tu.diagnostics if d.severity >= 4]
        if bad:
            sys.exit(f"{path}: {bad[0]}")
        self.macros, self.found, self.places, self.seen = [], [], [], set()
        mine = [
            c for c in tu.cursor.get_children() if c.location.file and c.location.file.name == path
        ]
        for c in mine:
            if c.kind == C.MACRO_INSTANTIATION:
                self.macros.append((c.extent.start.offset, c.extent.end.offset))
        for c in mine:
            if c.kind == C.FUNCTION_DECL and c.is_definition():
                for b in c.get_children():
                    if b.kind == C.COMPOUND_STMT:
                        self.statement(b, False)

    # ---- places
    def span(self, n):
        """First and last byte of a node that no macro's use cuts, makes or holds; else None."""
        s, e = n.extent.start.offset, n.extent.end.offset
        for a, b in self.macros:
            if s < b and a < e and not (s <= a and b <= e and (s, e) != (a, b)):
                return None
        return s, e

    def of(self, n):
        w = self.span(n)
        return self.text[w[0] : w[1]] if w else None

    def add(self, w, op, new, statement=False):
        if (
            w is None
            or "//" in self.text[w[0] : w[1]]
            or "#" in self.text[w[0] : w[1]]
            or (w, new) in self.seen
        ):
            return
        self.seen.add((w, new))
        self.found.append((self.path, w[0], w[1], statement, op, new))

    def whole(self, n):
        """A statement with its semicolon; a macro's use by itself counts."""
        s, e = n.extent.start.offset, n.extent.end.offset
        if any(s < b and a < e and not (s <= a and b <= e) for a, b in self.macros):
            return None
        m = re.compile(r"\s*;").match(self.text, e)
        return (s, m.end()) if m else (s, e) if self.text[e - 1 : e] in (";", "}") else None

    # ---- statements
    def statement(self, n, droppable):
        k = n.kind
        if k == C.DECL_STMT:
            for v in n.get_children():
                if (
                    v.kind == C.VAR_DECL
                    and v.storage_class.name != "STATIC"
                    and v.type.kind
                    not in (
                        TypeKind.CONSTANTARRAY,
                        TypeKind.VARIABLEARRAY,
                        TypeKind.INCOMPLETEARRAY,
                    )
                ):
                    for c in v.get_children():
                        if c.kind.is_expression():
                            self.expr(c)
            return
        w = self.whole(n)
        if w and droppable:
            self.places.append((*w, True))
        kids = list(n.get_children())
        if k == C.COMPOUND_STMT:
            for c in kids:
                self.statement(c, True)
        elif k == C.IF_STMT:
            e = self.of(kids[0])
            if e is not None:
                at = self.span(kids[0])
                self.add(at, "if-not", f"!({e})")
                self.add(at, "if-always", f"(({e}) || 1)")
                self.add(at, "if-never", f"(({e}) && 0)")
            self.expr(kids[0])
            for c in kids[1:]:
                self.statement(c, True)
        elif k in LOOPS:
            body = kids[0] if k == C.DO_STMT else kids[-1]
            # do { } while (0) of a macro
            if w and any((w[0], w[1]) == m or w[0] == m[0] for m in self.macros):
                if droppable:
                    self.add(w, "left-out", ";", True)
                return
            for c in kids:
                if c == body:
                    self.statement(c, True)
                elif c.kind.is_expression() and k != C.FOR_STMT:
                    self.expr(c)
                elif c.kind == C.BINARY_OPERATOR and k == C.FOR_STMT:
                    self.expr(c)
        elif k in (C.SWITCH_STMT,):
            self.expr(kids[0])
            self.statement(kids[-1], False)
        elif k in (C.CASE_STMT, C.DEFAULT_STMT):
            if kids:
                self.statement(kids[-1], True)
        elif k == C.RETURN_STMT:
            for c in kids:
                self.expr(c)
        elif k.is_expression():
            call = (
                k == C.CALL_EXPR
                or k == C.UNARY_OPERATOR
                or k in (C.BINARY_OPERATOR, C.COMPOUND_ASSIGNMENT_OPERATOR)
            )
            if droppable and call and w:
                self.add(w, "left-out", ";", True)
            self.expr(n)
        elif k in (C.LABEL_STMT,):
            for c in kids:
                self.statement(c, False)

    # ---- expressions
    def operator(self, n, a, b):
        between = self.text[a.extent.end.offset : b.extent.start.offset]
        return (
            re.sub(r"/\*.*?\*/", "", between).strip().rstrip("(").strip()
            if a.extent.end.offset <= b.extent.start.offset
            else ""
        )

    def expr(self, n):
        k = n.kind
        if k in (C.CXX_UNARY_EXPR, C.StmtExpr):
            return
        w = self.span(n)
        kids = list(n.get_children())
        if (
            w
            and k.is_expression()
            and k not in (C.DECL_REF_EXPR, C.INIT_LIST_EXPR, C.STRING_LITERAL)
        ):
            self.places.append((*w, False))
        if k in (C.BINARY_OPERATOR, C.COMPOUND_ASSIGNMENT_OPERATOR) and len(kids) == 2:
            a, b = kids
            op, ta, tb = self.operator(n, a, b), self.of(a), self.of(b)
            if ASSIGN.match(op):
                self.expr(b)
                return
            if w and None not in (ta, tb) and n.type.kind != TypeKind.POINTER:
                for new in SWAPS.get(op, []):
                    self.add(w, "operator", f"({ta}) {new} ({tb})")
                if op in ("&&", "||", "&", "|", "^"):
                    bit = op in ("&&", "||")
                    self.add(w, "right-dropped", f"(({ta}) != 0)" if bit else f"({ta})")
                    self.add(w, "left-dropped", f"(({tb}) != 0)" if bit else f"({tb})")
                elif op in ("-", "<", "<=", ">", ">="):
                    self.add(w, "sides-swapped", f"({tb}) {op} ({ta})")
            self.expr(a)
            if op not in ("<<", ">>", "/", "%"):
                self.expr(b)
            return
        if k == C.CONDITIONAL_OPERATOR and len(kids) == 3:
            t = [self.of(c) for c in kids]
            if w and None not in t:
                self.add(w, "arms-swapped", f"({t[0]}) ? ({t[2]}) : ({t[1]})")
        if k == C.UNARY_OPERATOR and w and kids:
            t = self.of(kids[0])
            sign = self.text[w[0] : w[0] + 1]
            if sign in "!~" and t is not None:
                self.add(w, "negation-lost", f"(({t}) != 0)" if sign == "!" else f"({t})")
            if (
                sign == "&"
                or "++" in self.text[w[0] : w[1]][:2] + self.text[w[0] : w[1]][-2:]
                or "--" in self.text[w[0] : w[1]][:2] + self.text[w[0] : w[1]][-2:]
            ):
                return
        if k == C.INTEGER_LITERAL and w:
            m = re.fullmatch(r"(0x[0-9a-fA-F]+|\d+)([uUlL]*)", self.text[w[0] : w[1]])
            if m:
                v = int(m[1], 0)
                for d in (1, -1):
                    if v + d >= 0:
                        self.add(w, "constant", f"{v + d}{m[2]}")
            return
        for c in kids:
            if c.kind.is_expression():
                self.expr(c)


def main():
    a = schemata.options(__doc__)
    os.chdir(schemata.ROOT)
    builtin = subprocess.run(
        ["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True
    ).stdout.strip()
    args = [
        "-std=c11",
        "-D_GNU_SOURCE",
        "-Ic_model/include",
        "-Ic_model",
        "-isystem",
        builtin,
        "-ferror-limit=0",
    ]
    files = {
        p: File(p, args)
        for d in FOLDERS
        for p in sorted(glob.glob(f"c_model/{d}/*.c"))
        if not p.endswith("interpose.c")
    }
    texts = {p: f.text for p, f in files.items()}
    found = [c for f in files.values() for c in f.found]

    def fits(before, after, statement):
        if any(x in before + after for x in ("//", "#")):
            return False
        return (
            statement
            or after.strip() != ""
            and not re.search(r";|^\s*(if|for|while|return|break|continue)\b", after)
        )

    def by_hand(file, old, new):
        if file not in files:
            return "its folder is not one of those that are guarded"
        return schemata.place_by_hand(texts[file], files[file].places, old, new, fits)

    schemata.plant(
        a,
        "c_model",
        texts,
        found,
        by_hand,
        "c",
        lambda file: "extern int gmmu_mut; ",
        {"gmmu_mut.c": DEFINITION},
    )


if __name__ == "__main__":
    sys.exit(main())
