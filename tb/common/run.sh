#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of the reusable modules in rtl/common: run.sh [SEED [CYCLES]]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} cycles=${2:-20000}
mkdir -p build/tb/common
scripts/icarus.sh -g2012 -Irtl -Irtl/common -o build/tb/common/sim.vvp rtl/gmmu_pkg.sv \
  rtl/common/*.sv tb/common/gmmu_common_tb.sv -s gmmu_common_tb
timeout 1200 vvp -n build/tb/common/sim.vvp "+seed=$seed" "+cycles=$cycles" |
  grep -v '\$finish called' | tee build/tb/common/out
echo "again: tb/common/run.sh $seed $cycles"
grep -q '^PASS' build/tb/common/out
