#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what follows from the list of files, sim/gmmu.f: the file lists of synth/, files.f (all of
rtl/) and one per block of synth/blocks.txt, package first, and the RTL files of gmmu.core.

usage: filelists.py [--check]
         --check: writes nothing; exits with 1 and names the lists that are stale
       filelists.py --of MODULE,... [RTL]
         prints the files that these modules are made of, package first; RTL: where rtl/ is [rtl]
"""

import glob
import os
import re
import sys

from generated import ROOT, finish, head, read

WITH = {"axi": ("gmmu_native", "gmmu_page_merge")}  # what goes into a soft-core besides gmmu_axi


def sources():
    """All files in order, and {module: file}."""
    files = [line.strip() for line in read("sim/gmmu.f").splitlines() if line.startswith("rtl/")]
    return files, {os.path.basename(f)[:-3]: f for f in files}


def instances(path):
    """Modules of gmmu that a file has instances of."""
    return re.findall(r"\b(gmmu_\w+)\s+(?:#\(|u_\w+\s*\()", re.sub(r"//.*", "", read(path)))


def closure(top, modules):
    """Modules that `top` is made of, itself among them."""
    found, todo = set(), [top]
    while todo:
        m = todo.pop()
        if m in found:
            continue
        found.add(m)
        todo += [x for x in instances(modules[m]) if x in modules]
    return found


def core(text, files):
    """gmmu.core with the files of rtl/ in its file set rtl."""
    a, b = "  rtl:\n    files:\n", "    file_type: systemVerilogSource\n"
    includes = sorted(
        os.path.relpath(p, ROOT) for p in glob.glob(f"{ROOT}/rtl/**/*.svh", recursive=True)
    )
    lines = [f"      - {f}\n" for f in files]
    lines += [
        f"      - {p}: {{is_include_file: true, include_path: {os.path.dirname(p)}}}\n"
        for p in includes
    ]
    return text[: text.index(a) + len(a)] + "".join(lines) + text[text.index(b) :]


def main():
    check = "--check" in sys.argv[1:]
    files, modules = sources()
    if sys.argv[1:2] == ["--of"]:
        rtl = sys.argv[3] if len(sys.argv) > 3 else "rtl"
        need = {"gmmu_pkg"}
        for m in sys.argv[2].split(","):
            if m not in modules:
                sys.exit(f"filelists: no module {m} in sim/gmmu.f")
            need |= closure(m, modules)
        for f in files:
            if os.path.basename(f)[:-3] in need:
                print(rtl + f.removeprefix("rtl"))
        return 0
    top = (
        head("filelists", "sim/gmmu.f", "//") + "// Paths from the root of the tree; package "
        "first.\n+incdir+rtl\n+incdir+rtl/common\n"
    )
    lists = {"synth/files.f": files}
    for line in read("synth/blocks.txt").splitlines():
        if line.strip() and not line.startswith("#"):
            name, block = [p.strip() for p in line.split("|")][:2]
            need = closure(block, modules) | {"gmmu_pkg"}
            for other in WITH.get(name, ()):
                need |= closure(other, modules)
            lists[f"synth/{name}.f"] = [f for f in files if os.path.basename(f)[:-3] in need]
    out = {path: top + "".join(f + "\n" for f in content) for path, content in lists.items()}
    out["gmmu.core"] = core(read("gmmu.core"), files)
    return finish("filelists", out, check)


if __name__ == "__main__":
    sys.exit(main())
