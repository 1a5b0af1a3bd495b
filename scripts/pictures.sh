#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pictures.sh ...: scripts/pictures.py with the libraries of scripts/requirements-docs.txt, which are kept in build/pictures/.
# Where they are not there and PyPI cannot be reached: exit 77, a skip, with the reason in the last line.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/pictures
have() { [ -x $venv/bin/python ] && cmp -s scripts/requirements-docs.txt $venv/requirements.txt; }
mkdir -p build
exec 9>build/pictures.lock
flock 9
if ! have; then
  rm -rf $venv
  if { python3 -m venv $venv && $venv/bin/pip install -q --disable-pip-version-check --retries 1 --timeout 15 \
         -r scripts/requirements-docs.txt; } >build/pictures.log 2>&1; then
    cp scripts/requirements-docs.txt $venv/requirements.txt
  else
    rm -rf $venv
    { grep -iE 'error' build/pictures.log || true; } | tail -n 1
    echo "skipped: pictures: their libraries are not installed and could not be fetched from PyPI (build/pictures.log)"
    exit 77
  fi
fi
exec 9>&-
exec $venv/bin/python scripts/pictures.py "$@"
