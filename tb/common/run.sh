#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of the reusable modules in rtl/common, and of the benches' main program: run.sh [SEED
# [CYCLES]]
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} cycles=${2:-20000}
mkdir -p build/tb/common
main=build/tb/common/bench_main
g++ -std=c++17 -Wall -Wextra -Werror tb/common/bench_main*.cpp -o $main
says() { # STATUS PATTERN ARGUMENT...: so it ends; in all $lines lines (1) on either output
  local want=$1 pattern=$2 status=0
  shift 2
  $main "$@" >$main.out 2>&1 || status=$?
  [ "$status $(wc -l <$main.out)" = "$want ${lines:-1}" ] && grep -qE "$pattern" $main.out && return
  echo "FAIL bench_main $*: exit status $status and:"
  cat $main.out
  exit 1
}
lines=3 says 0 "^7 words, seed 1, what ''; reset 4 of 4, watchdog in 50$"
lines=3 says 0 "^bench_main_test, seed 1, cycle 50: nothing is done for 10 cycles$"
lines=3 says 0 "^  the reader waits for memory: 3 words$"
export GMMU_BENCH_HANG=5
lines=3 says 0 "^bench_main_test, seed 4, cycle 16: nothing is done for 10 cycles$" 7 4
lines=3 says 0 "^  nobody waits$"
unset GMMU_BENCH_HANG
lines=3 says 0 "^16 words, seed 9, what 'x'" 0x10 9 x
says 2 "'y' is no number; usage: .* \[WORDS \[SEED\]\] \[WHAT\]$" 5 y
says 2 "'-1' is no number" -1
says 2 "'18446744073709551616' is no number" 18446744073709551616
says 2 "'' is no number" ''
says 2 "'4' is too much" 1 2 3 4
scripts/icarus.sh -g2012 -Irtl -Irtl/common -o build/tb/common/sim.vvp rtl/gmmu_pkg.sv \
  rtl/common/*.sv rtl/ctrl/gmmu_epoch.sv tb/common/gmmu_common_tb.sv -s gmmu_common_tb
timeout 1200 vvp -n build/tb/common/sim.vvp "+seed=$seed" "+cycles=$cycles" |
  grep -v '\$finish called' | tee build/tb/common/out
echo "again: tb/common/run.sh $seed $cycles"
grep -q '^PASS' build/tb/common/out
[ -z "${GMMU_COVERAGE_DIR:-}" ] ||
  scripts/count_sv_bench.sh build/tb/common/count gmmu_common_tb "-Irtl -Irtl/common
    rtl/gmmu_pkg.sv $(echo rtl/common/*.sv) rtl/ctrl/gmmu_epoch.sv tb/common/gmmu_common_tb.sv" \
    "$seed" "+cycles=$cycles"
