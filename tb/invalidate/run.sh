#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_invalidate: run.sh [SEED]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1}
mkdir -p build/tb/invalidate
iverilog -g2012 -o build/tb/invalidate/sim.vvp $(scripts/filelists.py --of gmmu_invalidate) \
  tb/invalidate/gmmu_invalidate_tb.sv -s gmmu_invalidate_tb
timeout 120 vvp -n build/tb/invalidate/sim.vvp "+seed=$seed" | grep -v '\$finish called' |
  tee build/tb/invalidate/out
echo "again: tb/invalidate/run.sh $seed"
grep -q '^PASS' build/tb/invalidate/out
