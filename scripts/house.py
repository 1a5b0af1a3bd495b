#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a change to the tree costs, counted: files that a parameter, a register, a preset, an
observation event stand in by hand, the longest files, long lines. docs/house.md keeps what it says
today, written by it, and what it said at some commits.

usage: house.py                 the counts
       house.py --files NAME    the files that name a parameter or register, each with its role
       house.py --booleans      a table of the Boolean parameters: files by role
       house.py --page          writes both tables of docs/house.md
       house.py --check         docs/house.md has the tables of today, the files in the tables of
                                planted bugs (docs/verification.md) are there; no module inside
                                gmmu_axi_core has over 80 ports; files are shorter than the limits
                                (rtl and the cores of tb/simt and tb/softcore 300 lines, c_model
                                400, tests and benches 600), lines of RTL, C, benches, proofs,
                                scripts and Makefile have 100 columns at most; no
                                state of the RTL or of the cores in tb/ has a name of one or two
                                letters; no header of C or C++ has a function's body that is not
                                inline, none of a bench one of ten lines or more that is no
                                template

An included file counts to the one that includes it, if that is the only one and it is no header.

Counted are files that people edit: not those that say at their top that they are generated, nor the
parts of pages between marks "<!-- X -->" and "<!-- end of X -->". A file's role for a parameter:
  source  the table or file that defines it; an edit there makes the parameter
  pass    only hands it on: declares it as a parameter, gives it to an instance, lists it among
          others
  use     something depends on it: a block of the RTL or of the C model
  test    benches, tests and their lists, what plants bugs, the plan of the results' runs
  page    documentation, and what draws its pictures; a file of the RTL, or a table, that names it
          in comments only
