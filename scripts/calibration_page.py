#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/calibration.md from docs/calibration.csv, the kept runs.

usage: calibration_page.py [--check]     --check: writes nothing, exits with 1 if the page is stale
       calibration_page.py keep CSV...   puts runs of `calibrate.py table`, also with --next, in
                                         place of the kept ones of the same application and size
"""

import csv
import io
import os
import sys

import calibrate
import outfile
from generated import ROOT, between, finish, read

KEPT = "docs/calibration.csv"
TEXTS = {"paper", "commit", "parameters", "kernel"}
WHOLE = {"size", "seed", "cycles", "accesses", "pages", "mismatches"}


def rows_of(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def short(key, text):
    return text if key in WHOLE | TEXTS else f"{float(text):.6g}"


def keep(paths):
    new = []
    for path in paths:
        paper = os.path.basename(path).removeprefix("calibration-").removesuffix(".csv")
        if paper not in calibrate.PAPERS:
            sys.exit(f"calibration_page: {path} is not calibration-PAPER.csv")
        new += [{"paper": paper, **r} for r in rows_of(path)]
    new = [{k: short(k, v) for k, v in r.items()} for r in new]
    if any(r["mismatches"] != "0" for r in new):
        sys.exit("calibration_page: a run has wrong translations")
    at = os.path.join(ROOT, KEPT)
    old = rows_of(at) if os.path.exists(at) else []
    of = {(r["paper"], r["kernel"], int(r["size"]), r["seed"]): r for r in [*old, *new]}
    text = io.StringIO()
    w = csv.DictWriter(text, new[0], lineterminator="\n")
    w.writeheader()
    w.writerows(of[k] for k in sorted(of))
    outfile.write(at, text.getvalue())


def tables(paper, rows, sizes):
    """Markdown of the runs at these sizes, {kernel: size}."""
    of = {
        r["kernel"]: r for r in rows if r["paper"] == paper and r["size"] == sizes.get(r["kernel"])
    }
    here = [of[k] for k in sizes if k in of]
    commits = sorted({r["commit"][:7] for r in here})
    left = [k for k in sizes if k not in of]
    text = f"{len(here)} applications, commit {', '.join(commits)}."
    text += f" Not run: {', '.join(left)}." if left else ""
    return (
        "\n\n".join(
            [text, "\n".join(calibrate.beside(paper, here)), "\n".join(calibrate.by_kernel(here))]
        )
        + "\n"
    )


def typed(r):
    number = {k: int(v) if k in WHOLE else float(v) for k, v in r.items() if k not in TEXTS}
    return {**r, **number}


def main():
    if sys.argv[1:2] == ["keep"] and sys.argv[2:]:
        keep(sys.argv[2:])
    elif sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    rows = [typed(r) for r in rows_of(os.path.join(ROOT, KEPT))]
    page = read("docs/calibration.md")
    limits = calibrate.kernels()
    for paper in calibrate.PAPERS:
        now = {k: s for k, _, s in calibrate.applications(paper)}
        more = {k: calibrate.larger(paper, k, s) for k, s in now.items()}
        more = {k: s for k, s in more.items() if s <= limits[k][1]}
        for mark, sizes in ((paper, now), (f"{paper}, next sizes", more)):
            content = tables(paper, rows, sizes)
            page = between("docs/calibration.md", page, mark, content)
    return finish("calibration_page", {"docs/calibration.md": page}, sys.argv[1:] == ["--check"])


if __name__ == "__main__":
    sys.exit(main())
