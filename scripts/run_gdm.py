#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""GDM's evaluation (section 6) on `gmmu gdm`; writes docs/results-gdm.md.

usage: run_gdm.py check        every pair and program once: who must end does, with right results
                               (no tables)
       run_gdm.py page         nothing is run or written: is the page what the file of results
                               beside it gives? Verdict and tables
       run_gdm.py [PART...]    tables of: pairs kept why misses faults heuristics sensitivity
                               theano dos seeds shares more scales [all], and the page (misses: the
                               paper's figures that are missed; more: experiments over the shares);
                               full: full size, an hour and 5 GB, only where it is named
                               (`run_gdm.py all full`)
A page is written if pairs and kept are among them; it says what is missing.
options: --scale N [64], --reps N [2], --jobs N [2], --seed S [1], --dma-shares F,F [1,0.5,1.5],
         --no-page (print only), --short (pairs, kept, theano once each, printed only),
         --rest FILE (runs that are not done and stand in that file of results, of earlier sources,
         are taken from there; the page says how many, and how those that were repeated came out)

Results are kept in build/reports/gdm by options and sources: a run that was stopped goes on where
it was. The page carries the hash of the file beside it that has what the tables are made of. What
stands in the page below its mark is kept. The last line is `mismatches: N`; exits with 1 if N is
not 0.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import gdm_experiments as experiments  # noqa: E402
import gdm_misses  # noqa: E402
import gdm_tables as tables  # noqa: E402
import plotting  # noqa: E402
from gdm_plan import ALL, BELOW, PARTS, SHARES, need, need_kept, share  # noqa: E402
from gdm_runs import BENCHMARKS, GROUP1, GROUP2, Kept, Runs, commit, crashed  # noqa: E402
from gdm_tables import Tables, name, verdict  # noqa: E402

PAGE = os.path.join(ROOT, "docs/results-gdm.md")
DATA = os.path.join(ROOT, "docs/results-gdm.json")
MARK = "<!-- What follows is written by hand and kept. -->\n"


def plot():
    """The picture of the page, from its file of results (scripts/pictures.py writes it)."""
    runs = kept()
    collect(runs, ["pairs"])
    t = Tables(runs)
    plt = plotting.begin("docs/results-gdm.svg")
    fig, ax = plt.subplots(figsize=(12, 4))
    systems = (("gdev", "#999999"), ("base", "#d9a441"), ("sig", "#2f6db5"), ("hw", "#3c9a54"))
    for i, (s, colour) in enumerate(systems):
        v = [t.throughput(p, s) for p in GROUP1]
        x = [k + (i - 1.5) * 0.2 for k in range(len(GROUP1))]
        ax.bar(
            x,
            [a or 0 for a in v],
            0.19,
            color=colour,
            label={"sig": "gdm, signatures", "hw": "gdm, hardware bits"}.get(s, s),
        )
        for k, a in enumerate(v):
            if a is None:
                ax.text(x[k], 0.01, "X", ha="center", color="#b00000")
    ax.set_xticks(range(len(GROUP1)), [name(p).replace("+", "\n") for p in GROUP1])
    ax.set_ylabel("weighted speedup")
    ax.legend(ncol=4, loc="upper center")
    ax.set_ylim(0, 2.2)
    fig.tight_layout()
    return plotting.end(plt, fig)


def check(a):
    """Both dirty sources end every pair with right results; none fails each of the first group;
    theano and the malicious program."""
    runs = Runs(a.scale, 1, a.jobs, a.seed, verify=True)
    for p in GROUP1:
        runs.need(p, "none")
    for p in GROUP1 + GROUP2:
        for s in ("sig", "hw", "base", "gdev"):
            runs.need(p, s)
    for p in BENCHMARKS:
        runs.need((p, "malicious"), "sig")
        runs.need((p, "malicious"), "hw", "--faults", "on")
    for s in ("sig", "hw"):
        runs.need(("theano",), s)
    runs.do()
    bad = []
    for args, r in runs.wanted.items():
        fails, system = crashed(r), args[3]
        must_fail = system == "none"
        may_fail = system == "gdev" and tuple(args[1].split("+")) in GROUP1
        if r["mismatches"] or not all(
            x["compared"] or x["error"] for x in r["apps"] if x["name"] != "malicious"
        ):
            bad.append(f"wrong results: {r['args']}")
        if bool(fails) != must_fail and not may_fail:
            bad.append(f"{', '.join(fails) or 'nobody'} crashed: {r['args']}")
    print("\n".join(bad) if bad else f"{len(runs.wanted)} runs as they must be")
    print(f"mismatches: {runs.mismatches()}")
    return 1 if bad or runs.mismatches() else 0


TABLES = {
    p: next(getattr(m, p) for m in (tables, experiments, gdm_misses) if hasattr(m, p))
    for p in PARTS
}


def collect(runs, parts):
    """All runs that the parts are made of: some follow from the results of others."""
    need(runs, parts)
    runs.do()
    if "kept" in parts:
        need_kept(runs, parts)
        runs.do()
    if "shares" in parts:
        for p, x in experiments.below(Tables(runs)):
            for _, extra in BELOW:
                runs.need(p, "sig", *share(x), *extra)
        runs.do()


def kept():
    """The runs of the file of results, with the settings that the page says; none if it does
    not."""
    with open(PAGE) as f:
        settings = re.search(r"--scale (\d+) --reps (\d+) --seed (\d+)", f.read())
    return Kept(DATA, *map(int, settings.groups())) if settings else None


def page():
    """Says where the page's verdict and tables are not what its file of results gives."""
    with open(PAGE) as f:
        text = f.read()
    bad = []
    try:
        runs = kept()
        if not runs:
            raise RuntimeError("it does not say its settings")
        left = re.search(r"^Not run for this page: ([^(]*) \(", text, re.M)
        parts = [p for p in PARTS if not left or p not in left[1].split(", ")]
        collect(runs, parts)
        for p in parts:
            t = Tables(runs)
            TABLES[p](t)
            if "\n".join(t.out) not in text:
                bad.append(f"its tables of {p}")
        bad += [f"'{line[:40]}...'" for line in verdict(t) if line not in text]
        with open(DATA, "rb") as f:
            digest = hashlib.sha256(f.read()).hexdigest()[:16]
        if f"whose SHA-256 begins with `{digest}`" not in text:
            bad.append("its hash")
    except (OSError, RuntimeError, ValueError, KeyError) as e:
        bad.append(str(e))
    for x in bad:
        print(f"run_gdm: docs/results-gdm.md is not what docs/results-gdm.json gives: {x}")
    return 1 if bad else 0


def write_page(a, runs, parts, t):
    kept_text = ""
    if os.path.exists(PAGE):
        with open(PAGE) as f:
            kept_text = f.read().partition(MARK)[2]
    digest = runs.write(DATA)
    shown = " ".join(["all", "full"] if "full" in parts and len(parts) == len(PARTS) else parts)
    head = [
        "# Results beside GDM's",
        "",
        *verdict(t),
        "",
        "![Throughput of the pairs above 1400 MB](results-gdm.svg)",
        "",
        f"Written by `scripts/run_gdm.py {shown} --scale {a.scale} --reps {a.reps} --seed "
        f"{a.seed}`: sizes and times divided by {a.scale}, "
        f"{len(runs.wanted)} runs of `gmmu gdm`, "
        f"{sum(r['seconds'] for r in runs.wanted.values()) / 60:.0f} minutes on a loaded machine, "
        "with the "
        f"sources of {commit()}.{runs.taken_over()} Made of [results-gdm.json](results-gdm.json), "
        f"whose SHA-256 begins with `{digest}`: one run a line, with its options (`gmmu gdm "
        "OPTIONS`) and the "
        "hash of the sources. The shares of DMA, kernel and CPU time are **assumed** "
        "([gdm-benchmarks.md](gdm-benchmarks.md)): Figure 6 is not "
        "in the paper's text. \"Paper\" holds only what its text and tables print. Rules of the "
        "manager: [gdm.md](gdm.md).",
        "",
    ]
    left = [p for p in PARTS if p not in parts]
    if left:
        head += [
            f"Not run for this page: {', '.join(left)} (`scripts/run_gdm.py {' '.join(left)}`).",
            "",
        ]
    with open(PAGE + ".new", "w") as f:
        f.write("\n".join(head + t.out) + MARK + kept_text)
    os.replace(PAGE + ".new", PAGE)
    if subprocess.run([os.path.join(ROOT, "scripts/pictures.sh")], check=False).returncode:
        print("run_gdm: the plot is not drawn: make pictures")


def main():
    ap = argparse.ArgumentParser(usage=__doc__, add_help=True)
    ap.add_argument("parts", nargs="*")
    ap.add_argument("--scale", type=int, default=64)
    ap.add_argument("--reps", type=int)
    ap.add_argument("--dma-shares", default="1,0.5,1.5")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--no-page", action="store_true")
    ap.add_argument("--short", action="store_true")
    ap.add_argument("--rest")
    a = ap.parse_args()
    a.reps = a.reps or (1 if a.short else 2)
    try:
        if a.parts == ["check"]:
            sys.exit(check(a))
        if a.parts == ["page"]:
            sys.exit(page())
        SHARES[:] = a.dma_shares.split(",")
        if SHARES[0] != "1":
            sys.exit("run_gdm.py: --dma-shares must begin with 1")
        asked = a.parts or (["pairs", "kept", "theano"] if a.short else ["all"])
        for p in asked:
            if p not in PARTS and p != "all":
                sys.exit(f"run_gdm.py: no part '{p}'; there are: check page all {' '.join(PARTS)}")
        parts = [p for p in PARTS if p in asked or ("all" in asked and p in ALL)]
        runs = Runs(a.scale, a.reps, a.jobs, a.seed, rest=a.rest)
        collect(runs, parts)
    except (OSError, RuntimeError) as e:
        sys.exit(f"run_gdm.py: {e}")
    t = Tables(runs)
    for p in parts:
        TABLES[p](t)
    if a.no_page or a.short or not {"pairs", "kept"} <= set(parts):
        print("\n".join(t.out))
    else:
        write_page(a, runs, parts, t)
    print(f"mismatches: {runs.mismatches()}")
    sys.exit(1 if runs.mismatches() else 0)


if __name__ == "__main__":
    main()
