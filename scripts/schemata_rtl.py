#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bugs in rtl/ as schemata: a copy of the RTL in which each planted bug N is guarded by
`gmmu_mut_pkg::m == N`, so that one build holds them all and the environment's GMMU_MUT chooses at
the start of a run.

usage: schemata_rtl.py OUT --seed S --count N [--root DIR] [--files PREFIX,...] [--hand FILE]
                       [--exclude ID,...] [--avoid SEED:COUNT]

OUT/ becomes the copy of DIR [rtl], another one without its folders; OUT.json lists its bugs
(number, id, file, line, operator, old and new text), and those of --hand (JSON: lists of name,
file, text, replacement) that cannot be guarded. Generated bugs are placed by slang's syntax tree:
what is constant (parameters, dimensions, bounds of loops and ranges, generate conditions, functions
that such places call), left sides, resets' conditions, assertions and what a macro made are left
alone. A guard is an expression `(m == N ? new : old)` or, for a dropped assignment, a statement;
nested bugs nest in `old`, so lines keep their numbers. --avoid: none of those that another seed and
count would take (a held-out set). Run under the pyslang of scripts/slang.sh."""

import glob
import os
import re
import sys

from pyslang import Bag, SourceManager
from pyslang.parsing import PreprocessorOptions
from pyslang.syntax import SyntaxKind as K, SyntaxNode, SyntaxTree

import schemata
from schemata import ROOT


HEADER = """// Which planted bug is alive: the environment's GMMU_MUT, read once; 0: none.
`ifndef GMMU_MUT_SVH
`define GMMU_MUT_SVH
package gmmu_mut_pkg;
  int unsigned m = $c32("(getenv(\\"GMMU_MUT\\") ? atoi(getenv(\\"GMMU_MUT\\")) : 0)");
