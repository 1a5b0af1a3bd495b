#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_fill_tokens: run.sh [SEED]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1}
mkdir -p build/tb/fill_tokens
iverilog -g2012 -Irtl -Irtl/common -o build/tb/fill_tokens/sim.vvp $(grep "^rtl/" sim/gmmu.f) \
  tb/fill_tokens/gmmu_fill_tokens_tb.sv -s gmmu_fill_tokens_tb 2>&1 | grep -v "constant selects in always_" || true
timeout 300 vvp -n build/tb/fill_tokens/sim.vvp "+seed=$seed" | grep -v '\$finish called' | tee build/tb/fill_tokens/out
echo "again: tb/fill_tokens/run.sh $seed"
grep -q '^PASS' build/tb/fill_tokens/out
