#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Coverage of a bench in SystemVerilog (docs/coverage.md): count_sv_bench.sh DIR TOP "ARGUMENT... of
# Verilator: files, -I, -G" SEED PLUSARG... Icarus, which runs these benches otherwise, counts
# nothing: the same bench in Verilator, once more. Ends with the bench's "PASS" or an error.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$1 top=$2 seed=$4
read -ra arguments <<<"${3//$'\n'/ }"
mkdir -p "$dir"
read -ra points <<<"$(scripts/points.py write "$dir/points" "${arguments[@]}")"
scripts/sv_bench.sh build "$dir" "$top" "$3" "${GMMU_COVERAGE:---coverage}" "${points[@]}"
timeout 600 scripts/sv_bench.sh run "$dir" "$seed" "${@:5}" | tee "$dir/out"
