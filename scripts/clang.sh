#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang.sh FILE ...: a Python program with the libclang of scripts/requirements-mutate.txt, which is kept in build/libclang/.
# Where it is not there and PyPI cannot be reached (or has no build of it for this machine): exit 77, a skip, with the reason in
# the last line.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/libclang
mkdir -p build
exec 9>build/libclang.lock
flock 9
wanted=$(sed -n 's/^libclang==//p' scripts/requirements-mutate.txt)
have() { [ -x $venv/bin/python ] && $venv/bin/python -c "import importlib.metadata as m, clang.cindex, sys
sys.exit(m.version('libclang') != '$wanted')" 2>/dev/null; }
if ! have; then
  rm -rf $venv
  if ! { python3 -m venv $venv && $venv/bin/pip install -q --disable-pip-version-check --only-binary :all: --retries 1 \
         --timeout 15 -r scripts/requirements-mutate.txt; } >build/libclang.log 2>&1 || ! have; then
    rm -rf $venv
    echo "skipped: libclang $wanted is not installed and could not be fetched from PyPI (build/libclang.log)"
    exit 77
  fi
fi
exec 9>&-
exec $venv/bin/python "$@"
