#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/workflow.sh with plan `test`: a table that names commit, seed and parameters of each run,
a report that loads nothing from outside and says what was not run; nothing is done twice, a lost
run is made again, a broken one ends with an error and the others go on. Skipped (77) where
Snakemake cannot be had."""

import csv
import glob
import html.parser
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import workflow_items  # noqa: E402
import workflow_plan  # noqa: E402
import workflow_stats  # noqa: E402

WORK = "build/workflow-test"
shutil.rmtree(WORK, ignore_errors=True)


def expect(what, ok):
    if not ok:
        sys.exit(f"test_workflow.py: not so: {what}")


def call(*args):
    r = subprocess.run(["scripts/workflow.sh", "test", WORK, *args], capture_output=True, text=True)
    if r.returncode == 77:
        print(r.stdout.strip().splitlines()[-1])
        sys.exit(77)
    return r.returncode, r.stdout + r.stderr


class Page(html.parser.HTMLParser):
    """Whatever a browser would load, and whether all is closed."""

    def __init__(self):
        super().__init__()
        self.loads, self.open, self.text, self.counts = [], [], [], {}

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in ("meta",):
            self.open.append(tag)
        if tag in ("script", "iframe", "object", "embed", "img", "link", "base", "audio", "video"):
            self.loads.append(tag)
        for name, value in attrs:
            value = value or ""
            if name in ("src", "srcset", "href", "xlink:href", "data", "poster", "action"):
                if not value.startswith("#"):
                    self.loads.append(f"{tag} {name}={value}")
            if re.search(r"url\((?!#)", value):
                self.loads.append(f"{tag} {name}={value}")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in ("meta",):
            self.open.pop()

    def handle_endtag(self, tag):
        expect(f"</{tag}> closes what is open", self.open and self.open.pop() == tag)

    def handle_data(self, data):
        self.text.append(data)


def loads(text):
    p = Page()
    p.feed(text)
    p.close()
    if re.search(r"@import|url\((?!#)", text):
        p.loads.append("a style sheet")
    return p


# What the check finds.
for bad in (
    '<img src="x.png">',
    '<link href="a.css">',
    "<style>@import 'a'</style>",
    '<a href="http://x">x</a>',
    '<p style="background: url(x.png)">x</p>',
    "<script></script>",
):
    expect(f"{bad} is found", loads(bad).loads)
expect("a place in the page is not", not loads('<a href="#x">x</a>').loads)

status, said = call()
expect(f"the workflow ends well: {said[-600:]}", status == 0)
runs = {r["key"]: r for r in workflow_plan.plan("test")}
with open(f"{WORK}/test.csv", newline="") as f:
    rows = list(csv.DictReader(f))
expect("a row for each run", sorted(r["key"] for r in rows) == sorted(runs))
for r in rows:
    expect("a commit", re.fullmatch(r"[0-9a-f]{12}\+?", r["commit"]))
    expect("its seed", int(r["seed"]) == runs[r["key"]]["seed"])
    expect("its parameters", r["parameters"].split() == runs[r["key"]]["sets"])
    expect("the calibrated system", "DramMhz=" in r["parameters"])

with open(f"{WORK}/test.html") as f:
    report = loads(f.read())
expect(f"the report loads nothing: {report.loads}", not report.loads)
expect("everything is closed", not report.open)
expect("a plot for each paper", report.counts["svg"] >= 3)
words = " ".join(report.text)
for paper, module in workflow_items.PAPERS.items():
    of_paper = [dict(r) for r in rows if r["paper"] == paper]
    if paper == "all":  # in no plan as short as this
        continue
    expect(f"{paper}'s title", module.TITLE in words)
    items = module.make(workflow_stats.read(of_paper)).items
    for of, title, why in workflow_items.of_paper(paper, items):
        expect(f"{of} is shown or said not to be run", title or (of in words and why in words))
for r in rows:
    if r["what"] == "regions":
        sizes = [tuple(map(int, x.split("x"))) for x in r["regions"].split("+")]
        expect("all pages lie in regions", sum(n * c for n, c in sizes) == int(r["pages"]))
        expect("regions of at most 2,047 pages", max(sizes)[0] <= 2047)
expect("Figure 4 of MESC", "Figure 4: contiguous regions" in words)

kept = {p: os.stat(p).st_mtime_ns for p in glob.glob(f"{WORK}/runs/*.json")}
status, said = call()
expect(f"nothing to do a second time: {said[-300:]}", status == 0 and "Nothing to be done" in said)
lost = sorted(kept)[3]
os.remove(lost)
status, said = call()
expect(f"a lost run is made again: {said[-300:]}", status == 0 and os.path.exists(lost))
expect(
    "and no other",
    all(os.stat(p).st_mtime_ns == t for p, t in kept.items() if p != lost),
)

# A run that fails: its trace is no trace. All others are there; the table is not.
broken = next(r for r in runs.values() if r["load"] == [["HS", 128]])
for p in (f"{WORK}/runs/{broken['key']}.json", f"{WORK}/test.csv", f"{WORK}/test.html"):
    os.remove(p)
trace = f"{WORK}/traces/{workflow_plan.trace_name('HS', 128, broken['lanes'])}.trace"
os.makedirs(os.path.dirname(trace), exist_ok=True)
with open(trace, "w") as f:
    f.write("no trace\n")
status, said = call()
expect("a broken run is an error", status != 0)
expect(f"that says which: {said[-900:]}", re.search(r"workflow: mesc HS \S+ seed 1: ", said))
expect("no table without it", not os.path.exists(f"{WORK}/test.csv"))
os.remove(trace)
status, said = call()
expect(f"mended, it goes on: {said[-300:]}", status == 0 and os.path.exists(f"{WORK}/test.html"))
print("PASS")
