#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilates the bench of a block with the C model: build_bench.sh EXE TOP RTL_DIR BENCH_DIR "-DX=Y
# ..." FILES... FILES: RTL from RTL_DIR, harness, C++ (its path absolute), and -G parameters. Beside
# headers that the C++ includes are their bodies (scripts/companions.py), of tb/common/bench_main.h
# the main program. Nothing is done when EXE is newer than all.
set -euo pipefail
cd "$(dirname "$0")/.."
exe=$1 top=$2 rtl=$3 bench=$4 defines=$5
shift 5
mkdir -p "$(dirname "$exe")"
# two tests may want the same bench at once: the second waits for the first's
exec 9>"$exe.lock"
flock 9
sources=() given=()
for f in "$@"; do
  case $f in *.cpp) sources+=("$f") ;; esac
  case $f in -*) ;; *) given+=("$f") ;; esac
done
bodies=$(scripts/companions.py "${sources[@]}")
points=()
[ -z "${GMMU_COVERAGE_DIR:-}" ] ||
  read -ra points <<<"$(scripts/points.py write "$exe-points" "$@")"
newer=$(find "${given[@]}" $bodies "$rtl" "$bench" tb/common build/lib/libgmmu.a \
  scripts/build_bench.sh scripts/verilate.sh -newer "$exe" -print -quit 2>/dev/null) || newer=all
[ -n "$newer" ] || exit 0
FAST=${OPT:--O2} scripts/verilate.sh "$(dirname "$exe")/obj-$(basename "$exe")" "$top" \
  "../$(basename "$exe").new" --exe -o "../$(basename "$exe").new" -O3 --assert \
  --x-assign fast --x-initial fast -Wno-fatal ${GMMU_COVERAGE_DIR:+${GMMU_COVERAGE:---coverage}} \
  "-I$rtl" "-I$rtl/common" "$@" "${points[@]}" \
  $bodies "$PWD/build/lib/libgmmu.a" \
  -CFLAGS "-std=c++17 -I$PWD/c_model/include -I$PWD/c_model $defines" \
  -CFLAGS "-DGMMU_TB_DUT=V$top -DGMMU_TB_HEADER=\\\"V$top.h\\\"" \
  -LDFLAGS "-lzstd -linih -lcjson -lxxhash -lcrypto -lsigsegv -lm" >"$exe.log" 2>&1 ||
  { grep -E '%Error|error:' "$exe.log" | head -5 >&2; echo "see $exe.log" >&2; exit 1; }
mv "$exe.new" "$exe"
