#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_page_merge: run.sh [ACCESSES [SEED [PARTS]]]. RTL=dir takes the design from another
# folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
accesses=${1:-2000} seed=${2:-1} parts=${3:-0} rtl=${RTL:-rtl}
out=build/tb/page_merge${RTL:+-$(basename "$RTL")}
mkdir -p "$out"
iverilog -g2012 "-I$rtl/common" -Pgmmu_page_merge_tb.Parts=$parts -o "$out/$parts" \
  $(scripts/filelists.py --of gmmu_page_merge "$rtl") \
  tb/page_merge/gmmu_page_merge_tb.sv -s gmmu_page_merge_tb
vvp -n "$out/$parts" "+seed=$seed" "+accesses=$accesses" | grep -v '\$finish called' |
  tee "$out/$parts.out"
echo "again: tb/page_merge/run.sh $accesses $seed $parts"
grep -q '^PASS' "$out/$parts.out"
[ -z "${GMMU_COVERAGE_DIR:-}" ] ||
  scripts/count_sv_bench.sh "$out/count$parts" gmmu_page_merge_tb "-GParts=$parts -I$rtl/common
    $(scripts/filelists.py --of gmmu_page_merge "$rtl") tb/page_merge/gmmu_page_merge_tb.sv" \
    "$seed" "+accesses=$accesses"
