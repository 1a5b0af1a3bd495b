#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slang.sh [--program FILE] ...: scripts/slang.py (or FILE) with the pyslang of scripts/requirements-lint.txt, which is kept in build/pyslang/. Where it is not there and PyPI
# cannot be reached (or has no build of it for this machine): exit 77, a skip, with the reason in the last line.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/pyslang
mkdir -p build
exec 9>build/pyslang.lock     # two tests may want it at once: the second waits for the first's
flock 9
wanted=$(sed -n 's/^pyslang==//p' scripts/requirements-lint.txt)
format=$(sed -n 's|^clang-format==||p' scripts/requirements-lint.txt)
have() { [ -x $venv/bin/python ] && $venv/bin/python -c "import importlib.metadata as m, pyslang.driver, sys
sys.exit(m.version('pyslang') != '$wanted' or m.version('clang-format') != '$format')" 2>/dev/null; }
if ! have; then
  rm -rf $venv
  if ! { python3 -m venv $venv && $venv/bin/pip install -q --disable-pip-version-check --only-binary :all: --retries 1 --timeout 15 \
         -r scripts/requirements-lint.txt; } >build/pyslang.log 2>&1 || ! have; then
    rm -rf $venv
    { grep -iE 'error' build/pyslang.log || true; } | tail -n 1
    echo "skipped: slang: pyslang $wanted or clang-format $format is not installed and could not be fetched from PyPI (build/pyslang.log)"
    exit 77
  fi
fi
program=scripts/slang.py
[ "${1:-}" != --program ] || { program=$2; shift 2; }
exec 9>&-
exec $venv/bin/python "$program" "$@"
