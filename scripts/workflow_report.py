#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The report of a plan's runs: one HTML file that loads nothing from outside.

usage: workflow_report.py PLAN TABLE.csv OUT.html     (by scripts/workflow.sh, which has matplotlib)

For each paper its verdict, then tables and plots of what was run, then what of the paper was not.
"""

import csv
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calibrate  # noqa: E402
import workflow_items  # noqa: E402
import workflow_html as html  # noqa: E402
import workflow_plan  # noqa: E402
import workflow_stats  # noqa: E402


def section(paper, name, rows):
    module = workflow_items.PAPERS[paper]
    title = module.TITLE
    found = module.make(rows)
    items = found.items
    parts = [f'<h2 id="{paper}">{html.esc(title)}</h2>', html.listing(found.verdict)]
    if found.signs:
        parts.append("<h3>Printed numbers, and what explains the differences</h3>")
        parts.append(html.table(*workflow_items.differences(found)))
    parts += [f"<p>{html.esc(x)}</p>" for x in found.why]
    for item in filter(None, items.values()):
        parts.append(f"<h3>{html.esc(item.title)}</h3>")
        if item.plot:
            parts.append(html.plot(f"{title}, {item.title}", *item.plot))
        parts.append(html.table(item.head, item.rows))
        if item.notes:
            parts.append(f'<p class="note">{html.esc(item.notes)}</p>')
    missing = [(of, said) for of, _, said in workflow_items.of_paper(paper, items) if said]
    if missing:
        parts.append("<h3>Not run</h3>")
        parts.append(html.table(["of the paper", "what"], missing))
    left = workflow_plan.left_out(workflow_plan.SYSTEM[paper], name)
    if left:
        parts.append(
            f'<p class="note">Applications of docs/calibration.md that this plan leaves out as too '
            f"long: {html.esc(', '.join(left))}.</p>"
        )
    return parts


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("usage: ")[1].strip())
    name, table, out = sys.argv[1:]
    p = workflow_plan.PLANS[name]
    with open(table, newline="") as f:
        rows = workflow_stats.read(list(csv.DictReader(f)))
    commits = sorted({r["commit"] for r in rows})
    parts = [
        f"<h1>gmmu: results, plan {html.esc(name)}</h1>",
        f"<p>{len(rows)} runs of the timed model, which has the RTL's cycles, at commit "
        f"{html.esc(', '.join(commits))} (+: with changes that are not committed); seeds "
        f"{html.esc(', '.join(f'{k} {len(v)}' for k, v in p['seeds'].items()))}, with a cycle "
        "more or less of MemHop; ± is half of what lies between the seeds' least and largest "
        "mean. The system around the MMU and the sizes are those of docs/calibration.md, chosen "
        "by the papers' baselines alone; pairs were drawn by seed "
        f"{workflow_plan.DRAW}. What differs from a printed number by no more than the spread is "
        "called inside it. Columns headed paper hold only numbers printed in the papers.</p>",
        "<nav>"
        + "".join(
            f'<a href="#{k}">{html.esc(m.TITLE)}</a>'
            for k, m in workflow_items.PAPERS.items()
            if any(r["paper"] == k for r in rows)
        )
        + "</nav>",
    ]
    for paper in workflow_items.PAPERS:
        of = [r for r in rows if r["paper"] == paper]
        parts += section(paper, name, of) if of else []
    parts.append('<h2 id="system">System around the MMU</h2>')
    parts.append(
        html.table(
            ["paper", "parameters"],
            [[k, " ".join(calibrate.parameters(k))] for k in calibrate.PAPERS],
        )
    )
    part = f"{out}.{os.getpid()}.part"
    with open(part, "w") as f:
        f.write(html.page(f"gmmu results: {name}", parts))
    os.replace(part, out)


if __name__ == "__main__":
    main()
