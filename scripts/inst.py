#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints an instantiation of gmmu_axi or gmmu_native: a wire of the right width for each port, then
the instance. Verilog-2001.

usage: inst.py [--top gmmu_axi|gmmu_native|gmmu_page_merge] [--release] [--prefix NAME]
               [PARAM=VALUE ...]

--release: for the file of make release-v, whose parameters are fixed: give the same PARAM=VALUE;
the instance has none.
--prefix: wires and instance are called NAME_...; default gmmu.
"""

import argparse
import difflib
import re
import sys

import params
from ports import Module, evaluate, shown_width, wrap

FILES = {
    "gmmu_axi": "rtl/gmmu_axi.sv",
    "gmmu_native": "rtl/gmmu_native.sv",
    "gmmu_page_merge": "rtl/axi/gmmu_page_merge.sv",
}


def values(module, words):
    """{parameter: value} of PARAM=VALUE words; a wrong one ends the program."""
    known, given = [n for n, _, _ in module.params], {}
    for word in words:
        m = re.fullmatch(r"(\w+)=(\d+)", word)
        if not m:
            sys.exit(f"inst: '{word}' is not PARAM=VALUE")
        if m[1] not in known:
            near = difflib.get_close_matches(m[1], known, 1)
            sys.exit(
                f"inst: {module.name} has no parameter {m[1]}"
                + (f"; did you mean {near[0]}?" if near else "")
            )
        given[m[1]] = int(m[2])
    return given


def legal(module, known):
    """Ends the program where the build would end: by the ranges and rules of rtl/params.txt."""
    if module.name not in params.SCOPES:  # a block of its own
        return
    table, rules, _, _ = params.load()
    have = {p.name: int(params.default(p, "gmmu_top")) for p in table if p.top is not None}
    have |= {"NumPorts": 0, **known}
    have["NumSms"] = have["NumPorts"] + have["NumNative"]
    for p in params.of(table, module.name):
        v = have[p.name]
        if v < p.lo or (p.hi is not None and v > p.hi):
            sys.exit(f"inst: {p.name} must be {params.span(p)}, not {v}")
    for r in rules:
        words = r.holds.replace("&&", " and ").replace("||", " or ")
        if set(re.findall(r"[A-Z]\w+", words)) <= set(have) and not eval(words, {}, have):
            sys.exit(f"inst: {r.name.replace('_', ' ')}")


def wire(port):
    """clk_i: clk, rst_ni: rst_n."""
    return re.sub(r"_?[io]$", "", port)


def template(module, given, release=False, prefix="gmmu"):
    known = module.values(given)
    legal(module, known)
    said = ", ".join(f"{n}={v}" for n, v in given.items()) or "default parameters"
    out = [
        f"// {module.name}, {said}. Written by make inst. Connect or tie each input; port 0 has "
        f"the lowest bits.\n"
    ]
    group = None
    for direction, bits, name, comment, g in module.ports:
        if g != group and g:
            out += [f"// {x}\n" for x in wrap(g, 96)]
        group = g
        n = evaluate(bits, known)
        if n < 1:
            sys.exit(f"inst: {name} has {n} bits with these parameters")
        what = f"{direction[:-3]}, {shown_width(bits)}" + (f"; {comment}" if comment else "")
        out.append(
            f"wire {f'[{n - 1}:0] ' if n > 1 else ''}{prefix}_{wire(name)};".ljust(48)
            + f"// {what}\n"
        )
    out.append(f"{module.name} ")
    if given and not release:
        out.append("#(\n  " + ", ".join(f".{n}({v})" for n, v in given.items()) + "\n) ")
    out.append(
        f"u_{prefix} (\n"
        + ",\n".join(f"  .{name}({prefix}_{wire(name)})" for _, _, name, _, _ in module.ports)
        + "\n);\n"
    )
    return "".join(out)


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--top", default="gmmu_axi", choices=FILES)
    ap.add_argument("--release", action="store_true")
    ap.add_argument("--prefix", default="gmmu")
    ap.add_argument("params", nargs="*")
    a = ap.parse_args()
    if not re.fullmatch(r"[A-Za-z_]\w*", a.prefix):
        sys.exit(f"inst: '{a.prefix}' is not a name")
    module = Module(FILES[a.top])
    print(template(module, values(module, a.params), a.release, a.prefix), end="")


if __name__ == "__main__":
    main()
