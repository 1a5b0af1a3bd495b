# SPDX-License-Identifier: Apache-2.0
"""What scripts/coverage.py says of functional points: which were reached, a page, a table."""

import html
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def judge(modules, counts, skip):
    """Of the functional points of those modules, {(file, label): count}: by file and group
    [reached, points, excluded], those that are unreached as unreached.txt names them, the
    exclusions that were needed, and what points.html says of each."""
    rows, unreached, used, told = {}, [], set(), []
    for m in modules:
        for label, (line, group, name) in m.points.items():
            n = counts.get((m.name, label), 0)
            row = rows.setdefault(m.name, {}).setdefault(group, [0, 0, 0])
            key = (m.name, "point", f"{group}.{name}")
            if not n and key in skip:
                used.add(key)
                row[2] += 1
            else:
                row[1] += 1
                row[0] += n > 0
                if not n:
                    unreached.append(f"{m.name}:{line} | point | {key[2]}")
            told.append((m.name, line, key[2], n, skip.get(key, "") if not n else ""))
    return rows, unreached, used, told


def page(path, told):
    """A line for each functional point, unreached ones first in their group."""
    with open(path, "w") as f:
        f.write(
            "<!DOCTYPE html><meta charset=utf-8><title>Functional points</title><style>"
            "body{font-family:sans-serif}td,th{padding:0 1em;text-align:left}"
            ".no{background:#fcc}.out{background:#eee}</style><h1>Functional points</h1>"
        )
        group = None
        for file, line, name, n, reason in sorted(
            told, key=lambda t: (t[0], t[2].split(".")[0], t[3] > 0, t[1])
        ):
            here = (file, name.split(".")[0])
            if here != group:
                f.write("</table>" if group else "")
                f.write(f"<h2>{here[1]}</h2><p>{file}<table><tr><th>line<th>point<th>count")
                group = here
            style = "" if n else " class=out" if reason else " class=no"
            said = n or html.escape(reason) or 0
            f.write(f"<tr{style}><td>{line}<td>{html.escape(name)}<td>{said}\n")
        f.write("</table>")


def cells(row):
    return f"{row[0]}/{row[1]} | {100 * row[0] / row[1]:.1f}" if row[1] else "- | -"


def table(rows, tests):
    """Lines of docs/coverage.md."""
    out = ["| points of | group | reached | % | excluded |", "|---|---|---:|---:|---:|"]
    total = [0, 0, 0]
    for name, groups in sorted(rows.items()):
        for group, row in groups.items():
            total = [a + b for a, b in zip(total, row)]
            block = os.path.basename(name).removesuffix("_points.sv")
            out.append(f"| {block} | {group} | {cells(row)} | {row[2]} |")
    out.append(f"| all | | {cells(total)} | {total[2]} |")
    return [heading(tests), "", *out]


def heading(tests):
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    return f"Tests: {', '.join(tests)}; at {commit}."


def write_docs(what, lines):
    """The table between its marks in docs/coverage.md."""
    path = os.path.join(ROOT, "docs/coverage.md")
    with open(path) as f:
        text = f.read()
    new = re.sub(
        rf"(<!-- {what} -->\n).*(<!-- end of {what} -->)",
        lambda m: m[1] + "\n".join(lines) + "\n" + m[2],
        text,
        flags=re.S,
    )
    with open(path, "w") as f:
        f.write(new)
