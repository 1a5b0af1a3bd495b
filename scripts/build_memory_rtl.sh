#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilates the memory channels of a configuration, for gmmu run --memory-rtl:
# build_memory_rtl.sh PRESET "K=V ..." ROOT RTL_DIR: build/memory-rtl/KEY/channels.so, of RTL_DIR
# another than rtl (planted bugs) build/memory-rtl/KEY-NAME/. One channel and the bypass decision
# are Verilated; the program makes as many channels as the run has. Does nothing when it is newer
# than every source.
set -euo pipefail
preset=$1 settings=$2 root=$3 rtl=$4
cd "$root"
set_args=()
for s in $settings; do set_args+=(--set "$s"); done
key=$(build/bin/gmmu preset "$preset" "${set_args[@]}" --memory-key)
read -ra params <<<"$(build/bin/gmmu preset "$preset" "${set_args[@]}" --memory-flags)"
dir=build/memory-rtl/$key
[ "$rtl" = rtl ] || dir+=-$(basename "$rtl")
mkdir -p "$dir"
# two runs may want the same build at once: the second waits for the first's
exec 9>"$dir/lock"
flock 9
# what a test made at -O1 (OPT) is slow: for tests alone
[ -n "${OPT:-}" ] || [ ! -e "$dir/quick" ] || find "$dir" -mindepth 1 ! -name lock -delete
newer=$(find "$rtl" tb/channels/*.{sv,cpp,h} tb/common/{coverage,dram_pieces}.h tb/system/bits.h \
  sim/gmmu.f scripts/build_memory_rtl.sh scripts/verilate.sh build/lib/libgmmu.a -type f \
  -newer "$dir/channels.so" -print -quit 2>/dev/null || echo first)
[ -e "$dir/channels.so" ] && [ -z "$newer" ] && exit 0

[ -z "${OPT:-}" ] || touch "$dir/quick"
[ -t 2 ] && echo "building RTL of memory channels $key ..." >&2
read -ra files <<<"$(scripts/filelists.py --of gmmu_mem_channel "$rtl" | tr '\n' ' ')"
read -ra bypass <<<"$(scripts/filelists.py --of gmmu_l2_bypass "$rtl" | tr '\n' ' ')"
points=()
[ -z "${GMMU_COVERAGE_DIR:-}" ] ||
  read -ra points <<<"$(scripts/points.py write "$dir/points" "${files[@]}" "${bypass[@]}")"
# Names of the shared object stay its own: the program that loads it may hold Verilated RTL and the
# C library as well.
common=(-O3 --assert --x-assign fast --x-initial fast -Wno-fatal "-I$rtl" "-I$rtl/common"
  ${GMMU_COVERAGE_DIR:+${GMMU_COVERAGE:---coverage}} "${points[@]}"
  -CFLAGS "-std=c++17 -fPIC -fvisibility=hidden -I$root/c_model/include -I$root/c_model")
{
  FAST=${OPT:--O3} GLOBAL=${OPT:--O2} scripts/verilate.sh "$dir/obj-bypass" gmmu_l2_bypass \
    Vgmmu_l2_bypass__ALL.a "${common[@]}" "-GBanks=${key##*-}" "${bypass[@]}"
  FAST=${OPT:--O3} GLOBAL=${OPT:--O2} scripts/verilate.sh "$dir/obj" gmmu_channel_harness \
    ../channels.so.new --exe -o ../channels.so.new "${common[@]}" "${params[@]}" "${files[@]}" \
    tb/channels/gmmu_channel_harness.sv "$root"/tb/channels/*.cpp \
    "$root/$dir/obj-bypass/Vgmmu_l2_bypass__ALL.a" "$root/build/lib/libgmmu.a" \
    -CFLAGS "-I$root/$dir/obj-bypass" \
    -LDFLAGS "-shared -Wl,--exclude-libs,ALL -Wl,-z,defs -lxxhash -lm"
} >"$dir/build.log" 2>&1 ||
  { grep -E '%Error|error:' "$dir/build.log" | head -5 >&2; echo "see $dir/build.log" >&2; exit 1; }
mv "$dir/channels.so.new" "$dir/channels.so"
