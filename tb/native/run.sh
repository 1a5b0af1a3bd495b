#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_native: run.sh [SEED [rtl|release|inst]]. release: the Verilog-2001 file of `make
# release-v TOP=gmmu_native`. inst: only writes the instance, for those who build it themselves.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} what=${2:-rtl} out=build/tb/native
params=(NumNative=3 Slots=4 NumAsids=4 AsidW=4 VaW=39 PaW=32 WarpW=4
  L1BaseEntries=4 L1LargeEntries=2 L2Entries=16 L2LargeEntries=2 Walks=4
  FaultEntries=4 Coalescer=0 PageCopy=0)
mkdir -p "$out/$what"
files="-Irtl -Irtl/common $(grep '^rtl/' synth/axi.f)" release=()
if [ "$what" = release ]; then
  TOP=gmmu_native scripts/release_v.sh "$out/release.v" "${params[@]}" >/dev/null
  iverilog -g2001 -t null "$out/release.v"
  for top in gmmu_native gmmu_page_merge; do   # Verilator has nothing to say
    verilator --lint-only -Wall --top-module $top "$out/release.v"
  done
  files="-Irtl/common $out/release.v" release=(--release)
fi
# An input that the bench does not drive is 0.
scripts/inst.py --top gmmu_native --prefix dut "${release[@]}" "${params[@]}" |
  sed 's/^wire/tri0/' >"$out/$what/inst.vh"
[ "$what" != inst ] || exit 0
scripts/icarus.sh -g2012 -I"$out/$what" -o "$out/$what.vvp" $files tb/native/gmmu_native_tb.sv \
  -s gmmu_native_tb
timeout 120 vvp -n "$out/$what.vvp" "+seed=$seed" | grep -v '\$finish called' | tee "$out/$what.out"
echo "again: tb/native/run.sh $seed $what"
grep -q '^PASS' "$out/$what.out"
