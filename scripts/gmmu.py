# SPDX-License-Identifier: Apache-2.0
"""The program `gmmu`, called by scripts."""

import json
import os
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = os.path.join(ROOT, "build/bin/gmmu")


def sh(*args, mismatches=False):
    """Standard output of a program; a failure ends the script with its command and message, with
    `mismatches` unless it is mismatches only."""
    r = subprocess.run(args, cwd=ROOT, capture_output=True, text=True)
    if r.returncode and not (mismatches and "mismatches:" in r.stdout):
        sys.exit(f"{' '.join(args)}\n{(r.stderr or r.stdout).strip()}")
    return r.stdout


def run(preset, backend, traces, *more, sets=(), mismatches=False):
    """What `gmmu run --json` gives; traces: one, or several parted by commas. With `mismatches` a
    run that has some counts, too: they stand in what it gives."""
    out = os.path.join(ROOT, f"build/reports/run-{os.getpid()}-{threading.get_ident()}.part")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    args = [GMMU, "run", "--preset", preset, "--backend", backend, "--trace", traces, *more]
    for s in sets:
        args += ["--set", s]
    try:
        sh(*args, "--json", out, mismatches=mismatches)
        with open(out) as f:
            return json.load(f)
    finally:
        if os.path.exists(out):
            os.remove(out)
