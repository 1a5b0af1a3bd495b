#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The MMU as one Verilog-2001 file with parameters fixed: release_v.sh FILE [PARAM=VALUE ...]. In
# it: the top, gmmu_top below it, and gmmu_page_merge with the same widths. TOP=gmmu_axi (default)
# or gmmu_native; the parameters are the top's, and those that only gmmu_page_merge has (Lanes=8).
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: release_v.sh FILE [PARAM=VALUE ...]" >&2; exit 2; }
cd "$(dirname "$0")/.."
out=$1 top=${TOP:-gmmu_axi}
shift
{ [ ! -e "$out" ] || [ -f "$out" ]; } || { echo "release_v: $out: not a regular file" >&2; exit 1; }
command -v yosys >/dev/null || { echo "release_v: no yosys on PATH" >&2; exit 1; }
mkdir -p "$(dirname "$out")" build/release
tmp=$(mktemp -d build/release/tmp.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
# $tmp/roots.sv instantiates what is to be in the file; $tmp/head is the first lines of the file.
scripts/release_parts.py roots "$top" "$@" >"$tmp/roots.sv"
scripts/release_parts.py head "$top" "$@" >"$tmp/head"
# ROM-like functions and processes become plain logic, memories stay arrays, module hierarchy stays.
files=$(grep '^rtl/' synth/axi.f | tr '\n' ' ')
yosys -q -p "read_verilog -sv -DSYNTHESIS -Irtl -Irtl/common $files $tmp/roots.sv; \
  hierarchy -check -top gmmu_release; delete gmmu_release; \
  proc; opt_clean; memory_collect; setundef -init -zero; opt_clean; \
  write_verilog -noattr $tmp/raw.v" >"$tmp/log" 2>&1 ||
  { { grep -iE 'error' "$tmp/log" || tail -1 "$tmp/log" | grep . ||
    echo "release_v: yosys ended without a word"; } | head -3 >&2; exit 1; }
scripts/release_parts.py names "$tmp/raw.v" >"$tmp/body"
{ cat "$tmp/head" "$tmp/body"; echo '// verilator lint_restore'; } >"$tmp/gmmu.v"
grep -q '\\\$paramod' "$tmp/gmmu.v" && {
  echo "release_v: a module kept a generated name" >&2
  exit 1
}
PYTHONPATH=scripts python3 -c '
import sys, outfile
outfile.write(sys.argv[1], open(sys.argv[2]).read())' "$out" "$tmp/gmmu.v"
echo "$out: $(grep -c '^module' "$tmp/gmmu.v") modules, $(wc -l <"$tmp/gmmu.v") lines"