The cost of a new parameter is source + pass: what has to be edited beside the blocks that use it,
its test and its page."""

import os
import re
import sys

import outfile
import treefiles
from generated import between, read

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = "docs/house.md"
MUTATED = "docs/verification.md"
PICTURES = r"scripts/(block|timing)_diagrams\.py"
SOURCES = (
    "rtl/params.txt",
    "rtl/ctrl/regs.txt",
    "rtl/observation.txt",
    "c_model/include/gmmu_config.def",
)
# What runs builds: mutation, and the plan of the papers' results.
RUNS = ("scripts/mutate.py", "scripts/workflow_plan.py")
LIMITS = {"rtl": 300, "c": 400, "test": 600}
TEXT = (
    ".sv",
    ".svh",
    ".c",
    ".h",
    ".cpp",
    ".def",
    ".py",
    ".sh",
    ".txt",
    ".md",
    ".ini",
    ".list",
    ".f",
    ".core",
    ".vh",
    ".vlt",
)
# An observation event is encoded by hand where a place in its words is said: fields concatenated or
# selected by number.
ENCODES = (
    (
        r"rtl/(tlb|walk|ctrl)/.*\.sv$",
        r"assign obs_o\s*=\s*\{|obs_q\s*<=\s*\{|"
        r"obs_(l1|l2|walk|token)_i\[[^\]]*(?<![A-Za-z0-9_])\d",
    ),
    (r"tb/system/.*\.cpp$", r"\bw\[\d+\]"),
    (r"docs/.*\.md$", r"(?m)^\| (word|bits) \|.*\n|^\| \d+ \| \d+(:\d+)? "),
)


def tree():
    """{path: text} of what people edit."""
    out = {}
    for name in treefiles.names():
        if (
            name == "scripts/house.py"
            or not name.endswith(TEXT)
            and os.path.basename(name) != "Makefile"
            or not os.path.exists(os.path.join(ROOT, name))
        ):
            continue
        with open(os.path.join(ROOT, name), errors="replace") as f:
            text = f.read()
        if not generated(text):
            out[name] = re.sub(r"<!-- (\w[\w ]*) -->.*?<!-- end of \1 -->", "", text, flags=re.S)
    return out


def generated(text):
    """Says so on its first line, as a file does that a script of this tree writes; some say it
    below SPDX line and title."""
    return any(
        re.search(r"(generated|written) by `?scripts/", line, re.I) for line in text.split("\n")[:4]
    )


def role(path, text, name):
    if path in SOURCES:
        return "source" if re.search(rf"^(reg +|GMMU_CFG\()?{name}\b", text, re.M) else "page"
    if path.startswith("docs/") or path.endswith(".md") or re.match(PICTURES, path):
        return "page"
    if path.startswith("sim/presets/"):
        return "preset"
    if re.match(
        r"tb/(elab|mutants)/|tb/tests.list|sim/regress.list|c_model/test/|scripts/(test_|mutants)",
        path,
    ):
        return "test"
    if path.startswith("rtl/"):
        code = re.sub(r"//.*", "", text)
        if not re.search(rf"\b{name}\b", code):
            return "page"
        rest = re.sub(rf"parameter int {name}\b|\.\w+\({name}\)|\.{name}\(", "", code)
        return "use" if re.search(rf"\b{name}\b", rest) else "pass"
    if path.startswith("c_model/"):
        return "use"
    if path.startswith(("tb/", "synth/formal/")) or path in RUNS:
        return "test"
    return "pass"


def roles(files, name):
    """[(path, role)]; also by the name that vectors give it."""
    word = re.compile(rf"\b{name}\b")  # slow where the name is not
    return [(p, role(p, t, name)) for p, t in sorted(files.items()) if name in t and word.search(t)]


def booleans(files):
    """Boolean parameters of the RTL."""
    if "rtl/params.txt" in files:
        return re.findall(r"^(\w+) +\| bool +\| (?!model)", files["rtl/params.txt"], re.M)
    return re.findall(
        r"^GMMU_CFG\((\w+), \d+, 0, 1, RTL", files["c_model/include/gmmu_config.def"], re.M
    )


def length(files, path):
    """Lines of a file, with those of the SystemVerilog that it alone includes (a list of ports or
    a part of its body; what several include is one file for all)."""
    lines = files[path].count("\n")
    for name in re.findall(r'^\s*`include "(\w+\.svh)"', files[path], re.M):
        users = [
            p for p, t in files.items() if p.endswith((".sv", ".svh")) and f'`include "{name}"' in t
        ]
        if users == [path]:
            lines += sum(t.count("\n") for p, t in files.items() if p.endswith("/" + name))
    return lines


def longest(files, pattern, but=None):
    found = [
        (length(files, p), p)
        for p in files
        if re.match(pattern, p) and not (but and re.match(but, p))
    ]
    return sorted(found, reverse=True)


def cost(found):
    return sum(r in ("source", "pass") for _, r in found)


# Hardware in tb: the example cores. What only surrounds them in a bench is a bench.
CORES = r"tb/(simt|softcore)/(.*/)?gmmu_\w+\.svh?$"
CORE_BENCHES = r"tb/(simt|softcore)/.*_(tb|harness|system)\.svh?$"
GROUPS = {
    "rtl": (rf"rtl/.*\.svh?$|{CORES}", CORE_BENCHES),
    "c": (r"c_model/.*\.[ch]$", r"c_model/test/"),
    "test": (r"tb/.*\.(sv|cpp|h|py|sh)$|c_model/test/", rf"(?!{CORE_BENCHES})({CORES})"),
}


# Whose lines have 100 columns at most.
LINES = (
    r"(rtl/.*\.svh?|c_model/.*\.[ch]|(tb|scripts|synth|sim)/.*\.(svh?|v|cpp|c|h|py|sh|S|ld)"
    r"|Makefile)$"
)


# Ports of a module: a cut that needs more is wiring. The frame of the whole may have what it has.
MOST_PORTS, FRAME = 80, ("rtl/gmmu_axi.sv", "rtl/axi/gmmu_axi_core.sv")


def most_ports():
    """[(ports, file)] of the modules of the RTL, those first that have most; generated lists of
    ports count as what they say."""

    def included(m):
        with open(os.path.join(ROOT, "rtl/common", m[1])) as f:
            return f.read()

    out = []
    for path in treefiles.names():
        if not path.endswith(".sv") or path in FRAME:
            continue
        if re.match(GROUPS["rtl"][0], path) and not re.match(CORE_BENCHES, path):
            with open(os.path.join(ROOT, path)) as f:
                text = re.sub(r'`include "(\w+_ports\.svh)"', included, f.read())
            head = re.search(r"^module \w+.*?\n\);", text, re.S | re.M)
            if head:
                ports = len(re.findall(r"^\s*(?:input|output)\b", head[0], re.M))
                out.append((ports, path))
    return sorted(out, reverse=True)


# State with a name of one or two letters, a digit behind it or not: nobody can look it up. It is
# called NAME_q, or is a memory or an array that a clocked assignment names; ports have their own
# names, those of WORDS are everybody's.
SHORT_STATE = re.compile(
    r"\b[A-Za-z]{1,2}\d?_q\b"
    r"|(?:^|;|\bbegin\b|\belse\b|\)|:)\s*([A-Za-z]{1,2}\d?)(?=(?:\[[^\]]*\])*\s*<=(?!=))",
    re.M,
)
WORDS = ("id", "va", "pa")


def short_names(files):
    """Problems, one line each: state of the RTL whose name says nothing."""
    for path, text in sorted(files.items()):
        if re.match(r"(rtl|tb/softcore|tb/simt)/.*\.svh?$", path) and not path.endswith("_tb.sv"):
            code = re.sub(r"//.*", "", text)
            found = {
                m[1] or m[0]: m.start(1) if m[1] else m.start() for m in SHORT_STATE.finditer(code)
            }
            for name, at in found.items():
                if name in WORDS:
                    continue
                line = code[:at].count("\n") + 1
                yield f"house: {path}:{line}: {name} is too short a name for state"


# A function that begins at the first column; INLINE: of the programs of the SIMT core.
FUNCTION = re.compile(
    r"^(?!(const\w+ )*(inline|static)|INLINE|constexpr|template|struct [^()]*\{|class|enum|union|"
    r"extern|typedef|using|[A-Z0-9_]+\()"
    r"[A-Za-z_][\w:<>*& ]*\([^;{}]*\) *(?:const *)?\{",
    re.M,
)


# Programs of the SIMT core, in C: what a header of theirs has is inlined in what is measured.
PROGRAMS = r"tb/simt/(lib|prog|programs|test)/"
MOST_BODY = 9  # lines of a body that a header of C++ may have


def long_bodies(text):
    """[(line, lines)] of functions in a header of C++, members too, whose body is longer than
    MOST_BODY and that are no templates."""

    def blank(m):
        return re.sub(r"[^\n]", " ", m[0])

    code = re.sub(
        r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|^#.*?[^\\]$", blank, text, flags=re.S | re.M
    )
    found, scopes, last = [], [], 0
    for m in re.finditer(r"[{};]|\b(?:public|private):", code):
        head = code[last : m.start()].strip()
        if m[0] == "{":
            if re.match(
                r"(template\b.*)?\b(class|struct|union|namespace|extern)\b[^()]*$", head, re.S
            ):
                kind = "template" if head.startswith("template") else "scope"
            elif re.search(r"\)\s*(const|override|noexcept|\s)*(:\s.*)?$", head, re.S):
                kind = "template" if head.startswith(("template", "constexpr")) else "function"
            else:
                kind = "other"
            scopes.append((kind, m.start()))
        elif m[0] == "}" and scopes:
            kind, at = scopes.pop()
            lines = text[at : m.start()].count("\n")
            if kind == "function" and lines > MOST_BODY and {k for k, _ in scopes} <= {"scope"}:
                found.append((text[:at].count("\n") + 1, lines))
        last = m.end()
    return found


def bodies(files):
    """Problems, one line each: a function's body in a header of C or C++."""
    for path, text in sorted(files.items()):
        if re.match(r"(tb|c_model)/.*\.h$", path):
            for m in FUNCTION.finditer(text):
                above = text[: m.start()].rstrip("\n").rsplit("\n", 1)[-1]
                if not above.startswith(("template", "#define")) and not above.endswith("\\"):
                    line = text[: m.start()].count("\n") + 1
                    yield f"house: {path}:{line}: a function's body in a header"
        if re.match(r"tb/.*\.h$", path) and not re.match(PROGRAMS, path):
            for line, lines in long_bodies(text):
                yield f"house: {path}:{line}: a body of {lines} lines in a header"


