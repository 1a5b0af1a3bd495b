#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_page_merge: run.sh [SEED]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1}
mkdir -p build/tb/page_merge
iverilog -g2012 -Irtl/common -o build/tb/page_merge/sim.vvp rtl/gmmu_pkg.sv rtl/axi/gmmu_page_merge.sv tb/page_merge/gmmu_page_merge_tb.sv \
  -s gmmu_page_merge_tb
timeout 120 vvp -n build/tb/page_merge/sim.vvp "+seed=$seed" | grep -v '\$finish called' | tee build/tb/page_merge/out
echo "again: tb/page_merge/run.sh $seed"
grep -q '^PASS' build/tb/page_merge/out
