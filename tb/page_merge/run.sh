#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_page_merge: run.sh [SEED [PARTS]]. RTL=dir takes the design from another folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} parts=${2:-0} rtl=${RTL:-rtl}
mkdir -p build/tb/page_merge
iverilog -g2012 -I$rtl/common -Pgmmu_page_merge_tb.Parts=$parts -o build/tb/page_merge/sim$parts.vvp \
  $rtl/gmmu_pkg.sv $rtl/axi/gmmu_page_merge.sv tb/page_merge/gmmu_page_merge_tb.sv \
  -s gmmu_page_merge_tb
timeout 600 vvp -n build/tb/page_merge/sim$parts.vvp "+seed=$seed" | grep -v '\$finish called' | tee build/tb/page_merge/out$parts
echo "again: tb/page_merge/run.sh $seed $parts"
grep -q '^PASS' build/tb/page_merge/out$parts
