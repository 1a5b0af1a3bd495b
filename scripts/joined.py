#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Timing of gmmu_top in whole presets: the netlists of its blocks, joined by what gmmu_top has
around them: docs/joined.json, of which docs/area.md has a table.

usage: joined.py [--presets P,...] [--keep] [options of the flow, as of synth.py]

Each block is synthesised as in scripts/synth.py, by itself, what is around the blocks likewise with
the blocks as black boxes; then OpenSTA reads all of it, the L1 TLB once per SM. Unlike in a block's
row no path ends at its ports, and unlike in a flat top nothing was optimised across them. Netlists
stay in build/joined/PRESET/ and are used again while synth.py would use its results again. A
preset of 30 SMs has some three million cells. Rows of presets that are not run stay; --keep
leaves docs/ alone.
Exit status 1 when something cannot be read."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import outfile
import paths
import synth

ROOT = synth.ROOT
DATA = os.path.join(ROOT, "docs/joined.json")
PRESETS = ("mosaic", "mask", "mesc")
TCL = """
foreach p [find_timing_paths -path_delay max -endpoint_count 1 -group_count 1000000 -slack_max 0] {
  set pins {}
  foreach q [get_property $p points] { lappend pins [get_full_name [get_property $q pin]] }
  puts "PATH [get_property $p slack] [join $pins { }]"
}
foreach p [find_timing_paths -path_delay max -endpoint_count 1 -group_count 1] {
  set pins {}
  foreach q [get_property $p points] { lappend pins [get_full_name [get_property $q pin]] }
  puts "WORST [get_property $p slack] [join $pins { }]"
}
exit
"""


def block(folder, name, module, values, a):
    """Netlist of a block as module gmmu_block_NAME; what synth.synthesize says of it."""
    key = synth.keys_of(module, values, a)[0][-1]
    made = os.path.join(folder, name + ".made.json")
    if os.path.exists(made):
        with open(made) as f:
            r = json.load(f)
        if r["key"] == key:
            return r
    stem = f"joined-{name}"
    r = synth.synthesize(stem, module, values, a)
    with open(f"{synth.OUT}/{stem}.sta.v") as f, open(f"{folder}/{name}.v", "w") as g:
        for line in f:
            g.write(re.sub(r"^module top\(", f"module gmmu_block_{name}(", line))
    shutil.move(f"{synth.OUT}/{stem}.json", f"{folder}/{name}.json")
    r["key"] = key
    outfile.write(made, json.dumps(r))
    return r


def around(folder, params, modules, a):
    """JSON netlist of gmmu_top with the blocks as black boxes."""
    sets = " ".join(f"-set {k} {v}" for k, v in params.items())
    gates = synth.gate_cells(a.lib)
    defines = f"-DGMMU_GATE_CELLS -DGMMU_GATE_BITS={a.macro_bits} "
    out = os.path.join(folder, "around.json")
    synth.yosys(
        "joined-around",
        f"read_verilog -lib {gates}\nread_verilog -sv {defines}-Irtl -Irtl/common "
        f"{' '.join(synth.sources_of('gmmu_top'))}\nchparam {sets} gmmu_top\n"
        "hierarchy -check -top gmmu_top\n"
        + "".join(f"blackbox *{m}*\n" for m in modules)
        + "proc\nflatten\nopt -full\nmemory\nopt -full\ntechmap\nopt\n"
        f"dfflibmap -liberty {a.lib}\ntechmap -map {gates}\nopt_clean\n"
        f"abc {synth.STEPS['balanced']} -D {synth.logic_ps(a)} -constr build/synth/abc.constr "
        f"-liberty {a.lib}\nopt_clean -purge\nrename -enumerate t:*X1 t:*X2 t:*X4 t:*X8\n"
        f"rename -top top\nwrite_json {out}\n",
    )
    with open(out) as f:
        return json.load(f)["modules"]["top"]


def join(folder, top, modules):
    """top.v: the cells around the blocks and the blocks' instances. {instance: block}"""
    ports = {}
    for name in modules.values():
        with open(f"{folder}/{name}.v") as f:
            head = f.read(4_000_000).split(");", 1)[0]
        ports[name] = set(x.strip() for x in re.findall(r"\\\S+ |\w+", head.split("(", 1)[1]))

    def net(bit):
        return f"n{bit}" if isinstance(bit, int) else f"1'b{bit if bit in '01' else 0}"

    def port(name, i, width):
        return name if width == 1 else f"\\{name}[{i}] "

    outer = [
        (port(n, i, len(p["bits"])), bit, p["direction"])
        for n, p in top["ports"].items()
        for i, bit in enumerate(p["bits"])
    ]
    lines = [f"module top({', '.join(n for n, _, _ in outer)});"]
    lines += [f"  {d} {n};" for n, _, d in outer]
    bits = {b for c in top["cells"].values() for v in c["connections"].values() for b in v}
    bits |= {b for _, b, _ in outer}
    lines += [f"  wire n{b};" for b in sorted(b for b in bits if isinstance(b, int))]
    lines += [
        f"  assign {net(b)} = {n};" if d == "input" else f"  assign {n} = {net(b)};"
        for n, b, d in outer
    ]
    instances = {}
    for cell, d in top["cells"].items():
        name = next((n for m, n in modules.items() if re.search(rf"\\?{m}\b", d["type"])), None)
        if name is None:
            conn = [f".{p}({net(b[0])})" for p, b in d["connections"].items() if b]
            lines.append(f"  {d['type']} \\{cell} ({', '.join(conn)});")
            continue
        conn = []
        for p, bs in d["connections"].items():
            for i, b in enumerate(bs):
                to = port(p, i, len(bs))
                if to.strip() not in ports[name]:
                    raise RuntimeError(f"{name}: no port {to}")
                conn.append(f".{to}({net(b)})")
        inst = re.sub(r"\W+", "_", cell)
        instances[inst] = name
        lines.append(f"  gmmu_block_{name} {inst} ({', '.join(conn)});")
    with open(f"{folder}/top.v", "w") as f:
        f.write("\n".join([*lines, "endmodule", ""]))
    return instances


