#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_walker: run.sh [SEED]. RTL=dir takes the design from another folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} rtl=${RTL:-rtl}
out=build/tb/walker${RTL:+-$(basename "$RTL")}
mkdir -p "$out"
scripts/icarus.sh -g2012 -I"$rtl" -I"$rtl/common" -o "$out/sim.vvp" \
  $(scripts/filelists.py --of gmmu_walker "$rtl") tb/walker/gmmu_walker_tb.sv -s gmmu_walker_tb
timeout 120 vvp -n "$out/sim.vvp" "+seed=$seed" | grep -v '\$finish called' | tee "$out/out"
echo "again: tb/walker/run.sh $seed"
grep -q '^PASS' "$out/out"
[ -z "${GMMU_COVERAGE_DIR:-}" ] ||
  scripts/count_sv_bench.sh "$out/count" gmmu_walker_tb "-I$rtl -I$rtl/common
    $(scripts/filelists.py --of gmmu_walker "$rtl") tb/walker/gmmu_walker_tb.sv" "$seed"
