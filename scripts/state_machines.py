#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the state machines of the RTL: docs/img/states-NAME.dot, which scripts/pictures.py renders.

A state machine is a module with `case (state_q)`: its states are the names (ST_*) that state_q is
set to or compared with, its arrows the assignments to state_d or state_q below that case, with the
conditions on the way as their labels; an assignment beside the case leads from every state, the one
under !rst_ni says where it begins. Where an arrow is not drawn the state holds. Read from slang's
syntax trees; modules are found in sim/gmmu.f and tb/simt/.

usage: scripts/slang.sh --program scripts/state_machines.py [--check] (pyslang comes from
                        scripts/slang.sh)
  --check: writes nothing; names the pictures that the RTL of today draws otherwise, and exits with
  1
"""

import glob
import os
import re
import sys

from pyslang import SourceManager
from pyslang.syntax import SyntaxKind as K, SyntaxNode, SyntaxTree

from generated import ROOT, finish, read
from slang import lines

SET = ("state_d", "state_q")
WIDE = 34  # letters in a line of a label


def text(node):
    """Source of a node without its comments."""
    s = re.sub(r"/\*.*?\*/|//[^\n]*", " ", str(node), flags=re.S)
    return re.sub(r"\s+", " ", s).strip()


def bare(s):
    """Without the parentheses around all of it."""
    while s.startswith("(") and s.endswith(")"):
        depth = 0
        for n, c in enumerate(s):
            depth += (c == "(") - (c == ")")
            if depth == 0 and n < len(s) - 1:
                return s
        s = s[1:-1].strip()
    return s


def negated(s):
    return "!" + s if re.fullmatch(r"[\w.]+", s) else f"!({s})"


def targets(node, guard):
    """[(state, conditions)] of the right side of an assignment."""
    if node.kind == K.ParenthesizedExpression:
        return targets(node.expression, guard)
    if node.kind == K.ConditionalExpression:
        c = bare(text(node.predicate))
        return targets(node.left, guard + [c]) + targets(node.right, guard + [negated(c)])
    name = text(node)
    return [(name, guard)] if re.fullmatch(r"(\w+::)?[A-Z]\w*", name) else []


class Machine:
    def __init__(self):
        self.arrows, self.reset, self.found = [], None, False  # arrows: (from, to, conditions)

    def walk(self, node, here, guard):
        """here: states of the branch, None: beside the case."""
        if not isinstance(node, SyntaxNode):
            return
        if node.kind == K.CaseStatement and text(node.expr) == "state_q":
            self.found = True
            named = [
                text(e)
                for item in node.items
                if hasattr(item, "expressions")
                for e in item.expressions
                if isinstance(e, SyntaxNode)
            ]
            for item in node.items:
                if hasattr(item, "expressions"):
                    self.walk(
                        item.clause,
                        [text(e) for e in item.expressions if isinstance(e, SyntaxNode)],
                        [],
                    )
                else:
                    self.walk(item.clause, [("default", tuple(named))], [])
            return
        if node.kind == K.ConditionalStatement:
            c = bare(text(node.predicate))
            self.walk(node.statement, here, guard + [c])
            if node.elseClause:
                self.walk(
                    node.elseClause.clause, here, guard + ([negated(c)] if c != "!rst_ni" else [])
                )
            return
        if (
            node.kind in (K.NonblockingAssignmentExpression, K.AssignmentExpression)
            and text(node.left) in SET
        ):
            for state, conditions in targets(node.right, guard):
                if conditions == ["!rst_ni"]:
                    self.reset = state
                else:
                    self.arrows += [(h, state, conditions) for h in (here or ["any"])]
            return
        for child in node:
            self.walk(child, here, guard)


def label(conditions):
    """Conditions, broken into lines at operators."""
    parts = [f"({c})" if len(conditions) > 1 and re.search(r"[|?]", c) else c for c in conditions]
    words, out, line = " & ".join(parts).split(), [], ""
    for w in words:
        if line and len(line) + len(w) + 1 > WIDE:
            out.append(line)
            line = ""
        line = f"{line} {w}".strip()
    return "\\n".join([*out, line]).replace('"', '\\"')


def short(state):
    return state.split("::")[-1].removeprefix("ST_").removeprefix("S_")


def draw(module, m):
    states = list(
        dict.fromkeys(
            [s for s in [m.reset] if s]
            + [s for a in m.arrows for s in a[:2] if isinstance(s, str) and s != "any"]
        )
    )
    arrows = []
    for a, z, c in m.arrows:
        starts = [s for s in states if s not in a[1]] if isinstance(a, tuple) else [a]
        arrows += [(s, z, c) for s in starts if s != z or c]
    joined = {}
    for a, z, c in arrows:
        joined.setdefault((a, z), []).append(label(c))
    out = [
        f"// Generated by scripts/state_machines.py from {module}.",
        "// SPDX-License-Identifier: Apache-2.0",
        f'digraph "{module}" {{',
        '  rankdir=LR; nodesep=0.35; ranksep=0.6; fontname="Helvetica"; fontsize=12; '
        "bgcolor=white; pad=0.2;",
        '  node [fontname="Helvetica", fontsize=11, shape=ellipse, style=filled, '
        'fillcolor="#dce9f7", color="#28527a"];',
        '  edge [fontname="Helvetica", fontsize=9, color="#555555", fontcolor="#333333", '
        "arrowsize=0.7];",
    ]
    if m.reset:
        out += [
            '  reset [shape=point, width=0.12, color="#333333"];',
            f'  reset -> {short(m.reset)} [label="reset"];',
        ]
    if any(a == "any" for a, _ in joined):
        out.append(
            '  any [label="any state", style="filled,dashed", fillcolor="#fff6dd", '
            'color="#a07000"];'
        )
    out += [f"  {short(s)};" for s in states]
    for (a, z), labels in joined.items():
        said = "\\nor ".join(x for x in labels if x)
        out.append(f"  {short(a)} -> {short(z)}" + (f' [label="{said}"];' if said else ";"))
    return "\n".join(out) + "\n}\n"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    os.chdir(ROOT)
    files = {}
    sources = [t for _, t in lines("sim/gmmu.f") if t.startswith("rtl/")] + sorted(
        glob.glob("tb/simt/gmmu_sm*.sv")
    )
    for path in sources:
        source = read(path)
        if not re.search(r"case \(state_q\)", source):
            continue
        m = Machine()
        m.walk(SyntaxTree.fromFile(path, SourceManager()).root, None, [])
        module = os.path.basename(path)[:-3]
        if not m.found or not m.arrows:
            sys.exit(f"state_machines: {path}: its case (state_q) could not be read")
        files[f"docs/img/states-{module.removeprefix('gmmu_')}.dot"] = draw(module, m)
    return finish("state_machines", files, check)


if __name__ == "__main__":
    sys.exit(main())
