#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version is said once, in the first heading of CHANGELOG.md; from it come
c_model/cli/version.h (gmmu --version) and the name in gmmu.core.

The heading is "## [X.Y.Z] - YYYY-MM-DD" of a version that is ready for its tag, or "## [Unreleased]
X.Y.Z" of the next one, whose program calls itself X.Y.Z-dev.

usage: version.py [--check | --release]
  --check: writes nothing; names what is stale, exits with 1
  --release: the same, and the heading has a date that is not to come, older ones are dated and
  smaller, and a tag vX.Y.Z, if there is
    one, is a commit that has this version
"""

import datetime
import re
import subprocess
import sys

from generated import ROOT, finish, head, read

HEADING = re.compile(r"## \[(?:(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)|Unreleased\] (\d+\.\d+\.\d+))")


def headings(text):
    """[(version, date or None)], newest first."""
    out = []
    for n, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            m = HEADING.fullmatch(line)
            if not m or m[3] and out:
                sys.exit(
                    f"CHANGELOG.md:{n}: expected '## [X.Y.Z] - YYYY-MM-DD'"
                    + ("" if out else " or '## [Unreleased] X.Y.Z'")
                )
            out.append((m[1] or m[3], m[2]))
    return out or sys.exit("CHANGELOG.md: no version")


def ready(found):
    """What keeps the first version from its tag, one line each."""
    version, date = found[0]
    if date is None:
        yield f"{version} has no date: '## [{version}] - YYYY-MM-DD'"
    for v, d in found:
        try:
            if d and datetime.date.fromisoformat(d) > datetime.date.today():
                yield f"{v}: {d} is still to come"
        except ValueError:
            yield f"{v}: {d} is no date"
    numbers = [tuple(map(int, v.split("."))) for v, _ in found]
    if numbers != sorted(set(numbers), reverse=True):
        yield "versions do not fall from one heading to the next"
    tagged = subprocess.run(
        ["git", "show", f"v{version}:CHANGELOG.md"], cwd=ROOT, capture_output=True, text=True
    )
    if tagged.returncode == 0 and headings(tagged.stdout)[0] != found[0]:
        yield f"tag v{version} is a commit with another version"


def main():
    if sys.argv[1:] not in ([], ["--check"], ["--release"]):
        sys.exit(__doc__)
    found = headings(read("CHANGELOG.md"))
    version, date = found[0]
    core, n = re.subn(r"(?m)^(name: gmmu:ip:gmmu:)\S+$", rf"\g<1>{version}", read("gmmu.core"))
    if n != 1:
        sys.exit("gmmu.core: no line 'name: gmmu:ip:gmmu:X.Y.Z'")
    header = (
        head("version", "CHANGELOG.md", "/*", " */")
        + f'#define GMMU_VERSION "{version}{"" if date else "-dev"}"\n'
    )
    bad = finish(
        "version", {"gmmu.core": core, "c_model/cli/version.h": header}, bool(sys.argv[1:])
    )
    if sys.argv[1:] == ["--release"]:
        for problem in ready(found):
            print(f"version: {problem}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
