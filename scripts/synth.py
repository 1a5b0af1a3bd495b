#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and timing of each block: Yosys with a liberty library, OpenSTA for the critical path
(docs/synthesis.md).

usage: synth.py [--preset P] [--set KEY=VALUE] [--block B,...] [--lib FILE] [--period NS]
                [--macro-bits N] [--bit-um2 A]
                [--no-sta] [--top MODULE [--param KEY=VALUE]...] [--jobs N] [--fresh]

Blocks: synth/blocks.txt. Memories of at least --macro-bits bits (default 512) are left out of the
logic and listed apart; 0: all of at most 64 Kibit are mapped to flip-flops. --bit-um2: their area
per bit, added to the table. --top: this module alone, with the parameters given. Results are kept
in build/synth/kept/ and used again while RTL, library and options are the same (--fresh: not).
Writes build/reports/synth.json and prints the tables. Exits with 1 if a block fails.
"""

import argparse
import concurrent.futures
import hashlib
import inspect
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CELLS = subprocess.run([os.path.join(ROOT, "scripts/cells.sh")], capture_output=True, text=True)
OSU = os.path.join(CELLS.stdout.strip(), "osu018_stdcells.lib") if CELLS.returncode == 0 else None
OUT = os.path.join(ROOT, "build/synth")
# abc's steps for blocks of more than QUICK_GATES gates, or marked so: its own without SAT sweeping
# and structural choices.
QUICK_GATES = 60000
QUICK = "-script +strash;dc2;&get,-n;&nf,{D};&put;buffer;upsize,{D};dnsize,{D};stime,-p"


def need_cells(lib):
    """Without a library, where Debian's is missing too: says so and exits as a skip."""
    if lib is None:
        print(CELLS.stdout.strip())
        sys.exit(CELLS.returncode)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def sources():
    """The RTL, package first, as one line."""
    with open(os.path.join(ROOT, "sim/gmmu.f")) as f:
        return " ".join(line.strip() for line in f if line.startswith("rtl/"))


