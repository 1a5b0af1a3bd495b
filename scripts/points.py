#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functional coverage points (docs/coverage.md): the covergroups of tb/points/*.sv, written as
immediate covers that Verilator counts, as it knows no covergroup itself.

usage: points.py write DIR ARGUMENT...   the modules of points whose block's file is among the
                                         arguments of a Verilator run (FILE.sv, -f LIST, -fLIST),
                                         into DIR; prints what Verilator is to be given besides
       points.py list [FILE...]          every point: file:line | point | name
       points.py lint                    every module of points in Verilator, beside the RTL

A module of points is SystemVerilog; what of covergroups is known here:
  covergroup GROUP @(posedge clk_i);
    POINT: coverpoint EXPRESSION [iff (CONDITION)] {
      [wildcard] bins BIN = {VALUE, [LOW:HIGH]}; ... }
    POINT: cross POINT, POINT ... [iff (CONDITION)] { ignore_bins NAME = SELECTION; ... }   (or ;)
  endgroup
  GROUP u_GROUP = new;
with BIN[] for one bin a value, SELECTION of binsof(POINT.BIN), &&, || and !. A coverpoint that
stands in a cross is counted there only."""

import glob
import itertools
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GROUP = re.compile(r"^ *covergroup (\w+) @\(posedge clk_i\);\n(.*?)^ *endgroup\n", re.M | re.S)
NEW = re.compile(r"^ *(\w+) u_\1 = new;\n", re.M)
BIN = re.compile(r"\s*(wildcard )?bins (\w+)(\[\])?\s*=\s*\{([^}]*)\}\s*;")
ITEM = re.compile(
    r"\s*(\w+): (?:coverpoint (?P<what>.*?)(?: iff \((?P<iff>.*?)\))?\s*"
    r"\{(?P<bins>(?:\s*(?:wildcard )?bins [^;]*;)+)\s*\}"
    r"|cross (?P<parts>\w+(?:,\s*\w+)+)(?:\s+iff \((?P<when>.*?)\))?\s*"
    r"(?:;|\{(?P<never>(?:\s*ignore_bins [^;]*;)+)\s*\}))",
    re.S,
)
NEVER = re.compile(r"\s*ignore_bins (\w+)\s*=\s*([^;]*);", re.S)


class Bad(Exception):
    """What a module of points says that is not known here."""


def blank(m):
    """Comments go, lines stay."""
    return re.sub(r"[^\n]", "", m[0])


def included(text, folder):
    """Bins that several groups share stand in a file of their own; lines stay."""

    def one(m):
        with open(os.path.join(folder, m[1])) as f:
            body = re.sub(r"//[^\n]*", "", f.read())
        return " ".join(body.split())

    return re.sub(r'`include "(\w+\.svh)"', one, text)


def read_bins(text, where):
    """{name: condition with {} for what is looked at}."""
    found, at = {}, 0
    while text[at:].strip():
        m = BIN.match(text, at)
        if not m:
            raise Bad(f"{where}: not a bin: {text[at:].strip()[:40]}")
        at = m.end()
        wild, name, each, values = m[1], m[2], m[3], m[4]
        terms = []
        for v in (v.strip() for v in values.split(",")):
            low, _, high = v.strip("[]").partition(":") if v.startswith("[") else (v, "", "")
            if each:
                for n in range(int(low), int(high or low) + 1):
                    found[f"{name}_{n}"] = f"({{}}) == {n}"
            elif high:
                terms.append(f"(({{}}) >= {low.strip()} && ({{}}) <= {high.strip()})")
            else:
                terms.append(f"({{}}) {'==?' if wild else '=='} {v}")
        if terms:
            if name in found:
                raise Bad(f"{where}: bin {name} twice")
            found[name] = " || ".join(terms)
    return found


def holds(selection, chosen, where):
    """Does the selection of an ignore_bins hold for {point: bin}?"""

    def one(m):
        if m[1] not in chosen:
            raise Bad(f"{where}: binsof({m[1]}.{m[2]}): not of this cross")
        return str(chosen[m[1]] == m[2])

    text = re.sub(r"binsof\((\w+)\.(\w+)\)", one, selection)
    for old, new in (("&&", " and "), ("||", " or "), ("!", " not ")):
        text = text.replace(old, new)
    if re.sub(r"\b(True|False|and|or|not)\b|[()\s]", "", text):
        raise Bad(f"{where}: not a selection: {' '.join(selection.split())}")
    return eval(" ".join(text.split()))  # words of the line above only


class Points:
    """A module of points: its points by label, and the text that Verilator reads."""

    def __init__(self, path, name=None):
        self.name = name or os.path.relpath(path, ROOT)  # as messages and counts name it
        with open(path) as f:
            text = f.read()
        self.target = re.search(r"^bind (\w+) ", text, re.M)
        if not self.target:
            raise Bad(f"{self.name}: binds to nothing")
        self.target = self.target[1]
        self.points = {}  # label: (line, group, name of the point)
        folder = os.path.dirname(path)

        def group(m):
            line = text.count("\n", 0, m.start()) + 1
            body = included(re.sub(r"//[^\n]*", blank, m[2]), folder)
            return self.group(m[1], body, line + 1) + self.line_mark(line + m[0].count("\n"))

        made = NEW.sub("\n", GROUP.sub(group, text))
        if re.search(r"^ *covergroup", made, re.M):
            raise Bad(f"{self.name}: a covergroup that is not as scripts/points.py knows it")
        self.text = f"/* verilator coverage_off */\n{self.line_mark(1)}{made}"

    def line_mark(self, line):
        return f'`line {line} "{self.name}" 0\n'

    def group(self, group, body, first):
        cover, crosses, at = {}, [], 0
        while body[at:].strip():
            m = ITEM.match(body, at)
            line = first + body.count("\n", 0, at + len(body[at:]) - len(body[at:].lstrip()))
            where = f"{self.name}:{line}"
            if not m:
                raise Bad(
                    f"{where}: neither a coverpoint nor a cross as scripts/points.py knows it"
                )
            at = m.end()
            if m["what"]:
                what = " ".join(m["what"].split())
                cover[m[1]] = (line, what, m["iff"], read_bins(m["bins"], where))
            else:
                parts = [p.strip() for p in m["parts"].split(",")]
                if unknown := [p for p in parts if p not in cover]:
                    raise Bad(f"{where}: no coverpoint {unknown[0]}")
                never, text = [], m["never"] or ""
                for n in NEVER.finditer(text):
                    never.append(n[2])
                crosses.append((line, m[1], parts, m["when"], never))
        crossed = {p for c in crosses for p in c[2]}
        items = [(c[0], p, [p], None, []) for p, c in cover.items() if p not in crossed]
        out = [f"always @(posedge clk_i) begin : {group}_points\n"]
        for line, name, parts, when, never in sorted(items + crosses):
            guards = dict.fromkeys(filter(None, [when, *(cover[p][2] for p in parts)]))
            out.append(self.line_mark(line))
            out.append(f"if ({' && '.join(f'({g})' for g in guards) or 1}) begin\n")
            for combo in itertools.product(*(cover[p][3] for p in parts)):
                chosen = dict(zip(parts, combo))
                if any(holds(n, chosen, f"{self.name}:{line}") for n in never):
                    continue
                label = "_".join((group, name, *combo))
                if label in self.points or "__" in label:
                    raise Bad(f"{self.name}:{line}: {label}: twice, or with two underscores")
                self.points[label] = (line, group, f"{name}: {' '.join(combo)}")
                terms = [cover[p][3][b].replace("{}", cover[p][1]) for p, b in chosen.items()]
                out.append(
                    self.line_mark(line)
                    + f"{label}: cover ({' && '.join(f'({t})' for t in terms)});\n"
                )
            out.append("end\n")
        return "".join(out) + "end\n"


def every(folder=os.path.join(ROOT, "tb/points")):
    return [Points(p) for p in sorted(glob.glob(os.path.join(folder, "*.sv")))]


def sources(arguments):
    """Names of the SystemVerilog files that a run of Verilator reads, without .sv."""
    found, lists = set(), False
    for a in arguments:
        name, lists, was = a, a == "-f", lists
        if was or (a.startswith("-f") and a != "-f"):
            with open(name if was else a[2:]) as f:
                found |= sources(f.read().split())
        elif a.endswith(".sv"):
            found.add(os.path.basename(a)[:-3])
    return found


def write(folder, modules, names=None):
    """The files that Verilator reads of those modules."""
    os.makedirs(folder, exist_ok=True)
    made = []
    for p in modules:
        if names is None or p.target in names:
            made.append(os.path.join(folder, os.path.basename(p.name)))
            with open(made[-1], "w") as f:
                f.write(p.text)
    return made


def lint():
    made = write(os.path.join(ROOT, "build/points"), every())
    with open(os.path.join(ROOT, "sim/gmmu.f")) as f:
        files = [x for x in f.read().split() if x.startswith("rtl/")]
    rc = 0
    # two SMs: the modules of thirty say the same thirty times
    for top, *less in (("gmmu_top", "-GNumSms=2"), ("gmmu_axi",)):
        command = "verilator --lint-only -Wall -Wno-WIDTH -Wno-UNUSED -Wno-CMPCONST -Wno-UNSIGNED"
        got = subprocess.run(
            [
                *command.split(),
                "--coverage-user",
                "-Irtl",
                "-Irtl/common",
                "-Itb/points",
                "sim/gmmu.vlt",
            ]
            + ["--top-module", top, *less, *files, *made],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if got.returncode or got.stderr:
            print(f"points.py: {top}:\n{got.stderr[:3000]}")
            rc = 1
    return rc


def main():
    args = sys.argv[1:]
    try:
        if args[:1] == ["write"] and len(args) > 1:
            made = write(args[1], every(), sources(args[2:]))
            print(" ".join(["-Itb/points", *made] if made else []))
        elif args[:1] == ["list"]:
            for p in every() if not args[1:] else [Points(f) for f in args[1:]]:
                for line, group, name in p.points.values():
                    print(f"{p.name}:{line} | point | {group}.{name}")
        elif args == ["lint"]:
            return lint()
        else:
            sys.exit(__doc__)
    except Bad as e:
        sys.exit(f"points.py: {e}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
