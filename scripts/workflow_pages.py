#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/results-mask.md, -mosaic.md, -mesc.md, -all.md and the table of docs/results.md, from the
runs that are kept in docs/results-PAPER.csv (plan `pages` of the results workflow,
docs/results.md); the table of docs/energy.md, from sim/results/energy.txt.

usage: workflow_pages.py [--check]       writes the parts between the marks of these pages and the
                                         data of their plots; --check: nothing, exits with 1 and
                                         names what is stale
       workflow_pages.py --take TABLE.csv       keeps a table of `scripts/workflow.sh pages` first

A page's part stands between its lines `<!-- data -->` and `<!-- end of data -->`. The plots' data,
docs/img/plot-PAPER*.csv, are rendered by scripts/pictures.sh.
"""

import collections
import csv
import hashlib
import io
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import workflow_energy  # noqa: E402
import workflow_items  # noqa: E402
import workflow_plan  # noqa: E402
import workflow_run  # noqa: E402
import workflow_stats  # noqa: E402
from generated import between, finish, read  # noqa: E402

PLAN = "pages"
# Not in the kept data: what is the same for all runs of a paper (sim/calibration) or its name.
# And what only some papers need.
ONLY = {
    "mesc": (*workflow_run.ENERGY, *workflow_run.MEMORY),
    "mosaic": workflow_run.PAGED,
}
DROPPED = {
    p: ("paper", "parameters", *(k for q, of in ONLY.items() if q != p for k in of))
    for p in workflow_items.PAPERS
}
SAME = "A row says which. "
# Items with a plot: the first at the top of the page, others with their tables.
PLOTS = {
    "mask": ["groups"],
    "mosaic": ["loads", "paging", "faults"],
    "mesc": ["speed", "thp", "regions", "energy"],
    "all": ["beside"],
}


def data(paper):
    return f"docs/results-{paper}.csv"


def take(path):
    """{path: content} of the kept data."""
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    out = {}
    for paper in workflow_items.PAPERS:
        of = [
            {k: v for k, v in r.items() if k not in DROPPED[paper]}
            for r in rows
            if r["paper"] == paper
        ]
        if not of:
            sys.exit(f"workflow_pages: {path} has no run of {paper}")
        text = io.StringIO()
        w = csv.DictWriter(text, of[0], lineterminator="\n")
        w.writeheader()
        w.writerows(of)
        out[data(paper)] = text.getvalue()
    return out


def table(head, rows):
    def line(cells):
        return "| " + " | ".join(str(c) for c in cells) + " |"

    return "\n".join([line(head), "|" + "---|" * len(head), *map(line, rows)]) + "\n"


def bars(title, plot):
    """The plot's CSV; a series' spread stands in a column NAME ±."""
    axis, series, groups = plot
    head = [x for name, _, _ in series for x in (name, f"{name} ±")]
    lines = [f"# {title} | {axis}", ",".join(["", *head])]
    for i, group in enumerate(groups):
        cells = [f"{x:.5g}" for _, v, h in series for x in (v[i], h[i] if h[i] == h[i] else 0)]
        lines.append(",".join([str(group).replace(",", ""), *cells]))
    return "\n".join(lines) + "\n"


def said(rows, paper, text):
    commits = collections.Counter(r["commit"] for r in rows)
    dates = sorted({r["date"] for r in rows})
    seeds = sorted({r["seed"] for r in rows})
    hops = [workflow_plan.hop(paper) + workflow_plan.HOPS[s] for s in seeds]
    p = workflow_plan.PLANS[PLAN]
    system = workflow_plan.SYSTEM[paper]
    left = workflow_plan.left_out(system, PLAN)
    planned = [r for r in workflow_plan.plan(PLAN, keyed=False) if r["paper"] == paper]
    return (
        f"{len(rows)} runs of the timed model, which has the RTL's cycles, every translation "
        f"right; commit {', '.join(f'{c} ({commits[c]})' for c in sorted(commits))}, "
        f"{' to '.join(dict.fromkeys((dates[0], dates[-1])))}. "
        + (SAME if len(commits) > 1 else "")
        + f"Seeds {', '.join(map(str, seeds))}, each with a "
        f"`MemHop` of its own ({', '.join(map(str, hops))} cycles), as hardly anything else "
        "in a run is random "
        "([calibration](calibration.md#spread)); ± is half of what lies between the seeds' least "
        "and largest mean, and what is without it has one seed. System and sizes: "
        f"`sim/calibration/{system}.ini`, `sim/workloads/calibrated.txt`, chosen by the papers' "
        "baselines alone. "
        + (
            f"Applications of more than {p['most']:,} warp accesses are left out: "
            f"{', '.join(left)}. "
            if left
            else ""
        )
        + ("" if paper == "mesc" else f"Pairs are drawn by seed {workflow_plan.DRAW}. ")
        + missing(planned, rows)
        + "Written by `scripts/workflow.sh pages` "
        "([how](results.md)) and `scripts/workflow_pages.py` from "
        f"[results-{paper}.csv](results-{paper}.csv), a line for each run with commit, date, seed, "
        "what is varied and its figures, whose SHA-256 begins with "
        f"`{hashlib.sha256(text.encode()).hexdigest()[:16]}`."
        + (
            ' Columns and rows headed "paper" hold only numbers that are printed there.\n'
            if workflow_items.PAPERS[paper].OF_PAPER
            else "\n"
        )
    )


def missing(planned, rows):
    """What the plan has and the kept data do not."""

    def paging_of(r):
        return workflow_plan.paging_of(" ".join(r["options"]))

    def kind(r):
        if paging_of(r) in workflow_plan.PAGINGS:
            return f"paging `{paging_of(r)}`"
        if r["vary"]:
            return f"`{r['vary']}`"
        if r["what"] == "split":
            return "best split"
        if r["what"] == "regions":
            return "regions of memory"
        fragmented = {"--foreign"} & set(r["options"]) or "memhog" in " ".join(r["options"])
        return "fragmented memory" if fragmented else f"{len(r['load'])} at once, seed {r['seed']}"

    keys = ("what", "preset", "sms", "vary", "options", "load", "seed")
    have = {tuple(r[k] for k in keys) for r in rows}
    count = collections.Counter()
    for r in planned:
        sms, load = "+".join(map(str, r["sms"])), tuple(workflow_plan.load_text(r).split("+"))
        options = " ".join(r["options"])
        if (r["what"], r["preset"], sms, r["vary"], options, load, r["seed"]) not in have:
            count[kind(r)] += 1
    if not count:
        return ""
    what = ", ".join(f"{k} ({n})" for k, n in count.items())
    return f"The plan `{PLAN}` has {count.total()} runs more, which were not made: {what}. "


def plot_of(paper, name):
    extra = f"-{name}" if name != PLOTS[paper][0] else ""
    return f"plot-{paper}{extra}"


def page(paper, text):
    """(the part between the marks, {path: a plot's data}, rows of the table of signs)"""
    module = workflow_items.PAPERS[paper]
    rows = workflow_stats.read(list(csv.DictReader(io.StringIO(text))))
    found = module.make(rows)
    items = found.items
    plots, pictures = {}, {}
    for name in PLOTS[paper]:
        if items[name]:
            title = f"{module.TITLE}: {items[name].title.partition(':')[2].strip()}"
            title = title if ":" in items[name].title else f"{module.TITLE}: {items[name].title}"
            plots[f"docs/img/{plot_of(paper, name)}.csv"] = bars(title, items[name].plot)
            pictures[name] = f"![{title}](img/{plot_of(paper, name)}.svg)\n"
    parts = ["".join(f"{i}. {line}\n" for i, line in enumerate(found.verdict, 1))]
    parts.append(pictures.pop(PLOTS[paper][0]))
    parts.append(said(rows, paper, text))
    far = workflow_items.differences(found)
    if far[1]:
        parts.append("## Printed numbers, and what explains the differences\n")
        parts.append(table(*far))
    parts += [f"{x}\n" for x in found.why]
    for name, item in items.items():
        if not item:
            continue
        parts.append(f"## {item.title}\n")
        if name in pictures:
            parts.append(pictures[name])
        parts.append(table(item.head, item.rows))
        if item.notes:
            parts.append(f"{item.notes}\n")
    where = [
        [of, f"[above](#{anchor(title)})" if title else "not run", missing]
        for of, title, missing in workflow_items.of_paper(paper, items)
    ]
    if where:
        parts.append("## Of the paper\n")
        parts.append(table(["table or figure", "here", ""], where))
    return "\n".join(parts) + "\n", plots, far


def anchor(title):
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def main():
    args = sys.argv[1:]
    if args not in ([], ["--check"]) and not (len(args) == 2 and args[0] == "--take"):
        sys.exit(__doc__.split("usage: ")[1].strip())
    files = take(args[1]) if args[:1] == ["--take"] else {}
    for paper in workflow_items.PAPERS:
        if data(paper) not in files:
            files[data(paper)] = read(data(paper))
    lines = []
    for paper, module in workflow_items.PAPERS.items():
        path = f"docs/results-{paper}.md"
        part, plots, (head, rows) = page(paper, files[data(paper)])
        files[path] = between(path, read(path), "data", part)
        files.update(plots)
        lines += [[f"[{module.TITLE.partition(' ')[0]}](results-{paper}.md)", *r] for r in rows]
    path = "docs/results.md"
    files[path] = between(path, read(path), "data", table(["of", *head], lines))
    path = "docs/energy.md"
    files[path] = between(path, read(path), "data", table(*workflow_energy.assumptions()))
    return finish("workflow_pages", files, args == ["--check"])


if __name__ == "__main__":
    sys.exit(main())
