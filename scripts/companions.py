#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is built with C++ sources of benches: beside a header X.h that they include by its place,
directly or not, there may be an X.cpp with its bodies.

usage: companions.py SOURCE.cpp...      prints these files, one a line, without those that are given
"""

import os
import re
import sys


def included(path):
    try:
        with open(path) as f:
            text = f.read()
    except OSError as e:
        sys.exit(f"companions.py: {path}: {e.strerror}")
    for name in re.findall(r'^#include "([^"]+)"', text, re.M):
        header = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if os.path.exists(header):
            yield header


def main():
    todo = [os.path.normpath(os.path.abspath(p)) for p in sys.argv[1:]]
    given, seen = set(todo), set(todo)
    while todo:
        for header in included(todo.pop()):
            body = os.path.splitext(header)[0] + ".cpp"
            for path in (header, body):
                if path not in seen and os.path.exists(path):
                    seen.add(path)
                    todo.append(path)
    for path in sorted(seen - given):
        if path.endswith(".cpp"):
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
