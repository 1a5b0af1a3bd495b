#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_page_copy alone: run.sh [LATENCY...]: one page, every word, cycles. With traffic,
# errors and windows: tb/axi.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/tb/page_copy
mkdir -p $out
for l in ${*:-1 20 50 100 200}; do
  scripts/icarus.sh -g2012 -Irtl -Irtl/common -Pgmmu_page_copy_tb.Latency="$l" -o $out/sim.vvp \
    -s gmmu_page_copy_tb $(grep '^rtl/' synth/page_copy.f) tb/page_copy/gmmu_page_copy_tb.sv
  vvp -n $out/sim.vvp | grep -v '\$finish called' | tee $out/out
  grep -q '^PASS' $out/out || { echo "again: tb/page_copy/run.sh $l"; exit 1; }
done
