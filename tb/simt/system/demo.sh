#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# demo.sh [SEED]: a memory-mapped file on the SIMT core behind gmmu_axi. 8 warps of 32 lanes copy a
# file of 32 KiB to another one through active pointers: faults are served on the core, pages come
# from the host's file through a ring in memory; count words are looked at in every cycle, the copy
# is compared in its file. The same by plain pointers whose pages the driver brings on hardware
# faults.
set -euo pipefail
cd "$(dirname "$0")/../../.."
seed=${1:-1}
command -v riscv64-unknown-elf-gcc >/dev/null || {
  echo "memory-mapped file: skipped, no riscv64-unknown-elf-gcc (scripts/setup.sh simt)"
  exit 0
}
tb/simt/system/build.sh
round() {
  echo "$1"
  shift
  build/tb/simt/system/bench build/simt/bench-002.elf seed="$seed" "$@" |
    tee build/tb/simt/system/demo | grep -v '^PASS'
  grep -q '^PASS' build/tb/simt/system/demo || {
    cat build/tb/simt/system/demo
    echo "again: tb/simt/system/demo.sh $seed"
    exit 1
  }
}
round "memory-mapped file, copied through active pointers (software translation), 8 warps:" kind=4 \
  way=1 warps=4 blocks=2 rounds=1 warm=0 host=5559 watch=1
round "a file summed through active pointers, page cache of half its size:" kind=8 way=1 warps=8 \
  pages=2 frames=8 warm=0 host=5559 watch=1
round "the same file by hardware page faults:" kind=8 way=0 hw=1 warps=8 pages=2 warm=0 host=5559 \
  handler=1020
echo "PASS memory-mapped file: every value and the copy as in the file;" \
  "again: tb/simt/system/demo.sh $seed"
