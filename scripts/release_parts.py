#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parts of the file that scripts/release_v.sh writes.

usage: release_parts.py roots TOP [PARAM=VALUE ...] a module with an instance of each module that is
                        to be in the file
       release_parts.py head TOP [PARAM=VALUE ...]     the first lines: the parameters in force,
       waivers with their reasons release_parts.py names RAW.v                    what Yosys wrote,
       with plain module names
"""

import re
import sys

from inst import FILES, values
from ports import Module

MERGE = ("PaW", "AsidW", "WarpW")  # parameters of gmmu_page_merge that are the top's

WAIVERS = [
    ("DECLFILENAME", "one file holds all modules"),
    ("WIDTH", "operands are extended and results cut by Verilog's rules, as Yosys means them"),
    ("CASEOVERLAP", "a case of one-hot selects: at most one item matches"),
    ("CMPCONST", "comparisons whose outcome these parameters fix"),
    ("UNOPTFLAT", "vectors of which one part depends on another: no loop through a bit"),
    ("PINMISSING", "outputs that nobody uses"),
    ("UNUSED", "bits that these parameters leave without use"),
]


def parse(top, words):
    """Module of the top, the given parameters, all in force, those of the page merge."""
    if top not in ("gmmu_axi", "gmmu_native"):
        sys.exit(f"release_v: TOP is gmmu_axi or gmmu_native, not {top}")
    module, merge = Module(FILES[top]), Module(FILES["gmmu_page_merge"])
    tops = {p[0] for p in module.params}
    own = [w for w in words if w.split("=")[0] in {p[0] for p in merge.params} - tops - {"TagW"}]
    given = values(module, [w for w in words if w not in own])
    force = {n: v for n, v in module.values(given).items() if n in tops}
    tag = force["NativeTagW"]
    said = {
        "Lanes": min(4, 1 << tag),
        **{p: force[p] for p in MERGE},
        "TagW": tag,
        **values(merge, own),
    }
    return given, force, {p[0]: merge.values(said)[p[0]] for p in merge.params}


def overrides(params):
    return ", ".join(f".{n}({v})" for n, v in params.items())


def roots(top, words):
    given, _, merge = parse(top, words)
    set_top = f"#({overrides(given)}) " if given else ""
    return (
        f"module gmmu_release;\n  {top} {set_top}u_top();\n  gmmu_page_merge "
        f"#({overrides(merge)}) u_merge();\nendmodule\n"
    )


def head(top, words):
    given, force, merge = parse(top, words)
    out = [
        "// SPDX-License-Identifier: Apache-2.0",
        f"// gmmu as one Verilog-2001 file, written by make release-v. Top: {top}; the MMU "
        f"alone: gmmu_top; in front of a native",
        "// port: gmmu_page_merge. An instantiation: make inst with the same parameters and "
        "RELEASE=1.",
        "// Parameters are fixed; * marks those that were given:",
    ]
    for title, params in ((top, force), ("gmmu_page_merge", merge)):
        line = f"//   {title}:"
        for name, value in params.items():
            word = f" {name}={value}{'*' if name in given else ''}"
            if len(line) + len(word) > 98:
                out.append(line)
                line = "//    "
            line += word
        out.append(line)
    out.append("// Warnings that Verilator would give, each with its reason:")
    out.append("// verilator lint_save")
    out += [f"// verilator lint_off {code}\n//   {why}" for code, why in WAIVERS]
    return "\n".join(out) + "\n"


def names(text):
    """Plain module names: the first variant of a module keeps its name, others get a number.
    Memories start as 0."""
    plain, count = {}, {}
    for m in re.finditer(r"^module (\\\S+|\w+)", text, re.M):
        base = re.search(r"gmmu_[a-z0-9_]+", m[1])[0]
        count[base] = count.get(base, 0) + 1
        plain[m[1]] = base if count[base] == 1 else f"{base}_v{count[base]}"
    for full in sorted(plain, key=len, reverse=True):
        if full.startswith("\\"):
            text = text.replace(full + " ", plain[full] + " ")
    # As the flip-flops do: no X in four-state simulation, and FPGA tools take it as initial
    # content.
    memory = re.compile(r"^  reg (\[\d+:\d+\] )?(\\?\S+) \[(\d+):0\];$", re.M)

    def zero(m):
        i = f"init_{m.start()}"
        return (
            f"{m[0]}\n  integer {i};\n  initial for ({i} = 0; {i} <= {m[3]}; {i} = {i} + 1) "
            f"{m[2]} [{i}] = 0;"
        )

    return memory.sub(zero, text)


def main():
    what, rest = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 2 else ("", [])
    if what == "roots":
        print(roots(rest[0], rest[1:]), end="")
    elif what == "head":
        print(head(rest[0], rest[1:]), end="")
    elif what == "names":
        with open(rest[0]) as f:
            print(names(f.read()), end="")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
