#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages older than the RTL they are about: a page whose line "RTL: ..." names a file whose code is
another than at the page's last commit. Comments and line breaks do not count: they make no page
wrong. A page that was read against its RTL and is right as it stands has a line "PAGE COMMIT" in
docs/read.txt, which counts like a commit of the page.

usage: page_age.py [--strict] --strict: exits with 1 if there is one (make release-check; make lint
                   only warns)
"""

import glob
import os
import re
import subprocess
import sys

from generated import ROOT, read

READ = "docs/read.txt"


def git(*args):
    return subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True)


def last(paths):
    """{path: (number of its last commit, counted from the first; its hash)}; what is changed now
    counts as newest, without a hash."""
    shallow = git("rev-parse", "--is-shallow-repository").stdout.strip()
    if shallow != "false":  # no git, none of its folders, or without what came before
        return None
    log = git("log", "--reverse", "--format=@%h", "--name-only", "--", *paths)
    if log.returncode:
        return None
    out, n, commit = {}, 0, None
    for line in log.stdout.splitlines():
        if line.startswith("@"):
            n, commit = n + 1, line[1:]
        elif line:
            out[line] = n, commit
    for line in git("status", "--porcelain", "--", *paths).stdout.splitlines():
        out[line[3:]] = n + 1, None
    return out


def code(text):
    """Without comments and white space."""
    return re.sub(r"//[^\n]*|/\*.*?\*/|\s+", "", text, flags=re.S)


def changed(path, commit):
    """Whether the code of a file is another than at a commit (which may have had none)."""
    with open(os.path.join(ROOT, path)) as f:
        now = f.read()
    before = git("show", f"{commit}:{path}")
    return before.returncode != 0 or code(before.stdout) != code(now)


def found_right(pages):
    """{page: commit with whose RTL it was found right} of docs/read.txt."""
    out = {}
    for n, line in enumerate(read(READ).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            page, _, commit = line.partition(" ")
            unknown = git("cat-file", "-e", f"{commit}^{{commit}}").returncode
            if f"docs/{page}" not in pages or unknown:
                sys.exit(f"page_age: {READ}:{n}: not a page with a line RTL, and a commit: {line}")
            out[f"docs/{page}"] = commit
    return out


def named(text):
    """RTL files of a page's line RTL: full names, and those in the same folder by their bare
    name."""
    files = re.findall(r"rtl/[\w/]+\.sv", text)
    known = {
        os.path.basename(p)[:-3]: os.path.relpath(p, ROOT)
        for p in glob.glob(f"{ROOT}/rtl/**/*.sv", recursive=True)
    }
    files += [
        known[m]
        for m in re.findall(r"`(gmmu_\w+?)(?:\.sv)?`", re.split(r"Bench|Model", text)[0])
        if m in known
    ]
    return sorted(set(f for f in files if os.path.exists(os.path.join(ROOT, f))))


def main():
    if sys.argv[1:] not in ([], ["--strict"]):
        sys.exit(__doc__)
    pages = {}
    for path in sorted(glob.glob(f"{ROOT}/docs/*.md")):
        with open(path) as f:
            for line in f.read().split("\n")[:8]:
                if line.startswith("RTL: "):
                    pages[os.path.relpath(path, ROOT)] = named(line)
    when = last(["docs", "rtl"])
    if when is None:
        print("page_age: no history here, so no page was compared")
        return 1 if sys.argv[1:] else 0
    right = found_right(pages)
    old = {}
    for page, files in pages.items():
        n, commit = when.get(page, (0, None))
        newer = [
            os.path.basename(f)
            for f in files
            if when.get(f, (0, None))[0] > n
            and (n == 0 or changed(f, commit))
            and (page not in right or changed(f, right[page]))
        ]
        if newer:
            old[page] = newer
    for page, newer in old.items():
        print(f"page_age: {page} is older than {', '.join(newer)}")
    print(f"page_age: {len(old)} of {len(pages)} pages are older than the RTL they are about")
    return 1 if old and sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
