#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_top over gmmu_memory with real contents: run.sh [WORDS [SEED]]. RTL=dir takes the
# design from another folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
words=${1:-20000} seed=${2:-1} rtl=${RTL:-rtl}
out=build/tb/memory${RTL:+-$(basename "$RTL")}
scripts/build_bench.sh $out/bench gmmu_system_harness "$rtl" tb/memory "" \
  $(grep '^rtl/' sim/gmmu.f | sed "s|^rtl|$rtl|") \
  tb/memory/gmmu_system_harness.sv "$PWD/tb/memory/system_bench.cpp"
rc=0
$out/bench "$words" "$seed" || rc=1
echo "again: tb/memory/run.sh $words $seed"
exit $rc