def over(files):
    """Problems, one line each: what is longer than its limit, state without a name."""
    yield from short_names(files)
    yield from bodies(files)
    for ports, path in most_ports():
        if ports > MOST_PORTS:
            yield f"house: {path} has {ports} ports, {MOST_PORTS} are allowed"
    for g, (pattern, but) in GROUPS.items():
        for path, text in sorted(files.items()):
            if not re.match(pattern, path) or but and re.match(but, path):
                continue
            lines = length(files, path)
            if lines >= LIMITS[g]:
                yield f"house: {path} has {lines} lines, fewer than {LIMITS[g]} are allowed"
    for path, text in sorted(files.items()):
        if not re.match(LINES, path):
            continue
        wide = [n for n, x in enumerate(text.splitlines(), 1) if len(x) > 100]
        if wide:
            yield (
                f"house: {path}:{wide[0]}: over 100 columns"
                + (f", {len(wide)} such lines" if len(wide) > 1 else "")
            )


def mutated(page):
    """Problems, one line each: a file of the tables of planted bugs that is not in the tree."""
    for table in re.findall(r"<!-- mutate (?:rtl|c) -->(.*?)<!-- end of", page, re.S):
        for path in re.findall(r"^\| `([^`]+)` \|", table, re.M):
            if not os.path.exists(os.path.join(ROOT, path)):
                yield f"house: {MUTATED}: the table of planted bugs names {path}, which is gone"


