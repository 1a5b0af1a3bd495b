#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# venv.sh NAME REQUIREMENTS IMPORTS PROGRAM [ARGUMENT...]: a Python program with the libraries of
# scripts/REQUIREMENTS, which are kept in build/NAME/. Where they are not there and PyPI cannot be
# reached (or has no build of them for this machine): exit 77, a skip, with the reason in the last
# line. IMPORTS: modules that must load then.
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1 list=scripts/$2 imports=$3
shift 3
venv=build/$name
mkdir -p build
exec 9>"build/$name.lock"     # two tests may want it at once: the second waits for the first's
flock 9
if ! cmp -s "$list" "$venv/requirements.txt"; then
  rm -rf "$venv"
  if python3 -m venv "$venv" >"build/$name.log" 2>&1 &&
    "$venv/bin/pip" install -q --disable-pip-version-check --prefer-binary --retries 1 \
      --timeout 15 -r "$list" >>"build/$name.log" 2>&1 &&
    "$venv/bin/python" -c "import $imports" >>"build/$name.log" 2>&1; then
    cp "$list" "$venv/requirements.txt"
  else
    rm -rf "$venv"
    { grep -iE 'error' "build/$name.log" || true; } | tail -n 1
    echo "skipped: $name: $(sed "/^#/d; s/==/ /" "$list" | paste -sd" ") is not installed" \
      "and could not be fetched from PyPI (build/$name.log)"
    exit 77
  fi
fi
exec 9>&-
exec "$venv/bin/python" "$@"
