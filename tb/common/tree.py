# SPDX-License-Identifier: Apache-2.0
"""A tree of its own for a test of scripts, under build/, and a count of what was seen there."""

import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Tree:
    def __init__(self, name):
        self.name, self.path = name, os.path.join(ROOT, f"build/tb/{name}/tree")
        self.checks = self.failed = 0

    def expect(self, what, ok, seen=""):
        self.checks += 1
        if not ok:
            self.failed += 1
            print(f"{self.name}: {what}" + (f"\n{seen.strip()}" if seen else ""))

    def run(self, *args, at=None):
        """Status and output of a command in the tree."""
        r = subprocess.run(args, cwd=at or self.path, capture_output=True, text=True, check=False)
        return r.returncode, r.stdout + r.stderr

    def write(self, path, text):
        path = os.path.join(self.path, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)

    def text(self, path):
        with open(os.path.join(self.path, path)) as f:
            return f.read()

    def end(self):
        """The last line; whether a check failed."""
        word = "FAIL" if self.failed else "PASS"
        print(f"{word} {self.name}: {self.checks} checks, {self.failed} failed")
        return bool(self.failed)