def yosys(name, script):
    path = os.path.join(OUT, f"{name}.ys")
    with open(path, "w") as f:
        f.write(script)
    r = subprocess.run(
        ["yosys", "-q", "-l", os.path.join(OUT, f"{name}.log"), "-s", path],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if r.returncode:
        raise RuntimeError((r.stderr or r.stdout).strip().splitlines()[-1])


def keys(preset, sets, form, pattern):
    """{key: value} of what `gmmu preset` prints in this form."""
    args = [
        os.path.join(ROOT, "build/bin/gmmu"),
        "preset",
        preset,
        *sum((["--set", s] for s in sets), []),
    ]
    r = subprocess.run(args + [form], cwd=ROOT, capture_output=True, text=True)
    if r.returncode:
        sys.exit(r.stderr.strip())
    return {k: int(v) for k, v in re.findall(pattern, r.stdout)}


def parameters(preset, sets):
    """Those of gmmu_top."""
    return keys(preset, sets, "--rtl-flags", r"-G(\w+)=(\d+)")


def config(preset, sets):
    """Parameters of gmmu_top, keys of the memory system, and what follows from them for single
    blocks."""
    c = dict(
        parameters(preset, sets),
        **keys(preset, sets, "--json", r'"((?:Mem|Cache|Dram)\w+)": (\d+)'),
    )
    c["PfnW"] = c["PaW"] - 12
    c["MshrW"] = max(1, (c["L2Mshrs"] - 1).bit_length())
    c["PortW"] = max(1, (c["NumSms"] - 1).bit_length())
    c["RecW"] = 1 + 64 + c["AsidW"] + 2 + 1 + 4 + 5  # of a fault, with IDs of 4 bits
    c["axi"] = int(c["NumSms"] <= 4)
    if c["MemChannels"]:  # as in gmmu_memory
        c["Banks"] = c["MemChannels"] * c["CacheBanks"]
        c["LineW"] = c["PaW"] - 7 - (c["Banks"] - 1).bit_length()
        c["RowW"] = c["PaW"] - (c["MemChannels"] - 1).bit_length() - 15
        c["WalkIdW"] = max(1, (c["Walks"] - 1).bit_length())
        c["MemIdW"] = (
            max(1, (c["CacheBanks"] - 1).bit_length())
            + max(c["WalkIdW"], (c["CacheMshrs"] - 1).bit_length())
            + 2
        )
    else:
        c["CacheBypass"] = 0
    c["LargeAnswers"] = int(c["L2LargeEntries"] != 0 or c["L2Unified"] != 0)
    return c


def blocks():
    """name, module, copies, {parameter: expression}, key that must not be 0, quick: for abc"""
    with open(os.path.join(ROOT, "synth/blocks.txt")) as f:
        for n, line in enumerate(f, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [p.strip() for p in line.split("|")]
            parts += [""] * (6 - len(parts))
            if len(parts) > 6 or not parts[2] or parts[5] not in ("", "quick"):
                sys.exit(
                    f"synth/blocks.txt:{n}: expected: name | module | copies | parameters [| "
                    f"key [| quick]]"
                )
            yield (
                parts[0],
                parts[1],
                parts[2],
                dict(p.split("=") for p in parts[3].split()),
                parts[4],
                parts[5] == "quick",
            )


def part(needs):
    return {"axi": "axi", "MemChannels": "memory", "CacheBypass": "memory"}.get(needs, "mmu")


def value(expr, c):
    return int(expr) if re.fullmatch(r"\d+", expr) else c[expr]


def synthesize(name, module, params, a, quick):
    sets = " ".join(f"-set {k} {v}" for k, v in params.items())
    read = (
        f"read_verilog -sv -Irtl -Irtl/common {sources()}\n"
        + (f"chparam {sets} {module}\n" if sets else "")
        + f"hierarchy -check -top {module}\n"
    )
    # First pass: what memories are there?
    yosys(
        name + ".mem",
        read + "proc\nflatten\nopt -full\nmemory -nomap\nopt_clean\n"
        f"rename -top top\nwrite_json build/synth/{name}.mem.json\nwrite_rtlil "
        f"build/synth/{name}.il\n",
    )
    with open(os.path.join(OUT, name + ".mem.json")) as f:
        cells = json.load(f)["modules"]["top"]["cells"]
    macros, small = [], 0
    for cell, d in cells.items():
        if not d["type"].startswith("$mem"):
            continue
        p = {
            k: int(v, 2)
            for k, v in d["parameters"].items()
            if k in ("WIDTH", "SIZE", "RD_PORTS", "WR_PORTS")
        }
        bits = p["WIDTH"] * p["SIZE"]
        if bits > 65536 or (a.macro_bits and bits >= a.macro_bits):
            macros.append(
                {
                    "cell": cell,
                    "words": p["SIZE"],
                    "width": p["WIDTH"],
                    "bits": bits,
                    "reads": p["RD_PORTS"],
                    "writes": p["WR_PORTS"],
                }
            )
        else:
            small += bits
    # Second pass: macros become black boxes, the rest is mapped.
    apart = "".join(
        f"setattr -set submod \"macro{i}\" top/c:{m['cell']}\n" for i, m in enumerate(macros)
    )
    if macros:
        apart += "submod\n" + "".join(f"blackbox top_macro{i}\n" for i in range(len(macros)))
    yosys(
        name,
        f"read_rtlil build/synth/{name}.il\n{apart}hierarchy -top top\nmemory_map\nopt "
        f"-full\ntechmap\nopt\n"
        f"dfflibmap -liberty {a.lib}\nwrite_rtlil build/synth/{name}.il\ntee -q -o "
        f"build/synth/{name}.stat stat\n",
    )
    with open(os.path.join(OUT, name + ".stat")) as f:
        gates = int(re.findall(r"Number of cells:\s+(\d+)", f.read())[-1])
    quick = quick or gates > QUICK_GATES
    yosys(
        name,
        f"read_rtlil build/synth/{name}.il\nabc {QUICK if quick else ''} -D "
        f"{int(a.period * 1000)} -constr build/synth/abc.constr -liberty "
        f"{a.lib}\nopt_clean -purge\n"
        f"tee -q -o build/synth/{name}.stat stat -liberty {a.lib} -top top\n"
        f"write_json build/synth/{name}.json\nwrite_verilog -noattr build/synth/{name}.v\n",
    )
    with open(os.path.join(OUT, name + ".stat")) as f:
        stat = f.read()
    with open(os.path.join(OUT, name + ".json")) as f:
        types = [d["type"] for d in json.load(f)["modules"]["top"]["cells"].values()]
    kinds = {}
    for t in types:
        kinds[t] = kinds.get(t, 0) + 1
    if any(t.startswith("$") for t in kinds):
        raise RuntimeError(
            "cells that the library does not have: "
            + ", ".join(t for t in kinds if t.startswith("$"))
        )
    area = re.findall(r"Chip area for (?:top )?module '\\top': ([\d.]+)", stat)
    latches = sum(n for t, n in kinds.items() if t.startswith("LATCH"))
    if not area or latches:
        raise RuntimeError("no area reported" if not area else f"{latches} latches")
    return {
        "area_um2": float(area[0]),
        "cells": sum(n for t, n in kinds.items() if not t.startswith("top_macro")),
        "flip_flops": sum(n for t, n in kinds.items() if t.startswith("DFF")),
        "macros": macros,
        "mapped_memory_bits": small,
        "gates": gates,
        "quick": quick,
    }


def timing(name, a):
    """Critical path between flip-flops, with a driving cell and a load on every port. None: there
    is none."""
    # OpenSTA reads no concatenation on the left of an assignment. Yosys writes them for ports only:
    # cells name what is on the right.
    with (
        open(os.path.join(OUT, f"{name}.v")) as f,
        open(os.path.join(OUT, f"{name}.sta.v"), "w") as out,
    ):
        out.writelines(line for line in f if not line.startswith("  assign {"))
    script = os.path.join(OUT, f"{name}.sta")
    with open(script, "w") as f:
        f.write(
            f"read_liberty {a.lib}\nread_verilog build/synth/{name}.sta.v\nlink_design top\n"
            f"create_clock -name clk -period {a.period} [get_ports clk_i]\n"
            "set_driving_cell -lib_cell BUFX4 [all_inputs]\nset_load 0.05 [all_outputs]\n"
            "report_checks -path_delay max -format summary\nreport_checks -path_delay max "
            "-format full\nexit\n"
        )
    r = subprocess.run(
        ["sta", "-exit", "-no_splash", script], cwd=ROOT, capture_output=True, text=True
    )
    with open(os.path.join(OUT, f"{name}.timing"), "w") as f:
        f.write(r.stdout + r.stderr)
    slack = re.findall(r"(-?[\d.]+)\s+slack", r.stdout)
    start = re.findall(r"Startpoint: (\S+)", r.stdout)
    end = re.findall(r"Endpoint: (\S+)", r.stdout)
    if not slack:
        return None
    path = a.period - float(slack[0])
    return {
        "path_ns": round(path, 3),
        "fmax_mhz": round(1000 / path, 1),
        "from": start[0],
        "to": end[0],
    }


def digest(module):
    """Of the sources that this module is made of (with their headers and the package), and of what
    is done with them."""
    text, headers, common, h = {}, {}, "", hashlib.sha256()
    for d, _, files in sorted(os.walk(os.path.join(ROOT, "rtl"))):
        for f in sorted(files):
            if f.endswith((".sv", ".svh")):
                with open(os.path.join(d, f)) as x:
                    s = x.read()
                if f.endswith(".svh"):
                    headers[f] = s
                elif f == "gmmu_pkg.sv":
                    common = s
                else:
                    text[f[:-3]] = s  # one module a file, of its name
    todo, used = [module], set()
    while todo:
        m = todo.pop()
        used.add(m)
        todo += [
            n
            for n in re.findall(r"\bgmmu_\w+", text.get(m, ""))
            if n in text and n not in used and n not in todo
        ]
    source = common + "".join(text.get(m, "") for m in sorted(used))
    for name in sorted(set(re.findall(r'`include "(\w+\.svh)"', source))):
        source += headers[name]
    h.update(source.encode())
    h.update(
        "".join(inspect.getsource(f) for f in (synthesize, timing, prepare)).encode()
        + f"{QUICK_GATES} {QUICK}".encode()
    )
    return h.hexdigest()


def run_block(stem, module, params, a, quick=False):
    """Synthesis and timing, or what is kept of them. Raises RuntimeError."""
    with open(a.lib, "rb") as f:
        lib = hashlib.sha256(f.read()).hexdigest()
    key = hashlib.sha256(
        json.dumps(
            [
                digest(module),
                lib,
                module,
                sorted(params.items()),
                a.period,
                a.macro_bits,
                a.no_sta,
                quick,
            ]
        ).encode()
    ).hexdigest()[:24]
    kept = os.path.join(OUT, "kept", f"{key}.json")
    if not a.fresh and os.path.exists(kept):
        with open(kept) as f:
            return json.load(f)
    r = synthesize(stem, module, params, a, quick)
    r["timing"] = None if a.no_sta else timing(stem, a)
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    with open(kept + ".new", "w") as f:
        json.dump(r, f)
    os.replace(kept + ".new", kept)
    return r


def prepare(a):
    """Folders, and the constraints of abc: with a driving cell and a load it buffers and sizes.
    Area of a NAND2."""
    need_cells(a.lib)
    if not os.path.exists(a.lib):
        sys.exit(f"synth: no liberty file {a.lib}")
    os.makedirs(OUT, exist_ok=True)
    os.makedirs(os.path.join(ROOT, "build/reports"), exist_ok=True)
    with open(os.path.join(OUT, "abc.constr"), "w") as f:
        f.write("set_driving_cell BUFX4\nset_load 50.0 [all_outputs]\n")
    with open(a.lib) as f:
        return float(
            re.search(r"cell\s*\(\s*NAND2X1\s*\)\s*\{.*?area\s*:\s*([\d.]+)", f.read(), re.S).group(
                1
            )
        )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--preset", default="fpga-small")
    ap.add_argument("--set", action="append", default=[])
    ap.add_argument("--block", default="")
    ap.add_argument("--lib", default=OSU)
    ap.add_argument("--period", type=float, default=5.0, help="ns, also abc -D")
    ap.add_argument("--macro-bits", type=int, default=512)
    ap.add_argument("--no-sta", action="store_true")
    ap.add_argument(
        "--bit-um2", type=float, default=0, help="area of a bit of the memories that are left out"
    )
    ap.add_argument("--top", default="")
    ap.add_argument("--param", action="append", default=[])
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--fresh", action="store_true")
    a = ap.parse_args()
    nand2 = prepare(a)
    c = config(a.preset, a.set)
    wanted = [b for b in a.block.split(",") if b]
    known = list(blocks())
    if a.top:
        if not re.fullmatch(r"gmmu_\w+", a.top) or not all(
            re.fullmatch(r"\w+=\d+", p) for p in a.param
        ):
            sys.exit("synth: --top is a module of rtl/, --param a KEY=VALUE")
        known = [(a.top, a.top, "1", dict(p.split("=") for p in a.param), "", False)]
    elif a.param:
        sys.exit("synth: --param needs --top")
    for b in wanted:
        if b not in [k[0] for k in known]:
            sys.exit(f"synth: no block '{b}'; there are: {', '.join(k[0] for k in known)}")
    rows, bad, todo = [], 0, []
    pool = concurrent.futures.ThreadPoolExecutor(a.jobs)
    for name, module, copies, params, needs, quick in known:
        if (wanted and name not in wanted) or (needs and not c.get(needs)):
            continue
        values = {k: value(v, c) for k, v in params.items()}
        todo.append(
            (
                name,
                module,
                copies,
                needs,
                values,
                pool.submit(run_block, name, module, values, a, quick),
            )
        )
    for n, (name, module, copies, needs, values, job) in enumerate(todo):
        progress(f"{name}, preset {a.preset}, {n + 1} of {len(todo)}")
        try:
            r = job.result()
        except RuntimeError as e:
            progress("")
            print(f"synth: {name}: {e}", file=sys.stderr)
            bad += 1
            continue
        rows.append(
            dict(
                block=name,
                module=module,
                part=part(needs),
                copies=value(copies, c),
                parameters=values,
                nand2=round(r["area_um2"] / nand2),
                **r,
            )
        )
    progress("")
    print(
        f"preset {a.preset}, {os.path.basename(a.lib)}, clock {a.period} ns; memories of "
        f"{a.macro_bits} bits and more apart"
        if a.macro_bits
        else f"preset {a.preset}, {os.path.basename(a.lib)}, clock {a.period} "
        f"ns; memories in flip-flops"
    )
    print(
        f"{'block':12} {'copies':>6} {'area um2':>10} {'NAND2':>8} {'cells':>8} {'FFs':>7} "
        f"{'macro bits':>10} {'path ns':>8} "
        f"{'Fmax MHz':>8}"
    )
    if not wanted and not bad:
        rows.sort(key=lambda r: ("mmu", "memory", "axi").index(r["part"]))
    for r in rows:
        t = r["timing"] or {"path_ns": float("nan"), "fmax_mhz": float("nan")}
        print(
            f"{r['block']:12} {r['copies']:6} {r['area_um2']:10.0f} {r['nand2']:8} "
            f"{r['cells']:8} {r['flip_flops']:7} "
            f"{sum(m['bits'] for m in r['macros']):10} {t['path_ns']:8.2f} {t['fmax_mhz']:8.1f}"
        )
    sums = (
        {} if wanted or bad or a.top else {"sum, gmmu_top": [r for r in rows if r["part"] == "mmu"]}
    )
    if sums and any(r["part"] == "axi" for r in rows):
        sums["gmmu_axi"] = [r for r in rows if r["part"] != "memory"]
    if sums and any(r["part"] == "memory" for r in rows):
        sums["gmmu_memory"] = [r for r in rows if r["part"] == "memory"]
    for what, of in sums.items():
        print(
            f"{what:19} {sum(r['area_um2'] * r['copies'] for r in of):10.0f} "
            f"{sum(r['nand2'] * r['copies'] for r in of):8} "
            f"{sum(r['cells'] * r['copies'] for r in of):8} "
            f"{sum(r['flip_flops'] * r['copies'] for r in of):7} "
            f"{sum(m['bits'] * r['copies'] for r in of for m in r['macros']):10}"
        )
    if a.bit_um2:
        for r in rows:
            bits = sum(m["bits"] for m in r["macros"])
            r["macro_um2"] = bits * a.bit_um2
            print(
                f"  {r['block']}: with {bits} memory bits of {a.bit_um2} um2: "
                f"{r['area_um2'] + r['macro_um2']:.0f} um2"
            )
    for r in rows:
        groups = {}
        for m in r["macros"]:
            k = (
                re.sub(r"\[\d+\]", "[]", m["cell"]),
                m["words"],
                m["width"],
                m["reads"],
                m["writes"],
            )
            groups[k] = groups.get(k, 0) + 1
        for (cell, words, width, rd, wr), n in sorted(groups.items()):
            print(f"  {r['block']}: {n} x {words} x {width} bits, {rd} read {wr} write  {cell}")
    out = os.path.join(ROOT, "build/reports/synth.json")
    with open(out + ".new", "w") as f:
        json.dump(
            {
                "preset": a.preset,
                "lib": os.path.basename(a.lib),
                "period_ns": a.period,
                "macro_bits": a.macro_bits,
                "nand2_um2": nand2,
                "blocks": rows,
            },
            f,
            indent=1,
        )
        f.write("\n")
    os.replace(out + ".new", out)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