def run(preset, a):
    folder = os.path.join(ROOT, "build/joined", preset)
    os.makedirs(folder, exist_ok=True)
    c = synth.config(preset, [])
    made, modules = {}, {}
    for name, module, _, params, needs in synth.blocks():
        if needs == "never" or synth.part(needs) != "mmu" or (needs and not c.get(needs)):
            continue
        synth.progress(f"{preset}: {name}")
        values = {k: synth.value(v, c) for k, v in params.items()}
        made[name], modules[module] = block(folder, name, module, values, a), name
    synth.progress(f"{preset}: what is around the blocks")
    params = {k: synth.value(str(v), c) for k, v in synth.parameters(preset, [], bare=True).items()}
    top = around(folder, params, modules, a)
    instances = join(folder, top, modules)
    rams = [m for r in made.values() for m in r["macros"]]
    paths.liberty(rams, a.ram_access, a.ram_setup, f"{folder}/rams.lib")
    lines = [
        f"read_liberty {a.lib}",
        f"read_liberty {folder}/rams.lib",
        *(f"read_verilog {folder}/{n}.v" for n in made),
        f"read_verilog {folder}/top.v",
        "link_design top",
        f"create_clock -name clk -period {a.period} [get_ports clk_i]",
        "set_driving_cell -lib_cell BUFX4 [all_inputs]",
        "set_load 0.05 [all_outputs]",
        "set_clock_gating_check -setup 0 -hold 0",
        TCL,
    ]
    outfile.write(f"{folder}/top.sta", "\n".join(lines) + "\n")
    synth.progress(f"{preset}: OpenSTA")
    r = subprocess.run(
        ["sta", "-exit", "-no_splash", f"{folder}/top.sta"], capture_output=True, text=True
    )
    wrong = re.search(r"^Error.*", r.stdout + r.stderr, re.M)
    # paths come by groups, those to clock gates in one of their own
    found = [
        (float(s), p.split()) for s, p in re.findall(r"^(?:PATH|WORST) (\S+) (.*)$", r.stdout, re.M)
    ]
    worst = min(found, default=None)
    if r.returncode or wrong or not worst:
        raise RuntimeError("OpenSTA: " + (wrong[0] if wrong else f"status {r.returncode}"))
    lists = {n: paths.Netlist(f"{folder}/{n}.json") for n in made}

    def of(pin):
        """A pin in the names of the source."""
        inst, _, rest = pin.replace("\\", "").partition("/")
        if inst not in instances:
            return pin
        return f"{inst}.{lists[instances[inst]].of_pin(rest)[0]}".replace("\\", "")

    slack, pins = worst
    blocks = list(dict.fromkeys(p.partition("/")[0] for p in pins if "/" in p))
    return {
        "ns": round(a.period - slack, 3),
        "from": of(pins[0]),
        "to": of(pins[-1]),
        "through": [instances.get(b, "gmmu_top") for b in blocks],
        "gates": (len(pins) - 2) // 2,
        "late": sum(s < 0 for s in {p[-1]: s for s, p in found}.values()),
        "cells": sum(made[name]["cells"] for name in instances.values()),
        "sms": c["NumSms"],
        "commit": synth.commit(),
    }


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--presets", default=",".join(PRESETS))
    ap.add_argument("--keep", action="store_true")
    ap.add_argument("--period", type=float, default=3.33)
    synth.options(ap)
    a = ap.parse_args()
    synth.need_cells(synth.OSU)
    a.lib, a.macro_bits, a.source = synth.OSU, 512, []
    synth.prepare(a)
    data = {}
    if os.path.exists(DATA) and not a.keep:
        with open(DATA) as f:
            data = json.load(f)
    for preset in a.presets.split(","):
        try:
            data[preset] = run(preset, a)
        except RuntimeError as e:
            synth.progress("")
            sys.exit(f"joined: {preset}: {e}")
        if not a.keep:
            outfile.write(DATA, json.dumps(data, indent=1) + "\n")
    synth.progress("")
    for preset, r in data.items():
        print(
            f"{preset:10} {r['sms']:3} SMs {r['ns']:6.2f} ns, {r['late']} end points too late; "
            f"{r['from']} -> {' -> '.join(r['through'])} -> {r['to']}, {r['gates']} gates"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
