#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hand-written C and C++ are formatted as .clang-format says, Python by ruff in 100 columns,
SystemVerilog as scripts/style_sv.py says; run by scripts/slang.sh --program scripts/format.py.

usage: format.py [--write]     (--write: formats them instead)

Both tools are the pinned ones of scripts/requirements-lint.txt: other versions break other lines.
"""

import os
import subprocess
import sys

import style_sv
import treefiles

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def sources():
    for name in treefiles.names():
        if not name.endswith((".c", ".h", ".cpp")):
            continue
        with open(os.path.join(ROOT, name)) as f:
            if "enerated" not in f.readline():
                yield name


def style(write):
    """Lines about SystemVerilog that is not as style_sv.py says; with `write`, about what it does
    not know how to write. And the number of files."""
    names = [n for n in treefiles.names() if n.endswith(".sv")]
    texts = {n: open(os.path.join(ROOT, n)).read() for n in names}
    names = [n for n in names if "enerated" not in texts[n].split("\n", 1)[0]]
    said = []
    for f in style_sv.read(names, texts.get):
        found = style_sv.problems(f)
        if write:
            text = style_sv.better(f, found)
            if text != f.text:
                with open(os.path.join(ROOT, f.path), "w") as out:
                    out.write(text)
            found = [x for x in found if x[-1] is None]
        said += [f"{f.path}:{line}: {what}" for line, what, *_ in found]
    return said, len(names)


def tool(name, *arguments):
    path = os.path.join(os.path.dirname(sys.executable), name)
    return subprocess.run([path, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def main():
    write = sys.argv[1:] == ["--write"]
    if sys.argv[1:] and not write:
        sys.exit(__doc__.strip())
    files = list(sources())
    python = [name for name in treefiles.names() if name.endswith(".py")]
    if not files or not python:
        sys.exit("no sources found")
    how = ["-i"] if write else ["--dry-run", "-Werror", "--ferror-limit=1"]
    c = tool("clang-format", *how, *files)
    how = [] if write else ["--check"]
    py = tool("ruff", "format", "--isolated", "--no-cache", "--line-length=100", *how, *python)
    wrong = {line.split(":")[0] for line in c.stderr.splitlines() if ": error:" in line}
    wrong |= {
        line.removeprefix("Would reformat: ")
        for line in py.stdout.splitlines()
        if line.startswith("Would reformat: ")
    }
    for name in sorted(wrong):
        print(f"{name}: not as formatted: scripts/slang.sh --program scripts/format.py --write")
    said, designs = style(write)
    print("".join(line + "\n" for line in said), end="")
    if wrong or said or c.returncode or py.returncode:
        print("" if wrong or said else c.stderr + py.stderr, end="")
        return 1
    print(
        f"{len(files)} files of C and C++, {len(python)} of Python and {designs} of SystemVerilog "
        "are formatted"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
