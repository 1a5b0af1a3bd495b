#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Coverage of a bench in SystemVerilog (docs/coverage.md): count_sv_bench.sh DIR TOP "ARGUMENT... of
# Verilator: files, -I, -G" SEED PLUSARG... Icarus, which runs these benches otherwise, counts
# nothing: the same bench in Verilator, once more. Ends with the bench's "PASS" or an error.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$1 top=$2 seed=$4
read -ra arguments <<<"${3//$'\n'/ }"
shift 4
mkdir -p "$dir"
read -ra points <<<"$(scripts/points.py write "$dir/points" "${arguments[@]}")"
. scripts/cache.sh
verilator --cc --exe --build --timing --Mdir "$dir/obj" --top-module "$top" -o ../bench -O3 \
  --assert -Wno-fatal -Wno-BLKANDNBLK "${GMMU_COVERAGE:---coverage}" \
  "${arguments[@]}" "${points[@]}" \
  "$PWD/tb/common/sv_bench_main.cpp" \
  -CFLAGS "-O1 -DGMMU_TB_DUT=V$top -DGMMU_TB_HEADER=\\\"V$top.h\\\"" >"$dir/log" 2>&1 ||
  { grep -E '%Error|error:' "$dir/log" | head -5 >&2; echo "see $dir/log" >&2; exit 1; }
timeout 600 "$dir/bench" "+verilator+seed+$seed" "+seed=$seed" "$@" | tee "$dir/out"
grep -q '^PASS' "$dir/out"
