#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Benches of gmmu_fill_tokens: run.sh [SEED [PART]]: random traffic in several shapes (a PART-th of
# the pulses), then the numbers of the page by hand. RTL=dir takes the design from another folder
# (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} part=${2:-1} rtl=${RTL:-rtl}
out=build/tb/fill_tokens${RTL:+-$(basename "$RTL")}
mkdir -p "$out"
files="$(grep "^rtl/" synth/tokens.f | sed "s|^rtl|$rtl|") $rtl/ctrl/gmmu_epoch.sv"

bench() { # bench NAME WHAT OF_ICARUS PLUSARGS...
  local top=gmmu_fill_tokens_$1 of=${3//$'\n'/ }
  scripts/icarus.sh -g2012 -I"$rtl" -I"$rtl/common" -o "$out/sim.vvp" $of $files \
    "tb/fill_tokens/$top.sv" -s "$top"
  timeout 600 vvp -n "$out/sim.vvp" "+seed=$seed" "${@:4}" | grep -v '\$finish called' |
    tee "$out/$2.out"
  echo "again: tb/fill_tokens/run.sh $seed $part"
  grep -q '^PASS' "$out/$2.out"
  [ -z "${GMMU_COVERAGE_DIR:-}" ] || [ "$1" != random_tb ] ||
    scripts/count_sv_bench.sh "$out/count-$2" "$top" "-I$rtl -I$rtl/common ${of//-P$top./-G} $files
      tb/fill_tokens/$top.sv" "$seed" "${@:4}"
}

# SMs, applications, bits of ASID and warp, pulses: the smallest; one SM, many warps; all ASIDs
# known; more words than one; many applications
for shape in "1 1 1 1 400 +longs=2" "1 2 1 8 40" "2 8 3 7 60" "3 5 4 6 150" "4 32 6 3 80"; do
  read -r sms asids asid_w warp_w pulses more <<<"$shape"
  top=gmmu_fill_tokens_random_tb
  bench random_tb "random-$sms-$asids-$warp_w" "-P$top.NumSms=$sms -P$top.NumAsids=$asids
    -P$top.AsidW=$asid_w -P$top.WarpW=$warp_w" "+pulses=$((pulses / part))" $more
done
bench tb hand ""
