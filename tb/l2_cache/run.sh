#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_mem_channel and gmmu_l2_bypass: run.sh [REQUESTS [SEED [BUILD [RECORDING]]]], BUILD:
# small, one, full (all without it). RECORDING: of gmmu run --record; its first REQUESTS requests
# instead of random ones (full: the channel of a run with MemChannels). RESETS=n: so many short
# lives before the requests, each ended by a reset in the middle of traffic (REQUESTS / 200, 2 to
# 1,000, without it; none with a recording). RTL=dir takes the design from another folder (planted
# bugs; SCHEMATA=1: no more than the Verilated bench); RECORD=file adds a file with recorders
# (tb/netlist/run.py), and has no resets.
set -euo pipefail
cd "$(dirname "$0")/../.."
requests=${1:-50000} seed=${2:-1} rtl=${RTL:-rtl} recording=${4:-} resets=${RESETS:-${RECORD:+0}}
out=build/tb/l2_cache${RTL:+-$(basename "$RTL")}
# one for each folder of recordings, as two may be made at once
[ -z "${RECORD:-}" ] || out+=-record-$(basename "$(dirname "$RECORD")")
mkdir -p "$out"
for build in ${3:-small one full}; do
  case $build in # in the order of `names`
    small) set -- 2 4 2 128 32 4 2 4 2 2 5 2 4 8 0 16384 ;;
    one)   set -- 1 8 4 64 64 3 1 6 1 1 7 4 8 16 512 11703 ;;
    # as a run of preset mask: 1674 against 1020 MHz
    full)  set -- 2 64 16 128 32 16 4 16 8 4 10 16 64 192 0 26889 ;;
    *) echo "tb/l2_cache/run.sh: no build '$build'" >&2; exit 1 ;;
  esac
  names=(Banks Sets Ways LineB PortB Mshrs Waiters AnswerSlots BypassSlots MemSlots Latency
    GoldenEntries SilverEntries NormalEntries AgeCap TickRatio)
  macros=(BANKS SETS WAYS LINEB PORTB MSHRS WAITERS ANSWERS BYPASSES MEMSLOTS LATENCY
    GOLDEN SILVER NORMAL AGECAP RATIO)
  params=() defines=
  for i in "${!names[@]}"; do
    params+=("-G${names[$i]}=$1")
    defines+=" -D${macros[$i]}=$1"
    shift
  done
  exe=$out/$build
  scripts/build_bench.sh "$exe" gmmu_mem_harness "$rtl" tb/l2_cache "$defines" "${params[@]}" \
    $(scripts/filelists.py --of gmmu_mem_channel,gmmu_l2_bypass "$rtl") \
    tb/l2_cache/gmmu_mem_harness.sv "$PWD/tb/l2_cache/mem_bench.cpp" ${RECORD:+"$RECORD"}
  rc=0
  "$exe" "$requests" "$seed" "$resets" ${recording:+"$recording"} || rc=1
  echo "again:${resets:+ RESETS=$resets} tb/l2_cache/run.sh $requests $seed $build $recording"
  [ $rc = 0 ] || exit 1
done
[ -n "${RECORD:-}$recording${SCHEMATA:-}" ] && exit 0
scripts/icarus.sh -g2012 -Irtl -Irtl/common -o "$out/bypass.vvp" \
  $(grep '^rtl/' synth/l2_bypass.f | sed "s|^rtl|$rtl|") \
  tb/l2_cache/gmmu_l2_bypass_tb.sv -s gmmu_l2_bypass_tb
timeout 300 vvp -n "$out/bypass.vvp" | grep -v '\$finish called' | tee "$out/bypass.out"
grep -q '^PASS' "$out/bypass.out"
[ -z "${GMMU_COVERAGE_DIR:-}" ] ||
  scripts/count_sv_bench.sh "$out/bypass-count" gmmu_l2_bypass_tb "-I$rtl -I$rtl/common
    $(grep '^rtl/' synth/l2_bypass.f | sed "s|^rtl|$rtl|") tb/l2_cache/gmmu_l2_bypass_tb.sv" 1