endpackage
`endif
"""

SWAPS = schemata.SWAPS | {">>>": [">>"]}
LOGIC = {"&&", "||", "&", "|", "^"}
LVALUES = {
    K.IdentifierName,
    K.IdentifierSelectName,
    K.ElementSelectExpression,
    K.MemberAccessExpression,
    K.ScopedName,
}


class Files:
    """Syntax trees of all of root, and what of them is constant."""

    def __init__(self, root):
        self.sm = SourceManager()
        for d in (root, root + "/common"):
            if os.path.isdir(os.path.join(ROOT, d)):
                self.sm.addUserDirectories(os.path.join(ROOT, d))
        pattern = root + ("/**" if root == "rtl" else "") + "/*.sv"
        paths = sorted(glob.glob(pattern, recursive=True))
        # of two texts the one that Verilator reads, as the builds are its own
        read = PreprocessorOptions()
        read.predefines = ["VERILATOR"]
        bag = Bag()
        bag.preprocessorOptions = read
        self.trees = {p: SyntaxTree.fromFile(os.path.join(ROOT, p), self.sm, bag) for p in paths}
        self.text = {}
        for p in sorted(glob.glob(os.path.join(ROOT, pattern + "*"), recursive=True)):
            with open(p, "rb") as f:
                self.text[os.path.relpath(p, ROOT)] = f.read()
        self.const_functions = set()
        for t in self.trees.values():
            self.find_const(t.root, False)

    def find_const(self, node, const):
        """Functions that constant places call; those call others, also inside functions that are
        found later: see grow()."""
        kind = node.kind
        if kind == K.InvocationExpression and const:
            self.const_functions.add(str(node.left).strip().split("::")[-1])
        for i, child in enumerate(node):
            if not isinstance(child, SyntaxNode):
                continue
            c = const or child.kind in (
                K.ParameterDeclaration,
                K.VariableDimension,
                K.ParameterValueAssignment,
                K.SimpleRangeSelect,
            )
            if (
                kind == K.CastExpression
                and i == 0
                or kind == K.MultipleConcatenationExpression
                and i == 1
            ):
                c = True
            if kind in (
                K.IfGenerate,
                K.CaseGenerate,
                K.LoopGenerate,
                K.ForLoopStatement,
            ) and child.kind not in (K.GenerateBlock, K.ElseClause, K.SequentialBlockStatement):
                c = (
                    c
                    or kind != K.ForLoopStatement
                    and child.kind
                    not in (K.IfGenerate, K.HierarchyInstantiation, K.ContinuousAssign)
                )
            if (
                kind in (K.AscendingRangeSelect, K.DescendingRangeSelect)
                and i == len(list(node)) - 1
            ):
                c = True
            self.find_const(child, c)

    def where(self, node):
        """File, first and last byte of a node that stands in one file as it is written; else
        None."""
        r = node.sourceRange
        if (
            self.sm.isMacroLoc(r.start)
            or self.sm.isMacroLoc(r.end)
            or r.start.buffer != r.end.buffer
        ):
            return None
        name = os.path.relpath(str(self.sm.getFullPath(r.start.buffer)), ROOT)
        return (name, r.start.offset, r.end.offset) if name in self.text else None


def signed(text):
    """Is it $signed(...) as a whole, in parentheses or not?"""
    text = text.strip()
    while text.startswith("(") and text.endswith(")") and schemata.balanced(text[1:-1]):
        text = text[1:-1].strip()
    return text.startswith("$signed(") and schemata.balanced(text[len("$signed(") : -1])


class Finder:
    """Collects the candidates of all files: (file, start, end, statement?, operator, new text)."""

    def __init__(self, files):
        self.f, self.seen, self.found = files, set(), []
        for t in files.trees.values():
            self.members(t.root)

    def text(self, node):
        w = self.f.where(node)
        if not w:
            return None
        t = self.f.text[w[0]][w[1] : w[2]].decode("latin-1")
        return None if "`" in t or "//" in t else t

    def add(self, node, op, new, statement=False):
        w = self.f.where(node)
        if w is None or new is None or self.text(node) is None:
            return
        key = (*w, new)
        if key in self.seen or new == self.text(node):
            return
        self.seen.add(key)
        self.found.append((*w, statement, op, new))

    # ---- declarations
    def members(self, node):
        for c in node:
            if isinstance(c, SyntaxNode):
                self.member(c)

    def member(self, n):
        k = n.kind
        if k in (K.AlwaysCombBlock, K.AlwaysFFBlock, K.AlwaysBlock):
            self.statement(n.statement, k == K.AlwaysFFBlock, False)
        elif k == K.ContinuousAssign:
            for a in n.assignments:
                if isinstance(a, SyntaxNode):
                    self.expr(a.right)
        elif k == K.FunctionDeclaration:
            if str(n.prototype.name).strip() not in self.f.const_functions:
                for i in n.items:
                    if isinstance(i, SyntaxNode):
                        self.statement(i, False, False)
        elif k == K.HierarchyInstantiation:
            for i in n.instances:
                if isinstance(i, SyntaxNode):
                    for c in i.connections:
                        if (
                            isinstance(c, SyntaxNode)
                            and c.kind == K.NamedPortConnection
                            and c.expr is not None
                        ):
                            self.connection(str(c.name).strip(), c.expr)
        elif k == K.LoopGenerate:
            self.member(n.block)
        elif k == K.IfGenerate:
            self.member(n.block)
            if n.elseClause:
                self.member(n.elseClause.clause)
        elif k == K.CaseGenerate:
            for i in n.items:
                self.member(i.clause)
        elif k in (
            K.ModuleDeclaration,
            K.PackageDeclaration,
            K.CompilationUnit,
            K.GenerateBlock,
            K.GenerateRegion,
        ):
            self.members(n)

    def connection(self, port, e):
        while e.kind in (K.SimplePropertyExpr, K.SimpleSequenceExpr):
            e = e.expr
        if not port.endswith("_i") or port in ("clk_i", "free_clk_i"):
            return
        if e.kind in LVALUES:
            self.add(e, "input-low", "'0")
        self.expr(e)

    # ---- statements
    def statement(self, n, clocked, reset):
        k = n.kind
        if k == K.TimingControlStatement:
            self.statement(n.statement, clocked, reset)
        elif k == K.SequentialBlockStatement:
            for i in n.items:
                if isinstance(i, SyntaxNode):
                    self.statement(i, clocked, reset)
        elif k == K.ConditionalStatement:
            self.condition(n, clocked, reset)
        elif k == K.CaseStatement:
            self.expr(n.expr)
            for i in n.items:
                if i.kind in (K.StandardCaseItem, K.DefaultCaseItem):
                    self.statement(i.clause, clocked, reset)
        elif k == K.ForLoopStatement:
            self.statement(n.statement, clocked, reset)
        elif k == K.ReturnStatement and n.returnValue:
            self.expr(n.returnValue)
        elif k == K.ExpressionStatement and n.expr.kind in (
            K.AssignmentExpression,
            K.NonblockingAssignmentExpression,
        ):
            if n.expr.kind == K.NonblockingAssignmentExpression and not reset:
                self.add(n, "never-written", ";", statement=True)
            self.expr(n.expr.right, "reset-" if reset else "")

    def condition(self, n, clocked, reset):
        p = self.text(n.predicate) if len(n.predicate.conditions) == 1 else None
        is_reset = clocked and p is not None and "rst_n" in p
        if p is not None and not is_reset:
            e = n.predicate.conditions[0].expr
            self.add(e, "if-not", f"!({p})")
            self.add(e, "if-always", "1'b1")
            self.add(e, "if-never", "1'b0")
            self.expr(e)
        self.statement(n.statement, clocked, reset or is_reset)
        if n.elseClause:
            self.statement(n.elseClause.clause, clocked, reset)

    # ---- expressions
    def expr(self, n, tag=""):
        k = n.kind
        if k == K.ParenthesizedExpression:
            self.expr(n.expression, tag)
        elif k in (
            K.IntegerVectorExpression,
            K.UnbasedUnsizedLiteralExpression,
            K.IntegerLiteralExpression,
        ):
            self.literal(n, tag)
        elif hasattr(n, "operatorToken") and hasattr(n, "right"):
            self.binary(n, tag)
        elif hasattr(n, "operatorToken") and hasattr(n, "operand"):
            op, t = str(n.operatorToken).strip(), self.text(n.operand)
            if t is not None and op in ("!", "~"):
                self.add(n, "negation-lost", f"(({t}) != '0)" if op == "!" else f"({t})")
            elif t is not None and op in ("&", "|"):
                self.add(n, "reduction", ("|" if op == "&" else "&") + f"({t})")
            self.expr(n.operand, tag)
        elif k == K.ConditionalExpression:
            p, a, b = self.text(n.predicate), self.text(n.left), self.text(n.right)
            if None not in (p, a, b):
                self.add(n, "arms-swapped", f"({p}) ? ({b}) : ({a})")
                self.add(n, "always-first", f"({a})")
                self.add(n, "always-second", f"({b})")
            for c in n.predicate.conditions:
                if isinstance(c, SyntaxNode):
                    self.expr(c.expr, tag)
            self.expr(n.left, tag)
            self.expr(n.right, tag)
        elif k in (K.IdentifierSelectName, K.ElementSelectExpression):
            self.select(n)
        elif k == K.ConcatenationExpression:
            parts = [c for c in n.expressions if isinstance(c, SyntaxNode)]
            texts = [self.text(c) for c in parts]
            if len(parts) >= 2 and None not in texts:
                for i in range(len(parts) - 1):
                    t = [*texts[:i], texts[i + 1], texts[i], *texts[i + 2 :]]
                    self.add(n, "parts-swapped", "{" + ", ".join(t) + "}")
            for c in parts:
                self.expr(c, tag)
        elif k == K.MultipleConcatenationExpression:
            self.expr(n.concatenation, tag)
        elif k == K.CastExpression:
            self.sign(n)
            self.expr(n.right, tag)
        elif k == K.InvocationExpression:
            name = str(n.left).strip()
            if n.arguments and (
                name in ("$signed", "$unsigned")
                or not name.startswith("$")
                and name.split("::")[-1] not in self.f.const_functions
            ):
                for a in n.arguments.parameters:
                    if isinstance(a, SyntaxNode) and a.kind == K.OrderedArgument:
                        self.expr(
                            a.expr.expr.expr if a.expr.kind == K.SimplePropertyExpr else a.expr, tag
                        )

    def binary(self, n, tag):
        op, a, b = str(n.operatorToken).strip(), self.text(n.left), self.text(n.right)
        if op not in SWAPS and op != "*":
            return
        if None not in (a, b):
            for new in SWAPS.get(op, []):
                self.add(n, "operator", f"({a}) {new} ({b})")
            if op in LOGIC:
                as_bit = (
                    (lambda t: f"(({t}) != '0)") if op in ("&&", "||") else (lambda t: f"({t})")
                )
                self.add(n, "right-dropped", as_bit(a))
                self.add(n, "left-dropped", as_bit(b))
            elif op in ("-", "<", "<=", ">", ">="):
                self.add(n, "sides-swapped", f"({b}) {op} ({a})")
        self.expr(n.left, tag)
        if op not in ("<<", ">>", ">>>", "*"):
            self.expr(n.right, tag)

    def sign(self, n):
        """W'($signed(x)): without the sign's extension. Signed as a whole, so that the guard takes
        no sign from the other arm."""
        t = self.text(n)
        if t is not None and signed(str(n.right).strip()):
            self.add(n, "sign-lost", "$signed(" + t.replace("$signed", "", 1) + ")")

    def literal(self, n, tag):
        t = self.text(n)
        if t is None:
            return
        if t in ("'0", "'1"):
            self.add(n, tag + "constant", "'1" if t == "'0" else "'0")
            return
        m = re.fullmatch(r"(?:(\d+)\s*'(s?)([bdh]))?\s*([0-9a-fA-F_]+)", t)
        if not m:
            return
        size, sign, base, digits = m.groups()
        v = int(digits.replace("_", ""), {"b": 2, "h": 16}.get(base, 10))
        for d in (1, -1):
            w = v + d
            if size:
                w %= 1 << int(size)
            if w >= 0 and w != v:
                self.add(n, tag + "constant", f"{size}'{sign}d{w}" if size else str(w))

    def select(self, n):
        """x[i] becomes x[i+1] and x[i-1]; its index is not looked into, it may be constant."""
        sel = list(n.selectors)[-1] if n.kind == K.IdentifierSelectName else n.select
        t = self.text(n)
        if t is None or sel.selector is None:
            return
        w, ws = self.f.where(n), self.f.where(sel.selector)
        if w is None or ws is None:
            return
        i = self.f.text[w[0]][ws[1] : ws[2]].decode("latin-1")
        head, tail = t[: ws[1] - w[1]], t[ws[2] - w[1] :]
        if sel.selector.kind == K.BitSelect:
            new = (
                [str(int(i) + d) for d in (1, -1) if int(i) + d >= 0]
                if i.isdigit()
                else [f"({i}) + 1"]
            )
        elif sel.selector.kind == K.SimpleRangeSelect and re.fullmatch(r"\d+:\d+", i):
            hi, lo = map(int, i.split(":"))
            new = [f"{hi + d}:{lo + d}" for d in (1, -1) if lo + d >= 0]
        else:
            return
        for x in new:
            self.add(n, "select", head + x + tail)


