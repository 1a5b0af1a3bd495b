#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks whether a proof of scripts/formal.py refutes a planted bug of scripts/mutate.py.

usage: mutate_proof.py NAME COPY [SECONDS]

NAME: of synth/formal/proofs.txt. COPY: the copy of rtl/ with all bugs behind guards; GMMU_MUT says
which one is planted (0 or nothing: none). ABC searches for a run that breaks the proof, for at most
SECONDS [5] each by bounded search and by pdr; nothing is proved, so that proofs which take minutes
take no longer. Exits with 1, and says so, when there is one; with 0 when none was found, also
when Yosys does not take the text with the bug."""

import os
import re
import shutil
import sys

import formal
import mutate_equal

ROOT = formal.ROOT


def planted(copy, number, out):
    """The copy's sources with this bug alone."""
    mutate_equal.Sources(copy).write(out, {number} if number else set(), mutate_equal.PROVED_TEXT)
    for d, _, names in os.walk(out):
        for n in names:
            path = os.path.join(d, n)
            with open(path, encoding="latin-1") as f:
                text = f.read()
            with open(path, "w", encoding="latin-1") as f:
                f.write(
                    text.replace(f" wire gmmu_mut_{number};", f" wire gmmu_mut_{number} = 1'b1;")
                )


def search(aig, seconds):
    """Cycles of a run that breaks an assertion, or None."""
    read = f"read_aiger {aig}; fold; strash; orpos; scorr; dc2; scorr"
    for script in (f"bmc3 -F 40 -T {seconds}", f"pdr -T {seconds}"):
        text = formal.abc(f"{read}; {script}", 3 * seconds)
        if found := re.search(r"Output \d+ .*was asserted in frame (\d+)", text):
            return int(found[1]) + 1
    return None


def main():
    name, copy = sys.argv[1:3]
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    number = int(os.environ.get("GMMU_MUT") or 0)
    top, params = next((p[1], p[2]) for p in formal.rows("proofs.txt", 4) if p[0] == name)
    work = os.path.join(formal.WORK, f"mutate-{name}-{number}-{os.getpid()}")
    os.makedirs(work)
    try:
        planted(os.path.join(ROOT, copy), number, work + "/rtl")
        aig = work + "/proof.aig"
        bad = formal.to_aiger(top, params.split(), 0, os.path.relpath(work + "/rtl", ROOT), aig)
        cycles = None if bad else search(aig, seconds)
    except mutate_equal.NetlistError as e:  # its guard: nothing is said about the bug
        bad, cycles = e, None
    finally:
        shutil.rmtree(work)
    if bad:
        print(f"not read: {bad}")
    if cycles:
        print(f"mismatch: the proof {name} is refuted in {cycles} cycles")
    return cycles is not None


if __name__ == "__main__":
    sys.exit(main())
