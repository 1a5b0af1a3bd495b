#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Directed bench of gmmu_axi under Icarus: icarus.sh [SEED [rtl|release]]. release: the Verilog-2001
# file of `make release-v`.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} what=${2:-rtl}
mkdir -p build/tb/axi
files=$(grep '^rtl/' synth/axi.f) defines=()
if [ "$what" = release ]; then
  scripts/release_v.sh build/tb/axi/release.v NumPorts=1 NumNative=1 WBeats=4 AxiAddrW=40 \
    AxiUserW=8 FaultEntries=4 NumAsids=4 AsidW=4 VaW=39 \
    PaW=32 WarpW=4 L1BaseEntries=4 L1LargeEntries=2 L2Entries=16 L2LargeEntries=2 Walks=4 >/dev/null
  iverilog -g2001 -t null build/tb/axi/release.v
  verilator --lint-only -Wall --top-module gmmu_axi build/tb/axi/release.v   # it has nothing to say
  files="rtl/gmmu_pkg.sv build/tb/axi/release.v" defines=(-DGMMU_RELEASE)
fi
scripts/icarus.sh -g2012 "${defines[@]}" -o "build/tb/axi/$what.vvp" \
  -Irtl -Irtl/common $files tb/axi/gmmu_axi_checker.sv tb/axi/gmmu_axi_harness.sv \
  tb/axi/gmmu_axi_tb*.sv -s gmmu_axi_tb
timeout 600 vvp -n "build/tb/axi/$what.vvp" "+seed=$seed" | grep -v '\$finish called' |
  tee build/tb/axi/$what.out
echo "again: tb/axi/icarus.sh $seed $what"
grep -q '^PASS' build/tb/axi/$what.out
