# SPDX-License-Identifier: Apache-2.0
"""HTML of the results workflow: one page that loads nothing, plots as inline SVG by matplotlib."""

import hashlib
import html
import io
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

STYLE = """
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em; color: #222 }
h1, h2, h3 { line-height: 1.2 } h2 { border-top: 1px solid #bbb; padding-top: 1em }
table { border-collapse: collapse; margin: 0.7em 0 }
th, td { border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: right }
th:first-child, td:first-child { text-align: left } th { background: #eee }
svg { max-width: 100%; height: auto } nav a { margin-right: 1em } .note { color: #555 }
"""


def esc(text):
    return html.escape(str(text))


def plot(title, axis, series, groups):
    """Bars with their spread, a colour for each series."""
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["svg.hashsalt"] = title
    wide = len(series) * len(groups)
    fig, ax = plt.subplots(figsize=(min(13, 3.5 + 0.22 * wide), 3.4))
    width = 0.8 / len(series)
    for i, (name, values, spreads) in enumerate(series):
        at = [g + (i - (len(series) - 1) / 2) * width for g in range(len(groups))]
        ax.bar(at, values, width, yerr=spreads, label=name, capsize=2, color=f"C{i}")
    ax.axhline(1, color="#888", linewidth=0.8)
    ax.set_xticks(range(len(groups)), groups, rotation=45 if len(groups) > 6 else 0)
    ax.set_ylabel(axis)
    ax.legend(fontsize="small", bbox_to_anchor=(1.01, 1), loc="upper left")
    out = io.StringIO()
    fig.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    plt.close(fig)
    return inline(out.getvalue(), title)


def inline(svg, title):
    """Without head and metadata, whose addresses nothing needs; with names of its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    mine = "p" + hashlib.sha256(title.encode()).hexdigest()[:8]
    svg = re.sub(r'\bid="', f'id="{mine}-', svg)
    svg = re.sub(r'href="#', f'href="#{mine}-', svg)
    svg = re.sub(r"url\(#", f"url(#{mine}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{esc(title)}" ', 1)


def table(head, rows):
    lines = ["<table><tr>" + "".join(f"<th>{esc(c)}</th>" for c in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{esc(c)}</td>" for c in row) + "</tr>" for row in rows]
    return "\n".join(lines) + "</table>"


def listing(items):
    return "<ul>\n" + "\n".join(f"<li>{esc(x)}</li>" for x in items) + "</ul>"


def page(title, parts):
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{esc(title)}</title>\n<style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )
