#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_top over gmmu_memory with real contents: run.sh [WORDS [SEED [BUILD]]], BUILD:
# hashed, linear (no hashes, and a page lies in one channel). RTL=dir takes the design from another
# folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
words=${1:-20000} seed=${2:-1} build=${3:-hashed} rtl=${RTL:-rtl}
case $build in
  hashed) linear=0 ;;
  linear) linear=1 ;;
  *) echo "tb/memory/run.sh: no build '$build'" >&2; exit 2 ;;
esac
out=build/tb/memory${RTL:+-$(basename "$RTL")}
scripts/build_bench.sh $out/$build gmmu_system_harness "$rtl" tb/memory \
  "-DGMMU_TB_LINEAR=$linear" -GLinear=$linear \
  $(grep '^rtl/' sim/gmmu.f | sed "s|^rtl|$rtl|") \
  tb/memory/gmmu_system_harness.sv "$PWD/tb/memory/system_bench.cpp"
rc=0
$out/$build "$words" "$seed" || rc=1
echo "again: tb/memory/run.sh $words $seed $build"
exit $rc
