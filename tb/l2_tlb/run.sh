#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_l2_tlb: run.sh [SEED [split|unified|serial]] (all builds without the second)
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1}
mkdir -p build/tb/l2_tlb
for build in ${2:-split unified serial}; do
  define=()
  [ "$build" = split ] || define=("-D${build^^}")
  scripts/icarus.sh -g2012 "${define[@]}" -Irtl -Irtl/common -o "build/tb/l2_tlb/$build.vvp" \
    $(grep "^rtl/" sim/gmmu.f) tb/l2_tlb/gmmu_l2_tlb_tb.sv -s gmmu_l2_tlb_tb
  timeout 300 vvp -n "build/tb/l2_tlb/$build.vvp" "+seed=$seed" | grep -v '\$finish called' |
    tee "build/tb/l2_tlb/$build.out"
  echo "again: tb/l2_tlb/run.sh $seed $build"
  grep -q '^PASS' "build/tb/l2_tlb/$build.out"
done
