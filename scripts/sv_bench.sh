#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A bench in SystemVerilog, which Icarus runs otherwise, under Verilator: for what only that can do,
# counting (scripts/count_sv_bench.sh) and bugs as schemata (scripts/mutate.py).
#   sv_bench.sh build DIR TOP "ARGUMENT... of Verilator: files, -I, -G" [OPTION... of Verilator]
#   sv_bench.sh run DIR SEED PLUSARG...   exits with 1 unless the bench says PASS
# Verilator's $random leaves its seed as it is: in a copy of the bench, DIR/NAME_tb.sv, it is
# $urandom, whose seed the run gives.
set -euo pipefail
cd "$(dirname "$0")/.."
what=$1 dir=$2
if [ "$what" = run ]; then
  rc=0
  out=$(exec "$dir/bench" "+verilator+seed+$3" "+seed=$3" "${@:4}" 2>&1) || rc=$?
  printf '%s\n' "$out"
  [ $rc -le 128 ] || kill "-$((rc - 128))" $$   # as the bench ended, so ends this
  case $'\n'$out in *$'\nFAIL'*) exit 1 ;; *$'\nPASS'*) exit $rc ;; esac
  exit 1
fi
top=$3 files=()
read -ra given <<<"${4//$'\n'/ }"
shift 4
mkdir -p "$dir"
for f in "${given[@]}"; do
  case $f in
    tb/*_tb.sv)
      sed 's/\$random(seed)/$urandom/g' "$f" >"$dir/$(basename "$f")"
      f=$dir/$(basename "$f")
      ;;
  esac
  files+=("$f")
done
FAST=-O1 scripts/verilate.sh "$dir/obj" "$top" ../bench --exe --timing -o ../bench -O3 \
  --assert -Wno-fatal -Wno-BLKANDNBLK "${files[@]}" "$@" "$PWD/tb/common/sv_bench_main.cpp" \
  -CFLAGS "-DGMMU_TB_DUT=V$top -DGMMU_TB_HEADER=\\\"V$top.h\\\"" >"$dir/log" 2>&1 ||
  { grep -E '%Error|error:' "$dir/log" | head -5 >&2; echo "see $dir/log" >&2; exit 1; }
