#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/img on a copy of the tree: what is kept passes; a changed source, a picture
changed by hand, a missing one, one without a source, one that no page shows, a page of a block that
shows none, and a source that renders to something else are each named. A planted change of a state
machine and of a block's wiring makes its drawing stale. (scripts/pictures.py, state_machines.py,
block_diagrams.py, timing_diagrams.py)"""

import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPY = os.path.join(ROOT, "build/tb/pictures/tree")
bad, checks = [], 0


def expect(what, ok, seen=""):
    global checks
    checks += 1
    if not ok:
        bad.append(what)
        print(f"pictures: {what}" + (f"\n{seen.strip()[-600:]}" if seen else ""))


def run(*args):
    r = subprocess.run(args, cwd=COPY, capture_output=True, text=True)
    return r.returncode, r.stdout + r.stderr


def text(path):
    with open(os.path.join(COPY, path)) as f:
        return f.read()


def change(path, old, new):
    """Writes the change; returns what undoes it."""
    before = text(path)
    if old not in before:
        sys.exit(f"FAIL {path} has no '{old}'")
    with open(os.path.join(COPY, path), "w") as f:
        f.write(before.replace(old, new, 1))
    return path, before


def undo(saved):
    with open(os.path.join(COPY, saved[0]), "w") as f:
        f.write(saved[1])


def named(what, says, *args):
    rc, out = run(*args)
    expect(f"{what}: not named", rc == 1 and says in out and "Traceback" not in out, out)


def main():
    shutil.rmtree(COPY, ignore_errors=True)
    for d in ("docs", "scripts", "rtl", "synth", "tb/simt", "tb/axi", "tb/pictures", "sim"):
        shutil.copytree(
            os.path.join(ROOT, d),
            os.path.join(COPY, d),
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    shutil.copy(os.path.join(ROOT, "README.md"), COPY)
    os.makedirs(os.path.join(COPY, "build"))
    for made in ("pictures", "slang", "bin"):  # bin: results' pages ask the program for sizes
        at = os.path.join(ROOT, "build", made)
        if os.path.isdir(at):
            os.symlink(at, os.path.join(COPY, "build", made))
    # what hashes and pages say needs no renderer: a fiftieth of the time
    quick = ("scripts/pictures.py", "--check")
    check = ("scripts/pictures.sh", "--check")
    rc, out = run(*check)
    skipped = []
    if rc == 77:
        skipped.append("wavedrom")
        check = quick
        rc, out = run(*check)
    expect("the kept pictures do not pass", rc == 0, out)

    saved = change("docs/img/states-invalidate.dot", "MARK -> SWEEP", "MARK -> L1")
    named("a changed source", "states-invalidate.svg was made of another", *quick)
    undo(saved)
    saved = change("docs/img/time-l1_hit.json", '"wave": "0', '"wave": "1')
    named("a changed recording", "time-l1_hit.svg was made of another", *quick)
    undo(saved)
    saved = change("docs/img/block-top.svg", "u_walker", "u_talker")
    named("a picture changed by hand", "block-top.svg is not as it was made", *quick)
    undo(saved)
    saved = change("docs/l1_tlb.md", "(img/time-l1_hit.svg)", "(img/time-l1_miss.svg)")
    named("a picture on no page", "no page shows docs/img/time-l1_hit.svg", *quick)
    undo(saved)
    saved = change("docs/epoch.md", "](img/block-epoch.svg)", "](epoch.md)")
    named("a page of a block without a picture", "docs/epoch.md shows no block diagram", *quick)
    undo(saved)
    os.rename(f"{COPY}/docs/img/layers.svg", f"{COPY}/build/layers.svg")
    named("a missing picture", "layers.dot has no picture", *quick)
    os.rename(f"{COPY}/build/layers.svg", f"{COPY}/docs/img/layers.svg")
    os.rename(f"{COPY}/docs/img/layers.dot", f"{COPY}/build/layers.dot")
    named("a picture without a source", "layers.svg has no source", *quick)
    os.rename(f"{COPY}/build/layers.dot", f"{COPY}/docs/img/layers.dot")
    pages = ("scripts/workflow_pages.py", "--check")
    rc, out = run(*pages)
    expect("the pages of the results are not what their data give", rc == 0, out)
    stale = "stale, run scripts/workflow_pages.py"
    saved = change("docs/results-mesc.md", "| ATAX | sensitive | 0.", "| ATAX | sensitive | 1.")
    named("a changed number of a table", stale, *pages)
    undo(saved)
    saved = change("docs/results-mask.csv", ",sharedtlb,", ",static,")
    named("another data file", stale, *pages)
    undo(saved)
    saved = change("docs/results.md", "| [MESC]", "| [MESC] ")
    named("a changed table of docs/results.md", stale, *pages)
    undo(saved)
    sys.path.insert(0, f"{COPY}/scripts")
    import pictures

    gdm = ("scripts/run_gdm.py", "page")
    rc, out = run(*gdm)
    expect("GDM's page is not what its data gives", rc == 0, out)
    saved = change("docs/results-gdm.md", "| kmeans | 16 | 230.1", "| kmeans | 16 | 231.1")
    named("a changed number of GDM's page", "gives: its tables of scales", *gdm)
    undo(saved)
    saved = change("docs/results-gdm.json", "--run backprop --policy base", "--run x")
    named("a run that is gone from GDM's data", "gives: has no run --run backprop", *gdm)
    undo(saved)
    saved = change("docs/results-gdm.md", "| ends, results right |", "| crashes in iteration 9 |")
    named("a changed result of theano", "gives: its tables of theano", *gdm)
    undo(saved)
    saved = change(
        "docs/results-gdm.md", "| hotspot+mpe: mpe | 1688.6", "| hotspot+mpe: mpe | 1688.7"
    )
    named("a changed number of full size", "gives: its tables of full", *gdm)
    undo(saved)
    area = ("scripts/area.py", "--check")
    rc, out = run(*area)
    expect("docs/area.md is not what its data gives", rc == 0, out)
    saved = change("docs/area.md", "| fpga-small | l1_tlb | 1 | 2", "| fpga-small | l1_tlb | 1 | 3")
    named("a changed number of the areas", "docs/area.md is not what docs/area.json gives", *area)
    undo(saved)
    for page, old, new, says in (
        (
            "results-gdm",
            "\n5. ",
            "\n\n5. ",
            "does not open with a verdict of five lines and a plot",
        ),
        ("area", "![share of the blocks](area.svg)\n", "", "does not open with a verdict"),
        ("results-mask", "SHA-256 begins with", "hash begins with", "does not say the hash"),
    ):
        saved = change(f"docs/{page}.md", old, new)
        named(f"docs/{page}.md without its head", f"docs/{page}.md {says}", *quick)
        undo(saved)
    for plot in pictures.PLOTS:
        saved = change(plot, 'width="', 'width="1')
        named(f"a changed {plot}", f"{plot} is not as it was made", *quick)
        undo(saved)
    saved = change("docs/area.json", '"fmax_mhz"', '"fmax_mhz" ')
    named("other data of the areas", "area.svg was made of another docs/area.json", *quick)
    undo(saved)
    with open(f"{COPY}/docs/loose.svg", "w") as f:
        f.write("<svg/>\n")
    named("a picture of nobody", "docs/loose.svg has no source", *quick)
    os.remove(f"{COPY}/docs/loose.svg")
    # Both hashes right, and yet another picture: found only where its renderer is.
    kept = text("docs/img/layers.svg")
    m = pictures.STAMP.match(kept)
    if m[2] == pictures.graphviz():
        rest = kept[m.end() :].replace("cocoa.c", "coco.c", 1)
        forged = kept[: m.start()] + m[0].replace(m[4], pictures.digest(rest)) + rest
        saved = change("docs/img/layers.svg", kept, forged)
        named("a picture of something else", "layers.svg is not what", *check)
        undo(saved)
    else:
        skipped.append("graphviz of the version that drew the pictures")

    rc, out = run("scripts/slang.sh", "--program", "scripts/state_machines.py", "--check")
    if rc == 77:
        skipped.append("slang")
    else:
        before = {
            d: text(f"docs/img/{d}")
            for d in os.listdir(f"{COPY}/docs/img")
            if d.startswith(("states-", "block-")) and d.endswith(".dot")
        }
        run("scripts/slang.sh", "--program", "scripts/state_machines.py")
        saved = change(
            "rtl/ctrl/gmmu_invalidate.sv",
            "ST_CLEAR: state_d = ST_L1;",
            "ST_CLEAR: state_d = ST_DONE;",
        )
        named(
            "a changed state machine",
            "stale",
            "scripts/slang.sh",
            "--program",
            "scripts/state_machines.py",
            "--check",
        )
        undo(saved)
        rc, out = run("scripts/slang.sh", "--program", "scripts/state_machines.py", "--check")
        expect("a state machine that is as before is stale", rc == 0, out)
        draw = ("scripts/slang.sh", "--program", "scripts/block_diagrams.py")
        run(*draw, "dram")
        rc, out = run(*draw, "--check", "dram")
        expect("a block that is as before is stale", rc == 0, out)
        saved = change("rtl/mem/gmmu_dram.sv", ") u_ctrl (", ") u_controller (")
        named("a changed block", "block-dram.dot is older than the RTL", *draw, "--check", "dram")
        undo(saved)
        expect("nothing was drawn", len(before) > 15)
    # That the kept diagrams are what the scenes give today: scripts/lint.sh.
    saved = change(
        "scripts/timing_diagrams.txt", "_scene == 2 and req_valid", "_scene == 22 and req_valid"
    )
    rc, out = run("scripts/timing_diagrams.py", "--check")
    expect(
        "an event that does not come is not named", rc == 1 and "l1_hit: no such event" in out, out
    )
    undo(saved)
    if bad:
        print(f"FAIL {len(bad)} of {checks} checks")
        return 1
    print(f"PASS {checks} checks" + (f", without {', '.join(skipped)}" if skipped else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
