#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_l2_tlb: run.sh [SEED [split|unified|serial|deep|all [ANSWERS]]] (the first three
# without the second). RTL=dir takes the design from another folder (planted bugs). Builds that
# count give four times as many answers: Verilator takes a second for what takes Icarus a minute.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} builds=${2:-all} answers=${3:-12000}
[ "$builds" != all ] || builds="split unified serial"
rtl=${RTL:-rtl}
out=build/tb/l2_tlb${RTL:+-$(basename "$RTL")}
mkdir -p "$out"
for build in $builds; do
  define=()
  [ "$build" = split ] || define=("-D${build^^}")
  scripts/icarus.sh -g2012 "${define[@]}" -I"$rtl" -I"$rtl/common" -o "$out/$build.vvp" \
    $(sed -n "s|^rtl/|$rtl/|p" sim/gmmu.f) tb/l2_tlb/gmmu_l2_tlb_tb.sv -s gmmu_l2_tlb_tb \
    -Pgmmu_l2_tlb_tb.TOTAL="$answers"
  [ -z "${RTL:-}" ] || cp "$out/$build.vvp" "$out/sim.vvp"
  timeout 300 vvp -n "$out/$build.vvp" "+seed=$seed" | grep -v '\$finish called' |
    tee "$out/$build.out"
  echo "again: tb/l2_tlb/run.sh $seed $build $answers"
  grep -q '^PASS' "$out/$build.out"
  [ -z "${GMMU_COVERAGE_DIR:-}" ] ||
    scripts/count_sv_bench.sh "$out/count-$build" gmmu_l2_tlb_tb "-I$rtl -I$rtl/common ${define[*]}
      $(scripts/filelists.py --of gmmu_l2_tlb "$rtl") tb/l2_tlb/gmmu_l2_tlb_tb.sv
      -GTOTAL=$((4 * answers))" "$seed"
done
