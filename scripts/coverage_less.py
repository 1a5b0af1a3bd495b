#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes out of a model that Verilator wrote to count coverage what need not be counted any more.

usage: coverage_less.py DIR REACHED

DIR: Verilator's C++. REACHED: the toggles that other tests have reached, a line each
(FILE TAB LINE TAB COLUMN TAB NAME, scripts/coverage.py).

Verilator counts the toggles of each bit of each instance by an `if` of its own, which is nine
tenths of the model's text and of the time that it takes to compile. A bit that has been reached
(the results have it already), and one of a file outside rtl/, which nobody asks for, is not
counted: its `if` goes. A counter that stands for several points goes when all of them are reached.
Lines, branches and functional points always count."""

import glob
import os
import re
import sys

INSERT = re.compile(
    r' *vlSelf->__vlCoverInsert\(&\(vlSymsp->__Vcoverage\[(\d+)\]\), first, "([^"]*)", (\d+), '
    r'(\d+), "[^"]*", "v_toggle/[^"]*", "([^"]*)", "[^"]*"\);\n'
)
# The counter of one bit and the keeping of its value are all that its `if` holds.
COUNT = re.compile(r"( +)vlSymsp->__Vcoverage\[(\d+)\](?:\.fetch_add\(1, .*\)|\+*);")


def indent(line):
    return len(line) - len(line.lstrip(" "))


def kept_only(lines):
    """Whether these lines are one assignment to the kept value of a toggle."""
    text = "".join(lines)
    return (
        text.count(";") == 1
        and text.rstrip().endswith(";")
        and "__Vtogcov__" in text.split("=", 1)[0]
    )


def without(lines, gone):
    """The lines without the `if`s of the counters that are gone."""
    out, i = [], 0
    while i < len(lines):
        m = COUNT.fullmatch(lines[i]) if "__Vcoverage[" in lines[i] else None
        if not m or int(m[2]) not in gone:
            out.append(lines[i])
            i += 1
            continue
        inner, end = len(m[1]), i + 1
        while end < len(lines) and indent(lines[end]) >= inner:
            end += 1
        begin = len(out) - 1
        while begin >= 0 and indent(out[begin]) > inner - 4:
            begin -= 1
        alone = (
            out[-1].endswith("{")
            and begin >= 0
            and out[begin].startswith(" " * (inner - 4) + "if (")
            and lines[end] == " " * (inner - 4) + "}"
            and kept_only(lines[i + 1 : end])
        )
        if alone:
            del out[begin:]
            i = end + 1
        else:  # with something else: it stays, and is not reported
            out.append(lines[i])
            i += 1
    return out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("usage: ")[1].strip())
    folder, reached = sys.argv[1:]
    try:
        with open(reached) as f:
            known = {line.rstrip("\n") for line in f}
    except OSError as e:
        sys.exit(f"coverage_less.py: {reached}: {e.strerror}")
    sources = sorted(glob.glob(os.path.join(folder, "V*.cpp")))
    points, texts = {}, {}
    for path in sources:
        with open(path) as f:
            texts[path] = f.read()
        for m in INSERT.finditer(texts[path]):
            points.setdefault(int(m[1]), []).append(m.groups()[1:])
    gone = {
        n
        for n, of in points.items()
        if all(
            not file.startswith("rtl/") or "\t".join((file, line, column, name)) in known
            for file, line, column, name in of
        )
    }
    for path, text in texts.items():
        less = INSERT.sub(lambda m: "" if int(m[1]) in gone else m[0], text)
        less = "\n".join(without(less.split("\n"), gone))
        if less != text:
            with open(path, "w") as f:
                f.write(less)
    print(f"coverage: {len(gone)} of {len(points)} toggles of this build are not counted again")


if __name__ == "__main__":
    main()
