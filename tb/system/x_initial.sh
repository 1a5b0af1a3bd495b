#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What has no reset begins with random bits, by seed: tb/system/x_initial.sh "KEY=VALUE ..." SEED...
# The same random traffic must end without a mismatch, in the same cycle whatever the bits were.
set -euo pipefail
cd "$(dirname "$0")/../.."
settings=$1
shift
X_INITIAL=unique scripts/build_rtl.sh mosaic "$settings" "" "$PWD" rtl
set_args=()
for s in $settings; do set_args+=(--set "$s"); done
exe=build/rtl/$(build/bin/gmmu preset mosaic "${set_args[@]}" --rtl-key)-x/gmmu_rtl
first=
for seed in "$@"; do
  run=(env "GMMU_X_SEED=$seed" "$exe" random --backend rtl --preset mosaic "${set_args[@]}"
    --ops 30000 --seed 61)
  echo "again: ${run[*]}"
  out=$("${run[@]}") || { echo "$out"; exit 1; }
  cycles=$(sed -n 's/.* in \([0-9]*\) cycles.*/\1/p' <<<"$out")
  [ "${first:=$cycles}" = "$cycles" ] || {
    echo "FAIL ends in cycle $cycles, with other bits in $first"
    exit 1
  }
done
echo "PASS $# times other bits, each $first cycles"
