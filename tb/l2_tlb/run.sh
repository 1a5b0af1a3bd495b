#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_l2_tlb: run.sh [SEED [split|unified|serial|all [ANSWERS]]] (all builds without the
# second)
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} builds=${2:-all} answers=${3:-12000}
[ "$builds" != all ] || builds="split unified serial"
mkdir -p build/tb/l2_tlb
for build in $builds; do
  define=()
  [ "$build" = split ] || define=("-D${build^^}")
  scripts/icarus.sh -g2012 "${define[@]}" -Irtl -Irtl/common -o "build/tb/l2_tlb/$build.vvp" \
    $(grep "^rtl/" sim/gmmu.f) tb/l2_tlb/gmmu_l2_tlb_tb.sv -s gmmu_l2_tlb_tb \
    -Pgmmu_l2_tlb_tb.TOTAL="$answers"
  timeout 300 vvp -n "build/tb/l2_tlb/$build.vvp" "+seed=$seed" | grep -v '\$finish called' |
    tee "build/tb/l2_tlb/$build.out"
  echo "again: tb/l2_tlb/run.sh $seed $build $answers"
  grep -q '^PASS' "build/tb/l2_tlb/$build.out"
done