def counts(files):
    """[(what, value)]"""
    out = []
    params = {n: roles(files, n) for n in booleans(files)}
    most = max(params, key=lambda n: cost(params[n]))
    out.append(("Boolean parameters", len(params)))
    out.append(
        (
            "files of source and pass, the most of a Boolean parameter",
            f"{cost(params[most])} ({most})",
        )
    )
    for n in ("MarkByAsid", "Svadu"):
        by = {
            r: sum(x == r for _, x in params[n])
            for r in ("source", "pass", "use", "test", "page", "preset")
        }
        out.append(
            (
                f"files of `{n}`: all; source and pass; uses",
                f"{len(params[n])}; {cost(params[n])}; {by['use']}",
            )
        )
    regs = re.findall(r"^reg (\w+) \S+ rw", files["rtl/ctrl/regs.txt"], re.M)
    named = {
        r: [
            p
            for p, t in files.items()
            if p.startswith(("rtl/", "c_model/policy"))
            and f"REG_{r}" in t
            and re.search(rf"\b(GMMU_)?REG_{r}(_\w+)?\b", t)
        ]
        for r in regs
    }
    most = max(named, key=lambda r: len(named[r]))
    out.append(
        (
            "files of RTL and model that name a register, beside its line, the most",
            f"{len(named[most])} ({most})",
        )
    )
    presets = [p for p in files if p.startswith("sim/presets/")]
    lines = sum(len(re.findall(r"^\w+ = ", files[p], re.M)) for p in presets)
    out.append(("lines of all presets", lines))
    encoded = [
        p
        for p, t in sorted(files.items())
        for a, b in ENCODES
        if re.match(a, p) and re.search(b, t) and (not p.startswith("docs/") or "bservation" in t)
    ]
    encoded += [p for p in files if p == "rtl/observation.txt"]
    out.append(
        (
            "files that encode observation events by hand",
            f"{len(encoded)} ({', '.join(os.path.basename(p) for p in encoded)})",
        )
    )
    if os.path.exists(os.path.join(ROOT, "scripts/blocks.py")):
        import blocks

        out.append(("blocks with an unexplained hole", len(blocks.rows(blocks.holes())[1])))
    for g, (pattern, but) in GROUPS.items():
        found = longest(files, pattern, but)
        over = [p for n, p in found if n >= LIMITS[g]]
        out.append(
            (
                f"longest {g} file, lines; files of {LIMITS[g]} and more",
                f"{found[0][0]} ({found[0][1]}); {len(over)}",
            )
        )
    ports, path = most_ports()[0]
    out.append((f"ports of an inner module, the most (allowed: {MOST_PORTS})", f"{ports} ({path})"))
    for what, pattern in (
        ("RTL", r"rtl/.*\.svh?$"),
        ("C", r"c_model/.*\.[ch]$"),
        ("tb", r"tb/.*\.(sv|cpp|h)$"),
        ("Python, shell and Makefile", r"((tb|scripts)/.*\.(py|sh)|Makefile)$"),
    ):
        over = [
            line
            for p, t in files.items()
            if re.match(pattern, p)
            for line in t.splitlines()
            if len(line) > 100
        ]
        out.append(
            (
                f"{what} lines over 100 columns; the longest",
                f"{len(over)}; {max(map(len, over), default=0)}",
            )
        )
    return out


def table(files):
    """Boolean parameters with the files of each role: by name those that an edit of it costs."""
    out = [
        "| parameter | source, pass | uses | tests | pages | presets |",
        "|---|---|---|---|---|---|",
    ]
    for name in booleans(files):
        found = roles(files, name)
        n = {r: sum(x == r for _, x in found) for r in ("use", "test", "page", "preset")}
        cost = ", ".join(f"`{p}`" for r in ("source", "pass") for p, x in found if x == r)
        out.append(f"| `{name}` | {cost} | " + " | ".join(str(v) for v in n.values()) + " |")
    return "\n".join(out)


def page(files):
    """docs/house.md with the tables of today."""
    found = "".join(f"| {what} | {value} |\n" for what, value in counts(files))
    text = between(PAGE, read(PAGE), "counts", "| | |\n|---|---|\n" + found)
    return between(PAGE, text, "booleans", table(files) + "\n")


def main():
    args = sys.argv[1:]
    files = tree()
    if len(args) == 2 and args[0] == "--files":
        found = roles(files, args[1])
        print("\n".join(f"{r:<7} {p}" for p, r in sorted(found, key=lambda x: x[1])))
        return 0 if found else f"house: nothing names {args[1]}"
    if args == ["--booleans"]:
        print(table(files))
        return 0
    if args == ["--page"]:
        outfile.write(os.path.join(ROOT, PAGE), page(files))
        return 0
    if args == ["--check"]:
        problems = list(over(files))
        if os.path.exists(os.path.join(ROOT, PAGE)) and page(files) != read(PAGE):
            problems.append(f"{PAGE}: stale, run scripts/house.py --page")
        if os.path.exists(os.path.join(ROOT, MUTATED)):
            problems += mutated(read(MUTATED))
        print("".join(p + "\n" for p in problems), end="")
        return bool(problems)
    if args:
        sys.exit(__doc__)
    print("| | |\n|---|---|")
    for what, value in counts(files):
        print(f"| {what} | {value} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
