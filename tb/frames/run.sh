#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Large arrays used whole, with every bit of page and frame numbers: run.sh [SEED [BUILD...]].
# BUILD: mosaic, mesc (presets), rsw (mosaic with one L2 port, CO in the RSW bits, 40-bit PA), all
# without. What runs: frames.py.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1}
[ $# -lt 2 ] && set -- mosaic mesc rsw || shift
for build; do
  out=build/tb/frames/$build apps="0 1 2 3" asids=0,5,6,7 bits=48 params=(--set NumSms=4)
  preset=$build
  case $build in
    mosaic|mesc) ;;
    rsw) # the build of test random-rsw
      apps="0 1 2" asids=0,5,6 bits=40 preset=mosaic
      params=(--set NumSms=3 --set FrameBitsInRsw=1 --set L2Ports=1 --set L2Latency=4 --set PaW=40)
      ;;
    *) echo "tb/frames/run.sh: no build '$build'" >&2; exit 2 ;;
  esac
  mkdir -p "$out"
  tb/frames/frames.py "$out" "$seed" $bits
  traces=
  for a in $apps; do traces+=${traces:+,}$out/$a.txt; done
  rc=0
  build/bin/gmmu run --backend rtl --preset $preset "${params[@]}" --asid $asids --seed "$seed" \
    --trace "$traces" --map "$out/map.txt" --events "$out/events.txt" >"$out/report" || rc=1
  grep -E '^  (translations|L2 hit|walks|events)|^mismatches' "$out/report" || rc=1
  echo "again: tb/frames/run.sh $seed $build"
  [ $rc = 0 ] || exit 1
done