# ---- bugs written by hand
EXPRESSIONS_IN = {
    K.ContinuousAssign,
    K.NamedPortConnection,
    K.ExpressionStatement,
    K.ConditionalStatement,
    K.CaseStatement,
    K.ReturnStatement,
}
STATEMENTS = {
    K.ExpressionStatement,
    K.ConditionalStatement,
    K.CaseStatement,
    K.SequentialBlockStatement,
    K.EmptyStatement,
    K.ForLoopStatement,
}


def guardable(files):
    """For each file: the nodes that can be guarded, as (start, end, statement?)."""
    places = {}

    def walk(n, inside, stmts):
        k = n.kind
        if (
            k
            in (
                K.ParameterDeclaration,
                K.VariableDimension,
                K.ParameterValueAssignment,
                K.ConcurrentAssertionMember,
            )
            or k == K.FunctionDeclaration
            and str(n.prototype.name).strip() in files.const_functions
        ):
            return
        w = files.where(n)
        if stmts and k in STATEMENTS and w:
            places.setdefault(w[0], set()).add((w[1], w[2], True))
        is_expr = k.name.endswith("Expression") or k in LVALUES
        if (
            inside
            and is_expr
            and w
            and k not in (K.AssignmentExpression, K.NonblockingAssignmentExpression)
        ):
            places.setdefault(w[0], set()).add((w[1], w[2], False))
        if k in (K.AssignmentExpression, K.NonblockingAssignmentExpression):
            walk(n.right, True, False)
            return
        if k == K.CastExpression:
            walk(n.right, inside, False)
            return
        if k == K.MultipleConcatenationExpression:
            walk(n.concatenation, inside, False)
            return
        if k in (K.IdentifierSelectName, K.ElementSelectExpression):
            return
        if k == K.NamedPortConnection:
            if n.expr is not None and str(n.name).strip().endswith("_i"):
                walk(n.expr, True, False)
            return
        for c in n:
            if not isinstance(c, SyntaxNode):
                continue
            if k in (K.IfGenerate, K.LoopGenerate, K.CaseGenerate) and (
                c.kind.name.endswith("Expression") or c.kind in LVALUES
            ):
                continue
            if (
                k == K.ForLoopStatement
                and c is not n.statement
                and not c.kind.name.endswith("Statement")
            ):
                continue
            if c.kind == K.ConditionalPredicate:
                walk(c, True, False)
            elif k == K.CaseStatement and c.kind.name.endswith("Expression"):
                walk(c, True, False)
            else:
                s = stmts or k in (
                    K.AlwaysCombBlock,
                    K.AlwaysFFBlock,
                    K.AlwaysBlock,
                    K.FunctionDeclaration,
                )
                walk(c, inside and not s, s)

    for t in files.trees.values():
        walk(t.root, False, False)
    return places


def main():
    a = schemata.options(__doc__)
    os.chdir(schemata.ROOT)
    files = Files(a.root)
    texts = {f: t.decode("latin-1") for f, t in files.text.items()}
    places = guardable(files) if a.hand else {}

    def fits(old, new, statement):
        if not statement and signed(old) != signed(new):
            return False  # the guard would be unsigned with either arm: a larger place is needed
        tree = SyntaxTree.fromText(
            f"module x; always_comb begin {new if statement else f'a = ({new});'} end endmodule"
        )
        return not any(x in old + new for x in ("`", "//")) and not any(
            d.isError() for d in tree.diagnostics
        )

    schemata.plant(
        a,
        a.root,
        texts,
        Finder(files).found,
        lambda file, old, new: schemata.place_by_hand(
            texts[file], places.get(file, ()), old, new, fits
        ),
        "sv",
        lambda file: '`include "gmmu_mut.svh" ' if file.endswith(".sv") else "",
        {"gmmu_mut.svh": HEADER, "common/gmmu_mut.svh": HEADER},
    )


if __name__ == "__main__":
    sys.exit(main())
