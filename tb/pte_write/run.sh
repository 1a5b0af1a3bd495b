#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_pte_write: run.sh [SEED], with exclusive accesses, with plain ones, and above a
# memory that does not know exclusive ones. RTL=dir takes the design from another folder (planted
# bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} rtl=${RTL:-rtl} out=build/tb/pte_write${RTL:+-$(basename "$RTL")}
mkdir -p $out
for p in "1 1" "0 1" "1 0"; do
  read -r exclusive knows <<<"$p"
  scripts/icarus.sh -g2012 -I"$rtl" -I"$rtl/common" -Pgmmu_pte_write_tb.PteExclusive="$exclusive" \
    -Pgmmu_pte_write_tb.Knows="$knows" -Pgmmu_pte_write_tb.Seed="$seed" \
    -o $out/sim.vvp -s gmmu_pte_write_tb $(grep '^rtl/' synth/pte_write.f | sed "s|^rtl|$rtl|") \
    tb/pte_write/gmmu_pte_write_tb.sv
  vvp -n $out/sim.vvp | grep -v '\$finish called' | tee $out/out
  grep -q '^PASS' $out/out || { echo "again: tb/pte_write/run.sh $seed"; exit 1; }
done
