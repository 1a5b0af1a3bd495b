#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hand-written C and C++ are formatted as .clang-format says; run by scripts/slang.sh --program
scripts/format.py.

usage: format.py [--write]     (--write: formats them instead)

clang-format is the pinned one of scripts/requirements-lint.txt: other versions break other lines.
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


def main():
    write = sys.argv[1:] == ["--write"]
    if sys.argv[1:] and not write:
        sys.exit(__doc__.strip())
    tool = os.path.join(os.path.dirname(sys.executable), "clang-format")
    files = list(sources())
    r = subprocess.run([tool] + (["-i"] if write else ["--dry-run", "-Werror",
                                                       "--ferror-limit=1"]) + files, cwd=ROOT,
                       capture_output=True, text=True, check=False)
    wrong = sorted({line.split(":")[0] for line in r.stderr.splitlines() if ": error:" in line})
    for name in wrong:
        print(f"{name}: not as .clang-format says: scripts/slang.sh --program scripts/format.py "
              f"--write")
    if not wrong and r.returncode:
        print(r.stderr, end="")
    if not files or wrong or r.returncode:
        return 1
    print(f"{len(files)} files of C and C++ are as .clang-format says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
