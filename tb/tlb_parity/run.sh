#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Upsets of single bits in the TLB arrays of gmmu_top: run.sh [REQUESTS [SEED [BUILD...]]], BUILD:
# split, unified (groups of pages in the L1), serial, colt (groups of pages in L1 and L2), tokens
# (bypass cache), large (256 large entries in an L2 of one port, and three times as many large
# pages), off (split without TlbParity: the same upsets have to give wrong answers); all without it.
# RTL=dir takes the design from another folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
requests=${1:-20000} seed=${2:-1} rtl=${RTL:-rtl}
[ $# -lt 2 ] && shift $# || shift 2
out=build/tb/tlb_parity${RTL:+-$(basename "$RTL")}
[ $# != 0 ] || set -- split unified serial colt tokens large off
for build; do
  parity=1 unified=0 serial=0 colt=0 lines=0 tokens=0 large=4 frames=4 latency=6 epoch=0
  case $build in
    split) params=(-GL2Ports=2) ;;
    off) parity=0 params=(-GL2Ports=2) ;;
    unified)
      unified=1 colt=1 lines=1 large=0
      params=(-GL2Ports=2 -GL2Unified=1 -GMscSets=4 -GMscWays=2 -GColt=1 -GLineAnswers=1)
      ;;
    serial) serial=1 latency=10 params=(-GL2Ports=1 -GL2Serial=1) ;;
    colt) colt=2 lines=1 params=(-GL2Ports=2 -GColt=2 -GLineAnswers=1) ;;
    tokens) tokens=1 epoch=300 params=(-GL2Ports=2 -GFillTokens=1 -GBypassEntries=8) ;;
    large) large=256 frames=256 params=(-GL2Ports=1) ;;
    *) echo "tb/tlb_parity/run.sh: no build '$build'" >&2; exit 2 ;;
  esac
  exe=$out/$build
  OPT=-O1 scripts/build_bench.sh "$exe" gmmu_harness "$rtl" tb/tlb_parity \
    "-DPARITY=$parity -DUNIFIED=$unified -DSERIAL=$serial -DCOLT=$colt -DLINES=$lines \
      -DTOKENS=$tokens -DFRAMES=$frames -DBUILD=$build" \
    -GNumSms=2 -GNumAsids=3 -GAsidW=3 -GVaW=39 -GPaW=32 -GTagW=4 -GWarpW=2 -GL1BaseEntries=8 \
    -GL1LargeEntries=4 -GL1Mshrs=4 -GL2Entries=32 -GL2Ways=4 -GL2LargeEntries=$large \
    -GL2Mshrs=8 -GWalks=8 -GNumWindows=1 -GObs=0 -GWarpCounters=0 -GL2Latency=$latency \
    -GEpochCycles=$epoch -GTlbParity=$parity "${params[@]}" tb/tlb_parity/upsets.vlt \
    $(scripts/filelists.py --of gmmu_top "$rtl") tb/system/gmmu_harness.sv \
    "$PWD/tb/tlb_parity/parity_bench.cpp"
  rc=0
  "$exe" "$requests" "$seed" || rc=1
  echo "again: tb/tlb_parity/run.sh $requests $seed $build"
  [ $rc = 0 ] || exit 1
done
