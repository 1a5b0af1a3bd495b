#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make synth hides nothing: memories with more read ports than an SRAM has are in the area, paths
through RAMs are timed, a planted long path is the one that is reported. Part of the test synth;
the planted block is tb/synth/gmmu_planted.sv."""

import json
import os
import subprocess
import sys

import synth

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def planted(reads, ram, steps, *more):
    """The block through the flow: its row, and what was printed."""
    params = [f"--param={k}={v}" for k, v in (("Reads", reads), ("Ram", ram), ("Steps", steps))]
    top = ["--source", "tb/synth/gmmu_planted.sv", "--top", "gmmu_planted"]
    r = subprocess.run(
        ["scripts/synth.py", *top, *params, *more], cwd=ROOT, capture_output=True, text=True
    )
    if r.returncode:
        sys.exit(r.stdout + r.stderr)
    with open(os.path.join(ROOT, "build/reports/synth.json")) as f:
        return json.load(f)["blocks"][0], r.stdout


def refused(*args):
    """What it says of a run that fails."""
    r = subprocess.run(["scripts/synth.py", *args], cwd=ROOT, capture_output=True, text=True)
    return r.stdout + r.stderr if r.returncode else ""


def check(right, what, row):
    if not right:
        sys.exit(f"make synth: {what}: {json.dumps(row)}")


def main():
    text = refused(
        "--source", "tb/synth/gmmu_planted.sv", "--top", "gmmu_planted", "--param=Undef=1"
    )
    check("undef" in text, "a bit that is not there is any value", text)
    two, _ = planted(2, 0, 1)
    inner = two["timing"]["inner"]
    check(len(two["macros"]) == 1 and not two["mapped"], "two read ports are no RAM", two)
    check(
        inner["to"].startswith("rdata_o") and inner["ns"] > 1.5,
        "a port that reads without a clock: index to word is not timed",
        two,
    )
    three, text = planted(3, 0, 1, "--no-sta", "--macro-bits=64")
    check(
        not three["macros"]
        and len(three["mapped"]) == 1
        and three["flip_flops"] >= two["flip_flops"] + 64 * 8
        and "in flip-flops  words_q" in text,
        "a memory with three read ports is left out",
        three,
    )
    long, _ = planted(2, 0, 20)
    inner, slack = long["timing"]["inner"], long["timing"]["slack"]
    check(
        inner["to"].startswith("end_q[")
        and inner["to_src"].startswith("tb/synth/gmmu_planted.sv:")
        and inner["from"].split("[")[0] in ("begin_q", "key_q")
        and any(v.startswith("chain[") for v in inner["via"])
        and inner["ns"] > 3
        and inner["gates"] >= 20,
        "the planted path is not the one that is reported",
        long,
    )
    check(
        sum(n for _, n in slack["bins"]) == slack["ends"] > long["flip_flops"]
        and min(slack["bins"])[0] <= 5 - inner["ns"] < min(slack["bins"])[0] + slack["bin_ns"],
        "the slacks are not those of all end points",
        long,
    )
    for more, low, high in ((), 1.8, 2.2), (("--ram-access=3", "--ram-setup=1"), 4.0, 4.4):
        ram, text = planted(2, 1, 1, *more)
        inner = ram["timing"]["inner"]
        check(
            inner["from"].startswith("gen_ram.u_first.gen_memory.mem/Q0")
            and inner["to"].startswith("gen_ram.u_second.gen_memory.mem/A0")
            and low <= inner["ns"] < high,
            "from RAM to RAM: not access and set-up",
            ram,
        )
    small, _ = planted(2, 1, 1, "--no-sta", "--macro-bits=2048")
    check(
        not small["macros"] and small["clock_gates"] >= 256 + 64,
        "the words of small RAMs are not behind clock gates",
        small,
    )
    # abc gets the period without what a flip-flop takes before and after the logic
    for ff in ("0.35", "1"):
        planted(2, 1, 1, "--no-sta", "--fresh", f"--ff-ns={ff}")
        with open(os.path.join(ROOT, "build/synth/gmmu_planted.ys")) as f:
            check(f" -D {round(5000 - 1000 * float(ff))} " in f.read(), f"abc's -D with {ff}", ff)
    # the first script of abc that keeps to the period, else the fastest of all
    own = f"--period=9.{os.getpid()}"  # of which nothing is kept of another run
    planted(2, 0, 20, own, "--abc=balanced")
    kept = set(os.listdir(os.path.join(ROOT, "build/synth/kept")))
    in_time, _ = planted(2, 0, 20, own)
    check(
        kept == set(os.listdir(os.path.join(ROOT, "build/synth/kept"))),
        "what closes by the first script hangs on those behind it",
        in_time,
    )
    tried = {
        k: planted(2, 0, 20, "--period=2", f"--abc={k}")[0]
        for k in ("closing", *synth.ABC["closing"])
    }
    late = {k: r["timing"]["path_ns"] for k, r in tried.items()}
    least = min(late.values())
    check(
        in_time["steps"] == "balanced"
        and least > 2
        and late["closing"] == least == late[tried["closing"]["steps"]],
        "not the fastest of what was tried",
        (in_time["steps"], late, tried["closing"]["steps"]),
    )
    none = subprocess.run(
        [os.path.join(ROOT, "scripts/synth.py"), "--ff-ns=5"], capture_output=True, text=True
    )
    check(
        none.returncode == 1 and len(none.stderr.splitlines()) == 1 and not none.stdout,
        "a period that flip-flops fill passes",
        none.stderr,
    )
    check("since the last kept run: " in text and " ns (+" in text, "no word of a change", text)
    print("memories, a long path, RAM to RAM, a change, scripts of abc: all as they are")


if __name__ == "__main__":
    main()
