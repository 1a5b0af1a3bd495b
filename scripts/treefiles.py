# SPDX-License-Identifier: Apache-2.0
"""The files of the tree, also where there is no git, as in an archive, or where git refuses the
folder."""

import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def names():
    """Paths from the root, new files included, what git ignores left out."""
    try:
        r = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        if r.returncode == 0:
            return sorted(
                n for n in set(r.stdout.splitlines()) if os.path.exists(os.path.join(ROOT, n))
            )
    except FileNotFoundError:
        pass
    out = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            d
            for d in folders
            if d not in (".git", "__pycache__")
            and os.path.join(folder, d) != os.path.join(ROOT, "build")
        ]
        out += [os.path.relpath(os.path.join(folder, f), ROOT) for f in files]
    return sorted(out)
