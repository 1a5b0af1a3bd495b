#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_axi_track: run.sh [SEED [CYCLES]]. RTL=dir takes the design from another folder
# (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} cycles=${2:-60000} rtl=${RTL:-rtl}
out=build/tb/axi_track${RTL:+-$(basename "$RTL")}
mkdir -p "$out"
scripts/icarus.sh -g2012 -I"$rtl" -I"$rtl/common" -o "$out/sim.vvp" \
  $(scripts/filelists.py --of gmmu_axi_track "$rtl") \
  tb/axi_track/gmmu_axi_track_tb.sv -s gmmu_axi_track_tb
timeout 300 vvp -n "$out/sim.vvp" "+seed=$seed" "+cycles=$cycles" | grep -v '\$finish called' |
  tee "$out/out"
grep -q '^PASS' "$out/out" || { echo "again: tb/axi_track/run.sh $seed $cycles"; exit 1; }
[ -z "${GMMU_COVERAGE_DIR:-}" ] ||
  scripts/count_sv_bench.sh "$out/count" gmmu_axi_track_tb "-I$rtl -I$rtl/common
    $(scripts/filelists.py --of gmmu_axi_track "$rtl")
    tb/axi_track/gmmu_axi_track_tb.sv" "$seed" "+cycles=$cycles"
