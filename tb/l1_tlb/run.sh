#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_l1_tlb: run.sh [SEED [ANSWERS]]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} answers=${2:-60000}
mkdir -p build/tb/l1_tlb
scripts/icarus.sh -g2012 -Irtl -Irtl/common -o build/tb/l1_tlb/sim.vvp $(grep "^rtl/" sim/gmmu.f) \
  tb/l1_tlb/gmmu_l1_tlb_tb.sv -s gmmu_l1_tlb_tb \
  -Pgmmu_l1_tlb_tb.TOTAL="$answers"
timeout 300 vvp -n build/tb/l1_tlb/sim.vvp "+seed=$seed" | grep -v '\$finish called' |
  tee build/tb/l1_tlb/out
echo "again: tb/l1_tlb/run.sh $seed $answers"
grep -q '^PASS' build/tb/l1_tlb/out
