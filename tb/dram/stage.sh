#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_dram_stage and gmmu_dram_map under Icarus: stage.sh [SEED [REQUESTS]]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} requests=${2:-20000}
mkdir -p build/tb/dram
iverilog -g2012 -Irtl -Irtl/common -o build/tb/dram/stage.vvp $(grep '^rtl/' synth/dram_stage.f) rtl/mem/gmmu_dram_map.sv \
  tb/dram/gmmu_dram_stage_tb.sv -s gmmu_dram_stage_tb 2>&1 | grep -v "constant selects in always_" || true
timeout 300 vvp -n build/tb/dram/stage.vvp "+seed=$seed" "+requests=$requests" | grep -v '\$finish called' | tee build/tb/dram/stage.out
echo "again: tb/dram/stage.sh $seed $requests"
grep -q '^PASS' build/tb/dram/stage.out
