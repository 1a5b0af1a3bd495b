#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The RTL with GMMU_FPGA defined (docs/fpga.md): fpga.sh PRESET "KEY=VALUE ..." OPS SEED. Random
# traffic without a mismatch, in the same cycle as the RTL without it.
set -euo pipefail
cd "$(dirname "$0")/../.."
preset=$1 settings=$2 ops=$3 seed=$4
set_args=()
for s in $settings; do set_args+=(--set "$s"); done
key=$(build/bin/gmmu preset "$preset" "${set_args[@]}" --rtl-key)
ends=()
for define in "" GMMU_FPGA; do
  DEFINE=$define scripts/build_rtl.sh "$preset" "$settings" "" "$PWD" rtl
  run=("build/rtl/$key${define:+-$define}/gmmu_rtl" random --backend rtl --preset "$preset"
    "${set_args[@]}" --ops "$ops" --seed "$seed")
  echo "again: ${run[*]}"
  out=$("${run[@]}") || { echo "$out"; exit 1; }
  ends+=("$(sed -n 's/.* in \([0-9]*\) cycles.*/\1/p' <<<"$out")")
done
[ -n "${ends[0]}" ] && [ "${ends[0]}" = "${ends[1]}" ] || {
  echo "FAIL ends in cycle ${ends[0]}, with GMMU_FPGA in ${ends[1]}"
  exit 1
}
echo "PASS seed $seed, $ops requests, ${ends[0]} cycles with and without GMMU_FPGA"
