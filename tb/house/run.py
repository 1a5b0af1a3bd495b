#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What keeps the tree in order, tried where it must speak: page_age.py on pages and RTL of a
history made here, house.py --check on what is too long and on a stale table, links.py on dead
links, formal.py --check on a text that is gone, blocks.py on a hole without a reason."""

import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common"))
from tree import ROOT, Tree  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import planted  # noqa: E402

tree = Tree("house")
TREE, expect, run = tree.path, tree.expect, tree.run
text, write = tree.text, tree.write
GIT = ("git", "-c", "user.name=test", "-c", "user.email=test@example.org")
RTL, PAGE = "rtl/common/gmmu_x.sv", "docs/x.md"
PARTS = "scripts docs rtl synth/formal c_model tb/axi".split()


def commit():
    run(*GIT, "add", "-A")
    run(*GIT, "commit", "-q", "--allow-empty", "-m", "x")
    return run("git", "rev-parse", "HEAD")[1].strip()


def says(what, script, *args, rc, has, hasnt="Traceback"):
    got, out = run(sys.executable, f"scripts/{script}.py", *args)
    expect(f"{script}: {what}", got == rc and has in out and hasnt not in out, f"{got}: {out}")


def empty():
    """A tree with the scripts alone."""
    shutil.rmtree(TREE, ignore_errors=True)
    shutil.copytree(
        os.path.join(ROOT, "scripts"),
        os.path.join(TREE, "scripts"),
        ignore=shutil.ignore_patterns("__pycache__"),
    )


def page_age():
    def age_of_none(what):
        says(what, "page_age", rc=0, has="no history here")
        says(what, "page_age", "--strict", rc=1, has="no history here")

    empty()
    write("docs/read.txt", "# pages that were read\n")
    write(RTL, "module gmmu_x;\nendmodule\n")
    write(PAGE, "# X\n\nRTL: `rtl/common/gmmu_x.sv`. Bench: none.\n")
    write("docs/other.md", "# No block\n")
    run("git", "init", "-q")
    first = commit()

    def age(what, old):
        listed = f"{PAGE} is older than gmmu_x.sv"
        for args, rc in ((), 0), (("--strict",), old):
            got, out = run(sys.executable, "scripts/page_age.py", *args)
            ok = got == rc and f"{old} of 1 pages are older" in out and (listed in out) == bool(old)
            expect(f"page_age {' '.join(args)}: {what}", ok, f"{got}: {out}")

    age("page and RTL of one commit", 0)
    write(RTL, "// a comment\nmodule gmmu_x;\n\n  /* and\n another */ endmodule\n")
    age("comments and line breaks, not committed", 0)
    commit()
    age("comments and line breaks", 0)
    write(RTL, "module gmmu_x;\n  logic a;\nendmodule\n")
    age("other code, not committed", 1)
    code = commit()
    age("other code", 1)
    write("docs/other.md", "# Another page\n")
    commit()
    age("another page's commit", 1)
    write("docs/read.txt", f"x.md {first}\n")
    age("read with the old code", 1)
    write("docs/read.txt", f"x.md {code}\n")
    age("read with this code", 0)
    write(RTL, "module gmmu_x;\n  logic b;\nendmodule\n")
    commit()
    age("other code after it was read", 1)
    write(PAGE, text(PAGE) + "\nMore.\n")
    age("the page is changed, not committed", 0)
    commit()
    age("the page is changed", 0)
    for line in ("x.md 0123456789", f"other.md {code}", f"gone.md {code}", "x.md"):
        write("docs/read.txt", line + "\n")
        says(f"docs/read.txt: '{line}'", "page_age", rc=1, has="docs/read.txt:1: not a page")
    write("docs/read.txt", "")
    shutil.rmtree(os.path.join(TREE, ".git"))
    write(".git", "gitdir: nowhere\n")  # not the history of the tree around it
    age_of_none("without history")
    os.remove(os.path.join(TREE, ".git"))


def limits():
    empty()
    run("git", "init", "-q")
    ports = ",\n".join(f"  input logic p{i}" for i in range(81))
    long = {
        "rtl/a.sv": ("// x\n" * 300, "has 300 lines, fewer than 300 are"),
        "c_model/a.c": ("/* */\n" * 400, "has 400 lines, fewer than 400 are"),
        "c_model/test/a.c": ("/* */\n" * 600, "has 600 lines, fewer than 600 are"),
        "tb/a/a.cpp": ("//\n" * 600, "has 600 lines, fewer than 600 are"),
        "tb/simt/gmmu_a.sv": ("// x\n" * 300, "has 300 lines, fewer than 300 are"),
        "tb/softcore/gmmu_a.svh": ("// x\n" * 300, "has 300 lines, fewer than 300 are"),
        "tb/simt/x/gmmu_a_harness.sv": ("// x\n" * 600, "has 600 lines, fewer than 600 are"),
        "rtl/b.sv": ("// " + "x" * 98 + "\n", "rtl/b.sv:1: over 100 columns"),
        "Makefile": ("# " + "x" * 99 + "\n", "Makefile:1: over 100 columns"),
        "scripts/b.py": ("# " + "x" * 99 + "\n", "scripts/b.py:1: over 100 columns"),
        "rtl/c.sv": ("module c (\n" + ports + "\n);\nendmodule\n", "has 81 ports, 80 are"),
        "tb/simt/gmmu_c.sv": ("module c (\n" + ports + "\n);\nendmodule\n", "has 81 ports, 80 are"),
        "rtl/d.sv": ("\n  logic n1_q;\n", "rtl/d.sv:2: n1_q is too short a name"),
        "tb/a/b.h": ("int f(int x,\n      int y) {\n  return x;\n}\n", "b.h:1: a function's body"),
        "rtl/e.sv": ("always_ff @(posedge clk_i) ab <= 1;\n", "rtl/e.sv:1: ab is too short a name"),
        "rtl/f.sv": ("\n  if (we) m2[at][3:0] <= 1;\n", "rtl/f.sv:2: m2 is too short a name"),
        "synth/formal/b.sv": ("// " + "x" * 98 + "\n", "synth/formal/b.sv:1: over 100 columns"),
        "tb/a/c.h": (
            "struct A {\n  A(int x) : x_(x), y_{} {}\n  int f(int y) const {"
            + "\n" * 10
            + "  }\n};\n",
            "tb/a/c.h:3: a body of 10 lines in a header",
        ),
        "tb/simt/d.sv": ("  logic ab_q;\n", "tb/simt/d.sv:1: ab_q is too short a name"),
    }
    says("nothing too long", "house", "--check", rc=0, has="")
    for path, (content, message) in long.items():
        write(path, content)
        says(path, "house", "--check", rc=1, has=message)
        os.remove(os.path.join(TREE, path))
    fits = {
        "rtl/a.sv": "// x\n" * 289 + '`include "a.svh"\n',
        "rtl/a.svh": "// x\n" * 9,
        "rtl/f.sv": '`include "f.svh"\n' + "// x\n" * 290,
        "rtl/g.sv": '`include "f.svh"\n',
        "rtl/f.svh": "// x\n" * 20,
        "tb/a/b.h": "inline int f() {\n}\ntemplate <class T>\nT g(T x) {\n}\nint h(int x);\n",
        "rtl/b.sv": "// " + "x" * 97 + "\n",
        "tb/a/c.h": "struct A {\n  void f() {"
        + "\n" * 9
        + "  }\n  template <class T>\n  T g(T x) {"
        + "\n" * 12
        + "  }\n};\n",
        "tb/simt/x/gmmu_a_tb.sv": "// x\n" * 599,
        "rtl/d.sv": "  logic abc_q;  // not n_q\n  if (no <= 3) abc_q <= 1;\n  va[at] <= 1;\n",
        "rtl/e.sv": "// Generated by scripts/x.py from y.\n" + "\n" * 400,
    }
    for path, content in fits.items():
        write(path, content)
    says("just within the limits", "house", "--check", rc=0, has="")
    write("rtl/a.svh", "// x\n" * 10)
    says("what one file includes", "house", "--check", rc=1, has="rtl/a.sv has 300 lines")


def links():
    """Links that lead to no file, or to no heading of it; what is code is none."""
    empty()
    run("git", "init", "-q")
    write("docs/a.md", "# A page\n\n## Two words: `x`\n\n```\n# no heading [x](gone.md)\n```\n")
    good = "[a](a.md#two-words-x) [b](#b) [c](../README.md) [d](https://x.org/y) `[e](f.md)`\n"
    write("README.md", "# R\n")
    write("docs/b.md", "# B\n\n" + good)
    says("all lead somewhere", "links", rc=0, has="")
    for link in ("gone.md", "a.md#no-heading-xgonemd", "a.md#two-words", "#c", "img/x.svg"):
        write("docs/b.md", f"# B\n\n{good}![x]({link})\n")
        says(link, "links", rc=1, has=f"links: docs/b.md: dead link {link}\n")


def counted():
    """docs/house.md when something that it counts has changed."""
    run("git", "init", "-q")
    says("the tables as house.py writes them", "house", "--page", rc=0, has="")
    says("the same, checked", "house", "--check", rc=0, has="")
    stale = "docs/house.md: stale, run scripts/house.py --page"
    page, source, bench = "docs/house.md", "rtl/params.txt", "tb/axi/gmmu_new_tb.sv"
    option = re.search(r"(?m)^(\w+) +\| bool ", text(source))[1]
    for what, path, now in (
        ("another number", page, re.sub(r"(Boolean parameters \| )", r"\g<1>1", text(page))),
        ("another use", bench, f"module gmmu_new_tb;\n  localparam X = {option};\nendmodule\n"),
        ("one parameter fewer", source, re.sub(rf"(?m)^{option} .*\n", "", text(source))),
    ):
        was = text(path) if os.path.exists(os.path.join(TREE, path)) else None
        expect(f"house: {what} is a change", now != was)
        write(path, now)
        says(what, "house", "--check", rc=1, has=stale)
        if was is None:
            os.remove(os.path.join(TREE, path))
        else:
            write(path, was)
    mutated = text("docs/verification.md")
    row = "<!-- mutate c -->\n| `c_model/policy/gone.c` | 8 |\n"
    write("docs/verification.md", mutated.replace("<!-- mutate c -->\n", row, 1))
    gone = "planted bugs names c_model/policy/gone.c, which is gone"
    says("planted bugs of a file that is gone", "house", "--check", rc=1, has=gone)
    write("docs/verification.md", mutated)
    says("as it was", "house", "--check", rc=0, has="")


def parts_of_verilator():
    """planted.unread(): where a bug would stand that no simulation sees."""
    data = "`ifdef X\na\n`endif\n`ifdef VERILATOR\nb\n`else\nc\n`ifdef X\nd\n`endif\n`endif\ne\n"
    data += "`ifndef VERILATOR\nf\n`endif\n"
    left_out = [x for x in "abcdef" if planted.unread(data, data.index(f"\n{x}\n") + 1)]
    expect("planted: what Verilator leaves out", left_out == ["c", "d", "f"], str(left_out))


def tables():
    empty()
    for part in PARTS[1:]:
        if not os.path.isdir(os.path.join(TREE, part)):
            shutil.copytree(os.path.join(ROOT, part), os.path.join(TREE, part))
    os.makedirs(os.path.join(TREE, "sim"))
    shutil.copy(os.path.join(ROOT, "sim/gmmu.f"), os.path.join(TREE, "sim"))  # files of proofs
    for folder in os.listdir(os.path.join(ROOT, "tb")):  # blocks.py asks whether they exist
        os.makedirs(os.path.join(TREE, "tb", folder), exist_ok=True)
    says("the tree as it is", "formal", "--check", rc=0, has="")
    bug = next(x for x in text("synth/formal/bugs.txt").splitlines() if x.startswith("fifo-wraps"))
    name, proof, file, old, _ = [c.strip() for c in bug.split("|")]
    whole = text(f"rtl/{file}")
    for what, now in (
        ("0", whole.replace(old, "")),
        ("2", whole.replace(old, old + " " + old)),
    ):
        write(f"rtl/{file}", now)
        says(
            f"a text {what} times", "formal", "--check", rc=1, has=f"{name}: its text occurs {what}"
        )
    write(f"rtl/{file}", whole)
    bugs = text("synth/formal/bugs.txt")
    write("synth/formal/bugs.txt", bugs.replace(f"| {proof} ", "| no-such ", 1))
    says("a bug without its proof", "formal", "--check", rc=1, has="no proof 'no-such'")
    says("the tree as it is", "blocks", "--check", rc=0, has="")
    reasons = text("docs/blocks-holes.txt")
    for gone in ("gmmu_walk_group | page", "epoch.md | policy model"):
        kept = [x for x in reasons.splitlines() if not x.startswith(gone)]
        expect(f"blocks: '{gone}' is a reason", len(kept) == len(reasons.splitlines()) - 1)
        write("docs/blocks-holes.txt", "\n".join(kept) + "\n")
        says(f"without the reason '{gone}'", "blocks", "--check", rc=1, has="gives no reason")
    write("docs/blocks-holes.txt", reasons + "epoch.md | bench | one too many\n")
    says("a reason that is not needed", "blocks", "--check", rc=1, has="the reason is not needed")
    write("docs/blocks-holes.txt", reasons)
    write("rtl/walk/gmmu_new.sv", "module gmmu_new;\nendmodule\n")
    says("a block without a page", "blocks", "--check", rc=1, has="no page names it")
    os.remove(os.path.join(TREE, "rtl/walk/gmmu_new.sv"))
    counted()


def main():
    page_age()
    limits()
    links()
    tables()
    parts_of_verilator()
    return tree.end()


if __name__ == "__main__":
    sys.exit(main())
