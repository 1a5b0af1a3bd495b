#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the file lists of synth/: files.f (all of rtl/) and one per block of synth/blocks.txt, package first.

usage: filelists.py [--check]     --check: writes nothing; exits with 1 and names the lists that are stale
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WITH = {"axi": ("gmmu_native", "gmmu_page_merge")}   # what goes into a soft-core besides gmmu_axi


def read(path):
    with open(os.path.join(ROOT, path)) as f:
        return f.read()


def sources():
    """All files in order, and {module: file}."""
    files = [line.strip() for line in read("sim/gmmu.f").splitlines() if line.startswith("rtl/")]
    return files, {os.path.basename(f)[:-3]: f for f in files}


def closure(top, modules):
    """Modules that `top` is made of, itself among them."""
    found, todo = set(), [top]
    while todo:
        m = todo.pop()
        if m in found:
            continue
        found.add(m)
        text = re.sub(r"//.*", "", read(modules[m]))
        todo += [x for x in re.findall(r"\b(gmmu_\w+)\s+(?:#\(|u_\w+\s*\()", text) if x in modules]
    return found


def main():
    check = "--check" in sys.argv[1:]
    files, modules = sources()
    header = "// SPDX-License-Identifier: Apache-2.0\n// Written by scripts/filelists.py. Paths from the root of the tree; package first.\n+incdir+rtl\n+incdir+rtl/common\n"
    lists = {"synth/files.f": files}
    for line in read("synth/blocks.txt").splitlines():
        if line.strip() and not line.startswith("#"):
            name, top = [p.strip() for p in line.split("|")][:2]
            need = closure(top, modules) | {"gmmu_pkg"}
            for other in WITH.get(name, ()):
                need |= closure(other, modules)
            lists[f"synth/{name}.f"] = [f for f in files if os.path.basename(f)[:-3] in need]
    stale = []
    for path, content in lists.items():
        text = header + "".join(f + "\n" for f in content)
        full = os.path.join(ROOT, path)
        if os.path.exists(full) and read(path) == text:
            continue
        stale.append(path)
        if not check:
            with open(full, "w") as f:
                f.write(text)
    if check and stale:
        print(f"filelists: stale, run scripts/filelists.py: {', '.join(stale)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
