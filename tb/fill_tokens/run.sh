#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_fill_tokens: run.sh [SEED]. RTL=dir takes the design from another folder (planted
# bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} rtl=${RTL:-rtl}
out=build/tb/fill_tokens${RTL:+-$(basename "$RTL")}
mkdir -p "$out"
scripts/icarus.sh -g2012 -I"$rtl" -I"$rtl/common" -o "$out/sim.vvp" \
  $(grep "^rtl/" sim/gmmu.f | sed "s|^rtl|$rtl|") \
  tb/fill_tokens/gmmu_fill_tokens_tb.sv -s gmmu_fill_tokens_tb
timeout 300 vvp -n "$out/sim.vvp" "+seed=$seed" | grep -v '\$finish called' | tee "$out/out"
echo "again: tb/fill_tokens/run.sh $seed"
grep -q '^PASS' "$out/out"
