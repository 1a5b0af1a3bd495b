#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The working example: run.sh [SCALE [SEED]]
set -euo pipefail
cd "$(dirname "$0")/../.."
scale=${1:-1} seed=${2:-1}
scripts/build_bench.sh build/tb/softcore/bench gmmu_softcore_harness rtl tb/softcore \
  "-DGMMU_TB_PORTS=4 -DGMMU_TB_ADDR_W=32 -DGMMU_TB_BYTES=8 -DGMMU_TB_WALK_W=64" \
  -GSvadu=1 $(grep '^rtl/' synth/axi.f) tb/axi/gmmu_axi_checker.sv tb/axi/gmmu_axi_harness.sv \
  tb/softcore/gmmu_simt.sv \
  tb/softcore/gmmu_softcore_harness.sv "$PWD/tb/softcore/softcore_bench.cpp"
rc=0
build/tb/softcore/bench "$scale" "$seed" || rc=1
echo "again: tb/softcore/run.sh $scale $seed"
exit $rc
