#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [SEED]: ActivePointers and plain pointers on the SIMT core's RTL behind gmmu_axi: each way
# of bench.elf once, with a memory that takes and answers at random, count words looked at in every
# cycle.
set -euo pipefail
cd "$(dirname "$0")/../../.."
seed=${1:-1}
tb/simt/system/build.sh
rc=0
one() {
  local elf=$1
  shift
  echo "$*"
  [[ "$elf" = gread || "$elf" = update ]] || elf=bench-$elf
  build/tb/simt/system/bench "build/simt/$elf.elf" seed="$seed" "$@" | tail -4 |
    tee build/tb/simt/system/last
  grep -q '^PASS' build/tb/simt/system/last || rc=1
}
one 002 kind=3 way=1 chance=1 watch=1
one 000 kind=4 way=0 warps=4 chance=1
one 012 kind=5 way=1 warps=4 blocks=2 rounds=1 chance=1 watch=1
one 112 kind=6 way=1 warps=4 rounds=1 chance=1 watch=1 translate=1
# major faults
one 000 kind=7 way=1 warps=8 pages=4 warm=0 host=555 chance=1 watch=1 latency=40
# evictions
one 100 kind=7 way=1 warps=4 pages=4 warm=0 host=555 frames=4 latency=40 chance=1 watch=1
one 100 kind=7 way=1 warps=8 pages=4 warm=50 tlb=8 host=555 chance=1 watch=1 latency=40
one 000 kind=8 way=2 warps=4 pages=2 warm=50 host=555 chance=1 watch=1 latency=40      # GPUfs
# gread, with evictions
one gread kind=17 way=2 warps=4 blocks=2 pages=2 rounds=10 frames=8 host=555 chance=1 watch=1 \
  latency=40
# a file updated through a writable mapping: dirty pages are evicted and come again, memory does
# each access at a moment of its own
one update kind=18 way=1 warps=8 pages=2 rounds=2 frames=8 warm=0 host=1 page_time=1 latency=40 \
  jitter=40 late=1 chance=1 watch=1
one update kind=18 way=1 warps=4 blocks=2 pages=2 frames=8 warm=0 tlb=2 host=55 page_time=1 \
  latency=40 jitter=40 late=1 chance=1 watch=1
# hardware faults
one 000 kind=8 way=0 warps=4 pages=2 warm=50 hw=1 host=555 handler=1000 chance=1
one 000 kind=8 way=0 warps=8 pages=2 warm=25 hw=1 host=5559 # records of pages that are there by now
# more pages than the memory manager has memory for
one 000 kind=7 way=0 warps=8 pages=68 warm=95 hw=1 host=555 handler=100 memory=1 chance=1
echo "again: tb/simt/system/run.sh $seed"
exit $rc
