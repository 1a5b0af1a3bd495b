#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_axi with the C driver: run.sh [BURSTS [SEED]]. RTL=dir takes the design from another folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
bursts=${1:-20000} seed=${2:-1} rtl=${RTL:-rtl}
out=build/tb/axi${RTL:+-$(basename "$RTL")}
scripts/build_bench.sh $out/bench gmmu_axi_harness "$rtl" tb/axi "-DGMMU_TB_PORTS=2 -DGMMU_TB_ADDR_W=40 -DGMMU_TB_HEADER=\\\"Vgmmu_axi_harness.h\\\" -DGMMU_TB_DUT=Vgmmu_axi_harness -std=c++17" \
  $(grep '^rtl/' sim/gmmu.f | grep -v '^rtl/mem' | sed "s|^rtl|$rtl|") tb/axi/gmmu_axi_checker.sv tb/axi/gmmu_axi_harness.sv "$PWD/tb/axi/axi_bench.cpp"
rc=0
$out/bench "$bursts" "$seed" || rc=1
echo "again: tb/axi/run.sh $bursts $seed"
exit $rc
