# SPDX-License-Identifier: Apache-2.0
"""The style of SystemVerilog that .clang-format is for C: blanks and line ends between tokens, as
slang reads them. A part of scripts/format.py. Columns that are lined up by hand stay as they are.

- Binary operators, `?` and assignments stand between blanks or line ends; of + - * / % ** both
  sides alike: `a + b`, or without blanks as in `[W-1:0]`, `l*32 +: 32`. A line that is broken at a
  binary operator ends with it. Unary operators stand at their operand.
- No blank before a comma or a semicolon (but in `default: ;`), one behind it or the line's end. No
  blank inside parentheses, brackets and braces. One blank between `if`, `for`, `case` and the
  parenthesis.
- `begin` ends the line of what it begins, `else` follows its `end` on the same line, unless its
  `begin` stands there too.
- In rtl/ a module's ports and parameters stand in a line each.
- No tabs, no blanks at the end of a line, no two empty lines, one line end at the end of the file.
"""

import os
import re

from pyslang import SourceManager
from pyslang.syntax import SyntaxNode, SyntaxTree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("rtl", "rtl/common", "tb/simt", "tb/axi")
EITHER = {"+", "-", "*", "/", "%", "**"}  # with blanks or without
CONTROL = {"if", "for", "case", "while", "repeat", "wait"}
OPENS, CLOSES = set("([{"), set(")]}")


def kind(node):
    return str(node.kind).rsplit(".", 1)[-1]


def tokens(node, out):
    """Tokens of a tree with the node they stand in."""
    for child in node:
        if isinstance(child, SyntaxNode):
            tokens(child, out)
        elif child is not None:
            out.append((child, node))
    return out


class File:
    """A file's tokens: [(begin, end, text, role)], in order."""

    def __init__(self, path, text):
        self.path, self.text, self.tokens = path, text, []

    def line(self, at):
        return self.text.count("\n", 0, at) + 1


def role(token, node):
    text, k = token.rawText, kind(node)
    if k.endswith("Expression") and getattr(node, "operatorToken", None) == token:
        return "unary" if hasattr(node, "operand") else "binary"
    if text == "=" or text == "?" and k == "ConditionalExpression":
        return "binary"
    if text in CONTROL and k not in ("WaitForkStatement", "WaitStatement"):
        return "control"
    if text == "," and k in ("AnsiPortList", "ParameterPortList"):
        return "port"
    if text == ";" and k == "EmptyStatement":
        return "empty"
    return ""


def read(paths, load):
    """Files, as their tokens."""
    for path in paths:
        sm = SourceManager()
        for d in FOLDERS:
            sm.addUserDirectories(os.path.join(ROOT, d))
        tree = SyntaxTree.fromText(load(path), sm, os.path.join(ROOT, path))
        f = File(path, load(path))
        top = tree.root.getFirstToken().location.buffer
        for token, node in tokens(tree.root, []):
            at, raw = token.location.offset, token.rawText
            if token.location.buffer == top and raw and f.text[at : at + len(raw)] == raw:
                f.tokens.append((at, at + len(raw), raw, role(token, node)))
        f.tokens.sort()
        yield f


def gap_of(a, b, gap, in_rtl, one_line):
    """(what is wrong, what should be) of what stands between two tokens, or None."""
    newline, left, right = "\n" in gap, a[2], b[2]
    if right == "begin" and newline and left != ";" and left not in ("begin", "end"):
        if left in (")", "else", "initial") or left.startswith("always"):
            return "begin on a line of its own", " "
    if right == "else" and left == "end" and newline and not one_line:
        return "else does not follow its end", " "
    if b[3] == "binary" and newline and right not in ("?", "=", "<="):
        return "a line begins with an operator", None
    if newline:
        return None
    if b[3] == "empty":
        return None
    if right in (",", ";") and gap:
        return f"a blank before {right}", ""
    if left in (",", ";") and gap == "":
        return f"no blank behind {left}", " "
    if a[3] == "port" and in_rtl:
        return "two ports or parameters in a line", None
    if left in OPENS and gap and left != "[":
        return f"a blank behind {left}", ""
    if right in CLOSES and gap:
        return f"a blank before {right}", ""
    if a[3] == "control" and right == "(" and gap != " ":
        return f"not one blank behind {left}", " "
    if a[3] == "unary" and gap:
        return f"a blank behind the unary {left}", ""
    if a[3] == "binary" and left not in EITHER and gap != " ":
        return f"not one blank behind {left}", " "
    if b[3] == "binary" and right not in EITHER and gap == "":
        return f"no blank before {right}", " "
    return None


def uneven(f, i):
    """One of + - * / % ** with a blank on one side only."""
    (_, e0, *_), (b1, e1, op, r), (b2, *_) = f.tokens[i - 1 : i + 2]
    before, after = f.text[e0:b1], f.text[e1:b2]
    return r == "binary" and op in EITHER and (before == "") != (after == "")


def problems(f):
    """[(place, what, begin, end, replacement or None)]"""
    text, out = f.text, []
    for i in range(len(f.tokens) - 1):
        a, b = f.tokens[i], f.tokens[i + 1]
        gap = text[a[1] : b[0]]
        if gap.strip() == "":
            line = text[text.rfind("\n", 0, a[0]) + 1 : a[1]]
            found = gap_of(a, b, gap, f.path.startswith("rtl/"), re.search(r"\bbegin\b", line))
            if found:
                out.append((b[0], found[0], a[1], b[0], found[1]))
        if i and uneven(f, i):
            out.append((a[0], f"{a[2]} with a blank on one side", a[0], a[1], None))
    for m in re.finditer(r"\t|[ \t]+$|\n\n\n+|\A\n+|\n\n+\Z", text, re.M):
        what = (
            "a tab" if m[0] == "\t" else "a blank at the end" if m[0].strip("\n") else "empty lines"
        )
        out.append((m.start(), what, m.start(), m.end(), None))
    if not text.endswith("\n"):
        out.append((len(text), "no line end at the end", 0, 0, None))
    return [(f.line(at), *rest) for at, *rest in sorted(out)]


def better(f, found):
    """The text without what `problems` found and knows better."""
    text = f.text
    for _, _, begin, end, new in sorted(found, key=lambda x: -x[2]):
        if new is not None:
            text = text[:begin] + new + text[end:]
    return text
