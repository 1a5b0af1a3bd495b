#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_top over gmmu_memory with real contents: run.sh [WORDS [SEED]]. RTL=dir takes the design from another folder
# (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD words=${1:-20000} seed=${2:-1} rtl=${RTL:-rtl}
out=build/tb/memory${RTL:+-$(basename "$RTL")}
mkdir -p $out
if [ ! -e $out/bench ] || [ -n "$(find "$rtl" tb/memory build/lib/libgmmu.a -newer $out/bench -print -quit)" ]; then
  verilator --cc --exe --build -j 2 -O3 --assert --x-assign fast --x-initial fast -Wno-fatal --top-module gmmu_system_harness \
    --Mdir $out/obj -o ../bench.new "-I$rtl" "-I$rtl/common" $(grep '^rtl/' sim/gmmu.f | sed "s|^rtl|$rtl|") tb/memory/gmmu_system_harness.sv \
    "$root/tb/memory/system_bench.cpp" "$root/build/lib/libgmmu.a" -CFLAGS "-I$root/c_model/include -I$root/c_model" \
    -MAKEFLAGS "OPT_FAST=-O2 OPT_SLOW=-O0" -LDFLAGS "-lzstd -linih -lcjson -lxxhash -lm" >$out/build.log 2>&1 ||
    { grep -E '%Error|error:' $out/build.log | head -5 >&2; echo "see $out/build.log" >&2; exit 1; }
  mv $out/bench.new $out/bench
fi
rc=0
$out/bench "$words" "$seed" || rc=1
echo "again: tb/memory/run.sh $words $seed"
exit $rc
