#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The head of a page of results: below its verdict a plot, and a line that says what it was made
of. The plot's data, docs/img/plot-NAME.csv, is taken from the tables of the page itself, so
picture and tables cannot differ; scripts/pictures.py renders it. The page has two lines
`<!-- data -->` and `<!-- end of data -->`; what stands between them is written here.

usage: result_plots.py [--check]      --check: writes nothing; exits with 1 and names what is stale
"""

import hashlib
import re
import sys

from generated import between, finish, read

# Commit and date of the figures: the last one that touched the page before its plot was there.
PAGES = {
    "mesc": ("93e4244", "2026-11-21", "Speed of each kernel, of thp = 100 %, default size"),
    "mask": ("a616694", "2026-11-22", "Weighted speedup of eight pairs with L2 cache and DRAM"),
    "mosaic": ("8580a4f", "2026-11-22", "Weighted speedup of pairs against gpu-mmu, resident"),
}


def fail(text):
    sys.exit(f"result_plots: {text}")


def section(page, heading):
    m = re.search(rf"^## {re.escape(heading)}.*?\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    if not m:
        fail(f"no section '{heading}'")
    return m[1]


def number(cell):
    """What a cell says: 12.5 %, 1,234, 1.05."""
    return cell.replace("%", "").replace(",", "").strip()


def fixed(text, first):
    """Rows of a table in fixed columns below the line that begins with `first`."""
    lines = text.split("\n")
    at = next((n for n, x in enumerate(lines) if x.startswith(first)), None)
    if at is None:
        fail(f"no table '{first}'")
    for line in lines[at + 1 :]:
        if line.startswith(("```", "mean")):
            return
        yield line.split()


def piped(text, head):
    """Rows of the table whose first cell is `head`."""
    rows = [
        [c.strip() for c in x.strip().strip("|").split("|")]
        for x in text.split("\n")
        if x.startswith("|")
    ]
    at = next((n for n, r in enumerate(rows) if r[0] == head), None)
    if at is None:
        fail(f"no table '{head}'")
    return rows[at], rows[at + 2 :]


def wide(rows, series):
    """CSV of {label: {series: value}}."""
    lines = [",".join(["", *series])]
    for label, values in rows.items():
        if set(series) - set(values):
            fail(f"{label} has no {', '.join(set(series) - set(values))}")
        lines.append(",".join([label, *(values[s] for s in series)]))
    return lines


def mesc(page):
    rows = {}
    for r in fixed(section(page, "Default size, six presets"), "kernel "):
        rows.setdefault(r[0].replace("sensitiv", "sensitive"), {})[r[1]] = number(r[-1])
    return "% of thp", wide(rows, ["mesc-baseline", "colt", "full-colt", "mesc", "mesc-colt"])


def mask(page):
    rows = {}
    for r in fixed(section(page, "Memory system"), "pair "):
        rows.setdefault(r[0], {})[r[1]] = r[2]
    return "weighted speedup", wide(
        rows, ["sharedtlb", "mask-tlb", "mask-cache", "mask-dram", "mask", "ideal"]
    )


def mosaic(page):
    _, rows = piped(section(page, "Loads of two, and each application"), "pair")
    pairs = {
        r[0]: {"mosaic": r[1], "ideal": r[2]} for r in rows if re.fullmatch(r"[A-Z]+-[A-Z]+", r[0])
    }
    return "weighted speedup of gpu-mmu", wide(pairs, ["mosaic", "ideal"])


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    files = {}
    for name, (commit, date, title) in PAGES.items():
        path = f"docs/results-{name}.md"
        page = read(path)
        unit, lines = globals()[name](page)
        csv = f"# {title} | {unit}\n" + "\n".join(lines) + "\n"
        files[f"docs/img/plot-{name}.csv"] = csv
        digest = hashlib.sha256(csv.encode()).hexdigest()[:16]
        files[path] = between(
            path,
            page,
            "data",
            f"![{title}](img/plot-{name}.svg)\n\nFigures of the plot as of commit {commit}, "
            f"{date}; of the runs themselves only the tables "
            f"below were kept. The plot is made of [plot-{name}.csv](img/plot-{name}.csv), taken "
            f"from them, whose SHA-256 begins with `{digest}`.\n",
        )
    # The page of GDM is written by scripts/run_gdm.py from a data file that is kept.
    said = re.search(
        r"results-gdm.json\), whose SHA-256 begins with `([0-9a-f]{16})`",
        read("docs/results-gdm.md"),
    )
    bad = (
        not said
        or said[1] != hashlib.sha256(read("docs/results-gdm.json").encode()).hexdigest()[:16]
    )
    if bad:
        print("result_plots: docs/results-gdm.md was made of another docs/results-gdm.json")
    return finish("result_plots", files, check) or int(bad)


if __name__ == "__main__":
    sys.exit(main())
