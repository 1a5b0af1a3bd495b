#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_coalescer before gmmu_pte_write, beside updates of the walker: run.sh [COMMANDS
# [SEED [BUILD]]], BUILD: plain (Sv39 and Sv48, plain accesses), exclusive (exclusive accesses,
# frame bits in RSW, widest PFNs), sv39 (39 bits of VA, narrowest PFNs); all without it. RTL=dir
# takes the design from another folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
commands=${1:-3000} seed=${2:-1} rtl=${RTL:-rtl}
out=build/tb/coalescer${RTL:+-$(basename "$RTL")}
for build in ${3:-plain exclusive sv39}; do
  case $build in # in the order of `names`
    plain)     set -- 4 3 36 48 3 0 0 ;;
    exclusive) set -- 3 2 44 48 2 1 1 ;;
    sv39)      set -- 1 1 18 39 1 0 0 ;;
    *) echo "tb/coalescer/run.sh: no build '$build'" >&2; exit 1 ;;
  esac
  names=(NumAsids AsidW PfnW VaW NumWindows FrameBitsInRsw PteExclusive)
  macros=(ASIDS ASID_W PFN_W VA_W WINDOWS RSW EXCLUSIVE)
  params=() defines=
  for i in "${!names[@]}"; do
    params+=("-G${names[$i]}=$1")
    defines+=" -D${macros[$i]}=$1"
    shift
  done
  scripts/build_bench.sh "$out/$build" gmmu_coalescer_harness "$rtl" tb/coalescer "$defines" \
    "${params[@]}" $(scripts/filelists.py --of gmmu_coalescer,gmmu_pte_write "$rtl") \
    tb/coalescer/gmmu_coalescer_harness.sv "$PWD/tb/coalescer/coalescer_bench.cpp"
  rc=0
  "$out/$build" "$commands" "$seed" || rc=1
  echo "again: tb/coalescer/run.sh $commands $seed $build"
  [ $rc = 0 ] || exit 1
done
