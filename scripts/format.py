#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hand-written C and C++ are formatted as .clang-format says, Python by ruff in 100 columns; run by
scripts/slang.sh --program scripts/format.py.

usage: format.py [--write]     (--write: formats them instead)

Both tools are the pinned ones of scripts/requirements-lint.txt: other versions break other lines.
"""

import os
import subprocess
import sys

import treefiles

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def sources():
    for name in treefiles.names():
        if not name.endswith((".c", ".h", ".cpp")):
            continue
        with open(os.path.join(ROOT, name)) as f:
            if "enerated" not in f.readline():
                yield name


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
    if wrong or c.returncode or py.returncode:
        print("" if wrong else c.stderr + py.stderr, end="")
        return 1
    print(f"{len(files)} files of C and C++ and {len(python)} of Python are formatted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
