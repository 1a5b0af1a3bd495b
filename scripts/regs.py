#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what follows from rtl/ctrl/regs.txt: constants for the RTL, a C header, a table for the documentation.

usage: regs.py [--check]     --check: writes nothing; exits with 1 and names the files that are stale
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = "rtl/ctrl/regs.txt"
SPDX = "SPDX-License-Identifier: Apache-2.0"


def die(line, what):
    sys.exit(f"regs: {SOURCE}:{line}: {what}")


def parse():
    regs, params, version, used = [], [], None, {}
    params_at = None

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
        elif m := re.fullmatch(r"reg (\w+) (0x[0-9a-f]+) (ro|rw|wo|w1c)(?: (\d+) (\d+))? \| (.+)", line):
            params_open = False
            reg = {"name": m[1], "at": int(m[2], 16), "access": m[3], "count": int(m[4] or 1), "stride": int(m[5] or 0),
                   "text": m[6], "fields": []}
            for i in range(reg["count"]):
                claim(n, reg["at"] + i * reg["stride"], reg["name"])
            regs.append(reg)
        elif m := re.fullmatch(r"params (0x[0-9a-f]+)", line):
            params_at, params_open = int(m[1], 16), True
        elif (m := re.fullmatch(r"  (\w+) (\d+)(?::(\d+))? \| (.+)", line)) and regs and not params_open:
            hi = int(m[2])
            lo = int(m[3]) if m[3] else hi
            if hi > 31 or lo > hi:
                die(n, f"field {m[1]}: bits {hi}:{lo}")
            regs[-1]["fields"].append((m[1], hi, lo, m[4]))
        elif line.startswith("  ") and params_at is not None and params_open:
            for name in line.split():
                claim(n, params_at + 4 * len(params), name)
                params.append(name)
        else:
            die(n, f"not understood: {line.strip()}")
    if version is None or params_at is None:
        die(1, "version or params missing")
    return regs, params, params_at, version


def sv_map(regs, params, params_at, version):
    out = [f"// {SPDX}", f"// gmmu_regs_map.svh: offsets of the registers. Written by scripts/regs.py from {SOURCE}.",
           f"  localparam logic [31:0] REG_MAP_VERSION = 32'd{version};"]
    for r in regs:
        out.append(f"  localparam logic [12:0] REG_{r['name']} = 13'h{r['at']:04x};")
    out.append(f"  localparam logic [12:0] REG_PARAMS = 13'h{params_at:04x};")
    out.append(f"  localparam int NumParams = {len(params)};")
    return "\n".join(out) + "\n"


def sv_params(params):
    out = [f"// {SPDX}", f"// gmmu_regs_params.svh: the parameters that software reads, number 0 lowest. Written by scripts/regs.py from {SOURCE}.",
           f"  localparam int NumParams = {len(params)};", "  localparam int ParamsW = NumParams * 32;", "  localparam logic [ParamsW-1:0] ParamWords ="]
    out += [(f"    (ParamsW'({p}) << {32 * i})" if i else f"    ParamsW'({p})") + (" |" if i + 1 < len(params) else ";") for i, p in enumerate(params)]
    return "\n".join(out) + "\n"


def c_header(regs, params, params_at, version):
    out = [f"/* {SPDX} */", f"/* gmmu_regs.h - registers of gmmu_regs (docs/regs-map.md). Written by scripts/regs.py from {SOURCE}. */",
           "#ifndef GMMU_REGS_H", "#define GMMU_REGS_H", "", f"#define GMMU_REGS_VERSION {version}u", "#define GMMU_REGS_BYTES 0x2000u",
           "#define GMMU_REGS_ID 0x554d4d47u", ""]
    for r in regs:
        at = f"0x{r['at']:03x}u"
        out.append(f"#define GMMU_REG_{r['name']}" + (f"(n) ({at} + {r['stride']}u * (n)) /* n < {r['count']} */" if r["count"] > 1 else f" {at}"))
        for f, hi, lo, _ in r["fields"]:
            name = f"GMMU_REG_{r['name']}_{f}"
            out.append(f"#define {name}_MASK 0x{((1 << (hi - lo + 1)) - 1) << lo:08x}u")
            out.append(f"#define {name}_SHIFT {lo}")
    out += ["", "/* Parameters of the build, read only. */"]
    out += [f"#define GMMU_PARAM_{p} 0x{params_at + 4 * i:03x}u" for i, p in enumerate(params)]
    out += [f"#define GMMU_NUM_PARAMS {len(params)}", "", "#endif"]
    return "\n".join(out) + "\n"


def table(regs, params, params_at, version):
    out = ["# Register map", "", f"Written by `scripts/regs.py` from `{SOURCE}`. Version {version}. How the registers behave: [regs.md](regs.md).", "",
           "ro: writes change nothing. wo: reads 0. w1c: writing 1 clears. Bits without a name read 0.", "",
           "| offset | name | access | bits | meaning |", "|---|---|---|---|---|"]
    for r in regs:
        at = f"0x{r['at']:03x}" + (f" + {r['stride']}n" if r["count"] > 1 else "")
        name = f"`{r['name']}`" + (f" n < {r['count']}" if r["count"] > 1 else "")
        out.append(f"| {at} | {name} | {r['access']} | | {r['text']} |")
        out += [f"| | | | {hi if hi == lo else f'{hi}:{lo}'} `{f}` | {t} |" for f, hi, lo, t in r["fields"]]
        if r["at"] < params_at <= min([x["at"] for x in regs if x["at"] > r["at"]] + [1 << 30]):
            last = params_at + 4 * (len(params) - 1)
            out.append(f"| 0x{params_at:03x} to 0x{last:03x} | parameters | ro | | in this order: {', '.join(f'`{p}`' for p in params)} |")
    return "\n".join(out) + "\n"


def main():
    regs, params, params_at, version = parse()
    files = {
        "rtl/common/gmmu_regs_map.svh": sv_map(regs, params, params_at, version),
        "rtl/common/gmmu_regs_params.svh": sv_params(params),
        "c_model/include/gmmu_regs.h": c_header(regs, params, params_at, version),
        "docs/regs-map.md": table(regs, params, params_at, version),
    }
    with open(os.path.join(ROOT, "rtl/gmmu_axi.sv")) as f:
        built = set(re.findall(r"^  parameter int (\w+)", f.read(), re.M))
    if built != set(params):
        die(1, f"parameters of gmmu_axi and of the list differ: {', '.join(sorted(built ^ set(params)))}")
    stale = []
    for path, text in files.items():
        full = os.path.join(ROOT, path)
        if os.path.exists(full) and open(full).read() == text:
            continue
        stale.append(path)
        if "--check" not in sys.argv[1:]:
            with open(full, "w") as f:
                f.write(text)
    if "--check" in sys.argv[1:] and stale:
        print(f"regs: stale, run scripts/regs.py: {', '.join(stale)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
