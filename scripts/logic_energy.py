#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Energy that a lookup and a fill take in the logic of our arrays, in pJ of the cell library's
process: the lines `... logic` of sim/results/energy.txt (docs/energy.md).

usage: logic_energy.py [ARRAY...]     of l1 l2 unified msc pwc, else all; minutes

Each array is synthesised alone (scripts/synth.py --top, memories apart), then OpenSTA's
report_power with activity at the ports of a lookup, or of a fill, and at the outputs of its
memories, less the same without any: what clocks take is in neither. Low: each input changes in one
cycle of ten (OpenSTA's default); high: in every second one, as if what follows were random.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import synth  # noqa: E402

MHZ = 100  # of the report: power over it is energy, whatever it is
ACTIVITY = 0.1, 0.5
# array: (module, parameters): as in preset mesc, one port
ARRAYS = {
    "l1": ("gmmu_tlb_cam", "Entries=32 AsidW=9 PageW=36 DataW=41 Late=1 Overwrites=0"),
    "l2": ("gmmu_l2tlb_base", "Ports=1 DataW=41"),
    "unified": ("gmmu_l2tlb_unified", "Ports=1 DataW=41"),
    "msc": ("gmmu_msc", ""),
    "pwc": ("gmmu_walk_cache", ""),
}
FILL = r"fill_|insert_|bitmap_i"
REST = r"clk_i|rst_ni|sweep_|clear_i|cmd_i|flush_i"  # of neither


def synthesize(module, params):
    args = ["--abc", "short", "--no-sta", "--period", "3.33", "--jobs", "1", "--top", module]
    for p in params.split():
        args += ["--param", p]
    r = subprocess.run(["scripts/synth.py", *args], cwd=synth.ROOT, capture_output=True, text=True)
    if r.returncode:
        print(r.stdout + r.stderr, end="")
        sys.exit(r.returncode)


def apart(text):
    """A netlist without its memories, whose outputs are inputs now: report_power of Debian's
    OpenSTA ends in a segmentation fault with them."""
    nets = []
    for ram in re.findall(r"^  gmmu_ram_.*?^  \);\n", text, re.M | re.S):
        for bits in re.findall(r"\.Q\d\(\{?(.*?)\}?\)[,\n]", ram):
            nets += [x for x in bits.split(" , ") if x.strip()]
        text = text.replace(ram, "")
    nets = list(dict.fromkeys(x.strip() + " " for x in nets))
    text = text.replace("module top(", "module top(" + "".join(f"{x}, " for x in nets), 1)
    lines = [x for x in text.splitlines() if not (x.startswith("  wire ") and x[7:-1] in set(nets))]
    at = next(i for i, x in enumerate(lines) if x.startswith("  input ") or x.startswith("  wire "))
    lines[at:at] = [f"  input {x};" for x in nets]
    return "\n".join(lines) + "\n"


def tcl(netlist):
    return f"""read_liberty {synth.OSU}
read_verilog {netlist}
link_design top
create_clock -name clk -period {1000 / MHZ} [get_ports clk_i]
set_load 0.05 [all_outputs]
set look {{}}
set fill {{}}
foreach i [all_inputs] {{
  set n [string map {{\\\\ {{}}}} [get_full_name $i]]
  if {{[regexp {{^({FILL})}} $n]}} {{ lappend fill $i }} elseif \
{{![regexp {{^({REST})}} $n]}} {{ lappend look $i }}
}}
set_driving_cell -lib_cell BUFX4 [concat $look $fill]
proc power {{what a ports}} {{
  global look fill
  set_power_activity -input -activity 0 -duty 0.5
  set_power_activity -input_ports [concat $look $fill] -activity 0 -duty 0.5
  if {{$a > 0}} {{ set_power_activity -input_ports $ports -activity $a -duty 0.5 }}
  puts "OF $what $a"
  report_power -digits 6
}}
power none 0 {{}}
foreach a {{{ACTIVITY[0]} {ACTIVITY[1]}}} {{ power lookup $a $look; power fill $a $fill }}
exit
"""


def energies(name):
    """{event: (low, high)} in pJ"""
    module, params = ARRAYS[name]
    synthesize(module, params)
    with open(os.path.join(synth.OUT, f"{module}.sta.v")) as f:
        text = apart(f.read())
    netlist = os.path.join(synth.OUT, f"{module}.power.v")
    script = os.path.join(synth.OUT, f"{module}.power.tcl")
    for path, content in ((netlist, text), (script, tcl(netlist))):
        with open(path, "w") as f:
            f.write(content)
    r = subprocess.run(
        ["sta", "-exit", "-no_splash", script], cwd=synth.ROOT, capture_output=True, text=True
    )
    found = {}
    for what, a, report in re.findall(r"OF (\w+) (\S+)\n(.*?)(?=OF |\Z)", r.stdout, re.S):
        m = re.search(r"^Total\s+\S+\s+\S+\s+\S+\s+(\S+)", report, re.M)
        if m:
            found[what, float(a)] = float(m[1])
    if len(found) != 1 + 2 * len(ACTIVITY):
        sys.exit(f"logic_energy: {name}: OpenSTA: {(r.stdout + r.stderr)[-400:]}")
    pj = 1e6 / MHZ  # of a watt
    return {
        e: [(found[e, a] - found["none", 0.0]) * pj for a in ACTIVITY] for e in ("lookup", "fill")
    }


def main():
    if set(sys.argv[1:]) - set(ARRAYS):
        sys.exit(__doc__.split("usage: ")[1].strip())
    synth.need_cells(synth.OSU)
    for name in sys.argv[1:] or ARRAYS:
        for event, (low, high) in energies(name).items():
            print(f"{name} {event} logic | pJ | {low:.3g} | {high:.3g}", flush=True)


if __name__ == "__main__":
    main()
