#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of the reusable modules in rtl/common: run.sh [SEED]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1}
mkdir -p build/tb/common
iverilog -g2012 -Irtl -Irtl/common -o build/tb/common/sim.vvp rtl/gmmu_pkg.sv rtl/common/*.sv \
  tb/common/gmmu_common_tb.sv -s gmmu_common_tb 2>&1 | grep -v 'constant selects in always_' || true
timeout 300 vvp -n build/tb/common/sim.vvp "+seed=$seed" | grep -v '\$finish called' | tee build/tb/common/out
echo "again: tb/common/run.sh $seed"
grep -q '^PASS' build/tb/common/out
