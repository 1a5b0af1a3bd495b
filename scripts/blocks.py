#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of blocks, docs/blocks.md, from what the pages say of themselves: the line "RTL:
... Model: ... Bench: ..." below a page's title. A column that stays empty needs a reason in
docs/blocks-holes.txt, and so does a module that no page names there.

usage: blocks.py [--check] --check: writes nothing; exits with 1 and says what is stale or has no
                 reason
"""

import glob
import os
import re
import sys

import filelists
import formal
from generated import ROOT, finish, read

COLUMNS = ("policy model", "timed model", "bench", "proof")
HOLES = "docs/blocks-holes.txt"


def pages():
    """{page: the line that says what belongs to its block}"""
    out = {}
    for path in sorted(glob.glob(f"{ROOT}/docs/*.md")):
        with open(path) as f:
            for line in f.read().split("\n")[:8]:
                if line.startswith("RTL: "):
                    out[os.path.basename(path)] = line
    return out


def modules():
    """{module: file} of blocks; what stands in rtl/common is a part."""
    found = sorted(glob.glob(f"{ROOT}/rtl/*/*.sv") + glob.glob(f"{ROOT}/rtl/*.sv"))
    return {
        os.path.basename(p)[:-3]: os.path.relpath(p, ROOT)
        for p in found
        if "/common/" not in p and not p.endswith("gmmu_pkg.sv")
    }


def proofs():
    """{module: [proofs]} of synth/formal/proofs.txt: what a harness has instances of; a part of
    that need not be built in it."""
    out = {}
    for name, top, *_ in formal.rows("proofs.txt", 4):
        for module in sorted(formal.proved_modules(top)):
            out.setdefault(module, []).append(name)
    return out


def holes():
    """{(page or module, column): reason}; a line may have several pages."""
    out = {}
    for n, line in enumerate(read(HOLES).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            cells = [c.strip() for c in line.split("|")]
            if len(cells) != 3 or cells[1] not in (*COLUMNS, "page") or not cells[2]:
                sys.exit(f"{HOLES}:{n}: expected: page or module | column | reason")
            for what in cells[0].split():
                if (what, cells[1]) in out:
                    sys.exit(f"{HOLES}:{n}: {what} {cells[1]} stands here twice")
                out[what, cells[1]] = cells[2]
    return out


def files(pattern, line, folder):
    """Names in the line that are files or folders of `folder`."""
    found = re.findall(pattern, line)
    return [f for f in dict.fromkeys(found) if os.path.exists(os.path.join(ROOT, folder, f))]


def rows(reasons):
    """(table's lines, problems)"""
    out, problems, known, proved, used, named = [], [], modules(), proofs(), set(), set()
    first = {page: re.search(r"rtl/[\w/]+\.sv", line) for page, line in pages().items()}
    owner = {os.path.basename(m[0])[:-3]: page for page, m in first.items() if m}
    for page, line in pages().items():
        said = line.split(" Source: ")[0]
        mine = [
            m
            for m in dict.fromkeys(re.findall(r"\b(gmmu_\w+)", re.split("Bench|Model", said)[0]))
            if m in known and m not in named and owner.get(m, page) == page
        ]
        if not first[page] or not os.path.exists(os.path.join(ROOT, first[page][0])):
            problems.append(f"docs/{page}: its line RTL names no file that exists")
            continue
        named |= set(mine)
        cells = {
            "policy model": files(r"(?<=policy/)\w+\.c|(?<=`)\w+\.c(?=`)", said, "c_model/policy"),
            "timed model": files(r"c_model/timed/(\w+\.c)", said, "c_model/timed"),
            "bench": files(r"`(tb/\w+)", said, "."),
            "proof": sorted({p for m in mine for p in proved.get(m, ())}),
        }
        shown = []
        for column in COLUMNS:
            reason = reasons.get((page, column))
            if reason:
                used.add((page, column))
            if cells[column]:
                shown.append(", ".join(f"`{c}`" for c in cells[column]))
                if reason:
                    problems.append(f"{HOLES}: {page} has a {column}: the reason is not needed")
            elif reason:
                shown.append(f"none: {reason}")
            else:
                problems.append(f"docs/{page}: no {column}, and {HOLES} gives no reason")
                shown.append("")
        title = re.match(r"# (.+)", read(f"docs/{page}"))[1].split(":")[0]
        out.append(
            f"| [{title}]({page}) | {', '.join(f'`{m}`' for m in mine)} | "
            + " | ".join(shown)
            + " |\n"
        )
    for m in sorted(set(known) - named):
        if (m, "page") in reasons:
            used.add((m, "page"))
            out.append(f"| `{m}` | `{known[m]}` | {reasons[m, 'page']} | | | |\n")
        else:
            problems.append(
                f"{known[m]}: no page names it in its line RTL, and {HOLES} gives no reason"
            )
    problems += [f"{HOLES}: {a} {b}: nothing has this hole" for a, b in sorted(set(reasons) - used)]
    return out, problems


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    table, problems = rows(holes())
    for p in problems:
        print(f"blocks: {p}")
    text = (
        f"<!-- Generated by scripts/blocks.py from the pages of the blocks and {HOLES}. "
        f"-->\n\n# Blocks\n\nWhat belongs to each block. A hole says its reason.\n\n"
    )
    text += (
        "| block | RTL | "
        + " | ".join(COLUMNS)
        + " |\n|---|---|"
        + "---|" * len(COLUMNS)
        + "\n"
        + "".join(table)
    )
    return 1 if problems else finish("blocks", {"docs/blocks.md": text}, check)


if __name__ == "__main__":
    sys.exit(main())
