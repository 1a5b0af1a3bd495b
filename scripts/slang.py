#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The RTL in slang, a strict SystemVerilog front end (PyPI: pyslang), with its default warnings as
errors.

usage: slang.py [--only legal|illegal]        (run by scripts/slang.sh, which provides pyslang)

Legal: gmmu_top in every preset, every module of sim/gmmu.f as top with its defaults, gmmu_top and
gmmu_axi with the covergroups of tb/points, the harnesses of the benches, and the corners of
tb/elab/legal.txt: no error, no warning but those of
sim/slang.txt. Illegal: every line of tb/elab/illegal.txt is refused by the trap that it names, an
instance of a module that does not exist and whose name says the rule. Prints one line per problem
and at the end what was elaborated; exits with 1 if there is a problem."""

import argparse
import glob
import os
import re
import subprocess
import sys

import pyslang
from pyslang.driver import Driver

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Parameters of gmmu_top that make an illegal line's build small, as in tb/elab/run.sh.
SMALL = (
    "NumSms=2 L1BaseEntries=4 L1LargeEntries=4 L2LargeEntries=4 L2Entries=64 L1Mshrs=2 "
    "L2Mshrs=8 Walks=8 TagW=2".split()
)
# Harnesses that are SystemVerilog sources of a whole design: top and its files beside rtl/.
HARNESSES = {
    "gmmu_harness": ["tb/system/gmmu_harness.sv"],
    "gmmu_axi_harness": ["tb/axi/gmmu_axi_checker.sv", "tb/axi/gmmu_axi_harness.sv"],
    "gmmu_mem_harness": ["tb/l2_cache/gmmu_mem_harness.sv"],
    "gmmu_channel_harness": ["tb/channels/gmmu_channel_harness.sv"],
    "gmmu_system_harness": ["tb/memory/gmmu_system_harness.sv"],
    "gmmu_sm": sorted(
        os.path.relpath(f, ROOT) for f in glob.glob(os.path.join(ROOT, "tb/simt/gmmu_sm*.sv"))
    ),
    "gmmu_sm_mmu_harness": [
        "tb/axi/gmmu_axi_checker.sv",
        "tb/axi/gmmu_axi_harness.sv",
        "tb/simt/mmu/gmmu_sm_mmu_harness.sv",
        *sorted(
            os.path.relpath(f, ROOT) for f in glob.glob(os.path.join(ROOT, "tb/simt/gmmu_sm*.sv"))
        ),
    ],
    "gmmu_softcore_harness": [
        "tb/axi/gmmu_axi_checker.sv",
        "tb/axi/gmmu_axi_harness.sv",
        "tb/softcore/gmmu_simt.sv",
        "tb/softcore/gmmu_softcore_harness.sv",
    ],
}


def lines(path):
    """Number and text of what is not empty or a comment."""
    with open(path) as f:
        for n, line in enumerate(f, 1):
            if line.strip() and not line.startswith("#"):
                yield n, line.strip()


def exceptions():
    """-Wno-... of sim/slang.txt; each needs a reason."""
    for n, line in lines("sim/slang.txt"):
        parts = [p.strip() for p in line.split(" | ")]
        if len(parts) != 2 or not re.fullmatch(r"-Wno-[a-z-]+", parts[0]) or not parts[1]:
            sys.exit(f"sim/slang.txt:{n}: expected: -Wno-name | reason")
        yield parts[0]


def elaborate(sources, options, top, parameters):
    """What slang says; empty when it takes the design."""
    d = Driver()
    d.addStandardArgs()
    args = [
        "slang",
        "-I.",
        "-Irtl",
        "-Irtl/common",
        "-Itb/simt",
        "-Itb/points",
        "-Werror",
        "--error-limit=0",
        *options,
        *sources,
        "--top",
        top,
    ]
    args += [x for p in parameters for x in ("-G", p)]
    if not (d.parseCommandLine(" ".join(args)) and d.processOptions()):
        return "error: slang refuses its command line: " + " ".join(args)
    said = pyslang.TextDiagnosticClient()
    d.diagEngine.clearClients()
    d.diagEngine.addClient(said)
    if d.parseAllSources():
        c = d.createCompilation()
        found = list(c.getAllDiagnostics())
        if not c.hasFatalErrors:
            found += d.runAnalysis(c).getDiagnostics()
        for x in found:
            d.diagEngine.issue(x)
    return said.getString()


def presets():
    for name in sorted(os.listdir("sim/presets")):
        if name.endswith(".ini"):
            r = subprocess.run(
                ["build/bin/gmmu", "preset", name[:-4], "--rtl-flags"],
                capture_output=True,
                text=True,
                check=True,
            )
            yield name[:-4], re.findall(r"-G(\S+)", r.stdout)


def of_line(line):
    """Top and parameters of a line of legal.txt and illegal.txt."""
    words = line.split()
    return (words[0][1:], words[1:]) if words[0].startswith("@") else ("gmmu_top", words)


def legal(sources):
    for name, parameters in presets():
        yield f"preset {name}", sources, "gmmu_top", parameters
    for path in sources:
        module = os.path.basename(path)[:-3]
        if module != "gmmu_pkg":
            yield f"{module} alone", sources, module, []
    points = sorted(glob.glob("tb/points/*.sv"))
    for top in ("gmmu_top", "gmmu_axi"):
        yield f"{top} with the points of tb/points", sources + points, top, []
    for top, files in HARNESSES.items():
        yield top, sources + files, top, []
    for n, line in lines("tb/elab/legal.txt"):
        top, parameters = of_line(line)
        yield f"tb/elab/legal.txt:{n}: {line}", sources, top, parameters


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--only", choices=("legal", "illegal"))
    a = ap.parse_args()
    os.chdir(ROOT)
    sources = [text for _, text in lines("sim/gmmu.f") if text.startswith("rtl/")]
    options = list(exceptions())
    bad = accepted = refused = 0
    if a.only != "illegal":
        for what, files, top, parameters in legal(sources):
            text = elaborate(files, options, top, parameters)
            accepted += 1
            if text:
                bad += 1
                print(
                    f"slang, {what}:\n  "
                    + "\n  ".join(x for x in text.splitlines() if "error:" in x)
                )
    if a.only != "legal":
        for n, line in lines("tb/elab/illegal.txt"):
            line, _, trap = (x.strip() for x in line.partition("#"))
            top, parameters = of_line(line)
            names = [p.split("=")[0] for p in parameters]
            if top == "gmmu_top":
                parameters = [p for p in SMALL if p.split("=")[0] not in names] + parameters
            traps = re.findall(
                r"unknown module '(\w+)'", elaborate(sources, options, top, parameters)
            )
            refused += 1
            if trap not in traps:
                bad += 1
                print(
                    f"slang, tb/elab/illegal.txt:{n}: {line}: "
                    + (
                        f"refused by {', '.join(sorted(set(traps)))}, not {trap or 'a named one'}"
                        if traps
                        else "no trap refuses it"
                    )
                )
    print(
        f"slang: {accepted} elaborations without a warning, {refused} illegal settings refused"
        if not bad
        else f"slang: {bad} of {accepted + refused} elaborations are wrong"
    )
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
