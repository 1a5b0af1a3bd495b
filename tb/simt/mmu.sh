#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of the SIMT core behind gmmu_axi: mmu.sh [PROGRAMS [SEED]]. 77: a skip, where there is no
# compiler for the core's programs.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=${1:-4} seed=${2:-1}
cc=riscv64-unknown-elf-gcc
command -v $cc >/dev/null || { echo "skipped: no $cc (scripts/setup.sh simt)"; exit 77; }
mkdir -p build/tb/simt
$cc -march=rv32ima_zicsr -mabi=ilp32 -ffreestanding -nostdlib -O2 -fno-jump-tables -mno-relax \
  -Wall -Wextra -Werror -T tb/simt/programs/program.ld \
  -o build/tb/simt/kernels.elf tb/simt/programs/kernels.c
for s in text data; do
  riscv64-unknown-elf-objcopy -O binary -j .$s build/tb/simt/kernels.elf build/tb/simt/kernels.$s
done
scripts/build_bench.sh build/tb/simt/mmu gmmu_sm_mmu_harness rtl tb/simt \
  "-DGMMU_TB_PORTS=1 -DGMMU_TB_ADDR_W=32 -DGMMU_TB_BYTES=64 -DGMMU_TB_WALK_W=64 \
    -DGMMU_TB_WARPS=8 -DGMMU_TB_LOCAL=256 -DGMMU_TB_SCRATCH=2048" \
  -Itb/simt -GWarps=8 -GLocalBytes=256 -GScratchBytes=2048 \
  $(grep '^rtl/' synth/axi.f) tb/axi/gmmu_axi_checker.sv tb/axi/gmmu_axi_harness.sv \
  tb/simt/gmmu_sm*.sv tb/simt/mmu/gmmu_sm_mmu_harness.sv "$PWD/tb/simt/mmu/sm_mmu_bench.cpp"
rc=0
build/tb/simt/mmu "$programs" "$seed" build/tb/simt/kernels.text build/tb/simt/kernels.data || rc=1
echo "again: tb/simt/mmu.sh $programs $seed"
exit $rc
