#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proofs of synth/formal/proofs.txt: Yosys to AIGER, then its ABC (fold; scorr; pdr, or dprove
where little state is left; or by induction), for runs of any length.

usage: formal.py [--limit S] [--only PREFIX] [--bugs | --first-bugs] [--short] [--json FILE]
                 [NAME...]
       formal.py --check       only that the text of every planted bug is found, once

Each proof's assumptions are shown to leave its behaviour reachable: every cover of its harness is
reached (bounded search). --bugs: plants each bug of synth/formal/bugs.txt in a copy and wants a
counterexample; --first-bugs: the first of each proof only. --short: those that proofs.txt calls
long are read by Yosys, not proved. Exit status 0 only when everything is proved, every cover
reached and every planted bug refuted. A counterexample is kept in build/formal/."""

import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import time

import filelists
import synth

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build/formal")
HERE = "synth/formal"
# Beside parameters of a harness: left out by --short; proved by induction; registers without reset
# start with 0.
WORDS = {"induct", "long", "zero"}


def rows(name, fields):
    path = os.path.join(ROOT, HERE, name)
    with open(path) as f:
        for n, line in enumerate(f, 1):
            if line.strip() and not line.startswith("#"):
                parts = [
                    p.strip()
                    for p in re.split(r"(?<=\s)\|(?=\s)", line.rstrip("\n").replace("\\|", "\0"))
                ]
                if len(parts) != fields:
                    sys.exit(f"{HERE}/{name}:{n}: {len(parts)} fields, expected {fields}")
                yield [p.replace("\0", "|") for p in parts]


OWN = re.compile(r"^module (gmmu_\w+);.*\n", re.M)


def harness(top):
    with open(os.path.join(ROOT, HERE, f"{top}.sv")) as f:
        return f.read()


def own_modules(top):
    """Modules that a harness has its own of, in place of those of rtl/ with the same names."""
    return set(OWN.findall(harness(top)))


def with_heads(top, rtl, out):
    """Writes a harness, with the parameters and ports that rtl/ gives its own modules."""
    _, modules = filelists.sources()

    def head(m):
        with open(os.path.join(ROOT, rtl, modules[m[1]].removeprefix("rtl/"))) as f:
            return re.search(r"^module .*?^\);\n", f.read(), re.M | re.S)[0]

    with open(out, "w") as f:
        f.write(OWN.sub(head, harness(top)))


def proved_modules(top):
    """Modules of rtl/ that a harness has instances of."""
    return set(filelists.instances(f"{HERE}/{top}.sv")) - own_modules(top)


@functools.lru_cache
def sources(top):
    """Files below rtl/ that a harness is made of, in the order of sim/gmmu.f, package first."""
    files, modules = filelists.sources()
    need = {"gmmu_pkg"}
    for m in proved_modules(top):
        if m not in modules:
            sys.exit(f"{HERE}/{top}.sv: no module {m} in sim/gmmu.f")
        need |= filelists.closure(m, modules)
    need -= own_modules(top)
    return [f.removeprefix("rtl/") for f in files if os.path.basename(f)[:-3] in need]


# Yosys of Debian 13 keeps assertions as one kind of cell, that of Debian 12 has one for each kind,
# which write_aiger takes.
@functools.lru_cache
def assertions():
    out = subprocess.run(
        ["yosys", "-Q", "-T", "-p", "help chformal"], capture_output=True, text=True
    ).stdout
    return "async2sync; chformal -lower; " if "-lower" in out else ""


def to_aiger(top, params, covers, rtl, out):
    """AIGER of a harness: one output for each assertion, assumptions as constraints. Or an error
    text."""
    # Not `hierarchy -chparam`: Yosys 0.23 then derives some modules twice and stops.
    values = [p for p in params if p not in WORDS]
    chparam = "".join(
        f" -set {k} {v}" for k, v in (p.split("=") for p in [*values, f"Covers={covers}"])
    )
    start = "setundef -init -zero; " if "zero" in params else ""
    files = " ".join(f"{rtl}/{s}" for s in sources(top))
    include = f"-I{rtl} -I{rtl}/common -I{HERE}"
    defines = "-DCOVERS " if covers else ""
    with_heads(top, rtl, f"{out}.sv")
    # The blocks' own assertions, and a harness's own blocks', are proved as well; among covers they
    # would stand as such.
    script = (
        f"read_verilog -defer -sv {'' if covers else '-formal'} {include} {files}; "
        f"read_verilog -defer -sv -formal {defines}{include} {out}.sv; "
        f"chparam{chparam} {top}; hierarchy -check -top {top}; "
        f"proc; flatten; {assertions()}"
        "opt -full; memory -nomap; memory_map; setundef -undriven -anyseq; setundef -anyseq; "
        "opt -full; techmap; opt -fast; setundef -undriven -anyseq; setundef -anyseq; "
        f"{start}dffunmap; aigmap; opt_clean; "
        f"write_aiger -zinit {out}"
    )
    r = subprocess.run([synth.YOSYS, "-q", "-p", script], cwd=ROOT, capture_output=True, text=True)
    return None if r.returncode == 0 else (r.stderr + r.stdout).strip().splitlines()[-1]


# The ABC that Yosys depends on: Debian 12 calls it berkeley-abc, Debian 13 yosys-abc.
ABC = shutil.which("berkeley-abc") or shutil.which("yosys-abc") or "berkeley-abc"


def abc(script, limit):
    try:
        r = subprocess.run(
            [ABC, "-q", script], cwd=WORK, capture_output=True, text=True, timeout=limit + 60
        )
    except subprocess.TimeoutExpired:
        return ""
    return r.stdout


@functools.lru_cache
def cone():
    """Takes one output with its registers: ABC of Debian 13 keeps them, that of Debian 12 by -s."""
    return "cone -s -O" if "-s " in abc("cone -h", 10) else "cone -O"


def induction(aig, limit):
    """Whether the assertions hold in the first cycles, and in the next one where they do in one or
    two; registers that are the same in both at every step are one (lcorr, not scorr: what it
    proves it takes out of the assertions, which then say too little of the cycle before)."""
    read = f"read_aiger {aig}; fold; strash; orpos; lcorr"
    return "No output asserted in 4 frames" in abc(f"{read}; bmc3 -F 4 -T {limit}", limit) and (
        "Networks are equivalent" in abc(f"{read}; ind -F 2 -T {limit}", limit)
    )


def prove(aig, limit, induct=False):
    """'proved', 'refuted in N cycles' or 'undecided'."""
    cex = aig[:-4] + ".cex"
    read = f"read_aiger {aig}; fold; strash; orpos; scorr; dc2; scorr; print_stats"
    # The short search first: a planted bug shows in a few cycles. Where (nearly) no state is left
    # it would look at the same states again and again, and pdr takes minutes for what a proof of
    # equivalence with 0 (dprove: fraiging, then SAT) sees in a second.
    text = abc(f"{read}; bmc3 -F 12 -T 2; write_cex -n {cex}", limit)
    refuted = re.search(r"Output \d+ .*was asserted in frame (\d+)", text)
    if induct and not refuted and induction(aig, limit):
        return "proved"
    state = re.search(r"lat =\s*(\d+)", text)
    if not refuted and state:
        few = int(state[1]) <= 4
        last = "sat" if int(state[1]) == 0 else f"dprove -T {limit}" if few else f"pdr -T {limit}"
        text = abc(f"{read}; {last}; write_cex -n {cex}", limit)
        refuted = re.search(r"Output \d+ .*was asserted in frame (\d+)", text)
    if refuted:
        return f"refuted in {int(refuted[1]) + 1} cycles"
    proved = r"Property proved|^UNSATISFIABLE|^Networks are equivalent"
    return "proved" if re.search(proved, text, re.M) else "undecided"


def unreached(aig, limit):
    """Numbers of the covers that no run of up to 40 cycles reaches, and how many there are. One at
    a time: ABC of Debian 12 dies of some harnesses with all of them."""
    read = f"read_aiger {aig}; fold; strash"
    outputs = int(re.search(r"i/o =\s*\d+/\s*(\d+)", abc(f"{read}; print_stats", limit))[1])
    missing = [
        n
        for n in range(outputs)
        if "was asserted in frame"
        not in abc(f"{read}; {cone()} {n}; scorr; bmc3 -F 40 -T {limit}", limit)
    ]
    return missing, outputs


def one(proof, rtl, limit, with_covers):
    name, top, params, _ = proof
    aig, start = os.path.join(WORK, f"{name}.aig"), time.time()
    bad = to_aiger(top, params.split(), 0, rtl, aig)
    if bad:
        return bad, 0, time.time() - start
    result, covers = prove(aig, limit, "induct" in params.split()), 0
    seconds = time.time() - start
    if with_covers and result == "proved":
        aig = os.path.join(WORK, f"{name}-covers.aig")
        bad = to_aiger(top, params.split(), 1, rtl, aig)
        if bad:
            return bad, 0, seconds
        missing, covers = unreached(aig, limit)
        if missing or not covers:
            result += f", but covers {missing} are not reached"
    return result, covers, seconds


def gone(bugs, proofs):
    """Problems, one line each: a bug whose text is not found once, or without its proof."""
    known = {p[0] for p in proofs}
    for name, proof, file, old, _ in bugs:
        if proof not in known:
            yield f"{name}: no proof '{proof}'"
        path = os.path.join(ROOT, "rtl", file)
        text = ""
        if os.path.exists(path):
            with open(path) as f:
                text = f.read()
        if text.count(old) != 1:
            yield f"{name}: its text occurs {text.count(old)} times in rtl/{file}"


def planted(bugs, proofs, limit):
    """Plants each bug in a copy of rtl/; lines for those that no counterexample shows."""
    for name, proof, file, old, new in bugs:
        copy = os.path.join(WORK, "rtl")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(os.path.join(ROOT, "rtl"), copy)
        with open(os.path.join(copy, file)) as f:
            text = f.read()
        if text.count(old) != 1:
            yield name, proof, f"its text occurs {text.count(old)} times in rtl/{file}", False
            continue
        with open(os.path.join(copy, file), "w") as f:
            f.write(text.replace(old, new))
        result, _, _ = one(
            next(p for p in proofs if p[0] == proof), "build/formal/rtl", limit, False
        )
        yield name, proof, result, result.startswith("refuted")


def main():
    p = argparse.ArgumentParser(usage=__doc__, add_help=False)
    p.add_argument("--limit", type=int, default=300)
    p.add_argument("--only", default="")
    p.add_argument("--bugs", action="store_true")
    p.add_argument("--first-bugs", action="store_true")
    p.add_argument("--short", action="store_true")
    p.add_argument("--check", action="store_true")
    p.add_argument("--json", default=os.path.join(ROOT, "build/reports/formal.json"))
    p.add_argument("-h", "--help", action="store_true")
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    if a.help:
        print(__doc__)
        return 0
    proofs, bugs = list(rows("proofs.txt", 4)), list(rows("bugs.txt", 5))
    if a.check:
        problems = list(gone(bugs, proofs))
        print("".join(f"formal: {x}\n" for x in problems), end="")
        return bool(problems)
    os.makedirs(WORK, exist_ok=True)
    os.makedirs(os.path.dirname(a.json), exist_ok=True)
    known = {p[0] for p in proofs}
    for n in a.names:
        if n not in known:
            sys.exit(f"formal.py: no proof '{n}'; there are: {' '.join(sorted(known))}")
    chosen = [x for x in proofs if x[0].startswith(a.only) and (not a.names or x[0] in a.names)]
    late = [x for x in chosen if a.short and "long" in x[2].split()]
    chosen = [x for x in chosen if x not in late]
    if not chosen and not late:
        sys.exit(f"formal.py: no proof begins with '{a.only}'")
    good, report = True, {"proofs": [], "bugs": []}
    print(f"{'proof':14} {'parameters':18} {'result':12} {'covers':>6} {'seconds':>8}")
    for proof in chosen:
        result, covers, seconds = one(proof, "rtl", a.limit, True)
        good &= result == "proved"
        report["proofs"].append(
            {
                "name": proof[0],
                "parameters": proof[2],
                "holds": proof[3],
                "result": result,
                "covers": covers,
                "seconds": round(seconds, 1),
            }
        )
        print(f"{proof[0]:14} {proof[2]:18} {result:12} {covers:6} {seconds:8.1f}", flush=True)
    for name, top, params, _ in late:
        bad = to_aiger(top, params.split(), 0, "rtl", os.path.join(WORK, f"{name}.aig"))
        good &= bad is None
        print(f"{name:14} {params:18} {bad or 'read, not asked'}", flush=True)
    if a.bugs or a.first_bugs:
        mine = [b for b in bugs if b[1] in {x[0] for x in chosen}]
        if a.first_bugs:
            mine = list({b[1]: b for b in reversed(mine)}.values())[::-1]
        for name, proof, result, found in planted(mine, proofs, a.limit):
            good &= found
            report["bugs"].append({"name": name, "proof": proof, "result": result})
            print(
                f"{'refuted' if found else 'NOT FOUND':10} {name:24} {proof:12} {result}",
                flush=True,
            )
        print(
            f"{sum(b['result'].startswith('refuted') for b in report['bugs'])} of {len(mine)} "
            f"planted bugs refuted"
        )
    with open(a.json, "w") as f:
        json.dump(report, f, indent=1)
    print(f"{sum(x['result'] == 'proved' for x in report['proofs'])} of {len(chosen)} proved")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
