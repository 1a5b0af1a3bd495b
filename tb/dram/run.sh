#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_dram: run.sh [REQUESTS [SEED [BUILD]]], BUILD: full, small, frfcfs, closed, settings
# (all without it). RESETS=n: so many short lives before the requests, each ended by a reset in the
# middle of traffic (REQUESTS / 200, 2 to 1,000, without it). RTL=dir takes the design from another
# folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
requests=${1:-100000} seed=${2:-1} rtl=${RTL:-rtl}
out=build/tb/dram${RTL:+-$(basename "$RTL")}
for build in ${3:-full small frfcfs closed settings}; do
  case $build in #  golden silver normal aware closed apps age timeout tRRD vary keep ratio
    full)   set -- 16 64 192 1 0 8 0 2000 6 0 0 16384 ;;
    small)  set -- 2 3 5 1 0 3 256 100 6 0 1 26889 ;;
    # quota, timeout and age cap change under traffic, as in settings
    frfcfs) set -- 16 64 192 0 0 8 0 2000 6 1 0 16384 ;;
    closed) set -- 4 8 24 1 1 4 4096 500 4 0 0 11703 ;;
    # those of the whole scheduler do
    settings) set -- 4 8 24 1 0 5 0 500 4 1 0 32768 ;;
    *) echo "tb/dram/run.sh: no build '$build'" >&2; exit 1 ;;
  esac
  exe=$out/$build
  scripts/build_bench.sh "$exe" gmmu_dram "$rtl" tb/dram \
    "-DGOLDEN=$1 -DSILVER=$2 -DNORMAL=$3 -DAWARE=$4 -DCLOSED=$5 -DNUM_APPS=$6 -DAGECAP=$7 \
      -DTIMEOUT=$8 -DRRD=$9 -DVARY=${10} -DKEEP=${11} -DRATIO=${12}" \
    -GGoldenEntries="$1" -GSilverEntries="$2" -GNormalEntries="$3" -GAware="$4" -GClosedRow="$5" \
    -GNumApps="$6" -GRrd="$9" -GKeepRows="${11}" -GTickRatio="${12}" -GIdW=12 \
    -GDataW=64 $(grep '^rtl/' synth/dram.f | sed "s|^rtl|$rtl|") "$PWD/tb/dram/dram_bench.cpp"
  rc=0
  "$exe" "$requests" "$seed" "${RESETS:-}" || rc=1
  echo "again:${RESETS:+ RESETS=$RESETS} tb/dram/run.sh $requests $seed $build"
  [ $rc = 0 ] || exit 1
done
