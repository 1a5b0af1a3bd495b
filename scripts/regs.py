#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what follows from rtl/ctrl/regs.txt: decode, storage and reading (scripts/regs_rtl.py),
constants for the RTL, a C header, a table for the documentation.

usage: regs.py [--check] --check: writes nothing; exits with 1 and names the files that are stale
"""

import os
import re
import sys

import params as parameters
import regs_rtl
from generated import ROOT, finish, head

SOURCE = "rtl/ctrl/regs.txt"


def die(line, what):
    sys.exit(f"regs: {SOURCE}:{line}: {what}")


def parse():
    regs, params, version, used = [], [], None, {}
    params_at = None

    def rtl(line, text, bits):
        try:
            return regs_rtl.Rtl(text, bits)
        except ValueError as e:
            die(line, e)

    def claim(line, offset, name):
        if offset in used:
            die(line, f"{name} lies on {used[offset]}")
        used[offset] = name

    for n, line in enumerate(open(os.path.join(ROOT, SOURCE)), 1):
        line = line.rstrip()
        if not line or line.startswith("#"):
            continue
        if m := re.fullmatch(r"version (\d+)", line):
            version = int(m[1])
        elif m := re.fullmatch(
            r"reg (\w+) (0x[0-9a-f]+) (ro|rw|wo|w1c)(?: (\d+) (\d+))?(?: \| (.+))? \| (.+)",
            line,
        ):
            params_open = False
            reg = {
                "name": m[1],
                "at": int(m[2], 16),
                "access": m[3],
                "count": int(m[4] or 1),
                "stride": int(m[5] or 0),
                "text": m[7],
                "rtl": rtl(n, m[6] or "", 32),
                "line": n,
                "fields": [],
            }
            for i in range(reg["count"]):
                claim(n, reg["at"] + i * reg["stride"], reg["name"])
            regs.append(reg)
        elif m := re.fullmatch(r"params (0x[0-9a-f]+)", line):
            params_at, params_open = int(m[1], 16), True
            words = [p for p in parameters.load()[0] if p.word is not None]
            for p in sorted(words, key=lambda p: p.word):
                claim(n, params_at + 4 * len(params), p.name)
                params.append(p.name)
        elif (
            (m := re.fullmatch(r"  (\w+) (\d+)(?::(\d+))?(?: \| (.+))? \| (.+)", line))
            and regs
            and not params_open
        ):
            hi = int(m[2])
            lo = int(m[3]) if m[3] else hi
            if hi > 31 or lo > hi:
                die(n, f"field {m[1]}: bits {hi}:{lo}")
            bits = rtl(n, m[4], hi - lo + 1) if m[4] else None
            regs[-1]["fields"].append({"name": m[1], "hi": hi, "lo": lo, "text": m[5], "rtl": bits})
        else:
            die(n, f"not understood: {line.strip()}")
    if version is None or params_at is None:
        die(1, "version or params missing")
    return regs, params, params_at, version


def sv_map(regs, params, params_at, version):
    out = [
        head("regs", SOURCE, "//") + "// gmmu_regs_map.svh: offsets of the registers.",
        f"  localparam logic [31:0] REG_MAP_VERSION = 32'd{version};",
    ]
    for r in regs:
        out.append(f"  localparam logic [12:0] REG_{r['name']} = 13'h{r['at']:04x};")
    out.append(f"  localparam logic [12:0] REG_PARAMS = 13'h{params_at:04x};")
    out.append(f"  localparam int NumParams = {len(params)};")
    return "\n".join(out) + "\n"


def sv_params(params):
    out = [
        head("regs", "rtl/params.txt", "//") + "// gmmu_regs_params.svh: the parameters that "
        "software reads, number 0 lowest.",
        f"  localparam int NumParams = {len(params)};",
        "  localparam int ParamsW = NumParams * 32;",
        "  localparam logic [ParamsW-1:0] ParamWords =",
    ]
    out += [
        (f"    (ParamsW'({p}) << {32 * i})" if i else f"    ParamsW'({p})")
        + (" |" if i + 1 < len(params) else ";")
        for i, p in enumerate(params)
    ]
    return "\n".join(out) + "\n"


def c_header(regs, params, params_at, version):
    out = [
        head("regs", SOURCE, "/*", " */") + "/* gmmu_regs.h - registers of gmmu_regs "
        "(docs/regs-map.md). */",
        "#ifndef GMMU_REGS_H",
        "#define GMMU_REGS_H",
        "",
        f"#define GMMU_REGS_VERSION {version}u",
        "#define GMMU_REGS_BYTES 0x2000u",
        "#define GMMU_REGS_ID 0x554d4d47u",
        "",
    ]
    for r in regs:
        at = f"0x{r['at']:03x}u"
        out.append(
            f"#define GMMU_REG_{r['name']}"
            + (
                f"(n) ({at} + {r['stride']}u * (n)) /* n < {r['count']} */"
                if r["count"] > 1
                else f" {at}"
            )
        )
        for f in r["fields"]:
            name, hi, lo = f"GMMU_REG_{r['name']}_{f['name']}", f["hi"], f["lo"]
            out.append(f"#define {name}_MASK 0x{((1 << (hi - lo + 1)) - 1) << lo:08x}u")
            out.append(f"#define {name}_SHIFT {lo}")
    out += ["", "/* Parameters of the build, read only. */"]
    out += [f"#define GMMU_PARAM_{p} 0x{params_at + 4 * i:03x}u" for i, p in enumerate(params)]
    out += [f"#define GMMU_NUM_PARAMS {len(params)}", "", "#endif"]
    return "\n".join(out) + "\n"


def table(regs, params, params_at, version):
    out = [
        f"<!-- Generated by scripts/regs.py from {SOURCE}. -->",
        "",
        "# Register map",
        "",
        f"Written by `scripts/regs.py` from `{SOURCE}`. Version {version}. How the registers "
        f"behave: [regs.md](regs.md).",
        "",
        "ro: writes change nothing. wo: reads 0. w1c: writing 1 clears. Bits without a name "
        "read 0.",
        "",
        "| offset | name | access | bits | meaning |",
        "|---|---|---|---|---|",
    ]
    for r in regs:
        at = f"0x{r['at']:03x}" + (f" + {r['stride']}n" if r["count"] > 1 else "")
        name = f"`{r['name']}`" + (f" n < {r['count']}" if r["count"] > 1 else "")
        out.append(f"| {at} | {name} | {r['access']} | | {r['text']} |")
        for f in r["fields"]:
            bits = f["hi"] if f["hi"] == f["lo"] else f"{f['hi']}:{f['lo']}"
            out.append(f"| | | | {bits} `{f['name']}` | {f['text']} |")
        if r["at"] < params_at <= min([x["at"] for x in regs if x["at"] > r["at"]] + [1 << 30]):
            last = params_at + 4 * (len(params) - 1)
            out.append(
                f"| 0x{params_at:03x} to 0x{last:03x} | parameters | ro | | in this order: "
                f"{', '.join(f'`{p}`' for p in params)} |"
            )
    return "\n".join(out) + "\n"


def main():
    regs, params, params_at, version = parse()
    try:
        rtl = regs_rtl.files(regs)
    except ValueError as e:
        die(*e.args[0])
    files = {
        **rtl,
        "rtl/common/gmmu_regs_map.svh": sv_map(regs, params, params_at, version),
        "rtl/common/gmmu_regs_params.svh": sv_params(params),
        "c_model/include/gmmu_regs.h": c_header(regs, params, params_at, version),
        "docs/regs-map.md": table(regs, params, params_at, version),
    }
    return finish("regs", files, sys.argv[1:] == ["--check"])


if __name__ == "__main__":
    sys.exit(main())
