#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_walker: run.sh [SEED]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1}
mkdir -p build/tb/walker
scripts/icarus.sh -g2012 -Irtl -Irtl/common -o build/tb/walker/sim.vvp $(grep "^rtl/" sim/gmmu.f) \
  tb/walker/gmmu_walker_tb.sv -s gmmu_walker_tb
timeout 120 vvp -n build/tb/walker/sim.vvp "+seed=$seed" | grep -v '\$finish called' |
  tee build/tb/walker/out
echo "again: tb/walker/run.sh $seed"
grep -q '^PASS' build/tb/walker/out
