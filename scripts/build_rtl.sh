#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilates one configuration: build_rtl.sh PRESET "KEY=VALUE ..." WAVES ROOT RTL_DIR
# Result: build/rtl/KEY[-waves]/gmmu_rtl. Does nothing when it is newer than every source.
# X_INITIAL=unique: registers and memories without a reset begin with the random bits of GMMU_X_SEED
# (build/rtl/KEY-x/). DEFINE=NAME: with this macro (build/rtl/KEY-NAME/). RTL_DIR: the folder with
# the design (another one for mutants; then the result is build/rtl/KEY-NAME/).
set -euo pipefail
preset=$1 settings=$2 waves=$3 root=$4 rtl=$5
cd "$root"
set_args=()
for s in $settings; do set_args+=(--set "$s"); done
key=$(build/bin/gmmu preset "$preset" "${set_args[@]}" --rtl-key)
read -ra params <<<"$(build/bin/gmmu preset "$preset" "${set_args[@]}" --rtl-flags)"
dir=build/rtl/$key${waves:+-waves}
[ "${X_INITIAL:-fast}" = fast ] || dir=$dir-x
dir=$dir${DEFINE:+-$DEFINE}
[ "$rtl" = rtl ] || dir=build/rtl/$key-$(basename "$rtl")
mkdir -p "$dir"
# two tests may want the same build at once: the second waits for the first's
exec 9>"$dir/lock"
flock 9
# what a test made at -O1 (OPT) is slow: for tests alone
[ -n "${OPT:-}" ] || [ ! -e "$dir/quick" ] || find "$dir" -mindepth 1 ! -name lock -delete

newer=$(find "$rtl" tb/system sim/gmmu.f scripts/build_rtl.sh scripts/verilate.sh \
  build/lib/libgmmu.a build/obj/c_model/cli \
  -type f ! -name '*.d' -newer "$dir/gmmu_rtl" -print -quit 2>/dev/null || echo first)
[ -e "$dir/gmmu_rtl" ] && [ -z "$newer" ] && exit 0

sed "s|^\(+incdir+\)\?rtl|\1$rtl|" sim/gmmu.f > "$dir/files.f"
points=()
[ -z "${GMMU_COVERAGE_DIR:-}" ] ||
  read -ra points <<<"$(scripts/points.py write "$dir/points" -f "$dir/files.f")"
objs=()
for o in build/obj/c_model/cli/*.o; do [ "${o##*/}" = main.o ] || objs+=("$root/$o"); done
# Waves show gmmu_top itself, with a clock; the harness in which one evaluation is one cycle is for
# speed.
trace=() top=gmmu_harness harness=tb/system/gmmu_harness.sv
[ -z "$waves" ] || { trace=(--trace-fst --trace-structs) top=gmmu_top harness=; }
[ -z "${OPT:-}" ] || touch "$dir/quick"
[ -t 2 ] && echo "building RTL configuration $key ..." >&2
FAST=${OPT:--O3} GLOBAL=${OPT:--O2} scripts/verilate.sh "$dir/obj-$top" $top ../gmmu_rtl.new \
  --exe -o ../gmmu_rtl.new -O3 --assert --x-assign fast --x-initial "${X_INITIAL:-fast}" \
  -Wno-fatal -Wno-UNUSEDPARAM -Wno-UNUSEDSIGNAL "${trace[@]}" \
  ${GMMU_COVERAGE_DIR:+${GMMU_COVERAGE:---coverage}} ${DEFINE:+-D$DEFINE} \
  "${params[@]}" -f "$dir/files.f" "${points[@]}" $harness \
  "$root"/tb/system/*.cpp "${objs[@]}" "$root/build/lib/libgmmu.a" \
  -CFLAGS "-I$root/c_model/include -I$root/c_model -I$root/tb/system -DGMMU_RTL_KEY='\"$key\"'" \
  -LDFLAGS "-lzstd -linih -lcjson -lxxhash -lcrypto -lsigsegv -lm -lopenblas" \
  >"$dir/build.log" 2>&1 ||
  { grep -E '%Error|error:' "$dir/build.log" | head -5 >&2; echo "see $dir/build.log" >&2; exit 1; }
mv "$dir/gmmu_rtl.new" "$dir/gmmu_rtl"
