#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh [SLOTS ...]: the SIMT core behind gmmu_axi, build/tb/simt/system/bench, and others with
# so many slots in its port, bench-slotsN; and the programs build/simt/bench-*.elf
set -euo pipefail
cd "$(dirname "$0")/../../.."
make -s build/lib/libgmmu.a
made_of=(tb/simt/lib tb/simt/prog tb/simt/build.sh c_model/simt/ap_layout.h)
new() { [ -e "$1" ] && [ -z "$(find "${made_of[@]}" -newer "$1" -print -quit)" ]; }
for short in 0 1; do
  for prefetch in 0 1; do
    for check in 0 1 2; do # 0: none, 1: permissions, 2: exact bounds too
      elf=build/simt/bench-$short$prefetch$check.elf
      new $elf ||
        tb/simt/build.sh $elf tb/simt/prog/bench.c -DAP_SHORT=$short -DAP_PREFETCH=$prefetch \
          -DAP_CHECK=$((check > 0)) -DAP_BOUNDS=$((check > 1))
    done
  done
done
for spill in 1 2 3 4; do # so many loads of a copy's tile go to the stack as soon as they are issued
  elf=build/simt/bench-000s$spill.elf
  new $elf ||
    tb/simt/build.sh $elf tb/simt/prog/bench.c -DAP_SHORT=0 -DAP_PREFETCH=0 -DAP_CHECK=0 \
      -DAP_BOUNDS=0 -DSPILL=$spill
done
new build/simt/collage.elf ||
  tb/simt/build.sh build/simt/collage.elf tb/simt/prog/collage.c -DAP_CHECK=0 -DAP_BOUNDS=0
for p in gread update; do
  new build/simt/$p.elf || tb/simt/build.sh build/simt/$p.elf tb/simt/prog/$p.c
done
bench() { # EXE [-GSlots=N]
  local exe=$1
  shift
  scripts/build_bench.sh "$exe" gmmu_sm_system rtl tb/simt \
    "-DGMMU_TB_PORTS=1 -DGMMU_TB_ADDR_W=32 -DGMMU_TB_BYTES=64 -DGMMU_TB_WALK_W=64" \
    -Itb/simt "$@" $(grep '^rtl/' synth/axi.f) tb/axi/gmmu_axi_checker.sv \
    tb/axi/gmmu_axi_harness.sv tb/simt/gmmu_sm*.sv \
    tb/simt/system/gmmu_sm_system.sv "$PWD/tb/simt/system/ap_bench.cpp"
}
bench build/tb/simt/system/bench
for slots in "$@"; do bench "build/tb/simt/system/bench-slots$slots" "-GSlots=$slots"; done
