#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links of the pages (docs/, README.md and others of the root): each leads to a file of the tree,
and behind # to a heading of it.

usage: links.py      one line per dead link; exit 1 if there is one
"""

import os
import re
import sys
import urllib.parse

import treefiles
from generated import ROOT

# Not in code, neither in a block nor in a line.
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)


def anchors(text):
    """Names of the headings, as GitHub and the site (scripts/docs.sh) make them."""
    found, seen = set(), {}
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for line in re.findall(r"^#{1,6} +(.+?) *#*$", text, re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line)
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        n = seen[name] = seen.get(name, -1) + 1
        found |= {name + (f"-{n}" if n else ""), re.sub("-+", "-", name)}
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


# What becomes a part of a page of docs/: its links lead from there.
PARTS = {"synth/area-notes.md": "docs/area.md"}


def dead(page, text, known):
    """Links of a page that lead nowhere. known: {path: names of its headings}, filled as needed."""
    page = PARTS.get(page, page)
    for link in re.findall(r"\]\(([^)\s]+)(?: \"[^\"]*\")?\)", CODE.sub(" ", text)):
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = urllib.parse.unquote(link).partition("#")
        to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(os.path.join(ROOT, to)):
            yield link
        elif anchor and to.endswith(".md"):
            if to not in known:
                with open(os.path.join(ROOT, to), encoding="utf-8", errors="replace") as f:
                    known[to] = anchors(f.read())
            if anchor not in known[to]:
                yield link


def main():
    if sys.argv[1:]:
        sys.exit(__doc__)
    known, bad = {}, 0
    for page in treefiles.names():
        if page.endswith(".md"):
            with open(os.path.join(ROOT, page), encoding="utf-8", errors="replace") as f:
                for link in dead(page, f.read(), known):
                    print(f"links: {page}: dead link {link}")
                    bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
