#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hang.sh [BENCH]...: every C++ bench ends by itself when something hangs, and says who waits for
# whom. Planted: from some cycle on what answers the design in the bench answers no more
# (GMMU_BENCH_HANG: memory of page tables, memory of data, who takes answers, a clock).
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p build/tb/hang
bad=0 done=0 only=" $* "
hang() { # BENCH FROM WHO WHOM COMMAND...
  local bench=$1 from=$2 line="^  .*($3).* waits for .*($4)" status=0
  shift 4
  [ "$only" = "  " ] || [[ $only == *" $bench "* ]] || return 0
  done=$((done + 1))
  GMMU_BENCH_HANG=$from timeout 600 "$@" >build/tb/hang/$bench 2>&1 || status=$?
  if [ $status = 0 ] || [ $status -ge 124 ]; then
    echo "FAIL $bench: exit status $status with a hang from cycle $from on"
  elif ! grep -qE ', seed [0-9]+, cycle [0-9]+: .* for [0-9]+ cycles$' build/tb/hang/$bench; then
    echo "FAIL $bench: no word of its watchdog"
  elif ! grep -qE "$line" build/tb/hang/$bench; then
    echo "FAIL $bench: not said: $line"
  else
    return 0
  fi
  tail -n 5 build/tb/hang/$bench
  bad=1
}
hang axi_bench 20000 'the walker' 'the memory of page tables' tb/axi/run.sh 20000 1
hang order_bench 20000 'the walker' 'the memory of page tables' tb/axi/run.sh 20000 1 order
hang native_bench 5000 'client|a lane' 'the MMU' tb/axi/run.sh 5000 1 native
hang control_bench 2000 'gmmu_axi_control' 'software' tb/axi/run.sh 20000 1 control
hang gdm_bench 20000 'the walker' 'the memory of page tables' tb/axi/run.sh 500 1 gdm
hang coalescer_bench 2000 'the PTE write unit' 'memory' tb/coalescer/run.sh 3000 1 plain
hang integration_bench 5000 'the walker' 'the memory of page tables' \
  tb/integration/run.sh 2000 1 plain
hang simt_bench 2000 'the walker' 'the memory of page tables' tb/integration/run.sh 1000 1 simt
hang softcore_bench 2000 'core' 'an instruction or data' tb/softcore/run.sh 1 1
hang sm_bench 2000 'the core' 'memory' tb/simt/run.sh 2 1 small
hang dram_bench 2000 'requests|the queues' 'a command|the queues' tb/dram/run.sh 2000 1 full
hang mem_bench 2000 'bank' 'the reader of' tb/l2_cache/run.sh 2000 1 small
hang parity_bench 2000 'SM' 'an answer' tb/tlb_parity/run.sh 3000 1 split
hang system_bench 2000 'bank' 'the SMs' tb/memory/run.sh 2000 1
if command -v riscv64-unknown-elf-gcc >/dev/null; then
  hang sm_mmu_bench 20000 'warps|the core' 'memory' tb/simt/mmu.sh 2 1
  hang ap_bench 20000 'the core' 'memory' tb/simt/system/hang.sh
else
  echo "sm_mmu_bench and ap_bench are left out: no riscv64-unknown-elf-gcc (scripts/setup.sh simt)"
fi
# Those are all benches that there are.
if [ "$only" = "  " ]; then
  benches=$(grep -lE '^const BenchInfo bench_info' -r tb --include=*.cpp | grep -vc bench_main_test)
  [ "$benches" = $done ] || [ ! -x "$(command -v riscv64-unknown-elf-gcc)" ] ||
    { echo "FAIL: $benches benches in the tree, $done looked at"; bad=1; }
fi
[ $bad = 0 ] && echo "PASS hang: $done benches say who waits for whom"
exit $bad
